package column

import (
	"math"
	"math/bits"
)

// decimalWords casts numbers of at most 64 bits into Decimal32, Decimal64 or Decimal128 without going through 256 bits.
// It reports false when any row does not fit: castWide then looks at each row and words the error.
func decimalWords(c Column, from, to *Type) (Column, bool) {
	switch x := c.(type) {
	case *Num[uint8]:
		return integersToDecimal(x.Data, from, to)
	case *Num[uint16]:
		return integersToDecimal(x.Data, from, to)
	case *Num[uint32]:
		return integersToDecimal(x.Data, from, to)
	case *Num[uint64]:
		return integersToDecimal(x.Data, from, to)
	case *Num[int8]:
		return integersToDecimal(x.Data, from, to)
	case *Num[int16]:
		return integersToDecimal(x.Data, from, to)
	case *Num[int32]:
		return integersToDecimal(x.Data, from, to)
	case *Num[int64]:
		return integersToDecimal(x.Data, from, to)
	case *Num[float32]:
		return floatsToDecimal(x.Data, to)
	case *Num[float64]:
		return floatsToDecimal(x.Data, to)
	}
	return nil, false
}

// word64 is 10 to the power n, for n that an int64 holds.
func word64(n int) (int64, bool) {
	if n < 0 || n > 18 {
		return 0, false
	}
	p := int64(1)
	for ; n > 0; n-- {
		p *= 10
	}
	return p, true
}

func integersToDecimal[T uint8 | uint16 | uint32 | uint64 | int8 | int16 | int32 | int64](in []T, from, to *Type) (Column, bool) {
	d := to.Scale - from.Scale
	mul, okMul := word64(max(d, 0))
	div, okDiv := word64(max(-d, 0))
	if !okMul || !okDiv {
		return nil, false
	}
	switch o := New(to, len(in)).(type) {
	case *Num[int32]:
		o.Data = o.Data[:len(in)]
		return o, scaleWords(o.Data, in, mul, div, math.MinInt32, math.MaxInt32)
	case *Num[int64]:
		o.Data = o.Data[:len(in)]
		return o, scaleWords(o.Data, in, mul, div, math.MinInt64, math.MaxInt64)
	case *Wide[I128]:
		o.Data = o.Data[:len(in)]
		var high T
		for i, v := range in {
			high |= v
			x := int64(v) / div
			hi, lo := bits.Mul64(uint64(x), uint64(mul))
			o.Data[i] = I128{Lo: lo, Hi: int64(hi) - x>>63&mul} // a negative factor counts 2^64 too many
		}
		return o, high < 0 || uint64(high) <= math.MaxInt64 // words past int64 go the long way
	}
	return nil, false
}

// scaleWords fills out with in * mul / div, one of which is 1, and tells whether every value lies within least and most.
func scaleWords[O int32 | int64, T uint8 | uint16 | uint32 | uint64 | int8 | int16 | int32 | int64](out []O, in []T, mul, div, least, most int64) bool {
	least, most = least/mul, most/mul
	bad := false
	for i, v := range in {
		x := int64(v)
		bad = bad || v > 0 && x < 0
		if div != 1 {
			x /= div
		}
		bad = bad || x < least || x > most
		out[i] = O(x * mul)
	}
	return !bad
}

func floatsToDecimal[T float32 | float64](in []T, to *Type) (Column, bool) {
	scale := T(math.Pow10(to.Scale))
	switch o := New(to, len(in)).(type) {
	case *Num[int32]:
		o.Data = o.Data[:len(in)]
		return o, scaleFloats(o.Data, in, scale, 1<<31)
	case *Num[int64]:
		o.Data = o.Data[:len(in)]
		return o, scaleFloats(o.Data, in, scale, 1<<63)
	}
	return nil, false
}

// scaleFloats fills out with in * scale cut to an integer, and tells whether all lay between -limit and limit. NaN lies nowhere.
func scaleFloats[O int32 | int64, T float32 | float64](out []O, in []T, scale, limit T) bool {
	good := true
	for i, v := range in {
		s := v * scale
		good = good && s > -limit && s < limit
		out[i] = O(s)
	}
	return good
}
