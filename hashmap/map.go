package hashmap

import (
	"math"
	"math/bits"
	"unsafe"

	"dictsvc/internal/mem"
)

// Value is what a Map can hold beside a key: 0, 1, 2, 4, 8 or 16 bytes without pointers. Map[struct{}] is a set.
type Value interface {
	struct{} | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~[16]byte | ~[2]uint64
}

// Row is a value type that is a number.
type Row interface {
	~uint8 | ~uint16 | ~uint32 | ~uint64
}

// Map is a hash table from UInt64 keys to values; see the package comment. It is built by one goroutine, and may
// be read by many while it does not change. Free gives its memory back.
type Map[V Value] struct {
	region  *mem.Region
	kernel  kernel
	base    unsafe.Pointer // first bucket
	homes   uint64         // buckets that hashes map to
	total   uint64         // buckets in the array, the last of which is always empty
	n       uint64         // rows, with the one aside
	room    uint64         // rows that maxLoad allows with this many homes
	maxLoad float64
	seed    uint64

	aside      V // value of the key whose hash is 0
	asideInUse bool
}

// New makes an empty table with room for o.Rows rows.
func New[V Value](o Options) (*Map[V], error) {
	load, err := CheckLoadFactor(o.MaxLoadFactor)
	if err != nil {
		return nil, err
	}
	if o.Rows > MaxRows {
		return nil, tooManyRows(o.Rows)
	}
	region, err := mem.Alloc(o.Budget, 0)
	if err != nil {
		return nil, err
	}
	m := &Map[V]{region: region, maxLoad: load, seed: o.Seed}
	if err := m.rebuild(m.homesFor(o.Rows)); err != nil {
		return nil, err
	}
	return m, nil
}

// shift is the binary logarithm of the bucket size.
func shift[V Value]() uint {
	var v V
	if unsafe.Sizeof(v) > 8 {
		return 7
	}
	return 6
}

// cells is the number of cells in a bucket.
func cells[V Value]() int {
	var v V
	return (1 << shift[V]()) / (8 + int(unsafe.Sizeof(v)))
}

// keyAt is the hash in cell i of the bucket at p.
func keyAt(p unsafe.Pointer, i int) *uint64 { return (*uint64)(unsafe.Add(p, 8*i)) }

// valueAt is the value in cell i of the bucket at p.
func valueAt[V Value](p unsafe.Pointer, i int) *V {
	var v V
	return (*V)(unsafe.Add(p, 8*cells[V]()+i*int(unsafe.Sizeof(v))))
}

func (m *Map[V]) bucket(b uint64) unsafe.Pointer { return unsafe.Add(m.base, b<<shift[V]()) }

// home is the bucket where the search for a hash begins. Large hashes come first, so that zeroed memory, which
// holds hash 0, is an array of empty cells in order.
func (m *Map[V]) home(hash uint64) uint64 {
	hi, _ := bits.Mul64(^hash, m.homes)
	return hi
}

// homesFor is the number of home buckets for n rows at the largest load factor.
func (m *Map[V]) homesFor(n uint64) uint64 {
	return max(1, uint64(math.Ceil(float64(n)/(m.maxLoad*float64(cells[V]())))))
}

func (m *Map[V]) roomIn(homes uint64) uint64 {
	return uint64(float64(homes*uint64(cells[V]())) * m.maxLoad)
}

// Len is the number of rows.
func (m *Map[V]) Len() uint64 { return m.n }

// Bytes is the memory held outside the heap.
func (m *Map[V]) Bytes() int64 { return m.region.Held() }

// LoadFactor is the share of cells in use.
func (m *Map[V]) LoadFactor() float64 {
	return float64(m.n) / float64(m.homes*uint64(cells[V]()))
}

// Free gives the memory back. The table must not be used again.
func (m *Map[V]) Free() {
	if m != nil {
		m.base = nil
		m.region.Free()
	}
}

