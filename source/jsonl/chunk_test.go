package jsonl

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"

	"dictsvc/column"
	"dictsvc/errcode"
)

// outcome is the rows that a text gives and the error behind them.
func outcome(t *testing.T, text string, o Options) string {
	t.Helper()
	got, err := readAll(t, text, o)
	if err != nil {
		// How many rows come before an error depends on the blocks, the error does not.
		return fmt.Sprintf("error %d: %v", errcode.Of(err), err)
	}
	return got
}

// Rows and errors are the same for every chunk size and every number of threads.
func TestChunksOfEverySize(t *testing.T) {
	cols := columns("id UInt64", "name String", "score Float64", "tags Array(String)", "t Tuple(a UInt8, b String)", "m Map(String, Int32)", "n Nullable(Int16)", "l LowCardinality(String)")
	indented := strings.ReplaceAll(sample(40, 4), `,"`, ",\n  \"")
	texts := map[string]string{
		"lines":             sample(60, 3),
		"indented":          indented,
		"one line":          strings.ReplaceAll(sample(60, 5), "\n", " "),
		"array":             "[" + strings.Join(strings.Fields(`{"id":1,"name":"a"} {"id":2} {} {"score":1e3}`), " ,\n") + "]\n",
		"byte order mark":   "\ufeff" + `{"id":7}`,
		"nested":            `{"tags":["a","b\\",null],"t":{"b":"x","a":3},"m":{"k":-1},"n":null,"l":"q"}` + "\n" + `{"tags":[],"t":{},"m":{},"n":-5,"l":"q"}`,
		"newline in string": "{\"name\":\"a\nb\",\"id\":1}\n{\"name\":\"\\n\"}\n",
		"long names":        strings.Repeat(`{"id":3,"a_field_that_nobody_wants_with_a_name_of_more_than_sixteen_bytes":{"x":["}"]},"name":"`+strings.Repeat("long ", 40)+`"}`+"\n", 3),
		"empty":             "", "blank": " \n\r\n\t", "empty array": " [ ] ",
		"cut in a name": `{"id":1}` + "\n" + `{"na`, "cut in a string": `{"name":"abc`, "cut in an escape": `{"name":"abc\u00`, "cut in a number": `{"id":12`, "cut array": `[{"id":1},`,
		"bad value": `{"id":1}` + "\n" + `{"id":"x"}` + "\n" + `{"id":2}`, "bad escape": "{}\n{\"name\":\"\\q\"}\n", "half a pair": `{"name":"\ud83d\u0041"}`,
		"duplicate": "{}\n\n" + `{"id":1,"name":"x","id":2}`, "comma first": `,{"id":1}`, "two commas": `{"id":1},,{"id":2}`, "two commas apart": `{"id":1} , ` + "\n\n\n" + ` , {"id":2}`,
		"comma at the end": `{"id":1},` + "\n", "comma in array": `[{"id":1},]`, "no array": `{"id":1}]`, "behind array": `[{"id":1}] {"id":2}`, "behind array a comma": `[{"id":1}],`,
		"second array": `[{"id":1}][{"id":2}]`, "garbage": "{}\n\x00\x01", "garbage at the end": `{"id":1}` + strings.Repeat("x", 100), "number and letters": `{"id":12abc}`,
		"deep": `{"x":` + strings.Repeat(`[`, 1005), "wrong bracket": `{"tags":[1}`, "word": `{"x":trux}`, "case": `{"ID":1,"id":2}{"Id":3}{"NAME":"n","id":4,"Name":"m"}`,
	}
	for name, text := range texts {
		for _, maxErrors := range []uint64{0, 100} {
			o := Options{Name: "f", Columns: cols, MaxErrors: maxErrors}
			want := outcome(t, text, o)
			o.general = true
			if got := outcome(t, text, o); got != want {
				t.Errorf("%s: the general path gives %q, the fast one %q", name, got, want)
			}
			o.general = false
			for chunk := 1; chunk <= 64; chunk++ {
				o.ChunkSize, o.Threads, o.BlockRows = chunk, 1+chunk%3, 1+chunk%7
				if got := outcome(t, text, o); got != want {
					t.Fatalf("%s, %d errors allowed, chunks of %d bytes: got %q, want %q", name, maxErrors, chunk, got, want)
				}
			}
		}
	}
}

func TestChunksOfRandomSizes(t *testing.T) {
	r := rand.New(rand.NewSource(8))
	cols := columns("id UInt64", "name String", "score Float64")
	for k := range 30 {
		text := sample(400, int64(k))
		o := Options{Columns: cols}
		want := outcome(t, text, o)
		o.ChunkSize, o.Threads = 1+r.Intn(3*len(text)/2), 1+r.Intn(4)
		if got := outcome(t, text, o); got != want {
			t.Fatalf("seed %d, chunks of %d", k, o.ChunkSize)
		}
	}
}

