package sql

// subquery writes a query in brackets.
func (w *writer) subquery(q *SelectQuery) {
	w.WriteByte('(')
	w.indent++
	w.breakLine()
	w.query(q)
	w.indent--
	w.breakLine()
	w.WriteByte(')')
}

// setOpTexts are the words of the set operations.
var setOpTexts = [...]string{
	UnionDefault: "UNION", UnionAll: "UNION ALL", UnionDistinct: "UNION DISTINCT",
	ExceptDefault: "EXCEPT", ExceptAll: "EXCEPT ALL", ExceptDistinct: "EXCEPT DISTINCT",
	IntersectDefault: "INTERSECT", IntersectAll: "INTERSECT ALL", IntersectDistinct: "INTERSECT DISTINCT",
}

// query writes SELECTs with the set operations between them.
func (w *writer) query(q *SelectQuery) {
	brackets := false // of EXCEPT
	for _, op := range q.Ops {
		brackets = brackets || op >= ExceptDefault && op <= ExceptDistinct
	}
	for i, operand := range q.Queries {
		if i > 0 {
			w.line()
			w.WriteString(setOpTexts[q.Ops[i-1]])
			w.line()
		}
		switch operand := operand.(type) {
		case *Select:
			if brackets {
				w.subquery(&SelectQuery{Queries: []Query{operand}})
			} else {
				w.selectQuery(operand)
			}
		case *SelectQuery:
			if inner := operand.Single(); inner != nil && !brackets {
				w.selectQuery(inner)
			} else {
				w.subquery(operand)
			}
		}
	}
}

// clause writes a keyword on a line of its own beginning.
func (w *writer) clause(word string) {
	w.line()
	w.WriteString(word)
}

func (w *writer) clauseExpr(word string, e Expr) {
	if e == nil {
		return
	}
	w.clause(word)
	w.WriteByte(' ')
	w.expr(e)
}

// selectQuery writes one SELECT.
func (w *writer) selectQuery(s *Select) {
	if s.With != nil {
		w.with(s)
	}
	w.WriteString("SELECT")
	if s.Distinct {
		w.WriteString(" DISTINCT")
	}
	w.lines(len(s.Columns), func(i int) {
		if lambda, ok := s.Columns[i].(*Lambda); ok && (len(s.Columns) > 1 || lambda.As != "") {
			w.body(lambda, true)
			if lambda.As != "" {
				w.alias(&lambda.ExprBase)
			}
			return
		}
		w.expr(s.Columns[i])
	})
	if s.From != nil {
		w.clause("FROM")
		w.from(s.From)
	}
	w.clauseExpr("PREWHERE", s.Prewhere)
	w.clauseExpr("WHERE", s.Where)
	w.groupBy(s.GroupBy)
	w.clauseExpr("HAVING", s.Having)
	if s.Windows != nil {
		w.clause("WINDOW")
		w.lines(len(s.Windows), func(i int) {
			w.name(s.Windows[i].Name)
			w.WriteString(" AS ")
			w.window(s.Windows[i].Window)
		})
	}
	w.clauseExpr("QUALIFY", s.Qualify)
	w.orderBy(s)
	w.limits(s)
	if s.Settings != nil {
		w.clause("SETTINGS ")
		w.settings(s.Settings)
	}
}

func (w *writer) with(s *Select) {
	w.WriteString("WITH")
	if s.WithRecursive {
		w.WriteString(" RECURSIVE")
	}
	w.indent++
	for i, item := range s.With {
		if i > 0 {
			w.WriteByte(',')
		}
		w.line()
		if item.Query == nil {
			w.aliased(item.Expr)
			continue
		}
		w.name(item.Name)
		w.nameList(item.Columns)
		w.WriteString(" AS")
		if item.Materialized {
			w.WriteString(" MATERIALIZED")
		}
		w.line()
		w.subquery(item.Query)
	}
	w.indent--
	w.line()
}

