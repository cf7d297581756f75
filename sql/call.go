package sql

// parseCall parses the brackets of a function call and what may follow them: a second pair, IGNORE NULLS, FILTER, OVER.
func (p *parser) parseCall(pos int, name string) Expr {
	f := &Func{Name: name}
	f.Position = Position(pos)
	distinct := p.parseArguments(f)
	if p.is(tokLRound) && p.err == nil {
		if distinct {
			p.unexpected("end of query")
			return p.bad()
		}
		f.Params, f.HasParams, f.Args = f.Args, true, nil
		if p.peek().kind == tokRRound {
			p.advance()
			p.unexpected("expression")
			return p.bad()
		}
		distinct = p.parseArguments(f)
	}
	if distinct {
		f.Name += "Distinct"
	}
	p.parseNullsAction(f)
	if f.Nulls == NullsDefault && p.isWord("FILTER") && p.peek().kind == tokLRound {
		p.skip(2)
		p.expectWord("WHERE")
		cond := p.parseExpr()
		p.expect(tokRRound, "ClosingRoundBracket")
		f.dropAsterisk()
		f.Name += "If"
		f.Args = append(f.Args, cond)
		p.parseNullsAction(f)
	}
	if p.isWord("OVER") && p.overFollows() {
		p.advance()
		f.Over = p.parseOver()
	}
	return f
}

// dropAsterisk removes the asterisk of count(*), which another argument is going to follow.
func (f *Func) dropAsterisk() {
	if len(f.Args) == 1 {
		if _, ok := f.Args[0].(*Asterisk); ok {
			f.Args = nil
		}
	}
}

// overFollows tells OVER in front of a window from an alias.
func (p *parser) overFollows() bool {
	k := p.peek().kind
	return k == tokLRound || k == tokWord || k == tokQuotedIdent
}

// parseNullsAction parses IGNORE NULLS or RESPECT NULLS.
func (p *parser) parseNullsAction(f *Func) {
	if p.acceptWords("IGNORE", "NULLS") {
		f.Nulls = NullsIgnore
	} else if p.acceptWords("RESPECT", "NULLS") {
		f.Nulls = NullsRespect
	}
}

// parseArguments parses the brackets with the arguments.
func (p *parser) parseArguments(f *Func) (distinct bool) {
	p.advance() // the bracket
	switch next := p.peek(); {
	case p.is(tokRRound):
		p.advance()
		return false
	case p.isWord("DISTINCT") && next.kind != tokRRound && next.kind != tokComma:
		p.advance()
		distinct = true
	case p.isWord("ALL") && next.kind != tokRRound && next.kind != tokComma:
		p.advance()
	}
	table := p.tableCall
	p.tableCall = false
	if table && bareSelectFunctions[lowerText(f.Name)] && (p.isWord("SELECT") || p.isWord("WITH")) {
		p.parseBareSelect(f)
		return distinct
	}
	f.Args = p.parseArgumentList(f)
	p.expect(tokRRound, "ClosingRoundBracket")
	return distinct
}

// parseArgumentList parses arguments up to, not including, the closing bracket.
func (p *parser) parseArgumentList(f *Func) []Expr {
	args := make([]Expr, 0, 3)
	for p.err == nil {
		if f != nil && len(args) > 0 && p.isWord("SETTINGS") && p.peek().kind == tokWord {
			p.advance()
			f.Settings = p.parseSettings()
			break
		}
		args = append(args, p.parseAliased(true))
		if !p.accept(tokComma) {
			break
		}
	}
	return args
}

// bareSelectFunctions take a query without brackets of its own.
var bareSelectFunctions = map[string]bool{"view": true, "viewifpermitted": true, "viewexplain": true}

// parseBareSelect parses the query of view(SELECT ...) and viewIfPermitted(SELECT ... ELSE f()).
func (p *parser) parseBareSelect(f *Func) {
	pos := p.tok.pos
	q := p.parseSelectQuery(false)
	s := &Subquery{Query: q}
	s.Position = Position(pos)
	f.BareSelect = true
	f.Args = append(f.Args, s)
	if p.acceptWord("ELSE") {
		f.Args = append(f.Args, p.parseExpr())
	}
	p.expect(tokRRound, "ClosingRoundBracket")
}

// parseExprList parses expressions with aliases, separated by commas; bareAlias allows aliases without AS.
func (p *parser) parseExprList(bareAlias bool) []Expr {
	list := make([]Expr, 0, 4)
	for p.err == nil {
		list = append(list, p.parseAliased(bareAlias))
		if !p.accept(tokComma) {
			break
		}
	}
	return list
}

// parseQuantified parses ANY (query) and ALL (query) behind a comparison, and rewrites them as ClickHouse does; nil where there is none.
func (p *parser) parseQuantified(left Expr, op string) Expr {
	all := p.isWord("ALL")
	if !all && !p.isWord("ANY") && !p.isWord("SOME") || p.peek().kind != tokLRound {
		return nil
	}
	before := p.mark()
	pos := p.tok.pos
	p.advance()
	q := p.tryBracketedQuery()
	if q == nil {
		if p.err == nil {
			p.reset(before)
		}
		return nil
	}
	aggregate := ""
	switch op {
	case "equals":
		op = "in"
		if all {
			aggregate = "singleValueOrNull"
		}
	case "notEquals":
		op = "notIn"
		if !all {
			aggregate = "singleValueOrNull"
		}
	case "less", "lessOrEquals":
		aggregate = "max"
		if all {
			aggregate = "min"
		}
	case "greater", "greaterOrEquals":
		aggregate = "min"
		if all {
			aggregate = "max"
		}
	default:
		p.reset(before)
		return nil
	}
	if aggregate != "" {
		q = aggregateOver(aggregate, q, pos)
	}
	s := &Subquery{Query: q}
	s.Position = Position(pos)
	return operatorCall(left.Pos(), op, left, s)
}

// aggregateOver is SELECT name(*) FROM (q).
func aggregateOver(name string, q *SelectQuery, pos int) *SelectQuery {
	sel := selectStar(pos, []FromItem{{Position: Position(pos), Table: &TableExpr{Position: Position(pos), Query: q}}})
	sel.Columns[0] = operatorCall(pos, name, sel.Columns[0]).asCall()
	return &SelectQuery{Position: Position(pos), Queries: []Query{sel}}
}
