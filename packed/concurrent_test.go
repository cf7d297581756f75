package packed

import (
	"sync"
	"testing"

	"dictsvc/hashmap"
	"dictsvc/internal/mem"
)

// TestConcurrentReaders reads each kind of table from several goroutines at once; the race detector watches.
func TestConcurrentReaders(t *testing.T) {
	const n = 5000
	budget := mem.CheckLeaks(t)
	keys, values := make([]uint64, n), make([]uint64, n)
	for i := range keys {
		keys[i], values[i] = hashmap.IntHash64(uint64(i)), uint64(i)
	}
	table, err := New(Options{ValueBits: 13, Budget: budget})
	if err != nil {
		t.Fatal(err)
	}
	defer table.Free()
	fast, err := hashmap.New[uint64](hashmap.Options{Budget: budget})
	if err != nil {
		t.Fatal(err)
	}
	defer fast.Free()
	for _, err := range []error{table.InsertBatch(keys, values, true, nil), fast.InsertBatch(keys, values, true, nil)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			out, found := make([]uint64, n), make([]uint8, n)
			for what, hits := range map[string]int{
				"packed":  table.FindBatch(keys, out, found),
				"hashmap": fast.FindBatch(keys, out, found),
			} {
				if hits != n {
					t.Errorf("%s: want %d found, got %d", what, n, hits)
				}
			}
			var c Cursor
			var f hashmap.Cursor
			if a, b := table.Scan(&c, out, nil), fast.Scan(&f, out, nil); a != n || b != n {
				t.Errorf("scan: want %d rows, got %d and %d", n, a, b)
			}
		})
	}
	readers.Wait()
}
