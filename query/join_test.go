package query

import (
	"context"
	"strings"
	"testing"
	"time"

	"dictsvc/column"
	"dictsvc/errcode"
)

// TestJoinCancel ends joins in each of their stages.
func TestJoinCancel(t *testing.T) {
	s := newTestSession(t, Config{})
	for _, text := range dictSetup {
		query(t, s, text)
	}
	for _, text := range []string{
		"SELECT count() FROM numbers(10) AS a JOIN system.numbers AS b ON a.number = b.number",
		"SELECT count() FROM numbers(10) AS a JOIN (SELECT number % 1000 AS number FROM system.numbers) AS b ON a.number = b.number",
		"SELECT count() FROM system.numbers AS a JOIN numbers(1000) AS b ON a.number = b.number",
		"SELECT count() FROM system.numbers AS a LEFT JOIN numbers(1000) AS b ON a.number % 1000 = b.number",
		"SELECT count() FROM system.numbers AS a FULL JOIN numbers(1000) AS b ON a.number % 1000 = b.number",
		"SELECT count() FROM system.numbers AS a ANTI RIGHT JOIN numbers(1000) AS b ON a.number % 1000 = b.number",
		"SELECT count() FROM system.numbers AS a SEMI LEFT JOIN numbers(1000) AS b ON toString(a.number) = toString(b.number)",
		"SELECT sum(a.number + b.number) FROM numbers(1000000) AS a CROSS JOIN numbers(1000000) AS b",
		"SELECT sum(a.number + b.number) FROM numbers(10000000000) AS a CROSS JOIN numbers(3) AS b",
		"SELECT count() FROM numbers(1000000) AS a JOIN numbers(1000000) AS b ON a.number + b.number = 3",
		"SELECT count() FROM numbers(1000000) AS a LEFT JOIN numbers(1000000) AS b ON a.number % 2 = b.number % 2 AND a.number + b.number = 3",
		"SELECT count() FROM numbers(1000000) AS a RIGHT JOIN numbers(1000000) AS b ON a.number % 2 = b.number % 2 AND a.number + b.number = 3",
		"SELECT count() FROM numbers(1000000) AS a JOIN numbers(1000000) AS b ON a.number % 2 = b.number % 2",
		"SELECT count() FROM numbers(1000000) AS a LEFT JOIN numbers(1000000) AS b ON a.number = b.number OR a.number % 2 = b.number % 2",
		"SELECT count() FROM (SELECT number % 3 AS k, number FROM system.numbers) AS a ASOF JOIN numbers(1000) AS b ON a.k = b.number % 3 AND a.number >= b.number",
		"SELECT count() FROM system.numbers AS a JOIN numbers(10) AS b ON a.number % 10 = b.number JOIN numbers(10) AS c ON b.number = c.number",
		"SELECT count() FROM system.numbers AS a LEFT JOIN d ON a.number = d.id",
		"SELECT count() FROM system.numbers AS a PASTE JOIN (SELECT number AS x FROM system.numbers) AS b",
	} {
		for _, threads := range []string{"1", "3"} {
			noLeak(t, func() {
				ctx, cancel := context.WithTimeout(context.Background(), 30*time.Millisecond)
				defer cancel()
				begin := time.Now()
				if err := s.Run(ctx, Request{SQL: text + " SETTINGS max_threads = " + threads, Stage: StageComplete}, discard{}); err == nil {
					t.Errorf("%s: want an error", text)
				}
				if d := time.Since(begin); d > cancelLimit {
					t.Errorf("%s: took %v to end", text, d)
				}
			})
		}
	}
}

