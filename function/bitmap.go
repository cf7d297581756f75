package function

import (
	"dictsvc/agg"
	"dictsvc/column"
	"dictsvc/errcode"
	"dictsvc/internal/bitmap"
)

// The bitmap functions work on states of groupBitmap.

func bitmapFunctions() []Function {
	return []Function{
		{Name: "bitmapBuild", MinArgs: 1, MaxArgs: 1, Bind: bindBitmapBuild},
		{Name: "bitmapToArray", MinArgs: 1, MaxArgs: 1, Bind: bindBitmapToArray},
		{Name: "bitmapCardinality", MinArgs: 1, MaxArgs: 1, Bind: bindBitmapNumber("bitmapCardinality", (*bitmap.Set).Len)},
		{Name: "bitmapMin", MinArgs: 1, MaxArgs: 1, Bind: bindBitmapNumber("bitmapMin", (*bitmap.Set).Min)},
		{Name: "bitmapMax", MinArgs: 1, MaxArgs: 1, Bind: bindBitmapNumber("bitmapMax", (*bitmap.Set).Max)},
		{Name: "bitmapContains", MinArgs: 2, MaxArgs: 2, Bind: bindBitmapContains},
		{Name: "bitmapAnd", MinArgs: 2, MaxArgs: 2, Bind: bindBitmapJoin("bitmapAnd", (*bitmap.Set).And)},
		{Name: "bitmapOr", MinArgs: 2, MaxArgs: 2, Bind: bindBitmapJoin("bitmapOr", (*bitmap.Set).Or)},
		{Name: "bitmapXor", MinArgs: 2, MaxArgs: 2, Bind: bindBitmapJoin("bitmapXor", (*bitmap.Set).Xor)},
		{Name: "bitmapAndnot", MinArgs: 2, MaxArgs: 2, Bind: bindBitmapJoin("bitmapAndnot", (*bitmap.Set).AndNot)},
		{Name: "bitmapAndCardinality", MinArgs: 2, MaxArgs: 2, Bind: bindBitmapCompare("bitmapAndCardinality", column.UInt64, (*bitmap.Set).AndLen)},
		{Name: "bitmapOrCardinality", MinArgs: 2, MaxArgs: 2, Bind: bindBitmapCompare("bitmapOrCardinality", column.UInt64,
			func(a, b *bitmap.Set) uint64 { return a.Len() + b.Len() - a.AndLen(b) })},
		{Name: "bitmapXorCardinality", MinArgs: 2, MaxArgs: 2, Bind: bindBitmapCompare("bitmapXorCardinality", column.UInt64,
			func(a, b *bitmap.Set) uint64 { return a.Len() + b.Len() - 2*a.AndLen(b) })},
		{Name: "bitmapAndnotCardinality", MinArgs: 2, MaxArgs: 2, Bind: bindBitmapCompare("bitmapAndnotCardinality", column.UInt64,
			func(a, b *bitmap.Set) uint64 { return a.Len() - a.AndLen(b) })},
		{Name: "bitmapHasAny", MinArgs: 2, MaxArgs: 2, Bind: bindBitmapCompare("bitmapHasAny", column.UInt8,
			func(a, b *bitmap.Set) uint64 { return truthOf(a.Intersects(b)) })},
		{Name: "bitmapHasAll", MinArgs: 2, MaxArgs: 2, Bind: bindBitmapCompare("bitmapHasAll", column.UInt8,
			func(a, b *bitmap.Set) uint64 { return truthOf(b.AndLen(a) == b.Len()) })},
		{Name: "bitmapTransform", MinArgs: 3, MaxArgs: 3, Bind: bindBitmapTransform},
		{Name: "bitmapSubsetInRange", MinArgs: 3, MaxArgs: 3, Bind: bindBitmapSubset("bitmapSubsetInRange", (*bitmap.Set).Range)},
		{Name: "bitmapSubsetLimit", MinArgs: 3, MaxArgs: 3, Bind: bindBitmapSubset("bitmapSubsetLimit", (*bitmap.Set).Limit)},
		{Name: "subBitmap", MinArgs: 3, MaxArgs: 3, Bind: bindBitmapSubset("subBitmap", (*bitmap.Set).OffsetLimit)},
	}
}

