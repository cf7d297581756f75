package query

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dictsvc/errcode"
)

// Faults that users of such systems reported, each with the right answer. The numbers are of public issue trackers (CH: ClickHouse/ClickHouse).

func want(t *testing.T, s *Session, text, answer string) {
	t.Helper()
	if got := strings.Join(query(t, s, text).lines, "|"); got != answer {
		t.Errorf("%s: got %q, want %q", text, got, answer)
	}
}

func do(t *testing.T, s *Session, texts ...string) {
	t.Helper()
	for _, text := range texts {
		query(t, s, text)
	}
}

func TestReportsOfDefaults(t *testing.T) {
	s := newTestSession(t, Config{})
	do(t, s, "CREATE TABLE src (id UInt64, price Float64) ENGINE = Memory", "INSERT INTO src VALUES (0, 100), (1, 100)",
		"CREATE DICTIONARY test (id UInt64, price Float64) PRIMARY KEY id SOURCE(CLICKHOUSE(TABLE 'src')) LAYOUT(HASHED()) LIFETIME(0)")
	// CH#53654: NULL as the default must not hide the value of a key that is there.
	want(t, s, "SELECT dictGetFloat64OrDefault('test', 'price', 1, NULL), dictGetOrDefault('test', 'price', 2, NULL)", `100	\N`)
	// CH#52098: the default is computed for missing keys alone.
	want(t, s, "SELECT dictGetOrDefault('test', 'price', number, intDiv(1, number)) FROM numbers(1)", "100")
	want(t, s, "SELECT dictGetOrDefault('test', 'price', number + 1, intDiv(7, number)) FROM numbers(1, 2)", "7|3")
	fails(t, s, "SELECT dictGetOrDefault('test', 'price', number + 5, throwIf(number = 1)) FROM numbers(2)", errcode.FunctionThrowIfValueIsNonZero)
}

func TestReportsOfKeys(t *testing.T) {
	s := newTestSession(t, Config{})
	// CH#48334: a key that does not fit UInt64 is refused, never wrapped.
	for _, key := range []string{"toInt64(-1)", "toInt128('18446744073709551618')"} {
		do(t, s, "CREATE OR REPLACE DICTIONARY w (id Int64, v UInt8) PRIMARY KEY id SOURCE(CLICKHOUSE(QUERY 'SELECT "+strings.ReplaceAll(key, "'", `\'`)+" AS id, 1 AS v')) LAYOUT(HASHED()) LIFETIME(0)")
		fails(t, s, "SELECT dictGet('w', 'v', 2)", errcode.CannotConvertType)
	}
	// CH#74284: of several rows of a key the first read stays.
	do(t, s, "CREATE DICTIONARY dup (id UInt64, v String) PRIMARY KEY id SOURCE(CLICKHOUSE(QUERY 'SELECT number % 3 AS id, toString(number) AS v FROM numbers(100000)')) LAYOUT(SPARSE_HASHED()) LIFETIME(0)")
	want(t, s, "SELECT dictGet('dup', 'v', number) FROM numbers(3)", "0|1|2")
	// CH#41985: memory follows the distinct keys, whatever PREALLOCATE says.
	do(t, s, "CREATE DICTIONARY few (id UInt64, v UInt64) PRIMARY KEY id SOURCE(CLICKHOUSE(QUERY 'SELECT number % 100 AS id, number AS v FROM numbers(3000000)')) LAYOUT(HASHED(PREALLOCATE 1)) LIFETIME(0)", "SYSTEM RELOAD DICTIONARY few")
	want(t, s, "SELECT element_count, bytes_allocated < 100000 FROM system.dictionaries WHERE name = 'few'", "100\t1")
	// CH#12512: a bare name is looked for in the session's database.
	do(t, s, "CREATE DATABASE other", "USE other", "CREATE DICTIONARY here (id UInt64, v UInt8 DEFAULT 9) PRIMARY KEY id SOURCE(NULL()) LAYOUT(HASHED()) LIFETIME(0)")
	want(t, s, "SELECT dictGet('here', 'v', 1), dictGet('other.here', 'v', 1), dictGet('default.dup', 'v', 1)", "9\t9\t1")
	fails(t, s, "SELECT dictGet('dup', 'v', 1)", errcode.BadArguments)
}

