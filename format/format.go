// Package format writes results as text, and reads rows from text, in ClickHouse's formats.
package format

import (
	"bufio"
	"io"
	"sort"
	"strings"

	"dictsvc/column"
	"dictsvc/errcode"
)

// Writer takes a result: Header once, then blocks, then totals, then Close, which ends the text but does not close what is under it.
// Constants and LowCardinality columns are taken as they come.
type Writer interface {
	Header(b *column.Block) error
	Block(b *column.Block) error
	Totals(b *column.Block) error
	Close() error
}

// Known lists the output formats.
func Known() []string {
	names := make([]string, 0, len(writers))
	for _, n := range writers {
		names = append(names, n.name)
	}
	sort.Strings(names)
	return names
}

// NewWriter makes a writer of a format by its name; an unknown one is error 73 UNKNOWN_FORMAT.
func NewWriter(name string, w io.Writer) (Writer, error) {
	for _, d := range writers {
		if d.name == name || strings.EqualFold(d.name, name) {
			return d.make(bufio.NewWriterSize(w, 1<<16)), nil
		}
	}
	return nil, errcode.New(errcode.UnknownFormat, "Unknown format %s", name)
}

// writers is the registry: a line a name.
var writers = []struct {
	name string
	make func(w *bufio.Writer) Writer
}{
	{"TabSeparated", func(w *bufio.Writer) Writer { return &rowWriter{w: w, rows: tsvRows(column.TextTSV, 0)} }},
	{"TSV", func(w *bufio.Writer) Writer { return &rowWriter{w: w, rows: tsvRows(column.TextTSV, 0)} }},
	{"TabSeparatedWithNames", func(w *bufio.Writer) Writer { return &rowWriter{w: w, rows: tsvRows(column.TextTSV, 1)} }},
	{"TSVWithNames", func(w *bufio.Writer) Writer { return &rowWriter{w: w, rows: tsvRows(column.TextTSV, 1)} }},
	{"TabSeparatedWithNamesAndTypes", func(w *bufio.Writer) Writer { return &rowWriter{w: w, rows: tsvRows(column.TextTSV, 2)} }},
	{"TSVWithNamesAndTypes", func(w *bufio.Writer) Writer { return &rowWriter{w: w, rows: tsvRows(column.TextTSV, 2)} }},
	{"TabSeparatedRaw", func(w *bufio.Writer) Writer { return &rowWriter{w: w, rows: tsvRows(column.TextRaw, 0)} }},
	{"TSVRaw", func(w *bufio.Writer) Writer { return &rowWriter{w: w, rows: tsvRows(column.TextRaw, 0)} }},
	{"TSVRawWithNames", func(w *bufio.Writer) Writer { return &rowWriter{w: w, rows: tsvRows(column.TextRaw, 1)} }},
	{"TSVRawWithNamesAndTypes", func(w *bufio.Writer) Writer { return &rowWriter{w: w, rows: tsvRows(column.TextRaw, 2)} }},
	{"CSV", func(w *bufio.Writer) Writer { return &rowWriter{w: w, rows: csvRows(0)} }},
	{"CSVWithNames", func(w *bufio.Writer) Writer { return &rowWriter{w: w, rows: csvRows(1)} }},
	{"CSVWithNamesAndTypes", func(w *bufio.Writer) Writer { return &rowWriter{w: w, rows: csvRows(2)} }},
	{"JSONEachRow", func(w *bufio.Writer) Writer { return &rowWriter{w: w, rows: &jsonRows{}} }},
	{"JSONLines", func(w *bufio.Writer) Writer { return &rowWriter{w: w, rows: &jsonRows{}} }},
	{"NDJSON", func(w *bufio.Writer) Writer { return &rowWriter{w: w, rows: &jsonRows{}} }},
	{"JSONCompactEachRow", func(w *bufio.Writer) Writer { return &rowWriter{w: w, rows: &compactRows{}} }},
	{"JSONCompactEachRowWithNames", func(w *bufio.Writer) Writer { return &rowWriter{w: w, rows: &compactRows{heads: 1}} }},
	{"JSONCompactEachRowWithNamesAndTypes", func(w *bufio.Writer) Writer { return &rowWriter{w: w, rows: &compactRows{heads: 2}} }},
	{"Values", func(w *bufio.Writer) Writer { return &rowWriter{w: w, rows: &valuesRows{}} }},
	{"Vertical", func(w *bufio.Writer) Writer { return &vertical{w: w} }},
	{"Pretty", func(w *bufio.Writer) Writer { return &pretty{w: w, style: prettyFull} }},
	{"PrettyNoEscapes", func(w *bufio.Writer) Writer { return &pretty{w: w, style: prettyFull} }},
	{"PrettyCompact", func(w *bufio.Writer) Writer { return &pretty{w: w, style: prettyCompact} }},
	{"PrettyCompactMonoBlock", func(w *bufio.Writer) Writer { return &pretty{w: w, style: prettyCompact} }},
	{"JSON", func(w *bufio.Writer) Writer { return &jsonDocument{w: w} }},
	{"JSONCompact", func(w *bufio.Writer) Writer { return &jsonDocument{w: w, compact: true} }},
	{"Null", func(*bufio.Writer) Writer { return nothing{} }},
}