func truthOf(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// bitmapArg is an argument that is a set: its values' type.
func bitmapArg(name, which string, t *column.Type) (*column.Type, bitmap.Kind, error) {
	if t.Kind != column.AggregateFunction || t.Func != "groupBitmap" {
		return nil, bitmap.Kind{}, errcode.New(errcode.IllegalTypeOfArgument, "%s argument for function %s must be a bitmap but it has type %s", which, name, t)
	}
	k, ok := agg.BitmapKind(t.Elems[0])
	if !ok {
		return nil, k, errcode.New(errcode.IllegalTypeOfArgument, "Unexpected type %s of argument of function %s", t, name)
	}
	return t.Elems[0], k, nil
}

// bitmapReader reads the sets of a column; those of a constant once.
type bitmapReader struct {
	states *column.Str
	single bool
	kind   bitmap.Kind
	r      column.StateReader
	set    bitmap.Set
	read   bool
}

func readBitmaps(c column.Column, k bitmap.Kind) *bitmapReader {
	if x, ok := c.(*column.Const); ok {
		return &bitmapReader{states: x.Val.(*column.Str), single: true, kind: k}
	}
	return &bitmapReader{states: column.Full(c).(*column.Str), kind: k}
}

// at is the set of row i, which must not be changed.
func (b *bitmapReader) at(i int) (*bitmap.Set, error) {
	if b.single && b.read {
		return &b.set, nil
	}
	if b.single {
		i = 0
	}
	b.r.Reset(b.states.At(i))
	set, err := bitmap.Read(&b.r, b.kind, true)
	b.set, b.read = set, true
	return &b.set, err
}

// own is a set of row i for the caller to change.
func (b *bitmapReader) own(i int) (bitmap.Set, error) {
	if b.single {
		i = 0
	}
	b.r.Reset(b.states.At(i))
	return bitmap.Read(&b.r, b.kind, false)
}

func bindBitmapBuild(_ *Env, args []Arg) (*Bound, error) {
	t := args[0].Type
	if t.Kind != column.Array {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "First argument for function bitmapBuild must be an array but it has type %s", t)
	}
	elem := t.Elems[0].NoLowCardinality()
	k, ok := agg.BitmapKind(elem)
	if !ok {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "Unexpected type %s of argument of function bitmapBuild", t)
	}
	f, err := agg.Bind("groupBitmap", nil, []*column.Type{elem}, false)
	if err != nil {
		return nil, err
	}
	out := agg.StateType(f)
	return &Bound{Type: out, Exec: func(call *Call) (column.Column, error) {
		arr := column.Full(call.Args[0]).(*column.Arr)
		values := agg.BitmapValues(column.Plain(arr.Elem), arr.Elem.Len(), nil)
		states := &column.Str{T: out, Ends: make([]uint64, 0, call.Rows)}
		var buf []uint32
		for i := range call.Rows {
			if err := call.Env.Ctx.Err(); err != nil {
				return nil, err
			}
			from, to := arr.Range(i)
			set := bitmap.New(k)
			buf = set.AddMany(values[from:to], buf)
			states.Data = set.Append(states.Data, true)
			states.EndRow()
		}
		return states, nil
	}}, nil
}

// bitmapElementsMost bounds the values that bitmapToArray makes of one block: a set of many has few bytes where they are neighbours.
const bitmapElementsMost = 1 << 28

