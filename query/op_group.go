package query

import (
	"slices"

	"dictsvc/agg"
	"dictsvc/column"
	"dictsvc/errcode"
)

// aggregate groups the chain's rows and computes the aggregates, then HAVING; afterwards the chain has the keys and aggregates that outs need.
func (p *selectPlan) aggregate(c *chain, outs []*expr) error {
	args := slices.Clone(p.keys)
	for _, a := range p.aggs {
		args = append(args, a.args...)
	}
	if rows, ok, err := p.trivialCount(c); ok || err != nil {
		if err != nil {
			return err
		}
		return p.countOnly(c, rows, outs)
	}
	prog, err := c.compile(args)
	if err != nil {
		return err
	}
	g := &groupStream{plan: p, ins: c.streams, prog: prog, frame: c.frame, ex: c.ex, blockSize: c.blockSize, maxGroups: c.ex.q.settings.number("max_rows_to_group_by", 0)}
	c.streams = []stream{g}
	c.at = newLayout(append(slices.Clone(p.keys), p.aggs...))
	if p.having != nil || p.totals {
		if g.having, err = p.havingProgram(c); err != nil {
			return err
		}
	}
	if p.totals {
		return p.planTotals(c, g)
	}
	return nil
}

// havingProgram computes HAVING from keys and aggregates, nil where there is none.
func (p *selectPlan) havingProgram(c *chain) (*program, error) {
	if p.having == nil || p.having.isConst() && truth(p.having.val) {
		return nil, nil
	}
	if p.having.hasArrayJoin {
		return nil, errcode.New(errcode.NotImplemented, "arrayJoin in HAVING is not supported")
	}
	return c.compile([]*expr{p.having})
}

// trivialCount answers count() over a whole table from what the table knows.
func (p *selectPlan) trivialCount(c *chain) (uint64, bool, error) {
	if len(p.keys) > 0 || p.grouped || p.where != nil || p.array != nil || len(p.source) != 1 || len(p.aggs) == 0 {
		return 0, false, nil
	}
	for _, a := range p.aggs {
		if a.agg.Name != "count" || len(a.args) != 0 {
			return 0, false, nil
		}
	}
	t, ok := p.source[0].rel.(counted)
	if !ok {
		return 0, false, nil
	}
	return t.count(c.ex)
}

// countOnly is the one row of a trivial count.
func (p *selectPlan) countOnly(c *chain, rows uint64, outs []*expr) error {
	c.at = newLayout(p.aggs)
	b := &batch{rows: 1}
	for range p.aggs {
		b.cols = append(b.cols, column.UInt64s(rows))
	}
	c.streams = []stream{streamFunc(func() (*batch, error) {
		one := b
		b = nil
		return one, nil
	})}
	return c.filter(p.having, p.afterHaving(outs))
}

// groupStream reads all rows of its inputs, groups them and gives the groups. Each input has a worker and a table of its own; the tables are merged.
type groupStream struct {
	plan      *selectPlan
	ins       []stream
	prog      *program
	frame     func(*program) *frame
	having    *program
	totals    func(*batch) error
	ex        *exec
	blockSize int
	maxGroups uint64

	table   *groupTable
	started bool
	at      int
	passed  []uint32 // WITH TOTALS: 0 for groups that HAVING lets through, 1 for the others
	queue   []*batch // WITH TOTALS: all groups, computed first because a LIMIT may ask for some only
}

// groupTable is the groups of some rows.
type groupTable struct {
	keys   agg.Grouper // nil without GROUP BY keys
	states []agg.States
	held   int
	none   bool // GROUP BY () of no rows: no group
}

func (g *groupStream) newTable() *groupTable {
	t := &groupTable{}
	p := g.plan
	if len(p.keys) > 0 {
		types := make([]*column.Type, len(p.keys))
		for i, k := range p.keys {
			types[i] = k.typ
		}
		t.keys = agg.NewGrouper(types)
	}
	for _, a := range p.aggs {
		s := a.agg.NewStates()
		if t.keys == nil {
			s.Grow(1)
		}
		t.states = append(t.states, s)
	}
	return t
}

