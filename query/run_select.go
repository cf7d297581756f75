package query

import (
	"math"

	"dictsvc/column"
	"dictsvc/errcode"
	"dictsvc/sql"
)

// runPlan runs a plan that is part of a statement and hands its batches to each until that says to stop. cols are the columns wanted, nil: all.
func (q *run) runPlan(p relation, cols []int, each func(*batch) (more bool, err error)) error {
	if cols == nil {
		cols = make([]int, len(p.columns()))
		for i := range cols {
			cols[i] = i
		}
	}
	ex := q.newExec()
	defer ex.close()
	return ex.run(p, cols, each)
}

// run opens a plan as one stream and pulls it to its end.
func (ex *exec) run(p relation, cols []int, each func(*batch) (more bool, err error)) error {
	streams, err := p.open(ex, readRequest{cols: cols, ordered: true, limit: -1, streams: ex.q.threads})
	if err != nil {
		return err
	}
	s := streams[0]
	if len(streams) > 1 {
		s = gatherStreams(ex, streams, true)
	}
	for {
		b, err := s.next()
		if err != nil {
			return err
		}
		if b == nil {
			return ex.q.check()
		}
		if err := ex.q.tick(); err != nil {
			return err
		}
		more, err := each(b)
		if err != nil || !more {
			return err
		}
	}
}

// selectStatement runs a query and sends its result.
func (q *run) selectStatement(sq *sql.SelectQuery) error {
	bind := func() (relation, error) { return q.bindQuery(sq, nil) }
	if q.req.Stage != StageComplete {
		bind = func() (relation, error) { return q.shardQuery(sq) }
	}
	p, err := bind()
	if err != nil {
		return err
	}
	return q.send(p, &sq.Output)
}

// send runs a plan and hands its result to the sink.
func (q *run) send(p relation, out *sql.Output) error {
	info := p.columns()
	names, types, cols := make([]string, len(info)), make([]*column.Type, len(info)), make([]int, len(info))
	for i, c := range info {
		names[i], types[i], cols[i] = c.Name, c.Type, i
		if c.Type.Kind == column.Lambda {
			return errcode.New(errcode.UnsupportedMethod, "A function is no value of a result")
		}
	}
	ex := q.newExec()
	defer ex.close()
	ex.outer = p
	r := result{q: q, names: names, maxRows: q.settings.number("max_result_rows", 0), maxBytes: q.settings.number("max_result_bytes", 0),
		breaks: q.settings.text("result_overflow_mode", "throw") == "break"}
	if q.settings.flag("extremes", false) {
		r.extremes = newExtremes(types)
	}
	var totals *batch
	ex.totals = func(plan *selectPlan, row *batch) {
		if relation(plan) == p {
			totals = row
		}
	}
	if err := q.sink.Header(Header{Block: column.Empty(names, types), Format: out.Format, Outfile: out.IntoOutfile}); err != nil {
		return err
	}
	if err := ex.run(q.limitResult(p), cols, r.add); err != nil && !(q.breaks && errcode.Of(err) == errcode.TimeoutExceeded) {
		return err
	}
	if totals != nil {
		if err := q.sink.Totals(&column.Block{Names: names, Cols: totals.cols, Rows: 1}); err != nil {
			return err
		}
	}
	if r.extremes != nil {
		if err := q.sink.Extremes(r.extremes.block(names)); err != nil {
			return err
		}
	}
	if err := q.sendProgress(); err != nil {
		return err
	}
	r.profile.RowsBeforeLimit = max(q.rowsBeforeLimit.Load(), r.profile.Rows)
	r.profile.AppliedLimit, r.profile.CalculatedBefore = q.limited.Load(), true
	return q.sink.Profile(r.profile)
}

// limitResult is a plan with the settings limit and offset applied to its result.
func (q *run) limitResult(p relation) relation {
	limit, offset := q.settings.number("limit", 0), q.settings.number("offset", 0)
	if limit == 0 && offset == 0 {
		return p
	}
	return &limitedPlan{relation: p, limit: limit, offset: offset}
}

// limitedPlan is the first rows of a plan.
type limitedPlan struct {
	relation
	limit, offset uint64
}

