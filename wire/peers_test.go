package wire

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/ClickHouse/ch-go"
	"github.com/ClickHouse/ch-go/compress"
	"github.com/ClickHouse/ch-go/proto"
	"github.com/ClickHouse/clickhouse-go/v2"

	"dictsvc/column"
	"dictsvc/errcode"
	"dictsvc/internal/peers"
)

func TestOldClient(t *testing.T) {
	f := newFake()
	_, addr := serve(t, f, Limits{})
	for _, compression := range []string{"0", "1"} {
		run := func(sql string, args ...string) peers.Result {
			return peers.OldClient(t, addr, sql, append(args, "--compression", compression)...)
		}
		if r := run("SELECT 1"); r.Out != "1\n" || r.Code != 0 {
			t.Fatalf("%+v", r)
		}
		r := run("SELECT common", "--max_threads", "3", "--max_memory_usage", "5000000000", "--network_compression_method", "zstd", "--network_zstd_compression_level", "3",
			"--load_balancing", "in_order", "--totals_auto_threshold", "0.25")
		if r.Code != 0 || strings.Count(r.Out, "\n") != 7 {
			t.Fatalf("%+v", r)
		}
		for name, want := range map[string]string{"max_threads": "3", "max_memory_usage": "5000000000", "network_compression_method": "zstd",
			"network_zstd_compression_level": "3", "load_balancing": "in_order", "totals_auto_threshold": "0.25"} {
			q := f.last()
			if got, ok := q.Setting(name); !ok || got != want {
				t.Errorf("setting %s: want %q, got %q", name, want, got)
			}
		}
		if r := run("SELECT printable"); r.Code != 0 || strings.Count(r.Out, "\n") != 7 { // with types it does not know
			t.Fatalf("%+v", r)
		}
		if r := run("SELECT many", "--format", "TSV"); r.Code != 0 || strings.Count(r.Out, "\n") != 1e6 {
			t.Fatalf("%d lines, %s", strings.Count(r.Out, "\n"), r.Err)
		}
		if r := run("SELECT totals"); r.Code != 0 || !strings.HasPrefix(r.Out, "0\n1\n2\n\n3\n") {
			t.Fatalf("%+v", r)
		}
		if r := run("SELECT broken"); r.Code != 47 || !strings.Contains(r.Err, "Unknown identifier `broken`") {
			t.Fatalf("%+v", r)
		}
		if r := run("SELECT late"); r.Code != 159 || r.Out != "0\n1\n2\n" {
			t.Fatalf("%+v", r)
		}
		f.inserted = nil
		in := peers.OldClientStdin(t, addr, "5\n6\n", "--compression", compression, "--query", "INSERT INTO t FORMAT TSV")
		if in.Code != 0 || len(f.inserted) != 1 || f.inserted[0].Rows != 2 {
			t.Fatalf("%+v, %v", in, f.inserted)
		}
		if r := run("INSERT INTO missing VALUES (1)"); r.Code != 60 {
			t.Fatalf("%+v", r)
		}
		script := "SELECT 1; SET max_threads = 7; SELECT 1; INSERT INTO t VALUES (1), (2); SELECT empty"
		if r := peers.OldClientStdin(t, addr, script, "--multiquery", "--compression", compression); r.Code != 0 || r.Out != "1\n1\n" {
			t.Fatalf("%+v", r)
		}
		ext := peers.OldClientStdin(t, addr, "1\ta\n2\tb\n", "--compression", compression, "--query", "SELECT external", "--external", "--file=-", "--name=ext", "--structure=x UInt8, s String")
		if ext.Code != 0 || ext.Out != "2\n" || f.last().External[0].Name != "ext" {
			t.Fatalf("%+v", ext)
		}
	}
	for user, code := range map[string]int{"nobody": 516 & 0xff, "guest": 516 & 0xff} {
		if r := peers.OldClient(t, addr, "SELECT 1", "--user", user); r.Code != code || !strings.Contains(r.Err, "516") {
			t.Errorf("user %s: %+v", user, r)
		}
	}
}

