package function

import (
	"dictsvc/column"
	"dictsvc/errcode"
)

func dateDiffFunctions() []Function {
	return []Function{
		{Name: "dateDiff", MinArgs: 3, MaxArgs: 4, Bind: bindDateDiff("dateDiff", false)},
		{Name: "age", MinArgs: 3, MaxArgs: 4, Bind: bindDateDiff("age", true)},
		{Name: "timeDiff", MinArgs: 2, MaxArgs: 2, Bind: func(env *Env, args []Arg) (*Bound, error) {
			unit := column.Strings("second")
			inner, err := bindDateDiff("timeDiff", false)(env, append([]Arg{{Type: unit.T, Const: unit}}, args...))
			if err != nil {
				return nil, err
			}
			return result(inner.Type, func(call *Call) (column.Column, error) {
				c := *call
				c.Args = append([]column.Column{nil}, call.Args...)
				return inner.Exec(&c)
			})
		}},
	}
}

// bindDateDiff counts the borders of a unit between two instants (dateDiff), or the whole units (age).
func bindDateDiff(name string, whole bool) func(env *Env, args []Arg) (*Bound, error) {
	return func(_ *Env, args []Arg) (*Bound, error) {
		text, ok := constStr(args[0])
		if !ok {
			return nil, errcode.New(errcode.IllegalTypeOfArgument, "A value of illegal type was provided as 1st argument 'unit' to function '%s'. Expected: const String, got: %s", name, args[0].Type)
		}
		u, ok := unitNamed(text)
		if !ok {
			return nil, errcode.New(errcode.BadArguments, "Function %s does not support '%s' unit", name, text)
		}
		for i, which := range []string{"2nd argument 'startdate'", "3rd argument 'enddate'"} {
			if t := args[i+1].Type; !t.IsDateOrTime() {
				return nil, errcode.New(errcode.IllegalTypeOfArgument, "A value of illegal type was provided as %s to function '%s'. Expected: Date[32] or DateTime[64], got: %s", which, name, t)
			}
		}
		a, b := args[1].Type, args[2].Type
		locA, locB := a.Location(), b.Location()
		if len(args) == 4 {
			loc, _, err := argZone(name, args, 3)
			if err != nil {
				return nil, err
			}
			locA, locB = loc, loc
		}
		t := column.Of(column.Int64)
		return result(t, func(call *Call) (column.Column, error) {
			x, y := newMoments(call.Args[1], newZone(locA)), newMoments(call.Args[2], newZone(locB))
			out := make([]int64, call.Rows)
			for i := range out {
				switch {
				case u.scale > 0:
					out[i] = x.tick(i, u.scale, &y, whole)
				case whole:
					out[i] = ageOf(&x, &y, i, u)
				default:
					out[i] = borders(&y, i, u) - borders(&x, i, u)
				}
			}
			return column.NewNum(t, out), nil
		})
	}
}

// tick is the difference in fractions of a second.
func (m *moments) tick(i, scale int, o *moments, whole bool) int64 {
	fine := int64(1)
	for _, p := range []int64{m.p, o.p} {
		fine = max(fine, p)
	}
	at := func(m *moments) int64 { return m.unix(i)*fine + m.ticks(i)*(fine/m.p) }
	unit := ipow10(scale)
	a, b := at(m), at(o)
	switch {
	case unit >= fine:
		return (b - a) * (unit / fine)
	case whole:
		return (b - a) / (fine / unit)
	}
	return floorDiv64(b, fine/unit) - floorDiv64(a, fine/unit)
}

// borders numbers the unit in which an instant lies.
func borders(m *moments, i int, u unitInfo) int64 {
	switch {
	case u.name == "Week":
		return int64((m.day(i) + 3) / 7) // towards the epoch
	case u.days > 0:
		return int64(m.day(i))
	case u.months > 0:
		c := civilOf(m.day(i))
		return int64(floorDiv(c.y*12+c.m-1, int(u.months)))
	case u.seconds == 3600:
		unix := m.unix(i)
		return floorDiv64(unix+m.z.offset(unix)%3600, 3600)
	}
	return floorDiv64(m.unix(i), u.seconds)
}

// weeksOf is the number of whole weeks as ClickHouse counts it: the borders between, less one where the first argument's day of the week is behind the second's,
// whichever is earlier, or the earlier one's clock is behind within the same hour or on the same day of the week.
func weeksOf(x, y *moments, i int) int64 {
	la, lb := x.local(i), y.local(i)
	early, late, sign := x, y, int64(1)
	fa, fb := x.ticks(i)*(1e9/x.p), y.ticks(i)*(1e9/y.p)
	if la > lb || la == lb && fa > fb {
		early, late, sign = y, x, -1
		fa, fb = fb, fa
	}
	week := unitOf("Week")
	n := borders(late, i, week) - borders(early, i, week)
	dx, dy := weekday(x.day(i)), weekday(y.day(i))
	a, b := early.local(i), late.local(i)
	a, b = a-floorDiv64(a, 86400)*86400, b-floorDiv64(b, 86400)*86400
	ha, hb := a/3600, b/3600
	if dx > dy || dx == dy && ha > hb || ha == hb && (a > b || a == b && fa > fb) {
		n--
	}
	return sign * n
}

// ageOf is the number of whole units from one instant to another, cut towards zero.
func ageOf(x, y *moments, i int, u unitInfo) int64 {
	if u.seconds > 0 {
		a, b := x.unix(i), y.unix(i)
		d := b - a
		if d != 0 { // fractions decide where the seconds are whole
			if f := y.ticks(i)*(1e9/y.p) - x.ticks(i)*(1e9/x.p); d > 0 && f < 0 {
				d--
			} else if d < 0 && f > 0 {
				d++
			}
		}
		return d / u.seconds
	}
	if u.name == "Week" {
		return weeksOf(x, y, i)
	}
	la, lb := x.local(i), y.local(i)
	fa, fb := x.ticks(i)*(1e9/x.p), y.ticks(i)*(1e9/y.p)
	sign := int64(1)
	if la > lb || la == lb && fa > fb {
		la, lb, fa, fb, sign = lb, la, fb, fa, -1
	}
	da, db := floorDiv64(la, 86400), floorDiv64(lb, 86400)
	early := lb-db*86400 < la-da*86400 || lb-db*86400 == la-da*86400 && fb < fa // the clock of the later instant is behind that of the first
	if u.days > 0 {
		n := db - da
		if early {
			n--
		}
		return sign * (n / u.days)
	}
	ca, cb := civilOf(int(da)), civilOf(int(db))
	n := int64((cb.y-ca.y)*12 + cb.m - ca.m)
	if cb.d < ca.d || cb.d == ca.d && early {
		n--
	}
	return sign * (n / u.months)
}
