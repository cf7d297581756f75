package function

import (
	"strings"

	"dictsvc/column"
	"dictsvc/errcode"
)

// castFn turns a column into another type; a Const stays one.
type castFn func(c column.Column, rows int) (column.Column, error)

// castKernel is CAST between two types.
func castKernel(from, to *column.Type) (castFn, error) { return castMode(from, to, column.CastPlain) }

func castMode(from, to *column.Type, mode column.CastMode) (castFn, error) {
	f, err := column.NewCast(from, to, mode)
	if err != nil {
		return nil, err
	}
	return func(c column.Column, _ int) (column.Column, error) { return f(c) }, nil
}

func commonType(types ...*column.Type) (*column.Type, error) { return column.CommonType(types) }

// bound makes a Bound of a cast of the first argument.
func (f castFn) bound(t *column.Type) (*Bound, error) {
	return result(t, func(call *Call) (column.Column, error) { return f(call.Args[0], call.Rows) })
}

func castFunctions() []Function {
	const own = OwnNulls | OwnLowCardinality
	list := []Function{
		{Name: "CAST", MinArgs: 2, MaxArgs: 2, Flags: own, Bind: bindCast("CAST", column.CastPlain)},
		{Name: "_CAST", MinArgs: 2, MaxArgs: 2, Flags: own, Bind: bindCast("_CAST", column.CastPlain)},
		{Name: "accurateCast", MinArgs: 2, MaxArgs: 2, Flags: own, Bind: bindCast("accurateCast", column.CastAccurate)},
		{Name: "accurateCastOrNull", MinArgs: 2, MaxArgs: 2, Flags: own, Bind: bindCast("accurateCastOrNull", column.CastAccurateOrNull)},
		{Name: "accurateCastOrDefault", MinArgs: 2, MaxArgs: 3, Flags: own, Bind: bindAccurateOrDefault},
		{Name: "toString", MinArgs: 1, MaxArgs: 2, Bind: bindToString},
		{Name: "toFixedString", MinArgs: 2, MaxArgs: 2, Bind: bindToFixedString},
		{Name: "toBool", MinArgs: 1, MaxArgs: 1, Bind: func(_ *Env, args []Arg) (*Bound, error) { return castArg(args[0].Type, column.Of(column.Bool)) }},
		{Name: "toDecimalString", MinArgs: 2, MaxArgs: 2, Bind: bindDecimalString},
		{Name: "toInterval", MinArgs: 2, MaxArgs: 2, Bind: bindToInterval},
	}
	simple := []column.Kind{column.Date, column.Date32, column.UUID, column.IPv4, column.IPv6}
	for k := column.UInt8; k <= column.Float64; k++ {
		simple = append(simple, k)
	}
	for _, k := range simple {
		t := column.Of(k)
		f := family("to"+k.String(), 1, 1, func([]Arg) (*column.Type, error) { return t, nil })
		if k == column.Date || k == column.Date32 { // toDate(t, 'zone')
			f[0].MaxArgs, f[0].Bind = 2, bindDateIn(f[0].Name, t, f[0].Bind)
		}
		list = append(list, f...)
	}
	for _, d := range []struct {
		name string
		prec int
	}{{"toDecimal32", 9}, {"toDecimal64", 18}, {"toDecimal128", 38}, {"toDecimal256", 76}} {
		list = append(list, family(d.name, 2, 2, func(args []Arg) (*column.Type, error) {
			n, ok := constInt(args[1])
			if !ok {
				return nil, errcode.New(errcode.IllegalTypeOfArgument, "Illegal type %s of 2nd argument of function %s, must be a constant integer (scale)", args[1].Type, d.name)
			}
			if n < 0 || n > int64(d.prec) {
				return nil, errcode.New(errcode.ArgumentOutOfBound, "Scale %d is out of bounds (max scale: %d)", n, d.prec)
			}
			return column.NewDecimal(d.prec, int(n)), nil
		})...)
	}
	times := family("toDateTime", 1, 2, func(args []Arg) (*column.Type, error) {
		zone, err := zoneText("toDateTime", args, 1)
		if a := args[0].Type; len(args) == 1 && a.Kind == column.DateTime64 {
			zone = a.Zone
		}
		if err != nil || zone == "" {
			return column.Of(column.DateTime), err
		}
		return column.NewDateTime(zone)
	})
	times[0].MaxArgs, times[0].Bind = 3, bindToDateTime(times[0].Bind)
	list = append(list, times...)
	fine := family("toDateTime64", 2, 3, func(args []Arg) (*column.Type, error) {
		n, ok := constInt(args[1])
		if !ok {
			return nil, errcode.New(errcode.IllegalTypeOfArgument, "A value of illegal type was provided as 2nd argument 'scale' to function 'toDateTime64'. Expected: const Integer, got: %s", args[1].Type)
		}
		if n < 0 || n > 9 {
			return nil, errcode.New(errcode.ArgumentOutOfBound, "Scale %d is too large for DateTime64. Maximum is up to nanoseconds (9).", n)
		}
		zone, err := zoneText("toDateTime64", args, 2)
		if err != nil {
			return nil, err
		}
		return column.NewDateTime64(int(n), zone)
	})
	fine[0].Flags = 0 // it fails where the others give NULL
	return append(list, fine...)
}

