// Package cityhash is CityHash64 of version 1.0.2, the one that ClickHouse keeps to (github.com/google/cityhash, city.cc of that version).
package cityhash

import "encoding/binary"

const (
	k0   = 0xc3a5c85c97cb3127
	k1   = 0xb492b66fbe98f273
	k2   = 0x9ae16a3b2f90404f
	k3   = 0xc949d7c7509e6557
	kMul = 0x9ddfea08eb382d69
)

// Mix, Hash128to64 in the original, mixes two words into one (Murmur-inspired).
func Mix(lo, hi uint64) uint64 {
	a := (lo ^ hi) * kMul
	a ^= a >> 47
	b := (hi ^ a) * kMul
	b ^= b >> 47
	return b * kMul
}

func shiftMix(v uint64) uint64 { return v ^ v>>47 }

func rotr64(v uint64, n int) uint64 { return v>>n | v<<(64-n) }

// Sum64 hashes bytes.
func Sum64(s []byte) uint64 {
	n := uint64(len(s))
	switch {
	case n <= 16:
		return upTo16(s, n)
	case n <= 32:
		a, b := le64(s)*k1, le64(s[8:])
		c, d := le64(s[n-8:])*k2, le64(s[n-16:])*k0
		return Mix(rotr64(a-b, 43)+rotr64(c, 30)+d, a+rotr64(b^k3, 20)-c+n)
	case n <= 64:
		return upTo64(s, n)
	}
	x, y, z := le64(s), le64(s[n-16:])^k1, le64(s[n-56:])^k0
	v1, v2 := weak(s[n-64:], n, y)
	w1, w2 := weak(s[n-32:], n*k1, k0)
	z += shiftMix(v2) * k1
	x = rotr64(z+x, 39) * k1
	y = rotr64(y, 33) * k1
	for n = (n - 1) &^ 63; n > 0; n -= 64 {
		x = rotr64(x+y+v1+le64(s[16:]), 37) * k1
		y = rotr64(y+v2+le64(s[48:]), 42) * k1
		x ^= w2
		y ^= v1
		z = rotr64(z^w1, 33)
		v1, v2 = weak(s, v2*k1, x+w1)
		w1, w2 = weak(s[32:], z+w2, y)
		z, x = x, z
		s = s[64:]
	}
	return Mix(Mix(v1, w1)+shiftMix(y)*k1+z, Mix(v2, w2)+x)
}

func upTo16(s []byte, n uint64) uint64 {
	switch {
	case n > 8:
		a, b := le64(s), le64(s[n-8:])
		return Mix(a, rotr64(b+n, int(n))) ^ b
	case n >= 4:
		a := uint64(le32(s))
		return Mix(n+a<<3, uint64(le32(s[n-4:])))
	case n > 0:
		y := uint32(s[0]) + uint32(s[n>>1])<<8
		z := uint32(n) + uint32(s[n-1])<<2
		return shiftMix(uint64(y)*k2^uint64(z)*k3) * k2
	}
	return k2
}

func upTo64(s []byte, n uint64) uint64 {
	z := le64(s[24:])
	a := le64(s) + (n+le64(s[n-16:]))*k0
	b, c := rotr64(a+z, 52), rotr64(a, 37)
	a += le64(s[8:])
	c += rotr64(a, 7)
	a += le64(s[16:])
	vf, vs := a+z, b+rotr64(a, 31)+c
	a = le64(s[16:]) + le64(s[n-32:])
	z = le64(s[n-8:])
	b, c = rotr64(a+z, 52), rotr64(a, 37)
	a += le64(s[n-24:])
	c += rotr64(a, 7)
	a += le64(s[n-16:])
	wf, ws := a+z, b+rotr64(a, 31)+c
	r := shiftMix((vf+ws)*k2 + (wf+vs)*k0)
	return shiftMix(r*k0+vs) * k2
}

func weak(s []byte, a, b uint64) (uint64, uint64) {
	w, x, y, z := le64(s), le64(s[8:]), le64(s[16:]), le64(s[24:])
	a += w
	b = rotr64(b+a+z, 21)
	c := a
	a += x
	a += y
	b += rotr64(a, 44)
	return a + z, b + c
}

func le64(b []byte) uint64 { return binary.LittleEndian.Uint64(b) }

func le32(b []byte) uint32 { return binary.LittleEndian.Uint32(b) }
