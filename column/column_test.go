package column

import "testing"

// Every type's column must give back what was put in, through each way of moving rows.
func TestColumnsMoveRows(t *testing.T) {
	names := []string{"UInt8", "Bool", "Int16", "UInt64", "Float64", "Decimal(10, 2)", "Decimal(38, 3)", "Int256", "String", "FixedString(3)", "Date", "DateTime('UTC')",
		"DateTime64(3)", "UUID", "IPv4", "IPv6", "Enum8('a' = 1, 'b' = 2)", "Nullable(String)", "Array(Nullable(UInt8))", "Array(Array(String))",
		"Tuple(UInt8, String)", "Tuple(a UInt8, b Array(String))", "Map(String, UInt64)", "LowCardinality(String)", "LowCardinality(Nullable(String))", "Nothing"}
	for _, name := range names {
		typ := MustParse(name)
		if typ.String() != name {
			t.Errorf("type %s prints as %s", name, typ)
		}
		c := New(typ, 0)
		c.AppendDefault(5)
		if c.Len() != 5 {
			t.Fatalf("%s: 5 defaults give %d rows", name, c.Len())
		}
		d := c.New(3)
		d.AppendRange(c, 1, 4)
		d.AppendRange(NewConst(c, 2), 0, 2)
		var key []byte
		for i := 0; i < d.Len(); i++ {
			key = d.AppendKey(key, i)
		}
		e := c.New(0)
		for i := 0; i < 5; i++ {
			key = e.ReadKey(key)
		}
		if len(key) != 0 || e.Len() != 5 {
			t.Fatalf("%s: keys read back: %d rows, %d bytes left", name, e.Len(), len(key))
		}
		for i := 0; i < 5; i++ {
			if Compare(d, i, e, i, 1) != 0 {
				t.Errorf("%s: row %d differs after its key was read back", name, i)
			}
		}
		if n := c.Filter([]uint8{1, 0, 1, 0, 0}, 2).Len(); n != 2 {
			t.Errorf("%s: filter gives %d rows, want 2", name, n)
		}
		if n := c.Gather([]uint32{4, 4, 0}).Slice(1, 3).Len(); n != 2 {
			t.Errorf("%s: gather and slice give %d rows, want 2", name, n)
		}
		if n := c.Replicate([]uint64{2, 2, 3, 3, 7}).Len(); n != 7 {
			t.Errorf("%s: replicate gives %d rows, want 7", name, n)
		}
		c.Truncate(2)
		if c.Len() != 2 {
			t.Errorf("%s: truncate gives %d rows, want 2", name, c.Len())
		}
	}
}

func TestSlicesOfSlices(t *testing.T) {
	s := Strings("a", "bb", "", "cccc")
	x := s.Slice(1, 4).Slice(0, 3).(*Str)
	if got := string(x.At(0)) + "|" + string(x.At(1)) + "|" + string(x.At(2)); got != "bb||cccc" {
		t.Errorf("slice of strings: got %s", got)
	}
	a := NewArr(s, []uint64{1, 1, 4})
	y := a.Slice(1, 3).Slice(1, 2).(*Arr)
	from, to := y.Range(0)
	if to-from != 3 || string(y.Elem.(*Str).At(from)) != "bb" {
		t.Errorf("slice of arrays: got elements %d to %d", from, to)
	}
	b := a.New(0)
	b.AppendRange(a.Slice(1, 3), 1, 2)
	if Compare(b, 0, a, 2, 1) != 0 {
		t.Error("append from a slice of arrays differs")
	}
}
