package mem

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"
	"unsafe"

	"dictsvc/errcode"
)

func TestRegionKeepsBytesAndZeroesNewOnes(t *testing.T) {
	b := CheckLeaks(t)
	r, err := Alloc(b, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Free()
	var want []byte
	rng := rand.New(rand.NewPCG(1, 1))
	for _, size := range []int{1, 100, 5000, 4096, 4097, 3 << 20, HugePage, HugePage - 1, 100, 9 << 20, 9<<20 + 1, 20 << 20, 10, 0, 7} {
		if err := r.Resize(size); err != nil {
			t.Fatal(err)
		}
		for len(want) < size {
			want = append(want, 0)
		}
		want = want[:size:size]
		if !bytes.Equal(r.Bytes(), want) {
			t.Fatalf("size %d: the bytes differ", size)
		}
		if r.Size() != size || b.Used() != r.Held() || int(r.Held()) != (size+PageSize-1)/PageSize*PageSize {
			t.Fatalf("size %d: got %d, held %d, budget %d", size, r.Size(), r.Held(), b.Used())
		}
		if size >= HugePage && uintptr(r.Pointer())%HugePage != 0 {
			t.Errorf("size %d: address %p is not aligned to huge pages", size, r.Pointer())
		}
		for range 1000 {
			if size > 0 {
				i := rng.IntN(size)
				want[i] = byte(rng.Uint32())
				r.Bytes()[i] = want[i]
			}
		}
	}
}

func TestRegionReset(t *testing.T) {
	b := CheckLeaks(t)
	r, err := Alloc(b, 5000)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Free()
	for _, size := range []int{5000, 3 << 20, 4096, 0} {
		if size > 0 && r.Size() > 0 {
			r.Bytes()[0] = 1
		}
		if err := r.Reset(size); err != nil {
			t.Fatal(err)
		}
		if r.Size() != size || b.Used() != r.Held() || bytes.ContainsFunc(r.Bytes(), func(c rune) bool { return c != 0 }) {
			t.Fatalf("reset to %d: size %d, held %d, budget %d, or not zero", size, r.Size(), r.Held(), b.Used())
		}
	}
}

func TestBudgetLimits(t *testing.T) {
	total := CheckLeaks(t)
	total.SetLimit(10 * PageSize)
	child := total.Child("dictionary", 6*PageSize)
	r, err := Alloc(child, 5*PageSize)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Free()
	r.Bytes()[0] = 9
	refuse := func(what string, err error) {
		t.Helper()
		if errcode.Of(err) != errcode.MemoryLimitExceeded {
			t.Fatalf("%s: want MEMORY_LIMIT_EXCEEDED, got %v", what, err)
		}
		if child.Used() != 5*PageSize || total.Used() != 5*PageSize || r.Bytes()[0] != 9 {
			t.Fatalf("%s: want nothing changed, got %d and %d bytes", what, child.Used(), total.Used())
		}
	}
	refuse("the child's limit", r.Resize(7*PageSize))
	_, err = Alloc(total, 6*PageSize)
	refuse("the total limit", err)
	refuse("too large", r.Resize(MaxBytes+1))
	refuse("negative", r.Resize(-1))
	refuse("reset", r.Reset(7*PageSize))
	total.FailAfter(0)
	refuse("made to fail", r.Resize(6*PageSize))
	forced, err := Alloc(child.Forced(), 20*PageSize)
	if err != nil {
		t.Fatalf("forced: %v", err)
	}
	if total.Used() != 25*PageSize || total.Peak() != 25*PageSize {
		t.Errorf("forced: want 25 pages counted, got %d bytes, peak %d", total.Used(), total.Peak())
	}
	forced.Free()
	total.FailAfter(-1)
	if err := r.Resize(6 * PageSize); err != nil {
		t.Fatal(err)
	}
}

func TestSliceGrows(t *testing.T) {
	s, err := NewSlice[uint32](CheckLeaks(t), 3)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Free()
	for i := range uint32(1 << 20) {
		if err := s.Append(i, i+1); err != nil {
			t.Fatal(err)
		}
	}
	if s.Len() != 3+2<<20 || s.Data()[2] != 0 || s.Data()[3+2*77] != 77 || s.Data()[4+2*77] != 78 {
		t.Fatalf("after appending: length %d, values %v", s.Len(), s.Data()[:10])
	}
	if err := s.Resize(10); err != nil {
		t.Fatal(err)
	}
	if err := s.Resize(20); err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(s.Data()), "[0 0 0 0 1 1 2 2 3 3 0 0 0 0 0 0 0 0 0 0]"; got != want {
		t.Errorf("after cutting and growing: want %s, got %s", want, got)
	}
	if s.Held() != PageSize {
		t.Errorf("20 values hold %d bytes, want a page", s.Held())
	}
}

func TestSliceRefusesPointers(t *testing.T) {
	b := CheckLeaks(t)
	if _, err := NewSlice[string](b, 1); errcode.Of(err) != errcode.LogicalError {
		t.Errorf("string: want LOGICAL_ERROR, got %v", err)
	}
	if _, err := NewSlice[struct{ a [2]*int }](b, 1); errcode.Of(err) != errcode.LogicalError {
		t.Errorf("pointers in a struct: want LOGICAL_ERROR, got %v", err)
	}
	if s, err := NewSlice[struct{ a [2]uint64 }](b, 1); err != nil {
		t.Errorf("a struct without pointers: %v", err)
	} else {
		s.Free()
	}
}

func TestArena(t *testing.T) {
	a := NewArena(CheckLeaks(t))
	defer a.Free()
	rng := rand.New(rand.NewPCG(2, 2))
	type part struct {
		at uint64
		v  []byte
	}
	var parts []part
	for i := range 3000 {
		v := bytes.Repeat([]byte{byte(i)}, rng.IntN(3000))
		at, err := a.Append(v)
		if err != nil {
			t.Fatal(err)
		}
		parts = append(parts, part{at, v})
	}
	if err := a.Trim(); err != nil {
		t.Fatal(err)
	}
	for i, p := range parts {
		if !bytes.Equal(a.At(p.at, len(p.v)), p.v) {
			t.Fatalf("part %d at %d differs", i, p.at)
		}
	}
	if int(a.Held()) > a.Len()+PageSize {
		t.Errorf("%d bytes hold %d", a.Len(), a.Held())
	}
}

// TestPrefetch only shows that lines up to the last may be asked for.
func TestPrefetch(t *testing.T) {
	r, err := Alloc(CheckLeaks(t), 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Free()
	Prefetch(r.Pointer(), nil, 6)
	Prefetch(r.Pointer(), []uint64{0, 5, 1<<14 - 1}, 6)
	Prefetch(r.Pointer(), []uint64{0, 5, 1<<13 - 1}, 7)
	if *(*uint64)(unsafe.Pointer(&r.Bytes()[0])) != 0 {
		t.Error("prefetching changed memory")
	}
}

// TestPages writes pages, gives back every second one, and finds the others as they were and those empty.
func TestPages(t *testing.T) {
	b := CheckLeaks(t)
	p := NewPages(b, 2*PageSize)
	defer p.Free()
	var list []*[2 * PageSize]byte
	for i := range 1000 {
		page, err := p.Get()
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, (*[2 * PageSize]byte)(page))
		for j := range list[i] {
			list[i][j] = byte(i + j)
		}
	}
	held := b.Used()
	if held != p.Held() || held < 1000*2*PageSize || held > 1000*2*PageSize+lastSlab {
		t.Errorf("1000 pieces of two pages: %d bytes charged, %d held", held, p.Held())
	}
	for i := 0; i < 1000; i += 2 {
		p.Put(unsafe.Pointer(list[i]))
	}
	if b.Used() != held-500*2*PageSize {
		t.Errorf("half given back: %d bytes charged of %d", b.Used(), held)
	}
	for i, page := range list {
		if given := i%2 == 0 && i/2 < 500/givenTogether*givenTogether; given {
			if page[0] != 0 || page[PageSize] != 0 || page[2*PageSize-1] != 0 {
				t.Fatalf("piece %d still has its bytes", i)
			}
		} else if page[5] != byte(i+5) || page[PageSize] != byte(i+PageSize) {
			t.Fatalf("piece %d has lost its bytes", i)
		}
	}
}
