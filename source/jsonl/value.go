package jsonl

import (
	"bytes"
	"fmt"
	"strconv"
	"unicode/utf8"

	"dictsvc/column"
	"dictsvc/errcode"
)

// value reads a value into a column: plain numbers and strings at once, all else by general.
func (p *parser) value(col int) *rowError {
	b, i := p.b, p.i
	switch p.ops[col] {
	case opString:
		if i < len(b) && b[i] == '"' {
			c := p.cols[col].(*column.Str)
			s := b[i+1:]
			end := bytes.IndexByte(s, '"')
			if end < 0 {
				return more
			}
			if bytes.IndexByte(s[:end], '\\') < 0 {
				c.Append(s[:end])
				p.i = i + end + 2
				return nil
			}
		}
	case opUint64:
		if v, n := digits(b[i:]); n > 0 && n < 19 && ends(b, i+n) {
			c := p.cols[col].(*column.Num[uint64])
			c.Data = append(c.Data, v)
			p.i = i + n
			return nil
		}
	case opInt64:
		k := 0
		if i < len(b) && b[i] == '-' {
			k = 1
		}
		if v, n := digits(b[i+k:]); n > 0 && n < 19 && ends(b, i+k+n) {
			x := int64(v)
			if k == 1 {
				x = -x
			}
			c := p.cols[col].(*column.Num[int64])
			c.Data = append(c.Data, x)
			p.i = i + k + n
			return nil
		}
	case opFloat64:
		if f, n := float(b[i:]); n > 0 && ends(b, i+n) {
			c := p.cols[col].(*column.Num[float64])
			c.Data = append(c.Data, f)
			p.i = i + n
			return nil
		}
	case opUint32:
		if v, n := digits(b[i:]); n > 0 && n < 10 && ends(b, i+n) {
			c := p.cols[col].(*column.Num[uint32])
			c.Data = append(c.Data, uint32(v))
			p.i = i + n
			return nil
		}
	case opUint16:
		if v, n := digits(b[i:]); n > 0 && n < 6 && v < 1<<16 && ends(b, i+n) {
			c := p.cols[col].(*column.Num[uint16])
			c.Data = append(c.Data, uint16(v))
			p.i = i + n
			return nil
		}
	case opUint8:
		if v, n := digits(b[i:]); n > 0 && n < 4 && v < 1<<8 && ends(b, i+n) {
			c := p.cols[col].(*column.Num[uint8])
			c.Data = append(c.Data, uint8(v))
			p.i = i + n
			return nil
		}
	case opInt32:
		k := 0
		if i < len(b) && b[i] == '-' {
			k = 1
		}
		if v, n := digits(b[i+k:]); n > 0 && n < 10 && ends(b, i+k+n) {
			x := int32(v)
			if k == 1 {
				x = -x
			}
			c := p.cols[col].(*column.Num[int32])
			c.Data = append(c.Data, x)
			p.i = i + k + n
			return nil
		}
	}
	return p.general(p.cols[col], p.o.Columns[col].Default, 0)
}

// digits reads an unsigned integer and its length; a leading zero stands alone, as JSON has it.
func digits(b []byte) (v uint64, n int) {
	for n < len(b) && n < 20 {
		d := b[n] - '0'
		if d > 9 {
			break
		}
		v = v*10 + uint64(d)
		n++
	}
	return v, n
}

// ends tells whether a number can end at i.
func ends(b []byte, i int) bool {
	if i >= len(b) {
		return false // it may go on in the next chunk
	}
	c := b[i]
	return c == ',' || c == '}' || c == ' ' || c == '\n' || c == '\r' || c == '\t'
}

