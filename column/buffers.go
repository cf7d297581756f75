package column

import (
	"unsafe"

	"dictsvc/errcode"
)

// A column can be taken apart into plain buffers and put together again, for storage that compresses them. The order is that of a walk over the type:
// the buffers of a column itself, then those of the columns in it. Offsets (of strings, of arrays) become lengths of four bytes, which
// hold few bits where offsets of eight bytes never repeat.

// BufferKind says what a buffer consists of.
type BufferKind uint8

// The kinds of buffers.
const (
	RawBuffer BufferKind = iota // text, floats, values wider than a word
	SignedBuffer
	UnsignedBuffer
)

// PutBuffers hands a column's buffers to put, each with the kind and size in bytes of its elements. put must not keep them. Constants are put in full.
func PutBuffers(c Column, put func(p []byte, kind BufferKind, width int) error) error {
	switch x := Full(c).(type) {
	case *Null:
		if err := put(x.Nulls, UnsignedBuffer, 1); err != nil {
			return err
		}
		return PutBuffers(x.Inner, put)
	case *Str:
		if err := putLengths(x.Start, x.Ends, put); err != nil {
			return err
		}
		data := x.Data[:0]
		if n := len(x.Ends); n > 0 {
			data = x.Data[x.Start:x.Ends[n-1]]
		}
		return put(data, RawBuffer, 1)
	case *FixedStr:
		return put(x.Data, RawBuffer, 1)
	case *Arr:
		if err := putLengths(x.Start, x.Ends, put); err != nil {
			return err
		}
		n := 0
		if len(x.Ends) > 0 {
			n = int(x.Ends[len(x.Ends)-1] - x.Start)
		}
		return PutBuffers(x.Elem.Slice(0, n), put)
	case *MapColumn:
		return PutBuffers(x.Arr, put)
	case *Tup:
		for _, e := range x.Elems {
			if err := PutBuffers(e, put); err != nil {
				return err
			}
		}
		return nil
	case *LowCard:
		return putLowCard(x, put)
	case *NothingColumn:
		return nil
	case interface {
		buffer() ([]byte, BufferKind, int)
	}:
		return put(x.buffer())
	}
	return errcode.New(errcode.NotImplemented, "a column of type %s cannot be taken apart", c.Type())
}

func putLengths(start uint64, ends []uint64, put func([]byte, BufferKind, int) error) error {
	lengths := make([]uint32, len(ends))
	for i, e := range ends {
		lengths[i] = uint32(e - start)
		start = e
	}
	return put(bytesOf(lengths), UnsignedBuffer, 4)
}

// putLowCard puts the number of distinct values, the rows' places among them, and the values: those that the rows use.
func putLowCard(c *LowCard, put func([]byte, BufferKind, int) error) error {
	dict, index := c.Dict, c.Index
	if dict.Len() > len(index)+1 { // a piece of a column with many more values
		place := make(map[uint32]uint32, len(index))
		place[0] = 0
		used := []uint32{0}
		index = make([]uint32, len(c.Index))
		for i, k := range c.Index {
			p, ok := place[k]
			if !ok {
				p = uint32(len(used))
				place[k] = p
				used = append(used, k)
			}
			index[i] = p
		}
		dict = dict.Gather(used)
	}
	if err := put(bytesOf([]uint32{uint32(dict.Len())}), UnsignedBuffer, 4); err != nil {
		return err
	}
	if err := put(bytesOf(index), UnsignedBuffer, 4); err != nil {
		return err
	}
	return PutBuffers(dict, put)
}

// bytesOf are a slice's values as bytes.
func bytesOf[T any](v []T) []byte {
	var z T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(v))), len(v)*int(unsafe.Sizeof(z)))
}

func (c *Num[T]) buffer() ([]byte, BufferKind, int) {
	var z T
	kind := UnsignedBuffer
	switch any(z).(type) {
	case float32, float64:
		kind = RawBuffer
	case int8, int16, int32, int64:
		kind = SignedBuffer
	}
	return bytesOf(c.Data), kind, int(unsafe.Sizeof(z))
}

func (c *Wide[T]) buffer() ([]byte, BufferKind, int) { return bytesOf(c.Data), RawBuffer, 1 }

// Buffers gives buffers back in the order in which they were put.
type Buffers interface {
	// Size is the size of the next buffer in bytes.
	Size() int
	// Read fills dst, of that size, and goes on to the buffer behind it.
	Read(dst []byte) error
}

