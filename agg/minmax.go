package agg

import (
	"encoding/binary"
	"math"
	"strings"

	"dictsvc/column"
	"dictsvc/internal/simd"
)

func isComparable(t *column.Type) bool {
	return t.Kind != column.AggregateFunction && t.Kind != column.Lambda
}

func bindMinMax(name string, params []column.Column, args []*column.Type) (*Function, error) {
	if err := oneArgument(name, args); err != nil {
		return nil, err
	}
	if err := noParams(name, params); err != nil {
		return nil, err
	}
	t := args[0]
	if !isComparable(t) {
		return nil, illegal(name, t)
	}
	return &Function{Name: name, Type: t, NewStates: extremes(t, strings.EqualFold(name, "max"))}, nil
}

// extremes chooses the states of min or max for a type: plain words in slices, all else as rows of a column.
func extremes(t *column.Type, max bool) func() States {
	switch column.New(t, 0).(type) {
	case *column.Num[uint8]:
		return newExtreme[uint8](t, max)
	case *column.Num[uint16]:
		return newExtreme[uint16](t, max)
	case *column.Num[uint32]:
		return newExtreme[uint32](t, max)
	case *column.Num[uint64]:
		return newExtreme[uint64](t, max)
	case *column.Num[int8]:
		return newExtreme[int8](t, max)
	case *column.Num[int16]:
		return newExtreme[int16](t, max)
	case *column.Num[int32]:
		return newExtreme[int32](t, max)
	case *column.Num[int64]:
		return newExtreme[int64](t, max)
	case *column.Num[float32]:
		return newExtreme[float32](t, max)
	case *column.Num[float64]:
		return newExtreme[float64](t, max)
	}
	want := -1
	if max {
		want = 1
	}
	beats := fieldsBeat(t, want)
	return func() States {
		return &picked{t: t, store: column.New(t, 0), beats: beats, better: func(new column.Column, i int, old column.Column, j int) bool {
			return column.Compare(new, i, old, j, -want) == want // NULL and NaN inside are never chosen before others
		}}
	}
}

// extreme holds the least or greatest value of each group. NaN gives way to any number.
type extreme[T column.Number] struct {
	t   *column.Type
	max bool
	v   []T
	has []bool
}

func newExtreme[T column.Number](t *column.Type, max bool) func() States {
	return func() States { return &extreme[T]{t: t, max: max} }
}

func (s *extreme[T]) Grow(n int) { s.v, s.has = grow(s.v, n), grow(s.has, n) }

func (s *extreme[T]) Add(groups []uint32, args []column.Column, rows int) error {
	data := args[0].(*column.Num[T]).Data[:rows]
	if groups == nil {
		if rows > 0 {
			s.put(0, s.ofAll(data))
		}
		return nil
	}
	v, has := s.v, s.has
	if s.max {
		for i, g := range groups {
			if x := data[i]; !has[g] || x > v[g] || v[g] != v[g] {
				v[g], has[g] = x, true
			}
		}
		return nil
	}
	for i, g := range groups {
		if x := data[i]; !has[g] || x < v[g] || v[g] != v[g] {
			v[g], has[g] = x, true
		}
	}
	return nil
}

func (s *extreme[T]) ofAll(data []T) T {
	extreme := simd.Min[T]
	if s.max {
		extreme = simd.Max[T]
	}
	best, n := extreme(data)
	if n == 0 {
		return s.ofSome(data[0], data[1:])
	}
	return s.ofSome(best, data[n:])
}

// ofSome is the best of a value and a few more.
func (s *extreme[T]) ofSome(best T, data []T) T {
	if s.max {
		for _, x := range data {
			if x > best || best != best {
				best = x
			}
		}
		return best
	}
	for _, x := range data {
		if x < best || best != best {
			best = x
		}
	}
	return best
}

func (s *extreme[T]) put(g int, x T) {
	old := s.v[g]
	if !s.has[g] || old != old || s.max && x > old || !s.max && x < old {
		s.v[g], s.has[g] = x, true
	}
}

func (s *extreme[T]) Merge(other States, from, to []uint32) error {
	o := other.(*extreme[T])
	for i, g := range to {
		if k := source(from, i); o.has[k] {
			s.put(int(g), o.v[k])
		}
	}
	return nil
}

func (s *extreme[T]) Save(buf []byte, group int) []byte {
	if !s.has[group] {
		return append(buf, 0)
	}
	return saveNum(append(buf, 1), s.v[group])
}

func (s *extreme[T]) Load(r *column.StateReader, group int) error {
	if s.has[group] = r.Bool(); s.has[group] {
		s.v[group] = loadNum[T](r)
	}
	return r.Err()
}

func (s *extreme[T]) Result(from, to int) (column.Column, error) {
	if s.t.IsEnum() { // an Enum may not have 0
		out := column.New(s.t, to-from)
		for g := from; g < to; g++ {
			if s.has[g] {
				out.AppendRange(column.NewNum(s.t, s.v), g, g+1)
			} else {
				appendEmpty(out)
			}
		}
		return out, nil
	}
	return column.NewNum(s.t, s.v[from:to:to]), nil
}

