package query

import (
	"slices"

	"dictsvc/column"
	"dictsvc/errcode"
	"dictsvc/function"
	"dictsvc/sql"
)

// maxGroupingSets bounds what CUBE makes of its keys.
const maxGroupingSets = 1 << 13

// groupingCall is a call of grouping(), whose values are known once GROUP BY is bound.
type groupingCall struct {
	node   *expr
	args   []*expr
	values []uint64 // by grouping set
}

// groupByKeys binds the list of GROUP BY.
func (b *binder) groupByKeys(list []sql.Expr, items []item) ([]*expr, error) {
	var keys []*expr
	for _, e := range list {
		if l, ok := e.(*sql.Literal); ok && l.Value.Kind == sql.TupleValue && len(l.Value.Items()) == 0 {
			continue // GROUP BY () has no keys
		}
		if f, ok := e.(*sql.Func); ok && f.Name == "tuple" && len(f.Args) == 0 {
			continue
		}
		switch e.(type) {
		case *sql.Asterisk, *sql.ColumnsMatcher:
			list, err := b.expand(e)
			if err != nil {
				return nil, err
			}
			for _, it := range list {
				keys = appendUnique(keys, it.node)
				if b.shard != nil {
					note(&b.shard.keys, it.node, &sql.Ident{Parts: []string{it.name}}, nil)
				}
			}
			continue
		}
		n, err := b.positional(e, items)
		if err != nil {
			return nil, err
		}
		if n.hasAggregate {
			return nil, errcode.New(errcode.IllegalAggregation, "Aggregate function %s is found in GROUP BY in query. In scope %s", b.aggregateText(n), b.scopeText())
		}
		if err := b.refuseWindow(n, "GROUP BY"); err != nil {
			return nil, err
		}
		if err := b.refuseGrouping(n, "in GROUP BY"); err != nil {
			return nil, err
		}
		keys = appendUnique(keys, n)
		if b.shard != nil {
			note(&b.shard.keys, n, e, items)
		}
	}
	return keys, nil
}

// groupingSets turns the keys of ROLLUP, CUBE and GROUPING SETS into sets of them. With group_by_use_nulls the SELECT list is bound anew, because the
// keys are NULL where they are not grouped by.
func (b *binder) groupingSets(p *selectPlan, items []item) ([]item, error) {
	g := b.sel.GroupBy
	if !g.Rollup && !g.Cube && !g.GroupingSets {
		return items, nil
	}
	if g.GroupingSets && g.Totals {
		return nil, errcode.New(errcode.NotImplemented, "WITH TOTALS and GROUPING SETS are not supported together. In scope %s", b.scopeText())
	}
	if g.Totals && b.sel.Having != nil {
		return nil, errcode.New(errcode.NotImplemented, "WITH TOTALS and WITH ROLLUP or CUBE are not supported together in presence of HAVING. In scope %s", b.scopeText())
	}
	s := &groupingSets{kind: groupingSetsStep}
	constant := func(e *expr) bool { return e.isConst() }
	switch {
	case g.GroupingSets:
		for _, list := range g.Sets {
			keys, err := b.groupByKeys(list, items)
			if err != nil {
				return nil, err
			}
			keys = slices.DeleteFunc(keys, constant)
			s.keys = appendUnique(s.keys, keys...)
			set := make([]int, len(keys))
			for i, k := range keys {
				set[i] = slices.Index(s.keys, k)
			}
			s.sets = append(s.sets, set)
		}
	case g.Rollup:
		s.kind = "Rollup"
		s.keys = slices.DeleteFunc(p.keys, constant)
		for n := len(s.keys); n >= 0; n-- {
			s.sets = append(s.sets, upTo(n))
		}
	default:
		s.kind = "Cube"
		s.keys = slices.DeleteFunc(p.keys, constant)
		n := len(s.keys)
		if n > 13 {
			return nil, errcode.New(errcode.TooManyColumns, "CUBE of %d keys would make more than %d grouping sets. In scope %s", n, maxGroupingSets, b.scopeText())
		}
		for left := range 1 << n {
			var set []int
			for i := range n {
				if left>>i&1 == 0 {
					set = append(set, i)
				}
			}
			s.sets = append(s.sets, set)
		}
	}
	s.fromNothing = g.GroupingSets
	s.number = b.groupingSetNumber()
	p.rollup = s
	replaced := map[*expr]*expr{}
	nulls := b.q.settings.flag("group_by_use_nulls", false)
	for _, k := range s.keys {
		out := k
		if t := nullableKey(k.typ); nulls && !t.Equal(k.typ) {
			out = b.pool.fresh(&expr{op: opJoined, typ: t, name: k.name})
			replaced[k] = out
		}
		s.out = append(s.out, out)
		s.by = append(s.by, b.pool.fresh(&expr{op: opJoined, typ: out.typ, name: k.name}))
	}
	s.out = append(s.out, s.number)
	s.by = append(s.by, b.pool.fresh(&expr{op: opJoined, typ: s.number.typ, name: s.number.name}))
	p.keys = s.by
	if len(replaced) > 0 {
		b.nullKeys, b.keepNothing = replaced, true
		for _, a := range b.alias {
			a.bound = nil
		}
		var err error
		if items, err = b.columns(); err != nil {
			return nil, err
		}
	}
	return items, nil
}

