package agg

import "dictsvc/column"

// bindArgAnd: argAndMin and argAndMax give (arg, val) where argMin and argMax give arg alone; the states are theirs.
func bindArgAnd(name string, params []column.Column, args []*column.Type) (*Function, error) {
	inner := "argMin"
	if name == "argAndMax" {
		inner = "argMax"
	}
	f, err := bindArg(inner, params, args)
	if err != nil {
		return nil, err
	}
	t := column.NewTuple(args, nil)
	return &Function{Name: name, Type: t, OrderSensitive: true, NewStates: func() States {
		return &argAndStates{argStates: f.NewStates().(*argStates), t: t}
	}}, nil
}

type argAndStates struct {
	*argStates
	t *column.Type
}

func (s *argAndStates) Merge(other States, from, to []uint32) error {
	return s.argStates.Merge(other.(*argAndStates).argStates, from, to)
}

func (s *argAndStates) Result(from, to int) (column.Column, error) {
	arg, err := s.arg.Result(from, to)
	if err != nil {
		return nil, err
	}
	val, err := s.val.Result(from, to)
	if err != nil {
		return nil, err
	}
	return &column.Tup{T: s.t, Elems: []column.Column{arg, val}, N: to - from}, nil
}