// bindToDateTime is toDateTime(x, zone), or with a scale as toDateTime64 has it.
func bindToDateTime(plain func(*Env, []Arg) (*Bound, error)) func(*Env, []Arg) (*Bound, error) {
	return func(env *Env, args []Arg) (*Bound, error) {
		if len(args) < 2 || len(args) == 2 && !args[1].Type.IsUnsigned() {
			return plain(env, args)
		}
		scale, ok := constInt(args[1])
		if !ok {
			return nil, errcode.New(errcode.IllegalColumn, "A value of illegal type was provided as 2nd argument 'scale' to function 'toDateTime'. Expected: const Integer, got: %s", args[1].Type)
		}
		if scale < 0 || scale > 9 {
			return nil, errcode.New(errcode.ArgumentOutOfBound, "Scale %d is too large for DateTime64. Maximum is up to nanoseconds (9)", scale)
		}
		zone, err := zoneText("toDateTime", args, 2)
		if err != nil {
			return nil, err
		}
		t, err := column.NewDateTime64(int(scale), zone)
		if scale == 0 {
			t, err = column.NewDateTime(zone)
		}
		if err != nil {
			return nil, err
		}
		return castArg(args[0].Type, t)
	}
}

// bindDateIn is toDate with a zone: the day that a time falls on there.
func bindDateIn(name string, t *column.Type, plain func(*Env, []Arg) (*Bound, error)) func(*Env, []Arg) (*Bound, error) {
	return func(env *Env, args []Arg) (*Bound, error) {
		zone, err := zoneText(name, args, 1)
		if err != nil {
			return nil, err
		}
		var local *column.Type
		switch from := args[0].Type; {
		case zone != "" && from.Kind == column.DateTime:
			local, err = column.NewDateTime(zone)
		case zone != "" && from.Kind == column.DateTime64:
			local, err = column.NewDateTime64(from.Scale, zone)
		default:
			return plain(env, args[:1])
		}
		if err != nil {
			return nil, err
		}
		f, err := castKernel(local, t)
		if err != nil {
			return nil, err
		}
		return result(t, func(call *Call) (column.Column, error) { return f(column.Retype(call.Args[0], local), call.Rows) })
	}
}

func zoneText(name string, args []Arg, i int) (string, error) {
	if i >= len(args) {
		return "", nil
	}
	zone, ok := constStr(args[i])
	if !ok {
		return "", errcode.New(errcode.IllegalTypeOfArgument, "Illegal type %s of time zone argument of function %s, must be a constant string", args[i].Type, name)
	}
	return zone, nil
}

