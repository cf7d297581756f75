package column

import (
	"math"
	"slices"

	"dictsvc/errcode"
)

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
