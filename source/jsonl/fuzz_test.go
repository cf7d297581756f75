package jsonl

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
	"unsafe"

	"dictsvc/column"
)

func writeFile(t *testing.T, path string, b []byte) {
	t.Helper()
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
}

// FuzzRead compares the fast paths in chunks with the general path over the whole.
func FuzzRead(f *testing.F) {
	for _, s := range []string{`{"a":1,"b":"x"}`, `[{"a":1},{"c":[1,{"d":"\u00e9"}]}]`, sample(3, 3), `{"b":"\ud83d\ude00"}{"a":1.5e3}`, `{"A":1,"a":2}`, `{"d":-1,"e":65535,"f":null}` + "\n" + `{"f":"\\"}`} {
		f.Add(s, uint8(3))
	}
	f.Add(`{"i":"2020-01-02","j":"2020-01-02 03:04:05","k":"2020-01-02T03:04:05.123Z","l":-12.345,"m":true,"n":"1969-12-31"}`+"\n"+`{"i":"2020-02-29","j":1577836800,"k":"1950-01-01 00:00:00","l":1e2,"m":0,"n":null}`, uint8(50))
	cols := columns("i Date", "j DateTime", "k DateTime64(3)", "l Decimal(9, 2)", "m Bool", "n Nullable(Date32)", "a Nullable(Float64)", "b String", "c Array(Nullable(Int32))", "d Int64", "e UInt16", "f Nullable(String)", "g Float32", "h Tuple(x UInt8)")
	f.Fuzz(func(t *testing.T, s string, chunk uint8) {
		want := outcome(t, s, Options{Columns: cols, general: true})
		got := outcome(t, s, Options{Columns: cols, ChunkSize: 1 + int(chunk), Threads: 2})
		if got != want {
			t.Fatalf("%q in chunks of %d: got %q, whole %q", s, 1+int(chunk), got, want)
		}
	})
}

// What encoding/json does not take and ClickHouse does: control characters in strings, and some spellings of numbers.
var lenient = regexp.MustCompile(`[\x00-\x1f+.]|0[0-9]`)

