SELECT groupArraySorted(20)(if(number > 3, nan, toFloat64(number))) FROM numbers(10);
SELECT groupArraySorted(20)(if(number < 3, nan, toFloat64(number))) FROM numbers(10);
SELECT groupArraySorted(20)(if(number%3=1, nan, toFloat64(number))) FROM numbers(10);
SELECT groupArraySorted(20)(if(number%3=1, -nan, toFloat64(number))) FROM numbers(10);
SELECT groupArraySorted(2)(if(number%3=1, nan, toFloat64(number))) FROM numbers(10);
SELECT hex(groupArraySortedState(2)(if(number%3=1, nan, toFloat64(number)))) FROM numbers(10);
SELECT hex(groupArraySortedState(3)(toInt128(5-number))) FROM numbers(10);
SELECT hex(groupArraySortedState(3)(toUInt256(5-number))) FROM numbers(10);
SELECT hex(groupArraySortedState(3)(toIPv4(toUInt32(number)))) FROM numbers(10);
SELECT hex(groupArraySortedState(3)(toIPv6(toIPv4(toUInt32(number))))) FROM numbers(10);
SELECT hex(groupArraySortedState(3)(number%2=1)), hex(groupArraySortedState(3)((number%2=1)::Bool))FROM numbers(10);
SELECT hex(groupArraySortedState(3)(toDate(number))), hex(groupArraySortedState(3)(toDateTime(number,'UTC'))) FROM numbers(10);
SELECT hex(groupArraySortedState(3)((number,NULL))) FROM numbers(10);
SELECT hex(groupArraySortedState(3)(toIntervalDay(number))) FROM numbers(10);
SELECT hex(groupArraySortedState(3)(toFixedString(toString(number), 3))) FROM numbers(10);
SELECT hex(groupArraySortedState(3)(toLowCardinality(toString(number)))) FROM numbers(10);
SELECT groupArraySorted(10)([toFloat64(if(number%3=1, nan, number*7%11))]) FROM numbers(10);
SELECT groupArraySorted(10)(reinterpretAsUUID(number*37%256)) FROM numbers(10);
SELECT groupArraySorted(10)(sumState(number)) FROM numbers(10);
SELECT hex(groupArraySortedState(3)(toNullable(number))) FROM numbers(10);
SELECT hex(groupArraySortedState(3)(toNullable(number))) FROM numbers(0);
SELECT hex(groupArraySortedState(3)(number)) FROM numbers(0);
SELECT hex(groupArraySortedState(3)(tuple())) FROM numbers(5);
SELECT groupArraySorted(toUInt8(3))(number), toTypeName(groupArraySortedState(toUInt8(3))(number)) FROM numbers(5);
SELECT groupArraySorted(3)(number) FROM numbers(0);
SELECT groupArraySorted(3)(number, 1) FROM numbers(0);
SELECT finalizeAggregation(CAST(unhex('04010203'), 'AggregateFunction(groupArraySorted(3), UInt8)'));
SELECT finalizeAggregation(CAST(unhex('0401020304'), 'AggregateFunction(groupArraySorted(3), UInt8)'));
SELECT finalizeAggregation(CAST(unhex('03030102'), 'AggregateFunction(groupArraySorted(3), UInt8)'));
SELECT finalizeAggregation(CAST(unhex('020001026162'), 'AggregateFunction(groupArraySorted(3), String)'));
SELECT groupArraySorted(4)(x), toTypeName(groupArraySorted(4)(x)), hex(groupArraySortedState(4)(x)) FROM (SELECT toUInt8(number * 37 % 101) AS x FROM numbers(60));
SELECT groupArraySorted(4)(x), toTypeName(groupArraySorted(4)(x)), hex(groupArraySortedState(4)(x)) FROM (SELECT toUInt16(number * 37 % 101) AS x FROM numbers(60));
SELECT groupArraySorted(4)(x), toTypeName(groupArraySorted(4)(x)), hex(groupArraySortedState(4)(x)) FROM (SELECT toUInt32(number * 37 % 101) AS x FROM numbers(60));
SELECT groupArraySorted(4)(x), toTypeName(groupArraySorted(4)(x)), hex(groupArraySortedState(4)(x)) FROM (SELECT toUInt64(number * 37 % 101) AS x FROM numbers(60));
SELECT groupArraySorted(4)(x), toTypeName(groupArraySorted(4)(x)), hex(groupArraySortedState(4)(x)) FROM (SELECT toInt8(number * 37 % 101) AS x FROM numbers(60));
SELECT groupArraySorted(4)(x), toTypeName(groupArraySorted(4)(x)), hex(groupArraySortedState(4)(x)) FROM (SELECT toInt16(number * 37 % 101) AS x FROM numbers(60));
SELECT groupArraySorted(4)(x), toTypeName(groupArraySorted(4)(x)), hex(groupArraySortedState(4)(x)) FROM (SELECT toInt32(number * 37 % 101) AS x FROM numbers(60));
SELECT groupArraySorted(4)(x), toTypeName(groupArraySorted(4)(x)), hex(groupArraySortedState(4)(x)) FROM (SELECT toInt64(number * 37 % 101) AS x FROM numbers(60));
SELECT groupArraySorted(4)(x), toTypeName(groupArraySorted(4)(x)), hex(groupArraySortedState(4)(x)) FROM (SELECT toFloat32(number * 37 % 101) AS x FROM numbers(60));
SELECT groupArraySorted(4)(x), toTypeName(groupArraySorted(4)(x)), hex(groupArraySortedState(4)(x)) FROM (SELECT toFloat64(number * 37 % 101) AS x FROM numbers(60));
SELECT groupArraySorted(4)(x), toTypeName(groupArraySorted(4)(x)), hex(groupArraySortedState(4)(x)) FROM (SELECT toInt128(number * 37 % 101) AS x FROM numbers(60));
SELECT groupArraySorted(4)(x), toTypeName(groupArraySorted(4)(x)), hex(groupArraySortedState(4)(x)) FROM (SELECT toUInt128(number * 37 % 101) AS x FROM numbers(60));
SELECT groupArraySorted(4)(x), toTypeName(groupArraySorted(4)(x)), hex(groupArraySortedState(4)(x)) FROM (SELECT toInt256(number * 37 % 101) AS x FROM numbers(60));
SELECT groupArraySorted(4)(x), toTypeName(groupArraySorted(4)(x)), hex(groupArraySortedState(4)(x)) FROM (SELECT toUInt256(number * 37 % 101) AS x FROM numbers(60));
SELECT groupArraySorted(4)(x), toTypeName(groupArraySorted(4)(x)), hex(groupArraySortedState(4)(x)) FROM (SELECT toDate(number * 37 % 101) AS x FROM numbers(60));
SELECT groupArraySorted(4)(x), toTypeName(groupArraySorted(4)(x)), hex(groupArraySortedState(4)(x)) FROM (SELECT toDate32(number * 37 % 101) AS x FROM numbers(60));
SELECT groupArraySorted(4)(x), toTypeName(groupArraySorted(4)(x)), hex(groupArraySortedState(4)(x)) FROM (SELECT toDateTime(number * 37 % 101, 'UTC') AS x FROM numbers(60));
SELECT groupArraySorted(4)(x), toTypeName(groupArraySorted(4)(x)), hex(groupArraySortedState(4)(x)) FROM (SELECT toDateTime64(number * 37 % 101, 3, 'UTC') AS x FROM numbers(60));
SELECT groupArraySorted(4)(x), toTypeName(groupArraySorted(4)(x)), hex(groupArraySortedState(4)(x)) FROM (SELECT toDecimal32(number * 37 % 101, 1) AS x FROM numbers(60));
SELECT groupArraySorted(4)(x), toTypeName(groupArraySorted(4)(x)), hex(groupArraySortedState(4)(x)) FROM (SELECT toDecimal64(number * 37 % 101, 2) AS x FROM numbers(60));
SELECT groupArraySorted(4)(x), toTypeName(groupArraySorted(4)(x)), hex(groupArraySortedState(4)(x)) FROM (SELECT toDecimal128(number * 37 % 101, 3) AS x FROM numbers(60));
SELECT groupArraySorted(4)(x), toTypeName(groupArraySorted(4)(x)), hex(groupArraySortedState(4)(x)) FROM (SELECT toDecimal256(number * 37 % 101, 3) AS x FROM numbers(60));
SELECT groupArraySorted(4)(x), toTypeName(groupArraySorted(4)(x)), hex(groupArraySortedState(4)(x)) FROM (SELECT toString(number * 37 % 101) AS x FROM numbers(60));
SELECT groupArraySorted(4)(x), toTypeName(groupArraySorted(4)(x)), hex(groupArraySortedState(4)(x)) FROM (SELECT toFixedString(toString(number * 37 % 101), 4) AS x FROM numbers(60));
SELECT groupArraySorted(4)(x), toTypeName(groupArraySorted(4)(x)), hex(groupArraySortedState(4)(x)) FROM (SELECT reinterpretAsUUID(number * 37 % 101) AS x FROM numbers(60));
SELECT groupArraySorted(4)(x), toTypeName(groupArraySorted(4)(x)), hex(groupArraySortedState(4)(x)) FROM (SELECT toIPv4(toUInt32(number * 37 % 101)) AS x FROM numbers(60));
SELECT groupArraySorted(4)(x), toTypeName(groupArraySorted(4)(x)), hex(groupArraySortedState(4)(x)) FROM (SELECT toIPv6(toIPv4(toUInt32(number * 37 % 101))) AS x FROM numbers(60));
SELECT groupArraySorted(4)(x), toTypeName(groupArraySorted(4)(x)), hex(groupArraySortedState(4)(x)) FROM (SELECT [number * 37 % 101, 1] AS x FROM numbers(60));
SELECT groupArraySorted(4)(x), toTypeName(groupArraySorted(4)(x)), hex(groupArraySortedState(4)(x)) FROM (SELECT [toString(number * 37 % 101)] AS x FROM numbers(60));
SELECT groupArraySorted(4)(x), toTypeName(groupArraySorted(4)(x)), hex(groupArraySortedState(4)(x)) FROM (SELECT (number * 37 % 101, 'x') AS x FROM numbers(60));
SELECT groupArraySorted(4)(x), toTypeName(groupArraySorted(4)(x)), hex(groupArraySortedState(4)(x)) FROM (SELECT map('a', number * 37 % 101) AS x FROM numbers(60));
SELECT groupArraySorted(4)(x), toTypeName(groupArraySorted(4)(x)), hex(groupArraySortedState(4)(x)) FROM (SELECT toLowCardinality(toString(number * 37 % 101)) AS x FROM numbers(60));
SELECT groupArraySorted(4)(x), toTypeName(groupArraySorted(4)(x)), hex(groupArraySortedState(4)(x)) FROM (SELECT toLowCardinality(toNullable(toString(number * 37 % 101))) AS x FROM numbers(60));
SELECT groupArraySorted(4)(x), toTypeName(groupArraySorted(4)(x)), hex(groupArraySortedState(4)(x)) FROM (SELECT toNullable(number * 37 % 101) AS x FROM numbers(60));
SELECT groupArraySorted(4)(x), toTypeName(groupArraySorted(4)(x)), hex(groupArraySortedState(4)(x)) FROM (SELECT (number * 37 % 101)::Bool AS x FROM numbers(60));
SELECT groupArraySorted(4)(x), toTypeName(groupArraySorted(4)(x)), hex(groupArraySortedState(4)(x)) FROM (SELECT toIntervalDay(number * 37 % 101) AS x FROM numbers(60));
SELECT k, groupArraySorted(3)(x), hex(groupArraySortedState(5)(x)) FROM (SELECT number % 4 AS k, number * 37 % 101 AS x FROM numbers(60)) GROUP BY k ORDER BY k;
SELECT k, groupArraySorted(3)(x), hex(groupArraySortedState(5)(x)) FROM (SELECT number % 4 AS k, toString(number * 37 % 101) AS x FROM numbers(3000)) GROUP BY k ORDER BY k;
SELECT groupArraySorted(1000001)(number) FROM numbers(5);
SELECT groupArraySorted(1000001)(toString(number)) FROM numbers(5);
SELECT length(groupArraySorted(1000001)(number)), sum(1) FROM numbers(20);
SELECT groupArraySortedMerge(3)(s), hex(groupArraySortedMergeState(3)(s)) FROM (SELECT groupArraySortedState(3)(number * 37 % 101) AS s FROM numbers(50) GROUP BY number % 3 ORDER BY number % 3);
SELECT groupArraySortedMerge(3)(s), hex(groupArraySortedMergeState(3)(s)) FROM (SELECT groupArraySortedState(3)([toString(number * 37 % 101)]) AS s FROM numbers(50) GROUP BY number % 3 ORDER BY number % 3);
SELECT groupArraySorted(3)(number) OVER (ORDER BY number DESC ROWS BETWEEN 3 PRECEDING AND 1 PRECEDING) FROM numbers(10);
SELECT groupArraySorted(3)(toString(number)) OVER (ORDER BY number) FROM numbers(10);
SELECT groupArraySorted(2)(n) FROM (SELECT if(number % 2 = 0, NULL, number) AS n FROM numbers(10));
SELECT groupArraySorted(2)(n) FROM (SELECT if(number % 2 = 0, NULL, number) AS n FROM numbers(1));
SELECT groupArraySorted(2)(7) FROM numbers(5);
SELECT arrayReduce('groupArraySorted(2)', [3, 1, 2]);
SELECT groupArraySortedResample(2, 0, 10, 3)(number, number % 10) FROM numbers(20);
SELECT groupArraySortedArgMin(2)(number, number % 3) FROM numbers(20);
SELECT groupArraySortedMap(2)(map('a', number, 'b', number * 2)) FROM numbers(20);
SELECT groupArraySortedIf(3)(number, number > 5), groupArraySortedArray(3)([number, 7]), groupArraySortedDistinct(3)(number % 5), groupArraySortedOrNull(3)(number), groupArraySortedForEach(2)([number, number * 3 % 11]), groupArraySortedOrDefault(3)(number) FROM numbers(10);
SELECT groupArraySorted(9)(x) FROM (SELECT arrayJoin([[NULL, toFloat64(1)], [nan, 2.], [NULL, nan], [inf], [-inf], [3., NULL]]) AS x);
SELECT groupArraySorted(9)(x) FROM (SELECT arrayJoin([(NULL, toFloat64(1)), (nan, 2.), (NULL, nan), (inf, 1.), (-inf, 2.)]) AS x);
-- differs: ClickHouse sorts the state in place when it shows a row and so loses values of a growing frame
-- ours: groupArraySorted(3)(toString(number)) OVER (ORDER BY number DESC)
-- ours: Array(String)
-- ours: ['5']
-- ours: ['4','5']
-- ours: ['3','4','5']
-- ours: ['2','3','4']
-- ours: ['1','2','3']
-- ours: ['0','1','2']
SELECT groupArraySorted(3)(toString(number)) OVER (ORDER BY number DESC) FROM numbers(6);
