package packed

import (
	"math/bits"
	"unsafe"

	"dictsvc/errcode"
	"dictsvc/hashmap"
	"dictsvc/internal/mem"
)

// Options say how a table is built. The zero value makes a table of keys without values.
type Options struct {
	// MaxLoadFactor is the largest share of slots in use, 0.5 to 0.99; 0 means DefaultLoadFactor.
	MaxLoadFactor float64
	// Rows is the expected number of rows, 0 if unknown. The table starts with room for them.
	Rows uint64
	// ValueBits is the width of values, 0 to 64. A table takes wider values by growing wider itself, and Compact
	// makes it as narrow as its values allow.
	ValueBits int
	// Same tells whether two rows whose keys are equal, given by their values, are really rows of one key: where keys are hashes of something.
	// Those that are not are left out of the table; see Builder.Twins. It may be called from several goroutines. nil: they are.
	Same func(earlier, later uint64) bool
	// Interrupt is asked from time to time while a Builder fills a table, and ends it with its error. It may be called from several
	// goroutines; nil: nothing does.
	Interrupt func() error
	// Seed is xored into keys before they are hashed. A seed that outsiders do not know keeps them from
	// choosing keys that collide.
	Seed uint64
	// Budget is charged for the memory; nil means mem.Process.
	Budget *mem.Budget
}

// DefaultLoadFactor is used where Options has none: nearly the smallest, and nearly as fast as any other.
const DefaultLoadFactor = 0.95

// Table is a compressed hash table; see the package comment. It is built by one goroutine, and may be read by many
// while it does not change. Free gives its memory back.
type Table struct {
	geometry
	kernel   kernel
	region   *mem.Region
	base     unsafe.Pointer // first line
	n        uint64         // rows, with those in the side table
	limit    uint64         // rows that maxLoad allows
	maxLoad  float64
	seed     uint64
	budget   *mem.Budget
	values   uint64               // all values ever put in, or'ed: tells the width they need
	deleted  uint64               // deletes since the marks were set
	overflow *hashmap.Map[uint64] // rows that found no room in their lines; nil if there are none
	path     *tries               // scratch for finding room; nil until first needed
}

func checkLoadFactor(f float64) (float64, error) {
	if f == 0 {
		return DefaultLoadFactor, nil
	}
	return hashmap.CheckLoadFactor(f)
}

// New makes an empty table with room for o.Rows rows.
func New(o Options) (*Table, error) {
	load, err := checkLoadFactor(o.MaxLoadFactor)
	if err != nil {
		return nil, err
	}
	if o.ValueBits < 0 || o.ValueBits > 64 {
		return nil, errcode.New(errcode.BadArguments, "make a packed table: want values of 0 to 64 bits, got %d", o.ValueBits)
	}
	if o.Rows > hashmap.MaxRows {
		return nil, tooManyRows(o.Rows)
	}
	t := &Table{maxLoad: load, seed: o.Seed, budget: o.Budget.OrProcess()}
	g := geometryFor(o.Rows, 0, load, uint(o.ValueBits))
	if t.region, err = mem.Alloc(t.budget, int(g.bytes())); err != nil {
		return nil, err
	}
	t.adopt(g)
	return t, nil
}

// adopt takes a layout for the region's memory.
func (t *Table) adopt(g geometry) {
	t.geometry = g
	t.base = t.region.Pointer()
	t.limit = g.room(t.maxLoad)
	t.kernel = g.kernel(t.base, t.seed)
}

func tooManyRows(n uint64) error {
	return errcode.New(errcode.MemoryLimitExceeded, "grow a packed table: want at most %d rows, got %d", uint64(hashmap.MaxRows), n)
}

// Len is the number of rows.
func (t *Table) Len() uint64 { return t.n }

// ValueBits is the width of values now.
func (t *Table) ValueBits() int { return int(t.valueBits) }

// Bytes is the memory held outside the heap.
func (t *Table) Bytes() int64 {
	n := t.region.Held()
	if t.overflow != nil {
		n += t.overflow.Bytes()
	}
	return n
}

// LoadFactor is the share of slots in use.
func (t *Table) LoadFactor() float64 { return float64(t.n) / float64(t.capacity()) }

// Overflow is the number of rows that found no room in their lines.
func (t *Table) Overflow() uint64 {
	if t.overflow == nil {
		return 0
	}
	return t.overflow.Len()
}

// Free gives the memory back. The table must not be used again.
func (t *Table) Free() {
	if t != nil {
		t.base = nil
		t.region.Free()
		t.overflow.Free()
		t.overflow = nil
	}
}

func (t *Table) line(i uint64) unsafe.Pointer { return unsafe.Add(t.base, i<<t.lineShift) }

// place finds the home lines and rests of at most a step of keys, and asks for the lines.
func (t *Table) place(keys, line, rest []uint64) {
	line, rest = line[:len(keys)], rest[:len(keys)]
	lines, drop, seed := t.lines, t.drop&63, t.seed
	for i, k := range keys {
		hi, low := bits.Mul64(hashmap.Mix64(k^seed), lines)
		line[i], rest[i] = hi, low>>drop
	}
	mem.Prefetch(t.base, line, t.lineShift)
}

