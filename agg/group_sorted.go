package agg

import (
	"encoding/binary"
	"slices"

	"dictsvc/column"
	"dictsvc/errcode"
)

const (
	sortedMost     = 1<<24 - 1 // the greatest limit that groupArraySorted takes
	sortedHeapMost = 1000000   // up to this limit ClickHouse keeps a heap
)

// bindGroupArraySorted: groupArraySorted(N) gives a group's N least values, ascending. Values of numbers lie in slices, all others are rows of a column.
func bindGroupArraySorted(name string, params []column.Column, args []*column.Type) (*Function, error) {
	if err := oneArgument(name, args); err != nil {
		return nil, err
	}
	if len(params) == 0 {
		return nil, errcode.New(errcode.BadArguments, "Parameter for aggregate function %s should have limit argument", name)
	}
	if len(params) > 1 {
		return nil, errcode.New(errcode.NumberOfArgumentsDoesntMatch, "Function %s does not support this number of arguments", name)
	}
	limit, ok := UintParam(params[0])
	if !ok || limit == 0 {
		return nil, errcode.New(errcode.BadArguments, "Parameter for aggregate function %s should be positive number", name)
	}
	if limit > sortedMost {
		return nil, errcode.New(errcode.BadArguments, "Too large limit parameter for %s aggregate function, it should not exceed %d", name, sortedMost)
	}
	t := column.NewArray(args[0])
	return &Function{Name: name, Type: t, OrderSensitive: true, NewStates: sortedStates(t, int(limit))}, nil
}

func sortedStates(t *column.Type, limit int) func() States {
	elem := t.Elems[0]
	if !rawValue(elem, false) {
		return func() States { return &sortedRows{t: t, limit: limit, store: column.New(elem, 0)} }
	}
	switch column.New(elem, 0).(type) {
	case *column.Num[uint8]:
		return newSortedNums[uint8](t, limit)
	case *column.Num[uint16]:
		return newSortedNums[uint16](t, limit)
	case *column.Num[uint32]:
		return newSortedNums[uint32](t, limit)
	case *column.Num[uint64]:
		return newSortedNums[uint64](t, limit)
	case *column.Num[int8]:
		return newSortedNums[int8](t, limit)
	case *column.Num[int16]:
		return newSortedNums[int16](t, limit)
	case *column.Num[int32]:
		return newSortedNums[int32](t, limit)
	case *column.Num[int64]:
		return newSortedNums[int64](t, limit)
	case *column.Num[float32]:
		return newSortedNums[float32](t, limit)
	case *column.Num[float64]:
		return newSortedNums[float64](t, limit)
	}
	return func() States { return &sortedRows{t: t, limit: limit, raw: true, store: column.New(elem, 0)} }
}

// sortedNums hold each group's least values so far: a heap with the greatest on top, in the order of ClickHouse's, which its states show. Of a limit too
// great for a heap they are a list that is cut now and then.
type sortedNums[T column.Number] struct {
	t     *column.Type
	limit int
	v     [][]T
	size  int // bytes of v's slices
}

func newSortedNums[T column.Number](t *column.Type, limit int) func() States {
	return func() States { return &sortedNums[T]{t: t, limit: limit} }
}

// before is the order of values: NaN is less than any number.
func before[T column.Number](a, b T) bool { return a < b || a != a && b == b }

func (s *sortedNums[T]) Grow(n int) { s.v = grow(s.v, n) }

func (s *sortedNums[T]) Add(groups []uint32, args []column.Column, rows int) error {
	g := uint32(0)
	for i, x := range args[0].(*column.Num[T]).Data[:rows] {
		if groups != nil {
			g = groups[i]
		}
		s.put(g, x)
	}
	return nil
}

func (s *sortedNums[T]) put(g uint32, x T) {
	own := s.v[g]
	if len(own) >= s.limit && s.limit <= sortedHeapMost {
		if before(x, own[0]) {
			own[0] = x
			siftDown(own)
		}
		return
	}
	was := cap(own)
	own = append(own, x)
	s.size += (cap(own) - was) * sizeOf[T]()
	if s.limit <= sortedHeapMost {
		siftUp(own)
	} else if len(own) >= 2*s.limit {
		sortNums(own)
		own = own[:s.limit]
	}
	s.v[g] = own
}

// siftUp takes the last value of a heap to its place.
func siftUp[T column.Number](h []T) {
	i := len(h) - 1
	x := h[i]
	for i > 0 {
		parent := (i - 1) / 2
		if !before(h[parent], x) {
			break
		}
		h[i] = h[parent]
		i = parent
	}
	h[i] = x
}

// siftDown takes the first value of a heap to its place; of two equal children the left one moves up.
func siftDown[T column.Number](h []T) {
	i, x := 0, h[0]
	for {
		child := 2*i + 1
		if child >= len(h) {
			break
		}
		if child+1 < len(h) && before(h[child], h[child+1]) {
			child++
		}
		if before(h[child], x) {
			break
		}
		h[i] = h[child]
		i = child
	}
	h[i] = x
}

func sortNums[T column.Number](v []T) {
	if slices.IsSortedFunc(v, compareNums[T]) {
		return
	}
	slices.Sort(v) // NaN first, as compareNums has it
}

func compareNums[T column.Number](a, b T) int {
	switch {
	case before(a, b):
		return -1
	case before(b, a):
		return 1
	}
	return 0
}

func (s *sortedNums[T]) Merge(other States, from, to []uint32) error {
	o := other.(*sortedNums[T])
	for i, g := range to {
		for _, x := range o.v[source(from, i)] {
			s.put(g, x)
		}
	}
	return nil
}

func (s *sortedNums[T]) Save(buf []byte, group int) []byte {
	own := s.v[group]
	return append(binary.AppendUvarint(buf, uint64(len(own))), column.Raw(own)...)
}

func (s *sortedNums[T]) Load(r *column.StateReader, group int) error {
	n, err := sortedCount(r, s.limit)
	if err != nil {
		return err
	}
	return loadValues(r, n, func(piece []T) {
		was := cap(s.v[group])
		s.v[group] = append(s.v[group], piece...)
		s.size += (cap(s.v[group]) - was) * sizeOf[T]()
	})
}

// sortedCount reads how many values a state has.
func sortedCount(r *column.StateReader, limit int) (int, error) {
	n := r.Uvarint()
	if r.Err() == nil && n > uint64(limit) {
		return 0, r.Fail(errcode.New(errcode.TooLargeArraySize, "Too large array size, it should not exceed %d", limit))
	}
	return int(n), r.Err()
}

func (s *sortedNums[T]) Result(from, to int) (column.Column, error) {
	total := 0
	for _, own := range s.v[from:to] {
		total += min(len(own), s.limit)
	}
	out := make([]T, 0, total)
	ends := make([]uint64, 0, to-from)
	for _, own := range s.v[from:to] {
		at := len(out)
		if len(own) > s.limit { // not cut yet
			own = slices.Clone(own)
			sortNums(own)
			own = own[:s.limit]
		}
		out = append(out, own...)
		sortNums(out[at:])
		ends = append(ends, uint64(len(out)))
	}
	return &column.Arr{T: s.t, Ends: ends, Elem: column.NewNum(s.t.Elems[0], out)}, nil
}

func (s *sortedNums[T]) Bytes() int { return s.size + 24*cap(s.v) }
