package query

import (
	"math"
	"slices"

	"dictsvc/errcode"
	"dictsvc/sql"
)

// selectPlan is one bound SELECT. It is a relation, so that it can stand in FROM.
type selectPlan struct {
	q         *run
	source    []*scopeTable
	lazy      bool // short-circuit evaluation
	blockSize int
	text      *sql.Select

	array    *arrayClause
	where    *expr
	grouped  bool // there is a GROUP BY
	totals   bool
	keys     []*expr       // what rows are grouped by
	rollup   *groupingSets // nil without ROLLUP, CUBE and GROUPING SETS
	having   *expr
	windows  []windowStep
	qualify  *expr
	order    []sortKey
	fill     *fillClause
	limitBy  *limitBy
	limit    amount
	offset   amount
	ties     bool
	distinct bool
	items    []item

	aggregated bool // rows are grouped, by GROUP BY or because there are aggregates
	aggs       []*expr
	info       []columnInfo
	sets       []*set // that queries fill
}

// sortKey is an element of ORDER BY.
type sortKey struct {
	node       *expr
	desc       bool
	nullsFirst bool
}

// limitBy is LIMIT n OFFSET m BY keys.
type limitBy struct {
	limit, offset amount
	keys          []*expr
}

// arrayClause is the ARRAY JOIN clause: arrays, and the node of an element of each.
type arrayClause struct {
	left   bool
	arrays []*expr
	elems  []*expr
}

// arrayJoinClause binds ARRAY JOIN. Its expressions see the source's columns; all other clauses see the elements.
func (b *binder) arrayJoinClause(p *selectPlan) error {
	if len(b.sel.From) == 0 {
		return nil
	}
	a := b.sel.From[len(b.sel.From)-1].ArrayJoin // those in front of it are part of the source
	if a == nil {
		return nil
	}
	clause, items, err := b.arrays(a)
	if err != nil {
		return err
	}
	p.array = clause
	names, replaced := map[string]*expr{}, map[*expr]*expr{}
	for i, elem := range clause.elems {
		if items[i].alias {
			names[elem.name] = elem
		} else {
			replaced[clause.arrays[i]] = elem
		}
	}
	b.joined, b.joinedFor = names, replaced
	return nil
}

// arrayItem tells what the name of an ARRAY JOIN's element is: one of its own, or that of the column whose place it takes.
type arrayItem struct{ alias bool }

// arrays binds the expressions of an ARRAY JOIN.
func (b *binder) arrays(a *sql.ArrayJoin) (*arrayClause, []arrayItem, error) {
	clause := &arrayClause{left: a.Left}
	var items []arrayItem
	for _, e := range a.Exprs {
		n, err := b.bindBare(e)
		if err != nil {
			return nil, nil, err
		}
		t, err := arrayElement(n.typ)
		if err != nil {
			return nil, nil, b.inScope(err)
		}
		elem := b.pool.fresh(&expr{op: opJoined, typ: t, name: e.Alias()})
		clause.arrays = append(clause.arrays, n)
		clause.elems = append(clause.elems, elem)
		alias := true
		switch {
		case elem.name != "":
		case n.op == opColumn:
			elem.name, alias = n.name, false
		default:
			elem.name = b.namer.Name(e)
		}
		items = append(items, arrayItem{alias})
	}
	return clause, items, nil
}

// finish settles what follows from the clauses together: whether rows are grouped, and that nothing but keys and aggregates is used then.
func (p *selectPlan) finish(b *binder) error {
	if err := p.pushDown(b); err != nil {
		return err
	}
	for _, j := range b.plans {
		if err := j.finish(b); err != nil {
			return err
		}
	}
	used := p.resultNodes()
	used = append(used, filters(p.having, p.qualify)...)
	var windows []*expr
	seen := map[*expr]bool{}
	for _, e := range used {
		windows = collectWindows(e, seen, windows)
	}
	p.windows = windowSteps(windows)
	for _, e := range used {
		p.aggregated = p.aggregated || e.hasAggregate
	}
	p.aggregated = p.aggregated || p.grouped
	if p.aggregated {
		seen := map[*expr]bool{}
		for _, e := range used {
			if err := p.collectAggregates(e, seen, b); err != nil {
				return err
			}
		}
		if p.totals && !p.grouped {
			p.totals = false
		}
	}
	sets := map[*set]bool{}
	all := append(slices.Clone(used), p.keyInputs()...)
	if p.array != nil {
		all = append(all, p.array.arrays...)
	}
	all = append(all, b.inner...)
	for _, j := range b.plans {
		all = append(all, j.exprs()...)
	}
	for _, e := range append(all, p.where) {
		p.collectSets(e, sets, map[*expr]bool{})
	}
	p.info = make([]columnInfo, len(p.items))
	for i, it := range p.items {
		p.info[i] = columnInfo{Name: it.name, Type: it.node.typ}
	}
	return nil
}

