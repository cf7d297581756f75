package agg

import "dictsvc/column"

// bindDeltaSum: deltaSum adds the differences of neighbouring values that are greater than 0, in the type of the values.
func bindDeltaSum(name string, params []column.Column, args []*column.Type) (*Function, error) {
	if err := noParams(name, params); err != nil {
		return nil, err
	}
	if err := oneArgument(name, args); err != nil {
		return nil, err
	}
	t := args[0]
	f := &Function{Name: name, Type: t, OrderSensitive: true}
	switch t.Kind {
	case column.UInt8:
		f.NewStates = newDeltaSum[uint8](t)
	case column.UInt16:
		f.NewStates = newDeltaSum[uint16](t)
	case column.UInt32:
		f.NewStates = newDeltaSum[uint32](t)
	case column.UInt64:
		f.NewStates = newDeltaSum[uint64](t)
	case column.Int8:
		f.NewStates = newDeltaSum[int8](t)
	case column.Int16:
		f.NewStates = newDeltaSum[int16](t)
	case column.Int32:
		f.NewStates = newDeltaSum[int32](t)
	case column.Int64:
		f.NewStates = newDeltaSum[int64](t)
	case column.Float32:
		f.NewStates = newDeltaSum[float32](t)
	case column.Float64:
		f.NewStates = newDeltaSum[float64](t)
	case column.Int128, column.UInt128, column.Int256, column.UInt256:
		f.NewStates = func() States { return &wideDelta{t: t} }
	default:
		return nil, illegal(name, t)
	}
	return f, nil
}

type delta[T column.Number] struct {
	sum, first, last T
	seen             bool
}

type deltaSum[T column.Number] struct {
	t *column.Type
	v []delta[T]
}

func newDeltaSum[T column.Number](t *column.Type) func() States {
	return func() States { return &deltaSum[T]{t: t} }
}

func (s *deltaSum[T]) Grow(n int) { s.v = grow(s.v, n) }

func (s *deltaSum[T]) Add(groups []uint32, args []column.Column, rows int) error {
	g := uint32(0)
	for i, x := range args[0].(*column.Num[T]).Data[:rows] {
		if groups != nil {
			g = groups[i]
		}
		v := &s.v[g]
		if v.seen && v.last < x {
			v.sum += x - v.last
		}
		v.last = x
		if !v.seen {
			v.first, v.seen = x, true
		}
	}
	return nil
}

// Merge takes the other's rows for those that come later.
func (s *deltaSum[T]) Merge(other States, from, to []uint32) error {
	o := other.(*deltaSum[T])
	for i, g := range to {
		v, x := &s.v[g], &o.v[source(from, i)]
		switch {
		case !x.seen:
		case !v.seen:
			*v = *x
		default:
			if x.first > v.last {
				v.sum += x.first - v.last
			}
			v.sum += x.sum
			v.last = x.last
		}
	}
	return nil
}

func (s *deltaSum[T]) Save(buf []byte, group int) []byte {
	v := &s.v[group]
	return append(saveNum(saveNum(saveNum(buf, v.sum), v.first), v.last), flag(v.seen))
}

func (s *deltaSum[T]) Load(r *column.StateReader, group int) error {
	s.v[group] = delta[T]{sum: loadNum[T](r), first: loadNum[T](r), last: loadNum[T](r), seen: r.Bool()}
	return r.Err()
}

func (s *deltaSum[T]) Result(from, to int) (column.Column, error) {
	out := make([]T, to-from)
	for i := range out {
		out[i] = s.v[from+i].sum
	}
	return column.NewNum(s.t, out), nil
}

func (s *deltaSum[T]) Bytes() int { var z T; return cap(s.v) * (3*len(column.Raw([]T{z})) + 8) }

// wideDelta is deltaSum of wide integers.
type wideDelta struct {
	t *column.Type
	v []struct {
		sum, first, last column.I256
		seen             bool
	}
}

func (s *wideDelta) Grow(n int) { s.v = grow(s.v, n) }

func (s *wideDelta) Add(groups []uint32, args []column.Column, rows int) error {
	g := uint32(0)
	for i, x := range wideInts(args[0], rows) {
		if groups != nil {
			g = groups[i]
		}
		v := &s.v[g]
		if v.seen && less256(s.t, v.last, x) {
			v.sum = add256(v.sum, sub256(x, v.last))
		}
		v.last = x
		if !v.seen {
			v.first, v.seen = x, true
		}
	}
	return nil
}

func (s *wideDelta) Merge(other States, from, to []uint32) error {
	o := other.(*wideDelta)
	for i, g := range to {
		v, x := &s.v[g], &o.v[source(from, i)]
		switch {
		case !x.seen:
		case !v.seen:
			*v = *x
		default:
			if less256(s.t, v.last, x.first) {
				v.sum = add256(v.sum, sub256(x.first, v.last))
			}
			v.sum, v.last = add256(v.sum, x.sum), x.last
		}
	}
	return nil
}

func (s *wideDelta) Save(buf []byte, group int) []byte {
	v := &s.v[group]
	for _, x := range []column.I256{v.sum, v.first, v.last} {
		buf = saveWide(buf, s.t, x)
	}
	return append(buf, flag(v.seen))
}

func (s *wideDelta) Load(r *column.StateReader, group int) error {
	v := &s.v[group]
	v.sum, v.first, v.last, v.seen = loadWide(r, s.t), loadWide(r, s.t), loadWide(r, s.t), r.Bool()
	return r.Err()
}

func (s *wideDelta) Result(from, to int) (column.Column, error) {
	out := make([]column.I256, to-from)
	for i := range out {
		out[i] = s.v[from+i].sum
	}
	return narrowColumn(s.t, out), nil
}

func (s *wideDelta) Bytes() int { return cap(s.v) * (3*32 + 8) }
