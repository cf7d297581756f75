package fuzz

import (
	"fmt"
	"strings"
)

// statement is a generated SELECT.
type statement struct {
	root    *node
	ordered bool // its rows have one order
}

// statement makes a SELECT with settings.
func (g *gen) statement() statement {
	if chance(g.r, 6) {
		return g.probe()
	}
	q, fields := g.query(nil, g.r.IntN(3))
	order, ordered := g.order(fields)
	return statement{sequence(q, order, g.settings()), ordered}
}

// probe is a single call on the columns of a table, of which some values and types may be wrong.
func (g *gen) probe() statement {
	from, sc := g.table(pick(g.r, g.schema.tables...))
	kinds := "ifgcsdtTbeupq[("
	for {
		candidates := g.throwing[kinds[g.r.IntN(len(kinds))]]
		if len(candidates) == 0 {
			continue
		}
		s := pick(g.r, candidates...)
		n := g.call(s, nil, 1, sc)
		return statement{sequence(text("SELECT "), n, from, g.settings()), false}
	}
}

var settingValues = map[string][]string{
	"max_block_size":                            {"1", "2", "3", "7", "100", "65409"},
	"max_threads":                               {"1", "2", "4"},
	"group_by_two_level_threshold":              {"1", "5"},
	"join_use_nulls":                            {"0", "1"},
	"group_by_use_nulls":                        {"0", "1"},
	"aggregate_functions_null_for_empty":        {"0", "1"},
	"short_circuit_function_evaluation":         {"'enable'", "'force_enable'", "'disable'"},
	"cast_keep_nullable":                        {"0", "1"},
	"transform_null_in":                         {"0", "1"},
	"empty_result_for_aggregation_by_empty_set": {"0", "1"},
}

// settings are a few settings, the same for both sides.
func (g *gen) settings() *node {
	var all []*node
	for _, name := range []string{"max_block_size", "max_threads", "group_by_two_level_threshold", "join_use_nulls", "group_by_use_nulls", "short_circuit_function_evaluation",
		"aggregate_functions_null_for_empty", "cast_keep_nullable", "transform_null_in", "empty_result_for_aggregation_by_empty_set"} {
		if chance(g.r, 8) || len(name) < 15 && chance(g.r, 2) {
			all = append(all, text(name+" = "+pick(g.r, settingValues[name]...)))
		}
	}
	if len(all) == 0 {
		return text("")
	}
	return maybe(text(" SETTINGS "), listOf(", ", 1, all...))
}

// table is a FROM clause of one table and what it offers.
func (g *gen) table(t *relation) (*node, *scope) {
	if chance(g.r, 3) {
		alias := g.fresh("t")
		sc := &scope{}
		for _, f := range t.fields {
			if chance(g.r, 2) {
				f.name = alias + "." + f.name
			}
			sc.fields = append(sc.fields, f)
		}
		return text(" FROM " + t.name + " AS " + alias), sc
	}
	return text(" FROM " + t.name), &scope{fields: t.fields}
}

// from is a FROM clause and what it offers.
func (g *gen) from(depth int) (*node, *scope) {
	switch {
	case depth > 0 && chance(g.r, 3):
		q, fields := g.query(nil, depth-1)
		order, _ := g.order(fields)
		return sequence(text(" FROM ("), q, order, text(")"+pick(g.r, "", " AS "+g.fresh("q")))), &scope{fields: fields}
	case chance(g.r, 8):
		return g.table(pick(g.r, g.schema.dicts...))
	case chance(g.r, 12):
		return text(fmt.Sprintf(" FROM numbers(%d)", pick(g.r, 0, 1, 5, 300))), &scope{fields: []field{{"number", of('i')}}}
	}
	t, sc := g.table(pick(g.r, g.schema.tables...))
	if chance(g.r, 8) {
		for range 8 {
			f := pick(g.r, sc.fields...)
			if f.class.kind != '[' {
				continue
			}
			name := g.fresh("j")
			n := sequence(t, text(pick(g.r, " ARRAY JOIN ", " LEFT ARRAY JOIN ")+f.name+" AS "+name))
			return n, sc.with(field{name, f.class.elems[0]})
		}
	}
	return t, sc
}

func (g *gen) where(sc *scope) *node {
	if !chance(g.r, 2) {
		return text("")
	}
	return maybe(text(" WHERE "), g.expr(of('b'), 2, sc))
}

// classes are those of a query's columns: the wanted ones, or random ones. Inexact floats come last, so that an order rests on the others first.
func (g *gen) classes(want []*class, sc *scope) []*class {
	if want != nil {
		return want
	}
	var all []*class
	for range 1 + g.r.IntN(3) {
		all = append(all, g.class(sc, 1))
	}
	if chance(g.r, 4) {
		all = append(all, of('g'))
	}
	return all
}

