package agg

import (
	"math"
	"math/bits"
	"slices"

	"dictsvc/column"
)

// hyperLogLog estimates the number of distinct hashes by the greatest number of trailing zeros in each of 2^precision buckets (Flajolet et al.; Heule et al. for the
// correction of bias at precision 17). In a state the ranks lie packed, then the number of buckets of each rank, then the number of empty ones.
type hyperLogLog struct {
	ranks  []uint8
	counts []uint32 // buckets by rank
}

// hashWidth is of the hashes: 32 bits, whose ranks take 5, or 64, whose ranks take 6.
type logShape struct {
	precision int
	hashWidth int
}

func (l logShape) buckets() int { return 1 << l.precision }
func (l logShape) maxRank() int { return l.hashWidth - l.precision + 1 }
func (l logShape) rankWidth() int {
	if l.hashWidth == 32 {
		return 5
	}
	return 6
}

// zerosWidth is the bytes of the number of empty buckets.
func (l logShape) zerosWidth() int {
	if l.precision < 16 {
		return 2
	}
	return 4
}

func (l logShape) make() *hyperLogLog {
	h := &hyperLogLog{ranks: make([]uint8, l.buckets()), counts: make([]uint32, l.maxRank()+1)}
	h.counts[0] = uint32(l.buckets())
	return h
}

func (l logShape) bytes() int { return l.buckets() + 4*(l.maxRank()+1) }

// rank is the number of trailing zeros above the bucket's bits, and one.
func (l logShape) rank(hash uint64) uint8 {
	return uint8(min(bits.TrailingZeros64(hash>>l.precision)+1, l.maxRank()))
}

func (h *hyperLogLog) raise(bucket uint64, rank uint8) {
	if was := h.ranks[bucket]; rank > was {
		h.ranks[bucket] = rank
		h.counts[was]--
		h.counts[rank]++
	}
}

func (h *hyperLogLog) merge(o *hyperLogLog) {
	for bucket, rank := range o.ranks {
		if rank > h.ranks[bucket] {
			h.raise(uint64(bucket), rank)
		}
	}
}

func (l logShape) save(buf []byte, h *hyperLogLog) []byte {
	width := l.rankWidth()
	acc, have := uint64(0), 0
	for _, r := range h.ranks {
		acc |= uint64(r) << have
		for have += width; have >= 8; have -= 8 {
			buf = append(buf, byte(acc))
			acc >>= 8
		}
	}
	buf = append(buf, column.Raw(h.counts)...)
	return append(buf, column.Raw(h.counts[:1])[:l.zerosWidth()]...)
}

// load reads a state; what it says of its own ranks is counted anew.
func (l logShape) load(r *column.StateReader) *hyperLogLog {
	width := l.rankWidth()
	raw := slices.Clone(r.Bytes(l.buckets() * width / 8))
	r.Bytes(4*(l.maxRank()+1) + l.zerosWidth())
	if r.Err() != nil {
		return nil
	}
	h := l.make()
	acc, have := uint64(0), 0
	mask := uint64(1)<<width - 1
	for i := range h.ranks {
		for ; have < width; have += 8 {
			acc |= uint64(raw[0]) << have
			raw = raw[1:]
		}
		rank := acc & mask
		acc >>= width
		have -= width
		if rank > uint64(l.maxRank()) {
			r.Corrupt("A rank of %d, greater than %d", rank, l.maxRank())
			return nil
		}
		h.raise(uint64(i), uint8(rank))
	}
	return h
}

func (l logShape) size(h *hyperLogLog) uint64 {
	m := float64(l.buckets())
	sum := 0.0
	for _, n := range slices.Backward(h.counts) {
		sum = sum/2 + float64(n)
	}
	estimate := 0.7213 / (1 + 1.079/m) * m * m / sum
	if estimate <= (1<<32)/30.0 {
		estimate = l.corrected(h, estimate)
	}
	return uint64(estimate + 0.5)
}

func (l logShape) corrected(h *hyperLogLog, estimate float64) float64 {
	m := float64(l.buckets())
	linear := func(otherwise float64) float64 {
		if h.counts[0] == 0 {
			return otherwise
		}
		return m * (math.Log(m) - math.Log(float64(h.counts[0])))
	}
	if l.precision != 17 {
		if estimate <= 2.5*m {
			return linear(estimate)
		}
		return estimate
	}
	if estimate <= 5*m {
		estimate -= bias17(estimate)
	}
	if l := linear(estimate); l < biasThreshold {
		return l
	}
	return estimate
}

// bias17 is by how much the raw estimate of 2^17 buckets is too large, interpolated between measured points.
func bias17(estimate float64) float64 {
	i, exact := slices.BinarySearch(biasEstimates[:], estimate)
	switch {
	case i == len(biasEstimates):
		return biases[i-1]
	case exact || i == 0:
		return biases[i]
	}
	slope := (biases[i] - biases[i-1]) / (biasEstimates[i] - biasEstimates[i-1])
	return biases[i-1] + slope*(estimate-biasEstimates[i-1])
}
