package query

import (
	"sync"
	"sync/atomic"

	"dictsvc/column"
	"dictsvc/sql"
)

// joinRun is a join while it runs: its right side as a table, and what its workers share.
type joinRun struct {
	p     *joinPlan
	ex    *exec
	table *joinTable

	prog   *program // over the left side's columns: keys, leftIf, then carry
	carry  []*expr  // the left side's columns that are needed behind the join
	outs   []joinColumn
	mixed  *program // over carry and the table's columns that the mixed conditions need
	extra  []int    // these columns, in the table
	emit   emission
	alts   [][]joinKey // keys of the alternatives of an OR
	unused bool        // right rows without a match are wanted

	mu      sync.Mutex
	used    bitset // right rows that had a match, of the workers that are done
	working int
	lastSeq atomic.Int64
	tail    int // the next right row to be looked at for a match
	seq     int
}

// emission says what a join makes of the matches of a left row.
type emission struct {
	pairs     pairing
	unmatched bool // left rows without a match come out, with defaults
	claim     bool // only the first left row that meets a key has it
}

type pairing uint8

const (
	noPairs pairing = iota
	onePair
	allPairs
)

// joinColumn is how a column of the result comes about: of a carried left column, or a column of the right table.
type joinColumn struct {
	typ         *column.Type
	left, right int // -1: none
	cast        column.Caster
}

// open implements relation.
func (p *joinPlan) open(ex *exec, r readRequest) ([]stream, error) {
	if p.kind == sql.JoinPaste {
		return p.openPaste(ex, r)
	}
	if p.swaps() {
		p = p.swapped()
	}
	j := &joinRun{p: p, ex: ex, alts: p.alternatives()}
	j.settle()
	req := readRequest{limit: -1, streams: r.streams, ordered: r.ordered, transient: r.transient}
	left := newNeed(isSource)
	right := newNeed(isSource)
	for _, c := range r.cols {
		o := p.out[c]
		if o.left != nil {
			left.add(o.left)
		}
		if o.right != nil {
			right.add(o.right)
		}
	}
	both := newNeed(isSource)
	both.add(p.mixed...)
	for _, e := range both.nodes {
		if p.left.table.place(e) >= 0 {
			left.add(e)
		} else {
			right.add(e)
		}
	}
	j.carry = left.nodes
	if d := p.direct(); d != nil {
		return d.open(ex, j, r, req)
	}
	if err := j.build(right.nodes, r.cols); err != nil {
		return nil, err
	}
	if j.table.n == 0 && !j.emit.unmatched {
		return []stream{emptyStream()}, nil
	}
	c, err := p.openLeft(ex, req, j.leftNeeds())
	if err != nil {
		return nil, err
	}
	if j.emit.claim { // which left row is the first is told by their order
		c.transient = false
		c.single()
	}
	if err := j.compile(c, both.nodes); err != nil {
		return nil, err
	}
	j.working = len(c.streams)
	c.each(func(in stream) stream { return j.probe(in, c.frame(j.prog)) })
	return c.streams, nil
}

// settle derives from kind and strictness what comes out.
func (j *joinRun) settle() {
	p := j.p
	switch p.strict {
	case sql.StrictnessSemi:
		if p.kind == sql.JoinLeft {
			j.emit.pairs = onePair
		} else {
			j.emit.pairs, j.emit.claim = allPairs, true
		}
	case sql.StrictnessAnti:
		j.emit.unmatched = p.kind == sql.JoinLeft
		j.unused = p.kind == sql.JoinRight
	case sql.StrictnessAny:
		switch p.kind {
		case sql.JoinLeft:
			j.emit.pairs, j.emit.unmatched = onePair, true
		case sql.JoinRight:
			j.emit.pairs, j.emit.claim, j.unused = allPairs, true, true
		default:
			j.emit.pairs, j.emit.claim = onePair, len(p.mixed) == 0 || len(p.keys) == 0
		}
	case sql.StrictnessAsof:
		j.emit.pairs, j.emit.unmatched = onePair, p.kind == sql.JoinLeft
	default:
		j.emit.pairs = allPairs
		j.emit.unmatched = p.kind == sql.JoinLeft || p.kind == sql.JoinFull
		j.unused = p.kind == sql.JoinRight || p.kind == sql.JoinFull
	}
}

