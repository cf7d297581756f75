package query

import (
	"dictsvc/column"
	"dictsvc/errcode"
	"dictsvc/sql"
)

// maxSubqueryDepth is ClickHouse's max_subquery_depth.
const maxSubqueryDepth = 100

// bindQuery binds a whole query, the operands of UNION and their like included.
func (q *run) bindQuery(sq *sql.SelectQuery, up *binder) (relation, error) {
	q.depth++
	defer func() { q.depth-- }()
	if q.depth > maxSubqueryDepth {
		return nil, errcode.New(errcode.TooDeepSubqueries, "Too deep subqueries. Maximum: %d", maxSubqueryDepth)
	}
	if len(sq.Queries) == 1 {
		return q.bindOperand(sq.Queries[0], up)
	}
	return q.bindUnion(sq, up)
}

func (q *run) bindOperand(op sql.Query, up *binder) (relation, error) {
	switch op := op.(type) {
	case *sql.Select:
		return q.bindSelect(op, up)
	case *sql.SelectQuery:
		return q.bindQuery(op, up)
	}
	return nil, errcode.New(errcode.LogicalError, "Unknown operand %T of a query", op)
}

// maxSelects bounds what a query grows to when each use of a CTE is a query of its own: two uses a level double it.
const maxSelects = 10000

// bindSelect binds one SELECT into a plan.
func (q *run) bindSelect(s *sql.Select, up *binder) (*selectPlan, error) {
	if q.selects++; q.selects > maxSelects {
		return nil, errcode.New(errcode.TooBigAST, "The query becomes more than %d SELECTs once its names are resolved", maxSelects)
	}
	if err := q.check(); err != nil {
		return nil, err
	}
	b := &binder{q: q, up: up, sel: s, shard: q.shard}
	q.shard = nil
	b.namer.Ident, b.namer.Param = b.columnName, b.paramName
	if len(s.Settings) > 0 {
		outer := q.settings
		q.settings = outer.scope()
		defer func() { q.settings = outer }()
		if err := q.setAll(q.settings, s.Settings); err != nil {
			return nil, err
		}
	}
	if err := b.refuse(); err != nil {
		return nil, err
	}
	if err := b.with(); err != nil {
		return nil, err
	}
	if err := b.from(); err != nil {
		return nil, err
	}
	if err := b.collectAliases(); err != nil {
		return nil, err
	}
	if err := b.joins(); err != nil {
		return nil, err
	}
	p := &selectPlan{q: q, lazy: q.settings.text("short_circuit_function_evaluation", "enable") != "disable", blockSize: q.blockSize, text: s}
	if err := b.arrayJoinClause(p); err != nil {
		return nil, err
	}
	if err := b.windowClause(); err != nil {
		return nil, err
	}
	items, err := b.columns()
	if err != nil {
		return nil, err
	}
	if p.where, err = b.filter(s.Where, "WHERE"); err != nil {
		return nil, err
	}
	if err := b.groupBy(p, items); err != nil {
		return nil, err
	}
	if p.grouped {
		if items, err = b.groupingSets(p, items); err != nil {
			return nil, err
		}
	}
	if p.having, err = b.filter(s.Having, "HAVING"); err != nil {
		return nil, err
	}
	if p.qualify, err = b.filter(s.Qualify, "QUALIFY"); err != nil {
		return nil, err
	}
	if err := b.orderBy(p, items); err != nil {
		return nil, err
	}
	if err := b.limits(p, items); err != nil {
		return nil, err
	}
	p.distinct, p.source = s.Distinct, b.planSource()
	p.items = items
	if p.fill, err = b.fill(p); err != nil {
		return nil, err
	}
	if err := b.finishGroupings(p); err != nil {
		return nil, err
	}
	if err := p.finish(b); err != nil || b.shard == nil {
		return p, err
	}
	return b.shardPlan(p)
}

// refuse answers for clauses that are not served.
func (b *binder) refuse() error {
	s := b.sel
	for i := range s.From {
		if t := s.From[i].Table; t != nil && t.Sample != nil {
			return errcode.New(errcode.SamplingNotSupported, "Storage doesn't support sampling. In scope %s", b.scopeText())
		}
	}
	if s.Prewhere != nil {
		return errcode.New(errcode.IllegalPrewhere, "Storage doesn't support PREWHERE. In scope %s", b.scopeText())
	}
	if s.WithRecursive {
		return errcode.New(errcode.NotImplemented, "WITH RECURSIVE is not supported. In scope %s", b.scopeText())
	}
	for i := range s.OrderBy {
		if s.OrderBy[i].HasCollate {
			return errcode.New(errcode.NotImplemented, "COLLATE is not supported. In scope %s", b.scopeText())
		}
	}
	return nil
}

