package function

import (
	"dictsvc/column"
	"dictsvc/errcode"
)

func mapFunctions() []Function {
	const own = OwnNulls | OwnLowCardinality
	return []Function{
		{Name: "mapKeys", MinArgs: 1, MaxArgs: 1, Flags: OwnNulls, Bind: bindMapPart("mapKeys", 0)},
		{Name: "mapValues", MinArgs: 1, MaxArgs: 1, Flags: OwnNulls, Bind: bindMapPart("mapValues", 1)},
		{Name: "mapContainsKey", MinArgs: 2, MaxArgs: 2, Flags: OwnNulls, Bind: bindMapContains},
		{Name: "mapContainsValue", MinArgs: 2, MaxArgs: 2, Flags: OwnNulls, Bind: bindMapContainsValue},
		{Name: "mapFromArrays", MinArgs: 2, MaxArgs: 2, Flags: own, Bind: bindMapFromArrays},
		{Name: "mapConcat", MinArgs: 1, MaxArgs: -1, Bind: bindMapMerge("mapConcat", false)},
		{Name: "mapUpdate", MinArgs: 2, MaxArgs: 2, Bind: bindMapMerge("mapUpdate", true)},
		{Name: "mapFilter", MinArgs: 2, MaxArgs: 2, Flags: OwnNulls, Bind: bindMapLambda("mapFilter")},
		{Name: "mapApply", MinArgs: 2, MaxArgs: 2, Flags: OwnNulls, Bind: bindMapLambda("mapApply")},
		{Name: "mapExists", MinArgs: 2, MaxArgs: 2, Flags: OwnNulls, Bind: bindMapLambda("mapExists")},
		{Name: "mapAll", MinArgs: 2, MaxArgs: 2, Flags: OwnNulls, Bind: bindMapLambda("mapAll")},
		{Name: "mapSort", MinArgs: 1, MaxArgs: 1, Flags: OwnLowCardinality, Bind: bindMapSort("mapSort", false)},
		{Name: "mapReverseSort", MinArgs: 1, MaxArgs: 1, Flags: OwnLowCardinality, Bind: bindMapSort("mapReverseSort", true)},
	}
}

func notMap(name string, t *column.Type) error {
	return errcode.New(errcode.IllegalTypeOfArgument, "First argument for function %s must be a map, got %s", name, t)
}

func bindMapPart(name string, part int) func(env *Env, args []Arg) (*Bound, error) {
	return func(_ *Env, args []Arg) (*Bound, error) {
		m := args[0].Type
		if m.Kind != column.Map {
			return nil, notMap(name, m)
		}
		t := column.NewArray(m.Elems[part])
		return unary(t, func(c column.Column) column.Column {
			x := c.(*column.MapColumn)
			return &column.Arr{T: t, Ends: x.Arr.Ends, Start: x.Arr.Start, Elem: x.Arr.Elem.(*column.Tup).Elems[part]}
		})
	}
}

func bindMapContainsValue(_ *Env, args []Arg) (*Bound, error) {
	m := args[0].Type
	if m.Kind != column.Map {
		return nil, notMap("mapContainsValue", m)
	}
	values := column.NewArray(m.Elems[1])
	find, err := bindSearch("mapContainsValue", values, args[1], args[0].Const != nil)
	if err != nil {
		return nil, err
	}
	return result(uint8Type, func(call *Call) (column.Column, error) {
		out := make([]uint8, call.Rows)
		c := call.full(call.Args[0]).(*column.MapColumn)
		arr := &column.Arr{T: values, Ends: c.Arr.Ends, Elem: c.Values(), Start: c.Arr.Start}
		err := find(arr, call.Args[1], call.Rows, func(row, _ int) bool { out[row] = 1; return false })
		return column.NewNum(uint8Type, out), err
	})
}

func bindMapFromArrays(_ *Env, args []Arg) (*Bound, error) {
	for i, a := range args {
		if a.Type.Kind != column.Array {
			return nil, errcode.New(errcode.IllegalTypeOfArgument, "Argument %d for function mapFromArrays must be array, got %s", i+1, a.Type)
		}
	}
	k := args[0].Type.Elems[0]
	if k.IsNullable() || k.IsFloat() {
		return nil, errcode.New(errcode.BadArguments, "Map cannot have a key of type %s", k)
	}
	t := column.NewMap(k, args[1].Type.Elems[0])
	return result(t, func(call *Call) (column.Column, error) {
		a := call.full(call.Args[0]).(*column.Arr)
		b := call.full(call.Args[1]).(*column.Arr)
		if firstDifference(a.Offsets(), b.Offsets()) >= 0 {
			return nil, errcode.New(errcode.SizesOfArraysDontMatch, "Two arguments of function mapFromArrays must have equal sizes")
		}
		return makeMap(t, a.Elem, b.Elem, a.Offsets()), nil
	})
}