// family is toX with its OrNull, OrZero and OrDefault; target finds the type from the arguments.
func family(name string, low, high int, target func(args []Arg) (*column.Type, error)) []Function {
	return []Function{
		{Name: name, MinArgs: low, MaxArgs: high, Flags: NullText, Bind: func(_ *Env, args []Arg) (*Bound, error) {
			t, err := target(args)
			if err != nil {
				return nil, err
			}
			switch a := args[0].Type; a.Kind {
			case column.Array, column.Tuple, column.Map:
				return nil, illegalType(name, a)
			}
			if k := args[0].Type.Kind; t.IsDecimal() && (k == column.IPv4 || k == column.IPv6 || k == column.UUID) {
				return nil, errcode.New(errcode.IllegalColumn, "Illegal column %s of first argument of function %s", args[0].Type, name)
			}
			return castArg(args[0].Type, t)
		}},
		{Name: name + "OrNull", MinArgs: low, MaxArgs: high, Bind: bindOrString(name+"OrNull", target, column.CastOrNull)},
		{Name: name + "OrZero", MinArgs: low, MaxArgs: high, Bind: bindOrString(name+"OrZero", target, column.CastOrDefault)},
		{Name: name + "OrDefault", MinArgs: low, MaxArgs: high + 1, Flags: OwnNulls, Bind: bindOrDefault(low, high, target)},
	}
}

func castArg(from, to *column.Type) (*Bound, error) {
	if f := column.NewScratchCast(from, to); f != nil {
		return unaryIn(to, f)
	}
	f, err := castKernel(from, to)
	if err != nil {
		return nil, err
	}
	return f.bound(to)
}

func bindOrString(name string, target func(args []Arg) (*column.Type, error), mode column.CastMode) func(env *Env, args []Arg) (*Bound, error) {
	return func(_ *Env, args []Arg) (*Bound, error) {
		a := args[0].Type
		if !isText(a) {
			return nil, errcode.New(errcode.IllegalTypeOfArgument, "Illegal type %s of first argument of function %s. Conversion functions with postfix 'OrZero' or 'OrNull' should take String argument", a, name)
		}
		t, err := target(args)
		if err != nil {
			return nil, err
		}
		if t.Kind == column.DateTime64 && t.Scale == 0 { // of all functions, these do without fractions
			if t, err = column.NewDateTime(t.Zone); err != nil {
				return nil, err
			}
		}
		if mode == column.CastOrNull {
			t = column.NewNullable(t)
		}
		f, err := castMode(a, t, mode)
		if err != nil {
			return nil, err
		}
		return f.bound(t)
	}
}

// bindOrDefault is toXOrDefault(x[, parameters][, default]); the default stands behind the parameters of the type.
func bindOrDefault(low, high int, target func(args []Arg) (*column.Type, error)) func(env *Env, args []Arg) (*Bound, error) {
	return func(_ *Env, args []Arg) (*Bound, error) {
		params, deflt := args, -1
		if last := len(args) - 1; last >= low && (len(args) > high || !args[last].Type.IsString()) {
			params, deflt = args[:last], last
		}
		t, err := target(params)
		if err != nil {
			return nil, err
		}
		return castOrDefault(args, t, deflt)
	}
}

