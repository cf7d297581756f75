package function

import (
	"math"

	"dictsvc/column"
	"dictsvc/errcode"
)

func bindNegate(env *Env, args []Arg) (*Bound, error) {
	a := args[0].Type
	switch {
	case a.IsDecimal():
		return unary(a, func(c column.Column) column.Column { return narrow(a, mapWide(c, wide.neg)) })
	case a.Kind == column.Interval:
		return unary(a, func(c column.Column) column.Column {
			v, _ := nums[int64](c)
			return column.NewNum(a, mapSlice(v, func(x int64) int64 { return -x }))
		})
	}
	c, ok := classOf(a)
	if !ok {
		if a.Kind == column.Tuple || a.Kind == column.Array {
			return bindNestedUnary(env, "negate", args)
		}
		return nil, illegalType("negate", a)
	}
	if !c.signed {
		c = numClass{signed: true, size: nextSize(c.size)}
	}
	t := c.typ()
	if c.float {
		return unary(t, func(x column.Column) column.Column {
			if f, ok := x.(*column.Num[float32]); ok {
				return column.NewNum(t, mapSlice(f.Data, func(v float32) float32 { return -v }))
			}
			v, _ := nums[float64](x)
			return column.NewNum(t, mapSlice(v, func(v float64) float64 { return -v }))
		})
	}
	return unary(t, func(x column.Column) column.Column {
		if c.size > 8 {
			return narrow(t, mapWide(x, wide.neg))
		}
		v, _ := nums[int64](x)
		return numCut(t, mapSlice(v, func(v int64) int64 { return -v }))
	})
}

// unary wraps a function of one full column.
func unary(t *column.Type, f func(c column.Column) column.Column) (*Bound, error) {
	return result(t, func(call *Call) (column.Column, error) {
		c := call.Args[0]
		if k, ok := c.(*column.Const); ok {
			return column.NewConst(f(k.Val), k.N), nil
		}
		return f(c), nil
	})
}

// unaryIn is unary for a function that makes its column in m, or the collector's memory where m is nil.
func unaryIn(t *column.Type, f func(_ *column.Scratch, c column.Column) column.Column) (*Bound, error) {
	return result(t, func(call *Call) (column.Column, error) {
		c := call.Args[0]
		if k, ok := c.(*column.Const); ok {
			return column.NewConst(f(nil, k.Val), k.N), nil
		}
		return f(call.Scratch, c), nil
	})
}

func mapWide(c column.Column, f func(wide) wide) []wide {
	v, _ := wides(c)
	return mapSlice(v, f)
}

func bindAbs(_ *Env, args []Arg) (*Bound, error) {
	a := args[0].Type
	if a.IsDecimal() {
		return unary(a, func(c column.Column) column.Column { return narrow(a, mapWide(c, wide.abs)) })
	}
	c, ok := classOf(a)
	if !ok {
		return nil, illegalType("abs", a)
	}
	if c.float {
		return unary(a, func(x column.Column) column.Column {
			if f, ok := x.(*column.Num[float32]); ok {
				return column.NewNum(a, mapSlice(f.Data, func(v float32) float32 { return float32(math.Abs(float64(v))) }))
			}
			v, _ := nums[float64](x)
			return column.NewNum(a, mapSlice(v, math.Abs))
		})
	}
	t := numClass{size: c.size}.typ()
	return unary(t, func(x column.Column) column.Column {
		switch {
		case c.size > 8 && c.signed:
			return narrow(t, mapWide(x, wide.abs))
		case c.size > 8:
			return x
		case !c.signed:
			return column.Retype(x, t)
		}
		v, _ := nums[int64](x)
		return numCut(t, mapSlice(v, func(v int64) int64 { return max(v, -v) }))
	})
}

func bindSign(_ *Env, args []Arg) (*Bound, error) {
	a := args[0].Type
	if !a.IsNumber() {
		return nil, illegalType("sign", a)
	}
	t := column.Of(column.Int8)
	return unary(t, func(x column.Column) column.Column {
		if a.IsFloat() {
			v, _ := nums[float64](x)
			return column.NewNum(t, mapSlice(v, func(f float64) int8 {
				switch {
				case f == 0:
					return 0
				case f < 0:
					return -1
				}
				return 1 // NaN too
			}))
		}
		v, _ := wides(x)
		return column.NewNum(t, mapSlice(v, func(w wide) int8 {
			switch {
			case w.zero():
				return 0
			case w.negative() && !a.IsUnsigned():
				return -1
			}
			return 1
		}))
	})
}

// decimalScale is the scale of a decimal, 0 for integers.
func decimalScale(t *column.Type) int {
	if t.IsDecimal() {
		return t.Scale
	}
	return 0
}

var errDecimal = errcode.New(errcode.DecimalOverflow, "Decimal math overflow")

