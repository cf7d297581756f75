package bench

import (
	"slices"

	"dictsvc/hashmap"
	"dictsvc/internal/mem"
)

// sortedArray is the smallest plain answer: keys in order and values beside them.
type sortedArray struct {
	keys   *mem.Slice[uint64]
	values *mem.Slice[uint16]
	binary bool // binary search; else interpolation, which suits keys that are spread evenly
}

func newSortedArray(rows int, binary bool) (*sortedArray, error) {
	keys, err := mem.NewSlice[uint64](nil, 0)
	if err != nil {
		return nil, err
	}
	values, err := mem.NewSlice[uint16](nil, 0)
	if err != nil {
		keys.Free()
		return nil, err
	}
	s := &sortedArray{keys, values, binary}
	if err := keys.Reserve(rows); err != nil {
		s.free()
		return nil, err
	}
	if err := values.Reserve(rows); err != nil {
		s.free()
		return nil, err
	}
	return s, nil
}

func (s *sortedArray) insert(keys []uint64, values []uint16) error {
	if err := s.keys.Append(keys...); err != nil {
		return err
	}
	return s.values.Append(values...)
}

func (s *sortedArray) finish() error {
	sortRows(s.keys.Data(), s.values.Data(), 56)
	if err := s.keys.Trim(); err != nil {
		return err
	}
	return s.values.Trim()
}

func (s *sortedArray) find(keys []uint64, out []uint16, found []uint8) int {
	sorted, values, hits := s.keys.Data(), s.values.Data(), 0
	for i, k := range keys {
		var at int
		if s.binary {
			at, _ = slices.BinarySearch(sorted, k)
		} else {
			at = interpolate(sorted, k)
		}
		found[i] = 0
		if at < len(sorted) && sorted[at] == k {
			out[i], found[i] = values[at], 1
			hits++
		}
	}
	return hits
}

func (s *sortedArray) bytes() int64        { return s.keys.Held() + s.values.Held() }
func (s *sortedArray) loadFactor() float64 { return 0 }
func (s *sortedArray) free() {
	s.keys.Free()
	s.values.Free()
}

// interpolate finds the first place whose key is not below k. Keys that are spread evenly over all 64 bits stand about sqrt(n) from their
// proportional places; each further guess, from the key that the last one met, leaves the square root of the distance. Keys of any
// other kind are found by the search around the last guess.
func interpolate(sorted []uint64, k uint64) int {
	n := len(sorted)
	if n == 0 {
		return 0
	}
	at := int(hashmap.Scale(k, uint64(n)))
	perKey := float64(n) / (1 << 64)
	for range 2 {
		met := sorted[at]
		if met < k {
			at = min(at+int(float64(k-met)*perKey), n-1)
		} else {
			at = max(at-int(float64(met-k)*perKey), 0)
		}
	}
	// Steps that double reach a bound on the other side; lo..hi holds the place.
	lo, hi, step := 0, n, 4
	if sorted[at] < k {
		for lo = at + 1; lo+step <= n && sorted[lo+step-1] < k; step *= 2 {
			lo += step
		}
		hi = min(lo+step, n)
	} else {
		for hi = at; hi-step >= 0 && sorted[hi-step] >= k; step *= 2 {
			hi -= step
		}
		lo = max(hi-step, 0)
	}
	at, _ = slices.BinarySearch(sorted[lo:hi], k)
	return lo + at
}

// sortRows sorts keys and their values in place, byte by byte from the highest (American flag sort), so that no
// second copy is needed.
func sortRows(keys []uint64, values []uint16, shift uint) {
	if len(keys) < 64 {
		insertionSort(keys, values)
		return
	}
	var next, end [256]int
	for _, k := range keys {
		end[byte(k>>shift)]++
	}
	at := 0
	for b, n := range end {
		next[b] = at
		at += n
		end[b] = at
	}
	for b := range 256 {
		for next[b] < end[b] {
			i := next[b]
			home := byte(keys[i] >> shift)
			if int(home) == b {
				next[b]++
				continue
			}
			j := next[home]
			keys[i], keys[j] = keys[j], keys[i]
			values[i], values[j] = values[j], values[i]
			next[home]++
		}
	}
	if shift == 0 {
		return
	}
	from := 0
	for _, to := range end {
		sortRows(keys[from:to], values[from:to], shift-8)
		from = to
	}
}

func insertionSort(keys []uint64, values []uint16) {
	for i := 1; i < len(keys); i++ {
		k, v, j := keys[i], values[i], i
		for ; j > 0 && keys[j-1] > k; j-- {
			keys[j], values[j] = keys[j-1], values[j-1]
		}
		keys[j], values[j] = k, v
	}
}

// benchKey is the key of row i. Keys of different rows differ, and are spread evenly.
func benchKey(i uint64) uint64 { return hashmap.IntHash64(i) }
