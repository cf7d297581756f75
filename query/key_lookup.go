package query

import (
	"slices"

	"dictsvc/column"
)

// maxLookupKeys bounds the keys that conditions on several key columns make when they are combined.
const maxLookupKeys = 1 << 20

// fixed tells that only rows matter whose columns have one of the given values (rows of values, for several columns together).
type fixed struct {
	cols   []int // places among the relation's columns
	values []column.Column
	n      int
}

// wantsKeys tells whether a relation comes down to a table that can look rows up by key.
func wantsKeys(r relation) bool {
	switch r := r.(type) {
	case keyed:
		return true
	case *selectPlan:
		return len(r.source) == 1 && r.array == nil && wantsKeys(r.source[0].rel)
	case *renamed:
		return wantsKeys(r.relation)
	}
	return false
}

// lookup gives the table of FROM as the query reads it: a keyed table becomes a look-up where WHERE, or the query around, fixes its key. For a
// subquery, what is fixed is handed on. All conditions are still computed for the rows found.
func (p *selectPlan) lookup(outer []fixed) (relation, []fixed) {
	t := p.source[0]
	if p.array != nil || !wantsKeys(t.rel) {
		return t.rel, nil
	}
	var conds []*expr
	if p.where != nil {
		conds = conjuncts(p.where, conds)
	}
	if !p.aggregated && p.having != nil {
		conds = conjuncts(p.having, conds)
	}
	var list []fixed
	for _, c := range conds {
		if f, ok := t.fixedBy(c); ok {
			list = append(list, f)
		}
	}
	list = append(list, p.passDown(outer)...)
	if k, ok := t.rel.(keyed); ok {
		if keys, n, ok := wantedKeys(k, list); ok {
			return k.lookup(keys, n), nil
		}
		return t.rel, nil
	}
	return t.rel, list
}

// passDown turns what the query around fixes into what it means for the table of FROM. It cannot where rows are counted (LIMIT) or made.
func (p *selectPlan) passDown(outer []fixed) []fixed {
	if p.limit != noLimit || p.offset != (amount{}) || p.limitBy != nil || p.totals || p.rollup != nil || p.fill != nil || len(p.windows) > 0 {
		return nil
	}
	t := p.source[0]
	var list []fixed
	for _, f := range outer {
		g := fixed{values: f.values, n: f.n}
		for _, c := range f.cols {
			node := p.items[c].node
			i := slices.Index(t.nodes, node)
			if i < 0 || p.aggregated && !slices.Contains(p.keys, node) {
				break
			}
			g.cols = append(g.cols, i)
		}
		if len(g.cols) == len(f.cols) {
			list = append(list, g)
		}
	}
	return list
}

// conjuncts are the parts of a condition that must all be true.
func conjuncts(e *expr, list []*expr) []*expr {
	if e.op == opCall && e.name == "and" {
		for _, a := range e.args {
			list = conjuncts(a, list)
		}
		return list
	}
	return append(list, e)
}

// place is the column that a node is, -1 for all other nodes.
func (t *scopeTable) place(e *expr) int {
	if e.op != opColumn {
		return -1
	}
	return slices.Index(t.nodes, e)
}

// fixedBy is what a condition fixes: column = x, column IN (...), (c1, c2) = (...), (c1, c2) IN (...).
func (t *scopeTable) fixedBy(c *expr) (fixed, bool) {
	if len(c.args) == 0 {
		return fixed{}, false
	}
	left := c.args[0]
	var values []column.Column
	switch {
	case c.op == opCall && c.name == "equals" && len(c.args) == 2:
		right := c.args[1]
		if left.isConst() {
			left, right = right, left
		}
		if !right.isConst() {
			return fixed{}, false
		}
		values = []column.Column{right.val}
		if tup, ok := right.val.(*column.Tup); ok {
			values = tup.Elems
		}
	case c.op == opIn && !c.set.not && !c.set.nullIn && c.set.fill == nil:
		values = c.set.columns
	default:
		return fixed{}, false
	}
	nodes := []*expr{left}
	if left.op == opCall && left.name == "tuple" {
		nodes = left.args
	}
	if len(nodes) != len(values) {
		return fixed{}, false
	}
	f := fixed{n: values[0].Len()}
	for i, e := range nodes {
		at := t.place(e)
		if at < 0 {
			return fixed{}, false
		}
		v, ok := keyValues(values[i], t.info[at].Type)
		if !ok || len(nodes) > 1 && v.Len() != f.n { // a value that the column cannot have: the rows would no longer belong together
			return fixed{}, false
		}
		f.cols, f.values, f.n = append(f.cols, at), append(f.values, v), v.Len()
	}
	return f, true
}

// wantedKeys are the keys that can satisfy all conditions, as columns of the key's types; ok is false where they are not fixed.
func wantedKeys(k keyed, list []fixed) (keys []column.Column, n int, ok bool) {
	places := k.keyColumns()
	each := make([]column.Column, len(places)) // by key column: its wanted values
	for _, f := range list {
		if len(f.cols) > 1 {
			if slices.Equal(f.cols, places) {
				return f.values, f.n, true
			}
			continue
		}
		if i := slices.Index(places, f.cols[0]); i >= 0 && (each[i] == nil || f.n < each[i].Len()) {
			each[i] = f.values[0]
		}
	}
	n = 1
	for _, v := range each {
		if v == nil {
			return nil, 0, false
		}
		if n *= v.Len(); n > maxLookupKeys && len(each) > 1 {
			return nil, 0, false
		}
	}
	return product(each, n), n, true
}

// product is every combination of the columns' values.
func product(each []column.Column, n int) []column.Column {
	if len(each) == 1 {
		return each
	}
	out := make([]column.Column, len(each))
	repeat := n
	for i, v := range each {
		if n == 0 {
			out[i] = v.New(0)
			continue
		}
		repeat /= v.Len()
		rows := make([]uint32, n)
		for r := range rows {
			rows[r] = uint32(r / repeat % v.Len())
		}
		out[i] = v.Gather(rows)
	}
	return out
}

// keyValues converts wanted values to a column's type; those that the type cannot hold are in no row. Only conversions under which equal values stay
// equal are of use: between integers, and of one type.
func keyValues(v column.Column, t *column.Type) (column.Column, bool) {
	v = withoutNulls(column.Plain(v))
	from := v.Type()
	switch {
	case from.Equal(t):
		return v, true
	case from.IsInteger() && t.IsInteger() && from.Kind != column.Bool:
	case from.Kind == column.Nothing:
		return column.New(t, 0), true
	default:
		return nil, false
	}
	c, err := column.Cast(v, column.NewNullable(t), column.CastAccurateOrNull)
	if err != nil {
		return nil, false
	}
	return withoutNulls(column.Plain(c)), true
}

// withoutNulls is the values of a column that are not NULL.
func withoutNulls(c column.Column) column.Column {
	n, ok := c.(*column.Null)
	if !ok {
		return c
	}
	keep := make([]uint8, len(n.Nulls))
	for i, z := range n.Nulls {
		keep[i] = 1 - z
	}
	return n.Inner.Filter(keep, column.Count(keep))
}
