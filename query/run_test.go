package query

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"dictsvc/column"
	"dictsvc/errcode"
)

// fails runs a statement that must end with a code.
func fails(t *testing.T, s *Session, text string, code errcode.Code) error {
	t.Helper()
	err := s.Run(context.Background(), Request{SQL: text, Stage: StageComplete}, &recorder{})
	if errcode.Of(err) != code {
		t.Errorf("%s: want code %d, got %d: %v", text, code, errcode.Of(err), err)
	}
	return err
}

// noLeak checks that a function leaves no goroutine behind.
func noLeak(t *testing.T, f func()) {
	t.Helper()
	before := runtime.NumGoroutine()
	f()
	for range 100 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	buf := make([]byte, 1<<16)
	t.Errorf("%d goroutines before, %d after:\n%s", before, runtime.NumGoroutine(), buf[:runtime.Stack(buf, true)])
}

func TestCancel(t *testing.T) {
	s := newTestSession(t, Config{})
	for _, text := range []string{
		"SELECT number FROM system.numbers FORMAT Null",
		"SELECT sum(sipHash64(number)) FROM numbers_mt(1000000000000)",
		"SELECT number FROM numbers(1000000000000) ORDER BY sipHash64(number) LIMIT 10",
		"SELECT DISTINCT number % 10 FROM system.numbers",
		"SELECT count() FROM numbers(1000000000000) WHERE sipHash64(number) = 1",
		"SELECT sum(x) FROM (SELECT sipHash64(number) AS x FROM system.numbers UNION ALL SELECT number FROM system.numbers)",
		"SELECT number FROM numbers(10) WHERE number IN (SELECT sipHash64(number) FROM system.numbers)",
		"SELECT (SELECT max(number) FROM system.numbers)",
		"SELECT sum(arrayJoin(range(number % 100))) FROM system.numbers",
	} {
		noLeak(t, func() {
			ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
			defer cancel()
			begin := time.Now()
			err := s.Run(ctx, Request{SQL: text, Stage: StageComplete}, discard{})
			if err == nil {
				t.Errorf("%s: want an error", text)
			}
			if d := time.Since(begin); d > 5*time.Second {
				t.Errorf("%s: took %v to end", text, d)
			}
		})
	}
}

func TestKillQuery(t *testing.T) {
	s := newTestSession(t, Config{})
	other, err := s.engine.NewSession(User{Name: "ann"}, "")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		done <- other.Run(context.Background(), Request{SQL: "SELECT sum(number) FROM system.numbers", QueryID: "victim", Stage: StageComplete}, discard{})
	}()
	for {
		r := query(t, s, "SELECT user, query_kind FROM system.processes WHERE query_id = 'victim'")
		if len(r.lines) == 1 {
			if r.lines[0] != "ann\tSelect" {
				t.Errorf("got %q", r.lines[0])
			}
			break
		}
		time.Sleep(time.Millisecond)
	}
	fails(t, s, "SELECT 1 FROM numbers(1) WHERE throwIf(number = 0)", errcode.FunctionThrowIfValueIsNonZero)
	err = s.Run(context.Background(), Request{SQL: "SELECT 1", QueryID: "victim", Stage: StageComplete}, discard{})
	if errcode.Of(err) != errcode.QueryWithSameIdIsAlreadyRunning {
		t.Errorf("an id in use: got %v", err)
	}
	r := query(t, s, "KILL QUERY WHERE query_id = 'victim'")
	if len(r.lines) != 1 || !strings.HasPrefix(r.lines[0], "waiting\tvictim\tann") {
		t.Errorf("KILL QUERY answered %q", r.lines)
	}
	if err := <-done; errcode.Of(err) != errcode.QueryWasCancelled {
		t.Errorf("want code 394, got %v", err)
	}
	if r := query(t, s, "SELECT count() FROM system.processes"); r.lines[0] != "1" {
		t.Errorf("processes left: %s", r.lines[0])
	}
}