func TestOldClientInterrupted(t *testing.T) {
	f := newFake()
	_, addr := serve(t, f, Limits{})
	host, port, _ := net.SplitHostPort(addr)
	cmd := exec.Command(peers.Need(t, "clickhouse-client", "clickhouse-client"), "--host", host, "--port", port, "--query", "SELECT slow")
	var out strings.Builder
	cmd.Stdout = &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	<-f.started
	cmd.Process.Signal(os.Interrupt)
	select {
	case err := <-f.ended:
		if !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	case <-time.After(5 * time.Second):
		t.Error("Ctrl-C has not cancelled the query")
		cmd.Process.Kill()
	}
	cmd.Wait()
}

func TestOldClientInteractive(t *testing.T) {
	f := newFake()
	_, addr := serve(t, f, Limits{})
	r := peers.Interactive(t, addr, "SELECT common", "SELECT slow", "^C", "SELECT broken", "SELECT 1", "exit")
	if !strings.Contains(r.Out, "7 rows in set") || !strings.Contains(r.Out, "Unknown identifier `broken`") || !strings.Contains(r.Out, "1 rows in set") {
		t.Fatalf("%+v", r)
	}
	select {
	case err := <-f.ended:
		if !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	case <-time.After(time.Second):
		t.Error("Ctrl-C has not cancelled the query")
	}
}

func TestBenchmark(t *testing.T) {
	_, addr := serve(t, newFake(), Limits{})
	r := peers.Benchmark(t, addr, "SELECT 1\n", 8, 2000)
	if r.Code != 0 || !strings.Contains(r.Err, "Queries executed: 2000.") {
		t.Fatalf("%+v", r)
	}
}

func TestPython(t *testing.T) {
	f := newFake()
	_, addr := serve(t, f, Limits{})
	r := peers.Python(t, addr, `
import sys, decimal
from clickhouse_driver import Client, errors
c = Client(sys.argv[1], int(sys.argv[2]), user='guest', password='secret', settings={'max_threads': 3})
print(c.execute('SELECT 1', with_column_types=True))
print(len(c.execute('SELECT common')), len(c.execute('SELECT many')), c.execute('SELECT totals'))
try: c.execute('SELECT broken')
except errors.ServerException as e: print(e.code)
print(c.execute('SELECT external', external_tables=[{'name': 'x', 'structure': [('a', 'UInt8'), ('b', 'Nullable(String)')], 'data': [{'a': 1, 'b': None}, {'a': 2, 'b': 'z'}]}]))
print(c.execute('INSERT INTO t VALUES', [(1,), (2,)]))
try: c.execute('INSERT INTO missing VALUES', [(1,)])
except errors.ServerException as e: print(e.code)
p = c.execute_with_progress('SELECT many')
for done, total in p: pass
print(done, len(p.get_result()))
c.disconnect()
try: Client(sys.argv[1], int(sys.argv[2]), user='guest', password='no').execute('SELECT 1')
except errors.ServerException as e: print(e.code)
`)
	want := "[(1,)], [('1', 'UInt8')])"
	lines := strings.Split(r.Out, "\n")
	if r.Code != 0 || !strings.Contains(lines[0], want) || strings.Join(lines[1:], "|") !=
		"7 1000000 [(0,), (1,), (2,), (3,), (0,), (1,)]|47|[(2,)]|2|60|1000000 1000000|516|" {
		t.Fatalf("%+v", r)
	}
	for _, q := range f.queries {
		if v, _ := q.Setting("max_threads"); v != "3" && q.Client.InitialUser != "" {
			t.Fatalf("settings of %q: %v", q.SQL, q.Settings)
		}
	}
}

