package sql

// parseFrom parses the tables of FROM with their joins.
func (p *parser) parseFrom() []FromItem {
	first := FromItem{Position: Position(p.tok.pos), Table: p.parseTableExpr()}
	return p.parseJoins([]FromItem{first})
}

// parseJoins parses the joins behind a table.
func (p *parser) parseJoins(items []FromItem) []FromItem {
	for p.err == nil {
		item := FromItem{Position: Position(p.tok.pos)}
		if p.is(tokComma) {
			p.advance()
			item.Join = &Join{Position: item.Position, Kind: JoinComma}
			item.Table = p.parseTableExpr()
			items = append(items, item)
			continue
		}
		if !p.is(tokWord) {
			return items
		}
		if left := p.acceptWords("LEFT", "ARRAY", "JOIN"); left || p.acceptWords("INNER", "ARRAY", "JOIN") || p.acceptWords("ARRAY", "JOIN") {
			item.ArrayJoin = &ArrayJoin{Position: item.Position, Left: left, Exprs: p.parseExprList(true)}
			items = append(items, item)
			continue
		}
		join := p.parseJoinOperator()
		if join == nil {
			return items
		}
		item.Join = join
		item.Table = p.parseTableExpr()
		p.parseJoinCondition(join)
		items = append(items, item)
	}
	return items
}

// parseJoinOperator parses [GLOBAL|LOCAL] [ANY|ALL|ASOF|SEMI|ANTI] [INNER|LEFT|RIGHT|FULL|CROSS|PASTE] JOIN; nil where none stands.
func (p *parser) parseJoinOperator() *Join {
	join := &Join{Position: Position(p.tok.pos)}
	before := p.mark()
	switch {
	case p.acceptWord("GLOBAL"):
		join.Locality = LocalityGlobal
	case p.acceptWord("LOCAL"):
		join.Locality = LocalityLocal
	}
	join.Natural = p.acceptWord("NATURAL")
	p.parseStrictness(join)
	outer := false
	switch {
	case p.acceptWord("INNER"):
	case p.acceptWord("LEFT"):
		join.Kind, outer = JoinLeft, true
	case p.acceptWord("RIGHT"):
		join.Kind, outer = JoinRight, true
	case p.acceptWord("FULL"):
		join.Kind, outer = JoinFull, true
	case p.acceptWord("CROSS"):
		join.Kind = JoinCross
	case p.acceptWord("PASTE"):
		join.Kind = JoinPaste
	default:
		if join.Strictness == StrictnessSemi || join.Strictness == StrictnessAnti {
			join.Kind = JoinLeft
		}
	}
	if join.Strictness == StrictnessDefault {
		p.parseStrictness(join)
	}
	if outer {
		p.acceptWord("OUTER")
	}
	if p.acceptWord("JOIN") {
		return join
	}
	if p.err == nil && p.tok.pos != before.tok.pos {
		p.unexpected("JOIN")
		return nil
	}
	return nil
}

func (p *parser) parseStrictness(join *Join) {
	switch {
	case p.acceptWord("ANY"):
		join.Strictness = StrictnessAny
	case p.acceptWord("ALL"):
		join.Strictness = StrictnessAll
	case p.acceptWord("ASOF"):
		join.Strictness = StrictnessAsof
	case p.acceptWord("SEMI"):
		join.Strictness = StrictnessSemi
	case p.acceptWord("ANTI"), p.acceptWord("ONLY"):
		join.Strictness = StrictnessAnti
	}
}

// parseJoinCondition parses ON or USING, which every join but CROSS, PASTE and NATURAL needs.
func (p *parser) parseJoinCondition(join *Join) {
	if join.Kind == JoinCross || join.Kind == JoinPaste || join.Natural {
		return
	}
	if p.acceptWord("ON") {
		join.On = p.parseExpr()
		return
	}
	if !p.acceptWord("USING") {
		p.unexpected("ON")
		return
	}
	join.HasUsing = true
	if p.is(tokLRound) {
		join.UsingBrackets = true
		if join.Using = p.parseBracketedList(); len(join.Using) == 0 {
			p.unexpected("column identifier for USING")
		}
		return
	}
	join.Using = p.parseExprList(false)
}

// parseTableExpr parses one table: a name, a function, a query or joined tables in brackets, with alias, FINAL and SAMPLE.
func (p *parser) parseTableExpr() *TableExpr {
	t := &TableExpr{Position: Position(p.tok.pos)}
	if !p.enter() {
		return t
	}
	defer p.leave()
	if p.is(tokLRound) {
		p.parseBracketedTable(t)
	} else {
		p.parseNamedTable(t)
	}
	p.parseTableAlias(t)
	t.Final = p.acceptWord("FINAL")
	if p.acceptWord("SAMPLE") {
		t.Sample = p.parseRatio()
		if p.acceptWord("OFFSET") {
			t.Offset = p.parseRatio()
		}
	}
	return t
}

// parseNamedTable parses a table's name, or a table function.
func (p *parser) parseNamedTable(t *TableExpr) {
	pos := p.tok.pos
	if p.is(tokString) {
		t.Name = &TableName{Position: Position(pos), Table: p.parseString()}
		if t.Name.Table == "" {
			p.unexpected("table name")
		}
		return
	}
	id := p.parseIdent()
	if p.is(tokLRound) && id.Params == nil {
		p.tableCall = true
		call, _ := p.parseCall(pos, id.Name()).(*Func)
		t.Func = call
		return
	}
	name, ok := tableName(id)
	if !ok {
		p.unexpected("table name")
		return
	}
	t.Name = &name
}

