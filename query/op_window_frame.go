package query

import (
	"dictsvc/column"
	"dictsvc/sql"
)

// segment is the rows that window functions are computed for at once: whole partitions, except that the first one may have begun in the segment before,
// and the last may go on, where all functions only look back.
type segment struct {
	ex        *exec
	rows      int
	cols      []column.Column
	partition []int // places of the keys
	order     []int
	key       column.Column // of a RANGE frame with an offset
	desc      bool          // its direction
	starts    []uint32      // the first row of each partition, then the number of rows
	continued bool
	open      bool        // the last partition goes on
	before    segmentBase // what came of the first partition before the segment

	peerFrom, peerTo []uint32 // of each row: its peers
	group            []uint32 // of each row: the number of its peers' group in the partition
	frames           []frameRows
}

// frameRows is the frame of each row: rows [from, to).
type frameRows struct {
	frame    windowFrame
	from, to []uint32
}

// split finds the partitions.
func (s *segment) split() {
	s.starts = append(s.starts, 0)
	if len(s.partition) > 0 {
		marks := make([]uint8, s.rows)
		for _, p := range s.partition {
			markChanges(s.cols[p], marks)
		}
		for i, m := range marks {
			if m != 0 {
				s.starts = append(s.starts, uint32(i))
			}
		}
	}
	s.starts = append(s.starts, uint32(s.rows))
}

// markChanges marks the rows that differ from the row in front of them.
func markChanges(c column.Column, marks []uint8) {
	switch x := c.(type) {
	case *column.Num[uint8]:
		markNumbers(x.Data, marks)
	case *column.Num[uint16]:
		markNumbers(x.Data, marks)
	case *column.Num[uint32]:
		markNumbers(x.Data, marks)
	case *column.Num[uint64]:
		markNumbers(x.Data, marks)
	case *column.Num[int8]:
		markNumbers(x.Data, marks)
	case *column.Num[int16]:
		markNumbers(x.Data, marks)
	case *column.Num[int32]:
		markNumbers(x.Data, marks)
	case *column.Num[int64]:
		markNumbers(x.Data, marks)
	default:
		for i := 1; i < len(marks); i++ {
			if marks[i] == 0 && c.Compare(i-1, c, i, 1) != 0 {
				marks[i] = 1
			}
		}
	}
}

func markNumbers[T ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~int8 | ~int16 | ~int32 | ~int64](data []T, marks []uint8) {
	for i := 1; i < len(marks); i++ {
		if data[i] != data[i-1] {
			marks[i] = 1
		}
	}
}

// partitions visits the partitions as ranges of rows.
func (s *segment) partitions(visit func(from, to int)) {
	for k := 0; k+1 < len(s.starts); k++ {
		visit(int(s.starts[k]), int(s.starts[k+1]))
	}
}

// findPeers finds the rows that are equal in the keys of ORDER BY.
func (s *segment) findPeers() {
	if s.peerFrom != nil {
		return
	}
	marks := make([]uint8, s.rows)
	for _, p := range s.order {
		markChanges(s.cols[p], marks)
	}
	s.peerFrom, s.peerTo, s.group = make([]uint32, s.rows), make([]uint32, s.rows), make([]uint32, s.rows)
	s.partitions(func(from, to int) {
		first, n := from, uint32(0)
		for i := from; i < to; i++ {
			if i > from && marks[i] != 0 {
				first = i
				n++
			}
			s.peerFrom[i], s.group[i] = uint32(first), n
		}
		end := uint32(to)
		for i := to - 1; i >= from; i-- {
			s.peerTo[i] = end
			if s.peerFrom[i] == uint32(i) {
				end = uint32(i)
			}
		}
	})
}

// behind is what the next segment has before it of the last partition.
func (s *segment) behind() segmentBase {
	from := int(s.starts[len(s.starts)-2])
	out := segmentBase{}
	if from == 0 && s.continued {
		out = s.before
	}
	out.rows += uint64(s.rows - from)
	if s.peerFrom != nil {
		out.peers += uint64(s.group[s.rows-1]) + 1
	}
	return out
}

// base is what came before the segment of the partition that begins at a row.
func (s *segment) base(from int) segmentBase {
	if from == 0 && s.continued {
		return s.before
	}
	return segmentBase{}
}

// bounds are the frames of all rows.
func (s *segment) bounds(f *windowFrame) *frameRows {
	for i := range s.frames {
		if s.frames[i].frame == *f {
			return &s.frames[i]
		}
	}
	out := frameRows{frame: *f, from: make([]uint32, s.rows), to: make([]uint32, s.rows)}
	if f.unit == sql.FrameRange && (f.begin.kind != sql.BoundUnbounded || f.end.kind != sql.BoundUnbounded) {
		s.findPeers()
	}
	s.partitions(func(from, to int) {
		s.bound(f, f.begin, from, to, out.from, true)
		s.bound(f, f.end, from, to, out.to, false)
		for i := from; i < to; i++ {
			out.to[i] = max(out.to[i], out.from[i])
		}
	})
	s.frames = append(s.frames, out)
	return &s.frames[len(s.frames)-1]
}

