package column

import (
	"math"
	"strconv"
	"unsafe"
)

// TextStyle is a way of writing values as text.
type TextStyle uint8

const (
	// TextRaw is what toString gives: nothing is escaped, strings inside arrays, tuples and maps are quoted.
	TextRaw TextStyle = iota
	// TextTSV escapes tabs, newlines, quotes and backslashes; NULL is \N.
	TextTSV
	// TextQuoted writes SQL literals: strings and dates in single quotes; NULL is NULL.
	TextQuoted
	// TextCSV puts strings and dates in double quotes; NULL is \N.
	TextCSV
	// TextJSON writes JSON values.
	TextJSON
)

// TimeStyle is a way of writing DateTime and DateTime64.
type TimeStyle uint8

const (
	TimeSimple TimeStyle = iota // 2020-01-02 03:04:05
	TimeISO                     // 2020-01-02T03:04:05Z, in UTC
	TimeUnix                    // 1577934245
)

// TextOptions say how values are written. DefaultText gives ClickHouse's defaults; the comments name its settings.
type TextOptions struct {
	Style          TextStyle
	Null           string // of a NULL that stands alone; inside arrays, tuples and maps it is NULL (null in JSON)
	True, False    string // bool_true_representation, bool_false_representation; JSON has its own words
	Quote64        bool   // output_format_json_quote_64bit_integers
	QuoteFloats    bool   // output_format_json_quote_64bit_floats
	QuoteDenormals bool   // output_format_json_quote_denormals
	QuoteDecimals  bool   // output_format_json_quote_decimals
	EscapeSlashes  bool   // output_format_json_escape_forward_slashes
	NamedTuples    bool   // output_format_json_named_tuples_as_objects
	MapsAsTuples   bool   // output_format_json_map_as_array_of_tuples
	DecimalZeros   bool   // output_format_decimal_trailing_zeros
	PrettyTuples   bool   // output_format_pretty_named_tuples_as_json: a named tuple is a JSON object in TextRaw too
	Times          TimeStyle
}

// DefaultText returns the options of a style with ClickHouse's default settings.
func DefaultText(style TextStyle) TextOptions {
	o := TextOptions{Style: style, Null: "NULL", True: "true", False: "false", EscapeSlashes: true, NamedTuples: true}
	switch style {
	case TextTSV, TextCSV:
		o.Null = `\N`
	case TextJSON:
		o.Null = "null"
	}
	return o
}

// Read-only defaults by style.
var textDefaults = [...]TextOptions{TextRaw: DefaultText(TextRaw), TextTSV: DefaultText(TextTSV), TextQuoted: DefaultText(TextQuoted), TextCSV: DefaultText(TextCSV), TextJSON: DefaultText(TextJSON)}

// AppendText appends row i of c in a style. To write many rows, Bind is faster.
func AppendText(buf []byte, c Column, i int, style TextStyle) []byte {
	return textDefaults[style].Append(buf, c, i)
}

// with returns the options under another style.
func (o *TextOptions) with(style TextStyle) TextOptions {
	n := *o
	n.Style = style
	n.Null = textDefaults[style].Null
	return n
}

