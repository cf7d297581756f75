package query

import (
	"sync"
	"sync/atomic"

	"dictsvc/agg"
	"dictsvc/column"
	"dictsvc/internal/mem"
)

// groupParts is many groups, divided into partitions by the hash of their keys. The workers put the rows of a block in the order of their
// partitions and keep them until there are many: then, or at the end, a partition's rows meet its table while it lies in the processor's cache. A
// partition has one table for all workers, so nothing has to be merged in the end.
type groupParts struct {
	g     *groupStream
	parts [agg.Partitions]groupPart
	total atomic.Int64 // groups in all partitions
	next  atomic.Int32 // partition whose result is computed next

	spilling sync.Mutex
	file     *spillFile // nil where nothing went to disk

	mu   sync.Mutex
	rest []*groupPending // rows that are still kept when all have been read
}

type groupPart struct {
	mu    sync.Mutex
	table *groupTable // nil where it has no groups
}

// groupPending is the rows that one worker keeps.
type groupPending struct {
	parts  *groupParts
	blocks []*groupBlock
	bytes  int
	img    *agg.Image // of the block at hand
}

// groupBlock is a block's rows in the order of their partitions.
type groupBlock struct {
	keys *agg.Image
	args []column.Column
	ends [agg.Partitions]uint32
}

// rows are those of a partition.
func (b *groupBlock) rows(part int) (from, to int) {
	if part > 0 {
		from = int(b.ends[part-1])
	}
	return from, int(b.ends[part])
}

// pendingBytes is how much a worker keeps before it adds it to the tables.
const pendingBytes = 128 << 20

func (p *groupParts) pending() *groupPending {
	return &groupPending{parts: p, img: agg.NewImage(p.g.pool)}
}

// keep puts a block's rows with those that are kept. args are plain columns; their memory is not kept.
func (w *groupPending) keep(keys, args []column.Column, rows int) error {
	g := w.parts.g
	b := &groupBlock{keys: agg.NewImage(g.pool)}
	g.like.Pack(keys, rows, w.img)
	order := mem.Take[uint32](g.pool, rows)
	w.img.Scatter(b.keys, order, &b.ends)
	bytes := b.keys.Bytes()
	for _, a := range args {
		c := gatherIn(g.pool, a, order)
		bytes += c.Bytes()
		b.args = append(b.args, c)
	}
	mem.Give(g.pool, order)
	w.blocks = append(w.blocks, b)
	w.bytes += bytes
	if err := g.reserve(bytes); err != nil {
		return err
	}
	if w.bytes > g.pendingLimit {
		return w.flush()
	}
	return nil
}

// flush adds all rows that are kept to the tables.
func (w *groupPending) flush() error {
	p := w.parts
	for part := range p.parts {
		if err := p.addRows(part, w.blocks); err != nil {
			return err
		}
	}
	for _, b := range w.blocks {
		b.free(p.g.pool)
	}
	_ = p.g.reserve(-w.bytes)
	w.blocks, w.bytes = w.blocks[:0], 0
	return p.spill()
}

func (b *groupBlock) free(pool *mem.Pool) {
	b.keys.Free()
	for _, c := range b.args {
		giveBack(pool, c)
	}
}

// done leaves what is kept to those who compute the results.
func (w *groupPending) done() {
	p := w.parts
	p.mu.Lock()
	p.rest = append(p.rest, w)
	p.mu.Unlock()
}

// addRows adds the rows of one partition in some blocks to its table.
func (p *groupParts) addRows(part int, blocks []*groupBlock) error {
	if len(blocks) == 0 {
		return nil
	}
	at := &p.parts[part]
	at.mu.Lock()
	defer at.mu.Unlock()
	t := p.table(at)
	before := t.groups()
	var ids []uint32
	args := make([]column.Column, len(blocks[0].args))
	for _, b := range blocks {
		from, to := b.rows(part)
		n := to - from
		if n == 0 {
			continue
		}
		if cap(ids) < n {
			ids = make([]uint32, 2*n)
		}
		t.keys.GroupsOf(b.keys, from, to, ids[:n])
		for i, c := range b.args {
			args[i] = c.Slice(from, to)
		}
		if err := t.add(p.g.plan.aggs, ids[:n], args, n); err != nil {
			return err
		}
		if err := p.g.ex.q.tick(); err != nil {
			return err
		}
	}
	if err := p.grown(t, before); err != nil {
		return err
	}
	return p.g.account(t)
}

func (p *groupParts) table(at *groupPart) *groupTable {
	if at.table == nil {
		at.table = p.g.plan.newTable(p.g.like.Part(p.g.pool), p.g.ex.check)
	}
	return at.table
}

