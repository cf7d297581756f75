// Package packed is PackedHashMap: a hash table of UInt64 keys that holds only the bits of a key which its place does not tell.
//
// # Layout
//
// The table is an array of 64-byte lines. A key is mixed by a bijection of the 64-bit words; the line where it is at home is the
// high word of hash x lines, so any number of lines serves, and a line stands for an interval of hashes no longer than 2^R. Of the hash only its low R
// bits are stored: they and the home line give it back, and the inverse of the mix gives the key.
//
//	byte 0        count of slots in use (4 bits), "an entry that is at home here lies elsewhere" (0x10), "... in the stash" (0x20)
//	bytes 1..S    tags: the low 8 bits of each entry's hash
//	then          S fields of R-8+1 bits: the rest of the hash's low bits, and whether the entry is displaced
//	then          S fields of V bits: the values
//
// S is as large as 512 bits allow: 8 slots at 10^8 keys with 16-bit values (58 bits an entry), 9 at 10^9 (55 bits).
//
// # Two places
//
// An entry lies in its home line or in one other, inside the same 2 MiB page so that it costs no second TLB miss. The distance between the two follows from
// the stored low bits alone; so from the other line, with the displaced bit, the home line is known again, and no two keys can be taken for each other.
// An insert that finds both full moves an entry to its own other place; after maxKicks moves the last one goes to a small side table, the stash. A look-up
// reads the home line, and the other one only where the home line is marked.
//
// # Growth
//
// The home line grows with the hash. So when the number of lines changes, the entries of a 2 MiB page go, in order, to one or two pages at or
// beyond it (growing; the sweep runs backward) or at or before it (shrinking; forward): a resize is one sweep in place over the mapping with a
// copy of one page beside it, never a second table. Growing by a quarter at a time costs little and keeps the peak near the final size; Seal shrinks
// the table to the load factor asked for.
package quotient

import (
	"math/bits"
	"unsafe"

	"dictsvc/hashmap"
	"dictsvc/internal/mem"
)

const (
	lineBytes = 64
	lineBits  = 8 * lineBytes
	pageLines = mem.HugePage / lineBytes // lines that share a page: both places of an entry lie in one

	countMask = 0x0f
	displaced = 0x10
	stashed   = 0x20

	maxSlots = 15
	maxKicks = 500
)

// format is how a line is cut up for a number of lines and a width of values.
type format struct {
	lines uint64
	slots int
	vbits uint
	low   uint64 // mask of the R low bits of a hash
	kmask uint64 // of the R-8+1 bits beside the tag
	vmask uint64
	// Byte offset in the line of the 8 bytes that hold a slot's field, and the field's shift in them.
	keyAt, keyShift, valAt, valShift [maxSlots + 1]uint8
}

func newFormat(lines uint64, vbits uint) format {
	if vbits > 57 {
		vbits = 64 // a wider field could straddle 8 bytes; 64 bits lie on byte borders
	}
	r := uint(64 - (bits.Len64(lines) - 1))
	kbits := r - 8 + 1
	f := format{lines: lines, vbits: vbits, low: ^uint64(0) >> (64 - r), kmask: ^uint64(0) >> (64 - kbits), vmask: ^uint64(0) >> (64 - vbits)}
	size := func(s uint) uint {
		keys := 8*(1+s) + s*kbits
		if vbits == 64 {
			keys = (keys + 7) &^ 7
		}
		return keys + s*vbits
	}
	s := uint(maxSlots)
	for size(s) > lineBits {
		s--
	}
	f.slots = int(s)
	keys := 8 * (1 + s)
	values := size(s) - s*vbits
	for i := uint(0); i < s; i++ {
		f.keyAt[i], f.keyShift[i] = field(keys + i*kbits)
		f.valAt[i], f.valShift[i] = field(values + i*vbits)
	}
	return f
}

// field places a bit offset in an 8-byte load that stays inside the line.
func field(bit uint) (at, shift uint8) {
	at = uint8(min(bit>>3, lineBytes-8))
	return at, uint8(bit - 8*uint(at))
}

// Table is a map from UInt64 to values of up to 64 bits. One goroutine may change it, or many read it.
type Table struct {
	f       format
	block   mem.Region
	base    unsafe.Pointer
	n       uint64 // entries, the stash's included
	limit   uint64 // entries at which it grows
	maxLoad float64
	rows    bool // values are row numbers, given by the table
	stash   map[uint64]uint64
	rand    uint64
}

