package dict

import (
	"context"
	"errors"
	"io"

	"dictsvc/column"
	"dictsvc/errcode"
	"dictsvc/source"
)

// LoadOptions are what a load may be told.
type LoadOptions struct {
	Threads  int               // processors that work on it beside the source; 0: as NewBuilder chooses
	Progress func(rows uint64) // called from Load's goroutine with the rows so far; may be nil
}

// Load reads a source to its end into a version. The source's columns must be the definition's, in its order and of its types. Nothing is left
// behind on an error.
func Load(ctx context.Context, def *Definition, src source.Source, o LoadOptions) (*Version, error) {
	b, err := newBuilder(def, o.Threads)
	if err != nil {
		return nil, err
	}
	b.stop = func() error {
		if ctx.Err() == nil {
			return nil
		}
		return errcode.New(errcode.QueryWasCancelled, "load dictionary %s: %w", def.FullName(), context.Cause(ctx))
	}
	if err := readAll(ctx, def, src, b.Add, o.Progress); err != nil {
		b.Abort()
		return nil, err
	}
	return b.Finish()
}

// readAll hands each block of a source to add, while the source makes the next one.
func readAll(ctx context.Context, def *Definition, src source.Source, add func(cols []column.Column, rows int) error, progress func(rows uint64)) (err error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	blocks, done := make(chan *column.Block, 1), make(chan error, 1)
	go func() {
		defer close(blocks)
		done <- read(ctx, src, blocks)
	}()
	rows := uint64(0)
	for block := range blocks {
		if err == nil && len(block.Cols) != len(def.Keys)+len(def.Attrs) {
			err = errcode.New(errcode.NumberOfColumnsDoesntMatch, "the source of dictionary %s gives %d columns; want %d", def.FullName(), len(block.Cols), len(def.Keys)+len(def.Attrs))
		}
		if err == nil {
			err = add(block.Cols, block.Rows)
		}
		rows += uint64(block.Rows)
		source.Recycle(src, block)
		if err != nil {
			stop() // and drain what is on its way
			continue
		}
		if progress != nil {
			progress(rows)
		}
	}
	if rerr := <-done; err == nil {
		err = rerr
	}
	return err
}

// read sends a source's blocks until its end.
func read(ctx context.Context, src source.Source, blocks chan<- *column.Block) error {
	for {
		block, err := src.Next(ctx)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		select {
		case blocks <- block:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}
