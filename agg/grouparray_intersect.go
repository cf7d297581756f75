package agg

import (
	"encoding/binary"
	"hash/crc32"

	"dictsvc/column"
	"dictsvc/errcode"
)

// bindGroupArrayIntersect: the values that all arrays of a group have, in the order of ClickHouse's hash table.
func bindGroupArrayIntersect(name string, params []column.Column, args []*column.Type) (*Function, error) {
	if err := oneArgument(name, args); err != nil {
		return nil, err
	}
	if len(params) != 0 {
		return nil, errcode.New(errcode.NumberOfArgumentsDoesntMatch, "Incorrect number of parameters for aggregate function %s, should be 0", name)
	}
	t := args[0]
	if t.Kind != column.Array {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "Aggregate function %s accepts only array type argument", name)
	}
	raw := intersectsRaw(t.Elems[0])
	return &Function{Name: name, Type: t, OrderSensitive: true, NewStates: func() States { return &intersections{t: t, raw: raw} }}, nil
}

// intersectsRaw tells whether values of a type are numbers, held and hashed as they are; all else goes by its bytes.
func intersectsRaw(t *column.Type) bool {
	return t.IsInteger() || t.IsFloat() || t.IsEnum() || t.Kind == column.Bool
}

// intersections are each group's values by their bytes, in the order they came in, and the number of arrays.
type intersections struct {
	t      *column.Type
	raw    bool
	sets   []keySet
	arrays []uint64
	size   int
	buf    []byte
}

// keySet is a set of byte strings that remembers their order.
type keySet struct {
	keys []string
	at   map[string]struct{}
}

func (s *keySet) add(key string) {
	if _, ok := s.at[key]; ok {
		return
	}
	if s.at == nil {
		s.at = map[string]struct{}{}
	}
	s.at[key] = struct{}{}
	s.keys = append(s.keys, key)
}

func (s *keySet) bytes() int {
	n := 0
	for _, k := range s.keys {
		n += len(k) + 64
	}
	return n
}

func (s *intersections) Grow(n int) { s.sets, s.arrays = grow(s.sets, n), grow(s.arrays, n) }

// key is an element's bytes, valid until the next call: those of its value where they have one width, else of its image.
func (s *intersections) key(c column.Column, row int) []byte {
	if s.fixed() {
		s.buf = column.AppendNative(s.buf[:0], c, row)
	} else {
		s.buf = column.AppendHashed(s.buf[:0], c, row)
	}
	return s.buf
}

func (s *intersections) fixed() bool {
	t := s.t.Elems[0]
	return t.Kind != column.Nullable && (t.FixedWidth() > 0 || t.Kind == column.FixedString)
}

func (s *intersections) set(g uint32, set keySet) {
	s.size += set.bytes() - s.sets[g].bytes()
	s.sets[g] = set
}

func (s *intersections) Add(groups []uint32, args []column.Column, rows int) error {
	arr := args[0].(*column.Arr)
	g := uint32(0)
	for i := range rows {
		if groups != nil {
			g = groups[i]
		}
		s.arrays[g]++
		from, to := arr.Range(i)
		var set keySet
		switch {
		case s.arrays[g] == 1:
			for ; from < to; from++ {
				set.add(string(s.key(arr.Elem, from)))
			}
		case len(s.sets[g].keys) == 0:
			continue
		default:
			for ; from < to; from++ {
				key := s.key(arr.Elem, from)
				if _, ok := s.sets[g].at[string(key)]; ok {
					set.add(string(key))
				}
			}
		}
		s.set(g, set)
	}
	return nil
}

func (s *intersections) Merge(other States, from, to []uint32) error {
	o := other.(*intersections)
	for i, g := range to {
		k := source(from, i)
		if o.arrays[k] == 0 {
			continue
		}
		s.arrays[g]++
		var set keySet
		if s.arrays[g] == 1 {
			for _, key := range o.ordered(&o.sets[k]) {
				set.add(key)
			}
		} else {
			a, b := &s.sets[g], &o.sets[k]
			if s.raw && len(b.keys) < len(a.keys) {
				a, b = b, a
			}
			for _, key := range s.ordered(a) {
				if _, ok := b.at[key]; ok {
					set.add(key)
				}
			}
		}
		s.set(g, set)
	}
	return nil
}

// ordered are a set's values in the order of ClickHouse's table.
func (s *intersections) ordered(set *keySet) []string {
	kind := s.t.Elems[0].Kind
	castagnoli := crc32.MakeTable(crc32.Castagnoli)
	var t setTable
	order := t.order(len(set.keys), intersectCells, func(i int) (uint64, bool) {
		if s.raw {
			return numberHash(kind, []byte(set.keys[i]))
		}
		return bytesHash([]byte(set.keys[i]), castagnoli)
	})
	out := make([]string, len(order))
	for i, at := range order {
		out[i] = set.keys[at]
	}
	return out
}

// intersectCells is how many cells the table begins with.
const intersectCells = 256

func (s *intersections) Save(buf []byte, group int) []byte {
	buf = binary.AppendUvarint(buf, s.arrays[group])
	set := &s.sets[group]
	buf = binary.AppendUvarint(buf, uint64(len(set.keys)))
	for _, key := range s.ordered(set) {
		if !s.raw {
			buf = binary.AppendUvarint(buf, uint64(len(key)))
		}
		buf = append(buf, key...)
	}
	return buf
}

// intersectMost is how many values a state may have.
const intersectMost = 100000000

func (s *intersections) Load(r *column.StateReader, group int) error {
	s.arrays[group] = r.Uvarint()
	n := r.Uvarint()
	if n > intersectMost {
		return r.Fail(errcode.New(errcode.TooLargeArraySize, "Too large array size (%d) in groupArrayIntersect deserialization", n))
	}
	one := column.New(s.t.Elems[0], 1)
	var set keySet
	for ; n > 0 && r.Err() == nil; n-- {
		if s.raw {
			set.add(string(r.Bytes(s.t.Elems[0].FixedWidth())))
			continue
		}
		key := string(r.String())
		if err := r.Err(); err != nil {
			return err
		}
		one.Truncate(0)
		if err := s.read(one, key); err != nil {
			return r.Fail(err)
		}
		set.add(key)
	}
	s.set(uint32(group), set)
	return r.Err()
}

// read appends the value whose bytes key has.
func (s *intersections) read(c column.Column, key string) error {
	r := column.NewStateReader([]byte(key))
	read := column.ReadHashed
	if s.fixed() {
		read = column.ReadNative
	}
	if err := read(c, r); err != nil {
		return err
	}
	if r.Len() > 0 {
		return r.Corrupt("A value of a state has %d bytes too many", r.Len())
	}
	return nil
}

func (s *intersections) Result(from, to int) (column.Column, error) {
	out := column.New(s.t, to-from).(*column.Arr)
	for g := from; g < to; g++ {
		for _, key := range s.ordered(&s.sets[g]) {
			if err := s.read(out.Elem, key); err != nil {
				return nil, err
			}
		}
		out.EndRow()
	}
	return out, nil
}

func (s *intersections) Bytes() int { return s.size + 32*cap(s.sets) + 8*cap(s.arrays) }
