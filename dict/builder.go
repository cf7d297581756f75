package dict

import (
	"math/rand/v2"
	"runtime"
	"sync"

	"dictsvc/column"
	"dictsvc/hashmap"
	"dictsvc/internal/mem"
	"dictsvc/packed"
)

// Builder makes a Version of rows that come in blocks. The first row of a key wins.
//
// Keys that are numbers are kept aside with their row number (or their value) until all rows are there, and the table is then filled at
// once (packed.Builder); attributes are stored as they come. A row whose key was there before leaves a hole among the attributes. Where there are
// many such rows the holes are closed, and from then on keys are looked up as they come.
type Builder struct {
	v       *Version
	staged  *packed.Builder // nil where keys go straight into v.keys
	budget  *mem.Budget
	threads int
	batch   keyBatch
	fresh   []uint8
	words   []uint64
	rows    uint64 // read, duplicates included
	check   uint64 // rows at which duplicates are looked for
}

// firstCheck is the number of rows after which duplicates are looked for first, and then whenever there are twice as many.
const firstCheck = 1 << 19

// NewBuilder starts a version of a definition.
func NewBuilder(def *Definition) (*Builder, error) {
	if err := def.CheckLimits(); err != nil {
		return nil, err
	}
	budget := mem.Process.Child("dictionary "+def.FullName(), 0)
	v := &Version{def: def, mem: newRegion(budget)}
	v.refs.Store(1)
	b := &Builder{v: v, budget: budget, threads: runtime.GOMAXPROCS(0), check: firstCheck}
	if !def.Complex() {
		v.inline = len(def.Attrs) == 0 || len(def.Attrs) == 1 && inlined(def.Attrs[0].Type)
		if v.inline && len(def.Attrs) == 1 && def.Attrs[0].Type.Kind == column.String {
			v.codes = newCodeList()
		}
	}
	if !v.inline {
		v.stores = newStores(def, v.mem)
	}
	var err error
	o := hashmap.Options{MaxLoadFactor: def.Layout.MaxLoadFactor, Budget: budget, Seed: rand.Uint64()} // a seed nobody knows: chosen keys cannot be made to collide
	if def.Complex() {
		width := imageWidth(def)
		var x *hashmap.KeyIndex
		if x, err = hashmap.NewKeyIndex(hashmap.KeyOptions{Options: o, Width: width}); err == nil {
			v.keys = &imageKeys{x: x, width: width}
		}
	} else {
		if o.MaxLoadFactor == 0 && !def.Sparse() {
			o.MaxLoadFactor = hashedLoadFactor
		}
		b.staged, err = packed.NewBuilder(packed.Options{MaxLoadFactor: o.MaxLoadFactor, Budget: budget, Seed: o.Seed}, true, b.threads)
	}
	if err != nil {
		return nil, err
	}
	return b, nil
}

func newStores(def *Definition, m memory) []store {
	stores := make([]store, len(def.Attrs))
	for i := range def.Attrs {
		stores[i] = newStore(def.Attrs[i].Type, m)
	}
	return stores
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
	b.batch.set(v.def.Complex(), cols[:len(v.def.Keys)], from, to)
	if b.staged == nil {
		b.rows += uint64(to - from)
		return b.insert(cols, from, to)
	}
	if v.codes != nil {
		ok, err := b.addCodes(cols[1], from, to)
		if ok || err != nil {
			return err
		}
	}
	tasks := []func() error{b.stage}
	b.words = resize(b.words, to-from)
	switch {
	case !v.inline:
		for i := range b.words {
			b.words[i] = b.rows + uint64(i)
		}
		for i, s := range v.stores {
			c := column.Full(cols[len(v.def.Keys)+i])
			tasks = append(tasks, func() error { return s.add(c, from, to) })
		}
	case len(v.def.Attrs) > 0:
		inlineWords(cols[1], from, to, b.words)
	default:
		clear(b.words)
	}
	b.rows += uint64(to - from)
	if err := b.together(tasks); err != nil {
		return err
	}
	if b.rows < b.check {
		return nil
	}
	b.check = 2 * b.rows
	if b.staged.Distinct() < 0.75 {
		return b.settle()
	}
	return nil
}

