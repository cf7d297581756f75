package dict

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"dictsvc/column"
)

// TestGatherStrings compares gather with the column that was stored: strings around the lengths that are copied as blocks, empty ones, strings too long for
// 2-byte offsets, few distinct ones, arrays; rows in order and in none, keys that are missing, all lengths of a batch.
func TestGatherStrings(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	text := func(n, long int) *column.Str {
		s := column.Strings()
		for range n {
			b := make([]byte, r.IntN(long+1))
			for i := range b {
				b[i] = byte(r.Uint32())
			}
			s.Append(b)
		}
		return s
	}
	few, empty := column.Strings(), column.Strings()
	for i := range 3 * chunkRows / 2 {
		few.AppendString(fmt.Sprintf("%*d", i%40, i%200))
		empty.AppendString("")
	}
	arrays := column.New(column.NewArray(column.Of(column.UInt32)), 0)
	arrays.AppendRange(column.NewArr(column.UInt32s(1, 2, 3), []uint64{0, 2, 3}), 0, 3)
	for name, c := range map[string]column.Column{
		"short": text(chunkRows+1000, 40), "long": text(300, 20000), "few": few, "empty": empty, "one": text(1, 10), "arrays": arrays,
		"nullable": column.NewNull(text(5000, 40), make([]uint8, 5000)),
	} {
		t.Run(name, func(t *testing.T) {
			m := newRegion(nil)
			defer m.free()
			s := newStore(c.Type(), m)
			if err := s.add(c, 0, c.Len()); err != nil {
				t.Fatal(err)
			}
			if err := s.seal(); err != nil {
				t.Fatal(err)
			}
			def := c.New(1)
			if str, ok := def.(*column.Str); ok {
				str.AppendString("the default, which is longer than thirty-two bytes")
			} else {
				def.AppendDefault(1)
			}
			scratch := new(column.Scratch)
			for n := 0; n <= 3*batch; n += 1 + n/20 {
				rows, found := make([]uint64, n), make([]uint8, n)
				want := c.New(n)
				first := uint64(r.IntN(c.Len()))
				for i := range rows {
					switch {
					case r.IntN(5) == 0:
						want.AppendRange(def, 0, 1)
						continue
					case n%2 == 0:
						rows[i] = (first + uint64(i)) % uint64(c.Len())
					default:
						rows[i] = r.Uint64N(uint64(c.Len()))
					}
					found[i] = 1
					want.AppendRange(c, int(rows[i]), int(rows[i])+1)
				}
				for _, mem := range []*column.Scratch{nil, scratch} {
					got := column.NewIn(mem, c.Type(), n)
					s.gather(got, rows, found, def)
					if got.Len() != n {
						t.Fatalf("%d rows, want %d", got.Len(), n)
					}
					for i := range n {
						if got.Compare(i, want, i, 1) != 0 {
							t.Fatalf("row %d of %d differs", i, n)
						}
					}
				}
				scratch.Reset()
			}
		})
	}
}

// TestGatherNothing: a dictionary without rows gives defaults.
func TestGatherNothing(t *testing.T) {
	s := newStore(column.Of(column.String), newRegion(nil))
	if err := s.seal(); err != nil {
		t.Fatal(err)
	}
	got := column.Strings()
	s.gather(got, make([]uint64, 100), make([]uint8, 100), column.Strings("x"))
	if got.Len() != 100 || string(got.At(99)) != "x" {
		t.Errorf("%d rows, the last %q", got.Len(), got.At(got.Len()-1))
	}
}
