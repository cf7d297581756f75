package sql

import (
	"os"
	"strings"
	"testing"

	"dictsvc/errcode"
)

// statements reads the lines of a file in testdata that are not headings.
func statements(t testing.TB, name string) []string {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, line := range strings.Split(string(text), "\n") {
		if line != "" && !strings.HasPrefix(line, "##") {
			list = append(list, line)
		}
	}
	return list
}

func TestValidStatementsParse(t *testing.T) {
	for _, text := range statements(t, "valid.txt") {
		if _, err := Parse(text, Options{}); err != nil {
			t.Errorf("%s\n\t%v", text, err)
		}
	}
}

func TestInvalidStatementsFail(t *testing.T) {
	for _, text := range statements(t, "invalid.txt") {
		stmt, err := Parse(text, Options{})
		if err == nil {
			t.Errorf("%s\n\tparsed as %s", text, Format(stmt))
			continue
		}
		if code := errcode.Of(err); code != errcode.SyntaxError {
			t.Errorf("%s\n\tcode %d: %v", text, code, err)
		}
	}
}

// TestFormatIsStable checks that formatted text parses to a tree that formats to the same text, on one line and on several.
func TestFormatIsStable(t *testing.T) {
	for _, file := range []string{"valid.txt", "expressions.txt"} {
		for _, text := range statements(t, file) {
			stmt, err := Parse(text, Options{})
			if err != nil {
				t.Errorf("%s\n\t%v", text, err)
				continue
			}
			one := Format(stmt)
			for _, formatted := range []string{one, FormatPretty(stmt)} {
				again, err := Parse(formatted, Options{})
				if err != nil {
					t.Errorf("%s\n\tformatted: %s\n\t%v", text, formatted, err)
				} else if got := Format(again); got != one {
					t.Errorf("%s\n\tformatted: %s\n\tand again: %s", text, one, got)
				}
			}
		}
	}
}
