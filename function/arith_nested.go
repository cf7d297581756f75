package function

import (
	"dictsvc/column"
	"dictsvc/errcode"
)

// bindNestedArith applies an operator to tuples and arrays, element by element, or to each element and a number. It returns nil, nil for other types.
func bindNestedArith(env *Env, op arithOp, args []Arg) (*Bound, error) {
	a, b := args[0].Type, args[1].Type
	switch {
	case a.Kind == column.Tuple && b.Kind == column.Tuple && (op == opPlus || op == opMinus):
		if len(a.Elems) != len(b.Elems) {
			return nil, errcode.New(errcode.IllegalTypeOfArgument, "Expected tuples of the same size as arguments of function %s, got %s and %s", arithNames[op], a, b)
		}
		return tupleArith(env, op, a.Elems, b.Elems)
	case a.Kind == column.Tuple && b.IsNumber() && op >= opMultiply && op <= opModulo:
		return tupleArith(env, op, a.Elems, []*column.Type{b})
	case b.Kind == column.Tuple && a.IsNumber() && op == opMultiply:
		return tupleArith(env, op, []*column.Type{a}, b.Elems)
	case a.Kind == column.Array && b.Kind == column.Array && (op == opPlus || op == opMinus):
		return arrayArith(env, op, a.Elems[0], b.Elems[0])
	case a.Kind == column.Array && b.IsNumber() && op >= opMultiply && op <= opModulo:
		return arrayArith(env, op, a.Elems[0], b)
	case b.Kind == column.Array && a.IsNumber() && op == opMultiply:
		return arrayArith(env, op, a, b.Elems[0])
	}
	return nil, nil
}

// bindCall binds another function of the registry by name for arguments of the given types.
func bindCall(env *Env, name string, types ...*column.Type) (*Bound, error) {
	f, ok := Lookup(name)
	if !ok {
		return nil, errcode.New(errcode.UnknownFunction, "Function with name `%s` does not exist", name)
	}
	args := make([]Arg, len(types))
	for i, t := range types {
		args[i].Type = t
	}
	return Bind(env, f, args)
}

func tupleArith(env *Env, op arithOp, a, b []*column.Type) (*Bound, error) {
	if len(a) == 0 || len(b) == 0 {
		return constant(column.UInt8s(0))(env, nil)
	}
	n := max(len(a), len(b))
	elems := make([]*Bound, n)
	types := make([]*column.Type, n)
	for i := range elems {
		e, err := bindCall(env, arithNames[op], a[min(i, len(a)-1)], b[min(i, len(b)-1)])
		if err != nil {
			return nil, err
		}
		elems[i], types[i] = e, e.Type
	}
	t := column.NewTuple(types, nil)
	return result(t, func(call *Call) (column.Column, error) {
		out := &column.Tup{T: t, Elems: make([]column.Column, n), N: call.Rows}
		for i, e := range elems {
			c := *call
			c.Args = []column.Column{tupleElem(call.Args[0], i), tupleElem(call.Args[1], i)}
			res, err := e.Exec(&c)
			if err != nil {
				return nil, err
			}
			out.Elems[i] = column.Full(res)
		}
		return out, nil
	})
}

// tupleElem is element i of a tuple column (a Const gives a Const); a column that is no tuple comes back as it is.
func tupleElem(c column.Column, i int) column.Column {
	switch x := c.(type) {
	case *column.Tup:
		return x.Elems[i]
	case *column.Const:
		if t, ok := x.Val.(*column.Tup); ok {
			return column.NewConst(t.Elems[i], x.N)
		}
	}
	return c
}

func arrayArith(env *Env, op arithOp, a, b *column.Type) (*Bound, error) {
	inner, err := bindCall(env, arithNames[op], a, b)
	if err != nil {
		return nil, err
	}
	t := column.NewArray(inner.Type)
	return result(t, func(call *Call) (column.Column, error) {
		x, y := call.full(call.Args[0]), call.full(call.Args[1])
		xa, xok := x.(*column.Arr)
		ya, yok := y.(*column.Arr)
		var offsets []uint64
		switch {
		case xok && yok:
			offsets = xa.Offsets()
			other := ya.Offsets()
			for i := range offsets {
				if offsets[i] != other[i] {
					return nil, errcode.New(errcode.SizesOfArraysDontMatch, "Cannot process arrays of different sizes in function %s", arithNames[op])
				}
			}
			x, y = xa.Elem, ya.Elem
		case xok:
			offsets = xa.Offsets()
			x, y = xa.Elem, y.Replicate(offsets)
		default:
			offsets = ya.Offsets()
			x, y = x.Replicate(offsets), ya.Elem
		}
		c := *call
		c.Args, c.Rows = []column.Column{x, y}, x.Len()
		res, err := inner.Exec(&c)
		if err != nil {
			return nil, err
		}
		return &column.Arr{T: t, Ends: offsets, Elem: column.Full(res)}, nil
	})
}

// bindNestedUnary applies a function of one argument to the elements of a tuple or an array.
func bindNestedUnary(env *Env, name string, args []Arg) (*Bound, error) {
	a := args[0].Type
	elems := make([]*Bound, len(a.Elems))
	types := make([]*column.Type, len(a.Elems))
	for i, e := range a.Elems {
		b, err := bindCall(env, name, e)
		if err != nil {
			return nil, err
		}
		elems[i], types[i] = b, b.Type
	}
	if a.Kind == column.Array {
		t := column.NewArray(types[0])
		return result(t, func(call *Call) (column.Column, error) {
			x := call.full(call.Args[0]).(*column.Arr)
			c := *call
			c.Args, c.Rows = []column.Column{x.Elem}, x.Elem.Len()
			res, err := elems[0].Exec(&c)
			if err != nil {
				return nil, err
			}
			return &column.Arr{T: t, Ends: x.Offsets(), Elem: column.Full(res)}, nil
		})
	}
	t := column.NewTuple(types, nil)
	return result(t, func(call *Call) (column.Column, error) {
		out := &column.Tup{T: t, Elems: make([]column.Column, len(elems)), N: call.Rows}
		for i, e := range elems {
			c := *call
			c.Args = []column.Column{tupleElem(call.Args[0], i)}
			res, err := e.Exec(&c)
			if err != nil {
				return nil, err
			}
			out.Elems[i] = column.Full(res)
		}
		return out, nil
	})
}
