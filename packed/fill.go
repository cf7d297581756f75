package packed

import (
	"math"

	"dictsvc/internal/mem"
)

// filler fills a part of a table, partition by partition. A partition's rows are sorted by home line, so that a key's rows stand
// together and duplicates are seen without a search, and each line takes as many of its own rows as it has slots. What is left over waits
// until the whole group has its own, and then goes to other lines. So more entries are in their home line than
// if rows were inserted one by one.
type filler struct {
	t     Table // shares the lines; counts and keeps the overflow for itself
	first bool
	same  func(earlier, later uint64) bool
	twins []uint64

	interrupt func() error
	hash      []uint64
	value     []uint64
	rest      []uint64 // of the rows, by home line
	sorted    []uint64 // their values
	ends      []uint32 // of each line's rows
	waiting   []homeless
	late      []homeless // rows of a group that another filler begins
	from      uint64     // the first line that is not such a group's
}

// homeless is a row that is not in the table yet.
type homeless struct {
	line, rest, value uint64
}

func newFiller(t *Table, first bool, o *Options) *filler {
	f := &filler{t: *t, first: first, same: o.Same, interrupt: o.Interrupt}
	f.t.overflow, f.t.path, f.t.n = nil, nil, 0
	return f
}

// group is the first line of a line's group.
func (f *filler) group(line uint64) uint64 {
	if !f.t.grouped {
		return 0
	}
	return line &^ (f.t.geometry.group - 1)
}

// fill takes the rows of a stage.
func (f *filler) fill(s *stage) error {
	if f.t.grouped && s.worker > 0 && len(s.parts) > 0 {
		line, _ := f.t.split(s.first << (64 - s.bits))
		if f.from = f.group(line); f.from < line {
			f.from += f.t.geometry.group
		}
	}
	for at := range s.parts {
		if f.interrupt != nil {
			if err := f.interrupt(); err != nil {
				return err
			}
		}
		f.hash, f.value = f.hash[:0], f.value[:0]
		err := s.drain(at, func(hash, value []uint64) error {
			f.hash, f.value = append(f.hash, hash...), append(f.value, value...)
			return nil
		})
		if err != nil {
			return err
		}
		low := (s.first + uint64(at)) << (64 - s.bits)
		if err := f.partition(low, low|math.MaxUint64>>s.bits); err != nil {
			return err
		}
	}
	return nil
}

// partition places the rows collected, whose hashes are within bounds.
func (f *filler) partition(low, high uint64) error {
	from, _ := f.t.split(low)
	to, _ := f.t.split(high)
	lines := int(to-from) + 1
	f.ends = append(f.ends[:0], make([]uint32, lines+1)...)
	f.rest, f.sorted = resize(f.rest, len(f.hash)), resize(f.sorted, len(f.hash))
	ends := f.ends
	// Count each line's rows one place behind, so that the sums are where they begin.
	for _, h := range f.hash {
		line, _ := f.t.split(h)
		ends[line-from+1]++
	}
	sum := uint32(0)
	for i, n := range ends {
		sum += n
		ends[i] = sum
	}
	for i, h := range f.hash {
		line, rest := f.t.split(h)
		at := ends[line-from]
		ends[line-from] = at + 1
		f.rest[at], f.sorted[at] = rest, f.value[i]
	}
	start := uint32(0)
	for i, end := range ends[:lines] {
		line := from + uint64(i)
		if f.t.grouped && line == f.group(line) { // while the group before is in the cache
			if err := f.settle(line); err != nil {
				return err
			}
		}
		if start < end {
			f.placeLine(line, f.rest[start:end], f.sorted[start:end])
		}
		start = end
	}
	return nil
}

func resize(s []uint64, n int) []uint64 {
	if cap(s) < n {
		return make([]uint64, n, n+n/8)
	}
	return s[:n]
}

// placeLine puts the rows of one home line there, as many as fit.
func (f *filler) placeLine(line uint64, rests, values []uint64) {
	values = values[:len(rests)]
	n := len(rests)
	var seen [4]uint64 // a bit for each of 256 values of the tag
	for _, r := range rests {
		word, bit := &seen[r>>6&3], uint64(1)<<(r&63)
		if *word&bit != 0 {
			n = f.unique(rests, values)
			break
		}
		*word |= bit
	}
	if line < f.from {
		for i, rest := range rests[:n] {
			f.late = append(f.late, homeless{line, rest, values[i]})
		}
		return
	}
	t := &f.t
	p := t.line(line)
	used := count(p)
	own := min(n, t.slots-used)
	if used == 0 {
		t.writeLine(p, rests[:own], values[:own])
	} else {
		for i, rest := range rests[:own] {
			t.setSlot(p, used+i, rest, 0, values[i])
		}
		*head(p) += uint32(own)
	}
	t.n += uint64(n)
	for i, rest := range rests[own:n] {
		f.waiting = append(f.waiting, homeless{line, rest, values[own+i]})
	}
}

// unique moves the rows that count to the front and returns their number.
func (f *filler) unique(rests, values []uint64) int {
	n := 0
rows:
	for i, rest := range rests {
		for j, r := range rests[:n] {
			if r == rest {
				if f.same != nil && !f.same(values[j], values[i]) {
					f.twins = append(f.twins, values[i])
				} else if !f.first {
					values[j] = values[i]
				}
				continue rows
			}
		}
		rests[n], values[n] = rest, values[i]
		n++
	}
	return n
}

// settle finds room for the rows that wait in groups before a line.
func (f *filler) settle(before uint64) error {
	done := 0
	var others [step]uint64
	for i, w := range f.waiting {
		if w.line >= before {
			break
		}
		if i%step == 0 {
			next := f.waiting[i:min(i+step, len(f.waiting))]
			for j, w := range next {
				others[j&(step-1)] = f.t.other(w.line, w.rest)
			}
			mem.Prefetch(f.t.base, others[:len(next)], f.t.lineShift)
		}
		if err := f.t.add(w.line, w.rest, w.value); err != nil {
			return err
		}
		done++
	}
	f.waiting = f.waiting[:copy(f.waiting, f.waiting[done:])]
	return nil
}

// finish puts what is left into the table; no other filler is at work then.
func (f *filler) finish(t *Table) error {
	defer f.t.overflow.Free()
	t.n += f.t.n
	f.t.n = 0
	err := f.settle(math.MaxUint64)
	for _, w := range f.late {
		if err != nil {
			break
		}
		if p, slot := t.find(w.line, w.rest); slot >= 0 && f.same != nil && !f.same(t.valueOf(p, slot), w.value) {
			f.twins = append(f.twins, w.value)
			continue
		}
		err = t.insert(w.line, w.rest, w.value, f.first)
	}
	if err == nil {
		err = t.addSide(f.t.overflow)
	}
	return err
}
