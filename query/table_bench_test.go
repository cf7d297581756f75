package query

import "testing"

// BenchmarkQ6 is TPC-H's sixth query over 2 million rows of a compressed table and of a plain one.
func BenchmarkQ6(b *testing.B) {
	for _, v := range []struct{ name, settings string }{{"plain", ""}, {"compressed", " SETTINGS compress = 1"}} {
		b.Run(v.name, func(b *testing.B) {
			s := newTestSession(b, Config{})
			query(b, s, "CREATE TABLE li (l_quantity Decimal(15,2), l_extendedprice Decimal(15,2), l_discount Decimal(15,2), l_shipdate Date) ENGINE = Memory"+v.settings)
			query(b, s, `INSERT INTO li SELECT toDecimal64(1 + intHash64(number) % 50, 2), toDecimal64((90000 + intHash64(number + 1) % 10000000) / 100, 2),
				toDecimal64(intHash64(number + 2) % 11, 2) / 100, toDate('1992-01-01') + intHash64(number + 3) % 2526 FROM numbers(2000000)`)
			b.ResetTimer()
			for range b.N {
				query(b, s, `SELECT sum(l_extendedprice * l_discount) AS revenue FROM li WHERE l_shipdate >= toDate('1994-01-01') AND
					l_shipdate < toDate('1995-01-01') AND l_discount BETWEEN 0.05 AND 0.07 AND l_quantity < 24 SETTINGS max_threads = 1`)
			}
		})
	}
}
