package query

import (
	"context"
	"testing"
)

// bench runs one statement b.N times, its result thrown away.
func bench(b *testing.B, setup []string, text string) {
	s := newTestSession(b, Config{})
	for _, t := range setup {
		query(b, s, t)
	}
	b.ReportAllocs()
	for b.Loop() {
		if err := s.Run(context.Background(), Request{SQL: text, Stage: StageComplete}, discard{}); err != nil {
			b.Fatal(err)
		}
	}
}

var dictSetup = []string{
	"CREATE TABLE src (id UInt64, name String, seg UInt16) ENGINE = Memory",
	"INSERT INTO src SELECT number, concat('user-', toString(number)), number % 1000 FROM numbers(100000)",
	"CREATE DICTIONARY d (id UInt64, name String, seg UInt16) PRIMARY KEY id SOURCE(CLICKHOUSE(TABLE 'src')) LAYOUT(HASHED()) LIFETIME(0)",
	"SYSTEM RELOAD DICTIONARY d",
}

func BenchmarkSelectOne(b *testing.B) { bench(b, nil, "SELECT 1") }
func BenchmarkPointQuery(b *testing.B) {
	bench(b, dictSetup, "SELECT dictGet('d', 'name', toUInt64(1))")
}
func BenchmarkPointLookup(b *testing.B) { bench(b, dictSetup, "SELECT name FROM d WHERE id = 7") }
func BenchmarkDictGetMillion(b *testing.B) {
	bench(b, dictSetup, "SELECT sum(dictGet('d', 'seg', number % 100000)) FROM numbers(1000000)")
}
func BenchmarkGroupBy(b *testing.B) {
	bench(b, nil, "SELECT number % 1000 AS k, count(), sum(number) FROM numbers(1000000) GROUP BY k FORMAT Null")
}
func BenchmarkGroupByMany(b *testing.B) {
	bench(b, nil, "SELECT number AS k, count() FROM numbers(1000000) GROUP BY k FORMAT Null")
}
func BenchmarkSort(b *testing.B) {
	bench(b, nil, "SELECT number FROM numbers(1000000) ORDER BY intHash64(number) LIMIT 10")
}
func BenchmarkFilter(b *testing.B) {
	bench(b, nil, "SELECT count() FROM numbers(10000000) WHERE number % 3 = 0")
}
