package function

import (
	"dictsvc/column"
	"dictsvc/errcode"
)

func arithmeticFunctions() []Function {
	return []Function{
		{Name: "plus", MinArgs: 2, MaxArgs: 2, Bind: bindArith(opPlus)},
		{Name: "minus", MinArgs: 2, MaxArgs: 2, Bind: bindArith(opMinus)},
		{Name: "multiply", MinArgs: 2, MaxArgs: 2, Bind: bindArith(opMultiply)},
		{Name: "divide", MinArgs: 2, MaxArgs: 2, Bind: bindArith(opDivide)},
		{Name: "divideOrNull", MinArgs: 2, MaxArgs: 2, Bind: orNull(bindArith(opDivide))},
		{Name: "intDiv", MinArgs: 2, MaxArgs: 2, Bind: bindArith(opIntDiv)},
		{Name: "intDivOrZero", MinArgs: 2, MaxArgs: 2, Bind: bindArith(opIntDivOrZero)},
		{Name: "intDivOrNull", MinArgs: 2, MaxArgs: 2, Bind: orNull(bindArith(opIntDivOrZero))},
		{Name: "modulo", MinArgs: 2, MaxArgs: 2, Bind: bindArith(opModulo)},
		{Name: "moduloOrZero", MinArgs: 2, MaxArgs: 2, Bind: bindArith(opModuloOrZero)},
		{Name: "moduloOrNull", MinArgs: 2, MaxArgs: 2, Bind: orNull(bindArith(opModuloOrZero))},
		{Name: "positiveModulo", MinArgs: 2, MaxArgs: 2, Bind: bindArith(opPositiveModulo)},
		{Name: "positiveModuloOrNull", MinArgs: 2, MaxArgs: 2, Bind: orNull(bindArith(opPositiveModuloOrZero))},
		{Name: "gcd", MinArgs: 2, MaxArgs: 2, Bind: bindArith(opGCD)},
		{Name: "lcm", MinArgs: 2, MaxArgs: 2, Bind: bindArith(opLCM)},
		{Name: "bitAnd", MinArgs: 2, MaxArgs: 2, Bind: bindArith(opBitAnd)},
		{Name: "bitOr", MinArgs: 2, MaxArgs: 2, Bind: bindArith(opBitOr)},
		{Name: "bitXor", MinArgs: 2, MaxArgs: 2, Bind: bindArith(opBitXor)},
		{Name: "negate", MinArgs: 1, MaxArgs: 1, Bind: bindNegate},
		{Name: "abs", MinArgs: 1, MaxArgs: 1, Bind: bindAbs},
		{Name: "sign", MinArgs: 1, MaxArgs: 1, Bind: bindSign},
	}
}

// arithOp is a binary operator on numbers.
type arithOp uint8

const (
	opPlus arithOp = iota
	opMinus
	opMultiply
	opDivide
	opIntDiv
	opIntDivOrZero
	opModulo
	opModuloOrZero
	opPositiveModulo
	opPositiveModuloOrZero
	opGCD
	opLCM
	opBitAnd
	opBitOr
	opBitXor
)

var arithNames = [...]string{"plus", "minus", "multiply", "divide", "intDiv", "intDivOrZero", "modulo", "moduloOrZero", "positiveModulo", "positiveModuloOrNull",
	"gcd", "lcm", "bitAnd", "bitOr", "bitXor"}