func bindBitmapToArray(_ *Env, args []Arg) (*Bound, error) {
	elem, k, err := bitmapArg("bitmapToArray", "First", args[0].Type)
	if err != nil {
		return nil, err
	}
	t := column.NewArray(elem)
	return &Bound{Type: t, Exec: func(call *Call) (column.Column, error) {
		in := readBitmaps(call.Args[0], k)
		var values []uint64
		ends := make([]uint64, 0, call.Rows)
		for i := range call.Rows {
			if err := call.Env.Ctx.Err(); err != nil {
				return nil, err
			}
			set, err := in.at(i)
			if err != nil {
				return nil, err
			}
			if uint64(len(values))+set.Len() > bitmapElementsMost {
				return nil, errcode.New(errcode.MemoryLimitExceeded, "Function bitmapToArray would make more than %d values of one block", bitmapElementsMost)
			}
			values = set.AppendTo(values)
			ends = append(ends, uint64(len(values)))
		}
		return &column.Arr{T: t, Ends: ends, Elem: agg.IntegersOf(elem, values)}, nil
	}}, nil
}

func bindBitmapNumber(name string, number func(*bitmap.Set) uint64) func(*Env, []Arg) (*Bound, error) {
	return func(_ *Env, args []Arg) (*Bound, error) {
		_, k, err := bitmapArg(name, "First", args[0].Type)
		if err != nil {
			return nil, err
		}
		return &Bound{Type: column.Of(column.UInt64), Exec: func(call *Call) (column.Column, error) {
			in := readBitmaps(call.Args[0], k)
			out := make([]uint64, call.Rows)
			for i := range out {
				set, err := in.at(i)
				if err != nil {
					return nil, err
				}
				out[i] = number(set)
			}
			return column.UInt64s(out...), nil
		}}, nil
	}
}

func bindBitmapContains(_ *Env, args []Arg) (*Bound, error) {
	_, k, err := bitmapArg("bitmapContains", "First", args[0].Type)
	if err != nil {
		return nil, err
	}
	if _, ok := agg.BitmapKind(args[1].Type); !ok {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "Second argument for function bitmapContains must be an native integer type but it has type %s", args[1].Type)
	}
	return &Bound{Type: column.Of(column.UInt8), Exec: func(call *Call) (column.Column, error) {
		in := readBitmaps(call.Args[0], k)
		values := agg.BitmapValues(column.Full(call.Args[1]), call.Rows, nil)
		out := make([]uint8, call.Rows)
		for i := range out {
			set, err := in.at(i)
			if err != nil {
				return nil, err
			}
			if set.Contains(values[i]) {
				out[i] = 1
			}
		}
		return column.UInt8s(out...), nil
	}}, nil
}

// bitmapPair checks two sets of one kind.
func bitmapPair(name string, args []Arg) (bitmap.Kind, error) {
	a, k, err := bitmapArg(name, "First", args[0].Type)
	if err != nil {
		return k, err
	}
	b, _, err := bitmapArg(name, "Second", args[1].Type)
	if err != nil {
		return k, err
	}
	if !a.Equal(b) {
		return k, errcode.New(errcode.IllegalTypeOfArgument, "The nested type in bitmaps must be the same, but one is %s, and the other is %s", a, b)
	}
	return k, nil
}

func bindBitmapJoin(name string, join func(a, b *bitmap.Set)) func(*Env, []Arg) (*Bound, error) {
	return func(_ *Env, args []Arg) (*Bound, error) {
		k, err := bitmapPair(name, args)
		if err != nil {
			return nil, err
		}
		t := args[0].Type
		return &Bound{Type: t, Exec: func(call *Call) (column.Column, error) {
			right := readBitmaps(call.Args[1], k)
			return eachBitmap(call, t, k, func(i int, set *bitmap.Set) error {
				other, err := right.at(i)
				if err == nil {
					join(set, other)
				}
				return err
			})
		}}, nil
	}
}

