package agg

import (
	"encoding/binary"
	"math"

	"dictsvc/column"
	"dictsvc/errcode"
)

// quantileTDigest keeps a t-digest (Dunning): weighted means, close together at the ends and far apart in the middle, in Float32. What is merged with what is decided
// as ClickHouse does, so that over one stream of rows quantiles and states are the same.

const (
	digestEpsilon  = float32(0.01)
	digestMost     = 2048  // centroids after a compression
	digestUnmerged = 2048  // values added since the last one
	digestLoaded   = 65536 // centroids of a state that is read
)

type centroid struct{ mean, count float32 }

type digest struct {
	list     []centroid
	count    float64
	unmerged int
}

// digestSorter holds the room to sort centroids in.
type digestSorter struct{ a, b []uint64 }

// sort orders centroids by mean, stably: a radix sort over the means' bits, made ascending.
func (s *digestSorter) sort(list []centroid) {
	n := len(list)
	if cap(s.a) < n {
		s.a, s.b = make([]uint64, n, 2*n), make([]uint64, n, 2*n)
	}
	a, b := s.a[:n], s.b[:n]
	var counts [4][256]uint32
	for i, c := range list {
		key := math.Float32bits(c.mean)
		key ^= uint32(int32(key)>>31) | 1<<31
		a[i] = uint64(key)<<32 | uint64(math.Float32bits(c.count))
		counts[0][key&0xff]++
		counts[1][key>>8&0xff]++
		counts[2][key>>16&0xff]++
		counts[3][key>>24]++
	}
	for pass := range counts {
		count := &counts[pass]
		shift := 32 + 8*pass
		if count[a[0]>>shift&0xff] == uint32(n) {
			continue
		}
		sum := uint32(0)
		for i, c := range count {
			count[i] = sum
			sum += c
		}
		for _, v := range a {
			d := v >> shift & 0xff
			b[count[d]] = v
			count[d]++
		}
		a, b = b, a
	}
	for i, v := range a {
		key := uint32(v >> 32)
		key ^= uint32(int32(^key)>>31) | 1<<31
		list[i] = centroid{math.Float32frombits(key), math.Float32frombits(uint32(v))}
	}
}

func (d *digest) add(c centroid, s *digestSorter) {
	d.list = append(d.list, c)
	d.count += float64(c.count)
	d.unmerged++
	if d.unmerged > digestUnmerged {
		d.compress(s)
	}
}

// pulled is the mean of a centroid that takes in another.
func pulled(mean, count float64, c centroid) float64 {
	if float64(c.mean) == mean { // infinities too
		return mean
	}
	return mean + float64(c.count)*(float64(c.mean)-mean)/count
}

func mergeable(mean float64, c centroid) bool {
	return mean == float64(c.mean) || !math.IsInf(mean, 0) && !math.IsInf(float64(c.mean), 0)
}

func (d *digest) compress(s *digestSorter) {
	if d.unmerged > 0 || len(d.list) > digestMost {
		s.sort(d.list)
		list, l := d.list, 0
		limit := d.count * float64(digestEpsilon) * 4
		sum := 0.0
		mean, count := float64(list[0].mean), float64(list[0].count)
		for r := 1; r < len(list); r++ {
			c := list[r]
			ql := (sum + count*0.5) / d.count
			qr := (sum + count + float64(c.count)*0.5) / d.count
			k := limit * min(ql*(1-ql), qr*(1-qr))
			if count+float64(c.count) <= k && mergeable(mean, c) {
				count += float64(c.count)
				mean = pulled(mean, count, c)
				list[l] = centroid{float32(mean), float32(count)}
				continue
			}
			sum += float64(list[l].count)
			l++
			list[l] = c
			mean, count = float64(c.mean), float64(c.count)
		}
		d.count = sum + count
		d.list = list[:l+1]
		d.unmerged = 0
	}
	d.compressBrute()
}

// compressBrute fuses neighbours in equal batches where there are still too many.
func (d *digest) compressBrute() {
	list := d.list
	if len(list) <= digestMost {
		return
	}
	batch := (len(list) + digestMost - 1) / digestMost
	l, at, sum := 0, 0, 0.0
	mean, count := float64(list[0].mean), float64(list[0].count)
	for r := 1; r < len(list); r++ {
		c := list[r]
		if at < batch-1 {
			count += float64(c.count)
			mean = pulled(mean, count, c)
			list[l] = centroid{float32(mean), float32(count)}
			at++
			continue
		}
		if list[l].mean == list[l].mean {
			sum += float64(list[l].count)
			l++
		}
		list[l] = c
		mean, count = float64(c.mean), float64(c.count)
		at = 0
	}
	if list[l].mean == list[l].mean {
		d.count, d.list = sum+count, list[:l+1]
	} else {
		d.count, d.list = sum, list[:l]
	}
}

