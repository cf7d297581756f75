package column

import (
	"bytes"
	"encoding/binary"
	"slices"
	"unsafe"
)

// Str is a column of byte strings (type String; AggregateFunction states use it too): row i is
// Data[Ends[i-1]:Ends[i]]. A slice of a column keeps the whole Data and starts at Start.
type Str struct {
	T     *Type
	Data  []byte
	Ends  []uint64 // end offset of each row in Data
	Start uint64   // offset of row 0 in Data

	mem *Scratch // where Reserve takes its memory from
}

// Strings makes a String column of the values.
func Strings(v ...string) *Str {
	c := &Str{T: Of(String)}
	for _, s := range v {
		c.AppendString(s)
	}
	return c
}

// At returns row i; the bytes are shared and must not be changed.
func (c *Str) At(i int) []byte {
	from := c.Start
	if i > 0 {
		from = c.Ends[i-1]
	}
	return c.Data[from:c.Ends[i]:c.Ends[i]]
}

// StringAt is row i as a string that shares the column's memory; it lives as long as the column is not appended to.
func (c *Str) StringAt(i int) string {
	b := c.At(i)
	return unsafe.String(unsafe.SliceData(b), len(b))
}

// Append appends one row.
func (c *Str) Append(b []byte) {
	claim(uint64(len(c.Data) + len(b)))
	c.Data = append(c.Data, b...)
	c.Ends = append(c.Ends, uint64(len(c.Data)))
}

// Reserve makes room for n more bytes and rows more rows in one go.
func (c *Str) Reserve(n, rows int) {
	if need := len(c.Data) + n; need > cap(c.Data) {
		claim(uint64(need))
		c.Data = append(Make[uint8](c.mem, need)[:0], c.Data...)
	}
	if need := len(c.Ends) + rows; need > cap(c.Ends) {
		c.Ends = append(Make[uint64](c.mem, need)[:0], c.Ends...)
	}
}

// AppendString appends one row.
func (c *Str) AppendString(s string) {
	claim(uint64(len(c.Data) + len(s)))
	c.Data = append(c.Data, s...)
	c.Ends = append(c.Ends, uint64(len(c.Data)))
}

// EndRow makes a row of the bytes appended to Data since the last row.
func (c *Str) EndRow() {
	claim(uint64(len(c.Data)))
	c.Ends = append(c.Ends, uint64(len(c.Data)))
}

func (c *Str) Type() *Type      { return c.T }
func (c *Str) Len() int         { return len(c.Ends) }
func (c *Str) New(n int) Column { return &Str{T: c.T, Ends: make([]uint64, 0, n)} }
func (c *Str) Bytes() int       { return cap(c.Data) + 8*cap(c.Ends) }

func (c *Str) first(i int) uint64 {
	if i > 0 {
		return c.Ends[i-1]
	}
	return c.Start
}

func (c *Str) Slice(from, to int) Column {
	return &Str{T: c.T, Data: c.Data, Ends: c.Ends[from:to:to], Start: c.first(from)}
}

func (c *Str) Truncate(n int) {
	c.Data = c.Data[:c.first(n)]
	c.Ends = c.Ends[:n]
}

func (c *Str) Filter(keep []uint8, n int) Column { return c.filterIn(nil, keep, n) }

// filterIn copies runs of rows that stay at once.
func (c *Str) filterIn(m *Scratch, keep []uint8, n int) Column {
	total := uint64(0)
	from := c.Start
	for i, end := range c.Ends {
		total += (end - from) * uint64(one(keep[i]))
		from = end
	}
	out := &Str{T: c.T, Data: Make[uint8](m, int(total))[:0], Ends: Make[uint64](m, n)[:0]}
	for i := 0; i < len(keep); {
		if keep[i] == 0 {
			i++
			continue
		}
		j := i + 1
		for j < len(keep) && keep[j] != 0 {
			j++
		}
		begin := c.first(i)
		shift := uint64(len(out.Data)) - begin
		out.Data = append(out.Data, c.Data[begin:c.Ends[j-1]]...)
		for _, e := range c.Ends[i:j] {
			out.Ends = append(out.Ends, e+shift)
		}
		i = j
	}
	return out
}

func (c *Str) Gather(rows []uint32) Column {
	total := 0
	for _, r := range rows {
		total += int(c.Ends[r] - c.first(int(r)))
	}
	claim(uint64(total))
	out := &Str{T: c.T, Data: make([]byte, 0, total), Ends: make([]uint64, len(rows))}
	for i, r := range rows {
		out.Data = append(out.Data, c.At(int(r))...)
		out.Ends[i] = uint64(len(out.Data))
	}
	return out
}

func (c *Str) Replicate(offsets []uint64) Column {
	out := &Str{T: c.T}
	var prev uint64
	for i, end := range offsets {
		for ; prev < end; prev++ {
			out.Append(c.At(i))
		}
	}
	return out
}

