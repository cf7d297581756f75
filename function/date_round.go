package function

import (
	"math"
	"math/bits"
	"strings"

	"dictsvc/column"
	"dictsvc/errcode"
)

func dateRoundFunctions() []Function {
	var list []Function
	for _, r := range []struct {
		name string
		f    func(day int) int
	}{
		{"toMonday", func(day int) int { return startOfWeek(day, 1) }},
		{"toStartOfMonth", func(day int) int { return startOfMonths(day, 1) }},
		{"toStartOfQuarter", func(day int) int { return startOfMonths(day, 3) }},
		{"toStartOfYear", func(day int) int { return civil{civilOf(day).y, 1, 1}.days() }},
		{"toStartOfISOYear", func(day int) int {
			y, _ := isoWeek(day)
			return startOfWeek(civil{y, 1, 4}.days(), 1)
		}},
		{"toLastDayOfMonth", func(day int) int { c := civilOf(day); return civil{c.y, c.m, monthDays(c.y, c.m)}.days() }},
	} {
		list = append(list, Function{Name: r.name, MinArgs: 1, MaxArgs: 2, Bind: bindToDay(r.name, r.f)})
	}
	for _, r := range []struct {
		name string
		unit int64
	}{{"toStartOfMinute", 60}, {"toStartOfFiveMinutes", 300}, {"toStartOfTenMinutes", 600}, {"toStartOfFifteenMinutes", 900}, {"toStartOfHour", 3600}, {"timeSlot", 1800}} {
		list = append(list, Function{Name: r.name, MinArgs: 1, MaxArgs: 2, Bind: bindToSeconds(r.name, r.unit)})
	}
	return append(list,
		Function{Name: "toStartOfDay", MinArgs: 1, MaxArgs: 2, Bind: bindStartOfDay},
		Function{Name: "toStartOfSecond", MinArgs: 1, MaxArgs: 2, Bind: bindStartOfFraction("toStartOfSecond", 0)},
		Function{Name: "toStartOfMillisecond", MinArgs: 1, MaxArgs: 2, Bind: bindStartOfFraction("toStartOfMillisecond", 3)},
		Function{Name: "toStartOfMicrosecond", MinArgs: 1, MaxArgs: 2, Bind: bindStartOfFraction("toStartOfMicrosecond", 6)},
		Function{Name: "toStartOfNanosecond", MinArgs: 1, MaxArgs: 2, Bind: bindStartOfFraction("toStartOfNanosecond", 9)},
		Function{Name: "toStartOfInterval", MinArgs: 2, MaxArgs: 4, Bind: bindStartOfInterval},
		Function{Name: "dateTrunc", MinArgs: 2, MaxArgs: 3, Bind: bindDateTrunc})
}

// startOfMonths rounds down to a multiple of n months since January 1900.
func startOfMonths(day, n int) int {
	c := civilOf(day)
	m := floorDiv((c.y-1900)*12+c.m-1, n) * n
	return civil{1900, m + 1, 1}.days()
}

func bindToDay(name string, f func(day int) int) func(env *Env, args []Arg) (*Bound, error) {
	return func(_ *Env, args []Arg) (*Bound, error) {
		if err := dateArg(name, args[0].Type); err != nil {
			return nil, err
		}
		loc, _, err := argZone(name, args, 1)
		if err != nil {
			return nil, err
		}
		t := column.Of(column.Date)
		return result(t, func(call *Call) (column.Column, error) {
			m := newMoments(call.Args[0], newZone(loc))
			out := make([]int64, call.Rows)
			for i := range out {
				out[i] = int64(clampDay(f(m.day(i))))
			}
			return numCut(t, out), nil
		})
	}
}

// timeType is DateTime in the zone of the arguments.
func timeType(name string, args []Arg, i int) (*column.Type, error) {
	_, text, err := argZone(name, args, i)
	if err != nil {
		return nil, err
	}
	if text == "" {
		return column.Of(column.DateTime), nil
	}
	return column.NewDateTime(text)
}

// roundSeconds rounds an instant down to a multiple of unit of the local clock where the offset is no multiple of it, else of the epoch.
func roundSeconds(z *zone, unix, unit int64) int64 {
	off := z.offset(unix) % unit
	return floorDiv64(unix+off, unit)*unit - off
}

