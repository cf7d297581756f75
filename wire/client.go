package wire

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"sync"
	"time"

	"dictsvc/errcode"
)

// ClientConfig says how to connect. The zero value logs in as "default" without a password and without compression.
type ClientConfig struct {
	User        string // "" for "default"
	Password    string
	Database    string // "" for the user's default
	ClientName  string // "" for "dictsvc"
	QuotaKey    string
	Compression Compression // how blocks travel; Uncompressed, LZ4 or ZSTD

	Revision       uint64        // claimed; 0 for Revision. Servers of any revision from MinRevision on are spoken to in theirs
	ConnectTimeout time.Duration // 10 s for connecting and the handshake
	ReadTimeout    time.Duration // 5 min without a byte from a server that owes an answer
	WriteTimeout   time.Duration // 5 min for the server to take what is sent
	Limits         Limits
	// Dial replaces the connecting to addr.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)
}

// Client is one connection to a server. It serves one request at a time and is not safe for use by several goroutines, except Close.
type Client struct {
	conf     ClientConfig
	limits   Limits
	nc       net.Conn
	sock     *socket
	server   ServerInfo
	revision uint64
	addr     string

	in     input
	inBuf  []byte
	framed *frameReader
	out    output
	frames *frameWriter
	types  typeCache

	busy   *Rows // the request under way
	broken error // why the connection cannot be used any more
	once   sync.Once
}

// Dial connects to addr (host:port), logs in, and returns the connection. Errors of the server carry its codes; those of the network
// NETWORK_ERROR or SOCKET_TIMEOUT.
func Dial(ctx context.Context, addr string, conf ClientConfig) (*Client, error) {
	def := func(s *string, v string) {
		if *s == "" {
			*s = v
		}
	}
	def(&conf.User, "default")
	def(&conf.ClientName, "dictsvc")
	if conf.Revision == 0 {
		conf.Revision = Revision
	}
	if conf.ConnectTimeout <= 0 {
		conf.ConnectTimeout = 10 * time.Second
	}
	if conf.Dial == nil {
		conf.Dial = new(net.Dialer).DialContext
	}
	ctx, cancel := context.WithTimeout(ctx, conf.ConnectTimeout)
	defer cancel()
	nc, err := conf.Dial(ctx, "tcp", addr)
	if err != nil {
		return nil, networkError(err, "connect to %s", addr)
	}
	c := &Client{conf: conf, nc: nc, addr: addr, types: typeCache{}}
	c.limits = conf.Limits
	c.limits.ReceiveTimeout, c.limits.SendTimeout = conf.ReadTimeout, conf.WriteTimeout
	c.limits = c.limits.withDefaults()
	c.sock = &socket{Conn: nc, limits: &c.limits, mode: readPacket}
	c.in = input{more: c.more, direct: func(p []byte) (int, error) { return c.read(p) }}
	c.out = output{drain: c.sock.write, limit: writeBuffer}
	stop := c.hook(ctx)
	err = c.handshake()
	stop()
	if err == nil { // the interrupt may have come just after the last byte
		err = ctx.Err()
	}
	if err != nil {
		c.Close()
		return nil, c.explain(ctx, err)
	}
	return c, nil
}

// Server is what the server said of itself.
func (c *Client) Server() ServerInfo { return c.server }

// Revision is the smaller of the two sides' revisions.
func (c *Client) Revision() uint64 { return c.revision }

// Addr is the address that was dialled.
func (c *Client) Addr() string { return c.addr }

// Close ends the connection; a request under way fails. It may be called from any goroutine and more than once.
func (c *Client) Close() error {
	var err error
	c.once.Do(func() { err = c.nc.Close() })
	return err
}

func (c *Client) more() error {
	if c.inBuf == nil {
		c.inBuf = make([]byte, writeBuffer)
	}
	n, err := c.read(c.inBuf)
	c.in.buf, c.in.pos = c.inBuf[:n], 0
	return err
}

// read waits ReadTimeout for each piece: a server may take its time between packets, and tells progress meanwhile.
func (c *Client) read(p []byte) (int, error) {
	c.sock.start = time.Time{}
	return c.sock.read(p, 0)
}

// hook lets ctx interrupt reads and writes until stop is called.
func (c *Client) hook(ctx context.Context) (stop func()) {
	if ctx.Done() == nil {
		return func() {}
	}
	done := make(chan struct{})
	unhook := context.AfterFunc(ctx, func() {
		c.sock.interrupt()
		c.nc.SetWriteDeadline(time.Unix(1, 0))
		close(done)
	})
	return func() {
		if !unhook() {
			<-done
		}
	}
}

