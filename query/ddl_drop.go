package query

import (
	"strings"

	"dictsvc/dict"
	"dictsvc/errcode"
	"dictsvc/sql"
)

// drop runs DROP, DETACH and TRUNCATE.
func (q *run) drop(s *sql.Drop) error {
	c := &q.engine.catalog
	c.ddl.Lock()
	defer c.ddl.Unlock()
	if s.AllTables {
		return q.truncateAll(s)
	}
	for _, n := range s.Names {
		n, err := q.tableName(n)
		if err != nil {
			return err
		}
		switch s.Object {
		case sql.ObjectDatabase:
			err = q.dropDatabase(s, n.Database)
		case sql.ObjectFunction:
			err = q.dropFunction(s, n.Table)
		default:
			err = q.dropTable(s, n)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (q *run) truncateAll(s *sql.Drop) error {
	db := q.database
	if len(s.Names) > 0 && s.Names[0].Database != "" {
		db = s.Names[0].Database
	}
	if q.engine.catalog.database(db) == nil {
		return unknownDatabase(db)
	}
	for _, t := range q.engine.catalog.list(db) {
		if m, ok := t.table.(*memoryTable); ok && (s.Like == nil || likeMatch(s.Like, t.name)) {
			m.truncate()
		}
	}
	return nil
}

func (q *run) dropDatabase(s *sql.Drop, name string) error {
	c := &q.engine.catalog
	if c.database(name) == nil {
		if s.IfExists {
			return nil
		}
		return unknownDatabase(name)
	}
	if s.Kind != sql.DropTruncate && (name == "system" || name == "default") {
		return errcode.New(errcode.NotImplemented, "The database %s cannot be dropped", name)
	}
	tables := c.list(name)
	if s.IfEmpty && len(tables) > 0 {
		return errcode.New(errcode.DatabaseNotEmpty, "Database %s is not empty", name)
	}
	for _, t := range tables {
		if m, ok := t.table.(*memoryTable); ok && s.Kind == sql.DropTruncate {
			m.truncate()
			continue
		}
		if _, ok := t.table.(*dictTable); ok && s.Kind == sql.DropTruncate {
			continue
		}
		if err := c.removeObject(name, t.name); err != nil {
			return err
		}
	}
	if s.Kind == sql.DropTruncate {
		return nil
	}
	if s.Kind == sql.DropDetach {
		return errcode.New(errcode.NotImplemented, "DETACH DATABASE is not supported")
	}
	if err := c.removeDatabaseFiles(name); err != nil {
		return err
	}
	c.mu.Lock()
	delete(c.databases, name)
	c.mu.Unlock()
	return nil
}

func (q *run) dropFunction(s *sql.Drop, name string) error {
	c := &q.engine.catalog
	c.mu.Lock()
	_, known := c.functions[name]
	delete(c.functions, name)
	c.mu.Unlock()
	if !known {
		if s.IfExists {
			return nil
		}
		return errcode.New(errcode.UnknownFunction, "The function '%s' doesn't exist", name)
	}
	return c.removeFunctionFile(name)
}

func (q *run) dropTable(s *sql.Drop, n sql.TableName) error {
	c := &q.engine.catalog
	if n.Database == "" && s.Object != sql.ObjectDictionary {
		if t := q.session.temp[n.Table]; t != nil {
			if s.Kind == sql.DropTruncate {
				t.truncate()
			} else {
				t.drop()
				delete(q.session.temp, n.Table)
			}
			return nil
		}
	}
	if s.Temporary {
		if s.IfExists {
			return nil
		}
		return errcode.New(errcode.UnknownTable, "Temporary table %s doesn't exist", n.Table)
	}
	if n.Database == "" {
		n.Database = q.database
	}
	t, err := c.find(n.Database, n.Table)
	if err != nil {
		if s.IfExists && (errcode.Of(err) == errcode.UnknownTable || errcode.Of(err) == errcode.UnknownDatabase) {
			return nil
		}
		return c.suggest(err, n)
	}
	switch t := t.(type) {
	case *dictTable:
		switch {
		case s.Kind == sql.DropTruncate:
			return errcode.New(errcode.SyntaxError, "Cannot TRUNCATE dictionary")
		case s.Object == sql.ObjectTable:
			return errcode.New(errcode.CannotDetachDictionaryAsTable, "Cannot drop/detach dictionary %s as table, use DROP DICTIONARY or DETACH DICTIONARY query instead", n)
		}
	case *viewTable:
		if s.Object == sql.ObjectDictionary {
			return errcode.New(errcode.IncorrectQuery, "Table %s is not a Dictionary", n)
		}
		if s.Kind == sql.DropTruncate {
			return errcode.New(errcode.NotImplemented, "Truncate is not supported by storage View")
		}
	case *memoryTable:
		if s.Object == sql.ObjectDictionary {
			return errcode.New(errcode.IncorrectQuery, "Table %s is not a Dictionary", n)
		}
		if s.Object == sql.ObjectView {
			return errcode.New(errcode.IncorrectQuery, "Table %s is not a View", n)
		}
		if s.Kind == sql.DropTruncate {
			if t.kind == nullEngine {
				return errcode.New(errcode.NotImplemented, "Truncate is not supported by storage Null")
			}
			t.truncate()
			return nil
		}
	default:
		return errcode.New(errcode.NotImplemented, "Tables of the database %s cannot be changed", n.Database)
	}
	if err := q.checkDependents(n); err != nil {
		return err
	}
	if s.Kind == sql.DropDetach {
		return c.detach(n, t, s.Permanently)
	}
	return c.removeObject(n.Database, n.Table)
}

// checkDependents refuses to drop a table that a dictionary of this server reads.
func (q *run) checkDependents(n sql.TableName) error {
	if !q.settings.flag("check_table_dependencies", true) {
		return nil
	}
	for _, d := range q.engine.dicts.List() {
		def := d.Definition()
		if def.Database == n.Database && def.Name == n.Table {
			continue
		}
		for _, t := range q.engine.sourceTables(def) {
			if t.Database == n.Database && t.Table == n.Table {
				return errcode.New(errcode.HaveDependentObjects, "Cannot drop or rename %s, because some tables depend on it: %s", n, def.FullName())
			}
		}
	}
	return nil
}

// sourceTables are the tables of this server that a dictionary reads.
func (e *Engine) sourceTables(def *dict.Definition) []sql.TableName {
	p := def.Source.Params
	if def.Source.Kind != "clickhouse" || p["host"] != "" {
		return nil
	}
	db := p["db"]
	if db == "" {
		db = def.Database
	}
	if p["table"] != "" {
		return []sql.TableName{{Database: db, Table: p["table"]}}
	}
	var out []sql.TableName
	s, err := sql.Parse(p["query"], sql.Options{})
	if err != nil {
		return nil
	}
	sql.Walk(s, func(n sql.Node) bool {
		if t, ok := n.(*sql.TableExpr); ok && t.Name != nil {
			name := *t.Name
			if name.Database == "" {
				name.Database = db
			}
			out = append(out, sql.TableName{Database: name.Database, Table: name.Table})
		}
		return true
	})
	return out
}

// removeObject drops a table or dictionary with its definition.
func (c *catalog) removeObject(database, name string) error {
	if err := c.removeFile(database, name); err != nil {
		return err
	}
	c.mu.Lock()
	var t held
	if db := c.databases[database]; db != nil {
		t = db.tables[name]
		delete(db.tables, name)
	}
	c.mu.Unlock()
	if t != nil {
		t.drop()
	}
	c.engine.dicts.Drop(database, name)
	return nil
}

// rename runs RENAME and EXCHANGE of tables and dictionaries.
func (q *run) rename(s *sql.Rename) error {
	c := &q.engine.catalog
	c.ddl.Lock()
	defer c.ddl.Unlock()
	if s.Object == sql.ObjectDatabase {
		return errcode.New(errcode.NotImplemented, "RENAME DATABASE is not supported")
	}
	for _, p := range s.Pairs {
		from, err := q.tableName(p.From)
		if err != nil {
			return err
		}
		to, err := q.tableName(p.To)
		if err != nil {
			return err
		}
		if from.Database == "" {
			from.Database = q.database
		}
		if to.Database == "" {
			to.Database = q.database
		}
		if err := q.renameOne(s, from, to); err != nil {
			return err // what was renamed before stays so, as in ClickHouse
		}
	}
	return nil
}

// renameOne renames or exchanges one pair.
func (q *run) renameOne(s *sql.Rename, from, to sql.TableName) error {
	c := &q.engine.catalog
	a, missing := c.find(from.Database, from.Table)
	if missing != nil && s.IfExists && errcode.Of(missing) == errcode.UnknownTable {
		return nil
	}
	if c.database(to.Database) == nil {
		return unknownDatabase(to.Database)
	}
	b, err := c.find(to.Database, to.Table)
	if err == nil && !s.Exchange {
		return errcode.New(errcode.TableAlreadyExists, "Table %s already exists", to)
	}
	if missing != nil {
		if errcode.Of(missing) == errcode.UnknownTable {
			return errcode.New(errcode.UnknownTable, "Table `%s`.`%s` doesn't exist", from.Database, from.Table)
		}
		return missing
	}
	if _, isDict := a.(*dictTable); s.Object == sql.ObjectDictionary && !isDict {
		return errcode.New(errcode.IncorrectQuery, "Use RENAME/EXCHANGE TABLE (instead of RENAME/EXCHANGE DICTIONARY) for tables")
	}
	if s.Exchange {
		if err != nil {
			return err
		}
		return c.exchange(a, b, from, to)
	}
	return c.move(a, to)
}

// move gives an object another name, in memory and on disk.
func (c *catalog) move(t table, to sql.TableName) error {
	switch t := t.(type) {
	case held:
		old := t.tableName()
		c.mu.Lock()
		delete(c.databases[old.Database].tables, old.Table)
		t.rename(to, renamedText(t.create(), to))
		c.databases[to.Database].tables[to.Table] = t
		c.mu.Unlock()
		return c.moveFile(old, to)
	case *dictTable:
		def := *t.def
		old := sql.TableName{Database: def.Database, Table: def.Name}
		def.Database, def.Name = to.Database, to.Table
		def.SQL = renamedText(def.SQL, to)
		if err := c.engine.dicts.Rename(old.Database, old.Table, &def); err != nil {
			return err
		}
		return c.moveFile(old, to)
	}
	return errcode.New(errcode.NotImplemented, "Tables of the database system cannot be renamed")
}

// exchange gives two objects each other's name, two tables or views or two dictionaries: in one step on disk, and in one step for readers.
func (c *catalog) exchange(a, b table, from, to sql.TableName) error {
	switch a := a.(type) {
	case held:
		b, ok := b.(held)
		if !ok {
			break
		}
		for _, t := range []held{a, b} {
			if v, ok := t.(*viewTable); ok && v.dependsOn(from, to) {
				return errcode.New(errcode.InfiniteLoop, "Cannot exchange '%s' and '%s', because it will lead to cyclic dependencies: %s depends on one of them", from, to, v.tableName())
			}
		}
		if err := c.exchangeFiles(from, to); err != nil {
			return err
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		a.rename(to, renamedText(a.create(), to))
		b.rename(from, renamedText(b.create(), from))
		c.databases[to.Database].tables[to.Table] = a
		c.databases[from.Database].tables[from.Table] = b
		return nil
	case *dictTable:
		b, ok := b.(*dictTable)
		if !ok {
			break
		}
		if err := c.exchangeFiles(from, to); err != nil {
			return err
		}
		first, second := *a.def, *b.def
		first.Database, first.Name, first.SQL = to.Database, to.Table, renamedText(first.SQL, to)
		second.Database, second.Name, second.SQL = from.Database, from.Table, renamedText(second.SQL, from)
		return c.engine.dicts.Exchange(&first, &second)
	}
	return errcode.New(errcode.NotImplemented, "EXCHANGE of a table and a dictionary is not supported")
}

// renamedText is a CREATE statement with another name.
func renamedText(text string, to sql.TableName) string {
	s, err := sql.Parse(text, sql.Options{MaxQuerySize: 1 << 30})
	if err != nil {
		return text
	}
	switch s := s.(type) {
	case *sql.CreateTable:
		s.Name = to
	case *sql.CreateView:
		s.Name = to
	case *sql.CreateDictionary:
		s.Name = to
	}
	return sql.FormatPretty(s)
}

// likeMatch tells whether a name matches a LIKE clause of SHOW.
func likeMatch(l *sql.LikeClause, name string) bool {
	pattern := l.Pattern
	if l.ILike {
		pattern, name = strings.ToLower(pattern), strings.ToLower(name)
	}
	return like(pattern, name) != l.Not
}

// like matches % and _. Where what stands behind a % does not fit, the % takes one byte more: only the last one needs to, so that the time is bounded by the
// product of the lengths.
func like(pattern, s string) bool {
	star, again, rest := false, "", "" // whether there was a %, the pattern behind the last one, and what it is tried on
	for {
		switch {
		case pattern == "" && s == "":
			return true
		case pattern != "" && pattern[0] == '%':
			pattern = pattern[1:]
			star, again, rest = true, pattern, s
			continue
		case pattern != "" && s != "":
			p := pattern
			if p[0] == '\\' && len(p) > 1 {
				p = p[1:]
			}
			if pattern[0] == '_' || p[0] == s[0] {
				pattern, s = p[1:], s[1:]
				continue
			}
		}
		if !star || rest == "" {
			return false
		}
		rest = rest[1:]
		pattern, s = again, rest
	}
}
