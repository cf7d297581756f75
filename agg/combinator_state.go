package agg

import (
	"strings"

	"dictsvc/column"
	"dictsvc/errcode"
)

// bindState: the states themselves instead of their results.
func bindState(name, base string, params []column.Column, args []*column.Type) (*Function, error) {
	if err := nestedTwice(base, "State"); err != nil {
		return nil, err
	}
	f, err := bind(base, params, args)
	if err != nil || f.State == "" {
		return f, err
	}
	out := *f
	out.Type = StateType(f)
	out.NewStates = func() States { return &stateStates{States: f.NewStates(), t: out.Type} }
	return &out, nil
}

// nestedTwice refuses -StateState and its like.
func nestedTwice(base, suffix string) error {
	if strings.HasSuffix(base, suffix) && find(base) == nil {
		return errcode.New(errcode.IllegalAggregation, "Nested identical combinator '%s' is not supported", suffix)
	}
	return nil
}

type stateStates struct {
	States
	t *column.Type
}

func (s *stateStates) Merge(other States, from, to []uint32) error {
	return s.States.Merge(other.(*stateStates).States, from, to)
}

func (s *stateStates) Result(from, to int) (column.Column, error) {
	return SaveAll(s.t, s.States, from, to), nil
}

// bindSimpleState: the result under the type SimpleAggregateFunction.
func bindSimpleState(name, base string, params []column.Column, args []*column.Type) (*Function, error) {
	f, err := bind(base, params, args)
	if err != nil {
		return nil, err
	}
	if err := isSimple(f.State); err != nil {
		return nil, err
	}
	out := *f
	out.Type = column.NewSimpleAggregateFunction(f.State+paramText(params), f.Type)
	out.NewStates = func() States { return &simpleStates{States: f.NewStates(), t: out.Type} }
	return &out, nil
}

type simpleStates struct {
	States
	t *column.Type
}

func (s *simpleStates) Merge(other States, from, to []uint32) error {
	return s.States.Merge(other.(*simpleStates).States, from, to)
}

func (s *simpleStates) Result(from, to int) (column.Column, error) {
	c, err := s.States.Result(from, to)
	if err != nil {
		return nil, err
	}
	return column.Retype(c, s.t), nil
}

// bindMerge: states are merged, and the result is that of the merged ones.
func bindMerge(name, base string, params []column.Column, args []*column.Type) (*Function, error) {
	if err := nestedTwice(base, "Merge"); err != nil {
		return nil, err
	}
	f, err := mergeFunction(name, base, "Merge", params, args)
	if err != nil {
		return nil, err
	}
	out := *f
	out.NewStates = func() States { return &mergeStates{States: f.NewStates(), f: f} }
	return &out, nil
}

// bindMergeState: states are merged, and the result is the merged one.
func bindMergeState(name, base string, params []column.Column, args []*column.Type) (*Function, error) {
	f, err := mergeFunction(name, base, "MergeState", params, args)
	if err != nil {
		return nil, err
	}
	out := *f
	out.Type = StateType(f)
	out.NewStates = func() States {
		return &mergeStates{States: &stateStates{States: f.NewStates(), t: out.Type}, f: f, wrapped: true}
	}
	return &out, nil
}

// mergeFunction is the function whose states the argument holds. Parameters may differ from the argument's where the states do not.
func mergeFunction(name, base, suffix string, params []column.Column, args []*column.Type) (*Function, error) {
	if len(args) != 1 {
		return nil, errcode.New(errcode.NumberOfArgumentsDoesntMatch, "Incorrect number of arguments for aggregate function with %s suffix", suffix)
	}
	t := args[0]
	if t.Kind != column.AggregateFunction {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "Illegal type %s of argument for aggregate function with %s suffix. It must be AggregateFunction(...).", t, suffix)
	}
	f, err := bind(base, params, t.Elems)
	if err != nil {
		return nil, err
	}
	if have, _, err := parseName(t.Func); err != nil || have != f.State {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "Illegal type %s of argument for aggregate function with %s suffix because it corresponds to different aggregate function: %s instead of %s",
			t, suffix, have, f.State)
	}
	return f, nil
}

// mergeStates takes rows that are states.
type mergeStates struct {
	States
	f       *Function
	wrapped bool // States are stateStates over f's
}

func (s *mergeStates) inner() States {
	if s.wrapped {
		return s.States.(*stateStates).States
	}
	return s.States
}

func (s *mergeStates) Add(groups []uint32, args []column.Column, rows int) error {
	c := args[0].(*column.Str)
	for from := 0; from < rows; from += loadRows {
		to := min(from+loadRows, rows)
		loaded, err := LoadRows(s.f, c, from, to)
		if err != nil {
			return err
		}
		into := make([]uint32, to-from)
		if groups != nil {
			copy(into, groups[from:to])
		}
		if err := s.inner().Merge(loaded, nil, into); err != nil {
			return err
		}
	}
	return nil
}

func (s *mergeStates) Merge(other States, from, to []uint32) error {
	return s.inner().Merge(other.(*mergeStates).inner(), from, to)
}
