package column

import (
	"encoding/binary"
)

// Null is a Nullable column: a byte a row that is 1 for NULL, and the values (the default where NULL).
type Null struct {
	T     *Type
	Nulls []uint8
	Inner Column
}

// NewNull makes a Nullable column of a null map and the values under it.
func NewNull(inner Column, nulls []uint8) *Null {
	return &Null{T: NewNullable(inner.Type()), Nulls: nulls, Inner: inner}
}

func (c *Null) Type() *Type      { return c.T }
func (c *Null) Len() int         { return len(c.Nulls) }
func (c *Null) New(n int) Column { return New(c.T, n) }
func (c *Null) Bytes() int       { return cap(c.Nulls) + c.Inner.Bytes() }
func (c *Null) Truncate(n int)   { c.Nulls = c.Nulls[:n]; c.Inner.Truncate(n) }

// AppendNull appends one NULL.
func (c *Null) AppendNull() { c.Nulls = append(c.Nulls, 1); c.Inner.AppendDefault(1) }

func (c *Null) AppendDefault(n int) {
	for i := 0; i < n; i++ {
		c.Nulls = append(c.Nulls, 1)
	}
	c.Inner.AppendDefault(n)
}

func (c *Null) Slice(from, to int) Column {
	return &Null{T: c.T, Nulls: c.Nulls[from:to:to], Inner: c.Inner.Slice(from, to)}
}

func (c *Null) Filter(keep []uint8, n int) Column { return c.filterIn(nil, keep, n) }
func (c *Null) filterIn(m *Scratch, keep []uint8, n int) Column {
	return &Null{T: c.T, Nulls: filterSlice(m, c.Nulls, keep, n), Inner: FilterIn(m, c.Inner, keep, n)}
}

func (c *Null) Gather(rows []uint32) Column {
	return &Null{T: c.T, Nulls: gatherSlice(c.Nulls, rows), Inner: c.Inner.Gather(rows)}
}

func (c *Null) Replicate(o []uint64) Column {
	return &Null{T: c.T, Nulls: replicateSlice(c.Nulls, o), Inner: c.Inner.Replicate(o)}
}

// AppendRange takes a Nullable column, or a plain one of the inner type (whose rows are not NULL).
func (c *Null) AppendRange(src Column, from, to int) {
	switch s := src.(type) {
	case *Null:
		c.Nulls = append(c.Nulls, s.Nulls[from:to]...)
		c.Inner.AppendRange(s.Inner, from, to)
	case *NothingColumn:
		c.AppendDefault(to - from)
	case *Const, *LowCard:
		appendOther(c, src, from, to)
	default:
		c.Nulls = appendZero(c.Nulls, to-from)
		c.Inner.AppendRange(src, from, to)
	}
}

func (c *Null) Compare(i int, o Column, j int, nulls int) int {
	x, ok := o.(*Null)
	if !ok {
		o = Plain(o)
		if x, ok = o.(*Null); !ok {
			if c.Nulls[i] != 0 {
				return nulls
			}
			return c.Inner.Compare(i, o, j, nulls)
		}
	}
	switch a, b := c.Nulls[i] != 0, x.Nulls[j] != 0; {
	case a && b:
		return 0
	case a:
		return nulls
	case b:
		return -nulls
	}
	return c.Inner.Compare(i, x.Inner, j, nulls)
}

func (c *Null) AppendKey(buf []byte, i int) []byte {
	if c.Nulls[i] != 0 {
		return append(buf, 1)
	}
	return c.Inner.AppendKey(append(buf, 0), i)
}

func (c *Null) ReadKey(buf []byte) []byte {
	if buf[0] == 1 {
		c.AppendNull()
		return buf[1:]
	}
	c.Nulls = append(c.Nulls, 0)
	return c.Inner.ReadKey(buf[1:])
}

// Arr is an Array column: row i holds elements [Ends[i-1]-Start, Ends[i]-Start) of Elem. Start is 0 except in slices of a column,
// whose Ends go on counting from the column they were cut from.
type Arr struct {
	T     *Type
	Ends  []uint64
	Elem  Column
	Start uint64
}

