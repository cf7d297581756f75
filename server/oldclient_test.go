package server

import (
	"fmt"
	"strings"
	"testing"

	"dictsvc/internal/peers"
)

// What clickhouse-client 18.16 prints for statements, with and without compression.
func TestOldClient(t *testing.T) {
	_, addr := usersServer(t)
	cases := []struct {
		sql  string
		code int
		out  string // all of standard output
		err  string // a part of standard error
	}{
		{sql: "SELECT 1", out: "1\n"},
		{sql: "SELECT dictGet('users', 'name', toUInt64(17)), dictGet('default.users', 'city', toUInt64(17)), dictHas('users', toUInt64(1001))", out: "user-17\tcity-3\t0\n"},
		{sql: "SELECT dictGet('users', 'city', toUInt64(0)), dictGetOrDefault('users', 'name', toUInt64(0), 'none')", out: "nowhere\tnone\n"},
		{sql: "SELECT dictGet('users', ('name', 'age'), toUInt64(205))", out: "('user-205',5)\n"},
		{sql: "SELECT sum(dictGet('users', 'age', number)) FROM numbers(1001)", out: "49500\n"},
		{sql: "SELECT city, count() AS c, sum(id) FROM users GROUP BY city ORDER BY city LIMIT 2", out: "city-0\t142\t71071\ncity-1\t143\t71214\n"},
		{sql: "SELECT city, count() AS c FROM users WHERE id <= 3 GROUP BY city WITH TOTALS ORDER BY city", out: "city-1\t1\ncity-2\t1\ncity-3\t1\n\n\t3\n"},
		{sql: "SELECT nick, nick IS NULL FROM users WHERE id IN (2, 3) ORDER BY id", out: "n2\t0\n\\N\t1\n"},
		{sql: "SELECT id, name FROM users WHERE id = 5 FORMAT JSONEachRow", out: `{"id":"5","name":"user-5"}` + "\n"},
		{sql: "SELECT id, name FROM users WHERE id = 5 FORMAT CSVWithNames", out: "\"id\",\"name\"\n5,\"user-5\"\n"},
		{sql: "SELECT id, score FROM users WHERE id = 5 FORMAT TSVWithNamesAndTypes", out: "id\tscore\nUInt64\tFloat64\n5\t1.25\n"},
		{sql: "SELECT id, name FROM users WHERE id = 5 FORMAT Vertical", out: "Row 1:\n──────\nid:   5\nname: user-5\n"},
		{sql: "SELECT count() FROM numbers(3000000) FORMAT Null"},
		{sql: "SELECT number FROM numbers(10) WHERE number > 100"},
		{sql: "SELECT toDate('2024-05-06'), toDateTime('2024-05-06 07:08:09', 'UTC'), toDecimal64(1.5, 3), [1, 2], (1, 'a'), NULL", out: "2024-05-06\t2024-05-06 07:08:09\t1.500\t[1,2]\t(1,'a')\t\\N\n"},
		{sql: "SHOW TABLES", out: "t\nusers\n"},
		{sql: "EXISTS DICTIONARY users", code: 62}, // the client parses it and knows no dictionaries
		{sql: "SELECT nothing", code: 47, err: "Code: 47"},
		{sql: "SELECT dictGet('missing', 'a', toUInt64(1))", code: 36, err: "Dictionary (`missing`) not found"},
		{sql: "SELECT dictGet('users', 'missing', toUInt64(1))", code: 36, err: "missing"},
		{sql: "SELECT * FROM missing", code: 60, err: "Code: 60"},
		{sql: "SELECT noSuchFunction(1)", code: 46, err: "noSuchFunction"},
		{sql: "SELECT throwIf(number = 100000) FROM numbers(1000000) FORMAT Null", code: 395 & 0xff, err: "Code: 395"},
		{sql: "SELECT 1 +", code: 62, err: "Syntax error"},
	}
	for _, compression := range []string{"0", "1"} {
		for _, c := range cases {
			r := peers.OldClient(t, addr, c.sql, "--compression", compression)
			if r.Code != c.code || r.Out != c.out && c.code == 0 || !strings.Contains(r.Err, c.err) {
				t.Errorf("%s (compression %s): want code %d, %q, %q; got %+v", c.sql, compression, c.code, c.out, c.err, r)
			}
		}
	}
}

