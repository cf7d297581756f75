package format

import (
	"dictsvc/column"
)

// rowKind is a family of formats that write one row after the other.
type rowKind uint8

const (
	kindTSV rowKind = iota
	kindRaw
	kindCSV
	kindTSKV
	kindValues
	kindObject  // a JSON object a row
	kindCompact // a JSON array a row
)

// rowStyle is one format of a family.
type rowStyle struct {
	kind         rowKind
	names, types bool // lines of names and types come first
	strings      bool // every value is a JSON string
}

// rowWriter writes rows: before[k], the text of value k, ..., after.
type rowWriter struct {
	*output
	set    *Settings
	style  rowStyle
	text   column.TextOptions
	before []string
	after  string
	rows   uint64
}

func newRows(style rowStyle) newWriterFunc {
	return func(o *output, s *Settings) Writer {
		return &rowWriter{output: o, set: s, style: style, text: s.textOptions(style)}
	}
}

// textOptions are the settings for single values under a format.
func (s *Settings) textOptions(style rowStyle) column.TextOptions {
	t := s.Text
	switch style.kind {
	case kindTSV, kindTSKV:
		t.Style, t.Null = column.TextTSV, s.TSVNull
	case kindRaw:
		t.Style, t.Null = column.TextRaw, s.TSVNull
	case kindCSV:
		t.Style, t.Null = column.TextCSV, s.CSVNull
	case kindValues:
		t.Style, t.Null = column.TextQuoted, "NULL"
		t.True, t.False = "true", "false"
	default:
		t.Style, t.Null = column.TextJSON, "null"
		if style.strings {
			t.Style, t.Null = column.TextRaw, nullSign
		}
	}
	return t
}

// nullSign is NULL in formats for people.
const nullSign = "ᴺᵁᴸᴸ"

func (w *rowWriter) newline() string {
	if w.set.CRLF {
		return "\r\n"
	}
	return "\n"
}

func (w *rowWriter) Header(b *column.Block) error {
	names, types := b.Names, b.Types()
	if w.style.kind == kindCSV && w.set.CSVTupleColumns {
		names, types = flatten(names, types)
	}
	w.before = make([]string, len(names))
	first, sep := "", "\t"
	w.after = w.newline()
	switch w.style.kind {
	case kindCSV:
		sep = string(rune(w.set.CSVDelimiter))
	case kindValues:
		first, sep, w.after = "(", ",", ")"
	case kindObject:
		first, sep, w.after = "{", ",", "}\n"
	case kindCompact:
		first, sep, w.after = "[", ", ", "]\n"
	}
	if w.set.JSONArray && w.style.kind == kindObject {
		w.after = "}"
		w.output.text("[\n")
	}
	for i, n := range names {
		w.before[i] = sep
		if i == 0 {
			w.before[i] = first
		}
		switch w.style.kind {
		case kindObject:
			w.before[i] += string(column.AppendJSONString(nil, []byte(n))) + ":"
		case kindTSKV:
			w.before[i] += escapeKey(n) + "="
		}
	}
	if w.style.names {
		w.line(names)
	}
	if w.style.types {
		list := make([]string, len(types))
		for i, t := range types {
			list[i] = t.String()
		}
		w.line(list)
	}
	return w.flush()
}

func escapeKey(s string) string {
	b := column.AppendText(nil, column.Strings(s), 0, column.TextTSV)
	out := make([]byte, 0, len(b))
	for _, c := range b {
		if c == '=' {
			out = append(out, '\\')
		}
		out = append(out, c)
	}
	return string(out)
}

// line writes names or types as a row.
func (w *rowWriter) line(list []string) {
	style := w.text.Style
	if w.style.kind == kindCompact {
		style = column.TextJSON
	}
	for i, s := range list {
		w.buf = append(w.buf, w.before[i]...)
		w.buf = column.AppendText(w.buf, column.Strings(s), 0, style)
	}
	w.output.text(w.after)
}

