package query

import (
	"dictsvc/column"
	"dictsvc/errcode"
)

// cutterRoom is the most that a program's results for one block may take before the block is cut, in bytes.
const cutterRoom = 64 << 20

// cutter runs a program over the batches of a stream, in parts where the results of a whole batch would take too much memory: of 65,409 rows that a
// function makes a megabyte of each, a hundred are computed at a time.
type cutter struct {
	in   stream
	f    *frame
	b    *batch // in work
	at   int    // rows of it that are done
	step int    // rows of a part, 0: all
}

// next computes the program's results for the next rows, with run or else all of them; b is nil at the end.
func (c *cutter) next(run func(b *batch) ([]column.Column, error)) (b *batch, cols []column.Column, err error) {
	if c.b == nil {
		if c.b, err = c.in.next(); c.b == nil || err != nil {
			return nil, nil, err
		}
		c.at = 0
	}
	for {
		rows := c.b.rows - c.at
		if c.step > 0 {
			rows = min(rows, c.step)
		}
		b = c.b
		if rows < b.rows {
			b = b.slice(c.at, c.at+rows)
			b.more = b.more || c.at+rows < c.b.rows
		}
		c.f.room = cutterRoom
		if rows < 2 {
			c.f.room = 0
		}
		cols, err = c.compute(b, run)
		if err == nil {
			if c.at += rows; c.at >= c.b.rows {
				c.b = nil
			}
			return b, cols, nil
		}
		if rows < 2 || !tooMuch(err) || c.f.env.Check() != nil {
			return nil, nil, err
		}
		c.f.drop()
		c.step = rows / 2
	}
}

func (c *cutter) compute(b *batch, run func(b *batch) ([]column.Column, error)) (cols []column.Column, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = panicError(p)
		}
	}()
	if run != nil {
		return run(b)
	}
	return c.f.run(b.cols, b.rows)
}

// tally counts what the results of one batch take. Little is not worth the counting.
type tally struct {
	reserve     func(bytes int) error
	bytes, told int
}

const tallyStep = 4 << 20

// add counts bytes; room is the most that there may be, 0 for no bound but the query's.
func (h *tally) add(n, room int) error {
	if h == nil {
		return nil
	}
	h.bytes += n
	if room > 0 && h.bytes > room {
		return errcode.New(errcode.MemoryLimitExceeded, "Memory limit exceeded: the results for a block take %d bytes, maximum: %d", h.bytes, room)
	}
	more := h.bytes - h.told
	if more < tallyStep || h.reserve == nil {
		return nil
	}
	h.told = h.bytes
	return h.reserve(more)
}

func (h *tally) free() {
	if h == nil {
		return
	}
	if h.told > 0 {
		_ = h.reserve(-h.told) // giving back is never refused
	}
	h.bytes, h.told = 0, 0
}

// ownBytes is what a function's result takes besides what it shares with its arguments.
func ownBytes(c column.Column, args []column.Column) int {
	for _, a := range args {
		if a == c {
			return 0
		}
		if t, ok := a.(*column.Tup); ok {
			for _, e := range t.Elems {
				if e == c {
					return 0
				}
			}
		}
	}
	switch x := c.(type) {
	case *column.Const:
		return 0
	case *column.Null:
		return len(x.Nulls) + ownBytes(x.Inner, args)
	case *column.Tup:
		n := 0
		for _, e := range x.Elems {
			n += ownBytes(e, args)
		}
		return n
	case *column.Arr:
		n := 8 * len(x.Ends)
		for _, a := range args {
			if y, ok := a.(*column.Arr); ok && y.Elem == x.Elem {
				return n
			}
		}
		return n + ownBytes(x.Elem, args)
	}
	return c.Bytes()
}
