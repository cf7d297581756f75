package agg

import (
	"dictsvc/column"
	"dictsvc/internal/mem"
)

// Grouper gives dense numbers to distinct key rows in the order in which they are first seen. Keys are equal as AppendKey has
// it: -0.0 is 0.0 and all NaN are one; NULL is a key like any other.
type Grouper interface {
	// Groups writes each row's group number to out[:rows], adding groups for new keys.
	Groups(keys []column.Column, rows int, out []uint32)
	// Find writes each row's group number + 1 to out[:rows], 0 where its key has no group. It changes nothing that other readers see.
	Find(keys []column.Column, rows int, out []uint32)
	// Len is the number of groups.
	Len() int
	// Keys returns the key columns of groups [from, to).
	Keys(from, to int) []column.Column
	// Bytes is the memory held.
	Bytes() int

	// Pack writes the image of key rows, which GroupsOf of this grouper and of all that Empty and Part make of it understand. The image may share the keys' memory.
	Pack(keys []column.Column, rows int, img *Image)
	// GroupsOf is Groups of rows [from, to) of an image.
	GroupsOf(img *Image, from, to int, out []uint32)
	// Stored is the image of the keys of groups [from, to); it is valid until the next group is added.
	Stored(from, to int, img *Image)
	// Empty is another grouper of the same keys, without groups, with memory of a pool (nil: the collector's).
	Empty(p *mem.Pool) Grouper
	// Part is Empty for one of many partitions.
	Part(p *mem.Pool) Grouper
	// Free gives a pool's memory back before the pool's owner does. The grouper is not used afterwards.
	Free()
}

// NewGrouper chooses the table for the keys' types: keys of one or two bytes are places of an array, fixed-width keys of up to 64 bytes
// together are packed in one, two, four or eight words; one string is hashed as it is; all else goes by its serialised image.
func NewGrouper(types []*column.Type) Grouper { return NewGrouperIn(nil, types) }

// NewGrouperIn is NewGrouper with memory of a pool.
func NewGrouperIn(p *mem.Pool, types []*column.Type) Grouper {
	plain := make([]*column.Type, len(types))
	wrapped := false
	for i, t := range types {
		plain[i] = t.NoLowCardinality()
		wrapped = wrapped || plain[i] != t
	}
	var g Grouper
	lay, ok := newPacking(plain)
	switch {
	case ok && lay.width <= 2:
		g = &smallGrouper{packing: lay}
	case ok && lay.width <= 8:
		g = newFixed(p, lay, hash1)
	case ok && lay.width <= 16:
		g = newFixed(p, lay, hash2)
	case ok && lay.width <= 32:
		g = newFixed(p, lay, hash4)
	case ok:
		g = newFixed(p, lay, hash8)
	default:
		g = newBytes(p, plain)
	}
	if wrapped {
		g = &lowCardGrouper{types: types, Grouper: g}
	}
	return constGrouper{g}
}

// constGrouper expands constants before the table sees them.
type constGrouper struct{ Grouper }

func fullColumns(keys []column.Column) []column.Column {
	full := make([]column.Column, len(keys))
	for i, k := range keys {
		full[i] = column.Full(k)
	}
	return full
}

func (g constGrouper) Groups(keys []column.Column, rows int, out []uint32) {
	g.Grouper.Groups(fullColumns(keys), rows, out)
}

func (g constGrouper) Find(keys []column.Column, rows int, out []uint32) {
	g.Grouper.Find(fullColumns(keys), rows, out)
}

func (g constGrouper) Pack(keys []column.Column, rows int, img *Image) {
	g.Grouper.Pack(fullColumns(keys), rows, img)
}

func (g constGrouper) Empty(p *mem.Pool) Grouper { return constGrouper{g.Grouper.Empty(p)} }
func (g constGrouper) Part(p *mem.Pool) Grouper  { return constGrouper{g.Grouper.Part(p)} }

// lowCardGrouper takes LowCardinality keys apart and puts them together again.
type lowCardGrouper struct {
	Grouper
	types []*column.Type
}

func plainColumns(keys []column.Column) []column.Column {
	plain := make([]column.Column, len(keys))
	for i, k := range keys {
		plain[i] = column.Plain(k)
	}
	return plain
}

func (g *lowCardGrouper) Groups(keys []column.Column, rows int, out []uint32) {
	if len(keys) == 1 { // one key: the table is asked once for each value in use, not a row
		if l, ok := keys[0].(*column.LowCard); ok && l.Dict.Len() < rows {
			g.byCode(l, rows, out)
			return
		}
	}
	g.Grouper.Groups(plainColumns(keys), rows, out)
}

func (g *lowCardGrouper) Find(keys []column.Column, rows int, out []uint32) {
	g.Grouper.Find(plainColumns(keys), rows, out)
}

func (g *lowCardGrouper) Pack(keys []column.Column, rows int, img *Image) {
	g.Grouper.Pack(plainColumns(keys), rows, img)
}

func (g *lowCardGrouper) Empty(p *mem.Pool) Grouper {
	return &lowCardGrouper{Grouper: g.Grouper.Empty(p), types: g.types}
}

func (g *lowCardGrouper) Part(p *mem.Pool) Grouper {
	return &lowCardGrouper{Grouper: g.Grouper.Part(p), types: g.types}
}

func (g *lowCardGrouper) byCode(l *column.LowCard, rows int, out []uint32) {
	place := make([]uint32, l.Dict.Len()) // of a code among those in use, + 1
	var used []uint32
	for _, code := range l.Index[:rows] {
		if place[code] == 0 {
			used = append(used, code)
			place[code] = uint32(len(used))
		}
	}
	ids := make([]uint32, len(used))
	g.Grouper.Groups([]column.Column{l.Dict.Gather(used)}, len(used), ids)
	for i, p := range place {
		if p != 0 {
			place[i] = ids[p-1]
		}
	}
	for i, code := range l.Index[:rows] {
		out[i] = place[code]
	}
}

func (g *lowCardGrouper) Keys(from, to int) []column.Column {
	keys := g.Grouper.Keys(from, to)
	for i, t := range g.types {
		if t.Kind == column.LowCardinality {
			c := column.NewLowCard(t, to-from)
			c.AppendRange(keys[i], 0, to-from)
			keys[i] = c
		}
	}
	return keys
}
