package column

import (
	"bytes"
	"strconv"
	"strings"
	"unsafe"

	"dictsvc/errcode"
)

// scanError says that text is no value of a type; at is how far it could be read.
type scanError struct {
	code errcode.Code
	msg  string
	at   int // bytes read, -1: not said
}

func (e *scanError) Error() string { return e.msg }

func fail(code errcode.Code, msg string) *scanError { return &scanError{code: code, msg: msg, at: -1} }

// ParseText appends to dst the value that b holds in a style, all of b being the value. dst is unchanged on an error, whose code is
// ClickHouse's. Integers out of range wrap round, as ClickHouse's do; ParseTextStrict refuses them.
func ParseText(dst Column, b []byte, style TextStyle) error { return parseText(dst, b, style, false) }

// ParseTextStrict is ParseText with integers out of their type's range as error 321 VALUE_IS_OUT_OF_RANGE_OF_DATA_TYPE.
func ParseTextStrict(dst Column, b []byte, style TextStyle) error {
	return parseText(dst, b, style, true)
}

func parseText(dst Column, b []byte, style TextStyle, strict bool) error {
	n := dst.Len()
	p := valueParser{b: b, style: style, mode: scanWrap}
	if strict {
		p.mode = scanStrict
	}
	err := p.top(dst)
	if err == nil && p.i != len(b) {
		err = &scanError{code: errcode.CannotParseText, at: p.i}
		switch t := dst.Type().Base(); {
		case t.Kind == Bool:
			err = notBool(b)
		case isComposite(t):
			err = fail(errcode.UnexpectedDataAfterParsedValue, "Unexpected data after the value")
		}
	}
	if err == nil {
		return nil
	}
	dst.Truncate(n)
	return textError(dst.Type(), b, err)
}

// textError words an error as ClickHouse's string conversions do.
func textError(t *Type, b []byte, err *scanError) error {
	show := string(b[:min(len(b), 100)])
	if err.msg != "" {
		return errcode.New(err.code, "%s: Cannot parse %s from String", err.msg, t)
	}
	if len(b) == 0 && t.IsDecimal() {
		return errcode.New(errcode.AttemptToReadAfterEof, "Attempt to read after eof")
	}
	if len(b) == 0 {
		return errcode.New(errcode.AttemptToReadAfterEof, "Attempt to read after eof: Cannot parse %s from String, because value is too short", t)
	}
	hint := ""
	if t.IsNumber() && t.Kind != Bool && !t.IsDecimal() || t.IsDateOrTime() {
		name := "to" + t.Kind.String()
		hint = ". Note: there are " + name + "OrZero and " + name + "OrNull functions, which returns zero/NULL instead of throwing exception"
	}
	if err.at <= 0 {
		return errcode.New(errcode.CannotParseText, "Cannot parse string '%s' as %s: syntax error at begin of string%s", show, t, hint)
	}
	return errcode.New(errcode.CannotParseText, "Cannot parse string '%s' as %s: syntax error at position %d (parsed just '%s')%s", show, t, err.at, show[:min(err.at, len(show))], hint)
}

// maxParseDepth bounds arrays in arrays in text from outside.
const maxParseDepth = 200

type valueParser struct {
	b     []byte
	i     int
	style TextStyle
	mode  scanMode
	depth int
}

func (p *valueParser) rest() []byte { return p.b[p.i:] }

// top reads a value that stands alone: strings and dates are not quoted, unless the style quotes everything.
func (p *valueParser) top(dst Column) *scanError {
	switch p.style {
	case TextQuoted, TextJSON:
		return p.value(dst)
	case TextTSV:
		if bytes.Equal(p.b, []byte(`\N`)) {
			if n, ok := dst.(*Null); ok {
				n.AppendNull()
				p.i = len(p.b)
				return nil
			}
			if l, ok := dst.(*LowCard); ok && l.T.IsNullable() {
				l.AppendDefault(1)
				p.i = len(p.b)
				return nil
			}
		}
	case TextRaw:
		if n, ok := dst.(*Null); ok && (string(p.b) == "NULL" || string(p.b) == `\N`) && !n.T.Elems[0].IsString() {
			n.AppendNull()
			p.i = len(p.b)
			return nil
		}
	}
	return p.bare(dst)
}

// checkState takes back the last row of a column of states where it is no state.
func checkState(x *Str) *scanError {
	last := x.Len() - 1
	if err := ParseState(x.T, x.At(last)); err != nil {
		x.Truncate(last)
		return fail(errcode.Of(err), errcode.Text(err))
	}
	return nil
}

