package column

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestScratchLendsAgain: memory comes back after Reset, never before, and pieces that are lent at once do not overlap.
func TestScratchLendsAgain(t *testing.T) {
	s := new(Scratch)
	for round := range 5 {
		var lent [][]uint32
		for _, n := range []int{0, 1, 511, 512, 513, 1024, 1025, 4096, 65409, 65409, 1 << 20} {
			b := Make[uint32](s, n)
			if len(b) != n {
				t.Fatalf("round %d: Make(%d) has %d elements", round, n, len(b))
			}
			for i := range b {
				b[i] = uint32(n + i)
			}
			lent = append(lent, b)
		}
		for _, b := range lent {
			for i, v := range b {
				if v != uint32(len(b)+i) {
					t.Fatalf("round %d: element %d of %d is %d: the piece was lent twice", round, i, len(b), v)
				}
			}
		}
		s.Reset()
	}
	allocs := testing.AllocsPerRun(10, func() {
		for range 4 {
			Make[uint64](s, 65409)
			Make[uint8](s, 65409)
		}
		s.Reset()
	})
	if allocs != 0 {
		t.Errorf("%v allocations a batch, want none", allocs)
	}
}

func TestScratchNil(t *testing.T) {
	var s *Scratch
	s.Reset()
	if b := Make[uint64](s, 10000); len(b) != 10000 || slices.Max(b) != 0 {
		t.Error("Make without a Scratch does not give zeros")
	}
}

// TestFilter compares the kernels with a row at a time, for all lengths around a word and runs, bytes other than 1 among the marks.
func TestFilter(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	s := new(Scratch)
	for n := 0; n <= 100; n++ {
		for _, share := range []int{0, 1, 50, 99, 100} {
			num, str := &Num[int32]{T: Of(Int32)}, Strings()
			pad := r.IntN(5)
			for range pad {
				str.AppendString("skipped")
			}
			keep := make([]uint8, n)
			for i := range n {
				num.Data = append(num.Data, r.Int32())
				str.Append(make([]byte, r.IntN(20)))
				if r.IntN(100) < share {
					keep[i] = uint8(1 + r.IntN(255)*r.IntN(2))
				}
			}
			null := NewNull(num, slices.Clone(keep))
			for _, c := range []Column{num, str.Slice(pad, pad+n), null} {
				k := Count(keep)
				want := c.New(k)
				for i, x := range keep {
					if x != 0 {
						want.AppendRange(c, i, i+1)
					}
				}
				for _, got := range []Column{c.Filter(keep, k), FilterIn(s, c, keep, k)} {
					requireEqual(t, got, want)
				}
				s.Reset()
			}
		}
	}
}

func requireEqual(t *testing.T, got, want Column) {
	t.Helper()
	if got.Len() != want.Len() || got.Type() != want.Type() {
		t.Fatalf("%d rows of %s, want %d of %s", got.Len(), got.Type(), want.Len(), want.Type())
	}
	for i := range want.Len() {
		if got.Compare(i, want, i, 1) != 0 {
			t.Fatalf("row %d of %d (%s) differs", i, want.Len(), want.Type())
		}
	}
}

func TestConstExpand(t *testing.T) {
	for _, c := range []Column{UInt64s(7), UInt64s(0), Float64s(-0.5), Strings("abc"), Strings(""), NewNull(UInt8s(3), []uint8{1}),
		&Num[uint16]{T: Of(Date), Data: []uint16{20000}}, Strings("skipped", "taken").Slice(1, 2)} {
		for _, n := range []int{0, 1, 2, 3, 7, 8, 100} {
			want := c.New(n)
			for range n {
				want.AppendRange(c, 0, 1)
			}
			requireEqual(t, NewConst(c, n).Expand(), want)
		}
	}
}

// TestNewIn: columns built in a Scratch are as those of New.
func TestNewIn(t *testing.T) {
	s := new(Scratch)
	for _, name := range []string{"UInt8", "Int64", "Date", "Float32", "String", "Nullable(String)", "Nullable(UInt32)", "Array(UInt8)", "UUID", "Tuple(UInt8, String)", "FixedString(3)"} {
		typ, err := Parse(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range []int{0, 1, 1000, 5000} {
			c, want := NewIn(s, typ, n), New(typ, n)
			c.AppendDefault(n)
			want.AppendDefault(n)
			requireEqual(t, c, want)
			s.Reset()
		}
	}
}

func TestStrReserve(t *testing.T) {
	for _, s := range []*Scratch{nil, new(Scratch)} {
		c := NewIn(s, Of(String), 3000).(*Str)
		c.AppendString("one")
		c.Reserve(5000, 3000)
		if cap(c.Data) < 5003 || cap(c.Ends) < 3001 {
			t.Fatalf("room for %d bytes and %d rows", cap(c.Data), cap(c.Ends))
		}
		c.AppendString("two")
		requireEqual(t, c, Strings("one", "two"))
	}
}

func BenchmarkFilter(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	num, str, keep := UInt64s(), Strings(), []uint8(nil)
	for range MaxBlockRows {
		num.Data = append(num.Data, r.Uint64())
		str.AppendString("user-1234567@example.org")
		keep = append(keep, uint8(r.IntN(2)))
	}
	n := Count(keep)
	for name, c := range map[string]Column{"UInt64": num, "String": str} {
		b.Run(name, func(b *testing.B) {
			s := new(Scratch)
			b.SetBytes(MaxBlockRows) // so that MB/s reads as million rows a second
			for b.Loop() {
				FilterIn(s, c, keep, n)
				s.Reset()
			}
		})
	}
}
