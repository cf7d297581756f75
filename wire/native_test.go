package wire

import (
	"bytes"
	"encoding/hex"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"dictsvc/column"
)

// sampleTypes has every kind of type, alone and inside every other that may hold it.
var sampleTypes = []string{
	"Bool", "UInt8", "UInt16", "UInt32", "UInt64", "UInt128", "UInt256", "Int8", "Int16", "Int32", "Int64", "Int128", "Int256",
	"Float32", "Float64", "Decimal(9, 2)", "Decimal(18, 4)", "Decimal(38, 10)", "Decimal(76, 20)", "String", "FixedString(3)",
	"Date", "Date32", "DateTime", "DateTime('Europe/Berlin')", "DateTime64(3)", "DateTime64(9, 'UTC')", "UUID", "IPv4", "IPv6",
	"Enum8('a' = 1, 'it\\'s' = -2)", "Enum16('x' = 1000, 'y' = -5)", "IntervalDay", "Nothing", "Nullable(Nothing)", "Nullable(UInt64)", "Nullable(String)",
	"Array(UInt8)", "Array(Array(String))", "Array(Nullable(Int32))", "Tuple(UInt8, String)", "Tuple(a Array(UInt16), b Nullable(Float64))",
	"Map(String, UInt64)", "Map(UInt8, Array(String))", "LowCardinality(String)", "LowCardinality(Nullable(String))", "LowCardinality(UInt16)",
	"Array(LowCardinality(String))", "Tuple(LowCardinality(String), LowCardinality(Nullable(UInt8)))", "Map(LowCardinality(String), LowCardinality(Nullable(String)))",
	"Array(Tuple(LowCardinality(FixedString(2)), Array(Nothing)))", "SimpleAggregateFunction(sum, UInt64)",
}

// sampleColumn makes n rows of a type out of random bytes.
func sampleColumn(t *column.Type, n int, rng *rand.Rand) column.Column {
	switch t.Kind {
	case column.Nothing:
		return &column.NothingColumn{N: n}
	case column.Bool:
		v := make([]uint8, n)
		for i := range v {
			v[i] = uint8(rng.IntN(2))
		}
		return column.NewNum(t, v)
	case column.String:
		c := &column.Str{T: t}
		for i := 0; i < n; i++ {
			c.AppendString(strings.Repeat(string(rune('a'+rng.IntN(26))), rng.IntN(5)*rng.IntN(60)))
		}
		return c
	case column.Nullable:
		nulls := make([]uint8, n)
		for i := range nulls {
			nulls[i] = uint8(rng.IntN(2))
			if t.Elems[0].Kind == column.Nothing {
				nulls[i] = 1
			}
		}
		return &column.Null{T: t, Nulls: nulls, Inner: sampleColumn(t.Elems[0], n, rng)}
	case column.Array:
		ends := make([]uint64, n)
		total := uint64(0)
		for i := range ends {
			total += uint64(rng.IntN(4))
			ends[i] = total
		}
		return &column.Arr{T: t, Ends: ends, Elem: sampleColumn(t.Elems[0], int(total), rng)}
	case column.Map:
		arr := column.NewArray(column.NewTuple(t.Elems, []string{"keys", "values"}))
		return &column.MapColumn{T: t, Arr: sampleColumn(arr, n, rng).(*column.Arr)}
	case column.Tuple:
		c := &column.Tup{T: t, N: n}
		for _, e := range t.Elems {
			c.Elems = append(c.Elems, sampleColumn(e, n, rng))
		}
		return c
	case column.LowCardinality:
		c := column.NewLowCard(t, n)
		values := sampleColumn(t.Elems[0], 5, rng)
		for i := 0; i < n; i++ {
			k := rng.IntN(5)
			c.AppendRange(values, k, k+1)
		}
		return c
	}
	raw := make([]byte, n*t.FixedWidth())
	if t.IsEnum() {
		for i := 0; i < n; i++ {
			v := t.Enum.Values[rng.IntN(len(t.Enum.Values))]
			raw[i*t.FixedWidth()] = byte(v)
			if t.Kind == column.Enum16 {
				raw[2*i+1] = byte(v >> 8)
			}
		}
		return readValues(newBytesInput(raw), t, n)
	}
	for i := range raw {
		raw[i] = byte(rng.Uint32())
	}
	return readValues(newBytesInput(raw), t, n)
}

