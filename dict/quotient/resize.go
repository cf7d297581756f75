package quotient

import (
	"math/bits"
	"unsafe"

	"dictsvc/hashmap"
)

// Growth: by half while small, by a quarter from largeLines on, where a sweep is cheap against the memory a bigger step would claim.
const (
	firstLines = 8
	largeLines = 64 << 20 / lineBytes
)

func (t *Table) grow() error {
	lines := t.f.lines
	switch {
	case lines < firstLines:
		lines = firstLines
	case lines < pageLines:
		lines *= 2
	case lines < largeLines:
		lines += lines / 2
	default:
		lines += lines / 4
	}
	return t.resize(lines, t.widthFor(lines))
}

// Reserve makes room for n keys at once. Only a count that is certain should be reserved: what is not used is memory lost until Seal.
func (t *Table) Reserve(n uint64) error {
	if n <= t.limit {
		return nil
	}
	lines := t.linesFor(n + batch)
	return t.resize(lines, t.widthFor(lines))
}

// widthFor is the width of values in a table of so many lines: row numbers need the bits of the greatest.
func (t *Table) widthFor(lines uint64) uint {
	if !t.rows {
		return t.f.vbits
	}
	v := t.f.vbits
	if need := uint(bits.Len64(lines * maxSlots)); v > need || t.f.lines == 0 {
		v = 8
	}
	for { // narrower values make more slots, which hold greater row numbers
		f := newFormat(lines, v)
		if need := uint(bits.Len64(capacity(&f, 1) + batch)); need > v {
			v = need
			continue
		}
		return v
	}
}

func capacity(f *format, load float64) uint64 {
	return uint64(float64(f.lines*uint64(f.slots)) * load)
}

// linesFor is the least number of lines that hold n keys at the table's load factor.
func (t *Table) linesFor(n uint64) uint64 {
	lines := max(1, n/maxSlots)
	for {
		v := t.f.vbits
		if t.rows {
			v = uint(bits.Len64(n))
		}
		f := newFormat(lines, v)
		need := max(1, uint64(float64(n)/(float64(f.slots)*t.maxLoad))+1)
		if need <= lines {
			return lines
		}
		lines = need
	}
}

// Seal shrinks the table to what its keys need at the load factor.
func (t *Table) Seal() error {
	if t.n == 0 {
		t.block.Free()
		t.f = format{vbits: t.f.vbits}
		t.base, t.limit, t.stash = nil, 0, nil
		return nil
	}
	lines := t.linesFor(t.n)
	v := t.f.vbits
	if t.rows {
		v = uint(bits.Len64(t.n))
	}
	if lines >= t.f.lines {
		return nil
	}
	return t.resize(lines, v)
}

// resize changes the number of lines and the width of values by one sweep in place.
func (t *Table) resize(lines uint64, vbits uint) error {
	old := t.f
	bytes := int(lines*lineBytes) + 8 // the load of the last tags may reach past the last line
	if lines > old.lines {
		if err := t.block.Resize(bytes); err != nil {
			return err
		}
	}
	t.base = t.block.Pointer()
	t.f = newFormat(lines, vbits)
	t.limit = capacity(&t.f, t.maxLoad)
	stash := t.stash
	t.stash = nil

	pages := (old.lines + pageLines - 1) / pageLines
	buf := make([]byte, min(old.lines, pageLines)*lineBytes+8)
	for i := range pages {
		page := i
		if lines > old.lines {
			page = pages - 1 - i
		}
		t.sweep(&old, page, buf)
	}
	for h, v := range stash {
		t.place(h, v)
	}
	if lines < old.lines {
		return t.block.Resize(bytes)
	}
	return nil
}

// sweep takes the entries of an old page out and puts them where they belong now.
func (t *Table) sweep(old *format, page uint64, buf []byte) {
	first := page * pageLines
	n := min(pageLines, old.lines-first)
	src := unsafe.Slice((*byte)(t.line(first)), n*lineBytes)
	copy(buf, src)
	clear(src)
	from := Table{f: *old, base: unsafe.Add(unsafe.Pointer(unsafe.SliceData(buf)), -int(first*lineBytes))}
	for line := first; line < first+n; line++ {
		count := int(buf[(line-first)*lineBytes] & countMask)
		for s := 0; s < count; s++ {
			e, _ := from.entryAt(line, s)
			t.place(old.hash(e.home, e.low), e.value)
		}
	}
}

// Split cuts the table into n ranges of lines that can be scanned apart.
func (t *Table) Split(n int) [][2]uint64 {
	ranges := make([][2]uint64, n)
	end := t.f.lines + 1 // the stash stands behind the last line
	for i := range ranges {
		ranges[i] = [2]uint64{end * uint64(i) / uint64(n), end * uint64(i+1) / uint64(n)}
	}
	return ranges
}

// Scan writes the entries of lines from cursor on, below end, as long as they fit. It returns their number and the cursor to go on from;
// keys and values must have room for 4,096 entries at least.
func (t *Table) Scan(cursor, end uint64, keys, values []uint64) (n int, next uint64) {
	for ; cursor < end && cursor < t.f.lines && n+maxSlots <= len(keys); cursor++ {
		count := int(*(*uint8)(t.line(cursor)) & countMask)
		for s := 0; s < count; s++ {
			e, _ := t.entryAt(cursor, s)
			keys[n], values[n] = hashmap.Unmix64(t.f.hash(e.home, e.low)), e.value
			n++
		}
	}
	if cursor >= t.f.lines && cursor < end && n+len(t.stash) <= len(keys) {
		for h, v := range t.stash {
			keys[n], values[n] = hashmap.Unmix64(h), v
			n++
		}
		cursor = end
	}
	return n, cursor
}

// check walks the whole structure; it is what the tests call an invariant.
func (t *Table) check() string {
	var n uint64
	for line := range t.f.lines {
		head := *(*uint8)(t.line(line))
		count := int(head & countMask)
		if count > t.f.slots {
			return "a line has more entries than slots"
		}
		for s := range count {
			e, away := t.entryAt(line, s)
			h := t.f.hash(e.home, e.low)
			if t.home(h) != e.home {
				return "an entry's home is not the line of its hash"
			}
			if away && *(*uint8)(t.line(e.home))&displaced == 0 {
				return "a displaced entry's home is not marked"
			}
			n++
		}
	}
	for h := range t.stash {
		if *(*uint8)(t.line(t.home(h)))&stashed == 0 {
			return "a stashed entry's home is not marked"
		}
		n++
	}
	if n != t.n {
		return "the count of entries is wrong"
	}
	return ""
}
