package query

import (
	"fmt"
	"strings"

	"dictsvc/column"
	"dictsvc/errcode"
	"dictsvc/sql"
)

// reply sends a small result that is at hand.
func (q *run) reply(out *sql.Output, cols []columnInfo, rows func(add func(values ...any))) error {
	block := make([]column.Column, len(cols))
	for i, c := range cols {
		block[i] = column.New(c.Type, 0)
	}
	n := 0
	rows(func(values ...any) {
		n++
		for i, c := range block {
			var v any
			if i < len(values) {
				v = values[i]
			}
			appendAny(c, v)
		}
	})
	return q.send(newRows(cols, block, n), out)
}

func textColumns(names ...string) []columnInfo {
	cols := make([]columnInfo, len(names))
	for i, n := range names {
		cols[i] = columnInfo{Name: n, Type: column.Of(column.String)}
	}
	return cols
}

// rewritten runs a statement as the SELECT that it is short for.
func (q *run) rewritten(out *sql.Output, text string) error {
	s, err := sql.Parse(text, sql.Options{})
	if err != nil {
		return errcode.New(errcode.LogicalError, "The statement became %s: %v", text, err)
	}
	p, err := q.bindQuery(s.(*sql.SelectQuery), nil)
	if err != nil {
		return err
	}
	return q.send(p, out)
}

// conditions are WHERE ... ORDER BY ... LIMIT of a SHOW.
func conditions(s *sql.Show, fixed, column, order string) string {
	var list []string
	if fixed != "" {
		list = append(list, fixed)
	}
	if l := s.Like; l != nil {
		op := "LIKE"
		if l.ILike {
			op = "ILIKE"
		}
		if l.Not {
			op = "NOT " + op
		}
		list = append(list, column+" "+op+" "+sql.QuoteString(l.Pattern))
	}
	if s.Where != nil {
		list = append(list, "("+sql.Format(s.Where)+")")
	}
	text := ""
	if len(list) > 0 {
		text = " WHERE " + strings.Join(list, " AND ")
	}
	if order != "" {
		text += " ORDER BY " + order
	}
	if s.Limit != nil {
		text += " LIMIT " + sql.Format(s.Limit)
	}
	return text
}

// show runs SHOW, most of it as a SELECT from a system table.
func (q *run) show(s *sql.Show) error {
	database := s.From.Database
	if s.From.DatabaseParam != nil {
		var err error
		if database, err = q.paramText(s.From.DatabaseParam); err != nil {
			return err
		}
	}
	if database == "" {
		database = q.database
	}
	inDatabase := "database = " + sql.QuoteString(database)
	switch s.Kind {
	case sql.ShowDatabases:
		return q.rewritten(&s.Output, "SELECT name FROM system.databases"+conditions(s, "", "name", "name"))
	case sql.ShowTables:
		if q.engine.catalog.database(database) == nil {
			return unknownDatabase(database)
		}
		cols := "name"
		if s.Full {
			cols = "name, engine"
		}
		if s.Temporary {
			inDatabase = "is_temporary"
		}
		return q.rewritten(&s.Output, "SELECT "+cols+" FROM system.tables"+conditions(s, inDatabase, "name", "name"))
	case sql.ShowDictionaries:
		if q.engine.catalog.database(database) == nil {
			return unknownDatabase(database)
		}
		return q.rewritten(&s.Output, "SELECT name FROM system.dictionaries"+conditions(s, inDatabase, "name", "name"))
	case sql.ShowColumns:
		return q.showColumns(s)
	case sql.ShowFunctions:
		return q.rewritten(&s.Output, "SELECT * FROM system.functions"+conditions(s, "", "name", ""))
	case sql.ShowProcesslist:
		return q.rewritten(&s.Output, "SELECT * FROM system.processes ORDER BY elapsed DESC")
	case sql.ShowSettings:
		fixed := ""
		if s.Changed {
			fixed = "changed"
		}
		return q.rewritten(&s.Output, "SELECT name, type, value FROM system.settings"+conditions(s, fixed, "name", ""))
	case sql.ShowSetting:
		return q.rewritten(&s.Output, "SELECT value FROM system.settings WHERE name = "+sql.QuoteString(s.From.Table))
	case sql.ShowEngines:
		return q.rewritten(&s.Output, "SELECT * FROM system.table_engines ORDER BY name")
	case sql.ShowClusters, sql.ShowCluster:
		return q.rewritten(&s.Output, "SELECT DISTINCT cluster FROM system.clusters")
	case sql.ShowMerges:
		return q.rewritten(&s.Output, "SELECT * FROM system.merges")
	}
	return errcode.New(errcode.NotImplemented, "SHOW %s is not supported", s.Words)
}

// showColumns runs SHOW COLUMNS FROM t.
func (q *run) showColumns(s *sql.Show) error {
	t, _, err := q.table(s.From)
	if err != nil {
		return err
	}
	cols := textColumns("field", "type", "null", "key", "default", "extra")
	cols[4].Type = column.NewNullable(column.Of(column.String))
	return q.reply(&s.Output, cols, func(add func(...any)) {
		for _, c := range t.columns() {
			if s.Like != nil && !likeMatch(s.Like, c.Name) {
				continue
			}
			null := "NO"
			if c.Type.IsNullable() {
				null = "YES"
			}
			var def any
			if c.Default != "" {
				def = c.Default
			}
			add(c.Name, c.Type.String(), null, "", def, "")
		}
	})
}

