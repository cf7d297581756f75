package function

import (
	"slices"

	"dictsvc/column"
	"dictsvc/errcode"
)

func arrayLambdaFunctions() []Function {
	higherFn := func(name string, bind func(name string, h *higher) (*Bound, error), needLambda bool) Function {
		low := 1
		if needLambda {
			low = 2
		}
		return Function{Name: name, MinArgs: low, MaxArgs: -1, Flags: OwnNulls, Bind: func(_ *Env, args []Arg) (*Bound, error) {
			h, null, err := bindHigher(name, args, needLambda)
			if err != nil || null != nil {
				return null, err
			}
			return bind(name, h)
		}}
	}
	return []Function{
		higherFn("arrayMap", bindArrayMap, true),
		higherFn("arrayFilter", bindArrayFilter, true),
		higherFn("arrayCount", bindArrayCount, false),
		higherFn("arrayExists", bindArrayTest(false), false),
		higherFn("arrayAll", bindArrayTest(true), false),
		higherFn("arrayFirst", bindArrayFirst(false, false), true),
		higherFn("arrayFirstOrNull", bindArrayFirst(false, true), true),
		higherFn("arrayLast", bindArrayFirst(true, false), true),
		higherFn("arrayLastOrNull", bindArrayFirst(true, true), true),
		higherFn("arrayFirstIndex", bindArrayIndex(false), true),
		higherFn("arrayLastIndex", bindArrayIndex(true), true),
		higherFn("arraySort", bindArraySort(false), false),
		higherFn("arrayReverseSort", bindArraySort(true), false),
		higherFn("arrayFill", bindArrayFill(false), true),
		higherFn("arrayReverseFill", bindArrayFill(true), true),
		higherFn("arraySplit", bindArraySplit(false), true),
		higherFn("arrayReverseSplit", bindArraySplit(true), true),
		higherFn("arraySum", bindArrayReduce(reduceSum), false),
		higherFn("arrayAvg", bindArrayReduce(reduceAvg), false),
		higherFn("arrayMin", bindArrayReduce(reduceMin), false),
		higherFn("arrayMax", bindArrayReduce(reduceMax), false),
		higherFn("arrayProduct", bindArrayReduce(reduceProduct), false),
		higherFn("arrayCumSum", bindArrayCumSum(false), false),
		higherFn("arrayCumSumNonNegative", bindArrayCumSum(true), false),
		higherFn("arrayDifference", bindArrayDifference, false),
		{Name: "arrayPartialSort", MinArgs: 2, MaxArgs: -1, Flags: OwnNulls, Bind: bindPartialSort("arrayPartialSort", false)},
		{Name: "arrayPartialReverseSort", MinArgs: 2, MaxArgs: -1, Flags: OwnNulls, Bind: bindPartialSort("arrayPartialReverseSort", true)},
		{Name: "arrayFold", MinArgs: 3, MaxArgs: -1, Flags: OwnNulls | OwnLowCardinality | OwnConst, Bind: bindArrayFold},
	}
}

// higher is a function over arrays with an optional lambda in front: the lambda's value for each element (or the elements themselves) is the body.
type higher struct {
	name   string
	lambda bool
	arity  int          // of the lambda
	elem   *column.Type // of the first array
	body   *column.Type
}