// New makes a table for values of valueBits bits (0 to 64) that is at most maxLoad full.
func New(valueBits int, maxLoad float64) *Table {
	return &Table{f: format{vbits: uint(valueBits)}, maxLoad: maxLoad, rand: 1}
}

// NewRows makes a table whose values are row numbers: 0, 1, ... in the order in which keys come first.
func NewRows(maxLoad float64) *Table {
	return &Table{f: format{vbits: 8}, maxLoad: maxLoad, rows: true, rand: 1}
}

// Len is the number of keys.
func (t *Table) Len() uint64 { return t.n }

// Bytes is the memory held.
func (t *Table) Bytes() uint64 { return uint64(t.block.Held()) + uint64(len(t.stash))*stashBytes }

// stashBytes is about what a key in the stash, a Go map, costs.
const stashBytes = 40

// LoadFactor is the share of slots in use.
func (t *Table) LoadFactor() float64 {
	if t.f.lines == 0 {
		return 0
	}
	return float64(t.n) / float64(t.f.lines*uint64(t.f.slots))
}

// Free gives the memory back.
func (t *Table) Free() {
	t.block.Free()
	*t = Table{f: format{vbits: t.f.vbits}, maxLoad: t.maxLoad, rows: t.rows, rand: 1}
}

func (t *Table) line(i uint64) unsafe.Pointer { return unsafe.Add(t.base, i*lineBytes) }

func (t *Table) home(h uint64) uint64 {
	l, _ := bits.Mul64(h, t.f.lines)
	return l
}

// distance between the two places of an entry in a page of size lines.
func distance(low, size uint64) uint64 {
	if size < 2 {
		return 0
	}
	d, _ := bits.Mul64(low*0x9e3779b97f4a7c15, size-1)
	return d + 1
}

// page returns the first line of a line's page and its number of lines.
func (t *Table) page(line uint64) (first, size uint64) {
	first = line &^ (pageLines - 1)
	return first, min(pageLines, t.f.lines-first)
}

// other is the second place of an entry that is at home in line.
func (t *Table) other(line, low uint64) uint64 {
	first, size := t.page(line)
	at := line - first + distance(low, size)
	if at >= size {
		at -= size
	}
	return first + at
}

// homeOf is the home of an entry displaced to line.
func (t *Table) homeOf(line, low uint64) uint64 {
	first, size := t.page(line)
	at := line - first + size - distance(low, size)
	if at >= size {
		at -= size
	}
	return first + at
}

// hash gives back a hash from its home line and low bits.
func (f *format) hash(home, low uint64) uint64 {
	start, rem := bits.Div64(home, 0, f.lines)
	if rem > 0 {
		start++
	}
	return start + (low-start)&f.low
}

func load64(p unsafe.Pointer, at uint8) uint64 { return *(*uint64)(unsafe.Add(p, at)) }

func (f *format) keyField(p unsafe.Pointer, i int) uint64 {
	return load64(p, f.keyAt[i]) >> (f.keyShift[i] & 63) & f.kmask
}

func (f *format) value(p unsafe.Pointer, i int) uint64 {
	return load64(p, f.valAt[i]) >> (f.valShift[i] & 63) & f.vmask
}

// write fills slot i of a line.
func (f *format) write(p unsafe.Pointer, i int, tag uint8, key, value uint64) {
	*(*uint8)(unsafe.Add(p, 1+i)) = tag
	put(p, f.keyAt[i], f.keyShift[i], f.kmask, key)
	put(p, f.valAt[i], f.valShift[i], f.vmask, value)
}

func put(p unsafe.Pointer, at, shift uint8, mask, v uint64) {
	w := (*uint64)(unsafe.Add(p, at))
	*w = *w&^(mask<<(shift&63)) | v<<(shift&63)
}

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// valid[c] has the high bit of the first c bytes.
var valid = [maxSlots + 2]uint64{0, 0x80, 0x8080, 0x808080, 0x80808080, 0x8080808080, 0x808080808080, 0x80808080808080,
	highs, highs, highs, highs, highs, highs, highs, highs, highs}

