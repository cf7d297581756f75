package function

import (
	"dictsvc/column"
	"dictsvc/errcode"
)

func conditionalFunctions() []Function {
	const own = OwnNulls | OwnLowCardinality
	return []Function{
		{Name: "if", MinArgs: 3, MaxArgs: 3, Flags: own, Bind: bindIf("if")},
		{Name: "multiIf", MinArgs: 0, MaxArgs: -1, Flags: own, Bind: bindIf("multiIf")},
		{Name: "caseWithExpression", MinArgs: 0, MaxArgs: -1, Flags: own, Bind: bindCase},
		{Name: "transform", MinArgs: 3, MaxArgs: 4, Flags: OwnNulls, Bind: bindTransform},
		{Name: "ifNull", MinArgs: 2, MaxArgs: 2, Flags: own, Bind: bindCoalesce("ifNull")},
		{Name: "coalesce", MinArgs: 0, MaxArgs: -1, Flags: own, Bind: bindCoalesce("coalesce")},
		{Name: "nullIf", MinArgs: 2, MaxArgs: 2, Flags: own, Bind: bindNullIf},
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
		if name == "if" && args[0].Type.Base().Kind == column.Nothing { // if(NULL, a, b) is b
			return pick(args[2].Type, 2)
		}
		ch, err := newChoice(append(types, args[n-1].Type))
		if err != nil {
			return nil, err
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

// ifNumbers is if() of machine words of one type, the common case, as one pass.
func ifNumbers(ch *choice, call *Call) (column.Column, bool) {
	if len(call.Args) != 3 || !call.Args[1].Type().Equal(ch.t) || !call.Args[2].Type().Equal(ch.t) {
		return nil, false
	}
	switch unconst(call.Args[1]).(type) {
	case *column.Num[uint8]:
		return selectNums[uint8](ch.t, call), true
	case *column.Num[uint16]:
		return selectNums[uint16](ch.t, call), true
	case *column.Num[uint32]:
		return selectNums[uint32](ch.t, call), true
	case *column.Num[uint64]:
		return selectNums[uint64](ch.t, call), true
	case *column.Num[int32]:
		return selectNums[int32](ch.t, call), true
	case *column.Num[int64]:
		return selectNums[int64](ch.t, call), true
	case *column.Num[float64]:
		return selectNums[float64](ch.t, call), true
	}
	return nil, false
}

func selectNums[T column.Number](t *column.Type, call *Call) column.Column {
	cond := truth(call.Args[0], call.Rows)
	a, ac := nums[T](call.Args[1])
	b, bc := nums[T](call.Args[2])
	out := make([]T, call.Rows)
	for i, c := range cond {
		if c == triTrue {
			out[i] = at(a, ac, i)
		} else {
			out[i] = at(b, bc, i)
		}
	}
	return column.NewNum(t, out)
}

// bindCase is CASE x WHEN a THEN b ... ELSE c END.
func bindCase(env *Env, args []Arg) (*Bound, error) {
	n := len(args)
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

func bindCoalesce(name string) func(env *Env, args []Arg) (*Bound, error) {
	return func(_ *Env, args []Arg) (*Bound, error) {
		var types []*column.Type
		var which []int
		for i, a := range args {
			if a.Type.Base().Kind == column.Nothing && a.Type.IsNullable() {
				continue
			}
			which = append(which, i)
			types = append(types, a.Type)
			if !a.Type.IsNullable() { // nothing after it is ever taken
				break
			}
		}
		if len(which) == 0 {
			return result(nullType, func(call *Call) (column.Column, error) { return nullColumn(nullType, call.Rows), nil })
		}
		last := types[len(types)-1]
		if len(which) == 1 {
			return pick(last, which[0])
		}
		bare := make([]*column.Type, len(types))
		for i, t := range types {
			bare[i] = t.NoNull()
		}
		if last.IsNullable() {
			bare[len(bare)-1] = last
		}
		t, err := branchType(bare)
		if err != nil {
			return nil, err
		}
		ch := &choice{t: t, parts: make([]castFn, len(types))}
		for i, b := range bare {
			if ch.parts[i], err = castKernel(b, t); err != nil {
				return nil, err
			}
		}
		run := func(rows int, fetch func(i int, keep []uint8, n int) (column.Column, error), lazy bool) (column.Column, error) {
			return ch.coalesce(rows, which, fetch, lazy)
		}
		return &Bound{Type: t,
			Exec: func(call *Call) (column.Column, error) {
				return run(call.Rows, func(i int, _ []uint8, _ int) (column.Column, error) { return call.Args[i], nil }, false)
			},
			ExecLazy: func(call *LazyCall) (column.Column, error) {
				return run(call.Rows, func(i int, keep []uint8, n int) (column.Column, error) { return call.Args[i](keep, n) }, true)
			},
		}, nil
	}
}

// coalesce takes for each row the first argument that is not NULL.
func (ch *choice) coalesce(rows int, which []int, fetch func(i int, keep []uint8, n int) (column.Column, error), lazy bool) (column.Column, error) {
	open := make([]uint32, rows)
	for i := range open {
		open[i] = uint32(i)
	}
	s := ch.start(rows)
	for k, i := range which {
		if len(open) == 0 {
			break
		}
		dense := lazy && len(open) < rows
		var keep []uint8
		n := rows
		if dense {
			keep, n = make([]uint8, rows), len(open)
			for _, r := range open {
				keep[r] = 1
			}
		}
		c, err := fetch(i, keep, n)
		if err != nil {
			return nil, err
		}
		if k == len(which)-1 {
			if err := ch.add(s, k, c, open, dense); err != nil {
				return nil, err
			}
			break
		}
		if l, ok := unconst(c).(*column.LowCard); ok {
			if _, isConst := c.(*column.Const); isConst {
				c = column.NewConst(l.Expand(), c.Len())
			} else {
				c = l.Expand()
			}
		}
		v, nulls := splitNull(c)
		var rest []uint32
		hit := make([]uint32, 0, len(open))
		local := make([]uint32, 0, len(open))
		for j, r := range open {
			row := int(r)
			if dense {
				row = j
			}
			if nulls.at(row) {
				rest = append(rest, r)
			} else {
				hit, local = append(hit, r), append(local, uint32(row))
			}
		}
		if len(hit) > 0 {
			if err := ch.add(s, k, v.Gather(local), hit, true); err != nil {
				return nil, err
			}
		}
		open = rest
	}
	return s.column(), nil
}

func bindNullIf(env *Env, args []Arg) (*Bound, error) {
	a := args[0].Type
	if a.Base().Kind == column.Nothing {
		return pick(a, 0)
	}
	if !canBeNullable(a.NoLowCardinality()) && !a.IsNullable() {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "Nested type %s cannot be inside Nullable type", a)
	}
	t := column.NewNullable(a)
	if _, err := commonType(a.Base(), args[1].Type.Base()); err != nil {
		return nil, err
	}
	f, _ := Lookup("equals")
	eq, err := Bind(env, f, args)
	if err != nil {
		return nil, err
	}
	return result(t, func(call *Call) (column.Column, error) {
		e, err := eq.Exec(call)
		if err != nil {
			return nil, err
		}
		x := truth(e, call.Rows)
		nulls := make([]uint8, call.Rows)
		for i, v := range x {
			nulls[i] = bit(v == triTrue)
		}
		res := makeNull(column.Full(plainColumn(call.Args[0])), nulls)
		if t.Kind == column.LowCardinality {
			return encode(t, res), nil
		}
		return res, nil
	})
}

func bindIfNotFinite(env *Env, args []Arg) (*Bound, error) {
	if c, ok := classOf(args[0].Type); !ok || c.size > 8 {
		return nil, illegalType("ifNotFinite", args[0].Type)
	}
	ch, err := newChoice([]*column.Type{args[0].Type, args[1].Type})
	if err != nil {
		return nil, err
	}
	return result(ch.t, func(call *Call) (column.Column, error) {
		f, fc := nums[float64](call.Args[0])
		var finite, other []uint32
		for i := 0; i < call.Rows; i++ {
			if v := at(f, fc, i); v-v == 0 {
				finite = append(finite, uint32(i))
			} else {
				other = append(other, uint32(i))
			}
		}
		s := ch.start(call.Rows)
		if err := ch.add(s, 0, call.Args[0], finite, false); err != nil {
			return nil, err
		}
		if err := ch.add(s, 1, call.Args[1], other, false); err != nil {
			return nil, err
		}
		return s.column(), nil
	})
}

func bindIsNull(negate bool) func(env *Env, args []Arg) (*Bound, error) {
	flip := bit(negate)
	return func(_ *Env, args []Arg) (*Bound, error) {
		if !args[0].Type.IsNullable() {
			return result(uint8Type, func(call *Call) (column.Column, error) {
				return column.NewConst(column.UInt8s(flip), call.Rows), nil
			})
		}
		return result(uint8Type, func(call *Call) (column.Column, error) {
			out := make([]uint8, call.Rows)
			if l, ok := call.Args[0].(*column.LowCard); ok {
				n := l.Dict.(*column.Null)
				for i, k := range l.Index {
					out[i] = n.Nulls[k] ^ flip
				}
				return column.NewNum(uint8Type, out), nil
			}
			_, nulls := splitNull(plainColumn(call.Args[0]))
			for i := range out {
				out[i] = bit(nulls.at(i)) ^ flip
			}
			return column.NewNum(uint8Type, out), nil
		})
	}
}

func bindIsZeroOrNull(_ *Env, args []Arg) (*Bound, error) {
	t := args[0].Type.NoNull()
	if !t.IsNumber() && t.Kind != column.Nothing {
		return nil, errcode.New(errcode.BadArguments, "The argument of function isZeroOrNull must have simple numeric type, possibly Nullable or Null")
	}
	return result(uint8Type, func(call *Call) (column.Column, error) {
		v, nulls := splitNull(call.Args[0])
		out := make([]uint8, call.Rows)
		var zero []uint8
		if t.Kind != column.Nothing {
			zero = zeros(v, call.Rows)
		}
		for i := range out {
			out[i] = bit(nulls.at(i) || zero != nil && zero[i] != 0)
		}
		return column.NewNum(uint8Type, out), nil
	})
}

func bindIsNullable(_ *Env, args []Arg) (*Bound, error) {
	one := column.UInt8s(bit(args[0].Type.IsNullable()))
	return result(uint8Type, func(call *Call) (column.Column, error) { return column.NewConst(one, call.Rows), nil })
}

func bindAssumeNotNull(_ *Env, args []Arg) (*Bound, error) {
	t := args[0].Type.NoNull()
	return result(t, func(call *Call) (column.Column, error) {
		if t.Kind == column.Nothing && call.Rows > 0 {
			return nil, errcode.New(errcode.IllegalColumn, "Cannot create non-empty column with type Nothing")
		}
		v, _ := splitNull(call.Args[0])
		return v, nil
	})
}

func bindToNullable(_ *Env, args []Arg) (*Bound, error) {
	a := args[0].Type
	if a.IsNullable() {
		return pick(a, 0)
	}
	if !canBeNullable(a) {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "Nested type %s cannot be inside Nullable type", a)
	}
	t := column.NewNullable(a)
	return unary(t, func(c column.Column) column.Column {
		plain := plainColumn(c)
		res := column.NewNull(plain, make([]uint8, plain.Len()))
		if t.Kind == column.LowCardinality {
			return encode(t, res)
		}
		return res
	})
}

func bindFirstNonDefault(_ *Env, args []Arg) (*Bound, error) {
	types := make([]*column.Type, len(args))
	for i, a := range args {
		types[i] = a.Type
	}
	ch, err := newChoice(types)
	if err != nil {
		return nil, err
	}
	return result(ch.t, func(call *Call) (column.Column, error) {
		s := ch.start(call.Rows)
		open := make([]uint32, call.Rows)
		for i := range open {
			open[i] = uint32(i)
		}
		for k, a := range call.Args {
			zero := column.New(a.Type().NoNull(), 1)
			zero.AppendDefault(1)
			var hit, rest []uint32
			for _, r := range open {
				v, nulls := splitNull(plainColumn(a))
				if nulls.at(int(r)) || v.Type().Kind == column.Nothing || column.Compare(v, int(r), plainColumn(zero), 0, 1) == 0 {
					rest = append(rest, r)
				} else {
					hit = append(hit, r)
				}
			}
			if k == len(call.Args)-1 {
				hit = open
			}
			if err := ch.add(s, k, a, hit, false); err != nil {
				return nil, err
			}
			open = rest
		}
		return s.column(), nil
	})
}

// bindTransform is transform(x, from, to[, default]): each x that is in the array from becomes its partner in to.
func bindTransform(env *Env, args []Arg) (*Bound, error) {
	from, ok1 := unconst(args[1].Const).(*column.Arr)
	to, ok2 := unconst(args[2].Const).(*column.Arr)
	if !ok1 || !ok2 {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "Second and third arguments of function transform must be constant arrays")
	}
	if from.Elem.Len() != to.Elem.Len() {
		return nil, errcode.New(errcode.BadArguments, "Second and third arguments of function transform must be arrays of same size")
	}
	x := args[0].Type
	deflt := x
	if len(args) == 4 {
		deflt = args[3].Type
	}
	ch, err := newChoice([]*column.Type{to.Elem.Type(), deflt})
	if err != nil {
		return nil, err
	}
	key, err := commonType(x, from.Elem.Type())
	if err != nil {
		return nil, err
	}
	castX, err := castKernel(x, key)
	if err != nil {
		return nil, err
	}
	castFrom, err := castKernel(from.Elem.Type(), key)
	if err != nil {
		return nil, err
	}
	keys, err := castFrom(from.Elem, from.Elem.Len())
	if err != nil {
		return nil, err
	}
	index := make(map[string]uint32, keys.Len())
	for i := keys.Len() - 1; i >= 0; i-- {
		index[string(keys.AppendKey(nil, i))] = uint32(i)
	}
	return result(ch.t, func(call *Call) (column.Column, error) {
		v, err := castX(call.Args[0], call.Rows)
		if err != nil {
			return nil, err
		}
		s := ch.start(call.Rows)
		var hit, place, other []uint32
		var buf []byte
		for i := 0; i < call.Rows; i++ {
			buf = v.AppendKey(buf[:0], i)
			if k, ok := index[string(buf)]; ok {
				hit, place = append(hit, uint32(i)), append(place, k)
			} else {
				other = append(other, uint32(i))
			}
		}
		if len(hit) > 0 {
			if err := ch.add(s, 0, to.Elem.Gather(place), hit, true); err != nil {
				return nil, err
			}
		}
		rest := call.Args[0]
		if len(args) == 4 {
			rest = call.Args[3]
		}
		if err := ch.add(s, 1, rest, other, false); err != nil {
			return nil, err
		}
		return s.column(), nil
	})
}
