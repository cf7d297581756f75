package column

import (
	"math"
	"testing"

	"dictsvc/errcode"
)

func TestFloatText(t *testing.T) {
	for f, want := range map[float64]string{0.1: "0.1", 1e20: "100000000000000000000", 1e21: "1e21", 123456789012345680000: "123456789012345680000", 1e-5: "0.00001", 1e-6: "0.000001", 1e-7: "1e-7",
		1.5e300: "1.5e300", math.Inf(-1): "-inf", math.Copysign(0, -1): "-0", 1e15: "1000000000000000", 5e-324: "5e-324", -2.5: "-2.5", 3: "3"} {
		if got := string(AppendFloat(nil, f, 64)); got != want {
			t.Errorf("%g: got %s, want %s", f, got, want)
		}
	}
}

// Text of a value in quotes must read back as the same value.
func TestTextRoundTrip(t *testing.T) {
	for name, texts := range map[string][]string{
		"UInt8": {"0", "255"}, "Int64": {"-9223372036854775808", "9223372036854775807"}, "Int128": {"-170141183460469231731687303715884105728"},
		"UInt256": {"115792089237316195423570985008687907853269984665640564039457584007913129639935"}, "Float64": {"0.1", "nan", "-inf", "1e300", "-0"}, "Float32": {"0.1", "3.4e38"},
		"Bool": {"true", "false"}, "Decimal(9, 2)": {"-0.05", "1.5", "100"}, "Decimal(38, 3)": {"-123456789012345678901234567.89"}, "Decimal(76, 10)": {"0.0000000001"},
		"Date": {"'1970-01-01'", "'2149-06-06'"}, "Date32": {"'1900-01-01'", "'2299-12-31'"}, "DateTime('Asia/Tokyo')": {"'2020-01-01 00:00:00'"}, "DateTime64(3)": {"'1969-12-31 23:59:59.500'"},
		"UUID": {"'61f0c404-5cb3-11e7-907b-a6006ad3dba0'"}, "IPv4": {"'1.2.3.4'"}, "IPv6": {"'::'", "'::1'", "'::ffff:1.2.3.4'", "'2001:db8::1:0:0:1'", "'1:2:3:4:5:6:7:8'", "'1::'"},
		"Enum8('a' = 1, 'b\\'' = -2)": {"'a'", `'b\''`}, "String": {`'a\'b\tc\n\\\0'`, "''"}, "FixedString(4)": {`'ab\0\0'`}, "Nullable(String)": {"NULL", "'x'"},
		"Array(Array(Nullable(Int8)))": {"[]", "[[],[NULL,-1]]"}, "Tuple(UInt8, String)": {"(1,'x')"}, "Map(String, Array(UInt8))": {"{'k':[1,2]}", "{}"}, "LowCardinality(Nullable(String))": {"NULL", "'q'"},
	} {
		for _, text := range texts {
			c := New(MustParse(name), 0)
			if err := ParseText(c, []byte(text), TextQuoted); err != nil {
				t.Errorf("%s: %s: %v", name, text, err)
				continue
			}
			if got := string(AppendText(nil, c, 0, TextQuoted)); got != text || c.Len() != 1 {
				t.Errorf("%s: got %s, want %s", name, got, text)
			}
		}
	}
}

func TestParseErrors(t *testing.T) {
	for _, c := range []struct {
		typ, text string
		code      errcode.Code
	}{{"UInt8", "-1", 72}, {"UInt8", "1.5", 6}, {"UInt8", "", 32}, {"UInt8", " 1", 6}, {"UInt8", "1 ", 6}, {"Float64", "abc", 72}, {"Date", "abc", 38}, {"Decimal(9, 2)", "10000000000", 69}, {"Decimal(9, 2)", "abc", 6},
		{"UUID", "x", 376}, {"IPv4", "1.2.3", 675}, {"IPv6", "zz", 676}, {"Enum8('a' = 1)", "b", 691}, {"Bool", "maybe", 467}, {"FixedString(3)", "abcdef", 131}} {
		col := New(MustParse(c.typ), 0)
		if err := ParseText(col, []byte(c.text), TextRaw); errcode.Of(err) != c.code || col.Len() != 0 {
			t.Errorf("%s %q: got %v, want code %d", c.typ, c.text, err, c.code)
		}
	}
	if err := ParseTextStrict(New(Of(Int32), 0), []byte("2147483648"), TextRaw); errcode.Of(err) != errcode.ValueIsOutOfRangeOfDataType {
		t.Errorf("out of range: got %v", err)
	}
}

func FuzzParseText(f *testing.F) {
	for _, s := range []string{"[1,2]", "(1,'a')", "{'a':1}", "'2020-01-01 00:00:00'", "1e400", "::1", "-1", "NULL", "[[[[[["} {
		f.Add(s)
	}
	types := []*Type{}
	for _, n := range []string{"UInt8", "Int128", "Float64", "Decimal(20, 3)", "Date", "DateTime", "DateTime64(6)", "UUID", "IPv4", "IPv6", "Array(Array(Int8))", "Tuple(UInt8, String)",
		"Map(String, Nullable(Date))", "Nullable(Float32)", "LowCardinality(String)", "Enum8('a' = 1)", "FixedString(3)"} {
		types = append(types, MustParse(n))
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, typ := range types {
			for _, style := range []TextStyle{TextRaw, TextTSV, TextQuoted} {
				c := New(typ, 0)
				if err := ParseText(c, []byte(s), style); err != nil {
					if c.Len() != 0 {
						t.Fatalf("%s: a failed parse of %q left %d rows", typ, s, c.Len())
					}
					continue
				}
				text := AppendText(nil, c, 0, TextQuoted)
				d := New(typ, 0)
				if err := ParseText(d, text, TextQuoted); err != nil {
					t.Fatalf("%s: %q reads as %s, which does not read back: %v", typ, s, text, err)
				}
			}
		}
	})
}
