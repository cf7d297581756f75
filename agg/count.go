package agg

import (
	"encoding/binary"

	"dictsvc/column"
	"dictsvc/errcode"
)

func bindCount(name string, params []column.Column, args []*column.Type) (*Function, error) {
	if len(args) > 1 {
		return nil, errcode.New(errcode.NumberOfArgumentsDoesntMatch, "Aggregate function count requires zero or one argument")
	}
	if err := noParams(name, params); err != nil {
		return nil, err
	}
	return &Function{Name: name, Type: column.Of(column.UInt64), NewStates: func() States { return &countStates{} }}, nil
}

type countStates struct{ n []uint64 }

func (s *countStates) Grow(n int) { s.n = grow(s.n, n) }

func (s *countStates) Add(groups []uint32, _ []column.Column, rows int) error {
	if groups == nil {
		s.n[0] += uint64(rows)
		return nil
	}
	for len(groups) >= 4 { // rows of one group in a row would wait for one another
		g := groups[0]
		if g == groups[1] && g == groups[2] && g == groups[3] {
			s.n[g] += 4
		} else {
			s.n[g]++
			s.n[groups[1]]++
			s.n[groups[2]]++
			s.n[groups[3]]++
		}
		groups = groups[4:]
	}
	for _, g := range groups {
		s.n[g]++
	}
	return nil
}

func (s *countStates) Merge(other States, from, to []uint32) error {
	o := other.(*countStates)
	for i, g := range to {
		s.n[g] += o.n[source(from, i)]
	}
	return nil
}

func (s *countStates) Save(buf []byte, group int) []byte {
	return binary.AppendUvarint(buf, s.n[group])
}

func (s *countStates) Load(r *column.StateReader, group int) error {
	s.n[group] = r.Uvarint()
	return r.Err()
}

func (s *countStates) Result(from, to int) (column.Column, error) {
	return column.UInt64s(s.n[from:to:to]...), nil
}

func (s *countStates) Bytes() int { return 8 * cap(s.n) }
