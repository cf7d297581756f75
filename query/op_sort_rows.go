package query

import (
	"math/bits"
	"slices"

	"dictsvc/column"
)

// radixRows is the number of rows from which words are sorted byte by byte instead of by comparing them.
const radixRows = 1 << 10

// checkRows is how many rows are moved between two looks at whether the query was cancelled: some milliseconds of work.
const checkRows = 1 << 20

// rowSorter sorts rows by several keys, one key after the other: rows are sorted by the words of the first key, then each run of rows that are equal in it
// by the words of the second, and so on. Equal rows keep their order.
type rowSorter struct {
	cols  []column.Column
	keys  []sortPlace
	words [][]uint64 // of the keys behind the first, by row, nil until used
	exact []bool
	own   [][]sortWord // by key: room for the run in work
	spare []sortWord
	check func() error
	err   error
}

// sortRows sorts the rows of columns. The words of the result are those of the first key. check is asked now and then whether to stop.
func sortRows(cols []column.Column, keys []sortPlace, rows int, check func() error) ([]sortWord, error) {
	s := &rowSorter{cols: cols, keys: keys, words: make([][]uint64, len(keys)), exact: make([]bool, len(keys)), own: make([][]sortWord, len(keys)), check: check}
	out := make([]sortWord, rows)
	s.exact[0] = sortWords(column.Plain(cols[keys[0].at]), keys[0], out)
	s.byWord(out)
	s.ties(out, 0)
	return out, s.err
}

// byWord sorts rows by their words.
func (s *rowSorter) byWord(rows []sortWord) {
	if len(rows) < radixRows {
		slices.SortFunc(rows, func(a, b sortWord) int {
			switch {
			case a.word < b.word:
				return -1
			case a.word > b.word:
				return 1
			case a.row < b.row:
				return -1
			}
			return 1
		})
		return
	}
	if s.err != nil {
		return
	}
	if s.err = s.check(); s.err != nil {
		return
	}
	differ, sorted := uint64(0), true
	for i := 1; i < len(rows); i++ {
		differ |= rows[i].word ^ rows[0].word
		sorted = sorted && rows[i].word >= rows[i-1].word
	}
	if sorted {
		return
	}
	if cap(s.spare) < len(rows) {
		s.spare = make([]sortWord, len(rows))
	}
	from, to := rows, s.spare[:len(rows)]
	for shift := bits.TrailingZeros64(differ) &^ 7; shift < 64; shift += 8 {
		if differ>>shift&0xff == 0 {
			continue
		}
		var at [256]int
		for i := range from {
			at[from[i].word>>shift&0xff]++
		}
		sum := 0
		for b, n := range at {
			at[b] = sum
			sum += n
		}
		for part := range slices.Chunk(from, checkRows) {
			if s.err = s.check(); s.err != nil {
				return
			}
			for i := range part {
				b := part[i].word >> shift & 0xff
				to[at[b]] = part[i]
				at[b]++
			}
		}
		from, to = to, from
	}
	if &from[0] != &rows[0] {
		copy(rows, from)
	}
}

// ties sorts the runs of rows with equal words of a key, of which the words are in rows, by what the words do not tell and by the keys behind it.
func (s *rowSorter) ties(rows []sortWord, key int) {
	if s.exact[key] && key+1 == len(s.keys) {
		return
	}
	for from := 0; from < len(rows) && s.err == nil; {
		to := from + 1
		for to < len(rows) && rows[to].word == rows[from].word {
			to++
		}
		if to-from > 1 {
			s.run(rows[from:to], key)
		}
		from = to
	}
}

// run sorts rows with equal words of a key.
func (s *rowSorter) run(rows []sortWord, key int) {
	if s.exact[key] {
		s.next(rows, key+1)
		return
	}
	c, k := s.cols[s.keys[key].at], s.keys[key]
	slices.SortFunc(rows, func(a, b sortWord) int {
		if d := c.Compare(int(a.row), c, int(b.row), k.nulls); d != 0 {
			if k.desc {
				return -d
			}
			return d
		}
		if a.row < b.row {
			return -1
		}
		return 1
	})
	if key+1 == len(s.keys) {
		return
	}
	for from := 0; from < len(rows) && s.err == nil; {
		to := from + 1
		for to < len(rows) && c.Compare(int(rows[from].row), c, int(rows[to].row), k.nulls) == 0 {
			to++
		}
		if to-from > 1 {
			s.next(rows[from:to], key+1)
		}
		from = to
	}
}

// next sorts rows that are equal in all keys before a key.
func (s *rowSorter) next(rows []sortWord, key int) {
	if s.words[key] == nil {
		all := make([]sortWord, s.cols[s.keys[key].at].Len())
		s.exact[key] = sortWords(column.Plain(s.cols[s.keys[key].at]), s.keys[key], all)
		s.words[key] = make([]uint64, len(all))
		for i := range all {
			s.words[key][i] = all[i].word
		}
	}
	words := s.words[key]
	if cap(s.own[key]) < len(rows) {
		s.own[key] = make([]sortWord, max(len(rows), 64))
	}
	own := s.own[key][:len(rows)]
	for i, r := range rows {
		own[i] = sortWord{words[r.row], r.row}
	}
	s.byWord(own)
	s.ties(own, key)
	for i := range rows {
		rows[i].row = own[i].row
	}
}
