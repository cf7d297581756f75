package function

import (
	"dictsvc/column"
	"dictsvc/errcode"
)

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
			b, err := pick(last, which[0])
			b.Value = args[which[0]].Const
			return b, err
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
		keepPadding(ch, bare)
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
	b := args[1].Type.Base()
	_, noCommon := commonType(a.Base(), b)
	if noCommon != nil && (a.Base().IsString() || b.IsString()) {
		return nil, noCommon
	}
	f, _ := Lookup("equals")
	eq, err := Bind(env, f, args)
	if err != nil {
		return nil, err
	}
	if noCommon != nil && !(a.Base().IsNumber() && b.IsNumber()) {
		return nil, noCommon
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
	return func(env *Env, args []Arg) (*Bound, error) {
		if !args[0].Type.IsNullable() {
			return constant(column.UInt8s(flip))(env, args)
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

func bindIsNullable(env *Env, args []Arg) (*Bound, error) {
	return constant(column.UInt8s(bit(args[0].Type.IsNullable())))(env, args)
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
		s.all.AppendDefault(1) // for rows in which all are defaults
		open := make([]uint32, call.Rows)
		for i := range open {
			open[i] = uint32(i)
		}
		for k, a := range call.Args {
			zero := column.New(a.Type().NoNull(), 1) // of a Nullable argument only NULL is the default
			zero.AppendDefault(1)
			nullable := a.Type().NoLowCardinality().Kind == column.Nullable
			var hit, rest []uint32
			for _, r := range open {
				v, nulls := splitNull(plainColumn(a))
				if nulls.at(int(r)) || v.Type().Kind == column.Nothing || !nullable && column.Compare(v, int(r), plainColumn(zero), 0, 1) == 0 {
					rest = append(rest, r)
				} else {
					hit = append(hit, r)
				}
			}
			if k == len(call.Args)-1 && ch.t.Kind != column.Nullable {
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
