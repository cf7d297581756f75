package agg

import (
	"cmp"
	"encoding/binary"
	"slices"

	"dictsvc/column"
	"dictsvc/errcode"
)

// bindIntervalLength: intervalLengthSum(begin, end) is the length of the union of intervals.
func bindIntervalLength(name string, params []column.Column, args []*column.Type) (*Function, error) {
	if len(args) != 2 {
		return nil, errcode.New(errcode.NumberOfArgumentsDoesntMatch, "Aggregate function %s requires two timestamps argument", name)
	}
	if args[0].Kind != args[1].Kind {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "Illegal types %s and %s of arguments of aggregate function %s, both arguments should have same data type",
			args[0], args[1], name)
	}
	t := args[0]
	if !basicNumber(t) && !plainTime(t) && t.Kind != column.Bool {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "Illegal type %s of argument of aggregate function %s, must be native integral type, Date/DateTime or Float", t, name)
	}
	f := &Function{Name: name, Type: column.Of(column.UInt64), OrderSensitive: true}
	if t.IsFloat() {
		f.Type = column.Of(column.Float64)
	}
	switch column.New(t, 0).(type) {
	case *column.Num[uint8]:
		f.NewStates = newLengths[uint8](f.Type)
	case *column.Num[uint16]:
		f.NewStates = newLengths[uint16](f.Type)
	case *column.Num[uint32]:
		f.NewStates = newLengths[uint32](f.Type)
	case *column.Num[uint64]:
		f.NewStates = newLengths[uint64](f.Type)
	case *column.Num[int8]:
		f.NewStates = newLengths[int8](f.Type)
	case *column.Num[int16]:
		f.NewStates = newLengths[int16](f.Type)
	case *column.Num[int32]:
		f.NewStates = newLengths[int32](f.Type)
	case *column.Num[int64]:
		f.NewStates = newLengths[int64](f.Type)
	case *column.Num[float32]:
		f.NewStates = newLengths[float32](f.Type)
	case *column.Num[float64]:
		f.NewStates = newLengths[float64](f.Type)
	}
	return f, nil
}

// stretch is an interval, its ends in order.
type stretch[T column.Number] struct{ begin, end T }

func compareStretches[T column.Number](a, b stretch[T]) int {
	if c := cmp.Compare(a.begin, b.begin); c != 0 {
		return c
	}
	return cmp.Compare(a.end, b.end)
}

// lengths hold intervals as they came; those of several states are sorted.
type lengths[T column.Number] struct {
	t      *column.Type
	list   lists[stretch[T]]
	sorted []bool
	found  []stretch[T]
	owner  []uint32
}

func newLengths[T column.Number](t *column.Type) func() States {
	return func() States { return &lengths[T]{t: t} }
}

func (s *lengths[T]) Grow(n int) {
	s.list.grow(n)
	s.sorted = grow(s.sorted, n)
}

func (s *lengths[T]) Add(groups []uint32, args []column.Column, rows int) error {
	ends := args[1].(*column.Num[T]).Data
	s.found, s.owner = s.found[:0], s.owner[:0]
	for i, begin := range args[0].(*column.Num[T]).Data[:rows] {
		x := stretch[T]{begin, ends[i]}
		if x.end < x.begin {
			x = stretch[T]{x.end, x.begin}
		} else if x.begin == x.end {
			continue
		}
		s.found = append(s.found, x)
		if groups != nil {
			s.owner = append(s.owner, groups[i])
			s.sorted[groups[i]] = false
		}
	}
	if groups == nil {
		s.sorted[0] = s.sorted[0] && len(s.found) == 0
		s.list.add(nil, s.found)
	} else {
		s.list.add(s.owner, s.found)
	}
	return nil
}

func (s *lengths[T]) Seal() { s.list.seal() }

func (s *lengths[T]) Merge(other States, from, to []uint32) error {
	o := other.(*lengths[T])
	for i, g := range to {
		if theirs := o.list.of(source(from, i)); len(theirs) > 0 {
			s.list.addTo(g, theirs)
			s.sorted[g] = true
		}
	}
	return nil
}

// ordered are a group's intervals, sorted.
func (s *lengths[T]) ordered(group int) []stretch[T] {
	own := slices.Clone(s.list.of(group))
	slices.SortFunc(own, compareStretches[T])
	return own
}

func (s *lengths[T]) Save(buf []byte, group int) []byte {
	own := s.list.of(group)
	if s.sorted[group] {
		own = s.ordered(group)
	}
	buf = binary.LittleEndian.AppendUint64(append(buf, flag(s.sorted[group])), uint64(len(own)))
	for _, x := range own {
		buf = saveNum(saveNum(buf, x.begin), x.end)
	}
	return buf
}

func (s *lengths[T]) Load(r *column.StateReader, group int) error {
	s.sorted[group] = r.U8() != 0
	n := r.U64()
	if n > bordersMost {
		return r.Fail(errcode.New(errcode.TooLargeArraySize, "Too large array size (maximum: %d)", bordersMost))
	}
	for ; n > 0 && r.Err() == nil; n-- {
		if x := (stretch[T]{loadNum[T](r), loadNum[T](r)}); r.Err() == nil {
			s.list.addTo(uint32(group), []stretch[T]{x})
		}
	}
	return r.Err()
}

func (s *lengths[T]) Result(from, to int) (column.Column, error) {
	whole, floats := make([]uint64, to-from), make([]float64, to-from)
	for i := range whole {
		own := s.ordered(from + i)
		if len(own) == 0 {
			continue
		}
		now := own[0]
		for _, next := range own[1:] {
			switch {
			case now.end < next.begin:
				whole[i] += uint64(now.end) - uint64(now.begin)
				floats[i] += float64(now.end - now.begin)
				now = next
			case next.end > now.end:
				now.end = next.end
			}
		}
		whole[i] += uint64(now.end) - uint64(now.begin)
		floats[i] += float64(now.end - now.begin)
	}
	if s.t.IsFloat() {
		return column.NewNum(s.t, floats), nil
	}
	return column.NewNum(s.t, whole), nil
}

func (s *lengths[T]) Bytes() int {
	return s.list.bytes() + cap(s.sorted) + cap(s.found)*sizeOf[stretch[T]]() + 4*cap(s.owner)
}
