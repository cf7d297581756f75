package function

import (
	"dictsvc/column"
	"dictsvc/errcode"
)

func arrayMakeFunctions() []Function {
	const own = OwnNulls | OwnLowCardinality
	list := []Function{
		{Name: "array", MinArgs: 0, MaxArgs: -1, Flags: own, Bind: bindArray},
		{Name: "tuple", MinArgs: 0, MaxArgs: -1, Flags: own, Bind: bindTuple},
		{Name: "map", MinArgs: 0, MaxArgs: -1, Flags: own, Bind: bindMap},
		{Name: "tupleElement", MinArgs: 2, MaxArgs: 3, Flags: own, Bind: bindTupleElement},
		{Name: "tupleConcat", MinArgs: 1, MaxArgs: -1, Flags: OwnNulls, Bind: bindTupleConcat},
		{Name: "tuplePlus", MinArgs: 2, MaxArgs: 2, Bind: bindTupleOp("tuplePlus", opPlus)},
		{Name: "tupleMinus", MinArgs: 2, MaxArgs: 2, Bind: bindTupleOp("tupleMinus", opMinus)},
		{Name: "tupleMultiply", MinArgs: 2, MaxArgs: 2, Bind: bindTupleOp("tupleMultiply", opMultiply)},
		{Name: "tupleDivide", MinArgs: 2, MaxArgs: 2, Bind: bindTupleOp("tupleDivide", opDivide)},
		{Name: "tupleMultiplyByNumber", MinArgs: 2, MaxArgs: 2, Bind: bindTupleOp("tupleMultiplyByNumber", opMultiply)},
		{Name: "tupleDivideByNumber", MinArgs: 2, MaxArgs: 2, Bind: bindTupleOp("tupleDivideByNumber", opDivide)},
		{Name: "tupleNegate", MinArgs: 1, MaxArgs: 1, Bind: func(env *Env, args []Arg) (*Bound, error) {
			if args[0].Type.Kind != column.Tuple {
				return nil, illegalType("tupleNegate", args[0].Type)
			}
			return bindNestedUnary(env, "negate", args)
		}},
		{Name: "tupleHammingDistance", MinArgs: 2, MaxArgs: 2, Bind: bindTupleHamming},
		{Name: "tupleToNameValuePairs", MinArgs: 1, MaxArgs: 1, Flags: own, Bind: bindTuplePairs},
		{Name: "tupleNames", MinArgs: 1, MaxArgs: 1, Flags: own, Bind: bindTupleNames},
		{Name: "arrayWithConstant", MinArgs: 2, MaxArgs: 2, Flags: OwnNulls, Bind: bindArrayWithConstant},
		{Name: "range", MinArgs: 1, MaxArgs: 3, Bind: bindRange},
		{Name: "emptyArrayToSingle", MinArgs: 1, MaxArgs: 1, Flags: own, Bind: bindEmptyToSingle},
	}
	for _, k := range []column.Kind{column.UInt8, column.UInt16, column.UInt32, column.UInt64, column.Int8, column.Int16, column.Int32, column.Int64, column.Float32, column.Float64,
		column.Date, column.DateTime, column.String} {
		t := column.NewArray(column.Of(k))
		list = append(list, Function{Name: "emptyArray" + k.String(), Flags: OwnConst, Bind: func(*Env, []Arg) (*Bound, error) {
			return result(t, func(call *Call) (column.Column, error) {
				one := column.New(t, 1)
				one.AppendDefault(1)
				return column.NewConst(one, call.Rows), nil
			})
		}})
	}
	return list
}

// argTypes lists the arguments' types.
func argTypes(args []Arg) []*column.Type {
	t := make([]*column.Type, len(args))
	for i, a := range args {
		t[i] = a.Type
	}
	return t
}

