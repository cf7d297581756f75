package hashmap

import (
	"math/rand/v2"
	"testing"

	"dictsvc/internal/mem"
)

func checkPlaces[V Row](t *testing.T, rows int) {
	t.Helper()
	const seed = 77
	m, err := New[V](Options{Seed: seed, Budget: mem.CheckLeaks(t), MaxLoadFactor: 0.9})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Free()
	r := rand.New(rand.NewPCG(1, uint64(rows)))
	keys, values := make([]uint64, rows), make([]V, rows)
	for i := range keys {
		keys[i], values[i] = r.Uint64(), V(r.Uint64())
	}
	if rows > 0 {
		keys[rows/2] = Unmix64(0) ^ seed // the key kept aside
	}
	if err := m.InsertBatch(keys, values, true, nil); err != nil {
		t.Fatal(err)
	}
	places, got, found := make([]uint64, rows), make([]V, rows), make([]uint8, rows)
	m.LocateBatch(keys, got, places, found)
	byPlace := map[uint64]uint64{}
	for i, k := range keys {
		if found[i] != 1 || got[i] != values[i] || places[i] >= m.Places() {
			t.Fatalf("%d rows: key %d: found %d, value %v (want %v), place %d of %d", rows, i, found[i], got[i], values[i], places[i], m.Places())
		}
		byPlace[places[i]] = k
	}
	if len(byPlace) != rows {
		t.Fatalf("%d rows have %d places", rows, len(byPlace))
	}
	var c Cursor
	seen := 0
	part, at, vals := make([]uint64, 77), make([]uint64, 77), make([]V, 77)
	for n := m.ScanPlaces(&c, part, vals, at); n > 0; n = m.ScanPlaces(&c, part, vals, at) {
		seen += n
		for i, k := range part[:n] {
			if v, ok := m.Find(k); byPlace[at[i]] != k || !ok || v != vals[i] {
				t.Fatalf("%d rows: the scan gives key %#x at place %d; want %#x", rows, k, at[i], byPlace[at[i]])
			}
		}
	}
	if seen != rows {
		t.Fatalf("the scan gives %d rows; want %d", seen, rows)
	}
	for i := range keys {
		keys[i] = r.Uint64()
	}
	m.LocateBatch(keys, nil, places, found)
	for i, f := range found {
		if f != 0 {
			t.Fatalf("%d rows: key %d is found and was never put in", rows, i)
		}
	}
}

func TestPlaces(t *testing.T) {
	for _, rows := range []int{0, 1, 15, 16, 17, 1000, 30000} {
		checkPlaces[uint8](t, rows)
		checkPlaces[uint16](t, rows)
		checkPlaces[uint32](t, rows)
		checkPlaces[uint64](t, rows)
	}
}
