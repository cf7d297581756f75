package agg

import (
	"encoding/binary"

	"dictsvc/column"
	"dictsvc/errcode"
)

// bindMoving: groupArrayMovingSum[(window)] and groupArrayMovingAvg[(window)] give, for each row, the sum or the average of the rows up to it.
func bindMoving(name string, params []column.Column, args []*column.Type) (*Function, error) {
	if err := oneArgument(name, args); err != nil {
		return nil, err
	}
	window := uint64(0)
	if len(params) > 0 {
		n, ok := UintParam(params[0])
		if len(params) > 1 {
			return nil, errcode.New(errcode.NumberOfArgumentsDoesntMatch, "Incorrect number of parameters for aggregate function %s, should be 0 or 1", name)
		}
		if !ok || n == 0 {
			return nil, errcode.New(errcode.BadArguments, "Parameter for aggregate function %s should be positive integer", name)
		}
		window = n
	}
	t := args[0]
	avg := name == "groupArrayMovingAvg"
	wide := widened(t)
	if avg && !t.IsDecimal() && t.IsNumber() {
		wide = column.Of(column.Float64)
	}
	out := column.NewArray(wide)
	f := &Function{Name: name, Type: out, OrderSensitive: true}
	switch wide.Kind {
	case column.UInt64:
		f.NewStates = func() States { return &moving[uint64]{t: out, window: window} }
	case column.Int64:
		f.NewStates = func() States { return &moving[int64]{t: out, window: window} }
	case column.Float64:
		f.NewStates = func() States { return &moving[float64]{t: out, window: window, avg: avg} }
	default:
		if t.IsDecimal() {
			return nil, errcode.New(errcode.NotImplemented, "Aggregate function %s of type %s is not supported", name, t)
		}
		return nil, illegal(name, t)
	}
	return f, nil
}

// moving holds each group's running sums.
type moving[T column.Number] struct {
	t      *column.Type
	window uint64 // rows; 0 = all
	avg    bool
	sums   [][]T
	size   int
}

func (s *moving[T]) Grow(n int) { s.sums = grow(s.sums, n) }

func (s *moving[T]) append(g uint32, x T) {
	own := s.sums[g]
	was := cap(own)
	if n := len(own); n > 0 {
		x += own[n-1]
	}
	own = append(own, x)
	s.sums[g] = own
	s.size += 8 * (cap(own) - was)
}

func (s *moving[T]) Add(groups []uint32, args []column.Column, rows int) error {
	c, err := column.Cast(args[0], s.t.Elems[0], column.CastPlain)
	if err != nil {
		return err
	}
	g := uint32(0)
	for i, x := range c.(*column.Num[T]).Data[:rows] {
		if groups != nil {
			g = groups[i]
		}
		s.append(g, x)
	}
	return nil
}

func (s *moving[T]) Merge(other States, from, to []uint32) error {
	o := other.(*moving[T])
	for i, g := range to {
		theirs := o.sums[source(from, i)]
		own := s.sums[g]
		was := cap(own)
		var base T
		if n := len(own); n > 0 {
			base = own[n-1]
		}
		for _, x := range theirs {
			own = append(own, base+x)
		}
		s.sums[g] = own
		s.size += 8 * (cap(own) - was)
	}
	return nil
}

func (s *moving[T]) Save(buf []byte, group int) []byte {
	own := s.sums[group]
	return append(binary.AppendUvarint(buf, uint64(len(own))), column.Raw(own)...)
}

func (s *moving[T]) Load(r *column.StateReader, group int) error {
	for n := r.Count(1<<31, 8); n > 0; {
		k := min(n, loadRows)
		piece := make([]T, k)
		copy(column.Raw(piece), r.Bytes(8*k))
		if err := r.Err(); err != nil {
			return err
		}
		was := cap(s.sums[group])
		s.sums[group] = append(s.sums[group], piece...)
		s.size += 8 * (cap(s.sums[group]) - was)
		n -= k
	}
	return r.Err()
}

func (s *moving[T]) Result(from, to int) (column.Column, error) {
	var out []T
	ends := make([]uint64, 0, to-from)
	for _, own := range s.sums[from:to] {
		window := len(own)
		if s.window > 0 {
			window = int(min(s.window, 1<<31))
		}
		for i, x := range own {
			if i >= window {
				x -= own[i-window]
			}
			if s.avg {
				x /= T(window)
			}
			out = append(out, x)
		}
		ends = append(ends, uint64(len(out)))
	}
	return &column.Arr{T: s.t, Ends: ends, Elem: column.NewNum(s.t.Elems[0], out)}, nil
}

func (s *moving[T]) Bytes() int { return s.size + 24*cap(s.sums) }
