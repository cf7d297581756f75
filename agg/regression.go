package agg

import (
	"math"

	"dictsvc/column"
	"dictsvc/errcode"
)

// line are the sums that a least squares line follows from.
type line struct {
	n            uint64
	x, y, xx, xy float64
}

// bindLinearRegression: (k, b) of the line y = kx + b.
func bindLinearRegression(name string, params []column.Column, args []*column.Type) (*Function, error) {
	if err := noParams(name, params); err != nil {
		return nil, err
	}
	if err := twoArguments(name, args); err != nil {
		return nil, err
	}
	for _, t := range args {
		if !t.IsNumber() {
			return nil, errcode.New(errcode.IllegalTypeOfArgument, "Illegal types (%s, %s) of arguments of aggregate function %s, must be numbers", args[0], args[1], name)
		}
	}
	num := column.Of(column.Float64)
	t := column.NewTuple([]*column.Type{num, num}, []string{"k", "b"})
	f := flatOf[line]{
		merge: func(into, from *line) {
			into.n += from.n
			into.x += from.x
			into.y += from.y
			into.xx += from.xx
			into.xy += from.xy
		},
		result: func(v []line) (column.Column, error) {
			k, b := make([]float64, len(v)), make([]float64, len(v))
			for i := range v {
				k[i], b[i] = v[i].solve()
			}
			return &column.Tup{T: t, Elems: []column.Column{column.Float64s(k...), column.Float64s(b...)}, N: len(v)}, nil
		},
	}
	return &Function{Name: name, Type: t, NewStates: func() States {
		own := f
		var left, right floatBuffer[float64]
		own.add = func(v []line, groups []uint32, args []column.Column, rows int) error {
			xs, ys := left.of(args[0], rows), right.of(args[1], rows)
			g := uint32(0)
			for i, x := range xs {
				if groups != nil {
					g = groups[i]
				}
				s, y := &v[g], ys[i]
				s.n++
				s.x += x
				s.y += y
				s.xx += x * x
				s.xy += x * y
			}
			return nil
		}
		return own.states()
	}}, nil
}

func (s *line) solve() (k, b float64) {
	n := float64(s.n)
	divisor := s.xx*n - s.x*s.x
	k, b = column.NaN(), math.NaN()
	if divisor != 0 {
		k = (s.xy*n - s.x*s.y) / divisor
	}
	if s.n != 0 {
		b = (s.y - k*s.x) / n
	}
	return k, b
}

// bounds are the points with the least and the greatest x.
type bounds struct {
	some        bool
	left, right [2]float64
}

// bindBoundingRatio: the slope between the leftmost and the rightmost point.
func bindBoundingRatio(name string, params []column.Column, args []*column.Type) (*Function, error) {
	if err := noParams(name, params); err != nil {
		return nil, err
	}
	if err := twoArguments(name, args); err != nil {
		return nil, err
	}
	for _, t := range args {
		if t.Kind == column.IPv4 {
			return nil, noFloats(name, t)
		}
		if !stableArgument(t) {
			return nil, errcode.New(errcode.BadArguments, "Illegal types of arguments of aggregate function %s, must have number representation.", name)
		}
	}
	t := column.Of(column.Float64)
	f := flatOf[bounds]{
		merge: func(into, from *bounds) {
			switch {
			case !into.some:
				*into = *from
			case from.some:
				if from.left[0] < into.left[0] {
					into.left = from.left
				}
				if from.right[0] > into.right[0] {
					into.right = from.right
				}
			}
		},
		save: func(buf []byte, b *bounds) []byte {
			buf = append(buf, 1-flag(b.some))
			if b.some {
				buf = append(append(buf, column.Raw(b.left[:])...), column.Raw(b.right[:])...)
			}
			return buf
		},
		load: func(r *column.StateReader, b *bounds) {
			if b.some = !r.Bool() && r.Err() == nil; b.some {
				b.left = [2]float64{r.F64(), r.F64()}
				b.right = [2]float64{r.F64(), r.F64()}
			}
		},
		result: perState(t, func(b *bounds) float64 {
			if !b.some {
				return column.NaN()
			}
			return (b.right[1] - b.left[1]) / (b.right[0] - b.left[0])
		}),
	}
	return &Function{Name: name, Type: t, NewStates: func() States {
		own := f
		var left, right floatBuffer[float64]
		own.add = func(v []bounds, groups []uint32, args []column.Column, rows int) error {
			xs, ys := left.of(args[0], rows), right.of(args[1], rows)
			g := uint32(0)
			for i, x := range xs {
				if groups != nil {
					g = groups[i]
				}
				switch b := &v[g]; {
				case !b.some:
					*b = bounds{true, [2]float64{x, ys[i]}, [2]float64{x, ys[i]}}
				case x < b.left[0]:
					b.left = [2]float64{x, ys[i]}
				case x > b.right[0]:
					b.right = [2]float64{x, ys[i]}
				}
			}
			return nil
		}
		return own.states()
	}}, nil
}
