package agg

import (
	"dictsvc/column"
	"dictsvc/errcode"
)

// any and first_value keep the first row seen, anyLast and last_value the last.
func bindAny(name string, params []column.Column, args []*column.Type) (*Function, error) {
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
	last := name == "anyLast" || name == "last_value"
	return &Function{Name: name, Type: t, OrderSensitive: true, NewStates: func() States {
		return &picked{t: t, store: column.New(t, 0), better: func(column.Column, int, column.Column, int) bool { return last }}
	}}, nil
}

// argMin(arg, val) and argMax(arg, val) give arg of the row with the least or greatest val; the first such row wins.
func bindArg(name string, params []column.Column, args []*column.Type) (*Function, error) {
	if len(args) != 2 {
		return nil, errcode.New(errcode.NumberOfArgumentsDoesntMatch, "Aggregate function %s requires two arguments", name)
	}
	if err := noParams(name, params); err != nil {
		return nil, err
	}
	if !isComparable(args[1]) {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "Illegal type %s of second argument of aggregate function %s because the values of that data type are not comparable", args[1], name)
	}
	want := -1
	if name == "argMax" {
		want = 1
	}
	beats := fieldsBeat(args[1], want)
	return &Function{Name: name, Type: args[0], OrderSensitive: true, NewStates: func() States {
		return &argStates{
			val: picked{t: args[1], store: column.New(args[1], 0), beats: beats, better: func(new column.Column, i int, old column.Column, j int) bool {
				c := column.Compare(new, i, old, j, -want) // NaN never wins
				return c == want
			}},
			arg: picked{t: args[0], store: column.New(args[0], 0), better: func(column.Column, int, column.Column, int) bool { return true }},
		}
	}}, nil
}

type argStates struct{ val, arg picked }

func (s *argStates) Grow(n int) { s.val.Grow(n); s.arg.Grow(n) }

func (s *argStates) Add(groups []uint32, args []column.Column, rows int) error {
	if groups == nil {
		if rows > 0 {
			s.offer(0, args, s.val.best(args[1], rows))
		}
		return nil
	}
	for i, g := range groups {
		s.offer(g, args, i)
	}
	return nil
}

func (s *argStates) offer(g uint32, args []column.Column, i int) {
	if s.val.offer(g, args[1], i) {
		s.arg.offer(g, args[0], i)
	}
}

func (s *argStates) Merge(other States, from, to []uint32) error {
	o := other.(*argStates)
	for i, g := range to {
		k := source(from, i)
		if row := o.val.row[k]; row != 0 && s.val.offer(g, o.val.store, int(row-1)) {
			s.arg.offer(g, o.arg.store, int(o.arg.row[k]-1))
		}
	}
	return nil
}

func (s *argStates) Save(buf []byte, group int) []byte {
	return s.val.Save(s.arg.Save(buf, group), group)
}

func (s *argStates) Load(r *column.StateReader, group int) error {
	if err := s.arg.Load(r, group); err != nil {
		return err
	}
	if err := s.val.Load(r, group); err != nil {
		return err
	}
	if (s.arg.row[group] == 0) != (s.val.row[group] == 0) {
		return r.Corrupt("A state of argMin or argMax has one of its two values")
	}
	return nil
}

func (s *argStates) Result(from, to int) (column.Column, error) { return s.arg.Result(from, to) }
func (s *argStates) Bytes() int                                 { return s.val.Bytes() + s.arg.Bytes() }