func TestReportsOfHierarchies(t *testing.T) {
	s := newTestSession(t, Config{})
	do(t, s, "CREATE TABLE tree (id UInt64, parent UInt64) ENGINE = Memory", "INSERT INTO tree VALUES (1, 0), (2, 1), (3, 2), (4, 2), (11, 22), (22, 11)",
		"CREATE DICTIONARY h (id UInt64, parent UInt64 HIERARCHICAL) PRIMARY KEY id SOURCE(CLICKHOUSE(TABLE 'tree')) LAYOUT(HASHED()) LIFETIME(0)")
	want(t, s, "SELECT dictGetHierarchy('h', 3), dictIsIn('h', 3, 1), dictIsIn('h', 1, 3), arraySort(dictGetChildren('h', 2)), arraySort(dictGetDescendants('h', 1, 0)), dictGetHierarchy('h', 99)", "[3,2,1]\t1\t0\t[3,4]\t[2,3,4]\t[]")
	// CH#515: a loop in the data ends the walk.
	want(t, s, "SELECT dictGetHierarchy('h', 11), dictIsIn('h', 11, 5), dictIsIn('h', 11, 22), dictGetDescendants('h', 11, 0)", "[11,22]\t0\t1\t[22]")
}

func TestReportsOfFiles(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := newTestSession(t, Config{UserFiles: dir})
	// CH#21804: a String key under LAYOUT(HASHED()) makes a complex key.
	write("keys.jsonl", `{"id":"abc","v":1}`+"\n"+`{"id":"def","v":2}`)
	do(t, s, "CREATE DICTIONARY k (id String, v UInt8) PRIMARY KEY id SOURCE(FILE(PATH '"+dir+"/keys.jsonl' FORMAT 'JSONEachRow')) LAYOUT(HASHED()) LIFETIME(0)")
	want(t, s, "SELECT dictGet('k', 'v', 'def'), (SELECT type FROM system.dictionaries WHERE name = 'k')", "2\tComplexKeyHashed")
	// CH#7630: an integer out of range is an error that says where.
	write("wide.jsonl", `{"id":1,"idx":1}`+"\n"+`{"id":2,"idx":2147483648}`)
	do(t, s, "CREATE DICTIONARY wide (id UInt64, idx Int32) PRIMARY KEY id SOURCE(FILE(PATH '"+dir+"/wide.jsonl' FORMAT 'JSONEachRow')) LAYOUT(HASHED()) LIFETIME(0)")
	if err := fails(t, s, "SELECT dictGet('wide', 'idx', 1)", errcode.ValueIsOutOfRangeOfDataType); err != nil && !strings.Contains(err.Error(), `line 2, column "idx"`) {
		t.Errorf("the error does not say where: %v", err)
	}
	// CH#9175, CH#7535: after a failed reload the old version serves; once the source is whole again a reload takes it.
	write("keys.jsonl", `{"id":"abc","v":`)
	fails(t, s, "SYSTEM RELOAD DICTIONARY k", errcode.CannotReadAllData)
	want(t, s, "SELECT dictGet('k', 'v', 'def'), (SELECT status = 'LOADED' AND last_exception LIKE '%ends inside a row%' FROM system.dictionaries WHERE name = 'k')", "2\t1")
	write("keys.jsonl", `{"id":"def","v":7}`)
	do(t, s, "SYSTEM RELOAD DICTIONARY k")
	want(t, s, "SELECT dictGet('k', 'v', 'def'), (SELECT last_exception FROM system.dictionaries WHERE name = 'k')", "7\t")
}

func TestReportsOfValues(t *testing.T) {
	s := newTestSession(t, Config{})
	// CH#103027: 0. and -0. are one value, and so is every NaN.
	want(t, s, "SELECT count(), uniqExact(x), count(DISTINCT x) FROM (SELECT DISTINCT arrayJoin([0., -0., nan, -nan]) AS x)", "2\t2\t2")
	want(t, s, "SELECT materialize(-0.) IN (0.), count() FROM numbers(1)", "1\t1")
	// CH#91171: a count of distinct values is never NULL.
	want(t, s, "SELECT uniqExact(x), toTypeName(uniqExact(x)), count(DISTINCT x) FROM values('x Nullable(UInt8)', 1, 2, 3) WHERE x > 10", "0\tUInt64\t0")
	// CH#27861: what cannot work is refused at CREATE.
	fails(t, s, "CREATE DICTIONARY dd (id UInt64, v UInt8) PRIMARY KEY id SOURCE(NULL()) LAYOUT(DIRECT()) LIFETIME(300)", errcode.NotImplemented)
	// A dictionary that reads from itself is an error, not a query without end.
	do(t, s, "CREATE DICTIONARY self (id UInt64, v UInt8) PRIMARY KEY id SOURCE(CLICKHOUSE(TABLE 'self')) LAYOUT(HASHED()) LIFETIME(0)")
	fails(t, s, "SELECT dictGet('self', 'v', 1)", errcode.BadArguments)
	// Columns that no machine can hold are refused.
	fails(t, s, "SELECT groupArray(repeat('x', 1000000)) FROM numbers(100000)", errcode.MemoryLimitExceeded)
}
