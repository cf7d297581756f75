package function

import (
	"dictsvc/column"
	"dictsvc/errcode"
)

func extremeFunctions() []Function {
	return []Function{
		{Name: "greatest", MinArgs: 0, MaxArgs: -1, Flags: OwnNulls, Bind: bindExtreme("greatest", true)},
		{Name: "least", MinArgs: 0, MaxArgs: -1, Flags: OwnNulls, Bind: bindExtreme("least", false)},
		{Name: "avg2", MinArgs: 2, MaxArgs: 2, Flags: OwnNulls, Bind: bindAvg2},
	}
}

// extremeType is the type of the greater of two numbers: the common one, with two wider exceptions; nil where ClickHouse refuses the pair.
func extremeType(a, b numClass) *column.Type {
	if b.float {
		a, b = b, a
	}
	switch {
	case a.float && !b.float:
		if b.size > 4 {
			return nil
		}
		return numClass{float: true, signed: true, size: max(a.size, 2*b.size)}.typ()
	case a.float, a.signed == b.signed:
		return numClass{float: a.float, signed: a.signed, size: max(a.size, b.size)}.typ()
	}
	if a.signed {
		a, b = b, a
	}
	switch { // a is unsigned, b signed
	case a.size < b.size:
		return b.typ()
	case a.size == 8 && b.size == 8:
		return a.typ()
	case a.size == 32:
		return nil
	}
	return numClass{signed: true, size: a.size * 2}.typ()
}

func bindExtreme(name string, greatest bool) func(env *Env, args []Arg) (*Bound, error) {
	return func(_ *Env, args []Arg) (*Bound, error) {
		if len(args) == 0 {
			return nil, errcode.New(errcode.NumberOfArgumentsDoesntMatch, "Function %s cannot be called without arguments", name)
		}
		types := argTypes(args)
		t, err := commonType(types...)
		mixed := false // UInt64 with Int64: compared as Int128, given as UInt64
		if len(args) == 2 {
			a, b := types[0].NoNull(), types[1].NoNull()
			x, xok := classOf(a)
			y, yok := classOf(b)
			switch {
			case xok && yok:
				r := extremeType(x, y)
				if r == nil {
					return nil, illegalTypes(name, args)
				}
				mixed = !x.float && !y.float && x.size == 8 && y.size == 8 && x.signed != y.signed
				if t, err = r, nil; types[0].IsNullable() || types[1].IsNullable() {
					t = column.NewNullable(r)
				}
			case a.IsDecimal() && b.IsFloat() || a.IsFloat() && b.IsDecimal():
				if t, err = column.Of(column.Float64), nil; types[0].IsNullable() || types[1].IsNullable() {
					t = column.NewNullable(t)
				}
			}
		}
		if err != nil {
			return nil, err
		}
		if t.Base().Kind == column.Nothing {
			return result(t, func(call *Call) (column.Column, error) { return nullColumn(t, call.Rows), nil })
		}
		work := t
		if mixed {
			if work = column.Of(column.Int128); t.IsNullable() {
				work = column.NewNullable(work)
			}
		}
		casts, err := castsTo(types, work)
		if err != nil {
			return nil, err
		}
		var back castFn
		if mixed {
			if back, err = castKernel(work, t); err != nil {
				return nil, err
			}
		}
		return result(t, func(call *Call) (column.Column, error) {
			cols, err := castAll(casts, call.Args, call.Rows)
			if err != nil {
				return nil, err
			}
			res := column.Full(cols[0])
			for _, c := range cols[1:] {
				if len(cols) > 2 && work.IsFloat() {
					res = extremeFloats(res, c, call.Rows, greatest)
				} else {
					res = extremeOf(res, c, call.Rows, greatest)
				}
			}
			if mixed {
				return back(res, call.Rows)
			}
			return res, nil
		})
	}
}

// extremeOf takes the greater (or lesser) of each row; a NULL yields to the other side, and where neither is greater the second is taken, NaN included.
func extremeOf(a, b column.Column, rows int, greatest bool) column.Column {
	switch x := a.(type) {
	case *column.Num[uint8]:
		return extremeNums(x, b, rows, greatest)
	case *column.Num[uint16]:
		return extremeNums(x, b, rows, greatest)
	case *column.Num[uint32]:
		return extremeNums(x, b, rows, greatest)
	case *column.Num[uint64]:
		return extremeNums(x, b, rows, greatest)
	case *column.Num[int8]:
		return extremeNums(x, b, rows, greatest)
	case *column.Num[int16]:
		return extremeNums(x, b, rows, greatest)
	case *column.Num[int32]:
		return extremeNums(x, b, rows, greatest)
	case *column.Num[int64]:
		return extremeNums(x, b, rows, greatest)
	case *column.Num[float32]:
		return extremeNums(x, b, rows, greatest)
	case *column.Num[float64]:
		return extremeNums(x, b, rows, greatest)
	}
	nulls := -1
	if !greatest {
		nulls = 1
	}
	all := a.New(2 * rows)
	all.AppendRange(a, 0, rows)
	all.AppendRange(column.Full(b), 0, rows)
	from := make([]uint32, rows)
	for i := range from {
		c := column.Compare(a, i, b, i, nulls)
		if from[i] = uint32(i); greatest && c < 0 || !greatest && c > 0 {
			from[i] = uint32(rows + i)
		}
	}
	return all.Gather(from)
}

