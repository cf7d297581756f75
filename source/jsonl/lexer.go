package jsonl

import (
	"bytes"
	"fmt"
	"unicode/utf8"
	"unsafe"

	"dictsvc/errcode"
)

func (p *parser) space() {
	for p.i < len(p.b) {
		switch p.b[p.i] {
		case ' ', '\n', '\r', '\t':
			p.i++
		default:
			return
		}
	}
}

// here shows what stands at the place in hand, for messages.
func (p *parser) here() string {
	if p.i >= len(p.b) {
		return "the end"
	}
	s := p.b[p.i:min(p.i+30, len(p.b))]
	if nl := bytes.IndexByte(s, '\n'); nl > 0 {
		s = s[:nl]
	}
	return fmt.Sprintf("%q", s)
}

// shown shows a value as it stands in the file, for messages.
func shown(b []byte) string {
	more := ""
	if len(b) > 60 {
		b, more = b[:60], "..."
	}
	for _, c := range b {
		if c < ' ' || c == 0x7f {
			return fmt.Sprintf("%q", b) + more
		}
	}
	if !utf8.Valid(b) && more == "" {
		return fmt.Sprintf("%q", b)
	}
	return string(bytes.ToValidUTF8(b, nil)) + more
}

func clip(b []byte) string {
	if len(b) > 60 {
		return fmt.Sprintf("%q...", b[:60])
	}
	return fmt.Sprintf("%q", b)
}

// word passes one of the words true, false and null.
func (p *parser) word(w string) *rowError {
	if left := p.b[p.i:]; len(left) < len(w) {
		if string(left) == w[:len(left)] {
			return more
		}
	} else if string(left[:len(w)]) == w {
		p.i += len(w)
		return nil
	}
	return p.fault(errcode.CannotParseInputAssertionFailed, "got %s, want a JSON value", p.here())
}

// token returns the bytes up to the next delimiter: a number, or whatever stands in the place of one.
func (p *parser) token() ([]byte, *rowError) {
	for k, c := range p.b[p.i:] {
		switch c {
		case ',', '}', ']', ':', ' ', '\n', '\r', '\t', '"', '{', '[':
			t := p.b[p.i : p.i+k]
			p.i += k
			return t, nil
		}
	}
	return nil, more // no row ends with a number
}

// isNumber tells whether b is a JSON number; ClickHouse also takes zeros and a plus sign in front, and a point without digits on one side.
func isNumber(b []byte) bool {
	i := 0
	count := func() int {
		start := i
		for i < len(b) && b[i]-'0' <= 9 {
			i++
		}
		return i - start
	}
	if i < len(b) && (b[i] == '-' || b[i] == '+') {
		i++
	}
	n := count()
	if i < len(b) && b[i] == '.' {
		i++
		n += count()
	}
	if n == 0 {
		return false
	}
	if i < len(b) && b[i]|0x20 == 'e' {
		i++
		if i < len(b) && (b[i] == '-' || b[i] == '+') {
			i++
		}
		if count() == 0 {
			return false
		}
	}
	return i == len(b)
}

// str reads a string and resolves its escapes; the bytes are valid until the next call.
func (p *parser) str() ([]byte, *rowError) {
	if p.b[p.i] != '"' {
		return nil, p.fault(errcode.CannotParseQuotedString, "got %s, want '\"'", p.here())
	}
	s := p.b[p.i+1:]
	end := bytes.IndexByte(s, '"')
	if end < 0 {
		return nil, p.unclosed(s)
	}
	esc := bytes.IndexByte(s[:end], '\\')
	if esc < 0 {
		p.i += end + 2
		return s[:end], nil
	}
	return p.escaped(s, esc)
}

// unclosed looks at a string without an end in the chunk: a bad escape in it is an error at once, wherever the chunk ends.
func (p *parser) unclosed(s []byte) *rowError {
	esc := bytes.IndexByte(s, '\\')
	if esc < 0 {
		return more
	}
	_, err := p.escaped(s, esc)
	return err
}

// escaped reads the string s, in front of which the quote stands at p.i, whose first backslash is at i.
func (p *parser) escaped(s []byte, i int) ([]byte, *rowError) {
	out := append(p.buf[:0], s[:i]...)
	defer func() { p.buf = out[:0] }()
	for i < len(s) {
		c := s[i]
		if c == '"' {
			p.i += i + 2
			return out, nil
		}
		if c != '\\' {
			n := bytes.IndexByte(s[i:], '"')
			if n < 0 {
				n = len(s) - i
			}
			if k := bytes.IndexByte(s[i:i+n], '\\'); k >= 0 {
				n = k
			}
			out = append(out, s[i:i+n]...)
			i += n
			continue
		}
		r, n, err := p.escape(s[i:], p.i+1+i, true)
		if err != nil {
			return nil, err
		}
		if r < utf8.RuneSelf {
			out = append(out, byte(r))
		} else {
			out = utf8.AppendRune(out, r)
		}
		i += n
	}
	return nil, more
}

