package function

import (
	"math"

	"dictsvc/column"
	"dictsvc/errcode"
)

// norm is a distance or norm: the terms of all elements are summed (or their maximum taken) and finished.
type norm struct {
	name   string
	term   func(x, p float64) float64
	max    bool
	finish func(s, p float64) float64
	param  bool // takes the power p
}

func same(s, _ float64) float64 { return s }

var norms = []norm{
	{name: "L1", term: func(x, _ float64) float64 { return math.Abs(x) }, finish: same},
	{name: "L2", term: func(x, _ float64) float64 { return x * x }, finish: func(s, _ float64) float64 { return math.Sqrt(s) }},
	{name: "L2Squared", term: func(x, _ float64) float64 { return x * x }, finish: same},
	{name: "Linf", term: func(x, _ float64) float64 { return math.Abs(x) }, max: true, finish: same},
	{name: "Lp", term: func(x, p float64) float64 { return math.Pow(math.Abs(x), p) }, finish: func(s, p float64) float64 { return math.Pow(s, 1/p) }, param: true},
}

func vectorFunctions() []Function {
	list := []Function{
		{Name: "dotProduct", MinArgs: 2, MaxArgs: 2, Bind: bindDotProduct},
		{Name: "cosineDistance", MinArgs: 2, MaxArgs: 2, Bind: bindCosine},
	}
	for i := range norms {
		n := &norms[i]
		extra := 0
		if n.param {
			extra = 1
		}
		list = append(list,
			Function{Name: n.name + "Norm", MinArgs: 1 + extra, MaxArgs: 1 + extra, Bind: func(_ *Env, args []Arg) (*Bound, error) { return n.bind(args, 1, n.name+"Norm") }},
			Function{Name: n.name + "Distance", MinArgs: 2 + extra, MaxArgs: 2 + extra, Bind: func(_ *Env, args []Arg) (*Bound, error) { return n.bind(args, 2, n.name+"Distance") }})
	}
	return list
}

// vectors reads arrays or tuples of numbers as rows of floats.
type vectors struct {
	arr  arrs
	flat []float64
	cols [][]float64
	cst  []bool
	tup  bool
}

func newVectors(c column.Column) vectors {
	var v vectors
	if c.Type().Kind == column.Array {
		v.arr = newArrs(c)
		v.flat, _ = decimalFloats(v.arr.elem)
		return v
	}
	v.tup = true
	for i := range c.Type().Elems {
		f, cst := decimalFloats(tupleElem(c, i))
		v.cols, v.cst = append(v.cols, f), append(v.cst, cst)
	}
	return v
}

func (v *vectors) row(i int, buf []float64) []float64 {
	if !v.tup {
		from, to := v.arr.row(i)
		return v.flat[from:to]
	}
	buf = buf[:0]
	for k := range v.cols {
		buf = append(buf, at(v.cols[k], v.cst[k], i))
	}
	return buf
}

// vectorArgs checks arrays or tuples of numbers and finds the float type of the result.
func vectorArgs(name string, args []Arg) (*column.Type, error) {
	float32s := true
	for _, a := range args {
		if a.Type.Kind != args[0].Type.Kind || a.Type.Kind != column.Array && a.Type.Kind != column.Tuple {
			return nil, errcode.New(errcode.IllegalTypeOfArgument, "Arguments of function %s must be arrays or tuples of numbers, got %s", name, a.Type)
		}
		for _, e := range a.Type.Elems {
			if !e.IsNumber() {
				return nil, errcode.New(errcode.IllegalTypeOfArgument, "Arguments of function %s has nested type %s. Supported types: (U)Int*, Float*", name, e)
			}
			c, ok := classOf(e)
			float32s = float32s && ok && (c.float && c.size == 4 || !c.float && c.size <= 2) && a.Type.Kind == column.Array && e.IsFloat()
		}
	}
	if len(args) == 2 && args[0].Type.Kind == column.Tuple && len(args[0].Type.Elems) != len(args[1].Type.Elems) {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "Expected tuples of the same size as arguments of function %s, got %s and %s", name, args[0].Type, args[1].Type)
	}
	if float32s {
		return column.Of(column.Float32), nil
	}
	return column.Of(column.Float64), nil
}

// eachPair calls f with the two vectors of each row (the second nil where there is but one argument).
func eachPair(name string, call *Call, n int, f func(row int, a, b []float64)) error {
	x := newVectors(call.Args[0])
	var y vectors
	if n == 2 {
		y = newVectors(call.Args[1])
	}
	var bufA, bufB []float64
	for i := 0; i < call.Rows; i++ {
		a := x.row(i, bufA)
		var b []float64
		if n == 2 {
			if b = y.row(i, bufB); len(a) != len(b) {
				return errcode.New(errcode.SizesOfArraysDontMatch, "Array arguments for function %s must have equal sizes", name)
			}
		}
		f(i, a, b)
	}
	return nil
}

