package function

import (
	"dictsvc/column"
	"dictsvc/errcode"
	"dictsvc/internal/simd"
)

func conditionalFunctions() []Function {
	const own = OwnNulls | OwnLowCardinality
	return []Function{
		{Name: "if", MinArgs: 3, MaxArgs: 3, Flags: OwnNulls | PlainResult, Bind: bindIf("if")},
		{Name: "multiIf", MinArgs: 0, MaxArgs: -1, Flags: OwnNulls | PlainResult, Bind: bindIf("multiIf")},
		{Name: "caseWithExpression", MinArgs: 0, MaxArgs: -1, Flags: OwnNulls, Bind: bindCase},
		{Name: "transform", MinArgs: 3, MaxArgs: 4, Flags: OwnNulls | OwnConst, Bind: bindTransform},
		{Name: "ifNull", MinArgs: 2, MaxArgs: 2, Flags: OwnNulls, Bind: bindCoalesce("ifNull")},
		{Name: "coalesce", MinArgs: 0, MaxArgs: -1, Flags: OwnNulls, Bind: bindCoalesce("coalesce")},
		{Name: "nullIf", MinArgs: 2, MaxArgs: 2, Flags: OwnNulls, Bind: bindNullIf},
		{Name: "ifNotFinite", MinArgs: 2, MaxArgs: 2, Bind: bindIfNotFinite},
		{Name: "isNull", MinArgs: 1, MaxArgs: 1, Flags: own, Bind: bindIsNull(false)},
		{Name: "isNotNull", MinArgs: 1, MaxArgs: 1, Flags: own, Bind: bindIsNull(true)},
		{Name: "isZeroOrNull", MinArgs: 1, MaxArgs: 1, Flags: OwnNulls, Bind: bindIsZeroOrNull},
		{Name: "isNullable", MinArgs: 1, MaxArgs: 1, Flags: own, Bind: bindIsNullable},
		{Name: "assumeNotNull", MinArgs: 1, MaxArgs: 1, Flags: OwnNulls, Bind: bindAssumeNotNull},
		{Name: "toNullable", MinArgs: 1, MaxArgs: 1, Flags: own, Bind: bindToNullable},
		{Name: "firstNonDefault", MinArgs: 1, MaxArgs: -1, Flags: own, Bind: bindFirstNonDefault},
	}
}

// choice assembles a column of one type from rows of several columns.
type choice struct {
	t     *column.Type
	parts []castFn
}

// newChoice finds the branches' common type; a branch that cannot be brought to one is ClickHouse's error 386.
func newChoice(types []*column.Type) (*choice, error) {
	t, err := branchType(types)
	if err != nil {
		return nil, err
	}
	ch := &choice{t: t, parts: make([]castFn, len(types))}
	for i, from := range types {
		if ch.parts[i], err = castKernel(from, t); err != nil {
			return nil, err
		}
	}
	return ch, nil
}

// keepPadding makes branches that are FixedString, where the result is a String, keep their zero bytes, as they do in if and coalesce alone.
func keepPadding(ch *choice, types []*column.Type) {
	if ch.t.NoNull().Kind != column.String {
		return
	}
	for i, from := range types {
		if from.NoNull().Kind == column.FixedString {
			ch.parts[i] = func(c column.Column, _ int) (column.Column, error) {
				return column.Cast(column.PaddedStrings(c), ch.t, column.CastPlain)
			}
		}
	}
}

// branchType is the common type of branches: LowCardinality stays only where all branches have it.
func branchType(types []*column.Type) (*column.Type, error) {
	same := true
	for _, t := range types {
		same = same && t.Equal(types[0])
	}
	if same {
		return types[0], nil
	}
	low := true
	bare := make([]*column.Type, len(types))
	for i, t := range types {
		low = low && t.Kind == column.LowCardinality
		bare[i] = t.NoLowCardinality()
	}
	t, err := commonType(bare...)
	if err == nil && low && canBeLowCardinality(t) {
		t = column.NewLowCardinality(t)
	}
	return t, err
}

// selection collects the columns that rows come from; from[i] is the row's place in their concatenation.
type selection struct {
	all  column.Column
	from []uint32
}

func (ch *choice) start(rows int) *selection {
	return &selection{all: column.New(ch.t, rows), from: make([]uint32, rows)}
}