// nothing is format Null.
type nothing struct{}

func (nothing) Header(*column.Block) error { return nil }
func (nothing) Block(*column.Block) error  { return nil }
func (nothing) Totals(*column.Block) error { return nil }
func (nothing) Close() error               { return nil }

// rowFormat writes rows one after another into a buffer.
type rowFormat interface {
	header(buf []byte, b *column.Block) []byte
	row(buf []byte, b *column.Block, i int) []byte
	// totals is the text between the rows and the row of totals; ok false leaves totals out.
	totals(buf []byte) (out []byte, ok bool)
}

// rowWriter is a Writer over a rowFormat.
type rowWriter struct {
	w    *bufio.Writer
	rows rowFormat
	buf  []byte
}

func (r *rowWriter) Header(b *column.Block) error {
	r.buf = r.rows.header(r.buf[:0], b)
	_, err := r.w.Write(r.buf)
	return err
}

func (r *rowWriter) Block(b *column.Block) error {
	for i := range b.Rows {
		r.buf = r.rows.row(r.buf[:0], b, i)
		if _, err := r.w.Write(r.buf); err != nil {
			return err
		}
	}
	return nil
}

func (r *rowWriter) Totals(b *column.Block) error {
	buf, ok := r.rows.totals(r.buf[:0])
	if !ok {
		return nil
	}
	for i := range b.Rows {
		buf = r.rows.row(buf, b, i)
	}
	r.buf = buf
	_, err := r.w.Write(buf)
	return err
}

func (r *rowWriter) Close() error { return r.w.Flush() }

// tsvFormat is TabSeparated; heads: 1 names, 2 names and types.
type tsvFormat struct {
	style column.TextStyle
	heads int
}

func tsvRows(style column.TextStyle, heads int) rowFormat { return &tsvFormat{style, heads} }

func (t *tsvFormat) header(buf []byte, b *column.Block) []byte {
	line := func(texts []string) {
		for i, s := range texts {
			if i > 0 {
				buf = append(buf, '\t')
			}
			buf = column.AppendText(buf, column.Strings(s), 0, t.style)
		}
		buf = append(buf, '\n')
	}
	if t.heads > 0 {
		line(b.Names)
	}
	if t.heads > 1 {
		line(typeNames(b))
	}
	return buf
}

func typeNames(b *column.Block) []string {
	names := make([]string, len(b.Cols))
	for i, c := range b.Cols {
		names[i] = c.Type().String()
	}
	return names
}

func (t *tsvFormat) row(buf []byte, b *column.Block, i int) []byte {
	for k, c := range b.Cols {
		if k > 0 {
			buf = append(buf, '\t')
		}
		if t.style == column.TextRaw && isNull(c, i) {
			buf = append(buf, `\N`...)
			continue
		}
		buf = column.AppendText(buf, c, i, t.style)
	}
	return append(buf, '\n')
}

func (t *tsvFormat) totals(buf []byte) ([]byte, bool) { return append(buf, '\n'), true }

func isNull(c column.Column, i int) bool {
	switch x := c.(type) {
	case *column.Const:
		return isNull(x.Val, 0)
	case *column.LowCard:
		return isNull(x.Dict, int(x.Index[i]))
	case *column.Null:
		return x.Nulls[i] != 0
	}
	return false
}

// csvFormat is CSV; tuples are written as columns of their own.
type csvFormat struct{ heads int }

func csvRows(heads int) rowFormat { return &csvFormat{heads} }

