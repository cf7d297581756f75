package query

import (
	"dictsvc/column"
	"dictsvc/internal/simd"
)

// topFilter passes over rows that come behind the last of those that a LIMIT wants.
type topFilter struct {
	keep  []uint8
	words []sortWord
}

// better keeps the rows that may come before the last row of a run, as far as the beginning of the first key tells.
func (f *topFilter) better(b *batch, r *sortedRun) *batch {
	k, last := r.keys[0], r.words[len(r.words)-1]
	if cap(f.keep) < b.rows {
		f.keep = make([]uint8, b.rows)
	}
	keep := f.keep[:b.rows]
	if !integersNotBehind(keep, b.cols[k.at], r.cols[k.at], int(last.row), k.desc) {
		if cap(f.words) < b.rows {
			f.words = make([]sortWord, b.rows)
		}
		words := f.words[:b.rows]
		clear(words)
		sortWords(column.Plain(b.cols[k.at]), k, words)
		for i := range words {
			keep[i] = 0
			if words[i].word <= last.word {
				keep[i] = 1
			}
		}
	}
	if n := column.Count(keep); n > 0 {
		return b.filter(keep, n)
	}
	return &batch{}
}

// integersNotBehind compares a column of integers with a row of another; false where they are something else.
func integersNotBehind(keep []uint8, c, limits column.Column, row int, desc bool) bool {
	switch x := c.(type) {
	case *column.Num[uint8]:
		notBehind(keep, x, limits, row, desc)
	case *column.Num[uint16]:
		notBehind(keep, x, limits, row, desc)
	case *column.Num[uint32]:
		notBehind(keep, x, limits, row, desc)
	case *column.Num[uint64]:
		notBehind(keep, x, limits, row, desc)
	case *column.Num[int8]:
		notBehind(keep, x, limits, row, desc)
	case *column.Num[int16]:
		notBehind(keep, x, limits, row, desc)
	case *column.Num[int32]:
		notBehind(keep, x, limits, row, desc)
	case *column.Num[int64]:
		notBehind(keep, x, limits, row, desc)
	default:
		return false
	}
	return true
}

func notBehind[T column.Number](keep []uint8, c *column.Num[T], limits column.Column, row int, desc bool) {
	limit := limits.(*column.Num[T]).Data[row : row+1]
	data := c.Data[:len(keep)]
	if desc {
		n := simd.LessEqual(keep, limit, data, true, false)
		for i, v := range data[n:] {
			keep[n+i] = 0
			if v >= limit[0] {
				keep[n+i] = 1
			}
		}
		return
	}
	n := simd.LessEqual(keep, data, limit, false, true)
	for i, v := range data[n:] {
		keep[n+i] = 0
		if v <= limit[0] {
			keep[n+i] = 1
		}
	}
}
