// Package bitmap holds the sets of integers that groupBitmap and the bitmap functions work on, in ClickHouse's two forms: up to 32 values as a list in
// the order they came, more as Roaring bitmaps. Values of up to 32 bits have one bitmap; of 64 bits one for each high half.
//
// Which form a set has shows in its bytes, so every operation keeps to the form that ClickHouse's has.
package bitmap

import (
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
)

// smallMost is how many values a list holds.
const smallMost = 32

// lowMost is the greatest low half of a value.
const lowMost = 1<<32 - 1

// Kind is a type of integers.
type Kind struct {
	Bytes  int // 1, 2, 4 or 8
	Signed bool
}

// bits are v's own bits: a value as the type stores it.
func (k Kind) bits(v uint64) uint64 {
	if k.Bytes == 8 {
		return v
	}
	return v & (1<<(8*k.Bytes) - 1)
}

// wide is a value as bitmaps hold it: of a signed type its sign fills 32 bits.
func (k Kind) wide(v uint64) uint64 {
	if k.Bytes == 8 {
		return v
	}
	if k.Signed {
		return uint64(uint32(k.signed(v)))
	}
	return v
}

// signed is a value of a signed type as a number.
func (k Kind) signed(v uint64) int64 {
	shift := 64 - 8*k.Bytes
	return int64(v<<shift) >> shift
}

// most is the greatest value of the unsigned type of that size.
func (k Kind) most() uint64 { return k.bits(^uint64(0)) }

// mostWide is the greatest value that bitmaps hold.
func (k Kind) mostWide() uint64 {
	if k.Bytes == 8 {
		return ^uint64(0)
	}
	return lowMost
}

// Set is a set of integers of one kind. Its zero value is not ready: see New.
type Set struct {
	kind  Kind
	large bool
	small []uint64          // bits of values, in the order they came
	keys  []uint32          // high halves, ascending; 0 alone for kinds of up to 32 bits
	parts []*roaring.Bitmap // of each key
}

// New is an empty set.
func New(k Kind) Set { return Set{kind: k} }

// Large tells whether the set has become a bitmap.
func (s *Set) Large() bool { return s.large }

func (s *Set) toLarge() {
	s.large = true
	for _, v := range s.small {
		s.addWide(s.kind.wide(v))
	}
	s.small = nil
}

// part is the bitmap of a high half; nil where there is none and make is false.
func (s *Set) part(key uint32, make bool) *roaring.Bitmap {
	if n := len(s.keys); n > 0 && s.keys[n-1] == key {
		return s.parts[n-1]
	}
	i, ok := slices.BinarySearch(s.keys, key)
	if ok {
		return s.parts[i]
	}
	if !make {
		return nil
	}
	p := roaring.New()
	s.keys = slices.Insert(s.keys, i, key)
	s.parts = slices.Insert(s.parts, i, p)
	return p
}

func (s *Set) addWide(v uint64) { s.part(uint32(v>>32), true).Add(uint32(v)) }

// Add adds a value, of whose bits those beyond the kind's are ignored.
func (s *Set) Add(v uint64) {
	v = s.kind.bits(v)
	if s.large {
		s.addWide(s.kind.wide(v))
		return
	}
	if slices.Contains(s.small, v) {
		return
	}
	if len(s.small) < smallMost {
		s.small = append(s.small, v)
		return
	}
	s.toLarge()
	s.addWide(s.kind.wide(v))
}

// AddMany adds values; buf is room for it to work in, and is returned.
func (s *Set) AddMany(values []uint64, buf []uint32) []uint32 {
	for len(values) > 0 && !s.large {
		s.Add(values[0])
		values = values[1:]
	}
	for len(values) > 0 {
		key := uint32(s.kind.wide(s.kind.bits(values[0])) >> 32)
		buf = buf[:0]
		for len(values) > 0 {
			v := s.kind.wide(s.kind.bits(values[0]))
			if uint32(v>>32) != key {
				break
			}
			buf = append(buf, uint32(v))
			values = values[1:]
		}
		s.part(key, true).AddMany(buf)
	}
	return buf
}

// Len is the number of values.
func (s *Set) Len() uint64 {
	n := uint64(len(s.small))
	for _, p := range s.parts {
		n += p.GetCardinality()
	}
	return n
}

// hasWide tells whether a bitmap's value is there; has asks for bits.
func (s *Set) hasWide(v uint64) bool {
	p := s.part(uint32(v>>32), false)
	return p != nil && p.Contains(uint32(v))
}

func (s *Set) has(v uint64) bool {
	if s.large {
		return s.hasWide(s.kind.wide(v))
	}
	return slices.Contains(s.small, v)
}

// Contains tells whether a number is in the set. It is looked for as it is: of a signed kind, negative values are found by their bits as the form of the set
// has them.
func (s *Set) Contains(v uint64) bool {
	if s.large {
		return v <= s.kind.mostWide() && s.hasWide(v)
	}
	return v <= s.kind.most() && slices.Contains(s.small, v)
}

// Each calls f for the bits of all values, ascending of a bitmap, until it returns false.
func (s *Set) Each(f func(v uint64) bool) {
	for _, v := range s.small {
		if !f(v) {
			return
		}
	}
	s.eachWide(0, func(v uint64) bool { return f(s.kind.bits(v)) })
}

// eachWide calls f for the values of the bitmaps from some value on.
func (s *Set) eachWide(from uint64, f func(v uint64) bool) {
	for i, p := range s.parts {
		high := uint64(s.keys[i]) << 32
		if high|lowMost < from {
			continue
		}
		it := p.Iterator()
		if from > high {
			it.AdvanceIfNeeded(uint32(from))
		}
		for it.HasNext() {
			if !f(high | uint64(it.Next())) {
				return
			}
		}
	}
}

// AppendTo appends the bits of all values.
func (s *Set) AppendTo(out []uint64) []uint64 {
	s.Each(func(v uint64) bool { out = append(out, v); return true })
	return out
}

// Min is the least value by its unsigned bits; of none the greatest that bitmaps hold.
func (s *Set) Min() uint64 {
	switch {
	case s.large && len(s.parts) > 0 && !s.parts[0].IsEmpty():
		return uint64(s.keys[0])<<32 | uint64(s.parts[0].Minimum())
	case len(s.small) > 0:
		return slices.Min(s.small)
	}
	return s.kind.mostWide()
}

// Max is the greatest value by its unsigned bits; of none 0.
func (s *Set) Max() uint64 {
	n := len(s.parts)
	switch {
	case s.large && n > 0 && !s.parts[n-1].IsEmpty():
		return uint64(s.keys[n-1])<<32 | uint64(s.parts[n-1].Maximum())
	case len(s.small) > 0:
		return slices.Max(s.small)
	}
	return 0
}

// Bytes is about the memory held. It looks at every container: large sets are not asked often.
func (s *Set) Bytes() int {
	n := 8*cap(s.small) + 12*cap(s.keys)
	for _, p := range s.parts {
		n += int(p.GetSizeInBytes()) + 64
	}
	return n
}
