package agg

import (
	"math/bits"
	"unsafe"

	"dictsvc/column"
	"dictsvc/internal/simd"
)

// packing lays fixed-width key columns side by side; a Nullable column has a byte of its own for NULL in front of its value.
type packing struct {
	types []*column.Type
	at    []int // first byte of each column
	width int
	clear bool // some bytes of the words may be left unwritten
}

// newPacking lays columns out. ok is false where one has no fixed width, or all together have more than 64 bytes.
func newPacking(types []*column.Type) (p packing, ok bool) {
	p.types = types
	for _, t := range types {
		p.at = append(p.at, p.width)
		if t.Kind == column.Nullable {
			p.width++
			p.clear = true
			t = t.Elems[0]
		}
		w := t.FixedWidth()
		if w == 0 || p.width+w > 64 {
			return packing{}, false
		}
		p.width += w
	}
	p.clear = p.clear || p.width != 8*p.words()
	return p, len(types) > 0
}

// words is the number of words a key takes in a table.
func (p *packing) words() int {
	switch {
	case p.width <= 8:
		return 1
	case p.width <= 16:
		return 2
	case p.width <= 32:
		return 4
	}
	return 8
}

// alias returns the memory of the keys where they are packed as they stand.
func (p *packing) alias(keys []column.Column, rows int) (unsafe.Pointer, bool) {
	if len(keys) != 1 || p.clear && p.width > 2 {
		return nil, false
	}
	switch x := keys[0].(type) {
	case *column.Num[uint8]:
		return unsafe.Pointer(unsafe.SliceData(x.Data[:rows])), true
	case *column.Num[int8]:
		return unsafe.Pointer(unsafe.SliceData(x.Data[:rows])), true
	case *column.Num[uint16]:
		return unsafe.Pointer(unsafe.SliceData(x.Data[:rows])), true
	case *column.Num[int16]:
		return unsafe.Pointer(unsafe.SliceData(x.Data[:rows])), true
	case *column.Num[uint64]:
		return unsafe.Pointer(unsafe.SliceData(x.Data[:rows])), true
	case *column.Num[int64]:
		return unsafe.Pointer(unsafe.SliceData(x.Data[:rows])), true
	}
	return nil, false
}

// extend writes the words of one key column of 32-bit integers; false where the keys are something else.
func (p *packing) extend(keys []column.Column, words []uint64) bool {
	if len(keys) != 1 {
		return false
	}
	var data []uint32
	switch x := keys[0].(type) {
	case *column.Num[uint32]:
		data = x.Data[:len(words)]
	case *column.Num[int32]:
		data = unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(x.Data))), len(words))
	default:
		return false
	}
	n := simd.Convert(words, data)
	for i, v := range data[n:] {
		words[n+i] = uint64(v)
	}
	return true
}

// pack writes rows to memory, stride bytes apart, that is zero where clear says so.
func (p *packing) pack(keys []column.Column, rows int, base unsafe.Pointer, stride int) {
	for i, k := range keys {
		to := unsafe.Add(base, p.at[i])
		if n, ok := k.(*column.Null); ok {
			lay(to, stride, n.Nulls[:rows])
			packColumn(n.Inner, n.Nulls, rows, unsafe.Add(to, 1), stride)
			continue
		}
		packColumn(k, nil, rows, to, stride)
	}
}

// lay writes values stride bytes apart.
func lay[T any](to unsafe.Pointer, stride int, data []T) {
	for i := range data {
		*(*T)(unsafe.Add(to, i*stride)) = data[i]
	}
}

func spreadSome[T any](to unsafe.Pointer, stride int, data []T, nulls []uint8) {
	if nulls == nil {
		lay(to, stride, data)
		return
	}
	for i := range data {
		if nulls[i] == 0 {
			*(*T)(unsafe.Add(to, i*stride)) = data[i]
		}
	}
}

func packColumn(c column.Column, nulls []uint8, rows int, to unsafe.Pointer, stride int) {
	switch x := c.(type) {
	case *column.Num[uint8]:
		spreadSome(to, stride, x.Data[:rows], nulls)
	case *column.Num[uint16]:
		spreadSome(to, stride, x.Data[:rows], nulls)
	case *column.Num[uint32]:
		spreadSome(to, stride, x.Data[:rows], nulls)
	case *column.Num[uint64]:
		spreadSome(to, stride, x.Data[:rows], nulls)
	case *column.Num[int8]:
		spreadSome(to, stride, x.Data[:rows], nulls)
	case *column.Num[int16]:
		spreadSome(to, stride, x.Data[:rows], nulls)
	case *column.Num[int32]:
		spreadSome(to, stride, x.Data[:rows], nulls)
	case *column.Num[int64]:
		spreadSome(to, stride, x.Data[:rows], nulls)
	case *column.Num[float32]:
		for i, v := range x.Data[:rows] {
			if nulls == nil || nulls[i] == 0 {
				*(*float32)(unsafe.Add(to, i*stride)) = oneZero32(v)
			}
		}
	case *column.Num[float64]:
		for i, v := range x.Data[:rows] {
			if nulls == nil || nulls[i] == 0 {
				*(*float64)(unsafe.Add(to, i*stride)) = oneZero64(v)
			}
		}
	case *column.Wide[column.U128]:
		spreadSome(to, stride, x.Data[:rows], nulls)
	case *column.Wide[column.I128]:
		spreadSome(to, stride, x.Data[:rows], nulls)
	case *column.Wide[column.U256]:
		spreadSome(to, stride, x.Data[:rows], nulls)
	case *column.Wide[column.I256]:
		spreadSome(to, stride, x.Data[:rows], nulls)
	case *column.Wide[column.UUIDValue]:
		spreadSome(to, stride, x.Data[:rows], nulls)
	case *column.Wide[column.IPv6Value]:
		spreadSome(to, stride, x.Data[:rows], nulls)
	case *column.FixedStr:
		w := x.T.Width
		for i := range rows {
			if nulls == nil || nulls[i] == 0 {
				copy(unsafe.Slice((*byte)(unsafe.Add(to, i*stride)), w), x.Data[i*w:])
			}
		}
	default:
		panic("agg: pack a key column of type " + c.Type().String())
	}
}

