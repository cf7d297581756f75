package dict

import (
	"dictsvc/column"
	"dictsvc/hashmap"
	"dictsvc/packed"
)

// keyTable leads keys to row numbers, or to the values themselves. Rows are numbered 0, 1, ... in the order of first sight.
type keyTable interface {
	// insert adds keys of a batch that are not there yet; fresh[i] tells which were. values are what an inlined table stores, nil for row numbers.
	insert(keys *keyBatch, values []uint64, fresh []uint8) error
	// find writes row numbers (or values) and found bytes for a batch.
	find(keys *keyBatch, rows []uint64, found []uint8)
	// scanner starts reading all entries.
	scanner() keyScanner
	// seal makes the table as small as its load factor allows.
	seal() error
	len() uint64
	bytes() uint64
	loadFactor() float64
	free()
}

// keyScanner appends up to len(rows) keys to the key columns and fills rows; it returns their number, 0 at the end.
type keyScanner func(keys []column.Column, rows []uint64) int

// hashedLoadFactor is HASHED's largest load factor where none is given. Three entries of a hundred are not in their home line then, where
// SPARSE_HASHED's 0.95 has one of eight; lower ones only make the table larger, and so slower once it is beyond the caches.
const hashedLoadFactor = 0.75

// packedKeys is the table of simple keys. HASHED and SPARSE_HASHED differ in their load factor only: measured against a table of whole keys at half
// its places (hashmap.Map), the packed one at 0.75 was as fast in the caches and nearly twice as fast beyond them, for it is half as large.
type packedKeys struct {
	t       *packed.Table
	rows    bool
	scratch []uint64
}

func (k *packedKeys) insert(b *keyBatch, values []uint64, fresh []uint8) error {
	if k.rows {
		k.scratch = resize(k.scratch, b.n)
		return k.t.InsertRows(b.words, k.scratch, fresh)
	}
	return k.t.InsertBatch(b.words, values, true, fresh)
}

func (k *packedKeys) find(b *keyBatch, rows []uint64, found []uint8) {
	clear(rows)
	k.t.FindBatch(b.words, rows, found)
}

func (k *packedKeys) scanner() keyScanner {
	var c packed.Cursor
	return func(keys []column.Column, rows []uint64) int {
		d := keys[0].(*column.Num[uint64])
		words := extend(&d.Data, len(rows))
		n := k.t.Scan(&c, words, rows)
		d.Data = d.Data[:len(d.Data)-len(rows)+n]
		return n
	}
}

func (k *packedKeys) seal() error         { k.scratch = nil; return k.t.Compact() }
func (k *packedKeys) len() uint64         { return k.t.Len() }
func (k *packedKeys) bytes() uint64       { return uint64(k.t.Bytes()) }
func (k *packedKeys) loadFactor() float64 { return k.t.LoadFactor() }
func (k *packedKeys) free()               { k.t.Free() }

// imageKeys is the table of a complex key: images of the key columns.
type imageKeys struct {
	x       *hashmap.KeyIndex
	width   int // of all images where their columns are fixed-width, else 0
	scratch []uint64
}

// imageWidth is the length of every key's image, 0 where they differ.
func imageWidth(def *Definition) int {
	w := 0
	for _, k := range def.Keys {
		if k.Type.FixedWidth() == 0 {
			return 0
		}
		w += k.Type.FixedWidth()
	}
	return w
}

func (k *imageKeys) batch(b *keyBatch) hashmap.KeyBatch {
	if k.width > 0 {
		return hashmap.KeyBatch{Data: b.data, Width: k.width}
	}
	return hashmap.KeyBatch{Data: b.data, Ends: b.ends, Start: b.start}
}

func (k *imageKeys) insert(b *keyBatch, _ []uint64, fresh []uint8) error {
	k.scratch = resize(k.scratch, b.n)
	return k.x.FindOrInsertBatch(k.batch(b), k.scratch, fresh)
}

func (k *imageKeys) find(b *keyBatch, rows []uint64, found []uint8) {
	clear(rows)
	k.x.FindBatch(k.batch(b), rows, found)
}

func (k *imageKeys) scanner() keyScanner {
	next := uint64(0)
	return func(keys []column.Column, rows []uint64) int {
		n := 0
		for ; n < len(rows) && next < k.x.Len(); n++ {
			readKey(k.x.KeyAt(next), keys)
			rows[n] = next
			next++
		}
		return n
	}
}

func (k *imageKeys) seal() error         { k.scratch = nil; return k.x.Compact() }
func (k *imageKeys) len() uint64         { return k.x.Len() }
func (k *imageKeys) bytes() uint64       { return uint64(k.x.Bytes()) }
func (k *imageKeys) loadFactor() float64 { return k.x.LoadFactor() }
func (k *imageKeys) free()               { k.x.Free() }
