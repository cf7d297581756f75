package function

import (
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"sync/atomic"
	"time"

	"dictsvc/column"
	"dictsvc/errcode"
)

// serverVersion is the version of ClickHouse that the functions follow.
const serverVersion = "26.7.2.1"

func miscFunctions() []Function {
	const own = OwnNulls | OwnLowCardinality
	return []Function{
		{Name: "materialize", MinArgs: 1, MaxArgs: 1, Flags: own | OwnConst, Bind: bindMaterialize},
		{Name: "identity", MinArgs: 1, MaxArgs: 1, Flags: own, Bind: func(_ *Env, args []Arg) (*Bound, error) { return pick(args[0].Type, 0) }},
		{Name: "ignore", MinArgs: 0, MaxArgs: -1, Flags: own | OwnConst, Bind: reading(column.UInt8s(0))},
		{Name: "toTypeName", MinArgs: 1, MaxArgs: 1, Flags: own | OwnConst, Bind: func(env *Env, args []Arg) (*Bound, error) {
			return reading(column.Strings(args[0].Type.Pretty()))(env, args)
		}},
		{Name: "toColumnTypeName", MinArgs: 1, MaxArgs: 1, Flags: own | OwnConst, Bind: bindColumnTypeName},
		{Name: "isConstant", MinArgs: 1, MaxArgs: 1, Flags: own | OwnConst, Bind: bindIsConstant},
		{Name: "toLowCardinality", MinArgs: 1, MaxArgs: 1, Flags: own, Bind: bindToLowCardinality},
		{Name: "lowCardinalityKeys", MinArgs: 1, MaxArgs: 1, Flags: own, Bind: bindLowCardinalityKeys},
		{Name: "lowCardinalityIndices", MinArgs: 1, MaxArgs: 1, Flags: own, Bind: bindLowCardinalityIndices},
		{Name: "defaultValueOfArgumentType", MinArgs: 1, MaxArgs: 1, Flags: own, Bind: func(env *Env, args []Arg) (*Bound, error) {
			return defaultOf(env, args[0].Type)
		}},
		{Name: "defaultValueOfTypeName", MinArgs: 1, MaxArgs: 1, Bind: bindDefaultOfName},
		{Name: "byteSize", MinArgs: 0, MaxArgs: -1, Flags: own, Bind: bindByteSize},
		{Name: "throwIf", MinArgs: 1, MaxArgs: 3, Flags: OwnConst, Bind: bindThrowIf},
		{Name: "sleep", MinArgs: 1, MaxArgs: 1, Flags: NotDeterministic, Bind: bindSleep("sleep", false)},
		{Name: "sleepEachRow", MinArgs: 1, MaxArgs: 1, Flags: NotDeterministic, Bind: bindSleep("sleepEachRow", true)},
		{Name: "rowNumberInBlock", Flags: NotDeterministic, Bind: bindRowNumber(false)},
		{Name: "rowNumberInAllBlocks", Flags: NotDeterministic, Bind: bindRowNumber(true)},
		{Name: "blockNumber", Flags: NotDeterministic, Bind: bindBlockNumber},
		{Name: "blockSize", Flags: NotDeterministic, Bind: func(*Env, []Arg) (*Bound, error) {
			t := column.Of(column.UInt64)
			return result(t, func(call *Call) (column.Column, error) {
				return column.NewConst(column.UInt64s(uint64(call.Rows)), call.Rows), nil
			})
		}},
		{Name: "runningDifference", MinArgs: 1, MaxArgs: 1, Flags: NotDeterministic, Bind: bindRunningDifference},
		{Name: "rand", MinArgs: 0, MaxArgs: 1, Flags: own | OwnConst | NotDeterministic, Bind: bindRand(column.Of(column.UInt32))},
		{Name: "rand64", MinArgs: 0, MaxArgs: 1, Flags: own | OwnConst | NotDeterministic, Bind: bindRand(column.Of(column.UInt64))},
		{Name: "randCanonical", MinArgs: 0, MaxArgs: 1, Flags: own | OwnConst | NotDeterministic, Bind: bindRand(column.Of(column.Float64))},
		{Name: "randConstant", MinArgs: 0, MaxArgs: 1, Flags: own | OwnConst | NotDeterministic, Bind: func(env *Env, args []Arg) (*Bound, error) {
			return constant(column.UInt32s(rand.Uint32()))(env, args)
		}},
		{Name: "generateUUIDv4", MinArgs: 0, MaxArgs: 1, Flags: own | OwnConst | NotDeterministic, Bind: bindRand(column.Of(column.UUID))},
		{Name: "hostName", Bind: hostName}, {Name: "FQDN", Bind: hostName}, {Name: "displayName", Bind: hostName},
		{Name: "version", Bind: constant(column.Strings(serverVersion))},
		{Name: "timezone", Bind: constant(column.Strings("UTC"))},
		{Name: "serverTimezone", Bind: constant(column.Strings("UTC"))},
		{Name: "currentDatabase", Bind: envText(func(e *Env) string { return e.Database })},
		{Name: "currentUser", Bind: envText(func(e *Env) string { return e.User })},
		{Name: "queryID", Bind: envText(func(e *Env) string { return e.QueryID })},
		{Name: "initialQueryID", Bind: envText(func(e *Env) string { return e.QueryID })},
		{Name: "getSetting", MinArgs: 1, MaxArgs: 2, Bind: bindGetSetting},
		{Name: "bar", MinArgs: 3, MaxArgs: 4, Bind: bindBar},
		{Name: "isDecimalOverflow", MinArgs: 1, MaxArgs: 2, Bind: bindDecimalOverflow},
		{Name: "countDigits", MinArgs: 1, MaxArgs: 1, Bind: bindCountDigits},
	}
}

