package agg

import (
	"dictsvc/column"
	"dictsvc/errcode"
)

// bindSingleValue: singleValueOrNull gives the value that all rows have, NULL where they differ.
func bindSingleValue(name string, params []column.Column, args []*column.Type) (*Function, error) {
	if err := oneArgument(name, args); err != nil {
		return nil, err
	}
	if err := noParams(name, params); err != nil {
		return nil, err
	}
	t := args[0]
	if !canBeNullable(t) || !isComparable(t) {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "Nested type %s cannot be inside Nullable type", t)
	}
	out := column.NewNullable(t)
	f := singleValue(name, t, out)
	f.ownNulls = func(params []column.Column, args []*column.Type) *Function {
		own := singleValue(name, t, out)
		own.State, own.canon, own.Params, own.Args = name, name, params, args
		inner := own.NewStates
		own.NewStates = func() States {
			return &nullStates{inner: inner(), plain: true, t: out}
		}
		return own
	}
	return f, nil
}

func singleValue(name string, t, out *column.Type) *Function {
	return &Function{Name: name, Type: out, OrderSensitive: true, NewStates: func() States {
		return &singleValues{t: out, picked: picked{t: t, store: column.New(t, 0), better: func(column.Column, int, column.Column, int) bool { return false }}}
	}}
}

// singleValues hold each group's first value, and whether another came. States of ClickHouse's keep the value alone.
type singleValues struct {
	picked
	t       *column.Type
	several []bool
}

func (s *singleValues) Grow(n int) { s.picked.Grow(n); s.several = grow(s.several, n) }

func (s *singleValues) Add(groups []uint32, args []column.Column, rows int) error {
	g := uint32(0)
	for i := range rows {
		if groups != nil {
			g = groups[i]
		}
		s.take(g, args[0], i)
	}
	return nil
}

func (s *singleValues) take(g uint32, c column.Column, i int) {
	switch k := s.row[g]; {
	case s.several[g]:
	case k == 0:
		s.offer(g, c, i)
	default:
		s.several[g] = column.Compare(c, i, s.store, int(k-1), 1) != 0 || isNaN(c, i)
	}
}

// isNaN tells whether a row is a float that does not equal itself.
func isNaN(c column.Column, i int) bool {
	switch x := c.(type) {
	case *column.Num[float64]:
		return x.Data[i] != x.Data[i]
	case *column.Num[float32]:
		return x.Data[i] != x.Data[i]
	}
	return false
}

func (s *singleValues) Merge(other States, from, to []uint32) error {
	o := other.(*singleValues)
	for i, g := range to {
		k := source(from, i)
		if row := o.row[k]; row != 0 {
			s.take(g, o.store, int(row-1))
			s.several[g] = s.several[g] || o.several[k]
		}
	}
	return nil
}

func (s *singleValues) Result(from, to int) (column.Column, error) {
	c, err := s.picked.Result(from, to)
	if err != nil {
		return nil, err
	}
	nulls := make([]uint8, to-from)
	for i := range nulls {
		nulls[i] = flag(s.several[from+i] || s.row[from+i] == 0)
	}
	return &column.Null{T: s.t, Nulls: nulls, Inner: c}, nil
}

func (s *singleValues) Bytes() int { return s.picked.Bytes() + cap(s.several) }
