package quotient

import (
	"fmt"
	"math/rand"
	"testing"

	"dictsvc/errcode"
	"dictsvc/hashmap"
	"dictsvc/internal/mem"
)

// compare checks a table against a model: every key of it, some that are not there, the scan, and the structure.
func compare(t *testing.T, name string, table *Table, model map[uint64]uint64, r *rand.Rand) {
	t.Helper()
	if fault := table.check(); fault != "" {
		t.Fatalf("%s: %s", name, fault)
	}
	if table.Len() != uint64(len(model)) {
		t.Fatalf("%s: %d keys, want %d", name, table.Len(), len(model))
	}
	var keys []uint64
	for k := range model {
		keys = append(keys, k)
	}
	for range 100 {
		keys = append(keys, r.Uint64(), uint64(r.Intn(1000)))
	}
	out, found := make([]uint64, len(keys)), make([]uint8, len(keys))
	table.Find(keys, out, found)
	for i, k := range keys {
		v, ok := model[k]
		if ok != (found[i] == 1) || out[i] != v {
			t.Fatalf("%s: key %d: got %d (found %d), want %d (%v)", name, k, out[i], found[i], v, ok)
		}
	}
	seen := 0
	for _, rg := range table.Split(3) {
		k, v := make([]uint64, 4096), make([]uint64, 4096)
		for cursor := rg[0]; cursor < rg[1]; {
			var n int
			n, cursor = table.Scan(cursor, rg[1], k, v)
			for i := range n {
				if want, ok := model[k[i]]; !ok || want != v[i] {
					t.Fatalf("%s: scan gives %d: %d, want %d (%v)", name, k[i], v[i], want, ok)
				}
			}
			seen += n
		}
	}
	if seen != len(model) {
		t.Fatalf("%s: scan gives %d keys, want %d", name, seen, len(model))
	}
}

func TestAgainstModel(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for _, vbits := range []int{0, 1, 7, 8, 16, 31, 32, 48, 57, 58, 64} {
		for _, load := range []float64{0.5, 0.75, 0.95, 0.99} {
			table, model := New(vbits, load), map[uint64]uint64{}
			mask := ^uint64(0) >> (64 - vbits)
			if vbits == 0 {
				mask = 0
			}
			for round := range 6 {
				n := 1 + r.Intn(3000)
				keys, vals, fresh := make([]uint64, n), make([]uint64, n), make([]uint8, n)
				for i := range keys {
					keys[i], vals[i] = r.Uint64()>>(r.Intn(4)*16), r.Uint64()&mask
				}
				keys[0], keys[n/2] = 0, ^uint64(0)
				if err := table.Insert(keys, vals, fresh); err != nil {
					t.Fatal(err)
				}
				for i, k := range keys {
					if _, ok := model[k]; ok == (fresh[i] == 1) {
						t.Fatalf("fresh[%d] is %d for a key that is there: %v", i, fresh[i], ok)
					}
					if fresh[i] == 1 {
						model[k] = vals[i] & mask
					}
				}
				if round%2 == 1 {
					for k := range model {
						if r.Intn(3) == 0 {
							if !table.Delete(k) {
								t.Fatalf("key %d cannot be deleted", k)
							}
							delete(model, k)
						}
					}
				}
				if round == 3 {
					if err := table.Seal(); err != nil {
						t.Fatal(err)
					}
				}
			}
			if err := table.Seal(); err != nil {
				t.Fatal(err)
			}
			compare(t, fmt.Sprintf("%d bits at %v", vbits, load), table, model, r)
			table.Free()
		}
	}
}

// Every size from 0 up: no step of growth or sealing may lose a key.
func TestEverySize(t *testing.T) {
	r := rand.New(rand.NewSource(2))
	for n := 0; n < 10000; n += 1 + n/40 {
		table, model := NewRows(0.95), map[uint64]uint64{}
		keys := make([]uint64, n)
		for i := range keys {
			keys[i] = r.Uint64()
			model[keys[i]] = uint64(i)
		}
		if err := table.Insert(keys, nil, make([]uint8, n)); err != nil {
			t.Fatal(err)
		}
		compare(t, fmt.Sprintf("%d rows", n), table, model, r)
		if err := table.Seal(); err != nil {
			t.Fatal(err)
		}
		compare(t, fmt.Sprintf("%d rows sealed", n), table, model, r)
		table.Free()
	}
}

