package function

import (
	"strconv"
	"time"

	"dictsvc/column"
	"dictsvc/errcode"
)

func dateFormatFunctions() []Function {
	return []Function{
		{Name: "formatDateTime", MinArgs: 2, MaxArgs: 3, Bind: bindFormatDateTime},
		{Name: "fromUnixTimestamp", MinArgs: 1, MaxArgs: 3, Bind: bindFromUnix},
	}
}

func bindFormatDateTime(_ *Env, args []Arg) (*Bound, error) {
	format, ok := constStr(args[1])
	if !ok {
		return nil, errcode.New(errcode.IllegalColumn, "Illegal type %s of second ('format') argument of function formatDateTime. Must be constant string.", args[1].Type)
	}
	if !args[0].Type.IsDateOrTime() {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "Illegal type %s of 1 argument of function formatDateTime. Should be a date or a date with time", args[0].Type)
	}
	return bindDateText("formatDateTime", args, format, 2)
}

// bindDateText writes dates and times by a format of MySQL's letters; zoneArg is the place of the optional time zone.
func bindDateText(name string, args []Arg, format string, zoneArg int) (*Bound, error) {
	if err := dateArg(name, args[0].Type); err != nil {
		return nil, err
	}
	if name != "dateName" { // which has a letter of its own
		if err := checkFormat(format); err != nil {
			return nil, err
		}
	}
	loc, _, err := argZone(name, args, zoneArg)
	if err != nil {
		return nil, err
	}
	scale := args[0].Type.Scale
	return result(column.Of(column.String), func(call *Call) (column.Column, error) {
		m := newMoments(call.Args[0], newZone(loc))
		out := newStr(call.Rows)
		for i := 0; i < call.Rows; i++ {
			out.Data = appendDate(out.Data, format, &m, i, scale)
			out.EndRow()
		}
		return out, nil
	})
}

func checkFormat(format string) error {
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			continue
		}
		i++
		if i == len(format) {
			return errcode.New(errcode.BadArguments, "Trailing '%%' symbol")
		}
		switch format[i] {
		case 'U', 'v', 'x', 'X':
			return errcode.New(errcode.NotImplemented, "format is not supported for '%%%c'", format[i])
		}
		switch format[i] {
		case 'a', 'b', 'c', 'C', 'd', 'D', 'e', 'f', 'F', 'g', 'G', 'h', 'H', 'i', 'I', 'j', 'k', 'l', 'm', 'M', 'n', 'p', 'Q', 'r', 'R', 's', 'S', 't', 'T', 'u', 'V', 'w', 'W', 'y', 'Y', 'z', '%':
		default:
			return errcode.New(errcode.BadArguments, "Incorrect syntax '%%%c', symbol is not supported '%c' for function formatDateTime", format[i], format[i])
		}
	}
	return nil
}

func pad(dst []byte, v, width int) []byte {
	s := strconv.Itoa(v)
	for k := len(s); k < width; k++ {
		dst = append(dst, '0')
	}
	return append(dst, s...)
}

