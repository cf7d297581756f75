package server

import (
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"sync"
	"testing"

	"dictsvc/internal/peers"
)

// sourceRows is how many rows another server holds; two million with DICTSVC_BIG=1.
func sourceRows() int {
	if os.Getenv("DICTSVC_BIG") == "1" {
		return 2_000_000
	}
	return 200_000
}

// fillColumns are the columns of those rows, made from their numbers.
const fillColumns = "number AS id, concat('name ', toString(number)) AS name, toUInt8(number % 100) AS age, number / 4 AS score, if(number % 3 = 0, NULL, toString(number)) AS nick, " +
	"toDate('2020-01-01') + number % 1000 AS born"

// filled is what the dictionary must answer for every row; all figures come out of the numbers.
func filled(t *testing.T, addr, dict string, n int) {
	t.Helper()
	want := fmt.Sprintf("%[1]d\t%[1]d\t%[1]d\t%[2]d\t%[1]d\t%[1]d\t0\n", n, (n+2)/3)
	check(t, addr, fmt.Sprintf(`SELECT count(), countIf(dictGet('%[1]s', 'name', number) = concat('name ', toString(number))), countIf(dictGet('%[1]s', 'age', number) = number %% 100),
		countIf(dictGet('%[1]s', 'nick', number) IS NULL), countIf(dictGet('%[1]s', 'score', number) = number / 4),
		countIf(dictGet('%[1]s', 'born', number) = toDate('2020-01-01') + number %% 1000), sum(dictHas('%[1]s', number + %[2]d)) FROM numbers(%[2]d)`, dict, n), want)
}

func createFilled(name, layout, from string) string {
	return "CREATE DICTIONARY " + name + " (id UInt64, name String, age UInt8, score Float64, nick Nullable(String), born Date) PRIMARY KEY id SOURCE(CLICKHOUSE(" + from +
		")) LIFETIME(0) LAYOUT(" + layout + ")"
}

// A dictionary loaded from clickhouse-server 18.16; that server asking this one through remote().
func TestOldServer(t *testing.T) {
	old := peers.OldServer(t)
	_, addr := usersServer(t)
	n := sourceRows()
	fill := func(sql string) {
		t.Helper()
		if r := peers.OldClient(t, old.Addr, sql); r.Code != 0 {
			t.Fatalf("%s: %+v", sql, r)
		}
	}
	fill("CREATE TABLE big ENGINE = MergeTree ORDER BY id AS SELECT " + fillColumns + fmt.Sprintf(" FROM system.numbers LIMIT %d", n))
	from := "HOST '127.0.0.1' PORT " + port(t, old.Addr) + " USER 'guest' PASSWORD 'secret' DB 'default' TABLE 'big'"
	for _, layout := range []string{"HASHED()", "SPARSE_HASHED(MAX_LOAD_FACTOR 0.95)"} {
		run(t, addr, "DROP DICTIONARY IF EXISTS big")
		run(t, addr, createFilled("big", layout, from))
		filled(t, addr, "big", n)
		check(t, addr, "SELECT status, element_count, last_exception FROM system.dictionaries WHERE name = 'big'", fmt.Sprintf("LOADED\t%d\t\n", n))
	}
	run(t, addr, "CREATE DICTIONARY few (id UInt64, name String) PRIMARY KEY id SOURCE(CLICKHOUSE("+from+" WHERE 'id < 10')) LIFETIME(0) LAYOUT(HASHED())")
	check(t, addr, "SELECT count(), max(name) FROM few", "10\tname 9\n")
	run(t, addr, "CREATE DICTIONARY twice (a UInt64, b String, s UInt64) PRIMARY KEY a, b SOURCE(CLICKHOUSE(HOST '127.0.0.1' PORT "+port(t, old.Addr)+
		" QUERY 'SELECT id % 10 AS a, name AS b, id AS s FROM default.big WHERE id < 1000')) LIFETIME(0) LAYOUT(COMPLEX_KEY_HASHED())")
	check(t, addr, "SELECT sum(dictGet('twice', 's', (number % 10, concat('name ', toString(number))))) FROM numbers(1000)", "499500\n")
	for _, bad := range []struct {
		from string
		code string
	}{
		{"HOST '127.0.0.1' PORT " + port(t, old.Addr) + " TABLE 'missing'", "60"},
		{"HOST '127.0.0.1' PORT " + port(t, old.Addr) + " USER 'nobody' TABLE 'big'", "192"},
		{"HOST '127.0.0.1' PORT " + port(t, old.Addr) + " USER 'guest' PASSWORD 'no' TABLE 'big'", "193"},
		{fmt.Sprintf("HOST '127.0.0.1' PORT %d TABLE 'big'", peers.FreePort(t)), "210"},
	} {
		run(t, addr, "CREATE OR REPLACE DICTIONARY bad (id UInt64, name String) PRIMARY KEY id SOURCE(CLICKHOUSE("+bad.from+")) LIFETIME(0) LAYOUT(HASHED())")
		if r := peers.OldClient(t, addr, "SELECT dictGet('bad', 'name', toUInt64(1))"); !strings.Contains(r.Err, "Code: "+bad.code+".") {
			t.Errorf("%s: want error %s, got %+v", bad.from, bad.code, r)
		}
	}
	remote := func(sql, want string) {
		t.Helper()
		sql = strings.ReplaceAll(sql, "$users", "remote('"+addr+"', default.users)")
		if r := peers.OldClient(t, old.Addr, sql); r.Code != 0 || r.Out != want {
			t.Errorf("18.16: %s: want %q, got %+v", sql, want, r)
		}
	}
	remote("SELECT name, nick FROM $users WHERE id IN (3, 4) ORDER BY id", "user-3\t\\N\nuser-4\tn4\n")
	remote("SELECT city, count(), sum(age) FROM $users GROUP BY city ORDER BY city LIMIT 2", "city-0\t142\t7071\ncity-1\t143\t7114\n")
	remote("SELECT count() FROM $users WHERE id > 990", "10\n")

	// The source dies: an error, and the loaded version goes on.
	old.Kill()
	if _, err := ask(t, addr, "SYSTEM RELOAD DICTIONARY big"); err == nil {
		t.Error("a reload from a dead server succeeds")
	}
	filled(t, addr, "big", n)
	check(t, addr, "SELECT status, element_count, last_exception != '', error_count > 0 FROM system.dictionaries WHERE name = 'big'", fmt.Sprintf("LOADED\t%d\t1\t1\n", n))
}

