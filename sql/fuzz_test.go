package sql

import (
	"strconv"
	"strings"
	"testing"
)

// FuzzParse checks that no text makes the parser panic or hang, and that what it accepts formats to a text that
// parses to the same again.
func FuzzParse(f *testing.F) {
	for _, file := range []string{"valid.txt", "invalid.txt", "expressions.txt"} {
		for _, text := range statements(f, file) {
			f.Add(text)
		}
	}
	for _, text := range []string{ // found by earlier runs
		"SELECT 0000A()%00000 GROUP BY ROLLUP()", "SELECT 0 IN()", "CREATE DICTIONARY A(A A)PRIMARY KEY()",
		"CREATE DICTIONARY A(A A,A A(A))PRIMARY KEY A%A0000000%A%A00", "SELECT''. 0", "SELECT 0 IN().0", "SYSTEM RELOAD DICTIONARY''",
		"SELECT INTERVAL H", "CREATE TABLE A(A A,A DEFAULT'',A MATERIALIZED (),A AL)AS 0A", "INSERT INTO 1.",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 4096 {
			return
		}
		_, _ = ParseMulti(text, Options{})
		stmt, err := Parse(text, Options{})
		if err != nil {
			return
		}
		_ = ExplainAST(stmt)
		FormatPretty(stmt)
		if q, ok := stmt.(*SelectQuery); ok && q.Single() != nil {
			for _, column := range q.Single().Columns {
				ColumnName(column)
			}
		}
		if _, generic := stmt.(*GenericStatement); generic {
			return
		}
		one := Format(stmt)
		again, err := Parse(one, Options{MaxASTDepth: 5000, MaxDepth: 5000})
		if err != nil {
			t.Fatalf("%q formats to %q, which fails: %v", text, one, err)
		}
		if two := Format(again); two != one {
			t.Fatalf("%q formats to %q, and that to %q", text, one, two)
		}
	})
}

// inList is SELECT ... IN with n integers.
func inList(n int) string {
	var b strings.Builder
	b.WriteString("SELECT a IN (")
	for i := range n {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(strconv.Itoa(i * 7919))
	}
	b.WriteString(")")
	return b.String()
}

func BenchmarkParse(b *testing.B) {
	for _, c := range []struct{ name, text string }{
		{"dictGet", "SELECT dictGet('d', 'v', toUInt64(1))"},
		{"select", "SELECT a, count() AS c, sum(b * 2 + 1) FROM db.t AS t LEFT JOIN u USING (id) WHERE a > 1 AND s LIKE 'x%' GROUP BY a ORDER BY c DESC LIMIT 10"},
		{"in100k", inList(100000)},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(c.text)))
			for b.Loop() {
				if _, err := Parse(c.text, Options{MaxQuerySize: 4 << 20}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