// bindHigher checks the arguments. The second result is set where the function gives NULL for a NULL array.
func bindHigher(name string, args []Arg, needLambda bool) (*higher, *Bound, error) {
	h := &higher{name: name}
	arrays := args
	if args[0].Lambda != nil {
		h.lambda, arrays = true, args[1:]
		if len(arrays) == 0 {
			return nil, nil, errcode.New(errcode.NumberOfArgumentsDoesntMatch, "Function %s needs at least one array argument.", name)
		}
	} else if needLambda {
		return nil, nil, errcode.New(errcode.IllegalTypeOfArgument, "First argument for function %s must be a function. Actual %s", name, args[0].Type)
	} else if len(args) > 1 {
		return nil, nil, errcode.New(errcode.NumberOfArgumentsDoesntMatch, "Function %s needs one array argument.", name)
	}
	var params []*column.Type
	for i, a := range arrays {
		switch {
		case a.Type.IsNullable() && a.Type.Base().Kind == column.Nothing:
			b, err := result(nullType, func(call *Call) (column.Column, error) { return nullColumn(nullType, call.Rows), nil })
			return nil, b, err
		case a.Type.Kind == column.Map && !h.lambda && (name == "arrayMin" || name == "arrayMax" || name == "arraySum" || name == "arrayAvg" || name == "arrayProduct"):
			return nil, nil, errcode.New(errcode.IllegalTypeOfArgument, "The 1st and only argument for function %s must be array. Found %s instead", name, a.Type)
		case a.Type.Kind == column.Map:
			params = append(params, a.Type.Elems...)
			if i == 0 {
				h.elem = column.NewTuple(a.Type.Elems, []string{"keys", "values"})
			}
			continue
		case a.Type.Kind != column.Array:
			return nil, nil, errcode.New(errcode.IllegalTypeOfArgument, "Argument %d of function %s must be array. Found %s instead", i+1+len(args)-len(arrays), name, a.Type)
		}
		params = append(params, a.Type.Elems[0])
	}
	if h.elem == nil {
		h.elem = params[0]
	}
	h.body = h.elem
	if h.lambda {
		l := args[0].Lambda
		h.arity = l.Arity()
		if l.Arity() != len(params) {
			if len(params) == 1 && params[0].Kind == column.Tuple && len(params[0].Elems) == l.Arity() {
				params = params[0].Elems
			} else {
				return nil, nil, errcode.New(errcode.IllegalTypeOfArgument, "Function %s needs lambda with %d arguments, got %d", name, len(params), l.Arity())
			}
		}
		var err error
		if h.body, err = l.Bind(params); err != nil {
			return nil, nil, err
		}
		h.body = h.body.NoLowCardinality()
	}
	return h, nil, nil
}

// values are the flat columns of one run: the first array's elements, the body, and the offsets.
type values struct {
	elem, body column.Column
	ends       []uint64
}

func (h *higher) run(call *Call) (*values, error) {
	arrays := call.Args
	if h.lambda {
		arrays = arrays[1:]
	}
	v := &values{}
	var params []column.Column
	for i, c := range arrays {
		var a *column.Arr
		switch x := call.full(c).(type) {
		case *column.Arr:
			a = x
			params = append(params, x.Elem)
		case *column.MapColumn:
			a = x.Arr
			params = append(params, x.Keys(), x.Values())
		}
		if i == 0 {
			v.ends, v.elem = a.Offsets(), a.Elem
			continue
		}
		if k := firstDifference(v.ends, a.Offsets()); k >= 0 {
			return nil, errcode.New(errcode.SizesOfArraysDontMatch, "Arrays passed to %s must have equal size. Argument %d has size %d which differs with the size of another argument, %d",
				h.name, i+1+len(call.Args)-len(arrays), spanAt(a.Offsets(), k), spanAt(v.ends, k))
		}
	}
	v.body = v.elem
	if !h.lambda {
		return v, nil
	}
	if t, ok := v.elem.(*column.Tup); ok && len(params) == 1 && h.arity != 1 {
		params = t.Elems // (x, y) -> ... over an array of pairs
	}
	var err error
	v.body, err = call.Lambdas[0](v.ends, params...)
	if err == nil {
		v.body = column.Plain(v.body)
	}
	return v, err
}

func spanAt(ends []uint64, i int) uint64 {
	if i == 0 {
		return ends[0]
	}
	return ends[i] - ends[i-1]
}

// rows calls f with the range of each array.
func (v *values) rows(f func(row, from, to int)) {
	from := 0
	for i, e := range v.ends {
		f(i, from, int(e))
		from = int(e)
	}
}

// check makes sure that the body is a condition.
func (h *higher) check() error {
	b := h.body.NoLowCardinality().NoNull()
	if b.Kind == column.UInt8 || b.Kind == column.Bool || b.Kind == column.Nothing && h.lambda {
		return nil
	}
	if !h.lambda {
		return errcode.New(errcode.IllegalTypeOfArgument, "The 1st and only argument for function %s must be array of UInt8. Found Array(%s) instead", h.name, h.elem)
	}
	return errcode.New(errcode.IllegalTypeOfArgument, "Expression for function %s must return UInt8 or Nullable(UInt8), found %s", h.name, h.body)
}

