package query

import (
	"math"
	"slices"

	"dictsvc/column"
	"dictsvc/errcode"
	"dictsvc/sql"
)

// positional replaces a literal number by the column of that place in the SELECT list.
func (b *binder) positional(e sql.Expr, items []item) (*expr, error) {
	l, ok := truthNumber(e).(*sql.Literal)
	if !ok || l.Value.Kind != sql.UInt64Value && l.Value.Kind != sql.Int64Value || !b.q.settings.flag("enable_positional_arguments", true) {
		return b.bind(e)
	}
	n := len(items)
	at := 0
	if l.Value.Kind == sql.Int64Value {
		if v := l.Value.Int64(); -v <= int64(n) {
			at = n + int(v) + 1
		}
	} else if v := l.Value.UInt64(); v <= uint64(n) {
		at = int(v)
	}
	if at < 1 {
		return nil, errcode.New(errcode.BadArguments, "Positional argument number %s is out of bounds. Expected in range [1, %d]. In scope %s", l.Value.Text(), n, b.scopeText())
	}
	return items[at-1].node, nil
}

// truthNumber is the number 1 or 0 for true or false: as keys they name a place too.
func truthNumber(e sql.Expr) sql.Expr {
	l, ok := e.(*sql.Literal)
	if !ok || l.Value.Kind != sql.BoolValue {
		return e
	}
	n := uint64(0)
	if l.Value.Bool() {
		n = 1
	}
	return &sql.Literal{Value: sql.UInt64Of(n)}
}

// groupBy binds the keys.
func (b *binder) groupBy(p *selectPlan, items []item) error {
	g := b.sel.GroupBy
	if g == nil {
		return nil
	}
	p.grouped, p.totals = true, g.Totals
	if g.All {
		for _, it := range items {
			p.keys = appendUnique(p.keys, nonAggregates(it.node)...)
			if b.shard != nil && !it.node.hasAggregate && !it.node.isConst() {
				note(&b.shard.keys, it.node, it.text, nil)
			}
		}
		return nil
	}
	var err error
	p.keys, err = b.groupByKeys(g.Exprs, items)
	return err
}

func appendUnique(list []*expr, nodes ...*expr) []*expr {
	for _, n := range nodes {
		if !slices.Contains(list, n) {
			list = append(list, n)
		}
	}
	return list
}

// nonAggregates are the parts of an expression that GROUP BY ALL makes keys of: all of it where it holds no aggregate, else those of its arguments.
func nonAggregates(e *expr) []*expr {
	var list []*expr
	seen := map[*expr]bool{}
	var visit func(*expr)
	visit = func(e *expr) {
		if seen[e] {
			return
		}
		seen[e] = true
		switch {
		case e.hasAggregate || e.hasWindow:
			if e.op != opAggregate && e.op != opWindow {
				e.children(visit)
			}
		case !e.isConst() && e.op != opLambda: // a lambda's parameters are no keys
			list = append(list, e)
		}
	}
	visit(e)
	return list
}

// orderBy binds the sort keys. Constants order nothing.
func (b *binder) orderBy(p *selectPlan, items []item) error {
	if err := b.sortKeys(p, items); err != nil {
		return err
	}
	for _, k := range p.order {
		if k.node.typ.Kind == column.AggregateFunction {
			return errcode.New(errcode.IllegalColumn, "Data type %s is not allowed in ORDER BY keys, because its values are not comparable", k.node.typ)
		}
	}
	return nil
}

