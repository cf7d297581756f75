package function

import (
	"math/bits"

	"dictsvc/agg"
	"dictsvc/column"
	"dictsvc/errcode"
)

// Functions that merge states of aggregate functions: state + state, state * n, runningAccumulate.

// mergedBytesMax bounds the memory of states that a multiplication makes of small ones.
const mergedBytesMax = 1 << 30

// bindStateArith binds + and * of states; nil where neither argument is one.
func bindStateArith(op arithOp, args []Arg) (*Bound, error) {
	a, b := args[0].Type, args[1].Type
	isA, isB := a.Kind == column.AggregateFunction, b.Kind == column.AggregateFunction
	switch {
	case op == opPlus && isA && isB:
		if !a.Equal(b) {
			return nil, errcode.New(421, "Cannot add aggregate states of different functions: %s and %s", a, b)
		}
		return bindStatePlus(a)
	case op == opMultiply && isA && unsigned(b):
		return bindStateMultiply(args, 0)
	case op == opMultiply && isB && unsigned(a):
		return bindStateMultiply(args, 1)
	}
	return nil, nil
}

func unsigned(t *column.Type) bool {
	switch t.Kind {
	case column.UInt8, column.UInt16, column.UInt32, column.UInt64:
		return true
	}
	return false
}

// bindStatePlus merges two states a row.
func bindStatePlus(t *column.Type) (*Bound, error) {
	f, err := agg.FromType(t)
	if err != nil {
		return nil, err
	}
	return &Bound{Type: t, Exec: func(call *Call) (column.Column, error) {
		sum, err := agg.LoadRows(f, call.full(call.Args[0]).(*column.Str), 0, call.Rows)
		if err != nil {
			return nil, err
		}
		other, err := agg.LoadRows(f, call.full(call.Args[1]).(*column.Str), 0, call.Rows)
		if err != nil {
			return nil, err
		}
		if err := sum.Merge(other, nil, everyGroup(call.Rows)); err != nil {
			return nil, err
		}
		return agg.SaveAll(t, sum, 0, call.Rows), nil
	}}, nil
}

// everyGroup is 0..n-1.
func everyGroup(n int) []uint32 {
	groups := make([]uint32, n)
	for i := range groups {
		groups[i] = uint32(i)
	}
	return groups
}

// bindStateMultiply merges a state n times with itself, by doubling; the state is argument which.
func bindStateMultiply(args []Arg, which int) (*Bound, error) {
	t, factor := args[which].Type, args[1-which]
	f, err := agg.FromType(t)
	if err != nil {
		return nil, err
	}
	if factor.Const == nil {
		return nil, errcode.New(errcode.IllegalColumn, "Illegal column %s of argument of aggregation state multiply. Should be integer constant", factor.Type)
	}
	n, ok := agg.UintParam(factor.Const)
	if !ok {
		return nil, illegalTypes("multiply", args)
	}
	return &Bound{Type: t, Exec: func(call *Call) (column.Column, error) {
		power, err := agg.LoadRows(f, call.full(call.Args[which]).(*column.Str), 0, call.Rows)
		if err != nil {
			return nil, err
		}
		product, err := multiplied(call, f, power, n)
		if err != nil {
			return nil, err
		}
		return agg.SaveAll(t, product, 0, call.Rows), nil
	}}, nil
}

func multiplied(call *Call, f *agg.Function, power agg.States, n uint64) (agg.States, error) {
	product := f.NewStates()
	product.Grow(call.Rows)
	groups := everyGroup(call.Rows)
	for left := bits.Len64(n); left > 0; left-- {
		if err := call.Env.Check(); err != nil {
			return nil, err
		}
		call.Grown(product.Bytes() + 2*power.Bytes())
		if product.Bytes()+power.Bytes() > mergedBytesMax {
			return nil, errcode.New(errcode.MemoryLimitExceeded, "States multiplied by %d take more than %d bytes", n, mergedBytesMax)
		}
		if n&1 == 1 {
			if err := product.Merge(power, nil, groups); err != nil {
				return nil, err
			}
		}
		if n >>= 1; n == 0 {
			break
		}
		double := f.NewStates()
		double.Grow(call.Rows)
		for range 2 {
			if err := double.Merge(power, nil, groups); err != nil {
				return nil, err
			}
		}
		power = double
	}
	return product, nil
}

// bindRunningAccumulate gives the result of each state merged with those of the rows before it, in its block and its run of equal second arguments.
func bindRunningAccumulate(env *Env, args []Arg) (*Bound, error) {
	if s := env.Settings("allow_deprecated_error_prone_window_functions"); s == "" || s == "0" {
		return nil, errcode.New(721, "Function runningAccumulate is deprecated since its usage is error-prone (see docs).Please use proper window function or set `allow_deprecated_error_prone_window_functions` setting to enable it")
	}
	t := args[0].Type
	if t.Kind != column.AggregateFunction {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "Argument for function runningAccumulate must have type AggregateFunction - state of aggregate function")
	}
	f, err := agg.FromType(t)
	if err != nil {
		return nil, err
	}
	return &Bound{Type: f.Type, Exec: func(call *Call) (column.Column, error) {
		states := call.full(call.Args[0]).(*column.Str)
		var runs column.Column
		if len(call.Args) > 1 {
			runs = call.full(call.Args[1])
		}
		out := column.New(f.Type, call.Rows)
		var sum agg.States
		for i := range call.Rows {
			if sum == nil || runs != nil && column.Compare(runs, i-1, runs, i, 1) != 0 {
				sum = f.NewStates()
				sum.Grow(1)
			}
			one, err := agg.LoadRows(f, states, i, i+1)
			if err != nil {
				return nil, err
			}
			if err := sum.Merge(one, nil, []uint32{0}); err != nil {
				return nil, err
			}
			c, err := sum.Result(0, 1)
			if err != nil {
				return nil, err
			}
			out.AppendRange(c, 0, 1)
			call.Work(1000 + sum.Bytes())
			call.Grown(out.Bytes() + sum.Bytes())
		}
		return out, nil
	}}, nil
}
