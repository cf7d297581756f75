package packed

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"testing"

	"dictsvc/errcode"
	"dictsvc/hashmap"
	"dictsvc/internal/mem"
)

const testSeed = 777

// model is a Table beside the Go map it must agree with.
type model struct {
	t    *testing.T
	m    *Table
	want map[uint64]uint64
}

func newModel(t *testing.T, o Options) *model {
	t.Helper()
	if o.Budget == nil {
		o.Budget = mem.CheckLeaks(t)
	}
	o.Seed = testSeed
	m, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Free)
	return &model{t, m, map[uint64]uint64{}}
}

func (m *model) insert(keys, values []uint64, first bool) {
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

func (m *model) remove(keys []uint64) {
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
func (m *model) check() {
	m.t.Helper()
	if err := m.m.Check(); err != nil {
		m.t.Fatal(err)
	}
	if m.m.Len() != uint64(len(m.want)) {
		m.t.Fatalf("want %d rows, got %d", len(m.want), m.m.Len())
	}
	keys := []uint64{0, ^uint64(0), 1 << 63, 1, 2, 3, 4}
	for k := range m.want {
		keys = append(keys, k, k+1, ^k)
	}
	const keep = 0xabcdefabcdefabcd
	out, found := make([]uint64, len(keys)), make([]uint8, len(keys))
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
		hits -= int(found[i])
	}
	if hits != 0 {
		m.t.Fatalf("find: the count is off by %d", hits)
	}
	narrow := make([]uint16, len(keys))
	Find(m.m, keys, narrow, nil)
	for i := range keys {
		if found[i] == 1 && narrow[i] != uint16(out[i]) || found[i] == 0 && narrow[i] != 0 {
			m.t.Fatalf("find %#x as UInt16: want %d, got %d", keys[i], uint16(out[i]), narrow[i])
		}
	}
	seen := map[uint64]bool{}
	var c Cursor
	for {
		n := m.m.Scan(&c, keys[:7], out[:7])
		if n == 0 {
			break
		}
		for i, k := range keys[:n] {
			if v, ok := m.want[k]; seen[k] || !ok || v != out[i] {
				m.t.Fatalf("scan: key %#x: want %v %v, got %v (twice: %v)", k, v, ok, out[i], seen[k])
			}
			seen[k] = true
		}
	}
	if len(seen) != len(m.want) {
		m.t.Fatalf("scan: want %d rows, got %d", len(m.want), len(seen))
	}
}

func randomKeys(rng *rand.Rand, n int, span uint64) []uint64 {
	keys := make([]uint64, n)
	for i := range keys {
		switch rng.IntN(50) {
		case 0:
			keys[i] = 0
		case 1:
			keys[i] = ^uint64(0)
		case 2:
			keys[i] = hashmap.Unmix64(0) ^ testSeed
		case 3:
			keys[i] = hashmap.Unmix64(^uint64(0)) ^ testSeed
		default:
			keys[i] = rng.Uint64N(span) * 0x10001
		}
	}
	return keys
}

func randomValues(rng *rand.Rand, n, width int) []uint64 {
	values := make([]uint64, n)
	for i := range values {
		values[i] = rng.Uint64() & maskOf(uint(width))
	}
	return values
}

func TestTableRandom(t *testing.T) {
	loads := []float64{0.5, 0.75, 0.9, 0.95, 0.99}
	for width := 0; width <= 64; width++ {
		load := loads[width%len(loads)]
		t.Run(fmt.Sprintf("%d/%v", width, load), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(uint64(width), 1))
			m := newModel(t, Options{MaxLoadFactor: load, ValueBits: width})
			m.check()
			for step := range 24 {
				span := uint64(20 << (step / 2))
				keys := randomKeys(rng, rng.IntN(1500), span)
				m.insert(keys, randomValues(rng, len(keys), width), rng.IntN(2) == 0)
				if step%3 == 0 {
					m.remove(randomKeys(rng, rng.IntN(1500), span))
				}
				if step%8 == 7 {
					if err := m.m.Compact(); err != nil {
						t.Fatal(err)
					}
				}
				if step%4 == 3 {
					m.check()
				}
			}
		})
	}
}

