package agg

import (
	"encoding/binary"
	"slices"
	"strings"

	"dictsvc/column"
	"dictsvc/errcode"
)

// bindMapped: sumMappedArrays, minMappedArrays, maxMappedArrays and their kin take an array of keys and arrays of values, in a tuple or not,
// and aggregate the values of each key.
func bindMapped(name string, params []column.Column, args []*column.Type) (*Function, error) {
	inTuple := len(args) == 1 && args[0].Kind == column.Tuple
	arrays := args
	if inTuple {
		arrays = args[0].Elems
	}
	if len(arrays) < 2 {
		return nil, errcode.New(errcode.NumberOfArgumentsDoesntMatch, "Aggregate function %s requires at least two arguments of Array type or one argument of tuple of two arrays", name)
	}
	for _, t := range arrays {
		if t.Kind != column.Array {
			return nil, errcode.New(errcode.IllegalTypeOfArgument, "Aggregate function %s requires arrays, got %s", name, t)
		}
	}
	m := mappedOf{key: arrays[0].Elems[0], inTuple: inTuple}
	if strings.HasPrefix(name, "sumMapFiltered") {
		if len(params) != 1 {
			return nil, errcode.New(errcode.NumberOfArgumentsDoesntMatch, "Aggregate function '%s' requires exactly one parameter of Array type", name)
		}
		keep, ok := column.Plain(params[0]).(*column.Arr)
		if !ok {
			return nil, errcode.New(errcode.IllegalTypeOfArgument, "Aggregate function %s requires an Array as a parameter", name)
		}
		keys, err := column.Cast(plainColumn(keep.Elem), m.key, column.CastPlain)
		if err != nil {
			return nil, err
		}
		m.only = map[string]bool{}
		for i := range keys.Len() {
			m.only[string(keys.AppendKey(nil, i))] = true
		}
	} else if err := noParams(name, params); err != nil {
		return nil, err
	}
	m.sum = strings.HasPrefix(name, "sum")
	base := name[:3]
	types := []*column.Type{arrays[0]}
	for _, t := range arrays[1:] {
		value := t.Elems[0]
		if k := value.NoNull().Kind; m.sum && (k == column.Enum8 || k == column.Enum16) {
			return nil, errcode.New(errcode.IllegalTypeOfArgument, "Values for -Map cannot be summed, passed type %s", value)
		}
		wide := promoted(value)
		f, err := bindMappedValue(base, wide)
		if err != nil {
			return nil, err
		}
		out := value.NoNull()
		if m.sum && !out.IsDecimal() && !strings.HasSuffix(name, "WithOverflow") {
			out = wide.NoNull()
		}
		m.values, m.types, m.results = append(m.values, f), append(m.types, wide), append(m.results, out)
		types = append(types, column.NewArray(out))
	}
	f := &Function{Name: name, Type: column.NewTuple(types, nil), Version: 1, NewStates: func() States {
		s := &mappedStates{m: &m, t: column.NewTuple(types, nil), set: NewGrouper([]*column.Type{column.Of(column.UInt32), m.key})}
		for _, f := range m.values {
			s.values = append(s.values, f.NewStates())
		}
		return s
	}}
	switch name {
	case "sumMappedArrays":
		f.State = "sumMap"
	case "minMappedArrays", "maxMappedArrays":
		f.State = base + "Map"
	}
	return f, nil
}

// bindMappedValue is the sum, the least or the greatest of values of a type that has been widened.
func bindMappedValue(name string, t *column.Type) (*Function, error) {
	bind := bindMinMax
	if name == "sum" {
		bind = bindSumWithOverflow
	}
	f, err := bind(name, nil, []*column.Type{t.NoNull()})
	if err != nil || t.Kind != column.Nullable {
		return f, err
	}
	return adaptNulls(f, nil, []*column.Type{t}), nil
}

// promoted is the type in which values are aggregated and saved: the widest integer or float of 64 bits, the decimal of 38 digits; wider ones stay.
func promoted(t *column.Type) *column.Type {
	if t.Kind == column.Nullable {
		return column.NewNullable(promoted(t.Elems[0]))
	}
	switch t.Kind {
	case column.UInt8, column.Bool, column.UInt16, column.UInt32:
		return column.Of(column.UInt64)
	case column.Int8, column.Int16, column.Int32:
		return column.Of(column.Int64)
	case column.Float32:
		return column.Of(column.Float64)
	case column.Decimal32, column.Decimal64:
		return column.NewDecimal(38, t.Scale)
	}
	return t
}

