package dict

import (
	"encoding/binary"
	"math/rand/v2"

	"dictsvc/column"
	"dictsvc/hashmap"
)

// Every key becomes a word of 64 bits:
//
//	UInt64                         itself
//	columns of at most 8 bytes     their bytes, one column after another
//	strings, and longer tuples     a hash of their image; the image itself is kept beside the table, by row
//
// Images are compared only where the words are equal, so a key that is not there hardly ever costs a look at one.

// imageSeed is xored into the hash of images. Nobody outside knows it, so keys with equal hashes cannot be made up. It is the same for all
// versions, so that one batch can be looked up in several.
var imageSeed = rand.Uint64()

// shortKey is the number of bytes that make a word without a hash.
const shortKey = 8

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

// hashed tells whether words are hashes of images.
func (d *Definition) hashed() bool {
	w := imageWidth(d)
	return d.Complex() && (w == 0 || w > shortKey)
}

// keyBatch is a batch of keys: a word each and, where those are hashes, the images one after another.
type keyBatch struct {
	words []uint64
	n     int
	data  []byte
	ends  []uint64 // of the images in data
	start uint64   // where the first image begins

	ownWords []uint64 // buffers of what is not a column's own
	ownData  []byte
	ownEnds  []uint64
}

// image is the image of key i.
func (b *keyBatch) image(i int) []byte {
	from := b.start
	if i > 0 {
		from = b.ends[i-1]
	}
	return b.data[from:b.ends[i]]
}

// set fills the batch from key columns: one UInt64 column of a simple key, or the columns of a complex key.
func (b *keyBatch) set(def *Definition, keys []column.Column, from, to int) {
	b.n = to - from
	if !def.Complex() {
		b.words = column.Full(keys[0]).(*column.Num[uint64]).Data[from:to]
		return
	}
	full := make([]column.Column, len(keys))
	for i, k := range keys {
		full[i] = column.Full(k)
	}
	b.ownWords = resize(b.ownWords, b.n)
	b.words = b.ownWords
	if !def.hashed() {
		b.short(full, from, to)
		return
	}
	if s, ok := full[0].(*column.Str); ok && len(full) == 1 { // a string needs no length in front: it is the whole key
		s = s.Slice(from, to).(*column.Str)
		b.data, b.ends, b.start = s.Data, s.Ends, s.Start
	} else {
		b.images(full, from, to)
	}
	at := b.start
	for i, end := range b.ends[:b.n] {
		b.words[i] = hashmap.HashBytes(b.data[at:end], imageSeed)
		at = end
	}
}

// short makes the words of keys of at most 8 bytes.
func (b *keyBatch) short(full []column.Column, from, to int) {
	clear(b.words)
	at := uint(0)
	for _, k := range full {
		if !integers(k) {
			var image [shortKey]byte
			for i := from; i < to; i++ {
				clear(image[:])
				k.AppendKey(image[:0], i)
				b.words[i-from] |= binary.LittleEndian.Uint64(image[:]) << at
			}
		} else {
			b.ownEnds = resize(b.ownEnds, b.n)
			inlineWords(k, from, to, b.ownEnds)
			mask := ^uint64(0) >> (64 - 8*uint(k.Type().FixedWidth()))
			for i, w := range b.ownEnds {
				b.words[i] |= w & mask << at
			}
		}
		at += 8 * uint(k.Type().FixedWidth())
	}
}

// integers tells whether a column's words are its images, which those of floats are not.
func integers(c column.Column) bool {
	switch c.(type) {
	case *column.Num[uint8], *column.Num[int8], *column.Num[uint16], *column.Num[int16], *column.Num[uint32], *column.Num[int32], *column.Num[uint64], *column.Num[int64]:
		return true
	}
	return false
}

func (b *keyBatch) images(full []column.Column, from, to int) {
	data, ends := b.ownData[:0], b.ownEnds[:0]
	for i := from; i < to; i++ {
		for _, k := range full {
			data = k.AppendKey(data, i)
		}
		ends = append(ends, uint64(len(data)))
	}
	b.ownData, b.ownEnds = data, ends
	b.data, b.ends, b.start = data, ends, 0
}

// readKeyWord appends a key of at most 8 bytes to the key columns.
func readKeyWord(word uint64, keys []column.Column) {
	var image [shortKey]byte
	binary.LittleEndian.PutUint64(image[:], word)
	rest := image[:]
	for _, k := range keys {
		rest = k.ReadKey(rest)
	}
}

// readKeyImage appends a stored image to the key columns.
func readKeyImage(image []byte, keys []column.Column) {
	if s, ok := keys[0].(*column.Str); ok && len(keys) == 1 {
		s.Append(image)
		return
	}
	for _, k := range keys {
		image = k.ReadKey(image)
	}
}
