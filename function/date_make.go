package function

import (
	"math"

	"dictsvc/column"
	"dictsvc/errcode"
)

func dateMakeFunctions() []Function {
	list := []Function{
		{Name: "now", MinArgs: 0, MaxArgs: 1, Bind: bindNow},
		{Name: "nowInBlock", MinArgs: 0, MaxArgs: 1, Flags: NotDeterministic, Bind: bindNow},
		{Name: "now64", MinArgs: 0, MaxArgs: 2, Bind: bindNow64},
		{Name: "UTCTimestamp", Bind: func(env *Env, args []Arg) (*Bound, error) {
			t, err := column.NewDateTime("UTC")
			if err != nil {
				return nil, err
			}
			return constant(column.NewNum(t, []uint32{uint32(env.Now.Unix())}))(env, args)
		}},
		{Name: "today", Bind: bindToday(0)},
		{Name: "yesterday", Bind: bindToday(-1)},
		{Name: "makeDate", MinArgs: 2, MaxArgs: 3, Bind: bindMakeDate("makeDate", column.Date, 1970, 2149)},
		{Name: "makeDate32", MinArgs: 2, MaxArgs: 3, Bind: bindMakeDate("makeDate32", column.Date32, 1900, 2299)},
		{Name: "makeDateTime", MinArgs: 6, MaxArgs: 7, Bind: bindMakeDateTime},
		{Name: "makeDateTime64", MinArgs: 6, MaxArgs: 9, Bind: bindMakeDateTime64},
		{Name: "YYYYMMDDToDate", MinArgs: 1, MaxArgs: 1, Bind: bindNumberToDate("YYYYMMDDToDate", column.Date, 1970, 2149)},
		{Name: "YYYYMMDDToDate32", MinArgs: 1, MaxArgs: 1, Bind: bindNumberToDate("YYYYMMDDToDate32", column.Date32, 1900, 2299)},
		{Name: "fromDaysSinceYearZero", MinArgs: 1, MaxArgs: 1, Bind: bindFromYearZero("fromDaysSinceYearZero", column.Date)},
		{Name: "fromDaysSinceYearZero32", MinArgs: 1, MaxArgs: 1, Bind: bindFromYearZero("fromDaysSinceYearZero32", column.Date32)},
		{Name: "toTimezone", MinArgs: 2, MaxArgs: 2, Bind: bindToTimezone},
		{Name: "timezoneOf", MinArgs: 1, MaxArgs: 1, Bind: bindTimezoneOf},
		{Name: "timezoneOffset", MinArgs: 1, MaxArgs: 1, Bind: bindTimezoneOffset},
		{Name: "toUnixTimestamp", MinArgs: 1, MaxArgs: 2, Bind: bindToUnix},
		{Name: "toUnixTimestamp64Second", MinArgs: 1, MaxArgs: 1, Bind: bindToUnix64("toUnixTimestamp64Second", 0)},
		{Name: "toUnixTimestamp64Milli", MinArgs: 1, MaxArgs: 1, Bind: bindToUnix64("toUnixTimestamp64Milli", 3)},
		{Name: "toUnixTimestamp64Micro", MinArgs: 1, MaxArgs: 1, Bind: bindToUnix64("toUnixTimestamp64Micro", 6)},
		{Name: "toUnixTimestamp64Nano", MinArgs: 1, MaxArgs: 1, Bind: bindToUnix64("toUnixTimestamp64Nano", 9)},
		{Name: "fromUnixTimestamp64Second", MinArgs: 1, MaxArgs: 2, Bind: bindFromUnix64("fromUnixTimestamp64Second", 0)},
		{Name: "fromUnixTimestamp64Milli", MinArgs: 1, MaxArgs: 2, Bind: bindFromUnix64("fromUnixTimestamp64Milli", 3)},
		{Name: "fromUnixTimestamp64Micro", MinArgs: 1, MaxArgs: 2, Bind: bindFromUnix64("fromUnixTimestamp64Micro", 6)},
		{Name: "fromUnixTimestamp64Nano", MinArgs: 1, MaxArgs: 2, Bind: bindFromUnix64("fromUnixTimestamp64Nano", 9)},
	}
	for _, u := range units {
		t := column.NewInterval(u.name)
		list = append(list, Function{Name: "toInterval" + u.name, MinArgs: 1, MaxArgs: 1, Bind: func(_ *Env, args []Arg) (*Bound, error) {
			a := args[0].Type
			if a.IsString() {
				return castArg(a, t)
			}
			if !a.IsNumber() && a.Kind != column.Interval {
				return nil, illegalType("toInterval"+u.name, a)
			}
			return unary(t, func(c column.Column) column.Column {
				if a.IsDecimal() || a.IsFloat() {
					f, _ := decimalFloats(c)
					return column.NewNum(t, convert[int64](f))
				}
				v, _ := nums[int64](c)
				return column.NewNum(t, v)
			})
		}})
	}
	return list
}

