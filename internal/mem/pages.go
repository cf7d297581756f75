package mem

import (
	"unsafe"

	"dictsvc/errcode"
)

// Pages hands out pieces of memory outside the heap, all of one size of some pages, and takes each back by itself: what is kept in
// them can be given up piece by piece while something else is built of it. The memory is not of huge pages for that
// reason, and mapped many pages at a time, which costs a third of as many faults. Pages is owned by one goroutine.
type Pages struct {
	budget  *Budget
	size    int
	slabs   []unsafe.Pointer
	sizes   []int
	at      int        // next free byte of the last slab
	charged int64      // bytes charged to the budget now
	given   []ioVector // put, and not given back to the system yet
}

// givenTogether is how many pieces are given back in one call: every call interrupts all processors.
const givenTogether = 128

// Slabs are the mappings that pages are cut from.
const (
	firstSlab = 64 << 10
	lastSlab  = 1 << 20
)

// NewPages makes an empty store of pieces of size bytes, a power of two from PageSize to 64 KiB.
func NewPages(b *Budget, size int) *Pages { return &Pages{budget: b.OrProcess(), size: size} }

// Size is the size of a piece.
func (p *Pages) Size() int { return p.size }

// Get is a piece, not cleared. The error is MEMORY_LIMIT_EXCEEDED.
func (p *Pages) Get() (unsafe.Pointer, error) {
	if k := len(p.slabs); k == 0 || p.at == p.sizes[k-1] {
		if err := p.grow(); err != nil {
			return nil, err
		}
	}
	page := unsafe.Add(p.slabs[len(p.slabs)-1], p.at)
	p.at += p.size
	return page, nil
}

func (p *Pages) grow() error {
	size := min(firstSlab<<min(len(p.slabs), 16), lastSlab)
	if err := p.budget.charge(int64(size)); err != nil {
		return err
	}
	mapper := mmap
	if size == lastSlab { // enough pages come for sure
		mapper = populate
	}
	slab, err := mapper(size)
	if err != nil {
		p.budget.release(int64(size))
		return errcode.New(errcode.MemoryLimitExceeded, "map %d bytes of memory: %w", size, err)
	}
	p.slabs, p.sizes, p.at = append(p.slabs, slab), append(p.sizes, size), 0
	p.charged += int64(size)
	return nil
}

// Put gives a piece back to the system, together with some that come after it. It must not be used again.
func (p *Pages) Put(page unsafe.Pointer) {
	p.given = append(p.given, ioVector{page, uint64(p.size)})
	if len(p.given) == givenTogether {
		discard(p.given)
		p.given = p.given[:0]
	}
	p.Discharge(int64(p.size))
}

// Discharge takes bytes, as many as are charged, off the budget, for an owner who charges for what takes the pages'
// place and gives them back while it fills.
func (p *Pages) Discharge(n int64) {
	n = min(n, p.charged)
	p.charged -= n
	p.budget.release(n)
}

// Held is the number of bytes charged to the budget.
func (p *Pages) Held() int64 { return p.charged }

// Free gives all pages back. Free may be called again, and on nil.
func (p *Pages) Free() {
	if p == nil {
		return
	}
	for i, s := range p.slabs {
		unmap(s, p.sizes[i])
	}
	p.Discharge(p.charged)
	p.slabs, p.sizes, p.at, p.given = nil, nil, 0, nil
}
