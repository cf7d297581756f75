package hashmap

import (
	"unsafe"

	"dictsvc/internal/mem"
)

// kernel is what a look-up reads of a Map, in one place for the assembly. look sets it.
type kernel struct {
	base       unsafe.Pointer
	shift      uint64 // of a bucket number to a bucket's bytes
	homes      uint64
	seed       uint64
	cells      uint64 // a bit a cell of a bucket
	last       uint64 // the number of a bucket's last cell
	values     uint64 // offset of the values
	valueShift uint64 // of a cell number to a value's bytes
	valueMask  uint64
	fast       bool // the assembly can serve this table on this processor
}

// findBlock is the number of keys looked up together: enough that the waits at a block's ends do not count, few enough
// that its scratch stays in the L1 cache.
const findBlock = 512

// scratch is the working memory of a block of look-ups: hash and home are made of the keys; out and found are the answer; again
// lists the keys that the assembly leaves to find.
type scratch struct {
	home  [findBlock + step]uint64 // behind the last key: buckets that may be asked for in vain
	hash  [findBlock]uint64
	out   [findBlock]uint64
	found [findBlock]uint8
	again [findBlock + 1]uint16
}

func (m *Map[V]) setKernel() {
	var v V
	size := uint64(unsafe.Sizeof(v))
	k := kernel{base: m.base, shift: uint64(shift[V]()), homes: m.homes, seed: m.seed, cells: 1<<cells[V]() - 1, last: uint64(cells[V]() - 1), values: 8 * uint64(cells[V]())}
	for ; size>>k.valueShift > 1; k.valueShift++ {
	}
	k.valueMask = 1<<(8*size) - 1 // of 8 bytes and none: all bits, no bit
	k.fast = haveVectors && size <= 8 && m.homes < 1<<32
	m.kernel = k
}

// findWords looks up at most a block of keys; the values are the low bytes of s.out where s.found is 1. It serves values of at most 8 bytes.
func (m *Map[V]) findWords(keys []uint64, s *scratch) (hits int) {
	if n := len(keys) &^ 7; m.kernel.fast && n > 0 {
		placeKeys(&m.kernel, &keys[0], n, s)
		for i := n; i < len(keys); i++ {
			h := Mix64(keys[i] ^ m.seed)
			s.hash[i&(findBlock-1)], s.home[i&(findBlock-1)] = h, m.home(h)
		}
		clear(s.home[len(keys) : len(keys)+step])
		mem.Prefetch(m.base, s.home[:min(step, len(keys))], shift[V]())
		var again int
		hits, again = searchBuckets(&m.kernel, s, len(keys))
		for _, i := range s.again[:again] {
			if v, ok := m.Find(keys[i]); ok {
				s.out[i&(findBlock-1)], s.found[i&(findBlock-1)] = word(v), 1
				hits++
			}
		}
		return hits
	}
	for start := 0; start < len(keys); start += step {
		part := keys[start:min(start+step, len(keys))]
		m.ask(part, s.hash[start:], s.home[start:])
		if start > 0 {
			hits += m.resolve(s, start-step, start)
		}
	}
	return hits + m.resolve(s, max(0, (len(keys)-1)&^(step-1)), len(keys))
}

// resolve looks up the keys from..to of a block whose buckets were asked for.
func (m *Map[V]) resolve(s *scratch, from, to int) (hits int) {
	for i := from; i < to; i++ {
		i := i & (findBlock - 1)
		s.found[i] = 0
		if h := s.hash[i]; h != 0 {
			if p, _, pos, ok := m.find(h, s.home[i]); ok {
				s.out[i], s.found[i] = word(*valueAt[V](p, pos)), 1
				hits++
			}
		} else if m.asideInUse {
			s.out[i], s.found[i] = word(m.aside), 1
			hits++
		}
	}
	return hits
}

// word is a value of at most 8 bytes as a number.
func word[V Value](v V) (w uint64) {
	if unsafe.Sizeof(v) <= 8 {
		*(*V)(unsafe.Pointer(&w)) = v // the machine is little-endian
	}
	return w
}

// FindBatch looks up keys: where keys[i] is in the table, out[i] becomes its value and found[i] 1; elsewhere out[i]
// stays as it is (so that a default can wait there) and found[i] becomes 0. It returns how many were found. out and
// found are as long as keys; either may be nil.
func (m *Map[V]) FindBatch(keys []uint64, out []V, found []uint8) int {
	var v V
	if unsafe.Sizeof(v) > 8 {
		return m.findWide(keys, out, found)
	}
	var s scratch
	hits := 0
	for start := 0; start < len(keys); start += findBlock {
		part := keys[start:min(start+findBlock, len(keys))]
		hits += m.findWords(part, &s)
		if found != nil {
			copy(found[start:], s.found[:len(part)])
		}
		if out == nil {
			continue
		}
		to := out[start : start+len(part)]
		for i := range to {
			if s.found[i&(findBlock-1)] != 0 {
				to[i] = *(*V)(unsafe.Pointer(&s.out[i&(findBlock-1)]))
			}
		}
	}
	return hits
}