func bindNow(env *Env, args []Arg) (*Bound, error) {
	t := column.Of(column.DateTime)
	if len(args) == 1 {
		zone, ok := constStr(args[0])
		if !ok {
			return nil, errcode.New(errcode.IllegalTypeOfArgument, "Arguments of function now should be String")
		}
		var err error
		if t, err = column.NewDateTime(zone); err != nil {
			return nil, err
		}
	}
	return constant(column.NewNum(t, []uint32{uint32(env.Now.Unix())}))(env, args)
}

func bindNow64(env *Env, args []Arg) (*Bound, error) {
	scale, zone := int64(3), ""
	if len(args) > 0 {
		n, ok := constInt(args[0])
		if !ok || n < 0 || n > 9 {
			return nil, errcode.New(errcode.BadArguments, "Precision of function now64 must be a constant integer from 0 to 9")
		}
		scale = n
	}
	if len(args) > 1 {
		zone, _ = constStr(args[1])
	}
	t, err := column.NewDateTime64(int(scale), zone)
	if err != nil {
		return nil, err
	}
	return constant(column.NewNum(t, []int64{env.Now.UnixNano() / ipow10(9-int(scale))}))(env, args)
}

func bindToday(shift int64) func(env *Env, args []Arg) (*Bound, error) {
	return func(env *Env, args []Arg) (*Bound, error) {
		day := floorDiv64(env.Now.Unix(), 86400) + shift
		return constant(column.NewNum(column.Of(column.Date), []uint16{uint16(day)}))(env, args)
	}
}

// numberArgs reads number arguments, fractions cut off.
func numberArgs(name string, args []Arg) error {
	for _, a := range args {
		if !a.Type.IsNumber() {
			return illegalType(name, a.Type)
		}
	}
	return nil
}

type intReader struct {
	v   []int64
	cst bool
}

func readInts(cols []column.Column) []intReader {
	out := make([]intReader, len(cols))
	for i, c := range cols {
		if c.Type().IsDecimal() {
			f, cst := decimalFloats(c)
			out[i] = intReader{convert[int64](f), cst}
			continue
		}
		out[i].v, out[i].cst = nums[int64](c)
	}
	return out
}

func (r intReader) at(i int) int64 { return at(r.v, r.cst, i) }

// dayOf is the number of a day given by year, month and day; what lies outside gives 0. A day behind the month's end runs into the next month.
func dayOf(y, m, d, low, high int64) int64 {
	if y < low || y > high || m < 1 || m > 12 || d < 1 || d > 31 {
		return 0
	}
	return int64(civil{int(y), int(m), int(d)}.days())
}

func bindMakeDate(name string, k column.Kind, low, high int64) func(env *Env, args []Arg) (*Bound, error) {
	return func(_ *Env, args []Arg) (*Bound, error) {
		if err := numberArgs(name, args); err != nil {
			return nil, err
		}
		t := column.Of(k)
		return result(t, func(call *Call) (column.Column, error) {
			r := readInts(call.Args)
			out := make([]int64, call.Rows)
			for i := range out {
				if len(r) == 3 {
					out[i] = dayOf(r[0].at(i), r[1].at(i), r[2].at(i), low, high)
				} else if y, n := r[0].at(i), r[1].at(i); y >= low && y <= high && n >= 1 && n <= 366 {
					out[i] = int64(civil{int(y), 1, 1}.days()) + n - 1
				}
				if k == column.Date && (out[i] < 0 || out[i] > math.MaxUint16) {
					out[i] = 0
				}
			}
			return numCut(t, out), nil
		})
	}
}

