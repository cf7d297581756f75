package mem

import (
	"unsafe"

	"dictsvc/errcode"
)

const (
	// PageSize is the unit in which regions are mapped and counted.
	PageSize = 4 << 10
	// HugePage is the size and alignment of a huge page.
	HugePage = 2 << 20
	// MaxBytes is the largest region: more than any machine holds, small enough that sums do not overflow.
	MaxBytes = 1 << 46
)

// Region is one mapping. The zero value holds nothing and can be resized once it has a budget; use Alloc.
// A region is owned by one goroutine; its bytes may be read by many.
type Region struct {
	budget *Budget
	addr   unsafe.Pointer
	size   int // bytes asked for
	held   int // bytes mapped: size rounded up to pages
}

// Alloc maps a region of size zeroed bytes; size 0 maps nothing. The error is MEMORY_LIMIT_EXCEEDED when the
// budget or the system says no.
func Alloc(b *Budget, size int) (*Region, error) {
	r := &Region{budget: b.OrProcess()}
	if err := r.Resize(size); err != nil {
		return nil, err
	}
	return r, nil
}

// Size is the number of usable bytes.
func (r *Region) Size() int { return r.size }

// Held is the number of bytes mapped, which is what the budget counts.
func (r *Region) Held() int64 { return int64(r.held) }

// Pointer is the address of the first byte, nil when the region is empty.
func (r *Region) Pointer() unsafe.Pointer { return r.addr }

// Bytes is the region's memory.
func (r *Region) Bytes() []byte { return unsafe.Slice((*byte)(r.addr), r.size) }

// Resize makes the region size bytes long. Bytes that stay keep their values, new ones are zero. On error the
// region is as it was. Views become invalid either way.
func (r *Region) Resize(size int) error {
	if size < 0 || size > MaxBytes {
		return errcode.New(errcode.MemoryLimitExceeded, "resize a memory region: want at most %d bytes, got %d", int64(MaxBytes), size)
	}
	held := (size + PageSize - 1) &^ (PageSize - 1)
	if size < r.size && r.addr != nil {
		// The rest of the last page stays mapped and must be zero if the region grows again.
		clear(unsafe.Slice((*byte)(unsafe.Add(r.addr, size)), min(held, r.size)-size))
	}
	if held == r.held {
		r.size = size
		return nil
	}
	more := int64(held - r.held)
	if more > 0 {
		if err := r.budget.charge(more); err != nil {
			return err
		}
	}
	addr, err := remap(r.addr, r.held, held)
	if err != nil {
		if more > 0 {
			r.budget.release(more)
		}
		return errcode.New(errcode.MemoryLimitExceeded, "map %d bytes of memory: %w", held, err)
	}
	if more < 0 {
		r.budget.release(-more)
	}
	r.addr, r.size, r.held = addr, size, held
	return nil
}

// Reset makes the region size bytes long, all zero, without keeping old bytes: the old memory goes back to the
// system before the new one is touched. On error the region is as it was.
func (r *Region) Reset(size int) error {
	fresh := Region{budget: r.budget}
	if size < 0 || size > MaxBytes {
		return errcode.New(errcode.MemoryLimitExceeded, "reset a memory region: want at most %d bytes, got %d", int64(MaxBytes), size)
	}
	// Only the difference is charged: the two are never resident together.
	held := (size + PageSize - 1) &^ (PageSize - 1)
	more := int64(held - r.held)
	if more > 0 {
		if err := r.budget.charge(more); err != nil {
			return err
		}
	}
	addr, err := remap(nil, 0, held)
	if err != nil {
		if more > 0 {
			r.budget.release(more)
		}
		return errcode.New(errcode.MemoryLimitExceeded, "map %d bytes of memory: %w", held, err)
	}
	unmap(r.addr, r.held)
	if more < 0 {
		r.budget.release(-more)
	}
	fresh.addr, fresh.size, fresh.held = addr, size, held
	*r = fresh
	return nil
}

// Free gives the memory back; the region is then empty. Free may be called again, and on nil.
func (r *Region) Free() {
	if r == nil || r.addr == nil {
		return
	}
	unmap(r.addr, r.held)
	r.budget.release(int64(r.held))
	r.addr, r.size, r.held = nil, 0, 0
}
