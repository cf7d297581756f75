package query

import (
	"dictsvc/column"
)

// probeStream joins the batches of one stream of the left side with the right table. A batch comes out in parts of at most a block's size.
type probeStream struct {
	j   *joinRun
	cut cutter

	b      *batch
	carry  []column.Column
	asof   column.Column
	groups []uint32 // by row of the batch: its key's group + 1, 0 where it matches nothing
	row    int      // the next row
	done   uint32   // of that row's matches, how many are done
	hit    bool     // that row has had a match that meets the mixed conditions

	ids   [][]uint32 // by alternative of an OR, of the rows of the batch
	merge []uint32

	left, right []uint32 // the pairs of a part
	used        bitset   // right rows matched
	claimed     bitset   // groups that a left row has taken
	finished    bool
	last        bool // gives the right rows without a match
}

func (j *joinRun) probe(in stream, f *frame) stream {
	s := &probeStream{j: j, cut: cutter{in: in, f: f}}
	if j.unused || j.emit.claim && j.mixed != nil {
		s.used = make(bitset, (j.table.n+63)/64)
	}
	if j.emit.claim {
		s.claimed = make(bitset, (j.table.groups+63)/64)
	}
	return s
}

func (s *probeStream) next() (*batch, error) {
	j := s.j
	if s.finished {
		if !s.last {
			return nil, nil
		}
		return j.unmatched()
	}
	if s.b == nil {
		b, cols, err := s.cut.next(nil)
		if err != nil {
			return nil, err
		}
		if b == nil {
			s.finished = true
			s.last = j.done(s.used)
			return s.next()
		}
		if err := s.load(b, cols); err != nil {
			return nil, err
		}
	}
	if err := j.ex.check(); err != nil {
		return nil, err
	}
	return s.part()
}

// load looks the keys of a batch up.
func (s *probeStream) load(b *batch, cols []column.Column) error {
	j := s.j
	p := j.p
	s.b, s.row, s.done, s.hit = b, 0, 0, false
	j.note(b.seq)
	n := len(p.keys)
	conds := n
	if p.asof != nil {
		conds++
	}
	keys, may, err := joinKeys(p, cols, b.rows)
	if err != nil {
		return err
	}
	for i := range p.leftIf {
		may = andCondition(may, cols[conds+i], b.rows)
	}
	s.carry = cols[conds+len(p.leftIf):]
	s.ids = s.ids[:0]
	for _, a := range j.table.alts {
		ids, err := a.find(s.carry[:len(a.plan.keys)], b.rows)
		if err != nil {
			return err
		}
		s.ids = append(s.ids, ids)
		s.carry = s.carry[len(a.plan.keys):]
	}
	if cap(s.groups) < b.rows {
		s.groups = make([]uint32, b.rows)
	}
	s.groups = s.groups[:b.rows]
	switch {
	case j.table.n == 0:
		clear(s.groups)
	case j.table.keys == nil:
		for i := range s.groups {
			s.groups[i] = 1
		}
	default:
		j.table.keys.Find(keys[:n], b.rows, s.groups)
	}
	for i, m := range may {
		if m == 0 {
			s.groups[i] = 0
		}
	}
	if p.asof != nil {
		s.asof = keys[n]
	}
	return nil
}

// part joins the next rows of the batch.
func (s *probeStream) part() (*batch, error) {
	s.left, s.right = s.left[:0], s.right[:0]
	var err error
	switch t := s.j.table; {
	case s.j.p.asof != nil:
		s.nearest()
	case s.crosses():
		return s.cross()
	case s.j.mixed != nil:
		err = s.checked()
	case t.unique && s.j.emit.pairs != noPairs && !s.j.emit.claim && s.used == nil:
		s.single()
	default:
		s.pairs()
	}
	if err != nil {
		return nil, err
	}
	return s.output()
}

// crosses tells whether every left row meets all rows of a table that is large enough to be taken in pieces, a left row at a time.
func (s *probeStream) crosses() bool {
	t := s.j.table
	return t.keys == nil && t.alts == nil && t.rows == nil && t.n >= minCross && s.used == nil && s.j.emit.pairs == allPairs && !s.j.emit.unmatched
}

// minCross is the size from which on pieces of a table are worth the work that each piece takes.
const minCross = 256

