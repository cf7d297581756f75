package column

import (
	"math/bits"
	"unsafe"
)

// Scratch lends memory for the columns of one batch of rows and takes it all back at once. A query that groups its rows makes the same columns for
// every block, half a megabyte each; with memory of its own each would be cleared, filled, read once and left to the collector, and no two would meet
// in the processor's cache.
//
// Whoever owns a Scratch calls Reset when nothing refers to the batch's columns any more, and lends it only to code whose results live no longer
// than that. A nil Scratch is valid: its memory is the collector's. It is used by one goroutine at a time.
type Scratch struct {
	free [scratchClasses][][]uint64
	lent [][]uint64
}

// Pieces are powers of two from scratchLeast bytes on; what is smaller or larger than all classes is left to the collector, so that a Scratch never holds
// much more than the batch that it serves needs.
const (
	scratchLeast   = 4 << 10
	scratchClasses = 15 // the greatest is 64 MiB
)

// Scratched are the types that may lie in a Scratch: words without pointers.
type Scratched interface {
	Number | U128 | I128 | U256 | I256 | UUIDValue | IPv6Value
}

// Make returns n values to be overwritten: they are not zero where s is not nil.
func Make[T Scratched](s *Scratch, n int) []T {
	var z T
	size := n * int(unsafe.Sizeof(z))
	if s == nil || size == 0 || size <= scratchLeast/2 && !checkScratch {
		return make([]T, n)
	}
	class := bits.Len(uint((size - 1) / scratchLeast))
	if class >= scratchClasses {
		return make([]T, n)
	}
	b := s.take(class)
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), cap(b)*8/int(unsafe.Sizeof(z)))[:n]
}

func (s *Scratch) take(class int) []uint64 {
	var b []uint64
	if list := s.free[class]; len(list) > 0 {
		b = list[len(list)-1]
		s.free[class] = list[:len(list)-1]
	} else {
		b = make([]uint64, scratchLeast/8<<class)
	}
	s.lent = append(s.lent, b)
	return b
}

// Reset takes back all memory that has been lent. The columns in it must not be used any more.
func (s *Scratch) Reset() {
	if s == nil {
		return
	}
	for i, b := range s.lent {
		if checkScratch {
			for k := range b {
				b[k] = 0xDEADDEADDEADDEAD
			}
		}
		class := bits.Len(uint(len(b)/(scratchLeast/8))) - 1
		s.free[class] = append(s.free[class], b)
		s.lent[i] = nil
	}
	s.lent = s.lent[:0]
}

// FilterIn is c.Filter with the result in s where its kind can lie there.
func FilterIn(s *Scratch, c Column, keep []uint8, n int) Column {
	if f, ok := c.(interface {
		filterIn(s *Scratch, keep []uint8, n int) Column
	}); ok {
		return f.filterIn(s, keep, n)
	}
	return c.Filter(keep, n)
}

// NewIn is New with the room for n rows in s where the kind of column can lie there.
func NewIn(s *Scratch, t *Type, n int) Column {
	if s == nil {
		return New(t, n)
	}
	c := New(t, 0)
	switch x := c.(type) {
	case *Null:
		x.Nulls = Make[uint8](s, n)[:0]
		x.Inner = NewIn(s, t.Elems[0], n)
	case *Str:
		x.Ends, x.mem = Make[uint64](s, n)[:0], s
	case interface{ roomIn(s *Scratch, n int) }:
		x.roomIn(s, n)
	default:
		return New(t, n)
	}
	return c
}

func (c *Num[T]) roomIn(s *Scratch, n int) { c.Data = Make[T](s, n)[:0] }
