package server

import (
	"context"
	"fmt"
	"io"
	"net"
	"sync"
	"testing"
	"time"

	"dictsvc/column"
	"dictsvc/internal/peers"
	"dictsvc/wire"
)

// Thirty clients ask and insert at once; every answer is right and every row arrives once.
func TestManyClients(t *testing.T) {
	_, addr := usersServer(t)
	const clients, rounds = 30, 20
	var wg sync.WaitGroup
	for k := range clients {
		wg.Go(func() {
			c, err := wire.Dial(context.Background(), addr, wire.ClientConfig{Compression: wire.LZ4})
			if err != nil {
				t.Error(err)
				return
			}
			defer c.Close()
			for i := range rounds {
				id := 1 + (k*rounds+i)%users
				for _, q := range []struct{ sql, want string }{
					{fmt.Sprintf("SELECT dictGet('users', 'name', toUInt64(%d))", id), fmt.Sprintf("user-%d\n", id)},
					{fmt.Sprintf("SELECT name, city FROM users WHERE id = %d", id), fmt.Sprintf("user-%d\t%s\n", id, city(id))},
					{"SELECT sum(dictGet('users', 'age', number)) FROM numbers(1001)", "49500\n"},
					{fmt.Sprintf("INSERT INTO t VALUES (%d, 'by %d')", k*rounds+i, k), ""},
					{"SELECT dictGet('users', 'missing', toUInt64(1))", "error"},
				} {
					out, err := answer(c, q.sql)
					if (err != nil) != (q.want == "error") || err == nil && out != q.want {
						t.Errorf("%s: want %q, got %q, %v", q.sql, q.want, out, err)
						return
					}
				}
			}
		})
	}
	wg.Wait()
	check(t, addr, "SELECT count(), uniqExact(id), uniqExact(s) FROM t", fmt.Sprintf("%d\t%[1]d\t%d\n", clients*rounds, clients))
}

// A client that does not read its result costs no memory and keeps nobody waiting.
func TestSlowReader(t *testing.T) {
	_, addr := usersServer(t)
	before := heap()
	var slow []net.Conn
	for range 5 {
		c, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		c.Write(append(append([]byte{}, hello...), question("SELECT number, toString(number) FROM numbers(1000000000000)")...))
		slow = append(slow, c)
	}
	await(t, "running", func() bool { return running(t, addr) == "5\n" })
	time.Sleep(300 * time.Millisecond)
	alive(t, addr, "slow readers")
	if grown := int64(heap() - before); grown > 128<<20 {
		t.Errorf("five slow readers cost %d MiB", grown>>20)
	}
	if n, err := io.CopyN(io.Discard, slow[0], 32<<20); err != nil { // it goes on where the reader does
		t.Errorf("%d bytes read: %v", n, err)
	}
	for _, c := range slow {
		c.Close()
	}
	await(t, "ended", func() bool { return running(t, addr) == "0\n" })
}

// An INSERT of many blocks that fails in the middle leaves no row, and its connection goes on.
func TestInsertFails(t *testing.T) {
	_, addr := usersServer(t)
	c := dial(t, addr)
	defer c.Close()
	in, err := c.Insert(context.Background(), &wire.Request{SQL: "INSERT INTO t VALUES"})
	if err != nil {
		t.Fatal(err)
	}
	h := in.Header()
	send := func(types ...string) error {
		b := &column.Block{Names: h.Names, Rows: 3}
		for _, name := range types {
			typ, err := column.Parse(name)
			if err != nil {
				t.Fatal(err)
			}
			col := column.New(typ, 3)
			col.AppendDefault(3)
			b.Cols = append(b.Cols, col)
		}
		return in.Write(b)
	}
	if err := send("UInt64", "String"); err != nil {
		t.Fatal(err)
	}
	err = send("Array(UInt8)", "String") // cannot be made a number
	if err == nil {
		err = in.Close()
	}
	if err == nil {
		t.Error("arrays are taken for numbers")
	}
	check(t, addr, "SELECT count() FROM t", "0\n")
	if out, err := answer(c, "SELECT 1"); err != nil || out != "1\n" {
		t.Errorf("after a failed INSERT: %q, %v", out, err)
	}
}

// The database interface of Python's driver, with many threads.
func TestPythonThreads(t *testing.T) {
	_, addr := usersServer(t)
	r := peers.Python(t, addr, `
import sys, threading
from clickhouse_driver import dbapi
def work(k):
  with dbapi.connect(host=sys.argv[1], port=int(sys.argv[2])) as c:
    cur = c.cursor()
    for i in range(20):
      cur.execute("SELECT dictGet('users', 'name', toUInt64(%(id)s))", {'id': k * 20 + i + 1})
      assert cur.fetchall() == [('user-%d' % (k * 20 + i + 1),)]
    cur.executemany("INSERT INTO t (id, s) VALUES", [(k * 100 + i, 'p') for i in range(100)])
    assert cur.rowcount == 100, cur.rowcount
    cur.set_stream_results(True, 1000)
    cur.execute("SELECT number FROM numbers(100000)")
    assert sum(x[0] for x in cur) == 4999950000
    done.append(k)
done = []
threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
for t in threads: t.start()
for t in threads: t.join()
print(len(done))
`)
	if r.Code != 0 || r.Out != "8\n" {
		t.Errorf("%+v", r)
	}
	check(t, addr, "SELECT count(), uniqExact(id) FROM t", "800\t800\n")
}