func TestLimits(t *testing.T) {
	s := newTestSession(t, Config{})
	for _, c := range []struct {
		text string
		code errcode.Code
	}{
		{"SELECT sum(sipHash64(number)) FROM system.numbers SETTINGS max_execution_time = 0.1", errcode.TimeoutExceeded},
		{"SELECT number FROM numbers(100) SETTINGS max_result_rows = 10", errcode.TooManyRowsOrBytes},
		{"SELECT groupArray(number) FROM numbers(10000000) SETTINGS max_memory_usage = 1000000", errcode.MemoryLimitExceeded},
		{"SELECT number FROM numbers(10000000) ORDER BY sipHash64(number) SETTINGS max_memory_usage = 1000000", errcode.MemoryLimitExceeded},
		{"SELECT DISTINCT number FROM numbers(10000000) SETTINGS max_memory_usage = 1000000 FORMAT Null", errcode.MemoryLimitExceeded},
		{"SELECT count() FROM (SELECT number FROM numbers(10000000) GROUP BY number) SETTINGS max_memory_usage = 1000000", errcode.MemoryLimitExceeded},
		{"SELECT 1 IN (SELECT number FROM numbers(10000000)) SETTINGS max_memory_usage = 1000000", errcode.MemoryLimitExceeded},
		{"CREATE TABLE big ENGINE = Memory AS SELECT number FROM numbers(10000000) SETTINGS max_memory_usage = 1000000", errcode.MemoryLimitExceeded},
		{"SELECT number FROM numbers(100) SETTINGS max_rows_to_read = 10", errcode.TooManyRows},
		{"SELECT number FROM numbers(100) GROUP BY number SETTINGS max_rows_to_group_by = 10", errcode.TooManyRows},
		{"SELECT " + strings.Repeat("(SELECT ", 150) + "1" + strings.Repeat(")", 150), errcode.TooDeepSubqueries},
	} {
		noLeak(t, func() { fails(t, s, c.text, c.code) })
	}
	if p := query(t, s, "SELECT number FROM numbers(1000) WHERE number % 2 = 0 ORDER BY number LIMIT 3").profile; p.Rows != 3 || p.RowsBeforeLimit != 500 || !p.AppliedLimit {
		t.Errorf("rows before the limit: got %+v", p)
	}
	noLeak(t, func() {
		if r := query(t, s, "SELECT number FROM numbers(100000000) LIMIT 3"); len(r.lines) != 3 || r.progress.Rows > column.MaxBlockRows {
			t.Errorf("LIMIT 3 gave %d rows and read %d", len(r.lines), r.progress.Rows)
		}
	})
}

func TestReadonly(t *testing.T) {
	e, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	s, err := e.NewSession(User{Name: "guest", Settings: map[string]string{"readonly": "1", "max_result_rows": "5"}}, "")
	if err != nil {
		t.Fatal(err)
	}
	fails(t, s, "CREATE TABLE t (a UInt8) ENGINE = Memory", errcode.Readonly)
	fails(t, s, "SET max_threads = 1", errcode.Readonly)
	fails(t, s, "SET readonly = 0", errcode.Readonly)
	fails(t, s, "SELECT 1 SETTINGS max_result_rows = 100", errcode.Readonly)
	fails(t, s, "SELECT number FROM numbers(10)", errcode.TooManyRowsOrBytes)
	query(t, s, "SELECT 1")
	if _, err := e.NewSession(User{}, "nodb"); errcode.Of(err) != errcode.UnknownDatabase {
		t.Errorf("a session in an unknown database: got %v", err)
	}
}

// blocks is an Input of blocks at hand.
type blocks struct {
	list   []*column.Block
	header *column.Block
}

func (b *blocks) Header(h *column.Block) error { b.header = h; return nil }

func (b *blocks) Next(context.Context) (*column.Block, error) {
	if len(b.list) == 0 {
		return nil, nil
	}
	next := b.list[0]
	b.list = b.list[1:]
	return next, nil
}

