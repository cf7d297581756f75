// Package server joins the query engine and the native protocol: logins against the configured users, requests and results handed across.
package server

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"dictsvc/column"
	"dictsvc/dict"
	"dictsvc/errcode"
	"dictsvc/query"
	"dictsvc/source"
	"dictsvc/source/clickhouse"
	"dictsvc/wire"
)

// Handler answers the wire server's connections with an engine.
type Handler struct {
	Engine *query.Engine
	Config *Config
}

// Login checks user, password and database.
func (h *Handler) Login(_ context.Context, hello *wire.Hello) (wire.Session, error) {
	user, err := h.Config.login(hello.User, hello.Password, hello.RemoteAddr)
	if err != nil {
		return nil, err
	}
	s, err := h.Engine.NewSession(query.User{Name: user.Name, Settings: user.Settings}, hello.Database)
	if err != nil {
		return nil, err
	}
	return &session{s: s, engine: h.Engine, hello: hello}, nil
}

// session is one connection.
type session struct {
	s      *query.Session
	engine *query.Engine
	hello  *wire.Hello
}

func (s *session) Close() { s.s.Close() }

func (s *session) TableExists(db, table string) bool {
	if db == "" {
		db = s.s.Database()
	}
	return s.engine.HasTable(db, table)
}

// oldRevision is where DESCRIBE's columns changed for clients.
const oldRevision = 54420

func (s *session) Query(ctx context.Context, q *wire.Query, w wire.ResultWriter) error {
	req := query.Request{SQL: q.SQL, QueryID: q.ID, Stage: query.Stage(q.Stage), OldClient: q.Revision < oldRevision, Secondary: q.Client.Kind == wire.KindSecondary, ClientName: s.hello.ClientName}
	if s.hello.RemoteAddr != nil {
		req.Address = s.hello.RemoteAddr.String()
	}
	for _, x := range q.Settings {
		req.Settings = append(req.Settings, query.Setting{Name: x.Name, Value: x.Value, Important: x.Important()})
	}
	if len(q.Params) > 0 {
		req.Params = make(map[string]string, len(q.Params))
		for _, p := range q.Params {
			req.Params[p.Name] = p.Value
		}
	}
	for _, e := range q.External {
		req.External = append(req.External, query.External{Name: e.Name, Header: e.Header, Blocks: e.Blocks})
	}
	req.Input = &input{q: q, w: w}
	return s.s.Run(ctx, req, &sink{w: w})
}

// input hands an INSERT's blocks from the client to the engine.
type input struct {
	q *wire.Query
	w wire.ResultWriter
}

func (i *input) Header(b *column.Block) error { return i.w.RequestData(b) }

func (i *input) Next(ctx context.Context) (*column.Block, error) {
	b, err := i.q.Input.Next(ctx)
	if errors.Is(err, io.EOF) {
		return nil, nil
	}
	return b, err
}

// sink hands results from the engine to the client.
type sink struct{ w wire.ResultWriter }

func (s *sink) Header(h query.Header) error    { return s.w.Header(h.Block) }
func (s *sink) Block(b *column.Block) error    { return s.w.Block(b) }
func (s *sink) Totals(b *column.Block) error   { return s.w.Totals(b) }
func (s *sink) Extremes(b *column.Block) error { return s.w.Extremes(b) }

func (s *sink) Progress(p query.Progress) error {
	s.w.Progress(wire.Progress{Rows: p.Rows, Bytes: p.Bytes, TotalRows: p.TotalRows, WrittenRows: p.WrittenRows, WrittenBytes: p.WrittenBytes})
	return nil
}

func (s *sink) Profile(p query.Profile) error {
	if p.CalculatedBefore {
		s.w.RowsBeforeLimit(p.RowsBeforeLimit)
	}
	return nil
}

