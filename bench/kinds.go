package bench

import (
	"runtime"

	"github.com/dolthub/swiss"

	"dictsvc/hashmap"
	"dictsvc/packed"
)

// keyTable is a table from UInt64 to UInt16 under measurement. Calls take batches.
type keyTable interface {
	insert(keys []uint64, values []uint16) error
	// finish ends a build: what makes the table as small or as ordered as it is served.
	finish() error
	find(keys []uint64, out []uint16, found []uint8) int
	// bytes is the table's own accounting, 0 where it has none.
	bytes() int64
	// loadFactor is the share of slots in use, 0 where there are none or they are hidden.
	loadFactor() float64
	free()
}

// The ways to build a table.
const (
	known   = "known"   // the number of rows is told first
	growing = "growing" // it is not
	builder = "builder" // rows are kept aside until all are there
)

// build is one way to build a table of a kind.
type build struct {
	way    string
	perRow float64 // bytes a row at the peak, at a load factor of 1; to know before whether it fits
	make   func(rows int, factor float64) (keyTable, error)
}

// kind is a kind of table.
type kind struct {
	name    string
	factors bool // has a largest load factor
	builds  []build
}

// kinds lists the tables; the first build is the one whose lookups are measured.
func kinds() []kind {
	return []kind{
		{"hashmap", true, []build{
			{known, 11, func(rows int, factor float64) (keyTable, error) { return newMapTable(rows, factor) }},
			{growing, 14, func(_ int, factor float64) (keyTable, error) { return newMapTable(0, factor) }},
		}},
		{"packed", true, []build{
			{known, 9, func(rows int, factor float64) (keyTable, error) { return newPackedTable(rows, factor) }},
			{growing, 11, func(_ int, factor float64) (keyTable, error) { return newPackedTable(0, factor) }},
			{builder, 12, func(_ int, factor float64) (keyTable, error) { return newBuilderTable(factor) }},
		}},
		{"swiss", false, []build{
			{known, 13, func(rows int, _ float64) (keyTable, error) { return newSwissTable(rows), nil }},
			{growing, 38, func(int, float64) (keyTable, error) { return newSwissTable(0), nil }},
		}},
		{"gomap", false, []build{
			{known, 40, func(rows int, _ float64) (keyTable, error) { return goMap(make(map[uint64]uint16, rows)), nil }},
			{growing, 45, func(int, float64) (keyTable, error) { return goMap(map[uint64]uint16{}), nil }},
		}},
		{"sorted", false, []build{
			{known, 10, func(rows int, _ float64) (keyTable, error) { return newSortedArray(rows, false) }},
			{growing, 12, func(int, float64) (keyTable, error) { return newSortedArray(0, false) }},
		}},
		{"sorted-binary", false, []build{
			{known, 10, func(rows int, _ float64) (keyTable, error) { return newSortedArray(rows, true) }},
		}},
	}
}

// TableNames are the names of the tables that Tables compares.
func TableNames() []string {
	var out []string
	for _, k := range kinds() {
		out = append(out, k.name)
	}
	return out
}

// mapTable is package hashmap's table, that of HASHED.
type mapTable struct{ m *hashmap.Map[uint16] }

func newMapTable(rows int, factor float64) (*mapTable, error) {
	m, err := hashmap.New[uint16](hashmap.Options{MaxLoadFactor: factor, Rows: uint64(rows)})
	return &mapTable{m}, err
}

func (t *mapTable) insert(keys []uint64, values []uint16) error {
	return t.m.InsertBatch(keys, values, true, nil)
}
func (t *mapTable) finish() error { return t.m.Compact() }
func (t *mapTable) find(keys []uint64, out []uint16, found []uint8) int {
	return t.m.FindBatch(keys, out, found)
}
func (t *mapTable) bytes() int64        { return t.m.Bytes() }
func (t *mapTable) loadFactor() float64 { return t.m.LoadFactor() }
func (t *mapTable) free()               { t.m.Free() }

// packedTable is package packed's table, that of SPARSE_HASHED.
type packedTable struct {
	t    *packed.Table
	b    *packed.Builder // until finish, where rows are kept aside
	wide []uint64        // values of a batch, as packed takes them
}

func packedOptions(factor float64) packed.Options {
	return packed.Options{MaxLoadFactor: factor, ValueBits: 16}
}

func newPackedTable(rows int, factor float64) (*packedTable, error) {
	o := packedOptions(factor)
	o.Rows = uint64(rows)
	t, err := packed.New(o)
	return &packedTable{t: t}, err
}

func newBuilderTable(factor float64) (*packedTable, error) {
	b, err := packed.NewBuilder(packedOptions(factor), true, runtime.GOMAXPROCS(0))
	return &packedTable{b: b}, err
}

func (t *packedTable) insert(keys []uint64, values []uint16) error {
	t.wide = t.wide[:0]
	for _, v := range values {
		t.wide = append(t.wide, uint64(v))
	}
	if t.b != nil {
		return t.b.Add(keys, t.wide)
	}
	return t.t.InsertBatch(keys, t.wide, true, nil)
}

func (t *packedTable) finish() (err error) {
	if t.b == nil {
		return t.t.Compact()
	}
	t.t, err = t.b.Finish()
	return err
}

func (t *packedTable) find(keys []uint64, out []uint16, found []uint8) int {
	return packed.Find(t.t, keys, out, found)
}
func (t *packedTable) bytes() int64        { return t.t.Bytes() }
func (t *packedTable) loadFactor() float64 { return t.t.LoadFactor() }
func (t *packedTable) free() {
	if t.b != nil {
		t.b.Free()
	}
	if t.t != nil {
		t.t.Free()
	}
}

// swissTable is github.com/dolthub/swiss, a port of Abseil's table.
type swissTable struct {
	m *swiss.Map[uint64, uint16]
}

func newSwissTable(rows int) *swissTable {
	return &swissTable{swiss.NewMap[uint64, uint16](uint32(rows))}
}

func (t *swissTable) insert(keys []uint64, values []uint16) error {
	for i, k := range keys {
		t.m.Put(k, values[i])
	}
	return nil
}
func (t *swissTable) finish() error { return nil }
func (t *swissTable) find(keys []uint64, out []uint16, found []uint8) int {
	hits := 0
	for i, k := range keys {
		v, ok := t.m.Get(k)
		found[i] = 0
		if ok {
			out[i], found[i] = v, 1
			hits++
		}
	}
	return hits
}
func (t *swissTable) bytes() int64 { return 0 }

// loadFactor: Capacity is what can still be put in, and 7 of 8 slots may be used.
func (t *swissTable) loadFactor() float64 {
	n := float64(t.m.Count())
	return n / (n + float64(t.m.Capacity())) * 7 / 8
}
func (t *swissTable) free() { t.m = nil }

// goMap is Go's own map.
type goMap map[uint64]uint16

func (m goMap) insert(keys []uint64, values []uint16) error {
	for i, k := range keys {
		m[k] = values[i]
	}
	return nil
}
func (m goMap) finish() error { return nil }
func (m goMap) find(keys []uint64, out []uint16, found []uint8) int {
	hits := 0
	for i, k := range keys {
		v, ok := m[k]
		found[i] = 0
		if ok {
			out[i], found[i] = v, 1
			hits++
		}
	}
	return hits
}
func (m goMap) bytes() int64        { return 0 }
func (m goMap) loadFactor() float64 { return 0 }
func (m goMap) free()               {}
