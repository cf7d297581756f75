package jsonl

import (
	"bytes"
	"fmt"
	"io"

	"dictsvc/column"
	"dictsvc/errcode"
)

// InferOptions bound the sample that types are inferred from and say what they become.
type InferOptions struct {
	Name     string // of the input, for messages
	MaxRows  int    // 0: 25,000 (input_format_max_rows_to_read_for_schema_inference)
	MaxBytes int    // 0: 32 MiB (input_format_max_bytes_to_read_for_schema_inference)
	// MakeNullable makes every type Nullable, as ClickHouse does unless told otherwise (schema_inference_make_columns_nullable).
	// Without it only columns in which a null was seen are.
	MakeNullable bool
	maxErrors    uint64 // bad rows to pass over
}

// Infer reads the beginning of a file ("-" cannot be read twice and is refused) and returns its columns in the order in which their
// fields come.
func Infer(path string, o InferOptions) ([]Column, error) {
	if path == "-" {
		return nil, errcode.New(errcode.BadArguments, "types cannot be inferred from standard input")
	}
	in, err := openInput(path)
	if err != nil {
		return nil, err
	}
	defer in.interrupt()
	defer in.release()
	if o.Name == "" {
		o.Name = path
	}
	return inferFrom(in.r, o)
}

// InferReader is Infer of a reader, plain or packed.
func InferReader(r io.Reader, o InferOptions) ([]Column, error) {
	in, err := newInput(r, nil)
	if err != nil {
		return nil, err
	}
	defer in.release()
	return inferFrom(in.r, o)
}

// OpenInferred opens a file ("-": standard input) whose types are not known: a sample from its beginning gives the columns, and choose
// says which of them to read and as what. The sample is read again as part of the file.
func OpenInferred(path string, o Options, infer InferOptions, choose func([]Column) ([]Column, error)) (*Reader, error) {
	in, err := openInput(path)
	if err != nil {
		return nil, err
	}
	if o.Name == "" {
		o.Name = path
	}
	if infer.Name == "" {
		infer.Name = o.Name
	}
	infer.maxErrors = o.MaxErrors
	if infer.MaxBytes <= 0 {
		infer.MaxBytes = 4 << 20
	}
	sample, cut, err := readSample(in.r, infer.MaxBytes)
	if err != nil {
		err = errcode.Wrap(err, "file %q", o.Name)
	} else {
		var cols []Column
		if cols, err = inferSample(sample, cut, infer); err == nil {
			o.Columns, err = choose(cols)
		}
	}
	if err != nil {
		in.interrupt()
		in.release()
		return nil, err
	}
	in.r = io.MultiReader(bytes.NewReader(sample), in.r)
	return newReader(in, o), nil
}

func inferFrom(r io.Reader, o InferOptions) ([]Column, error) {
	if o.MaxBytes <= 0 {
		o.MaxBytes = 32 << 20
	}
	sample, cut, err := readSample(r, o.MaxBytes)
	if err != nil {
		return nil, errcode.Wrap(err, "file %q", o.Name)
	}
	return inferSample(sample, cut, o)
}

func inferSample(sample []byte, cut bool, o InferOptions) ([]Column, error) {
	if o.MaxRows <= 0 {
		o.MaxRows = 25000
	}
	p := newParser(&Options{}, &pool{})
	p.b = pad(sample)
	p.base, p.last = pointer(p.b), !cut
	root := &shape{kind: shapeObject}
	if rerr := p.sampleRows(root, o.MaxRows, o.maxErrors); rerr != nil {
		if rerr == more {
			rerr = &rowError{at: len(sample), text: "the file ends inside a row"}
			if cut {
				rerr = &rowError{text: fmt.Sprintf("the first row is longer than the sample of %d bytes", len(sample))}
			}
		}
		rerr.code = errcode.CannotExtractTableStructure
		rerr.text = "The table structure cannot be extracted from a JSONEachRow format file: " + rerr.text
		return nil, (&Reader{o: Options{Name: o.Name}}).rowError(sample, rerr)
	}
	if len(root.names) == 0 {
		return nil, errcode.New(errcode.CannotExtractTableStructure, "The table structure cannot be extracted from a JSONEachRow format file: the file %q has no rows with fields. You can specify the structure manually", o.Name)
	}
	cols := make([]Column, len(root.names))
	for i, n := range root.names {
		cols[i] = Column{Name: n, Type: root.elems[i].typ(o.MakeNullable)}
	}
	return cols, nil
}

// readSample reads up to most bytes; cut says that there may be more.
func readSample(r io.Reader, most int) (sample []byte, cut bool, err error) {
	sample = make([]byte, 0, min(most, 1<<18))
	for len(sample) < most {
		if len(sample) == cap(sample) {
			sample = append(sample, 0)[:len(sample)]
		}
		n, err := fill(r, sample[len(sample):min(cap(sample), most)])
		sample = sample[:len(sample)+n]
		if err == io.EOF {
			return bytes.TrimPrefix(sample, []byte(byteOrderMark)), false, nil
		}
		if err != nil {
			return nil, false, err
		}
	}
	return bytes.TrimPrefix(sample, []byte(byteOrderMark)), true, nil
}

