package function

import (
	"fmt"

	"dictsvc/column"
	"dictsvc/errcode"
)

// Bind chooses the kernel of f for the types of its arguments and wraps it as its flags say: LowCardinality is computed on the
// dictionary or expanded, constants are computed once, NULL in gives NULL out.
func Bind(env *Env, f *Function, args []Arg) (*Bound, error) {
	if err := checkCount(f, len(args)); err != nil {
		return nil, err
	}
	if err := refuse(f, args); err != nil {
		return nil, err
	}
	bind := bindConst
	if f.Flags&OwnLowCardinality == 0 {
		for _, a := range args {
			if hasLowCardinality(a.Type) {
				bind = bindLowCardinality
			}
		}
	}
	b, err := bind(env, f, args)
	if err != nil {
		return nil, err
	}
	return guard(f, b), nil
}

// guard turns a panic of a kernel, a fault of ours, into an error of the query instead of the end of the program.
func guard(f *Function, b *Bound) *Bound {
	safe := func(err *error) {
		if r := recover(); r != nil {
			switch r := r.(type) {
			case ended:
				*err = r.err
				return
			case *errcode.Error: // too large a column
				*err = r
				return
			}
			*err = errcode.New(errcode.LogicalError, "Logical error in function %s: %v", f.Name, r)
		}
	}
	exec := b.Exec
	if f.Flags&(OwnConst|NotDeterministic) == 0 {
		exec = func(call *Call) (column.Column, error) {
			if call.Lambdas != nil {
				return b.Exec(call)
			}
			return inRuns(call, b.Type, b.Exec)
		}
	}
	out := &Bound{Type: b.Type, Value: b.Value, Exec: func(call *Call) (res column.Column, err error) {
		defer safe(&err)
		return metered(call, exec)
	}}
	if b.ExecLazy != nil {
		out.ExecLazy = func(call *LazyCall) (res column.Column, err error) {
			defer safe(&err)
			return b.ExecLazy(call)
		}
	}
	return out
}

