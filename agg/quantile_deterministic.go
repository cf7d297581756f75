package agg

import (
	"cmp"
	"encoding/binary"
	"slices"

	"dictsvc/column"
	"dictsvc/errcode"
)

// quantileDeterministic samples by a hash of its second argument: at most 8192 values whose hashes end in enough zero bits.

// hashed is a value with the hash that decides whether it stays.
type hashed[T any] struct {
	v    T
	hash uint32
}

type hashSample[T any] struct {
	values []hashed[T]
	total  uint64
	skip   uint8 // zero bits that hashes must end in
}

func (s *hashSample[T]) good(hash uint32) bool { return hash&(1<<s.skip-1) == 0 }

func (s *hashSample[T]) add(v T, hash uint32) error {
	if !s.good(hash) {
		return nil
	}
	for len(s.values) >= reservoirSize {
		if err := s.thin(s.skip + 1); err != nil {
			return err
		}
		if !s.good(hash) {
			return nil
		}
	}
	s.values = append(s.values, hashed[T]{v, hash})
	return nil
}

func (s *hashSample[T]) thin(skip uint8) error {
	if skip > 32 {
		return errcode.New(errcode.MemoryLimitExceeded, "skip_degree exceeds maximum value")
	}
	s.skip = skip
	s.values = slices.DeleteFunc(s.values, func(h hashed[T]) bool { return !s.good(h.hash) })
	return nil
}

func (s *hashSample[T]) merge(o *hashSample[T]) error {
	if s.skip < o.skip {
		if err := s.thin(o.skip); err != nil {
			return err
		}
	}
	for _, h := range o.values {
		if err := s.add(h.v, h.hash); err != nil {
			return err
		}
	}
	s.total += o.total
	return nil
}

func bindDeterministic(q *quantiles, t *column.Type) (*column.Type, func() States) {
	float := column.Of(column.Float64)
	switch t.Kind {
	case column.Bool, column.UInt8:
		return float, newHashSamples(q, numberOrdering[uint8]())
	case column.UInt16:
		return float, newHashSamples(q, numberOrdering[uint16]())
	case column.UInt32:
		return float, newHashSamples(q, numberOrdering[uint32]())
	case column.UInt64:
		return float, newHashSamples(q, numberOrdering[uint64]())
	case column.Int8:
		return float, newHashSamples(q, numberOrdering[int8]())
	case column.Int16:
		return float, newHashSamples(q, numberOrdering[int16]())
	case column.Int32:
		return float, newHashSamples(q, numberOrdering[int32]())
	case column.Int64:
		return float, newHashSamples(q, numberOrdering[int64]())
	case column.Float32:
		return float, newHashSamples(q, numberOrdering[float32]())
	case column.Float64:
		return float, newHashSamples(q, numberOrdering[float64]())
	case column.Int128:
		return float, newHashSamples(q, wideOrdering(floatI128))
	case column.UInt128:
		return float, newHashSamples(q, wideOrdering(floatU128))
	case column.Int256:
		return float, newHashSamples(q, wideOrdering(floatI256))
	case column.UInt256:
		return float, newHashSamples(q, wideOrdering(floatU256))
	case column.Date:
		return t, newHashSamples(q, numberOrdering[uint16]())
	case column.DateTime:
		return t, newHashSamples(q, numberOrdering[uint32]())
	}
	return nil, nil
}

type hashSamples[T any] struct {
	q       *quantiles
	o       *ordering[T]
	v       []hashSample[T]
	held    int
	weights floatBuffer[uint64]
}

func newHashSamples[T any](q *quantiles, o *ordering[T]) func() States {
	return func() States { return &hashSamples[T]{q: q, o: o} }
}

func (s *hashSamples[T]) Grow(n int) { s.v = grow(s.v, n) }

func (s *hashSamples[T]) Add(groups []uint32, args []column.Column, rows int) error {
	by := s.weights.of(args[1], rows)
	g := uint32(0)
	for i, v := range s.o.data(args[0])[:rows] {
		if s.o.nan != nil && s.o.nan(v) {
			continue
		}
		if groups != nil {
			g = groups[i]
		}
		d := &s.v[g]
		d.total++
		had := cap(d.values)
		if err := d.add(v, uint32(finalize64(by[i]))); err != nil {
			return err
		}
		s.held += cap(d.values) - had
	}
	return nil
}

func (s *hashSamples[T]) Merge(other States, from, to []uint32) error {
	o := other.(*hashSamples[T])
	for i, g := range to {
		d := &s.v[g]
		had := cap(d.values)
		if err := d.merge(&o.v[source(from, i)]); err != nil {
			return err
		}
		s.held += cap(d.values) - had
	}
	return nil
}

// padded is the bytes of a value and its hash as they lie in memory there: aligned to the larger of the two, wide integers to eight bytes.
func (s *hashSamples[T]) padded() (width, hashAt int) {
	width = sizeOf[T]()
	align := min(max(width, 4), 8)
	hashAt = (width + 3) &^ 3
	return (hashAt + 4 + align - 1) / align * align, hashAt
}

func (s *hashSamples[T]) Save(buf []byte, group int) []byte {
	d := &s.v[group]
	buf = binary.LittleEndian.AppendUint64(buf, uint64(len(d.values)))
	buf = binary.LittleEndian.AppendUint64(buf, d.total)
	width, hashAt := s.padded()
	one := make([]byte, width)
	for i := range d.values {
		copy(one, column.Raw([]T{d.values[i].v}))
		binary.LittleEndian.PutUint32(one[hashAt:], d.values[i].hash)
		buf = append(buf, one...)
	}
	return buf
}

func (s *hashSamples[T]) Load(r *column.StateReader, group int) error {
	n, total := r.U64(), r.U64()
	if err := r.Err(); err != nil {
		return err
	}
	d := &s.v[group]
	d.total = total
	width, hashAt := s.padded()
	for n = min(n, total); n > 0; n-- {
		one := r.Bytes(width)
		if err := r.Err(); err != nil {
			return err
		}
		if len(d.values) >= reservoirSize { // of an old version, or of nobody
			return r.Corrupt("A state of quantileDeterministic has more than %d values", reservoirSize)
		}
		var v [1]T
		copy(column.Raw(v[:]), one)
		had := cap(d.values)
		d.values = append(d.values, hashed[T]{v[0], binary.LittleEndian.Uint32(one[hashAt:])})
		s.held += cap(d.values) - had
	}
	return nil
}

func (s *hashSamples[T]) Result(from, to int) (column.Column, error) {
	k := len(s.q.levels)
	out := make([]float64, (to-from)*k)
	var sorted []hashed[T]
	for g := from; g < to; g++ {
		sorted = append(sorted[:0], s.v[g].values...)
		slices.SortFunc(sorted, func(a, b hashed[T]) int {
			if c := s.o.cmp(a.v, b.v); c != 0 {
				return c
			}
			return cmp.Compare(a.hash, b.hash)
		})
		for l, level := range s.q.levels {
			out[(g-from)*k+l] = interpolate(level, len(sorted), func(i int) float64 { return s.o.float(sorted[i].v) })
		}
	}
	return s.q.wrap(s.q.narrow(out), to-from), nil
}

func (s *hashSamples[T]) Bytes() int {
	return cap(s.v)*sizeOf[hashSample[T]]() + s.held*sizeOf[hashed[T]]()
}
