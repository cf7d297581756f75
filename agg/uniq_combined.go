package agg

import (
	"encoding/binary"
	"unsafe"

	"dictsvc/column"
	"dictsvc/errcode"
	"dictsvc/internal/cityhash"
	"dictsvc/internal/mem"
)

// uniqCombined counts distinct hashes in an array of 16, then in a hash table, then by HyperLogLog.

const (
	combinedSmall  uint8 = 1
	combinedMedium uint8 = 2
	combinedLarge  uint8 = 3

	combinedFirst = 16     // hashes in the array
	combinedTable = 1 << 8 // places of the first table
)

type hashWord interface{ uint32 | uint64 }

// combinedShape is what all sets of a function share.
type combinedShape[K hashWord] struct {
	log  logShape
	most int // hashes in the table
}

func shapeOf[K hashWord](precision int) *combinedShape[K] {
	width := sizeOf[K]()
	return &combinedShape[K]{log: logShape{precision, 8 * width}, most: 1 << (precision - 4 - width/8)}
}

// combined is the set of a group.
type combinedSet[K hashWord] struct {
	form    uint8 // 0 is combinedSmall too
	hasZero bool
	n       int32
	small   [combinedFirst]K
	table   []K // without the hash 0
	log     *hyperLogLog
}

func (s *combinedSet[K]) insert(h K, shape *combinedShape[K]) {
	switch s.form {
	case combinedLarge:
		s.log.raise(uint64(h)&uint64(len(s.log.ranks)-1), shape.log.rank(uint64(h)))
	case combinedMedium:
		if int(s.n) >= shape.most {
			s.toLarge(shape)
			s.insert(h, shape)
			return
		}
		s.put(h)
	default:
		for _, have := range s.small[:s.n] {
			if have == h {
				return
			}
		}
		if s.n < combinedFirst {
			s.small[s.n] = h
			s.n++
			return
		}
		s.toMedium()
		s.put(h)
	}
}

func (s *combinedSet[K]) put(h K) {
	if h == 0 {
		if !s.hasZero {
			s.hasZero = true
			s.n++
		}
		return
	}
	mask := K(len(s.table) - 1)
	at := h & mask
	for s.table[at] != 0 {
		if s.table[at] == h {
			return
		}
		at = (at + 1) & mask
	}
	s.table[at] = h
	if s.n++; int(s.n) > len(s.table)/2 {
		s.table = doubled(s.table, 0)
	}
}

func (s *combinedSet[K]) toMedium() {
	small, n := s.small, s.n
	s.form, s.n = combinedMedium, 0
	s.table = make([]K, combinedTable)
	for _, h := range small[:n] {
		s.put(h)
	}
}

func (s *combinedSet[K]) toLarge(shape *combinedShape[K]) {
	was := *s
	*s = combinedSet[K]{form: combinedLarge, log: shape.log.make()}
	was.each(func(h K) { s.insert(h, shape) })
}

// each calls f for every hash that the set still has, in the order of a state's bytes.
func (s *combinedSet[K]) each(f func(h K)) {
	if s.form <= combinedSmall {
		for _, h := range s.small[:s.n] {
			f(h)
		}
		return
	}
	if s.hasZero {
		f(0)
	}
	for _, h := range s.table {
		if h != 0 {
			f(h)
		}
	}
}

func (s *combinedSet[K]) merge(o *combinedSet[K], shape *combinedShape[K]) {
	if o.form > s.form {
		switch o.form {
		case combinedMedium:
			s.toMedium()
		case combinedLarge:
			s.toLarge(shape)
		}
	}
	if o.form == combinedLarge {
		s.log.merge(o.log)
		return
	}
	o.each(func(h K) { s.insert(h, shape) })
}

func (s *combinedSet[K]) bytes(shape *combinedShape[K]) int {
	if s.log != nil {
		return shape.log.bytes()
	}
	return len(s.table) * sizeOf[K]()
}

func bindUniqCombined(name string, params []column.Column, args []*column.Type) (*Function, error) {
	precision := uint64(17)
	if len(params) > 0 {
		if len(params) > 1 {
			return nil, errcode.New(errcode.NumberOfArgumentsDoesntMatch, "Aggregate function %s requires one parameter or less.", name)
		}
		p, ok := UintParam(params[0])
		if _, text := StringParam(params[0]); text {
			return nil, errcode.New(errcode.CannotConvertType, "Cannot convert String to unsigned long")
		}
		if !ok || p < 12 || p > 20 {
			return nil, errcode.New(errcode.ArgumentOutOfBound, "Parameter for aggregate function %s is out of range: [12, 20].", name)
		}
		precision = p
	}
	if err := noArguments(name, args); err != nil {
		return nil, err
	}
	kinds := hashKinds{number: finalize64, float: finalize64,
		u128: func(v column.U128) uint64 { return sipWords(v.Lo, v.Hi) },
		i128: func(v column.I128) uint64 { return finalize64(v.Lo ^ uint64(v.Hi)) },
		u256: func(v column.U256) uint64 { return finalize64(v.W[0] ^ v.W[1] ^ v.W[2]) },
		i256: func(v column.I256) uint64 { return finalize64(v.W[0] ^ v.W[1] ^ v.W[2]) },
		uuid: func(v column.UUIDValue) uint64 { return finalize64(v.Hi ^ v.Lo) },
		ipv6: func(v column.IPv6Value) uint64 { return cityhash.Sum64(v[:]) },
	}
	hash, whole := severalHash(args), name == "uniqCombined64"
	if len(args) == 1 {
		if own, ok := kinds.single(args[0]); ok {
			hash = own
			whole = whole || args[0].IsString() || args[0].Kind == column.IPv6
		}
	}
	states := combinedStates[uint32](hash, int(precision))
	if whole {
		states = combinedStates[uint64](hash, int(precision))
	}
	return &Function{Name: name, Type: column.Of(column.UInt64), NewStates: states}, nil
}

