package function

import (
	"math"

	"dictsvc/column"
	"dictsvc/errcode"
	"dictsvc/internal/simd"
)

// numClass describes a native or wide number: what ClickHouse's result-type rules look at.
type numClass struct {
	float, signed bool
	size          int // bytes
}

// classOf describes integers and floats; dates, decimals and the rest are not among them.
func classOf(t *column.Type) (numClass, bool) {
	switch {
	case t.IsUnsigned():
		return numClass{size: t.FixedWidth()}, true
	case t.IsSigned():
		return numClass{signed: true, size: t.FixedWidth()}, true
	case t.IsFloat():
		return numClass{signed: true, float: true, size: t.FixedWidth()}, true
	}
	return numClass{}, false
}

// typ is the type of a class; floats are at least 4 bytes.
func (c numClass) typ() *column.Type {
	if c.float {
		if c.size > 4 {
			return column.Of(column.Float64)
		}
		return column.Of(column.Float32)
	}
	first := column.UInt8
	if c.signed {
		first = column.Int8
	}
	k := first
	for s := 1; s < c.size; s *= 2 {
		k++
	}
	return column.Of(k)
}

func nextSize(n int) int {
	if n < 8 {
		return n * 2
	}
	return n
}

// nums reads a column of numbers (dates, enums and decimals by their layout) as values of type R, one value where it is a Const. The slice is
// the column's own where its values have that type already, so it must not be written to.
func nums[R column.Number](c column.Column) ([]R, bool) { return numsIn[R](nil, c) }

// numsIn is nums with memory for values of another type.
func numsIn[R column.Number](m *column.Scratch, c column.Column) ([]R, bool) {
	k, isConst := c.(*column.Const)
	if isConst {
		c = k.Val
	}
	switch x := c.(type) {
	case *column.Num[R]:
		return x.Data, isConst
	case *column.Num[uint8]:
		return convertIn[R](m, x.Data), isConst
	case *column.Num[uint16]:
		return convertIn[R](m, x.Data), isConst
	case *column.Num[uint32]:
		return convertIn[R](m, x.Data), isConst
	case *column.Num[uint64]:
		return convertIn[R](m, x.Data), isConst
	case *column.Num[int8]:
		return convertIn[R](m, x.Data), isConst
	case *column.Num[int16]:
		return convertIn[R](m, x.Data), isConst
	case *column.Num[int32]:
		return convertIn[R](m, x.Data), isConst
	case *column.Num[int64]:
		return convertIn[R](m, x.Data), isConst
	case *column.Num[float32]:
		return convertIn[R](m, x.Data), isConst
	case *column.Num[float64]:
		return convertIn[R](m, x.Data), isConst
	}
	w, _ := wides(c)
	signed := !c.Type().IsUnsigned()
	var r R = 1
	if r/2 != 0 { // a float
		return mapSlice(w, func(v wide) R {
			if signed {
				return R(v.floatS())
			}
			return R(v.floatU())
		}), isConst
	}
	return cut[R](w), isConst
}

func convert[R, S column.Number](in []S) []R { return convertIn[R](nil, in) }

func convertIn[R, S column.Number](m *column.Scratch, in []S) []R {
	out := column.Make[R](m, len(in))
	n := simd.Convert(out, in)
	rest := out[n:]
	for i, v := range in[n:] {
		rest[i] = R(v)
	}
	return out
}

// at is the value of row i of what nums returned.
func at[T any](v []T, isConst bool, i int) T {
	if isConst {
		return v[0]
	}
	return v[i]
}

// each2 computes a row at a time; for functions whose own cost is far above that of the call.
func each2[A, B, R any](a []A, ac bool, b []B, bc bool, rows int, f func(A, B) R) []R {
	out := make([]R, rows)
	switch {
	case ac && bc:
		for i := range out {
			out[i] = f(a[0], b[0])
		}
	case ac:
		x := a[0]
		for i, y := range b[:rows] {
			out[i] = f(x, y)
		}
	case bc:
		y := b[0]
		for i, x := range a[:rows] {
			out[i] = f(x, y)
		}
	default:
		b = b[:rows]
		for i, x := range a[:rows] {
			out[i] = f(x, b[i])
		}
	}
	return out
}

// each2e is each2 for functions that can fail.
func each2e[A, B, R any](a []A, ac bool, b []B, bc bool, rows int, f func(A, B) (R, error)) ([]R, error) {
	out := make([]R, rows)
	for i := range out {
		v, err := f(at(a, ac, i), at(b, bc, i))
		if err != nil {
			return nil, err
		}
		out[i] = v
	}
	return out, nil
}

// illegalTypes is ClickHouse's error for a pair of types that an operator does not take.
func illegalTypes(name string, args []Arg) error {
	if len(args) == 2 {
		return errcode.New(errcode.IllegalTypeOfArgument, "Illegal types %s and %s of arguments of function %s", args[0].Type, args[1].Type, name)
	}
	return illegalType(name, args[0].Type)
}

func illegalType(name string, t *column.Type) error {
	return errcode.New(errcode.IllegalTypeOfArgument, "Illegal type %s of argument of function %s", t, name)
}

// constInt reads a constant integer argument.
func constInt(a Arg) (int64, bool) {
	c := unconst(a.Const)
	if n, ok := c.(*column.Null); ok {
		if n.Nulls[0] != 0 {
			return 0, false
		}
		c = n.Inner
	}
	if l, ok := c.(*column.LowCard); ok {
		c = l.Expand()
	}
	if c == nil || !c.Type().IsInteger() || c.Len() == 0 {
		return 0, false
	}
	v, _ := nums[int64](c)
	if u, ok := c.(*column.Num[uint64]); ok && u.Data[0] > math.MaxInt64 {
		return math.MaxInt64, true
	}
	return v[0], true
}

// constStr reads a constant String or FixedString argument.
func constStr(a Arg) (string, bool) {
	c := unconst(a.Const)
	if n, ok := c.(*column.Null); ok {
		if n.Nulls[0] != 0 {
			return "", false
		}
		c = n.Inner
	}
	if l, ok := c.(*column.LowCard); ok {
		c = l.Expand()
	}
	if c == nil || c.Len() == 0 {
		return "", false
	}
	switch x := c.(type) {
	case *column.Str:
		return string(x.At(0)), true
	case *column.FixedStr:
		return string(x.At(0)), true
	}
	return "", false
}

// result is a Bound without lazy evaluation.
func result(t *column.Type, exec func(call *Call) (column.Column, error)) (*Bound, error) {
	return &Bound{Type: t, Exec: exec}, nil
}