func upTo(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// nullableKey is the type of a key that is NULL in some grouping sets.
func nullableKey(t *column.Type) *column.Type {
	switch {
	case t.Kind == column.LowCardinality:
		if inner := nullableKey(t.Elems[0]); !inner.Equal(t.Elems[0]) {
			return column.NewLowCardinality(inner)
		}
		return t
	case t.Kind == column.Nullable || !canBeNullable(t):
		return t
	}
	return column.NewNullable(t)
}

// groupingSetNumber is the node of the number of the set that a group is of.
func (b *binder) groupingSetNumber() *expr {
	if b.groupingNumber == nil {
		b.groupingNumber = b.pool.fresh(&expr{op: opJoined, typ: column.Of(column.UInt64), name: "__grouping_set"})
	}
	return b.groupingNumber
}

// grouping binds grouping(keys): a bit for each key, 1 where the row's group is not by it.
func (b *binder) grouping(f *sql.Func) (*expr, error) {
	if len(f.Args) == 0 {
		return nil, errcode.New(errcode.TooFewArgumentsForFunction, "Function GROUPING expects at least one argument. In scope %s", b.scopeText())
	}
	if len(f.Args) > 64 {
		return nil, errcode.New(errcode.TooManyArgumentsForFunction, "Function GROUPING can have up to 64 arguments, but %d provided. In scope %s", len(f.Args), b.scopeText())
	}
	if b.sel.GroupBy == nil {
		return nil, errcode.New(errcode.IllegalAggregation, "GROUPING function %s is found in SELECT without GROUP BY in query. In scope %s", sql.Format(f), b.scopeText())
	}
	args, err := b.bindList(f.Args)
	if err != nil {
		return nil, err
	}
	b.pool.begin(opCall, "grouping")
	b.pool.addArgs(args)
	if e := b.pool.find(); e != nil {
		return e, nil
	}
	call := &groupingCall{args: args}
	bound := &function.Bound{Type: column.Of(column.UInt64), Exec: func(c *function.Call) (column.Column, error) {
		numbers := column.Plain(c.Args[0]).(*column.Num[uint64]).Data
		out := make([]uint64, len(numbers))
		for i, n := range numbers {
			out[i] = call.values[n]
		}
		return column.UInt64s(out...), nil
	}}
	e := &expr{op: opCall, typ: bound.Type, name: "grouping", args: []*expr{b.groupingSetNumber()}, bound: bound}
	call.node = b.pool.add(b.pool.key, e)
	b.groupings = append(b.groupings, call)
	return e, nil
}

// finishGroupings computes the values of grouping() for each set; where there is one set only, they are constants.
func (b *binder) finishGroupings(p *selectPlan) error {
	keys, outs, sets := p.keys, p.keys, [][]int{upTo(len(p.keys))}
	if p.rollup != nil {
		keys, outs, sets = p.rollup.keys, p.rollup.out, p.rollup.sets
	}
	standard := b.q.settings.flag("force_grouping_standard_compatibility", true)
	for _, call := range b.groupings {
		call.values = make([]uint64, len(sets))
		for _, a := range call.args {
			k := slices.Index(keys, a)
			if k < 0 {
				k = slices.Index(outs, a)
			}
			if k < 0 {
				return errcode.New(errcode.BadArguments, "GROUPING function argument %s is not in GROUP BY keys. In query %s", exprText(a), b.scopeText())
			}
			for i, set := range sets {
				call.values[i] <<= 1
				if slices.Contains(set, k) != standard {
					call.values[i] |= 1
				}
			}
		}
		if p.rollup == nil {
			*call.node = expr{id: call.node.id, op: opConst, typ: call.node.typ, val: column.UInt64s(call.values[0])}
		}
	}
	return nil
}

// refuseGrouping is the error for grouping() where groups are not known.
func (b *binder) refuseGrouping(e *expr, where string) error {
	if len(b.groupings) == 0 || !uses(e, b.groupingNumber) {
		return nil
	}
	return errcode.New(errcode.IllegalAggregation, "GROUPING function is found %s in query. In scope %s", where, b.scopeText())
}

// uses tells whether a node is computed from another.
func uses(e, leaf *expr) bool {
	seen := map[*expr]bool{}
	var visit func(*expr)
	visit = func(e *expr) {
		if !seen[e] && !seen[leaf] {
			seen[e] = true
			e.children(visit)
		}
	}
	visit(e)
	return seen[leaf]
}
