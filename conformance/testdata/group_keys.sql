-- GROUP BY over keys of all types, alone and together, small tables and divided ones; DISTINCT; limits.
CREATE TABLE gk (u8 UInt8, i8 Int8, u16 UInt16, i16 Int16, u32 UInt32, i32 Int32, u64 UInt64, i64 Int64, u128 UInt128, i256 Int256, f32 Float32, f64 Float64, d Date, dt DateTime('UTC'), d64 DateTime64(3, 'UTC'), dec32 Decimal(9, 2), dec128 Decimal(38, 4), uuid UUID, ip4 IPv4, ip6 IPv6, e Enum8('a' = 1, 'b' = -2, 'c' = 3), s String, fs FixedString(4), fl FixedString(40), ns Nullable(String), n64 Nullable(UInt64), n8 Nullable(UInt8), ls LowCardinality(String), lns LowCardinality(Nullable(String)), a Array(UInt8), t Tuple(UInt8, String), m Map(String, UInt8), b Bool) ENGINE = Memory;
INSERT INTO gk SELECT number % 7, number % 11 - 5, number % 300, number % 13 - 6, number % 5 * 1000000, number % 6 - 3, intHash64(number % 17), number % 19 - 9, number % 4, toInt256(number % 5) - 2, if(number % 3 = 0, -0.0, number % 4), if(number % 9 = 0, nan, if(number % 9 = 1, -0.0, number % 3)), toDate('2024-01-01') + number % 10, toDateTime('2024-01-01 00:00:00', 'UTC') + number % 8, toDateTime64('2024-01-01 00:00:00.000', 3, 'UTC') + number % 4, (number % 21 - 10) / 4, (number % 15 - 7) / 8, toUUID(concat('00000000-0000-0000-0000-00000000000', toString(number % 9))), toIPv4(concat('10.0.0.', toString(number % 6))), toIPv6(concat('2001:db8::', toString(number % 5))), ['a', 'b', 'c'][number % 3 + 1], if(number % 12 = 0, '', repeat('x', number % 40)), toFixedString(toString(number % 25), 4), toFixedString(repeat('ab', number % 20), 40), if(number % 10 = 0, NULL, toString(number % 10)), if(number % 8 = 0, NULL, number % 8), if(number % 5 = 0, NULL, number % 5), toString(number % 30), if(number % 4 = 0, NULL, toString(number % 3)), range(number % 4), (number % 2, toString(number % 3)), map('k', number % 3), number % 2 FROM numbers(1000);
SELECT u8, count(), sum(u64), min(i32), max(s), avg(i64) FROM gk GROUP BY u8 ORDER BY u8;
SELECT count(), sum(c), sum(cityHash64(k)) FROM (SELECT toString(u8) AS k, u8, count() AS c FROM gk GROUP BY u8) SETTINGS group_by_two_level_threshold = 1, max_block_size = 64;
SELECT i8, count(), sum(u64), min(i32), max(s), avg(i64) FROM gk GROUP BY i8 ORDER BY i8;
SELECT count(), sum(c), sum(cityHash64(k)) FROM (SELECT toString(i8) AS k, i8, count() AS c FROM gk GROUP BY i8) SETTINGS group_by_two_level_threshold = 1, max_block_size = 64;
SELECT u16, count(), sum(u64), min(i32), max(s), avg(i64) FROM gk GROUP BY u16 ORDER BY u16;
SELECT count(), sum(c), sum(cityHash64(k)) FROM (SELECT toString(u16) AS k, u16, count() AS c FROM gk GROUP BY u16) SETTINGS group_by_two_level_threshold = 1, max_block_size = 64;
SELECT i16, count(), sum(u64), min(i32), max(s), avg(i64) FROM gk GROUP BY i16 ORDER BY i16;
SELECT count(), sum(c), sum(cityHash64(k)) FROM (SELECT toString(i16) AS k, i16, count() AS c FROM gk GROUP BY i16) SETTINGS group_by_two_level_threshold = 1, max_block_size = 64;
SELECT u32, count(), sum(u64), min(i32), max(s), avg(i64) FROM gk GROUP BY u32 ORDER BY u32;
SELECT count(), sum(c), sum(cityHash64(k)) FROM (SELECT toString(u32) AS k, u32, count() AS c FROM gk GROUP BY u32) SETTINGS group_by_two_level_threshold = 1, max_block_size = 64;
SELECT i32, count(), sum(u64), min(i32), max(s), avg(i64) FROM gk GROUP BY i32 ORDER BY i32;
SELECT count(), sum(c), sum(cityHash64(k)) FROM (SELECT toString(i32) AS k, i32, count() AS c FROM gk GROUP BY i32) SETTINGS group_by_two_level_threshold = 1, max_block_size = 64;
SELECT u64, count(), sum(u64), min(i32), max(s), avg(i64) FROM gk GROUP BY u64 ORDER BY u64;
SELECT count(), sum(c), sum(cityHash64(k)) FROM (SELECT toString(u64) AS k, u64, count() AS c FROM gk GROUP BY u64) SETTINGS group_by_two_level_threshold = 1, max_block_size = 64;
SELECT i64, count(), sum(u64), min(i32), max(s), avg(i64) FROM gk GROUP BY i64 ORDER BY i64;
SELECT count(), sum(c), sum(cityHash64(k)) FROM (SELECT toString(i64) AS k, i64, count() AS c FROM gk GROUP BY i64) SETTINGS group_by_two_level_threshold = 1, max_block_size = 64;
SELECT u128, count(), sum(u64), min(i32), max(s), avg(i64) FROM gk GROUP BY u128 ORDER BY u128;
SELECT count(), sum(c), sum(cityHash64(k)) FROM (SELECT toString(u128) AS k, u128, count() AS c FROM gk GROUP BY u128) SETTINGS group_by_two_level_threshold = 1, max_block_size = 64;
SELECT i256, count(), sum(u64), min(i32), max(s), avg(i64) FROM gk GROUP BY i256 ORDER BY i256;
SELECT count(), sum(c), sum(cityHash64(k)) FROM (SELECT toString(i256) AS k, i256, count() AS c FROM gk GROUP BY i256) SETTINGS group_by_two_level_threshold = 1, max_block_size = 64;
-- differs: -0. and 0. are one value
-- ours: k	count()	sum(u64)	min(i32)	max(greater(f64, 1))	avg(i64)
-- ours: String	UInt64	UInt64	Int32	UInt8	Float64
-- ours: 0	500	8163259441221026776	-3	1	-0.046
-- ours: 1	167	8191929741444267884	-2	1	0.011976047904191617
-- ours: 2	167	6440407614166503415	-1	1	-0.0718562874251497
-- ours: 3	166	14719402552755556883	-2	1	-0.05421686746987952
SELECT isNaN(f32) ? 'nan' : toString(f32) AS k, count(), sum(u64), min(i32), max(f64 > 1), avg(i64) FROM gk GROUP BY f32 ORDER BY k;
-- differs: -0. and 0. are one value
-- ours: count()	sum(c)	sum(cityHash64(k))
-- ours: UInt64	UInt64	UInt64
-- ours: 4	1000	13676238818026623972
SELECT count(), sum(c), sum(cityHash64(k)) FROM (SELECT toString(f32) AS k, f32, count() AS c FROM gk GROUP BY f32) SETTINGS group_by_two_level_threshold = 1, max_block_size = 64;
-- differs: -0. and 0. are one value
-- ours: k	count()	sum(u64)	min(i32)	max(greater(f64, 1))	avg(i64)
-- ours: String	UInt64	UInt64	Int32	UInt8	Float64
-- ours: 0	333	16333548268120664005	-3	0	-0.04504504504504504
-- ours: 1	222	10382306701174168401	-2	0	-0.1036036036036036
-- ours: 2	333	12387863020317742252	-1	1	-0.03303303303303303
-- ours: nan	112	16858025433684331916	-3	0	0.0625
SELECT isNaN(f64) ? 'nan' : toString(f64) AS k, count(), sum(u64), min(i32), max(f64 > 1), avg(i64) FROM gk GROUP BY f64 ORDER BY k;
-- differs: -0. and 0. are one value
-- ours: count()	sum(c)	sum(cityHash64(k))
-- ours: UInt64	UInt64	UInt64
-- ours: 4	1000	16880664886393518547
SELECT count(), sum(c), sum(cityHash64(k)) FROM (SELECT toString(f64) AS k, f64, count() AS c FROM gk GROUP BY f64) SETTINGS group_by_two_level_threshold = 1, max_block_size = 64;
SELECT d, count(), sum(u64), min(i32), max(s), avg(i64) FROM gk GROUP BY d ORDER BY d;
SELECT count(), sum(c), sum(cityHash64(k)) FROM (SELECT toString(d) AS k, d, count() AS c FROM gk GROUP BY d) SETTINGS group_by_two_level_threshold = 1, max_block_size = 64;
SELECT dt, count(), sum(u64), min(i32), max(s), avg(i64) FROM gk GROUP BY dt ORDER BY dt;
SELECT count(), sum(c), sum(cityHash64(k)) FROM (SELECT toString(dt) AS k, dt, count() AS c FROM gk GROUP BY dt) SETTINGS group_by_two_level_threshold = 1, max_block_size = 64;
SELECT d64, count(), sum(u64), min(i32), max(s), avg(i64) FROM gk GROUP BY d64 ORDER BY d64;
SELECT count(), sum(c), sum(cityHash64(k)) FROM (SELECT toString(d64) AS k, d64, count() AS c FROM gk GROUP BY d64) SETTINGS group_by_two_level_threshold = 1, max_block_size = 64;
SELECT dec32, count(), sum(u64), min(i32), max(s), avg(i64) FROM gk GROUP BY dec32 ORDER BY dec32;
SELECT count(), sum(c), sum(cityHash64(k)) FROM (SELECT toString(dec32) AS k, dec32, count() AS c FROM gk GROUP BY dec32) SETTINGS group_by_two_level_threshold = 1, max_block_size = 64;
SELECT dec128, count(), sum(u64), min(i32), max(s), avg(i64) FROM gk GROUP BY dec128 ORDER BY dec128;
SELECT count(), sum(c), sum(cityHash64(k)) FROM (SELECT toString(dec128) AS k, dec128, count() AS c FROM gk GROUP BY dec128) SETTINGS group_by_two_level_threshold = 1, max_block_size = 64;
SELECT uuid, count(), sum(u64), min(i32), max(s), avg(i64) FROM gk GROUP BY uuid ORDER BY uuid;
SELECT count(), sum(c), sum(cityHash64(k)) FROM (SELECT toString(uuid) AS k, uuid, count() AS c FROM gk GROUP BY uuid) SETTINGS group_by_two_level_threshold = 1, max_block_size = 64;
SELECT ip4, count(), sum(u64), min(i32), max(s), avg(i64) FROM gk GROUP BY ip4 ORDER BY ip4;
SELECT count(), sum(c), sum(cityHash64(k)) FROM (SELECT toString(ip4) AS k, ip4, count() AS c FROM gk GROUP BY ip4) SETTINGS group_by_two_level_threshold = 1, max_block_size = 64;
SELECT ip6, count(), sum(u64), min(i32), max(s), avg(i64) FROM gk GROUP BY ip6 ORDER BY ip6;
SELECT count(), sum(c), sum(cityHash64(k)) FROM (SELECT toString(ip6) AS k, ip6, count() AS c FROM gk GROUP BY ip6) SETTINGS group_by_two_level_threshold = 1, max_block_size = 64;
SELECT e, count(), sum(u64), min(i32), max(s), avg(i64) FROM gk GROUP BY e ORDER BY e;
SELECT count(), sum(c), sum(cityHash64(k)) FROM (SELECT toString(e) AS k, e, count() AS c FROM gk GROUP BY e) SETTINGS group_by_two_level_threshold = 1, max_block_size = 64;
SELECT s, count(), sum(u64), min(i32), max(s), avg(i64) FROM gk GROUP BY s ORDER BY s;
SELECT count(), sum(c), sum(cityHash64(k)) FROM (SELECT toString(s) AS k, s, count() AS c FROM gk GROUP BY s) SETTINGS group_by_two_level_threshold = 1, max_block_size = 64;
SELECT fs, count(), sum(u64), min(i32), max(s), avg(i64) FROM gk GROUP BY fs ORDER BY fs;
SELECT count(), sum(c), sum(cityHash64(k)) FROM (SELECT toString(fs) AS k, fs, count() AS c FROM gk GROUP BY fs) SETTINGS group_by_two_level_threshold = 1, max_block_size = 64;
SELECT fl, count(), sum(u64), min(i32), max(s), avg(i64) FROM gk GROUP BY fl ORDER BY fl;
SELECT count(), sum(c), sum(cityHash64(k)) FROM (SELECT toString(fl) AS k, fl, count() AS c FROM gk GROUP BY fl) SETTINGS group_by_two_level_threshold = 1, max_block_size = 64;
SELECT ns, count(), sum(u64), min(i32), max(s), avg(i64) FROM gk GROUP BY ns ORDER BY ns;
SELECT count(), sum(c), sum(cityHash64(k)) FROM (SELECT toString(ns) AS k, ns, count() AS c FROM gk GROUP BY ns) SETTINGS group_by_two_level_threshold = 1, max_block_size = 64;
SELECT n64, count(), sum(u64), min(i32), max(s), avg(i64) FROM gk GROUP BY n64 ORDER BY n64;
SELECT count(), sum(c), sum(cityHash64(k)) FROM (SELECT toString(n64) AS k, n64, count() AS c FROM gk GROUP BY n64) SETTINGS group_by_two_level_threshold = 1, max_block_size = 64;
SELECT n8, count(), sum(u64), min(i32), max(s), avg(i64) FROM gk GROUP BY n8 ORDER BY n8;
SELECT count(), sum(c), sum(cityHash64(k)) FROM (SELECT toString(n8) AS k, n8, count() AS c FROM gk GROUP BY n8) SETTINGS group_by_two_level_threshold = 1, max_block_size = 64;
SELECT ls, count(), sum(u64), min(i32), max(s), avg(i64) FROM gk GROUP BY ls ORDER BY ls;
SELECT count(), sum(c), sum(cityHash64(k)) FROM (SELECT toString(ls) AS k, ls, count() AS c FROM gk GROUP BY ls) SETTINGS group_by_two_level_threshold = 1, max_block_size = 64;
SELECT lns, count(), sum(u64), min(i32), max(s), avg(i64) FROM gk GROUP BY lns ORDER BY lns;
SELECT count(), sum(c), sum(cityHash64(k)) FROM (SELECT toString(lns) AS k, lns, count() AS c FROM gk GROUP BY lns) SETTINGS group_by_two_level_threshold = 1, max_block_size = 64;
SELECT a, count(), sum(u64), min(i32), max(s), avg(i64) FROM gk GROUP BY a ORDER BY a;
SELECT count(), sum(c), sum(cityHash64(k)) FROM (SELECT toString(a) AS k, a, count() AS c FROM gk GROUP BY a) SETTINGS group_by_two_level_threshold = 1, max_block_size = 64;
SELECT t, count(), sum(u64), min(i32), max(s), avg(i64) FROM gk GROUP BY t ORDER BY t;
SELECT count(), sum(c), sum(cityHash64(k)) FROM (SELECT toString(t) AS k, t, count() AS c FROM gk GROUP BY t) SETTINGS group_by_two_level_threshold = 1, max_block_size = 64;
SELECT m, count(), sum(u64), min(i32), max(s), avg(i64) FROM gk GROUP BY m ORDER BY toString(m);
SELECT count(), sum(c), sum(cityHash64(k)) FROM (SELECT toString(m) AS k, m, count() AS c FROM gk GROUP BY m) SETTINGS group_by_two_level_threshold = 1, max_block_size = 64;
SELECT b, count(), sum(u64), min(i32), max(s), avg(i64) FROM gk GROUP BY b ORDER BY b;
SELECT count(), sum(c), sum(cityHash64(k)) FROM (SELECT toString(b) AS k, b, count() AS c FROM gk GROUP BY b) SETTINGS group_by_two_level_threshold = 1, max_block_size = 64;
SELECT count(), sum(c), max(c), min(x) FROM (SELECT u8, i8, count() AS c, sum(u32) AS x FROM gk GROUP BY u8, i8);
SELECT u8, i8, count() AS c, sum(u32) FROM gk GROUP BY u8, i8 ORDER BY c DESC, toString(u8), toString(i8) LIMIT 7 SETTINGS max_block_size = 100, group_by_two_level_threshold = 10;
SELECT count(), sum(c), max(c), min(x) FROM (SELECT u8, n8, count() AS c, sum(u32) AS x FROM gk GROUP BY u8, n8);
SELECT u8, n8, count() AS c, sum(u32) FROM gk GROUP BY u8, n8 ORDER BY c DESC, toString(u8), toString(n8) LIMIT 7 SETTINGS max_block_size = 100, group_by_two_level_threshold = 10;
SELECT count(), sum(c), max(c), min(x) FROM (SELECT u16, u8, count() AS c, sum(u32) AS x FROM gk GROUP BY u16, u8);
SELECT u16, u8, count() AS c, sum(u32) FROM gk GROUP BY u16, u8 ORDER BY c DESC, toString(u16), toString(u8) LIMIT 7 SETTINGS max_block_size = 100, group_by_two_level_threshold = 10;
SELECT count(), sum(c), max(c), min(x) FROM (SELECT u32, i32, count() AS c, sum(u32) AS x FROM gk GROUP BY u32, i32);
SELECT u32, i32, count() AS c, sum(u32) FROM gk GROUP BY u32, i32 ORDER BY c DESC, toString(u32), toString(i32) LIMIT 7 SETTINGS max_block_size = 100, group_by_two_level_threshold = 10;
SELECT count(), sum(c), max(c), min(x) FROM (SELECT u64, u8, count() AS c, sum(u32) AS x FROM gk GROUP BY u64, u8);
SELECT u64, u8, count() AS c, sum(u32) FROM gk GROUP BY u64, u8 ORDER BY c DESC, toString(u64), toString(u8) LIMIT 7 SETTINGS max_block_size = 100, group_by_two_level_threshold = 10;
SELECT count(), sum(c), max(c), min(x) FROM (SELECT u64, i64, count() AS c, sum(u32) AS x FROM gk GROUP BY u64, i64);
SELECT u64, i64, count() AS c, sum(u32) FROM gk GROUP BY u64, i64 ORDER BY c DESC, toString(u64), toString(i64) LIMIT 7 SETTINGS max_block_size = 100, group_by_two_level_threshold = 10;
SELECT count(), sum(c), max(c), min(x) FROM (SELECT n64, n8, count() AS c, sum(u32) AS x FROM gk GROUP BY n64, n8);
SELECT n64, n8, count() AS c, sum(u32) FROM gk GROUP BY n64, n8 ORDER BY c DESC, toString(n64), toString(n8) LIMIT 7 SETTINGS max_block_size = 100, group_by_two_level_threshold = 10;
SELECT count(), sum(c), max(c), min(x) FROM (SELECT u128, u8, count() AS c, sum(u32) AS x FROM gk GROUP BY u128, u8);
SELECT u128, u8, count() AS c, sum(u32) FROM gk GROUP BY u128, u8 ORDER BY c DESC, toString(u128), toString(u8) LIMIT 7 SETTINGS max_block_size = 100, group_by_two_level_threshold = 10;
SELECT count(), sum(c), max(c), min(x) FROM (SELECT uuid, ip6, count() AS c, sum(u32) AS x FROM gk GROUP BY uuid, ip6);
SELECT uuid, ip6, count() AS c, sum(u32) FROM gk GROUP BY uuid, ip6 ORDER BY c DESC, toString(uuid), toString(ip6) LIMIT 7 SETTINGS max_block_size = 100, group_by_two_level_threshold = 10;
SELECT count(), sum(c), max(c), min(x) FROM (SELECT i256, dec128, count() AS c, sum(u32) AS x FROM gk GROUP BY i256, dec128);
SELECT i256, dec128, count() AS c, sum(u32) FROM gk GROUP BY i256, dec128 ORDER BY c DESC, toString(i256), toString(dec128) LIMIT 7 SETTINGS max_block_size = 100, group_by_two_level_threshold = 10;
SELECT count(), sum(c), max(c), min(x) FROM (SELECT fs, u8, count() AS c, sum(u32) AS x FROM gk GROUP BY fs, u8);
SELECT fs, u8, count() AS c, sum(u32) FROM gk GROUP BY fs, u8 ORDER BY c DESC, toString(fs), toString(u8) LIMIT 7 SETTINGS max_block_size = 100, group_by_two_level_threshold = 10;
SELECT count(), sum(c), max(c), min(x) FROM (SELECT fl, u8, count() AS c, sum(u32) AS x FROM gk GROUP BY fl, u8);
SELECT fl, u8, count() AS c, sum(u32) FROM gk GROUP BY fl, u8 ORDER BY c DESC, toString(fl), toString(u8) LIMIT 7 SETTINGS max_block_size = 100, group_by_two_level_threshold = 10;
SELECT count(), sum(c), max(c), min(x) FROM (SELECT s, u8, count() AS c, sum(u32) AS x FROM gk GROUP BY s, u8);
SELECT s, u8, count() AS c, sum(u32) FROM gk GROUP BY s, u8 ORDER BY c DESC, toString(s), toString(u8) LIMIT 7 SETTINGS max_block_size = 100, group_by_two_level_threshold = 10;
SELECT count(), sum(c), max(c), min(x) FROM (SELECT s, ls, count() AS c, sum(u32) AS x FROM gk GROUP BY s, ls);
SELECT s, ls, count() AS c, sum(u32) FROM gk GROUP BY s, ls ORDER BY c DESC, toString(s), toString(ls) LIMIT 7 SETTINGS max_block_size = 100, group_by_two_level_threshold = 10;
SELECT count(), sum(c), max(c), min(x) FROM (SELECT ns, lns, count() AS c, sum(u32) AS x FROM gk GROUP BY ns, lns);
SELECT ns, lns, count() AS c, sum(u32) FROM gk GROUP BY ns, lns ORDER BY c DESC, toString(ns), toString(lns) LIMIT 7 SETTINGS max_block_size = 100, group_by_two_level_threshold = 10;
SELECT count(), sum(c), max(c), min(x) FROM (SELECT a, t, count() AS c, sum(u32) AS x FROM gk GROUP BY a, t);
SELECT a, t, count() AS c, sum(u32) FROM gk GROUP BY a, t ORDER BY c DESC, toString(a), toString(t) LIMIT 7 SETTINGS max_block_size = 100, group_by_two_level_threshold = 10;
SELECT count(), sum(c), max(c), min(x) FROM (SELECT dec32, d, count() AS c, sum(u32) AS x FROM gk GROUP BY dec32, d);
SELECT dec32, d, count() AS c, sum(u32) FROM gk GROUP BY dec32, d ORDER BY c DESC, toString(dec32), toString(d) LIMIT 7 SETTINGS max_block_size = 100, group_by_two_level_threshold = 10;
SELECT count(), sum(c), max(c), min(x) FROM (SELECT dt, e, count() AS c, sum(u32) AS x FROM gk GROUP BY dt, e);
SELECT dt, e, count() AS c, sum(u32) FROM gk GROUP BY dt, e ORDER BY c DESC, toString(dt), toString(e) LIMIT 7 SETTINGS max_block_size = 100, group_by_two_level_threshold = 10;
SELECT count(), sum(c), max(c), min(x) FROM (SELECT b, n8, count() AS c, sum(u32) AS x FROM gk GROUP BY b, n8);
SELECT b, n8, count() AS c, sum(u32) FROM gk GROUP BY b, n8 ORDER BY c DESC, toString(b), toString(n8) LIMIT 7 SETTINGS max_block_size = 100, group_by_two_level_threshold = 10;
-- differs: -0. and 0. are one value
-- ours: count()	sum(c)	max(c)	min(x)
-- ours: UInt64	UInt64	UInt64	UInt64
-- ours: 28	1000	48	30000000
SELECT count(), sum(c), max(c), min(x) FROM (SELECT f64, u8, count() AS c, sum(u32) AS x FROM gk GROUP BY f64, u8);
-- differs: -0. and 0. are one value
-- ours: f64	u8	c	sum(u32)
-- ours: Float64	UInt8	UInt64	UInt64
-- ours: 0	0	48	96000000
-- ours: 0	2	48	93000000
-- ours: 0	3	48	97000000
-- ours: 0	5	48	99000000
-- ours: 2	1	48	97000000
-- ours: 2	2	48	99000000
-- ours: 2	4	48	96000000
SELECT f64, u8, count() AS c, sum(u32) FROM gk GROUP BY f64, u8 ORDER BY c DESC, toString(f64), toString(u8) LIMIT 7 SETTINGS max_block_size = 100, group_by_two_level_threshold = 10;
SELECT count(), sum(c), max(c), min(x) FROM (SELECT ip4, fs, count() AS c, sum(u32) AS x FROM gk GROUP BY ip4, fs);
SELECT ip4, fs, count() AS c, sum(u32) FROM gk GROUP BY ip4, fs ORDER BY c DESC, toString(ip4), toString(fs) LIMIT 7 SETTINGS max_block_size = 100, group_by_two_level_threshold = 10;
SELECT count(), sum(c), max(c), min(x) FROM (SELECT d64, i16, count() AS c, sum(u32) AS x FROM gk GROUP BY d64, i16);
SELECT d64, i16, count() AS c, sum(u32) FROM gk GROUP BY d64, i16 ORDER BY c DESC, toString(d64), toString(i16) LIMIT 7 SETTINGS max_block_size = 100, group_by_two_level_threshold = 10;
SELECT count(), sum(c), sum(q) FROM (SELECT u8, u16, i32, count() AS c, uniqExact(u64) AS q FROM gk GROUP BY u8, u16, i32);
SELECT count(), sum(c), sum(q) FROM (SELECT u64, i64, u32, count() AS c, uniqExact(u64) AS q FROM gk GROUP BY u64, i64, u32);
SELECT count(), sum(c), sum(q) FROM (SELECT n64, ns, lns, count() AS c, uniqExact(u64) AS q FROM gk GROUP BY n64, ns, lns);
SELECT count(), sum(c), sum(q) FROM (SELECT u128, u128 + 1, u8, count() AS c, uniqExact(u64) AS q FROM gk GROUP BY u128, u128 + 1, u8);
SELECT count(), sum(c), sum(q) FROM (SELECT i256, u64, n8, count() AS c, uniqExact(u64) AS q FROM gk GROUP BY i256, u64, n8);
SELECT count(), sum(c), sum(q) FROM (SELECT s, fs, a, count() AS c, uniqExact(u64) AS q FROM gk GROUP BY s, fs, a);
SELECT count(), sum(c), sum(q) FROM (SELECT d, dt, d64, count() AS c, uniqExact(u64) AS q FROM gk GROUP BY d, dt, d64);
SELECT count(), sum(c), sum(q) FROM (SELECT u8, 'const', s, count() AS c, uniqExact(u64) AS q FROM gk GROUP BY u8, 'const', s);
SELECT 1 AS k, count() FROM gk GROUP BY k;
SELECT 'x' AS k, NULL AS n, count() FROM gk GROUP BY k, n;
SELECT count() FROM gk GROUP BY 'x', 1 + 1;
SELECT u8, u8 + 1, u8 * 2 AS z, count() FROM gk GROUP BY u8, u8 + 1, z ORDER BY u8;
SELECT u8 % 2 AS k, u8 % 2 + 1, max(u8) FROM gk GROUP BY k ORDER BY k;
SELECT toString(u8) AS k, count() FROM gk GROUP BY k, length(k) ORDER BY k;
SELECT count() FROM (SELECT u8 FROM gk WHERE 0 GROUP BY u8);
SELECT u8, count() FROM gk WHERE 0 GROUP BY u8;
SELECT count(), sum(u8), min(s), uniqExact(u64) FROM gk WHERE 0;
SELECT sum(u8), avg(u8), count(u8), count(n8), count(), sum(n8), avg(n8) FROM gk;
SELECT u8, count(), sum(u32), avg(u32), count(u32), sum(u32) / count() = avg(u32) FROM gk GROUP BY u8 ORDER BY u8;
SELECT u8, sum(dec32), avg(dec32), sum(dec128), avg(dec128), count(dec32) FROM gk GROUP BY u8 ORDER BY u8;
SELECT u8, avg(d), min(d), max(dt) FROM gk GROUP BY u8 ORDER BY u8;
SELECT u8, sum(f32) > -1, avg(u8), avg(i8), avg(u16) FROM gk GROUP BY u8 ORDER BY u8;
SELECT uniqExact(u8), uniqExact(u64), uniqExact(s), uniqExact(n64), uniqExact(u8, s), uniqExact(i256), uniqExact(uuid), uniqExact(fs), uniqExact(a), uniqExact(t) FROM gk;
SELECT b, uniqExact(u8), uniqExact(u64), uniqExact(s), uniqExact(n64), uniqExact(u8, s), uniqExact(i256), uniqExact(uuid), uniqExact(fl), uniqExact(ls), uniqExact(lns) FROM gk GROUP BY b ORDER BY b;
SELECT uniqExact(number), uniqExact(number % 70000), uniqExact(toString(number % 66000)) FROM numbers(200000);
SELECT number % 3 AS k, uniqExact(number), uniqExact(number % 70000), uniqExact(toString(number % 66000)) FROM numbers(200000) GROUP BY k ORDER BY k;
SELECT uniqExactMerge(s) FROM (SELECT number % 50 AS k, uniqExactState(number % 1000) AS s FROM numbers(100000) GROUP BY k);
SELECT k % 2 AS z, uniqExactMerge(s) FROM (SELECT number % 50 AS k, uniqExactState(number % 1000) AS s FROM numbers(100000) GROUP BY k) GROUP BY z ORDER BY z;
SELECT length(hex(uniqExactState(number))) FROM numbers(10);
SELECT hex(uniqExactState(toUInt32(7)));
SELECT hex(uniqExactState('abc'));
SELECT count(), sum(k), sum(c) FROM (SELECT number % 250000 AS k, count() AS c FROM numbers(600000) GROUP BY k);
SELECT k, c FROM (SELECT number % 250000 AS k, count() AS c FROM numbers(600000) GROUP BY k) ORDER BY c DESC, k DESC LIMIT 5;
SELECT toString(number % 150000) AS k, count() AS c, sum(number) FROM numbers(400000) GROUP BY k ORDER BY c DESC, k LIMIT 5;
SELECT toString(number % 150000) AS k, number % 2 AS z, max(number) AS c FROM numbers(400000) GROUP BY k, z ORDER BY c DESC, k LIMIT 5;
SELECT number % 200000 AS k, any(number) AS a FROM numbers(400000) GROUP BY k HAVING a % 50000 = 7 ORDER BY k;
SELECT number % 200000 AS k, count() AS c FROM numbers(400000) GROUP BY k WITH TOTALS HAVING k < 3 ORDER BY k;
SELECT number % 200000 AS k, count() AS c FROM numbers(400000) GROUP BY k WITH TOTALS HAVING k < 3 ORDER BY k SETTINGS totals_mode = 'before_having';
SELECT count(), sum(k) FROM (SELECT number % 250000 AS k, groupArray(number) AS a FROM numbers(500000) GROUP BY k) SETTINGS max_bytes_before_external_group_by = 1000000, max_threads = 1;
SELECT count(), sum(c), max(m) FROM (SELECT toString(number % 120000) AS k, count() AS c, max(number) AS m FROM numbers(300000) GROUP BY k) SETTINGS max_bytes_before_external_group_by = 1;
SELECT number AS k FROM numbers(100) GROUP BY k SETTINGS max_rows_to_group_by = 10;
SELECT count() FROM (SELECT number AS k FROM numbers(1000) GROUP BY k) SETTINGS max_rows_to_group_by = 10, group_by_overflow_mode = 'throw';
SELECT count() > 0 FROM (SELECT number AS k FROM numbers(1000) GROUP BY k) SETTINGS max_rows_to_group_by = 10, group_by_overflow_mode = 'any', max_block_size = 20, max_threads = 1;
SELECT sum(c) FROM (SELECT number % 40 AS k, count() AS c FROM numbers(1000) GROUP BY k) SETTINGS max_rows_to_group_by = 10, group_by_overflow_mode = 'any', max_block_size = 20, max_threads = 1;
SELECT count(), sum(c) FROM (SELECT number % 40 AS k, count() AS c FROM numbers(1000) GROUP BY k) SETTINGS max_rows_to_group_by = 10, group_by_overflow_mode = 'break', max_block_size = 20, max_threads = 1;
SELECT count() FROM (SELECT number, count() FROM numbers(3000000) GROUP BY number) SETTINGS max_memory_usage = 30000000;
SELECT count(), sum(u) FROM (SELECT DISTINCT u64 AS u FROM gk);
SELECT count() FROM (SELECT DISTINCT u8, s, n64 FROM gk);
-- differs: -0. and 0. are one value
-- ours: count()
-- ours: UInt64
-- ours: 4
SELECT count() FROM (SELECT DISTINCT f64 FROM gk);
SELECT DISTINCT u8, b FROM gk ORDER BY u8, b;
SELECT DISTINCT ns FROM gk ORDER BY ns NULLS FIRST;
SELECT DISTINCT lns FROM gk ORDER BY lns;
SELECT count(), sum(k) FROM (SELECT DISTINCT number % 300000 AS k FROM numbers(700000));
SELECT DISTINCT number % 5 AS k FROM numbers(100) LIMIT 3;
SELECT count() FROM (SELECT DISTINCT number FROM numbers(1000)) SETTINGS max_rows_in_distinct = 10;
SELECT count() FROM (SELECT DISTINCT number FROM numbers(1000000000) LIMIT 20);
SELECT count(DISTINCT u8), count(DISTINCT s), count(DISTINCT u8, b), sum(DISTINCT u8) FROM gk;
SELECT b, count(DISTINCT u8), sum(DISTINCT u16), avg(DISTINCT u8) FROM gk GROUP BY b ORDER BY b;
DROP TABLE gk;