// bound computes one end of the frames of a partition.
func (s *segment) bound(f *windowFrame, b windowBound, from, to int, out []uint32, begin bool) {
	switch {
	case b.kind == sql.BoundUnbounded:
		edge := to
		if begin {
			edge = from
		}
		for i := from; i < to; i++ {
			out[i] = uint32(edge)
		}
	case b.kind == sql.BoundCurrent && f.unit == sql.FrameRange:
		if begin {
			copy(out[from:to], s.peerFrom[from:to])
		} else {
			copy(out[from:to], s.peerTo[from:to])
		}
	case f.unit == sql.FrameRange:
		s.rangeBound(b, from, to, out, begin)
	default:
		off := b.offset // 0 for the current row
		if b.preceding {
			off = -off
		}
		if !begin {
			off++
		}
		for i := from; i < to; i++ {
			out[i] = uint32(min(max(int64(i)+off, int64(from)), int64(to)))
		}
	}
}

// rangeBound finds the ends of RANGE frames with an offset: values less (greater) than the current row's by more than the offset are left out. Both ends
// only move on with the rows. A NULL is less than all values here, wherever it was sorted.
func (s *segment) rangeBound(b windowBound, from, to int, out []uint32, begin bool) {
	key := s.key
	var nulls []uint8
	if n, ok := key.(*column.Null); ok {
		nulls, key = n.Nulls, n.Inner
	}
	desc := s.desc
	cmp := rangeComparer(key, b.value, b.preceding != desc)
	at := from
	for i := from; i < to; i++ {
		for ; at < to; at++ {
			d := 0
			switch {
			case nulls != nil && nulls[at] != 0 && nulls[i] != 0:
			case nulls != nil && nulls[at] != 0:
				d = -1
			case nulls != nil && nulls[i] != 0:
				d = 1
			default:
				d = cmp(at, i)
			}
			if desc {
				d = -d
			}
			if d > 0 || begin && d == 0 {
				break
			}
		}
		out[i] = uint32(at)
	}
}

// rangeComparer compares the value of a row with that of another less (plus) the offset.
func rangeComparer(key, offset column.Column, minus bool) func(at, row int) int {
	switch k := key.(type) {
	case *column.Num[uint8]:
		return unsignedRange(k.Data, offset.(*column.Num[uint8]).Data[0], minus)
	case *column.Num[uint16]:
		return unsignedRange(k.Data, offset.(*column.Num[uint16]).Data[0], minus)
	case *column.Num[uint32]:
		return unsignedRange(k.Data, offset.(*column.Num[uint32]).Data[0], minus)
	case *column.Num[uint64]:
		return unsignedRange(k.Data, offset.(*column.Num[uint64]).Data[0], minus)
	case *column.Num[int8]:
		return signedRange(k.Data, offset.(*column.Num[int8]).Data[0], minus)
	case *column.Num[int16]:
		return signedRange(k.Data, offset.(*column.Num[int16]).Data[0], minus)
	case *column.Num[int32]:
		return signedRange(k.Data, offset.(*column.Num[int32]).Data[0], minus)
	case *column.Num[int64]:
		return signedRange(k.Data, offset.(*column.Num[int64]).Data[0], minus)
	case *column.Num[float32]:
		return floatRange(k.Data, offset.(*column.Num[float32]).Data[0], minus)
	case *column.Num[float64]:
		return floatRange(k.Data, offset.(*column.Num[float64]).Data[0], minus)
	}
	return wideRange(key, offset, minus)
}

func order[T uint8 | uint16 | uint32 | uint64 | int8 | int16 | int32 | int64 | float32 | float64](a, b T) int {
	switch {
	case a < b:
		return -1
	case a == b:
		return 0
	}
	return 1
}

func unsignedRange[T uint8 | uint16 | uint32 | uint64](data []T, offset T, minus bool) func(at, row int) int {
	return func(at, row int) int {
		v := data[row]
		if minus {
			if v < offset {
				return 1
			}
			return order(data[at], v-offset)
		}
		if v+offset < v {
			return -1
		}
		return order(data[at], v+offset)
	}
}

func signedRange[T int8 | int16 | int32 | int64](data []T, offset T, minus bool) func(at, row int) int {
	return func(at, row int) int {
		v := data[row]
		if minus {
			if v-offset > v {
				return 1
			}
			return order(data[at], v-offset)
		}
		if v+offset < v {
			return -1
		}
		return order(data[at], v+offset)
	}
}

func floatRange[T float32 | float64](data []T, offset T, minus bool) func(at, row int) int {
	if minus {
		offset = -offset
	}
	return func(at, row int) int { return order(data[at], data[row]+offset) }
}

// wideRange is for integers of 128 and 256 bits.
func wideRange(key, offset column.Column, minus bool) func(at, row int) int {
	off := wideValues(offset)[0]
	if minus {
		off = off.Negate()
	}
	data := wideValues(key)
	unsigned := key.Type().Kind == column.UInt256
	return func(at, row int) int {
		edge := data[row].Add(off)
		if unsigned {
			return column.U256(data[at]).Cmp(column.U256(edge))
		}
		return data[at].Cmp(edge)
	}
}

// wideValues are the values of a column of integers of 128 or 256 bits.
func wideValues(c column.Column) []column.I256 {
	out := make([]column.I256, c.Len())
	switch x := c.(type) {
	case *column.Wide[column.I128]:
		for i, v := range x.Data {
			out[i] = v.Widen()
		}
	case *column.Wide[column.U128]:
		for i, v := range x.Data {
			out[i] = v.Widen()
		}
	case *column.Wide[column.I256]:
		copy(out, x.Data)
	case *column.Wide[column.U256]:
		for i, v := range x.Data {
			out[i] = column.I256(v)
		}
	}
	return out
}
