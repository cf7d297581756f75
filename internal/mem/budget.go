// Package mem holds memory outside Go's heap: anonymous mappings that the garbage collector never scans, whose
// size is known to the byte, and which go back to the system the moment they are freed.
//
// # Model
//
// A Budget counts bytes and says no when a limit would be passed. Budgets form a tree: a dictionary's budget is
// a child of the process's, so that its own count is exact and the process's limit still rules. A Region is one
// mapping charged to a budget. Slice and Arena are the two shapes tables are made of: a typed, growing slice
// and a growing string of bytes. They grow by mremap, which moves page tables and not bytes, so growing never
// needs both sizes at once.
//
// Regions of 2 MiB and more begin at a 2 MiB boundary and ask for huge pages (MADV_HUGEPAGE), which about double
// the speed of random access; smaller ones are rounded up to 4 KiB pages only. What a budget counts is the
// mapped size; pages never written are not resident, so the count is an upper bound of the resident size until
// the owner trims.
//
// # Rules
//
// Nothing kept here may hold Go pointers: the collector does not look. A view (Bytes, Data, At) is valid until
// the next call that grows, trims or frees its owner; after that its address may belong to anyone, Go's heap
// included, so it must not be kept. Owners free what they allocate; tests find what they forget with CheckLeaks.
package mem

import (
	"math"
	"sync/atomic"

	"dictsvc/errcode"
)

// Budget counts the bytes of the regions charged to it and to its children. Its methods may be called from
// several goroutines at once.
type Budget struct {
	name      string
	parent    *Budget
	used      atomic.Int64
	peak      atomic.Int64
	limit     atomic.Int64 // 0 = none
	failAfter atomic.Int64 // < 0 = off; see FailAfter
	forced    bool         // limits here and above are not looked at
}

// Process is the budget of the whole process, the root of the others. It counts; it is the one package variable
// that changes, because the process has one address space.
var Process = NewBudget("total", 0)

// NewBudget makes a root budget; limit 0 means none. The name appears in error texts: "(total) memory limit exceeded".
func NewBudget(name string, limit int64) *Budget {
	b := &Budget{name: name}
	b.limit.Store(limit)
	b.failAfter.Store(-1)
	return b
}

// Child makes a budget whose bytes count for b as well.
func (b *Budget) Child(name string, limit int64) *Budget {
	c := NewBudget(name, limit)
	c.parent = b
	return c
}

// Forced makes a child that is counted in b but never refused, for the few bytes that must be had in the middle of
// something that cannot stop.
func (b *Budget) Forced() *Budget {
	c := b.Child(b.name, 0)
	c.forced = true
	return c
}

// OrProcess is b, or Process where b is nil.
func (b *Budget) OrProcess() *Budget {
	if b == nil {
		return Process
	}
	return b
}

// Used is the number of bytes held now.
func (b *Budget) Used() int64 { return b.used.Load() }

// Peak is the largest number of bytes held at one time.
func (b *Budget) Peak() int64 { return b.peak.Load() }

// Limit is the largest number of bytes allowed, 0 for no limit.
func (b *Budget) Limit() int64 { return b.limit.Load() }

// SetLimit changes the limit; bytes already held stay.
func (b *Budget) SetLimit(limit int64) { b.limit.Store(limit) }

// FailAfter makes every charge after the next n fail with MEMORY_LIMIT_EXCEEDED, to test how owners take it;
// a negative n ends that.
func (b *Budget) FailAfter(n int64) { b.failAfter.Store(n) }

// Charge counts n bytes that lie elsewhere, in Go's heap, say; error 241 where that passes a limit. Release gives them back.
func (b *Budget) Charge(n int64) error { return b.charge(n) }

// Release takes back what Charge counted.
func (b *Budget) Release(n int64) { b.release(n) }

// charge counts n more bytes here and above, or none at all.
func (b *Budget) charge(n int64) error {
	for p := b; p != nil; p = p.parent {
		if b.forced {
			p.count(n)
			continue
		}
		if err := p.add(n); err != nil {
			for q := b; q != p; q = q.parent {
				q.used.Add(-n)
			}
			return err
		}
	}
	return nil
}

func (b *Budget) add(n int64) error {
	if left := b.failAfter.Load(); left >= 0 {
		if left == 0 {
			return b.exceeded(b.used.Load(), n)
		}
		b.failAfter.CompareAndSwap(left, left-1)
	}
	now := b.used.Add(n)
	if limit := b.limit.Load(); limit > 0 && now > limit {
		b.used.Add(-n)
		return b.exceeded(now-n, n)
	}
	b.raisePeak(now)
	return nil
}

// count is add that is never refused.
func (b *Budget) count(n int64) { b.raisePeak(b.used.Add(n)) }

func (b *Budget) raisePeak(now int64) {
	for {
		peak := b.peak.Load()
		if now <= peak || b.peak.CompareAndSwap(peak, now) {
			return
		}
	}
}

func (b *Budget) exceeded(used, n int64) error {
	would := used + n
	if would < 0 {
		would = math.MaxInt64
	}
	return errcode.New(errcode.MemoryLimitExceeded,
		"(%s) memory limit exceeded: would use %d bytes (attempt to allocate chunk of %d bytes), maximum: %d bytes", b.name, would, n, b.Limit())
}

func (b *Budget) release(n int64) {
	for p := b; p != nil; p = p.parent {
		p.used.Add(-n)
	}
}

// leakTest is the part of *testing.T that CheckLeaks needs.
type leakTest interface {
	Helper()
	Cleanup(func())
	Errorf(format string, args ...any)
}

// CheckLeaks makes a budget for one test and fails the test at its end if bytes are still held in it.
func CheckLeaks(t leakTest) *Budget {
	t.Helper()
	b := NewBudget("test", 0)
	t.Cleanup(func() {
		if n := b.Used(); n != 0 {
			t.Errorf("memory outside the heap: want 0 bytes held at the end of the test, got %d", n)
		}
	})
	return b
}
