package jsonl

import (
	"bytes"
	"context"
	"errors"
	"io"
	"sync"

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
	wg   sync.WaitGroup

	seq     *parser // set once the input must be read in sequence
	rest    []byte  // of an unfinished row, in front of the next chunk
	state   arrayState
	line    uint64 // newlines before the chunk in hand
	rows    uint64
	skipped uint64 // bad rows
	blocks  []*column.Block
	err     error
	free    chan []byte
}

// job is a chunk on its way through the workers.
type job struct {
	data []byte
	last bool
	err  error // reading failed behind data
	done chan struct{}
	out  result
}

// result is what a chunk gave.
type result struct {
	blocks  []*column.Block
	rest    int // where an unfinished row begins; len(data) where there is none
	skipped []rowError
	opened  bool // a '[' stood before the first row
	closed  bool // a ']' stood behind the last row
	rows    uint64
	err     *rowError
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

// New reads from r.
func New(r io.Reader, o Options) (*Reader, error) {
	in, err := newInput(r, nil)
	if err != nil {
		return nil, err
	}
	return newReader(in, o), nil
}

func newReader(in *input, o Options) *Reader {
	o = o.withDefaults()
	r := &Reader{o: o, in: in, stop: make(chan struct{}), jobs: make(chan *job, o.Threads+1), work: make(chan *job, o.Threads+1), free: make(chan []byte, 2*o.Threads+4)}
	r.wg.Add(1 + o.Threads)
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

// Progress tells the rows given out, the bytes read of the file and its size (0: not known).
func (r *Reader) Progress() (rows, bytes, total uint64) { return r.rows, r.in.read.Load(), r.in.total }

// Skipped is the number of bad rows left out so far.
func (r *Reader) Skipped() uint64 { return r.skipped }

// Close ends the goroutines and closes the file.
func (r *Reader) Close() error {
	r.once.Do(func() { close(r.stop) })
	r.wg.Wait()
	if r.in.close != nil {
		c := r.in.close
		r.in.close = nil
		return c()
	}
	return nil
}

func (r *Reader) buffer() []byte {
	select {
	case b := <-r.free:
		return b[:0]
	default:
		return make([]byte, 0, r.o.ChunkSize+r.o.ChunkSize/8)
	}
}

func (r *Reader) recycle(b []byte) {
	if cap(b) > 4*r.o.ChunkSize {
		return
	}
	select {
	case r.free <- b:
	default:
	}
}

// readChunks cuts the input at newlines: a chunk ends behind the last newline in it, what follows goes in front of the next.
func (r *Reader) readChunks() {
	defer r.wg.Done()
	defer close(r.jobs)
	defer close(r.work)
	var carry []byte
	for {
		buf := append(r.buffer(), carry...)
		start := len(buf)
		buf = growTo(buf, start+r.o.ChunkSize)
		n, err := io.ReadFull(r.in.r, buf[start:])
		buf = buf[:start+n]
		j := &job{data: buf, done: make(chan struct{})}
		if err != nil {
			j.last = true
			if !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
				j.err = err
			} else if _, broken := err.(*errcode.Error); broken {
				j.err = err
			}
			carry = nil
		} else if cut := bytes.LastIndexByte(buf, '\n'); cut >= 0 {
			carry = append(carry[:0], buf[cut+1:]...)
			j.data = buf[:cut+1]
		} else if len(buf) < r.o.MaxRowBytes && len(buf) < 1<<20 && r.o.ChunkSize < 1<<20 { // tiny chunks, as in tests: a row may be longer
			carry = append(carry[:0], buf...)
			r.recycle(buf)
			continue
		} else {
			carry = carry[:0]
		}
		select {
		case r.jobs <- j:
		case <-r.stop:
			return
		}
		select {
		case r.work <- j:
		case <-r.stop:
			return
		}
		if j.last {
			return
		}
	}
}

func growTo(b []byte, n int) []byte {
	if cap(b) >= n {
		return b[:n]
	}
	c := make([]byte, n)
	copy(c, b)
	return c
}

func (r *Reader) parseChunks() {
	defer r.wg.Done()
	p := newParser(&r.o)
	for {
		select {
		case <-r.stop:
			return
		case j, ok := <-r.work:
			if !ok {
				return
			}
			p.parse(j.data, j.last, &j.out)
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
		r.rows += uint64(b.Rows)
		return b, nil
	}
	return nil, r.err
}

func (r *Reader) advance(ctx context.Context) error {
	var j *job
	var ok bool
	select {
	case j, ok = <-r.jobs:
	case <-ctx.Done():
		return ctx.Err()
	}
	if !ok {
		return io.EOF
	}
	select {
	case <-j.done:
	case <-ctx.Done():
		return ctx.Err()
	case <-r.stop:
		return io.EOF
	}
	data, out := j.data, &j.out
	if r.seq != nil || len(r.rest) > 0 {
		// A row began in the chunk before: this chunk's own result is of no use.
		if r.seq == nil {
			r.seq = newParser(&r.o)
		}
		data = append(r.rest, data...)
		r.rest = nil
		r.seq.parse(data, j.last, out)
	}
	if err := r.take(data, out, j.last); err != nil {
		return err
	}
	if j.err != nil {
		return errcode.Wrap(j.err, "file %q: line %d", r.o.Name, r.line+1)
	}
	if out.rest < len(data) {
		if len(data)-out.rest > r.o.MaxRowBytes {
			return errcode.New(errcode.IncorrectData, "file %q: line %d: a row is longer than %d bytes", r.o.Name, r.line+1, r.o.MaxRowBytes)
		}
		r.rest = append([]byte(nil), data[out.rest:]...)
	}
	r.recycle(j.data)
	return nil
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
		return errcode.New(code, "file %q: line %d: %s", r.o.Name, r.line+1+uint64(bytes.Count(data[:at], []byte{'\n'})), text)
	}
	if out.opened {
		if r.state != atStart {
			return fault(0, errcode.CannotParseInputAssertionFailed, "got '[', want '{': only a whole file can be one array")
		}
		r.state = inArray
	}
	if out.rows > 0 || len(out.skipped) > 0 {
		switch r.state {
		case behindArray:
			return fault(0, errcode.CannotParseInputAssertionFailed, "data behind the closing ']' of the array")
		case atStart:
			r.state = inList
		}
	}
	for _, e := range out.skipped {
		r.skipped++
		if r.skipped > r.o.MaxErrors {
			return r.rowError(data, &e)
		}
	}
	r.blocks = append(r.blocks, out.blocks...)
	if out.err != nil {
		return r.rowError(data, out.err)
	}
	if out.closed {
		if r.state != inArray {
			return fault(out.rest, errcode.CannotParseInputAssertionFailed, "got ']', want '{'")
		}
		r.state = behindArray
	}
	if last && out.rest == len(data) && r.state == inArray {
		return fault(len(data), errcode.CannotReadAllData, "the file ends inside an array; want ']'")
	}
	r.line += uint64(bytes.Count(data[:out.rest], []byte{'\n'}))
	return nil
}

func (r *Reader) rowError(data []byte, e *rowError) error {
	line := r.line + 1 + uint64(bytes.Count(data[:min(e.at, len(data))], []byte{'\n'}))
	if e.column != "" {
		return errcode.New(e.code, "file %q: line %d, column %q: %s", r.o.Name, line, e.column, e.text)
	}
	return errcode.New(e.code, "file %q: line %d: %s", r.o.Name, line, e.text)
}
