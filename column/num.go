package column

import (
	"encoding/binary"
	"math"
	"slices"
	"unsafe"

	"dictsvc/internal/simd"
)

// Number are the element types of columns whose values fit a machine word.
type Number interface {
	~uint8 | ~uint16 | ~uint32 | ~uint64 | ~int8 | ~int16 | ~int32 | ~int64 | ~float32 | ~float64
}

// Num is a column of machine words: integers, floats, dates and times, enums, IPv4 and the two narrow decimals.
type Num[T Number] struct {
	T    *Type
	Data []T
}

// NewNum wraps a slice as a column of type t, whose layout must be T's; the slice is not copied.
func NewNum[T Number](t *Type, data []T) *Num[T] { return &Num[T]{T: t, Data: data} }

func newNum[T Number](t *Type, n int) *Num[T] { return &Num[T]{T: t, Data: make([]T, 0, n)} }

// UInt8s and its sisters wrap a slice as a column of the plain type.
func UInt8s(v ...uint8) *Num[uint8]       { return NewNum(Of(UInt8), v) }
func UInt16s(v ...uint16) *Num[uint16]    { return NewNum(Of(UInt16), v) }
func UInt32s(v ...uint32) *Num[uint32]    { return NewNum(Of(UInt32), v) }
func UInt64s(v ...uint64) *Num[uint64]    { return NewNum(Of(UInt64), v) }
func Int64s(v ...int64) *Num[int64]       { return NewNum(Of(Int64), v) }
func Float64s(v ...float64) *Num[float64] { return NewNum(Of(Float64), v) }

func (c *Num[T]) Type() *Type               { return c.T }
func (c *Num[T]) Len() int                  { return len(c.Data) }
func (c *Num[T]) Slice(from, to int) Column { return &Num[T]{c.T, c.Data[from:to:to]} }
func (c *Num[T]) New(n int) Column          { return newNum[T](c.T, n) }
func (c *Num[T]) Truncate(n int)            { c.Data = c.Data[:n] }
func (c *Num[T]) Bytes() int                { var z T; return cap(c.Data) * int(unsafe.Sizeof(z)) }
func (c *Num[T]) retype(t *Type) Column     { return &Num[T]{t, c.Data} }

func (c *Num[T]) Filter(keep []uint8, n int) Column { return c.filterIn(nil, keep, n) }
func (c *Num[T]) filterIn(m *Scratch, keep []uint8, n int) Column {
	return &Num[T]{c.T, filterSlice(m, c.Data, keep, n)}
}
func (c *Num[T]) Gather(rows []uint32) Column { return &Num[T]{c.T, gatherSlice(c.Data, rows)} }
func (c *Num[T]) Replicate(offsets []uint64) Column {
	return &Num[T]{c.T, replicateSlice(c.Data, offsets)}
}
func (c *Num[T]) double(n int) {
	if cap(c.Data)-len(c.Data) < n {
		c.Data = slices.Grow(c.Data, max(n, len(c.Data)))
	}
}
func (c *Num[T]) spread(groups []uint32, next []uint64) Column {
	out := make([]T, len(groups))
	for i, v := range c.Data {
		g := groups[i]
		out[next[g]] = v
		next[g]++
	}
	return &Num[T]{c.T, out}
}
func (c *Num[T]) AppendDefault(n int) { c.Data = appendZero(c.Data, n) }
func (c *Num[T]) AppendRange(src Column, from, to int) {
	switch s := src.(type) {
	case *Num[T]:
		claim(8 * uint64(len(c.Data)+to-from))
		c.Data = append(c.Data, s.Data[from:to]...)
	default:
		appendOther(c, src, from, to)
	}
}