// bindDecimal binds an operator with a decimal among its two numbers. With a float the result is Float64; else both are brought to the result's scale.
func bindDecimal(op arithOp, args []Arg) (*Bound, error) {
	a, b := args[0].Type, args[1].Type
	if a.IsFloat() || b.IsFloat() {
		return bindDecimalFloat(op, args)
	}
	prec, sa, sb := 0, decimalScale(a), decimalScale(b)
	for _, t := range []*column.Type{a, b} {
		if t.IsDecimal() {
			prec = max(prec, decimalDigits(t))
		}
	}
	scale := max(sa, sb)
	switch op {
	case opPlus, opMinus:
	case opMultiply:
		scale = sa + sb
	case opDivide:
		if scale = sa; !a.IsDecimal() {
			scale = sb
		}
		if a.IsDecimal() && sb > sa {
			return nil, errcode.New(errcode.ArgumentOutOfBound, "Decimal result's scale is less than argument's one")
		}
	case opModulo, opPositiveModulo:
		if a.IsDecimal() && sb > sa {
			return nil, errcode.New(errcode.ArgumentOutOfBound, "Decimal result's scale is less than argument's one")
		}
	case opIntDiv, opIntDivOrZero:
		return decimalIntDiv(op, a, b)
	default:
		return nil, illegalTypes(arithNames[op], args)
	}
	if scale > prec {
		return nil, errcode.New(errcode.ArgumentOutOfBound, "Scale %d is out of bounds (precision is %d)", scale, prec)
	}
	t := column.NewDecimal(prec, scale)
	mulA, mulB := wideU(1), wideU(1)
	switch op {
	case opPlus, opMinus:
		mulA, mulB = wide10[scale-sa], wide10[scale-sb]
	case opDivide:
		if scale-sa+sb >= len(wide10) {
			return nil, errcode.New(errcode.DecimalOverflow, "Decimal math overflow: scales %d and %d are too large to divide", sa, sb)
		}
		mulA = wide10[scale-sa+sb]
	}
	size := t.FixedWidth()
	f := decimalStep(op, mulA, mulB, size)
	if fast := decimalFast(op, t, mulA, mulB); fast != nil && a.FixedWidth() <= 8 && b.FixedWidth() <= 8 && a.Kind != column.UInt64 && b.Kind != column.UInt64 {
		return fast.bound(t)
	}
	return result(t, func(call *Call) (column.Column, error) {
		x, xc := wides(call.Args[0])
		y, yc := wides(call.Args[1])
		out, err := each2e(x, xc, y, yc, call.Rows, f)
		if err != nil {
			return nil, err
		}
		return narrow(t, out), nil
	})
}

func decimalDigits(t *column.Type) int {
	switch t.Kind {
	case column.Decimal32:
		return 9
	case column.Decimal64:
		return 18
	case column.Decimal128:
		return 38
	}
	return 76
}

func decimalStep(op arithOp, mulA, mulB wide, size int) func(a, b wide) (wide, error) {
	return func(a, b wide) (wide, error) {
		a, ok1 := a.mulSigned(mulA)
		b, ok2 := b.mulSigned(mulB)
		if !ok1 || !ok2 || !a.fits(size) || !b.fits(size) && op != opDivide {
			return a, errDecimal
		}
		var r wide
		ok := true
		switch op {
		case opPlus:
			r = a.add(b)
			ok = a.negative() != b.negative() || r.negative() == a.negative()
		case opMinus:
			r = a.sub(b)
			ok = a.negative() == b.negative() || r.negative() == a.negative()
		case opMultiply:
			r, ok = a.mulSigned(b)
		default:
			if b.zero() {
				return a, errDivideByZero
			}
			q, m := a.divmodS(b)
			switch op {
			case opDivide:
				r = q
			case opModulo:
				r = m
			default:
				if r = m; r.negative() {
					r = r.add(b.abs())
				}
			}
		}
		if !ok || !r.fits(size) {
			return r, errDecimal
		}
		return r, nil
	}
}

func decimalIntDiv(op arithOp, a, b *column.Type) (*Bound, error) {
	size := a.FixedWidth()
	t := numClass{signed: true, size: size}.typ()
	sa, sb := decimalScale(a), decimalScale(b)
	s := max(sa, sb)
	return result(t, func(call *Call) (column.Column, error) {
		x, xc := wides(call.Args[0])
		y, yc := wides(call.Args[1])
		out, err := each2e(x, xc, y, yc, call.Rows, func(u, v wide) (wide, error) {
			if v.zero() {
				if op == opIntDivOrZero {
					return wide{}, nil
				}
				return v, errDivideByZero
			}
			q, _ := u.mul(wide10[s-sa]).divmodS(v.mul(wide10[s-sb]))
			return q, nil
		})
		if err != nil {
			return nil, err
		}
		return narrow(t, out), nil
	})
}

// decimalFloats reads a number column, decimals included, as floats.
func decimalFloats(c column.Column) ([]float64, bool) { return decimalFloatsIn(nil, c) }

// decimalFloatsIn is decimalFloats with memory for values of another type.
func decimalFloatsIn(m *column.Scratch, c column.Column) ([]float64, bool) {
	t := c.Type()
	if !t.IsDecimal() {
		return numsIn[float64](m, c)
	}
	p := pow10(t.Scale)
	v, isConst := nums[float64](c)
	return mapSlice(v, func(f float64) float64 { return f / p }), isConst
}

func pow10(n int) float64 { return math.Pow10(n) }

func bindDecimalFloat(op arithOp, args []Arg) (*Bound, error) {
	t := column.Of(column.Float64)
	var loop func(out, a, b []float64, ac, bc bool)
	switch op {
	case opPlus:
		loop = plusLoop[float64]
	case opMinus:
		loop = minusLoop[float64]
	case opMultiply:
		loop = timesLoop[float64]
	case opDivide:
		loop = divideLoop[float64]
	case opModulo:
		loop = func(out, a, b []float64, ac, bc bool) {
			for i := range out {
				out[i] = math.Mod(at(a, ac, i), at(b, bc, i))
			}
		}
	default:
		return nil, illegalTypes(arithNames[op], args)
	}
	return result(t, func(call *Call) (column.Column, error) {
		x, xc := decimalFloats(call.Args[0])
		y, yc := decimalFloats(call.Args[1])
		out := make([]float64, call.Rows)
		loop(out, x, y, xc, yc)
		return column.NewNum(t, out), nil
	})
}
