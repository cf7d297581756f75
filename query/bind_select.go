package query

import (
	"math"
	"slices"

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

// bindSelect binds one SELECT into a plan.
func (q *run) bindSelect(s *sql.Select, up *binder) (*selectPlan, error) {
	b := &binder{q: q, up: up, sel: s}
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
	p := &selectPlan{q: q, lazy: q.settings.text("short_circuit_function_evaluation", "enable") != "disable", blockSize: q.blockSize, text: s}
	if err := b.arrayJoinClause(p); err != nil {
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
	if p.having, err = b.filter(s.Having, "HAVING"); err != nil {
		return nil, err
	}
	if err := b.orderBy(p, items); err != nil {
		return nil, err
	}
	if err := b.limits(p, items); err != nil {
		return nil, err
	}
	p.distinct, p.source = s.Distinct, b.source
	for _, it := range items {
		p.items = append(p.items, it)
	}
	return p, p.finish(b)
}

// refuse answers for clauses that are not served.
func (b *binder) refuse() error {
	s := b.sel
	for i := range s.From {
		if t := s.From[i].Table; t != nil && t.Sample != nil {
			return errcode.New(errcode.SamplingNotSupported, "Storage doesn't support sampling. In scope %s", b.scopeText())
		}
		if s.From[i].Join != nil {
			return errcode.New(errcode.NotImplemented, "JOIN is not supported. In scope %s", b.scopeText())
		}
	}
	if s.Qualify != nil || len(s.Windows) > 0 {
		return errcode.New(errcode.NotImplemented, "Window functions and QUALIFY are not supported. In scope %s", b.scopeText())
	}
	if g := s.GroupBy; g != nil && (g.Rollup || g.Cube || g.GroupingSets) {
		return errcode.New(errcode.NotImplemented, "ROLLUP, CUBE and GROUPING SETS are not supported. In scope %s", b.scopeText())
	}
	if s.Prewhere != nil {
		return errcode.New(errcode.IllegalPrewhere, "Storage doesn't support PREWHERE. In scope %s", b.scopeText())
	}
	if s.WithRecursive {
		return errcode.New(errcode.NotImplemented, "WITH RECURSIVE is not supported. In scope %s", b.scopeText())
	}
	if s.Interpolate != nil {
		return errcode.New(errcode.NotImplemented, "INTERPOLATE is not supported. In scope %s", b.scopeText())
	}
	for i := range s.OrderBy {
		if s.OrderBy[i].Fill {
			return errcode.New(errcode.NotImplemented, "WITH FILL is not supported. In scope %s", b.scopeText())
		}
		if s.OrderBy[i].HasCollate {
			return errcode.New(errcode.NotImplemented, "COLLATE is not supported. In scope %s", b.scopeText())
		}
	}
	return nil
}

// with notes the named queries of WITH; its expressions are aliases.
func (b *binder) with() error {
	for i := range b.sel.With {
		w := &b.sel.With[i]
		if w.Query == nil {
			b.namer.Count(w.Expr)
			continue
		}
		if b.ctes == nil {
			b.ctes = map[string]*cte{}
		}
		if b.ctes[w.Name] != nil {
			return errcode.New(errcode.MultipleExpressionsForAlias, "CTE with name %s already exists. In scope %s", w.Name, b.scopeText())
		}
		b.ctes[w.Name] = &cte{item: w, at: b}
	}
	return nil
}

// findCTE finds a named query here or around.
func (b *binder) findCTE(name string) *cte {
	for ; b != nil; b = b.up {
		if c := b.ctes[name]; c != nil && !c.busy {
			return c
		}
	}
	return nil
}

// openCTE binds a named query anew for each place it is used in.
func (b *binder) openCTE(c *cte) (relation, error) {
	c.busy = true
	defer func() { c.busy = false }()
	rel, err := b.q.bindQuery(c.item.Query, c.at)
	if err != nil || len(c.item.Columns) == 0 {
		return rel, err
	}
	return renameColumns(rel, c.item.Columns)
}

// from opens what stands in FROM; without it there is one row without columns.
func (b *binder) from() error {
	for i := range b.sel.From {
		t := b.sel.From[i].Table
		if t == nil {
			continue
		}
		st, err := b.tableExpr(t)
		if err != nil {
			return err
		}
		b.source = append(b.source, st)
	}
	return nil
}

// tableExpr binds one table of FROM.
func (b *binder) tableExpr(t *sql.TableExpr) (*scopeTable, error) {
	var rel relation
	var err error
	database, table := "", ""
	switch {
	case t.Query != nil:
		rel, err = b.q.bindQuery(t.Query, b)
	case t.Func != nil:
		rel, err = b.tableFunction(t.Func)
	default:
		name := *t.Name
		if name.Database == "" && name.DatabaseParam == nil && name.TableParam == nil {
			if c := b.findCTE(name.Table); c != nil {
				rel, err = b.openCTE(c)
				table = name.Table
				break
			}
		}
		var full sql.TableName
		rel, full, err = b.q.table(name)
		database, table = full.Database, full.Table
	}
	if err != nil {
		if errcode.Of(err) == errcode.UnknownTable {
			return nil, b.unknownTable(err, t)
		}
		return nil, err
	}
	if t.Final {
		if _, sub := rel.(*selectPlan); t.Name != nil && !sub {
			return nil, errcode.New(errcode.IllegalFinal, "Storage %s doesn't support FINAL", rel.explain())
		}
	}
	if len(t.Columns) > 0 && t.Func == nil {
		if rel, err = renameColumns(rel, t.Columns); err != nil {
			return nil, err
		}
	}
	st := newScopeTable(rel)
	st.alias, st.database, st.table = t.As, database, table
	return st, nil
}

func (b *binder) unknownTable(err error, t *sql.TableExpr) error {
	if t.Name == nil {
		return err
	}
	return errcode.New(errcode.UnknownTable, "Unknown table expression identifier '%s' in scope %s", t.Name, b.scopeText())
}

// collectAliases notes the named expressions of all clauses. Subqueries have names of their own.
func (b *binder) collectAliases() error {
	s := b.sel
	var failed error
	var visit func(e sql.Node)
	visit = func(n sql.Node) {
		e, ok := n.(sql.Expr)
		if !ok || failed != nil {
			return
		}
		if name := e.Alias(); name != "" {
			failed = b.addAlias(name, e)
		}
		switch e.(type) {
		case *sql.Literal, *sql.Ident, *sql.Subquery, *sql.Asterisk, *sql.ColumnsMatcher:
			return
		}
		sql.Children(e, visit)
	}
	expr := func(e sql.Expr) {
		if e != nil {
			visit(e)
		}
	}
	for i := range s.With {
		expr(s.With[i].Expr)
	}
	for _, e := range s.Columns {
		visit(e)
	}
	expr(s.Where)
	if s.GroupBy != nil {
		for _, e := range s.GroupBy.Exprs {
			visit(e)
		}
	}
	expr(s.Having)
	for i := range s.OrderBy {
		expr(s.OrderBy[i].Expr)
	}
	return failed
}

// addAlias notes a named expression; two different ones of a name are error 179.
func (b *binder) addAlias(name string, e sql.Expr) error {
	if b.alias == nil {
		b.alias = map[string]*alias{}
	}
	if old := b.alias[name]; old != nil {
		if old.expr != e && sql.Format(old.expr) != sql.Format(e) {
			return errcode.New(errcode.MultipleExpressionsForAlias, "Multiple expressions %s and %s for alias %s. In scope %s", sql.Format(e), sql.Format(old.expr), name, b.scopeText())
		}
		return nil
	}
	b.alias[name] = &alias{expr: e}
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
	for k, t := range b.source {
		rest, ok := t.qualified(parts)
		if !ok {
			continue
		}
		name := joinParts(rest)
		for j, other := range b.source {
			if j != k && other.find(name) >= 0 {
				return joinParts(parts)
			}
		}
		return name
	}
	return joinParts(parts)
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
	return "_CAST(" + fieldText(c, 0) + ", " + sql.QuoteString(c.Type().String()) + ")"
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

// filter binds a condition. Aggregates are found in HAVING only.
func (b *binder) filter(e sql.Expr, clause string) (*expr, error) {
	if e == nil {
		return nil, nil
	}
	n, err := b.bind(e)
	if err != nil {
		return nil, err
	}
	if n.hasAggregate && clause != "HAVING" {
		return nil, errcode.New(errcode.IllegalAggregation, "Aggregate function %s is found in %s in query. In scope %s", b.aggregateText(n), clause, b.scopeText())
	}
	t := n.typ.Base()
	if !t.IsInteger() && !t.IsFloat() && t.Kind != column.Nothing {
		return nil, errcode.New(errcode.IllegalTypeOfColumnForFilter, "Invalid type for filter in %s: %s. In query %s", clause, n.typ, b.scopeText())
	}
	return n, nil
}

// positional replaces a literal number by the column of that place in the SELECT list.
func (b *binder) positional(e sql.Expr, items []item) (*expr, error) {
	l, ok := e.(*sql.Literal)
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
		}
		return nil
	}
	for _, e := range g.Exprs {
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
				return err
			}
			for _, it := range list {
				p.keys = appendUnique(p.keys, it.node)
			}
			continue
		}
		n, err := b.positional(e, items)
		if err != nil {
			return err
		}
		if n.hasAggregate {
			return errcode.New(errcode.IllegalAggregation, "Aggregate function %s is found in GROUP BY in query. In scope %s", b.aggregateText(n), b.scopeText())
		}
		p.keys = appendUnique(p.keys, n)
	}
	return nil
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
	if !e.hasAggregate {
		if e.isConst() {
			return nil
		}
		return []*expr{e}
	}
	if e.op == opAggregate {
		return nil
	}
	var list []*expr
	e.children(func(c *expr) { list = append(list, nonAggregates(c)...) })
	return list
}

// orderBy binds the sort keys. Constants order nothing.
func (b *binder) orderBy(p *selectPlan, items []item) error {
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
