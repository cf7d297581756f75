package server

import (
	"fmt"
	"strings"
	"testing"

	"dictsvc/internal/peers"
)

// ClickHouse 26.7 asks through remote(): what it prints, and how many rows its queries read here. Filters on the key are look-ups.
func TestClickHouseRemote(t *testing.T) {
	r, addr := recordingServer(t)
	_, second := recordingServer(t)
	cases := []struct {
		sql  string // $users, $pairs, $t are remote tables
		out  string
		code int    // of an error,
		err  string // a part of its text
		read int    // rows read here; -1 where it does not matter
	}{
		{sql: "SELECT name FROM $users WHERE id = 7", out: "user-7\n", read: 1},
		{sql: "SELECT name FROM $users WHERE id IN (3, 5, 5000) ORDER BY id", out: "user-3\nuser-5\n", read: 3},
		{sql: "SELECT id, nick FROM $users WHERE id IN (SELECT number FROM numbers(4)) ORDER BY id", out: "1\tn1\n2\tn2\n3\t\\N\n", read: 8},
		{sql: "SELECT name FROM $users WHERE id GLOBAL IN (SELECT number * 2 FROM numbers(3)) ORDER BY id", out: "user-2\nuser-4\n", read: 6},
		{sql: "SELECT v FROM $pairs WHERE (a, b) IN ((1, 'k1'), (2, 'k2'), (2, 'k1')) ORDER BY v", out: "1\n2\n", read: 3},
		{sql: "SELECT v, w FROM $pairs WHERE a = 3 AND b = 'k13'", out: "13\tw13\n", read: 1},
		{sql: "SELECT city, count() AS c, sum(age), avg(score), max(nick) FROM $users GROUP BY city ORDER BY city LIMIT 2",
			out: "city-0\t142\t7071\t125.125\tn994\ncity-1\t143\t7114\t124.5\tn995\n", read: users},
		{sql: "SELECT city, count() AS c FROM $users WHERE id < 4 GROUP BY city WITH TOTALS ORDER BY city", out: "city-1\t1\ncity-2\t1\ncity-3\t1\n\n\t3\n", read: users},
		{sql: "SELECT city, count() AS c FROM $users GROUP BY city HAVING c > 142 ORDER BY city DESC LIMIT 1", out: "city-6\t143\n", read: users},
		{sql: "SELECT id, name FROM $users ORDER BY id DESC LIMIT 2", out: "1000\tuser-1000\n999\tuser-999\n", read: users},
		{sql: "SELECT DISTINCT city FROM $users ORDER BY city LIMIT 2 OFFSET 1", out: "city-1\ncity-2\n", read: users},
		{sql: "SELECT count(), countIf(age > 50) FROM $users", out: "1000\t490\n", read: users},
		{sql: "SELECT count() FROM $users", out: "1000\n", read: 0},
		{sql: "SELECT name FROM $users ORDER BY id LIMIT 1 BY city LIMIT 2", out: "user-1\nuser-2\n", read: users},
		{sql: "SELECT arrayJoin([1, 2]) AS x, name FROM $users WHERE id = 3", out: "1\tuser-3\n2\tuser-3\n", read: 1},
		{sql: "SELECT n.number, u.name FROM numbers(3) AS n JOIN $users AS u ON u.id = n.number ORDER BY 1", out: "1\tuser-1\n2\tuser-2\n", read: users},
		{sql: "SELECT n.number, u.name FROM (SELECT * FROM $users WHERE id < 3) AS u JOIN numbers(3) AS n ON u.id = n.number ORDER BY 1", out: "1\tuser-1\n2\tuser-2\n", read: users},
		{sql: "SELECT n.number, u.name FROM $users AS u JOIN numbers(3) AS n ON u.id = n.number ORDER BY n.number", out: "1\tuser-1\n2\tuser-2\n", read: -1},
		{sql: "SELECT * FROM remote('$addr', view(SELECT dictGet('users', 'name', number) AS n FROM numbers(2))) ORDER BY n", out: "\nuser-1\n", read: 2},
		{sql: "INSERT INTO FUNCTION $t SELECT number, toString(number) FROM numbers(100000)", read: -1},
		{sql: "SELECT count(), sum(id), max(s) FROM $t", out: "100000\t4999950000\t99999\n", read: 100000},
		{sql: "SELECT sum(id) OVER () AS s FROM $users LIMIT 1", out: fmt.Sprintf("%d\n", users*(users+1)/2), read: -1},
		{sql: "SELECT city, count() FROM $users WHERE id < 4 GROUP BY city WITH ROLLUP ORDER BY city", out: "\t3\ncity-1\t1\ncity-2\t1\ncity-3\t1\n", read: -1},
		{sql: "SELECT name FROM $users FINAL", code: 181, err: "Storage Dictionary doesn't support FINAL", read: -1},
		{sql: "SELECT name FROM $users PREWHERE id = 3", code: 182, err: "PREWHERE", read: -1},
		{sql: "INSERT INTO FUNCTION $users SELECT 1, 'a', 'b', 1, 1., NULL", code: 48, err: "Method write is not supported by storage Dictionary", read: -1},
		{sql: "SELECT name FROM $users WHERE id = 3 SETTINGS enable_analyzer = 0", out: "user-3\n", read: 1},
		{sql: "SELECT * FROM remote('$addr', default.missing)", code: 519, err: "There is no table `default`.`missing`", read: -1},
		{sql: "SELECT * FROM remote('$addr', default.users, 'default', 'wrong')", code: 516, err: "Authentication failed", read: -1},
		{sql: "SELECT sumIf(age, id IN (1, 2)) FROM remote('$addr,$second', default.users)", code: 48, err: "SETTINGS distributed_group_by_no_merge = 1", read: -1},
		{sql: "SELECT city, count() AS c FROM remote('$addr,$second', default.users) GROUP BY city ORDER BY city LIMIT 1 SETTINGS distributed_group_by_no_merge = 1",
			out: "city-0\t142\ncity-0\t142\n", read: -1},
	}
	fill := strings.NewReplacer("$addr", addr, "$second", second, "$users", "remote('"+addr+"', default.users)", "$pairs", "remote('"+addr+"', default.pairs)", "$t", "remote('"+addr+"', default.t)")
	var statements []string
	for _, c := range cases {
		statements = append(statements, fill.Replace(c.sql), fmt.Sprintf("SELECT * FROM remote('%s', view(SELECT 'next'))", addr))
	}
	answers := peers.ClickHouse(t, "TSV", statements...)
	// Cases are told apart by the query that asks for 'next'.
	read := []int{0}
	for _, q := range r.take() {
		switch {
		case strings.HasPrefix(q.sql, "DESC TABLE"):
		case strings.Contains(q.sql, "'next'"):
			read = append(read, 0)
		default:
			read[len(read)-1] += int(q.read)
		}
	}
	if len(read) != len(cases)+1 {
		t.Fatalf("want %d marks among the queries, got %d", len(cases), len(read)-1)
	}
	for i, c := range cases {
		a := answers[2*i]
		if a.Out != c.out || a.Code != c.code || !strings.Contains(a.Error, c.err) {
			t.Errorf("%s: want %q, code %d, %q; got %+v", c.sql, c.out, c.code, c.err, a)
		}
		if c.read >= 0 && read[i] != c.read {
			t.Errorf("%s: want %d rows read, got %d", c.sql, c.read, read[i])
		}
	}
}