// TestJoinLimits checks max_memory_usage, max_rows_in_join and max_bytes_in_join, and that a failed join leaves nothing behind.
func TestJoinLimits(t *testing.T) {
	s := newTestSession(t, Config{})
	for _, join := range []string{
		"numbers(10) AS a JOIN numbers(3000000) AS b ON a.number = b.number",
		"numbers(10) AS a JOIN numbers(3000000) AS b ON a.number = b.number % 7",
		"numbers(10) AS a JOIN (SELECT toString(number) AS number FROM numbers(3000000)) AS b ON toString(a.number) = b.number",
		"numbers(10) AS a CROSS JOIN numbers(10000000) AS b",
		"numbers(10) AS a JOIN numbers(3000000) AS b ON a.number = b.number OR a.number = b.number + 1",
		"numbers(10) AS a RIGHT JOIN numbers(3000000) AS b ON a.number = b.number AND a.number > b.number",
	} {
		noLeak(t, func() {
			fails(t, s, "SELECT max(b.number) FROM "+join+" SETTINGS max_memory_usage = 20000000", errcode.MemoryLimitExceeded)
			fails(t, s, "SELECT max(b.number) FROM "+join+" SETTINGS max_rows_in_join = 1000000", errcode.SetSizeLimitExceeded)
			fails(t, s, "SELECT max(b.number) FROM "+join+" SETTINGS max_bytes_in_join = 5000000", errcode.SetSizeLimitExceeded)
		})
	}
	if r := query(t, s, "SELECT count() FROM numbers(10) AS a JOIN numbers(1000) AS b ON a.number = b.number SETTINGS max_memory_usage = 20000000"); r.lines[0] != "10" {
		t.Errorf("got %v", r.lines)
	}
}

// TestJoinErrors checks that an error of one worker ends all.
func TestJoinErrors(t *testing.T) {
	s := newTestSession(t, Config{})
	for _, text := range []string{
		"SELECT count() FROM numbers(1000000) AS a JOIN (SELECT throwIf(number = 500000) AS x, number FROM numbers(1000000)) AS b ON a.number = b.number + b.x",
		"SELECT sum(throwIf(a.number = 900000)) FROM numbers(1000000) AS a JOIN numbers(1000000) AS b ON a.number = b.number",
		"SELECT count() FROM numbers(1000000) AS a JOIN numbers(1000000) AS b ON a.number = b.number AND throwIf(a.number + b.number = 1000000) = 0",
		"SELECT count() FROM (SELECT number + throwIf(number = 900000) AS number FROM numbers(1000000)) AS a FULL JOIN numbers(1000000) AS b ON a.number = b.number",
	} {
		noLeak(t, func() { fails(t, s, text+" SETTINGS max_threads = 3", errcode.FunctionThrowIfValueIsNonZero) })
	}
}

// TestJoinBlocks checks that a join that multiplies rows gives blocks of the size asked for, with all rows in them.
func TestJoinBlocks(t *testing.T) {
	s := newTestSession(t, Config{})
	for _, join := range []string{
		"(SELECT number FROM numbers(300)) AS a JOIN (SELECT number FROM numbers(3000)) AS b ON a.number % 3 = b.number % 3",
		"(SELECT number FROM numbers(300)) AS a LEFT JOIN (SELECT number FROM numbers(3000)) AS b ON a.number % 3 = b.number % 3 AND a.number + b.number >= 0",
		"(SELECT number FROM numbers(300)) AS a RIGHT JOIN (SELECT number FROM numbers(3000)) AS b ON a.number % 3 = b.number % 3",
		"(SELECT number FROM numbers(1000)) AS a CROSS JOIN (SELECT number FROM numbers(300)) AS b",
		"(SELECT number FROM numbers(3000)) AS a CROSS JOIN (SELECT number FROM numbers(100)) AS b",
	} {
		rows := 0
		r := &recorder{onBlock: func(b *column.Block) error {
			rows += b.Rows
			if b.Rows > 1000 {
				t.Errorf("%s: a block of %d rows", join, b.Rows)
			}
			return nil
		}}
		if err := s.Run(context.Background(), Request{SQL: "SELECT a.number, b.number FROM " + join + " SETTINGS max_block_size = 1000", Stage: StageComplete}, r); err != nil {
			t.Fatal(err)
		}
		if rows != 300000 {
			t.Errorf("%s: %d rows", join, rows)
		}
	}
}

// TestJoinOrder checks that rows come in the left side's order, and matches in the right side's, with many workers too.
func TestJoinOrder(t *testing.T) {
	s := newTestSession(t, Config{})
	for _, text := range []string{
		"SELECT a.number * 2 + intDiv(b.number, 200000) FROM numbers(200000) AS a LEFT JOIN numbers(400000) AS b ON a.number = b.number % 200000",
		"SELECT a.number * 2 + b.number FROM numbers(200000) AS a CROSS JOIN numbers(2) AS b",
		"SELECT a.number * 2 + b.number FROM numbers(200000) AS a JOIN numbers(2) AS b ON a.number + b.number >= 0",
		"SELECT a.number FROM numbers(400000) AS a ANY LEFT JOIN numbers(1000) AS b ON a.number % 2000 = b.number",
		"SELECT a.number FROM numbers(400000) AS a LEFT JOIN (SELECT 1 AS one) AS b ON a.number = one JOIN numbers(2) AS c ON c.number = one WHERE 0 UNION ALL SELECT number FROM numbers(400000)",
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
		if err := s.Run(context.Background(), Request{SQL: text + " SETTINGS max_threads = 4, max_block_size = 777", Stage: StageComplete}, r); err != nil {
			t.Fatal(err)
		}
		if next != 400000 {
			t.Errorf("%s: %d rows", text, next)
		}
	}
}

