package function

import (
	"bytes"
	"math/bits"

	"dictsvc/internal/simd"
)

// The marks write for every row of a String column whether a literal is in it, at its beginning or at its end.

// markContaining searches the bytes of all rows at once and finds the row of each hit, which is faster than a search a row.
func markContaining(out []uint8, s *strs, lit []byte) {
	if len(lit) == 0 {
		fill(out, 1)
		return
	}
	clear(out)
	if len(out) == 0 {
		return
	}
	m := marker{out: out, ends: s.ends, size: uint64(len(lit))}
	data, pos := s.data[:s.ends[len(out)-1]], int(s.start)
	first, last, d := lit[0], lit[len(lit)-1], len(lit)-1
	var masks [64]uint32
	for {
		n := simd.Candidates(masks[:], data[pos:], first, last, d)
		for _, mask := range masks[:n] {
			for ; mask != 0; mask &= mask - 1 {
				at := pos + bits.TrailingZeros32(mask)
				if d < 2 || string(data[at+1:at+d]) == string(lit[1:d]) {
					m.hit(uint64(at))
				}
			}
			pos += 32
		}
		if n == 0 {
			break
		}
	}
	for pos < len(data) {
		k := bytes.Index(data[pos:], lit)
		if k < 0 {
			return
		}
		m.hit(uint64(pos + k))
		pos += k + 1
	}
}

// marker finds the rows of places that come in rising order.
type marker struct {
	out  []uint8
	ends []uint64
	size uint64 // of the literal, which must end within the row that it begins in
	row  int
}

func (m *marker) hit(at uint64) {
	row, ends := m.row, m.ends[:len(m.out)]
	for ends[row] <= at { // at lies before the last end
		row++
	}
	m.row = row
	if at+m.size <= ends[row] {
		m.out[row] = 1
	}
}

func fill(out []uint8, v uint8) {
	for i := range out {
		out[i] = v
	}
}

func markPrefix(out []uint8, s *strs, lit []byte) { markAffix(out, s, lit, false) }
func markSuffix(out []uint8, s *strs, lit []byte) { markAffix(out, s, lit, true) }

// markAffix compares the first eight bytes as one word, and the rest where these are equal.
func markAffix(out []uint8, s *strs, lit []byte, suffix bool) {
	if len(lit) == 0 {
		fill(out, 1)
		return
	}
	var first [8]byte
	n := copy(first[:], lit)
	word, mask, rest := le64(first[:]), ^uint64(0)>>(64-8*n), lit[n:]
	data, size, from := s.data, uint64(len(lit)), s.start
	for i, end := range s.ends[:len(out)] {
		at := from
		if suffix {
			at = end - size
		}
		hit := uint8(0)
		if end-from >= size {
			if b := data[at:]; len(b) >= 8 {
				hit = bit((le64(b)^word)&mask == 0)
				if hit != 0 && len(rest) > 0 {
					hit = bit(string(b[8:min(int(size), len(b))]) == string(rest))
				}
			} else {
				hit = bit(string(b[:size]) == string(lit))
			}
		}
		out[i] = hit
		from = end
	}
}
