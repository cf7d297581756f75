package bitmap

import (
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
)

// The library's operations in place can write into the containers of their argument too, so each is given a copy of its own.

// Or adds all values of o.
func (s *Set) Or(o *Set) {
	if !o.large {
		for _, v := range o.small {
			s.Add(v)
		}
		return
	}
	if !s.large {
		s.toLarge()
	}
	for i, key := range o.keys {
		if own := s.part(key, false); own != nil {
			own.Or(o.parts[i].Clone())
		} else {
			s.insert(key, o.parts[i].Clone())
		}
	}
}

func (s *Set) insert(key uint32, p *roaring.Bitmap) {
	i, _ := slices.BinarySearch(s.keys, key)
	s.keys = slices.Insert(s.keys, i, key)
	s.parts = slices.Insert(s.parts, i, p)
}

// prune drops bitmaps that have become empty.
func (s *Set) prune() {
	n := 0
	for i, p := range s.parts {
		if !p.IsEmpty() {
			s.keys[n], s.parts[n] = s.keys[i], p
			n++
		}
	}
	s.keys, s.parts = s.keys[:n], s.parts[:n]
}

// And leaves the values that o has too. Where either is a list the result is one.
func (s *Set) And(o *Set) {
	switch {
	case !s.large:
		s.small = keep(s.small, o.has)
	case !o.large:
		small := keep(slices.Clone(o.small), s.has)
		*s = Set{kind: s.kind, small: small}
	default:
		for i, key := range s.keys {
			if other := o.part(key, false); other != nil {
				s.parts[i].And(other.Clone())
			} else {
				s.parts[i] = roaring.New()
			}
		}
		s.prune()
	}
}

func keep(list []uint64, want func(uint64) bool) []uint64 {
	return slices.DeleteFunc(list, func(v uint64) bool { return !want(v) })
}

// Xor leaves the values that one of both has. The result is a bitmap.
func (s *Set) Xor(o *Set) {
	if !s.large {
		s.toLarge()
	}
	for _, v := range o.small {
		w := o.kind.wide(v)
		if p := s.part(uint32(w>>32), true); !p.CheckedRemove(uint32(w)) {
			p.Add(uint32(w))
		}
	}
	for i, key := range o.keys {
		if own := s.part(key, false); own != nil {
			own.Xor(o.parts[i].Clone())
		} else {
			s.insert(key, o.parts[i].Clone())
		}
	}
	s.prune()
}

// AndNot drops the values of o.
func (s *Set) AndNot(o *Set) {
	if !s.large {
		s.small = slices.DeleteFunc(s.small, o.has)
		return
	}
	for _, v := range o.small {
		w := o.kind.wide(v)
		if p := s.part(uint32(w>>32), false); p != nil {
			p.Remove(uint32(w))
		}
	}
	for i, key := range o.keys {
		if own := s.part(key, false); own != nil {
			own.AndNot(o.parts[i].Clone())
		}
	}
	s.prune()
}

// AndLen is the number of values that both have.
func (s *Set) AndLen(o *Set) uint64 {
	n := uint64(0)
	switch {
	case !s.large:
		for _, v := range s.small {
			if o.has(v) {
				n++
			}
		}
	case !o.large:
		return o.AndLen(s)
	default:
		for i, key := range s.keys {
			if other := o.part(key, false); other != nil {
				n += s.parts[i].AndCardinality(other)
			}
		}
	}
	return n
}

// Intersects tells whether a value is in both.
func (s *Set) Intersects(o *Set) bool {
	if !s.large {
		return slices.ContainsFunc(s.small, o.has)
	}
	if !o.large {
		return slices.ContainsFunc(o.small, s.has)
	}
	for i, key := range s.keys {
		if other := o.part(key, false); other != nil && s.parts[i].Intersects(other) {
			return true
		}
	}
	return false
}

// Range adds to out the values of s from one number on and below another.
func (s *Set) Range(from, below uint64, out *Set) {
	if from >= below {
		return
	}
	for _, v := range s.small {
		if w := uint64(uint32(s.kind.wide(v))); w >= from && w < below { // of 64 bits the low ones are compared, as ClickHouse does
			out.Add(v)
		}
	}
	if s.large {
		s.cut(from, below-1, out)
	}
}

