package agg

import (
	"encoding/binary"
	"math"
	"slices"

	"dictsvc/column"
	"dictsvc/errcode"
	"dictsvc/internal/exp2"
)

// quantileDD keeps a DDSketch (Masson, Rim, Lee 2019): counts of values in bins whose borders grow by a factor, so that a quantile is off by a share of
// itself at most. ClickHouse holds all bins between the least and the greatest; here those that have something.

// The flags of a sketch's bytes.
const (
	ddMapping    = 0x02
	ddPositive   = 0x01
	ddNegative   = 0x03
	ddZeros      = 0x04
	ddContiguous = 0x0C
	ddSparse     = 0x04
	ddBinsMost   = 1 << 24 // of a state that is read
)

func bindDD(q *quantiles, t *column.Type) (*column.Type, func() States) {
	out := t
	switch {
	case basicNumber(t), t.Kind == column.Bool:
		out = column.Of(column.Float64)
	case plainTime(t):
	default:
		return nil, nil
	}
	return out, func() States { return &ddStates{q: q} }
}

// ddAccuracy: the share of a value that its estimate may be off by.
func ddAccuracy(name string, p column.Column) (float64, error) {
	if !p.Type().IsFloat() {
		return 0, errcode.New(errcode.IllegalTypeOfArgument, "Aggregate function %s requires relative accuracy parameter with Float64 type", name)
	}
	v, _ := FloatParam(p)
	if !(v > 0 && v < 1) {
		return 0, errcode.New(errcode.BadArguments, "Aggregate function %s requires relative accuracy parameter with value between 0 and 1 but is %v", name, v)
	}
	return v, nil
}

// ddMap is how values and bins belong together.
type ddMap struct{ accuracy, gamma, multiplier, offset float64 }

func ddMapOf(accuracy float64) ddMap {
	m := ddMap{accuracy: accuracy, gamma: (1 + accuracy) / (1 - accuracy)}
	m.multiplier = 1 / exp2.Log(m.gamma)
	return m
}

const leastNormal = 0x1p-1022

func (m *ddMap) least() float64 { return leastNormal * m.gamma }

// key is the bin of a value.
func (m *ddMap) key(v float64) (int32, error) {
	if most := math.MaxFloat64 / m.gamma; v < m.least() || v > most {
		return 0, errcode.New(errcode.BadArguments, "Value %v is out of range [%v, %v]", v, m.least(), most)
	}
	k := exp2.Log(v)*m.multiplier + m.offset
	return int32(max(math.MinInt32, min(math.MaxInt32, k))), nil
}

// lower is the lower border of a bin.
func (m *ddMap) lower(key int32) float64 { return exp2.Exp((float64(key) - m.offset) / m.multiplier) }

func (m *ddMap) value(key int32) float64 { return m.lower(key) * (1 + m.accuracy) }

func (m *ddMap) equal(o *ddMap) bool {
	low, high := min(m.gamma, o.gamma), max(m.gamma, o.gamma)
	return low == high || high-low <= (math.Nextafter(low, high)-low)*low
}

// ddBins are counts by bin, ascending.
type ddBins struct {
	keys   []int32
	counts []float64
	count  float64
	least  int32 // of all bins ever asked for, of those without a count too; greatest before the first
	most   int32
}

func (b *ddBins) init() { b.least, b.most = math.MaxInt32, math.MinInt32 }

func (b *ddBins) add(key int32, weight float64) {
	b.count += weight
	b.least, b.most = min(b.least, key), max(b.most, key)
	i, ok := slices.BinarySearch(b.keys, key)
	if !ok {
		b.keys = slices.Insert(b.keys, i, key)
		b.counts = slices.Insert(b.counts, i, 0)
	}
	b.counts[i] += weight
}

func (b *ddBins) clone() ddBins {
	out := *b
	out.keys, out.counts = slices.Clone(b.keys), slices.Clone(b.counts)
	return out
}

func (b *ddBins) merge(o *ddBins) {
	if o.count == 0 {
		return
	}
	if b.count == 0 {
		*b = o.clone()
		return
	}
	count := b.count + o.count
	for i, key := range o.keys {
		b.add(key, o.counts[i])
	}
	b.least, b.most, b.count = min(b.least, o.least), max(b.most, o.most), count
}

// at is the bin in which a rank lies; lower tells how a rank between two is taken.
func (b *ddBins) at(rank float64, lower bool) int32 {
	sum := 0.0
	for i, n := range b.counts {
		if sum += n; lower && sum > rank || !lower && sum >= rank+1 {
			return b.keys[i]
		}
	}
	return b.most
}