// search looks for a tag and key field among the first count slots of a line; -1 where they are not.
func (f *format) search(p unsafe.Pointer, count int, tag uint8, key uint64) int {
	x := *(*uint64)(unsafe.Add(p, 1)) ^ uint64(tag)*ones
	m := (x - ones) &^ x & highs & valid[count]
	for m != 0 {
		i := bits.TrailingZeros64(m) >> 3
		if f.keyField(p, i) == key {
			return i
		}
		m &= m - 1
	}
	if count > 8 {
		x = *(*uint64)(unsafe.Add(p, 9)) ^ uint64(tag)*ones
		m = (x - ones) &^ x & highs & valid[count-8]
		for m != 0 {
			i := 8 + bits.TrailingZeros64(m)>>3
			if f.keyField(p, i) == key {
				return i
			}
			m &= m - 1
		}
	}
	return -1
}

// batch is the number of keys whose lines are touched before any is looked into, so that their cache misses overlap.
const batch = 64

// Find looks keys up: out[i] is the value and found[i] is 1 where key i is there, else both are 0.
func (t *Table) Find(keys, out []uint64, found []uint8) {
	if t.n == 0 {
		clear(out[:len(keys)])
		clear(found[:len(keys)])
		return
	}
	var hashes [batch]uint64
	var heads [batch]uint8
	var lines [batch]unsafe.Pointer
	f := &t.f
	for len(keys) > 0 {
		n := min(batch, len(keys))
		for i, k := range keys[:n] {
			h := hashmap.Mix64(k)
			l, _ := bits.Mul64(h, f.lines)
			p := unsafe.Add(t.base, l*lineBytes)
			hashes[i], lines[i], heads[i] = h, p, *(*uint8)(p)
		}
		for i := range keys[:n] {
			p, head, low := lines[i], heads[i], hashes[i]&f.low
			key := low >> 8 << 1
			s := f.search(p, int(head&countMask), uint8(low), key)
			if s >= 0 {
				out[i], found[i] = f.value(p, s), 1
				continue
			}
			out[i], found[i] = 0, 0
			if head&(displaced|stashed) != 0 {
				out[i], found[i] = t.findElsewhere(hashes[i], low, head)
			}
		}
		keys, out, found = keys[n:], out[n:], found[n:]
	}
}

func (t *Table) findElsewhere(h, low uint64, head uint8) (uint64, uint8) {
	if head&displaced != 0 {
		p := t.line(t.other(t.home(h), low))
		if s := t.f.search(p, int(*(*uint8)(p)&countMask), uint8(low), low>>8<<1|1); s >= 0 {
			return t.f.value(p, s), 1
		}
	}
	if head&stashed != 0 {
		if v, ok := t.stash[h]; ok {
			return v, 1
		}
	}
	return 0, 0
}

// Insert adds the keys that are not there yet, with their values, and tells in fresh which those were: of equal keys the first wins. values is nil in
// a table of row numbers. On an error (memory) the keys before it are in and the table is usable; fresh is right for them and 0 for the rest.
func (t *Table) Insert(keys, values []uint64, fresh []uint8) error {
	clear(fresh[:len(keys)])
	var lines [batch]uint8
	for from := 0; from < len(keys); from += batch {
		to := min(from+batch, len(keys))
		if t.n+uint64(to-from) > t.limit {
			if err := t.grow(); err != nil {
				return err
			}
		}
		for i, k := range keys[from:to] { // touch the lines together
			lines[i] = *(*uint8)(t.line(t.home(hashmap.Mix64(k))))
		}
		for i := from; i < to; i++ {
			h := hashmap.Mix64(keys[i])
			if t.has(h) {
				continue
			}
			v := t.n
			if !t.rows {
				v = 0
				if values != nil {
					v = values[i] & t.f.vmask
				}
			}
			t.place(h, v)
			t.n++
			fresh[i] = 1
		}
		if len(t.stash) > stashLimit(t.f.lines) {
			if err := t.resize(t.f.lines+t.f.lines/16+1, t.f.vbits); err != nil {
				return err
			}
		}
	}
	return nil
}

func stashLimit(lines uint64) int { return int(lines/256) + 64 }