// quantiles computes the quantiles of a compressed digest.
func (d *digest) quantiles(q *quantiles, out []float64) {
	if len(d.list) <= 1 {
		v := column.NaN()
		if len(d.list) == 1 {
			v = float64(d.list[0].mean)
		}
		for i := range out {
			out[i] = v
		}
		return
	}
	next := 0
	x := q.levels[q.order[0]] * d.count
	before, sum := 0.0, float32(0)
	last := d.list[0]
	for _, c := range d.list {
		current := float64(sum) + float64(c.count)*0.5
		if current >= x {
			left, right := before, current // a centroid of one value is that value
			if last.count == 1 {
				left += 0.5
			}
			if c.count == 1 {
				right -= 0.5
			}
			for current >= x {
				v := &out[q.order[next]]
				switch {
				case x <= left:
					*v = float64(last.mean)
				case x >= right:
					*v = float64(c.mean)
				default:
					*v = float64(between(float32(x), float32(left), last.mean, float32(right), c.mean))
				}
				if next++; next == len(q.order) {
					return
				}
				x = q.levels[q.order[next]] * d.count
			}
		}
		sum += c.count
		last, before = c, current
	}
	for ; next < len(q.order); next++ {
		out[q.order[next]] = float64(last.mean)
	}
}

// between is the point at x of the line through two points.
func between(x, x1, y1, x2, y2 float32) float32 {
	k := float64((x - x1) / (x2 - x1))
	return float32((1-k)*float64(y1) + k*float64(y2))
}

func bindTDigest(q *quantiles, t *column.Type) (*column.Type, func() States) {
	out := t
	switch {
	case basicNumber(t):
		out = column.Of(column.Float32)
	case !plainTime(t):
		return nil, nil
	}
	return out, func() States { return &digests{q: q} }
}

type digests struct {
	q       *quantiles
	v       []digest
	held    int // centroids that there is room for
	values  floatBuffer[float32]
	weights floatBuffer[uint64]
	sorter  digestSorter
}

func (s *digests) Grow(n int) { s.v = grow(s.v, n) }

func (s *digests) Add(groups []uint32, args []column.Column, rows int) error {
	var weights []uint64
	if len(args) > 1 {
		weights = s.weights.of(args[1], rows)
	}
	g, count := uint32(0), float32(1)
	for i, v := range s.values.of(args[0], rows) {
		if weights != nil {
			count = float32(weights[i])
		}
		if v != v || count == 0 {
			continue
		}
		if groups != nil {
			g = groups[i]
		}
		d := &s.v[g]
		had := cap(d.list)
		d.add(centroid{v, count}, &s.sorter)
		s.held += cap(d.list) - had
	}
	return nil
}

func (s *digests) Merge(other States, from, to []uint32) error {
	o := other.(*digests)
	for i, g := range to {
		d := &s.v[g]
		had := cap(d.list)
		for _, c := range o.v[source(from, i)].list {
			d.add(c, &s.sorter)
		}
		s.held += cap(d.list) - had
	}
	return nil
}

// compressed is a compressed copy of a group's digest: states and results are asked for while rows still come.
func (s *digests) compressed(group int, scratch []centroid, sorter *digestSorter) digest {
	d := s.v[group]
	d.list = append(scratch[:0], d.list...)
	if len(d.list) > 0 {
		d.compress(sorter)
	}
	return d
}

func (s *digests) Save(buf []byte, group int) []byte {
	var sorter digestSorter
	d := s.compressed(group, nil, &sorter)
	return append(binary.AppendUvarint(buf, uint64(len(d.list))), column.Raw(d.list)...)
}

func (s *digests) Load(r *column.StateReader, group int) error {
	n := r.Uvarint()
	if r.Err() == nil && n > digestLoaded {
		return r.Fail(errcode.New(errcode.TooLargeArraySize, "Too large t-digest centroids size %d", n))
	}
	d := &s.v[group]
	had := cap(d.list)
	err := loadValues(r, int(n), func(list []centroid) {
		for _, c := range list {
			if !(c.count > 0) {
				r.Fail(errcode.New(errcode.CannotParseInputAssertionFailed, "Invalid centroid %v:%v", c.count, c.mean))
				return
			}
			if c.mean == c.mean {
				d.count += float64(c.count)
				d.list = append(d.list, c)
			}
		}
	})
	s.held += cap(d.list) - had
	if err == nil && len(d.list) > 0 {
		d.compress(&s.sorter)
	}
	return err
}

func (s *digests) Result(from, to int) (column.Column, error) {
	k := len(s.q.levels)
	out := make([]float64, (to-from)*k)
	var scratch []centroid
	var sorter digestSorter
	for g := from; g < to; g++ {
		d := s.compressed(g, scratch, &sorter)
		d.quantiles(s.q, out[(g-from)*k:(g-from+1)*k])
		scratch = d.list
	}
	return s.q.wrap(s.q.narrow(out), to-from), nil
}

func (s *digests) Bytes() int {
	return cap(s.v)*sizeOf[digest]() + 8*(s.held+cap(s.sorter.a)+cap(s.sorter.b))
}
