package query

import (
	"strings"
	"unsafe"

	"dictsvc/column"
	"dictsvc/errcode"
	"dictsvc/sql"
)

// valuesReader reads rows of the format Values: (1, 'a', now()), (2, DEFAULT, NULL). Plain literals go straight into the columns; anything else
// is an expression.
type valuesReader struct {
	in    *inserter
	text  string
	at    int
	cols  []column.Column // of the given columns
	miss  [][]uint8       // by column: rows that take the default
	types []*column.Type
	rows  int
}

// fromValues inserts the rows of a text.
func (in *inserter) fromValues(text string) error {
	r := &valuesReader{in: in, text: text}
	_, r.types = split(in.columns())
	r.reset()
	for {
		more, err := r.row()
		if err != nil {
			return err
		}
		if !more || r.rows == column.MaxBlockRows {
			if err := r.flush(); err != nil {
				return err
			}
		}
		if !more {
			return nil
		}
	}
}

func (r *valuesReader) reset() {
	r.cols = make([]column.Column, len(r.types))
	r.miss = make([][]uint8, len(r.types))
	for i, t := range r.types {
		r.cols[i] = column.New(t, 0)
	}
	r.rows = 0
}

// flush hands the rows read so far on.
func (r *valuesReader) flush() error {
	if r.rows == 0 {
		return nil
	}
	missing := map[int][]uint8{}
	for i, m := range r.miss {
		if m != nil {
			missing[i] = append(m, make([]uint8, r.rows-len(m))...)
		}
	}
	if err := r.in.fillMissing(r.cols, missing, r.rows); err != nil {
		return err
	}
	err := r.in.add(r.cols, r.rows)
	r.reset()
	return err
}

func (r *valuesReader) space() {
	for r.at < len(r.text) {
		switch c := r.text[r.at]; {
		case c == ' ' || c == '\n' || c == '\t' || c == '\r':
			r.at++
		case strings.HasPrefix(r.text[r.at:], "--"):
			if end := strings.IndexByte(r.text[r.at:], '\n'); end >= 0 {
				r.at += end + 1
			} else {
				r.at = len(r.text)
			}
		case strings.HasPrefix(r.text[r.at:], "/*"):
			if end := strings.Index(r.text[r.at:], "*/"); end >= 0 {
				r.at += end + 2
			} else {
				r.at = len(r.text)
			}
		default:
			return
		}
	}
}

func (r *valuesReader) take(c byte) bool {
	r.space()
	if r.at < len(r.text) && r.text[r.at] == c {
		r.at++
		return true
	}
	return false
}

func (r *valuesReader) fail(want string) error {
	rest := r.text[r.at:]
	if len(rest) > 60 {
		rest = rest[:60] + "..."
	}
	return errcode.New(errcode.SyntaxError, "Cannot parse expression of VALUES: row %d: expected %s, got %s", r.rows+1, want, sql.QuoteString(rest))
}

// row reads one row; false at the end.
func (r *valuesReader) row() (bool, error) {
	r.take(',')
	r.space()
	if r.at == len(r.text) || r.text[r.at] == ';' {
		return false, nil
	}
	if !r.take('(') {
		return false, errcode.New(errcode.CannotParseInputAssertionFailed, "Cannot parse input: expected '(' before: %s", sql.QuoteString(clipText(r.text[r.at:])))
	}
	for i := range r.cols {
		if i > 0 && !r.take(',') {
			return false, r.fail("',' and a value for column " + r.in.t.cols[r.in.given[i]].Name)
		}
		if err := r.value(i); err != nil {
			return false, err
		}
	}
	r.take(',') // a comma may follow the last value
	if !r.take(')') {
		return false, r.fail("')'")
	}
	r.rows++
	return true, nil
}

func clipText(s string) string {
	if len(s) > 60 {
		return s[:60]
	}
	return s
}

// value reads the value of one column.
func (r *valuesReader) value(i int) error {
	r.space()
	begin := r.at
	if r.literal(r.cols[i]) {
		return nil
	}
	r.at = begin
	r.cols[i].Truncate(r.rows)
	end, err := r.fieldEnd()
	if err != nil {
		return err
	}
	text := strings.TrimSpace(r.text[begin:end])
	r.at = end
	if strings.EqualFold(text, "DEFAULT") || strings.EqualFold(text, "NULL") && !r.types[i].IsNullable() && canBeNullable(r.types[i]) {
		r.cols[i].AppendDefault(1)
		if r.in.defaultOf(r.in.given[i]) != nil {
			m := append(r.miss[i], make([]uint8, r.rows+1-len(r.miss[i]))...)
			m[r.rows] = 1
			r.miss[i] = m
		}
		return nil
	}
	return r.expression(i, text)
}

