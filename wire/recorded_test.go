package wire

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"dictsvc/column"
)

// testdata/*.native are what ClickHouse 26.7 wrote for the statements of testdata/native.sql. Read and written again they must be the same bytes.
func TestRecordedNative(t *testing.T) {
	files, err := filepath.Glob("testdata/*.native")
	if err != nil || len(files) < 3 {
		t.Fatalf("want 3 recorded files or more, got %v, %v", files, err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		r := newBytesInput(data)
		cols, rows := r.uvarint(), r.uvarint()
		var w output
		w.uvarint(cols)
		w.uvarint(rows)
		for ; cols > 0; cols-- {
			col, typ := r.str("name", 1000), r.str("type", 1000)
			w.str(col)
			w.str(typ)
			from, start := r.pos, len(w.buf)
			c := readColumn(r, column.MustParse(typ), int(rows))
			if r.err != nil {
				t.Fatalf("%s: column %s %s: %v", name, col, typ, r.err)
			}
			writeColumn(&w, c)
			if !bytes.Equal(data[from:r.pos], w.buf[start:]) {
				t.Errorf("%s: column %s %s: read %x, written %x", name, col, typ, data[from:r.pos], w.buf[start:])
			}
			if want, ok := recordedValues[col]; ok {
				if got := column.AppendImage(nil, c, 1); string(got) != want {
					t.Errorf("%s: column %s: want image %x in row 1, got %x", name, col, want, got)
				}
			}
		}
		if r.pos != len(data) || !bytes.Equal(w.buf, data) {
			t.Errorf("%s: %d of %d bytes read, %d written", name, r.pos, len(data), len(w.buf))
		}
	}
}

// recordedValues are the images of row 1, which number = 1 made.
var recordedValues = map[string]string{
	"u8": "\x01", "s": "\x011", "fs": "1\x00\x00", "nu": "\x00\x01\x00\x00\x00\x00\x00\x00\x00", "n": "\x01", "lcn": "\x00\x01z",
	"t": "\x01\x00\x00\x00\x00\x00\x00\x00\x01x", "d32": "\x64\x00\x00\x00",
}
