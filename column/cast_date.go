package column

import (
	"math"
	"time"

	"dictsvc/errcode"
)

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
				sec, frac := instant(i)
				if frac > 0 && sec < 0 && to.Kind == Date { // fractions are cut towards zero
					sec++
				}
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

// ClampedDate casts Date32 or DateTime64 to Date with the days that it does not have kept at its ends, where a cast wraps round.
func ClampedDate(from *Type) (Caster, error) {
	days, err := NewCast(from, Of(Date32), CastPlain)
	if err != nil {
		return nil, err
	}
	return func(c Column) (Column, error) {
		wide, err := days(c)
		if err != nil {
			return nil, err
		}
		in := Full(wide).(*Num[int32]).Data
		out := make([]uint16, len(in))
		for i, d := range in {
			out[i] = uint16(min(max(d, 0), math.MaxUint16))
		}
		return NewNum(Of(Date), out), nil
	}, nil
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
