package query

import (
	"slices"

	"dictsvc/column"
	"dictsvc/errcode"
)

// chain is a plan being opened: parallel streams that give batches of the nodes of a layout.
type chain struct {
	ex        *exec
	streams   []stream
	at        *layout
	lazy      bool
	ordered   bool // batches' numbers tell the order that is wanted
	blockSize int
	transient bool // batches are done with when the next one is asked for
}

// compile makes a program over the chain's columns.
func (c *chain) compile(outs []*expr) (*program, error) {
	return compile(outs, c.at, c.lazy, func(e *expr) error {
		return errcode.New(errcode.LogicalError, "No column for %s", exprText(e))
	})
}

// frame makes a program's frame for one stream.
func (c *chain) frame(p *program) *frame {
	f := newFrame(p, &c.ex.q.env)
	if c.transient {
		f.mem = new(column.Scratch)
	}
	f.held = &tally{reserve: c.ex.q.reserve}
	c.ex.onClose(f.held.free)
	return f
}

// each wraps every stream.
func (c *chain) each(wrap func(in stream) stream) {
	for i, s := range c.streams {
		c.streams[i] = wrap(s)
	}
}

// cacheRows are the rows of a batch whose columns pass from function to function within a core's own cache.
const cacheRows = 16384

// cut divides batches into pieces of at most n rows, which refer to the batches' columns. It is for batches that are done with one by one. Those with
// LowCardinality stay whole: functions of them are computed once for each value of a batch's dictionary.
func (c *chain) cut(n int) {
	c.each(func(in stream) stream {
		var whole *batch
		at := 0
		return streamFunc(func() (*batch, error) {
			if whole == nil {
				b, err := in.next()
				if b == nil || err != nil || b.rows <= n || slices.ContainsFunc(b.cols, hasCodes) {
					return b, err
				}
				whole, at = b, 0
			}
			from := at
			at = min(from+n, whole.rows)
			part := whole.slice(from, at)
			if at == whole.rows {
				whole = nil
			}
			return part, nil
		})
	})
}

func hasCodes(c column.Column) bool {
	_, ok := c.(*column.LowCard)
	return ok
}

// single makes one stream of all.
func (c *chain) single() {
	if len(c.streams) > 1 {
		c.streams = []stream{gatherStreams(c.ex, c.streams, c.ordered)}
	}
}

// project computes nodes; the chain then has just these columns.
func (c *chain) project(nodes []*expr) error {
	if sameNodes(c.at.nodes, nodes) {
		return nil
	}
	prog, err := c.compile(nodes)
	if err != nil {
		return err
	}
	c.each(func(in stream) stream {
		cut := cutter{in: in, f: c.frame(prog)}
		return streamFunc(func() (*batch, error) {
			b, cols, err := cut.next(nil)
			if b == nil || err != nil {
				return nil, err
			}
			return &batch{cols: cols, rows: b.rows, seq: b.seq, more: b.more}, nil
		})
	})
	c.at = newLayout(nodes)
	return nil
}

func sameNodes(a, b []*expr) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// filter keeps the rows for which cond is true, and the columns that rest needs. Parts of cond that rest needs too are kept instead of
// being computed again.
func (c *chain) filter(cond *expr, rest []*expr) error {
	if cond == nil {
		return nil
	}
	if cond.hasArrayJoin {
		if err := c.arrayJoins([]*expr{cond}, rest); err != nil {
			return err
		}
	}
	if cond.isConst() {
		if !truth(cond.val) {
			c.streams = []stream{emptyStream()}
		}
		return nil
	}
	shared := map[*expr]bool{}
	c.sharedParts(cond, shared)
	n := newNeed(func(e *expr) bool {
		_, here := c.at.index[e]
		return here || shared[e]
	})
	n.add(rest...)
	prog, err := c.compile(append([]*expr{cond}, n.nodes...))
	if err != nil {
		return err
	}
	c.each(func(in stream) stream {
		return &filterStream{cut: cutter{in: in, f: c.frame(prog)}, ex: c.ex}
	})
	c.at = newLayout(n.nodes)
	return nil
}

