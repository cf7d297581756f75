package query

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dictsvc/errcode"
)

func one(t *testing.T, s *Session, text, want string) {
	t.Helper()
	if got := strings.Join(query(t, s, text).lines, "|"); got != want {
		t.Errorf("%s: want %q, got %q", text, want, got)
	}
}

// TestDefinitionsOverRestart: what CREATE, RENAME, EXCHANGE, ALTER, DETACH and DROP did is there after a restart; rows of Memory tables are not.
func TestDefinitionsOverRestart(t *testing.T) {
	dir := t.TempDir()
	first, err := New(Config{DataDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	s, err := first.NewSession(User{}, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		"CREATE TABLE t (a UInt32, b UInt64 DEFAULT a + 1, c UInt8 MATERIALIZED b * 2, d String ALIAS toString(a), e UInt8 EPHEMERAL 3, f UInt8 DEFAULT e, " +
			"CONSTRAINT small CHECK a < 100) ENGINE = Memory SETTINGS compress = 1, max_rows_to_keep = 1000 COMMENT 'of t'",
		"INSERT INTO t (a) VALUES (1)",
		"CREATE TABLE n (a UInt8) ENGINE = Null",
		"CREATE VIEW v COMMENT 'of v' AS SELECT a, d FROM t",
		"CREATE VIEW p AS SELECT a FROM t WHERE a = {x:UInt32}",
		"CREATE VIEW `odd/name.x` (q, r) AS SELECT 1, 'two'",
		"CREATE TABLE w (a UInt8) ENGINE = Memory", "CREATE VIEW x AS SELECT 1 AS one", "EXCHANGE TABLES w AND x",
		"RENAME TABLE n TO m",
		"CREATE TABLE aside (a UInt8) ENGINE = Memory", "DETACH TABLE aside",
		"CREATE VIEW away AS SELECT 5 AS five", "DETACH TABLE away PERMANENTLY",
		"CREATE VIEW gone AS SELECT 1", "DROP VIEW gone",
	} {
		query(t, s, text)
	}
	texts := query(t, s, "SELECT name, engine, create_table_query, uuid, comment FROM system.tables WHERE database = 'default' AND name != 'aside' ORDER BY name").lines
	s.Close()
	first.Close()
	s = newTestSession(t, Config{DataDir: dir})
	query(t, s, "DETACH TABLE aside") // it was detached for the time of one run
	again := query(t, s, "SELECT name, engine, create_table_query, uuid, comment FROM system.tables WHERE database = 'default' ORDER BY name").lines
	if strings.Join(texts, "\n") != strings.Join(again, "\n") {
		t.Errorf("before the restart\n%s\nafter it\n%s", strings.Join(texts, "\n"), strings.Join(again, "\n"))
	}
	one(t, s, "SELECT count() FROM t", "0")
	query(t, s, "INSERT INTO t (a, e) VALUES (7, 9)")
	one(t, s, "SELECT a, b, c, d, f FROM t", "7\t8\t16\t7\t9")
	one(t, s, "SELECT * FROM v", "7\t7")
	one(t, s, "SELECT * FROM p(x = 7)", "7")
	one(t, s, "SELECT q, r FROM `odd/name.x`", "1\ttwo")
	one(t, s, "SELECT * FROM w", "1")
	one(t, s, "SELECT count() FROM x", "0")
	if _, err := tryQuery(s, "INSERT INTO t (a) VALUES (100)"); errcode.Of(err) != errcode.ViolatedConstraint {
		t.Errorf("the constraint: want code 469, got %v", err)
	}
	if _, err := tryQuery(s, "SELECT * FROM away"); errcode.Of(err) != errcode.UnknownTable {
		t.Errorf("detached for good: want code 60, got %v", err)
	}
	query(t, s, "ATTACH TABLE away")
	one(t, s, "SELECT * FROM away", "5")
	query(t, s, "ATTACH TABLE aside")
	query(t, s, "DROP TABLE aside")
	left, err := filepath.Glob(filepath.Join(dir, "metadata", "default", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range left {
		if b := filepath.Base(p); strings.HasPrefix(b, "aside") || strings.HasSuffix(b, ".detached") {
			t.Errorf("%s is left", p)
		}
	}
}

// TestDefinitionsDamaged: a definition that is no statement stops the start with the file's name.
func TestDefinitionsDamaged(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "metadata", "default"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"v.sql": "CREATE VIEW v AS SELEC 1", "w.sql": "SELECT 1"} {
		path := filepath.Join(dir, "metadata", "default", name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := New(Config{DataDir: dir}); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("want an error that names %s, got %v", name, err)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
}

func tryQuery(s *Session, text string) (*recorder, error) {
	r := &recorder{}
	err := s.Run(context.Background(), Request{SQL: text, Stage: StageComplete}, r)
	return r, err
}
