package agg

import (
	"unsafe"

	"dictsvc/column"
	"dictsvc/internal/mem"
)

// Image is the keys of a number of rows in the form in which tables hold them: some words a row, and of keys that their words do not
// tell (strings of 16 bytes and more) the bytes too.
type Image struct {
	Rows  int
	width int         // words a row
	words []uint64    // of the keys' own memory where they stand there as they are wanted
	own   []uint64    // memory for words, kept from block to block
	text  *column.Str // nil where the words tell all
	pool  *mem.Pool
}

// NewImage is an image with memory of a pool (nil: the collector's).
func NewImage(p *mem.Pool) *Image { return &Image{pool: p} }

// room makes room for rows of width words.
func (img *Image) room(rows, width int) {
	img.Rows, img.width, img.text = rows, width, nil
	if cap(img.own) < rows*width {
		mem.Give(img.pool, img.own)
		img.own = mem.Take[uint64](img.pool, rows*width)
	}
	img.own = img.own[:rows*width]
	img.words = img.own
}

// Free gives a pool's memory back.
func (img *Image) Free() {
	mem.Give(img.pool, img.own)
	img.own, img.words, img.text = nil, nil, nil
}

// Bytes is the memory held.
func (img *Image) Bytes() int {
	n := 8 * cap(img.own)
	if img.text != nil {
		n += img.text.Bytes()
	}
	return n
}

// keysOf is rows [from, to) of an image's words as keys.
func keysOf[K tableKey](img *Image, from, to int) []K {
	if to <= from {
		return nil
	}
	return unsafe.Slice((*K)(unsafe.Pointer(&img.words[from*img.width])), to-from)
}

// Partitions is the number of partitions that rows are divided into by their hash.
const Partitions = 256

// partition of a key's hash.
func partition(hash uint64) uint8 { return uint8(hash >> 56) }

// Scatter puts the rows in the order of their partitions: to gets the image of them in that order, order says which row each is, and from ends[p-1] (0
// for the first) up to ends[p] they are those of partition p.
func (img *Image) Scatter(to *Image, order []uint32, ends *[Partitions]uint32) {
	var hash [256]uint64
	part := make([]uint8, img.Rows)
	var count [Partitions]uint32
	for at := 0; at < img.Rows; at += len(hash) {
		n := min(len(hash), img.Rows-at)
		img.hash(at, at+n, hash[:n])
		for i, h := range hash[:n] {
			p := partition(h)
			part[at+i] = p
			count[p]++
		}
	}
	sum := uint32(0)
	for p, n := range count {
		ends[p] = sum // of the partition before, where this one begins
		sum += n
	}
	to.room(img.Rows, img.width)
	switch img.width {
	case 1:
		scatter(to.words, img.words, part, order, ends)
	case 2:
		scatter(keysOf[[2]uint64](to, 0, img.Rows), keysOf[[2]uint64](img, 0, img.Rows), part, order, ends)
	case 4:
		scatter(keysOf[[4]uint64](to, 0, img.Rows), keysOf[[4]uint64](img, 0, img.Rows), part, order, ends)
	default:
		scatter(keysOf[[8]uint64](to, 0, img.Rows), keysOf[[8]uint64](img, 0, img.Rows), part, order, ends)
	}
	if img.text != nil {
		to.text = img.text.Gather(order[:img.Rows]).(*column.Str)
	}
}

func scatter[K tableKey](to, from []K, part []uint8, order []uint32, next *[Partitions]uint32) {
	order = order[:len(to)]
	for i, p := range part {
		at := next[p]
		next[p] = at + 1
		to[at] = from[i]
		order[at] = uint32(i)
	}
}

func (img *Image) hash(from, to int, out []uint64) {
	switch img.width {
	case 1:
		hash1(img.words[from:to], out)
	case 2:
		hash2(keysOf[[2]uint64](img, from, to), out)
	case 4:
		hash4(keysOf[[4]uint64](img, from, to), out)
	default:
		hash8(keysOf[[8]uint64](img, from, to), out)
	}
}
