package function

import (
	"strconv"

	"dictsvc/column"
)

func itoa(n int) string { return strconv.Itoa(n) }

// arrs reads an Array column, Const or not, row by row.
type arrs struct {
	col  *column.Arr
	elem column.Column
	cst  bool
}

// newArrs reads arrays; a Map is read as the array of its pairs.
func newArrs(c column.Column) arrs {
	var a arrs
	if k, ok := c.(*column.Const); ok {
		a.cst = true
		c = k.Val
	}
	switch x := c.(type) {
	case *column.Arr:
		a.col = x
	case *column.MapColumn:
		a.col = x.Arr
	}
	a.elem = a.col.Elem
	return a
}

// row is the range of row i's elements in elem.
func (a *arrs) row(i int) (from, to int) {
	if a.cst {
		i = 0
	}
	return a.col.Range(i)
}

// pickElems builds an array column by naming, row after row, places in the elements.
type pickElems struct {
	call *Call
	from []uint32
	ends []uint64
}

func newPick(call *Call) *pickElems {
	return &pickElems{call: call, ends: make([]uint64, 0, call.Rows)}
}

func (p *pickElems) add(i int) { p.from = append(p.from, uint32(i)) }
func (p *pickElems) end() {
	p.call.Grown(12 * len(p.from))
	p.ends = append(p.ends, uint64(len(p.from)))
}
func (p *pickElems) span(a, b int) {
	for ; a < b; a++ {
		p.add(a)
	}
}

func (p *pickElems) column(t *column.Type, elem column.Column) column.Column {
	return &column.Arr{T: t, Ends: p.ends, Elem: elem.Gather(p.from)}
}
