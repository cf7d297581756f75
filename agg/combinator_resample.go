package agg

import (
	"math/bits"

	"dictsvc/column"
	"dictsvc/errcode"
)

// most of the intervals and states of -Resample
const (
	maxIntervals      = 1 << 20
	maxResampleStates = 1 << 28
)

// bindResample: f over the rows of each interval of the last argument; the last three parameters are begin, end and step.
func bindResample(c *combined) (*Function, error) {
	if len(c.args) == 0 {
		return nil, c.noArguments()
	}
	n := len(c.params) - 3
	if n < 0 {
		return nil, errcode.New(errcode.NumberOfArgumentsDoesntMatch, "Incorrect number of parameters for aggregate function with Resample suffix")
	}
	f, err := c.inner(c.params[:n:n], c.args[:len(c.args)-1])
	if err != nil {
		return nil, err
	}
	out := c.function(f)
	out.Type = column.NewArray(f.Type)
	cut, err := newIntervals(out.canon, c.params[n:], c.args[len(c.args)-1])
	if err != nil {
		return nil, err
	}
	out.NewStates = func() States { return &resampleStates{t: out.Type, cut: cut, f: f, inner: f.NewStates()} }
	return out, nil
}

// intervals are [begin + i * step, begin + (i + 1) * step) for i < total. begin and end are int64 in the bits of uint64 where signed.
type intervals struct {
	begin, end, step uint64
	total            int
	signed           bool
}

func newIntervals(name string, params []column.Column, key *column.Type) (intervals, error) {
	var v intervals
	switch key.Kind {
	case column.UInt8, column.Bool, column.UInt16, column.UInt32, column.UInt64, column.Date, column.DateTime, column.DateTime64:
	case column.Int8, column.Int16, column.Int32, column.Int64, column.Enum8, column.Enum16, column.Interval:
		v.signed = true
	default:
		return v, errcode.New(errcode.IllegalTypeOfArgument, "Illegal types of argument for aggregate function Resample, the type of the last argument should be native integer or integer-like")
	}
	for i, to := range []*uint64{&v.begin, &v.end, &v.step} {
		p := params[i]
		whole, ok := UintParam(p)
		if !ok && v.signed && i < 2 {
			var s int64
			s, ok = IntParam(p)
			whole = uint64(s)
		}
		if !ok {
			return v, errcode.New(errcode.BadGet, "Bad get: has %s, requested UInt64", p.Type())
		}
		*to = whole
	}
	if v.step == 0 {
		return v, errcode.New(errcode.ArgumentOutOfBound, "The step given in function %s should not be zero", name)
	}
	if v.less(v.end, v.begin) {
		return v, nil
	}
	width := v.end - v.begin
	sum, carry := bits.Add64(width, v.step, 0)
	if carry != 0 || v.signed && int64(width) < 0 {
		return v, errcode.New(errcode.ArgumentOutOfBound, "Overflow in internal computations in function %s. Too large arguments", name)
	}
	total := (sum - 1) / v.step
	if total > maxIntervals {
		return v, errcode.New(errcode.ArgumentOutOfBound, "The range given in function %s contains too many elements", name)
	}
	v.total = int(total)
	return v, nil
}

func (v *intervals) less(a, b uint64) bool {
	if v.signed {
		return int64(a) < int64(b)
	}
	return a < b
}

// places writes the interval of each key to out, -1 where it is in none.
func (v *intervals) places(c column.Column, out []int32) {
	switch x := c.(type) {
	case *column.Num[uint8]:
		intervalsOf(v, x.Data, out)
	case *column.Num[uint16]:
		intervalsOf(v, x.Data, out)
	case *column.Num[uint32]:
		intervalsOf(v, x.Data, out)
	case *column.Num[uint64]:
		intervalsOf(v, x.Data, out)
	case *column.Num[int8]:
		intervalsOf(v, x.Data, out)
	case *column.Num[int16]:
		intervalsOf(v, x.Data, out)
	case *column.Num[int32]:
		intervalsOf(v, x.Data, out)
	case *column.Num[int64]:
		intervalsOf(v, x.Data, out)
	}
}