func TestCHGo(t *testing.T) {
	f := newFake()
	_, addr := serve(t, f, Limits{})
	ctx := context.Background()
	for _, method := range []ch.Compression{ch.CompressionDisabled, ch.CompressionNone, ch.CompressionLZ4, ch.CompressionZSTD} {
		c, err := ch.Dial(ctx, ch.Options{Address: addr, User: "guest", Password: "secret", Compression: method})
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Ping(ctx); err != nil {
			t.Fatal(err)
		}
		var one proto.ColUInt8
		if err := c.Do(ctx, ch.Query{Body: "SELECT 1", Result: proto.Results{{Name: "1", Data: &one}}}); err != nil || one.Row(0) != 1 {
			t.Fatal(one, err)
		}
		var numbers proto.ColUInt64
		rows := 0
		if err := c.Do(ctx, ch.Query{Body: "SELECT many", Result: proto.Results{{Name: "number", Data: &numbers}},
			OnResult: func(context.Context, proto.Block) error { rows += numbers.Rows(); return nil }}); err != nil || rows != 1e6 {
			t.Fatal(rows, err)
		}
		var common proto.Results
		if err := c.Do(ctx, ch.Query{Body: "SELECT common", Result: common.Auto()}); err != nil {
			t.Fatal(err)
		}
		var x *ch.Exception
		if err := c.Do(ctx, ch.Query{Body: "SELECT broken"}); !errors.As(err, &x) || x.Code != proto.ErrUnknownIdentifier {
			t.Fatal(err)
		}
		f.mu.Lock()
		f.inserted = nil
		f.mu.Unlock()
		if err := c.Do(ctx, ch.Query{Body: "INSERT INTO t VALUES", Input: proto.Input{{Name: "number", Data: proto.ColUInt64{1, 2, 3}}}}); err != nil {
			t.Fatal(err)
		}
		if len(f.inserted) != 1 || f.inserted[0].Rows != 3 {
			t.Fatal(f.inserted)
		}
		var names proto.ColLowCardinality[string] = *proto.NewLowCardinality[string](new(proto.ColStr))
		names.Append("x")
		names.Append("y")
		names.Append("x")
		var n proto.ColUInt64
		if err := c.Do(ctx, ch.Query{Body: "SELECT external", Result: proto.Results{{Name: "number", Data: &n}},
			Parameters: ch.Parameters(map[string]any{"p": "it's"}), Settings: []ch.Setting{ch.SettingInt("max_threads", 3)},
			ExternalTable: "ext", ExternalData: []proto.InputColumn{{Name: "s", Data: &names}}}); err != nil || n.Row(0) != 3 {
			t.Fatal(n, err)
		}
		q := f.last()
		if s := column.Plain(q.External[0].Blocks[0].Cols[0]).(*column.Str); string(s.At(0)) != "x" || string(s.At(1)) != "y" || string(s.At(2)) != "x" {
			t.Fatal(s)
		}
		if v, _ := q.Setting("max_threads"); v != "3" || len(q.Params) != 1 || q.Params[0] != (Param{"p", "it's"}) {
			t.Fatal(q.Settings, q.Params)
		}
		deadline, cancel := context.WithTimeout(ctx, 100*time.Millisecond)
		if err := c.Do(deadline, ch.Query{Body: "SELECT sleep", Result: proto.Results{{Name: "number", Data: &n}}}); err == nil {
			t.Fatal("a deadline has passed without an error")
		}
		cancel()
		select {
		case <-f.ended:
		case <-time.After(3 * time.Second):
			t.Fatal("a query outlives its client")
		}
		<-f.started
		c.Close()
	}
}

