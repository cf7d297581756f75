package column

import (
	"math"
	"strconv"
	"time"
	"unicode/utf8"
	"unsafe"
)

// TextStyle is a way of writing values as text.
type TextStyle uint8

const (
	// TextRaw is what toString gives: nothing is escaped, strings inside arrays, tuples and maps are quoted.
	TextRaw TextStyle = iota
	// TextTSV escapes tabs, newlines and backslashes; NULL is \N.
	TextTSV
	// TextQuoted writes SQL literals: strings and dates in single quotes; NULL is NULL.
	TextQuoted
	// TextCSV puts strings and dates in double quotes; NULL is \N.
	TextCSV
	// TextJSON writes JSON values.
	TextJSON
	// TextJSONQuoted is TextJSON with integers of 64 bits and more in quotes, as ClickHouse's JSON formats had it once.
	TextJSONQuoted
)

func appendUint(buf []byte, v uint64) []byte { return strconv.AppendUint(buf, v, 10) }

// AppendText appends row i of c in a style.
func AppendText(buf []byte, c Column, i int, style TextStyle) []byte {
	switch x := c.(type) {
	case *Const:
		return AppendText(buf, x.Val, 0, style)
	case *LowCard:
		return AppendText(buf, x.Dict, int(x.Index[i]), style)
	case *Null:
		if x.Nulls[i] != 0 {
			return appendNull(buf, style)
		}
		return AppendText(buf, x.Inner, i, style)
	case *NothingColumn:
		return appendNull(buf, style)
	case *Str:
		return appendString(buf, x.At(i), style)
	case *FixedStr:
		return appendString(buf, x.At(i), style)
	case *Arr:
		return appendArray(buf, x, i, style)
	case *Tup:
		return appendTuple(buf, x, i, style)
	case *MapColumn:
		return appendMap(buf, x, i, style)
	case *Num[float32]:
		return appendFloatStyle(buf, float64(x.Data[i]), 32, style)
	case *Num[float64]:
		return appendFloatStyle(buf, x.Data[i], 64, style)
	}
	t := c.Type()
	switch t.Kind {
	case Date, Date32, DateTime, DateTime64, UUID, IPv4, IPv6:
		if style != TextRaw && style != TextTSV {
			q := byte('\'')
			if style != TextQuoted {
				q = '"'
			}
			buf = append(buf, q)
			return append(appendScalar(buf, c, i), q)
		}
	case Enum8, Enum16:
		name, _ := t.Enum.Name(enumAt(c, i))
		return appendString(buf, unsafe.Slice(unsafe.StringData(name), len(name)), style)
	case UInt64, Int64, UInt128, Int128, UInt256, Int256, Decimal128, Decimal256:
		if style == TextJSONQuoted {
			buf = append(buf, '"')
			return append(appendScalar(buf, c, i), '"')
		}
	}
	return appendScalar(buf, c, i)
}

func enumAt(c Column, i int) int16 {
	if x, ok := c.(*Num[int8]); ok {
		return int16(x.Data[i])
	}
	return c.(*Num[int16]).Data[i]
}

func appendNull(buf []byte, style TextStyle) []byte {
	switch style {
	case TextQuoted, TextRaw:
		return append(buf, "NULL"...)
	case TextJSON, TextJSONQuoted:
		return append(buf, "null"...)
	}
	return append(buf, `\N`...)
}

// appendScalar writes numbers, dates and addresses bare.
func appendScalar(buf []byte, c Column, i int) []byte {
	t := c.Type()
	switch x := c.(type) {
	case *Num[uint8]:
		if t.Kind == Bool {
			return strconv.AppendBool(buf, x.Data[i] != 0)
		}
		return appendUint(buf, uint64(x.Data[i]))
	case *Num[uint16]:
		if t.Kind == Date {
			return appendDate(buf, int64(x.Data[i]))
		}
		return appendUint(buf, uint64(x.Data[i]))
	case *Num[uint32]:
		switch t.Kind {
		case DateTime:
			return appendDateTime(buf, int64(x.Data[i]), t.Location())
		case IPv4:
			return appendIPv4(buf, x.Data[i])
		}
		return appendUint(buf, uint64(x.Data[i]))
	case *Num[uint64]:
		return appendUint(buf, x.Data[i])
	case *Num[int8]:
		return strconv.AppendInt(buf, int64(x.Data[i]), 10)
	case *Num[int16]:
		return strconv.AppendInt(buf, int64(x.Data[i]), 10)
	case *Num[int32]:
		switch t.Kind {
		case Date32:
			return appendDate(buf, int64(x.Data[i]))
		case Decimal32:
			return appendDecimal(buf, WideInt(int64(x.Data[i])), t.Scale)
		}
		return strconv.AppendInt(buf, int64(x.Data[i]), 10)
	case *Num[int64]:
		switch t.Kind {
		case DateTime64:
			return appendDateTime64(buf, x.Data[i], t.Scale, t.Location())
		case Decimal64:
			return appendDecimal(buf, WideInt(x.Data[i]), t.Scale)
		}
		return strconv.AppendInt(buf, x.Data[i], 10)
	case *Wide[I128]:
		return appendDecimal(buf, x.Data[i].Widen(), t.Scale)
	case *Wide[U128]:
		return x.Data[i].Widen().AppendDecimal(buf, true)
	case *Wide[I256]:
		return appendDecimal(buf, x.Data[i], t.Scale)
	case *Wide[U256]:
		return I256(x.Data[i]).AppendDecimal(buf, true)
	case *Wide[UUIDValue]:
		return appendUUID(buf, x.Data[i])
	case *Wide[IPv6Value]:
		return appendIPv6(buf, x.Data[i])
	}
	panic("column: no text of type " + t.String())
}

