package hashmap

import (
	"unsafe"

	"dictsvc/errcode"
	"dictsvc/internal/mem"
)

// ensure makes room for n rows. A growing table gets a quarter more buckets, a small one twice as many.
func (m *Map[V]) ensure(n uint64) error {
	if n <= m.room {
		return nil
	}
	if n > MaxRows {
		return tooManyRows(n)
	}
	grown := m.homes + m.homes/4 + 1
	if m.region.Size() < mem.HugePage {
		grown = 2 * m.homes
	}
	return m.rebuild(max(grown, m.homesFor(n)))
}

// Reserve makes room for n rows in all.
func (m *Map[V]) Reserve(n uint64) error {
	if n <= m.room {
		return nil
	}
	if n > MaxRows {
		return tooManyRows(n)
	}
	return m.rebuild(m.homesFor(n))
}

// Compact makes the table as small as its largest load factor allows, in place.
func (m *Map[V]) Compact() error {
	homes := m.homesFor(m.n)
	if homes >= m.homes {
		return nil
	}
	return m.rebuild(homes)
}

// rebuild gives the table another number of home buckets. Both ways it is one sweep over sorted cells from front
// to back: to grow, the cells are first moved to the end of the grown array. A cell's new place is never behind
// its old one then: a home moves on by at most as many buckets as the array was moved by.
func (m *Map[V]) rebuild(homes uint64) error {
	const page = mem.PageSize
	size := func(buckets uint64) int { return int((buckets<<shift[V]() + page - 1) &^ (page - 1)) }
	if homes > mem.MaxBytes>>shift[V]()-page {
		return tooManyRows(m.n)
	}
	if homes == m.homes {
		return nil
	}
	from, end := uint64(0), m.total
	if homes > m.homes {
		from = homes - m.homes
		if err := m.region.Resize(size(max(end+from, homes+2))); err != nil {
			return err
		}
		m.look()
		if m.n == 0 {
			// Nothing to move, and no reason to touch memory before it is needed.
			m.homes, m.room = homes, m.roomIn(homes)
			m.setKernel()
			return nil
		}
		all := m.region.Bytes()
		copy(all[from<<shift[V]():], all[:end<<shift[V]()])
		end += from
	}
	m.homes, m.room = homes, m.roomIn(homes)
	m.setKernel()
	used := m.sweep(from, end)
	// The last bucket stays empty. Giving memory back cannot fail in a way that matters: the table is whole.
	if want := size(max(used+1, homes+2)); want < m.region.Size() {
		err := m.region.Resize(want)
		m.look()
		return err
	}
	return nil
}

// sweep places the cells of buckets from..end, in order, from the front of the array on, clears the buckets behind
// them, and returns the number of buckets that are in use.
func (m *Map[V]) sweep(from, end uint64) uint64 {
	width := cells[V]()
	size := uint64(1) << shift[V]()
	var in, out [128]byte // a bucket being read, a bucket being filled
	ip, op := unsafe.Pointer(&in), unsafe.Pointer(&out)
	b, pos := uint64(0), 0 // the next place to fill
	flush := func(next uint64) {
		copy(unsafe.Slice((*byte)(m.bucket(b)), size), out[:size])
		clear(out[:])
		for b++; b < next; b++ {
			clear(unsafe.Slice((*byte)(m.bucket(b)), size))
		}
		pos = 0
	}
	for ; from < end; from++ {
		copy(in[:size], unsafe.Slice((*byte)(m.bucket(from)), size))
		for i := range width {
			h := *keyAt(ip, i)
			if h == 0 {
				break
			}
			if home := m.home(h); home > b {
				flush(home)
			} else if pos == width {
				flush(b + 1)
			}
			*keyAt(op, pos), *valueAt[V](op, pos) = h, *valueAt[V](ip, i)
			pos++
		}
	}
	if pos > 0 {
		flush(b + 1)
	}
	clear(unsafe.Slice((*byte)(m.bucket(b)), (m.total-b)*size))
	return b
}

// Check walks the whole table and reports the first broken rule.
func (m *Map[V]) Check() error {
	fail := func(b uint64, format string, args ...any) error {
		return errcode.Wrap(errcode.New(errcode.LogicalError, format, args...), "check hash table: bucket %d of %d (%d homes)", b, m.total, m.homes)
	}
	n, before := uint64(0), ^uint64(0)
	first := true
	full := uint64(0) // all buckets from this one to the last seen are full
	for b := range m.total {
		p := m.bucket(b)
		ended := false
		for i := range cells[V]() {
			h := *keyAt(p, i)
			switch {
			case h == 0:
				ended = true
				continue
			case ended:
				return fail(b, "cell %d is used behind an empty one", i)
			case !first && h >= before:
				return fail(b, "cell %d: hash %#x does not come before %#x", i, before, h)
			case m.home(h) > b || m.home(h) < full:
				return fail(b, "cell %d: hash %#x has its home in bucket %d, and buckets are full from %d on", i, h, m.home(h), full)
			}
			before, first = h, false
			n++
		}
		if ended {
			full = b + 1
			if b+1 == m.total && *keyAt(p, 0) != 0 {
				return fail(b, "the last bucket is not empty")
			}
		}
	}
	if full != m.total {
		return fail(m.total-1, "the last bucket is full")
	}
	if m.asideInUse {
		n++
	}
	if n != m.n || n > m.room {
		return fail(0, "want %d rows (room for %d), got %d", m.n, m.room, n)
	}
	return nil
}
