package dict

import (
	"math/rand/v2"
	"runtime"
	"sync"

	"dictsvc/column"
	"dictsvc/internal/mem"
	"dictsvc/packed"
)

// Builder makes a Version of rows that come in blocks. The first row of a key wins.
//
// Keys are kept aside with their row number (or their value) until all rows are there, and the table is then filled at once
// (packed.Builder); attributes are stored as they come. A row whose key was there before leaves a hole among the attributes. Where
// there are many such rows the holes are closed from time to time, so that no more than two rows are held for each key, or half a million.
type Builder struct {
	v       *Version
	staged  *packed.Builder
	images  *keyImages // of keys whose words are hashes, else nil
	budget  *mem.Budget
	seed    uint64
	load    float64
	threads int
	stop    func() error // ends long work with its error; nil: nothing does
	batch   keyBatch
	words   []uint64
	next    uint64 // number of the next row
	read    uint64 // rows, duplicates included
	check   uint64 // row number at which duplicates are looked for
}

const (
	// firstCheck is the number of rows after which duplicates are looked for first, and then whenever there are twice as many.
	firstCheck = 1 << 19
	// holesAllowed is the share of rows that may be holes in the end: to close them, attributes are held twice for a while.
	holesAllowed = 1.0 / 16
)

// NewBuilder starts a version of a definition, whose SHARDS say how many processors work on it; without them all do.
func NewBuilder(def *Definition) (*Builder, error) { return newBuilder(def, 0) }

// newBuilder is NewBuilder with a number of threads that goes before SHARDS, if it is not 0.
func newBuilder(def *Definition, threads int) (*Builder, error) {
	if threads == 0 {
		threads = def.Layout.Shards
	}
	if most := runtime.GOMAXPROCS(0); threads <= 0 || threads > most {
		threads = most // more only read the same rows more often
	}
	if err := def.CheckLimits(); err != nil {
		return nil, err
	}
	budget := mem.Process.Child("dictionary "+def.FullName(), 0)
	v := &Version{def: def, mem: newRegion(budget)}
	v.refs.Store(1)
	b := &Builder{v: v, budget: budget, threads: threads, check: firstCheck, load: def.Layout.MaxLoadFactor,
		seed: rand.Uint64()} // a seed nobody knows: chosen keys cannot be made to collide
	if b.load == 0 && !def.Sparse() {
		b.load = hashedLoadFactor
	}
	if def.hashed() {
		b.images = newKeyImages(v.mem, imageWidth(def))
	} else {
		v.inline = len(def.Attrs) == 0 || len(def.Attrs) == 1 && inlined(def.Attrs[0].Type)
	}
	if !v.inline {
		v.stores = newStores(def, v.mem)
	} else if len(def.Attrs) == 1 && def.Attrs[0].Type.Kind == column.String {
		v.codes = newCodeList()
	}
	return b, b.restage()
}

func newStores(def *Definition, m memory) []store {
	stores := make([]store, len(def.Attrs))
	for i := range def.Attrs {
		stores[i] = newStore(def.Attrs[i].Type, m)
	}
	return stores
}

// restage begins to keep keys.
func (b *Builder) restage() error {
	o := packed.Options{MaxLoadFactor: b.load, Budget: b.budget, Seed: b.seed, Interrupt: func() error {
		if b.stop == nil {
			return nil
		}
		return b.stop()
	}}
	if b.v.inline && b.v.codes == nil && len(b.v.def.Attrs) > 0 {
		o.ValueBits = wordBits(b.v.def.Attrs[0].Type)
	}
	if b.images != nil {
		o.Same = b.images.same
	}
	var err error
	b.staged, err = packed.NewBuilder(o, true, b.threads)
	return err
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
	keys := len(v.def.Keys)
	b.batch.set(v.def, cols[:keys], from, to)
	b.read += uint64(to - from)
	if v.codes != nil {
		ok, err := b.addCodes(cols[keys], from, to)
		if ok || err != nil {
			return err
		}
	}
	tasks := []func() error{b.stage}
	b.words = resize(b.words, to-from)
	switch {
	case !v.inline:
		for i := range b.words {
			b.words[i] = b.next + uint64(i)
		}
		for i, s := range v.stores {
			c := column.Full(cols[keys+i])
			tasks = append(tasks, func() error { return s.add(c, from, to) })
		}
		if b.images != nil {
			tasks = append(tasks, func() error { return b.images.addBatch(&b.batch) })
		}
	case len(v.def.Attrs) > 0:
		inlineWords(cols[keys], from, to, b.words)
	default:
		clear(b.words)
	}
	b.next += uint64(to - from)
	if err := b.together(tasks); err != nil {
		return err
	}
	if b.next < b.check {
		return nil
	}
	if b.staged.Distinct() < 0.75 {
		if err := b.settle(); err != nil {
			return err
		}
	}
	b.check = max(firstCheck, 2*b.next)
	return nil
}

// stage keeps the batch's keys with their words.
func (b *Builder) stage() error { return b.staged.Add(b.batch.words[:b.batch.n], b.words) }

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

// settle drops the rows whose key an earlier row has, and goes on with the others.
func (b *Builder) settle() error {
	if err := b.fill(0); err != nil {
		return err
	}
	k := b.v.keys
	b.v.keys = nil
	defer k.free()
	if err := b.restage(); err != nil {
		return err
	}
	b.images = k.images
	b.next = k.len()
	next := k.rowsWithWords()
	words, rows := make([]uint64, column.MaxBlockRows), make([]uint64, column.MaxBlockRows)
	for n := next(words, rows); n > 0; n = next(words, rows) {
		if err := b.staged.Add(words[:n], rows[:n]); err != nil {
			return err
		}
	}
	return nil
}

// fill makes the key table of what is kept, and closes the holes among the attributes if they are more than a share of the rows.
func (b *Builder) fill(holes float64) error {
	v := b.v
	if b.images != nil { // keys are compared now
		if err := b.images.seal(); err != nil {
			return err
		}
	}
	staged := b.staged
	b.staged = nil
	t, err := staged.Finish()
	if err != nil {
		return err
	}
	v.keys = &keyTable{t: t, images: b.images}
	v.keys.setTwins(staged.Twins())
	v.numbers = b.next
	if v.inline || v.keys.len() == b.next {
		return nil
	}
	v.keys.holes = true
	if float64(b.next-v.keys.len()) <= holes*float64(b.next) {
		return nil
	}
	if err := v.compact(b.next); err != nil {
		return err
	}
	v.keys.holes = false
	v.numbers = v.keys.len()
	return t.Compact()
}

// Rows is the number of rows added, duplicates included.
func (b *Builder) Rows() uint64 { return b.read }

// Finish packs what is left and returns the version; the caller owns one use of it (Release).
func (b *Builder) Finish() (*Version, error) {
	v := b.v
	err := b.fill(holesAllowed)
	if err == nil {
		err = v.sealStores()
	}
	if err != nil {
		b.Abort()
		return nil, err
	}
	if v.codes != nil {
		v.codes.seal()
	}
	v.rows = v.keys.len()
	v.mem.seal()
	b.v = nil
	return v, nil
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
