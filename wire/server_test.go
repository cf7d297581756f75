package wire

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"dictsvc/column"
	"dictsvc/errcode"
)

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
