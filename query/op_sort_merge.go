package query

import (
	"math"

	"dictsvc/column"
	"dictsvc/errcode"
)

// merge makes one run of several: their columns one after another, and the words of their rows merged two runs at a time.
func (s *sortStream) merge(runs []*sortedRun) (*sortedRun, error) {
	if len(runs) == 1 {
		return runs[0], nil
	}
	total, bytes := 0, 0
	rows := make([]int, len(runs))
	for i, r := range runs {
		rows[i] = r.cols[0].Len()
		total += rows[i]
		for _, c := range r.cols {
			bytes += c.Bytes()
		}
	}
	if total > math.MaxUint32 {
		return nil, errcode.New(errcode.LimitExceeded, "Too many rows to sort: %d, maximum: %d", total, uint32(math.MaxUint32))
	}
	if err := s.ex.q.reserve(bytes); err != nil {
		return nil, err
	}
	all := &sortedRun{keys: s.keys, cols: make([]column.Column, len(runs[0].cols))}
	for i := range all.cols {
		c := runs[0].cols[i].New(total)
		for _, r := range runs {
			if err := s.ex.check(); err != nil {
				return nil, err
			}
			c.AppendRange(r.cols[i], 0, r.cols[i].Len())
			r.cols[i] = nil // it is not needed any more
		}
		all.cols[i] = c
	}
	lists := make([][]sortWord, len(runs))
	base := uint32(0)
	for i, r := range runs {
		for k := range r.words {
			r.words[k].row += base
		}
		lists[i] = r.words
		base += uint32(rows[i])
	}
	for len(lists) > 1 {
		half := (len(lists) + 1) / 2
		err := s.ex.parallel(len(lists)/2, func(k int) error {
			list, err := all.mergeTwo(lists[2*k], lists[2*k+1], s.ex.check)
			lists[2*k] = list
			return err
		})
		if err != nil {
			return nil, err
		}
		for k := range half {
			lists[k] = lists[2*k]
		}
		lists = lists[:half]
	}
	all.words = lists[0]
	return all, s.ex.q.reserve(-bytes)
}

// mergeTwo merges the words of two runs of rows; of equal rows those of the first come first.
func (r *sortedRun) mergeTwo(a, b []sortWord, check func() error) ([]sortWord, error) {
	out := make([]sortWord, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if len(out)%checkRows == 0 {
			if err := check(); err != nil {
				return nil, err
			}
		}
		second := b[0].word < a[0].word
		if b[0].word == a[0].word {
			second = r.before(b[0].row, a[0].row)
		}
		if second {
			out, b = append(out, b[0]), b[1:]
		} else {
			out, a = append(out, a[0]), a[1:]
		}
	}
	return append(append(out, a...), b...), nil
}

// before tells whether row i comes before row j by the keys.
func (r *sortedRun) before(i, j uint32) bool {
	for _, k := range r.keys {
		c := r.cols[k.at]
		if d := c.Compare(int(i), c, int(j), k.nulls); d != 0 {
			return (d < 0) != k.desc
		}
	}
	return false
}