// instant makes local seconds of date and clock arguments.
func instant(r []intReader, i int, low, high int64) (int64, bool) {
	y, m, d := r[0].at(i), r[1].at(i), r[2].at(i)
	h, mi, s := r[3].at(i), r[4].at(i), r[5].at(i)
	if y < low || y > high || m < 1 || m > 12 || d < 1 || d > 31 || h < 0 || h > 23 || mi < 0 || mi > 59 || s < 0 || s > 59 {
		return 0, false
	}
	return int64(civil{int(y), int(m), int(d)}.days())*86400 + h*3600 + mi*60 + s, true
}

func bindMakeDateTime(_ *Env, args []Arg) (*Bound, error) {
	if err := numberArgs("makeDateTime", args[:6]); err != nil {
		return nil, err
	}
	t := column.Of(column.DateTime)
	if len(args) == 7 {
		zone, ok := constStr(args[6])
		if !ok {
			return nil, illegalType("makeDateTime", args[6].Type)
		}
		var err error
		if t, err = column.NewDateTime(zone); err != nil {
			return nil, err
		}
	}
	return result(t, func(call *Call) (column.Column, error) {
		r := readInts(call.Args[:6])
		z := zoneOf(t)
		out := make([]int64, call.Rows)
		for i := range out {
			if local, ok := instant(r, i, 1970, 2106); ok {
				out[i] = min(max(z.unix(local), 0), math.MaxUint32)
			}
		}
		return numCut(t, out), nil
	})
}

func bindMakeDateTime64(_ *Env, args []Arg) (*Bound, error) {
	if err := numberArgs("makeDateTime64", args[:min(len(args), 7)]); err != nil {
		return nil, err
	}
	scale, zone := int64(3), ""
	if len(args) > 7 {
		n, ok := constInt(args[7])
		if !ok || n < 0 || n > 9 {
			return nil, errcode.New(errcode.ArgumentOutOfBound, "Precision argument of function makeDateTime64 must be a constant integer from 0 to 9")
		}
		scale = n
	}
	if len(args) > 8 {
		zone, _ = constStr(args[8])
	}
	t, err := column.NewDateTime64(int(scale), zone)
	if err != nil {
		return nil, err
	}
	p := ipow10(int(scale))
	return result(t, func(call *Call) (column.Column, error) {
		r := readInts(call.Args[:min(len(call.Args), 7)])
		z := zoneOf(t)
		out := make([]int64, call.Rows)
		for i := range out {
			local, ok := instant(r, i, 1900, 2299)
			if !ok {
				continue
			}
			out[i] = z.unix(local) * p
			if len(r) == 7 {
				out[i] += min(max(r[6].at(i), 0), p-1)
			}
		}
		return column.NewNum(t, out), nil
	})
}

func bindNumberToDate(name string, k column.Kind, low, high int64) func(env *Env, args []Arg) (*Bound, error) {
	return func(_ *Env, args []Arg) (*Bound, error) {
		if err := numberArgs(name, args); err != nil {
			return nil, err
		}
		t := column.Of(k)
		return result(t, func(call *Call) (column.Column, error) {
			r := readInts(call.Args)[0]
			out := make([]int64, call.Rows)
			for i := range out {
				n := r.at(i)
				out[i] = dayOf(n/10000, n/100%100, n%100, low, high)
			}
			return numCut(t, out), nil
		})
	}
}

func bindFromYearZero(name string, k column.Kind) func(env *Env, args []Arg) (*Bound, error) {
	return func(_ *Env, args []Arg) (*Bound, error) {
		if !args[0].Type.IsInteger() {
			return nil, illegalType(name, args[0].Type)
		}
		t := column.Of(k)
		return unary(t, func(c column.Column) column.Column {
			v, _ := nums[int64](c)
			return numCut(t, mapSlice(v, func(n int64) int64 { return n - 719528 }))
		})
	}
}

func bindToTimezone(_ *Env, args []Arg) (*Bound, error) {
	a := args[0].Type
	zone, ok := constStr(args[1])
	if !ok {
		return nil, errcode.New(errcode.IllegalColumn, "Illegal type %s of argument of function toTimezone. Must be constant string", args[1].Type)
	}
	var t *column.Type
	var err error
	switch a.Kind {
	case column.DateTime:
		t, err = column.NewDateTime(zone)
	case column.DateTime64:
		t, err = column.NewDateTime64(a.Scale, zone)
	default:
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "Illegal type %s of argument of function toTimezone. Should be DateTime or DateTime64", a)
	}
	if err != nil {
		return nil, err
	}
	return result(t, func(call *Call) (column.Column, error) { return column.Retype(call.Args[0], t), nil })
}

