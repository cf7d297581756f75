package query

import (
	"sync"
	"sync/atomic"

	"dictsvc/column"
	"dictsvc/sql"
)

// memoryTable is a table of the Memory engine: blocks one after another. A query reads the blocks that were there when it began.
type memoryTable struct {
	name sql.TableName
	uuid string
	cols []columnInfo
	defs []*sql.ColumnDef // as defined, for defaults of INSERT; nil where made of a query's columns
	text string           // the CREATE statement, normalised
	temp bool

	mu     sync.RWMutex
	blocks [][]column.Column
	rows   []int
	total  int
	bytes  int
}

func (t *memoryTable) columns() []columnInfo { return t.cols }
func (t *memoryTable) engine() string        { return "Memory" }
func (t *memoryTable) create() string        { return t.text }
func (t *memoryTable) comment() string       { return "" }
func (t *memoryTable) id() string            { return t.uuid }
func (t *memoryTable) explain() string       { return "ReadFromMemoryStorage" }

func (t *memoryTable) size() (rows, bytes uint64, ok bool) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return uint64(t.total), uint64(t.bytes), true
}

// append adds blocks whose columns are the table's.
func (t *memoryTable) append(blocks [][]column.Column, rows []int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i, b := range blocks {
		if rows[i] == 0 {
			continue
		}
		t.blocks = append(t.blocks, b)
		t.rows = append(t.rows, rows[i])
		t.total += rows[i]
		for _, c := range b {
			t.bytes += c.Bytes()
		}
	}
}

// truncate drops all rows; queries that have begun keep theirs.
func (t *memoryTable) truncate() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.blocks, t.rows, t.total, t.bytes = nil, nil, 0, 0
}

// snapshot is the blocks of now: the slices are only ever appended to.
func (t *memoryTable) snapshot() ([][]column.Column, []int, int) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	n := len(t.blocks)
	return t.blocks[:n:n], t.rows[:n:n], t.total
}

// count implements counted.
func (t *memoryTable) count(*exec) (uint64, bool, error) {
	rows, _, _ := t.size()
	return rows, true, nil
}

// open implements relation.
func (t *memoryTable) open(ex *exec, r readRequest) ([]stream, error) {
	blocks, rows, total := t.snapshot()
	ex.q.totalRows.Add(uint64(total))
	n := min(r.streams, len(blocks))
	if n < 1 || total < 2*column.MaxBlockRows {
		n = 1
	}
	var next atomic.Int64
	streams := make([]stream, n)
	for i := range streams {
		streams[i] = streamFunc(func() (*batch, error) {
			if err := ex.check(); err != nil {
				return nil, err
			}
			k := int(next.Add(1)) - 1
			if k >= len(blocks) {
				return nil, nil
			}
			b := &batch{rows: rows[k], seq: k}
			for _, c := range r.cols {
				b.cols = append(b.cols, blocks[k][c])
			}
			ex.q.read(b.rows, b.bytes())
			return b, nil
		})
	}
	return streams, nil
}