func bindArrayMap(_ string, h *higher) (*Bound, error) {
	t := column.NewArray(h.body)
	return result(t, func(call *Call) (column.Column, error) {
		v, err := h.run(call)
		if err != nil {
			return nil, err
		}
		return &column.Arr{T: t, Ends: v.ends, Elem: v.body}, nil
	})
}

func bindArrayFilter(_ string, h *higher) (*Bound, error) {
	if err := h.check(); err != nil {
		return nil, err
	}
	t := column.NewArray(h.elem)
	return result(t, func(call *Call) (column.Column, error) {
		v, err := h.run(call)
		if err != nil {
			return nil, err
		}
		keep := truth(v.body, v.body.Len())
		p := newPick(call)
		v.rows(func(_, from, to int) {
			for ; from < to; from++ {
				if keep[from] == triTrue {
					p.add(from)
				}
			}
			p.end()
		})
		return p.column(t, v.elem), nil
	})
}

func bindArrayCount(_ string, h *higher) (*Bound, error) {
	if err := h.check(); err != nil {
		return nil, err
	}
	t := column.Of(column.UInt32)
	return result(t, func(call *Call) (column.Column, error) {
		v, err := h.run(call)
		if err != nil {
			return nil, err
		}
		keep := truth(v.body, v.body.Len())
		out := make([]uint32, call.Rows)
		v.rows(func(row, from, to int) {
			for ; from < to; from++ {
				out[row] += uint32(keep[from] & 1)
			}
		})
		return column.NewNum(t, out), nil
	})
}

// bindArrayTest binds arrayAll (all) and arrayExists.
func bindArrayTest(all bool) func(string, *higher) (*Bound, error) {
	return func(_ string, h *higher) (*Bound, error) {
		if err := h.check(); err != nil {
			return nil, err
		}
		return result(uint8Type, func(call *Call) (column.Column, error) {
			v, err := h.run(call)
			if err != nil {
				return nil, err
			}
			keep := truth(v.body, v.body.Len())
			out := make([]uint8, call.Rows)
			v.rows(func(row, from, to int) {
				r := all
				for ; from < to && r == all; from++ {
					r = keep[from] == triTrue
				}
				out[row] = bit(r)
			})
			return column.NewNum(uint8Type, out), nil
		})
	}
}

// findRow is the place of the first (or last) element that holds, -1 for none.
func findRow(keep tri, from, to int, last bool) int {
	if last {
		for i := to - 1; i >= from; i-- {
			if keep[i] == triTrue {
				return i
			}
		}
		return -1
	}
	for i := from; i < to; i++ {
		if keep[i] == triTrue {
			return i
		}
	}
	return -1
}

func bindArrayFirst(last, orNull bool) func(string, *higher) (*Bound, error) {
	return func(_ string, h *higher) (*Bound, error) {
		if err := h.check(); err != nil {
			return nil, err
		}
		t := h.elem
		if orNull && canBeNullable(t) {
			t = column.NewNullable(t)
		}
		return result(t, func(call *Call) (column.Column, error) {
			v, err := h.run(call)
			if err != nil {
				return nil, err
			}
			keep := truth(v.body, v.body.Len())
			padded := column.New(t, v.elem.Len()+1)
			padded.AppendRange(v.elem, 0, v.elem.Len())
			padded.AppendDefault(1)
			rows := make([]uint32, call.Rows)
			v.rows(func(row, from, to int) {
				k := findRow(keep, from, to, last)
				if k < 0 {
					k = v.elem.Len()
				}
				rows[row] = uint32(k)
			})
			return padded.Gather(rows), nil
		})
	}
}

func bindArrayIndex(last bool) func(string, *higher) (*Bound, error) {
	return func(_ string, h *higher) (*Bound, error) {
		if err := h.check(); err != nil {
			return nil, err
		}
		t := column.Of(column.UInt32)
		return result(t, func(call *Call) (column.Column, error) {
			v, err := h.run(call)
			if err != nil {
				return nil, err
			}
			keep := truth(v.body, v.body.Len())
			out := make([]uint32, call.Rows)
			v.rows(func(row, from, to int) {
				if k := findRow(keep, from, to, last); k >= 0 {
					out[row] = uint32(k - from + 1)
				}
			})
			return column.NewNum(t, out), nil
		})
	}
}

