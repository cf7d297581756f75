package query

import (
	"dictsvc/column"
	"dictsvc/errcode"
	"dictsvc/function"
)

// program computes nodes from the columns of a layout. It is made once and used by any number of workers, each with a frame of its own.
type program struct {
	steps []step
	outs  []int // the steps whose results are wanted
	work  bool  // some step does more than pass a column on
}

type stepKind uint8

const (
	stepInput stepKind = iota
	stepConst
	stepCall
	stepLazy
	stepIn
	stepLambda // an argument that is no column
)

// step computes one node. Its arguments stand in front of it.
type step struct {
	kind    stepKind
	col     int // stepInput
	val     column.Column
	bound   *function.Bound
	args    []int
	lambdas []*lambdaStep // parallel to args, nil where no argument is a lambda
	set     *set
	typ     *column.Type
}

// lambdaStep is a lambda's program, whose inputs are its parameters and then what it captures.
type lambdaStep struct {
	prog     *program
	captured []int // steps of the outer program
}

// compiler turns nodes into steps.
type compiler struct {
	p      *program
	at     map[*expr]int // node -> step
	avail  *layout
	miss   func(*expr) error // the error for a leaf that the layout lacks
	lazy   bool
	cheaps map[*expr]bool // what cheap has found
}

// compile makes the program that computes outs from the columns of a layout.
func compile(outs []*expr, avail *layout, lazy bool, miss func(*expr) error) (*program, error) {
	c := &compiler{p: &program{outs: make([]int, len(outs))}, at: make(map[*expr]int, 2*len(outs)), avail: avail, miss: miss, lazy: lazy}
	for i, e := range outs {
		s, err := c.node(e)
		if err != nil {
			return nil, err
		}
		c.p.outs[i] = s
	}
	return c.p, nil
}

func (c *compiler) add(e *expr, s step) int {
	c.p.steps = append(c.p.steps, s)
	n := len(c.p.steps) - 1
	c.at[e] = n
	return n
}

func (c *compiler) node(e *expr) (int, error) {
	if s, ok := c.at[e]; ok {
		return s, nil
	}
	if i, ok := c.avail.index[e]; ok {
		return c.add(e, step{kind: stepInput, col: i, typ: e.typ}), nil
	}
	switch e.op {
	case opConst:
		return c.add(e, step{kind: stepConst, val: e.val, typ: e.typ}), nil
	case opCall, opIn:
		return c.call(e)
	case opLambda:
		return c.add(e, step{kind: stepLambda}), nil
	}
	return 0, c.miss(e)
}

func (c *compiler) call(e *expr) (int, error) {
	s := step{kind: stepCall, bound: e.bound, args: make([]int, len(e.args)), typ: e.typ}
	if e.op == opIn {
		s.kind, s.set = stepIn, e.set
	} else {
		c.p.work = true
	}
	for i, a := range e.args {
		n, err := c.node(a)
		if err != nil {
			return 0, err
		}
		s.args[i] = n
		if a.op == opLambda {
			if s.lambdas == nil {
				s.lambdas = make([]*lambdaStep, len(e.args))
			}
			if s.lambdas[i], err = c.lambda(a.lam); err != nil {
				return 0, err
			}
		}
	}
	if e.op == opCall && e.bound.ExecLazy != nil && s.lambdas == nil && (c.lazy || e.bound.Exec == nil) && c.worthLazy(e) {
		s.kind = stepLazy
	}
	return c.add(e, s), nil
}

// worthLazy tells whether any argument behind the first is more than a cheap computation: columns and constants are at hand anyway.
func (c *compiler) worthLazy(e *expr) bool {
	if e.bound.Exec == nil {
		return true
	}
	for _, a := range e.args[1:] {
		if !c.cheap(a) {
			return true
		}
	}
	return false
}

// cheap tells whether computing a node for all rows costs less than picking the rows for which it is wanted, and cannot fail for a row: columns,
// constants, and comparisons, logic and plain arithmetic of machine words.
func (c *compiler) cheap(e *expr) bool {
	if s := c.p.steps[c.at[e]]; s.kind == stepInput || s.kind == stepConst {
		return true
	}
	if e.op != opCall || !cheapFunction(e.name) {
		return false
	}
	cheap, seen := c.cheaps[e]
	if seen {
		return cheap
	}
	cheap = true
	for _, a := range e.args {
		if t := a.typ.Base(); !(t.IsInteger() || t.IsFloat() || t.IsDateOrTime() && t.Kind != column.DateTime64) || t.FixedWidth() > 8 || !c.cheap(a) {
			cheap = false
			break
		}
	}
	if c.cheaps == nil {
		c.cheaps = map[*expr]bool{}
	}
	c.cheaps[e] = cheap
	return cheap
}

