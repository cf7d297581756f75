package column

import (
	"math"
	"math/big"

	"dictsvc/errcode"
)

func wideKind(k Kind) bool { return k == UInt128 || k == UInt256 || k == Int128 || k == Int256 }

// wideKernel casts where a wide integer or a decimal takes part, through 256 bits.
func wideKernel(from, to *Type, accurate bool) kernel {
	return func(c Column, bad []uint8) (Column, error) {
		if to.IsDecimal() {
			if out, ok := decimalWords(c, from, to); ok {
				return out, nil
			}
		}
		return castWideRows(c, New(to, c.Len()), from, to, accurate, bad)
	}
}

func castWideRows(c, out Column, from, to *Type, accurate bool, bad []uint8) (Column, error) {
	read := wideReader(c)
	for i := range c.Len() {
		v, f, isFloat := read(i)
		if err := castWide(out, from, to, v, f, isFloat, accurate); err != nil {
			if bad == nil || from.IsDecimal() && to.IsInteger() {
				return nil, err
			}
			bad[i] = 1
			out.AppendDefault(1)
		}
	}
	return out, nil
}

// wideReader reads rows as 256-bit integers (a decimal's with its scale), or as floats.
func wideReader(c Column) func(i int) (v I256, f float64, isFloat bool) {
	switch x := c.(type) {
	case *Num[uint8]:
		return func(i int) (I256, float64, bool) { return WideUint(uint64(x.Data[i])), 0, false }
	case *Num[uint16]:
		return func(i int) (I256, float64, bool) { return WideUint(uint64(x.Data[i])), 0, false }
	case *Num[uint32]:
		return func(i int) (I256, float64, bool) { return WideUint(uint64(x.Data[i])), 0, false }
	case *Num[uint64]:
		return func(i int) (I256, float64, bool) { return WideUint(x.Data[i]), 0, false }
	case *Num[int8]:
		return func(i int) (I256, float64, bool) { return WideInt(int64(x.Data[i])), 0, false }
	case *Num[int16]:
		return func(i int) (I256, float64, bool) { return WideInt(int64(x.Data[i])), 0, false }
	case *Num[int32]:
		return func(i int) (I256, float64, bool) { return WideInt(int64(x.Data[i])), 0, false }
	case *Num[int64]:
		return func(i int) (I256, float64, bool) { return WideInt(x.Data[i]), 0, false }
	case *Num[float32]:
		return func(i int) (I256, float64, bool) { return I256{}, float64(x.Data[i]), true }
	case *Num[float64]:
		return func(i int) (I256, float64, bool) { return I256{}, x.Data[i], true }
	case *Wide[I128]:
		return func(i int) (I256, float64, bool) { return x.Data[i].Widen(), 0, false }
	case *Wide[U128]:
		return func(i int) (I256, float64, bool) { return x.Data[i].Widen(), 0, false }
	case *Wide[I256]:
		return func(i int) (I256, float64, bool) { return x.Data[i], 0, false }
	case *Wide[U256]:
		return func(i int) (I256, float64, bool) { return I256(x.Data[i]), 0, false }
	}
	panic("column: no number of type " + c.Type().String())
}

// sameWide tells whether a float is exactly an integer.
func sameWide(f float64, v I256, unsigned bool) bool {
	return !math.IsInf(f, 0) && new(big.Float).SetInt(v.Big(unsigned)).Cmp(big.NewFloat(f)) == 0
}

