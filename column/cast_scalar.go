package column

import (
	"encoding/binary"
	"math"
	"math/big"
	"slices"
	"time"

	"dictsvc/errcode"
)

// newScalarKernel casts between types that are neither strings nor composite.
func newScalarKernel(from, to *Type, mode CastMode) (kernel, error) {
	accurate := mode == CastAccurate || mode == CastAccurateOrNull
	f, t := from.Kind, to.Kind
	switch {
	case from.IsEnum() && to.IsEnum():
		k, err := intToEnum(Of(Int16), to, mode, true)
		return func(c Column, bad []uint8) (Column, error) {
			values := make([]int16, c.Len())
			for i := range values {
				values[i] = enumAt(c, i)
			}
			return k(NewNum(Of(Int16), values), bad)
		}, err
	case (f == Interval || from.IsEnum()) && (t == Date || t == Date32 || t == DateTime): // the low bits as they are
		k, err := throughWords(from, wordOf(to), wordOf(from), CastPlain)
		return func(c Column, bad []uint8) (Column, error) {
			out, err := k(c, bad)
			if err != nil {
				return nil, err
			}
			return Retype(out, to), nil
		}, err
	case f == Interval && t == Interval:
		return intervalToInterval(from, to)
	case from.IsEnum(), f == Interval: // no mode checks these
		return throughWords(from, to, wordOf(from), CastPlain)
	case to.IsEnum():
		return intToEnum(from, to, mode, false)
	case f == UUID || f == IPv6:
		if t == IPv4 {
			return ipv6ToIPv4(to), nil
		}
		return bigEndian(from, to, mode)
	case f == IPv4 && t == IPv6:
		return each(func(v uint32) IPv6Value {
			return IPv6Value{10: 0xff, 11: 0xff, 12: byte(v >> 24), 13: byte(v >> 16), 14: byte(v >> 8), 15: byte(v)}
		}, to), nil
	case t == IPv6:
		return func(c Column, _ []uint8) (Column, error) {
			in := c.(*Wide[U128]).Data
			out := make([]IPv6Value, len(in))
			for i, v := range in {
				binary.BigEndian.PutUint64(out[i][:8], v.Hi)
				binary.BigEndian.PutUint64(out[i][8:], v.Lo)
			}
			return NewWide(to, out), nil
		}, nil
	case f == IPv4:
		return throughWords(from, to, Of(UInt32), mode)
	case t == IPv4:
		k, err := newScalarKernel(from, Of(UInt32), mode)
		return retyped(k, to), err
	case t == Interval: // no mode makes NULL of a bad value here
		k, err := newScalarKernel(from, Of(Int64), CastPlain)
		return retyped(func(c Column, _ []uint8) (Column, error) { return k(c, nil) }, to), err
	case from.IsDateOrTime() && to.IsDateOrTime():
		return dateToDate(from, to), nil
	case to.IsDateOrTime():
		return numberToDate(from, to, accurate)
	case from.IsDateOrTime():
		return dateToNumber(from, to, mode)
	case t == Bool:
		return toBool(from), nil
	case wideKind(f) || wideKind(t) || from.IsDecimal() || to.IsDecimal():
		return wideKernel(from, to, accurate), nil
	}
	return numberKernel(from, to, accurate), nil
}

// throughWords casts the integers under a type.
func throughWords(from, to, word *Type, mode CastMode) (kernel, error) {
	k, err := newScalarKernel(word, to, mode)
	if word.Equal(to) {
		k, err = func(c Column, _ []uint8) (Column, error) { return c, nil }, nil
	}
	if err != nil {
		return nil, err
	}
	same := wordOf(from).Equal(word)
	return func(c Column, bad []uint8) (Column, error) {
		if !same { // Enum8 as Int16
			wide := make([]int16, c.Len())
			for i := range wide {
				wide[i] = enumAt(c, i)
			}
			return k(NewNum(word, wide), bad)
		}
		return k(Retype(c, word), bad)
	}, nil
}

