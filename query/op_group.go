package query

import (
	"math"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"

	"dictsvc/agg"
	"dictsvc/column"
	"dictsvc/errcode"
	"dictsvc/internal/mem"
)

// aggregate groups the chain's rows and computes the aggregates, then HAVING; afterwards the chain has the keys and aggregates that outs need.
func (p *selectPlan) aggregate(c *chain, outs []*expr) error {
	if p.rollup == nil && !p.totals {
		p.keys = neededKeys(p.keys)
	}
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
	below := *c // frames are made when the streams start, and are of the chain as it is here
	g := &groupStream{plan: p, ins: c.streams, prog: prog, frame: below.frame, ex: c.ex, pool: mem.NewPool(nil), blockSize: c.blockSize, limits: c.ex.q.groupLimits(), pendingLimit: pendingBytes}
	g.like = p.keyTable(g.pool)
	if g.limits.external > 0 {
		g.pendingLimit = min(g.pendingLimit, g.limits.external/4/len(g.ins))
	}
	if l := c.ex.q.memoryLimit; l > 0 {
		g.pendingLimit = int(min(int64(g.pendingLimit), l/8/int64(len(g.ins))))
	}
	c.ex.onClose(func() {
		g.pool.Free()
		_ = g.reserve(-int(g.held.Load()))
	})
	c.at = newLayout(append(slices.Clone(p.keyOutputs()), p.aggs...))
	if p.having != nil || p.totals {
		if g.having, err = p.havingProgram(c); err != nil {
			return err
		}
	}
	if p.totals {
		if err := p.planTotals(c, g); err != nil {
			return err
		}
	}
	c.streams, c.ordered = g.outputs(), false
	c.transient = false
	return nil
}

// neededKeys leaves out keys that follow from others: constants, and functions of other keys. What is computed from groups computes them again.
func neededKeys(keys []*expr) []*expr {
	needed := slices.Clone(keys)
	for _, k := range keys {
		rest := slices.DeleteFunc(slices.Clone(needed), func(e *expr) bool { return e == k })
		if len(rest) > 0 && follows(k, rest) {
			needed = rest
		}
	}
	return needed
}