func (w *writer) nameList(names []string) {
	if names == nil {
		return
	}
	w.WriteByte('(')
	for i, name := range names {
		if i > 0 {
			w.WriteString(", ")
		}
		w.name(name)
	}
	w.WriteByte(')')
}

// from writes the tables with their joins.
func (w *writer) from(items []FromItem) {
	for i := range items {
		item := &items[i]
		if item.ArrayJoin != nil {
			w.clause("")
			if item.ArrayJoin.Left {
				w.WriteString("LEFT ")
			}
			w.WriteString("ARRAY JOIN")
			w.exprLines(item.ArrayJoin.Exprs)
			continue
		}
		if item.Join != nil {
			w.join(item.Join)
		}
		if item.Table.Query != nil {
			w.line()
		} else {
			w.WriteByte(' ')
		}
		w.tableExpr(item.Table)
		if item.Join != nil {
			w.joinCondition(item.Join)
		}
	}
}

// join writes the operator of a join.
func (w *writer) join(j *Join) {
	if j.Kind == JoinComma {
		w.WriteByte(',')
		return
	}
	w.line()
	w.WriteString([...]string{"", "GLOBAL ", "LOCAL "}[j.Locality])
	if j.Natural {
		w.WriteString("NATURAL ")
	}
	w.WriteString([...]string{"", "ALL ", "ANY ", "ASOF ", "SEMI ", "ANTI "}[j.Strictness])
	w.WriteString([...]string{JoinInner: "INNER", JoinLeft: "LEFT", JoinRight: "RIGHT", JoinFull: "FULL OUTER", JoinCross: "CROSS", JoinPaste: "PASTE"}[j.Kind])
	w.WriteString(" JOIN")
}

func (w *writer) joinCondition(j *Join) {
	if j.On != nil {
		w.WriteString(" ON ")
		w.expr(j.On)
	}
	if j.HasUsing {
		w.WriteString(" USING (")
		w.exprs(j.Using)
		w.WriteByte(')')
	}
}

func (w *writer) tableExpr(t *TableExpr) {
	switch {
	case t.Query != nil:
		w.subquery(t.Query)
	case t.Func != nil:
		w.function(t.Func)
	case t.Name != nil:
		w.tableName(*t.Name)
	}
	if t.As != "" {
		w.WriteString(" AS ")
		w.name(t.As)
		w.nameList(t.Columns)
	}
	if t.Final {
		w.clause("FINAL")
	}
	if t.Sample != nil {
		w.line()
		w.WriteString("SAMPLE ")
		w.ratio(t.Sample)
		if t.Offset != nil {
			w.WriteString(" OFFSET ")
			w.ratio(t.Offset)
		}
	}
}

func (w *writer) ratio(r *Ratio) {
	w.WriteString(r.Num)
	if r.Den != "1" {
		w.write(" / ", r.Den)
	}
}

func (w *writer) tableName(t TableName) {
	part := func(name string, param *Param) {
		if param != nil {
			w.param(param)
		} else {
			w.name(name)
		}
	}
	if t.Database != "" || t.DatabaseParam != nil {
		part(t.Database, t.DatabaseParam)
		if t.Table == "" && t.TableParam == nil {
			return
		}
		w.WriteByte('.')
	}
	part(t.Table, t.TableParam)
}

func (w *writer) groupBy(g *GroupBy) {
	if g == nil {
		return
	}
	modifier := func(set bool, text string) {
		if set {
			w.indent++
			w.clause(text)
			w.indent--
		}
	}
	switch {
	case g.All:
		w.clause("GROUP BY ALL")
	case g.GroupingSets:
		w.clause("GROUP BY")
		w.indent++
		w.line()
		w.WriteString("GROUPING SETS (")
		w.indent++
		for i, set := range g.Sets {
			if i > 0 {
				w.WriteByte(',')
				if !w.pretty {
					w.WriteByte(' ')
				}
			}
			w.breakLine()
			w.WriteByte('(')
			w.exprs(set)
			w.WriteByte(')')
		}
		w.indent -= 2
		w.WriteByte(')')
	case g.Exprs != nil:
		w.clause("GROUP BY")
		w.exprLines(g.Exprs)
	}
	modifier(g.Rollup, "WITH ROLLUP")
	modifier(g.Cube, "WITH CUBE")
	modifier(g.Totals, "WITH TOTALS")
}

