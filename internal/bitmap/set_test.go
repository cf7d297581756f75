package bitmap

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"dictsvc/column"
)

// model is a set as a map of its values' bits.
type model map[uint64]bool

func random(r *rand.Rand, k Kind, n int) (Set, model) {
	s, m := New(k), model{}
	spread := []uint64{50, 3000, 1 << 20, 1 << 40}[r.IntN(4)]
	var values []uint64
	for range n {
		v := k.bits(r.Uint64() % spread)
		m[v] = true
		if r.IntN(2) == 0 {
			s.Add(v)
		} else {
			values = append(values, v)
		}
	}
	s.AddMany(values, nil)
	if r.IntN(2) == 0 { // run containers, as states that were saved have
		if from := r.Uint64() % spread; s.Large() {
			for v := range uint64(r.IntN(20000)) {
				v = k.bits(from + v)
				s.Add(v)
				m[v] = true
			}
		}
		s, _ = Read(column.NewStateReader(s.Append(nil, false)), k, true)
	}
	return s, m
}

func check(t *testing.T, what string, s *Set, m model) {
	t.Helper()
	got, want := s.AppendTo(nil), slices.Collect(maps.Keys(m))
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) || s.Len() != uint64(len(m)) {
		t.Fatalf("%s: got %d values, want %d", what, len(got), len(want))
	}
	back, err := Read(column.NewStateReader(s.Append(nil, false)), s.kind, true)
	if err != nil {
		t.Fatalf("%s: what was written does not read back: %v", what, err)
	}
	again := back.AppendTo(nil)
	slices.Sort(again)
	if !slices.Equal(again, want) {
		t.Fatalf("%s: what was written reads back as another set", what)
	}
}

func (m model) join(o model, want func(a, b bool) bool) model {
	out := model{}
	for _, from := range []model{m, o} {
		for v := range from {
			if want(m[v], o[v]) {
				out[v] = true
			}
		}
	}
	return out
}

func TestOperations(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	kinds := []Kind{{1, false}, {1, true}, {2, false}, {4, true}, {4, false}, {8, false}, {8, true}}
	ops := []struct {
		name string
		set  func(s, o *Set)
		want func(a, b bool) bool
	}{
		{"or", (*Set).Or, func(a, b bool) bool { return a || b }},
		{"and", (*Set).And, func(a, b bool) bool { return a && b }},
		{"xor", (*Set).Xor, func(a, b bool) bool { return a != b }},
		{"and not", (*Set).AndNot, func(a, b bool) bool { return a && !b }},
	}
	for range 400 {
		k := kinds[r.IntN(len(kinds))]
		n, m := r.IntN(80), r.IntN(80)
		if r.IntN(8) == 0 {
			n *= 200
		}
		a, am := random(r, k, n)
		b, bm := random(r, k, m)
		check(t, "a", &a, am)
		both := am.join(bm, func(x, y bool) bool { return x && y })
		if got := a.AndLen(&b); got != uint64(len(both)) {
			t.Fatalf("AndLen: got %d, want %d", got, len(both))
		}
		if got := a.Intersects(&b); got != (len(both) > 0) {
			t.Fatalf("Intersects: got %v", got)
		}
		for _, op := range ops {
			c, _ := Read(column.NewStateReader(a.Append(nil, false)), k, false)
			op.set(&c, &b)
			check(t, op.name, &c, am.join(bm, op.want))
			check(t, "the other of "+op.name, &b, bm)
		}
	}
}

func TestSubsets(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		k := []Kind{{4, false}, {8, false}}[r.IntN(2)]
		s, m := random(r, k, 40+r.IntN(3000))
		if !s.Large() {
			continue
		}
		sorted := slices.Sorted(maps.Keys(m))
		from, n := r.Uint64()%(s.Max()+2), r.Uint64()%uint64(len(sorted)+5)
		at, _ := slices.BinarySearch(sorted, from)
		ranged, limited, behind := New(k), New(k), New(k)
		s.Range(from, from+n*20, &ranged)
		end, _ := slices.BinarySearch(sorted, from+n*20)
		s.Limit(from, n, &limited)
		s.OffsetLimit(n, n, &behind)
		part := func(from, to int) model {
			out := model{}
			for _, v := range sorted[min(from, len(sorted)):min(to, len(sorted))] {
				out[v] = true
			}
			return out
		}
		check(t, "range", &ranged, part(at, max(end, at)))
		check(t, "limit", &limited, part(at, at+int(n)))
		check(t, "offset and limit", &behind, part(int(n), 2*int(n)))
		check(t, "what they are taken of", &s, m)
	}
}

// FuzzRead: whatever the bytes, reading ends in an error or in a set that can be worked with.
func FuzzRead(f *testing.F) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, k := range []Kind{{2, true}, {4, false}, {8, false}} {
		for _, n := range []int{0, 3, 50, 20000} {
			s, _ := random(r, k, n)
			f.Add(k.Bytes == 8, s.Append(nil, false))
		}
		s := New(k)
		for v := range uint64(70000) {
			s.Add(v)
		}
		f.Add(k.Bytes == 8, s.Append(nil, false))
	}
	f.Fuzz(func(t *testing.T, wide bool, data []byte) {
		k := Kind{Bytes: 4}
		if wide {
			k.Bytes = 8
		}
		s, err := Read(column.NewStateReader(slices.Clone(data)), k, true)
		if err != nil || s.Len() > 1<<20 {
			return
		}
		o, _ := Read(column.NewStateReader(data), k, false)
		o.Add(77)
		s.Xor(&o)
		o.And(&s)
		o.Or(&s)
		if _, err := Read(column.NewStateReader(o.Append(nil, true)), k, true); err != nil {
			t.Fatal(err)
		}
		list := o.AppendTo(nil)
		if uint64(len(list)) != o.Len() {
			t.Fatalf("a set of %d has %d values", o.Len(), len(list))
		}
	})
}
