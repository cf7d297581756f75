package packed

import (
	"math"
	"math/bits"
	"unsafe"
)

const (
	groupBytes = 512 << 10 // both lines of an entry lie in one group, so in one huge page and in the L2 cache when sweeping
	manyGroups = 32        // smaller tables are one group of any number of pages
	pageBytes  = 4 << 10

	maxSlots  = 16
	countBits = 5 // the low bits of a line's head: slots in use; marks are above
	tagBits   = 8
)

// field is where a slot's part lies in its line: 8 bytes are read at an offset and shifted.
type field struct {
	at    uint8
	shift uint8
}

// geometry is the layout of a table: where a hash goes and where in a line its bits are. It depends on the number
// of lines and on the width of values only.
type geometry struct {
	lines     uint64
	group     uint64 // lines in a group
	grouped   bool   // more than one group
	lineShift uint   // binary logarithm of the bytes in a line
	drop      uint   // low bits of the low word that tell nothing: the rest is low >> drop
	slots     int
	marks     uint32 // marks in a line's head
	headBytes uint
	restBits  uint
	valueBits uint
	restMask  uint64 // of the stored part of the rest, with the choice bit
	valueMask uint64

	rest  [maxSlots]field
	value [maxSlots]field
}

// newGeometry lays out a table of about the given bytes for values of some bits. bytes is rounded up to pages, or
// to groups when there are many.
func newGeometry(bytes uint64, valueBits uint) geometry {
	bytes = (max(bytes, 1) + pageBytes - 1) &^ (pageBytes - 1)
	g := geometry{valueBits: valueBits, valueMask: maskOf(valueBits), lineShift: 6}
	if bytes >= manyGroups*groupBytes {
		bytes = (bytes + groupBytes - 1) &^ (groupBytes - 1)
		g.grouped = true
	}
	// A line with few slots wastes its end, and two choices of few slots do not fill: then lines are pairs.
	g.fit(bytes)
	if g.slots < 7 {
		g.lineShift = 7
		g.fit(bytes)
	}
	g.layOut()
	return g
}

// fit finds the number of slots for a line size.
func (g *geometry) fit(bytes uint64) {
	g.lines = bytes >> g.lineShift
	g.group = g.lines
	if g.grouped {
		g.group = groupBytes >> g.lineShift
	}
	g.drop = uint(bits.Len64(g.lines) - 1)
	g.restBits = 64 - g.drop
	lineBits := uint(8) << g.lineShift
	slot := g.restBits + 1 + g.stored()
	g.slots = min(maxSlots, int((lineBits-8)/slot))
	left := lineBits - uint(g.slots)*slot
	g.headBytes = min(4, left/8)
	g.marks = uint32(8*g.headBytes - countBits)
}

// stored is the width that values have in a line. A read of 8 bytes gives 57 bits at any bit offset; wider values
// lie at whole bytes.
func (g *geometry) stored() uint {
	if g.valueBits > 57 {
		return 64
	}
	return g.valueBits
}

// layOut places the parts of the slots: head, tags, rests, values.
func (g *geometry) layOut() {
	lineBytes := uint(1) << g.lineShift
	stored := g.restBits - tagBits + 1
	g.restMask = maskOf(stored)
	at := 8 * (g.headBytes + uint(g.slots))
	put := func(f *[maxSlots]field, width uint) {
		for i := range g.slots {
			b := min(at/8, lineBytes-8)
			f[i] = field{uint8(b), uint8(at - 8*b)}
			at += width
		}
	}
	put(&g.rest, stored)
	if g.stored() == 64 {
		at = 8*lineBytes - 64*uint(g.slots)
	}
	put(&g.value, g.stored())
}

func maskOf(width uint) uint64 { return uint64(1)<<width - 1 }

// capacity is the number of slots in all lines.
func (g *geometry) capacity() uint64 { return g.lines * uint64(g.slots) }

// bytes is the size of all lines.
func (g *geometry) bytes() uint64 { return g.lines << g.lineShift }

// room is the number of rows that a load factor allows.
func (g *geometry) room(load float64) uint64 { return uint64(float64(g.capacity()) * load) }

// geometryFor is the smallest layout of at least some bytes with room for n rows. The number of slots in a line
// grows with the number of lines, so the search begins with that of a table too large.
func geometryFor(n, bytes uint64, load float64, valueBits uint) geometry {
	g := newGeometry(max(bytes, 24*n), valueBits)
	next := bytes
	for {
		next = max(next, uint64(math.Ceil(float64(n)/(load*float64(g.slots))))<<g.lineShift)
		if g = newGeometry(next, valueBits); g.room(load) >= n {
			return g
		}
		next = g.bytes() + 1
	}
}

// split gives the home line of a hash and the rest of the hash that the line does not tell.
func (g *geometry) split(hash uint64) (line, rest uint64) {
	line, low := bits.Mul64(hash, g.lines)
	return line, low >> g.drop
}

