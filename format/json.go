package format

import (
	"strconv"

	"dictsvc/column"
)

// document writes the formats JSON, JSONCompact and their Strings forms: one JSON object for the whole result.
type document struct {
	*output
	set     *Settings
	compact bool
	strings bool
	text    column.TextOptions
	names   []string // as JSON strings
	rows    uint64
	stats   Stats
	body    bool // "data" is open
}

func newDocument(compact, strs bool) newWriterFunc {
	return func(o *output, s *Settings) Writer {
		return &document{output: o, set: s, compact: compact, strings: strs, text: s.textOptions(rowStyle{kind: kindObject, strings: strs})}
	}
}

func (w *document) Header(b *column.Block) error {
	names, types := b.Names, b.Types()
	w.output.text("{\n\t\"meta\":\n\t[\n")
	for i, n := range names {
		if i > 0 {
			w.output.text(",\n")
		}
		quoted := column.AppendJSONString(nil, []byte(n))
		w.names = append(w.names, string(quoted))
		w.output.text("\t\t{\n\t\t\t\"name\": ")
		w.buf = append(w.buf, quoted...)
		w.output.text(",\n\t\t\t\"type\": ")
		w.buf = column.AppendJSONString(w.buf, []byte(types[i].String()))
		w.output.text("\n\t\t}")
	}
	w.output.text("\n\t],\n\n\t\"data\":\n\t[\n")
	w.body = true
	return w.flush()
}

// row writes row i of cols; the line that it begins on has depth tabs, the row's own among them.
func (w *document) row(cols []column.Column, fields []column.TextWriter, i, depth int, indent string) {
	if w.compact {
		w.output.text("[")
		for k, f := range fields {
			if k > 0 {
				w.output.text(", ")
			}
			w.buf = f(w.buf, i)
		}
		w.output.text("]")
		return
	}
	w.output.text("{\n")
	for k, f := range fields {
		if k > 0 {
			w.output.text(",\n")
		}
		w.output.text(indent)
		w.output.text("\t")
		w.output.text(w.names[k])
		w.output.text(": ")
		if f != nil {
			w.buf = f(w.buf, i)
		} else {
			w.buf = w.text.AppendPrettyJSON(w.buf, cols[k], i, depth+1)
		}
	}
	w.output.text("\n")
	w.output.text(indent)
	w.output.text("}")
}

// bind prepares columns; composite ones, which are written over several lines, stay nil.
func (w *document) bind(cols []column.Column) []column.TextWriter {
	fields := make([]column.TextWriter, len(cols))
	for k, c := range cols {
		switch c.Type().Kind {
		case column.Array, column.Tuple, column.Map:
			if !w.compact && !w.strings {
				continue
			}
		}
		fields[k] = w.text.Bind(c)
		if w.strings {
			fields[k] = asJSONString(fields[k])
		}
	}
	return fields
}

func (w *document) Block(b *column.Block) error {
	fields := w.bind(b.Cols)
	for i := range b.Rows {
		if w.rows > 0 {
			w.output.text(",\n")
		}
		w.rows++
		w.output.text("\t\t")
		w.row(b.Cols, fields, i, 2, "\t\t")
		w.full()
	}
	return w.flush()
}

// endData closes the list of rows.
func (w *document) endData() {
	if w.body {
		w.output.text("\n\t]")
		w.body = false
	}
}

func (w *document) Totals(b *column.Block) error {
	w.endData()
	if b.Rows > 0 {
		w.member("totals", 1)
		w.row(b.Cols, w.bind(b.Cols), 0, 1, "\t")
	}
	return w.flush()
}

// member begins a member of the object at a depth; in the compact formats its row stands on the same line.
func (w *document) member(name string, depth int) {
	indent := "\t\t\t"[:depth]
	if depth == 1 {
		w.output.text(",\n\n")
	}
	w.output.text(indent + `"` + name + `":`)
	if w.compact {
		w.output.text(" ")
	} else {
		w.output.text("\n" + indent)
	}
}

func (w *document) Extremes(b *column.Block) error {
	w.endData()
	if b.Rows >= 2 {
		w.output.text(",\n\n\t\"extremes\":\n\t{\n")
		fields := w.bind(b.Cols)
		w.member("min", 2)
		w.row(b.Cols, fields, 0, 2, "\t\t")
		w.output.text(",\n")
		w.member("max", 2)
		w.row(b.Cols, fields, 1, 2, "\t\t")
		w.output.text("\n\t}")
	}
	return w.flush()
}

func (w *document) Stats(s Stats) { w.stats = s }

func (w *document) Close() error {
	s := w.stats
	w.endData()
	w.output.text(",\n\n\t\"rows\": ")
	w.buf = strconv.AppendUint(w.buf, w.rows, 10)
	if s.HasBeforeLimit {
		w.output.text(",\n\n\t\"rows_before_limit_at_least\": ")
		w.buf = strconv.AppendUint(w.buf, s.RowsBeforeLimit, 10)
	}
	if w.set.JSONStatistics {
		w.output.text(",\n\n\t\"statistics\":\n\t{\n\t\t\"elapsed\": ")
		w.buf = column.AppendFloat(w.buf, s.Seconds, 64)
		w.output.text(",\n\t\t\"rows_read\": ")
		w.buf = strconv.AppendUint(w.buf, s.RowsRead, 10)
		w.output.text(",\n\t\t\"bytes_read\": ")
		w.buf = strconv.AppendUint(w.buf, s.BytesRead, 10)
		w.output.text("\n\t}")
	}
	w.output.text("\n}\n")
	return w.flush()
}
