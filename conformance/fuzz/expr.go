package fuzz

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// gen makes the statements of one batch.
type gen struct {
	r          *rand.Rand
	schema     *schema
	scalars    signatures
	throwing   signatures
	aggregates signatures
	names      int // given out so far
}

func (g *gen) fresh(prefix string) string {
	g.names++
	return fmt.Sprintf("%s%d", prefix, g.names)
}

// scope is what an expression may name.
type scope struct {
	fields []field
	// inner is, where aggregates may stand, what their arguments may name.
	inner *scope
	// depth bounds subqueries.
	depth int
}

func (s *scope) with(fields ...field) *scope {
	in := *s
	in.fields = append(append([]field{}, s.fields...), fields...)
	return &in
}

// class is a random class that may be a key, most times one that the scope has fields of.
func (g *gen) class(sc *scope, deep int) *class {
	for range 3 {
		if len(sc.fields) == 0 || chance(g.r, 3) {
			break
		}
		if c := pick(g.r, sc.fields...).class; !c.has('g') && (deep > 0 || len(c.elems) == 0) {
			return c
		}
	}
	return randomClass(g.r, deep)
}

// instance is instance with classes of the scope for free variables.
func (g *gen) instance(pattern *class, b bindings, sc *scope) *class {
	for _, v := range "VW" {
		if b[byte(v)] == nil && pattern.has(byte(v)) {
			b[byte(v)] = g.class(sc, 1)
		}
	}
	return instance(g.r, pattern, b)
}

// expr makes an expression of a class.
func (g *gen) expr(c *class, depth int, sc *scope) *node {
	if c.kind == 'y' || c.kind == 'n' || c.kind == 'k' || c.kind == 'x' {
		c = g.instance(c, bindings{}, sc)
	}
	if sc.inner != nil && chance(g.r, 2) {
		if n := g.aggregate(c, sc); n != nil {
			return n
		}
	}
	if depth <= 0 || chance(g.r, 4) {
		return g.leaf(c, sc)
	}
	switch g.r.IntN(14) {
	case 0:
		if n := g.dictGet(c, depth, sc); n != nil {
			return n
		}
	case 1:
		if c.kind == 'b' {
			return g.in(depth, sc)
		}
	case 2:
		if sc.depth > 0 && c.kind != 'g' && c.kind != '(' && chance(g.r, 2) { // a scalar subquery's tuple would be Nullable
			return g.scalarSubquery(c, sc)
		}
	}
	for range 5 {
		candidates := g.scalars[c.kind]
		if len(candidates) == 0 {
			break
		}
		if n := g.call(pick(g.r, candidates...), c, depth, sc); n != nil {
			return n
		}
	}
	return g.leaf(c, sc)
}

// call makes a call of a signature, nil where its result cannot be of the class.
func (g *gen) call(s signature, c *class, depth int, sc *scope) *node {
	b := bindings{}
	if c != nil && !unify(s.result, c, b) {
		return nil
	}
	if c != nil && c.has('c') && s.chooses() { // values of other scales are an error of ClickHouse's alone
		return nil
	}
	if c == nil {
		c = g.instance(s.result, b, sc)
	}
	n := expression(c, s.text)
	for _, a := range s.args {
		times := 1
		if a.many {
			times += g.r.IntN(3)
		}
		for range times {
			n.kids = append(n.kids, g.argument(a, b, depth, sc))
		}
	}
	return n
}

func (g *gen) argument(a argument, b bindings, depth int, sc *scope) *node {
	switch {
	case a.words != nil:
		return text(pick(g.r, a.words...))
	case a.class == nil:
		return text(fmt.Sprint(a.low + g.r.IntN(a.high-a.low+1)))
	case a.lambda != nil:
		in := sc
		var params []string
		for _, p := range a.lambda {
			name := g.fresh("l")
			params = append(params, name)
			f := field{name, g.instance(p, b, sc)}
			in = in.with(f, f, f) // likelier than the others
		}
		if in.inner != nil {
			outer := *in
			outer.inner = nil
			in = &outer
		}
		head := params[0]
		if len(params) > 1 {
			head = "(" + strings.Join(params, ", ") + ")"
		}
		return &node{text: head + " -> $0", kids: []*node{g.expr(g.instance(a.class, b, in), min(depth-1, 1), in)}}
	}
	return g.expr(g.instance(a.class, b, sc), depth-1, sc)
}

