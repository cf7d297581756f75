package query

import (
	"slices"
	"sync/atomic"

	"dictsvc/column"
)

// groupingSetsStep is the kind of GROUPING SETS; those of ROLLUP and CUBE have their names.
const groupingSetsStep = "Aggregating"

// groupingSets are the sets of keys by which rows are grouped, each by itself. Rows are repeated for each set, with the keys that are not in it left
// out and the set's number as one more key, so that one GROUP BY groups by all of them.
type groupingSets struct {
	kind        string  // the step's name
	keys        []*expr // over the rows of the source
	by          []*expr // what is grouped by: a column for each key, and the number
	out         []*expr // the keys as the clauses behind GROUP BY see them, and the number
	number      *expr   // of the set, from 0
	sets        [][]int // places in keys
	fromNothing bool    // sets without keys have a group even of no rows
}

// keyInputs are the keys over the rows of the source.
func (p *selectPlan) keyInputs() []*expr {
	if p.rollup != nil {
		return p.rollup.keys
	}
	return p.keys
}

// keyOutputs are the keys as the clauses behind GROUP BY see them.
func (p *selectPlan) keyOutputs() []*expr {
	if p.rollup != nil {
		return p.rollup.out
	}
	return p.keys
}

// aggregateSets is aggregate with ROLLUP, CUBE and GROUPING SETS.
func (p *selectPlan) aggregateSets(c *chain, outs []*expr) error {
	if p.rollup == nil {
		return p.aggregate(c, outs)
	}
	rows, err := p.expandSets(c)
	if err != nil {
		return err
	}
	if err := p.aggregate(c, outs); err != nil {
		return err
	}
	return p.groupsOfNothing(c, rows)
}

// expandSets repeats the chain's rows for each grouping set.
func (p *selectPlan) expandSets(c *chain) (rows *atomic.Int64, err error) {
	s := p.rollup
	var args []*expr
	for _, a := range p.aggs {
		args = appendUnique(args, a.args...)
	}
	if err := c.project(append(slices.Clone(s.keys), args...)); err != nil {
		return nil, err
	}
	rows = new(atomic.Int64)
	c.each(func(in stream) stream { return &expandStream{in: in, sets: s, rows: rows} })
	c.at = newLayout(append(slices.Clone(s.by), args...))
	return rows, nil
}

// expandStream gives each batch once for each grouping set.
type expandStream struct {
	in   stream
	sets *groupingSets
	rows *atomic.Int64
	b    *batch
	keys []column.Column // of the batch, in the types that are grouped by
	set  int
}

func (s *expandStream) next() (*batch, error) {
	if s.b == nil {
		b, err := s.in.next()
		if b == nil || err != nil {
			return nil, err
		}
		s.rows.Add(int64(b.rows))
		s.b, s.set = b, 0
		s.keys = make([]column.Column, len(s.sets.keys))
		for i, k := range s.sets.by[:len(s.keys)] {
			if s.keys[i], err = column.Cast(b.cols[i], k.typ, column.CastPlain); err != nil {
				return nil, err
			}
		}
	}
	b, n := s.b, len(s.sets.keys)
	out := &batch{cols: make([]column.Column, 0, len(b.cols)+1), rows: b.rows, seq: b.seq, more: true}
	for i, k := range s.sets.by[:n] {
		if slices.Contains(s.sets.sets[s.set], i) {
			out.cols = append(out.cols, s.keys[i])
		} else {
			out.cols = append(out.cols, column.NewConst(defaults(k.typ, 1), b.rows))
		}
	}
	out.cols = append(out.cols, column.NewConst(column.UInt64s(uint64(s.set)), b.rows))
	out.cols = append(out.cols, b.cols[n:]...)
	if s.set++; s.set == len(s.sets.sets) {
		s.b, out.more = nil, b.more
	}
	return out, nil
}

// groupsOfNothing gives the groups of the sets without keys where there were no rows.
func (p *selectPlan) groupsOfNothing(c *chain, rows *atomic.Int64) error {
	var numbers []uint64
	for i, set := range p.rollup.sets {
		if len(set) == 0 {
			numbers = append(numbers, uint64(i))
		}
	}
	if !p.rollup.fromNothing || len(numbers) == 0 || c.ex.q.settings.flag("empty_result_for_aggregation_by_empty_set", false) {
		return nil
	}
	having, err := p.havingProgram(c)
	if err != nil {
		return err
	}
	in, done := c.streams[0], false
	c.streams[0] = streamFunc(func() (*batch, error) {
		if done {
			return nil, nil
		}
		b, err := in.next()
		if b != nil || err != nil || rows.Load() > 0 {
			return b, err
		}
		done = true
		return p.emptyGroups(numbers, having, c.ex)
	})
	return nil
}

// emptyGroups are groups of no rows.
func (p *selectPlan) emptyGroups(numbers []uint64, having *program, ex *exec) (*batch, error) {
	n := len(numbers)
	b := &batch{rows: n}
	for _, k := range p.rollup.keys {
		b.cols = append(b.cols, defaults(k.typ, n))
	}
	for i, k := range p.rollup.by[:len(p.rollup.keys)] {
		b.cols[i] = defaults(k.typ, n)
	}
	b.cols = append(b.cols, column.UInt64s(numbers...))
	for _, a := range p.aggs {
		states := a.agg.NewStates()
		states.Grow(n)
		c, err := states.Result(0, n)
		if err != nil {
			return nil, err
		}
		b.cols = append(b.cols, c)
	}
	if having == nil {
		return b, nil
	}
	out, err := newFrame(having, &ex.q.env).run(b.cols, n)
	if err != nil {
		return nil, err
	}
	keep, passed := conditionBytes(out[0], n)
	if passed == 0 {
		return b.slice(0, 0), nil
	}
	return b.filter(keep, passed), nil
}

// inTotals tells whether the groups of a batch count for the totals: those of the first set, which has all keys.
func (p *selectPlan) inTotals(b *batch, row int) bool {
	if p.rollup == nil {
		return true
	}
	return column.Plain(b.cols[len(p.keys)-1]).(*column.Num[uint64]).Data[row] == 0
}