func TestInsertBlocks(t *testing.T) {
	s := newTestSession(t, Config{})
	query(t, s, "CREATE TABLE t (a UInt64, b String DEFAULT concat('b', toString(a)), c Nullable(Int32)) ENGINE = Memory")
	in := &blocks{list: []*column.Block{
		column.NewBlock([]string{"c", "a"}, []column.Column{column.UInt8s(1, 2), column.UInt16s(10, 20)}),
		column.NewBlock([]string{"a", "c"}, []column.Column{column.UInt64s(30), column.Int64s(-3)}),
	}}
	for _, text := range []string{"INSERT INTO t (a, c) FORMAT Native", "INSERT INTO t (a, c) VALUES "} {
		in.list = append([]*column.Block(nil), in.list...)
		copyOf := &blocks{list: in.list}
		if err := s.Run(context.Background(), Request{SQL: text, Stage: StageComplete, Input: copyOf}, &recorder{}); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if got := strings.Join(copyOf.header.Names, ","); got != "a,c" {
			t.Errorf("%s: the client was asked for %s", text, got)
		}
	}
	if got := strings.Join(query(t, s, "SELECT * FROM t WHERE a != 20").lines, " "); got != "10\tb10\t1 30\tb30\t-3 10\tb10\t1 30\tb30\t-3" {
		t.Errorf("got %q", got)
	}
	fails(t, s, "INSERT INTO t VALUES", errcode.NoDataToInsert)
	bad := &blocks{list: []*column.Block{column.NewBlock([]string{"zz"}, []column.Column{column.UInt8s(1)})}}
	err := s.Run(context.Background(), Request{SQL: "INSERT INTO t (a) VALUES", Stage: StageComplete, Input: bad}, &recorder{})
	if errcode.Of(err) != errcode.NotFoundColumnInBlock {
		t.Errorf("a block without the column: got %v", err)
	}
}

// TestServerTexts runs statements in the form in which ClickHouse servers send them.
func TestServerTexts(t *testing.T) {
	s := newTestSession(t, Config{})
	for _, text := range []string{
		"CREATE TABLE src (k UInt64, v Int32, s String) ENGINE = Memory",
		"INSERT INTO src VALUES (1, 10, 'a'), (2, 20, 'b'), (3, 30, 'a'), (4, 40, 'c')",
		"CREATE DICTIONARY d (k UInt64, v Int32, s String) PRIMARY KEY k SOURCE(CLICKHOUSE(TABLE 'src')) LAYOUT(HASHED()) LIFETIME(0)",
		"CREATE DICTIONARY c (k UInt64, s String, v Int32) PRIMARY KEY k, s SOURCE(CLICKHOUSE(TABLE 'src')) LAYOUT(COMPLEX_KEY_HASHED()) LIFETIME(0)",
	} {
		query(t, s, text)
	}
	for _, c := range []struct {
		text, want string
		read       uint64
	}{
		{"SELECT `__table1`.`k` AS `k`, `__table1`.`v` AS `v` FROM `default`.`d` AS `__table1` WHERE (`__table1`.`k` IN (1, 3, 9)) AND (`__table1`.`s` = 'a') ORDER BY `__table1`.`v` DESC LIMIT _CAST(0, 'UInt64'), _CAST(2, 'UInt64')", "3\t30 1\t10", 3},
		{"SELECT `__table1`.`k` AS `k` FROM `default`.`d` AS `__table1` WHERE `__table1`.`v` > 10 HAVING equals(`k`, _CAST(3, 'UInt8'))", "3", 1},
		{"SELECT `k`, `v`, `s` FROM `default`.`d` WHERE `k` IN (2, 4);", "2\t20\tb 4\t40\tc", 2},
		{"SELECT `k`, `s`, `v` FROM `default`.`c` WHERE (`k`, `s`) IN ((1, 'a'), (2, 'x'));", "1\ta\t10", 2},
		{"SELECT v FROM c WHERE k = 2 AND s = 'b'", "20", 1},
		{"SELECT v FROM c WHERE k IN (1, 2) AND s IN ('a', 'b') ORDER BY v", "10 20", 4},
		{"SELECT v FROM d WHERE k = 1 OR k = 2 ORDER BY v", "10 20", 4},
		{"SELECT v FROM d WHERE k = -1", "", 0},
		{"SELECT v FROM d WHERE k IN (SELECT k FROM src WHERE s = 'a') ORDER BY v", "10 30", 4 + 2},
		{"SELECT v FROM d WHERE k = toUInt64(3)", "30", 1},
		{"SELECT v FROM d WHERE 3 = k AND v = 30", "30", 1},
		{"SELECT v FROM (SELECT k AS key, v FROM d WHERE v > 0) WHERE key IN (1, 2) ORDER BY v", "10 20", 2},
		{"SELECT s FROM (SELECT k, sum(v) AS s FROM d GROUP BY k) AS q WHERE q.k = 3", "30", 1},
		{"WITH x AS (SELECT * FROM d) SELECT v FROM x WHERE k = 2", "20", 1},
		{"SELECT v FROM (SELECT * FROM d ORDER BY k LIMIT 1) WHERE k = 2", "", 4},
		{"SELECT v FROM (SELECT k + 1 AS k, v FROM d) WHERE k = 2", "10", 4},
		{"SELECT v FROM d WHERE k IN (1, 2, 3) AND k = 2", "20", 1},
		{"SELECT count() FROM d WHERE k IN (1, 1, 2)", "2", 2},
		{"SELECT count() FROM d", "4", 0},
		{"SELECT s, sum(v) FROM dictionary('d') GROUP BY s ORDER BY s", "a\t40 b\t20 c\t40", 4},
		{"SELECT `__table1`.`s` AS `s`, tupleElement(tuple(`__table1`.`k`, 1), 1) AS `x` FROM `default`.`d` AS `__table1` WHERE `__table1`.`k` = _CAST(2, 'UInt64') LIMIT _CAST(1, 'UInt64') BY `__table1`.`k`", "b\t2", 1},
	} {
		r := query(t, s, c.text)
		if got := strings.Join(r.lines, " "); got != c.want {
			t.Errorf("%s: want %q, got %q", c.text, c.want, got)
		}
		if r.progress.Rows != c.read {
			t.Errorf("%s: want %d rows read, got %d", c.text, c.read, r.progress.Rows)
		}
	}
	for _, c := range []struct{ text, want string }{
		{"EXPLAIN SELECT v FROM d WHERE k IN (1, 2, 3)", "ReadFromDictionary (lookup: 3 keys)"},
		{"EXPLAIN SELECT v FROM d WHERE k > 1", "ReadFromDictionary (scan)"},
	} {
		if got := strings.Join(query(t, s, c.text).lines, "\n"); !strings.Contains(got, c.want) {
			t.Errorf("%s: want %q in\n%s", c.text, c.want, got)
		}
	}
}

