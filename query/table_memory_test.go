package query

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"dictsvc/column"
	"dictsvc/errcode"
	"dictsvc/internal/mem"
)

// everyType makes a table with columns of all kinds that lie differently in memory.
const everyType = `(u UInt64, i Int32, s String, f FixedString(3), n Nullable(Int64), x Float64, d Decimal(30, 4), w UInt256, a Array(String), t Tuple(UInt8, Nullable(String)),
	m Map(String, UInt16), l LowCardinality(String), ln LowCardinality(Nullable(String)), dt Date, b Bool, e Enum8('p' = 1, 'q' = -2), uu UUID, ip IPv6, aa Array(Array(UInt8)),
	st AggregateFunction(uniqExact, UInt64))`

const everyValue = `number, -number, repeat('s', number % 5), toString(number % 1000), if(number % 3 = 0, NULL, number - 50), number / 7, number / 3, number * number, arrayMap(y -> toString(y), range(number % 4)),
	(number % 256, if(number % 5 = 0, NULL, 'tuple')), map('k', number % 100, toString(number % 3), 1), toString(number % 17), if(number % 4 = 0, NULL, toString(number % 9)),
	toDate('2020-01-01') + number % 1000, number % 2, if(number % 2 = 0, 'p', 'q'), toUUID('61f0c404-5cb3-11e7-907b-a6006ad3dba0'), toIPv6('::1'), [range(number % 3), [7]],
	initializeAggregation('uniqExactState', number)`

// TestCompressedEqualsPlain: what a compressed table gives back is what it was given, for columns of all kinds, whole and in part.
func TestCompressedEqualsPlain(t *testing.T) {
	s := newTestSession(t, Config{})
	for name, settings := range map[string]string{"plain": "", "packed": " SETTINGS compress = 1"} {
		query(t, s, "CREATE TABLE "+name+" "+everyType+" ENGINE = Memory"+settings)
		query(t, s, "INSERT INTO "+name+" SELECT "+everyValue+" FROM numbers(70000) SETTINGS max_block_size = 1000")
		query(t, s, "INSERT INTO "+name+" SELECT "+everyValue+" FROM numbers(3)")
	}
	for _, cols := range []string{"*", "s, aa", "finalizeAggregation(st), m, ln", "u"} {
		for _, tail := range []string{" ORDER BY u, i LIMIT 200", " WHERE u % 7 = 3 ORDER BY u LIMIT 300"} {
			want := query(t, s, "SELECT "+cols+" FROM plain"+tail).lines
			got := query(t, s, "SELECT "+cols+" FROM packed"+tail).lines
			if strings.Join(want, "\n") != strings.Join(got, "\n") {
				t.Errorf("%s%s differs", cols, tail)
			}
		}
	}
	one(t, s, "SELECT count(), sum(cityHash64(u, i, s, f, n, x, d, a, t, l, ln, dt, b, e, uu, ip, aa)) = (SELECT sum(cityHash64(u, i, s, f, n, x, d, a, t, l, ln, dt, b, e, uu, ip, aa)) FROM plain) FROM packed", "70003\t1")
	one(t, s, "SELECT total_bytes * 2 < (SELECT total_bytes FROM system.tables WHERE name = 'plain') FROM system.tables WHERE name = 'packed'", "1")
	blocks, _ := memTable(t, s, "packed").snapshot()
	if len(blocks) != 3 { // 1000 rows at a time are put together
		t.Errorf("want 3 blocks of the rows of two INSERTs, got %d", len(blocks))
	}
}

func memTable(t *testing.T, s *Session, name string) *memoryTable {
	t.Helper()
	tab, err := s.engine.catalog.find("default", name)
	if err != nil {
		t.Fatal(err)
	}
	return tab.(*memoryTable)
}

// TestDamagedBlock changes one byte of each frame of a compressed table in turn: every query that needs it ends with error 40 or 271 that says where, the
// others give what they gave.
func TestDamagedBlock(t *testing.T) {
	s := newTestSession(t, Config{})
	query(t, s, "CREATE TABLE packed "+everyType+" ENGINE = Memory SETTINGS compress = 1")
	query(t, s, "INSERT INTO packed SELECT "+everyValue+" FROM numbers(2000)")
	tab := memTable(t, s, "packed")
	blocks, _ := tab.snapshot()
	for i, c := range tab.cols {
		other := tab.cols[(i+1)%len(tab.cols)].Name
		for n, b := range blocks[0].cols[i].packed.bufs {
			for k, frame := range b.frames {
				for _, at := range []int{0, 16, 17, 21, len(frame) / 2, len(frame) - 1} {
					frame[at] ^= 0x10
					_, err := tryQuery(s, "SELECT ignore("+c.Name+") FROM packed")
					if code := errcode.Of(err); code != errcode.ChecksumDoesntMatch && code != errcode.CannotDecompress {
						t.Fatalf("column %s, buffer %d, frame %d, byte %d: want code 40 or 271, got %v", c.Name, n, k, at, err)
					}
					if place := fmt.Sprintf("table packed, block 0 of 1, column %s: buffer %d: frame %d of %d", c.Name, n, k, len(b.frames)); !strings.Contains(strings.ReplaceAll(err.Error(), "default.", ""), place) {
						t.Fatalf("want an error that says %q, got %v", place, err)
					}
					if _, err := tryQuery(s, "SELECT count() FROM packed WHERE NOT ignore("+other+")"); err != nil {
						t.Fatalf("column %s is whole: %v", other, err)
					}
					frame[at] ^= 0x10
				}
			}
		}
	}
	one(t, s, "SELECT count(), sum(u) FROM packed WHERE NOT ignore(*)", "2000\t1999000")
}