// sampleRows merges the shapes of the sample's rows. Up to maxErrors bad ones are passed over, as far as the next newline.
func (p *parser) sampleRows(root *shape, most int, maxErrors uint64) *rowError {
	opened := false
	for rows := 0; rows < most; {
		p.space()
		if p.i == len(p.b) {
			return nil
		}
		var err *rowError
		switch c := p.b[p.i]; {
		case c == '[' && rows == 0 && !opened:
			opened = true
			p.i++
		case c == ',' && rows > 0:
			p.i++
		case c == ']' && opened:
			return nil
		case c == '{':
			if err = p.sampleRow(root); err == nil {
				rows++
			}
		default:
			err = p.fault(errcode.CannotParseInputAssertionFailed, "got %s, want '{'", p.here())
		}
		switch {
		case err == nil:
		case err == more && !p.last && rows > 0:
			return nil
		case err == more || maxErrors == 0:
			return err
		default:
			nl := bytes.IndexByte(p.b[p.i:], '\n')
			if nl < 0 {
				return nil
			}
			maxErrors--
			p.i += nl + 1
		}
	}
	return nil
}

// sampleRow merges the shape of one row.
func (p *parser) sampleRow(root *shape) *rowError {
	start := p.i
	s, err := p.shape(0)
	if err != nil {
		return err
	}
	if s.twice != "" {
		return &rowError{at: start, column: s.twice, text: "Duplicate column name found while schema inference"}
	}
	for i, n := range s.names {
		f := root.field(n)
		was := f.typ(false)
		if !f.merge(s.elems[i], false) {
			return &rowError{at: start, column: n, text: "the type here, " + s.elems[i].typ(false).String() + ", differs from the type in the rows before, " + was.String()}
		}
	}
	return nil
}

// shape is what is known of a value's type.
type shape struct {
	kind  shapeKind
	null  bool // null was seen in its place
	minus bool // an integer below zero was
	twice string
	names []string
	elems []*shape
	index map[string]int
}

type shapeKind uint8

const (
	shapeNone shapeKind = iota // only null was seen
	shapeBool
	shapeInt
	shapeUint // beyond Int64
	shapeFloat
	shapeDate
	shapeTime
	shapeTime64
	shapeString
	shapeArray
	shapeObject
)

// merge widens s to hold o as well. false: no type holds both, unless within one array (mixed), whose elements then are strings.
func (s *shape) merge(o *shape, mixed bool) bool {
	s.null = s.null || o.null
	s.minus = s.minus || o.minus
	if o.kind == shapeNone {
		return true
	}
	if s.kind == shapeNone {
		null, minus := s.null, s.minus
		*s = *o
		s.null, s.minus = null, minus
		return true
	}
	a, b := min(s.kind, o.kind), max(s.kind, o.kind)
	switch {
	case a == b && a == shapeArray:
		if len(s.elems) == 0 {
			s.elems = o.elems
		} else if len(o.elems) > 0 {
			return s.elems[0].merge(o.elems[0], mixed)
		}
	case a == b && a == shapeObject:
		for i, n := range o.names {
			if !s.field(n).merge(o.elems[i], mixed) {
				return false
			}
		}
	case a == b:
	case b == shapeUint && s.minus:
		return mixed && s.strings()
	case b <= shapeFloat || a >= shapeDate && b <= shapeTime64:
		s.kind = b
	case b >= shapeArray:
		return mixed && s.strings()
	default:
		s.strings()
	}
	return true
}

func (s *shape) strings() bool {
	*s = shape{kind: shapeString, null: s.null}
	return true
}

func (s *shape) field(name string) *shape {
	if s.index == nil {
		s.index = map[string]int{}
		for i, n := range s.names {
			s.index[n] = i
		}
	}
	i, ok := s.index[name]
	if !ok {
		i = len(s.names)
		s.index[name] = i
		s.names = append(s.names, name)
		s.elems = append(s.elems, &shape{})
	}
	return s.elems[i]
}

var shapeKinds = map[shapeKind]column.Kind{shapeBool: column.Bool, shapeInt: column.Int64, shapeUint: column.UInt64, shapeFloat: column.Float64,
	shapeDate: column.Date, shapeTime: column.DateTime}

func (s *shape) typ(nullable bool) *column.Type {
	t := column.Of(column.String)
	switch s.kind {
	case shapeTime64:
		t, _ = column.NewDateTime64(9, "")
	case shapeArray:
		elem := &shape{}
		if len(s.elems) > 0 {
			elem = s.elems[0]
		}
		return column.NewArray(elem.typ(nullable))
	case shapeObject:
		if len(s.names) > 0 {
			elems := make([]*column.Type, len(s.elems))
			for i, e := range s.elems {
				elems[i] = e.typ(nullable)
			}
			return column.NewTuple(elems, s.names)
		}
	default:
		if k, ok := shapeKinds[s.kind]; ok {
			t = column.Of(k)
		}
	}
	if nullable || s.null {
		return column.NewNullable(t)
	}
	return t
}

