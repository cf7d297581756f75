package column

import (
	"bytes"
	"strconv"
	"unicode/utf8"

	"dictsvc/errcode"
)

// ReadJSON appends to dst the JSON value at the head of b, as ClickHouse's JSONCompactEachRow reads it, and returns how many bytes it
// took. null becomes the default in a column that holds none. Integers wrap round, strings are read as text of the type, objects go into
// named tuples and maps; a String column takes any value as written. dst is unchanged on an error; errcode.AttemptToReadAfterEof says
// that b ends within the value.
func ReadJSON(dst Column, b []byte) (n int, err error) {
	rows := dst.Len()
	p := jsonParser{b: b}
	if e := p.value(dst, 0); e != nil {
		dst.Truncate(rows)
		return 0, errcode.New(e.code, "%s", e.msg)
	}
	return p.i, nil
}

type jsonParser struct {
	b   []byte
	i   int
	buf []byte
}

func (p *jsonParser) space() {
	for p.i < len(p.b) && (p.b[p.i] == ' ' || p.b[p.i] == '\n' || p.b[p.i] == '\t' || p.b[p.i] == '\r') {
		p.i++
	}
}

func (p *jsonParser) take(c byte) bool {
	p.space()
	if p.i < len(p.b) && p.b[p.i] == c {
		p.i++
		return true
	}
	return false
}

func (p *jsonParser) want(c byte) *scanError {
	if p.take(c) {
		return nil
	}
	if p.i >= len(p.b) {
		return p.short()
	}
	return fail(errcode.CannotParseInputAssertionFailed, Expected(string(c), p.b[p.i:]))
}

// Expected words ClickHouse's complaint that something else stands in the input than was expected.
func Expected(want string, rest []byte) string {
	w := string(textDefaults[TextQuoted].appendString(nil, []byte(want)))
	if len(rest) == 0 {
		return "Cannot parse input: expected " + w + " at end of stream"
	}
	return "Cannot parse input: expected " + w + " before: " + string(textDefaults[TextQuoted].appendString(nil, rest[:min(len(rest), 160)]))
}

func (p *jsonParser) short() *scanError {
	return fail(errcode.AttemptToReadAfterEof, "Attempt to read after eof")
}

func (p *jsonParser) value(dst Column, depth int) *scanError {
	p.space()
	if p.i >= len(p.b) {
		return p.short()
	}
	if depth > maxParseDepth {
		return fail(errcode.TooDeepRecursion, "too many nested brackets")
	}
	if c := p.b[p.i]; c == 'n' && bytes.HasPrefix(p.b[p.i:], []byte("null")) {
		p.i += 4
		dst.AppendDefault(1)
		return nil
	}
	switch x := dst.(type) {
	case *Null:
		if err := p.value(x.Inner, depth); err != nil {
			return err
		}
		x.Nulls = append(x.Nulls, 0)
		return nil
	case *LowCard:
		one := x.Dict.New(1)
		if err := p.value(one, depth); err != nil {
			return err
		}
		x.Index = append(x.Index, x.Code(one, 0))
		return nil
	case *Arr:
		return p.array(x, depth)
	case *Tup:
		return p.tuple(x, depth)
	case *MapColumn:
		return p.object(x, depth)
	case *Str:
		if p.b[p.i] != '"' {
			start := p.i
			if err := p.skip(depth); err != nil {
				return err
			}
			x.Append(p.b[start:p.i])
			return nil
		}
	}
	return p.scalar(dst)
}

