package query

import (
	"slices"

	"dictsvc/column"
	"dictsvc/errcode"
)

// maxJoinedRows bounds the rows that one batch becomes when its arrays are joined; longer ones come out in parts.
const maxJoinedRows = 1 << 19

// arrayClause runs ARRAY JOIN: each row is repeated for the elements of its arrays. rest is what is needed afterwards.
func (c *chain) arrayClause(a *arrayClause, rest []*expr) error {
	n := newNeed(isSource)
	n.add(rest...)
	var arrays, elems []*expr // an array whose elements nobody uses is not looked at, as long as one is left
	for i, e := range a.elems {
		if slices.Contains(n.nodes, e) {
			arrays, elems = append(arrays, a.arrays[i]), append(elems, e)
		}
	}
	if len(elems) == 0 {
		arrays, elems = a.arrays[:1], a.elems[:1]
	}
	return c.join(arrays, elems, a.left, rest)
}

// arrayJoins runs the arrayJoin functions in targets, innermost first. rest is what is needed behind them besides.
func (c *chain) arrayJoins(targets, rest []*expr) error {
	for {
		var found *expr
		for _, e := range targets {
			if found = c.firstArrayJoin(e); found != nil {
				break
			}
		}
		if found == nil {
			return nil
		}
		need := append(slices.Clone(targets), rest...)
		if err := c.join([]*expr{found.args[0]}, []*expr{found}, false, need); err != nil {
			return err
		}
	}
}

// firstArrayJoin finds an arrayJoin that has not been run yet and whose argument holds none.
func (c *chain) firstArrayJoin(e *expr) *expr {
	if !e.hasArrayJoin {
		return nil
	}
	if _, here := c.at.index[e]; here {
		return nil
	}
	var found *expr
	e.children(func(a *expr) {
		if found == nil {
			found = c.firstArrayJoin(a)
		}
	})
	if found == nil && e.op == opArrayJoin {
		return e
	}
	return found
}

// join repeats rows for the elements of arrays; elems are the nodes of the elements.
func (c *chain) join(arrays, elems []*expr, left bool, rest []*expr) error {
	n := newNeed(func(e *expr) bool {
		if slices.Contains(elems, e) {
			return true
		}
		_, here := c.at.index[e]
		return here
	})
	n.add(rest...)
	carry := slices.DeleteFunc(n.nodes, func(e *expr) bool { return slices.Contains(elems, e) })
	prog, err := c.compile(append(slices.Clone(arrays), carry...))
	if err != nil {
		return err
	}
	env := &c.ex.q.env
	c.each(func(in stream) stream {
		return &joinStream{in: in, f: newFrame(prog, env), n: len(arrays), left: left, ex: c.ex}
	})
	c.at = newLayout(append(slices.Clone(elems), carry...))
	return nil
}

type joinStream struct {
	in   stream
	f    *frame
	n    int
	left bool
	ex   *exec

	arrays []*column.Arr // of the batch in work
	carry  []column.Column
	ends   []uint64
	row    int
	seq    int
	more   bool
}

func (s *joinStream) next() (*batch, error) {
	if s.row >= len(s.ends) {
		b, err := s.in.next()
		if b == nil || err != nil {
			return nil, err
		}
		if err := s.load(b); err != nil {
			return nil, err
		}
		if len(s.ends) == 0 {
			return s.part(0, 0, false), nil
		}
	}
	if err := s.ex.check(); err != nil {
		return nil, err
	}
	from := s.row
	base := s.end(from - 1)
	to := from + 1
	for to < len(s.ends) && s.end(to)-base <= maxJoinedRows {
		to++
	}
	s.row = to
	return s.part(from, to, to < len(s.ends) || s.more), nil
}

func (s *joinStream) end(row int) uint64 {
	if row < 0 {
		return 0
	}
	return s.ends[row]
}

// load computes the arrays of a batch and the number of rows that each row becomes.
func (s *joinStream) load(b *batch) error {
	out, err := s.f.run(b.cols, b.rows)
	if err != nil {
		return err
	}
	s.row, s.seq, s.more = 0, b.seq, b.more
	s.carry = out[s.n:]
	s.arrays = s.arrays[:0]
	s.ends = nil
	for i, c := range out[:s.n] {
		c = column.Full(c)
		if m, ok := c.(*column.MapColumn); ok {
			c = m.Arr
		}
		a := c.(*column.Arr)
		s.arrays = append(s.arrays, a)
		if i == 0 {
			s.ends = a.Offsets()
			continue
		}
		if !slices.Equal(s.ends, a.Offsets()) {
			return errcode.New(errcode.SizesOfArraysDontMatch, "Sizes of ARRAY-JOIN-ed arrays do not match")
		}
	}
	if s.left {
		s.lengthen()
	}
	return nil
}

// lengthen gives rows without elements one default element.
func (s *joinStream) lengthen() {
	short := false
	for i := range s.ends {
		short = short || s.ends[i] == s.end(i-1)
	}
	if !short {
		return
	}
	for k, a := range s.arrays {
		elem := a.Elem.New(a.Elem.Len())
		if l, ok := a.Elem.(*column.Const); ok {
			a.Elem = l.Expand()
		}
		ends := make([]uint64, len(s.ends))
		for i := range ends {
			from, to := a.Range(i)
			if from == to {
				elem.AppendDefault(1)
			} else {
				elem.AppendRange(a.Elem, from, to)
			}
			ends[i] = uint64(elem.Len())
		}
		s.arrays[k] = &column.Arr{T: a.T, Ends: ends, Elem: elem}
	}
	s.ends = s.arrays[0].Ends
}

// part is rows [from, to) of the batch with their arrays joined.
func (s *joinStream) part(from, to int, more bool) *batch {
	out := &batch{seq: s.seq, more: more}
	base := s.end(from - 1)
	offsets := make([]uint64, to-from)
	for i := range offsets {
		offsets[i] = s.ends[from+i] - base
	}
	if len(offsets) > 0 {
		out.rows = int(offsets[len(offsets)-1])
	}
	for _, a := range s.arrays {
		if from == to {
			out.cols = append(out.cols, a.Elem.New(0))
			continue
		}
		begin, _ := a.Range(from)
		_, end := a.Range(to - 1)
		out.cols = append(out.cols, a.Elem.Slice(begin, end))
	}
	for _, c := range s.carry {
		out.cols = append(out.cols, c.Slice(from, to).Replicate(offsets))
	}
	return out
}