// NewArr makes an Array column of end offsets and elements.
func NewArr(elem Column, ends []uint64) *Arr {
	return &Arr{T: NewArray(elem.Type()), Ends: ends, Elem: elem}
}

// Range returns the elements' range of row i in Elem.
func (c *Arr) Range(i int) (from, to int) {
	if i > 0 {
		from = int(c.Ends[i-1] - c.Start)
	}
	return from, int(c.Ends[i] - c.Start)
}

// Offsets returns the end offsets counted from the first row, as the Native format has them; shared memory where the column is no slice.
func (c *Arr) Offsets() []uint64 {
	if c.Start == 0 {
		return c.Ends
	}
	out := make([]uint64, len(c.Ends))
	for i, e := range c.Ends {
		out[i] = e - c.Start
	}
	return out
}

func (c *Arr) Type() *Type      { return c.T }
func (c *Arr) Len() int         { return len(c.Ends) }
func (c *Arr) New(n int) Column { return New(c.T, n) }
func (c *Arr) Bytes() int       { return 8*cap(c.Ends) + c.Elem.Bytes() }

func (c *Arr) Truncate(n int) {
	c.Ends = c.Ends[:n]
	last := 0
	if n > 0 {
		last = int(c.Ends[n-1] - c.Start)
	}
	c.Elem.Truncate(last)
}

// EndRow makes a row of the elements appended to Elem since the last row.
func (c *Arr) EndRow() { c.Ends = append(c.Ends, c.Start+uint64(c.Elem.Len())) }

func (c *Arr) AppendDefault(n int) {
	for ; n > 0; n-- {
		c.EndRow()
	}
}

func (c *Arr) Slice(from, to int) Column {
	first, last := 0, 0
	if from > 0 {
		first = int(c.Ends[from-1] - c.Start)
		last = first
	}
	if to > from {
		last = int(c.Ends[to-1] - c.Start)
	}
	return &Arr{T: c.T, Ends: c.Ends[from:to:to], Elem: c.Elem.Slice(first, last), Start: c.Start + uint64(first)}
}

func (c *Arr) Filter(keep []uint8, n int) Column {
	out := c.New(n).(*Arr)
	for i, k := range keep {
		if k != 0 {
			out.appendRow(c, i)
		}
	}
	return out
}

func (c *Arr) appendRow(src *Arr, i int) {
	from, to := src.Range(i)
	c.Elem.AppendRange(src.Elem, from, to)
	c.EndRow()
}

func (c *Arr) Gather(rows []uint32) Column {
	total := uint64(0)
	for _, r := range rows {
		from, to := c.Range(int(r))
		total += uint64(to - from)
	}
	claim(total)
	out := c.New(len(rows)).(*Arr)
	for _, r := range rows {
		out.appendRow(c, int(r))
	}
	return out
}

func (c *Arr) Replicate(o []uint64) Column {
	out := c.New(0).(*Arr)
	var prev uint64
	for i, end := range o {
		for ; prev < end; prev++ {
			out.appendRow(c, i)
		}
	}
	return out
}

func (c *Arr) AppendRange(src Column, from, to int) {
	s, ok := src.(*Arr)
	if !ok {
		appendOther(c, src, from, to)
		return
	}
	if from >= to {
		return
	}
	first, _ := s.Range(from)
	_, last := s.Range(to - 1)
	shift := c.Start + uint64(c.Elem.Len()) - uint64(first) - s.Start
	c.Elem.AppendRange(s.Elem, first, last)
	claim(8 * uint64(len(c.Ends)+to-from))
	for _, e := range s.Ends[from:to] {
		c.Ends = append(c.Ends, e+shift)
	}
}

func (c *Arr) Compare(i int, o Column, j int, nulls int) int {
	x, ok := o.(*Arr)
	if !ok {
		return c.Compare(i, Plain(o), j, nulls)
	}
	af, at := c.Range(i)
	bf, bt := x.Range(j)
	for ; af < at && bf < bt; af, bf = af+1, bf+1 {
		if r := c.Elem.Compare(af, x.Elem, bf, nulls); r != 0 {
			return r
		}
	}
	switch {
	case af < at:
		return 1
	case bf < bt:
		return -1
	}
	return 0
}

