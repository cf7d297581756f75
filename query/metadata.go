package query

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"golang.org/x/sys/unix"

	"dictsvc/errcode"
	"dictsvc/sql"
)

// Definitions lie in the data folder as SQL: metadata/<database>.sql, metadata/<database>/<table>.sql, functions/<name>.sql, names escaped like
// parts of a URL. A file is written aside and renamed, so that it is whole or not there. The name of the file counts, not the one in its text, so that
// RENAME and EXCHANGE are one step on disk. Memory tables come back empty.

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

// moveFile gives an object's definition another name.
func (c *catalog) moveFile(from, to sql.TableName) error {
	if !c.kept() {
		return nil
	}
	target := c.path("metadata", to.Database, to.Table) + ".sql"
	if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
		return fmt.Errorf("move definition: %w", err)
	}
	if err := os.Rename(c.path("metadata", from.Database, from.Table)+".sql", target); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("move definition: %w", err)
	}
	return nil
}

// exchangeFiles exchanges two objects' definitions. Objects that came from snapshots have none.
func (c *catalog) exchangeFiles(a, b sql.TableName) error {
	if !c.kept() {
		return nil
	}
	first, second := c.path("metadata", a.Database, a.Table)+".sql", c.path("metadata", b.Database, b.Table)+".sql"
	err := unix.Renameat2(unix.AT_FDCWD, first, unix.AT_FDCWD, second, unix.RENAME_EXCHANGE)
	if errors.Is(err, fs.ErrNotExist) {
		_, ferr := os.Stat(first)
		if _, serr := os.Stat(second); ferr != nil && serr != nil {
			return nil
		}
		return errcode.New(errcode.NotImplemented, "EXCHANGE of %s and %s: one of them comes from a snapshot and is not kept in the data folder", a, b)
	}
	if err != nil {
		return fmt.Errorf("exchange definitions: %w", err)
	}
	return nil
}

func (c *catalog) removeFile(database, name string) error {
	if !c.kept() {
		return nil
	}
	return removePath(c.path("metadata", database, name) + ".sql")
}

func (c *catalog) saveTable(t held) error {
	if !c.kept() {
		return nil
	}
	name := t.tableName()
	s, err := sql.Parse(t.create(), sql.Options{MaxQuerySize: 1 << 30})
	if err != nil {
		return errcode.Wrap(err, "write definition of %s", name)
	}
	switch s := s.(type) {
	case *sql.CreateTable:
		s.UUID = t.id()
	case *sql.CreateView:
		s.UUID = t.id()
	}
	return c.writeFile(name.Database, name.Table, sql.FormatPretty(s))
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

// load reads all definitions: databases, functions, tables, views, then dictionaries, which may read any of them.
func (c *catalog) load() error {
	if !c.kept() {
		return nil
	}
	var tables, views, dicts []func() error
	q := c.engine.internalRun(context.Background(), "default")
	q.loading = true
	defer q.cancel(nil)
	err := c.eachFile(c.path("functions"), func(s sql.Statement, _ string) error {
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
	err = c.eachFile(c.path("metadata"), func(s sql.Statement, _ string) error {
		d, ok := s.(*sql.CreateDatabase)
		if !ok {
			return fmt.Errorf("want CREATE DATABASE")
		}
		if c.databases[d.Name.Database] == nil {
			c.databases[d.Name.Database] = newDatabase(d.Name.Database, d.UUID)
			names = append(names, d.Name.Database)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, n := range names {
		err := c.eachFile(c.path("metadata", n), func(s sql.Statement, file string) error {
			name, err := url.PathUnescape(file)
			if err != nil {
				return err
			}
			switch s := s.(type) {
			case *sql.CreateTable:
				s.Name = sql.TableName{Database: n, Table: name}
				tables = append(tables, func() error { return q.createTable(s) })
			case *sql.CreateView:
				s.Name = sql.TableName{Database: n, Table: name}
				views = append(views, func() error { return q.createView(s) })
			case *sql.CreateDictionary:
				s.Name = sql.TableName{Database: n, Table: name}
				dicts = append(dicts, func() error { return q.createDictionary(s) })
			default:
				return fmt.Errorf("want CREATE TABLE, VIEW or DICTIONARY")
			}
			return nil
		})
		if err != nil {
			return err
		}
		if err := c.loadDetached(n); err != nil {
			return err
		}
	}
	for _, create := range slices.Concat(tables, views, dicts) {
		if err := create(); err != nil {
			return fmt.Errorf("load definitions: %w", err)
		}
	}
	return nil
}

// eachFile parses the definitions in a folder; use gets each with its file's name without the ending. What was written aside when the process was
// killed is removed.
func (c *catalog) eachFile(dir string, use func(s sql.Statement, file string) error) error {
	if left, err := filepath.Glob(filepath.Join(dir, ".tmp-*")); err == nil {
		for _, p := range left {
			_ = os.Remove(p) // it takes room, nothing else
		}
	}
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
			err = use(s, strings.TrimSuffix(filepath.Base(p), ".sql"))
		}
		if err != nil {
			return fmt.Errorf("load definitions: file %s: %w", p, err)
		}
	}
	return nil
}

// functionText is the CREATE FUNCTION statement of a user's function.
func functionText(f *sql.CreateFunction) string { return sql.Format(f) }
