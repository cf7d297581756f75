package agg

import (
	"encoding/binary"

	"dictsvc/column"
)

// weights are States that keep how often, or with what weight, each value came: entropy and the weighted quantiles.
type weights[K comparable] struct {
	f       *weightsOf[K]
	maps    []cellMap[K]
	held    int // cells
	keys    []K
	amounts floatBuffer[uint64]
}

// weightsOf is what a function does with them.
type weightsOf[K comparable] struct {
	// keys gives the rows' keys, in buf where they have to be made, and the rows to leave out (a byte a row, nil for none).
	keys     func(args []column.Column, rows int, buf []K) (keys []K, skip []uint8)
	hash     func(K) uint64
	weighted bool // the second argument is the weight of a row
	positive bool // rows of weight 0 are left out
	result   func(maps []cellMap[K]) (column.Column, error)
}

func (f *weightsOf[K]) states() States { return &weights[K]{f: f} }

func (s *weights[K]) Grow(n int) { s.maps = grow(s.maps, n) }

func (s *weights[K]) Add(groups []uint32, args []column.Column, rows int) error {
	keys, skip := s.f.keys(args, rows, s.keys)
	s.keys = keys
	var amounts []uint64
	if s.f.weighted {
		amounts = s.amounts.of(args[1], rows)
	}
	g, amount := uint32(0), uint64(1)
	for i, k := range keys {
		if skip != nil && skip[i] != 0 {
			continue
		}
		if groups != nil {
			g = groups[i]
		}
		if amounts != nil {
			if amount = amounts[i]; amount == 0 && s.f.positive {
				continue
			}
		}
		m := &s.maps[g]
		had := len(m.cells)
		m.add(k, s.f.hash(k), amount, s.f.hash)
		s.held += len(m.cells) - had
	}
	return nil
}

func (s *weights[K]) Merge(other States, from, to []uint32) error {
	o := other.(*weights[K])
	for i, g := range to {
		m := &s.maps[g]
		had := len(m.cells)
		m.merge(&o.maps[source(from, i)], s.f.hash)
		s.held += len(m.cells) - had
	}
	return nil
}

func (s *weights[K]) Save(buf []byte, group int) []byte { return s.maps[group].save(buf) }

func (s *weights[K]) Load(r *column.StateReader, group int) error {
	m := &s.maps[group]
	had := len(m.cells)
	err := m.load(r, s.f.hash)
	s.held += len(m.cells) - had
	return err
}

func (s *weights[K]) Result(from, to int) (column.Column, error) { return s.f.result(s.maps[from:to]) }

func (s *weights[K]) Bytes() int {
	return cap(s.maps)*sizeOf[cellMap[K]]() + s.held*sizeOf[cell[K]]() + cap(s.keys)*sizeOf[K]()
}

// numberKeys are the keys of a column of numbers: the values' bits, zeros and NaNs of floats as ClickHouse tells them apart.
func numberKeys[T column.Number, K uint8 | uint16 | uint32 | uint64](args []column.Column, rows int, buf []K) (keys []K, skip []uint8) {
	data := args[0].(*column.Num[T]).Data[:rows]
	if cap(buf) < rows {
		buf = make([]K, rows)
	}
	keys = buf[:rows]
	if T(1)/2 == 0 {
		for i, v := range data {
			keys[i] = K(v)
		}
		return keys, nil
	}
	for i, v := range data {
		switch {
		case v == 0:
			keys[i] = 0
			continue
		case v != v:
			if skip == nil {
				skip = make([]uint8, rows)
			}
			skip[i] = 1
		}
		keys[i] = K(keyBits(v))
	}
	return keys, skip
}

// wideKeys are the keys of wide integers.
func wideKeys[T column.WideValue[T]](args []column.Column, rows int, _ []T) ([]T, []uint8) {
	return args[0].(*column.Wide[T]).Data[:rows:rows], nil
}

func crcSmall[K uint8 | uint16 | uint32 | uint64](k K) uint64 { return crcKey(uint64(k)) }
func crcU128(k column.U128) uint64                            { return crcWords(k.Lo, k.Hi) }
func crcI128(k column.I128) uint64                            { return crcWords(k.Lo, uint64(k.Hi)) }
func crcI256(k column.I256) uint64                            { return crcWords(k.W[:]...) }
func crcU256(k column.U256) uint64                            { return crcWords(k.W[:]...) }
func crcUUID(k column.UUIDValue) uint64                       { return crcWords(k.Hi, k.Lo) }

func crcIPv6(k column.IPv6Value) uint64 {
	return crcWords(binary.LittleEndian.Uint64(k[:]), binary.LittleEndian.Uint64(k[8:]))
}
