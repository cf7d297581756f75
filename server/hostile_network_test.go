package server

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"dictsvc/wire"
)

// packet builds what a client sends: numbers become varints, strings go with their lengths.
func packet(parts ...any) []byte {
	var b []byte
	for _, p := range parts {
		switch p := p.(type) {
		case int:
			b = binary.AppendUvarint(b, uint64(p))
		case uint64:
			b = binary.AppendUvarint(b, p)
		case string:
			b = append(binary.AppendUvarint(b, uint64(len(p))), p...)
		case []byte:
			b = append(b, p...)
		}
	}
	return b
}

// hello is the handshake of an old client, whose packets are short.
var hello = packet(0, "test", 1, 1, 54406, "default", "default", "")

// question is a whole query of that client.
func question(sql string) []byte {
	const noInfo = 0 // the kind of query that has no client info
	return packet(1, "", noInfo, "", 2, 0, sql, 2, "", blockInfo, 0, 0)
}

// blockInfo stands before the columns of a block: not of totals, of no bucket.
var blockInfo = []byte{1, 0, 2, 0xff, 0xff, 0xff, 0xff, 0}

// say sends bytes over a new connection and returns what comes back until the server hangs up or a second is over.
func say(t *testing.T, addr string, parts ...[]byte) []byte {
	t.Helper()
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for _, p := range parts {
		if _, err := c.Write(p); err != nil {
			break
		}
	}
	c.SetReadDeadline(time.Now().Add(time.Second))
	out, _ := io.ReadAll(io.LimitReader(c, 1<<20))
	return out
}

// heap is the memory that Go holds.
func heap() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.Sys
}

// Bytes that are no protocol, or that lie about their lengths.
func TestHostilePackets(t *testing.T) {
	_, addr := usersServer(t)
	if out := say(t, addr, hello, question("SELECT 'it works'")); !bytes.Contains(out, []byte("it works")) {
		t.Fatalf("an honest query of the same make fails: %q", out)
	}
	before := heap()
	for name, c := range map[string]struct {
		bytes []byte
		want  string // in the answer
	}{
		"GET":                 {[]byte("GET /?query=SELECT+1 HTTP/1.1\r\nHost: x\r\n\r\n"), "HTTP/1.0 400 Bad Request"},
		"POST":                {[]byte("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 8\r\n\r\nSELECT 1"), "HTTP/1.0 400 Bad Request"},
		"TLS":                 {[]byte("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + strings.Repeat("\x55", 500)), ""},
		"MySQL, PostgreSQL":   {[]byte("\x00\x00\x00\x08\x04\xd2\x16\x2f"), ""},
		"client's name":       {packet(0, uint64(1)<<60), "DB::Exception"},
		"client's name 2^64":  {packet(0, ^uint64(0)), "DB::Exception"},
		"user's name":         {packet(0, "x", 1, 1, 54406, "default", uint64(1)<<60), "DB::Exception"},
		"endless number":      {bytes.Repeat([]byte{0xff}, 1000), ""},
		"query before hello":  {question("SELECT 1"), "DB::Exception"},
		"old revision":        {packet(0, "x", 1, 1, 1, "default", "default", ""), ""},
		"query's text":        {append(append([]byte{}, hello...), packet(1, "id", 0, "", 2, 0, uint64(1)<<60, []byte("SELECT"))...), "DB::Exception"},
		"query's id":          {append(append([]byte{}, hello...), packet(1, uint64(1)<<60)...), "DB::Exception"},
		"setting's name":      {append(append([]byte{}, hello...), packet(1, "id", 0, uint64(1)<<60)...), "DB::Exception"},
		"stage":               {append(append([]byte{}, hello...), packet(1, "id", 0, "", 99, 0, "SELECT 1", 2, "", blockInfo, 0, 0)...), "DB::Exception"},
		"packet":              {append(append([]byte{}, hello...), packet(77)...), "DB::Exception"},
		"second hello":        {append(append([]byte{}, hello...), hello...), "DB::Exception"},
		"columns":             {append(append([]byte{}, hello...), packet(1, "id", 0, "", 2, 0, "SELECT 1", 2, "x", blockInfo, uint64(1)<<60, 1)...), "DB::Exception"},
		"rows":                {append(append([]byte{}, hello...), packet(1, "id", 0, "", 2, 0, "SELECT 1", 2, "x", blockInfo, 1, uint64(1)<<60, "c", "UInt64")...), "DB::Exception"},
		"rows of nothing":     {append(append([]byte{}, hello...), packet(1, "id", 0, "", 2, 0, "SELECT 1", 2, "x", blockInfo, 1, uint64(1)<<40, "c", "Nothing")...), "DB::Exception"},
		"string in a column":  {append(append([]byte{}, hello...), packet(1, "id", 0, "", 2, 0, "SELECT 1", 2, "x", blockInfo, 1, 1, "c", "String", uint64(1)<<60)...), "DB::Exception"},
		"array's length":      {append(append([]byte{}, hello...), packet(1, "id", 0, "", 2, 0, "SELECT 1", 2, "x", blockInfo, 1, 1, "c", "Array(UInt8)", bytes.Repeat([]byte{0xff}, 8))...), "DB::Exception"},
		"type":                {append(append([]byte{}, hello...), packet(1, "id", 0, "", 2, 0, "SELECT 1", 2, "x", blockInfo, 1, 1, "c", strings.Repeat("Array(", 100000), 1)...), "DB::Exception"},
		"type of a column":    {append(append([]byte{}, hello...), packet(1, "id", 0, "", 2, 0, "SELECT 1", 2, "x", blockInfo, 1, 1, "c", "NoSuchType", 1)...), "DB::Exception"},
		"data without query":  {append(append([]byte{}, hello...), packet(2, "", blockInfo, 1, 1, "c", "UInt8", 5)...), "DB::Exception"},
		"compressed nonsense": {append(append([]byte{}, hello...), packet(1, "id", 0, "", 2, 1, "SELECT 1", 2, "", bytes.Repeat([]byte{0x82}, 64))...), "DB::Exception"},
		"compressed length":   {append(append([]byte{}, hello...), packet(1, "id", 0, "", 2, 1, "SELECT 1", 2, "", make([]byte, 16), []byte{0x82, 0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff, 0x7f})...), "DB::Exception"},
	} {
		if out := say(t, addr, c.bytes); !bytes.Contains(out, []byte(c.want)) {
			t.Errorf("%s: want %q in the answer, got %.300q", name, c.want, out)
		}
		alive(t, addr, name)
	}
	if grown := int64(heap() - before); grown > 256<<20 {
		t.Errorf("hostile packets have cost %d MiB", grown>>20)
	}
	// Random changes of an honest conversation, and its beginnings.
	rng := rand.New(rand.NewPCG(1, 2))
	honest := append(append([]byte{}, hello...), question("SELECT number, toString(number) FROM numbers(10)")...)
	var wg sync.WaitGroup
	for range 8 {
		seed := rng.Uint64()
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(seed, 3))
			for range 50 {
				b := append([]byte{}, honest...)
				for range 1 + rng.IntN(3) {
					b[rng.IntN(len(b))] = byte(rng.Uint32())
				}
				c, err := net.Dial("tcp", addr)
				if err != nil {
					t.Error(err)
					return
				}
				c.Write(b[:rng.IntN(len(b)+1)])
				c.SetReadDeadline(time.Now().Add(20 * time.Millisecond))
				io.Copy(io.Discard, c)
				c.Close()
			}
		})
	}
	wg.Wait()
	alive(t, addr, "random packets")
}