// literal reads a quoted string or a plain number straight into the column; false leaves the value to be read as an expression.
func (r *valuesReader) literal(c column.Column) bool {
	if r.at == len(r.text) {
		return false
	}
	n, nullable := c.(*column.Null)
	if nullable {
		c = n.Inner
	}
	if r.text[r.at] == '\'' {
		s, ok := r.quoted()
		if !ok || !r.ends() {
			return false
		}
		if str, ok := c.(*column.Str); ok && str.T.Kind != column.AggregateFunction {
			str.Append(s)
		} else if err := column.ParseText(c, s, column.TextRaw); err != nil {
			return false // the expression's error is the one to tell
		}
	} else if t := c.Type().Kind; !nullable && (t == column.Array || t == column.Tuple || t == column.Map) && strings.IndexByte("[({", r.text[r.at]) >= 0 {
		begin := r.at // read as text, which keeps every digit, where the expression's numbers go through doubles
		end, err := r.fieldEnd()
		if err != nil || column.ParseText(c, bytesOf(strings.TrimSpace(r.text[begin:end])), column.TextQuoted) != nil {
			return false
		}
		r.at = end
	} else {
		if ch := r.text[r.at]; ch != '-' && ch != '+' && (ch < '0' || ch > '9') {
			return false
		}
		t := c.Type()
		if !t.IsInteger() && !t.IsFloat() && !t.IsDecimal() || t.Kind == column.Bool {
			return false
		}
		k, err := column.ScanValue(c, bytesOf(r.text[r.at:min(len(r.text), r.at+128)]), false)
		if err != nil || k == 0 {
			return false
		}
		r.at += k
		if !r.ends() {
			return false
		}
	}
	if nullable {
		n.Nulls = append(n.Nulls, 0)
	}
	return true
}

// bytesOf is the text as bytes, which must not be changed.
func bytesOf(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }

// ends tells whether a value ends here.
func (r *valuesReader) ends() bool {
	r.space()
	return r.at < len(r.text) && (r.text[r.at] == ',' || r.text[r.at] == ')')
}

// quoted reads a string literal without escapes other than a backslash in front of a quote or a backslash, and doubled quotes.
func (r *valuesReader) quoted() ([]byte, bool) {
	var out []byte
	for i := r.at + 1; i < len(r.text); i++ {
		switch r.text[i] {
		case '\'':
			if i+1 < len(r.text) && r.text[i+1] == '\'' {
				out = append(out, '\'')
				i++
				continue
			}
			r.at = i + 1
			return out, true
		case '\\':
			if i+1 == len(r.text) {
				return nil, false
			}
			i++
			switch r.text[i] {
			case '\'', '\\', '"', '/':
				out = append(out, r.text[i])
			case 'n':
				out = append(out, '\n')
			case 't':
				out = append(out, '\t')
			case 'r':
				out = append(out, '\r')
			default:
				return nil, false
			}
		default:
			out = append(out, r.text[i])
		}
	}
	return nil, false
}

// fieldEnd is where the value that begins here ends: at a comma or bracket outside of all brackets and quotes.
func (r *valuesReader) fieldEnd() (int, error) {
	depth := 0
	for i := r.at; i < len(r.text); i++ {
		switch r.text[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth == 0 {
				return i, nil
			}
			depth--
		case ',':
			if depth == 0 {
				return i, nil
			}
		case '\'', '"', '`':
			q := r.text[i]
			for i++; i < len(r.text) && r.text[i] != q; i++ {
				if r.text[i] == '\\' {
					i++
				}
			}
			if i >= len(r.text) {
				return 0, errcode.New(errcode.SyntaxError, "Cannot parse expression of VALUES: row %d: the quote is not closed: %s", r.rows+1, sql.QuoteString(clipText(r.text[r.at:])))
			}
		}
	}
	return 0, r.fail("',' or ')'")
}

// expression computes a constant expression and converts it to the column's type.
func (r *valuesReader) expression(i int, text string) error {
	e, err := sql.ParseExpr(text, sql.Options{})
	if err != nil {
		return err
	}
	n, err := (&binder{q: r.in.q}).bind(e)
	if err != nil {
		return err
	}
	if !n.isConst() {
		return errcode.New(errcode.BadArguments, "Element of VALUES is not a constant: %s", text)
	}
	val := n.val
	t := r.types[i]
	if null, ok := val.(*column.Null); ok && null.Nulls[0] != 0 && !t.IsNullable() {
		if !canBeNullable(t) && t.Kind != column.AggregateFunction {
			return errcode.New(errcode.TypeMismatch, "Cannot insert NULL value into a column of type '%s'", t)
		}
		r.cols[i].AppendDefault(1)
		return nil
	}
	if from := val.Type(); t.Kind == column.AggregateFunction && from.Kind != column.String && !from.Equal(t) {
		return errcode.New(errcode.TypeMismatch, "Cannot convert %s to %s", from, t)
	}
	v, err := column.Cast(val, t, column.CastPlain)
	if err != nil {
		return err
	}
	r.cols[i].AppendRange(column.Full(v), 0, 1)
	return nil
}