// appendDecimal writes an integer with scale digits behind the point, trailing zeros left out.
func appendDecimal(buf []byte, v I256, scale int) []byte {
	if scale == 0 {
		return v.AppendDecimal(buf, false)
	}
	if v.Neg() {
		buf = append(buf, '-')
		v = v.Negate()
	}
	var tmp [96]byte
	digits := v.AppendDecimal(tmp[:0], true)
	for len(digits) <= scale {
		digits = append(digits, 0)
		copy(digits[1:], digits)
		digits[0] = '0'
	}
	whole, frac := digits[:len(digits)-scale], digits[len(digits)-scale:]
	for len(frac) > 0 && frac[len(frac)-1] == '0' {
		frac = frac[:len(frac)-1]
	}
	buf = append(buf, whole...)
	if len(frac) > 0 {
		buf = append(append(buf, '.'), frac...)
	}
	return buf
}

func appendFloatStyle(buf []byte, f float64, size int, style TextStyle) []byte {
	if style == TextJSON || style == TextJSONQuoted {
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return append(buf, "null"...) // output_format_json_quote_denormals = 0
		}
	}
	return AppendFloat(buf, f, size)
}

// AppendFloat appends the shortest text that reads back as f, in ClickHouse's form: plain from 1e-6 up to below 1e21, else with an exponent.
func AppendFloat(buf []byte, f float64, size int) []byte {
	switch {
	case f != f:
		return append(buf, "nan"...)
	case math.IsInf(f, 1):
		return append(buf, "inf"...)
	case math.IsInf(f, -1):
		return append(buf, "-inf"...)
	}
	if a := math.Abs(f); a == 0 || a >= 1e-6 && a < 1e21 {
		if i := int64(f); size == 64 && float64(i) == f && i != 0 && a < 1<<53 {
			return strconv.AppendInt(buf, i, 10)
		}
		return strconv.AppendFloat(buf, f, 'f', -1, size)
	}
	start := len(buf)
	buf = strconv.AppendFloat(buf, f, 'e', -1, size)
	for i := len(buf) - 1; i > start; i-- { // 1e+21 -> 1e21, 1e-07 -> 1e-7
		if buf[i] != 'e' {
			continue
		}
		j := i + 1
		out := i + 1
		if buf[j] == '-' {
			out++
		}
		j++
		for j < len(buf)-1 && buf[j] == '0' {
			j++
		}
		buf = append(buf[:out], buf[j:]...)
		break
	}
	return buf
}

func digits2(buf []byte, v int) []byte { return append(buf, byte('0'+v/10%10), byte('0'+v%10)) }

// appendDate writes days since 1970-01-01.
func appendDate(buf []byte, days int64) []byte {
	y, m, d := civil(days)
	return appendYMD(buf, y, m, d)
}

func appendYMD(buf []byte, y, m, d int) []byte {
	buf = digits2(digits2(buf, y/100), y%100)
	buf = digits2(append(buf, '-'), m)
	return digits2(append(buf, '-'), d)
}

// civil converts days since 1970-01-01 to a date (proleptic Gregorian); Howard Hinnant's days-from-civil algorithm turned round.
func civil(days int64) (y, m, d int) {
	z := days + 719468
	era := z / 146097
	if z < 0 {
		era = (z - 146096) / 146097
	}
	doe := z - era*146097
	yoe := (doe - doe/1460 + doe/36524 - doe/146096) / 365
	doy := doe - (365*yoe + yoe/4 - yoe/100)
	mp := (5*doy + 2) / 153
	d = int(doy - (153*mp+2)/5 + 1)
	m = int(mp + 3)
	if m > 12 {
		m -= 12
	}
	y = int(yoe + era*400)
	if m <= 2 {
		y++
	}
	return y, m, d
}