// Connections that end in the middle of everything end what runs for them.
func TestConnectionsCut(t *testing.T) {
	_, addr := usersServer(t)
	for _, sql := range []string{longQuery, "SELECT number FROM numbers(100000000000000) WHERE number != 1000000000000"} {
		c, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		c.Write(append(append([]byte{}, hello...), question(sql)...))
		await(t, "running", func() bool { return running(t, addr) == "1\n" })
		c.Close()
		await(t, "ended", func() bool { return running(t, addr) == "0\n" })
	}
	c := dial(t, addr)
	in, err := c.Insert(context.Background(), &wire.Request{SQL: "INSERT INTO t VALUES"})
	if err != nil {
		t.Fatal(err)
	}
	b := in.Header()
	if len(b.Names) != 2 {
		t.Fatalf("%v", b.Names)
	}
	c.Close() // in the middle of an INSERT: nothing of it stays
	await(t, "ended", func() bool {
		return run(t, addr, "SELECT count() FROM system.processes WHERE query_kind = 'Insert'") == "0\n"
	})
	check(t, addr, "SELECT count() FROM t", "0\n")
	alive(t, addr, "cut connections")
}

// Idle connections cost little and disturb nobody; more than allowed are refused with a clear error.
func TestIdleConnections(t *testing.T) {
	s := startServer(t, func(c *Config) { c.MaxConnections = 220 })
	addr := s.Addr().String()
	before := heap()
	var idle []*wire.Client
	for range 200 {
		idle = append(idle, dial(t, addr))
	}
	if grown := int64(heap() - before); grown > 200*256<<10 {
		t.Errorf("200 idle connections take %d KiB each", grown/200>>10)
	}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for i := range 5 {
				if out, err := ask(t, addr, fmt.Sprintf("SELECT %d", i)); err != nil || out != fmt.Sprintln(i) {
					t.Errorf("%q, %v", out, err)
				}
			}
		})
	}
	wg.Wait()
	for len(idle) < 220 { // the server needs a moment to see that the others have gone
		await(t, "let in", func() bool {
			c, err := wire.Dial(context.Background(), addr, wire.ClientConfig{})
			if err == nil {
				idle = append(idle, c)
			}
			return err == nil
		})
	}
	if c, err := wire.Dial(context.Background(), addr, wire.ClientConfig{}); err == nil {
		c.Close()
		t.Error("connection 221 of 220 is let in")
	}
	for _, c := range idle {
		if err := c.Exec(context.Background(), &wire.Request{SQL: "SELECT 1"}); err != nil {
			t.Fatalf("an idle connection: %v", err)
		}
		c.Close()
	}
}
