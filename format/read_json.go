package format

import (
	"dictsvc/column"
	"dictsvc/errcode"
)

// compact reads JSONCompactEachRow: a JSON array a row, with newlines, commas or nothing between rows.
type compact struct {
	names    []string
	types    []*column.Type
	set      *Settings
	hasNames bool
	hasTypes bool
	strings  bool // every value is text in a JSON string
	order    order
	skipped  *column.Str
}

func compactReader(names, types, strs bool) newParserFunc {
	return func(n []string, t []*column.Type, s *Settings) parser {
		return &compact{names: n, types: t, set: s, hasNames: names, hasTypes: types, strings: strs, order: plainOrder(len(n)), skipped: column.Strings()}
	}
}

func skipSpace(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\n' || b[i] == '\t' || b[i] == '\r') {
		i++
	}
	return i
}

func (p *compact) head(in *input) error {
	if !p.hasNames {
		return nil
	}
	got, err := p.words(in)
	if err != nil || got == nil {
		return err
	}
	if p.order, err = orderOf(got, p.names, p.set, "JSONCompactEachRow"); err != nil {
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

// words reads an array of strings.
func (p *compact) words(in *input) ([]string, error) {
	list := column.New(column.NewArray(column.Of(column.String)), 0).(*column.Arr)
	for {
		b := in.rest()
		i := skipSpace(b, 0)
		if i < len(b) {
			n, err := column.ReadJSON(list, b[i:])
			if err == nil {
				in.pos += i + n
				break
			}
			if in.eof || errcode.Of(err) != errcode.AttemptToReadAfterEof {
				return nil, err
			}
		}
		if more, err := in.fill(); err != nil || !more && skipSpace(in.rest(), 0) == len(in.rest()) {
			return nil, err
		}
	}
	out := []string{}
	for i := range list.Elem.Len() {
		out = append(out, string(list.Elem.(*column.Str).At(i)))
	}
	return out, nil
}

func (p *compact) row(in *input, cols []column.Column) (ok, more bool, err error) {
	b := in.rest()
	i := skipSpace(b, 0)
	if i < len(b) && (b[i] == ',' || b[i] == ';') {
		i = skipSpace(b, i+1)
	}
	if i >= len(b) {
		return false, !in.eof, nil
	}
	fail := func(err error, i int) (bool, bool, error) {
		in.pos += min(i, len(b))
		return true, false, err
	}
	expected := func(c string, i int) (bool, bool, error) {
		if i >= len(b) && !in.eof {
			return false, true, nil
		}
		return fail(errcode.New(errcode.CannotParseInputAssertionFailed, "%s", column.Expected(c, b[i:])), i)
	}
	if b[i] != '[' {
		return expected("[", i)
	}
	if !in.eof && !closed(b[i:]) {
		return false, true, nil
	}
	i++
	for k, at := range p.order.fields {
		if k > 0 {
			if i = skipSpace(b, i); i >= len(b) || b[i] != ',' {
				return expected(",", i)
			}
			i++
		}
		i = skipSpace(b, i)
		n, err := p.value(cols, at, b[i:])
		if err != nil {
			detail := ""
			if at >= 0 {
				detail = describe(p.names, p.types, at, "ERROR: text "+visible(b[i:])+" is not like "+p.types[at].String()) + "\n"
			}
			return fail(&rowError{err, detail, false}, i)
		}
		i += n
	}
	if i = skipSpace(b, i); i >= len(b) || b[i] != ']' {
		return expected("]", i)
	}
	in.pos += i + 1
	for _, at := range p.order.missing {
		if err := p.set.appendDefault(cols[at], at); err != nil {
			return true, false, err
		}
	}
	return true, false, nil
}

// closed tells whether the bracket that b begins with is closed.
func closed(b []byte) bool {
	depth := 0
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '[', '{':
			depth++
		case ']', '}':
			if depth--; depth == 0 {
				return true
			}
		case '"':
			for i++; i < len(b) && b[i] != '"'; i++ {
				if b[i] == '\\' {
					i++
				}
			}
		}
	}
	return false
}

// value reads one value at the head of b.
func (p *compact) value(cols []column.Column, at int, b []byte) (int, error) {
	if at < 0 || p.strings {
		p.skipped.Truncate(0)
		n, err := column.ReadJSON(p.skipped, b)
		if err != nil || at < 0 {
			return n, err
		}
		text := p.skipped.At(0)
		if string(text) == nullSign && p.types[at].IsNullable() {
			cols[at].AppendDefault(1)
			return n, nil
		}
		k, err := column.ReadField(cols[at], text, column.TextRaw)
		if err == nil && k != len(text) {
			err = errcode.New(errcode.CannotParseInputAssertionFailed, "%s", column.Expected(`"`, text[k:]))
		}
		return n, err
	}
	if len(b) == 0 {
		return 0, errcode.New(errcode.AttemptToReadAfterEof, "Attempt to read after eof")
	}
	if len(b) >= 4 && string(b[:4]) == "null" && !p.types[at].IsNullable() && p.set.DefaultOf != nil {
		return 4, p.set.appendDefault(cols[at], at)
	}
	n, err := column.ReadJSON(cols[at], b)
	if err != nil {
		err = &errcode.Error{Code: errcode.Of(err), Msg: err.Error() + ": (while reading the value of key " + p.names[at] + ")", Err: err}
	}
	return n, err
}
