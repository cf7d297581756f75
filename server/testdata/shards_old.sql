-- What clickhouse-server 18.16 must answer over two shards as over a table of its own.
SELECT count() FROM @t
SELECT count(), sum(v), avg(v), min(v), max(v) FROM @t
SELECT k, count(), sum(v), avg(f) FROM @t GROUP BY k ORDER BY k
SELECT k % 3 AS g, sum(v) AS v FROM @t GROUP BY g ORDER BY g
SELECT k, sum(v) AS q FROM @t GROUP BY k HAVING q > 1000 ORDER BY q DESC LIMIT 3
SELECT k, sum(v) FROM @t WHERE s = '1' AND k IN (1, 2, 3) GROUP BY k ORDER BY k
SELECT k, sum(v) FROM @t GROUP BY k WITH TOTALS ORDER BY k
SELECT sum(n), avg(n), min(n), max(n), count(n) FROM @t
SELECT s, min(s), max(s), min(d), max(d), min(f) FROM @t GROUP BY s ORDER BY s
SELECT countIf(v > 6), sumIf(v, s IN ('1', '2')), avgIf(f, k = 2), minIf(s, k = 3) FROM @t
SELECT sumIf(v, (k, s) IN ((1, '2'), (2, '3'))), sum(has([1, 2], k)), sum(v + [1, 2][1]) FROM @t
SELECT sumIf(v, s = 'it\'s') + sum(-k) AS x, max(1.5 * k), min(k - 1e3) FROM @t
SELECT uniqExact(v), uniqExact(s), uniqExact(k, s), count(DISTINCT k) FROM @t
SELECT arraySort(groupUniqArray(s)), arraySort(groupArray(k)) FROM @t
SELECT argMin(v, f + v), argMax(d, v) FROM @t WHERE v > 0
SELECT k, s FROM @t ORDER BY v DESC, s, k LIMIT 5
SELECT k, v + 1 FROM @t ORDER BY v DESC, s, k LIMIT 3
SELECT k, v + 1 FROM @t WHERE v > 100 ORDER BY v, k LIMIT 2, 3
SELECT DISTINCT s FROM @t ORDER BY s
SELECT DISTINCT k % 2, s FROM @t ORDER BY s, k % 2
SELECT v, k FROM @t ORDER BY v, k LIMIT 2 BY k
SELECT toString(k) AS kk, length(kk) + sum(v) FROM @t GROUP BY kk ORDER BY kk
SELECT k = 1 ? 'one' : 'other' AS e, sum(v) FROM @t GROUP BY e ORDER BY e
SELECT sum(x) FROM @t ARRAY JOIN a AS x
SELECT arrayJoin(a) AS x, count() FROM @t GROUP BY x ORDER BY count() DESC, x LIMIT 3
SELECT sum(arraySum(arrayMap(x -> x * 2, a))) FROM @t
SELECT count(), sum(v), min(v), max(s), groupArray(k) FROM @empty
SELECT k, count() FROM @empty GROUP BY k
SELECT (k, s) AS p, count() FROM @t GROUP BY p ORDER BY p LIMIT 4
SELECT d, count() FROM @t GROUP BY d ORDER BY d LIMIT 3
SELECT toStartOfMonth(d) AS m, sum(v) FROM @t GROUP BY m ORDER BY m
SELECT n, count() FROM @t GROUP BY n ORDER BY n LIMIT 4
SELECT k, v FROM @t WHERE k GLOBAL IN (SELECT k FROM @t WHERE v > 5000) ORDER BY v, k LIMIT 4
SELECT uniq(v), uniq(s), uniqHLL12(v), uniqCombined(v), uniqCombined(s), uniqUpTo(3)(k) FROM @t
SELECT quantile(0.5)(v), quantiles(0.1, 0.9)(f), median(k), quantileExact(v), quantileTiming(0.5)(k) FROM @t
SELECT k, sumMap([k], [v]), varPop(k), groupBitOr(k), groupBitXor(k), groupBitAnd(k) FROM @t GROUP BY k ORDER BY k
SELECT uniqExact(toFloat32(f)), uniqExact(d), uniqExact(n), uniq(f), uniq(d), uniqCombined(f), uniqCombined(d), uniqHLL12(d), uniqHLL12(s), uniqUpTo(20)(s), uniqUpTo(5)(f) FROM @t
SELECT k, uniqExact(s), uniqExact(v, d), uniqExactIf(s, v > 5), uniq(v, s), min(n), max(d), argMin(s, v) FROM @t GROUP BY k ORDER BY k
SELECT uniqExact(toDecimal64(v, 2)), sum(toDecimal64(v, 2)), min(toDecimal32(k, 1)), max(toDecimal128(k, 1)), avg(toDecimal32(k, 1)) FROM @t
SELECT sum(toInt8(k)), avg(toInt16(k)), min(toInt64(k)), groupBitOr(toUInt8(k)), varPop(f), covarSamp(f, k), quantileExact(d), quantileTiming(0.5)(v), arraySort(groupUniqArray(d)), arraySort(groupUniqArray(a)) FROM @t
