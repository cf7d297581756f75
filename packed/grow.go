package packed

import (
	"math/bits"
	"unsafe"

	"dictsvc/errcode"
	"dictsvc/hashmap"
	"dictsvc/internal/mem"
)

// ensure makes room for n rows.
func (t *Table) ensure(n uint64) error {
	if n <= t.limit {
		return nil
	}
	return t.grow(n)
}

// A table doubles below fastGrowth bytes, and grows by a quarter from slowGrowth bytes on, because there memory
// matters more than the work; in between it grows by half.
const (
	fastGrowth = 64 << 20
	slowGrowth = 256 << 20
)

// grow gives a table more memory, and room for n rows at least.
func (t *Table) grow(n uint64) error {
	if n > hashmap.MaxRows {
		return tooManyRows(n)
	}
	bytes := t.geometry.bytes()
	switch {
	case bytes >= slowGrowth:
		bytes += bytes / 4
	case bytes >= fastGrowth:
		bytes += bytes / 2
	default:
		bytes *= 2
	}
	g := geometryFor(n, bytes, t.maxLoad, t.valueBits)
	return t.rebuild(g)
}

// widen makes values of some bits fit.
func (t *Table) widen(width uint) error {
	if width <= t.valueBits {
		return nil
	}
	return t.rebuild(geometryFor(t.n, t.geometry.bytes(), t.maxLoad, width))
}

// Reserve makes room for n rows in all.
func (t *Table) Reserve(n uint64) error {
	if n <= t.limit {
		return nil
	}
	if n > hashmap.MaxRows {
		return tooManyRows(n)
	}
	return t.rebuild(geometryFor(n, t.geometry.bytes(), t.maxLoad, t.valueBits))
}

// Compact makes the table as small as its largest load factor and its values allow.
func (t *Table) Compact() error {
	g := geometryFor(t.n, 0, t.maxLoad, min(t.valueBits, uint(bits.Len64(t.values))))
	if g.bytes() >= t.geometry.bytes() {
		return nil
	}
	return t.rebuild(g)
}

// refresh sets the marks anew. It may fail for want of memory, and then the marks only stay less selective.
func (t *Table) refresh() {
	if t.rebuild(t.geometry) == nil {
		t.deleted = 0
	}
}

// entry is a row outside the table.
type entry struct {
	hash  uint64
	value uint64
}

// rebuild moves all rows into another layout. On error the table is as it was.
func (t *Table) rebuild(g geometry) error {
	if g.bytes() > mem.MaxBytes {
		return tooManyRows(g.capacity())
	}
	if t.grouped && g.grouped {
		return t.sweep(g)
	}
	return t.copyTo(g)
}

// copyTo rebuilds a small table, or one that becomes small, through a second one.
func (t *Table) copyTo(g geometry) error {
	region, err := mem.Alloc(t.budget, int(g.bytes()))
	if err != nil {
		return err
	}
	old := *t
	t.region, t.overflow, t.deleted = region, nil, 0
	t.adopt(g)
	var buffer [256]entry
	for line := uint64(0); line < old.lines && err == nil; line++ {
		err = t.addAll(old.takeLine(line, buffer[:0]))
	}
	if err == nil {
		err = t.addSide(old.overflow)
	}
	if err != nil {
		t.Free()
		*t = old
		return err
	}
	old.Free()
	return nil
}

// sweep rebuilds a large table in place, group by group: to grow from the last to the first, to shrink from the
// first to the last. A group's rows go to groups at or behind it, or at or before it, which were taken out already.
func (t *Table) sweep(g geometry) error {
	// What can fail comes first.
	perGroup := t.group * uint64(t.slots)
	scratch, err := mem.NewSlice[entry](t.budget, int(perGroup))
	if err != nil {
		return err
	}
	defer scratch.Free()
	had := t.geometry.bytes()
	growing := g.bytes() >= had
	if growing {
		if err := t.region.Resize(int(g.bytes())); err != nil {
			return err
		}
	}
	t.base = t.region.Pointer()
	old := *t
	t.overflow, t.deleted = nil, 0
	t.adopt(g)
	groups := had / groupBytes
	for i := range groups {
		at := i
		if growing {
			at = groups - 1 - i
		}
		rows := old.takeGroup(at, scratch.Data()[:0])
		if err := t.addAll(rows); err != nil {
			return damaged(err)
		}
	}
	if err := t.addSide(old.overflow); err != nil {
		return damaged(err)
	}
	old.overflow.Free()
	if !growing {
		err := t.region.Resize(int(g.bytes()))
		t.adopt(g)
		return err
	}
	return nil
}

