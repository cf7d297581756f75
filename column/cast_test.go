package column

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"dictsvc/errcode"
)

// TestCastRecorded compares casts with what ClickHouse 26.7 answered; testdata/cast.txt says how it was asked.
func TestCastRecorded(t *testing.T) {
	text, err := os.ReadFile("testdata/cast.txt")
	if err != nil {
		t.Fatal(err)
	}
	modes := map[string]CastMode{"plain": CastPlain, "accurate": CastAccurate, "ornull": CastAccurateOrNull}
	var targets []string
	asked, wrong := 0, 0
	for line := range strings.Lines(string(text)) {
		p := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		switch {
		case strings.HasPrefix(line, "#"):
			continue
		case targets == nil:
			targets = p
			continue
		case len(p) != len(targets)+3:
			t.Fatalf("a line of %d fields, want %d: %s", len(p), len(targets)+3, line)
		}
		for i, want := range p[3:] {
			if want == "~" {
				continue
			}
			asked++
			if got := castText(t, p[0], p[1], targets[i], modes[p[2]]); got != want {
				if wrong++; wrong < 40 {
					t.Errorf("%s(%s) -> %s, %s: got %s, want %s", p[0], p[1], targets[i], p[2], got, want)
				}
			}
		}
	}
	if asked < 15000 {
		t.Errorf("only %d casts compared", asked)
	}
}

// castText is the text of a cast value, or !code.
func castText(t *testing.T, from, value, to string, mode CastMode) string {
	ft, tt := MustParse(from), MustParse(to)
	value = string(unescapeTSV(nil, []byte(value)))
	c := New(ft, 1)
	if ft.Kind == Interval {
		c = Int64s()
	}
	if err := ParseText(c, []byte(value), TextRaw); err != nil {
		t.Fatalf("%s: %v", from, err)
	}
	if ft.Kind == Interval {
		c = Retype(c, ft)
	}
	if mode == CastAccurateOrNull && mayBeNull(tt) {
		tt = NewNullable(tt)
	}
	tt = CastType(ft, tt)
	r, err := Cast(c, tt, mode)
	if err != nil {
		return fmt.Sprintf("!%d", errcode.Of(err))
	}
	if !r.Type().Equal(tt) {
		t.Errorf("%s -> %s: got a column of type %s", from, to, r.Type())
	}
	return string(AppendText(nil, r, 0, TextTSV))
}

// Casts of composite and wrapped columns, recorded from ClickHouse 26.7.
func TestCastWrapped(t *testing.T) {
	for _, c := range []struct {
		from, value, to, want string
		code                  errcode.Code
	}{
		{"Nullable(UInt8)", "5", "UInt8", "5", 0},
		{"Nullable(UInt8)", "NULL", "UInt8", "", errcode.CannotInsertNullInOrdinaryColumn},
		{"Nullable(UInt8)", "NULL", "Nullable(String)", "NULL", 0},
		{"UInt16", "300", "Nullable(UInt8)", "44", 0},
		{"String", "'abc'", "Nullable(UInt8)", "NULL", 0},
		{"String", "'NULL'", "Nullable(String)", "'NULL'", 0},
		{"Array(Nullable(UInt8))", "[1,NULL]", "Array(UInt8)", "", errcode.CannotInsertNullInOrdinaryColumn},
		{"Array(String)", "['1','x']", "Array(Nullable(UInt8))", "[1,NULL]", 0},
		{"Tuple(UInt8, String)", "(1,'2')", "Tuple(String, UInt8)", "('1',2)", 0},
		{"Tuple(a UInt8, b UInt8)", "(1,2)", "Tuple(b String, a String)", "('2','1')", 0},
		{"Tuple(UInt8, UInt8)", "(1,2)", "Tuple(UInt8)", "", errcode.TypeMismatch},
		{"Map(String, UInt8)", "{'a':1}", "Map(String, String)", "{'a':'1'}", 0},
		{"Array(Tuple(String, UInt8))", "[('a',1)]", "Map(String, UInt8)", "{'a':1}", 0},
		{"Tuple(Array(UInt8), Array(String))", "([1,2],['a','b'])", "Map(UInt8, String)", "{1:'a',2:'b'}", 0},
		{"String", "'{\\'a\\':1}'", "Map(String, UInt8)", "", errcode.TypeMismatch},
		{"Array(Array(UInt8))", "[[1]]", "Array(UInt8)", "", errcode.TypeMismatch},
		{"LowCardinality(String)", "'5'", "UInt8", "5", 0},
		{"Nullable(String)", "'a'", "LowCardinality(String)", "'a'", 0},
		{"LowCardinality(Nullable(String))", "NULL", "Nullable(UInt8)", "NULL", 0},
		{"Tuple(UInt8, UInt8)", "(1,2)", "String", "'(1,2)'", 0},
		{"String", "'[1,2]'", "Array(UInt8)", "[1,2]", 0},
		{"String", "'(1,\\'a\\')'", "Tuple(UInt8, String)", "(1,'a')", 0},
		{"FixedString(4)", "'ab'", "String", "'ab'", 0},
	} {
		in := New(MustParse(c.from), 1)
		if err := ParseText(in, []byte(c.value), TextQuoted); err != nil {
			t.Fatalf("%s %s: %v", c.from, c.value, err)
		}
		out, err := Cast(NewConst(in, 3), MustParse(c.to), CastPlain)
		if errcode.Of(err) != c.code {
			t.Errorf("%s %s -> %s: got error %v, want code %d", c.from, c.value, c.to, err, c.code)
			continue
		}
		if err != nil {
			continue
		}
		if _, ok := out.(*Const); !ok || out.Len() != 3 {
			t.Errorf("%s -> %s: a constant of 3 rows became %T of %d", c.from, c.to, out, out.Len())
		}
		if got := string(AppendText(nil, out, 0, TextQuoted)); got != c.want {
			t.Errorf("%s %s -> %s: got %s, want %s", c.from, c.value, c.to, got, c.want)
		}
	}
}