var pow10 = [23]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// float reads numbers of up to 15 digits without an exponent: one exact division gives the nearest float. 0: take the general way.
func float(b []byte) (f float64, n int) {
	neg := len(b) > 0 && b[0] == '-'
	if neg {
		n = 1
	}
	var v uint64
	start := n
	for n < len(b) && b[n]-'0' <= 9 {
		v = v*10 + uint64(b[n]-'0')
		n++
	}
	count := n - start
	frac := 0
	if n < len(b) && b[n] == '.' {
		n++
		point := n
		for n < len(b) && b[n]-'0' <= 9 {
			v = v*10 + uint64(b[n]-'0')
			n++
		}
		if frac = n - point; frac == 0 {
			return 0, 0
		}
	}
	if count == 0 || count+frac > 15 {
		return 0, 0
	}
	f = float64(v) / pow10[frac]
	if neg {
		f = -f
	}
	return f, n
}

// general reads any JSON value into a column of any type. def stands for null where the column cannot hold NULL.
func (p *parser) general(dst, def column.Column, depth int) *rowError {
	if depth > maxDepth {
		return p.fault(errcode.TooDeepRecursion, "values are nested deeper than %d", maxDepth)
	}
	p.space()
	if p.i == len(p.b) {
		return more
	}
	if p.b[p.i] == 'n' {
		if err := p.word("null"); err != nil {
			return err
		}
		return p.null(dst, def)
	}
	switch c := dst.(type) {
	case *column.Null:
		if err := p.general(c.Inner, nil, depth+1); err != nil {
			return err
		}
		c.Nulls = append(c.Nulls, 0)
		return nil
	case *column.LowCard:
		one := c.Dict.New(1)
		if err := p.general(one, nil, depth+1); err != nil {
			return err
		}
		c.Index = append(c.Index, c.Code(one, 0))
		return nil
	case *column.Arr:
		return p.array(c, depth)
	case *column.Tup:
		return p.tuple(c, depth)
	case *column.MapColumn:
		return p.mapping(c, depth)
	case *column.Str:
		return p.text(c)
	}
	return p.scalar(dst)
}

func (p *parser) null(dst, def column.Column) *rowError {
	switch c := dst.(type) {
	case *column.Null:
		c.AppendNull()
		return nil
	case *column.LowCard:
		if c.T.IsNullable() {
			c.AppendDefault(1)
			return nil
		}
	}
	if p.o.RefuseNull {
		return p.fault(errcode.IncorrectData, "got null, want %s", dst.Type())
	}
	if def == nil {
		dst.AppendDefault(1)
		return nil
	}
	dst.AppendRange(def, 0, 1)
	return nil
}

func (p *parser) word(w string) *rowError {
	if len(p.b)-p.i < len(w) {
		if bytes.HasPrefix([]byte(w), p.b[p.i:]) {
			return more
		}
	} else if string(p.b[p.i:p.i+len(w)]) == w {
		p.i += len(w)
		return nil
	}
	return p.fault(errcode.IncorrectData, "got %s, want a JSON value", p.here())
}

// text reads any value into a String column: a string, or a number, true, false, object or array as written.
func (p *parser) text(c *column.Str) *rowError {
	if p.b[p.i] == '"' {
		s, err := p.str()
		if err == nil {
			c.Append(s)
		}
		return err
	}
	start := p.i
	if err := p.skip(0); err != nil {
		return err
	}
	c.Append(p.b[start:p.i])
	return nil
}

