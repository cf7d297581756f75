package function

import (
	le "encoding/binary"

	"dictsvc/column"
	"dictsvc/errcode"
	"dictsvc/internal/simd"
)

func logicFunctions() []Function {
	return []Function{
		{Name: "and", MinArgs: 0, MaxArgs: -1, Flags: OwnNulls | OwnLowCardinality, Bind: bindAndOr("and", true)},
		{Name: "or", MinArgs: 0, MaxArgs: -1, Flags: OwnNulls | OwnLowCardinality, Bind: bindAndOr("or", false)},
		{Name: "xor", MinArgs: 2, MaxArgs: -1, Flags: PlainResult, Bind: bindXor},
		{Name: "not", MinArgs: 1, MaxArgs: 1, Bind: bindNot},
	}
}

// tri is a column of three-valued truth.
type tri []uint8

const (
	triFalse = 0
	triTrue  = 1
	triNull  = 2
)

// and merges b into a, which nobody else holds; of no values at all it is b.
func (a tri) and(b tri) tri {
	if a == nil {
		return b
	}
	out := a
	for len(a) >= 8 && len(b) >= 8 {
		x, y := le.LittleEndian.Uint64(a), le.LittleEndian.Uint64(b)
		if (x|y)&triNulls == 0 {
			le.LittleEndian.PutUint64(a, x&y)
		} else {
			for i, y := range b[:8] {
				a[i] = andTable[a[i]<<2|y]
			}
		}
		a, b = a[8:], b[8:]
	}
	for i, y := range b {
		a[i] = andTable[a[i]<<2|y]
	}
	return out
}

// or merges b into a as and does.
func (a tri) or(b tri) tri {
	out := a
	for len(a) >= 8 && len(b) >= 8 {
		x, y := le.LittleEndian.Uint64(a), le.LittleEndian.Uint64(b)
		if (x|y)&triNulls == 0 {
			le.LittleEndian.PutUint64(a, x|y)
		} else {
			for i, y := range b[:8] {
				a[i] = orTable[a[i]<<2|y]
			}
		}
		a, b = a[8:], b[8:]
	}
	for i, y := range b {
		a[i] = orTable[a[i]<<2|y]
	}
	return out
}

// triNulls has the bit of triNull in each byte; the tables give the outcome by the first value times 4 plus the second.
const triNulls = 0x0202020202020202

var (
	andTable = [16]uint8{1<<2 | 1: triTrue, 1<<2 | 2: triNull, 2<<2 | 1: triNull, 2<<2 | 2: triNull}
	orTable  = [16]uint8{1: triTrue, 2: triNull, 1 << 2: triTrue, 1<<2 | 1: triTrue, 1<<2 | 2: triTrue, 2 << 2: triNull, 2<<2 | 1: triTrue, 2<<2 | 2: triNull}
)

func (a tri) not() tri {
	out := make(tri, len(a))
	for i, x := range a {
		if out[i] = triNull; x != triNull {
			out[i] = 1 - x
		}
	}
	return out
}

// column makes UInt8, or Nullable(UInt8), of the truth values, whose memory it takes.
func (a tri) column(nullable bool) column.Column {
	if !nullable {
		return column.NewNum(uint8Type, []uint8(a))
	}
	out := make([]uint8, len(a))
	nulls := make([]uint8, len(a))
	for i, x := range a {
		out[i], nulls[i] = x&1, x>>1
	}
	return column.NewNull(column.NewNum(uint8Type, out), nulls)
}

// truth reads a column of numbers, Nullable or not, as truth values: what is not 0 is true. The values are the caller's to change.
func truth(c column.Column, rows int) tri { return truthIn(nil, c, rows) }

// truthIn is truth with memory for the values.
func truthIn(m *column.Scratch, c column.Column, rows int) tri {
	v, nulls := splitNull(plainColumn(c))
	out := tri(column.Make[uint8](m, rows))
	if v.Type().Kind != column.Nothing {
		fillTruth(out, v)
	} else {
		clear(out)
	}
	if nulls.nulls != nil {
		for i := range out {
			if nulls.at(i) {
				out[i] = triNull
			}
		}
	}
	return out
}

func fillTruth(out tri, v column.Column) {
	k, isConst := v.(*column.Const)
	if isConst {
		v = k.Val
	}
	switch x := v.(type) {
	case *column.Num[uint8]:
		nonZero(out, x.Data, isConst)
	case *column.Num[float64]:
		nonZero(out, x.Data, isConst)
	case *column.Num[float32]:
		nonZero(out, x.Data, isConst)
	default:
		n, _ := nums[int64](v)
		nonZero(out, n, isConst)
	}
}

