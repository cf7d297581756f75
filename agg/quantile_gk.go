package agg

import (
	"encoding/binary"
	"math"
	"slices"

	"dictsvc/column"
	"dictsvc/errcode"
)

// quantileGK keeps a summary after Greenwald and Khanna, "Space-Efficient Online Computation of Quantile Summaries" (2001): samples, each with the least number of
// values between it and the one before and with how uncertain its rank is. When values are sorted in and samples are joined is ClickHouse's way.

const (
	gkHead      = 50000 // values that wait to be sorted in
	gkThreshold = 10000 // samples that are compressed before the end
	gkMost      = 100000000
)

func bindGK(q *quantiles, t *column.Type) (*column.Type, func() States) {
	if !basicNumber(t) && !plainTime(t) && t.Kind != column.DateTime64 && t.Kind != column.Bool && !t.IsDecimal() && !t.IsInteger() {
		return nil, nil
	}
	switch column.New(t, 0).(type) {
	case *column.Num[uint8]:
		return t, newGK(q, numberOrdering[uint8]())
	case *column.Num[uint16]:
		return t, newGK(q, numberOrdering[uint16]())
	case *column.Num[uint32]:
		return t, newGK(q, numberOrdering[uint32]())
	case *column.Num[uint64]:
		return t, newGK(q, numberOrdering[uint64]())
	case *column.Num[int8]:
		return t, newGK(q, numberOrdering[int8]())
	case *column.Num[int16]:
		return t, newGK(q, numberOrdering[int16]())
	case *column.Num[int32]:
		return t, newGK(q, numberOrdering[int32]())
	case *column.Num[int64]:
		return t, newGK(q, numberOrdering[int64]())
	case *column.Num[float32]:
		return t, newGK(q, numberOrdering[float32]())
	case *column.Num[float64]:
		return t, newGK(q, numberOrdering[float64]())
	case *column.Wide[column.I128]:
		return t, newGK(q, wideOrdering(floatI128))
	case *column.Wide[column.U128]:
		return t, newGK(q, wideOrdering(floatU128))
	case *column.Wide[column.I256]:
		return t, newGK(q, wideOrdering(floatI256))
	case *column.Wide[column.U256]:
		return t, newGK(q, wideOrdering(floatU256))
	}
	return nil, nil
}

// gkAccuracy: one in how many ranks the error may be.
func gkAccuracy(name string, p column.Column) (float64, error) {
	if !p.Type().IsInteger() {
		return 0, errcode.New(errcode.IllegalTypeOfArgument, "Aggregate function %s requires accuracy parameter with integer type", name)
	}
	v, ok := FloatParam(p)
	if !ok || v <= 0 {
		return 0, errcode.New(errcode.BadArguments, "Aggregate function %s requires accuracy parameter with positive value but is %v", name, v)
	}
	return v, nil
}

func newGK[T any](q *quantiles, o *ordering[T]) func() States {
	return func() States { return &gkStates[T]{q: q, o: o} }
}

// gkSample is a value of the summary.
type gkSample[T any] struct {
	value T
	jump  int64 // its least rank, less that of the sample before
	span  int64 // its greatest rank, less its least
}

type gk[T any] struct {
	samples    []gkSample[T]
	head       []T
	count      uint64
	accuracy   float64
	compressed bool
}

type gkStates[T any] struct {
	q     *quantiles
	o     *ordering[T]
	v     []gk[T]
	size  int
	spare []gkSample[T]
}

func (s *gkStates[T]) Grow(n int) {
	had := len(s.v)
	s.v = grow(s.v, n)
	for i := had; i < len(s.v); i++ {
		s.v[i].accuracy = 1 / s.q.accuracy
	}
}

func (s *gkStates[T]) held(x *gk[T]) int {
	return cap(x.samples)*sizeOf[gkSample[T]]() + cap(x.head)*sizeOf[T]()
}

