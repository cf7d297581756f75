package column

// MaxBlockRows is the usual size of a block, ClickHouse's own: 65,409 rows.
const MaxBlockRows = 65409

// Block is a set of columns of equal length with their names.
type Block struct {
	Names []string
	Cols  []Column
	Rows  int
}

// NewBlock makes a block of columns; all must have the same length.
func NewBlock(names []string, cols []Column) *Block {
	b := &Block{Names: names, Cols: cols}
	if len(cols) > 0 {
		b.Rows = cols[0].Len()
	}
	return b
}

// Empty returns a block without rows of the given names and types.
func Empty(names []string, types []*Type) *Block {
	b := &Block{Names: names, Cols: make([]Column, len(types))}
	for i, t := range types {
		b.Cols[i] = New(t, 0)
	}
	return b
}

// Types lists the columns' types.
func (b *Block) Types() []*Type {
	t := make([]*Type, len(b.Cols))
	for i, c := range b.Cols {
		t[i] = c.Type()
	}
	return t
}

// Index finds a column by name, -1 where there is none.
func (b *Block) Index(name string) int {
	for i, n := range b.Names {
		if n == name {
			return i
		}
	}
	return -1
}

func (b *Block) each(rows int, f func(Column) Column) *Block {
	out := &Block{Names: b.Names, Cols: make([]Column, len(b.Cols)), Rows: rows}
	for i, c := range b.Cols {
		out.Cols[i] = f(c)
	}
	return out
}

// Slice returns rows [from, to), memory shared.
func (b *Block) Slice(from, to int) *Block {
	return b.each(to-from, func(c Column) Column { return c.Slice(from, to) })
}

// Filter returns the rows whose keep byte is not 0.
func (b *Block) Filter(keep []uint8) *Block {
	n := Count(keep)
	if n == b.Rows {
		return b
	}
	return b.each(n, func(c Column) Column { return c.Filter(keep, n) })
}

// Gather returns the rows named.
func (b *Block) Gather(rows []uint32) *Block {
	return b.each(len(rows), func(c Column) Column { return c.Gather(rows) })
}

// Bytes is the memory held by all columns.
func (b *Block) Bytes() int {
	n := 0
	for _, c := range b.Cols {
		n += c.Bytes()
	}
	return n
}