// eachBitmap changes the sets of the first argument and makes a column of them.
func eachBitmap(call *Call, t *column.Type, k bitmap.Kind, change func(i int, set *bitmap.Set) error) (column.Column, error) {
	in := readBitmaps(call.Args[0], k)
	out := &column.Str{T: t, Ends: make([]uint64, 0, call.Rows)}
	for i := range call.Rows {
		if err := call.Env.Ctx.Err(); err != nil {
			return nil, err
		}
		set, err := in.own(i)
		if err != nil {
			return nil, err
		}
		if err := change(i, &set); err != nil {
			return nil, err
		}
		out.Data = set.Append(out.Data, true)
		out.EndRow()
	}
	return out, nil
}

func bindBitmapCompare(name string, kind column.Kind, compare func(a, b *bitmap.Set) uint64) func(*Env, []Arg) (*Bound, error) {
	return func(_ *Env, args []Arg) (*Bound, error) {
		k, err := bitmapPair(name, args)
		if err != nil {
			return nil, err
		}
		t := column.Of(kind)
		return &Bound{Type: t, Exec: func(call *Call) (column.Column, error) {
			left, right := readBitmaps(call.Args[0], k), readBitmaps(call.Args[1], k)
			out := make([]uint64, call.Rows)
			for i := range out {
				a, err := left.at(i)
				if err != nil {
					return nil, err
				}
				b, err := right.at(i)
				if err != nil {
					return nil, err
				}
				out[i] = compare(a, b)
			}
			return agg.IntegersOf(t, out), nil
		}}, nil
	}
}

func bindBitmapTransform(_ *Env, args []Arg) (*Bound, error) {
	_, k, err := bitmapArg("bitmapTransform", "First", args[0].Type)
	if err != nil {
		return nil, err
	}
	for _, a := range args[1:] {
		if a.Type.Kind != column.Array || !unsigned(a.Type.Elems[0]) {
			return nil, errcode.New(errcode.IllegalTypeOfArgument,
				"The second and third arguments for function bitmapTransform must be an one of [Array(UInt8), Array(UInt16), Array(UInt32), Array(UInt64)] but one of them has type %s", a.Type)
		}
	}
	t := args[0].Type
	return &Bound{Type: t, Exec: func(call *Call) (column.Column, error) {
		from, to := column.Full(call.Args[1]).(*column.Arr), column.Full(call.Args[2]).(*column.Arr)
		olds, news := agg.BitmapValues(from.Elem, from.Elem.Len(), nil), agg.BitmapValues(to.Elem, to.Elem.Len(), nil)
		return eachBitmap(call, t, k, func(i int, set *bitmap.Set) error {
			a, b := from.Range(i)
			c, d := to.Range(i)
			if b-a != d-c {
				return errcode.New(errcode.BadArguments, "From array size and to array size mismatch")
			}
			set.Replace(olds[a:b], news[c:d])
			return nil
		})
	}}, nil
}

func bindBitmapSubset(name string, subset func(s *bitmap.Set, a, b uint64, out *bitmap.Set)) func(*Env, []Arg) (*Bound, error) {
	return func(_ *Env, args []Arg) (*Bound, error) {
		_, k, err := bitmapArg(name, "First", args[0].Type)
		if err != nil {
			return nil, err
		}
		for _, a := range args[1:] {
			if !unsigned(a.Type) {
				return nil, errcode.New(errcode.IllegalTypeOfArgument, "The second and third arguments for function %s must be one of [UInt8, UInt16, UInt32, UInt64] but one of them has type %s",
					name, a.Type)
			}
		}
		t := args[0].Type
		return &Bound{Type: t, Exec: func(call *Call) (column.Column, error) {
			a := agg.BitmapValues(column.Full(call.Args[1]), call.Rows, nil)
			b := agg.BitmapValues(column.Full(call.Args[2]), call.Rows, nil)
			return eachBitmap(call, t, k, func(i int, set *bitmap.Set) error {
				out := bitmap.New(k)
				subset(set, a[i], b[i], &out)
				*set = out
				return nil
			})
		}}, nil
	}
}
