package dict

import (
	"context"

	"dictsvc/column"
	"dictsvc/errcode"
	"dictsvc/internal/mem"
	"dictsvc/source"
)

// deltaLimits say when a reload builds an overlay and not a version of its own.
type deltaLimits struct {
	// least is the smallest base, in rows. A smaller one takes less memory a second time than the blocks that its source is read in.
	least uint64
	// share: the rows of the overlay and the keys gone are at most a share-th of the base's rows. A packed table of a few megabytes takes three times its
	// size while it doubles, so with a tenth any reload that makes an overlay holds at most 1.3 times one version, and look-ups ask a small table.
	share uint64
}

func defaultLimits() deltaLimits { return deltaLimits{least: chunkRows, share: 10} }

// Reload is Load where a version is live: rows that are the same there take no memory again. The new version shares the live one's tables if
// few rows are different, and is the live one itself if none is. The caller holds a use of live.
func Reload(ctx context.Context, def *Definition, live *Version, src source.Source) (*Version, error) {
	return reload(ctx, def, live, src, defaultLimits())
}

func reload(ctx context.Context, def *Definition, live *Version, src source.Source, limits deltaLimits) (*Version, error) {
	base := live.tables()
	if base.rows < limits.least || !sameTables(def, base.def) {
		return Load(ctx, def, src, LoadOptions{})
	}
	d, err := newDelta(ctx, def, base, base.rows/limits.share)
	if err != nil {
		return nil, err
	}
	defer d.free()
	if err := readAll(ctx, def, src, d.add, nil); err != nil {
		return nil, err
	}
	return d.finish()
}

// sameTables tells whether two definitions lead to the same tables.
func sameTables(a, b *Definition) bool {
	if a.Layout.Name != b.Layout.Name || a.Layout.MaxLoadFactor != b.Layout.MaxLoadFactor || len(a.Keys) != len(b.Keys) || len(a.Attrs) != len(b.Attrs) {
		return false
	}
	for i, c := range a.Columns() {
		if !c.Type.Equal(b.Columns()[i].Type) {
			return false
		}
	}
	return true
}

// delta collects what a source has different from a base. Each key of the base is marked when it comes first, which settles its row; later
// rows of it are passed over, as a Builder does. Rows that differ go to a Builder, and so do rows of keys that the base has not, among which
// the Builder keeps the first.
//
// Rows are always compared with the base, never with an older overlay over it: so overlays do not pile up, and a row that goes back
// to what the base has leaves the overlay.
type delta struct {
	ctx    context.Context
	def    *Definition
	budget *mem.Budget
	base   *Version
	limit  uint64             // rows of the overlay and keys gone
	seen   *mem.Slice[uint64] // a bit a place of the base: its key has come
	came   uint64             // bits set
	over   uint64             // keys of the base that came with other values
	rows   *Builder           // of the overlay; nil until there is a row
	full   *Builder           // of a version of its own, once the limit is passed; the fields before are not used any more
	piece  comparison
	places []uint64
	keep   []uint8
}

// pieceRows is how many rows are compared at a time: what is gathered of the base stays in the cache.
const pieceRows = 8192

func newDelta(ctx context.Context, def *Definition, base *Version, limit uint64) (*delta, error) {
	d := &delta{ctx: ctx, def: def, budget: mem.Process.Child("dictionary "+def.FullName(), 0), base: base, limit: limit}
	var err error
	d.seen, err = mem.NewSlice[uint64](d.budget, int((base.places()+63)/64))
	return d, err
}

// free gives back all that is not part of a version.
func (d *delta) free() {
	d.seen.Free()
	if d.rows != nil {
		d.rows.Abort()
	}
	if d.full != nil {
		d.full.Abort()
	}
}

// add adds a block, as Builder.Add does.
func (d *delta) add(cols []column.Column, rows int) error {
	plain := make([]column.Column, len(cols))
	for i, c := range cols {
		plain[i] = column.Plain(c)
	}
	for from := 0; from < rows; from += pieceRows {
		if d.full != nil {
			return d.full.Add(slices(plain, from, rows), rows-from)
		}
		if err := d.addPiece(slices(plain, from, min(from+pieceRows, rows)), min(pieceRows, rows-from)); err != nil {
			return err
		}
	}
	return nil
}

func slices(cols []column.Column, from, to int) []column.Column {
	list := make([]column.Column, len(cols))
	for i, c := range cols {
		list[i] = c.Slice(from, to)
	}
	return list
}

