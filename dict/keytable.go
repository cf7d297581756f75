package dict

import (
	"sort"

	"dictsvc/column"
	"dictsvc/hashmap"
	"dictsvc/packed"
)

// hashedLoadFactor is HASHED's largest load factor where none is given. Three entries of a hundred are not in their home line then, where
// SPARSE_HASHED's 0.95 has one of eight; lower ones only make the table larger, and so slower once it is beyond the caches.
const hashedLoadFactor = 0.75

// keyTable leads keys to row numbers, or to the values themselves. Rows are numbered 0, 1, ... in the order of first sight.
//
// HASHED and SPARSE_HASHED differ in their load factor only: measured against a table of whole keys at half its places
// (hashmap.Map), the packed one at 0.75 was as fast in the caches and nearly twice as fast beyond them, for it is half as large.
type keyTable struct {
	t      *packed.Table
	images *keyImages        // of the keys by row, where the table's keys are hashes; else nil
	twins  map[string]uint64 // rows of keys whose hash is that of an earlier row's key, by image: hardly ever any
	holes  bool              // some row numbers have no key
}

// find writes row numbers (or values) and found bytes for a batch.
func (k *keyTable) find(b *keyBatch, rows []uint64, found []uint8) {
	clear(rows)
	k.t.FindBatch(b.words, rows, found)
	if k.images != nil {
		k.images.verify(b, rows, found, func(i int) {
			if row, ok := k.twins[string(b.image(i))]; ok {
				rows[i], found[i] = row, 1
			}
		})
	}
}

// setTwins takes the rows whose key has an earlier row's hash, duplicates among them, in any order.
func (k *keyTable) setTwins(rows []uint64) {
	if len(rows) == 0 {
		return
	}
	sort.Slice(rows, func(i, j int) bool { return rows[i] < rows[j] })
	k.twins = map[string]uint64{}
	for _, row := range rows {
		image := string(k.images.image(row, nil))
		if _, ok := k.twins[image]; !ok {
			k.twins[image] = row
		}
	}
}

// eachRow puts f's result in the place of each row number (or value).
func (k *keyTable) eachRow(f func(row uint64) uint64) {
	k.t.EachValue(f)
	for image, row := range k.twins {
		k.twins[image] = f(row)
	}
}

// keyScanner appends up to len(rows) keys to the key columns and fills rows; it returns their number, 0 at the end.
type keyScanner func(keys []column.Column, rows []uint64) int

// scanner starts reading all entries.
func (k *keyTable) scanner(complex bool) keyScanner {
	switch {
	case !complex:
		var c packed.Cursor
		return scanWords(func(words, rows []uint64) int { return k.t.Scan(&c, words, rows) })
	case k.images == nil:
		var c packed.Cursor
		var words []uint64
		return func(keys []column.Column, rows []uint64) int {
			words = resize(words, len(rows))
			n := k.t.Scan(&c, words, rows)
			for _, w := range words[:n] {
				readKeyWord(w, keys)
			}
			return n
		}
	}
	next := k.rowScanner()
	var buf []byte
	return func(keys []column.Column, rows []uint64) int {
		n := next(rows)
		for _, row := range rows[:n] {
			image := k.images.image(row, buf)
			readKeyImage(image, keys)
			buf = grown(buf, image)
		}
		return n
	}
}

// grown is a buffer as large as what was put together last.
func grown(buf, last []byte) []byte {
	if cap(buf) < len(last) {
		return make([]byte, 0, 2*len(last))
	}
	return buf
}

// rowScanner gives the rows that have a key: in their order where all have.
func (k *keyTable) rowScanner() func(rows []uint64) int {
	if !k.holes {
		next, end := uint64(0), k.len()
		return func(rows []uint64) int {
			n := min(uint64(len(rows)), end-next)
			for i := range rows[:n] {
				rows[i] = next + uint64(i)
			}
			next += n
			return int(n)
		}
	}
	var c packed.Cursor
	var words, twins []uint64
	for _, row := range k.twins {
		twins = append(twins, row)
	}
	return func(rows []uint64) int {
		words = resize(words, len(rows))
		n := k.t.Scan(&c, words, rows)
		if n == 0 {
			n = copy(rows, twins)
			twins = twins[n:]
		}
		return n
	}
}

// scanWords appends the keys that scan gives to the one key column of a simple key.
func scanWords(scan func(words, rows []uint64) int) keyScanner {
	return func(keys []column.Column, rows []uint64) int {
		d := keys[0].(*column.Num[uint64])
		n := scan(extend(&d.Data, len(rows)), rows)
		d.Data = d.Data[:len(d.Data)-len(rows)+n]
		return n
	}
}

func (k *keyTable) len() uint64 { return k.t.Len() + uint64(len(k.twins)) }

// bytes is the memory of the table alone; images lie in the version's region.
func (k *keyTable) bytes() uint64 {
	n := uint64(k.t.Bytes())
	if k.images != nil {
		n += uint64(k.images.heap())
	}
	return n
}

func (k *keyTable) loadFactor() float64 { return k.t.LoadFactor() }

func (k *keyTable) free() { k.t.Free() }

// rowsWithWords gives all entries: words and row numbers (or values).
func (k *keyTable) rowsWithWords() func(words, rows []uint64) int {
	var c packed.Cursor
	var twins []string
	for image := range k.twins {
		twins = append(twins, image)
	}
	return func(words, rows []uint64) int {
		n := k.t.Scan(&c, words, rows)
		for ; n < len(rows) && len(twins) > 0; n++ {
			image := twins[0]
			words[n], rows[n] = hashmap.HashBytes([]byte(image), imageSeed), k.twins[image]
			twins = twins[1:]
		}
		return n
	}
}