// escape reads the escape that s begins with, which stands at a place of the chunk: the character and the bytes it takes. pairs: halves of
// surrogate pairs must come in pairs.
func (p *parser) escape(s []byte, at int, pairs bool) (rune, int, *rowError) {
	if len(s) < 2 {
		return 0, 0, more
	}
	switch c := s[1]; c {
	case '"', '\\', '/':
		return rune(c), 2, nil
	case 'b':
		return '\b', 2, nil
	case 'f':
		return '\f', 2, nil
	case 'n':
		return '\n', 2, nil
	case 'r':
		return '\r', 2, nil
	case 't':
		return '\t', 2, nil
	case 'u':
	default:
		return 0, 0, badEscape(at, "got the escape %s in a string, want one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u", shown(s[:2]))
	}
	v, ok := hex4(s[2:])
	if !ok {
		return 0, 0, badEscape(at, "got the escape %s in a string, want four hexadecimal digits behind \\u", shown(s[:min(6, len(s))]))
	}
	if len(s) < 6 {
		return 0, 0, more
	}
	if v < 0xd800 || v > 0xdfff || !pairs {
		return v, 6, nil
	}
	if v > 0xdbff {
		return 0, 0, badEscape(at, "got the second half of a surrogate pair without the first: %s", s[:6])
	}
	w, ok := hex4(s[min(8, len(s)):])
	for k, c := range []byte(`\u`) {
		ok = ok && (len(s) <= 6+k || s[6+k] == c)
	}
	if !ok || len(s) >= 12 && (w < 0xdc00 || w > 0xdfff) {
		return 0, 0, badEscape(at, "got the first half of a surrogate pair without the second: %s", s[:6])
	}
	if len(s) < 12 {
		return 0, 0, more
	}
	return (v-0xd800)<<10 | (w - 0xdc00) + 0x10000, 12, nil
}

func badEscape(at int, format string, args ...any) *rowError {
	return &rowError{at: at, code: errcode.CannotParseEscapeSequence, text: fmt.Sprintf(format, args...)}
}

// hex4 reads up to four hexadecimal digits; ok is false where one of the bytes there are is none.
func hex4(s []byte) (v rune, ok bool) {
	for _, c := range s[:min(4, len(s))] {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return 0, false
		}
		v = v<<4 | rune(c)
	}
	return v, true
}

// passString passes a string and checks its escapes.
func (p *parser) passString() *rowError {
	s := p.b[p.i+1:]
	for i := 0; ; {
		end := bytes.IndexByte(s[i:], '"')
		text := s[i:]
		if end >= 0 {
			text = text[:end]
		}
		esc := bytes.IndexByte(text, '\\')
		switch {
		case esc >= 0:
			_, n, err := p.escape(s[i+esc:], p.i+1+i+esc, false)
			if err != nil {
				return err
			}
			i += esc + n
		case end < 0:
			return more
		default:
			p.i += i + end + 2
			return nil
		}
	}
}

// pass passes a value that no column wants, and checks that it is JSON.
func (p *parser) pass() *rowError {
	if at(p.base, p.i) == '"' {
		if k := passPlain(unsafe.Add(p.base, p.i+1)); k >= 0 {
			p.i += k + 2
			return nil
		}
		return p.passString()
	}
	if _, _, _, k := decimalText(p.base, p.i); k > 0 && ends(at(p.base, p.i+k)) {
		p.i += k
		return nil
	}
	return p.skip(0)
}

func (p *parser) skip(depth int) *rowError {
	if depth > maxDepth {
		return p.tooDeep()
	}
	p.space()
	if p.i == len(p.b) {
		return more
	}
	switch p.b[p.i] {
	case '"':
		return p.passString()
	case 't':
		return p.word("true")
	case 'f':
		return p.word("false")
	case 'n':
		return p.word("null")
	case '[':
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
	case '{':
		p.i++
		for done := p.empty('}'); !done; {
			err := p.passKey()
			if err == nil {
				err = p.skip(depth + 1)
			}
			if err == nil {
				done, err = p.next('}')
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	start := p.i
	t, err := p.token()
	if err != nil {
		return err
	}
	if !isNumber(t) {
		p.i = start
		return p.fault(errcode.IncorrectData, "got %s, want a JSON value", p.here())
	}
	return nil
}

func (p *parser) tooDeep() *rowError {
	return p.fault(errcode.TooDeepRecursion, "values are nested deeper than %d", maxDepth)
}

// key reads the name of an object's member and its colon; the bytes are valid until the next string is read.
func (p *parser) key() ([]byte, *rowError) {
	p.space()
	if p.i == len(p.b) {
		return nil, more
	}
	name, err := p.str()
	if err != nil {
		return nil, err
	}
	return name, p.colon()
}

func (p *parser) passKey() *rowError {
	p.space()
	if p.i == len(p.b) {
		return more
	}
	if p.b[p.i] != '"' {
		return p.fault(errcode.IncorrectData, "got %s, want the name of a member", p.here())
	}
	if err := p.passString(); err != nil {
		return err
	}
	return p.colon()
}

func (p *parser) colon() *rowError {
	p.space()
	if p.i == len(p.b) {
		return more
	}
	if p.b[p.i] != ':' {
		return p.fault(errcode.IncorrectData, "got %s, want ':'", p.here())
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
	return false, p.fault(errcode.IncorrectData, "got %s, want ',' or '%c'", p.here(), end)
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
