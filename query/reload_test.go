package query

import (
	"os"
	"path/filepath"
	"testing"

	"dictsvc/errcode"
	"dictsvc/internal/mem"
)

// A large dictionary that is reloaded with a few changes answers from its old tables and what lies over them: through look-ups, scans and key look-ups.
func TestReloadedDictionary(t *testing.T) {
	s := newTestSession(t, Config{})
	do(t, s,
		"CREATE TABLE change (at UInt64) ENGINE = Memory",
		"INSERT INTO change VALUES (0)",
		`CREATE DICTIONARY d (id UInt64, parent UInt64 DEFAULT 0 HIERARCHICAL, name String DEFAULT 'none') PRIMARY KEY id
		SOURCE(CLICKHOUSE(QUERY 'WITH (SELECT max(at) FROM change) AS at
		SELECT number + if(number % 1000 = 7, at * 1000000, 0) AS id, intDiv(number, 2) AS parent, concat(''name '', toString(number + if(number % 100 = 0, at, 0))) AS name FROM numbers(1, 99999)'))
		LIFETIME(0) LAYOUT(HASHED())`,
		"SYSTEM RELOAD DICTIONARY d")
	want(t, s, "SELECT count(), sum(id), uniqExact(name) FROM d", "99999\t4999950000\t99999")
	do(t, s, "INSERT INTO change VALUES (3)", "SYSTEM RELOAD DICTIONARY d")
	want(t, s, "SELECT count(), sum(id), sum(parent) FROM d", "99999\t5299950000\t2499950000")
	want(t, s, "SELECT countIf(name != concat('name ', toString(id))) FROM d", "1099")
	want(t, s, "SELECT sum(length(name)) FROM d", "988884")
	want(t, s, "SELECT dictGet('d', 'name', toUInt64(200)), dictGet('d', 'name', toUInt64(201)), dictGet('d', 'name', toUInt64(1007)), dictGet('d', 'name', toUInt64(3001007))", "name 203\tname 201\tnone\tname 1007")
	want(t, s, "SELECT sum(dictHas('d', number)) FROM numbers(100000)", "99899")
	want(t, s, "SELECT id, name FROM d WHERE id IN (200, 1007, 3001007) ORDER BY id", "200\tname 203|3001007\tname 1007")
	want(t, s, "SELECT dictGetHierarchy('d', toUInt64(200)), dictGetHierarchy('d', toUInt64(2014))", "[200,100,50,25,12,6,3,1]\t[2014]")
	want(t, s, "SELECT element_count, load_factor > 0 AND load_factor < 1 FROM system.dictionaries", "99999\t1")
}

// A reader that leaves while it waits for the first load leaves no failure behind: the next one loads the dictionary.
func TestAbandonedLoad(t *testing.T) {
	s := newTestSession(t, Config{})
	do(t, s, "CREATE DICTIONARY d (k UInt64, v UInt64) PRIMARY KEY k SOURCE(CLICKHOUSE(QUERY 'SELECT cityHash64(number) AS k, number AS v FROM numbers(5000000)')) LAYOUT(HASHED()) LIFETIME(0)")
	err := s.Run(t.Context(), Request{SQL: "SELECT dictGet('d', 'v', cityHash64(5)) SETTINGS max_execution_time = 0.02", Stage: StageComplete}, &recorder{})
	if errcode.Of(err) != errcode.TimeoutExceeded {
		t.Errorf("a reader with too little time: want TIMEOUT_EXCEEDED, got %v", err)
	}
	want(t, s, "SELECT status, last_exception FROM system.dictionaries", "NOT_LOADED\t")
	want(t, s, "SELECT dictGet('d', 'v', cityHash64(5))", "5")
}

