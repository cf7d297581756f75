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
	out.NewStates = distinctRows(f.NewStates, c.args, rawValue(c.args[0], true))
	return out, nil
}

// distinctRows makes states that give inner ones each row once.
func distinctRows(inner func() States, args []*column.Type, raw bool) func() States {
	return func() States {
		return &distinctStates{inner: inner(), types: args, raw: raw && len(args) == 1, cells: setCells, set: NewGrouper(append([]*column.Type{column.Of(column.UInt32)}, args...))}
	}
}

// distinctStates keeps (group, arguments...) once each and runs the function over them at the end.
type distinctStates struct {
	inner States
	types []*column.Type
	raw   bool // the only argument is written as it is
	set   Grouper
	n     int
	done  bool

	cells int    // of an empty table
	limit uint64 // rows of a group that count; 0 = all

	// The set's rows by group, once sealed, how many of a group count, once in order, and its columns.
	starts, rows, counts []uint32
	args                 []column.Column
}

func (s *distinctStates) Grow(n int) { s.n = max(s.n, n) }

func (s *distinctStates) Add(groups []uint32, args []column.Column, rows int) error {
	if groups == nil {
		groups = make([]uint32, rows)
	}
	return s.add(groups, args, rows)
}

func (s *distinctStates) add(groups []uint32, args []column.Column, rows int) error {
	if rows > 0 {
		s.set.Groups(append([]column.Column{column.UInt32s(groups...)}, args...), rows, make([]uint32, rows))
	}
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

// Merge takes all groups of the other in one pass over its set, or the rows of some as Seal has listed them.
func (s *distinctStates) Merge(other States, from, to []uint32) error {
	o := other.(*distinctStates)
	if o.listed() && len(to) < o.n {
		var groups, rows []uint32
		for i, g := range to {
			k := source(from, i)
			own := o.rows[o.starts[k]:o.starts[k+1]]
			rows = append(rows, own...)
			for range own {
				groups = append(groups, g)
			}
		}
		args := make([]column.Column, len(o.args))
		for i, c := range o.args {
			args[i] = c.Gather(rows)
		}
		return s.add(groups, args, len(rows))
	}
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
		return s.add(groups, args, rows)
	})
}

// Save writes the distinct rows: their number and their values.
func (s *distinctStates) Save(buf []byte, group int) []byte {
	s.index()
	list := s.of(group)
	buf = binary.AppendUvarint(buf, uint64(len(list)))
	for _, row := range list {
		buf = s.appendRow(buf, int(row))
	}
	return buf
}

// appendRow writes a row of the set.
func (s *distinctStates) appendRow(buf []byte, k int) []byte {
	args := s.args
	switch {
	case s.raw:
		return column.AppendNative(buf, args[0], k)
	case len(args) == 1:
		return appendSized(buf, args[0], k, true)
	}
	var row []byte
	for _, a := range args {
		row = column.AppendHashed(row, a, k)
	}
	return append(binary.AppendUvarint(buf, uint64(len(row))), row...)
}

// readRow reads what appendRow has written.
func (s *distinctStates) readRow(r *column.StateReader, args []column.Column) error {
	switch {
	case s.raw:
		return column.ReadNative(args[0], r)
	case len(args) == 1:
		return readSized(args[0], r, true)
	}
	row := column.NewStateReader(r.String())
	for _, a := range args {
		if err := r.Err(); err != nil {
			return err
		}
		if err := column.ReadHashed(a, row); err != nil {
			return r.Fail(err)
		}
	}
	if row.Len() > 0 {
		return r.Corrupt("A row of a state has %d bytes too many", row.Len())
	}
	return r.Err()
}

// listed tells whether the lists of rows by group are those of the set as it is.
func (s *distinctStates) listed() bool {
	return s.starts != nil && len(s.rows) == s.set.Len() && len(s.starts) == s.n+1
}

// Seal implements Sealer: it lists the rows of the set by group.
func (s *distinctStates) Seal() {
	if s.listed() {
		return
	}
	groups := make([]uint32, 0, s.set.Len())
	s.args = make([]column.Column, len(s.types))
	for i, t := range s.types {
		s.args[i] = column.New(t, s.set.Len())
	}
	for from := 0; from < s.set.Len(); from += column.MaxBlockRows {
		to := min(from+column.MaxBlockRows, s.set.Len())
		keys := s.set.Keys(from, to)
		groups = append(groups, keys[0].(*column.Num[uint32]).Data[:to-from]...)
		for i, k := range keys[1:] {
			s.args[i].AppendRange(k, 0, to-from)
		}
	}
	s.starts, s.rows = byGroup(groups, s.n)
	s.counts = nil
}

// index puts each group's rows in the order of ClickHouse's table, those that count.
func (s *distinctStates) index() {
	s.Seal()
	if s.counts != nil {
		return
	}
	s.counts = make([]uint32, s.n)
	hash := setHash(s.args, s.raw)
	var table setTable
	for g := range s.n {
		own := s.rows[s.starts[g]:s.starts[g+1]]
		if s.limit > 0 && uint64(len(own)) > s.limit {
			own = own[:s.limit]
		}
		s.counts[g] = uint32(len(own))
		if len(own) < 2 {
			continue
		}
		order := table.order(len(own), s.cells, func(i int) (uint64, bool) { return hash(own[i]) })
		for i, k := range order {
			order[i] = own[k]
		}
		copy(own, order)
	}
}

// of are the rows of a group.
func (s *distinctStates) of(group int) []uint32 {
	at := s.starts[group]
	return s.rows[at : at+s.counts[group]]
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
	for n := r.Count(1<<32-1, 1); n > 0; n-- {
		if err := s.readRow(r, args); err != nil {
			return err
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

func (s *distinctStates) Bytes() int {
	n := s.inner.Bytes() + s.set.Bytes() + 4*(cap(s.starts)+cap(s.rows)+cap(s.counts))
	for _, c := range s.args {
		n += c.Bytes()
	}
	return n
}
