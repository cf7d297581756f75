package format

import (
	"bytes"

	"dictsvc/column"
	"dictsvc/errcode"
)

// csv reads CSV.
type csv struct {
	names    []string
	types    []*column.Type
	set      *Settings
	hasNames bool
	hasTypes bool
	order    order
	text     []byte // a field with doubled quotes resolved

	bound  []column.Column   // the columns that leaves belong to
	leaves [][]column.Column // by column: what its fields go into, several for a tuple
}

// bind finds out once a block which column each field goes into.
func (p *csv) bind(cols []column.Column) {
	if len(p.bound) > 0 && len(cols) > 0 && p.bound[0] == cols[0] {
		return
	}
	p.bound, p.leaves = cols, make([][]column.Column, len(cols))
	for i, c := range cols {
		if t, ok := c.(*column.Tup); ok && p.set.CSVTupleColumns && len(t.Elems) > 0 {
			p.leaves[i] = tupleLeaves(nil, t)
		} else {
			p.leaves[i] = []column.Column{c}
		}
	}
}

// unknownField stands for the column of a field that none has.
var unknownField = []column.Column{nil}

func csvReader(names, types bool) newParserFunc {
	return func(n []string, t []*column.Type, s *Settings) parser {
		return &csv{names: n, types: t, set: s, hasNames: names, hasTypes: types, order: plainOrder(len(n))}
	}
}

// fieldEnd says what stands behind a field.
type fieldEnd uint8

const (
	endComma fieldEnd = iota
	endLine
	endInput
	endShort // the field is not whole yet
	endOther // something else stands behind the closing quote
)

// field reads the field at b[i:]: its text, whether it was in quotes, where what follows begins, and what that is. Spaces around a field
// are no part of it.
func (p *csv) field(b []byte, i int, eof bool) (text []byte, quoted bool, next int, end fieldEnd) {
	for i < len(b) && (b[i] == ' ' || b[i] == '\t') && b[i] != p.set.CSVDelimiter {
		i++
	}
	if i < len(b) && (b[i] == '"' || b[i] == '\'' && p.set.CSVSingleQuotes) {
		text, i = p.quoted(b, i)
		quoted = true
		if i < 0 {
			if !eof {
				return nil, true, 0, endShort
			}
			return text, true, len(b), endInput // ClickHouse forgives a missing quote at the end
		}
	} else {
		start := i
		for i < len(b) && b[i] != p.set.CSVDelimiter && b[i] != '\n' && b[i] != '\r' {
			i++
		}
		text = bytes.TrimRight(b[start:i], " \t")
	}
	for i < len(b) && (b[i] == ' ' || b[i] == '\t') && b[i] != p.set.CSVDelimiter {
		i++
	}
	switch {
	case i >= len(b) && !eof:
		return nil, quoted, 0, endShort
	case i >= len(b):
		return text, quoted, i, endInput
	case b[i] == p.set.CSVDelimiter:
		return text, quoted, i + 1, endComma
	case b[i] == '\n':
		return text, quoted, i + 1, endLine
	case b[i] == '\r':
		if i+1 >= len(b) && !eof {
			return nil, quoted, 0, endShort
		}
		if i+1 < len(b) && b[i+1] == '\n' {
			return text, quoted, i + 2, endLine
		}
		return text, quoted, i + 1, endLine
	}
	return text, quoted, i, endOther
}

// quoted reads a field in quotes; next is -1 where the closing one is missing.
func (p *csv) quoted(b []byte, i int) (text []byte, next int) {
	q := b[i]
	i++
	start := i
	doubled := false
	p.text = p.text[:0]
	for {
		k := bytes.IndexByte(b[i:], q)
		if k < 0 {
			return append(p.text, b[start:]...), -1
		}
		i += k
		if i+1 >= len(b) || b[i+1] != q {
			if !doubled {
				return b[start:i], i + 1
			}
			p.text = append(p.text, b[start:i]...)
			return p.text, i + 1
		}
		doubled = true
		p.text = append(p.text, b[start:i+1]...)
		i += 2
		start = i
	}
}