// roundWords rounds seconds since the epoch down to a multiple of unit. The quotient is the high half of a product with the unit's reciprocal, which
// is exact for numbers of 32 bits (Lemire, Kaser and Kurz, "Faster remainder by direct computation").
func roundWords(m *column.Scratch, v []uint32, unit uint32) []uint32 {
	out := column.Make[uint32](m, len(v))
	reciprocal := math.MaxUint64/uint64(unit) + 1
	for i, x := range v {
		q, _ := bits.Mul64(reciprocal, uint64(x))
		out[i] = uint32(q) * unit
	}
	return out
}

func bindToSeconds(name string, unit int64) func(env *Env, args []Arg) (*Bound, error) {
	return func(_ *Env, args []Arg) (*Bound, error) {
		a := args[0].Type
		if err := dateArg(name, a); err != nil {
			return nil, err
		}
		if a.Kind == column.Date || a.Kind == column.Date32 {
			return nil, errcode.New(errcode.IllegalTypeOfArgument, "Illegal argument of type %s for function %s", a.Kind, name)
		}
		t, err := timeType(name, args, 1)
		if err != nil {
			return nil, err
		}
		return result(t, func(call *Call) (column.Column, error) {
			m := newMoments(call.Args[0], zoneOf(t))
			if x, ok := call.Args[0].(*column.Num[uint32]); ok && m.z.loc == nil && t.Kind == column.DateTime {
				return column.NewNum(t, roundWords(call.Scratch, x.Data, uint32(unit))), nil
			}
			out := make([]int64, call.Rows)
			for i := range out {
				out[i] = roundSeconds(m.z, m.unix(i), unit)
				if m.kind == column.DateTime {
					out[i] = max(out[i], 0)
				}
			}
			return numCut(t, out), nil
		})
	}
}

func bindStartOfDay(_ *Env, args []Arg) (*Bound, error) {
	if err := dateArg("toStartOfDay", args[0].Type); err != nil {
		return nil, err
	}
	t, err := timeType("toStartOfDay", args, 1)
	if err != nil {
		return nil, err
	}
	return result(t, func(call *Call) (column.Column, error) {
		m := newMoments(call.Args[0], zoneOf(t))
		out := make([]int64, call.Rows)
		for i := range out {
			out[i] = m.z.dayStart(m.day(i))
			switch m.kind {
			case column.DateTime:
				out[i] = firstMidnight(out[i])
			case column.Date32:
				out[i] = min(max(out[i], 0), math.MaxUint32)
			}
		}
		return numCut(t, out), nil
	})
}

// firstMidnight is a midnight, or the first one that a DateTime holds where that is before the epoch.
func firstMidnight(unix int64) int64 {
	for unix < 0 {
		unix += 86400
	}
	return unix
}

func bindStartOfFraction(name string, scale int) func(env *Env, args []Arg) (*Bound, error) {
	return func(_ *Env, args []Arg) (*Bound, error) {
		a := args[0].Type
		if a.Kind != column.DateTime64 && !(a.Kind == column.DateTime && scale == 0) {
			return nil, errcode.New(errcode.IllegalTypeOfArgument, "Illegal type %s of argument of function %s. Should be DateTime64", a, name)
		}
		_, zone, err := argZone(name, args, 1)
		if err != nil {
			return nil, err
		}
		t, err := column.NewDateTime64(max(a.Scale, scale), zone)
		if err != nil {
			return nil, err
		}
		up, unit := ipow10(t.Scale-a.Scale), ipow10(t.Scale-scale)
		return result(t, func(call *Call) (column.Column, error) {
			v, vc := nums[int64](call.Args[0])
			out := make([]int64, call.Rows)
			for i := range out {
				out[i] = floorDiv64(at(v, vc, i)*up, unit) * unit
			}
			return column.NewNum(t, out), nil
		})
	}
}