// TestTableMemory: what tables hold is counted, and given back by all that takes rows away; an INSERT that does not fit leaves nothing.
func TestTableMemory(t *testing.T) {
	s := newTestSession(t, Config{})
	budget := s.engine.tableMemory
	used := func(when string, want func(int64) bool) {
		t.Helper()
		if n := budget.Used(); !want(n) {
			t.Errorf("%s: tables hold %d bytes", when, n)
		}
	}
	none := func(n int64) bool { return n == 0 }
	some := func(n int64) bool { return n >= 800_000 && n < 2_000_000 }
	fill := func(table string) { query(t, s, "INSERT INTO "+table+" SELECT number FROM numbers(100000)") }
	used("at first", none)
	query(t, s, "CREATE TABLE t (a UInt64) ENGINE = Memory")
	fill("t")
	used("after INSERT", some)
	query(t, s, "TRUNCATE TABLE t")
	used("after TRUNCATE", none)
	fill("t")
	query(t, s, "RENAME TABLE t TO r")
	used("after RENAME", some)
	query(t, s, "ALTER TABLE r ADD COLUMN b UInt8")
	used("after ADD COLUMN", some)
	query(t, s, "ALTER TABLE r DELETE WHERE a < 99999")
	used("after DELETE", func(n int64) bool { return n > 0 && n < 2000 })
	query(t, s, "ALTER TABLE r DELETE WHERE 1")
	used("after DELETE of all", none)
	query(t, s, "ALTER TABLE r DROP COLUMN b")
	fill("r")
	query(t, s, "CREATE OR REPLACE TABLE r (a UInt64) ENGINE = Memory")
	used("after REPLACE", none)
	fill("r")
	query(t, s, "DETACH TABLE r")
	used("after DETACH", none)
	query(t, s, "ATTACH TABLE r")
	fill("r")
	query(t, s, "DROP TABLE r")
	used("after DROP", none)
	query(t, s, "CREATE TABLE n (a UInt64) ENGINE = Null")
	fill("n")
	used("in Null", none)
	query(t, s, "CREATE TABLE k (a UInt64) ENGINE = Memory SETTINGS max_rows_to_keep = 100000")
	fill("k")
	fill("k")
	used("of what is kept", some)
	query(t, s, "DROP TABLE k")
	query(t, s, "CREATE TEMPORARY TABLE tmp (a UInt64)")
	fill("tmp")
	used("of a temporary table", some)
	s.Close()
	used("after the session", none)

	query(t, s, "CREATE TABLE big (a UInt64) ENGINE = Memory")
	budget.SetLimit(3_000_000)
	fill("big")
	before := budget.Used()
	for _, text := range []string{"INSERT INTO big SELECT number FROM numbers(1000000)", "CREATE TABLE big2 ENGINE = Memory AS SELECT number FROM numbers(1000000)", "ALTER TABLE big ADD COLUMN s FixedString(200)"} {
		if _, err := tryQuery(s, text); errcode.Of(err) != errcode.MemoryLimitExceeded {
			t.Errorf("%s: want code 241, got %v", text, err)
		}
	}
	if n := budget.Used(); n != before {
		t.Errorf("statements that failed left %d bytes", n-before)
	}
	one(t, s, "SELECT count() FROM big", "100000")
	if _, err := tryQuery(s, "SELECT * FROM big2"); errcode.Of(err) != errcode.UnknownTable {
		t.Errorf("a table that was not filled: want code 60, got %v", err)
	}
	if _, err := tryQuery(s, "INSERT INTO big SELECT throwIf(number = 99999) + number FROM numbers(100000) SETTINGS max_block_size = 10000"); err == nil {
		t.Error("want an error")
	}
	if n := budget.Used(); n != before {
		t.Errorf("an INSERT that failed left %d bytes", n-before)
	}
	budget.SetLimit(0)
}

// TestServerMemoryOfTables: the limit of the server counts tables together with dictionaries.
func TestServerMemoryOfTables(t *testing.T) {
	s := newTestSession(t, Config{})
	query(t, s, "CREATE TABLE big (a UInt64) ENGINE = Memory")
	limit := mem.Process.Limit()
	mem.Process.SetLimit(mem.Process.Used() + 1_000_000)
	defer mem.Process.SetLimit(limit)
	if _, err := tryQuery(s, "INSERT INTO big SELECT number FROM numbers(1000000)"); errcode.Of(err) != errcode.MemoryLimitExceeded {
		t.Errorf("want code 241, got %v", err)
	}
	one(t, s, "SELECT count() FROM big", "0")
}