// scalar reads a number, date, time, UUID, address, enum or FixedString, in quotes or not.
func (p *parser) scalar(dst column.Column) *rowError {
	t := dst.Type()
	start := p.i
	var text []byte
	switch c := p.b[p.i]; {
	case c == '"':
		s, err := p.str()
		if err != nil {
			return err
		}
		text = s
	case c == 't' || c == 'f':
		w := "true"
		if c == 'f' {
			w = "false"
		}
		if err := p.word(w); err != nil {
			return err
		}
		text = []byte(w)
		if t.IsNumber() && t.Kind != column.Bool { // input_format_json_read_bools_as_numbers
			text = []byte{'0'}
			if w == "true" {
				text[0] = '1'
			}
		}
	case c == '-' || c >= '0' && c <= '9':
		if err := p.number(); err != nil {
			return err
		}
		text = p.b[start:p.i]
		if v, n := digits(text); n == len(text) { // dates as numbers are days
			switch d := dst.(type) {
			case *column.Num[uint16]:
				if t.Kind == column.Date && v < 1<<16 {
					d.Data = append(d.Data, uint16(v))
					return nil
				}
			case *column.Num[int32]:
				if t.Kind == column.Date32 && v <= 120529 {
					d.Data = append(d.Data, int32(v))
					return nil
				}
			}
		}
	default:
		got := p.here()
		if err := p.skip(0); err != nil {
			return err
		}
		p.i = start
		return p.fault(errcode.IncorrectData, "want %s, got %s", t, got)
	}
	if err := column.ParseTextStrict(dst, text, column.TextRaw); err != nil {
		p.i = start
		code := errcode.Of(err)
		if code == errcode.ValueIsOutOfRangeOfDataType {
			return p.fault(code, "want %s, got %s, which is out of range", t, clip(text))
		}
		return p.fault(code, "want %s, got %s", t, clip(p.b[start:min(len(p.b), start+len(text)+2)]))
	}
	return nil
}

func clip(b []byte) string {
	if len(b) > 60 {
		return fmt.Sprintf("%q...", b[:60])
	}
	return fmt.Sprintf("%q", b)
}

// number passes a JSON number.
func (p *parser) number() *rowError {
	b := p.b
	i := p.i
	if b[i] == '-' {
		i++
	}
	whole := i
	for i < len(b) && b[i]-'0' <= 9 {
		i++
	}
	if i < len(b) && i == whole {
		return p.fault(errcode.IncorrectData, "got %s, want a number", p.here())
	}
	if i < len(b) && b[i] == '.' {
		i++
		frac := i
		for i < len(b) && b[i]-'0' <= 9 {
			i++
		}
		if i < len(b) && i == frac {
			return p.fault(errcode.IncorrectData, "got %s, want digits behind the point of a number", p.here())
		}
	}
	if i < len(b) && b[i]|0x20 == 'e' {
		i++
		if i < len(b) && (b[i] == '-' || b[i] == '+') {
			i++
		}
		exp := i
		for i < len(b) && b[i]-'0' <= 9 {
			i++
		}
		if i < len(b) && i == exp {
			return p.fault(errcode.IncorrectData, "got %s, want an exponent", p.here())
		}
	}
	if i == len(b) { // it may go on in the next chunk, and no row ends with a number
		return more
	}
	p.i = i
	return nil
}

// str reads a string and resolves its escapes; the bytes are valid until the next call.
func (p *parser) str() ([]byte, *rowError) {
	if p.b[p.i] != '"' {
		return nil, p.fault(errcode.CannotParseQuotedString, "got %s, want '\"'", p.here())
	}
	s := p.b[p.i+1:]
	end := bytes.IndexByte(s, '"')
	if end < 0 {
		return nil, more
	}
	esc := bytes.IndexByte(s[:end], '\\')
	if esc < 0 {
		p.i += end + 2
		return s[:end], nil
	}
	return p.escaped(s, esc)
}

func (p *parser) escaped(s []byte, i int) ([]byte, *rowError) {
	out := append(p.buf[:0], s[:i]...)
	for i < len(s) {
		switch c := s[i]; c {
		case '"':
			p.i += i + 2
			p.buf = out
			return out, nil
		case '\\':
			if i+1 >= len(s) {
				return nil, more
			}
			i++
			switch e := s[i]; e {
			case '"', '\\', '/':
				out = append(out, e)
			case 'b':
				out = append(out, '\b')
			case 'f':
				out = append(out, '\f')
			case 'n':
				out = append(out, '\n')
			case 'r':
				out = append(out, '\r')
			case 't':
				out = append(out, '\t')
			case 'u':
				r, n, err := p.unicode(s[i-1:])
				if err != nil {
					return nil, err
				}
				out = utf8.AppendRune(out, r)
				i += n - 2
			default:
				p.i += i
				return nil, p.fault(errcode.CannotParseEscapeSequence, "got the escape \\%c in a string, want one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u", e)
			}
			i++
		default:
			out = append(out, c)
			i++
		}
	}
	return nil, more
}

