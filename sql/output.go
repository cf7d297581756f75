package sql

// parseOutput parses INTO OUTFILE, FORMAT and SETTINGS behind a statement.
func (p *parser) parseOutput(o *Output) {
	if p.isWords("INTO", "OUTFILE") {
		p.skip(2)
		o.IntoOutfile, o.HasOutfile = p.parseString(), true
		o.Append = p.acceptWord("APPEND")
		o.Truncate = p.acceptWord("TRUNCATE")
		o.AndStdout = p.acceptWords("AND", "STDOUT")
		if p.acceptWord("COMPRESSION") {
			o.Compression = p.parseString()
			if p.acceptWord("LEVEL") {
				o.Level = p.parseExpr()
			}
		}
	}
	if p.acceptSettings() {
		o.Settings = p.parseSettings()
	}
	if p.accept(tokVerticalEnd) { // \G, which ends a statement like a semicolon
		o.Format = "Vertical"
	} else if p.acceptWord("FORMAT") {
		o.Format = p.parseName("identifier")
		if len(o.Settings) == 0 && p.acceptSettings() {
			o.Settings = p.parseSettings()
		}
	}
}

// settingsFollow tells SETTINGS a = 1 from a use of the word as a name.
func (p *parser) settingsFollow() bool {
	next := p.peek()
	return next.kind == tokWord || next.kind == tokQuotedIdent || next.kind == tokEnd
}

func (p *parser) acceptSettings() bool {
	if !p.isWord("SETTINGS") || !p.settingsFollow() {
		return false
	}
	p.advance()
	return true
}

// parseSettings parses name = value, name = value, ...
func (p *parser) parseSettings() []Setting {
	var list []Setting
	for p.err == nil {
		list = append(list, p.parseSetting())
		if !p.accept(tokComma) {
			break
		}
	}
	return list
}

// parseSetting parses one setting. A name alone stands for name = true, which only a setting of type Bool takes.
func (p *parser) parseSetting() Setting {
	s := Setting{Position: Position(p.tok.pos), Name: p.parseIdent().Name()}
	if !p.is(tokEquals) {
		s.Value, s.Alone = BoolOf(true), true
		return s
	}
	p.expect(tokEquals, "Equals")
	p.parseSettingValue(&s)
	return s
}

func (p *parser) parseSettingValue(s *Setting) {
	switch {
	case p.is(tokLCurly):
		next := p.peek()
		if next.kind == tokString || next.kind == tokRCurly {
			s.Value, s.Map = p.parseMapLiteral(), true
			return
		}
		s.Param = p.parseParam()
	case p.isWord("DEFAULT"):
		p.advance()
		s.Default = true
	case p.is(tokWord) && p.peek().kind == tokLRound:
		s.Expr = p.parseOperand()
	case p.is(tokLSquare), p.is(tokLRound):
		p.unexpected("literal or map")
	default:
		s.Value = p.parseLiteral().Value
	}
}

// parseLiteral parses a literal of any kind, an array or tuple of literals as well.
func (p *parser) parseLiteral() *Literal {
	pos := p.tok.pos
	if p.is(tokMinus) {
		if lit := p.parseSignedNumber(); lit != nil {
			return lit
		}
	} else if p.is(tokPlus) && p.peek().kind == tokNumber {
		p.advance()
		return p.parseLiteral()
	} else if !p.is(tokEnd) {
		if lit, ok := p.parseOperand().(*Literal); ok {
			return lit
		}
	}
	p.unexpected("literal")
	return literalAt(pos, Null())
}

// parseMapLiteral parses {'key': value, ...} as an array of pairs.
func (p *parser) parseMapLiteral() Value {
	var items []Value
	if !p.enter() {
		return Null()
	}
	defer p.leave()
	p.advance()
	for p.err == nil && !p.is(tokRCurly) {
		key := StringOf(p.parseString())
		p.expect(tokColon, "Colon")
		items = append(items, TupleOf([]Value{key, p.parseLiteral().Value}))
		if !p.accept(tokComma) {
			break
		}
	}
	p.expect(tokRCurly, "closing curly brace")
	return ArrayOf(items)
}