func oneZero32(v float32) float32 {
	switch {
	case v == 0:
		return 0
	case v != v:
		return float32(column.NaN())
	}
	return v
}

func oneZero64(v float64) float64 {
	switch {
	case v == 0:
		return 0
	case v != v:
		return column.NaN()
	}
	return v
}

// columns unpacks rows that stand stride bytes apart.
func (p *packing) columns(base unsafe.Pointer, rows, stride int) []column.Column {
	out := make([]column.Column, len(p.types))
	for k, t := range p.types {
		from := unsafe.Add(base, p.at[k])
		c := column.New(t, rows)
		out[k] = c
		if n, ok := c.(*column.Null); ok {
			n.Nulls = collect(n.Nulls, from, rows, stride)
			c, from = n.Inner, unsafe.Add(from, 1)
		}
		unpackColumn(c, from, rows, stride)
	}
	return out
}

func collect[T any](to []T, from unsafe.Pointer, rows, stride int) []T {
	to = to[:rows]
	for i := range to {
		to[i] = *(*T)(unsafe.Add(from, i*stride))
	}
	return to
}

func unpackColumn(c column.Column, from unsafe.Pointer, rows, stride int) {
	switch x := c.(type) {
	case *column.Num[uint8]:
		x.Data = collect(x.Data, from, rows, stride)
	case *column.Num[uint16]:
		x.Data = collect(x.Data, from, rows, stride)
	case *column.Num[uint32]:
		x.Data = collect(x.Data, from, rows, stride)
	case *column.Num[uint64]:
		x.Data = collect(x.Data, from, rows, stride)
	case *column.Num[int8]:
		x.Data = collect(x.Data, from, rows, stride)
	case *column.Num[int16]:
		x.Data = collect(x.Data, from, rows, stride)
	case *column.Num[int32]:
		x.Data = collect(x.Data, from, rows, stride)
	case *column.Num[int64]:
		x.Data = collect(x.Data, from, rows, stride)
	case *column.Num[float32]:
		x.Data = collect(x.Data, from, rows, stride)
	case *column.Num[float64]:
		x.Data = collect(x.Data, from, rows, stride)
	case *column.Wide[column.U128]:
		x.Data = collect(x.Data, from, rows, stride)
	case *column.Wide[column.I128]:
		x.Data = collect(x.Data, from, rows, stride)
	case *column.Wide[column.U256]:
		x.Data = collect(x.Data, from, rows, stride)
	case *column.Wide[column.I256]:
		x.Data = collect(x.Data, from, rows, stride)
	case *column.Wide[column.UUIDValue]:
		x.Data = collect(x.Data, from, rows, stride)
	case *column.Wide[column.IPv6Value]:
		x.Data = collect(x.Data, from, rows, stride)
	case *column.FixedStr:
		for i := range rows {
			x.Data = append(x.Data, unsafe.Slice((*byte)(unsafe.Add(from, i*stride)), x.T.Width)...)
		}
	}
}

// The hashes of keys: products of the words with odd constants, folded. Partitions take the top byte, the places in a table the bits below it, the
// tags of its cells the low half.

const (
	hashA = 0x9E3779B97F4A7C15
	hashB = 0xD1B54A32D192ED03
	hashC = 0xABC98388FB8FAC03
	hashD = 0x8CB92BA72F3D8DD7
)

func fold(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return hi ^ lo
}

func hash1(keys []uint64, out []uint64) {
	out = out[:len(keys)]
	for i, k := range keys {
		out[i] = fold(k^hashB, hashA)
	}
}

func hash2(keys [][2]uint64, out []uint64) {
	out = out[:len(keys)]
	for i := range keys {
		k := &keys[i]
		out[i] = fold(fold(k[0]^hashB, hashA)^k[1], hashC)
	}
}

func hash4(keys [][4]uint64, out []uint64) {
	out = out[:len(keys)]
	for i := range keys {
		k := &keys[i]
		out[i] = fold(fold(k[0]^hashB, hashA)^fold(k[1]^hashC, hashB)^k[2], hashC) ^ fold(k[3]^hashA, hashD)
	}
}

func hash8(keys [][8]uint64, out []uint64) {
	out = out[:len(keys)]
	for i := range keys {
		h := uint64(hashD)
		for _, w := range keys[i] {
			h = fold(h^w, hashA) + hashB
		}
		out[i] = fold(h, hashC)
	}
}