// columnName is the name that a result column takes from an identifier: without its table where no other has the column.
func (b *binder) columnName(id *sql.Ident) string {
	parts, err := b.q.identParts(id)
	if err != nil {
		return id.Name()
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return b.shortName(parts)
}

// paramName is the name that a result column takes from a parameter: what the parameter is replaced by.
func (b *binder) paramName(p *sql.Param) string {
	text, err := b.q.paramText(p)
	if err != nil {
		return sql.Format(p)
	}
	if p.Type != nil && p.Type.Name == "Identifier" {
		return text
	}
	c, err := b.q.paramColumn(p)
	if err != nil {
		return sql.Format(p)
	}
	if c.Type().Kind == column.String {
		return sql.QuoteString(text)
	}
	return "_CAST(" + column.FieldText(c, 0) + ", " + sql.QuoteString(c.Type().String()) + ")"
}

// columns binds the SELECT list.
func (b *binder) columns() ([]item, error) {
	if len(b.sel.Columns) == 0 {
		return nil, errcode.New(errcode.EmptyListOfColumnsQueried, "Empty list of columns in projection. In scope %s", b.scopeText())
	}
	items := make([]item, 0, len(b.sel.Columns))
	for _, e := range b.sel.Columns {
		switch x := e.(type) {
		case *sql.Asterisk, *sql.ColumnsMatcher:
			list, err := b.expand(e)
			if err != nil {
				return nil, err
			}
			items = append(items, list...)
			continue
		case *sql.Func:
			if x.Name == "untuple" {
				list, err := b.untuple(x)
				if err != nil {
					return nil, err
				}
				items = append(items, list...)
				continue
			}
		}
		n, err := b.bind(e)
		if err != nil {
			return nil, err
		}
		items = append(items, item{name: b.namer.Name(b.matchersNamed(e)), node: n, text: e})
	}
	if len(items) == 0 {
		return nil, errcode.New(errcode.EmptyListOfColumnsQueried, "Empty list of columns in projection. In scope %s", b.scopeText())
	}
	return items, nil
}

// untuple makes a column of each element of a tuple.
func (b *binder) untuple(f *sql.Func) ([]item, error) {
	if len(f.Args) != 1 {
		return nil, errcode.New(errcode.NumberOfArgumentsDoesntMatch, "Function 'untuple' must have 1 argument. In scope %s", b.scopeText())
	}
	t, err := b.bind(f.Args[0])
	if err != nil {
		return nil, err
	}
	if t.typ.Kind != column.Tuple {
		return nil, errcode.New(errcode.BadArguments, "Function 'untuple' argument must have compound type. Actual type %s. In scope %s", t.typ, b.scopeText())
	}
	name := b.namer.Name(f.Args[0])
	items := make([]item, len(t.typ.Elems))
	for i := range t.typ.Elems {
		n, err := b.callByName("tupleElement", t, b.pool.constant(uint64Const(uint64(i+1))))
		if err != nil {
			return nil, err
		}
		items[i] = item{name: "tupleElement(" + name + ", " + sql.QuoteString(elemName(t.typ, i)) + ")", node: n}
		if f.As != "" {
			items[i].name = f.As + "." + elemName(t.typ, i)
		}
	}
	return items, nil
}

// filter binds a condition. Aggregates are found in HAVING and QUALIFY only, window functions in QUALIFY.
func (b *binder) filter(e sql.Expr, clause string) (*expr, error) {
	if e == nil {
		return nil, nil
	}
	n, err := b.bind(e)
	if err != nil {
		return nil, err
	}
	if clause != "QUALIFY" {
		if err := b.refuseWindow(n, clause); err != nil {
			return nil, err
		}
	}
	if clause == "WHERE" {
		if err := b.refuseGrouping(n, "in WHERE"); err != nil {
			return nil, err
		}
	}
	if n.hasAggregate && clause != "HAVING" && clause != "QUALIFY" {
		return nil, errcode.New(errcode.IllegalAggregation, "Aggregate function %s is found in %s in query. In scope %s", b.aggregateText(n), clause, b.scopeText())
	}
	t := n.typ.Base()
	if !t.IsInteger() && !t.IsFloat() && t.Kind != column.Nothing {
		return nil, errcode.New(errcode.IllegalTypeOfColumnForFilter, "Invalid type for filter in %s: %s. In query %s", clause, n.typ, b.scopeText())
	}
	return n, nil
}
