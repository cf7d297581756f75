package packed

import (
	"math/bits"
	"sync"

	"dictsvc/hashmap"
)

// Builder builds a table from rows whose number is not known before, on several processors. Rows are first kept aside by the
// high bits of their hash, 6 to 8 bytes of each and the value's; Finish makes a table of just the right size, fills it partition by
// partition, so that all work is on memory in the L2 cache, and gives the memory of each partition's rows back at once. So the peak is
// about the greater of the two: rows as they are kept, and the table.
//
// Every worker keeps the rows of its own share of hashes, and they come to it in order, so which row of a key counts does not depend on
// the number of workers.
type Builder struct {
	options Options
	first   bool
	stages  []*stage
	width   int    // bytes kept of a value
	all     uint64 // all values, or'ed
	n       uint64
	zeros   []uint64
	twins   []uint64
}

// NewBuilder makes a builder; o.Rows is not needed, and o.ValueBits, if not 0, is a width that values do not pass: a table is as large and its values as wide as
// they must be. first says which row of a key counts, the first or the last.
func NewBuilder(o Options, first bool, workers int) (*Builder, error) {
	if _, err := checkLoadFactor(o.MaxLoadFactor); err != nil {
		return nil, err
	}
	o.Budget = o.Budget.OrProcess()
	b := &Builder{options: o, first: first}
	workers = min(max(1, workers), 1<<partitionLevels[0])
	for i := range workers {
		s, err := newStage(o.Budget, i, workers)
		if err != nil {
			b.Free()
			return nil, err
		}
		b.stages = append(b.stages, s)
	}
	return b, nil
}

// Rows is the number of rows added.
func (b *Builder) Rows() uint64 { return b.n }

// Bytes is the memory held for rows.
func (b *Builder) Bytes() int64 {
	n := int64(0)
	for _, s := range b.stages {
		n += s.bytes()
	}
	return n
}

// Free gives the memory back; a builder that is finished holds none.
func (b *Builder) Free() {
	if b == nil {
		return
	}
	for _, s := range b.stages {
		s.free()
	}
	b.stages = nil
}

// each runs f for every stage, on a goroutine each, and returns the first error.
func (b *Builder) each(f func(s *stage) error) error {
	if len(b.stages) == 1 {
		return f(b.stages[0])
	}
	errs := make([]error, len(b.stages))
	var wait sync.WaitGroup
	for i, s := range b.stages {
		wait.Go(func() { errs[i] = f(s) })
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// Add adds rows; values may be nil where the table has none. After an error, MEMORY_LIMIT_EXCEEDED, a builder can only be freed.
func (b *Builder) Add(keys, values []uint64) error {
	if b.n+uint64(len(keys)) > hashmap.MaxRows {
		return tooManyRows(b.n + uint64(len(keys)))
	}
	if values == nil {
		for len(b.zeros) < len(keys) {
			b.zeros = append(b.zeros, 0)
		}
		values = b.zeros[:len(keys)]
	}
	values = values[:len(keys)]
	if b.all != maskOf(uint(b.options.ValueBits)) || b.all == 0 {
		for _, v := range values {
			b.all |= v
		}
	}
	if width := (bits.Len64(b.all) + 7) / 8; width > b.width {
		b.width = width
		if err := b.each(func(s *stage) error { return s.pourOver(s.level, width, nil) }); err != nil {
			return err
		}
	}
	b.n += uint64(len(keys))
	return b.each(func(s *stage) error { return s.add(keys, values, b.options.Seed) })
}

// Distinct is the share of rows whose key is not an earlier row's, from the rows of one partition; 1 without rows.
func (b *Builder) Distinct() float64 {
	s := b.stages[0]
	seen := map[uint64]struct{}{}
	rows := 0
	_ = s.read(0, false, func(hash, _ []uint64) error {
		for _, h := range hash {
			seen[h] = struct{}{}
		}
		rows += len(hash)
		return nil
	})
	if rows == 0 {
		return 1
	}
	return float64(len(seen)) / float64(rows)
}

// MapValues lets f change the values of all rows; it gets them in pieces, those of one key in their order. The new values may be any
// below the number of rows. After an error a builder can only be freed.
func (b *Builder) MapValues(f func(values []uint64) error) error {
	b.all = maskOf(uint(bits.Len64(b.n)))
	b.width = (bits.Len64(b.all) + 7) / 8
	for _, s := range b.stages {
		if err := s.pourOver(s.level, b.width, f); err != nil {
			return err
		}
	}
	return nil
}

// Finish makes the table and leaves the builder empty. On error there is no table and the builder is empty too.
func (b *Builder) Finish() (*Table, error) {
	defer b.Free()
	o := b.options
	o.Rows, o.ValueBits = b.n, bits.Len64(b.all)
	load, err := checkLoadFactor(o.MaxLoadFactor)
	if err != nil {
		return nil, err
	}
	if b.n > hashmap.MaxRows {
		return nil, tooManyRows(b.n)
	}
	// The table's memory takes the place of the rows', so the budget counts the greater of the two.
	g := geometryFor(o.Rows, 0, load, uint(o.ValueBits))
	for _, s := range b.stages {
		s.discharge(int64(g.bytes()) / int64(len(b.stages)))
	}
	t, err := New(o)
	if err != nil {
		return nil, err
	}
	t.values = b.all
	if err := b.fill(t); err != nil {
		t.Free()
		return nil, err
	}
	// Duplicates leave room; a few per cent are not worth another sweep.
	if t.n < o.Rows-o.Rows/32 {
		if err := t.Compact(); err != nil {
			t.Free()
			return nil, err
		}
	}
	return t, nil
}

// Twins are the values of those rows that have another row's key and are not the same (Options.Same), in any order; Finish finds them.
func (b *Builder) Twins() []uint64 { return b.twins }

// fill puts all rows into the table.
func (b *Builder) fill(t *Table) error {
	if !t.grouped { // too small to be worth sharing
		f := newFiller(t, b.first, &b.options)
		for _, s := range b.stages {
			if err := f.fill(s); err != nil {
				return err
			}
		}
		err := f.finish(t)
		b.twins = f.twins
		return err
	}
	fillers := make([]*filler, len(b.stages))
	for i := range fillers {
		fillers[i] = newFiller(t, b.first, &b.options)
	}
	err := b.each(func(s *stage) error {
		f := fillers[s.worker]
		if err := f.fill(s); err != nil {
			return err
		}
		return f.settle(f.group(t.lines))
	})
	for _, f := range fillers {
		if ferr := f.finish(t); err == nil {
			err = ferr
		}
		b.twins = append(b.twins, f.twins...)
	}
	return err
}