// constant binds a function whose value is one row, whatever its arguments.
func constant(one column.Column) func(env *Env, args []Arg) (*Bound, error) {
	return func(*Env, []Arg) (*Bound, error) {
		b, err := result(one.Type(), func(call *Call) (column.Column, error) { return column.NewConst(one, call.Rows), nil })
		b.Value = one
		return b, err
	}
}

// reading is constant for a function whose arguments are computed all the same.
func reading(one column.Column) func(env *Env, args []Arg) (*Bound, error) {
	return func(env *Env, args []Arg) (*Bound, error) {
		b, err := constant(one)(env, args)
		b.Value = nil
		return b, err
	}
}

func envText(f func(*Env) string) func(env *Env, args []Arg) (*Bound, error) {
	return func(env *Env, args []Arg) (*Bound, error) { return constant(column.Strings(f(env)))(env, args) }
}

func hostName(env *Env, args []Arg) (*Bound, error) {
	name, err := os.Hostname()
	if err != nil {
		name = "localhost"
	}
	return constant(column.Strings(name))(env, args)
}

func bindMaterialize(_ *Env, args []Arg) (*Bound, error) {
	return result(args[0].Type, func(call *Call) (column.Column, error) { return call.full(call.Args[0]), nil })
}

func bindColumnTypeName(env *Env, args []Arg) (*Bound, error) {
	name := args[0].Type.String()
	if args[0].Const != nil {
		name = "Const(" + name + ")"
	}
	return constant(column.Strings(name))(env, args)
}

func bindIsConstant(env *Env, args []Arg) (*Bound, error) {
	return reading(column.UInt8s(bit(args[0].Const != nil)))(env, args)
}

func bindToLowCardinality(_ *Env, args []Arg) (*Bound, error) {
	a := args[0].Type
	if a.Kind == column.LowCardinality {
		return pick(a, 0)
	}
	if !canBeLowCardinality(a) {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "DataTypeLowCardinality is supported only for numbers, strings, Date or DateTime, but got %s", a)
	}
	t := column.NewLowCardinality(a)
	return result(t, func(call *Call) (column.Column, error) { return encode(t, call.Args[0]), nil })
}

func bindLowCardinalityKeys(_ *Env, args []Arg) (*Bound, error) {
	a := args[0].Type
	if a.Kind != column.LowCardinality {
		return nil, illegalType("lowCardinalityKeys", a)
	}
	t := a.Elems[0]
	return result(t, func(call *Call) (column.Column, error) {
		l := call.full(call.Args[0]).(*column.LowCard)
		n := min(call.Rows, l.Dict.Len())
		out := column.New(t, call.Rows)
		out.AppendRange(l.Dict, 0, n)
		out.AppendDefault(call.Rows - n)
		return out, nil
	})
}

