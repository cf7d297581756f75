package function

import (
	"math"

	"time"

	"dictsvc/column"
	"dictsvc/errcode"
)

// moments reads a column of dates or times in a zone.
type moments struct {
	v    []int64
	cst  bool
	kind column.Kind
	p    int64 // ticks a second
	z    *zone
}

func newMoments(c column.Column, z *zone) moments {
	m := moments{kind: c.Type().Kind, p: 1, z: z}
	m.v, m.cst = nums[int64](c)
	if m.kind == column.DateTime64 {
		m.p = ipow10(c.Type().Scale)
	}
	return m
}

// unix is the instant in seconds; ticks are cut off.
func (m *moments) unix(i int) int64 {
	v := at(m.v, m.cst, i)
	switch m.kind {
	case column.Date, column.Date32:
		return m.z.dayStart(int(v))
	case column.DateTime64:
		return floorDiv64(v, m.p)
	}
	return v
}

// local is the local clock in seconds since 1970-01-01 00:00:00 local.
func (m *moments) local(i int) int64 {
	v := at(m.v, m.cst, i)
	switch m.kind {
	case column.Date, column.Date32:
		return v * 86400
	case column.DateTime64:
		v = floorDiv64(v, m.p)
	}
	return m.z.local(v)
}

// day is the local day's number since 1970-01-01.
func (m *moments) day(i int) int {
	if m.kind == column.Date || m.kind == column.Date32 {
		return int(at(m.v, m.cst, i))
	}
	return int(floorDiv64(m.local(i), 86400))
}

// ticks is the fraction of the second in ticks.
func (m *moments) ticks(i int) int64 {
	if m.kind != column.DateTime64 {
		return 0
	}
	v := at(m.v, m.cst, i)
	return v - floorDiv64(v, m.p)*m.p
}

// dateArg checks that an argument is a date or time.
func dateArg(name string, t *column.Type) error {
	if t.IsDateOrTime() {
		return nil
	}
	return errcode.New(errcode.IllegalTypeOfArgument, "Illegal type %s of argument of function %s. Should be Date, Date32, DateTime, DateTime64 or Interval", t, name)
}

// argZone is the zone that a function reckons in: the constant argument i where it is given, else the type's own.
func argZone(name string, args []Arg, i int) (*time.Location, string, error) {
	if i >= len(args) {
		return args[0].Type.Location(), args[0].Type.Zone, nil
	}
	text, ok := constStr(args[i])
	if !ok {
		return nil, "", errcode.New(errcode.IllegalTypeOfArgument, "Illegal type %s of time zone argument of function %s, must be a constant string", args[i].Type, name)
	}
	loc, err := column.LoadZone(text)
	if loc == nil && err == nil {
		loc = time.UTC
	}
	return loc, text, err
}

// part is a number read off the calendar or the clock.
type part struct {
	name  string
	kind  column.Kind
	clock bool // not of a Date
	f     func(day int, second int64) uint64
}

func datePartTable() []part {
	c := func(f func(c civil) int) func(int, int64) uint64 {
		return func(day int, _ int64) uint64 { return uint64(f(civilOf(day))) }
	}
	return []part{
		{"toYear", column.UInt16, false, c(func(c civil) int { return c.y })},
		{"toQuarter", column.UInt8, false, c(func(c civil) int { return (c.m-1)/3 + 1 })},
		{"toMonth", column.UInt8, false, c(func(c civil) int { return c.m })},
		{"toDayOfMonth", column.UInt8, false, c(func(c civil) int { return c.d })},
		{"toDayOfYear", column.UInt16, false, func(day int, _ int64) uint64 { return uint64(day - civil{civilOf(day).y, 1, 1}.days() + 1) }},
		{"toHour", column.UInt8, true, func(_ int, s int64) uint64 { return uint64(s / 3600) }},
		{"toMinute", column.UInt8, true, func(_ int, s int64) uint64 { return uint64(s / 60 % 60) }},
		{"toSecond", column.UInt8, true, func(_ int, s int64) uint64 { return uint64(s % 60) }},
		{"toISOYear", column.UInt16, false, func(day int, _ int64) uint64 { y, _ := isoWeek(day); return uint64(y) }},
		{"toISOWeek", column.UInt8, false, func(day int, _ int64) uint64 { _, w := isoWeek(day); return uint64(w) }},
		{"toYYYYMM", column.UInt32, false, c(func(c civil) int { return c.y*100 + c.m })},
		{"toYYYYMMDD", column.UInt32, false, c(func(c civil) int { return c.y*10000 + c.m*100 + c.d })},
		{"toYYYYMMDDhhmmss", column.UInt64, false, func(day int, s int64) uint64 {
			c := civilOf(day)
			return uint64(c.y*10000+c.m*100+c.d)*1000000 + uint64(s/3600*10000+s/60%60*100+s%60)
		}},
		{"toRelativeYearNum", column.UInt16, false, c(func(c civil) int { return c.y })},
		{"toRelativeQuarterNum", column.UInt32, false, c(func(c civil) int { return c.y*4 + (c.m-1)/3 })},
		{"toRelativeMonthNum", column.UInt32, false, c(func(c civil) int { return c.y*12 + c.m })},
		{"toDaysSinceYearZero", column.UInt32, false, func(day int, _ int64) uint64 { return uint64(day + 719528) }},
	}
}

