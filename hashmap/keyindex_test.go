package hashmap

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"

	"dictsvc/errcode"
	"dictsvc/internal/mem"
)

// batchOfKeys makes a batch, with a prefix before the first key as a slice of a column has it.
func batchOfKeys(keys []string, width int) KeyBatch {
	b := KeyBatch{Data: []byte("before"), Start: 6, Width: width}
	for _, k := range keys {
		b.Data = append(b.Data, k...)
		if width == 0 {
			b.Ends = append(b.Ends, uint64(len(b.Data)))
		}
	}
	return b
}

type keyModel struct {
	t    *testing.T
	x    *KeyIndex
	want map[string]uint64
	keys []string
}

func newKeyModel(t *testing.T, o KeyOptions) *keyModel {
	t.Helper()
	if o.Budget == nil {
		o.Budget = mem.CheckLeaks(t)
	}
	x, err := NewKeyIndex(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(x.Free)
	return &keyModel{t: t, x: x, want: map[string]uint64{}}
}

func (m *keyModel) insert(keys []string) {
	m.t.Helper()
	rows, added := make([]uint64, len(keys)), make([]uint8, len(keys))
	if err := m.x.FindOrInsertBatch(batchOfKeys(keys, m.x.width), rows, added); err != nil {
		m.t.Fatal(err)
	}
	for i, k := range keys {
		row, was := m.want[k]
		if !was {
			row = uint64(len(m.keys))
			m.want[k] = row
			m.keys = append(m.keys, k)
		}
		if was == (added[i] == 1) || rows[i] != row {
			m.t.Fatalf("insert %q: want row %d (there before: %v), got %d (added: %d)", k, row, was, rows[i], added[i])
		}
	}
}

func (m *keyModel) check(misses []string) {
	m.t.Helper()
	if err := m.x.Check(); err != nil {
		m.t.Fatal(err)
	}
	if m.x.Len() != uint64(len(m.keys)) {
		m.t.Fatalf("want %d keys, got %d", len(m.keys), m.x.Len())
	}
	keys := append(append([]string{}, m.keys...), misses...)
	rows, found := make([]uint64, len(keys)), make([]uint8, len(keys))
	const keep = 1 << 50
	for i := range rows {
		rows[i] = keep
	}
	hits := m.x.FindBatch(batchOfKeys(keys, m.x.width), rows, found)
	for i, k := range keys {
		row, ok := m.want[k]
		if !ok {
			row = keep
		}
		if ok != (found[i] == 1) || rows[i] != row {
			m.t.Fatalf("find %q: want row %d (there: %v), got %d (found: %d)", k, row, ok, rows[i], found[i])
		}
		if ok && string(m.x.KeyAt(row)) != k {
			m.t.Fatalf("key of row %d: want %q, got %q", row, k, m.x.KeyAt(row))
		}
		hits -= int(found[i])
	}
	if hits != 0 {
		m.t.Fatalf("find: the count is off by %d", hits)
	}
}

func TestKeyIndexRandom(t *testing.T) {
	for _, load := range []float64{0.5, 0.75, 0.9, 0.99} {
		for _, width := range []int{0, 1, 8, 13} {
			t.Run(fmt.Sprintf("%v/%d", load, width), func(t *testing.T) {
				rng := rand.New(rand.NewPCG(uint64(load*100), uint64(width)))
				m := newKeyModel(t, KeyOptions{Options{MaxLoadFactor: load, Seed: 3}, width})
				draw := func(n int, span uint64) []string {
					keys := make([]string, n)
					for i := range keys {
						x := rng.Uint64N(span)
						if width == 0 {
							keys[i] = fmt.Sprintf("%0*d", x%40, x)[:max(int(x%40), 0)]
							if x%5 == 0 {
								keys[i] += fmt.Sprint("-a longer key, to see all branches of the hash function ", x)
							}
						} else {
							keys[i] = string(binary.BigEndian.AppendUint64(make([]byte, 8), x)[16-width:])
						}
					}
					return keys
				}
				if width == 0 {
					m.insert([]string{"", "\x00", "\x00\x00", "", "a"})
				}
				for step := range 20 {
					m.insert(draw(rng.IntN(1200), 50<<(step/2)))
					m.check(draw(100, 1<<40))
					if step%5 == 4 {
						if err := m.x.Compact(); err != nil {
							t.Fatal(err)
						}
						m.check(nil)
					}
				}
			})
		}
	}
}

// TestKeyIndexCollisions gives all keys one hash: distances pass what a cell can tell, and all keys are compared.
func TestKeyIndexCollisions(t *testing.T) {
	m := newKeyModel(t, KeyOptions{Options: Options{MaxLoadFactor: 0.99, Rows: 5000}})
	const n = 2500
	for i := range n {
		key := []byte(fmt.Sprint("key ", i))
		if err := m.x.appendKey(key); err != nil {
			t.Fatal(err)
		}
		m.x.put(42, uint64(i), m.x.home(42))
		m.x.n++
	}
	for _, i := range []int{0, 1, 7, 8, 2039, 2040, 2041, n - 1} {
		if row := m.x.find([]byte(fmt.Sprint("key ", i)), 42, m.x.home(42)); row != uint64(i)+1 {
			t.Errorf("key %d: found as row %d", i, int64(row)-1)
		}
	}
	if row := m.x.find([]byte("another"), 42, m.x.home(42)); row != 0 {
		t.Errorf("a key that is not there: found as row %d", row-1)
	}
}

func TestKeyIndexGrowth(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 9))
	for size := 0; size <= 10000; size += 1 + rng.IntN(size/3+2) {
		m := newKeyModel(t, KeyOptions{Options: Options{MaxLoadFactor: 0.5 + 0.49*rng.Float64(), Rows: uint64(size * rng.IntN(2))}})
		keys := make([]string, size)
		for i := range keys {
			keys[i] = fmt.Sprintf("user-%d@example.org", rng.Uint64())
		}
		m.insert(keys)
		if err := m.x.Compact(); err != nil {
			t.Fatal(err)
		}
		m.check([]string{"", "nobody"})
		if limit := int64(float64(size)*(8/m.x.maxLoad+5+40)) + 3*mem.PageSize; m.x.Bytes() > limit {
			t.Fatalf("%d keys: want at most %d bytes, got %d", size, limit, m.x.Bytes())
		}
	}
}

