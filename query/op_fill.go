package query

import (
	"iter"
	"slices"

	"dictsvc/column"
)

// filler fills in the rows that a sorted stream lacks in its keys WITH FILL. The row to be filled in next (row) is moved on, key by key, up to the next
// row of the stream (next) or to the ends of the keys (ends: TO, or STALENESS behind a row). Rows with the same sort keys in front of the filled ones are
// filled by themselves.
type filler struct {
	clause *fillClause
	ex     *exec
	at     []int // places of the keys,
	prefix []int // of the sort keys in front of them,
	interp []int // of what is interpolated,
	other  []int // and of all else
	progs  []*frame
	reads  [][]int
	block  int

	row, from, ends []fillValue
	next            []fillValue
	inserted        bool // row stands in the output
	out             []column.Column
	rows            int
	last            []column.Column // the last row of the output, where its block has gone
	key             []column.Column // of the range in work: its row of prefix keys
	begun           bool
	err             error
	yield           func(*batch) bool
	stopped         bool
}

// fill adds WITH FILL to the chain, whose columns are what it gives.
func (c *chain) fill(f *fillClause) error {
	c.single()
	s := &filler{clause: f, ex: c.ex, block: c.blockSize}
	special := map[int]bool{}
	note := func(e *expr) int {
		i := c.at.index[e]
		special[i] = true
		return i
	}
	for i := range f.keys {
		s.at = append(s.at, note(f.keys[i].node))
	}
	for _, e := range f.prefix {
		s.prefix = append(s.prefix, note(e))
	}
	for _, in := range f.interpolate {
		s.interp = append(s.interp, note(in.node))
		if in.value == nil {
			s.progs, s.reads = append(s.progs, nil), append(s.reads, nil)
			continue
		}
		prog, err := compile([]*expr{in.value}, newLayout(in.reads), true, func(e *expr) error { return badFill("No column for %s", exprText(e)) })
		if err != nil {
			return err
		}
		var places []int
		for _, e := range in.from {
			places = append(places, c.at.index[e])
		}
		s.progs, s.reads = append(s.progs, newFrame(prog, &c.ex.q.env)), append(s.reads, places)
	}
	for i := range c.at.nodes {
		if !special[i] {
			s.other = append(s.other, i)
		}
	}
	in, nodes := c.streams[0], c.at.nodes
	pull, stop := iter.Pull(func(yield func(*batch) bool) {
		s.yield = yield
		s.err = s.run(in, nodes)
	})
	c.ex.onClose(stop)
	c.streams[0] = streamFunc(func() (*batch, error) {
		b, ok := pull()
		if !ok {
			return nil, s.err
		}
		return b, nil
	})
	return nil
}

// run fills the whole stream.
func (s *filler) run(in stream, nodes []*expr) error {
	n := len(s.at)
	s.row, s.next, s.ends, s.from = make([]fillValue, n), make([]fillValue, n), make([]fillValue, n), make([]fillValue, n)
	for i := range s.at {
		k := &s.clause.keys[i]
		s.row[i], s.next[i] = fillValue{null: true}, fillValue{null: true}
		s.ends[i], s.from[i] = k.to, k.from
	}
	for _, e := range nodes {
		s.out = append(s.out, column.New(e.typ, 0))
	}
	for !s.stopped {
		b, err := in.next()
		if err != nil {
			return err
		}
		if b == nil {
			break
		}
		if b.rows == 0 {
			continue
		}
		if err := s.batch(b); err != nil {
			return err
		}
	}
	if s.stopped {
		return nil
	}
	if !s.begun { // no rows: from FROM to TO
		copy(s.row, s.from)
		s.inserted = false
	}
	if err := s.suffix(); err != nil {
		return err
	}
	if s.rows > 0 {
		s.flush()
	}
	return nil
}

// batch fills between the rows of a batch.
func (s *filler) batch(b *batch) error {
	cols := make([]column.Column, len(b.cols))
	for i, c := range b.cols {
		cols[i] = column.Full(c)
	}
	values := make([][]fillValue, len(s.at))
	for i, p := range s.at {
		values[i] = fillValues(cols[p], s.clause.keys[i].float)
	}
	for row := range b.rows {
		if err := s.ex.check(); row%1024 == 0 && err != nil {
			return err
		}
		fresh := !s.begun || !s.sameRange(cols, row)
		if fresh && s.begun {
			if err := s.suffix(); err != nil {
				return err
			}
		}
		if err := s.source(cols, values, row, fresh); err != nil || s.stopped {
			return err
		}
	}
	return nil
}

// sameRange tells whether a row has the sort keys in front of the filled ones that the row before had.
func (s *filler) sameRange(cols []column.Column, row int) bool {
	for i, p := range s.prefix {
		if cols[p].Compare(row, s.key[i], 0, 1) != 0 {
			return false
		}
	}
	return true
}

