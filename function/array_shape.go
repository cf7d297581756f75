package function

import (
	"dictsvc/column"
	"dictsvc/errcode"
)

func arrayShapeFunctions() []Function {
	return []Function{
		{Name: "arrayElement", MinArgs: 2, MaxArgs: 2, Bind: bindArrayElement(false)},
		{Name: "arrayElementOrNull", MinArgs: 2, MaxArgs: 2, Bind: bindArrayElement(true)},
		{Name: "arrayConcat", MinArgs: 0, MaxArgs: -1, Bind: bindArrayConcat},
		{Name: "arraySlice", MinArgs: 2, MaxArgs: 3, Flags: OwnNulls, Bind: bindArraySlice},
		{Name: "arrayReverse", MinArgs: 1, MaxArgs: 1, Bind: bindPick("arrayReverse", func(p *pickElems, _ column.Column, from, to int) {
			for i := to - 1; i >= from; i-- {
				p.add(i)
			}
		})},
		{Name: "arrayPopBack", MinArgs: 1, MaxArgs: 1, Bind: bindPick("arrayPopBack", func(p *pickElems, _ column.Column, from, to int) { p.span(from, to-1) })},
		{Name: "arrayPopFront", MinArgs: 1, MaxArgs: 1, Bind: bindPick("arrayPopFront", func(p *pickElems, _ column.Column, from, to int) { p.span(from+1, to) })},
		{Name: "arrayCompact", MinArgs: 1, MaxArgs: 1, Bind: bindPick("arrayCompact", func(p *pickElems, elem column.Column, from, to int) {
			for i := from; i < to; i++ {
				if i == from || elem.Compare(i, elem, i-1, 1) != 0 {
					p.add(i)
				}
			}
		})},
		{Name: "arrayPushBack", MinArgs: 2, MaxArgs: 2, Flags: OwnNulls, Bind: bindPush("arrayPushBack", true)},
		{Name: "arrayPushFront", MinArgs: 2, MaxArgs: 2, Flags: OwnNulls, Bind: bindPush("arrayPushFront", false)},
		{Name: "arrayResize", MinArgs: 2, MaxArgs: 3, Flags: OwnNulls, Bind: bindResize},
		{Name: "arrayFlatten", MinArgs: 1, MaxArgs: 1, Bind: bindFlatten},
		{Name: "arrayZip", MinArgs: 0, MaxArgs: -1, Bind: bindZip},
		{Name: "arrayEnumerate", MinArgs: 1, MaxArgs: 1, Bind: bindEnumerate},
		{Name: "arrayRotateLeft", MinArgs: 2, MaxArgs: 2, Bind: bindRotate("arrayRotateLeft", 1)},
		{Name: "arrayRotateRight", MinArgs: 2, MaxArgs: 2, Bind: bindRotate("arrayRotateRight", -1)},
		{Name: "arrayShiftLeft", MinArgs: 2, MaxArgs: 3, Flags: OwnNulls, Bind: bindShiftArray("arrayShiftLeft", 1)},
		{Name: "arrayShiftRight", MinArgs: 2, MaxArgs: 3, Flags: OwnNulls, Bind: bindShiftArray("arrayShiftRight", -1)},
	}
}

// notArray is the error for an argument that must be an array.
func notArray(name string, t *column.Type) error {
	return errcode.New(errcode.IllegalTypeOfArgument, "Argument for function %s must be array but it has type %s.", name, t)
}

// bindPick binds a function that keeps, drops or reorders the elements of each array.
func bindPick(name string, row func(p *pickElems, elem column.Column, from, to int)) func(env *Env, args []Arg) (*Bound, error) {
	return func(_ *Env, args []Arg) (*Bound, error) {
		t := args[0].Type
		if t.Kind != column.Array {
			return nil, notArray(name, t)
		}
		return result(t, func(call *Call) (column.Column, error) {
			a := newArrs(call.Args[0])
			p := newPick(call)
			for i := 0; i < call.Rows; i++ {
				from, to := a.row(i)
				row(p, a.elem, from, to)
				p.end()
			}
			return p.column(t, a.elem), nil
		})
	}
}

