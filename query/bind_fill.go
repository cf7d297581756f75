package query

import (
	"slices"

	"dictsvc/column"
	"dictsvc/errcode"
	"dictsvc/sql"
)

// fillClause is WITH FILL and INTERPOLATE.
type fillClause struct {
	keys        []fillKey
	prefix      []*expr // sort keys in front of the first that is filled: each of their values is filled by itself
	interpolate []interpolation
}

// interpolation is a column of the result whose value in a row that is filled in comes from the row before.
type interpolation struct {
	node  *expr
	value *expr   // nil: the value of the row before
	reads []*expr // the columns of source that value reads
	from  []*expr // the nodes of the result that these stand for
}

func badFill(text string, args ...any) error {
	return errcode.New(errcode.InvalidWithFillExpression, text, args...)
}

// fill binds WITH FILL and INTERPOLATE, nil where there is none.
func (b *binder) fill(p *selectPlan) (*fillClause, error) {
	s := b.sel
	f := &fillClause{}
	for i := range s.OrderBy {
		if s.OrderByAll || i >= len(p.order) {
			break
		}
		o, k := &s.OrderBy[i], p.order[i]
		if !o.Fill {
			if len(f.keys) == 0 {
				f.prefix = append(f.prefix, k.node)
			}
			continue
		}
		for _, other := range f.keys {
			if other.node == k.node {
				return nil, badFill("Multiple WITH FILL for identical expressions is not supported in ORDER BY. In scope %s", b.scopeText())
			}
		}
		if slices.Contains(f.prefix, k.node) {
			return nil, badFill("ORDER BY containing the same expression with and without WITH FILL modifier is not supported. In scope %s", b.scopeText())
		}
		key, err := b.fillKey(o, k)
		if err != nil {
			return nil, b.inScope(err)
		}
		f.keys = append(f.keys, *key)
	}
	if len(f.keys) == 0 {
		return nil, nil
	}
	if !b.q.settings.flag("use_with_fill_by_sorting_prefix", true) {
		f.prefix = nil
	}
	if s.Interpolate == nil {
		return f, nil
	}
	return f, b.interpolate(p, f)
}

// fillKey binds FROM, TO, STEP and STALENESS of a key.
func (b *binder) fillKey(o *sql.OrderItem, k sortKey) (*fillKey, error) {
	t := k.node.typ
	if t.Kind == column.Nullable {
		t = t.Elems[0]
	}
	f := &fillKey{node: k.node, typ: t, desc: k.desc, float: t.IsFloat()}
	var err error
	if f.from, err = b.fillBound(o.FillFrom, "FROM", f); err != nil {
		return nil, err
	}
	if f.to, err = b.fillBound(o.FillTo, "TO", f); err != nil {
		return nil, err
	}
	if f.step, err = b.fillStep(o.FillStep, "STEP", f); err != nil {
		return nil, err
	}
	if f.stale, err = b.fillStep(o.FillStale, "STALENESS", f); err != nil {
		return nil, err
	}
	if !fillable(t) {
		return nil, badFill("Incompatible types of WITH FILL expression values with column type %s", t)
	}
	order := "ascending"
	if k.desc {
		order = "descending"
	}
	if f.step.none {
		f.step = fillStep{value: fillValue{f: 1, i: column.WideInt(1)}}
		if k.desc {
			f.step.value = fillValue{f: -1, i: column.WideInt(-1)}
		}
		f.step.value.i = f.step.value.i.Mul(f.scale())
	}
	zero := fillValue{}
	switch c := f.compare(f.step.value, zero); {
	case c == 0:
		return nil, badFill("WITH FILL STEP value cannot be zero")
	case c < 0:
		return nil, badFill("WITH FILL STEP value has the wrong sign for sorting in %s direction", order)
	case !f.stale.none && f.compare(f.stale.value, zero) < 0:
		return nil, badFill("WITH FILL STALENESS value has the wrong sign for sorting in %s direction", order)
	case !f.stale.none && !f.from.null:
		return nil, badFill("WITH FILL STALENESS cannot be used together with WITH FILL FROM")
	case !f.from.null && !f.to.null && f.compare(f.to, f.from) < 0:
		return nil, badFill("WITH FILL TO value comes before FROM value for sorting in %s direction", order)
	}
	for _, v := range []fillValue{f.from, f.to} {
		if t.IsUnsigned() && !v.null && v.i.Neg() {
			return nil, badFill("WITH FILL bound values cannot be negative for unsigned type %s", t)
		}
	}
	return f, nil
}

// fillable tells whether values of a type can be counted up.
func fillable(t *column.Type) bool {
	switch t.Kind {
	case column.Date, column.Date32, column.DateTime, column.DateTime64, column.Bool:
		return true
	}
	return t.IsInteger() || t.IsFloat()
}

func isDateKind(t *column.Type) bool {
	switch t.Kind {
	case column.Date, column.Date32, column.DateTime, column.DateTime64:
		return true
	}
	return false
}

// fillBound is the constant of FROM or TO, NULL where there is none.
func (b *binder) fillBound(e sql.Expr, clause string, f *fillKey) (fillValue, error) {
	if e == nil {
		return fillValue{null: true}, nil
	}
	n, err := b.bind(e)
	if err != nil {
		return fillValue{}, err
	}
	t := n.typ
	if !n.isConst() || !t.IsInteger() && !t.IsFloat() && !isDateKind(t) && t.Kind != column.Bool {
		return fillValue{}, badFill("Sort FILL %s expression must be constant with numeric type. Actual: %s", clause, sql.Format(e))
	}
	if isDateKind(t) {
		if t.Kind != f.typ.Kind || t.Scale != f.typ.Scale {
			return fillValue{}, badFill("Incompatible types of WITH FILL expression values with column type %s", f.typ)
		}
		return fillValues(column.Full(n.val), f.float)[0], nil
	}
	return f.number(n)
}

