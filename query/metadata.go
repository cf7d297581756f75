package query

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"dictsvc/errcode"
	"dictsvc/sql"
)

// Definitions lie in the data folder as SQL: metadata/<database>.sql, metadata/<database>/<table>.sql, functions/<name>.sql, names escaped like
// parts of a URL. A file is written aside and renamed, so that it is whole or not there. Memory tables come back empty.

func (c *catalog) path(parts ...string) string {
	list := []string{c.engine.cfg.DataDir}
	for _, p := range parts {
		list = append(list, strings.ReplaceAll(url.PathEscape(p), ".", "%2E"))
	}
	return filepath.Join(list...)
}

// writeText replaces a file's content.
func writeText(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("write definition: %w", err)
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), ".tmp-*")
	if err != nil {
		return fmt.Errorf("write definition: %w", err)
	}
	_, err = tmp.WriteString(text)
	if err == nil {
		err = tmp.Sync()
	}
	if cerr := tmp.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	if err != nil {
		_ = os.Remove(tmp.Name()) // the error that matters is the first
		return fmt.Errorf("write definition: %w", err)
	}
	return nil
}

func removePath(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove definition: %w", err)
	}
	return nil
}

func (c *catalog) kept() bool { return c.engine.cfg.DataDir != "" }

func (c *catalog) writeFile(database, name, text string) error {
	if !c.kept() {
		return nil
	}
	return writeText(c.path("metadata", database, name)+".sql", text+"\n")
}

func (c *catalog) readFile(database, name string) (string, error) {
	if !c.kept() {
		return "", nil
	}
	text, err := os.ReadFile(c.path("metadata", database, name) + ".sql")
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return string(text), err
}

func (c *catalog) removeFile(database, name string) error {
	if !c.kept() {
		return nil
	}
	return removePath(c.path("metadata", database, name) + ".sql")
}

func (c *catalog) saveTable(t *memoryTable) error {
	if !c.kept() {
		return nil
	}
	s, err := sql.Parse(t.text, sql.Options{MaxQuerySize: 1 << 30})
	if err != nil {
		return errcode.Wrap(err, "write definition of %s", t.name)
	}
	if create, ok := s.(*sql.CreateTable); ok {
		create.UUID = t.uuid
	}
	return c.writeFile(t.name.Database, t.name.Table, sql.FormatPretty(s))
}

func (c *catalog) saveDatabase(db *database) error {
	if !c.kept() {
		return nil
	}
	s := &sql.CreateDatabase{Name: sql.TableName{Database: db.name}, UUID: db.uuid}
	return writeText(c.path("metadata", db.name)+".sql", sql.Format(s)+"\n")
}

func (c *catalog) removeDatabaseFiles(name string) error {
	if !c.kept() {
		return nil
	}
	if err := os.RemoveAll(c.path("metadata", name)); err != nil {
		return fmt.Errorf("remove definitions: %w", err)
	}
	return removePath(c.path("metadata", name) + ".sql")
}

func (c *catalog) saveFunction(f *sql.CreateFunction) error {
	if !c.kept() {
		return nil
	}
	return writeText(c.path("functions", f.Name)+".sql", sql.Format(f)+"\n")
}

func (c *catalog) removeFunctionFile(name string) error {
	if !c.kept() {
		return nil
	}
	return removePath(c.path("functions", name) + ".sql")
}

// load reads all definitions: databases, functions, tables, then dictionaries, which may read any of them.
func (c *catalog) load() error {
	if !c.kept() {
		return nil
	}
	var tables, dicts []func() error
	q := c.engine.internalRun(context.Background(), "default")
	q.loading = true
	defer q.cancel(nil)
	err := c.eachFile(c.path("functions"), func(s sql.Statement) error {
		f, ok := s.(*sql.CreateFunction)
		if !ok {
			return fmt.Errorf("want CREATE FUNCTION")
		}
		c.functions[f.Name] = f
		return nil
	})
	if err != nil {
		return err
	}
	names := []string{"default"}
	err = c.eachFile(c.path("metadata"), func(s sql.Statement) error {
		d, ok := s.(*sql.CreateDatabase)
		if !ok {
			return fmt.Errorf("want CREATE DATABASE")
		}
		if c.databases[d.Name.Database] == nil {
			c.databases[d.Name.Database] = &database{name: d.Name.Database, uuid: d.UUID, tables: map[string]*memoryTable{}}
			names = append(names, d.Name.Database)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, n := range names {
		err := c.eachFile(c.path("metadata", n), func(s sql.Statement) error {
			switch s := s.(type) {
			case *sql.CreateTable:
				tables = append(tables, func() error { return q.createTable(s) })
			case *sql.CreateDictionary:
				dicts = append(dicts, func() error { return q.createDictionary(s) })
			default:
				return fmt.Errorf("want CREATE TABLE or CREATE DICTIONARY")
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	for _, create := range append(tables, dicts...) {
		if err := create(); err != nil {
			return fmt.Errorf("load definitions: %w", err)
		}
	}
	return nil
}

// eachFile parses the definitions in a folder.
func (c *catalog) eachFile(dir string, use func(sql.Statement) error) error {
	paths, err := filepath.Glob(filepath.Join(dir, "*.sql"))
	if err != nil {
		return fmt.Errorf("load definitions: %w", err)
	}
	sort.Strings(paths)
	for _, p := range paths {
		text, err := os.ReadFile(p)
		if err != nil {
			return fmt.Errorf("load definitions: %w", err)
		}
		s, err := sql.Parse(string(text), sql.Options{MaxQuerySize: 1 << 30})
		if err == nil {
			err = use(s)
		}
		if err != nil {
			return fmt.Errorf("load definitions: file %s: %w", p, err)
		}
	}
	return nil
}

// functionText is the CREATE FUNCTION statement of a user's function.
func functionText(f *sql.CreateFunction) string { return sql.Format(f) }
