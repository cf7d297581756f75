package mem

import (
	"math/rand"
	"testing"
)

// Pieces in use never overlap, whatever was taken and given back before.
func TestPool(t *testing.T) {
	b := CheckLeaks(t)
	p := NewPool(b)
	defer p.Free()
	r := rand.New(rand.NewSource(1))
	type lent struct {
		words []uint64
		mark  uint64
	}
	var held []lent
	check := func(l lent) {
		for i, w := range l.words {
			if w != l.mark {
				t.Fatalf("word %d of a piece of %d: got %d, want %d", i, len(l.words), w, l.mark)
			}
		}
	}
	for step := uint64(1); step < 400; step++ {
		if len(held) > 0 && r.Intn(3) == 0 {
			k := r.Intn(len(held))
			check(held[k])
			Give(p, held[k].words)
			held = append(held[:k], held[k+1:]...)
			continue
		}
		l := lent{words: Take[uint64](p, r.Intn(1<<uint(r.Intn(18)))), mark: step}
		for i := range l.words {
			l.words[i] = step
		}
		held = append(held, l)
	}
	for _, l := range held {
		check(l)
	}
	l := Take[uint32](p, 100_000)
	for i := range l {
		l[i] = uint32(i)
	}
	l = Regrow(p, l, 1_000_000)
	for i := range uint32(100_000) {
		if l[i] != i {
			t.Fatalf("value %d after growth: got %d", i, l[i])
		}
	}
}

// A pool over its budget panics with the error of the budget and can still be freed.
func TestPoolOverBudget(t *testing.T) {
	b := NewBudget("test", 8<<20)
	p := NewPool(b)
	func() {
		defer func() {
			if recover() == nil {
				t.Error("want a panic of a pool over its budget")
			}
		}()
		for range 1000 {
			Take[uint64](p, 1<<16)
		}
	}()
	p.Free()
	if b.Used() != 0 {
		t.Errorf("got %d bytes held after Free", b.Used())
	}
}