// Keys that share their home line: far more than a page of neighbours can take.
func TestCollisions(t *testing.T) {
	r := rand.New(rand.NewSource(3))
	table, model := New(16, 0.9), map[uint64]uint64{}
	var keys, vals []uint64
	for i := range 3000 {
		k := hashmap.Unmix64(uint64(i)) // all hashes lie at the start of the range
		keys, vals = append(keys, k), append(vals, uint64(i))
		model[k] = uint64(i)
	}
	if err := table.Insert(keys, vals, make([]uint8, len(keys))); err != nil {
		t.Fatal(err)
	}
	compare(t, "collisions", table, model, r)
	table.Free()
}

// Deleting and inserting at a constant size must not make the table grow.
func TestChurn(t *testing.T) {
	r := rand.New(rand.NewSource(4))
	table := New(32, 0.9)
	defer table.Free()
	var live []uint64
	one := make([]uint8, 1)
	for range 20000 {
		live = append(live, r.Uint64())
	}
	if err := table.Insert(live, live, make([]uint8, len(live))); err != nil {
		t.Fatal(err)
	}
	size := table.Bytes()
	for range 200000 {
		i := r.Intn(len(live))
		table.Delete(live[i])
		live[i] = r.Uint64()
		if err := table.Insert(live[i:i+1], live[i:i+1], one); err != nil {
			t.Fatal(err)
		}
	}
	if table.Bytes() > size*3/2 {
		t.Errorf("after churn: %d bytes, before %d", table.Bytes(), size)
	}
	if fault := table.check(); fault != "" {
		t.Error(fault)
	}
}

func TestAllocationFailure(t *testing.T) {
	r := rand.New(rand.NewSource(5))
	table, model := New(16, 0.9), map[uint64]uint64{}
	defer table.Free()
	old := mem.Process.Limit()
	mem.Process.SetLimit(mem.Process.Used() + 1<<20)
	defer mem.Process.SetLimit(old)
	var err error
	for err == nil {
		keys, fresh := make([]uint64, 1000), make([]uint8, 1000)
		for i := range keys {
			keys[i] = r.Uint64()
		}
		err = table.Insert(keys, keys, fresh)
		for i, f := range fresh {
			if f == 1 {
				model[keys[i]] = keys[i] & 0xffff
			}
		}
	}
	if errcode.Of(err) != errcode.MemoryLimitExceeded {
		t.Errorf("got %v, want code 241", err)
	}
	compare(t, "after a failed growth", table, model, r)
}

func TestUnmix(t *testing.T) {
	for i := range uint64(1000) {
		if k := i * 0x9e3779b97f4a7c15; hashmap.Unmix64(hashmap.Mix64(k)) != k {
			t.Fatalf("the mix of %d does not come back", k)
		}
	}
}

func benchTable(b *testing.B, n int, load float64) *Table {
	table := New(16, load)
	keys, fresh := make([]uint64, 1<<16), make([]uint8, 1<<16)
	for i := 0; i < n; i += len(keys) {
		for j := range keys {
			keys[j] = uint64(i+j) * 0x9e3779b97f4a7c15
		}
		if err := table.Insert(keys[:min(len(keys), n-i)], keys, fresh); err != nil {
			b.Fatal(err)
		}
	}
	if err := table.Seal(); err != nil {
		b.Fatal(err)
	}
	return table
}

func BenchmarkFind(b *testing.B) {
	for _, n := range []int{1000, 100000, 10000000} {
		for _, load := range []float64{0.75, 0.95} {
			for _, miss := range []bool{false, true} {
				b.Run(fmt.Sprintf("n=%d/load=%v/miss=%v", n, load, miss), func(b *testing.B) {
					table := benchTable(b, n, load)
					defer table.Free()
					keys, out, found := make([]uint64, 1<<16), make([]uint64, 1<<16), make([]uint8, 1<<16)
					r := rand.New(rand.NewSource(1))
					for i := range keys {
						keys[i] = uint64(r.Intn(n)) * 0x9e3779b97f4a7c15
						if miss {
							keys[i] = r.Uint64()
						}
					}
					b.ResetTimer()
					for i := 0; i < b.N; i += len(keys) {
						for j := range keys { // other keys each time
							keys[j] = uint64(r.Int63()) % uint64(n) * 0x9e3779b97f4a7c15
							if miss {
								keys[j]++
							}
						}
						table.Find(keys, out, found)
					}
					b.ReportMetric(float64(table.Bytes())/float64(n), "bytes/row")
				})
			}
		}
	}
}

func BenchmarkInsert(b *testing.B) {
	for _, n := range []int{1000, 100000, 10000000} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			for i := 0; i < b.N; i += n {
				benchTable(b, n, 0.95).Free()
			}
		})
	}
}