// unicode reads \uXXXX, two of them for a surrogate pair, and returns the bytes they took.
func (p *parser) unicode(s []byte) (rune, int, *rowError) {
	if len(s) < 6 {
		return 0, 0, more
	}
	v, err := strconv.ParseUint(string(s[2:6]), 16, 32)
	if err != nil {
		return 0, 0, p.fault(errcode.CannotParseEscapeSequence, "got the escape %s in a string, want four hexadecimal digits behind \\u", clip(s[:6]))
	}
	if v < 0xd800 || v > 0xdfff {
		return rune(v), 6, nil
	}
	if v > 0xdbff {
		return 0, 0, p.fault(errcode.CannotParseEscapeSequence, "got a second half of a surrogate pair without a first: %s", clip(s[:6]))
	}
	for k, c := range []byte(`\u`) {
		if len(s) > 6+k && s[6+k] != c {
			return 0, 0, p.fault(errcode.CannotParseEscapeSequence, "got the first half of a surrogate pair without a second: %s", clip(s[:6]))
		}
	}
	if len(s) < 12 {
		return 0, 0, more
	}
	w, err := strconv.ParseUint(string(s[8:12]), 16, 32)
	if s[6] != '\\' || s[7] != 'u' || err != nil || w < 0xdc00 || w > 0xdfff {
		return 0, 0, p.fault(errcode.CannotParseEscapeSequence, "got the first half of a surrogate pair without a second: %s", clip(s[:12]))
	}
	return rune((v-0xd800)<<10|(w-0xdc00)) + 0x10000, 12, nil
}

// open passes an opening bracket; a value that begins otherwise is an error that says what the column wants.
func (p *parser) open(c byte, t *column.Type) *rowError {
	if p.b[p.i] != c {
		return p.fault(errcode.CannotParseInputAssertionFailed, "want %s, got %s", t, p.here())
	}
	p.i++
	return nil
}

// next passes a comma or the closing bracket, and says whether it was the latter.
func (p *parser) next(end byte) (bool, *rowError) {
	p.space()
	if p.i == len(p.b) {
		return false, more
	}
	switch p.b[p.i] {
	case ',':
		p.i++
		return false, nil
	case end:
		p.i++
		return true, nil
	}
	return false, p.fault(errcode.CannotParseInputAssertionFailed, "got %s, want ',' or '%c'", p.here(), end)
}

// empty passes the closing bracket of an empty list.
func (p *parser) empty(end byte) bool {
	p.space()
	if p.i < len(p.b) && p.b[p.i] == end {
		p.i++
		return true
	}
	return false
}

func (p *parser) array(c *column.Arr, depth int) *rowError {
	if err := p.open('[', c.T); err != nil {
		return err
	}
	for done := p.empty(']'); !done; {
		err := p.general(c.Elem, nil, depth+1)
		if err == nil {
			done, err = p.next(']')
		}
		if err != nil {
			c.Elem.Truncate(int(lastEnd(c)))
			return err
		}
	}
	c.EndRow()
	return nil
}

func lastEnd(c *column.Arr) uint64 {
	if n := len(c.Ends); n > 0 {
		return c.Ends[n-1]
	}
	return 0
}

