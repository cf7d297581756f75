package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"time"

	"dictsvc/errcode"
)

// readBuffer and writeBuffer are the sizes of a connection's buffers; what grew over keepBuffer is given back after a query.
const (
	readBuffer  = 16 << 10
	writeBuffer = 64 << 10
	keepBuffer  = 256 << 10
)

// conn is one client's connection: a loop that reads a packet and answers it.
type conn struct {
	srv      *Server
	nc       net.Conn
	sock     *socket
	limits   *Limits
	session  Session
	revision uint64
	ctx      context.Context
	cancel   context.CancelFunc

	in     input // owned by the loop, and by the watcher while a query runs (watch.go)
	inBuf  []byte
	framed *frameReader

	mu     sync.Mutex // guards out and what is written through it: a query's answer, and its progress from a timer
	out    output
	frames *frameWriter
	broken bool // a packet has been written in part

	words words
	types typeCache
	query Query
	res   result
	watch watcher

	// skip is set when an INSERT has failed while its client may still be sending: the blocks up to the empty one are dropped.
	skip, skipCompressed bool
}

func newConn(s *Server, nc net.Conn) *conn {
	c := &conn{srv: s, nc: nc, limits: &s.limits, sock: &socket{Conn: nc, limits: &s.limits}, types: typeCache{}}
	c.ctx, c.cancel = context.WithCancel(s.ctx)
	c.in = input{more: c.more, direct: func(p []byte) (int, error) { return c.sock.read(p, c.in.taken) }}
	c.out = output{drain: c.sock.write, limit: writeBuffer}
	c.res.c = c
	c.watch.c = c
	return c
}

// more reads from the socket into the connection's buffer.
func (c *conn) more() error {
	if c.inBuf == nil {
		c.inBuf = make([]byte, readBuffer)
	}
	n, err := c.sock.read(c.inBuf, c.in.taken)
	c.in.buf, c.in.pos = c.inBuf[:n], 0
	return err
}

// serve runs the connection to its end.
func (c *conn) serve() {
	log := c.srv.Logger
	defer c.nc.Close()
	defer c.cancel()
	defer func() {
		if c.framed != nil {
			c.framed.close()
		}
		if p := recover(); p != nil {
			log.Error("connection failed", "from", c.nc.RemoteAddr(), "panic", p)
		}
	}()
	err := c.handshake()
	if err == nil {
		defer c.session.Close()
		err = c.loop()
	}
	switch {
	case err == nil, errors.Is(err, io.EOF), errors.Is(err, errInterrupted), errors.Is(err, net.ErrClosed):
		log.Debug("connection closed", "from", c.nc.RemoteAddr())
	default:
		log.Info("connection ended", "from", c.nc.RemoteAddr(), "error", err)
	}
}

// fatal tells the client why its connection ends. Errors of the connection itself cannot be told.
func (c *conn) fatal(err error) error {
	var coded *errcode.Error
	if !errors.As(err, &coded) || c.broken {
		return err
	}
	encodeException(&c.out, err)
	c.out.spill()
	c.sock.linger()
	return err
}

func (c *conn) handshake() error {
	c.nc.SetReadDeadline(time.Now().Add(c.limits.HandshakeTimeout))
	c.in.budget(8 * c.limits.MaxHelloString)
	if !c.in.fill() {
		return c.in.err
	}
	if first := c.in.buf[c.in.pos]; first == 'G' || first == 'P' || first == 'H' || first == 'O' {
		return c.refuseHTTP()
	}
	if id := c.in.uvarint(); id != clientHello || c.in.err != nil {
		if c.in.err != nil {
			return c.in.err
		}
		return c.fatal(errcode.New(errcode.UnexpectedPacketFromClient, "Unexpected packet from client: want Hello, got packet %d", id))
	}
	var p clientHelloPacket
	if err := p.decode(&c.in, c.limits); err != nil {
		return c.fatal(err)
	}
	c.revision = min(p.Revision, Revision)
	h := &Hello{ClientName: p.Name, Major: p.Major, Minor: p.Minor, Revision: c.revision, Database: p.Database, User: p.User, Password: p.Password,
		RemoteAddr: c.nc.RemoteAddr()}
	session, err := c.login(h)
	if err != nil {
		return c.fatal(err)
	}
	info := ServerInfo{Name: c.srv.Name, Major: VersionMajor, Minor: VersionMinor, Patch: VersionPatch, Revision: Revision,
		Timezone: c.srv.Timezone, DisplayName: c.srv.DisplayName}
	info.encode(&c.out, p.Revision)
	c.out.spill()
	if c.out.err == nil && FeatureAddendum.In(c.revision) {
		h.QuotaKey = readAddendum(&c.in, c.limits)
	}
	if err := errors.Join(c.out.err, c.in.err); err != nil {
		session.Close()
		return c.fatal(err)
	}
	c.session = session
	return nil
}

