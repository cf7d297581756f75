package wire

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/go-faster/city"

	"dictsvc/column"
	"dictsvc/errcode"
)

// rawHello is a valid handshake at our revision, with the addendum.
func rawHello() []byte {
	var w output
	h := clientHelloPacket{Name: "raw", Revision: Revision, User: "default"}
	h.encode(&w)
	w.str("")
	return w.buf
}

// rawQuery is the Query packet of a statement, without the end marker.
func rawQuery(sql string, compressed bool) []byte {
	var w output
	q := Query{SQL: sql, Stage: StageComplete, Compressed: compressed}
	q.encode(&w, Revision)
	return w.buf
}

func rawDial(t *testing.T, addr string, send ...[]byte) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	c.SetDeadline(time.Now().Add(10 * time.Second))
	for _, b := range send {
		c.Write(b) // the server may have hung up before the last of them
	}
	return c
}

// answer reads what the server says until it hangs up.
func answer(c net.Conn) string {
	b, _ := io.ReadAll(c)
	return string(b)
}

func TestHTTPRefused(t *testing.T) {
	_, addr := serve(t, newFake(), Limits{})
	for _, method := range []string{"GET", "POST"} {
		got := answer(rawDial(t, addr, []byte(method+" / HTTP/1.1\r\nHost: x\r\n\r\n")))
		_, port, _ := net.SplitHostPort(addr)
		if !strings.HasPrefix(got, "HTTP/1.0 400 Bad Request\r\n") || !strings.Contains(got, "Port "+port+" is for clickhouse-client program") {
			t.Errorf("%s: %q", method, got)
		}
	}
}

// blockHead is the beginning of a Data packet of one column.
func blockHead(cols, rows uint64, name, typ string) []byte {
	var w output
	w.u8(clientData)
	w.str("ext")
	writeBlockInfo(&w)
	w.uvarint(cols)
	w.uvarint(rows)
	if cols > 0 {
		w.str(name)
		w.str(typ)
		w.u8(0)
	}
	return w.buf
}

func cat(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

func uvarint(n uint64) []byte { return binary.AppendUvarint(nil, n) }

func u64(v ...uint64) []byte {
	var b []byte
	for _, x := range v {
		b = binary.LittleEndian.AppendUint64(b, x)
	}
	return b
}

// frame makes a compressed frame with a right checksum around anything.
func frame(method byte, size, raw uint32, data []byte) []byte {
	b := append([]byte{method}, binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, size), raw)...)
	b = append(b, data...)
	h := city.CH128(b)
	return cat(u64(h.Low, h.High), b)
}

