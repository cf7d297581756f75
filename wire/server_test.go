package wire

import (
	"context"
	"errors"
	"fmt"
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

func TestQueryEveryRevision(t *testing.T) {
	f := newFake()
	_, addr := serve(t, f, Limits{})
	for _, revision := range dialects {
		for _, method := range []Compression{Uncompressed, NONE, LZ4, ZSTD} {
			t.Run(fmt.Sprintf("%d/%#x", revision, method), func(t *testing.T) {
				c := dial(t, addr, ClientConfig{Revision: revision, Compression: method, User: "guest", Password: "secret", QuotaKey: "q"})
				if err := c.Ping(context.Background()); err != nil {
					t.Fatal(err)
				}
				req := &Request{SQL: "SELECT types", Settings: []Setting{{Name: "max_threads", Value: "3"}, {Name: "load_balancing", Value: "in_order"},
					{Name: "network_zstd_compression_level", Value: "-3"}}}
				if FeatureParameters.In(revision) {
					req.Params = []Param{{"p", `it's \ and a tab	`}}
				}
				got, rows, err := queryAll(t, c, req)
				if err != nil {
					t.Fatal(err)
				}
				want := sampleBlock(7, sampleTypes...)
				if !FeatureModernTypes.In(revision) {
					for i, col := range want.Cols {
						want.Cols[i] = downgrade(col)
					}
				}
				if len(got) != 1 {
					t.Fatalf("want 1 block, got %d", len(got))
				}
				sameBlock(t, want, got[0])
				if h := rows.Header(); h == nil || h.Rows != 0 || len(h.Cols) != len(want.Cols) {
					t.Fatalf("header: %+v", h)
				}
				q := f.last()
				for i, s := range req.Settings {
					at := len(q.Settings) - len(req.Settings) + i
					if at < 0 || q.Settings[at].Name != s.Name || q.Settings[at].Value != s.Value {
						t.Fatalf("settings: want %v, got %v", req.Settings, q.Settings)
					}
				}
				if !slices.Equal(q.Params, req.Params) || q.Client.ClientName != "dictsvc" || len(q.ID) != 36 || q.Revision != min(revision, Revision) {
					t.Fatalf("query arrived as %+v", q)
				}
				for _, n := range []int{0, 1, 1} { // the connection goes on, after errors too
					sql := []string{"SELECT broken", "SELECT 1"}[n]
					_, rows, err := queryAll(t, c, &Request{SQL: sql})
					if n == 0 {
						wantCode(t, err, errcode.UnknownIdentifier)
						continue
					}
					if err != nil || rows.Profile().Rows != 1 || rows.Progress().Rows != 1 {
						t.Fatalf("%v, %+v", err, rows)
					}
				}
			})
		}
	}
}

func TestBigResult(t *testing.T) {
	_, addr := serve(t, newFake(), Limits{})
	for _, method := range []Compression{Uncompressed, NONE, LZ4, ZSTD} {
		c := dial(t, addr, ClientConfig{Compression: method})
		blocks, rows, err := queryAll(t, c, &Request{SQL: "SELECT many"})
		if err != nil {
			t.Fatal(err)
		}
		next := uint64(0)
		for _, b := range blocks {
			for _, v := range b.Cols[0].(*column.Num[uint64]).Data {
				if v != next {
					t.Fatalf("method %#x: want %d, got %d", method, next, v)
				}
				next++
			}
		}
		if p := rows.Progress(); next != 1e6 || p.Rows != 1e6 || rows.Profile().Blocks != 20 {
			t.Fatalf("method %#x: %d rows, progress %+v, profile %+v", method, next, p, rows.Profile())
		}
	}
}

func TestTotalsAndExtremes(t *testing.T) {
	_, addr := serve(t, newFake(), Limits{})
	c := dial(t, addr, ClientConfig{Compression: LZ4})
	blocks, rows, err := queryAll(t, c, &Request{SQL: "SELECT totals"})
	if err != nil || len(blocks) != 1 {
		t.Fatal(blocks, err)
	}
	sameBlock(t, numbers(3, 1), rows.Totals())
	sameBlock(t, numbers(0, 2), rows.Extremes())
	if p := rows.Profile(); !p.AppliedLimit || p.RowsBeforeLimit != 10 || p.Rows != 3 {
		t.Fatalf("profile %+v", p)
	}
	blocks, rows, err = queryAll(t, c, &Request{SQL: "SELECT empty"})
	if err != nil || len(blocks) != 0 || rows.Header() == nil {
		t.Fatal(blocks, rows, err)
	}
	if err := c.Exec(context.Background(), &Request{SQL: "SET x = 1"}); err != nil {
		t.Fatal(err)
	}
}

func TestExceptionAfterRows(t *testing.T) {
	_, addr := serve(t, newFake(), Limits{})
	c := dial(t, addr, ClientConfig{})
	blocks, _, err := queryAll(t, c, &Request{SQL: "SELECT late"})
	wantCode(t, err, errcode.TimeoutExceeded)
	if len(blocks) != 1 || err.Error() != "Timeout exceeded: elapsed 1 seconds" {
		t.Fatalf("%d blocks, %v", len(blocks), err)
	}
	_, _, err = queryAll(t, c, &Request{SQL: "SELECT panic"})
	wantCode(t, err, errcode.LogicalError)
	if _, _, err = queryAll(t, c, &Request{SQL: "SELECT 1"}); err != nil {
		t.Fatal(err)
	}
}

func TestLoginRefused(t *testing.T) {
	_, addr := serve(t, newFake(), Limits{})
	for _, x := range []struct {
		conf ClientConfig
		code errcode.Code
	}{
		{ClientConfig{User: "nobody"}, errcode.AuthenticationFailed},
		{ClientConfig{User: "guest", Password: "wrong"}, errcode.AuthenticationFailed},
		{ClientConfig{Database: "missing"}, errcode.UnknownDatabase},
		{ClientConfig{User: interserverUserName}, errcode.AuthenticationFailed},
		{ClientConfig{Revision: 54000}, errcode.NotImplemented},
	} {
		_, err := Dial(context.Background(), addr, x.conf)
		wantCode(t, err, x.code)
	}
}

func TestExternalTables(t *testing.T) {
	f := newFake()
	_, addr := serve(t, f, Limits{})
	for _, method := range []Compression{Uncompressed, LZ4} {
		c := dial(t, addr, ClientConfig{Compression: method})
		req := &Request{SQL: "SELECT external", External: []External{
			{Name: "a", Blocks: []*column.Block{numbers(0, 10), numbers(10, 5)}},
			{Name: "b", Header: numbers(0, 0)},
			{Name: "c", Blocks: []*column.Block{sampleBlock(3, sampleTypes...)}},
		}}
		blocks, _, err := queryAll(t, c, req)
		if err != nil {
			t.Fatal(err)
		}
		sameBlock(t, numbers(18, 1), blocks[0])
		q := f.last()
		if len(q.External) != 3 || q.External[1].Name != "b" || len(q.External[1].Header.Cols) != 1 {
			t.Fatalf("external tables: %+v", q.External)
		}
		sameBlock(t, sampleBlock(3, sampleTypes...), q.External[2].Blocks[0])
	}
}

func TestTablesStatus(t *testing.T) {
	_, addr := serve(t, newFake(), Limits{})
	c := dial(t, addr, ClientConfig{})
	known, err := c.TablesStatus(context.Background(), []TableName{{"d", "t"}, {"d", "x"}, {"", "t"}})
	if err != nil || !slices.Equal(known, []TableName{{"d", "t"}, {"", "t"}}) {
		t.Fatal(known, err)
	}
}

func TestInsert(t *testing.T) {
	f := newFake()
	_, addr := serve(t, f, Limits{})
	for _, method := range []Compression{Uncompressed, LZ4, ZSTD} {
		f.inserted = nil
		c := dial(t, addr, ClientConfig{Compression: method})
		ins, err := c.Insert(context.Background(), &Request{SQL: "INSERT INTO t VALUES"})
		if err != nil {
			t.Fatal(err)
		}
		if h := ins.Header(); len(h.Cols) != 1 || h.Names[0] != "number" {
			t.Fatalf("header %+v", h)
		}
		for i := 0; i < 3; i++ {
			if err := ins.Write(numbers(i*1000, 1000)); err != nil {
				t.Fatal(err)
			}
			time.Sleep(2 * watchAfter) // the watcher must not steal what the INSERT reads
		}
		if err := ins.Close(); err != nil {
			t.Fatal(err)
		}
		if len(f.inserted) != 3 {
			t.Fatalf("%d blocks have arrived", len(f.inserted))
		}
		sameBlock(t, numbers(2000, 1000), f.inserted[2])

		_, err = c.Insert(context.Background(), &Request{SQL: "INSERT INTO missing VALUES"})
		wantCode(t, err, errcode.UnknownTable)

		ins, err = c.Insert(context.Background(), &Request{SQL: "INSERT INTO bad VALUES"})
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < 3; i++ {
			if err := ins.Write(numbers(0, 1000)); err != nil {
				t.Fatal(err)
			}
		}
		wantCode(t, ins.Close(), errcode.TypeMismatch)
		if err := c.Exec(context.Background(), &Request{SQL: "SELECT 1"}); err != nil {
			t.Fatalf("after a failed INSERT: %v", err)
		}
	}
}

func TestInsertCutOff(t *testing.T) {
	f := newFake()
	_, addr := serve(t, f, Limits{})
	c := dial(t, addr, ClientConfig{})
	ins, err := c.Insert(context.Background(), &Request{SQL: "INSERT INTO t VALUES"})
	if err != nil {
		t.Fatal(err)
	}
	ins.Write(numbers(0, 10))
	c.Close()
	if err := <-f.ended; err == nil {
		t.Fatal("an INSERT whose client is gone has succeeded")
	}
}

func TestCancel(t *testing.T) {
	f := newFake()
	_, addr := serve(t, f, Limits{})
	c := dial(t, addr, ClientConfig{Compression: LZ4})
	for i := 0; i < 3; i++ {
		rows, err := c.Query(context.Background(), &Request{SQL: "SELECT slow"})
		if err != nil {
			t.Fatal(err)
		}
		<-f.started
		start := time.Now()
		if err := rows.Close(); err != nil {
			t.Fatal(err)
		}
		if err := <-f.ended; !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		if d := time.Since(start); d > time.Second {
			t.Fatalf("cancelling took %v", d)
		}
		if err := c.Exec(context.Background(), &Request{SQL: "SELECT 1"}); err != nil {
			t.Fatalf("after a cancelled query: %v", err)
		}
	}
}

func TestContextEndsQuery(t *testing.T) {
	f := newFake()
	_, addr := serve(t, f, Limits{})
	c := dial(t, addr, ClientConfig{})
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	err := c.Exec(ctx, &Request{SQL: "SELECT slow"})
	wantCode(t, err, errcode.SocketTimeout)
	if err := <-f.ended; err == nil {
		t.Fatal("the server's query has not ended")
	}
	if err := c.Ping(context.Background()); err == nil {
		t.Fatal("a connection that lost its place is used again")
	}
}

func TestClientGoneCancels(t *testing.T) {
	f := newFake()
	_, addr := serve(t, f, Limits{})
	for _, sql := range []string{"SELECT slow", "SELECT flood"} {
		c := dial(t, addr, ClientConfig{})
		if _, err := c.Query(context.Background(), &Request{SQL: sql}); err != nil {
			t.Fatal(err)
		}
		<-f.started
		c.Close()
		select {
		case <-f.ended:
		case <-time.After(3 * time.Second):
			t.Fatalf("%s runs on without its client", sql)
		}
	}
}

// Progress goes out while a query runs, and a header that waits in the buffer with it.
func TestProgressWhileRunning(t *testing.T) {
	f := newFake()
	_, addr := serve(t, f, Limits{})
	c := dial(t, addr, ClientConfig{})
	told := make(chan Progress, 100)
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		for n := 0; n < 3; n++ {
			<-told
		}
		cancel()
	}()
	err := c.Exec(ctx, &Request{SQL: "SELECT slow", Settings: []Setting{{Name: "interactive_delay", Value: "20000"}},
		OnProgress: func(p Progress) {
			select {
			case told <- p:
			default:
			}
		}})
	wantCode(t, err, errcode.QueryWasCancelled)
}