// fillStep is the constant of STEP or STALENESS.
func (b *binder) fillStep(e sql.Expr, clause string, f *fillKey) (fillStep, error) {
	if e == nil {
		return fillStep{none: true}, nil
	}
	n, err := b.bind(e)
	if err != nil {
		return fillStep{}, err
	}
	t := n.typ
	if !n.isConst() || !t.IsInteger() && !t.IsFloat() && t.Kind != column.Interval {
		return fillStep{}, badFill("Sort FILL %s expression must be constant with numeric or interval type. Actual: %s", clause, sql.Format(e))
	}
	if t.Kind != column.Interval {
		v, err := f.number(n)
		return fillStep{value: v}, err
	}
	if !isDateKind(f.typ) {
		return fillStep{}, badFill("STEP of Interval type can be used only with Date/DateTime types, but got %s", f.typ)
	}
	length := n.val.(*column.Num[int64]).Data[0]
	seconds, short := unitSeconds(t.Unit)
	if (f.typ.Kind == column.Date || f.typ.Kind == column.Date32) && short && abs(float64(length)*seconds) < 86400 {
		return fillStep{}, badFill("Value of step is too low (%v seconds). Must be >= 1 day", abs(float64(length)*seconds))
	}
	step := fillStep{value: fillValue{i: column.WideInt(length)}}
	step.add, err = b.adder(f.typ, t.Unit, length)
	return step, err
}

func abs(f float64) float64 {
	if f < 0 {
		return -f
	}
	return f
}

// number converts a constant to a value of the key: of times it is seconds.
func (f *fillKey) number(n *expr) (fillValue, error) {
	t := n.typ
	switch {
	case f.float:
		c, err := column.Cast(n.val, column.Of(column.Float64), column.CastPlain)
		if err != nil {
			return fillValue{}, err
		}
		return fillValue{f: column.Plain(c).(*column.Num[float64]).Data[0]}, nil
	case f.typ.Kind == column.DateTime64:
		c, err := column.Cast(n.val, column.NewDecimal(18, f.typ.Scale), column.CastPlain)
		if err != nil {
			return fillValue{}, err
		}
		return fillValue{i: column.WideInt(column.Plain(c).(*column.Num[int64]).Data[0])}, nil
	case t.IsFloat() || t.FixedWidth() > 8 && f.typ.FixedWidth() <= 8:
		return fillValue{}, badFill("Incompatible types of WITH FILL expression values with column type %s", f.typ)
	}
	v := fillValues(column.Full(n.val), false)[0]
	if f.typ.FixedWidth() <= 8 && !v.i.Fits64() {
		return fillValue{}, errcode.New(errcode.ArgumentOutOfBound, "Cannot convert value '%s': it cannot be represented as Int64", column.FieldText(n.val, 0))
	}
	return v, nil
}

// interpolate binds INTERPOLATE: its expressions see the columns of the result.
func (b *binder) interpolate(p *selectPlan, f *fillClause) error {
	keys := slices.Clone(f.prefix)
	for _, k := range p.order {
		keys = append(keys, k.node)
	}
	names := map[string]*expr{}
	rel := &resultColumns{}
	for _, it := range p.items {
		if names[it.name] == nil {
			names[it.name] = it.node
		}
		rel.info = append(rel.info, columnInfo{Name: it.name, Type: it.node.typ})
	}
	if len(b.sel.Interpolate.Columns) == 0 {
		for _, it := range p.items {
			if !slices.Contains(keys, it.node) {
				f.interpolate = append(f.interpolate, interpolation{node: it.node})
			}
		}
		return nil
	}
	for _, c := range b.sel.Interpolate.Columns {
		node := names[c.Column]
		if node == nil {
			return errcode.New(errcode.UnknownIdentifier, "Unknown expression identifier `%s` in scope %s", c.Column, b.scopeText())
		}
		if slices.Contains(keys, node) {
			return badFill("Column '%s' is participating in ORDER BY expression and can't be INTERPOLATE output. In scope %s", c.Column, b.scopeText())
		}
		in := interpolation{node: node}
		if c.Expr != nil {
			own := &binder{q: b.q, sel: &sql.Select{Columns: []sql.Expr{c.Expr}}, source: []*scopeTable{newScopeTable(rel)}}
			v, err := own.bind(c.Expr)
			if err != nil {
				return err
			}
			if v.hasAggregate || v.hasWindow {
				return errcode.New(errcode.IllegalAggregation, "Aggregate function is found in INTERPOLATE in query. In scope %s", b.scopeText())
			}
			if in.value, err = own.cast(v, node.typ); err != nil {
				return err
			}
			need := newNeed(isSource)
			need.add(in.value)
			in.reads = need.nodes
			for _, r := range in.reads {
				in.from = append(in.from, names[r.name])
			}
		}
		f.interpolate = append(f.interpolate, in)
	}
	return nil
}

// resultColumns are the columns of a result as INTERPOLATE sees them.
type resultColumns struct{ info []columnInfo }

func (r *resultColumns) columns() []columnInfo { return r.info }
func (r *resultColumns) explain() string       { return "Filling" }
func (r *resultColumns) open(*exec, readRequest) ([]stream, error) {
	return []stream{emptyStream()}, nil
}
