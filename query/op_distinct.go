package query

import (
	"dictsvc/agg"
	"dictsvc/column"
	"dictsvc/errcode"
)

// distinct keeps the first row of each set of equal ones.
func (c *chain) distinct(nodes []*expr) {
	places := make([]int, len(nodes))
	types := make([]*column.Type, len(nodes))
	for i, e := range nodes {
		places[i], types[i] = c.at.index[e], e.typ
	}
	s := &distinctStream{in: c.streams[0], places: places, seen: agg.NewGrouper(types), ex: c.ex,
		limit: c.ex.q.settings.number("max_rows_in_distinct", 0), breaks: c.ex.q.settings.text("distinct_overflow_mode", "throw") == "break"}
	c.ex.onClose(func() { _ = c.ex.q.reserve(-s.held) })
	c.streams[0] = s
}

type distinctStream struct {
	in     stream
	places []int
	seen   agg.Grouper
	ex     *exec
	ids    []uint32
	held   int
	limit  uint64
	breaks bool // at the limit the rows end: distinct_overflow_mode
	ended  bool
}

func (s *distinctStream) next() (*batch, error) {
	if s.ended {
		return nil, nil
	}
	b, err := s.in.next()
	if b == nil || err != nil {
		return nil, err
	}
	if err := s.ex.q.tick(); err != nil {
		return nil, err
	}
	keys := make([]column.Column, len(s.places))
	for i, p := range s.places {
		keys[i] = b.cols[p]
	}
	if cap(s.ids) < b.rows {
		s.ids = make([]uint32, b.rows)
	}
	known := uint32(s.seen.Len())
	s.seen.Groups(keys, b.rows, s.ids[:b.rows])
	n := s.seen.Len() - int(known)
	if s.limit > 0 && uint64(s.seen.Len()) > s.limit {
		if s.ended = s.breaks; !s.ended {
			return nil, errcode.New(errcode.SetSizeLimitExceeded, "Limit for DISTINCT exceeded, max rows: %d, current rows: %d", s.limit, s.seen.Len())
		}
	}
	bytes := s.seen.Bytes()
	if err := s.ex.q.reserve(bytes - s.held); err != nil {
		return nil, err
	}
	s.held = bytes
	keep := make([]uint8, b.rows)
	for i, id := range s.ids[:b.rows] {
		if id == known { // groups are numbered as they are first seen
			keep[i] = 1
			known++
		}
	}
	return b.filter(keep, n), nil
}

// limitBy keeps some rows of each set of rows with equal keys.
func (c *chain) limitBy(l *limitBy) {
	places := make([]int, len(l.keys))
	types := make([]*column.Type, len(l.keys))
	for i, e := range l.keys {
		places[i], types[i] = c.at.index[e], e.typ
	}
	s := &limitByStream{in: c.streams[0], by: l, places: places, groups: agg.NewGrouper(types), ex: c.ex}
	c.ex.onClose(func() { _ = c.ex.q.reserve(-s.held) })
	c.streams[0] = s
}

type limitByStream struct {
	in     stream
	by     *limitBy
	places []int
	groups agg.Grouper
	counts []int64 // of rows, by group
	ids    []uint32
	held   int
	ex     *exec
}

func (s *limitByStream) next() (*batch, error) {
	b, err := s.in.next()
	if b == nil || err != nil {
		return nil, err
	}
	if err := s.ex.q.tick(); err != nil {
		return nil, err
	}
	keys := make([]column.Column, len(s.places))
	for i, p := range s.places {
		keys[i] = b.cols[p]
	}
	if cap(s.ids) < b.rows {
		s.ids = make([]uint32, b.rows)
	}
	s.groups.Groups(keys, b.rows, s.ids[:b.rows])
	for len(s.counts) < s.groups.Len() {
		s.counts = append(s.counts, 0)
	}
	bytes := s.groups.Bytes() + 8*cap(s.counts)
	if err := s.ex.q.reserve(bytes - s.held); err != nil {
		return nil, err
	}
	s.held = bytes
	keep := make([]uint8, b.rows)
	n := 0
	for i, id := range s.ids[:b.rows] {
		at := s.counts[id]
		s.counts[id]++
		if at >= s.by.offset.n && at-s.by.offset.n < s.by.limit.n {
			keep[i] = 1
			n++
		}
	}
	return b.filter(keep, n), nil
}
