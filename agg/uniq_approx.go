package agg

import (
	"encoding/binary"
	"math/bits"

	"dictsvc/column"
	"dictsvc/internal/cityhash"
)

// uniq counts distinct values by a set of hashes of 32 bits that keeps at most 65,536 of them: when there are more, those that do not end in a
// zero bit (then two, three) go, and the count is of those that are left times the share that they stand for (BJKST). The table's layout is
// part of the states' format.

const (
	uniqueMost     = 1 << 16 // hashes kept
	uniqueFirst    = 4       // the first table has 2^4 places
	uniquePlace    = 15      // a hash's place is taken from the bits from here on
	uniqueMostSkip = 16
)

// uniqueSet is the set of a group.
type uniqueSet struct {
	table   []uint32 // 0 is free
	n       uint32   // the hash 0 included
	skip    uint8
	hasZero bool
}

func (s *uniqueSet) good(h uint32) bool { return h == h>>s.skip<<s.skip }

func (s *uniqueSet) insert(h uint32) {
	if !s.good(h) {
		return
	}
	if s.put(h) && s.n > uint32(len(s.table)/2) {
		s.shrink()
	}
}

// put puts a hash into the table and tells whether it is new.
func (s *uniqueSet) put(h uint32) bool {
	if h == 0 {
		if s.hasZero {
			return false
		}
		s.hasZero = true
		s.n++
		if s.table == nil {
			s.table = make([]uint32, 1<<uniqueFirst)
		}
		return true
	}
	if s.table == nil {
		s.table = make([]uint32, 1<<uniqueFirst)
	}
	mask := uint32(len(s.table) - 1)
	at := h >> uniquePlace & mask
	for s.table[at] != 0 {
		if s.table[at] == h {
			return false
		}
		at = (at + 1) & mask
	}
	s.table[at] = h
	s.n++
	return true
}

// shrink makes room: a larger table, or fewer hashes once the largest is half full.
func (s *uniqueSet) shrink() {
	if s.n <= uniqueMost {
		s.table = doubled(s.table, uniquePlace)
		return
	}
	for s.n > uniqueMost && s.skip < uniqueMostSkip {
		s.skip++
		s.thin()
	}
}

// reseat takes the hash at a place of a table out and puts it back at the first free place from its own on: where it stays unless that is nearer.
// A hash's own place is taken from its bits from shift on.
func reseat[K hashWord](table []K, i, shift int) {
	h := table[i]
	table[i] = 0
	mask := K(len(table) - 1)
	at := h >> shift & mask
	for table[at] != 0 {
		at = (at + 1) & mask
	}
	table[at] = h
}

// doubled is a table of twice the size with the same hashes. The order of the places is the order of a state's bytes, so the hashes move one by one within the
// larger table, those behind the old end last: a chain may have gone over it.
func doubled[K hashWord](old []K, shift int) []K {
	table := append(make([]K, 0, 2*len(old)), old...)[:2*len(old)]
	for i := 0; i < len(old) || table[i] != 0; i++ {
		if table[i] != 0 {
			reseat(table, i, shift)
		}
	}
	return table
}

// thin drops the hashes that do not end in skip zero bits and closes the gaps in their chains; the first chain may begin at the table's end and is gone through twice.
func (s *uniqueSet) thin() {
	for i, h := range s.table {
		if h != 0 && !s.good(h) {
			s.table[i] = 0
			s.n--
		} else if h != 0 {
			reseat(s.table, i, uniquePlace)
		}
	}
	for i := 0; i < len(s.table) && s.table[i] != 0; i++ {
		reseat(s.table, i, uniquePlace)
	}
}

func (s *uniqueSet) merge(o *uniqueSet) {
	if o.skip > s.skip {
		s.skip = o.skip
		s.thin()
	}
	if o.hasZero {
		s.insert(0)
	}
	for _, h := range o.table {
		if h != 0 {
			s.insert(h)
		}
	}
}

func (s *uniqueSet) size() uint64 {
	if s.skip == 0 {
		return uint64(s.n)
	}
	n := uint64(s.n) << s.skip
	n += crcKey(uint64(s.n)) & (1<<s.skip - 1)
	return tableCorrection(n)
}

