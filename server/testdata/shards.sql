-- What ClickHouse 26.7 must answer over two shards as over a table of its own. "-- analyzer": not with the old analyzer.
SELECT sum(v * -3) FROM @t
SELECT min(d + INTERVAL 1 DAY) FROM @t
SELECT sum(d + INTERVAL 1 DAY > '2020-01-01') FROM @t
SELECT groupArray(3)(s) FROM @t
SELECT max(toDate('2020-01-01') + k) FROM @t
SELECT min(k + toDate('2020-01-01') > '2020-01-01') FROM @t
SELECT max(toString(k) || 'x') FROM @t
SELECT max(s LIKE '%a%b') FROM @t
SELECT max(v + 1.5) FROM @t
SELECT max(v / toFloat32(1.5)) FROM @t
SELECT max([1,2,k]) FROM @t
SELECT max([1,2]) FROM @t
SELECT max((1,'a')) FROM @t
SELECT max((k, 'a')) FROM @t
SELECT max(['a','b']) FROM @t
SELECT max(map('a', k)) FROM @t
SELECT count(n) FROM @t
SELECT count(DISTINCT s) FROM @t
SELECT avg(n) FROM @t
SELECT sum(toUInt64(3)) FROM @t
SELECT max(toDateTime('2020-01-01 00:00:00', 'UTC') + k) FROM @t
SELECT max(toDecimal32(1.5, 2) * k) FROM @t
SELECT max('it\'s' || s) FROM @t
SELECT max(1 = 1) FROM @t
SELECT max(true) FROM @t
SELECT max(k = 1 OR v = 2) FROM @t
SELECT max(CAST(n, 'Nullable(String)')) FROM @t
SELECT max(toUUID('61f0c404-5cb3-11e7-907b-a6006ad3dba0') = toUUID('61f0c404-5cb3-11e7-907b-a6006ad3dba0')) FROM @t
SELECT max(materialize('2020-01-01')) FROM @t
SELECT max(1e100 + k) FROM @t
SELECT max(-1 + k) FROM @t
SELECT max(256 + k) FROM @t
SELECT max(18446744073709551615) FROM @t
SELECT max(toInt128(5) + k) FROM @t
SELECT max(today() - d) FROM @t
SELECT max(a[-1]) FROM @t
SELECT max(tuple(k, v).2) FROM @t
SELECT max((k AS q) + q) FROM @t
SELECT max(toTypeName(k)) FROM @t
SELECT max((SELECT max(number) FROM numbers(3)) + k) AS m FROM @t
SELECT max(length(s) + 1 AS z) FROM @t
SELECT max(s = 'multi\nline') FROM @t
SELECT max(toIntervalDay(1) + d) FROM @t
SELECT max(1.0 + k) FROM @t
SELECT max(0.1 + k) FROM @t
SELECT max(inf + k) FROM @t
SELECT max([[1],[k]]) FROM @t
SELECT max([1.5, 2]) FROM @t
SELECT max([NULL, 1]) FROM @t
SELECT max((1, (2, 'x'))) FROM @t
SELECT max(toDate32('2020-01-01') > d) FROM @t
SELECT max(toDateTime64('2020-01-01 00:00:00.123', 3, 'UTC') > d) FROM @t
SELECT max(toIPv4('1.2.3.4') = toIPv4('1.2.3.4') AND k = 1) FROM @t
SELECT max(CAST('a', 'Enum8(\'a\' = 1)') = 'a' AND k = 1) FROM @t
SELECT max(toLowCardinality('a') = s) FROM @t
SELECT max(toFixedString('ab', 2) = s) FROM @t
SELECT max(identity(k)) FROM @t
SELECT sumOrNull(k) FROM @t
SELECT argMax(s, v) FROM @t
SELECT max(caseWithExpression(k, 1, 'a', 'b')) FROM @t
SELECT sumState(v) FROM @t
SELECT max(_CAST(1, 'UInt64') + k) FROM @t
SELECT max(coalesce(n, 1)) FROM @t
SELECT max(ifNull(n, 0)) FROM @t
SELECT max(toStartOfMonth(d)) FROM @t
SELECT max(formatDateTime(d, '%Y')) FROM @t
SELECT max(arrayFilter((x, y) -> x > y, a, a)) FROM @t
SELECT max(transform(k, [1,2], ['a','b'], 'c')) FROM @t
SELECT max(multiIf(k = 1, 'a', k = 2, 'b', 'c')) FROM @t
SELECT max(toUInt8(1) + k) FROM @t
SELECT max(toInt8(-1) + k) FROM @t
SELECT max(bitAnd(k, 255)) FROM @t
SELECT max(substring(s, 1, 2)) FROM @t
SELECT max(match(s, '^a.*')) FROM @t
SELECT max(concat(s, 'a', 'b')) FROM @t
SELECT max(not(k = 1 AND v = 2)) FROM @t
SELECT k % 3 AS g, sum(v * -3) FROM @t GROUP BY g ORDER BY g
SELECT k % 3 AS g, min(d + INTERVAL 1 DAY) FROM @t GROUP BY g ORDER BY g
SELECT k % 3 AS g, sum(d + INTERVAL 1 DAY > '2020-01-01') FROM @t GROUP BY g ORDER BY g
SELECT k % 3 AS g, groupArray(3)(s) FROM @t GROUP BY g ORDER BY g
SELECT k % 3 AS g, max(toDate('2020-01-01') + k) FROM @t GROUP BY g ORDER BY g
SELECT k % 3 AS g, min(k + toDate('2020-01-01') > '2020-01-01') FROM @t GROUP BY g ORDER BY g
SELECT k % 3 AS g, min(toString(k) || 'x') FROM @t GROUP BY g ORDER BY g
SELECT k % 3 AS g, min(s LIKE '%a%b') FROM @t GROUP BY g ORDER BY g
SELECT k % 3 AS g, min(v + 1.5) FROM @t GROUP BY g ORDER BY g
SELECT k % 3 AS g, min(v / toFloat32(1.5)) FROM @t GROUP BY g ORDER BY g
SELECT k % 3 AS g, min([1,2,k]) FROM @t GROUP BY g ORDER BY g
SELECT k % 3 AS g, min([1,2]) FROM @t GROUP BY g ORDER BY g
SELECT k % 3 AS g, min((1,'a')) FROM @t GROUP BY g ORDER BY g
SELECT k % 3 AS g, min((k, 'a')) FROM @t GROUP BY g ORDER BY g
SELECT k % 3 AS g, min(['a','b']) FROM @t GROUP BY g ORDER BY g
SELECT k % 3 AS g, min(map('a', k)) FROM @t GROUP BY g ORDER BY g
SELECT k % 3 AS g, count(n) FROM @t GROUP BY g ORDER BY g
SELECT k % 3 AS g, count(DISTINCT s) FROM @t GROUP BY g ORDER BY g
SELECT k % 3 AS g, avg(n) FROM @t GROUP BY g ORDER BY g
SELECT k % 3 AS g, sum(toUInt64(3)) FROM @t GROUP BY g ORDER BY g
SELECT k % 3 AS g, min(toDateTime('2020-01-01 00:00:00', 'UTC') + k) FROM @t GROUP BY g ORDER BY g
SELECT k % 3 AS g, min(toDecimal32(1.5, 2) * k) FROM @t GROUP BY g ORDER BY g
SELECT k % 3 AS g, min('it\'s' || s) FROM @t GROUP BY g ORDER BY g
SELECT k % 3 AS g, min(1 = 1) FROM @t GROUP BY g ORDER BY g
SELECT k % 3 AS g, min(true) FROM @t GROUP BY g ORDER BY g
SELECT k % 3 AS g, min(k = 1 OR v = 2) FROM @t GROUP BY g ORDER BY g
SELECT k % 3 AS g, min(CAST(n, 'Nullable(String)')) FROM @t GROUP BY g ORDER BY g
SELECT k % 3 AS g, min(toUUID('61f0c404-5cb3-11e7-907b-a6006ad3dba0') = toUUID('61f0c404-5cb3-11e7-907b-a6006ad3dba0')) FROM @t GROUP BY g ORDER BY g
SELECT k % 3 AS g, min(materialize('2020-01-01')) FROM @t GROUP BY g ORDER BY g
SELECT k % 3 AS g, min(1e100 + k) FROM @t GROUP BY g ORDER BY g
SELECT k % 3 AS g, min(-1 + k) FROM @t GROUP BY g ORDER BY g
SELECT k % 3 AS g, min(256 + k) FROM @t GROUP BY g ORDER BY g
SELECT k % 3 AS g, min(18446744073709551615) FROM @t GROUP BY g ORDER BY g
SELECT k % 3 AS g, min(toInt128(5) + k) FROM @t GROUP BY g ORDER BY g
SELECT k % 3 AS g, min(today() - d) FROM @t GROUP BY g ORDER BY g
SELECT k % 3 AS g, min(a[-1]) FROM @t GROUP BY g ORDER BY g
SELECT k % 3 AS g, min(tuple(k, v).2) FROM @t GROUP BY g ORDER BY g
SELECT k % 3 AS g, min((k AS q) + q) FROM @t GROUP BY g ORDER BY g
SELECT k % 3 AS g, min(toTypeName(k)) FROM @t GROUP BY g ORDER BY g
SELECT k % 3 AS g, min((SELECT max(number) FROM numbers(3)) + k) AS m FROM @t GROUP BY g ORDER BY g
SELECT k % 3 AS g, min(length(s) + 1 AS z) FROM @t GROUP BY g ORDER BY g
SELECT k % 3 AS g, min(s = 'multi\nline') FROM @t GROUP BY g ORDER BY g
SELECT k % 3 AS g, min(toIntervalDay(1) + d) FROM @t GROUP BY g ORDER BY g
SELECT k % 3 AS g, min(1.0 + k) FROM @t GROUP BY g ORDER BY g
SELECT k % 3 AS g, min(0.1 + k) FROM @t GROUP BY g ORDER BY g
SELECT k % 3 AS g, min(inf + k) FROM @t GROUP BY g ORDER BY g
SELECT k % 3 AS g, min([[1],[k]]) FROM @t GROUP BY g ORDER BY g
SELECT k % 3 AS g, min([1.5, 2]) FROM @t GROUP BY g ORDER BY g
SELECT k % 3 AS g, min([NULL, 1]) FROM @t GROUP BY g ORDER BY g
SELECT k % 3 AS g, min((1, (2, 'x'))) FROM @t GROUP BY g ORDER BY g
SELECT k % 3 AS g, min(toDate32('2020-01-01') > d) FROM @t GROUP BY g ORDER BY g
SELECT k % 3 AS g, min(toDateTime64('2020-01-01 00:00:00.123', 3, 'UTC') > d) FROM @t GROUP BY g ORDER BY g
SELECT k % 3 AS g, min(toIPv4('1.2.3.4') = toIPv4('1.2.3.4') AND k = 1) FROM @t GROUP BY g ORDER BY g
SELECT k % 3 AS g, min(CAST('a', 'Enum8(\'a\' = 1)') = 'a' AND k = 1) FROM @t GROUP BY g ORDER BY g
SELECT k % 3 AS g, min(toLowCardinality('a') = s) FROM @t GROUP BY g ORDER BY g
SELECT k % 3 AS g, min(toFixedString('ab', 2) = s) FROM @t GROUP BY g ORDER BY g
SELECT k % 3 AS g, min(identity(k)) FROM @t GROUP BY g ORDER BY g
SELECT k % 3 AS g, sumOrNull(k) FROM @t GROUP BY g ORDER BY g
SELECT k % 3 AS g, argMax(s, v) FROM @t GROUP BY g ORDER BY g
SELECT k % 3 AS g, min(caseWithExpression(k, 1, 'a', 'b')) FROM @t GROUP BY g ORDER BY g
SELECT k % 3 AS g, sumState(v) FROM @t GROUP BY g ORDER BY g
SELECT k % 3 AS g, min(_CAST(1, 'UInt64') + k) FROM @t GROUP BY g ORDER BY g
SELECT k % 3 AS g, min(coalesce(n, 1)) FROM @t GROUP BY g ORDER BY g
SELECT k % 3 AS g, min(ifNull(n, 0)) FROM @t GROUP BY g ORDER BY g
SELECT k % 3 AS g, min(toStartOfMonth(d)) FROM @t GROUP BY g ORDER BY g
SELECT k % 3 AS g, min(formatDateTime(d, '%Y')) FROM @t GROUP BY g ORDER BY g
SELECT k % 3 AS g, min(arrayFilter((x, y) -> x > y, a, a)) FROM @t GROUP BY g ORDER BY g
SELECT k % 3 AS g, min(transform(k, [1,2], ['a','b'], 'c')) FROM @t GROUP BY g ORDER BY g
SELECT k % 3 AS g, min(multiIf(k = 1, 'a', k = 2, 'b', 'c')) FROM @t GROUP BY g ORDER BY g
SELECT k % 3 AS g, min(toUInt8(1) + k) FROM @t GROUP BY g ORDER BY g
SELECT k % 3 AS g, min(toInt8(-1) + k) FROM @t GROUP BY g ORDER BY g
SELECT k % 3 AS g, min(bitAnd(k, 255)) FROM @t GROUP BY g ORDER BY g
SELECT k % 3 AS g, min(substring(s, 1, 2)) FROM @t GROUP BY g ORDER BY g
SELECT k % 3 AS g, min(match(s, '^a.*')) FROM @t GROUP BY g ORDER BY g
SELECT k % 3 AS g, min(concat(s, 'a', 'b')) FROM @t GROUP BY g ORDER BY g
SELECT k % 3 AS g, min(not(k = 1 AND v = 2)) FROM @t GROUP BY g ORDER BY g
SELECT k, sum(v) FROM @t GROUP BY k ORDER BY k
SELECT k, count() c FROM @t GROUP BY k HAVING c > 28 ORDER BY c DESC, k LIMIT 2
SELECT k, v + 1 FROM @t ORDER BY v DESC, s, k LIMIT 3
SELECT k, v + 1 FROM @t ORDER BY v DESC, s, k LIMIT 3 OFFSET 2
SELECT DISTINCT s FROM @t ORDER BY s
SELECT DISTINCT s, k + 1 FROM @t ORDER BY k + 1, s LIMIT 5
SELECT DISTINCT s FROM @t ORDER BY k, s LIMIT 4
SELECT k, v FROM @t ORDER BY v, k LIMIT 2 BY k LIMIT 5
SELECT k, v FROM @t ORDER BY v, k LIMIT 2 BY k
SELECT k, v FROM @t ORDER BY v, k LIMIT 1, 2 BY k LIMIT 3
SELECT count() FROM (SELECT k, v FROM @t LIMIT 5)
SELECT count() FROM (SELECT k, v FROM @t LIMIT 2 BY k)
SELECT c, count() FROM (SELECT k, count() c FROM @t GROUP BY k) GROUP BY c ORDER BY c
SELECT s, sum(x) FROM @t ARRAY JOIN a AS x GROUP BY s ORDER BY s
SELECT k, sum(v) FROM @t GROUP BY k WITH TOTALS ORDER BY k
SELECT k, s, sum(v) FROM @t GROUP BY k, s ORDER BY k, s LIMIT 3
SELECT sum(v) FROM @t WHERE 0
SELECT k, sum(v) FROM @t WHERE 0 GROUP BY k
SELECT min(k), max(k), avg(f) FROM @t WHERE k > 100
SELECT n, count() FROM @t GROUP BY n ORDER BY n LIMIT 5
SELECT a, count() FROM @t GROUP BY a ORDER BY a LIMIT 5
SELECT (k, s) AS t, count() FROM @t GROUP BY t ORDER BY t LIMIT 5
SELECT k AS kk, kk + 1 AS z, count() FROM @t GROUP BY kk, z ORDER BY z
SELECT arraySort(groupUniqArray(s)), arraySort(groupArray(k)) FROM @t
SELECT k FROM @t GROUP BY k ORDER BY k
SELECT 1 FROM @t GROUP BY k
SELECT count() FROM @t GROUP BY ()
SELECT k, v FROM @t WHERE v > 3 ORDER BY k, v LIMIT 3 WITH TIES
SELECT hex(sumState(v)), finalizeAggregation(avgState(f)) FROM @t
SELECT sumMerge(x) FROM (SELECT k, sumState(v) x FROM @t GROUP BY k)
SELECT count(DISTINCT k, s), count(DISTINCT n), sum(DISTINCT k) FROM @t
SELECT argMin(s, v), argMax(k, f), argMinIf(s, v, k > 3) FROM @t
SELECT count(*), count(n), sum(n), avg(n), min(n), max(n), any(n) > 0 FROM @t
SELECT sum(toDecimal64(f, 2)), avg(toDecimal32(k, 1)), max(toDecimal128(f, 5)) FROM @t
SELECT k, count() FROM @t GROUP BY ALL ORDER BY ALL
SELECT -k AS m, sum(v) FROM @t GROUP BY 1 ORDER BY 1
SELECT k, v FROM @t ORDER BY 2 DESC, 1 LIMIT 2
SELECT DISTINCT k % 2 FROM @t ORDER BY 1
SELECT k % 2 = 0 ? 'even' : 'odd' AS e, sum(v) FROM @t GROUP BY e ORDER BY e
SELECT toString(k) AS k, sum(v) AS v FROM @t GROUP BY k ORDER BY k
SELECT x.k, sum(y.number), count() FROM @t x JOIN numbers(10) y ON x.k = y.number GROUP BY x.k ORDER BY x.k
SELECT x.k, count(), sum(y.v) FROM @t x LEFT JOIN (SELECT number AS k, number * 2 AS v FROM numbers(3)) y ON x.k = y.k GROUP BY x.k ORDER BY x.k
SELECT x.k, y.number FROM @t x JOIN numbers(3) y ON x.k = y.number ORDER BY x.v, x.k LIMIT 4
SELECT x.k, y.number, x.v FROM @t x LEFT JOIN numbers(3) y ON x.k = y.number ORDER BY x.v, x.k LIMIT 4
SELECT count(), sum(k), sum(y.number) FROM @t x SEMI LEFT JOIN numbers(3) y ON x.k = y.number
SELECT uniqExactIf(v, n > 3), countIf(n > 3), sumIf(v, n > 3), sumIf(n, k > 3), avgIf(n, n > 3), uniqExactIf(n, k > 1), anyIf(n, n = 50) FROM @t
SELECT k, v, sum(v) OVER (PARTITION BY k ORDER BY v) FROM @t ORDER BY k, v LIMIT 5
SELECT k, row_number() OVER (ORDER BY v, k) AS r FROM @t ORDER BY r LIMIT 5
SELECT k, sum(v) AS q, rank() OVER (ORDER BY sum(v)) AS r FROM @t GROUP BY k ORDER BY r
SELECT k, s, sum(v) FROM @t GROUP BY ROLLUP(k, s) ORDER BY k, s LIMIT 5
SELECT k, s, sum(v) FROM @t GROUP BY CUBE(k, s) ORDER BY k, s LIMIT 5
SELECT k, s, sum(v) FROM @t GROUP BY GROUPING SETS ((k), (s)) ORDER BY k, s LIMIT 5
SELECT k, sum(v) AS q FROM @t GROUP BY k QUALIFY row_number() OVER (ORDER BY q) < 3 ORDER BY k -- analyzer
SELECT k + 1 AS z, z * 2, sum(v * 2) OVER (PARTITION BY k % 2 ORDER BY v, k) + z AS q, rank() OVER (ORDER BY s) AS r FROM @t WHERE n > 1 ORDER BY q, r, z LIMIT 7 -- analyzer
SELECT lagInFrame(v, 1, 7) OVER (ORDER BY v, k) AS l, 5, k + v AS kv FROM @t ORDER BY kv, l LIMIT 5 -- analyzer
SELECT k, sum(sum(v)) OVER (ORDER BY k) FROM @t GROUP BY k ORDER BY k
SELECT x, rank() OVER (ORDER BY x) AS r, count() OVER () AS c FROM @t ARRAY JOIN a AS x ORDER BY r LIMIT 3
SELECT uniq(v), uniq(s), uniq(k, s), uniqHLL12(v), uniqCombined(v), uniqCombined(s), uniqCombined64(v), uniqUpTo(3)(k), uniqUpTo(100)(v) FROM @t
SELECT quantile(0.5)(v), quantiles(0.1, 0.9)(f), median(k), quantileExact(v), quantileTiming(0.5)(k), quantileExactLow(v), quantileDeterministic(0.5)(v, v), quantileBFloat16(v) FROM @t
SELECT k, sumOrNull(v), avgOrDefault(n), sumArray(a), sumIfOrNull(v, k > 3), sumResample(0, 3, 1)(v, k), sumForEach(a), sumDistinct(k), uniqArray(a), countIf(k = 1 AND v > 3), argMaxIf(s, v, k > 1), sumArgMax(v, k) FROM @t GROUP BY k ORDER BY k
SELECT any_value(s) != '', first_value(k) >= 0, anyLast(s) != 'x', anyHeavy(k) >= 0 FROM @t
SELECT windowFunnel(5)(toUInt32(v), k = 1, k = 2, k = 3), windowFunnel(100, 'strict_order')(toUInt64(v), k < 3, s != ''), windowFunnel(50, 'strict_increase')(toUInt16(v), k = 1, n > 1), groupArraySorted(4)(v), groupArraySorted(3)(s), groupArraySorted(3)(n) FROM @t
SELECT k, groupArraySorted(2)(v), groupArraySorted(2)((s, v)), windowFunnel(20, 'strict_deduplication')(toUInt32(v), v % 3 = 0, v % 3 = 1) FROM @t GROUP BY k ORDER BY k
SELECT groupBitmap(v), groupBitmap(k), groupBitmap(toInt32(v) - 50), bitmapCardinality(groupBitmapState(v)), groupBitmap(n), groupBitmapIf(v, k > 2) FROM @t
SELECT k, groupBitmap(v), hex(groupBitmapState(toUInt16(v))), bitmapToArray(groupBitmapState(toUInt64(v % 7))) = [] FROM @t GROUP BY k ORDER BY k
SELECT sequenceMatch('(?1).*(?2)')(toUInt32(v), k = 1, k = 2), sequenceCount('(?1)(?t<=9)(?2)')(toUInt64(v), v % 3 = 0, v % 3 = 1), maxIntersections(v, v + 5), maxIntersectionsPosition(v, v + 5), length(groupArrayLast(3)(v)), groupArrayIntersect(arrayMap(x -> x % 2, a)) = [], groupArrayInsertAt(0, 3)(toUInt32(1), k) FROM @t
SELECT k, argAndMin(v, v), argAndMax(s, (v, s)), maxIntersections(v, v + 5), sequenceMatch('(?1)(?2)')(toUInt32(v), v % 2 = 0, v % 2 = 1) FROM @t GROUP BY k ORDER BY k
SELECT round(quantileDD(0.01)(v), 4), length(quantilesDD(0.05, 0.1, 0.9)(f)), quantileGK(1000)(v), round(quantileDDIf(0.1)(v, k > 2), 4) FROM @t
SELECT intervalLengthSum(toUInt64(v), toUInt64(v + 5)) FROM @t
