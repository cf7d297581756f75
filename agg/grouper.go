package agg

import (
	"hash/maphash"
	"math"
	"math/bits"

	"dictsvc/column"
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
}

// NewGrouper chooses the table for the keys' types: fixed-width keys of up to 8 bytes together are packed in a word, up to 16 in two; one string is
// hashed as it is; all else goes by its serialised image.
func NewGrouper(types []*column.Type) Grouper {
	plain := make([]*column.Type, len(types))
	wrapped := false
	width := 0
	for i, t := range types {
		plain[i] = t.NoLowCardinality()
		wrapped = wrapped || plain[i] != t
		w := packedWidth(plain[i])
		if w == 0 || width < 0 {
			width = -1
			continue
		}
		width += w
	}
	var g Grouper
	switch {
	case width >= 0 && width <= 8:
		g = &wordGrouper{packing: newPacking(plain)}
	case width >= 0 && width <= 16:
		g = &pairGrouper{packing: newPacking(plain)}
	case len(plain) == 1 && plain[0].Kind == column.String:
		g = &bytesGrouper{types: plain, single: true, seed: maphash.MakeSeed()}
	default:
		g = &bytesGrouper{types: plain, seed: maphash.MakeSeed()}
	}
	if wrapped {
		g = &lowCardGrouper{types: types, inner: g}
	}
	return constGrouper{g}
}

// packedWidth is the bytes a key column takes in a packed key; 0 where it cannot be packed.
func packedWidth(t *column.Type) int {
	null := 0
	if t.Kind == column.Nullable {
		null, t = 1, t.Elems[0]
	}
	if t.Kind == column.FixedString || t.FixedWidth() == 0 || t.FixedWidth() > 8 {
		return 0
	}
	return null + t.FixedWidth()
}

// constGrouper expands constants before the table sees them.
type constGrouper struct{ Grouper }

func (g constGrouper) Groups(keys []column.Column, rows int, out []uint32) {
	full := make([]column.Column, len(keys))
	for i, k := range keys {
		full[i] = column.Full(k)
	}
	g.Grouper.Groups(full, rows, out)
}

func (g constGrouper) Find(keys []column.Column, rows int, out []uint32) {
	full := make([]column.Column, len(keys))
	for i, k := range keys {
		full[i] = column.Full(k)
	}
	g.Grouper.Find(full, rows, out)
}

// lowCardGrouper takes LowCardinality keys apart and puts them together again.
type lowCardGrouper struct {
	types []*column.Type
	inner Grouper
}

func (g *lowCardGrouper) Groups(keys []column.Column, rows int, out []uint32) {
	if len(keys) == 1 { // one key: the table is asked once for each value in use, not a row
		if l, ok := keys[0].(*column.LowCard); ok && l.Dict.Len() < rows {
			g.byCode(l, rows, out)
			return
		}
	}
	plain := make([]column.Column, len(keys))
	for i, k := range keys {
		plain[i] = column.Plain(k)
	}
	g.inner.Groups(plain, rows, out)
}

func (g *lowCardGrouper) Find(keys []column.Column, rows int, out []uint32) {
	plain := make([]column.Column, len(keys))
	for i, k := range keys {
		plain[i] = column.Plain(k)
	}
	g.inner.Find(plain, rows, out)
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
	g.inner.Groups([]column.Column{l.Dict.Gather(used)}, len(used), ids)
	for i, code := range l.Index[:rows] {
		out[i] = ids[place[code]-1]
	}
}

func (g *lowCardGrouper) Len() int   { return g.inner.Len() }
func (g *lowCardGrouper) Bytes() int { return g.inner.Bytes() }

func (g *lowCardGrouper) Keys(from, to int) []column.Column {
	keys := g.inner.Keys(from, to)
	for i, t := range g.types {
		if t.Kind == column.LowCardinality {
			c := column.NewLowCard(t, to-from)
			c.AppendRange(keys[i], 0, to-from)
			keys[i] = c
		}
	}
	return keys
}

// packing lays fixed-width key columns side by side in a key of up to 16 bytes; a Nullable column has a byte of its own for NULL.
type packing struct {
	types []*column.Type
}

