package agg

import (
	"math"
	"math/bits"
	"slices"
)

// tieOrder selects and sorts as the library under ClickHouse does: Floyd and Rivest's selection, then a quicksort that inserts in short runs. Which of several
// equal values come first follows from the steps that are taken, and ClickHouse's answers and states show it.
type tieOrder[T any] struct {
	v    []T
	less func(a, b *T) bool
}

// partialSort sorts the least n values to the front.
func (o *tieOrder[T]) partialSort(n int) {
	if n == 0 {
		return
	}
	o.selectLoop(0, len(o.v)-1, n-1)
	o.sort(0, n, 2*(bits.Len(uint(n))-1), true)
}

// nth puts the value that sorting would put at place n there, none greater before it and none less behind it.
func (o *tieOrder[T]) nth(n int) {
	if n < len(o.v) {
		o.selectLoop(0, len(o.v)-1, n)
	}
}

func (o *tieOrder[T]) swap(i, j int)    { o.v[i], o.v[j] = o.v[j], o.v[i] }
func (o *tieOrder[T]) lt(i, j int) bool { return o.less(&o.v[i], &o.v[j]) }
func (o *tieOrder[T]) swapIf(i, j int) bool {
	if !o.lt(j, i) {
		return false
	}
	o.swap(i, j)
	return true
}

// sampled is the length from which on the pivot is found among a sample.
const sampled = 600

func (o *tieOrder[T]) selectLoop(left, right, k int) {
	for right > left {
		if right-left > sampled {
			n, i := float64(right-left+1), float64(k-left+1)
			z := math.Log(n)
			s := 0.5 * math.Exp(2*z/3)
			sd := 0.5 * math.Sqrt(z*s*(n-s)/n)
			if k-left+1 < (right-left+1)/2 {
				sd = -sd
			}
			o.selectLoop(max(left, int(float64(k)-i*s/n+sd)), min(right, int(float64(k)+(n-i)*s/n+sd)), k)
		}
		i, j := left, right
		o.swap(left, k)
		pivot := right // its place behind the first exchange below
		if o.lt(left, right) {
			o.swap(left, right)
			pivot = left
		}
		for i < j {
			o.swap(i, j)
			i++
			j--
			for o.lt(i, pivot) {
				i++
			}
			for o.lt(pivot, j) {
				j--
			}
		}
		if pivot == left {
			o.swap(left, j)
		} else {
			j++
			o.swap(right, j)
		}
		if j <= k {
			left = j + 1
		}
		if k <= j {
			right = j - 1
		}
	}
}

const (
	insertBelow  = 24  // values that insertion sorts
	ninthersOver = 128 // values from which on the pivot is the median of nine
	insertMoves  = 8   // moves after which a run that looked sorted is given up
)

// sort sorts v[from:to]. leftmost tells that nothing stands before, else the value before from is no greater than any.
func (o *tieOrder[T]) sort(from, to, depth int, leftmost bool) {
	for {
		n := to - from
		if n <= 5 {
			o.sortFew(from, to)
			return
		}
		if n < insertBelow {
			o.insert(from, to)
			return
		}
		if depth == 0 { // a pattern that defeats the choice of pivots: the order of equal values is anybody's
			slices.SortFunc(o.v[from:to], func(a, b T) int {
				switch {
				case o.less(&a, &b):
					return -1
				case o.less(&b, &a):
					return 1
				}
				return 0
			})
			return
		}
		depth--
		half := n / 2
		if n > ninthersOver {
			o.sort3(from, from+half, to-1)
			o.sort3(from+1, from+half-1, to-2)
			o.sort3(from+2, from+half+1, to-3)
			o.sort3(from+half-1, from+half, from+half+1)
			o.swap(from, from+half)
		} else {
			o.sort3(from+half, from, to-1)
		}
		if !leftmost && !o.lt(from-1, from) {
			from = o.equalsLeft(from, to)
			continue
		}
		at, sorted := o.equalsRight(from, to)
		if sorted {
			low := o.insertFew(from, at)
			if o.insertFew(at+1, to) {
				if low {
					return
				}
				to = at
				continue
			}
			if low {
				from = at + 1
				continue
			}
		}
		o.sort(from, at, depth, leftmost)
		leftmost = false
		from = at + 1
	}
}

// sortFew sorts up to five values.
func (o *tieOrder[T]) sortFew(from, to int) {
	switch to - from {
	case 2:
		o.swapIf(from, from+1)
	case 3, 4, 5:
		o.sort3(from, from+1, from+2)
		for last := from + 3; last < to; last++ {
			for i := last; i > from && o.swapIf(i-1, i); i-- {
			}
		}
	}
}

func (o *tieOrder[T]) sort3(x, y, z int) {
	switch {
	case !o.lt(y, x):
		if o.swapIf(y, z) {
			o.swapIf(x, y)
		}
	case o.lt(z, y):
		o.swap(x, z)
	default:
		o.swap(x, y)
		o.swapIf(y, z)
	}
}

// settle moves the value at i left to its place; it tells whether it moved.
func (o *tieOrder[T]) settle(from, i int) bool {
	if !o.lt(i, i-1) {
		return false
	}
	x := o.v[i]
	for i > from && o.less(&x, &o.v[i-1]) {
		o.v[i] = o.v[i-1]
		i--
	}
	o.v[i] = x
	return true
}

func (o *tieOrder[T]) insert(from, to int) {
	for i := from + 1; i < to; i++ {
		o.settle(from, i)
	}
}

// insertFew sorts by insertion unless that takes many moves; it tells whether all is sorted.
func (o *tieOrder[T]) insertFew(from, to int) bool {
	if to-from <= 5 {
		o.sortFew(from, to)
		return true
	}
	o.sort3(from, from+1, from+2)
	moves := 0
	for i := from + 3; i < to; i++ {
		if o.settle(from, i) {
			if moves++; moves == insertMoves {
				return i+1 == to
			}
		}
	}
	return true
}

// equalsRight parts v[from:to] by its first value: those less come before it, all others behind. It returns the value's place, and whether nothing moved.
func (o *tieOrder[T]) equalsRight(from, to int) (int, bool) {
	pivot := o.v[from]
	i, j := from+1, to
	for o.less(&o.v[i], &pivot) {
		i++
	}
	if i == from+1 {
		for i < j {
			if j--; o.less(&o.v[j], &pivot) {
				break
			}
		}
	} else {
		for j--; !o.less(&o.v[j], &pivot); j-- {
		}
	}
	sorted := i >= j
	for i < j {
		o.swap(i, j)
		for i++; o.less(&o.v[i], &pivot); i++ {
		}
		for j--; !o.less(&o.v[j], &pivot); j-- {
		}
	}
	o.v[from] = o.v[i-1]
	o.v[i-1] = pivot
	return i - 1, sorted
}

// equalsLeft parts v[from:to] by its first value: those not greater come before, the greater behind. It returns the place of the first greater one.
func (o *tieOrder[T]) equalsLeft(from, to int) int {
	pivot := o.v[from]
	i, j := from, to
	for i++; i < to && !o.less(&pivot, &o.v[i]); i++ {
	}
	if i < j {
		for j--; o.less(&pivot, &o.v[j]); j-- {
		}
	}
	for i < j {
		o.swap(i, j)
		for i++; !o.less(&pivot, &o.v[i]); i++ {
		}
		for j--; o.less(&pivot, &o.v[j]); j-- {
		}
	}
	o.v[from] = o.v[i-1]
	o.v[i-1] = pivot
	return i
}
