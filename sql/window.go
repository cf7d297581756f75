package sql

// parseOver parses what follows OVER: the name of a window, or its definition in brackets.
func (p *parser) parseOver() *Window {
	if !p.is(tokLRound) {
		w := &Window{Position: Position(p.tok.pos)}
		w.Name = p.parseName("identifier")
		return w
	}
	return p.parseWindow()
}

// parseWindow parses a window definition in brackets.
func (p *parser) parseWindow() *Window {
	w := &Window{Position: Position(p.tok.pos)}
	p.expect(tokLRound, "OpeningRoundBracket")
	if (p.is(tokWord) || p.is(tokQuotedIdent)) && !p.isWords("PARTITION", "BY") && !p.isWords("ORDER", "BY") && !p.frameUnit() {
		w.Parent = p.parseName("identifier")
	}
	if p.acceptWords("PARTITION", "BY") {
		w.PartitionBy = p.parseExprList(false)
	}
	if p.acceptWords("ORDER", "BY") {
		w.OrderBy = p.parseOrderList()
	}
	if p.frameUnit() {
		p.parseFrame(w)
	}
	p.expect(tokRRound, "ClosingRoundBracket")
	return w
}

func (p *parser) frameUnit() bool {
	return (p.isWord("ROWS") || p.isWord("RANGE") || p.isWord("GROUPS")) && p.peek().kind != tokRRound
}

// parseFrame parses ROWS|RANGE|GROUPS bound, or BETWEEN bound AND bound.
func (p *parser) parseFrame(w *Window) {
	w.HasFrame = true
	switch {
	case p.acceptWord("ROWS"):
		w.Unit = FrameRows
	case p.acceptWord("GROUPS"):
		w.Unit = FrameGroups
	default:
		p.advance()
	}
	if p.acceptWord("BETWEEN") {
		w.Begin = p.parseBound()
		p.expectWord("AND")
		w.End = p.parseBound()
		return
	}
	w.Begin = p.parseBound()
	w.End = FrameBound{Kind: BoundCurrent}
}

func (p *parser) parseBound() FrameBound {
	var b FrameBound
	switch {
	case p.acceptWords("CURRENT", "ROW"):
		b.Kind = BoundCurrent
		return b
	case p.acceptWord("UNBOUNDED"):
		b.Kind = BoundUnbounded
	default:
		b.Kind = BoundOffset
		b.Offset = p.parseOperators(prioBetween+1, "")
	}
	if p.acceptWord("PRECEDING") {
		b.Preceding = true
	} else if !p.acceptWord("FOLLOWING") {
		p.unexpected("PRECEDING")
		p.note("FOLLOWING")
	}
	return b
}
