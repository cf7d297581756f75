package sql

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"dictsvc/errcode"
)

// TestHostileInput checks that deep, long and endless texts end quickly with the right code.
func TestHostileInput(t *testing.T) {
	repeat := strings.Repeat
	many := Options{MaxQuerySize: 64 << 20}
	for _, c := range []struct {
		name, text string
		code       errcode.Code
	}{
		{"round brackets", "SELECT " + repeat("(", 100000), errcode.TooDeepRecursion},
		{"matched round brackets", "SELECT " + repeat("(", 100000) + "1" + repeat(")", 100000), errcode.TooDeepRecursion},
		{"square brackets", "SELECT " + repeat("[", 100000) + repeat("]", 100000), errcode.TooDeepRecursion},
		{"calls", "SELECT " + repeat("f(", 100000), errcode.TooDeepRecursion},
		{"minus signs", "SELECT " + repeat("- ", 100000) + "a", errcode.TooDeepRecursion},
		{"NOT", "SELECT " + repeat("NOT ", 100000) + "a", errcode.TooDeepRecursion},
		{"CASE", "SELECT " + repeat("CASE ", 100000), errcode.TooDeepRecursion},
		{"INTERVAL", "SELECT " + repeat("INTERVAL ", 100000), errcode.TooDeepRecursion},
		{"INTERVAL with signs", "SELECT " + repeat("INTERVAL + ", 5000), errcode.TooDeepRecursion},
		{"subqueries", "SELECT " + repeat("(SELECT ", 100000), errcode.TooDeepRecursion},
		{"tables in brackets", "SELECT 1 FROM " + repeat("(", 100000), errcode.TooDeepRecursion},
		{"queries in brackets", repeat("(", 100000) + "SELECT 1", errcode.TooDeepRecursion},
		{"types", "SELECT a::" + repeat("Array(", 100000), errcode.TooDeepRecursion},
		{"settings of a source", "CREATE DICTIONARY d (a UInt8) PRIMARY KEY a SOURCE(A(" + repeat("K(", 100000), errcode.TooDeepRecursion},
		{"time zones", "SELECT a" + repeat(" AT TIME ZONE b", 100000), errcode.TooDeepRecursion},
		{"EXPLAIN", repeat("EXPLAIN ", 100000), errcode.TooDeepRecursion},
		{"sums", "SELECT a" + repeat(" + 1", 100000), errcode.TooDeepAST},
		{"casts", "SELECT a" + repeat("::String", 100000), errcode.TooDeepAST},
		{"elements", "SELECT a" + repeat("[1]", 100000), errcode.TooDeepAST},
		{"BETWEEN shares its left side", "SELECT a" + repeat(" BETWEEN 1 AND 2", 60), errcode.TooBigAST},
		{"long AND", "SELECT a" + repeat(" AND a", 100000), errcode.TooBigAST},
		{"many columns", "SELECT a" + repeat(", a", 100000), errcode.TooBigAST},
		{"unions", "SELECT 1" + repeat(" UNION ALL SELECT 1", 100000), errcode.TooBigAST},
		{"joins", "SELECT 1 FROM a" + repeat(", a", 100000), errcode.TooBigAST},
		{"quotes", "SELECT " + repeat("'", 100001), errcode.SyntaxError},
		{"comment", "SELECT /*" + repeat("/*", 100000), errcode.SyntaxError},
		{"null bytes", "SELECT " + repeat("\x00", 100000), errcode.SyntaxError},
	} {
		begin := time.Now()
		stmt, err := Parse(c.text, many)
		if errcode.Of(err) != c.code {
			t.Errorf("%s: want code %d, got %v, %v", c.name, c.code, stmt != nil, clipError(err))
		}
		if d := time.Since(begin); d > 3*time.Second {
			t.Errorf("%s: took %v", c.name, d)
		}
	}
}

