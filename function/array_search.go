package function

import (
	"bytes"

	"dictsvc/column"
	"dictsvc/errcode"
)

func arraySearchFunctions() []Function {
	return []Function{
		{Name: "has", MinArgs: 2, MaxArgs: 2, Flags: OwnNulls | PlainResult, Bind: bindHas},
		{Name: "indexOf", MinArgs: 2, MaxArgs: 2, Flags: OwnNulls | PlainResult, Bind: bindIndexOf},
		{Name: "countEqual", MinArgs: 2, MaxArgs: 2, Flags: OwnNulls | PlainResult, Bind: bindCountEqual},
		{Name: "arrayRemove", MinArgs: 2, MaxArgs: 2, Flags: OwnNulls, Bind: bindArrayRemove},
		{Name: "hasAll", MinArgs: 2, MaxArgs: 2, Bind: bindHasSet("hasAll")},
		{Name: "hasAny", MinArgs: 2, MaxArgs: 2, Bind: bindHasSet("hasAny")},
		{Name: "hasSubstr", MinArgs: 2, MaxArgs: 2, Bind: bindHasSet("hasSubstr")},
		{Name: "arrayDistinct", MinArgs: 1, MaxArgs: 1, Bind: bindArrayDistinct},
		{Name: "arrayUniq", MinArgs: 1, MaxArgs: -1, Bind: bindArrayUniq},
		{Name: "arrayEnumerateUniq", MinArgs: 1, MaxArgs: -1, Bind: bindEnumerateUniq("arrayEnumerateUniq", false)},
		{Name: "arrayEnumerateDense", MinArgs: 1, MaxArgs: -1, Bind: bindEnumerateUniq("arrayEnumerateDense", true)},
		{Name: "arrayIntersect", MinArgs: 1, MaxArgs: -1, Bind: bindArraySets("arrayIntersect")},
		{Name: "arrayUnion", MinArgs: 1, MaxArgs: -1, Bind: bindArraySets("arrayUnion")},
		{Name: "arrayExcept", MinArgs: 2, MaxArgs: 2, Bind: bindArraySets("arrayExcept")},
		{Name: "arraySymmetricDifference", MinArgs: 1, MaxArgs: -1, Bind: bindArraySets("arraySymmetricDifference")},
		{Name: "arrayJaccardIndex", MinArgs: 2, MaxArgs: 2, Bind: bindJaccard},
	}
}

// search calls hit with each row and the place (in the flat elements) of an element equal to the row's value; hit returns whether to go on with the row.
type search func(arrays, value column.Column, rows int, hit func(row, place int) bool) error

// bindSearch looks for a value in arrays, both brought to their common type. NULL equals NULL.
func bindSearch(name string, array *column.Type, value Arg, constant bool) (search, error) {
	if array.Kind != column.Array {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "First argument for function %s must be an array.", name)
	}
	elem, val := array.Elems[0], value.Type
	if elem.Kind == column.Nothing || val.Base().Kind == column.Nothing && !elem.IsNullable() {
		return func(column.Column, column.Column, int, func(int, int) bool) error { return nil }, nil
	}
	if val.IsString() && elem.IsEnum() || elem.IsString() && val.IsEnum() {
		val, elem = column.Of(column.String), column.Of(column.String)
	}
	if constant && len(elem.Elems) > 0 && elem.Kind != column.Nullable && elem.Kind != column.LowCardinality && unlike(elem, val) {
		return func(column.Column, column.Column, int, func(int, int) bool) error { return nil }, nil
	}
	t, err := commonType(elem, val)
	if err != nil {
		x, xok := compareClass(elem.NoNull())
		y, yok := compareClass(val.NoNull())
		if !xok || !yok || x.float || y.float || !elem.IsInteger() || !val.IsInteger() || x.size > 8 || y.size > 8 {
			return nil, err
		}
		t = column.Of(column.Int256) // UInt64 with a signed type: compare exactly
		if elem.IsNullable() || val.IsNullable() {
			t = column.NewNullable(t)
		}
	}
	castE, err := castKernel(array.Elems[0], t)
	if err != nil {
		return nil, err
	}
	castV, err := castKernel(value.Type, t)
	if err != nil {
		return nil, err
	}
	return func(arrays, v column.Column, rows int, hit func(row, place int) bool) error {
		a := newArrs(arrays)
		e, err := castE(a.elem, a.elem.Len())
		if err != nil {
			return err
		}
		if v, err = castV(v, rows); err != nil {
			return err
		}
		searchRows(&a, column.Full(e), v, rows, hit)
		return nil
	}, nil
}

