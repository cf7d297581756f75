package agg

import (
	"hash/crc32"
	"slices"

	"dictsvc/column"
	"dictsvc/internal/cityhash"
)

// Sets in ClickHouse's states and groupUniqArray's results come in the order of its hash table. To write the same bytes the table is built
// again: open addressing with linear probing, 16 cells at first, at most half of them full; it grows fourfold, twofold from 2^23 cells on, and
// then moves in place those cells whose home is elsewhere. A zero (or the empty string) stands before all others.

// How many cells a table begins with, and one of uniqExact's hashes or of groupUniqArray's values that are not numbers.
const (
	setCells = 16
	fewCells = 8
)

// setTable has a row's place in the list + 1 in each cell, 0 where it is free. One table orders many lists, one after another.
type setTable struct {
	cells  []uint32
	hashes []uint64 // by place
	out    []uint32
}

// order is the order in which the table has n values, all different and inserted in this order, whose hashes are given by hash. It is valid until the next call.
func (t *setTable) order(n, first int, hash func(i int) (h uint64, zero bool)) []uint32 {
	t.hashes = t.hashes[:0]
	zeroAt := -1
	for i := range n {
		h, zero := hash(i)
		if t.hashes = append(t.hashes, h); zero {
			zeroAt = i
		}
	}
	return t.place(first, zeroAt)
}

// place is the order of the values whose hashes are set, the one at zeroAt before all (-1: there is none).
func (t *setTable) place(first, zeroAt int) []uint32 {
	t.out = t.out[:0]
	if len(t.hashes) == 1 {
		t.out = append(t.out, 0)
		return t.out
	}
	if cap(t.cells) < first {
		t.cells = make([]uint32, first)
	}
	t.cells = t.cells[:first]
	clear(t.cells)
	if zeroAt >= 0 {
		t.out = append(t.out, uint32(zeroAt))
	}
	for i, h := range t.hashes {
		if i != zeroAt {
			mask := uint64(len(t.cells) - 1)
			at := h & mask
			for t.cells[at] != 0 {
				at = (at + 1) & mask
			}
			t.cells[at] = uint32(i + 1)
		}
		if i+1 > len(t.cells)/2 {
			t.grow()
		}
	}
	for _, c := range t.cells {
		if c != 0 {
			t.out = append(t.out, c-1)
		}
	}
	return t.out
}

// find is the cell of a row, or the free one where it belongs.
func (t *setTable) find(row uint32, h uint64) int {
	mask := len(t.cells) - 1
	at := int(h) & mask
	for t.cells[at] != 0 && t.cells[at] != row {
		at = (at + 1) & mask
	}
	return at
}

func (t *setTable) grow() {
	was := len(t.cells)
	size := 4 * was
	if was >= 1<<23 {
		size = 2 * was
	}
	t.cells = slices.Grow(t.cells, size-was)[:size]
	clear(t.cells[was:])
	at := 0
	for ; at < was; at++ {
		t.reinsert(at)
	}
	for ; at < size && t.cells[at] != 0; at++ { // a chain that went over the old end
		t.reinsert(at)
	}
}

func (t *setTable) reinsert(at int) {
	row := t.cells[at]
	if row == 0 {
		return
	}
	if to := t.find(row, t.hashes[row-1]); to != at && t.cells[to] == 0 {
		t.cells[to], t.cells[at] = row, 0
	}
}

// numberHash hashes a number of up to 32 bytes: the big unsigned ones by CityHash's mixing, all else by Murmur's finalizer, which misses the last quarter of an Int256.
func numberHash(kind column.Kind, raw []byte) (uint64, bool) {
	var w [4]uint64
	copy(column.Raw(w[:]), raw)
	zero := w == [4]uint64{}
	switch kind {
	case column.UInt128:
		return cityhash.Mix(w[0], w[1]), zero
	case column.UInt256:
		return cityhash.Mix(cityhash.Mix(w[0], w[1]), cityhash.Mix(w[2], w[3])), zero
	}
	return finalize64(w[0] ^ w[1] ^ w[2]), zero
}

// bytesHash hashes a string as ClickHouse does with CRC instructions.
func bytesHash(b []byte, castagnoli *crc32.Table) (uint64, bool) {
	switch {
	case len(b) == 0:
		return 0, true
	case len(b) < 8:
		return uint64(uint32(cityhash.Sum64(b))), false
	}
	crc := ^uint32(0)
	step := func(w []byte) { crc = ^crc32.Update(^crc, castagnoli, w) }
	at := 0
	for {
		step(b[at : at+8])
		if at += 8; at+8 >= len(b) {
			break
		}
	}
	step(b[len(b)-8:])
	return uint64(crc), false
}

// setHash gives the hash of the rows of a set's columns.
func setHash(args []column.Column, raw bool) func(row uint32) (uint64, bool) {
	castagnoli := crc32.MakeTable(crc32.Castagnoli)
	var buf []byte
	return func(row uint32) (uint64, bool) {
		buf = buf[:0]
		switch {
		case raw:
			return numberHash(args[0].Type().Kind, column.AppendNative(buf, args[0], int(row)))
		case len(args) == 1:
			buf = image(buf, args[0], int(row), true)
		default:
			for _, a := range args {
				buf = column.AppendHashed(buf, a, int(row))
			}
		}
		return bytesHash(buf, castagnoli)
	}
}