func (s *uniqueSet) save(buf []byte) []byte {
	buf = binary.AppendUvarint(append(buf, s.skip), uint64(s.n))
	if s.hasZero {
		buf = append(buf, 0, 0, 0, 0)
	}
	for _, h := range s.table {
		if h != 0 {
			buf = binary.LittleEndian.AppendUint32(buf, h)
		}
	}
	return buf
}

func (s *uniqueSet) load(r *column.StateReader) error {
	skip := r.U8()
	if skip > uniqueMostSkip {
		return r.Corrupt("A state of uniq skips %d bits, more than %d", skip, uniqueMostSkip)
	}
	n := int(r.Count(uniqueMost, 4))
	if err := r.Err(); err != nil {
		return err
	}
	raw := r.Bytes(4 * n)
	if err := r.Err(); err != nil {
		return err
	}
	// At most half full, and never less than the first table.
	degree := max(uniqueFirst, bits.Len(uint(max(n, 1)-1))+1)
	s.skip = skip
	s.table = make([]uint32, 1<<degree)
	for ; len(raw) > 0; raw = raw[4:] {
		s.put(binary.LittleEndian.Uint32(raw))
	}
	return nil
}

func bindUniq(name string, params []column.Column, args []*column.Type) (*Function, error) {
	if err := noParams(name, params); err != nil {
		return nil, err
	}
	if err := noArguments(name, args); err != nil {
		return nil, err
	}
	twice := func(x uint64) uint64 { return finalize64(finalize64(x)) }
	kinds := hashKinds{number: finalize64, float: finalize64,
		u128: func(v column.U128) uint64 { return twice(v.Lo ^ v.Hi) },
		i128: func(v column.I128) uint64 { return twice(v.Lo ^ uint64(v.Hi)) },
		u256: func(v column.U256) uint64 { return twice(v.W[0] ^ v.W[1] ^ v.W[2]) },
		i256: func(v column.I256) uint64 { return twice(v.W[0] ^ v.W[1] ^ v.W[2]) },
		uuid: func(v column.UUIDValue) uint64 { return twice(v.Hi ^ v.Lo) },
		ipv6: func(v column.IPv6Value) uint64 { return finalize64(cityhash.Sum64(v[:])) },
	}
	hash := severalHash(args)
	if len(args) == 1 {
		if own, ok := kinds.single(args[0]); ok {
			hash = own
			if args[0].IsString() {
				hash = func(args []column.Column, rows int, buf []uint64) []uint64 {
					out := stringHash(args, rows, buf)
					for i, h := range out {
						out[i] = finalize64(h)
					}
					return out
				}
			}
		}
	}
	return &Function{Name: name, Type: column.Of(column.UInt64), NewStates: func() States { return &uniqueSets{hash: hash} }}, nil
}

type uniqueSets struct {
	hash rowHasher
	v    []uniqueSet
	held int // places of all tables
	buf  []uint64
}

func (s *uniqueSets) Grow(n int) { s.v = grow(s.v, n) }

func (s *uniqueSets) Add(groups []uint32, args []column.Column, rows int) error {
	s.buf = s.hash(args, rows, s.buf)
	if groups == nil {
		set := &s.v[0]
		had := len(set.table)
		for _, h := range s.buf {
			set.insert(uint32(h))
		}
		s.held += len(set.table) - had
		return nil
	}
	for i, g := range groups {
		set := &s.v[g]
		had := len(set.table)
		set.insert(uint32(s.buf[i]))
		s.held += len(set.table) - had
	}
	return nil
}

func (s *uniqueSets) Merge(other States, from, to []uint32) error {
	o := other.(*uniqueSets)
	for i, g := range to {
		set := &s.v[g]
		had := len(set.table)
		set.merge(&o.v[source(from, i)])
		s.held += len(set.table) - had
	}
	return nil
}

func (s *uniqueSets) Save(buf []byte, group int) []byte { return s.v[group].save(buf) }

func (s *uniqueSets) Load(r *column.StateReader, group int) error {
	err := s.v[group].load(r)
	s.held += len(s.v[group].table)
	return err
}

func (s *uniqueSets) Result(from, to int) (column.Column, error) {
	out := make([]uint64, to-from)
	for i := range out {
		out[i] = s.v[from+i].size()
	}
	return column.UInt64s(out...), nil
}

func (s *uniqueSets) Bytes() int { return cap(s.v)*sizeOf[uniqueSet]() + 4*s.held + 8*cap(s.buf) }