// sharedParts collects the computed parts of a condition that are computed for every row.
func (c *chain) sharedParts(e *expr, parts map[*expr]bool) {
	if e.op != opCall && e.op != opIn || parts[e] {
		return
	}
	if _, here := c.at.index[e]; here {
		return
	}
	parts[e] = true
	for i, a := range e.args {
		if i > 0 && e.op == opCall && e.bound.ExecLazy != nil {
			break // these are computed for some rows only
		}
		c.sharedParts(a, parts)
	}
}

// filterStream computes a condition (its program's first result) and keeps the rows where it is true.
type filterStream struct {
	cut cutter
	ex  *exec
}

func (s *filterStream) next() (*batch, error) {
	n := 0
	b, cols, err := s.cut.next(func(b *batch) (cols []column.Column, err error) {
		cols, n, err = s.filter(b)
		return cols, err
	})
	if b == nil || err != nil {
		return nil, err
	}
	return &batch{cols: cols, rows: n, seq: b.seq, more: b.more}, nil
}

// filter computes the condition and the columns of the n rows where it is true.
func (s *filterStream) filter(b *batch) (cols []column.Column, n int, err error) {
	if err := s.ex.check(); err != nil {
		return nil, 0, err
	}
	f := s.cut.f
	f.set(b.cols, b.rows)
	outs := f.p.outs
	cond, err := f.value(outs[0])
	if err != nil {
		return nil, 0, err
	}
	keep, n := conditionBytes(cond, b.rows)
	cols = make([]column.Column, len(outs)-1)
	for i, o := range outs[1:] {
		if n == 0 {
			cols[i] = column.New(f.p.steps[o].typ, 0)
			continue
		}
		col, err := f.value(o)
		if err != nil {
			return nil, 0, err
		}
		if n < b.rows {
			col = column.FilterIn(f.mem, col, keep, n)
		}
		cols[i] = col
	}
	return cols, n, nil
}

// conditionBytes is a condition as a byte a row and the number of rows where it is true; keep is nil where all or none are. NULL is false.
func conditionBytes(c column.Column, rows int) (keep []uint8, n int) {
	switch x := c.(type) {
	case *column.Const:
		if _, one := conditionBytes(column.Plain(x.Val), 1); one == 1 {
			return nil, rows
		}
		return nil, 0
	case *column.LowCard:
		return conditionBytes(x.Expand(), rows)
	case *column.NothingColumn:
		return nil, 0
	case *column.Null:
		inner, m := conditionBytes(x.Inner, rows)
		if m == 0 {
			return nil, 0
		}
		keep = make([]uint8, rows)
		for i, z := range x.Nulls {
			if z == 0 && (inner == nil || inner[i] != 0) {
				keep[i] = 1
				n++
			}
		}
	case *column.Num[uint8]:
		keep, n = x.Data, column.Count(x.Data)
	default:
		keep = make([]uint8, rows)
		n = nonZero(c, keep)
	}
	if n == 0 || n == rows {
		return nil, n
	}
	return keep, n
}

// nonZero marks the rows of a number column that are not 0.
func nonZero(c column.Column, keep []uint8) int {
	switch x := c.(type) {
	case *column.Num[uint16]:
		return markNonZero(x.Data, keep)
	case *column.Num[uint32]:
		return markNonZero(x.Data, keep)
	case *column.Num[uint64]:
		return markNonZero(x.Data, keep)
	case *column.Num[int8]:
		return markNonZero(x.Data, keep)
	case *column.Num[int16]:
		return markNonZero(x.Data, keep)
	case *column.Num[int32]:
		return markNonZero(x.Data, keep)
	case *column.Num[int64]:
		return markNonZero(x.Data, keep)
	case *column.Num[float32]:
		return markNonZero(x.Data, keep)
	case *column.Num[float64]:
		return markNonZero(x.Data, keep)
	case *column.Wide[column.U128]:
		return markNonZero(x.Data, keep)
	case *column.Wide[column.I128]:
		return markNonZero(x.Data, keep)
	case *column.Wide[column.U256]:
		return markNonZero(x.Data, keep)
	case *column.Wide[column.I256]:
		return markNonZero(x.Data, keep)
	}
	return 0
}

func markNonZero[T comparable](data []T, keep []uint8) int {
	var zero T
	n := 0
	for i, v := range data {
		if v != zero {
			keep[i] = 1
			n++
		}
	}
	return n
}