// bigEndian casts UUIDs and IPv6 addresses as the number that their digits spell.
func bigEndian(from, to *Type, mode CastMode) (kernel, error) {
	k, err := newScalarKernel(Of(UInt128), to, mode)
	if to.Kind == UInt128 {
		k, err = func(c Column, _ []uint8) (Column, error) { return c, nil }, nil
	}
	if err != nil {
		return nil, err
	}
	return func(c Column, bad []uint8) (Column, error) {
		out := make([]U128, c.Len())
		switch x := c.(type) {
		case *Wide[UUIDValue]:
			for i, v := range x.Data {
				out[i] = U128{Lo: v.Lo, Hi: v.Hi}
			}
		case *Wide[IPv6Value]:
			for i, v := range x.Data {
				out[i] = U128{Lo: binary.BigEndian.Uint64(v[8:]), Hi: binary.BigEndian.Uint64(v[:8])}
			}
		}
		return k(NewWide(Of(UInt128), out), bad)
	}, nil
}

func wideKind(k Kind) bool { return k == UInt128 || k == UInt256 || k == Int128 || k == Int256 }

func retyped(k kernel, t *Type) kernel {
	return func(c Column, bad []uint8) (Column, error) {
		if k == nil {
			return nil, nil
		}
		out, err := k(c, bad)
		if err != nil {
			return nil, err
		}
		return Retype(out, t), nil
	}
}

// each maps words to wide values.
func each[F Number, T WideValue[T]](f func(F) T, to *Type) kernel {
	return func(c Column, _ []uint8) (Column, error) {
		in := c.(*Num[F]).Data
		out := make([]T, len(in))
		for i, v := range in {
			out[i] = f(v)
		}
		return NewWide(to, out), nil
	}
}

func ipv6ToIPv4(to *Type) kernel {
	return func(c Column, bad []uint8) (Column, error) {
		in := c.(*Wide[IPv6Value]).Data
		out := make([]uint32, len(in))
		for i, v := range in {
			if [12]byte(v[:12]) != [12]byte{10: 0xff, 11: 0xff} {
				if bad == nil {
					return nil, errcode.New(errcode.CannotConvertType, "IPv6 %s is not IPv4-mapped, so cannot be converted to IPv4", appendIPv6(nil, v))
				}
				bad[i] = 1
				continue
			}
			out[i] = uint32(v[12])<<24 | uint32(v[13])<<16 | uint32(v[14])<<8 | uint32(v[15])
		}
		return NewNum(to, out), nil
	}
}

// intToEnum takes integers that are values of the enum; others are error 691, or 70 where they are out of the enum's width. Floats are
// cut, decimals refused.
func intToEnum(from, to *Type, mode CastMode, fromEnum bool) (kernel, error) {
	mid := Of(Int64)
	k, err := newScalarKernel(from, mid, CastPlain)
	if from.Equal(mid) {
		k, err = func(c Column, _ []uint8) (Column, error) { return c, nil }, nil
	}
	if err != nil {
		return nil, err
	}
	most := int64(math.MaxInt16)
	if to.Kind == Enum8 {
		most = math.MaxInt8
	}
	return func(c Column, bad []uint8) (Column, error) {
		if mode == CastAccurateOrNull {
			bad = nil // an error all the same
		}
		if from.IsFloat() {
			c = zeroNaN(c)
		}
		v, err := k(c, bad)
		if err != nil {
			return nil, err
		}
		out := New(to, c.Len())
		for i, x := range v.(*Num[int64]).Data {
			if x < 0 && from.Kind == UInt64 {
				x = math.MaxInt64
			}
			_, ok := to.Enum.Name(int16(x))
			if inRange := x >= -most-1 && x <= most; !ok || !inRange {
				switch {
				case bad != nil:
					bad[i] = 1
				case inRange || fromEnum:
					return nil, errcode.New(errcode.UnknownElementOfEnum, "Unexpected value %d in enum", x)
				default:
					return nil, errcode.New(errcode.CannotConvertType, "Value %d cannot be converted to enum type", x)
				}
			}
			switch o := out.(type) {
			case *Num[int8]:
				o.Data = append(o.Data, int8(x))
			case *Num[int16]:
				o.Data = append(o.Data, int16(x))
			}
		}
		return out, nil
	}, nil
}

