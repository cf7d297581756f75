package dict

import (
	"math/bits"
	"unsafe"

	"dictsvc/column"
)

// chunkRows is the number of rows that are packed together.
const (
	chunkShift = 16
	chunkRows  = 1 << chunkShift
)

// memory is where packed chunks are put; the region lives as long as the Version.
type memory interface {
	Alloc(n int) ([]byte, error)
}

// store holds one attribute's values by row number.
type store interface {
	// add appends rows [from, to) of a column of the attribute's type.
	add(c column.Column, from, to int) error
	// seal packs what has been added; nothing can be added afterwards.
	seal() error
	// gather appends to dst the value of each row number, or the one row of def where found is 0.
	gather(dst column.Column, rows []uint64, found []uint8, def column.Column)
	// heap is the bytes held on Go's heap for good (directories, code lists).
	heap() int
}

// newStore chooses the store of a type.
func newStore(t *column.Type, mem memory) store {
	switch column.New(t, 0).(type) {
	case *column.Num[uint8]:
		return &numStore[uint8]{mem: mem, bits: numBits[uint8]{}}
	case *column.Num[uint16]:
		return &numStore[uint16]{mem: mem, bits: numBits[uint16]{}}
	case *column.Num[uint32]:
		return &numStore[uint32]{mem: mem, bits: numBits[uint32]{}}
	case *column.Num[uint64]:
		return &numStore[uint64]{mem: mem, bits: numBits[uint64]{}}
	case *column.Num[int8]:
		return &numStore[int8]{mem: mem, bits: numBits[int8]{}}
	case *column.Num[int16]:
		return &numStore[int16]{mem: mem, bits: numBits[int16]{}}
	case *column.Num[int32]:
		return &numStore[int32]{mem: mem, bits: numBits[int32]{}}
	case *column.Num[int64]:
		return &numStore[int64]{mem: mem, bits: numBits[int64]{}}
	case *column.Num[float32]:
		return &floatStore[float32]{mem: mem}
	case *column.Num[float64]:
		return &floatStore[float64]{mem: mem}
	case *column.Str:
		return &strStore{mem: mem, codes: newCodeList()}
	case *column.Null:
		return &nullStore{mem: mem, inner: newStore(t.Elems[0], mem)}
	}
	return &imageStore{strStore{mem: mem, whole: true}}
}

// bitChunk is up to chunkRows integers of equal bit width: row i is base + the width bits at bit i*width of ptr. A width is at most 57, so that one
// unaligned load of 8 bytes holds a value whole, or 64.
type bitChunk struct {
	ptr   unsafe.Pointer
	base  uint64
	mask  uint64
	width uint32
	scale uint32 // floats: decimal digits behind the point; rawFloat = the bits of the float itself
}

// packBits packs values, given as distances to base, into fresh memory. max is the greatest distance.
func packBits(mem memory, base, max uint64, n int, distance func(i int) uint64) (bitChunk, error) {
	c := bitChunk{base: base, width: uint32(bits.Len64(max))}
	if c.width > 57 {
		c.width = 64
	}
	c.mask = ^uint64(0) >> (64 - c.width) // a shift by 64 gives 0
	if c.width == 0 {
		c.ptr = unsafe.Pointer(&noBits)
		return c, nil
	}
	b, err := mem.Alloc((n*int(c.width)+7)/8 + 8) // the load of the last value reads 8 bytes
	if err != nil {
		return c, err
	}
	c.ptr = unsafe.Pointer(unsafe.SliceData(b))
	if c.width == 64 {
		w := unsafe.Slice((*uint64)(c.ptr), n)
		for i := range w {
			w[i] = distance(i)
		}
		return c, nil
	}
	var acc uint64 // bits not yet written
	var have uint32
	at := 0
	for i := 0; i < n; i++ {
		v := distance(i)
		acc |= v << have
		have += c.width
		if have >= 64 {
			*(*uint64)(unsafe.Add(c.ptr, at)) = acc
			at += 8
			have -= 64
			acc = 0
			if have > 0 {
				acc = v >> (c.width - have)
			}
		}
	}
	for ; have > 0; at++ {
		*(*uint8)(unsafe.Add(c.ptr, at)) = uint8(acc)
		acc >>= 8
		have -= min(have, 8)
	}
	return c, nil
}