func intervalsOf[T column.Number](v *intervals, data []T, out []int32) {
	for i := range out {
		k := uint64(int64(data[i]))
		if v.less(k, v.begin) || !v.less(k, v.end) {
			out[i] = -1
			continue
		}
		out[i] = int32((k - v.begin) / v.step)
	}
}

// resampleStates have total inner states a group.
type resampleStates struct {
	t     *column.Type
	cut   intervals
	f     *Function
	inner States
	n     int
	made  int // groups that have their inner states: they are made when something comes
}

func (s *resampleStates) Grow(n int) { s.n = max(s.n, n) }

// ensure makes the inner states, which are many.
func (s *resampleStates) ensure() error {
	if n := s.n * s.cut.total; n > maxResampleStates {
		return errcode.New(errcode.MemoryLimitExceeded, "An aggregate function with Resample suffix needs %d states, which is too many", n)
	}
	s.inner.Grow(s.n * s.cut.total)
	s.made = s.n
	return nil
}

func (s *resampleStates) Add(groups []uint32, args []column.Column, rows int) error {
	if err := s.ensure(); err != nil {
		return err
	}
	last := len(args) - 1
	into := make([]int32, rows)
	s.cut.places(args[last], into)
	keep := make([]uint8, rows)
	own := make([]uint32, rows)
	for i, p := range into {
		if p < 0 {
			continue
		}
		keep[i] = 1
		own[i] = uint32(p)
		if groups != nil {
			own[i] += groups[i] * uint32(s.cut.total)
		}
	}
	own, args, rows = compact(own, args[:last], rows, keep)
	if rows == 0 {
		return nil
	}
	return s.inner.Add(own, args, rows)
}

func (s *resampleStates) Seal() { seal(s.inner) }

func (s *resampleStates) Merge(other States, from, to []uint32) error {
	o := other.(*resampleStates)
	if err := s.ensure(); err != nil {
		return err
	}
	total := uint32(s.cut.total)
	theirs, ours := make([]uint32, 0, len(to)*int(total)), make([]uint32, 0, len(to)*int(total))
	for i, g := range to {
		k := uint32(source(from, i))
		if int(k) >= o.made {
			continue
		}
		for p := range total {
			theirs, ours = append(theirs, k*total+p), append(ours, g*total+p)
		}
	}
	return s.inner.Merge(o.inner, theirs, ours)
}

func (s *resampleStates) Save(buf []byte, group int) []byte {
	if group >= s.made {
		empty := s.f.NewStates()
		empty.Grow(1)
		for range s.cut.total {
			buf = empty.Save(buf, 0)
		}
		return buf
	}
	for p := range s.cut.total {
		buf = s.inner.Save(buf, group*s.cut.total+p)
	}
	return buf
}

func (s *resampleStates) Load(r *column.StateReader, group int) error {
	if err := s.ensure(); err != nil {
		return r.Fail(err)
	}
	for p := range s.cut.total {
		if err := s.inner.Load(r, group*s.cut.total+p); err != nil {
			return err
		}
		if err := r.Err(); err != nil {
			return err
		}
	}
	return nil
}

func (s *resampleStates) Result(from, to int) (column.Column, error) {
	if err := s.ensure(); err != nil {
		return nil, err
	}
	elems, err := s.inner.Result(from*s.cut.total, to*s.cut.total)
	if err != nil {
		return nil, err
	}
	ends := make([]uint64, to-from)
	for i := range ends {
		ends[i] = uint64((i + 1) * s.cut.total)
	}
	return &column.Arr{T: s.t, Ends: ends, Elem: elems}, nil
}

func (s *resampleStates) Bytes() int { return s.inner.Bytes() }