// showCreate runs SHOW CREATE.
func (q *run) showCreate(s *sql.ShowCreate) error {
	text := ""
	if s.Object == sql.ObjectDatabase {
		if q.engine.catalog.database(s.Name.Database) == nil {
			return unknownDatabase(s.Name.Database)
		}
		text = "CREATE DATABASE " + sql.QuoteName(s.Name.Database) + "\nENGINE = Atomic"
	} else {
		t, name, err := q.table(s.Name)
		if err != nil {
			if errcode.Of(err) == errcode.UnknownTable {
				hint := ""
				if near := q.engine.catalog.near(err, name); near != "" {
					hint = ": Maybe you meant " + near + "?"
				}
				return errcode.New(errcode.CannotGetCreateTableQuery, "There is no metadata of table `%s` in database `%s`%s", name.Table, name.Database, hint)
			}
			return err
		}
		_, isDict := t.(*dictTable)
		if s.Object == sql.ObjectDictionary && !isDict {
			return errcode.New(errcode.BadArguments, "Table %s is not a dictionary", name)
		}
		if text = t.create(); text == "" {
			return errcode.New(errcode.CannotGetCreateTableQuery, "There is no CREATE statement of %s", name)
		}
	}
	return q.reply(&s.Output, textColumns("statement"), func(add func(...any)) { add(text) })
}

// existsStatement runs EXISTS.
func (q *run) existsStatement(s *sql.Exists) error {
	found := false
	name, err := q.tableName(s.Name)
	if err != nil {
		return err
	}
	switch s.Object {
	case sql.ObjectDatabase:
		found = q.engine.HasDatabase(name.Database)
	default:
		if name.Database == "" && q.session.temp[name.Table] != nil {
			found = s.Object != sql.ObjectDictionary
			break
		}
		if s.Temporary {
			break
		}
		if name.Database == "" {
			name.Database = q.database
		}
		t, err := q.engine.catalog.find(name.Database, name.Table)
		_, isDict := t.(*dictTable)
		_, isView := t.(*viewTable)
		found = err == nil && (s.Object != sql.ObjectDictionary || isDict) && (s.Object != sql.ObjectView || isView)
	}
	cols := []columnInfo{{Name: "result", Type: column.Of(column.UInt8)}}
	return q.reply(&s.Output, cols, func(add func(...any)) { add(found) })
}

// describe runs DESCRIBE of a table, a table function or a query.
func (q *run) describe(s *sql.Describe) error {
	var rel relation
	var err error
	switch t := s.Table; {
	case t.Query != nil:
		rel, err = q.bindQuery(t.Query, nil)
	case t.Func != nil:
		rel, err = (&binder{q: q, sel: &sql.Select{}}).tableFunction(t.Func)
	default:
		rel, _, err = q.table(*t.Name)
	}
	if err != nil {
		return err
	}
	names := []string{"name", "type", "default_type", "default_expression", "comment", "codec_expression", "ttl_expression"}
	switch {
	case q.req.OldClient:
		names = []string{"name", "type", "default_type", "default_expression", "comment_expression"}
	case q.settings.flag("describe_compact_output", false):
		names = names[:2]
	}
	return q.reply(&s.Output, textColumns(names...), func(add func(...any)) {
		for _, c := range rel.columns() {
			add(c.Name, c.Type.Pretty(), c.DefaultKind, c.Default, c.Comment, "", "")
		}
	})
}

// killQuery runs KILL QUERY WHERE condition over system.processes.
func (q *run) killQuery(s *sql.Kill) error {
	if s.Object != "QUERY" {
		return errcode.New(errcode.NotImplemented, "KILL %s is not supported", s.Object)
	}
	stmt, err := sql.Parse("SELECT query_id, user, query FROM system.processes WHERE "+sql.Format(s.Where), sql.Options{})
	if err != nil {
		return err
	}
	p, err := q.bindQuery(stmt.(*sql.SelectQuery), nil)
	if err != nil {
		return err
	}
	type line struct{ id, user, text string }
	var found []line
	err = q.runPlan(p, nil, func(b *batch) (bool, error) {
		for i := range b.rows {
			at := func(k int) string { return string(column.AppendText(nil, b.cols[k], i, column.TextRaw)) }
			found = append(found, line{at(0), at(1), at(2)})
		}
		return true, nil
	})
	if err != nil {
		return err
	}
	status := make([]string, len(found))
	for i, f := range found {
		status[i] = "waiting"
		switch {
		case f.id == q.id:
			status[i] = "cant_cancel"
		case !s.Test && !q.engine.Cancel(f.id):
			status[i] = "finished"
		}
	}
	if len(found) == 0 {
		return nil
	}
	return q.reply(&s.Output, textColumns("kill_status", "query_id", "user", "query"), func(add func(...any)) {
		for i, f := range found {
			if status[i] != "cant_cancel" {
				add(status[i], f.id, f.user, f.text)
			}
		}
	})
}

// isSuggestionQuery recognises the query with which old clients ask for words to complete; its functions serve nothing else.
func isSuggestionQuery(text string) bool {
	return strings.HasPrefix(text, "SELECT DISTINCT arrayJoin(extractAll(name,")
}

// suggestions answers it: names of functions, settings, tables and columns.
func (q *run) suggestions() error {
	seen := map[string]bool{}
	return q.reply(&sql.Output{}, textColumns("res"), func(add func(...any)) {
		word := func(names ...string) {
			for _, n := range names {
				if len(n) > 1 && !seen[n] {
					seen[n] = true
					add(n)
				}
			}
		}
		word(q.engine.functionNames()...)
		word(settingNames()...)
		for _, db := range q.engine.catalog.databaseNames() {
			word(db)
			for _, t := range q.engine.catalog.list(db) {
				word(t.name)
				for _, c := range t.columns() {
					word(c.Name)
				}
			}
		}
	})
}

// errorLine is an error as system tables show it.
func errorLine(err error) string {
	return fmt.Sprintf("%s (version %s)", errcode.Line(err), Version)
}
