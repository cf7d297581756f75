package query

import (
	"slices"

	"dictsvc/column"
	"dictsvc/dict"
	"dictsvc/sql"
)

// directJoin joins with a dictionary by asking it for the keys of each batch; the dictionary is never read as a whole.
type directJoin struct {
	table *dictTable
	keys  []*expr // left expressions, in the order of the dictionary's key
	conds []*expr // conditions that a pair of rows must meet besides
}

// direct is how to join with a dictionary by key, nil where that cannot be: the right side must be a dictionary, the condition an equality on its whole
// key, and only left rows and their matches may be wanted.
func (p *joinPlan) direct() *directJoin {
	t, ok := p.right.table.rel.(*dictTable)
	if !ok || t.keys != nil || p.never || p.asof != nil {
		return nil
	}
	switch {
	case p.kind == sql.JoinLeft:
	case p.kind == sql.JoinInner && p.strict == sql.StrictnessAll:
	default:
		return nil
	}
	places := t.keyColumns()
	d := &directJoin{table: t, keys: make([]*expr, len(places))}
	for _, k := range p.keys {
		at := p.right.table.place(k.right)
		if i := slices.Index(places, at); at >= 0 && i >= 0 && d.keys[i] == nil && keyConverts(k.left.typ, k.right.typ) {
			d.keys[i] = k.left
		} else if k.eq != nil {
			d.conds = append(d.conds, k.eq)
		} else {
			return nil
		}
	}
	if slices.Contains(d.keys, nil) {
		return nil
	}
	d.conds = slices.Concat(d.conds, p.leftIf, p.rightIf, p.mixed, p.right.where)
	return d
}

// keyConverts tells whether values of one type can be looked up in a key of another.
func keyConverts(from, key *column.Type) bool {
	from = from.Base()
	return from.Equal(key) || from.IsInteger() && key.IsInteger() && from.Kind != column.Bool
}

// open opens the left side and looks its keys up.
func (d *directJoin) open(ex *exec, j *joinRun, r, req readRequest) ([]stream, error) {
	p := j.p
	v, err := d.table.acquire(ex)
	if err != nil {
		return nil, err
	}
	n := newNeed(isSource)
	n.add(d.conds...)
	attrs := newNeed(isSource) // the dictionary's columns that are needed
	left := newNeed(isSource)
	left.add(j.carry...)
	for _, e := range n.nodes {
		if p.left.table.place(e) >= 0 {
			left.add(e)
		} else {
			attrs.add(e)
		}
	}
	j.carry = left.nodes
	for _, c := range r.cols {
		if e := p.out[c].right; e != nil {
			attrs.add(e)
		}
	}
	c, err := p.openLeft(ex, req, append(slices.Clone(d.keys), j.carry...))
	if err != nil {
		return nil, err
	}
	prog, err := c.compile(append(slices.Clone(d.keys), j.carry...))
	if err != nil {
		return nil, err
	}
	var cond *program
	if len(d.conds) > 0 {
		pair := &chain{ex: ex, at: newLayout(append(slices.Clone(j.carry), attrs.nodes...)), lazy: p.lazy}
		if cond, err = pair.compile(d.conds); err != nil {
			return nil, err
		}
	}
	outs := make([]directColumn, len(r.cols))
	for i, at := range r.cols {
		if outs[i], err = d.column(p.out[at], j.carry, attrs.nodes); err != nil {
			return nil, err
		}
	}
	c.each(func(in stream) stream {
		return &directStream{d: d, j: j, v: v, cut: cutter{in: in, f: c.frame(prog)}, cond: cond, attrs: attrs.nodes, outs: outs}
	})
	return c.streams, nil
}

// directColumn is how a column of the result comes about.
type directColumn struct {
	typ        *column.Type
	left, attr int
	cast       column.Caster
}

func (d *directJoin) column(o joinOut, carry, attrs []*expr) (directColumn, error) {
	col := directColumn{typ: o.node.typ, left: -1, attr: -1}
	from := o.left
	if from != nil {
		col.left = slices.Index(carry, from)
	} else {
		from = o.right
		col.attr = slices.Index(attrs, from)
	}
	if from.typ.Equal(o.node.typ) {
		return col, nil
	}
	var err error
	col.cast, err = column.NewCast(from.typ, o.node.typ, column.CastPlain)
	return col, err
}

// directStream joins one stream of the left side.
type directStream struct {
	d     *directJoin
	j     *joinRun
	v     *dict.Version
	cut   cutter
	cond  *program
	attrs []*expr
	outs  []directColumn
	l     dict.Lookup
}

