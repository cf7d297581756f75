// Package source is where rows come from: files (source/jsonl) and ClickHouse servers (source/clickhouse). A source yields blocks of
// columns in the order of the rows at their origin.
package source

import (
	"context"

	"dictsvc/column"
)

// Source yields the rows of one origin, once. Next is called from one goroutine; Progress from any.
type Source interface {
	// Header lists the columns that every block has, in this order and of these types.
	Header() (names []string, types []*column.Type)
	// Next returns the next block, of 1 to column.MaxBlockRows rows, and io.EOF behind the last. Any other error is final: rows that
	// came before it are a part of the origin, never all of it. The block belongs to the caller.
	Next(ctx context.Context) (*column.Block, error)
	// Progress tells the rows given out so far, the bytes read of the origin, and its size in bytes where known (else 0).
	Progress() (rows, bytes, totalBytes uint64)
	// Close frees what the source holds: goroutines, files, connections. It must be called, whether the end was reached or not.
	Close() error
}

// Recycler is a source that can use the memory of its blocks again.
type Recycler interface {
	// Recycle takes back a block that Next returned; nobody may hold on to it, its columns or slices of them.
	Recycle(*column.Block)
}

// Recycle gives a block back to its source where the source can use it.
func Recycle(s Source, b *column.Block) {
	if r, ok := s.(Recycler); ok {
		r.Recycle(b)
	}
}
