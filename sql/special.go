package sql

// specialCall is the parser of a function whose brackets have syntax of their own, by its name in lower case; nil for all others.
func specialCall(name string) func(*parser) Expr {
	switch name {
	case "cast":
		return parseCastCall
	case "extract":
		return parseExtract
	case "substring":
		return parseSubstring
	case "position":
		return parsePosition
	case "trim":
		return parseTrim
	case "ltrim":
		return func(p *parser) Expr { return renamedCall(p, "trimLeft") }
	case "rtrim":
		return func(p *parser) Expr { return renamedCall(p, "trimRight") }
	case "exists":
		return parseExists
	case "date_add", "dateadd", "timestamp_add", "timestampadd":
		return func(p *parser) Expr { return parseDateAdd(p, "plus") }
	case "date_sub", "datesub", "timestamp_sub", "timestampsub":
		return func(p *parser) Expr { return parseDateAdd(p, "minus") }
	case "date_diff", "datediff", "timestamp_diff", "timestampdiff":
		return parseDateDiff
	}
	return nil
}

// openCall consumes the name of a function and its opening bracket.
func (p *parser) openCall() (pos int) {
	pos = p.tok.pos
	p.skip(2)
	return pos
}

// closeCall consumes the closing bracket and makes the call.
func (p *parser) closeCall(pos int, name string, args ...Expr) Expr {
	p.expect(tokRRound, "ClosingRoundBracket")
	return operatorCall(pos, name, args...).asCall()
}

// renamedCall parses an ordinary call that goes by another name.
func renamedCall(p *parser, name string) Expr {
	pos := p.tok.pos
	p.advance()
	return p.parseCall(pos, name)
}

// parseCastCall parses CAST(expr AS Type) and CAST(expr, 'Type').
func parseCastCall(p *parser) Expr {
	pos := p.openCall()
	expr := p.parseExpr()
	if !p.isWord("AS") {
		p.parseAlias(expr, true)
	}
	if p.isWord("AS") {
		before := p.mark()
		p.advance()
		at := p.tok.pos
		var t *TypeExpr
		if p.try(func() bool { t = p.parseType(); return p.is(tokRRound) }) {
			p.advance()
			return operatorCall(pos, "CAST", expr, literalAt(at, StringOf(t.String())))
		}
		// The word behind AS is an alias of the expression.
		p.reset(before)
		if expr.Alias() != "" {
			p.unexpected("Comma")
		}
		p.parseAlias(expr, true)
		if p.acceptWord("AS") {
			at = p.tok.pos
			t = p.parseType()
			p.expect(tokRRound, "ClosingRoundBracket")
			return operatorCall(pos, "CAST", expr, literalAt(at, StringOf(t.String())))
		}
	}
	p.expect(tokComma, "Comma")
	return p.closeCall(pos, "CAST", expr, p.parseAliased(true))
}

// extractFunctions are what EXTRACT(part FROM x) calls.
var extractFunctions = map[string]string{
	"second": "toSecond", "minute": "toMinute", "hour": "toHour", "day": "toDayOfMonth", "week": "toISOWeek", "month": "toMonth",
	"quarter": "toQuarter", "year": "toYear", "epoch": "toUnixTimestamp", "dow": "toDayOfWeek", "isodow": "toDayOfWeek",
	"doy": "toDayOfYear", "isoyear": "toISOYear", "millisecond": "toMillisecond", "microsecond": "toMicrosecond", "nanosecond": "toNanosecond",
}

// parseExtract parses EXTRACT(YEAR FROM x), or the ordinary function of that name.
func parseExtract(p *parser) Expr {
	pos, word := p.tok.pos, p.peek()
	part := p.lexAfter(word)
	if part.kind != tokWord || !p.tokenIs(p.lexAfter(part), "FROM") {
		return renamedCall(p, "extract")
	}
	p.skip(2)
	unit := lowerText(p.text(p.tok))
	if u, ok := intervalUnits[unit]; ok {
		unit = lowerText(u)
	}
	p.skip(2)
	arg := p.parseExpr()
	switch unit {
	case "dow":
		return p.closeCall(pos, "toDayOfWeek", arg, literalAt(pos, UInt64Of(2)))
	case "century", "decade", "millennium":
		return p.extractEra(pos, unit, arg)
	}
	name, ok := extractFunctions[unit]
	if !ok {
		p.unexpected("part of a date")
		return p.bad()
	}
	return p.closeCall(pos, name, arg)
}

