package agg

import (
	"encoding/binary"
	"math"
	"math/bits"

	"dictsvc/column"
	"dictsvc/errcode"
)

// spaceSaving counts the most frequent keys in limited room (Filtered Space-Saving, with the merge of Parallel Space Saving) as ClickHouse does: when there are
// target counters, those behind the best capacity of them are given up and what they counted goes into alpha, by hash; a key that is not counted begins
// with its alpha, which is then its error.
type spaceSaving[K comparable] struct {
	list  []topCounter[K]
	slots []uint32 // open addressing by hash: the place in list + 1
	alpha []uint64 // nil while all are 0
}

type topCounter[K comparable] struct {
	key          K
	hash         uint32
	count, error uint64
}

// topOf is what a function does with its keys.
type topOf[K comparable] struct {
	*topParameters
	keys   func(c column.Column, rows int, buf *topBuffer[K]) []K
	hash   func(K) uint32
	own    func(K) K   // a key that lives on; nil where all do
	size   func(K) int // bytes that a key holds; nil for none
	save   func(buf []byte, k K) []byte
	load   func(r *column.StateReader) (K, error)
	column func(keys []K) (column.Column, error)
}

type topBuffer[K comparable] struct {
	keys  []K
	bytes []byte
	ends  []int
}

const (
	topRoom   = 64 // counters that there is room for at least
	topAlphas = 6  // alphas a counter, before the next power of two
	mostAlpha = math.MaxUint32
)

func (f *topOf[K]) target() int { return max(topRoom, 2*f.capacity) }

func (f *topOf[K]) alphas() int { return 1 << bits.Len(uint(topAlphas*f.capacity)) }

// better is the order of counters: by what is certain, then by what is counted.
func better[K comparable](a, b *topCounter[K]) bool {
	x, y := a.count-a.error, b.count-b.error
	return x > y || x == y && a.count > b.count
}

func (m *spaceSaving[K]) find(key K, hash uint32) *topCounter[K] {
	if len(m.slots) == 0 {
		return nil
	}
	mask := uint32(len(m.slots) - 1)
	for at := hash & mask; m.slots[at] != 0; at = (at + 1) & mask {
		if c := &m.list[m.slots[at]-1]; c.hash == hash && c.key == key {
			return c
		}
	}
	return nil
}

// index puts the counter at a place of the list into the table unless one of its key is there.
func (m *spaceSaving[K]) index(place int) {
	c := &m.list[place]
	mask := uint32(len(m.slots) - 1)
	at := c.hash & mask
	for ; m.slots[at] != 0; at = (at + 1) & mask {
		if o := &m.list[m.slots[at]-1]; o.hash == c.hash && o.key == c.key {
			return
		}
	}
	m.slots[at] = uint32(place + 1)
}

// reindex makes the table of all counters, at least half of it empty.
func (m *spaceSaving[K]) reindex() {
	n := 1 << bits.Len(uint(2*len(m.list)+7))
	if n <= len(m.slots) {
		clear(m.slots)
	} else {
		m.slots = make([]uint32, n)
	}
	for i := range m.list {
		m.index(i)
	}
}

func (s *topStates[K]) insert(m *spaceSaving[K], key K, by uint64) {
	f := s.f
	hash := f.hash(key)
	if c := m.find(key, hash); c != nil {
		c.count += by
		return
	}
	known := uint64(0)
	if m.alpha != nil && len(m.list) >= f.capacity {
		known = m.alpha[hash&uint32(len(m.alpha)-1)]
	}
	if f.own != nil {
		key = f.own(key)
	}
	s.push(m, topCounter[K]{key, hash, by + known, known})
	if len(m.list) >= f.target() {
		s.truncate(m)
		m.reindex()
	} else if 2*len(m.list) > len(m.slots) {
		m.reindex()
	} else {
		m.index(len(m.list) - 1)
	}
}

func (s *topStates[K]) push(m *spaceSaving[K], c topCounter[K]) {
	was := cap(m.list)
	m.list = append(m.list, c)
	s.held += (cap(m.list) - was) * sizeOf[topCounter[K]]()
	if s.f.size != nil {
		s.held += s.f.size(c.key)
	}
}

// truncate gives up the counters behind the best.
func (s *topStates[K]) truncate(m *spaceSaving[K]) {
	f := s.f
	if len(m.list) < f.target() {
		return
	}
	(&tieOrder[topCounter[K]]{m.list, better[K]}).nth(f.capacity)
	if m.alpha == nil {
		m.alpha = make([]uint64, f.alphas())
		s.held += 8 * len(m.alpha)
	}
	mask := uint32(len(m.alpha) - 1)
	for i := f.capacity; i < len(m.list); i++ {
		c := &m.list[i]
		a := &m.alpha[c.hash&mask]
		*a = min(*a+c.count-c.error, mostAlpha)
		if f.size != nil {
			s.held -= f.size(c.key)
		}
	}
	clear(m.list[f.capacity:])
	m.list = m.list[:f.capacity]
}

func greatest(v []uint64) uint64 {
	most := uint64(0)
	for _, x := range v {
		most = max(most, x)
	}
	return most
}

