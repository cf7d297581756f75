package sql

import (
	"strings"
	"testing"
)

// TestFormatEqualsClickHouse compares with what formatQuerySingleLine and formatQuery gave on ClickHouse 26.7.
func TestFormatEqualsClickHouse(t *testing.T) {
	for _, r := range readRecorded(t, "format.txt") {
		stmt, err := Parse(r.text, Options{})
		if err != nil {
			t.Errorf("%s\n\t%v", r.text, err)
			continue
		}
		one, several, _ := strings.Cut(strings.TrimSuffix(r.answer, "\n"), "\n")
		if got := Format(stmt); got != one {
			t.Errorf("%s\n\tgot  %s\n\twant %s", r.text, got, one)
		}
		if got := FormatPretty(stmt); got != several {
			t.Errorf("%s\ngot:\n%s\nwant:\n%s", r.text, got, several)
		}
	}
}
