package column

import "math"

// Const is a column of N equal rows: the one row of Val. Its type is Val's. It appears wherever a column may, so code that looks at
// concrete columns calls Full first or treats it apart.
type Const struct {
	Val Column // one row, never a Const
	N   int
}

// NewConst makes a constant of row 0 of val, n rows long.
func NewConst(val Column, n int) *Const {
	if k, ok := val.(*Const); ok {
		return &Const{Val: k.Val, N: n}
	}
	if val.Len() != 1 {
		val = val.Slice(0, 1)
	}
	return &Const{Val: val, N: n}
}

// Expand returns the rows written out.
func (c *Const) Expand() Column {
	switch v := c.Val.(type) {
	case *NothingColumn:
		return &NothingColumn{N: c.N}
	case *LowCard:
		return v.with(make([]uint32, 0)).(*LowCard).fill(v.Index[0], c.N)
	case filler:
		return v.fill(c.N)
	}
	return c.Val.Gather(make([]uint32, c.N))
}

// filler is a column that knows how to repeat its only row.
type filler interface{ fill(n int) Column }

func (c *Num[T]) fill(n int) Column {
	out := make([]T, n)
	if v := c.Data[0]; v != 0 || v != v || math.Signbit(float64(v)) {
		for i := range out {
			out[i] = v
		}
	}
	return &Num[T]{c.T, out}
}

func (c *Str) fill(n int) Column {
	row := c.At(0)
	claim(uint64(n) * uint64(len(row)))
	out := &Str{T: c.T, Data: repeat(row, n), Ends: make([]uint64, n)}
	for i := range out.Ends {
		out.Ends[i] = uint64(i+1) * uint64(len(row))
	}
	return out
}

// repeat is bytes.Repeat for any n; copies double in length.
func repeat(b []byte, n int) []byte {
	out := make([]byte, n*len(b))
	for at := copy(out, b); at > 0 && at < len(out); at *= 2 {
		copy(out[at:], out[:at])
	}
	return out
}

func (c *LowCard) fill(code uint32, n int) Column {
	c.Index = make([]uint32, n)
	for i := range c.Index {
		c.Index[i] = code
	}
	return c
}

func (c *Const) Type() *Type                               { return c.Val.Type() }
func (c *Const) Len() int                                  { return c.N }
func (c *Const) New(n int) Column                          { return c.Val.New(n) }
func (c *Const) Slice(from, to int) Column                 { return &Const{Val: c.Val, N: to - from} }
func (c *Const) Filter(_ []uint8, n int) Column            { return &Const{Val: c.Val, N: n} }
func (c *Const) Gather(rows []uint32) Column               { return &Const{Val: c.Val, N: len(rows)} }
func (c *Const) Bytes() int                                { return c.Val.Bytes() }
func (c *Const) Truncate(n int)                            { c.N = n }
func (c *Const) AppendKey(buf []byte, _ int) []byte        { return c.Val.AppendKey(buf, 0) }
func (c *Const) Compare(_ int, o Column, j, nulls int) int { return Compare(c.Val, 0, o, j, nulls) }
func (c *Const) Replicate(o []uint64) Column {
	if len(o) == 0 {
		return &Const{Val: c.Val}
	}
	return &Const{Val: c.Val, N: int(o[len(o)-1])}
}

// AppendRange, AppendDefault and ReadKey: a Const is never built row by row.
func (c *Const) AppendRange(Column, int, int) { panic("column: append to a constant") }
func (c *Const) AppendDefault(int)            { panic("column: append to a constant") }
func (c *Const) ReadKey([]byte) []byte        { panic("column: append to a constant") }
