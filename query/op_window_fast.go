package query

import (
	"math"
	"strings"

	"dictsvc/column"
	"dictsvc/sql"
)

// fastAggregate computes the common aggregate functions over frames without a state for each: counts and sums of integers and decimals as differences of
// running ones, minimum and maximum with a queue of candidates, the first and last value by their place.
type fastAggregate struct {
	kind     fastKind
	typ      *column.Type // of the result
	argument bool         // there is an argument besides the condition
	cond     bool         // the last argument is the condition of -If
	keepNull bool         // NULL is a value (RESPECT NULLS)
	carried  fastCarry
}

type fastKind uint8

const (
	fastCount fastKind = iota
	fastSum
	fastAvg
	fastMin
	fastMax
	fastFirst
	fastLast
)

// fastCarry is what a partition that goes on has brought together.
type fastCarry struct {
	count   uint64
	word    uint64
	float   float64
	wide    column.I256
	extreme column.Column // the one row, nil for none yet
}

// newFastAggregate is the short cut for a node's aggregate function, nil where there is none.
func newFastAggregate(e *expr) *fastAggregate {
	name, cond := strings.CutSuffix(e.agg.Name, "If")
	kinds := map[string]fastKind{"count": fastCount, "sum": fastSum, "avg": fastAvg, "min": fastMin, "max": fastMax,
		"any": fastFirst, "any_value": fastFirst, "first_value": fastFirst, "anyLast": fastLast, "last_value": fastLast}
	kind, ok := kinds[name]
	args := e.args[:e.win.nargs]
	n := len(args)
	if cond {
		n--
	}
	if !ok || len(e.win.params) > 0 || n > 1 || n == 0 && kind != fastCount {
		return nil
	}
	f := &fastAggregate{kind: kind, typ: e.typ, argument: n == 1, cond: cond, keepNull: e.win.nulls == sql.NullsRespect}
	if kind == fastCount || kind == fastFirst || kind == fastLast {
		return f
	}
	t := args[0].typ.NoLowCardinality().NoNull()
	switch column.New(t, 0).(type) {
	case *column.Num[uint8], *column.Num[uint16], *column.Num[uint32], *column.Num[uint64], *column.Num[int8], *column.Num[int16], *column.Num[int32],
		*column.Num[int64], *column.Num[float32], *column.Num[float64]:
	default:
		if kind == fastMin || kind == fastMax || !t.IsInteger() && !t.IsDecimal() {
			return nil
		}
	}
	if kind == fastAvg && e.typ.NoNull().Kind != column.Float64 {
		return nil
	}
	return f
}

// run computes the function for the frames of a segment.
func (f *fastAggregate) run(s *segment, args []column.Column, b *frameRows) (column.Column, error) {
	mask, null := f.mask(s, args)
	switch f.kind {
	case fastCount:
		return column.UInt64s(f.counts(s, mask, b)...), nil
	case fastFirst, fastLast:
		return f.place(args[0], mask, b), nil
	}
	arg := args[0]
	if null != nil {
		arg = null.Inner
	}
	var out column.Column
	var counts []uint64
	switch f.kind {
	case fastMin, fastMax:
		var has []uint8
		out, has = f.extremes(s, arg, mask, b)
		if f.typ.IsNullable() {
			for i := range has {
				has[i] = 1 - has[i]
			}
			return &column.Null{T: f.typ, Nulls: has, Inner: out}, nil
		}
		return out, nil
	case fastSum:
		if f.typ.IsNullable() {
			counts = f.counts(s, mask, b)
		}
		out = f.sums(s, arg, mask, b, f.typ.NoNull())
	default:
		counts = f.counts(s, mask, b)
		out = f.averages(s, arg, mask, b, counts)
	}
	if !f.typ.IsNullable() {
		return out, nil
	}
	nulls := make([]uint8, s.rows)
	for i, n := range counts {
		if n == 0 {
			nulls[i] = 1
		}
	}
	return &column.Null{T: f.typ, Nulls: nulls, Inner: out}, nil
}

// mask marks the rows that count, nil for all of them; null is the argument where it may hold NULL.
func (f *fastAggregate) mask(s *segment, args []column.Column) (mask []uint8, null *column.Null) {
	if f.argument {
		null, _ = args[0].(*column.Null)
		if _, ok := args[0].(*column.NothingColumn); ok {
			return make([]uint8, s.rows), nil
		}
	}
	if null != nil && !f.keepNull {
		mask = make([]uint8, s.rows)
		for i, n := range null.Nulls {
			mask[i] = 1 - n
		}
	}
	if !f.cond {
		return mask, null
	}
	keep, n := conditionBytes(args[len(args)-1], s.rows)
	switch {
	case n == s.rows:
	case n == 0:
		mask = make([]uint8, s.rows)
	case mask == nil:
		mask = keep
	default:
		for i, k := range keep {
			if k == 0 {
				mask[i] = 0
			}
		}
	}
	return mask, null
}

