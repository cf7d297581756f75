package function

import (
	"dictsvc/column"
)

// compareTuples compares element by element: equality is the conjunction of the elements', order is lexicographic. A NULL in an element that decides
// makes the result NULL.
func compareTuples(env *Env, op cmpOp, args []Arg) (*Bound, error) {
	a, b := args[0].Type.Elems, args[1].Type.Elems
	if len(a) != len(b) {
		return nil, illegalCompare(op, args)
	}
	n := len(a)
	eq := make([]*Bound, n)   // equals for = and <>, and for all but the last element of an order
	less := make([]*Bound, n) // the strict order; the last element has the operator itself
	strict := op
	if op == cmpLe {
		strict = cmpLt
	} else if op == cmpGe {
		strict = cmpGt
	}
	nullable, onlyNull := false, false
	note := func(b *Bound) {
		nullable = nullable || b.Type.IsNullable()
		onlyNull = onlyNull || b.Type.Kind == column.Nullable && b.Type.Elems[0].Kind == column.Nothing
	}
	bind := func(i int, name string) (*Bound, error) {
		f, _ := Lookup(name)
		elem := []Arg{{Type: a[i]}, {Type: b[i]}}
		for k := range elem {
			if t, ok := unconst(args[k].Const).(*column.Tup); ok {
				elem[k].Const = t.Elems[i]
			}
		}
		return Bind(env, f, elem)
	}
	for i := range a {
		var err error
		if op <= cmpNe || i < n-1 {
			if eq[i], err = bind(i, "equals"); err != nil {
				return nil, err
			}
			note(eq[i])
		}
		if op > cmpNe {
			name := cmpNames[strict]
			if i == n-1 {
				name = cmpNames[op]
			}
			if less[i], err = bind(i, name); err != nil {
				return nil, err
			}
			note(less[i])
		}
	}
	t := uint8Type
	if nullable {
		t = column.NewNullable(uint8Type)
	}
	if onlyNull {
		return result(t, func(call *Call) (column.Column, error) { return nullColumn(t, call.Rows), nil })
	}
	return result(t, func(call *Call) (column.Column, error) {
		one := func(b *Bound, i int) (tri, error) {
			c := *call
			c.Args = []column.Column{tupleElem(call.Args[0], i), tupleElem(call.Args[1], i)}
			res, err := b.Exec(&c)
			if err != nil {
				return nil, err
			}
			return truth(res, call.Rows), nil
		}
		var acc tri
		for i := n - 1; i >= 0; i-- {
			if op <= cmpNe {
				e, err := one(eq[i], i)
				if err != nil {
					return nil, err
				}
				acc = acc.and(e)
				continue
			}
			l, err := one(less[i], i)
			if err != nil {
				return nil, err
			}
			if eq[i] != nil {
				e, err := one(eq[i], i)
				if err != nil {
					return nil, err
				}
				l = l.or(e.and(acc))
			}
			acc = l
		}
		if n == 0 {
			acc = make(tri, call.Rows)
			for i := range acc {
				acc[i] = triTrue
			}
			if op == cmpLt || op == cmpGt {
				acc = acc.not()
			}
		}
		if op == cmpNe {
			acc = acc.not()
		}
		return acc.column(nullable), nil
	})
}

// bindDistinct is equality that takes NULL for a value: two NULLs are not distinct.
func bindDistinct(negate bool) func(env *Env, args []Arg) (*Bound, error) {
	name := "isNotDistinctFrom"
	if negate {
		name = "isDistinctFrom"
	}
	return func(env *Env, args []Arg) (*Bound, error) {
		a, b := args[0].Type, args[1].Type
		if a.Kind == column.Tuple && b.Kind == column.Tuple && len(a.Elems) == len(b.Elems) {
			return distinctTuples(env, name, negate, a, b)
		}
		var eq *Bound
		if a.NoNull().Kind != column.Nothing && b.NoNull().Kind != column.Nothing {
			bare := []Arg{args[0], args[1]}
			for i := range bare {
				bare[i].Type = bare[i].Type.NoNull()
				if n, ok := unconst(bare[i].Const).(*column.Null); ok {
					bare[i].Const = n.Inner
				}
			}
			var err error
			if eq, err = bindCompare(cmpEq)(env, bare); err != nil {
				return nil, err
			}
		}
		return result(uint8Type, func(call *Call) (column.Column, error) {
			x, xn := splitNull(call.Args[0])
			y, yn := splitNull(call.Args[1])
			out := make([]uint8, call.Rows)
			if eq != nil {
				c := *call
				c.Args = []column.Column{x, y}
				res, err := eq.Exec(&c)
				if err != nil {
					return nil, err
				}
				v, vc := nums[uint8](res)
				for i := range out {
					out[i] = at(v, vc, i)
				}
			}
			for i := range out {
				switch p, q := xn.at(i), yn.at(i); {
				case p && q:
					out[i] = 1
				case p || q:
					out[i] = 0
				}
				if negate {
					out[i] ^= 1
				}
			}
			return column.NewNum(uint8Type, out), nil
		})
	}
}

func distinctTuples(env *Env, name string, negate bool, a, b *column.Type) (*Bound, error) {
	elems := make([]*Bound, len(a.Elems))
	for i := range elems {
		var err error
		if elems[i], err = bindCall(env, name, a.Elems[i], b.Elems[i]); err != nil {
			return nil, err
		}
	}
	return result(uint8Type, func(call *Call) (column.Column, error) {
		out := make([]uint8, call.Rows)
		for i := range out {
			out[i] = bit(!negate)
		}
		for i, e := range elems {
			c := *call
			c.Args = []column.Column{tupleElem(call.Args[0], i), tupleElem(call.Args[1], i)}
			res, err := e.Exec(&c)
			if err != nil {
				return nil, err
			}
			v, vc := nums[uint8](res)
			for k := range out {
				if negate {
					out[k] |= at(v, vc, k)
				} else {
					out[k] &= at(v, vc, k)
				}
			}
		}
		return column.NewNum(uint8Type, out), nil
	})
}

// nullMap is a null map that may be absent or constant.
type nullMap struct {
	nulls []uint8
	cst   bool
}

func (m nullMap) at(i int) bool {
	switch {
	case m.nulls == nil:
		return false
	case m.cst:
		return m.nulls[0] != 0
	}
	return m.nulls[i] != 0
}

// splitNull parts a column into its values and its null map.
func splitNull(c column.Column) (column.Column, nullMap) {
	switch x := c.(type) {
	case *column.Null:
		return x.Inner, nullMap{nulls: x.Nulls}
	case *column.Const:
		if n, ok := x.Val.(*column.Null); ok {
			return column.NewConst(n.Inner, x.N), nullMap{nulls: n.Nulls, cst: true}
		}
	}
	return c, nullMap{}
}
