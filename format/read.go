package format

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"dictsvc/column"
	"dictsvc/errcode"
)

// maxRow caps the bytes of one row from outside.
const maxRow = 128 << 20

// Reader reads rows of text into blocks.
type Reader struct {
	in      *input
	parser  parser
	names   []string
	types   []*column.Type
	set     *Settings
	started bool
	rows    uint64 // rows read, the bad ones included
	bad     uint64
	extern  ExternalReader
}

// input is the text not yet read: buf[pos:].
type input struct {
	r   io.Reader
	buf []byte
	pos int
	eof bool
}

// rest is what the buffer holds.
func (in *input) rest() []byte { return in.buf[in.pos:] }

// fill reads more; false at the end of the input.
func (in *input) fill() (bool, error) {
	if in.eof {
		return false, nil
	}
	if in.pos > 0 {
		in.buf = in.buf[:copy(in.buf, in.buf[in.pos:])]
		in.pos = 0
	}
	if len(in.buf) >= maxRow {
		return false, errcode.New(errcode.TooLargeStringSize, "A row of the input is longer than %d bytes", maxRow)
	}
	if free := cap(in.buf) - len(in.buf); free < 64<<10 {
		grown := make([]byte, len(in.buf), max(1<<18, 2*cap(in.buf)))
		copy(grown, in.buf)
		in.buf = grown
	}
	for range 100 {
		n, err := in.r.Read(in.buf[len(in.buf):cap(in.buf)])
		in.buf = in.buf[:len(in.buf)+n]
		if err == io.EOF {
			in.eof = true
			return n > 0, nil
		}
		if err != nil {
			return false, err
		}
		if n > 0 {
			return true, nil
		}
	}
	return false, io.ErrNoProgress
}

// NewReader makes a reader of a format with ClickHouse's default settings.
func NewReader(name string, r io.Reader, names []string, types []*column.Type) (*Reader, error) {
	return Defaults().NewReader(name, r, names, types)
}

// NewReader makes a reader of a format for columns of the given names and types. Error 73 UNKNOWN_FORMAT or 85 FORMAT_IS_NOT_SUITABLE_FOR_INPUT.
func (s *Settings) NewReader(name string, r io.Reader, names []string, types []*column.Type) (*Reader, error) {
	for extra, f := range s.Extra {
		if strings.EqualFold(extra, name) {
			e, err := f(r, names, types, s)
			if err != nil {
				return nil, err
			}
			return &Reader{extern: e}, nil
		}
	}
	f, ok := find(name)
	if !ok {
		return nil, Unknown(name)
	}
	if f.read == nil {
		return nil, errcode.New(errcode.FormatIsNotSuitableForInput, "Format %s is not suitable for input", f.name)
	}
	return &Reader{in: &input{r: r}, parser: f.read(names, types, s), names: names, types: types, set: s, rows: s.FirstRow}, nil
}

// Skipped is the number of bad rows left out so far, which input_format_allow_errors_num allowed.
func (r *Reader) Skipped() uint64 { return r.bad }

// Next returns the next block of up to column.MaxBlockRows rows, io.EOF at the end. After another error nothing more can be read.
func (r *Reader) Next() (*column.Block, error) {
	if r.extern != nil {
		return r.extern.Next()
	}
	if !r.started {
		r.started = true
		if err := r.parser.head(r.in); err != nil {
			return nil, err
		}
	}
	cols := make([]column.Column, len(r.types))
	for i, t := range r.types {
		cols[i] = column.New(t, 0)
	}
	n := 0
	for n < column.MaxBlockRows {
		at := r.in.pos
		ok, more, err := r.parser.row(r.in, cols)
		if err != nil && !r.in.eof && len(r.in.buf)-at < 4096 { // see more, so that the error's text does not depend on where reads end
			r.in.pos, more, err = at, true, nil
		}
		if more && err == nil {
			truncate(cols, n)
			if _, err := r.in.fill(); err != nil {
				return nil, err
			}
			continue
		}
		if !ok && err == nil {
			break
		}
		r.rows++
		if err != nil {
			truncate(cols, n)
			if !r.pass() {
				return nil, r.locate(err)
			}
			continue
		}
		n++
	}
	if n == 0 {
		return nil, io.EOF
	}
	return &column.Block{Names: r.names, Cols: cols, Rows: n}, nil
}

func truncate(cols []column.Column, n int) {
	for _, c := range cols {
		if c.Len() > n {
			c.Truncate(n)
		}
	}
}