// groups is the number of groups. Without GROUP BY there is one, even of no rows.
func (t *groupTable) groups() int {
	switch {
	case t.none:
		return 0
	case t.keys == nil:
		return 1
	}
	return t.keys.Len()
}

func (t *groupTable) bytes() int {
	n := 0
	if t.keys != nil {
		n = t.keys.Bytes()
	}
	for _, s := range t.states {
		n += s.Bytes()
	}
	return n
}

func (g *groupStream) next() (*batch, error) {
	if !g.started {
		if err := g.load(); err != nil {
			return nil, err
		}
	}
	if g.totals != nil {
		return g.queued()
	}
	return g.chunk()
}

// queued gives the groups that were computed before the totals.
func (g *groupStream) queued() (*batch, error) {
	if len(g.queue) == 0 {
		return nil, nil
	}
	b := g.queue[0]
	g.queue = g.queue[1:]
	return b, nil
}

// chunk computes the next groups.
func (g *groupStream) chunk() (*batch, error) {
	if g.at >= g.table.groups() {
		return nil, nil
	}
	if err := g.ex.q.tick(); err != nil {
		return nil, err
	}
	to := min(g.at+g.blockSize, g.table.groups())
	b, err := g.result(g.table, g.at, to)
	if err != nil {
		return nil, err
	}
	g.at = to
	return g.filterHaving(b)
}

// result is the columns of some groups: keys, then aggregates.
func (g *groupStream) result(t *groupTable, from, to int) (*batch, error) {
	b := &batch{rows: to - from}
	if t.keys != nil {
		b.cols = t.keys.Keys(from, to)
	}
	for _, s := range t.states {
		c, err := s.Result(from, to)
		if err != nil {
			return nil, err
		}
		b.cols = append(b.cols, c)
	}
	return b, nil
}

// filterHaving keeps the groups for which HAVING is true.
func (g *groupStream) filterHaving(b *batch) (*batch, error) {
	if g.having == nil {
		if g.totals != nil {
			g.passed = append(g.passed, make([]uint32, b.rows)...)
		}
		return b, nil
	}
	out, err := newFrame(g.having, &g.ex.q.env).run(b.cols, b.rows)
	if err != nil {
		return nil, err
	}
	keep, n := conditionBytes(out[0], b.rows)
	if g.totals != nil {
		inclusive := g.ex.q.settings.text("totals_mode", "after_having_exclusive") == "before_having"
		for i := range b.rows {
			if inclusive || n == b.rows || n > 0 && keep[i] != 0 {
				g.passed = append(g.passed, 0)
			} else {
				g.passed = append(g.passed, 1)
			}
		}
	}
	if n == 0 {
		return b.slice(0, 0), nil
	}
	return b.filter(keep, n), nil
}

// load groups all rows.
func (g *groupStream) load() error {
	g.started = true
	tables := make([]*groupTable, len(g.ins))
	err := g.ex.parallel(len(g.ins), func(w int) error {
		t, err := g.groupOne(g.ins[w])
		tables[w] = t
		return err
	})
	if err != nil {
		return err
	}
	g.table = tables[0]
	for _, t := range tables[1:] {
		if t.groups() > g.table.groups() { // the smaller into the larger
			t, g.table = g.table, t
		}
		if err := g.merge(g.table, t); err != nil {
			return err
		}
	}
	if g.totals == nil {
		return nil
	}
	for {
		b, err := g.chunk()
		if err != nil {
			return err
		}
		if b == nil {
			return g.sendTotals()
		}
		g.queue = append(g.queue, b)
	}
}