// narrowed is a column of a promoted type in the type of the results; numbers wrap.
func narrowed(c column.Column, t *column.Type) (column.Column, error) {
	if n, ok := c.(*column.Null); ok {
		c = n.Inner
	}
	if t.IsDecimal() {
		return narrowColumn(t, wideInts(c, c.Len())), nil
	}
	return column.Cast(c, t, column.CastPlain)
}

// mappedOf is what a function of mapped arrays is bound to.
type mappedOf struct {
	key     *column.Type
	types   []*column.Type // of the values, promoted
	results []*column.Type // of the values as they come out
	values  []*Function
	inTuple bool
	sum     bool            // keys whose values are all zero are left out of the result
	only    map[string]bool // images of the keys that count; nil for all
}

// mappedStates give each (group, key) a place of the inner states: its number in the set.
type mappedStates struct {
	m      *mappedOf
	t      *column.Type
	set    Grouper
	n      int
	values []States

	// The places by group, sorted by key, and the keys of the places, once sealed.
	starts, rows []uint32
	keys         column.Column
}

func (s *mappedStates) Grow(n int) { s.n = max(s.n, n) }

func (s *mappedStates) Add(groups []uint32, args []column.Column, rows int) error {
	if s.m.inTuple {
		args = args[0].(*column.Tup).Elems
	}
	list := make([]column.Column, len(args))
	for i, a := range args {
		list[i] = column.Plain(a)
	}
	first, elems, err := flatten("", list, rows)
	if err != nil {
		return errcode.New(errcode.BadArguments, "Sizes of keys and values arrays do not match")
	}
	into := make([]uint32, elems[0].Len())
	if groups != nil {
		for i := range rows {
			from, to := first.Range(i)
			for j := from; j < to; j++ {
				into[j] = groups[i]
			}
		}
	}
	for i, t := range s.m.types {
		if elems[i+1], err = column.Cast(elems[i+1], t, column.CastPlain); err != nil {
			return err
		}
	}
	n := len(into)
	if s.m.only != nil {
		keep := make([]uint8, n)
		var buf []byte
		for i := range keep {
			buf = elems[0].AppendKey(buf[:0], i)
			keep[i] = flag(s.m.only[string(buf)])
		}
		into, elems, n = compact(into, elems, n, keep)
	}
	if n == 0 {
		return nil
	}
	s.place(into, elems[0])
	for i, v := range s.values {
		if err := v.Add(into, elems[i+1:i+2], n); err != nil {
			return err
		}
	}
	return nil
}

// place finds the places of (group, key) rows, over the groups.
func (s *mappedStates) place(groups []uint32, keys column.Column) {
	s.starts = nil
	out := make([]uint32, len(groups))
	s.set.Groups([]column.Column{column.UInt32s(groups...), keys}, len(groups), out)
	copy(groups, out)
	for _, v := range s.values {
		v.Grow(s.set.Len())
	}
}

// Seal implements Sealer.
func (s *mappedStates) Seal() {
	s.index()
	for _, v := range s.values {
		seal(v)
	}
}

// index lists the places by group, each group's sorted by key.
func (s *mappedStates) index() {
	if s.starts != nil && len(s.starts) == s.n+1 {
		return
	}
	groups := make([]uint32, 0, s.set.Len())
	s.keys = column.New(s.m.key, s.set.Len())
	for from := 0; from < s.set.Len(); from += column.MaxBlockRows {
		to := min(from+column.MaxBlockRows, s.set.Len())
		pair := s.set.Keys(from, to)
		groups = append(groups, pair[0].(*column.Num[uint32]).Data[:to-from]...)
		s.keys.AppendRange(pair[1], 0, to-from)
	}
	s.starts, s.rows = byGroup(groups, s.n)
	for g := range s.n {
		own := s.rows[s.starts[g]:s.starts[g+1]]
		slices.SortFunc(own, func(a, b uint32) int { return column.Compare(s.keys, int(a), s.keys, int(b), -1) })
	}
}