// castOrDefault casts accurately; rows that do not fit get the argument deflt (-1: the type's default).
func castOrDefault(args []Arg, t *column.Type, deflt int) (*Bound, error) {
	mode := column.CastAccurateOrNull
	if args[0].Type.Base().Kind == column.String && (t.Kind == column.DateTime || t.Kind == column.DateTime64) {
		mode = column.CastOrNull // times are read as by toDateTimeOrNull
	}
	f, err := castMode(args[0].Type, column.NewNullable(t), mode)
	if a := args[0].Type; t.Kind == column.Date && (a.Kind == column.Date32 || a.Kind == column.DateTime64) {
		var clamp column.Caster
		if clamp, err = column.ClampedDate(a); err == nil {
			f = func(c column.Column, rows int) (column.Column, error) {
				d, err := clamp(c)
				if err != nil {
					return nil, err
				}
				return column.NewNull(d, make([]uint8, d.Len())), nil
			}
		}
	}
	if err != nil {
		return nil, err
	}
	if deflt >= 0 && !args[deflt].Type.Equal(t) {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "Default value type should be same as cast type. Expected %s. Actual %s", t, args[deflt].Type)
	}
	return result(t, func(call *Call) (column.Column, error) {
		res, err := f(call.Args[0], call.Rows)
		if err != nil {
			return nil, err
		}
		n := column.Full(res).(*column.Null)
		all := column.New(t, call.Rows+1)
		all.AppendRange(n.Inner, 0, call.Rows)
		base, step := uint32(call.Rows), uint32(0)
		if deflt < 0 && t.Kind == column.Date32 {
			column.AppendTypeDefault(all)
		} else if deflt < 0 {
			all.AppendDefault(1)
		} else {
			all.AppendRange(call.full(call.Args[deflt]), 0, call.Rows)
			step = 1
		}
		from := make([]uint32, call.Rows)
		for i := range from {
			if from[i] = uint32(i); n.Nulls[i] != 0 {
				from[i] = base + step*uint32(i)
			}
		}
		return all.Gather(from), nil
	})
}

// castTarget reads the type that the second argument of CAST names.
func castTarget(env *Env, name string, a Arg) (*column.Type, error) {
	text, ok := constStr(a)
	if !ok {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "Second argument to %s must be a constant string describing type. Instead there is non-constant column of type %s", name, a.Type)
	}
	t, err := column.Parse(text)
	if err != nil {
		return nil, err
	}
	return t, t.Suspicious(env.Settings)
}

func bindCast(name string, mode column.CastMode) func(env *Env, args []Arg) (*Bound, error) {
	return func(env *Env, args []Arg) (*Bound, error) {
		t, err := castTarget(env, name, args[1])
		if err != nil {
			return nil, err
		}
		if mode == column.CastAccurateOrNull && canBeNullable(t) {
			t = column.NewNullable(t)
		}
		t = keepNullable(env, args[0].Type, t)
		f, err := castMode(args[0].Type, t, mode)
		if err != nil {
			return nil, err
		}
		b, err := f.bound(t)
		if err != nil {
			return nil, err
		}
		exec := b.Exec
		b.Exec = func(call *Call) (column.Column, error) {
			if call.Rows == 0 {
				return column.New(t, 0), nil
			}
			return exec(call)
		}
		return b, nil
	}
}

// keepNullable makes the type that a Nullable value is cast to Nullable, where cast_keep_nullable says so.
func keepNullable(env *Env, from, to *column.Type) *column.Type {
	if !from.IsNullable() || !canBeNullable(to) || to.Kind == column.LowCardinality {
		return to
	}
	if v := env.Settings("cast_keep_nullable"); v != "1" && v != "true" {
		return to
	}
	return column.NewNullable(to)
}

func bindAccurateOrDefault(env *Env, args []Arg) (*Bound, error) {
	t, err := castTarget(env, "accurateCastOrDefault", args[1])
	if err != nil {
		return nil, err
	}
	deflt := -1
	if len(args) == 3 {
		deflt = 2
	}
	return castOrDefault(args, t, deflt)
}

func bindToString(_ *Env, args []Arg) (*Bound, error) {
	t := args[0].Type
	str := column.Of(column.String)
	if len(args) == 1 {
		return castArg(t, str)
	}
	zone, err := zoneText("toString", args, 1)
	if err != nil {
		return nil, err
	}
	var local *column.Type
	switch t.Kind {
	case column.DateTime:
		local, err = column.NewDateTime(zone)
	case column.DateTime64:
		local, err = column.NewDateTime64(t.Scale, zone)
	default:
		return castArg(t, str)
	}
	if err != nil {
		return nil, err
	}
	f, err := castKernel(local, str)
	if err != nil {
		return nil, err
	}
	return result(str, func(call *Call) (column.Column, error) { return f(column.Retype(call.Args[0], local), call.Rows) })
}

