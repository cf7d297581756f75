package agg

import (
	"encoding/binary"
	"math"

	"dictsvc/column"
	"dictsvc/internal/cityhash"
)

// uniqHLL12 keeps up to 16 values as they are, more by HyperLogLog of 2^12 buckets over hashes of 32 bits.

var hll12 = logShape{precision: 12, hashWidth: 32}

type hll12Set struct {
	n     uint8
	small [16]uint64
	log   *hyperLogLog
}

func bindUniqHLL12(name string, params []column.Column, args []*column.Type) (*Function, error) {
	if err := noParams(name, params); err != nil {
		return nil, err
	}
	if err := noArguments(name, args); err != nil {
		return nil, err
	}
	// Of a float the float is kept that is nearest to the number that its bits are.
	kinds := hashKinds{number: asIs, float: func(bits uint64) uint64 { return math.Float64bits(float64(bits)) },
		u128: func(v column.U128) uint64 { return finalize64(v.Lo ^ v.Hi) },
		i128: func(v column.I128) uint64 { return finalize64(v.Lo ^ uint64(v.Hi)) },
		u256: func(v column.U256) uint64 { return finalize64(v.W[0] ^ v.W[1] ^ v.W[2]) },
		i256: func(v column.I256) uint64 { return finalize64(v.W[0] ^ v.W[1] ^ v.W[2]) },
		uuid: func(v column.UUIDValue) uint64 { return finalize64(v.Hi ^ v.Lo) },
		ipv6: func(v column.IPv6Value) uint64 { return cityhash.Sum64(v[:]) },
	}
	s := hll12Sets{hash: severalHash(args), width: 8, mix: func(x uint64) uint32 { return uint32(x) }}
	if len(args) == 1 {
		t := args[0]
		if t.Kind == column.Float32 {
			kinds.float = func(bits uint64) uint64 { return uint64(math.Float32bits(float32(bits))) }
		}
		if own, ok := kinds.single(t); ok {
			s.hash, s.mix = own, intHash32
			if w := t.FixedWidth(); w > 0 && t.IsNumber() || w > 0 && w < 8 && !t.IsString() {
				s.width = w
			}
		}
	}
	return &Function{Name: name, Type: column.Of(column.UInt64), NewStates: func() States { own := s; return &own }}, nil
}

type hll12Sets struct {
	hash  rowHasher
	mix   func(uint64) uint32
	width int // bytes of a value in a state
	v     []hll12Set
	logs  int
	buf   []uint64
}

func (s *hll12Sets) Grow(n int) { s.v = grow(s.v, n) }

func (s *hll12Sets) insert(set *hll12Set, v uint64) {
	if set.log == nil {
		for _, have := range set.small[:set.n] {
			if have == v {
				return
			}
		}
		if int(set.n) < len(set.small) {
			set.small[set.n] = v
			set.n++
			return
		}
		s.toLarge(set)
	}
	h := uint64(s.mix(v))
	set.log.raise(h&(1<<12-1), hll12.rank(h))
}

func (s *hll12Sets) toLarge(set *hll12Set) {
	set.log = hll12.make()
	s.logs++
	for _, v := range set.small[:set.n] {
		h := uint64(s.mix(v))
		set.log.raise(h&(1<<12-1), hll12.rank(h))
	}
}

func (s *hll12Sets) Add(groups []uint32, args []column.Column, rows int) error {
	s.buf = s.hash(args, rows, s.buf)
	g := uint32(0)
	cut := max(0, 64-8*s.width)
	for i, v := range s.buf {
		if groups != nil {
			g = groups[i]
		}
		s.insert(&s.v[g], v<<cut>>cut)
	}
	return nil
}

func (s *hll12Sets) Merge(other States, from, to []uint32) error {
	o := other.(*hll12Sets)
	for i, g := range to {
		set, src := &s.v[g], &o.v[source(from, i)]
		if src.log == nil {
			for _, v := range src.small[:src.n] {
				s.insert(set, v)
			}
			continue
		}
		if set.log == nil {
			s.toLarge(set)
		}
		set.log.merge(src.log)
	}
	return nil
}

func (s *hll12Sets) Save(buf []byte, group int) []byte {
	set := &s.v[group]
	if set.log != nil {
		return hll12.save(append(buf, 1), set.log)
	}
	buf = binary.AppendUvarint(append(buf, 0), uint64(set.n))
	for _, v := range set.small[:set.n] {
		buf = append(buf, column.Raw([]uint64{v, 0, 0, 0})[:s.width]...)
	}
	return buf
}

func (s *hll12Sets) Load(r *column.StateReader, group int) error {
	set := &s.v[group]
	if r.Bool() {
		if set.log = hll12.load(r); set.log != nil {
			s.logs++
		}
		return r.Err()
	}
	for n := r.Count(16, s.width); n > 0 && r.Err() == nil; n-- {
		var v [4]uint64
		copy(column.Raw(v[:])[:s.width], r.Bytes(s.width))
		s.insert(set, v[0])
	}
	return r.Err()
}

func (s *hll12Sets) Result(from, to int) (column.Column, error) {
	out := make([]uint64, to-from)
	for i := range out {
		set := &s.v[from+i]
		out[i] = uint64(set.n)
		if set.log != nil {
			out[i] = hll12.size(set.log)
		}
	}
	return column.UInt64s(out...), nil
}

func (s *hll12Sets) Bytes() int {
	return cap(s.v)*sizeOf[hll12Set]() + s.logs*hll12.bytes() + 8*cap(s.buf)
}
