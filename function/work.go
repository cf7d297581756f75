package function

import (
	"dictsvc/column"
	"dictsvc/errcode"
)

// A call works on a whole block, and what a block holds is in the hands of whoever wrote the query: one string of a gigabyte, a lambda that sorts, a
// constant a million rows long. Three things keep a call from holding up its query, or the machine:
//
//   - a block with much in it is computed in runs of rows (in guard), between which the query's end is looked at;
//   - a kernel whose work for one row can be long calls Work as it goes;
//   - a kernel that makes much of little calls Hold before it allocates.

const (
	// tickWork is the work between two looks at whether the query goes on: about a millisecond.
	tickWork = 1 << 20
	// runBytes is the size from which a block is computed in runs of rows, and about that of a run.
	runBytes = 8 << 20
	// holdLeast is what need not be counted, and grownStep the steps in which results that grow are.
	holdLeast = 64 << 10
	grownStep = 1 << 20
)

// meter counts what one call does.
type meter struct {
	work  int
	held  int
	grown int // of the result that is being built
}

// Check is the reason to stop, nil where there is none.
func (e *Env) Check() error {
	switch {
	case e == nil:
		return nil
	case e.Stop != nil:
		return e.Stop()
	case e.Ctx != nil:
		return e.Ctx.Err()
	}
	return nil
}

// ended is what a call panics with when its query must end, or may have no more memory; guard makes it the call's error. It leaves a kernel from wherever
// it is: in the comparison of a sort, or in a function value deep in a loop.
type ended struct{ err error }

// Work counts work done, in steps of about a nanosecond, and ends the call where the query has ended.
func (c *Call) Work(steps int) {
	if c.meter == nil {
		c.meter = new(meter)
	}
	if c.meter.work += steps; c.meter.work < tickWork {
		return
	}
	c.meter.work = 0
	if err := c.Env.Check(); err != nil {
		panic(ended{err})
	}
}

// Hold counts memory that is about to be allocated for the result or on the way to it, until the call ends. The call ends with error 241 where the query
// may not have it.
func (c *Call) Hold(bytes int) {
	if bytes > column.MaxColumnBytes {
		panic(ended{errcode.New(errcode.MemoryLimitExceeded, "Memory limit exceeded: a column of a block would take %d bytes, maximum: %d", bytes, int64(column.MaxColumnBytes))})
	}
	if bytes < holdLeast || c.Env == nil || c.Env.Reserve == nil || c.meter == nil {
		return
	}
	if c.Room > 0 && c.meter.held+bytes > c.Room {
		panic(ended{errcode.New(errcode.MemoryLimitExceeded, "Memory limit exceeded: a block of a function's results would take %d bytes, maximum: %d", c.meter.held+bytes, c.Room)})
	}
	c.meter.held += bytes
	if err := c.Env.Reserve(bytes); err != nil {
		panic(ended{err})
	}
}

// Grown is Hold for a result that is built row by row: bytes are all that it will have with the next row. It counts as work, too.
func (c *Call) Grown(bytes int) {
	if c.meter == nil {
		c.meter = new(meter)
	}
	more := bytes - c.meter.grown
	if more < grownStep {
		return
	}
	c.meter.grown = bytes
	c.Work(more)
	c.Hold(more)
}

// full is a column with a constant expanded into its rows.
func (c *Call) full(x column.Column) column.Column {
	k, ok := x.(*column.Const)
	if !ok {
		return x
	}
	c.Hold(column.SizeOf(k))
	return k.Expand()
}

// metered runs a bound function with a meter of its own, unless it is part of a call that has one.
func metered(call *Call, exec func(*Call) (column.Column, error)) (column.Column, error) {
	if call.meter != nil {
		return exec(call)
	}
	c := *call
	c.meter = new(meter)
	defer c.giveBack()
	return exec(&c)
}

func (c *Call) giveBack() {
	if c.meter.held > 0 {
		_ = c.Env.Reserve(-c.meter.held) // giving back is never refused
	}
}

// inRuns computes a call in runs of rows where its arguments hold much.
func inRuns(call *Call, t *column.Type, exec func(*Call) (column.Column, error)) (column.Column, error) {
	if call.Rows < 2 || allConst(call.Args) {
		return exec(call)
	}
	bytes := 0
	for _, a := range call.Args {
		bytes += column.SizeOf(a)
	}
	if bytes < 2*runBytes {
		return exec(call)
	}
	rows := max(1, call.Rows/(bytes/runBytes))
	var out column.Column
	c := *call
	c.Args = make([]column.Column, len(call.Args))
	for from := 0; from < call.Rows; from += rows {
		if err := call.Env.Check(); err != nil {
			return nil, err
		}
		to := min(call.Rows, from+rows)
		for i, a := range call.Args {
			c.Args[i] = a.Slice(from, to)
		}
		c.Rows = to - from
		c.meter.grown = 0
		res, err := exec(&c)
		if err != nil {
			return nil, err
		}
		if from == 0 {
			out = column.New(t, call.Rows)
			if full := column.Full(res); full.Type().Equal(t) {
				out = full.New(call.Rows)
			}
		}
		out.AppendRange(res, 0, to-from)
	}
	return out, nil
}
