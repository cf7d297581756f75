package agg

import (
	"encoding/binary"
	"math"

	"dictsvc/column"
	"dictsvc/errcode"
)

// bindDeltaSumTimestamp: deltaSum whose states know the times of their first and last row, so that they merge in the order of time.
func bindDeltaSumTimestamp(name string, params []column.Column, args []*column.Type) (*Function, error) {
	if err := noParams(name, params); err != nil {
		return nil, err
	}
	if err := twoArguments(name, args); err != nil {
		return nil, err
	}
	if !basicNumber(args[0]) && args[0].Kind != column.Bool {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "Illegal type %s of argument for aggregate function %s, must be Int, Float", args[0], name)
	}
	if t := args[1]; !plainTime(t) && (!basicNumber(t) || t.FixedWidth() < 4) {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "Illegal type %s of argument for aggregate function %s, this type is not supported", t, name)
	}
	t := args[0]
	at := timesOf(args[1])
	f := &Function{Name: name, Type: t, OrderSensitive: true}
	switch t.Kind {
	case column.Bool:
		f.Type = column.Of(column.UInt8)
		f.NewStates = newTimedDelta[uint8](f.Type, at)
	case column.UInt8:
		f.NewStates = newTimedDelta[uint8](t, at)
	case column.UInt16:
		f.NewStates = newTimedDelta[uint16](t, at)
	case column.UInt32:
		f.NewStates = newTimedDelta[uint32](t, at)
	case column.UInt64:
		f.NewStates = newTimedDelta[uint64](t, at)
	case column.Int8:
		f.NewStates = newTimedDelta[int8](t, at)
	case column.Int16:
		f.NewStates = newTimedDelta[int16](t, at)
	case column.Int32:
		f.NewStates = newTimedDelta[int32](t, at)
	case column.Int64:
		f.NewStates = newTimedDelta[int64](t, at)
	case column.Float32:
		f.NewStates = newTimedDelta[float32](t, at)
	case column.Float64:
		f.NewStates = newTimedDelta[float64](t, at)
	default:
		return nil, illegal(name, t)
	}
	return f, nil
}

// times are numbers of any plain type as 64 bits: the value, sign-extended, or a float's as a double.
type times struct {
	t      *column.Type
	width  int
	whole  floatBuffer[uint64]
	floats floatBuffer[float64]
}

func timesOf(t *column.Type) times { return times{t: t, width: t.FixedWidth()} }

func (s *times) of(c column.Column, rows int) []uint64 {
	if !s.t.IsFloat() {
		return s.whole.of(c, rows)
	}
	out := s.whole
	if cap(out) < rows {
		out = make([]uint64, rows)
	}
	out = out[:rows]
	for i, v := range s.floats.of(c, rows) {
		out[i] = math.Float64bits(v)
	}
	s.whole = out
	return out
}

func (s *times) less(a, b uint64) bool {
	switch {
	case s.t.IsFloat():
		return math.Float64frombits(a) < math.Float64frombits(b)
	case s.t.IsUnsigned() || plainTime(s.t):
		return a < b
	}
	return int64(a) < int64(b)
}

func (s *times) save(buf []byte, v uint64) []byte {
	if s.t.Kind == column.Float32 {
		v = uint64(math.Float32bits(float32(math.Float64frombits(v))))
	}
	var raw [8]byte
	binary.LittleEndian.PutUint64(raw[:], v)
	return append(buf, raw[:s.width]...)
}

func (s *times) load(r *column.StateReader) uint64 {
	var raw [8]byte
	copy(raw[:], r.Bytes(s.width))
	v := binary.LittleEndian.Uint64(raw[:])
	switch {
	case s.t.Kind == column.Float32:
		return math.Float64bits(float64(math.Float32frombits(uint32(v))))
	case s.t.IsFloat() || s.t.IsUnsigned() || plainTime(s.t):
		return v
	}
	shift := 64 - 8*s.width
	return uint64(int64(v<<shift) >> shift)
}

type timedDelta[T column.Number] struct {
	delta[T]
	firstAt, lastAt uint64
}

type timedDeltas[T column.Number] struct {
	t  *column.Type
	at times
	v  []timedDelta[T]
}

func newTimedDelta[T column.Number](t *column.Type, at times) func() States {
	return func() States { return &timedDeltas[T]{t: t, at: at} }
}

func (s *timedDeltas[T]) Grow(n int) { s.v = grow(s.v, n) }

func (s *timedDeltas[T]) Add(groups []uint32, args []column.Column, rows int) error {
	at := s.at.of(args[1], rows)
	g := uint32(0)
	for i, x := range args[0].(*column.Num[T]).Data[:rows] {
		if groups != nil {
			g = groups[i]
		}
		v := &s.v[g]
		if v.seen && v.last < x {
			v.sum += x - v.last
		}
		v.last, v.lastAt = x, at[i]
		if !v.seen {
			v.first, v.firstAt, v.seen = x, at[i], true
		}
	}
	return nil
}

// before tells whether all of a lies before b.
func (s *timedDeltas[T]) before(a, b *timedDelta[T]) bool {
	if s.at.less(a.lastAt, b.firstAt) {
		return true
	}
	return a.lastAt == b.firstAt && (s.at.less(a.lastAt, b.lastAt) || s.at.less(a.firstAt, b.firstAt))
}

func (s *timedDeltas[T]) Merge(other States, from, to []uint32) error {
	o := other.(*timedDeltas[T])
	for i, g := range to {
		v, x := &s.v[g], &o.v[source(from, i)]
		switch {
		case !x.seen:
		case !v.seen:
			*v = *x
		case s.before(v, x):
			if x.first > v.last {
				v.sum += x.first - v.last
			}
			v.sum += x.sum
			v.last, v.lastAt = x.last, x.lastAt
		case s.before(x, v):
			if v.first > x.last {
				v.sum += v.first - x.last
			}
			v.sum += x.sum
			v.first, v.firstAt = x.first, x.firstAt
		case v.first < x.first: // times overlap: the answer does not depend on who comes first
			v.first, v.last = x.first, x.last
		}
	}
	return nil
}

func (s *timedDeltas[T]) Save(buf []byte, group int) []byte {
	v := &s.v[group]
	buf = s.at.save(saveNum(saveNum(buf, v.sum), v.first), v.firstAt)
	return append(s.at.save(saveNum(buf, v.last), v.lastAt), flag(v.seen))
}

func (s *timedDeltas[T]) Load(r *column.StateReader, group int) error {
	v := &s.v[group]
	v.sum, v.first = loadNum[T](r), loadNum[T](r)
	v.firstAt = s.at.load(r)
	v.last = loadNum[T](r)
	v.lastAt = s.at.load(r)
	v.seen = r.Bool()
	return r.Err()
}

func (s *timedDeltas[T]) Result(from, to int) (column.Column, error) {
	out := make([]T, to-from)
	for i := range out {
		out[i] = s.v[from+i].sum
	}
	return column.NewNum(s.t, out), nil
}

func (s *timedDeltas[T]) Bytes() int { return cap(s.v)*sizeOf[timedDelta[T]]() + 8*cap(s.at.whole) }
