package packed

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"dictsvc/internal/mem"
)

// TestKernel compares FindBatch, by the assembly where there is one, with the plain Go search and with single look-ups, for every width, at several load factors and for all
// lengths of a batch around the sizes in which keys are worked on.
func TestKernel(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for width := 0; width <= 64; width++ {
		for _, load := range []float64{0.5, 0.95, 0.99} {
			t.Run(fmt.Sprintf("%d/%v", width, load), func(t *testing.T) {
				const rows = 30000
				table, err := New(Options{MaxLoadFactor: load, ValueBits: width, Rows: rows, Seed: rng.Uint64(), Budget: mem.CheckLeaks(t)})
				if err != nil {
					t.Fatal(err)
				}
				defer table.Free()
				keys, values := make([]uint64, rows), make([]uint64, rows)
				for i := range keys {
					keys[i], values[i] = rng.Uint64(), rng.Uint64()&maskOf(uint(width))
				}
				if err := table.InsertBatch(keys, values, true, nil); err != nil {
					t.Fatal(err)
				}
				for _, n := range []int{0, 1, 7, 8, 9, 15, 16, 17, block - 1, block, block + 1, 2*block + 3} {
					asked := make([]uint64, n)
					for i := range asked {
						if asked[i] = rng.Uint64(); i%3 != 0 {
							asked[i] = keys[rng.IntN(rows)]
						}
					}
					compareFind(t, table, asked)
				}
				compareFind(t, table, keys)
			})
		}
	}
}

func compareFind(t *testing.T, table *Table, keys []uint64) {
	t.Helper()
	got, want := make([]uint64, len(keys)), make([]uint64, len(keys))
	gotFound, wantFound := make([]uint8, len(keys)), make([]uint8, len(keys))
	for i := range keys {
		got[i], want[i] = uint64(i), uint64(i)
	}
	hits := table.FindBatch(keys, got, gotFound)
	plain := *table
	plain.kernel.fast = false
	if n := plain.FindBatch(keys, want, wantFound); n != hits {
		t.Fatalf("%d keys: want %d found, got %d", len(keys), n, hits)
	}
	for i := range keys {
		if v, ok := table.Find(keys[i]); ok != (gotFound[i] == 1) || ok && v != got[i] {
			t.Fatalf("key %d of %d: %d, found %d; alone %d, found %v", i, len(keys), got[i], gotFound[i], v, ok)
		}
		if got[i] != want[i] || gotFound[i] != wantFound[i] {
			t.Fatalf("key %d of %d: want %d, found %d; got %d, found %d", i, len(keys), want[i], wantFound[i], got[i], gotFound[i])
		}
	}
}

// TestKernelFar compares the two ways of asking for memory on tables of one and of two cache lines a line.
func TestKernelFar(t *testing.T) {
	for _, width := range []int{16, 60} {
		table, err := New(Options{ValueBits: width, Rows: 20000, Budget: mem.CheckLeaks(t)})
		if err != nil {
			t.Fatal(err)
		}
		defer table.Free()
		keys := make([]uint64, 20000)
		for i := range keys {
			keys[i] = uint64(i) * 3
		}
		if err := table.InsertBatch(keys, keys, true, nil); err != nil {
			t.Fatal(err)
		}
		table.kernel.far = 1
		for i := range keys {
			keys[i] = uint64(i) * 2
		}
		compareFind(t, table, keys)
	}
}
