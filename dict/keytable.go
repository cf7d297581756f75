package dict

import (
	"math/rand/v2"

	"dictsvc/column"
	"dictsvc/hashmap"
	"dictsvc/internal/mem"
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

// newKeyTable chooses the table of a definition's layout. inline: the table holds values of so many bits itself (0: a set of keys).
func newKeyTable(def *Definition, budget *mem.Budget, inline bool, bits int) (keyTable, error) {
	o := hashmap.Options{MaxLoadFactor: def.Layout.MaxLoadFactor, Budget: budget, Seed: rand.Uint64()} // a seed nobody knows: chosen keys cannot be made to collide
	switch {
	case def.Complex():
		x, err := hashmap.NewKeyIndex(hashmap.KeyOptions{Options: o, Width: imageWidth(def)})
		return &imageKeys{x: x, width: imageWidth(def)}, err
	case def.Sparse():
		t, err := packed.New(packed.Options{MaxLoadFactor: o.MaxLoadFactor, Budget: budget, ValueBits: bits, Seed: o.Seed})
		return &packedKeys{t: t, rows: !inline}, err
	case inline && bits == 0:
		return newSet(o)
	case inline && bits == 8:
		return newMapKeys[uint8](o, false)
	case inline && bits == 16:
		return newMapKeys[uint16](o, false)
	case inline && bits == 64:
		return newMapKeys[uint64](o, false)
	}
	return newMapKeys[uint32](o, !inline)
}

// packedKeys is the PackedHashMap of SPARSE_HASHED.
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

// mapKeys is the table of HASHED with values, or row numbers, of type V.
type mapKeys[V hashmap.Row] struct {
	m       *hashmap.Map[V]
	rows    bool
	scratch []V
}

func newMapKeys[V hashmap.Row](o hashmap.Options, rows bool) (keyTable, error) {
	m, err := hashmap.New[V](o)
	return &mapKeys[V]{m: m, rows: rows}, err
}

func (k *mapKeys[V]) insert(b *keyBatch, values []uint64, fresh []uint8) error {
	k.scratch = resize(k.scratch, b.n)
	if k.rows {
		return hashmap.InsertRows(k.m, b.words, k.scratch, fresh)
	}
	for i, v := range values[:b.n] {
		k.scratch[i] = V(v)
	}
	return k.m.InsertBatch(b.words, k.scratch, true, fresh)
}

// findRows is how many keys are looked up into a buffer on the stack at a time.
const findRows = 512

func (k *mapKeys[V]) find(b *keyBatch, rows []uint64, found []uint8) {
	if wide, ok := any(k.m).(*hashmap.Map[uint64]); ok {
		clear(rows)
		wide.FindBatch(b.words, rows, found)
		return
	}
	var out [findRows]V
	for from := 0; from < b.n; from += findRows {
		to := min(from+findRows, b.n)
		clear(out[:])
		k.m.FindBatch(b.words[from:to], out[:to-from], found[from:to])
		for i, v := range out[:to-from] {
			rows[from+i] = uint64(v)
		}
	}
}

func (k *mapKeys[V]) scanner() keyScanner {
	var c hashmap.Cursor
	return func(keys []column.Column, rows []uint64) int {
		d := keys[0].(*column.Num[uint64])
		words := extend(&d.Data, len(rows))
		values := make([]V, len(rows))
		n := k.m.Scan(&c, words, values)
		for i, v := range values[:n] {
			rows[i] = uint64(v)
		}
		d.Data = d.Data[:len(d.Data)-len(rows)+n]
		return n
	}
}

func (k *mapKeys[V]) seal() error         { k.scratch = nil; return k.m.Compact() }
func (k *mapKeys[V]) len() uint64         { return k.m.Len() }
func (k *mapKeys[V]) bytes() uint64       { return uint64(k.m.Bytes()) }
func (k *mapKeys[V]) loadFactor() float64 { return k.m.LoadFactor() }
func (k *mapKeys[V]) free()               { k.m.Free() }

// setKeys is HASHED without attributes: keys alone.
type setKeys struct{ m *hashmap.Map[struct{}] }

func newSet(o hashmap.Options) (keyTable, error) {
	m, err := hashmap.New[struct{}](o)
	return &setKeys{m: m}, err
}

func (k *setKeys) insert(b *keyBatch, _ []uint64, fresh []uint8) error {
	return k.m.InsertBatch(b.words, make([]struct{}, b.n), true, fresh)
}

func (k *setKeys) find(b *keyBatch, rows []uint64, found []uint8) {
	clear(rows)
	k.m.FindBatch(b.words, nil, found)
}

func (k *setKeys) scanner() keyScanner {
	var c hashmap.Cursor
	return func(keys []column.Column, rows []uint64) int {
		d := keys[0].(*column.Num[uint64])
		n := k.m.Scan(&c, extend(&d.Data, len(rows)), nil)
		d.Data = d.Data[:len(d.Data)-len(rows)+n]
		return n
	}
}

func (k *setKeys) seal() error         { return k.m.Compact() }
func (k *setKeys) len() uint64         { return k.m.Len() }
func (k *setKeys) bytes() uint64       { return uint64(k.m.Bytes()) }
func (k *setKeys) loadFactor() float64 { return k.m.LoadFactor() }
func (k *setKeys) free()               { k.m.Free() }

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
