package agg

import "dictsvc/column"

// nullRule is what Nullable arguments make of a function.
type nullRule uint8

const (
	nullResult    nullRule = iota // the result becomes Nullable where its type can be, and states begin with a flag then
	plainResult                   // neither
	flaggedResult                 // the result stays, and states begin with a flag, which is always 1
)

// adaptNulls adapts a function to Nullable arguments: rows with a NULL among them are left out. The result is Nullable, NULL where no row
// was left, but for counts and for types that cannot be Nullable. A function over NULL alone is another one, which reads nothing.
func adaptNulls(f *Function, params []column.Column, args []*column.Type) *Function {
	for i, t := range args {
		if !f.takesNull && t.Kind == column.Nullable && t.Elems[0].Kind == column.Nothing && !(f.condition && i == len(args)-1) {
			return onlyNull(f.zeroOnNull, params, args)
		}
	}
	if f.ownNulls != nil {
		return f.ownNulls(params, args)
	}
	if f.stateOf != nil { // a state is never NULL: the function under -State is adapted
		return f.wrap(adaptNulls(f.stateOf, params, args))
	}
	out := *f
	out.Params, out.Args, out.unnamedParams = params, args, false
	if f.sameStates != "" {
		out.sameStates = "Nullable " + f.sameStates
	}
	nullable := f.nulls == nullResult && canBeNullable(f.Type)
	if nullable {
		out.Type = column.NewNullable(f.Type)
	}
	flagged := nullable || f.nulls == flaggedResult || f.nulls == nullResult && len(args) > 1
	out.NewStates = func() States {
		return &nullStates{inner: f.NewStates(), plain: !nullable, flagged: flagged, t: out.Type}
	}
	return &out
}

func canBeNullable(t *column.Type) bool {
	switch t.Kind {
	case column.Array, column.Map, column.Nullable, column.LowCardinality, column.AggregateFunction:
		return false
	}
	return true
}

type nullStates struct {
	inner   States
	plain   bool // the result is not made Nullable
	flagged bool // the state begins with a byte that tells whether a row without NULL came
	t       *column.Type
	seen    []bool // a row without NULL came
}

// SetCheck implements Checker.
func (s *nullStates) SetCheck(check func() error) { SetCheck(s.inner, check) }

func (s *nullStates) Grow(n int) { s.inner.Grow(n); s.seen = grow(s.seen, n) }

func (s *nullStates) Add(groups []uint32, args []column.Column, rows int) error {
	inner := make([]column.Column, len(args))
	var keep []uint8
	for i, a := range args {
		n, ok := a.(*column.Null)
		if !ok {
			inner[i] = a
			continue
		}
		inner[i] = n.Inner
		if keep == nil {
			keep = make([]uint8, rows)
			for j, null := range n.Nulls {
				keep[j] = 1 - null
			}
			continue
		}
		for j, null := range n.Nulls {
			keep[j] &= 1 - null
		}
	}
	groups, inner, rows = compact(groups, inner, rows, keep)
	if s.flagged {
		if groups == nil && rows > 0 {
			s.seen[0] = true
		}
		for _, g := range groups {
			s.seen[g] = true
		}
	}
	if rows == 0 {
		return nil
	}
	return s.inner.Add(groups, inner, rows)
}

// compact leaves only the rows whose keep byte is not 0; keep nil keeps all.
func compact(groups []uint32, args []column.Column, rows int, keep []uint8) ([]uint32, []column.Column, int) {
	if keep == nil {
		return groups, args, rows
	}
	n := column.Count(keep)
	if n == rows {
		return groups, args, rows
	}
	out := make([]column.Column, len(args))
	for i, a := range args {
		out[i] = a.Filter(keep, n)
	}
	if groups != nil {
		kept := make([]uint32, 0, n)
		for i, k := range keep {
			if k != 0 {
				kept = append(kept, groups[i])
			}
		}
		groups = kept
	}
	return groups, out, n
}

func (s *nullStates) Merge(other States, from, to []uint32) error {
	o := other.(*nullStates)
	for i, g := range to {
		s.seen[g] = s.seen[g] || o.seen[source(from, i)]
	}
	return s.inner.Merge(o.inner, from, to)
}

func flag(b bool) uint8 {
	if b {
		return 1
	}
	return 0
}

// MergeParallel implements ParallelMerger.
func (s *nullStates) MergeParallel(other States, from, to []uint32, run func(n int, f func(part int) error) error) error {
	o := other.(*nullStates)
	inner, ok := s.inner.(ParallelMerger)
	if !ok {
		return s.Merge(other, from, to)
	}
	for i, g := range to {
		s.seen[g] = s.seen[g] || o.seen[source(from, i)]
	}
	return inner.MergeParallel(o.inner, from, to, run)
}

func (s *nullStates) Save(buf []byte, group int) []byte {
	if s.flagged {
		some := s.plain || s.seen[group] // ClickHouse's counts of distinct values have the byte, and it is always 1
		buf = append(buf, flag(some))
		if !some {
			return buf
		}
	}
	return s.inner.Save(buf, group)
}

func (s *nullStates) Load(r *column.StateReader, group int) error {
	if s.flagged {
		if s.seen[group] = r.Bool(); !s.seen[group] {
			return r.Err()
		}
	}
	return s.inner.Load(r, group)
}

func (s *nullStates) Result(from, to int) (column.Column, error) {
	c, err := s.inner.Result(from, to)
	if err != nil || s.plain {
		return c, err
	}
	nulls := make([]uint8, to-from)
	for i, seen := range s.seen[from:to] {
		if !seen {
			nulls[i] = 1
		}
	}
	return &column.Null{T: s.t, Nulls: nulls, Inner: c}, nil
}

func (s *nullStates) Seal() { seal(s.inner) }

func (s *nullStates) Bytes() int { return cap(s.seen) + s.inner.Bytes() }

// onlyNull is any function over NULL itself: 0 for counts, NULL else.
func onlyNull(zero bool, params []column.Column, args []*column.Type) *Function {
	f := nothingOf("nothingNull", column.NewNullable(column.Of(column.Nothing)))
	if zero {
		f = nothingOf("nothingUInt64", column.Of(column.UInt64))
	}
	f.State, f.canon, f.Params, f.Args = f.Name, f.Name, params, args
	f.zeroOnNull = zero
	return f
}

func nothingOf(name string, t *column.Type) *Function {
	return &Function{Name: name, Type: t, unnamedParams: true, NewStates: func() States { return &nothing{t: t} }}
}

// bindNothing: nothing, nothingNull and nothingUInt64 read no rows.
func bindNothing(name string, _ []column.Column, args []*column.Type) (*Function, error) {
	t := column.NewNullable(column.Of(column.Nothing))
	switch {
	case name == "nothingUInt64":
		t = column.Of(column.UInt64)
	case name == "nothing" && len(args) > 0:
		t = args[0]
	}
	return nothingOf(name, t), nil
}

// nothing takes rows and answers the default.
type nothing struct{ t *column.Type }

func (s *nothing) Grow(int)                                 {}
func (s *nothing) Add([]uint32, []column.Column, int) error { return nil }
func (s *nothing) Merge(States, []uint32, []uint32) error   { return nil }
func (s *nothing) Save(buf []byte, _ int) []byte            { return append(buf, 0) }
func (s *nothing) Load(r *column.StateReader, _ int) error  { r.U8(); return r.Err() }
func (s *nothing) Bytes() int                               { return 0 }
func (s *nothing) Result(from, to int) (column.Column, error) {
	c := column.New(s.t, to-from)
	c.AppendDefault(to - from)
	return c, nil
}