// query makes a SELECT, or several put together, with what it returns. All columns have aliases.
func (g *gen) query(want []*class, depth int) (*node, []field) {
	if depth > 0 && chance(g.r, 8) {
		classes := g.classes(want, &scope{})
		for _, c := range classes {
			if c.has('g') { // inexact values are not compared with each other
				return g.selectQuery(want, depth)
			}
		}
		op := pick(g.r, "UNION ALL", "UNION ALL", "UNION DISTINCT", "INTERSECT", "EXCEPT", "INTERSECT DISTINCT", "EXCEPT DISTINCT")
		a, fields := g.selectQuery(classes, depth-1)
		b, _ := g.selectQuery(classes, depth-1)
		name := g.fresh("u")
		return queryOf(text("SELECT "), listOf(", ", 1, aliases(fields)...), text(" FROM ("), a, text(" "+op+" "), b, text(") AS "+name)), fields
	}
	return g.selectQuery(want, depth)
}

func aliases(fields []field) []*node {
	var all []*node
	for _, f := range fields {
		all = append(all, text(f.name))
	}
	return all
}

func (g *gen) selectQuery(want []*class, depth int) (*node, []field) {
	with := text("")
	from, sc := g.from(depth)
	sc.depth = depth
	if depth > 0 && chance(g.r, 6) {
		q, fields := g.query(nil, depth-1)
		name := g.fresh("w")
		with = sequence(text("WITH "+name+" AS ("), q, text(") "))
		from, sc = text(" FROM "+name), &scope{fields: fields, depth: depth}
	} else if chance(g.r, 8) {
		name, c := g.fresh("e"), randomClass(g.r, 0)
		with = sequence(text("WITH "), g.expr(c, 2, sc), text(" AS "+name+" "))
		sc = sc.with(field{name, c})
	}
	classes := g.classes(want, sc)
	if chance(g.r, 2) {
		return g.plainQuery(with, from, sc, classes)
	}
	return g.groupQuery(with, from, sc, classes)
}

// item is an expression with its alias.
func item(e *node, name string) *node { return sequence(e, text(" AS "+name)) }

func (g *gen) plainQuery(with, from *node, sc *scope, classes []*class) (*node, []field) {
	var items []*node
	var fields []field
	inexact := false
	for _, c := range classes {
		f := field{g.fresh("x"), c}
		fields = append(fields, f)
		items = append(items, item(g.expr(c, 3, sc), f.name))
		inexact = inexact || c.has('g')
	}
	distinct := text("")
	if !inexact && chance(g.r, 5) {
		distinct = maybe(text("DISTINCT "))
	}
	return queryOf(with, text("SELECT "), distinct, listOf(", ", 1, items...), from, g.where(sc)), fields
}

func (g *gen) groupQuery(with, from *node, sc *scope, classes []*class) (*node, []field) {
	out := &scope{inner: sc}
	var items, by []*node
	var fields []field
	for _, c := range classes {
		f := field{g.fresh("x"), c}
		fields = append(fields, f)
		if !c.has('g') && chance(g.r, 2) {
			items = append(items, item(g.expr(c, 2, sc), f.name))
			by = append(by, text(f.name))
			out.fields = append(out.fields, f)
			continue
		}
		items = append(items, nil)
	}
	if len(by) == 0 && chance(g.r, 2) {
		by = append(by, g.expr(randomClass(g.r, 1), 1, sc))
	}
	for i, n := range items {
		if n != nil {
			continue
		}
		e := g.aggregate(classes[i], out)
		if e == nil || chance(g.r, 4) {
			e = g.expr(classes[i], 2, out)
		}
		items[i] = item(e, fields[i].name)
	}
	q := queryOf(with, text("SELECT "), listOf(", ", 1, items...), from, g.where(sc))
	if len(by) > 0 {
		q.kids = append(q.kids, text(" GROUP BY "), listOf(", ", 1, by...))
	}
	if chance(g.r, 5) {
		q.kids = append(q.kids, maybe(text(" HAVING "), g.expr(of('b'), 2, out)))
	}
	return q, fields
}

// order is an ORDER BY over all columns of a query, with what may follow it, and whether it fixes the order of rows.
func (g *gen) order(fields []field) (*node, bool) {
	if chance(g.r, 3) {
		return text(""), false
	}
	var keys []string
	if chance(g.r, 3) {
		f := pick(g.r, fields...)
		keys = append(keys, f.name+pick(g.r, "", " DESC", " ASC NULLS FIRST", " DESC NULLS FIRST"))
	}
	if len(keys) == 1 && chance(g.r, 4) && fields[len(fields)-1].class.kind != 'g' {
		return maybe(text(fmt.Sprintf(" ORDER BY %s LIMIT %d WITH TIES", keys[0], 1+g.r.IntN(5)))), false
	}
	for _, f := range fields {
		keys = append(keys, f.name+pick(g.r, "", "", " DESC"))
	}
	n := sequence(text(" ORDER BY " + strings.Join(keys, ", ")))
	if chance(g.r, 6) {
		n.kids = append(n.kids, maybe(text(fmt.Sprintf(" LIMIT %d BY %s", 1+g.r.IntN(2), fields[0].name))))
	}
	if chance(g.r, 3) {
		n.kids = append(n.kids, maybe(text(pick(g.r, " LIMIT 3", " LIMIT 1", " LIMIT 2, 5", " LIMIT 10 OFFSET 1", " OFFSET 2 ROWS", " LIMIT 0"))))
	}
	return maybe(n), true
}
