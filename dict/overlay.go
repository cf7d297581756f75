package dict

import (
	"sync"

	"dictsvc/column"
)

// overlay is what a version changes in the tables of its base, which it shares with the versions before it.
type overlay struct {
	rows *Version // rows that are new, or differ from the base's of the same key; nil where there are none
	gone *Version // keys of the base that are there no longer, without attributes; nil where there are none
}

// overlaid makes a version of a base's tables, of rows that go before the base's, and of keys that are gone. over counts the rows
// whose key the base has. The caller's uses of the three pass to the version.
func overlaid(def *Definition, base, rows, gone *Version, over uint64) *Version {
	if rows == nil && gone == nil && def == base.def {
		return base
	}
	v := &Version{def: def, keys: base.keys, stores: base.stores, inline: base.inline, mem: base.mem, rows: base.rows, base: base}
	v.refs.Store(1)
	if rows != nil || gone != nil {
		v.over = &overlay{rows: rows, gone: gone}
	}
	if rows != nil {
		v.rows += rows.rows - over
	}
	if gone != nil {
		v.rows -= gone.rows
	}
	return v
}

// tables is the version that owns the key table and the stores.
func (v *Version) tables() *Version {
	if v.base != nil {
		return v.base
	}
	return v
}

// parts are the versions that an overlay consists of.
func (o *overlay) parts() []*Version {
	var list []*Version
	if o != nil && o.rows != nil {
		list = append(list, o.rows)
	}
	if o != nil && o.gone != nil {
		list = append(list, o.gone)
	}
	return list
}

// overLookup is what a Lookup knows of the overlay.
type overLookup struct {
	rows  []uint64 // row numbers in the overlay of the keys that are there, one after another; empty for inlined values, which Lookup.Rows has
	moved []uint8  // which keys those are
	base  []uint8  // which keys have their row in the base
	found []uint8
	none  []uint64
}

// find corrects what was found in the base for a batch of keys.
func (o *overlay) find(l *Lookup) {
	x, n := &l.over, len(l.Rows)
	if o.gone != nil {
		x.found, x.none = resize(x.found, n), resize(x.none, n)
		o.gone.keys.find(&l.batch, x.none, x.found)
		for i, f := range x.found {
			l.Found[i] &^= f
		}
	}
	if o.rows == nil {
		return
	}
	x.rows, x.moved = resize(x.rows, n), resize(x.moved, n)
	o.rows.keys.find(&l.batch, x.rows, x.moved)
	if o.rows.inline {
		for i, m := range x.moved {
			if m != 0 {
				l.Rows[i], l.Found[i] = x.rows[i], 1
			}
		}
		x.rows = x.rows[:0]
		return
	}
	x.base = resize(x.base, n)
	moved := 0
	for i, m := range x.moved {
		x.base[i] = l.Found[i] &^ m
		l.Found[i] |= m
		x.rows[moved] = x.rows[i]
		moved += int(m)
	}
	x.rows = x.rows[:moved]
}

// attributeOver is Version.Attribute where some of the keys have their row in the overlay.
func (v *Version) attributeOver(i int, l *Lookup, def column.Column) column.Column {
	t, x := v.def.Attrs[i].Type, &l.over
	out, moved := column.New(t, len(l.Rows)), column.New(t, len(x.rows))
	v.gather(i, out, l.Rows, x.base, def)
	x.found = resize(x.found, len(x.rows))
	for k := range x.found {
		x.found[k] = 1
	}
	v.over.rows.gather(i, moved, x.rows, x.found, def)
	return mergeRows(out, moved, x.moved)
}

// mergeRows replaces the rows of c that are marked by those of other, one after another.
func mergeRows(c, other column.Column, marked []uint8) column.Column {
	out := c.New(len(marked))
	for i, next := 0, 0; i < len(marked); { // by runs of rows of one origin
		j := i + 1
		for j < len(marked) && marked[j] == marked[i] {
			j++
		}
		if marked[i] == 0 {
			out.AppendRange(c, i, j)
		} else {
			out.AppendRange(other, next, next+j-i)
			next += j - i
		}
		i = j
	}
	return out
}

// overScan is the part of a scan that an overlay adds, shared by all scanners of the scan.
type overScan struct {
	over *overlay
	mu   sync.Mutex
	rows *Scanner // of the overlay's rows, which come behind the base's; nil where there are none
}

func (o *overlay) scan(cols []int) *overScan {
	s := &overScan{over: o}
	if o.rows != nil {
		s.rows = o.rows.Scan(cols, 1)[0]
	}
	return s
}

// filter takes keys away that are gone or that the overlay has rows of, with their row numbers, and returns how many are left.
func (s *overScan) filter(keys []column.Column, rows []uint64) int {
	n := len(rows)
	var b keyBatch
	b.set(s.over.complex(), keys, 0, n)
	keep, found, scratch := make([]uint8, n), make([]uint8, n), make([]uint64, n)
	for i := range keep {
		keep[i] = 1
	}
	for _, p := range s.over.parts() {
		p.keys.find(&b, scratch, found)
		for i, f := range found {
			keep[i] &^= f
		}
	}
	left := column.Count(keep)
	if left == n {
		return n
	}
	at := 0
	for i, row := range rows {
		rows[at] = row
		at += int(keep[i])
		if at == left {
			break
		}
	}
	for i, k := range keys {
		keys[i] = k.Filter(keep, left)
	}
	return left
}

func (o *overlay) complex() bool { return o.parts()[0].def.Complex() }

// next gives a block of the overlay's rows; 0 rows at the end.
func (s *overScan) next() ([]column.Column, int) {
	if s == nil || s.rows == nil {
		return nil, 0
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.rows.Next()
}