// counts are the rows of each frame that count.
func (f *fastAggregate) counts(s *segment, mask []uint8, b *frameRows) []uint64 {
	out := make([]uint64, s.rows)
	if mask == nil {
		for i := range out {
			out[i] = uint64(b.to[i] - b.from[i])
		}
	} else {
		before := make([]uint64, s.rows+1)
		for i, m := range mask {
			before[i+1] = before[i]
			if m != 0 {
				before[i+1]++
			}
		}
		for i := range out {
			out[i] = before[b.to[i]] - before[b.from[i]]
		}
	}
	if s.continued {
		for i := range out[:s.starts[1]] {
			out[i] += f.carried.count
		}
	}
	if s.open {
		f.carried.count = out[s.rows-1]
	}
	return out
}

// place takes the first or last row of each frame that counts.
func (f *fastAggregate) place(arg column.Column, mask []uint8, b *frameRows) column.Column {
	rows := len(b.from)
	places := make([]uint32, rows)
	var near []uint32 // the next row from here on, or the last one up to here, that counts
	if mask != nil {
		near = make([]uint32, rows+1)
		if f.kind == fastFirst {
			near[rows] = missing
			for i := rows - 1; i >= 0; i-- {
				near[i] = near[i+1]
				if mask[i] != 0 {
					near[i] = uint32(i)
				}
			}
		} else {
			last := uint32(missing)
			for i := range rows {
				if mask[i] != 0 {
					last = uint32(i)
				}
				near[i] = last
			}
		}
	}
	for i := range places {
		from, to := b.from[i], b.to[i]
		at := from
		if f.kind == fastLast {
			at = to - 1
		}
		if from < to && near != nil {
			at = near[at]
		}
		if from >= to || at == missing || at < from || at >= to {
			at = missing
		}
		places[i] = at
	}
	return pickRows(arg, places, nil)
}

// sums are the sums of each frame as a column of a type.
func (f *fastAggregate) sums(s *segment, arg column.Column, mask []uint8, b *frameRows, t *column.Type) column.Column {
	switch x := arg.(type) {
	case *column.Num[float32]:
		data := make([]float64, len(x.Data))
		for i, v := range x.Data {
			data[i] = float64(v)
		}
		return column.NewNum(t, f.floatSums(s, data, mask, b))
	case *column.Num[float64]:
		return column.NewNum(t, f.floatSums(s, x.Data, mask, b))
	}
	if t.IsDecimal() || t.FixedWidth() > 8 {
		return wideColumn(t, f.wideSums(s, arg, mask, b))
	}
	words := f.wordSums(s, arg, mask, b)
	if t.Kind == column.UInt64 {
		return column.NewNum(t, words)
	}
	signed := make([]int64, len(words))
	for i, v := range words {
		signed[i] = int64(v)
	}
	return column.NewNum(t, signed)
}

// averages are sums over counts.
func (f *fastAggregate) averages(s *segment, arg column.Column, mask []uint8, b *frameRows, counts []uint64) column.Column {
	t := column.Of(column.Int64)
	scale := 1.0
	switch a := arg.Type(); {
	case a.IsFloat():
		t = column.Of(column.Float64)
	case a.IsDecimal():
		scale = math.Pow10(a.Scale)
		t = column.Of(column.Int256)
	case a.FixedWidth() > 8 && a.IsUnsigned():
		t = column.Of(column.UInt256)
	case a.FixedWidth() > 8:
		t = column.Of(column.Int256)
	case a.IsUnsigned():
		t = column.Of(column.UInt64)
	}
	out := make([]float64, len(counts))
	switch c := f.sums(s, arg, mask, b, t).(type) {
	case *column.Num[uint64]:
		for i, v := range c.Data {
			out[i] = float64(v) / float64(counts[i])
		}
	case *column.Num[int64]:
		for i, v := range c.Data {
			out[i] = float64(v) / float64(counts[i])
		}
	case *column.Num[float64]:
		for i, v := range c.Data {
			out[i] = v / float64(counts[i])
		}
	case *column.Wide[column.I256]:
		for i, v := range c.Data {
			out[i] = v.Float(false) / scale / float64(counts[i])
		}
	case *column.Wide[column.U256]:
		for i, v := range c.Data {
			out[i] = column.I256(v).Float(true) / scale / float64(counts[i])
		}
	}
	return column.Float64s(out...)
}

