-- In-memory tables: definitions, INSERT in its forms, errors.
CREATE TABLE t (id UInt32, name String, x Nullable(Float64)) ENGINE = Memory;
INSERT INTO t VALUES (1, 'a', 1.5), (2, 'b', NULL);
INSERT INTO t (id, name) VALUES (3, 'c');
INSERT INTO t (name, id) VALUES ('d', 4), ('e', 5);
INSERT INTO t SELECT number, toString(number), number / 2 FROM numbers(10, 2);
INSERT INTO t (id) SELECT 100;
SELECT * FROM t ORDER BY id;
SELECT count() FROM t;
INSERT INTO t VALUES (6, 'f');
INSERT INTO t VALUES (6, 'f', 1, 2);
INSERT INTO t VALUES ('x', 'f', 1);
INSERT INTO t VALUES (-1, 'f', 1);
INSERT INTO t VALUES (1 + 6, concat('g', 'h'), 1 / 2);
INSERT INTO t VALUES (8, NULL, NULL);
INSERT INTO t VALUES (4294967296, 'over', 0);
INSERT INTO t VALUES ('9', 9, '9.5');
INSERT INTO t VALUES (1, 'unterminated, 2);
INSERT INTO t (id, nocol) VALUES (1, 2);
INSERT INTO t (id, id) VALUES (1, 2);
INSERT INTO notable VALUES (1);
INSERT INTO t SELECT 1, 2;
INSERT INTO t SELECT 1, 'a', 2, 3;
INSERT INTO t SELECT 'abc', 'a', 2;
INSERT INTO t SELECT NULL, 'nul', 2;
SELECT id, name, x FROM t WHERE id > 5 OR name = 'nul' ORDER BY id, name;
TRUNCATE TABLE t;
SELECT count() FROM t;
INSERT INTO t FORMAT JSONEachRow {"id": 1, "name": "json", "x": 2.5} {"id": "2", "name": "quoted"}
{"name": "no id", "extra": [1, {"a": null}], "x": null};
SELECT * FROM t ORDER BY id;
INSERT INTO t FORMAT JSONEachRow [{"id": 10, "name": "array\u0041"}, {"id": 11, "name": "tab\there"}];
INSERT INTO t FORMAT JSONEachRow {"id": 20, "name": null};
INSERT INTO t FORMAT JSONEachRow {"id": "abc"};
INSERT INTO t FORMAT JSONEachRow {"id": 1, "id": 2};
INSERT INTO t FORMAT JSONEachRow {"id": 1;
INSERT INTO t FORMAT JSONEachRow {"id": 1} garbage;
INSERT INTO t FORMAT CSV
30,"quoted, with ""quotes""",1.5
31,plain,\N
32,,
;
INSERT INTO t FORMAT TSV
40	tab separated	0.5
41	esc\taped\\	\N
;
INSERT INTO t FORMAT TabSeparated
50	last	1;
INSERT INTO t (name, id) FORMAT CSV
"reordered",60
;
INSERT INTO t FORMAT Values (70, 'v', 1), (71, 'w', 2);
INSERT INTO t FORMAT TSV
80	too few
;
INSERT INTO t FORMAT CSV
x,bad,1
;
INSERT INTO t FORMAT NoSuchFormat 1;
SELECT * FROM t ORDER BY id, name;
INSERT INTO TABLE t VALUES (90, 'with TABLE', 0);
INSERT INTO default.t (id, name) SELECT 91, 'with db';
INSERT INTO t (* EXCEPT(x)) VALUES (92, 'except');
SELECT id, name, x FROM t WHERE id >= 90 ORDER BY id;
CREATE TABLE t (id UInt32) ENGINE = Memory;
CREATE TABLE IF NOT EXISTS t (id UInt32) ENGINE = Memory;
CREATE TABLE u (id UInt32) ENGINE = NoSuchEngine;
CREATE TABLE u (id NoSuchType) ENGINE = Memory;
CREATE TABLE u (id UInt32, id UInt8) ENGINE = Memory;
CREATE TABLE u () ENGINE = Memory;
CREATE TABLE nodb.u (id UInt32) ENGINE = Memory;
CREATE TABLE d (id UInt32, name String DEFAULT 'dflt', twice UInt64 DEFAULT id * 2, note Nullable(String), arr Array(UInt8) DEFAULT [1, 2]) ENGINE = Memory;
INSERT INTO d (id) VALUES (5);
INSERT INTO d (id, name, twice) VALUES (6, 'set', 1), (7, DEFAULT, DEFAULT);
INSERT INTO d FORMAT JSONEachRow {"id": 8} {"id": 9, "name": "j"};
SELECT * FROM d ORDER BY id;
DESCRIBE TABLE d;
SHOW CREATE TABLE d;
CREATE TABLE types (u8 UInt8, i64 Int64, f32 Float32, s String, fs FixedString(3), d Date, dt DateTime('UTC'), dt64 DateTime64(3, 'UTC'), uu UUID, ip4 IPv4, ip6 IPv6, e Enum8('a' = 1, 'b' = 2), dec Decimal(10, 2), lc LowCardinality(String), nu Nullable(UInt8), arr Array(String), tup Tuple(UInt8, String), b Bool) ENGINE = Memory;
INSERT INTO types VALUES (255, -9223372036854775808, 1.5, 'text', 'abc', '2024-02-29', '2024-02-29 12:00:00', '2024-02-29 12:00:00.123', '61f0c404-5cb3-11e7-907b-a6006ad3dba0', '1.2.3.4', '::1', 'b', 12.34, 'low', NULL, ['x', 'y'], (1, 'z'), true), (0, 0, 0, '', '', 0, 0, 0, '00000000-0000-0000-0000-000000000000', '0.0.0.0', '::', 1, -0.01, '', 0, [], (0, ''), 0);
SELECT u8, i64, f32, s, length(fs), d, dt, dt64, uu, ip4, ip6, e, dec, lc, nu, arr, tup, b FROM types ORDER BY u8;
SELECT toTypeName(lc), toTypeName(e), toTypeName(dec), toTypeName(b), toTypeName(fs) FROM types LIMIT 1;
INSERT INTO types (u8, e) VALUES (1, 'zzz');
INSERT INTO types (u8, ip4) VALUES (1, 'x');
INSERT INTO types (u8, d) VALUES (1, 'not a date');
INSERT INTO types FORMAT JSONEachRow {"u8": 7, "i64": "-5", "f32": "1.25", "s": "j", "fs": "xyz", "d": "2024-01-01", "dt": "2024-01-01 00:00:00", "dt64": "2024-01-01 00:00:00.500", "uu": "61f0c404-5cb3-11e7-907b-a6006ad3dba0", "ip4": "9.9.9.9", "ip6": "::9", "e": "a", "dec": "1.5", "lc": "l", "nu": 5, "arr": ["p"], "tup": [3, "t"], "b": true};
SELECT i64, f32, d, dt64, ip4, e, dec, nu, arr, tup, b FROM types WHERE u8 = 7;
DESCRIBE types;
SELECT name, type, position, default_kind, default_expression FROM system.columns WHERE database = 'default' AND table = 'd' ORDER BY position;
SHOW TABLES;
SHOW TABLES LIKE 't%';
SHOW TABLES FROM default LIKE '%s';
SHOW TABLES FROM nodb;
EXISTS TABLE t;
EXISTS t;
EXISTS TABLE notable;
DROP TABLE t;
SELECT * FROM t;
DROP TABLE t;
DROP TABLE IF EXISTS t;
TRUNCATE TABLE t;
TRUNCATE TABLE IF EXISTS t;
CREATE TABLE c ENGINE = Memory AS SELECT number AS n, toString(number) AS s FROM numbers(3);
SELECT * FROM c ORDER BY n;
DESCRIBE c;
CREATE TABLE c2 AS c;
INSERT INTO c2 SELECT * FROM c;
SELECT sum(n), count() FROM c2;
CREATE OR REPLACE TABLE c2 (only UInt8) ENGINE = Memory;
SELECT count() FROM c2;
DESCRIBE c2;
CREATE DATABASE other;
CREATE DATABASE other;
CREATE DATABASE IF NOT EXISTS other;
CREATE TABLE other.t (x UInt8) ENGINE = Memory;
INSERT INTO other.t VALUES (1);
SELECT x, t.x, other.t.x FROM other.t;
SELECT * FROM t;
USE other;
SELECT * FROM t;
SELECT currentDatabase(), database();
USE nodb;
USE default;
SHOW DATABASES LIKE 'oth%';
EXISTS DATABASE other;
DROP DATABASE other;
DROP DATABASE other;
DROP DATABASE IF EXISTS other;
SELECT * FROM other.t;
CREATE TABLE big (n UInt64, s String) ENGINE = Memory;
INSERT INTO big SELECT number, toString(number) FROM numbers(200000);
SELECT count(), sum(n), min(s), max(s), uniqExact(s) FROM big;
INSERT INTO big SELECT n + 200000, s FROM big;
SELECT count(), sum(n), max(n) FROM big;
TRUNCATE big;
SELECT count() FROM big;
CREATE TEMPORARY TABLE tmp (x UInt8);
INSERT INTO tmp VALUES (1), (2);
SELECT sum(x) FROM tmp;
DROP TABLE tmp;
CREATE TABLE e1 (x UInt8) ENGINE = Memory; 
INSERT INTO e1 SELECT 1 WHERE 0;
SELECT * FROM e1;
SELECT x, count() FROM e1 GROUP BY x;
SELECT count(), sum(x), max(x) FROM e1;
RENAME TABLE e1 TO e2;
SELECT count() FROM e2;
