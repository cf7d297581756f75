package clickhouse

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"dictsvc/column"
	"dictsvc/errcode"
	"dictsvc/internal/peers"
	"dictsvc/source"
	"dictsvc/wire"
)

var _ source.Source = (*Reader)(nil)

// fake is a server whose answers are scripted by the words in the query.
type fake struct {
	queries []string
	hold    chan struct{} // closed when the test is over
}

func (f *fake) Login(ctx context.Context, h *wire.Hello) (wire.Session, error) {
	if h.User == "stranger" {
		return nil, errcode.New(errcode.AuthenticationFailed, "stranger: Authentication failed")
	}
	return f, nil
}
func (f *fake) TableExists(db, table string) bool { return true }
func (f *fake) Close()                            {}

func rows(from, n int) *column.Block {
	id, name := column.UInt64s(), column.Strings()
	for i := from; i < from+n; i++ {
		id.Data = append(id.Data, uint64(i))
		name.AppendString(fmt.Sprintf("name %d", i))
	}
	return column.NewBlock([]string{"id", "name"}, []column.Column{id, name})
}

func (f *fake) Query(ctx context.Context, q *wire.Query, w wire.ResultWriter) error {
	f.queries = append(f.queries, q.SQL)
	if strings.Contains(q.SQL, "refused") {
		return errcode.New(errcode.UnknownTable, "Table refused does not exist")
	}
	if err := w.Header(column.Empty([]string{"id", "name"}, []*column.Type{column.Of(column.UInt64), column.Of(column.String)})); err != nil {
		return err
	}
	if err := w.Block(rows(0, 1000)); err != nil {
		return err
	}
	switch {
	case strings.Contains(q.SQL, "halfway"):
		return errcode.New(errcode.MemoryLimitExceeded, "Memory limit exceeded")
	case strings.Contains(q.SQL, "endless"):
		select {
		case <-ctx.Done():
		case <-f.hold:
		}
		return ctx.Err()
	}
	return w.Block(rows(1000, 200_000))
}

func start(t *testing.T) (*fake, string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	f := &fake{hold: make(chan struct{})}
	s := &wire.Server{Handler: f}
	done := make(chan struct{})
	go func() { s.Serve(l); close(done) }()
	t.Cleanup(func() { close(f.hold); s.Close(); <-done })
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return f, port
}

func cols(spec ...string) (list []Column) {
	for _, s := range spec {
		name, typ, _ := strings.Cut(s, " ")
		list = append(list, Column{Name: name, Type: column.MustParse(typ)})
	}
	return list
}

// drain reads to the end and returns the rows it got.
func drain(ctx context.Context, r *Reader) (blocks []*column.Block, n int, err error) {
	for {
		b, err := r.Next(ctx)
		if errors.Is(err, io.EOF) {
			return blocks, n, nil
		}
		if err != nil {
			return blocks, n, err
		}
		blocks, n = append(blocks, b), n+b.Rows
	}
}

func TestRows(t *testing.T) {
	f, port := start(t)
	// Columns by name, in another order than the server's, one of them twice, converted.
	r, err := Open(t.Context(), Options{Host: "127.0.0.1", Port: port, Database: "d", Table: "od`d", Where: "id > 5", Columns: cols("name String", "id UInt32")})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	blocks, n, err := drain(t.Context(), r)
	if err != nil || n != 201_000 {
		t.Fatalf("%d rows, %v", n, err)
	}
	if want := "SELECT `name`, `id` FROM `d`.`od\\`d` WHERE id > 5"; f.queries[0] != want {
		t.Errorf("sent %q, want %q", f.queries[0], want)
	}
	at := 0
	for _, b := range blocks {
		if b.Rows == 0 || b.Rows > column.MaxBlockRows {
			t.Fatalf("a block of %d rows", b.Rows)
		}
		for i := range b.Rows {
			id := b.Cols[1].(*column.Num[uint32]).Data[i]
			if name := b.Cols[0].(*column.Str).StringAt(i); id != uint32(at) || name != fmt.Sprintf("name %d", at) {
				t.Fatalf("row %d: %d, %q", at, id, name)
			}
			at++
		}
	}
	if rows, _, _ := r.Progress(); rows != 201_000 {
		t.Errorf("progress: %d rows", rows)
	}
}

func TestQueryVerbatim(t *testing.T) {
	f, port := start(t)
	sql := "SELECT a, b FROM x -- as it is"
	r, err := Open(t.Context(), Options{Host: "127.0.0.1", Port: port, Query: sql, Columns: cols("key UInt64", "value String")})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if f.queries[0] != sql {
		t.Errorf("sent %q", f.queries[0])
	}
}

