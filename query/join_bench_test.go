package query

import (
	"context"
	"fmt"
	"testing"
)

// BenchmarkJoin joins 5 million rows with 1 million; two thirds of the rows find a match.
func BenchmarkJoin(b *testing.B) {
	s := newTestSession(b, Config{})
	for _, sql := range []string{
		"CREATE TABLE big (k UInt64, v UInt32) ENGINE = Memory",
		"INSERT INTO big SELECT intHash64(number) % 1500000, number FROM numbers(5000000)",
		"CREATE TABLE small (k UInt64, w UInt32) ENGINE = Memory",
		"INSERT INTO small SELECT number, number * 3 FROM numbers(1000000)",
		"CREATE TABLE bigs (k String, v UInt32) ENGINE = Memory",
		"INSERT INTO bigs SELECT toString(k), v FROM big",
		"CREATE TABLE smalls (k String, w UInt32) ENGINE = Memory",
		"INSERT INTO smalls SELECT toString(k), w FROM small",
		"CREATE DICTIONARY d (k UInt64, w UInt32) PRIMARY KEY k SOURCE(CLICKHOUSE(TABLE 'small')) LAYOUT(HASHED()) LIFETIME(0)",
		"SYSTEM RELOAD DICTIONARY d",
	} {
		query(b, s, sql)
	}
	for _, bench := range []struct{ name, sql string }{
		{"inner", "SELECT count(), sum(v), sum(w) FROM big JOIN small ON big.k = small.k"},
		{"left", "SELECT count(), sum(v), sum(w) FROM big LEFT JOIN small ON big.k = small.k"},
		{"full", "SELECT count(), sum(v), sum(w) FROM big FULL JOIN small ON big.k = small.k"},
		{"large right side", "SELECT count(), sum(v), sum(w) FROM small JOIN big ON big.k = small.k"},
		{"strings", "SELECT count(), sum(v), sum(w) FROM bigs JOIN smalls ON bigs.k = smalls.k"},
		{"dictionary", "SELECT count(), sum(v), sum(w) FROM big JOIN d ON big.k = d.k"},
		{"mixed", "SELECT count(), sum(v), sum(w) FROM big JOIN small ON big.k = small.k AND big.v < small.w"},
		{"cross", "SELECT count(), sum(a.number * b.number) FROM numbers(5000) AS a CROSS JOIN numbers(20000) AS b"},
	} {
		for _, threads := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s/threads=%d", bench.name, threads), func(b *testing.B) {
				for b.Loop() {
					text := fmt.Sprintf("%s SETTINGS max_threads = %d", bench.sql, threads)
					if err := s.Run(context.Background(), Request{SQL: text, Stage: StageComplete}, discard{}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
