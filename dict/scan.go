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
	over  *overScan   // nil where the version has no overlay
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
	keys = keys || v.inline || v.keys.holes || v.over != nil // values are in the key table, which alone knows the rows that count; the overlay goes by keys
	if parts < 1 || v.rows < 2*column.MaxBlockRows {
		parts = 1
	}
	var table *sharedScan
	if keys {
		table = &sharedScan{next: v.scanner()}
	}
	var over *overScan
	if v.over != nil {
		over = v.over.scan(cols)
	}
	list := make([]*Scanner, parts)
	for i := range list {
		s := &Scanner{v: v, cols: cols, table: table, over: over}
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
	keys, n := s.read()
	if n == 0 {
		return s.over.next()
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

// read fills s.rows with the next row numbers, and gives their keys where they are wanted; 0 at the end.
func (s *Scanner) read() ([]column.Column, int) {
	if s.table == nil {
		n := 0
		for ; n < len(s.rows) && s.row < s.end; n++ {
			s.rows[n] = s.row
			s.row++
		}
		return nil, n
	}
	for {
		keys := make([]column.Column, len(s.v.def.Keys))
		for i := range keys {
			keys[i] = column.New(s.v.def.Keys[i].Type, 0)
		}
		s.table.mu.Lock()
		n := s.table.next(keys, s.rows)
		s.table.mu.Unlock()
		if s.over != nil && n > 0 {
			if n = s.over.filter(keys, s.rows[:n]); n == 0 {
				continue // none of the block is left, and it is not the end
			}
		}
		return keys, n
	}
}