// Whatever goes wrong is an error with the server's code, never the end of the rows.
func TestFailures(t *testing.T) {
	_, port := start(t)
	for _, c := range []struct {
		what string
		o    Options
		code errcode.Code
		text string
	}{
		{"no such table", Options{Table: "refused", Columns: cols("id UInt64")}, errcode.UnknownTable, "does not exist"},
		{"exception behind rows", Options{Table: "halfway", Columns: cols("id UInt64")}, errcode.MemoryLimitExceeded, "Memory limit"},
		{"wrong user", Options{User: "stranger", Table: "t", Columns: cols("id UInt64")}, errcode.AuthenticationFailed, "stranger"},
		{"no such column", Options{Table: "t", Columns: cols("id UInt64", "nothing String", "name String")}, errcode.ThereIsNoColumn, `no column "nothing"`},
		{"text that is no number", Options{Table: "t", Columns: cols("name UInt64")}, errcode.CannotParseText, "name 0"},
		{"TLS", Options{Table: "t", Secure: true}, errcode.NotImplemented, "TLS"},
		{"nobody listens", Options{Port: "1", Table: "t", Columns: cols("id UInt64")}, errcode.NetworkError, "127.0.0.1:1"},
		{"silence", Options{Table: "endless", Columns: cols("id UInt64"), ReadTimeout: 50 * time.Millisecond}, errcode.SocketTimeout, ""},
	} {
		c.o.Host = "127.0.0.1"
		if c.o.Port == "" {
			c.o.Port = port
		}
		r, err := Open(t.Context(), c.o)
		if err == nil {
			_, _, err = drain(t.Context(), r)
			r.Close()
		}
		if errcode.Of(err) != c.code || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%s: got %v (code %d), want code %d and %q", c.what, err, errcode.Of(err), c.code, c.text)
		}
	}
}

func TestCancelled(t *testing.T) {
	_, port := start(t)
	r, err := Open(context.Background(), Options{Host: "127.0.0.1", Port: port, Table: "endless", Columns: cols("id UInt64")})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, n, err := drain(ctx, r); errcode.Of(err) != errcode.QueryWasCancelled || n != 1000 {
		t.Errorf("%d rows, %v", n, err)
	}
}

// A connection cut at any byte of the answer is an error.
func TestCut(t *testing.T) {
	_, port := start(t)
	for _, limit := range []int64{0, 1, 20, 100, 1000, 5000, 20_000, 100_000} {
		proxy := cutting(t, "127.0.0.1:"+port, limit)
		r, err := Open(t.Context(), Options{Host: "127.0.0.1", Port: proxy, Table: "t", Columns: cols("id UInt64", "name String")})
		n := 0
		if err == nil {
			_, n, err = drain(t.Context(), r)
			r.Close()
		}
		if errcode.Of(err) != errcode.NetworkError {
			t.Errorf("cut after %d bytes: %d rows, %v (code %d)", limit, n, err, errcode.Of(err))
		}
	}
}

// cutting forwards one connection to addr and cuts it after limit bytes of the answer.
func cutting(t *testing.T, addr string, limit int64) (port string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		near, err := l.Accept()
		if err != nil {
			return
		}
		defer near.Close()
		far, err := net.Dial("tcp", addr)
		if err != nil {
			return
		}
		defer far.Close()
		go io.Copy(far, near)
		io.CopyN(near, far, limit)
	}()
	t.Cleanup(func() { l.Close(); <-done })
	_, port, _ = net.SplitHostPort(l.Addr().String())
	return port
}

// A real server of 2018 speaks the oldest revision.
func TestOldServer(t *testing.T) {
	s := peers.OldServer(t)
	host, port, err := net.SplitHostPort(s.Addr)
	if err != nil {
		t.Fatal(err)
	}
	client, err := wire.Dial(t.Context(), s.Addr, wire.ClientConfig{})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	for _, sql := range []string{"DROP TABLE IF EXISTS src", "CREATE TABLE src (id UInt64, name String, score Float64, n Nullable(Int32), d DateTime) ENGINE = Memory",
		"INSERT INTO src SELECT number, concat('user-', toString(number)), number / 10, number % 3 = 0 ? NULL : toInt32(number), toDateTime(number) FROM system.numbers LIMIT 100000"} {
		if err := client.Exec(t.Context(), &wire.Request{SQL: sql}); err != nil {
			t.Fatal(err)
		}
	}
	o := Options{Host: host, Port: port, Database: "default", Table: "src", Where: "id < 50000", Columns: cols("d DateTime", "n Nullable(Int64)", "score Float32", "name String", "id UInt32")}
	r, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	_, n, err := drain(t.Context(), r)
	if err != nil || n != 50000 {
		t.Errorf("%d rows, %v", n, err)
	}
	o.Columns = cols("none String")
	if _, err := Open(t.Context(), o); errcode.Of(err) != errcode.UnknownIdentifier {
		t.Errorf("a column that the table has not: %v", err)
	}
}
