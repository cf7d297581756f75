package function

import (
	"math"

	"dictsvc/column"
	"dictsvc/errcode"
)

func roundFunctions() []Function {
	return []Function{
		{Name: "round", MinArgs: 1, MaxArgs: 2, Bind: bindRound("round", roundAuto)},
		{Name: "roundBankers", MinArgs: 1, MaxArgs: 2, Bind: bindRound("roundBankers", roundBankers)},
		{Name: "floor", MinArgs: 1, MaxArgs: 2, Bind: bindRound("floor", roundFloor)},
		{Name: "ceil", MinArgs: 1, MaxArgs: 2, Bind: bindRound("ceil", roundCeil)},
		{Name: "trunc", MinArgs: 1, MaxArgs: 2, Bind: bindRound("trunc", roundTrunc)},
		{Name: "roundToExp2", MinArgs: 1, MaxArgs: 1, Bind: bindRoundToExp2},
		{Name: "roundDuration", MinArgs: 1, MaxArgs: 1, Bind: bindRoundSteps("roundDuration", column.UInt16, durationSteps)},
		{Name: "roundAge", MinArgs: 1, MaxArgs: 1, Bind: bindRoundSteps("roundAge", column.UInt8, ageSteps)},
	}
}

type roundMode uint8

const (
	roundAuto    roundMode = iota // floats: to even; integers and decimals: half away from zero
	roundBankers                  // to even
	roundFloor
	roundCeil
	roundTrunc
)

func bindRound(name string, mode roundMode) func(env *Env, args []Arg) (*Bound, error) {
	return func(_ *Env, args []Arg) (*Bound, error) {
		t := args[0].Type
		if !t.IsNumber() {
			return nil, errcode.New(errcode.IllegalTypeOfArgument, "A value of illegal type was provided as 1st argument 'x' to function '%s'. Expected: A number to round, got: %s", name, t)
		}
		if len(args) == 2 && !args[1].Type.IsInteger() {
			return nil, errcode.New(errcode.IllegalTypeOfArgument, "A value of illegal type was provided as 2nd argument 'N' to function '%s'. Expected: The number of decimal places to round to, got: %s", name, args[1].Type)
		}
		return result(t, func(call *Call) (column.Column, error) {
			scale, isConst := []int64{0}, true
			if len(call.Args) == 2 {
				scale, isConst = nums[int64](call.Args[1])
			}
			c := call.full(call.Args[0])
			if isConst || call.Rows == 1 {
				return roundColumn(c, t, mode, clampScale(scale[0])), nil
			}
			out := column.New(t, call.Rows)
			for i := range scale {
				out.AppendRange(roundColumn(c.Slice(i, i+1), t, mode, clampScale(scale[i])), 0, 1)
			}
			return out, nil
		})
	}
}

func clampScale(n int64) int { return int(min(max(n, -400), 400)) }

// roundColumn rounds to scale digits behind the point; a negative scale rounds to tens, hundreds and so on.
func roundColumn(c column.Column, t *column.Type, mode roundMode, scale int) column.Column {
	switch x := c.(type) {
	case *column.Num[float64]:
		return column.NewNum(t, roundFloats(x.Data, mode, scale))
	case *column.Num[float32]:
		return column.NewNum(t, roundFloats(x.Data, mode, scale))
	}
	digits := -scale
	if t.IsDecimal() {
		digits = t.Scale - scale
	}
	if digits <= 0 {
		return c
	}
	if t.FixedWidth() <= 8 && digits <= 18 {
		v, _ := nums[int64](c)
		p := ipow10(digits)
		return numCut(t, mapSlice(v, func(x int64) int64 { return roundInt(x, p, mode) }))
	}
	v, _ := wides(c)
	if digits >= len(wide10) {
		return narrow(t, make([]wide, len(v)))
	}
	p := wide10[digits]
	unsigned := t.IsUnsigned()
	return narrow(t, mapSlice(v, func(x wide) wide { return roundWide(x, p, mode, unsigned) }))
}