func bindArrayElement(orNull bool) func(env *Env, args []Arg) (*Bound, error) {
	return func(env *Env, args []Arg) (*Bound, error) {
		a, b := args[0].Type, args[1].Type
		switch {
		case a.Kind == column.Map:
			return bindMapElement(env, args, orNull)
		case a.Kind != column.Array:
			return nil, errcode.New(errcode.IllegalTypeOfArgument, "First argument for function 'arrayElement' must be array, got '%s' instead", a)
		case !b.IsInteger() || b.FixedWidth() > 8:
			return nil, errcode.New(errcode.IllegalTypeOfArgument, "Second argument for function 'arrayElement' must be integer, got '%s' instead", b)
		}
		t := a.Elems[0]
		if t.Kind == column.Nothing {
			return nil, errcode.New(errcode.IllegalTypeOfArgument, "Invalid projection column with type Nothing")
		}
		if orNull && canBeNullable(t) {
			t = column.NewNullable(t)
		}
		return result(t, func(call *Call) (column.Column, error) {
			arr := newArrs(call.Args[0])
			n, nc := nums[int64](call.Args[1])
			if _, isConst := call.Args[0].(*column.Const); nc && n[0] == 0 && !isConst && !orNull {
				return nil, errcode.New(errcode.ZeroArrayOrTupleIndex, "Array indices are 1-based")
			}
			big := b.Kind == column.UInt64
			rows := make([]uint32, call.Rows)
			nulls := make([]uint8, call.Rows)
			none := uint32(arr.elem.Len())
			missing := false
			for i := range rows {
				from, to := arr.row(i)
				k := at(n, nc, i)
				switch {
				case k > 0 && k <= int64(to-from):
					rows[i] = uint32(from) + uint32(k-1)
				case k < 0 && -k <= int64(to-from) && -k > 0 && !big:
					rows[i] = uint32(to) - uint32(-k)
				default:
					rows[i], nulls[i], missing = none, 1, true
				}
			}
			elem := arr.elem
			if missing {
				padded := elem.New(elem.Len() + 1)
				padded.AppendRange(elem, 0, elem.Len())
				padded.AppendDefault(1)
				elem = padded
			}
			res := elem.Gather(rows)
			if orNull && t.Kind == column.Nullable {
				return makeNull(res, nulls), nil
			}
			return res, nil
		})
	}
}

// mapKeyLike tells whether a value may be looked for among a map's keys: text among text, integers and dates of 16 and 32 bits among such.
func mapKeyLike(key, value *column.Type) bool {
	if key.Equal(value) || key.Kind == column.Nothing || value.Kind == column.Nothing {
		return true
	}
	whole := func(t *column.Type) bool {
		return t.IsInteger() || t.IsEnum() || t.Kind == column.Bool || t.Kind == column.Date || t.Kind == column.Date32 || t.Kind == column.DateTime
	}
	text := func(t *column.Type) bool { return t.IsString() || t.IsEnum() || t.Kind == column.UUID }
	return whole(key) && whole(value) || text(key) && text(value) || whole(key) == whole(value) && !text(key) && !text(value)
}

func bindMapElement(env *Env, args []Arg, orNull bool) (*Bound, error) {
	m := args[0].Type
	if k := args[1].Type; k.IsInteger() && k.FixedWidth() > 8 {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "Illegal types of arguments: %s, %s for function arrayElement", m, k)
	}
	if !mapKeyLike(m.Elems[0].Base(), args[1].Type.Base()) {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "Illegal types of arguments: %s, %s for function arrayElement", m, args[1].Type)
	}
	search, err := bindSearch("arrayElement", column.NewArray(m.Elems[0]), args[1], false)
	if err != nil {
		return nil, err
	}
	t := m.Elems[1]
	if orNull && canBeNullable(t) {
		t = column.NewNullable(t)
	}
	return result(t, func(call *Call) (column.Column, error) {
		c := call.full(call.Args[0]).(*column.MapColumn)
		keys := &column.Arr{T: column.NewArray(m.Elems[0]), Ends: c.Arr.Ends, Elem: c.Keys(), Start: c.Arr.Start}
		rows := make([]uint32, call.Rows)
		nulls := make([]uint8, call.Rows)
		none := uint32(c.Keys().Len())
		for i := range rows {
			rows[i], nulls[i] = none, 1
		}
		err := search(keys, call.Args[1], call.Rows, func(row, place int) bool {
			rows[row], nulls[row] = uint32(place), 0
			return false
		})
		if err != nil {
			return nil, err
		}
		padded := c.Values().New(int(none) + 1)
		padded.AppendRange(c.Values(), 0, int(none))
		padded.AppendDefault(1)
		res := padded.Gather(rows)
		if orNull && t.Kind == column.Nullable {
			return makeNull(res, nulls), nil
		}
		return res, nil
	})
}

