package query

import (
	"slices"

	"dictsvc/column"
)

// maxLookupKeys bounds the keys that conditions on several key columns make when they are combined.
const maxLookupKeys = 1 << 20

// keyLookup replaces the scan of a keyed table by a look-up where WHERE fixes the key: key = x, key IN (...), (k1, k2) IN (...), or such
// conditions on each key column, in an AND with others. All of WHERE is still computed for the rows found.
func (p *selectPlan) keyLookup(t *scopeTable) relation {
	k, ok := t.rel.(keyed)
	if !ok || p.array != nil {
		return t.rel
	}
	places := k.keyColumns()
	nodes := make([]*expr, len(places))
	for i, c := range places {
		nodes[i] = t.nodes[c]
	}
	var conds []*expr
	for _, e := range filters(p.where) {
		conds = conjuncts(e, conds)
	}
	if !p.aggregated && p.having != nil {
		conds = conjuncts(p.having, conds)
	}
	f := keyFinder{nodes: nodes, types: make([]*column.Type, len(places))}
	for i, c := range places {
		f.types[i] = t.info[c].Type
	}
	keys, n, ok := f.find(conds)
	if !ok {
		return t.rel
	}
	return k.lookup(keys, n)
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

// keyFinder looks for conditions that fix the key.
type keyFinder struct {
	nodes []*expr // key columns, nil for those that the query does not use
	types []*column.Type
}

// find returns the keys that can satisfy all conditions, as columns of the key's types.
func (f *keyFinder) find(conds []*expr) ([]column.Column, int, bool) {
	each := make([]column.Column, len(f.nodes)) // by key column: its wanted values
	for _, c := range conds {
		if keys, n, ok := f.tupleSet(c); ok {
			return keys, n, true
		}
		for i, node := range f.nodes {
			if node == nil || each[i] != nil {
				continue
			}
			if v, ok := f.values(c, node, f.types[i]); ok {
				each[i] = v
			}
		}
	}
	n := 1
	for _, v := range each {
		if v == nil {
			return nil, 0, false
		}
		if n *= v.Len(); n > maxLookupKeys {
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
		if v.Len() == 0 {
			out[i] = v
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

// values are the values of a key column that a condition allows: key = x, x = key, key IN (...).
func (f *keyFinder) values(c, node *expr, t *column.Type) (column.Column, bool) {
	switch {
	case c.op == opCall && c.name == "equals" && len(c.args) == 2:
		for i, a := range c.args {
			if other := c.args[1-i]; a == node && other.isConst() {
				return keyValues(other.val, t)
			}
		}
	case c.op == opIn && !c.set.not && !c.set.nullIn && c.args[0] == node && len(c.set.columns) == 1 && c.set.fill == nil:
		return keyValues(c.set.columns[0], t)
	}
	return nil, false
}

// tupleSet are the keys of a condition (k1, k2) IN ((...), ...) or (k1, k2) = (...).
func (f *keyFinder) tupleSet(c *expr) ([]column.Column, int, bool) {
	if len(c.args) == 0 || slices.Contains(f.nodes, nil) {
		return nil, 0, false
	}
	left := c.args[0]
	if left.op != opCall || left.name != "tuple" || !slices.Equal(left.args, f.nodes) {
		return nil, 0, false
	}
	var cols []column.Column
	switch {
	case c.op == opIn && !c.set.not && !c.set.nullIn && c.set.tuple && c.set.fill == nil:
		cols = c.set.columns
	case c.op == opCall && c.name == "equals" && len(c.args) == 2 && c.args[1].isConst():
		t, ok := c.args[1].val.(*column.Tup)
		if !ok || len(t.Elems) != len(f.nodes) {
			return nil, 0, false
		}
		cols = t.Elems
	default:
		return nil, 0, false
	}
	keys := make([]column.Column, len(cols))
	for i, v := range cols {
		k, ok := keyValues(v, f.types[i])
		if !ok || k.Len() != v.Len() { // a value that the key cannot have: the rows would no longer belong together
			return nil, 0, false
		}
		keys[i] = k
	}
	return keys, cols[0].Len(), true
}

// keyValues converts wanted values to a key's type; those that the type cannot hold are no keys. Only conversions under which equal values stay
// equal are of use: between integers, and of one type.
func keyValues(v column.Column, t *column.Type) (column.Column, bool) {
	v = column.Plain(v)
	if n, ok := v.(*column.Null); ok {
		keep := make([]uint8, len(n.Nulls))
		for i, z := range n.Nulls {
			keep[i] = 1 - z
		}
		v = n.Inner.Filter(keep, column.Count(keep))
	}
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
	n := column.Plain(c).(*column.Null)
	keep := make([]uint8, len(n.Nulls))
	for i, z := range n.Nulls {
		keep[i] = 1 - z
	}
	return n.Inner.Filter(keep, column.Count(keep)), true
}
