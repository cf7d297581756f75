package column

import "strings"

// prettyLayout is the indentation of JSON written over several lines. An element at depth d stands behind lead and d+1 units; the bracket
// that closes depth d stands behind d units (and lead, below the top).
type prettyLayout struct {
	unit, lead string
	depth      int
}

func (l prettyLayout) element(buf []byte) []byte {
	buf = append(buf, '\n')
	buf = append(buf, l.lead...)
	return append(buf, strings.Repeat(l.unit, l.depth+1)...)
}

func (l prettyLayout) end(buf []byte) []byte {
	buf = append(buf, '\n')
	if l.depth > 0 {
		buf = append(buf, l.lead...)
	}
	return append(buf, strings.Repeat(l.unit, l.depth)...)
}

func (l prettyLayout) deeper() prettyLayout { l.depth++; return l }

// AppendPrettyJSON appends row i as JSON over several lines, as ClickHouse's format JSON writes it: depth tabs stand before the line that
// the value begins on. Arrays of plain values stay on one line.
func (o *TextOptions) AppendPrettyJSON(buf []byte, c Column, i, depth int) []byte {
	return o.appendPretty(buf, c, i, prettyLayout{unit: "\t", depth: depth})
}

func (o *TextOptions) appendPretty(buf []byte, c Column, i int, l prettyLayout) []byte {
	switch x := c.(type) {
	case *Const:
		return o.appendPretty(buf, x.Val, 0, l)
	case *Null:
		if x.Nulls[i] == 0 {
			return o.appendPretty(buf, x.Inner, i, l)
		}
	case *Arr:
		from, to := x.Range(i)
		switch x.Elem.(type) {
		case *Arr, *Tup, *MapColumn:
			if from < to {
				return o.prettyList(buf, l, '[', ']', to-from, func(buf []byte, k int) []byte { return o.appendPretty(buf, x.Elem, from+k, l.deeper()) })
			}
		}
	case *Tup:
		if x.T.Names == nil || !o.NamedTuples {
			return o.prettyList(buf, l, '[', ']', len(x.Elems), func(buf []byte, k int) []byte { return o.appendPretty(buf, x.Elems[k], i, l.deeper()) })
		}
		return o.prettyList(buf, l, '{', '}', len(x.Elems), func(buf []byte, k int) []byte {
			buf = append(appendJSON(buf, []byte(x.T.Names[k]), o.EscapeSlashes), ": "...)
			return o.appendPretty(buf, x.Elems[k], i, l.deeper())
		})
	case *MapColumn:
		from, to := x.Arr.Range(i)
		if o.MapsAsTuples {
			return o.appendPretty(buf, x.Arr, i, l)
		}
		if from < to {
			in := o.inner()
			return o.prettyList(buf, l, '{', '}', to-from, func(buf []byte, k int) []byte {
				buf = append(in.appendKey(buf, x.Keys(), from+k), ": "...)
				return o.appendPretty(buf, x.Values(), from+k, l.deeper())
			})
		}
	}
	return o.Append(buf, c, i)
}

func (o *TextOptions) prettyList(buf []byte, l prettyLayout, open, end byte, n int, write func(buf []byte, k int) []byte) []byte {
	buf = append(buf, open)
	for k := range n {
		if k > 0 {
			buf = append(buf, ',')
		}
		buf = write(l.element(buf), k)
	}
	if n == 0 {
		buf = append(buf, '\n')
	}
	return append(l.end(buf), end)
}