func (c *Num[T]) Compare(i int, o Column, j int, nulls int) int {
	var b T
	switch x := o.(type) {
	case *Num[T]:
		b = x.Data[j]
	default:
		return c.Compare(i, Plain(o), j, nulls)
	}
	a := c.Data[i]
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	case a == b:
		return 0
	}
	// At least one is NaN.
	switch an, bn := a != a, b != b; {
	case an && bn:
		return 0
	case an:
		return nulls
	}
	return -nulls
}

func (c *Num[T]) AppendKey(buf []byte, i int) []byte {
	v := c.Data[i]
	switch {
	case v == 0:
		v = 0 // -0.0 becomes 0.0
	case v != v:
		v = canonicalNaN[T]()
	}
	return append(buf, unsafe.Slice((*byte)(unsafe.Pointer(&v)), unsafe.Sizeof(v))...)
}

func canonicalNaN[T Number]() T { f := NaN(); return T(f) }

// NaN is what ClickHouse has for nan, to the bit: quiet, positive, without a payload. Go's own has a payload.
func NaN() float64 { return math.Float64frombits(0x7FF8_0000_0000_0000) }

func (c *Num[T]) ReadKey(buf []byte) []byte {
	var v T
	n := int(unsafe.Sizeof(v))
	copy(unsafe.Slice((*byte)(unsafe.Pointer(&v)), n), buf[:n])
	c.Data = append(c.Data, v)
	return buf[n:]
}

// filterSlice copies the values whose keep byte is not 0, n of them. Behind what the kernel does, every value is written, because which come is hard
// to foretell, and the place moves on behind those that stay; the room of one more takes the last that do not.
func filterSlice[T Scratched](m *Scratch, data []T, keep []uint8, n int) []T {
	const all = 0x0101010101010101
	out := Make[T](m, n+1)
	looked, at := simd.Compress(out, data, keep)
	data, keep = data[looked:len(keep)], keep[looked:]
	for len(keep) >= 8 {
		k, d := (*[8]uint8)(keep), (*[8]T)(data)
		switch binary.LittleEndian.Uint64(k[:]) {
		case 0:
		case all:
			at += copy(out[at:], d[:])
		default:
			for i := range d {
				out[at] = d[i]
				at += one(k[i])
			}
		}
		keep, data = keep[8:], data[8:]
	}
	for i, k := range keep {
		out[at] = data[i]
		at += one(k)
	}
	return out[:n]
}

// one is 1 for a byte that is not 0.
func one(k uint8) int {
	n := 0
	if k != 0 {
		n = 1
	}
	return n
}

func gatherSlice[T any](data []T, rows []uint32) []T {
	out := make([]T, len(rows))
	for i, r := range rows {
		out[i] = data[r]
	}
	return out
}

func replicateSlice[T any](data []T, offsets []uint64) []T {
	if len(offsets) == 0 {
		return nil
	}
	claim(8 * offsets[len(offsets)-1])
	out := make([]T, 0, offsets[len(offsets)-1])
	var prev uint64
	for i, end := range offsets {
		for ; prev < end; prev++ {
			out = append(out, data[i])
		}
	}
	return out
}

func appendZero[T any](data []T, n int) []T {
	data = slices.Grow(data, n)
	tail := data[len(data) : len(data)+n]
	clear(tail)
	return data[:len(data)+n]
}

// appendOther appends from a Const or LowCardinality column of the same values.
func appendOther(dst, src Column, from, to int) {
	switch s := src.(type) {
	case *Const:
		for i := from; i < to; i++ {
			dst.AppendRange(s.Val, 0, 1)
		}
	case *LowCard:
		for _, k := range s.Index[from:to] {
			dst.AppendRange(s.Dict, int(k), int(k)+1)
		}
	default:
		panic("column: append " + src.Type().String() + " to " + dst.Type().String())
	}
}

// Raw returns the bytes of a slice of fixed-width values, shared, in the machine's (little-endian) order: the Native format's own layout.
func Raw[T any](data []T) []byte {
	if len(data) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&data[0])), len(data)*int(unsafe.Sizeof(data[0])))
}
