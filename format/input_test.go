package format

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"dictsvc/column"
	"dictsvc/errcode"
)

// TestInputRecorded reads rows as ClickHouse 26.7 did for SELECT * FROM format(F, structure, rows), at once and a byte at a time.
func TestInputRecorded(t *testing.T) {
	f, err := os.Open("testdata/input.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	n := 0
	for lines.Scan() {
		var c struct {
			Format, Structure, Rows, Out, Error string
			Code                                errcode.Code
		}
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		n++
		for _, r := range []io.Reader{strings.NewReader(c.Rows), iotest.OneByteReader(strings.NewReader(c.Rows))} {
			out, err := copyRows(t, c.Format, r, c.Structure)
			switch {
			case errcode.Of(err) != c.Code:
				t.Errorf("%s, %s, %q: got %q, error %v, want %q, code %d %s", c.Format, c.Structure, c.Rows, out, err, c.Out, c.Code, c.Error)
			case err == nil && out != c.Out:
				t.Errorf("%s, %s, %q:\ngot  %q\nwant %q", c.Format, c.Structure, c.Rows, out, c.Out)
			case err != nil && strings.HasPrefix(c.Error, "Cannot parse input") && !strings.HasPrefix(err.Error(), c.Error):
				t.Errorf("%s, %s, %q:\ngot error  %q\nwant error %q", c.Format, c.Structure, c.Rows, err.Error(), c.Error)
			}
		}
	}
	if n < 80 {
		t.Errorf("only %d inputs compared", n)
	}
}

// copyRows reads rows and writes them as TabSeparated.
func copyRows(t *testing.T, name string, r io.Reader, cols string) (string, error) {
	names, types := structure(t, cols)
	in, err := NewReader(name, r, names, types)
	if err != nil {
		return "", err
	}
	var out bytes.Buffer
	w, err := NewWriter("TSV", &out)
	if err != nil {
		return "", err
	}
	if err := w.Header(column.Empty(names, types)); err != nil {
		return "", err
	}
	for {
		b, err := in.Next()
		if err == io.EOF {
			return out.String(), w.Close()
		}
		if err != nil {
			return out.String(), err
		}
		if err := w.Block(b); err != nil {
			return "", err
		}
	}
}
