package dict

import (
	"bytes"
	"hash/maphash"
	"unsafe"

	"dictsvc/column"
	"dictsvc/dict/quotient"
	"dictsvc/errcode"
	"dictsvc/internal/mem"
)

// newKeyTable chooses the table of a definition's layout.
func newKeyTable(def *Definition, budget *mem.Budget, inline bool, bits int) keyTable {
	switch {
	case def.Complex():
		return newImageKeys(def.maxLoadFactor(), budget)
	case inline:
		return &wordKeys{t: quotient.New(bits, def.maxLoadFactor())}
	}
	return &wordKeys{t: quotient.NewRows(def.maxLoadFactor())}
}

// wordKeys is the key table of a UInt64 key.
type wordKeys struct{ t *quotient.Table }

func (k *wordKeys) insert(b *keyBatch, values []uint64, fresh []uint8) error {
	return k.t.Insert(b.words, values, fresh)
}
func (k *wordKeys) find(b *keyBatch, rows []uint64, found []uint8) { k.t.Find(b.words, rows, found) }
func (k *wordKeys) split(parts int) [][2]uint64                    { return k.t.Split(parts) }
func (k *wordKeys) seal() error                                    { return k.t.Seal() }
func (k *wordKeys) len() uint64                                    { return k.t.Len() }
func (k *wordKeys) bytes() uint64                                  { return k.t.Bytes() }
func (k *wordKeys) loadFactor() float64                            { return k.t.LoadFactor() }
func (k *wordKeys) free()                                          { k.t.Free() }

func (k *wordKeys) scan(cursor, end uint64, keys []column.Column, rows []uint64) (int, uint64) {
	c := keys[0].(*column.Num[uint64])
	n, next := k.t.Scan(cursor, end, extend(&c.Data, len(rows)), rows)
	c.Data = c.Data[:len(c.Data)-len(rows)+n]
	return n, next
}

// imageKeys is the key table of a complex key: the keys' images by row number, and cells of 24 hash bits and a 40-bit row number.
type imageKeys struct {
	images  strStore
	mem     *region
	cells   mem.Region
	mask    uint64
	n       uint64
	maxLoad float64
	seed    maphash.Seed
}

const rowBits = 40

func newImageKeys(maxLoad float64, budget *mem.Budget) *imageKeys {
	k := &imageKeys{mem: newRegion(budget), maxLoad: maxLoad, seed: maphash.MakeSeed()}
	k.images.mem = k.mem
	return k
}

func (k *imageKeys) all() []uint64 {
	return unsafe.Slice((*uint64)(k.cells.Pointer()), k.cells.Size()/8)
}

func (k *imageKeys) insert(b *keyBatch, _ []uint64, fresh []uint8) error {
	var from uint64
	for i, end := range b.ends {
		key := b.data[from:end]
		from = end
		if float64(k.n+1) > float64(k.cells.Size()/8)*k.maxLoad {
			if err := k.grow(); err != nil {
				return err
			}
		}
		h := maphash.Bytes(k.seed, key)
		at, found := k.search(h, key)
		fresh[i] = 0
		if found {
			continue
		}
		if k.n == 1<<rowBits-1 {
			return errcode.New(errcode.TooManyRows, "a dictionary holds at most %d keys", uint64(1<<rowBits-1))
		}
		if err := k.images.putPlain(key); err != nil {
			return err
		}
		k.n++
		k.all()[at] = h>>rowBits<<rowBits | k.n
		fresh[i] = 1
	}
	return nil
}

// search finds the cell of a key, or the free one where it belongs.
func (k *imageKeys) search(h uint64, key []byte) (at uint64, found bool) {
	cells := k.all()
	for at = h & k.mask; ; at = (at + 1) & k.mask {
		c := cells[at]
		if c == 0 {
			return at, false
		}
		if c>>rowBits == h>>rowBits && bytes.Equal(k.images.at(c&(1<<rowBits-1)-1), key) {
			return at, true
		}
	}
}

func (k *imageKeys) grow() error {
	size := max(64, 2*len(k.all()))
	fresh, err := mem.Alloc(k.mem.budget, 8*size)
	if err != nil {
		return err
	}
	k.cells.Free()
	k.cells = *fresh
	k.mask = uint64(size - 1)
	cells := k.all()
	for row := range k.n {
		h := maphash.Bytes(k.seed, k.images.at(row))
		at := h & k.mask
		for cells[at] != 0 {
			at = (at + 1) & k.mask
		}
		cells[at] = h>>rowBits<<rowBits | (row + 1)
	}
	return nil
}

func (k *imageKeys) find(b *keyBatch, rows []uint64, found []uint8) {
	if k.n == 0 {
		clear(rows)
		clear(found)
		return
	}
	var hashes, heads [batch]uint64
	for first := 0; first < b.n; first += batch {
		n := min(batch, b.n-first)
		from := uint64(0)
		if first > 0 {
			from = b.ends[first-1]
		}
		start := from
		for i := range n {
			end := b.ends[first+i]
			hashes[i] = maphash.Bytes(k.seed, b.data[from:end])
			heads[i] = k.all()[hashes[i]&k.mask] // the misses of a batch overlap
			from = end
		}
		from = start
		for i := range n {
			end := b.ends[first+i]
			rows[first+i], found[first+i] = 0, 0
			if heads[i] != 0 {
				if at, ok := k.search(hashes[i], b.data[from:end]); ok {
					rows[first+i], found[first+i] = k.all()[at]&(1<<rowBits-1)-1, 1
				}
			}
			from = end
		}
	}
}

func (k *imageKeys) split(parts int) [][2]uint64 {
	ranges := make([][2]uint64, parts)
	for i := range ranges {
		ranges[i] = [2]uint64{k.n * uint64(i) / uint64(parts), k.n * uint64(i+1) / uint64(parts)}
	}
	return ranges
}

func (k *imageKeys) scan(cursor, end uint64, keys []column.Column, rows []uint64) (n int, next uint64) {
	for ; cursor < end && n < len(rows); cursor++ {
		readKey(k.images.at(cursor), keys)
		rows[n] = cursor
		n++
	}
	return n, cursor
}

func (k *imageKeys) seal() error {
	err := k.images.seal()
	k.mem.seal()
	return err
}

func (k *imageKeys) len() uint64 { return k.n }
func (k *imageKeys) bytes() uint64 {
	return uint64(k.cells.Held()) + k.mem.bytes() + uint64(k.images.heap())
}

func (k *imageKeys) loadFactor() float64 {
	if k.n == 0 {
		return 0
	}
	return float64(k.n) / float64(len(k.all()))
}

func (k *imageKeys) free() {
	k.cells.Free()
	k.mem.free()
}
