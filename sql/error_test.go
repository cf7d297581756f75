package sql

import (
	"strings"
	"testing"

	"dictsvc/errcode"
)

// TestErrorsEqualClickHouse compares the place, the token and the text of syntax errors with those of ClickHouse 26.7, up to the
// list of what was expected: that list depends on the order in which a parser tries things.
func TestErrorsEqualClickHouse(t *testing.T) {
	lines := statements(t, "errors.txt")
	if len(lines) < 40 {
		t.Fatalf("only %d lines", len(lines))
	}
	for _, line := range lines {
		fields := strings.SplitN(line, "\t", 3)
		_, err := ParseMulti(fields[0], Options{})
		if errcode.Of(err) != errcode.SyntaxError {
			t.Errorf("%s: got %v", fields[0], err)
			continue
		}
		got := err.Error()
		if at := strings.Index(got, "Expected"); at >= 0 {
			got = got[:at+len("Expected")]
		}
		if got != fields[2] {
			t.Errorf("%s\n\tgot  %s\n\twant %s", fields[0], got, fields[2])
		}
	}
}

func TestErrorNamesWhatWasExpected(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"SELECT a FROM t GROUP a", "Syntax error: failed at position 23 (a): a. Expected BY"},
		{"DROP DICTIONARY IF d", "Syntax error: failed at position 20 (d): d. Expected one of: EXISTS, EMPTY, ON CLUSTER, PERMANENTLY, SYNC, NO DELAY, SETTINGS, end of query"},
		{"SELECT 1\nFROM t\nGROUP x", "Syntax error: failed at position 23 (x) (line 3, col 7): x. Expected BY"},
	} {
		_, err := Parse(c.text, Options{})
		if err == nil || err.Error() != c.want {
			t.Errorf("%q\n\tgot  %v\n\twant %s", c.text, err, c.want)
		}
	}
}
