package jsonl

import (
	"bytes"
	"io"

	"dictsvc/column"
	"dictsvc/errcode"
)

// InferOptions bound the sample that types are inferred from and say what they become.
type InferOptions struct {
	Name     string // of the input, for messages
	MaxRows  int    // 0: 25,000 (input_format_max_rows_to_read_for_schema_inference)
	MaxBytes int    // 0: 32 MiB
	// MakeNullable makes every type Nullable, as ClickHouse does unless told otherwise (schema_inference_make_columns_nullable).
	// Without it only columns in which a null was seen are.
	MakeNullable bool
}

// Infer reads the beginning of a file ("-" cannot be read twice and is refused) and returns its columns in the order in which their fields come.
func Infer(path string, o InferOptions) ([]Column, error) {
	if path == "-" {
		return nil, errcode.New(errcode.BadArguments, "types cannot be inferred from standard input")
	}
	in, err := openInput(path)
	if err != nil {
		return nil, err
	}
	if in.close != nil {
		defer in.close()
	}
	if o.Name == "" {
		o.Name = path
	}
	return InferReader(in.r, o)
}

// OpenInferred opens a file ("-": standard input) whose types are not known: a sample from its beginning gives the columns, choose says which of them
// to read and as what. The sample is read again as part of the file.
func OpenInferred(path string, o Options, infer InferOptions, choose func([]Column) ([]Column, error)) (*Reader, error) {
	in, err := openInput(path)
	if err != nil {
		return nil, err
	}
	fail := func(err error) (*Reader, error) {
		if in.close != nil {
			in.close()
		}
		return nil, err
	}
	if o.Name == "" {
		o.Name = path
	}
	if infer.Name == "" {
		infer.Name = o.Name
	}
	if infer.MaxBytes == 0 {
		infer.MaxBytes = 4 << 20
	}
	sample, err := io.ReadAll(io.LimitReader(in.r, int64(infer.MaxBytes)))
	if err != nil {
		return fail(err)
	}
	cols, err := InferReader(bytes.NewReader(sample), infer)
	if err != nil {
		return fail(err)
	}
	if o.Columns, err = choose(cols); err != nil {
		return fail(err)
	}
	in.r = io.MultiReader(bytes.NewReader(sample), in.r)
	return newReader(in, o), nil
}

// InferReader is Infer of plain text.
func InferReader(r io.Reader, o InferOptions) ([]Column, error) {
	if o.MaxRows == 0 {
		o.MaxRows = 25000
	}
	if o.MaxBytes == 0 {
		o.MaxBytes = 32 << 20
	}
	sample, err := io.ReadAll(io.LimitReader(r, int64(o.MaxBytes)))
	if err != nil {
		return nil, err
	}
	p := newParser(&Options{})
	p.b, p.last = sample, len(sample) < o.MaxBytes
	root := &shape{kind: shapeObject}
	rows := 0
	for ; rows < o.MaxRows; rows++ {
		p.separators()
		if rows == 0 && p.i < len(p.b) && p.b[p.i] == '[' {
			p.i++
			p.separators()
		}
		if p.i == len(p.b) || p.b[p.i] == ']' {
			break
		}
		if p.b[p.i] != '{' {
			return nil, inferError(o, sample, p.fault(errcode.CannotParseInputAssertionFailed, "got %s, want '{'", p.here()))
		}
		s, err := p.shape(0)
		if err == more && !p.last && rows > 0 {
			break
		}
		if err != nil {
			return nil, inferError(o, sample, err)
		}
		root.merge(s)
	}
	if rows == 0 {
		return nil, errcode.New(errcode.CannotExtractTableStructure, "The table structure cannot be extracted from a JSONEachRow format file: the file %q is empty", o.Name)
	}
	if len(root.names) == 0 {
		return nil, errcode.New(errcode.CannotExtractTableStructure, "The table structure cannot be extracted from a JSONEachRow format file: the rows of %q have no fields", o.Name)
	}
	cols := make([]Column, len(root.names))
	for i, n := range root.names {
		cols[i] = Column{Name: n, Type: root.elems[i].typ(o.MakeNullable)}
	}
	return cols, nil
}

func inferError(o InferOptions, sample []byte, e *rowError) error {
	if e == more {
		e = &rowError{at: len(sample), code: errcode.CannotReadAllData, text: "the file ends inside a row"}
	}
	r := Reader{o: Options{Name: o.Name}}
	return r.rowError(sample, e)
}

