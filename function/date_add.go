package function

import (
	"math"

	"dictsvc/column"
	"dictsvc/errcode"
)

// unitInfo describes an interval's unit: seconds of fixed units, months of calendar units, the power of ten of fractions of a second.
type unitInfo struct {
	name    string // as in IntervalDay
	seconds int64  // units of fixed length from a second to an hour
	days    int64  // Day, Week: whole local days
	months  int64  // Month, Quarter, Year
	scale   int    // Millisecond 3, Microsecond 6, Nanosecond 9
}

var units = []unitInfo{
	{name: "Nanosecond", scale: 9}, {name: "Microsecond", scale: 6}, {name: "Millisecond", scale: 3},
	{name: "Second", seconds: 1}, {name: "Minute", seconds: 60}, {name: "Hour", seconds: 3600},
	{name: "Day", days: 1}, {name: "Week", days: 7}, {name: "Month", months: 1}, {name: "Quarter", months: 3}, {name: "Year", months: 12},
}

// nanoseconds is the unit's usual length.
func (u unitInfo) nanoseconds() int64 {
	const day = 86400 * 1e9
	switch {
	case u.scale > 0:
		return ipow10(9 - u.scale)
	case u.name == "Year":
		return 365 * day
	case u.months > 0:
		return u.months * 30 * day
	case u.days > 0:
		return u.days * day
	}
	return u.seconds * 1e9
}

func unitOf(name string) unitInfo {
	for _, u := range units {
		if u.name == name {
			return u
		}
	}
	return unitInfo{}
}

func dateAddFunctions() []Function {
	var list []Function
	for _, u := range units {
		list = append(list,
			Function{Name: "add" + u.name + "s", MinArgs: 2, MaxArgs: 2, Bind: bindAddUnit("add"+u.name+"s", u, 1)},
			Function{Name: "subtract" + u.name + "s", MinArgs: 2, MaxArgs: 2, Bind: bindAddUnit("subtract"+u.name+"s", u, -1)})
	}
	return append(list,
		Function{Name: "addDate", MinArgs: 2, MaxArgs: 2, Bind: bindAddDate("addDate", 1)},
		Function{Name: "subDate", MinArgs: 2, MaxArgs: 2, Bind: bindAddDate("subDate", -1)},
		Function{Name: "addInterval", MinArgs: 2, MaxArgs: 2, Bind: bindAddDate("addInterval", 1)},
		Function{Name: "subtractInterval", MinArgs: 2, MaxArgs: 2, Bind: bindAddDate("subtractInterval", -1)})
}

// addType is the type of a date or time of type t plus an interval of unit u.
func addType(name string, t *column.Type, u unitInfo) (*column.Type, error) {
	switch {
	case t.Kind == column.Date && u.scale > 0, t.Kind == column.Date32 && u.scale > 0:
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "%s cannot be used with %s", name, t.Kind)
	case t.Kind == column.Date && u.seconds > 0:
		return column.Of(column.DateTime), nil
	case t.Kind == column.Date32 && u.seconds > 0:
		return column.NewDateTime64(3, "")
	case t.Kind == column.DateTime && u.scale > 0:
		return column.NewDateTime64(u.scale, t.Zone)
	case t.Kind == column.DateTime64 && u.scale > t.Scale:
		return column.NewDateTime64(u.scale, t.Zone)
	}
	return t, nil
}

func bindAddUnit(name string, u unitInfo, sign int64) func(env *Env, args []Arg) (*Bound, error) {
	return func(_ *Env, args []Arg) (*Bound, error) {
		a, b := args[0].Type, args[1].Type
		if !b.IsInteger() && !b.IsFloat() && !b.IsDecimal() && b.Kind != column.Interval {
			return nil, errcode.New(errcode.IllegalTypeOfArgument, "Invalid type of 2nd argument of function %s: expected a number", name)
		}
		if a.IsString() {
			t, err := column.NewDateTime64(3, "")
			if err != nil {
				return nil, err
			}
			parse, err := castKernel(a, t)
			if err != nil {
				return nil, err
			}
			add, err := bindAdd(name, t, u, sign)
			if err != nil {
				return nil, err
			}
			return result(add.Type, func(call *Call) (column.Column, error) {
				c := *call
				d, err := parse(call.Args[0], call.Rows)
				if err != nil {
					return nil, err
				}
				c.Args = []column.Column{d, call.Args[1]}
				return add.Exec(&c)
			})
		}
		if !a.IsDateOrTime() {
			return nil, errcode.New(errcode.IllegalTypeOfArgument, "Illegal type %s of first argument of function %s. Must be a date, a date with time or a String", a, name)
		}
		return bindAdd(name, a, u, sign)
	}
}