func datePartFunctions() []Function {
	list := []Function{
		{Name: "toDayOfWeek", MinArgs: 1, MaxArgs: 3, Bind: bindWeekFn("toDayOfWeek", column.UInt8, func(day, mode int) int {
			switch w := weekday(day); mode & 3 {
			case 0:
				return w
			case 1:
				return w - 1
			case 2:
				return w % 7
			default:
				return w%7 + 1
			}
		})},
		{Name: "toWeek", MinArgs: 1, MaxArgs: 3, Bind: bindWeekFn("toWeek", column.UInt8, func(day, mode int) int { _, w := yearWeek(day, mode); return w })},
		{Name: "toYearWeek", MinArgs: 1, MaxArgs: 3, Bind: bindWeekFn("toYearWeek", column.UInt32, func(day, mode int) int {
			y, w := yearWeek(day, mode|weekYear)
			return y*100 + w
		})},
		{Name: "toStartOfWeek", MinArgs: 1, MaxArgs: 3, Bind: bindWeekFn("toStartOfWeek", column.Date, startOfWeek)},
		{Name: "toLastDayOfWeek", MinArgs: 1, MaxArgs: 3, Bind: bindWeekFn("toLastDayOfWeek", column.Date, func(day, mode int) int { return startOfWeek(day, mode) + 6 })},
		{Name: "toMillisecond", MinArgs: 1, MaxArgs: 2, Bind: bindFraction("toMillisecond", 3)},
		{Name: "toMicrosecond", MinArgs: 1, MaxArgs: 2, Bind: bindFraction("toMicrosecond", 6)},
		{Name: "toNanosecond", MinArgs: 1, MaxArgs: 2, Bind: bindFraction("toNanosecond", 9)},
		{Name: "toRelativeWeekNum", MinArgs: 1, MaxArgs: 2, Bind: bindRelativeDays("toRelativeWeekNum", 7)},
		{Name: "toRelativeDayNum", MinArgs: 1, MaxArgs: 2, Bind: bindRelativeDays("toRelativeDayNum", 1)},
		{Name: "toRelativeHourNum", MinArgs: 1, MaxArgs: 2, Bind: bindRelative("toRelativeHourNum", 3600)},
		{Name: "toRelativeMinuteNum", MinArgs: 1, MaxArgs: 2, Bind: bindRelative("toRelativeMinuteNum", 60)},
		{Name: "toRelativeSecondNum", MinArgs: 1, MaxArgs: 2, Bind: bindRelative("toRelativeSecondNum", 1)},
		{Name: "monthName", MinArgs: 1, MaxArgs: 1, Bind: func(_ *Env, args []Arg) (*Bound, error) {
			if args[0].Type.Kind == column.Date32 {
				return nil, errcode.New(errcode.IllegalTypeOfArgument, "A value of illegal type was provided as 1st argument 'datetime' to function 'monthName'. Expected: Date or DateTime, got: Date32")
			}
			return bindDateText("monthName", args, "%M", 1)
		}},
		{Name: "dateName", MinArgs: 2, MaxArgs: 3, Bind: bindDateName},
	}
	for _, p := range datePartTable() {
		list = append(list, Function{Name: p.name, MinArgs: 1, MaxArgs: 2, Bind: p.bind})
	}
	return list
}

