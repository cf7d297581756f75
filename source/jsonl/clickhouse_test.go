package jsonl

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"dictsvc/column"
	"dictsvc/errcode"
)

// answer is a line of testdata/clickhouse.jsonl: what ClickHouse 26.7 makes of
// SELECT * FROM format(JSONEachRow, 'columns', 'json') FORMAT TSV, and what is made of it here on purpose where that differs.
type answer struct {
	Columns, JSON    string
	ClickHouse, Ours string // the output, or "code N"
	Why              string
}

// A time of day without a date is one of the current year.
const thisYear = "(this year)"

func TestAsClickHouse(t *testing.T) {
	f, err := os.Open("testdata/clickhouse.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	n := 0
	for lines := bufio.NewScanner(f); lines.Scan(); n++ {
		var a answer
		if err := json.Unmarshal(lines.Bytes(), &a); err != nil {
			t.Fatal(err)
		}
		want := a.ClickHouse
		if a.Why != "" {
			want = a.Ours
		}
		for _, o := range []Options{{}, {ChunkSize: 3}, {general: true}} {
			got := ours(t, a, o)
			if got != want && want != thisYear {
				t.Errorf("%s, chunks of %d, general path: %v: got %q, want %q", lines.Bytes(), o.ChunkSize, o.general, got, want)
			}
		}
	}
	if n < 600 {
		t.Errorf("%d cases; want at least 600", n)
	}
}

func ours(t *testing.T, a answer, o Options) string {
	for _, spec := range splitColumns(a.Columns) {
		name, typ, _ := strings.Cut(spec, " ")
		o.Columns = append(o.Columns, Column{Name: name, Type: column.MustParse(typ)})
	}
	r, err := New(strings.NewReader(a.JSON), o)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var out []byte
	for {
		b, err := r.Next(t.Context())
		if errors.Is(err, io.EOF) {
			return string(out)
		}
		if err != nil {
			return fmt.Sprintf("code %d", int(errcode.Of(err)))
		}
		for i := range b.Rows {
			for k, c := range b.Cols {
				if k > 0 {
					out = append(out, '\t')
				}
				out = column.AppendText(out, c, i, column.TextTSV)
			}
			out = append(out, '\n')
		}
	}
}

// TestInferAsClickHouse compares with what DESCRIBE format(JSONEachRow, 'json') answers.
func TestInferAsClickHouse(t *testing.T) {
	f, err := os.Open("testdata/infer.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	n := 0
	for lines := bufio.NewScanner(f); lines.Scan(); n++ {
		var a answer
		if err := json.Unmarshal(lines.Bytes(), &a); err != nil {
			t.Fatal(err)
		}
		want := a.ClickHouse
		if a.Why != "" {
			want = a.Ours
		}
		cols, err := InferReader(strings.NewReader(a.JSON), InferOptions{MakeNullable: true})
		var got []string
		for _, c := range cols {
			got = append(got, c.Name+" "+c.Type.String())
		}
		if err != nil {
			got = []string{fmt.Sprintf("code %d", int(errcode.Of(err)))}
		}
		if s := strings.Join(got, ", "); s != want {
			t.Errorf("%s: got %s (%v), want %s", a.JSON, s, err, want)
		}
	}
	if n < 80 {
		t.Errorf("%d cases; want at least 80", n)
	}
}

// splitColumns splits a list of columns at its commas outside of brackets.
func splitColumns(s string) []string {
	depth, start := 0, 0
	var list []string
	for i, c := range s {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		case ',':
			if depth == 0 {
				list = append(list, strings.TrimSpace(s[start:i]))
				start = i + 1
			}
		}
	}
	return append(list, strings.TrimSpace(s[start:]))
}
