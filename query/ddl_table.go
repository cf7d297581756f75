package query

import (
	"slices"
	"strings"

	"dictsvc/column"
	"dictsvc/errcode"
	"dictsvc/sql"
)

// createDatabase runs CREATE DATABASE.
func (q *run) createDatabase(s *sql.CreateDatabase) error {
	c := &q.engine.catalog
	c.ddl.Lock()
	defer c.ddl.Unlock()
	if s.Engine != nil && s.Engine.Name != "" && !slices.Contains([]string{"Atomic", "Memory", "Ordinary"}, s.Engine.Name) {
		return errcode.New(errcode.UnknownDatabaseEngine, "Unknown database engine: %s; there are Atomic and Memory", s.Engine.Name)
	}
	if c.database(s.Name.Database) != nil {
		if s.IfNotExists {
			return nil
		}
		return errcode.New(errcode.DatabaseAlreadyExists, "Database %s already exists", s.Name.Database)
	}
	db := &database{name: s.Name.Database, uuid: newQueryID(), tables: map[string]*memoryTable{}}
	if err := c.saveDatabase(db); err != nil {
		return err
	}
	c.mu.Lock()
	c.databases[db.name] = db
	c.mu.Unlock()
	return nil
}

// createTable runs CREATE TABLE ... ENGINE = Memory, with or without AS.
func (q *run) createTable(s *sql.CreateTable) error {
	name, err := q.tableName(s.Name)
	if err != nil {
		return err
	}
	if name.Database == "" && !s.Temporary {
		name.Database = q.database
	}
	c := &q.engine.catalog
	c.ddl.Lock()
	defer c.ddl.Unlock()
	replace := s.OrReplace || s.Replace
	if done, err := q.checkNewTable(s, name, replace); done || err != nil {
		return err
	}
	t := &memoryTable{name: name, temp: s.Temporary, budget: q.engine.tableMemory}
	var rows relation
	if err := q.defineColumns(s, t, &rows); err != nil {
		return err
	}
	if err := q.tableEngine(s, t); err != nil {
		return err
	}
	t.text, t.note = tableText(t, s), s.Comment
	if rows != nil && !s.Empty {
		if err := q.fill(t, rows); err != nil {
			return err
		}
	}
	if s.Temporary {
		if q.session.temp == nil {
			q.session.temp = map[string]*memoryTable{}
		}
		if old := q.session.temp[name.Table]; old != nil {
			old.drop()
		}
		q.session.temp[name.Table] = t
		return nil
	}
	if t.uuid = s.UUID; t.uuid == "" {
		t.uuid = newQueryID()
	}
	if !q.loading {
		if err := c.saveTable(t); err != nil {
			return err
		}
	}
	c.mu.Lock()
	old := c.databases[name.Database].tables[name.Table]
	c.databases[name.Database].tables[name.Table] = t
	c.mu.Unlock()
	if old != nil {
		old.drop()
	}
	return nil
}

// checkNewTable refuses a name that is taken; done tells that there is nothing to do.
func (q *run) checkNewTable(s *sql.CreateTable, name sql.TableName, replace bool) (done bool, err error) {
	c := &q.engine.catalog
	if s.Temporary {
		if q.session.temp[name.Table] == nil || replace {
			return false, nil
		}
		if s.IfNotExists {
			return true, nil
		}
		return false, errcode.New(errcode.TableAlreadyExists, "Temporary table %s already exists", name.Table)
	}
	if c.database(name.Database) == nil {
		return false, unknownDatabase(name.Database)
	}
	old, err := c.find(name.Database, name.Table)
	if err != nil {
		if s.Replace && !s.OrReplace {
			return false, err
		}
		return false, nil
	}
	_, isDict := old.(*dictTable)
	switch {
	case s.IfNotExists:
		return true, nil
	case isDict && !replace:
		return false, errcode.New(errcode.DictionaryAlreadyExists, "Dictionary %s already exists", name)
	case isDict:
		return false, errcode.New(errcode.IncorrectQuery, "%s is a dictionary, not a table", name)
	case !replace:
		return false, errcode.New(errcode.TableAlreadyExists, "Table %s already exists", name)
	}
	return false, nil
}

// defineColumns settles a new table's columns: a list, those of another table or function, or those of a query.
func (q *run) defineColumns(s *sql.CreateTable, t *memoryTable, rows *relation) error {
	if s.AsSelect != nil {
		p, err := q.bindQuery(s.AsSelect, nil)
		if err != nil {
			return err
		}
		*rows = p
	}
	switch {
	case s.HasColumns:
		if len(s.Columns) == 0 {
			return errcode.New(errcode.SyntaxError, "Syntax error: empty list of columns")
		}
		return q.columnList(s, t)
	case s.AsTable != nil:
		src, _, err := q.table(*s.AsTable)
		if err != nil {
			return err
		}
		t.cols = slices.Clone(src.columns())
		if m, ok := src.(*memoryTable); ok {
			t.defs = m.defs
			if s.Clone {
				*rows = m
			}
		}
	case s.AsFunc != nil:
		b := &binder{q: q}
		rel, err := b.tableFunction(s.AsFunc)
		if err != nil {
			return err
		}
		t.cols, *rows = slices.Clone(rel.columns()), rel
	case *rows != nil:
		for _, c := range (*rows).columns() {
			t.cols = append(t.cols, columnInfo{Name: c.Name, Type: c.Type})
		}
	default:
		return errcode.New(errcode.IncorrectQuery, "Incorrect CREATE query: required list of column descriptions or AS section or SELECT.")
	}
	return distinctNames(t.cols)
}

