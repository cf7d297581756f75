package query

import (
	"dictsvc/agg"
	"dictsvc/column"
	"dictsvc/sql"
)

// smallPartition is the number of rows up to which a frame's rows are added for each row anew, all frames in one call, instead of one row after another.
const smallPartition = 32

// frameChunk is how many rows of frames are added in one call.
const frameChunk = 1 << 16

// aggregate computes an aggregate function for each row's frame.
func (r *windowRun) aggregate(s *segment) (column.Column, error) {
	args := make([]column.Column, len(r.args))
	for i := range args {
		args[i] = column.Plain(r.arg(s, i))
	}
	f := &r.win.frame
	if f.full() || f.growing() && f.unit == sql.FrameRange && len(s.order) == 0 {
		return r.wholePartitions(s, args)
	}
	if r.fast != nil {
		return r.fast.run(s, args, s.bounds(f))
	}
	w := &frameWriter{run: r, s: s, args: args, out: column.New(r.e.typ, s.rows)}
	if err := w.write(s.bounds(f)); err != nil {
		return nil, err
	}
	_ = s.ex.q.reserve(-w.held)
	return w.out.Replicate(w.ends), nil
}

// wholePartitions gives all rows of a partition the same result.
func (r *windowRun) wholePartitions(s *segment, args []column.Column) (column.Column, error) {
	states := r.e.agg.NewStates()
	n := len(s.starts) - 1
	states.Grow(n)
	var groups []uint32
	if n > 1 {
		groups = make([]uint32, s.rows)
		for k := range n {
			for i := s.starts[k]; i < s.starts[k+1]; i++ {
				groups[i] = uint32(k)
			}
		}
	}
	held := 0
	for from := 0; from < s.rows; from += frameChunk {
		to := min(from+frameChunk, s.rows)
		own := groups
		if own != nil {
			own = groups[from:to]
		}
		if err := states.Add(own, sliceAll(args, from, to), to-from); err != nil {
			return nil, err
		}
		if err := s.ex.q.tick(); err != nil {
			return nil, err
		}
		bytes := states.Bytes()
		if err := s.ex.q.reserve(bytes - held); err != nil {
			return nil, err
		}
		held = bytes
	}
	c, err := states.Result(0, n)
	if err != nil {
		return nil, err
	}
	_ = s.ex.q.reserve(-held)
	ends := make([]uint64, n)
	for k := range ends {
		ends[k] = uint64(s.starts[k+1])
	}
	return column.Full(c).Replicate(ends), nil
}

// sliceAll is the rows [from, to) of columns.
func sliceAll(cols []column.Column, from, to int) []column.Column {
	out := make([]column.Column, len(cols))
	for i, c := range cols {
		out[i] = c.Slice(from, to)
	}
	return out
}

// frameWriter computes an aggregate function for frames of any kind. Neighbouring rows with the same frame share a result: out has one for each different
// frame, ends says how many rows it is for. A frame that begins with its partition is the one before with more rows, so its state is kept; the state of
// any other frame is computed from its rows, those of many frames in one call.
type frameWriter struct {
	run  *windowRun
	s    *segment
	args []column.Column
	out  column.Column
	ends []uint64
	held int

	from, to []uint32 // of the frames that are not computed yet
	rows     int      // in them
	at       int      // rows written since the limits were looked at
}

func (w *frameWriter) write(b *frameRows) error {
	fromStart := w.run.win.frame.fromStart()
	parts := len(w.s.starts) - 1
	for k := range parts {
		from, to := int(w.s.starts[k]), int(w.s.starts[k+1])
		goesOn := k == 0 && w.s.continued || k == parts-1 && w.s.open
		if fromStart && (goesOn || to-from > smallPartition) {
			if err := w.flush(); err != nil {
				return err
			}
			if err := w.grow(b, from, to, k == 0 && w.s.continued, k == parts-1 && w.s.open); err != nil {
				return err
			}
			continue
		}
		for i := from; i < to; {
			n := sameFrames(b, i, to)
			w.ends = append(w.ends, uint64(i+n))
			if err := w.frame(b.from[i], b.to[i]); err != nil {
				return err
			}
			i += n
		}
	}
	return w.flush()
}