// hash is the inverse of split: the only multiple of the number of lines among the products that line and rest leave.
func (g *geometry) hash(line, rest uint64) uint64 {
	quotient, remainder := bits.Div64(line, rest<<g.drop, g.lines)
	if remainder != 0 {
		quotient++
	}
	return quotient
}

// spread is a second hash of the rest; it chooses the other line and the mark.
func spread(rest uint64) uint64 { return rest * 0x9e3779b97f4a7c15 >> 32 }

// other is the other line of an entry: that of other(line, rest) is line again.
func (g *geometry) other(line, rest uint64) uint64 {
	base := uint64(0)
	if g.grouped {
		base = line &^ (g.group - 1)
	}
	sum := spread(rest) * g.group >> 32
	if in := line - base; sum >= in {
		return base + sum - in
	} else {
		return base + sum + g.group - in
	}
}

// mark is the bit of the home line's head that says that an entry with such a rest may be in its other line.
func (g *geometry) mark(rest uint64) uint32 {
	return 1 << (countBits + uint32(uint64(uint32(rest*0xd6e8feb86659fd93>>32))*uint64(g.marks)>>32))
}

// head is a line's first word: the count, the marks, and bits that belong to tags.
func head(p unsafe.Pointer) *uint32 { return (*uint32)(p) }

func count(p unsafe.Pointer) int { return int(*head(p) & (1<<countBits - 1)) }

func load(p unsafe.Pointer, f field) uint64 {
	return *(*uint64)(unsafe.Add(p, f.at)) >> (f.shift & 63)
}

func store(p unsafe.Pointer, f field, mask, x uint64) {
	w := (*uint64)(unsafe.Add(p, f.at))
	*w = *w&^(mask<<(f.shift&63)) | x<<(f.shift&63)
}

func (g *geometry) tag(p unsafe.Pointer, i int) *uint8 {
	return (*uint8)(unsafe.Add(p, g.headBytes+uint(i)))
}

// slot reads slot i of a line: the rest of its hash, whether the line is its other line (1), and its value.
func (g *geometry) slot(p unsafe.Pointer, i int) (rest, choice, value uint64) {
	stored := load(p, g.rest[i]) & g.restMask
	return stored>>1<<tagBits | uint64(*g.tag(p, i)), stored & 1, g.valueOf(p, i)
}

func (g *geometry) valueOf(p unsafe.Pointer, i int) uint64 {
	return load(p, g.value[i]) & g.valueMask
}

func (g *geometry) setValue(p unsafe.Pointer, i int, value uint64) {
	store(p, g.value[i], g.valueMask, value)
}

func (g *geometry) setSlot(p unsafe.Pointer, i int, rest, choice, value uint64) {
	*g.tag(p, i) = uint8(rest)
	store(p, g.rest[i], g.restMask, rest>>tagBits<<1|choice)
	g.setValue(p, i, value)
}

// writeLine fills an empty line with home entries. The line is put together in words aside: reading and writing it slot by slot, each
// at its own bits, would wait for every write before.
func (g *geometry) writeLine(p unsafe.Pointer, rests, values []uint64) {
	var w [17]uint64 // a pair of lines, and a word that nothing but zeros is written to
	w[0] = uint64(len(rests))
	stored := g.restBits - tagBits + 1
	tag, rest, value := 8*g.headBytes, 8*(g.headBytes+uint(g.slots)), 8*uint(g.value[0].at)+uint(g.value[0].shift)
	width := g.stored()
	values = values[:len(rests)]
	for i, r := range rests {
		w[tag>>6&15] |= r & 0xff << (tag & 63)
		tag += tagBits
		x := r >> tagBits << 1
		w[rest>>6&15] |= x << (rest & 63)
		w[rest>>6&15+1] |= x >> 1 >> (63 - rest&63)
		rest += stored
		x = values[i]
		w[value>>6&15] |= x << (value & 63)
		w[value>>6&15+1] |= x >> 1 >> (63 - value&63)
		value += width
	}
	if g.lineShift == 6 {
		*(*[8]uint64)(p) = [8]uint64(w[:8])
	} else {
		*(*[16]uint64)(p) = [16]uint64(w[:16])
	}
}

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// search looks in one line for a rest with a choice bit: the slot, or -1. Tags are compared eight at a time.
func (g *geometry) search(p unsafe.Pointer, rest, choice uint64) int {
	used := count(p)
	want := rest>>tagBits<<1 | choice
	tags := (rest & 0xff) * ones
	x := *(*uint64)(unsafe.Add(p, g.headBytes)) ^ tags
	for m := (x - ones) &^ x & highs & (uint64(1)<<(8*uint(used)) - 1); m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m) >> 3
		if load(p, g.rest[i])&g.restMask == want {
			return i
		}
	}
	if used <= 8 {
		return -1
	}
	x = *(*uint64)(unsafe.Add(p, g.headBytes+8)) ^ tags
	for m := (x - ones) &^ x & highs & (uint64(1)<<(8*uint(used-8)) - 1); m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m)>>3 + 8
		if load(p, g.rest[i&(maxSlots-1)])&g.restMask == want {
			return i
		}
	}
	return -1
}