func bindAddDate(name string, sign int64) func(env *Env, args []Arg) (*Bound, error) {
	return func(env *Env, args []Arg) (*Bound, error) {
		if args[1].Type.Kind != column.Interval {
			return nil, errcode.New(errcode.IllegalTypeOfArgument, "Illegal type %s of 2nd argument of function %s. Should be an interval", args[1].Type, name)
		}
		return bindAddUnit(name, unitOf(args[1].Type.Unit), sign)(env, args)
	}
}

// bindAdd adds a number of units to a column of dates or times.
func bindAdd(name string, a *column.Type, u unitInfo, sign int64) (*Bound, error) {
	prefix := "add"
	if sign < 0 {
		prefix = "subtract"
	}
	t, err := addType(prefix+u.name+"s", a, u)
	if err != nil {
		return nil, err
	}
	return result(t, func(call *Call) (column.Column, error) {
		x, xc := nums[int64](call.Args[0])
		n, nc := nums[int64](call.Args[1])
		if d := call.Args[1].Type(); d.IsDecimal() {
			f, _ := decimalFloats(call.Args[1])
			n = convert[int64](f)
		}
		step := addStep(a, t, u)
		out := make([]int64, call.Rows)
		for i := range out {
			out[i] = step(at(x, xc, i), sign*at(n, nc, i))
		}
		return numCut(t, out), nil
	})
}

// addStep adds n units to one value of type a, giving one of type t.
func addStep(a, t *column.Type, u unitInfo) func(x, n int64) int64 {
	z := zoneOf(t)
	days := func(day, n int64) int64 {
		if u.days > 0 {
			return day + n*u.days
		}
		d := int64(civilOf(int(day)).addMonths(int(n * u.months)).days())
		if t.Kind == column.Date { // months end at the first day or second that the type has; shorter units wrap around
			d = max(d, 0)
		}
		return d
	}
	seconds := func(s, n int64) int64 {
		if u.seconds > 0 {
			return s + n*u.seconds
		}
		local := z.local(s)
		day := floorDiv64(local, 86400)
		moved := z.unix(days(day, n)*86400 + local - day*86400)
		if t.Kind == column.DateTime && u.months > 0 {
			moved = max(moved, 0)
		}
		return moved
	}
	switch {
	case (a.Kind == column.Date || a.Kind == column.Date32) && t.Kind == a.Kind:
		return days
	case a.Kind == column.Date:
		return func(x, n int64) int64 { return z.dayStart(int(x)) + n*u.seconds }
	case a.Kind == column.Date32:
		return func(x, n int64) int64 { return (z.dayStart(int(x)) + n*u.seconds) * 1000 }
	case a.Kind == column.DateTime && t.Kind == column.DateTime:
		return seconds
	}
	shift := ipow10(t.Scale)
	if a.Kind == column.DateTime64 {
		shift = ipow10(t.Scale - a.Scale)
	}
	if u.scale > 0 {
		unit := ipow10(t.Scale - u.scale)
		return func(x, n int64) int64 { return x*shift + n*unit }
	}
	p := ipow10(t.Scale)
	return func(x, n int64) int64 {
		whole := floorDiv64(x, p)
		return seconds(whole, n)*p + x - whole*p
	}
}

func ipow10(n int) int64 {
	p := int64(1)
	for ; n > 0; n-- {
		p *= 10
	}
	return p
}