// extractEra closes EXTRACT(CENTURY|DECADE|MILLENNIUM FROM x), which is arithmetic on the year.
func (p *parser) extractEra(pos int, unit string, arg Expr) Expr {
	call := func(name string, args ...Expr) Expr { return operatorCall(pos, name, args...).asCall() }
	number := func(n uint64) Expr { return literalAt(pos, UInt64Of(n)) }
	year := p.closeCall(pos, "__toYearCalendarOnly", arg)
	if unit == "decade" {
		return call("intDiv", year, number(10))
	}
	years := uint64(100)
	if unit == "millennium" {
		years = 1000
	}
	return call("plus", call("intDiv", call("minus", year, number(1)), number(years)), number(1))
}

// parseSubstring parses SUBSTRING(s FROM a [FOR b]) and substring(s, a [, b]).
func parseSubstring(p *parser) Expr {
	pos := p.openCall()
	args := []Expr{p.parseAliased(true)}
	if !p.acceptWord("FROM") {
		p.expect(tokComma, "Comma")
	}
	args = append(args, p.parseAliased(false))
	if p.acceptWord("FOR") || p.accept(tokComma) {
		args = append(args, p.parseAliased(true))
	}
	return p.closeCall(pos, "substring", args...)
}

// parsePosition parses POSITION(needle IN haystack) and position(haystack, needle [, start]).
func parsePosition(p *parser) Expr {
	pos := p.openCall()
	if p.is(tokRRound) {
		return p.closeCall(pos, "position")
	}
	first := p.parseOperators(prioAny, "IN")
	if p.acceptWord("IN") {
		return p.closeCall(pos, "position", p.parseExpr(), first)
	}
	p.parseAlias(first, true)
	args := []Expr{first}
	for p.accept(tokComma) {
		args = append(args, p.parseAliased(true))
	}
	return p.closeCall(pos, "position", args...)
}

// parseTrim parses TRIM([BOTH|LEADING|TRAILING x FROM] s).
func parseTrim(p *parser) Expr {
	pos := p.openCall()
	for _, side := range [...]struct{ word, name string }{{"BOTH", "trimBoth"}, {"LEADING", "trimLeft"}, {"TRAILING", "trimRight"}} {
		if next := p.peek().kind; next != tokRRound && next != tokComma && p.acceptWord(side.word) {
			what := p.parseExpr()
			p.expectWord("FROM")
			return p.closeCall(pos, side.name, p.parseExpr(), what)
		}
	}
	if p.is(tokRRound) {
		return p.closeCall(pos, "trimBoth")
	}
	return p.closeCall(pos, "trimBoth", p.parseArgumentList(nil)...)
}

// parseExists parses EXISTS(query).
func parseExists(p *parser) Expr {
	pos := p.tok.pos
	p.advance()
	before := p.mark()
	at := p.tok.pos
	q := p.tryBracketedQuery()
	if q == nil && p.err == nil {
		p.reset(before)
		p.advance()
		if q = p.tryBracketedQuery(); q == nil {
			p.unexpected("SELECT query")
			return p.bad()
		}
		p.expect(tokRRound, "ClosingRoundBracket")
	}
	s := &Subquery{Query: q}
	s.Position = Position(at)
	return operatorCall(pos, "exists", s).asCall()
}

// parseDateAdd parses DATE_ADD(unit, n, date), DATE_ADD(date, INTERVAL n unit) and the like.
func parseDateAdd(p *parser, op string) Expr {
	pos := p.openCall()
	args := p.parseArgumentList(nil)
	switch len(args) {
	case 2:
		return p.closeCall(pos, op, args...)
	case 3:
		if unit, ok := unitOf(args[0]); ok {
			interval := operatorCall(args[1].Pos(), "toInterval"+unit, args[1]).asCall()
			return p.closeCall(pos, op, args[2], interval)
		}
	}
	p.unexpected("interval unit, number and date")
	return p.bad()
}

// parseDateDiff parses DATEDIFF(unit, a, b [, timezone]); the unit becomes a string.
func parseDateDiff(p *parser) Expr {
	pos := p.openCall()
	if p.is(tokRRound) {
		return p.closeCall(pos, "dateDiff")
	}
	args := p.parseArgumentList(nil)
	if p.err == nil {
		if unit, ok := unitOf(args[0]); ok {
			args[0] = literalAt(args[0].Pos(), StringOf(lowerText(unit)))
		}
	}
	return p.closeCall(pos, "dateDiff", args...)
}

// unitOf is the interval unit that a plain name stands for.
func unitOf(e Expr) (string, bool) {
	id, ok := e.(*Ident)
	if !ok || len(id.Parts) != 1 || id.As != "" {
		return "", false
	}
	unit, ok := intervalUnits[lowerText(id.Parts[0])]
	return unit, ok
}
