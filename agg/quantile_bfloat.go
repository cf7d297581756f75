package agg

import (
	"math"
	"slices"

	"dictsvc/column"
)

// quantileBFloat16 counts values by the upper 16 bits of their Float32 form: an error of at most 1/256.
func bindBFloat16(q *quantiles, t *column.Type) (*column.Type, func() States) {
	out := t
	switch {
	case basicNumber(t):
		out = column.Of(column.Float64)
	case !plainTime(t):
		return nil, nil
	}
	weighted := q.name[len(q.name)-1] == 'd'
	return out, func() States {
		var floats floatBuffer[float32]
		f := &weightsOf[uint16]{hash: func(k uint16) uint64 { return uint64(k) }, weighted: weighted}
		f.keys = func(args []column.Column, rows int, buf []uint16) (keys []uint16, skip []uint8) {
			if cap(buf) < rows {
				buf = make([]uint16, rows)
			}
			keys = buf[:rows]
			for i, v := range floats.of(args[0], rows) {
				if v != v {
					if skip == nil {
						skip = make([]uint8, rows)
					}
					skip[i] = 1
				}
				keys[i] = uint16(math.Float32bits(v) >> 16)
			}
			return keys, skip
		}
		f.result = func(maps []cellMap[uint16]) (column.Column, error) {
			k := len(q.levels)
			out := make([]float64, len(maps)*k)
			for i := range maps {
				q.bfloats(&maps[i], out[i*k:(i+1)*k])
			}
			return q.wrap(q.narrow(out), len(maps)), nil
		}
		return f.states()
	}
}

func (q *quantiles) bfloats(m *cellMap[uint16], out []float64) {
	if m.n == 0 {
		for i := range out {
			out[i] = column.NaN()
		}
		return
	}
	type weighedFloat struct{ v, weight float64 }
	var list []weighedFloat
	sum := 0.0
	m.each(func(key uint16, value uint64) {
		sum += float64(value)
		list = append(list, weighedFloat{float64(math.Float32frombits(uint32(key) << 16)), float64(value)})
	})
	slices.SortFunc(list, func(a, b weighedFloat) int {
		switch {
		case a.v < b.v:
			return -1
		case a.v > b.v:
			return 1
		}
		return 0
	})
	next, have := 0, 0.0
	for _, w := range list {
		have += w.weight
		for have >= math.Ceil(sum*q.levels[q.order[next]]) {
			out[q.order[next]] = w.v
			if next++; next == len(out) {
				return
			}
		}
	}
	for ; next < len(out); next++ {
		out[q.order[next]] = list[len(list)-1].v
	}
}