// bindDateArith binds + and - with a date, time or interval among the operands; nil, nil where there is none it takes.
func bindDateArith(env *Env, op arithOp, args []Arg) (*Bound, error) {
	a, b := args[0].Type, args[1].Type
	sign := int64(1)
	if op == opMinus {
		sign = -1
	}
	switch {
	case a.IsDateOrTime() && b.Kind == column.Interval:
		return bindAdd(arithNames[op], a, unitOf(b.Unit), sign)
	case a.IsDateOrTime() && (b.IsInteger() || b.IsFloat()):
		return bindAddNumber(a, sign)
	case op == opPlus && b.IsDateOrTime() && (a.Kind == column.Interval || a.IsInteger() || a.IsFloat() || a.Kind == column.Tuple):
		swapped, err := bindDateArith(env, op, []Arg{args[1], args[0]})
		if swapped == nil || err != nil {
			return nil, err
		}
		return result(swapped.Type, func(call *Call) (column.Column, error) {
			c := *call
			c.Args = []column.Column{call.Args[1], call.Args[0]}
			return swapped.Exec(&c)
		})
	case op == opMinus && a.IsDateOrTime() && b.IsDateOrTime():
		return bindDateDifference(a, b)
	case a.Kind == column.Interval && b.Kind == column.Interval:
		return bindIntervals(op, a, b)
	case a.IsDateOrTime() && b.Kind == column.Tuple:
		return bindAddTuple(env, op, a, b)
	}
	return nil, nil
}

// bindAddNumber adds days to dates and seconds to times.
func bindAddNumber(a *column.Type, sign int64) (*Bound, error) {
	unit := int64(1)
	if a.Kind == column.DateTime64 {
		unit = ipow10(a.Scale)
	}
	return result(a, func(call *Call) (column.Column, error) {
		x, xc := nums[int64](call.Args[0])
		n, nc := nums[int64](call.Args[1])
		return numCut(a, each2(x, xc, n, nc, call.Rows, func(x, n int64) int64 { return x + sign*n*unit })), nil
	})
}

func bindDateDifference(a, b *column.Type) (*Bound, error) {
	if a.Kind == b.Kind && a.Kind != column.DateTime64 {
		t := column.Of(column.Int32)
		return result(t, func(call *Call) (column.Column, error) {
			x, xc := nums[int64](call.Args[0])
			y, yc := nums[int64](call.Args[1])
			return numCut(t, each2(x, xc, y, yc, call.Rows, func(x, y int64) int64 { return x - y })), nil
		})
	}
	timed := func(t *column.Type) bool { return t.Kind == column.DateTime || t.Kind == column.DateTime64 }
	if !timed(a) || !timed(b) {
		return nil, nil
	}
	scale := max(a.Scale, b.Scale)
	ma, mb := ipow10(scale-a.Scale), ipow10(scale-b.Scale)
	t := column.NewDecimal(18, scale)
	return result(t, func(call *Call) (column.Column, error) {
		x, xc := nums[int64](call.Args[0])
		y, yc := nums[int64](call.Args[1])
		return column.NewNum(t, each2(x, xc, y, yc, call.Rows, func(x, y int64) int64 { return x*ma - y*mb })), nil
	})
}

func bindIntervals(op arithOp, a, b *column.Type) (*Bound, error) {
	if a.Unit != b.Unit {
		t := column.NewTuple([]*column.Type{a, b}, nil)
		return result(t, func(call *Call) (column.Column, error) {
			second := call.full(call.Args[1])
			if op == opMinus {
				v, _ := nums[int64](second)
				second = column.NewNum(b, mapSlice(v, func(n int64) int64 { return -n }))
			}
			return &column.Tup{T: t, Elems: []column.Column{call.full(call.Args[0]), second}, N: call.Rows}, nil
		})
	}
	loop := plusLoop[int64]
	if op == opMinus {
		loop = minusLoop[int64]
	}
	return loopKernel(loop, a).bound(a)
}

// bindAddTuple adds the intervals of a tuple one after the other.
func bindAddTuple(env *Env, op arithOp, a, b *column.Type) (*Bound, error) {
	t := a
	steps := make([]*Bound, len(b.Elems))
	for i, e := range b.Elems {
		if e.Kind != column.Interval {
			return nil, nil
		}
		step, err := bindDateArith(env, op, []Arg{{Type: t}, {Type: e}})
		if err != nil {
			return nil, err
		}
		steps[i], t = step, step.Type
	}
	return result(t, func(call *Call) (column.Column, error) {
		d := call.Args[0]
		for i, s := range steps {
			c := *call
			c.Args = []column.Column{d, tupleElem(call.Args[1], i)}
			var err error
			if d, err = s.Exec(&c); err != nil {
				return nil, err
			}
		}
		return d, nil
	})
}

// clampDay keeps a day number inside what Date holds.
func clampDay(d int) int { return min(max(d, 0), math.MaxUint16) }
