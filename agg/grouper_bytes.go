package agg

import (
	"bytes"
	"hash/maphash"

	"dictsvc/column"
)

// bytesGrouper: keys as byte strings in one arena, their hashes saved in the cells so that the arena is touched only for likely matches.
type bytesGrouper struct {
	types  []*column.Type
	single bool // one String column: the bytes are the value itself
	seed   maphash.Seed
	cells  []bytesCell
	arena  []byte
	ends   []uint64 // of the keys in the arena, by group
	buf    []byte
}

type bytesCell struct {
	hash uint32
	id   uint32 // group + 1; 0 = free
}

func (g *bytesGrouper) Groups(keys []column.Column, rows int, out []uint32) {
	if g.single {
		s := keys[0].(*column.Str)
		for i := range out[:rows] {
			out[i] = g.group(s.At(i))
		}
		return
	}
	for i := range out[:rows] {
		g.buf = g.buf[:0]
		for _, k := range keys {
			g.buf = k.AppendKey(g.buf, i)
		}
		out[i] = g.group(g.buf)
	}
}

func (g *bytesGrouper) Find(keys []column.Column, rows int, out []uint32) {
	clear(out[:rows])
	if len(g.ends) == 0 {
		return
	}
	mask := uint64(len(g.cells) - 1)
	var buf []byte
	for i := range out[:rows] {
		var k []byte
		if g.single {
			k = keys[0].(*column.Str).At(i)
		} else {
			buf = buf[:0]
			for _, c := range keys {
				buf = c.AppendKey(buf, i)
			}
			k = buf
		}
		h := maphash.Bytes(g.seed, k)
		for at := h & mask; g.cells[at].id != 0; at = (at + 1) & mask {
			if c := g.cells[at]; c.hash == uint32(h>>32) && bytes.Equal(g.at(c.id-1), k) {
				out[i] = c.id
				break
			}
		}
	}
}

func (g *bytesGrouper) at(id uint32) []byte {
	var from uint64
	if id > 0 {
		from = g.ends[id-1]
	}
	return g.arena[from:g.ends[id]]
}

func (g *bytesGrouper) group(k []byte) uint32 {
	if 2*(len(g.ends)+1) > len(g.cells) {
		g.resize(len(g.ends) + 1)
	}
	h := maphash.Bytes(g.seed, k)
	mask := uint64(len(g.cells) - 1)
	for at := h & mask; ; at = (at + 1) & mask {
		c := &g.cells[at]
		if c.id == 0 {
			g.arena = append(g.arena, k...)
			g.ends = append(g.ends, uint64(len(g.arena)))
			*c = bytesCell{uint32(h >> 32), uint32(len(g.ends))}
			return uint32(len(g.ends) - 1)
		}
		if c.hash == uint32(h>>32) && bytes.Equal(g.at(c.id-1), k) {
			return c.id - 1
		}
	}
}

func (g *bytesGrouper) resize(n int) {
	g.cells = make([]bytesCell, 1<<tableBits(2*n))
	mask := uint64(len(g.cells) - 1)
	for id := range g.ends {
		h := maphash.Bytes(g.seed, g.at(uint32(id)))
		at := h & mask
		for g.cells[at].id != 0 {
			at = (at + 1) & mask
		}
		g.cells[at] = bytesCell{uint32(h >> 32), uint32(id + 1)}
	}
}

func (g *bytesGrouper) Len() int { return len(g.ends) }

func (g *bytesGrouper) Keys(from, to int) []column.Column {
	out := make([]column.Column, len(g.types))
	for i, t := range g.types {
		out[i] = column.New(t, to-from)
	}
	for id := from; id < to; id++ {
		b := g.at(uint32(id))
		if g.single {
			out[0].(*column.Str).Append(b)
			continue
		}
		for _, c := range out {
			b = c.ReadKey(b)
		}
	}
	return out
}

func (g *bytesGrouper) Bytes() int {
	return 8*cap(g.cells) + cap(g.arena) + 8*cap(g.ends) + cap(g.buf)
}