// Days is the number of days from 1970-01-01 to a date; days and months out of range are carried over.
func Days(y, m, d int) int64 {
	m--
	y += m / 12
	m %= 12
	if m < 0 {
		m += 12
		y--
	}
	m++
	if m <= 2 {
		y--
		m += 12
	}
	era := y / 400
	if y < 0 {
		era = (y - 399) / 400
	}
	yoe := y - era*400
	doy := (153*(m-3)+2)/5 + d - 1
	doe := yoe*365 + yoe/4 - yoe/100 + doy
	return int64(era)*146097 + int64(doe) - 719468
}

func appendDateTime(buf []byte, sec int64, loc *time.Location) []byte {
	if loc != time.UTC {
		_, offset := time.Unix(sec, 0).In(loc).Zone()
		sec += int64(offset)
	}
	days := floorDiv(sec, 86400)
	buf = appendDate(buf, days)
	s := int(sec - days*86400)
	buf = digits2(append(buf, ' '), s/3600)
	buf = digits2(append(buf, ':'), s/60%60)
	return digits2(append(buf, ':'), s%60)
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}

var pow10 = [19]int64{1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000, 10000000000, 100000000000, 1000000000000, 10000000000000, 100000000000000,
	1000000000000000, 10000000000000000, 100000000000000000, 1000000000000000000}

func appendDateTime64(buf []byte, v int64, scale int, loc *time.Location) []byte {
	sec := floorDiv(v, pow10[scale])
	buf = appendDateTime(buf, sec, loc)
	if scale == 0 {
		return buf
	}
	frac := v - sec*pow10[scale]
	buf = append(buf, '.')
	for k := scale - 1; k >= 0; k-- {
		buf = append(buf, byte('0'+frac/pow10[k]%10))
	}
	return buf
}

const hexDigits = "0123456789abcdef"

func appendUUID(buf []byte, u UUIDValue) []byte {
	put := func(v uint64, from, to int) {
		for i := from; i > to; i -= 4 {
			buf = append(buf, hexDigits[v>>(i-4)&15])
		}
	}
	put(u.Hi, 64, 32)
	buf = append(buf, '-')
	put(u.Hi, 32, 16)
	buf = append(buf, '-')
	put(u.Hi, 16, 0)
	buf = append(buf, '-')
	put(u.Lo, 64, 48)
	buf = append(buf, '-')
	put(u.Lo, 48, 0)
	return buf
}

func appendIPv4(buf []byte, v uint32) []byte {
	for shift := 24; shift >= 0; shift -= 8 {
		buf = strconv.AppendUint(buf, uint64(v>>shift&255), 10)
		if shift > 0 {
			buf = append(buf, '.')
		}
	}
	return buf
}

// appendIPv6 writes an address as inet_ntop does: the longest run of two or more zero groups as "::", and IPv4 at the end of mapped and compatible addresses.
func appendIPv6(buf []byte, v IPv6Value) []byte {
	var g [8]uint16
	for i := range g {
		g[i] = uint16(v[2*i])<<8 | uint16(v[2*i+1])
	}
	best, bestLen := -1, 0
	for i := 0; i < 8; {
		j := i
		for j < 8 && g[j] == 0 {
			j++
		}
		if j-i > bestLen {
			best, bestLen = i, j-i
		}
		i = max(j, i+1)
	}
	if bestLen < 2 {
		best = -1
	}
	for i := 0; i < 8; i++ {
		if best >= 0 && i >= best && i < best+bestLen {
			if i == best {
				buf = append(buf, ':')
			}
			continue
		}
		if i > 0 {
			buf = append(buf, ':')
		}
		if i == 6 && best == 0 && (bestLen == 6 || bestLen == 5 && g[5] == 0xffff) {
			return appendIPv4(buf, uint32(g[6])<<16|uint32(g[7]))
		}
		buf = strconv.AppendUint(buf, uint64(g[i]), 16)
	}
	if best >= 0 && best+bestLen == 8 {
		buf = append(buf, ':')
	}
	return buf
}

func appendString(buf, s []byte, style TextStyle) []byte {
	switch style {
	case TextRaw:
		return append(buf, s...)
	case TextTSV:
		return appendEscaped(buf, s, 0)
	case TextQuoted:
		return append(appendEscaped(append(buf, '\''), s, '\''), '\'')
	case TextCSV:
		buf = append(buf, '"')
		for _, c := range s {
			if c == '"' {
				buf = append(buf, '"')
			}
			buf = append(buf, c)
		}
		return append(buf, '"')
	}
	return AppendJSONString(buf, s)
}

