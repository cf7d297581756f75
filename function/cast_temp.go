package function

import (
	"dictsvc/column"
	"dictsvc/errcode"
)

func commonType(ts ...*column.Type) (*column.Type, error) {
	null := false
	var base []*column.Type
	for _, t := range ts {
		if t.IsNullable() {
			null = true
		}
		if t.Base().Kind != column.Nothing {
			base = append(base, t.Base())
		}
	}
	if len(base) == 0 {
		return ts[0], nil
	}
	r := base[0]
	for _, b := range base[1:] {
		if b.Equal(r) {
			continue
		}
		x, ok := classOf(r)
		y, ok2 := classOf(b)
		switch {
		case ok && ok2:
			c := numClass{float: x.float || y.float, signed: x.signed || y.signed, size: max(x.size, y.size)}
			if c.float && c.size == 4 && (!x.float && x.size == 4 || !y.float && y.size == 4) {
				c.size = 8
			}
			if !c.float && x.signed != y.signed {
				if u := map[bool]int{true: y.size, false: x.size}[x.signed]; u >= c.size {
					c.size = u * 2
				}
			}
			r = c.typ()
		case r.IsString() && b.IsString():
			r = column.Of(column.String)
		case r.Kind == column.Array && b.Kind == column.Array:
			e, err := commonType(r.Elems[0], b.Elems[0])
			if err != nil {
				return nil, err
			}
			r = column.NewArray(e)
		default:
			return nil, errcode.New(errcode.NoCommonType, "There is no supertype for types %s, %s", r, b)
		}
	}
	if null {
		r = column.NewNullable(r)
	}
	return r, nil
}

func castKernel(from, to *column.Type) (castFn, error) {
	return func(c column.Column, rows int) (column.Column, error) { return tempCast(c, to), nil }, nil
}

func tempCast(c column.Column, to *column.Type) column.Column {
	if c.Type().Equal(to) {
		return c
	}
	switch x := c.(type) {
	case *column.Const:
		return column.NewConst(tempCast(x.Val, to), x.N)
	case *column.Null:
		if x.Inner.Type().Kind == column.Nothing {
			o := column.New(to, 0)
			o.AppendDefault(x.Len())
			return o
		}
		return &column.Null{T: to, Nulls: x.Nulls, Inner: tempCast(x.Inner, to.Elems[0])}
	case *column.Arr:
		return &column.Arr{T: to, Ends: x.Ends, Elem: tempCast(x.Elem, to.Elems[0]), Start: x.Start}
	}
	if to.Kind == column.Nullable {
		return column.NewNull(tempCast(c, to.Elems[0]), make([]uint8, c.Len()))
	}
	if to.Kind == column.Float64 {
		v, _ := decimalFloats(c)
		return column.NewNum(to, v)
	}
	if c.Type().Kind == column.Nothing {
		return column.New(to, 0)
	}
	w, _ := wides(c)
	return narrow(to, w)
}

func castFunctions() []Function {
	var l []Function
	for k := column.UInt8; k <= column.Int256; k++ {
		l = append(l, Function{Name: "to" + k.String(), MinArgs: 1, MaxArgs: 1, Bind: func(_ *Env, a []Arg) (*Bound, error) {
			return unary(column.Of(k), func(c column.Column) column.Column { return tempCast(c, column.Of(k)) })
		}})
	}
	return l
}