// TakeBuffers puts a column of n rows together again; memory comes from m. Error 271 where the buffers do not fit each other, which is
// a sign of damage: nothing is read or written out of bounds then.
func TakeBuffers(m *Scratch, t *Type, n int, in Buffers) (Column, error) {
	switch c := New(t, 0).(type) {
	case *Null:
		c.Nulls = Make[uint8](m, n)
		if err := take(c.Nulls, in); err != nil {
			return nil, err
		}
		var err error
		c.Inner, err = TakeBuffers(m, t.Elems[0], n, in)
		return c, err
	case *Str:
		c.Ends = Make[uint64](m, n)
		total, err := takeLengths(m, c.Ends, in)
		if err != nil {
			return nil, err
		}
		if total != uint64(in.Size()) {
			return nil, errcode.New(errcode.CannotDecompress, "strings of %d bytes in a buffer of %d", total, in.Size())
		}
		c.Data = Make[uint8](m, int(total))
		return c, take(c.Data, in)
	case *FixedStr:
		c.Data = Make[uint8](m, n*t.Width)
		return c, take(c.Data, in)
	case *Arr:
		return c, takeArray(m, c, t.Elems[0], n, in)
	case *MapColumn:
		return c, takeArray(m, c.Arr, c.Arr.T.Elems[0], n, in)
	case *Tup:
		c.N = n
		for i, e := range t.Elems {
			var err error
			if c.Elems[i], err = TakeBuffers(m, e, n, in); err != nil {
				return nil, err
			}
		}
		return c, nil
	case *LowCard:
		return takeLowCard(m, t, n, in)
	case *NothingColumn:
		c.N = n
		return c, nil
	case interface {
		takeBuffer(m *Scratch, n int, in Buffers) error
	}:
		return c.(Column), c.takeBuffer(m, n, in)
	}
	return nil, errcode.New(errcode.NotImplemented, "a column of type %s cannot be put together", t)
}

// take reads the next buffer into a slice that it must fill.
func take[T Scratched](dst []T, in Buffers) error {
	p := bytesOf(dst)
	if in.Size() != len(p) {
		return errcode.New(errcode.CannotDecompress, "a buffer of %d bytes: want %d", in.Size(), len(p))
	}
	return in.Read(p)
}

// takeLengths reads lengths as end offsets and tells the last.
func takeLengths(m *Scratch, ends []uint64, in Buffers) (uint64, error) {
	lengths := Make[uint32](m, len(ends))
	if err := take(lengths, in); err != nil {
		return 0, err
	}
	end := uint64(0)
	for i, n := range lengths {
		end += uint64(n)
		ends[i] = end
	}
	if end > MaxColumnBytes {
		return 0, errcode.New(errcode.CannotDecompress, "lengths that come to %d: want at most %d", end, int64(MaxColumnBytes))
	}
	return end, nil
}

func takeArray(m *Scratch, c *Arr, elem *Type, n int, in Buffers) error {
	c.Ends = Make[uint64](m, n)
	total, err := takeLengths(m, c.Ends, in)
	if err != nil {
		return err
	}
	c.Elem, err = TakeBuffers(m, elem, int(total), in)
	return err
}

func takeLowCard(m *Scratch, t *Type, n int, in Buffers) (Column, error) {
	var size [1]uint32
	if err := take(size[:], in); err != nil {
		return nil, err
	}
	index := Make[uint32](m, n)
	if err := take(index, in); err != nil {
		return nil, err
	}
	top := uint32(0)
	for _, k := range index {
		top = max(top, k)
	}
	if top >= size[0] {
		return nil, errcode.New(errcode.CannotDecompress, "value %d of a dictionary of %d", top, size[0])
	}
	dict, err := TakeBuffers(nil, t.Elems[0], int(size[0]), in)
	if err != nil {
		return nil, err
	}
	return &LowCard{T: t, Dict: dict, Index: index}, nil
}

func (c *Num[T]) takeBuffer(m *Scratch, n int, in Buffers) error {
	c.Data = Make[T](m, n)
	return take(c.Data, in)
}

func (c *Wide[T]) takeBuffer(_ *Scratch, n int, in Buffers) error {
	c.Data = make([]T, n)
	p := bytesOf(c.Data)
	if in.Size() != len(p) {
		return errcode.New(errcode.CannotDecompress, "a buffer of %d bytes: want %d", in.Size(), len(p))
	}
	return in.Read(p)
}