// Each of these ends with an exception of the code wanted, at little cost, and the server lives on.
func TestHostilePackets(t *testing.T) {
	const huge = 1 << 60
	query := rawQuery("SELECT external", false)
	packed := cat(rawQuery("SELECT external", true), []byte{clientData, 0})
	framed := rawQuery("SELECT external", true)
	ext := func(b ...[]byte) []byte { return cat(rawHello(), query, cat(b...)) }
	deep := strings.Repeat("Array(", 100_000) + "UInt8" + strings.Repeat(")", 100_000)
	for _, x := range []struct {
		name string
		send []byte
		code errcode.Code
	}{
		{"client name of 2^60 bytes", cat([]byte{0}, uvarint(huge)), errcode.TooLargeStringSize},
		{"password of 2^60 bytes", cat([]byte{0}, []byte("\x01c\x01\x01\xbc\xa9\x03\x00\x00"), uvarint(huge)), errcode.TooLargeStringSize},
		{"no Hello", []byte{clientQuery, 0}, errcode.UnexpectedPacketFromClient},
		{"quota key of 2^60 bytes", cat(rawHello()[:len(rawHello())-1], uvarint(huge)), errcode.TooLargeStringSize},
		{"unknown packet", cat(rawHello(), []byte{99}), errcode.UnknownPacketFromClient},
		{"second Hello", cat(rawHello(), []byte{clientHello}), errcode.UnexpectedPacketFromClient},
		{"data without a query", cat(rawHello(), blockHead(0, 0, "", "")), errcode.UnexpectedPacketFromClient},
		{"query id of 2^60 bytes", cat(rawHello(), []byte{clientQuery}, uvarint(huge)), errcode.TooLargeStringSize},
		{"query of 2^60 bytes", cat(rawHello(), query[:len(query)-len("SELECT external")-2], uvarint(huge)), errcode.TooLargeStringSize},
		{"tables: 2^60", cat(rawHello(), []byte{clientTablesStatus}, uvarint(huge)), errcode.TooLargeArraySize},
		{"ping inside a query", ext([]byte{clientPing}), errcode.UnexpectedPacketFromClient},
		{"columns: 2^60", ext(blockHead(huge, 1, "a", "UInt8")), errcode.TooLargeArraySize},
		{"rows: 2^60", ext(blockHead(1, huge, "a", "UInt8")), errcode.TooLargeArraySize},
		{"rows without columns", ext(blockHead(0, 5, "", "")), errcode.IncorrectData},
		{"name of 2^60 bytes", ext(blockHead(0, 0, "", "")[:5+8], uvarint(1), uvarint(1), uvarint(huge)), errcode.TooLargeStringSize},
		{"unknown type", ext(blockHead(1, 1, "a", "Wrong")), errcode.UnknownType},
		{"100,000 nested arrays", ext(blockHead(1, 1, "a", deep)), errcode.TooDeepRecursion},
		{"aggregate states", ext(blockHead(1, 1, "a", "AggregateFunction(sum, UInt64)")), errcode.NotImplemented},
		{"string of 2^60 bytes", ext(blockHead(1, 1, "a", "String"), uvarint(huge)), errcode.TooLargeStringSize},
		{"array of 2^60 elements", ext(blockHead(1, 1, "a", "Array(UInt8)"), u64(huge)), errcode.TooLargeArraySize},
		{"falling offsets", ext(blockHead(1, 2, "a", "Array(UInt8)"), u64(5, 3)), errcode.IncorrectData},
		{"dictionary of 2^60 keys", ext(blockHead(1, 1, "a", "LowCardinality(String)"), u64(1, 0x600, huge)), errcode.IncorrectData},
		{"key out of range", ext(blockHead(1, 1, "a", "LowCardinality(UInt8)"), u64(1, 0x600, 1), []byte{7}, u64(1), []byte{1}), errcode.IncorrectData},
		{"shared dictionary", ext(blockHead(1, 1, "a", "LowCardinality(UInt8)"), u64(1, 0x500, 1)), errcode.IncorrectData},
		{"dictionary version", ext(blockHead(1, 1, "a", "LowCardinality(UInt8)"), u64(2)), errcode.IncorrectData},
		{"fixed strings over memory", ext(blockHead(1, 1<<31, "a", "FixedString(16777215)")), errcode.UnknownException}, // nothing follows: the connection just ends
		{"sparse column", cat(ext(blockHead(1, 1, "a", "UInt8"))[:len(ext(blockHead(1, 1, "a", "UInt8")))-1], []byte{1}), errcode.IncorrectData},
		{"frame method", cat(rawHello(), packed, frame(0x77, 10, 1, []byte{0})), errcode.UnknownCompressionMethod},
		{"frame of 4 GiB", cat(rawHello(), packed, frame(0x82, 1<<32-1, 1<<32-1, nil)), errcode.TooLargeSizeCompressed},
		{"frame that grows 1000 times", cat(rawHello(), packed, frame(0x82, 9+100, 100_000, make([]byte, 100))), errcode.CannotDecompress},
		{"frame without data", cat(rawHello(), packed, frame(0x02, 9, 0, nil)), errcode.CannotDecompress},
		{"frame with a wrong checksum", cat(rawHello(), packed, make([]byte, 16), frame(0x02, 10, 1, []byte{0})[16:]), errcode.ChecksumDoesntMatch},
		{"broken LZ4", cat(rawHello(), packed, frame(0x82, 9+4, 100, []byte{0xff, 1, 2, 3})), errcode.CannotDecompress},
		{"broken ZSTD", cat(rawHello(), packed, frame(0x90, 9+4, 100, []byte{0xff, 1, 2, 3})), errcode.CannotDecompress},
		{"bytes behind a block", cat(rawHello(), framed, []byte{clientData, 0}, frame(0x02, 9+11, 11, cat(blockHead(0, 0, "", "")[5:], []byte{0}))), errcode.IncorrectData},
		{"stage 9", cat(rawHello(), bytes.Replace(query, []byte("\x00\x02\x00\x0fSELECT"), []byte("\x00\x09\x00\x0fSELECT"), 1), blockHead(0, 0, "", "")), errcode.NotImplemented},
	} {
		t.Run(x.name, func(t *testing.T) {
			f := newFake()
			_, addr := serve(t, f, Limits{})
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			c := rawDial(t, addr, x.send)
			c.(*net.TCPConn).CloseWrite()
			got := answer(c)
			runtime.ReadMemStats(&after)
			if used := after.TotalAlloc - before.TotalAlloc; used > 8<<20 {
				t.Errorf("%d bytes allocated for %d received", used, len(x.send))
			}
			if x.code == errcode.UnknownException {
				return
			}
			r := newBytesInput([]byte(got))
			if id := r.uvarint(); id == serverHello {
				var h ServerInfo
				h.decode(r, Revision, &testLimits)
				r.uvarint()
			}
			if err := decodeException(r, &testLimits); errcode.Of(err) != x.code {
				t.Fatalf("want code %d, got %v (%q)", x.code, err, got)
			}
			dial(t, addr, ClientConfig{})
		})
	}
}