func TestShutdownEndsQueries(t *testing.T) {
	f := newFake()
	s, addr := serve(t, f, Limits{})
	idle := dial(t, addr, ClientConfig{})
	c := dial(t, addr, ClientConfig{})
	rows, err := c.Query(context.Background(), &Request{SQL: "SELECT slow"})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancel()
	if err := s.Shutdown(ctx); err != nil {
		t.Fatal(err)
	}
	rows.Next() // the row that was sent
	_, err = rows.Next()
	wantCode(t, err, errcode.QueryWasCancelled)
	wantCode(t, idle.Ping(context.Background()), errcode.NetworkError)
}

func TestTooManyConnections(t *testing.T) {
	s, addr := serve(t, newFake(), Limits{MaxConnections: 2})
	a, b := dial(t, addr, ClientConfig{}), dial(t, addr, ClientConfig{})
	_, err := Dial(context.Background(), addr, ClientConfig{})
	wantCode(t, err, errcode.NoFreeConnection)
	a.Close()
	for s.Connections() > 1 {
		time.Sleep(time.Millisecond)
	}
	dial(t, addr, ClientConfig{})
	if err := b.Ping(context.Background()); err != nil {
		t.Fatal(err)
	}
}

// countedListener counts the writes of all its connections.
type countedListener struct {
	net.Listener
	writes *atomic.Int64
}