func (p *jsonParser) scalar(dst Column) *scanError {
	if p.b[p.i] == '"' {
		if dst.Type().Kind == Bool {
			return fail(errcode.CannotParseBool, "Invalid boolean value, should be true/false, 1/0, but it starts with the '\"' character")
		}
		s, err := p.str()
		if err != nil {
			return err
		}
		in := valueParser{b: s, style: TextRaw, mode: scanLenient}
		if err := in.bare(dst); err != nil {
			return err
		}
		if in.i != len(s) {
			return fail(errcode.CannotParseInputAssertionFailed, Expected(`"`, append(append([]byte(nil), s[in.i:]...), p.b[p.i-1:]...)))
		}
		return nil
	}
	if dst.Type().IsNumber() && dst.Type().Kind != Bool {
		for i, w := range []string{"false", "true"} {
			if bytes.HasPrefix(p.b[p.i:], []byte(w)) {
				p.i += len(w)
				_, err := scanValue(dst, []byte{byte('0' + i)}, scanLenient)
				if err != nil {
					return err.(*scanError)
				}
				return nil
			}
		}
	}
	rest := p.b[p.i:]
	t := dst.Type()
	digits := 0
	for digits < len(rest) && (rest[digits] >= '0' && rest[digits] <= '9' || digits == 0 && rest[0] == '-') {
		digits++
	}
	switch {
	case t.IsUnsigned() && rest[0] == '-':
		return fail(errcode.CannotParseNumber, "Unsigned type must not contain '-' symbol")
	case t.IsEnum() && digits > 0:
		p.i += digits
		return appendEnum(dst, rest[:digits])
	case t.IsEnum() || t.Kind == FixedString || t.Kind == UUID || t.Kind == IPv4 || t.Kind == IPv6:
		return fail(errcode.CannotParseInputAssertionFailed, Expected(`"`, rest))
	case (t.Kind == Date || t.Kind == Date32) && digits > 0: // the number of days
		days, _ := strconv.ParseInt(string(rest[:min(digits, 18)]), 10, 64)
		p.i += digits
		appendWide(dst, WideInt(days))
		return nil
	case t.IsFloat() && (rest[0] == 'n' || rest[0] == 'N'):
		return fail(errcode.CannotParseInputAssertionFailed, Expected("null", rest[1:]))
	}
	if t.Kind == DateTime || t.Kind == DateTime64 {
		if end := bytes.IndexAny(rest, ",]} \t\r\n"); end >= 0 {
			rest = rest[:end]
		}
	}
	n, err := scanValue(dst, rest, scanLenient)
	if err != nil {
		return err.(*scanError)
	}
	p.i += n
	return nil
}

// str reads a string; the bytes are valid until the next one.
func (p *jsonParser) str() ([]byte, *scanError) {
	if p.i++; p.i > len(p.b) || p.b[p.i-1] != '"' {
		p.i--
		return nil, fail(errcode.CannotParseInputAssertionFailed, Expected(`"`, p.b[p.i:]))
	}
	start := p.i
	for p.i < len(p.b) && p.b[p.i] != '"' && p.b[p.i] != '\\' {
		p.i++
	}
	if p.i < len(p.b) && p.b[p.i] == '"' {
		p.i++
		return p.b[start : p.i-1], nil
	}
	out := append(p.buf[:0], p.b[start:p.i]...)
	for p.i < len(p.b) {
		switch c := p.b[p.i]; {
		case c == '"':
			p.i++
			p.buf = out
			return out, nil
		case c != '\\':
			out = append(out, c)
			p.i++
		case p.i+1 >= len(p.b):
			return nil, p.short()
		case p.b[p.i+1] == 'u':
			r, err := p.unicode()
			if err != nil {
				return nil, err
			}
			out = utf8.AppendRune(out, r)
		default:
			out = append(out, unescape(p.b[p.i+1]))
			p.i += 2
		}
	}
	return nil, p.short()
}

// unicode reads \uXXXX, or two of them that make one character.
func (p *jsonParser) unicode() (rune, *scanError) {
	unit := func() (rune, *scanError) {
		if p.i+6 > len(p.b) {
			return 0, p.short()
		}
		v, err := strconv.ParseUint(string(p.b[p.i+2:p.i+6]), 16, 32)
		if err != nil {
			return 0, fail(errcode.CannotParseEscapeSequence, "Cannot parse escape sequence: expected four hexadecimal digits after \\u")
		}
		p.i += 6
		return rune(v), nil
	}
	hi, err := unit()
	if err != nil || hi < 0xd800 || hi >= 0xdc00 {
		return hi, err
	}
	lone := fail(errcode.CannotParseEscapeSequence, "Cannot parse escape sequence: missing second part of surrogate pair. In JSON input formats you can disable setting input_format_json_throw_on_bad_escape_sequence to save bad escape sequences as is")
	if p.i+2 <= len(p.b) && !bytes.HasPrefix(p.b[p.i:], []byte(`\u`)) {
		return 0, lone
	}
	lo, err := unit()
	if err != nil {
		return 0, err
	}
	if lo < 0xdc00 || lo > 0xdfff {
		return 0, lone
	}
	return (hi-0xd800)<<10 + (lo - 0xdc00) + 0x10000, nil
}

