package bench

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// Keys that are not evenly spread make interpolation slow, never wrong.
func TestSortedArray(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for name, key := range map[string]func(i int) uint64{
		"even":    func(i int) uint64 { return benchKey(uint64(i)) },
		"dense":   func(i int) uint64 { return uint64(i) },
		"top":     func(i int) uint64 { return math.MaxUint64 - uint64(i) },
		"cluster": func(i int) uint64 { return uint64(i%3)<<62 | r.Uint64N(1<<20) },
		"powers":  func(i int) uint64 { return 1 << (i % 64) },
	} {
		for _, n := range []int{0, 1, 2, 63, 64, 65, 1000, 20000} {
			for _, binary := range []bool{false, true} {
				model := map[uint64]uint16{}
				s, err := newSortedArray(0, binary)
				if err != nil {
					t.Fatal(err)
				}
				for i := range n {
					k := key(i)
					if _, ok := model[k]; ok {
						continue
					}
					model[k] = uint16(i)
					if err := s.insert([]uint64{k}, []uint16{uint16(i)}); err != nil {
						t.Fatal(err)
					}
				}
				if err := s.finish(); err != nil {
					t.Fatal(err)
				}
				if !slices.IsSorted(s.keys.Data()) {
					t.Fatalf("%s, %d rows: the keys are not sorted", name, n)
				}
				asked := []uint64{0, 1, math.MaxUint64, math.MaxUint64 - 1}
				for k := range model {
					asked = append(asked, k, k+1, k-1)
				}
				out, found := make([]uint16, len(asked)), make([]uint8, len(asked))
				s.find(asked, out, found)
				for i, k := range asked {
					if v, ok := model[k]; ok != (found[i] == 1) || ok && v != out[i] {
						t.Fatalf("%s, %d rows, binary %v, key %#x: got %d (found %d), want %d (%v)", name, n, binary, k, out[i], found[i], v, ok)
					}
				}
				s.free()
			}
		}
	}
}