func bindArrayConcat(_ *Env, args []Arg) (*Bound, error) {
	if len(args) == 0 {
		return nil, errcode.New(errcode.NumberOfArgumentsDoesntMatch, "Function arrayConcat requires at least one argument")
	}
	for i, a := range args {
		if a.Type.Kind != column.Array {
			return nil, errcode.New(errcode.IllegalTypeOfArgument, "Argument %d for function arrayConcat must be an array but it has type %s.", i, a.Type)
		}
	}
	types := argTypes(args)
	t, err := commonType(types...)
	if err != nil {
		return nil, err
	}
	casts, err := castsTo(types, t)
	if err != nil {
		return nil, err
	}
	return result(t, func(call *Call) (column.Column, error) {
		cols, err := castAll(casts, call.Args, call.Rows)
		if err != nil {
			return nil, err
		}
		for _, c := range cols {
			call.Hold(column.SizeOf(c))
		}
		return concatArrays(t, cols, call.Rows), nil
	})
}

// concatArrays joins arrays of one type row by row.
func concatArrays(t *column.Type, cols []column.Column, rows int) column.Column {
	out := column.New(t, rows).(*column.Arr)
	parts := make([]arrs, len(cols))
	for i, c := range cols {
		parts[i] = newArrs(c)
	}
	for r := 0; r < rows; r++ {
		for i := range parts {
			if from, to := parts[i].row(r); from < to {
				out.Elem.AppendRange(parts[i].elem, from, to)
			}
		}
		out.EndRow()
	}
	return out
}

func bindArraySlice(_ *Env, args []Arg) (*Bound, error) {
	t := args[0].Type
	if t.Base().Kind == column.Nothing && t.IsNullable() {
		return result(nullType, func(call *Call) (column.Column, error) { return nullColumn(nullType, call.Rows), nil })
	}
	if t.Kind != column.Array {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "First argument for function arraySlice must be an array but it has type %s.", t)
	}
	for i, a := range args[1:] {
		if b := a.Type.Base(); !b.IsInteger() && b.Kind != column.Nothing {
			return nil, errcode.New(errcode.IllegalTypeOfArgument, "Argument %d for function arraySlice must be integer but it has type %s.", i+1, a.Type)
		}
	}
	return result(t, func(call *Call) (column.Column, error) {
		a := newArrs(call.Args[0])
		offset := newOptional(call.Args[1])
		length := optional{}
		if len(call.Args) > 2 {
			length = newOptional(call.Args[2])
		}
		p := newPick(call)
		for i := 0; i < call.Rows; i++ {
			from, to := a.row(i)
			n := int64(to - from)
			off, ok := offset.at(i)
			if !ok {
				off = 1
			}
			b, e := sliceBounds(off, n)
			if size, ok := length.at(i); ok {
				e = sliceEnd(b, size, n)
			}
			if off != 0 {
				p.span(from+int(max(b, 0)), from+int(min(e, n)))
			}
			p.end()
		}
		return p.column(t, a.elem), nil
	})
}

// sliceBounds turns ClickHouse's offset (from 1, negative from the end) into a 0-based start, which may be negative; the end is the array's.
func sliceBounds(off, n int64) (begin, end int64) {
	if off > 0 {
		return off - 1, n
	}
	return n + off, n
}

// sliceEnd is the end of a slice of the given length; a negative length counts from the array's end.
func sliceEnd(begin, size, n int64) int64 {
	switch {
	case size < 0:
		return n + size
	case begin > n || size > n-begin:
		return n
	}
	return begin + size
}

// optional reads an integer column in which NULL, or the column's absence, means "not given".
type optional struct {
	v     []int64
	cst   bool
	nulls nullMap
	set   bool
}

func newOptional(c column.Column) optional {
	v, nulls := splitNull(c)
	o := optional{nulls: nulls, set: v.Type().Kind != column.Nothing}
	if o.set {
		o.v, o.cst = nums[int64](v)
	}
	return o
}

func (o *optional) at(i int) (int64, bool) {
	if !o.set || o.nulls.at(i) {
		return 0, false
	}
	return at(o.v, o.cst, i), true
}

func bindPush(name string, back bool) func(env *Env, args []Arg) (*Bound, error) {
	return func(_ *Env, args []Arg) (*Bound, error) {
		a := args[0].Type
		if a.Base().Kind == column.Nothing && a.IsNullable() {
			return pick(a, 0)
		}
		if a.Kind != column.Array {
			return nil, errcode.New(errcode.IllegalTypeOfArgument, "First argument for function %s must be an array but it has type %s.", name, a)
		}
		elem := args[1].Type
		if a.Elems[0].Kind != column.Nothing {
			var err error
			if elem, err = commonType(a.Elems[0], args[1].Type); err != nil {
				return nil, err
			}
		}
		t := column.NewArray(elem)
		casts := make([]castFn, 2)
		var err error
		if casts[0], err = castKernel(a, t); err != nil {
			return nil, err
		}
		if casts[1], err = castKernel(args[1].Type, elem); err != nil {
			return nil, err
		}
		return result(t, func(call *Call) (column.Column, error) {
			cols, err := castAll(casts, call.Args, call.Rows)
			if err != nil {
				return nil, err
			}
			one := &column.Arr{T: t, Ends: evenEnds(1, call.Rows), Elem: column.Full(cols[1])}
			if back {
				return concatArrays(t, []column.Column{cols[0], one}, call.Rows), nil
			}
			return concatArrays(t, []column.Column{one, cols[0]}, call.Rows), nil
		})
	}
}