func (w *writer) orderBy(s *Select) {
	if s.OrderBy == nil {
		return
	}
	w.clause("ORDER BY")
	if s.OrderByAll {
		w.WriteString(" ALL")
		w.direction(&s.OrderBy[0])
		return
	}
	w.lines(len(s.OrderBy), func(i int) { w.orderItem(&s.OrderBy[i]) })
	if s.Interpolate == nil {
		return
	}
	w.clause("INTERPOLATE")
	if s.Interpolate.Columns == nil {
		return
	}
	w.WriteString(" (")
	for i, c := range s.Interpolate.Columns {
		if i > 0 {
			w.WriteString(", ")
		}
		w.quoted(c.Column)
		w.WriteString(" AS ")
		if c.Expr != nil {
			w.expr(c.Expr)
		} else {
			w.name(c.Column)
		}
	}
	w.WriteByte(')')
}

func (w *writer) orderItem(item *OrderItem) {
	w.expr(item.Expr)
	if !w.projection {
		w.direction(item)
	}
}

func (w *writer) direction(item *OrderItem) {
	if item.Desc {
		w.WriteString(" DESC")
	} else {
		w.WriteString(" ASC")
	}
	if item.NullsGiven {
		if item.NullsFirst {
			w.WriteString(" NULLS FIRST")
		} else {
			w.WriteString(" NULLS LAST")
		}
	}
	if item.HasCollate {
		w.WriteString(" COLLATE ")
		w.str(item.Collate)
	}
	if !item.Fill {
		return
	}
	w.WriteString(" WITH FILL")
	for _, part := range [...]struct {
		word string
		expr Expr
	}{{" FROM ", item.FillFrom}, {" TO ", item.FillTo}, {" STEP ", item.FillStep}, {" STALENESS ", item.FillStale}} {
		if part.expr != nil {
			w.WriteString(part.word)
			w.expr(part.expr)
		}
	}
}

func (w *writer) limits(s *Select) {
	if by := s.LimitBy; by != nil {
		w.clause("LIMIT ")
		if by.Offset != nil {
			w.expr(by.Offset)
			w.WriteString(", ")
		}
		w.expr(by.Limit)
		w.WriteString(" BY")
		if by.All {
			w.WriteString(" ALL")
		} else {
			w.exprLines(by.By)
		}
	}
	switch {
	case s.Limit != nil:
		w.clause("LIMIT ")
		if s.Offset != nil {
			w.expr(s.Offset)
			w.WriteString(", ")
		}
		w.expr(s.Limit)
		if s.WithTies {
			w.clause(" WITH TIES")
		}
	case s.Offset != nil:
		w.clause("OFFSET ")
		w.expr(s.Offset)
	}
}

// output writes INTO OUTFILE, FORMAT and SETTINGS.
func (w *writer) output(o *Output) {
	if o.HasOutfile {
		w.clause("INTO OUTFILE ")
		w.str(o.IntoOutfile)
		for _, option := range [...]struct {
			set  bool
			text string
		}{{o.Append, " APPEND"}, {o.Truncate, " TRUNCATE"}, {o.AndStdout, " AND STDOUT"}} {
			if option.set {
				w.WriteString(option.text)
			}
		}
		if o.Compression != "" {
			w.WriteString(" COMPRESSION ")
			w.str(o.Compression)
		}
		if o.Level != nil {
			w.WriteString(" LEVEL ")
			w.expr(o.Level)
		}
	}
	if o.Format != "" {
		w.clause("FORMAT ")
		w.name(o.Format)
	}
	if o.Settings != nil {
		w.clause("SETTINGS ")
		w.settings(o.Settings)
	}
}
