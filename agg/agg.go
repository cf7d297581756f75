// Package agg holds aggregate functions, their combinators and states, and the hash tables of GROUP BY.
//
// States are columns: a States object holds one function's states of all groups, so that adding a block is one
// loop over the rows and no group costs an allocation. Groups are dense numbers that a Grouper gives out.
package agg

import (
	"sort"
	"strings"

	"dictsvc/column"
	"dictsvc/errcode"
)

// Function is an aggregate function bound to its argument types.
type Function struct {
	Name   string          // as ClickHouse writes it, combinators included
	State  string          // the name in the type of its states: aliases resolved, without -State and -Merge; "" where there are no states
	Params []column.Column // of one row each
	Args   []*column.Type  // without LowCardinality
	Given  []*column.Type  // the arguments as they came
	Type   *column.Type    // of the result
	// Version is that of the states' bytes, where ClickHouse has changed them.
	Version int
	// unnamedParams tells that the type of the states does not name the parameters.
	unnamedParams bool
	// OrderSensitive functions (any, groupArray) want the rows in the source's order for ClickHouse's answer.
	OrderSensitive bool
	// Sketch functions are OrderSensitive in their estimate alone: rows of a table that several threads read come to them in any order, as in ClickHouse.
	Sketch bool
	// NewStates makes an empty set of states.
	NewStates func() States

	canon string // the name with aliases resolved, all combinators included
	nulls nullRule
	// zeroOnNull functions give 0 over NULL alone, not NULL
	zeroOnNull bool
	// ownNulls adapts the function to Nullable arguments in its own way
	ownNulls func(params []column.Column, args []*column.Type) *Function
	// takesNull tells that NULL is a value like others, even where there are no others
	takesNull bool
	// condition tells that the last argument is a condition, which may be NULL alone
	condition bool
	// stateOf is the function under -State or -SimpleState, and wrap puts the combinator on another one
	stateOf *Function
	// statesAs is the function whose states -State gives where they are not its own
	statesAs *Function
	// sameStates names the states of functions that have the same ones under several names, parameters or argument types
	sameStates string
	wrap       func(*Function) *Function
}

// States are the states of one function for groups 0..n-1.
type States interface {
	// Grow makes room: afterwards groups 0..n-1 exist; new ones are empty.
	Grow(n int)
	// Add adds rows: row i of the arguments to group groups[i]; groups nil adds all to group 0. Arguments are never Const or LowCardinality.
	Add(groups []uint32, args []column.Column, rows int) error
	// Merge adds states of other (of the same function): its group from[i], i where from is nil, into group to[i]. Several goroutines may
	// merge different groups of one other at a time, so other is only read, but it may share what it holds: no rows are added to it afterwards.
	Merge(other States, from, to []uint32) error
	// Result computes the results of groups [from, to).
	Result(from, to int) (column.Column, error)
	// Save appends the state of a group in ClickHouse's bytes.
	Save(buf []byte, group int) []byte
	// Load reads what Save has written, from whoever wrote it, into a group that is empty. An error may be left in r.
	Load(r *column.StateReader, group int) error
	// Bytes is the memory held.
	Bytes() int
}

// Sealer is what States implement that can prepare themselves for Merge: Seal is called once, behind the last Add, before others merge from them.
type Sealer interface{ Seal() }

// ParallelMerger is what States implement whose Merge several goroutines can share: run calls f for all parts below n, side by side. Here other is not
// used afterwards.
type ParallelMerger interface {
	MergeParallel(other States, from, to []uint32, run func(n int, f func(part int) error) error) error
}

// Checker is what States implement that work for long within one call: check is asked now and then, by several goroutines, and its error ends the call.
// States of a call that ended so are of no use any more.
type Checker interface{ SetCheck(check func() error) }

// SetCheck tells states whom to ask whether to go on.
func SetCheck(s States, check func() error) {
	if c, ok := s.(Checker); ok {
		c.SetCheck(check)
	}
}

// definition is a line of the registry.
type definition struct {
	name string
	// any case is accepted for the names of standard SQL
	anyCase bool
	bind    binder
	// state is the name in types of states where this one is an alias
	state string
	null  nullRule
}

// zeroOnNull tells whether the function gives 0 over NULL alone.
func (d *definition) zeroOnNull() bool { return d.name == "count" || d.null == flaggedResult }

// Lookup tells whether name is an aggregate function, combinators included, and returns its canonical spelling.
func Lookup(name string) (string, bool) {
	if d := find(name); d != nil {
		return d.name, true
	}
	if _, ok := alias(name); ok {
		return name, true
	}
	c := suffixOf(name)
	if c == nil {
		return "", false
	}
	base, ok := Lookup(name[:len(name)-len(c.suffix)])
	return base + c.suffix, ok
}

// Names lists the registry, sorted.
func Names() []string {
	names := make([]string, len(registry))
	for i := range registry {
		names[i] = registry[i].name
	}
	sort.Strings(names)
	return names
}

func find(name string) *definition {
	for i := range registry {
		d := &registry[i]
		if d.name == name || d.anyCase && strings.EqualFold(d.name, name) {
			return d
		}
	}
	return nil
}

