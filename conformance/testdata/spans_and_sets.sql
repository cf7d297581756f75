SELECT sum(arrayReduce('uniqExact', arrayMap(x -> x * number % 37, range(number % 100)))) FROM numbers(10000);
SELECT arrayReduce('uniqExact', [1, NULL, 1, 2]), arrayReduce('uniqExact', ['a', 'a']), arrayReduce('uniqExact', emptyArrayUInt8()), arrayReduce('uniqExactIf', [1, 2, 1], [1, 1, 0]);
SELECT number, arrayReduce('uniqExact', range(number * 7)) FROM numbers(0, 100, 9) ORDER BY number;
SELECT arrayReduce('uniqExact', [1.5, nan, nan, 1.5]), arrayReduce('uniqExact', [toDate(1), toDate(1)]), arrayReduce('uniqExact', [toInt128(1), toInt128(2), toInt128(1)]), arrayReduce('uniqExact', [1, 2, 1], [1, 1, 1]);
SELECT count() FROM numbers(200000) WHERE number * 3 IN (SELECT number * 7 FROM numbers(100000));
SELECT count() FROM numbers(200000) WHERE toInt32(number) - 100 IN (SELECT toInt64(number % 100) - 50 FROM numbers(1000));
SELECT groupArray(x) FROM (SELECT arrayJoin([5, 0, 3, 0, 5]) AS x WHERE x NOT IN (SELECT number FROM numbers(4)));
