package jsonl

import (
	"bytes"
	"fmt"

	"dictsvc/column"
	"dictsvc/errcode"
)

// rowError is a fault at a byte of a chunk.
type rowError struct {
	at     int
	code   errcode.Code
	column string
	text   string
}

func (e *rowError) Error() string { return e.text }

// more says that the chunk ends inside a row.
var more = &rowError{text: "the row is cut short"}

// parser turns chunks into blocks. It belongs to one goroutine.
type parser struct {
	o     *Options
	index map[string]int // column by name
	// expect is the fields of the row before in their order: their text with quotes and colon, and their column (-1: skipped).
	expect []field
	seen   []uint64 // by column: the row (counted from 1 over all chunks) that last had it
	row    uint64
	b      []byte
	i      int
	cols   []column.Column
	ops    []op
	rows   int // in cols
	out    *result
	buf    []byte
	last   bool
}

type field struct {
	text []byte
	col  int
}

// op is how a column's values are read.
type op uint8

const (
	opGeneral op = iota
	opUint64
	opInt64
	opFloat64
	opString
	opUint32
	opInt32
	opUint16
	opUint8
)

func newParser(o *Options) *parser {
	p := &parser{o: o, index: map[string]int{}, seen: make([]uint64, len(o.Columns)), ops: make([]op, len(o.Columns))}
	for i, c := range o.Columns {
		p.index[c.Name] = i
		switch c.Type.Kind {
		case column.UInt64:
			p.ops[i] = opUint64
		case column.Int64:
			p.ops[i] = opInt64
		case column.Float64:
			p.ops[i] = opFloat64
		case column.String:
			p.ops[i] = opString
		case column.UInt32:
			p.ops[i] = opUint32
		case column.Int32:
			p.ops[i] = opInt32
		case column.UInt16:
			p.ops[i] = opUint16
		case column.UInt8:
			p.ops[i] = opUint8
		}
	}
	return p
}

// parse reads the rows of a chunk.
func (p *parser) parse(b []byte, last bool, out *result) {
	*out = result{rest: len(b)}
	p.b, p.i, p.out, p.last = b, 0, out, last
	p.fresh(len(b))
	for {
		p.separators()
		if p.i == len(b) {
			break
		}
		start := p.i
		switch {
		case b[p.i] == '[' && out.rows == 0 && !out.opened:
			out.opened = true
			p.i++
			continue
		case b[p.i] == ']' && !out.closed:
			out.closed = true
			p.i++
			continue
		}
		var err *rowError
		if out.closed {
			err = p.fault(errcode.CannotParseInputAssertionFailed, "data behind the closing ']' of the array")
		} else {
			p.row++
			err = p.object()
		}
		if err == nil {
			p.rows++
			out.rows++
			if p.rows == p.o.BlockRows {
				p.flush()
			}
			continue
		}
		for _, c := range p.cols {
			c.Truncate(p.rows)
		}
		if err == more {
			if !last {
				out.rest = start
				break
			}
			err = p.fault(errcode.CannotReadAllData, "the file ends inside a row")
		}
		if p.o.MaxErrors == 0 || err.code == errcode.TooDeepRecursion {
			out.err = err
			break
		}
		nl := bytes.IndexByte(b[p.i:], '\n')
		if nl < 0 && !last { // the bad row goes on in the next chunk
			out.rest = start
			break
		}
		out.skipped = append(out.skipped, *err)
		if uint64(len(out.skipped)) > p.o.MaxErrors {
			break
		}
		if nl < 0 {
			break
		}
		p.i += nl + 1
	}
	p.flush()
}

func (p *parser) fresh(bytes int) {
	n := min(p.o.BlockRows, bytes/64+16)
	p.cols = make([]column.Column, len(p.o.Columns))
	for i, c := range p.o.Columns {
		p.cols[i] = column.New(c.Type, n)
	}
	p.rows = 0
}

func (p *parser) flush() {
	if p.rows == 0 {
		return
	}
	names := make([]string, len(p.cols))
	for i := range names {
		names[i] = p.o.Columns[i].Name
	}
	p.out.blocks = append(p.out.blocks, &column.Block{Names: names, Cols: p.cols, Rows: p.rows})
	p.fresh(len(p.b) - p.i)
}

func (p *parser) fault(code errcode.Code, format string, args ...any) *rowError {
	return &rowError{at: p.i, code: code, text: fmt.Sprintf(format, args...)}
}