func (s *gkStates[T]) Add(groups []uint32, args []column.Column, rows int) error {
	data := s.o.data(args[0])[:rows]
	if groups == nil {
		x := &s.v[0]
		was := s.held(x)
		for _, v := range data {
			s.insert(x, v)
		}
		s.size += s.held(x) - was
		return nil
	}
	for i, g := range groups {
		x := &s.v[g]
		was := s.held(x)
		s.insert(x, data[i])
		s.size += s.held(x) - was
	}
	return nil
}

func (s *gkStates[T]) insert(x *gk[T], v T) {
	x.head = append(x.head, v)
	x.compressed = false
	if len(x.head) >= gkHead {
		s.sortIn(x)
		if len(x.samples) >= gkThreshold {
			s.compress(x)
		}
	}
}

// sortIn makes samples of the values that wait.
func (s *gkStates[T]) sortIn(x *gk[T]) {
	if len(x.head) == 0 {
		return
	}
	slices.SortFunc(x.head, s.o.cmp)
	out := s.spare[:0]
	at := 0
	for i, v := range x.head {
		for at < len(x.samples) && s.o.cmp(x.samples[at].value, v) <= 0 {
			out = append(out, x.samples[at])
			at++
		}
		x.count++
		span := int64(math.Floor(2 * x.accuracy * float64(x.count)))
		if len(out) == 0 || at == len(x.samples) && i == len(x.head)-1 {
			span = 0
		}
		out = append(out, gkSample[T]{v, 1, span})
	}
	out = append(out, x.samples[at:]...)
	s.spare, x.samples = x.samples, out
	x.head = x.head[:0]
}

func (s *gkStates[T]) compress(x *gk[T]) {
	if x.compressed {
		return
	}
	s.sortIn(x)
	s.join(x, 2*x.accuracy*float64(x.count))
	x.compressed = true
}

// join joins neighbouring samples while their uncertainty stays below a threshold.
func (s *gkStates[T]) join(x *gk[T], threshold float64) {
	n := len(x.samples)
	if n == 0 {
		return
	}
	out := s.spare[:0]
	head := x.samples[n-1]
	for i := n - 2; i >= 1; i-- {
		if own := x.samples[i]; float64(own.jump+head.jump+head.span) < threshold {
			head.jump += own.jump
		} else {
			out = append(out, head)
			head = own
		}
	}
	out = append(out, head)
	if n > 1 && s.o.cmp(x.samples[0].value, head.value) <= 0 {
		out = append(out, x.samples[0])
	}
	slices.Reverse(out)
	s.spare, x.samples = x.samples, out
}

// settled is a compressed copy of a summary that stays as it is.
func (s *gkStates[T]) settled(x *gk[T]) *gk[T] {
	own := *x
	own.samples, own.head = slices.Clone(x.samples), slices.Clone(x.head)
	if !own.compressed {
		free := gkStates[T]{q: s.q, o: s.o} // the room of s may be another goroutine's
		free.compress(&own)
	}
	return &own
}

func (s *gkStates[T]) Merge(other States, from, to []uint32) error {
	o := other.(*gkStates[T])
	for i, g := range to {
		x := &s.v[g]
		was := s.held(x)
		s.compress(x)
		s.merge(x, s.settled(&o.v[source(from, i)]))
		s.size += s.held(x) - was
	}
	return nil
}