// Append appends row i of c.
func (o *TextOptions) Append(buf []byte, c Column, i int) []byte {
	switch x := c.(type) {
	case *Const:
		return o.Append(buf, x.Val, 0)
	case *LowCard:
		return o.Append(buf, x.Dict, int(x.Index[i]))
	case *Null:
		if x.Nulls[i] != 0 {
			return append(buf, o.Null...)
		}
		return o.Append(buf, x.Inner, i)
	case *NothingColumn:
		return append(buf, o.Null...)
	case *Str:
		return o.appendString(buf, x.At(i))
	case *FixedStr:
		return o.appendString(buf, x.At(i))
	case *Arr:
		return o.appendArray(buf, x, i)
	case *Tup:
		return o.appendTuple(buf, x, i)
	case *MapColumn:
		return o.appendMap(buf, x, i)
	case *Num[float32]:
		return o.appendFloat(buf, float64(x.Data[i]), 32)
	case *Num[float64]:
		return o.appendFloat(buf, x.Data[i], 64)
	}
	t := c.Type()
	quote := byte(0)
	switch t.Kind {
	case Date, Date32, DateTime, DateTime64, UUID, IPv4, IPv6:
		switch {
		case o.Style == TextQuoted:
			quote = '\''
		case o.Style >= TextCSV:
			quote = '"'
		}
		if o.Times == TimeUnix && (t.Kind == DateTime || t.Kind == DateTime64) && o.Style == TextJSON {
			quote = '"'
		}
	case Enum8, Enum16:
		name, _ := t.Enum.Name(enumAt(c, i))
		return o.appendString(buf, unsafe.Slice(unsafe.StringData(name), len(name)))
	case UInt64, Int64, UInt128, Int128, UInt256, Int256, Interval:
		if o.Quote64 && o.Style == TextJSON {
			quote = '"'
		}
	case Decimal32, Decimal64, Decimal128, Decimal256:
		if o.QuoteDecimals && o.Style == TextJSON {
			quote = '"'
		}
	}
	if quote == 0 {
		return o.appendScalar(buf, c, i)
	}
	return append(o.appendScalar(append(buf, quote), c, i), quote)
}

func enumAt(c Column, i int) int16 {
	if x, ok := c.(*Num[int8]); ok {
		return int16(x.Data[i])
	}
	return c.(*Num[int16]).Data[i]
}

func (o *TextOptions) appendFloat(buf []byte, f float64, size int) []byte {
	if o.Style == TextJSON {
		denormal := math.IsNaN(f) || math.IsInf(f, 0)
		switch {
		case denormal && !o.QuoteDenormals:
			return append(buf, "null"...)
		case denormal || o.QuoteFloats && size == 64:
			return append(AppendFloat(append(buf, '"'), f, size), '"')
		}
	}
	return AppendFloat(buf, f, size)
}

func (o *TextOptions) appendBool(buf []byte, v bool) []byte {
	switch {
	case o.Style == TextJSON:
		return strconv.AppendBool(buf, v)
	case v:
		return append(buf, o.True...)
	}
	return append(buf, o.False...)
}

// appendScalar writes numbers, dates and addresses bare.
func (o *TextOptions) appendScalar(buf []byte, c Column, i int) []byte {
	t := c.Type()
	switch x := c.(type) {
	case *Num[uint8]:
		if t.Kind == Bool {
			return o.appendBool(buf, x.Data[i] != 0)
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
			return o.appendTime(buf, int64(x.Data[i]), t)
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
			return appendDecimal64(buf, int64(x.Data[i]), t.Scale, o.DecimalZeros)
		}
		return strconv.AppendInt(buf, int64(x.Data[i]), 10)
	case *Num[int64]:
		switch t.Kind {
		case DateTime64:
			return o.appendTime(buf, x.Data[i], t)
		case Decimal64:
			return appendDecimal64(buf, x.Data[i], t.Scale, o.DecimalZeros)
		}
		return strconv.AppendInt(buf, x.Data[i], 10)
	case *Wide[I128]:
		return appendDecimalZeros(buf, x.Data[i].Widen(), t.Scale, o.DecimalZeros)
	case *Wide[U128]:
		return x.Data[i].Widen().AppendDecimal(buf, true)
	case *Wide[I256]:
		return appendDecimalZeros(buf, x.Data[i], t.Scale, o.DecimalZeros)
	case *Wide[U256]:
		return I256(x.Data[i]).AppendDecimal(buf, true)
	case *Wide[UUIDValue]:
		return appendUUID(buf, x.Data[i])
	case *Wide[IPv6Value]:
		return appendIPv6(buf, x.Data[i])
	}
	panic("column: no text of type " + t.String())
}
