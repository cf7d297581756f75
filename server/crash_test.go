package server

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"
)

// A server killed in the middle of a load, and of definitions, starts again with the same folder and has all that was confirmed.
func TestKilled(t *testing.T) {
	data := t.TempDir()
	files := filepath.Join(data, "user_files")
	usersFile(t, filepath.Join(files, "users.jsonl"), users)
	usersFile(t, filepath.Join(files, "many.jsonl"), 300_000)
	create := func(name, file string) string {
		return "CREATE DICTIONARY " + name + " (" + usersColumns + ") PRIMARY KEY id SOURCE(FILE(path '" + file + "' format 'JSONEachRow')) LAYOUT(HASHED()) LIFETIME(0)"
	}
	s := serve(t, "--data", data)
	run(t, s.addr, create("users", "users.jsonl"))
	run(t, s.addr, "CREATE DATABASE other")
	run(t, s.addr, create("other.many", "many.jsonl"))
	run(t, s.addr, "CREATE FUNCTION plus_one AS x -> x + 1")
	run(t, s.addr, "CREATE TABLE t (a UInt8, b String DEFAULT 'x') ENGINE = Memory")
	run(t, s.addr, "INSERT INTO t (a) VALUES (1)")
	run(t, s.addr, create("dropped", "users.jsonl"))
	run(t, s.addr, "DROP DICTIONARY dropped")
	alive(t, s.addr, "the start")
	go ask(t, s.addr, "SYSTEM RELOAD DICTIONARY other.many")
	await(t, "loading", func() bool {
		return run(t, s.addr, "SELECT count() FROM system.dictionaries WHERE name = 'many' AND status = 'LOADING'") == "1\n" || run(t, s.addr, "SELECT status FROM system.dictionaries WHERE name = 'many'") == "LOADED\n"
	})
	s.kill()
	for round := range 3 {
		s = serve(t, "--data", data)
		alive(t, s.addr, "a crash")
		check(t, s.addr, "SELECT plus_one(41), dictGet('other.many', 'name', toUInt64(299999)), count() FROM other.many", "42\tuser-299999\t300000\n")
		wantTables := "many\nt\nusers\n"
		if round == 1 {
			wantTables = "changing\n" + wantTables
		}
		check(t, s.addr, "SELECT name FROM system.tables WHERE database IN ('default', 'other') ORDER BY name", wantTables)
		check(t, s.addr, "SELECT count(), any(b) FROM t", "0\t\n") // a Memory table keeps its definition alone
		run(t, s.addr, "INSERT INTO t (a) VALUES (2)")
		check(t, s.addr, "SELECT a, b FROM t", "2\tx\n")
		if round == 0 { // while definitions are written
			done := make(chan struct{})
			go func() {
				defer close(done)
				for i := 0; ; i++ {
					if _, err := ask(t, s.addr, fmt.Sprintf("CREATE OR REPLACE DICTIONARY other.changing (id UInt64, name String DEFAULT '%d') PRIMARY KEY id SOURCE(FILE(path 'users.jsonl' format 'JSONEachRow')) LAYOUT(HASHED()) LIFETIME(0)", i)); err != nil {
						return
					}
				}
			}()
			time.Sleep(200 * time.Millisecond)
			s.kill()
			<-done
			continue
		}
		if round == 1 {
			check(t, s.addr, "SELECT dictGet('other.changing', 'name', toUInt64(7))", "user-7\n")
			run(t, s.addr, "DROP DICTIONARY other.changing")
		}
		s.kill()
	}
}