// add casts a branch's column and takes its rows for the rows listed: row k of the column for rows[k], or, with dense unset, row rows[k].
func (ch *choice) add(s *selection, branch int, c column.Column, rows []uint32, dense bool) error {
	if len(rows) == 0 {
		return nil
	}
	c, err := ch.parts[branch](c, c.Len())
	if err != nil {
		return err
	}
	base := uint32(s.all.Len())
	if k, ok := c.(*column.Const); ok {
		s.all.AppendRange(k.Val, 0, 1)
		for _, r := range rows {
			s.from[r] = base
		}
		return nil
	}
	s.all.AppendRange(c, 0, c.Len())
	for k, r := range rows {
		if dense {
			s.from[r] = base + uint32(k)
		} else {
			s.from[r] = base + r
		}
	}
	return nil
}

func (s *selection) column() column.Column { return s.all.Gather(s.from) }

// bindIf binds if(cond, then, else) and multiIf(cond, then, cond, then, ..., else).
func bindIf(name string) func(env *Env, args []Arg) (*Bound, error) {
	return func(_ *Env, args []Arg) (*Bound, error) {
		n := len(args)
		if n < 3 || n%2 == 0 {
			return nil, errcode.New(errcode.NumberOfArgumentsDoesntMatch, "Invalid number of arguments for function %s", name)
		}
		var types []*column.Type
		for i := 0; i+1 < n; i += 2 {
			c := args[i].Type.Base()
			if c.Kind != column.UInt8 && c.Kind != column.Bool && c.Kind != column.Nothing {
				if name == "if" {
					return nil, errcode.New(errcode.IllegalTypeOfArgument, "Illegal type %s of first argument (condition) of function if. Must be UInt8", args[i].Type)
				}
				return nil, errcode.New(errcode.IllegalTypeOfArgument, "Illegal type %s of argument (condition) of function multiIf. Must be UInt8", args[i].Type)
			}
			types = append(types, args[i+1].Type)
		}
		ch, err := newChoice(append(types, args[n-1].Type))
		if err != nil {
			return nil, err
		}
		if n == 3 {
			keepPadding(ch, append(types, args[n-1].Type))
		}
		return &Bound{Type: ch.t,
			Exec: func(call *Call) (column.Column, error) {
				if res, ok := ifNumbers(ch, call); ok {
					return res, nil
				}
				return ch.decide(call.Rows, n, func(i int, _ []uint8, _ int) (column.Column, error) { return call.Args[i], nil }, false)
			},
			ExecLazy: func(call *LazyCall) (column.Column, error) {
				return ch.decide(call.Rows, n, func(i int, keep []uint8, n int) (column.Column, error) { return call.Args[i](keep, n) }, true)
			},
		}, nil
	}
}

// pick is the argument with the given place.
func pick(t *column.Type, i int) (*Bound, error) {
	return &Bound{Type: t,
		Exec:     func(call *Call) (column.Column, error) { return call.Args[i], nil },
		ExecLazy: func(call *LazyCall) (column.Column, error) { return call.Args[i](nil, call.Rows) },
	}, nil
}

// decide goes through the conditions and takes each branch for the rows whose condition is the first to hold. With lazy set, arg is asked for the open rows only.
func (ch *choice) decide(rows, n int, arg func(i int, keep []uint8, n int) (column.Column, error), lazy bool) (column.Column, error) {
	open := make([]uint32, rows)
	for i := range open {
		open[i] = uint32(i)
	}
	s := ch.start(rows)
	fetch := func(i int, want []uint32) (column.Column, error) {
		if !lazy || len(want) == rows {
			return arg(i, nil, rows)
		}
		keep := make([]uint8, rows)
		for _, r := range want {
			keep[r] = 1
		}
		return arg(i, keep, len(want))
	}
	for i := 0; i+1 < n && len(open) > 0; i += 2 {
		c, err := fetch(i, open)
		if err != nil {
			return nil, err
		}
		t := truth(c, c.Len())
		var hit, rest []uint32
		for k, r := range open {
			v := k
			if !lazy || len(open) == rows {
				v = int(r)
			}
			if t[v] == triTrue {
				hit = append(hit, r)
			} else {
				rest = append(rest, r)
			}
		}
		if err := ch.branch(s, fetch, i+1, i/2, hit, rows, lazy); err != nil {
			return nil, err
		}
		open = rest
	}
	if err := ch.branch(s, fetch, n-1, len(ch.parts)-1, open, rows, lazy); err != nil {
		return nil, err
	}
	return s.column(), nil
}

