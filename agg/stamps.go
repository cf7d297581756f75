package agg

import (
	"cmp"
	"math/bits"

	"dictsvc/column"
)

// stamps is how times of one type lie in columns and compare.
type stamps[T any] struct {
	data  func(c column.Column) []T
	cmp   func(a, b T) int
	low   func(T) (v uint64, fits bool)      // the low 64 bits
	since func(a, b T) (v uint64, fits bool) // a - b, where a is no earlier
}

func numberStamps[T uint8 | uint16 | uint32 | uint64]() *stamps[T] {
	return &stamps[T]{
		data:  func(c column.Column) []T { return c.(*column.Num[T]).Data },
		cmp:   cmp.Compare[T],
		low:   func(v T) (uint64, bool) { return uint64(v), true },
		since: func(a, b T) (uint64, bool) { return uint64(a) - uint64(b), true },
	}
}

func stamps128() *stamps[column.U128] {
	return &stamps[column.U128]{
		data: wideData[column.U128],
		cmp:  column.U128.Cmp,
		low:  func(v column.U128) (uint64, bool) { return v.Lo, v.Hi == 0 },
		since: func(a, b column.U128) (uint64, bool) {
			low, borrow := bits.Sub64(a.Lo, b.Lo, 0)
			return low, a.Hi-b.Hi-borrow == 0
		},
	}
}

func stamps256() *stamps[column.U256] {
	return &stamps[column.U256]{
		data: wideData[column.U256],
		cmp:  column.U256.Cmp,
		low:  func(v column.U256) (uint64, bool) { return v.W[0], v.W[1]|v.W[2]|v.W[3] == 0 },
		since: func(a, b column.U256) (uint64, bool) {
			low, borrow := bits.Sub64(a.W[0], b.W[0], 0)
			rest := uint64(0)
			for i := 1; i < 4; i++ {
				var word uint64
				word, borrow = bits.Sub64(a.W[i], b.W[i], borrow)
				rest |= word
			}
			return low, rest == 0
		},
	}
}

func wideData[T column.WideValue[T]](c column.Column) []T { return c.(*column.Wide[T]).Data }