// cross joins a row with the next piece of the table; the row's values are constants in it, and the piece's are not copied.
func (s *probeStream) cross() (*batch, error) {
	j, t := s.j, s.j.table
	for s.row < len(s.groups) && s.groups[s.row] == 0 {
		s.row++
	}
	if s.row == len(s.groups) {
		return s.output()
	}
	from := int(s.done)
	to := min(t.n, from+j.p.blockSize)
	n := to - from
	at := s.row
	if s.done = uint32(to); to == t.n {
		s.row, s.done = s.row+1, 0
	}
	row := func(i int) column.Column { return column.NewConst(column.Full(s.carry[i].Slice(at, at+1)), n) }
	var keep []uint8
	if j.mixed != nil {
		cols := make([]column.Column, 0, len(s.carry)+len(j.extra))
		for i := range s.carry {
			cols = append(cols, row(i))
		}
		for _, i := range j.extra {
			cols = append(cols, t.cols[i].Slice(from, to))
		}
		out, err := newFrame(j.mixed, &j.ex.q.env).run(cols, n)
		if err != nil {
			return nil, err
		}
		for _, c := range out {
			keep = andCondition(keep, c, n)
		}
	}
	b := &batch{rows: n, cols: make([]column.Column, len(j.outs)), seq: s.b.seq, more: s.row < len(s.groups) || s.b.more}
	for i, o := range j.outs {
		if o.left < 0 {
			b.cols[i] = t.cols[o.right].Slice(from, to)
			continue
		}
		b.cols[i] = row(o.left)
		if o.cast != nil {
			var err error
			if b.cols[i], err = o.cast(b.cols[i]); err != nil {
				return nil, err
			}
		}
	}
	if s.row == len(s.groups) {
		s.b = nil
	}
	if keep != nil {
		b = b.filter(keep, column.Count(keep))
	}
	return b, nil
}

// single is pairs for a table in which each key has one row, whose number is the group's.
func (s *probeStream) single() {
	to := min(len(s.groups), s.row+s.j.p.blockSize)
	groups := s.groups[s.row:to]
	left, right := resized(s.left, len(groups)), resized(s.right, len(groups))
	n := 0
	if s.j.emit.unmatched {
		none := uint32(s.j.table.n)
		for i, g := range groups {
			left[i] = uint32(s.row + i)
			if g--; g > none { // of no match: it was 0
				g = none
			}
			right[i] = g
		}
		n = len(groups)
	} else {
		for i, g := range groups {
			left[n], right[n] = uint32(s.row+i), g-1
			if g != 0 {
				n++
			}
		}
	}
	s.left, s.right, s.row = left[:n], right[:n], to
}

func resized(s []uint32, n int) []uint32 {
	if cap(s) < n {
		return make([]uint32, n)
	}
	return s[:n]
}

// rowsOf are the right rows of a group, as far as the join wants them.
func (j *joinRun) rowsOf(g uint32) (from, to uint32) {
	t := j.table
	if t.unique {
		return g, g + 1
	}
	from, to = t.groupRows(g)
	if j.emit.pairs == onePair && j.mixed == nil && j.p.asof == nil {
		if j.p.lastRow {
			return to - 1, to
		}
		return from, from + 1
	}
	return from, to
}

// rowAt is the right row at a place of the table's rows.
func (t *joinTable) rowAt(i uint32) uint32 {
	if t.rows == nil {
		return i
	}
	return t.rows[i]
}

// pairs makes pairs of rows until the batch or the block ends.
func (s *probeStream) pairs() {
	j := s.j
	none, size := uint32(j.table.n), j.p.blockSize
	for ; s.row < len(s.groups) && len(s.left) < size; s.row++ {
		g := s.groups[s.row]
		if g == 0 {
			if j.emit.unmatched {
				s.left, s.right = append(s.left, uint32(s.row)), append(s.right, none)
			}
			continue
		}
		g--
		if j.emit.claim && s.done == 0 {
			if s.claimed.has(g) {
				continue
			}
			s.claimed.set(g)
		}
		from, to := j.rowsOf(g)
		if j.emit.pairs == noPairs {
			if s.used != nil && !s.used.has(j.table.rowAt(from)) {
				for ; from < to; from++ {
					s.used.set(j.table.rowAt(from))
				}
			}
			continue
		}
		for from += s.done; from < to; from++ {
			if len(s.left) == size {
				return
			}
			row := j.table.rowAt(from)
			s.left, s.right = append(s.left, uint32(s.row)), append(s.right, row)
			if s.used != nil {
				s.used.set(row)
			}
			s.done++
		}
		s.done = 0
	}
}

// checked is pairs with conditions on the pairs: candidates are made, the conditions computed, and what is left of each row looked at.
func (s *probeStream) checked() error {
	j := s.j
	none, size := uint32(j.table.n), j.p.blockSize
	row, next := s.row, s.done
	for ; row < len(s.groups) && len(s.left) < size; row++ {
		if g := s.groups[row]; g != 0 && j.table.alts != nil {
			list := s.merged(row)
			for int(next) < len(list) && len(s.left) < size {
				s.left, s.right = append(s.left, uint32(row)), append(s.right, list[next])
				next++
			}
			if int(next) < len(list) {
				break
			}
		} else if g != 0 {
			from, to := j.rowsOf(g - 1)
			for from += next; from < to && len(s.left) < size; from++ {
				s.left, s.right = append(s.left, uint32(row)), append(s.right, j.table.rowAt(from))
				next++
			}
			if from < to {
				break
			}
		}
		next = 0
	}
	keep, err := s.met()
	if err != nil {
		return err
	}
	left, right := s.left, s.right
	s.left, s.right = make([]uint32, 0, len(left)), make([]uint32, 0, len(left))
	at := 0
	for r := s.row; r < len(s.groups) && r <= row; r++ {
		for ; at < len(left) && left[at] == uint32(r); at++ {
			if keep[at] != 0 && s.take(right[at]) {
				s.left, s.right = append(s.left, left[at]), append(s.right, right[at])
			}
		}
		if r == row { // its candidates are not all seen
			break
		}
		if !s.hit && j.emit.unmatched {
			s.left, s.right = append(s.left, uint32(r)), append(s.right, none)
		}
		s.hit = false
	}
	s.row, s.done = row, next
	return nil
}

