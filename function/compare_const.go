package function

import (
	"math/big"
	"strings"

	"dictsvc/column"
	"dictsvc/errcode"
)

// compareConst compares a column with a string constant, which is read as a value of the column's type once.
func compareConst(env *Env, op cmpOp, args []Arg, at int) (comparer, error) {
	other := args[1-at].Type
	text, _ := constStr(args[at])
	if other.IsEnum() {
		return compareEnumConst(op, other, text, at)
	}
	val, err := constOf(other, text)
	if err != nil {
		return comparer{}, err
	}
	typed := []Arg{args[0], args[1]}
	typed[at] = Arg{Type: val.Type(), Const: val, Name: args[at].Name}
	inner, err := comparison(env, op, typed)
	if err != nil {
		return inner, err
	}
	run := func(m *column.Scratch, a, b column.Column, rows int) (column.Column, error) {
		if at == 0 {
			a = column.NewConst(val, rows)
		} else {
			b = column.NewConst(val, rows)
		}
		if inner.lazyType != nil {
			return inner.lazyType.Exec(&Call{Args: []column.Column{a, b}, Rows: rows, Env: env, Scratch: m})
		}
		return inner.run(m, a, b, rows)
	}
	if inner.lazyType != nil {
		bound, err := binary(run).bound(inner.lazyType.Type)
		return comparer{lazyType: bound}, err
	}
	return comparer{run: run}, nil
}

// constOf reads a string as one value of a type. An integer keeps its size, so that a number too large for the type compares unequal instead of wrapping.
func constOf(t *column.Type, text string) (column.Column, error) {
	if t.IsInteger() && t.Kind != column.Bool {
		n, ok := new(big.Int).SetString(text, 10)
		digits := strings.TrimPrefix(text, "-")
		if len(digits) > 1 && digits[0] == '0' { // a number is written without zeros in front
			ok = false
		}
		if !ok || t.IsUnsigned() && text[:min(len(text), 1)] == "-" || n.BitLen() > 255 || text == "" || text[0] == '+' {
			return nil, errcode.New(errcode.TypeMismatch, "Cannot convert string '%s' to type %s", text, t)
		}
		w := wideBig(n)
		for _, k := range []column.Kind{t.Kind, column.Int64, column.UInt64} {
			if c := narrow(column.Of(k), []wide{w}); bigEqual(c, w) {
				return c, nil
			}
		}
		return narrow(column.Of(column.Int256), []wide{w}), nil
	}
	if (t.Kind == column.Date || t.Kind == column.Date32) && len(text) > 10 { // CAST would pass over a time behind the date
		return nil, errcode.New(errcode.TypeMismatch, "Cannot convert string '%s' to type %s", text, t)
	}
	cast, err := castKernel(column.Of(column.String), t)
	if err != nil {
		return nil, err
	}
	c, err := cast(column.Strings(text), 1)
	if err != nil {
		if t.IsNumber() {
			return nil, errcode.New(errcode.TypeMismatch, "Cannot convert string '%s' to type %s", text, t)
		}
		return nil, err
	}
	return column.Full(c), nil
}

func wideBig(n *big.Int) wide {
	var w wide
	for i, v := range new(big.Int).Abs(n).Bits() {
		if i < 4 {
			w[i] = uint64(v)
		}
	}
	if n.Sign() < 0 {
		return w.neg()
	}
	return w
}

func bigEqual(c column.Column, w wide) bool {
	v, _ := wides(c)
	return v[0] == w
}

func compareEnumConst(op cmpOp, t *column.Type, text string, at int) (comparer, error) {
	v, ok := t.Enum.Value(text)
	if !ok {
		if op > cmpNe {
			return comparer{}, errcode.New(errcode.UnknownElementOfEnum, "Unknown element '%s' for enum", text)
		}
		r := uint8(op)
		return comparer{run: func(_ *column.Scratch, _, _ column.Column, rows int) (column.Column, error) {
			return column.NewConst(column.UInt8s(r), rows), nil
		}}, nil
	}
	run := compareLoop[int16](op)
	val := column.NewNum(column.Of(column.Int16), []int16{v})
	return comparer{run: func(m *column.Scratch, a, b column.Column, rows int) (column.Column, error) {
		if at == 0 {
			return run(m, column.NewConst(val, rows), b, rows)
		}
		return run(m, a, column.NewConst(val, rows), rows)
	}}, nil
}
