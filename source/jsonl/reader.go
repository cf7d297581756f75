package jsonl

import (
	"bytes"
	"context"
	"errors"
	"io"
	"sync"
	"sync/atomic"

	"dictsvc/column"
	"dictsvc/errcode"
)

// Reader is a source of blocks; see the package comment. Next is called from one goroutine.
type Reader struct {
	o    Options
	in   *input
	jobs chan *job // in the order of the input
	work chan *job
	stop chan struct{}
	once sync.Once
	wg   sync.WaitGroup // of the parsing goroutines
	read chan struct{}  // closed when the reading goroutine has ended
	free chan []byte
	pool *pool

	seq     *parser     // for what must be parsed in sequence
	serial  atomic.Bool // chunks keep ending inside rows: parsing them ahead is of no use
	misfits int         // chunks in a row that had to be parsed in sequence
	rest    []byte      // an unfinished row, in front of the next chunk
	need    int         // bytes that rest must have before it is worth parsing again
	state   arrayState
	commas  int  // since the last row
	any     bool // a row has come
	line    uint64
	rows    atomic.Uint64
	skipped atomic.Uint64
	blocks  []*column.Block
	err     error
}

// job is a chunk on its way through the workers.
type job struct {
	data   []byte
	last   bool
	err    error // reading failed behind data
	done   chan struct{}
	parsed bool
	out    result
}

// Open opens a file ("-": standard input).
func Open(path string, o Options) (*Reader, error) {
	in, err := openInput(path)
	if err != nil {
		return nil, err
	}
	if o.Name == "" {
		o.Name = path
	}
	return newReader(in, o), nil
}

// New reads from r, plain or packed.
func New(r io.Reader, o Options) (*Reader, error) {
	in, err := newInput(r, nil)
	if err != nil {
		return nil, err
	}
	return newReader(in, o), nil
}

func newReader(in *input, o Options) *Reader {
	o = o.withDefaults()
	r := &Reader{o: o, in: in, stop: make(chan struct{}), read: make(chan struct{}), jobs: make(chan *job, o.Threads+1), work: make(chan *job, o.Threads+1),
		free: make(chan []byte, 2*o.Threads+4), pool: &pool{keep: 2*o.Threads + 4, able: true}}
	for _, c := range o.Columns {
		r.pool.able = r.pool.able && !o.general && newSlot(c).op != opGeneral
	}
	r.wg.Add(o.Threads)
	go r.readChunks()
	for range o.Threads {
		go r.parseChunks()
	}
	return r
}

// Header lists the columns.
func (r *Reader) Header() ([]string, []*column.Type) {
	names, types := make([]string, len(r.o.Columns)), make([]*column.Type, len(r.o.Columns))
	for i, c := range r.o.Columns {
		names[i], types[i] = c.Name, c.Type
	}
	return names, types
}

// Progress tells the rows given out, the bytes read of the file and its size (0: not known). Any goroutine may ask.
func (r *Reader) Progress() (rows, bytes, total uint64) {
	return r.rows.Load(), r.in.read.Load(), r.in.total
}

// Skipped is the number of bad rows left out so far.
func (r *Reader) Skipped() uint64 { return r.skipped.Load() }

// Recycle takes back a block that is no longer used, for the memory.
func (r *Reader) Recycle(b *column.Block) { r.pool.give(b.Cols) }

// Close ends the goroutines and closes the file.
func (r *Reader) Close() error {
	var err error
	r.once.Do(func() {
		close(r.stop)
		err = r.in.interrupt() // a read from a pipe may wait for ever
		r.wg.Wait()
		if r.in.file != nil { // else only the owner of the input can end a read
			<-r.read
		}
		r.forget()
	})
	return err
}

// forget leaves the memory kept for blocks and chunks to the collector, whoever still holds the reader.
func (r *Reader) forget() {
	r.pool.empty()
	for {
		select {
		case <-r.free:
		default:
			return
		}
	}
}

func (r *Reader) buffer() []byte {
	select {
	case b := <-r.free:
		return b[:0]
	default:
		return make([]byte, 0, r.o.ChunkSize+r.o.ChunkSize/8+padding)
	}
}