// grown counts the groups that have come to a partition's table.
func (p *groupParts) grown(t *groupTable, before int) error {
	total := p.total.Add(int64(t.groups() - before))
	return p.g.checkGroups(int(total))
}

// take divides the groups of a worker's table.
func (p *groupParts) take(t *groupTable) error {
	t.seal()
	g := p.g
	stored, scattered := agg.NewImage(g.pool), agg.NewImage(g.pool)
	var order, ids []uint32
	for at := 0; at < t.groups(); at += column.MaxBlockRows {
		n := min(column.MaxBlockRows, t.groups()-at)
		if order == nil {
			order, ids = make([]uint32, n), make([]uint32, n)
		}
		t.keys.Stored(at, at+n, stored)
		var ends [agg.Partitions]uint32
		stored.Scatter(scattered, order, &ends)
		for i := range order[:n] {
			order[i] += uint32(at)
		}
		from := uint32(0)
		for part, to := range ends {
			if from == to {
				continue
			}
			if err := p.takeSome(part, t, scattered, int(from), order[from:to], ids[:to-from]); err != nil {
				return err
			}
			from = to
		}
	}
	scattered.Free()
	g.freeTable(t)
	return nil
}

// takeSome adds groups of a table, whose keys stand in an image from a row on, to a partition.
func (p *groupParts) takeSome(part int, t *groupTable, img *agg.Image, row int, groups, ids []uint32) error {
	at := &p.parts[part]
	at.mu.Lock()
	defer at.mu.Unlock()
	into := p.table(at)
	before := into.groups()
	into.keys.GroupsOf(img, row, row+len(groups), ids)
	if err := into.merge(t, groups, ids); err != nil {
		return err
	}
	if err := p.grown(into, before); err != nil {
		return err
	}
	if err := p.g.account(into); err != nil {
		return err
	}
	return p.g.ex.q.tick()
}

// finish is the table of a partition with all its rows; nil where it has none.
func (p *groupParts) finish(part int) (*groupTable, error) {
	for _, w := range p.rest {
		if err := p.addRows(part, w.blocks); err != nil {
			return nil, err
		}
	}
	at := &p.parts[part]
	if p.file == nil || len(p.file.frames[part]) == 0 {
		return at.table, nil
	}
	last := at.table
	at.table = nil
	t := p.table(at)
	if err := p.load(part, t); err != nil {
		return nil, err
	}
	if last != nil {
		return t, p.g.merge(t, last)
	}
	return t, nil
}

// gatherIn is c.Gather with the result in a pool where the kind of column can lie there.
func gatherIn(pool *mem.Pool, c column.Column, rows []uint32) column.Column {
	switch x := c.(type) {
	case *column.Num[uint8]:
		return gatherNum(pool, x, rows)
	case *column.Num[uint16]:
		return gatherNum(pool, x, rows)
	case *column.Num[uint32]:
		return gatherNum(pool, x, rows)
	case *column.Num[uint64]:
		return gatherNum(pool, x, rows)
	case *column.Num[int8]:
		return gatherNum(pool, x, rows)
	case *column.Num[int16]:
		return gatherNum(pool, x, rows)
	case *column.Num[int32]:
		return gatherNum(pool, x, rows)
	case *column.Num[int64]:
		return gatherNum(pool, x, rows)
	case *column.Num[float32]:
		return gatherNum(pool, x, rows)
	case *column.Num[float64]:
		return gatherNum(pool, x, rows)
	}
	return c.Gather(rows)
}

func gatherNum[T column.Number](pool *mem.Pool, c *column.Num[T], rows []uint32) column.Column {
	out, data := mem.Take[T](pool, len(rows)), c.Data
	for i, r := range rows {
		out[i] = data[r]
	}
	return column.NewNum(c.T, out)
}

// giveBack gives memory back that gatherIn has taken.
func giveBack(pool *mem.Pool, c column.Column) {
	switch x := c.(type) {
	case *column.Num[uint8]:
		mem.Give(pool, x.Data)
	case *column.Num[uint16]:
		mem.Give(pool, x.Data)
	case *column.Num[uint32]:
		mem.Give(pool, x.Data)
	case *column.Num[uint64]:
		mem.Give(pool, x.Data)
	case *column.Num[int8]:
		mem.Give(pool, x.Data)
	case *column.Num[int16]:
		mem.Give(pool, x.Data)
	case *column.Num[int32]:
		mem.Give(pool, x.Data)
	case *column.Num[int64]:
		mem.Give(pool, x.Data)
	case *column.Num[float32]:
		mem.Give(pool, x.Data)
	case *column.Num[float64]:
		mem.Give(pool, x.Data)
	}
}
