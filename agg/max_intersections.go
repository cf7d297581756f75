package agg

import (
	"cmp"
	"encoding/binary"
	"slices"

	"dictsvc/column"
	"dictsvc/errcode"
)

// bindMaxIntersections: of intervals (start, end), maxIntersections gives how many overlap at most, maxIntersectionsPosition where that is first so.
func bindMaxIntersections(name string, params []column.Column, args []*column.Type) (*Function, error) {
	if err := twoArguments(name, args); err != nil {
		return nil, err
	}
	if err := noParams(name, params); err != nil {
		return nil, err
	}
	t := args[0]
	if !basicNumber(t) && t.Kind != column.Bool || !t.Equal(args[1]) {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "%s: arguments must be numbers of one type, got %s and %s", name, t, args[1])
	}
	out := t
	switch {
	case name == "maxIntersections":
		out = column.Of(column.UInt64)
	case t.Kind == column.Bool:
		out = column.Of(column.UInt8)
	}
	f := &Function{Name: name, Type: out, OrderSensitive: true}
	switch column.New(t, 0).(type) {
	case *column.Num[uint8]:
		f.NewStates = newIntervalSets[uint8](out, name)
	case *column.Num[uint16]:
		f.NewStates = newIntervalSets[uint16](out, name)
	case *column.Num[uint32]:
		f.NewStates = newIntervalSets[uint32](out, name)
	case *column.Num[uint64]:
		f.NewStates = newIntervalSets[uint64](out, name)
	case *column.Num[int8]:
		f.NewStates = newIntervalSets[int8](out, name)
	case *column.Num[int16]:
		f.NewStates = newIntervalSets[int16](out, name)
	case *column.Num[int32]:
		f.NewStates = newIntervalSets[int32](out, name)
	case *column.Num[int64]:
		f.NewStates = newIntervalSets[int64](out, name)
	case *column.Num[float32]:
		f.NewStates = newIntervalSets[float32](out, name)
	case *column.Num[float64]:
		f.NewStates = newIntervalSets[float64](out, name)
	}
	return f, nil
}

// border is where an interval begins, of weight 1, or ends, of weight -1.
type border[T column.Number] struct {
	at     T
	weight int64
}

type intervalSets[T column.Number] struct {
	t       *column.Type
	places  bool
	borders lists[border[T]]
	found   []border[T]
	owner   []uint32
}

func newIntervalSets[T column.Number](t *column.Type, name string) func() States {
	return func() States { return &intervalSets[T]{t: t, places: name == "maxIntersectionsPosition"} }
}

func (s *intervalSets[T]) Grow(n int) { s.borders.grow(n) }

func (s *intervalSets[T]) Add(groups []uint32, args []column.Column, rows int) error {
	starts, ends := args[0].(*column.Num[T]).Data, args[1].(*column.Num[T]).Data
	s.found, s.owner = s.found[:0], s.owner[:0]
	take := func(i int, at T, weight int64) {
		if at != at {
			return
		}
		s.found = append(s.found, border[T]{at, weight})
		if groups != nil {
			s.owner = append(s.owner, groups[i])
		}
	}
	for i := range rows {
		take(i, starts[i], 1)
		take(i, ends[i], -1)
	}
	if groups == nil {
		s.borders.add(nil, s.found)
	} else {
		s.borders.add(s.owner, s.found)
	}
	return nil
}

func (s *intervalSets[T]) Seal() { s.borders.seal() }

func (s *intervalSets[T]) Merge(other States, from, to []uint32) error {
	s.borders.merge(&other.(*intervalSets[T]).borders, from, to)
	return nil
}

// padding is the bytes between a border's place and its weight.
func (s *intervalSets[T]) padding() []byte { return make([]byte, 8-sizeOf[T]()) }

func (s *intervalSets[T]) Save(buf []byte, group int) []byte {
	own := s.borders.of(group)
	buf = binary.AppendUvarint(buf, uint64(len(own)))
	padding := s.padding()
	for i := range own {
		buf = append(saveNum(buf, own[i].at), padding...)
		buf = binary.LittleEndian.AppendUint64(buf, uint64(own[i].weight))
	}
	return buf
}

// bordersMost is how many borders a state may have.
const bordersMost = 1<<24 - 1

func (s *intervalSets[T]) Load(r *column.StateReader, group int) error {
	n := r.Uvarint()
	if n > bordersMost {
		return r.Fail(errcode.New(errcode.TooLargeArraySize, "Too large array size (maximum: %d)", bordersMost))
	}
	padding := len(s.padding())
	for ; n > 0 && r.Err() == nil; n-- {
		x := border[T]{at: loadNum[T](r)}
		r.Bytes(padding)
		x.weight = int64(r.U64())
		if r.Err() == nil {
			s.borders.addTo(uint32(group), []border[T]{x})
		}
	}
	return r.Err()
}

func (s *intervalSets[T]) Result(from, to int) (column.Column, error) {
	counts, places := make([]uint64, to-from), make([]T, to-from)
	for i := range counts {
		own := slices.Clone(s.borders.of(from + i))
		slices.SortFunc(own, func(a, b border[T]) int {
			if a.at != b.at {
				return cmp.Compare(a.at, b.at)
			}
			return cmp.Compare(a.weight, b.weight)
		})
		now, most := int64(0), int64(0)
		for _, x := range own {
			if now += x.weight; now > most {
				most, places[i] = now, x.at
			}
		}
		counts[i] = uint64(most)
	}
	if s.places {
		return column.NewNum(s.t, places), nil
	}
	return column.UInt64s(counts...), nil
}

func (s *intervalSets[T]) Bytes() int {
	return s.borders.bytes() + cap(s.found)*sizeOf[border[T]]() + 4*cap(s.owner)
}