// zeroNaN puts 0 in the place of every NaN.
func zeroNaN(c Column) Column {
	switch x := c.(type) {
	case *Num[float32]:
		return NewNum(x.T, zeroedNaN(x.Data))
	case *Num[float64]:
		return NewNum(x.T, zeroedNaN(x.Data))
	}
	return c
}

func zeroedNaN[T float32 | float64](data []T) []T {
	out := slices.Clone(data)
	for i, v := range out {
		if v != v {
			out[i] = 0
		}
	}
	return out
}

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
			for i, v := range in {
				out[i] = T(v)
			}
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

// wideKernel casts where a wide integer or a decimal takes part, through 256 bits.
func wideKernel(from, to *Type, accurate bool) kernel {
	return func(c Column, bad []uint8) (Column, error) {
		n := c.Len()
		out := New(to, n)
		read := wideReader(c)
		for i := 0; i < n; i++ {
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

// dateToDate casts between the date types, by seconds since 1970 and, for DateTime64, units of 10^-scale.
func dateToDate(from, to *Type) kernel {
	loc := to.Location()
	return func(c Column, _ []uint8) (Column, error) {
		n := c.Len()
		out := New(to, n)
		var days func(i int) int64
		var instant func(i int) (sec, frac int64) // frac in units of from.Scale
		switch x := c.(type) {
		case *Num[uint16]:
			days = func(i int) int64 { return int64(x.Data[i]) }
		case *Num[int32]:
			days = func(i int) int64 { return int64(x.Data[i]) }
		case *Num[uint32]:
			instant = func(i int) (int64, int64) { return int64(x.Data[i]), 0 }
		case *Num[int64]:
			unit := pow10[from.Scale]
			instant = func(i int) (int64, int64) {
				s := floorDiv(x.Data[i], unit)
				return s, x.Data[i] - s*unit
			}
		}
		if days != nil {
			instant = func(i int) (int64, int64) { return localSeconds(days(i)*86400, loc), 0 }
		} else {
			zone := from.Location()
			days = func(i int) int64 {
				sec, _ := instant(i)
				return floorDiv(wallSeconds(sec, zone), 86400)
			}
			if to.Kind == Date {
				floor := days
				days = func(i int) int64 { return max(floor(i), 0) } // later than 2149 wraps round
			}
		}
		switch o := out.(type) {
		case *Num[uint16]:
			for i := range n {
				o.Data = append(o.Data, uint16(days(i)))
			}
		case *Num[int32]:
			for i := range n {
				o.Data = append(o.Data, int32(days(i)))
			}
		case *Num[uint32]:
			for i := range n {
				sec, _ := instant(i)
				if sec < 0 && from.Kind == Date { // the first midnight that the type holds
					sec += 86400
				}
				o.Data = append(o.Data, uint32(sec))
			}
		case *Num[int64]:
			for i := range n {
				sec, frac := instant(i)
				d := to.Scale - from.Scale
				switch {
				case from.Kind != DateTime64:
					v, ok := ticks(sec, 0, to.Scale)
					if !ok {
						return nil, errcode.New(errcode.DecimalOverflow, "DateTime64 convert overflow")
					}
					o.Data = append(o.Data, v)
				case d <= 0: // towards zero, before 1970 too
					o.Data = append(o.Data, (sec*pow10[from.Scale]+frac)/pow10[-d])
				default:
					v, ok := ticks(sec, frac*pow10[d], to.Scale)
					if !ok {
						return nil, errcode.New(errcode.DecimalOverflow, "DateTime64 convert overflow")
					}
					o.Data = append(o.Data, v)
				}
			}
		}
		return out, nil
	}
}

// wallSeconds is Unix time turned into seconds of wall-clock time in a zone.
func wallSeconds(sec int64, loc *time.Location) int64 {
	if loc == time.UTC {
		return sec
	}
	_, offset := time.Unix(sec, 0).In(loc).Zone()
	return sec + int64(offset)
}

// numberToDate takes small numbers for days and large ones for seconds, as ClickHouse does, and keeps what is out of range at the ends.
func numberToDate(from, to *Type, accurate bool) (kernel, error) {
	loc := to.Location()
	checked := accurate && to.Kind != Date32 && to.Kind != DateTime64 && !(to.Kind == DateTime && wideKind(from.Kind))
	return func(c Column, bad []uint8) (Column, error) {
		n := c.Len()
		out := New(to, n)
		read := wideReader(c)
		for i := range n {
			v, f, isFloat := read(i)
			sec := int64(v.W[0])
			negative := v.Neg() && (from.IsSigned() || from.IsDecimal()) || isFloat && f < 0
			if negative && !isFloat && !v.Fits64() {
				sec = math.MinInt64
			}
			if isFloat {
				sec = saturate64(f)
			}
			if checked {
				tooLarge := v.W[1]|v.W[2]|v.W[3] != 0 || v.W[0] > math.MaxUint32
				if isFloat {
					tooLarge = !(f <= math.MaxUint32)
				}
				if negative || tooLarge {
					if bad == nil {
						return nil, notSafe(from, to)
					}
					bad[i] = 1
					out.AppendDefault(1)
					continue
				}
			}
			switch o := out.(type) {
			case *Num[uint16]:
				switch {
				case negative:
					sec = 0
				case isFloat && f > math.MaxUint16, !isFloat && uint64(sec) > math.MaxUint16:
					sec = floorDiv(wallSeconds(min(sec, math.MaxUint32), loc), 86400)
					if isFloat && f >= 1<<63 {
						sec = 1368 // 1973-09-30, of all days
					}
				}
				o.Data = append(o.Data, uint16(sec))
			case *Num[int32]:
				switch {
				case isFloat && !(f >= -25567), negative && sec < -25567:
					sec = -25567
				case !negative && (isFloat && f > 120529 || !isFloat && uint64(sec) > 120529):
					sec = min(floorDiv(sec, 86400), 120529)
					if isFloat && sec < 0 {
						sec = 120529
					}
				}
				o.Data = append(o.Data, int32(sec))
			case *Num[uint32]:
				switch {
				case wideKind(from.Kind):
				case negative:
					sec = 0
				case sec > math.MaxUint32, !isFloat && sec < 0:
					sec = math.MaxUint32
				}
				o.Data = append(o.Data, uint32(sec))
			case *Num[int64]:
				t, err := numberToTicks(v, f, isFloat, from, to)
				if err != nil {
					if bad == nil || isFloat {
						return nil, err
					}
					bad[i] = 1
				}
				o.Data = append(o.Data, t)
			}
		}
		return out, nil
	}, nil
}

// numberToTicks is the DateTime64 of a number of seconds.
func numberToTicks(v I256, f float64, isFloat bool, from, to *Type) (int64, error) {
	unit := pow10[to.Scale]
	switch {
	case isFloat && f != f:
		return 0, errcode.New(errcode.DecimalOverflow, "DateTime64 convert overflow. Cannot convert infinity or NaN to decimal")
	case from.Kind == Float32:
		x := min(max(float32(f), firstSecond), lastSecond) * float32(unit)
		if x >= 1<<63 || x < -1<<63 {
			return 0, errcode.New(errcode.DecimalOverflow, "DateTime64 convert overflow. Float is out of Decimal range")
		}
		return int64(x), nil
	case isFloat:
		x := min(max(f, firstSecond), lastSecond) * float64(unit)
		if x >= 1<<63 || x < -1<<63 {
			return 0, errcode.New(errcode.DecimalOverflow, "DateTime64 convert overflow. Float is out of Decimal range")
		}
		return int64(x), nil
	}
	sec, frac := v, int64(0)
	if from.IsDecimal() {
		sec = v.DivPow10(from.Scale)
		if !sec.Fits64() {
			return 0, errcode.New(errcode.DecimalOverflow, "DateTime64 convert overflow")
		}
		w := v.Sub(sec.Mul(Pow10(from.Scale))) // the fraction, by 10^from.Scale
		if d := to.Scale - from.Scale; d >= 0 {
			frac = int64(w.Mul(Pow10(d)).W[0])
		} else {
			frac = int64(w.DivPow10(-d).W[0])
		}
	}
	s := int64(sec.W[0])
	if !from.IsDecimal() && from.IsUnsigned() && s < 0 {
		s = math.MaxInt64
	}
	if s < firstSecond || s > lastSecond {
		s, frac = min(max(s, firstSecond), lastSecond), 0
	}
	t, ok := ticks(s, frac, to.Scale)
	if !ok {
		return 0, errcode.New(errcode.DecimalOverflow, "DateTime64 convert overflow")
	}
	return t, nil
}

func dateToNumber(from, to *Type, mode CastMode) (kernel, error) {
	if from.Kind == DateTime64 {
		if !to.IsNumber() {
			return nil, cannot(from, to)
		}
		as := NewDecimal(18, from.Scale)
		k, err := newScalarKernel(as, to, mode)
		if err != nil {
			return nil, err
		}
		return func(c Column, bad []uint8) (Column, error) {
			return k(Retype(c, as), bad)
		}, nil
	}
	if !to.IsNumber() {
		return nil, cannot(from, to)
	}
	as := map[Kind]*Type{Date: Of(UInt16), Date32: Of(Int32), DateTime: Of(UInt32)}[from.Kind]
	if as.Equal(to) {
		return func(c Column, _ []uint8) (Column, error) { return Retype(c, to), nil }, nil
	}
	k, err := newScalarKernel(as, to, CastPlain) // no mode checks these
	if err != nil {
		return nil, err
	}
	return func(c Column, bad []uint8) (Column, error) { return k(Retype(c, as), bad) }, nil
}

// intervalSeconds are the lengths of the units that have one.
var intervalSeconds = map[string]float64{"Nanosecond": 1e-9, "Microsecond": 1e-6, "Millisecond": 1e-3, "Second": 1, "Minute": 60, "Hour": 3600, "Day": 86400, "Week": 7 * 86400}

// intervalMonths are those of the others.
var intervalMonths = map[string]float64{"Month": 1, "Quarter": 3, "Year": 12}

// intervalToInterval converts units that stand in a fixed relation, rounding towards zero.
func intervalToInterval(from, to *Type) (kernel, error) {
	a, b := intervalSeconds[from.Unit], intervalSeconds[to.Unit]
	if a == 0 || b == 0 {
		a, b = intervalMonths[from.Unit], intervalMonths[to.Unit]
	}
	if a == 0 || b == 0 {
		return nil, errcode.New(errcode.CannotConvertType, "Cannot convert %s to %s", from, to)
	}
	up, down := int64(math.Round(a/b)), int64(math.Round(b/a))
	return func(c Column, _ []uint8) (Column, error) {
		in := c.(*Num[int64]).Data
		out := make([]int64, len(in))
		for i, v := range in {
			if a >= b {
				out[i] = v * up
			} else {
				out[i] = v / down
			}
		}
		return NewNum(to, out), nil
	}, nil
}