// tuple reads an array of the elements, or an object of named ones.
func (p *parser) tuple(c *column.Tup, depth int) *rowError {
	n := c.N
	if p.b[p.i] == '{' && c.T.Names != nil {
		p.i++
		have := make([]bool, len(c.Elems))
		for done := p.empty('}'); !done; {
			p.space()
			if p.i == len(p.b) {
				return more
			}
			name, err := p.str()
			if err != nil {
				return err
			}
			at := -1
			for k, e := range c.T.Names {
				if e == string(name) && !have[k] {
					at = k
				}
			}
			p.space()
			if p.i == len(p.b) {
				return more
			}
			if p.b[p.i] != ':' {
				return p.fault(errcode.CannotParseInputAssertionFailed, "got %s behind field name %q, want ':'", p.here(), name)
			}
			p.i++
			if at < 0 {
				p.space()
				err = p.skip(depth + 1)
			} else {
				have[at] = true
				err = p.general(c.Elems[at], nil, depth+1)
			}
			if err != nil {
				return err
			}
			if done, err = p.next('}'); err != nil {
				return err
			}
		}
		for k, h := range have {
			if !h {
				c.Elems[k].AppendDefault(1)
			}
		}
		c.N = n + 1
		return nil
	}
	if err := p.open('[', c.T); err != nil {
		return err
	}
	for k, e := range c.Elems {
		if err := p.general(e, nil, depth+1); err != nil {
			return err
		}
		done, err := p.next(']')
		if err != nil {
			return err
		}
		if done != (k == len(c.Elems)-1) {
			return p.fault(errcode.IncorrectData, "want %s, got another number of elements", c.T)
		}
	}
	c.N = n + 1
	return nil
}

func (p *parser) mapping(c *column.MapColumn, depth int) *rowError {
	if err := p.open('{', c.T); err != nil {
		return err
	}
	t := c.Arr.Elem.(*column.Tup)
	before := t.Elems[0].Len()
	undo := func(err *rowError) *rowError {
		t.Elems[0].Truncate(before)
		t.Elems[1].Truncate(before)
		t.N = before
		return err
	}
	for done := p.empty('}'); !done; {
		p.space()
		if p.i == len(p.b) {
			return undo(more)
		}
		at := p.i
		key, err := p.str()
		if err != nil {
			return undo(err)
		}
		if perr := column.ParseTextStrict(t.Elems[0], key, column.TextRaw); perr != nil {
			p.i = at
			return undo(p.fault(errcode.Of(perr), "want a key of %s, got %s", c.T, clip(key)))
		}
		p.space()
		if p.i == len(p.b) {
			return undo(more)
		}
		if p.b[p.i] != ':' {
			return undo(p.fault(errcode.CannotParseInputAssertionFailed, "got %s, want ':'", p.here()))
		}
		p.i++
		if err := p.general(t.Elems[1], nil, depth+1); err != nil {
			return undo(err)
		}
		t.N++
		if done, err = p.next('}'); err != nil {
			return undo(err)
		}
	}
	c.Arr.EndRow()
	return nil
}

// skip passes a value and checks that it is JSON.
func (p *parser) skip(depth int) *rowError {
	if depth > maxDepth {
		return p.fault(errcode.TooDeepRecursion, "values are nested deeper than %d", maxDepth)
	}
	p.space()
	if p.i == len(p.b) {
		return more
	}
	switch c := p.b[p.i]; {
	case c == '"':
		_, err := p.str()
		return err
	case c == '-' || c >= '0' && c <= '9':
		return p.number()
	case c == 't':
		return p.word("true")
	case c == 'f':
		return p.word("false")
	case c == 'n':
		return p.word("null")
	case c == '[':
		p.i++
		for done := p.empty(']'); !done; {
			err := p.skip(depth + 1)
			if err == nil {
				done, err = p.next(']')
			}
			if err != nil {
				return err
			}
		}
		return nil
	case c == '{':
		p.i++
		for done := p.empty('}'); !done; {
			p.space()
			if p.i == len(p.b) {
				return more
			}
			if _, err := p.str(); err != nil {
				return err
			}
			p.space()
			if p.i == len(p.b) {
				return more
			}
			if p.b[p.i] != ':' {
				return p.fault(errcode.CannotParseInputAssertionFailed, "got %s, want ':'", p.here())
			}
			p.i++
			err := p.skip(depth + 1)
			if err == nil {
				done, err = p.next('}')
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	return p.fault(errcode.IncorrectData, "got %s, want a JSON value", p.here())
}
