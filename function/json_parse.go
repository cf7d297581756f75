package function

import (
	"math"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// jsonKind is the kind of a JSON value, by the letters of ClickHouse's JSONType.
type jsonKind uint8

const (
	jsonNull   jsonKind = 0
	jsonString jsonKind = '"'
	jsonArray  jsonKind = '['
	jsonBool   jsonKind = 'b'
	jsonDouble jsonKind = 'd'
	jsonInt    jsonKind = 'i'
	jsonUInt   jsonKind = 'u'
	jsonObject jsonKind = '{'
)

// jsonValue is one parsed value. Objects keep the order of their members.
type jsonValue struct {
	kind jsonKind
	bits uint64 // of a bool, integer or double
	text []byte
	list []jsonValue // elements, or members' values
	keys [][]byte
}

// maxJSONDepth bounds the nesting of what is parsed.
const maxJSONDepth = 1000

type jsonParser struct {
	b     []byte
	i     int
	depth int
}

// parseJSON parses a whole text; ok is false where it is no JSON.
func parseJSON(b []byte) (jsonValue, bool) {
	p := jsonParser{b: b}
	v, ok := p.value()
	p.space()
	return v, ok && p.i == len(b)
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

func (p *jsonParser) word(w string) bool {
	if len(p.b)-p.i >= len(w) && string(p.b[p.i:p.i+len(w)]) == w {
		p.i += len(w)
		return true
	}
	return false
}

func (p *jsonParser) value() (v jsonValue, ok bool) {
	if p.depth++; p.depth > maxJSONDepth {
		return v, false
	}
	defer func() { p.depth-- }()
	p.space()
	if p.i >= len(p.b) {
		return v, false
	}
	switch c := p.b[p.i]; {
	case c == '"':
		v.kind = jsonString
		v.text, ok = p.str()
		return v, ok
	case c == '[':
		return p.array()
	case c == '{':
		return p.object()
	case c == 't':
		return jsonValue{kind: jsonBool, bits: 1}, p.word("true")
	case c == 'f':
		return jsonValue{kind: jsonBool}, p.word("false")
	case c == 'n':
		return v, p.word("null")
	}
	return p.number()
}

func (p *jsonParser) array() (v jsonValue, ok bool) {
	v.kind = jsonArray
	p.i++
	if p.take(']') {
		return v, true
	}
	for {
		e, ok := p.value()
		if !ok {
			return v, false
		}
		v.list = append(v.list, e)
		if p.take(']') {
			return v, true
		}
		if !p.take(',') {
			return v, false
		}
	}
}

func (p *jsonParser) object() (v jsonValue, ok bool) {
	v.kind = jsonObject
	p.i++
	if p.take('}') {
		return v, true
	}
	for {
		p.space()
		if p.i >= len(p.b) || p.b[p.i] != '"' {
			return v, false
		}
		key, ok := p.str()
		if !ok || !p.take(':') {
			return v, false
		}
		e, ok := p.value()
		if !ok {
			return v, false
		}
		v.keys, v.list = append(v.keys, key), append(v.list, e)
		if p.take('}') {
			return v, true
		}
		if !p.take(',') {
			return v, false
		}
	}
}

// str reads a string; one without escapes shares the text's memory.
func (p *jsonParser) str() ([]byte, bool) {
	p.i++
	start := p.i
	for p.i < len(p.b) {
		switch c := p.b[p.i]; {
		case c == '"':
			p.i++
			return p.b[start : p.i-1 : p.i-1], true
		case c == '\\':
			return p.escaped(append([]byte{}, p.b[start:p.i]...))
		case c < 0x20:
			return nil, false
		}
		p.i++
	}
	return nil, false
}

func (p *jsonParser) escaped(out []byte) ([]byte, bool) {
	for p.i < len(p.b) {
		c := p.b[p.i]
		p.i++
		switch {
		case c == '"':
			return out, true
		case c < 0x20:
			return nil, false
		case c != '\\':
			out = append(out, c)
			continue
		}
		if p.i >= len(p.b) {
			return nil, false
		}
		c = p.b[p.i]
		p.i++
		switch c {
		case '"', '\\', '/':
			out = append(out, c)
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
			r, ok := p.hex4()
			if !ok {
				return nil, false
			}
			if utf16.IsSurrogate(r) && p.word(`\u`) {
				low, ok := p.hex4()
				if !ok {
					return nil, false
				}
				r = utf16.DecodeRune(r, low)
			}
			out = utf8.AppendRune(out, r)
		default:
			return nil, false
		}
	}
	return nil, false
}

func (p *jsonParser) hex4() (rune, bool) {
	if len(p.b)-p.i < 4 {
		return 0, false
	}
	n, err := strconv.ParseUint(string(p.b[p.i:p.i+4]), 16, 16)
	p.i += 4
	return rune(n), err == nil
}

func (p *jsonParser) number() (v jsonValue, ok bool) {
	start, whole := p.i, true
	for p.i < len(p.b) {
		c := p.b[p.i]
		if c >= '0' && c <= '9' || c == '-' || c == '+' {
			p.i++
		} else if c == '.' || c == 'e' || c == 'E' {
			p.i++
			whole = false
		} else {
			break
		}
	}
	text := string(p.b[start:p.i])
	if text == "" || text[0] == '+' || text[0] == '.' || len(text) > 1 && text[0] == '0' && whole {
		return v, false
	}
	if whole {
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			return jsonValue{kind: jsonInt, bits: uint64(n)}, true
		}
		if n, err := strconv.ParseUint(text, 10, 64); err == nil {
			return jsonValue{kind: jsonUInt, bits: n}, true
		}
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return v, false
	}
	return jsonValue{kind: jsonDouble, bits: math.Float64bits(f)}, true
}

// find follows a path of keys and indexes (from 1, negative from the end; of objects too).
func (v *jsonValue) find(path []jsonStep, row int) (*jsonValue, []byte) {
	var key []byte
	for _, s := range path {
		next := -1
		if s.key != nil {
			want := s.key.at(row)
			for i := len(v.keys) - 1; i >= 0; i-- {
				if string(v.keys[i]) == string(want) {
					next = i
				}
			}
		} else {
			n := int(at(s.index, s.cst, row))
			if n < 0 {
				n += len(v.list) + 1
			}
			next = n - 1
		}
		if next < 0 || next >= len(v.list) {
			return nil, nil
		}
		key = nil
		if v.kind == jsonObject {
			key = v.keys[next]
		}
		v = &v.list[next]
	}
	return v, key
}

// appendRaw writes the value without spaces.
func (v *jsonValue) appendRaw(dst []byte) []byte {
	switch v.kind {
	case jsonBool:
		return strconv.AppendBool(dst, v.bits != 0)
	case jsonInt:
		return strconv.AppendInt(dst, int64(v.bits), 10)
	case jsonUInt:
		return strconv.AppendUint(dst, v.bits, 10)
	case jsonDouble:
		return appendDouble(dst, math.Float64frombits(v.bits))
	case jsonString:
		return appendQuoted(dst, v.text)
	case jsonArray, jsonObject:
		end := byte(']')
		if v.kind == jsonObject {
			end = '}'
		}
		dst = append(dst, byte(v.kind))
		for i := range v.list {
			if i > 0 {
				dst = append(dst, ',')
			}
			if v.kind == jsonObject {
				dst = append(appendQuoted(dst, v.keys[i]), ':')
			}
			dst = v.list[i].appendRaw(dst)
		}
		return append(dst, end)
	}
	return append(dst, "null"...)
}

func appendDouble(dst []byte, f float64) []byte {
	if a := math.Abs(f); a != 0 && (a < 1e-6 || a >= 1e21) {
		return strconv.AppendFloat(dst, f, 'e', -1, 64)
	}
	return strconv.AppendFloat(dst, f, 'f', -1, 64)
}

func appendQuoted(dst, s []byte) []byte {
	dst = append(dst, '"')
	for _, c := range s {
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\n':
			dst = append(dst, `\n`...)
		case '\r':
			dst = append(dst, `\r`...)
		case '\t':
			dst = append(dst, `\t`...)
		case '\b':
			dst = append(dst, `\b`...)
		case '\f':
			dst = append(dst, `\f`...)
		default:
			if c < 0x20 {
				dst = append(dst, `\u00`...)
				dst = append(dst, "0123456789abcdef"[c>>4], "0123456789abcdef"[c&15])
			} else {
				dst = append(dst, c)
			}
		}
	}
	return append(dst, '"')
}