func (b *ddBins) save(buf []byte) []byte {
	some := 0
	for _, n := range b.counts {
		if n != 0 {
			some++
		}
	}
	bins := uint64(0)
	if b.count != 0 {
		bins = uint64(int64(b.most) - int64(b.least) + 1)
	}
	if (bins-uint64(some))*8 <= uint64(2*some) {
		buf = binary.AppendUvarint(append(buf, ddContiguous), bins)
		buf = binary.AppendVarint(binary.AppendVarint(buf, int64(b.least)), 1)
		at := 0
		for key := int64(b.least); key <= int64(b.most); key++ {
			n := 0.0
			if at < len(b.keys) && int64(b.keys[at]) == key {
				n = b.counts[at]
				at++
			}
			buf = binary.LittleEndian.AppendUint64(buf, math.Float64bits(n))
		}
		return buf
	}
	buf = binary.AppendUvarint(append(buf, ddSparse), uint64(some))
	last := int64(0)
	for i, key := range b.keys {
		if n := b.counts[i]; n != 0 {
			buf = binary.AppendVarint(buf, int64(key)-last)
			buf = binary.LittleEndian.AppendUint64(buf, math.Float64bits(n))
			last = int64(key)
		}
	}
	return buf
}

// varint reads a number that AppendVarint has written.
func varint(r *column.StateReader) int64 {
	u := r.Uvarint()
	return int64(u>>1) ^ -int64(u&1)
}

func (b *ddBins) load(r *column.StateReader, flag uint8) error {
	if got := r.U8(); r.Err() == nil && got != flag {
		return r.Corrupt("A sketch has the flag %d, want %d", got, flag)
	}
	form := r.U8()
	if r.Err() == nil && form != ddContiguous && form != ddSparse {
		return r.Corrupt("Invalid flag for encoding mode")
	}
	n := r.Count(ddBinsMost, 8)
	key, step := int64(0), int64(0)
	if form == ddContiguous {
		key, step = varint(r), varint(r)
	}
	for ; n > 0 && r.Err() == nil; n-- {
		if form == ddSparse {
			key += varint(r)
		}
		weight := r.F64()
		if r.Err() != nil {
			break
		}
		if key < math.MinInt32 || key > math.MaxInt32 || !(weight >= 0 && weight <= math.MaxFloat64) {
			return r.Corrupt("A sketch has the bin %d with the count %v", key, weight)
		}
		b.add(int32(key), weight)
		key += step
	}
	return r.Err()
}

type dd struct {
	m                  ddMap
	positive, negative ddBins
	zeros, count       float64
}

func (s *dd) init(m ddMap) {
	*s = dd{m: m}
	s.positive.init()
	s.negative.init()
}

func (s *dd) add(v float64) error {
	switch {
	case v != v:
		return nil
	case v > s.m.least():
		k, err := s.m.key(v)
		if err != nil {
			return err
		}
		s.positive.add(k, 1)
	case v < -s.m.least():
		k, err := s.m.key(-v)
		if err != nil {
			return err
		}
		s.negative.add(k, 1)
	default:
		s.zeros++
	}
	s.count++
	return nil
}

func (s *dd) get(level float64) float64 {
	if s.count == 0 {
		return nan64()
	}
	rank := level * (s.count - 1)
	switch {
	case rank < s.negative.count:
		return -s.m.value(s.negative.at(s.negative.count-rank-1, false))
	case rank < s.zeros+s.negative.count:
		return 0
	}
	return s.m.value(s.positive.at(rank-s.zeros-s.negative.count, true))
}

func (s *dd) merge(o *dd) error {
	if !s.m.equal(&o.m) { // the finer one takes the bins of the coarser
		if s.m.gamma > o.m.gamma {
			changed, err := o.changed(s.m.gamma)
			if err != nil {
				return err
			}
			o = changed
		} else {
			changed, err := s.changed(o.m.gamma)
			if err != nil {
				return err
			}
			s.copy(changed)
		}
	}
	if o.count == 0 {
		return nil
	}
	if s.count == 0 {
		s.copy(o)
		return nil
	}
	s.count += o.count
	s.zeros += o.zeros
	s.positive.merge(&o.positive)
	s.negative.merge(&o.negative)
	return nil
}

func (s *dd) copy(o *dd) {
	m := ddMapOf((o.m.gamma - 1) / (o.m.gamma + 1))
	*s = dd{m: m, positive: o.positive.clone(), negative: o.negative.clone(), zeros: o.zeros, count: o.count}
}