func (c *Str) AppendDefault(n int) {
	for ; n > 0; n-- {
		if c.T.States != nil {
			c.Data = c.T.States.AppendEmpty(c.Data)
		}
		c.EndRow()
	}
}

func (c *Str) AppendRange(src Column, from, to int) {
	s, ok := src.(*Str)
	if !ok {
		appendOther(c, src, from, to)
		return
	}
	if from >= to {
		return
	}
	begin := s.first(from)
	claim(uint64(len(c.Data)) + s.Ends[to-1] - begin)
	shift := uint64(len(c.Data)) - begin
	c.Data = append(c.Data, s.Data[begin:s.Ends[to-1]]...)
	c.Ends = slices.Grow(c.Ends, to-from)
	for _, e := range s.Ends[from:to] {
		c.Ends = append(c.Ends, e+shift)
	}
}

func (c *Str) Compare(i int, o Column, j int, nulls int) int {
	if x, ok := o.(*Str); ok {
		return bytes.Compare(c.At(i), x.At(j))
	}
	return c.Compare(i, Plain(o), j, nulls)
}

func (c *Str) AppendKey(buf []byte, i int) []byte {
	b := c.At(i)
	return append(binary.AppendUvarint(buf, uint64(len(b))), b...)
}

func (c *Str) ReadKey(buf []byte) []byte {
	n, k := binary.Uvarint(buf)
	c.Append(buf[k : k+int(n)])
	return buf[k+int(n):]
}

// FixedStr is a column of FixedString(N): N bytes a row.
type FixedStr struct {
	T    *Type
	Data []byte
}

// At returns row i; the bytes are shared.
func (c *FixedStr) At(i int) []byte { w := c.T.Width; return c.Data[i*w : i*w+w : i*w+w] }

// Append appends one row, padded with zero bytes; b must not be longer than the width.
func (c *FixedStr) Append(b []byte) {
	c.Data = append(c.Data, b...)
	c.Data = appendZero(c.Data, c.T.Width-len(b))
}

func (c *FixedStr) Type() *Type      { return c.T }
func (c *FixedStr) Len() int         { return len(c.Data) / c.T.Width }
func (c *FixedStr) New(n int) Column { return &FixedStr{T: c.T, Data: make([]byte, 0, n*c.T.Width)} }
func (c *FixedStr) Bytes() int       { return cap(c.Data) }
func (c *FixedStr) Truncate(n int)   { c.Data = c.Data[:n*c.T.Width] }
func (c *FixedStr) AppendDefault(n int) {
	claim(uint64(len(c.Data)) + uint64(n)*uint64(c.T.Width))
	c.Data = appendZero(c.Data, n*c.T.Width)
}

func (c *FixedStr) Slice(from, to int) Column {
	w := c.T.Width
	return &FixedStr{T: c.T, Data: c.Data[from*w : to*w : to*w]}
}

func (c *FixedStr) Filter(keep []uint8, n int) Column {
	out := &FixedStr{T: c.T, Data: make([]byte, 0, n*c.T.Width)}
	for i, k := range keep {
		if k != 0 {
			out.Data = append(out.Data, c.At(i)...)
		}
	}
	return out
}

func (c *FixedStr) Gather(rows []uint32) Column {
	claim(uint64(len(rows)) * uint64(c.T.Width))
	out := &FixedStr{T: c.T, Data: make([]byte, 0, len(rows)*c.T.Width)}
	for _, r := range rows {
		out.Data = append(out.Data, c.At(int(r))...)
	}
	return out
}

func (c *FixedStr) Replicate(offsets []uint64) Column {
	out := &FixedStr{T: c.T}
	if len(offsets) > 0 {
		claim(offsets[len(offsets)-1] * uint64(c.T.Width))
	}
	var prev uint64
	for i, end := range offsets {
		for ; prev < end; prev++ {
			out.Data = append(out.Data, c.At(i)...)
		}
	}
	return out
}

func (c *FixedStr) AppendRange(src Column, from, to int) {
	if s, ok := src.(*FixedStr); ok {
		w := c.T.Width
		claim(uint64(len(c.Data) + (to-from)*w))
		c.Data = append(c.Data, s.Data[from*w:to*w]...)
		return
	}
	appendOther(c, src, from, to)
}

func (c *FixedStr) Compare(i int, o Column, j int, nulls int) int {
	if x, ok := o.(*FixedStr); ok {
		return bytes.Compare(c.At(i), x.At(j))
	}
	return c.Compare(i, Plain(o), j, nulls)
}

func (c *FixedStr) AppendKey(buf []byte, i int) []byte { return append(buf, c.At(i)...) }

func (c *FixedStr) ReadKey(buf []byte) []byte {
	c.Data = append(c.Data, buf[:c.T.Width]...)
	return buf[c.T.Width:]
}
