package agg

import (
	"fmt"
	"math/rand"
	"testing"

	"dictsvc/column"
	"dictsvc/internal/mem"
)

// keyColumn is n values of a type, of about distinct different ones.
func keyColumn(t *column.Type, n, distinct int, r *rand.Rand) column.Column {
	c := column.New(t, n)
	for range n {
		v := uint64(r.Intn(distinct)) * 0x9E3779B97F4A7C15 >> 3
		switch x := c.(type) {
		case *column.Num[uint64]:
			x.Data = append(x.Data, v)
		case *column.Num[uint16]:
			x.Data = append(x.Data, uint16(v))
		case *column.Num[int32]:
			x.Data = append(x.Data, int32(v))
		case *column.Wide[column.U128]:
			x.Data = append(x.Data, column.U128{Lo: v, Hi: v * 3})
		case *column.Wide[column.I256]:
			x.Data = append(x.Data, column.I256{W: [4]uint64{v, 1, v * 5, 2}})
		case *column.Wide[column.UUIDValue]:
			x.Data = append(x.Data, column.UUIDValue{Lo: v, Hi: v * 3})
		case *column.FixedStr:
			x.Append([]byte(fmt.Sprint(v))[:min(x.T.Width, len(fmt.Sprint(v)))])
		case *column.Str:
			s := fmt.Sprint(v)
			if v%3 == 0 {
				s += "a string that is longer than its words"
			}
			x.AppendString(s[:len(s)-int(v%4)])
		case *column.Null:
			if v%5 == 0 {
				x.AppendNull()
				continue
			}
			x.Nulls = append(x.Nulls, 0)
			x.Inner.AppendRange(keyColumn(t.Elems[0], 1, distinct, r), 0, 1)
		default:
			return random(t, n, r)
		}
	}
	return c
}

// All ways into a table agree with a Go map over the rows' key images: rows of blocks, images scattered by partition, and the stored keys of one table
// put into another.
func TestGrouperWays(t *testing.T) {
	r := rand.New(rand.NewSource(3))
	budget := mem.CheckLeaks(t)
	for _, names := range [][]string{{"UInt8"}, {"UInt16"}, {"Nullable(UInt8)"}, {"UInt64"}, {"Nullable(UInt64)"}, {"Int32", "UInt16"}, {"UInt128"}, {"UUID", "UInt64"}, {"Int256"},
		{"Int256", "UInt64"}, {"FixedString(5)"}, {"FixedString(33)"}, {"FixedString(70)"}, {"FixedString(16)", "Nullable(UInt64)"}, {"String"}, {"String", "UInt64"}, {"Nullable(String)"}, {"LowCardinality(String)"},
		{"Tuple(UInt64, String)"}, {"Float64"}} {
		types := make([]*column.Type, len(names))
		for i, n := range names {
			types[i] = column.MustParse(n)
		}
		pool := mem.NewPool(budget)
		g := NewGrouperIn(pool, types)
		parts := make([]Grouper, Partitions)
		for p := range parts {
			parts[p] = g.Part(pool)
		}
		want := map[string]uint32{}
		byPart := map[string][2]uint32{}
		img, scattered := NewImage(pool), NewImage(pool)
		for block := range 6 {
			rows := []int{1, 255, 256, 257, 3000, 0}[block]
			keys := make([]column.Column, len(types))
			for i := range types {
				keys[i] = keyColumn(types[i], rows, 1500, r)
			}
			out := make([]uint32, rows)
			g.Groups(keys, rows, out)
			image := func(i int) string {
				var k []byte
				for _, c := range keys {
					k = c.AppendKey(k, i)
				}
				return string(k)
			}
			for i, id := range out {
				w, ok := want[image(i)]
				if !ok {
					w = uint32(len(want))
					want[image(i)] = w
				}
				if id != w {
					t.Fatalf("%v: block %d, row %d: got group %d, want %d", names, block, i, id, w)
				}
			}
			order := make([]uint32, rows)
			var ends [Partitions]uint32
			g.Pack(keys, rows, img)
			img.Scatter(scattered, order, &ends)
			from := uint32(0)
			for p, to := range ends {
				ids := make([]uint32, to-from)
				parts[p].GroupsOf(scattered, int(from), int(to), ids)
				for i, id := range ids {
					k := image(int(order[int(from)+i]))
					if w, ok := byPart[k]; ok && w != [2]uint32{uint32(p), id} {
						t.Fatalf("%v: a row of partition %d group %d was in %v before", names, p, id, w)
					}
					byPart[k] = [2]uint32{uint32(p), id}
				}
				from = to
			}
		}
		total := 0
		for _, p := range parts {
			total += p.Len()
		}
		if g.Len() != len(want) || total != len(want) {
			t.Fatalf("%v: got %d groups, %d in partitions, want %d", names, g.Len(), total, len(want))
		}
		stored := NewImage(nil)
		g.Stored(0, g.Len(), stored)
		copied := g.Empty(nil)
		ids := make([]uint32, g.Len())
		copied.GroupsOf(stored, 0, g.Len(), ids)
		found := make([]uint32, g.Len())
		keys := copied.Keys(0, g.Len())
		g.Find(keys, g.Len(), found)
		for i, id := range ids {
			if id != uint32(i) || found[i] != uint32(i+1) {
				t.Fatalf("%v: stored key %d becomes group %d and is found as %d", names, i, id, found[i])
			}
		}
		absent := keyColumn(types[0], 50, 1<<40, r)
		rest := append([]column.Column{absent}, keys[1:]...)
		for i, c := range rest[1:] {
			rest[i+1] = c.Slice(0, 50)
		}
		found = make([]uint32, 50)
		g.Find(rest, 50, found)
		for i := range 50 {
			var k []byte
			for _, c := range rest {
				k = c.AppendKey(k, i)
			}
			if id, ok := want[string(k)]; ok != (found[i] != 0) || ok && found[i] != id+1 {
				t.Errorf("%v: key found as %d, want %d", names, found[i], id+1)
			}
		}
		g.Free()
		pool.Free()
	}
}

