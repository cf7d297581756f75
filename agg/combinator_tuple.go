package agg

import (
	"dictsvc/column"
	"dictsvc/errcode"
)

// bindTuple: a function for each element of tuples; elements of several tuples are its arguments together.
func bindTuple(c *combined) (*Function, error) {
	if len(c.args) == 0 {
		return nil, c.noArguments()
	}
	for _, t := range c.args {
		if t.Kind != column.Tuple {
			return nil, errcode.New(errcode.IllegalTypeOfArgument, "Illegal type %s of argument for aggregate function with Tuple suffix. Must be Tuple.", t)
		}
		if len(t.Elems) == 0 {
			return nil, errcode.New(errcode.IllegalTypeOfArgument, "Tuple must not be empty for aggregate function with Tuple suffix")
		}
		if a, b := len(c.args[0].Elems), len(t.Elems); a != b {
			return nil, errcode.New(errcode.IllegalTypeOfArgument, "All Tuple arguments of aggregate function with Tuple suffix must have the same number of elements, got %d and %d", a, b)
		}
	}
	n := len(c.args[0].Elems)
	functions := make([]*Function, n)
	types := make([]*column.Type, n)
	for i := range functions {
		args := make([]*column.Type, len(c.args))
		for k, t := range c.args {
			args[k] = t.Elems[i]
		}
		f, err := c.inner(c.params, args)
		if err != nil {
			return nil, err
		}
		functions[i], types[i] = f, f.Type
	}
	out := c.function(functions[0])
	out.Type = column.NewTuple(types, c.args[0].Names)
	for _, f := range functions {
		if f.canon != "nothingNull" && f.canon != "nothingUInt64" {
			out.canon = f.canon + c.suffix
			out.State = out.canon
			out.Version = f.Version
			break
		}
	}
	out.NewStates = func() States {
		s := &tupleStates{t: out.Type}
		for _, f := range functions {
			s.elems = append(s.elems, f.NewStates())
		}
		return s
	}
	return out, nil
}

type tupleStates struct {
	t     *column.Type
	elems []States
}

func (s *tupleStates) Grow(n int) {
	for _, e := range s.elems {
		e.Grow(n)
	}
}

func (s *tupleStates) Add(groups []uint32, args []column.Column, rows int) error {
	for i, e := range s.elems {
		own := make([]column.Column, len(args))
		for k, a := range args {
			own[k] = column.Plain(a.(*column.Tup).Elems[i])
		}
		if err := e.Add(groups, own, rows); err != nil {
			return err
		}
	}
	return nil
}

func (s *tupleStates) Seal() {
	for _, e := range s.elems {
		seal(e)
	}
}

func (s *tupleStates) Merge(other States, from, to []uint32) error {
	o := other.(*tupleStates)
	for i, e := range s.elems {
		if err := e.Merge(o.elems[i], from, to); err != nil {
			return err
		}
	}
	return nil
}

func (s *tupleStates) Save(buf []byte, group int) []byte {
	for _, e := range s.elems {
		buf = e.Save(buf, group)
	}
	return buf
}

func (s *tupleStates) Load(r *column.StateReader, group int) error {
	for _, e := range s.elems {
		if err := e.Load(r, group); err != nil {
			return err
		}
		if err := r.Err(); err != nil {
			return err
		}
	}
	return nil
}

func (s *tupleStates) Result(from, to int) (column.Column, error) {
	out := &column.Tup{T: s.t, N: to - from}
	for _, e := range s.elems {
		c, err := e.Result(from, to)
		if err != nil {
			return nil, err
		}
		out.Elems = append(out.Elems, c)
	}
	return out, nil
}

func (s *tupleStates) Bytes() int {
	n := 0
	for _, e := range s.elems {
		n += e.Bytes()
	}
	return n
}