// ended waits until the server has closed a connection.
func ended(t *testing.T, c net.Conn, within time.Duration) {
	t.Helper()
	c.SetReadDeadline(time.Now().Add(within))
	if _, err := io.Copy(io.Discard, c); err != nil {
		t.Fatalf("the connection is still open after %v: %v", within, err)
	}
}

func TestSlowClients(t *testing.T) {
	l := Limits{HandshakeTimeout: 100 * time.Millisecond, IdleTimeout: 200 * time.Millisecond, ReceiveTimeout: 150 * time.Millisecond, SendTimeout: 200 * time.Millisecond}
	f := newFake()
	s, addr := serve(t, f, l)
	ended(t, rawDial(t, addr), 2*time.Second)                                                               // silent
	ended(t, rawDial(t, addr, rawHello()[:5]), 2*time.Second)                                               // half a Hello
	ended(t, rawDial(t, addr, rawHello()), 2*time.Second)                                                   // idle
	ended(t, rawDial(t, addr, rawHello(), rawQuery("SELECT 1", false)[:9]), 2*time.Second)                  // half a Query
	ended(t, rawDial(t, addr, rawHello(), rawQuery("SELECT 1", false)), 2*time.Second)                      // no end marker
	ended(t, rawDial(t, addr, rawHello(), rawQuery("INSERT INTO t", false), blockHeadEnd()), 2*time.Second) // no rows
	<-f.ended

	trickle := rawDial(t, addr, rawHello()) // a byte now and then does not keep a packet alive
	go func() {
		for _, b := range rawQuery("SELECT 1", false) {
			if _, err := trickle.Write([]byte{b}); err != nil {
				return
			}
			time.Sleep(40 * time.Millisecond)
		}
	}()
	ended(t, trickle, 2*time.Second)

	deaf := rawDial(t, addr, rawHello(), rawQuery("SELECT flood", false), blockHeadEnd()) // never reads
	select {
	case err := <-f.ended:
		if err == nil {
			t.Error("a flood has ended without an error")
		}
	case <-time.After(5 * time.Second):
		t.Error("the server waits for a client that does not read")
	}
	deaf.Close()
	for i := 0; s.Connections() > 0 && i < 200; i++ {
		time.Sleep(10 * time.Millisecond)
	}
	if n := s.Connections(); n > 0 {
		t.Errorf("%d connections are left", n)
	}
}

// blockHeadEnd is the empty block that ends a stream of blocks.
func blockHeadEnd() []byte {
	var w output
	w.u8(clientData)
	w.str("")
	writeBlock(&w, nil, false, Revision)
	return w.buf
}

// ch-go sends a stray 0 before its Cancel.
func TestStrayByteEndsQuery(t *testing.T) {
	f := newFake()
	_, addr := serve(t, f, Limits{})
	c := rawDial(t, addr, rawHello(), rawQuery("SELECT slow", false), blockHeadEnd())
	<-f.started
	time.Sleep(3 * watchAfter)
	c.Write([]byte{0, 3})
	if err := <-f.ended; !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	ended(t, c, 2*time.Second)
}

// Packets sent ahead of the answers are answered in order.
func TestPipelining(t *testing.T) {
	_, addr := serve(t, newFake(), Limits{})
	one := cat([]byte{clientPing}, rawQuery("SELECT 1", false), blockHeadEnd())
	c := rawDial(t, addr, cat(rawHello(), one, one, one))
	c.(*net.TCPConn).CloseWrite()
	got := answer(c)
	if n := strings.Count(got, "\x011\x05UInt8\x00\x01\x06"); n != 3 {
		t.Fatalf("%d answers in %q", n, got)
	}
}

