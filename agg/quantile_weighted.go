package agg

import (
	"math"
	"slices"
	"strings"
	"unsafe"

	"dictsvc/column"
)

// quantileExactWeighted and its like keep the distinct values with the sums of their weights.

func bindWeighted(q *quantiles, t *column.Type) (*column.Type, func() States) {
	out := t
	switch {
	case t.IsInteger(), t.IsFloat():
		if strings.HasSuffix(q.name, "WeightedInterpolated") {
			out = column.Of(column.Float64)
		}
	case plainTime(t), t.Kind == column.DateTime64, t.IsDecimal():
	default:
		return nil, nil
	}
	switch t.Kind {
	case column.Bool, column.UInt8:
		return out, weighedNumbers[uint8, uint8](q)
	case column.UInt16, column.Date:
		return out, weighedNumbers[uint16, uint16](q)
	case column.UInt32, column.DateTime:
		return out, weighedNumbers[uint32, uint32](q)
	case column.UInt64:
		return out, weighedNumbers[uint64, uint64](q)
	case column.Int8:
		return out, weighedNumbers[int8, uint8](q)
	case column.Int16:
		return out, weighedNumbers[int16, uint16](q)
	case column.Int32, column.Decimal32:
		return out, weighedNumbers[int32, uint32](q)
	case column.Int64, column.Decimal64, column.DateTime64:
		return out, weighedNumbers[int64, uint64](q)
	case column.Float32:
		return out, weighedNumbers[float32, uint32](q)
	case column.Float64:
		return out, weighedNumbers[float64, uint64](q)
	case column.Int128, column.Decimal128:
		return out, weighedWide(q, floatI128, crcI128)
	case column.UInt128:
		return out, weighedWide(q, floatU128, crcU128)
	case column.Int256, column.Decimal256:
		return out, weighedWide(q, floatI256, crcI256)
	}
	return out, weighedWide(q, floatU256, crcU256)
}

func weighedNumbers[T column.Number, K uint8 | uint16 | uint32 | uint64](q *quantiles) func() States {
	w := &weighed[T]{q: q, o: numberOrdering[T]()}
	f := &weightsOf[K]{keys: numberKeys[T, K], hash: crcSmall[K], weighted: true, positive: interpolatesWeights(q)}
	f.result = func(maps []cellMap[K]) (column.Column, error) {
		return w.result(len(maps), func(i int, list []cell[T]) []cell[T] {
			maps[i].each(func(key K, value uint64) {
				list = append(list, cell[T]{*(*T)(unsafe.Pointer(&key)), value}) // K and T are of one width
			})
			return list
		})
	}
	return f.states
}

func weighedWide[T column.WideValue[T]](q *quantiles, float func(T) float64, hash func(T) uint64) func() States {
	w := &weighed[T]{q: q, o: wideOrdering(float)}
	f := &weightsOf[T]{keys: wideKeys[T], hash: hash, weighted: true, positive: interpolatesWeights(q)}
	f.result = func(maps []cellMap[T]) (column.Column, error) {
		return w.result(len(maps), func(i int, list []cell[T]) []cell[T] {
			maps[i].each(func(key T, value uint64) { list = append(list, cell[T]{key, value}) })
			return list
		})
	}
	return f.states
}

func interpolatesWeights(q *quantiles) bool {
	return strings.HasSuffix(q.name, "ExactWeightedInterpolated")
}

// weighed finds quantiles among values with weights.
type weighed[T comparable] struct {
	q *quantiles
	o *ordering[T]
}

// result computes the quantiles of n groups; list appends a group's values.
func (w *weighed[T]) result(n int, list func(i int, out []cell[T]) []cell[T]) (column.Column, error) {
	k := len(w.q.levels)
	values, floats := make([]T, n*k), make([]float64, n*k)
	interpolated := interpolatesWeights(w.q)
	linear := strings.HasSuffix(w.q.name, "InterpolatedWeighted")
	var group []cell[T]
	for i := range n {
		group = list(i, group[:0])
		slices.SortFunc(group, func(a, b cell[T]) int { return w.o.cmp(a.key, b.key) })
		out, outFloats := values[i*k:(i+1)*k], floats[i*k:(i+1)*k]
		switch {
		case len(group) == 0:
			w.none(out, outFloats)
		case interpolated:
			w.interpolated(group, outFloats, out)
		case linear:
			w.linear(group, out)
		default:
			w.steps(group, out)
		}
	}
	if interpolated && w.q.elem.Kind == column.Float64 {
		return w.q.wrap(column.Float64s(floats...), n), nil
	}
	return w.q.wrap(w.o.column(w.q.elem, values), n), nil
}

