package agg

import (
	"encoding/binary"
	"slices"

	"dictsvc/column"
	"dictsvc/errcode"
)

// bindMap: f over the values of maps, key by key. sumMap, minMap and maxMap take keys and values as arrays too, which are other functions.
func bindMap(c *combined) (*Function, error) {
	if len(c.args) == 0 {
		return nil, c.noArguments()
	}
	t := c.args[0]
	if t.Kind != column.Map {
		return bindMappedArrays(c)
	}
	if len(c.args) > 1 {
		return nil, errcode.New(errcode.NumberOfArgumentsDoesntMatch, "Map combinator takes only one map argument")
	}
	key := t.Elems[0]
	f, err := c.inner(c.params, t.Elems[1:])
	if err != nil {
		return nil, err
	}
	if !mapKey(key) {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "Map key type %s is not is not supported by combinator Map", key)
	}
	out := c.function(f)
	out.Params = f.Params
	out.Type = column.NewMap(key, f.Type)
	out.NewStates = func() States {
		return &mapStates{t: out.Type, key: key, set: NewGrouper([]*column.Type{column.Of(column.UInt32), key}), places: places{inner: f.NewStates()}}
	}
	return out, nil
}

// sizedKey tells whether a key of fixed width stands behind its length in a state, as strings do.
func sizedKey(t *column.Type) bool { return t.Kind == column.FixedString || t.Kind == column.IPv6 }

func mapKey(t *column.Type) bool {
	switch t.Kind {
	case column.String, column.FixedString, column.UUID, column.IPv4, column.IPv6, column.Date, column.DateTime, column.Enum8, column.Enum16, column.Bool:
		return true
	}
	return t.IsInteger()
}

// bindMappedArrays is what sumMap, minMap and maxMap of arrays are.
func bindMappedArrays(c *combined) (*Function, error) {
	arrays := c.args
	if t := c.args[0]; t.Kind == column.Tuple {
		if arrays = t.Elems; len(c.args) != 1 {
			arrays = nil
		}
	}
	if len(arrays) < 2 || slices.ContainsFunc(arrays, func(t *column.Type) bool { return t.Kind != column.Array }) {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "Aggregate function Map requires map as argument")
	}
	f, err := c.inner(c.params, arrays[1].Elems)
	if err != nil {
		return nil, err
	}
	switch f.canon {
	case "sum", "min", "max":
		return bind(f.canon+"MappedArrays", c.params, c.args, c.respect)
	}
	return nil, errcode.New(errcode.IllegalTypeOfArgument, "Aggregation '%sMap' is not implemented for mapped arrays", f.canon)
}

// mapStates gives each (group, key) a place of the inner states: its number in the set.
type mapStates struct {
	t, key *column.Type
	set    Grouper
	n      int
	places

	starts, rows []uint32      // the places by group, sorted by key, once indexed
	keys         column.Column // of the places
}

func (s *mapStates) Grow(n int) { s.n = max(s.n, n) }

func (s *mapStates) Add(groups []uint32, args []column.Column, rows int) error {
	first, entries, err := flatten("", []column.Column{args[0].(*column.MapColumn).Arr}, rows)
	if err != nil {
		return err
	}
	t := entries[0].(*column.Tup)
	into := make([]uint32, t.Len())
	if groups != nil {
		for i := range rows {
			from, to := first.Range(i)
			for j := from; j < to; j++ {
				into[j] = groups[i]
			}
		}
	}
	if err := s.place(into, t.Elems[0]); err != nil || len(into) == 0 {
		return err
	}
	return s.inner.Add(into, t.Elems[1:], len(into))
}

// place finds the places of (group, key) rows, over the groups.
func (s *mapStates) place(groups []uint32, keys column.Column) error {
	s.result, s.starts = nil, nil
	if len(groups) == 0 {
		return nil
	}
	out := make([]uint32, len(groups))
	s.set.Groups([]column.Column{column.UInt32s(groups...), keys}, len(groups), out)
	copy(groups, out)
	_, err := s.more(s.set.Len() - s.places.n)
	return err
}

