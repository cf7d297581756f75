package sql

import (
	"strconv"
	"strings"
)

// intervalUnits are the units of INTERVAL by what may be written, in lower case.
var intervalUnits = map[string]string{
	"nanosecond": "Nanosecond", "nanoseconds": "Nanosecond", "sql_tsi_nanosecond": "Nanosecond", "ns": "Nanosecond",
	"microsecond": "Microsecond", "microseconds": "Microsecond", "sql_tsi_microsecond": "Microsecond",
	"millisecond": "Millisecond", "milliseconds": "Millisecond", "sql_tsi_millisecond": "Millisecond", "ms": "Millisecond",
	"second": "Second", "seconds": "Second", "sql_tsi_second": "Second", "ss": "Second", "s": "Second",
	"minute": "Minute", "minutes": "Minute", "sql_tsi_minute": "Minute", "mi": "Minute", "n": "Minute",
	"hour": "Hour", "hours": "Hour", "sql_tsi_hour": "Hour", "hh": "Hour", "h": "Hour",
	"day": "Day", "days": "Day", "sql_tsi_day": "Day", "dd": "Day", "d": "Day",
	"week": "Week", "weeks": "Week", "sql_tsi_week": "Week", "wk": "Week", "ww": "Week",
	"month": "Month", "months": "Month", "sql_tsi_month": "Month", "mm": "Month", "m": "Month",
	"quarter": "Quarter", "quarters": "Quarter", "sql_tsi_quarter": "Quarter", "qq": "Quarter", "q": "Quarter",
	"year": "Year", "years": "Year", "sql_tsi_year": "Year", "yyyy": "Year", "yy": "Year",
}

// parseInterval parses INTERVAL expr UNIT and INTERVAL '1 day 2 hours'; nil where the word is just a name.
func (p *parser) parseInterval() Expr {
	pos := p.tok.pos
	if p.failedBefore(pos) {
		return nil
	}
	var result Expr
	if p.try(func() bool {
		p.advance()
		if p.is(tokString) {
			text, _ := unquote(p.text(p.tok))
			if units := intervalText(pos, text); units != nil {
				if _, ok := intervalUnits[lowerText(p.text(p.peek()))]; !ok {
					p.advance()
					result = units
					return true
				}
			}
		}
		if k := p.tok.kind; k == tokEnd || k == tokComma || k == tokRRound || k == tokDot {
			return false
		}
		expr := p.parseExpr()
		if p.err != nil || !p.is(tokWord) {
			return false
		}
		unit, ok := intervalUnits[lowerText(p.text(p.tok))]
		if !ok {
			return false
		}
		p.advance()
		result = operatorCall(pos, "toInterval"+unit, expr).asCall()
		return true
	}) {
		return result
	}
	p.markFailed(pos)
	return nil
}

// intervalText makes the interval of a text such as '1 day 2 hours': one call, or a tuple of them; nil for any other text.
func intervalText(pos int, text string) Expr {
	fields := strings.Fields(text)
	if len(fields) < 2 || len(fields)%2 != 0 {
		return nil
	}
	var parts []Expr
	for i := 0; i < len(fields); i += 2 {
		unit, ok := intervalUnits[lowerText(fields[i+1])]
		if !ok {
			return nil
		}
		var v Value
		if n, err := strconv.ParseInt(fields[i], 10, 64); err != nil {
			return nil
		} else if n < 0 {
			v = Int64Of(n)
		} else {
			v = UInt64Of(uint64(n))
		}
		parts = append(parts, operatorCall(pos, "toInterval"+unit, literalAt(pos, v)).asCall())
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return operatorCall(pos, "tuple", parts...)
}

// parseCase parses CASE; nil where the word is just a name.
func (p *parser) parseCase() Expr {
	pos := p.tok.pos
	if p.failedBefore(pos) {
		return nil
	}
	var result Expr
	if p.try(func() bool {
		p.advance()
		name := "multiIf"
		var args []Expr
		if !p.isWord("WHEN") {
			name = "caseWithExpression"
			args = append(args, p.parseExpr())
		}
		for p.acceptWord("WHEN") {
			args = append(args, p.parseAliased(false))
			if !p.expectWord("THEN") {
				return false
			}
			args = append(args, p.parseAliased(false))
		}
		if len(args) == 0 {
			return false
		}
		if p.acceptWord("ELSE") {
			args = append(args, p.parseAliased(false))
		} else {
			args = append(args, literalAt(p.tok.pos, Null()))
		}
		if !p.expectWord("END") {
			return false
		}
		result = operatorCall(pos, name, args...).asCall()
		return true
	}) {
		return result
	}
	p.markFailed(pos)
	return nil
}

// try runs parse, and goes back to where it began if that returns false or fails with a syntax error. The error that
// lies furthest in the text is kept, for it is what the reader wants to hear of when the other reading fails too.
func (p *parser) try(parse func() bool) bool {
	if p.err != nil {
		return false
	}
	before, depth := p.mark(), p.depth
	if parse() && p.err == nil {
		return true
	}
	if p.err != nil && isFatal(p.err) {
		return false
	}
	if p.err != nil && (p.far == nil || p.errPos >= p.farPos) {
		p.far, p.farPos = p.err, p.errPos
	}
	p.err, p.depth = nil, depth
	p.reset(before)
	return false
}

// failedBefore says whether the special reading of the word at pos has been tried in vain; it keeps nested tries from
// doubling the work at each level.
func (p *parser) failedBefore(pos int) bool {
	_, ok := p.failed[pos]
	return ok
}

func (p *parser) markFailed(pos int) {
	if p.failed == nil {
		p.failed = map[int]struct{}{}
	}
	p.failed[pos] = struct{}{}
}