func (f *csvFormat) header(buf []byte, b *column.Block) []byte {
	var names, types []string
	for i, c := range b.Cols {
		names, types = csvColumns(names, types, b.Names[i], c.Type())
	}
	for _, texts := range [][]string{names, types}[:f.heads] {
		for i, s := range texts {
			if i > 0 {
				buf = append(buf, ',')
			}
			buf = column.AppendText(buf, column.Strings(s), 0, column.TextCSV)
		}
		buf = append(buf, '\n')
	}
	return buf
}

func csvColumns(names, types []string, name string, t *column.Type) ([]string, []string) {
	if t.Kind != column.Tuple || len(t.Elems) == 0 {
		return append(names, name), append(types, t.String())
	}
	for i, e := range t.Elems {
		part := itoa(i + 1)
		if t.Names != nil {
			part = t.Names[i]
		}
		names, types = csvColumns(names, types, name+"."+part, e)
	}
	return names, types
}

func (f *csvFormat) row(buf []byte, b *column.Block, i int) []byte {
	for k, c := range b.Cols {
		if k > 0 {
			buf = append(buf, ',')
		}
		buf = csvValue(buf, c, i)
	}
	return append(buf, '\n')
}

func csvValue(buf []byte, c column.Column, i int) []byte {
	if k, ok := c.(*column.Const); ok {
		c, i = k.Val, 0
	}
	t, ok := c.(*column.Tup)
	if !ok || len(t.Elems) == 0 {
		return column.AppendText(buf, c, i, column.TextCSV)
	}
	for k, e := range t.Elems {
		if k > 0 {
			buf = append(buf, ',')
		}
		buf = csvValue(buf, e, i)
	}
	return buf
}

func (f *csvFormat) totals(buf []byte) ([]byte, bool) { return append(buf, '\n'), true }

// jsonRows is JSONEachRow.
type jsonRows struct{ names [][]byte }

func (f *jsonRows) header(buf []byte, b *column.Block) []byte {
	for _, n := range b.Names {
		f.names = append(f.names, append(column.AppendJSONString(nil, []byte(n)), ':'))
	}
	return buf
}

func (f *jsonRows) row(buf []byte, b *column.Block, i int) []byte {
	buf = append(buf, '{')
	for k, c := range b.Cols {
		if k > 0 {
			buf = append(buf, ',')
		}
		buf = append(buf, f.names[k]...)
		buf = column.AppendText(buf, c, i, column.TextJSON)
	}
	return append(buf, '}', '\n')
}

func (f *jsonRows) totals(buf []byte) ([]byte, bool) { return buf, false }

// compactRows is JSONCompactEachRow.
type compactRows struct{ heads int }

func (f *compactRows) header(buf []byte, b *column.Block) []byte {
	for _, texts := range [][]string{b.Names, typeNames(b)}[:f.heads] {
		buf = append(buf, '[')
		for i, s := range texts {
			if i > 0 {
				buf = append(buf, ", "...)
			}
			buf = column.AppendJSONString(buf, []byte(s))
		}
		buf = append(buf, "]\n"...)
	}
	return buf
}

func (f *compactRows) row(buf []byte, b *column.Block, i int) []byte {
	return append(compactRow(buf, b, i), '\n')
}

func compactRow(buf []byte, b *column.Block, i int) []byte {
	buf = append(buf, '[')
	for k, c := range b.Cols {
		if k > 0 {
			buf = append(buf, ", "...)
		}
		buf = column.AppendText(buf, c, i, column.TextJSON)
	}
	return append(buf, ']')
}

func (f *compactRows) totals(buf []byte) ([]byte, bool) { return buf, false }

// valuesRows is Values: (1,'a'),(2,'b').
type valuesRows struct{ begun bool }

func (f *valuesRows) header(buf []byte, _ *column.Block) []byte { return buf }

func (f *valuesRows) row(buf []byte, b *column.Block, i int) []byte {
	if f.begun {
		buf = append(buf, ',')
	}
	f.begun = true
	buf = append(buf, '(')
	for k, c := range b.Cols {
		if k > 0 {
			buf = append(buf, ',')
		}
		buf = column.AppendText(buf, c, i, column.TextQuoted)
	}
	return append(buf, ')')
}

func (f *valuesRows) totals(buf []byte) ([]byte, bool) { return buf, false }
