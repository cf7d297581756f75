package column

import (
	"encoding/binary"

	"dictsvc/errcode"
)

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
