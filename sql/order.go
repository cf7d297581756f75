package sql

import "dictsvc/errcode"

// parseOrderAndLimit parses ORDER BY, LIMIT BY, LIMIT, OFFSET and FETCH.
func (p *parser) parseOrderAndLimit(s *Select) {
	if p.acceptWord("ORDER") {
		p.expectWord("BY")
		if p.isWord("ALL") && !p.continuesExpr(p.peek().kind) {
			p.advance()
			s.OrderByAll = true
			item := OrderItem{Position: Position(p.tok.pos)}
			if p.parseDirection(&item); item.Fill {
				p.unexpected("LIMIT")
			}
			s.OrderBy = []OrderItem{item}
		} else {
			s.OrderBy = p.parseOrderList()
			p.parseInterpolate(s)
		}
	}
	p.parseLimits(s)
}

// parseOrderList parses the elements of ORDER BY.
func (p *parser) parseOrderList() []OrderItem {
	var list []OrderItem
	for p.err == nil {
		item := OrderItem{Position: Position(p.tok.pos)}
		item.Expr = p.parseAliased(false)
		p.parseDirection(&item)
		list = append(list, item)
		if !p.accept(tokComma) {
			break
		}
	}
	return list
}

// parseDirection parses what follows the expression of ORDER BY.
func (p *parser) parseDirection(item *OrderItem) {
	if p.acceptWord("DESC") || p.acceptWord("DESCENDING") {
		item.Desc = true
	} else if !p.acceptWord("ASC") {
		p.acceptWord("ASCENDING")
	}
	if p.acceptWord("NULLS") {
		item.NullsGiven = true
		if p.acceptWord("FIRST") {
			item.NullsFirst = true
		} else {
			p.expectWord("LAST")
		}
	}
	if p.acceptWord("COLLATE") {
		item.Collate, item.HasCollate = p.parseString(), true
	}
	if p.acceptWords("WITH", "FILL") {
		item.Fill = true
		if p.acceptWord("FROM") {
			item.FillFrom = p.parseExpr()
		}
		if p.acceptWord("TO") {
			item.FillTo = p.parseExpr()
		}
		if p.acceptWord("STEP") {
			item.FillStep = p.parseExpr()
		}
		if p.acceptWord("STALENESS") {
			item.FillStale = p.parseExpr()
		}
	}
}

// parseInterpolate parses INTERPOLATE [(column [AS expr], ...)], which needs a WITH FILL.
func (p *parser) parseInterpolate(s *Select) {
	fills := false
	for i := range s.OrderBy {
		fills = fills || s.OrderBy[i].Fill
	}
	if !fills || !p.isWord("INTERPOLATE") {
		return
	}
	in := &Interpolate{Position: Position(p.tok.pos)}
	s.Interpolate = in
	p.advance()
	if !p.accept(tokLRound) {
		return
	}
	in.Columns = []InterpolateItem{}
	for p.err == nil && !p.is(tokRRound) {
		item := InterpolateItem{Position: Position(p.tok.pos), Column: p.parseIdent().Name()}
		if p.acceptWord("AS") {
			item.Expr = p.parseExpr()
		}
		in.Columns = append(in.Columns, item)
		if !p.accept(tokComma) {
			break
		}
	}
	p.expect(tokRRound, "ClosingRoundBracket")
}

// parseLimits parses LIMIT ... BY, LIMIT, OFFSET and FETCH. LIMIT BY comes first. TOP and DISTINCT ON, which stand for two of
// them, exclude the clause itself.
func (p *parser) parseLimits(s *Select) {
	top := s.Limit != nil
	if p.acceptWord("LIMIT") {
		pos := p.prevEnd - len("LIMIT")
		limit, offset := p.parseLimit()
		if s.LimitBy == nil && p.acceptWord("BY") {
			p.parseLimitBy(s, &LimitBy{Position: Position(pos), Limit: limit, Offset: offset})
			limit = nil
			if p.acceptWord("LIMIT") {
				limit, offset = p.parseLimit()
			}
		}
		if limit != nil {
			if top {
				p.failCode(errcode.TopAndLimitTogether, "Can not use TOP and LIMIT together")
				return
			}
			s.Limit, s.Offset = limit, offset
			if p.acceptWords("WITH", "TIES") {
				s.WithTies = true
				if s.Offset == nil && p.acceptWord("OFFSET") {
					s.Offset = p.parseExpr()
				}
			}
		}
	}
	if s.Offset == nil && (s.Limit != nil || s.LimitBy == nil) && p.acceptWord("OFFSET") { // OFFSET alone does not follow LIMIT BY
		s.Offset = p.parseExpr()
		rows := p.acceptRows()
		if rows && s.Limit == nil && p.isWord("FETCH") {
			p.parseFetch(s)
		}
	}
	if p.err == nil && s.WithTies && s.OrderBy == nil {
		p.failCode(errcode.WithTiesWithoutOrderBy, "Can not use WITH TIES without ORDER BY")
	}
}

// parseLimitBy parses the list of LIMIT BY.
func (p *parser) parseLimitBy(s *Select, by *LimitBy) {
	s.LimitBy = by
	if p.isWord("ALL") && !p.continuesExpr(p.peek().kind) {
		p.advance()
		by.All = true
		return
	}
	by.By = p.parseExprList(false)
}

// parseLimit parses n, offset, n and n OFFSET offset.
func (p *parser) parseLimit() (limit, offset Expr) {
	limit = p.parseExpr()
	if p.accept(tokComma) {
		return p.parseExpr(), limit
	}
	if p.acceptWord("OFFSET") {
		offset = p.parseExpr()
	}
	return limit, offset
}

func (p *parser) acceptRows() bool { return p.acceptWord("ROWS") || p.acceptWord("ROW") }

// parseFetch parses FETCH FIRST|NEXT n ROWS ONLY|WITH TIES.
func (p *parser) parseFetch(s *Select) {
	if s.OrderBy == nil {
		p.failCode(errcode.OffsetFetchWithoutOrderBy, "Can not use OFFSET FETCH clause without ORDER BY")
		return
	}
	if !p.acceptWord("FETCH") {
		return
	}
	if !p.acceptWord("FIRST") {
		p.expectWord("NEXT")
	}
	s.Limit = p.parseExpr()
	if !p.acceptRows() {
		p.unexpected("ROWS")
	}
	if p.acceptWords("WITH", "TIES") {
		s.WithTies = true
	} else {
		p.expectWord("ONLY")
	}
}