func checkCount(f *Function, n int) error {
	if n >= f.MinArgs && (f.MaxArgs < 0 || n <= f.MaxArgs) {
		return nil
	}
	if f.MinArgs == f.MaxArgs {
		return errcode.New(errcode.NumberOfArgumentsDoesntMatch, "Number of arguments for function %s doesn't match: passed %d, should be %d", f.Name, n, f.MinArgs)
	}
	want := ""
	if f.MinArgs > 0 {
		want = plural(f.MinArgs, "mandatory argument")
	}
	switch {
	case f.MaxArgs < 0:
		return errcode.New(errcode.NumberOfArgumentsDoesntMatch, "Number of arguments for function %s doesn't match: passed %d, should be at least %d", f.Name, n, f.MinArgs)
	case want != "":
		want += " and "
	}
	want += plural(f.MaxArgs-f.MinArgs, "optional argument")
	return errcode.New(errcode.NumberOfArgumentsDoesntMatch, "An incorrect number of arguments was specified for function '%s'. Expected %s, got %s", f.Name, want, plural(n, "argument"))
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// hasLowCardinality tells whether LowCardinality stands anywhere in a type.
func hasLowCardinality(t *column.Type) bool {
	if t.Kind == column.LowCardinality {
		return true
	}
	if t.Kind == column.AggregateFunction {
		return false
	}
	for _, e := range t.Elems {
		if hasLowCardinality(e) {
			return true
		}
	}
	return false
}

// plainType takes LowCardinality out of a type at every depth.
func plainType(t *column.Type) *column.Type {
	if !hasLowCardinality(t) {
		return t
	}
	switch t.Kind {
	case column.LowCardinality:
		return t.Elems[0]
	case column.Array:
		return column.NewArray(plainType(t.Elems[0]))
	case column.Map:
		return column.NewMap(plainType(t.Elems[0]), plainType(t.Elems[1]))
	case column.Tuple:
		elems := make([]*column.Type, len(t.Elems))
		for i, e := range t.Elems {
			elems[i] = plainType(e)
		}
		return column.NewTuple(elems, t.Names)
	}
	return t
}

// plainColumn expands LowCardinality at every depth; a Const stays one.
func plainColumn(c column.Column) column.Column {
	switch x := c.(type) {
	case *column.LowCard:
		return x.Expand()
	case *column.Const:
		if !hasLowCardinality(x.Type()) {
			return c
		}
		return column.NewConst(plainColumn(x.Val), x.N)
	case *column.Arr:
		if hasLowCardinality(x.T) {
			return &column.Arr{T: plainType(x.T), Ends: x.Ends, Elem: plainColumn(x.Elem), Start: x.Start}
		}
	case *column.MapColumn:
		if hasLowCardinality(x.T) {
			return &column.MapColumn{T: plainType(x.T), Arr: plainColumn(x.Arr).(*column.Arr)}
		}
	case *column.Tup:
		if hasLowCardinality(x.T) {
			out := &column.Tup{T: plainType(x.T), Elems: make([]column.Column, len(x.Elems)), N: x.N}
			for i, e := range x.Elems {
				out.Elems[i] = plainColumn(e)
			}
			return out
		}
	}
	return c
}

// canBeLowCardinality tells whether LowCardinality(t) is a type.
func canBeLowCardinality(t *column.Type) bool {
	b := t.NoNull()
	return b.IsInteger() || b.IsFloat() || b.IsString() || b.Kind == column.Date || b.Kind == column.Date32 || b.Kind == column.DateTime ||
		b.Kind == column.UUID || b.Kind == column.IPv4 || b.Kind == column.IPv6
}

// bindLowCardinality runs f on the values of the dictionary where one LowCardinality column is the only argument that varies, and on expanded columns otherwise.
func bindLowCardinality(env *Env, f *Function, args []Arg) (*Bound, error) {
	plain := make([]Arg, len(args))
	low, other, at, any := 0, 0, -1, false
	for i, a := range args {
		plain[i] = a
		plain[i].Type = plainType(a.Type)
		if a.Const != nil {
			plain[i].Const = plainColumn(a.Const)
		}
		isLow := a.Type.Kind == column.LowCardinality
		any = any || isLow
		switch {
		case a.Const != nil:
		case isLow:
			low, at = low+1, i
		default:
			other++
		}
	}
	inner, err := bindConst(env, f, plain)
	if err != nil {
		return nil, err
	}
	expand := func(call *Call) (column.Column, error) {
		c := *call
		c.Args = make([]column.Column, len(call.Args))
		for i, a := range call.Args {
			if a != nil {
				c.Args[i] = plainColumn(a)
			}
		}
		return inner.Exec(&c)
	}
	if f.Flags&PlainResult != 0 || !any || low > 1 || other > 0 || !canBeLowCardinality(inner.Type) || f.Flags&NotDeterministic != 0 {
		return &Bound{Type: inner.Type, Value: inner.Value, Exec: expand, ExecLazy: expandLazy(inner)}, nil
	}
	t := column.NewLowCardinality(inner.Type)
	exec := func(call *Call) (column.Column, error) {
		if at < 0 {
			res, err := expand(call)
			if err != nil {
				return nil, err
			}
			return encode(t, res), nil
		}
		l, ok := call.Args[at].(*column.LowCard)
		for i, a := range call.Args {
			_, isConst := a.(*column.Const)
			ok = ok && (i == at || isConst)
		}
		if !ok {
			res, err := expand(call)
			if err != nil {
				return nil, err
			}
			return encode(t, res), nil
		}
		return onDictionary(t, inner, call, at, l)
	}
	out := &Bound{Type: t, Exec: exec}
	if lazy := expandLazy(inner); lazy != nil {
		out.ExecLazy = func(call *LazyCall) (column.Column, error) {
			res, err := lazy(call)
			if err != nil {
				return nil, err
			}
			return encode(t, res), nil
		}
	}
	return out, nil
}

func expandLazy(inner *Bound) func(*LazyCall) (column.Column, error) {
	if inner.ExecLazy == nil {
		return nil
	}
	return func(call *LazyCall) (column.Column, error) {
		c := *call
		c.Args = make([]LazyArg, len(call.Args))
		for i, a := range call.Args {
			c.Args[i] = func(keep []uint8, n int) (column.Column, error) {
				col, err := a(keep, n)
				if err != nil {
					return nil, err
				}
				return plainColumn(col), nil
			}
		}
		return inner.ExecLazy(&c)
	}
}

// encode makes a LowCardinality column of a plain one.
func encode(t *column.Type, c column.Column) column.Column {
	if k, ok := c.(*column.Const); ok {
		return column.NewConst(encode(t, k.Val), k.N)
	}
	out := column.NewLowCard(t, c.Len())
	out.AppendRange(c, 0, c.Len())
	return out
}

// onDictionary runs the function once for each value that the rows of l use.
func onDictionary(t *column.Type, inner *Bound, call *Call, at int, l *column.LowCard) (column.Column, error) {
	place := make([]uint32, l.Dict.Len()) // 1 + a value's place among the used ones
	var used []uint32
	for _, k := range l.Index {
		if place[k] == 0 {
			used = append(used, k)
			place[k] = uint32(len(used))
		}
	}
	c := *call
	c.Args = make([]column.Column, len(call.Args))
	for i, a := range call.Args {
		switch x := a.(type) {
		case *column.LowCard:
			c.Args[i] = x.Dict.Gather(used)
		case *column.Const:
			c.Args[i] = plainColumn(column.NewConst(x.Val, len(used)))
		}
	}
	c.Rows = len(used)
	res, err := inner.Exec(&c)
	if err != nil {
		return nil, err
	}
	res = column.Full(res)
	out := column.NewLowCard(t, 0)
	codes := make([]uint32, len(used))
	for i := range codes {
		codes[i] = out.Code(res, i)
	}
	out.Index = make([]uint32, len(l.Index))
	for i, k := range l.Index {
		out.Index[i] = codes[place[k]-1]
	}
	return out, nil
}

// bindConst computes calls whose arguments are all constant on one row.
func bindConst(env *Env, f *Function, args []Arg) (*Bound, error) {
	inner, err := bindNulls(env, f, args)
	if err != nil || f.Flags&OwnConst != 0 || len(args) == 0 {
		return inner, err
	}
	exec := func(call *Call) (column.Column, error) {
		if call.Rows == 0 {
			return column.New(inner.Type, 0), nil
		}
		if !allConst(call.Args) {
			return inner.Exec(call)
		}
		c := *call
		c.Rows = 1
		c.Args = make([]column.Column, len(call.Args))
		for i, a := range call.Args {
			c.Args[i] = a.(*column.Const).Val
		}
		res, err := inner.Exec(&c)
		if err != nil {
			return nil, err
		}
		return column.NewConst(res, call.Rows), nil
	}
	return &Bound{Type: inner.Type, Value: inner.Value, Exec: exec, ExecLazy: inner.ExecLazy}, nil
}

func allConst(args []column.Column) bool {
	for _, a := range args {
		if _, ok := a.(*column.Const); !ok {
			return false
		}
	}
	return true
}

var nullType = column.NewNullable(column.Of(column.Nothing))

// nullColumn is NULL of a Nullable type, n rows long.
func nullColumn(t *column.Type, n int) column.Column {
	one := column.New(t, 1)
	one.AppendDefault(1)
	return column.NewConst(one, n)
}

// canBeNullable tells whether Nullable(t) is a type.
func canBeNullable(t *column.Type) bool {
	switch t.Kind {
	case column.Array, column.Tuple, column.Map, column.AggregateFunction, column.Nullable:
		return false
	}
	return true
}

// bindNulls gives f its arguments without Nullable and NULL where any of them is NULL.
func bindNulls(env *Env, f *Function, args []Arg) (*Bound, error) {
	if f.Flags&OwnNulls != 0 {
		return f.Bind(env, args)
	}
	nullable := false
	for _, a := range args {
		if a.Type.Kind != column.Nullable {
			continue
		}
		if a.Type.Elems[0].Kind == column.Nothing {
			return &Bound{Type: nullType, Exec: func(call *Call) (column.Column, error) { return nullColumn(nullType, call.Rows), nil }}, nil
		}
		nullable = true
	}
	if !nullable {
		return f.Bind(env, args)
	}
	bare := make([]Arg, len(args))
	for i, a := range args {
		bare[i] = a
		bare[i].Type = a.Type.NoNull()
		if n, ok := unconst(a.Const).(*column.Null); ok {
			bare[i].Const = n.Inner
		}
	}
	inner, err := f.Bind(env, bare)
	if err != nil {
		return nil, err
	}
	if f.Flags&NullText != 0 && bare[0].Type.Kind == column.String && args[0].Type.Kind == column.Nullable {
		t := column.NewNullable(inner.Type)
		cast, err := castKernel(bare[0].Type, t)
		if err != nil {
			return nil, err
		}
		inner, _ = cast.bound(t)
	}
	t := inner.Type
	if canBeNullable(t) {
		t = column.NewNullable(t)
	}
	return &Bound{Type: t, Exec: func(call *Call) (column.Column, error) { return execNulls(t, inner, call) }}, nil
}

func unconst(c column.Column) column.Column {
	if k, ok := c.(*column.Const); ok {
		return k.Val
	}
	return c
}

// defaultUnder is a Nullable column's values with the type's default in the place of each NULL.
func defaultUnder(c *column.Null) column.Column {
	if column.Count(c.Nulls) == 0 {
		return c.Inner
	}
	out := c.Inner.New(c.Len())
	for i, null := range c.Nulls {
		if null != 0 {
			out.AppendDefault(1)
		} else {
			out.AppendRange(c.Inner, i, i+1)
		}
	}
	return out
}

// execNulls runs the function on the values under the null maps. Where that fails and there are NULLs, the failure may come from
// the meaningless values under them: then it is run on the other rows alone.
func execNulls(t *column.Type, inner *Bound, call *Call) (column.Column, error) {
	c := *call
	c.Args = make([]column.Column, len(call.Args))
	var nulls []uint8
	shared := false
	for i, a := range call.Args {
		c.Args[i] = a
		switch x := a.(type) {
		case *column.Null:
			c.Args[i] = x.Inner
			if t.Kind != column.Nullable { // what the function makes of a NULL is seen
				c.Args[i] = defaultUnder(x)
			}
			if nulls == nil {
				nulls, shared = x.Nulls, true
				continue
			}
			nulls = orNulls(nulls, x.Nulls, shared)
			shared = false
		case *column.Const:
			n, ok := x.Val.(*column.Null)
			if !ok {
				continue
			}
			if n.Nulls[0] != 0 {
				if t.Kind == column.Nullable {
					return nullColumn(t, call.Rows), nil
				}
				one := column.New(t, 1)
				one.AppendDefault(1)
				return column.NewConst(one, call.Rows), nil
			}
			c.Args[i] = column.NewConst(n.Inner, x.N)
		}
	}
	if nulls == nil {
		nulls = make([]uint8, call.Rows)
	}
	res, err := inner.Exec(&c)
	if err != nil {
		if res, err = execNotNull(inner, &c, nulls, err); err != nil {
			return nil, err
		}
	}
	if t.Kind != column.Nullable {
		return res, nil
	}
	if k, ok := res.(*column.Const); ok && column.Count(nulls) == 0 {
		return column.NewConst(makeNull(k.Val, []uint8{0}), k.N), nil
	}
	return makeNull(column.Full(res), nulls), nil
}

// makeNull puts a null map on a column; one that is Nullable already keeps its own NULLs too.
func makeNull(c column.Column, nulls []uint8) column.Column {
	if n, ok := c.(*column.Null); ok {
		return &column.Null{T: n.T, Nulls: orNulls(n.Nulls, nulls, true), Inner: n.Inner}
	}
	return column.NewNull(c, nulls)
}

func orNulls(a, b []uint8, copied bool) []uint8 {
	out := a
	if copied {
		out = make([]uint8, len(a))
	}
	for i := range out {
		out[i] = a[i] | b[i]
	}
	return out
}

func execNotNull(inner *Bound, call *Call, nulls []uint8, cause error) (column.Column, error) {
	n := call.Rows - column.Count(nulls)
	if n == call.Rows {
		return nil, cause
	}
	keep := make([]uint8, len(nulls))
	rows := make([]uint32, len(nulls)) // a row's place in the result; NULL rows take the default row behind it
	next := uint32(0)
	for i, z := range nulls {
		if rows[i] = uint32(n); z == 0 {
			keep[i], rows[i] = 1, next
			next++
		}
	}
	c := *call
	c.Rows = n
	c.Args = make([]column.Column, len(call.Args))
	for i, a := range call.Args {
		if a != nil {
			c.Args[i] = a.Filter(keep, n)
		}
	}
	var out column.Column
	if n == 0 {
		out = column.New(inner.Type, 1)
	} else {
		res, err := inner.Exec(&c)
		if err != nil {
			return nil, err
		}
		res = column.Full(res)
		out = res.New(n + 1)
		out.AppendRange(res, 0, n)
	}
	out.AppendDefault(1)
	return out.Gather(rows), nil
}