// TestTablesTogether runs statements that change tables against statements that read and fill them. Each INSERT of 1000 ones is seen whole or not at all.
func TestTablesTogether(t *testing.T) {
	e, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	session := func() *Session {
		s, err := e.NewSession(User{}, "")
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	s := session()
	for _, name := range []string{"x", "y"} {
		query(t, s, "CREATE TABLE "+name+" (a UInt64, b UInt8 DEFAULT 1, c UInt8 ALIAS b + 1) ENGINE = Memory SETTINGS compress = "+fmt.Sprint(len(name)%2))
	}
	query(t, s, "CREATE VIEW v AS SELECT a, b FROM x")
	// A table is away between the steps of RENAME; its columns change; it is dropped under an INSERT.
	allowed := []errcode.Code{errcode.UnknownTable, errcode.TableAlreadyExists, errcode.Aborted, errcode.TableIsDropped, errcode.DuplicateColumn, errcode.NotFoundColumnInBlock,
		errcode.NumberOfColumnsDoesntMatch, errcode.CannotGetCreateTableQuery}
	jobs := [][]string{
		{"INSERT INTO x (a) SELECT 1 FROM numbers(1000)", "INSERT INTO y (a) SELECT 1 FROM numbers(1000) SETTINGS max_block_size = 100"},
		{"TRUNCATE TABLE x", "ALTER TABLE y DELETE WHERE a = 1", "ALTER TABLE y UPDATE a = 1 WHERE a = 1", "TRUNCATE TABLE y"},
		{"RENAME TABLE x TO z, z TO x", "EXCHANGE TABLES x AND y", "RENAME TABLE y TO z", "RENAME TABLE z TO y"},
		{"ALTER TABLE x ADD COLUMN d UInt32", "ALTER TABLE x DROP COLUMN d", "ALTER TABLE y MODIFY COLUMN a UInt32", "ALTER TABLE y MODIFY COLUMN a UInt64"},
		{"DETACH TABLE y", "ATTACH TABLE y", "SELECT name, total_rows, total_bytes, create_table_query FROM system.tables"},
	}
	var wg sync.WaitGroup
	run := func(s *Session, text string, sum bool) {
		r := &recorder{}
		err := s.Run(context.Background(), Request{SQL: text, Stage: StageComplete}, r)
		ok := err == nil
		for _, c := range allowed {
			ok = ok || errcode.Of(err) == c
		}
		if !ok {
			t.Errorf("%s: code %d: %v", text, errcode.Of(err), err)
		}
		if err == nil && sum && !strings.HasSuffix(r.lines[0], "\t0") {
			t.Errorf("%s: %s: part of an INSERT is seen", text, r.lines[0])
		}
	}
	for _, list := range jobs {
		wg.Add(1)
		go func() {
			defer wg.Done()
			s := session()
			for i := range 60 {
				run(s, list[i%len(list)], false)
			}
		}()
	}
	for _, from := range []string{"x", "y", "v", "(SELECT a FROM x WHERE b = 1)"} {
		wg.Add(1)
		go func() {
			defer wg.Done()
			s := session()
			for range 60 {
				run(s, "SELECT sum(a), count() % 1000 FROM "+from, true)
			}
		}()
	}
	wg.Wait()
	for _, name := range []string{"x", "y", "z"} {
		if _, err := tryQuery(s, "DROP TABLE IF EXISTS "+name); err != nil {
			t.Error(err)
		}
	}
	if n := e.tableMemory.Used(); n != 0 {
		t.Errorf("%d bytes are counted though no table is left", n)
	}
}

// TestBuffersDamaged: buffers that do not fit each other are an error, whatever their sizes.
func TestBuffersDamaged(t *testing.T) {
	s := newTestSession(t, Config{})
	query(t, s, "CREATE TABLE packed "+everyType+" ENGINE = Memory SETTINGS compress = 1")
	query(t, s, "INSERT INTO packed SELECT "+everyValue+" FROM numbers(50)")
	tab := memTable(t, s, "packed")
	blocks, _ := tab.snapshot()
	for i, c := range tab.cols {
		bufs := blocks[0].cols[i].packed.bufs
		for n := range bufs {
			for _, change := range []packedColumn{
				{bufs: append(append([]packedBuffer(nil), bufs[:n]...), bufs[n+1:]...)},
				{bufs: append(append([]packedBuffer(nil), bufs[:n]...), bufs[n:len(bufs)-1]...)},
				{bufs: append([]packedBuffer(nil), bufs...), rows: 1}, {bufs: append([]packedBuffer(nil), bufs...), rows: -1},
			} {
				bad := change
				bad.t, bad.rows = c.Type, blocks[0].rows+change.rows
				b := &tableBlock{rows: bad.rows, cols: make([]storedColumn, len(tab.cols))}
				b.cols[i].packed = &bad
				got, err := (&blockReader{mem: new(column.Scratch)}).column(b, i)
				if err == nil || errcode.Of(err) != errcode.CannotDecompress {
					t.Fatalf("column %s without buffer %d, %d rows more: want code 271, got %v, %v", c.Name, n, change.rows, got, err)
				}
			}
		}
	}
}
