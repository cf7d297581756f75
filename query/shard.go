package query

import (
	"slices"

	"dictsvc/agg"
	"dictsvc/errcode"
	"dictsvc/sql"
)

// A server that spreads a query over several shards asks each of them to stop early. At the first stage (WithMergeableState) a shard groups its rows and
// sends keys and states; HAVING, ORDER BY, LIMIT and the SELECT list are the initiator's. Without grouping, and at the later stages, it sends what
// ORDER BY and the SELECT list need, sorted and limited, but with no OFFSET taken off. Columns are found by name (shard_names.go).

// shardText collects, while a SELECT for another server is bound, how its keys and aggregates are written.
type shardText struct {
	keys, aggs, windows, order, limitBy []written
}

// written is a node and one way in which the query writes it.
type written struct {
	node *expr
	text sql.Expr
}

// shardQuery binds a query that runs to an early stage.
func (q *run) shardQuery(sq *sql.SelectQuery) (relation, error) {
	if q.req.Stage == StageFetchColumns {
		return nil, errcode.New(errcode.NotImplemented, "The stage FetchColumns is not supported: use one address, or SETTINGS distributed_group_by_no_merge = 1")
	}
	if s := onlySelect(sq); s != nil {
		q.shard = &shardText{}
		return q.bindSelect(s, nil)
	}
	return nil, errcode.New(errcode.NotImplemented, "UNION and its like over several shards are not supported: put each operand into a subquery over its own remote table")
}

// onlySelect is the SELECT that a query is, nil where it is a UNION or its like.
func onlySelect(sq *sql.SelectQuery) *sql.Select {
	if len(sq.Queries) != 1 {
		return nil
	}
	switch op := sq.Queries[0].(type) {
	case *sql.SelectQuery:
		return onlySelect(op)
	case *sql.Select:
		return op
	}
	return nil
}

// note adds a node as e writes it. A number that stands for a column of the SELECT list is written as that column.
func note(list *[]written, n *expr, e sql.Expr, items []item) {
	if l, ok := e.(*sql.Literal); ok && !n.isConst() && l != nil {
		for _, it := range items {
			if it.node == n && it.text != nil {
				e = it.text
				break
			}
		}
	}
	*list = append(*list, written{n, e})
}

// shardPlan is the plan of an early stage, made of the whole one.
func (b *binder) shardPlan(p *selectPlan) (*selectPlan, error) {
	text := b.shard
	s := *p
	s.items, s.fill = nil, nil // filling is the initiator's
	var err error
	switch stage := b.q.req.Stage; {
	case p.aggregated && stage == StageWithMergeableState:
		err = s.toStates(b, text)
	case stage == StageWithMergeableState && (len(p.windows) > 0 || p.qualify != nil):
		err = s.toWindows(b, text)
	default:
		err = s.toColumns(b, text, p.items, stage)
	}
	if err != nil {
		return nil, err
	}
	s.info = make([]columnInfo, len(s.items))
	for i, it := range s.items {
		s.info[i] = columnInfo{Name: it.name, Type: it.node.typ}
	}
	return &s, nil
}

// addItem adds a column under the initiator's name for it.
func (p *selectPlan) addItem(b *binder, n written) error {
	name, err := b.shardName(n.text)
	if err != nil {
		return err
	}
	for _, it := range p.items {
		if it.name == name {
			return nil
		}
	}
	p.items = append(p.items, item{name: name, node: n.node, text: n.text})
	return nil
}