func (c *Arr) AppendKey(buf []byte, i int) []byte {
	from, to := c.Range(i)
	buf = binary.AppendUvarint(buf, uint64(to-from))
	for ; from < to; from++ {
		buf = c.Elem.AppendKey(buf, from)
	}
	return buf
}

func (c *Arr) ReadKey(buf []byte) []byte {
	n, k := binary.Uvarint(buf)
	buf = buf[k:]
	for ; n > 0; n-- {
		buf = c.Elem.ReadKey(buf)
	}
	c.EndRow()
	return buf
}

// Tup is a Tuple column. N is the number of rows where it has no elements.
type Tup struct {
	T     *Type
	Elems []Column
	N     int
}

// NewTup makes an unnamed Tuple column of its elements.
func NewTup(elems ...Column) *Tup {
	types := make([]*Type, len(elems))
	n := 0
	for i, e := range elems {
		types[i], n = e.Type(), e.Len()
	}
	return &Tup{T: NewTuple(types, nil), Elems: elems, N: n}
}

func (c *Tup) Type() *Type { return c.T }

func (c *Tup) Len() int {
	if len(c.Elems) == 0 {
		return c.N
	}
	return c.Elems[0].Len()
}

func (c *Tup) New(n int) Column { return New(c.T, n) }

func (c *Tup) each(f func(Column) Column) *Tup {
	out := &Tup{T: c.T, Elems: make([]Column, len(c.Elems))}
	for i, e := range c.Elems {
		out.Elems[i] = f(e)
	}
	return out
}

func (c *Tup) Slice(from, to int) Column {
	out := c.each(func(e Column) Column { return e.Slice(from, to) })
	out.N = to - from
	return out
}

func (c *Tup) Filter(keep []uint8, n int) Column {
	out := c.each(func(e Column) Column { return e.Filter(keep, n) })
	out.N = n
	return out
}

func (c *Tup) Gather(rows []uint32) Column {
	out := c.each(func(e Column) Column { return e.Gather(rows) })
	out.N = len(rows)
	return out
}

func (c *Tup) Replicate(o []uint64) Column {
	out := c.each(func(e Column) Column { return e.Replicate(o) })
	if len(o) > 0 {
		out.N = int(o[len(o)-1])
	}
	return out
}

func (c *Tup) Truncate(n int) {
	c.N = n
	for _, e := range c.Elems {
		e.Truncate(n)
	}
}

func (c *Tup) AppendDefault(n int) {
	c.N += n
	for _, e := range c.Elems {
		e.AppendDefault(n)
	}
}

func (c *Tup) AppendRange(src Column, from, to int) {
	s, ok := src.(*Tup)
	if !ok {
		appendOther(c, src, from, to)
		return
	}
	c.N += to - from
	for i, e := range c.Elems {
		e.AppendRange(s.Elems[i], from, to)
	}
}

func (c *Tup) Compare(i int, o Column, j int, nulls int) int {
	x, ok := o.(*Tup)
	if !ok {
		return c.Compare(i, Plain(o), j, nulls)
	}
	for k, e := range c.Elems {
		if r := Compare(e, i, x.Elems[k], j, nulls); r != 0 {
			return r
		}
	}
	return 0
}

// Compare orders row i of a against row j of b, whatever wraps (Const, LowCardinality, Nullable on one side) they carry.
func Compare(a Column, i int, b Column, j int, nulls int) int {
	if k, ok := a.(*Const); ok {
		a, i = k.Val, 0
	}
	if k, ok := b.(*Const); ok {
		b, j = k.Val, 0
	}
	if l, ok := a.(*LowCard); ok {
		a, i = l.Dict, int(l.Index[i])
	}
	if l, ok := b.(*LowCard); ok {
		b, j = l.Dict, int(l.Index[j])
	}
	if _, ok := a.(*Null); !ok {
		if x, ok := b.(*Null); ok {
			if x.Nulls[j] != 0 {
				return -nulls
			}
			b = x.Inner
		}
	}
	return a.Compare(i, b, j, nulls)
}

