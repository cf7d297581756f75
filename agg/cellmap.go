package agg

import (
	"encoding/binary"

	"dictsvc/column"
)

// cellMap is ClickHouse's hash map from a key to a weight, as several functions hold their values: what it iterates over, and so the bytes of states, comes in
// the order of its cells. A zero key stands apart and comes first. It starts with 16 cells and grows fourfold at half load (twofold from 2^23 cells on).
type cellMap[K comparable] struct {
	cells   []cell[K]
	n       int // the zero key included
	hasZero bool
	zero    uint64
}

type cell[K comparable] struct {
	key   K
	value uint64
}

const cellMapFirst = 16

// add adds weight to the value of a key, which is there afterwards. hash is of the key; rehash gives those of keys inside when the map grows.
func (m *cellMap[K]) add(key K, hash, weight uint64, rehash func(K) uint64) {
	var zero K
	if key == zero {
		if !m.hasZero {
			m.hasZero = true
			m.n++
		}
		m.zero += weight
		return
	}
	if m.cells == nil {
		m.cells = make([]cell[K], cellMapFirst)
	}
	mask := uint64(len(m.cells) - 1)
	at := hash & mask
	for {
		c := &m.cells[at]
		if c.key == key {
			c.value += weight
			return
		}
		if c.key == zero {
			c.key, c.value = key, weight
			break
		}
		at = (at + 1) & mask
	}
	m.n++
	if m.n > len(m.cells)/2 {
		m.resize(rehash)
	}
}

// resize moves cells in the order that ClickHouse does, in place.
func (m *cellMap[K]) resize(rehash func(K) uint64) {
	old := len(m.cells)
	size := 4 * old
	if old >= 1<<23 {
		size = 2 * old
	}
	cells := make([]cell[K], size)
	copy(cells, m.cells)
	m.cells = cells
	var zero K
	mask := uint64(size - 1)
	for i := 0; i < old || cells[i].key != zero; i++ {
		c := cells[i]
		if c.key == zero {
			continue
		}
		at := rehash(c.key) & mask
		for at != uint64(i) && cells[at].key != zero {
			at = (at + 1) & mask
		}
		if at == uint64(i) {
			continue
		}
		cells[at] = c
		cells[i] = cell[K]{}
	}
}

// each calls f for every key in ClickHouse's order.
func (m *cellMap[K]) each(f func(key K, value uint64)) {
	var zero K
	if m.hasZero {
		f(zero, m.zero)
	}
	for i := range m.cells {
		if c := &m.cells[i]; c.key != zero {
			f(c.key, c.value)
		}
	}
}

// merge adds another's weights in its order.
func (m *cellMap[K]) merge(o *cellMap[K], rehash func(K) uint64) {
	o.each(func(key K, value uint64) { m.add(key, rehash(key), value, rehash) })
}

func (m *cellMap[K]) save(buf []byte) []byte {
	buf = binary.AppendUvarint(buf, uint64(m.n))
	m.each(func(key K, value uint64) {
		buf = append(buf, column.Raw([]K{key})...)
		buf = binary.LittleEndian.AppendUint64(buf, value)
	})
	return buf
}

// load reads cells one by one as they come; a key that comes twice keeps its last value, as in ClickHouse.
func (m *cellMap[K]) load(r *column.StateReader, rehash func(K) uint64) error {
	width := sizeOf[K]()
	for n := r.Count(1<<32-1, width+8); n > 0; n-- {
		var one [1]K
		copy(column.Raw(one[:]), r.Bytes(width))
		value := r.U64()
		if err := r.Err(); err != nil {
			return err
		}
		key := one[0]
		m.add(key, rehash(key), 0, rehash)
		m.set(key, rehash(key), value)
	}
	return r.Err()
}

func (m *cellMap[K]) set(key K, hash, value uint64) {
	var zero K
	if key == zero {
		m.zero = value
		return
	}
	mask := uint64(len(m.cells) - 1)
	at := hash & mask
	for m.cells[at].key != key {
		at = (at + 1) & mask
	}
	m.cells[at].value = value
}
