package column

import (
	"bytes"
	"math"
	"strconv"
	"strings"
	"time"
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
	p := valueParser{b: b, style: style, strict: strict}
	err := p.top(dst)
	if err == nil && p.i != len(b) {
		err = &scanError{code: errcode.CannotParseText, at: p.i}
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
	b      []byte
	i      int
	style  TextStyle
	strict bool
	depth  int
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
	n, err := ScanValue(dst, p.rest(), p.strict)
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
		in := valueParser{b: s, style: TextRaw, strict: p.strict}
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
	n, err := ScanValue(dst, p.rest(), p.strict)
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
	case '\\', '\'', '"', '`', '/', '=':
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

func (p *valueParser) list(x *Arr) *scanError {
	if err := p.want('['); err != nil {
		return err
	}
	if !p.take(']') {
		for {
			if err := p.value(x.Elem); err != nil {
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

// ScanValue reads a number, date, time, UUID or address at the head of b, appends it to dst and returns the bytes it took.
// The error carries ClickHouse's code. dst must be a column of such a type (not a string, not a composite).
func ScanValue(dst Column, b []byte, strict bool) (n int, err error) {
	t := dst.Type()
	var e *scanError
	switch x := dst.(type) {
	case *Num[uint8]:
		if t.Kind == Bool {
			return scanBool(x, b)
		}
		return scanUnsigned(x, b, 8, strict)
	case *Num[uint16]:
		if t.Kind == Date {
			return scanDate(b, func(days int64) { x.Data = append(x.Data, uint16(min(max(days, 0), math.MaxUint16))) })
		}
		return scanUnsigned(x, b, 16, strict)
	case *Num[uint32]:
		switch t.Kind {
		case DateTime:
			sec, _, n, err := scanTime(b, t.Location(), 0)
			if err != nil {
				return 0, err
			}
			x.Data = append(x.Data, uint32(min(max(sec, 0), math.MaxUint32)))
			return n, nil
		case IPv4:
			v, n, ok := scanIPv4(b)
			if !ok {
				return 0, fail(errcode.CannotParseIPv4, "Cannot parse IPv4 "+string(b[:min(len(b), 50)]))
			}
			x.Data = append(x.Data, v)
			return n, nil
		}
		return scanUnsigned(x, b, 32, strict)
	case *Num[uint64]:
		return scanUnsigned(x, b, 64, strict)
	case *Num[int8]:
		return scanSigned(x, b, 8, strict)
	case *Num[int16]:
		return scanSigned(x, b, 16, strict)
	case *Num[int32]:
		switch t.Kind {
		case Date32:
			return scanDate(b, func(days int64) { x.Data = append(x.Data, int32(min(max(days, -25567), 120529))) })
		case Decimal32:
			var v I256
			if v, n, e = scanDecimal(b, t); e == nil {
				x.Data = append(x.Data, int32(v.W[0]))
			}
			return n, asError(e)
		}
		return scanSigned(x, b, 32, strict)
	case *Num[int64]:
		switch t.Kind {
		case Decimal64:
			var v I256
			if v, n, e = scanDecimal(b, t); e == nil {
				x.Data = append(x.Data, int64(v.W[0]))
			}
			return n, asError(e)
		case DateTime64:
			sec, frac, n, err := scanTime(b, t.Location(), t.Scale)
			if err != nil {
				return 0, err
			}
			if sec < firstSecond || sec > lastSecond { // 1900-01-01 to 2299-12-31
				sec, frac = min(max(sec, firstSecond), lastSecond), 0
			}
			x.Data = append(x.Data, sec*pow10[t.Scale]+frac)
			return n, nil
		}
		return scanSigned(x, b, 64, strict)
	case *Num[float32]:
		f, n, err := scanFloat(b, 32)
		if err != nil {
			return 0, err
		}
		x.Data = append(x.Data, float32(f))
		return n, nil
	case *Num[float64]:
		f, n, err := scanFloat(b, 64)
		if err != nil {
			return 0, err
		}
		x.Data = append(x.Data, f)
		return n, nil
	case *Wide[I128]:
		var v I256
		if v, n, e = scanWide(b, t); e == nil {
			x.Data = append(x.Data, v.Cut128())
		}
		return n, asError(e)
	case *Wide[U128]:
		var v I256
		if v, n, e = scanWide(b, t); e == nil {
			x.Data = append(x.Data, v.CutU128())
		}
		return n, asError(e)
	case *Wide[I256]:
		var v I256
		if v, n, e = scanWide(b, t); e == nil {
			x.Data = append(x.Data, v)
		}
		return n, asError(e)
	case *Wide[U256]:
		var v I256
		if v, n, e = scanWide(b, t); e == nil {
			x.Data = append(x.Data, U256(v))
		}
		return n, asError(e)
	case *Wide[UUIDValue]:
		v, n, ok := scanUUID(b)
		if !ok {
			return 0, fail(errcode.CannotParseUUID, "Cannot parse uuid "+string(b[:min(len(b), 50)]))
		}
		x.Data = append(x.Data, v)
		return n, nil
	case *Wide[IPv6Value]:
		v, n, ok := scanIPv6(b)
		if !ok {
			return 0, fail(errcode.CannotParseIPv6, "Cannot parse IPv6 "+string(b[:min(len(b), 50)]))
		}
		x.Data = append(x.Data, v)
		return n, nil
	}
	return 0, fail(errcode.NotImplemented, "type "+t.String()+" cannot be read from text")
}

// asError keeps a nil *scanError from becoming a non-nil error.
func asError(e *scanError) error {
	if e == nil {
		return nil
	}
	return e
}

func scanUnsigned[T Number](x *Num[T], b []byte, width uint, strict bool) (int, error) {
	i := 0
	if len(b) > 0 && b[0] == '+' {
		i++
	}
	if len(b) > 0 && b[0] == '-' {
		if strict {
			return 0, outOfRange(b, x.T)
		}
		return 0, fail(errcode.CannotParseNumber, "Unsigned type must not contain '-' symbol")
	}
	start := i
	var v uint64
	over := false
	for ; i < len(b); i++ {
		d := b[i] - '0'
		if d > 9 {
			break
		}
		if v > (math.MaxUint64-uint64(d))/10 {
			over = true
		}
		v = v*10 + uint64(d)
	}
	if i == start {
		return 0, &scanError{code: errcode.CannotParseNumber}
	}
	if strict && (over || width < 64 && v>>width != 0) {
		return 0, outOfRange(b[:i], x.T)
	}
	x.Data = append(x.Data, T(v))
	return i, nil
}

func outOfRange(b []byte, t *Type) *scanError {
	return fail(errcode.ValueIsOutOfRangeOfDataType, "value "+string(b[:min(len(b), 60)])+" is out of range of "+t.String())
}

func scanSigned[T Number](x *Num[T], b []byte, width uint, strict bool) (int, error) {
	i := 0
	neg := false
	if len(b) > 0 && (b[0] == '-' || b[0] == '+') {
		neg = b[0] == '-'
		i++
	}
	start := i
	var v uint64
	over := false
	for ; i < len(b); i++ {
		d := b[i] - '0'
		if d > 9 {
			break
		}
		if v > (math.MaxUint64-uint64(d))/10 {
			over = true
		}
		v = v*10 + uint64(d)
	}
	if i == start {
		return 0, &scanError{code: errcode.CannotParseNumber}
	}
	limit := uint64(1)<<(width-1) - 1
	if neg {
		limit++
	}
	if strict && (over || v > limit) {
		return 0, outOfRange(b[:i], x.T)
	}
	s := int64(v)
	if neg {
		s = -s
	}
	x.Data = append(x.Data, T(s))
	return i, nil
}

func scanBool(x *Num[uint8], b []byte) (int, error) {
	n := 0
	for n < len(b) && (wordByte(b[n])) {
		n++
	}
	switch strings.ToLower(string(b[:min(n, 10)])) {
	case "true", "t", "y", "yes", "on", "enable", "enabled", "1":
		x.Data = append(x.Data, 1)
	case "false", "f", "n", "no", "off", "disable", "disabled", "0":
		x.Data = append(x.Data, 0)
	default:
		return 0, fail(errcode.CannotParseBool, "Cannot parse boolean value here: '"+string(b[:min(len(b), 60)])+"', should be 'true' or 'false' controlled by setting bool_true_representation and bool_false_representation or one of True/False/T/F/Y/N/Yes/No/On/Off/Enable/Disable/Enabled/Disabled/1/0")
	}
	return n, nil
}

// scanFloat reads a float; short ones exactly by one multiplication or division, the rest through strconv.
func scanFloat(b []byte, size int) (float64, int, error) {
	i := 0
	neg := false
	if i < len(b) && (b[i] == '-' || b[i] == '+') {
		neg = b[i] == '-'
		i++
	}
	start := i
	var mant uint64
	digits, point := 0, -1
	for ; i < len(b); i++ {
		c := b[i]
		if c == '.' && point < 0 {
			point = i
			continue
		}
		if c < '0' || c > '9' {
			break
		}
		digits++
		if digits <= 19 {
			mant = mant*10 + uint64(c-'0')
		}
	}
	if digits == 0 {
		return scanFloatWord(b, start, neg)
	}
	frac := 0
	if point >= 0 {
		frac = i - point - 1
	}
	end := i
	exp := 0
	if i < len(b) && (b[i] == 'e' || b[i] == 'E') {
		j := i + 1
		if j < len(b) && (b[j] == '-' || b[j] == '+') {
			j++
		}
		k := j
		for k < len(b) && b[k] >= '0' && b[k] <= '9' {
			k++
		}
		if k > j {
			end = k
			exp, _ = strconv.Atoi(string(b[i+1 : min(k, i+8)]))
		}
	}
	if p := exp - frac; digits <= 15 && p >= -22 && p <= 22 && size == 64 {
		f := float64(mant)
		if p < 0 {
			f /= float64pow10[-p]
		} else {
			f *= float64pow10[p]
		}
		if neg {
			f = -f
		}
		return f, end, nil
	}
	f, err := strconv.ParseFloat(string(b[:end]), size)
	if err != nil && !math.IsInf(f, 0) {
		return 0, 0, fail(errcode.CannotParseNumber, "Cannot read floating point value here: "+string(b[:min(len(b), 60)]))
	}
	return f, end, nil
}

var float64pow10 = [23]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

func scanFloatWord(b []byte, i int, neg bool) (float64, int, error) {
	for _, w := range [...]struct {
		text string
		v    float64
	}{{"infinity", math.Inf(1)}, {"inf", math.Inf(1)}, {"nan", math.NaN()}} {
		if len(b)-i >= len(w.text) && strings.EqualFold(string(b[i:i+len(w.text)]), w.text) {
			if neg {
				return -w.v, i + len(w.text), nil
			}
			return w.v, i + len(w.text), nil
		}
	}
	if len(b) == 0 {
		return 0, 0, &scanError{code: errcode.AttemptToReadAfterEof}
	}
	return 0, 0, fail(errcode.CannotParseNumber, "Cannot read floating point value here: "+string(b[:min(len(b), 60)]))
}

// scanWide reads a wide integer or a decimal of 128 and 256 bits.
func scanWide(b []byte, t *Type) (I256, int, *scanError) {
	if t.IsDecimal() {
		return scanDecimal(b, t)
	}
	i := 0
	neg := false
	if len(b) > 0 && (b[0] == '-' || b[0] == '+') {
		neg = b[0] == '-'
		i++
		if neg && t.IsUnsigned() {
			return I256{}, 0, fail(errcode.CannotParseNumber, "Unsigned type must not contain '-' symbol")
		}
	}
	start := i
	var v I256
	ten := WideUint(10)
	for ; i < len(b) && b[i] >= '0' && b[i] <= '9'; i++ {
		v = v.Mul(ten).Add(WideUint(uint64(b[i] - '0')))
	}
	if i == start {
		return v, 0, &scanError{code: errcode.CannotParseNumber}
	}
	if neg {
		v = v.Negate()
	}
	return v, i, nil
}

// scanDecimal reads a decimal; digits beyond the scale are cut off, too many before the point are error 69.
func scanDecimal(b []byte, t *Type) (v I256, n int, err *scanError) {
	i := 0
	neg := false
	if len(b) > 0 && (b[0] == '-' || b[0] == '+') {
		neg = b[0] == '-'
		i++
	}
	var digits []byte
	var buf [100]byte
	digits = buf[:0]
	any := false
	point := 0 // digits behind the point so far
	seen := false
	for ; i < len(b); i++ {
		c := b[i]
		if c == '.' && !seen {
			seen = true
			continue
		}
		if c < '0' || c > '9' {
			break
		}
		any = true
		if seen {
			point++
		}
		if len(digits) == 0 && c == '0' {
			continue
		}
		if len(digits) < 90 {
			digits = append(digits, c)
		} else if !seen {
			return v, 0, fail(errcode.ArgumentOutOfBound, "Too many digits in decimal value")
		} else {
			point-- // too far behind the point to matter
		}
	}
	if !any {
		return v, 0, &scanError{code: errcode.CannotParseNumber}
	}
	if i < len(b) && (b[i] == 'e' || b[i] == 'E') {
		j := i + 1
		if j < len(b) && (b[j] == '-' || b[j] == '+') {
			j++
		}
		k := j
		for k < len(b) && b[k] >= '0' && b[k] <= '9' {
			k++
		}
		if k > j {
			e, _ := strconv.Atoi(string(b[i+1 : min(k, i+6)]))
			point -= e
			i = k
		}
	}
	if whole := len(digits) - point; whole > t.Precision-t.Scale && len(digits) > 0 && whole+t.Scale > t.Precision {
		return v, 0, fail(errcode.ArgumentOutOfBound, "Too many digits ("+strconv.Itoa(whole)+" > "+strconv.Itoa(t.Precision)+") in decimal value")
	}
	cut := point - t.Scale
	if cut > 0 {
		digits = digits[:max(0, len(digits)-cut)]
	}
	ten := WideUint(10)
	for _, c := range digits {
		v = v.Mul(ten).Add(WideUint(uint64(c - '0')))
	}
	if cut < 0 {
		v = v.Mul(Pow10(min(-cut, 76)))
	}
	if neg {
		v = v.Negate()
	}
	return v, i, nil
}

// The seconds that a DateTime64 can hold: 1900-01-01 00:00:00 to 2299-12-31 23:59:59.
const (
	firstSecond = -2208988800
	lastSecond  = 10413791999
)

func number(b []byte, i, most int) (v, next int) {
	for next = i; next < len(b) && next < i+most && b[next] >= '0' && b[next] <= '9'; next++ {
		v = v*10 + int(b[next]-'0')
	}
	return v, next
}

// scanYMD reads YYYY-MM-DD (one-digit month and day too) or YYYYMMDD.
func scanYMD(b []byte) (days int64, n int, ok bool) {
	y, i := number(b, 0, 4)
	if i != 4 || len(b) < 8 {
		return 0, 0, false
	}
	if b[4] >= '0' && b[4] <= '9' {
		m, j := number(b, 4, 2)
		d, k := number(b, 6, 2)
		if j != 6 || k != 8 {
			return 0, 0, false
		}
		return Days(y, m, d), 8, true
	}
	m, j := number(b, 5, 2)
	if j == 5 || j >= len(b) {
		return 0, 0, false
	}
	d, k := number(b, j+1, 2)
	if k == j+1 {
		return 0, 0, false
	}
	return Days(y, m, d), k, true
}

func scanDate(b []byte, put func(days int64)) (int, error) {
	days, n, ok := scanYMD(b)
	if !ok {
		if len(b) < 8 {
			return 0, fail(errcode.CannotParseDate, "Cannot parse date: value is too short")
		}
		return 0, fail(errcode.CannotParseDate, "Cannot parse date here: "+string(b[:min(len(b), 50)]))
	}
	put(days)
	return n, nil
}

// scanTime reads YYYY-MM-DD[ T]hh:mm:ss[.fraction][Z], a date alone, or a Unix time (with a fraction); frac is in units of 10^-scale.
func scanTime(b []byte, loc *time.Location, scale int) (sec, frac int64, n int, err error) {
	i := 0
	if i < len(b) && b[i] == '-' {
		i++
	}
	for i < len(b) && b[i] >= '0' && b[i] <= '9' {
		i++
	}
	if i > 0 && (i == len(b) || b[i] == '.' || b[i] == ',' || b[i] == ')' || b[i] == ']' || b[i] == '\t' || b[i] == '\n') && !(i == 4 && i < len(b) && b[i] == '.') {
		if i == 8 || i == 14 { // YYYYMMDD and YYYYMMDDhhmmss
			if days, _, ok := scanYMD(b); ok && i == 8 {
				return localSeconds(days*86400, loc), 0, 8, nil
			}
			if days, _, ok := scanYMD(b); ok {
				h, _ := number(b, 8, 2)
				m, _ := number(b, 10, 2)
				s, _ := number(b, 12, 2)
				return localSeconds(days*86400+int64(h*3600+m*60+s), loc), 0, 14, nil
			}
		}
		v, perr := strconv.ParseInt(string(b[:i]), 10, 64)
		if perr != nil {
			return 0, 0, 0, fail(errcode.CannotParseDatetime, "Cannot parse DateTime here: "+string(b[:min(len(b), 50)]))
		}
		frac, i = fraction(b, i, scale)
		return v, frac, i, nil
	}
	days, i, ok := scanYMD(b)
	if !ok {
		return 0, 0, 0, fail(errcode.CannotParseDatetime, "Cannot parse DateTime here: "+string(b[:min(len(b), 50)]))
	}
	sec = days * 86400
	if i+1 < len(b) && (b[i] == ' ' || b[i] == 'T') && b[i+1] >= '0' && b[i+1] <= '9' {
		h, j := number(b, i+1, 2)
		if j >= len(b) || b[j] != ':' {
			return 0, 0, 0, fail(errcode.CannotParseDatetime, "Cannot parse DateTime here: "+string(b[:min(len(b), 50)]))
		}
		m, k := number(b, j+1, 2)
		s := 0
		if k < len(b) && b[k] == ':' {
			s, k = number(b, k+1, 2)
		}
		sec += int64(h*3600 + m*60 + s)
		i = k
	}
	frac, i = fraction(b, i, scale)
	if i < len(b) && b[i] == 'Z' {
		return sec, frac, i + 1, nil
	}
	return localSeconds(sec, loc), frac, i, nil
}

func fraction(b []byte, i, scale int) (int64, int) {
	if i >= len(b) || b[i] != '.' || i+1 >= len(b) || b[i+1] < '0' || b[i+1] > '9' {
		return 0, i
	}
	i++
	var v int64
	k := 0
	for ; i < len(b) && b[i] >= '0' && b[i] <= '9'; i++ {
		if k < scale {
			v = v*10 + int64(b[i]-'0')
			k++
		}
	}
	return v * pow10[scale-k], i
}

// localSeconds turns seconds of wall-clock time since 1970-01-01 in a zone into Unix time.
func localSeconds(wall int64, loc *time.Location) int64 {
	if loc == time.UTC {
		return wall
	}
	days := floorDiv(wall, 86400)
	y, m, d := civil(days)
	s := int(wall - days*86400)
	return time.Date(y, time.Month(m), d, s/3600, s/60%60, s%60, 0, loc).Unix()
}

func scanIPv4(b []byte) (v uint32, n int, ok bool) {
	i := 0
	for k := 0; k < 4; k++ {
		if k > 0 {
			if i >= len(b) || b[i] != '.' {
				return 0, 0, false
			}
			i++
		}
		d, j := number(b, i, 3)
		if j == i || d > 255 {
			return 0, 0, false
		}
		v = v<<8 | uint32(d)
		i = j
	}
	return v, i, true
}

func scanIPv6(b []byte) (v IPv6Value, n int, ok bool) {
	end := 0
	for end < len(b) && (b[end] == ':' || b[end] == '.' || wordByte(b[end])) {
		end++
	}
	s := b[:end]
	if v4, k, ok := scanIPv4(s); ok && k == end { // plain IPv4 is taken as mapped
		v[10], v[11] = 0xff, 0xff
		v[12], v[13], v[14], v[15] = byte(v4>>24), byte(v4>>16), byte(v4>>8), byte(v4)
		return v, end, true
	}
	var groups [8]uint16
	count, gap := 0, -1
	i := 0
	if len(s) >= 2 && s[0] == ':' && s[1] == ':' {
		gap, i = 0, 2
	}
	for i < len(s) {
		if count == 8 {
			return v, 0, false
		}
		j := i
		x := 0
		for j < len(s) && j < i+5 {
			c := s[j] | 0x20
			switch {
			case s[j] >= '0' && s[j] <= '9':
				x = x<<4 | int(s[j]-'0')
			case c >= 'a' && c <= 'f':
				x = x<<4 | int(c-'a'+10)
			default:
				goto group
			}
			j++
		}
	group:
		if j < len(s) && s[j] == '.' {
			v4, k, ok := scanIPv4(s[i:])
			if !ok || count > 6 || i+k != len(s) {
				return v, 0, false
			}
			groups[count], groups[count+1] = uint16(v4>>16), uint16(v4)
			count += 2
			i += k
			break
		}
		if j == i || j-i > 4 {
			return v, 0, false
		}
		groups[count] = uint16(x)
		count++
		i = j
		if i == len(s) {
			break
		}
		if s[i] != ':' {
			return v, 0, false
		}
		i++
		if i < len(s) && s[i] == ':' {
			if gap >= 0 {
				return v, 0, false
			}
			gap = count
			i++
		} else if i == len(s) {
			return v, 0, false
		}
	}
	if gap < 0 && count != 8 || gap >= 0 && count > 7 {
		return v, 0, false
	}
	if gap >= 0 {
		tail := count - gap
		copy(groups[8-tail:], groups[gap:count])
		for k := gap; k < 8-tail; k++ {
			groups[k] = 0
		}
	}
	for k, g := range groups {
		v[2*k], v[2*k+1] = byte(g>>8), byte(g)
	}
	return v, end, true
}

func scanUUID(b []byte) (u UUIDValue, n int, ok bool) {
	digits := 0
	i := 0
	for ; i < len(b) && digits < 32; i++ {
		c := b[i]
		var x byte
		switch {
		case c >= '0' && c <= '9':
			x = c - '0'
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			x = (c | 0x20) - 'a' + 10
		case c == '-' && (i == 8 || i == 13 || i == 18 || i == 23):
			continue
		default:
			return u, 0, false
		}
		if digits < 16 {
			u.Hi = u.Hi<<4 | uint64(x)
		} else {
			u.Lo = u.Lo<<4 | uint64(x)
		}
		digits++
	}
	return u, i, digits == 32
}
