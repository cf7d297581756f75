package query

import "dictsvc/column"

// limit lets rows [offset, offset+limit) through. count adds the rows in front of it to the query's statistics. ties adds the rows that are equal to the last one in the sort keys.
func (c *chain) limit(limit, offset amount, ties bool, order []sortKey, count bool) {
	in := c.streams[0]
	if limit.share != 0 || offset.share != 0 || limit.n < 0 || offset.n < 0 {
		c.streams[0] = &wholeLimit{in: in, limit: limit, offset: offset, ex: c.ex}
		return
	}
	c.ex.q.limited.Store(true)
	s := &limitStream{in: in, skip: offset.n, left: limit.n, q: c.ex.q, count: count}
	if ties {
		for _, k := range order {
			s.ties = append(s.ties, c.at.index[k.node])
		}
	}
	c.streams[0] = s
}

// limitStream skips and counts rows.
type limitStream struct {
	in         stream
	skip, left int64
	ties       []int // places of the sort keys, nil without WITH TIES
	last       *batch
	done       bool
	count      bool
	q          *run
}

func (s *limitStream) next() (*batch, error) {
	for {
		if s.done || s.left <= 0 && s.last == nil {
			return nil, nil
		}
		b, err := s.in.next()
		if b == nil || err != nil {
			return nil, err
		}
		if b.rows == 0 {
			if err := s.q.tick(); err != nil {
				return nil, err
			}
			continue
		}
		if s.count {
			s.q.rowsBeforeLimit.Add(uint64(b.rows))
		}
		if s.left <= 0 { // only ties are wanted
			n := s.equalRows(b, 0)
			s.done = n < b.rows
			if n == 0 {
				return nil, nil
			}
			return b.slice(0, n), nil
		}
		from := min(s.skip, int64(b.rows))
		s.skip -= from
		if from == int64(b.rows) {
			continue
		}
		to := int64(b.rows)
		if to-from > s.left {
			to = from + s.left
		}
		s.left -= to - from
		if s.left == 0 && s.ties != nil {
			s.last = b.slice(int(to)-1, int(to))
			n := s.equalRows(b, int(to))
			to += int64(n)
			s.done = to < int64(b.rows)
		}
		if from == 0 && to == int64(b.rows) {
			return b, nil
		}
		return b.slice(int(from), int(to)), nil
	}
}

// equalRows counts the rows of b from a place on that equal the last row in the sort keys.
func (s *limitStream) equalRows(b *batch, from int) int {
	n := 0
	for i := from; i < b.rows; i++ {
		for _, p := range s.ties {
			if column.Compare(b.cols[p], i, s.last.cols[p], 0, 1) != 0 {
				return n
			}
		}
		n++
	}
	return n
}

// wholeLimit serves limits that count from the end or are a share of all rows: it must see all rows first.
type wholeLimit struct {
	in            stream
	limit, offset amount
	ex            *exec
	rest          []*batch
	read          bool
}

func (s *wholeLimit) next() (*batch, error) {
	if !s.read {
		if err := s.load(); err != nil {
			return nil, err
		}
	}
	if len(s.rest) == 0 {
		return nil, nil
	}
	b := s.rest[0]
	s.rest = s.rest[1:]
	return b, nil
}

func (s *wholeLimit) load() error {
	s.read = true
	var all []*batch
	total := int64(0)
	for {
		b, err := s.in.next()
		if err != nil {
			return err
		}
		if b == nil {
			break
		}
		if err := s.ex.q.tick(); err != nil {
			return err
		}
		if err := s.ex.q.reserve(b.bytes()); err != nil {
			return err
		}
		all = append(all, b)
		total += int64(b.rows)
	}
	from, to := limitRange(s.limit, s.offset, total)
	at := int64(0)
	for _, b := range all {
		lo, hi := max(from-at, 0), min(to-at, int64(b.rows))
		if lo < hi {
			s.rest = append(s.rest, b.slice(int(lo), int(hi)))
		}
		at += int64(b.rows)
	}
	return nil
}

// limitRange is the range of rows that a limit and an offset leave of total rows: a negative limit takes the last rows, a negative offset leaves out
// the last ones, a fraction is a share of all.
func limitRange(limit, offset amount, total int64) (from, to int64) {
	n, skip := limit.n, offset.n
	if limit.share != 0 {
		n = int64(limit.share*float64(total) + 0.999999999)
	}
	if offset.share != 0 {
		skip = int64(offset.share * float64(total))
	}
	to = total
	if skip < 0 {
		to = max(total+skip, 0)
		skip = 0
	}
	if n < 0 {
		return min(max(to+n, skip, 0), to), to
	}
	from = min(skip, to)
	if n < to-from {
		to = from + n
	}
	return from, to
}