func (c *Tup) AppendKey(buf []byte, i int) []byte {
	for _, e := range c.Elems {
		buf = e.AppendKey(buf, i)
	}
	return buf
}

func (c *Tup) ReadKey(buf []byte) []byte {
	c.N++
	for _, e := range c.Elems {
		buf = e.ReadKey(buf)
	}
	return buf
}

func (c *Tup) Bytes() int {
	n := 0
	for _, e := range c.Elems {
		n += e.Bytes()
	}
	return n
}

// MapColumn is a Map column: an array of (key, value) tuples.
type MapColumn struct {
	T   *Type
	Arr *Arr
}

// Keys and Values are the flat columns of all rows' entries.
func (c *MapColumn) Keys() Column   { return c.Arr.Elem.(*Tup).Elems[0] }
func (c *MapColumn) Values() Column { return c.Arr.Elem.(*Tup).Elems[1] }

func (c *MapColumn) with(a Column) Column               { return &MapColumn{T: c.T, Arr: a.(*Arr)} }
func (c *MapColumn) Type() *Type                        { return c.T }
func (c *MapColumn) Len() int                           { return c.Arr.Len() }
func (c *MapColumn) New(n int) Column                   { return New(c.T, n) }
func (c *MapColumn) Slice(from, to int) Column          { return c.with(c.Arr.Slice(from, to)) }
func (c *MapColumn) Filter(keep []uint8, n int) Column  { return c.with(c.Arr.Filter(keep, n)) }
func (c *MapColumn) Gather(rows []uint32) Column        { return c.with(c.Arr.Gather(rows)) }
func (c *MapColumn) Replicate(o []uint64) Column        { return c.with(c.Arr.Replicate(o)) }
func (c *MapColumn) AppendDefault(n int)                { c.Arr.AppendDefault(n) }
func (c *MapColumn) Truncate(n int)                     { c.Arr.Truncate(n) }
func (c *MapColumn) AppendKey(buf []byte, i int) []byte { return c.Arr.AppendKey(buf, i) }
func (c *MapColumn) ReadKey(buf []byte) []byte          { return c.Arr.ReadKey(buf) }
func (c *MapColumn) Bytes() int                         { return c.Arr.Bytes() }
func (c *MapColumn) AppendRange(src Column, from, to int) {
	if s, ok := src.(*MapColumn); ok {
		c.Arr.AppendRange(s.Arr, from, to)
		return
	}
	appendOther(c, src, from, to)
}

func (c *MapColumn) Compare(i int, o Column, j int, nulls int) int {
	if x, ok := o.(*MapColumn); ok {
		return c.Arr.Compare(i, x.Arr, j, nulls)
	}
	return c.Compare(i, Plain(o), j, nulls)
}

// NothingColumn is a column of type Nothing: rows without a value, as in NULL's type Nullable(Nothing) and the empty array.
type NothingColumn struct{ N int }

func (c *NothingColumn) Type() *Type                        { return Of(Nothing) }
func (c *NothingColumn) Len() int                           { return c.N }
func (c *NothingColumn) New(int) Column                     { return &NothingColumn{} }
func (c *NothingColumn) Slice(from, to int) Column          { return &NothingColumn{N: to - from} }
func (c *NothingColumn) Filter(_ []uint8, n int) Column     { return &NothingColumn{N: n} }
func (c *NothingColumn) Gather(rows []uint32) Column        { return &NothingColumn{N: len(rows)} }
func (c *NothingColumn) AppendRange(_ Column, from, to int) { c.N += to - from }
func (c *NothingColumn) AppendDefault(n int)                { c.N += n }
func (c *NothingColumn) Truncate(n int)                     { c.N = n }
func (c *NothingColumn) Compare(int, Column, int, int) int  { return 0 }
func (c *NothingColumn) AppendKey(buf []byte, _ int) []byte { return buf }
func (c *NothingColumn) ReadKey(buf []byte) []byte          { c.N++; return buf }
func (c *NothingColumn) Bytes() int                         { return 0 }
func (c *NothingColumn) Replicate(o []uint64) Column {
	if len(o) == 0 {
		return &NothingColumn{}
	}
	return &NothingColumn{N: int(o[len(o)-1])}
}