func bindStartOfInterval(_ *Env, args []Arg) (*Bound, error) {
	const name = "toStartOfInterval"
	a, b := args[0].Type, args[1].Type
	if !a.IsDateOrTime() {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "A value of illegal type was provided as 1st argument 'value' to function 'toStartOfInterval'. Expected: Date[32] or DateTime[64], got: %s", a)
	}
	n, ok := constInt(args[1])
	if b.Kind != column.Interval || args[1].Const == nil {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "A value of illegal type was provided as 2nd argument 'interval' to function 'toStartOfInterval'. Expected: const Interval, got: %s", b)
	}
	if !ok {
		v, _ := nums[int64](unconst(args[1].Const))
		n = v[0]
	}
	if n <= 0 {
		return nil, errcode.New(errcode.ArgumentOutOfBound, "Value for 2nd argument of function toStartOfInterval must be positive")
	}
	zoneArg := 2
	if len(args) > 2 && !args[2].Type.IsString() {
		return bindIntervalOrigin(args, n)
	}
	return roundInterval(name, args, zoneArg, unitOf(b.Unit), n)
}

// roundInterval rounds to a multiple of n units: months and more since 1900 (years since 0), weeks since Monday 5 January 1970, days and seconds since the epoch,
// hours since the local midnight.
func roundInterval(name string, args []Arg, zoneArg int, u unitInfo, n int64) (*Bound, error) {
	a := args[0].Type
	isDay := a.Kind == column.Date || a.Kind == column.Date32
	if isDay && (u.seconds > 0 || u.scale > 0) || a.Kind == column.DateTime && u.scale > 0 {
		if name == "dateTrunc" {
			return nil, errcode.New(errcode.IllegalTypeOfArgument, "Illegal type %s of argument for function dateTrunc", a)
		}
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "Illegal interval kind for argument data type %s", a.Kind)
	}
	var t *column.Type
	var err error
	switch {
	case u.scale > 0:
		if t, err = column.NewDateTime64(max(a.Scale, u.scale), a.Zone); err != nil {
			return nil, err
		}
		up, unit := ipow10(t.Scale-a.Scale), n*ipow10(t.Scale-u.scale)
		return result(t, func(call *Call) (column.Column, error) {
			v, vc := nums[int64](call.Args[0])
			out := make([]int64, call.Rows)
			for i := range out {
				out[i] = floorDiv64(at(v, vc, i)*up, unit) * unit
			}
			return column.NewNum(t, out), nil
		})
	case u.months > 0 || u.name == "Week":
		t = column.Of(column.Date)
	default:
		if t, err = timeType(name, args, zoneArg); err != nil {
			return nil, err
		}
	}
	wide := name == "dateTrunc" && (a.Kind == column.Date32 || a.Kind == column.DateTime64) // their range is kept
	switch {
	case wide && t.Kind == column.Date:
		t = column.Of(column.Date32)
	case wide:
		if t, err = column.NewDateTime64(0, t.Zone); err != nil {
			return nil, err
		}
	}
	loc, _, err := argZone(name, args, zoneArg)
	if err != nil {
		return nil, err
	}
	if n > 1<<31 {
		return nil, errcode.New(errcode.ArgumentOutOfBound, "Value for 2nd argument of function toStartOfInterval is too large")
	}
	wraps := wide || name != "dateTrunc" && a.Kind != column.Date && a.Kind != column.DateTime // days that Date does not have
	return result(t, func(call *Call) (column.Column, error) {
		m := newMoments(call.Args[0], newZone(loc))
		out := make([]int64, call.Rows)
		for i := range out {
			out[i] = m.startOf(i, u, n, wraps)
			if m.kind == column.DateTime && out[i] < 0 && t.Kind == column.DateTime {
				if out[i] = firstMidnight(out[i]); u.seconds > 0 {
					out[i] = 0
				}
			}
		}
		return numCut(t, out), nil
	})
}

func (m *moments) startOf(i int, u unitInfo, n int64, wraps bool) int64 {
	var day int
	switch {
	case u.name == "Year":
		y := civilOf(m.day(i)).y
		day = civil{y / int(n) * int(n), 1, 1}.days()
	case u.months > 0:
		day = startOfMonths(m.day(i), int(n*u.months))
	case u.name == "Week":
		day = floorDiv(m.day(i)-4, int(7*n))*int(7*n) + 4
	case u.days > 0:
		return m.z.dayStart(floorDiv(m.day(i), int(n)) * int(n))
	case u.seconds == 3600:
		local := m.local(i)
		midnight := floorDiv64(local, 86400) * 86400
		return m.z.unix(midnight + (local-midnight)/(3600*n)*(3600*n))
	default:
		return roundSeconds(m.z, m.unix(i), u.seconds*n)
	}
	if wraps {
		return int64(day)
	}
	return int64(clampDay(day))
}