// toStates makes the plan end behind the grouping: keys and states.
func (p *selectPlan) toStates(b *binder, text *shardText) error {
	sets := p.rollup
	if sets != nil && sets.kind != groupingSetsStep { // the initiator makes the sets of ROLLUP and CUBE out of the whole keys
		p.keys, p.rollup, sets = sets.keys, nil, nil
	}
	if sets != nil {
		p.items = append(p.items, item{name: "__grouping_set", node: sets.number})
	}
	for _, k := range text.keys {
		if sets != nil {
			k.node = sets.out[slices.Index(sets.keys, k.node)]
		}
		if err := p.addItem(b, k); err != nil {
			return err
		}
	}
	p.aggs = nil
	states := map[*expr]*expr{}
	for _, a := range text.aggs {
		s := states[a.node]
		if s == nil {
			if err := b.portable(a.node.agg); err != nil {
				return err
			}
			f := agg.ShardStates(a.node.agg)
			s = b.pool.fresh(&expr{op: opAggregate, typ: f.Type, name: a.node.name, args: a.node.args, agg: f, hasAggregate: true})
			states[a.node] = s
			p.aggs = append(p.aggs, s)
		}
		if err := p.addItem(b, written{s, a.text}); err != nil {
			return err
		}
	}
	p.having = nil
	p.endEarly()
	return nil
}

// endEarly leaves the clauses behind the rows to the initiator.
func (p *selectPlan) endEarly() {
	p.totals, p.windows, p.qualify, p.order, p.limitBy, p.distinct, p.ties = false, nil, nil, nil, nil, false, false
	p.limit, p.offset = noLimit, amount{}
}

// toWindows makes the plan give what window functions are computed from, and the columns that the clauses behind them may need.
func (p *selectPlan) toWindows(b *binder, text *shardText) error {
	for _, w := range text.windows {
		if err := p.addItem(b, w); err != nil {
			return err
		}
	}
	for name, n := range b.joined {
		p.items = append(p.items, item{name: name, node: n})
	}
	for _, t := range b.source {
		for i, n := range t.nodes {
			if n == nil {
				continue
			}
			parts := []string{t.info[i].Name}
			if t.alias != "" {
				parts = []string{t.alias, t.info[i].Name}
			}
			if err := p.addItem(b, written{n, &sql.Ident{Parts: parts}}); err != nil {
				return err
			}
		}
	}
	p.endEarly()
	return nil
}

// portable refuses functions whose states the initiator does not understand.
func (b *binder) portable(f *agg.Function) error {
	if !b.q.req.OldClient || !agg.VersionBound(f) {
		return nil
	}
	return errcode.New(errcode.NotImplemented, "States of the aggregate function %s are not the same in the version of ClickHouse that asks: "+
		"use one address, or SETTINGS distributed_group_by_no_merge = 1", f.Name)
}

// toColumns makes the plan give what ORDER BY, LIMIT BY and the SELECT list need.
func (p *selectPlan) toColumns(b *binder, text *shardText, items []item, stage Stage) error {
	for _, list := range [][]written{text.order, text.limitBy} {
		for _, n := range list {
			if n.node.isConst() {
				continue
			}
			if err := p.addItem(b, n); err != nil {
				return err
			}
		}
	}
	extra := len(p.items) > 0
	for _, it := range items {
		e := it.text
		if e == nil {
			e = &sql.Ident{Parts: []string{it.name}}
		}
		if err := p.addItem(b, written{it.node, e}); err != nil {
			return err
		}
	}
	// What is cut here must be cut again where the shards' rows meet, so that only what may not be needed there is left out.
	if stage == StageWithMergeableState || extra {
		if p.distinct && extra || p.limitBy != nil {
			p.limit = noLimit
		}
		p.distinct = p.distinct && !extra
		p.limitBy = nil
	}
	if p.limit.n < 0 || p.limit.share != 0 || p.offset.n < 0 || p.offset.share != 0 { // counted from the end, or of all rows
		p.limit, p.offset = noLimit, amount{}
	}
	p.limit = p.limit.plus(p.offset)
	p.offset = amount{}
	return nil
}

// plus is the number of rows of a LIMIT with the rows in front of it; no limit where that cannot be told.
func (a amount) plus(offset amount) amount {
	if a == noLimit || offset == (amount{}) {
		return a
	}
	n := limitHint(a, offset)
	if n < 0 {
		return noLimit
	}
	return amount{n: int64(n)}
}
