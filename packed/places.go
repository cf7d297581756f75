package packed

import (
	"dictsvc/internal/mem"
)

// A place numbers a slot of a table as long as the table does not change: what is known of each entry can then be kept outside, in an array
// or a bitmap by place. Entries of the side table have places behind those of the lines.

// Places is the number of places: every entry's is below it.
func (t *Table) Places() uint64 {
	n := t.capacity()
	if t.overflow != nil {
		n += t.overflow.Places()
	}
	return n
}

// LocateBatch is FindBatch that also gives places[i], the place of keys[i], where the key is in the table. places and found are as long as
// keys; out may be nil.
func (t *Table) LocateBatch(keys, out, places []uint64, found []uint8) {
	var other [block]uint64
	var later [block]int // keys to look for in their other line
	var line, rest [block]uint64
	for start := 0; start < len(keys); start += block {
		part := keys[start:min(start+block, len(keys))]
		hit := func(i int, l uint64, slot int) {
			found[start+i], places[start+i] = 1, l*uint64(t.slots)+uint64(slot)
			if out != nil {
				out[start+i] = t.valueOf(t.line(l), slot)
			}
		}
		waiting := 0
		t.place(part[:min(step, len(part))], line[:], rest[:])
		for i := range part {
			if next := i + step; i%step == 0 && next < len(part) {
				t.place(part[next:min(next+step, len(part))], line[next:], rest[next:])
			}
			found[start+i] = 0
			p := t.line(line[i])
			if slot := t.search(p, rest[i], 0); slot >= 0 {
				hit(i, line[i], slot)
			} else if *head(p)&t.mark(rest[i]) != 0 {
				other[waiting], later[waiting] = t.other(line[i], rest[i]), i
				waiting++
			}
		}
		mem.Prefetch(t.base, other[:waiting], t.lineShift)
		for w, i := range later[:waiting] {
			if slot := t.search(t.line(other[w]), rest[i], 1); slot >= 0 {
				hit(i, other[w], slot)
			} else if t.overflow != nil {
				t.locateSide(keys, out, places, found, start+i)
			}
		}
	}
}

// locateSide looks for key i in the side table.
func (t *Table) locateSide(keys, out, places []uint64, found []uint8, i int) {
	if out != nil {
		out = out[i : i+1]
	}
	if t.overflow.LocateBatch(keys[i:i+1], out, places[i:i+1], found[i:i+1]); found[i] != 0 {
		places[i] += t.capacity()
	}
}

// ScanPlaces is Scan that also gives the place of each row; places is as long as keys.
func (t *Table) ScanPlaces(c *Cursor, keys, values, places []uint64) int {
	n := 0
	for ; n < len(keys) && c.line < t.lines; c.line, c.slot = c.line+1, 0 {
		p := t.line(c.line)
		used := count(p)
		for ; c.slot < used && n < len(keys); c.slot++ {
			keys[n], places[n] = t.keyOf(c.line, p, c.slot), c.line*uint64(t.slots)+uint64(c.slot)
			if values != nil {
				values[n] = t.valueOf(p, c.slot)
			}
			n++
		}
		if c.slot < used {
			return n
		}
	}
	if n == len(keys) || t.overflow == nil {
		return n
	}
	if values != nil {
		values = values[n:]
	}
	side := t.overflow.ScanPlaces(&c.side, keys[n:], values, places[n:])
	for i := range side {
		places[n+i] += t.capacity()
	}
	return n + side
}
