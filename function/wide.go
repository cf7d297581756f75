package function

import (
	"math"
	"math/bits"

	"dictsvc/column"
)

// wide is a 256-bit integer in two's complement, least significant word first. All 128- and 256-bit arithmetic is done in it and cut to the
// result's width, which is exact modulo that width.
type wide [4]uint64

func wideU(v uint64) wide { return wide{v} }

func (w wide) reverseBytes() wide {
	return wide{bits.ReverseBytes64(w[3]), bits.ReverseBytes64(w[2]), bits.ReverseBytes64(w[1]), bits.ReverseBytes64(w[0])}
}

func wideI(v int64) wide {
	s := uint64(v >> 63)
	return wide{uint64(v), s, s, s}
}

func (a wide) negative() bool { return int64(a[3]) < 0 }
func (a wide) zero() bool     { return a[0]|a[1]|a[2]|a[3] == 0 }

func (a wide) add(b wide) (r wide) {
	var c uint64
	for i := range r {
		r[i], c = bits.Add64(a[i], b[i], c)
	}
	return r
}

func (a wide) sub(b wide) (r wide) {
	var c uint64
	for i := range r {
		r[i], c = bits.Sub64(a[i], b[i], c)
	}
	return r
}

func (a wide) neg() wide { return wide{}.sub(a) }

func (a wide) abs() wide {
	if a.negative() {
		return a.neg()
	}
	return a
}

func (a wide) mul(b wide) (r wide) {
	for i := range a {
		var carry uint64
		for j := 0; i+j < 4; j++ {
			hi, lo := bits.Mul64(a[i], b[j])
			var c uint64
			lo, c = bits.Add64(lo, carry, 0)
			hi += c
			r[i+j], c = bits.Add64(r[i+j], lo, 0)
			carry = hi + c
		}
	}
	return r
}

// mulSigned multiplies signed values and tells whether the product fits 256 bits.
func (a wide) mulSigned(b wide) (wide, bool) {
	x, y := a.abs(), b.abs()
	if x.bitLen()+y.bitLen() > 257 {
		return wide{}, false
	}
	r := x.mul(y)
	if x.bitLen()+y.bitLen() >= 256 && (r.negative() || r.bitLen() < x.bitLen()) {
		return wide{}, false
	}
	if a.negative() != b.negative() {
		r = r.neg()
	}
	return r, true
}

func (a wide) bitLen() int {
	for i := 3; i >= 0; i-- {
		if a[i] != 0 {
			return 64*i + bits.Len64(a[i])
		}
	}
	return 0
}

func (a wide) cmpU(b wide) int {
	for i := 3; i >= 0; i-- {
		if a[i] != b[i] {
			if a[i] < b[i] {
				return -1
			}
			return 1
		}
	}
	return 0
}

func (a wide) cmpS(b wide) int {
	if a.negative() != b.negative() {
		if a.negative() {
			return -1
		}
		return 1
	}
	return a.cmpU(b)
}

func (a wide) shl(n uint) (r wide) {
	if n >= 256 {
		return r
	}
	w, s := int(n/64), n%64
	for i := 3; i >= w; i-- {
		r[i] = a[i-w] << s
		if s > 0 && i-w > 0 {
			r[i] |= a[i-w-1] >> (64 - s)
		}
	}
	return r
}

func (a wide) shr(n uint) (r wide) {
	if n >= 256 {
		return r
	}
	w, s := int(n/64), n%64
	for i := 0; i+w < 4; i++ {
		r[i] = a[i+w] >> s
		if s > 0 && i+w < 3 {
			r[i] |= a[i+w+1] << (64 - s)
		}
	}
	return r
}

// sar shifts right with the sign.
func (a wide) sar(n uint) wide {
	if !a.negative() {
		return a.shr(n)
	}
	return a.not().shr(n).not()
}

func (a wide) not() wide { return wide{^a[0], ^a[1], ^a[2], ^a[3]} }

// divmodU divides unsigned values; b must not be zero.
func (a wide) divmodU(b wide) (q, r wide) {
	if b[1]|b[2]|b[3] == 0 {
		var rem uint64
		for i := 3; i >= 0; i-- {
			q[i], rem = bits.Div64(rem, a[i], b[0])
		}
		return q, wide{rem}
	}
	if a.cmpU(b) < 0 {
		return q, a
	}
	// Long division by bits: operands this wide are rare.
	r = a
	for s := a.bitLen() - b.bitLen(); s >= 0; s-- {
		if d := b.shl(uint(s)); r.cmpU(d) >= 0 {
			r = r.sub(d)
			q[s/64] |= 1 << (s % 64)
		}
	}
	return q, r
}

// divmodS divides signed values towards zero; the remainder has the dividend's sign.
func (a wide) divmodS(b wide) (q, r wide) {
	q, r = a.abs().divmodU(b.abs())
	if a.negative() != b.negative() {
		q = q.neg()
	}
	if a.negative() {
		r = r.neg()
	}
	return q, r
}

func (a wide) floatU() float64 {
	n := a.bitLen()
	if n <= 64 {
		return float64(a[0])
	}
	// The top 64 bits with a sticky last bit round right.
	s := uint(n - 64)
	top := a.shr(s)[0]
	if !a.sub(a.shr(s).shl(s)).zero() {
		top |= 1
	}
	return math.Ldexp(float64(top), int(s))
}