func TestClickHouseGo(t *testing.T) {
	f := newFake()
	_, addr := serve(t, f, Limits{})
	ctx := context.Background()
	for _, method := range []clickhouse.CompressionMethod{clickhouse.CompressionNone, clickhouse.CompressionLZ4, clickhouse.CompressionZSTD} {
		conn, err := clickhouse.Open(&clickhouse.Options{Addr: []string{addr}, Auth: clickhouse.Auth{Username: "guest", Password: "secret", Database: "d"},
			Compression: &clickhouse.Compression{Method: method}, Settings: clickhouse.Settings{"max_threads": 3}})
		if err != nil {
			t.Fatal(err)
		}
		if err := conn.Ping(ctx); err != nil {
			t.Fatal(err)
		}
		var one uint8
		if err := conn.QueryRow(ctx, "SELECT 1").Scan(&one); err != nil || one != 1 {
			t.Fatal(one, err)
		}
		rows, err := conn.Query(ctx, "SELECT many")
		if err != nil {
			t.Fatal(err)
		}
		var v, n uint64
		for ; rows.Next(); n++ {
			if err := rows.Scan(&v); err != nil || v != n {
				t.Fatal(v, n, err)
			}
		}
		if rows.Err() != nil || n != 1e6 {
			t.Fatal(n, rows.Err())
		}
		rows, err = conn.Query(ctx, "SELECT common")
		if err != nil {
			t.Fatal(err)
		}
		for n = 0; rows.Next(); n++ {
		}
		if rows.Err() != nil || n != 7 || len(rows.ColumnTypes()) != len(commonTypes) {
			t.Fatal(n, rows.Err())
		}
		var x *clickhouse.Exception
		if err := conn.QueryRow(ctx, "SELECT broken").Scan(&one); !errors.As(err, &x) || x.Code != 47 {
			t.Fatal(err)
		}
		if err := conn.Exec(ctx, "SET x = 1"); err != nil {
			t.Fatal(err)
		}
		f.mu.Lock()
		f.inserted = nil
		f.mu.Unlock()
		batch, err := conn.PrepareBatch(ctx, "INSERT INTO t")
		if err != nil {
			t.Fatal(err)
		}
		for i := uint64(0); i < 5; i++ {
			if err := batch.Append(i); err != nil {
				t.Fatal(err)
			}
		}
		if err := batch.Send(); err != nil || len(f.inserted) != 1 || f.inserted[0].Rows != 5 {
			t.Fatal(f.inserted, err)
		}
		params := clickhouse.Context(ctx, clickhouse.WithParameters(clickhouse.Parameters{"p": "it's"}))
		if err := conn.QueryRow(params, "SELECT 1").Scan(&one); err != nil {
			t.Fatal(err)
		}
		if q := f.last(); len(q.Params) != 1 || q.Params[0] != (Param{"p", "it's"}) || !q.Settings[0].Important() {
			t.Fatalf("%+v", q)
		}
		deadline, cancel := context.WithTimeout(ctx, 100*time.Millisecond)
		if rows, err = conn.Query(deadline, "SELECT slow"); err == nil {
			for rows.Next() {
			}
			err = rows.Err()
		}
		cancel()
		if err == nil {
			t.Fatal("a deadline has passed without an error")
		}
		select {
		case <-f.ended:
		case <-time.After(3 * time.Second):
			t.Fatal("a query outlives its client")
		}
		<-f.started
		conn.Close()
	}
	db, err := sql.Open("clickhouse", "clickhouse://guest:secret@"+addr+"/d")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var one int
	if err := db.QueryRow("SELECT 1").Scan(&one); err != nil || one != 1 {
		t.Fatal(one, err)
	}
}

// Frames are the same as ch-go's in both directions.
func TestFramesAgainstCHGo(t *testing.T) {
	data := []byte(strings.Repeat("frames and frames ", 5000))
	for ours, theirs := range map[Compression]compress.Method{LZ4: compress.LZ4, ZSTD: compress.ZSTD, NONE: compress.None} {
		var w output
		fw := newFrameWriter(&w)
		fw.method = ours
		fw.raw.raw(data)
		fw.raw.spill()
		got := make([]byte, len(data))
		if _, err := compress.NewReader(strings.NewReader(string(w.buf))).Read(got); err != nil || string(got) != string(data) {
			t.Fatalf("method %#x: ch-go cannot read our frame: %v", ours, err)
		}
		cw := compress.NewWriter(0, theirs)
		if err := cw.Compress(data); err != nil {
			t.Fatal(err)
		}
		r := newFrameReader(newBytesInput(cw.Data))
		if !r.full(got) || string(got) != string(data) {
			t.Fatalf("method %#x: cannot read ch-go's frame: %v", ours, r.err)
		}
		r.close()
	}
}

