package agg

import (
	"slices"
	"strings"

	"dictsvc/column"
	"dictsvc/errcode"
)

// combinator is a suffix of a function's name that changes how it takes rows or what it returns.
type combinator struct {
	suffix string
	bind   func(c *combined) (*Function, error)
	nests  bool // it may stand twice in a row
}

// combined is a function with a combinator: base under suffix.
type combined struct {
	suffix, name, base string
	params             []column.Column
	args               []*column.Type
	respect            bool
}

// inner binds the function under the combinator.
func (c *combined) inner(params []column.Column, args []*column.Type) (*Function, error) {
	return bind(c.base, params, args, c.respect)
}

// function is the combined function over inner, of the same type, its states a type of their own.
func (c *combined) function(inner *Function) *Function {
	out := *inner
	out.Name = c.name
	out.canon = inner.canon + c.suffix
	out.State, out.Params, out.Args = out.canon, c.params, c.args
	if out.nulls = nullResult; inner.zeroOnNull {
		out.nulls = flaggedResult
	}
	out.ownNulls, out.condition, out.stateOf, out.wrap, out.sameStates, out.statesAs = nil, false, nil, nil, "", nil
	out.unnamedParams = false
	return &out
}

// noArguments is the error of a combinator that needs an argument.
func (c *combined) noArguments() error {
	return errcode.New(errcode.NumberOfArgumentsDoesntMatch, "Incorrect number of arguments for aggregate function with %s suffix", c.suffix)
}

// suffixOf is the last combinator of a name; nil where there is none.
func suffixOf(name string) *combinator {
	for _, c := range combinators() {
		if len(name) > len(c.suffix) && strings.HasSuffix(name, c.suffix) {
			return &c
		}
	}
	return nil
}

// combinators is a function, not a variable, because the binders lead back to it. SimpleState stands before State, which it ends with.
func combinators() []combinator {
	return []combinator{
		{"SimpleState", bindSimpleState, false},
		{"OrDefault", bindOrDefault, true},
		{"Distinct", bindDistinct, false},
		{"Resample", bindResample, false},
		{"ForEach", bindForEach, false},
		{"ArgMax", bindArgCombinator, false},
		{"ArgMin", bindArgCombinator, false},
		{"OrNull", bindOrNull, true},
		{"Tuple", bindTuple, false},
		{"Merge", bindMerge, false},
		{"State", bindState, false},
		{"Array", bindArray, true},
		{"Map", bindMap, false},
		{"If", bindIf, false},
	}
}

// Combinators lists the suffixes.
func Combinators() []string {
	var names []string
	for _, c := range combinators() {
		names = append(names, c.suffix)
	}
	slices.Sort(names)
	return names
}

// bindIf: f over the rows where the last argument is not 0 (NULL counts as 0).
func bindIf(c *combined) (*Function, error) {
	if len(c.args) == 0 {
		return nil, c.noArguments()
	}
	last := c.args[len(c.args)-1]
	onlyNull := last.Kind == column.Nullable && last.Elems[0].Kind == column.Nothing
	if !onlyNull && last.Kind != column.UInt8 && last.Kind != column.Bool {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "Illegal type %s of the last argument of an aggregate function with the If suffix: the condition must be UInt8", last)
	}
	f, err := c.inner(c.params, c.args[:len(c.args)-1])
	if err != nil {
		return nil, err
	}
	out := c.function(f)
	out.condition = true
	out.sameStates = f.same()
	out.NewStates = func() States { return &ifStates{inner: f.NewStates()} }
	own := *out
	out.ownNulls = func(params []column.Column, args []*column.Type) *Function { return ifWithNulls(&own, f, params, args) }
	return out, nil
}

// ifWithNulls is f with -If over arguments that may be NULL. NULL as condition does not make the result Nullable.
func ifWithNulls(outer, f *Function, params []column.Column, args []*column.Type) *Function {
	out := *outer
	out.Params, out.Args, out.sameStates = params, args, ""
	nullable := false
	for _, t := range args[:len(args)-1] {
		nullable = nullable || t.Kind == column.Nullable
	}
	nullable = nullable && f.nulls == nullResult && canBeNullable(f.Type) && f.Type.Kind != column.Tuple
	if nullable {
		out.Type = column.NewNullable(f.Type)
	}
	flagged := nullable || f.zeroOnNull
	out.NewStates = func() States {
		return &ifStates{inner: &nullStates{inner: f.NewStates(), plain: !nullable, flagged: flagged, t: out.Type}}
	}
	return &out
}

type ifStates struct{ inner States }

// SetCheck implements Checker.
func (s *ifStates) SetCheck(check func() error) { SetCheck(s.inner, check) }

