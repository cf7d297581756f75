package column

import (
	"encoding/binary"
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