func (d *delta) addPiece(cols []column.Column, n int) error {
	p := &d.piece
	d.places, d.keep = resize(d.places, n), resize(d.keep, n)
	p.compare(d.base, cols, n, d.places)
	seen := d.seen.Data()
	kept := 0
	for i := range n {
		keep := p.found[i] == 0
		if !keep {
			word, bit := &seen[d.places[i]>>6], uint64(1)<<(d.places[i]&63)
			if *word&bit == 0 {
				*word |= bit
				d.came++
				keep = p.differ[i] != 0
				d.over += uint64(p.differ[i])
			}
		}
		d.keep[i] = 0
		if keep {
			d.keep[i] = 1
			kept++
		}
	}
	if kept == 0 {
		return nil
	}
	if d.rows == nil {
		var err error
		if d.rows, err = NewBuilder(d.def); err != nil {
			return err
		}
	}
	for i, c := range cols {
		cols[i] = c.Filter(d.keep, kept)
	}
	if err := d.rows.Add(cols, kept); err != nil {
		return err
	}
	if d.rows.Rows() <= d.limit {
		return nil
	}
	rows, err := d.finishRows()
	if err == nil {
		err = d.convert(rows)
	}
	return err
}

// finishRows gives the rows of the overlay; nil where there are none.
func (d *delta) finishRows() (*Version, error) {
	if d.rows == nil {
		return nil, nil
	}
	b := d.rows
	d.rows = nil
	return b.Finish() // which frees what it has where it fails
}

// convert goes over to a version of its own, of the overlay's rows, which it takes, and of the base's rows that have come. The former go first,
// so that they win over the base's rows of the same keys.
func (d *delta) convert(rows *Version) error {
	full, err := NewBuilder(d.def)
	if err != nil {
		rows.Release()
		return err
	}
	d.full = full
	full.stop = d.check
	if rows != nil {
		err = d.pour(rows)
		rows.Release()
	}
	if err == nil && d.came > 0 {
		err = d.eachBase(1, len(d.def.Attrs), full.Add)
	}
	d.seen.Free()
	return err
}

// pour adds the rows of the overlay to the full version.
func (d *delta) pour(rows *Version) error {
	all := make([]int, len(d.def.Keys)+len(d.def.Attrs))
	for i := range all {
		all[i] = i
	}
	s := rows.Scan(all, 1)[0]
	for {
		if err := d.check(); err != nil {
			return err
		}
		cols, n := s.Next()
		if n == 0 {
			return nil
		}
		if err := d.full.Add(cols, n); err != nil {
			return err
		}
	}
}

// eachBase calls f with blocks of the base's rows whose bit in seen is the given one: their keys and so many attributes.
func (d *delta) eachBase(bit uint8, attrs int, f func(cols []column.Column, rows int) error) error {
	next := d.base.placeScanner()
	rows, places, found := make([]uint64, pieceRows), make([]uint64, pieceRows), make([]uint8, pieceRows)
	seen := d.seen.Data()
	cols := make([]column.Column, len(d.def.Keys)+attrs)
	keys, values := cols[:len(d.def.Keys)], cols[len(d.def.Keys):]
	for {
		if err := d.check(); err != nil {
			return err
		}
		for i := range keys {
			keys[i] = column.New(d.def.Keys[i].Type, 0)
		}
		n := next(keys, rows, places)
		if n == 0 {
			return nil
		}
		kept := 0
		for i, p := range places[:n] {
			found[i] = 0
			if uint8(seen[p>>6]>>(p&63))&1 == bit {
				found[i] = 1
				rows[kept] = rows[i]
				kept++
			}
		}
		if kept == 0 {
			continue
		}
		for i, k := range keys {
			keys[i] = k.Filter(found[:n], kept)
		}
		for i := range found[:kept] {
			found[i] = 1
		}
		for i := range values {
			values[i] = column.New(d.def.Attrs[i].Type, kept)
			d.base.gather(i, values[i], rows[:kept], found[:kept], d.def.Attrs[i].Default)
		}
		if err := f(cols, kept); err != nil {
			return err
		}
	}
}

func (d *delta) check() error {
	if d.ctx.Err() != nil {
		return errcode.New(errcode.QueryWasCancelled, "reload dictionary %s: %w", d.def.FullName(), context.Cause(d.ctx))
	}
	return nil
}

// finish gives the new version; the caller owns one use of it.
func (d *delta) finish() (*Version, error) {
	if d.full != nil {
		return d.finishFull()
	}
	rows, err := d.finishRows()
	if err != nil {
		return nil, err
	}
	lost := d.base.rows - d.came
	size := lost
	if rows != nil {
		size += rows.rows
	}
	if size > d.limit {
		if err := d.convert(rows); err != nil {
			return nil, err
		}
		return d.finishFull()
	}
	var gone *Version
	if lost > 0 {
		if gone, err = d.keysGone(); err != nil {
			rows.Release()
			return nil, err
		}
	}
	over, err := newOverlay(d.budget, rows, gone)
	if err != nil {
		return nil, err
	}
	d.base.refs.Add(1)
	return overlaid(d.def, d.base, over, d.over), nil
}

func (d *delta) finishFull() (*Version, error) {
	b := d.full
	d.full = nil
	return b.Finish()
}

// keysGone makes the set of the base's keys that have not come.
func (d *delta) keysGone() (*Version, error) {
	def := *d.def
	def.Attrs = nil
	b, err := NewBuilder(&def)
	if err != nil {
		return nil, err
	}
	if err := d.eachBase(0, 0, b.Add); err != nil {
		b.Abort()
		return nil, err
	}
	return b.Finish()
}
