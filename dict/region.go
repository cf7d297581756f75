package dict

import (
	"sync"
	"unsafe"

	"dictsvc/internal/mem"
)

// region hands out pieces of memory outside Go's heap that are freed all together. Its mappings grow from 64 KiB to 32 MiB; a larger
// piece gets one of its own. Attributes that are stored side by side may ask at the same time.
type region struct {
	budget *mem.Budget
	mu     sync.Mutex
	blocks []*mem.Region
	at     int // next free byte of the last mapping
}

const (
	firstRegion = 64 << 10
	lastRegion  = 32 << 20
)

func newRegion(b *mem.Budget) *region { return &region{budget: b} }

// Alloc returns n zero bytes, 8-byte aligned; from 64 bytes on, on a cache line's border.
func (r *region) Alloc(n int) ([]byte, error) {
	if n == 0 {
		return nil, nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	align := 8
	if n >= 64 {
		align = 64
	}
	if k := len(r.blocks); k > 0 {
		at := (r.at + align - 1) &^ (align - 1)
		if at+n <= r.blocks[k-1].Size() {
			r.at = at + n
			return unsafe.Slice((*byte)(unsafe.Add(r.blocks[k-1].Pointer(), at)), n), nil
		}
	}
	b, err := mem.Alloc(r.budget, max(min(firstRegion<<min(len(r.blocks), 9), lastRegion), n))
	if err != nil {
		return nil, err
	}
	r.blocks = append(r.blocks, b)
	r.at = n
	return unsafe.Slice((*byte)(b.Pointer()), n), nil
}

// bytes is the memory mapped.
func (r *region) bytes() uint64 {
	n := int64(0)
	for _, b := range r.blocks {
		n += b.Held()
	}
	return uint64(n)
}

// seal is called when nothing more will be allocated.
func (r *region) seal() {
	if k := len(r.blocks); k > 0 && r.at < r.blocks[k-1].Size() {
		// The pages behind the last piece were never touched; a mapping that shrinks may not move.
		_ = r.blocks[k-1].Resize(r.at)
	}
}

func (r *region) free() {
	for _, b := range r.blocks {
		b.Free()
	}
	r.blocks, r.at = nil, 0
}
