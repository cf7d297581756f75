package jsonl

import (
	"bytes"
	"unsafe"

	"dictsvc/column"
	"dictsvc/errcode"
)

// result is what a chunk gave.
type result struct {
	blocks  []*column.Block
	rest    int        // where an unfinished row begins; the chunk's length where there is none
	lines   uint64     // newlines before rest
	skipped []rowError // bad rows
	err     *rowError  // what ended the parsing

	// Brackets and commas between rows, which the reader checks against the chunks before.
	opened, closed     bool // a '[' stood before the first row, a ']' behind the last
	openedAt, closedAt int
	first              int    // where the first row, bad row or ']' begins, -1 where there is none
	lead               int    // commas before it: 0, 1, or 2 for more
	leadAt             [2]int // where they stand
	trail              int    // commas behind the last row
}

// parser turns chunks into blocks. It belongs to one goroutine.
type parser struct {
	o     *Options
	names map[string]int // column by name
	lower map[string]int // by name in lower case, -1 where several columns share it

	root  node // stands before the first field of a row
	known map[string]*node
	seen  []uint64 // by column: the row (counted from 1 over all chunks) that last had it
	loose []uint64 // the same for fields whose name differs in case
	row   uint64

	b     []byte
	base  unsafe.Pointer // of b
	i     int
	cols  []column.Column // of the block in hand, nil between blocks
	slots []slot
	rows  int // in cols
	most  int // rows that cols have room for
	avg   int // bytes a row, of the blocks so far
	mark  int // where the rows in cols begin
	out   *result
	last  bool
	buf   []byte                         // of a string with escapes
	ones  map[*column.Type]column.Column // one-row columns to read a value into
	pool  *pool
}

func newParser(o *Options, pool *pool) *parser {
	n := len(o.Columns)
	p := &parser{o: o, names: make(map[string]int, n), lower: make(map[string]int, n), known: map[string]*node{}, seen: make([]uint64, n), loose: make([]uint64, n),
		slots: make([]slot, n), avg: 64, ones: map[*column.Type]column.Column{}, pool: pool}
	for i, c := range o.Columns {
		if !o.general {
			p.slots[i] = newSlot(c)
		}
		p.names[c.Name] = i
		low := lowerASCII(c.Name)
		if _, twice := p.lower[low]; twice {
			p.lower[low] = -1
		} else {
			p.lower[low] = i
		}
	}
	return p
}

// parse reads the rows of a chunk, which has padding behind its end. last: nothing comes after it.
func (p *parser) parse(b []byte, last bool, out *result) {
	*out = result{rest: len(b), first: -1}
	p.b, p.base, p.i, p.out, p.last = b, pointer(b), 0, out, last
	for {
		if at(p.base, p.i) == '\n' { // as a rule
			p.i++
		}
		if at(p.base, p.i) != '{' || out.closed {
			if p.between() {
				continue
			}
			break
		}
		p.item(p.i)
		start := p.i
		if p.cols == nil {
			p.fresh()
		}
		if p.rows == 0 {
			p.mark = start
		}
		p.i++
		p.row++
		err := p.object()
		if err == nil {
			p.rows++
			if p.rows == p.most {
				p.flush()
			}
			continue
		}
		if !p.bad(start, err) {
			break
		}
	}
	p.flush()
	out.lines = newlines(b[:out.rest])
}

// between passes what may stand between rows. It returns false at the end of the chunk and after an error.
func (p *parser) between() bool {
	out := p.out
	for p.i < len(p.b) {
		c := p.b[p.i]
		switch {
		case c == ' ' || c == '\n' || c == '\r' || c == '\t':
			p.i++
			continue
		case c == ',' && !out.closed:
			if !p.comma() {
				return false
			}
			p.i++
			continue
		case c == '[' && !out.closed:
			if out.opened || out.first >= 0 || out.lead > 0 {
				out.err = p.fault(errcode.CannotParseInputAssertionFailed, textNestedArray)
				return false
			}
			out.opened, out.openedAt = true, p.i
			p.i++
			continue
		case c == '{' && !out.closed:
			return true
		case c == ']' && !out.closed:
			if out.first >= 0 && out.trail > 0 { // as the reader would say of a comma in the chunk before
				out.err = p.fault(errcode.CannotParseInputAssertionFailed, textNoArray)
				return false
			}
			p.item(p.i)
			out.closed, out.closedAt = true, p.i
			p.i++
			continue
		}
		start := p.i
		if out.closed {
			out.err = p.fault(errcode.CannotParseInputAssertionFailed, textBehindArray)
			return false
		}
		return p.bad(start, p.fault(errcode.CannotParseInputAssertionFailed, "got %s, want '{'", p.here()))
	}
	return false
}

