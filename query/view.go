package query

import (
	"maps"
	"slices"
	"strings"

	"dictsvc/column"
	"dictsvc/errcode"
	"dictsvc/sql"
)

// viewTable is a view: a query under a name. Its columns are those of the query when the view was made; SELECT from it selects them, by their names,
// from the query as it is bound then.
type viewTable struct {
	named
	uuid  string
	cols  []columnInfo // none where the query has parameters
	query string       // the query's text: it is parsed anew for each SELECT, since binding may change what it binds
	asked bool         // the query has parameters
	note  string
}

func (v *viewTable) columns() []columnInfo       { return v.cols }
func (v *viewTable) engine() string              { return "View" }
func (v *viewTable) id() string                  { return v.uuid }
func (v *viewTable) comment() string             { return v.note }
func (v *viewTable) size() (_, _ uint64, _ bool) { return 0, 0, false }
func (v *viewTable) explain() string             { return "ReadFromView" }
func (v *viewTable) drop()                       {}

// open is for readers that take a table as it is; SELECT binds the view's query (source).
func (v *viewTable) open(ex *exec, r readRequest) ([]stream, error) {
	rel, err := ex.q.openView(v, nil)
	if err != nil {
		return nil, err
	}
	return rel.open(ex, r)
}

// openView binds a view's query. values are those of its parameters.
func (q *run) openView(v *viewTable, values map[string]string) (relation, error) {
	outer := q.viewParams
	q.viewParams = values
	if values == nil {
		q.viewParams = map[string]string{}
	}
	defer func() { q.viewParams = outer }()
	sq, err := v.parse()
	if err != nil {
		return nil, err
	}
	rel, err := q.bindQuery(sq, nil)
	if err != nil || v.asked {
		return rel, err
	}
	return q.viewColumns(v, rel)
}

// parse is the view's query.
func (v *viewTable) parse() (*sql.SelectQuery, error) {
	s, err := sql.Parse(v.query, sql.Options{MaxQuerySize: 1 << 30})
	if err != nil {
		return nil, errcode.Wrap(err, "view %s", v.tableName())
	}
	return s.(*sql.SelectQuery), nil
}

// viewColumns are a view's columns of what its query gives now.
func (q *run) viewColumns(v *viewTable, rel relation) (relation, error) {
	have := rel.columns()
	out := &viewRelation{relation: rel, info: v.cols, from: make([]int, len(v.cols)), cast: make([]*column.Type, len(v.cols))}
	same := len(have) == len(v.cols)
	for i, c := range v.cols {
		k := slices.IndexFunc(have, func(h columnInfo) bool { return h.Name == c.Name })
		if k < 0 { // only an error where the column is asked for
			out.from[i] = -1
			same = false
			continue
		}
		out.from[i] = k
		if !have[k].Type.Equal(c.Type) {
			if _, err := column.NewCast(have[k].Type, c.Type, column.CastPlain); err != nil {
				return nil, errcode.Wrap(err, "column %s of view %s", c.Name, v.tableName())
			}
			out.cast[i] = c.Type
			same = false
		}
		same = same && k == i
	}
	if same {
		return rel, nil
	}
	return out, nil
}

// viewRelation gives the columns of a view: some of its query's, converted where their types have become others.
type viewRelation struct {
	relation
	info []columnInfo
	from []int // places in the query's columns, -1: it has none of the name
	cast []*column.Type
}

func (v *viewRelation) columns() []columnInfo { return v.info }

func (v *viewRelation) open(ex *exec, r readRequest) ([]stream, error) {
	asked := r.cols
	r.cols = make([]int, len(asked))
	convert := false
	for i, c := range asked {
		if r.cols[i] = v.from[c]; r.cols[i] < 0 {
			return nil, errcode.New(errcode.UnknownIdentifier, "Unknown expression identifier `%s`: the query of the view has no such column now", v.info[c].Name)
		}
		convert = convert || v.cast[c] != nil
	}
	r.fixed = nil
	streams, err := v.relation.open(ex, r)
	if err != nil || !convert {
		return streams, err
	}
	c := &chain{ex: ex, streams: streams}
	c.each(func(in stream) stream {
		return streamFunc(func() (*batch, error) {
			b, err := in.next()
			if b == nil || err != nil {
				return nil, err
			}
			out := &batch{cols: slices.Clone(b.cols), rows: b.rows, seq: b.seq, more: b.more}
			for i, c := range asked {
				if t := v.cast[c]; t != nil {
					if out.cols[i], err = convertColumn(b.cols[i], t); err != nil {
						return nil, err
					}
				}
			}
			return out, nil
		})
	})
	return c.streams, nil
}