// resultNodes are the nodes that the clauses behind HAVING use.
func (p *selectPlan) resultNodes() []*expr {
	var list []*expr
	for _, it := range p.items {
		list = append(list, it.node)
	}
	for _, k := range p.order {
		list = append(list, k.node)
	}
	if p.limitBy != nil {
		list = append(list, p.limitBy.keys...)
	}
	return list
}

// collectAggregates gathers the aggregates of a node that is computed from groups, and refuses columns that are no keys (215).
func (p *selectPlan) collectAggregates(e *expr, seen map[*expr]bool, b *binder) error {
	if seen[e] || e.isConst() || slices.Contains(p.keyOutputs(), e) {
		return nil
	}
	seen[e] = true
	switch e.op {
	case opAggregate:
		p.aggs = append(p.aggs, e)
		return nil
	case opParam:
		return nil
	case opColumn, opJoined:
		return errcode.New(errcode.NotAnAggregate, "Column '%s' is not under aggregate function and not in GROUP BY keys. In query %s", e.name, b.scopeText())
	}
	var err error
	e.inside(func(c *expr) {
		if err == nil {
			err = p.collectAggregates(c, seen, b)
		}
	})
	return err
}

func (p *selectPlan) collectSets(e *expr, sets map[*set]bool, seen map[*expr]bool) {
	if e == nil || seen[e] {
		return
	}
	seen[e] = true
	if e.set != nil && e.set.fill != nil && !sets[e.set] {
		sets[e.set] = true
		p.sets = append(p.sets, e.set)
	}
	if e.lam != nil {
		p.collectSets(e.lam.body, sets, seen)
	}
	for _, a := range e.args {
		p.collectSets(a, sets, seen)
	}
}

// columns implements relation.
func (p *selectPlan) columns() []columnInfo { return p.info }

// explain implements relation.
func (p *selectPlan) explain() string { return "Subquery" }

// open implements relation: it builds the chain of operators from the source to the columns asked for.
func (p *selectPlan) open(ex *exec, r readRequest) ([]stream, error) {
	if err := p.fillSets(ex.q); err != nil {
		return nil, err
	}
	wanted := make([]*expr, len(r.cols))
	for i, c := range r.cols {
		wanted[i] = p.items[c].node
	}
	outs := wanted
	if p.distinct { // the rows that are distinct in all columns, whichever are asked for
		outs = nil
		for _, it := range p.items {
			outs = append(outs, it.node)
		}
	} else {
		for _, it := range p.items {
			if it.node.hasArrayJoin && !slices.Contains(outs, it.node) { // makes rows of a row, though nobody asks for them
				outs = append(slices.Clone(outs), it.node)
			}
		}
	}
	c, err := p.openRows(ex, outs, r)
	if err != nil {
		return nil, err
	}
	if err := p.openResult(c, outs, r); err != nil {
		return nil, err
	}
	if err := c.project(wanted); err != nil {
		return nil, err
	}
	return c.streams, nil
}

// fillSets runs the queries of IN.
func (p *selectPlan) fillSets(q *run) error {
	for _, s := range p.sets {
		if s.fill == nil {
			continue
		}
		if err := s.fill(q); err != nil {
			return err
		}
		s.fill = nil
	}
	return nil
}

// afterRows are the nodes needed behind the grouping: what the result clauses use.
func (p *selectPlan) afterRows(outs []*expr) []*expr {
	list := slices.Clone(outs)
	for _, k := range p.order {
		list = append(list, k.node)
	}
	if p.limitBy != nil {
		list = append(list, p.limitBy.keys...)
	}
	return append(list, filters(p.having, p.qualify)...)
}

