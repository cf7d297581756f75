package wire

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"sync"
	"time"

	"dictsvc/errcode"
)

// Server answers clients of ClickHouse's native protocol. Its fields must not change once Serve has been called.
type Server struct {
	Handler     Handler
	Limits      Limits
	Logger      *slog.Logger // nil for none
	Name        string       // in the handshake; "" for "dictsvc"
	DisplayName string       // the prompt of interactive clients; "" for Name
	Timezone    string       // an IANA name; "" for UTC. clickhouse-go refuses others

	mu        sync.Mutex
	listeners map[net.Listener]struct{}
	conns     map[*conn]struct{}
	closing   bool
	wg        sync.WaitGroup
	limits    Limits
	once      sync.Once
	ctx       context.Context // ends when the server shuts down
	cancel    context.CancelFunc
	refusals  chan struct{} // bounds the connections that are being refused
}

// ErrServerClosed is what Serve returns after Shutdown or Close.
var ErrServerClosed = errors.New("wire: server closed")

// maxRefusals is how many surplus connections are told why at a time; further ones are cut at once.
const maxRefusals = 64

func (s *Server) setup() {
	s.once.Do(func() {
		s.limits = s.Limits.withDefaults()
		s.ctx, s.cancel = context.WithCancel(context.Background())
		s.conns = map[*conn]struct{}{}
		s.listeners = map[net.Listener]struct{}{}
		s.refusals = make(chan struct{}, maxRefusals)
		if s.Logger == nil {
			s.Logger = slog.New(slog.DiscardHandler)
		}
		if s.Name == "" {
			s.Name = "dictsvc"
		}
		if s.DisplayName == "" {
			s.DisplayName = s.Name
		}
		if s.Timezone == "" {
			s.Timezone = "UTC"
		}
	})
}

// ListenAndServe listens on a TCP address and serves it.
func (s *Server) ListenAndServe(addr string) error {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	return s.Serve(l)
}

// Serve accepts connections until the listener fails or the server is shut down. It closes the listener.
func (s *Server) Serve(l net.Listener) error {
	s.setup()
	defer l.Close()
	s.mu.Lock()
	if s.closing {
		s.mu.Unlock()
		return ErrServerClosed
	}
	s.listeners[l] = struct{}{}
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		delete(s.listeners, l)
		s.mu.Unlock()
	}()
	for delay := time.Duration(0); ; {
		nc, err := l.Accept()
		if err == nil {
			delay = 0
			s.start(nc)
			continue
		}
		if s.ctx.Err() != nil {
			return ErrServerClosed
		}
		var ne net.Error
		if !errors.As(err, &ne) || errors.Is(err, net.ErrClosed) {
			return err
		}
		// Out of file descriptors, most likely: wait for connections to end.
		delay = min(max(2*delay, 5*time.Millisecond), time.Second)
		s.Logger.Warn("accept failed", "error", err, "retry_in", delay)
		select {
		case <-time.After(delay):
		case <-s.ctx.Done():
		}
	}
}

func (s *Server) start(nc net.Conn) {
	s.mu.Lock()
	switch {
	case s.closing:
		nc.Close()
	case len(s.conns) >= s.limits.MaxConnections:
		select {
		case s.refusals <- struct{}{}:
			s.wg.Add(1)
			go s.refuse(nc)
		default:
			nc.Close()
		}
	default:
		c := newConn(s, nc)
		s.conns[c] = struct{}{}
		s.wg.Add(1)
		go func() {
			defer s.wg.Done()
			defer s.forget(c)
			c.serve()
		}()
	}
	s.mu.Unlock()
}

func (s *Server) forget(c *conn) {
	s.mu.Lock()
	delete(s.conns, c)
	s.mu.Unlock()
}

// refuse tells a surplus client why it is turned away. The client's Hello is read first, so that closing does not destroy the answer.
func (s *Server) refuse(nc net.Conn) {
	defer s.wg.Done()
	defer func() { <-s.refusals }()
	defer nc.Close()
	nc.SetDeadline(time.Now().Add(time.Second))
	var hello [4096]byte
	if _, err := nc.Read(hello[:]); err != nil {
		return
	}
	var w output
	encodeException(&w, errcode.New(errcode.NoFreeConnection, "Too many connections. Maximum: %d", s.limits.MaxConnections))
	nc.Write(w.buf)
	s.Logger.Warn("connection refused: too many connections", "from", nc.RemoteAddr(), "limit", s.limits.MaxConnections)
}

// Connections is the number of open connections.
func (s *Server) Connections() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.conns)
}

// Shutdown stops accepting, cancels running queries, closes idle connections and waits for all to end. When ctx ends first, the remaining
// connections are cut and its error is returned once they are gone.
func (s *Server) Shutdown(ctx context.Context) error {
	s.stop()
	done := make(chan struct{})
	go func() { s.wg.Wait(); close(done) }()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
	}
	s.mu.Lock()
	for c := range s.conns {
		c.nc.Close()
	}
	s.mu.Unlock()
	<-done
	return ctx.Err()
}

// Close is Shutdown without patience.
func (s *Server) Close() error {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	s.Shutdown(ctx)
	return nil
}

func (s *Server) stop() {
	s.setup()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closing = true
	s.cancel()
	for l := range s.listeners {
		l.Close()
	}
	for c := range s.conns {
		c.sock.interrupt()
	}
}
