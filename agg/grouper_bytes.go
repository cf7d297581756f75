package agg

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"unsafe"

	"dictsvc/column"
	"dictsvc/internal/mem"
)

// bytesGrouper: keys as byte strings. A string of up to 15 bytes is two words, compared as such; of a longer one the words are its hash and length,
// and the bytes in the arena are compared where these are equal.
type bytesGrouper struct {
	types  []*column.Type
	single bool // one String column: the bytes are the value itself
	seed   maphash.Seed
	wordTable[[2]uint64]
	arena []byte
	ends  []uint64 // of the keys in the arena, by group
	long  bool     // some key is longer than its words
	img   Image
	buf   column.Str // serialised keys of a block
}

func newBytes(p *mem.Pool, types []*column.Type) *bytesGrouper {
	return &bytesGrouper{types: types, single: len(types) == 1 && types[0].Kind == column.String, seed: maphash.MakeSeed(),
		wordTable: wordTable[[2]uint64]{cells: cells{pool: p}, hash: hash2}, img: Image{pool: p}}
}

// longKey is the top byte of the second word of keys that their words do not tell; of others it is the length.
const longKey = 0xFF

// shortMask keeps the first n bytes of 16.
func shortMask(n uint64) (lo, hi uint64) {
	if n >= 8 {
		return ^uint64(0), 1<<(8*(n-8)) - 1
	}
	return 1<<(8*n) - 1, 0
}

// packStrings writes the words of strings; long tells that some are longer than their words.
func packStrings(s *column.Str, rows int, seed maphash.Seed, out [][2]uint64) (long bool) {
	from, data := s.Start, s.Data
	for i, end := range s.Ends[:rows] {
		n := end - from
		if n > 15 {
			long = true
			out[i] = [2]uint64{maphash.Bytes(seed, data[from:end]), n&(1<<56-1) | longKey<<56}
			from = end
			continue
		}
		var lo, hi uint64
		if from+16 <= uint64(len(data)) {
			b := data[from : from+16 : from+16]
			lo, hi = binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:])
			a, b2 := shortMask(n)
			lo, hi = lo&a, hi&b2
		} else {
			var b [16]byte
			copy(b[:], data[from:end])
			lo, hi = binary.LittleEndian.Uint64(b[:]), binary.LittleEndian.Uint64(b[8:])
		}
		out[i] = [2]uint64{lo, hi | n<<56}
		from = end
	}
	return long
}

// text is the keys as strings, serialised in buf where they are not one String column.
func (g *bytesGrouper) text(keys []column.Column, rows int, buf *column.Str) *column.Str {
	if g.single {
		return keys[0].(*column.Str)
	}
	serialise(keys, rows, buf)
	return buf
}

func (g *bytesGrouper) packInto(s *column.Str, rows int, img *Image) {
	img.room(rows, 2)
	if packStrings(s, rows, g.seed, keysOf[[2]uint64](img, 0, rows)) {
		img.text = s
	}
}

func (g *bytesGrouper) Pack(keys []column.Column, rows int, img *Image) {
	if g.single {
		g.packInto(keys[0].(*column.Str), rows, img)
		return
	}
	g.packInto(g.text(keys, rows, new(column.Str)), rows, img)
}

func (g *bytesGrouper) Groups(keys []column.Column, rows int, out []uint32) {
	g.packInto(g.text(keys, rows, &g.buf), rows, &g.img)
	g.GroupsOf(&g.img, 0, rows, out)
}

func (g *bytesGrouper) GroupsOf(img *Image, from, to int, out []uint32) {
	if g.cell == nil {
		g.resize(1)
	}
	for from < to {
		n := min(batchRows, to-from)
		keys := keysOf[[2]uint64](img, from, from+n)
		hash2(keys, g.hashes[:n])
		g.ahead(g.hashes[:n], &g.lines, unsafe.Pointer(unsafe.SliceData(g.keys)), len(g.keys), 4)
		if img.text == nil {
			g.short(keys, out[:n])
		} else {
			g.mixed(keys, img.text, from, out[:n])
		}
		from, out = from+n, out[n:]
	}
}

// short numbers keys that their words tell.
func (g *bytesGrouper) short(keys [][2]uint64, out []uint32) {
	g.batch(keys, g.hashes[:len(keys)], out)
	for len(g.ends) < len(g.keys) { // the bytes of those that are new
		k := &g.keys[len(g.ends)]
		b := (*[16]byte)(unsafe.Pointer(k))
		g.addText(b[:b[15]])
	}
}

