package function

import (
	"math"

	"dictsvc/column"
	"dictsvc/errcode"
	"dictsvc/internal/exp2"
	"dictsvc/internal/simd"
)

func mathFunctions() []Function {
	list := []Function{
		{Name: "pow", MinArgs: 2, MaxArgs: 2, Bind: bindMath2("pow", math.Pow)},
		{Name: "atan2", MinArgs: 2, MaxArgs: 2, Bind: bindMath2("atan2", math.Atan2)},
		{Name: "hypot", MinArgs: 2, MaxArgs: 2, Bind: bindMath2("hypot", math.Hypot)},
		{Name: "min2", MinArgs: 2, MaxArgs: 2, Bind: bindMath2("min2", math.Min)},
		{Name: "max2", MinArgs: 2, MaxArgs: 2, Bind: bindMath2("max2", math.Max)},
		{Name: "pi", Bind: bindMathConst(math.Pi)},
		{Name: "e", Bind: bindMathConst(math.E)},
		{Name: "isNaN", MinArgs: 1, MaxArgs: 1, Bind: bindFloatTest("isNaN", func(f float64) bool { return f != f })},
		{Name: "isFinite", MinArgs: 1, MaxArgs: 1, Bind: bindFloatTest("isFinite", func(f float64) bool { return f-f == 0 })},
		{Name: "isInfinite", MinArgs: 1, MaxArgs: 1, Bind: bindFloatTest("isInfinite", func(f float64) bool { return math.IsInf(f, 0) })},
		{Name: "intExp2", MinArgs: 1, MaxArgs: 1, Bind: bindIntExp("intExp2", 2, 63)},
		{Name: "intExp10", MinArgs: 1, MaxArgs: 1, Bind: bindIntExp("intExp10", 10, 19)},
		{Name: "factorial", MinArgs: 1, MaxArgs: 1, Bind: bindFactorial},
	}
	for _, m := range mathTable {
		list = append(list, Function{Name: m.name, MinArgs: 1, MaxArgs: 1, Bind: bindMath1(m.name, m.f)})
	}
	return list
}

var mathTable = []struct {
	name string
	f    func(float64) float64
}{
	{"sqrt", math.Sqrt}, {"cbrt", math.Cbrt}, {"exp", math.Exp}, {"exp2", exp2.Of}, {"exp10", func(f float64) float64 { return math.Pow(10, f) }},
	{"log", math.Log}, {"log2", math.Log2}, {"log10", math.Log10}, {"log1p", math.Log1p}, {"erf", math.Erf}, {"erfc", math.Erfc},
	{"lgamma", func(f float64) float64 { v, _ := math.Lgamma(f); return v }}, {"tgamma", math.Gamma},
	{"sin", math.Sin}, {"cos", math.Cos}, {"tan", math.Tan}, {"asin", math.Asin}, {"acos", math.Acos}, {"atan", math.Atan},
	{"sinh", math.Sinh}, {"cosh", math.Cosh}, {"tanh", math.Tanh}, {"asinh", math.Asinh}, {"acosh", math.Acosh}, {"atanh", math.Atanh},
	{"degrees", func(f float64) float64 { return f * (180 / math.Pi) }}, {"radians", func(f float64) float64 { return f * (math.Pi / 180) }},
	{"sigmoid", func(f float64) float64 { return 1 / (1 + math.Exp(-f)) }},
	{"sqr", func(f float64) float64 { return f * f }},
}

func bindMath1(name string, f func(float64) float64) func(env *Env, args []Arg) (*Bound, error) {
	return func(_ *Env, args []Arg) (*Bound, error) {
		if !args[0].Type.IsNumber() {
			return nil, illegalType(name, args[0].Type)
		}
		t := column.Of(column.Float64)
		sqrt := name == "sqrt"
		return unaryIn(t, func(m *column.Scratch, c column.Column) column.Column {
			v, _ := decimalFloatsIn(m, c)
			out, n := column.Make[float64](m, len(v)), 0
			if sqrt {
				n = simd.Sqrt(out, v)
			}
			for i, x := range v[n:] {
				out[n+i] = f(x)
			}
			return column.NewNum(t, out)
		})
	}
}

