package wire

import (
	"context"
	"errors"
	"io"
	"os"
	"time"

	"dictsvc/column"
	"dictsvc/errcode"
)

// Request is a query to a server.
type Request struct {
	SQL        string
	ID         string // "" lets the server make one
	Settings   []Setting
	Params     []Param
	External   []External
	Stage      Stage // the zero value stands for StageComplete
	OnProgress func(Progress)
}

// Rows is the answer to a query: its blocks in order, then totals and statistics.
type Rows struct {
	c       *Client
	req     *Request
	ctx     context.Context
	stop    func()
	header  *column.Block
	pending *column.Block // a first block that came without a header before it

	totals, extremes *column.Block
	progress         Progress
	profile          Profile
	err              error // io.EOF after the end
}

// Query sends a query and waits for the header of its answer, or its end where it has none. ctx bounds the whole request: when it ends before the
// last block is read, the query is cancelled and the connection closed. Rows must be read to the end or closed.
func (c *Client) Query(ctx context.Context, req *Request) (*Rows, error) {
	rows, err := c.send(ctx, req)
	if err != nil {
		return nil, err
	}
	b, err := rows.receive()
	switch {
	case err == io.EOF:
	case err != nil:
		return nil, err
	default:
		rows.header = column.Empty(b.Names, b.Types())
		if b.Rows > 0 {
			rows.pending = b
		}
	}
	return rows, nil
}

// Exec runs a query and drops its rows.
func (c *Client) Exec(ctx context.Context, req *Request) error {
	rows, err := c.Query(ctx, req)
	if err != nil {
		return err
	}
	for {
		if _, err := rows.Next(); err != nil {
			if err == io.EOF {
				return nil
			}
			return err
		}
	}
}

// send writes the Query packet with its external tables and the end marker.
func (c *Client) send(ctx context.Context, req *Request) (*Rows, error) {
	if err := c.begin(); err != nil {
		return nil, err
	}
	q := Query{ID: req.ID, SQL: req.SQL, Stage: req.Stage, Params: req.Params, Compressed: c.conf.Compression != Uncompressed}
	if q.Stage == StageFetchColumns {
		q.Stage = StageComplete
	}
	q.Settings = req.Settings
	if c.conf.Compression == ZSTD { // the method of the server's blocks
		q.Settings = append([]Setting{{Name: "network_compression_method", Value: "zstd"}}, req.Settings...)
	}
	q.Client = c.info()
	mark := len(c.out.buf)
	if err := q.encode(&c.out, c.revision); err != nil {
		c.out.buf = c.out.buf[:min(mark, len(c.out.buf))]
		return nil, err
	}
	rows := &Rows{c: c, req: req, ctx: ctx, stop: c.hook(ctx)}
	c.busy = rows
	for i := range req.External {
		e := &req.External[i]
		if len(e.Blocks) == 0 && e.Header != nil {
			c.data(e.Name, e.Header, false)
		}
		for _, b := range e.Blocks {
			c.data(e.Name, b, true)
		}
	}
	c.data("", nil, false)
	if c.out.spill(); c.out.err != nil {
		return nil, rows.fail(c.out.err)
	}
	return rows, nil
}

func (c *Client) info() ClientInfo {
	host, _ := os.Hostname()
	return ClientInfo{Kind: KindInitial, InitialAddress: "[::]:0", StartTimeUS: time.Now().UnixMicro(), Interface: interfaceTCP,
		OSUser: os.Getenv("USER"), Hostname: host, ClientName: c.conf.ClientName, Major: VersionMajor, Minor: VersionMinor, Patch: VersionPatch,
		Revision: c.conf.Revision, QuotaKey: c.conf.QuotaKey}
}

// data writes a Data packet; nil is the empty block.
func (c *Client) data(name string, b *column.Block, rows bool) {
	c.out.uvarint(clientData)
	c.out.str(name)
	if c.conf.Compression == Uncompressed {
		writeBlock(&c.out, b, rows, c.revision)
		return
	}
	if c.frames == nil {
		c.frames = newFrameWriter(&c.out)
	}
	c.frames.method = c.conf.Compression
	writeBlock(&c.frames.raw, b, rows, c.revision)
	c.frames.raw.spill()
	if c.out.err == nil {
		c.out.err = c.frames.raw.err
	}
}

// Header has the names and types of the result; nil where the query has none (CREATE, SET, ...).
func (r *Rows) Header() *column.Block { return r.header }

// Totals is the row of WITH TOTALS, nil without; known after the last block.
func (r *Rows) Totals() *column.Block { return r.totals }

// Extremes is the least and greatest values, nil without; known after the last block.
func (r *Rows) Extremes() *column.Block { return r.extremes }

// Progress is the sum of what the server has told so far.
func (r *Rows) Progress() Progress { return r.progress }

// Profile is the statistics of the result; known after the last block.
func (r *Rows) Profile() Profile { return r.profile }

