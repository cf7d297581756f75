package query

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"dictsvc/errcode"
)

// bomb is a WITH of aliases, each made of the one before twice.
func bomb(first, twice string, levels int) string {
	var sb strings.Builder
	fmt.Fprintf(&sb, "WITH %s AS a0", first)
	for i := range levels {
		fmt.Fprintf(&sb, ", %s AS a%d", strings.ReplaceAll(twice, "X", fmt.Sprintf("a%d", i)), i+1)
	}
	return sb.String()
}

// Aliases that double each other end with an error, or in no time.
func TestAliasBombs(t *testing.T) {
	s := newTestSession(t, Config{})
	for _, c := range []struct {
		first, twice, rest string
		code               errcode.Code
	}{
		{"(1, 1)", "(X, X)", "a40", errcode.MemoryLimitExceeded},
		{"(number, number)", "(X, X)", "a40 FROM numbers(10)", errcode.MemoryLimitExceeded},
		{"[1, 1]", "[X, X]", "a40", errcode.MemoryLimitExceeded},
		{"map(1, 1)", "map(X, X)", "a40", errcode.MemoryLimitExceeded},
		{"'xxxxxxxx'", "concat(X, X)", "length(a40)", errcode.MemoryLimitExceeded},
		{"toString(number)", "concat(X, X)", "length(a40) FROM numbers(10)", errcode.MemoryLimitExceeded},
		{"number", "X + X", "sum(a40), a40, a39 FROM numbers(10) GROUP BY a40, a39", 0},
		{"number", "X + X", "a40 + count() FROM numbers(10) GROUP BY ALL", 0},
		{"number", "if(X > 1, X, X)", "a40 FROM numbers(10) WHERE a40 > 1 ORDER BY a39", 0},
		{"arrayJoin([1, 2])", "X + X", "a40", 0},
		{"count()", "X + X", "1 WHERE a40 > 1", errcode.IllegalAggregation},
	} {
		text := bomb(c.first, c.twice, 40) + " SELECT " + c.rest + " SETTINGS max_memory_usage = 100000000"
		begin := time.Now()
		_, err := runText(s, text)
		if c.code == 0 && err != nil || c.code != 0 && errcode.Of(err) != c.code {
			t.Errorf("%s: want code %d, got %.200v", text, c.code, err)
		}
		if took := time.Since(begin); took > 4*time.Second*slowness {
			t.Errorf("%s: took %v", text, took)
		}
	}
	text := bomb("1", "[X]", 400) + " SELECT a400"
	if _, err := runText(s, text); errcode.Of(err) != errcode.TooDeepRecursion {
		t.Errorf("types nested deep: got %.200v", err)
	}
}

// Whatever holds memory counts it.
func TestMemoryLimits(t *testing.T) {
	s := newTestSession(t, Config{})
	for _, text := range []string{
		"SELECT length(range(50000000))",
		"SELECT length(repeat('x', 50000000))",
		"SELECT length(repeat(toString(number), 50000000)) FROM numbers(1)",
		"SELECT length(leftPad(toString(number), 50000000)) FROM numbers(1)",
		"SELECT length(space(materialize(50000000)))",
		"SELECT length(range(materialize(50000000)))",
		"SELECT length(arrayResize([number], 50000000)) FROM numbers(1)",
		"SELECT length(arrayWithConstant(50000000, number)) FROM numbers(1)",
		"SELECT length(format('{0}{0}{0}{0}{0}', repeat('x', 9000000)))",
		"SELECT length(replaceAll(repeat('x', 9000000), 'x', 'yyyyyyyy'))",
		"SELECT length(replaceRegexpAll(repeat('x', 2000000), 'x', repeat('y', 100)))",
		"SELECT length(splitByChar('x', repeat('x', 9000000)))",
		"SELECT length(arrayMap(x -> range(x), range(10000)))",
		"SELECT arrayReduceInRanges('groupArray', arrayMap(x -> (1, 10000), range(10000)), range(10000))",
		"SELECT number FROM numbers(10000000) LIMIT 1 BY number",
		"SELECT number FROM numbers(10000000) LIMIT 1 BY toString(number)",
		"SELECT DISTINCT number FROM numbers(10000000)",
		"SELECT * FROM (SELECT number FROM numbers(10) INTERSECT SELECT number FROM numbers(10000000))",
		"SELECT * FROM (SELECT number FROM numbers(10000000) EXCEPT SELECT number FROM numbers(10))",
		"SELECT count() FROM (SELECT number FROM numbers(10000000) UNION DISTINCT SELECT number FROM numbers(10))",
		"SELECT count() FROM numbers(10) WHERE number IN (SELECT number FROM numbers(10000000))",
		"SELECT number FROM numbers(10000000) ORDER BY sipHash64(number)",
		"SELECT sum(number) OVER (ORDER BY sipHash64(number)) FROM numbers(10000000)",
		"SELECT sipHash64(number) AS k, count() FROM numbers(10000000) GROUP BY k",
		"SELECT count() FROM numbers(10000000) GROUP BY CUBE(number, number % 2, number % 3)",
		"SELECT groupArray(number) FROM numbers(20000000)",
		"SELECT groupUniqArray(number) FROM numbers(20000000)",
		"SELECT uniqExact(number) FROM numbers(20000000)",
		"SELECT quantileExact(number) FROM numbers(20000000)",
		"SELECT a.number FROM numbers(10) AS a JOIN numbers(10000000) AS b ON a.number = b.number",
	} {
		noLeak(t, func() {
			set := " SETTINGS "
			if strings.Contains(text, set) {
				set = ", "
			}
			err := s.Run(context.Background(), Request{SQL: text + set + "max_memory_usage = 30000000", Stage: StageComplete}, discard{})
			if errcode.Of(err) != errcode.MemoryLimitExceeded {
				t.Errorf("%s: got %.200v", text, err)
			}
		})
	}
}

