package agg

import (
	"encoding/binary"

	"dictsvc/column"
	"dictsvc/errcode"
)

// weighted is a weighted sum and the sum of the weights.
type weighted[R numeric] [2]R

// bindAvgWeighted: both sums are kept in the type of the weights widened to 64 bits, as ClickHouse does, so that with whole weights the values'
// fractions are cut off.
func bindAvgWeighted(name string, params []column.Column, args []*column.Type) (*Function, error) {
	if err := noParams(name, params); err != nil {
		return nil, err
	}
	if err := twoArguments(name, args); err != nil {
		return nil, err
	}
	for _, t := range args {
		if !t.IsInteger() && !t.IsFloat() {
			return nil, errcode.New(errcode.IllegalTypeOfArgument, "Types %s and %s are non-conforming as arguments for aggregate function %s", args[0], args[1], name)
		}
	}
	switch w := args[1]; {
	case w.IsFloat() || w.FixedWidth() > 8:
		return weightedFunction[float64](name), nil
	case w.IsSigned():
		return weightedFunction[int64](name), nil
	}
	return weightedFunction[uint64](name), nil
}

func weightedFunction[R uint64 | int64 | float64](name string) *Function {
	t := column.Of(column.Float64)
	f := flatOf[weighted[R]]{
		merge:  func(into, from *weighted[R]) { into[0] += from[0]; into[1] += from[1] },
		result: perState(t, func(s *weighted[R]) float64 { return float64(s[0]) / float64(s[1]) }),
	}
	if R(0)-1 > 0 { // unsigned sums of weights are written as counts
		f.save = func(buf []byte, s *weighted[R]) []byte {
			return binary.AppendUvarint(saveNum(buf, s[0]), uint64(s[1]))
		}
		f.load = func(r *column.StateReader, s *weighted[R]) { s[0], s[1] = loadNum[R](r), R(r.Uvarint()) }
	}
	return &Function{Name: name, Type: t, NewStates: func() States {
		own := f
		var left, right floatBuffer[R]
		own.add = func(v []weighted[R], groups []uint32, args []column.Column, rows int) error {
			x, w := left.of(args[0], rows), right.of(args[1], rows)
			g := uint32(0)
			for i := range x {
				if groups != nil {
					g = groups[i]
				}
				v[g][0] += x[i] * w[i]
				v[g][1] += w[i]
			}
			return nil
		}
		return own.states()
	}}
}