func bindLowCardinalityIndices(_ *Env, args []Arg) (*Bound, error) {
	a := args[0].Type
	if a.Kind != column.LowCardinality {
		return nil, illegalType("lowCardinalityIndices", a)
	}
	t := column.Of(column.UInt64)
	return result(t, func(call *Call) (column.Column, error) {
		l := call.full(call.Args[0]).(*column.LowCard)
		return column.NewNum(t, convert[uint64](l.Index)), nil
	})
}

func defaultOf(env *Env, t *column.Type) (*Bound, error) {
	one := column.New(t, 1)
	column.AppendTypeDefault(one)
	return constant(one)(env, nil)
}

func bindDefaultOfName(env *Env, args []Arg) (*Bound, error) {
	name, ok := constStr(args[0])
	if !ok {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "The argument of function defaultValueOfTypeName must be a constant string, got %s", args[0].Type)
	}
	t, err := column.Parse(name)
	if err != nil {
		return nil, err
	}
	return defaultOf(env, t)
}

func bindByteSize(env *Env, args []Arg) (*Bound, error) {
	t := column.Of(column.UInt64)
	fixed := uint64(0)
	for _, a := range args {
		if a.Type.FixedWidth() == 0 {
			fixed = 0
			break
		}
		fixed += uint64(a.Type.FixedWidth())
	}
	if fixed > 0 {
		return constant(column.UInt64s(fixed))(env, args)
	}
	return result(t, func(call *Call) (column.Column, error) {
		out := make([]uint64, call.Rows)
		for _, a := range call.Args {
			c := plainColumn(column.Full(a))
			for i := range out {
				out[i] += byteSize(c, i)
			}
		}
		return column.NewNum(t, out), nil
	})
}

// byteSize is the memory of one value as ClickHouse counts it: strings and arrays have an 8-byte offset.
func byteSize(c column.Column, i int) uint64 {
	switch x := c.(type) {
	case *column.Null:
		return 1 + byteSize(x.Inner, i)
	case *column.Str:
		return uint64(len(x.At(i))) + 8
	case *column.Arr:
		n := uint64(8)
		for from, to := x.Range(i); from < to; from++ {
			n += byteSize(x.Elem, from)
		}
		return n
	case *column.MapColumn:
		return byteSize(x.Arr, i)
	case *column.Tup:
		n := uint64(0)
		for _, e := range x.Elems {
			n += byteSize(e, i)
		}
		return n
	}
	return uint64(c.Type().FixedWidth())
}

func bindThrowIf(_ *Env, args []Arg) (*Bound, error) {
	if c, ok := classOf(args[0].Type); !ok || c.size > 8 {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "First argument of function throwIf must be a number (passed: %s)", args[0].Type)
	}
	text := "Value passed to 'throwIf' function is non-zero"
	if len(args) > 1 {
		custom, ok := constStr(args[1])
		if !ok {
			return nil, errcode.New(errcode.IllegalTypeOfArgument, "Second argument of function throwIf must be a string (passed: %s)", args[1].Type)
		}
		text = custom
	}
	code := errcode.FunctionThrowIfValueIsNonZero
	if len(args) > 2 {
		n, ok := constInt(args[2])
		if !ok {
			return nil, errcode.New(errcode.IllegalTypeOfArgument, "Third argument of function throwIf must be a number (passed: %s)", args[2].Type)
		}
		if code = errcode.Code(n); code <= 0 {
			return nil, errcode.New(errcode.BadArguments, "Third argument of function throwIf must be an error code (passed: %d)", n)
		}
	}
	return result(uint8Type, func(call *Call) (column.Column, error) {
		for _, v := range truth(call.Args[0], call.Rows) {
			if v == triTrue {
				return nil, errcode.New(code, "%s", text)
			}
		}
		return column.NewConst(column.UInt8s(0), call.Rows), nil
	})
}

// maxSleep is function_sleep_max_microseconds_per_block.
const maxSleep = 3 * time.Second