// A dictionary loaded from another dictsvc, and from one that dies half-way.
func TestDictsvcAsSource(t *testing.T) {
	source := serve(t)
	n := sourceRows()
	run(t, source.addr, "CREATE TABLE rows (id UInt64, name String, age UInt8, score Float64, nick Nullable(String), born Date) ENGINE = Memory")
	run(t, source.addr, fmt.Sprintf("INSERT INTO rows SELECT %s FROM numbers(%d)", fillColumns, n))
	run(t, source.addr, createFilled("d", "HASHED()", "TABLE 'rows'"))
	run(t, source.addr, "SYSTEM RELOAD DICTIONARY d")
	gate := newGate(t, source.addr)
	s := startServer(t, nil)
	addr := s.Addr().String()
	for _, table := range []string{"rows", "d"} {
		run(t, addr, createFilled("from_"+table, "SPARSE_HASHED()", "HOST '127.0.0.1' PORT "+port(t, gate.addr())+" TABLE '"+table+"'"))
		filled(t, addr, "from_"+table, n)
	}
	// The connection ends in mid-load, then the whole source.
	gate.limit(1 << 20)
	if _, err := ask(t, addr, "SYSTEM RELOAD DICTIONARY from_rows"); err == nil {
		t.Error("a load that is cut off succeeds")
	}
	filled(t, addr, "from_rows", n)
	check(t, addr, "SELECT element_count, last_exception != '' FROM system.dictionaries WHERE name = 'from_rows'", fmt.Sprintf("%d\t1\n", n))
	gate.limit(0)
	run(t, addr, "SYSTEM RELOAD DICTIONARY from_rows")
	check(t, addr, "SELECT status, last_exception FROM system.dictionaries WHERE name = 'from_rows'", "LOADED\t\n")
	gate.onLimit(1<<20, source.kill)
	if _, err := ask(t, addr, "SYSTEM RELOAD DICTIONARY from_d"); err == nil {
		t.Error("a load from a killed server succeeds")
	}
	filled(t, addr, "from_d", n)
}

// gate passes connections on to an address, and cuts them off after a number of bytes of answers.
type gate struct {
	l      net.Listener
	mu     sync.Mutex
	bytes  int64
	action func()
}

func newGate(t *testing.T, target string) *gate {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	g := &gate{l: l}
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			wg.Go(func() { g.pass(c, target) })
		}
	})
	t.Cleanup(func() {
		l.Close()
		wg.Wait()
	})
	return g
}

func (g *gate) addr() string { return g.l.Addr().String() }

// limit cuts connections made from now on after n bytes; 0 lets all through.
func (g *gate) limit(n int64) { g.onLimit(n, nil) }

// onLimit runs action before the cut.
func (g *gate) onLimit(n int64, action func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.bytes, g.action = n, action
}

func (g *gate) pass(client net.Conn, target string) {
	defer client.Close()
	g.mu.Lock()
	n, action := g.bytes, g.action
	g.mu.Unlock()
	server, err := net.Dial("tcp", target)
	if err != nil {
		return
	}
	defer server.Close()
	done := make(chan struct{})
	go func() {
		defer close(done)
		io.Copy(server, client)
		server.Close()
	}()
	if n == 0 {
		io.Copy(client, server)
	} else {
		io.CopyN(client, server, n)
		if action != nil {
			action()
		}
	}
	client.Close()
	<-done
}
