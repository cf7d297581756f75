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
	db := newDatabase(s.Name.Database, newQueryID())
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
	c := &q.engine.catalog
	c.ddl.Lock()
	defer c.ddl.Unlock()
	return q.makeTable(s)
}

func (q *run) makeTable(s *sql.CreateTable) error {
	name, err := q.tableName(s.Name)
	if err != nil {
		return err
	}
	if s.Temporary && name.Database != "" {
		return errcode.New(errcode.BadDatabaseForTemporaryTable, "Temporary tables cannot be inside a database. You should not specify a database for a temporary table.")
	}
	if name.Database == "" && !s.Temporary {
		name.Database = q.database
	}
	replace := s.OrReplace || s.Replace
	if done, err := q.checkNewTable(s, name, replace); done || err != nil {
		return err
	}
	t := &memoryTable{temp: s.Temporary, budget: q.engine.tableMemory}
	t.name = name
	var rows relation
	if err := q.defineColumns(s, t, &rows); err != nil {
		return err
	}
	if err := q.tableEngine(s, t); err != nil {
		return err
	}
	t.text, t.note = tableText(t, s), s.Comment
	if t.uuid = s.UUID; t.uuid == "" && !s.Temporary {
		t.uuid = newQueryID()
	}
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
	return q.engine.catalog.put(t, !q.loading)
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
	if err != nil && !q.loading && c.isDetached(name) {
		if s.IfNotExists {
			return true, nil
		}
		return false, errcode.New(errcode.TableAlreadyExists, "Table `%s`.`%s` already exists (detached)", name.Database, name.Table)
	}
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
		src, name, err := q.table(*s.AsTable)
		if err != nil {
			return err
		}
		if s.Clone {
			return errcode.New(errcode.SupportIsDisabled, "Only support CLONE AS from tables of the MergeTree family")
		}
		return q.columnsOf(s, t, src, name)
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

// columnsOf takes over another table's columns, and its engine where none is written.
func (q *run) columnsOf(s *sql.CreateTable, t *memoryTable, src table, name sql.TableName) error {
	t.cols = slices.Clone(src.columns())
	engineWritten := s.Engine != nil && s.Engine.Name != ""
	switch src := src.(type) {
	case *memoryTable:
		t.defs, t.checks = src.defs, src.checks
		if !engineWritten && s.Engine == nil {
			s.Engine = &sql.Engine{Name: src.kind, Settings: src.conf.list}
		}
	case *viewTable:
		if !engineWritten {
			return errcode.New(errcode.IncorrectQuery, "Cannot CREATE a table AS %s, it is a View", name)
		}
	case *dictTable:
		if !engineWritten {
			return errcode.New(errcode.IncorrectQuery, "Cannot CREATE a table AS %s, it is a Dictionary", name)
		}
	}
	if note := src.comment(); note != "" && !s.HasComment {
		s.Comment, s.HasComment = note, true
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
	defs, err := flattenNested(s.Columns)
	if err != nil {
		return err
	}
	t.defs, t.checks = defs, s.Constraints
	for _, d := range defs {
		info := columnInfo{Name: d.Name, Comment: d.Comment}
		if info.Type, err = q.columnType(d); err != nil {
			return err
		}
		switch d.DefaultKind {
		case sql.DefaultValue:
			info.DefaultKind = kindDefault
		case sql.DefaultMaterialized:
			info.DefaultKind = kindMaterialized
		case sql.DefaultAlias:
			info.DefaultKind = kindAlias
		case sql.DefaultEphemeral:
			info.DefaultKind = kindEphemeral
		}
		if d.Default != nil {
			info.Default = sql.Format(d.Default)
		}
		t.cols = append(t.cols, info)
	}
	if err := distinctNames(t.cols); err != nil {
		return err
	}
	return q.checkColumns(t)
}

// columnType is the type that a column is written with, nil where it has none.
func (q *run) columnType(d *sql.ColumnDef) (*column.Type, error) {
	if d.Type == nil {
		return nil, nil
	}
	t, err := typeOf(d.Type)
	if err != nil {
		return nil, err
	}
	if !q.loading {
		if err := t.Suspicious(q.settings.get); err != nil {
			return nil, err
		}
	}
	if d.Null || d.NotNull {
		if t.IsNullable() {
			return nil, errcode.New(errcode.IllegalSyntaxForDataType, "Can't use [NOT] NULL modifier with Nullable type")
		}
		if d.Null && !canBeNullable(t) {
			return nil, errcode.New(errcode.IllegalTypeOfArgument, "Nested type %s cannot be inside Nullable type", t)
		}
		if d.Null {
			t = column.NewNullable(t)
		}
	}
	return t, nil
}

// flattenNested replaces columns of type Nested(a A, b B) by arrays, name.a and name.b.
func flattenNested(defs []*sql.ColumnDef) ([]*sql.ColumnDef, error) {
	var out []*sql.ColumnDef
	for _, d := range defs {
		if d.Type == nil || d.Type.Name != "Nested" {
			out = append(out, d)
			continue
		}
		t, err := column.Parse("Tuple" + strings.TrimPrefix(d.Type.String(), "Nested"))
		if err != nil {
			return nil, err
		}
		if t.Names == nil {
			return nil, errcode.New(errcode.BadArguments, "The elements of Nested must have names: column %s", d.Name)
		}
		for i, e := range t.Elems {
			te, err := sql.ParseType("Array("+e.String()+")", sql.Options{})
			if err != nil {
				return nil, err
			}
			out = append(out, &sql.ColumnDef{Position: d.Position, Name: d.Name + "." + t.Names[i], Type: te, Comment: d.Comment, HasComment: d.HasComment})
		}
	}
	return out, nil
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
		if t.defs != nil {
			def := t.defs[i]
			d.DefaultKind, d.Default, d.Codec, d.Statistics = def.DefaultKind, def.Default, def.Codec, def.Statistics
		}
		out.Columns = append(out.Columns, d)
	}
	out.Constraints = t.checks
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
	in := &inserter{q: q, t: t, given: t.insertable(), out: &tableWriter{q: q, t: t}}
	defer in.out.close()
	if err := in.fromRelation(rows); err != nil {
		return err
	}
	return in.out.commit()
}

func columnsDontMatch(source, result int) error {
	return errcode.New(errcode.NumberOfColumnsDoesntMatch, "Number of columns doesn't match (source: %d and result: %d)", source, result)
}
