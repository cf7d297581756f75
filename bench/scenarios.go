package bench

import (
	"fmt"
	"strings"
)

// lookup is a query that looks up a key a row. {numbers} stands for the table function that gives the numbers.
type lookup struct {
	name string
	sql  string
	miss bool // the numbers begin behind those of the rows
}

// scenario is a dictionary and what is asked of it.
type scenario struct {
	name    string
	title   string
	divide  int    // the scenario has the asked number of rows divided by this
	key     string // column of the key, named k
	attrs   string // columns of the attributes
	source  string // SELECT that gives the rows; {numbers} as in lookup
	lookups []lookup
	ours    []string // layouts
	theirs  []string
	perRow  int64 // bytes a row that all processes and the roofs take together, at their peak; to know before whether it fits
}

const (
	packed95  = "SPARSE_HASHED(MAX_LOAD_FACTOR 0.95)"
	sparse99  = "SPARSE_HASHED(MAX_LOAD_FACTOR 0.99)"
	hashed    = "HASHED()"
	userName  = "concat('user-', toString(number), '@example.org')"
	numberKey = "cityHash64(number)"
)

// scenarios lists what ClickHouse compares besides reloads and the billion.
func scenarios() []scenario {
	hitsAndMisses := func(sql string) []lookup { return []lookup{{"hits", sql, false}, {"misses", sql, true}} }
	return []scenario{
		{
			name: "u16", title: "UInt64 -> UInt16", divide: 1, key: "UInt64", attrs: "v UInt16",
			source:  "SELECT " + numberKey + " AS k, toUInt16(number) AS v FROM {numbers}",
			lookups: hitsAndMisses("SELECT sum(dictGet('d', 'v', " + numberKey + ")) FROM {numbers}"),
			ours:    []string{packed95, hashed}, theirs: []string{sparse99, hashed}, perRow: 150,
		},
		{
			name: "strings", title: "UInt64 -> String 'user-N@example.org'", divide: 10, key: "UInt64", attrs: "v String",
			source:  "SELECT " + numberKey + " AS k, " + userName + " AS v FROM {numbers}",
			lookups: hitsAndMisses("SELECT sum(length(dictGet('d', 'v', " + numberKey + "))) FROM {numbers}"),
			ours:    []string{packed95, hashed}, theirs: []string{"SPARSE_HASHED()", hashed}, perRow: 500,
		},
		{
			name: "strings200", title: "UInt64 -> String of 200 values", divide: 10, key: "UInt64", attrs: "v String",
			source:  "SELECT " + numberKey + " AS k, concat('Land of number ', toString(number % 200)) AS v FROM {numbers}",
			lookups: hitsAndMisses("SELECT sum(length(dictGet('d', 'v', " + numberKey + "))) FROM {numbers}"),
			ours:    []string{packed95, hashed}, theirs: []string{"SPARSE_HASHED()", hashed}, perRow: 350,
		},
		{
			name: "stringkeys", title: "String key 'user-N@example.org' -> UInt32", divide: 10, key: "String", attrs: "v UInt32",
			source:  "SELECT " + userName + " AS k, toUInt32(" + numberKey + ") AS v FROM {numbers}",
			lookups: hitsAndMisses("SELECT sum(dictGet('d', 'v', tuple(" + userName + "))) FROM {numbers}"),
			ours:    []string{"COMPLEX_KEY_" + packed95, "COMPLEX_KEY_HASHED()"}, theirs: []string{"COMPLEX_KEY_HASHED()"}, perRow: 500,
		},
		{
			// The values have all the bits of their types, so that none packs into fewer.
			name: "five", title: "UInt64 -> UInt32, Float64, UInt8, Date, Nullable(Int64)", divide: 10, key: "UInt64",
			attrs: "a UInt32, b Float64, c UInt8, d Date, e Nullable(Int64)",
			source: "SELECT " + numberKey + " AS k, toUInt32(cityHash64(number, 1)) AS a, toFloat64(cityHash64(number, 2)) / 4294967296 AS b, " +
				"toUInt8(cityHash64(number, 3)) AS c, toDate(toUInt16(cityHash64(number, 4))) AS d, " +
				"if(cityHash64(number, 5) % 10 = 0, NULL, toInt64(cityHash64(number, 6))) AS e FROM {numbers}",
			lookups: append(hitsAndMisses("SELECT sum(dictGet('d', 'a', "+numberKey+")) FROM {numbers}"), lookup{"all five", "SELECT sum(t.1), sum(toUInt64(t.2)), sum(t.3), sum(toUInt16(t.4)), sum(t.5) " +
				"FROM (SELECT dictGet('d', ('a', 'b', 'c', 'd', 'e'), " + numberKey + ") AS t FROM {numbers})", false}),
			ours: []string{packed95, hashed}, theirs: []string{hashed, "HASHED_ARRAY()"}, perRow: 650,
		},
	}
}

// The scenarios that are not lists of lookups.
const (
	reloadName  = "reload"
	billionName = "billion"
)

// ScenarioNames are the names that ClickHouse's options take; the billion has a switch of its own.
func ScenarioNames() []string {
	var out []string
	for _, s := range scenarios() {
		out = append(out, s.name)
	}
	return append(out, reloadName)
}

// create is the statement that makes the dictionary d of n rows.
func (s *scenario) create(layout string, n int) string {
	source := strings.ReplaceAll(s.source, "{numbers}", fmt.Sprintf("numbers(%d)", n))
	return createDictionary(s.key, s.attrs, source, layout)
}

func createDictionary(key, attrs, source, layout string) string {
	return fmt.Sprintf("CREATE DICTIONARY d (k %s, %s) PRIMARY KEY k SOURCE(CLICKHOUSE(QUERY %s)) LAYOUT(%s) LIFETIME(0)", key, attrs, quote(source), layout)
}

// text is the query for n rows. Numbers come from numbers() for one thread and from numbers_mt() for more, because ClickHouse gives out
// numbers() in one thread whatever max_threads says.
func (l *lookup) text(n, threads int) string {
	function, arguments := "numbers", fmt.Sprint(n)
	if threads > 1 {
		function = "numbers_mt"
	}
	if l.miss {
		arguments = fmt.Sprintf("%d, %d", n, n)
	}
	return strings.ReplaceAll(l.sql, "{numbers}", function+"("+arguments+")") + fmt.Sprintf(" SETTINGS max_threads = %d", threads)
}

func quote(text string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(text) + "'"
}
