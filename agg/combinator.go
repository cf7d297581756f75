package agg

import (
	"strings"

	"dictsvc/column"
	"dictsvc/errcode"
)

// combinator is a suffix of a function's name that changes how it takes rows or what it returns.
type combinator struct {
	suffix string
	bind   func(name, base string, params []column.Column, args []*column.Type) (*Function, error)
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
		{"If", bindIf},
		{"Distinct", bindDistinct},
		{"OrNull", bindOrNull},
		{"OrDefault", bindOrDefault},
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
	out.Name = name
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

func (s *ifStates) Merge(other States, groups []uint32) error {
	return s.inner.Merge(other.(*ifStates).inner, groups)
}
func (s *ifStates) Result(from, to int) (column.Column, error) { return s.inner.Result(from, to) }
func (s *ifStates) Bytes() int                                 { return s.inner.Bytes() }

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
		out.Name = name
		return &out, nil
	}
	f, err := bind(base, params, args)
	if err != nil {
		return nil, err
	}
	out := distinctRows(f, args)
	out.Name = name
	return out, nil
}

func distinctRows(f *Function, args []*column.Type) *Function {
	out := *f
	out.NewStates = func() States {
		return &distinctStates{inner: f.NewStates(), set: NewGrouper(append([]*column.Type{column.Of(column.UInt32)}, args...))}
	}
	return &out
}

// distinctStates keeps (group, arguments...) once each and runs the function over them at the end.
type distinctStates struct {
	inner States
	set   Grouper
	n     int
	done  bool
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

func (s *distinctStates) Merge(other States, groups []uint32) error {
	return other.(*distinctStates).each(func(old []uint32, args []column.Column, rows int) error {
		mapped := make([]uint32, rows)
		for i, g := range old {
			mapped[i] = groups[g]
		}
		return s.Add(mapped, args, rows)
	})
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
	out.Name = name
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

func (s *orNullStates) Merge(other States, groups []uint32) error {
	return s.nullStates.Merge(&other.(*orNullStates).nullStates, groups)
}

// bindOrDefault: the type's default where no row came (avg gives 0, not NaN).
func bindOrDefault(name, base string, params []column.Column, args []*column.Type) (*Function, error) {
	f, err := bind(base, params, args)
	if err != nil {
		return nil, err
	}
	out := *f
	out.Name = name
	out.NewStates = func() States {
		return &orDefaultStates{orNullStates{nullStates{inner: f.NewStates(), t: column.NewNullable(column.Of(column.UInt8))}}}
	}
	return &out, nil
}

type orDefaultStates struct{ orNullStates }

func (s *orDefaultStates) Merge(other States, groups []uint32) error {
	return s.nullStates.Merge(&other.(*orDefaultStates).nullStates, groups)
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
			out.AppendDefault(1)
		}
	}
	return out, nil
}
