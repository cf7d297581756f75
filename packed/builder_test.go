package packed

import (
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"dictsvc/errcode"
	"dictsvc/hashmap"
	"dictsvc/internal/mem"
)

func TestBuilder(t *testing.T) {
	for _, width := range []int{0, 1, 8, 9, 16, 23, 57, 58, 64} {
		for _, n := range []int{0, 1, 100, 30000} {
			for _, workers := range []int{1, 2, 3} {
				for _, first := range []bool{true, false} {
					testBuilder(t, width, n, workers, 0, first)
				}
			}
		}
	}
}

// TestBuilderLevels goes through all levels of partitions, and fills tables of many groups from several sides.
func TestBuilderLevels(t *testing.T) {
	testBuilder(t, 64, 1_300_000, 2, 1, true)
	testBuilder(t, 64, 1_300_000, 5, 40, false)
}

// testBuilder builds a table from rows with duplicates and compares it with a Go map.
func testBuilder(t *testing.T, width, n, workers int, rows uint64, first bool) {
	t.Helper()
	rng := rand.New(rand.NewPCG(uint64(width), uint64(n)))
	budget := mem.CheckLeaks(t)
	b, err := NewBuilder(Options{MaxLoadFactor: 0.95, Seed: testSeed, Budget: budget}, first, workers)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range b.stages {
		if rows > 0 {
			s.levelRows = [2]uint64{rows, rows}
		}
	}
	want := map[uint64]uint64{}
	for added := 0; added < n; {
		keys := randomKeys(rng, min(n-added, max(777, n/50)), uint64(n))
		// Values get wider as rows come, so that rows kept are made wider too.
		values := randomValues(rng, len(keys), min(width, 1+64*(added+len(keys))/n))
		if width == 0 {
			clear(values)
		}
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
	if n >= 30000 && table.LoadFactor() < 0.85 {
		t.Errorf("%d bits: duplicates leave a load factor of %.3f", width, table.LoadFactor())
	}
	table.Free()
}

// TestBuilderSizes builds tables of every number of rows up to 1500, and of every eleventh up to 10,000, and lets one table grow row by row
// through all of them.
func TestBuilderSizes(t *testing.T) {
	const most = 10000
	budget := mem.CheckLeaks(t)
	rng := rand.New(rand.NewPCG(8, 9))
	keys, values, out, found := make([]uint64, most), make([]uint64, most), make([]uint64, most), make([]uint8, most)
	for i := range keys {
		keys[i], values[i] = rng.Uint64(), rng.Uint64()&0xffff
	}
	all := func(table *Table, n int) {
		t.Helper()
		if hits := table.FindBatch(keys[:n], out, found); hits != n || table.Len() != uint64(n) {
			t.Fatalf("%d rows: %d found, length %d", n, hits, table.Len())
		}
		for i, v := range values[:n] {
			if out[i] != v {
				t.Fatalf("%d rows: row %d has %d, want %d", n, i, out[i], v)
			}
		}
		if n < most && table.FindBatch(keys[n:min(n+50, most)], out, found) != 0 {
			t.Fatalf("%d rows: found a key that comes later", n)
		}
	}
	growing, err := New(Options{MaxLoadFactor: 0.99, ValueBits: 16, Budget: budget})
	if err != nil {
		t.Fatal(err)
	}
	defer growing.Free()
	for n := range most + 1 {
		if n > 0 {
			if err := growing.InsertBatch(keys[n-1:n], values[n-1:n], true, nil); err != nil {
				t.Fatal(err)
			}
		}
		if n > 1500 && n%11 != 0 && n != most {
			continue
		}
		all(growing, n)
		b, err := NewBuilder(Options{MaxLoadFactor: 0.99, Budget: budget}, true, 1+n%3)
		if err != nil {
			t.Fatal(err)
		}
		if err := b.Add(keys[:n], values[:n]); err != nil {
			t.Fatal(err)
		}
		table, err := b.Finish()
		if err != nil {
			t.Fatal(err)
		}
		all(table, n)
		table.Free()
	}
	if err := growing.Check(); err != nil {
		t.Error(err)
	}
}

// TestBuilderErrors lets every allocation fail in turn: the error is MEMORY_LIMIT_EXCEEDED and nothing is kept.
func TestBuilderErrors(t *testing.T) {
	keys, values := make([]uint64, 60000), make([]uint64, 60000)
	for i := range keys {
		keys[i], values[i] = uint64(i), uint64(i)
	}
	build := func(budget *mem.Budget) error {
		b, err := NewBuilder(Options{Budget: budget}, true, 2)
		if err != nil {
			return err
		}
		defer b.Free()
		for from := 0; from < len(keys); from += 10000 {
			if err := b.Add(keys[from:from+10000], values[from:from+10000]); err != nil {
				return err
			}
		}
		table, err := b.Finish()
		table.Free()
		return err
	}
	failed := 0
	for after := int64(0); ; after++ {
		budget := mem.NewBudget("test", 0)
		budget.FailAfter(after)
		err := build(budget)
		if budget.Used() != 0 {
			t.Fatalf("after %d allocations and the error %v: %d bytes are held", after, err, budget.Used())
		}
		if err == nil {
			break
		}
		if failed++; errcode.Of(err) != errcode.MemoryLimitExceeded {
			t.Fatalf("after %d allocations: want MEMORY_LIMIT_EXCEEDED, got %v", after, err)
		}
	}
	if failed < 8 {
		t.Errorf("only %d allocations were made to fail", failed)
	}
}

func BenchmarkBuilder(b *testing.B) {
	for _, n := range benchSizes() {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			watch := mem.NewStopwatch()
			keys, values := make([]uint64, benchBatch), make([]uint64, benchBatch)
			for range b.N {
				build, err := NewBuilder(Options{MaxLoadFactor: 0.95}, true, 1)
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

// TestBuilderInterrupt ends a fill in its middle: nothing is kept.
func TestBuilderInterrupt(t *testing.T) {
	stop := errcode.New(errcode.QueryWasCancelled, "stop")
	var asked atomic.Int64
	b, err := NewBuilder(Options{Budget: mem.CheckLeaks(t), Interrupt: func() error {
		if asked.Add(1) > 20 {
			return stop
		}
		return nil
	}}, true, 2)
	if err != nil {
		t.Fatal(err)
	}
	keys := make([]uint64, 50000)
	for i := range keys {
		keys[i] = uint64(i)
	}
	if err := b.Add(keys, keys); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Finish(); err != stop {
		t.Errorf("want the interrupt's error, got %v", err)
	}
}