func cheapFunction(name string) bool {
	switch name {
	case "equals", "notEquals", "less", "lessOrEquals", "greater", "greaterOrEquals", "and", "or", "not", "xor", "plus", "minus", "multiply",
		"bitAnd", "bitOr", "bitXor", "isNull", "isNotNull":
		return true
	}
	return false
}

func (c *compiler) lambda(l *lambda) (*lambdaStep, error) {
	taken := captured(l.body, l.params, func(e *expr) bool { _, ok := c.avail.index[e]; return ok })
	s := &lambdaStep{captured: make([]int, len(taken))}
	for i, e := range taken {
		n, err := c.node(e)
		if err != nil {
			return nil, err
		}
		s.captured[i] = n
	}
	inputs := newLayout(append(append([]*expr(nil), l.params...), taken...))
	var err error
	s.prog, err = compile([]*expr{l.body}, inputs, c.lazy, c.miss)
	return s, err
}

// frame is a program at work on one batch. A frame of some rows of another (up) takes what that one has computed and filters it.
type frame struct {
	p    *program
	env  *function.Env
	in   []column.Column
	rows int
	vals []column.Column
	mem  *column.Scratch // of the batch's results, nil where they may be kept
	up   *frame
	keep []uint8
	held *tally // counts the batch's results, nil where nobody does
	room int    // the most that they may take, 0: what the query may
}

func newFrame(p *program, env *function.Env) *frame {
	return &frame{p: p, env: env, vals: make([]column.Column, len(p.steps))}
}

// set gives the frame its next batch; the results of the last one are gone where the frame has memory of its own.
func (f *frame) set(in []column.Column, rows int) {
	f.in, f.rows = in, rows
	f.drop()
}

// drop forgets the results.
func (f *frame) drop() {
	clear(f.vals)
	f.mem.Reset()
	f.held.free()
}

// run computes the program's results for a batch.
func (f *frame) run(in []column.Column, rows int) ([]column.Column, error) {
	f.set(in, rows)
	out := make([]column.Column, len(f.p.outs))
	for i, s := range f.p.outs {
		c, err := f.value(s)
		if err != nil {
			return nil, err
		}
		out[i] = c
	}
	return out, nil
}

// value is the column of a step.
func (f *frame) value(i int) (column.Column, error) {
	if v := f.vals[i]; v != nil {
		return v, nil
	}
	v, err := f.compute(i)
	if err != nil {
		return nil, err
	}
	f.vals[i] = v
	return v, nil
}

func (f *frame) compute(i int) (column.Column, error) {
	s := &f.p.steps[i]
	switch s.kind {
	case stepConst:
		return column.NewConst(s.val, f.rows), nil
	case stepLambda:
		return nil, nil
	}
	if f.up != nil && (s.kind == stepInput || f.up.has(i)) {
		v, err := f.up.value(i)
		if err != nil {
			return nil, err
		}
		return column.FilterIn(f.mem, v, f.keep, f.rows), nil
	}
	switch s.kind {
	case stepInput:
		return f.in[s.col], nil
	case stepLazy:
		return f.lazy(s)
	}
	args := make([]column.Column, len(s.args))
	for k, a := range s.args {
		v, err := f.value(a)
		if err != nil {
			return nil, err
		}
		args[k] = v
	}
	if s.kind == stepIn {
		return s.set.contains(args, f.rows)
	}
	if f.rows == 0 {
		return column.New(s.typ, 0), nil
	}
	call := function.Call{Args: args, Rows: f.rows, Env: f.env, Scratch: f.mem, Room: f.room}
	if s.lambdas != nil {
		call.Lambdas = make([]function.LambdaCall, len(args))
		for k, l := range s.lambdas {
			if l != nil {
				lc, err := f.lambdaCall(l)
				if err != nil {
					return nil, err
				}
				call.Lambdas[k] = lc
			}
		}
	}
	v, err := s.bound.Exec(&call)
	if err != nil {
		return nil, err
	}
	return v, f.held.add(ownBytes(v, args), f.room)
}

// has tells whether a step's result is at hand in the frame or in those above it.
func (f *frame) has(i int) bool {
	return f.vals[i] != nil || f.up != nil && f.up.has(i)
}

// lambdaCall binds a lambda to the frame's batch.
func (f *frame) lambdaCall(l *lambdaStep) (function.LambdaCall, error) {
	captured := make([]column.Column, len(l.captured))
	for i, s := range l.captured {
		v, err := f.value(s)
		if err != nil {
			return nil, err
		}
		captured[i] = v
	}
	env, mem := f.env, f.mem
	return func(offsets []uint64, params ...column.Column) (column.Column, error) {
		if err := env.Check(); err != nil {
			return nil, err
		}
		rows := 0
		if len(offsets) > 0 {
			rows = int(offsets[len(offsets)-1])
		}
		sub := newFrame(l.prog, env)
		sub.held = &tally{reserve: env.Reserve}
		defer sub.held.free()
		if rows <= lambdaRows {
			if rows > 1 {
				sub.room = lambdaRoom
			}
			sub.in, sub.rows = lambdaInput(offsets, params, captured), rows
			sub.mem, mem = mem, nil // a function that calls a lambda often, as arrayFold does, would gather memory until the batch's end
			v, err := sub.value(l.prog.outs[0])
			if !tooMuch(err) || rows < 2 {
				return v, err
			}
		}
		return sub.lambdaParts(offsets, params, captured)
	}, nil
}

