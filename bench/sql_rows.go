package bench

// What is wanted of a row, as times as fast as ClickHouse.
const (
	near   = 1 / 1.5
	equal  = 1
	double = 2
)

// sqlData is a set of tables and the rows that ask them. Both systems make the tables by the same statements, so they hold the same
// values. In statements {n} stands for the number of rows asked for, {n/4} for a quarter of it and {n*50} for fifty times as many;
// {numbers} is the table function that gives out numbers in as many threads as max_threads.
type sqlData struct {
	name   string
	create []string
	drop   []string
	perRow int64 // bytes that both systems take together, by row asked for
	rows   []sqlRow
}

// sqlRow is one query. Its answers on both systems must agree: to the letter, or each figure within tolerance, a share of it.
type sqlRow struct {
	name      string
	title     string
	sql       string
	want      float64
	tolerance float64
}

// floats is the tolerance of sums of floats, whose order differs from thread to thread; sketches that of functions that answer from
// a random sample or a sketch whose shape depends on that order.
const (
	floats   = 1e-9
	sketches = 0.02
)

// sqlDataSets lists what SQL compares, but for LZ4.
func sqlDataSets() []sqlData {
	return []sqlData{numberRows(), arrayRows(), eventRows(), dictGetRows(), joinRows(), lineitemRows()}
}

// numberRows need no table: functions of numbers, where the functions are the whole cost.
func numberRows() sqlData {
	expression := func(name, title, sql string) sqlRow { return sqlRow{name: name, title: title, sql: sql, want: near} }
	return sqlData{name: "numbers", rows: []sqlRow{
		expression("count_state", "countState() of {n*50} numbers", "SELECT finalizeAggregation(countState()) FROM {numbers}({n*50})"),
		expression("plus", "number + 1", "SELECT sum(number + 1) FROM {numbers}({n*5})"),
		expression("modulo", "number % 97", "SELECT sum(number % 97) FROM {numbers}({n*5})"),
		expression("int_div", "intDiv(number, 1000)", "SELECT sum(intDiv(number, 1000)) FROM {numbers}({n*5})"),
		expression("filter", "a filter that keeps a tenth", "SELECT sum(number) FROM {numbers}({n*5}) WHERE number % 10 = 3"),
		expression("compare", "comparisons", "SELECT countIf(number > 1000000 AND number < 60000000) FROM {numbers}({n*5})"),
		expression("int_hash32", "intHash32(number)", "SELECT sum(intHash32(number)) FROM {numbers}({n*5})"),
		expression("int_hash64", "intHash64(number)", "SELECT sum(intHash64(number)) FROM {numbers}({n*5})"),
		expression("city_hash64", "cityHash64(number)", "SELECT sum(cityHash64(number)) FROM {numbers}({n*5})"),
		expression("to_string", "length(toString(number))", "SELECT sum(length(toString(number))) FROM {numbers}({n*2})"),
		expression("if", "if(number % 3 = 0, number, 7)", "SELECT sum(if(number % 3 = 0, number, 7)) FROM {numbers}({n*5})"),
		{name: "to_float", title: "toFloat64(number) * 1.5", sql: "SELECT sum(toFloat64(number) * 1.5) FROM {numbers}({n*5})", want: near, tolerance: floats},
		{name: "sqrt", title: "sqrt(number)", sql: "SELECT sum(sqrt(number)) FROM {numbers}({n*5})", want: near, tolerance: floats},
	}}
}

