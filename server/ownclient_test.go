package server

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dictsvc/internal/peers"
)

// `dictsvc client` as scripts use it: output, formats, inserts from standard input, exit codes; and against clickhouse-server 18.16.
func TestOwnClient(t *testing.T) {
	s := startServer(t, func(c *Config) {
		c.UserFiles = t.TempDir()
		usersFile(t, filepath.Join(c.UserFiles, "users.jsonl"), users)
		c.Users = map[string]UserConfig{"default": {}, "reader": {Password: "secret"}}
	})
	addr := s.Addr().String()
	run(t, addr, "CREATE DICTIONARY users ("+usersColumns+") PRIMARY KEY id SOURCE(FILE(path 'users.jsonl' format 'JSONEachRow')) LAYOUT(HASHED()) LIFETIME(0)")
	run(t, addr, "CREATE TABLE t (id UInt64, s String) ENGINE = Memory")
	outfile := filepath.Join(t.TempDir(), "out.tsv")
	for _, c := range []struct {
		args  string // shell words behind `dictsvc client --port P`
		stdin string
		code  int
		out   string // all of standard output
		err   string // a part of standard error
	}{
		{args: `-q "SELECT dictGet('users', 'name', toUInt64(17))"`, out: "user-17\n"},
		{args: `-q "SELECT 1 AS a, 'x' AS b" --format JSONEachRow`, out: `{"a":1,"b":"x"}` + "\n"},
		{args: `-q "SELECT 1 AS a, 'x' AS b FORMAT CSVWithNames" --format JSONEachRow`, out: "\"a\",\"b\"\n1,\"x\"\n"},
		{args: `-q "SELECT count() FROM numbers(1000000) FORMAT Null"`},
		{args: `-q "SELECT city, count() FROM users WHERE id < 3 GROUP BY city WITH TOTALS ORDER BY city"`, out: "city-1\t1\ncity-2\t1\n\n\t2\n"},
		{args: `-q "SET max_block_size = 77; SELECT getSetting('max_block_size'); USE system; SELECT currentDatabase()"`, out: "77\nsystem\n"},
		{args: `--database system -q "SELECT count() > 10 FROM functions"`, out: "1\n"},
		{stdin: "SELECT 1; SELECT 2;\n-- the end\n", out: "1\n2\n"},
		{args: `-q "INSERT INTO t FORMAT JSONEachRow"`, stdin: `{"id":1,"s":"a"}` + "\n" + `{"id":2,"s":"b"}` + "\n"},
		{args: `-q "INSERT INTO t FORMAT TSV"`, stdin: "3\tc\n4\td\n"},
		{args: `-q "INSERT INTO t FORMAT CSV"`, stdin: "5,\"e,\"\n"},
		{args: `-q "INSERT INTO t VALUES (6, 'f'), (7, 'g')"`},
		{args: `-q "INSERT INTO t SELECT id, name FROM users WHERE id = 8"`},
		{args: `-q "SELECT * FROM t ORDER BY id"`, out: "1\ta\n2\tb\n3\tc\n4\td\n5\te,\n6\tf\n7\tg\n8\tuser-8\n"},
		{args: `-q "SELECT 5 INTO OUTFILE '` + outfile + `'"`},
		{args: `-q "SELECT 1" --user reader --password secret`, out: "1\n"},
		{args: `-q "SELECT 1" --time`, out: "1\n", err: "0."},

		{args: `-q "SELECT 1; SELECT nothing; SELECT 3"`, code: 1, out: "1\n", err: "Code: 47. DB::Exception: "},
		{args: `-q "SELECT 1 +"`, code: 1, err: "Code: 62. DB::Exception: Syntax error"},
		{args: `-q "SELECT dictGet('users', 'nothing', toUInt64(1))"`, code: 1, err: "Code: 36"},
		{args: `-q "SELECT 1" --user reader --password wrong`, code: 1, err: "Code: 516. DB::Exception: reader: Authentication failed"},
		{args: `-q "SELECT 1" --database missing`, code: 1, err: "Code: 81"},
		{args: `-q "SELECT 1 FORMAT NoSuchFormat"`, code: 1, err: "Code: 73"},
		{args: `-q "INSERT INTO t FORMAT TSV"`, stdin: "x\ty\n", code: 1, err: "Code: 27"},
		{args: `-q "INSERT INTO t FORMAT JSONEachRow"`, stdin: `{"id":"x"}`, code: 1, err: "line 1"},
		{args: `-q "INSERT INTO missing FORMAT TSV"`, stdin: "1\n", code: 1, err: "Code: 60"},
		{args: `-q "SELECT throwIf(number = 200000) FROM numbers(300000) FORMAT Null"`, code: 1, err: "Code: 395"},
		{args: `-q "SELECT 1" --port 1`, code: 1, err: "Code: 210"},
		{args: `-q "SELECT 1" --host no.such.host.invalid`, code: 1, err: "no.such.host.invalid"},
		{args: `"SELECT 1"`, code: 2, err: "-q"},
		{args: `-q "SELECT 1" --port x`, code: 2, err: "port"},
	} {
		r := peers.Run(t, c.stdin, "/bin/sh", "-c", program(t)+" client --port "+port(t, addr)+" "+c.args)
		if r.Code != c.code || r.Out != c.out || !strings.Contains(r.Err, c.err) || c.code == 0 && c.err == "" && r.Err != "" {
			t.Errorf("client %s: want code %d, %q, %q; got %+v", c.args, c.code, c.out, c.err, r)
		}
	}
	if b, err := os.ReadFile(outfile); string(b) != "5\n" {
		t.Errorf("INTO OUTFILE: %q, %v", b, err)
	}
	check(t, addr, "SELECT count() FROM t", "8\n")

	old := peers.OldServer(t)
	client := func(stdin, sql string) peers.Result {
		return peers.Run(t, stdin, program(t), "client", "--port", port(t, old.Addr), "--user", "guest", "--password", "secret", "-q", sql)
	}
	if r := client("", "CREATE TABLE x (id UInt64, s Nullable(String)) ENGINE = Memory"); r.Code != 0 {
		t.Errorf("18.16: %+v", r)
	}
	if r := client("1\ta\n2\t\\N\n", "INSERT INTO x FORMAT TSV"); r.Code != 0 {
		t.Errorf("18.16: %+v", r)
	}
	if r := client("", "SELECT *, version() LIKE '18.16%' FROM x ORDER BY id"); r.Out != "1\ta\t1\n2\t\\N\t1\n" {
		t.Errorf("18.16: %+v", r)
	}
	if r := client("", "SELECT nothing"); r.Code != 1 || !strings.Contains(r.Err, "Code: 47") {
		t.Errorf("18.16: %+v", r)
	}
}
