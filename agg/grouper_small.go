package agg

import (
	"unsafe"

	"dictsvc/column"
	"dictsvc/internal/mem"
)

// smallGrouper: keys of one or two bytes are places of an array of group numbers.
type smallGrouper struct {
	packing
	ids  []uint32 // group + 1, 0 where there is none
	keys []uint16 // by group
	buf  []uint16
}

// raw is the keys as bytes or pairs of them, packed in buf where they do not stand so already.
func (g *smallGrouper) raw(keys []column.Column, rows int, buf []uint16) unsafe.Pointer {
	if at, ok := g.alias(keys, rows); ok {
		return at
	}
	clear(buf)
	at := unsafe.Pointer(unsafe.SliceData(buf))
	g.pack(keys, rows, at, g.width)
	return at
}

func (g *smallGrouper) Groups(keys []column.Column, rows int, out []uint32) {
	if rows == 0 {
		return
	}
	if g.ids == nil {
		g.ids = make([]uint32, 1<<(8*g.width))
	}
	g.buf = grow(g.buf, rows)
	at := g.raw(keys, rows, g.buf[:rows])
	if g.width == 1 {
		smallGroups(g, unsafe.Slice((*uint8)(at), rows), (*[1 << 8]uint32)(g.ids)[:], out)
		return
	}
	smallGroups(g, unsafe.Slice((*uint16)(at), rows), (*[1 << 16]uint32)(g.ids)[:], out)
}

func smallGroups[K uint8 | uint16](g *smallGrouper, keys []K, ids, out []uint32) {
	out = out[:len(keys)]
	for i, k := range keys {
		id := ids[k]
		if id == 0 {
			g.keys = append(g.keys, uint16(k))
			id = uint32(len(g.keys))
			ids[k] = id
		}
		out[i] = id - 1
	}
}

func (g *smallGrouper) Find(keys []column.Column, rows int, out []uint32) {
	clear(out[:rows])
	if len(g.keys) == 0 || rows == 0 {
		return
	}
	at := g.raw(keys, rows, make([]uint16, rows))
	if g.width == 1 {
		for i, k := range unsafe.Slice((*uint8)(at), rows) {
			out[i] = g.ids[k]
		}
		return
	}
	for i, k := range unsafe.Slice((*uint16)(at), rows) {
		out[i] = g.ids[k]
	}
}

func (g *smallGrouper) Len() int { return len(g.keys) }

func (g *smallGrouper) Keys(from, to int) []column.Column {
	return g.columns(unsafe.Pointer(unsafe.SliceData(g.keys[from:to])), to-from, 2)
}

func (g *smallGrouper) Bytes() int { return 4*cap(g.ids) + 2*cap(g.keys) + 2*cap(g.buf) }

// Pack makes images of one word; a partition's table holds words, not another array.
func (g *smallGrouper) Pack(keys []column.Column, rows int, img *Image) {
	img.room(rows, 1)
	if rows > 0 {
		clear(img.words)
		g.pack(keys, rows, unsafe.Pointer(&img.words[0]), 8)
	}
}

func (g *smallGrouper) GroupsOf(img *Image, from, to int, out []uint32) {
	if g.ids == nil {
		g.ids = make([]uint32, 1<<(8*g.width))
	}
	keys := make([]uint16, 0, to-from)
	for _, w := range img.words[from:to] {
		keys = append(keys, uint16(w))
	}
	smallGroups(g, keys, g.ids, out)
}

func (g *smallGrouper) Stored(from, to int, img *Image) {
	img.room(to-from, 1)
	for i, k := range g.keys[from:to] {
		img.words[i] = uint64(k)
	}
}

func (g *smallGrouper) Empty(*mem.Pool) Grouper { return &smallGrouper{packing: g.packing} }

// Part is a table of words: an array for each of many partitions would be mostly empty.
func (g *smallGrouper) Part(p *mem.Pool) Grouper {
	lay := g.packing
	lay.clear = true
	return newFixed(p, lay, hash1)
}

func (g *smallGrouper) Free() {}
