package agg

import (
	"dictsvc/column"
)

// exactSet is a set of keys that is divided into partitions by hash once it is large: new keys are then kept in the order of their partitions until there are
// many, and a partition meets its keys while it lies in the processor's cache. Sets of the same kind are united partition by partition.
type exactSet struct {
	like  Grouper
	one   Grouper       // all keys, until they are divided
	parts []Grouper     // Partitions of them, or none
	kept  []*exactBlock // keys that are not in parts yet
	spare []*exactBlock // blocks whose memory is free
	rows  int           // in kept
	img   *Image        // of the block at hand
	order []uint32
	ids   [batchRows]uint32 // nobody wants them
	check func() error      // whether to go on; nil: always
}

type exactBlock struct {
	keys *Image
	ends [Partitions]uint32
}

const (
	divideSet = 1 << 16 // keys from which on a set is divided
	keepWords = 4 << 20 // words of keys that are kept
)

func newExactSet(like Grouper) *exactSet {
	return &exactSet{like: like, one: like.Empty(nil), img: NewImage(nil)}
}

// add adds rows of key columns.
func (s *exactSet) add(keys []column.Column, rows int) error {
	s.like.Pack(keys, rows, s.img)
	return s.addImage(s.img)
}

func (s *exactSet) addImage(img *Image) error {
	if s.parts == nil {
		s.put(s.one, img, 0, img.Rows)
		if s.one.Len() >= divideSet {
			s.divide()
		}
		return s.goOn()
	}
	s.keep(img)
	if s.rows*img.width >= keepWords {
		return s.flush()
	}
	return nil
}

// goOn is the error of a query that has ended.
func (s *exactSet) goOn() error {
	if s.check == nil {
		return nil
	}
	return s.check()
}

// put adds rows [from, to) of an image to a table.
func (s *exactSet) put(t Grouper, img *Image, from, to int) {
	for ; from < to; from += batchRows {
		t.GroupsOf(img, from, min(from+batchRows, to), s.ids[:])
	}
}

// divide makes the partitions and moves the keys to them.
func (s *exactSet) divide() {
	if s.parts != nil {
		return
	}
	s.parts = make([]Grouper, Partitions)
	for p := range s.parts {
		s.parts[p] = s.like.Part(nil)
	}
	stored := NewImage(nil)
	for at := 0; at < s.one.Len(); at += column.MaxBlockRows {
		s.one.Stored(at, min(at+column.MaxBlockRows, s.one.Len()), stored)
		s.keep(stored)
	}
	s.one.Free()
	s.one = nil
}

// keep puts the rows of an image with those that are kept.
func (s *exactSet) keep(img *Image) {
	var b *exactBlock
	if n := len(s.spare); n > 0 {
		b, s.spare = s.spare[n-1], s.spare[:n-1]
	} else {
		b = &exactBlock{keys: NewImage(nil)}
	}
	s.order = grow(s.order, img.Rows)
	img.Scatter(b.keys, s.order, &b.ends)
	s.kept = append(s.kept, b)
	s.rows += img.Rows
}

// flush adds the keys that are kept to their partitions.
func (s *exactSet) flush() error {
	for p := range s.parts {
		if p%flushStep == 0 {
			if err := s.goOn(); err != nil {
				return err
			}
		}
		s.flushPart(p, &s.ids)
	}
	s.flushed()
	return nil
}

// flushStep is how many partitions are filled between two looks at whether to go on: some milliseconds of work.
const flushStep = 8

// flushPart adds those of one partition; flushed follows when this has been done for all. Several goroutines may do it for different ones.
func (s *exactSet) flushPart(p int, ids *[batchRows]uint32) {
	for _, b := range s.kept {
		from, to := 0, int(b.ends[p])
		if p > 0 {
			from = int(b.ends[p-1])
		}
		for ; from < to; from += batchRows {
			s.parts[p].GroupsOf(b.keys, from, min(from+batchRows, to), ids[:])
		}
	}
}

