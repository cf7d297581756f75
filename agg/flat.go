package agg

import "dictsvc/column"

// flat are States of functions whose state is a value of fixed size without pointers: sums, moments, extremes.
type flat[S any] struct {
	f *flatOf[S]
	v []S
}

// flatOf is what a function does with its states of type S.
type flatOf[S any] struct {
	empty  *S // the state of no rows; nil where it is all zero
	add    func(v []S, groups []uint32, args []column.Column, rows int) error
	merge  func(into, from *S)
	save   func(buf []byte, s *S) []byte            // nil: the bytes of S
	load   func(r *column.StateReader, s *S)        // nil with save
	result func(v []S) (c column.Column, err error) // of all states in v
}

// states is a Function's NewStates.
func (f *flatOf[S]) states() States { return &flat[S]{f: f} }

func (s *flat[S]) Grow(n int) {
	have := len(s.v)
	s.v = grow(s.v, n)
	if s.f.empty != nil {
		for i := have; i < len(s.v); i++ {
			s.v[i] = *s.f.empty
		}
	}
}

func (s *flat[S]) Add(groups []uint32, args []column.Column, rows int) error {
	return s.f.add(s.v, groups, args, rows)
}

func (s *flat[S]) Merge(other States, from, to []uint32) error {
	o := other.(*flat[S])
	for i, g := range to {
		s.f.merge(&s.v[g], &o.v[source(from, i)])
	}
	return nil
}

func (s *flat[S]) Save(buf []byte, group int) []byte {
	if s.f.save != nil {
		return s.f.save(buf, &s.v[group])
	}
	return append(buf, column.Raw(s.v[group:group+1])...)
}

func (s *flat[S]) Load(r *column.StateReader, group int) error {
	if s.f.load != nil {
		s.f.load(r, &s.v[group])
		return r.Err()
	}
	raw := column.Raw(s.v[group : group+1])
	copy(raw, r.Bytes(len(raw)))
	return r.Err()
}

func (s *flat[S]) Result(from, to int) (column.Column, error) { return s.f.result(s.v[from:to]) }

func (s *flat[S]) Bytes() int { return cap(s.v) * sizeOf[S]() }

// sizeOf is the bytes of a value of type T.
func sizeOf[T any]() int {
	var one [1]T
	return len(column.Raw(one[:]))
}

// perState makes a result column of a value a state.
func perState[S any, R column.Number](t *column.Type, value func(*S) R) func(v []S) (column.Column, error) {
	return func(v []S) (column.Column, error) {
		out := make([]R, len(v))
		for i := range v {
			out[i] = value(&v[i])
		}
		return column.NewNum(t, out), nil
	}
}
