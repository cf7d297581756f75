package packed

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"dictsvc/errcode"
	"dictsvc/hashmap"
	"dictsvc/internal/mem"
)

func TestBuilder(t *testing.T) {
	for _, width := range []int{0, 1, 8, 9, 16, 23, 57, 64} {
		for _, n := range []int{0, 1, 100, 30000} {
			for _, first := range []bool{true, false} {
				rng := rand.New(rand.NewPCG(uint64(width), uint64(n)))
				budget := mem.CheckLeaks(t)
				b, err := NewBuilder(Options{MaxLoadFactor: 0.95, ValueBits: width, Seed: testSeed, Budget: budget}, first)
				if err != nil {
					t.Fatal(err)
				}
				want := map[uint64]uint64{}
				for added := 0; added < n; {
					keys := randomKeys(rng, min(n-added, 777), uint64(n))
					values := randomValues(rng, len(keys), width)
					for i, k := range keys {
						if _, ok := want[k]; !ok || !first {
							want[k] = values[i]
						}
					}
					if width == 0 {
						values = nil
					}
					if err := b.Add(keys, values); err != nil {
						t.Fatal(err)
					}
					added += len(keys)
				}
				if b.Rows() != uint64(n) {
					t.Fatalf("want %d rows, got %d", n, b.Rows())
				}
				table, err := b.Finish()
				if err != nil {
					t.Fatal(err)
				}
				if budget.Used() != table.Bytes() {
					t.Errorf("after Finish: want the table's %d bytes, got %d", table.Bytes(), budget.Used())
				}
				(&model{t, table, want}).check()
				if n == 30000 && table.LoadFactor() < 0.85 {
					t.Errorf("%d bits: duplicates leave a load factor of %.3f", width, table.LoadFactor())
				}
				table.Free()
			}
		}
	}
}

func TestBuilderErrors(t *testing.T) {
	budget := mem.CheckLeaks(t)
	b, err := NewBuilder(Options{ValueBits: 4, Budget: budget}, true)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Add([]uint64{1}, []uint64{16}); errcode.Of(err) != errcode.BadArguments {
		t.Errorf("a value of 5 bits: want BAD_ARGUMENTS, got %v", err)
	}
	if err := b.Add([]uint64{1}, []uint64{15}); err != nil {
		t.Fatal(err)
	}
	budget.FailAfter(0)
	if err := b.Add(make([]uint64, 5000), nil); errcode.Of(err) != errcode.MemoryLimitExceeded {
		t.Errorf("no memory for rows: want MEMORY_LIMIT_EXCEEDED, got %v", err)
	}
	if _, err := b.Finish(); errcode.Of(err) != errcode.MemoryLimitExceeded {
		t.Errorf("no memory for the table: want MEMORY_LIMIT_EXCEEDED, got %v", err)
	}
	if b.Bytes() != 0 {
		t.Errorf("after a failed Finish: want 0 bytes, got %d", b.Bytes())
	}
}

func BenchmarkBuilder(b *testing.B) {
	for _, n := range benchSizes() {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			watch := mem.NewStopwatch()
			keys, values := make([]uint64, benchBatch), make([]uint64, benchBatch)
			for range b.N {
				build, err := NewBuilder(Options{MaxLoadFactor: 0.95, ValueBits: 16}, true)
				if err != nil {
					b.Fatal(err)
				}
				for from := 0; from < n; from += benchBatch {
					part := keys[:min(benchBatch, n-from)]
					for i := range part {
						part[i] = hashmap.IntHash64(uint64(from + i))
						values[i] = uint64(from+i) & 0xffff
					}
					if err := build.Add(part, values[:len(part)]); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(build.Bytes())/float64(n), "staged-bytes/row")
				t, err := build.Finish()
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(t.Bytes())/float64(n), "bytes/row")
				t.Free()
			}
			b.ReportMetric(float64(n)*float64(b.N)/watch.Stop().Seconds()/1e6, "Mrows/cpu-s")
		})
	}
}