// FuzzJSON compares what is accepted, and the strings and numbers read, with encoding/json.
func FuzzJSON(f *testing.F) {
	for _, s := range []string{`{"s":"a\u00e9\n","n":1.25e-3}`, `{"x":[1,{"y":"\ud83d"},null,true,-0.5E+7]}`, `{"s":"x"}}`, `{"s":"x",}`, `{"n":1e400}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		s = strings.TrimSpace(s)
		if !strings.HasPrefix(s, "{") {
			return
		}
		_, err := readAll(t, s, Options{CountOnly: true})
		valid := json.Valid([]byte(s))
		switch {
		case valid && err != nil && !strings.Contains(err.Error(), "nested deeper"):
			t.Fatalf("%q is JSON: %v", s, err)
		case err == nil && !valid && !lenient.MatchString(s) && !strings.Contains(s, "}"+"{") && json.Valid([]byte("["+strings.TrimSuffix(s, ",")+"]")) == false && strings.Count(s, "}") == 1:
			t.Fatalf("%q is no JSON", s)
		}
		compareFields(t, s, valid)
	})
}

// compareFields compares the fields s and n.
func compareFields(t *testing.T, s string, valid bool) {
	var fields map[string]json.RawMessage
	if !valid || json.Unmarshal([]byte(s), &fields) != nil {
		return
	}
	var text string
	if raw, ok := fields["s"]; ok && json.Unmarshal(raw, &text) == nil && raw[0] == '"' && !bytes.ContainsRune([]byte(text), utf8.RuneError) {
		got, err := readAll(t, s, Options{Columns: columns("s String")})
		want := string(column.AppendText(nil, column.Strings(text), 0, column.TextQuoted)) + "\n"
		if err == nil && got != want {
			t.Fatalf("%q: s is %q, want %q", s, got, want)
		}
	}
	if raw, ok := fields["n"]; ok && (raw[0] == '-' || raw[0]-'0' <= 9) {
		want, perr := strconv.ParseFloat(string(raw), 64)
		r, err := New(strings.NewReader(s), Options{Columns: columns("n Float64")})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		b, err := r.Next(t.Context())
		if err == nil && perr == nil {
			if got := b.Cols[0].(*column.Num[float64]).Data[0]; math.Float64bits(got) != math.Float64bits(want) {
				t.Fatalf("%q: n is %v, want %v", s, got, want)
			}
		}
	}
}

// The words against the standard library, with every length and every byte behind the number.
func TestWords(t *testing.T) {
	r := rand.New(rand.NewSource(3))
	for range 20000 {
		digitsWant := r.Intn(21)
		text := make([]byte, 0, 64)
		for range digitsWant {
			text = append(text, byte('0'+r.Intn(10)))
		}
		text = append(text, byte(r.Intn(256)), 'x')
		n := 0
		for n < len(text) && text[n]-'0' <= 9 {
			n++
		}
		b := pad(append([]byte(nil), text...))
		v, k := digits(pointer(b), 0)
		want, err := strconv.ParseUint(string(text[:n]), 10, 64)
		switch {
		case n > 19:
			if k != 0 {
				t.Fatalf("%q: %d digits taken", text, k)
			}
		case k != n || n > 0 && (err != nil || v != want):
			t.Fatalf("%q: got %d with %d digits, want %d with %d", text, v, k, want, n)
		}
	}
	for range 20000 {
		s := strconv.FormatFloat(r.NormFloat64()*math.Pow10(r.Intn(12)), 'f', r.Intn(8), 64)
		b := pad([]byte(s + ","))
		m, scale, neg, n := decimalText(pointer(b), 0)
		if n == 0 {
			continue // left to the general path
		}
		got := float64(m) / floatTens[scale]
		if neg {
			got = -got
		}
		if want, _ := strconv.ParseFloat(s, 64); n != len(s) || math.Float64bits(got) != math.Float64bits(want) {
			t.Fatalf("%s: got %v of %d bytes", s, got, n)
		}
	}
	dst := make([]byte, 200)
	for range 20000 {
		b := make([]byte, r.Intn(90))
		for i := range b {
			b[i] = byte(r.Intn(256))
		}
		want := plainLong
		for i, c := range b[:min(len(b), plainMax)] {
			if c == '"' {
				want = i
				break
			}
			if c == '\\' {
				want = plainOdd
				break
			}
		}
		b = pad(b)
		if got := copyPlain(unsafe.Pointer(&dst[0]), pointer(b)); got != want || got > 0 && !bytes.Equal(dst[:got], b[:got]) || passPlain(pointer(b)) != want {
			t.Fatalf("%q: got %d, want %d", b, got, want)
		}
	}
}

func BenchmarkRead(b *testing.B) {
	var text bytes.Buffer
	r := rand.New(rand.NewSource(1))
	for i := range 300000 {
		fmt.Fprintf(&text, `{"id":%d,"name":"user-%d@example.org","country":"Land of number %d","score":%.1f,"seg":%d}`+"\n", i, i, r.Intn(200), r.Float64()*100, r.Intn(65536))
	}
	cols := columns("id UInt64", "name String", "country String", "score Float64", "seg UInt16")
	for _, threads := range []int{1, 2} {
		b.Run(fmt.Sprintf("threads=%d", threads), func(b *testing.B) {
			b.SetBytes(int64(text.Len()))
			for range b.N {
				r, err := New(bytes.NewReader(text.Bytes()), Options{Columns: cols, Threads: threads})
				if err != nil {
					b.Fatal(err)
				}
				for {
					block, err := r.Next(b.Context())
					if err != nil {
						break
					}
					r.Recycle(block)
				}
				r.Close()
			}
		})
	}
}
