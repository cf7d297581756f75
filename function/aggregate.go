package function

import (
	"dictsvc/agg"
	"dictsvc/column"
	"dictsvc/errcode"
)

// Functions over aggregate functions: over their states, and over arrays as if the elements were rows.

func aggregateFunctions() []Function {
	return []Function{
		{Name: "finalizeAggregation", MinArgs: 1, MaxArgs: 1, Bind: bindFinalize},
		{Name: "initializeAggregation", MinArgs: 2, MaxArgs: -1, Flags: OwnNulls, Bind: bindInitialize},
		{Name: "arrayReduce", MinArgs: 2, MaxArgs: -1, Flags: OwnNulls, Bind: bindReduce},
		{Name: "arrayReduceInRanges", MinArgs: 3, MaxArgs: -1, Flags: OwnNulls, Bind: bindReduceInRanges},
		{Name: "runningAccumulate", MinArgs: 1, MaxArgs: 2, Flags: OwnNulls | NotDeterministic, Bind: bindRunningAccumulate},
	}
}

// bindFinalize gives the result of each state.
func bindFinalize(_ *Env, args []Arg) (*Bound, error) {
	t := args[0].Type
	if t.Kind != column.AggregateFunction {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "Argument for function 'finalizeAggregation' must have type AggregateFunction - state of aggregate function. Got %s.", t)
	}
	f, err := agg.FromType(t)
	if err != nil {
		return nil, err
	}
	return &Bound{Type: f.Type, Exec: func(call *Call) (column.Column, error) {
		states, err := agg.LoadRows(f, call.Args[0].(*column.Str), 0, call.Rows)
		if err != nil {
			return nil, err
		}
		call.Hold(states.Bytes())
		return states.Result(0, call.Rows)
	}}, nil
}

// namedAggregate binds the aggregate function that a constant string names, 'quantile(0.5)' say.
func namedAggregate(function string, name Arg, types []*column.Type) (*agg.Function, error) {
	s, ok := column.Plain(name.Const).(*column.Str)
	if name.Const == nil || !ok {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "First argument for function %s must be constant string: name of aggregate function.", function)
	}
	base, params, err := agg.ParseName(string(s.At(0)))
	if err != nil {
		return nil, err
	}
	if base == "" {
		return nil, errcode.New(errcode.BadArguments, "First argument for function %s (name of aggregate function) cannot be empty.", function)
	}
	return agg.Bind(base, params, types, false)
}

// bindInitialize aggregates each row by itself.
func bindInitialize(_ *Env, args []Arg) (*Bound, error) {
	types := make([]*column.Type, len(args)-1)
	for i, a := range args[1:] {
		types[i] = a.Type
	}
	f, err := namedAggregate("initializeAggregation", args[0], types)
	if err != nil {
		return nil, err
	}
	return &Bound{Type: f.Type, Exec: func(call *Call) (column.Column, error) {
		groups := make([]uint32, call.Rows)
		for i := range groups {
			groups[i] = uint32(i)
		}
		rows := make([]column.Column, len(call.Args)-1)
		for i, a := range call.Args[1:] {
			rows[i] = column.Plain(a)
		}
		return aggregateRows(f, call.Rows, groups, rows, call.Rows)
	}}, nil
}

// aggregateRows adds rows to n groups and gives the results.
func aggregateRows(f *agg.Function, n int, groups []uint32, args []column.Column, rows int) (column.Column, error) {
	states := f.NewStates()
	states.Grow(n)
	if rows > 0 {
		if err := states.Add(groups, args, rows); err != nil {
			return nil, err
		}
	}
	return states.Result(0, n)
}

// bindReduce aggregates the elements of arrays, each row by itself.
func bindReduce(_ *Env, args []Arg) (*Bound, error) {
	types := make([]*column.Type, len(args)-1)
	for i, a := range args[1:] {
		if a.Type.Kind != column.Array {
			return nil, errcode.New(errcode.IllegalTypeOfArgument, "Argument %d for function arrayReduce must be an array but it has type %s.", i+2, a.Type)
		}
		types[i] = a.Type.Elems[0]
	}
	f, err := namedAggregate("arrayReduce", args[0], types)
	if err != nil {
		return nil, err
	}
	return &Bound{Type: f.Type, Exec: func(call *Call) (column.Column, error) {
		elems := make([]column.Column, len(call.Args)-1)
		var first *column.Arr
		for i, a := range call.Args[1:] {
			x := call.full(a).(*column.Arr)
			if first == nil {
				first = x
			} else if !sameLengths(first, x) {
				return nil, errcode.New(errcode.SizesOfArraysDontMatch, "Lengths of all arrays passed to arrayReduce must be equal.")
			}
			elems[i] = usedElements(x)
		}
		return agg.ReduceSpans(f, first.Offsets(), elems, call.Hold)
	}}, nil
}

func sameLengths(a, b *column.Arr) bool {
	for i := range a.Len() {
		af, at := a.Range(i)
		if bf, bt := b.Range(i); at-af != bt-bf {
			return false
		}
	}
	return true
}

// usedElements are the elements of an array column's rows, without LowCardinality.
func usedElements(x *column.Arr) column.Column {
	if x.Len() == 0 {
		return x.Elem.New(0)
	}
	from, _ := x.Range(0)
	_, to := x.Range(x.Len() - 1)
	return column.Plain(x.Elem.Slice(from, to))
}
