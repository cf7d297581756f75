package agg

import (
	"encoding/binary"
	"slices"
	"strings"

	"dictsvc/column"
	"dictsvc/errcode"
)

// combinator is a suffix of a function's name that changes how it takes rows or what it returns.
type combinator struct {
	suffix string
	// bind returns a Function of its own, whose State, Params and Args are still those of base
	bind func(name, base string, params []column.Column, args []*column.Type) (*Function, error)
	// ownState tells that states of the combined function are a type of their own
	ownState bool
}

// nests tells whether the combinator may stand twice in a row.
func (c *combinator) nests() bool {
	return c.suffix == "OrNull" || c.suffix == "OrDefault" || c.suffix == "Array"
}

// split takes the last combinator off a name; nil where there is none.
func split(name string) (string, *combinator) {
	for _, c := range combinators() {
		if base, ok := strings.CutSuffix(name, c.suffix); ok && base != "" {
			if _, known := Lookup(base); known {
				return base, &c
			}
		}
	}
	return name, nil
}

// combinators is a function, not a variable, because the binders lead back to it.
func combinators() []combinator {
	return []combinator{
		{"If", bindIf, true},
		{"Distinct", bindDistinct, true},
		{"OrNull", bindOrNull, true},
		{"OrDefault", bindOrDefault, true},
		{"SimpleState", bindSimpleState, false},
		{"State", bindState, false},
		{"MergeState", bindMergeState, false},
		{"Merge", bindMerge, false},
	}
}

// bindIf: f over the rows where the last argument is not 0 (NULL counts as 0).
func bindIf(name, base string, params []column.Column, args []*column.Type) (*Function, error) {
	if len(args) == 0 {
		return nil, errcode.New(errcode.NumberOfArgumentsDoesntMatch, "Aggregate function %s requires at least one argument", name)
	}
	last := args[len(args)-1]
	onlyNullCond := last.Kind == column.Nullable && last.Elems[0].Kind == column.Nothing
	cond := last.NoNull()
	if !onlyNullCond && cond.Kind != column.UInt8 && cond.Kind != column.Bool {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "Illegal type %s of last argument for aggregate function with If suffix", last)
	}
	f, err := bind(base, params, args[:len(args)-1])
	if err != nil {
		return nil, err
	}
	out := *f
	if onlyNullCond && out.Type.Kind != column.Nullable && canBeNullable(out.Type) && !returnsPlain(base) { // never a row, so always NULL
		out.Type = column.NewNullable(out.Type)
		out.NewStates = func() States {
			return &ifStates{inner: &nullStates{inner: f.NewStates(), t: out.Type}}
		}
		return &out, nil
	}
	out.NewStates = func() States { return &ifStates{inner: f.NewStates()} }
	return &out, nil
}

type ifStates struct{ inner States }

func (s *ifStates) Grow(n int) { s.inner.Grow(n) }

func (s *ifStates) Add(groups []uint32, args []column.Column, rows int) error {
	last := len(args) - 1
	groups, args, rows = compact(groups, args[:last], rows, truth(args[last], rows))
	if rows == 0 {
		return nil
	}
	return s.inner.Add(groups, args, rows)
}

// truth is a condition column as a byte a row, NULL as 0.
func truth(c column.Column, rows int) []uint8 {
	switch x := c.(type) {
	case *column.Num[uint8]:
		return x.Data
	case *column.Null:
		v, ok := x.Inner.(*column.Num[uint8])
		out := make([]uint8, rows)
		if !ok {
			return out
		}
		for i, null := range x.Nulls {
			if null == 0 {
				out[i] = v.Data[i]
			}
		}
		return out
	}
	return make([]uint8, rows)
}

func (s *ifStates) Merge(other States, from, to []uint32) error {
	return s.inner.Merge(other.(*ifStates).inner, from, to)
}
func (s *ifStates) Save(buf []byte, group int) []byte           { return s.inner.Save(buf, group) }
func (s *ifStates) Load(r *column.StateReader, group int) error { return s.inner.Load(r, group) }
func (s *ifStates) Result(from, to int) (column.Column, error)  { return s.inner.Result(from, to) }
func (s *ifStates) Bytes() int                                  { return s.inner.Bytes() }