// openRows opens the source, joins arrays, filters and groups.
func (p *selectPlan) openRows(ex *exec, outs []*expr, r readRequest) (*chain, error) {
	after := p.afterRows(outs)
	targets := after
	if p.aggregated {
		targets = slices.Clone(p.keyInputs())
		for _, a := range p.aggs {
			targets = append(targets, a.args...)
		}
	}
	c := &chain{ex: ex, lazy: p.lazy, blockSize: p.blockSize, transient: p.transient(targets, r)}
	if err := p.openSource(c, targets, r); err != nil {
		return nil, err
	}
	if p.array != nil {
		if err := c.arrayClause(p.array, append(filters(p.where), targets...)); err != nil {
			return nil, err
		}
	}
	if err := c.filter(p.where, targets); err != nil {
		return nil, err
	}
	if err := c.arrayJoins(targets, nil); err != nil {
		return nil, err
	}
	if !p.aggregated {
		if err := c.filter(p.having, p.behindHaving(outs)); err != nil {
			return nil, err
		}
		return c, p.runWindows(c, outs)
	}
	if !p.orderFree() {
		c.single()
	}
	if err := p.aggregateSets(c, outs); err != nil {
		return nil, err
	}
	if err := c.arrayJoins(p.behindHaving(outs), nil); err != nil {
		return nil, err
	}
	return c, p.runWindows(c, outs)
}

// behindHaving are the nodes needed behind HAVING, QUALIFY included.
func (p *selectPlan) behindHaving(outs []*expr) []*expr {
	return append(p.afterHaving(outs), filters(p.qualify)...)
}

// afterHaving are the nodes needed behind HAVING and QUALIFY.
func (p *selectPlan) afterHaving(outs []*expr) []*expr {
	list := slices.Clone(outs)
	for _, k := range p.order {
		list = append(list, k.node)
	}
	if p.limitBy != nil {
		list = append(list, p.limitBy.keys...)
	}
	return list
}

func filters(list ...*expr) []*expr {
	return slices.DeleteFunc(slices.Clone(list), func(e *expr) bool { return e == nil })
}

// openSource opens the table of FROM with the columns that are needed of it.
func (p *selectPlan) openSource(c *chain, targets []*expr, r readRequest) error {
	if len(p.source) == 0 {
		done := false
		c.streams = []stream{streamFunc(func() (*batch, error) {
			if done {
				return nil, nil
			}
			done = true
			return &batch{rows: 1}, nil
		})}
		c.at = newLayout(nil)
		return nil
	}
	t := p.source[0]
	n := newNeed(isSource)
	if p.array != nil {
		n.add(p.array.arrays...)
	}
	n.add(filters(p.where)...)
	n.add(targets...)
	req := readRequest{limit: -1, streams: c.ex.q.threads, ordered: !p.orderFree() && (r.ordered || len(p.windows) > 0), transient: c.transient}
	var nodes []*expr
	for _, e := range n.nodes {
		if e.op == opColumn {
			req.cols = append(req.cols, slices.Index(t.nodes, e))
			nodes = append(nodes, e)
		}
	}
	if p.where == nil && p.having == nil && p.qualify == nil && len(p.windows) == 0 && p.array == nil && !p.aggregated && len(p.order) == 0 && !p.distinct && p.limitBy == nil && !hasArrayJoin(targets) {
		req.limit = limitHint(p.limit, p.offset)
		if r.limit >= 0 && (req.limit < 0 || r.limit < req.limit) && p.limit == noLimit && p.offset == (amount{}) {
			req.limit = r.limit
		}
	}
	if !p.aggregated && len(p.order) == 0 && len(p.windows) == 0 && !p.works(targets) {
		req.streams = 1 // passing columns on is no work to share
	}
	if c.transient && p.works(targets) && !slices.ContainsFunc(append(filters(p.where), targets...), func(e *expr) bool { return e.volatile }) {
		req.rows = min(cacheRows, p.blockSize)
	}
	rel, fixed := p.lookup(r.fixed)
	req.fixed = fixed
	streams, err := rel.open(c.ex, req)
	if err != nil {
		return err
	}
	if q := c.ex.q; q.readBreaks && q.maxRead > 0 {
		for i, s := range streams {
			streams[i] = endStream(s, func() bool { return q.readRows.Load() > q.maxRead })
		}
	}
	c.streams, c.at, c.ordered = streams, newLayout(nodes), req.ordered
	if req.rows > 0 {
		c.cut(req.rows)
	}
	return nil
}

