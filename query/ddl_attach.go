package query

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"dictsvc/errcode"
	"dictsvc/sql"
)

// detached is an object that DETACH has put aside: its definition waits for ATTACH, its rows are gone. With PERMANENTLY it stays aside over a restart; its file is
// called .detached then.
type detached struct {
	text      string // the CREATE statement with its UUID
	permanent bool
}

// isDetached tells whether a name belongs to a detached object.
func (c *catalog) isDetached(n sql.TableName) bool {
	c.mu.RLock()
	defer c.mu.RUnlock()
	db := c.databases[n.Database]
	if db == nil {
		return false
	}
	_, ok := db.detached[n.Table]
	return ok
}

// detach puts an object aside.
func (c *catalog) detach(n sql.TableName, t table, permanent bool) error {
	s, err := sql.Parse(t.create(), sql.Options{MaxQuerySize: 1 << 30})
	if err != nil {
		return errcode.New(errcode.NotImplemented, "%s has no definition that could be attached again: %w", n, err)
	}
	setUUID(s, t.id())
	if permanent && c.kept() {
		path := c.path("metadata", n.Database, n.Table)
		if err := os.Rename(path+".sql", path+".detached"); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("detach definition: %w", err)
		}
	}
	c.mu.Lock()
	db := c.databases[n.Database]
	h := db.tables[n.Table]
	delete(db.tables, n.Table)
	db.detached[n.Table] = detached{text: sql.FormatPretty(s), permanent: permanent}
	c.mu.Unlock()
	if h != nil {
		h.drop()
	}
	c.engine.dicts.Drop(n.Database, n.Table)
	return nil
}

func setUUID(s sql.Statement, id string) {
	switch s := s.(type) {
	case *sql.CreateTable:
		s.UUID = id
	case *sql.CreateView:
		s.UUID = id
	case *sql.CreateDictionary:
		s.UUID = id
	}
}

// attach runs ATTACH of an object that was detached.
func (q *run) attach(s *sql.Attach) error {
	c := &q.engine.catalog
	c.ddl.Lock()
	defer c.ddl.Unlock()
	if s.Object == sql.ObjectDatabase {
		return errcode.New(errcode.NotImplemented, "ATTACH DATABASE is not supported")
	}
	n, err := q.tableName(s.Name)
	if err != nil {
		return err
	}
	if n.Database == "" {
		n.Database = q.database
	}
	db := c.database(n.Database)
	if db == nil {
		return unknownDatabase(n.Database)
	}
	if t, err := c.find(n.Database, n.Table); err == nil {
		_, isDict := t.(*dictTable)
		switch {
		case s.IfNotExists:
			return nil
		case isDict:
			return errcode.New(errcode.DictionaryAlreadyExists, "Dictionary %s already exists", n)
		}
		return errcode.New(errcode.TableAlreadyExists, "Table %s already exists", n)
	}
	c.mu.RLock()
	d, ok := db.detached[n.Table]
	c.mu.RUnlock()
	if !ok {
		return errcode.New(errcode.CannotGetCreateTableQuery, "There is no metadata of table `%s` in database `%s`", n.Table, n.Database)
	}
	return q.attachText(n, d)
}

// attachText makes a detached object again. It is known under its name, and no longer as detached, once that has worked.
func (q *run) attachText(n sql.TableName, d detached) error {
	stmt, err := sql.Parse(d.text, sql.Options{MaxQuerySize: 1 << 30})
	if err != nil {
		return errcode.Wrap(err, "attach %s", n)
	}
	c := &q.engine.catalog
	if d.permanent && c.kept() {
		path := c.path("metadata", n.Database, n.Table)
		if err := os.Rename(path+".detached", path+".sql"); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("attach definition: %w", err)
		}
	}
	loading := q.loading // the definition is in its place already
	q.loading = true
	defer func() { q.loading = loading }()
	switch stmt := stmt.(type) {
	case *sql.CreateTable:
		stmt.Name = n
		err = q.makeTable(stmt)
	case *sql.CreateView:
		stmt.Name = n
		err = q.makeView(stmt)
	case *sql.CreateDictionary:
		stmt.Name = n
		err = q.makeDictionary(stmt)
	}
	if err != nil {
		return err
	}
	c.mu.Lock()
	delete(c.databases[n.Database].detached, n.Table)
	c.mu.Unlock()
	return nil
}

// loadDetached reads the definitions that DETACH ... PERMANENTLY has put aside.
func (c *catalog) loadDetached(database string) error {
	paths, err := filepath.Glob(filepath.Join(c.path("metadata", database), "*.detached"))
	if err != nil {
		return fmt.Errorf("load detached definitions: %w", err)
	}
	for _, p := range paths {
		name, err := url.PathUnescape(strings.TrimSuffix(filepath.Base(p), ".detached"))
		if err != nil {
			return fmt.Errorf("load detached definitions: %w", err)
		}
		text, err := os.ReadFile(p)
		if err != nil {
			return fmt.Errorf("load detached definitions: %w", err)
		}
		c.databases[database].detached[name] = detached{text: string(text), permanent: true}
	}
	return nil
}
