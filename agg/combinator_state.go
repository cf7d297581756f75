package agg

import (
	"dictsvc/column"
	"dictsvc/errcode"
)

// bindState: the states themselves instead of their results.
func bindState(c *combined) (*Function, error) {
	f, err := c.inner(c.params, c.args)
	if err != nil {
		return nil, err
	}
	return stateOf(f), nil
}

// stateOf is f with -State. Its own states are those of f.
func stateOf(f *Function) *Function {
	out := *f
	out.canon = f.canon + "State"
	out.Name = out.canon
	out.Type = StateType(f)
	if f.statesAs != nil {
		out.Type, out.statesAs = StateType(f.statesAs), nil
	}
	out.ownNulls, out.condition, out.stateOf, out.wrap = nil, f.condition, f, stateOf
	out.NewStates = func() States { return &stateStates{States: f.NewStates(), t: out.Type, as: f.statesAs != nil} }
	return &out
}

type stateStates struct {
	States
	t  *column.Type
	as bool // the states are saved as another function's
}

// otherSaver are States that -State saves as another function's.
type otherSaver interface {
	saveAs(buf []byte, group int) []byte
}

func (s *stateStates) SetCheck(check func() error) { SetCheck(s.States, check) }

func (s *stateStates) Seal() { seal(s.States) }

func (s *stateStates) Merge(other States, from, to []uint32) error {
	return s.States.Merge(other.(*stateStates).States, from, to)
}

func (s *stateStates) Result(from, to int) (column.Column, error) {
	if s.as {
		return saveEach(s.t, s.States.(otherSaver).saveAs, from, to), nil
	}
	return SaveAll(s.t, s.States, from, to), nil
}

// bindSimpleState: the result under the type SimpleAggregateFunction.
func bindSimpleState(c *combined) (*Function, error) {
	f, err := c.inner(c.params, c.args)
	if err != nil {
		return nil, err
	}
	if err := isSimple(f.State); err != nil {
		return nil, err
	}
	return simpleStateOf(f), nil
}

func simpleStateOf(f *Function) *Function {
	out := *f
	out.canon = f.canon + "SimpleState"
	out.Name = out.canon
	out.State = out.canon
	out.Type = column.NewSimpleAggregateFunction(f.State+f.paramText(), f.Type)
	out.ownNulls, out.condition, out.stateOf, out.wrap = nil, f.condition, f, simpleStateOf
	out.NewStates = func() States { return &simpleStates{States: f.NewStates(), t: out.Type} }
	return &out
}

type simpleStates struct {
	States
	t *column.Type
}

func (s *simpleStates) SetCheck(check func() error) { SetCheck(s.States, check) }

func (s *simpleStates) Seal() { seal(s.States) }

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

// bindMerge: states are merged, and the result is that of the merged ones. Parameters may differ from the argument's where the states do not.
func bindMerge(c *combined) (*Function, error) {
	if len(c.args) != 1 {
		return nil, c.noArguments()
	}
	t := c.args[0]
	if t.Kind != column.AggregateFunction {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "Illegal type %s of argument for aggregate function with %s suffix. It must be AggregateFunction(...)", t, c.suffix)
	}
	f, err := c.inner(c.params, t.Elems)
	if err != nil {
		return nil, err
	}
	held, err := FromType(t)
	if err != nil {
		return nil, err
	}
	if err := sameStates(t, c.suffix, held, f); err != nil {
		return nil, err
	}
	out := *f
	out.Name, out.canon = c.name, f.canon+c.suffix
	out.ownNulls, out.condition, out.stateOf, out.wrap = nil, false, nil, nil
	out.NewStates = func() States { return &mergeStates{States: f.NewStates(), f: f} }
	return &out, nil
}

// sameStates refuses states that f does not have.
func sameStates(t *column.Type, suffix string, held, f *Function) error {
	if held.same() == f.same() {
		return nil
	}
	if held.State != f.State {
		return errcode.New(errcode.IllegalTypeOfArgument, "Illegal type %s of argument for aggregate function with %s suffix because it corresponds to different aggregate function: %s instead of %s",
			t, suffix, held.State, f.State)
	}
	return errcode.New(errcode.IllegalTypeOfArgument, "Illegal type %s of argument for aggregate function with %s suffix because it corresponds to a different implementation of %s",
		t, suffix, f.State)
}

// same names the representation of f's states.
func (f *Function) same() string {
	if f.sameStates != "" {
		return f.sameStates
	}
	name := f.State + f.paramText()
	for _, t := range f.Args {
		name += ", " + t.String()
	}
	return name
}

// mergeStates takes rows that are states.
type mergeStates struct {
	States
	f     *Function // under -Merge
	check func() error
}

func (s *mergeStates) SetCheck(check func() error) {
	s.check = check
	SetCheck(s.States, check)
}

// bare is the states that loaded ones merge into: those under -State.
func bare(s States) States {
	if x, ok := s.(*stateStates); ok {
		return x.States
	}
	return s
}

func (s *mergeStates) Seal() { seal(s.States) }

func (s *mergeStates) Add(groups []uint32, args []column.Column, rows int) error {
	c := args[0].(*column.Str)
	for from := 0; from < rows; from += loadRows {
		to := min(from+loadRows, rows)
		loaded, err := loadChecked(s.f, c, from, to, s.check)
		if err != nil {
			return err
		}
		into := make([]uint32, to-from)
		if groups != nil {
			copy(into, groups[from:to])
		}
		if err := bare(s.States).Merge(bare(loaded), nil, into); err != nil {
			return err
		}
	}
	return nil
}

func (s *mergeStates) Merge(other States, from, to []uint32) error {
	return s.States.Merge(other.(*mergeStates).States, from, to)
}