// appendEscaped writes backslash escapes as ClickHouse's TabSeparated has them; quote is escaped too where it is not 0.
func appendEscaped(buf, s []byte, quote byte) []byte {
	for i := 0; i < len(s); {
		j := i
		for j < len(s) && s[j] != '\\' && s[j] != '\'' && s[j] >= ' ' {
			j++
		}
		buf = append(buf, s[i:j]...)
		if j == len(s) {
			break
		}
		switch c := s[j]; c {
		case '\\':
			buf = append(buf, '\\', '\\')
		case '\'':
			buf = append(buf, '\\', '\'')
		case '\b':
			buf = append(buf, '\\', 'b')
		case '\f':
			buf = append(buf, '\\', 'f')
		case '\n':
			buf = append(buf, '\\', 'n')
		case '\r':
			buf = append(buf, '\\', 'r')
		case '\t':
			buf = append(buf, '\\', 't')
		case 0:
			buf = append(buf, '\\', '0')
		default:
			buf = append(buf, c)
		}
		i = j + 1
	}
	return buf
}

// AppendJSONString writes a JSON string; slashes are escaped, as ClickHouse's default has it, and invalid UTF-8 stays as it is.
func AppendJSONString(buf, s []byte) []byte {
	buf = append(buf, '"')
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '"', '\\', '/':
			buf = append(buf, '\\', c)
		case '\b':
			buf = append(buf, '\\', 'b')
		case '\f':
			buf = append(buf, '\\', 'f')
		case '\n':
			buf = append(buf, '\\', 'n')
		case '\r':
			buf = append(buf, '\\', 'r')
		case '\t':
			buf = append(buf, '\\', 't')
		default:
			switch {
			case c < ' ':
				buf = append(buf, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
			case c == 0xe2 && i+2 < len(s) && s[i+1] == 0x80 && s[i+2]|1 == 0xa9: // U+2028 and U+2029 break JavaScript
				buf = append(buf, `\u202`...)
				buf = append(buf, '8'+s[i+2]&1)
				i += utf8.RuneLen(0x2028) - 1
			default:
				buf = append(buf, c)
			}
		}
	}
	return append(buf, '"')
}

// nested is the style of elements inside arrays, tuples and maps. TabSeparated escapes them once more as a whole, which quoting has done already.
func nested(style TextStyle) TextStyle {
	if style == TextJSON || style == TextJSONQuoted {
		return style
	}
	return TextQuoted
}

// whole writes a composite value; CSV puts it in double quotes.
func whole(buf []byte, style TextStyle, write func([]byte) []byte) []byte {
	if style != TextCSV {
		return write(buf)
	}
	start := len(buf)
	buf = write(append(buf, '"'))
	inner := append([]byte(nil), buf[start+1:]...)
	return appendString(buf[:start], inner, TextCSV)
}

func appendArray(buf []byte, x *Arr, i int, style TextStyle) []byte {
	return whole(buf, style, func(buf []byte) []byte {
		from, to := x.Range(i)
		buf = append(buf, '[')
		for j := from; j < to; j++ {
			if j > from {
				buf = append(buf, ',')
			}
			buf = AppendText(buf, x.Elem, j, nested(style))
		}
		return append(buf, ']')
	})
}

func appendTuple(buf []byte, x *Tup, i int, style TextStyle) []byte {
	if style == TextJSON || style == TextJSONQuoted {
		return appendTupleJSON(buf, x, i, style)
	}
	return whole(buf, style, func(buf []byte) []byte {
		buf = append(buf, '(')
		for k, e := range x.Elems {
			if k > 0 {
				buf = append(buf, ',')
			}
			buf = AppendText(buf, e, i, nested(style))
		}
		return append(buf, ')')
	})
}

// appendTupleJSON writes a named tuple as an object, an unnamed one as an array.
func appendTupleJSON(buf []byte, x *Tup, i int, style TextStyle) []byte {
	open, end := byte('['), byte(']')
	if x.T.Names != nil {
		open, end = '{', '}'
	}
	buf = append(buf, open)
	for k, e := range x.Elems {
		if k > 0 {
			buf = append(buf, ',')
		}
		if x.T.Names != nil {
			buf = append(AppendJSONString(buf, []byte(x.T.Names[k])), ':')
		}
		buf = AppendText(buf, e, i, style)
	}
	return append(buf, end)
}

func appendMap(buf []byte, x *MapColumn, i int, style TextStyle) []byte {
	return whole(buf, style, func(buf []byte) []byte {
		json := style == TextJSON || style == TextJSONQuoted
		from, to := x.Arr.Range(i)
		buf = append(buf, '{')
		for j := from; j < to; j++ {
			if j > from {
				buf = append(buf, ',')
			}
			switch {
			case json && !x.Keys().Type().Base().IsString(): // the keys of an object are strings
				buf = append(buf, '"')
				buf = append(AppendText(buf, x.Keys(), j, TextRaw), '"')
			default:
				buf = AppendText(buf, x.Keys(), j, nested(style))
			}
			buf = append(buf, ':')
			buf = AppendText(buf, x.Values(), j, nested(style))
		}
		return append(buf, '}')
	})
}