// index lists the places by group, sorted by key.
func (s *mapStates) index() {
	if s.starts != nil && len(s.starts) == s.n+1 {
		return
	}
	groups := make([]uint32, 0, s.set.Len())
	s.keys = column.New(s.key, s.set.Len())
	for from := 0; from < s.set.Len(); from += column.MaxBlockRows {
		to := min(from+column.MaxBlockRows, s.set.Len())
		pair := s.set.Keys(from, to)
		groups = append(groups, pair[0].(*column.Num[uint32]).Data[:to-from]...)
		s.keys.AppendRange(pair[1], 0, to-from)
	}
	s.starts, s.rows = byGroup(groups, s.n)
	for g := range s.n {
		own := s.rows[s.starts[g]:s.starts[g+1]]
		slices.SortFunc(own, func(a, b uint32) int { return column.Compare(s.keys, int(a), s.keys, int(b), 1) })
	}
}

// Seal implements Sealer.
func (s *mapStates) Seal() {
	s.index()
	seal(s.inner)
}

func (s *mapStates) Merge(other States, from, to []uint32) error {
	o := other.(*mapStates)
	if o.starts == nil || len(o.starts) != o.n+1 { // other is only read: one that is not sealed is indexed in a copy
		view := *o
		view.index()
		o = &view
	}
	var theirs, ours []uint32
	for i, g := range to {
		k := source(from, i)
		for _, p := range o.rows[o.starts[k]:o.starts[k+1]] {
			theirs, ours = append(theirs, p), append(ours, g)
		}
	}
	if len(ours) == 0 {
		return nil
	}
	if err := s.place(ours, o.keys.Gather(theirs)); err != nil {
		return err
	}
	return s.inner.Merge(o.inner, theirs, ours)
}

// Save writes the entries in the order of their keys.
func (s *mapStates) Save(buf []byte, group int) []byte {
	s.index()
	own := s.rows[s.starts[group]:s.starts[group+1]]
	buf = binary.AppendUvarint(buf, uint64(len(own)))
	for _, p := range own {
		if sizedKey(s.key) {
			buf = binary.AppendUvarint(buf, uint64(s.key.FixedWidth()))
		}
		buf = column.AppendNative(buf, s.keys, int(p))
		buf = s.inner.Save(buf, int(p))
	}
	return buf
}

func (s *mapStates) Load(r *column.StateReader, group int) error {
	for n := r.Count(1<<31, 1); n > 0; n-- {
		key := column.New(s.key, 1)
		if sizedKey(s.key) {
			if n := r.Uvarint(); r.Err() == nil && n != uint64(s.key.FixedWidth()) {
				return r.Corrupt("A key of type %s has %d bytes", s.key, n)
			}
		}
		if err := column.ReadNative(key, r); err != nil {
			return err
		}
		into := []uint32{uint32(group)}
		had := s.set.Len()
		if err := s.place(into, key); err != nil {
			return err
		}
		if s.set.Len() == had {
			return r.Corrupt("A state of a function with Map suffix has a key twice")
		}
		if err := s.inner.Load(r, int(into[0])); err != nil {
			return err
		}
	}
	return r.Err()
}

func (s *mapStates) Result(from, to int) (column.Column, error) {
	s.index()
	ends := make([]uint64, to-from)
	for i := range ends {
		ends[i] = uint64(s.starts[from+i+1] - s.starts[from])
	}
	list := s.rows[s.starts[from]:s.starts[to]]
	values, err := s.results(list)
	if err != nil {
		return nil, err
	}
	entries := &column.Tup{T: column.NewTuple(s.t.Elems, []string{"keys", "values"}), Elems: []column.Column{s.keys.Gather(list), values}, N: len(list)}
	return &column.MapColumn{T: s.t, Arr: &column.Arr{T: column.NewArray(entries.T), Ends: ends, Elem: entries}}, nil
}

func (s *mapStates) Bytes() int {
	return s.set.Bytes() + 4*cap(s.starts) + 4*cap(s.rows) + s.bytes()
}