// The report: names and values that fall on a border between buffers get mixed up in a file of many equal rows.
func TestManyEqualRows(t *testing.T) {
	const rows = 200_000
	text := strings.Repeat(`{"aaa":"aaa","bbb":"bbb"}`+"\n", rows)
	for _, chunk := range []int{1000, 4096, 1<<16 + 1} {
		r, err := New(strings.NewReader(text), Options{Columns: columns("bbb String", "aaa String"), ChunkSize: chunk, Threads: 2})
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for {
			b, err := r.Next(t.Context())
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			for i := range b.Rows {
				if x, y := b.Cols[0].(*column.Str).StringAt(i), b.Cols[1].(*column.Str).StringAt(i); x != "bbb" || y != "aaa" {
					t.Fatalf("row %d: %q, %q", n+i, x, y)
				}
			}
			n += b.Rows
			r.Recycle(b)
		}
		if n != rows {
			t.Errorf("%d rows, want %d", n, rows)
		}
		r.Close()
	}
}

// A row that is longer than allowed is an error after that many bytes, wherever newlines are.
func TestLongRow(t *testing.T) {
	endless := io.MultiReader(strings.NewReader(`{"a":1}`+"\n"+`{"a":"`), &repeat{'x'})
	r, err := New(endless, Options{Name: "big", Columns: columns("a String"), MaxRowBytes: 1 << 20, ChunkSize: 1 << 12, Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	rows := 0
	for err == nil {
		var b *column.Block
		if b, err = r.Next(t.Context()); err == nil {
			rows += b.Rows
		}
	}
	if rows != 1 || errcode.Of(err) != errcode.IncorrectData || !strings.Contains(err.Error(), `file "big": line 2: a row is longer than 1048576 bytes`) {
		t.Errorf("%d rows, %v", rows, err)
	}
	if _, read, _ := r.Progress(); read > 2<<20 {
		t.Errorf("read %d bytes", read)
	}
}

type repeat struct{ c byte }

func (r *repeat) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = r.c
	}
	return len(b), nil
}

func packed(t *testing.T, method, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	var w io.WriteCloser
	switch method {
	case "gzip":
		w = gzip.NewWriter(&b)
	case "zstd":
		z, err := zstd.NewWriter(&b)
		if err != nil {
			t.Fatal(err)
		}
		w = z
	case "lz4":
		w = lz4.NewWriter(&b)
	}
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Packed input that is cut or damaged anywhere is an error, even where whole rows were read.
func TestPackedCut(t *testing.T) {
	text := strings.Repeat(`{"id":1,"name":"n"}`+"\n", 500)
	for _, method := range []string{"gzip", "zstd", "lz4"} {
		b := packed(t, method, text)
		if got := outcome(t, string(b)+string(b), Options{Columns: columns("id UInt64")}); got != strings.Repeat("1\n", 1000) {
			t.Errorf("%s: two streams one behind the other: %.100q", method, got)
		}
		for cut := 5; cut < len(b); cut += 1 + len(b)/97 {
			if got := outcome(t, string(b[:cut]), Options{Columns: columns("id UInt64")}); !strings.HasPrefix(got, "error ") {
				t.Fatalf("%s cut to %d of %d bytes is read without an error", method, cut, len(b))
			}
		}
	}
}

// An input that breaks is an error, whatever the reader returns with its last bytes.
func TestReadErrors(t *testing.T) {
	text := `{"a":1}` + "\n" + `{"a":2}` + "\n"
	for _, broken := range []error{errors.New("the disk is on fire"), io.ErrUnexpectedEOF} {
		for _, wrap := range []func(io.Reader) io.Reader{func(r io.Reader) io.Reader { return r }, iotest.DataErrReader, iotest.OneByteReader} {
			r, err := New(wrap(io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken))), Options{Name: "f", Columns: columns("a UInt8")})
			if err != nil {
				t.Fatal(err)
			}
			for err == nil {
				_, err = r.Next(t.Context())
			}
			r.Close()
			if !errors.Is(err, broken) || !strings.Contains(err.Error(), `file "f": line 3`) {
				t.Errorf("got %v, want %v", err, broken)
			}
		}
	}
}

