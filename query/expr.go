package query

import (
	"encoding/binary"

	"dictsvc/agg"
	"dictsvc/column"
	"dictsvc/function"
)

// op is the kind of an expression node.
type op uint8

const (
	opColumn    op = iota // a column of a source
	opConst               // a constant
	opCall                // a scalar function
	opLambda              // an argument x -> ...
	opParam               // a parameter of a lambda
	opAggregate           // an aggregate function over rows of the source
	opArrayJoin           // arrayJoin(array)
	opJoined              // an element of ARRAY JOIN
	opIn                  // membership of a set
	opWindow              // a window function over rows in front of DISTINCT and ORDER BY
)

// expr is a node of a bound expression. Nodes are made by a pool, which gives equal expressions the same node, and never change.
type expr struct {
	id    int32 // number in the pool
	op    op
	typ   *column.Type
	name  string        // of the column, function or parameter; for messages and EXPLAIN
	val   column.Column // opConst: the one row
	args  []*expr
	bound *function.Bound
	agg   *agg.Function
	set   *set
	lam   *lambda
	win   *windowCall
	level int // depth of the innermost lambda whose parameters the node uses; 0 = none

	hasAggregate bool // an aggregate in it
	hasArrayJoin bool // an arrayJoin in it
	hasWindow    bool // a window function in it
	volatile     bool // two evaluations may differ
}

// lambda is a bound x -> body. Captured are the nodes outside that the body uses: columns and parameters of outer lambdas.
type lambda struct {
	params   []*expr
	body     *expr
	captured []*expr
}

func (e *expr) isConst() bool { return e.op == opConst }

// pool makes the nodes of one SELECT.
type pool struct {
	nodes map[string]*expr
	n     int32
	key   []byte
}

// begin starts the key of a node: its kind and name.
func (p *pool) begin(o op, name string) {
	p.key = append(append(append(p.key[:0], byte(o)), name...), 0)
}

func (p *pool) addArgs(args []*expr) {
	for _, a := range args {
		p.key = binary.LittleEndian.AppendUint32(p.key, uint32(a.id))
	}
}

// find returns the node of the key, if there is one.
func (p *pool) find() *expr { return p.nodes[string(p.key)] }

// add numbers a new node and keeps it under the key, which must not have been changed since find.
func (p *pool) add(key []byte, e *expr) *expr {
	if p.nodes == nil {
		p.nodes = make(map[string]*expr, 16)
	}
	p.n++
	e.id = p.n
	p.nodes[string(key)] = e
	return e
}

// fresh makes a node that equals no other.
func (p *pool) fresh(e *expr) *expr {
	p.n++
	e.id = p.n
	return e
}

// constant makes the node of a constant, row 0 of val.
func (p *pool) constant(val column.Column) *expr {
	if k, ok := val.(*column.Const); ok {
		val = k.Val
	}
	if val.Len() > 1 {
		val = val.Slice(0, 1)
	}
	t := val.Type()
	if val.Bytes() > smallConstant { // looking for its like would take longer than to have it twice
		return p.fresh(&expr{op: opConst, typ: t, val: val})
	}
	p.begin(opConst, t.String())
	p.key = column.AppendImage(p.key, val, 0)
	if e := p.find(); e != nil {
		return e
	}
	return p.add(p.key, &expr{op: opConst, typ: t, val: val})
}

// derive sets the properties that a node has from its arguments.
func (e *expr) derive() *expr {
	for _, a := range e.args {
		e.level = max(e.level, a.level)
		e.hasAggregate = e.hasAggregate || a.hasAggregate
		e.hasArrayJoin = e.hasArrayJoin || a.hasArrayJoin
		e.hasWindow = e.hasWindow || a.hasWindow
		e.volatile = e.volatile || a.volatile
	}
	return e
}

// children visits the nodes directly under e that are evaluated in the same frame: not the body of a lambda, but what it captures.
func (e *expr) children(visit func(*expr)) {
	for _, a := range e.args {
		visit(a)
	}
	if e.lam != nil {
		for _, c := range e.lam.captured {
			visit(c)
		}
	}
}

// inside visits a node's arguments and the bodies of its lambdas, of which a part may be at hand as a whole (a GROUP BY key).
func (e *expr) inside(visit func(*expr)) {
	for _, a := range e.args {
		visit(a)
	}
	if e.lam != nil {
		visit(e.lam.body)
	}
}

// layout says which nodes the columns of a batch are.
type layout struct {
	nodes []*expr
	index map[*expr]int
}

func newLayout(nodes []*expr) *layout {
	l := &layout{nodes: nodes, index: make(map[*expr]int, len(nodes))}
	for i, e := range nodes {
		if _, ok := l.index[e]; !ok {
			l.index[e] = i
		}
	}
	return l
}

// need collects in order the nodes that must be at hand to compute exprs: nodes of avail where they are found, else leaves.
type need struct {
	seen  map[*expr]bool
	nodes []*expr
	stop  func(*expr) bool // a node that is taken whole
}

func newNeed(stop func(*expr) bool) *need {
	return &need{seen: map[*expr]bool{}, stop: stop}
}

func (n *need) add(exprs ...*expr) {
	for _, e := range exprs {
		n.visit(e)
	}
}

func (n *need) visit(e *expr) {
	if n.seen[e] || e.op == opConst {
		return
	}
	n.seen[e] = true
	if n.stop(e) {
		n.nodes = append(n.nodes, e)
		return
	}
	if e.op == opParam {
		return
	}
	e.inside(n.visit)
}

// isSource tells whether a node is a column that a source or ARRAY JOIN gives.
func isSource(e *expr) bool { return e.op == opColumn || e.op == opJoined }
