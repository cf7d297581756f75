package column

import (
	"encoding/binary"
	"math"
	"time"

	"dictsvc/errcode"
)

// newScalarKernel casts between types that are neither strings nor composite.
func newScalarKernel(from, to *Type, mode CastMode) (kernel, error) {
	accurate := mode == CastAccurate || mode == CastAccurateOrNull
	f, t := from.Kind, to.Kind
	switch {
	case from.IsEnum() && to.IsEnum():
		return throughWords(from, to, Of(Int16), mode)
	case from.IsEnum(), f == Interval:
		return throughWords(from, to, wordOf(from), mode)
	case to.IsEnum():
		return intToEnum(from, to, mode)
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
	case t == Interval:
		k, err := newScalarKernel(from, Of(Int64), CastPlain)
		return retyped(k, to), err
	case from.IsDateOrTime() && to.IsDateOrTime():
		return dateToDate(from, to), nil
	case to.IsDateOrTime():
		return numberToDate(from, to)
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
func intToEnum(from, to *Type, mode CastMode) (kernel, error) {
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
		v, err := k(c, bad)
		if err != nil {
			return nil, err
		}
		out := New(to, c.Len())
		for i, x := range v.(*Num[int64]).Data {
			_, ok := to.Enum.Name(int16(x))
			if inRange := x >= -most-1 && x <= most; !ok || !inRange {
				switch {
				case mode != CastAccurateOrNull && bad != nil:
					bad[i] = 1
				case inRange:
					return nil, errcode.New(errcode.UnknownElementOfEnum, "Unexpected value %d in enum", x)
				case bad != nil:
					bad[i] = 1
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

// floatToWord cuts the fraction off and wraps as the processor's conversion through 64 bits does.
func floatToWord[T Number](f float64) T {
	if f >= 1<<63 {
		return T(uint64(f))
	}
	return T(int64(f))
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
				if bad == nil {
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

func castWide(out Column, from, to *Type, v I256, f float64, isFloat, accurate bool) error {
	unsigned := from.Kind == UInt256
	switch {
	case to.IsFloat():
		x := f
		if !isFloat {
			x = v.Float(unsigned) / math.Pow10(from.Scale)
			if !from.IsDecimal() {
				x = v.Float(unsigned)
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
		if math.Abs(s) >= math.Pow10(maxDigits(to)) {
			return errcode.New(errcode.DecimalOverflow, "Decimal convert overflow. Float is out of Decimal range")
		}
		appendWide(out, WideFloat(s))
		return nil
	case isFloat:
		if f != f || math.IsInf(f, 0) {
			return errcode.New(errcode.CannotConvertType, "Unexpected inf or nan to integer conversion")
		}
		appendWide(out, WideFloat(f))
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
	case accurate && !fitsInteger(v, to):
		return notSafe(from, to)
	}
	appendWide(out, v)
	return nil
}

func maxDigits(t *Type) int {
	return map[Kind]int{Decimal32: 9, Decimal64: 18, Decimal128: 38, Decimal256: 76}[t.Kind]
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

// instant is a point of time between the date types: seconds since 1970 and, for DateTime64, units of 10^-scale.
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
				o.Data = append(o.Data, uint32(sec))
			}
		case *Num[int64]:
			for i := range n {
				sec, frac := instant(i)
				if d := to.Scale - from.Scale; from.Kind == DateTime64 && d < 0 {
					frac /= pow10[-d]
				} else if from.Kind == DateTime64 {
					frac *= pow10[d]
				}
				o.Data = append(o.Data, sec*pow10[to.Scale]+frac)
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

func numberToDate(from, to *Type) (kernel, error) {
	loc := to.Location()
	return func(c Column, bad []uint8) (Column, error) {
		n := c.Len()
		out := New(to, n)
		read := wideReader(c)
		for i := range n {
			v, f, isFloat := read(i)
			if !isFloat {
				f = v.Float(false)
				if from.IsDecimal() {
					f /= math.Pow10(from.Scale)
				}
			}
			if f != f {
				f = 0
			}
			sec := int64(math.Max(-1e15, math.Min(1e15, f)))
			if !isFloat && from.Kind == UInt64 && v.W[0] > 1e15 {
				sec = 1e15
			}
			switch o := out.(type) {
			case *Num[uint16]:
				switch {
				case sec < 0:
					sec = 0
				case sec > math.MaxUint16:
					sec = min(wallSeconds(min(sec, math.MaxUint32), loc)/86400, math.MaxUint16)
				}
				o.Data = append(o.Data, uint16(sec))
			case *Num[int32]:
				if sec > 120529 {
					sec = min(sec/86400, 120529)
				}
				o.Data = append(o.Data, int32(max(sec, -25567)))
			case *Num[uint32]:
				o.Data = append(o.Data, uint32(min(max(sec, 0), math.MaxUint32)))
			case *Num[int64]:
				if isFloat || from.IsDecimal() {
					o.Data = append(o.Data, int64(math.Trunc(f*math.Pow10(to.Scale))))
					continue
				}
				o.Data = append(o.Data, min(max(sec, firstSecond), lastSecond)*pow10[to.Scale])
			}
		}
		return out, nil
	}, nil
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
			if !to.IsFloat() && !to.IsDecimal() { // before 1970 the fraction is rounded down
				x := c.(*Num[int64])
				sec := make([]int64, len(x.Data))
				for i, v := range x.Data {
					sec[i] = floorDiv(v, pow10[from.Scale]) * pow10[from.Scale]
				}
				c = NewNum(as, sec)
			}
			return k(Retype(c, as), bad)
		}, nil
	}
	if !to.IsNumber() {
		return nil, cannot(from, to)
	}
	as := map[Kind]*Type{Date: Of(UInt16), Date32: Of(Int32), DateTime: Of(UInt32)}[from.Kind]
	k, err := newScalarKernel(as, to, mode)
	if err != nil {
		return nil, err
	}
	return func(c Column, bad []uint8) (Column, error) { return k(Retype(c, as), bad) }, nil
}