// shape is what is known of a value's type.
type shape struct {
	kind  shapeKind
	null  bool // null was seen in its place
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

// merge widens s to hold o as well.
func (s *shape) merge(o *shape) {
	s.null = s.null || o.null
	if o.kind == shapeNone {
		return
	}
	if s.kind == shapeNone {
		null := s.null
		*s = *o
		s.null = null
		return
	}
	a, b := min(s.kind, o.kind), max(s.kind, o.kind)
	switch {
	case a == b && a == shapeArray:
		if len(s.elems) == 0 {
			s.elems = o.elems
		} else if len(o.elems) > 0 {
			s.elems[0].merge(o.elems[0])
		}
	case a == b && a == shapeObject:
		for i, n := range o.names {
			s.field(n).merge(o.elems[i])
		}
	case a == b:
	case b <= shapeFloat:
		s.kind = b
		if a == shapeBool && b == shapeUint {
			s.kind = shapeUint
		}
		if a == shapeInt && b == shapeUint {
			s.kind = shapeFloat
		}
	case a >= shapeDate && b <= shapeTime64:
		s.kind = b
	default:
		*s = shape{kind: shapeString, null: s.null}
	}
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

func (s *shape) typ(nullable bool) *column.Type {
	var t *column.Type
	switch s.kind {
	case shapeBool:
		t = column.Of(column.Bool)
	case shapeInt:
		t = column.Of(column.Int64)
	case shapeUint:
		t = column.Of(column.UInt64)
	case shapeFloat:
		t = column.Of(column.Float64)
	case shapeDate:
		t = column.Of(column.Date)
	case shapeTime:
		t = column.Of(column.DateTime)
	case shapeTime64:
		t = column.MustParse("DateTime64(9)")
	case shapeArray:
		elem := &shape{}
		if len(s.elems) > 0 {
			elem = s.elems[0]
		}
		return column.NewArray(elem.typ(nullable))
	case shapeObject:
		if len(s.names) == 0 {
			t = column.Of(column.String)
			break
		}
		elems := make([]*column.Type, len(s.elems))
		for i, e := range s.elems {
			elems[i] = e.typ(nullable)
		}
		return column.NewTuple(elems, s.names)
	default:
		t = column.Of(column.String)
	}
	if nullable || s.null {
		return column.NewNullable(t)
	}
	return t
}

// shape reads a value for its type.
func (p *parser) shape(depth int) (*shape, *rowError) {
	if depth > maxDepth {
		return nil, p.fault(errcode.TooDeepRecursion, "values are nested deeper than %d", maxDepth)
	}
	p.space()
	if p.i == len(p.b) {
		return nil, more
	}
	start := p.i
	switch c := p.b[p.i]; {
	case c == '"':
		s, err := p.str()
		if err != nil {
			return nil, err
		}
		return &shape{kind: stringShape(s)}, nil
	case c == '-' || c >= '0' && c <= '9':
		if err := p.number(); err != nil {
			return nil, err
		}
		return &shape{kind: numberShape(p.b[start:p.i])}, nil
	case c == 't':
		return &shape{kind: shapeBool}, p.word("true")
	case c == 'f':
		return &shape{kind: shapeBool}, p.word("false")
	case c == 'n':
		return &shape{null: true}, p.word("null")
	case c == '[':
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
				s.elems[0].merge(e)
			}
			if done, err = p.next(']'); err != nil {
				return nil, err
			}
		}
		return s, nil
	case c == '{':
		p.i++
		s := &shape{kind: shapeObject}
		for done := p.empty('}'); !done; {
			p.space()
			if p.i == len(p.b) {
				return nil, more
			}
			b, err := p.str()
			if err != nil {
				return nil, err
			}
			name := string(b)
			p.space()
			if p.i == len(p.b) {
				return nil, more
			}
			if p.b[p.i] != ':' {
				return nil, p.fault(errcode.CannotParseInputAssertionFailed, "got %s behind field name %q, want ':'", p.here(), name)
			}
			p.i++
			e, err := p.shape(depth + 1)
			if err != nil {
				return nil, err
			}
			s.field(name).merge(e)
			if done, err = p.next('}'); err != nil {
				return nil, err
			}
		}
		return s, nil
	}
	return nil, p.fault(errcode.IncorrectData, "got %s, want a JSON value", p.here())
}

func numberShape(b []byte) shapeKind {
	for _, c := range b {
		if c == '.' || c|0x20 == 'e' {
			return shapeFloat
		}
	}
	one := column.New(column.Of(column.Int64), 1)
	if column.ParseTextStrict(one, b, column.TextRaw) == nil {
		return shapeInt
	}
	one = column.New(column.Of(column.UInt64), 1)
	if column.ParseTextStrict(one, b, column.TextRaw) == nil {
		return shapeUint
	}
	return shapeFloat
}

// stringShape tells dates and times, written out in full, from other strings.
func stringShape(s []byte) shapeKind {
	digits := func(from, to int) bool {
		for _, c := range s[from:to] {
			if c < '0' || c > '9' {
				return false
			}
		}
		return true
	}
	if len(s) < 10 || s[4] != '-' || s[7] != '-' || !digits(0, 4) || !digits(5, 7) || !digits(8, 10) {
		return shapeString
	}
	month, day := (s[5]-'0')*10+s[6]-'0', (s[8]-'0')*10+s[9]-'0'
	if month < 1 || month > 12 || day < 1 || day > 31 {
		return shapeString
	}
	if len(s) == 10 {
		return shapeDate
	}
	if len(s) < 19 || s[10] != ' ' && s[10] != 'T' || s[13] != ':' || s[16] != ':' || !digits(11, 13) || !digits(14, 16) || !digits(17, 19) || string(s[11:13]) > "23" || s[14] > '5' || s[17] > '5' {
		return shapeString
	}
	if len(s) == 19 {
		return shapeTime
	}
	if s[19] == '.' && len(s) > 20 && len(s) <= 29 && digits(20, len(s)) {
		return shapeTime64
	}
	return shapeString
}
