package jsonl

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"

	"dictsvc/column"
	"dictsvc/errcode"
)

func columns(spec ...string) []Column {
	var cols []Column
	for _, s := range spec {
		name, typ, _ := strings.Cut(s, " ")
		cols = append(cols, Column{Name: name, Type: column.MustParse(typ)})
	}
	return cols
}

// readAll gives the rows as SQL literals, a line each, and the error that ended them.
func readAll(t *testing.T, text string, o Options) (string, error) {
	t.Helper()
	r, err := New(strings.NewReader(text), o)
	if err != nil {
		return "", err
	}
	defer r.Close()
	var b []byte
	for {
		block, err := r.Next(context.Background())
		if err == io.EOF {
			return string(b), nil
		}
		if err != nil {
			return string(b), err
		}
		for i := range block.Rows {
			for k, c := range block.Cols {
				if c.Len() != block.Rows {
					t.Fatalf("column %s has %d rows, the block %d", block.Names[k], c.Len(), block.Rows)
				}
				if k > 0 {
					b = append(b, ' ')
				}
				b = column.AppendText(b, c, i, column.TextQuoted)
			}
			b = append(b, '\n')
		}
	}
}

func TestValues(t *testing.T) {
	for _, c := range []struct {
		cols, text, want string
	}{
		{"a UInt8", `{"a":1}{"a":2},{"a":3}` + "\n\r\n\t" + `{"a":4}`, "1\n2\n3\n4\n"},
		{"a UInt8", `[{"a":1}, {"a":2}]` + "\n", "1\n2\n"},
		{"a UInt8", ` [ ] `, ""},
		{"a UInt8", ``, ""},
		{"a UInt8", "{\n\"a\"\n:\n1\n}", "1\n"},
		{"a UInt8|b String", `{"b":"x","a":1}{"a":2,"b":"y"}{"a":3}{}`, "1 'x'\n2 'y'\n3 ''\n0 ''\n"},
		{"a UInt8", `{"z":[1,{"y":"\"}]"},-1.5e+10,true,false,null,"\ud83d\ude00"],"a":1,"q":{}}`, "1\n"},
		{"a String", `{"a":"\ud83d\ude00 \u00e9 \" \\ \/ \b\f\n\r\t"}`, `'😀 é " \\ / \b\f\n\r\t'` + "\n"},
		{"a String|b Int32", `{"a":1.50,"b":true} {"a":[1, 2],"b":2},{"a":{"x" : 1},"b":null}`, "'1.50' 1\n'[1, 2]' 2\n'{\"x\" : 1}' 0\n"},
		{"a UInt64|b Int64|c Float64|d Float32|e Int8", `{"a":18446744073709551615,"b":-9223372036854775808,"c":1e3,"d":0.1,"e":-128}{"a":"7","b":"-7","c":"0.1","d":-0,"e":"1"}`, "18446744073709551615 -9223372036854775808 1000 0.1 -128\n7 -7 0.1 -0 1\n"},
		{"a Nullable(UInt8)|b Nullable(String)", `{"a":null,"b":null}{"a":1,"b":"null"}{}`, "NULL NULL\n1 'null'\nNULL NULL\n"},
		{"a Array(Array(UInt8))|b Array(Nullable(String))", `{"a":[[],[1,2]],"b":["x",null]}{"a":[]}`, "[[],[1,2]] ['x',NULL]\n[] []\n"},
		{"a Tuple(UInt8, String)|b Tuple(x UInt8, y String)", `{"a":[1,"q"],"b":{"y":"s","z":0,"x":5}}{"b":{"x":1}}`, "(1,'q') (5,'s')\n(0,'') (1,'')\n"},
		{"a Map(String, UInt8)|b Map(UInt8, Array(String))", `{"a":{"k":1,"l":2},"b":{"7":["x"]}}{}`, "{'k':1,'l':2} {7:['x']}\n{} {}\n"},
		{"a LowCardinality(String)|b LowCardinality(Nullable(String))", `{"a":"x","b":null}{"a":"x","b":"y"}`, "'x' NULL\n'x' 'y'\n"},
		{"d Date|dt DateTime|u UUID|e Enum8('x' = 1)|dec Decimal(9, 2)|b Bool|i IPv4|f FixedString(2)",
			`{"d":"2020-01-01","dt":"2020-01-01 00:00:00","u":"61f0c404-5cb3-11e7-907b-a6006ad3dba0","e":"x","dec":1.25,"b":true,"i":"1.2.3.4","f":"ab"}{"dt":1577836800,"e":1,"dec":"1.2","b":1,"d":5}`,
			"'2020-01-01' '2020-01-01 00:00:00' '61f0c404-5cb3-11e7-907b-a6006ad3dba0' 'x' 1.25 true '1.2.3.4' 'ab'\n'1970-01-06' '2020-01-01 00:00:00' '00000000-0000-0000-0000-000000000000' 'x' 1.2 true '0.0.0.0' '\\0\\0'\n"},
		{`a\u0062 UInt8`, `{"ab":1}`, "0\n"},
		{"ab UInt8", `{"a\u0062":1}{"ab":2}`, "1\n2\n"},
	} {
		for _, chunk := range []int{1, 2, 3, 7, 64, 1 << 20} {
			for _, threads := range []int{1, 2} {
				got, err := readAll(t, c.text, Options{Columns: columns(strings.Split(c.cols, "|")...), ChunkSize: chunk, Threads: threads})
				if err != nil || got != c.want {
					t.Errorf("chunks of %d, %s:\ngot  %q, %v\nwant %q", chunk, c.text, got, err, c.want)
				}
			}
		}
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		cols, text string
		code       errcode.Code
		want       string // in the message
	}{
		{"a UInt64", "{\"a\":1}\n{\"a\":\"abc\"}", errcode.CannotParseInputAssertionFailed, `file "x.jsonl": line 2, column "a": want UInt64, got "abc"`},
		{"a Int32", "{\"a\":1}\n\n{\"a\":2147483648}\n", errcode.ValueIsOutOfRangeOfDataType, `line 3, column "a": want Int32, got 2147483648, which is out of range`},
		{"a UInt8", `{"a":-1}`, errcode.CannotParseNumber, "want UInt8, got -1"},
		{"a UInt8", `{"a":1.5}`, errcode.CannotParseInputAssertionFailed, `want UInt8, got 1.5`},
		{"a UInt8", `{"a":1,"a":2}`, errcode.IncorrectData, "Duplicate field found while parsing JSONEachRow format: a"},
		{"a UInt8", `{"a":1} x`, errcode.CannotParseInputAssertionFailed, `got "x", want '{'`},
		{"a UInt8", `{"a":1,}`, errcode.CannotParseQuotedString, `got "}", want '"'`},
		{"a UInt8", `{"a":1`, errcode.CannotReadAllData, "ends inside a row"},
		{"a UInt8", `{"a":`, errcode.CannotReadAllData, "ends inside a row"},
		{"a UInt8", `[{"a":1}`, errcode.CannotReadAllData, "ends inside an array"},
		{"a UInt8", `[{"a":1}] {"a":1}`, errcode.CannotParseInputAssertionFailed, "behind the closing"},
		{"a UInt8", `{"a":1}]`, errcode.CannotParseInputAssertionFailed, "got ']'"},
		{"a String", `{"a":"\x"}`, errcode.CannotParseEscapeSequence, "escape"},
		{"a String", `{"a":"\ud83d"}`, errcode.CannotParseEscapeSequence, "surrogate"},
		{"a String", `{"a":"\uZZZZ"}`, errcode.CannotParseEscapeSequence, "hexadecimal"},
		{"a String", `{"b":"\x"}`, errcode.CannotParseEscapeSequence, "escape"},
		{"a UInt8", `{"b":[1,}`, errcode.IncorrectData, "JSON value"},
		{"a UInt8", `{"b":01x}`, errcode.IncorrectData, "want a JSON value"},
		{"a UInt8", `{"b":tru}`, errcode.CannotParseInputAssertionFailed, "JSON value"},
		{"a UInt8", "\x00\x01\x02binary", errcode.CannotParseInputAssertionFailed, "want '{'"},
		{"a UInt8", `{"a":{}}`, errcode.CannotParseInputAssertionFailed, "want UInt8"},
		{"a Array(UInt8)", `{"a":1}`, errcode.CannotReadArrayFromText, "want Array(UInt8)"},
		{"a UInt8", `{"z":` + strings.Repeat("[", 5000) + `}`, errcode.TooDeepRecursion, "nested deeper"},
		{"a UInt8", `{a:1}`, errcode.CannotParseQuotedString, `want '"'`},
		{"a Date", `{"a":"soon"}`, errcode.CannotParseDate, "want Date"},
	} {
		for _, chunk := range []int{1, 5, 1 << 20} {
			_, err := readAll(t, c.text, Options{Name: "x.jsonl", Columns: columns(c.cols), ChunkSize: chunk, Threads: 2})
			if errcode.Of(err) != c.code || !strings.Contains(err.Error(), c.want) {
				t.Errorf("chunks of %d, %.60s: got %v (code %d), want code %d and %q", chunk, c.text, err, errcode.Of(err), c.code, c.want)
			}
		}
	}
}

