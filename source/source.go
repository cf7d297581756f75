// Package source is where rows come from.
package source

import (
	"context"

	"dictsvc/column"
)

// Source yields blocks of columns in order; Next returns io.EOF at the end.
type Source interface {
	Header() (names []string, types []*column.Type)
	Next(ctx context.Context) (*column.Block, error)
	Progress() (rows, bytes, totalBytes uint64)
	Close() error
}