func (s *mappedStates) Merge(other States, from, to []uint32) error {
	o := other.(*mappedStates)
	if o.starts == nil || len(o.starts) != o.n+1 { // other is only read: one that is not sealed is indexed in a copy
		view := *o
		view.index()
		o = &view
	}
	starts, rows, keys := o.starts, o.rows, o.keys
	var theirs, ours []uint32
	for i, g := range to {
		k := source(from, i)
		for _, p := range rows[starts[k]:starts[k+1]] {
			theirs, ours = append(theirs, p), append(ours, g)
		}
	}
	if len(ours) == 0 {
		return nil
	}
	s.place(ours, keys.Gather(theirs))
	for i, v := range s.values {
		if err := v.Merge(o.values[i], theirs, ours); err != nil {
			return err
		}
	}
	return nil
}

// columns are the values of all places.
func (s *mappedStates) columns() ([]column.Column, error) {
	list := make([]column.Column, len(s.values))
	for i, v := range s.values {
		c, err := v.Result(0, s.set.Len())
		if err != nil {
			return nil, err
		}
		list[i] = c
	}
	return list, nil
}

// Save writes the entries in the order of their keys. Values are written as they are, not as states.
func (s *mappedStates) Save(buf []byte, group int) []byte {
	s.index()
	starts, rows, keys := s.starts, s.rows, s.keys
	own := rows[starts[group]:starts[group+1]]
	buf = binary.AppendUvarint(buf, uint64(len(own)))
	for _, p := range own {
		buf = column.AppendNative(buf, keys, int(p))
		for _, v := range s.values {
			c, err := v.Result(int(p), int(p)+1)
			if err != nil {
				panic("agg: results of mapped arrays: " + err.Error())
			}
			buf = column.AppendNative(buf, c, 0)
		}
	}
	return buf
}

func (s *mappedStates) Load(r *column.StateReader, group int) error {
	for n := r.Count(1<<31, 1); n > 0; n-- {
		key := column.New(s.m.key, 1)
		if err := column.ReadNative(key, r); err != nil {
			return err
		}
		row := make([]column.Column, len(s.values))
		for i, t := range s.m.types {
			row[i] = column.New(t, 1)
			if err := column.ReadNative(row[i], r); err != nil {
				return err
			}
		}
		into := []uint32{uint32(group)}
		s.place(into, key)
		for i, v := range s.values {
			if err := v.Add(into, row[i:i+1], 1); err != nil {
				return err
			}
		}
	}
	return r.Err()
}

func (s *mappedStates) Result(from, to int) (column.Column, error) {
	s.index()
	starts, rows, keys := s.starts, s.rows, s.keys
	values, err := s.columns()
	if err != nil {
		return nil, err
	}
	ends := make([]uint64, to-from)
	var list []uint32
	for i := range ends {
		for _, p := range rows[starts[from+i]:starts[from+i+1]] {
			if !s.m.sum || !allZero(values, int(p)) {
				list = append(list, p)
			}
		}
		ends[i] = uint64(len(list))
	}
	out := &column.Tup{T: s.t, N: to - from}
	for i, c := range append([]column.Column{keys}, values...) {
		c = c.Gather(list)
		if i > 0 {
			if c, err = narrowed(c, s.m.results[i-1]); err != nil {
				return nil, err
			}
		}
		out.Elems = append(out.Elems, &column.Arr{T: s.t.Elems[i], Ends: ends, Elem: c})
	}
	return out, nil
}

func allZero(values []column.Column, row int) bool {
	for _, c := range values {
		zero := c.New(1)
		if n, ok := c.(*column.Null); ok {
			if n.Nulls[row] != 0 {
				continue
			}
			c, zero = n.Inner, n.Inner.New(1)
		}
		zero.AppendDefault(1)
		if column.Compare(c, row, zero, 0, 1) != 0 {
			return false
		}
	}
	return true
}

func (s *mappedStates) Bytes() int {
	n := s.set.Bytes() + 4*cap(s.starts) + 4*cap(s.rows)
	for _, v := range s.values {
		n += v.Bytes()
	}
	return n
}