func TestMaxErrors(t *testing.T) {
	text := "{\"a\":1}\n{\"a\":\"x\"}\n{\"a\":2}\n{\"a\":1,\"a\":2}\n{\"a\":3} \nrubbish\n{\"a\":4}"
	for _, chunk := range []int{1, 9, 1 << 20} {
		got, err := readAll(t, text, Options{Columns: columns("a UInt8"), MaxErrors: 3, ChunkSize: chunk})
		if err != nil || got != "1\n2\n3\n4\n" {
			t.Errorf("3 bad rows allowed, chunks of %d: got %q, %v", chunk, got, err)
		}
	}
	_, err := readAll(t, text, Options{Name: "f", Columns: columns("a UInt8"), MaxErrors: 2})
	if err == nil || !strings.Contains(err.Error(), "line 6") {
		t.Errorf("2 bad rows allowed: got %v", err)
	}
}

func TestRefusals(t *testing.T) {
	if _, err := readAll(t, `{"z":1}`, Options{Columns: columns("a UInt8"), RefuseUnknown: true}); errcode.Of(err) != errcode.IncorrectData {
		t.Errorf("unknown field: %v", err)
	}
	if _, err := readAll(t, `{"a":null}`, Options{Columns: columns("a UInt8"), RefuseNull: true}); errcode.Of(err) != errcode.CannotParseInputAssertionFailed {
		t.Errorf("null: %v", err)
	}
	if _, err := readAll(t, `{"a":"`+strings.Repeat("x", 10000)+`"}`, Options{Columns: columns("a String"), MaxRowBytes: 5000, ChunkSize: 1000}); errcode.Of(err) != errcode.IncorrectData {
		t.Errorf("a long row: %v", err)
	}
}