// find looks for a hash other than 0 from its home bucket b on: the bucket and the position where it is or belongs.
func (m *Map[V]) find(hash, b uint64) (p unsafe.Pointer, at uint64, pos int, ok bool) {
	p = m.bucket(b)
	for {
		// The number of cells is a constant of the type, so the conditions cost nothing.
		_, larger := bits.Sub64(hash, *keyAt(p, 0), 0)
		_, a := bits.Sub64(hash, *keyAt(p, 1), 0)
		_, d := bits.Sub64(hash, *keyAt(p, 2), 0)
		_, c := bits.Sub64(hash, *keyAt(p, 3), 0)
		larger += a + c + d
		if cells[V]() > 4 {
			_, a = bits.Sub64(hash, *keyAt(p, 4), 0)
			larger += a
		}
		if cells[V]() > 5 {
			_, a = bits.Sub64(hash, *keyAt(p, 5), 0)
			larger += a
		}
		if cells[V]() > 6 {
			_, a = bits.Sub64(hash, *keyAt(p, 6), 0)
			larger += a
		}
		if cells[V]() > 7 {
			_, a = bits.Sub64(hash, *keyAt(p, 7), 0)
			larger += a
		}
		if pos = int(larger); pos < cells[V]() {
			return p, b, pos, *keyAt(p, pos) == hash
		}
		b++
		p = unsafe.Add(p, 1<<shift[V]())
	}
}

// findWide is FindBatch for values of 16 bytes.
func (m *Map[V]) findWide(keys []uint64, out []V, found []uint8) int {
	var hash, home [2 * step]uint64 // two steps: one being resolved, the next one asked for
	hits := 0
	m.ask(keys[:min(step, len(keys))], hash[:step], home[:step])
	for start := 0; start < len(keys); start += step {
		end := min(start+step, len(keys))
		half := start & step
		if end < len(keys) {
			m.ask(keys[end:min(end+step, len(keys))], hash[step-half:], home[step-half:])
		}
		for i := start; i < end; i++ {
			at := i & (2*step - 1)
			h := hash[at]
			hit := uint8(0)
			if h != 0 {
				if p, _, pos, ok := m.find(h, home[at]); ok {
					hit = 1
					if out != nil {
						out[i] = *valueAt[V](p, pos)
					}
				}
			} else if m.asideInUse {
				hit = 1
				if out != nil {
					out[i] = m.aside
				}
			}
			hits += int(hit)
			if found != nil {
				found[i] = hit
			}
		}
	}
	return hits
}

// ask hashes a step of keys and asks for their home buckets.
func (m *Map[V]) ask(keys, hash, home []uint64) {
	hash, home = hash[:len(keys)], home[:len(keys)]
	for i, k := range keys {
		h := Mix64(k ^ m.seed)
		hash[i], home[i] = h, m.home(h)
	}
	mem.Prefetch(m.base, home, shift[V]())
}

// Find looks up one key.
func (m *Map[V]) Find(key uint64) (v V, ok bool) {
	h := Mix64(key ^ m.seed)
	if h == 0 {
		return m.aside, m.asideInUse
	}
	p, _, pos, ok := m.find(h, m.home(h))
	if ok {
		v = *valueAt[V](p, pos)
	}
	return v, ok
}

// InsertBatch puts rows into the table. Where a key is there already, or comes twice, the first value stays if
// first, else the last one does. added, if not nil, is as long as keys and tells which rows were new (1). On
// error, MEMORY_LIMIT_EXCEEDED, the rows before some point are in and the table works as before.
func (m *Map[V]) InsertBatch(keys []uint64, values []V, first bool, added []uint8) error {
	var hash, home [block]uint64
	values = values[:len(keys)]
	clear(added)
	for start := 0; start < len(keys); start += block {
		part := keys[start:min(start+block, len(keys))]
		if err := m.ensure(m.n + uint64(len(part))); err != nil {
			return err
		}
		m.ask(part[:min(step, len(part))], hash[:], home[:])
		for i := range part {
			if next := i + step; i%step == 0 && next < len(part) {
				m.ask(part[next:min(next+step, len(part))], hash[next:], home[next:])
			}
			h := hash[i&(block-1)]
			value := &values[start+i]
			var old *V
			var b uint64
			var pos int
			if h != 0 {
				p, at, cell, ok := m.find(h, home[i&(block-1)])
				if ok {
					old = valueAt[V](p, cell)
				}
				b, pos = at, cell
			} else if m.asideInUse {
				old = &m.aside
			}
			if old != nil {
				if !first {
					*old = *value
				}
				continue
			}
			if h == 0 {
				m.aside, m.asideInUse = *value, true
			} else {
				if err := m.spare(b); err != nil {
					return err
				}
				m.put(b, pos, h, *value)
			}
			m.n++
			if added != nil {
				added[start+i] = 1
			}
		}
	}
	return nil
}