func bindTimezoneOf(env *Env, args []Arg) (*Bound, error) {
	a := args[0].Type
	if a.Kind != column.DateTime && a.Kind != column.DateTime64 {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "A value of illegal type was provided as 1st argument 'datetime' to function 'timezoneOf'. Expected: DateTime or DateTime64, got: %s", a)
	}
	zone := a.Zone
	if zone == "" {
		zone = "UTC"
	}
	return constant(column.Strings(zone))(env, args)
}

func bindTimezoneOffset(_ *Env, args []Arg) (*Bound, error) {
	a := args[0].Type
	if a.Kind != column.DateTime && a.Kind != column.DateTime64 {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "Illegal type %s of argument of function timezoneOffset. Should be DateTime or DateTime64", a)
	}
	t := column.Of(column.Int32)
	return result(t, func(call *Call) (column.Column, error) {
		m := newMoments(call.Args[0], zoneOf(a))
		out := make([]int64, call.Rows)
		for i := range out {
			out[i] = m.z.offset(m.unix(i))
		}
		return numCut(t, out), nil
	})
}

func bindToUnix(_ *Env, args []Arg) (*Bound, error) {
	a := args[0].Type
	t := column.Of(column.UInt32)
	if a.IsString() {
		loc, zone, err := argZone("toUnixTimestamp", args, 1)
		if err != nil {
			return nil, err
		}
		dt := column.Of(column.DateTime)
		if loc != nil && zone != "" {
			if dt, err = column.NewDateTime(zone); err != nil {
				return nil, err
			}
		}
		cast, err := castKernel(a, dt)
		if err != nil {
			return nil, err
		}
		return result(t, func(call *Call) (column.Column, error) {
			c, err := cast(call.Args[0], call.Rows)
			if err != nil {
				return nil, err
			}
			return column.Retype(c, t), nil
		})
	}
	if !a.IsDateOrTime() {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "Illegal type %s of argument of function toUnixTimestamp. Should be a date, a date with time or a string", a)
	}
	loc, _, err := argZone("toUnixTimestamp", args, 1)
	if err != nil {
		return nil, err
	}
	return result(t, func(call *Call) (column.Column, error) {
		m := newMoments(call.Args[0], newZone(loc))
		out := make([]int64, call.Rows)
		for i := range out {
			if out[i] = m.unix(i); a.Kind == column.DateTime64 && (out[i] < 0 || out[i] > math.MaxUint32) {
				return nil, errcode.New(errcode.DecimalOverflow, "Convert overflow")
			}
		}
		return numCut(t, out), nil
	})
}

func bindToUnix64(name string, scale int) func(env *Env, args []Arg) (*Bound, error) {
	return func(_ *Env, args []Arg) (*Bound, error) {
		a := args[0].Type
		if a.Kind != column.DateTime64 {
			return nil, errcode.New(errcode.IllegalTypeOfArgument, "The first argument for function %s must be DateTime64, got %s", name, a)
		}
		t := column.Of(column.Int64)
		return unary(t, func(c column.Column) column.Column {
			v, _ := nums[int64](c)
			return column.NewNum(t, mapSlice(v, func(x int64) int64 {
				if a.Scale > scale {
					return x / ipow10(a.Scale-scale)
				}
				return x * ipow10(scale-a.Scale)
			}))
		})
	}
}

func bindFromUnix64(name string, scale int) func(env *Env, args []Arg) (*Bound, error) {
	return func(_ *Env, args []Arg) (*Bound, error) {
		a := args[0].Type
		if !a.IsInteger() {
			return nil, errcode.New(errcode.IllegalTypeOfArgument, "The first argument for function %s must be an integer, got %s", name, a)
		}
		zone := ""
		if len(args) == 2 {
			z, ok := constStr(args[1])
			if !ok {
				return nil, illegalType(name, args[1].Type)
			}
			zone = z
		}
		t, err := column.NewDateTime64(scale, zone)
		if err != nil {
			return nil, err
		}
		return unary(t, func(c column.Column) column.Column {
			v, _ := nums[int64](c)
			return column.NewNum(t, v)
		})
	}
}
