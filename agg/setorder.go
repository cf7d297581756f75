package agg

import (
	"encoding/binary"
	"hash/crc32"

	"dictsvc/column"
	"dictsvc/internal/cityhash"
)

// Sets in ClickHouse's states and groupUniqArray's results come in the order of its hash table. To write the same bytes the table is built
// again: open addressing with linear probing, 16 cells at first, at most half of them full; it grows fourfold, twofold from 2^23 cells on, and
// then moves in place those cells whose home is elsewhere. A zero (or the empty string) stands before all others.

// How many cells a table begins with, and one of groupUniqArray that is not of numbers.
const (
	setCells     = 16
	uniqSetCells = 32
)

// setTable has a row number + 1 in each cell, 0 where it is free.
type setTable struct {
	cells  []uint32
	hashes []uint64 // by row
	n      int
}

// setOrder puts rows, all different and in the order of their insertion, into the order of the table.
func setOrder(rows []uint32, first int, hash func(row uint32) (h uint64, zero bool)) []uint32 {
	if len(rows) < 2 {
		return rows
	}
	t := setTable{cells: make([]uint32, first), hashes: make([]uint64, 0, len(rows))}
	out := make([]uint32, 0, len(rows))
	for _, r := range rows {
		h, zero := hash(r)
		t.hashes = append(t.hashes, h)
		if zero {
			out = append(out, r)
		} else {
			t.cells[t.find(uint32(len(t.hashes)), h)] = uint32(len(t.hashes))
		}
		if t.n++; t.n > len(t.cells)/2 {
			t.grow()
		}
	}
	for _, c := range t.cells {
		if c != 0 {
			out = append(out, rows[c-1])
		}
	}
	return out
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
	t.cells = append(t.cells, make([]uint32, size-was)...)
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

// numberHash hashes a value of up to 32 bytes.
func numberHash(raw []byte) (uint64, bool) {
	var words [4]uint64
	var buf [32]byte
	copy(buf[:], raw)
	for i := range words {
		words[i] = binary.LittleEndian.Uint64(buf[8*i:])
	}
	x := words[0] ^ words[1] ^ words[2] ^ words[3]
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	x *= 0xc4ceb9fe1a85ec53
	x ^= x >> 33
	return x, words == [4]uint64{}
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
			return numberHash(column.AppendNative(buf, args[0], int(row)))
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
