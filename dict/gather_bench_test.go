package dict

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"dictsvc/column"
)

// benchStore fills the store of a column's type with the column's rows, n times over.
func benchStore(b *testing.B, c column.Column, n int) store {
	b.Helper()
	r := newRegion(nil)
	b.Cleanup(r.free)
	s := newStore(c.Type(), r)
	for range n {
		if err := s.add(c, 0, c.Len()); err != nil {
			b.Fatal(err)
		}
	}
	if err := s.seal(); err != nil {
		b.Fatal(err)
	}
	return s
}

// BenchmarkGather reads a block's rows of four million, in the order of loading and in none.
func BenchmarkGather(b *testing.B) {
	const n, times = 1 << 18, 16
	num, float, str, few := column.NewNum(column.Of(column.UInt32), []uint32{}), column.Float64s(), column.Strings(), column.Strings()
	r := rand.New(rand.NewPCG(1, 2))
	for i := range n {
		num.Data = append(num.Data, r.Uint32())
		float.Data = append(float.Data, float64(r.IntN(1e9))/100)
		str.AppendString(fmt.Sprintf("user-%d@example.org", i*16))
		few.AppendString(fmt.Sprintf("Land %d", i%200))
	}
	nulls := make([]uint8, n)
	for i := range nulls {
		nulls[i] = uint8(r.IntN(2))
	}
	rows, found := make([]uint64, column.MaxBlockRows), make([]uint8, column.MaxBlockRows)
	for i := range found {
		found[i] = 1
	}
	for _, c := range []struct {
		name string
		col  column.Column
	}{{"UInt32", num}, {"Float64", float}, {"String", str}, {"String200", few}, {"Nullable", column.NewNull(num, nulls)}} {
		s := benchStore(b, c.col, times)
		def := c.col.New(1)
		def.AppendDefault(1)
		for _, order := range []string{"ordered", "random"} {
			b.Run(c.name+"/"+order, func(b *testing.B) {
				b.SetBytes(int64(len(rows))) // so that MB/s reads as million rows a second
				m := new(column.Scratch)
				at := uint64(0)
				for b.Loop() {
					for i := range rows {
						at = (at + 1) % (n * times)
						rows[i] = at
						if order == "random" {
							rows[i] = at * 2654435761 % (n * times)
						}
					}
					s.gather(column.NewIn(m, c.col.Type(), len(rows)), rows, found, def)
					m.Reset()
				}
			})
		}
	}
}
