package column

import (
	"encoding/binary"
	"math/bits"
)

// maxDigits is the most bytes that an integer of 64 bits takes, its sign included.
const maxDigits = 20

// zeroes is eight ASCII zeros.
const zeroes = 0x3030303030303030

// eightDigits spreads v < 10^8 over eight bytes, the first digit lowest: halved into four digits and four, two and two, one and one, all parts at once, the
// divisions as multiplications that are exact in these ranges.
func eightDigits(v uint64) uint64 {
	high := v / 10000
	x := high | (v-10000*high)<<32
	q := x * 10486 >> 20 & 0x0000007F0000007F
	x = q | (x-100*q)<<16
	q = x * 103 >> 10 & 0x000F000F000F000F
	return q | (x-10*q)<<8
}

// putUint writes v in decimal at the head of b, which has room for 20 bytes whatever v is, and returns the number of digits.
func putUint(b []byte, v uint64) int {
	if v < 1e8 {
		d := eightDigits(v)
		skip := bits.TrailingZeros64(d|1<<56) &^ 7 // leading zeros, save the last digit
		binary.LittleEndian.PutUint64(b, (d|zeroes)>>(skip&63))
		return 8 - skip/8
	}
	high := v / 1e8
	n := putUint(b, high)
	binary.LittleEndian.PutUint64(b[n:], eightDigits(v-1e8*high)|zeroes)
	return n + 8
}

func putInt(b []byte, v int64) int {
	if v >= 0 {
		return putUint(b, uint64(v))
	}
	b[0] = '-'
	return 1 + putUint(b[1:], -uint64(v))
}

// digitsOf is the number of bytes that any of the values takes at most.
func digitsOf[T Number](data []T) int {
	lo, hi := T(0), T(0)
	for _, v := range data {
		lo, hi = min(lo, v), max(hi, v)
	}
	var buf [2 * maxDigits]byte
	n := putUint(buf[:], uint64(hi))
	if lo < 0 {
		n = max(n, putInt(buf[:], int64(lo)))
	}
	return n
}

// integerText writes integers as strings.
func integerText[T Number](m *Scratch, data []T) *Str {
	room := len(data)*digitsOf(data) + maxDigits // putUint writes past the digits that stay
	claim(uint64(room))
	buf, ends := Make[uint8](m, room), Make[uint64](m, len(data))
	at := 0
	if T(0)-1 < 0 {
		for i, v := range data {
			at += putInt(buf[at:], int64(v))
			ends[i] = uint64(at)
		}
	} else {
		for i, v := range data {
			at += putUint(buf[at:], uint64(v))
			ends[i] = uint64(at)
		}
	}
	return &Str{T: Of(String), Data: buf[:at], Ends: ends}
}

// textOfIntegers is integerText of a column of integers; nil for other columns.
func textOfIntegers(m *Scratch, c Column) *Str {
	if !c.Type().IsInteger() || c.Type().Kind == Bool {
		return nil
	}
	switch x := c.(type) {
	case *Num[uint8]:
		return integerText(m, x.Data)
	case *Num[uint16]:
		return integerText(m, x.Data)
	case *Num[uint32]:
		return integerText(m, x.Data)
	case *Num[uint64]:
		return integerText(m, x.Data)
	case *Num[int8]:
		return integerText(m, x.Data)
	case *Num[int16]:
		return integerText(m, x.Data)
	case *Num[int32]:
		return integerText(m, x.Data)
	case *Num[int64]:
		return integerText(m, x.Data)
	}
	return nil
}
