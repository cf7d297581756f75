package mem

import "unsafe"

// Prefetch asks the processor for the cache lines at base + line<<shift of a batch, so that the waits for memory
// overlap with each other and with what the caller does before it reads them. Where shift is 7 or more, two cache
// lines are asked for each. The lines must be mapped.
func Prefetch(base unsafe.Pointer, line []uint64, shift uint) {
	if len(line) > 0 {
		prefetch(base, &line[0], len(line), shift)
	}
}