// groupOne groups the rows of one stream.
func (g *groupStream) groupOne(in stream) (*groupTable, error) {
	t := g.newTable()
	t.none = t.keys == nil && g.plan.grouped
	f := g.frame(g.prog)
	nk := len(g.plan.keys)
	var ids []uint32
	for {
		b, err := in.next()
		if err != nil {
			return nil, err
		}
		if b == nil {
			return t, nil
		}
		if err := g.ex.q.tick(); err != nil {
			return nil, err
		}
		if b.rows == 0 {
			continue
		}
		t.none = false
		cols, err := f.run(b.cols, b.rows)
		if err != nil {
			return nil, err
		}
		var groups []uint32
		if t.keys != nil {
			if cap(ids) < b.rows {
				ids = make([]uint32, b.rows)
			}
			groups = ids[:b.rows]
			t.keys.Groups(cols[:nk], b.rows, groups)
			if n := uint64(t.keys.Len()); g.maxGroups > 0 && n > g.maxGroups {
				return nil, errcode.New(errcode.TooManyRows, "Limit for rows to GROUP BY exceeded: has %d rows, maximum: %d", n, g.maxGroups)
			}
		}
		if err := g.add(t, groups, cols[nk:], b.rows); err != nil {
			return nil, err
		}
		bytes := t.bytes()
		if err := g.ex.q.reserve(bytes - t.held); err != nil {
			return nil, err
		}
		t.held = bytes
	}
}

// add adds the aggregates' arguments of one block.
func (g *groupStream) add(t *groupTable, groups []uint32, args []column.Column, rows int) error {
	n := t.groups()
	for i, a := range g.plan.aggs {
		own := args[:len(a.args):len(a.args)]
		args = args[len(a.args):]
		plain := make([]column.Column, len(own))
		for k, c := range own {
			plain[k] = column.Plain(c)
		}
		t.states[i].Grow(n)
		if err := t.states[i].Add(groups, plain, rows); err != nil {
			return err
		}
	}
	return nil
}

// merge adds the groups of one table to another.
func (g *groupStream) merge(into, from *groupTable) error {
	n := from.groups()
	if n == 0 {
		return nil
	}
	ids := make([]uint32, n)
	if from.keys != nil {
		for at := 0; at < n; at += g.blockSize {
			to := min(at+g.blockSize, n)
			into.keys.Groups(from.keys.Keys(at, to), to-at, ids[at:to])
			if err := g.ex.q.tick(); err != nil {
				return err
			}
		}
	}
	for i, s := range into.states {
		s.Grow(into.groups())
		from.states[i].Grow(n)
		if err := s.Merge(from.states[i], nil, ids); err != nil {
			return err
		}
	}
	return nil
}

// planTotals makes the group stream compute the row of WITH TOTALS when it ends.
func (p *selectPlan) planTotals(c *chain, g *groupStream) error {
	nodes := make([]*expr, len(p.items))
	for i, it := range p.items {
		nodes[i] = it.node
	}
	if hasArrayJoin(nodes) {
		return errcode.New(errcode.NotImplemented, "arrayJoin with WITH TOTALS is not supported")
	}
	prog, err := c.compile(nodes)
	if err != nil {
		return err
	}
	ex := c.ex
	g.totals = func(b *batch) error {
		cols, err := newFrame(prog, &ex.q.env).run(b.cols, b.rows)
		if err != nil {
			return err
		}
		if ex.totals != nil {
			ex.totals(p, &batch{cols: cols, rows: 1})
		}
		return nil
	}
	return nil
}

// sendTotals merges the states of all groups that HAVING let through into one.
func (g *groupStream) sendTotals() error {
	b := &batch{rows: 1}
	for _, k := range g.plan.keys {
		b.cols = append(b.cols, defaults(k.typ, 1))
	}
	for i, a := range g.plan.aggs {
		s := a.agg.NewStates()
		s.Grow(2)
		g.table.states[i].Grow(len(g.passed))
		if err := s.Merge(g.table.states[i], nil, g.passed); err != nil {
			return err
		}
		c, err := s.Result(0, 1)
		if err != nil {
			return err
		}
		b.cols = append(b.cols, c)
	}
	return g.totals(b)
}