func distinctNames(cols []columnInfo) error {
	seen := map[string]bool{}
	for _, c := range cols {
		if seen[c.Name] {
			return errcode.New(errcode.IllegalColumn, "Cannot add column %s: column with this name already exists.", c.Name)
		}
		seen[c.Name] = true
	}
	return nil
}

// columnList binds written columns with their defaults.
func (q *run) columnList(s *sql.CreateTable, t *memoryTable) error {
	t.defs = s.Columns
	for _, d := range s.Columns {
		info := columnInfo{Name: d.Name, Comment: d.Comment}
		if d.DefaultKind == sql.DefaultAlias || d.DefaultKind == sql.DefaultEphemeral {
			return errcode.New(errcode.NotImplemented, "ALIAS and EPHEMERAL columns are not supported: column %s", d.Name)
		}
		var err error
		if d.Type != nil {
			if info.Type, err = typeOf(d.Type); err != nil {
				return err
			}
			if err := info.Type.Suspicious(q.settings.get); err != nil {
				return err
			}
			if d.Null && !info.Type.IsNullable() && canBeNullable(info.Type) {
				info.Type = column.NewNullable(info.Type)
			}
		}
		if d.Default != nil {
			info.DefaultKind = "DEFAULT"
			if d.DefaultKind == sql.DefaultMaterialized {
				info.DefaultKind = "MATERIALIZED"
			}
			info.Default = sql.Format(d.Default)
		}
		t.cols = append(t.cols, info)
	}
	if err := distinctNames(t.cols); err != nil {
		return err
	}
	return q.checkDefaults(t)
}

// checkDefaults binds the defaults over the other columns; a column without a type takes its default's.
func (q *run) checkDefaults(t *memoryTable) error {
	for i := range t.cols {
		if t.defs[i].Default == nil {
			continue
		}
		var known []columnInfo
		for k, c := range t.cols {
			if k != i && c.Type != nil {
				known = append(known, c)
			}
		}
		b := &binder{q: q}
		b.source = []*scopeTable{newScopeTable(newRows(known, nil, 0))}
		e, err := b.bind(t.defs[i].Default)
		if err != nil {
			return err
		}
		if t.cols[i].Type == nil {
			t.cols[i].Type = e.typ
			continue
		}
		if _, err := b.cast(e, t.cols[i].Type); err != nil {
			return err
		}
	}
	return nil
}

// tableText is the CREATE statement of a table as SHOW CREATE prints it.
func tableText(t *memoryTable, s *sql.CreateTable) string {
	out := sql.CreateTable{Name: t.name, Temporary: t.temp, HasColumns: true, Engine: &sql.Engine{Name: t.kind, Settings: t.conf.list}, Comment: s.Comment, HasComment: s.HasComment}
	if t.temp {
		out.Name.Database = ""
	}
	for i, c := range t.cols {
		d := &sql.ColumnDef{Name: c.Name, Comment: c.Comment, HasComment: c.Comment != ""}
		if e, err := sql.ParseType(c.Type.String(), sql.Options{}); err == nil {
			d.Type = e
		}
		if t.defs != nil && t.defs[i].Default != nil {
			d.DefaultKind, d.Default = t.defs[i].DefaultKind, t.defs[i].Default
		}
		out.Columns = append(out.Columns, d)
	}
	return sql.FormatPretty(&out)
}

// flatText is a CREATE statement on one line, as system.tables has it.
func flatText(text string) string {
	if text == "" {
		return ""
	}
	s, err := sql.Parse(text, sql.Options{MaxQuerySize: 1 << 30})
	if err != nil {
		return strings.Join(strings.Fields(text), " ")
	}
	return sql.Format(s)
}

// fill inserts a query's rows into a new table.
func (q *run) fill(t *memoryTable, rows relation) error {
	from := rows.columns()
	if len(from) != len(t.cols) {
		return columnsDontMatch(len(from), len(t.cols))
	}
	w := &tableWriter{q: q, t: t}
	defer w.close()
	err := q.runPlan(rows, nil, func(b *batch) (bool, error) {
		cols := make([]column.Column, len(b.cols))
		for i, c := range b.cols {
			v, err := convertColumn(c, t.cols[i].Type)
			if err != nil {
				return false, err
			}
			cols[i] = v
		}
		return true, w.add(cols, b.rows)
	})
	if err != nil {
		return err
	}
	return w.commit()
}

func columnsDontMatch(source, result int) error {
	return errcode.New(errcode.NumberOfColumnsDoesntMatch, "Number of columns doesn't match (source: %d and result: %d)", source, result)
}