// Close returns though a read from a pipe would wait for ever; so does Next when its context ends.
func TestBlockedInput(t *testing.T) {
	in, out := io.Pipe()
	defer out.Close()
	go io.WriteString(out, `{"a":1}`+"\n")
	r, err := New(in, Options{Columns: columns("a UInt8")})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := r.Next(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	in.Close()
	<-r.read
}

// A table of thousands of columns: rows have some of the fields, in any order, and memory stays in proportion.
func TestWide(t *testing.T) {
	const columns, rows = 3000, 300
	r := rand.New(rand.NewSource(2))
	var cols []Column
	for i := range columns {
		cols = append(cols, Column{Name: fmt.Sprintf("column_number_%d", i), Type: column.Of(column.UInt32)})
	}
	var text strings.Builder
	sum := uint64(0)
	for range rows {
		text.WriteByte('{')
		for k, c := range r.Perm(columns)[:r.Intn(40)] {
			if k > 0 {
				text.WriteByte(',')
			}
			v := r.Intn(1000)
			sum += uint64(v)
			fmt.Fprintf(&text, `"column_number_%d":%d`, c, v)
		}
		text.WriteString("}\n")
	}
	in, err := New(strings.NewReader(text.String()), Options{Columns: cols, Threads: 2, ChunkSize: 50_000})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	n := 0
	for {
		b, err := in.Next(t.Context())
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		n += b.Rows
		for _, c := range b.Cols {
			for _, v := range c.(*column.Num[uint32]).Data {
				sum -= uint64(v)
			}
			if c.Bytes() > 4*1000 {
				t.Fatalf("a column of %d rows takes %d bytes", b.Rows, c.Bytes())
			}
		}
	}
	if n != rows || sum != 0 {
		t.Errorf("%d rows, the sum is off by %d", n, sum)
	}
}

func TestCountOnly(t *testing.T) {
	text := sample(3000, 9)
	r, err := New(strings.NewReader(text), Options{Columns: columns("id UInt8"), CountOnly: true, Threads: 2, ChunkSize: 5000})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	n := 0
	for {
		b, err := r.Next(t.Context())
		if err == io.EOF {
			break
		}
		if err != nil || len(b.Cols) != 0 {
			t.Fatal(b, err)
		}
		n += b.Rows
	}
	if n != 3000 {
		t.Errorf("%d rows", n)
	}
	if got := outcome(t, "{\"b\":1}\n{\"b\":[1,}", Options{CountOnly: true}); !strings.Contains(got, "line 2") {
		t.Errorf("got %q", got)
	}
}

func TestDefaults(t *testing.T) {
	def := func(typ, text string) column.Column {
		c := column.New(column.MustParse(typ), 1)
		if err := column.ParseText(c, []byte(text), column.TextRaw); err != nil {
			t.Fatal(err)
		}
		return c
	}
	var cols []Column
	for name, d := range map[string]column.Column{"a": def("UInt64", "7"), "b": def("String", "none"), "c": def("Float64", "-1.5"), "d": def("Nullable(Int32)", "3"), "e": def("Date", "2020-01-01"), "f": def("Array(UInt8)", "[1,2]"), "g": def("Float32", "0.5"), "h": def("Int8", "-1")} {
		cols = append(cols, Column{Name: name, Type: d.Type(), Default: d})
	}
	for i := range cols {
		for k := range i {
			if cols[i].Name < cols[k].Name {
				cols[i], cols[k] = cols[k], cols[i]
			}
		}
	}
	want := "7 'none' -1.5 3 '2020-01-01' [1,2] 0.5 -1\n" + "7 'none' -1.5 NULL '2020-01-01' [1,2] 0.5 -1\n" + "1 '' 2 4 '2020-01-01' [] 1 1\n"
	text := `{}{"a":null,"b":null,"c":null,"d":null,"e":null,"f":null,"g":null,"h":null}{"a":1,"b":"","c":2,"d":4,"f":[],"g":1,"h":1}`
	for _, general := range []bool{false, true} {
		if got, err := readAll(t, text, Options{Columns: cols, general: general}); err != nil || got != want {
			t.Errorf("got %q, %v, want %q", got, err, want)
		}
	}
}

func TestOpenInferredReadsAll(t *testing.T) {
	path := t.TempDir() + "/x.jsonl.gz"
	text := strings.Repeat(`{"id":1,"x":"y","d":"2020-01-01"}`+"\n", 3000)
	writeFile(t, path, packed(t, "gzip", text))
	r, err := OpenInferred(path, Options{}, InferOptions{MaxBytes: 1000}, func(found []Column) ([]Column, error) {
		if len(found) != 3 || found[2].Type.Kind != column.Date {
			t.Errorf("found %v", found)
		}
		return found[:2], nil
	})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	n := 0
	for {
		b, err := r.Next(t.Context())
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		n += b.Rows
	}
	if n != 3000 {
		t.Errorf("%d rows", n)
	}
	if _, err := InferReader(strings.NewReader(`{"a":"`+strings.Repeat("x", 5000)), InferOptions{MaxBytes: 1000}); err == nil || !strings.Contains(err.Error(), "longer than the sample of 1000 bytes") {
		t.Errorf("a first row longer than the sample: %v", err)
	}
}
