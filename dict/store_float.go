package dict

import (
	"math"
	"unsafe"

	"dictsvc/column"
)

// rawFloat marks a chunk that holds the floats' own bits.
const rawFloat = ^uint32(0)

// maxDecimals is how many digits behind the point are tried.
const maxDecimals = 4

var powers = [maxDecimals + 1]float64{1, 10, 100, 1000, 10000}

// floatStore holds floats: chunks whose values are all decimal fractions of few digits as integers n, read back as n / 10^scale; others by their bits.
type floatStore[T float32 | float64] struct {
	mem    memory
	chunks []bitChunk
	tail   []T
	ints   []int64 // scratch of pack
}

func (s *floatStore[T]) add(c column.Column, from, to int) error {
	data := numData[T](c, from, to)
	for len(data) > 0 {
		n := min(chunkRows-len(s.tail), len(data))
		s.tail = append(s.tail, data[:n]...)
		data = data[n:]
		if len(s.tail) == chunkRows {
			if err := s.pack(); err != nil {
				return err
			}
		}
	}
	return nil
}

func floatBits[T float32 | float64](v T) uint64 {
	if unsafe.Sizeof(v) == 4 {
		return uint64(math.Float32bits(float32(v)))
	}
	return math.Float64bits(float64(v))
}

func bitsFloat[T float32 | float64](w uint64) T {
	var v T
	if unsafe.Sizeof(v) == 4 {
		return T(math.Float32frombits(uint32(w)))
	}
	return T(math.Float64frombits(w))
}

// decimal fills ints with the values times 10^scale, if every one comes back bit for bit.
func (s *floatStore[T]) decimal(scale int) bool {
	p := powers[scale]
	for _, v := range s.tail[:min(64, len(s.tail))] { // most scales fail early
		if n := math.Round(float64(v) * p); floatBits(T(float64(int64(n))/p)) != floatBits(v) {
			return false
		}
	}
	s.ints = s.ints[:0]
	for _, v := range s.tail {
		n := math.Round(float64(v) * p)
		if !(math.Abs(n) < 1<<52) || floatBits(T(float64(int64(n))/p)) != floatBits(v) { // -0.0 and NaN fail here
			return false
		}
		s.ints = append(s.ints, int64(n))
	}
	return true
}

func (s *floatStore[T]) pack() error {
	var c bitChunk
	var err error
	scale := 0
	for scale <= maxDecimals && !s.decimal(scale) {
		scale++
	}
	if scale <= maxDecimals {
		lo, hi := s.ints[0], s.ints[0]
		for _, n := range s.ints {
			lo, hi = min(lo, n), max(hi, n)
		}
		c, err = packBits(s.mem, uint64(lo), uint64(hi-lo), len(s.ints), func(i int) uint64 { return uint64(s.ints[i] - lo) })
		c.scale = uint32(scale)
	} else {
		top := ^uint64(0)
		if unsafe.Sizeof(s.tail[0]) == 4 {
			top >>= 32
		}
		c, err = packBits(s.mem, 0, top, len(s.tail), func(i int) uint64 { return floatBits(s.tail[i]) })
		c.scale = rawFloat
	}
	if err != nil {
		return err
	}
	s.chunks = append(s.chunks, c)
	s.tail = s.tail[:0]
	return nil
}

func (s *floatStore[T]) seal() error {
	var err error
	if len(s.tail) > 0 {
		err = s.pack()
	}
	s.tail, s.ints = nil, nil
	return err
}

func (s *floatStore[T]) gather(dst column.Column, rows []uint64, found []uint8, def column.Column) {
	d := dst.(*column.Num[T])
	out, missing := extend(&d.Data, len(rows)), def.(*column.Num[T]).Data[0]
	for i, row := range rows {
		if found[i] == 0 {
			out[i] = missing
			continue
		}
		c := &s.chunks[row>>chunkShift]
		w := c.at(row)
		if c.scale == rawFloat {
			out[i] = bitsFloat[T](w)
			continue
		}
		out[i] = T(float64(int64(w)) / powers[c.scale])
	}
}

func (s *floatStore[T]) heap() int { return cap(s.chunks) * int(unsafe.Sizeof(bitChunk{})) }