func newPacking(types []*column.Type) packing { return packing{types: types} }

// words packs rows into one word each (second false) or a pair.
func (p *packing) words(keys []column.Column, rows int, lo, hi []uint64) {
	clear(lo[:rows])
	clear(hi)
	shift := uint(0)
	for _, k := range keys {
		if n, ok := k.(*column.Null); ok {
			packBytes(n.Nulls[:rows], shift, lo, hi)
			packColumn(n.Inner, n.Nulls, rows, shift+8, lo, hi)
			shift += 8 + uint(8*n.Inner.Type().FixedWidth())
			continue
		}
		packColumn(k, nil, rows, shift, lo, hi)
		shift += uint(8 * k.Type().FixedWidth())
	}
}

func packBytes(b []uint8, shift uint, lo, hi []uint64) {
	for i, v := range b {
		put(uint64(v), shift, i, lo, hi)
	}
}

// put ors v at a bit position that may reach into, or lie in, the high word.
func put(v uint64, shift uint, i int, lo, hi []uint64) {
	if shift >= 64 {
		hi[i] |= v << (shift - 64)
		return
	}
	lo[i] |= v << shift
	if hi != nil && shift > 0 {
		hi[i] |= v >> (64 - shift)
	}
}

func packColumn(c column.Column, nulls []uint8, rows int, shift uint, lo, hi []uint64) {
	switch x := c.(type) {
	case *column.Num[uint8]:
		packNum(x.Data[:rows], nulls, shift, lo, hi, func(v uint8) uint64 { return uint64(v) })
	case *column.Num[uint16]:
		packNum(x.Data[:rows], nulls, shift, lo, hi, func(v uint16) uint64 { return uint64(v) })
	case *column.Num[uint32]:
		packNum(x.Data[:rows], nulls, shift, lo, hi, func(v uint32) uint64 { return uint64(v) })
	case *column.Num[uint64]:
		if shift == 0 && nulls == nil {
			copy(lo, x.Data[:rows])
			return
		}
		packNum(x.Data[:rows], nulls, shift, lo, hi, func(v uint64) uint64 { return v })
	case *column.Num[int8]:
		packNum(x.Data[:rows], nulls, shift, lo, hi, func(v int8) uint64 { return uint64(uint8(v)) })
	case *column.Num[int16]:
		packNum(x.Data[:rows], nulls, shift, lo, hi, func(v int16) uint64 { return uint64(uint16(v)) })
	case *column.Num[int32]:
		packNum(x.Data[:rows], nulls, shift, lo, hi, func(v int32) uint64 { return uint64(uint32(v)) })
	case *column.Num[int64]:
		packNum(x.Data[:rows], nulls, shift, lo, hi, func(v int64) uint64 { return uint64(v) })
	case *column.Num[float32]:
		packNum(x.Data[:rows], nulls, shift, lo, hi, func(v float32) uint64 { return uint64(math.Float32bits(oneZero32(v))) })
	case *column.Num[float64]:
		packNum(x.Data[:rows], nulls, shift, lo, hi, func(v float64) uint64 { return math.Float64bits(oneZero64(v)) })
	default:
		panic("agg: pack a key column of type " + c.Type().String())
	}
}

func oneZero32(v float32) float32 {
	switch {
	case v == 0:
		return 0
	case v != v:
		return float32(math.NaN())
	}
	return v
}

func oneZero64(v float64) float64 {
	switch {
	case v == 0:
		return 0
	case v != v:
		return math.NaN()
	}
	return v
}

func packNum[T column.Number](data []T, nulls []uint8, shift uint, lo, hi []uint64, word func(T) uint64) {
	for i, v := range data {
		if nulls == nil || nulls[i] == 0 {
			put(word(v), shift, i, lo, hi)
		}
	}
}