func appendDate(dst []byte, format string, m *moments, i, scale int) []byte {
	local := m.local(i)
	day := int(floorDiv64(local, 86400))
	s := int(local - int64(day)*86400)
	c := civilOf(day)
	h12 := (s/3600+11)%12 + 1
	ampm := "AM"
	if s >= 43200 {
		ampm = "PM"
	}
	for k := 0; k < len(format); k++ {
		if format[k] != '%' {
			dst = append(dst, format[k])
			continue
		}
		k++
		switch format[k] {
		case 'a':
			dst = append(dst, weekdayName(day)[:3]...)
		case 'W':
			dst = append(dst, weekdayName(day)...)
		case 'b':
			dst = append(dst, time.Month(c.m).String()[:3]...)
		case 'M':
			dst = append(dst, time.Month(c.m).String()...)
		case 'c', 'm':
			dst = pad(dst, c.m, 2)
		case 'C':
			dst = pad(dst, c.y/100, 2)
		case 'd':
			dst = pad(dst, c.d, 2)
		case 'D':
			dst = pad(append(pad(append(pad(dst, c.m, 2), '/'), c.d, 2), '/'), c.y%100, 2)
		case 'e':
			dst = pad(dst, c.d, 1)
		case 'f':
			if scale > 0 {
				dst = pad(dst, int(m.ticks(i)), scale)
			}
			for n := scale; n < 6; n++ {
				dst = append(dst, '0')
			}
		case 'F':
			dst = pad(append(pad(append(pad(dst, c.y, 4), '-'), c.m, 2), '-'), c.d, 2)
		case 'g':
			y, _ := isoWeek(day)
			dst = pad(dst, y%100, 2)
		case 'G':
			y, _ := isoWeek(day)
			dst = pad(dst, y, 4)
		case 'V':
			_, w := isoWeek(day)
			dst = pad(dst, w, 2)
		case 'v': // the ISO week as dateName writes it; formatDateTime refuses the letter
			_, w := isoWeek(day)
			dst = pad(dst, w, 1)
		case 'h', 'I', 'l':
			dst = pad(dst, h12, 2)
		case 'H', 'k':
			dst = pad(dst, s/3600, 2)
		case 'i':
			dst = pad(dst, s/60%60, 2)
		case 'j':
			dst = pad(dst, day-civil{c.y, 1, 1}.days()+1, 3)
		case 'n':
			dst = append(dst, '\n')
		case 't':
			dst = append(dst, '\t')
		case 'p':
			dst = append(dst, ampm...)
		case 'Q':
			dst = pad(dst, (c.m-1)/3+1, 1)
		case 'r':
			dst = append(append(pad(append(pad(dst, h12, 2), ':'), s/60%60, 2), ' '), ampm...)
		case 'R':
			dst = pad(append(pad(dst, s/3600, 2), ':'), s/60%60, 2)
		case 's', 'S':
			dst = pad(dst, s%60, 2)
		case 'T':
			dst = pad(append(pad(append(pad(dst, s/3600, 2), ':'), s/60%60, 2), ':'), s%60, 2)
		case 'u':
			dst = pad(dst, weekday(day), 1)
		case 'w':
			dst = pad(dst, weekday(day)%7, 1)
		case 'y':
			dst = pad(dst, c.y%100, 2)
		case 'Y':
			dst = pad(dst, c.y, 4)
		case 'z':
			off := int(m.z.offset(m.unix(i)))
			sign := byte('+')
			if off < 0 {
				sign, off = '-', -off
			}
			dst = pad(pad(append(dst, sign), off/3600, 2), off/60%60, 2)
		case '%':
			dst = append(dst, '%')
		}
	}
	return dst
}

func weekdayName(day int) string { return time.Weekday(weekday(day) % 7).String() }

// bindFromUnix is fromUnixTimestamp(n) as a DateTime, or with a format as text.
func bindFromUnix(_ *Env, args []Arg) (*Bound, error) {
	a := args[0].Type
	c, ok := classOf(a)
	if !ok || c.float || c.size > 8 {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "Illegal type %s of argument of function fromUnixTimestamp", a)
	}
	t := column.Of(column.DateTime)
	toTime := func(c column.Column) column.Column {
		if k, ok := c.(*column.Const); ok {
			v, _ := nums[uint32](k.Val)
			return column.NewConst(column.NewNum(t, v), k.N)
		}
		v, _ := nums[uint32](c)
		return column.NewNum(t, v)
	}
	if len(args) == 1 {
		return result(t, func(call *Call) (column.Column, error) { return toTime(call.Args[0]), nil })
	}
	format, ok := constStr(args[1])
	if !ok {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "Illegal type %s of second argument of function fromUnixTimestamp. Must be constant string.", args[1].Type)
	}
	typed := append([]Arg{{Type: t}}, args[1:]...)
	inner, err := bindDateText("fromUnixTimestamp", typed, format, 2)
	if err != nil {
		return nil, err
	}
	return result(inner.Type, func(call *Call) (column.Column, error) {
		c := *call
		c.Args = append([]column.Column{toTime(call.Args[0])}, call.Args[1:]...)
		return inner.Exec(&c)
	})
}
