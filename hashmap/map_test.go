package hashmap

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"unsafe"

	"dictsvc/errcode"
	"dictsvc/internal/mem"
)

// valueOf makes a value of any kind out of a number.
func valueOf[V Value](x uint64) V {
	wide := [2]uint64{x, x * 0x9e3779b97f4a7c15}
	return *(*V)(unsafe.Pointer(&wide))
}

// testSeed makes the key whose hash is 0 another one than 0.
const testSeed = 12345

// model is a Map beside the Go map it must agree with.
type model[V Value] struct {
	t    *testing.T
	m    *Map[V]
	want map[uint64]V
}

func newModel[V Value](t *testing.T, o Options) *model[V] {
	t.Helper()
	if o.Budget == nil {
		o.Budget = mem.CheckLeaks(t)
	}
	m, err := New[V](o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Free)
	return &model[V]{t, m, map[uint64]V{}}
}

func (m *model[V]) insert(keys []uint64, values []V, first bool) {
	m.t.Helper()
	added := make([]uint8, len(keys))
	if err := m.m.InsertBatch(keys, values, first, added); err != nil {
		m.t.Fatal(err)
	}
	for i, k := range keys {
		_, was := m.want[k]
		if was == (added[i] == 1) {
			m.t.Fatalf("insert %#x: added = %d, there before: %v", k, added[i], was)
		}
		if !was || !first {
			m.want[k] = values[i]
		}
	}
}

func (m *model[V]) remove(keys []uint64) {
	m.t.Helper()
	removed := make([]uint8, len(keys))
	n := m.m.DeleteBatch(keys, removed)
	for i, k := range keys {
		_, was := m.want[k]
		if was != (removed[i] == 1) {
			m.t.Fatalf("delete %#x: removed = %d, there before: %v", k, removed[i], was)
		}
		n -= int(removed[i])
		delete(m.want, k)
	}
	if n != 0 {
		m.t.Fatalf("delete: the count is off by %d", n)
	}
}

// check compares everything: invariants, counts, lookups of keys there and not there, and a scan.
func (m *model[V]) check() {
	m.t.Helper()
	if err := m.m.Check(); err != nil {
		m.t.Fatal(err)
	}
	if m.m.Len() != uint64(len(m.want)) {
		m.t.Fatalf("want %d rows, got %d", len(m.want), m.m.Len())
	}
	var keys []uint64
	for k := range m.want {
		keys = append(keys, k, k+1, ^k)
	}
	keys = append(keys, 0, ^uint64(0), 1<<63, 1, 2, 3, 4)
	keep := valueOf[V](0xabcdefabcdefabcd)
	out, found := make([]V, len(keys)), make([]uint8, len(keys))
	for i := range out {
		out[i] = keep
	}
	hits := m.m.FindBatch(keys, out, found)
	for i, k := range keys {
		v, ok := m.want[k]
		if !ok {
			v = keep
		}
		if ok != (found[i] == 1) || out[i] != v {
			m.t.Fatalf("find %#x: want %v %v, got %v %d", k, v, ok, out[i], found[i])
		}
		if one, has := m.m.Find(k); has != ok || ok && one != v {
			m.t.Fatalf("find one %#x: want %v %v, got %v %v", k, v, ok, one, has)
		}
		hits -= int(found[i])
	}
	if hits != 0 {
		m.t.Fatalf("find: the count is off by %d", hits)
	}
	seen := map[uint64]V{}
	var c Cursor
	for {
		n := m.m.Scan(&c, keys[:7], out[:7])
		if n == 0 {
			break
		}
		for i, k := range keys[:min(n, 7)] {
			if _, twice := seen[k]; twice || m.want[k] != out[i] {
				m.t.Fatalf("scan: key %#x: want %v, got %v (twice: %v)", k, m.want[k], out[i], twice)
			}
			seen[k] = out[i]
		}
	}
	if len(seen) != len(m.want) {
		m.t.Fatalf("scan: want %d rows, got %d", len(m.want), len(seen))
	}
}

// randomKeys draws from a small range, so that keys repeat, with the special ones among them.
func randomKeys(rng *rand.Rand, n int, span uint64) []uint64 {
	keys := make([]uint64, n)
	for i := range keys {
		switch rng.IntN(50) {
		case 0:
			keys[i] = 0
		case 1:
			keys[i] = ^uint64(0)
		case 2:
			keys[i] = Unmix64(0) ^ testSeed // the hash that looks like an empty cell
		default:
			keys[i] = rng.Uint64N(span) * 0x10001
		}
	}
	return keys
}

