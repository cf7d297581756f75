package format

import (
	"bytes"

	"dictsvc/column"
	"dictsvc/errcode"
)

// tsv reads TabSeparated and TabSeparatedRaw.
type tsv struct {
	names        []string
	types        []*column.Type
	set          *Settings
	style        column.TextStyle
	hasNames     bool
	hasTypes     bool
	order        order
	rows         int
	nulls        []bool // the column can hold NULL
	specialNulls bool   // NULL is written otherwise than \N
}

func tsvReader(raw, names, types bool) newParserFunc {
	return func(n []string, t []*column.Type, s *Settings) parser {
		p := &tsv{names: n, types: t, set: s, style: column.TextTSV, hasNames: names, hasTypes: types, order: plainOrder(len(n)), specialNulls: s.TSVNull != `\N`}
		if raw {
			p.style = column.TextRaw
		}
		for _, typ := range t {
			p.nulls = append(p.nulls, typ.IsNullable())
		}
		return p
	}
}

// line returns the next line without its end and how many bytes it takes; ok is false where it is not whole yet, or there is none.
func (p *tsv) line(in *input) (line []byte, size int, ok bool) {
	b := in.rest()
	from := 0
	for {
		i := bytes.IndexByte(b[from:], '\n')
		if i < 0 {
			return b, len(b), in.eof && len(b) > 0
		}
		i += from
		if p.style == column.TextRaw || !escapedAt(b, i) {
			return b[:i], i + 1, true
		}
		from = i + 1
	}
}

// escapedAt tells whether an odd number of backslashes stands before b[i].
func escapedAt(b []byte, i int) bool {
	n := 0
	for n < i && b[i-1-n] == '\\' {
		n++
	}
	return n%2 == 1
}

// field cuts the next field off a line.
func (p *tsv) field(line []byte) (field, rest []byte, last bool) {
	from := 0
	for {
		i := bytes.IndexByte(line[from:], '\t')
		if i < 0 {
			return line, nil, true
		}
		i += from
		if p.style == column.TextRaw || !escapedAt(line, i) {
			return line[:i], line[i+1:], false
		}
		from = i + 1
	}
}

// wholeLine is line with reading.
func (p *tsv) wholeLine(in *input) ([]byte, bool, error) {
	for {
		line, size, ok := p.line(in)
		if ok {
			in.pos += size
			return line, true, nil
		}
		if more, err := in.fill(); err != nil || !more && in.eof && len(in.rest()) == 0 {
			return nil, false, err
		}
	}
}

func (p *tsv) head(in *input) error {
	if !p.hasNames {
		return nil
	}
	got, err := p.words(in)
	if err != nil || got == nil {
		return err
	}
	if p.order, err = orderOf(got, p.names, p.set, "TSV"); err != nil {
		return err
	}
	if !p.hasTypes {
		return nil
	}
	if got, err = p.words(in); err != nil {
		return err
	}
	return checkTypes(got, p.order, p.names, p.types, p.set)
}

func (p *tsv) words(in *input) ([]string, error) {
	line, ok, err := p.wholeLine(in)
	if err != nil || !ok {
		return nil, err
	}
	if bytes.HasSuffix(line, []byte("\r")) {
		return nil, carriageReturn()
	}
	var out []string
	c := column.Strings()
	for last := false; !last; {
		var f []byte
		f, line, last = p.field(line)
		if _, err := column.ReadField(c, f, p.style); err != nil {
			return nil, err
		}
		out = append(out, string(c.At(c.Len()-1)))
	}
	return out, nil
}

func carriageReturn() error {
	return errcode.New(errcode.IncorrectData, "\nYou have carriage return (\\r, 0x0D, ASCII 13) at end of first row.\nIt's like your input data has DOS/Windows style line separators, that are illegal in TabSeparated format. You must transform your file to Unix format.\nBut if you really need carriage return at end of string value of last column, you need to escape it as \\r\nor else enable setting 'input_format_tsv_crlf_end_of_line'")
}

func (p *tsv) row(in *input, cols []column.Column) (ok, more bool, err error) {
	line, size, whole := p.line(in)
	if !whole {
		return false, !in.eof, nil
	}
	start := in.rest()
	in.pos += size
	if p.rows == 0 && !p.hasNames && bytes.HasSuffix(line, []byte("\r")) {
		return true, false, carriageReturn()
	}
	rest := line
	for k, at := range p.order.fields {
		field, next, last := p.field(rest)
		if final := k == len(p.order.fields)-1; last != final {
			offset := size - 1
			if !last {
				offset = len(line) - len(next) - 1
			} else if len(line) == size { // no newline at the end of the input
				offset = size
			}
			if err := p.value(cols, at, field, start, len(line)-len(rest)); err != nil {
				return true, false, err
			}
			return true, false, p.fault(start, line, k, offset, final)
		}
		if err := p.value(cols, at, field, start, len(line)-len(rest)); err != nil {
			return true, false, err
		}
		rest = next
	}
	for _, at := range p.order.missing {
		if err := p.set.appendDefault(cols[at], at); err != nil {
			return true, false, err
		}
	}
	p.rows++
	return true, false, nil
}

// fault is the error of a row with too many or too few fields.
func (p *tsv) fault(start, line []byte, k, offset int, tooMany bool) error {
	detail := ""
	rest := line
	for i := 0; i <= k && p.order.fields[i] >= 0; i++ {
		var f []byte
		f, rest, _ = p.field(rest)
		detail += describe(p.names, p.types, p.order.fields[i], "parsed text: "+visible(f))
	}
	if tooMany {
		return &rowError{errcode.New(errcode.CannotParseInputAssertionFailed, "%s", column.Expected("\n", start[offset:])), detail +
			"ERROR: Tab found where line feed is expected. It's like your file has more columns than expected.\nAnd if your file has the right number of columns, maybe it has an unescaped tab in a value.\n\n", false}
	}
	return &rowError{errcode.New(errcode.CannotParseInputAssertionFailed, "%s", column.Expected("\t", start[offset:])), detail +
		"ERROR: Line feed found where tab is expected. It's like your file has less columns than expected.\nAnd if your file has the right number of columns, maybe it has an unescaped backslash in value before tab, which causes the tab to be escaped.\n\n", false}
}

// value reads one field; it begins at start[offset].
func (p *tsv) value(cols []column.Column, at int, field, start []byte, offset int) error {
	if at < 0 {
		return nil
	}
	c := cols[at]
	switch {
	case len(field) == 2 && field[0] == '\\' && field[1] == 'N', p.specialNulls && string(field) == p.set.TSVNull:
		if p.nulls[at] {
			c.AppendDefault(1)
			return nil
		}
		if p.set.NullAsDefault {
			return p.set.appendDefault(c, at)
		}
	case len(field) == 0 && p.set.EmptyAsDefault:
		return p.set.appendDefault(c, at)
	}
	n, err := column.ReadField(c, field, p.style)
	if err == nil && n == len(field) {
		return nil
	}
	rest := start[offset+n:]
	if err == nil {
		end := "\t"
		if p.order.fields[len(p.order.fields)-1] == at {
			end = "\n"
		}
		err = errcode.New(errcode.CannotParseInputAssertionFailed, "%s", column.Expected(end, rest))
	}
	line := rest
	if i := bytes.IndexByte(rest, '\n'); i >= 0 {
		line = rest[:i+1]
	}
	return &rowError{err, describe(p.names, p.types, at, "ERROR: text "+visible(line)+" is not like "+p.types[at].String()) + "\n", false}
}
