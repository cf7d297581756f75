package server

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
)

// clickhouse-go over its own interface: results, parameters, inserts of both kinds, errors, cancelling and deadlines.
func TestClickHouseGo(t *testing.T) {
	_, addr := usersServer(t)
	for name, method := range map[string]clickhouse.CompressionMethod{"none": clickhouse.CompressionNone, "lz4": clickhouse.CompressionLZ4, "zstd": clickhouse.CompressionZSTD} {
		t.Run(name, func(t *testing.T) {
			conn, err := clickhouse.Open(&clickhouse.Options{Addr: []string{addr}, Compression: &clickhouse.Compression{Method: method}, MaxOpenConns: 1, DialTimeout: 5 * time.Second})
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			run(t, addr, "TRUNCATE TABLE t")
			goQueries(t, conn)
			goInserts(t, conn)
			goInterruptions(t, addr, conn)
		})
	}
}

func goQueries(t *testing.T, conn clickhouse.Conn) {
	ctx := context.Background()
	v, err := conn.ServerVersion()
	if err != nil || v.Version.Major != 26 || v.Version.Minor != 7 {
		t.Errorf("version: %v, %v", v, err)
	}
	var who string
	var nick *string
	if err := conn.QueryRow(ctx, "SELECT dictGet('users', 'name', toUInt64(9)), dictGet('users', 'nick', toUInt64(9))").Scan(&who, &nick); err != nil || who != "user-9" || nick != nil {
		t.Errorf("%q, %v, %v", who, nick, err)
	}
	params := clickhouse.Context(ctx, clickhouse.WithParameters(clickhouse.Parameters{"x": "17", "s": "it's \\ a\ttest\n", "a": "[1,2,3]", "d": "users"}))
	var s string
	var sum uint64
	if err := conn.QueryRow(params, "SELECT dictGet({d:String}, 'name', {x:UInt64}), {s:String}, arraySum({a:Array(UInt8)})").Scan(&who, &s, &sum); err != nil ||
		who != "user-17" || s != "it's \\ a\ttest\n" || sum != 6 {
		t.Errorf("parameters: %q, %q, %d, %v", who, s, sum, err)
	}
	if err := conn.QueryRow(ctx, "SELECT name FROM users WHERE id = $1", 20).Scan(&who); err != nil || who != "user-20" {
		t.Errorf("%q, %v", who, err)
	}
	var list []struct {
		City  string `ch:"city"`
		Count uint64 `ch:"c"`
	}
	if err := conn.Select(ctx, &list, "SELECT city, count() AS c FROM users GROUP BY city ORDER BY city"); err != nil || len(list) != 7 || list[6].City != "city-6" || list[6].Count != 143 {
		t.Errorf("%v, %v", list, err)
	}
	settings := clickhouse.Context(ctx, clickhouse.WithSettings(clickhouse.Settings{"max_result_rows": 10}))
	if err := drain(conn.Query(settings, "SELECT id FROM users")); code(err) != 396 {
		t.Errorf("max_result_rows: want error 396, got %v", err)
	}
	unknown := clickhouse.Context(ctx, clickhouse.WithSettings(clickhouse.Settings{"no_such_setting": 1}))
	if err := drain(conn.Query(unknown, "SELECT 1")); code(err) != 115 {
		t.Errorf("unknown setting: want error 115, got %v", err)
	}
	var progressed, profiled uint64
	told := clickhouse.Context(ctx, clickhouse.WithProgress(func(p *clickhouse.Progress) { progressed += p.Rows }), clickhouse.WithProfileInfo(func(p *clickhouse.ProfileInfo) { profiled = p.Rows }))
	if err := drain(conn.Query(told, "SELECT number FROM numbers(200000)")); err != nil || progressed != 200000 || profiled != 200000 {
		t.Errorf("progress %d, profile %d, %v", progressed, profiled, err)
	}
	rows, err := conn.Query(ctx, "SELECT city, count() FROM users WHERE id < 5 GROUP BY city WITH TOTALS")
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next() {
	}
	var n uint64
	if err := rows.Totals(&s, &n); err != nil || n != 4 {
		t.Errorf("totals: %d, %v", n, err)
	}
	for text, want := range map[string]int32{"SELECT nothing": 47, "SELECT * FROM missing": 60, "SELECT dictGet('missing', 'a', 1)": 36, "SELECT 1 +": 62, "SELECT throwIf(number = 150000) FROM numbers(300000)": 395} {
		if err := drain(conn.Query(ctx, text)); code(err) != want {
			t.Errorf("%s: want error %d, got %v", text, want, err)
		}
	}
}

