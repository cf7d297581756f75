package dict

import (
	"sync"

	"dictsvc/column"
)

// Scanner reads a version's rows in blocks: all of them, or one of several equal parts.
type Scanner struct {
	v     *Version
	cols  []int // wanted columns: keys first, then attributes, as in Definition.Columns
	row   uint64
	end   uint64
	table *sharedScan // where keys are wanted
	found []uint8
	rows  []uint64
}

// sharedScan is one pass over the key table from which several scanners take blocks: reading keys is quick, collecting attributes is not.
type sharedScan struct {
	mu   sync.Mutex
	next keyScanner
}

// Scan starts reading the wanted columns in up to parts independent streams.
func (v *Version) Scan(cols []int, parts int) []*Scanner {
	keys := false
	for _, c := range cols {
		keys = keys || c < len(v.def.Keys)
	}
	keys = keys || v.inline // values are in the key table
	if parts < 1 || v.rows < 2*column.MaxBlockRows {
		parts = 1
	}
	var table *sharedScan
	if keys {
		table = &sharedScan{next: v.keys.scanner()}
	}
	list := make([]*Scanner, parts)
	for i := range list {
		s := &Scanner{v: v, cols: cols, table: table}
		s.row, s.end = v.rows*uint64(i)/uint64(parts), v.rows*uint64(i+1)/uint64(parts)
		list[i] = s
	}
	return list
}

// Next returns the next block of columns and its rows; 0 rows at the end.
func (s *Scanner) Next() ([]column.Column, int) {
	v := s.v
	nk := len(v.def.Keys)
	if s.found == nil {
		s.found = make([]uint8, column.MaxBlockRows)
		for i := range s.found {
			s.found[i] = 1
		}
		s.rows = make([]uint64, column.MaxBlockRows)
	}
	out := make([]column.Column, len(s.cols))
	keys := make([]column.Column, nk)
	n := 0
	if s.table != nil {
		for i := range keys {
			keys[i] = column.New(v.def.Keys[i].Type, 0)
		}
		s.table.mu.Lock()
		n = s.table.next(keys, s.rows)
		s.table.mu.Unlock()
	} else {
		for n = 0; n < len(s.rows) && s.row < s.end; n++ {
			s.rows[n] = s.row
			s.row++
		}
	}
	if n == 0 {
		return nil, 0
	}
	for i, c := range s.cols {
		if c < nk {
			out[i] = keys[c]
			continue
		}
		a := c - nk
		col := column.New(v.def.Attrs[a].Type, n)
		v.gather(a, col, s.rows[:n], s.found[:n], v.def.Attrs[a].Default)
		out[i] = col
	}
	return out, n
}