// Bind chooses the function for its parameters (one-row columns) and argument types. respect is RESPECT NULLS: NULLs are values like others.
func Bind(name string, params []column.Column, args []*column.Type, respect bool) (*Function, error) {
	plain := make([]*column.Type, len(args))
	deep := false
	for i, t := range args {
		plain[i] = plainType(t)
		deep = deep || !plain[i].Equal(t.NoLowCardinality())
	}
	f, err := bind(name, params, plain, respect)
	if err != nil {
		return nil, err
	}
	f.Given = args
	if !deep {
		return f, nil
	}
	out := *f
	out.NewStates = func() States { return &plainStates{f.NewStates()} }
	return &out, nil
}

// bind binds a function, combinators included, through the Nullable adapter where an argument may be NULL.
func bind(name string, params []column.Column, args []*column.Type, respect bool) (*Function, error) {
	nullable, onlyNull := false, false
	inner := make([]*column.Type, len(args))
	for i, t := range args {
		inner[i] = t
		if t.Kind != column.Nullable {
			continue
		}
		nullable = true
		if t.Elems[0].Kind == column.Nothing {
			onlyNull = true
		} else {
			inner[i] = t.Elems[0]
		}
	}
	f, err := bindPlain(name, params, inner, onlyNull, respect)
	if err != nil {
		return nil, err
	}
	if nullable {
		f = adaptNulls(f, params, args)
	}
	f.Name = name
	return f, nil
}

type binder = func(name string, params []column.Column, args []*column.Type) (*Function, error)

// aliasOf binds another name's function.
func aliasOf(name string, bind binder) binder {
	return func(_ string, params []column.Column, args []*column.Type) (*Function, error) {
		return bind(name, params, args)
	}
}

// bindPlain binds a function to arguments that are not Nullable, those of NULL alone excepted.
func bindPlain(name string, params []column.Column, args []*column.Type, onlyNull bool, respect bool) (*Function, error) {
	if to, ok := alias(name); ok {
		name = to
	}
	if d := find(name); d != nil {
		return bindBase(d, params, args, onlyNull, respect)
	}
	c := suffixOf(name)
	if c == nil {
		if strings.HasSuffix(name, "Null") {
			return nil, errcode.New(errcode.UnknownAggregateFunction, "Aggregate function combinator 'Null' is only for internal usage")
		}
		return nil, errcode.New(errcode.UnknownAggregateFunction, "Unknown aggregate function %s", name)
	}
	base := name[:len(name)-len(c.suffix)]
	if !c.nests && strings.HasSuffix(base, c.suffix) {
		return nil, errcode.New(errcode.IllegalAggregation, "Nested identical combinator '%s' is not supported", c.suffix)
	}
	return c.bind(&combined{suffix: c.suffix, name: name, base: base, params: params, args: args, respect: respect})
}

// bindBase binds a function without combinators. Over NULL alone only its name and what it makes of NULL are known.
func bindBase(d *definition, params []column.Column, args []*column.Type, onlyNull bool, respect bool) (*Function, error) {
	if respect {
		var err error
		if d, err = respecting(d); err != nil {
			return nil, err
		}
	}
	name := d.name
	if d.state != "" {
		name = d.state
	}
	if onlyNull && !strings.HasSuffix(name, "_respect_nulls") {
		quantiles := d.null == flaggedResult && !strings.HasPrefix(name, "uniq") && name != "nothingUInt64"
		if quantiles || name == "deltaSum" {
			return nil, illegal(name, column.NewNullable(column.Of(column.Nothing)))
		}
		if name == "count" && len(args) > 1 {
			_, err := d.bind(d.name, params, args)
			return nil, err
		}
		return &Function{canon: name, zeroOnNull: d.zeroOnNull()}, nil
	}
	f, err := d.bind(d.name, params, args)
	if err != nil {
		return nil, err
	}
	if f.State == "" {
		f.State = name
	}
	f.canon, f.Params, f.Args, f.nulls, f.zeroOnNull = f.State, params, args, d.null, d.zeroOnNull()
	if name == "count" {
		f.sameStates = name
	}
	return f, nil
}

func oneArgument(name string, args []*column.Type) error {
	if len(args) != 1 {
		return errcode.New(errcode.NumberOfArgumentsDoesntMatch, "Aggregate function %s requires single argument", name)
	}
	return nil
}

func noParams(name string, params []column.Column) error {
	if len(params) != 0 {
		return errcode.New(errcode.AggregateFunctionDoesntAllowParameters, "Aggregate function %s cannot have parameters", name)
	}
	return nil
}

func illegal(name string, t *column.Type) error {
	return errcode.New(errcode.IllegalTypeOfArgument, "Illegal type %s of argument for aggregate function %s", t, name)
}

// grow lengthens a slice of states to n.
func grow[T any](s []T, n int) []T {
	if n <= len(s) {
		return s
	}
	if n > cap(s) {
		t := make([]T, n, max(n, 2*cap(s)))
		copy(t, s)
		return t
	}
	return s[:n]
}