// columns unpacks keys.
func (p *packing) columns(lo, hi []uint64) []column.Column {
	out := make([]column.Column, len(p.types))
	get := func(i int, shift uint) uint64 {
		if shift >= 64 {
			return hi[i] >> (shift - 64)
		}
		v := lo[i] >> shift
		if hi != nil && shift > 0 {
			v |= hi[i] << (64 - shift)
		}
		return v
	}
	shift := uint(0)
	for k, t := range p.types {
		c := column.New(t, len(lo))
		var nulls *column.Null
		if t.Kind == column.Nullable {
			nulls = c.(*column.Null)
			for i := range lo {
				nulls.Nulls = append(nulls.Nulls, uint8(get(i, shift)))
			}
			shift += 8
			c = nulls.Inner
		}
		unpackColumn(c, len(lo), shift, get)
		shift += uint(8 * c.Type().FixedWidth())
		out[k] = c
		if nulls != nil {
			out[k] = nulls
		}
	}
	return out
}

func unpackColumn(c column.Column, n int, shift uint, get func(i int, shift uint) uint64) {
	switch x := c.(type) {
	case *column.Num[uint8]:
		unpackNum(x, n, shift, get, func(v uint64) uint8 { return uint8(v) })
	case *column.Num[uint16]:
		unpackNum(x, n, shift, get, func(v uint64) uint16 { return uint16(v) })
	case *column.Num[uint32]:
		unpackNum(x, n, shift, get, func(v uint64) uint32 { return uint32(v) })
	case *column.Num[uint64]:
		unpackNum(x, n, shift, get, func(v uint64) uint64 { return v })
	case *column.Num[int8]:
		unpackNum(x, n, shift, get, func(v uint64) int8 { return int8(v) })
	case *column.Num[int16]:
		unpackNum(x, n, shift, get, func(v uint64) int16 { return int16(v) })
	case *column.Num[int32]:
		unpackNum(x, n, shift, get, func(v uint64) int32 { return int32(v) })
	case *column.Num[int64]:
		unpackNum(x, n, shift, get, func(v uint64) int64 { return int64(v) })
	case *column.Num[float32]:
		unpackNum(x, n, shift, get, func(v uint64) float32 { return math.Float32frombits(uint32(v)) })
	case *column.Num[float64]:
		unpackNum(x, n, shift, get, math.Float64frombits)
	}
}

func unpackNum[T column.Number](c *column.Num[T], n int, shift uint, get func(i int, shift uint) uint64, value func(uint64) T) {
	for i := 0; i < n; i++ {
		c.Data = append(c.Data, value(get(i, shift)))
	}
}

// mix spreads the bits of a key (the finaliser of MurmurHash3).
func mix(x uint64) uint64 {
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	x *= 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}

// tableBits is the size of a table that holds n keys at a load of at most one half.
func tableBits(n int) int { return max(8, bits.Len(uint(2*n))) }

// wordGrouper: keys of one word, held in the cells.
type wordGrouper struct {
	packing
	cells []wordCell
	keys  []uint64 // by group
	lo    []uint64
}

type wordCell struct {
	key uint64
	id  uint32 // group + 1; 0 = free
}

func (g *wordGrouper) Groups(keys []column.Column, rows int, out []uint32) {
	g.lo = grow(g.lo, rows)
	g.words(keys, rows, g.lo, nil)
	var last uint64
	lastID := uint32(0) // group + 1 of last
	for i, k := range g.lo[:rows] {
		if k == last && lastID != 0 { // runs of equal keys are common
			out[i] = lastID - 1
			continue
		}
		last, lastID = k, g.group(k)+1
		out[i] = lastID - 1
	}
}

func (g *wordGrouper) Find(keys []column.Column, rows int, out []uint32) {
	clear(out[:rows])
	if len(g.keys) == 0 {
		return
	}
	words := make([]uint64, rows)
	g.words(keys, rows, words, nil)
	mask := uint64(len(g.cells) - 1)
	for i, k := range words {
		for at := mix(k) & mask; g.cells[at].id != 0; at = (at + 1) & mask {
			if g.cells[at].key == k {
				out[i] = g.cells[at].id
				break
			}
		}
	}
}

