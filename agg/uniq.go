package agg

import (
	"dictsvc/column"
	"dictsvc/errcode"
)

func bindUniqExact(name string, params []column.Column, args []*column.Type) (*Function, error) {
	if len(args) == 0 {
		return nil, errcode.New(errcode.NumberOfArgumentsDoesntMatch, "Incorrect number of arguments for aggregate function %s", name)
	}
	if err := noParams(name, params); err != nil {
		return nil, err
	}
	return &Function{Name: name, Type: column.Of(column.UInt64), NewStates: func() States {
		return &uniqExact{set: NewGrouper(append([]*column.Type{column.Of(column.UInt32)}, args...))}
	}}, nil
}

// uniqExact counts distinct values: a grouper over (group, values...) keeps each pair once.
type uniqExact struct {
	n   []uint64
	set Grouper
	ids []uint32
}

func (s *uniqExact) Grow(n int) { s.n = grow(s.n, n) }

func (s *uniqExact) Add(groups []uint32, args []column.Column, rows int) error {
	if groups == nil {
		groups = make([]uint32, rows)
	}
	s.add(append([]column.Column{column.UInt32s(groups...)}, args...), rows)
	return nil
}

// add puts rows of (group, values...) into the set and counts the new ones.
func (s *uniqExact) add(keys []column.Column, rows int) {
	before := s.set.Len()
	s.ids = grow(s.ids[:0], rows)[:rows]
	s.set.Groups(keys, rows, s.ids)
	groups := keys[0].(*column.Num[uint32]).Data
	next := uint32(before)
	for i, id := range s.ids { // new pairs get the next numbers in the order of their rows
		if id == next {
			s.n[groups[i]]++
			next++
		}
	}
}

func (s *uniqExact) Merge(other States, groups []uint32) error {
	o := other.(*uniqExact)
	for from := 0; from < o.set.Len(); from += column.MaxBlockRows {
		to := min(from+column.MaxBlockRows, o.set.Len())
		keys := o.set.Keys(from, to)
		old := keys[0].(*column.Num[uint32]).Data
		mapped := make([]uint32, len(old))
		for i, g := range old {
			mapped[i] = groups[g]
		}
		keys[0] = column.UInt32s(mapped...)
		s.add(keys, to-from)
	}
	return nil
}

func (s *uniqExact) Result(from, to int) (column.Column, error) {
	return column.UInt64s(s.n[from:to:to]...), nil
}

func (s *uniqExact) Bytes() int { return 8*cap(s.n) + s.set.Bytes() }
