package agg

import (
	"encoding/binary"
	"slices"
	"strings"

	"dictsvc/column"
	"dictsvc/errcode"
)

// bindExact: quantileExact and its like keep all values.
func bindExact(q *quantiles, t *column.Type) (*column.Type, func() States) {
	float := strings.HasSuffix(q.name, "clusive")
	out := t
	switch {
	case float && (basicNumber(t) || plainTime(t)):
		out = column.Of(column.Float64)
	case float:
		return nil, nil
	case basicNumber(t), plainTime(t), t.Kind == column.DateTime64, t.IsDecimal():
	case t.IsInteger() && strings.HasSuffix(q.name, "Exact"):
	default:
		return nil, nil
	}
	return out, exactStates(q, t)
}

func exactStates(q *quantiles, t *column.Type) func() States {
	switch t.Kind {
	case column.Bool, column.UInt8:
		return newExact(q, numberOrdering[uint8]())
	case column.UInt16, column.Date:
		return newExact(q, numberOrdering[uint16]())
	case column.UInt32, column.DateTime:
		return newExact(q, numberOrdering[uint32]())
	case column.UInt64:
		return newExact(q, numberOrdering[uint64]())
	case column.Int8:
		return newExact(q, numberOrdering[int8]())
	case column.Int16:
		return newExact(q, numberOrdering[int16]())
	case column.Int32, column.Decimal32:
		return newExact(q, numberOrdering[int32]())
	case column.Int64, column.Decimal64, column.DateTime64:
		return newExact(q, numberOrdering[int64]())
	case column.Float32:
		return newExact(q, numberOrdering[float32]())
	case column.Float64:
		return newExact(q, numberOrdering[float64]())
	case column.Int128, column.Decimal128:
		return newExact(q, wideOrdering(floatI128))
	case column.UInt128:
		return newExact(q, wideOrdering(floatU128))
	case column.Int256, column.Decimal256:
		return newExact(q, wideOrdering(floatI256))
	}
	return newExact(q, wideOrdering(floatU256))
}

type exactQuantiles[T any] struct {
	q    *quantiles
	o    *ordering[T]
	list lists[T]
}

func newExact[T any](q *quantiles, o *ordering[T]) func() States {
	return func() States { return &exactQuantiles[T]{q: q, o: o} }
}

func (s *exactQuantiles[T]) Grow(n int) { s.list.grow(n) }

func (s *exactQuantiles[T]) Add(groups []uint32, args []column.Column, rows int) error {
	data := s.o.data(args[0])[:rows]
	if s.o.nan != nil {
		groups, data = withoutNaN(groups, data, s.o.nan)
	}
	s.list.add(groups, data)
	return nil
}

// withoutNaN leaves out rows whose value is no number.
func withoutNaN[T any](groups []uint32, data []T, nan func(T) bool) ([]uint32, []T) {
	first := slices.IndexFunc(data, nan)
	if first < 0 {
		return groups, data
	}
	kept := append([]T(nil), data[:first]...)
	var keptGroups []uint32
	if groups != nil {
		keptGroups = append(make([]uint32, 0, len(groups)), groups[:first]...)
	}
	for i := first; i < len(data); i++ {
		if nan(data[i]) {
			continue
		}
		kept = append(kept, data[i])
		if groups != nil {
			keptGroups = append(keptGroups, groups[i])
		}
	}
	return keptGroups, kept
}

func (s *exactQuantiles[T]) Merge(other States, from, to []uint32) error {
	s.list.merge(&other.(*exactQuantiles[T]).list, from, to)
	return nil
}

// Seal implements Sealer.
func (s *exactQuantiles[T]) Seal() { s.list.seal() }

func (s *exactQuantiles[T]) Save(buf []byte, group int) []byte {
	list := s.list.of(group)
	return append(binary.AppendUvarint(buf, uint64(len(list))), column.Raw(list)...)
}

func (s *exactQuantiles[T]) Load(r *column.StateReader, group int) error {
	return loadValues(r, r.Count(1<<32-1, sizeOf[T]()), func(v []T) { s.list.addTo(uint32(group), v) })
}

// place is the number, in ascending order, of the value that is the quantile of n.
func (q *quantiles) place(level float64, n int) int {
	switch {
	case level == 0.5 && strings.HasSuffix(q.name, "Low") && n%2 == 0:
		return n/2 - 1
	case level == 0.5 && (strings.HasSuffix(q.name, "Low") || strings.HasSuffix(q.name, "High")):
		return n / 2
	case level < 1:
		return int(level * float64(n))
	}
	return n - 1
}

func (s *exactQuantiles[T]) Result(from, to int) (column.Column, error) {
	if s.q.elem.Kind == column.Float64 && s.q.arg.Kind != column.Float64 || strings.HasSuffix(s.q.name, "clusive") {
		return s.between(from, to)
	}
	k := len(s.q.levels)
	out := make([]T, (to-from)*k)
	for g := from; g < to; g++ {
		scratch := s.list.of(g) // another order of its values is as good
		if len(scratch) == 0 {
			s.noValue(out[(g-from)*k : (g-from+1)*k])
			continue
		}
		done := 0
		for _, l := range s.q.order {
			n := s.q.place(s.q.levels[l], len(scratch))
			done = min(done, n)
			s.o.nth(scratch[done:], n-done)
			out[(g-from)*k+l] = scratch[n]
			done = n
		}
	}
	return s.q.wrap(s.o.column(s.q.elem, out), to-from), nil
}

// noValue is a single quantile of no rows, which is NaN for floats; several are zeros.
func (s *exactQuantiles[T]) noValue(out []T) {
	if s.q.many {
		return
	}
	switch v := any(out).(type) {
	case []float64:
		v[0] = nan64()
	case []float32:
		v[0] = float32(nan64())
	}
}

// between interpolates between values as spreadsheets do: exclusive or inclusive.
func (s *exactQuantiles[T]) between(from, to int) (column.Column, error) {
	k := len(s.q.levels)
	out := make([]float64, (to-from)*k)
	exclusive := strings.HasSuffix(s.q.name, "Exclusive")
	var scratch []T
	for g := from; g < to; g++ {
		scratch = append(scratch[:0], s.list.of(g)...)
		done := 0
		for _, l := range s.q.order {
			level, v := s.q.levels[l], &out[(g-from)*k+l]
			if len(scratch) == 0 {
				*v = nan64()
				continue
			}
			h := level*float64(len(scratch)-1) + 1
			if exclusive {
				if level == 0 || level == 1 {
					return nil, errcode.New(errcode.BadArguments, "QuantileExactExclusive cannot interpolate for the percentiles 1 and 0")
				}
				h = level * float64(len(scratch)+1)
			}
			switch n := int(h); {
			case n >= len(scratch):
				*v = s.o.float(slices.MaxFunc(scratch, s.o.cmp))
			case n < 1:
				*v = s.o.float(slices.MinFunc(scratch, s.o.cmp))
			default:
				done = min(done, n-1)
				s.o.nth(scratch[done:], n-1-done)
				next := slices.MinFunc(scratch[n:], s.o.cmp)
				low := s.o.float(scratch[n-1])
				*v = low + (h-float64(n))*(s.o.float(next)-low)
				done = n - 1
			}
		}
	}
	return s.q.wrap(column.Float64s(out...), to-from), nil
}

func (s *exactQuantiles[T]) Bytes() int { return s.list.bytes() }