func (s *topStates[K]) merge(m, o *spaceSaving[K]) {
	if len(o.list) == 0 {
		return
	}
	var most, others uint64 // what a key that one side does not know may have had there
	if len(m.list) >= s.f.capacity {
		most = greatest(m.alpha)
	}
	if len(o.list) >= s.f.capacity && len(m.list) > 0 {
		others = greatest(o.alpha)
	}
	for i := range m.list {
		m.list[i].count += others
		m.list[i].error += others
	}
	for i := range o.list {
		c := &o.list[i]
		if own := m.find(c.key, c.hash); own != nil {
			own.count += c.count - others
			own.error += c.error - others
			continue
		}
		s.push(m, topCounter[K]{c.key, c.hash, c.count + most, c.error + most})
	}
	if o.alpha != nil {
		if m.alpha == nil {
			m.alpha = make([]uint64, len(o.alpha))
			s.held += 8 * len(m.alpha)
		}
		for i, a := range o.alpha {
			m.alpha[i] = min(m.alpha[i]+a, mostAlpha)
		}
	}
	s.truncate(m)
	m.reindex()
}

// best are the n best counters in their order.
func (m *spaceSaving[K]) best(n int) []topCounter[K] {
	list := append([]topCounter[K](nil), m.list...)
	n = min(n, len(list))
	(&tieOrder[topCounter[K]]{list, better[K]}).partialSort(n)
	return list[:n]
}

// topStates are the States of topK and its like.
type topStates[K comparable] struct {
	f       *topOf[K]
	sets    []spaceSaving[K]
	held    int
	buf     topBuffer[K]
	amounts floatBuffer[uint64]
}

func (f *topOf[K]) states() States { return &topStates[K]{f: f} }

func (s *topStates[K]) Grow(n int) { s.sets = grow(s.sets, n) }

func (s *topStates[K]) Add(groups []uint32, args []column.Column, rows int) error {
	keys := s.f.keys(args[0], rows, &s.buf)
	var amounts []uint64
	if s.f.weighted {
		amounts = s.amounts.of(args[1], rows)
	}
	g, by := uint32(0), uint64(1)
	for i, k := range keys {
		if groups != nil {
			g = groups[i]
		}
		if amounts != nil {
			by = amounts[i]
		}
		s.insert(&s.sets[g], k, by)
	}
	return nil
}

func (s *topStates[K]) Merge(other States, from, to []uint32) error {
	o := other.(*topStates[K])
	for i, g := range to {
		s.merge(&s.sets[g], &o.sets[source(from, i)])
	}
	return nil
}

func (s *topStates[K]) Save(buf []byte, group int) []byte {
	m := &s.sets[group]
	list := m.best(s.f.capacity)
	buf = binary.AppendUvarint(buf, uint64(len(list)))
	for i := range list {
		c := &list[i]
		buf = s.f.save(buf, c.key)
		buf = binary.AppendUvarint(buf, c.count)
		buf = binary.AppendUvarint(buf, c.error)
	}
	if len(list) == 0 {
		return append(buf, 0)
	}
	buf = binary.AppendUvarint(buf, uint64(s.f.alphas()))
	if m.alpha == nil {
		return append(buf, make([]byte, s.f.alphas())...)
	}
	for _, a := range m.alpha {
		buf = binary.AppendUvarint(buf, a)
	}
	return buf
}

func (s *topStates[K]) Load(r *column.StateReader, group int) error {
	m := &s.sets[group]
	n := r.Uvarint()
	if n > uint64(s.f.capacity) {
		return r.Fail(errcode.New(errcode.TooLargeArraySize, "Found too large when reading counters (Passed: %d. Maximum: %d)", n, s.f.capacity))
	}
	for range n {
		key, err := s.f.load(r)
		if err != nil {
			return err
		}
		c := topCounter[K]{key: key, hash: s.f.hash(key), count: r.Uvarint(), error: r.Uvarint()}
		if err := r.Err(); err != nil {
			return err
		}
		s.push(m, c)
	}
	alphas := r.Uvarint()
	if n > 0 && r.Err() == nil && alphas != uint64(s.f.alphas()) {
		return r.Fail(errcode.New(errcode.SizesOfArraysDontMatch, "Found incorrect alpha vector size (Passed: %d. Expected: %d)", alphas, s.f.alphas()))
	}
	if err := s.loadAlpha(r, m, alphas); err != nil || n == 0 {
		return err
	}
	s.truncate(m)
	m.reindex()
	return nil
}

// loadAlpha reads the alphas. Room for them is made as they come; that of a state without counters is left out, whatever it is.
func (s *topStates[K]) loadAlpha(r *column.StateReader, m *spaceSaving[K], n uint64) error {
	var alpha []uint64
	some := false
	for range n {
		a := r.Uvarint()
		if err := r.Err(); err != nil {
			return err
		}
		if len(m.list) > 0 {
			alpha = append(alpha, a)
			some = some || a != 0
		}
	}
	if some {
		m.alpha = alpha
		s.held += 8 * cap(alpha)
	}
	return r.Err()
}

func (s *topStates[K]) Result(from, to int) (column.Column, error) {
	var keys []K
	var counts, errors []uint64
	ends := make([]uint64, to-from)
	for i := range ends {
		for _, c := range s.sets[from+i].best(s.f.n) {
			keys = append(keys, c.key)
			counts = append(counts, c.count)
			errors = append(errors, c.error)
		}
		ends[i] = uint64(len(keys))
	}
	elem, err := s.f.column(keys)
	if err != nil {
		return nil, err
	}
	if s.f.counts {
		elem = &column.Tup{T: s.f.t.Elems[0], N: len(keys), Elems: []column.Column{elem, column.UInt64s(counts...), column.UInt64s(errors...)}}
	}
	return &column.Arr{T: s.f.t, Ends: ends, Elem: elem}, nil
}

func (s *topStates[K]) Bytes() int {
	n := cap(s.sets)*sizeOf[spaceSaving[K]]() + s.held + cap(s.buf.keys)*sizeOf[K]() + cap(s.buf.bytes) + 8*cap(s.buf.ends)
	return n + s.held/8 // the tables of counters
}