// arithType is ClickHouse's result type (NumberTraits.h) of an operator on two numbers; nil where the operator does not take them.
func arithType(op arithOp, a, b numClass) *column.Type {
	float := a.float || b.float
	wider := max(a.size, b.size)
	if float && wider > 8 && op != opDivide && op != opIntDiv && op != opIntDivOrZero && op < opModulo {
		return nil // big integers do not mix with floats
	}
	switch op {
	case opPlus, opMultiply:
		return numClass{float: float, signed: a.signed || b.signed, size: nextSize(wider)}.typ()
	case opMinus:
		return numClass{float: float, signed: true, size: nextSize(wider)}.typ()
	case opDivide:
		return column.Of(column.Float64)
	case opIntDiv, opIntDivOrZero:
		return numClass{signed: a.signed || b.signed, size: a.size}.typ()
	case opModulo, opModuloOrZero:
		switch {
		case float:
			return column.Of(column.Float64)
		case a.signed:
			return numClass{signed: true, size: nextSize(b.size)}.typ()
		}
		return numClass{size: b.size}.typ()
	case opPositiveModulo, opPositiveModuloOrZero:
		if float {
			return column.Of(column.Float64)
		}
		return numClass{size: b.size}.typ()
	case opGCD, opLCM:
		if float {
			return nil
		}
		return numClass{signed: a.signed || b.signed, size: nextSize(wider)}.typ()
	}
	if float {
		return nil
	}
	return numClass{signed: a.signed || b.signed, size: wider}.typ()
}

// binary computes a result column, in m's memory or the collector's, of two arguments of which at most one is a Const.
type binary func(_ *column.Scratch, a, b column.Column, rows int) (column.Column, error)

func (f binary) bound(t *column.Type) (*Bound, error) {
	return result(t, func(call *Call) (column.Column, error) { return f(call.Scratch, call.Args[0], call.Args[1], call.Rows) })
}

func bindArith(op arithOp) func(env *Env, args []Arg) (*Bound, error) {
	return func(env *Env, args []Arg) (*Bound, error) {
		a, b := args[0].Type, args[1].Type
		x, xok := arithClass(a)
		y, yok := arithClass(b)
		if xok && yok {
			t := arithType(op, x, y)
			if t == nil {
				return nil, illegalTypes(arithNames[op], args)
			}
			return arithKernel(op, x, y, t).bound(t)
		}
		if bound, err := bindStateArith(op, args); bound != nil || err != nil {
			return bound, err
		}
		switch {
		case (a.IsDecimal() || b.IsDecimal()) && a.IsNumber() && b.IsNumber():
			return bindDecimal(op, args)
		case op == opPlus || op == opMinus:
			if bound, err := bindDateArith(env, op, args); bound != nil || err != nil {
				return bound, err
			}
		case op == opModulo && (a.Kind == column.Date || a.Kind == column.DateTime) && yok:
			x = numClass{size: a.FixedWidth()}
			t := arithType(op, x, y)
			return arithKernel(op, x, y, t).bound(t)
		}
		if bound, err := bindNestedArith(env, op, args); bound != nil || err != nil {
			return bound, err
		}
		return nil, illegalTypes(arithNames[op], args)
	}
}

// arithClass is classOf with IPv4 taken for its number.
func arithClass(t *column.Type) (numClass, bool) {
	if t.Kind == column.IPv4 {
		return numClass{size: 4}, true
	}
	return classOf(t)
}

func arithKernel(op arithOp, a, b numClass, t *column.Type) binary {
	switch op {
	case opDivide:
		return divideKernel(t)
	case opIntDiv, opIntDivOrZero:
		return intDivKernel(op, a, b, t)
	case opModulo, opModuloOrZero, opPositiveModulo, opPositiveModuloOrZero:
		return moduloKernel(op, a, b, t)
	case opGCD, opLCM:
		return gcdKernel(op, a, b, t)
	}
	switch t.Kind {
	case column.UInt8:
		return simpleKernel[uint8](op, t)
	case column.UInt16:
		return simpleKernel[uint16](op, t)
	case column.UInt32:
		return simpleKernel[uint32](op, t)
	case column.UInt64:
		return simpleKernel[uint64](op, t)
	case column.Int8:
		return simpleKernel[int8](op, t)
	case column.Int16:
		return simpleKernel[int16](op, t)
	case column.Int32:
		return simpleKernel[int32](op, t)
	case column.Int64:
		return simpleKernel[int64](op, t)
	case column.Float64, column.Float32:
		return floatKernel(op, t)
	}
	return wideKernel(op, t)
}

