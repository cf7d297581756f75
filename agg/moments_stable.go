package agg

import (
	"encoding/binary"
	"math"

	"dictsvc/column"
	"dictsvc/errcode"
)

// The *Stable functions keep means and centred sums instead of raw moments (Chan, Golub, LeVeque; Bennett et al. for two variables), so that values far
// from zero lose nothing.

// deviation is the state of varPopStable and its like.
type deviation struct {
	n        uint64
	mean, m2 float64
}

func (s *deviation) add(v float64) {
	delta := v - s.mean
	s.n++
	s.mean += delta / float64(s.n)
	s.m2 += delta * (v - s.mean)
}

// comparable tells of two counts that are large and alike: the mean of their union is then weighed, for the sake of stability.
func alike(a, b uint64) bool {
	lo, hi := min(a, b), max(a, b)
	return lo > 10000 && 1-float64(lo)/float64(hi) < 0.001
}

// jointMean is the mean of two sets with n and m values.
func jointMean(mean float64, n uint64, other float64, m uint64) float64 {
	total := float64(n + m)
	if alike(n, m) {
		return (float64(m)*other + float64(n)*mean) / total
	}
	return other + (mean-other)*(float64(n)/total)
}

func (s *deviation) merge(o *deviation) {
	total := s.n + o.n
	if total == 0 {
		return
	}
	factor := float64(s.n*o.n) / float64(total)
	delta := s.mean - o.mean
	s.mean = jointMean(s.mean, s.n, o.mean, o.n)
	s.m2 += o.m2 + delta*delta*factor
	s.n = total
}

// averaged divides a centred sum by the number of values, or of degrees of freedom.
func averaged(sum float64, n uint64, sample bool) float64 {
	switch {
	case sample && n < 2 || n == 0:
		return math.Inf(1)
	case sample:
		return sum / float64(n-1)
	case n == 1:
		return 0
	}
	return sum / float64(n)
}

// stableArgument tells whether the *Stable functions take t: whatever ClickHouse reads as a number.
func stableArgument(t *column.Type) bool {
	return takesNumbers(t, true) || t.IsDateOrTime() || t.Kind == column.Interval
}

func noFloats(name string, t *column.Type) error {
	return errcode.New(errcode.NotImplemented, "Method getFloat64 is not supported for %s (aggregate function %s)", t, name)
}

func bindDeviation(name string, params []column.Column, args []*column.Type) (*Function, error) {
	if err := noParams(name, params); err != nil {
		return nil, err
	}
	if err := oneArgument(name, args); err != nil {
		return nil, err
	}
	if !stableArgument(args[0]) {
		return nil, noFloats(name, args[0])
	}
	sample := name == "varSampStable" || name == "stddevSampStable"
	root := name == "stddevPopStable" || name == "stddevSampStable"
	t := column.Of(column.Float64)
	f := flatOf[deviation]{
		merge: func(into, from *deviation) { into.merge(from) },
		save: func(buf []byte, s *deviation) []byte {
			return saveNum(saveNum(binary.AppendUvarint(buf, s.n), s.mean), s.m2)
		},
		load: func(r *column.StateReader, s *deviation) { s.n, s.mean, s.m2 = r.Uvarint(), r.F64(), r.F64() },
		result: perState(t, func(s *deviation) float64 {
			v := averaged(s.m2, s.n, sample)
			if root {
				v = math.Sqrt(v)
			}
			return v
		}),
	}
	return &Function{Name: name, Type: t, NewStates: func() States {
		own := f
		var buffer floatBuffer[float64]
		own.add = func(v []deviation, groups []uint32, args []column.Column, rows int) error {
			g := uint32(0)
			for i, x := range buffer.of(args[0], rows) {
				if groups != nil {
					g = groups[i]
				}
				v[g].add(x)
			}
			return nil
		}
		return own.states()
	}}, nil
}

// coDeviation is the state of covarPopStable and its like; the last two are kept for corrStable only.
type coDeviation struct {
	n             uint64
	left, right   float64 // the means
	co            float64
	left2, right2 float64
}

func (s *coDeviation) add(x, y float64) {
	dx, dy, oldRight := x-s.left, y-s.right, s.right
	s.n++
	s.left += dx / float64(s.n)
	s.right += dy / float64(s.n)
	s.co += (x - s.left) * (y - oldRight)
	s.left2 += dx * (x - s.left)
	s.right2 += dy * (y - s.right)
}

func (s *coDeviation) merge(o *coDeviation) {
	total := s.n + o.n
	if total == 0 {
		return
	}
	factor := float64(s.n*o.n) / float64(total)
	dx, dy := s.left-o.left, s.right-o.right
	s.left = jointMean(s.left, s.n, o.left, o.n)
	s.right = jointMean(s.right, s.n, o.right, o.n)
	s.co += o.co + dx*dy*factor
	s.left2 += o.left2
	s.left2 += dx * dx * factor
	s.right2 += o.right2
	s.right2 += dy * dy * factor
	s.n = total
}

func bindCoDeviation(name string, params []column.Column, args []*column.Type) (*Function, error) {
	if err := noParams(name, params); err != nil {
		return nil, err
	}
	if err := twoArguments(name, args); err != nil {
		return nil, err
	}
	for _, t := range args {
		if !stableArgument(t) {
			return nil, noFloats(name, t)
		}
	}
	t := column.Of(column.Float64)
	corr := name == "corrStable"
	f := flatOf[coDeviation]{
		merge: func(into, from *coDeviation) { into.merge(from) },
		save: func(buf []byte, s *coDeviation) []byte {
			buf = saveNum(saveNum(saveNum(binary.AppendUvarint(buf, s.n), s.left), s.right), s.co)
			if corr {
				buf = saveNum(saveNum(buf, s.left2), s.right2)
			}
			return buf
		},
		load: func(r *column.StateReader, s *coDeviation) {
			s.n, s.left, s.right, s.co = r.Uvarint(), r.F64(), r.F64(), r.F64()
			if corr {
				s.left2, s.right2 = r.F64(), r.F64()
			}
		},
		result: perState(t, func(s *coDeviation) float64 {
			if !corr {
				return averaged(s.co, s.n, name == "covarSampStable")
			}
			if s.n < 2 {
				return math.Inf(1)
			}
			return s.co / math.Sqrt(s.left2*s.right2)
		}),
	}
	return &Function{Name: name, Type: t, NewStates: func() States {
		own := f
		var left, right floatBuffer[float64]
		own.add = func(v []coDeviation, groups []uint32, args []column.Column, rows int) error {
			x, y := left.of(args[0], rows), right.of(args[1], rows)
			g := uint32(0)
			for i := range x {
				if groups != nil {
					g = groups[i]
				}
				v[g].add(x[i], y[i])
			}
			return nil
		}
		return own.states()
	}}, nil
}