// sortElems orders the places from..to of the elements by their bodies; NaN and NULL stand last in either direction.
func sortElems(call *Call, order []uint32, body column.Column, reverse bool) {
	const step = 1 << 12 // comparisons between two looks at whether the query goes on
	compared := 0
	count := func() {
		if compared++; compared == step {
			call.Work(step * 32)
			compared = 0
		}
	}
	if reverse {
		slices.SortStableFunc(order, func(a, b uint32) int { count(); return body.Compare(int(b), body, int(a), -1) })
	} else {
		slices.SortStableFunc(order, func(a, b uint32) int { count(); return body.Compare(int(a), body, int(b), 1) })
	}
	call.Work(compared * 32)
}

func (v *values) sorted(call *Call, t *column.Type, reverse bool) column.Column {
	call.Hold(4*v.elem.Len() + column.SizeOf(v.elem))
	order := make([]uint32, v.elem.Len())
	for i := range order {
		order[i] = uint32(i)
	}
	v.rows(func(_, from, to int) { sortElems(call, order[from:to], v.body, reverse) })
	return &column.Arr{T: t, Ends: v.ends, Elem: v.elem.Gather(order)}
}

func bindArraySort(reverse bool) func(string, *higher) (*Bound, error) {
	return func(_ string, h *higher) (*Bound, error) {
		t := column.NewArray(h.elem)
		return result(t, func(call *Call) (column.Column, error) {
			v, err := h.run(call)
			if err != nil {
				return nil, err
			}
			return v.sorted(call, t, reverse), nil
		})
	}
}

// bindPartialSort sorts whole arrays, which is one of the orders that a partial sort may give: the first elements are in order.
func bindPartialSort(name string, reverse bool) func(env *Env, args []Arg) (*Bound, error) {
	return func(_ *Env, args []Arg) (*Bound, error) {
		limit := 0
		if args[0].Lambda != nil {
			limit = 1
		}
		if limit >= len(args) || !args[limit].Type.IsInteger() {
			return nil, errcode.New(errcode.IllegalTypeOfArgument, "Argument %d of function %s must be integer (the number of elements to sort)", limit+1, name)
		}
		without := append(slices.Clone(args[:limit]), args[limit+1:]...)
		h, null, err := bindHigher(name, without, false)
		if err != nil || null != nil {
			return null, err
		}
		t := column.NewArray(h.elem)
		return result(t, func(call *Call) (column.Column, error) {
			c := *call
			c.Args = append(slices.Clone(call.Args[:limit]), call.Args[limit+1:]...)
			v, err := h.run(&c)
			if err != nil {
				return nil, err
			}
			return v.sorted(call, t, reverse), nil
		})
	}
}

// bindArrayFill replaces elements whose condition does not hold by the one before (or behind).
func bindArrayFill(reverse bool) func(string, *higher) (*Bound, error) {
	return func(_ string, h *higher) (*Bound, error) {
		if err := h.check(); err != nil {
			return nil, err
		}
		t := column.NewArray(h.elem)
		return result(t, func(call *Call) (column.Column, error) {
			v, err := h.run(call)
			if err != nil {
				return nil, err
			}
			keep := truth(v.body, v.body.Len())
			from := make([]uint32, v.elem.Len())
			v.rows(func(_, a, b int) {
				for k := 0; k < b-a; k++ {
					i, prev := a+k, a+k-1
					if reverse {
						i = b - 1 - k
						prev = i + 1
					}
					if from[i] = uint32(i); k > 0 && keep[i] != triTrue {
						from[i] = from[prev]
					}
				}
			})
			return &column.Arr{T: t, Ends: v.ends, Elem: v.elem.Gather(from)}, nil
		})
	}
}