func floatsOut(t *column.Type, v []float64) column.Column {
	if t.Kind == column.Float32 {
		return column.NewNum(t, convert[float32](v))
	}
	return column.NewNum(t, v)
}

func (n *norm) bind(args []Arg, vecs int, name string) (*Bound, error) {
	t, err := vectorArgs(name, args[:vecs])
	if err != nil {
		return nil, err
	}
	p := 0.0
	if n.param {
		v := args[vecs]
		if !v.Type.IsNumber() || v.Const == nil {
			return nil, errcode.New(errcode.IllegalTypeOfArgument, "Argument p of function %s must be constant numeric", name)
		}
		f, _ := decimalFloats(unconst(v.Const))
		if p = f[0]; p < 1 || p-p != 0 {
			return nil, errcode.New(errcode.ArgumentOutOfBound, "Second argument for function %s must be not less than one and not be an infinity", name)
		}
	}
	return result(t, func(call *Call) (column.Column, error) {
		out := make([]float64, call.Rows)
		err := eachPair(name, call, vecs, func(row int, a, b []float64) {
			s := 0.0
			for i, x := range a {
				if b != nil {
					x -= b[i]
				}
				if v := n.term(x, p); !n.max {
					s += v
				} else if v > s {
					s = v
				}
			}
			out[row] = n.finish(s, p)
		})
		return floatsOut(t, out), err
	})
}

func bindCosine(_ *Env, args []Arg) (*Bound, error) {
	t, err := vectorArgs("cosineDistance", args)
	if err != nil {
		return nil, err
	}
	return result(t, func(call *Call) (column.Column, error) {
		out := make([]float64, call.Rows)
		err := eachPair("cosineDistance", call, 2, func(row int, a, b []float64) {
			var ab, aa, bb float64
			for i, x := range a {
				ab += x * b[i]
				aa += x * x
				bb += b[i] * b[i]
			}
			out[row] = 1 - ab/math.Sqrt(aa*bb)
		})
		return floatsOut(t, out), err
	})
}

func bindDotProduct(env *Env, args []Arg) (*Bound, error) {
	if _, err := vectorArgs("dotProduct", args); err != nil {
		return nil, err
	}
	a, b := args[0].Type.Elems, args[1].Type.Elems
	var t *column.Type
	for i := range a {
		x, xok := classOf(a[i])
		y, yok := classOf(b[i])
		if !xok || !yok || x.size > 8 || y.size > 8 {
			t = column.Of(column.Float64)
			break
		}
		p := arithType(opMultiply, x, y)
		switch {
		case t == nil:
			t = p
		default:
			u, _ := classOf(t)
			v, _ := classOf(p)
			t = arithType(opPlus, u, v)
		}
	}
	if t == nil {
		t = uint8Type
	}
	if t.IsFloat() {
		return result(t, func(call *Call) (column.Column, error) {
			out := make([]float64, call.Rows)
			err := eachPair("arrayDotProduct", call, 2, func(row int, a, b []float64) {
				for i, x := range a {
					out[row] += x * b[i]
				}
			})
			return floatsOut(t, out), err
		})
	}
	return result(t, func(call *Call) (column.Column, error) { return dotIntegers(t, call) })
}

// dotIntegers sums products of integers modulo the result's width.
func dotIntegers(t *column.Type, call *Call) (column.Column, error) {
	out := make([]int64, call.Rows)
	if call.Args[0].Type().Kind == column.Tuple {
		for k := range call.Args[0].Type().Elems {
			a, ac := nums[int64](tupleElem(call.Args[0], k))
			b, bc := nums[int64](tupleElem(call.Args[1], k))
			for i := range out {
				out[i] += at(a, ac, i) * at(b, bc, i)
			}
		}
		return numCut(t, out), nil
	}
	x, y := newArrs(call.Args[0]), newArrs(call.Args[1])
	a, _ := nums[int64](x.elem)
	b, _ := nums[int64](y.elem)
	for i := range out {
		af, at := x.row(i)
		bf, bt := y.row(i)
		if at-af != bt-bf {
			return nil, errcode.New(errcode.SizesOfArraysDontMatch, "Array arguments for function arrayDotProduct must have equal sizes")
		}
		for k := af; k < at; k++ {
			out[i] += a[k] * b[bf+k-af]
		}
	}
	return numCut(t, out), nil
}