// orderFree tells whether the rows' order in the source cannot be seen in the result.
func (p *selectPlan) orderFree() bool {
	if len(p.order) > 0 && !p.aggregated && len(p.windows) == 0 {
		return true
	}
	if !p.aggregated {
		return false
	}
	inTable := false
	if len(p.source) == 1 {
		_, inTable = p.source[0].rel.(*memoryTable)
	}
	for _, a := range p.aggs {
		if a.agg.OrderSensitive && !(a.agg.Sketch && inTable) {
			return false
		}
	}
	return true
}

// transient tells whether the source's rows are done with, batch by batch, when the next batch is asked for: they are grouped, and the states of
// aggregates keep copies; or they only pass through to a reader of that kind. Operators that hold on to batches, or hand them to another goroutine,
// are not among these.
func (p *selectPlan) transient(targets []*expr, r readRequest) bool {
	if p.array != nil || hasArrayJoin(targets) || p.where != nil && p.where.hasArrayJoin {
		return false
	}
	if p.aggregated {
		return p.orderFree()
	}
	return r.transient && !r.ordered && len(p.windows) == 0 && len(p.order) == 0 && !p.distinct && p.limitBy == nil && p.limit == noLimit && p.offset == (amount{})
}

// works tells whether any function is computed before the rows are put in order again.
func (p *selectPlan) works(targets []*expr) bool {
	for _, e := range append(filters(p.where), targets...) {
		if e.op == opCall || e.op == opIn {
			return true
		}
	}
	return false
}

func hasArrayJoin(list []*expr) bool {
	return slices.ContainsFunc(list, func(e *expr) bool { return e.hasArrayJoin })
}

// limitHint is the number of rows that LIMIT and OFFSET let through at most, -1 where it is not known.
func limitHint(limit, offset amount) int {
	if limit == noLimit || limit.share != 0 || offset.share != 0 || limit.n < 0 || offset.n < 0 || limit.n+offset.n > math.MaxInt32 {
		return -1
	}
	return int(limit.n + offset.n)
}

// openResult does what comes behind the rows: DISTINCT, ORDER BY, LIMIT BY, LIMIT.
func (p *selectPlan) openResult(c *chain, outs []*expr, r readRequest) error {
	carry := p.afterHaving(outs)
	late := len(p.order) > 0 && p.limit != noLimit && !p.distinct && p.limitBy == nil && p.fill == nil
	if late { // what is not sorted by is computed for the rows that are left
		n := newNeed(func(e *expr) bool { _, ok := c.at.index[e]; return ok })
		n.add(outs...)
		carry = n.nodes
		for _, k := range p.order {
			carry = appendUnique(carry, k.node)
		}
	}
	if p.fill != nil {
		carry = appendUnique(nil, carry...)
	}
	if err := c.project(carry); err != nil {
		return err
	}
	if p.distinct {
		c.single()
		c.distinct(outs)
	}
	counted := c.ex.outer != relation(p) // rows in front of LIMIT are told to the client for the outermost query
	if len(p.order) > 0 {
		top := -1
		if p.limitBy == nil && !p.ties && p.fill == nil {
			top = limitHint(p.limit, p.offset)
		}
		c.sort(p.order, top, !counted && top >= 0)
		counted = counted || top >= 0
	} else if p.limitBy != nil || p.limit != noLimit || p.offset != (amount{}) || r.ordered && len(c.streams) > 1 {
		c.single()
	}
	if p.limitBy != nil {
		c.limitBy(p.limitBy)
	}
	if p.fill != nil {
		if err := c.fill(p.fill); err != nil {
			return err
		}
	}
	if p.limit != noLimit || p.offset != (amount{}) {
		c.limit(p.limit, p.offset, p.ties, p.order, !counted)
	}
	return nil
}