func (p *jsonParser) array(x *Arr, depth int) *scanError {
	if !p.take('[') {
		return fail(errcode.CannotReadArrayFromText, "Cannot read array from JSON: expected '[' before: "+string(p.b[p.i:min(len(p.b), p.i+50)]))
	}
	if !p.take(']') {
		for {
			if err := p.value(x.Elem, depth+1); err != nil {
				return err
			}
			if p.take(']') {
				break
			}
			if err := p.want(','); err != nil {
				return err
			}
		}
	}
	x.EndRow()
	return nil
}

// tuple reads an array, or an object by the names of the elements, whose missing ones become defaults.
func (p *jsonParser) tuple(x *Tup, depth int) *scanError {
	if x.T.Names == nil {
		if err := p.want('['); err != nil {
			return err
		}
		for k, e := range x.Elems {
			if k > 0 {
				if err := p.want(','); err != nil {
					return err
				}
			}
			if err := p.value(e, depth+1); err != nil {
				return err
			}
		}
		x.N++
		return p.want(']')
	}
	rows := x.Len()
	err := p.members(func(name []byte) *scanError {
		for k, n := range x.T.Names {
			if n != string(name) {
				continue
			}
			if x.Elems[k].Len() > rows {
				return fail(errcode.IncorrectData, "Duplicate field found while parsing tuple: "+n)
			}
			return p.value(x.Elems[k], depth+1)
		}
		return p.skip(depth + 1)
	})
	if err != nil {
		return err
	}
	for _, e := range x.Elems {
		if e.Len() == rows {
			e.AppendDefault(1)
		}
	}
	x.N++
	return nil
}

// members reads an object; each is called behind the colon.
func (p *jsonParser) members(each func(name []byte) *scanError) *scanError {
	if err := p.want('{'); err != nil {
		return err
	}
	if p.take('}') {
		return nil
	}
	for {
		p.space()
		name, err := p.str()
		if err != nil {
			return err
		}
		name = append([]byte(nil), name...)
		if err := p.want(':'); err != nil {
			return err
		}
		if err := each(name); err != nil {
			return err
		}
		if p.take('}') {
			return nil
		}
		if err := p.want(','); err != nil {
			return err
		}
	}
}

func (p *jsonParser) object(x *MapColumn, depth int) *scanError {
	err := p.members(func(name []byte) *scanError {
		in := valueParser{b: name, style: TextRaw, mode: scanLenient}
		if err := in.bare(x.Keys()); err != nil {
			return err
		}
		if err := p.value(x.Values(), depth+1); err != nil {
			return err
		}
		x.Arr.Elem.(*Tup).N++
		return nil
	})
	if err == nil {
		x.Arr.EndRow()
	}
	return err
}

// skip passes over any value.
func (p *jsonParser) skip(depth int) *scanError {
	p.space()
	if p.i >= len(p.b) {
		return p.short()
	}
	if depth > maxParseDepth {
		return fail(errcode.TooDeepRecursion, "too many nested brackets")
	}
	switch p.b[p.i] {
	case '"':
		_, err := p.str()
		return err
	case '{':
		return p.members(func([]byte) *scanError { return p.skip(depth + 1) })
	case '[':
		p.i++
		if p.take(']') {
			return nil
		}
		for {
			if err := p.skip(depth + 1); err != nil {
				return err
			}
			if p.take(']') {
				return nil
			}
			if err := p.want(','); err != nil {
				return err
			}
		}
	}
	start := p.i
	for p.i < len(p.b) && (wordByte(p.b[p.i]) || p.b[p.i] == '-' || p.b[p.i] == '+' || p.b[p.i] == '.') {
		p.i++
	}
	if p.i == start {
		return fail(errcode.IncorrectData, "Cannot parse JSON value here: "+string(p.b[p.i:min(len(p.b), p.i+50)]))
	}
	return nil
}
