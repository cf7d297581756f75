package query

import (
	"maps"
	"slices"
	"sort"
	"sync"

	"dictsvc/errcode"
	"dictsvc/sql"
)

// table is an object of a database that can stand in FROM.
type table interface {
	relation
	engine() string
	create() string // the CREATE statement, "" where there is none
	id() string     // UUID, "" where it has none
	comment() string
	size() (rows, bytes uint64, ok bool)
}

// held is a table or a view of a database.
type held interface {
	table
	tableName() sql.TableName
	rename(to sql.TableName, text string)
	drop() // frees what it holds; an INSERT that is on its way ends with an error
}

// named is what a table and a view have in common: a name, and a CREATE statement with that name.
type named struct {
	nameMu sync.RWMutex
	name   sql.TableName
	text   string
}

// tableName is the name, which RENAME changes.
func (n *named) tableName() sql.TableName {
	n.nameMu.RLock()
	defer n.nameMu.RUnlock()
	return n.name
}

// create is the CREATE statement.
func (n *named) create() string {
	n.nameMu.RLock()
	defer n.nameMu.RUnlock()
	return n.text
}

func (n *named) rename(to sql.TableName, text string) {
	n.nameMu.Lock()
	defer n.nameMu.Unlock()
	n.name, n.text = to, text
}

// database is a named set of tables. Dictionaries are kept in the registry of package dict under the database's name.
type database struct {
	name     string
	uuid     string
	tables   map[string]held
	detached map[string]detached
}

func newDatabase(name, uuid string) *database {
	return &database{name: name, uuid: uuid, tables: map[string]held{}, detached: map[string]detached{}}
}

// catalog is all databases. The system database is made anew for each query that asks for one of its tables.
type catalog struct {
	engine    *Engine
	mu        sync.RWMutex
	databases map[string]*database
	functions map[string]*sql.CreateFunction
	ddl       sync.Mutex // one change of definitions at a time, so that memory and files agree
}

func (c *catalog) init(e *Engine) {
	c.engine = e
	c.databases = map[string]*database{
		"default": newDatabase("default", ""),
		"system":  newDatabase("system", ""),
	}
	c.functions = map[string]*sql.CreateFunction{}
}

// close drops the rows of all tables.
func (c *catalog) close() {
	c.mu.RLock()
	defer c.mu.RUnlock()
	for _, db := range c.databases {
		for _, t := range db.tables {
			t.drop()
		}
	}
}

// database finds a database; nil where there is none.
func (c *catalog) database(name string) *database {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.databases[name]
}

// databaseNames lists the databases in order.
func (c *catalog) databaseNames() []string {
	c.mu.RLock()
	defer c.mu.RUnlock()
	names := make([]string, 0, len(c.databases))
	for n := range c.databases {
		names = append(names, n)
	}
	sort.Strings(names)
	return names
}

// userFunction is the body of a function made with CREATE FUNCTION; nil where there is none.
func (c *catalog) userFunction(name string) *sql.Lambda {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if f := c.functions[name]; f != nil {
		l, _ := f.Body.(*sql.Lambda)
		return l
	}
	return nil
}

// find finds a table or dictionary. Errors 81 and 60.
func (c *catalog) find(database, name string) (table, error) {
	c.mu.RLock()
	db := c.databases[database]
	var t held
	if db != nil {
		t = db.tables[name]
	}
	c.mu.RUnlock()
	switch {
	case db == nil:
		return nil, unknownDatabase(database)
	case t != nil:
		return t, nil
	}
	if d := c.engine.dicts.Get(database, name); d != nil {
		return newDictTable(d), nil
	}
	if database == "system" {
		if t := systemTable(name); t != nil {
			return t, nil
		}
	}
	return nil, unknownTable(database, name)
}

