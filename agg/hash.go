package agg

import (
	"encoding/binary"
	"hash/crc32"
	"math"

	"dictsvc/column"
)

// Hashes of ClickHouse's hash tables and sets of distinct values. Where the order or the bytes of a state follow from them, they are part of its format.

// finalize64 is Murmur's finalizer, which ClickHouse hashes integers with inside of functions; the SQL function intHash64 has a constant in front.
func finalize64(x uint64) uint64 {
	x = (x ^ x>>33) * 0xff51afd7ed558ccd
	x = (x ^ x>>33) * 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}

// crcTables are for eight bytes at a time: table i is that of a byte with i bytes behind it.
var crcTables = makeCRCTables()

func makeCRCTables() *[8][256]uint32 {
	t := &[8][256]uint32{*crc32.MakeTable(crc32.Castagnoli)}
	for i := range 256 {
		c := t[0][i]
		for j := 1; j < 8; j++ {
			c = t[0][c&0xff] ^ c>>8
			t[j][i] = c
		}
	}
	return t
}

// crc64 is the processor's CRC32C step over a word, as ClickHouse hashes keys of its tables: no inversion at either end.
func crc64(seed uint32, x uint64) uint32 {
	t := crcTables
	x ^= uint64(seed)
	return t[7][x&0xff] ^ t[6][x>>8&0xff] ^ t[5][x>>16&0xff] ^ t[4][x>>24&0xff] ^
		t[3][x>>32&0xff] ^ t[2][x>>40&0xff] ^ t[1][x>>48&0xff] ^ t[0][x>>56]
}

// crcKey is the hash of a key of up to 64 bits.
func crcKey(x uint64) uint64 { return uint64(crc64(math.MaxUint32, x)) }

// keyBits is a number's bits in a word, zeros above.
func keyBits[T column.Number](v T) uint64 {
	var w [8]byte
	var one [1]T
	one[0] = v
	copy(w[:], column.Raw(one[:]))
	return binary.LittleEndian.Uint64(w[:])
}

// crcWords is the hash of a key of several words.
func crcWords(words ...uint64) uint64 {
	crc := uint32(math.MaxUint32)
	for _, w := range words {
		crc = crc64(crc, w)
	}
	return uint64(crc)
}
