package packed

import (
	"math/bits"
	"unsafe"

	"dictsvc/hashmap"
	"dictsvc/internal/mem"
)

const (
	// block is the number of keys that are worked on together: enough that the waits at a block's ends do not count,
	// few enough that its scratch stays in the L1 cache.
	block = 512
	// step is the number of keys whose lines are asked for before the keys one step behind are resolved: longer
	// than memory takes, and no more lines than the processor can wait for.
	step = 16
	// ahead is by how many keys a look-up's asking is ahead of its search. Of 8 to 64, 24 and 32 were best where the table is beyond the caches.
	ahead = 32
)

// farBytes is the size from which lines are asked for without a place in the second and third cache (PREFETCHNTA): each would only push out another that
// is as unlikely to be asked for again. It raised the roof itself, random cache lines of a gigabyte, from 54 to 64 million a second, and look-ups in
// 100 million rows by a tenth; at 10 million rows it made no difference, and at a million it took a quarter away.
const farBytes = 256 << 20

// kernel is what a lookup reads of a table, in one place for the assembly. It is set by adopt and does not change while
// the table is read.
type kernel struct {
	base      unsafe.Pointer
	shift     uint64 // of a line number to a line's bytes
	second    uint64 // offset of a line's second cache line; 0 where it has one
	far       uint64 // 1: the table is beyond the caches
	head      uint64 // offset of the tags
	marks     uint64
	restMask  uint64
	valueMask uint64
	seed      uint64
	lines     uint64
	drop      uint64
	// Where the parts of a slot are: bytes from the line's start, and bits to shift. Entry maxSlots is a slot that no
	// line has, for a search without a candidate.
	restAt     [maxSlots + 8]uint8
	restShift  [maxSlots + 8]uint8
	valueAt    [maxSlots + 8]uint8
	valueShift [maxSlots + 8]uint8
	fast       bool // by the assembly
}

// scratch is the working memory of a block of lookups. Keys come in; line and rest are made of them; out and found are the
// answer; again lists the keys that may be in their other line.
type scratch struct {
	line  [block + ahead]uint64 // behind the last key: lines that may be asked for in vain
	rest  [block]uint64
	out   [block]uint64
	found [block]uint8
	again [block + 1]uint16
}

func (g *geometry) kernel(base unsafe.Pointer, seed uint64) kernel {
	k := kernel{base: base, shift: uint64(g.lineShift), head: uint64(g.headBytes), marks: uint64(g.marks), restMask: g.restMask,
		valueMask: g.valueMask, seed: seed, lines: g.lines, drop: uint64(g.drop), fast: haveAssembly}
	if g.lineShift > 6 {
		k.second = 64
	}
	if g.bytes() >= farBytes {
		k.far = 1
	}
	for i := range g.slots {
		k.restAt[i], k.restShift[i] = g.rest[i].at, g.rest[i].shift
		k.valueAt[i], k.valueShift[i] = g.value[i].at, g.value[i].shift
	}
	return k
}

// placeAll finds the home lines and rests of at most a block of keys.
func (t *Table) placeAll(keys []uint64, s *scratch) {
	n := 0
	if t.kernel.fast && haveVectors && t.lines <= 1<<32-1 {
		if n = len(keys) &^ 7; n > 0 {
			placeKeys(&t.kernel, &keys[0], n, s)
		}
	}
	lines, drop, seed := t.lines, t.drop&63, t.seed
	for i := n; i < len(keys); i++ {
		hi, low := bits.Mul64(hashmap.Mix64(keys[i]^seed), lines)
		s.line[i&(block-1)], s.rest[i&(block-1)] = hi, low>>drop
	}
}

// askFirst asks for the lines of a block's first keys; the search asks for the others.
func (t *Table) askFirst(s *scratch, n int) {
	clear(s.line[n : n+ahead])
	mem.Prefetch(t.base, s.line[:min(ahead, n)], t.lineShift)
}

// searchAll looks for n entries in their lines, as home entries or, with choice 1, as entries in their other line. It sets
// found for each and out for those that are there, and returns how many are, and how many may be in their other line.
func (t *Table) searchAll(s *scratch, n int, choice uint64) (hits, again int) {
	if t.kernel.fast {
		return searchLines(&t.kernel, s, n, choice)
	}
	for i := range n {
		if i%step == 0 && i+ahead < n {
			mem.Prefetch(t.base, s.line[i+ahead:min(i+ahead+step, n)], t.lineShift)
		}
		i &= block - 1
		p := t.line(s.line[i])
		if slot := t.search(p, s.rest[i], choice); slot >= 0 {
			s.out[i], s.found[i] = t.valueOf(p, slot), 1
			hits++
			continue
		}
		s.found[i] = 0
		if *head(p)&t.mark(s.rest[i]) != 0 {
			s.again[again] = uint16(i)
			again++
		}
	}
	return hits, again
}

// findBlock looks up at most a block of keys. s.found tells which are there, s.out has the values of those.
func (t *Table) findBlock(keys []uint64, s *scratch) int {
	t.placeAll(keys, s)
	t.askFirst(s, len(keys))
	return t.findPlaced(s, len(keys))
}

// findPlaced looks up n keys whose lines and rests are known: first in their home lines, then those that are not there and whose home line
// has the mark in their other line.
func (t *Table) findPlaced(s *scratch, n int) int {
	hits, again := t.searchAll(s, n, 0)
	if again == 0 {
		return hits
	}
	var o scratch
	for j, i := range s.again[:again] {
		i := i & (block - 1)
		o.rest[j&(block-1)] = s.rest[i]
		o.line[j&(block-1)] = t.other(s.line[i], s.rest[i])
	}
	t.askFirst(&o, again)
	more, _ := t.searchAll(&o, again, 1)
	for j, i := range s.again[:again] {
		i := i & (block - 1)
		if o.found[j&(block-1)] != 0 {
			s.out[i], s.found[i] = o.out[j&(block-1)], 1
		} else if t.overflow != nil {
			if v, ok := t.overflow.Find(hashmap.Unmix64(t.hash(s.line[i], s.rest[i])) ^ t.seed); ok {
				s.out[i], s.found[i] = v, 1
				more++
			}
		}
	}
	return hits + more
}