func (ch *choice) branch(s *selection, fetch func(int, []uint32) (column.Column, error), arg, part int, rows []uint32, all int, lazy bool) error {
	if len(rows) == 0 {
		return nil
	}
	c, err := fetch(arg, rows)
	if err != nil {
		return err
	}
	return ch.add(s, part, c, rows, lazy && len(rows) < all)
}

// ifNumbers is if() and multiIf() of machine words, the common case, as one pass a branch from the last to the first.
func ifNumbers(ch *choice, call *Call) (column.Column, bool) {
	_, plain := classOf(ch.t)
	for i, a := range call.Args {
		if i%2 == 0 && i+1 < len(call.Args) {
			continue // a condition
		}
		c, native := classOf(a.Type())
		if !a.Type().Equal(ch.t) && !(plain && native && c.size <= 8) {
			return nil, false
		}
	}
	switch column.New(ch.t, 0).(type) {
	case *column.Num[uint8]:
		return selectNums[uint8](ch.t, call), true
	case *column.Num[uint16]:
		return selectNums[uint16](ch.t, call), true
	case *column.Num[uint32]:
		return selectNums[uint32](ch.t, call), true
	case *column.Num[uint64]:
		return selectNums[uint64](ch.t, call), true
	case *column.Num[int8]:
		return selectNums[int8](ch.t, call), true
	case *column.Num[int16]:
		return selectNums[int16](ch.t, call), true
	case *column.Num[int32]:
		return selectNums[int32](ch.t, call), true
	case *column.Num[int64]:
		return selectNums[int64](ch.t, call), true
	case *column.Num[float32]:
		return selectNums[float32](ch.t, call), true
	case *column.Num[float64]:
		return selectNums[float64](ch.t, call), true
	}
	return nil, false
}

func selectNums[T column.Number](t *column.Type, call *Call) column.Column {
	n := len(call.Args)
	rest, restConst := numsIn[T](call.Scratch, call.Args[n-1])
	var out []T
	for k := n - 3; k >= 0; k -= 2 {
		cond := truthIn(call.Scratch, call.Args[k], call.Rows)
		for i, c := range cond {
			cond[i] = c & triTrue // NULL is not true
		}
		a, ac := numsIn[T](call.Scratch, call.Args[k+1])
		if out == nil {
			out = column.Make[T](call.Scratch, call.Rows)
		}
		for i := simd.Select(out, cond, a, rest, ac, restConst); i < len(out); i++ {
			if cond[i] != 0 {
				out[i] = at(a, ac, i)
			} else {
				out[i] = at(rest, restConst, i)
			}
		}
		rest, restConst = out, false
	}
	return column.NewNum(t, out)
}

// bindCase is CASE x WHEN a THEN b ... ELSE c END.
func bindCase(env *Env, args []Arg) (*Bound, error) {
	n := len(args)
	if n == 2 { // CASE x END: no branch at all
		return nil, errcode.New(errcode.BadArguments, "CASE expression must have at least one WHEN branch")
	}
	if n < 4 || n%2 != 0 {
		return nil, errcode.New(errcode.NumberOfArgumentsDoesntMatch, "Function caseWithExpression expects at least 4 arguments and an even number of them, got %d", n)
	}
	var types []*column.Type
	var equal []*Bound
	eq, _ := Lookup("isNotDistinctFrom")
	for i := 1; i+1 < n; i += 2 {
		b, err := Bind(env, eq, []Arg{args[0], args[i]})
		if err != nil {
			return nil, err
		}
		equal = append(equal, b)
		types = append(types, args[i+1].Type)
	}
	ch, err := newChoice(append(types, args[n-1].Type))
	if err != nil {
		return nil, err
	}
	return result(ch.t, func(call *Call) (column.Column, error) {
		return ch.decide(call.Rows, n-1, func(i int, _ []uint8, _ int) (column.Column, error) {
			if i%2 == 1 || i == n-2 {
				return call.Args[i+1], nil
			}
			c := *call
			c.Args = []column.Column{call.Args[0], call.Args[i+1]}
			return equal[i/2].Exec(&c)
		}, false)
	})
}