// TestDirectJoin checks that a dictionary is asked for the keys of a join and not read.
func TestDirectJoin(t *testing.T) {
	s := newTestSession(t, Config{})
	for _, text := range dictSetup {
		query(t, s, text)
	}
	for _, join := range []string{"LEFT JOIN", "JOIN", "ANY LEFT JOIN", "SEMI LEFT JOIN", "ANTI LEFT JOIN"} {
		text := "SELECT count(), sum(seg) FROM numbers(10) AS a " + join + " d ON d.id = a.number + 5"
		r := query(t, s, text)
		want := "10\t95"
		if strings.HasPrefix(join, "ANTI") {
			want = "0\t0"
		}
		if r.lines[0] != want {
			t.Errorf("%s: got %v", text, r.lines)
		}
		if n := r.progress.Rows; n > 20 {
			t.Errorf("%s: read %d rows", text, n)
		}
		if plan := strings.Join(query(t, s, "EXPLAIN "+text).lines, "\n"); !strings.Contains(plan, "keys looked up in dictionary d") {
			t.Errorf("%s: got the plan\n%s", text, plan)
		}
	}
	for _, join := range []string{"RIGHT JOIN d ON d.id = a.number", "JOIN d ON d.seg = a.number", "FULL JOIN d ON d.id = a.number"} {
		text := "EXPLAIN SELECT count() FROM numbers(10) AS a " + join
		if plan := strings.Join(query(t, s, text).lines, "\n"); !strings.Contains(plan, "hash") {
			t.Errorf("%s: got the plan\n%s", text, plan)
		}
	}
}

// TestJoinPushDown checks which conditions are taken to the sides of a join.
func TestJoinPushDown(t *testing.T) {
	s := newTestSession(t, Config{})
	query(t, s, "CREATE TABLE a (k UInt32, x UInt32) ENGINE = Memory")
	query(t, s, "CREATE TABLE b (k UInt32, y UInt32) ENGINE = Memory")
	for _, c := range []struct{ text, want string }{
		{"a, b WHERE a.k = b.k AND x > 1", "Join (inner all, hash): k = k | Filter (WHERE): greater(x, 1)"},
		{"a JOIN b ON a.k = b.k WHERE x > 1 AND y > 2", "Join (inner all, hash): k = k | Filter (WHERE): greater(x, 1) | Filter (WHERE): greater(y, 2)"},
		{"a LEFT JOIN b ON a.k = b.k WHERE x > 1 AND y > 2", "Filter (WHERE): greater(y, 2) | Join (left all, hash): k = k | Filter (WHERE): greater(x, 1)"},
		{"a FULL JOIN b ON a.k = b.k WHERE x > 1", "Filter (WHERE): greater(x, 1) | Join (full all, hash): k = k"},
		{"a ANY JOIN b ON a.k = b.k WHERE x > 1", "Filter (WHERE): greater(x, 1) | Join (inner any, hash): k = k"},
		{"a JOIN b ON a.k = b.k WHERE x > y", "Join (inner all, hash): k = k, greater(x, y)"},
		{"a LEFT JOIN b ON a.k = b.k AND x > 1 AND y > 2", "Join (left all, hash): k = k, greater(x, 1) | Filter (WHERE): greater(y, 2)"},
	} {
		var steps []string
		for _, l := range query(t, s, "EXPLAIN SELECT * FROM "+c.text).lines {
			if l = strings.TrimSpace(l); strings.HasPrefix(l, "Join") || strings.HasPrefix(l, "Filter") {
				steps = append(steps, l)
			}
		}
		if got := strings.Join(steps, " | "); got != c.want {
			t.Errorf("%s:\nwant %s\ngot  %s", c.text, c.want, got)
		}
	}
}
