package agg

import (
	"unsafe"

	"dictsvc/column"
	"dictsvc/internal/mem"
)

// tableKey are the keys that tables hold.
type tableKey interface {
	uint64 | [2]uint64 | [4]uint64 | [8]uint64
}

// cells is the open-addressing part that tables share: a cell is a word of a tag (the low half of the key's hash) over a group number + 1, 0 where it is
// free. Cells are small, so that a partition's table stays in the processor's second-level cache; the keys stand beside them by group.
type cells struct {
	pool  *mem.Pool
	cell  []uint64
	shift uint // a hash's bits below the partition, shifted by this, are its place
	limit int  // so many groups fit
}

const (
	leastCells  = 1 << 8
	batchRows   = 256
	cachedBytes = 256 << 10 // what is larger is asked for ahead
)

func (t *cells) place(hash uint64) uint64 { return hash << 8 >> t.shift }

// resize makes room for n groups; the caller puts those that are there back.
func (t *cells) resize(n int) {
	size := leastCells
	for n > size/8*5 {
		size *= 2
	}
	mem.Give(t.pool, t.cell)
	t.cell = mem.Take[uint64](t.pool, size)
	if t.pool != nil {
		clear(t.cell)
	}
	t.limit = size / 8 * 5
	t.shift = 64
	for s := size; s > 1; s /= 2 {
		t.shift--
	}
}

// insert puts a new group in the first free cell from its place on.
func (t *cells) insert(hash uint64, id uint32) {
	mask := uint64(len(t.cell) - 1)
	at := t.place(hash)
	for t.cell[at&mask] != 0 {
		at++
	}
	t.cell[at&mask] = hash<<32 | uint64(id+1)
}

// aheadCells asks for the cells of a batch of hashes, and leaves their places in line; false where the table lies in the cache.
func (t *cells) aheadCells(hash []uint64, line *[batchRows]uint64) bool {
	if 8*len(t.cell) <= cachedBytes {
		return false
	}
	for i, h := range hash {
		line[i] = t.place(h)
	}
	mem.Prefetch(unsafe.Pointer(unsafe.SliceData(t.cell)), line[:len(hash)], 3)
	return true
}

// ahead asks for the cells of a batch of hashes, and then for their keys of size 1<<log bytes at base, where the table is large.
func (t *cells) ahead(hash []uint64, line *[batchRows]uint64, base unsafe.Pointer, groups int, log uint) {
	if !t.aheadCells(hash, line) || groups<<log <= cachedBytes {
		return
	}
	n := 0
	for i, h := range hash {
		if c := t.cell[line[i]]; c>>32 == h&0xFFFFFFFF {
			line[n] = uint64(uint32(c) - 1)
			n++
		}
	}
	mem.Prefetch(base, line[:n], log)
}

// wordTable holds keys of one, two, four or eight words.
type wordTable[K tableKey] struct {
	cells
	keys []K // by group
	hash func(keys []K, out []uint64)

	hashes [batchRows]uint64
	lines  [batchRows]uint64
	lastID uint32 // of the row before, whose key often is that of the next; 0 before the first, which is as good a guess
}

func keyLog[K tableKey]() uint {
	var z K
	switch unsafe.Sizeof(z) {
	case 8:
		return 3
	case 16:
		return 4
	case 32:
		return 5
	}
	return 6
}

// groups numbers keys, adding those that are new.
func (t *wordTable[K]) groups(keys []K, out []uint32) {
	if t.cell == nil {
		t.resize(1)
	}
	for len(keys) > 0 {
		n := min(batchRows, len(keys))
		if len(t.keys) > 0 && allAre(keys[:n], t.keys[t.lastID]) {
			for i := range out[:n] {
				out[i] = t.lastID
			}
			keys, out = keys[n:], out[n:]
			continue
		}
		t.hash(keys[:n], t.hashes[:n])
		t.ahead(t.hashes[:n], &t.lines, unsafe.Pointer(unsafe.SliceData(t.keys)), len(t.keys), keyLog[K]())
		t.batch(keys[:n], t.hashes[:n], out[:n])
		keys, out = keys[n:], out[n:]
	}
}

// allAre tells whether all keys are one, as in data that comes in the order of its time.
func allAre[K tableKey](keys []K, one K) bool {
	if keys[0] != one || keys[len(keys)-1] != one {
		return false
	}
	for _, k := range keys {
		if k != one {
			return false
		}
	}
	return true
}

func (t *wordTable[K]) batch(keys []K, hashes []uint64, out []uint32) {
	if len(t.keys) == 0 {
		t.lastID = t.add(keys[0], hashes[0])
	}
	lastID := t.lastID
	last := t.keys[lastID]
	cell, mask, held, shift := t.cell, uint64(len(t.cell)-1), t.keys, t.shift&63
	hashes, out = hashes[:len(keys)], out[:len(keys)]
	for i, k := range keys {
		if k == last {
			out[i] = lastID
			continue
		}
		h := hashes[i]
		at := h << 8 >> shift
		for {
			c := cell[at&mask]
			if c == 0 {
				lastID = t.add(k, h)
				cell, mask, held, shift = t.cell, uint64(len(t.cell)-1), t.keys, t.shift&63
				break
			}
			if c>>32 == h&0xFFFFFFFF {
				if id := uint32(c) - 1; held[id] == k {
					lastID = id
					break
				}
			}
			at++
		}
		last, out[i] = k, lastID
	}
	t.lastID = lastID
}