// none are the quantiles of no rows: NaN where a single quantile can be, zeros else.
func (w *weighed[T]) none(out []T, floats []float64) {
	for i := range floats {
		floats[i] = column.NaN()
	}
	if w.q.many {
		return
	}
	switch v := any(out).(type) {
	case []float64:
		v[0] = column.NaN()
	case []float32:
		v[0] = float32(column.NaN())
	}
}

// steps takes the first value whose weights reach the level's share of all.
func (w *weighed[T]) steps(group []cell[T], out []T) {
	sum := uint64(0)
	for _, c := range group {
		sum += c.value
	}
	next := 0
	threshold := func() uint64 { return uint64(math.Ceil(float64(sum) * w.q.levels[w.q.order[next]])) }
	want, have := threshold(), uint64(0)
	for _, c := range group {
		have += c.value
		for have >= want {
			out[w.q.order[next]] = c.key
			if next++; next == len(out) {
				return
			}
			want = threshold()
		}
	}
	for ; next < len(out); next++ {
		out[w.q.order[next]] = group[len(group)-1].key
	}
}

// interpolated takes the place between the values as if each were repeated weight times.
func (w *weighed[T]) interpolated(group []cell[T], floats []float64, values []T) {
	for i := 1; i < len(group); i++ {
		group[i].value += group[i-1].value
	}
	last := group[len(group)-1].value - 1
	at := func(place uint64) T {
		i, _ := slices.BinarySearchFunc(group, place+1, func(c cell[T], want uint64) int {
			if c.value < want {
				return -1
			}
			return 1
		})
		return group[min(i, len(group)-1)].key
	}
	for l, level := range w.q.levels {
		place := float64(last) * level
		lower, higher := math.Floor(place), math.Ceil(place)
		a, b := at(uint64(lower)), at(uint64(higher))
		v := w.o.float(a)
		if lower != higher && a != b {
			v = (higher-place)*w.o.float(a) + (place-lower)*w.o.float(b)
		}
		floats[l] = v
		values[l] = fromFloat[T](v)
	}
}

// linear interpolates between values at the middles of their weights' shares.
func (w *weighed[T]) linear(group []cell[T], out []T) {
	n := len(group)
	shares := make([]float64, n)
	sum := 0.0
	for i, c := range group {
		sum += float64(c.value)
		shares[i] = sum
	}
	for i, c := range group {
		if sum != 0 {
			shares[i] = (shares[i] - 0.5*float64(c.value)) / sum
		} else {
			shares[i] = 0
		}
	}
	for l, level := range w.q.levels {
		i := 0
		if n >= 2 {
			if level >= shares[n-2] {
				i = n - 2
			} else {
				i, _ = slices.BinarySearch(shares[1:], level)
			}
		}
		u := min(i+1, n-1)
		xl, xr, yl, yr := shares[i], shares[u], group[i].key, group[u].key
		if level < xl {
			yr = yl
		}
		if level > xr {
			yl = yr
		}
		dx := xr - xl
		if dx == 0 {
			dx = 1
		}
		if yl == yr {
			out[l] = yl
			continue
		}
		out[l] = fromFloat[T](w.o.float(yl) + w.difference(yr, yl)/dx*(level-xl))
	}
}

// difference is a - b as T computes it: for narrow integers exactly that.
func (w *weighed[T]) difference(a, b T) float64 { return w.o.float(a) - w.o.float(b) }

// fromFloat cuts a float to a value of type T.
func fromFloat[T any](f float64) (v T) {
	switch x := any(&v).(type) {
	case *uint8:
		*x = uint8(int64(f))
	case *uint16:
		*x = uint16(int64(f))
	case *uint32:
		*x = uint32(int64(f))
	case *uint64:
		*x = uint64(f)
	case *int8:
		*x = int8(int64(f))
	case *int16:
		*x = int16(int64(f))
	case *int32:
		*x = int32(int64(f))
	case *int64:
		*x = int64(f)
	case *float32:
		*x = float32(f)
	case *float64:
		*x = f
	case *column.I128:
		*x = column.WideFloat(f).Cut128()
	case *column.U128:
		*x = column.WideFloat(f).CutU128()
	case *column.I256:
		*x = column.WideFloat(f)
	case *column.U256:
		*x = column.U256(column.WideFloat(f))
	}
	return v
}