// source fills in what lacks in front of a row of the stream, then gives the row.
func (s *filler) source(cols []column.Column, values [][]fillValue, row int, fresh bool) error {
	if fresh {
		s.begun = true
		s.key = s.key[:0]
		for _, p := range s.prefix {
			s.key = append(s.key, cols[p].Slice(row, row+1))
		}
		if err := s.begin(values, row); err != nil {
			return err
		}
		if err := s.limits(values, row); err != nil {
			return err
		}
	}
	first := s.ordered(s.next, s.row)
	for i := range s.next {
		s.next[i] = values[i][row]
	}
	if first && s.ordered(s.row, s.next) && s.within() {
		if err := s.insert(); err != nil {
			return err
		}
	}
	changed, err := s.insertAll()
	if err != nil {
		return err
	}
	if s.stale() {
		if err := s.limits(values, row); err != nil {
			return err
		}
		for {
			more, moved, err := s.shift()
			changed = changed || moved
			if err != nil {
				return err
			}
			if !more {
				break
			}
			if err := s.insert(); err != nil {
				return err
			}
			if changed, err = s.insertAll(); err != nil {
				return err
			}
		}
	}
	if changed {
		s.inserted = false
	}
	for i, c := range cols {
		s.out[i].AppendRange(c, row, row+1)
	}
	return s.added()
}

// begin starts a range of rows at its first one.
func (s *filler) begin(values [][]fillValue, row int) error {
	for i := range s.row {
		k, v := &s.clause.keys[i], values[i][row]
		if !k.from.null && !k.same(v, k.from) {
			copy(s.row[i:], s.from[i:])
			s.inserted = false
			if v.null || k.before(k.from, v) {
				return s.insert()
			}
			return nil
		}
		s.row[i] = v
	}
	return nil
}

// ordered tells whether a row comes before another in the keys that both have.
func (s *filler) ordered(a, b []fillValue) bool {
	for i := range a {
		k := &s.clause.keys[i]
		if !a[i].null && !b[i].null && !k.same(a[i], b[i]) {
			return k.before(a[i], b[i])
		}
	}
	return false
}

// within tells whether the row to be filled in comes before the ends.
func (s *filler) within() bool {
	for i, v := range s.row {
		if !v.null && !s.ends[i].null {
			return s.clause.keys[i].before(v, s.ends[i])
		}
	}
	return true
}

func (s *filler) stale() bool {
	return slices.ContainsFunc(s.clause.keys, func(k fillKey) bool { return !k.stale.none })
}

// limits settles how far the rows behind a row of the stream are filled in.
func (s *filler) limits(values [][]fillValue, row int) error {
	for i := range s.clause.keys {
		k := &s.clause.keys[i]
		if k.stale.none || values[i][row].null {
			continue
		}
		end, err := k.after(values[i][row], &k.stale, 1)
		if err != nil {
			return err
		}
		if !k.fits(end) {
			end = values[i][row] // nothing can follow
		}
		s.ends[i] = nearer(k, k.to, end)
	}
	return nil
}

// nearer is the first of two ends, of which either may be missing.
func nearer(k *fillKey, a, b fillValue) fillValue {
	switch {
	case a.null:
		return b
	case b.null:
		return a
	case k.before(a, b):
		return a
	}
	return b
}

// insertAll fills in all rows up to the next one of the stream. changed tells that the row was moved on without being filled in.
func (s *filler) insertAll() (changed bool, err error) {
	for n := 0; !s.stopped; n++ {
		more, moved, err := s.advance()
		changed = changed || moved
		if err != nil || !more {
			return changed, err
		}
		if err := s.insert(); err != nil {
			return false, err
		}
		changed = false
		if n&1023 == 1023 {
			if err := s.ex.check(); err != nil {
				return false, err
			}
		}
	}
	return changed, nil
}

// suffix fills in what lacks behind the last row of a range.
func (s *filler) suffix() error {
	null := true
	for i := range s.next {
		null = null && s.next[i].null
	}
	any := false
	for _, v := range s.row {
		any = any || !v.null
	}
	first := s.ordered(s.next, s.row) && !s.inserted || null && any
	bounded := false
	for i := range s.next {
		s.next[i] = fillValue{null: true}
		bounded = bounded || !s.ends[i].null
	}
	if !bounded || !s.within() {
		return nil
	}
	if first {
		if err := s.insert(); err != nil {
			return err
		}
	}
	changed, err := s.insertAll()
	if changed {
		s.inserted = false
	}
	return err
}

