package agg

import (
	"fmt"
	"math"
	"math/rand"
	"testing"

	"dictsvc/column"
)

// column of n random rows of a type, few distinct values
func random(t *column.Type, n int, r *rand.Rand) column.Column {
	c := column.New(t, n)
	for i := 0; i < n; i++ {
		v := r.Intn(20)
		switch x := c.(type) {
		case *column.Num[uint8]:
			x.Data = append(x.Data, uint8(v))
		case *column.Num[uint64]:
			x.Data = append(x.Data, uint64(v)<<40)
		case *column.Num[int32]:
			x.Data = append(x.Data, int32(v-10))
		case *column.Num[float64]:
			x.Data = append(x.Data, []float64{0, math.Copysign(0, -1), math.NaN(), -math.NaN(), 1.5, -3}[v%6])
		case *column.Str:
			x.AppendString(fmt.Sprint("s", v))
		case *column.Null:
			if v == 0 {
				x.AppendNull()
			} else {
				x.Nulls = append(x.Nulls, 0)
				x.Inner.AppendRange(random(t.Elems[0], 1, r), 0, 1)
			}
		case *column.LowCard:
			x.AppendRange(random(t.Elems[0], 1, r), 0, 1)
		default:
			c.AppendDefault(1)
		}
	}
	return c
}

// Groups must agree with a Go map over the rows' key images, for every kind of table.
func TestGrouper(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for _, names := range [][]string{{"UInt8"}, {"UInt64"}, {"Float64"}, {"Nullable(Int32)"}, {"UInt8", "Int32"}, {"UInt64", "UInt8"}, {"UInt64", "Float64"},
		{"Nullable(Float64)", "Int32"}, {"String"}, {"String", "UInt8"}, {"Nullable(String)"}, {"LowCardinality(String)"}, {"LowCardinality(Nullable(String))", "UInt64"},
		{"UInt64", "UInt64", "UInt64"}, {"Array(UInt8)"}, {"UUID"}} {
		types := make([]*column.Type, len(names))
		for i, n := range names {
			types[i] = column.MustParse(n)
		}
		g := NewGrouper(types)
		want := map[string]uint32{}
		for block := 0; block < 5; block++ {
			const rows = 300
			keys := make([]column.Column, len(types))
			for i := range types {
				keys[i] = random(types[i], rows, r)
			}
			out := make([]uint32, rows)
			g.Groups(keys, rows, out)
			for i, id := range out {
				var k []byte
				for _, c := range keys {
					k = c.AppendKey(k, i)
				}
				w, ok := want[string(k)]
				if !ok {
					w = uint32(len(want))
					want[string(k)] = w
				}
				if id != w {
					t.Fatalf("%v: row %d: got group %d, want %d", names, i, id, w)
				}
			}
		}
		if g.Len() != len(want) {
			t.Fatalf("%v: got %d groups, want %d", names, g.Len(), len(want))
		}
		for i, c := range g.Keys(0, g.Len()) {
			if c.Len() != g.Len() || !c.Type().Equal(types[i]) {
				t.Errorf("%v: key column of type %s with %d rows", names, c.Type(), c.Len())
			}
		}
		keys := g.Keys(0, g.Len())
		found := make([]uint32, g.Len())
		g.Find(keys, g.Len(), found)
		for id, f := range found {
			if f != uint32(id+1) {
				t.Errorf("%v: key of group %d is found as %d", names, id, f)
			}
		}
		for id := 0; id < g.Len(); id++ {
			var k []byte
			for _, c := range keys {
				k = c.AppendKey(k, id)
			}
			if want[string(k)] != uint32(id) {
				t.Errorf("%v: key of group %d reads back as that of %d", names, id, want[string(k)])
			}
		}
	}
}

// A function run over one stream must give the same as one run over two and merged.
func TestMergeEqualsOneStream(t *testing.T) {
	r := rand.New(rand.NewSource(2))
	cases := []struct {
		name string
		args []string
	}{{"count", nil}, {"count", []string{"Nullable(String)"}}, {"sum", []string{"UInt64"}}, {"sum", []string{"Nullable(Int32)"}}, {"avg", []string{"UInt8"}},
		{"min", []string{"String"}}, {"max", []string{"Nullable(Int32)"}}, {"min", []string{"Float64"}}, {"any", []string{"String"}}, {"anyLast", []string{"UInt64"}},
		{"uniqExact", []string{"String"}}, {"uniqExact", []string{"UInt64", "Int32"}}, {"groupArray", []string{"String"}}, {"groupUniqArray", []string{"UInt8"}},
		{"argMin", []string{"String", "Int32"}}, {"argMax", []string{"UInt64", "String"}}, {"sumIf", []string{"UInt64", "UInt8"}}, {"avgIf", []string{"Nullable(Int32)", "UInt8"}},
		{"sumDistinct", []string{"UInt64"}}, {"countDistinct", []string{"String"}}, {"sumArgMin", []string{"UInt64", "Int32"}}, {"countTuple", []string{"Tuple(UInt8, String)"}}, {"sumForEach", []string{"Array(UInt8)"}}, {"sumArray", []string{"Array(UInt8)"}}, {"sumOrNull", []string{"Int32"}}, {"avgOrDefault", []string{"Int32"}}}
	for _, c := range cases {
		types := make([]*column.Type, len(c.args))
		for i, n := range c.args {
			types[i] = column.MustParse(n)
		}
		f, err := Bind(c.name, nil, types, false)
		if err != nil {
			t.Fatalf("%s(%v): %v", c.name, c.args, err)
		}
		one, a, b := f.NewStates(), f.NewStates(), f.NewStates()
		one.Grow(3)
		a.Grow(3)
		b.Grow(3)
		for block := 0; block < 4; block++ {
			const rows = 50
			args := make([]column.Column, len(types))
			for i := range types {
				args[i] = random(types[i], rows, r)
			}
			groups := make([]uint32, rows)
			for i := range groups {
				groups[i] = uint32(r.Intn(2)) // group 2 stays empty
			}
			part := a
			if block >= 2 {
				part = b
			}
			for _, s := range []States{one, part} {
				if err := s.Add(groups, args, rows); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := a.Merge(b, nil, []uint32{0, 1, 2}); err != nil {
			t.Fatal(err)
		}
		x, err := one.Result(0, 3)
		if err != nil {
			t.Fatal(err)
		}
		y, _ := a.Result(0, 3)
		if !x.Type().Equal(f.Type) || x.Len() != 3 {
			t.Errorf("%s: result %s of %d rows, want %s of 3", c.name, x.Type(), x.Len(), f.Type)
		}
		for g := 0; g < 3; g++ {
			if column.Compare(x, g, y, g, 1) != 0 {
				t.Errorf("%s(%v): group %d differs after a merge", c.name, c.args, g)
			}
		}
	}
}

func TestUnknownNames(t *testing.T) {
	for _, n := range []string{"", "If", "sumX", "UNIQEXACT", "DistinctIf"} {
		if got, ok := Lookup(n); ok {
			t.Errorf("%q is taken for the aggregate function %s", n, got)
		}
	}
	for n, want := range map[string]string{"SUM": "sum", "sumIf": "sumIf", "countIf": "countIf", "sumDistinctIf": "sumDistinctIf", "COUNT": "count"} {
		if got, ok := Lookup(n); !ok || got != want {
			t.Errorf("%q: got %q, want %q", n, got, want)
		}
	}
}
