package server

import (
	"fmt"
	"strings"
	"testing"

	"dictsvc/internal/peers"
)

// valuesOf are types with two expressions of them over number, 0 to 9.
var valuesOf = [][2]string{
	{"Bool", "number % 2 = 1"}, {"Int8", "toInt8(number) - 5"}, {"UInt16", "65535 - number"}, {"Int32", "-number * 1000000"}, {"UInt64", "18446744073709551615 - number"},
	{"Int64", "-9223372036854775807 + number"}, {"Int128", "toInt128('-170141183460469231731687303715884105728') + number"}, {"UInt128", "pow(2, 100) + number"},
	{"UInt256", "toUInt256('115792089237316195423570985008687907853269984665640564039457584007913129639935') - number"}, {"Int256", "-toInt256(number)"},
	{"Float32", "if(number = 0, nan, if(number = 1, -inf, number / 3))"}, {"Float64", "if(number = 0, -0., number / 7)"},
	{"Decimal(9, 2)", "toDecimal32(number, 2) / 3"}, {"Decimal(18, 6)", "-toDecimal64(number, 6)"}, {"Decimal(38, 10)", "toDecimal128(number, 10)"}, {"Decimal(76, 20)", "toDecimal256(number, 20)"},
	{"String", "concat('a\\0\\'\\\\\\né', toString(number))"}, {"FixedString(5)", "toFixedString(substring('hello', 1, number % 6), 5)"},
	{"Date", "toDate(number * 5000)"}, {"Date32", "toDate32('1900-01-01') + number * 10000"}, {"DateTime('UTC')", "toDateTime(number * 400000000, 'UTC')"},
	{"DateTime64(6, 'Asia/Tokyo')", "toDateTime64('1969-12-31 23:59:59.123456', 6, 'UTC') + number"},
	{"UUID", "toUUID(concat('00112233-4455-6677-8899-aabbccddee0', toString(number)))"}, {"IPv4", "toIPv4(concat('1.2.3.', toString(number)))"}, {"IPv6", "toIPv6(concat('fe80::', toString(number)))"},
	{"Enum8('a' = -1, 'b' = 0, 'c' = 7)", "['a', 'b', 'c'][number % 3 + 1]"}, {"Enum16('x' = 300, 'y' = -300)", "['x', 'y'][number % 2 + 1]"},
	{"Nullable(UInt32)", "if(number % 3 = 0, NULL, number)"}, {"Nullable(String)", "if(number % 3 = 0, NULL, toString(number))"}, {"Nullable(Decimal(9, 3))", "if(number % 2 = 0, NULL, toDecimal32(number, 3))"},
	{"LowCardinality(String)", "concat('lc', toString(number % 3))"}, {"LowCardinality(Nullable(String))", "if(number % 4 = 0, NULL, toString(number % 3))"},
	{"Array(UInt8)", "range(number)"}, {"Array(Array(Nullable(String)))", "[[NULL, toString(number)], []]"}, {"Array(LowCardinality(String))", "arrayMap(x -> toString(x % 2), range(number))"},
	{"Tuple(UInt8, String)", "(number, toString(number))"}, {"Tuple(a Int8, b Array(Float32))", "(-number, [number, 0.5])"},
	{"Map(String, UInt64)", "map('k', number, toString(number), 1)"}, {"Map(UInt8, Array(String))", "map(number, [toString(number)])"},
}

// Values of every type go from ClickHouse 26.7 into a table here, into a dictionary where its types allow, and back, and are the same.
func TestTypesThere(t *testing.T) {
	_, addr := recordingServer(t)
	var cols, names, values, attrs []string
	for i, v := range valuesOf {
		name := fmt.Sprint("c", i)
		names = append(names, name)
		cols = append(cols, name+" "+v[0])
		values = append(values, fmt.Sprintf("CAST(%s, '%s') AS %s", v[1], strings.ReplaceAll(v[0], "'", "\\'"), name))
		if !strings.HasPrefix(v[0], "Fixed") && !strings.HasPrefix(v[0], "Enum") && !strings.HasPrefix(v[0], "LowCard") && !strings.HasPrefix(v[0], "Tuple") && !strings.HasPrefix(v[0], "Map") && !strings.HasPrefix(v[0], "Array(Low") {
			attrs = append(attrs, name+" "+v[0])
		}
	}
	table := "remote('" + addr + "', default.types)"
	run(t, addr, "CREATE TABLE types (id UInt64, "+strings.Join(cols, ", ")+") ENGINE = Memory")
	var kept []string
	for _, a := range attrs {
		kept = append(kept, a[:strings.Index(a, " ")])
	}
	list := strings.Join(kept, ", ")
	source := "SELECT number AS id, " + strings.Join(values, ", ") + " FROM numbers(10)"
	a := peers.ClickHouse(t, "TSV", "INSERT INTO FUNCTION "+table+" "+source, source+" ORDER BY id", "SELECT * FROM "+table+" ORDER BY id",
		"SELECT id, "+strings.Join(names, ", ")+" FROM (SELECT * FROM "+table+" WHERE id >= 0) ORDER BY id",
		"SELECT id, "+list+" FROM ("+source+") ORDER BY id")
	for _, x := range a {
		if x.Error != "" {
			t.Fatalf("%.300s: %s", x.SQL, x.Error)
		}
	}
	compare := func(what, want, got string) {
		t.Helper()
		w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
		if len(w) != len(g) {
			t.Errorf("%s: want %d lines, got %d", what, len(w), len(g))
			return
		}
		for i := range w {
			wc, gc := strings.Split(w[i], "\t"), strings.Split(g[i], "\t")
			for k := range wc {
				if k >= len(gc) || wc[k] != gc[k] {
					t.Errorf("%s, line %d, column %d: want %q, got %q", what, i, k, wc[k], append(gc, "")[min(k, len(gc))])
				}
			}
		}
	}
	compare("table", a[1].Out, a[2].Out)
	compare("subquery", a[1].Out, a[3].Out)
	compare("this server's own text", a[1].Out, run(t, addr, "SELECT * FROM types ORDER BY id"))
	for _, layout := range []string{"HASHED()", "SPARSE_HASHED()"} {
		run(t, addr, "CREATE OR REPLACE DICTIONARY typed (id UInt64, "+strings.Join(attrs, ", ")+") PRIMARY KEY id SOURCE(CLICKHOUSE(TABLE 'types')) LAYOUT("+layout+") LIFETIME(0)")
		back := peers.ClickHouse(t, "TSV", "SELECT id, "+list+" FROM remote('"+addr+"', default.typed) ORDER BY id")
		compare("dictionary "+layout, a[4].Out, back[0].Out)
	}
}
