package function

// CityHash64 of version 1.0.2, the one that ClickHouse keeps to (github.com/google/cityhash, city.cc of that version).

const (
	cityK0  = 0xc3a5c85c97cb3127
	cityK1  = 0xb492b66fbe98f273
	cityK2  = 0x9ae16a3b2f90404f
	cityK3  = 0xc949d7c7509e6557
	cityMul = 0x9ddfea08eb382d69
)

// hash128to64 mixes two words into one (Murmur-inspired).
func hash128to64(lo, hi uint64) uint64 {
	a := (lo ^ hi) * cityMul
	a ^= a >> 47
	b := (hi ^ a) * cityMul
	b ^= b >> 47
	return b * cityMul
}

func shiftMix(v uint64) uint64 { return v ^ v>>47 }

func rotr64(v uint64, n int) uint64 { return v>>n | v<<(64-n) }

func cityHash64(s []byte) uint64 {
	n := uint64(len(s))
	switch {
	case n <= 16:
		return city0to16(s, n)
	case n <= 32:
		a, b := le64(s)*cityK1, le64(s[8:])
		c, d := le64(s[n-8:])*cityK2, le64(s[n-16:])*cityK0
		return hash128to64(rotr64(a-b, 43)+rotr64(c, 30)+d, a+rotr64(b^cityK3, 20)-c+n)
	case n <= 64:
		return city33to64(s, n)
	}
	x, y, z := le64(s), le64(s[n-16:])^cityK1, le64(s[n-56:])^cityK0
	v1, v2 := cityWeak(s[n-64:], n, y)
	w1, w2 := cityWeak(s[n-32:], n*cityK1, cityK0)
	z += shiftMix(v2) * cityK1
	x = rotr64(z+x, 39) * cityK1
	y = rotr64(y, 33) * cityK1
	for n = (n - 1) &^ 63; n > 0; n -= 64 {
		x = rotr64(x+y+v1+le64(s[16:]), 37) * cityK1
		y = rotr64(y+v2+le64(s[48:]), 42) * cityK1
		x ^= w2
		y ^= v1
		z = rotr64(z^w1, 33)
		v1, v2 = cityWeak(s, v2*cityK1, x+w1)
		w1, w2 = cityWeak(s[32:], z+w2, y)
		z, x = x, z
		s = s[64:]
	}
	return hash128to64(hash128to64(v1, w1)+shiftMix(y)*cityK1+z, hash128to64(v2, w2)+x)
}

func city0to16(s []byte, n uint64) uint64 {
	switch {
	case n > 8:
		a, b := le64(s), le64(s[n-8:])
		return hash128to64(a, rotr64(b+n, int(n))) ^ b
	case n >= 4:
		a := uint64(le32(s))
		return hash128to64(n+a<<3, uint64(le32(s[n-4:])))
	case n > 0:
		y := uint32(s[0]) + uint32(s[n>>1])<<8
		z := uint32(n) + uint32(s[n-1])<<2
		return shiftMix(uint64(y)*cityK2^uint64(z)*cityK3) * cityK2
	}
	return cityK2
}

func city33to64(s []byte, n uint64) uint64 {
	z := le64(s[24:])
	a := le64(s) + (n+le64(s[n-16:]))*cityK0
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
	r := shiftMix((vf+ws)*cityK2 + (wf+vs)*cityK0)
	return shiftMix(r*cityK0+vs) * cityK2
}

func cityWeak(s []byte, a, b uint64) (uint64, uint64) {
	w, x, y, z := le64(s), le64(s[8:]), le64(s[16:]), le64(s[24:])
	a += w
	b = rotr64(b+a+z, 21)
	c := a
	a += x
	a += y
	b += rotr64(a, 44)
	return a + z, b + c
}

// intHash64 is ClickHouse's hash of integers: Murmur's finalizer with a constant in front.
func intHash64(x uint64) uint64 {
	x ^= 0x4CF2D2BAAE6DA887
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	x *= 0xc4ceb9fe1a85ec53
	x ^= x >> 33
	return x
}

// intHash32 is Thomas Wang's 64 to 32 bit hash with a constant in front.
func intHash32(x uint64) uint32 {
	x ^= 0x75D9543DE018BF45
	x = ^x + x<<18
	x ^= rotr64(x, 31)
	x *= 21
	x ^= rotr64(x, 11)
	x += x << 6
	x ^= rotr64(x, 22)
	return uint32(x)
}