func (s *extreme[T]) Bytes() int { return cap(s.has) + column.NewNum(s.t, s.v).Bytes() }

// picked holds one chosen row a group, of any type: rows stand in a store that is packed anew when most of it is stale.
type picked struct {
	t      *column.Type
	store  column.Column
	row    []uint32 // place in store + 1; 0 = none yet
	better func(new column.Column, i int, old column.Column, j int) bool
	// beats decides instead where a row is compared with a state, by another order of what is NULL or NaN inside of values; nil where better does.
	beats func(new column.Column, i int, old column.Column, j int) bool
}

// fieldsBeat is the order in which ClickHouse compares a value with a state's: NULL inside comes before all, NaN after all. Within a block both come last. It is nil
// where the type has neither.
func fieldsBeat(t *column.Type, want int) func(column.Column, int, column.Column, int) bool {
	if !hidesUnordered(t) {
		return nil
	}
	return func(new column.Column, i int, old column.Column, j int) bool {
		return compareFields(new, i, old, j)*want > 0
	}
}

// hidesUnordered tells whether there may be NULL or NaN inside of a type's values.
func hidesUnordered(t *column.Type) bool {
	for _, e := range t.Elems {
		switch {
		case t.Kind == column.AggregateFunction:
			return false
		case e.Kind == column.Nullable || e.IsFloat() || hidesUnordered(e):
			return true
		}
	}
	return false
}

func (s *picked) Grow(n int) { s.row = grow(s.row, n) }

func (s *picked) Add(groups []uint32, args []column.Column, rows int) error {
	if groups == nil {
		if rows > 0 {
			s.offer(0, args[0], s.best(args[0], rows))
		}
		return nil
	}
	for i, g := range groups {
		s.offer(g, args[0], i)
	}
	return nil
}

// best is the row that is chosen among those of one block.
func (s *picked) best(c column.Column, rows int) int {
	at := 0
	for i := 1; i < rows; i++ {
		if s.better(c, i, c, at) {
			at = i
		}
	}
	return at
}

// offer replaces the group's row by row i of c where that is better; it tells whether it did.
func (s *picked) offer(g uint32, c column.Column, i int) bool {
	better := s.better
	if s.beats != nil {
		better = s.beats
	}
	if k := s.row[g]; k != 0 && !better(c, i, s.store, int(k-1)) {
		return false
	}
	if s.store.Len() > 2*len(s.row)+1024 {
		s.pack()
	}
	s.store.AppendRange(c, i, i+1)
	s.row[g] = uint32(s.store.Len())
	return true
}

func (s *picked) pack() {
	live := make([]uint32, 0, len(s.row))
	for g, k := range s.row {
		if k != 0 {
			live = append(live, k-1)
			s.row[g] = uint32(len(live))
		}
	}
	fresh := s.store.New(len(live))
	kept := s.store.Gather(live)
	fresh.AppendRange(kept, 0, kept.Len())
	s.store = fresh
}

func (s *picked) Merge(other States, from, to []uint32) error {
	o := other.(*picked)
	for i, g := range to {
		if k := o.row[source(from, i)]; k != 0 {
			s.offer(g, o.store, int(k-1))
		}
	}
	return nil
}

// Save writes a string as its length with a zero byte behind it (-1: no value), all else behind a byte that tells whether there is a value.
func (s *picked) Save(buf []byte, group int) []byte {
	k := s.row[group]
	if text, ok := s.store.(*column.Str); ok && s.t.Kind == column.String {
		if k == 0 {
			return binary.LittleEndian.AppendUint32(buf, math.MaxUint32)
		}
		b := text.At(int(k - 1))
		buf = binary.LittleEndian.AppendUint32(buf, uint32(len(b)+1))
		return append(append(buf, b...), 0)
	}
	if k == 0 {
		return append(buf, 0)
	}
	return column.AppendNative(append(buf, 1), s.store, int(k-1))
}

func (s *picked) Load(r *column.StateReader, group int) error {
	if text, ok := s.store.(*column.Str); ok && s.t.Kind == column.String {
		n := int32(r.U32())
		if r.Err() != nil || n < 0 {
			return r.Err()
		}
		b := r.Bytes(int(n))
		if r.Err() != nil {
			return r.Err()
		}
		text.Append(b[:max(n-1, 0)])
	} else {
		if !r.Bool() {
			return r.Err()
		}
		if err := column.ReadNative(s.store, r); err != nil {
			return err
		}
	}
	s.row[group] = uint32(s.store.Len())
	return nil
}

func (s *picked) Result(from, to int) (column.Column, error) {
	out := s.store.New(to - from)
	for _, k := range s.row[from:to] {
		if k == 0 {
			appendEmpty(out)
			continue
		}
		out.AppendRange(s.store, int(k-1), int(k))
	}
	return out, nil
}

// appendEmpty appends a group's result without any row: the type's default.
func appendEmpty(c column.Column) { column.AppendEmptyValue(c) }

func (s *picked) Bytes() int { return 4*cap(s.row) + s.store.Bytes() }
