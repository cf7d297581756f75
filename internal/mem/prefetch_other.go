//go:build !amd64 || noasm

package mem

import "unsafe"

// prefetch reads a word of each line; the loads overlap, but the processor waits for them in the end.
//
//go:noinline
func prefetch(base unsafe.Pointer, line *uint64, n int, shift uint) {
	sum := uint64(0)
	for _, l := range unsafe.Slice(line, n) {
		p := unsafe.Add(base, l<<shift)
		sum += *(*uint64)(p)
		if shift >= 7 {
			sum += *(*uint64)(unsafe.Add(p, 64))
		}
	}
	needed(sum)
}

//go:noinline
func needed(uint64) {}