func (s *directStream) next() (*batch, error) {
	b, cols, err := s.cut.next(nil)
	if b == nil || err != nil {
		return nil, err
	}
	if err := s.j.ex.check(); err != nil {
		return nil, err
	}
	n := len(s.d.keys)
	keys, may, err := s.keys(cols[:n], b.rows)
	if err != nil {
		return nil, err
	}
	carry := cols[n:]
	s.v.Find(keys, b.rows, &s.l)
	for i, m := range may {
		s.l.Found[i] &= m
	}
	attrs := make([]column.Column, len(s.attrs))
	for i, e := range s.attrs {
		attrs[i] = s.attribute(e, keys, b.rows)
	}
	found := s.l.Found
	if s.cond != nil {
		out, err := newFrame(s.cond, &s.j.ex.q.env).run(append(slices.Clone(carry), attrs...), b.rows)
		if err != nil {
			return nil, err
		}
		for _, c := range out {
			found = andCondition(found, c, b.rows)
		}
	}
	hits := column.Count(found)
	s.d.table.d.Count(b.rows, hits)
	return s.output(b, carry, attrs, found, hits)
}

// keys converts the key columns to the dictionary's types; may has a 0 for rows whose key is NULL or no value of the type.
func (s *directStream) keys(cols []column.Column, rows int) ([]column.Column, []uint8, error) {
	keys := make([]column.Column, len(cols))
	var may []uint8
	for i, c := range cols {
		typ := s.d.table.cols[i].Type
		c = column.Plain(c)
		if null, ok := c.(*column.Null); ok {
			may = andNotNull(may, null.Nulls)
			c = null.Inner
		}
		if !c.Type().Equal(typ) {
			x, err := column.Cast(c, column.NewNullable(typ), column.CastAccurateOrNull)
			if err != nil {
				return nil, nil, err
			}
			null := column.Plain(x).(*column.Null)
			may = andNotNull(may, null.Nulls)
			c = null.Inner
		}
		keys[i] = c
	}
	return keys, may, nil
}

// attribute is a column of the dictionary for the keys of the batch, the type's default where a key is missing.
func (s *directStream) attribute(e *expr, keys []column.Column, rows int) column.Column {
	at := s.j.p.right.table.place(e)
	if at < len(keys) {
		return blanked(keys[at], s.l.Found, rows)
	}
	return s.v.Attribute(at-len(keys), &s.l, noMatch(e.typ))
}

// blanked is a column with defaults in the rows that are not kept.
func blanked(c column.Column, keep []uint8, rows int) column.Column {
	n := column.Count(keep)
	if n == rows {
		return c
	}
	all := c.New(rows + 1)
	all.AppendRange(c, 0, rows)
	all.AppendRange(noMatch(c.Type()), 0, 1)
	places := make([]uint32, rows)
	for i := range places {
		places[i] = uint32(rows)
		if keep[i] != 0 {
			places[i] = uint32(i)
		}
	}
	return all.Gather(places)
}

// output is the batch with what was found.
func (s *directStream) output(b *batch, carry, attrs []column.Column, found []uint8, hits int) (*batch, error) {
	p := s.j.p
	out := &batch{rows: b.rows, seq: b.seq, more: b.more, cols: make([]column.Column, len(s.outs))}
	anti := p.strict == sql.StrictnessAnti
	filter := anti || p.kind == sql.JoinInner || p.strict == sql.StrictnessSemi
	keep := found
	if anti {
		keep = make([]uint8, b.rows)
		for i, z := range found {
			if z == 0 {
				keep[i] = 1
			}
		}
		hits = b.rows - hits
	}
	if filter {
		out.rows = hits
	}
	for i, o := range s.outs {
		var c column.Column
		if o.left >= 0 {
			c = carry[o.left]
		} else {
			c = column.Full(attrs[o.attr])
		}
		var err error
		switch {
		case o.left < 0 && anti:
			out.cols[i] = column.NewConst(noMatch(o.typ), out.rows)
			continue
		case filter && hits < b.rows:
			c = c.Filter(keep, hits)
		}
		if o.cast != nil {
			if c, err = o.cast(c); err != nil {
				return nil, err
			}
		}
		if o.left < 0 && !filter && (s.cond != nil || o.typ.IsNullable() && o.cast != nil) {
			c = blanked(column.Full(c), found, b.rows)
		}
		out.cols[i] = c
	}
	return out, nil
}