// leaf is a column or a constant.
func (g *gen) leaf(c *class, sc *scope) *node {
	var fits []field
	for _, f := range sc.fields {
		if f.class.equal(c) || c.kind == 'g' && f.class.kind == 'f' {
			fits = append(fits, f)
		}
	}
	if len(fits) > 0 && !chance(g.r, 5) {
		return expression(c, pick(g.r, fits...).name)
	}
	if chance(g.r, 40) && len(c.elems) == 0 {
		return expression(c, "NULL")
	}
	return expression(c, literal(g.r, c))
}

// dictGet is a call of the dictGet family of a class, nil where no dictionary has one.
func (g *gen) dictGet(c *class, depth int, sc *scope) *node {
	d := pick(g.r, g.schema.dicts...)
	key := g.key(d, depth, sc)
	if c.kind == 'b' {
		return expression(c, "dictHas('"+d.name+"', $0)", key)
	}
	for _, f := range d.fields[len(d.keys):] {
		if !f.class.equal(c) || !chance(g.r, 2) {
			continue
		}
		switch g.r.IntN(4) {
		case 0:
			return expression(c, fmt.Sprintf("dictGetOrDefault('%s', '%s', $0, $1)", d.name, f.name), key, text(literal(g.r, c)))
		case 1:
			return expression(c, fmt.Sprintf("dictGetOrNull('%s', '%s', $0)", d.name, f.name), key)
		}
		return expression(c, fmt.Sprintf("dictGet('%s', '%s', $0)", d.name, f.name), key)
	}
	if c.kind == '(' {
		a, b := pick(g.r, d.fields[len(d.keys):]...), pick(g.r, d.fields[len(d.keys):]...)
		if a.class.equal(c.elems[0]) && b.class.equal(c.elems[1]) && a.name != b.name {
			return expression(c, fmt.Sprintf("dictGet('%s', ('%s', '%s'), $0)", d.name, a.name, b.name), key)
		}
	}
	return nil
}

// key is a key of a dictionary, in a range where some are found.
func (g *gen) key(d *relation, depth int, sc *scope) *node {
	if d.keys[0].class.kind == 'w' { // the key of a dictionary that is not complex
		k := g.expr(of('i'), depth-1, sc)
		return expression(of('i'), pick(g.r, "toUInt64($0)", "toUInt64(abs($0) % 9)", "toUInt8($0)"), k)
	}
	n := expression(of('('), "tuple($*)")
	for _, k := range d.keys {
		key := expression(k.class, "ifNull($0, "+literal(g.r, k.class)+")", g.expr(k.class, depth-1, sc))
		if k.class.kind == 'i' { // the dictionaries' are Int32; what does not fit is an error
			key = expression(k.class, "toInt32($0)", key)
		}
		n.kids = append(n.kids, key)
	}
	return n
}

// in is a test for membership: of a list, a subquery or a tuple of either.
func (g *gen) in(depth int, sc *scope) *node {
	b := of('b')
	op := pick(g.r, "IN", "NOT IN")
	c := g.class(sc, 0)
	if sc.depth > 0 && chance(g.r, 2) {
		if chance(g.r, 4) {
			q, _ := g.query([]*class{c}, sc.depth-1)
			return expression(b, "EXISTS ($0)", q)
		}
		classes := []*class{c}
		left := g.expr(c, depth-1, sc)
		if chance(g.r, 4) {
			classes = append(classes, randomClass(g.r, 0))
			left = expression(c, "($*)", left, g.expr(classes[1], depth-1, sc))
		}
		q, _ := g.query(classes, sc.depth-1)
		return expression(b, "($0 "+op+" ($1))", left, q)
	}
	items := make([]*node, 1+g.r.IntN(4))
	for i := range items {
		items[i] = text(literal(g.r, c))
	}
	return expression(b, "($0 "+op+" ($1))", g.expr(c, depth-1, sc), listOf(", ", 1, items...))
}

// scalarSubquery is a query of one row.
func (g *gen) scalarSubquery(c *class, sc *scope) *node {
	from, in := g.from(sc.depth - 1)
	in.depth = 0
	a := g.aggregate(c, &scope{inner: in})
	if a == nil {
		return g.leaf(c, sc)
	}
	return expression(c, "($0)", queryOf(text("SELECT "), a, from, g.where(in)))
}

// aggregate is an aggregate of a class, nil where there is none.
func (g *gen) aggregate(c *class, sc *scope) *node {
	for range 4 {
		candidates := g.aggregates[c.kind]
		if len(candidates) == 0 {
			return nil
		}
		in := *sc.inner
		if n := g.call(g.combine(pick(g.r, candidates...)), c, g.r.IntN(3), &in); n != nil {
			return n
		}
	}
	return nil
}
