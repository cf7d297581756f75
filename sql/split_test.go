package sql

import (
	"fmt"
	"strings"
	"testing"
)

func TestParseMulti(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"", nil},
		{" ; ;; -- nothing\n", nil},
		{"SELECT 1", []string{"SELECT 1"}},
		{"SELECT 1;SELECT 'a;b' ; /* ; */ SELECT 3;", []string{"SELECT 1", "SELECT 'a;b'", "SELECT 3"}},
		{"INSERT INTO t VALUES (1, ';'), (2, 'x'); SELECT 1", []string{"INSERT INTO t VALUES (1, ';'), (2, 'x')", "SELECT 1"}},
		{"INSERT INTO t FORMAT CSV\n1;2\n;SELECT 1", []string{"INSERT INTO t FORMAT CSV\n1;2\n;SELECT 1"}},
		{"INSERT INTO t SELECT 1; SELECT 2", []string{"INSERT INTO t SELECT 1", "SELECT 2"}},
		{"DROP TABLE a; CREATE TABLE a (x UInt8) ENGINE = Memory; GRANT SELECT ON a TO b; SELECT 1", []string{
			"DROP TABLE a", "CREATE TABLE a (x UInt8) ENGINE = Memory", "GRANT SELECT ON a TO b", "SELECT 1"}},
	} {
		parts, err := ParseMulti(c.text, Options{})
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		var got []string
		for _, p := range parts {
			got = append(got, p.Text)
			if !strings.HasPrefix(c.text[p.Offset:], p.Text) {
				t.Errorf("%q: offset %d does not lead to %q", c.text, p.Offset, p.Text)
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(c.want) || len(got) != len(c.want) {
			t.Errorf("%q\n\tgot  %q\n\twant %q", c.text, got, c.want)
		}
	}
}

func TestParseMultiStopsAtTheFirstError(t *testing.T) {
	parts, err := ParseMulti("SELECT 1; SELEC 2; SELECT 3", Options{})
	if err == nil || len(parts) != 1 {
		t.Fatalf("got %d parts, %v", len(parts), err)
	}
}

func TestInsertData(t *testing.T) {
	for _, c := range []struct{ text, format, data string }{
		{"INSERT INTO t VALUES (1, 'a'), (2, 'b')", "Values", "(1, 'a'), (2, 'b')"},
		{"INSERT INTO t (a) VALUES(1);", "Values", "(1)"},
		{"INSERT INTO t VALUES\n  ('it''s', 'a\\';b')", "Values", "  ('it''s', 'a\\';b')"},
		{"INSERT INTO t VALUES", "Values", ""},
		{"INSERT INTO t FORMAT JSONEachRow {\"a\": 'unclosed", "JSONEachRow", "{\"a\": 'unclosed"},
		{"INSERT INTO t FORMAT TSV\n1\t2\n\n3", "TSV", "1\t2\n\n3"},
		{"INSERT INTO t FORMAT TSV \r\n\n1", "TSV", "\n1"},
		{"INSERT INTO t FORMAT Native", "Native", ""},
		{"INSERT INTO t (a) SETTINGS async_insert = 1 FORMAT CSV\n1", "CSV", "1"},
		{"INSERT INTO t FORMAT CSV SETTINGS async_insert = 1\n1,2", "CSV", "1,2"},
	} {
		stmt, err := Parse(c.text, Options{})
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		ins := stmt.(*Insert)
		if !ins.HasData || ins.Format != c.format || c.text[ins.DataOffset:ins.DataEnd] != c.data {
			t.Errorf("%q: got format %q, data %q", c.text, ins.Format, c.text[ins.DataOffset:ins.DataEnd])
		}
	}
}