// What the parser says of its chunk, and the reader where a chunk contradicts those before.
const (
	textNestedArray = "got '[', want '{': only a whole file can be one array"
	textBehindArray = "got more data behind the closing ']' of the array, want the end"
	textNoArray     = "got ']', want '{'"
	textCommas      = "got several commas between two rows"
)

// comma counts a comma between rows; false: it is one too many.
func (p *parser) comma() bool {
	out := p.out
	if out.first < 0 && out.lead < len(out.leadAt) {
		out.leadAt[out.lead] = p.i
		out.lead++
		return true
	}
	out.trail++
	if out.first < 0 || out.trail > 1 {
		out.err = p.fault(errcode.CannotParseInputAssertionFailed, textCommas)
		return false
	}
	return true
}

// item notes that a row, a bad row or the closing bracket begins at a place.
func (p *parser) item(at int) {
	if p.out.first < 0 {
		p.out.first = at
	}
	p.out.trail = 0
}

// lookahead is how much of the text behind an error its message may show: with less of it in hand, the chunk is read on first.
const lookahead = 80

// bad takes back a row that failed. It returns true where the parsing goes on, behind the next newline.
func (p *parser) bad(start int, err *rowError) bool {
	p.rollback()
	out := p.out
	if !p.last && (err == more || err.at+lookahead > len(p.b)) {
		out.rest = start
		return false
	}
	if err == more {
		p.i = len(p.b)
		err = p.fault(errcode.CannotReadAllData, "the file ends inside a row")
	}
	p.item(start)
	if p.o.MaxErrors == 0 {
		out.err = err
		return false
	}
	nl := bytes.IndexByte(p.b[p.i:], '\n')
	if nl < 0 && !p.last { // the bad row goes on in the next chunk
		out.rest = start
		return false
	}
	out.skipped = append(out.skipped, *err)
	if nl < 0 || uint64(len(out.skipped)) > p.o.MaxErrors {
		p.i = len(p.b)
		return false
	}
	p.i += nl + 1
	return true
}

// maxCells bounds the rows of a block times its columns.
const maxCells = 2 << 20

// fresh begins a block: columns with room for as many rows as the rest of the chunk should have.
func (p *parser) fresh() {
	// The first block's rows are a guess; with thousands of columns a wrong one must not cost gigabytes.
	most := max(16, maxCells/max(1, len(p.o.Columns)))
	p.most = min(p.o.BlockRows, most, (len(p.b)-p.i)/p.avg*9/8+16)
	if p.cols, p.most = p.pool.take(p.most); p.cols == nil {
		p.cols = make([]column.Column, len(p.o.Columns))
		for k, c := range p.o.Columns {
			p.cols[k] = column.New(c.Type, p.most)
		}
	}
	for k := range p.slots {
		p.slots[k].attach(p.cols[k], p.most)
	}
	p.rows = 0
}

// flush puts the rows read so far into a block.
func (p *parser) flush() {
	if p.rows == 0 {
		return // columns without rows serve the next chunk
	}
	names := make([]string, len(p.cols))
	for k, c := range p.cols {
		names[k] = p.o.Columns[k].Name
		s := &p.slots[k]
		s.sync(c, p.rows)
		if s.op == opString {
			s.perRow = s.used / p.rows
		}
	}
	p.out.blocks = append(p.out.blocks, &column.Block{Names: names, Cols: p.cols, Rows: p.rows})
	if p.rows >= 16 {
		p.avg = max(1, (p.i-p.mark)/p.rows)
	}
	p.cols, p.rows = nil, 0
}

// rollback drops what a failed row has left in the columns.
func (p *parser) rollback() {
	for k, c := range p.cols {
		s := &p.slots[k]
		if s.op == opGeneral {
			c.Truncate(p.rows)
		} else {
			s.rewind(p.rows)
		}
	}
}