// separators passes white space and commas between rows.
func (p *parser) separators() {
	for p.i < len(p.b) {
		switch p.b[p.i] {
		case ' ', '\n', '\r', '\t', ',':
			p.i++
		default:
			return
		}
	}
}

func (p *parser) space() {
	for p.i < len(p.b) {
		switch p.b[p.i] {
		case ' ', '\n', '\r', '\t':
			p.i++
		default:
			return
		}
	}
}

// object reads one row.
func (p *parser) object() *rowError {
	if p.b[p.i] != '{' {
		return p.fault(errcode.CannotParseInputAssertionFailed, "got %s, want '{'", p.here())
	}
	p.i++
	n := 0     // fields of this row
	found := 0 // of them with a column
	for {
		if p.i < len(p.b) && p.b[p.i] <= ' ' {
			p.space()
		}
		if n < len(p.expect) && bytes.HasPrefix(p.b[p.i:], p.expect[n].text) {
			p.i += len(p.expect[n].text)
		} else {
			end, err := p.name(n)
			if err != nil {
				return err
			}
			if end {
				break
			}
		}
		col := p.expect[n].col
		n++
		if p.i < len(p.b) && p.b[p.i] <= ' ' {
			p.space()
		}
		if col >= 0 {
			if p.seen[col] == p.row {
				name := p.o.Columns[col].Name
				return &rowError{at: p.i, code: errcode.IncorrectData, column: name, text: "Duplicate field found while parsing JSONEachRow format: " + name}
			}
			p.seen[col] = p.row
			found++
			if err := p.value(col); err != nil {
				if err != more && err.column == "" {
					err.column = p.o.Columns[col].Name
				}
				return err
			}
		} else if err := p.skip(0); err != nil {
			return err
		}
		if p.i < len(p.b) && p.b[p.i] == ',' {
			p.i++
			continue
		}
		p.space()
		if p.i == len(p.b) {
			return more
		}
		if p.b[p.i] == ',' {
			p.i++
			continue
		}
		if p.b[p.i] == '}' {
			p.i++
			break
		}
		return p.fault(errcode.CannotParseInputAssertionFailed, "got %s, want ',' or '}'", p.here())
	}
	if found < len(p.cols) {
		for i, c := range p.cols {
			if p.seen[i] != p.row {
				c.AppendRange(p.o.Columns[i].Default, 0, 1)
			}
		}
	}
	return nil
}

// name reads a field's name and colon the general way and makes it what is expected as field n. end: the object ended instead.
func (p *parser) name(n int) (end bool, err *rowError) {
	p.space()
	if p.i == len(p.b) {
		return false, more
	}
	if p.b[p.i] == '}' {
		if n > 0 {
			return false, p.fault(errcode.CannotParseInputAssertionFailed, "got '}' behind a comma, want a field name")
		}
		p.i++
		return true, nil
	}
	start := p.i
	name, err := p.str()
	if err != nil {
		return false, err
	}
	plain := p.b[start:p.i] // the name as written
	p.space()
	if p.i == len(p.b) {
		return false, more
	}
	if p.b[p.i] != ':' {
		return false, p.fault(errcode.CannotParseInputAssertionFailed, "got %s behind field name %q, want ':'", p.here(), name)
	}
	p.i++
	f := field{col: -1}
	if c, ok := p.index[string(name)]; ok {
		f.col = c
	} else if p.o.RefuseUnknown {
		return false, &rowError{at: p.i, code: errcode.IncorrectData, text: fmt.Sprintf("Unknown field found while parsing JSONEachRow format: %s", name)}
	}
	f.text = append(append([]byte(nil), plain...), ':') // a name with escapes is compared as written, too
	if n < len(p.expect) {
		p.expect[n] = f
	} else if n < maxFields {
		p.expect = append(p.expect, f)
	} else {
		return false, p.fault(errcode.TooManyColumns, "a row has more than %d fields", maxFields)
	}
	return false, nil
}

// maxFields bounds the memory that one odd row can make the parser keep.
const maxFields = 1 << 16

// here shows what stands at the place in hand, for messages.
func (p *parser) here() string {
	if p.i >= len(p.b) {
		return "the end"
	}
	s := p.b[p.i:min(p.i+30, len(p.b))]
	if nl := bytes.IndexByte(s, '\n'); nl > 0 {
		s = s[:nl]
	}
	return fmt.Sprintf("%q", s)
}