// TestKeyIndexNoMemory lets each allocation in turn fail.
func TestKeyIndexNoMemory(t *testing.T) {
	for fail := range int64(12) {
		b := mem.CheckLeaks(t)
		m := newKeyModel(t, KeyOptions{Options: Options{Budget: b}})
		b.FailAfter(fail)
		for step := 0; ; step++ {
			var keys []string
			for i := range 100 {
				keys = append(keys, fmt.Sprintf("key number %d of step %d", i*i%200, step))
			}
			rows, added := make([]uint64, 100), make([]uint8, 100)
			err := m.x.FindOrInsertBatch(batchOfKeys(keys, 0), rows, added)
			for i, k := range keys {
				if added[i] == 1 {
					m.want[k] = uint64(len(m.keys))
					m.keys = append(m.keys, k)
				}
			}
			if err != nil {
				if errcode.Of(err) != errcode.MemoryLimitExceeded {
					t.Fatalf("want MEMORY_LIMIT_EXCEEDED, got %v", err)
				}
				break
			}
		}
		m.check([]string{"x"})
		b.FailAfter(-1)
		m.insert([]string{"one", "two", "one"})
		m.check([]string{"x"})
	}
}

func BenchmarkKeyIndex(b *testing.B) {
	for _, n := range benchSizes() {
		b.Run(fmt.Sprintf("insert/%d", n), func(b *testing.B) {
			watch := mem.NewStopwatch()
			for range b.N {
				x := fillKeys(b, n)
				if err := x.Compact(); err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(x.Bytes())/float64(n), "bytes/row")
				b.ReportMetric(float64(x.keys.Len())/float64(n), "keybytes/row")
				x.Free()
			}
			b.ReportMetric(float64(n)*float64(b.N)/watch.Stop().Seconds()/1e6, "Mrows/cpu-s")
		})
		x := fillKeys(b, n)
		for _, kind := range []string{"hit", "miss"} {
			b.Run(fmt.Sprintf("%s/%d", kind, n), func(b *testing.B) {
				keys, rows := make([]KeyBatch, 64), make([]uint64, benchBatch)
				r := uint64(1)
				for i := range keys {
					for range benchBatch {
						r = r*6364136223846793005 + 1442695040888963407
						u := Scale(r, uint64(n))
						if kind == "miss" {
							u += uint64(n)
						}
						keys[i].Data = fmt.Appendf(keys[i].Data, "user-%d@example.org", u)
						keys[i].Ends = append(keys[i].Ends, uint64(len(keys[i].Data)))
					}
				}
				b.ResetTimer()
				watch := mem.NewStopwatch()
				done := 0
				for i := 0; done < b.N; i++ {
					if hits := x.FindBatch(keys[i%len(keys)], rows, nil); kind == "hit" && hits != benchBatch || kind == "miss" && hits != 0 {
						b.Fatalf("found %d of %d", hits, benchBatch)
					}
					done += benchBatch
				}
				b.ReportMetric(float64(done)/watch.Stop().Seconds()/1e6, "Mkeys/cpu-s")
			})
		}
		x.Free()
	}
}

func fillKeys(b *testing.B, n int) *KeyIndex {
	x, err := NewKeyIndex(KeyOptions{})
	if err != nil {
		b.Fatal(err)
	}
	rows := make([]uint64, benchBatch)
	for from := 0; from < n; from += benchBatch {
		var keys KeyBatch
		for i := from; i < min(n, from+benchBatch); i++ {
			keys.Data = fmt.Appendf(keys.Data, "user-%d@example.org", i)
			keys.Ends = append(keys.Ends, uint64(len(keys.Data)))
		}
		if err := x.FindOrInsertBatch(keys, rows, nil); err != nil {
			b.Fatal(err)
		}
	}
	return x
}