// list lists the tables and dictionaries of a database in order.
func (c *catalog) list(database string) []namedTable {
	c.mu.RLock()
	var out []namedTable
	if db := c.databases[database]; db != nil {
		for n, t := range db.tables {
			out = append(out, namedTable{n, t})
		}
	}
	c.mu.RUnlock()
	for _, d := range c.engine.dicts.List() {
		if def := d.Definition(); def.Database == database {
			out = append(out, namedTable{def.Name, newDictTable(d)})
		}
	}
	if database == "system" {
		for _, n := range systemTableNames() {
			out = append(out, namedTable{n, systemTable(n)})
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].name < out[j].name })
	return out
}

type namedTable struct {
	name string
	table
}

func unknownDatabase(name string) error {
	return errcode.New(errcode.UnknownDatabase, "Database %s does not exist", name)
}

// suggest adds the table or database that is most like the one that an error says is not there: in the same database, else in any other.
func (c *catalog) suggest(err error, n sql.TableName) error {
	near := c.near(err, n)
	if near == "" {
		return err
	}
	return errcode.New(errcode.Of(err), "%s. Maybe you meant %s?", errcode.Text(err), near)
}

func (c *catalog) near(err error, n sql.TableName) string {
	c.mu.RLock()
	databases := slices.Sorted(maps.Keys(c.databases))
	c.mu.RUnlock()
	switch errcode.Of(err) {
	case errcode.UnknownDatabase:
		if hits := similar(n.Database, databases, 1); len(hits) > 0 {
			return hits[0]
		}
	case errcode.UnknownTable, errcode.CannotGetCreateTableQuery:
		others := slices.DeleteFunc(slices.Clone(databases), func(d string) bool { return d == n.Database })
		for _, d := range append([]string{n.Database}, others...) {
			var names []string
			for _, t := range c.list(d) {
				names = append(names, t.name)
			}
			if hits := similar(n.Table, names, 1); len(hits) > 0 {
				return d + "." + hits[0]
			}
		}
	}
	return ""
}

func unknownTable(database, name string) error {
	return errcode.New(errcode.UnknownTable, "Table %s.%s does not exist", database, name)
}

// tableName puts parameters and the current database into a name.
func (q *run) tableName(n sql.TableName) (sql.TableName, error) {
	var err error
	if n.DatabaseParam != nil {
		if n.Database, err = q.paramText(n.DatabaseParam); err != nil {
			return n, err
		}
	}
	if n.TableParam != nil {
		if n.Table, err = q.paramText(n.TableParam); err != nil {
			return n, err
		}
	}
	n.DatabaseParam, n.TableParam = nil, nil
	return n, nil
}

// table finds what a name stands for: an external or temporary table, else one of the database, by default the current one.
func (q *run) table(n sql.TableName) (table, sql.TableName, error) {
	n, err := q.tableName(n)
	if err != nil {
		return nil, n, err
	}
	if n.Database == "" {
		if t := q.external[n.Table]; t != nil {
			return t, n, nil
		}
		if t := q.session.temp[n.Table]; t != nil {
			return t, n, nil
		}
		n.Database = q.database
	}
	t, err := q.engine.catalog.find(n.Database, n.Table)
	if st, ok := t.(*sysTable); ok {
		return st.forQuery(q), n, err
	}
	if err != nil {
		err = q.engine.catalog.suggest(err, n)
	}
	return t, n, err
}

// source is what a name stands for in FROM and IN.
func (q *run) source(n sql.TableName) (relation, sql.TableName, error) {
	t, n, err := q.table(n)
	if err != nil {
		return nil, n, err
	}
	switch t := t.(type) {
	case *memoryTable:
		return t.forReading(q), n, nil
	case *viewTable:
		if t.asked {
			return t, n, nil // it has no columns
		}
		rel, err := q.openView(t, nil)
		return rel, n, err
	}
	return t, n, nil
}

// put makes a table or view known under its name, in place of one that is there; keep writes its definition first.
func (c *catalog) put(t held, keep bool) error {
	if keep {
		if err := c.saveTable(t); err != nil {
			t.drop()
			return err
		}
	}
	name := t.tableName()
	c.mu.Lock()
	tables := c.databases[name.Database].tables
	old := tables[name.Table]
	tables[name.Table] = t
	c.mu.Unlock()
	if old != nil {
		old.drop()
	}
	return nil
}
