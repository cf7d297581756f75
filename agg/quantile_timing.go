package agg

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"

	"dictsvc/column"
)

// quantileTiming is for milliseconds up to 30 seconds: a list of the values while there are few, counts of each millisecond up to 1023 and of each 16 from there on
// afterwards. When it changes over follows ClickHouse, because states show it.

const (
	timingTiny     = 31    // values of the smallest form
	timingMost     = 30000 // greater values count as this
	timingSmall    = 1024  // values below are counted one by one
	timingStep     = 16
	timingCounters = timingSmall + (timingMost-timingSmall)/timingStep
	// timingMedium is how long a list gets: as many values as fill half the bytes of the counters.
	timingMedium = (timingCounters + 1) * 8 / 2 / 2
)

const (
	tinyTiming uint8 = 1 + iota
	mediumTiming
	largeTiming
)

type timing struct {
	list   []uint16
	counts *[timingCounters]uint64
	total  uint64 // of the counters, what is past the last of them included
	form   uint8  // 0 is tiny too
}

func (t *timing) count(v, weight uint64) {
	t.total += weight
	switch {
	case v < timingSmall:
		t.counts[v] += weight
	case v < timingMost:
		t.counts[timingSmall+(v-timingSmall)/timingStep] += weight
	}
}

func (t *timing) toLarge() {
	t.counts = new([timingCounters]uint64)
	for _, v := range t.list {
		t.count(uint64(v), 1)
	}
	t.list, t.form = nil, largeTiming
}

func (t *timing) add(v uint64) {
	if t.form == largeTiming {
		t.count(v, 1)
		return
	}
	switch {
	case t.form == mediumTiming && len(t.list) >= timingMedium:
		t.toLarge()
		t.count(v, 1)
		return
	case t.form != mediumTiming && len(t.list) == timingTiny:
		t.form = mediumTiming
	}
	t.list = append(t.list, uint16(min(v, timingMost)))
}

// addWeighted goes from the tiny form to the large one.
func (t *timing) addWeighted(v, weight uint64) {
	if t.form != largeTiming && weight < timingTiny && uint64(len(t.list))+weight <= timingTiny {
		for range weight {
			t.list = append(t.list, uint16(min(v, timingMost)))
		}
		return
	}
	if t.form != largeTiming {
		t.toLarge()
	}
	t.count(v, weight)
}

func (t *timing) merge(o *timing) {
	if t.form <= tinyTiming && o.form <= tinyTiming && len(t.list)+len(o.list) <= timingTiny {
		t.list = append(t.list, o.list...)
		return
	}
	if t.form != largeTiming {
		t.form = max(t.form, o.form, mediumTiming)
		if t.form == largeTiming {
			t.toLarge()
		}
	}
	switch {
	case t.form != largeTiming:
		t.list = append(t.list, o.list...)
		if len(t.list) >= timingMedium {
			t.toLarge()
		}
	case o.form == largeTiming:
		t.total += o.total
		for i, n := range o.counts {
			t.counts[i] += n
		}
	default:
		for _, v := range o.list {
			t.count(uint64(v), 1)
		}
	}
}

// value is what counter i stands for: its milliseconds, a little scattered where it counts 16 of them.
func timingValue(i int) float64 {
	if i < timingSmall {
		return float64(i)
	}
	i -= timingSmall
	return float64(uint16(uint32(i*timingStep+timingSmall) + intHash32(uint64(i))%timingStep - timingStep/2))
}

// intHash32 is Thomas Wang's hash of 64 to 32 bits.
func intHash32(x uint64) uint32 {
	x = ^x + x<<18
	x ^= x>>31 | x<<33
	x *= 21
	x ^= x>>11 | x<<53
	x += x << 6
	x ^= x>>22 | x<<42
	return uint32(x)
}

func (t *timing) quantiles(q *quantiles, out []float64) {
	switch {
	case t.form == largeTiming:
		t.counted(q, out)
	case len(t.list) == 0:
		for i := range out {
			out[i] = column.NaN()
		}
	default:
		sorted := slices.Clone(t.list)
		slices.Sort(sorted)
		for i, level := range q.levels {
			n := len(sorted) - 1
			if level < 1 {
				n = int(level * float64(len(sorted)))
			}
			out[i] = float64(sorted[n])
		}
	}
}

func (t *timing) counted(q *quantiles, out []float64) {
	for i := range out {
		out[i] = column.NaN()
		if t.total > 0 {
			out[i] = timingMost
		}
	}
	if t.total == 0 {
		return
	}
	next, have := 0, 0.0
	for i, n := range t.counts {
		if n == 0 {
			continue
		}
		have += float64(n)
		for have >= math.Ceil(float64(t.total)*q.levels[q.order[next]]) {
			out[q.order[next]] = timingValue(i)
			if next++; next == len(out) {
				return
			}
		}
	}
}

func bindTiming(q *quantiles, t *column.Type) (*column.Type, func() States) {
	if !basicNumber(t) && !plainTime(t) {
		return nil, nil
	}
	return column.Of(column.Float32), func() States {
		return &timings{q: q, weighted: strings.HasSuffix(q.name, "Weighted")}
	}
}

type timings struct {
	q        *quantiles
	weighted bool
	v        []timing
	held     int // bytes
	values   floatBuffer[uint64]
	weights  floatBuffer[uint64]
}

func (s *timings) Grow(n int) { s.v = grow(s.v, n) }

