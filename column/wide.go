package column

import (
	"bytes"
	"cmp"
	"unsafe"
)

// WideValue are the element types wider than a machine word.
type WideValue[T any] interface {
	comparable
	Cmp(o T) int
}

// U128, I128, U256 and I256 are little-endian integers of two and four words, as in the Native format.
type (
	U128 struct{ Lo, Hi uint64 }
	I128 struct {
		Lo uint64
		Hi int64
	}
	U256 struct{ W [4]uint64 }
	I256 struct{ W [4]uint64 }
	// UUIDValue is a UUID as ClickHouse holds it: the high half first, each half a little-endian word.
	UUIDValue struct{ Hi, Lo uint64 }
	// IPv6Value is an address in network order.
	IPv6Value [16]byte
)

// Cmp orders two values: -1, 0, 1.
func (a U128) Cmp(b U128) int {
	if c := cmp.Compare(a.Hi, b.Hi); c != 0 {
		return c
	}
	return cmp.Compare(a.Lo, b.Lo)
}

// Cmp orders two values: -1, 0, 1.
func (a I128) Cmp(b I128) int {
	if c := cmp.Compare(a.Hi, b.Hi); c != 0 {
		return c
	}
	return cmp.Compare(a.Lo, b.Lo)
}

// Cmp orders two values: -1, 0, 1.
func (a U256) Cmp(b U256) int {
	for i := 3; i >= 0; i-- {
		if c := cmp.Compare(a.W[i], b.W[i]); c != 0 {
			return c
		}
	}
	return 0
}

// Cmp orders two values: -1, 0, 1.
func (a I256) Cmp(b I256) int {
	if c := cmp.Compare(int64(a.W[3]), int64(b.W[3])); c != 0 {
		return c
	}
	return U256(a).Cmp(U256(b))
}

// Cmp orders two values: -1, 0, 1.
func (a UUIDValue) Cmp(b UUIDValue) int { // ClickHouse's 128-bit integer has the second half of the text as its high word
	if c := cmp.Compare(a.Lo, b.Lo); c != 0 {
		return c
	}
	return cmp.Compare(a.Hi, b.Hi)
}

// Cmp orders two values: -1, 0, 1.
func (a IPv6Value) Cmp(b IPv6Value) int { return bytes.Compare(a[:], b[:]) }

// Wide is a column of 16- or 32-byte values.
type Wide[T WideValue[T]] struct {
	T    *Type
	Data []T
}

// NewWide wraps a slice as a column of type t; the slice is not copied.
func NewWide[T WideValue[T]](t *Type, data []T) *Wide[T] { return &Wide[T]{T: t, Data: data} }

func newWide[T WideValue[T]](t *Type, n int) *Wide[T] { return &Wide[T]{T: t, Data: make([]T, 0, n)} }

func (c *Wide[T]) Type() *Type               { return c.T }
func (c *Wide[T]) Len() int                  { return len(c.Data) }
func (c *Wide[T]) Slice(from, to int) Column { return &Wide[T]{c.T, c.Data[from:to:to]} }
func (c *Wide[T]) New(n int) Column          { return newWide[T](c.T, n) }
func (c *Wide[T]) Truncate(n int)            { c.Data = c.Data[:n] }
func (c *Wide[T]) Bytes() int                { var z T; return cap(c.Data) * int(unsafe.Sizeof(z)) }
func (c *Wide[T]) retype(t *Type) Column     { return &Wide[T]{t, c.Data} }
func (c *Wide[T]) Filter(keep []uint8, n int) Column {
	return &Wide[T]{c.T, filterAny(c.Data, keep, n)}
}

func filterAny[T any](data []T, keep []uint8, n int) []T {
	out := make([]T, 0, n)
	for i, k := range keep {
		if k != 0 {
			out = append(out, data[i])
		}
	}
	return out
}

func (c *Wide[T]) Gather(rows []uint32) Column { return &Wide[T]{c.T, gatherSlice(c.Data, rows)} }
func (c *Wide[T]) Replicate(o []uint64) Column { return &Wide[T]{c.T, replicateSlice(c.Data, o)} }
func (c *Wide[T]) AppendDefault(n int)         { c.Data = appendZero(c.Data, n) }

func (c *Wide[T]) AppendRange(src Column, from, to int) {
	if s, ok := src.(*Wide[T]); ok {
		claim(32 * uint64(len(c.Data)+to-from))
		c.Data = append(c.Data, s.Data[from:to]...)
		return
	}
	appendOther(c, src, from, to)
}

func (c *Wide[T]) Compare(i int, o Column, j int, nulls int) int {
	if x, ok := o.(*Wide[T]); ok {
		return c.Data[i].Cmp(x.Data[j])
	}
	return c.Compare(i, Plain(o), j, nulls)
}

func (c *Wide[T]) AppendKey(buf []byte, i int) []byte { return append(buf, Raw(c.Data[i:i+1])...) }

func (c *Wide[T]) ReadKey(buf []byte) []byte {
	var v T
	n := int(unsafe.Sizeof(v))
	copy(unsafe.Slice((*byte)(unsafe.Pointer(&v)), n), buf[:n])
	c.Data = append(c.Data, v)
	return buf[n:]
}
