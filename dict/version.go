package dict

import (
	"sync/atomic"

	"dictsvc/column"
)

// Version is one loaded state of a dictionary. It never changes; it is freed when the registry has let go of it and its last reader has left.
type Version struct {
	def     *Definition
	keys    *keyTable
	stores  []store   // by attribute; nil where the value lies in the key table (inlined)
	inline  bool      // the only attribute's value, or its code, is the key table's value
	codes   *codeList // the strings of inlined codes; nil where the value itself is inlined
	numbers uint64    // all row numbers are below it
	mem     *region
	rows    uint64 // distinct keys
	refs    atomic.Int64

	base *Version // whose key table and stores these are, one use of it; nil where they are its own
	over *overlay // what is different from the base; nil where nothing is
}

// Lookup is the outcome of a batch of keys: what the key table gives (Rows) and which keys are there (Found, a byte each). It can be used again.
type Lookup struct {
	Rows  []uint64
	Found []uint8
	batch keyBatch
	over  overLookup
}

// Find looks up n keys. keys are the key columns: one UInt64 column for a simple key, else a column of each key's type.
func (v *Version) Find(keys []column.Column, n int, l *Lookup) {
	l.Rows, l.Found = resize(l.Rows, n), resize(l.Found, n)
	l.batch.set(v.def, keys, 0, n)
	v.keys.find(&l.batch, l.Rows, l.Found)
	l.over.rows = l.over.rows[:0]
	if v.over != nil {
		v.over.find(l)
	}
}

func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// Attribute returns the values of attribute i for the keys of a look-up, def's one row (of the attribute's type) where a key is missing.
func (v *Version) Attribute(i int, l *Lookup, def column.Column) column.Column {
	if len(l.over.rows) > 0 {
		return v.attributeOver(i, l, def)
	}
	out := column.New(v.def.Attrs[i].Type, len(l.Rows))
	v.gather(i, out, l.Rows, l.Found, def)
	return out
}

// gather appends the values of rows of the version's own tables, without the overlay.
func (v *Version) gather(i int, out column.Column, rows []uint64, found []uint8, def column.Column) {
	if v.codes != nil {
		v.codes.gatherCodes(out.(*column.Str), rows, found, def.(*column.Str).At(0))
		return
	}
	if v.inline {
		gatherInline(out, rows, found, def)
		return
	}
	v.stores[i].gather(out, rows, found, def)
}

// Definition is what the version was loaded for.
func (v *Version) Definition() *Definition { return v.def }

// Len is the number of distinct keys.
func (v *Version) Len() uint64 { return v.rows }

// Bytes is all memory the version holds: system.dictionaries.bytes_allocated.
func (v *Version) Bytes() uint64 {
	n := v.keys.bytes() + v.mem.bytes()
	if v.codes != nil {
		n += uint64(v.codes.bytes())
	}
	for _, s := range v.stores {
		if s != nil {
			n += uint64(s.heap())
		}
	}
	return n + v.over.bytes()
}

// LoadFactor is the share of the key table's places that are taken; with an overlay, of all tables' places.
func (v *Version) LoadFactor() float64 {
	factor := v.keys.loadFactor()
	if v.over == nil || factor == 0 {
		return factor
	}
	taken := float64(v.keys.len())
	places := taken / factor
	for _, p := range v.over.parts() {
		n := float64(p.keys.len())
		taken += n
		places += n / p.keys.loadFactor()
	}
	return taken / places
}

// Release ends a reader's use of the version; nil has none.
func (v *Version) Release() {
	if v == nil || v.refs.Add(-1) != 0 {
		return
	}
	v.over.free()
	if v.base != nil {
		v.base.Release()
		return
	}
	if v.keys != nil { // nil where it was never finished
		v.keys.free()
	}
	v.mem.free()
}

// Free releases a version that was never published.
func (v *Version) Free() { v.Release() }