func bindMath2(name string, f func(a, b float64) float64) func(env *Env, args []Arg) (*Bound, error) {
	return func(_ *Env, args []Arg) (*Bound, error) {
		for _, a := range args {
			c, plain := classOf(a.Type)
			if !a.Type.IsNumber() || plain && c.size > 8 {
				return nil, illegalType(name, a.Type)
			}
		}
		t := column.Of(column.Float64)
		return result(t, func(call *Call) (column.Column, error) {
			x, xc := decimalFloats(call.Args[0])
			y, yc := decimalFloats(call.Args[1])
			return column.NewNum(t, each2(x, xc, y, yc, call.Rows, f)), nil
		})
	}
}

func bindMathConst(v float64) func(env *Env, args []Arg) (*Bound, error) {
	return func(*Env, []Arg) (*Bound, error) {
		one := column.Float64s(v)
		return result(one.T, func(call *Call) (column.Column, error) { return column.NewConst(one, call.Rows), nil })
	}
}

// bools makes a UInt8 column of a test of each value.
func bools[T any](v []T, f func(T) bool) *column.Num[uint8] {
	out := make([]uint8, len(v))
	for i, x := range v {
		if f(x) {
			out[i] = 1
		}
	}
	return column.UInt8s(out...)
}

func bindFloatTest(name string, f func(float64) bool) func(env *Env, args []Arg) (*Bound, error) {
	return func(_ *Env, args []Arg) (*Bound, error) {
		if c, ok := classOf(args[0].Type); !ok || c.size > 8 {
			return nil, errcode.New(errcode.IllegalTypeOfArgument, "Argument for function %s must be a number", name)
		}
		return unary(column.Of(column.UInt8), func(c column.Column) column.Column {
			v, _ := nums[float64](c)
			return bools(v, f)
		})
	}
}

func bindIntExp(name string, base uint64, top float64) func(env *Env, args []Arg) (*Bound, error) {
	return func(_ *Env, args []Arg) (*Bound, error) {
		c, ok := classOf(args[0].Type)
		if !ok {
			return nil, illegalType(name, args[0].Type)
		}
		if c.size > 8 {
			return nil, errcode.New(errcode.NotImplemented, "%s not implemented for big integers", name)
		}
		t := column.Of(column.UInt64)
		return result(t, func(call *Call) (column.Column, error) {
			v, _ := nums[float64](call.full(call.Args[0]))
			out := make([]uint64, len(v))
			for i, x := range v {
				switch {
				case x != x:
					return nil, errcode.New(errcode.BadArguments, "%s must not be called with nan", name)
				case x < 0:
				case x > top:
					out[i] = math.MaxUint64
				default:
					out[i] = 1
					for n := int(x); n > 0; n-- {
						out[i] *= base
					}
				}
			}
			return column.NewNum(t, out), nil
		})
	}
}

func bindFactorial(_ *Env, args []Arg) (*Bound, error) {
	if c, ok := classOf(args[0].Type); !ok || c.size > 8 || c.float {
		return nil, illegalType("factorial", args[0].Type)
	}
	t := column.Of(column.UInt64)
	return result(t, func(call *Call) (column.Column, error) {
		v, _ := nums[int64](call.full(call.Args[0]))
		out := make([]uint64, len(v))
		for i, x := range v {
			if x > 20 {
				return nil, errcode.New(errcode.BadArguments, "The maximum value for the input argument of function factorial is 20")
			}
			out[i] = 1
			for k := int64(2); k <= x; k++ {
				out[i] *= uint64(k)
			}
		}
		return column.NewNum(t, out), nil
	})
}
