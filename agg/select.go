package agg

import (
	"cmp"
	"slices"

	"dictsvc/column"
)

// selectNth puts the value that sorting would put at place n there, none greater before it and none less behind it.
func selectNth[T cmp.Ordered](v []T, n int) {
	lo, hi := 0, len(v)-1
	for rounds := 0; hi-lo > 16; rounds++ {
		if rounds > 64 { // a pattern that defeats the choice of pivots
			slices.Sort(v[lo : hi+1])
			return
		}
		pivot := median3(v[lo], v[lo+(hi-lo)/2], v[hi])
		if hi-lo > 1<<14 {
			pivot = nearPivot(v[lo:hi+1], n-lo)
		}
		i, j := lo, hi
		for i <= j {
			for v[i] < pivot {
				i++
			}
			for v[j] > pivot {
				j--
			}
			if i <= j {
				v[i], v[j] = v[j], v[i]
				i++
				j--
			}
		}
		switch {
		case n <= j:
			hi = j
		case n >= i:
			lo = i
		default:
			return
		}
	}
	slices.Sort(v[lo : hi+1])
}

// nearPivot is a value that comes a little before or behind the one at place n, whichever leaves most values on the other side of it: a partition by
// it drops most of them, and the processor foresees the outcome of most comparisons (the idea of Floyd and Rivest's SELECT).
func nearPivot[T cmp.Ordered](v []T, n int) T {
	const size, margin = 512, 24 // about two standard deviations of a place in the sample
	var sample [size]T
	step := len(v) / size
	for i := range sample {
		sample[i] = v[i*step]
	}
	slices.Sort(sample[:])
	at := int(int64(n) * size / int64(len(v)))
	if 2*n > len(v) {
		return sample[max(at-margin, 0)]
	}
	return sample[min(at+margin, size-1)]
}

func median3[T cmp.Ordered](a, b, c T) T {
	return max(min(a, b), min(max(a, b), c))
}

// ordering is how values of one type lie in columns and compare, for numbers and for wide integers.
type ordering[T any] struct {
	data   func(c column.Column) []T
	column func(t *column.Type, v []T) column.Column
	nth    func(v []T, n int)
	sort   func(v []T)
	cmp    func(a, b T) int
	float  func(T) float64
	nan    func(T) bool // nil where there is none
}

func numberOrdering[T column.Number]() *ordering[T] {
	o := &ordering[T]{
		data:   func(c column.Column) []T { return c.(*column.Num[T]).Data },
		column: func(t *column.Type, v []T) column.Column { return column.NewNum(t, v) },
		nth:    selectNth[T],
		sort:   slices.Sort[[]T],
		cmp:    cmp.Compare[T],
		float:  func(v T) float64 { return float64(v) },
	}
	if T(1)/2 != 0 {
		o.nan = func(v T) bool { return v != v }
	}
	return o
}

func wideOrdering[T column.WideValue[T]](float func(T) float64) *ordering[T] {
	compare := func(a, b T) int { return a.Cmp(b) }
	sort := func(v []T) { slices.SortFunc(v, compare) }
	return &ordering[T]{
		data:   func(c column.Column) []T { return c.(*column.Wide[T]).Data },
		column: func(t *column.Type, v []T) column.Column { return column.NewWide(t, v) },
		nth:    func(v []T, _ int) { sort(v) },
		sort:   sort,
		cmp:    compare,
		float:  float,
	}
}

func floatI128(v column.I128) float64 { return float256(v.Widen(), true) }
func floatU128(v column.U128) float64 { return float256(v.Widen(), false) }
func floatI256(v column.I256) float64 { return float256(v, true) }
func floatU256(v column.U256) float64 { return float256(column.I256(v), false) }