// bare reads all that is left as one unquoted value.
func (p *valueParser) bare(dst Column) *scanError {
	switch x := dst.(type) {
	case *Null:
		if err := p.bare(x.Inner); err != nil {
			return err
		}
		x.Nulls = append(x.Nulls, 0)
		return nil
	case *LowCard:
		one := x.Dict.New(1)
		if err := p.bare(one); err != nil {
			return err
		}
		x.Index = append(x.Index, x.Code(one, 0))
		return nil
	case *Str:
		if p.style == TextTSV && bytes.IndexByte(p.rest(), '\\') >= 0 {
			x.Data = unescapeTSV(x.Data, p.rest())
			x.EndRow()
		} else {
			x.Append(p.rest())
		}
		p.i = len(p.b)
		if x.T.Kind == AggregateFunction {
			return checkState(x)
		}
		return nil
	case *FixedStr:
		s := p.rest()
		if p.style == TextTSV && bytes.IndexByte(s, '\\') >= 0 {
			s = unescapeTSV(nil, s)
		}
		if len(s) > x.T.Width {
			return fail(errcode.TooLargeStringSize, "String too long for type "+x.T.String())
		}
		x.Append(s)
		p.i = len(p.b)
		return nil
	case *Arr, *Tup, *MapColumn, *NothingColumn:
		return p.value(dst)
	}
	if dst.Type().IsEnum() {
		s := p.rest()
		if p.style == TextTSV && bytes.IndexByte(s, '\\') >= 0 {
			s = unescapeTSV(nil, s)
		}
		p.i = len(p.b)
		return appendEnum(dst, s)
	}
	n, err := scanValue(dst, p.rest(), p.mode)
	if err != nil {
		return err.(*scanError)
	}
	p.i += n
	return nil
}

func appendEnum(dst Column, s []byte) *scanError {
	t := dst.Type()
	v, ok := t.Enum.Value(unsafe.String(unsafe.SliceData(s), len(s)))
	if !ok {
		n, err := strconv.ParseInt(string(s), 10, 16)
		if _, known := t.Enum.Name(int16(n)); err != nil || !known {
			return fail(errcode.UnknownElementOfEnum, "Unknown element '"+string(s)+"' for enum")
		}
		v = int16(n)
	}
	switch x := dst.(type) {
	case *Num[int8]:
		x.Data = append(x.Data, int8(v))
	case *Num[int16]:
		x.Data = append(x.Data, v)
	}
	return nil
}

func (p *valueParser) space() {
	for p.i < len(p.b) && (p.b[p.i] == ' ' || p.b[p.i] == '\n' || p.b[p.i] == '\t' || p.b[p.i] == '\r') {
		p.i++
	}
}

func (p *valueParser) take(c byte) bool {
	p.space()
	if p.i < len(p.b) && p.b[p.i] == c {
		p.i++
		return true
	}
	return false
}

func (p *valueParser) want(c byte) *scanError {
	if p.take(c) {
		return nil
	}
	return &scanError{code: errcode.CannotParseInputAssertionFailed, msg: "expected '" + string(c) + "' at position " + strconv.Itoa(p.i+1), at: p.i}
}

// value reads one literal, from an array or a VALUES list: strings, dates and addresses in quotes.
func (p *valueParser) value(dst Column) *scanError {
	p.space()
	if p.depth++; p.depth > maxParseDepth {
		return fail(errcode.TooDeepRecursion, "too many nested brackets")
	}
	defer func() { p.depth-- }()
	switch x := dst.(type) {
	case *Null:
		if p.null() {
			x.AppendNull()
			return nil
		}
		if err := p.value(x.Inner); err != nil {
			return err
		}
		x.Nulls = append(x.Nulls, 0)
		return nil
	case *LowCard:
		one := x.Dict.New(1)
		if err := p.value(one); err != nil {
			return err
		}
		x.Index = append(x.Index, x.Code(one, 0))
		return nil
	case *NothingColumn:
		if p.null() {
			x.N++
			return nil
		}
	case *Arr:
		return p.list(x)
	case *Tup:
		return p.tuple(x)
	case *MapColumn:
		return p.mapping(x)
	}
	if p.i < len(p.b) && (p.b[p.i] == '\'' || p.b[p.i] == '"') {
		s, err := p.quoted(p.b[p.i])
		if err != nil {
			return err
		}
		in := valueParser{b: s, style: TextRaw, mode: p.mode}
		if err := in.bare(dst); err != nil {
			return err
		}
		if in.i != len(s) {
			return &scanError{code: errcode.CannotParseText, msg: "cannot parse '" + string(s) + "'", at: in.i}
		}
		return nil
	}
	if dst.Type().IsString() || dst.Type().IsEnum() && !(p.i < len(p.b) && (p.b[p.i] == '-' || p.b[p.i] >= '0' && p.b[p.i] <= '9')) {
		return &scanError{code: errcode.CannotParseQuotedString, msg: "Cannot parse quoted string: expected opening quote", at: p.i}
	}
	if dst.Type().IsEnum() {
		j := p.i + 1
		for j < len(p.b) && p.b[j] >= '0' && p.b[j] <= '9' {
			j++
		}
		s := p.b[p.i:j]
		p.i = j
		return appendEnum(dst, s)
	}
	rest := p.rest()
	if k := dst.Type().Kind; k == DateTime || k == DateTime64 { // a Unix time, which ends before the next mark
		if end := bytes.IndexAny(rest, ",)]}: \t\n\r"); end >= 0 {
			rest = rest[:end]
		}
	}
	n, err := scanValue(dst, rest, p.mode)
	if err != nil {
		return err.(*scanError)
	}
	p.i += n
	return nil
}

