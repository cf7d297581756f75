package agg

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"slices"

	"dictsvc/column"
	"dictsvc/errcode"
)

// quantile keeps a random sample of a group's values (reservoir sampling, Vitter's algorithm R) with ClickHouse's own generator, so that over one stream
// of rows the same values are sampled.

// reservoirSize is how many values a sample has.
const reservoirSize = 8192

// pcg is the generator PCG-XSH-RS of 64 bits of state and 32 of output without an increment (O'Neill).
type pcg uint64

const (
	pcgMultiplier = 6364136223846793005
	pcgSeed       = 123456 | 3
)

func (p *pcg) next() uint32 {
	s := uint64(*p)
	*p = pcg(s * pcgMultiplier)
	return uint32((s ^ s>>22) >> (22 + s>>61))
}

// text is the generator as states show it: the multiplier, the increment and the state.
func (p pcg) text() string { return fmt.Sprintf("%d 0 %d", uint64(pcgMultiplier), uint64(p)) }

// parse reads what text has written.
func (p *pcg) parse(text []byte) bool {
	var multiplier, increment, state uint64
	n, err := fmt.Sscanf(string(text), "%d %d %d", &multiplier, &increment, &state)
	*p = pcg(state)
	return err == nil && n == 3 && multiplier == pcgMultiplier && increment == 0
}

// below is a random number less than limit.
func (p *pcg) below(limit uint64) uint64 {
	if limit <= math.MaxUint32 {
		return uint64(p.next() % uint32(limit))
	}
	high := uint64(p.next())
	return (high<<32 + uint64(p.next())) % limit
}

// reservoir is the sample of a group.
type reservoir[T any] struct {
	values []T
	total  uint64
	rng    pcg
}

func (r *reservoir[T]) add(v T) {
	if r.total != math.MaxUint64 {
		r.total++
	}
	if len(r.values) < reservoirSize {
		r.values = append(r.values, v)
		return
	}
	if at := r.rng.below(r.total); at < reservoirSize {
		r.values[at] = v
	}
}

func (r *reservoir[T]) merge(o *reservoir[T]) {
	switch {
	case o.total <= reservoirSize:
		for _, v := range o.values {
			r.add(v)
		}
	case r.total <= reservoirSize:
		own := r.values
		r.values, r.total = slices.Clone(o.values), o.total
		for _, v := range own {
			r.add(v)
		}
	default:
		if r.total > math.MaxUint64-o.total {
			r.total = math.MaxUint64
		} else {
			r.total += o.total
		}
		frequency := float64(r.total) / float64(o.total)
		if frequency*2 >= reservoirSize {
			if at := r.rng.below(uint64(frequency)); at < reservoirSize {
				r.values[at] = o.values[at]
			}
			return
		}
		for i := 0.0; i < reservoirSize; i += frequency {
			r.values[int(i)] = o.values[int(i)]
		}
	}
}

func bindReservoir(q *quantiles, t *column.Type) (*column.Type, func() States) {
	float := column.Of(column.Float64)
	switch t.Kind {
	case column.Bool, column.UInt8:
		return float, newReservoirs(q, numberOrdering[uint8]())
	case column.UInt16:
		return float, newReservoirs(q, numberOrdering[uint16]())
	case column.UInt32:
		return float, newReservoirs(q, numberOrdering[uint32]())
	case column.UInt64:
		return float, newReservoirs(q, numberOrdering[uint64]())
	case column.Int8:
		return float, newReservoirs(q, numberOrdering[int8]())
	case column.Int16:
		return float, newReservoirs(q, numberOrdering[int16]())
	case column.Int32:
		return float, newReservoirs(q, numberOrdering[int32]())
	case column.Int64:
		return float, newReservoirs(q, numberOrdering[int64]())
	case column.Float32:
		return float, newReservoirs(q, numberOrdering[float32]())
	case column.Float64:
		return float, newReservoirs(q, numberOrdering[float64]())
	case column.Int128:
		return float, newReservoirs(q, wideOrdering(floatI128))
	case column.UInt128:
		return float, newReservoirs(q, wideOrdering(floatU128))
	case column.Int256:
		return float, newReservoirs(q, wideOrdering(floatI256))
	case column.UInt256:
		return float, newReservoirs(q, wideOrdering(floatU256))
	case column.Date:
		return t, newReservoirs(q, numberOrdering[uint16]())
	case column.DateTime:
		return t, newReservoirs(q, numberOrdering[uint32]())
	case column.Decimal32:
		return t, newReservoirs(q, numberOrdering[int32]())
	case column.Decimal64, column.DateTime64:
		return t, newReservoirs(q, numberOrdering[int64]())
	case column.Decimal128:
		return t, newReservoirs(q, wideOrdering(floatI128))
	case column.Decimal256:
		return t, newReservoirs(q, wideOrdering(floatI256))
	}
	return nil, nil
}

type reservoirs[T any] struct {
	q    *quantiles
	o    *ordering[T]
	v    []reservoir[T]
	held int // values that the samples have room for
}

func newReservoirs[T any](q *quantiles, o *ordering[T]) func() States {
	return func() States { return &reservoirs[T]{q: q, o: o} }
}

func (s *reservoirs[T]) Grow(n int) {
	have := len(s.v)
	s.v = grow(s.v, n)
	for i := have; i < len(s.v); i++ {
		s.v[i].rng = pcgSeed
	}
}