func sampleBlock(n int, types ...string) *column.Block {
	rng := rand.New(rand.NewPCG(1, 2))
	b := &column.Block{Rows: n}
	for _, name := range types {
		b.Names = append(b.Names, "c "+name)
		b.Cols = append(b.Cols, sampleColumn(column.MustParse(name), n, rng))
	}
	return b
}

// sameBlock compares names, types and every row to the bit.
func sameBlock(t *testing.T, want, got *column.Block) {
	t.Helper()
	if got == nil || want.Rows != got.Rows || len(want.Cols) != len(got.Cols) {
		t.Fatalf("want %d columns of %d rows, got %+v", len(want.Cols), want.Rows, got)
	}
	for i, c := range want.Cols {
		g := got.Cols[i]
		if want.Names[i] != got.Names[i] || !c.Type().Equal(g.Type()) || g.Len() != c.Len() {
			t.Fatalf("column %d: want %q %s of %d rows, got %q %s of %d", i, want.Names[i], c.Type(), c.Len(), got.Names[i], g.Type(), g.Len())
		}
		for row := 0; row < want.Rows; row++ {
			a, b := column.AppendImage(nil, c, row), column.AppendImage(nil, g, row)
			if !bytes.Equal(a, b) {
				t.Fatalf("column %q row %d: want image %x, got %x", want.Names[i], row, a, b)
			}
		}
	}
}

// trickle is an input that brings k bytes at a time.
func trickle(b []byte, k int) *input {
	r := &input{}
	r.more = func() error {
		if len(b) == 0 {
			return io.ErrUnexpectedEOF
		}
		n := min(k, len(b))
		r.buf, r.pos, b = b[:n], 0, b[n:]
		return nil
	}
	return r
}

var testLimits = Limits{}.withDefaults()

func TestBlockRoundTrip(t *testing.T) {
	for _, rows := range []int{0, 1, 2, 300} {
		want := sampleBlock(rows, sampleTypes...)
		var w output
		writeBlock(&w, want, true, Revision)
		for _, k := range []int{1, 2, 7, len(w.buf)} {
			r := trickle(w.buf, k)
			got := readBlock(r, Revision, &testLimits, typeCache{})
			if r.err != nil {
				t.Fatalf("%d rows in pieces of %d bytes: %v", rows, k, r.err)
			}
			sameBlock(t, want, got)
		}
	}
}

func TestBlockSlices(t *testing.T) {
	whole := sampleBlock(100, sampleTypes...)
	for _, cut := range [][2]int{{0, 10}, {5, 6}, {37, 100}, {99, 100}} {
		want := whole.Slice(cut[0], cut[1])
		var w output
		writeBlock(&w, want, true, Revision)
		r := newBytesInput(w.buf)
		got := readBlock(r, Revision, &testLimits, nil)
		if r.err != nil {
			t.Fatalf("rows %v: %v", cut, r.err)
		}
		sameBlock(t, want, got)
	}
}

func TestBlockConstants(t *testing.T) {
	one := sampleBlock(1, sampleTypes...)
	b := &column.Block{Names: one.Names, Rows: 3}
	want := &column.Block{Names: one.Names, Rows: 3}
	for _, c := range one.Cols {
		k := column.NewConst(c, 3)
		b.Cols = append(b.Cols, k)
		want.Cols = append(want.Cols, k.Expand())
	}
	var w output
	writeBlock(&w, b, true, Revision)
	r := newBytesInput(w.buf)
	got := readBlock(r, Revision, &testLimits, nil)
	if r.err != nil {
		t.Fatal(r.err)
	}
	sameBlock(t, want, got)
}