// leftNeeds are the expressions over left rows that the join computes.
func (j *joinRun) leftNeeds() []*expr {
	var list []*expr
	for _, k := range j.p.keys {
		list = append(list, k.left)
	}
	if j.p.asof != nil {
		list = append(list, j.p.asof.left)
	}
	list = append(list, j.p.leftIf...)
	for _, alt := range j.alts {
		for _, k := range alt {
			list = append(list, k.left)
		}
	}
	return append(list, j.carry...)
}

// openLeft opens the left side with the columns that the expressions need.
func (p *joinPlan) openLeft(ex *exec, req readRequest, needs []*expr) (*chain, error) {
	n := newNeed(isSource)
	n.add(needs...)
	for _, e := range n.nodes {
		req.cols = append(req.cols, p.left.table.place(e))
	}
	streams, err := p.left.source(p).open(ex, req)
	if err != nil {
		return nil, err
	}
	return &chain{ex: ex, streams: streams, at: newLayout(n.nodes), lazy: p.lazy, ordered: req.ordered, blockSize: p.blockSize, transient: req.transient}, nil
}

// compile makes the programs over left rows and over pairs of rows.
func (j *joinRun) compile(c *chain, both []*expr) error {
	var err error
	if j.prog, err = c.compile(j.leftNeeds()); err != nil {
		return err
	}
	if len(j.p.mixed) == 0 {
		return nil
	}
	nodes := append([]*expr(nil), j.carry...)
	for _, e := range both {
		if i, ok := j.table.at[e]; ok {
			nodes = append(nodes, e)
			j.extra = append(j.extra, i)
		}
	}
	pair := &chain{ex: j.ex, at: newLayout(nodes), lazy: j.p.lazy}
	j.mixed, err = pair.compile(j.p.mixed)
	return err
}

// bitset is a set of row numbers.
type bitset []uint64

func (b bitset) has(i uint32) bool { return b[i>>6]>>(i&63)&1 != 0 }
func (b bitset) set(i uint32)      { b[i>>6] |= 1 << (i & 63) }

// done adds the rows that a worker matched. The last worker goes on to give the right rows that none matched.
func (j *joinRun) done(used bitset) (last bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.used == nil {
		j.used = used
	} else {
		for i, w := range used {
			j.used[i] |= w
		}
	}
	j.working--
	return j.working == 0 && j.unused
}

// note remembers the greatest number of a batch, behind which the unmatched right rows come.
func (j *joinRun) note(seq int) {
	for {
		old := j.lastSeq.Load()
		if int64(seq) < old || j.lastSeq.CompareAndSwap(old, int64(seq)+1) {
			return
		}
	}
}

// unmatched gives the next right rows that had no match.
func (j *joinRun) unmatched() (*batch, error) {
	t := j.table
	rows := make([]uint32, 0, min(j.p.blockSize, t.n-j.tail))
	for ; j.tail < t.n && len(rows) < j.p.blockSize; j.tail++ {
		if j.tail&0xfffff == 0 {
			if err := j.ex.q.tick(); err != nil {
				return nil, err
			}
		}
		if len(j.used) == 0 || !j.used.has(uint32(j.tail)) {
			rows = append(rows, uint32(j.tail))
		}
	}
	if len(rows) == 0 {
		return nil, nil
	}
	out := &batch{rows: len(rows), cols: make([]column.Column, len(j.outs)), seq: int(j.lastSeq.Load()) + j.seq}
	j.seq++
	for i, o := range j.outs {
		if o.right >= 0 {
			out.cols[i] = t.cols[o.right].Gather(rows)
		} else {
			out.cols[i] = column.NewConst(noMatch(o.typ), len(rows))
		}
	}
	return out, nil
}