func (s *reservoirs[T]) Add(groups []uint32, args []column.Column, rows int) error {
	data := s.o.data(args[0])[:rows]
	if s.o.nan != nil {
		groups, data = withoutNaN(groups, data, s.o.nan)
	}
	if groups == nil {
		r := &s.v[0]
		had := cap(r.values)
		if room := reservoirSize - len(r.values); room > 0 {
			k := min(room, len(data))
			r.values = append(r.values, data[:k]...)
			r.total += uint64(k)
			data = data[k:]
		}
		for _, v := range data {
			r.add(v)
		}
		s.held += cap(r.values) - had
		return nil
	}
	for i, g := range groups {
		r := &s.v[g]
		if len(r.values) < reservoirSize {
			had := cap(r.values)
			r.add(data[i])
			s.held += cap(r.values) - had
			continue
		}
		r.total++
		if at := r.rng.below(r.total); at < reservoirSize {
			r.values[at] = data[i]
		}
	}
	return nil
}

func (s *reservoirs[T]) Merge(other States, from, to []uint32) error {
	o := other.(*reservoirs[T])
	for i, g := range to {
		r := &s.v[g]
		had := cap(r.values)
		r.merge(&o.v[source(from, i)])
		s.held += cap(r.values) - had
	}
	return nil
}

func (s *reservoirs[T]) Save(buf []byte, group int) []byte {
	r := &s.v[group]
	buf = binary.LittleEndian.AppendUint64(buf, reservoirSize)
	buf = binary.LittleEndian.AppendUint64(buf, r.total)
	state := r.rng.text()
	buf = append(binary.AppendUvarint(buf, uint64(len(state))), state...)
	return append(buf, column.Raw(r.values)...)
}

func (s *reservoirs[T]) Load(r *column.StateReader, group int) error {
	size, total := r.U64(), r.U64()
	state := string(r.String())
	if err := r.Err(); err != nil {
		return err
	}
	if size != reservoirSize {
		return r.Corrupt("A sample of quantile must have room for %d values, got %d", reservoirSize, size)
	}
	var rng pcg
	if !rng.parse([]byte(state)) {
		return r.Fail(errcode.New(errcode.IncorrectData, "The random generator's state %.80q in a state of quantile is wrong", state))
	}
	own := &s.v[group]
	own.rng, own.total = rng, total
	had := cap(own.values)
	err := loadValues(r, int(min(total, reservoirSize)), func(v []T) { own.values = append(own.values, v...) })
	s.held += cap(own.values) - had
	return err
}

func (s *reservoirs[T]) Result(from, to int) (column.Column, error) {
	k := len(s.q.levels)
	exact := s.q.elem.IsDecimal() || s.q.elem.Kind == column.DateTime64
	floats := make([]float64, (to-from)*k)
	var values []T
	if exact {
		values = make([]T, len(floats))
	}
	var sorted []T
	for g := from; g < to; g++ {
		sorted = append(sorted[:0], s.v[g].values...)
		s.arrange(sorted)
		for l, level := range s.q.levels {
			at := (g-from)*k + l
			if exact {
				values[at] = interpolateExactly(level, sorted)
				continue
			}
			floats[at] = interpolate(level, len(sorted), func(i int) float64 { return s.o.float(sorted[i]) })
		}
	}
	if exact {
		return s.q.wrap(s.o.column(s.q.elem, values), to-from), nil
	}
	return s.q.wrap(s.q.narrow(floats), to-from), nil
}

// arrange brings the values that the levels ask for to the places that they have in sorted order: of one level these are two neighbours.
func (s *reservoirs[T]) arrange(values []T) {
	n := len(values)
	if n < 2 || len(s.q.levels) > 1 {
		s.o.sort(values)
		return
	}
	left := int(placeOf(s.q.levels[0], n))
	s.o.nth(values, left)
	if rest := values[left+1:]; len(rest) > 0 {
		least := 0
		for i := range rest {
			if s.o.cmp(rest[i], rest[least]) < 0 {
				least = i
			}
		}
		rest[0], rest[least] = rest[least], rest[0]
	}
}

// interpolateExactly is interpolate over decimals without leaving the integers: the place between two values counts as the fraction that it is.
func interpolateExactly[T any](level float64, sorted []T) (v T) {
	n := len(sorted)
	if n == 0 {
		return v
	}
	place := placeOf(level, n)
	left := int(place)
	weight := place - float64(left)
	if left+1 == n || weight == 0 {
		return sorted[left]
	}
	share := new(big.Rat).SetFloat64(weight)
	a, b := bigOf(sorted[left]), bigOf(sorted[left+1])
	num, den := share.Num(), share.Denom()
	sum := new(big.Int).Mul(a, new(big.Int).Sub(den, num))
	sum.Add(sum, new(big.Int).Mul(b, num)).Quo(sum, den)
	return bigTo[T](sum)
}

func bigOf[T any](v T) *big.Int {
	switch x := any(v).(type) {
	case int32:
		return big.NewInt(int64(x))
	case int64:
		return big.NewInt(x)
	case column.I128:
		return x.Widen().Big(false)
	case column.I256:
		return x.Big(false)
	}
	return new(big.Int)
}

func bigTo[T any](b *big.Int) (v T) {
	switch x := any(&v).(type) {
	case *int32:
		*x = int32(b.Int64())
	case *int64:
		*x = b.Int64()
	case *column.I128:
		*x = column.WideBig(b).Cut128()
	case *column.I256:
		*x = column.WideBig(b)
	}
	return v
}

func (s *reservoirs[T]) Bytes() int {
	return cap(s.v)*sizeOf[reservoir[T]]() + s.held*sizeOf[T]()
}