func BenchmarkGrouper(b *testing.B) {
	const rows = 1 << 16
	for _, c := range []struct {
		typ    string
		groups int
	}{{"UInt8", 97}, {"UInt64", 97}, {"UInt64", 100_000}, {"UInt64", 5_000_000}, {"UInt128", 100_000}, {"String", 1000}, {"String", 100_000}} {
		b.Run(fmt.Sprintf("%s/%d", c.typ, c.groups), func(b *testing.B) {
			r := rand.New(rand.NewSource(1))
			blocks := make([]column.Column, 16)
			for i := range blocks {
				col := column.New(column.MustParse(c.typ), rows)
				for range rows {
					v := r.Intn(c.groups)
					switch x := col.(type) {
					case *column.Num[uint8]:
						x.Data = append(x.Data, uint8(v))
					case *column.Num[uint64]:
						x.Data = append(x.Data, uint64(v))
					case *column.Wide[column.U128]:
						x.Data = append(x.Data, column.U128{Lo: uint64(v)})
					case *column.Str:
						x.AppendString(fmt.Sprint(v))
					}
				}
				blocks[i] = col
			}
			pool := mem.NewPool(nil)
			defer pool.Free()
			out := make([]uint32, rows)
			b.ResetTimer()
			for range b.N {
				g := NewGrouperIn(pool, []*column.Type{blocks[0].Type()})
				for _, k := range blocks {
					g.Groups([]column.Column{k}, rows, out)
				}
				g.Free()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/16/rows, "ns/row")
		})
	}
}

func BenchmarkScatter(b *testing.B) {
	const rows = 1 << 16
	r := rand.New(rand.NewSource(1))
	data := make([]uint64, rows)
	for i := range data {
		data[i] = r.Uint64()
	}
	g := NewGrouper([]*column.Type{column.Of(column.UInt64)})
	img, to := NewImage(nil), NewImage(nil)
	order := make([]uint32, rows)
	var ends [Partitions]uint32
	for range b.N {
		g.Pack([]column.Column{column.UInt64s(data...)}, rows, img)
		img.Scatter(to, order, &ends)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/rows, "ns/row")
}