// TestTableFull fills tables of all widths to their limit without a chance to grow in between.
func TestTableFull(t *testing.T) {
	for width := 0; width <= 64; width += 4 {
		for _, load := range []float64{0.95, 0.99} {
			m := newModel(t, Options{MaxLoadFactor: load, ValueBits: width, Rows: 20000})
			rng := rand.New(rand.NewPCG(uint64(width), 2))
			n := int(m.m.limit)
			keys := make([]uint64, n)
			for i := range keys {
				keys[i] = rng.Uint64()
			}
			bytes := m.m.geometry.bytes()
			m.insert(keys, randomValues(rng, n, width), true)
			if m.m.geometry.bytes() != bytes {
				t.Fatalf("%d bits at %v: the table grew before it was full", width, load)
			}
			if over := float64(m.m.Overflow()) / float64(n); over > 0.01 {
				t.Errorf("%d bits at %v, %d slots a line: %.4f of the rows found no room", width, load, m.m.slots, over)
			}
			m.check()
		}
	}
}

// TestTableCollisions uses keys whose hashes are neighbours: all have one home line.
func TestTableCollisions(t *testing.T) {
	for _, hash := range []uint64{0, 1 << 40, 1 << 63, ^uint64(0) - 3000} {
		m := newModel(t, Options{MaxLoadFactor: 0.9, ValueBits: 16})
		var keys, values []uint64
		for i := range uint64(3000) {
			keys = append(keys, hashmap.Unmix64(hash+i)^testSeed)
			values = append(values, i)
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

// TestSideTable gives many keys the same two lines, so that most of them find no room.
func TestSideTable(t *testing.T) {
	m := newModel(t, Options{MaxLoadFactor: 0.9, ValueBits: 40, Rows: 2000})
	rng := rand.New(rand.NewPCG(3, 3))
	var keys []uint64
	for len(keys) < 100 {
		rest := rng.Uint64() >> m.m.drop
		if h := m.m.hash(5, rest); m.m.other(5, rest) == 9 {
			keys = append(keys, hashmap.Unmix64(h)^testSeed)
		}
	}
	m.insert(keys, randomValues(rng, len(keys), 40), true)
	if m.m.Overflow() == 0 {
		t.Error("want rows in the side table, got none")
	}
	m.check()
	m.insert(keys, randomValues(rng, len(keys), 40), false)
	m.check()
	m.remove(keys[50:])
	m.check()
	if err := m.m.Reserve(50000); err != nil {
		t.Fatal(err)
	}
	m.check()
}

// TestTableGrowth checks the table at sampled sizes from 0 on, with and without knowing the size before.
func TestTableGrowth(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for size := 0; size <= 10000; size += 1 + rng.IntN(size/3+2) {
		for _, hint := range []uint64{0, uint64(size)} {
			m := newModel(t, Options{MaxLoadFactor: 0.5 + 0.49*rng.Float64(), Rows: hint})
			keys := make([]uint64, size)
			for i := range keys {
				keys[i] = rng.Uint64()
			}
			m.insert(keys, randomValues(rng, size, rng.IntN(65)), true)
			if err := m.m.Compact(); err != nil {
				t.Fatal(err)
			}
			m.check()
		}
	}
}

// TestTableSweep takes a table through the sizes where it is many groups: growing, wider values, shrinking.
func TestTableSweep(t *testing.T) {
	b := mem.CheckLeaks(t)
	m := newModel(t, Options{MaxLoadFactor: 0.95, ValueBits: 64, Budget: b})
	rng := rand.New(rand.NewPCG(7, 8))
	const n = 2_200_000
	keys, rows := make([]uint64, n), make([]uint64, n)
	for i := range keys {
		keys[i] = rng.Uint64()
	}
	verify := func(from, to int) {
		t.Helper()
		if err := m.m.Check(); err != nil {
			t.Fatal(err)
		}
		out, found := make([]uint64, n), make([]uint8, n)
		if hits := m.m.FindBatch(keys, out, found); hits != to-from || m.m.Len() != uint64(to-from) {
			t.Fatalf("want %d rows, found %d of %d", to-from, hits, m.m.Len())
		}
		for i := from; i < to; i++ {
			if found[i] == 0 || out[i] != uint64(i) {
				t.Fatalf("row %d: got %d (found: %d)", i, out[i], found[i])
			}
		}
	}
	for i := range rows {
		rows[i] = uint64(i)
	}
	if err := m.m.InsertBatch(keys, rows, true, nil); err != nil {
		t.Fatal(err)
	}
	if !m.m.grouped {
		t.Fatal("the table is too small for this test")
	}
	verify(0, n)
	if peak, held := b.Peak(), m.m.Bytes(); peak > held+held/8 {
		t.Errorf("growth in place: want a peak near the %d bytes held, got %d", held, peak)
	}
	m.m.DeleteBatch(keys[:n/6], nil)
	if err := m.m.Compact(); err != nil {
		t.Fatal(err)
	}
	if !m.m.grouped || m.m.ValueBits() != bits.Len64(n) {
		t.Fatalf("after Compact: want %d bits in groups, got %d (%v)", bits.Len64(n), m.m.ValueBits(), m.m.grouped)
	}
	verify(n/6, n)
	for allowed := range int64(2) { // neither the rows of a group nor the larger table can be had
		b.FailAfter(allowed)
		if err := m.m.widen(64); errcode.Of(err) != errcode.MemoryLimitExceeded {
			t.Fatalf("no memory to sweep: want MEMORY_LIMIT_EXCEEDED, got %v", err)
		}
		b.FailAfter(-1)
		verify(n/6, n)
	}
	if err := m.m.widen(64); err != nil {
		t.Fatal(err)
	}
	verify(n/6, n)
	m.m.refresh()
	verify(n/6, n)
	m.m.DeleteBatch(keys[:n/10*9], nil)
	if err := m.m.Compact(); err != nil {
		t.Fatal(err)
	}
	verify(n/10*9, n)
	if m.m.ValueBits() != bits.Len64(n) || m.m.LoadFactor() < 0.93 {
		t.Errorf("after Compact: want %d bits at 0.95, got %d at %.3f", bits.Len64(n), m.m.ValueBits(), m.m.LoadFactor())
	}
}

// TestTableChurn replaces rows at a constant count: neither the size nor the share of marks may grow.
func TestTableChurn(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	m := newModel(t, Options{MaxLoadFactor: 0.9, ValueBits: 16})
	const n = 4000
	keys := make([]uint64, n)
	for i := range keys {
		keys[i] = rng.Uint64()
	}
	m.insert(keys, make([]uint64, n), true)
	bytes, marks := m.m.Bytes(), marksSet(m.m)
	for range 2000 {
		at := rng.IntN(n - 100)
		m.remove(keys[at : at+100])
		for i := range 100 {
			keys[at+i] = rng.Uint64()
		}
		m.insert(keys[at:at+100], randomValues(rng, 100, 16), true)
	}
	m.check()
	if m.m.Bytes() > bytes+bytes/4 {
		t.Errorf("after churn: want about %d bytes, got %d", bytes, m.m.Bytes())
	}
	if now := marksSet(m.m); now > 3*marks+100 {
		t.Errorf("after churn: want about %d marks, got %d", marks, now)
	}
}

func marksSet(t *Table) int {
	n := 0
	for i := range t.lines {
		n += bits.OnesCount32(*head(t.line(i)) >> countBits & (1<<t.marks - 1))
	}
	return n
}

// TestTableNoMemory lets each allocation in turn fail: the error has ClickHouse's code, and the table goes on.
func TestTableNoMemory(t *testing.T) {
	for fail := range int64(8) {
		b := mem.CheckLeaks(t)
		m := newModel(t, Options{Budget: b, ValueBits: 20})
		rng := rand.New(rand.NewPCG(9, uint64(fail)))
		b.FailAfter(fail)
		for failed := false; !failed; {
			keys, values := randomKeys(rng, 300, 1<<40), randomValues(rng, 300, 20)
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

// TestGeometry checks the split of a hash for numbers of lines up to those of a billion rows and more.
func TestGeometry(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for bytes := uint64(1); bytes < 1<<42; bytes += 1 + rng.Uint64N(bytes) {
		for _, width := range []uint{0, 1, 8, 16, 23, 30, 32, 40, 57, 58, 64} {
			g := newGeometry(bytes, width)
			if g.grouped && g.lines%g.group != 0 || g.slots < 7 || g.headBytes < 1 {
				t.Fatalf("%d bytes, %d bits: bad layout %+v", bytes, width, g)
			}
			for range 50 {
				h := rng.Uint64() >> rng.UintN(64)
				if rng.IntN(2) == 0 {
					h = ^h
				}
				line, rest := g.split(h)
				if line >= g.lines || rest > maskOf(g.restBits) || g.hash(line, rest) != h {
					t.Fatalf("%d lines: hash %#x: line %d, rest %#x, back %#x", g.lines, h, line, rest, g.hash(line, rest))
				}
				other := g.other(line, rest)
				if other/g.group != line/g.group || other >= g.lines || g.other(other, rest) != line {
					t.Fatalf("%d lines: line %d, rest %#x: other line %d, back %d", g.lines, line, rest, other, g.other(other, rest))
				}
			}
		}
	}
}