// arrayRows ask arrays of ten numbers.
func arrayRows() sqlData {
	return sqlData{
		name: "arrays", perRow: 100,
		create: []string{
			"CREATE TABLE arrays (a Array(UInt64)) ENGINE = Memory",
			"INSERT INTO arrays SELECT arrayMap(x -> intHash64(number * 10 + x) % 1000000, range(10)) FROM numbers({n/2})",
		},
		drop: []string{"DROP TABLE arrays"},
		rows: []sqlRow{
			{name: "sum_array", title: "sumArray(a), arrays of 10", sql: "SELECT sumArray(a) FROM arrays", want: near},
			{name: "array_reduce", title: "arrayReduce('sum', a)", sql: "SELECT sum(arrayReduce('sum', a)) FROM arrays", want: near},
			{name: "array_sum", title: "arraySum(a)", sql: "SELECT sum(arraySum(a)) FROM arrays", want: near},
			{name: "array_max", title: "arrayMax(a)", sql: "SELECT sum(arrayMax(a)) FROM arrays", want: near},
			{name: "array_reduce_uniq", title: "arrayReduce('uniqExact', a), one array of twenty", sql: "SELECT sum(arrayReduce('uniqExact', a)) FROM arrays WHERE a[1] % 20 = 0", want: near},
			{name: "array_length", title: "length(a)", sql: "SELECT sum(length(a)) FROM arrays", want: near},
			{name: "array_has", title: "has(a, 4711)", sql: "SELECT countIf(has(a, 4711)) FROM arrays", want: near},
			{name: "array_map", title: "arrayMap(x -> x + 1, a)", sql: "SELECT sum(arraySum(arrayMap(x -> x + 1, a))) FROM arrays", want: near},
			{name: "array_join", title: "arrayJoin(a)", sql: "SELECT sum(arrayJoin(a)) FROM arrays", want: near},
		},
	}
}

// eventRows ask a table of numbers and strings: 97 groups, numbers of which 4.9 million of 20 million are distinct, a million strings.
func eventRows() sqlData {
	return sqlData{
		name: "events", perRow: 160,
		create: []string{
			"CREATE TABLE events (g UInt8, u UInt64, s String, v UInt32, f Float64, t DateTime) ENGINE = Memory",
			"INSERT INTO events SELECT toUInt8(cityHash64(number, 1) % 97), intHash64(number) % {n/4}, concat('user-', toString(intHash64(number + 7) % {n/20})), " +
				"toUInt32(cityHash64(number, 2)), toFloat64(cityHash64(number, 3) % 1000000) / 1000, toDateTime(1700000000 + number % 1000000) FROM numbers({n})",
		},
		drop: []string{"DROP TABLE events"},
		rows: append(groupRows(), scanRows()...),
	}
}

// groupRows are the rows of eventRows that aggregate by key or keep sets.
func groupRows() []sqlRow {
	return []sqlRow{
		{name: "group_97", title: "count, sum, avg in 97 groups", sql: "SELECT g, count(), sum(v), avg(v) FROM events GROUP BY g ORDER BY g", want: near},
		{name: "group_numbers", title: "{n/4} groups of numbers, top 10", sql: "SELECT u, count() AS c FROM events GROUP BY u ORDER BY c DESC, u LIMIT 10", want: equal},
		{name: "group_strings", title: "{n/20} groups of strings, top 10", sql: "SELECT s, count() AS c FROM events GROUP BY s ORDER BY c DESC, s LIMIT 10", want: equal},
		{name: "group_two_keys", title: "groups of two keys, top 10", sql: "SELECT g, v % 1000 AS k, sum(f) FROM events GROUP BY g, k ORDER BY g, k LIMIT 10", want: near, tolerance: floats},
		{name: "group_string_two", title: "groups of a number and a string", sql: "SELECT g % 4 AS k, s, count() AS c FROM events GROUP BY k, s ORDER BY c DESC, k, s LIMIT 10", want: equal},
		{name: "uniq_exact_numbers", title: "uniqExact of numbers", sql: "SELECT uniqExact(u) FROM events", want: equal},
		{name: "uniq_exact_strings", title: "uniqExact of strings", sql: "SELECT uniqExact(s) FROM events", want: equal},
		{name: "uniq_combined", title: "uniqCombined(18) in 97 groups", sql: "SELECT g, uniqCombined(18)(u) FROM events GROUP BY g ORDER BY g", want: near},
		{name: "uniq", title: "uniq in 97 groups", sql: "SELECT g, uniq(u) FROM events GROUP BY g ORDER BY g", want: near},
		{name: "distinct", title: "DISTINCT of numbers", sql: "SELECT count() FROM (SELECT DISTINCT u FROM events)", want: near},
		{name: "quantile", title: "quantile in 97 groups", sql: "SELECT g, quantile(0.9)(v) FROM events GROUP BY g ORDER BY g", want: near, tolerance: sketches},
		{name: "quantile_exact", title: "quantileExact", sql: "SELECT quantileExact(0.9)(v) FROM events", want: near},
		{name: "quantile_tdigest", title: "quantileTDigest in 97 groups", sql: "SELECT g, quantileTDigest(0.9)(v) FROM events GROUP BY g ORDER BY g", want: near, tolerance: sketches},
		{name: "group_array", title: "groupArray in 97 groups", sql: "SELECT g, length(groupArray(v)) FROM events GROUP BY g ORDER BY g", want: near},
		{name: "top_k", title: "topK(3) of skewed values in 97 groups", sql: "SELECT g, length(topK(3)(v % 100)) FROM events GROUP BY g ORDER BY g", want: near},
		{name: "arg_max", title: "argMax in 97 groups", sql: "SELECT g, argMax(u, (v, u)) FROM events GROUP BY g ORDER BY g", want: near},
		{name: "min_max", title: "min and max", sql: "SELECT min(v), max(v), min(u), max(u), min(f), max(f) FROM events", want: near},
		{name: "min_max_97", title: "min and max in 97 groups", sql: "SELECT g, min(v), max(u) FROM events GROUP BY g ORDER BY g", want: near},
	}
}