// tableName makes a table's name of an identifier of one or two parts.
func tableName(id *Ident) (TableName, bool) {
	name := TableName{Position: id.Position}
	param := func(i int) *Param {
		if i < len(id.Params) {
			return id.Params[i]
		}
		return nil
	}
	switch len(id.Parts) {
	case 1:
		name.Table, name.TableParam = id.Parts[0], param(0)
	case 2:
		name.Database, name.DatabaseParam = id.Parts[0], param(0)
		name.Table, name.TableParam = id.Parts[1], param(1)
	default:
		return name, false
	}
	return name, true
}

// parseBracketedTable parses (SELECT ...), ((SELECT ...) UNION ...), (EXPLAIN ...) and (a JOIN b ...). Joined tables become
// the query SELECT * FROM a JOIN b, as in ClickHouse.
func (p *parser) parseBracketedTable(t *TableExpr) {
	if q := p.tryBracketedQuery(); q != nil || p.err != nil {
		t.Query = q
		return
	}
	p.advance()
	if next := p.peek().kind; p.isWord("EXPLAIN") && next == tokWord {
		t.Query = p.parseExplainQuery()
		p.expect(tokRRound, "ClosingRoundBracket")
		return
	}
	items := p.parseFrom()
	if p.err != nil {
		return
	}
	q := &SelectQuery{Position: t.Position}
	if only := items[0].Table; len(items) == 1 && only.Query != nil && only.As == "" && only.Columns == nil {
		q.Queries = []Query{only.Query}
		p.parseSetOperations(q)
	} else if len(items) == 1 {
		p.unexpected("JOIN")
	} else {
		q.Queries = []Query{selectStar(t.Pos(), items)}
	}
	t.Query = q
	p.expect(tokRRound, "ClosingRoundBracket")
}

// selectStar is SELECT * FROM items.
func selectStar(pos int, items []FromItem) *Select {
	star := &Asterisk{}
	star.Position = Position(pos)
	return &Select{Position: Position(pos), Columns: []Expr{star}, From: items}
}

// parseExplainQuery parses EXPLAIN where a table stands: it is a query of the table function viewExplain.
func (p *parser) parseExplainQuery() *SelectQuery {
	pos := p.tok.pos
	e := p.parseExplain()
	inner, ok := e.Query.(*SelectQuery)
	if !ok {
		p.unexpected("SELECT query")
		return &SelectQuery{}
	}
	sub := &Subquery{Query: inner}
	sub.Position = inner.Position
	kind := "EXPLAIN"
	if e.KindGiven {
		kind += " " + explainNames[e.Kind]
	}
	var w writer
	w.settings(e.Settings)
	call := operatorCall(pos, "viewExplain", literalAt(pos, StringOf(kind)), literalAt(pos, StringOf(w.String())), sub).asCall()
	items := []FromItem{{Position: Position(pos), Table: &TableExpr{Position: Position(pos), Func: call}}}
	return &SelectQuery{Position: Position(pos), Queries: []Query{selectStar(pos, items)}}
}

// parseTableAlias parses [AS] name [(column, ...)].
func (p *parser) parseTableAlias(t *TableExpr) {
	if p.acceptWord("AS") {
		t.As = p.parseName("identifier")
	} else if p.is(tokQuotedIdent) || p.is(tokWord) && !p.currentIn(notATableAlias) {
		t.As = p.parseName("identifier")
	} else {
		return
	}
	if p.is(tokLRound) {
		t.Columns = p.parseNameList()
	}
}

// parseRatio parses the number of SAMPLE: 0.1, 1/10, 1000.
func (p *parser) parseRatio() *Ratio {
	r := &Ratio{Position: Position(p.tok.pos), Den: "1"}
	num, numScale, ok := p.parseDecimal()
	if !ok {
		return r
	}
	den, denScale := "1", 0
	if p.accept(tokSlash) {
		if den, denScale, ok = p.parseDecimal(); !ok {
			return r
		}
	}
	for ; numScale < denScale; numScale++ {
		num += "0"
	}
	for ; denScale < numScale; denScale++ {
		den += "0"
	}
	r.Num, r.Den = num, den
	return r
}

// parseDecimal parses a decimal number as its digits and how many of them stand behind the point.
func (p *parser) parseDecimal() (digits string, scale int, ok bool) {
	if !p.is(tokNumber) {
		p.unexpected("number")
		return "", 0, false
	}
	point := false
	var out []byte
	for _, c := range []byte(p.text(p.tok)) {
		switch {
		case isDigit(c):
			if point {
				scale++
			}
			if c != '0' || len(out) > 0 {
				out = append(out, c)
			}
		case c == '.' && !point:
			point = true
		default:
			p.unexpected("decimal number")
			return "", 0, false
		}
	}
	if len(out) == 0 {
		out = append(out, '0')
	}
	if len(out) > 40 || scale > 40 {
		p.unexpected("decimal number")
		return "", 0, false
	}
	p.advance()
	return string(out), scale, true
}
