package sql

import (
	"math"
	"strconv"
	"strings"
)

// numberValue is the value of a number's text, with a minus sign in front of it or not. ok is false where a
// floating point number is out of range, as ClickHouse refuses it.
func numberValue(s string, negative bool) (v Value, ok bool) {
	if n, ok := smallInteger(s); ok {
		return integerValue(n, negative), true
	}
	if strings.IndexByte(s, '_') >= 0 {
		s = strings.ReplaceAll(s, "_", "")
	}
	base, digits := 10, s
	if len(s) > 2 && s[0] == '0' {
		switch lower(s[1]) {
		case 'x':
			base, digits = 16, s[2:]
		case 'b':
			base, digits = 2, s[2:]
		}
	}
	if n, err := strconv.ParseUint(digits, base, 64); err == nil {
		return integerValue(n, negative), true
	}
	if base == 16 && !strings.ContainsAny(s, "pP") {
		s += "p0"
	}
	if base == 2 {
		return Value{}, false
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return Value{}, false
	}
	switch {
	case f != f:
		f = nan() // with a sign or not
	case negative:
		f = -f
	}
	return Float64Of(f), true
}

// nan is ClickHouse's, to the bit.
func nan() float64 { return math.Float64frombits(0x7FF8_0000_0000_0000) }

// smallInteger is the fast path: plain digits that cannot overflow.
func smallInteger(s string) (uint64, bool) {
	if len(s) > 19 {
		return 0, false
	}
	n := uint64(0)
	for i := 0; i < len(s); i++ {
		if !isDigit(s[i]) {
			return 0, false
		}
		n = n*10 + uint64(s[i]-'0')
	}
	return n, true
}

// integerValue is a UInt64, an Int64 if there is a minus sign, a Float64 if that does not fit.
func integerValue(n uint64, negative bool) Value {
	switch {
	case !negative || n == 0:
		return UInt64Of(n)
	case n <= 1<<63:
		return Int64Of(-int64(n-1) - 1)
	}
	return Float64Of(-float64(n))
}

// formatFloat writes a Float64 as ClickHouse's queries do: a whole number keeps its point ("1.").
func formatFloat(f float64) string {
	s := floatText(f)
	if !math.IsInf(f, 0) && !math.IsNaN(f) && !strings.ContainsAny(s, ".e") {
		s += "."
	}
	return s
}

// floatText writes a Float64 in the shortest form that reads back the same, with an exponent outside of [1e-6, 1e21).
func floatText(f float64) string {
	switch {
	case math.IsNaN(f):
		return "nan"
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	}
	if abs := math.Abs(f); abs == 0 || abs >= 1e-6 && abs < 1e21 {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	s := strconv.FormatFloat(f, 'e', -1, 64)
	mantissa, exponent, _ := strings.Cut(s, "e")
	sign := ""
	if exponent[0] == '-' {
		sign = "-"
	}
	return mantissa + "e" + sign + strings.TrimLeft(exponent[1:], "0")
}
