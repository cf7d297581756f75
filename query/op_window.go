package query

import (
	"slices"
	"sort"

	"dictsvc/agg"
	"dictsvc/column"
	"dictsvc/sql"
)

// windowStream computes window functions over rows that come sorted by partition and order. Rows are collected until whole partitions are at hand (a
// segment), all functions are computed for the segment by column, and it is given on in blocks. Functions that only look back (row_number, running sums)
// need no whole partition: their state is carried from one segment to the next, so that a partition of any size passes through.
type windowStream struct {
	in        stream
	ex        *exec
	carry     int // columns of the input that are given on
	calls     []*windowRun
	partition []int // places of the keys
	order     []int
	keys      []sortKey // of ORDER BY
	running   bool      // all functions look back only
	peers     bool      // of these, some look at peers, so that a segment must end with them
	blockSize int

	parts     []*batch // collected, without the partition's end
	rows      int
	held      int
	ended     bool
	queue     *batch // the segment's rows with their results
	at        int
	continued bool
	last      *batch // where continued: the last row of the segment before
	before    segmentBase
}

// segmentBase is what came in the first partition of a segment before it.
type segmentBase struct{ rows, peers uint64 }

// windowRun is a window function at work.
type windowRun struct {
	e     *expr
	win   *windowCall
	args  []windowArg
	fast  *fastAggregate // nil where the function has no short cut
	state agg.States     // of the partition that goes on
}

// windowArg is where an argument stands: a column of the input, or a constant.
type windowArg struct {
	at  int
	val column.Column
}

func newWindowStream(c *chain, s windowStep, carry int) (*windowStream, error) {
	w := &windowStream{in: c.streams[0], ex: c.ex, carry: carry, blockSize: c.blockSize, running: true, keys: s.spec.order}
	places := func(nodes []*expr) []int {
		var list []int
		for _, e := range nodes {
			if !e.isConst() {
				list = append(list, c.at.index[e])
			}
		}
		return list
	}
	w.partition = places(s.spec.partition)
	for _, k := range s.spec.order {
		w.order = append(w.order, places([]*expr{k.node})...)
	}
	for _, e := range s.calls {
		r := &windowRun{e: e, win: e.win}
		for _, a := range e.args[:e.win.nargs] {
			if a.isConst() {
				r.args = append(r.args, windowArg{val: a.val})
			} else {
				r.args = append(r.args, windowArg{at: c.at.index[a]})
			}
		}
		if e.win.fn == nil {
			r.fast = newFastAggregate(e)
		}
		running, peers := r.looksBack()
		w.running = w.running && running
		w.peers = w.peers || peers
		w.calls = append(w.calls, r)
	}
	return w, nil
}

// looksBack tells whether the function needs no rows behind the current one, or none behind its peers.
func (r *windowRun) looksBack() (running, peers bool) {
	if fn := r.win.fn; fn != nil {
		return fn.looksBack, fn.looksBack && fn.peers
	}
	if f := r.fast; f != nil && (f.kind == fastFirst || f.kind == fastLast) {
		return false, false
	}
	return r.win.frame.growing(), r.win.frame.unit == sql.FrameRange
}

// next implements stream.
func (w *windowStream) next() (*batch, error) {
	for {
		if w.queue != nil {
			to := min(w.at+w.blockSize, w.queue.rows)
			b := w.queue.slice(w.at, to)
			if w.at = to; to == w.queue.rows {
				w.queue = nil
			}
			return b, nil
		}
		if w.ended {
			return nil, nil
		}
		if err := w.collect(); err != nil {
			return nil, err
		}
	}
}

// collect reads on to the end of a segment and computes it.
func (w *windowStream) collect() error {
	for {
		b, err := w.in.next()
		if err != nil {
			return err
		}
		if err := w.ex.q.tick(); err != nil {
			return err
		}
		if b == nil {
			w.ended = true
			if w.rows == 0 {
				return nil
			}
			return w.compute(w.rows, true)
		}
		if b.rows == 0 {
			continue
		}
		for i, c := range b.cols {
			b.cols[i] = column.Full(c)
		}
		n := b.bytes()
		if err := w.ex.q.reserve(n); err != nil {
			return err
		}
		w.held += n
		from := w.rows
		cut, ends, ok := w.cut(b)
		w.parts = append(w.parts, b)
		w.rows += b.rows
		if ok {
			return w.compute(from+cut, ends)
		}
	}
}

