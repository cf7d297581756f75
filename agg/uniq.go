package agg

import (
	"encoding/binary"

	"dictsvc/column"
	"dictsvc/errcode"
	"dictsvc/internal/siphash"
)

func bindUniqExact(name string, params []column.Column, args []*column.Type) (*Function, error) {
	if len(args) == 0 {
		return nil, errcode.New(errcode.NumberOfArgumentsDoesntMatch, "Incorrect number of arguments for aggregate function %s", name)
	}
	if err := noParams(name, params); err != nil {
		return nil, err
	}
	key := exactKey(args)
	return &Function{Name: name, Type: column.Of(column.UInt64), NewStates: func() States {
		return &uniqExact{key: key, hashed: key.Kind == column.UInt128 && args[0].Kind != column.UInt128, set: NewGrouper([]*column.Type{column.Of(column.UInt32), key})}
	}}, nil
}

// exactKey is what uniqExact keeps of a row: a single value of fixed width as it is, else a hash of 128 bits, as ClickHouse does.
func exactKey(args []*column.Type) *column.Type {
	if t := args[0]; len(args) == 1 && t.FixedWidth() > 0 && t.Kind != column.FixedString {
		return t
	}
	return column.Of(column.UInt128)
}

// uniqExact counts distinct values: a grouper over (group, key) keeps each pair once.
type uniqExact struct {
	key    *column.Type
	hashed bool // the key is a hash of the arguments
	n      []uint64
	set    Grouper
	ids    []uint32

	starts, rows []uint32 // the set's rows by group, for Save
}

func (s *uniqExact) Grow(n int) { s.n = grow(s.n, n) }

func (s *uniqExact) Add(groups []uint32, args []column.Column, rows int) error {
	if groups == nil {
		groups = make([]uint32, rows)
	}
	value := args[0]
	if s.hashed {
		value = hash128(args, rows)
	}
	s.add(groups, value, rows)
	return nil
}

// hash128 hashes rows as ClickHouse does: a string alone by its bytes; several values, or those of a tuple, one after another, strings
// among them behind their length of eight bytes.
func hash128(args []column.Column, rows int) column.Column {
	out := make([]column.U128, rows)
	if t, ok := args[0].(*column.Tup); ok && len(args) == 1 {
		args = t.Elems
	} else if len(args) == 1 {
		switch x := args[0].(type) {
		case *column.Str:
			for i := range out {
				out[i].Lo, out[i].Hi = siphash.Sum128(x.At(i))
			}
			return column.NewWide(column.Of(column.UInt128), out)
		case *column.FixedStr:
			for i := range out {
				out[i].Lo, out[i].Hi = siphash.Sum128(x.At(i))
			}
			return column.NewWide(column.Of(column.UInt128), out)
		}
	}
	var buf []byte
	for i := range out {
		buf = buf[:0]
		for _, a := range args {
			buf = column.AppendHashed(buf, a, i)
		}
		out[i].Lo, out[i].Hi = siphash.Sum128(buf)
	}
	return column.NewWide(column.Of(column.UInt128), out)
}

// add puts rows into the set and counts the new ones.
func (s *uniqExact) add(groups []uint32, value column.Column, rows int) {
	before := s.set.Len()
	s.ids = grow(s.ids[:0], rows)[:rows]
	s.set.Groups([]column.Column{column.UInt32s(groups...), value}, rows, s.ids)
	next := uint32(before)
	for i, id := range s.ids { // new pairs get the next numbers in the order of their rows
		if id == next {
			s.n[groups[i]]++
			next++
		}
	}
}

func (s *uniqExact) Merge(other States, from, to []uint32) error {
	o := other.(*uniqExact)
	target := targets(from, to, len(o.n))
	return o.each(func(old []uint32, value column.Column, rows int) error {
		mapped, keep := make([]uint32, rows), make([]uint8, rows)
		for i, g := range old {
			if t := target[g]; t != 0 {
				keep[i], mapped[i] = 1, t-1
			}
		}
		groups, list, rows := compact(mapped, []column.Column{value}, rows, keep)
		s.add(groups, list[0], rows)
		return nil
	})
}

// each gives the set's pairs block by block.
func (s *uniqExact) each(f func(groups []uint32, value column.Column, rows int) error) error {
	for from := 0; from < s.set.Len(); from += column.MaxBlockRows {
		to := min(from+column.MaxBlockRows, s.set.Len())
		keys := s.set.Keys(from, to)
		if err := f(keys[0].(*column.Num[uint32]).Data, keys[1], to-from); err != nil {
			return err
		}
	}
	return nil
}

// Seal lists the pairs by group.
func (s *uniqExact) Seal() {
	if s.starts != nil && len(s.rows) == s.set.Len() {
		return
	}
	groups := make([]uint32, 0, s.set.Len())
	s.each(func(g []uint32, _ column.Column, _ int) error {
		groups = append(groups, g...)
		return nil
	})
	s.starts, s.rows = byGroup(groups, len(s.n))
}

// Save writes the number of values and the values.
func (s *uniqExact) Save(buf []byte, group int) []byte {
	s.Seal()
	own := s.rows[s.starts[group]:s.starts[group+1]]
	buf = binary.AppendUvarint(buf, uint64(len(own)))
	for _, row := range own {
		buf = column.AppendNative(buf, s.set.Keys(int(row), int(row)+1)[1], 0)
	}
	return buf
}

func (s *uniqExact) Load(r *column.StateReader, group int) error {
	for n := r.Count(1<<32-1, s.key.FixedWidth()); n > 0; n -= min(n, column.MaxBlockRows) {
		k := min(n, column.MaxBlockRows)
		value := column.New(s.key, 0)
		for range k {
			if err := column.ReadNative(value, r); err != nil {
				return err
			}
		}
		groups := make([]uint32, k)
		for i := range groups {
			groups[i] = uint32(group)
		}
		s.add(groups, value, k)
	}
	return r.Err()
}

func (s *uniqExact) Result(from, to int) (column.Column, error) {
	return column.UInt64s(s.n[from:to:to]...), nil
}

func (s *uniqExact) Bytes() int { return 8*cap(s.n) + s.set.Bytes() }
