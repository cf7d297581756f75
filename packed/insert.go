package packed

import (
	"math/bits"
	"unsafe"

	"dictsvc/hashmap"
)

// InsertBatch puts rows into the table; values may be nil where the table has none. Where a key is there already,
// or comes twice, the first value stays if first, else the last one does. added, if not nil, is as long as keys and
// tells which rows were new (1). On error, MEMORY_LIMIT_EXCEEDED, the rows before some point are in and the table
// works as before.
func (t *Table) InsertBatch(keys []uint64, values []uint64, first bool, added []uint8) error {
	all := uint64(0)
	for _, v := range values {
		all |= v
	}
	if err := t.widen(uint(bits.Len64(all))); err != nil {
		return err
	}
	t.values |= all
	var line, rest [block]uint64
	clear(added)
	for start := 0; start < len(keys); start += block {
		part := keys[start:min(start+block, len(keys))]
		if err := t.ensure(t.n + uint64(len(part))); err != nil {
			return err
		}
		t.place(part[:min(2*step, len(part))], line[:], rest[:])
		for i := range part {
			if i%step == 0 {
				t.askAhead(part, i, &line, &rest)
			}
			value := uint64(0)
			if values != nil {
				value = values[start+i]
			}
			had := t.n
			if err := t.insert(line[i&(block-1)], rest[i&(block-1)], value, first); err != nil {
				return err
			}
			if added != nil && t.n != had {
				added[start+i] = 1
			}
		}
	}
	return nil
}

// insert puts one row into the table.
func (t *Table) insert(line, rest, value uint64, first bool) error {
	if p, slot := t.find(line, rest); slot >= 0 {
		if !first {
			t.setValue(p, slot, value)
		}
		return nil
	}
	if t.overflow != nil {
		key := hashmap.Unmix64(t.hash(line, rest)) ^ t.seed
		if _, ok := t.overflow.Find(key); ok {
			if first {
				return nil
			}
			return t.overflow.InsertBatch([]uint64{key}, []uint64{value}, false, nil)
		}
	}
	if err := t.add(line, rest, value); err != nil {
		return err
	}
	t.n++
	return nil
}

// askAhead is called before a step of inserts: it asks for the home lines of the step after the next one, and for
// the other lines of the next one.
func (t *Table) askAhead(keys []uint64, at int, line, rest *[block]uint64) {
	n := len(keys)
	if next := at + 2*step; next < n {
		t.place(keys[next:min(next+step, n)], line[next:], rest[next:])
	}
	if next := at + step; next < n {
		end := min(next+step, n)
		t.askFull(line[next:end], rest[next:end])
	}
}

// add puts an entry that is not there into one of its lines, or into the side table.
func (t *Table) add(line, rest, value uint64) error {
	p := t.line(line)
	if used := count(p); used < t.slots {
		t.setSlot(p, used, rest, 0, value)
		*head(p)++
		return nil
	}
	*head(p) |= t.mark(rest)
	other := t.other(line, rest)
	if q := t.line(other); count(q) < t.slots {
		t.setSlot(q, count(q), rest, 1, value)
		*head(q)++
		return nil
	}
	if p, slot, choice, ok := t.makeRoom(line, other); ok {
		t.setSlot(p, slot, rest, choice, value)
		return nil
	}
	if t.overflow == nil {
		// A sweep cannot stop half-way, so the side table is counted but never refused.
		side, err := hashmap.New[uint64](hashmap.Options{Seed: ^t.seed, Budget: t.budget.Forced()})
		if err != nil {
			return err
		}
		t.overflow = side
	}
	key := hashmap.Unmix64(t.hash(line, rest)) ^ t.seed
	return t.overflow.InsertBatch([]uint64{key}, []uint64{value}, true, nil)
}

// maxTried bounds the lines looked at to find room for one entry.
const maxTried = 512

// tries is the scratch memory of makeRoom: the lines tried, and from which slot of which line each was reached.
type tries struct {
	line [maxTried]uint64
	from [maxTried]int32
	slot [maxTried]uint8
}

// makeRoom finds the shortest chain of moves that frees a slot in one of two full lines, makes the moves, and gives
// the freed slot and the choice bit of an entry put there.
func (t *Table) makeRoom(home, other uint64) (p unsafe.Pointer, slot int, choice uint64, ok bool) {
	if t.path == nil {
		t.path = new(tries)
	}
	s := t.path
	s.line[0], s.from[0] = home, -1
	s.line[1], s.from[1] = other, -1
	tried := 2
	for at := 0; at < tried; at++ {
		line := s.line[at]
		p := t.line(line)
		for i := range t.slots {
			stored := load(p, t.rest[i]) & t.restMask
			next := t.other(line, stored>>1<<tagBits|uint64(*t.tag(p, i)))
			q := t.line(next)
			if used := count(q); used < t.slots {
				t.move(p, i, q, used)
				*head(q)++
				return t.shiftChain(at, i)
			}
			if tried < maxTried {
				s.line[tried], s.from[tried], s.slot[tried] = next, int32(at), uint8(i)
				tried++
			}
		}
	}
	return nil, 0, 0, false
}

// shiftChain makes the moves of a chain from its end, where slot hole of the line at was just freed, to its start.
func (t *Table) shiftChain(at, hole int) (p unsafe.Pointer, slot int, choice uint64, ok bool) {
	s := t.path
	for s.from[at] >= 0 {
		before := int(s.from[at])
		t.move(t.line(s.line[before]), int(s.slot[at]), t.line(s.line[at]), hole)
		at, hole = before, int(s.slot[at])
	}
	return t.line(s.line[at]), hole, uint64(at), true
}

// move copies an entry from a slot of one of its lines to a slot of its other one.
func (t *Table) move(p unsafe.Pointer, i int, q unsafe.Pointer, j int) {
	rest, choice, value := t.slot(p, i)
	if choice == 0 {
		*head(p) |= t.mark(rest)
	}
	t.setSlot(q, j, rest, choice^1, value)
}

// DeleteBatch removes keys and returns how many were there; removed, if not nil, tells which (1). The table keeps
// its size; see Compact.
func (t *Table) DeleteBatch(keys []uint64, removed []uint8) int {
	var line, rest [block]uint64
	had := t.n
	clear(removed)
	for start := 0; start < len(keys); start += block {
		part := keys[start:min(start+block, len(keys))]
		t.place(part[:min(2*step, len(part))], line[:], rest[:])
		for i, key := range part {
			if i%step == 0 {
				t.askAhead(part, i, &line, &rest)
			}
			p, slot := t.find(line[i&(block-1)], rest[i&(block-1)])
			switch {
			case slot >= 0:
				t.remove(p, slot)
			case t.overflow == nil || t.overflow.DeleteBatch([]uint64{key}, nil) == 0:
				continue
			}
			t.n--
			t.deleted++
			if removed != nil {
				removed[start+i] = 1
			}
		}
	}
	if t.deleted > max(t.n, 1024) {
		t.refresh()
	}
	return int(had - t.n)
}

// remove frees a slot by moving the line's last one there.
func (t *Table) remove(p unsafe.Pointer, slot int) {
	last := count(p) - 1
	if slot != last {
		rest, choice, value := t.slot(p, last)
		t.setSlot(p, slot, rest, choice, value)
	}
	*head(p)--
}