// advance moves the row on by one step of its last key that is not at its end; more is false where the next row of the stream, or an end, is reached.
func (s *filler) advance() (more, moved bool, err error) {
	at := 0
	for ; at < len(s.row); at++ {
		if k := &s.clause.keys[at]; !s.row[at].null {
			if end := nearer(k, s.ends[at], s.next[at]); !end.null && !k.same(s.row[at], end) {
				break
			}
		}
	}
	if at == len(s.row) {
		return false, false, nil
	}
	k, v, next, end := &s.clause.keys[at], s.row[at], s.next[at], s.ends[at]
	if k.odd(v) || k.odd(next) || !next.null && k.before(next, v) || !end.null && !k.before(v, end) {
		return false, false, nil
	}
	for i := len(s.row) - 1; i > at; i-- {
		k := &s.clause.keys[i]
		if s.row[i].null || s.ends[i].null {
			continue
		}
		to, err := k.after(s.row[i], &k.step, 1)
		if err != nil {
			return false, false, err
		}
		if !k.before(to, s.ends[i]) {
			continue
		}
		s.row[i] = to
		copy(s.row[i+1:], s.from[i+1:])
		return true, true, nil
	}
	to, err := k.after(v, &k.step, 1)
	switch {
	case err != nil:
		return false, false, err
	case !k.before(v, to):
		return false, false, badFill("WITH FILL step does not advance in the sorting direction")
	case !next.null && k.before(next, to) || !end.null && !k.before(to, end):
		return false, false, nil
	}
	return s.arrive(at, to), true, nil
}

// arrive sets a key of the row. Where it has reached the next row of the stream, the keys behind it decide whether there is a row to be filled in.
func (s *filler) arrive(at int, to fillValue) bool {
	s.row[at] = to
	if !s.clause.keys[at].same(to, s.next[at]) {
		copy(s.row[at+1:], s.from[at+1:])
		return true
	}
	before := false
	for i := at + 1; i < len(s.row); i++ {
		k := &s.clause.keys[i]
		if s.row[i] = s.from[i]; s.row[i].null {
			s.row[i] = s.next[i]
		}
		before = before || (s.next[i].null || !s.row[i].null && k.before(s.row[i], s.next[i])) && (s.ends[i].null || !s.row[i].null && k.before(s.row[i], s.ends[i]))
	}
	return before
}

// shift moves the row, which STALENESS has stopped, up to the next row of the stream in steps of its own.
func (s *filler) shift() (more, moved bool, err error) {
	for at := range s.row {
		k, v, next := &s.clause.keys[at], s.row[at], s.next[at]
		if v.null || next.null || k.same(v, next) {
			continue
		}
		if k.before(next, v) {
			return false, false, nil
		}
		for times, n := int64(1), 0; times > 0 && n < 500; n++ {
			to, err := k.after(v, &k.step, times)
			if err != nil {
				return false, false, err
			}
			if k.before(to, v) || k.before(next, to) {
				times /= 2
				continue
			}
			v = to
			times = min(2*times, 1<<40)
		}
		s.row[at] = v
		if k.same(v, next) {
			return s.arrive(at, v), true, nil
		}
		for i := at + 1; i < len(s.row); i++ {
			s.row[i] = s.clause.keys[i].to
		}
		return false, false, nil
	}
	return false, false, nil
}

// insert fills in the row.
func (s *filler) insert() error {
	for i, p := range s.interp {
		if err := s.interpolated(i, p); err != nil {
			return err
		}
	}
	for i, p := range s.at {
		if err := s.clause.keys[i].put(s.out[p], s.row[i]); err != nil {
			return err
		}
	}
	for i, p := range s.prefix {
		if len(s.key) == 0 {
			s.out[p].AppendDefault(1)
			continue
		}
		s.out[p].AppendRange(s.key[i], 0, 1)
	}
	for _, p := range s.other {
		s.out[p].AppendDefault(1)
	}
	s.inserted = true
	return s.added()
}

// before is the value of a column in the row before.
func (s *filler) before(p int) column.Column {
	if s.rows > 0 {
		return s.out[p].Slice(s.rows-1, s.rows)
	}
	if s.last != nil {
		return s.last[p]
	}
	c := s.out[p].New(1)
	c.AppendDefault(1)
	return c
}

// interpolated appends the value of a column of INTERPOLATE. All values are of the row before, so no column may have grown yet that is read.
func (s *filler) interpolated(i, p int) error {
	if s.progs[i] == nil {
		s.out[p].AppendRange(s.before(p), 0, 1)
		return nil
	}
	args := make([]column.Column, len(s.reads[i]))
	for k, r := range s.reads[i] {
		args[k] = s.before(r)
	}
	out, err := s.progs[i].run(args, 1)
	if err != nil {
		return err
	}
	s.out[p].AppendRange(column.Full(out[0]), 0, 1)
	return nil
}

// added counts a row of the output and gives full blocks on.
func (s *filler) added() error {
	if s.rows++; s.rows < s.block {
		return nil
	}
	if err := s.ex.q.tick(); err != nil {
		return err
	}
	s.flush()
	return nil
}

func (s *filler) flush() {
	b := &batch{cols: s.out, rows: s.rows}
	s.last = make([]column.Column, len(s.out))
	for i, c := range s.out {
		s.last[i] = c.Slice(s.rows-1, s.rows)
	}
	fresh := make([]column.Column, len(s.out))
	for i, c := range s.out {
		fresh[i] = c.New(0)
	}
	s.out, s.rows = fresh, 0
	s.stopped = !s.yield(b)
}