// scanRows are those that filter, sort and number.
func scanRows() []sqlRow {
	return []sqlRow{
		{name: "like", title: "LIKE '%99%'", sql: "SELECT count() FROM events WHERE s LIKE '%99%'", want: near},
		{name: "like_prefix", title: "LIKE 'user-99%'", sql: "SELECT count() FROM events WHERE s LIKE 'user-99%'", want: near},
		{name: "string_equal", title: "a string compared", sql: "SELECT count() FROM events WHERE s = 'user-4711'", want: near},
		{name: "number_in", title: "a number among three", sql: "SELECT count() FROM events WHERE v IN (1, 4711, 123456)", want: near},
		{name: "filter_sum", title: "sum of what a filter keeps", sql: "SELECT sum(f) FROM events WHERE v < 1000000000 AND g > 50", want: near, tolerance: floats},
		{name: "hour", title: "groups of hours", sql: "SELECT toStartOfHour(t) AS h, count() FROM events GROUP BY h ORDER BY h LIMIT 10", want: near},
		{name: "top_10", title: "ORDER BY two columns LIMIT 10", sql: "SELECT v, u FROM events ORDER BY v DESC, u LIMIT 10", want: near},
		{name: "sort", title: "ORDER BY of all rows", sql: "SELECT sum(cityHash64(v)) FROM (SELECT v FROM events WHERE g < 24 ORDER BY v LIMIT {n} OFFSET 10)", want: near},
		{name: "row_number", title: "row_number() by group", sql: "SELECT sum(r * v) FROM (SELECT v, row_number() OVER (PARTITION BY g ORDER BY v, u) AS r FROM events WHERE g < 24)", want: near},
	}
}

// dictGetRows ask a dictionary as large as the number of lookups.
func dictGetRows() sqlData {
	const key = "cityHash64(number)"
	lookup := func(name, title, sql string) sqlRow { return sqlRow{name: name, title: title, sql: sql, want: double} }
	return sqlData{
		name: "dictionary", perRow: 300,
		create: []string{
			"CREATE DICTIONARY people (id UInt64, score UInt32, age UInt8, country String) PRIMARY KEY id SOURCE(CLICKHOUSE(QUERY 'SELECT " + key + " AS id, " +
				"toUInt32(number) AS score, toUInt8(number % 100) AS age, concat(\\'Land of number \\', toString(number % 200)) AS country FROM numbers({n/2})')) LAYOUT(HASHED()) LIFETIME(0)",
			"SYSTEM RELOAD DICTIONARY people",
		},
		drop: []string{"DROP DICTIONARY people"},
		rows: []sqlRow{
			lookup("dict_sum", "sum(dictGet(UInt32))", "SELECT sum(dictGet('people', 'score', "+key+")) FROM {numbers}({n/2})"),
			lookup("dict_group", "GROUP BY dictGet(String)", "SELECT dictGet('people', 'country', "+key+") AS c, count() FROM {numbers}({n/2}) GROUP BY c ORDER BY c LIMIT 10"),
			lookup("dict_group_number", "GROUP BY dictGet(UInt8)", "SELECT dictGet('people', 'age', "+key+") AS a, count() FROM {numbers}({n/2}) GROUP BY a ORDER BY a LIMIT 10"),
			lookup("dict_filter", "WHERE dictGet(UInt8) > 89", "SELECT count() FROM {numbers}({n/2}) WHERE dictGet('people', 'age', "+key+") > 89"),
			lookup("dict_has", "dictHas, half of them there", "SELECT countIf(dictHas('people', cityHash64(number + {n/4}))) FROM {numbers}({n/2})"),
			{name: "dict_join", title: "join with the dictionary", want: near, sql: "SELECT sum(score) FROM (SELECT " + key + " AS k FROM {numbers}({n/2})) AS l ANY LEFT JOIN people AS p ON l.k = p.id SETTINGS join_algorithm = 'direct'"},
		},
	}
}