func bindSleep(name string, eachRow bool) func(env *Env, args []Arg) (*Bound, error) {
	return func(_ *Env, args []Arg) (*Bound, error) {
		if c, ok := classOf(args[0].Type); !ok || c.size > 8 || c.signed && !c.float {
			return nil, errcode.New(errcode.IllegalTypeOfArgument, "A value of illegal type was provided as 1st argument 'seconds' to function '%s'. Expected: UInt* or Float*, got: %s", name, args[0].Type)
		}
		if args[0].Const == nil {
			return nil, errcode.New(errcode.IllegalColumn, "The argument of function %s must be constant.", name)
		}
		v, _ := nums[float64](unconst(args[0].Const))
		seconds := v[0]
		if !(seconds >= 0 && seconds < 1e9) {
			return nil, errcode.New(errcode.BadArguments, "Cannot sleep infinite, very large or negative amount of time (not implemented)")
		}
		return result(uint8Type, func(call *Call) (column.Column, error) {
			d := time.Duration(seconds * float64(time.Second))
			if eachRow {
				d *= time.Duration(call.Rows)
			}
			if d > maxSleep || float64(call.Rows)*seconds > 1e9 {
				return nil, errcode.New(errcode.TooSlow, "The maximum sleep time is %d microseconds. Requested: %d microseconds", maxSleep.Microseconds(), d.Microseconds())
			}
			if call.Rows > 0 {
				if err := sleep(call.Env, d); err != nil {
					return nil, err
				}
			}
			return column.NewConst(column.UInt8s(0), call.Rows), nil
		})
	}
}

func sleep(env *Env, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	if env == nil || env.Ctx == nil {
		<-t.C
		return nil
	}
	select {
	case <-t.C:
		return nil
	case <-env.Ctx.Done():
		return errcode.New(errcode.QueryWasCancelled, "Query was cancelled")
	}
}

func bindRowNumber(all bool) func(env *Env, args []Arg) (*Bound, error) {
	return func(*Env, []Arg) (*Bound, error) {
		t := column.Of(column.UInt64)
		var rows atomic.Uint64
		return result(t, func(call *Call) (column.Column, error) {
			first := uint64(0)
			if all {
				first = rows.Add(uint64(call.Rows)) - uint64(call.Rows)
			}
			out := make([]uint64, call.Rows)
			for i := range out {
				out[i] = first + uint64(i)
			}
			return column.NewNum(t, out), nil
		})
	}
}

func bindBlockNumber(*Env, []Arg) (*Bound, error) {
	var blocks atomic.Uint64
	return result(column.Of(column.UInt64), func(call *Call) (column.Column, error) {
		return column.NewConst(column.UInt64s(blocks.Add(1)-1), call.Rows), nil
	})
}

func bindRunningDifference(env *Env, args []Arg) (*Bound, error) {
	if s := env.Settings("allow_deprecated_error_prone_window_functions"); s == "" || s == "0" {
		return nil, errcode.New(721, "Function runningDifference is deprecated since its usage is error-prone (see docs).Please use proper window function or set `allow_deprecated_error_prone_window_functions` setting to enable it")
	}
	c, ok := classOf(args[0].Type)
	if !ok || c.size > 8 {
		return nil, illegalType("runningDifference", args[0].Type)
	}
	t := arithType(opMinus, c, c)
	return result(t, func(call *Call) (column.Column, error) {
		x := call.full(call.Args[0])
		if c.float {
			v, _ := nums[float64](x)
			out := make([]float64, len(v))
			for i := 1; i < len(v); i++ {
				out[i] = v[i] - v[i-1]
			}
			return column.NewNum(t, out), nil
		}
		v, _ := nums[int64](x)
		out := make([]int64, len(v))
		for i := 1; i < len(v); i++ {
			out[i] = v[i] - v[i-1]
		}
		return numCut(t, out), nil
	})
}

func bindRand(t *column.Type) func(env *Env, args []Arg) (*Bound, error) {
	return func(*Env, []Arg) (*Bound, error) {
		return result(t, func(call *Call) (column.Column, error) {
			r := rand.NewPCG(rand.Uint64(), rand.Uint64())
			switch t.Kind {
			case column.UInt32:
				out := make([]uint32, call.Rows)
				for i := range out {
					out[i] = uint32(r.Uint64())
				}
				return column.NewNum(t, out), nil
			case column.UInt64:
				out := make([]uint64, call.Rows)
				for i := range out {
					out[i] = r.Uint64()
				}
				return column.NewNum(t, out), nil
			case column.Float64:
				out := make([]float64, call.Rows)
				for i := range out {
					out[i] = float64(r.Uint64()>>11) / (1 << 53)
				}
				return column.NewNum(t, out), nil
			}
			out := make([]column.UUIDValue, call.Rows)
			for i := range out {
				out[i] = column.UUIDValue{Hi: r.Uint64()&^0xf000 | 0x4000, Lo: r.Uint64()&^(3<<62) | 2<<62}
			}
			return column.NewWide(t, out), nil
		})
	}
}

