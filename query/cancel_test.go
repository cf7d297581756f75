package query

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"

	"dictsvc/column"
	"dictsvc/errcode"
)

// cancelLimit is generous: what is wanted is a tenth of a second, and a busy machine, and more so the race detector, adds to that. Tests log what they saw.
const cancelLimit = time.Second * slowness

// stages are queries that take long in one stage each.
var stages = map[string]string{
	"scan":             "SELECT count() FROM numbers(1000000000000) WHERE cityHash64(number) = 7",
	"group few":        "SELECT number % 97 AS k, count(), sum(number), avg(number) FROM numbers(100000000000) GROUP BY k",
	"group many":       "SELECT cityHash64(number) AS k, count() FROM numbers(8000000) GROUP BY k ORDER BY k LIMIT 1",
	"group strings":    "SELECT toString(cityHash64(number)) AS k, count() FROM numbers(4000000) GROUP BY k ORDER BY k LIMIT 1",
	"uniqExact":        "SELECT uniqExact(cityHash64(number)) FROM numbers(20000000)",
	"uniqExact text":   "SELECT uniqExact(toString(number)) FROM numbers(5000000)",
	"groupArray":       "SELECT length(groupArray(number)), length(groupUniqArray(number)) FROM numbers(5000000)",
	"sort":             "SELECT number FROM numbers(20000000) ORDER BY cityHash64(number) FORMAT Null",
	"sort text":        "SELECT toString(cityHash64(number)) AS s FROM numbers(4000000) ORDER BY s FORMAT Null",
	"distinct":         "SELECT DISTINCT cityHash64(number) FROM numbers(10000000) FORMAT Null",
	"set":              "SELECT count() FROM numbers(100) WHERE number IN (SELECT cityHash64(number) FROM numbers(10000000))",
	"join build":       "SELECT count() FROM numbers(10) AS a JOIN (SELECT cityHash64(number) AS number FROM numbers(8000000)) AS b ON a.number = b.number",
	"join probe":       "SELECT count() FROM numbers(100000000000) AS a JOIN numbers(1000) AS b ON a.number % 100000 = b.number",
	"join product":     "SELECT count() FROM numbers(10000000) AS a CROSS JOIN numbers(10000000) AS b WHERE a.number + b.number = 7",
	"intersect":        "SELECT count() FROM (SELECT cityHash64(number) FROM numbers(5000000) INTERSECT SELECT cityHash64(number) FROM numbers(5000000))",
	"array join":       "SELECT count() FROM (SELECT arrayJoin(range(1000)) AS x FROM numbers(1000000000)) WHERE cityHash64(x) = 7",
	"limit by":         "SELECT number FROM numbers(10000000) LIMIT 1 BY cityHash64(number) FORMAT Null",
	"one array":        "SELECT sum(arraySum(arrayMap(x -> cityHash64(x), range(1000)))) FROM numbers(100000000)",
	"scalar subquery":  "SELECT (SELECT max(cityHash64(number)) FROM numbers(100000000000))",
	"insert":           "INSERT INTO t SELECT number FROM numbers(100000000000)",
	"window":           "SELECT max(s) FROM (SELECT sum(number) OVER (PARTITION BY number % 1000 ORDER BY number) AS s FROM numbers(5000000))",
	"window one":       "SELECT max(s) FROM (SELECT sum(number) OVER (ORDER BY number ROWS BETWEEN 1000 PRECEDING AND 1000 FOLLOWING) AS s FROM numbers(5000000))",
	"fill":             "SELECT count() FROM (SELECT number FROM numbers(2) ORDER BY number WITH FILL TO 10000000000)",
	"grouping sets":    "SELECT count() FROM (SELECT number % 1000000, number % 3, count() FROM numbers(5000000) GROUP BY CUBE(1, 2))",
	"quantile":         "SELECT quantileExact(cityHash64(number)) FROM numbers(20000000)",
	"states":           "SELECT uniqExactMerge(s) FROM (SELECT uniqExactState(cityHash64(number)) AS s FROM numbers(5000000) GROUP BY number % 3)",
	"result of groups": "SELECT number % 1000000 AS k, groupArray(toString(number)) FROM numbers(5000000) GROUP BY k FORMAT Null",
	"external group":   "SELECT cityHash64(number) AS k, count() FROM numbers(5000000) GROUP BY k ORDER BY k LIMIT 1 SETTINGS max_bytes_before_external_group_by = 20000000",
}

// A query ends soon after it is cancelled, whatever it is doing, and leaves no goroutine and no memory behind.
func TestCancelStages(t *testing.T) {
	s := newTestSession(t, Config{})
	query(t, s, "CREATE TABLE t (x UInt64) ENGINE = Null")
	before := runtime.NumGoroutine()
	for name, text := range stages {
		for _, after := range []time.Duration{20 * time.Millisecond, 150 * time.Millisecond, 500 * time.Millisecond} {
			ctx, cancel := context.WithCancel(context.Background())
			ended := make(chan error, 1)
			go func() {
				ended <- s.Run(ctx, Request{SQL: text, Stage: StageComplete}, &recorder{onBlock: func(*column.Block) error { return nil }})
			}()
			var err error
			select {
			case err = <-ended: // faster than expected: nothing to cancel
				cancel()
				if err != nil {
					t.Errorf("%s: %v", name, err)
				}
				continue
			case <-time.After(after):
			}
			start := time.Now()
			cancel()
			select {
			case err = <-ended:
			case <-time.After(20 * time.Second):
				t.Fatalf("%s: cancelled after %v and still running 20 s later\n%s", name, after, stacks())
			}
			took := time.Since(start)
			t.Logf("%-18s cancelled after %v, ended %v later", name, after, took.Round(time.Millisecond))
			if took > cancelLimit {
				t.Errorf("%s: cancelled after %v, ended %v later", name, after, took.Round(time.Millisecond))
			}
			if err != nil && !errors.Is(err, context.Canceled) && errcode.Of(err) != errcode.QueryWasCancelled {
				t.Errorf("%s: want a cancelled query, got %v", name, err)
			}
		}
	}
	for deadline := time.Now().Add(5 * time.Second); runtime.NumGoroutine() > before; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d goroutines before, %d after\n%s", before, runtime.NumGoroutine(), stacks())
		}
	}
}

// stacks are the goroutines of this module.
func stacks() string {
	buf := make([]byte, 1<<20)
	buf = buf[:runtime.Stack(buf, true)]
	var own []string
	for _, g := range strings.Split(string(buf), "\n\n") {
		if strings.Contains(g, "dictsvc/") {
			own = append(own, g)
		}
	}
	return strings.Join(own, "\n\n")
}
