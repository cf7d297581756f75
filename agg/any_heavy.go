package agg

import (
	"encoding/binary"

	"dictsvc/column"
)

// bindAnyHeavy: the value that stands in more than half of the rows, if there is one; any of them else.
func bindAnyHeavy(name string, params []column.Column, args []*column.Type) (*Function, error) {
	if err := noParams(name, params); err != nil {
		return nil, err
	}
	if err := oneArgument(name, args); err != nil {
		return nil, err
	}
	t := args[0]
	if !isComparable(t) {
		return nil, illegal(name, t)
	}
	return &Function{Name: name, Type: t, OrderSensitive: true, NewStates: func() States {
		always := func(column.Column, int, column.Column, int) bool { return true }
		return &anyHeavy{value: picked{t: t, store: column.New(t, 0), better: always}}
	}}, nil
}

// anyHeavy keeps a candidate a group and by how many rows it leads all others.
type anyHeavy struct {
	value picked
	lead  []uint64
}

func (s *anyHeavy) Grow(n int) { s.value.Grow(n); s.lead = grow(s.lead, n) }

// same tells whether row i of c is the group's candidate.
func (s *anyHeavy) same(g uint32, c column.Column, i int) bool {
	k := s.value.row[g]
	return k != 0 && column.Compare(c, i, s.value.store, int(k-1), 1) == 0
}

func (s *anyHeavy) Add(groups []uint32, args []column.Column, rows int) error {
	g := uint32(0)
	for i := range rows {
		if groups != nil {
			g = groups[i]
		}
		switch {
		case s.same(g, args[0], i):
			s.lead[g]++
		case s.lead[g] == 0:
			s.value.offer(g, args[0], i)
			s.lead[g] = 1
		default:
			s.lead[g]--
		}
	}
	return nil
}

func (s *anyHeavy) Merge(other States, from, to []uint32) error {
	o := other.(*anyHeavy)
	for i, g := range to {
		k := source(from, i)
		row := o.value.row[k]
		if row == 0 {
			continue
		}
		switch lead := o.lead[k]; {
		case s.same(g, o.value.store, int(row-1)):
			s.lead[g] += lead
		case s.value.row[g] == 0 || s.lead[g] < lead:
			s.value.offer(g, o.value.store, int(row-1))
			s.lead[g] = lead - s.lead[g]
		default:
			s.lead[g] -= lead
		}
	}
	return nil
}

func (s *anyHeavy) Save(buf []byte, group int) []byte {
	return binary.LittleEndian.AppendUint64(s.value.Save(buf, group), s.lead[group])
}

func (s *anyHeavy) Load(r *column.StateReader, group int) error {
	if err := s.value.Load(r, group); err != nil {
		return err
	}
	s.lead[group] = r.U64()
	return r.Err()
}

func (s *anyHeavy) Result(from, to int) (column.Column, error) { return s.value.Result(from, to) }
func (s *anyHeavy) Bytes() int                                 { return s.value.Bytes() + 8*cap(s.lead) }