func bindGetSetting(env *Env, args []Arg) (*Bound, error) {
	name, ok := constStr(args[0])
	if !ok {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "The argument of function getSetting should be a constant string with the name of a setting")
	}
	v := env.Settings(name)
	if v == "" {
		if len(args) == 2 {
			return pick(args[1].Type, 1)
		}
		return nil, errcode.New(errcode.UnknownSetting, "Unknown setting '%s'", name)
	}
	if env.SettingType != nil && env.SettingType(name) == "Seconds" {
		seconds, err := strconv.ParseFloat(v, 64)
		if err != nil {
			return nil, err
		}
		return constant(column.Float64s(seconds))(env, args)
	}
	return constant(settingValue(v))(env, args)
}

// settingValue is a setting's text as a number where it is one: the narrowest type that holds it.
func settingValue(text string) column.Column {
	n := uint64(0)
	for _, c := range []byte(text) {
		if c < '0' || c > '9' || n > math.MaxUint64/10-1 {
			return column.Strings(text)
		}
		n = n*10 + uint64(c-'0')
	}
	switch {
	case n <= math.MaxUint8:
		return column.UInt8s(uint8(n))
	case n <= math.MaxUint16:
		return column.UInt16s(uint16(n))
	case n <= math.MaxUint32:
		return column.UInt32s(uint32(n))
	}
	return column.UInt64s(n)
}

// bars are the eighths of a full block.
var bars = [...]string{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"}

func bindBar(_ *Env, args []Arg) (*Bound, error) {
	for _, a := range args {
		if !a.Type.IsNumber() {
			return nil, illegalType("bar", a.Type)
		}
	}
	width := 80.0
	if len(args) == 4 {
		if args[3].Const == nil {
			return nil, errcode.New(errcode.IllegalColumn, "Argument 4 of function bar must be constant")
		}
		v, _ := decimalFloats(unconst(args[3].Const))
		width = v[0]
	}
	if !(width >= 1 && width <= 1000) {
		return nil, errcode.New(errcode.ArgumentOutOfBound, "Max_width argument must be in [1, 1000].")
	}
	return result(column.Of(column.String), func(call *Call) (column.Column, error) {
		x, xc := decimalFloats(call.Args[0])
		lo, lc := decimalFloats(call.Args[1])
		hi, hc := decimalFloats(call.Args[2])
		out := newStr(call.Rows)
		for i := 0; i < call.Rows; i++ {
			v, a, b := at(x, xc, i), at(lo, lc, i), at(hi, hc, i)
			w := 0.0
			switch {
			case v != v || a != a || b != b || v <= a:
			case v >= b:
				w = width
			default:
				w = (v - a) * width / (b - a)
			}
			for n := math.Floor(w); n > 0; n-- {
				out.Data = append(out.Data, bars[8]...)
			}
			out.Data = append(out.Data, bars[int((w-math.Floor(w))*8)]...)
			out.EndRow()
		}
		return out, nil
	})
}

func bindDecimalOverflow(_ *Env, args []Arg) (*Bound, error) {
	a := args[0].Type
	if !a.IsDecimal() {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "Illegal type %s of argument of function isDecimalOverflow", a)
	}
	prec := int64(a.Precision)
	if len(args) == 2 {
		n, ok := constInt(args[1])
		if !ok {
			return nil, illegalType("isDecimalOverflow", args[1].Type)
		}
		prec = n
	}
	if prec < 0 || prec > 76 {
		return nil, errcode.New(errcode.BadArguments, "Illegal precision %d", prec)
	}
	return unary(uint8Type, func(c column.Column) column.Column {
		v, _ := wides(c)
		return bools(v, func(w wide) bool { return w.abs().cmpU(wide10[prec]) >= 0 })
	})
}

func bindCountDigits(_ *Env, args []Arg) (*Bound, error) {
	a := args[0].Type
	if !a.IsInteger() && !a.IsDecimal() {
		return nil, illegalType("countDigits", a)
	}
	return unary(uint8Type, func(c column.Column) column.Column {
		v, _ := wides(c)
		return numCut(uint8Type, mapSlice(v, func(w wide) uint64 {
			if !a.IsUnsigned() {
				w = w.abs()
			}
			n := uint64(1)
			for n < 78 && w.cmpU(wide10[n]) >= 0 {
				n++
			}
			return n
		}))
	})
}