func (s *gkStates[T]) merge(x, y *gk[T]) {
	if y.count == 0 {
		return
	}
	if x.count == 0 {
		*x = *y
		return
	}
	accuracy, count := max(x.accuracy, y.accuracy), x.count+y.count
	more := int64(math.Floor(2 * y.accuracy * float64(y.count)))
	moreOther := int64(math.Floor(2 * x.accuracy * float64(x.count)))
	out := make([]gkSample[T], 0, len(x.samples)+len(y.samples))
	a, b := 0, 0
	for a < len(x.samples) && b < len(y.samples) {
		var next gkSample[T]
		if s.o.cmp(x.samples[a].value, y.samples[b].value) < 0 {
			next = x.samples[a]
			a++
			if b > 0 {
				next.span += more
			}
		} else {
			next = y.samples[b]
			b++
			if a > 0 {
				next.span += moreOther
			}
		}
		out = append(out, next)
	}
	x.samples = append(append(out, x.samples[a:]...), y.samples[b:]...)
	x.accuracy, x.count = accuracy, count
	s.join(x, 2*accuracy*float64(count))
	x.compressed = true
}

func (s *gkStates[T]) Save(buf []byte, group int) []byte {
	x := s.settled(&s.v[group])
	buf = binary.LittleEndian.AppendUint64(buf, gkThreshold)
	buf = binary.LittleEndian.AppendUint64(buf, math.Float64bits(x.accuracy))
	buf = binary.LittleEndian.AppendUint64(buf, x.count)
	buf = binary.LittleEndian.AppendUint64(buf, uint64(len(x.samples)))
	for _, p := range x.samples {
		buf = append(buf, column.Raw([]T{p.value})...)
		buf = binary.LittleEndian.AppendUint64(buf, uint64(p.jump))
		buf = binary.LittleEndian.AppendUint64(buf, uint64(p.span))
	}
	return buf
}

func (s *gkStates[T]) Load(r *column.StateReader, group int) error {
	x := &s.v[group]
	if threshold := r.U64(); r.Err() == nil && threshold != gkThreshold {
		return r.Corrupt("The compress threshold %d isn't the expected one %d", threshold, gkThreshold)
	}
	x.accuracy, x.count = r.F64(), r.U64()
	n := r.U64()
	if n > gkMost {
		return r.Fail(errcode.New(errcode.TooLargeArraySize, "Too large array size (%d) in quantileGK deserialization", n))
	}
	for ; n > 0 && r.Err() == nil; n-- {
		var v [1]T
		raw := column.Raw(v[:])
		copy(raw, r.Bytes(len(raw)))
		x.samples = append(x.samples, gkSample[T]{v[0], int64(r.U64()), int64(r.U64())})
	}
	x.compressed = true
	s.size += s.held(x)
	return r.Err()
}

func (s *gkStates[T]) Result(from, to int) (column.Column, error) {
	out := make([]T, 0, (to-from)*len(s.q.levels))
	row := make([]T, len(s.q.levels))
	for g := from; g < to; g++ {
		s.settled(&s.v[g]).query(s.q, row)
		out = append(out, row...)
	}
	return s.q.wrap(s.o.column(s.q.elem, out), to-from), nil
}

// query finds the levels' values, one after the other in ascending order.
func (x *gk[T]) query(q *quantiles, out []T) {
	n := len(x.samples)
	if n == 0 {
		clear(out)
		return
	}
	most := int64(math.MinInt64)
	for _, p := range x.samples {
		most = max(most, p.span+p.jump)
	}
	allowed := float64(most / 2)
	at, rank := 0, x.samples[0].jump
	for _, i := range q.order {
		switch level := q.levels[i]; {
		case level <= x.accuracy:
			out[i] = x.samples[0].value
		case level >= 1-x.accuracy:
			out[i] = x.samples[n-1].value
		default:
			want := math.Ceil(level * float64(x.count))
			for at < n-1 && !(float64(rank+x.samples[at].span)-allowed <= want && want <= float64(rank)+allowed) {
				at++
				rank += x.samples[at].jump
			}
			if out[i] = x.samples[at].value; at == n-1 {
				rank = 0
			}
		}
	}
}

func (s *gkStates[T]) Bytes() int {
	return s.size + cap(s.v)*sizeOf[gkCells]() + cap(s.spare)*sizeOf[gkSample[T]]()
}

// gkCells is as large as a summary without its slices' contents.
type gkCells [9]uint64