// Beyond the server's memory a load ends with error 241, and the version before stays.
func TestServerMemory(t *testing.T) {
	s := newTestSession(t, Config{})
	t.Cleanup(func() { mem.Process.SetLimit(0) })
	do(t, s, "CREATE TABLE rows (n UInt64) ENGINE = Memory", "INSERT INTO rows VALUES (1000)",
		"CREATE DICTIONARY d (k UInt64, v UInt64) PRIMARY KEY k SOURCE(CLICKHOUSE(QUERY 'SELECT number AS k, number AS v FROM numbers(3000000) WHERE number < (SELECT max(n) FROM rows)')) LAYOUT(HASHED()) LIFETIME(0)",
		"SYSTEM RELOAD DICTIONARY d", "INSERT INTO rows VALUES (3000000)")
	mem.Process.SetLimit(mem.Process.Used() + 20<<20)
	err := s.Run(t.Context(), Request{SQL: "SYSTEM RELOAD DICTIONARY d", Stage: StageComplete}, &recorder{})
	if errcode.Of(err) != errcode.MemoryLimitExceeded {
		t.Errorf("a load beyond the limit: want MEMORY_LIMIT_EXCEEDED, got %v", err)
	}
	want(t, s, "SELECT element_count, dictGet('d', 'v', toUInt64(999)), dictHas('d', toUInt64(1000)) FROM system.dictionaries", "1000\t999\t0")
	mem.Process.SetLimit(0)
	do(t, s, "SYSTEM RELOAD DICTIONARY d")
	want(t, s, "SELECT element_count FROM system.dictionaries", "3000000")
}

// RENAME and EXCHANGE are one step on disk and for readers, and are there after a restart.
func TestExchangeKept(t *testing.T) {
	cfg := Config{DataDir: t.TempDir()}
	s := newTestSession(t, cfg)
	do(t, s,
		"CREATE DICTIONARY x (k UInt64, v UInt64) PRIMARY KEY k SOURCE(CLICKHOUSE(QUERY 'SELECT 1 AS k, 10 AS v')) LAYOUT(HASHED()) LIFETIME(0)",
		"CREATE DICTIONARY `y.z` (k UInt64, v UInt64) PRIMARY KEY k SOURCE(CLICKHOUSE(QUERY 'SELECT 1 AS k, 20 AS v')) LAYOUT(HASHED()) LIFETIME(0)",
		"CREATE TABLE a (n UInt8) ENGINE = Memory", "CREATE TABLE b (s String) ENGINE = Memory", "INSERT INTO a VALUES (7)")
	done := make(chan struct{})
	reader, err := s.engine.NewSession(User{}, "")
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(done)
		for range 500 {
			for _, text := range []string{"SELECT dictGet('x', 'v', toUInt64(1))", "SELECT v FROM x WHERE k = 1", "SELECT sum(v) FROM x"} {
				if err := reader.Run(t.Context(), Request{SQL: text, Stage: StageComplete}, &recorder{}); err != nil {
					t.Errorf("while dictionaries are exchanged: %s: %v", text, err)
					return
				}
			}
		}
	}()
	for range 101 {
		do(t, s, "EXCHANGE DICTIONARIES x AND `y.z`")
	}
	for range 101 {
		do(t, s, "CREATE OR REPLACE DICTIONARY x (k UInt64, v UInt64) PRIMARY KEY k SOURCE(CLICKHOUSE(QUERY 'SELECT 1 AS k, 20 AS v')) LAYOUT(HASHED()) LIFETIME(0)")
	}
	<-done
	reader.Close()
	do(t, s, "EXCHANGE TABLES a AND b", "RENAME DICTIONARY `y.z` TO w")
	check := func(s *Session) {
		t.Helper()
		want(t, s, "SELECT dictGet('x', 'v', toUInt64(1)), dictGet('w', 'v', toUInt64(1))", "20\t10")
		want(t, s, "SELECT groupArray(name) FROM (SELECT name FROM system.tables WHERE database = 'default' ORDER BY name)", "['a','b','w','x']")
		want(t, s, "SELECT toTypeName(s) FROM (SELECT any(s) AS s FROM a)", "String")
		want(t, s, "SELECT toTypeName(n) FROM (SELECT any(n) AS n FROM b)", "UInt8")
	}
	check(s)
	want(t, s, "SELECT n FROM b", "7")
	if err := os.WriteFile(filepath.Join(cfg.DataDir, "metadata", "default", ".tmp-1"), []byte("CRE"), 0o644); err != nil {
		t.Fatal(err)
	}
	s.engine.Close()
	check(newTestSession(t, cfg))
	if _, err := os.Stat(filepath.Join(cfg.DataDir, "metadata", "default", ".tmp-1")); err == nil {
		t.Error("what was written aside before a kill is still there")
	}
}