// askFull asks for the other line of those keys whose home line is full, where an insert goes next.
func (t *Table) askFull(line, rest []uint64) {
	var other [step]uint64
	n := 0
	for i, l := range line {
		if count(t.line(l)) == t.slots {
			other[n&(step-1)] = t.other(l, rest[i])
			n++
		}
	}
	mem.Prefetch(t.base, other[:n], t.lineShift)
}

// find is the line and slot of an entry in the lines; slot < 0 if it is not there.
func (t *Table) find(line, rest uint64) (p unsafe.Pointer, slot int) {
	p = t.line(line)
	if slot = t.search(p, rest, 0); slot >= 0 || *head(p)&t.mark(rest) == 0 {
		return p, slot
	}
	p = t.line(t.other(line, rest))
	return p, t.search(p, rest, 1)
}

// FindBatch looks up keys: where keys[i] is in the table, out[i] becomes its value and found[i] 1; elsewhere out[i]
// stays as it is (so that a default can wait there) and found[i] becomes 0. It returns how many were found. out and
// found are as long as keys; either may be nil.
func (t *Table) FindBatch(keys []uint64, out []uint64, found []uint8) int {
	if out == nil || found == nil {
		return Find(t, keys, out, found)
	}
	var s scratch
	hits := 0
	for start := 0; start < len(keys); start += block {
		part := keys[start:min(start+block, len(keys))]
		to := out[start : start+len(part)]
		copy(s.out[:], to)
		hits += t.findBlock(part, &s)
		copy(to, s.out[:])
		copy(found[start:], s.found[:len(part)])
	}
	return hits
}

// Find is FindBatch into a column of any width; the values' low bits are taken.
func Find[V hashmap.Row](t *Table, keys []uint64, out []V, found []uint8) int {
	var s scratch
	hits := 0
	for start := 0; start < len(keys); start += block {
		part := keys[start:min(start+block, len(keys))]
		hits += t.findBlock(part, &s)
		if found != nil {
			copy(found[start:], s.found[:len(part)])
		}
		if out == nil {
			continue
		}
		to := out[start : start+len(part)]
		for i := range to {
			if s.found[i&(block-1)] != 0 {
				to[i] = V(s.out[i&(block-1)])
			}
		}
	}
	return hits
}

// Find looks up one key.
func (t *Table) Find(key uint64) (value uint64, ok bool) {
	hi, low := bits.Mul64(hashmap.Mix64(key^t.seed), t.lines)
	if p, slot := t.find(hi, low>>t.drop); slot >= 0 {
		return t.valueOf(p, slot), true
	}
	if t.overflow != nil {
		return t.overflow.Find(key)
	}
	return 0, false
}

// Scan gives the rows in the order of the table, as many as keys has room for, and returns their number, 0 at the
// end. values may be nil, or is as long as keys.
func (t *Table) Scan(c *Cursor, keys []uint64, values []uint64) int {
	n := 0
	for n < len(keys) && c.line < t.lines {
		p := t.line(c.line)
		for used := count(p); c.slot < used && n < len(keys); c.slot++ {
			keys[n] = t.keyOf(c.line, p, c.slot)
			if values != nil {
				values[n] = t.valueOf(p, c.slot)
			}
			n++
		}
		if c.slot == count(p) {
			c.line, c.slot = c.line+1, 0
		}
	}
	if n < len(keys) && t.overflow != nil {
		if values != nil {
			values = values[n:]
		}
		n += t.overflow.Scan(&c.side, keys[n:], values)
	}
	return n
}

// EachValue puts f's result in each value's place. It must not be wider than ValueBits.
func (t *Table) EachValue(f func(value uint64) uint64) {
	t.values = 0
	for line := range t.lines {
		p := t.line(line)
		for i := range count(p) {
			value := f(t.valueOf(p, i))
			t.values |= value
			t.setValue(p, i, value)
		}
	}
	if t.overflow == nil {
		return
	}
	var c hashmap.Cursor
	var keys, values [step]uint64
	for n := t.overflow.Scan(&c, keys[:], values[:]); n > 0; n = t.overflow.Scan(&c, keys[:], values[:]) {
		for i := range n {
			values[i] = f(values[i])
			t.values |= values[i]
		}
		// The keys are there, so nothing moves and nothing is allocated.
		_ = t.overflow.InsertBatch(keys[:n], values[:n], false, nil)
	}
}

// Cursor is a place in a scan; the zero value is the start. A scan is right as long as the table does not change.
type Cursor struct {
	line uint64
	slot int
	side hashmap.Cursor
}

// keyOf is the key in a slot.
func (t *Table) keyOf(line uint64, p unsafe.Pointer, slot int) uint64 {
	rest, choice, _ := t.slot(p, slot)
	if choice != 0 {
		line = t.other(line, rest)
	}
	return hashmap.Unmix64(t.hash(line, rest)) ^ t.seed
}
