// Package format reads and writes whole results as text: ClickHouse's TabSeparated, CSV, JSON, Values, Vertical and Pretty families over
// blocks of columns. The Native format is the wire's, and JSON objects one a row are read by source/jsonl; both reach NewReader through
// Settings.Extra.
package format

import (
	"io"
	"sort"
	"strings"

	"dictsvc/column"
	"dictsvc/errcode"
)

// Writer writes one result. Calls come in this order: Header once (a block with or without rows, for its names and types), Block for each
// block, Totals and Extremes at most once each, Close once. Stats may come any time before Close. Nothing is held back over the end of a
// call, except by formats that align the columns of several blocks. Constants and LowCardinality columns are taken as they come.
type Writer interface {
	Header(b *column.Block) error
	Block(b *column.Block) error
	// Totals writes the one row of WITH TOTALS.
	Totals(b *column.Block) error
	// Extremes writes the two rows, least and greatest, that SET extremes = 1 asks for.
	Extremes(b *column.Block) error
	// Stats says what the query took; the JSON formats tell it at the end.
	Stats(s Stats)
	// Close ends the text; it does not close what is under it.
	Close() error
}

// Stats is what the JSON formats say about a query at the end.
type Stats struct {
	RowsRead, BytesRead uint64
	Seconds             float64
	HasBeforeLimit      bool // the query had a LIMIT
	RowsBeforeLimit     uint64
}

// parser reads rows of one format into columns.
type parser interface {
	// head reads what stands in front of the rows.
	head(in *input) error
	// row appends one row to each column; more says that the rest of the row is not in the buffer yet, ok false that there is no row left.
	row(in *input, cols []column.Column) (ok, more bool, err error)
}

// ExternalReader reads a format that another package knows.
type ExternalReader interface {
	Next() (*column.Block, error)
}

// NewExternalReader makes an ExternalReader for columns of the given names and types.
type NewExternalReader func(r io.Reader, names []string, types []*column.Type, s *Settings) (ExternalReader, error)

type newParserFunc func(names []string, types []*column.Type, s *Settings) parser

type newWriterFunc func(o *output, s *Settings) Writer

// spec is one format: its name in ClickHouse and what reads and writes it (nil where ClickHouse, or we, cannot).
type spec struct {
	name  string
	write newWriterFunc
	read  newParserFunc
}

// find looks a format up; ClickHouse ignores the case of the name.
func find(name string) (spec, bool) {
	for _, f := range specs() {
		if strings.EqualFold(f.name, name) {
			return f, true
		}
	}
	return spec{}, false
}

// Name returns a format's name as ClickHouse spells it.
func Name(name string) (string, bool) {
	f, ok := find(name)
	return f.name, ok
}

// Known lists the formats that can be written.
func Known() []string {
	return list(func(f spec) bool { return f.write != nil })
}

// Inputs lists the formats that NewReader knows.
func Inputs() []string {
	return list(func(f spec) bool { return f.read != nil })
}

func list(want func(spec) bool) []string {
	var names []string
	for _, f := range specs() {
		if want(f) {
			names = append(names, f.name)
		}
	}
	sort.Strings(names)
	return names
}

// Readable tells whether NewReader knows a format.
func Readable(name string) bool { f, ok := find(name); return ok && f.read != nil }

// NewWriter makes a writer of a format with ClickHouse's default settings.
func NewWriter(name string, w io.Writer) (Writer, error) { return Defaults().NewWriter(name, w) }

// NewWriter makes a writer of a format. Error 73 UNKNOWN_FORMAT or 399 FORMAT_IS_NOT_SUITABLE_FOR_OUTPUT.
func (s *Settings) NewWriter(name string, w io.Writer) (Writer, error) {
	f, ok := find(name)
	if !ok {
		return nil, Unknown(name)
	}
	if f.write == nil {
		return nil, errcode.New(errcode.FormatIsNotSuitableForOutput, "Format %s is not suitable for output", f.name)
	}
	return checked{f.write(&output{w: w}, s)}, nil
}

// checked refuses blocks with values that have no text: those that their Enum does not have.
type checked struct{ Writer }

func (c checked) Block(b *column.Block) error {
	for _, col := range b.Cols {
		if err := column.CheckEnums(col); err != nil {
			return err
		}
	}
	return c.Writer.Block(b)
}

// output collects text and hands it on in large pieces.
type output struct {
	w   io.Writer
	buf []byte
	err error
}

const flushBytes = 64 << 10

// full hands the text on where there is much of it.
func (o *output) full() {
	if len(o.buf) >= flushBytes {
		o.flush()
	}
}

func (o *output) flush() error {
	if o.err == nil && len(o.buf) > 0 {
		_, o.err = o.w.Write(o.buf)
	}
	o.buf = o.buf[:0]
	return o.err
}

func (o *output) text(s string) { o.buf = append(o.buf, s...) }
