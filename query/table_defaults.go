package query

import (
	"slices"
	"strings"

	"dictsvc/errcode"
	"dictsvc/sql"
)

// The kinds of columns, as DESCRIBE names them.
const (
	kindDefault      = "DEFAULT"
	kindMaterialized = "MATERIALIZED"
	kindAlias        = "ALIAS"
	kindEphemeral    = "EPHEMERAL"
)

// stored tells whether a table keeps a column's values.
func (c *columnInfo) stored() bool {
	return c.DefaultKind != kindAlias && c.DefaultKind != kindEphemeral
}

// insertable tells whether INSERT may give a column's values.
func (c *columnInfo) insertable() bool {
	return c.DefaultKind != kindAlias && c.DefaultKind != kindMaterialized
}

// columnExprs computes a table's columns from some of them: the others are their defaults, which may use any column, each converted to the type that
// its column has. ALIAS columns are computed in the same way.
type columnExprs struct {
	b     *binder
	cols  []columnInfo
	defs  []*sql.ColumnDef // nil: no defaults
	given *scopeTable
	at    []int // by column: its place in given, -1
	busy  []int // columns that are being bound, one inside the other
}

// newColumnExprs makes the expressions over the columns at the places given, whose values are at hand.
func (q *run) newColumnExprs(cols []columnInfo, defs []*sql.ColumnDef, given []int) *columnExprs {
	x := &columnExprs{b: &binder{q: q, alias: map[string]*alias{}}, cols: cols, defs: defs, at: make([]int, len(cols))}
	for i := range x.at {
		x.at[i] = -1
	}
	known := make([]columnInfo, len(given))
	for k, i := range given {
		known[k] = columnInfo{Name: cols[i].Name, Type: cols[i].Type}
		x.at[i] = k
	}
	x.given = newScopeTable(newRows(known, nil, 0))
	x.b.source = []*scopeTable{x.given}
	return x
}

func (x *columnExprs) def(i int) sql.Expr {
	if x.defs == nil {
		return nil
	}
	return x.defs[i].Default
}

// bind is the node of column i. Error 174 where a column is computed from itself.
func (x *columnExprs) bind(i int) (*expr, error) {
	if k := x.at[i]; k >= 0 {
		return x.b.columnNode(x.given, k), nil
	}
	c := &x.cols[i]
	if a := x.b.alias[c.Name]; a != nil {
		return a.bound, nil
	}
	if slices.Contains(x.busy, i) {
		return nil, x.cycle(i)
	}
	e, err := x.bindDefault(i)
	if err != nil {
		return nil, err
	}
	x.b.alias[c.Name] = &alias{bound: e}
	return e, nil
}

func (x *columnExprs) bindDefault(i int) (*expr, error) {
	def, t := x.def(i), x.cols[i].Type
	if def == nil {
		return x.b.pool.constant(defaults(t, 1)), nil
	}
	x.busy = append(x.busy, i)
	err := x.bindUsed(def)
	x.busy = x.busy[:len(x.busy)-1]
	if err != nil {
		return nil, err
	}
	e, err := x.b.bind(def)
	if err != nil || t == nil {
		return e, err
	}
	return x.b.cast(e, t)
}

// bindUsed binds the columns that an expression uses.
func (x *columnExprs) bindUsed(e sql.Expr) error {
	for _, k := range usedColumns(e, x.cols) {
		if _, err := x.bind(k); err != nil {
			return err
		}
	}
	return nil
}

func (x *columnExprs) cycle(i int) error {
	from := slices.Index(x.busy, i)
	names := make([]string, 0, len(x.busy)-from+1)
	for _, k := range append(slices.Clone(x.busy[from:]), i) {
		names = append(names, x.cols[k].Name)
	}
	return errcode.New(errcode.CyclicAliases, "Cyclic alias detected in column DEFAULT expressions: %s: default expression and column type are incompatible.",
		strings.Join(names, " -> "))
}

// compile makes a program that computes nodes from the given columns.
func (x *columnExprs) compile(outs []*expr) (*program, error) {
	nodes := make([]*expr, len(x.given.info))
	for i := range nodes {
		nodes[i] = x.b.columnNode(x.given, i)
	}
	return compile(outs, newLayout(nodes), true, func(e *expr) error { return x.b.unknownIdentifier([]string{e.name}) })
}

// usedColumns are the places of the columns that an expression names, parameters of lambdas aside.
func usedColumns(e sql.Expr, cols []columnInfo) []int {
	var used []int
	var params []string
	var visit func(n sql.Node)
	visit = func(n sql.Node) {
		switch n := n.(type) {
		case *sql.Ident:
			if len(n.Parts) > 0 && slices.Contains(params, n.Parts[0]) {
				return
			}
			for k := len(n.Parts); k > 0; k-- {
				name := joinParts(n.Parts[:k])
				if i := slices.IndexFunc(cols, func(c columnInfo) bool { return c.Name == name }); i >= 0 {
					if !slices.Contains(used, i) {
						used = append(used, i)
					}
					return
				}
			}
		case *sql.Lambda:
			before := len(params)
			for _, p := range n.Params {
				params = append(params, p.Name())
			}
			visit(n.Body)
			params = params[:before]
		default:
			sql.Children(n, visit)
		}
	}
	visit(e)
	return used
}