// stage keeps the batch's keys with their words.
func (b *Builder) stage() error { return b.staged.Add(b.batch.words, b.words) }

// together runs tasks on as many goroutines as there are threads and returns the first error.
func (b *Builder) together(tasks []func() error) error {
	if b.threads == 1 || len(tasks) == 1 {
		for _, t := range tasks {
			if err := t(); err != nil {
				return err
			}
		}
		return nil
	}
	errs := make([]error, len(tasks))
	var wait sync.WaitGroup
	for i, t := range tasks {
		wait.Go(func() { errs[i] = t() })
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// insert looks a block's keys up and keeps the rows whose key is new.
func (b *Builder) insert(cols []column.Column, from, to int) error {
	v, n := b.v, to-from
	b.fresh = resize(b.fresh, n)
	if v.inline {
		if v.codes == nil && len(v.def.Attrs) > 0 {
			b.words = resize(b.words, n)
			inlineWords(cols[1], from, to, b.words)
		} else {
			b.words = b.words[:0]
		}
		return v.keys.insert(&b.batch, b.words, b.fresh)
	}
	if err := v.keys.insert(&b.batch, nil, b.fresh); err != nil {
		return err
	}
	kept := column.Count(b.fresh)
	tasks := make([]func() error, len(v.stores))
	for i, s := range v.stores {
		tasks[i] = func() error {
			c := column.Full(cols[len(v.def.Keys)+i])
			if kept == n {
				return s.add(c, from, to)
			}
			if from != 0 || to != c.Len() {
				c = c.Slice(from, to)
			}
			return s.add(c.Filter(b.fresh, kept), 0, kept)
		}
	}
	return b.together(tasks)
}

// settle makes the table of the keys kept aside.
func (b *Builder) settle() error {
	v := b.v
	if v.codes != nil { // codes of strings are given before it is known whether a row's key is new
		if err := b.uncode(); err != nil {
			return err
		}
	}
	t, err := b.staged.Finish()
	b.staged = nil
	if err != nil {
		return err
	}
	v.keys = &packedKeys{t: t, rows: !v.inline}
	return b.close(0)
}

// close closes the holes that duplicates left among the attributes, if they are more than a share of the rows.
func (b *Builder) close(share float64) error {
	v := b.v
	holes := b.rows - v.keys.len()
	if v.inline || holes == 0 {
		return nil
	}
	if float64(holes) <= share*float64(b.rows) {
		v.holes = true
		return nil
	}
	return v.compact(b.rows)
}

// Rows is the number of rows added, duplicates included.
func (b *Builder) Rows() uint64 { return b.rows }

// Finish packs what is left and returns the version; the caller owns one use of it (Release).
func (b *Builder) Finish() (*Version, error) {
	v := b.v
	if err := b.finish(); err != nil {
		b.Abort()
		return nil, err
	}
	v.rows = v.keys.len()
	v.numbers = v.rows
	if v.holes {
		v.numbers = b.rows
	}
	v.mem.seal()
	b.v = nil
	return v, nil
}

// holesAllowed is the share of rows that may be holes: to close them, attributes are held twice for a while.
const holesAllowed = 1.0 / 16

func (b *Builder) finish() error {
	v := b.v
	if b.staged != nil {
		t, err := b.staged.Finish()
		b.staged = nil
		if err != nil {
			return err
		}
		v.keys = &packedKeys{t: t, rows: !v.inline}
		if v.codes != nil {
			v.codes.seal()
		}
		if err := b.close(holesAllowed); err != nil {
			return err
		}
	}
	for _, s := range v.stores {
		if err := s.seal(); err != nil {
			return err
		}
	}
	return v.keys.seal()
}

// Abort frees a version that will not be finished.
func (b *Builder) Abort() {
	b.staged.Free()
	b.staged = nil
	if b.v != nil {
		b.v.Free()
		b.v = nil
	}
}