// castAll brings columns to one type.
func castAll(casts []castFn, cols []column.Column, rows int) ([]column.Column, error) {
	out := make([]column.Column, len(cols))
	for i, c := range cols {
		var err error
		if out[i], err = casts[i](c, rows); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func castsTo(types []*column.Type, t *column.Type) ([]castFn, error) {
	out := make([]castFn, len(types))
	for i, from := range types {
		var err error
		if out[i], err = castKernel(from, t); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// interleave puts the rows of columns of one type one after the other: row 0 of each, row 1 of each, ...
func interleave(t *column.Type, cols []column.Column, rows int) column.Column {
	all := column.New(t, rows*len(cols))
	base := make([]uint32, len(cols))
	step := make([]uint32, len(cols))
	for i, c := range cols {
		base[i] = uint32(all.Len())
		if k, ok := c.(*column.Const); ok {
			all.AppendRange(k.Val, 0, 1)
			continue
		}
		step[i] = 1
		all.AppendRange(c, 0, rows)
	}
	if len(cols) == 1 && step[0] == 1 {
		return all
	}
	from := make([]uint32, 0, rows*len(cols))
	for r := 0; r < rows; r++ {
		for i := range cols {
			from = append(from, base[i]+step[i]*uint32(r))
		}
	}
	return all.Gather(from)
}

// evenEnds are the offsets of arrays of n elements each.
func evenEnds(n, rows int) []uint64 {
	ends := make([]uint64, rows)
	for i := range ends {
		ends[i] = uint64(n * (i + 1))
	}
	return ends
}

func bindArray(_ *Env, args []Arg) (*Bound, error) {
	if len(args) == 0 {
		t := column.NewArray(column.Of(column.Nothing))
		return result(t, func(call *Call) (column.Column, error) {
			return column.NewConst(&column.Arr{T: t, Ends: []uint64{0}, Elem: &column.NothingColumn{}}, call.Rows), nil
		})
	}
	types := argTypes(args)
	elem, err := branchType(types)
	if err != nil {
		return nil, err
	}
	casts, err := castsTo(types, elem)
	if err != nil {
		return nil, err
	}
	t := column.NewArray(elem)
	return result(t, func(call *Call) (column.Column, error) {
		cols, err := castAll(casts, call.Args, call.Rows)
		if err != nil {
			return nil, err
		}
		return &column.Arr{T: t, Ends: evenEnds(len(cols), call.Rows), Elem: interleave(elem, cols, call.Rows)}, nil
	})
}

func bindTuple(_ *Env, args []Arg) (*Bound, error) {
	t := column.NewTuple(argTypes(args), nil)
	return result(t, func(call *Call) (column.Column, error) {
		out := &column.Tup{T: t, Elems: make([]column.Column, len(call.Args)), N: call.Rows}
		for i, c := range call.Args {
			out.Elems[i] = column.Full(c)
		}
		return out, nil
	})
}

func bindMap(_ *Env, args []Arg) (*Bound, error) {
	if len(args)%2 != 0 {
		return nil, errcode.New(errcode.NumberOfArgumentsDoesntMatch, "Function map requires even number of arguments, but %d given", len(args))
	}
	var keys, values []*column.Type
	for i, a := range args {
		if i%2 == 0 {
			if a.Type.Kind == column.LowCardinality && a.Type.IsNullable() {
				return nil, errcode.New(errcode.BadArguments, "Map cannot have a key of type %s", a.Type)
			}
			keys = append(keys, a.Type)
		} else {
			values = append(values, a.Type)
		}
	}
	k, v := column.Of(column.Nothing), column.Of(column.Nothing)
	if len(args) > 0 {
		var err error
		if k, err = branchType(keys); err != nil {
			return nil, err
		}
		if v, err = branchType(values); err != nil {
			return nil, err
		}
	}
	if k.IsNullable() || k.IsFloat() {
		return nil, errcode.New(errcode.BadArguments, "Map cannot have a key of type %s", k)
	}
	castK, err := castsTo(keys, k)
	if err != nil {
		return nil, err
	}
	castV, err := castsTo(values, v)
	if err != nil {
		return nil, err
	}
	t := column.NewMap(k, v)
	n := len(args) / 2
	return result(t, func(call *Call) (column.Column, error) {
		var ks, vs []column.Column
		for i, c := range call.Args {
			if i%2 == 0 {
				ks = append(ks, c)
			} else {
				vs = append(vs, c)
			}
		}
		ks, err := castAll(castK, ks, call.Rows)
		if err != nil {
			return nil, err
		}
		vs, err = castAll(castV, vs, call.Rows)
		if err != nil {
			return nil, err
		}
		if n == 0 {
			return makeMap(t, &column.NothingColumn{}, &column.NothingColumn{}, make([]uint64, call.Rows)), nil
		}
		return makeMap(t, interleave(k, ks, call.Rows), interleave(v, vs, call.Rows), evenEnds(n, call.Rows)), nil
	})
}

// makeMap makes a Map column of its flat keys and values.
func makeMap(t *column.Type, keys, values column.Column, ends []uint64) *column.MapColumn {
	out := column.New(t, 0).(*column.MapColumn)
	tup := out.Arr.Elem.(*column.Tup)
	return &column.MapColumn{T: t, Arr: &column.Arr{T: out.Arr.T, Ends: ends, Elem: &column.Tup{T: tup.T, Elems: []column.Column{keys, values}, N: keys.Len()}}}
}

func bindTupleElement(_ *Env, args []Arg) (*Bound, error) {
	t := args[0].Type
	depth := 0
	for t.Kind == column.Array {
		t, depth = t.Elems[0], depth+1
	}
	if t.Kind != column.Tuple {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "First argument for function tupleElement must be Tuple, Nullable(Tuple), QBit, JSON or array of these. Actual %s", args[0].Type)
	}
	at, err := tuplePlace(t, args[1])
	if err != nil {
		if len(args) == 3 {
			return pick(args[2].Type, 2)
		}
		return nil, err
	}
	r := t.Elems[at]
	for i := 0; i < depth; i++ {
		r = column.NewArray(r)
	}
	return result(r, func(call *Call) (column.Column, error) {
		if depth == 0 {
			return tupleElem(call.Args[0], at), nil
		}
		return nestedElem(call.full(call.Args[0]), r, at), nil
	})
}

func nestedElem(c column.Column, t *column.Type, i int) column.Column {
	if a, ok := c.(*column.Arr); ok {
		return &column.Arr{T: t, Ends: a.Offsets(), Elem: nestedElem(a.Elem, t.Elems[0], i)}
	}
	return c.(*column.Tup).Elems[i]
}

// tuplePlace finds the element that a constant index (from 1, or negative from the end) or name tells.
func tuplePlace(t *column.Type, index Arg) (int, error) {
	if name, ok := constStr(index); ok {
		for i, n := range t.Names {
			if n == name {
				return i, nil
			}
		}
		for i := range t.Elems {
			if t.Names == nil && name == itoa(i+1) {
				return i, nil
			}
		}
		return 0, errcode.New(errcode.BadArguments, "Tuple doesn't have element with name '%s'", name)
	}
	n, ok := constInt(index)
	if !ok {
		return 0, errcode.New(errcode.IllegalTypeOfArgument, "Second argument to tupleElement must be a constant UInt or String")
	}
	switch k := int64(len(t.Elems)); {
	case n >= 1 && n <= k:
		return int(n - 1), nil
	case n < 0 && n >= -k:
		return int(k + n), nil
	}
	return 0, errcode.New(errcode.ArgumentOutOfBound, "Tuple doesn't have element with index '%d'", n)
}

func bindTupleConcat(_ *Env, args []Arg) (*Bound, error) {
	var elems []*column.Type
	for _, a := range args {
		if a.Type.Kind != column.Tuple {
			return nil, errcode.New(errcode.IllegalTypeOfArgument, "Illegal type %s of argument of function tupleConcat, expected Tuple", a.Type)
		}
		elems = append(elems, a.Type.Elems...)
	}
	t := column.NewTuple(elems, nil)
	return result(t, func(call *Call) (column.Column, error) {
		out := &column.Tup{T: t, N: call.Rows}
		for _, c := range call.Args {
			out.Elems = append(out.Elems, column.Full(c).(*column.Tup).Elems...)
		}
		return out, nil
	})
}

func bindTupleOp(name string, op arithOp) func(env *Env, args []Arg) (*Bound, error) {
	return func(env *Env, args []Arg) (*Bound, error) {
		a, b := args[0].Type, args[1].Type
		switch {
		case a.Kind != column.Tuple:
			return nil, errcode.New(errcode.IllegalTypeOfArgument, "Argument 0 of function %s should be tuples, got %s", name, a)
		case b.Kind != column.Tuple:
			return tupleArith(env, op, a.Elems, []*column.Type{b})
		case len(a.Elems) != len(b.Elems):
			return nil, errcode.New(errcode.IllegalTypeOfArgument, "Expected tuples of the same size as arguments of function %s, got %s and %s", name, a, b)
		case len(a.Elems) == 0:
			return result(uint8Type, func(call *Call) (column.Column, error) { return column.NewConst(column.UInt8s(0), call.Rows), nil })
		}
		return tupleArith(env, op, a.Elems, b.Elems)
	}
}

func bindTupleHamming(env *Env, args []Arg) (*Bound, error) {
	a, b := args[0].Type, args[1].Type
	if a.Kind != column.Tuple || b.Kind != column.Tuple || len(a.Elems) != len(b.Elems) {
		return nil, illegalTypes("tupleHammingDistance", args)
	}
	elems := make([]*Bound, len(a.Elems))
	t := uint8Type
	for i := range elems {
		var err error
		if elems[i], err = bindCall(env, "notEquals", a.Elems[i], b.Elems[i]); err != nil {
			return nil, err
		}
		if i > 0 {
			x, _ := classOf(t)
			t = arithType(opPlus, x, numClass{size: 1})
		}
	}
	return result(t, func(call *Call) (column.Column, error) {
		sum := make([]uint64, call.Rows)
		for i, e := range elems {
			c := *call
			c.Args = []column.Column{tupleElem(call.Args[0], i), tupleElem(call.Args[1], i)}
			res, err := e.Exec(&c)
			if err != nil {
				return nil, err
			}
			for k, v := range truth(res, call.Rows) {
				sum[k] += uint64(v & 1)
			}
		}
		return numCut(t, sum), nil
	})
}

func tupleName(t *column.Type, i int) string {
	if t.Names != nil {
		return t.Names[i]
	}
	return itoa(i + 1)
}

func bindTupleNames(_ *Env, args []Arg) (*Bound, error) {
	a := args[0].Type
	if a.Kind != column.Tuple {
		return nil, illegalType("tupleNames", a)
	}
	names := column.Strings()
	for i := range a.Elems {
		names.AppendString(tupleName(a, i))
	}
	one := column.NewArr(names, []uint64{uint64(len(a.Elems))})
	return result(one.T, func(call *Call) (column.Column, error) { return column.NewConst(one, call.Rows), nil })
}

func bindTuplePairs(_ *Env, args []Arg) (*Bound, error) {
	a := args[0].Type
	if a.Kind != column.Tuple || len(a.Elems) == 0 {
		return nil, illegalType("tupleToNameValuePairs", a)
	}
	for _, e := range a.Elems {
		if !e.Equal(a.Elems[0]) {
			return nil, errcode.New(errcode.IllegalTypeOfArgument, "The argument of function tupleToNameValuePairs must be a tuple with elements of the same type, got %s", a)
		}
	}
	pair := column.NewTuple([]*column.Type{column.Of(column.String), a.Elems[0]}, nil)
	t := column.NewArray(pair)
	return result(t, func(call *Call) (column.Column, error) {
		tup := call.full(call.Args[0]).(*column.Tup)
		names := newStr(call.Rows * len(a.Elems))
		for r := 0; r < call.Rows; r++ {
			for i := range a.Elems {
				names.AppendString(tupleName(a, i))
			}
		}
		values := interleave(a.Elems[0], tup.Elems, call.Rows)
		return &column.Arr{T: t, Ends: evenEnds(len(a.Elems), call.Rows), Elem: &column.Tup{T: pair, Elems: []column.Column{names, values}, N: values.Len()}}, nil
	})
}

// maxElements bounds the elements that a function may make in one block.
const maxElements = 1 << 27

func bindArrayWithConstant(_ *Env, args []Arg) (*Bound, error) {
	n := args[0].Type
	if !n.Base().IsInteger() {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "Illegal type %s of argument of function arrayWithConstant, expected Integer", n)
	}
	t := column.NewArray(args[1].Type)
	return result(t, func(call *Call) (column.Column, error) {
		count, nulls := splitNull(call.Args[0])
		k, kc := nums[int64](count)
		ends := make([]uint64, call.Rows)
		total := uint64(0)
		for i := range ends {
			size := at(k, kc, i)
			if nulls.at(i) {
				size = 0
			}
			if size < 0 {
				return nil, errcode.New(errcode.TooLargeArraySize, "Array size %d cannot be negative: while executing function arrayWithConstant", size)
			}
			if total += uint64(size); size > maxElements || total > maxElements {
				return nil, errcode.New(errcode.TooLargeArraySize, "Too large array size while executing function arrayWithConstant")
			}
			ends[i] = total
		}
		if call.Rows > 0 {
			call.Hold(int(total) * (8 + column.WidestRow(unconst(call.Args[1]))))
		}
		return &column.Arr{T: t, Ends: ends, Elem: call.full(call.Args[1].Replicate(ends))}, nil
	})
}

func bindRange(_ *Env, args []Arg) (*Bound, error) {
	var elem *column.Type
	for _, a := range args {
		c, ok := classOf(a.Type)
		if !ok || c.float || c.size > 8 {
			return nil, illegalType("range", a.Type)
		}
	}
	elem, err := commonType(argTypes(args)...)
	if err != nil {
		return nil, err
	}
	if elem.Kind == column.Bool {
		elem = uint8Type
	}
	signed := elem.IsSigned()
	t := column.NewArray(elem)
	return result(t, func(call *Call) (column.Column, error) {
		from, fc := []int64{0}, true
		to, tc := nums[int64](call.Args[0])
		step, sc := []int64{1}, true
		if len(call.Args) > 1 {
			from, fc = to, tc
			to, tc = nums[int64](call.Args[1])
		}
		if len(call.Args) > 2 {
			step, sc = nums[int64](call.Args[2])
		}
		ends := make([]uint64, call.Rows)
		total := uint64(0)
		for i := range ends {
			s := at(step, sc, i)
			if s == 0 || s < 0 && !signed {
				return nil, errcode.New(errcode.ArgumentOutOfBound, "A call to function range underflows, the 3rd argument step can't be less or equal to zero")
			}
			n := rangeCount(at(from, fc, i), at(to, tc, i), s, signed)
			if n > maxElements {
				total = n
				break
			}
			total += n
			ends[i] = total
		}
		if total > maxElements && call.Room == 0 { // else fewer rows can be asked for
			return nil, errcode.New(errcode.ArgumentOutOfBound, "A call to function range would produce %d array elements, which is greater than the allowed maximum of %d", total, maxElements)
		}
		call.Hold(8 * int(min(total, column.MaxColumnBytes)))
		flat := make([]int64, total)
		k := uint64(0)
		for i, end := range ends {
			a, s := at(from, fc, i), at(step, sc, i)
			for ; k < end; k++ {
				flat[k] = a
				a += s
			}
		}
		return &column.Arr{T: t, Ends: ends, Elem: numCut(elem, flat)}, nil
	})
}

// rangeCount is the number of values from a towards b, b not included.
func rangeCount(a, b, s int64, signed bool) uint64 {
	switch {
	case !signed && uint64(a) < uint64(b):
		return (uint64(b)-uint64(a)-1)/uint64(s) + 1
	case !signed:
		return 0
	case s > 0 && a < b:
		return (uint64(b)-uint64(a)-1)/uint64(s) + 1
	case s < 0 && a > b:
		return (uint64(a)-uint64(b)-1)/uint64(-s) + 1
	}
	return 0
}

func bindEmptyToSingle(_ *Env, args []Arg) (*Bound, error) {
	t := args[0].Type
	if t.Kind != column.Array {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "Argument for function emptyArrayToSingle must be array.")
	}
	return result(t, func(call *Call) (column.Column, error) {
		if t.Elems[0].Kind == column.Nothing {
			return nil, errcode.New(errcode.NotImplemented, "Cannot get value from Nothing")
		}
		a := newArrs(call.Args[0])
		out := column.New(t, call.Rows).(*column.Arr)
		for i := 0; i < call.Rows; i++ {
			from, to := a.row(i)
			if from == to {
				out.Elem.AppendDefault(1)
			} else {
				out.Elem.AppendRange(a.elem, from, to)
			}
			out.EndRow()
		}
		return out, nil
	})
}