// ClickHouse 26.7 owns dictionaries whose source is this server: all layouts give what the source holds, and DIRECT and CACHE ask for keys alone.
func TestClickHouseDictionaries(t *testing.T) {
	r, addr := recordingServer(t)
	source := func(more string) string {
		return fmt.Sprintf("SOURCE(CLICKHOUSE(HOST '127.0.0.1' PORT %s USER 'default' DB 'default' %s))", port(t, addr), more)
	}
	create := func(name, layout, lifetime string) string {
		return "CREATE DICTIONARY " + name + " (id UInt64, name String, city String DEFAULT 'nowhere', age UInt8, score Float64, nick Nullable(String)) PRIMARY KEY id " +
			source("TABLE 'users'") + " LAYOUT(" + layout + ") " + lifetime
	}
	pairs := func(name, layout, lifetime string) string {
		return "CREATE DICTIONARY " + name + " (a UInt64, b String, v UInt32, w String) PRIMARY KEY a, b " + source("TABLE 'pairs'") + " LAYOUT(" + layout + ") " + lifetime
	}
	get := func(name string) string {
		return fmt.Sprintf("SELECT count(), sum(dictGet('%[1]s', 'age', number)), countIf(dictGet('%[1]s', 'name', number) = concat('user-', toString(number))), "+
			"countIf(dictGet('%[1]s', 'nick', number) IS NULL), uniqExact(dictGet('%[1]s', 'city', number)), sum(dictHas('%[1]s', number)) FROM numbers(1500)", name)
	}
	const want = "1500\t49500\t1000\t833\t8\t1000\n" // 333 NULLs and 500 absent keys
	getPairs := func(name string) string {
		return fmt.Sprintf("SELECT sum(dictGet('%[1]s', 'v', (number %% 10, concat('k', toString(number))))), max(dictGet('%[1]s', 'w', (number %% 10, concat('k', toString(number))))), "+
			"sum(dictHas('%[1]s', (number %% 9, concat('k', toString(number))))) FROM numbers(1000)", name)
	}
	const wantPairs = "499500\tw999\t108\n" // keys whose number has the same rest of 9 as of 10
	statements := []string{create("direct", "DIRECT()", ""), get("direct"), create("cache", "CACHE(SIZE_IN_CELLS 10000)", "LIFETIME(300)"), get("cache"), get("cache"),
		create("hashed", "HASHED()", "LIFETIME(0)"), get("hashed"), pairs("pdirect", "COMPLEX_KEY_DIRECT()", ""), getPairs("pdirect"),
		pairs("pcache", "COMPLEX_KEY_CACHE(SIZE_IN_CELLS 10000)", "LIFETIME(300)"), getPairs("pcache"), pairs("phashed", "COMPLEX_KEY_HASHED()", "LIFETIME(0)"), getPairs("phashed"),
		"CREATE DICTIONARY asked (id UInt64, name String) PRIMARY KEY id " + source("QUERY 'SELECT id, upper(name) AS name FROM default.users WHERE id < 10'") + " LAYOUT(HASHED()) LIFETIME(0)",
		"SELECT count(), min(name) FROM asked",
		"CREATE DICTIONARY filtered (id UInt64, name String) PRIMARY KEY id " + source("TABLE 'users' WHERE 'age = 1'") + " LAYOUT(HASHED()) LIFETIME(0)",
		"SELECT count(), min(name) FROM filtered",
		"CREATE DICTIONARY absent (id UInt64, name String) PRIMARY KEY id " + source("TABLE 'missing'") + " LAYOUT(HASHED()) LIFETIME(0)",
		"SELECT dictGet('absent', 'name', toUInt64(1))",
		"SELECT dictGet('direct', 'name', toUInt64(77))",
		// Blocks of 65,409 keys make texts of megabytes.
		"SELECT uniqExact(dictGet('direct', 'name', number * 1000000007)) FROM numbers(150000)",
		"SELECT uniqExact(dictGet('direct', 'name', number)) AS many FROM numbers(150000)",
		"SELECT sum(dictGet('pdirect', 'v', (number % 10, concat('k', toString(number))))) AS many FROM numbers(150000)",
		"SELECT sum(dictGet('pcache', 'v', (number % 10, concat('k', toString(number))))) AS many FROM numbers(150000)"}
	for _, a := range peers.ClickHouse(t, "TSV", statements...) {
		expected, code := "", 0
		switch {
		case strings.Contains(a.SQL, "'asked'") || strings.HasSuffix(a.SQL, "FROM asked"):
			expected = "9\tUSER-1\n"
		case strings.HasSuffix(a.SQL, "FROM filtered"):
			expected = "10\tuser-1\n"
		case strings.Contains(a.SQL, "dictGet('absent'"):
			code = 60
		case strings.Contains(a.SQL, "1000000007"):
			expected = "1\n"
		case strings.Contains(a.SQL, "uniqExact(dictGet('direct', 'name', number)) AS many"):
			expected = "1001\n"
		case strings.Contains(a.SQL, "AS many"):
			expected = "499500\n"
		case strings.HasSuffix(a.SQL, "toUInt64(77))"):
			expected = "user-77\n"
		case strings.HasSuffix(a.SQL, "numbers(1500)"):
			expected = want
		case strings.HasSuffix(a.SQL, "numbers(1000)"):
			expected = wantPairs
		}
		if a.Out != expected || a.Code != code {
			t.Errorf("%s: want %q, code %d; got %+v", a.SQL, expected, code, a)
		}
	}
	asked, all := 0, 0
	for _, q := range r.take() {
		switch {
		case !strings.Contains(q.sql, " IN ("):
			all++
		default:
			asked++
			if keys := strings.Count(q.sql[strings.Index(q.sql, " IN ("):], ", ") + 1; int(q.read) > keys {
				t.Errorf("a query for at most %d keys has read %d rows: %.200s", keys, q.read, q.sql)
			}
		}
	}
	if asked < 6 || all > 6 { // hashed, phashed, asked, filtered, absent
		t.Errorf("%d queries for keys, %d for all rows", asked, all)
	}
}