// changed is a sketch with other bins, into which counts are divided by the share of each bin that they cover.
func (s *dd) changed(gamma float64) (*dd, error) {
	var out dd
	out.init(ddMapOf((gamma - 1) / (gamma + 1)))
	for _, pair := range [][2]*ddBins{{&s.positive, &out.positive}, {&s.negative, &out.negative}} {
		from, to := pair[0], pair[1]
		for i, key := range from.keys {
			low, high := s.m.lower(key), s.m.lower(key+1)
			if from.counts[i] == 0 || math.IsInf(low, 0) || math.IsInf(high, 0) || !(high > low) {
				continue
			}
			k, err := out.m.key(low)
			if err != nil {
				return nil, err
			}
			for steps := 0; out.m.lower(k) < high; k++ {
				if steps++; steps > ddStepsMost {
					return nil, errcode.New(errcode.IncorrectData, "Too many bins in a sketch that is changed")
				}
				part := min(out.m.lower(k+1), high) - max(out.m.lower(k), low)
				to.add(k, part/(high-low)*from.counts[i])
			}
		}
	}
	out.zeros = s.zeros
	out.count = out.positive.count + out.negative.count + s.zeros
	return &out, nil
}

// ddStepsMost bounds how many bins one is divided into.
const ddStepsMost = 100000

type ddStates struct {
	q      *quantiles
	v      []dd
	values floatBuffer[float64]
}

func (s *ddStates) Grow(n int) {
	had := len(s.v)
	s.v = grow(s.v, n)
	for i := had; i < len(s.v); i++ {
		s.v[i].init(ddMapOf(s.q.accuracy))
	}
}

func (s *ddStates) Add(groups []uint32, args []column.Column, rows int) error {
	g := uint32(0)
	for i, v := range s.values.of(args[0], rows) {
		if groups != nil {
			g = groups[i]
		}
		if err := s.v[g].add(v); err != nil {
			return err
		}
	}
	return nil
}

func (s *ddStates) Merge(other States, from, to []uint32) error {
	o := other.(*ddStates)
	for i, g := range to {
		if err := s.v[g].merge(&o.v[source(from, i)]); err != nil {
			return err
		}
	}
	return nil
}

func (s *ddStates) Save(buf []byte, group int) []byte {
	x := &s.v[group]
	buf = binary.LittleEndian.AppendUint64(append(buf, ddMapping), math.Float64bits(x.m.gamma))
	buf = binary.LittleEndian.AppendUint64(buf, math.Float64bits(x.m.offset))
	buf = x.positive.save(append(buf, ddPositive))
	buf = x.negative.save(append(buf, ddNegative))
	return binary.LittleEndian.AppendUint64(append(buf, ddZeros), math.Float64bits(x.zeros))
}

func (s *ddStates) Load(r *column.StateReader, group int) error {
	x := &s.v[group]
	if got := r.U8(); r.Err() == nil && got != ddMapping {
		return r.Corrupt("Invalid flag for mapping")
	}
	gamma, offset := r.F64(), r.F64()
	if r.Err() == nil && (!(gamma > 1 && gamma <= math.MaxFloat64) || math.IsInf(offset, 0) || offset != offset) {
		return r.Fail(errcode.New(errcode.BadArguments, "Invalid gamma value after deserialization: %v", gamma))
	}
	x.m.gamma, x.m.offset, x.m.multiplier = gamma, offset, 1/exp2.Log(gamma)
	if err := x.positive.load(r, ddPositive); err != nil {
		return err
	}
	if err := x.negative.load(r, ddNegative); err != nil {
		return err
	}
	if got := r.U8(); r.Err() == nil && got != ddZeros {
		return r.Corrupt("Invalid flag for zero count")
	}
	x.zeros = r.F64()
	x.count = x.negative.count + x.zeros + x.positive.count
	if r.Err() == nil && !(x.zeros >= 0 && x.count <= math.MaxFloat64) {
		return r.Corrupt("Invalid counts of a sketch: %v of %v are zeros", x.zeros, x.count)
	}
	return r.Err()
}

func (s *ddStates) Result(from, to int) (column.Column, error) {
	out := make([]float64, 0, (to-from)*len(s.q.levels))
	for g := from; g < to; g++ {
		for _, level := range s.q.levels {
			out = append(out, s.v[g].get(level))
		}
	}
	return s.q.wrap(s.q.narrow(out), to-from), nil
}

func (s *ddStates) Bytes() int {
	n := cap(s.v)*224 + 8*cap(s.values)
	for i := range s.v {
		n += 12 * (cap(s.v[i].positive.keys) + cap(s.v[i].negative.keys))
	}
	return n
}
