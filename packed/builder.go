package packed

import (
	"unsafe"

	"dictsvc/errcode"
	"dictsvc/hashmap"
	"dictsvc/internal/mem"
)

const (
	partitionBits = 6
	partitions    = 1 << partitionBits // write streams that fit the TLB; each a slice of the table that fits the L3 cache
)

// Builder builds a table from rows whose number is not known before. Rows are first kept aside by the high bits of
// their hash; Finish makes a table of just the right size and fills it slice by slice, so that inserts hit the
// cache, and gives the memory of each slice's rows back at once. The peak is about the rows as they are kept, 8
// bytes and the value's bytes each. It suits values that are known when a row comes; where the values are row
// numbers that the caller needs at once, use Table.InsertRows.
type Builder struct {
	options Options
	first   bool
	width   int // bytes kept of a row
	n       uint64
	parts   [partitions]staged
}

// staged holds the rows of one slice of the table in the order in which they came.
type staged struct {
	region *mem.Region
	base   unsafe.Pointer
	used   int
	size   int
}

// slack is room behind the last row, so that a value can be written and read as eight bytes.
const slack = 8

// NewBuilder makes a builder; o.Rows is not needed. first says which row of a key counts, the first or the last.
func NewBuilder(o Options, first bool) (*Builder, error) {
	if _, err := checkLoadFactor(o.MaxLoadFactor); err != nil {
		return nil, err
	}
	if o.ValueBits < 0 || o.ValueBits > 64 {
		return nil, errcode.New(errcode.BadArguments, "build a packed table: want values of 0 to 64 bits, got %d", o.ValueBits)
	}
	b := &Builder{options: o, first: first, width: 8 + (o.ValueBits+7)/8}
	for i := range b.parts {
		region, err := mem.Alloc(o.Budget, 0)
		if err != nil {
			return nil, err
		}
		b.parts[i].region = region
	}
	return b, nil
}

// Rows is the number of rows added.
func (b *Builder) Rows() uint64 { return b.n }

// Bytes is the memory held for rows.
func (b *Builder) Bytes() int64 {
	n := int64(0)
	for i := range b.parts {
		n += b.parts[i].region.Held()
	}
	return n
}

// Free gives the memory back; a builder that is finished holds none.
func (b *Builder) Free() {
	if b == nil {
		return
	}
	for i := range b.parts {
		b.parts[i].region.Free()
		b.parts[i] = staged{region: b.parts[i].region}
	}
}

// Add adds rows; values may be nil where the table has none, and must fit in o.ValueBits. On error,
// MEMORY_LIMIT_EXCEEDED, the rows before some point were added.
func (b *Builder) Add(keys, values []uint64) error {
	if b.n+uint64(len(keys)) > hashmap.MaxRows {
		return tooManyRows(b.n + uint64(len(keys)))
	}
	if values != nil {
		values = values[:len(keys)]
		all := uint64(0)
		for _, v := range values {
			all |= v
		}
		if all > maskOf(uint(b.options.ValueBits)) {
			return errcode.New(errcode.BadArguments, "build a packed table: want values of %d bits, got one with more", b.options.ValueBits)
		}
	}
	seed, width := b.options.Seed, b.width
	for i, k := range keys {
		p := &b.parts[hashmap.Mix64(k^seed)>>(64-partitionBits)]
		if p.used+width+slack > p.size {
			if err := p.grow(); err != nil {
				return err
			}
		}
		at := unsafe.Add(p.base, p.used)
		*(*uint64)(at) = k
		if values != nil {
			*(*uint64)(unsafe.Add(at, 8)) = values[i]
		} else {
			*(*uint64)(unsafe.Add(at, 8)) = 0
		}
		p.used += width
		b.n++
	}
	return nil
}

// grow makes room for more rows: an eighth, or a page.
func (p *staged) grow() error {
	if err := p.region.Resize((p.size + p.size/8 + mem.PageSize) &^ (mem.PageSize - 1)); err != nil {
		return err
	}
	p.base, p.size = p.region.Pointer(), p.region.Size()
	return nil
}

// Finish makes the table and leaves the builder empty. On error there is no table and the builder is empty too.
func (b *Builder) Finish() (*Table, error) {
	defer b.Free()
	o := b.options
	o.Rows = b.n
	b.n = 0
	t, err := New(o)
	if err != nil {
		return nil, err
	}
	for i := range b.parts {
		if err := b.pour(&b.parts[i], t); err != nil {
			t.Free()
			return nil, err
		}
		b.parts[i].region.Free()
		b.parts[i] = staged{region: b.parts[i].region}
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

// pour inserts the rows kept in one part.
func (b *Builder) pour(p *staged, t *Table) error {
	var keys, values [block]uint64
	mask := maskOf(uint(8 * (b.width - 8)))
	for at := 0; at < p.used; {
		n := 0
		for ; n < block && at < p.used; n++ {
			row := unsafe.Add(p.base, at)
			keys[n], values[n] = *(*uint64)(row), *(*uint64)(unsafe.Add(row, 8))&mask
			at += b.width
		}
		if err := t.InsertBatch(keys[:n], values[:n], b.first, nil); err != nil {
			return err
		}
	}
	return nil
}