// unlike tells whether values of two types differ for a search in constants, where tuples, arrays and maps are compared with the sorts of their numbers:
// unsigned, signed, float or decimal.
func unlike(a, b *column.Type) bool {
	a, b = a.Base(), b.Base()
	if len(a.Elems) != len(b.Elems) {
		return false
	}
	for i := range a.Elems {
		if unlike(a.Elems[i], b.Elems[i]) {
			return true
		}
	}
	sort := func(t *column.Type) int {
		switch {
		case t.Kind == column.Date || t.Kind == column.DateTime || t.IsUnsigned():
			return 1
		case t.Kind == column.Date32 || t.IsInteger():
			return 2
		case t.IsFloat():
			return 3
		case t.IsDecimal() || t.Kind == column.DateTime64:
			return 4
		}
		return 0
	}
	return sort(a) != sort(b) && sort(a) != 0 && sort(b) != 0
}

func searchRows(a *arrs, e, v column.Column, rows int, hit func(row, place int) bool) {
	k, isConst := v.(*column.Const)
	if isConst {
		v = k.Val
	}
	switch x := e.(type) {
	case *column.Num[uint8]:
		searchNums(a, x.Data, v.(*column.Num[uint8]).Data, isConst, rows, hit)
	case *column.Num[uint16]:
		searchNums(a, x.Data, v.(*column.Num[uint16]).Data, isConst, rows, hit)
	case *column.Num[uint32]:
		searchNums(a, x.Data, v.(*column.Num[uint32]).Data, isConst, rows, hit)
	case *column.Num[uint64]:
		searchNums(a, x.Data, v.(*column.Num[uint64]).Data, isConst, rows, hit)
	case *column.Num[int32]:
		searchNums(a, x.Data, v.(*column.Num[int32]).Data, isConst, rows, hit)
	case *column.Num[int64]:
		searchNums(a, x.Data, v.(*column.Num[int64]).Data, isConst, rows, hit)
	case *column.Num[float64]:
		searchNums(a, x.Data, v.(*column.Num[float64]).Data, isConst, rows, hit)
	default:
		for i := 0; i < rows; i++ {
			row := i
			if isConst {
				row = 0
			}
			for from, to := a.row(i); from < to; from++ {
				if column.Compare(e, from, v, row, 1) == 0 && !hit(i, from) {
					break
				}
			}
		}
	}
}

func searchNums[T column.Number](a *arrs, e, v []T, isConst bool, rows int, hit func(row, place int) bool) {
	for i := 0; i < rows; i++ {
		want := at(v, isConst, i)
		from, to := a.row(i)
		for k, x := range e[from:to] {
			if x == want && !hit(i, from+k) {
				break
			}
		}
	}
}

func bindHas(env *Env, args []Arg) (*Bound, error) {
	t := args[0].Type
	if t.Base().Kind == column.Nothing && t.IsNullable() {
		return result(nullType, func(call *Call) (column.Column, error) { return nullColumn(nullType, call.Rows), nil })
	}
	if t.Kind == column.Map {
		return bindMapContains(env, args)
	}
	find, err := bindSearch("has", t, args[1], args[0].Const != nil)
	if err != nil {
		return nil, err
	}
	word, err := constElement(t, args[1])
	if err != nil {
		return nil, err
	}
	return result(uint8Type, func(call *Call) (column.Column, error) {
		out := make([]uint8, call.Rows)
		if word != nil && hasWord(call, word, out) {
			return column.NewNum(uint8Type, out), nil
		}
		err := find(call.Args[0], call.Args[1], call.Rows, func(row, _ int) bool { out[row] = 1; return false })
		return column.NewNum(uint8Type, out), err
	})
}