func (p part) bind(_ *Env, args []Arg) (*Bound, error) {
	t := args[0].Type
	if err := dateArg(p.name, t); err != nil {
		return nil, err
	}
	if p.clock && (t.Kind == column.Date || t.Kind == column.Date32) {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "Illegal argument of type %s for function %s", t.Kind, p.name)
	}
	loc, _, err := argZone(p.name, args, 1)
	if err != nil {
		return nil, err
	}
	res := column.Of(p.kind)
	return result(res, func(call *Call) (column.Column, error) {
		m := newMoments(call.Args[0], newZone(loc))
		out := make([]uint64, call.Rows)
		for i := range out {
			local := m.local(i)
			day := floorDiv64(local, 86400)
			if t.Kind == column.Date32 && p.name == "toDayOfYear" { // the last day of all is taken for the one before it
				day = min(day, 120528)
			}
			out[i] = p.f(int(day), local-day*86400)
		}
		return numCut(res, out), nil
	})
}

// isoWeek is the year and week of ISO 8601: weeks begin on Monday, week 1 has the year's first Thursday.
func isoWeek(day int) (year, week int) {
	thursday := day - weekday(day) + 4
	y := civilOf(thursday).y
	return y, (thursday-civil{y, 1, 1}.days())/7 + 1
}

// The bits of MySQL's week modes.
const (
	weekMonday  = 1
	weekYear    = 2
	weekFirst   = 4
	weekNewYear = 8
)

func yearDays(y int) int {
	if leap(y) {
		return 366
	}
	return 365
}

// yearWeek numbers weeks by MySQL's modes, as ClickHouse's DateLUTImpl::toYearWeek does.
func yearWeek(day, mode int) (year, week int) {
	if mode&weekNewYear != 0 {
		return newYearWeek(day, mode&weekMonday != 0)
	}
	if mode&weekMonday == 0 {
		mode ^= weekFirst
	}
	monday, byYear, first := mode&weekMonday != 0, mode&weekYear != 0, mode&weekFirst != 0
	c := civilOf(day)
	y := c.y
	start := civil{y, 1, 1}.days()
	wd := weekday(start) - 1
	if !monday {
		wd = (wd + 1) % 7
	}
	if c.m == 1 && c.d <= 7-wd {
		if !byYear && (first && wd != 0 || !first && wd >= 4) {
			return y, 0
		}
		byYear = true
		y--
		n := yearDays(y)
		start -= n
		wd = (wd + 53*7 - n) % 7
	}
	var days int
	if first && wd != 0 || !first && wd >= 4 {
		days = day - (start + 7 - wd)
	} else {
		days = day - (start - wd)
	}
	if byYear && days >= 52*7 {
		wd = (wd + yearDays(y)) % 7
		if !first && wd < 4 || first && wd == 0 {
			return y + 1, 1
		}
	}
	return y, days/7 + 1
}

// newYearWeek numbers the weeks so that the one with 1 January is week 1.
func newYearWeek(day int, monday bool) (year, week int) {
	shift := 1
	if monday {
		shift = 0
	}
	y := civilOf(day + 7 - weekday(day+shift)).y
	first := civil{y, 1, 1}.days()
	if monday {
		return y, (startOfWeek(day, 1)-startOfWeek(first, 1))/7 + 1
	}
	return y, (startOfWeek(day, 0)-startOfWeek(first, 0))/7 + 1
}

// startOfWeek is the Sunday, or with an odd mode the Monday, that begins the week.
func startOfWeek(day, mode int) int {
	if mode&1 == 1 {
		return day - weekday(day) + 1
	}
	return day - weekday(day)%7
}

// bindWeekFn binds functions of a date, a constant mode and a time zone.
func bindWeekFn(name string, k column.Kind, f func(day, mode int) int) func(env *Env, args []Arg) (*Bound, error) {
	return func(_ *Env, args []Arg) (*Bound, error) {
		if err := dateArg(name, args[0].Type); err != nil {
			return nil, err
		}
		mode := int64(0)
		if len(args) > 1 {
			n, ok := constInt(args[1])
			if !ok {
				return nil, errcode.New(errcode.IllegalTypeOfArgument, "Illegal type %s of 2nd (optional) argument of function %s. Must be constant UInt8 (week mode)", args[1].Type, name)
			}
			mode = n
		}
		loc, _, err := argZone(name, args, 2)
		if err != nil {
			return nil, err
		}
		t := column.Of(k)
		return result(t, func(call *Call) (column.Column, error) {
			m := newMoments(call.Args[0], newZone(loc))
			out := make([]int64, call.Rows)
			for i := range out {
				out[i] = int64(f(m.day(i), int(mode)))
				if k == column.Date {
					out[i] = int64(clampDay(int(out[i])))
				}
			}
			return numCut(t, out), nil
		})
	}
}