func (r *Reader) recycle(b []byte) {
	if cap(b) > 4*(r.o.ChunkSize+padding) {
		return
	}
	select {
	case r.free <- b:
	default:
	}
}

// readChunks cuts the input at newlines; what follows the last newline of a chunk goes in front of the next.
func (r *Reader) readChunks() {
	defer close(r.read)
	defer r.in.release()
	defer close(r.jobs)
	defer close(r.work)
	carry := make([]byte, len(byteOrderMark))
	n, err := fill(r.in.r, carry)
	if carry = carry[:n]; string(carry) == byteOrderMark {
		carry = nil
	}
	for {
		buf := append(r.buffer(), carry...)
		start := len(buf)
		buf = grow(buf, start+r.o.ChunkSize)
		if n = 0; err == nil {
			n, err = fill(r.in.r, buf[start:])
		}
		buf = buf[:start+n]
		j := &job{data: buf, done: make(chan struct{})}
		carry = carry[:0]
		if err != nil {
			j.last = true
			if err != io.EOF {
				j.err = err
			}
		} else if cut := lastRow(buf); cut > 0 {
			carry = append(carry, buf[cut:]...)
			j.data = buf[:cut]
		}
		for _, c := range []chan *job{r.jobs, r.work} {
			select {
			case c <- j:
			case <-r.stop:
				return
			}
		}
		if j.last {
			return
		}
	}
}

const byteOrderMark = "\ufeff" // of UTF-8; some programs put it in front of a file

// fill reads until b is full or the input ends. Unlike io.ReadFull it leaves errors as they are: an input that is cut short must not be
// taken for one that ends.
func fill(r io.Reader, b []byte) (n int, err error) {
	for idle := 0; n < len(b) && err == nil; {
		var k int
		k, err = r.Read(b[n:])
		n += k
		if idle++; k > 0 {
			idle = 0
		} else if idle == 100 {
			err = io.ErrNoProgress
		}
	}
	return n, err
}

// lastRow finds a place near the end of b where a row is likely to begin: behind a newline, if possible in front of a brace (rows that
// are indented over several lines begin so). 0: there is none.
func lastRow(b []byte) int {
	newline := bytes.LastIndexByte(b, '\n')
	if newline < 0 {
		return 0
	}
	const window = 64 << 10
	from := max(0, len(b)-window)
	if k := bytes.LastIndex(b[from:], []byte("\n{")); k >= 0 {
		return from + k + 1
	}
	return newline + 1
}

func grow(b []byte, n int) []byte {
	if cap(b) >= n+padding {
		return b[:n]
	}
	c := make([]byte, n, n+padding)
	copy(c, b)
	return c
}

func (r *Reader) parseChunks() {
	defer r.wg.Done()
	p := newParser(&r.o, r.pool)
	for {
		select {
		case <-r.stop:
			return
		case j, ok := <-r.work:
			if !ok {
				return
			}
			j.data = pad(j.data)
			if !r.serial.Load() {
				p.parse(j.data, j.last && j.err == nil, &j.out)
				j.parsed = true
			}
			close(j.done)
		}
	}
}

// Next returns the next block, io.EOF at the end.
func (r *Reader) Next(ctx context.Context) (*column.Block, error) {
	for len(r.blocks) == 0 && r.err == nil {
		if err := r.advance(ctx); err != nil {
			r.err = err
		}
	}
	if len(r.blocks) > 0 {
		b := r.blocks[0]
		r.blocks = r.blocks[1:]
		r.rows.Add(uint64(b.Rows))
		return b, nil
	}
	return nil, r.err
}

var errClosed = errors.New("the reader is closed")

