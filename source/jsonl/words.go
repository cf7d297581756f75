package jsonl

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/bits"
	"strconv"
	"unsafe"
)

// A chunk has padding zero bytes behind its end in memory, so that reading a few words from any place in it stays within it. A zero byte
// ends numbers and matches no field, so the end of a chunk needs no test of its own on the fast paths.
const padding = 128

// pad returns b with padding zeros behind its end, within its capacity.
func pad(b []byte) []byte {
	n := len(b)
	if cap(b)-n < padding {
		c := make([]byte, n, n+n/8+padding)
		copy(c, b)
		b = c
	}
	clear(b[n : n+padding])
	return b[:n]
}

// The words are read in little-endian order: the first byte of the text is the lowest of the word. Every platform that Go's column slices
// go to the wire from has that order.
func load(p unsafe.Pointer, i int) uint64 { return *(*uint64)(unsafe.Add(p, i)) }

func at(p unsafe.Pointer, i int) byte { return *(*byte)(unsafe.Add(p, i)) }

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// zeroBytes marks zero bytes of w with 0x80; the lowest mark is right, those above it may be wrong.
func zeroBytes(w uint64) uint64 { return (w - ones) &^ w & highs }

var tens = [20]uint64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19}

// digits8 reads the decimal digits that w begins with: their value and their number, 0 to 8.
func digits8(w uint64) (v uint64, n int) {
	x := w ^ 0x3030303030303030
	other := ((x + 0x0606060606060606) | x) & 0xf0f0f0f0f0f0f0f0
	n = bits.TrailingZeros64(other) >> 3
	x <<= uint(64-8*n) & 63 // n is 0: nothing is shifted, and v has no meaning
	x = x * 2561 >> 8 & 0x00ff00ff00ff00ff
	x = x * 6553601 >> 16 & 0x0000ffff0000ffff
	return x * 42949672960001 >> 32, n
}

// digits reads an unsigned integer of up to 19 digits: its value and its length; 0 where there is no digit or there are more.
func digits(p unsafe.Pointer, i int) (v uint64, n int) {
	v, n = digits8(load(p, i))
	if n < 8 {
		return v, n
	}
	w, k := digits8(load(p, i+8))
	if k == 0 {
		return v, 8
	}
	v = v*tens[k] + w
	if k < 8 {
		return v, 8 + k
	}
	w, k = digits8(load(p, i+16))
	if k > 3 {
		return 0, 0
	}
	if k > 0 {
		v = v*tens[k] + w
	}
	return v, 16 + k
}

// ends tells whether a number can end before c.
func ends(c byte) bool {
	return c == ',' || c == '}' || c == ' ' || c == '\n' || c == '\r' || c == '\t'
}

var floatTens = [23]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// decimalText reads [-]digits[.digits] whose digits make up a number below 2^53, and few enough behind the point that one division of two
// floats without error gives the nearest float. n is 0 where it is anything else.
func decimalText(p unsafe.Pointer, i int) (mantissa uint64, scale int, neg bool, n int) {
	start := i
	if at(p, i) == '-' {
		neg = true
		i++
	}
	v, k := digits8(load(p, i))
	if k == 8 {
		v, k = digits(p, i)
	}
	if k == 0 || k > 15 {
		return 0, 0, false, 0
	}
	i += k
	if at(p, i) == '.' {
		w, m := digits8(load(p, i+1))
		if m == 8 {
			w, m = digits(p, i+1)
		}
		if m == 0 || k+m > 19 {
			return 0, 0, false, 0
		}
		v = v*tens[m] + w
		i += 1 + m
		scale = m
	}
	if v > 1<<53 {
		return 0, 0, false, 0
	}
	return v, scale, neg, i - start
}

// longFloat reads a number of any length, as JSON has it; 0 where b does not begin with one that is followed by a delimiter.
func longFloat(b []byte) (f float64, n int) {
	for n < len(b) && n < 400 && !ends(b[n]) {
		n++
	}
	if n == 0 || n >= len(b) || !ends(b[n]) || !isNumber(b[:n]) {
		return 0, 0
	}
	f, err := strconv.ParseFloat(unsafe.String(unsafe.SliceData(b), n), 64)
	if err != nil && !math.IsInf(f, 0) {
		return 0, 0
	}
	return f, n
}

const (
	plainOdd  = -1 // a backslash comes before the closing quote
	plainLong = -2 // no quote in the first plainMax bytes
	plainMax  = 64
)

// copyPlain copies a string's text from src, which stands behind its opening quote, to dst, and returns its length or one of the
// constants above. It may write plainMax+8 bytes.
func copyPlain(dst, src unsafe.Pointer) int {
	for k := 0; k < plainMax; k += 8 {
		w := load(src, k)
		*(*uint64)(unsafe.Add(dst, k)) = w
		if m := special(w); m != 0 {
			k += bits.TrailingZeros64(m) >> 3
			if at(src, k) != '"' {
				return plainOdd
			}
			return k
		}
	}
	return plainLong
}

// special marks the quotes and backslashes of w, as zeroBytes does.
func special(w uint64) uint64 {
	return zeroBytes(w^0x2222222222222222) | zeroBytes(w^0x5c5c5c5c5c5c5c5c)
}

// passPlain is copyPlain without the copy.
func passPlain(src unsafe.Pointer) int {
	for k := 0; k < plainMax; k += 8 {
		w := load(src, k)
		if m := special(w); m != 0 {
			k += bits.TrailingZeros64(m) >> 3
			if at(src, k) != '"' {
				return plainOdd
			}
			return k
		}
	}
	return plainLong
}

// longPlain returns the length of the text before the closing quote, plainOdd where a backslash or the end of b comes first.
func longPlain(b []byte) int {
	end := bytes.IndexByte(b, '"')
	if end < 0 || bytes.IndexByte(b[:end], '\\') >= 0 {
		return plainOdd
	}
	return end
}

// words returns the first 16 bytes of b as two words, with masks of the bytes that b has.
func words(b []byte) (w, mask [2]uint64) {
	var text, have [16]byte
	for i := range copy(text[:], b) {
		have[i] = 0xff
	}
	for k := range w {
		w[k], mask[k] = binary.LittleEndian.Uint64(text[8*k:]), binary.LittleEndian.Uint64(have[8*k:])
	}
	return w, mask
}
