package dict

import (
	"context"
	"errors"
	"io"

	"dictsvc/column"
	"dictsvc/errcode"
	"dictsvc/internal/mem"
	"dictsvc/source"
)

// Builder makes a Version of rows that come in blocks. The first row of a key wins.
type Builder struct {
	v     *Version
	batch keyBatch
	fresh []uint8
	words []uint64
	rows  uint64 // read, duplicates included
}

// NewBuilder starts a version of a definition.
func NewBuilder(def *Definition) (*Builder, error) {
	if err := def.CheckLimits(); err != nil {
		return nil, err
	}
	budget := mem.Process.Child("dictionary "+def.FullName(), 0)
	v := &Version{def: def, mem: newRegion(budget)}
	v.refs.Store(1)
	bits := 0
	if len(def.Attrs) == 1 && !def.Complex() {
		bits = inlineBits(def.Attrs[0].Type)
	}
	if len(def.Attrs) == 0 && !def.Complex() {
		v.inline = true // a key set: no value at all
	}
	if bits > 0 {
		v.inline = true
	}
	var err error
	if v.keys, err = newKeyTable(def, budget, v.inline, bits); err != nil {
		return nil, err
	}
	if !v.inline {
		v.stores = make([]store, len(def.Attrs))
		for i := range def.Attrs {
			v.stores[i] = newStore(def.Attrs[i].Type, v.mem)
		}
	}
	return &Builder{v: v}, nil
}

// Add adds a block whose columns are the definition's, keys first, in its order and of its types.
func (b *Builder) Add(cols []column.Column, rows int) error {
	for from := 0; from < rows; from += column.MaxBlockRows {
		if err := b.add(cols, from, min(from+column.MaxBlockRows, rows)); err != nil {
			return err
		}
	}
	return nil
}

func (b *Builder) add(cols []column.Column, from, to int) error {
	v := b.v
	n := to - from
	keys := len(v.def.Keys)
	b.batch.set(v.def.Complex(), cols[:keys], from, to)
	b.fresh = resize(b.fresh, n)
	b.rows += uint64(n)
	if v.inline {
		b.words = resize(b.words, n)
		if len(v.def.Attrs) > 0 {
			inlineWords(cols[keys], from, to, b.words)
		}
		if err := v.keys.insert(&b.batch, b.words, b.fresh); err != nil {
			return err
		}
		v.rows = v.keys.len()
		return nil
	}
	if err := v.keys.insert(&b.batch, nil, b.fresh); err != nil {
		return err
	}
	kept := column.Count(b.fresh)
	v.rows += uint64(kept)
	for i, s := range v.stores {
		c := column.Full(cols[keys+i])
		if kept == n {
			if err := s.add(c, from, to); err != nil {
				return err
			}
			continue
		}
		if from != 0 || to != c.Len() {
			c = c.Slice(from, to)
		}
		if err := s.add(c.Filter(b.fresh, kept), 0, kept); err != nil {
			return err
		}
	}
	return nil
}

// Rows is the number of rows added, duplicates included.
func (b *Builder) Rows() uint64 { return b.rows }

// Finish packs what is left and returns the version; the caller owns one use of it (Release).
func (b *Builder) Finish() (*Version, error) {
	v := b.v
	for _, s := range v.stores {
		if err := s.seal(); err != nil {
			v.Free()
			return nil, err
		}
	}
	if err := v.keys.seal(); err != nil {
		v.Free()
		return nil, err
	}
	v.mem.seal()
	b.v = nil
	return v, nil
}

// Abort frees a version that will not be finished.
func (b *Builder) Abort() {
	if b.v != nil {
		b.v.Free()
		b.v = nil
	}
}

// Load reads a source to its end into a version. The source's columns must be the definition's, in its order and of its types. Nothing is left
// behind on an error.
func Load(ctx context.Context, def *Definition, src source.Source, progress func(rows uint64)) (*Version, error) {
	b, err := NewBuilder(def)
	if err != nil {
		return nil, err
	}
	if err := readAll(ctx, def, src, b.Add, progress); err != nil {
		b.Abort()
		return nil, err
	}
	return b.Finish()
}

// readAll hands each block of a source to add.
func readAll(ctx context.Context, def *Definition, src source.Source, add func(cols []column.Column, rows int) error, progress func(rows uint64)) error {
	read := uint64(0)
	for {
		block, err := src.Next(ctx)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if len(block.Cols) != len(def.Keys)+len(def.Attrs) {
			return errcode.New(errcode.NumberOfColumnsDoesntMatch, "the source of dictionary %s gives %d columns; want %d", def.FullName(), len(block.Cols), len(def.Keys)+len(def.Attrs))
		}
		if err := add(block.Cols, block.Rows); err != nil {
			return err
		}
		read += uint64(block.Rows)
		source.Recycle(src, block)
		if progress != nil {
			progress(read)
		}
	}
}