// open implements relation.
func (p *limitedPlan) open(ex *exec, r readRequest) ([]stream, error) {
	r.transient = false
	streams, err := p.relation.open(ex, r)
	if err != nil {
		return nil, err
	}
	in := streams[0]
	if len(streams) > 1 {
		in = gatherStreams(ex, streams, true)
	}
	left := int64(math.MaxInt64)
	if p.limit > 0 {
		left = int64(min(p.limit, math.MaxInt64))
	}
	return []stream{&limitStream{in: in, skip: int64(min(p.offset, math.MaxInt64)), left: left, q: ex.q}}, nil
}

// result counts and sends the blocks of a result.
type result struct {
	q                 *run
	names             []string
	maxRows, maxBytes uint64
	breaks            bool
	profile           Profile
	extremes          *extremes
}

func (r *result) add(b *batch) (bool, error) {
	if b.rows == 0 {
		return true, nil
	}
	r.profile.Rows += uint64(b.rows)
	r.profile.Blocks++
	r.profile.Bytes += uint64(b.bytes())
	over := false
	if r.maxRows > 0 && r.profile.Rows > r.maxRows {
		if !r.breaks {
			return false, errcode.New(errcode.TooManyRowsOrBytes, "Limit for result exceeded, max rows: %d, current rows: %d", r.maxRows, r.profile.Rows)
		}
		over = true
	}
	if r.maxBytes > 0 && r.profile.Bytes > r.maxBytes {
		if !r.breaks {
			return false, errcode.New(errcode.TooManyRowsOrBytes, "Limit for result exceeded, max bytes: %s, current bytes: %s", sizeText(int64(r.maxBytes)), sizeText(int64(r.profile.Bytes)))
		}
		over = true
	}
	if r.extremes != nil {
		r.extremes.add(b)
	}
	bytes := 0
	for _, c := range b.cols {
		bytes += column.SizeOf(c)
	}
	rows := max(1, b.rows/(bytes/resultBytes+1))
	for from := 0; from < b.rows; from += rows {
		part := b
		if rows < b.rows {
			if err := r.q.tick(); err != nil {
				return false, err
			}
			part = b.slice(from, min(b.rows, from+rows))
		}
		if err := r.q.sink.Block(&column.Block{Names: r.names, Cols: part.cols, Rows: part.rows}); err != nil {
			return false, err
		}
	}
	return !over, nil
}

// resultBytes is the most that a block of the result has, unless one row has more: constants are expanded for whoever reads them.
const resultBytes = 32 << 20

// extremes are the least and greatest values of each column, for the setting of that name.
type extremes struct {
	types    []*column.Type
	min, max []column.Column
}

func newExtremes(types []*column.Type) *extremes {
	return &extremes{types: types, min: make([]column.Column, len(types)), max: make([]column.Column, len(types))}
}

func (x *extremes) add(b *batch) {
	for i, c := range b.cols {
		c = column.Full(c)
		if k := x.types[i].Base().Kind; k == column.Array || k == column.Tuple || k == column.Map {
			continue
		}
		lo, hi := -1, -1
		nulls, _ := c.(*column.Null)
		for r := range b.rows {
			if nulls != nil && nulls.Nulls[r] != 0 {
				continue
			}
			if lo < 0 || c.Compare(r, c, lo, 1) < 0 {
				lo = r
			}
			if hi < 0 || c.Compare(r, c, hi, -1) > 0 {
				hi = r
			}
		}
		if lo < 0 {
			continue
		}
		if x.min[i] == nil || column.Compare(c, lo, x.min[i], 0, 1) < 0 {
			x.min[i] = column.Full(c.Slice(lo, lo+1))
		}
		if x.max[i] == nil || column.Compare(c, hi, x.max[i], 0, -1) > 0 {
			x.max[i] = column.Full(c.Slice(hi, hi+1))
		}
	}
}

// block is the two rows, least values first.
func (x *extremes) block(names []string) *column.Block {
	b := &column.Block{Names: names, Rows: 2}
	for i, t := range x.types {
		c := column.New(t, 2)
		for _, v := range []column.Column{x.min[i], x.max[i]} {
			if v == nil {
				c.AppendDefault(1)
			} else {
				c.AppendRange(v, 0, 1)
			}
		}
		b.Cols = append(b.Cols, c)
	}
	return b
}