// bindIntervalOrigin counts the intervals from a given origin.
func bindIntervalOrigin(args []Arg, n int64) (*Bound, error) {
	a, u := args[0].Type, unitOf(args[1].Type.Unit)
	if !args[2].Type.Equal(a) {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "Datetime argument and origin argument for function toStartOfInterval must have the same type")
	}
	if u.scale > 0 && a.Kind != column.DateTime64 || u.seconds > 0 && (a.Kind == column.Date || a.Kind == column.Date32) {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "Illegal interval kind for argument data type %s", a.Kind)
	}
	add := addStep(a, a, u)
	perSecond := int64(1)
	if a.Kind == column.DateTime64 {
		perSecond = ipow10(a.Scale)
	}
	unit := n * u.seconds * perSecond
	switch {
	case u.days > 0 && (a.Kind == column.Date || a.Kind == column.Date32):
		unit = n * u.days
	case u.days > 0:
		unit = n * u.days * 86400 * perSecond
	case u.scale > 0:
		unit = n * ipow10(a.Scale-u.scale)
	}
	return result(a, func(call *Call) (column.Column, error) {
		v, vc := nums[int64](call.Args[0])
		o, oc := nums[int64](call.Args[2])
		out := make([]int64, call.Rows)
		for i := range out {
			x, origin := at(v, vc, i), at(o, oc, i)
			if x < origin {
				return nil, errcode.New(errcode.BadArguments, "Origin must be before the end date / datetime")
			}
			if u.months == 0 {
				out[i] = origin + (x-origin)/unit*unit
				continue
			}
			k := int64(0)
			for add(origin, (k+1)*n) <= x {
				k++
			}
			out[i] = add(origin, k*n)
		}
		return numCut(a, out), nil
	})
}

func bindDateTrunc(_ *Env, args []Arg) (*Bound, error) {
	text, ok := constStr(args[0])
	if !ok {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "First argument for function dateTrunc must be constant string: name of datepart")
	}
	u, ok := unitNamed(text)
	if !ok {
		return nil, errcode.New(errcode.BadArguments, "%s doesn't look like datepart name in dateTrunc", text)
	}
	a := args[1].Type
	if !a.IsDateOrTime() {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "Illegal type %s of 2nd argument of function dateTrunc. Should be a date or a date with time", a)
	}
	inner, err := roundInterval("dateTrunc", args[1:], 1, u, 1)
	if err != nil {
		return nil, err
	}
	return result(inner.Type, func(call *Call) (column.Column, error) {
		c := *call
		c.Args = call.Args[1:]
		return inner.Exec(&c)
	})
}

// unitNamed finds an interval unit by one of the names that dateTrunc and dateDiff take.
func unitNamed(text string) (unitInfo, bool) {
	switch s := strings.ToLower(strings.TrimSpace(text)); s {
	case "nanosecond", "nanoseconds", "ns":
		return unitOf("Nanosecond"), true
	case "microsecond", "microseconds", "us", "u":
		return unitOf("Microsecond"), true
	case "millisecond", "milliseconds", "ms":
		return unitOf("Millisecond"), true
	case "second", "seconds", "ss", "s":
		return unitOf("Second"), true
	case "minute", "minutes", "mi", "n":
		return unitOf("Minute"), true
	case "hour", "hours", "hh", "h":
		return unitOf("Hour"), true
	case "day", "days", "dd", "d":
		return unitOf("Day"), true
	case "week", "weeks", "wk", "ww":
		return unitOf("Week"), true
	case "month", "months", "mm", "m":
		return unitOf("Month"), true
	case "quarter", "quarters", "qq", "q":
		return unitOf("Quarter"), true
	case "year", "years", "yyyy", "yy":
		return unitOf("Year"), true
	}
	return unitInfo{}, false
}
