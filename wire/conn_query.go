package wire

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io"
	"runtime/debug"
	"strconv"
	"time"

	"dictsvc/column"
	"dictsvc/errcode"
)

// stack is the current goroutine's, for the log.
func stack() string { return string(debug.Stack()) }

// runQuery reads a Query packet and all that belongs to it, has it answered, and ends the answer.
func (c *conn) runQuery() error {
	q := &c.query
	refusal := q.decode(&c.in, c.revision, c.limits, &c.words)
	if c.in.err != nil {
		return c.fatal(c.in.err)
	}
	if q.ID == "" {
		q.ID = newQueryID()
	}
	cancelled, err := c.readExternal(q)
	if err != nil {
		return c.fatal(err)
	}
	ctx, cancel := context.WithCancel(c.ctx)
	defer cancel()
	c.res.reset(q)
	q.Input = &c.res.input
	c.watch.begin(cancel, c.res.delay)
	if cancelled {
		c.watch.stopQuery()
	}
	err = refusal
	if err == nil {
		err = c.handle(ctx, q)
	}
	if err == nil && c.res.input.requested {
		err = c.res.input.drain(ctx)
	}
	c.res.input.close()
	c.watch.end()
	if c.watch.gone.Load() {
		return io.EOF
	}
	return c.finish(err)
}

func (c *conn) handle(ctx context.Context, q *Query) (err error) {
	defer c.recovered(&err)
	return c.session.Query(ctx, q, &c.res)
}

// finish writes the end of the answer: what closes a result, or the exception.
func (c *conn) finish(err error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	r := &c.res
	r.active = false
	if c.broken {
		return errcode.New(errcode.LogicalError, "packet left unfinished: %w", errOf(err, c.out.err))
	}
	if c.out.err != nil {
		return c.out.err
	}
	if r.input.err != nil { // the stream of packets is lost; the query's own error may say more
		return c.fatal(firstCoded(r.input.err, err))
	}
	if r.input.requested && !r.input.ended {
		c.skip, c.skipCompressed = true, c.query.Compressed
	}
	switch {
	case c.watch.cancelled.Load():
		r.data(serverData, nil, false)
		c.out.uvarint(serverEndOfStream)
	case err != nil:
		if c.srv.ctx.Err() != nil && errcode.Of(err) == errcode.UnknownException {
			err = errcode.New(errcode.QueryWasCancelled, "Query was cancelled: the server is shutting down")
		}
		encodeException(&c.out, err)
	default:
		r.closing()
		c.out.uvarint(serverEndOfStream)
	}
	c.out.spill()
	return c.out.err
}

// firstCoded is the first error that carries a code, else the first.
func firstCoded(errs ...error) error {
	for _, err := range errs {
		var coded *errcode.Error
		if errors.As(err, &coded) {
			return err
		}
	}
	return errs[0]
}

func errOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return io.ErrUnexpectedEOF
}

// readExternal reads what follows a Query packet up to the empty block that says go: external tables into q, scalars to be dropped (the text
// of the query holds their values already).
func (c *conn) readExternal(q *Query) (cancelled bool, err error) {
	left := c.limits.MaxExternalBytes
	for {
		c.sock.expect(readPacket)
		id := c.in.uvarint()
		if c.in.err != nil {
			return false, c.in.err
		}
		switch id {
		case clientCancel:
			cancelled = true
			continue
		case clientIgnoredParts:
			n := c.in.count("Ignored parts", c.limits.MaxSettings)
			c.in.skip(16 * uint64(n))
			continue
		case clientData, clientScalar:
		default:
			return false, errcode.New(errcode.UnexpectedPacketFromClient, "Unexpected packet %d from client: want the data of a query", id)
		}
		b, name, err := c.readData(q.Compressed)
		switch {
		case err != nil:
			return false, err
		case id == clientScalar:
			continue
		case b == nil:
			return cancelled, nil
		case name == "":
			return false, errcode.New(errcode.UnexpectedPacketFromClient, "Unexpected block of data before the server has asked for it")
		}
		left -= b.Bytes() + columnCost*len(b.Cols)
		if left < 0 || len(q.External) > c.limits.MaxSettings {
			return false, errcode.New(errcode.TooManyBytes, "External tables: want at most %d bytes", c.limits.MaxExternalBytes)
		}
		q.addExternal(name, b)
	}
}

// columnCost is what a column costs beside its rows; blocks may have many columns and few rows.
const columnCost = 256

func (q *Query) addExternal(name string, b *column.Block) {
	for i := range q.External {
		if e := &q.External[i]; e.Name == name {
			if b.Rows > 0 {
				e.Blocks = append(e.Blocks, b)
			}
			return
		}
	}
	e := External{Name: name, Header: column.Empty(b.Names, b.Types())}
	if b.Rows > 0 {
		e.Blocks = []*column.Block{b}
	}
	q.External = append(q.External, e)
}

// readData reads a Data or Scalar packet after its id: the table's name and a block, nil where it has no columns.
func (c *conn) readData(compressed bool) (*column.Block, string, error) {
	c.in.budget(c.limits.MaxBlockBytes)
	name := c.in.str("Name of a table", c.limits.MaxString)
	if !compressed {
		b := readBlock(&c.in, c.revision, c.limits, c.types)
		return b, name, c.in.err
	}
	if c.framed == nil {
		c.framed = newFrameReader(&c.in)
	}
	c.framed.reset()
	c.framed.budget(c.limits.MaxBlockBytes)
	b := readBlock(&c.framed.input, c.revision, c.limits, c.types)
	if c.framed.err == nil && c.framed.pos < len(c.framed.buf) {
		c.framed.fail(errcode.New(errcode.IncorrectData, "%d bytes behind the end of a compressed block", len(c.framed.buf)-c.framed.pos))
	}
	return b, name, c.framed.err
}

// newQueryID makes a random UUID.
func newQueryID() string {
	var b [16]byte
	rand.Read(b[:])
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	var s [36]byte
	hex.Encode(s[:8], b[:4])
	hex.Encode(s[9:13], b[4:6])
	hex.Encode(s[14:18], b[6:8])
	hex.Encode(s[19:23], b[8:10])
	hex.Encode(s[24:], b[10:])
	s[8], s[13], s[18], s[23] = '-', '-', '-', '-'
	return string(s[:])
}

// interactiveDelay is how often progress is told: the setting interactive_delay in microseconds, 100 ms where it is not given.
func interactiveDelay(q *Query) time.Duration {
	const usual, least = 100 * time.Millisecond, 10 * time.Millisecond
	v, ok := q.Setting("interactive_delay")
	if !ok {
		return usual
	}
	us, err := strconv.ParseUint(v, 10, 32)
	if err != nil {
		return usual
	}
	return max(time.Duration(us)*time.Microsecond, least)
}