// Every proper prefix of a block is an error, for every type.
func TestBlockPrefixes(t *testing.T) {
	for _, name := range sampleTypes {
		var w output
		writeBlock(&w, sampleBlock(3, name), true, Revision)
		for n := range w.buf {
			r := newBytesInput(w.buf[:n])
			if readBlock(r, Revision, &testLimits, nil); r.err == nil {
				t.Fatalf("%s: %d of %d bytes are read without an error", name, n, len(w.buf))
			}
		}
	}
}

// The bytes are those that ClickHouse 26.7 writes for the same values as FORMAT Native (without BlockInfo and serialization kinds).
func TestColumnBytes(t *testing.T) {
	lc := column.NewLowCard(column.MustParse("LowCardinality(Nullable(String))"), 0)
	lc.AppendRange(column.NewNull(column.Strings("a", "", "a"), []uint8{0, 1, 0}), 0, 3)
	for _, c := range []struct {
		col  column.Column
		want string
	}{
		{column.UInt16s(1, 513), "01000102"},
		{column.Strings("", "ab"), "00026162"},
		{column.Float64s(math.Inf(1)), "000000000000f07f"},
		{column.NewNull(column.UInt8s(7, 0), []uint8{0, 1}), "00010700"},
		{column.NewArr(column.UInt8s(1, 2, 3), []uint64{2, 2, 3}), "020000000000000002000000000000000300000000000000010203"},
		{column.NewTup(column.UInt8s(1, 2), column.Strings("x", "y")), "010201780179"},
		{&column.NothingColumn{N: 2}, "3030"},
		{column.NewWide(column.Of(column.UUID), []column.UUIDValue{{Hi: 0x61f0c4045cb311e7, Lo: 0x907ba6006ad3dba0}}), "e711b35c04c4f061a0dbd36a00a67b90"},
		{lc, "0100000000000000" + "0006000000000000" + "0200000000000000" + "000161" + "0300000000000000" + "010001"},
	} {
		var w output
		writeColumn(&w, c.col)
		if got := hex.EncodeToString(w.buf); got != c.want {
			t.Errorf("%s: want %s, got %s", c.col.Type(), c.want, got)
		}
	}
}

func TestBlockBytes(t *testing.T) {
	b := column.NewBlock([]string{"a"}, []column.Column{column.UInt8s(1, 2)})
	for revision, kind := range map[uint64]string{54412: "", 54453: "", 54454: "00", Revision: "00"} {
		for want, args := range map[string]struct {
			b    *column.Block
			rows bool
		}{
			"010002ffffffff00" + "01" + "02" + "0161" + "0555496e7438" + kind + "0102": {b, true},
			"010002ffffffff00" + "01" + "00" + "0161" + "0555496e7438" + kind:          {b, false},
			"010002ffffffff00" + "00" + "00":                                           {nil, false},
		} {
			var w output
			writeBlock(&w, args.b, args.rows, revision)
			if got := hex.EncodeToString(w.buf); got != want {
				t.Errorf("revision %d: want %s, got %s", revision, want, got)
			}
		}
	}
}

func TestLowCardinalityIndexWidths(t *testing.T) {
	typ := column.MustParse("LowCardinality(UInt32)")
	for _, keys := range []int{2, 256, 257, 65536, 65537} {
		c := column.NewLowCard(typ, 0)
		values := make([]uint32, keys)
		for i := range values {
			values[i] = uint32(i)
		}
		c.AppendRange(column.UInt32s(values...), 0, keys)
		want := column.NewBlock([]string{"k"}, []column.Column{c})
		var w output
		writeBlock(&w, want, true, Revision)
		r := newBytesInput(w.buf)
		sameBlock(t, want, readBlock(r, Revision, &testLimits, nil))
		// A few rows of a large dictionary take few bytes.
		w.buf = w.buf[:0]
		few := want.Slice(keys-1, keys)
		writeBlock(&w, few, true, Revision)
		if keys > 256 && len(w.buf) > 100 {
			t.Errorf("one row of %d keys takes %d bytes", keys, len(w.buf))
		}
		sameBlock(t, few, readBlock(newBytesInput(w.buf), Revision, &testLimits, nil))
	}
}