// extremeFloats is extremeOf for more than two arguments, where NaN is greater than all numbers.
func extremeFloats(a, b column.Column, rows int, greatest bool) column.Column {
	all := a.New(2 * rows)
	all.AppendRange(a, 0, rows)
	all.AppendRange(column.Full(b), 0, rows)
	from := make([]uint32, rows)
	for i := range from {
		c := column.Compare(a, i, b, i, 1)
		if from[i] = uint32(i); greatest && c < 0 || !greatest && c > 0 {
			from[i] = uint32(rows + i)
		}
	}
	return all.Gather(from)
}

func extremeNums[T column.Number](a *column.Num[T], b column.Column, rows int, greatest bool) column.Column {
	y, yc := nums[T](b)
	out := make([]T, rows)
	for i, v := range a.Data[:rows] {
		w := at(y, yc, i)
		if greatest && v > w || !greatest && v < w {
			w = v
		}
		out[i] = w
	}
	return column.NewNum(a.T, out)
}

// bindAvg2 is the middle of two values in their common type; where one is NULL, the other.
func bindAvg2(env *Env, args []Arg) (*Bound, error) {
	if args[0].Type.IsNullable() || args[1].Type.IsNullable() {
		return avgOfNullable(env, args)
	}
	t, err := commonType(argTypes(args)...)
	if err != nil {
		return nil, err
	}
	if !t.IsNumber() && t.Kind != column.Date && t.Kind != column.Date32 && t.Kind != column.DateTime && t.Kind != column.DateTime64 {
		return nil, illegalTypes("avg2", args)
	}
	casts, err := castsTo(argTypes(args), t)
	if err != nil {
		return nil, err
	}
	return result(t, func(call *Call) (column.Column, error) {
		cols, err := castAll(casts, call.Args, call.Rows)
		if err != nil {
			return nil, err
		}
		if t.IsFloat() {
			a, ac := nums[float64](cols[0])
			b, bc := nums[float64](cols[1])
			out := each2(a, ac, b, bc, call.Rows, func(x, y float64) float64 { return (x + y) / 2 })
			if t.Kind == column.Float32 {
				return column.NewNum(t, convert[float32](out)), nil
			}
			return column.NewNum(t, out), nil
		}
		a, ac := wides(cols[0])
		b, bc := wides(cols[1])
		return narrow(t, each2(a, ac, b, bc, call.Rows, func(x, y wide) wide { q, _ := x.add(y).divmodS(wideU(2)); return q })), nil
	})
}

func avgOfNullable(env *Env, args []Arg) (*Bound, error) {
	whole, err := commonType(argTypes(args)...)
	if err != nil {
		return nil, err
	}
	t := whole.Base()
	if t.Kind == column.Nothing {
		return result(whole, func(call *Call) (column.Column, error) { return nullColumn(whole, call.Rows), nil })
	}
	inner, err := bindAvg2(env, []Arg{{Type: t}, {Type: t}})
	if err != nil {
		return nil, err
	}
	casts, err := castsTo(argTypes(args), whole)
	if err != nil {
		return nil, err
	}
	return result(whole, func(call *Call) (column.Column, error) {
		cols, err := castAll(casts, call.Args, call.Rows)
		if err != nil {
			return nil, err
		}
		a, an := splitNull(column.Full(cols[0]))
		b, bn := splitNull(column.Full(cols[1]))
		// Row i of either side, where it is NULL the other's row instead.
		both := column.New(t, 2*call.Rows)
		both.AppendRange(a, 0, call.Rows)
		both.AppendRange(b, 0, call.Rows)
		first, second, nulls := make([]uint32, call.Rows), make([]uint32, call.Rows), make([]uint8, call.Rows)
		for i := range nulls {
			first[i], second[i] = uint32(i), uint32(call.Rows+i)
			switch {
			case an.at(i) && bn.at(i):
				nulls[i] = 1
			case an.at(i):
				first[i] = second[i]
			case bn.at(i):
				second[i] = first[i]
			}
		}
		c := *call
		c.Args = []column.Column{both.Gather(first), both.Gather(second)}
		res, err := inner.Exec(&c)
		if err != nil {
			return nil, err
		}
		return column.NewNull(column.Full(res), nulls), nil
	})
}