// sample makes rows of many shapes; the same seed gives the same text.
func sample(rows int, seed int64) string {
	r := rand.New(rand.NewSource(seed))
	var b strings.Builder
	for i := range rows {
		fields := []string{fmt.Sprintf(`"id":%d`, i), fmt.Sprintf(`"name":"user-%d\n\u00e9"`, i), fmt.Sprintf(`"score":%.1f`, r.Float64()*100), fmt.Sprintf(`"other":{"x":[%d,"}{\"],"]}`, i)}
		r.Shuffle(len(fields), func(i, j int) { fields[i], fields[j] = fields[j], fields[i] })
		sep := [...]string{",", ", ", " ,\n"}[r.Intn(3)]
		b.WriteString("{" + strings.Join(fields[:1+r.Intn(4)], sep) + "}")
		b.WriteString([...]string{"\n", "\n\n", ", ", "", "\r\n"}[r.Intn(5)])
	}
	return b.String()
}

// What comes out must not depend on where chunks end.
func TestEveryChunkSize(t *testing.T) {
	text := sample(300, 1)
	cols := columns("id UInt64", "name String", "score Float64")
	want, err := readAll(t, text, Options{Columns: cols})
	if err != nil || strings.Count(want, "\n") != 300 {
		t.Fatalf("%d rows, %v", strings.Count(want, "\n"), err)
	}
	for chunk := 1; chunk <= 64; chunk++ {
		got, err := readAll(t, text, Options{Columns: cols, ChunkSize: chunk, Threads: 1 + chunk%3, BlockRows: 1 + chunk})
		if err != nil || got != want {
			t.Fatalf("chunks of %d bytes give other rows: %v", chunk, err)
		}
	}
}

func TestCompressed(t *testing.T) {
	text := sample(1000, 2)
	cols := columns("id UInt64", "name String")
	want, _ := readAll(t, text, Options{Columns: cols})
	pack := map[string]func(w io.Writer) io.WriteCloser{
		"gzip": func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) },
		"zstd": func(w io.Writer) io.WriteCloser { z, _ := zstd.NewWriter(w); return z },
		"lz4":  func(w io.Writer) io.WriteCloser { return lz4.NewWriter(w) },
	}
	for name, f := range pack {
		var b bytes.Buffer
		w := f(&b)
		if _, err := io.WriteString(w, text); err != nil {
			t.Fatal(err)
		}
		w.Close()
		got, err := readAll(t, b.String(), Options{Columns: cols})
		if err != nil || got != want {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := readAll(t, b.String()[:b.Len()-20], Options{Columns: cols}); err == nil {
			t.Errorf("%s cut short is read without an error", name)
		}
	}
}

