package sql

import (
	"strings"
	"testing"
)

// TestColumnNamesEqualClickHouse compares with the names that DESCRIBE (SELECT ... FROM t) gave on ClickHouse 26.7, where t has the
// columns a, s, d, arr, tup and m.
func TestColumnNamesEqualClickHouse(t *testing.T) {
	lines := statements(t, "column_names.txt")
	if len(lines) < 150 {
		t.Fatalf("only %d lines", len(lines))
	}
	for _, line := range lines {
		fields := strings.Split(line, "\t")
		stmt, err := Parse("SELECT "+fields[0], Options{})
		if err != nil {
			t.Errorf("%s: %v", fields[0], err)
			continue
		}
		names := Namer{Ident: func(id *Ident) string { return strings.TrimPrefix(id.Name(), "t.") }}
		var got []string
		for _, column := range stmt.(*SelectQuery).Single().Columns {
			got = append(got, names.Name(column))
		}
		if want := strings.Join(fields[1:], " | "); strings.Join(got, " | ") != want {
			t.Errorf("%s\n\tgot  %s\n\twant %s", fields[0], strings.Join(got, " | "), want)
		}
	}
}

func TestColumnNameWithoutNamer(t *testing.T) {
	e, err := ParseExpr("t.a + {p:UInt8}", Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := ColumnName(e), "plus(t.a, {p:UInt8})"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