// explain turns an error of the connection into one that says what happened, with a code.
func (c *Client) explain(ctx context.Context, err error) error {
	var coded *errcode.Error
	switch {
	case errors.As(err, &coded):
		return err
	case ctx.Err() != nil:
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return errcode.New(errcode.SocketTimeout, "%s: timeout exceeded: %w", c.addr, ctx.Err())
		}
		return errcode.New(errcode.QueryWasCancelled, "%s: cancelled: %w", c.addr, ctx.Err())
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return errcode.New(errcode.NetworkError, "%s: the server has closed the connection: %w", c.addr, io.ErrUnexpectedEOF)
	}
	return networkError(err, "%s", c.addr)
}

func networkError(err error, format string, args ...any) error {
	code := errcode.NetworkError
	if errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, context.DeadlineExceeded) {
		code = errcode.SocketTimeout
	}
	e := errcode.Wrap(err, format, args...).(*errcode.Error)
	e.Code = code
	return e
}

func (c *Client) handshake() error {
	h := clientHelloPacket{Name: c.conf.ClientName, Major: VersionMajor, Minor: VersionMinor, Revision: c.conf.Revision,
		Database: c.conf.Database, User: c.conf.User, Password: c.conf.Password}
	h.encode(&c.out)
	if c.out.spill(); c.out.err != nil {
		return c.out.err
	}
	switch id := c.in.uvarint(); {
	case c.in.err != nil:
		return c.in.err
	case id == serverException:
		return decodeException(&c.in, &c.limits)
	case id != serverHello:
		return errcode.New(errcode.UnexpectedPacketFromServer, "Unexpected packet from server %s: want Hello or Exception, got packet %d", c.addr, id)
	}
	if err := c.server.decode(&c.in, c.conf.Revision, &c.limits); err != nil {
		return err
	}
	c.revision = min(c.server.Revision, c.conf.Revision)
	if FeatureAddendum.In(c.revision) {
		c.out.str(c.conf.QuotaKey)
		c.out.spill()
	}
	return c.out.err
}

// begin readies the connection for a request.
func (c *Client) begin() error {
	switch {
	case c.broken != nil:
		return errcode.Wrap(c.broken, "%s: the connection cannot be used any more", c.addr)
	case c.busy != nil:
		return errcode.New(errcode.LogicalError, "%s: the connection is busy with another request", c.addr)
	}
	return nil
}

// abandon notes that the connection has lost its place in the stream of packets.
func (c *Client) abandon(err error) error {
	if c.broken == nil {
		c.broken = err
	}
	c.Close()
	return err
}

// roundTrip sends what is in the buffer and reads the answer.
func (c *Client) roundTrip(ctx context.Context, answer func() error) error {
	stop := c.hook(ctx)
	c.out.spill()
	err := c.out.err
	if err == nil {
		err = answer()
	}
	if err == nil {
		err = c.in.err
	}
	stop()
	if err == nil && ctx.Err() == nil {
		return nil
	}
	if err == nil { // the answer came just before the interrupt
		err = ctx.Err()
	}
	return c.abandon(c.explain(ctx, err))
}

// Ping asks the server for a sign of life.
func (c *Client) Ping(ctx context.Context) error {
	if err := c.begin(); err != nil {
		return err
	}
	c.out.uvarint(clientPing)
	return c.roundTrip(ctx, func() error {
		switch id := c.in.uvarint(); {
		case c.in.err != nil:
			return c.in.err
		case id == serverException:
			return decodeException(&c.in, &c.limits)
		case id != serverPong:
			return errcode.New(errcode.UnexpectedPacketFromServer, "Unexpected packet from server %s: want Pong, got packet %d", c.addr, id)
		}
		return nil
	})
}

// TablesStatus returns those of the tables that the server has.
func (c *Client) TablesStatus(ctx context.Context, tables []TableName) (known []TableName, err error) {
	if err := c.begin(); err != nil {
		return nil, err
	}
	encodeTablesRequest(&c.out, tables)
	err = c.roundTrip(ctx, func() error {
		switch id := c.in.uvarint(); {
		case c.in.err != nil:
			return c.in.err
		case id == serverException:
			return decodeException(&c.in, &c.limits)
		case id != serverTablesStatus:
			return errcode.New(errcode.UnexpectedPacketFromServer, "Unexpected packet from server %s: want TablesStatusResponse, got packet %d", c.addr, id)
		}
		known = decodeTablesResponse(&c.in, &c.limits)
		return c.in.err
	})
	return known, err
}