// parameterisedView binds view(name = value, ...); ok is false where the name is not that of such a view.
func (b *binder) parameterisedView(f *sql.Func) (rel relation, ok bool, err error) {
	name := sql.TableName{Table: f.Name}
	if db, table, dotted := strings.Cut(f.Name, "."); dotted {
		name = sql.TableName{Database: db, Table: table}
	}
	t, _, err := b.q.table(name)
	v, isView := t.(*viewTable)
	if err != nil || !isView || !v.asked {
		return nil, false, nil
	}
	values := map[string]string{}
	for _, a := range f.Args {
		eq, isFunc := a.(*sql.Func)
		if !isFunc || eq.Name != "equals" || len(eq.Args) != 2 {
			return nil, true, errcode.New(errcode.BadArguments, "A view with parameters takes name = value, got %s", sql.Format(a))
		}
		id, isName := eq.Args[0].(*sql.Ident)
		if !isName {
			return nil, true, errcode.New(errcode.BadArguments, "A view with parameters takes name = value, got %s", sql.Format(a))
		}
		e, err := b.bind(eq.Args[1])
		if err != nil {
			return nil, true, err
		}
		if !e.isConst() {
			return nil, true, errcode.New(errcode.BadArguments, "The value of parameter %s must be a constant", id.Name())
		}
		values[id.Name()] = string(column.AppendText(nil, column.Full(e.val), 0, column.TextTSV))
	}
	rel, err = b.q.openView(v, values)
	return rel, true, err
}

// createView runs CREATE [OR REPLACE] VIEW.
func (q *run) createView(s *sql.CreateView) error {
	if s.Materialized {
		return errcode.New(errcode.NotImplemented, "Materialized views are not supported; there are plain views")
	}
	c := &q.engine.catalog
	c.ddl.Lock()
	defer c.ddl.Unlock()
	return q.makeView(s)
}

func (q *run) makeView(s *sql.CreateView) error {
	name, err := q.tableName(s.Name)
	if err != nil {
		return err
	}
	if name.Database == "" {
		name.Database = q.database
	}
	asTable := &sql.CreateTable{IfNotExists: s.IfNotExists, OrReplace: s.OrReplace}
	if done, err := q.checkNewTable(asTable, name, s.OrReplace); done || err != nil {
		return err
	}
	v := &viewTable{uuid: s.UUID, note: s.Comment}
	if v.uuid == "" {
		v.uuid = newQueryID()
	}
	v.asked = hasParams(s.Query)
	if !q.loading {
		qualify(s.Query, q.database)
	}
	if len(s.Aliases) > 0 {
		if err := nameColumns(s.Query, s.Aliases); err != nil {
			return err
		}
	}
	v.query = sql.Format(s.Query)
	if err := q.defineView(s, v); err != nil {
		return err
	}
	if s.OrReplace {
		if err := q.checkCycle(v, name); err != nil {
			return err
		}
	}
	v.name, v.text = name, viewText(name, v, s)
	return q.engine.catalog.put(v, !q.loading)
}

// defineView settles a view's columns: those written, else those of its query, which is bound to find its faults.
func (q *run) defineView(s *sql.CreateView, v *viewTable) error {
	if !v.asked && !q.loading {
		sq, err := v.parse()
		if err != nil {
			return err
		}
		rel, err := q.bindQuery(sq, nil)
		if err != nil {
			return err
		}
		if !s.HasColumns {
			for _, c := range rel.columns() {
				v.cols = append(v.cols, columnInfo{Name: c.Name, Type: c.Type})
			}
		}
	}
	for _, d := range s.Columns {
		t, err := q.columnType(d)
		if err != nil {
			return err
		}
		if t == nil {
			return errcode.New(errcode.NotImplemented, "Column %s of a view has no type", d.Name)
		}
		v.cols = append(v.cols, columnInfo{Name: d.Name, Type: t, Comment: d.Comment})
	}
	return distinctNames(v.cols)
}

// nameColumns gives the columns of a query their names.
func nameColumns(sq *sql.SelectQuery, names []string) error {
	one := sq.Single()
	if one == nil || len(one.Columns) != len(names) {
		return errcode.New(errcode.BadArguments, "Number of aliases does not match number of expressions in SELECT list")
	}
	for i, n := range names {
		sql.SetAlias(one.Columns[i], n)
	}
	return nil
}

func hasParams(n sql.Node) bool {
	found := false
	sql.Walk(n, func(n sql.Node) bool {
		if _, ok := n.(*sql.Param); ok {
			found = true
		}
		return !found
	})
	return found
}

