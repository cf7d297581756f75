package column

import (
	"math"

	"dictsvc/errcode"
	"dictsvc/internal/simd"
)

func toBool(from *Type) kernel {
	return func(c Column, _ []uint8) (Column, error) {
		out := make([]uint8, c.Len())
		zero := New(from, 1)
		zero.AppendDefault(1)
		for i := range out {
			if c.Compare(i, zero, 0, 1) != 0 {
				out[i] = 1
			}
		}
		return NewNum(Of(Bool), out), nil
	}
}

// wordCast casts between machine words without a check.
func wordCast(from, to *Type) ScratchCaster {
	switch from.Kind {
	case UInt8:
		return castFromWord[uint8](to)
	case UInt16:
		return castFromWord[uint16](to)
	case UInt32:
		return castFromWord[uint32](to)
	case UInt64:
		return castFromWord[uint64](to)
	case Int8:
		return castFromWord[int8](to)
	case Int16:
		return castFromWord[int16](to)
	case Int32:
		return castFromWord[int32](to)
	case Int64:
		return castFromWord[int64](to)
	case Float32:
		return castFromWord[float32](to)
	}
	return castFromWord[float64](to)
}

func castFromWord[F Number](to *Type) ScratchCaster {
	switch to.Kind {
	case UInt8:
		return castWords[F, uint8](to)
	case UInt16:
		return castWords[F, uint16](to)
	case UInt32:
		return castWords[F, uint32](to)
	case UInt64:
		return castWords[F, uint64](to)
	case Int8:
		return castWords[F, int8](to)
	case Int16:
		return castWords[F, int16](to)
	case Int32:
		return castWords[F, int32](to)
	case Int64:
		return castWords[F, int64](to)
	case Float32:
		return castWords[F, float32](to)
	}
	return castWords[F, float64](to)
}

func castWords[F, T Number](to *Type) ScratchCaster {
	return func(m *Scratch, c Column) Column {
		in := c.(*Num[F]).Data
		out := Make[T](m, len(in))
		convertWords(out, in)
		return NewNum(to, out)
	}
}

func convertWords[F, T Number](out []T, in []F) {
	n := simd.Convert(out, in)
	out, in = out[n:], in[n:]
	for len(in) >= 4 && len(out) >= 4 {
		a, b := (*[4]F)(in), (*[4]T)(out)
		b[0], b[1], b[2], b[3] = T(a[0]), T(a[1]), T(a[2]), T(a[3])
		in, out = in[4:], out[4:]
	}
	for i, v := range in {
		out[i] = T(v)
	}
}

// numberKernel casts between machine words.
func numberKernel(from, to *Type, accurate bool) kernel {
	switch from.Kind {
	case Bool, UInt8:
		return fromWord[uint8](from, to, accurate)
	case UInt16:
		return fromWord[uint16](from, to, accurate)
	case UInt32:
		return fromWord[uint32](from, to, accurate)
	case UInt64:
		return fromWord[uint64](from, to, accurate)
	case Int8:
		return fromWord[int8](from, to, accurate)
	case Int16:
		return fromWord[int16](from, to, accurate)
	case Int32:
		return fromWord[int32](from, to, accurate)
	case Int64:
		return fromWord[int64](from, to, accurate)
	case Float32:
		return fromWord[float32](from, to, accurate)
	}
	return fromWord[float64](from, to, accurate)
}

func fromWord[F Number](from, to *Type, accurate bool) kernel {
	switch to.Kind {
	case UInt8:
		return wordKernel[F, uint8](from, to, accurate)
	case UInt16:
		return wordKernel[F, uint16](from, to, accurate)
	case UInt32:
		return wordKernel[F, uint32](from, to, accurate)
	case UInt64:
		return wordKernel[F, uint64](from, to, accurate)
	case Int8:
		return wordKernel[F, int8](from, to, accurate)
	case Int16:
		return wordKernel[F, int16](from, to, accurate)
	case Int32:
		return wordKernel[F, int32](from, to, accurate)
	case Int64:
		return wordKernel[F, int64](from, to, accurate)
	case Float32:
		return wordKernel[F, float32](from, to, accurate)
	}
	return wordKernel[F, float64](from, to, accurate)
}

func wordKernel[F, T Number](from, to *Type, accurate bool) kernel {
	floatToInt := from.IsFloat() && !to.IsFloat()
	return func(c Column, bad []uint8) (Column, error) {
		in := c.(*Num[F]).Data
		out := make([]T, len(in))
		switch {
		case floatToInt:
			for i, v := range in {
				f := float64(v)
				if f != f || math.IsInf(f, 0) {
					if bad == nil {
						if accurate {
							return nil, notSafe(from, to)
						}
						return nil, errcode.New(errcode.CannotConvertType, "Unexpected inf or nan to integer conversion")
					}
					bad[i] = 1
					continue
				}
				out[i] = floatToWord[T](f)
			}
		default:
			convertWords(out, in)
		}
		if accurate {
			for i, v := range in {
				if w := out[i]; F(w) != v && v == v || (v < 0) != (w < 0) && !(v == 0) {
					if bad == nil {
						return nil, notSafe(from, to)
					}
					bad[i], out[i] = 1, 0
				}
			}
		}
		return NewNum(to, out), nil
	}
}

// floatToWord cuts the fraction off as x86 does: integers below 64 bits come from a conversion to 32 bits (UInt32: 64), which gives the
// least integer for what does not fit.
func floatToWord[T Number](f float64) T {
	var z T
	switch any(z).(type) {
	case int64, uint32:
		return T(saturate64(f))
	case uint64:
		if f >= 1<<63 {
			return T(uint64(f))
		}
		return T(saturate64(f))
	}
	if f <= -1<<31-1 || f >= 1<<31 {
		v := int32(math.MinInt32)
		return T(v)
	}
	return T(int32(f))
}

// saturate64 is the least integer for what does not fit, NaN among it.
func saturate64(f float64) int64 {
	if f >= -1<<63 && f < 1<<63 {
		return int64(f)
	}
	return math.MinInt64
}

func notSafe(from, to *Type) error {
	return errcode.New(errcode.CannotConvertType, "Value in column %s cannot be safely converted into type %s", from, to)
}