// joinRows join a table with another of a tenth of its rows.
func joinRows() sqlData {
	return sqlData{
		name: "join", perRow: 100,
		create: []string{
			"CREATE TABLE orders (customer UInt64, amount UInt32) ENGINE = Memory",
			"INSERT INTO orders SELECT intHash64(number) % {n/10}, toUInt32(cityHash64(number)) FROM numbers({n/2})",
			"CREATE TABLE customers (id UInt64, discount UInt32) ENGINE = Memory",
			"INSERT INTO customers SELECT number, number % 7 FROM numbers({n/20})",
		},
		drop: []string{"DROP TABLE orders", "DROP TABLE customers"},
		rows: []sqlRow{
			{name: "hash_join", title: "INNER JOIN, half of the keys there", sql: "SELECT sum(amount * discount), count() FROM orders INNER JOIN customers ON customer = id", want: near},
			{name: "left_join", title: "LEFT JOIN", sql: "SELECT sum(amount * discount), count() FROM orders LEFT JOIN customers ON customer = id", want: near},
			{name: "semi_in", title: "IN (subquery)", sql: "SELECT sum(amount) FROM orders WHERE customer IN (SELECT id FROM customers)", want: near},
		},
	}
}

// lineitemRows is TPC-H's query 6 over the four columns of lineitem that it needs, kept compressed. Quantity, discount and dates are distributed
// as TPC-H's; the price is the quantity times a part's price, whose parts are drawn evenly as there; lines of an order, four each, share its date.
func lineitemRows() sqlData {
	const quantity = "1 + cityHash64(number, 1) % 50"
	return sqlData{
		name: lineitem, perRow: 120,
		create: []string{
			"CREATE TABLE lineitem (l_quantity Decimal(15, 2), l_extendedprice Decimal(15, 2), l_discount Decimal(15, 2), l_shipdate Date) ENGINE = Memory SETTINGS compress = 1",
			"INSERT INTO lineitem SELECT toDecimal64(" + quantity + ", 2), " +
				"toDecimal64((" + quantity + ") * (90000 + cityHash64(number, 2) % 20001 + 100 * (cityHash64(number, 3) % 1000)), 2) / 100, " +
				"toDecimal64(cityHash64(number, 4) % 11, 2) / 100, " +
				"toDate('1992-01-02') + cityHash64(intDiv(number, 4), 5) % 2406 + cityHash64(number, 6) % 121 FROM numbers({n})",
		},
		drop: []string{"DROP TABLE lineitem"},
		rows: []sqlRow{
			{name: "tpch_q6", title: "TPC-H Q6, compressed columns", want: near, sql: "SELECT sum(l_extendedprice * l_discount) AS revenue FROM lineitem WHERE l_shipdate >= DATE '1994-01-01' " +
				"AND l_shipdate < DATE '1994-01-01' + INTERVAL 1 YEAR AND l_discount BETWEEN 0.05 AND 0.07 AND l_quantity < 24"},
		},
	}
}

const (
	lineitem = "lineitem"
	lz4Name  = "lz4"
)

// SQLNames are the names of rows that SQL's options take.
func SQLNames() []string {
	var out []string
	for _, d := range sqlDataSets() {
		for _, r := range d.rows {
			out = append(out, r.name)
		}
	}
	return append(out, lz4Name)
}
