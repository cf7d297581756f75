package hashmap

import (
	"fmt"
	"os"
	"strconv"
	"testing"

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

// batchOf fills keys with rows from..from+len(keys) of the sequence; numbers from n on are misses.
func batchOf(keys []uint64, from uint64) {
	for i := range keys {
		keys[i] = IntHash64(from + uint64(i))
	}
}

func benchFill(b *testing.B, m *Map[uint16], n int) {
	keys, values := make([]uint64, benchBatch), make([]uint16, benchBatch)
	for from := 0; from < n; from += benchBatch {
		part := keys[:min(benchBatch, n-from)]
		batchOf(part, uint64(from))
		if err := m.InsertBatch(part, values[:len(part)], true, nil); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkMapInsert(b *testing.B) {
	for _, n := range benchSizes() {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			watch := mem.NewStopwatch()
			for range b.N {
				m, err := New[uint16](Options{})
				if err != nil {
					b.Fatal(err)
				}
				benchFill(b, m, n)
				b.ReportMetric(float64(m.Bytes())/float64(n), "bytes/row")
				m.Free()
			}
			b.ReportMetric(float64(n)*float64(b.N)/watch.Stop().Seconds()/1e6, "Mrows/cpu-s")
		})
	}
}

func BenchmarkMapFind(b *testing.B) {
	for _, load := range []float64{0.5, 0.75, 0.95} {
		for _, n := range benchSizes() {
			m, err := New[uint16](Options{MaxLoadFactor: load, Rows: uint64(n)})
			if err != nil {
				b.Fatal(err)
			}
			benchFill(b, m, n)
			for _, kind := range []string{"hit", "miss"} {
				b.Run(fmt.Sprintf("%s/%v/%d", kind, load, n), func(b *testing.B) {
					// Keys are drawn in random order and made outside the measured time.
					keys := make([]uint64, max(benchBatch, min(n, 1<<20)))
					x := uint64(1)
					for i := range keys {
						x = x*6364136223846793005 + 1442695040888963407
						keys[i] = Scale(x, uint64(n))
						if kind == "miss" {
							keys[i] += uint64(n)
						}
						keys[i] = IntHash64(keys[i])
					}
					out, found := make([]uint16, benchBatch), make([]uint8, benchBatch)
					b.ResetTimer()
					watch := mem.NewStopwatch()
					done := 0
					for at := 0; done < b.N; at = (at + benchBatch) % (len(keys) - benchBatch + 1) {
						part := keys[at : at+benchBatch]
						if hits := m.FindBatch(part, out, found); kind == "hit" && hits != len(part) || kind == "miss" && hits != 0 {
							b.Fatalf("found %d of %d", hits, len(part))
						}
						done += len(part)
					}
					b.ReportMetric(float64(done)/watch.Stop().Seconds()/1e6, "Mkeys/cpu-s")
				})
			}
			m.Free()
		}
	}
}