// Scripts of several statements, and rows to insert behind the statement and on standard input.
func TestOldClientScripts(t *testing.T) {
	_, addr := usersServer(t)
	for i, compression := range []string{"0", "1"} {
		script := fmt.Sprintf(`SELECT 1; SET max_block_size = 1000; SELECT value FROM system.settings WHERE name = 'max_block_size';
CREATE TABLE s%[1]d (x UInt8, d Date, s Nullable(String)) ENGINE = Memory;
INSERT INTO s%[1]d VALUES (1, '2024-01-02', 'a''b'), (2, '1999-12-31', NULL);
SELECT * FROM s%[1]d ORDER BY x; DROP TABLE s%[1]d`, i)
		r := peers.OldClientStdin(t, addr, script, "-n", "--compression", compression)
		if want := "1\n1000\n1\t2024-01-02\ta\\'b\n2\t1999-12-31\t\\N\n"; r.Code != 0 || r.Out != want {
			t.Errorf("script: want %q, got %+v", want, r)
		}
		r = peers.OldClientStdin(t, addr, "SELECT 1; SELECT broken; SELECT 3", "-n", "--compression", compression)
		if r.Code != 47 || r.Out != "1\n" {
			t.Errorf("a script with a fault in the middle: %+v", r)
		}
		var rows strings.Builder
		const n = 100000
		for k := range n {
			fmt.Fprintf(&rows, "%d\trow %d\n", k, k)
		}
		for _, x := range []struct{ format, data string }{
			{"TSV", rows.String()},
			{"CSV", "1000000,\"a,b\"\n1000001,c\n"},
			{"JSONEachRow", `{"id":"1000002","s":"j"} {"s":"k","id":1000003}`},
			{"Values", "(1000004, 'v'), (1000005, 'w')"},
		} {
			r := peers.OldClientStdin(t, addr, x.data, "--compression", compression, "--query", "INSERT INTO t FORMAT "+x.format)
			if r.Code != 0 || r.Out != "" {
				t.Errorf("INSERT FORMAT %s: %+v", x.format, r)
			}
		}
		if r := peers.OldClient(t, addr, "INSERT INTO t (s) VALUES ('only s')", "--compression", compression); r.Code != 0 {
			t.Errorf("%+v", r)
		}
		check(t, addr, "SELECT count(), uniqExact(id), countIf(s = 'row 99999'), countIf(s = 'a,b'), countIf(s IN ('j', 'k', 'v', 'w')), sum(s = 'only s' AND id = 0) FROM t",
			fmt.Sprintf("%d\t%d\t1\t1\t4\t1\n", n+7, n+6))
		run(t, addr, "TRUNCATE TABLE t")
		if r := peers.OldClient(t, addr, "INSERT INTO missing VALUES (1)"); r.Code != 60 {
			t.Errorf("%+v", r)
		}
		if r := peers.OldClientStdin(t, addr, "x\ty\n", "--query", "INSERT INTO t FORMAT TSV"); r.Code == 0 { // the client itself refuses the row
			t.Errorf("%+v", r)
		}
		check(t, addr, "SELECT count() FROM t", "0\n")
		r = peers.OldClientStdin(t, addr, "5\tfive\n17\tseventeen\n", "--compression", compression, "--query", "SELECT k, v, dictGet('users', 'name', k) FROM ext ORDER BY k",
			"--external", "--file=-", "--name=ext", "--structure=k UInt64, v String")
		if want := "5\tfive\tuser-5\n17\tseventeen\tuser-17\n"; r.Code != 0 || r.Out != want {
			t.Errorf("external table: want %q, got %+v", want, r)
		}
	}
}