// bind prepares the columns of a block.
func (w *rowWriter) bind(cols []column.Column) []column.TextWriter {
	if w.style.kind == kindCSV && w.set.CSVTupleColumns {
		cols = flattenColumns(nil, cols)
	}
	fields := make([]column.TextWriter, len(cols))
	for i, c := range cols {
		fields[i] = w.text.Bind(c)
		if w.style.strings {
			fields[i] = asJSONString(fields[i])
		}
	}
	return fields
}

// asJSONString writes a value's raw text as a JSON string.
func asJSONString(f column.TextWriter) column.TextWriter {
	var tmp []byte
	return func(buf []byte, i int) []byte {
		tmp = f(tmp[:0], i)
		return column.AppendJSONString(buf, tmp)
	}
}

func (w *rowWriter) Block(b *column.Block) error {
	fields := w.bind(b.Cols)
	between := ""
	switch {
	case w.style.kind == kindValues:
		between = ","
	case w.style.kind == kindObject && w.set.JSONArray:
		between = ",\n"
	}
	for i := range b.Rows {
		if w.rows > 0 && between != "" {
			w.output.text(between)
		}
		w.rows++
		buf := w.buf
		for k, f := range fields {
			buf = append(buf, w.before[k]...)
			buf = f(buf, i)
		}
		w.buf = append(buf, w.after...)
		w.full()
	}
	return w.flush()
}

// extra writes totals or extremes behind an empty line; only the separated formats have them.
func (w *rowWriter) extra(b *column.Block) error {
	switch w.style.kind {
	case kindTSV, kindRaw, kindCSV:
		w.output.text(w.newline())
		return w.Block(b)
	}
	return nil
}

func (w *rowWriter) Totals(b *column.Block) error   { return w.extra(b) }
func (w *rowWriter) Extremes(b *column.Block) error { return w.extra(b) }

func (w *rowWriter) Stats(Stats) {}

func (w *rowWriter) Close() error {
	if w.set.JSONArray && w.style.kind == kindObject {
		w.output.text("\n]\n")
	}
	return w.flush()
}

// flatten names a tuple's elements as columns of their own: t.a, t.2.b.
func flatten(names []string, types []*column.Type) ([]string, []*column.Type) {
	var n []string
	var t []*column.Type
	for i, typ := range types {
		if typ.Kind != column.Tuple || len(typ.Elems) == 0 {
			n, t = append(n, names[i]), append(t, typ)
			continue
		}
		sub := make([]string, len(typ.Elems))
		for k := range typ.Elems {
			sub[k] = names[i] + "." + elementName(typ, k)
		}
		dn, dt := flatten(sub, typ.Elems)
		n, t = append(n, dn...), append(t, dt...)
	}
	return n, t
}

func elementName(t *column.Type, k int) string {
	if t.Names != nil {
		return t.Names[k]
	}
	return string(column.AppendText(nil, column.UInt64s(uint64(k+1)), 0, column.TextRaw))
}

func flattenColumns(out, cols []column.Column) []column.Column {
	for _, c := range cols {
		t := c.Type()
		switch {
		case t.Kind != column.Tuple:
			out = append(out, c)
		case len(t.Elems) == 0:
			out = append(out, column.NewConst(column.Strings(""), c.Len()))
		default:
			out = flattenColumns(out, column.Full(c).(*column.Tup).Elems)
		}
	}
	return out
}

// nullWriter swallows the result.
type nullWriter struct{}

func newNull(*output, *Settings) Writer         { return nullWriter{} }
func (nullWriter) Header(*column.Block) error   { return nil }
func (nullWriter) Block(*column.Block) error    { return nil }
func (nullWriter) Totals(*column.Block) error   { return nil }
func (nullWriter) Extremes(*column.Block) error { return nil }
func (nullWriter) Stats(Stats)                  {}
func (nullWriter) Close() error                 { return nil }