func (p *csv) head(in *input) error {
	if !p.hasNames {
		return nil
	}
	got, err := p.words(in)
	if err != nil || got == nil {
		return err
	}
	if p.order, err = orderOf(got, p.names, p.set, "CSV"); err != nil {
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

func (p *csv) words(in *input) ([]string, error) {
	for {
		var out []string
		i := 0
		b := in.rest()
		for len(b) > 0 {
			text, _, next, end := p.field(b, i, in.eof)
			if end == endShort {
				break
			}
			out = append(out, string(text))
			i = next
			if end != endComma {
				in.pos += i
				return out, nil
			}
		}
		if more, err := in.fill(); err != nil || !more && len(in.rest()) == 0 {
			return nil, err
		}
	}
}

func (p *csv) row(in *input, cols []column.Column) (ok, more bool, err error) {
	b := in.rest()
	if len(b) == 0 {
		return false, !in.eof, nil
	}
	p.bind(cols)
	i := 0
	last := len(p.order.fields) - 1
	for k, at := range p.order.fields {
		leaves := unknownField
		if at >= 0 {
			leaves = p.leaves[at]
		}
		for n, leaf := range leaves {
			text, quoted, next, end := p.field(b, i, in.eof)
			if end == endShort {
				return false, true, nil
			}
			if err := p.value(leaf, at, len(leaves) > 1, text, quoted, b, i, next); err != nil {
				in.pos += next
				return true, false, err
			}
			if end == endOther || (end == endComma) == (k == last && n == len(leaves)-1) {
				in.pos += next
				return true, false, p.fault(b, next, end, k == last)
			}
			i = next
		}
		if len(leaves) > 1 {
			countRows(cols[at].(*column.Tup))
		}
	}
	in.pos += i
	for _, at := range p.order.missing {
		if err := p.set.appendDefault(cols[at], at); err != nil {
			return true, false, err
		}
	}
	return true, false, nil
}

// tupleLeaves lists the columns of a tuple's elements, tuples in it resolved.
func tupleLeaves(out []column.Column, t *column.Tup) []column.Column {
	for _, e := range t.Elems {
		if in, ok := e.(*column.Tup); ok && len(in.Elems) > 0 {
			out = tupleLeaves(out, in)
		} else {
			out = append(out, e)
		}
	}
	return out
}

func countRows(t *column.Tup) {
	t.N++
	for _, e := range t.Elems {
		if in, ok := e.(*column.Tup); ok {
			countRows(in)
		}
	}
}

// fault is the error of a row with too many or too few fields.
func (p *csv) fault(b []byte, next int, end fieldEnd, last bool) error {
	if last || end == endOther {
		at := "There is no line feed. \"" + string(b[min(next, len(b)-1):min(next+1, len(b))]) + "\" found instead."
		return &rowError{errcode.New(errcode.IncorrectData, "Expected end of line"), "ERROR: " + at +
			"\n It's like your file has more columns than expected.\nAnd if your file has the right number of columns, maybe it has an unquoted string value with a comma.\n\n", false}
	}
	if end == endLine {
		next--
	}
	return &rowError{errcode.New(errcode.CannotParseInputAssertionFailed, "%s", column.Expected(string(rune(p.set.CSVDelimiter)), b[next:])),
		"ERROR: Line feed found where delimiter is expected. It's like your file has less columns than expected.\nAnd if your file has the right number of columns, maybe it has unescaped quotes in values.\n\n", false}
}

// value reads one field, b[from:next] with what stands around it.
func (p *csv) value(c column.Column, at int, inTuple bool, text []byte, quoted bool, b []byte, from, next int) error {
	if c == nil {
		return nil
	}
	t := c.Type()
	if !quoted {
		isNull := string(text) == p.set.CSVNull
		if isNull || len(text) == 0 {
			if t.IsNullable() || inTuple {
				c.AppendDefault(1)
				return nil
			}
			if !isNull || p.set.NullAsDefault {
				return p.set.appendDefault(c, at)
			}
		}
	}
	if quoted && t.Base().Kind == column.Bool { // a boolean stands without quotes
		text = b[from:]
	}
	n, err := column.ReadField(c, text, column.TextCSV)
	if err == nil && n == len(text) {
		return nil
	}
	rest := b[from:]
	if err == nil {
		end := string(rune(p.set.CSVDelimiter))
		switch {
		case quoted:
			end, rest = `"`, append(append(append([]byte(nil), text[n:]...), '"'), b[min(next-1, len(b)):]...)
		case at == p.order.fields[len(p.order.fields)-1]:
			rest = b[from+n:]
			err = errcode.New(errcode.IncorrectData, "Expected end of line")
		default:
			rest = b[from+n:]
		}
		if err == nil {
			err = errcode.New(errcode.CannotParseInputAssertionFailed, "%s", column.Expected(end, rest))
		}
	}
	return &rowError{err, describe(p.names, p.types, at, "ERROR: text "+visible(rest)+" is not like "+t.String()) + "\n", false}
}
