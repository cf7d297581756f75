package query

import (
	"dictsvc/column"
)

// tableWriter gathers the rows that a statement adds to a table. Small batches are put together, large ones cut, so that blocks have about
// column.MaxBlockRows rows whatever the statement's batches had; they are packed where the table is compressed. What is held is charged to the
// budget of tables at once, so that an INSERT that does not fit ends before it has taken more than there is; commit hands all blocks to the
// table in one step, and without it close gives everything back.
type tableWriter struct {
	q      *run
	t      *memoryTable
	cols   []column.Column // rows not yet in a block
	rows   int
	own    bool // cols are the writer's, to be appended to
	blocks []*tableBlock
	held   int64
	packer packer
}

// packer is p where the table is compressed, else nil.
func (t *memoryTable) packer(p *packer) *packer {
	if t.conf.compress {
		return p
	}
	return nil
}

// add takes a batch of the table's stored columns; the others are nil.
func (w *tableWriter) add(cols []column.Column, rows int) error {
	if err := w.q.tick(); err != nil {
		return err
	}
	bytes := 0
	for _, c := range cols {
		if c != nil {
			bytes += c.Bytes()
		}
	}
	w.q.writtenRows.Add(uint64(rows))
	w.q.writtenBytes.Add(uint64(bytes))
	if rows == 0 || w.t.kind == nullEngine {
		return nil
	}
	if rows > column.MaxBlockRows {
		for at := 0; at < rows; at += column.MaxBlockRows {
			if err := w.addSmall(cutColumns(cols, at, min(at+column.MaxBlockRows, rows)), min(column.MaxBlockRows, rows-at)); err != nil {
				return err
			}
		}
		return nil
	}
	return w.addSmall(cols, rows)
}

// cutColumns copies rows: a slice would hold on to all memory of the column that it was cut from.
func cutColumns(cols []column.Column, from, to int) []column.Column {
	out := make([]column.Column, len(cols))
	for i, c := range cols {
		if c != nil {
			out[i] = c.New(to - from)
			out[i].AppendRange(c, from, to)
		}
	}
	return out
}

func (w *tableWriter) addSmall(cols []column.Column, rows int) error {
	if w.rows+rows > column.MaxBlockRows {
		if err := w.flush(); err != nil {
			return err
		}
	}
	if w.rows == 0 {
		w.cols, w.rows, w.own = cols, rows, false
		return nil
	}
	if !w.own { // the batch that came first belongs to who made it
		w.cols, w.own = cutColumns(w.cols, 0, w.rows), true
	}
	for i, c := range cols {
		if c != nil {
			w.cols[i].AppendRange(c, 0, rows)
		}
	}
	w.rows += rows
	return nil
}

// flush makes a block of the rows gathered.
func (w *tableWriter) flush() error {
	if w.rows == 0 {
		return nil
	}
	b, err := w.t.packer(&w.packer).block(w.cols, w.rows)
	if err != nil {
		return err
	}
	w.cols, w.rows = nil, 0
	return w.hold(b)
}

// hold charges a block and keeps it for commit.
func (w *tableWriter) hold(b *tableBlock) error {
	if err := w.q.reserve(b.bytes); err != nil {
		return err
	}
	if w.t.budget != nil {
		if err := w.t.budget.Charge(int64(b.bytes)); err != nil {
			return err
		}
	}
	w.held += int64(b.bytes)
	w.blocks = append(w.blocks, b)
	return nil
}

// commit adds all rows to the table.
func (w *tableWriter) commit() error {
	if err := w.flush(); err != nil {
		return err
	}
	if err := w.t.append(w.blocks); err != nil {
		return err
	}
	w.done()
	return nil
}

// done notes that the table has the blocks.
func (w *tableWriter) done() {
	_ = w.q.reserve(-int(w.held)) // giving back is never refused
	w.blocks, w.held = nil, 0
}

// close gives back what was not committed.
func (w *tableWriter) close() {
	w.t.release(int(w.held))
	w.blocks, w.held = nil, 0
}
