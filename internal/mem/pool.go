package mem

import (
	"math/bits"
	"sync"
	"unsafe"

	"dictsvc/errcode"
)

// Pool lends pieces of memory outside the heap, in sizes of powers of two, and takes them back for others. What one query's
// hash tables outgrow serves its next ones, on pages that are mapped already and huge. Free gives all back to the system at once, whoever still
// holds pieces. A nil Pool is valid: its memory is the collector's. A Pool may be used by several goroutines at once.
type Pool struct {
	budget *Budget
	mu     sync.Mutex
	slabs  []*Region
	next   unsafe.Pointer // of the last slab, what has not been cut off yet
	left   int
	free   [poolClasses][]unsafe.Pointer
}

const (
	poolLeast   = 64 << 10 // bytes of the smallest piece; what half of it holds is left to the collector
	poolClasses = 31
	poolSlab    = 64 << 20
)

// NewPool makes an empty pool whose memory counts in a budget.
func NewPool(b *Budget) *Pool { return &Pool{budget: b.OrProcess()} }

// Take lends room for n values, n its length and what the piece holds its capacity. The values are not zero, unless p is nil. T must hold no pointers. A
// pool that cannot have the memory panics with the *errcode.Error that says so.
func Take[T any](p *Pool, n int) []T {
	var z T
	size := int(unsafe.Sizeof(z))
	if p == nil || n*size <= poolLeast/2 {
		return make([]T, n)
	}
	class := pieceClass(n * size)
	return unsafe.Slice((*T)(p.take(class)), (poolLeast<<class)/size)[:n]
}

// Give takes a piece back; nobody may look at it any more.
func Give[T any](p *Pool, piece []T) {
	var z T
	size := cap(piece) * int(unsafe.Sizeof(z))
	if p == nil || size <= poolLeast/2 {
		return
	}
	class := pieceClass(size)
	p.mu.Lock()
	p.free[class] = append(p.free[class], unsafe.Pointer(unsafe.SliceData(piece)))
	p.mu.Unlock()
}

// Regrow is a piece of room for n values that begins with those of the old one, which is given back.
func Regrow[T any](p *Pool, piece []T, n int) []T {
	if n <= cap(piece) {
		return piece[:n]
	}
	fresh := Take[T](p, max(n, min(2*cap(piece), cap(piece)+1<<24)))[:n]
	copy(fresh, piece)
	Give(p, piece)
	return fresh
}

func pieceClass(size int) int { return bits.Len(uint((size - 1) / poolLeast)) }

func (p *Pool) take(class int) unsafe.Pointer {
	p.mu.Lock()
	defer p.mu.Unlock()
	if list := p.free[class]; len(list) > 0 {
		piece := list[len(list)-1]
		p.free[class] = list[:len(list)-1]
		return piece
	}
	size := poolLeast << class
	if size > p.left {
		p.slab(size)
	}
	piece := p.next
	p.left -= size
	p.next = unsafe.Add(p.next, size)
	return piece
}

// slab maps the next slab; what is left of the last one becomes pieces.
func (p *Pool) slab(size int) {
	for p.left > 0 { // a multiple of the smallest piece
		class := bits.Len(uint(p.left/poolLeast)) - 1
		p.free[class] = append(p.free[class], p.next)
		p.next, p.left = unsafe.Add(p.next, poolLeast<<class), p.left-poolLeast<<class
	}
	held := 0
	for _, r := range p.slabs {
		held += r.Size()
	}
	r, err := Alloc(p.budget, max(size, min(poolSlab, max(HugePage, (held/2+HugePage-1)&^(HugePage-1)))))
	if err != nil {
		panic(errcode.Wrap(err, "hash tables of a query"))
	}
	p.slabs = append(p.slabs, r)
	p.next, p.left = r.Pointer(), r.Size()
}

// Free gives all memory back to the system.
func (p *Pool) Free() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, r := range p.slabs {
		r.Free()
	}
	p.slabs, p.next, p.left = nil, nil, 0
	clear(p.free[:])
}
