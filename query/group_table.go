package query

import (
	"dictsvc/agg"
	"dictsvc/column"
	"dictsvc/internal/mem"
)

// groupTable is the groups of some rows: their keys, and the states of each aggregate.
type groupTable struct {
	keys   agg.Grouper // nil without GROUP BY keys
	states []agg.States
	held   int  // bytes counted in the query's memory
	none   bool // GROUP BY () of no rows, or a setting's wish: no group
}

// keyTable makes the grouper of the GROUP BY keys, nil where there are none. The others of the query are made like it, so that they understand each other's
// images of keys.
func (p *selectPlan) keyTable(pool *mem.Pool) agg.Grouper {
	if len(p.keys) == 0 {
		return nil
	}
	types := make([]*column.Type, len(p.keys))
	for i, k := range p.keys {
		types[i] = k.typ
	}
	return agg.NewGrouperIn(pool, types)
}

// newTable makes an empty table of keys, which are nil where there is no GROUP BY.
// check is asked by its states whether to go on.
func (p *selectPlan) newTable(keys agg.Grouper, check func() error) *groupTable {
	t := &groupTable{keys: keys}
	for _, a := range p.aggs {
		s := a.agg.NewStates()
		agg.SetCheck(s, check)
		if t.keys == nil {
			s.Grow(1)
		}
		t.states = append(t.states, s)
	}
	p.borrow(t)
	return t
}

// borrow lets avg(x) use the states of sum(x) and count() of the same rows.
func (p *selectPlan) borrow(t *groupTable) {
	for i, a := range p.aggs {
		if a.agg.Name != "avg" || a.args[0].typ.NoLowCardinality().Kind == column.Nullable {
			continue
		}
		var sum, count agg.States
		for k, b := range p.aggs {
			switch {
			case b.agg.Name == "sum" && b.args[0] == a.args[0]:
				sum = t.states[k]
			case b.agg.Name == "count" && len(b.args) == 0:
				count = t.states[k]
			}
		}
		agg.Borrow(t.states[i], sum, count)
	}
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

// account tells the query what a table holds now.
func (g *groupStream) account(t *groupTable) error {
	n := t.bytes()
	more := n - t.held
	t.held = n
	return g.reserve(more)
}

// reserve counts memory of the grouping, which is given back when the exec is closed.
func (g *groupStream) reserve(n int) error {
	g.held.Add(int64(n))
	return g.ex.q.reserve(n)
}

// freeTable gives a table's memory back.
func (g *groupStream) freeTable(t *groupTable) {
	if t.keys != nil {
		t.keys.Free()
	}
	t.states = nil
	_ = g.reserve(-t.held)
	t.held = 0
}

// grow makes room in all states for the groups that the keys have now.
func (t *groupTable) grow() {
	n := t.groups()
	for _, s := range t.states {
		s.Grow(n)
	}
}

// add adds the aggregates' arguments of one block, which are plain columns.
func (t *groupTable) add(aggs []*expr, groups []uint32, args []column.Column, rows int) error {
	t.grow()
	for i, a := range aggs {
		own := args[:len(a.args):len(a.args)]
		args = args[len(a.args):]
		if err := t.states[i].Add(groups, own, rows); err != nil {
			return err
		}
	}
	return nil
}

// seal prepares the states for merge.
func (t *groupTable) seal() {
	t.grow()
	for _, s := range t.states {
		if s, ok := s.(agg.Sealer); ok {
			s.Seal()
		}
	}
}

// merge adds the states of groups from of another table, which is sealed, to groups to.
func (t *groupTable) merge(other *groupTable, from, to []uint32) error {
	t.grow()
	for i, s := range t.states {
		if err := s.Merge(other.states[i], from, to); err != nil {
			return err
		}
	}
	return nil
}

// result is the columns of some groups: keys, then aggregates.
func (t *groupTable) result(from, to int) (*batch, error) {
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
