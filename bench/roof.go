package bench

import (
	"time"
	"unsafe"

	"dictsvc/hashmap"
	"dictsvc/internal/mem"
)

const lineSize = 64

// roof reads random cache lines of a region; see the package comment.
type roof struct {
	region *mem.Region
	lines  uint64
	state  uint64 // of the generator
	sum    uint64 // of what was read, so that the reading is not optimised away
}

// newRoof makes a region of the given size, in 2 MiB pages where it is that large, and touches all of it.
func newRoof(bytes int64) (*roof, error) {
	region, err := mem.Alloc(nil, max(int(bytes), lineSize))
	if err != nil {
		return nil, err
	}
	b := region.Bytes()
	for at := 0; at < len(b); at += mem.PageSize {
		b[at] = 1
	}
	return &roof{region: region, lines: uint64(len(b)) / lineSize, state: 1}, nil
}

func (r *roof) free() { r.region.Free() }

// measure reads for a while and returns the lines a second.
func (r *roof) measure(d time.Duration) float64 {
	const piece = 1 << 16
	base, x, sum, read := r.region.Pointer(), r.state, r.sum, 0
	start := time.Now()
	for time.Since(start) < d {
		for range piece {
			x = x*6364136223846793005 + 1442695040888963407
			sum += *(*uint64)(unsafe.Add(base, hashmap.Scale(x, r.lines)*lineSize))
		}
		read += piece
	}
	seconds := time.Since(start).Seconds()
	r.state, r.sum = x, sum
	return float64(read) / seconds
}
