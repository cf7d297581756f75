// Package siphash is SipHash-2-4 (Aumasson and Bernstein). ClickHouse's 128-bit form is not the reference one: it writes v0^v1 and v2^v3 after the same finish as for 64 bits.
package siphash

import (
	"encoding/binary"
	"math/bits"
)

type sip struct{ v0, v1, v2, v3 uint64 }

func newSip(k0, k1 uint64) sip {
	return sip{0x736f6d6570736575 ^ k0, 0x646f72616e646f6d ^ k1, 0x6c7967656e657261 ^ k0, 0x7465646279746573 ^ k1}
}

func (s *sip) round() {
	s.v0 += s.v1
	s.v1 = bits.RotateLeft64(s.v1, 13) ^ s.v0
	s.v0 = bits.RotateLeft64(s.v0, 32)
	s.v2 += s.v3
	s.v3 = bits.RotateLeft64(s.v3, 16) ^ s.v2
	s.v0 += s.v3
	s.v3 = bits.RotateLeft64(s.v3, 21) ^ s.v0
	s.v2 += s.v1
	s.v1 = bits.RotateLeft64(s.v1, 17) ^ s.v2
	s.v2 = bits.RotateLeft64(s.v2, 32)
}

func (s *sip) word(m uint64) {
	s.v3 ^= m
	s.round()
	s.round()
	s.v0 ^= m
}

// sipState hashes all of data with key 0 and returns the finished state.
func sipState(data []byte) sip {
	s := newSip(0, 0)
	last := uint64(len(data)) << 56
	for ; len(data) >= 8; data = data[8:] {
		s.word(binary.LittleEndian.Uint64(data))
	}
	for i, b := range data {
		last |= uint64(b) << (8 * i)
	}
	s.word(last)
	s.v2 ^= 0xff
	for range 4 {
		s.round()
	}
	return s
}

// Sum64 is the hash of 64 bits.
func Sum64(data []byte) uint64 {
	s := sipState(data)
	return s.v0 ^ s.v1 ^ s.v2 ^ s.v3
}

// Sum128 is ClickHouse's hash of 128 bits.
func Sum128(data []byte) (lo, hi uint64) {
	s := sipState(data)
	return s.v0 ^ s.v1, s.v2 ^ s.v3
}