// cut finds where the segment can end: behind the first n rows of a new batch. ends tells that a partition ends there.
func (w *windowStream) cut(b *batch) (n int, ends, ok bool) {
	if w.continued && len(w.parts) == 0 && !equalRows(w.last, 0, b, 0, w.partition) {
		w.continued, w.before = false, segmentBase{} // the partition ended with the segment
	}
	if len(w.partition) > 0 {
		if !equalRows(b, 0, b, b.rows-1, w.partition) {
			return firstEqual(b, w.partition), true, true
		}
		if len(w.parts) > 0 {
			last := w.parts[len(w.parts)-1]
			if !equalRows(last, last.rows-1, b, 0, w.partition) {
				return 0, true, true
			}
		}
	}
	if !w.running || w.rows+b.rows < w.blockSize {
		return 0, false, false
	}
	if !w.peers {
		return b.rows, false, true
	}
	if len(w.order) == 0 {
		return 0, false, false
	}
	n = firstEqual(b, w.order)
	return n, false, w.rows+n > 0 && (n > 0 || !w.samePeers(b))
}

// samePeers tells whether a batch begins with peers of the last row that was collected.
func (w *windowStream) samePeers(b *batch) bool {
	last := w.parts[len(w.parts)-1]
	return equalRows(last, last.rows-1, b, 0, w.order)
}

// equalRows tells whether two rows agree in some columns.
func equalRows(a *batch, i int, b *batch, j int, places []int) bool {
	for _, p := range places {
		if a.cols[p].Compare(i, b.cols[p], j, 1) != 0 {
			return false
		}
	}
	return true
}

// firstEqual is the first of the rows at the end of a sorted batch that agree with the last one in some columns.
func firstEqual(b *batch, places []int) int {
	return sort.Search(b.rows-1, func(i int) bool { return equalRows(b, i, b, b.rows-1, places) })
}

// compute runs the functions over the first n of the rows collected; the others stay for the next segment.
func (w *windowStream) compute(n int, ends bool) error {
	s := &segment{ex: w.ex, rows: n, continued: w.continued, open: !ends, before: w.before, partition: w.partition, order: w.order}
	s.cols = w.take(n)
	if len(w.keys) == 1 {
		s.desc = w.keys[0].desc
		if k := w.keys[0].node; k.isConst() {
			s.key = column.Full(column.NewConst(k.val, n))
		} else {
			s.key = s.cols[w.order[0]]
		}
	}
	s.split()
	out := &batch{rows: n, cols: slices.Clone(s.cols[:w.carry])}
	held := 0
	for _, r := range w.calls {
		if err := w.ex.q.tick(); err != nil {
			return err
		}
		c, err := r.run(s)
		if err != nil {
			return err
		}
		held += c.Bytes()
		if err := w.ex.q.reserve(c.Bytes()); err != nil {
			return err
		}
		out.cols = append(out.cols, c)
	}
	if w.continued = !ends; w.continued {
		w.before = s.behind()
		w.last = (&batch{cols: s.cols, rows: n}).slice(n-1, n)
	} else {
		w.before = segmentBase{}
	}
	_ = w.ex.q.reserve(-w.held - held) // the rows are the reader's now
	w.held = 0
	for _, b := range w.parts {
		w.held += b.bytes()
	}
	if err := w.ex.q.reserve(w.held); err != nil {
		return err
	}
	w.queue, w.at = out, 0
	return nil
}

// take puts the first n rows together.
func (w *windowStream) take(n int) []column.Column {
	w.rows -= n
	var parts []*batch
	for k, b := range w.parts {
		if n < b.rows {
			if n > 0 {
				parts = append(parts, b.slice(0, n))
				b = b.slice(n, b.rows)
			}
			w.parts = append([]*batch{b}, w.parts[k+1:]...)
			return joinBatches(parts)
		}
		parts = append(parts, b)
		n -= b.rows
	}
	w.parts = nil
	return joinBatches(parts)
}

// joinBatches puts the columns of batches one behind the other.
func joinBatches(parts []*batch) []column.Column {
	if len(parts) == 1 {
		return parts[0].cols
	}
	rows := 0
	for _, b := range parts {
		rows += b.rows
	}
	out := make([]column.Column, len(parts[0].cols))
	for i := range out {
		c := parts[0].cols[i].New(rows)
		for _, b := range parts {
			c.AppendRange(b.cols[i], 0, b.rows)
		}
		out[i] = c
	}
	return out
}

// run computes the function for a segment.
func (r *windowRun) run(s *segment) (column.Column, error) {
	if fn := r.win.fn; fn != nil {
		return fn.run(s, r)
	}
	return r.aggregate(s)
}

// arg is an argument's column.
func (r *windowRun) arg(s *segment, i int) column.Column {
	if a := r.args[i]; a.val != nil {
		return column.Full(column.NewConst(a.val, s.rows))
	} else {
		return s.cols[a.at]
	}
}
