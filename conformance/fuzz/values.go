package fuzz

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// columnType is the type of a table's column: its name, its class and how values are written in VALUES.
type columnType struct {
	name  string
	class *class
	null  bool
	value func(r *rand.Rand) string
}

func pick[T any](r *rand.Rand, all ...T) T { return all[r.IntN(len(all))] }

// chance is true once in n.
func chance(r *rand.Rand, n int) bool { return r.IntN(n) == 0 }

var edges = map[string][]string{
	"UInt8": {"255", "128"}, "UInt16": {"65535", "256"}, "UInt32": {"4294967295", "65536"}, "UInt64": {"18446744073709551615", "9223372036854775808"},
	"Int8": {"-128", "127"}, "Int16": {"-32768", "32767"}, "Int32": {"-2147483648", "2147483647"}, "Int64": {"-9223372036854775808", "9223372036854775807"},
	"Int128":  {"-170141183460469231731687303715884105728", "170141183460469231731687303715884105727"},
	"UInt128": {"340282366920938463463374607431768211455"},
	"Int256":  {"-57896044618658097711785492504343953926634992332820282019728792003956564819968"},
	"UInt256": {"115792089237316195423570985008687907853269984665640564039457584007913129639935"},
}

func integerType(name string) columnType {
	kind := byte('i')
	if name == "UInt64" || strings.HasSuffix(name, "128") || strings.HasSuffix(name, "256") {
		kind = 'w'
	}
	return columnType{name: name, class: of(kind), value: func(r *rand.Rand) string {
		switch {
		case chance(r, 8):
			return pick(r, edges[name]...)
		case name[0] == 'I' && chance(r, 3):
			return fmt.Sprint(-r.IntN(12))
		case chance(r, 6):
			return fmt.Sprint(r.IntN(128))
		}
		return fmt.Sprint(r.IntN(8))
	}}
}

func floatType(name string) columnType {
	return columnType{name: name, class: of('f'), value: func(r *rand.Rand) string {
		if chance(r, 25) {
			return pick(r, "nan", "inf", "-inf")
		}
		if chance(r, 4) {
			return "0"
		}
		return fmt.Sprintf("%g", float64(r.IntN(200)-100)/4+0.25)
	}}
}

func decimalType(name string, scale int) columnType {
	return columnType{name: name, class: of('c'), value: func(r *rand.Rand) string {
		if chance(r, 6) {
			return "0"
		}
		return fmt.Sprintf("%.*f", min(scale, 2), float64(r.IntN(2000)-1000)/100)
	}}
}

func quotedType(name string, kind byte, values ...string) columnType {
	return columnType{name: name, class: of(kind), value: func(r *rand.Rand) string { return "'" + pick(r, values...) + "'" }}
}

var (
	someStrings = []string{"", "a", "b", "abc", "aB,c", "a_c", "12", "-7", "007", "-3.5", " a b ", "ünï", "日本", "x,y,,z", "zz%z", "ab ab", "{\"a\": 1, \"b\": [2, 3]}",
		"2021-03-04", "2021-03-04 05:06:07", "1.2.3.4", "::1", "61f0c404-5cb3-11e7-907b-a6006ad3dba0", "NULL", "\\\\", "tab\\there", "nul\\0byte", "\\'", "\\xff\\xfe"}
	someDates     = []string{"1970-01-01", "1970-01-02", "2000-02-29", "2020-12-31", "2021-01-01", "2021-03-04", "2105-12-31"}
	someOldDates  = []string{"1900-01-01", "1969-12-31", "1970-01-01", "2020-02-29", "2021-03-04", "2299-12-31"}
	someTimes     = []string{"1970-01-01 00:00:00", "1970-01-01 00:00:01", "2020-02-29 23:59:59", "2021-03-04 05:06:07", "2021-03-28 01:59:59", "2106-02-07 06:28:15"}
	someFineTimes = []string{"1960-05-06 07:08:09.123456", "1970-01-01 00:00:00.000", "2021-03-04 05:06:07.891", "2021-03-04 05:06:07.1", "2200-01-01 00:00:00.5"}
	someUUIDs     = []string{"00000000-0000-0000-0000-000000000000", "61f0c404-5cb3-11e7-907b-a6006ad3dba0", "ffffffff-ffff-ffff-ffff-ffffffffffff"}
	someIPv4      = []string{"0.0.0.0", "1.2.3.4", "127.0.0.1", "255.255.255.255"}
	someIPv6      = []string{"::", "::1", "2001:db8::ff00:42:8329", "::ffff:1.2.3.4"}
)