// pass leaves a bad row out, up to the next newline, where the settings allow it.
func (r *Reader) pass() bool {
	r.bad++
	if r.bad > r.set.AllowErrors && float64(r.bad) > r.set.AllowErrorsRatio*float64(r.rows) {
		return false
	}
	for {
		if i := bytes.IndexByte(r.in.rest(), '\n'); i >= 0 {
			r.in.pos += i + 1
			return true
		}
		r.in.pos = len(r.in.buf)
		if ok, err := r.in.fill(); err != nil || !ok {
			return err == nil
		}
	}
}

// rowError is an error with what is known of the row.
type rowError struct {
	err    error
	detail string
	asIs   bool // the text says all
}

func (e *rowError) Error() string { return e.err.Error() }
func (e *rowError) Unwrap() error { return e.err }

// locate says in which row an error stands, in ClickHouse's words.
func (r *Reader) locate(err error) error {
	detail := ""
	if e, ok := err.(*rowError); ok {
		if e.asIs {
			return e.err
		}
		err, detail = e.err, e.detail
	}
	code := errcode.Of(err)
	if detail != "" {
		detail = ": \nRow " + fmt.Sprint(r.rows) + ":\n" + detail
	}
	return &errcode.Error{Code: code, Msg: fmt.Sprintf("%s: (at row %d)\n%s", err.Error(), r.rows, detail), Err: err}
}

// headError words an error in the lines of names and types.
func headError(format string, args ...any) error {
	return errcode.New(errcode.IncorrectData, format+": (while reading header)", args...)
}

// describe says of column i what was read, as ClickHouse's diagnostics do.
func describe(names []string, types []*column.Type, i int, what string) string {
	nameWidth, typeWidth := 0, 0
	for k, n := range names {
		nameWidth, typeWidth = max(nameWidth, len(n)), max(typeWidth, len(types[k].String()))
	}
	return fmt.Sprintf("Column %d,   name: %s, type: %s, %s\n", i, names[i]+spaces(nameWidth-len(names[i])), types[i].String()+spaces(typeWidth-len(types[i].String())), what)
}

// visible shows text with its control characters named.
func visible(b []byte) string {
	if len(b) == 0 {
		return "<EMPTY>"
	}
	s := strings.NewReplacer("\t", "<TAB>", "\n", "<LINE FEED>", "\r", "<CARRIAGE RETURN>", "\\", "<BACKSLASH>", `"`, "<DOUBLE QUOTE>", "'", "<SINGLE QUOTE>", "\x00", "<ASCII NUL>").
		Replace(string(b[:min(len(b), 60)]))
	return `"` + s + `"`
}

// defaults fill columns that a row does not have.
func (s *Settings) appendDefault(c column.Column, i int) error {
	if s.DefaultOf != nil {
		d, err := s.DefaultOf(i)
		if err != nil {
			return err
		}
		c.AppendRange(d, 0, 1)
		return nil
	}
	c.AppendDefault(1)
	return nil
}

// order is which column each field of a row belongs to, -1 for none, and the columns without a field.
type order struct {
	fields  []int
	missing []int
}

func plainOrder(n int) order {
	o := order{fields: make([]int, n)}
	for i := range o.fields {
		o.fields[i] = i
	}
	return o
}

// orderOf matches the names in front of the rows with the columns.
func orderOf(got, names []string, s *Settings, family string) (order, error) {
	if !s.UseHeader {
		return plainOrder(len(names)), nil
	}
	var o order
	seen := make([]bool, len(names))
	for k, g := range got {
		at := -1
		for i, n := range names {
			if n == g {
				at = i
			}
		}
		switch {
		case at < 0 && !s.SkipUnknown:
			return o, headError("Unknown field found in %s header: '%s' at position %d\nSet the 'input_format_skip_unknown_fields' parameter explicitly to ignore and proceed", family, g, k)
		case at >= 0 && seen[at]:
			return o, headError("Duplicate field found while parsing format header: %s", g)
		case at >= 0:
			seen[at] = true
		}
		o.fields = append(o.fields, at)
	}
	for i := range names {
		if !seen[i] {
			o.missing = append(o.missing, i)
		}
	}
	return o, nil
}

// checkTypes compares the line of types with the columns'.
func checkTypes(got []string, o order, names []string, types []*column.Type, s *Settings) error {
	if !s.CheckTypes {
		return nil
	}
	for k, at := range o.fields {
		if at < 0 || k >= len(got) {
			continue
		}
		if t, err := column.Parse(got[k]); err != nil || !t.Equal(types[at]) {
			return headError("Type of '%s' must be %s, not %s", names[at], types[at], got[k])
		}
	}
	return nil
}
