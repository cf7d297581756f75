package query

import (
	"slices"

	"dictsvc/column"
	"dictsvc/errcode"
)

// What one batch becomes when its arrays are joined comes out in parts of so many rows and about so many bytes at most.
const (
	maxJoinedRows  = 1 << 19
	maxJoinedBytes = 64 << 20
)

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
		seen := map[*expr]bool{}
		for _, e := range targets {
			if found = c.firstArrayJoin(e, seen); found != nil {
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

// firstArrayJoin finds an arrayJoin that has not been run yet and whose argument holds none. seen are nodes that hold no such.
func (c *chain) firstArrayJoin(e *expr, seen map[*expr]bool) *expr {
	if !e.hasArrayJoin || seen[e] {
		return nil
	}
	if _, here := c.at.index[e]; here {
		return nil
	}
	var found *expr
	e.children(func(a *expr) {
		if found == nil {
			found = c.firstArrayJoin(a, seen)
		}
	})
	if found == nil && e.op == opArrayJoin {
		return e
	}
	if found == nil {
		seen[e] = true
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
	c.each(func(in stream) stream {
		return &joinStream{cut: cutter{in: in, f: c.frame(prog)}, n: len(arrays), left: left, ex: c.ex}
	})
	c.at = newLayout(append(slices.Clone(elems), carry...))
	return nil
}

type joinStream struct {
	cut  cutter
	n    int
	left bool
	ex   *exec

	arrays []joinArray // of the batch in work
	carry  []column.Column
	ends   []uint64 // by row: where its elements end
	row    int      // the first whose elements are not all out
	at     uint64   // elements that are out
	limit  uint64   // elements of a part
	seq    int
	more   bool
}

// joinArray is an array column, or the one array of a constant.
type joinArray struct {
	*column.Arr
	cst bool
}

func (s *joinStream) next() (*batch, error) {
	if s.at >= s.total() {
		b, cols, err := s.cut.next(nil)
		if b == nil || err != nil {
			return nil, err
		}
		if err := s.load(b, cols); err != nil {
			return nil, err
		}
	}
	if err := s.ex.check(); err != nil {
		return nil, err
	}
	return s.part(), nil
}

// total is the number of rows that the batch becomes.
func (s *joinStream) total() uint64 {
	if len(s.ends) == 0 {
		return 0
	}
	return s.ends[len(s.ends)-1]
}

// load takes the arrays of a batch and finds the number of rows that each row becomes.
func (s *joinStream) load(b *batch, cols []column.Column) error {
	s.row, s.at, s.seq, s.more = 0, 0, b.seq, b.more
	s.carry = cols[s.n:]
	s.arrays = s.arrays[:0]
	s.ends = nil
	for i, c := range cols[:s.n] {
		var a joinArray
		if k, ok := c.(*column.Const); ok {
			c, a.cst = k.Val, true
		}
		if m, ok := c.(*column.MapColumn); ok {
			c = m.Arr
		}
		a.Arr = c.(*column.Arr)
		s.arrays = append(s.arrays, a)
		ends := a.Offsets()
		if a.cst {
			ends = make([]uint64, b.rows)
			for k := range ends {
				ends[k] = uint64(k+1) * uint64(a.Elem.Len())
			}
		}
		if i == 0 {
			s.ends = ends
		} else if !slices.Equal(s.ends, ends) {
			return errcode.New(errcode.SizesOfArraysDontMatch, "Sizes of ARRAY-JOIN-ed arrays do not match")
		}
	}
	if s.left {
		s.lengthen()
	}
	widest := 1
	for _, c := range s.carry {
		widest += column.WidestRow(c)
	}
	for _, a := range s.arrays {
		if n := a.Elem.Len(); a.cst && n > 0 {
			widest += column.SizeOf(a.Elem) / n
		}
	}
	s.limit = uint64(max(1, min(maxJoinedRows, maxJoinedBytes/widest)))
	return nil
}

// lengthen gives rows without elements one default element.
func (s *joinStream) lengthen() {
	short := false
	last := uint64(0)
	for _, end := range s.ends {
		short = short || end == last
		last = end
	}
	if !short {
		return
	}
	for k, a := range s.arrays {
		elem := a.Elem.New(a.Elem.Len())
		if l, ok := a.Elem.(*column.Const); ok {
			a.Elem = l.Expand()
		}
		ends := make([]uint64, a.Len())
		for i := range ends {
			from, to := a.Range(i)
			if from == to {
				elem.AppendDefault(1)
			} else {
				elem.AppendRange(a.Elem, from, to)
			}
			ends[i] = uint64(elem.Len())
		}
		s.arrays[k].Arr = &column.Arr{T: a.T, Ends: ends, Elem: elem}
	}
	ends, end, last := make([]uint64, len(s.ends)), uint64(0), uint64(0)
	for i, e := range s.ends {
		end += max(1, e-last)
		ends[i], last = end, e
	}
	s.ends = ends
}

// part is the next rows of the batch with their arrays joined.
func (s *joinStream) part() *batch {
	from := s.at
	to := min(s.total(), from+s.limit)
	first := s.row
	var offsets []uint64
	for s.at < to {
		end := s.ends[s.row]
		s.at = min(to, end)
		offsets = append(offsets, s.at-from)
		if end <= to {
			s.row++
		}
	}
	out := &batch{rows: int(to - from), seq: s.seq, more: s.more || to < s.total()}
	for _, a := range s.arrays {
		out.cols = append(out.cols, a.elements(from, to))
	}
	for _, c := range s.carry {
		out.cols = append(out.cols, c.Slice(first, first+len(offsets)).Replicate(offsets))
	}
	return out
}

// elements are the elements [from, to) of all rows.
func (a joinArray) elements(from, to uint64) column.Column {
	if !a.cst || from == to {
		return a.Elem.Slice(int(from), int(to))
	}
	n := uint64(a.Elem.Len())
	if begin := from % n; begin+to-from <= n {
		return a.Elem.Slice(int(begin), int(begin+to-from))
	}
	out := column.New(a.Elem.Type(), int(to-from))
	for from < to {
		begin := from % n
		count := min(n-begin, to-from)
		out.AppendRange(a.Elem, int(begin), int(begin+count))
		from += count
	}
	return out
}