func TestTotals(t *testing.T) {
	s := newTestSession(t, Config{})
	for _, c := range []struct{ text, rows, totals string }{
		{"SELECT number % 2 AS k, sum(number) FROM numbers(5) GROUP BY k WITH TOTALS ORDER BY k", "0\t6 1\t4", "0\t10"},
		{"SELECT number % 2 AS k, sum(number) AS s FROM numbers(5) GROUP BY k WITH TOTALS HAVING s > 5 ORDER BY k", "0\t6", "0\t6"},
		{"SELECT number AS k, count() FROM numbers(5) GROUP BY k WITH TOTALS LIMIT 1", "0\t1", "0\t5"},
	} {
		r := query(t, s, c.text)
		if got := strings.Join(r.lines, " "); got != c.rows || r.totals != c.totals {
			t.Errorf("%s: want %q and %q, got %q and %q", c.text, c.rows, c.totals, got, r.totals)
		}
	}
}

// TestRestart checks that definitions come back from the data folder, and that rows of Memory tables do not.
func TestRestart(t *testing.T) {
	dir := t.TempDir()
	files := filepath.Join(dir, "files")
	if err := os.MkdirAll(files, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(files, "u.jsonl"), []byte(`{"id": 1, "name": "Ann"}`+"\n"+`{"id": 2, "name": "Bob"}`+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	cfg := Config{DataDir: filepath.Join(dir, "data"), UserFiles: files}
	s := newTestSession(t, cfg)
	for _, text := range []string{
		"CREATE DATABASE `my.db`",
		"CREATE TABLE `my.db`.t (a UInt8, b String DEFAULT toString(a)) ENGINE = Memory",
		"INSERT INTO `my.db`.t (a) VALUES (1)",
		"CREATE FUNCTION twice AS x -> x * 2",
		"CREATE DICTIONARY users (id UInt64, name String) PRIMARY KEY id SOURCE(FILE(path 'u.jsonl' format 'JSONEachRow')) LAYOUT(HASHED()) LIFETIME(0)",
		"CREATE DICTIONARY gone (id UInt64, name String) PRIMARY KEY id SOURCE(NULL()) LAYOUT(HASHED()) LIFETIME(0)",
		"DROP DICTIONARY gone",
		"RENAME DICTIONARY users TO `my.db`.people",
		"CREATE DICTIONARY secret (id UInt64, name String) PRIMARY KEY id SOURCE(CLICKHOUSE(HOST 'h' PORT 1 USER 'u' PASSWORD 'pw' TABLE 't')) LAYOUT(HASHED()) LIFETIME(0)",
	} {
		query(t, s, text)
	}
	shown := query(t, s, "SHOW CREATE DICTIONARY `my.db`.people").lines[0]
	uuid := query(t, s, "SELECT uuid FROM system.dictionaries WHERE name = 'people'").lines[0]
	s.engine.Close()

	s = newTestSession(t, cfg)
	if got := query(t, s, "SHOW CREATE DICTIONARY `my.db`.people").lines[0]; got != shown {
		t.Errorf("want %s, got %s", shown, got)
	}
	for _, c := range []struct{ text, want string }{
		{"SELECT dictGet('my.db.people', 'name', toUInt64(2)), twice(21)", "Bob\t42"},
		{"SELECT uuid FROM system.dictionaries WHERE name = 'people'", uuid},
		{"SELECT count() FROM `my.db`.t", "0"},
		{"SELECT position(create_table_query, '[HIDDEN]') > 0, position(create_table_query, 'pw') FROM system.tables WHERE name = 'secret'", "1\t0"},
		{"SELECT count() FROM system.dictionaries WHERE name = 'gone'", "0"},
		{"SELECT name, id FROM file('u.jsonl') ORDER BY id", "Ann\t1 Bob\t2"},
	} {
		if got := strings.Join(query(t, s, c.text).lines, " "); got != c.want {
			t.Errorf("%s: want %q, got %q", c.text, c.want, got)
		}
	}
	query(t, s, "INSERT INTO `my.db`.t (a) VALUES (5)")
	if got := query(t, s, "SELECT * FROM `my.db`.t").lines[0]; got != "5\t5" {
		t.Errorf("the default after a restart: got %q", got)
	}
	outside := filepath.Join(dir, "outside.jsonl")
	if err := os.WriteFile(outside, []byte(`{"a": 1}`), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(files, "link.jsonl")); err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{"../outside.jsonl", outside, "link.jsonl"} {
		fails(t, s, "SELECT * FROM file('"+p+"')", errcode.DatabaseAccessDenied)
	}
}

// TestOrderOfParallelStreams checks that the rows of numbers() and of a Memory table keep their order although blocks are computed side by side.
func TestOrderOfParallelStreams(t *testing.T) {
	s := newTestSession(t, Config{})
	query(t, s, "CREATE TABLE t ENGINE = Memory AS SELECT number AS n FROM numbers(400000)")
	for _, text := range []string{
		"SELECT number + 0 FROM numbers(400000) SETTINGS max_threads = 4, max_block_size = 1000",
		"SELECT n + 0 FROM t SETTINGS max_threads = 4",
		"SELECT arrayJoin([number * 2, number * 2 + 1]) FROM numbers(200000) SETTINGS max_threads = 4, max_block_size = 777",
	} {
		next := uint64(0)
		r := &recorder{onBlock: func(b *column.Block) error {
			for _, v := range column.Full(b.Cols[0]).(*column.Num[uint64]).Data {
				if v != next {
					t.Fatalf("%s: want %d, got %d", text, next, v)
				}
				next++
			}
			return nil
		}}
		if err := s.Run(context.Background(), Request{SQL: text, Stage: StageComplete}, r); err != nil {
			t.Fatal(err)
		}
		if next != 400000 {
			t.Errorf("%s: %d rows", text, next)
		}
	}
}

// TestAliasesOfAliases checks that names that stand for each other again and again cost a bounded amount.
func TestAliasesOfAliases(t *testing.T) {
	s := newTestSession(t, Config{})
	text := "SELECT 1 AS a0"
	for i := range 60 {
		n := string(rune('0'+i/10)) + string(rune('0'+i%10))
		prev := "a0"
		if i > 0 {
			prev = "b" + string(rune('0'+(i-1)/10)) + string(rune('0'+(i-1)%10))
		}
		text += ", bitAnd(" + prev + ", " + prev + ") AS b" + n
	}
	if r := query(t, s, text); len(r.header.Names) != 61 {
		t.Errorf("%d columns", len(r.header.Names))
	}
	begin := time.Now()
	_ = s.Run(context.Background(), Request{SQL: "SELECT number AS a, a + b AS b, b + a + a AS a2, a2 + a2 + b AS a3, a3 + a3 AS a4 FROM (SELECT 1 AS number, 2 AS b)", Stage: StageComplete}, discard{})
	if d := time.Since(begin); d > 2*time.Second {
		t.Errorf("took %v", d)
	}
}
