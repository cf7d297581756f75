package query

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"dictsvc/errcode"
	"dictsvc/internal/mem"
)

// settledGoroutines waits for goroutines that are ending.
func settledGoroutines(t *testing.T, want int) {
	t.Helper()
	for range 100 {
		if runtime.NumGoroutine() <= want {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("got %d goroutines, want %d", runtime.NumGoroutine(), want)
}

// runText runs a statement and returns its rows, sorted as they came.
func runText(s *Session, text string) (string, error) {
	var r recorder
	err := s.Run(context.Background(), Request{SQL: text, Stage: StageComplete}, &r)
	return strings.Join(r.lines, "\n"), err
}

// Whatever way groups take (one table, partitions, partitions by way of the disk), the answer is the same.
func TestGroupWays(t *testing.T) {
	dir := t.TempDir()
	s := newTestSession(t, Config{DataDir: dir})
	query(t, s, "CREATE TABLE t (u UInt64, n Nullable(UInt32), s String, l LowCardinality(String), f Float64) ENGINE = Memory")
	query(t, s, fmt.Sprintf("INSERT INTO t SELECT intHash64(number) %% 30000, if(number %% 7 = 0, NULL, number %% 1000), concat('a longer string ', toString(number %% 5000)), toString(number %% 300), number / 3 FROM numbers(%d)",
		scaled(300000)))
	before := mem.Process.Used()
	for _, c := range []struct{ keys, values string }{
		{"u", "count(), sum(n), min(s), max(f), avg(n)"},
		{"u, n", "count()"},
		{"s", "uniqExact(u), max(u), any(l)"},
		{"s, l", "sum(u), argMax(u, f)"},
		{"n", "uniqExact(s), count(n)"},
		{"l, modulo(u, 100)", "arraySort(groupUniqArray(modulo(n, 2))), sumIf(u, n > 10)"},
		{"f", "count()"},
	} {
		// any and sums of floats depend on the order of rows: one thread
		text := fmt.Sprintf("SELECT %s, %s FROM t GROUP BY %s ORDER BY ALL LIMIT 400 SETTINGS max_threads = %%d, %%s", c.keys, c.values, c.keys)
		for _, threads := range []int{1, 2} {
			if threads == 2 && strings.Contains(c.values, "(f") {
				continue
			}
			want, err := runText(s, fmt.Sprintf(text, threads, "group_by_two_level_threshold = 0, group_by_two_level_threshold_bytes = 0"))
			if err != nil {
				t.Fatal(c, err)
			}
			for _, settings := range []string{"group_by_two_level_threshold = 1", "group_by_two_level_threshold = 1000, max_block_size = 1000", "max_bytes_before_external_group_by = 1",
				"max_bytes_before_external_group_by = 3000000"} {
				got, err := runText(s, fmt.Sprintf(text, threads, settings))
				if err != nil {
					t.Errorf("%s, %s: %v", text, settings, err)
				} else if got != want {
					t.Errorf("%d threads, GROUP BY %s with %s: another answer", threads, c.keys, settings)
				}
			}
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "tmp", "*")); len(left) > 0 {
		t.Errorf("temporary files are left: %v", left)
	}
	if used := mem.Process.Used(); used != before {
		t.Errorf("memory outside the heap: got %d bytes after the queries, want %d", used, before)
	}
}

// A GROUP BY that needs more than its limit ends with 241 and gives everything back; with the disk it finishes within the limit.
func TestGroupMemoryLimit(t *testing.T) {
	s := newTestSession(t, Config{DataDir: t.TempDir()})
	before, goroutines := mem.Process.Used(), runtime.NumGoroutine()
	const text = "SELECT count(), sum(c), max(k) FROM (SELECT intHash64(number) % 1000000 AS k, count() AS c, groupArray(2)(number) AS a FROM numbers(1500000) GROUP BY k) SETTINGS max_threads = 2, max_memory_usage = "
	want, err := runText(s, text+"0")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := runText(s, text+"40000000"); errcode.Of(err) != errcode.MemoryLimitExceeded {
		t.Errorf("over the limit: got %v", err)
	}
	if got, err := runText(s, text+"40000000, max_bytes_before_external_group_by = 10000000"); err != nil || got != want {
		t.Errorf("with the disk: got %q, %v, want %q", got, err, want)
	}
	if _, err := runText(s, text+"3000000, max_bytes_before_external_group_by = 10000000"); errcode.Of(err) != errcode.MemoryLimitExceeded {
		t.Errorf("over the limit before the disk helps: got %v", err)
	}
	if used := mem.Process.Used(); used != before {
		t.Errorf("memory outside the heap: got %d bytes after the queries, want %d", used, before)
	}
	settledGoroutines(t, goroutines)
}

// A query ends soon after it is cancelled, at whatever stage it is, and leaves nothing behind.
func TestGroupCancelled(t *testing.T) {
	dir := t.TempDir()
	s := newTestSession(t, Config{DataDir: dir})
	query(t, s, "CREATE TABLE t (u UInt64, s String) ENGINE = Memory")
	query(t, s, fmt.Sprintf("INSERT INTO t SELECT intHash64(number) %% 500000, toString(number %% 100000) FROM numbers(%d)", scaled(1000000)))
	before, goroutines := mem.Process.Used(), runtime.NumGoroutine()
	for _, text := range []string{
		"SELECT u, count(), max(s) FROM t GROUP BY u ORDER BY u DESC LIMIT 3",
		"SELECT uniqExact(u), uniqExact(s) FROM t",
		"SELECT u % 10 AS k, uniqExact(u), uniqExact(s) FROM t GROUP BY k",
		"SELECT u, groupArray(s) FROM t GROUP BY u SETTINGS max_bytes_before_external_group_by = 5000000",
		"SELECT DISTINCT u, s FROM t",
	} {
		begin := time.Now()
		if _, err := runText(s, text+" FORMAT Null"); err != nil {
			t.Fatal(err)
		}
		whole := time.Since(begin)
		slowest := time.Duration(0)
		for k := range 5 {
			ctx, cancel := context.WithCancel(context.Background())
			var at time.Time
			timer := time.AfterFunc(whole*time.Duration(k)/5, func() { at = time.Now(); cancel() })
			err := s.Run(ctx, Request{SQL: text, Stage: StageComplete}, discard{})
			if timer.Stop() || err == nil {
				cancel()
				continue // it was faster this time
			}
			if errcode.Of(err) != errcode.QueryWasCancelled {
				t.Errorf("%s: cancelled after %v: got %v", text, whole*time.Duration(k)/5, err)
			}
			<-ctx.Done()
			slowest = max(slowest, time.Since(at))
		}
		if slowest > cancelLimit {
			t.Errorf("%s: ended %v after it was cancelled", text, slowest)
		}
		t.Logf("%s: at most %v of %v after cancelling", text, slowest, whole)
	}
	if used := mem.Process.Used(); used != before {
		t.Errorf("memory outside the heap: got %d bytes after the queries, want %d", used, before)
	}
	settledGoroutines(t, goroutines)
	if left, _ := filepath.Glob(filepath.Join(dir, "tmp", "*")); len(left) > 0 {
		t.Errorf("temporary files are left: %v", left)
	}
	_ = os.RemoveAll(filepath.Join(dir, "tmp"))
}