func bindResize(_ *Env, args []Arg) (*Bound, error) {
	a := args[0].Type
	if a.Kind != column.Array {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "First argument for function arrayResize must be an array but it has type %s.", a)
	}
	if b := args[1].Type.Base(); !b.IsInteger() && b.Kind != column.Nothing {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "Argument 1 for function arrayResize must be integer but it has type %s.", args[1].Type)
	}
	elem := a.Elems[0]
	fill := args[len(args)-1].Type
	if len(args) == 3 {
		var err error
		if elem.Kind == column.Nothing {
			elem = fill
		} else if elem, err = commonType(elem, fill); err != nil {
			return nil, err
		}
	}
	t := column.NewArray(elem)
	castA, err := castKernel(a, t)
	if err != nil {
		return nil, err
	}
	var castF castFn
	if len(args) == 3 {
		if castF, err = castKernel(fill, elem); err != nil {
			return nil, err
		}
	}
	return result(t, func(call *Call) (column.Column, error) {
		c, err := castA(call.Args[0], call.Rows)
		if err != nil {
			return nil, err
		}
		arr := newArrs(c)
		all := column.New(elem, arr.elem.Len()+1)
		all.AppendRange(arr.elem, 0, arr.elem.Len())
		fillAt, fillStep := all.Len(), 0
		if castF == nil {
			all.AppendDefault(1)
		} else {
			f, err := castF(call.Args[2], call.Rows)
			if err != nil {
				return nil, err
			}
			if k, ok := f.(*column.Const); ok {
				all.AppendRange(k.Val, 0, 1)
			} else {
				all.AppendRange(f, 0, call.Rows)
				fillStep = 1
			}
		}
		size := newOptional(call.Args[1])
		width := 4 + column.SizeOf(all)/all.Len()
		p := newPick(call)
		for i := 0; i < call.Rows; i++ {
			from, to := arr.row(i)
			n, _ := size.at(i)
			if n > maxElements || n < -maxElements || len(p.from)+int(max(n, -n)) > maxElements {
				return nil, errcode.New(errcode.TooLargeArraySize, "Too large array size: %d", n)
			}
			k := int(max(n, -n))
			call.Grown((len(p.from) + k) * width)
			pad := max(k-(to-from), 0)
			if n < 0 {
				for j := 0; j < pad; j++ {
					p.add(fillAt + fillStep*i)
				}
				p.span(max(to-k, from), to)
			} else {
				p.span(from, min(from+k, to))
				for j := 0; j < pad; j++ {
					p.add(fillAt + fillStep*i)
				}
			}
			p.end()
		}
		return p.column(t, all), nil
	})
}

func bindFlatten(_ *Env, args []Arg) (*Bound, error) {
	a := args[0].Type
	if a.Kind != column.Array {
		return nil, notArray("arrayFlatten", a)
	}
	t := a
	for t.Elems[0].Kind == column.Array {
		t = t.Elems[0]
	}
	return unary(t, func(c column.Column) column.Column {
		x := c.(*column.Arr)
		ends, elem := x.Offsets(), x.Elem
		for {
			inner, ok := elem.(*column.Arr)
			if !ok {
				return &column.Arr{T: t, Ends: ends, Elem: elem}
			}
			offsets := inner.Offsets()
			next := make([]uint64, len(ends))
			for i, e := range ends {
				if e > 0 {
					next[i] = offsets[e-1]
				}
			}
			ends, elem = next, inner.Elem
		}
	})
}