func (r *Reader) advance(ctx context.Context) error {
	var j *job
	ok := false
	select {
	case j, ok = <-r.jobs:
	case <-ctx.Done():
		return ctx.Err()
	case <-r.stop:
		return errClosed
	}
	if !ok {
		return io.EOF
	}
	select {
	case <-j.done:
	case <-ctx.Done():
		return ctx.Err()
	case <-r.stop:
		return errClosed
	}
	data, out := j.data, &j.out
	if len(r.rest) > 0 || !j.parsed {
		r.misfits++
		r.serial.Store(r.misfits >= 4 && r.misfits%16 != 0) // now and then it is worth a try
		if len(r.rest) > 0 {
			r.rest = append(r.rest, data...)
			data = pad(r.rest)
			r.rest = data
		}
		if len(data) < r.need && !j.last {
			r.recycle(j.data)
			return r.checkRow(len(data))
		}
		if r.seq == nil {
			r.seq = newParser(&r.o, r.pool)
		}
		r.seq.parse(data, j.last && j.err == nil, out)
	} else {
		r.misfits = 0
	}
	if err := r.take(data, out, j.last && j.err == nil); err != nil {
		return err
	}
	if j.err != nil {
		return errcode.Wrap(j.err, "file %q: line %d", r.o.Name, r.line+1)
	}
	left := data[out.rest:]
	if err := r.checkRow(len(left)); err != nil {
		return err
	}
	r.need = 0
	if out.rest == 0 {
		r.need = 2 * len(left) // a row of many chunks is not looked at for each of them
	}
	r.rest = append(r.rest[:0], left...)
	r.recycle(j.data)
	return nil
}

// checkRow bounds the memory for one row.
func (r *Reader) checkRow(n int) error {
	if n <= r.o.MaxRowBytes {
		return nil
	}
	return errcode.New(errcode.IncorrectData, "file %q: line %d: a row is longer than %d bytes", r.o.Name, r.line+1, r.o.MaxRowBytes)
}

// arrayState follows the brackets of the array form over the chunks.
type arrayState uint8

const (
	atStart arrayState = iota
	inList             // rows without an array
	inArray
	behindArray
)

// take checks a chunk's result against what came before and hands its blocks on.
func (r *Reader) take(data []byte, out *result, last bool) error {
	fault := func(at int, code errcode.Code, text string) error {
		return errcode.New(code, "file %q: line %d: %s", r.o.Name, r.line+1+newlines(data[:at]), text)
	}
	const assertion = errcode.CannotParseInputAssertionFailed
	if out.opened {
		switch {
		case r.state == behindArray:
			return fault(out.openedAt, assertion, textBehindArray)
		case r.state != atStart || r.commas > 0:
			return fault(out.openedAt, assertion, textNestedArray)
		}
		r.state = inArray
	}
	allowed := 0 // commas here
	if r.any {
		allowed = 1 - r.commas
	}
	switch {
	case out.lead > 0 && r.state == behindArray:
		return fault(out.leadAt[0], assertion, textBehindArray)
	case out.lead > allowed && !r.any:
		return fault(out.leadAt[0], assertion, "got a comma in front of the first row")
	case out.lead > allowed:
		return fault(out.leadAt[allowed], assertion, textCommas)
	}
	r.commas += out.lead
	if out.first >= 0 {
		closes := data[out.first] == ']'
		switch {
		case r.state == behindArray:
			return fault(out.first, assertion, textBehindArray)
		case closes && (r.state != inArray || r.commas > 0):
			return fault(out.first, assertion, textNoArray)
		case r.state == atStart:
			r.state = inList
		}
		r.any = r.any || !closes
		r.commas = out.trail
	}
	for k := range out.skipped {
		if r.skipped.Add(1) > r.o.MaxErrors {
			return r.rowError(data, &out.skipped[k])
		}
	}
	r.blocks = append(r.blocks, out.blocks...)
	if out.closed {
		if r.state != inArray {
			return fault(out.closedAt, assertion, textNoArray)
		}
		r.state = behindArray
	}
	if out.err != nil {
		return r.rowError(data, out.err)
	}
	if last && r.state == inArray {
		return fault(len(data), errcode.CannotReadAllData, "the file ends inside an array; want ']'")
	}
	r.line += out.lines
	return nil
}

func newlines(b []byte) uint64 { return uint64(bytes.Count(b, []byte{'\n'})) }

func (r *Reader) rowError(data []byte, e *rowError) error {
	line := r.line + 1 + newlines(data[:min(e.at, len(data))])
	if e.column != "" {
		return errcode.New(e.code, "file %q: line %d, column %q: %s", r.o.Name, line, e.column, e.text)
	}
	return errcode.New(e.code, "file %q: line %d: %s", r.o.Name, line, e.text)
}