func (t *Table) has(h uint64) bool {
	p := t.line(t.home(h))
	head, low := *(*uint8)(p), h&t.f.low
	if t.f.search(p, int(head&countMask), uint8(low), low>>8<<1) >= 0 {
		return true
	}
	if head&(displaced|stashed) == 0 {
		return false
	}
	_, ok := t.findElsewhere(h, low, head)
	return ok == 1
}

// entry is a key on its way to a place.
type entry struct{ home, low, value uint64 }

// place puts a new hash into one of its lines, moving others where it must.
func (t *Table) place(h, v uint64) {
	e := entry{t.home(h), h & t.f.low, v}
	if t.settle(e, e.home, false) {
		return
	}
	alt := t.other(e.home, e.low)
	if alt != e.home {
		if t.settle(e, alt, true) || t.makeRoom(e, e.home, false) || t.makeRoom(e, alt, true) || t.kick(&e) {
			return
		}
	}
	if t.stash == nil {
		t.stash = map[uint64]uint64{}
	}
	t.stash[t.f.hash(e.home, e.low)] = e.value
	*(*uint8)(t.line(e.home)) |= stashed
}

// settle appends an entry to a line that has a free slot.
func (t *Table) settle(e entry, line uint64, away bool) bool {
	p := t.line(line)
	head := (*uint8)(p)
	count := int(*head & countMask)
	if count == t.f.slots {
		return false
	}
	*head++
	t.store(p, count, e, away)
	return true
}

func (t *Table) store(p unsafe.Pointer, slot int, e entry, away bool) {
	key := e.low >> 8 << 1
	if away {
		key |= 1
		*(*uint8)(t.line(e.home)) |= displaced
	}
	t.f.write(p, slot, uint8(e.low), key, e.value)
}

// entryAt reads a slot; away tells whether the entry is displaced there.
func (t *Table) entryAt(line uint64, slot int) (e entry, away bool) {
	p := t.line(line)
	key := t.f.keyField(p, slot)
	e.low = (key>>1)<<8 | uint64(*(*uint8)(unsafe.Add(p, 1+slot)))
	e.value = t.f.value(p, slot)
	e.home = line
	if key&1 != 0 {
		e.home = t.homeOf(line, e.low)
		return e, true
	}
	return e, false
}

// makeRoom moves one entry of a full line to its other place, if one there is free, and puts e in its slot.
func (t *Table) makeRoom(e entry, line uint64, away bool) bool {
	for s := 0; s < t.f.slots; s++ {
		x, gone := t.entryAt(line, s)
		to := x.home
		if !gone {
			to = t.other(x.home, x.low)
		}
		if to != line && t.settle(x, to, !gone) {
			t.store(t.line(line), s, e, away)
			return true
		}
	}
	return false
}

// kick walks at random: e takes the slot of another entry, which goes on to its other place. On failure e is the entry that is left over.
func (t *Table) kick(e *entry) bool {
	line, away := t.other(e.home, e.low), true
	for range maxKicks {
		t.rand = t.rand*6364136223846793005 + 1442695040888963407
		slot := int(t.rand >> 33 % uint64(t.f.slots))
		x, gone := t.entryAt(line, slot)
		t.store(t.line(line), slot, *e, away)
		*e = x
		line, away = x.home, false
		if !gone {
			line, away = t.other(x.home, x.low), true
		}
		if t.settle(*e, line, away) || t.makeRoom(*e, line, away) {
			return true
		}
	}
	return false
}

// Delete takes a key out. The slot is filled by the line's last one, so churn at a constant size needs no more lines.
func (t *Table) Delete(key uint64) bool {
	if t.n == 0 {
		return false
	}
	h := hashmap.Mix64(key)
	home, low := t.home(h), h&t.f.low
	for _, place := range [2]struct{ line, bit uint64 }{{home, 0}, {t.other(home, low), 1}} {
		p := t.line(place.line)
		head := (*uint8)(p)
		count := int(*head & countMask)
		s := t.f.search(p, count, uint8(low), low>>8<<1|place.bit)
		if s < 0 {
			continue
		}
		last := count - 1
		t.f.write(p, s, *(*uint8)(unsafe.Add(p, 1+last)), t.f.keyField(p, last), t.f.value(p, last))
		*head--
		t.n--
		return true
	}
	if _, ok := t.stash[h]; ok {
		delete(t.stash, h)
		t.n--
		return true
	}
	return false
}