// A lambda is computed for at most lambdaRows elements at once, and for fewer where the results would take more than lambdaRoom bytes.
const (
	lambdaRows = 1 << 18
	lambdaRoom = 32 << 20
)

// tooMuch tells whether a computation may succeed with fewer rows.
func tooMuch(err error) bool { return err != nil && errcode.Of(err) == errcode.MemoryLimitExceeded }

func lambdaInput(offsets []uint64, params, captured []column.Column) []column.Column {
	in := make([]column.Column, 0, len(params)+len(captured))
	in = append(in, params...)
	for _, c := range captured {
		in = append(in, c.Replicate(offsets))
	}
	return in
}

// lambdaParts computes a lambda for some elements after the other.
func (f *frame) lambdaParts(offsets []uint64, params, captured []column.Column) (column.Column, error) {
	out := column.New(f.p.steps[f.p.outs[0]].typ, 0)
	rows := int(offsets[len(offsets)-1])
	f.mem = new(column.Scratch)
	row := 0 // the first whose elements are not all done
	step := min(lambdaRows, rows)
	for from := 0; from < rows; {
		if err := f.env.Check(); err != nil {
			return nil, err
		}
		to := min(rows, from+step)
		if f.room = 0; to-from > 1 {
			f.room = lambdaRoom
		}
		for offsets[row] <= uint64(from) {
			row++
		}
		var ends []uint64
		for k, last := row, from; last < to; k++ {
			last = min(to, int(offsets[k]))
			ends = append(ends, uint64(last-from))
		}
		part, own := make([]column.Column, len(params)), make([]column.Column, len(captured))
		for i, p := range params {
			part[i] = p.Slice(from, to)
		}
		for i, c := range captured {
			own[i] = c.Slice(row, row+len(ends))
		}
		f.set(lambdaInput(ends, part, own), to-from)
		v, err := f.value(f.p.outs[0])
		if tooMuch(err) && to-from > 1 {
			step = (to - from) / 2
			continue
		}
		if err != nil {
			return nil, err
		}
		out.AppendRange(v, 0, to-from)
		from = to
	}
	return out, nil
}

// lazy runs a function that asks for its arguments itself.
func (f *frame) lazy(s *step) (column.Column, error) {
	if f.rows == 0 {
		return column.New(s.typ, 0), nil
	}
	call := function.LazyCall{Args: make([]function.LazyArg, len(s.args)), Rows: f.rows, Env: f.env, Scratch: f.mem}
	for k, a := range s.args {
		call.Args[k] = func(keep []uint8, n int) (column.Column, error) {
			if keep == nil || n == f.rows {
				return f.value(a)
			}
			if f.has(a) {
				v, err := f.value(a)
				if err != nil {
					return nil, err
				}
				return column.FilterIn(f.mem, v, keep, n), nil
			}
			sub := &frame{p: f.p, env: f.env, rows: n, vals: make([]column.Column, len(f.p.steps)), mem: f.mem, up: f, keep: keep, held: f.held, room: f.room}
			return sub.value(a)
		}
	}
	return s.bound.ExecLazy(&call)
}

// constRow runs a call on one row of constant arguments.
func constRow(env *function.Env, bound *function.Bound, args []column.Column) (column.Column, error) {
	one := make([]column.Column, len(args))
	for i, a := range args {
		one[i] = column.NewConst(a, 1)
	}
	if bound.Exec == nil {
		lazy := function.LazyCall{Args: make([]function.LazyArg, len(one)), Rows: 1, Env: env}
		for i, c := range one {
			lazy.Args[i] = func(_ []uint8, n int) (column.Column, error) { return c.Slice(0, n), nil }
		}
		return finishConst(bound.ExecLazy(&lazy))
	}
	return finishConst(bound.Exec(&function.Call{Args: one, Rows: 1, Env: env}))
}

func finishConst(c column.Column, err error) (column.Column, error) {
	if err != nil {
		return nil, err
	}
	if k, ok := c.(*column.Const); ok {
		c = k.Val
	}
	if c.Len() != 1 {
		return nil, errcode.New(errcode.LogicalError, "A function of one row gave %d", c.Len())
	}
	return c, nil
}