// constElement is a constant as an element of arrays of type t, where the two are compared as elements; nil elsewhere.
func constElement(t *column.Type, value Arg) (column.Column, error) {
	if value.Const == nil || t.Kind != column.Array {
		return nil, nil
	}
	elem := t.Elems[0]
	if common, err := commonType(elem, value.Type); err != nil || !common.Equal(elem) {
		return nil, nil
	}
	cast, err := castKernel(value.Type, elem)
	if err != nil {
		return nil, err
	}
	c, err := cast(column.NewConst(unconst(value.Const), 1), 1)
	if err != nil {
		return nil, err
	}
	return column.Full(c), nil
}

// hasWord marks the arrays that hold a word, for the types where that goes over all elements at once.
func hasWord(call *Call, word column.Column, out []uint8) bool {
	a, ok := call.Args[0].(*column.Arr)
	if !ok || call.Rows == 0 {
		return false
	}
	_, to := a.Range(call.Rows - 1)
	marks := column.Make[uint8](call.Scratch, to)
	switch x := a.Elem.(type) {
	case *column.Num[uint8]:
		eqLoop(marks, x.Data, word.(*column.Num[uint8]).Data, false, true)
	case *column.Num[uint16]:
		eqLoop(marks, x.Data, word.(*column.Num[uint16]).Data, false, true)
	case *column.Num[uint32]:
		eqLoop(marks, x.Data, word.(*column.Num[uint32]).Data, false, true)
	case *column.Num[uint64]:
		eqLoop(marks, x.Data, word.(*column.Num[uint64]).Data, false, true)
	case *column.Num[int32]:
		eqLoop(marks, x.Data, word.(*column.Num[int32]).Data, false, true)
	case *column.Num[int64]:
		eqLoop(marks, x.Data, word.(*column.Num[int64]).Data, false, true)
	default:
		return false
	}
	for row, at := 0, 0; ; {
		k := bytes.IndexByte(marks[at:], 1)
		if k < 0 {
			return true
		}
		at += k
		end := 0
		for _, end = a.Range(row); end <= at; _, end = a.Range(row) {
			row++
		}
		out[row] = 1
		at = end
	}
}

func bindMapContains(_ *Env, args []Arg) (*Bound, error) {
	m := args[0].Type
	if m.Kind != column.Map {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "First argument for function mapContainsKey must be a map, got %s", m)
	}
	keys := column.NewArray(m.Elems[0])
	find, err := bindSearch("mapContains", keys, args[1], args[0].Const != nil)
	if err != nil {
		return nil, err
	}
	return result(uint8Type, func(call *Call) (column.Column, error) {
		out := make([]uint8, call.Rows)
		c := call.full(call.Args[0]).(*column.MapColumn)
		arr := &column.Arr{T: keys, Ends: c.Arr.Ends, Elem: c.Keys(), Start: c.Arr.Start}
		err := find(arr, call.Args[1], call.Rows, func(row, _ int) bool { out[row] = 1; return false })
		return column.NewNum(uint8Type, out), err
	})
}

func bindIndexOf(_ *Env, args []Arg) (*Bound, error) {
	find, err := bindSearch("indexOf", args[0].Type, args[1], args[0].Const != nil)
	if err != nil {
		return nil, err
	}
	t := column.Of(column.UInt64)
	return result(t, func(call *Call) (column.Column, error) {
		out := make([]uint64, call.Rows)
		a := newArrs(call.Args[0])
		err := find(call.Args[0], call.Args[1], call.Rows, func(row, place int) bool {
			from, _ := a.row(row)
			out[row] = uint64(place - from + 1)
			return false
		})
		return column.NewNum(t, out), err
	})
}

func bindCountEqual(_ *Env, args []Arg) (*Bound, error) {
	find, err := bindSearch("countEqual", args[0].Type, args[1], args[0].Const != nil)
	if err != nil {
		return nil, err
	}
	t := column.Of(column.UInt64)
	return result(t, func(call *Call) (column.Column, error) {
		out := make([]uint64, call.Rows)
		err := find(call.Args[0], call.Args[1], call.Rows, func(row, _ int) bool { out[row]++; return true })
		return column.NewNum(t, out), err
	})
}