func (a wide) floatS() float64 {
	if a.negative() {
		return -a.neg().floatU()
	}
	return a.floatU()
}

// wideFloat is a float cut to an integer; it must be finite and below 2^255.
func wideFloat(f float64) wide {
	neg := f < 0
	f = math.Trunc(math.Abs(f))
	m, e := math.Frexp(f)
	var r wide
	if e <= 64 {
		r = wideU(uint64(f))
	} else {
		r = wideU(uint64(math.Ldexp(m, 64))).shl(uint(e - 64))
	}
	if neg {
		return r.neg()
	}
	return r
}

func fromI128(v column.I128) wide {
	s := uint64(v.Hi >> 63)
	return wide{v.Lo, uint64(v.Hi), s, s}
}

// wides reads any integer or decimal column as 256-bit values; one value where it is a Const.
func wides(c column.Column) ([]wide, bool) {
	k, isConst := c.(*column.Const)
	if isConst {
		c = k.Val
	}
	switch x := c.(type) {
	case *column.Num[uint8]:
		return widenU(x.Data), isConst
	case *column.Num[uint16]:
		return widenU(x.Data), isConst
	case *column.Num[uint32]:
		return widenU(x.Data), isConst
	case *column.Num[uint64]:
		return widenU(x.Data), isConst
	case *column.Num[int8]:
		return widenI(x.Data), isConst
	case *column.Num[int16]:
		return widenI(x.Data), isConst
	case *column.Num[int32]:
		return widenI(x.Data), isConst
	case *column.Num[int64]:
		return widenI(x.Data), isConst
	case *column.Wide[column.U128]:
		return mapSlice(x.Data, func(v column.U128) wide { return wide{v.Lo, v.Hi} }), isConst
	case *column.Wide[column.I128]:
		return mapSlice(x.Data, fromI128), isConst
	case *column.Wide[column.U256]:
		return mapSlice(x.Data, func(v column.U256) wide { return wide(v.W) }), isConst
	case *column.Wide[column.I256]:
		return mapSlice(x.Data, func(v column.I256) wide { return wide(v.W) }), isConst
	case *column.Num[float32]:
		return mapSlice(x.Data, func(v float32) wide { return wideFloat(float64(v)) }), isConst
	case *column.Num[float64]:
		return mapSlice(x.Data, wideFloat), isConst
	}
	return nil, isConst
}

func mapSlice[A, B any](in []A, f func(A) B) []B {
	out := make([]B, len(in))
	for i, v := range in {
		out[i] = f(v)
	}
	return out
}

func widenU[T column.Number](in []T) []wide {
	out := make([]wide, len(in))
	for i, v := range in {
		out[i][0] = uint64(v)
	}
	return out
}

func widenI[T column.Number](in []T) []wide {
	out := make([]wide, len(in))
	for i, v := range in {
		out[i] = wideI(int64(v))
	}
	return out
}

// narrow makes a column of an integer or decimal type of 256-bit values, cut to its width.
func narrow(t *column.Type, v []wide) column.Column {
	switch column.New(t, 0).(type) {
	case *column.Num[uint8]:
		return column.NewNum(t, cut[uint8](v))
	case *column.Num[uint16]:
		return column.NewNum(t, cut[uint16](v))
	case *column.Num[uint32]:
		return column.NewNum(t, cut[uint32](v))
	case *column.Num[uint64]:
		return column.NewNum(t, cut[uint64](v))
	case *column.Num[int8]:
		return column.NewNum(t, cut[int8](v))
	case *column.Num[int16]:
		return column.NewNum(t, cut[int16](v))
	case *column.Num[int32]:
		return column.NewNum(t, cut[int32](v))
	case *column.Num[int64]:
		return column.NewNum(t, cut[int64](v))
	case *column.Wide[column.U128]:
		return column.NewWide(t, mapSlice(v, func(w wide) column.U128 { return column.U128{Lo: w[0], Hi: w[1]} }))
	case *column.Wide[column.I128]:
		return column.NewWide(t, mapSlice(v, func(w wide) column.I128 { return column.I128{Lo: w[0], Hi: int64(w[1])} }))
	case *column.Wide[column.U256]:
		return column.NewWide(t, mapSlice(v, func(w wide) column.U256 { return column.U256{W: w} }))
	case *column.Wide[column.I256]:
		return column.NewWide(t, mapSlice(v, func(w wide) column.I256 { return column.I256{W: w} }))
	}
	return nil
}

func cut[T column.Number](v []wide) []T {
	out := make([]T, len(v))
	for i, w := range v {
		out[i] = T(w[0])
	}
	return out
}

var wide10 = func() (p [78]wide) {
	p[0] = wideU(1)
	for i := 1; i < len(p); i++ {
		p[i] = p[i-1].mul(wideU(10))
	}
	return p
}()

// fits tells whether a signed value fits the given number of bytes.
func (a wide) fits(size int) bool {
	if size >= 32 {
		return true
	}
	top := a.sar(uint(8*size - 1))
	return top.zero() || top.not().zero()
}
