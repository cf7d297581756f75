package packed

import (
	"fmt"
	"os"
	"strconv"
	"testing"

	"dictsvc/hashmap"
	"dictsvc/internal/mem"
)

// benchSizes are the numbers of rows; DICTSVC_BENCH_ROWS adds a larger one.
func benchSizes() []int {
	sizes := []int{1e3, 1e5, 1e7}
	if n, err := strconv.Atoi(os.Getenv("DICTSVC_BENCH_ROWS")); err == nil {
		sizes = append(sizes, n)
	}
	return sizes
}

// benchBatch is the number of keys a call.
const benchBatch = 8192

func benchFill(b *testing.B, t *Table, n int) {
	keys, values := make([]uint64, benchBatch), make([]uint64, benchBatch)
	for from := 0; from < n; from += benchBatch {
		part := keys[:min(benchBatch, n-from)]
		for i := range part {
			part[i] = hashmap.IntHash64(uint64(from + i))
			values[i] = uint64(from+i) & 0xffff
		}
		if err := t.InsertBatch(part, values[:len(part)], true, nil); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkInsert(b *testing.B) {
	for _, known := range []bool{true, false} {
		for _, n := range benchSizes() {
			b.Run(fmt.Sprintf("known=%v/%d", known, n), func(b *testing.B) {
				watch := mem.NewStopwatch()
				for range b.N {
					o := Options{MaxLoadFactor: 0.95, ValueBits: 16}
					if known {
						o.Rows = uint64(n)
					}
					t, err := New(o)
					if err != nil {
						b.Fatal(err)
					}
					benchFill(b, t, n)
					if err := t.Compact(); err != nil {
						b.Fatal(err)
					}
					b.ReportMetric(float64(t.Bytes())/float64(n), "bytes/row")
					b.ReportMetric(float64(t.Overflow()), "overflow")
					t.Free()
				}
				b.ReportMetric(float64(n)*float64(b.N)/watch.Stop().Seconds()/1e6, "Mrows/cpu-s")
			})
		}
	}
}

// BenchmarkRoof reads random cache lines of a region as large as the table, nothing else: the roof of a lookup.
func BenchmarkRoof(b *testing.B) {
	for _, n := range benchSizes() {
		t, err := New(Options{MaxLoadFactor: 0.95, ValueBits: 16, Rows: uint64(n)})
		if err != nil {
			b.Fatal(err)
		}
		benchFill(b, t, n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			watch := mem.NewStopwatch()
			x, sum := uint64(1), uint64(0)
			for range b.N {
				x = x*6364136223846793005 + 1442695040888963407
				sum += *(*uint64)(t.line(hashmap.Scale(x, t.lines)))
			}
			b.ReportMetric(float64(sum&1), "bit")
			b.ReportMetric(float64(b.N)/watch.Stop().Seconds()/1e6, "Mlines/cpu-s")
		})
		t.Free()
	}
}

func BenchmarkFind(b *testing.B) {
	for _, load := range []float64{0.75, 0.95} {
		for _, n := range benchSizes() {
			t, err := New(Options{MaxLoadFactor: load, ValueBits: 16, Rows: uint64(n)})
			if err != nil {
				b.Fatal(err)
			}
			benchFill(b, t, n)
			for _, kind := range []string{"hit", "miss"} {
				b.Run(fmt.Sprintf("%s/%v/%d", kind, load, n), func(b *testing.B) {
					// Keys are drawn in random order and made outside the measured time.
					keys := make([]uint64, 1<<20)
					x := uint64(1)
					for i := range keys {
						x = x*6364136223846793005 + 1442695040888963407
						keys[i] = hashmap.Scale(x, uint64(n))
						if kind == "miss" {
							keys[i] += uint64(n)
						}
						keys[i] = hashmap.IntHash64(keys[i])
					}
					out, found := make([]uint16, benchBatch), make([]uint8, benchBatch)
					b.ResetTimer()
					watch := mem.NewStopwatch()
					done := 0
					for at := 0; done < b.N; at = (at + benchBatch) % len(keys) {
						part := keys[at : at+benchBatch]
						if hits := Find(t, part, out, found); kind == "hit" && hits != len(part) || kind == "miss" && hits != 0 {
							b.Fatalf("found %d of %d", hits, len(part))
						}
						done += len(part)
					}
					b.ReportMetric(float64(done)/watch.Stop().Seconds()/1e6, "Mkeys/cpu-s")
				})
			}
			t.Free()
		}
	}
}