func testRandom[V Value](t *testing.T) {
	for _, load := range []float64{0.5, 0.75, 0.9, 0.99} {
		var v V
		t.Run(fmt.Sprintf("%T/%v", v, load), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(uint64(load*100), uint64(unsafe.Sizeof(v))))
			m := newModel[V](t, Options{MaxLoadFactor: load, Seed: testSeed})
			m.check()
			for step := range 60 {
				span := uint64(20 << (step / 6))
				keys := randomKeys(rng, rng.IntN(400), span)
				values := make([]V, len(keys))
				for i := range values {
					values[i] = valueOf[V](rng.Uint64())
				}
				m.insert(keys, values, rng.IntN(2) == 0)
				if step%3 == 0 {
					m.remove(randomKeys(rng, rng.IntN(600), span))
				}
				if step%10 == 9 {
					if err := m.m.Compact(); err != nil {
						t.Fatal(err)
					}
				}
				m.check()
			}
		})
	}
}

func TestMapRandom(t *testing.T) {
	testRandom[struct{}](t)
	testRandom[uint8](t)
	testRandom[uint16](t)
	testRandom[uint32](t)
	testRandom[uint64](t)
	testRandom[[2]uint64](t)
	testRandom[[16]byte](t)
}

// TestMapCollisions uses keys whose hashes are neighbours: all have one home, and the last buckets overflow.
func TestMapCollisions(t *testing.T) {
	for _, hash := range []uint64{0, 1 << 40, 1 << 63, ^uint64(0) - 3000} {
		m := newModel[uint16](t, Options{MaxLoadFactor: 0.9, Seed: 99})
		var keys []uint64
		var values []uint16
		for i := range uint64(3000) {
			keys = append(keys, Unmix64(hash+i)^99)
			values = append(values, uint16(i))
		}
		rand.New(rand.NewPCG(hash, 1)).Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
		m.insert(keys, values, true)
		m.check()
		m.remove(keys[:1000])
		m.check()
		m.insert(keys[500:], values[500:], false)
		m.check()
	}
}

// TestMapGrowth checks the table at sampled sizes from 0 on, with and without knowing the size before.
func TestMapGrowth(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for size := 0; size <= 10000; size += 1 + rng.IntN(size/4+2) {
		for _, hint := range []uint64{0, uint64(size)} {
			m := newModel[uint32](t, Options{MaxLoadFactor: 0.5 + 0.49*rng.Float64(), Rows: hint})
			keys, values := make([]uint64, size), make([]uint32, size)
			for i := range keys {
				keys[i], values[i] = rng.Uint64(), uint32(i)
			}
			m.insert(keys, values, true)
			if err := m.m.Compact(); err != nil {
				t.Fatal(err)
			}
			m.check()
			if limit := int64(float64(size)*12.8/m.m.maxLoad) + 3*mem.PageSize; m.m.Bytes() > limit {
				t.Fatalf("%d rows at %.3f: want at most %d bytes, got %d", size, m.m.maxLoad, limit, m.m.Bytes())
			}
		}
	}
}

// TestMapChurn replaces rows at a constant count: neither the size nor the work may grow.
func TestMapChurn(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	m := newModel[uint64](t, Options{MaxLoadFactor: 0.9})
	const n = 4000
	keys := make([]uint64, n)
	for i := range keys {
		keys[i] = rng.Uint64()
	}
	values := make([]uint64, 100)
	m.insert(keys, make([]uint64, n), true)
	bytes := m.m.Bytes()
	for range 2000 {
		at := rng.IntN(n - 100)
		m.remove(keys[at : at+100])
		for i := range 100 {
			keys[at+i], values[i] = rng.Uint64(), rng.Uint64()
		}
		m.insert(keys[at:at+100], values, true)
	}
	m.check()
	if m.m.Bytes() > bytes+bytes/4 {
		t.Errorf("after churn: want about %d bytes, got %d", bytes, m.m.Bytes())
	}
}

// TestMapNoMemory lets each allocation in turn fail: the error has ClickHouse's code, and the table goes on.
func TestMapNoMemory(t *testing.T) {
	for fail := range int64(6) {
		b := mem.CheckLeaks(t)
		m := newModel[uint64](t, Options{Budget: b})
		rng := rand.New(rand.NewPCG(9, uint64(fail)))
		b.FailAfter(fail)
		for failed := false; !failed; {
			keys, values := randomKeys(rng, 300, 1<<40), make([]uint64, 300)
			added := make([]uint8, 300)
			err := m.m.InsertBatch(keys, values, true, added)
			for i := range keys {
				if added[i] == 1 {
					m.want[keys[i]] = values[i]
				}
			}
			if failed = err != nil; failed && errcode.Of(err) != errcode.MemoryLimitExceeded {
				t.Fatalf("want MEMORY_LIMIT_EXCEEDED, got %v", err)
			}
		}
		m.check()
		b.FailAfter(-1)
		m.insert([]uint64{1, 2, 3}, []uint64{4, 5, 6}, true)
		m.check()
	}
}

func TestLoadFactorRange(t *testing.T) {
	for _, f := range []float64{0.49, 1, -1, 0.991} {
		if _, err := New[uint8](Options{MaxLoadFactor: f}); errcode.Of(err) != errcode.BadArguments {
			t.Errorf("max_load_factor %v: want BAD_ARGUMENTS, got %v", f, err)
		}
	}
}