// scalarType is a random type of single values.
func scalarType(r *rand.Rand) columnType {
	switch r.IntN(30) {
	case 0, 1, 2, 3, 4, 5, 6, 7:
		return integerType(pick(r, "UInt8", "UInt16", "UInt32", "UInt64", "Int8", "Int16", "Int32", "Int64", "UInt8", "UInt64", "Int32", "Int128", "UInt128", "Int256", "UInt256"))
	case 8, 9:
		return floatType(pick(r, "Float64", "Float32"))
	case 10, 11:
		scale := pick(r, 0, 2, 4)
		return decimalType(fmt.Sprintf("Decimal(%d, %d)", pick(r, 9, 18, 38, 76), scale), scale)
	case 12, 13, 14, 15:
		return quotedType("String", 's', someStrings...)
	case 16:
		return quotedType("FixedString(4)", 's', "", "a", "abc", "abcd", "12", "ün")
	case 17, 18:
		return quotedType("LowCardinality(String)", 's', "", "a", "b", "abc", "12", "aB,c")
	case 19:
		return quotedType("Date", 'd', someDates...)
	case 20:
		return quotedType("Date32", 'd', someOldDates...)
	case 21, 22:
		return quotedType(pick(r, "DateTime", "DateTime", "DateTime('Europe/Berlin')"), 't', someTimes...)
	case 23:
		return quotedType(pick(r, "DateTime64(3)", "DateTime64(6, 'UTC')", "DateTime64(0)", "DateTime64(3, 'Asia/Tokyo')"), 'T', someFineTimes...)
	case 24:
		return quotedType("Enum8('a' = 1, 'b' = -2, 'abc' = 3)", 'e', "a", "b", "abc")
	case 25:
		return quotedType("UUID", 'u', someUUIDs...)
	case 26:
		return quotedType("IPv4", 'p', someIPv4...)
	case 27:
		return quotedType("IPv6", 'q', someIPv6...)
	case 28:
		return columnType{name: "LowCardinality(UInt16)", class: of('i'), value: integerType("UInt16").value}
	}
	return columnType{name: "Bool", class: of('b'), value: func(r *rand.Rand) string { return pick(r, "true", "false") }}
}

// nullable lets a scalar type have NULLs.
func nullable(t columnType) columnType {
	value := t.value
	t.null = true
	if inner, ok := strings.CutPrefix(t.name, "LowCardinality("); ok {
		t.name = "LowCardinality(Nullable(" + strings.TrimSuffix(inner, ")") + "))"
	} else {
		t.name = "Nullable(" + t.name + ")"
	}
	t.value = func(r *rand.Rand) string {
		if chance(r, 4) {
			return "NULL"
		}
		return value(r)
	}
	return t
}

