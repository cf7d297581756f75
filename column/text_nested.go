package column

// inner are the options for elements of arrays, tuples and maps.
func (o *TextOptions) inner() TextOptions {
	if o.Style == TextJSON {
		return o.with(TextJSON)
	}
	n := o.with(TextQuoted)
	n.True, n.False = "true", "false"
	return n
}

// whole writes a composite value; CSV puts it in double quotes.
func (o *TextOptions) whole(buf []byte, write func([]byte) []byte) []byte {
	if o.Style != TextCSV {
		return write(buf)
	}
	return appendCSV(buf, write(nil))
}

func (o *TextOptions) appendArray(buf []byte, x *Arr, i int) []byte {
	in := o.inner()
	return o.whole(buf, func(buf []byte) []byte {
		from, to := x.Range(i)
		buf = append(buf, '[')
		for j := from; j < to; j++ {
			if j > from {
				buf = append(buf, ',')
			}
			buf = in.Append(buf, x.Elem, j)
		}
		return append(buf, ']')
	})
}

func (o *TextOptions) appendTuple(buf []byte, x *Tup, i int) []byte {
	if o.Style == TextJSON {
		return o.appendTupleJSON(buf, x, i)
	}
	if o.PrettyTuples && x.T.Names != nil {
		in := o.with(TextJSON)
		return in.appendPretty(buf, x, i, prettyLayout{unit: " ", lead: " ", depth: 0})
	}
	in := o.inner()
	return o.whole(buf, func(buf []byte) []byte {
		buf = append(buf, '(')
		for k, e := range x.Elems {
			if k > 0 {
				buf = append(buf, ',')
			}
			buf = in.Append(buf, e, i)
		}
		return append(buf, ')')
	})
}

// appendTupleJSON writes a named tuple as an object, an unnamed one as an array.
func (o *TextOptions) appendTupleJSON(buf []byte, x *Tup, i int) []byte {
	open, end := byte('['), byte(']')
	named := x.T.Names != nil && o.NamedTuples
	if named {
		open, end = '{', '}'
	}
	in := o.inner()
	buf = append(buf, open)
	for k, e := range x.Elems {
		if k > 0 {
			buf = append(buf, ',')
		}
		if named {
			buf = append(appendJSON(buf, []byte(x.T.Names[k]), o.EscapeSlashes), ':')
		}
		buf = in.Append(buf, e, i)
	}
	return append(buf, end)
}

func (o *TextOptions) appendMap(buf []byte, x *MapColumn, i int) []byte {
	if o.Style == TextJSON && o.MapsAsTuples {
		return o.appendArray(buf, x.Arr, i)
	}
	in := o.inner()
	return o.whole(buf, func(buf []byte) []byte {
		from, to := x.Arr.Range(i)
		keys, values := x.Keys(), x.Values()
		buf = append(buf, '{')
		for j := from; j < to; j++ {
			if j > from {
				buf = append(buf, ',')
			}
			if o.Style == TextJSON { // the keys of an object are strings
				buf = in.appendKey(buf, keys, j)
			} else {
				buf = in.Append(buf, keys, j)
			}
			buf = append(buf, ':')
			buf = in.Append(buf, values, j)
		}
		return append(buf, '}')
	})
}

// appendKey writes the key of a JSON object.
func (o *TextOptions) appendKey(buf []byte, c Column, i int) []byte {
	at := len(buf)
	buf = o.Append(buf, c, i)
	if buf[at] == '"' {
		return buf
	}
	text := append([]byte(nil), buf[at:]...)
	return appendJSON(buf[:at], text, o.EscapeSlashes)
}
