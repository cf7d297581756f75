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
	enum := t.Kind == column.Enum8 || t.Kind == column.Enum16
	wide := promoted(t)
	switch {
	case avg && !t.IsDecimal() && (enum || t.IsNumber()):
		wide = column.Of(column.Float64)
	case enum:
		wide = column.Of(column.Int64)
	}
	out := column.NewArray(wide)
	f := &Function{Name: name, Type: out, OrderSensitive: true, unnamedParams: true}
	switch wide.Kind {
	case column.UInt64:
		f.NewStates = func() States { return &moving[uint64]{t: out, window: window} }
	case column.Int64:
		f.NewStates = func() States { return &moving[int64]{t: out, window: window} }
	case column.Float64:
		f.NewStates = func() States { return &moving[float64]{t: out, window: window, avg: avg} }
	case column.Int128, column.UInt128, column.Int256, column.UInt256, column.Decimal128, column.Decimal256:
		f.NewStates = func() States { return &wideMoving{t: out, elem: wide, window: window, avg: avg} }
	default:
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

// wideMoving is moving of wide integers and decimals.
type wideMoving struct {
	t, elem *column.Type
	window  uint64
	avg     bool
	sums    [][]column.I256
	size    int
}

func (s *wideMoving) Grow(n int) { s.sums = grow(s.sums, n) }

// append adds sums to a group's, whose last one they all get.
func (s *wideMoving) append(g uint32, sums ...column.I256) {
	own := s.sums[g]
	was := cap(own)
	var base column.I256
	if n := len(own); n > 0 {
		base = own[n-1]
	}
	for _, x := range sums {
		own = append(own, add256(base, x))
	}
	s.sums[g] = own
	s.size += 32 * (cap(own) - was)
}

func (s *wideMoving) Add(groups []uint32, args []column.Column, rows int) error {
	g := uint32(0)
	for i, x := range wideInts(args[0], rows) {
		if groups != nil {
			g = groups[i]
		}
		s.append(g, x)
	}
	return nil
}

func (s *wideMoving) Merge(other States, from, to []uint32) error {
	o := other.(*wideMoving)
	for i, g := range to {
		s.append(g, o.sums[source(from, i)]...)
	}
	return nil
}

func (s *wideMoving) Save(buf []byte, group int) []byte {
	buf = binary.AppendUvarint(buf, uint64(len(s.sums[group])))
	for _, x := range s.sums[group] {
		buf = saveWide(buf, s.elem, x)
	}
	return buf
}

func (s *wideMoving) Load(r *column.StateReader, group int) error {
	was := cap(s.sums[group])
	for n := r.Count(1<<31, s.elem.FixedWidth()); n > 0 && r.Err() == nil; n-- {
		s.sums[group] = append(s.sums[group], loadWide(r, s.elem))
	}
	s.size += 32 * (cap(s.sums[group]) - was)
	return r.Err()
}

func (s *wideMoving) Result(from, to int) (column.Column, error) {
	var out []column.I256
	ends := make([]uint64, 0, to-from)
	for _, own := range s.sums[from:to] {
		window := len(own)
		if s.window > 0 {
			window = int(min(s.window, 1<<31))
		}
		for i, x := range own {
			if i >= window {
				x = sub256(x, own[i-window])
			}
			if s.avg {
				x = quo256(canonical256(s.elem, x), uint64(window))
			}
			out = append(out, x)
		}
		ends = append(ends, uint64(len(out)))
	}
	return &column.Arr{T: s.t, Ends: ends, Elem: narrowColumn(s.elem, out)}, nil
}

func (s *wideMoving) Bytes() int { return s.size + 24*cap(s.sums) }
