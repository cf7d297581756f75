package sql

// parseSelectQuery parses SELECTs joined by set operations. output allows INTO OUTFILE, FORMAT and SETTINGS at the end.
func (p *parser) parseSelectQuery(output bool) *SelectQuery {
	q := &SelectQuery{Position: Position(p.tok.pos)}
	if !p.enter() {
		return q
	}
	defer p.leave()
	q.Queries = append(q.Queries, p.parseQueryOperand())
	p.parseSetOperations(q)
	if output {
		p.parseOutput(&q.Output)
	}
	return q
}

// parseQueryOperand parses one SELECT, or a query in brackets.
func (p *parser) parseQueryOperand() Query {
	if p.is(tokLRound) {
		p.advance()
		inner := p.parseSelectQuery(false)
		p.expect(tokRRound, "ClosingRoundBracket")
		return inner
	}
	return p.parseSelect()
}

// setOperator says whether a set operation stands here.
func (p *parser) setOperator() bool {
	return p.isWord("UNION") || p.isWord("EXCEPT") || p.isWord("INTERSECT")
}

// parseSetOperations parses UNION, EXCEPT and INTERSECT with their right operands.
func (p *parser) parseSetOperations(q *SelectQuery) {
	for p.err == nil {
		var op SetOp
		switch {
		case p.acceptWord("UNION"):
			op = UnionDefault
		case p.acceptWord("EXCEPT"):
			op = ExceptDefault
		case p.acceptWord("INTERSECT"):
			op = IntersectDefault
		default:
			return
		}
		if p.acceptWord("ALL") {
			op++
		} else if p.acceptWord("DISTINCT") {
			op += 2
		}
		q.Ops = append(q.Ops, op)
		q.Queries = append(q.Queries, p.parseQueryOperand())
	}
}

// queryFollows says whether a token begins a query: next is what follows it.
func (p *parser) queryFollows(t token) bool {
	if !p.tokenIs(t, "SELECT") && !p.tokenIs(t, "WITH") && !p.tokenIs(t, "FROM") {
		return false
	}
	next := p.lexAfter(t)
	switch next.kind {
	case tokRRound, tokComma, tokDot, tokEnd, tokArrow, tokEquals, tokDoubleColon:
		return false
	case tokAsterisk, tokMinus, tokPlus:
		if p.tokenIs(t, "WITH") { // WITH -1 AS x SELECT ... is a query, with - 1 is a difference
			value := p.lexAfter(next)
			return value.kind == tokNumber && p.tokenIs(p.lexAfter(value), "AS")
		}
		return p.tokenIs(t, "SELECT")
	}
	return !p.tokenIs(next, "AS")
}

// tryBracketedQuery parses (SELECT ...); nil where the bracket holds something else.
func (p *parser) tryBracketedQuery() *SelectQuery {
	if !p.is(tokLRound) || !p.queryFollows(p.peek()) {
		return nil
	}
	p.advance()
	q := p.parseSelectQuery(false)
	p.expect(tokRRound, "ClosingRoundBracket")
	return q
}

// parseSelect parses one SELECT with its clauses.
func (p *parser) parseSelect() *Select {
	s := &Select{Position: Position(p.tok.pos)}
	if p.acceptWord("WITH") {
		p.parseWith(s)
	}
	if p.acceptWord("FROM") {
		s.From = p.parseFrom()
		p.expectWord("SELECT")
		p.parseSelectList(s)
	} else {
		p.expectWord("SELECT")
		p.parseSelectList(s)
		if p.acceptWord("FROM") {
			s.From = p.parseFrom()
		}
	}
	p.parseFilters(s)
	p.parseOrderAndLimit(s)
	if p.isWord("SETTINGS") && p.settingsFollow() {
		p.advance()
		s.Settings = p.parseSettings()
	}
	return s
}

// parseWith parses the elements of WITH.
func (p *parser) parseWith(s *Select) {
	s.WithRecursive = p.acceptWord("RECURSIVE")
	for p.err == nil {
		s.With = append(s.With, p.parseWithItem())
		if !p.accept(tokComma) || p.isWord("SELECT") && p.queryFollows(p.tok) {
			return
		}
	}
}

func (p *parser) parseWithItem() WithItem {
	item := WithItem{Position: Position(p.tok.pos)}
	if p.is(tokWord) || p.is(tokQuotedIdent) {
		before := p.mark()
		name := p.parseName("identifier")
		var columns []string
		isQuery := true
		if p.is(tokLRound) {
			isQuery = p.try(func() bool { columns = p.parseNameList(); return p.isWord("AS") })
		}
		if isQuery && p.acceptWord("AS") {
			materialized := p.acceptWord("MATERIALIZED")
			if p.is(tokLRound) {
				p.advance()
				item.Name, item.Columns, item.Materialized = name, columns, materialized
				item.Query = p.parseSelectQuery(false)
				p.expect(tokRRound, "ClosingRoundBracket")
				return item
			}
		}
		if p.err == nil {
			p.reset(before)
		}
	}
	item.Expr = p.parseExpr()
	p.parseAlias(item.Expr, !p.isWord("SELECT"))
	return item
}

// parseNameList parses (a, b, c).
func (p *parser) parseNameList() []string {
	var names []string
	p.expect(tokLRound, "OpeningRoundBracket")
	for p.err == nil {
		names = append(names, p.parseName("identifier"))
		if !p.accept(tokComma) {
			break
		}
	}
	p.expect(tokRRound, "ClosingRoundBracket")
	return names
}