// bindDistinct: f over the distinct rows of its arguments.
func bindDistinct(name, base string, params []column.Column, args []*column.Type) (*Function, error) {
	if len(args) == 0 {
		return nil, errcode.New(errcode.NumberOfArgumentsDoesntMatch, "Incorrect number of arguments for aggregate function with Distinct suffix")
	}
	if base == "count" && len(args) > 0 { // count(DISTINCT a, b) is uniqExact(a, b): count_distinct_implementation
		f, err := bind("uniqExact", nil, args)
		if err != nil {
			return nil, err
		}
		out := *f
		out.State = base
		return &out, nil
	}
	f, err := bind(base, params, args)
	if err != nil {
		return nil, err
	}
	out := distinctRows(f, args)
	return out, nil
}

func distinctRows(f *Function, args []*column.Type) *Function {
	out := *f
	out.NewStates = func() States {
		return &distinctStates{inner: f.NewStates(), types: args, set: NewGrouper(append([]*column.Type{column.Of(column.UInt32)}, args...))}
	}
	return &out
}

// distinctStates keeps (group, arguments...) once each and runs the function over them at the end.
type distinctStates struct {
	inner States
	types []*column.Type
	set   Grouper
	n     int
	done  bool

	starts, rows []uint32 // the set's rows by group, for Save
}

func (s *distinctStates) Grow(n int) { s.n = max(s.n, n) }

func (s *distinctStates) Add(groups []uint32, args []column.Column, rows int) error {
	if groups == nil {
		groups = make([]uint32, rows)
	}
	s.set.Groups(append([]column.Column{column.UInt32s(groups...)}, args...), rows, make([]uint32, rows))
	return nil
}

func (s *distinctStates) each(f func(groups []uint32, args []column.Column, rows int) error) error {
	for from := 0; from < s.set.Len(); from += column.MaxBlockRows {
		to := min(from+column.MaxBlockRows, s.set.Len())
		keys := s.set.Keys(from, to)
		if err := f(keys[0].(*column.Num[uint32]).Data, keys[1:], to-from); err != nil {
			return err
		}
	}
	return nil
}

func (s *distinctStates) Merge(other States, from, to []uint32) error {
	o := other.(*distinctStates)
	target := targets(from, to, o.n)
	return o.each(func(old []uint32, args []column.Column, rows int) error {
		keep := make([]uint8, rows)
		mapped := make([]uint32, rows)
		for i, g := range old {
			if t := target[g]; t != 0 {
				keep[i], mapped[i] = 1, t-1
			}
		}
		groups, args, rows := compact(mapped, args, rows, keep)
		return s.Add(groups, args, rows)
	})
}

// Save writes the distinct rows: their number and their values.
func (s *distinctStates) Save(buf []byte, group int) []byte {
	s.index()
	list := s.rows[s.starts[group]:s.starts[group+1]]
	buf = binary.AppendUvarint(buf, uint64(len(list)))
	for _, row := range list {
		keys := s.set.Keys(int(row), int(row)+1)
		for _, k := range keys[1:] {
			buf = column.AppendNative(buf, k, 0)
		}
	}
	return buf
}

// index sorts the rows of the set by group, for Save.
func (s *distinctStates) index() {
	if s.starts != nil && len(s.rows) == s.set.Len() {
		return
	}
	groups := make([]uint32, 0, s.set.Len())
	for from := 0; from < s.set.Len(); from += column.MaxBlockRows {
		keys := s.set.Keys(from, min(from+column.MaxBlockRows, s.set.Len()))
		groups = append(groups, keys[0].(*column.Num[uint32]).Data...)
	}
	s.starts, s.rows = byGroup(groups, s.n)
}

// byGroup lists the rows of each of n groups, in order: those of group g are rows[starts[g]:starts[g+1]].
func byGroup(groups []uint32, n int) (starts, rows []uint32) {
	starts = make([]uint32, n+1)
	for _, g := range groups {
		starts[g+1]++
	}
	for i := range n {
		starts[i+1] += starts[i]
	}
	at := slices.Clone(starts)
	rows = make([]uint32, len(groups))
	for i, g := range groups {
		rows[at[g]] = uint32(i)
		at[g]++
	}
	return starts, rows
}