// noTiming is a row that is left out: no number, negative, or past all measure.
const noTiming = math.MaxUint64

// milliseconds are the rows as whole numbers.
func (s *timings) milliseconds(c column.Column, rows int) []uint64 {
	switch x := c.(type) {
	case *column.Num[float64]:
		return wholeTimes(&s.values, x.Data[:rows])
	case *column.Num[float32]:
		return wholeTimes(&s.values, x.Data[:rows])
	case *column.Num[uint64]:
		return wholeTimes(&s.values, x.Data[:rows])
	case *column.Num[int64]:
		return wholeTimes(&s.values, x.Data[:rows])
	case *column.Num[int32]:
		return wholeTimes(&s.values, x.Data[:rows])
	case *column.Num[int16]:
		return wholeTimes(&s.values, x.Data[:rows])
	case *column.Num[int8]:
		return wholeTimes(&s.values, x.Data[:rows])
	}
	return s.values.of(c, rows)
}

func wholeTimes[T column.Number](b *floatBuffer[uint64], data []T) []uint64 {
	if cap(*b) < len(data) {
		*b = make([]uint64, len(data))
	}
	out := (*b)[:len(data)]
	for i, v := range data {
		out[i] = noTiming
		if v >= 0 && float64(v) < 1<<63 {
			out[i] = uint64(v)
		}
	}
	return out
}

func (s *timings) Add(groups []uint32, args []column.Column, rows int) error {
	var weights []uint64
	if s.weighted {
		weights = s.weights.of(args[1], rows)
	}
	g := uint32(0)
	for i, v := range s.milliseconds(args[0], rows) {
		if v == noTiming {
			continue
		}
		if groups != nil {
			g = groups[i]
		}
		t := &s.v[g]
		if t.form == largeTiming {
			w := uint64(1)
			if weights != nil {
				w = weights[i]
			}
			t.count(v, w)
			continue
		}
		had := t.bytes()
		if weights != nil {
			t.addWeighted(v, weights[i])
		} else {
			t.add(v)
		}
		s.held += t.bytes() - had
	}
	return nil
}

func (t *timing) bytes() int {
	if t.counts != nil {
		return 8 * timingCounters
	}
	return 2 * cap(t.list)
}

func (s *timings) Merge(other States, from, to []uint32) error {
	o := other.(*timings)
	for i, g := range to {
		t := &s.v[g]
		had := t.bytes()
		t.merge(&o.v[source(from, i)])
		s.held += t.bytes() - had
	}
	return nil
}

func (s *timings) Save(buf []byte, group int) []byte {
	t := &s.v[group]
	buf = append(buf, max(t.form, tinyTiming))
	switch t.form {
	case largeTiming:
		return t.saveCounts(buf)
	case mediumTiming:
		buf = binary.LittleEndian.AppendUint64(buf, uint64(len(t.list)))
	default:
		buf = binary.LittleEndian.AppendUint16(buf, uint16(len(t.list)))
	}
	return append(buf, column.Raw(t.list)...)
}

// saveCounts writes all counters, or those that are not 0 where they are few.
func (t *timing) saveCounts(buf []byte) []byte {
	buf = binary.LittleEndian.AppendUint64(buf, t.total)
	if t.total*2 > timingCounters {
		return append(buf, column.Raw(t.counts[:])...)
	}
	for i, n := range t.counts {
		if n > 0 {
			buf = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint16(buf, uint16(i)), n)
		}
	}
	return binary.LittleEndian.AppendUint16(buf, timingMost)
}

func (s *timings) Load(r *column.StateReader, group int) error {
	t := &s.v[group]
	had := t.bytes()
	defer func() { s.held += t.bytes() - had }()
	form := r.U8()
	if err := r.Err(); err != nil {
		return err
	}
	n := uint64(0)
	switch t.form = form; form {
	case tinyTiming:
		if n = uint64(r.U16()); n > timingTiny {
			return r.Corrupt("The small state of quantileTiming has %d values, more than %d", n, timingTiny)
		}
	case mediumTiming:
		if n = r.U64(); n > timingMedium {
			return r.Corrupt("The list of quantileTiming has %d values, more than %d", n, timingMedium)
		}
	case largeTiming:
		return t.loadCounts(r)
	default:
		return r.Corrupt("A state of quantileTiming of the unknown form %d", form)
	}
	return loadValues(r, int(n), func(v []uint16) { t.list = append(t.list, v...) })
}

func (t *timing) loadCounts(r *column.StateReader) error {
	t.counts = new([timingCounters]uint64)
	t.total = r.U64()
	if t.total*2 > timingCounters {
		raw := column.Raw(t.counts[:])
		copy(raw, r.Bytes(len(raw)))
		return r.Err()
	}
	for r.Err() == nil {
		i := r.U16()
		if i == timingMost {
			break
		}
		if int(i) >= timingCounters {
			return r.Corrupt("Counter %d of quantileTiming, of %d", i, timingCounters)
		}
		t.counts[i] = r.U64()
	}
	return r.Err()
}

func (s *timings) Result(from, to int) (column.Column, error) {
	k := len(s.q.levels)
	out := make([]float64, (to-from)*k)
	for g := from; g < to; g++ {
		s.v[g].quantiles(s.q, out[(g-from)*k:(g-from+1)*k])
	}
	return s.q.wrap(s.q.narrow(out), to-from), nil
}

func (s *timings) Bytes() int { return cap(s.v)*sizeOf[timing]() + s.held }
