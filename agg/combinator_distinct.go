package agg

import (
	"encoding/binary"
	"slices"

	"dictsvc/column"
)

// bindDistinct: f over the distinct rows of its arguments.
func bindDistinct(c *combined) (*Function, error) {
	if len(c.args) == 0 {
		return nil, c.noArguments()
	}
	f, err := c.inner(c.params, c.args)
	if err != nil {
		return nil, err
	}
	out := c.function(f)
	out.NewStates = distinctRows(f.NewStates, c.args)
	return out, nil
}

// distinctRows makes states that give inner ones each row once.
func distinctRows(inner func() States, args []*column.Type) func() States {
	return func() States {
		return &distinctStates{inner: inner(), types: args, set: NewGrouper(append([]*column.Type{column.Of(column.UInt32)}, args...))}
	}
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