// sameFrames is the number of rows from i on that have the frame of row i.
func sameFrames(b *frameRows, i, to int) int {
	n := 1
	for i+n < to && b.from[i+n] == b.from[i] && b.to[i+n] == b.to[i] {
		n++
	}
	return n
}

// grow computes the frames of one partition that all begin with it.
func (w *frameWriter) grow(b *frameRows, from, to int, continued, open bool) error {
	states := w.run.state
	if !continued {
		states = w.run.e.agg.NewStates()
		states.Grow(1)
	}
	done := from
	for i := from; i < to; {
		n := sameFrames(b, i, to)
		for end := int(b.to[i]); done < end; {
			next := min(end, done+frameChunk)
			if err := states.Add(nil, sliceAll(w.args, done, next), next-done); err != nil {
				return err
			}
			if w.at += next - done; w.at >= frameChunk {
				if err := w.limits(states); err != nil {
					return err
				}
			}
			done = next
		}
		c, err := states.Result(0, 1)
		if err != nil {
			return err
		}
		w.out.AppendRange(column.Full(c), 0, 1)
		i += n
		w.ends = append(w.ends, uint64(i))
		if w.at += 64; w.at >= frameChunk {
			if err := w.limits(states); err != nil {
				return err
			}
		}
	}
	w.run.state = nil
	if open {
		w.run.state = states
	}
	return nil
}

// limits looks at the limits of memory and time.
func (w *frameWriter) limits(states agg.States) error {
	w.at = 0
	if err := w.s.ex.q.tick(); err != nil {
		return err
	}
	bytes := w.out.Bytes() + states.Bytes()
	if err := w.s.ex.q.reserve(bytes - w.held); err != nil {
		return err
	}
	w.held = bytes
	return nil
}

// frame adds a frame to those to be computed.
func (w *frameWriter) frame(from, to uint32) error {
	if n := int(to - from); w.rows+n > frameChunk {
		if err := w.flush(); err != nil {
			return err
		}
		if n > frameChunk {
			return w.longFrame(int(from), int(to))
		}
	}
	w.from, w.to = append(w.from, from), append(w.to, to)
	w.rows += int(to - from)
	return nil
}

// longFrame computes a frame by itself.
func (w *frameWriter) longFrame(from, to int) error {
	states := w.run.e.agg.NewStates()
	states.Grow(1)
	for at := from; at < to; at += frameChunk {
		next := min(at+frameChunk, to)
		if err := states.Add(nil, sliceAll(w.args, at, next), next-at); err != nil {
			return err
		}
		if err := w.limits(states); err != nil {
			return err
		}
	}
	return w.result(states, 1)
}

// flush computes the frames that were added.
func (w *frameWriter) flush() error {
	n := len(w.from)
	if n == 0 {
		return nil
	}
	states := w.run.e.agg.NewStates()
	states.Grow(n)
	rows, groups := make([]uint32, 0, w.rows), make([]uint32, 0, w.rows)
	for k := range n {
		for i := w.from[k]; i < w.to[k]; i++ {
			rows, groups = append(rows, i), append(groups, uint32(k))
		}
	}
	own := make([]column.Column, len(w.args))
	for i, c := range w.args {
		own[i] = c.Gather(rows)
	}
	if err := states.Add(groups, own, len(rows)); err != nil {
		return err
	}
	if err := w.limits(states); err != nil {
		return err
	}
	w.from, w.to, w.rows = w.from[:0], w.to[:0], 0
	return w.result(states, n)
}

func (w *frameWriter) result(states agg.States, n int) error {
	c, err := states.Result(0, n)
	if err != nil {
		return err
	}
	w.out.AppendRange(column.Full(c), 0, n)
	return nil
}