// spare makes sure that a cell pushed out of bucket b finds room before the last bucket.
func (m *Map[V]) spare(b uint64) error {
	last := cells[V]() - 1
	for *keyAt(m.bucket(b), last) != 0 {
		b++
	}
	if b+1 < m.total {
		return nil
	}
	if err := m.region.Resize(m.region.Size() + mem.PageSize); err != nil {
		return err
	}
	m.look()
	return nil
}

// look takes the region's memory as the table's.
func (m *Map[V]) look() {
	m.base = m.region.Pointer()
	m.total = uint64(m.region.Size()) >> shift[V]()
	m.setKernel()
}

// put puts a cell at a position, and pushes the cells behind it on. There is room (spare).
func (m *Map[V]) put(b uint64, pos int, hash uint64, v V) {
	last := cells[V]() - 1
	for p := m.bucket(b); ; p = unsafe.Add(p, 1<<shift[V]()) {
		outHash, outValue := *keyAt(p, last), *valueAt[V](p, last)
		for i := last; i > pos; i-- {
			*keyAt(p, i) = *keyAt(p, i-1)
			*valueAt[V](p, i) = *valueAt[V](p, i-1)
		}
		*keyAt(p, pos), *valueAt[V](p, pos) = hash, v
		if outHash == 0 {
			return
		}
		hash, v, pos = outHash, outValue, 0
	}
}

// DeleteBatch removes keys and returns how many were there; removed, if not nil, tells which (1). The table keeps
// its size; see Compact.
func (m *Map[V]) DeleteBatch(keys []uint64, removed []uint8) int {
	var hash, home [block]uint64
	had := m.n
	clear(removed)
	for start := 0; start < len(keys); start += block {
		part := keys[start:min(start+block, len(keys))]
		m.ask(part[:min(step, len(part))], hash[:], home[:])
		for i := range part {
			if next := i + step; i%step == 0 && next < len(part) {
				m.ask(part[next:min(next+step, len(part))], hash[next:], home[next:])
			}
			if h := hash[i]; h != 0 {
				_, b, pos, ok := m.find(h, home[i])
				if !ok {
					continue
				}
				m.remove(b, pos)
			} else {
				if !m.asideInUse {
					continue
				}
				var zero V
				m.aside, m.asideInUse = zero, false
			}
			m.n--
			if removed != nil {
				removed[start+i] = 1
			}
		}
	}
	return int(had - m.n)
}

// remove takes a cell out and moves back those that were pushed out of its bucket.
func (m *Map[V]) remove(b uint64, pos int) {
	last := cells[V]() - 1
	var zero V
	for p := m.bucket(b); ; b++ {
		full := *keyAt(p, last) != 0
		for i := pos; i < last; i++ {
			*keyAt(p, i) = *keyAt(p, i+1)
			*valueAt[V](p, i) = *valueAt[V](p, i+1)
		}
		*keyAt(p, last), *valueAt[V](p, last) = 0, zero
		if !full {
			return
		}
		next := unsafe.Add(p, 1<<shift[V]())
		h := *keyAt(next, 0)
		if h == 0 || m.home(h) > b {
			return
		}
		*keyAt(p, last), *valueAt[V](p, last) = h, *valueAt[V](next, 0)
		p, pos = next, 0
	}
}

// Scan gives the rows in the order of the table, as many as keys has room for, and returns their number, 0 at the
// end. values may be nil, or is as long as keys.
func (m *Map[V]) Scan(c *Cursor, keys []uint64, values []V) int {
	n := 0
	if m.asideInUse && !c.aside && len(keys) > 0 {
		c.aside = true
		keys[0] = Unmix64(0) ^ m.seed
		if values != nil {
			values[0] = m.aside
		}
		n = 1
	}
	width := uint64(cells[V]())
	b, pos := c.at/width, int(c.at%width)
	for n < len(keys) && b < m.total {
		p := m.bucket(b)
		if h := *keyAt(p, pos); h != 0 {
			keys[n] = Unmix64(h) ^ m.seed
			if values != nil {
				values[n] = *valueAt[V](p, pos)
			}
			n++
			pos++
		} else {
			pos = int(width)
		}
		if pos == int(width) {
			b, pos = b+1, 0
		}
	}
	c.at = b*width + uint64(pos)
	return n
}