func goInserts(t *testing.T, conn clickhouse.Conn) {
	ctx := context.Background()
	batch, err := conn.PrepareBatch(ctx, "INSERT INTO t (s, id)")
	if err != nil {
		t.Fatal(err)
	}
	const n = 150000
	for i := range uint64(n) {
		if err := batch.Append(fmt.Sprint("row ", i), i); err != nil {
			t.Fatal(err)
		}
	}
	if err := batch.Send(); err != nil {
		t.Fatal(err)
	}
	if err := conn.Exec(ctx, "INSERT INTO t VALUES (200000, 'inline''s'), (200001, 'b')"); err != nil {
		t.Errorf("inline data: %v", err)
	}
	if err := conn.Exec(ctx, "INSERT INTO t (id, s) VALUES ($1, $2)", uint64(200002), "bound"); err != nil {
		t.Errorf("bound data: %v", err)
	}
	if err := conn.Exec(ctx, `INSERT INTO t FORMAT JSONEachRow {"id": 200003, "s": "j"}`); err != nil {
		t.Errorf("inline JSON: %v", err)
	}
	if err := conn.Exec(clickhouse.Context(ctx, clickhouse.WithAsync(true)), "INSERT INTO t VALUES (200004, 'async')"); err != nil {
		t.Errorf("async insert: %v", err)
	}
	if err := conn.Exec(ctx, "INSERT INTO t SELECT id, name FROM users WHERE id <= 10"); err != nil {
		t.Errorf("INSERT SELECT: %v", err)
	}
	if _, err := conn.PrepareBatch(ctx, "INSERT INTO missing"); code(err) != 60 {
		t.Errorf("insert into a missing table: want error 60, got %v", err)
	}
	if batch, err = conn.PrepareBatch(ctx, "INSERT INTO t"); err != nil {
		t.Fatal(err)
	}
	if err := batch.Abort(); err != nil { // the rows are never sent and the connection is given up
		t.Errorf("abort: %v", err)
	}
	var count, sum uint64
	if err := conn.QueryRow(ctx, "SELECT count(), sum(length(s)) FROM t WHERE id >= 200000 OR s LIKE 'row%'").Scan(&count, &sum); err != nil || count != n+5 {
		t.Errorf("after the inserts: want %d rows, got %d, %v", n+5, count, err)
	}
}

// A query that is left, cancelled or out of time leaves the next query well.
func goInterruptions(t *testing.T, addr string, conn clickhouse.Conn) {
	var one uint8
	next := func(what string) {
		t.Helper()
		if err := conn.QueryRow(context.Background(), "SELECT 1").Scan(&one); err != nil {
			t.Errorf("after %s: %v", what, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	rows, err := conn.Query(ctx, "SELECT number FROM numbers(100000000)")
	if err != nil {
		t.Fatal(err)
	}
	for range 10 {
		if !rows.Next() {
			t.Fatal(rows.Err())
		}
	}
	cancel()
	for rows.Next() {
	}
	if rows.Err() == nil {
		t.Error("a cancelled result ends without an error")
	}
	rows.Close()
	next("a cancelled context")
	deadline, done := context.WithTimeout(context.Background(), 200*time.Millisecond)
	start := time.Now()
	if err := drain(conn.Query(deadline, longQuery)); err == nil || time.Since(start) > 5*time.Second {
		t.Errorf("a deadline of 200 ms: %v after %v", err, time.Since(start))
	}
	done()
	next("a deadline")
	await(t, "ended", func() bool { return running(t, addr) == "0\n" })
	limited := clickhouse.Context(context.Background(), clickhouse.WithSettings(clickhouse.Settings{"max_execution_time": 1}))
	if err := drain(conn.Query(limited, longQuery)); code(err) != 159 {
		t.Errorf("max_execution_time: want error 159, got %v", err)
	}
	next("max_execution_time")
}

// drain reads a result to its end.
func drain(rows interface {
	Next() bool
	Err() error
	Close() error
}, err error) error {
	if err != nil {
		return err
	}
	for rows.Next() {
	}
	if err := rows.Err(); err != nil {
		return err
	}
	return rows.Close()
}

func code(err error) int32 {
	var x *clickhouse.Exception
	if errors.As(err, &x) {
		return x.Code
	}
	return 0
}

// clickhouse-go under database/sql.
func TestDatabaseSQL(t *testing.T) {
	_, addr := usersServer(t)
	db, err := sql.Open("clickhouse", "clickhouse://default@"+addr+"/default?compress=lz4&max_execution_time=20")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var names string
	if err := db.QueryRow("SELECT arrayStringConcat(groupArray(name), ',') FROM users WHERE id IN (?, ?)", 3, 4).Scan(&names); err != nil || names != "user-3,user-4" && names != "user-4,user-3" {
		t.Errorf("%q, %v", names, err)
	}
	tx, err := db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	st, err := tx.Prepare("INSERT INTO t (id, s)")
	if err != nil {
		t.Fatal(err)
	}
	for i := range 1000 {
		if _, err := st.Exec(uint64(i), "x"); err != nil {
			t.Fatal(err)
		}
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	check(t, addr, "SELECT count() FROM t", "1000\n")
	for _, bad := range []struct {
		url  string
		code int32
	}{{"clickhouse://nobody@" + addr, 516}, {"clickhouse://default:wrong@" + addr, 516}, {"clickhouse://default@" + addr + "/missing", 81}} {
		db, err := sql.Open("clickhouse", bad.url)
		if err != nil {
			t.Fatal(err)
		}
		if err := db.Ping(); code(err) != bad.code {
			t.Errorf("%s: want error %d, got %v", bad.url, bad.code, err)
		}
		db.Close()
	}
}