// randomType is the type of a column.
func randomType(r *rand.Rand, deep int) columnType {
	if deep > 0 {
		switch r.IntN(10) {
		case 0, 1:
			e := randomType(r, deep-1)
			return columnType{name: "Array(" + e.name + ")", class: of('[', e.class), value: func(r *rand.Rand) string {
				values := make([]string, r.IntN(4))
				for i := range values {
					values[i] = e.value(r)
				}
				return "[" + strings.Join(values, ", ") + "]"
			}}
		case 2:
			a, b := randomType(r, deep-1), randomType(r, deep-1)
			name := fmt.Sprintf("Tuple(%s, %s)", a.name, b.name)
			if chance(r, 2) {
				name = fmt.Sprintf("Tuple(p %s, q %s)", a.name, b.name)
			}
			return columnType{name: name, class: of('(', a.class, b.class), value: func(r *rand.Rand) string {
				return "(" + a.value(r) + ", " + b.value(r) + ")"
			}}
		case 3:
			k, v := integerType("UInt8"), randomType(r, deep-1)
			if chance(r, 2) {
				k = quotedType("String", 's', someStrings[:8]...)
			}
			return columnType{name: fmt.Sprintf("Map(%s, %s)", k.name, v.name), class: of('{', k.class, v.class), value: func(r *rand.Rand) string {
				pairs, seen := []string{}, map[string]bool{}
				for range r.IntN(3) {
					if key := k.value(r); !seen[key] {
						seen[key] = true
						pairs = append(pairs, key+": "+v.value(r))
					}
				}
				return "{" + strings.Join(pairs, ", ") + "}"
			}}
		}
	}
	t := scalarType(r)
	if chance(r, 3) && !strings.HasPrefix(t.name, "FixedString") {
		return nullable(t)
	}
	return t
}

// literal is a constant of a class.
func literal(r *rand.Rand, c *class) string {
	quote := func(all []string) string { return "'" + pick(r, all...) + "'" }
	switch c.kind {
	case 'i':
		switch r.IntN(6) {
		case 0:
			return pick(r, "255", "256", "-1", "-128", "65535", "2147483648", "-2147483649", "100", "12")
		case 1:
			return fmt.Sprintf("%s(%d)", pick(r, "toUInt8", "toInt64", "toInt16", "toUInt32"), r.IntN(10))
		}
		return fmt.Sprint(r.IntN(9))
	case 'w':
		return pick(r, "toUInt64(3)", "toUInt64(18446744073709551615)", "toUInt256(7)", "toUInt128(0)")
	case 'f', 'g':
		return pick(r, "0.5", "1.25", "-2.75", "3.", "toFloat32(0.25)", "1e3", "toFloat64(7)")
	case 'c':
		return pick(r, "toDecimal32('1.23', 2)", "toDecimal64('-4.5', 3)", "toDecimal128(7, 1)", "0.75::Decimal(9, 4)", "toDecimal256('12.5', 5)", "toDecimal32(0, 2)")
	case 's':
		if chance(r, 8) {
			return pick(r, "toFixedString('abc', 5)", "toLowCardinality('abc')", "toString(12)")
		}
		return quote(someStrings)
	case 'd':
		return pick(r, "toDate("+quote(someDates)+")", "toDate32("+quote(someOldDates)+")")
	case 't':
		return fmt.Sprintf(pick(r, "toDateTime(%s)"), quote(someTimes))
	case 'T':
		return fmt.Sprintf("toDateTime64(%s, %d)", quote(someFineTimes), r.IntN(7))
	case 'b':
		return pick(r, "true", "false", "1", "0", "toBool(1)")
	case 'e':
		return pick(r, "CAST('a' AS Enum8('a' = 1, 'b' = -2, 'abc' = 3))", "CAST('b', 'Enum8(\\'a\\' = 1, \\'b\\' = -2, \\'abc\\' = 3)')")
	case 'u':
		return "toUUID(" + quote(someUUIDs) + ")"
	case 'p':
		return "toIPv4(" + quote(someIPv4) + ")"
	case 'q':
		return "toIPv6(" + quote(someIPv6) + ")"
	case '[':
		values := make([]string, r.IntN(3)+1)
		for i := range values {
			values[i] = literal(r, c.elems[0])
		}
		return "[" + strings.Join(values, ", ") + "]"
	case '(':
		return "(" + literal(r, c.elems[0]) + ", " + literal(r, c.elems[1]) + ")"
	case '{':
		return "map(" + literal(r, c.elems[0]) + ", " + literal(r, c.elems[1]) + ")"
	}
	panic("literal of " + c.String())
}
