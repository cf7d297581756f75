package function

import "math/bits"

// The Murmur family (Austin Appleby, public domain), with the seeds that ClickHouse uses.

func murmur2(s []byte, seed uint32) uint32 {
	const m = 0x5bd1e995
	h := seed ^ uint32(len(s))
	for ; len(s) >= 4; s = s[4:] {
		k := le32(s) * m
		k ^= k >> 24
		h = h*m ^ k*m
	}
	switch len(s) {
	case 3:
		h ^= uint32(s[2]) << 16
		fallthrough
	case 2:
		h ^= uint32(s[1]) << 8
		fallthrough
	case 1:
		h = (h ^ uint32(s[0])) * m
	}
	h ^= h >> 13
	h *= m
	return h ^ h>>15
}

func murmur64A(s []byte, seed uint64) uint64 {
	const m = 0xc6a4a7935bd1e995
	h := seed ^ uint64(len(s))*m
	for ; len(s) >= 8; s = s[8:] {
		k := le64(s) * m
		k ^= k >> 47
		h = (h ^ k*m) * m
	}
	if len(s) > 0 {
		var k uint64
		for i := len(s) - 1; i >= 0; i-- {
			k = k<<8 | uint64(s[i])
		}
		h = (h ^ k) * m
	}
	h ^= h >> 47
	h *= m
	return h ^ h>>47
}

// gccMurmur is the hash of libstdc++, which mixes like MurmurHash64A with another seed.
func gccMurmur(s []byte) uint64 { return murmur64A(s, 0xc70f6907) }

func murmur3x32(s []byte) uint32 {
	const c1, c2 = 0xcc9e2d51, 0x1b873593
	n := uint32(len(s))
	var h uint32
	for ; len(s) >= 4; s = s[4:] {
		h ^= bits.RotateLeft32(le32(s)*c1, 15) * c2
		h = bits.RotateLeft32(h, 13)*5 + 0xe6546b64
	}
	var k uint32
	for i := len(s) - 1; i >= 0; i-- {
		k = k<<8 | uint32(s[i])
	}
	h ^= bits.RotateLeft32(k*c1, 15) * c2
	h ^= n
	h ^= h >> 16
	h *= 0x85ebca6b
	h ^= h >> 13
	h *= 0xc2b2ae35
	return h ^ h>>16
}

func fmix64(k uint64) uint64 {
	k ^= k >> 33
	k *= 0xff51afd7ed558ccd
	k ^= k >> 33
	k *= 0xc4ceb9fe1a85ec53
	return k ^ k>>33
}

func murmur3x128(s []byte) (uint64, uint64) {
	const c1, c2 = 0x87c37b91114253d5, 0x4cf5ad432745937f
	n := uint64(len(s))
	var h1, h2 uint64
	for ; len(s) >= 16; s = s[16:] {
		h1 ^= rotl64(le64(s)*c1, 31) * c2
		h1 = (rotl64(h1, 27)+h2)*5 + 0x52dce729
		h2 ^= rotl64(le64(s[8:])*c2, 33) * c1
		h2 = (rotl64(h2, 31)+h1)*5 + 0x38495ab5
	}
	var k1, k2 uint64
	for i := len(s) - 1; i >= 8; i-- {
		k2 = k2<<8 | uint64(s[i])
	}
	for i := min(len(s), 8) - 1; i >= 0; i-- {
		k1 = k1<<8 | uint64(s[i])
	}
	h2 ^= rotl64(k2*c2, 33) * c1
	h1 ^= rotl64(k1*c1, 31) * c2
	h1, h2 = h1^n, h2^n
	h1 += h2
	h2 += h1
	h1, h2 = fmix64(h1), fmix64(h2)
	h1 += h2
	return h1, h2 + h1
}

// xxHash (Yann Collet, BSD), seed 0.

const (
	xxP1 = 11400714785074694791
	xxP2 = 14029467366897019727
	xxP3 = 1609587929392839161
	xxP4 = 9650029242287828579
	xxP5 = 2870177450012600261
)

func xxRound(acc, v uint64) uint64 { return rotl64(acc+v*xxP2, 31) * xxP1 }

func xxHash64(s []byte) uint64 {
	n := uint64(len(s))
	h := uint64(xxP5)
	if n >= 32 {
		var p1 uint64 = xxP1
		v1, v2, v3, v4 := p1+xxP2, uint64(xxP2), uint64(0), -p1
		for ; len(s) >= 32; s = s[32:] {
			v1, v2 = xxRound(v1, le64(s)), xxRound(v2, le64(s[8:]))
			v3, v4 = xxRound(v3, le64(s[16:])), xxRound(v4, le64(s[24:]))
		}
		h = rotl64(v1, 1) + rotl64(v2, 7) + rotl64(v3, 12) + rotl64(v4, 18)
		for _, v := range [...]uint64{v1, v2, v3, v4} {
			h = (h^xxRound(0, v))*xxP1 + xxP4
		}
	}
	h += n
	for ; len(s) >= 8; s = s[8:] {
		h = rotl64(h^xxRound(0, le64(s)), 27)*xxP1 + xxP4
	}
	if len(s) >= 4 {
		h = rotl64(h^uint64(le32(s))*xxP1, 23)*xxP2 + xxP3
		s = s[4:]
	}
	for _, b := range s {
		h = rotl64(h^uint64(b)*xxP5, 11) * xxP1
	}
	h ^= h >> 33
	h *= xxP2
	h ^= h >> 29
	h *= xxP3
	return h ^ h>>32
}

func xxHash32(s []byte) uint32 {
	const p1, p2, p3, p4, p5 = 2654435761, 2246822519, 3266489917, 668265263, 374761393
	n := uint32(len(s))
	h := uint32(p5)
	if n >= 16 {
		var q uint32 = p1
		v := [4]uint32{q + p2, p2, 0, -q}
		for ; len(s) >= 16; s = s[16:] {
			for k := range v {
				v[k] = bits.RotateLeft32(v[k]+le32(s[4*k:])*p2, 13) * p1
			}
		}
		h = bits.RotateLeft32(v[0], 1) + bits.RotateLeft32(v[1], 7) + bits.RotateLeft32(v[2], 12) + bits.RotateLeft32(v[3], 18)
	}
	h += n
	for ; len(s) >= 4; s = s[4:] {
		h = bits.RotateLeft32(h+le32(s)*p3, 17) * p4
	}
	for _, b := range s {
		h = bits.RotateLeft32(h+uint32(b)*p5, 11) * p1
	}
	h ^= h >> 15
	h *= p2
	h ^= h >> 13
	h *= p3
	return h ^ h>>16
}
