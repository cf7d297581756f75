package query

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"dictsvc/column"
	"dictsvc/dict"
	"dictsvc/errcode"
	"dictsvc/format"
	"dictsvc/source"
	"dictsvc/source/jsonl"
)

// userFile resolves a path that SQL names: below the folder of user files, or anywhere in local mode. Links that lead out of the folder are refused.
func (e *Engine) userFile(path string) (string, error) {
	if e.cfg.LocalMode && e.cfg.UserFiles == "" {
		return path, nil
	}
	root := e.cfg.UserFiles
	denied := func() (string, error) {
		return "", errcode.New(errcode.DatabaseAccessDenied, "File `%s` is not inside `%s`", path, root)
	}
	if root == "" {
		return "", errcode.New(errcode.DatabaseAccessDenied, "File `%s` cannot be read: the server has no folder of user files (--user-files)", path)
	}
	root, err := filepath.EvalSymlinks(root)
	if err != nil {
		return "", errcode.New(errcode.FileDoesntExist, "The folder of user files: %v", err)
	}
	if root, err = filepath.Abs(root); err != nil {
		return denied()
	}
	full := path
	if !filepath.IsAbs(full) {
		full = filepath.Join(root, full)
	}
	full = filepath.Clean(full)
	real, err := filepath.EvalSymlinks(full)
	if err != nil {
		if !inside(root, full) && !e.cfg.LocalMode {
			return denied()
		}
		return "", fileError(path, err)
	}
	if !inside(root, real) && !e.cfg.LocalMode {
		return denied()
	}
	if st, err := os.Stat(real); err == nil && !st.Mode().IsRegular() && !st.IsDir() && !e.cfg.LocalMode { // opening a FIFO would wait for its writer
		return "", errcode.New(errcode.CannotOpenFile, "File %s is not a regular file", path)
	}
	return real, nil
}

