package query

import (
	"cmp"
	"dictsvc/errcode"
	"dictsvc/sql"
)

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
		b.tables = append(b.tables, st)
	}
	b.source = b.tables
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
		rel, full, err = b.q.source(name)
		database, table = full.Database, full.Table
	}
	if err != nil {
		if errcode.Of(err) == errcode.UnknownTable {
			return nil, b.unknownTable(err, t)
		}
		return nil, err
	}
	if t.Final {
		if stored, ok := rel.(interface{ engine() string }); ok && t.Name != nil {
			return nil, errcode.New(errcode.IllegalFinal, "Storage %s doesn't support FINAL", stored.engine())
		}
	}
	if len(t.Columns) > 0 && t.Func == nil {
		if rel, err = renameColumns(rel, t.Columns); err != nil {
			return nil, err
		}
	}
	st := newScopeTable(rel)
	st.alias, st.database, st.table, st.from = t.As, database, table, t
	return st, nil
}

func (b *binder) unknownTable(err error, t *sql.TableExpr) error {
	if t.Name == nil {
		return err
	}
	hint := ""
	if near := b.q.engine.catalog.near(err, sql.TableName{Database: cmp.Or(t.Name.Database, b.q.database), Table: t.Name.Table}); near != "" {
		hint = ". Maybe you meant " + near + "?"
	}
	return errcode.New(errcode.UnknownTable, "Unknown table expression identifier '%s' in scope %s%s", t.Name, b.scopeText(), hint)
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
		for _, set := range s.GroupBy.Sets {
			for _, e := range set {
				visit(e)
			}
		}
	}
	expr(s.Having)
	for i := range s.Windows {
		sql.WindowExprs(s.Windows[i].Window, expr)
	}
	expr(s.Qualify)
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