// take notes that the row in work matches a right row, and tells whether the pair comes out.
func (s *probeStream) take(row uint32) bool {
	j := s.j
	first := !s.hit
	if j.emit.claim {
		if s.used.has(row) || j.emit.pairs == onePair && !first {
			return false
		}
		s.used.set(row)
		s.hit = true
		return true
	}
	s.hit = true
	if s.used != nil {
		s.used.set(row)
	}
	switch j.emit.pairs {
	case noPairs:
		return false
	case onePair:
		return first
	}
	return true
}

// met computes the mixed conditions for the candidates.
func (s *probeStream) met() ([]uint8, error) {
	n := len(s.left)
	keep := make([]uint8, n)
	if n == 0 {
		return keep, nil
	}
	cols := make([]column.Column, 0, len(s.carry)+len(s.j.extra))
	for _, c := range s.carry {
		cols = append(cols, c.Gather(s.left))
	}
	for _, i := range s.j.extra {
		cols = append(cols, s.j.table.cols[i].Gather(s.right))
	}
	out, err := newFrame(s.j.mixed, &s.j.ex.q.env).run(cols, n)
	if err != nil {
		return nil, err
	}
	for i := range keep {
		keep[i] = 1
	}
	for _, c := range out {
		keep = andCondition(keep, c, n)
	}
	return keep, nil
}

// output is the pairs as a batch.
func (s *probeStream) output() (*batch, error) {
	j := s.j
	out := &batch{rows: len(s.left), cols: make([]column.Column, len(j.outs)), seq: s.b.seq, more: s.row < len(s.groups) || s.b.more}
	whole := len(s.left) == s.b.rows && sequence(s.left)
	for i, o := range j.outs {
		if o.left < 0 {
			out.cols[i] = j.table.cols[o.right].Gather(s.right)
			continue
		}
		c := s.carry[o.left]
		if !whole {
			c = c.Gather(s.left)
		}
		if o.cast != nil {
			var err error
			if c, err = o.cast(c); err != nil {
				return nil, err
			}
		}
		out.cols[i] = c
	}
	if s.row == len(s.groups) {
		s.b = nil
	}
	return out, nil
}

// sequence tells whether rows are 0, 1, 2, ...
func sequence(rows []uint32) bool {
	for i, r := range rows {
		if r != uint32(i) {
			return false
		}
	}
	return true
}

// openPaste is PASTE JOIN: the rows of both sides side by side, as long as both have any.
func (p *joinPlan) openPaste(ex *exec, r readRequest) ([]stream, error) {
	var cols [2][]int
	for _, c := range r.cols {
		if o := p.out[c]; o.left != nil {
			cols[0] = append(cols[0], p.left.table.place(o.left))
		} else {
			cols[1] = append(cols[1], p.right.table.place(o.right))
		}
	}
	var ins [2]stream
	for i, in := range []*joinInput{&p.left, &p.right} {
		streams, err := in.source(p).open(ex, readRequest{cols: cols[i], ordered: true, limit: -1, streams: 1})
		if err != nil {
			return nil, err
		}
		c := chain{ex: ex, streams: streams, ordered: true}
		c.single()
		ins[i] = c.streams[0]
	}
	return []stream{&pasteStream{p: p, ex: ex, ins: ins, cols: r.cols}}, nil
}

type pasteStream struct {
	p    *joinPlan
	ex   *exec
	ins  [2]stream
	cols []int
	bs   [2]*batch // what is left of a batch of each side
	seq  int
}

func (s *pasteStream) next() (*batch, error) {
	for i := range s.ins {
		for s.bs[i] == nil || s.bs[i].rows == 0 {
			if err := s.ex.check(); err != nil {
				return nil, err
			}
			b, err := s.ins[i].next()
			if b == nil || err != nil {
				return nil, err
			}
			s.bs[i] = b
		}
	}
	n := min(s.bs[0].rows, s.bs[1].rows)
	out := &batch{rows: n, seq: s.seq}
	s.seq++
	var at [2]int
	for _, c := range s.cols {
		k := 0
		if s.p.out[c].left == nil {
			k = 1
		}
		out.cols = append(out.cols, s.bs[k].cols[at[k]].Slice(0, n))
		at[k]++
	}
	for i, b := range s.bs {
		s.bs[i] = b.slice(n, b.rows)
	}
	return out, nil
}
