package jsonl

import (
	"math"
	"strconv"
	"unsafe"

	"dictsvc/column"
	"dictsvc/errcode"
)

// value reads any JSON value into a column of any type. def stands for null where the column cannot hold NULL; nil is the type's default.
func (p *parser) value(dst, def column.Column, depth int) *rowError {
	if depth > maxDepth {
		return p.tooDeep()
	}
	p.space()
	if p.i == len(p.b) {
		return more
	}
	if p.b[p.i] == 'n' {
		start := p.i
		if err := p.word("null"); err != nil {
			return err
		}
		return p.null(dst, def, start)
	}
	switch c := dst.(type) {
	case *column.Null:
		if err := p.value(c.Inner, nil, depth+1); err != nil {
			return err
		}
		c.Nulls = append(c.Nulls, 0)
		return nil
	case *column.LowCard:
		one := p.one(c.T.Elems[0])
		one.Truncate(0)
		if err := p.value(one, nil, depth+1); err != nil {
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
		if c.T.Kind != column.AggregateFunction {
			return p.text(c)
		}
	}
	return p.scalar(dst)
}

// one returns a column of a type to read one value into.
func (p *parser) one(t *column.Type) column.Column {
	c := p.ones[t]
	if c == nil {
		c = column.New(t, 1)
		p.ones[t] = c
	}
	return c
}

func (p *parser) null(dst, def column.Column, start int) *rowError {
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
		return &rowError{at: start, code: errcode.CannotParseInputAssertionFailed, text: "want " + dst.Type().String() + ", got null"}
	}
	if def == nil {
		appendDefault(dst)
		return nil
	}
	dst.AppendRange(def, 0, 1)
	return nil
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

// scalar reads a value of a type that is no String and has no parts.
func (p *parser) scalar(dst column.Column) *rowError {
	start := p.i
	switch p.b[p.i] {
	case '"':
		s, err := p.str()
		if err != nil {
			return err
		}
		if code := fromText(dst, s); code != 0 {
			return p.wrong(dst.Type(), start, code)
		}
		return nil
	case '{', '[':
		if err := p.skip(0); err != nil {
			return err
		}
		code := errcode.CannotParseInputAssertionFailed
		if dst.Type().Kind == column.FixedString {
			code = errcode.CannotParseQuotedString
		}
		return p.wrong(dst.Type(), start, code)
	}
	t, err := p.token()
	if err != nil {
		return err
	}
	if code := fromNumber(dst, t); code != 0 {
		return p.wrong(dst.Type(), start, code)
	}
	return nil
}

// wrong says that the value from start to the place in hand does not fit a type.
func (p *parser) wrong(t *column.Type, start int, code errcode.Code) *rowError {
	text := "want " + t.String() + ", got " + shown(p.b[start:p.i])
	if p.i == start {
		text = "want " + t.String() + ", got " + p.here()
	}
	if code == errcode.ValueIsOutOfRangeOfDataType {
		text += ", which is out of range"
	}
	return &rowError{at: start, code: code, text: text}
}

// fromText appends the value that a string holds; a code other than 0 says why it cannot.
func fromText(dst column.Column, s []byte) errcode.Code {
	t := dst.Type()
	switch {
	case t.IsInteger() && t.Kind != column.Bool, t.IsFloat(), t.IsDecimal():
		if len(s) == 0 && !t.IsFloat() {
			dst.AppendDefault(1)
			return 0
		}
		return number(dst, s)
	case t.Kind == column.Bool:
		return errcode.CannotParseBool
	case t.Kind == column.DateTime || t.Kind == column.DateTime64:
		return dateTime(dst, s)
	case t.Kind == column.Date || t.Kind == column.Date32:
		if len(s) > 0 && len(s) < 8 || !calendar(s) {
			return errcode.CannotParseDate
		}
	}
	return parse(dst, s)
}

// calendar tells whether the month and the day of YYYY-MM-DD are numbers that months and days have; other texts are left to the parser.
// ClickHouse makes 1970-01-01 of a thirteenth month.
func calendar(s []byte) bool {
	part, values := 0, [3]int{}
	for _, c := range s[:min(len(s), 10)] {
		if c-'0' <= 9 {
			values[part] = values[part]*10 + int(c-'0')
		} else if part++; part > 2 {
			return true
		}
	}
	return part < 2 || values[1] <= 12 && values[2] <= 31
}

func parse(dst column.Column, s []byte) errcode.Code {
	err := column.ParseTextStrict(dst, s, column.TextRaw)
	switch code := errcode.Of(err); {
	case err == nil:
		return 0
	case code == errcode.CannotParseText:
		return errcode.CannotParseInputAssertionFailed
	case code == errcode.AttemptToReadAfterEof:
		return emptyCode(dst.Type())
	default:
		return code
	}
}

// emptyCode is the error for an empty string.
func emptyCode(t *column.Type) errcode.Code {
	switch t.Kind {
	case column.Date, column.Date32:
		return errcode.CannotParseDate
	case column.UUID:
		return errcode.CannotParseUUID
	case column.IPv4:
		return errcode.CannotParseIPv4
	case column.IPv6:
		return errcode.CannotParseIPv6
	}
	return errcode.CannotParseNumber
}

// fromNumber appends the value of a number, true or false (or of what stands there without quotes).
func fromNumber(dst column.Column, s []byte) errcode.Code {
	t := dst.Type()
	switch {
	case len(s) == 0:
		return errcode.CannotParseInputAssertionFailed
	case t.Kind == column.Bool:
		switch string(s) {
		case "true", "1":
			appendBits(dst, 1)
		case "false", "0":
			appendBits(dst, 0)
		default:
			if s[0]-'0' <= 1 || s[0] == 't' || s[0] == 'f' {
				return errcode.CannotParseInputAssertionFailed
			}
			return errcode.CannotParseBool
		}
		return 0
	case t.IsInteger(), t.IsFloat(), t.IsDecimal():
		return number(dst, s)
	case t.Kind == column.Date:
		return days(dst, s, 0, math.MaxUint16)
	case t.Kind == column.Date32:
		return days(dst, s, -25567, 120529)
	case t.Kind == column.DateTime:
		return days(dst, s, 0, math.MaxUint32)
	case t.Kind == column.DateTime64:
		return days(dst, s, math.MinInt64, math.MaxInt64)
	case t.IsEnum():
		for _, c := range s {
			if c != '-' && c-'0' > 9 {
				if s[0] == 't' || s[0] == 'f' {
					return errcode.UnknownElementOfEnum
				}
				return errcode.CannotParseInputAssertionFailed
			}
		}
		v, err := strconv.ParseInt(string(s), 10, 16)
		if _, ok := t.Enum.Name(int16(v)); err != nil || !ok {
			return errcode.UnknownElementOfEnum
		}
		appendBits(dst, v)
		return 0
	case t.Kind == column.FixedString:
		return errcode.CannotParseQuotedString
	}
	return errcode.CannotParseInputAssertionFailed
}

// days appends a date or time given as a number in the type's own unit: days, seconds, or ticks.
func days(dst column.Column, s []byte, low, high int64) errcode.Code {
	if k := dst.Type().Kind; k == column.Date || k == column.Date32 {
		switch string(s) {
		case "true":
			s = []byte{'1'}
		case "false":
			s = []byte{'0'}
		}
	}
	v, err := strconv.ParseInt(string(s), 10, 64)
	if e, ok := err.(*strconv.NumError); ok && e.Err == strconv.ErrSyntax {
		return errcode.CannotParseInputAssertionFailed
	}
	if err != nil || v < low || v > high {
		if v < 0 && low == 0 {
			return errcode.CannotParseNumber
		}
		return errcode.ValueIsOutOfRangeOfDataType
	}
	appendBits(dst, v)
	return 0
}

func appendBits(dst column.Column, v int64) {
	switch x := dst.(type) {
	case *column.Num[uint8]:
		x.Data = append(x.Data, uint8(v))
	case *column.Num[uint16]:
		x.Data = append(x.Data, uint16(v))
	case *column.Num[uint32]:
		x.Data = append(x.Data, uint32(v))
	case *column.Num[int8]:
		x.Data = append(x.Data, int8(v))
	case *column.Num[int16]:
		x.Data = append(x.Data, int16(v))
	case *column.Num[int32]:
		x.Data = append(x.Data, int32(v))
	case *column.Num[int64]:
		x.Data = append(x.Data, v)
	}
}

// number appends an integer, float or decimal.
func number(dst column.Column, s []byte) errcode.Code {
	t := dst.Type()
	if c := s; len(c) >= 4 && len(c) <= 5 && !t.IsDecimal() {
		switch string(c) {
		case "true":
			s = []byte{'1'}
		case "false":
			s = []byte{'0'}
		}
	}
	switch {
	case t.IsFloat():
		return float(dst, s)
	case t.IsUnsigned() && len(s) > 0 && s[0] == '-':
		return errcode.CannotParseNumber
	case t.Kind == column.Int128 || t.Kind == column.UInt128 || t.Kind == column.Int256 || t.Kind == column.UInt256:
		if !wideFits(t.Kind, s) {
			return errcode.ValueIsOutOfRangeOfDataType
		}
	case t.IsDecimal() && len(s) > 0 && s[0]|0x20 >= 'a':
		return errcode.CannotParseInputAssertionFailed
	}
	switch code := parse(dst, s); code {
	case errcode.CannotParseNumber:
		return errcode.CannotParseInputAssertionFailed
	default:
		return code
	}
}

// wideFits tells whether an integer of 128 or 256 bits is in range; what is none is left to the parser.
func wideFits(k column.Kind, s []byte) bool {
	neg := len(s) > 0 && s[0] == '-'
	if len(s) > 0 && (neg || s[0] == '+') {
		s = s[1:]
	}
	for len(s) > 0 && s[0] == '0' {
		s = s[1:]
	}
	for _, c := range s {
		if c-'0' > 9 {
			return true
		}
	}
	limit := map[column.Kind]string{
		column.UInt128: "340282366920938463463374607431768211455",
		column.Int128:  "170141183460469231731687303715884105727",
		column.UInt256: "115792089237316195423570985008687907853269984665640564039457584007913129639935",
		column.Int256:  "57896044618658097711785492504343953926634992332820282019728792003956564819967",
	}[k]
	if neg { // one more
		limit = limit[:len(limit)-1] + string(limit[len(limit)-1]+1)
	}
	return len(s) < len(limit) || len(s) == len(limit) && string(s) <= limit
}

func float(dst column.Column, s []byte) errcode.Code {
	if len(s) == 0 {
		return errcode.CannotParseNumber
	}
	if c := s[len(s)-1]; c-'0' <= 9 && isNumber(s) { // strconv takes more than ClickHouse: 1_000, 0x1p4
		if c, ok := dst.(*column.Num[float64]); ok {
			f, err := strconv.ParseFloat(unsafe.String(unsafe.SliceData(s), len(s)), 64)
			if err == nil || math.IsInf(f, 0) {
				c.Data = append(c.Data, f)
				return 0
			}
		}
	}
	switch c := s[0]; {
	case c == '.' || c == '-' || c == '+' || c-'0' <= 9 || c|0x20 == 'i' || c|0x20 == 'n':
		return parse(dst, s)
	}
	return errcode.CannotParseNumber
}
