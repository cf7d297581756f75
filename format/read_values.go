package format

import (
	"strings"

	"dictsvc/column"
	"dictsvc/errcode"
)

// values reads the rows of INSERT ... VALUES: literals by their columns' types, all else by Settings.Expression.
type values struct {
	names []string
	types []*column.Type
	set   *Settings
	rows  int
}

func newValuesReader(names []string, types []*column.Type, s *Settings) parser {
	return &values{names: names, types: types, set: s}
}

func (p *values) head(*input) error { return nil }

func (p *values) row(in *input, cols []column.Column) (ok, more bool, err error) {
	ok, err = p.next(in, cols)
	if !in.eof && (err != nil || !ok) { // an expression may reach beyond the buffer
		return false, true, nil
	}
	if err != nil {
		err = &rowError{err: err, asIs: true}
	}
	return ok, false, err
}

func (p *values) next(in *input, cols []column.Column) (ok bool, err error) {
	b := in.rest()
	i := skipSpace(b, 0)
	if p.rows > 0 && i < len(b) && b[i] == ',' {
		i = skipSpace(b, i+1)
	}
	if i >= len(b) || b[i] == ';' {
		return false, nil
	}
	if b[i] != '(' {
		return true, errcode.New(errcode.CannotParseInputAssertionFailed, "%s:  at row %d", column.Expected("(", b[i:]), p.rows)
	}
	i++
	for k, c := range cols {
		end := byte(',')
		if k == len(cols)-1 {
			end = ')'
		}
		i = skipSpace(b, i)
		n, err := p.value(c, k, b[i:], end)
		if err != nil {
			return true, err
		}
		i += n
	}
	p.rows++
	in.pos += i
	return true, nil
}

// value reads a value and the mark behind it, and returns the bytes both took.
func (p *values) value(c column.Column, k int, b []byte, end byte) (int, error) {
	rows := c.Len()
	if n := p.literal(c, k, b); n > 0 {
		if j := skipSpace(b, n); j < len(b) && b[j] == end {
			return j + 1, nil
		}
		c.Truncate(rows)
	}
	if len(b) >= 7 && strings.EqualFold(string(b[:7]), "DEFAULT") {
		if j := skipSpace(b, 7); j < len(b) && b[j] == end {
			return j + 1, p.set.appendDefault(c, k)
		}
	}
	if p.set.Expression == nil {
		return 0, p.noExpression(k, b)
	}
	v, n, err := p.set.Expression(b, p.types[k])
	if err != nil {
		return 0, err
	}
	j := skipSpace(b, n)
	if j >= len(b) || b[j] != end {
		return 0, p.noExpression(k, b)
	}
	c.AppendRange(v, 0, 1)
	return j + 1, nil
}

func (p *values) noExpression(k int, b []byte) error {
	return errcode.New(errcode.SyntaxError, "Cannot parse expression of type %s here: %s", p.types[k], b[:min(len(b), 100)])
}

// literal reads a literal of the column's type and returns the bytes it took, 0 where none stands there.
func (p *values) literal(c column.Column, k int, b []byte) int {
	if len(b) == 0 {
		return 0
	}
	if b[0]|0x20 == 'n' && len(b) >= 4 && strings.EqualFold(string(b[:4]), "NULL") && !p.types[k].IsNullable() && p.set.NullAsDefault {
		if p.set.appendDefault(c, k) == nil {
			return 4
		}
		return 0
	}
	n, err := column.ReadField(c, b, column.TextQuoted)
	if err != nil {
		return 0
	}
	if n == 0 { // an integer without digits is an expression
		c.Truncate(c.Len() - 1)
	}
	return n
}
