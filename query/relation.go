package query

import (
	"dictsvc/column"
)

// columnInfo is a column of a table or query.
type columnInfo struct {
	Name        string
	Type        *column.Type
	DefaultKind string // "", DEFAULT, MATERIALIZED, ALIAS
	Default     string // the default's text
	Comment     string
}

// relation is what can stand in FROM: a table as one query sees it, a table function, a subquery.
type relation interface {
	// columns are the columns that * stands for.
	columns() []columnInfo
	// open starts reading. It returns one stream where r.ordered, and one or more otherwise; each gives batches of the columns asked for.
	open(ex *exec, r readRequest) ([]stream, error)
	// explain is the line of EXPLAIN: "ReadFromMemoryStorage", "ReadFromDictionary (scan)", ...
	explain() string
}

// readRequest is what a query wants of a relation.
type readRequest struct {
	cols    []int   // places in columns()
	ordered bool    // the order of rows matters
	limit   int     // so many rows are enough, -1: all
	streams int     // how many streams are of use
	fixed   []fixed // what the reader's conditions fix; only a hint
	// A batch is done with when the next one of its stream is asked for, so that its memory may be used again (column.Scratch).
	transient bool
	rows      int // a batch should have no more rows than so many where that costs the source nothing; 0: the query's block size
}

// keyed is a relation that can look rows up by key instead of scanning.
type keyed interface {
	relation
	// keyColumns are the places of the key columns in columns().
	keyColumns() []int
	// lookup is the relation of the rows that have the given keys, n of them, as columns of the key columns' types.
	lookup(keys []column.Column, n int) relation
}

// counted is a relation that knows its number of rows.
type counted interface {
	count(ex *exec) (rows uint64, ok bool, err error)
}

// batch is a number of rows on their way through the operators.
type batch struct {
	cols []column.Column
	rows int
	seq  int  // the batch's place in the source's order, from 0, where streams are put in order again
	more bool // further batches of the same seq follow
}

// stream gives batches: next returns nil at the end. A batch may be empty. A stream is used by one goroutine at a time.
type stream interface {
	next() (*batch, error)
}

// streamFunc makes a stream of a function.
type streamFunc func() (*batch, error)

func (f streamFunc) next() (*batch, error) { return f() }

// emptyStream has no rows.
func emptyStream() stream { return streamFunc(func() (*batch, error) { return nil, nil }) }

// endStream ends a stream behind the batch after which over is true.
func endStream(in stream, over func() bool) stream {
	ended := false
	return streamFunc(func() (*batch, error) {
		if ended {
			return nil, nil
		}
		b, err := in.next()
		ended = over()
		return b, err
	})
}

// slice returns some rows of a batch.
func (b *batch) slice(from, to int) *batch {
	out := &batch{cols: make([]column.Column, len(b.cols)), rows: to - from, seq: b.seq, more: b.more}
	for i, c := range b.cols {
		out.cols[i] = c.Slice(from, to)
	}
	return out
}

// filter keeps the rows whose keep byte is not 0, n of them.
func (b *batch) filter(keep []uint8, n int) *batch {
	if n == b.rows {
		return b
	}
	out := &batch{cols: make([]column.Column, len(b.cols)), rows: n, seq: b.seq, more: b.more}
	for i, c := range b.cols {
		out.cols[i] = c.Filter(keep, n)
	}
	return out
}

func (b *batch) bytes() int {
	n := 0
	for _, c := range b.cols {
		n += c.Bytes()
	}
	return n
}