func bindArrayRemove(_ *Env, args []Arg) (*Bound, error) {
	t := args[0].Type
	find, err := bindSearch("arrayRemove", t, args[1], false)
	if err != nil {
		return nil, err
	}
	return result(t, func(call *Call) (column.Column, error) {
		arrays := call.full(call.Args[0])
		a := newArrs(arrays)
		drop := make([]bool, a.elem.Len())
		if err := find(arrays, call.Args[1], call.Rows, func(_, place int) bool { drop[place] = true; return true }); err != nil {
			return nil, err
		}
		p := newPick(call)
		for i := 0; i < call.Rows; i++ {
			for from, to := a.row(i); from < to; from++ {
				if !drop[from] {
					p.add(from)
				}
			}
			p.end()
		}
		return p.column(t, a.elem), nil
	})
}

// commonArrays brings array arguments to one type.
func commonArrays(name string, args []Arg) (*column.Type, []castFn, error) {
	for i, a := range args {
		if a.Type.Kind != column.Array {
			return nil, nil, errcode.New(errcode.IllegalTypeOfArgument, "Argument %d for function %s must be an array but it has type %s.", i, name, a.Type)
		}
	}
	types := argTypes(args)
	t, err := commonType(types...)
	if err != nil {
		return nil, nil, err
	}
	casts, err := castsTo(types, t)
	return t, casts, err
}

func bindHasSet(name string) func(env *Env, args []Arg) (*Bound, error) {
	return func(_ *Env, args []Arg) (*Bound, error) {
		_, casts, err := commonArrays(name, args)
		if err != nil {
			return nil, err
		}
		return result(uint8Type, func(call *Call) (column.Column, error) {
			cols, err := castAll(casts, call.Args, call.Rows)
			if err != nil {
				return nil, err
			}
			a, b := newArrs(cols[0]), newArrs(cols[1])
			out := make([]uint8, call.Rows)
			for i := range out {
				switch name {
				case "hasAll":
					out[i] = bit(hasEach(call, &a, &b, i, true))
				case "hasAny":
					out[i] = bit(hasEach(call, &a, &b, i, false))
				default:
					out[i] = bit(hasRun(call, &a, &b, i))
				}
			}
			return column.NewNum(uint8Type, out), nil
		})
	}
}

// hasEach tells whether all (or any) of b's elements are among a's.
func hasEach(call *Call, a, b *arrs, row int, all bool) bool {
	af, at := a.row(row)
	bf, bt := b.row(row)
	if (bt-bf)*(at-af) > 256 {
		set := make(map[string]struct{}, at-af)
		for i := af; i < at; i++ {
			call.Work(keyWork)
			set[string(a.elem.AppendKey(nil, i))] = struct{}{}
		}
		var buf []byte
		for ; bf < bt; bf++ {
			call.Work(keyWork)
			buf = b.elem.AppendKey(buf[:0], bf)
			if _, ok := set[string(buf)]; ok != all {
				return !all
			}
		}
		return all
	}
	for ; bf < bt; bf++ {
		found := false
		for i := af; i < at && !found; i++ {
			found = a.elem.Compare(i, b.elem, bf, 1) == 0
		}
		if found != all {
			return !all
		}
	}
	return all
}

// hasRun tells whether b's elements stand in a one after the other.
func hasRun(call *Call, a, b *arrs, row int) bool {
	af, at := a.row(row)
	bf, bt := b.row(row)
	for s := af; s+bt-bf <= at; s++ {
		k := bf
		for k < bt && a.elem.Compare(s+k-bf, b.elem, k, 1) == 0 {
			k++
		}
		call.Work(8 * (k - bf + 1))
		if k == bt {
			return true
		}
	}
	return false
}

func bindArrayDistinct(_ *Env, args []Arg) (*Bound, error) {
	t := args[0].Type
	if t.Kind != column.Array {
		return nil, notArray("arrayDistinct", t)
	}
	r := column.NewArray(t.Elems[0].NoNull())
	return result(r, func(call *Call) (column.Column, error) {
		a := newArrs(call.Args[0])
		elem, nulls := splitNull(a.elem)
		p := newPick(call)
		seen := map[string]struct{}{}
		var buf []byte
		for i := 0; i < call.Rows; i++ {
			clear(seen)
			for from, to := a.row(i); from < to; from++ {
				call.Work(keyWork)
				if nulls.at(from) {
					continue
				}
				buf = elem.AppendKey(buf[:0], from)
				if _, ok := seen[string(buf)]; !ok {
					seen[string(buf)] = struct{}{}
					p.add(from)
				}
			}
			p.end()
		}
		return p.column(r, elem), nil
	})
}