func (s *exactSet) flushed() {
	s.spare = append(s.spare, s.kept...)
	s.kept, s.rows = s.kept[:0], 0
}

// tables are the tables that hold the keys: all of them, but where the query has ended meanwhile, which then finds out for itself.
func (s *exactSet) tables() []Grouper {
	if s.parts == nil {
		return []Grouper{s.one}
	}
	if len(s.kept) > 0 {
		_ = s.flush()
	}
	return s.parts
}

func (s *exactSet) len() int {
	n := 0
	for _, t := range s.tables() {
		n += t.Len()
	}
	return n
}

// images gives all keys, block by block, until f says no more.
func (s *exactSet) images(f func(*Image) error) error {
	img := NewImage(nil)
	for _, t := range s.tables() {
		for at := 0; at < t.Len(); at += column.MaxBlockRows {
			t.Stored(at, min(at+column.MaxBlockRows, t.Len()), img)
			if err := f(img); err != nil {
				return err
			}
			if err := s.goOn(); err != nil {
				return err
			}
		}
	}
	return nil
}

// small tells that a set is united faster by one processor.
func (s *exactSet) small() bool { return s.parts == nil && s.one.Len() < smallSet }

// smallSet is the number of keys below which sets are united by one processor.
const smallSet = 6000

// settle adds the keys that are kept.
func (s *exactSet) settle(run parallel) error {
	err := run(Partitions, func(p int) error {
		var ids [batchRows]uint32
		s.flushPart(p, &ids)
		return nil
	})
	s.flushed()
	return err
}

// parallel runs f for all parts below n, side by side.
type parallel = func(n int, f func(part int) error) error

// unite adds the keys of another set, each partition on its own. change makes other images of the keys on their way; nil leaves them as they are.
func (s *exactSet) unite(o *exactSet, change func(from, to *Image), run parallel) error {
	s.divide()
	o.divide()
	var moved [][]*exactBlock // by partition of o
	if change != nil {
		moved = make([][]*exactBlock, Partitions)
		if err := run(Partitions, func(p int) error {
			var ids [batchRows]uint32
			o.flushPart(p, &ids)
			stored, changed := NewImage(nil), NewImage(nil)
			var order []uint32
			for at, n := 0, o.parts[p].Len(); at < n; at += column.MaxBlockRows {
				o.parts[p].Stored(at, min(at+column.MaxBlockRows, n), stored)
				change(stored, changed)
				b := &exactBlock{keys: NewImage(nil)}
				order = grow(order, changed.Rows)
				changed.Scatter(b.keys, order, &b.ends)
				moved[p] = append(moved[p], b)
			}
			return nil
		}); err != nil {
			return err
		}
		for _, list := range moved {
			s.kept = append(s.kept, list...)
		}
	}
	err := run(Partitions, func(p int) error {
		var ids [batchRows]uint32
		s.flushPart(p, &ids)
		if change != nil {
			return nil
		}
		o.flushPart(p, &ids)
		if o.parts[p].Len() > s.parts[p].Len() { // the smaller into the larger
			s.parts[p], o.parts[p] = o.parts[p], s.parts[p]
		}
		img := NewImage(nil)
		for at, n := 0, o.parts[p].Len(); at < n; at += batchRows {
			k := min(batchRows, n-at)
			o.parts[p].Stored(at, at+k, img)
			s.parts[p].GroupsOf(img, 0, k, ids[:])
		}
		return nil
	})
	s.flushed()
	o.flushed()
	return err
}

func (s *exactSet) bytes() int {
	n := s.img.Bytes() + 4*cap(s.order)
	if s.one != nil {
		n += s.one.Bytes()
	}
	for _, t := range s.parts {
		n += t.Bytes()
	}
	for _, b := range s.kept {
		n += b.keys.Bytes()
	}
	for _, b := range s.spare {
		n += b.keys.Bytes()
	}
	return n
}