func (g *bytesGrouper) addText(b []byte) {
	at := len(g.arena)
	if at+len(b) > cap(g.arena) {
		g.arena = mem.Regrow(g.pool, g.arena, at+len(b))
	} else {
		g.arena = g.arena[:at+len(b)]
	}
	copy(g.arena[at:], b)
	n := len(g.ends)
	if n == cap(g.ends) {
		g.ends = mem.Regrow(g.pool, g.ends, n+1)
	} else {
		g.ends = g.ends[:n+1]
	}
	g.ends[n] = uint64(len(g.arena))
}

// mixed numbers keys of which some are long; row i of keys is row from+i of text.
func (g *bytesGrouper) mixed(keys [][2]uint64, text *column.Str, from int, out []uint32) {
	for i, k := range keys {
		h := g.hashes[i]
		mask := uint64(len(g.cell) - 1)
		for at := g.place(h); ; at++ {
			c := g.cell[at&mask]
			if c == 0 {
				out[i] = g.add(k, h)
				g.long = g.long || k[1]>>56 == longKey
				g.addText(text.At(from + i))
				break
			}
			if c>>32 != h&0xFFFFFFFF {
				continue
			}
			if id := uint32(c) - 1; g.keys[id] == k && (k[1]>>56 != longKey || bytes.Equal(g.at(id), text.At(from+i))) {
				out[i] = id
				break
			}
		}
	}
}

func (g *bytesGrouper) Find(keys []column.Column, rows int, out []uint32) {
	var img Image
	var buf column.Str
	text := g.text(keys, rows, &buf)
	g.packInto(text, rows, &img)
	packed := keysOf[[2]uint64](&img, 0, rows)
	if img.text == nil {
		g.find(packed, out)
		return
	}
	clear(out[:rows])
	if len(g.keys) == 0 {
		return
	}
	hashes := make([]uint64, rows)
	hash2(packed, hashes)
	mask := uint64(len(g.cell) - 1)
	for i, k := range packed {
		h := hashes[i]
		for at := g.place(h); ; at++ {
			c := g.cell[at&mask]
			if c == 0 {
				break
			}
			if id := uint32(c) - 1; c>>32 == h&0xFFFFFFFF && g.keys[id] == k && (k[1]>>56 != longKey || bytes.Equal(g.at(id), text.At(i))) {
				out[i] = id + 1
				break
			}
		}
	}
}

func (g *bytesGrouper) first(id int) uint64 {
	if id == 0 {
		return 0
	}
	return g.ends[id-1]
}

func (g *bytesGrouper) at(id uint32) []byte { return g.arena[g.first(int(id)):g.ends[id]] }

func (g *bytesGrouper) Len() int { return len(g.keys) }

func (g *bytesGrouper) Stored(from, to int, img *Image) {
	img.Rows, img.width, img.text = to-from, 2, nil
	if to == from {
		return
	}
	img.words = unsafe.Slice((*uint64)(unsafe.Pointer(&g.keys[from])), 2*(to-from))
	if !g.long {
		return
	}
	img.text = &column.Str{Data: g.arena, Ends: g.ends[from:to:to], Start: g.first(from)}
}

func (g *bytesGrouper) Keys(from, to int) []column.Column {
	out := make([]column.Column, len(g.types))
	for i, t := range g.types {
		out[i] = column.New(t, to-from)
	}
	if from == to {
		return out
	}
	if g.single {
		s := out[0].(*column.Str)
		begin := g.first(from)
		s.Data = append(s.Data, g.arena[begin:g.ends[to-1]]...)
		for _, e := range g.ends[from:to] {
			s.Ends = append(s.Ends, e-begin)
		}
		return out
	}
	for id := from; id < to; id++ {
		b := g.at(uint32(id))
		for _, c := range out {
			b = c.ReadKey(b)
		}
	}
	return out
}

func (g *bytesGrouper) Bytes() int {
	return g.bytes() + cap(g.arena) + 8*cap(g.ends) + g.img.Bytes() + g.buf.Bytes()
}

func (g *bytesGrouper) Empty(p *mem.Pool) Grouper {
	fresh := newBytes(p, g.types)
	fresh.seed = g.seed
	return fresh
}

func (g *bytesGrouper) Part(p *mem.Pool) Grouper { return g.Empty(p) }

func (g *bytesGrouper) Free() {
	g.free()
	mem.Give(g.pool, g.arena)
	mem.Give(g.pool, g.ends)
	g.arena, g.ends = nil, nil
	g.img.Free()
}
