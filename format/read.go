package format

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"

	"dictsvc/column"
	"dictsvc/errcode"
)

// maxLine caps a row of text from outside.
const maxLine = 128 << 20

// Reader reads rows of text into blocks.
type Reader struct {
	names []string
	types []*column.Type
	r     *bufio.Reader
	csv   bool
	heads int   // lines of names and types in front
	order []int // column of each field, by the names in the file; -1: no such column
	row   uint64
	line  []byte
}

// Readable tells whether NewReader knows a format.
func Readable(name string) bool { _, _, ok := readFormat(name); return ok }

func readFormat(name string) (csv bool, heads int, ok bool) {
	n := strings.ToLower(name)
	if strings.HasSuffix(n, "withnamesandtypes") {
		n, heads = strings.TrimSuffix(n, "withnamesandtypes"), 2
	} else if strings.HasSuffix(n, "withnames") {
		n, heads = strings.TrimSuffix(n, "withnames"), 1
	}
	switch n {
	case "tabseparated", "tsv":
		return false, heads, true
	case "csv":
		return true, heads, true
	}
	return false, 0, false
}

// NewReader reads TabSeparated and CSV, with names and types in front or without. Names in front say which column a field belongs to.
func NewReader(name string, r io.Reader, names []string, types []*column.Type) (*Reader, error) {
	csv, heads, ok := readFormat(name)
	if !ok {
		return nil, errcode.New(errcode.UnknownFormat, "Unknown format %s", name)
	}
	f := &Reader{names: names, types: types, r: bufio.NewReaderSize(r, 1<<20), csv: csv, heads: heads}
	return f, nil
}

// Next returns the next block of up to column.MaxBlockRows rows, io.EOF at the end.
func (f *Reader) Next() (*column.Block, error) {
	if f.order == nil {
		if err := f.head(); err != nil {
			return nil, err
		}
	}
	cols := make([]column.Column, len(f.types))
	for i, t := range f.types {
		cols[i] = column.New(t, 0)
	}
	n := 0
	for ; n < column.MaxBlockRows; n++ {
		fields, err := f.fields()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		f.row++
		if err := f.put(cols, fields); err != nil {
			return nil, err
		}
	}
	if n == 0 {
		return nil, io.EOF
	}
	return &column.Block{Names: f.names, Cols: cols, Rows: n}, nil
}

// text is a field as it stands, and whether it was in quotes.
type text struct {
	b      []byte
	quoted bool
}

func (f *Reader) head() error {
	f.order = make([]int, len(f.types))
	for i := range f.order {
		f.order[i] = i
	}
	for h := range f.heads {
		fields, err := f.fields()
		if err != nil {
			return err
		}
		if h > 0 {
			continue
		}
		f.order = f.order[:0]
		for _, t := range fields {
			at := -1
			name := column.New(column.Of(column.String), 1).(*column.Str)
			if err := column.ParseText(name, t.b, f.style(t)); err != nil {
				return err
			}
			for i, n := range f.names {
				if n == name.StringAt(0) {
					at = i
				}
			}
			f.order = append(f.order, at)
		}
	}
	return nil
}

func (f *Reader) style(t text) column.TextStyle {
	if f.csv {
		return column.TextRaw
	}
	return column.TextTSV
}

func (f *Reader) put(cols []column.Column, fields []text) error {
	if len(fields) != len(f.order) {
		return errcode.New(errcode.CannotParseInputAssertionFailed, "Cannot parse input: got %d fields, want %d: (at row %d)", len(fields), len(f.order), f.row)
	}
	for i, t := range fields {
		at := f.order[i]
		if at < 0 {
			continue
		}
		c := cols[at]
		if f.csv && !t.quoted && (string(t.b) == `\N` || len(t.b) == 0 && !c.Type().IsString()) {
			c.AppendDefault(1)
			continue
		}
		if !f.csv && string(t.b) == `\N` && !c.Type().IsNullable() { // input_format_null_as_default
			c.AppendDefault(1)
			continue
		}
		if err := column.ParseText(c, t.b, f.style(t)); err != nil {
			return errcode.Wrap(err, "Cannot parse input: column %q: (at row %d)", f.names[at], f.row)
		}
	}
	for _, c := range cols {
		if uint64(c.Len())%column.MaxBlockRows != f.row%column.MaxBlockRows {
			c.AppendDefault(1) // a column that the file does not have
		}
	}
	return nil
}

// fields reads a row; what it returns is valid until the next call.
func (f *Reader) fields() ([]text, error) {
	if f.csv {
		return f.csvFields()
	}
	line, err := f.readLine()
	if err != nil {
		return nil, err
	}
	parts := bytes.Split(line, []byte{'\t'})
	out := make([]text, len(parts))
	for i, p := range parts {
		out[i].b = p
	}
	return out, nil
}

// readLine reads up to a newline; the last line may do without.
func (f *Reader) readLine() ([]byte, error) {
	f.line = f.line[:0]
	for {
		part, err := f.r.ReadSlice('\n')
		f.line = append(f.line, part...)
		if len(f.line) > maxLine {
			return nil, errcode.New(errcode.IncorrectData, "row %d is longer than %d bytes", f.row+1, maxLine)
		}
		switch {
		case err == nil:
			return bytes.TrimSuffix(f.line[:len(f.line)-1], []byte{'\r'}), nil
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF) && len(f.line) > 0:
			return f.line, nil
		default:
			return nil, err
		}
	}
}

func (f *Reader) csvFields() ([]text, error) {
	line, err := f.readLine()
	if err != nil {
		return nil, err
	}
	for bytes.Count(line, []byte{'"'})%2 == 1 { // a newline inside quotes
		first := append(append([]byte(nil), line...), '\n')
		next, err := f.readLine()
		if err != nil {
			return nil, errcode.New(errcode.CannotParseQuotedString, "Cannot parse quoted string: expected closing quote '\"': (at row %d)", f.row+1)
		}
		line = append(first, next...)
		if len(line) > maxLine {
			return nil, errcode.New(errcode.IncorrectData, "row %d is longer than %d bytes", f.row+1, maxLine)
		}
	}
	var out []text
	for i := 0; ; i++ {
		for i < len(line) && (line[i] == ' ' || line[i] == '\t') {
			i++
		}
		if i < len(line) && (line[i] == '"' || line[i] == '\'') {
			q := line[i]
			var b []byte
			for i++; ; i++ {
				if i >= len(line) {
					return nil, errcode.New(errcode.CannotParseQuotedString, "Cannot parse quoted string: expected closing quote '%c': (at row %d)", q, f.row+1)
				}
				if line[i] != q {
					b = append(b, line[i])
					continue
				}
				if i+1 < len(line) && line[i+1] == q {
					b = append(b, q)
					i++
					continue
				}
				break
			}
			i++
			out = append(out, text{b, true})
		} else {
			end := bytes.IndexByte(line[i:], ',')
			if end < 0 {
				end = len(line) - i
			}
			out = append(out, text{bytes.TrimRight(line[i:i+end], " \t"), false})
			i += end
		}
		if i >= len(line) {
			return out, nil
		}
		if line[i] != ',' {
			return nil, errcode.New(errcode.CannotParseInputAssertionFailed, "Cannot parse input: expected ',' before: %q: (at row %d)", line[i:min(i+20, len(line))], f.row+1)
		}
	}
}