// OpenRemote opens SOURCE(CLICKHOUSE(HOST ...)) of a dictionary on another server.
func OpenRemote(ctx context.Context, def *dict.Definition) (source.Source, error) {
	p := def.Source.Params
	if v := strings.ToLower(p["secure"]); v != "" && v != "0" && v != "false" {
		return nil, errcode.New(errcode.NotImplemented, "SECURE sources are not supported")
	}
	port := p["port"]
	if port != "" {
		var err error
		if port, err = clickhouse.PortNumber(port); err != nil {
			return nil, err
		}
	}
	o := clickhouse.Options{Host: p["host"], Port: port, User: p["user"], Password: p["password"], Database: p["db"], Table: p["table"], Query: p["query"], Where: p["where"]}
	for i, c := range def.Columns() {
		mode := column.CastPlain
		if i < len(def.Keys) {
			mode = column.CastAccurate
		}
		o.Columns = append(o.Columns, clickhouse.Column{Name: c.Name, Type: c.Type, Expression: c.Expression, Mode: mode})
	}
	return clickhouse.Open(ctx, o)
}

// Server is an engine behind a listening socket.
type Server struct {
	Engine *query.Engine
	wire   *wire.Server
	listen net.Listener
	lock   *os.File // of the data folder; nil without one
	done   chan error
}

// Start listens on the configured address and serves in the background.
func Start(c *Config) (*Server, error) {
	l, err := net.Listen("tcp", c.TCP)
	if err != nil {
		return nil, errcode.New(errcode.NetworkError, "listen on %s: %w", c.TCP, err)
	}
	ec := query.Config{DataDir: c.Data, UserFiles: c.UserFiles, OpenRemote: OpenRemote, MaxProcesses: c.MaxConcurrentQueries, ServerMemory: c.MaxServerMemoryUsage, Settings: c.Settings}
	if a, ok := l.Addr().(*net.TCPAddr); ok {
		ec.TCPPort = a.Port
	}
	lock, err := lockData(c.Data)
	if err != nil {
		l.Close()
		return nil, err
	}
	engine, err := query.New(ec)
	if err != nil {
		lock.Close()
		l.Close()
		return nil, err
	}
	if err := checkUsers(engine, c); err != nil {
		engine.Close()
		lock.Close()
		l.Close()
		return nil, err
	}
	for _, path := range c.Load {
		if err := Adopt(engine, path); err != nil {
			engine.Close()
			lock.Close()
			l.Close()
			return nil, err
		}
	}
	s := &Server{Engine: engine, listen: l, lock: lock, done: make(chan error, 1)}
	s.wire = &wire.Server{Handler: &Handler{Engine: engine, Config: c}, Limits: wire.Limits{MaxConnections: c.MaxConnections}, Logger: c.Logger}
	go func() { s.done <- s.wire.Serve(l) }()
	return s, nil
}

// lockData makes the data folder and keeps other servers out of it. Without a folder it gives nil, whose Close does no harm.
func lockData(dir string) (*os.File, error) {
	if dir == "" {
		return nil, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, errcode.New(errcode.CannotOpenFile, "data folder: %w", err)
	}
	f, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, errcode.New(errcode.CannotOpenFile, "data folder: %w", err)
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		f.Close()
		return nil, errcode.New(errcode.CannotOpenFile, "data folder %s is in use by another server", dir)
	}
	return f, nil
}

// checkUsers makes a session of each user, so that a setting that does not exist is an error at start and not at their login.
func checkUsers(engine *query.Engine, c *Config) error {
	for name, u := range c.Users {
		s, err := engine.NewSession(query.User{Name: name, Settings: u.Settings}, "")
		if err != nil {
			return errcode.Wrap(err, "config: users.%s", name)
		}
		s.Close()
	}
	return nil
}

// Adopt loads a snapshot file as a dictionary of the database it was made for.
func Adopt(engine *query.Engine, path string) error {
	v, err := dict.Open(path)
	if err != nil {
		return err
	}
	if _, err := engine.Dictionaries().Adopt(v, true); err != nil {
		v.Free()
		return err
	}
	return nil
}

// Addr is the address it listens on.
func (s *Server) Addr() net.Addr { return s.listen.Addr() }

// Done gives the error that ended serving.
func (s *Server) Done() <-chan error { return s.done }

// Close stops accepting, gives running queries a moment to end, and frees everything.
func (s *Server) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	err := s.wire.Shutdown(ctx)
	s.Engine.Close()
	if s.lock != nil {
		s.lock.Close()
	}
	return err
}
