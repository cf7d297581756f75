package jsonl

import (
	"sync"

	"dictsvc/column"
)

// pool keeps the columns of blocks that were given back.
type pool struct {
	mu   sync.Mutex
	sets []columnSet
	keep int  // sets kept at most
	able bool // all columns are of the plain types
}

type columnSet struct {
	cols []column.Column
	rows int // that they have room for
}

// take returns columns without rows and the rows they have room for; nil where there are none that fit.
func (p *pool) take(rows int) ([]column.Column, int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for k := len(p.sets) - 1; k >= 0; k-- {
		if s := p.sets[k]; s.rows >= rows {
			p.sets[k] = p.sets[len(p.sets)-1]
			p.sets = p.sets[:len(p.sets)-1]
			return s.cols, rows
		}
	}
	return nil, rows
}

// give takes back the columns of a block.
func (p *pool) give(cols []column.Column) {
	if !p.able || len(cols) == 0 {
		return
	}
	rows := column.MaxBlockRows
	for _, c := range cols {
		c.Truncate(0)
		rows = min(rows, room(c))
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.sets) < p.keep {
		p.sets = append(p.sets, columnSet{cols, rows})
		return
	}
	for k := range p.sets { // of many sizes the larger are of more use
		if p.sets[k].rows < rows {
			p.sets[k] = columnSet{cols, rows}
			return
		}
	}
}

// room is the number of rows that a column of a plain type can hold without growing.
func room(c column.Column) int {
	switch x := c.(type) {
	case *column.Null:
		return min(cap(x.Nulls), room(x.Inner))
	case *column.Str:
		return cap(x.Ends)
	case *column.Num[uint64]:
		return cap(x.Data)
	case *column.Num[uint32]:
		return cap(x.Data)
	case *column.Num[uint16]:
		return cap(x.Data)
	case *column.Num[uint8]:
		return cap(x.Data)
	case *column.Num[int64]:
		return cap(x.Data)
	case *column.Num[int32]:
		return cap(x.Data)
	case *column.Num[int16]:
		return cap(x.Data)
	case *column.Num[int8]:
		return cap(x.Data)
	case *column.Num[float64]:
		return cap(x.Data)
	case *column.Num[float32]:
		return cap(x.Data)
	}
	return 0
}

// empty drops all columns and keeps none from now on.
func (p *pool) empty() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sets, p.keep = nil, 0
}