// sameButZone tells whether types are equal when the time zones of DateTime do not count.
func sameButZone(a, b *column.Type) bool {
	if a.Equal(b) {
		return true
	}
	if a.Kind != b.Kind || len(a.Elems) != len(b.Elems) {
		return false
	}
	for i := range a.Elems {
		if !sameButZone(a.Elems[i], b.Elems[i]) {
			return false
		}
	}
	return len(a.Elems) > 0 || a.Kind == column.DateTime || a.Kind == column.DateTime64 && a.Scale == b.Scale
}

// bindMapMerge joins maps; with update a later entry replaces an earlier one of the same key in its place.
func bindMapMerge(name string, update bool) func(env *Env, args []Arg) (*Bound, error) {
	return func(_ *Env, args []Arg) (*Bound, error) {
		for _, a := range args {
			if a.Type.Kind != column.Map {
				return nil, notMap(name, a.Type)
			}
		}
		types := argTypes(args)
		if update && !sameButZone(types[0], types[1]) {
			return nil, errcode.New(errcode.IllegalTypeOfArgument, "The Key And Value type of Map for function %s must be the same", name)
		}
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
			parts := make([]column.Column, len(cols))
			for i, c := range cols {
				parts[i] = call.full(c).(*column.MapColumn).Arr
			}
			arr := concatArrays(parts[0].Type(), parts, call.Rows).(*column.Arr)
			if update {
				arr = lastWins(call, arr)
			}
			return &column.MapColumn{T: t, Arr: arr}, nil
		})
	}
}

func lastWins(call *Call, arr *column.Arr) *column.Arr {
	keys := arr.Elem.(*column.Tup).Elems[0]
	p := newPick(call)
	for i := 0; i < call.Rows; i++ {
		from, to := arr.Range(i)
		place := map[string]int{}
		for ; from < to; from++ {
			key := string(keys.AppendKey(nil, from))
			if k, ok := place[key]; ok {
				p.from[k] = uint32(from)
			} else {
				place[key] = len(p.from)
				p.add(from)
			}
		}
		p.end()
	}
	return p.column(arr.T, arr.Elem).(*column.Arr)
}

func bindMapLambda(name string) func(env *Env, args []Arg) (*Bound, error) {
	return func(_ *Env, args []Arg) (*Bound, error) {
		if args[0].Lambda == nil || args[1].Type.Kind != column.Map {
			return nil, errcode.New(errcode.IllegalTypeOfArgument, "Function %s needs a lambda and a map, got %s", name, args[1].Type)
		}
		h, null, err := bindHigher(name, args, true)
		if err != nil || null != nil {
			return null, err
		}
		switch name {
		case "mapExists":
			return bindArrayTest(false)(name, h)
		case "mapAll":
			return bindArrayTest(true)(name, h)
		case "mapApply":
			b := h.body
			if b.Kind != column.Tuple || len(b.Elems) != 2 {
				return nil, errcode.New(errcode.IllegalTypeOfArgument, "Expression for function mapApply must return a tuple of two elements, found %s", b)
			}
			t := column.NewMap(b.Elems[0], b.Elems[1])
			return result(t, func(call *Call) (column.Column, error) {
				v, err := h.run(call)
				if err != nil {
					return nil, err
				}
				tup := v.body.(*column.Tup)
				return makeMap(t, tup.Elems[0], tup.Elems[1], v.ends), nil
			})
		}
		filter, err := bindArrayFilter(name, h)
		if err != nil {
			return nil, err
		}
		t := args[1].Type
		return result(t, func(call *Call) (column.Column, error) {
			res, err := filter.Exec(call)
			if err != nil {
				return nil, err
			}
			arr := res.(*column.Arr)
			tup := arr.Elem.(*column.Tup)
			return makeMap(t, tup.Elems[0], tup.Elems[1], arr.Ends), nil
		})
	}
}

func bindMapSort(name string, reverse bool) func(env *Env, args []Arg) (*Bound, error) {
	return func(_ *Env, args []Arg) (*Bound, error) {
		t := args[0].Type
		if t.Kind != column.Map {
			return nil, notMap(name, t)
		}
		return result(t, func(call *Call) (column.Column, error) {
			x := call.full(call.Args[0]).(*column.MapColumn)
			v := &values{elem: x.Arr.Elem, body: x.Keys(), ends: x.Arr.Offsets()}
			return &column.MapColumn{T: t, Arr: v.sorted(call, x.Arr.T, reverse).(*column.Arr)}, nil
		})
	}
}
