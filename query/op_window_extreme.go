package query

import "dictsvc/column"

// extremes are the least or greatest values of each frame, and whether it has any.
func (f *fastAggregate) extremes(s *segment, arg column.Column, mask []uint8, b *frameRows) (column.Column, []uint8) {
	switch x := arg.(type) {
	case *column.Num[uint8]:
		return extremesOf(f, s, x, mask, b)
	case *column.Num[uint16]:
		return extremesOf(f, s, x, mask, b)
	case *column.Num[uint32]:
		return extremesOf(f, s, x, mask, b)
	case *column.Num[uint64]:
		return extremesOf(f, s, x, mask, b)
	case *column.Num[int8]:
		return extremesOf(f, s, x, mask, b)
	case *column.Num[int16]:
		return extremesOf(f, s, x, mask, b)
	case *column.Num[int32]:
		return extremesOf(f, s, x, mask, b)
	case *column.Num[int64]:
		return extremesOf(f, s, x, mask, b)
	case *column.Num[float32]:
		return extremesOf(f, s, x, mask, b)
	default:
		return extremesOf(f, s, arg.(*column.Num[float64]), mask, b)
	}
}

func extremesOf[T column.Number](f *fastAggregate, s *segment, arg *column.Num[T], mask []uint8, b *frameRows) (column.Column, []uint8) {
	x := &extremeFrames[T]{data: arg.Data, mask: mask, max: f.kind == fastMax, out: make([]T, s.rows), has: make([]uint8, s.rows)}
	switch {
	case b.frame.fromStart():
		var carried *T
		if c, ok := f.carried.extreme.(*column.Num[T]); ok && s.continued {
			carried = &c.Data[0]
		}
		s.partitions(func(from, to int) {
			x.grow(b, from, to, carried)
			carried = nil
		})
		if s.open {
			f.carried.extreme = nil
			if last := s.rows - 1; x.has[last] != 0 {
				f.carried.extreme = column.NewNum(arg.T, x.out[last:last+1:last+1])
			}
		}
	case b.frame.toEnd():
		s.partitions(func(from, to int) { x.shrink(b, from, to) })
	default:
		s.partitions(func(from, to int) { x.slide(b, from, to) })
	}
	return column.NewNum(arg.T, x.out), x.has
}

type extremeFrames[T column.Number] struct {
	data  []T
	mask  []uint8
	max   bool
	out   []T
	has   []uint8
	queue []uint32 // of slide: rows, each better than all behind it
}

func (x *extremeFrames[T]) counts(i int) bool { return x.mask == nil || x.mask[i] != 0 }

// beats tells whether a value replaces another: NaN gives way to all.
func (x *extremeFrames[T]) beats(a, b T) bool {
	if x.max {
		return a > b || b != b
	}
	return a < b || b != b
}

// grow is for frames that begin with the partition. carried is what came before.
func (x *extremeFrames[T]) grow(b *frameRows, from, to int, carried *T) {
	var best T
	has := uint8(0)
	if carried != nil {
		best, has = *carried, 1
	}
	at := from
	for i := from; i < to; i++ {
		for ; at < int(b.to[i]); at++ {
			if x.counts(at) && (has == 0 || x.beats(x.data[at], best)) {
				best, has = x.data[at], 1
			}
		}
		x.out[i], x.has[i] = best, has
	}
}

// shrink is for frames that end with the partition.
func (x *extremeFrames[T]) shrink(b *frameRows, from, to int) {
	var best T
	has := uint8(0)
	at := to
	for i := to - 1; i >= from; i-- {
		for at > int(b.from[i]) {
			at--
			if x.counts(at) && (has == 0 || !x.beats(best, x.data[at])) {
				best, has = x.data[at], 1
			}
		}
		x.out[i], x.has[i] = best, has
	}
}

// slide is for frames both of whose ends move on.
func (x *extremeFrames[T]) slide(b *frameRows, from, to int) {
	q, head := x.queue[:0], 0
	at := uint32(from)
	for i := from; i < to; i++ {
		for ; at < b.to[i]; at++ {
			if !x.counts(int(at)) {
				continue
			}
			for len(q) > head && !x.beats(x.data[q[len(q)-1]], x.data[at]) {
				q = q[:len(q)-1]
			}
			q = append(q, at)
		}
		for head < len(q) && q[head] < b.from[i] {
			head++
		}
		if head < len(q) {
			x.out[i], x.has[i] = x.data[q[head]], 1
		}
	}
	x.queue = q[:0]
}
