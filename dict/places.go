package dict

import (
	"dictsvc/column"
	"dictsvc/packed"
)

// A place numbers an entry of a version's key table, so that a bitmap can tell something of each: the row number where rows are
// numbered, else the entry's cell in the table.

// placeScanner is a keyScanner that fills places too, which is as long as rows.
type placeScanner func(keys []column.Column, rows, places []uint64) int

// places is what the places of a version's entries are below.
func (v *Version) places() uint64 {
	if v.inline {
		return v.keys.t.Places()
	}
	return v.numbers
}

// locate looks a batch up in the version's tables, and gives the places of those that are found.
func (v *Version) locate(b *keyBatch, rows, places []uint64, found []uint8) {
	if v.inline {
		v.keys.t.LocateBatch(b.words, rows, places, found)
		return
	}
	v.keys.find(b, rows, found)
	copy(places, rows)
}

func (v *Version) placeScanner() placeScanner {
	if !v.inline {
		next := v.scanner()
		return func(keys []column.Column, rows, places []uint64) int {
			n := next(keys, rows)
			copy(places, rows[:n])
			return n
		}
	}
	var c packed.Cursor
	var words []uint64
	return func(keys []column.Column, rows, places []uint64) int {
		words = resize(words, len(rows))
		n := v.keys.t.ScanPlaces(&c, words, rows, places)
		if !v.def.Complex() {
			d := keys[0].(*column.Num[uint64])
			d.Data = append(d.Data, words[:n]...)
			return n
		}
		for _, w := range words[:n] {
			readKeyWord(w, keys)
		}
		return n
	}
}

func (v *Version) scanner() keyScanner { return v.keys.scanner(v.def.Complex()) }
