package format

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"dictsvc/column"
)

// structure parses "name Type, name Type".
func structure(t *testing.T, s string) (names []string, types []*column.Type) {
	t.Helper()
	tuple, err := column.Parse("Tuple(" + s + ")")
	if err != nil {
		t.Fatal(err)
	}
	return tuple.Names, tuple.Elems
}

// readAll reads rows, in blocks of at most so many.
func readAll(t *testing.T, set *Settings, name, text, cols string) ([]*column.Block, error) {
	t.Helper()
	names, types := structure(t, cols)
	r, err := set.NewReader(name, strings.NewReader(text), names, types)
	if err != nil {
		return nil, err
	}
	var blocks []*column.Block
	for {
		b, err := r.Next()
		if errors.Is(err, io.EOF) {
			return blocks, nil
		}
		if err != nil {
			return nil, err
		}
		blocks = append(blocks, b)
	}
}

// TestRecorded compares whole results with ClickHouse 26.7's: SELECT * FROM format(TSV, structure, rows) SETTINGS ... FORMAT ..., statistics off.
func TestRecorded(t *testing.T) {
	f, err := os.Open("testdata/output.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	n := 0
	for lines.Scan() {
		var c struct {
			Structure, Rows, Format, Out string
			Settings                     map[string]string
		}
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		n++
		blocks, err := readAll(t, FromSettings(func(name string) string { return c.Settings[name] }), "TSV", c.Rows, c.Structure)
		if err != nil {
			t.Errorf("%s: %v", c.Structure, err)
			continue
		}
		set := FromSettings(func(name string) string { return c.Settings[name] })
		set.JSONStatistics = false
		var out bytes.Buffer
		w, err := set.NewWriter(c.Format, &out)
		if err != nil {
			t.Fatal(err)
		}
		names, types := structure(t, c.Structure)
		err = w.Header(column.Empty(names, types))
		for _, b := range blocks {
			half := b.Rows / 2 // the text must not depend on how rows are cut into blocks
			err = errors.Join(err, w.Block(b.Slice(0, half)), w.Block(b.Slice(half, b.Rows)))
		}
		if err = errors.Join(err, w.Close()); err != nil {
			t.Fatal(err)
		}
		if out.String() != c.Out {
			t.Errorf("%s, %s %v:\ngot\n%s\nwant\n%s", c.Structure, c.Format, c.Settings, out.String(), c.Out)
		}
	}
	if n < 100 {
		t.Errorf("only %d results compared", n)
	}
}