func (g *wordGrouper) group(k uint64) uint32 {
	if 2*(len(g.keys)+1) > len(g.cells) {
		g.resize(len(g.keys) + 1)
	}
	mask := uint64(len(g.cells) - 1)
	for at := mix(k) & mask; ; at = (at + 1) & mask {
		c := &g.cells[at]
		if c.id == 0 {
			g.keys = append(g.keys, k)
			*c = wordCell{k, uint32(len(g.keys))}
			return uint32(len(g.keys) - 1)
		}
		if c.key == k {
			return c.id - 1
		}
	}
}

func (g *wordGrouper) resize(n int) {
	g.cells = make([]wordCell, 1<<tableBits(2*n))
	mask := uint64(len(g.cells) - 1)
	for id, k := range g.keys {
		at := mix(k) & mask
		for g.cells[at].id != 0 {
			at = (at + 1) & mask
		}
		g.cells[at] = wordCell{k, uint32(id + 1)}
	}
}

func (g *wordGrouper) Len() int { return len(g.keys) }

func (g *wordGrouper) Keys(from, to int) []column.Column { return g.columns(g.keys[from:to], nil) }
func (g *wordGrouper) Bytes() int                        { return 16*cap(g.cells) + 8*cap(g.keys) + 8*cap(g.lo) }

// pairGrouper: keys of two words.
type pairGrouper struct {
	packing
	cells  []pairCell
	lo, hi []uint64 // keys by group
	a, b   []uint64 // a block's keys
}

type pairCell struct {
	lo, hi uint64
	id     uint32
}

func (g *pairGrouper) Groups(keys []column.Column, rows int, out []uint32) {
	g.a, g.b = grow(g.a, rows), grow(g.b, rows)
	g.words(keys, rows, g.a[:rows], g.b[:rows])
	for i := range out[:rows] {
		out[i] = g.group(g.a[i], g.b[i])
	}
}

func (g *pairGrouper) Find(keys []column.Column, rows int, out []uint32) {
	clear(out[:rows])
	if len(g.lo) == 0 {
		return
	}
	lo, hi := make([]uint64, rows), make([]uint64, rows)
	g.words(keys, rows, lo, hi)
	mask := uint64(len(g.cells) - 1)
	for i := range lo {
		for at := pairHash(lo[i], hi[i]) & mask; g.cells[at].id != 0; at = (at + 1) & mask {
			if c := &g.cells[at]; c.lo == lo[i] && c.hi == hi[i] {
				out[i] = c.id
				break
			}
		}
	}
}

func pairHash(lo, hi uint64) uint64 { return mix(mix(lo) ^ bits.RotateLeft64(hi, 32) ^ hi) }

func (g *pairGrouper) group(lo, hi uint64) uint32 {
	if 2*(len(g.lo)+1) > len(g.cells) {
		g.resize(len(g.lo) + 1)
	}
	mask := uint64(len(g.cells) - 1)
	for at := pairHash(lo, hi) & mask; ; at = (at + 1) & mask {
		c := &g.cells[at]
		if c.id == 0 {
			g.lo, g.hi = append(g.lo, lo), append(g.hi, hi)
			*c = pairCell{lo, hi, uint32(len(g.lo))}
			return uint32(len(g.lo) - 1)
		}
		if c.lo == lo && c.hi == hi {
			return c.id - 1
		}
	}
}

func (g *pairGrouper) resize(n int) {
	g.cells = make([]pairCell, 1<<tableBits(2*n))
	mask := uint64(len(g.cells) - 1)
	for id, lo := range g.lo {
		at := pairHash(lo, g.hi[id]) & mask
		for g.cells[at].id != 0 {
			at = (at + 1) & mask
		}
		g.cells[at] = pairCell{lo, g.hi[id], uint32(id + 1)}
	}
}

func (g *pairGrouper) Len() int { return len(g.lo) }

func (g *pairGrouper) Keys(from, to int) []column.Column {
	return g.columns(g.lo[from:to], g.hi[from:to])
}

func (g *pairGrouper) Bytes() int {
	return 24*cap(g.cells) + 8*(cap(g.lo)+cap(g.hi)+cap(g.a)+cap(g.b))
}