// keyWork is the work of looking an element up in a hash table.
const keyWork = 64

// keyed reads several parallel arrays and gives the key image of each element together.
type keyed struct {
	elems []column.Column
	ends  []uint64
	buf   []byte
}

func newKeyed(name string, call *Call) (*keyed, error) {
	k := &keyed{}
	for i, c := range call.Args {
		a := call.full(c).(*column.Arr)
		if i == 0 {
			k.ends = a.Offsets()
		} else if firstDifference(k.ends, a.Offsets()) >= 0 {
			return nil, errcode.New(errcode.SizesOfArraysDontMatch, "Lengths of all arrays passed to %s must be equal.", name)
		}
		k.elems = append(k.elems, a.Elem)
	}
	return k, nil
}

func (k *keyed) key(i int) []byte {
	k.buf = k.buf[:0]
	for _, e := range k.elems {
		k.buf = e.AppendKey(k.buf, i)
	}
	return k.buf
}

func checkArrays(name string, args []Arg) error {
	for i, a := range args {
		if a.Type.Kind != column.Array {
			return errcode.New(errcode.IllegalTypeOfArgument, "All arguments for function %s must be arrays but argument %d has type %s.", name, i+1, a.Type)
		}
	}
	return nil
}

func bindArrayUniq(_ *Env, args []Arg) (*Bound, error) {
	if err := checkArrays("arrayUniq", args); err != nil {
		return nil, err
	}
	t := column.Of(column.UInt32)
	return result(t, func(call *Call) (column.Column, error) {
		k, err := newKeyed("arrayUniq", call)
		if err != nil {
			return nil, err
		}
		out := make([]uint32, call.Rows)
		seen := map[string]struct{}{}
		i := 0
		for r, e := range k.ends {
			clear(seen)
			for ; i < int(e); i++ {
				call.Work(keyWork)
				seen[string(k.key(i))] = struct{}{}
			}
			out[r] = uint32(len(seen))
		}
		return column.NewNum(t, out), nil
	})
}

func bindEnumerateUniq(name string, dense bool) func(env *Env, args []Arg) (*Bound, error) {
	return func(_ *Env, args []Arg) (*Bound, error) {
		if err := checkArrays(name, args); err != nil {
			return nil, err
		}
		t := column.NewArray(column.Of(column.UInt32))
		return result(t, func(call *Call) (column.Column, error) {
			k, err := newKeyed(name, call)
			if err != nil {
				return nil, err
			}
			flat := make([]uint32, k.elems[0].Len())
			seen := map[string]uint32{}
			i := 0
			for _, e := range k.ends {
				clear(seen)
				for ; i < int(e); i++ {
					call.Work(keyWork)
					key := k.key(i)
					n, ok := seen[string(key)]
					switch {
					case !dense:
						n++
					case !ok:
						n = uint32(len(seen) + 1)
					}
					seen[string(key)] = n
					flat[i] = n
				}
			}
			return &column.Arr{T: t, Ends: k.ends, Elem: column.UInt32s(flat...)}, nil
		})
	}
}

// bindArraySets binds the set operations on arrays. Their results hold each element once, in the order in which the arrays name them.
func bindArraySets(name string) func(env *Env, args []Arg) (*Bound, error) {
	return func(_ *Env, args []Arg) (*Bound, error) {
		t, casts, err := commonArrays(name, args)
		if name == "arrayExcept" {
			if err := checkExcept(args); err != nil {
				return nil, err
			}
			t = args[0].Type
		}
		if err != nil {
			return nil, err
		}
		return result(t, func(call *Call) (column.Column, error) {
			cols, err := castAll(casts, call.Args, call.Rows)
			if err != nil {
				return nil, err
			}
			parts := make([]arrs, len(cols))
			all := column.New(t.Elems[0], 0)
			base := make([]int, len(cols))
			for i, c := range cols {
				parts[i] = newArrs(c)
				base[i] = all.Len()
				all.AppendRange(parts[i].elem, 0, parts[i].elem.Len())
			}
			p := newPick(call)
			for r := 0; r < call.Rows; r++ {
				setRow(name, p, parts, base, all, r)
				p.end()
			}
			return p.column(t, all), nil
		})
	}
}