func inside(root, path string) bool {
	rel, err := filepath.Rel(root, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

func fileError(path string, err error) error {
	if errors.Is(err, os.ErrNotExist) {
		return errcode.New(errcode.FileDoesntExist, "File %s doesn't exist", path)
	}
	return errcode.New(errcode.CannotOpenFile, "Cannot open file %s: %v", path, err)
}

// isJSONRows tells whether a format is JSONEachRow or an alias of it.
func isJSONRows(name string) bool {
	switch strings.ToLower(name) {
	case "jsoneachrow", "jsonlines", "ndjson", "jsonl":
		return true
	}
	return false
}

// formatOf guesses a file's format by its name.
func formatOf(path string) (string, error) {
	name := strings.ToLower(path)
	for _, ext := range []string{".gz", ".zst", ".lz4", ".gzip"} {
		name = strings.TrimSuffix(name, ext)
	}
	switch filepath.Ext(name) {
	case ".jsonl", ".ndjson", ".json", ".jsoneachrow":
		return "JSONEachRow", nil
	case ".tsv", ".tab":
		return "TSVWithNames", nil
	case ".csv":
		return "CSVWithNames", nil
	}
	return "", errcode.New(errcode.CannotExtractTableStructure, "The data format cannot be detected by the name of the file %s. You can specify the format manually", path)
}

// fileTable is file('path'[, format[, structure]]).
type fileTable struct {
	path, name string
	format     string
	cols       []columnInfo
}

func fileFunction(f *tableCall) (relation, error) {
	if err := f.count(1, 4); err != nil {
		return nil, err
	}
	texts := make([]string, len(f.f.Args))
	for i := range texts {
		var err error
		if texts[i], err = f.text(i); err != nil {
			return nil, err
		}
	}
	q := f.b.q
	path, err := q.engine.userFile(texts[0])
	if err != nil {
		return nil, err
	}
	t := &fileTable{path: path, name: texts[0]}
	if len(texts) > 1 && texts[1] != "auto" {
		t.format = texts[1]
	} else if t.format, err = formatOf(texts[0]); err != nil {
		return nil, err
	}
	if !isJSONRows(t.format) && !format.Readable(t.format) {
		return nil, format.Unknown(t.format)
	}
	if len(texts) > 2 && texts[2] != "auto" {
		t.cols, err = structure(texts[2])
	} else {
		t.cols, err = t.infer()
	}
	return t, err
}

// infer finds the columns of a file without a structure.
func (t *fileTable) infer() ([]columnInfo, error) {
	if !isJSONRows(t.format) {
		return t.inferText()
	}
	cols, err := jsonl.Infer(t.path, jsonl.InferOptions{Name: t.name, MakeNullable: true})
	if err != nil {
		return nil, err
	}
	out := make([]columnInfo, len(cols))
	for i, c := range cols {
		out[i] = columnInfo{Name: c.Name, Type: c.Type}
	}
	return out, nil
}

// inferText makes String columns of a text file with names.
func (t *fileTable) inferText() ([]columnInfo, error) {
	return nil, errcode.New(errcode.CannotExtractTableStructure, "The structure of a file in the format %s is not inferred; give it as the third argument of file()", t.format)
}

func (t *fileTable) columns() []columnInfo { return t.cols }
func (t *fileTable) explain() string       { return "ReadFromFile" }

// open implements relation.
func (t *fileTable) open(ex *exec, r readRequest) ([]stream, error) {
	cols := make([]columnInfo, len(r.cols))
	for i, c := range r.cols {
		cols[i] = t.cols[c]
	}
	if len(cols) == 0 || !isJSONRows(t.format) { // rows are counted by some column; text has its columns by place
		cols = t.cols
	}
	src, err := openFile(t.path, t.name, t.format, cols, ex.q.threads)
	if err != nil {
		return nil, err
	}
	ex.onClose(func() { _ = src.Close() }) // a read-only file: nothing is lost when closing fails
	seq := -1
	return []stream{streamFunc(func() (*batch, error) {
		if err := ex.check(); err != nil {
			return nil, err
		}
		b, err := src.Next(ex.ctx)
		if errors.Is(err, io.EOF) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		seq++
		out := &batch{rows: b.Rows, seq: seq}
		for _, c := range r.cols {
			out.cols = append(out.cols, b.Cols[b.Index(t.cols[c].Name)])
		}
		ex.q.read(out.rows, out.bytes())
		return out, nil
	})}, nil
}

// openFile opens a file as a source of the given columns.
func openFile(path, name, formatName string, cols []columnInfo, threads int) (source.Source, error) {
	if isJSONRows(formatName) {
		o := jsonl.Options{Name: name, Threads: threads}
		for _, c := range cols {
			o.Columns = append(o.Columns, jsonl.Column{Name: c.Name, Type: c.Type})
		}
		r, err := jsonl.Open(path, o)
		if err != nil {
			return nil, err
		}
		return r, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fileError(name, err)
	}
	names, types := split(cols)
	r, err := format.NewReader(formatName, f, names, types)
	if err != nil {
		_ = f.Close() // the error that matters is the first
		return nil, err
	}
	return &textSource{f: f, r: r, names: names, types: types}, nil
}

func split(cols []columnInfo) (names []string, types []*column.Type) {
	for _, c := range cols {
		names, types = append(names, c.Name), append(types, c.Type)
	}
	return names, types
}

// textSource is a text file as a source.
type textSource struct {
	f     *os.File
	r     *format.Reader
	names []string
	types []*column.Type
	rows  uint64
}

func (s *textSource) Header() ([]string, []*column.Type)         { return s.names, s.types }
func (s *textSource) Progress() (rows, bytes, totalBytes uint64) { return s.rows, 0, 0 }
func (s *textSource) Close() error                               { return s.f.Close() }

func (s *textSource) Next(context.Context) (*column.Block, error) {
	b, err := s.r.Next()
	if b != nil {
		s.rows += uint64(b.Rows)
	}
	return b, err
}

// fileSource opens SOURCE(FILE(path format)).
func (e *Engine) fileSource(def *dict.Definition) (source.Source, error) {
	p := def.Source.Params
	path, err := e.userFile(p["path"])
	if err != nil {
		if errcode.Of(err) == errcode.DatabaseAccessDenied {
			return nil, errcode.New(errcode.PathAccessDenied, "File path %s is not inside %s", p["path"], e.cfg.UserFiles)
		}
		return nil, err
	}
	name := p["format"]
	if name == "" {
		if name, err = formatOf(path); err != nil {
			return nil, err
		}
	}
	if !isJSONRows(name) && !format.Readable(name) {
		return nil, format.Unknown(name)
	}
	if isJSONRows(name) {
		o := jsonl.Options{Name: p["path"], Threads: 2}
		for _, a := range def.Columns() {
			o.Columns = append(o.Columns, jsonl.Column{Name: a.Name, Type: a.Type}) // a field that is missing is the type's default, not the attribute's
		}
		r, err := jsonl.Open(path, o)
		if err != nil {
			return nil, err
		}
		return r, nil
	}
	var cols []columnInfo
	for _, a := range def.Columns() {
		cols = append(cols, columnInfo{Name: a.Name, Type: a.Type})
	}
	return openFile(path, p["path"], name, cols, 1)
}