// damaged is for the one failure that a sweep cannot undo: the system has no page left for the side table.
func damaged(err error) error {
	return errcode.New(errcode.LogicalError, "rebuild a packed table: rows are lost: %w", err)
}

// takeGroup appends the rows of a group to rows and clears the group.
func (t *Table) takeGroup(group uint64, rows []entry) []entry {
	for line := group * t.group; line < (group+1)*t.group; line++ {
		rows = t.takeLine(line, rows)
	}
	clear(unsafe.Slice((*byte)(t.line(group*t.group)), groupBytes))
	return rows
}

// takeLine appends the rows of a line to rows.
func (t *Table) takeLine(line uint64, rows []entry) []entry {
	p := t.line(line)
	for i := range count(p) {
		rest, choice, value := t.slot(p, i)
		home := line
		if choice != 0 {
			home = t.other(line, rest)
		}
		rows = append(rows, entry{t.hash(home, rest), value})
	}
	return rows
}

// addAll inserts rows that are not there yet; it does not count them.
func (t *Table) addAll(rows []entry) error {
	var line, rest, nextLine, nextRest [step]uint64
	ask := func(rows []entry) {
		rows = rows[:min(step, len(rows))]
		for i := range rows {
			nextLine[i&(step-1)], nextRest[i&(step-1)] = t.split(rows[i].hash)
		}
		mem.Prefetch(t.base, nextLine[:len(rows)], t.lineShift)
	}
	ask(rows)
	for len(rows) > 0 {
		now := rows[:min(step, len(rows))]
		rows = rows[len(now):]
		line, rest = nextLine, nextRest
		ask(rows)
		for i := range now {
			if err := t.add(line[i&(step-1)], rest[i&(step-1)], now[i].value); err != nil {
				return err
			}
		}
	}
	return nil
}

// addSide inserts the rows of a side table.
func (t *Table) addSide(side *hashmap.Map[uint64]) error {
	if side == nil {
		return nil
	}
	var c hashmap.Cursor
	var keys, values [block]uint64
	var rows [block]entry
	for {
		n := side.Scan(&c, keys[:], values[:])
		if n == 0 {
			return nil
		}
		for i := range n {
			rows[i] = entry{hashmap.Mix64(keys[i] ^ t.seed), values[i]}
		}
		if err := t.addAll(rows[:n]); err != nil {
			return err
		}
	}
}

// Check walks the whole table and reports the first broken rule.
func (t *Table) Check() error {
	n := t.Overflow()
	for line := range t.lines {
		p := t.line(line)
		used := count(p)
		if used > t.slots {
			return broken(line, "%d of %d slots in use", used, t.slots)
		}
		n += uint64(used)
		for i := range used {
			rest, choice, _ := t.slot(p, i)
			home := line
			if choice != 0 {
				home = t.other(line, rest)
				if *head(t.line(home))&t.mark(rest) == 0 {
					return broken(line, "slot %d: its home line %d has no mark for it", i, home)
				}
			}
			if home/t.group != line/t.group || t.other(t.other(home, rest), rest) != home {
				return broken(line, "slot %d: lines %d and %d are no pair", i, home, line)
			}
			if l, r := t.split(t.hash(home, rest)); l != home || r != rest {
				return broken(line, "slot %d: line %d, rest %#x become line %d, rest %#x", i, home, rest, l, r)
			}
			if q, slot := t.find(home, rest); q != p || slot != i {
				return broken(line, "slot %d: its key is found in slot %d of the line at %p, not %p", i, slot, q, p)
			}
		}
	}
	if n != t.n || n > t.limit {
		return broken(0, "want %d rows (room for %d), got %d", t.n, t.limit, n)
	}
	if t.overflow != nil {
		return t.overflow.Check()
	}
	return nil
}

func broken(line uint64, format string, args ...any) error {
	return errcode.Wrap(errcode.New(errcode.LogicalError, format, args...), "check packed table: line %d", line)
}