func bindFraction(name string, scale int) func(env *Env, args []Arg) (*Bound, error) {
	return func(_ *Env, args []Arg) (*Bound, error) {
		a := args[0].Type
		if err := dateArg(name, a); err != nil {
			return nil, err
		}
		if a.Kind == column.Date || a.Kind == column.Date32 {
			return nil, errcode.New(errcode.IllegalTypeOfArgument, "Illegal argument of type %s for function %s", a.Kind, name)
		}
		t := column.Of(column.UInt32)
		if scale == 3 {
			t = column.Of(column.UInt16)
		}
		return result(t, func(call *Call) (column.Column, error) {
			m := newMoments(call.Args[0], newZone(nil))
			out := make([]int64, call.Rows)
			for i := range out {
				if a.Scale > scale {
					out[i] = m.ticks(i) / ipow10(a.Scale-scale)
				} else {
					out[i] = m.ticks(i) * ipow10(scale-a.Scale)
				}
			}
			return numCut(t, out), nil
		})
	}
}

func bindRelative(name string, unit int64) func(env *Env, args []Arg) (*Bound, error) {
	return func(_ *Env, args []Arg) (*Bound, error) {
		if err := dateArg(name, args[0].Type); err != nil {
			return nil, err
		}
		loc, _, err := argZone(name, args, 1)
		if err != nil {
			return nil, err
		}
		t := column.Of(column.UInt32)
		return result(t, func(call *Call) (column.Column, error) {
			m := newMoments(call.Args[0], newZone(loc))
			out := make([]int64, call.Rows)
			for i := range out {
				u := m.unix(i)
				switch {
				case m.kind == column.Date32:
					u = max(u, 0)
				case unit == 3600 && (u < 0 || m.z.offset(u)%3600 != 0): // from the midnight before the epoch's first, by the offset of the epoch
					u += 86400 - m.z.offset(0)
				}
				out[i] = floorDiv64(u, unit)
				if m.kind == column.Date32 {
					out[i] = min(out[i], math.MaxUint32)
				}
			}
			return numCut(t, out), nil
		})
	}
}

// bindRelativeDays numbers days, or weeks that begin on Monday, in the 16 bits of a Date: days of a Date32 are kept at the ends, those of a DateTime64 wrap round.
func bindRelativeDays(name string, days int) func(env *Env, args []Arg) (*Bound, error) {
	return func(_ *Env, args []Arg) (*Bound, error) {
		if err := dateArg(name, args[0].Type); err != nil {
			return nil, err
		}
		loc, _, err := argZone(name, args, 1)
		if err != nil {
			return nil, err
		}
		t := column.Of(column.UInt32)
		return result(t, func(call *Call) (column.Column, error) {
			m := newMoments(call.Args[0], newZone(loc))
			out := make([]int64, call.Rows)
			for i := range out {
				n := m.day(i)
				if days == 7 {
					n = (n + 3) / 7
				}
				if m.kind == column.Date32 {
					n = min(max(n, 0), math.MaxUint16)
				}
				out[i] = int64(uint16(n))
			}
			return numCut(t, out), nil
		})
	}
}

var dateNameFormats = map[string]string{"year": "%Y", "quarter": "%Q", "month": "%M", "dayofyear": "%j", "day": "%e", "week": "%v", "weekday": "%W", "hour": "%k", "minute": "%i", "second": "%S"}

func bindDateName(_ *Env, args []Arg) (*Bound, error) {
	unit, ok := constStr(args[0])
	if !ok {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "Illegal type %s of 1st argument of function dateName. Must be string", args[0].Type)
	}
	format, ok := dateNameFormats[unit]
	if !ok {
		return nil, errcode.New(errcode.BadArguments, "Invalid date part '%s' for function dateName", unit)
	}
	inner, err := bindDateText("dateName", args[1:], format, 1)
	if err != nil {
		return nil, err
	}
	return result(inner.Type, func(call *Call) (column.Column, error) {
		c := *call
		c.Args = call.Args[1:]
		return inner.Exec(&c)
	})
}