// integer are the native integers.
type integer interface {
	~uint8 | ~uint16 | ~uint32 | ~uint64 | ~int8 | ~int16 | ~int32 | ~int64
}

// simpleKernel computes operators that are exact modulo the result's width, so that the operands can be cut to it first.
func simpleKernel[R integer](op arithOp, t *column.Type) binary {
	var loop func(out, a, b []R, ac, bc bool)
	switch op {
	case opPlus:
		loop = plusLoop[R]
	case opMinus:
		loop = minusLoop[R]
	case opMultiply:
		loop = timesLoop[R]
	case opBitAnd:
		loop = andLoop[R]
	case opBitOr:
		loop = orLoop[R]
	case opBitXor:
		loop = xorLoop[R]
	}
	return loopKernel(loop, t)
}

func loopKernel[R column.Number](loop func(out, a, b []R, ac, bc bool), t *column.Type) binary {
	return func(m *column.Scratch, a, b column.Column, rows int) (column.Column, error) {
		x, xc := numsIn[R](m, a)
		y, yc := numsIn[R](m, b)
		out := column.Make[R](m, rows)
		loop(out, x, y, xc, yc)
		return column.NewNum(t, out), nil
	}
}

func floatKernel(op arithOp, t *column.Type) binary {
	switch op {
	case opPlus:
		return loopKernel(plusLoop[float64], t)
	case opMinus:
		return loopKernel(minusLoop[float64], t)
	}
	return loopKernel(timesLoop[float64], t)
}

func divideKernel(t *column.Type) binary { return loopKernel(divideLoop[float64], t) }

func wideKernel(op arithOp, t *column.Type) binary {
	var f func(a, b wide) wide
	switch op {
	case opPlus:
		f = wide.add
	case opMinus:
		f = wide.sub
	case opMultiply:
		f = wide.mul
	case opBitAnd:
		f = func(a, b wide) wide { return wide{a[0] & b[0], a[1] & b[1], a[2] & b[2], a[3] & b[3]} }
	case opBitOr:
		f = func(a, b wide) wide { return wide{a[0] | b[0], a[1] | b[1], a[2] | b[2], a[3] | b[3]} }
	case opBitXor:
		f = func(a, b wide) wide { return wide{a[0] ^ b[0], a[1] ^ b[1], a[2] ^ b[2], a[3] ^ b[3]} }
	}
	return func(_ *column.Scratch, a, b column.Column, rows int) (column.Column, error) {
		x, xc := wides(a)
		y, yc := wides(b)
		return narrow(t, each2(x, xc, y, yc, rows, f)), nil
	}
}

// orNull wraps a division: NULL where the divisor is 0.
func orNull(bind func(env *Env, args []Arg) (*Bound, error)) func(env *Env, args []Arg) (*Bound, error) {
	return func(env *Env, args []Arg) (*Bound, error) {
		for _, a := range args {
			if c, ok := classOf(a.Type); !ok || a.Type.IsDecimal() || c.size == 0 {
				return nil, errcode.New(errcode.IllegalTypeOfArgument, "Illegal types %s and %s of arguments of a function that gives NULL for a division by zero", args[0].Type, args[1].Type)
			}
		}
		inner, err := bind(env, args)
		if err != nil {
			return nil, err
		}
		t := column.NewNullable(inner.Type)
		return result(t, func(call *Call) (column.Column, error) {
			res, err := inner.Exec(call)
			if err != nil {
				return nil, err
			}
			return makeNull(column.Full(res), zeros(call.Args[1], call.Rows)), nil
		})
	}
}

// zeros marks the rows of a number column that are 0.
func zeros(c column.Column, rows int) []uint8 {
	out := make([]uint8, rows)
	f, fc := nums[float64](c)
	for i := range out {
		if at(f, fc, i) == 0 {
			out[i] = 1
		}
	}
	return out
}