// follows tells whether a node can be computed from keys alone.
func follows(e *expr, keys []*expr) bool {
	known := map[*expr]bool{}
	for _, k := range keys {
		known[k] = true
	}
	var visit func(*expr) bool
	visit = func(e *expr) bool {
		if ok, seen := known[e]; seen {
			return ok
		}
		ok := e.isConst() || e.op == opCall && !e.volatile && !e.hasArrayJoin && !e.hasAggregate
		if ok {
			e.children(func(c *expr) { ok = ok && c.op != opLambda && visit(c) })
		}
		known[e] = ok
		return ok
	}
	return visit(e)
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
	if len(p.keys) > 0 || p.grouped || p.where != nil || p.array != nil || len(p.source) != 1 || len(p.aggs) == 0 || c.ex.q.settings.flag("empty_result_for_aggregation_by_empty_set", false) {
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
	return c.filter(p.having, p.behindHaving(outs))
}

// groupStream reads all rows of its inputs, groups them and gives the groups. Each input has a worker with a table of its own, until one has so many
// groups that they are divided into partitions, which all workers share. Tables that stay small are merged in the end.
type groupStream struct {
	plan      *selectPlan
	ins       []stream
	prog      *program
	frame     func(*program) *frame
	having    *program
	totals    func(*batch) error
	ex        *exec
	pool      *mem.Pool
	like      agg.Grouper // of the kind of all tables of keys
	blockSize int
	limits    groupLimits

	pendingLimit int          // bytes that a worker keeps for the partitions
	held         atomic.Int64 // bytes of all tables and of what is kept

	once   sync.Once // reads the rows
	err    error
	split  atomic.Bool // the groups are divided
	making sync.Mutex  // of parts
	parts  *groupParts
	table  *groupTable // all groups, where they are not divided
	at     int
	queue  []*batch // WITH TOTALS: all groups, computed first because a LIMIT may ask for some only
	total  *groupTable
}

// groupLimits are the settings that bound a GROUP BY.
type groupLimits struct {
	groups       uint64 // max_rows_to_group_by, 0: none
	overflow     string // group_by_overflow_mode
	splitAt      int    // groups of a worker from which on they are divided, 0: none
	splitAtBytes int
	external     int // bytes beyond which groups go to disk, 0: never
}

func (q *run) groupLimits() groupLimits {
	return groupLimits{groups: q.settings.number("max_rows_to_group_by", 0), overflow: q.settings.text("group_by_overflow_mode", "throw"),
		splitAt:      int(min(q.settings.number("group_by_two_level_threshold", 100_000), math.MaxInt32)),
		splitAtBytes: int(min(q.settings.number("group_by_two_level_threshold_bytes", 50_000_000), math.MaxInt32)), external: q.externalBytes("group_by")}
}

// externalBytes is the memory beyond which an operator goes to disk, 0: never. The ratio is of the memory that a query has without a limit of its own.
func (q *run) externalBytes(operator string) int {
	n := q.settings.number("max_bytes_before_external_"+operator, 0)
	ratio, err := strconv.ParseFloat(q.settings.text("max_bytes_ratio_before_external_"+operator, "0.5"), 64)
	if most := float64(q.engine.cfg.MaxMemory) * ratio; err == nil && most > 0 && (n == 0 || most < float64(n)) {
		n = uint64(most)
	}
	return int(min(n, math.MaxInt64))
}

// outputs are the streams that give the groups: one for each input where the partitions' results can be computed side by side.
func (g *groupStream) outputs() []stream {
	n := len(g.ins)
	if len(g.plan.keys) == 0 || g.totals != nil {
		n = 1
	}
	list := make([]stream, n)
	for i := range list {
		list[i] = &groupOutput{g: g, first: i == 0}
	}
	return list
}

// groupOutput gives groups, a partition after another.
type groupOutput struct {
	g     *groupStream
	first bool
	table *groupTable // of the partition at hand
	at    int
}

func (o *groupOutput) next() (*batch, error) {
	g := o.g
	if err := g.start(); err != nil {
		return nil, err
	}
	switch {
	case g.totals != nil:
		return g.queued()
	case g.parts != nil:
		return o.part()
	case !o.first:
		return nil, nil
	}
	return g.chunk(g.table, &g.at)
}

// part gives the next groups of a partition.
func (o *groupOutput) part() (*batch, error) {
	for {
		if o.table != nil {
			b, err := o.g.chunk(o.table, &o.at)
			if b != nil || err != nil {
				return b, err
			}
			o.g.freeTable(o.table)
			o.table = nil
		}
		part := int(o.g.parts.next.Add(1)) - 1
		if part >= agg.Partitions {
			return nil, nil
		}
		t, err := o.g.parts.finish(part)
		if err != nil {
			return nil, err
		}
		o.table, o.at = t, 0
	}
}

// start reads and groups all rows, once.
func (g *groupStream) start() error {
	g.once.Do(func() { g.err = g.load() })
	return g.err
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

// chunk computes the next groups of a table, those that HAVING lets through.
func (g *groupStream) chunk(t *groupTable, at *int) (*batch, error) {
	if *at >= t.groups() {
		return nil, nil
	}
	if err := g.ex.q.tick(); err != nil {
		return nil, err
	}
	from := *at
	*at = min(from+g.blockSize, t.groups())
	t.grow()
	b, err := t.result(from, *at)
	if err != nil {
		return nil, err
	}
	return g.filterHaving(b, t, from)
}

// filterHaving keeps the groups for which HAVING is true, and takes those that count for the totals. The batch is of a table's groups from one on.
func (g *groupStream) filterHaving(b *batch, t *groupTable, from int) (*batch, error) {
	var keep []uint8
	n := b.rows
	if g.having != nil {
		out, err := newFrame(g.having, &g.ex.q.env).run(b.cols, b.rows)
		if err != nil {
			return nil, err
		}
		keep, n = conditionBytes(out[0], b.rows)
	}
	if g.totals != nil {
		inclusive := g.ex.q.settings.text("totals_mode", "after_having_exclusive") == "before_having"
		var passed []uint32
		for i := range b.rows {
			if (inclusive || n == b.rows || n > 0 && keep[i] != 0) && g.plan.inTotals(b, i) {
				passed = append(passed, uint32(from+i))
			}
		}
		if from == 0 {
			t.seal()
		}
		if err := g.total.merge(t, passed, make([]uint32, len(passed))); err != nil {
			return nil, err
		}
	}
	if n == 0 {
		return b.slice(0, 0), nil
	}
	if n == b.rows {
		return b, nil
	}
	return b.filter(keep, n), nil
}

// load groups all rows.
func (g *groupStream) load() error {
	tables := make([]*groupTable, len(g.ins))
	err := g.ex.parallel(len(g.ins), func(w int) error {
		t, err := g.groupOne(g.ins[w])
		tables[w] = t
		return err
	})
	if err != nil {
		return err
	}
	if g.parts != nil {
		for _, t := range tables {
			if t == nil {
				continue
			}
			if err := g.parts.take(t); err != nil {
				return err
			}
		}
	} else if err := g.mergeAll(tables); err != nil {
		return err
	}
	if g.totals == nil {
		return nil
	}
	return g.loadTotals()
}

// mergeAll merges the tables of all workers.
func (g *groupStream) mergeAll(tables []*groupTable) error {
	g.table = tables[0]
	for _, t := range tables[1:] {
		if t.groups() > g.table.groups() { // the smaller into the larger
			t, g.table = g.table, t
		}
		if err := g.merge(g.table, t); err != nil {
			return err
		}
	}
	return nil
}

// loadTotals computes all groups and then the totals.
func (g *groupStream) loadTotals() error {
	g.total = &groupTable{}
	for _, a := range g.plan.aggs {
		s := a.agg.NewStates()
		s.Grow(1)
		g.total.states = append(g.total.states, s)
	}
	o := &groupOutput{g: g}
	for {
		var b *batch
		var err error
		if g.parts != nil {
			b, err = o.part()
		} else {
			b, err = g.chunk(g.table, &g.at)
		}
		if err != nil {
			return err
		}
		if b == nil {
			return g.sendTotals()
		}
		g.queue = append(g.queue, b)
	}
}

// groupOne groups the rows of one stream. It returns the worker's table, nil where its groups went to the partitions.
func (g *groupStream) groupOne(in stream) (*groupTable, error) {
	var keys agg.Grouper
	if g.like != nil {
		keys = g.like.Empty(g.pool)
	}
	t := g.plan.newTable(keys, g.ex.check)
	t.none = t.keys == nil && (g.plan.grouped || g.ex.q.settings.flag("empty_result_for_aggregation_by_empty_set", false))
	w := &groupWorker{g: g, table: t}
	cut := cutter{in: in, f: g.frame(g.prog)}
	for {
		b, cols, err := cut.next(func(b *batch) ([]column.Column, error) { return g.inputs(cut.f, b) })
		if err != nil {
			return nil, err
		}
		if b == nil {
			return w.table, w.end()
		}
		if err := g.ex.q.tick(); err != nil {
			return nil, err
		}
		if b.rows == 0 {
			continue
		}
		bytes := 0
		for _, c := range cols {
			bytes += column.SizeOf(c)
		}
		rows := max(1, b.rows/(bytes/groupBytes+1))
		for from := 0; from < b.rows; from += rows {
			part, n := cols, b.rows
			if rows < b.rows {
				if err := g.ex.q.tick(); err != nil {
					return nil, err
				}
				to := min(b.rows, from+rows)
				part, n = make([]column.Column, len(cols)), to-from
				for i, c := range cols {
					part[i] = c.Slice(from, to)
				}
			}
			more, err := w.block(part, n)
			if err != nil {
				return nil, err
			}
			if !more {
				return w.table, w.end()
			}
		}
	}
}

// groupBytes is the most that is added to groups between two looks at whether the query goes on.
const groupBytes = 16 << 20

// inputs computes the keys and the aggregates' arguments of a batch; these are plain columns.
func (g *groupStream) inputs(f *frame, b *batch) ([]column.Column, error) {
	cols, err := f.run(b.cols, b.rows)
	if err != nil || b.rows == 0 {
		return cols, err
	}
	for i, c := range cols[len(g.plan.keys):] {
		if k, ok := c.(*column.Const); ok {
			if err := f.held.add(k.Val.Bytes()*b.rows, f.room); err != nil {
				return nil, err
			}
		}
		cols[len(g.plan.keys)+i] = column.Plain(c)
	}
	return cols, nil
}

// groupWorker groups the rows of one stream.
type groupWorker struct {
	g     *groupStream
	table *groupTable // nil once the groups are divided
	pend  *groupPending
	ids   []uint32
	full  bool // no more groups are added: group_by_overflow_mode = 'any'
}

// block groups a block's rows. more is false where no more rows are wanted.
func (w *groupWorker) block(cols []column.Column, rows int) (more bool, err error) {
	g := w.g
	nk := len(g.plan.keys)
	keys, args := cols[:nk], cols[nk:]
	if w.table != nil && g.split.Load() {
		if err := w.divide(); err != nil {
			return false, err
		}
	}
	if w.table == nil {
		return true, w.pend.keep(keys, args, rows)
	}
	t := w.table
	t.none = false
	if t.keys == nil {
		if err := t.add(g.plan.aggs, nil, args, rows); err != nil {
			return false, err
		}
		return true, g.account(t)
	}
	if cap(w.ids) < rows {
		w.ids = make([]uint32, rows)
	}
	groups := w.ids[:rows]
	if w.full {
		groups, args, rows = w.known(keys, args, groups)
	} else {
		t.keys.Groups(keys, rows, groups)
	}
	if err := t.add(g.plan.aggs, groups, args, rows); err != nil {
		return false, err
	}
	if err := g.account(t); err != nil {
		return false, err
	}
	n := t.groups()
	if !w.full {
		if err := g.checkGroups(n); err != nil {
			return false, err
		}
		if over := g.limits.groups > 0 && uint64(n) > g.limits.groups; over && g.limits.overflow == "break" {
			return false, nil
		} else if over {
			w.full = true
		}
	}
	if l := &g.limits; l.overflow == "throw" && (l.external > 0 && g.held.Load() > int64(l.external/2) || l.splitAt > 0 && n >= l.splitAt || l.splitAtBytes > 0 && t.held >= l.splitAtBytes && n >= agg.Partitions) {
		return true, w.divide()
	}
	return true, nil
}

// known leaves the rows of groups that there are.
func (w *groupWorker) known(keys, args []column.Column, groups []uint32) ([]uint32, []column.Column, int) {
	w.table.keys.Find(keys, len(groups), groups)
	keep := make([]uint8, len(groups))
	n := 0
	for i, id := range groups {
		if id != 0 {
			keep[i] = 1
			groups[n] = id - 1
			n++
		}
	}
	for i, c := range args {
		args[i] = c.Filter(keep, n)
	}
	return groups[:n], args, n
}

// checkGroups is the error of too many groups where that is one.
func (g *groupStream) checkGroups(n int) error {
	if l := &g.limits; l.groups > 0 && uint64(n) > l.groups && l.overflow == "throw" {
		return errcode.New(errcode.TooManyRows, "Limit for rows to GROUP BY exceeded: has %d rows, maximum: %d", n, l.groups)
	}
	return nil
}

// divide gives the worker's groups to the partitions.
func (w *groupWorker) divide() error {
	g := w.g
	t := w.table
	g.making.Lock()
	if g.parts == nil {
		g.parts = &groupParts{g: g}
	}
	g.making.Unlock()
	g.split.Store(true)
	w.pend = g.parts.pending()
	w.table = nil
	return g.parts.take(t)
}

// end leaves what the worker keeps to those who compute the results.
func (w *groupWorker) end() error {
	if w.pend != nil {
		w.pend.done()
	}
	return nil
}

// merge adds the groups of one table to another.
func (g *groupStream) merge(into, from *groupTable) error {
	n := from.groups()
	if n == 0 {
		return nil
	}
	from.seal()
	ids := make([]uint32, n)
	if from.keys != nil {
		img := agg.NewImage(nil)
		from.keys.Stored(0, n, img)
		into.keys.GroupsOf(img, 0, n, ids)
	}
	into.grow()
	for i, s := range into.states {
		if p, ok := s.(agg.ParallelMerger); ok {
			if err := p.MergeParallel(from.states[i], nil, ids, g.sideBySide); err != nil {
				return err
			}
			continue
		}
		if err := g.mergeStates(s, from.states[i], ids); err != nil {
			return err
		}
	}
	g.freeTable(from)
	return g.account(into)
}

// mergeStates merges some states at a time, so that a cancelled query ends.
func (g *groupStream) mergeStates(into, from agg.States, to []uint32) error {
	some := make([]uint32, min(len(to), mergeStep))
	for at := 0; at < len(to); at += mergeStep {
		n := min(mergeStep, len(to)-at)
		for i := range some[:n] {
			some[i] = uint32(at + i)
		}
		if err := into.Merge(from, some[:n], to[at:at+n]); err != nil {
			return err
		}
		if err := g.ex.q.tick(); err != nil {
			return err
		}
	}
	return nil
}

const mergeStep = 1 << 16

// sideBySide runs f for all parts below n in as many goroutines as the query has.
func (g *groupStream) sideBySide(n int, f func(part int) error) error {
	var next atomic.Int64
	return g.ex.parallel(min(n, g.ex.q.threads), func(int) error {
		for {
			part := int(next.Add(1)) - 1
			if part >= n {
				return nil
			}
			if err := g.ex.q.tick(); err != nil {
				return err
			}
			if err := f(part); err != nil {
				return err
			}
		}
	})
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
	ex := c.ex
	one := &chain{ex: ex, at: c.at, lazy: c.lazy, blockSize: c.blockSize}
	g.totals = func(b *batch) error {
		one.streams = []stream{streamFunc(func() (*batch, error) {
			next := b
			b = nil
			return next, nil
		})}
		if err := p.windowsOf(one, nodes); err != nil {
			return err
		}
		if err := one.project(nodes); err != nil {
			return err
		}
		row, err := one.streams[0].next()
		if err != nil {
			return err
		}
		if ex.totals != nil {
			ex.totals(p, row)
		}
		return nil
	}
	return nil
}

// sendTotals computes the row of the totals.
func (g *groupStream) sendTotals() error {
	b := &batch{rows: 1}
	for _, k := range g.plan.keys {
		b.cols = append(b.cols, defaults(k.typ, 1))
	}
	r, err := g.total.result(0, 1)
	if err != nil {
		return err
	}
	b.cols = append(b.cols, r.cols...)
	return g.totals(b)
}
