package sql

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"dictsvc/errcode"
)

// recorded is a statement with what ClickHouse answered.
type recorded struct{ text, answer string }

// readRecorded reads a file of "-- statement" lines, each with ClickHouse's answer under it.
func readRecorded(t testing.TB, name string) []recorded {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var list []recorded
	for _, part := range strings.Split("\n"+string(data), "\n-- ")[1:] {
		text, answer, _ := strings.Cut(part, "\n")
		list = append(list, recorded{text, strings.TrimRight(answer, "\n") + "\n"})
	}
	if len(list) < 50 {
		t.Fatalf("%s: only %d statements", name, len(list))
	}
	return list
}

// TestExplainASTEqualsClickHouse compares trees, and error codes, with those that ClickHouse 26.7 gave for the same statements.
func TestExplainASTEqualsClickHouse(t *testing.T) {
	for _, file := range []string{"explain_ast_expressions.txt", "explain_ast_operands.txt", "explain_ast_select.txt"} {
		for _, r := range readRecorded(t, file) {
			stmt, err := Parse(r.text, Options{})
			if want, ok := strings.CutPrefix(r.answer, "code: "); ok {
				if code, _ := strconv.Atoi(strings.TrimSpace(want)); int(errcode.Of(err)) != code {
					t.Errorf("%s: %s\n\twant code %d, got %v", file, r.text, code, err)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s: %s\n\t%v", file, r.text, err)
				continue
			}
			if got := ExplainAST(stmt); got != r.answer {
				t.Errorf("%s: %s\ngot:\n%swant:\n%s", file, r.text, got, r.answer)
			}
		}
	}
}
