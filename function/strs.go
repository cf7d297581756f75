package function

import (
	"dictsvc/column"
)

// strs reads a String or FixedString column, Const or not, row by row.
type strs struct {
	data  []byte
	ends  []uint64
	start uint64
	width int // of FixedString, 0 for String
	cst   bool
	n     int
}

// newStrs reads a string column; other types have no strings and give an empty reader.
func newStrs(c column.Column) strs {
	var s strs
	if k, ok := c.(*column.Const); ok {
		s.cst = true
		c = k.Val
	}
	switch x := c.(type) {
	case *column.Str:
		s.data, s.ends, s.start, s.n = x.Data, x.Ends, x.Start, len(x.Ends)
	case *column.FixedStr:
		s.data, s.width, s.n = x.Data, x.T.Width, x.Len()
	}
	return s
}

// at returns row i; the bytes are the column's own.
func (s *strs) at(i int) []byte {
	if s.cst {
		i = 0
	}
	from, to := s.span(i)
	return s.data[from:to:to]
}

// span is where row i lies in data.
func (s *strs) span(i int) (from, to int) {
	switch {
	case s.width > 0:
		return i * s.width, (i + 1) * s.width
	case i == 0 || s.cst:
		return int(s.start), int(s.ends[0])
	}
	return int(s.ends[i-1]), int(s.ends[i])
}

// total is the number of bytes in all rows.
func (s *strs) total() int {
	switch {
	case s.width > 0:
		return len(s.data)
	case len(s.ends) == 0:
		return 0
	}
	return int(s.ends[len(s.ends)-1] - s.start)
}

// strOut builds a String or FixedString column.
type strOut struct {
	str   *column.Str
	fixed *column.FixedStr
}

func newStrOut(t *column.Type, rows int) strOut {
	if t.Kind == column.FixedString {
		return strOut{fixed: &column.FixedStr{T: t, Data: make([]byte, 0, rows*t.Width)}}
	}
	return strOut{str: newStr(rows)}
}

func (o *strOut) append(b []byte) {
	if o.fixed != nil {
		o.fixed.Append(b)
		return
	}
	o.str.Append(b)
}

func (o *strOut) column() column.Column {
	if o.fixed != nil {
		return o.fixed
	}
	return o.str
}

// newStr is an empty String column with room for rows rows.
func newStr(rows int) *column.Str {
	return &column.Str{T: column.Of(column.String), Ends: make([]uint64, 0, rows)}
}