func (b *binder) sortKeys(p *selectPlan, items []item) error {
	s := b.sel
	if s.OrderByAll {
		for _, it := range items {
			p.order = append(p.order, sortKey{node: it.node, desc: s.OrderBy[0].Desc, nullsFirst: s.OrderBy[0].NullsFirst})
		}
		return nil
	}
	for i := range s.OrderBy {
		o := &s.OrderBy[i]
		switch o.Expr.(type) {
		case *sql.Asterisk, *sql.ColumnsMatcher:
			list, err := b.expand(o.Expr)
			if err != nil {
				return err
			}
			if len(list) != 1 {
				return errcode.New(errcode.NotImplemented, "Expression ORDER BY %s is not supported, matcher expression can only contain single column", sql.Format(o.Expr))
			}
			p.order = append(p.order, sortKey{node: list[0].node, desc: o.Desc, nullsFirst: o.NullsFirst})
			continue
		}
		n, err := b.positional(o.Expr, items)
		if err != nil {
			return err
		}
		p.order = append(p.order, sortKey{node: n, desc: o.Desc, nullsFirst: o.NullsFirst})
		if b.shard != nil {
			note(&b.shard.order, n, o.Expr, items)
		}
	}
	return nil
}

// limits binds LIMIT, OFFSET and LIMIT BY.
func (b *binder) limits(p *selectPlan, items []item) error {
	s := b.sel
	var err error
	p.limit = noLimit
	if s.Limit != nil {
		if p.limit, err = b.amount(s.Limit, "LIMIT"); err != nil {
			return err
		}
	}
	if s.Offset != nil {
		if p.offset, err = b.amount(s.Offset, "OFFSET"); err != nil {
			return err
		}
	}
	if p.ties = s.WithTies; p.ties && len(s.OrderBy) == 0 {
		return errcode.New(errcode.WithTiesWithoutOrderBy, "Can not use WITH TIES without ORDER BY")
	}
	by := s.LimitBy
	if by == nil {
		return nil
	}
	p.limitBy = &limitBy{limit: noLimit}
	if by.Limit != nil {
		if p.limitBy.limit, err = b.amount(by.Limit, "LIMIT"); err != nil {
			return err
		}
	}
	if by.Offset != nil {
		if p.limitBy.offset, err = b.amount(by.Offset, "OFFSET"); err != nil {
			return err
		}
	}
	if by.All {
		for _, it := range items {
			p.limitBy.keys = appendUnique(p.limitBy.keys, it.node)
		}
		return nil
	}
	for _, e := range by.By {
		n, err := b.positional(e, items)
		if err != nil {
			return err
		}
		p.limitBy.keys = appendUnique(p.limitBy.keys, n)
		if b.shard != nil {
			note(&b.shard.limitBy, n, e, items)
		}
	}
	return nil
}

// amount is a constant number of rows: negative counts from the end, a fraction is a share of all rows.
type amount struct {
	n     int64
	share float64 // in (0, 1): of all rows
}

// noLimit is an amount of all rows.
var noLimit = amount{n: math.MaxInt64}

// amount binds a number of rows.
func (b *binder) amount(e sql.Expr, clause string) (amount, error) {
	invalid := func() error {
		return errcode.New(errcode.InvalidLimitExpression, "%s expression must be constant with numeric type. Actual: %s. In scope %s", clause, sql.Format(e), b.scopeText())
	}
	n, err := b.bind(e)
	if err != nil {
		return amount{}, err
	}
	if !n.isConst() {
		return amount{}, invalid()
	}
	c := column.Plain(n.val)
	if x, ok := c.(*column.Null); ok {
		if x.Nulls[0] != 0 {
			return amount{}, invalid()
		}
		c = x.Inner
	}
	switch t := c.Type(); {
	case t.IsInteger():
		v, err := column.Cast(c, column.Of(column.Int64), column.CastPlain)
		if err != nil {
			return amount{}, err
		}
		i := v.(*column.Num[int64]).Data[0]
		if i < 0 && t.IsUnsigned() {
			i = math.MaxInt64
		}
		return amount{n: i}, nil
	case t.IsFloat() || t.IsDecimal():
		v, err := column.Cast(c, column.Of(column.Float64), column.CastPlain)
		if err != nil {
			return amount{}, err
		}
		f := v.(*column.Num[float64]).Data[0]
		switch {
		case f > 0 && f < 1:
			return amount{share: f}, nil
		case f == math.Trunc(f) && math.Abs(f) < 1<<63:
			return amount{n: int64(f)}, nil
		}
	}
	return amount{}, invalid()
}
