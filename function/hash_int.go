package function

import "math/bits"

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
	x ^= bits.RotateLeft64(x, -31)
	x *= 21
	x ^= bits.RotateLeft64(x, -11)
	x += x << 6
	x ^= bits.RotateLeft64(x, -22)
	return uint32(x)
}