// checkColumns settles the columns of a new table: it binds defaults and conditions, and gives columns without a type that of their default.
func (q *run) checkColumns(t *memoryTable) error {
	var given []int
	insertable, physical := false, false
	for i := range t.cols {
		c := &t.cols[i]
		physical = physical || c.stored()
		insertable = insertable || c.insertable() && c.stored()
		if t.defs[i].Default == nil && c.DefaultKind == "" {
			given = append(given, i)
		} else if err := refuseInDefault(t.defs[i].Default); err != nil {
			return err
		}
	}
	switch {
	case !physical:
		return errcode.New(errcode.EmptyListOfColumnsPassed, "Cannot CREATE table without physical columns")
	case !insertable:
		return errcode.New(errcode.EmptyListOfColumnsPassed, "Cannot CREATE table without insertable columns")
	}
	x := q.newColumnExprs(t.cols, t.defs, given)
	for i := range t.cols {
		e, err := x.bind(i)
		if err != nil {
			return err
		}
		switch {
		case e.hasAggregate:
			return errcode.New(errcode.IllegalAggregation, "Aggregate function is found in column DEFAULT expression of %s", t.cols[i].Name)
		case e.hasArrayJoin:
			return errcode.New(errcode.ThereIsNoDefaultValue, "Unsupported default value that requires ARRAY JOIN action: default expression and column type are incompatible.")
		}
		if t.cols[i].Type == nil {
			t.cols[i].Type = e.typ
		}
	}
	for _, c := range t.checks {
		if err := x.bindUsed(c.Expr); err != nil {
			return err
		}
		if _, err := x.b.bind(c.Expr); err != nil {
			return err
		}
	}
	return nil
}

// refuseInDefault refuses queries in a default.
func refuseInDefault(e sql.Expr) error {
	var found error
	if e == nil {
		return nil
	}
	sql.Walk(e, func(n sql.Node) bool {
		if _, ok := n.(*sql.Subquery); ok {
			found = errcode.New(errcode.ThereIsNoDefaultValue, "Select query is not allowed in columns DEFAULT expression")
		}
		return found == nil
	})
	return found
}

// withAliases is a table whose ALIAS columns are computed when they are read. EPHEMERAL columns cannot be.
type withAliases struct {
	*memoryTable
	q *run
}

// forReading is a table as FROM sees it.
func (t *memoryTable) forReading(q *run) relation {
	if slices.ContainsFunc(t.cols, func(c columnInfo) bool { return !c.stored() }) {
		return &withAliases{t, q}
	}
	return t
}

// open reads the columns that the aliases need and computes these.
func (t *withAliases) open(ex *exec, r readRequest) ([]stream, error) {
	var base []int // columns of the table to be read
	computed := false
	var add func(i int) error
	add = func(i int) error {
		switch c := &t.cols[i]; {
		case c.DefaultKind == kindEphemeral:
			return errcode.New(errcode.NoSuchColumnInTable, "There is no column with name `%s` in table %s: it is EPHEMERAL", c.Name, t.tableName())
		case c.stored():
			if !slices.Contains(base, i) {
				base = append(base, i)
			}
			return nil
		}
		computed = true
		for _, k := range usedColumns(t.defs[i].Default, t.cols) {
			if err := add(k); err != nil {
				return err
			}
		}
		return nil
	}
	for _, i := range r.cols {
		if err := add(i); err != nil {
			return nil, err
		}
	}
	if !computed {
		return t.memoryTable.open(ex, r)
	}
	x := t.q.newColumnExprs(t.cols, t.defs, base)
	outs := make([]*expr, len(r.cols))
	for k, i := range r.cols {
		var err error
		if outs[k], err = x.bind(i); err != nil {
			return nil, err
		}
	}
	prog, err := x.compile(outs)
	if err != nil {
		return nil, err
	}
	r.cols = base
	streams, err := t.memoryTable.open(ex, r)
	if err != nil {
		return nil, err
	}
	c := &chain{ex: ex, streams: streams, transient: r.transient}
	c.each(func(in stream) stream {
		cut := cutter{in: in, f: c.frame(prog)}
		return streamFunc(func() (*batch, error) {
			b, cols, err := cut.next(nil)
			if b == nil || err != nil {
				return nil, err
			}
			return &batch{cols: cols, rows: b.rows, seq: b.seq, more: b.more}, nil
		})
	})
	return c.streams, nil
}
