package query

import (
	"sync"
	"sync/atomic"

	"dictsvc/column"
	"dictsvc/errcode"
	"dictsvc/internal/mem"
	"dictsvc/sql"
)

// memoryTable is a table of the engines Memory and Null: blocks one after another. A query reads the blocks that were there when it began.
type memoryTable struct {
	uuid   string
	kind   string // the engine's name
	cols   []columnInfo
	defs   []*sql.ColumnDef // as defined, for defaults of INSERT; nil where made of a query's columns
	checks []*sql.ConstraintDef
	conf   memorySettings
	temp   bool
	budget *mem.Budget // of all tables of the server; nil: this one is part of a query, which counts it

	named
	mu     sync.RWMutex
	note   string // COMMENT
	blocks []*tableBlock
	total  int
	bytes  int
	edits  int   // how often blocks have been taken away or replaced
	closed error // why it takes no more rows
}

func (t *memoryTable) columns() []columnInfo { return t.cols }
func (t *memoryTable) engine() string        { return t.kind }
func (t *memoryTable) id() string            { return t.uuid }
func (t *memoryTable) explain() string {
	if t.kind == nullEngine {
		return "ReadFromPreparedSource (Read from NullSource)"
	}
	return "ReadFromMemoryStorage"
}

func (t *memoryTable) comment() string {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.note
}

func (t *memoryTable) size() (rows, bytes uint64, ok bool) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return uint64(t.total), uint64(t.bytes), true
}

// newRows makes a table of rows at hand, for a query's own use.
func newRows(cols []columnInfo, data []column.Column, rows int) *memoryTable {
	t := &memoryTable{kind: memoryEngine, cols: cols}
	if rows > 0 {
		b := plainBlock(data, rows)
		t.blocks, t.total, t.bytes = []*tableBlock{b}, rows, b.bytes
	}
	return t
}

// append adds blocks whose bytes have been charged to the budget. Where the table keeps only so much, the oldest blocks go.
func (t *memoryTable) append(blocks []*tableBlock) error {
	rows, bytes := 0, 0
	for _, b := range blocks {
		rows += b.rows
		bytes += b.bytes
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed != nil {
		return t.closed
	}
	t.keep(rows, bytes)
	t.blocks = append(t.blocks, blocks...)
	t.total += rows
	t.bytes += bytes
	return nil
}

// keep makes room for rows that come: oldest blocks go while there is too much, unless too little would be left.
func (t *memoryTable) keep(rows, bytes int) {
	c := &t.conf
	if c.maxRows == 0 && c.maxBytes == 0 {
		return
	}
	gone := 0
	for _, b := range t.blocks {
		total, size := uint64(t.total+rows), uint64(t.bytes+bytes)
		if (c.maxRows == 0 || total <= c.maxRows) && (c.maxBytes == 0 || size <= c.maxBytes) {
			break
		}
		if total-uint64(b.rows) < c.minRows || size-uint64(b.bytes) < c.minBytes {
			break
		}
		t.total -= b.rows
		t.bytes -= b.bytes
		t.release(b.bytes)
		gone++
	}
	if gone > 0 {
		t.edits++
		t.blocks = append([]*tableBlock(nil), t.blocks[gone:]...) // readers keep the old slice
	}
}

func (t *memoryTable) release(bytes int) {
	if t.budget != nil {
		t.budget.Release(int64(bytes))
	}
}

// truncate drops all rows; queries that have begun keep theirs.
func (t *memoryTable) truncate() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.release(t.bytes)
	t.blocks, t.total, t.bytes = nil, 0, 0
	t.edits++
}

// close drops all rows and takes no more: an INSERT that is on its way ends with why.
func (t *memoryTable) close(why error) {
	t.truncate()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = why
}

// drop is close of a table that is dropped.
func (t *memoryTable) drop() {
	t.close(errcode.New(errcode.TableIsDropped, "Table %s is dropped", t.tableName()))
}

// snapshot is the blocks of now: the slice is only ever appended to.
func (t *memoryTable) snapshot() ([]*tableBlock, int) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	n := len(t.blocks)
	return t.blocks[:n:n], t.total
}

// count implements counted.
func (t *memoryTable) count(*exec) (uint64, bool, error) {
	rows, _, _ := t.size()
	return rows, true, nil
}

// open implements relation.
func (t *memoryTable) open(ex *exec, r readRequest) ([]stream, error) {
	blocks, total := t.snapshot()
	ex.q.totalRows.Add(uint64(total))
	n := min(r.streams, len(blocks))
	if n < 1 || total < 2*column.MaxBlockRows {
		n = 1
	}
	var next atomic.Int64
	streams := make([]stream, n)
	for i := range streams {
		reader := &blockReader{}
		if r.transient {
			reader.mem = new(column.Scratch)
		}
		streams[i] = streamFunc(func() (*batch, error) {
			if err := ex.check(); err != nil {
				return nil, err
			}
			k := int(next.Add(1)) - 1
			if k >= len(blocks) {
				return nil, nil
			}
			reader.mem.Reset()
			b := &batch{rows: blocks[k].rows, seq: k, cols: make([]column.Column, len(r.cols))}
			for i, c := range r.cols {
				var err error
				if b.cols[i], err = reader.column(blocks[k], c); err != nil {
					return nil, errcode.Wrap(err, "table %s, block %d of %d, column %s", t.tableName(), k, len(blocks), t.cols[c].Name)
				}
			}
			ex.q.read(b.rows, b.bytes())
			return b, nil
		})
	}
	return streams, nil
}
