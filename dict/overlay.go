package dict

import (
	"sync"

	"dictsvc/column"
	"dictsvc/internal/mem"
)

// overlay is what a version changes in the tables of its base, which it shares with the versions before it.
type overlay struct {
	rows   *Version   // rows that are new, or differ from the base's of the same key; nil where there are none
	gone   *Version   // keys of the base that are there no longer, without attributes; nil where there are none
	filter *keyFilter // of the keys of both; nil for complex keys
}

// newOverlay makes an overlay of rows and of keys that are gone, of which it takes over the caller's uses, on an error too. nil where there is neither.
func newOverlay(budget *mem.Budget, rows, gone *Version) (*overlay, error) {
	o := &overlay{rows: rows, gone: gone}
	list := o.parts()
	if len(list) == 0 {
		return nil, nil
	}
	if list[0].def.Complex() {
		return o, nil
	}
	var err error
	if o.filter, err = newKeyFilter(budget, list); err != nil {
		o.free()
		return nil, err
	}
	return o, nil
}

// overlaid makes a version of a base's tables under an overlay, nil for none, of whose rows over have a key that the base has too. The caller's uses
// of both pass to the version.
func overlaid(def *Definition, base *Version, o *overlay, over uint64) *Version {
	if o == nil && def == base.def {
		return base
	}
	v := &Version{def: def, keys: base.keys, stores: base.stores, inline: base.inline, codes: base.codes, numbers: base.numbers, mem: base.mem, rows: base.rows,
		base: base, over: o}
	v.refs.Store(1)
	if o != nil && o.rows != nil {
		v.rows += o.rows.rows - over
	}
	if o != nil && o.gone != nil {
		v.rows -= o.gone.rows
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

func (o *overlay) bytes() uint64 {
	if o == nil {
		return 0
	}
	n := o.filter.bytes()
	for _, p := range o.parts() {
		n += p.Bytes()
	}
	return n
}

func (o *overlay) free() {
	if o == nil {
		return
	}
	o.rows.Release()
	o.gone.Release()
	o.filter.free()
}

// overLookup is what a Lookup knows of the overlay.
type overLookup struct {
	rows  []uint64 // row numbers in the overlay of the keys that are there, one after another; empty for inlined numbers, which Lookup.Rows has
	moved []uint8  // which keys those are
	base  []uint8  // which keys have their row in the base

	batch keyBatch // the keys that the overlay may tell of
	words []uint64
	at    []uint32 // their places in the Lookup
	found []uint8
	none  []uint64
}

// candidates chooses the keys of a batch that the overlay may tell of.
func (o *overlay) candidates(l *Lookup) {
	x, n := &l.over, l.batch.n
	x.at = resize(x.at, n)
	if o.filter == nil {
		x.batch = l.batch
		for i := range x.at {
			x.at[i] = uint32(i)
		}
	} else {
		x.words = resize(x.words, n)
		n = o.filter.pass(l.batch.words, x.words, x.at)
		x.at = x.at[:n]
		x.batch = keyBatch{words: x.words[:n], n: n}
	}
	x.found = resize(x.found, n)
}

// find corrects what was found in the base for a batch of keys.
func (o *overlay) find(l *Lookup) {
	o.candidates(l)
	x := &l.over
	if o.gone != nil {
		x.none = resize(x.none, x.batch.n)
		o.gone.keys.find(&x.batch, x.none, x.found)
		for k, i := range x.at {
			l.Found[i] &^= x.found[k]
			l.Rows[i] &= -uint64(l.Found[i])
		}
	}
	if o.rows == nil {
		return
	}
	x.rows = resize(x.rows, x.batch.n)
	o.rows.keys.find(&x.batch, x.rows, x.found)
	if o.rows.inline && o.rows.codes == nil { // codes are those of the overlay's own list
		for k, i := range x.at {
			if x.found[k] != 0 {
				l.Rows[i], l.Found[i] = x.rows[k], 1
			}
		}
		x.rows = x.rows[:0]
		return
	}
	x.moved, x.base = resize(x.moved, l.batch.n), resize(x.base, l.batch.n)
	clear(x.moved)
	copy(x.base, l.Found)
	moved := 0
	for k, i := range x.at {
		if x.found[k] != 0 {
			x.moved[i], x.base[i], l.Found[i] = 1, 0, 1
			x.rows[moved] = x.rows[k]
			moved++
		}
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
	reserve(out, c, other)
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

// reserve makes room for the bytes of strings, the only memory whose size New cannot tell from the number of rows.
func reserve(out, c, other column.Column) {
	switch o := out.(type) {
	case *column.Str:
		if x, ok := other.(*column.Str); ok {
			o.Data = make([]byte, 0, len(c.(*column.Str).Data)+len(x.Data))
		}
	case *column.Null:
		if x, ok := other.(*column.Null); ok {
			reserve(o.Inner, c.(*column.Null).Inner, x.Inner)
		}
	}
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
	b.set(s.over.parts()[0].def, keys, 0, n)
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

// next gives a block of the overlay's rows; 0 rows at the end.
func (s *overScan) next() ([]column.Column, int) {
	if s == nil || s.rows == nil {
		return nil, 0
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.rows.Next()
}
