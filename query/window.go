package query

import (
	"slices"

	"dictsvc/column"
	"dictsvc/sql"
)

// windowCall is what makes a node a window function. The node's arguments are those of the function, then the keys of PARTITION BY, then those of
// ORDER BY, so that whoever walks the tree meets all that the function needs.
type windowCall struct {
	fn     *windowFunction // nil for aggregate functions, which are in the node's agg
	params []column.Column
	nargs  int
	spec   *windowSpec
	frame  windowFrame
	nulls  sql.NullsAction
}

// windowSpec is how the rows of a window are put together: partitions, and the order within them.
type windowSpec struct {
	partition []*expr
	order     []sortKey
}

// windowFrame is the part of a partition that a row's result is computed from.
type windowFrame struct {
	given      bool // written, not the default
	unit       sql.FrameUnit
	begin, end windowBound
}

// windowBound is one end of a frame.
type windowBound struct {
	kind      sql.FrameBoundKind
	preceding bool
	offset    int64
	value     column.Column // the offset of RANGE in the type of the key of ORDER BY
}

// defaultFrame is RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW.
func defaultFrame() windowFrame {
	return windowFrame{begin: windowBound{kind: sql.BoundUnbounded, preceding: true}, end: windowBound{kind: sql.BoundCurrent}}
}

// fromStart tells whether all frames begin with their partition.
func (f *windowFrame) fromStart() bool { return f.begin.kind == sql.BoundUnbounded }

// toEnd tells whether all frames end with their partition.
func (f *windowFrame) toEnd() bool { return f.end.kind == sql.BoundUnbounded }

// full is the frame of all rows of the partition.
func (f *windowFrame) full() bool { return f.fromStart() && f.toEnd() }

// growing is a frame that begins with the partition and ends at the current row, its peers included where the unit is RANGE.
func (f *windowFrame) growing() bool { return f.fromStart() && f.end.kind == sql.BoundCurrent }

// keys are the keys by which the rows of a window are sorted; constants order nothing.
func (s *windowSpec) keys() []sortKey {
	var keys []sortKey
	for _, e := range s.partition {
		keys = append(keys, sortKey{node: e})
	}
	keys = append(keys, s.order...)
	seen := map[*expr]bool{}
	return slices.DeleteFunc(keys, func(k sortKey) bool {
		again := seen[k.node] || k.node.isConst()
		seen[k.node] = true
		return again
	})
}

// same tells whether two windows have the same partitions and order.
func (s *windowSpec) same(o *windowSpec) bool {
	return slices.Equal(s.partition, o.partition) && slices.Equal(s.order, o.order)
}

// windowStep is the window functions that one pass over sorted rows computes.
type windowStep struct {
	spec  *windowSpec
	keys  []sortKey
	calls []*expr
	sort  bool // the rows must be sorted first; else the step before has done it
}

// windowSteps puts the window functions of a query in ClickHouse's order: by the names of their sort keys, the longer of two with a common beginning first,
// so that a sort serves as many of them as it can.
func windowSteps(windows []*expr) []windowStep {
	var steps []windowStep
	for _, w := range windows {
		i := slices.IndexFunc(steps, func(s windowStep) bool { return s.spec.same(w.win.spec) })
		if i < 0 {
			i = len(steps)
			steps = append(steps, windowStep{spec: w.win.spec, keys: w.win.spec.keys()})
		}
		steps[i].calls = append(steps[i].calls, w)
	}
	slices.SortStableFunc(steps, func(a, b windowStep) int {
		for i := range min(len(a.keys), len(b.keys)) {
			if d := compareSortKeys(a.keys[i], b.keys[i]); d != 0 {
				return d
			}
		}
		return len(b.keys) - len(a.keys)
	})
	for i := range steps {
		steps[i].sort = i == 0 || len(steps[i].keys) > len(steps[i-1].keys) || !slices.Equal(steps[i].keys, steps[i-1].keys[:len(steps[i].keys)])
	}
	return steps
}

func compareSortKeys(a, b sortKey) int {
	if a == b {
		return 0
	}
	if x, y := sortName(a.node), sortName(b.node); x != y {
		if x < y {
			return -1
		}
		return 1
	}
	if a.desc != b.desc {
		if a.desc {
			return -1
		}
		return 1
	}
	if a.nullsFirst != b.nullsFirst && a.nullsFirst {
		return -1
	}
	return 1
}

// sortName is a key's name as ClickHouse orders windows by: its columns are those of __table1.
func sortName(e *expr) string {
	if isSource(e) {
		return "__table1." + e.name
	}
	return exprText(e)
}

// collectWindows gathers the window functions of a node.
func collectWindows(e *expr, seen map[*expr]bool, list []*expr) []*expr {
	if e == nil || !e.hasWindow || seen[e] {
		return list
	}
	seen[e] = true
	if e.op == opWindow {
		return append(list, e)
	}
	e.children(func(c *expr) { list = collectWindows(c, seen, list) })
	return list
}

// runWindows runs the window functions and QUALIFY; outs are the nodes of the result.
func (p *selectPlan) runWindows(c *chain, outs []*expr) error {
	if err := p.windowsOf(c, p.behindHaving(outs)); err != nil {
		return err
	}
	return c.filter(p.qualify, p.afterHaving(outs))
}

// windowsOf runs the window functions; rest are the nodes needed behind them.
func (p *selectPlan) windowsOf(c *chain, rest []*expr) error {
	for i, s := range p.windows {
		later := slices.Clone(rest)
		done := map[*expr]bool{}
		for k, other := range p.windows {
			for _, w := range other.calls {
				if k <= i {
					done[w] = true
				} else {
					later = append(later, w)
				}
			}
		}
		if err := c.window(s, later, func(e *expr) bool { return done[e] }); err != nil {
			return err
		}
	}
	return nil
}

// window runs the functions of one step. later are the nodes needed behind it, done the window functions that need no more than being carried on.
func (c *chain) window(s windowStep, later []*expr, done func(*expr) bool) error {
	n := newNeed(func(e *expr) bool {
		_, here := c.at.index[e]
		return here || done(e)
	})
	n.add(later...)
	carry := slices.DeleteFunc(n.nodes, func(e *expr) bool { return slices.Contains(s.calls, e) })
	in := slices.Clone(carry)
	for _, w := range s.calls {
		for _, a := range w.args {
			if !a.isConst() {
				in = appendUnique(in, a)
			}
		}
	}
	if err := c.project(in); err != nil {
		return err
	}
	c.single()
	if s.sort && len(s.keys) > 0 {
		c.sort(s.keys, -1, false)
	}
	w, err := newWindowStream(c, s, len(carry))
	if err != nil {
		return err
	}
	c.streams = []stream{w}
	c.at = newLayout(append(carry, s.calls...))
	return nil
}
