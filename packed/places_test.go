package packed

import (
	"math/rand/v2"
	"testing"

	"dictsvc/hashmap"
	"dictsvc/internal/mem"
)

// checkPlaces compares LocateBatch and ScanPlaces with FindBatch: each entry has one place, and both name the same.
func checkPlaces(t *testing.T, m *Table, keys []uint64) {
	t.Helper()
	n := len(keys)
	want, ok := make([]uint64, n), make([]uint8, n)
	m.FindBatch(keys, want, ok)
	got, places, found := make([]uint64, n), make([]uint64, n), make([]uint8, n)
	m.LocateBatch(keys, got, places, found)
	byPlace := map[uint64]uint64{}
	for i := range keys {
		if found[i] != ok[i] || got[i] != want[i] || places[i] >= m.Places() {
			t.Fatalf("key %d of %d: found %d, value %d, place %d of %d; want %d, %d", i, n, found[i], got[i], places[i], m.Places(), ok[i], want[i])
		}
		if found[i] != 0 {
			byPlace[places[i]] = keys[i]
		}
	}
	if uint64(len(byPlace)) != m.Len() {
		t.Fatalf("%d entries have %d places", m.Len(), len(byPlace))
	}
	var c Cursor
	seen := 0
	part, values, at := make([]uint64, 77), make([]uint64, 77), make([]uint64, 77)
	for k := m.ScanPlaces(&c, part, values, at); k > 0; k = m.ScanPlaces(&c, part, values, at) {
		seen += k
		for i, key := range part[:k] {
			if v, ok := m.Find(key); byPlace[at[i]] != key || !ok || v != values[i] {
				t.Fatalf("the scan gives key %#x with value %d at place %d; want key %#x with %d", key, values[i], at[i], byPlace[at[i]], v)
			}
		}
	}
	if seen != len(byPlace) {
		t.Fatalf("the scan gives %d rows; want %d", seen, len(byPlace))
	}
}

func TestPlaces(t *testing.T) {
	for _, rows := range []int{0, 1, 255, 256, 257, 20000} {
		for _, width := range []int{0, 16, 64} {
			m, err := New(Options{ValueBits: width, Seed: testSeed, Budget: mem.CheckLeaks(t), Rows: uint64(rows)})
			if err != nil {
				t.Fatal(err)
			}
			rng := rand.New(rand.NewPCG(uint64(rows), uint64(width)))
			keys := make([]uint64, 2*rows) // the second half is not put in
			for i := range keys {
				keys[i] = rng.Uint64()
			}
			if err := m.InsertBatch(keys[:rows], randomValues(rng, rows, width), true, nil); err != nil {
				t.Fatal(err)
			}
			rng.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
			checkPlaces(t, m, keys)
			m.Free()
		}
	}
}

// TestPlacesOfSideTable gives many keys the same two lines, so that most of them lie in the side table.
func TestPlacesOfSideTable(t *testing.T) {
	m, err := New(Options{MaxLoadFactor: 0.9, ValueBits: 40, Rows: 2000, Seed: testSeed, Budget: mem.CheckLeaks(t)})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Free()
	rng := rand.New(rand.NewPCG(3, 3))
	var keys []uint64
	for len(keys) < 100 {
		rest := rng.Uint64() >> m.drop
		if h := m.hash(5, rest); m.other(5, rest) == 9 {
			keys = append(keys, hashmap.Unmix64(h)^testSeed)
		}
	}
	if err := m.InsertBatch(keys, randomValues(rng, len(keys), 40), true, nil); err != nil {
		t.Fatal(err)
	}
	if m.Overflow() == 0 {
		t.Fatal("want rows in the side table, got none")
	}
	checkPlaces(t, m, keys)
}
