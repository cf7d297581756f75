package sql

// parseInsert parses INSERT up to where its data begins.
func (p *parser) parseInsert() Statement {
	ins := &Insert{Position: Position(p.tok.pos)}
	p.advance()
	p.expectWord("INTO")
	p.acceptWord("TABLE")
	if p.isWord("FUNCTION") && p.peek().kind != tokDot {
		p.advance()
		pos := p.tok.pos
		name := p.parseIdent().Name()
		if !p.is(tokLRound) {
			p.unexpected("OpeningRoundBracket")
			return ins
		}
		ins.Func, _ = p.parseCall(pos, name).(*Func)
		if p.acceptWords("PARTITION", "BY") {
			ins.Partition = p.parseExpr()
		}
	} else {
		ins.Table = p.parseTableName()
	}
	if p.is(tokLRound) && !p.queryFollows(p.peek()) {
		p.parseInsertColumns(ins)
	}
	if p.acceptWords("FROM", "INFILE") {
		ins.Infile, ins.HasInfile = p.parseString(), true
		if p.acceptWord("COMPRESSION") {
			ins.Compress = p.parseString()
		}
	}
	if p.acceptSettings() {
		ins.Settings = p.parseSettings()
	}
	p.parseInsertSource(ins)
	return ins
}

// parseInsertColumns parses (a, b), (*), (* EXCEPT(c)).
func (p *parser) parseInsertColumns(ins *Insert) {
	p.advance()
	ins.HasList = true
	for p.err == nil {
		switch {
		case p.is(tokAsterisk), p.isWord("COLUMNS") && p.peek().kind == tokLRound:
			ins.Columns = append(ins.Columns, p.parseOperand())
		default:
			ins.Columns = append(ins.Columns, p.parseIdent())
		}
		if !p.accept(tokComma) {
			break
		}
	}
	p.expect(tokRRound, "ClosingRoundBracket")
}

// parseInsertSource parses VALUES, FORMAT name, or a query. Where data follows it is not looked at.
func (p *parser) parseInsertSource(ins *Insert) {
	switch {
	case p.isWord("VALUES"):
		p.startData(ins, "Values")
	case p.isWord("FORMAT"):
		p.advance()
		name := p.text(p.tok)
		if !p.is(tokWord) {
			p.unexpected("identifier")
			return
		}
		p.startData(ins, name)
	case p.is(tokLRound) || p.queryFollows(p.tok):
		ins.Query = p.parseSelectQuery(false)
		if last, ok := ins.Query.Queries[len(ins.Query.Queries)-1].(*Select); ok && ins.Settings == nil {
			ins.Settings = last.Settings // they apply to the whole statement
		}
		if p.acceptSettings() && ins.Settings == nil {
			ins.Settings = p.parseSettings()
		}
		if p.acceptWord("FORMAT") { // names the format of what the query reads from input()
			ins.Format = p.parseName("identifier")
		}
	case p.is(tokEnd) && ins.HasInfile, p.is(tokSemicolon) && ins.HasInfile:
	default:
		for _, word := range []string{"VALUES", "FORMAT", "SETTINGS", "WITH"} {
			p.note(word)
		}
		p.unexpected("SELECT")
	}
}

// startData ends the parse behind the current token: data follows, which is not SQL. Settings may stand in front of it.
func (p *parser) startData(ins *Insert, format string) {
	if p.err != nil {
		return
	}
	ins.Format = format
	if format == "Values" && !p.isWord("VALUES") || format != "Values" {
		before := p.mark()
		if p.peekIs("SETTINGS") && ins.Settings == nil {
			ok := p.try(func() bool {
				p.skip(2)
				ins.Settings = p.parseSettings()
				return p.err == nil
			})
			if ok {
				ins.DataOffset = p.skipDataSpace(p.prevEnd, format)
				p.endData(ins, format)
				return
			}
			ins.Settings = nil
			p.reset(before)
		}
	}
	ins.DataOffset = p.skipDataSpace(p.tok.end, format)
	p.endData(ins, format)
}

// peekIs says whether the next token is a word, without complaint about what may not be a token at all.
func (p *parser) peekIs(word string) bool { return p.tokenIs(p.peek(), word) }

// skipDataSpace skips what ClickHouse skips between the format's name and the data: spaces and one line end; all
// white space for VALUES and the JSON formats, which begin with a bracket.
func (p *parser) skipDataSpace(at int, format string) int {
	s := p.lex.text
	for at < len(s) && (s[at] == ' ' || s[at] == '\t' || s[at] == '\f') {
		at++
	}
	if at < len(s) && s[at] == ';' && format != "Values" {
		at++
		for at < len(s) && (s[at] == ' ' || s[at] == '\t' || s[at] == '\f') {
			at++
		}
	}
	if at < len(s) && s[at] == '\r' {
		at++
	}
	if at < len(s) && s[at] == '\n' {
		at++
	}
	return at
}

// endData finds where the data ends, and makes that the end of the statement.
func (p *parser) endData(ins *Insert, format string) {
	ins.HasData = true
	ins.DataEnd = len(p.lex.text)
	if format == "Values" {
		ins.DataEnd = valuesEnd(p.lex.text, ins.DataOffset)
	}
	p.dataMode = true
	p.prevEnd = ins.DataEnd
	p.tok = token{tokEnd, ins.DataEnd, ins.DataEnd}
}

// valuesEnd is where the tuples of VALUES end: at the first semicolon outside of strings and brackets, or at the end of the text.
func valuesEnd(s string, at int) int {
	depth := 0
	for at < len(s) {
		switch c := s[at]; c {
		case '\'', '"', '`':
			for at++; at < len(s) && s[at] != c; at++ {
				if s[at] == '\\' {
					at++
				}
			}
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ';':
			if depth <= 0 {
				return at
			}
		}
		at++
	}
	return len(s)
}