// What streams through a small limit does so: blocks are cut where functions make much of little.
func TestBlocksAreCut(t *testing.T) {
	s := newTestSession(t, Config{})
	for text, want := range map[string]string{
		"SELECT count() FROM (SELECT arrayJoin(range(10000)) AS x FROM numbers(1000))":               "10000000",
		"SELECT sum(length(repeat('a', number))) FROM numbers(20000)":                                "199990000",
		"SELECT max(length(concat(repeat('a', 10000), toString(number)))) FROM numbers(20000)":       "10005",
		"SELECT length(max(repeat('a', 100000))) FROM numbers(10000)":                                "100000",
		"SELECT sum(arraySum(arrayMap(x -> length(repeat('ab', x)), range(1000)))) FROM numbers(10)": "9990000",
		"SELECT sum(length(range(number % 1000))) FROM numbers(100000)":                              "49950000",
	} {
		got, err := runText(s, text+" SETTINGS max_memory_usage = 300000000, max_threads = 1")
		if err != nil || got != want {
			t.Errorf("%s: want %s, got %s, %v", text, want, got, err)
		}
	}
}

// A function that works long on one value or one block ends when its query does.
func TestLongCallsEnd(t *testing.T) {
	s := newTestSession(t, Config{})
	for _, text := range []string{
		"SELECT editDistance(repeat('a', 65000), repeat('b', 65000)), editDistanceUTF8(repeat('a', 65000), repeat('b', 65000))",
		"SELECT damerauLevenshteinDistance(concat(repeat('a', 65000), toString(number)), repeat('b', 65000)) FROM numbers(1000)",
		"SELECT jaroSimilarity(repeat('a', 65000), concat(repeat('b', 65000), toString(number))) FROM numbers(1000)",
		"SELECT arraySort(x -> sipHash64(x), range(20000000))",
		"SELECT arraySort(x -> sipHash64(x + number), range(100000)) FROM numbers(1000)",
		"SELECT match(repeat('a', 100000000), '(a|aa)*(a|aa)*(b{100}){10}$')",
		"SELECT length(replaceRegexpAll(repeat('ab', 50000000), 'a', 'c'))",
		"SELECT length(extractAll(repeat('ab', 50000000), '(a)b'))",
		"SELECT like(repeat('a', 1000000), concat('%', repeat('a', 100000), '_b%'))",
		"SELECT countSubstrings(repeat('ab', 100000000), 'ab') + countSubstrings(repeat('ab', 100000001), 'ab')",
		"SELECT arrayReduceInRanges('sum', arrayMap(x -> (1, 100000), range(100000)), range(100000))",
		"SELECT arrayMap(x -> arrayMap(y -> arrayMap(z -> x + y + z, range(1000)), range(1000)), range(1000))",
		"SELECT arrayFold((a, x) -> a + x, range(1000000), toUInt64(0)) FROM numbers(1000000)",
		"SELECT hasSubstr(arrayWithConstant(10000000, 1), arrayConcat(arrayWithConstant(100000, 1), [7]))",
		"SELECT sumForEach(materialize(range(1000))) FROM numbers(100000000)",
		"SELECT arrayDistinct(arrayMap(x -> sipHash64(x), range(30000000)))",
	} {
		ctx, cancel := context.WithCancel(context.Background())
		var at time.Time
		timer := time.AfterFunc(300*time.Millisecond, func() { at = time.Now(); cancel() })
		err := s.Run(ctx, Request{SQL: text, Stage: StageComplete}, discard{})
		if timer.Stop() {
			t.Errorf("%s: it was done before it could be cancelled, %v", text, err)
			cancel()
			continue
		}
		<-ctx.Done()
		took := time.Since(at)
		if errcode.Of(err) != errcode.QueryWasCancelled {
			t.Errorf("%s: want a cancelled query, got %.200v", text, err)
		}
		if took > cancelLimit {
			t.Errorf("%s: ended %v after it was cancelled", text, took)
		}
		t.Logf("%6d ms: %s", took.Milliseconds(), text)
	}
}