// shape reads a value for its type.
func (p *parser) shape(depth int) (*shape, *rowError) {
	if depth > maxDepth {
		return nil, p.tooDeep()
	}
	p.space()
	if p.i == len(p.b) {
		return nil, more
	}
	switch p.b[p.i] {
	case '"':
		s, err := p.str()
		if err != nil {
			return nil, err
		}
		return &shape{kind: stringShape(s)}, nil
	case 't':
		return &shape{kind: shapeBool}, p.word("true")
	case 'f':
		return &shape{kind: shapeBool}, p.word("false")
	case 'n':
		return &shape{null: true}, p.word("null")
	case '[':
		p.i++
		s := &shape{kind: shapeArray}
		for done := p.empty(']'); !done; {
			e, err := p.shape(depth + 1)
			if err != nil {
				return nil, err
			}
			if len(s.elems) == 0 {
				s.elems = []*shape{e}
			} else {
				s.elems[0].merge(e, true)
			}
			if done, err = p.next(']'); err != nil {
				return nil, err
			}
		}
		return s, nil
	case '{':
		return p.objectShape(depth)
	}
	return p.numberShape()
}

func (p *parser) objectShape(depth int) (*shape, *rowError) {
	p.i++
	s := &shape{kind: shapeObject}
	for done := p.empty('}'); !done; {
		b, err := p.key()
		if err != nil {
			return nil, err
		}
		name := string(b)
		if name == "" && depth > 0 {
			return nil, p.fault(errcode.BadArguments, "Names of tuple elements cannot be empty")
		}
		if len(s.names) >= maxFields {
			return nil, p.fault(errcode.TooManyColumns, "an object has more than %d fields", maxFields)
		}
		e, err := p.shape(depth + 1)
		if err != nil {
			return nil, err
		}
		n := len(s.names)
		f := s.field(name)
		if len(s.names) == n {
			s.twice = name
		}
		f.merge(e, true)
		if done, err = p.next('}'); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (p *parser) numberShape() (*shape, *rowError) {
	start := p.i
	b, err := p.token()
	if err != nil {
		return nil, err
	}
	if !isNumber(b) {
		p.i = start
		return nil, p.fault(errcode.IncorrectData, "got %s, want a JSON value", p.here())
	}
	for _, c := range b {
		if c == '.' || c|0x20 == 'e' {
			return &shape{kind: shapeFloat}, nil
		}
	}
	minus := b[0] == '-'
	if parse(column.New(column.Of(column.Int64), 1), b) == 0 {
		return &shape{kind: shapeInt, minus: minus}, nil
	}
	if !minus && parse(column.New(column.Of(column.UInt64), 1), b) == 0 {
		return &shape{kind: shapeUint}, nil
	}
	p.i = start
	return nil, p.fault(errcode.IncorrectData, "the integer %s is in no 64-bit type; name the column's type", shown(b))
}

// stringShape tells dates and times from other strings, as ClickHouse does with input_format_try_infer_dates and _datetimes.
func stringShape(s []byte) shapeKind {
	if len(s) < 8 || len(s) > 64 {
		return shapeString
	}
	location := column.Of(column.DateTime).Location()
	if s[0]-'0' <= 9 && isDate(s) {
		var d = column.New(column.Of(column.Date32), 1).(*column.Num[int32])
		if parse(d, s) == 0 && d.Data[0] >= 0 && d.Data[0] <= 65535 {
			return shapeDate
		}
	}
	m, ok := column.ParseBestEffort(s, location)
	switch {
	case !ok || !m.Dated:
		return shapeString
	case m.Seconds < firstSecond || m.Seconds > 9223372035: // the most that nine digits of fraction leave room for
		return shapeString
	case m.Fraction || m.Seconds < 0 || m.Seconds > 1<<32-1:
		return shapeTime64
	}
	return shapeTime
}

// isDate tells whether s is YYYY-MM-DD, with one-digit months and days and with any separator that is no digit.
func isDate(s []byte) bool {
	if len(s) > 10 {
		return false
	}
	part, n := 0, 0
	values := [3]int{}
	for _, c := range s {
		if c-'0' <= 9 {
			values[part] = values[part]*10 + int(c-'0')
			n++
			continue
		}
		if c|0x20 >= 'a' && c|0x20 <= 'z' || part == 2 || n == 0 || part == 0 && n != 4 || n > 4 {
			return false
		}
		part, n = part+1, 0
	}
	return part == 2 && n > 0 && n <= 2 && values[1] >= 1 && values[1] <= 12 && values[2] >= 1 && values[2] <= 31
}