// login asks the Handler; a panic there refuses the one client.
func (c *conn) login(h *Hello) (s Session, err error) {
	defer c.recovered(&err)
	return c.srv.Handler.Login(c.ctx, h)
}

func (c *conn) refuseHTTP() error {
	port := ""
	if a, ok := c.nc.LocalAddr().(*net.TCPAddr); ok {
		port = fmt.Sprint(a.Port)
	}
	c.out.raw([]byte("HTTP/1.0 400 Bad Request\r\n\r\nPort " + port + " is for clickhouse-client program.\r\nThere is no HTTP interface.\r\n"))
	c.out.spill()
	c.sock.linger()
	return errors.New("HTTP request on the port of the native protocol")
}

// loop answers packets until the connection ends.
func (c *conn) loop() error {
	for {
		if c.srv.ctx.Err() != nil {
			return nil
		}
		c.sock.expect(readIdle)
		c.in.budget(0)
		if !c.in.fill() {
			return c.in.err
		}
		c.sock.expect(readPacket)
		c.in.budget(c.limits.MaxQuerySize + 64*c.limits.MaxString)
		if err := c.packet(); err != nil {
			return err
		}
		c.trim()
	}
}

// packet answers one packet; an error ends the connection.
func (c *conn) packet() error {
	id := c.in.uvarint()
	if id != clientData && id != clientScalar {
		c.skip = false
	}
	switch id {
	case clientQuery:
		return c.runQuery()
	case clientPing:
		c.out.uvarint(serverPong)
		c.out.spill()
		return c.out.err
	case clientTablesStatus:
		return c.tablesStatus()
	case clientCancel, clientKeepAlive: // a Cancel that came after its query's end
		return c.in.err
	case clientData, clientScalar:
		if c.skip {
			b, _, err := c.readData(c.skipCompressed)
			c.skip = b != nil
			if err != nil {
				return c.fatal(err)
			}
			return nil
		}
	}
	if c.in.err != nil {
		return c.in.err
	}
	if id > lastClientPacket {
		return c.fatal(errcode.New(errcode.UnknownPacketFromClient, "Unknown packet %d from client", id))
	}
	return c.fatal(errcode.New(errcode.UnexpectedPacketFromClient, "Unexpected packet %d from client: no query is running", id))
}

func (c *conn) tablesStatus() (err error) {
	tables := decodeTablesRequest(&c.in, c.limits)
	if c.in.err != nil {
		return c.fatal(c.in.err)
	}
	known := tables[:0]
	for _, t := range tables {
		if c.tableExists(t) {
			known = append(known, t)
		}
	}
	encodeTablesResponse(&c.out, known)
	c.out.spill()
	return c.out.err
}

func (c *conn) tableExists(t TableName) (ok bool) {
	var err error
	defer c.recovered(&err)
	return c.session.TableExists(t.Database, t.Table)
}

// resumeReads lets reads go on after an interrupt, unless it is the server itself that has ended.
func (c *conn) resumeReads() {
	c.sock.resume()
	if c.srv.ctx.Err() != nil {
		c.sock.interrupt()
	}
}

// recovered, deferred, turns a panic of the Handler into an error.
func (c *conn) recovered(err *error) {
	if p := recover(); p != nil {
		if e, ok := p.(*errcode.Error); ok { // too large a column
			*err = e
			return
		}
		c.srv.Logger.Error("internal error", "from", c.nc.RemoteAddr(), "panic", p, "stack", stack())
		*err = errcode.New(errcode.LogicalError, "internal error: %v", p)
	}
}

// trim gives back buffers that one large query has made.
func (c *conn) trim() {
	if cap(c.out.buf) > keepBuffer {
		c.out.buf = nil
	}
	if c.frames != nil && cap(c.frames.raw.buf)+cap(c.frames.tmp) > keepBuffer {
		c.frames.raw.buf, c.frames.tmp = nil, nil
	}
	if c.framed != nil && cap(c.framed.raw)+cap(c.framed.comp) > keepBuffer {
		c.framed.raw, c.framed.comp = nil, nil
	}
}