func clipError(err error) string {
	if err == nil {
		return "no error"
	}
	return fmt.Sprintf("code %d: %s", errcode.Of(err), clip(err.Error(), 200))
}

// TestNestedReadings checks that syntax which may be read in two ways does not double the work at each level.
func TestNestedReadings(t *testing.T) {
	for _, text := range []string{
		"SELECT " + strings.Repeat("INTERVAL (", 60) + "1" + strings.Repeat(")", 60),
		"SELECT " + strings.Repeat("CASE (", 60) + "1" + strings.Repeat(")", 60),
		"SELECT " + strings.Repeat("CASE WHEN a THEN INTERVAL ", 100) + "1",
		"SELECT " + strings.Repeat("((SELECT ", 100) + "1" + strings.Repeat(")+1)", 100),
		"SELECT " + strings.Repeat("COLUMNS(a, COLUMNS(", 100) + "1" + strings.Repeat("))", 100),
		"SELECT " + strings.Repeat("CAST(a AS CAST(", 100),
		"WITH " + strings.Repeat("a(b, ", 100) + "1",
	} {
		begin := time.Now()
		_, err := Parse(text, Options{})
		if d := time.Since(begin); d > time.Second {
			t.Errorf("%s: took %v (%v)", clip(text, 60), d, err)
		}
	}
}

func TestQuerySizeLimit(t *testing.T) {
	long := "SELECT '" + strings.Repeat("x", 300000) + "'"
	_, err := Parse(long, Options{})
	if errcode.Of(err) != errcode.SyntaxError || !strings.HasPrefix(err.Error(), "Max query size exceeded (can be increased with the `max_query_size` setting): Syntax error: failed at position 8 (") {
		t.Errorf("got %s", clipError(err))
	}
	if _, err := Parse(long, Options{MaxQuerySize: 400000}); err != nil {
		t.Error(clipError(err))
	}
	// Data of INSERT does not count.
	if _, err := Parse("INSERT INTO t VALUES ('"+strings.Repeat("x", 300000)+"')", Options{}); err != nil {
		t.Error(clipError(err))
	}
}

func TestDepthLimitIsExact(t *testing.T) {
	text := "SELECT " + strings.Repeat("(", 50) + "1" + strings.Repeat(")", 50)
	if _, err := Parse(text, Options{MaxDepth: 60}); err != nil {
		t.Error(clipError(err))
	}
	_, err := Parse(text, Options{MaxDepth: 40})
	want := "Maximum parse depth (40) exceeded. Consider rising max_parser_depth parameter"
	if errcode.Of(err) != errcode.TooDeepRecursion || err.Error() != want {
		t.Errorf("got %s, want %s", clipError(err), want)
	}
}

// TestTreeLimitsAreClickHouses checks the last tree that passes and the first that does not, as tried on ClickHouse 26.7.
func TestTreeLimitsAreClickHouses(t *testing.T) {
	sum := func(n int) string { return "SELECT 1" + strings.Repeat("+1", n) }
	calls := func(n int) string {
		return "SELECT " + strings.Repeat("toString(", n) + "1" + strings.Repeat(")", n)
	}
	columns := func(n int) string { return "SELECT 1" + strings.Repeat(",1", n) }
	for _, c := range []struct {
		text string
		code errcode.Code
	}{
		{sum(497), 0}, {sum(498), errcode.TooDeepAST},
		{calls(497), 0}, {calls(498), errcode.TooDeepAST},
		{columns(49995), 0}, {columns(49996), errcode.TooBigAST},
		{inList(60000), errcode.SyntaxError}, // one element, but too long a text
	} {
		if _, err := Parse(c.text, Options{}); errcode.Of(err) != c.code {
			t.Errorf("%s: want code %d, got %s", clip(c.text, 20), c.code, clipError(err))
		}
	}
	if _, err := Parse(inList(60000), Options{MaxQuerySize: 1 << 20}); err != nil {
		t.Error(clipError(err))
	}
}