// cut puts the values of a bitmap from one up to another, which is part of it, into out.
func (s *Set) cut(from, last uint64, out *Set) {
	if s.Max() > s.kind.most() && s.kind.Bytes < 4 && !s.kind.Signed { // values that the kind does not have are cut to it
		s.eachWide(from, func(v uint64) bool {
			if v <= last {
				out.Add(v)
			}
			return v < last
		})
		return
	}
	for i, key := range s.keys {
		high := uint64(key) << 32
		end := high | lowMost
		if end < from || high > last {
			continue
		}
		p := s.parts[i].Clone()
		if from > high {
			p.RemoveRange(0, from-high)
		}
		if last < end {
			p.RemoveRange(last-high+1, 1<<32)
		}
		if !p.IsEmpty() {
			out.keys, out.parts = append(out.keys, key), append(out.parts, p)
		}
	}
	if out.large = true; out.Len() <= smallMost {
		list := out.AppendTo(nil)
		*out = Set{kind: s.kind, small: list}
	}
}

// at is the value behind n others of a bitmap; ok is false where there are no more than n.
func (s *Set) at(n uint64) (v uint64, ok bool) {
	for i, p := range s.parts {
		if have := p.GetCardinality(); n >= have {
			n -= have
			continue
		}
		low, err := p.Select(uint32(n))
		return uint64(s.keys[i])<<32 | uint64(low), err == nil
	}
	return 0, false
}

// below is the number of values less than v.
func (s *Set) below(v uint64) uint64 {
	n := uint64(0)
	for i, p := range s.parts {
		high := uint64(s.keys[i]) << 32
		switch {
		case high|lowMost < v:
			n += p.GetCardinality()
		case high < v:
			n += p.Rank(uint32(v - 1))
		}
	}
	return n
}

// take puts up to limit values of a bitmap behind offset others into out.
func (s *Set) take(offset, limit uint64, out *Set) {
	from, ok := s.at(offset)
	if !ok {
		return
	}
	last := s.Max()
	if offset+limit > offset {
		if v, ok := s.at(offset + limit - 1); ok {
			last = v
		}
	}
	s.cut(from, last, out)
}

// Limit adds to out the least values of s that are no less than a number, up to so many.
func (s *Set) Limit(from, limit uint64, out *Set) {
	if limit == 0 {
		return
	}
	if !s.large {
		list := keep(slices.Clone(s.small), func(v uint64) bool { return uint64(uint32(s.kind.wide(v))) >= from })
		if limit < uint64(len(list)) {
			s.kind.selectLeast(list, int(limit))
			list = list[:limit]
		}
		for _, v := range list {
			out.Add(v)
		}
		return
	}
	s.take(s.below(from), limit, out)
}

// OffsetLimit adds to out the values of s behind the first few, up to so many, in the order of the form.
func (s *Set) OffsetLimit(offset, limit uint64, out *Set) {
	if limit == 0 || offset >= s.Len() {
		return
	}
	if s.large {
		s.take(offset, limit, out)
		return
	}
	for _, v := range s.small[offset:min(offset+min(limit, smallMost), uint64(len(s.small)))] {
		out.Add(v)
	}
}

// Replace puts to[i] in the place of from[i], one pair after the other. The set becomes a bitmap.
func (s *Set) Replace(from, to []uint64) {
	if !s.large {
		s.toLarge()
	}
	for i, v := range from {
		if v == to[i] {
			continue
		}
		v, w := v&s.kind.mostWide(), to[i]&s.kind.mostWide()
		if p := s.part(uint32(v>>32), false); p != nil && p.CheckedRemove(uint32(v)) {
			s.addWide(w)
		}
	}
	s.prune()
}

// selectLeast brings the n least values of a list, which has more, to its front: by Floyd and Rivest's selection, whose order ClickHouse's states show.
func (k Kind) selectLeast(v []uint64, n int) {
	less := func(a, b uint64) bool {
		if k.Signed {
			return k.signed(a) < k.signed(b)
		}
		return a < b
	}
	left, right := 0, len(v)-1
	for right > left {
		v[left], v[n] = v[n], v[left]
		i, j := left, right
		t := v[left]
		swapped := less(t, v[right])
		if swapped {
			v[left], v[right] = v[right], v[left]
		}
		for i < j {
			v[i], v[j] = v[j], v[i]
			i++
			j--
			for less(v[i], t) {
				i++
			}
			for less(t, v[j]) {
				j--
			}
		}
		if swapped {
			v[left], v[j] = v[j], v[left]
		} else {
			j++
			v[right], v[j] = v[j], v[right]
		}
		if j <= n {
			left = j + 1
		}
		if n <= j {
			right = j - 1
		}
	}
}