// bindArraySplit cuts arrays before (or behind) the elements whose condition holds.
func bindArraySplit(behind bool) func(string, *higher) (*Bound, error) {
	return func(_ string, h *higher) (*Bound, error) {
		if err := h.check(); err != nil {
			return nil, err
		}
		inner := column.NewArray(h.elem)
		t := column.NewArray(inner)
		return result(t, func(call *Call) (column.Column, error) {
			v, err := h.run(call)
			if err != nil {
				return nil, err
			}
			cut := truth(v.body, v.body.Len())
			var parts []uint64
			ends := make([]uint64, 0, call.Rows)
			v.rows(func(_, from, to int) {
				for i := from; i < to; i++ {
					if behind && i+1 < to && cut[i] == triTrue || !behind && i > from && cut[i] == triTrue {
						if behind {
							parts = append(parts, uint64(i+1))
						} else {
							parts = append(parts, uint64(i))
						}
					}
				}
				if from < to {
					parts = append(parts, uint64(to))
				}
				ends = append(ends, uint64(len(parts)))
			})
			return &column.Arr{T: t, Ends: ends, Elem: &column.Arr{T: inner, Ends: parts, Elem: v.elem}}, nil
		})
	}
}

// bindArrayFold folds from the left: element k of every array at once, over the rows that have one.
func bindArrayFold(_ *Env, args []Arg) (*Bound, error) {
	if args[0].Lambda == nil {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "First argument for function arrayFold must be a function. Actual %s", args[0].Type)
	}
	last := len(args) - 1
	acc := args[last].Type
	params := []*column.Type{acc}
	for i, a := range args[1:last] {
		if a.Type.Kind != column.Array {
			return nil, errcode.New(errcode.IllegalTypeOfArgument, "Argument %d of function arrayFold must be of type Array, found %s instead", i+2, a.Type)
		}
		params = append(params, a.Type.Elems[0])
	}
	if args[0].Lambda.Arity() != len(params) {
		return nil, errcode.New(errcode.NumberOfArgumentsDoesntMatch, "Function arrayFold needs lambda with %d arguments, got %d", len(params), args[0].Lambda.Arity())
	}
	body, err := args[0].Lambda.Bind(params)
	if err != nil {
		return nil, err
	}
	if !body.Equal(acc) {
		return nil, errcode.New(errcode.TypeMismatch, "Return type of lambda function must be the same as the accumulator type, inferred return type of lambda: %s, inferred type of accumulator: %s", body, acc)
	}
	return result(acc, func(call *Call) (column.Column, error) {
		var ends []uint64
		elems := make([]column.Column, last-1)
		for i := range elems {
			a := call.full(call.Args[i+1]).(*column.Arr)
			elems[i] = a.Elem
			if i == 0 {
				ends = a.Offsets()
			} else if firstDifference(ends, a.Offsets()) >= 0 {
				return nil, errcode.New(errcode.SizesOfArraysDontMatch, "Arrays passed to function arrayFold must have equal size")
			}
		}
		return foldRows(call, call.full(call.Args[last]), elems, ends)
	})
}

func foldRows(call *Call, acc column.Column, elems []column.Column, ends []uint64) (column.Column, error) {
	// state holds every accumulator value made so far; at tells where each row's current one is.
	state := acc.New(acc.Len())
	state.AppendRange(acc, 0, acc.Len())
	at := make([]uint32, call.Rows)
	for i := range at {
		at[i] = uint32(i)
	}
	for k := uint64(0); ; k++ {
		call.Work(8 * call.Rows)
		var rows, places []uint32
		offsets := make([]uint64, call.Rows)
		from := uint64(0)
		for i, e := range ends {
			if from+k < e {
				rows = append(rows, at[i])
				places = append(places, uint32(from+k))
			}
			offsets[i] = uint64(len(rows))
			from = e
		}
		if len(rows) == 0 {
			return state.Gather(at), nil
		}
		params := []column.Column{state.Gather(rows)}
		for _, e := range elems {
			params = append(params, e.Gather(places))
		}
		next, err := call.Lambdas[0](offsets, params...)
		if err != nil {
			return nil, err
		}
		// Only rows that are done keep their old value; the rest start the new state.
		fresh := acc.New(call.Rows)
		n := uint32(0)
		done := make([]uint32, 0, call.Rows)
		prev := uint64(0)
		next = column.Full(next)
		fresh.AppendRange(next, 0, next.Len())
		base := uint32(next.Len())
		for i, o := range offsets {
			if o > prev {
				at[i] = n
				n++
			} else {
				done = append(done, at[i])
				at[i] = base + uint32(len(done)-1)
			}
			prev = o
		}
		if len(done) > 0 {
			fresh.AppendRange(state.Gather(done), 0, len(done))
		}
		state = fresh
	}
}