// roundInt follows ClickHouse's IntegerRoundingComputation, whose sums may wrap.
func roundInt(x, p int64, mode roundMode) int64 {
	switch mode {
	case roundTrunc:
		return x / p * p
	case roundFloor:
		if x < 0 {
			x -= p - 1
		}
		return x / p * p
	case roundCeil:
		if x >= 0 {
			x += p - 1
		}
		return x / p * p
	}
	if x < 0 {
		x -= p
	}
	q := (x + p/2) / p
	if mode == roundBankers && q*p == x+p/2 {
		if x < 0 {
			q++
		}
		q &^= 1
	}
	return q * p
}

func roundWide(x, p wide, mode roundMode, unsigned bool) wide {
	neg := !unsigned && x.negative()
	if neg {
		x = x.neg()
	}
	q, r := x.divmodU(p)
	up := false
	switch twice := r.add(r).cmpU(p); mode {
	case roundFloor:
		up = neg && !r.zero()
	case roundCeil:
		up = !neg && !r.zero()
	case roundAuto:
		up = twice >= 0
	case roundBankers:
		up = twice > 0 || twice == 0 && q[0]&1 == 1
	}
	if up {
		q = q.add(wideU(1))
	}
	q = q.mul(p)
	if neg {
		return q.neg()
	}
	return q
}

func roundFloats[T float32 | float64](v []T, mode roundMode, scale int) []T {
	out := make([]T, len(v))
	var step func(float64) float64
	switch mode {
	case roundFloor:
		step = math.Floor
	case roundCeil:
		step = math.Ceil
	case roundTrunc:
		step = math.Trunc
	default:
		step = math.RoundToEven
	}
	if scale == 0 {
		for i, x := range v {
			out[i] = T(step(float64(x)))
		}
		return out
	}
	p := T(math.Pow10(max(scale, -scale)))
	for i, x := range v {
		y := x
		if scale > 0 {
			y = T(step(float64(x*p))) / p
		} else {
			y = T(step(float64(x/p))) * p
		}
		if y-y != 0 { // the scaled value left the range: nothing to round
			y = x
		}
		out[i] = y
	}
	return out
}

func bindRoundToExp2(_ *Env, args []Arg) (*Bound, error) {
	t := args[0].Type
	c, ok := classOf(t)
	if !ok {
		return nil, illegalType("roundToExp2", t)
	}
	if c.size > 8 {
		return nil, errcode.New(errcode.NotImplemented, "roundToExp2() for big integers is not implemented")
	}
	if t.Kind == column.Bool {
		t = column.Of(column.UInt8)
	}
	if c.float {
		return unary(t, func(c column.Column) column.Column {
			v, _ := nums[float64](c)
			out := mapSlice(v, func(f float64) float64 {
				m, e := math.Frexp(f)
				if m == 0 {
					return f
				}
				return math.Copysign(math.Ldexp(0.5, e), f)
			})
			if t.Kind == column.Float32 {
				return column.NewNum(t, convert[float32](out))
			}
			return column.NewNum(t, out)
		})
	}
	return unary(t, func(x column.Column) column.Column {
		v, _ := nums[uint64](x)
		return numCut(t, mapSlice(v, func(u uint64) uint64 {
			if u == 0 || c.signed && int64(u) < 0 {
				return 0
			}
			return uint64(1) << (63 - leadingZeros(u))
		}))
	})
}

var (
	durationSteps = []float64{1, 10, 30, 60, 120, 180, 240, 300, 600, 1200, 1800, 3600, 7200, 18000, 36000}
	ageSteps      = []float64{17, 18, 25, 35, 45, 55}
)

// bindRoundSteps rounds down to a step; below the first step it gives 0, except that roundAge gives 17 for every age from 1 to 17.
func bindRoundSteps(name string, k column.Kind, steps []float64) func(env *Env, args []Arg) (*Bound, error) {
	return func(_ *Env, args []Arg) (*Bound, error) {
		if c, ok := classOf(args[0].Type); !ok || c.size > 8 {
			return nil, illegalType(name, args[0].Type)
		}
		t := column.Of(k)
		return unary(t, func(c column.Column) column.Column {
			v, _ := nums[float64](c)
			return numCut(t, mapSlice(v, func(f float64) uint64 {
				if f < 1 {
					return 0
				}
				if k == column.UInt8 && f < steps[0] {
					return uint64(steps[0])
				}
				r := steps[0]
				for _, s := range steps {
					if s <= f {
						r = s
					}
				}
				return uint64(r)
			}))
		})
	}
}