// Next returns the next block with rows; io.EOF after the last. Blocks may be kept.
func (r *Rows) Next() (*column.Block, error) {
	if b := r.pending; b != nil {
		r.pending = nil
		return b, nil
	}
	for {
		b, err := r.receive()
		if err != nil || b.Rows > 0 {
			return b, err
		}
	}
}

// receive reads packets until one brings a block, with rows or without.
func (r *Rows) receive() (*column.Block, error) {
	if r.err != nil {
		return nil, r.err
	}
	c := r.c
	for {
		id := c.in.uvarint()
		if c.in.err != nil {
			return nil, r.fail(c.in.err)
		}
		switch id {
		case serverData:
			b, err := c.readData(c.conf.Compression != Uncompressed)
			if err != nil {
				return nil, r.fail(err)
			}
			if b != nil {
				return b, nil
			}
		case serverEndOfStream:
			r.end(io.EOF)
			return nil, io.EOF
		case serverException:
			err := decodeException(&c.in, &c.limits)
			if c.in.err != nil {
				return nil, r.fail(err)
			}
			r.end(err)
			return nil, err
		default:
			if err := r.aside(id); err != nil {
				return nil, r.fail(err)
			}
		}
	}
}

// aside reads a packet that brings no rows.
func (r *Rows) aside(id uint64) (err error) {
	c := r.c
	switch id {
	case serverProgress:
		var p Progress
		p.decode(&c.in, c.revision)
		r.progress.add(p)
		if r.req.OnProgress != nil && c.in.err == nil {
			r.req.OnProgress(p)
		}
	case serverProfile:
		r.profile.decode(&c.in)
	case serverTotals:
		r.totals, err = c.readData(c.conf.Compression != Uncompressed)
	case serverExtremes:
		r.extremes, err = c.readData(c.conf.Compression != Uncompressed)
	case serverLog, serverProfileEvents:
		_, err = c.readData(false)
	case serverTableColumns:
		c.in.str("Table name", c.limits.MaxString)
		c.in.str("Description of columns", 64*c.limits.MaxString)
	case serverTimezoneUpdate:
		c.in.str("Time zone", c.limits.MaxString)
	default:
		return errcode.New(errcode.UnknownPacketFromServer, "Unknown packet %d from server %s", id, c.addr)
	}
	if err == nil {
		err = c.in.err
	}
	return err
}

// readData reads a packet with a block after its id.
func (c *Client) readData(compressed bool) (*column.Block, error) {
	c.in.budget(c.limits.MaxBlockBytes)
	defer c.in.budget(0)
	c.in.str("Name of a table", c.limits.MaxString)
	if !compressed {
		b := readBlock(&c.in, c.revision, &c.limits, c.types)
		return b, c.in.err
	}
	if c.framed == nil {
		c.framed = newFrameReader(&c.in)
	}
	c.framed.reset()
	c.framed.budget(c.limits.MaxBlockBytes)
	b := readBlock(&c.framed.input, c.revision, &c.limits, c.types)
	return b, c.framed.err
}

// end frees the connection for the next request. An interrupt that came meanwhile has broken it.
func (r *Rows) end(err error) {
	r.err = err
	r.stop()
	r.c.busy = nil
	if r.ctx.Err() != nil {
		r.c.abandon(r.c.explain(r.ctx, r.ctx.Err()))
	}
}

// fail ends the request and the connection.
func (r *Rows) fail(err error) error {
	if r.ctx.Err() != nil && (errors.Is(err, errInterrupted) || errors.Is(err, os.ErrDeadlineExceeded)) {
		r.c.sendCancel()
	}
	r.err = r.c.explain(r.ctx, err)
	r.stop()
	r.c.busy = nil
	r.c.abandon(r.err)
	return r.err
}

// sendCancel tells the server that nobody waits for its answer any more, as far as that can be done at once.
func (c *Client) sendCancel() {
	c.nc.SetWriteDeadline(time.Now().Add(100 * time.Millisecond))
	c.nc.Write([]byte{clientCancel})
}

// closePatience is how long Close waits for a server to end a cancelled query before it gives the connection up.
const closePatience = 5 * time.Second

// Close ends a request before its last block: the query is cancelled and what is still on the way is dropped, so that the
// connection can be used again. After the end it does nothing.
func (r *Rows) Close() error {
	if r.err != nil {
		return nil
	}
	r.pending = nil
	r.c.sendCancel()
	patience := time.AfterFunc(closePatience, r.c.sock.interrupt)
	for r.err == nil {
		r.receive()
	}
	if !patience.Stop() {
		r.c.abandon(errcode.New(errcode.SocketTimeout, "%s: the server did not end a cancelled query within %v", r.c.addr, closePatience))
	}
	r.c.sock.sendArms = time.Time{} // Cancel has gone out under a deadline of its own
	return r.c.broken
}