func bindZip(_ *Env, args []Arg) (*Bound, error) {
	if len(args) == 0 {
		return nil, errcode.New(errcode.NumberOfArgumentsDoesntMatch, "Function arrayZip needs at least one argument; passed 0")
	}
	elems := make([]*column.Type, len(args))
	for i, a := range args {
		if a.Type.Kind != column.Array {
			return nil, errcode.New(errcode.IllegalTypeOfArgument, "Argument %d of function arrayZip must be array. Found %s instead.", i+1, a.Type)
		}
		elems[i] = a.Type.Elems[0]
	}
	tup := column.NewTuple(elems, nil)
	t := column.NewArray(tup)
	return result(t, func(call *Call) (column.Column, error) {
		var ends []uint64
		cols := make([]column.Column, len(call.Args))
		for i, c := range call.Args {
			a := column.Full(c).(*column.Arr)
			if i == 0 {
				ends = a.Offsets()
			} else if k := firstDifference(ends, a.Offsets()); k >= 0 {
				return nil, errcode.New(errcode.SizesOfArraysDontMatch, "The argument 1 and argument %d of function arrayZip have different array sizes", i+1)
			}
			cols[i] = a.Elem
		}
		return &column.Arr{T: t, Ends: ends, Elem: &column.Tup{T: tup, Elems: cols, N: cols[0].Len()}}, nil
	})
}

// firstDifference is the first row in which two lists of offsets differ, -1 where they are equal.
func firstDifference(a, b []uint64) int {
	for i := range a {
		if a[i] != b[i] {
			return i
		}
	}
	return -1
}

func bindEnumerate(_ *Env, args []Arg) (*Bound, error) {
	if args[0].Type.Kind != column.Array {
		return nil, notArray("arrayEnumerate", args[0].Type)
	}
	t := column.NewArray(column.Of(column.UInt32))
	return unary(t, func(c column.Column) column.Column {
		x := c.(*column.Arr)
		ends := x.Offsets()
		var flat []uint32
		prev := uint64(0)
		for _, e := range ends {
			for k := uint64(1); prev < e; prev, k = prev+1, k+1 {
				flat = append(flat, uint32(k))
			}
		}
		return &column.Arr{T: t, Ends: ends, Elem: column.UInt32s(flat...)}
	})
}

func bindRotate(name string, sign int64) func(env *Env, args []Arg) (*Bound, error) {
	return func(_ *Env, args []Arg) (*Bound, error) {
		t := args[0].Type
		if t.Kind != column.Array {
			return nil, notArray(name, t)
		}
		if !args[1].Type.IsInteger() {
			return nil, illegalType(name, args[1].Type)
		}
		return result(t, func(call *Call) (column.Column, error) {
			a := newArrs(call.Args[0])
			n, nc := nums[int64](call.Args[1])
			p := newPick(call)
			for i := 0; i < call.Rows; i++ {
				from, to := a.row(i)
				if size := int64(to - from); size > 0 {
					k := int(((sign*at(n, nc, i))%size + size) % size)
					p.span(from+k, to)
					p.span(from, from+k)
				}
				p.end()
			}
			return p.column(t, a.elem), nil
		})
	}
}

func bindShiftArray(name string, sign int64) func(env *Env, args []Arg) (*Bound, error) {
	return func(_ *Env, args []Arg) (*Bound, error) {
		a := args[0].Type
		if a.Kind != column.Array {
			return nil, notArray(name, a)
		}
		if !args[1].Type.IsInteger() {
			return nil, illegalType(name, args[1].Type)
		}
		elem := a.Elems[0]
		var castF castFn
		if len(args) == 3 {
			var err error
			if elem, err = commonType(elem, args[2].Type); err != nil {
				return nil, err
			}
			if castF, err = castKernel(args[2].Type, elem); err != nil {
				return nil, err
			}
		}
		t := column.NewArray(elem)
		castA, err := castKernel(a, t)
		if err != nil {
			return nil, err
		}
		return result(t, func(call *Call) (column.Column, error) {
			c, err := castA(call.Args[0], call.Rows)
			if err != nil {
				return nil, err
			}
			arr := newArrs(c)
			n, nc := nums[int64](call.Args[1])
			all := column.New(elem, arr.elem.Len()+call.Rows)
			all.AppendRange(arr.elem, 0, arr.elem.Len())
			fill := all.Len()
			if elem.IsEnum() {
				for range call.Rows {
					column.AppendEmptyValue(all)
				}
			} else {
				all.AppendDefault(call.Rows)
			}
			if castF != nil {
				f, err := castF(call.Args[2], call.Rows)
				if err != nil {
					return nil, err
				}
				all.Truncate(fill)
				all.AppendRange(column.Full(f), 0, call.Rows)
			}
			p := newPick(call)
			for i := 0; i < call.Rows; i++ {
				from, to := arr.row(i)
				k := sign * at(n, nc, i)
				for j := from; j < to; j++ {
					if src := int64(j) + k; k > -maxElements && k < maxElements && src >= int64(from) && src < int64(to) {
						p.add(int(src))
					} else {
						p.add(fill + i)
					}
				}
				p.end()
			}
			return p.column(t, all), nil
		})
	}
}