func nonZero[T column.Number](out tri, v []T, isConst bool) {
	if isConst {
		b := bit(v[0] != 0)
		for i := range out {
			out[i] = b
		}
		return
	}
	n := simd.NotEqual(out, v, []T{0}, false, true)
	out, v = out[n:], v[n:len(out)]
	for i := range out {
		out[i] = bit(v[i] != 0)
	}
}

// logicType checks the arguments of a logical function: native numbers, NULL included.
func logicType(name string, args []Arg) (nullable, boolean bool, err error) {
	for i, a := range args {
		t := a.Type.Base()
		if c, ok := classOf(t); t.Kind != column.Nothing && (!ok || c.size > 8) {
			return false, false, errcode.New(errcode.IllegalTypeOfArgument, "Illegal type (%s) of %d argument of function %s", a.Type, i+1, name)
		}
		nullable = nullable || a.Type.IsNullable()
		boolean = boolean || a.Type.NoLowCardinality().Kind == column.Bool // not Nullable(Bool)
	}
	return nullable, boolean, nil
}

// bindAndOr binds the conjunction or disjunction. Its lazy form evaluates an argument only for the rows that those before it leave open.
func bindAndOr(name string, conj bool) func(env *Env, args []Arg) (*Bound, error) {
	decided := uint8(triTrue)
	merge := tri.or
	if conj {
		decided, merge = triFalse, tri.and
	}
	return func(_ *Env, args []Arg) (*Bound, error) {
		if len(args) < 2 {
			return nil, errcode.New(errcode.TooFewArgumentsForFunction, "Number of arguments for function \"%s\" should be at least 2: passed %d", name, len(args))
		}
		nullable, boolean, err := logicType(name, args)
		if err != nil {
			return nil, err
		}
		t := logicResult(nullable, boolean)
		finish := func(a tri) column.Column { return column.Retype(a.column(nullable), t) }
		var value column.Column
		for _, a := range args {
			if a.Const != nil && truth(a.Const, 1)[0] == decided {
				value = finish(tri{decided})
			}
		}
		return &Bound{Type: t, Value: value,
			Exec: func(call *Call) (column.Column, error) {
				acc := truthIn(call.Scratch, call.Args[0], call.Rows)
				for _, a := range call.Args[1:] {
					acc = merge(acc, truthIn(call.Scratch, a, call.Rows))
				}
				return finish(acc), nil
			},
			ExecLazy: func(call *LazyCall) (column.Column, error) {
				acc, err := lazyAndOr(call, decided, merge)
				if err != nil {
					return nil, err
				}
				return finish(acc), nil
			},
		}, nil
	}
}

func logicResult(nullable, boolean bool) *column.Type {
	t := uint8Type
	if boolean {
		t = column.Of(column.Bool)
	}
	if nullable {
		t = column.NewNullable(t)
	}
	return t
}

func lazyAndOr(call *LazyCall, decided uint8, merge func(a, b tri) tri) (tri, error) {
	first, err := call.Args[0](nil, call.Rows)
	if err != nil {
		return nil, err
	}
	acc := truthIn(call.Scratch, first, call.Rows)
	for _, arg := range call.Args[1:] {
		keep := make([]uint8, call.Rows)
		n := 0
		for i, v := range acc {
			keep[i] = bit(v != decided)
			n += int(keep[i])
		}
		if n == 0 {
			break
		}
		if n == call.Rows {
			keep = nil
		}
		c, err := arg(keep, n)
		if err != nil {
			return nil, err
		}
		next := truth(c, n)
		if keep == nil {
			acc = merge(acc, next)
			continue
		}
		open := make(tri, 0, n)
		for i, k := range keep {
			if k != 0 {
				open = append(open, acc[i])
			}
		}
		open = merge(open, next)
		j := 0
		for i, k := range keep {
			if k != 0 {
				acc[i] = open[j]
				j++
			}
		}
	}
	return acc, nil
}

func bindXor(_ *Env, args []Arg) (*Bound, error) {
	_, boolean, err := logicType("xor", args)
	if err != nil {
		return nil, err
	}
	t := logicResult(false, boolean)
	return result(t, func(call *Call) (column.Column, error) {
		out := truth(call.Args[0], call.Rows)
		for _, a := range call.Args[1:] {
			for i, v := range truth(a, call.Rows) {
				out[i] ^= v
			}
		}
		return column.NewNum(t, []uint8(out)), nil
	})
}

func bindNot(_ *Env, args []Arg) (*Bound, error) {
	a := args[0].Type
	if c, ok := classOf(a); !ok || c.size > 8 {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "Illegal type (%s) of argument of function not", a)
	}
	t := logicResult(false, a.Kind == column.Bool)
	return unary(t, func(c column.Column) column.Column { return column.NewNum(t, []uint8(truth(c, c.Len()).not())) })
}
