package query

import (
	"cmp"
	"slices"
	"sort"

	"dictsvc/column"
)

// asofWords are the values of a column as words that order like them; ok is false for types without.
func asofWords(c column.Column) (words []sortWord, ok bool) {
	words = make([]sortWord, c.Len())
	return words, sortWords(c, sortPlace{nulls: 1}, words)
}

// sortAsof orders the rows of each key by the compared value, equal ones in the source's order.
func (t *joinTable) sortAsof(check func() error) error {
	words, exact := asofWords(t.asof)
	for g := range t.groups {
		if g&0xffff == 0 {
			if err := check(); err != nil {
				return err
			}
		}
		rows := t.rows[t.first[g]:t.first[g+1]]
		if exact {
			slices.SortStableFunc(rows, func(a, b uint32) int { return cmp.Compare(words[a].word, words[b].word) })
		} else {
			slices.SortStableFunc(rows, func(a, b uint32) int { return t.asof.Compare(int(a), t.asof, int(b), 1) })
		}
	}
	if exact {
		t.words = make([]uint64, len(t.rows))
		for i, r := range t.rows {
			t.words[i] = words[r].word
		}
	}
	return nil
}

// firstEqual is the first of a key's rows that has the same value as row at.
func (t *joinTable) firstEqual(from uint32, at int) int {
	return sort.Search(at, func(i int) bool {
		if t.words != nil {
			return t.words[int(from)+i] >= t.words[int(from)+at]
		}
		return t.asof.Compare(int(t.rows[int(from)+i]), t.asof, int(t.rows[int(from)+at]), 1) >= 0
	})
}

// nearest makes the pairs of an ASOF join: each left row with the right row of its key whose value comes nearest.
func (s *probeStream) nearest() {
	j, t := s.j, s.j.table
	to := min(len(s.groups), s.row+j.p.blockSize)
	var words []sortWord
	if t.words != nil {
		words, _ = asofWords(s.asof)
	}
	for ; s.row < to; s.row++ {
		row := uint32(t.n)
		if g := s.groups[s.row]; g != 0 {
			from, end := t.groupRows(g - 1)
			rows := t.rows[from:end]
			var below, upTo int // how many values are less, and how many less or equal
			if t.words != nil {
				list, w := t.words[from:end], words[s.row].word
				below = sort.Search(len(list), func(i int) bool { return list[i] >= w })
				upTo = below + sort.Search(len(list)-below, func(i int) bool { return list[below+i] > w })
			} else {
				below = sort.Search(len(rows), func(i int) bool { return t.asof.Compare(int(rows[i]), s.asof, s.row, 1) >= 0 })
				upTo = below + sort.Search(len(rows)-below, func(i int) bool { return t.asof.Compare(int(rows[below+i]), s.asof, s.row, 1) > 0 })
			}
			at := -1
			switch j.p.asof.op {
			case "greaterOrEquals":
				at = upTo - 1
			case "greater":
				at = below - 1
			case "lessOrEquals":
				at = below
			case "less":
				at = upTo
			}
			if at >= 0 && at < len(rows) {
				row = rows[t.firstEqual(from, at)]
			}
		}
		if row == uint32(t.n) && !j.emit.unmatched {
			continue
		}
		s.left, s.right = append(s.left, uint32(s.row)), append(s.right, row)
	}
}