// noBits is read (and masked away) by chunks of width 0, whose row's bit offset is always 0.
var noBits uint64

// place is where the bits of a row begin.
func (c *bitChunk) place(row uint64) unsafe.Pointer {
	return unsafe.Add(c.ptr, (row&(chunkRows-1))*uint64(c.width)>>3)
}

// at returns the value of a row of the chunk.
func (c *bitChunk) at(row uint64) uint64 {
	bit := (row & (chunkRows - 1)) * uint64(c.width)
	return *(*uint64)(unsafe.Add(c.ptr, bit>>3))>>(bit&7)&c.mask + c.base
}

// numBits maps a machine word to 64 bits that keep its order as unsigned numbers, and back.
type numBits[T column.Number] struct{}

func (numBits[T]) word(v T) uint64 {
	if T(0)-1 < 0 { // signed: shift the range so that the least value is 0
		return uint64(int64(v)) ^ 1<<63
	}
	return uint64(v)
}

func (numBits[T]) value(w uint64) T {
	if T(0)-1 < 0 {
		return T(int64(w ^ 1<<63))
	}
	return T(w)
}

// numStore holds integers, dates, enums and narrow decimals.
type numStore[T column.Number] struct {
	mem    memory
	bits   numBits[T]
	chunks []bitChunk
	tail   []T // rows not packed yet
}

func (s *numStore[T]) add(c column.Column, from, to int) error {
	data := numData[T](c, from, to)
	for len(data) > 0 {
		n := min(chunkRows-len(s.tail), len(data))
		s.tail = append(s.tail, data[:n]...)
		data = data[n:]
		if len(s.tail) == chunkRows {
			if err := s.pack(); err != nil {
				return err
			}
		}
	}
	return nil
}

func numData[T column.Number](c column.Column, from, to int) []T {
	return column.Plain(c).(*column.Num[T]).Data[from:to]
}

func (s *numStore[T]) pack() error {
	lo, hi := s.bits.word(s.tail[0]), s.bits.word(s.tail[0])
	for _, v := range s.tail {
		w := s.bits.word(v)
		lo, hi = min(lo, w), max(hi, w)
	}
	if hi-lo >= 1<<57 {
		lo = 0
		hi = ^uint64(0)
	}
	c, err := packBits(s.mem, lo, hi-lo, len(s.tail), func(i int) uint64 { return s.bits.word(s.tail[i]) - lo })
	if err != nil {
		return err
	}
	s.chunks = append(s.chunks, c)
	s.tail = s.tail[:0]
	return nil
}

func (s *numStore[T]) seal() error {
	var err error
	if len(s.tail) > 0 {
		err = s.pack()
	}
	s.tail = nil
	return err
}

func (s *numStore[T]) gather(dst column.Column, rows []uint64, found []uint8, def column.Column) {
	d := dst.(*column.Num[T])
	out, missing := extend(&d.Data, len(rows)), def.(*column.Num[T]).Data[0]
	chunks := s.chunks
	for i, row := range rows { // the loads of many rows are under way at once as it is: asking ahead gains nothing
		if found[i] == 0 {
			out[i] = missing
			continue
		}
		out[i] = s.bits.value(chunks[row>>chunkShift].at(row))
	}
}

// extend lengthens a slice by n elements and returns those.
func extend[T any](s *[]T, n int) []T {
	old := len(*s)
	if cap(*s) < old+n {
		t := make([]T, old, old+n)
		copy(t, *s)
		*s = t
	}
	*s = (*s)[:old+n]
	return (*s)[old:]
}

func (s *numStore[T]) heap() int { return cap(s.chunks) * int(unsafe.Sizeof(bitChunk{})) }