// viewText is the CREATE statement of a view.
func viewText(name sql.TableName, v *viewTable, s *sql.CreateView) string {
	out := sql.CreateView{Name: name, Query: s.Query, HasColumns: len(v.cols) > 0, Comment: s.Comment, HasComment: s.HasComment}
	for _, c := range v.cols {
		d := &sql.ColumnDef{Name: c.Name, Comment: c.Comment, HasComment: c.Comment != ""}
		if e, err := sql.ParseType(c.Type.String(), sql.Options{}); err == nil {
			d.Type = e
		}
		out.Columns = append(out.Columns, d)
	}
	return sql.FormatPretty(&out)
}

// qualify puts the database where a query names a table without one, so that the view means the same from every database: in FROM, on the right of
// IN, and in the names of dictionaries. Names of WITH stay.
func qualify(sq *sql.SelectQuery, database string) {
	qualifier{database: database}.node(sq, nil)
}

type qualifier struct{ database string }

// node walks a query; with are the names that WITH gives around it.
func (q qualifier) node(n sql.Node, with map[string]bool) {
	switch n := n.(type) {
	case *sql.Select:
		if len(n.With) > 0 {
			with = maps.Clone(with)
			if with == nil {
				with = map[string]bool{}
			}
			for i := range n.With {
				if n.With[i].Query != nil {
					with[n.With[i].Name] = true
				}
			}
		}
	case *sql.TableExpr:
		if t := n.Name; t != nil && t.Database == "" && t.DatabaseParam == nil && t.TableParam == nil && !with[t.Table] {
			t.Database = q.database
		}
	case *sql.Func:
		q.function(n, with)
	}
	sql.Children(n, func(child sql.Node) { q.node(child, with) })
}

// function qualifies the table of x IN table and the dictionary of dictGet and its like.
func (q qualifier) function(f *sql.Func, with map[string]bool) {
	place := -1
	switch {
	case strings.HasPrefix(f.Name, "dict") && f.Name != "dictionary" && len(f.Args) > 0:
		place = 0
	case isIn(f.Name) && len(f.Args) == 2:
		place = 1
	}
	if place < 0 {
		return
	}
	switch a := f.Args[place].(type) {
	case *sql.Ident:
		if len(a.Parts) == 1 && a.Params == nil && (place == 0 || !with[a.Parts[0]]) {
			a.Parts = []string{q.database, a.Parts[0]}
		}
	case *sql.Literal:
		if place == 0 && a.Value.Kind == sql.StringValue && !strings.Contains(a.Value.Str(), ".") {
			a.Value = sql.StringOf(q.database + "." + a.Value.Str())
		}
	}
}

// checkCycle refuses a view that reads the one whose place it takes, or views that do.
func (q *run) checkCycle(v *viewTable, name sql.TableName) error {
	name = sql.TableName{Database: name.Database, Table: name.Table} // without its position in the text
	seen := map[sql.TableName]bool{}
	var path []string
	var visit func(v *viewTable, at sql.TableName) bool
	visit = func(v *viewTable, at sql.TableName) bool {
		for _, t := range v.tables() {
			if t == name {
				path = append(path, at.String()+" -> ["+t.String()+"]")
				return true
			}
			if seen[t] {
				continue
			}
			seen[t] = true
			next, err := q.engine.catalog.find(t.Database, t.Table)
			if other, ok := next.(*viewTable); err == nil && ok && visit(other, t) {
				path = append(path, at.String()+" -> ["+t.String()+"]")
				return true
			}
		}
		return false
	}
	if !visit(v, name) {
		return nil
	}
	return errcode.New(errcode.InfiniteLoop, "Cannot add dependencies for '%s', because it will lead to cyclic dependencies: %s", name, strings.Join(path, "; "))
}

// tables are the tables and views that a view's query names.
func (v *viewTable) tables() []sql.TableName {
	sq, err := v.parse()
	if err != nil {
		return nil
	}
	var list []sql.TableName
	sql.Walk(sq, func(n sql.Node) bool {
		if t, ok := n.(*sql.TableExpr); ok && t.Name != nil {
			list = append(list, sql.TableName{Database: t.Name.Database, Table: t.Name.Table})
		}
		return true
	})
	return list
}

// dependsOn tells whether a view's query reads one of the tables.
func (v *viewTable) dependsOn(names ...sql.TableName) bool {
	return slices.ContainsFunc(v.tables(), func(t sql.TableName) bool {
		return slices.ContainsFunc(names, func(n sql.TableName) bool { return n.Database == t.Database && n.Table == t.Table })
	})
}