func bindToFixedString(_ *Env, args []Arg) (*Bound, error) {
	n, ok := constInt(args[1])
	if !ok {
		return nil, errcode.New(errcode.IllegalColumn, "Second argument for function toFixedString must be unsigned constant")
	}
	if n < 0 {
		return nil, errcode.New(errcode.IllegalColumn, "Second argument for function toFixedString must be unsigned constant")
	}
	if n == 0 || n > 0xFFFFFF {
		return nil, errcode.New(errcode.ArgumentOutOfBound, "FixedString size must be positive")
	}
	if !isText(args[0].Type) {
		return nil, errcode.New(errcode.NotImplemented, "toFixedString is only implemented for types String and FixedString")
	}
	return castArg(args[0].Type, column.NewFixedString(int(n)))
}

func bindToInterval(env *Env, args []Arg) (*Bound, error) {
	unit, ok := constStr(args[1])
	if !ok {
		return nil, illegalType("toInterval", args[1].Type)
	}
	u, ok := unitNamed(unit)
	if !ok {
		return nil, errcode.New(errcode.BadArguments, "%s doesn't look like an interval unit in toInterval", unit)
	}
	f, _ := Lookup("toInterval" + u.name)
	return Bind(env, f, args[:1])
}

// bindDecimalString writes a number with a fixed number of digits behind the point, rounded half away from zero.
func bindDecimalString(_ *Env, args []Arg) (*Bound, error) {
	a := args[0].Type
	digits, ok := constInt(args[1])
	if !ok {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "Illegal type of argument of function toDecimalString, expected constant precision")
	}
	if digits < 0 || digits > 77 || a.IsFloat() && digits > 60 {
		return nil, errcode.New(69, "Number of fractional digits requested (%d) is out of range", digits)
	}
	if !a.IsNumber() {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "Illegal first argument of formatDecimal function, got %s", a)
	}
	str := column.Of(column.String)
	n := int(digits)
	return result(str, func(call *Call) (column.Column, error) {
		c := call.full(call.Args[0])
		out := newStr(call.Rows)
		if a.IsFloat() {
			v, _ := nums[float64](c)
			for _, f := range v {
				out.AppendString(fixedFloat(f, n))
			}
			return out, nil
		}
		v, _ := wides(c)
		for _, w := range v {
			out.Data = appendFixed(out.Data, w, decimalScale(a), n, a.IsUnsigned())
			out.EndRow()
		}
		return out, nil
	})
}

// appendFixed writes a decimal of the given scale with n digits behind the point.
func appendFixed(dst []byte, w wide, scale, n int, unsigned bool) []byte {
	if !unsigned && w.negative() {
		dst = append(dst, '-')
		w = w.neg()
	}
	if n < scale {
		q, r := w.divmodU(wide10[scale-n])
		if r.add(r).cmpU(wide10[scale-n]) >= 0 {
			q = q.add(wideU(1))
		}
		w, scale = q, n
	}
	text := wideText(w)
	if len(text) <= scale {
		text = strings.Repeat("0", scale-len(text)+1) + text
	}
	dst = append(dst, text[:len(text)-scale]...)
	if n > 0 {
		dst = append(append(dst, '.'), text[len(text)-scale:]...)
		for ; scale < n; scale++ {
			dst = append(dst, '0')
		}
	}
	return dst
}

// wideText is an unsigned number in decimal digits.
func wideText(w wide) string {
	if w.zero() {
		return "0"
	}
	var buf [80]byte
	i := len(buf)
	for !w.zero() {
		q, r := w.divmodU(wideU(10))
		i--
		buf[i] = '0' + byte(r[0])
		w = q
	}
	return string(buf[i:])
}