func (p *valueParser) null() bool {
	if len(p.rest()) >= 4 && strings.EqualFold(string(p.b[p.i:p.i+4]), "NULL") {
		p.i += 4
		return true
	}
	return false
}

// quoted reads a string in quotes with backslash escapes; a doubled quote is one.
func (p *valueParser) quoted(q byte) ([]byte, *scanError) {
	p.i++
	start := p.i
	for j := p.i; j < len(p.b); j++ {
		switch p.b[j] {
		case '\\':
			return p.quotedSlow(q, start)
		case q:
			if j+1 < len(p.b) && p.b[j+1] == q {
				return p.quotedSlow(q, start)
			}
			p.i = j + 1
			return p.b[start:j], nil
		}
	}
	return nil, &scanError{code: errcode.CannotParseQuotedString, msg: "Cannot parse quoted string: expected closing quote", at: len(p.b)}
}

func (p *valueParser) quotedSlow(q byte, i int) ([]byte, *scanError) {
	var out []byte
	for i < len(p.b) {
		c := p.b[i]
		switch {
		case c == '\\' && i+1 < len(p.b):
			var n int
			out, n = appendUnescaped(out, p.b[i:])
			i += n
		case c == q && i+1 < len(p.b) && p.b[i+1] == q:
			out = append(out, q)
			i += 2
		case c == q:
			p.i = i + 1
			return out, nil
		default:
			out = append(out, c)
			i++
		}
	}
	return nil, &scanError{code: errcode.CannotParseQuotedString, msg: "Cannot parse quoted string: expected closing quote", at: len(p.b)}
}

// appendUnescaped reads one backslash escape at the head of s and returns how many bytes it took.
func appendUnescaped(out, s []byte) ([]byte, int) {
	switch c := s[1]; c {
	case 'x':
		if len(s) >= 4 {
			if v, err := strconv.ParseUint(string(s[2:4]), 16, 8); err == nil {
				return append(out, byte(v)), 4
			}
		}
		return append(out, 'x'), 2
	case 'N':
		return out, 2
	case 'e':
		return append(out, 0x1b), 2
	case 'n', 't', 'r', '0', 'b', 'f', 'a', 'v':
		return append(out, unescape(c)), 2
	case '\\', '\'', '"', '`', '/', '=', '\n':
		return append(out, c), 2
	default:
		return append(out, '\\', c), 2
	}
}

// unescapeTSV appends s with its backslash escapes resolved.
func unescapeTSV(out, s []byte) []byte {
	for i := 0; i < len(s); {
		if s[i] == '\\' && i+1 < len(s) {
			var n int
			out, n = appendUnescaped(out, s[i:])
			i += n
			continue
		}
		out = append(out, s[i])
		i++
	}
	return out
}

// list reads an array. A comma may stand behind its last element.
func (p *valueParser) list(x *Arr) *scanError {
	if !p.take('[') {
		return fail(errcode.CannotReadArrayFromText, "Array does not start with '[' character")
	}
	for first := true; !p.take(']'); first = false {
		if p.i == len(p.b) && !first {
			return fail(errcode.AttemptToReadAfterEof, "Attempt to read after eof")
		}
		if p.i == len(p.b) {
			return fail(errcode.CannotParseInputAssertionFailed, "Cannot parse input: expected ']' at end of stream")
		}
		at := p.i
		if err := p.value(x.Elem); err != nil {
			if x.Elem.Type().Base().IsInteger() && err.code != errcode.ValueIsOutOfRangeOfDataType && at < len(p.b) {
				return fail(errcode.CannotReadArrayFromText, "Cannot read array from text, expected comma or end of array, found '"+string(p.b[at:at+1])+"'")
			}
			return err
		}
		switch {
		case p.take(','):
		case p.i == len(p.b):
			return fail(errcode.CannotParseInputAssertionFailed, "Cannot parse input: expected ']' at end of stream")
		case p.b[p.i] != ']':
			return fail(errcode.CannotReadArrayFromText, "Cannot read array from text, expected comma or end of array, found '"+string(p.b[p.i:p.i+1])+"'")
		}
	}
	x.EndRow()
	return nil
}

func (p *valueParser) tuple(x *Tup) *scanError {
	if err := p.want('('); err != nil {
		return err
	}
	for k, e := range x.Elems {
		if k > 0 {
			if err := p.want(','); err != nil {
				return err
			}
		}
		if err := p.value(e); err != nil {
			return err
		}
	}
	if len(x.Elems) == 1 {
		p.take(',')
	}
	x.N++
	return p.want(')')
}

func (p *valueParser) mapping(x *MapColumn) *scanError {
	if err := p.want('{'); err != nil {
		return err
	}
	if !p.take('}') {
		for {
			if err := p.value(x.Keys()); err != nil {
				return err
			}
			if err := p.want(':'); err != nil {
				return err
			}
			if err := p.value(x.Values()); err != nil {
				return err
			}
			x.Arr.Elem.(*Tup).N++
			if p.take('}') {
				break
			}
			if err := p.want(','); err != nil {
				return err
			}
		}
	}
	x.Arr.EndRow()
	return nil
}