type countedConn struct {
	net.Conn
	writes *atomic.Int64
}

func (l countedListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	return countedConn{c, l.writes}, err
}

func (c countedConn) Write(p []byte) (int, error) {
	c.writes.Add(1)
	return c.Conn.Write(p)
}

// A small answer (header, rows, statistics, end) leaves in one write.
func TestOneWriteAnAnswer(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var writes atomic.Int64
	s := &Server{Handler: newFake()}
	done := make(chan error, 1)
	go func() { done <- s.Serve(countedListener{l, &writes}) }()
	defer func() { s.Close(); <-done }()
	for _, method := range []Compression{Uncompressed, LZ4} {
		c := dial(t, l.Addr().String(), ClientConfig{Compression: method})
		c.Ping(context.Background())
		for i := 0; i < 3; i++ {
			before := writes.Load()
			if err := c.Exec(context.Background(), &Request{SQL: "SELECT 1"}); err != nil {
				t.Fatal(err)
			}
			if n := writes.Load() - before; n != 1 {
				t.Fatalf("method %#x: want 1 write, got %d", method, n)
			}
		}
	}
}

// Many clients at once, some of which cancel or leave; the race detector watches.
func TestConcurrentClients(t *testing.T) {
	f := newFake()
	f.started, f.ended = make(chan struct{}, 1000), make(chan error, 1000)
	_, addr := serve(t, f, Limits{})
	var wg sync.WaitGroup
	for i := 0; i < 8; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			c, err := Dial(context.Background(), addr, ClientConfig{Compression: []Compression{Uncompressed, LZ4}[i%2]})
			if err != nil {
				t.Error(err)
				return
			}
			defer c.Close()
			for n := 0; n < 20; n++ {
				rows, err := c.Query(context.Background(), &Request{SQL: []string{"SELECT 1", "SELECT slow", "SELECT types", "SELECT many"}[(i+n)%4]})
				if err != nil {
					t.Error(err)
					return
				}
				if (i+n)%3 == 0 {
					time.Sleep(time.Duration(n) * time.Millisecond)
				}
				if err := rows.Close(); err != nil {
					t.Error(err)
					return
				}
			}
		}()
	}
	wg.Wait()
}