// The client half against a real ClickHouse 18.16.
func TestClientOldServer(t *testing.T) {
	s := peers.OldServer(t)
	ctx := context.Background()
	for _, method := range []Compression{Uncompressed, LZ4, ZSTD} {
		c := dial(t, s.Addr, ClientConfig{User: "guest", Password: "secret", Compression: method})
		if c.Revision() != 54412 || c.Server().Timezone == "" {
			t.Fatalf("%+v", c.Server())
		}
		if err := c.Ping(ctx); err != nil {
			t.Fatal(err)
		}
		exec := func(sql string) {
			t.Helper()
			if err := c.Exec(ctx, &Request{SQL: sql, Settings: []Setting{{Name: "allow_experimental_low_cardinality_type", Value: "1"}}}); err != nil {
				t.Fatal(err)
			}
		}
		exec("DROP TABLE IF EXISTS w")
		exec("CREATE TABLE w (k UInt64, s String, n Nullable(Int32), a Array(String), l LowCardinality(String), d DateTime, e Enum8('a' = 1, 'b' = 2)) ENGINE = Memory")
		blocks, rows, err := queryAll(t, c, &Request{SQL: "SELECT number, toString(number) FROM system.numbers LIMIT 300000",
			Settings: []Setting{{Name: "max_block_size", Value: "10000"}, {Name: "max_threads", Value: "2"}, {Name: "a_new_setting", Value: "1"}}})
		if err != nil || rows.Profile().Rows != 300000 {
			t.Fatal(rows, err)
		}
		n := uint64(0)
		for _, b := range blocks {
			for i, v := range b.Cols[0].(*column.Num[uint64]).Data {
				if v != n || string(b.Cols[1].(*column.Str).At(i)) != fmt.Sprint(n) {
					t.Fatalf("row %d: %d", n, v)
				}
				n++
			}
		}
		if n != 300000 || rows.Progress().Rows < n {
			t.Fatal(n, rows.Progress())
		}

		in, err := c.Insert(ctx, &Request{SQL: "INSERT INTO w VALUES"})
		if err != nil {
			t.Fatal(err)
		}
		b := sampleBlock(1000, "UInt64", "String", "Nullable(Int32)", "Array(String)", "LowCardinality(String)", "DateTime", "UInt8")
		e := b.Cols[6].(*column.Num[uint8])
		enum := make([]int8, 1000)
		for i, v := range e.Data {
			enum[i] = int8(v%2) + 1
		}
		b.Cols[6] = column.NewNum(in.Header().Cols[6].Type(), enum)
		b.Names = in.Header().Names
		if err := in.Write(b); err != nil {
			t.Fatal(err)
		}
		if err := in.Close(); err != nil {
			t.Fatal(err)
		}
		got, _, err := queryAll(t, c, &Request{SQL: "SELECT * FROM w"})
		if err != nil || len(got) != 1 {
			t.Fatal(err)
		}
		nullsAreDefault(b)
		sameBlock(t, b, got[0])

		_, _, err = queryAll(t, c, &Request{SQL: "SELECT no_such_column FROM w"})
		wantCode(t, err, errcode.UnknownIdentifier)
		blocks, rows, err = queryAll(t, c, &Request{SQL: "SELECT number % 2 AS k, count() FROM (SELECT number FROM system.numbers LIMIT 10) GROUP BY k WITH TOTALS ORDER BY k"})
		if err != nil || rows.Totals() == nil || blocks[0].Rows != 2 {
			t.Fatal(rows, err)
		}
		blocks, _, err = queryAll(t, c, &Request{SQL: "SELECT sum(number) FROM ext", External: []External{{Name: "ext", Blocks: []*column.Block{numbers(0, 100)}}}})
		if err != nil || blocks[0].Cols[0].(*column.Num[uint64]).Data[0] != 4950 {
			t.Fatal(blocks, err)
		}
		long, err := c.Query(ctx, &Request{SQL: "SELECT number FROM system.numbers"})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := long.Next(); err != nil {
			t.Fatal(err)
		}
		if err := long.Close(); err != nil {
			t.Fatal(err)
		}
		exec("SELECT 1")
		known, err := c.TablesStatus(ctx, []TableName{{"default", "w"}, {"default", "nothing"}})
		if err != nil || len(known) != 1 {
			t.Fatal(known, err)
		}
	}
	_, err := Dial(ctx, s.Addr, ClientConfig{User: "guest", Password: "no"})
	wantCode(t, err, errcode.WrongPassword)

	c := dial(t, s.Addr, ClientConfig{})
	rows, err := c.Query(ctx, &Request{SQL: "SELECT number FROM system.numbers"})
	if err != nil {
		t.Fatal(err)
	}
	rows.Next()
	s.Kill()
	for err == nil {
		_, err = rows.Next()
	}
	wantCode(t, err, errcode.NetworkError)
	_, err = Dial(ctx, s.Addr, ClientConfig{})
	wantCode(t, err, errcode.NetworkError)
}

