package agg

import (
	"slices"

	"dictsvc/column"
)

// lists keeps a list of values for each group, in the order they came. Values of all groups lie in one slice with their groups beside it until
// they are asked for; then they are brought together by group. A single group needs no groups at all.
type lists[T any] struct {
	n      int      // groups
	groups []uint32 // of values; nil while all belong to group 0
	values []T

	starts []uint32 // once sealed: the values of group g are sorted[starts[g]:starts[g+1]]
	sorted []T
}

func (l *lists[T]) grow(n int) {
	if n > l.n {
		l.n = n
		l.unseal()
	}
}

// unseal makes the lists take values again.
func (l *lists[T]) unseal() { l.starts, l.sorted = nil, nil }

func (l *lists[T]) add(groups []uint32, values []T) {
	l.unseal()
	if groups != nil && l.groups == nil {
		l.groups = make([]uint32, len(l.values), len(l.values)+len(values))
	}
	l.values = append(doubling(l.values, len(values)), values...)
	if groups != nil {
		l.groups = append(doubling(l.groups, len(values)), groups...)
	} else if l.groups != nil {
		l.groups = append(l.groups, make([]uint32, len(values))...)
	}
}

// doubling makes room for n more values. Where append would grow a long slice by a quarter, again and again, this doubles it.
func doubling[T any](s []T, n int) []T {
	if cap(s)-len(s) < n {
		return slices.Grow(s, max(n, len(s)))
	}
	return s
}

// addTo adds values to one group.
func (l *lists[T]) addTo(group uint32, values []T) {
	l.unseal()
	if group != 0 && l.groups == nil {
		l.groups = make([]uint32, len(l.values), len(l.values)+len(values))
	}
	l.values = append(l.values, values...)
	if l.groups != nil {
		for range values {
			l.groups = append(l.groups, group)
		}
	}
}

// seal brings the values together by group. Several may read the lists afterwards.
func (l *lists[T]) seal() {
	if l.starts != nil {
		return
	}
	l.starts = make([]uint32, l.n+1)
	if l.groups == nil {
		l.sorted = l.values
		for g := 1; g <= l.n; g++ {
			l.starts[g] = uint32(len(l.values))
		}
		return
	}
	next := make([]uint32, l.n+1)
	for _, g := range l.groups {
		next[g+1]++
	}
	for g := range l.n {
		next[g+1] += next[g]
	}
	copy(l.starts, next)
	l.sorted = make([]T, len(l.values))
	for i, g := range l.groups {
		l.sorted[next[g]] = l.values[i]
		next[g]++
	}
}

// of are a group's values; they are shared.
func (l *lists[T]) of(group int) []T {
	l.seal()
	return l.sorted[l.starts[group]:l.starts[group+1]:l.starts[group+1]]
}

func (l *lists[T]) merge(o *lists[T], from, to []uint32) {
	o.seal()
	for i, g := range to {
		if list := o.of(source(from, i)); len(list) > 0 {
			l.addTo(g, list)
		}
	}
}

func (l *lists[T]) bytes() int {
	size := sizeOf[T]()
	n := 4*(cap(l.groups)+cap(l.starts)) + size*cap(l.values)
	if l.groups != nil {
		n += size * cap(l.sorted)
	}
	return n
}

// loadValues reads count values of fixed width, a piece at a time so that nothing is allocated for bytes that do not come.
func loadValues[T any](r *column.StateReader, count int, take func([]T)) error {
	width := sizeOf[T]()
	for count > 0 && r.Err() == nil {
		k := min(count, 4096)
		raw := r.Bytes(k * width)
		if err := r.Err(); err != nil {
			return err
		}
		piece := make([]T, k)
		copy(column.Raw(piece), raw)
		take(piece)
		count -= k
	}
	return r.Err()
}
