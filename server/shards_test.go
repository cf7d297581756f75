package server

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"dictsvc/internal/peers"
)

// Two of us are the shards of a table: ClickHouse 26.7 (both ways to name columns) and clickhouse-server 18.16 must answer over them as over a table of
// their own that holds all rows.

const shardTable = "(k UInt32, v UInt64, s String, n Nullable(Int32), d Date, f Float64, a Array(UInt8)) ENGINE = Memory"

// shardRows fills the table of one shard; what two shards hold overlaps in keys and differs in rows.
func shardRows(shard int) string {
	return fmt.Sprintf("INSERT INTO t SELECT number %% 7, number * %d, toString(number %% 5), if(number %% 3 = 0, NULL, number), toDate(number), number / 4, [number, %d] FROM numbers(%d)",
		shard*19+1, shard, 200+shard)
}

func shardServers(t *testing.T) []string {
	t.Helper()
	var addrs []string
	for shard := 1; shard <= 2; shard++ {
		s := startServer(t, func(c *Config) { c.Data = t.TempDir() })
		addr := s.Addr().String()
		run(t, addr, "CREATE TABLE t "+shardTable)
		run(t, addr, shardRows(shard))
		run(t, addr, "CREATE TABLE empty "+shardTable)
		addrs = append(addrs, addr)
	}
	return addrs
}

// lines reads a file of statements, one a line; empty lines and comments are left out.
func lines(t *testing.T, path string) []string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, l := range strings.Split(string(text), "\n") {
		if l = strings.TrimSpace(l); l != "" && !strings.HasPrefix(l, "--") {
			list = append(list, l)
		}
	}
	return list
}

func TestShardsOfClickHouse(t *testing.T) {
	compareShards(t, lines(t, "testdata/shards.sql"))
}

// Aggregates of all types: a line "@x = ..." says what stands for @x in the lists of aggregates that follow.
func TestShardsOfClickHouseTypes(t *testing.T) {
	var statements []string
	x := ""
	for _, l := range lines(t, "testdata/shards_types.sql") {
		if value, ok := strings.CutPrefix(l, "@x = "); ok {
			if x = value; strings.Contains(x, " ") {
				x = "(" + x + ")"
			}
			continue
		}
		list := strings.ReplaceAll(l, "@x", x)
		statements = append(statements, "SELECT "+list+" FROM @t", "SELECT k % 2 AS g, "+list+" FROM @t GROUP BY g ORDER BY g")
	}
	compareShards(t, statements)
}

// compareShards runs statements over a table of ClickHouse's own (@t, @empty) and over two shards, with both analyzers.
func compareShards(t *testing.T, queries []string) {
	t.Helper()
	addrs := shardServers(t)
	remote := fmt.Sprintf("remote('%s', default.$1)", strings.Join(addrs, ","))
	statements := []string{"CREATE TABLE t " + shardTable, "CREATE TABLE empty " + shardTable, shardRows(1), shardRows(2)}
	setup := len(statements)
	for _, setting := range []string{"", " SETTINGS allow_experimental_analyzer = 0"} {
		for _, q := range queries {
			if setting != "" && strings.Contains(q, "-- analyzer") {
				continue
			}
			for _, table := range []string{"$1", remote} {
				statements = append(statements, strings.NewReplacer("@t", strings.Replace(table, "$1", "t", 1), "@empty", strings.Replace(table, "$1", "empty", 1)).Replace(q)+setting)
			}
		}
	}
	answers := peers.ClickHouse(t, "TSVWithNamesAndTypes", statements...)[setup:]
	for i := 0; i < len(answers); i += 2 {
		want, got := answers[i], answers[i+1]
		if want.Error != "" || got.Error != "" || want.Out != got.Out {
			t.Errorf("%s:\nwant %s%s\ngot  %s%s", got.SQL, want.Out, want.Error, got.Out, got.Error)
		}
	}
}

func TestShardsOfOldServer(t *testing.T) {
	addrs := shardServers(t)
	s := peers.OldServer(t, addrs...)
	exec := func(sql string) peers.Result { return peers.OldClient(t, s.Addr, sql) }
	for _, sql := range []string{"CREATE TABLE t " + shardTable, "CREATE TABLE empty " + shardTable, shardRows(1), shardRows(2),
		"CREATE TABLE dist_t AS t ENGINE = Distributed(shards, default, t)", "CREATE TABLE dist_empty AS t ENGINE = Distributed(shards, default, empty)"} {
		if r := exec(sql); r.Code != 0 {
			t.Fatalf("%s: %+v", sql, r)
		}
	}
	var local, spread strings.Builder
	queries := lines(t, "testdata/shards_old.sql")
	for _, q := range queries {
		fmt.Fprintf(&local, "%s FORMAT TSVWithNamesAndTypes; SELECT '----';\n", strings.NewReplacer("@", "").Replace(q))
		fmt.Fprintf(&spread, "%s FORMAT TSVWithNamesAndTypes; SELECT '----';\n", strings.NewReplacer("@", "dist_").Replace(q))
	}
	want := strings.Split(peers.OldClientStdin(t, s.Addr, local.String(), "--multiquery").Out, "----\n")
	got := strings.Split(peers.OldClientStdin(t, s.Addr, spread.String(), "--multiquery").Out, "----\n")
	for i, q := range queries {
		if i >= len(want) || i >= len(got) || want[i] != got[i] || want[i] == "" {
			w, g := "nothing", "nothing"
			if i < len(want) {
				w = want[i]
			}
			if i < len(got) {
				g = got[i]
			}
			r := exec(strings.ReplaceAll(q, "@", "dist_"))
			t.Errorf("%s:\nwant %s\ngot  %s\n%s", q, w, g, r.Err)
			if i >= len(got)-1 {
				break
			}
		}
	}
	for _, q := range []string{"SELECT topK(3)(s) FROM dist_t", "SELECT quantileDeterministic(k, v) FROM dist_t", "SELECT sumMap([k], [toUInt8(v)]) FROM dist_t",
		"SELECT sumMapIf([k], [k], k > 1) FROM dist_t"} {
		if r := exec(q); !strings.Contains(r.Err, "distributed_group_by_no_merge = 1") {
			t.Errorf("%s: want a refusal that names the setting, got %+v", q, r)
		}
	}
}