// nullsAreDefault gives rows that are NULL the default value, as a server may do.
func nullsAreDefault(b *column.Block) {
	for _, c := range b.Cols {
		if n, ok := c.(*column.Null); ok {
			v := n.Inner.(*column.Num[int32])
			for i, null := range n.Nulls {
				if null != 0 {
					v.Data[i] = 0
				}
			}
		}
	}
}

// 18.16 as the initiator of remote().
func TestOldServerRemote(t *testing.T) {
	f := newFake()
	_, addr := serve(t, f, Limits{})
	s := peers.OldServer(t)
	r := peers.OldClient(t, s.Addr, fmt.Sprintf("SELECT k, v FROM remote('%s', d.t)", addr))
	if r.Code != 0 || r.Out != "1\tone\n2\ttwo\n" {
		t.Fatalf("%+v", r)
	}
	if r := peers.OldClient(t, s.Addr, fmt.Sprintf("SELECT k, v FROM remote('%s', d.missing)", addr)); r.Code == 0 {
		t.Fatalf("%+v", r)
	}
}

// ClickHouse 26.7 as the initiator of remote() and as the owner of a dictionary whose source is this server.
func TestClickHouseRemote(t *testing.T) {
	f := newFake()
	_, addr := serve(t, f, Limits{})
	_, port, _ := net.SplitHostPort(addr)
	a := peers.ClickHouse(t, "TSV",
		fmt.Sprintf("SELECT k, v FROM remote('%s', d.t, 'guest', 'secret')", addr),
		fmt.Sprintf("SELECT count(), sum(k) FROM (SELECT k, v FROM remote('%s', d.t, 'guest', 'secret'))", addr),
		fmt.Sprintf("SELECT k FROM remote('%s', d.missing, 'guest', 'secret')", addr),
		fmt.Sprintf("CREATE DICTIONARY dict (k UInt64, v String) PRIMARY KEY k SOURCE(CLICKHOUSE(HOST '127.0.0.1' PORT %s USER 'guest' PASSWORD 'secret' DB 'd' TABLE 't')) LAYOUT(FLAT()) LIFETIME(0)", port),
		"SELECT dictGet('dict', 'v', toUInt64(2)), dictHas('dict', toUInt64(3))")
	if a[0].Out != "1\tone\n2\ttwo\n" {
		t.Fatalf("%+v", a[0])
	}
	if a[2].Error == "" {
		t.Fatalf("%+v", a[2])
	}
	if a[4].Out != "two\t0\n" {
		t.Fatalf("%+v", a[3:])
	}
}