// Load reads what Save has written.
func (s *distinctStates) Load(r *column.StateReader, group int) error {
	types := s.types
	args := make([]column.Column, len(types))
	for i, t := range types {
		args[i] = column.New(t, 0)
	}
	rows := 0
	for n := r.Count(1<<32-1, 0); n > 0; n-- {
		for _, a := range args {
			if err := column.ReadNative(a, r); err != nil {
				return err
			}
		}
		if rows++; rows == column.MaxBlockRows || n == 1 {
			if err := s.Add(slices.Repeat([]uint32{uint32(group)}, rows), args, rows); err != nil {
				return err
			}
			for i, t := range types {
				args[i] = column.New(t, 0)
			}
			rows = 0
		}
	}
	return r.Err()
}

func (s *distinctStates) Result(from, to int) (column.Column, error) {
	if !s.done {
		s.inner.Grow(s.n)
		if err := s.each(s.inner.Add); err != nil {
			return nil, err
		}
		s.done = true
	}
	return s.inner.Result(from, to)
}

func (s *distinctStates) Bytes() int { return s.inner.Bytes() + s.set.Bytes() }

// bindOrNull: NULL instead of the default where no row came.
func bindOrNull(name, base string, params []column.Column, args []*column.Type) (*Function, error) {
	f, err := bind(base, params, args)
	if err != nil {
		return nil, err
	}
	out := *f
	if f.Type.Kind == column.Nullable || !canBeNullable(f.Type) {
		return &out, nil
	}
	out.Type = column.NewNullable(f.Type)
	out.NewStates = func() States { return &orNullStates{nullStates{inner: f.NewStates(), t: out.Type}} }
	return &out, nil
}

// orNullStates marks groups as seen by any row, NULLs among its arguments included only as the inner function counts them.
type orNullStates struct{ nullStates }

func (s *orNullStates) Add(groups []uint32, args []column.Column, rows int) error {
	if groups == nil && rows > 0 {
		s.seen[0] = true
	}
	for _, g := range groups {
		s.seen[g] = true
	}
	return s.inner.Add(groups, args, rows)
}

func (s *orNullStates) Merge(other States, from, to []uint32) error {
	return s.nullStates.Merge(&other.(*orNullStates).nullStates, from, to)
}

// Save writes the inner state, then whether a row came.
func (s *orNullStates) Save(buf []byte, group int) []byte {
	return append(s.inner.Save(buf, group), flag(s.seen[group]))
}

func (s *orNullStates) Load(r *column.StateReader, group int) error {
	if err := s.inner.Load(r, group); err != nil {
		return err
	}
	s.seen[group] = r.Bool()
	return r.Err()
}

// bindOrDefault: the type's default where no row came (avg gives 0, not NaN).
func bindOrDefault(name, base string, params []column.Column, args []*column.Type) (*Function, error) {
	f, err := bind(base, params, args)
	if err != nil {
		return nil, err
	}
	out := *f
	out.NewStates = func() States {
		return &orDefaultStates{orNullStates{nullStates{inner: f.NewStates(), t: column.NewNullable(column.Of(column.UInt8))}}}
	}
	return &out, nil
}

type orDefaultStates struct{ orNullStates }

func (s *orDefaultStates) Merge(other States, from, to []uint32) error {
	return s.nullStates.Merge(&other.(*orDefaultStates).nullStates, from, to)
}

func (s *orDefaultStates) Result(from, to int) (column.Column, error) {
	c, err := s.inner.Result(from, to)
	if err != nil {
		return nil, err
	}
	out := c.New(to - from)
	for i, seen := range s.seen[from:to] {
		if seen {
			out.AppendRange(c, i, i+1)
		} else {
			appendEmpty(out)
		}
	}
	return out, nil
}

// NullForEmpty is the function that aggregate_functions_null_for_empty puts in a function's place: with -OrNull, in front of what makes states, unless it
// is one that counts or has the combinator already.
func NullForEmpty(name string) string {
	base, state := strings.CutSuffix(name, "State")
	if strings.HasPrefix(base, "count") || strings.HasPrefix(base, "uniq") || strings.HasSuffix(base, "OrNull") || strings.HasSuffix(base, "Simple") {
		return name
	}
	if base += "OrNull"; state {
		base += "State"
	}
	return base
}
