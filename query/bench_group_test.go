package query

import (
	"context"
	"syscall"
	"testing"
	"time"
)

const groupRows = 4_000_000

var groupSetup = []string{
	"CREATE TABLE t (g UInt8, u UInt64, s String, v UInt32) ENGINE = Memory",
	"INSERT INTO t SELECT toUInt8(cityHash64(number, 1) % 97), intHash64(number) % 1000000, concat('user-', toString(intHash64(number + 7) % 200000)), toUInt32(cityHash64(number)) FROM numbers(4000000)",
}

// processorTime is what the process has used of all processors.
func processorTime() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkGroups tells the processors' time a row, which other load of the machine changes less than the time of the clock.
func BenchmarkGroups(b *testing.B) {
	s := newTestSession(b, Config{})
	for _, text := range groupSetup {
		query(b, s, text)
	}
	for _, c := range []struct{ name, text string }{
		{"97", "SELECT g, count(), sum(v), avg(v) FROM t GROUP BY g"},
		{"97wide", "SELECT toUInt64(g) AS k, count(), sum(v) FROM t GROUP BY k"},
		{"numbers", "SELECT u, count() AS c FROM t GROUP BY u ORDER BY c DESC, u LIMIT 10"},
		{"strings", "SELECT s, count() AS c FROM t GROUP BY s ORDER BY c DESC, s LIMIT 10"},
		{"two", "SELECT g, v % 1000 AS k, sum(v) FROM t GROUP BY g, k ORDER BY g, k LIMIT 10"},
		{"numberAndString", "SELECT g % 4 AS k, s, count() AS c FROM t GROUP BY k, s ORDER BY c DESC, k, s LIMIT 10"},
		{"uniqExactNumbers", "SELECT uniqExact(u) FROM t"},
		{"uniqExactStrings", "SELECT uniqExact(s) FROM t"},
		{"uniqExact97", "SELECT g, uniqExact(u) FROM t GROUP BY g"},
		{"distinct", "SELECT count() FROM (SELECT DISTINCT u FROM t)"},
	} {
		b.Run(c.name, func(b *testing.B) {
			begin := processorTime()
			for b.Loop() {
				if err := s.Run(context.Background(), Request{SQL: c.text, Stage: StageComplete}, discard{}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(processorTime()-begin)/float64(b.N)/groupRows, "cpu-ns/row")
		})
	}
}