// A view does not come to read itself.
func TestViewCycles(t *testing.T) {
	s := newTestSession(t, Config{})
	query(t, s, "CREATE VIEW v1 AS SELECT 1 AS x")
	query(t, s, "CREATE VIEW v2 AS SELECT * FROM v1")
	query(t, s, "CREATE VIEW v3 AS SELECT * FROM (SELECT * FROM v2)")
	for _, text := range []string{"CREATE OR REPLACE VIEW v1 AS SELECT * FROM v1", "CREATE OR REPLACE VIEW v1 AS SELECT * FROM v2", "CREATE OR REPLACE VIEW v1 AS SELECT x FROM v3"} {
		fails(t, s, text, errcode.InfiniteLoop)
	}
	query(t, s, "CREATE OR REPLACE VIEW v2 AS SELECT x + 1 AS x FROM v1")
	if r := query(t, s, "SELECT * FROM v3"); r.lines[0] != "2" {
		t.Errorf("got %v", r.lines)
	}
}

// LIKE of SHOW takes time in proportion, whatever the pattern.
func TestLikeOfNames(t *testing.T) {
	for _, c := range []struct {
		pattern, s string
		want       bool
	}{
		{"", "", true}, {"%", "", true}, {"_", "", false}, {"a%c", "abc", true}, {"a%c", "abcd", false}, {"%b%", "abc", true}, {"a_c", "abc", true},
		{`a\_c`, "abc", false}, {`a\_c`, "a_c", true}, {`a\%`, "a%", true}, {"%a%a", "aba", true}, {"abc%", "abc", true}, {"%%", "x", true}, {`a\`, `a\`, true},
		{strings.Repeat("%a", 50) + "%b", strings.Repeat("a", 1000), false},
	} {
		if got := like(c.pattern, c.s); got != c.want {
			t.Errorf("%s LIKE %s: got %v", c.s, c.pattern, got)
		}
	}
}

// Errors name what may have been meant.
func TestSuggestions(t *testing.T) {
	s := newTestSession(t, Config{})
	query(t, s, "CREATE TABLE tbl1 (x UInt8) ENGINE = Memory")
	for text, want := range map[string]string{
		"SELECT * FROM tbl2":                          "Maybe you meant default.tbl1?",
		"DROP TABLE tbl2":                             "Table default.tbl2 does not exist. Maybe you meant default.tbl1?",
		"INSERT INTO tbl2 VALUES (1)":                 "Maybe you meant default.tbl1?",
		"SHOW CREATE TABLE tbl2":                      "Maybe you meant default.tbl1?",
		"SELECT * FROM defaul.tbl1":                   "Database defaul does not exist. Maybe you meant default?",
		"USE defaul":                                  "Maybe you meant default?",
		"SET max_thread = 1":                          "Unknown setting 'max_thread': Maybe you meant ['max_threads']",
		"SELECT 1 SETTINGS max_blok_size = 1":         "Maybe you meant ['max_block_size','max_query_size']",
		"CREATE TABLE tt (x Int8) ENGINE = Memry":     "Unknown table engine Memry. Maybe you meant: ['Memory']",
		"INSERT INTO tbl1 FORMAT TabSepareted 1":      "Maybe you meant: ['TabSeparated','TabSeparatedRaw']",
		"SELECT * FROM nosuchtableofanyname":          "Unknown table expression identifier 'nosuchtableofanyname' in scope SELECT * FROM nosuchtableofanyname",
		"SELECT 1 SETTINGS nosuchsettingofanyname =1": "Unknown setting 'nosuchsettingofanyname'",
	} {
		_, err := runText(s, text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: want %s, got %v", text, want, err)
		}
	}
}
