package dict

import (
	"dictsvc/column"
	"dictsvc/packed"
)

// A place numbers an entry of a key table that is sealed, so that a bitmap can tell something of each: the row number where rows are
// numbered, else the entry's cell in the table.

// placed is a key table without row numbers that knows the places of its entries.
type placed interface {
	// places is what all places are below.
	places() uint64
	// locate is find with places.
	locate(keys *keyBatch, rows, places []uint64, found []uint8)
	// placeScanner is scanner with places.
	placeScanner() placeScanner
}

// placeScanner is a keyScanner that fills places too, which is as long as rows.
type placeScanner func(keys []column.Column, rows, places []uint64) int

// places is what the places of a version's entries are below.
func (v *Version) places() uint64 {
	if v.inline {
		return v.keys.(placed).places()
	}
	return v.numbers
}

// locate looks a batch up in the version's tables, and gives the places of those that are found.
func (v *Version) locate(keys *keyBatch, rows, places []uint64, found []uint8) {
	if v.inline {
		v.keys.(placed).locate(keys, rows, places, found)
		return
	}
	v.keys.find(keys, rows, found)
	copy(places, rows)
}

func (v *Version) placeScanner() placeScanner {
	if v.inline {
		return v.keys.(placed).placeScanner()
	}
	next := v.keys.scanner()
	return func(keys []column.Column, rows, places []uint64) int {
		n := next(keys, rows)
		copy(places, rows[:n])
		return n
	}
}

func (k *packedKeys) places() uint64 { return k.t.Places() }

func (k *packedKeys) locate(b *keyBatch, rows, places []uint64, found []uint8) {
	k.t.LocateBatch(b.words, rows, places, found)
}

func (k *packedKeys) placeScanner() placeScanner {
	var c packed.Cursor
	return scanWords(func(words, rows, places []uint64) int { return k.t.ScanPlaces(&c, words, rows, places) })
}

// scanWords appends the keys that scan gives to the one key column of a simple key.
func scanWords(scan func(words, rows, places []uint64) int) placeScanner {
	return func(keys []column.Column, rows, places []uint64) int {
		d := keys[0].(*column.Num[uint64])
		n := scan(extend(&d.Data, len(rows)), rows, places)
		d.Data = d.Data[:len(d.Data)-len(rows)+n]
		return n
	}
}
