package column

import (
	"math"
	"math/big"
	"math/bits"
)

// Arithmetic of the wide integers, all wrapping as ClickHouse's does. Everything is done in 256 bits, two's complement; narrower values are widened and cut.

// Widen returns a 128-bit integer with 256 bits, the sign kept.
func (a I128) Widen() I256 {
	e := uint64(a.Hi >> 63)
	return I256{W: [4]uint64{a.Lo, uint64(a.Hi), e, e}}
}

// Widen returns a 128-bit integer with 256 bits.
func (a U128) Widen() I256 { return I256{W: [4]uint64{a.Lo, a.Hi}} }

// WideInt returns a 64-bit integer with 256 bits, the sign kept.
func WideInt(v int64) I256 {
	e := uint64(v >> 63)
	return I256{W: [4]uint64{uint64(v), e, e, e}}
}

// WideUint returns an unsigned 64-bit integer with 256 bits.
func WideUint(v uint64) I256 { return I256{W: [4]uint64{v}} }

// Cut128 and its sisters keep the low bits.
func (a I256) Cut128() I128 { return I128{Lo: a.W[0], Hi: int64(a.W[1])} }

// CutU128 keeps the low 128 bits.
func (a I256) CutU128() U128 { return U128{Lo: a.W[0], Hi: a.W[1]} }

// Neg tells whether a is negative.
func (a I256) Neg() bool { return int64(a.W[3]) < 0 }

// Fits64 tells whether a is an int64, FitsU64 whether it is a uint64, and Fits128 whether it is an Int128.
func (a I256) Fits64() bool { return a == WideInt(int64(a.W[0])) }

// FitsU64 tells whether a is a uint64.
func (a I256) FitsU64() bool { return a.W[1]|a.W[2]|a.W[3] == 0 }

// Fits128 tells whether a is an Int128.
func (a I256) Fits128() bool { return a == a.Cut128().Widen() }

// Add returns a + b.
func (a I256) Add(b I256) (r I256) {
	var c uint64
	for i := range a.W {
		r.W[i], c = bits.Add64(a.W[i], b.W[i], c)
	}
	return r
}

// Sub returns a - b.
func (a I256) Sub(b I256) (r I256) {
	var c uint64
	for i := range a.W {
		r.W[i], c = bits.Sub64(a.W[i], b.W[i], c)
	}
	return r
}

// Negate returns -a.
func (a I256) Negate() I256 { return I256{}.Sub(a) }

// Mul returns the low 256 bits of a * b.
func (a I256) Mul(b I256) (r I256) {
	for i := 0; i < 4; i++ {
		var carry uint64
		for j := 0; i+j < 4; j++ {
			hi, lo := bits.Mul64(a.W[i], b.W[j])
			var c uint64
			lo, c = bits.Add64(lo, carry, 0)
			hi += c
			r.W[i+j], c = bits.Add64(r.W[i+j], lo, 0)
			carry = hi + c
		}
	}
	return r
}

// Big returns a as a big integer; unsigned reads the top bit as a digit.
func (a I256) Big(unsigned bool) *big.Int {
	neg := !unsigned && a.Neg()
	if neg {
		a = a.Negate()
	}
	b := new(big.Int)
	for i := 3; i >= 0; i-- {
		b.Lsh(b, 64).Or(b, new(big.Int).SetUint64(a.W[i]))
	}
	if neg {
		b.Neg(b)
	}
	return b
}

// WideBig returns the low 256 bits of a big integer.
func WideBig(b *big.Int) (r I256) {
	m := new(big.Int).Abs(b)
	w := new(big.Int)
	mask := new(big.Int).SetUint64(math.MaxUint64)
	for i := range r.W {
		r.W[i] = w.And(m, mask).Uint64()
		m.Rsh(m, 64)
	}
	if b.Sign() < 0 {
		r = r.Negate()
	}
	return r
}

// Float rounds a to the nearest float.
func (a I256) Float(unsigned bool) float64 {
	switch {
	case a.Fits64() && !(unsigned && a.Neg()):
		return float64(int64(a.W[0]))
	case a.FitsU64():
		return float64(a.W[0])
	}
	f, _ := new(big.Float).SetInt(a.Big(unsigned)).Float64()
	return f
}

// WideFloat cuts the fraction off a float and keeps the low 256 bits.
func WideFloat(f float64) I256 {
	if math.Abs(f) < 1<<63 {
		return WideInt(int64(f))
	}
	b, _ := big.NewFloat(f).Int(nil)
	return WideBig(b)
}

// AppendDecimal appends a in decimal.
func (a I256) AppendDecimal(buf []byte, unsigned bool) []byte {
	if !unsigned && a.Neg() {
		buf = append(buf, '-')
		a = a.Negate()
	}
	if a.FitsU64() {
		return appendUint(buf, a.W[0])
	}
	var digits [80]byte
	at := len(digits)
	for a != (I256{}) { // 19 digits at a time
		var rem uint64
		for i := 3; i >= 0; i-- {
			a.W[i], rem = bits.Div64(rem, a.W[i], 1e19)
		}
		for k := 0; k < 19 && (rem > 0 || a != (I256{})); k++ {
			at--
			digits[at] = byte('0' + rem%10)
			rem /= 10
		}
	}
	return append(buf, digits[at:]...)
}

// Pow10 is 10^n as a 256-bit integer, n up to 76.
func Pow10(n int) I256 {
	r := WideUint(1)
	for ; n >= 19; n -= 19 {
		r = r.Mul(WideUint(1e19))
	}
	p := uint64(1)
	for ; n > 0; n-- {
		p *= 10
	}
	return r.Mul(WideUint(p))
}

// DivPow10 divides by 10^n, rounding towards zero.
func (a I256) DivPow10(n int) I256 {
	neg := a.Neg()
	if neg {
		a = a.Negate()
	}
	for n > 0 {
		k := min(n, 19)
		d := uint64(1)
		for i := 0; i < k; i++ {
			d *= 10
		}
		var rem uint64
		for i := 3; i >= 0; i-- {
			a.W[i], rem = bits.Div64(rem, a.W[i], d)
		}
		n -= k
	}
	if neg {
		a = a.Negate()
	}
	return a
}