func castWide(out Column, from, to *Type, v I256, f float64, isFloat, accurate bool) error {
	unsigned := from.Kind == UInt256
	switch {
	case to.IsFloat():
		x := f
		if !isFloat {
			x = v.Float(unsigned)
			if from.IsDecimal() {
				x /= math.Pow10(from.Scale)
			}
			if accurate && !from.IsDecimal() && !(to.Kind == Float64 && sameWide(x, v, unsigned) || to.Kind == Float32 && sameWide(float64(float32(x)), v, unsigned)) {
				return notSafe(from, to)
			}
		}
		switch o := out.(type) {
		case *Num[float32]:
			o.Data = append(o.Data, float32(x))
		case *Num[float64]:
			o.Data = append(o.Data, x)
		}
		return nil
	case isFloat && to.IsDecimal():
		if f != f || math.IsInf(f, 0) {
			return errcode.New(errcode.DecimalOverflow, "Decimal convert overflow. Cannot convert infinity or NaN to decimal")
		}
		s := f * math.Pow10(to.Scale)
		if from.Kind == Float32 {
			s = float64(float32(f) * float32(math.Pow10(to.Scale)))
		}
		if limit := math.Ldexp(1, 8*to.FixedWidth()-1); s <= -limit || s >= limit {
			return errcode.New(errcode.DecimalOverflow, "Decimal convert overflow. Float is out of Decimal range")
		}
		appendWide(out, WideFloat(s))
		return nil
	case isFloat:
		if f != f || math.IsInf(f, 0) {
			return errcode.New(errcode.CannotConvertType, "Unexpected inf or nan to integer conversion")
		}
		w := WideFloat(f)
		if from.Kind == Float32 && math.Abs(f) >= 1<<63 { // ClickHouse converts a Float32 through 64 bits
			w = WideUint(1 << 63)
		}
		if accurate && (!fitsInteger(w, to) || w.Float(to.IsUnsigned()) != f) {
			return notSafe(from, to)
		}
		appendWide(out, w)
		return nil
	case to.IsDecimal():
		if d := to.Scale - from.Scale; d >= 0 {
			w := v.Mul(Pow10(d))
			if w.DivPow10(d) != v || !fitsDecimal(w, to) {
				return errcode.New(errcode.DecimalOverflow, "%s convert overflow", to.Kind)
			}
			v = w
		} else if v = v.DivPow10(-d); !fitsDecimal(v, to) {
			return errcode.New(errcode.DecimalOverflow, "%s convert overflow", to.Kind)
		}
		appendWide(out, v)
		return nil
	case from.IsDecimal():
		v = v.DivPow10(from.Scale)
		if !fitsInteger(v, to) {
			return errcode.New(errcode.DecimalOverflow, "Convert overflow")
		}
	case accurate && (!fitsInteger(v, to) && !(unsigned && to.Kind == UInt256) || unsigned && v.Neg() && to.Kind != UInt256):
		return notSafe(from, to)
	}
	appendWide(out, v)
	return nil
}

// fitsDecimal: ClickHouse checks the width of the integer, not the precision.
func fitsDecimal(v I256, t *Type) bool {
	switch t.Kind {
	case Decimal32:
		return v == WideInt(int64(int32(v.W[0])))
	case Decimal64:
		return v.Fits64()
	case Decimal128:
		return v.Fits128()
	}
	return true
}

func fitsInteger(v I256, t *Type) bool {
	switch t.Kind {
	case Bool, UInt8:
		return v.FitsU64() && v.W[0] <= math.MaxUint8
	case UInt16:
		return v.FitsU64() && v.W[0] <= math.MaxUint16
	case UInt32:
		return v.FitsU64() && v.W[0] <= math.MaxUint32
	case UInt64:
		return v.FitsU64()
	case UInt128:
		return v.W[2]|v.W[3] == 0
	case UInt256:
		return !v.Neg()
	case Int8:
		return v == WideInt(int64(int8(v.W[0])))
	case Int16:
		return v == WideInt(int64(int16(v.W[0])))
	case Int32:
		return v == WideInt(int64(int32(v.W[0])))
	case Int64:
		return v.Fits64()
	case Int128:
		return v.Fits128()
	}
	return true
}

// appendWide appends the low bits of v to an integer or decimal column.
func appendWide(out Column, v I256) {
	w := v.W[0]
	switch o := out.(type) {
	case *Num[uint8]:
		o.Data = append(o.Data, uint8(w))
	case *Num[uint16]:
		o.Data = append(o.Data, uint16(w))
	case *Num[uint32]:
		o.Data = append(o.Data, uint32(w))
	case *Num[uint64]:
		o.Data = append(o.Data, w)
	case *Num[int8]:
		o.Data = append(o.Data, int8(w))
	case *Num[int16]:
		o.Data = append(o.Data, int16(w))
	case *Num[int32]:
		o.Data = append(o.Data, int32(w))
	case *Num[int64]:
		o.Data = append(o.Data, int64(w))
	case *Wide[I128]:
		o.Data = append(o.Data, v.Cut128())
	case *Wide[U128]:
		o.Data = append(o.Data, v.CutU128())
	case *Wide[I256]:
		o.Data = append(o.Data, v)
	case *Wide[U256]:
		o.Data = append(o.Data, U256(v))
	}
}
