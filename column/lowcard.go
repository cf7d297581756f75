package column

import "unsafe"

// LowCard is a LowCardinality column: each distinct value once in Dict, and its number a row. Row 0 of Dict is NULL where the type is
// LowCardinality(Nullable(T)), else the default value; Dict holds no value twice when made by this package's builder.
type LowCard struct {
	T     *Type
	Dict  Column   // of type T.Elems[0]
	Index []uint32 // a row's place in Dict

	seen map[string]uint32 // builder's index of Dict by key image
	buf  []byte
}

// NewLowCard returns an empty LowCardinality column with room for n rows.
func NewLowCard(t *Type, n int) *LowCard {
	c := &LowCard{T: t, Dict: New(t.Elems[0], 16), Index: make([]uint32, 0, n)}
	c.Dict.AppendDefault(1)
	return c
}

// Expand returns the plain column of the rows' values.
func (c *LowCard) Expand() Column { return c.Dict.Gather(c.Index) }

// Code returns the place in Dict of row i of src (a column of the inner type), adding the value where it is new.
func (c *LowCard) Code(src Column, i int) uint32 {
	if c.seen == nil {
		c.seen = make(map[string]uint32, c.Dict.Len())
		for k := 0; k < c.Dict.Len(); k++ {
			c.seen[string(c.Dict.AppendKey(nil, k))] = uint32(k)
		}
	}
	c.buf = c.buf[:0]
	switch s := src.(type) {
	case *Null:
		c.buf = s.AppendKey(c.buf, i)
	default:
		if c.T.Elems[0].Kind == Nullable {
			c.buf = append(c.buf, 0)
		}
		c.buf = src.AppendKey(c.buf, i)
	}
	if k, ok := c.seen[unsafe.String(unsafe.SliceData(c.buf), len(c.buf))]; ok {
		return k
	}
	k := uint32(c.Dict.Len())
	c.Dict.AppendRange(src, i, i+1)
	c.seen[string(c.buf)] = k
	return k
}

func (c *LowCard) Type() *Type               { return c.T }
func (c *LowCard) Len() int                  { return len(c.Index) }
func (c *LowCard) New(n int) Column          { return NewLowCard(c.T, n) }
func (c *LowCard) Truncate(n int)            { c.Index = c.Index[:n] }
func (c *LowCard) Bytes() int                { return 4*cap(c.Index) + c.Dict.Bytes() }
func (c *LowCard) AppendDefault(n int)       { c.Index = appendZero(c.Index, n) }
func (c *LowCard) with(x []uint32) Column    { return &LowCard{T: c.T, Dict: c.Dict, Index: x} }
func (c *LowCard) Slice(from, to int) Column { return c.with(c.Index[from:to:to]) }
func (c *LowCard) Filter(keep []uint8, n int) Column {
	return c.with(filterSlice(nil, c.Index, keep, n))
}
func (c *LowCard) Gather(rows []uint32) Column { return c.with(gatherSlice(c.Index, rows)) }
func (c *LowCard) Replicate(o []uint64) Column { return c.with(replicateSlice(c.Index, o)) }

// AppendRange takes LowCardinality columns and plain ones of the inner type.
func (c *LowCard) AppendRange(src Column, from, to int) {
	switch s := src.(type) {
	case *LowCard:
		codes := make([]uint32, s.Dict.Len()) // 0 = not asked yet
		for _, k := range s.Index[from:to] {
			if codes[k] == 0 {
				codes[k] = c.Code(s.Dict, int(k)) + 1
			}
			c.Index = append(c.Index, codes[k]-1)
		}
	case *Const:
		appendOther(c, src, from, to)
	default:
		for i := from; i < to; i++ {
			c.Index = append(c.Index, c.Code(src, i))
		}
	}
}

func (c *LowCard) Compare(i int, o Column, j int, nulls int) int {
	return Compare(c.Dict, int(c.Index[i]), o, j, nulls)
}

func (c *LowCard) AppendKey(buf []byte, i int) []byte { return c.Dict.AppendKey(buf, int(c.Index[i])) }

func (c *LowCard) ReadKey(buf []byte) []byte {
	one := c.Dict.New(1)
	rest := one.ReadKey(buf)
	c.Index = append(c.Index, c.Code(one, 0))
	return rest
}