// checkExcept: arrayExcept wants two arrays of the same numbers, strings or dates; NULLs of either are taken too.
func checkExcept(args []Arg) error {
	var elems [2]*column.Type
	for i, a := range args {
		if a.Type.Kind != column.Array {
			return errcode.New(errcode.IllegalTypeOfArgument, "A value of illegal type was provided as argument %d to function 'arrayExcept'. Expected: Array, got: %s", i+1, a.Type)
		}
		elems[i] = a.Type.Elems[0].NoNull()
	}
	e := elems[0]
	if !e.Equal(elems[1]) {
		return errcode.New(errcode.IllegalTypeOfArgument, "Function arrayExcept requires both arrays to have exactly the same element type. Got %s and %s", args[0].Type, args[1].Type)
	}
	if !e.IsInteger() && !e.IsFloat() && !e.IsString() && !e.IsEnum() && e.Kind != column.Bool && e.Kind != column.Date && e.Kind != column.Date32 && e.Kind != column.DateTime && e.Kind != column.Nothing {
		return errcode.New(errcode.IllegalTypeOfArgument, "Unsupported type %s. Consider arrayFilter(x -> NOT has (exclude), source)", args[0].Type)
	}
	return nil
}

func setRow(name string, p *pickElems, parts []arrs, base []int, all column.Column, row int) {
	count := map[string]int{} // in how many of the arrays an element is
	last := map[string]int{}
	var order []int
	for k := range parts {
		from, to := parts[k].row(row)
		for i := base[k] + from; i < base[k]+to; i++ {
			p.call.Work(4 * keyWork)
			key := string(all.AppendKey(nil, i))
			if _, ok := count[key]; !ok {
				order = append(order, i)
			}
			if last[key] != k+1 {
				last[key] = k + 1
				count[key]++
			}
		}
	}
	switch name {
	case "arrayExcept":
		from, to := parts[0].row(row)
		for i := base[0] + from; i < base[0]+to; i++ {
			if count[string(all.AppendKey(nil, i))] == 1 && last[string(all.AppendKey(nil, i))] == 1 {
				p.add(i)
			}
		}
		return
	case "arrayUnion", "arraySymmetricDifference":
		for k := len(order) - 1; k >= 0; k-- {
			if name == "arrayUnion" || count[string(all.AppendKey(nil, order[k]))] < len(parts) {
				p.add(order[k])
			}
		}
		return
	}
	for _, i := range order {
		if count[string(all.AppendKey(nil, i))] == len(parts) {
			p.add(i)
		}
	}
}

func bindJaccard(_ *Env, args []Arg) (*Bound, error) {
	_, casts, err := commonArrays("arrayJaccardIndex", args)
	if err != nil {
		return nil, err
	}
	t := column.Of(column.Float64)
	return result(t, func(call *Call) (column.Column, error) {
		cols, err := castAll(casts, call.Args, call.Rows)
		if err != nil {
			return nil, err
		}
		a, b := newArrs(cols[0]), newArrs(cols[1])
		out := make([]float64, call.Rows)
		for r := range out {
			seen := map[string]bool{}
			aFrom, aTo := a.row(r)
			for i := aFrom; i < aTo; i++ {
				call.Work(keyWork)
				seen[string(a.elem.AppendKey(nil, i))] = true
			}
			both := 0
			bFrom, bTo := b.row(r)
			for i := bFrom; i < bTo; i++ {
				call.Work(keyWork)
				key := b.elem.AppendKey(nil, i)
				if seen[string(key)] {
					seen[string(key)] = false
					both++
				}
			}
			out[r] = float64(both) / float64(aTo-aFrom+bTo-bFrom-both) // repeated elements count
		}
		return column.NewNum(t, out), nil
	})
}
