package agg

import (
	"encoding/binary"
	"slices"

	"dictsvc/column"
	"dictsvc/errcode"
)

// sortedRows hold the least values of each group for types that are no plain numbers: heaps of places in a column that is packed anew when most
// of it is stale.
type sortedRows struct {
	t     *column.Type
	limit int
	raw   bool // states hold the values alone; else each behind a byte 1
	store column.Column
	heaps [][]uint32
	live  int
	size  int // bytes of the heaps
}

func (s *sortedRows) less(a, b uint32) bool {
	return compareFields(s.store, int(a), s.store, int(b)) < 0
}

// compareFields orders values as ClickHouse's generic ones: NULL inside them before all else, NaN behind.
func compareFields(a column.Column, i int, b column.Column, j int) int {
	switch x := a.(type) {
	case *column.Null:
		y := b.(*column.Null)
		if x.Nulls[i] != 0 || y.Nulls[j] != 0 {
			return int(y.Nulls[j]) - int(x.Nulls[i])
		}
		return compareFields(x.Inner, i, y.Inner, j)
	case *column.Arr:
		y := b.(*column.Arr)
		from, to := x.Range(i)
		other, end := y.Range(j)
		for ; from < to && other < end; from, other = from+1, other+1 {
			if c := compareFields(x.Elem, from, y.Elem, other); c != 0 {
				return c
			}
		}
		return (to - from) - (end - other)
	case *column.MapColumn:
		return compareFields(x.Arr, i, b.(*column.MapColumn).Arr, j)
	case *column.Tup:
		for k, e := range x.Elems {
			if c := compareFields(e, i, b.(*column.Tup).Elems[k], j); c != 0 {
				return c
			}
		}
		return 0
	}
	return a.Compare(i, b, j, 1)
}

func (s *sortedRows) Grow(n int) { s.heaps = grow(s.heaps, n) }

func (s *sortedRows) Add(groups []uint32, args []column.Column, rows int) error {
	g := uint32(0)
	for i := range rows {
		if groups != nil {
			g = groups[i]
		}
		s.put(g, args[0], i)
	}
	return nil
}

// put offers row i of c to a group.
func (s *sortedRows) put(g uint32, c column.Column, i int) {
	h := s.heaps[g]
	full := len(h) >= s.limit && s.limit <= sortedHeapMost
	if full && compareFields(c, i, s.store, int(h[0])) >= 0 {
		return
	}
	if s.store.Len() > 2*s.live+1024 {
		s.pack()
		h = s.heaps[g]
	}
	s.store.AppendRange(c, i, i+1)
	place := uint32(s.store.Len() - 1)
	if full {
		h[0] = place
		s.siftDown(h)
		return
	}
	h = s.append(g, place)
	if s.limit <= sortedHeapMost {
		s.siftUp(h)
	} else if len(h) >= 2*s.limit {
		s.sort(h)
		s.heaps[g] = h[:s.limit]
		s.live -= len(h) - s.limit
	}
}

func (s *sortedRows) append(g uint32, place uint32) []uint32 {
	was := cap(s.heaps[g])
	h := append(s.heaps[g], place)
	s.size += 4 * (cap(h) - was)
	s.heaps[g] = h
	s.live++
	return h
}

func (s *sortedRows) siftUp(h []uint32) {
	i := len(h) - 1
	x := h[i]
	for i > 0 {
		parent := (i - 1) / 2
		if !s.less(h[parent], x) {
			break
		}
		h[i] = h[parent]
		i = parent
	}
	h[i] = x
}

func (s *sortedRows) siftDown(h []uint32) {
	i, x := 0, h[0]
	for {
		child := 2*i + 1
		if child >= len(h) {
			break
		}
		if child+1 < len(h) && s.less(h[child], h[child+1]) {
			child++
		}
		if s.less(h[child], x) {
			break
		}
		h[i] = h[child]
		i = child
	}
	h[i] = x
}

func (s *sortedRows) sort(h []uint32) {
	slices.SortFunc(h, func(a, b uint32) int { return compareFields(s.store, int(a), s.store, int(b)) })
}

// pack drops the rows that no group has any more.
func (s *sortedRows) pack() {
	live := make([]uint32, 0, s.live)
	for _, h := range s.heaps {
		for i, place := range h {
			h[i] = uint32(len(live))
			live = append(live, place)
		}
	}
	fresh := s.store.New(len(live))
	kept := s.store.Gather(live)
	fresh.AppendRange(kept, 0, kept.Len())
	s.store = fresh
}

func (s *sortedRows) Merge(other States, from, to []uint32) error {
	o := other.(*sortedRows)
	for i, g := range to {
		for _, place := range o.heaps[source(from, i)] {
			s.put(g, o.store, int(place))
		}
	}
	return nil
}

func (s *sortedRows) Save(buf []byte, group int) []byte {
	h := s.heaps[group]
	buf = binary.AppendUvarint(buf, uint64(len(h)))
	for _, place := range h {
		if !s.raw {
			buf = append(buf, 1)
		}
		buf = column.AppendNative(buf, s.store, int(place))
	}
	return buf
}

func (s *sortedRows) Load(r *column.StateReader, group int) error {
	n, err := sortedCount(r, s.limit)
	for ; n > 0 && err == nil; n-- {
		if !s.raw && r.U8() == 0 && r.Err() == nil {
			return r.Fail(errcode.New(errcode.BadGet, "A state of groupArraySorted has NULL for a value of type %s", s.t.Elems[0]))
		}
		if err = r.Err(); err != nil {
			return err
		}
		if err = column.ReadNative(s.store, r); err == nil {
			s.append(uint32(group), uint32(s.store.Len()-1))
		}
	}
	return err
}

func (s *sortedRows) Result(from, to int) (column.Column, error) {
	var rows []uint32
	ends := make([]uint64, 0, to-from)
	for _, h := range s.heaps[from:to] {
		at := len(rows)
		rows = append(rows, h...)
		s.sort(rows[at:])
		rows = rows[:min(len(rows), at+s.limit)]
		ends = append(ends, uint64(len(rows)))
	}
	return &column.Arr{T: s.t, Ends: ends, Elem: s.store.Gather(rows)}, nil
}

func (s *sortedRows) Bytes() int { return s.size + 24*cap(s.heaps) + s.store.Bytes() }
