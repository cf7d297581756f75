package format

import (
	"math"
	"strconv"

	"dictsvc/column"
)

// numeric tells whether values of a type stand to the right in tables.
func numeric(t *column.Type) bool {
	t = t.Base()
	return t.IsNumber() && t.Kind != column.Bool || t.IsDateOrTime() || t.Kind == column.Interval
}

// number reads row i of a column as a float; ok is false for NULL and for what is no number.
func number(c column.Column, i int) (f float64, ok bool) {
	switch x := c.(type) {
	case *column.Const:
		return number(x.Val, 0)
	case *column.LowCard:
		return number(x.Dict, int(x.Index[i]))
	case *column.Null:
		if x.Nulls[i] != 0 {
			return 0, false
		}
		return number(x.Inner, i)
	}
	if t := c.Type(); !t.IsNumber() || t.Kind == column.Bool {
		return 0, false
	}
	f, err := strconv.ParseFloat(string(column.AppendText(nil, c, i, column.TextRaw)), 64)
	return f, err == nil
}

var quantities = [...]string{"", " thousand", " million", " billion", " trillion", " quadrillion", " quintillion", " sextillion", " septillion", " octillion", " nonillion", " decillion",
	" undecillion", " duodecillion", " tredecillion", " quattuordecillion", " quindecillion", " sexdecillion", " septendecillion", " octodecillion", " novemdecillion", " vigintillion"}

// appendTip appends the remark " -- 1.23 million" behind a large number.
func appendTip(buf []byte, c column.Column, i int, p *Pretty) []byte {
	if p.TipFrom == 0 {
		return buf
	}
	f, ok := number(c, i)
	if !ok || math.IsNaN(f) || math.IsInf(f, 0) || math.Abs(f) <= float64(p.TipFrom) {
		return buf
	}
	if a := math.Abs(f); a > 1e17 && a <= 1<<64 { // rather a hash or nanoseconds than a quantity
		return buf
	}
	step := 0
	for math.Abs(f) >= 1000 && step+1 < len(quantities) {
		f /= 1000
		step++
	}
	if p.Color {
		buf = append(buf, gray...)
	}
	buf = append(buf, " -- "...)
	buf = strconv.AppendFloat(buf, f, 'f', 2, 64)
	buf = append(buf, quantities[step]...)
	if p.Color {
		buf = append(buf, plain...)
	}
	return buf
}

// Terminal sequences.
const (
	bold      = "\x1b[1m"
	gray      = "\x1b[90m"
	underline = "\x1b[4m"
	red       = "\x1b[31m"
	plain     = "\x1b[0m"
)

// appendGroups appends a number with every third digit of its whole part underlined, from five digits on.
func appendGroups(buf, s []byte) []byte {
	from := 0
	if len(s) > 0 && s[0] == '-' {
		from = 1
	}
	to := from
	for to < len(s) && s[to] >= '0' && s[to] <= '9' {
		to++
	}
	if to-from < 5 {
		return append(buf, s...)
	}
	buf = append(buf, s[:from]...)
	for i := from; i < to; i++ {
		if right := to - 1 - i; right > 0 && right%3 == 0 {
			buf = append(append(append(buf, underline...), s[i]), plain...)
		} else {
			buf = append(buf, s[i])
		}
	}
	return append(buf, s[to:]...)
}

// appendColored appends a cell's text as a terminal shows it: digit groups underlined, trailing spaces marked.
func appendColored(buf, s []byte, isNumber bool, p *Pretty) []byte {
	if !p.Color {
		return append(buf, s...)
	}
	if isNumber && p.DigitGroups {
		return appendGroups(buf, s)
	}
	end := len(s)
	for end > 0 && (s[end-1] == ' ' || s[end-1] == '\n' || s[end-1] == '\t' || s[end-1] == '\r') {
		end--
	}
	buf = append(buf, s[:end]...)
	if end < len(s) {
		buf = append(append(append(append(buf, red...), underline...), s[end:]...), plain...)
	}
	return buf
}
