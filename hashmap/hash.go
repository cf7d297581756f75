package hashmap

import (
	"encoding/binary"
	"math/bits"
)

// Multipliers of Mix64: Stafford's variant 13 of MurmurHash3's finaliser, as SplitMix64 uses it, and their
// inverses modulo 2^64.
const (
	mixA        = 0xbf58476d1ce4e5b9
	mixB        = 0x94d049bb133111eb
	mixAInverse = 0x96de1b173f119089
	mixBInverse = 0x319642b2d24d8ec3
)

// Mix64 spreads the bits of a key over all bits of its result. It is a bijection: Unmix64 gives the key back, so
// a table that stores mixed keys stores the keys.
func Mix64(x uint64) uint64 {
	x = (x ^ x>>30) * mixA
	x = (x ^ x>>27) * mixB
	return x ^ x>>31
}

// Unmix64 is the inverse of Mix64.
func Unmix64(x uint64) uint64 {
	x = (x ^ x>>31 ^ x>>62) * mixBInverse
	x = (x ^ x>>27 ^ x>>54) * mixAInverse
	return x ^ x>>30 ^ x>>60
}

// IntHash64 is ClickHouse's intHash64: MurmurHash3's finaliser over the key xored with a constant.
func IntHash64(x uint64) uint64 {
	x ^= 0x4CF2D2BAAE6DA887
	x = (x ^ x>>33) * 0xff51afd7ed558ccd
	x = (x ^ x>>33) * 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}

// Scale maps a hash to 0..n-1 in proportion, by its high bits; a larger hash never gets a smaller place.
func Scale(hash uint64, n uint64) uint64 {
	hi, _ := bits.Mul64(hash, n)
	return hi
}

// Odd constants of HashBytes: digits of the golden ratio and of square roots of primes.
const (
	bytesA = 0x9e3779b97f4a7c15
	bytesB = 0xbb67ae8584caa73b
	bytesC = 0x3c6ef372fe94f82b
	bytesD = 0xa54ff53a5f1d36f1
)

// fold multiplies to 128 bits and xors the halves: the strongest mixing that one instruction gives.
func fold(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return hi ^ lo
}

// HashBytes hashes a byte string: 16 bytes a multiplication, all 64 bits of the result well mixed. Both factors of
// every multiplication depend on the seed, so that without it nobody can make one of them zero.
func HashBytes(b []byte, seed uint64) uint64 {
	s := Mix64(seed ^ bytesA)
	h := s ^ bytesC
	n := len(b)
	switch {
	case n > 16:
		p := b
		if n > 48 {
			x, y := h, h
			for len(p) > 48 {
				h = fold(binary.LittleEndian.Uint64(p)^s, binary.LittleEndian.Uint64(p[8:])^h)
				x = fold(binary.LittleEndian.Uint64(p[16:])^s^bytesB, binary.LittleEndian.Uint64(p[24:])^x)
				y = fold(binary.LittleEndian.Uint64(p[32:])^s^bytesD, binary.LittleEndian.Uint64(p[40:])^y)
				p = p[48:]
			}
			h ^= x ^ bits.RotateLeft64(y, 23)
		}
		for len(p) > 16 {
			h = fold(binary.LittleEndian.Uint64(p)^s, binary.LittleEndian.Uint64(p[8:])^h)
			p = p[16:]
		}
		return finish(binary.LittleEndian.Uint64(b[n-16:]), binary.LittleEndian.Uint64(b[n-8:]), s, h, n)
	case n >= 8:
		return finish(binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[n-8:]), s, h, n)
	case n >= 4:
		return finish(uint64(binary.LittleEndian.Uint32(b)), uint64(binary.LittleEndian.Uint32(b[n-4:])), s, h, n)
	case n > 0:
		return finish(uint64(b[0])<<16|uint64(b[n>>1])<<8|uint64(b[n-1]), 0, s, h, n)
	}
	return finish(0, 0, s, h, 0)
}

func finish(lo, hi, s, h uint64, n int) uint64 {
	return fold(bytesD^uint64(n)^s, fold(lo^s^bytesB, hi^h)^bytesC)
}
