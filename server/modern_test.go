package server

import (
	"context"
	"fmt"
	"net"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"dictsvc/query"
	"dictsvc/wire"
)

// recorder is a Handler that keeps what is asked and how many rows each query has read.
type recorder struct {
	Handler
	mu      sync.Mutex
	queries []recorded
}

type recorded struct {
	sql  string
	read uint64
	err  error
}

func (r *recorder) Login(ctx context.Context, hello *wire.Hello) (wire.Session, error) {
	s, err := r.Handler.Login(ctx, hello)
	if err != nil {
		return nil, err
	}
	return &recordedSession{s, r}, nil
}

type recordedSession struct {
	wire.Session
	r *recorder
}

func (s *recordedSession) Query(ctx context.Context, q *wire.Query, w wire.ResultWriter) error {
	counted := &countingWriter{ResultWriter: w}
	text := strings.Clone(q.SQL)
	err := s.Session.Query(ctx, q, counted)
	s.r.mu.Lock()
	defer s.r.mu.Unlock()
	s.r.queries = append(s.r.queries, recorded{text, counted.read, err})
	return err
}

type countingWriter struct {
	wire.ResultWriter
	read uint64
}

func (w *countingWriter) Progress(p wire.Progress) {
	w.read += p.Rows
	w.ResultWriter.Progress(p)
}

// take returns what was recorded since the last call.
func (r *recorder) take() []recorded {
	r.mu.Lock()
	defer r.mu.Unlock()
	q := r.queries
	r.queries = nil
	return q
}

// recordingServer serves the dictionaries users and pairs (a complex key) and the table t, and records what is asked of them.
func recordingServer(t *testing.T) (*recorder, string) {
	t.Helper()
	dir := t.TempDir()
	usersFile(t, filepath.Join(dir, "users.jsonl"), users)
	var pairs strings.Builder
	for i := range users {
		fmt.Fprintf(&pairs, `{"a":%d,"b":"k%d","v":%d,"w":"w%d"}`+"\n", i%10, i, i, i)
	}
	writeFile(t, filepath.Join(dir, "pairs.jsonl"), pairs.String())
	engine, err := query.New(query.Config{UserFiles: dir, OpenRemote: OpenRemote})
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r := &recorder{Handler: Handler{Engine: engine, Config: &Config{}}}
	s := &wire.Server{Handler: r}
	done := make(chan error, 1)
	go func() { done <- s.Serve(l) }()
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		s.Shutdown(ctx)
		<-done
		engine.Close()
	})
	addr := l.Addr().String()
	run(t, addr, "CREATE DICTIONARY users ("+usersColumns+") PRIMARY KEY id SOURCE(FILE(path 'users.jsonl' format 'JSONEachRow')) LAYOUT(SPARSE_HASHED()) LIFETIME(0)")
	run(t, addr, "CREATE DICTIONARY pairs (a UInt64, b String, v UInt32, w String) PRIMARY KEY a, b SOURCE(FILE(path 'pairs.jsonl' format 'JSONEachRow')) LAYOUT(COMPLEX_KEY_HASHED()) LIFETIME(0)")
	run(t, addr, "CREATE TABLE t (id UInt64, s String) ENGINE = Memory")
	run(t, addr, "SYSTEM RELOAD DICTIONARIES")
	r.take()
	return r, addr
}
