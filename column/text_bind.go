package column

import "strconv"

// TextWriter appends the text of one row of the column that it was bound to.
type TextWriter func(buf []byte, row int) []byte

// Bind prepares the writing of many rows of a column: the type is looked at once, so that a row costs one call.
func (o *TextOptions) Bind(c Column) TextWriter {
	switch x := c.(type) {
	case *Const:
		text := o.Append(nil, x.Val, 0)
		return func(buf []byte, _ int) []byte { return append(buf, text...) }
	case *LowCard:
		if x.Dict.Len() <= len(x.Index) {
			return o.bindDict(x)
		}
		f := o.Bind(x.Dict)
		return func(buf []byte, i int) []byte { return f(buf, int(x.Index[i])) }
	case *Null:
		f, null := o.Bind(x.Inner), o.Null
		nulls := x.Nulls
		return func(buf []byte, i int) []byte {
			if nulls[i] != 0 {
				return append(buf, null...)
			}
			return f(buf, i)
		}
	case *Str:
		switch o.Style {
		case TextRaw:
			return func(buf []byte, i int) []byte { return append(buf, x.At(i)...) }
		case TextTSV:
			return func(buf []byte, i int) []byte { return appendEscaped(buf, x.At(i)) }
		}
		return func(buf []byte, i int) []byte { return o.appendString(buf, x.At(i)) }
	}
	if f := o.bindNumber(c); f != nil {
		return f
	}
	return func(buf []byte, i int) []byte { return o.Append(buf, c, i) }
}

// bindDict writes each distinct value once and copies.
func (o *TextOptions) bindDict(x *LowCard) TextWriter {
	var text []byte
	n := x.Dict.Len()
	ends := make([]int, n+1)
	f := o.Bind(x.Dict)
	for i := range n {
		text = f(text, i)
		ends[i+1] = len(text)
	}
	codes := x.Index
	return func(buf []byte, i int) []byte {
		k := codes[i]
		return append(buf, text[ends[k]:ends[k+1]]...)
	}
}

// bindNumber has a loop body of its own for the plain numbers; nil for all else.
func (o *TextOptions) bindNumber(c Column) TextWriter {
	json := o.Style == TextJSON
	switch c.Type().Kind {
	case UInt8:
		return bindUnsigned(c.(*Num[uint8]).Data)
	case UInt16:
		return bindUnsigned(c.(*Num[uint16]).Data)
	case UInt32:
		return bindUnsigned(c.(*Num[uint32]).Data)
	case UInt64:
		if !json || !o.Quote64 {
			return bindUnsigned(c.(*Num[uint64]).Data)
		}
	case Int8:
		return bindSigned(c.(*Num[int8]).Data)
	case Int16:
		return bindSigned(c.(*Num[int16]).Data)
	case Int32:
		return bindSigned(c.(*Num[int32]).Data)
	case Int64:
		if !json || !o.Quote64 {
			return bindSigned(c.(*Num[int64]).Data)
		}
	case Float32:
		data := c.(*Num[float32]).Data
		return func(buf []byte, i int) []byte { return o.appendFloat(buf, float64(data[i]), 32) }
	case Float64:
		data := c.(*Num[float64]).Data
		return func(buf []byte, i int) []byte { return o.appendFloat(buf, data[i], 64) }
	}
	return nil
}

func bindUnsigned[T uint8 | uint16 | uint32 | uint64](data []T) TextWriter {
	return func(buf []byte, i int) []byte { return strconv.AppendUint(buf, uint64(data[i]), 10) }
}

func bindSigned[T int8 | int16 | int32 | int64](data []T) TextWriter {
	return func(buf []byte, i int) []byte { return strconv.AppendInt(buf, int64(data[i]), 10) }
}