func (s *ifStates) Grow(n int) { s.inner.Grow(n) }

func (s *ifStates) Add(groups []uint32, args []column.Column, rows int) error {
	last := len(args) - 1
	groups, args, rows = compact(groups, args[:last], rows, truth(args[last], rows))
	if rows == 0 {
		return nil
	}
	return s.inner.Add(groups, args, rows)
}

// truth is a condition column as a byte a row, NULL as 0.
func truth(c column.Column, rows int) []uint8 {
	switch x := c.(type) {
	case *column.Num[uint8]:
		return x.Data
	case *column.Null:
		v, ok := x.Inner.(*column.Num[uint8])
		out := make([]uint8, rows)
		if !ok {
			return out
		}
		for i, null := range x.Nulls {
			if null == 0 {
				out[i] = v.Data[i]
			}
		}
		return out
	}
	return make([]uint8, rows)
}

func (s *ifStates) Merge(other States, from, to []uint32) error {
	return s.inner.Merge(other.(*ifStates).inner, from, to)
}
func (s *ifStates) Seal()                                       { seal(s.inner) }
func (s *ifStates) Save(buf []byte, group int) []byte           { return s.inner.Save(buf, group) }
func (s *ifStates) Load(r *column.StateReader, group int) error { return s.inner.Load(r, group) }
func (s *ifStates) Result(from, to int) (column.Column, error)  { return s.inner.Result(from, to) }
func (s *ifStates) Bytes() int                                  { return s.inner.Bytes() }

// seal prepares states for Merge where they can.
func seal(s States) {
	if x, ok := s.(Sealer); ok {
		x.Seal()
	}
}

// bindOrNull: NULL instead of the default where no row came.
func bindOrNull(c *combined) (*Function, error) {
	f, err := c.inner(c.params, c.args)
	if err != nil {
		return nil, err
	}
	out := c.function(f)
	nullable := canBeNullable(f.Type)
	if nullable {
		out.Type = column.NewNullable(f.Type)
	}
	out.NewStates = func() States { return &orStates{inner: f.NewStates(), t: out.Type, nullable: nullable} }
	return out, nil
}

// bindOrDefault: the type's default where no row came (avg gives 0, not NaN).
func bindOrDefault(c *combined) (*Function, error) {
	f, err := c.inner(c.params, c.args)
	if err != nil {
		return nil, err
	}
	out := c.function(f)
	out.NewStates = func() States { return &orStates{inner: f.NewStates(), t: out.Type} }
	return out, nil
}

// orStates marks groups that a row came to, whatever the inner function made of it.
type orStates struct {
	inner    States
	t        *column.Type
	nullable bool // the inner result is made Nullable
	seen     []bool
}

func (s *orStates) Grow(n int) { s.inner.Grow(n); s.seen = grow(s.seen, n) }

func (s *orStates) Add(groups []uint32, args []column.Column, rows int) error {
	if groups == nil && rows > 0 {
		s.seen[0] = true
	}
	for _, g := range groups {
		s.seen[g] = true
	}
	return s.inner.Add(groups, args, rows)
}

func (s *orStates) Seal() { seal(s.inner) }

func (s *orStates) Merge(other States, from, to []uint32) error {
	o := other.(*orStates)
	for i, g := range to {
		s.seen[g] = s.seen[g] || o.seen[source(from, i)]
	}
	return s.inner.Merge(o.inner, from, to)
}

// Save writes the inner state, then whether a row came.
func (s *orStates) Save(buf []byte, group int) []byte {
	return append(s.inner.Save(buf, group), flag(s.seen[group]))
}

func (s *orStates) Load(r *column.StateReader, group int) error {
	if err := s.inner.Load(r, group); err != nil {
		return err
	}
	s.seen[group] = r.Bool()
	return r.Err()
}

func (s *orStates) Result(from, to int) (column.Column, error) {
	c, err := s.inner.Result(from, to)
	if err != nil {
		return nil, err
	}
	if s.nullable {
		nulls := make([]uint8, to-from)
		for i, seen := range s.seen[from:to] {
			nulls[i] = 1 - flag(seen)
		}
		return &column.Null{T: s.t, Nulls: nulls, Inner: c}, nil
	}
	if !slices.Contains(s.seen[from:to], false) {
		return c, nil
	}
	out := column.New(s.t, to-from)
	for i, seen := range s.seen[from:to] {
		if seen {
			out.AppendRange(c, i, i+1)
		} else {
			appendEmpty(out)
		}
	}
	return out, nil
}

func (s *orStates) Bytes() int { return cap(s.seen) + s.inner.Bytes() }