// ch-go sends dictionaries whose first key is not the default value, and indexes may be 8 bytes wide or come in several runs.
func TestLowCardinalityForeign(t *testing.T) {
	var w output
	w.u64(lowCardVersion)
	w.u64(lowCardKeys | 3)
	w.u64(1)
	w.str("x")
	w.u64(2)
	w.u64(0)
	w.u64(0)
	w.u64(lowCardKeys | lowCardUpdate)
	w.u64(2)
	w.str("y")
	w.str("")
	w.u64(2)
	w.u8(1)
	w.u8(0)
	r := newBytesInput(w.buf)
	c := readColumn(r, column.MustParse("LowCardinality(String)"), 4)
	if r.err != nil {
		t.Fatal(r.err)
	}
	c.AppendDefault(1)
	want := []string{"x", "x", "", "y", ""}
	for i, s := range column.Plain(c).(*column.Str).Ends {
		_ = s
		if got := string(column.Plain(c).(*column.Str).At(i)); got != want[i] {
			t.Errorf("row %d: want %q, got %q", i, want[i], got)
		}
	}
}

func TestDowngrade(t *testing.T) {
	b := column.NewBlock([]string{"b", "t", "d", "ip", "ip6", "u", "i", "m", "n", "lc"}, []column.Column{
		column.NewNum(column.Of(column.Bool), []uint8{1}),
		column.NewNum(column.MustParse("DateTime64(3, 'UTC')"), []int64{-1}),
		column.NewNum(column.Of(column.Date32), []int32{-1}),
		column.NewNum(column.Of(column.IPv4), []uint32{0x7f000001}),
		column.NewWide(column.Of(column.IPv6), []column.IPv6Value{{15: 1}}),
		column.NewWide(column.Of(column.UInt128), []column.U128{{Lo: math.MaxUint64, Hi: math.MaxUint64}}),
		column.NewWide(column.MustParse("Decimal(76, 3)"), []column.I256{{W: [4]uint64{^uint64(1499), math.MaxUint64, math.MaxUint64, math.MaxUint64}}}),
		&column.MapColumn{T: column.MustParse("Map(String, Bool)"), Arr: column.NewArr(column.NewTup(column.Strings("k"), column.NewNum(column.Of(column.Bool), []uint8{1})), []uint64{1})},
		column.NewNull(column.NewNum(column.Of(column.Bool), []uint8{0}), []uint8{1}),
		column.NewConst(sampleBlock(1, "LowCardinality(IPv4)").Cols[0], 1),
	})
	want := []struct{ typ, text string }{
		{"UInt8", ""}, {"String", "1969-12-31 23:59:59.999"}, {"String", "1969-12-31"}, {"String", "127.0.0.1"}, {"String", "::1"},
		{"String", "340282366920938463463374607431768211455"}, {"String", "-1.5"}, {"Array(Tuple(String, UInt8))", ""}, {"Nullable(UInt8)", ""},
		{"LowCardinality(String)", ""},
	}
	var w output
	writeBlock(&w, b, true, 54412)
	r := newBytesInput(w.buf)
	got := readBlock(r, 54412, &testLimits, nil)
	if r.err != nil {
		t.Fatal(r.err)
	}
	for i, c := range got.Cols {
		if c.Type().String() != want[i].typ {
			t.Errorf("%s: want %s, got %s", b.Names[i], want[i].typ, c.Type())
		}
		if s, ok := c.(*column.Str); ok && string(s.At(0)) != want[i].text {
			t.Errorf("%s: want %q, got %q", b.Names[i], want[i].text, s.At(0))
		}
	}
}