// wordSums are sums of integers of up to 64 bits; they wrap as ClickHouse's do.
func (f *fastAggregate) wordSums(s *segment, arg column.Column, mask []uint8, b *frameRows) []uint64 {
	before := make([]uint64, s.rows+1)
	switch x := arg.(type) {
	case *column.Num[uint8]:
		wordSums(x.Data, mask, before)
	case *column.Num[uint16]:
		wordSums(x.Data, mask, before)
	case *column.Num[uint32]:
		wordSums(x.Data, mask, before)
	case *column.Num[uint64]:
		wordSums(x.Data, mask, before)
	case *column.Num[int8]:
		wordSums(x.Data, mask, before)
	case *column.Num[int16]:
		wordSums(x.Data, mask, before)
	case *column.Num[int32]:
		wordSums(x.Data, mask, before)
	case *column.Num[int64]:
		wordSums(x.Data, mask, before)
	}
	out := make([]uint64, s.rows)
	for i := range out {
		out[i] = before[b.to[i]] - before[b.from[i]]
	}
	if s.continued {
		for i := range out[:s.starts[1]] {
			out[i] += f.carried.word
		}
	}
	if s.open {
		f.carried.word = out[s.rows-1]
	}
	return out
}

func wordSums[T ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~int8 | ~int16 | ~int32 | ~int64](data []T, mask []uint8, before []uint64) {
	sum := uint64(0)
	for i, v := range data {
		if mask == nil || mask[i] != 0 {
			sum += uint64(v)
		}
		before[i+1] = sum
	}
}

// wideSums are sums of integers and decimals of up to 256 bits.
func (f *fastAggregate) wideSums(s *segment, arg column.Column, mask []uint8, b *frameRows) []column.I256 {
	var data []column.I256
	switch x := arg.(type) {
	case *column.Num[int32]:
		data = make([]column.I256, len(x.Data))
		for i, v := range x.Data {
			data[i] = column.WideInt(int64(v))
		}
	case *column.Num[int64]:
		data = make([]column.I256, len(x.Data))
		for i, v := range x.Data {
			data[i] = column.WideInt(v)
		}
	default:
		data = wideValues(arg)
	}
	before := make([]column.I256, s.rows+1)
	for i, v := range data {
		before[i+1] = before[i]
		if mask == nil || mask[i] != 0 {
			before[i+1] = before[i].Add(v)
		}
	}
	out := make([]column.I256, s.rows)
	for i := range out {
		out[i] = before[b.to[i]].Sub(before[b.from[i]])
		if s.continued && uint32(i) < s.starts[1] {
			out[i] = out[i].Add(f.carried.wide)
		}
	}
	if s.open {
		f.carried.wide = out[s.rows-1]
	}
	return out
}

// wideColumn is sums as a column of a type.
func wideColumn(t *column.Type, v []column.I256) column.Column {
	switch column.New(t, 0).(type) {
	case *column.Wide[column.U128]:
		out := make([]column.U128, len(v))
		for i, x := range v {
			out[i] = x.CutU128()
		}
		return column.NewWide(t, out)
	case *column.Wide[column.I128]:
		out := make([]column.I128, len(v))
		for i, x := range v {
			out[i] = x.Cut128()
		}
		return column.NewWide(t, out)
	case *column.Wide[column.U256]:
		out := make([]column.U256, len(v))
		for i, x := range v {
			out[i] = column.U256(x)
		}
		return column.NewWide(t, out)
	}
	return column.NewWide(t, v)
}

// floatSums are sums of floats. What was added cannot be taken away again without an error, so only frames that begin or end with their partition are
// summed up as they grow; the others are added up by themselves.
func (f *fastAggregate) floatSums(s *segment, data []float64, mask []uint8, b *frameRows) []float64 {
	out := make([]float64, s.rows)
	value := func(i int) float64 {
		if mask != nil && mask[i] == 0 {
			return 0
		}
		return data[i]
	}
	switch {
	case b.frame.fromStart():
		grown := make([]float64, s.rows)
		s.partitions(func(from, to int) {
			sum := 0.0
			if from == 0 && s.continued {
				sum = f.carried.float
			}
			first := sum
			for i := from; i < to; i++ {
				sum += value(i)
				grown[i] = sum
			}
			for i := from; i < to; i++ {
				if out[i] = first; b.to[i] > uint32(from) {
					out[i] = grown[b.to[i]-1]
				}
			}
		})
	case b.frame.toEnd():
		grown := make([]float64, s.rows)
		s.partitions(func(from, to int) {
			sum := 0.0
			for i := to - 1; i >= from; i-- {
				sum += value(i)
				grown[i] = sum
			}
			for i := from; i < to; i++ {
				if b.from[i] < uint32(to) {
					out[i] = grown[b.from[i]]
				}
			}
		})
	default:
		for i := range out {
			if i > 0 && b.from[i] == b.from[i-1] && b.to[i] == b.to[i-1] {
				out[i] = out[i-1]
				continue
			}
			sum := 0.0
			for k := b.from[i]; k < b.to[i]; k++ {
				sum += value(int(k))
			}
			out[i] = sum
		}
	}
	if s.open {
		f.carried.float = out[s.rows-1]
	}
	return out
}
