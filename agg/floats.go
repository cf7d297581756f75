package agg

import (
	"math"

	"dictsvc/column"
	"dictsvc/errcode"
)

// numeric are the types that functions compute in.
type numeric interface {
	uint64 | int64 | float32 | float64
}

// floatBuffer keeps the room that columns are converted to numbers of one type in.
type floatBuffer[F numeric] []F

// of is the column's rows as floats; a decimal's as numbers with a fraction. A column of the very type is returned as it is.
func (b *floatBuffer[F]) of(c column.Column, rows int) []F {
	if x, ok := c.(*column.Num[F]); ok {
		return x.Data[:rows]
	}
	if cap(*b) < rows {
		*b = make([]F, rows)
	}
	out := (*b)[:rows]
	switch x := c.(type) {
	case *column.Num[uint8]:
		convert(out, x.Data)
	case *column.Num[uint16]:
		convert(out, x.Data)
	case *column.Num[uint32]:
		convert(out, x.Data)
	case *column.Num[uint64]:
		convert(out, x.Data)
	case *column.Num[int8]:
		convert(out, x.Data)
	case *column.Num[int16]:
		convert(out, x.Data)
	case *column.Num[int32]:
		convert(out, x.Data)
	case *column.Num[int64]:
		convert(out, x.Data)
	case *column.Num[float32]:
		convert(out, x.Data)
	case *column.Num[float64]:
		convert(out, x.Data)
	default:
		wideNumbers(out, c)
	}
	if t := c.Type(); t.IsDecimal() || t.Kind == column.DateTime64 {
		if t.Scale > 0 {
			divisor := math.Pow10(t.Scale)
			for i := range out {
				out[i] = F(float64(out[i]) / divisor)
			}
		}
	}
	return out
}

func convert[F numeric, T column.Number](out []F, data []T) {
	data = data[:len(out)]
	for i := range out {
		out[i] = F(data[i])
	}
}

// wideNumbers converts integers and decimals of more than 64 bits: to integers their low bits.
func wideNumbers[F numeric](out []F, c column.Column) {
	var one F = 1
	if one/2 != 0 {
		wide := make([]float64, len(out))
		toFloats(c, wide)
		convert(out, wide)
		return
	}
	switch x := c.(type) {
	case *column.Wide[column.I128]:
		for i := range out {
			out[i] = F(x.Data[i].Lo)
		}
	case *column.Wide[column.U128]:
		for i := range out {
			out[i] = F(x.Data[i].Lo)
		}
	case *column.Wide[column.I256]:
		for i := range out {
			out[i] = F(x.Data[i].W[0])
		}
	case *column.Wide[column.U256]:
		for i := range out {
			out[i] = F(x.Data[i].W[0])
		}
	}
}

// takesNumbers tells whether a function over plain numbers takes t as ClickHouse's do: integers, floats, enums; decimals where they are allowed.
func takesNumbers(t *column.Type, decimals bool) bool {
	return t.IsInteger() || t.IsFloat() || t.IsEnum() || decimals && t.IsDecimal()
}

// twoArguments refuses any other number of arguments.
func twoArguments(name string, args []*column.Type) error {
	if len(args) != 2 {
		return errcode.New(errcode.NumberOfArgumentsDoesntMatch, "Aggregate function %s requires two arguments", name)
	}
	return nil
}

// illegalPair refuses the types of two arguments.
func illegalPair(name string, args []*column.Type) error {
	return errcode.New(errcode.IllegalTypeOfArgument, "Illegal types %s and %s of arguments for aggregate function %s", args[0], args[1], name)
}

func nan64() float64 { return column.NaN() }