// add makes a group of a key that has none.
func (t *wordTable[K]) add(k K, hash uint64) uint32 {
	id := len(t.keys)
	if id == t.limit {
		t.grow()
	}
	if id == cap(t.keys) {
		t.keys = mem.Regrow(t.pool, t.keys, id+1)
	} else {
		t.keys = t.keys[:id+1]
	}
	t.keys[id] = k
	t.insert(hash, uint32(id))
	return uint32(id)
}

func (t *wordTable[K]) grow() {
	t.resize(t.limit + 1)
	var hashes, lines [batchRows]uint64
	for at := 0; at < len(t.keys); at += batchRows {
		n := min(batchRows, len(t.keys)-at)
		buf := hashes[:n]
		switch keys := any(t.keys[at : at+n]).(type) {
		case []uint64:
			hash1(keys, buf)
		case [][2]uint64:
			hash2(keys, buf)
		case [][4]uint64:
			hash4(keys, buf)
		case [][8]uint64:
			hash8(keys, buf)
		}
		t.aheadCells(buf, &lines)
		for i, h := range buf {
			t.insert(h, uint32(at+i))
		}
	}
}

// find numbers keys from 1, 0 where there is no such group.
func (t *wordTable[K]) find(keys []K, out []uint32) {
	clear(out[:len(keys)])
	if len(t.keys) == 0 {
		return
	}
	buf := new([2][batchRows]uint64)
	mask := uint64(len(t.cell) - 1)
	for len(keys) > 0 {
		n := min(batchRows, len(keys))
		hashes := buf[0][:n]
		t.hash(keys[:n], hashes)
		t.ahead(hashes, &buf[1], unsafe.Pointer(unsafe.SliceData(t.keys)), len(t.keys), keyLog[K]())
		for i, k := range keys[:n] {
			h := hashes[i]
			for at := t.place(h); ; at++ {
				c := t.cell[at&mask]
				if c == 0 {
					break
				}
				if c>>32 == h&0xFFFFFFFF && t.keys[uint32(c)-1] == k {
					out[i] = uint32(c)
					break
				}
			}
		}
		keys, out = keys[n:], out[n:]
	}
}

func (t *wordTable[K]) bytes() int {
	var z K
	return 8*cap(t.cell) + int(unsafe.Sizeof(z))*cap(t.keys)
}

func (t *wordTable[K]) free() {
	mem.Give(t.pool, t.cell)
	mem.Give(t.pool, t.keys)
	t.cell, t.keys = nil, nil
}

// fixedGrouper: fixed-width keys packed in words.
type fixedGrouper[K tableKey] struct {
	packing
	wordTable[K]
	img Image
}

func newFixed[K tableKey](p *mem.Pool, lay packing, hash func([]K, []uint64)) Grouper {
	return &fixedGrouper[K]{packing: lay, wordTable: wordTable[K]{cells: cells{pool: p}, hash: hash}, img: Image{pool: p}}
}

// Pack implements Grouper.
func (p *packing) Pack(keys []column.Column, rows int, img *Image) {
	w := p.words()
	if p.width == 8 {
		if at, ok := p.alias(keys, rows); ok {
			img.Rows, img.width, img.text = rows, 1, nil
			img.words = unsafe.Slice((*uint64)(at), rows)
			return
		}
	}
	img.room(rows, w)
	if rows == 0 || p.extend(keys, img.words) {
		return
	}
	if p.clear {
		clear(img.words)
	}
	p.pack(keys, rows, unsafe.Pointer(&img.words[0]), 8*w)
}

func (g *fixedGrouper[K]) Groups(keys []column.Column, rows int, out []uint32) {
	g.Pack(keys, rows, &g.img)
	g.groups(keysOf[K](&g.img, 0, rows), out)
}

func (g *fixedGrouper[K]) Find(keys []column.Column, rows int, out []uint32) {
	var img Image
	g.Pack(keys, rows, &img)
	g.find(keysOf[K](&img, 0, rows), out)
}

func (g *fixedGrouper[K]) GroupsOf(img *Image, from, to int, out []uint32) {
	g.groups(keysOf[K](img, from, to), out)
}

func (g *fixedGrouper[K]) Stored(from, to int, img *Image) {
	img.Rows, img.width, img.text = to-from, g.packing.words(), nil
	if to > from {
		img.words = unsafe.Slice((*uint64)(unsafe.Pointer(&g.keys[from])), (to-from)*img.width)
	}
}

func (g *fixedGrouper[K]) Len() int { return len(g.keys) }

func (g *fixedGrouper[K]) Keys(from, to int) []column.Column {
	return g.columns(unsafe.Pointer(unsafe.SliceData(g.keys[from:to])), to-from, 8*g.packing.words())
}

func (g *fixedGrouper[K]) Bytes() int                { return g.bytes() + g.img.Bytes() }
func (g *fixedGrouper[K]) Empty(p *mem.Pool) Grouper { return newFixed(p, g.packing, g.hash) }
func (g *fixedGrouper[K]) Part(p *mem.Pool) Grouper  { return g.Empty(p) }
func (g *fixedGrouper[K]) Free()                     { g.free(); g.img.Free() }
