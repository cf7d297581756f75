package wire

import (
	"context"
	"io"
	"log/slog"
	"net"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"dictsvc/column"
	"dictsvc/errcode"
)

// fake is a Handler that answers a few fixed statements and remembers what it was asked.
type fake struct {
	users    Users
	mu       sync.Mutex
	queries  []Query
	inserted []*column.Block
	started  chan struct{} // receives when a slow statement runs
	ended    chan error    // receives how it ended
	open     atomic.Int64  // sessions
}

func newFake() *fake {
	return &fake{users: Users{"default": {LoopbackOnly: true}, "guest": {Password: "secret"}}, started: make(chan struct{}, 100), ended: make(chan error, 100)}
}

func (f *fake) Login(_ context.Context, h *Hello) (Session, error) {
	if err := f.users.Check(h); err != nil {
		return nil, err
	}
	if h.Database != "" && h.Database != "default" && h.Database != "d" {
		return nil, errcode.New(errcode.UnknownDatabase, "Database %s does not exist", h.Database)
	}
	f.open.Add(1)
	return &fakeSession{f}, nil
}

func (f *fake) last() Query {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.queries[len(f.queries)-1]
}

type fakeSession struct{ f *fake }

func (s *fakeSession) Close() { s.f.open.Add(-1) }

func (s *fakeSession) TableExists(db, table string) bool {
	return (db == "" || db == "d") && table == "t"
}

func numbers(from, n int) *column.Block {
	v := make([]uint64, n)
	for i := range v {
		v[i] = uint64(from + i)
	}
	return column.NewBlock([]string{"number"}, []column.Column{column.UInt64s(v...)})
}

// describeT is the answer to DESC TABLE for old and new servers alike.
func describeT() *column.Block {
	names := []string{"name", "type", "default_type", "default_expression", "comment", "codec_expression", "ttl_expression", "comment_expression"}
	b := &column.Block{Names: names, Rows: 2, Cols: []column.Column{column.Strings("k", "v"), column.Strings("UInt64", "String")}}
	for range names[2:] {
		b.Cols = append(b.Cols, column.Strings("", ""))
	}
	return b
}

func (s *fakeSession) Query(ctx context.Context, q *Query, w ResultWriter) error {
	f := s.f
	copied := *q
	copied.Settings, copied.Params, copied.Input = slices.Clone(q.Settings), slices.Clone(q.Params), nil
	f.mu.Lock()
	f.queries = append(f.queries, copied)
	f.mu.Unlock()
	send := func(bs ...*column.Block) error {
		if err := w.Header(bs[0]); err != nil {
			return err
		}
		for _, b := range bs {
			if err := w.Block(b); err != nil {
				return err
			}
		}
		return nil
	}
	sql := strings.TrimRight(strings.TrimSpace(q.SQL), "; \n")
	switch upper := strings.ToUpper(sql); {
	case upper == "SELECT 1":
		w.Progress(Progress{Rows: 1, Bytes: 1, TotalRows: 1})
		return send(column.NewBlock([]string{"1"}, []column.Column{column.UInt8s(1)}))
	case strings.HasPrefix(upper, "SET "), strings.HasPrefix(upper, "USE "):
		return nil
	case upper == "SELECT TYPES":
		return send(sampleBlock(7, sampleTypes...))
	case upper == "SELECT PRINTABLE":
		return send(sampleBlock(7, printableTypes()...))
	case strings.HasPrefix(upper, "SELECT COMMON"):
		return send(sampleBlock(7, commonTypes...))
	case upper == "SELECT EMPTY":
		return send(numbers(0, 0))
	case upper == "SELECT MANY":
		if err := w.Header(numbers(0, 0)); err != nil {
			return err
		}
		for i := 0; i < 20 && ctx.Err() == nil; i++ {
			if err := w.Block(numbers(i*50_000, 50_000)); err != nil {
				return err
			}
			w.Progress(Progress{Rows: 50_000, Bytes: 400_000})
		}
		return nil
	case upper == "SELECT TOTALS":
		if err := send(numbers(0, 3)); err != nil {
			return err
		}
		w.RowsBeforeLimit(10)
		if err := w.Totals(numbers(3, 1)); err != nil {
			return err
		}
		return w.Extremes(numbers(0, 2))
	case upper == "SELECT BROKEN":
		return errcode.New(errcode.UnknownIdentifier, "Unknown identifier `broken`")
	case upper == "SELECT LATE":
		if err := send(numbers(0, 3)); err != nil {
			return err
		}
		return errcode.New(errcode.TimeoutExceeded, "Timeout exceeded: elapsed 1 seconds")
	case upper == "SELECT PANIC":
		panic("on purpose")
	case upper == "SELECT SLOW", upper == "SELECT SLEEP":
		if err := send(numbers(0, 1)); err != nil {
			return err
		}
		f.started <- struct{}{}
		for i := 0; ; i++ {
			w.Progress(Progress{Rows: 1})
			select {
			case <-ctx.Done():
				f.ended <- ctx.Err()
				return ctx.Err()
			case <-time.After(5 * time.Millisecond):
			}
		}
	case upper == "SELECT FLOOD":
		f.started <- struct{}{}
		var err error
		for i := 0; err == nil; i++ {
			err = send(numbers(i, 50_000))
		}
		f.ended <- err
		return err
	case strings.HasPrefix(upper, "SELECT EXTERNAL"):
		n := 0
		for _, e := range q.External {
			for _, b := range e.Blocks {
				n += b.Rows
			}
		}
		return send(numbers(n, 1))
	case strings.HasPrefix(upper, "INSERT INTO BAD"):
		if err := w.RequestData(numbers(0, 0)); err != nil {
			return err
		}
		if _, err := q.Input.Next(ctx); err != nil {
			return err
		}
		return errcode.New(errcode.TypeMismatch, "Bad rows")
	case strings.HasPrefix(upper, "INSERT INTO T"):
		return s.insert(ctx, q, w)
	case strings.HasPrefix(upper, "INSERT"):
		return errcode.New(errcode.UnknownTable, "Unknown table")
	case strings.HasPrefix(upper, "DESC TABLE"):
		return send(describeT())
	case strings.HasPrefix(upper, "SELECT") && strings.Contains(sql, "`t`"), strings.Contains(sql, "d.t"):
		return send(column.NewBlock([]string{"k", "v"}, []column.Column{column.UInt64s(1, 2), column.Strings("one", "two")}))
	}
	return errcode.New(errcode.SyntaxError, "Syntax error: %.50q", sql)
}