// parseSelectList parses what stands between SELECT and FROM.
func (p *parser) parseSelectList(s *Select) {
	if p.acceptWord("ALL") {
		if p.isWord("DISTINCT") {
			p.unexpected("expression")
		}
	} else if p.acceptWord("DISTINCT") {
		s.Distinct = true
		if p.isWord("ON") && p.peek().kind == tokLRound {
			p.skip(2)
			// DISTINCT ON (list) is LIMIT 1 BY list.
			s.Distinct = false
			s.LimitBy = &LimitBy{Position: Position(p.tok.pos), Limit: literalAt(p.tok.pos, UInt64Of(1)), By: p.parseExprList(true)}
			p.expect(tokRRound, "ClosingRoundBracket")
		} else if p.isWord("ALL") {
			p.unexpected("expression")
		}
	}
	if p.acceptWord("TOP") {
		if p.is(tokLRound) {
			p.advance()
			s.Limit = p.parseExpr()
			p.expect(tokRRound, "ClosingRoundBracket")
		} else if p.is(tokNumber) {
			s.Limit = p.parseOperand()
		} else {
			p.unexpected("number")
		}
		s.WithTies = p.acceptWords("WITH", "TIES")
	}
	for p.err == nil {
		expr := p.parseExpr()
		explicit := p.parseAlias(expr, true)
		p.checkNoAlias(expr)
		s.Columns = append(s.Columns, expr)
		if !p.accept(tokComma) {
			return
		}
		if k := p.tok.kind; p.err == nil && (k == tokEnd || k == tokSemicolon || k == tokRRound) {
			return // a trailing comma
		}
		if !explicit && expr.Alias() == "" && p.isWord("FROM") {
			switch p.peek().kind {
			case tokWord, tokQuotedIdent, tokLRound, tokLCurly:
				return // a trailing comma
			}
		}
	}
}

// checkNoAlias refuses the alias of an asterisk.
func (p *parser) checkNoAlias(expr Expr) {
	if p.err != nil || expr.Alias() == "" {
		return
	}
	switch expr.(type) {
	case *Asterisk, *ColumnsMatcher:
		p.unexpected("alias cannot be here")
	}
}

// parseFilters parses PREWHERE, WHERE, GROUP BY, HAVING, WINDOW and QUALIFY.
func (p *parser) parseFilters(s *Select) {
	if p.acceptWord("PREWHERE") {
		s.Prewhere = p.parseAliased(false)
	}
	if p.acceptWord("WHERE") {
		s.Where = p.parseAliased(false)
	}
	p.parseGroupBy(s)
	if p.acceptWord("HAVING") {
		s.Having = p.parseAliased(false)
	}
	if p.acceptWord("WINDOW") {
		for p.err == nil {
			w := NamedWindow{Position: Position(p.tok.pos), Name: p.parseName("identifier")}
			p.expectWord("AS")
			w.Window = p.parseWindow()
			s.Windows = append(s.Windows, w)
			if !p.accept(tokComma) {
				break
			}
		}
	}
	if p.acceptWord("QUALIFY") {
		s.Qualify = p.parseAliased(false)
	}
}

// parseGroupBy parses GROUP BY, and WITH TOTALS, which may stand without it.
func (p *parser) parseGroupBy(s *Select) {
	g := &GroupBy{Position: Position(p.tok.pos)}
	if p.acceptWord("GROUP") {
		p.expectWord("BY")
		s.GroupBy = g
		next := p.peek().kind
		switch {
		case p.isWord("ROLLUP") && next == tokLRound:
			p.advance()
			g.Rollup = true
			g.Exprs = p.parseFilledList()
		case p.isWord("CUBE") && next == tokLRound:
			p.advance()
			g.Cube = true
			g.Exprs = p.parseFilledList()
		case p.isWords("GROUPING", "SETS"):
			p.skip(2)
			p.parseGroupingSets(g)
		case p.isWord("ALL") && !p.continuesExpr(next):
			p.advance()
			g.All = true
		default:
			g.Exprs = p.parseExprList(false)
		}
	}
	for p.err == nil && p.isWord("WITH") {
		switch {
		case s.GroupBy != nil && !g.Rollup && !g.Cube && p.acceptWords("WITH", "ROLLUP"):
			g.Rollup = true
		case s.GroupBy != nil && !g.Rollup && !g.Cube && p.acceptWords("WITH", "CUBE"):
			g.Cube = true
		case !g.Totals && p.acceptWords("WITH", "TOTALS"):
			g.Totals = true
			s.GroupBy = g
		default:
			p.skip(1)
			p.unexpected("TOTALS")
		}
	}
}

// continuesExpr says whether a token behind a word makes it part of a longer expression.
func (p *parser) continuesExpr(k tokenKind) bool {
	return k == tokDot || k == tokLRound || k == tokComma || k >= tokPlus && k <= tokConcat || k == tokAsterisk || k == tokLSquare
}

// parseBracketedList parses (expr, expr, ...), which may be empty.
func (p *parser) parseBracketedList() []Expr {
	p.expect(tokLRound, "OpeningRoundBracket")
	if p.accept(tokRRound) {
		return []Expr{}
	}
	list := p.parseExprList(true)
	p.expect(tokRRound, "ClosingRoundBracket")
	return list
}

// parseFilledList parses (expr, expr, ...), which may not be empty.
func (p *parser) parseFilledList() []Expr {
	list := p.parseBracketedList()
	if p.err == nil && len(list) == 0 {
		p.unexpected("expression")
	}
	return list
}

func (p *parser) parseGroupingSets(g *GroupBy) {
	g.GroupingSets = true
	p.expect(tokLRound, "OpeningRoundBracket")
	for p.err == nil {
		if p.is(tokLRound) {
			g.Sets = append(g.Sets, p.parseBracketedList())
		} else {
			g.Sets = append(g.Sets, []Expr{p.parseExpr()})
		}
		if !p.accept(tokComma) {
			break
		}
	}
	p.expect(tokRRound, "ClosingRoundBracket")
}