func combinedStates[K hashWord](hash rowHasher, precision int) func() States {
	shape := shapeOf[K](precision)
	return func() States { return &combinedSets[K]{hash: hash, shape: shape} }
}

type combinedSets[K hashWord] struct {
	hash  rowHasher
	shape *combinedShape[K]
	v     []combinedSet[K]
	held  int // bytes
	buf   []uint64
}

func (s *combinedSets[K]) Grow(n int) { s.v = grow(s.v, n) }

func (s *combinedSets[K]) Add(groups []uint32, args []column.Column, rows int) error {
	s.buf = s.hash(args, rows, s.buf)
	if groups == nil {
		s.addHashes(nil, s.buf)
		return nil
	}
	for from := 0; from < rows; from += batchRows {
		to := min(from+batchRows, rows)
		if s.held > cachedBytes {
			s.ahead(groups[from:to], s.buf[from:to])
		}
		s.addHashes(groups[from:to], s.buf[from:to])
	}
	return nil
}

// ahead asks for the place of each hash in its group's set.
func (s *combinedSets[K]) ahead(groups []uint32, hashes []uint64) {
	var at [batchRows]uint64
	n := 0
	for i, wide := range hashes {
		switch set := &s.v[groups[i]]; set.form {
		case combinedLarge:
			at[n] = uint64(uintptr(unsafe.Pointer(&set.log.ranks[wide&uint64(len(set.log.ranks)-1)])))
			n++
		case combinedMedium:
			at[n] = uint64(uintptr(unsafe.Pointer(&set.table[K(wide)&K(len(set.table)-1)])))
			n++
		}
	}
	mem.Prefetch(nil, at[:n], 0)
}

// addHashes adds the hashes of rows; groups nil is group 0.
func (s *combinedSets[K]) addHashes(groups []uint32, hashes []uint64) {
	log := s.shape.log
	g := uint32(0)
	for i, wide := range hashes {
		if groups != nil {
			g = groups[i]
		}
		set, h := &s.v[g], K(wide)
		if set.form == combinedLarge {
			ranks := set.log.ranks
			bucket := uint64(h) & uint64(len(ranks)-1)
			if rank := log.rank(uint64(h)); rank > ranks[bucket] {
				set.log.raise(bucket, rank)
			}
			continue
		}
		had := set.bytes(s.shape)
		set.insert(h, s.shape)
		s.held += set.bytes(s.shape) - had
	}
}

func (s *combinedSets[K]) Merge(other States, from, to []uint32) error {
	o := other.(*combinedSets[K])
	for i, g := range to {
		set := &s.v[g]
		had := set.bytes(s.shape)
		set.merge(&o.v[source(from, i)], s.shape)
		s.held += set.bytes(s.shape) - had
	}
	return nil
}

func (s *combinedSets[K]) Save(buf []byte, group int) []byte {
	set := &s.v[group]
	buf = append(buf, max(set.form, combinedSmall))
	if set.form == combinedLarge {
		return s.shape.log.save(buf, set.log)
	}
	buf = binary.AppendUvarint(buf, uint64(set.n))
	set.each(func(h K) { buf = append(buf, column.Raw([]K{h})...) })
	return buf
}

func (s *combinedSets[K]) Load(r *column.StateReader, group int) error {
	set := &s.v[group]
	defer func() { s.held += set.bytes(s.shape) }()
	form := r.U8()
	if err := r.Err(); err != nil {
		return err
	}
	most := combinedFirst
	switch form {
	case combinedLarge:
		if log := s.shape.log.load(r); log != nil {
			set.form, set.log = form, log
		}
		return r.Err()
	case combinedMedium:
		most = s.shape.most
		set.toMedium()
	case combinedSmall:
	default:
		return r.Corrupt("A set of uniqCombined of the unknown form %d", form)
	}
	n := r.Count(uint64(most), sizeOf[K]())
	return loadValues(r, n, func(list []K) {
		for _, h := range list {
			set.insert(h, s.shape)
		}
	})
}

func (s *combinedSets[K]) Result(from, to int) (column.Column, error) {
	out := make([]uint64, to-from)
	for i := range out {
		set := &s.v[from+i]
		out[i] = uint64(set.n)
		if set.form == combinedLarge {
			out[i] = s.shape.log.size(set.log)
		}
	}
	return column.UInt64s(out...), nil
}

func (s *combinedSets[K]) Bytes() int {
	return cap(s.v)*sizeOf[combinedSet[K]]() + s.held + 8*cap(s.buf)
}