func (s *fakeSession) insert(ctx context.Context, q *Query, w ResultWriter) error {
	if err := w.RequestData(numbers(0, 0)); err != nil {
		return err
	}
	for {
		b, err := q.Input.Next(ctx)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			s.f.ended <- err
			return err
		}
		w.Progress(Progress{WrittenRows: uint64(b.Rows)})
		s.f.mu.Lock()
		s.f.inserted = append(s.f.inserted, b)
		s.f.mu.Unlock()
	}
}

// commonTypes are those that every client of the tests knows.
var commonTypes = []string{"UInt8", "Int64", "Float64", "Decimal(18, 4)", "String", "Date", "DateTime('UTC')", "UUID",
	"Enum8('a' = 1, 'b' = 2)", "Nullable(UInt64)", "Nullable(String)", "Array(UInt8)", "Array(String)",
	"LowCardinality(String)"}

// printableTypes leaves out what 18.16 cannot write as text.
func printableTypes() []string {
	return slices.DeleteFunc(slices.Clone(sampleTypes), func(t string) bool { return strings.Contains(t, "Nothing") && t != "Nullable(Nothing)" })
}

// serve starts a server for the test and checks at its end that nothing is left running.
func serve(t testing.TB, f *fake, l Limits) (*Server, string) {
	t.Helper()
	before := runtime.NumGoroutine()
	s := &Server{Handler: f, Limits: l, Logger: slog.New(slog.NewTextHandler(testLog{t}, &slog.HandlerOptions{Level: slog.LevelError}))}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- s.Serve(listener) }()
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		if err := s.Shutdown(ctx); err != nil {
			t.Errorf("shutdown: %v", err)
		}
		if err := <-done; err != ErrServerClosed {
			t.Errorf("serve: want ErrServerClosed, got %v", err)
		}
		if n := f.open.Load(); n != 0 {
			t.Errorf("%d sessions have not been closed", n)
		}
		for i := 0; runtime.NumGoroutine() > before && i < 100; i++ {
			time.Sleep(10 * time.Millisecond)
		}
		if n := runtime.NumGoroutine(); n > before {
			buf := make([]byte, 1<<16)
			t.Errorf("%d goroutines before, %d after:\n%s", before, n, buf[:runtime.Stack(buf, true)])
		}
	})
	return s, listener.Addr().String()
}

type testLog struct{ t testing.TB }

func (l testLog) Write(p []byte) (int, error) { return len(p), nil }

func dial(t testing.TB, addr string, conf ClientConfig) *Client {
	t.Helper()
	c, err := Dial(context.Background(), addr, conf)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func queryAll(t testing.TB, c *Client, req *Request) ([]*column.Block, *Rows, error) {
	t.Helper()
	rows, err := c.Query(context.Background(), req)
	if err != nil {
		return nil, nil, err
	}
	var out []*column.Block
	for {
		b, err := rows.Next()
		if err == io.EOF {
			return out, rows, nil
		}
		if err != nil {
			return out, rows, err
		}
		out = append(out, b)
	}
}

func wantCode(t testing.TB, err error, code errcode.Code) {
	t.Helper()
	if errcode.Of(err) != code {
		t.Fatalf("want code %d, got %v (%d)", code, err, errcode.Of(err))
	}
}

// dialects are the revisions that clients claim, and one that is above ours.
var dialects = []uint64{54412, 54420, 54429, 54441, 54448, 54453, 54454, 54458, 54459, 54460, 54488}
