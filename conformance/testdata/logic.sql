-- Three-valued logic and conditional functions.
SELECT 1 AND 1, 1 AND 0, 0 OR 1, 0 OR 0, NOT 0, NOT 5, xor(1, 1), xor(1, 0);
SELECT 1 XOR 1;
SELECT NULL AND 1, NULL AND 0, NULL OR 1, NULL OR 0, NOT NULL, xor(NULL, 1);
SELECT toTypeName(1 AND 1), toTypeName(NULL AND 1), toTypeName(toNullable(1) AND 0), toTypeName(NOT toNullable(1)), toTypeName(NULL OR NULL);
SELECT and(1, 1, 0), or(0, 0, 1), xor(1, 1, 1), not(2);
SELECT and(1);
SELECT 5 AND 7, 0.5 AND 1, -1 AND 1, NOT 0.5;
SELECT 'a' AND 1;
SELECT NOT 'a';
SELECT [1] OR 1;
SELECT true AND false, toTypeName(true AND false), toTypeName(true OR 1), toTypeName(NOT true);
SELECT x, y, x AND y, x OR y, xor(x, y) FROM (SELECT arrayJoin([0, 1, NULL]) AS x, arrayJoin([NULL, 1, 0]) AS y) ORDER BY x, y;
SELECT number AND number - 1, number OR 0, NOT number, xor(number, 1) FROM numbers(3) ORDER BY number;
SELECT if(number = 0, NULL, number) AS x, x AND 1, x AND 0, x OR 1, x OR 0, NOT x, xor(x, 1) FROM numbers(3) ORDER BY number;
SELECT if(1, 'yes', 'no'), if(0, 'yes', 'no'), if(NULL, 'yes', 'no'), 1 ? 'a' : 'b';
SELECT if(1, 1, 1000), toTypeName(if(1, 1, 1000)), toTypeName(if(1, 1, -1)), toTypeName(if(1, 1, 1.5)), toTypeName(if(1, 1, NULL)), toTypeName(if(1, NULL, NULL));
-- differs: there is no type Variant
-- ours: code: 386
SELECT if(1, 1, 'a');
SELECT if('a', 1, 2);
SELECT if([1], 1, 2);
SELECT if(1, 2);
-- differs: there is no type Variant
-- ours: code: 386
SELECT toTypeName(if(1, toUInt64(1), toInt64(1)));
-- differs: there is no type Variant
-- ours: code: 386
SELECT if(number % 2, toUInt64(number), toInt8(-1)) FROM numbers(2);
SELECT toTypeName(if(1, toUInt32(1), toInt8(-1))), toTypeName(if(1, toUInt8(1), toFloat32(1)));
SELECT if(number % 2 = 0, 'even', 'odd'), if(number > 1, number, 0), if(number > 1, [number], []) FROM numbers(3) ORDER BY number;
SELECT if(number > 1, NULL, number) AS x, toTypeName(x) FROM numbers(3) ORDER BY number;
SELECT if(number = 0, 0, intDiv(10, number)) FROM numbers(3) ORDER BY number;
SELECT if(number = 0, toDate('2024-01-01'), toDate('2024-01-02')), if(number = 0, toDecimal32(1, 2), toDecimal32(2, 2)) AS d, toTypeName(d) FROM numbers(2) ORDER BY number;
SELECT if(toNullable(number) = 1, 'one', 'other'), if(if(number = 0, NULL, 1), 'a', 'b') FROM numbers(3) ORDER BY number;
SELECT multiIf(0, 1, 1, 2, 3), multiIf(0, 'a', 0, 'b', 'c'), multiIf(NULL, 1, 2), toTypeName(multiIf(1, 1, 0, 300, -1));
SELECT multiIf(number = 0, 'zero', number = 1, 'one', 'many') FROM numbers(4) ORDER BY number;
SELECT multiIf(1, 1);
SELECT multiIf(1, 2, 3, 4);
SELECT multiIf(number = 0, NULL, number = 1, 1, 2) AS x, toTypeName(x) FROM numbers(3) ORDER BY number;
SELECT CASE WHEN number = 0 THEN 'a' WHEN number = 1 THEN 'b' END AS x, toTypeName(x) FROM numbers(3) ORDER BY number;
SELECT CASE number WHEN 0 THEN 'a' WHEN 1 THEN 'b' ELSE 'c' END FROM numbers(3) ORDER BY number;
SELECT CASE number WHEN 0 THEN 10 WHEN 1 THEN 300 ELSE -1 END AS x, toTypeName(x) FROM numbers(3) ORDER BY number;
SELECT CASE 'x' WHEN 'x' THEN 1 END;
SELECT CASE NULL WHEN NULL THEN 1 ELSE 2 END;
SELECT coalesce(NULL, 1), coalesce(NULL, NULL), coalesce(NULL, NULL, 'a'), toTypeName(coalesce(NULL, 1)), toTypeName(coalesce(toNullable(1), 2)), toTypeName(coalesce(toNullable(1), toNullable(2)));
SELECT coalesce(), coalesce(1);
SELECT coalesce(if(number = 0, NULL, number), 100), coalesce(if(number = 0, NULL, number), if(number = 1, NULL, 7)) FROM numbers(3) ORDER BY number;
SELECT coalesce(NULL, 'a', 1);
SELECT ifNull(NULL, 1), ifNull(1, 2), ifNull(toNullable('a'), 'b'), toTypeName(ifNull(toNullable(1), 300)), toTypeName(ifNull(NULL, NULL));
SELECT ifNull(if(number = 1, NULL, number), 42) FROM numbers(3) ORDER BY number;
SELECT nullIf(1, 1), nullIf(1, 2), toTypeName(nullIf(1, 2)), nullIf('a', 'a'), nullIf(NULL, 1);
SELECT nullIf(number, 1) FROM numbers(3) ORDER BY number;
SELECT assumeNotNull(toNullable(5)), toTypeName(assumeNotNull(toNullable(5))), assumeNotNull(7), assumeNotNull(if(number = 0, NULL, number)) FROM numbers(2) ORDER BY number;
SELECT assumeNotNull(NULL);
SELECT toNullable(1), toTypeName(toNullable(1)), toTypeName(toNullable('a')), toTypeName(toNullable(NULL)), toNullable(toNullable(1));
SELECT toNullable([1]);
-- differs: Nullable(Tuple) is no type here
-- ours: code: 43
SELECT toNullable((1, 2));
SELECT isNullable(toNullable(1)), isNullable(1), isConstant(1), isConstant(materialize(1)), isZeroOrNull(0), isZeroOrNull(NULL), isZeroOrNull(1);
SELECT firstNonDefault(0, 5), firstNonDefault('', 'a');
SELECT 1 IN (1, 2, 3), 4 IN (1, 2, 3), 'a' IN ('a', 'b'), NULL IN (1, 2), NULL IN (1, NULL), 1 IN (NULL, 2), 1 NOT IN (2, NULL);
SELECT 1 IN 1, 'a' IN 'a', 1 IN [1, 2], 1 IN tuple(1);
SELECT (1, 'a') IN ((1, 'a'), (2, 'b')), (1, 'a') IN (1, 'a'), (1, 2) NOT IN ((1, 3));
SELECT 1 IN (1, 'a');
SELECT 1 IN ('1', '2');
SELECT 1.5 IN (1, 1.5), 1 IN (1.0), 255 IN (255, 256), toUInt8(1) IN (257, -1);
SELECT toDate('2024-01-01') IN ('2024-01-01', '2024-01-02');
SELECT number IN (1, 3), toString(number) IN ('2'), (number, number + 1) IN ((1, 2)) FROM numbers(4) ORDER BY number;
SELECT if(number = 1, NULL, number) AS x, x IN (0), x NOT IN (0), x IN (0, NULL) FROM numbers(3) ORDER BY number;
SELECT 1 IN (SELECT 1), 3 IN (SELECT number FROM numbers(3)), (1, 2) IN (SELECT 1, 2);
SELECT number FROM numbers(10) WHERE number IN (SELECT number * 3 FROM numbers(3)) ORDER BY number;
SELECT number FROM numbers(5) WHERE number NOT IN (SELECT number FROM numbers(3)) ORDER BY number;
SELECT 1 IN (SELECT 1, 2);
SELECT 1 IN ();
SELECT [1] IN ([1], [2]), [1, 2] IN ([[1, 2]]);