func TestRandomBytes(t *testing.T) {
	_, addr := serve(t, newFake(), Limits{ReceiveTimeout: 200 * time.Millisecond})
	rng := rand.New(rand.NewPCG(3, 4))
	valid := cat(rawHello(), rawQuery("SELECT external", false), blockHead(1, 3, "a", "UInt8"), []byte{1, 2, 3}, blockHeadEnd(), rawQuery("INSERT INTO t", true), blockHeadEnd())
	for i := 0; i < 300; i++ {
		b := bytes.Clone(valid)
		for n := rng.IntN(4); n >= 0; n-- {
			b[rng.IntN(len(b))] = byte(rng.Uint32())
		}
		c := rawDial(t, addr, b[:rng.IntN(len(b)+1)])
		c.(*net.TCPConn).CloseWrite()
		answer(c)
		c.Close()
	}
	dial(t, addr, ClientConfig{})
}

func TestLargeQueryText(t *testing.T) {
	f := newFake()
	_, addr := serve(t, f, Limits{MaxQuerySize: 20 << 20})
	c := dial(t, addr, ClientConfig{})
	sql := "SET " + strings.Repeat("x", 10<<20)
	if err := c.Exec(context.Background(), &Request{SQL: sql}); err != nil || len(f.last().SQL) != len(sql) {
		t.Fatal(err)
	}
	err := c.Exec(context.Background(), &Request{SQL: "SET " + strings.Repeat("x", 21<<20)})
	if code := errcode.Of(err); code != errcode.TooLargeStringSize && code != errcode.NetworkError { // the refusal may overtake the sending
		t.Fatal(err)
	}
}

// The client half does not trust servers either.
func TestHostileServer(t *testing.T) {
	hello := func() []byte {
		var w output
		h := ServerInfo{Name: "s", Revision: Revision, Timezone: "UTC", DisplayName: "s"}
		h.encode(&w, Revision)
		return w.buf
	}()
	data := func(cols, rows uint64, typ string) []byte {
		b := blockHead(cols, rows, "a", typ)
		return cat([]byte{serverData, 0}, b[5:])
	}
	for _, x := range []struct {
		name string
		send []byte
		code errcode.Code
	}{
		{"nothing", nil, errcode.NetworkError},
		{"another protocol", []byte("HTTP/1.1 400 Bad Request\r\n\r\n"), errcode.UnexpectedPacketFromServer},
		{"name of 2^60 bytes", cat([]byte{0}, uvarint(1<<60)), errcode.TooLargeStringSize},
		{"cut after Hello", hello, errcode.NetworkError},
		{"unknown packet", cat(hello, []byte{77}), errcode.UnknownPacketFromServer},
		{"rows: 2^60", cat(hello, data(1, 1<<60, "UInt8")), errcode.TooLargeArraySize},
		{"cut in a column", cat(hello, data(1, 1000, "UInt64"), make([]byte, 100)), errcode.NetworkError},
		{"unknown type", cat(hello, data(1, 1, "Wrong")), errcode.UnknownType},
		{"exception of 2^60 bytes", cat(hello, []byte{serverException, 1, 0, 0, 0}, uvarint(1<<60)), errcode.TooLargeStringSize},
	} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		done := make(chan struct{})
		go func() {
			defer close(done)
			c, err := l.Accept()
			if err != nil {
				return
			}
			defer c.Close()
			c.Write(x.send)
			c.(*net.TCPConn).CloseWrite()
			io.Copy(io.Discard, c)
		}()
		c, err := Dial(context.Background(), l.Addr().String(), ClientConfig{})
		if err == nil {
			err = c.Exec(context.Background(), &Request{SQL: "SELECT 1"})
			c.Close()
		}
		if errcode.Of(err) != x.code {
			t.Errorf("%s: want code %d, got %v (%d)", x.name, x.code, err, errcode.Of(err))
		}
		l.Close()
		<-done
	}
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	start := time.Now()
	_, err = Dial(context.Background(), silent.Addr().String(), ClientConfig{ConnectTimeout: 100 * time.Millisecond})
	if errcode.Of(err) != errcode.SocketTimeout || time.Since(start) > 2*time.Second {
		t.Errorf("a silent server: %v after %v", err, time.Since(start))
	}
}

func TestEmptyTupleAndNothing(t *testing.T) {
	b := &column.Block{Names: []string{"a"}, Cols: []column.Column{&column.Tup{T: column.NewTuple(nil, nil), N: 4}}, Rows: 4}
	var w output
	writeBlock(&w, b, true, Revision)
	r := newBytesInput(w.buf)
	if got := readBlock(r, Revision, &testLimits, nil); r.err != nil || got.Cols[0].Len() != 4 {
		t.Fatal(got, r.err)
	}
}