func TestFiles(t *testing.T) {
	dir := t.TempDir()
	if _, err := Open(filepath.Join(dir, "none"), Options{}); errcode.Of(err) != errcode.FileDoesntExist {
		t.Errorf("a missing file: %v", err)
	}
	if _, err := Open(dir, Options{}); errcode.Of(err) != errcode.CannotOpenFile {
		t.Errorf("a directory: %v", err)
	}
	path := filepath.Join(dir, "x.jsonl")
	if err := os.WriteFile(path, []byte(`{"a":1}`), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := Open(path, Options{Columns: columns("a UInt8")})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if b, err := r.Next(context.Background()); err != nil || b.Rows != 1 {
		t.Errorf("got %v, %v", b, err)
	}
	if _, read, total := r.Progress(); read != 7 || total != 7 {
		t.Errorf("progress: %d of %d bytes", read, total)
	}
}

// Closing in the middle must end all goroutines (the test would hang, or -race complain).
func TestCloseEarly(t *testing.T) {
	r, err := New(strings.NewReader(strings.Repeat(`{"a":1}`+"\n", 100000)), Options{Columns: columns("a UInt8"), ChunkSize: 1000, Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Next(context.Background()); err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestInfer(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`{"a":1,"b":1.5,"c":"x","d":true,"e":null,"f":[1,2],"g":{"x":1,"y":"s"},"h":"2020-01-01","i":"2020-01-01 00:00:00","j":"2020-01-01 00:00:00.5","k":[],"l":9223372036854775808,"m":1e5,"n":[1,null],"q":-5,"r":[{"a":1}],"t":"1","u":[1,2.5]}`,
			"a Nullable(Int64)|b Nullable(Float64)|c Nullable(String)|d Nullable(Bool)|e Nullable(String)|f Array(Nullable(Int64))|g Tuple(x Nullable(Int64), y Nullable(String))|h Nullable(Date)|i Nullable(DateTime)|j Nullable(DateTime64(9))|k Array(Nullable(String))|l Nullable(UInt64)|m Nullable(Float64)|n Array(Nullable(Int64))|q Nullable(Int64)|r Array(Tuple(a Nullable(Int64)))|t Nullable(String)|u Array(Nullable(Float64))"},
		{`{"a":1}{"a":1.5,"b":"x"}{"a":null}`, "a Nullable(Float64)|b Nullable(String)"},
		{`{"a":1}{"a":"x"}`, "a Nullable(String)"},
		{`{"a":true}{"a":1}`, "a Nullable(Int64)"},
		{`{"a":"2020-01-01"}{"a":"2020-01-01 00:00:00"}`, "a Nullable(DateTime)"},
		{`{"a":"2020-01-01"}{"a":"x"}`, "a Nullable(String)"},
		{`{"a":{"x":1}}{"a":{"y":1}}`, "a Tuple(x Nullable(Int64), y Nullable(Int64))"},
		{`{"a":[1]}{"a":["x"]}`, "a Array(Nullable(String))"},
		{`[{"a":[[1]]},{"a":[]}]`, "a Array(Array(Nullable(Int64)))"},
	} {
		cols, err := InferReader(strings.NewReader(c.text), InferOptions{MakeNullable: true})
		var got []string
		for _, col := range cols {
			got = append(got, col.Name+" "+col.Type.String())
		}
		if s := strings.Join(got, "|"); err != nil || s != c.want {
			t.Errorf("%s:\ngot  %s, %v\nwant %s", c.text, s, err, c.want)
		}
	}
	for _, text := range []string{"", "{}", "[]", `{"a":`, "x"} {
		if cols, err := InferReader(strings.NewReader(text), InferOptions{}); err == nil {
			t.Errorf("%q: inferred %v", text, cols)
		}
	}
	cols, _ := InferReader(strings.NewReader(`{"a":1,"b":null}{"a":2,"b":1}`), InferOptions{})
	if cols[0].Type.String() != "Int64" || cols[1].Type.String() != "Nullable(Int64)" {
		t.Errorf("not made Nullable: got %s, %s", cols[0].Type, cols[1].Type)
	}
}
