package sql

// parseColumns parses the brackets of COLUMNS('regexp') and COLUMNS(a, b), the word itself is consumed already. Brackets that hold
// anything else make it a call of a function of that name.
func (p *parser) parseColumns(pos int, qualifier *Ident) Expr {
	m := &ColumnsMatcher{Qualifier: qualifier}
	m.Position = Position(pos)
	if !p.failedBefore(pos) && p.try(func() bool {
		p.advance()
		if s, ok := p.parseStringToken(); ok {
			m.Pattern = s
		} else {
			for p.err == nil {
				m.List = append(m.List, p.parseIdent())
				if !p.accept(tokComma) {
					break
				}
			}
		}
		return p.expect(tokRRound, "ClosingRoundBracket")
	}) {
		m.Transformers = p.parseTransformers()
		return m
	}
	if p.err != nil {
		return p.bad()
	}
	p.markFailed(pos)
	name := "COLUMNS"
	if qualifier != nil {
		name = qualifier.Name() + "." + name
	}
	return p.parseCall(pos, name)
}

// parseIdent parses a compound name.
func (p *parser) parseIdent() *Ident {
	id := &Ident{}
	id.Position = Position(p.tok.pos)
	for p.err == nil {
		if p.is(tokLCurly) {
			param := p.parseParam()
			for len(id.Params) < len(id.Parts) {
				id.Params = append(id.Params, nil)
			}
			id.Params = append(id.Params, param)
			id.Parts = append(id.Parts, "")
		} else {
			id.Parts = append(id.Parts, p.parseName("identifier"))
			if id.Params != nil {
				id.Params = append(id.Params, nil)
			}
		}
		if k := p.peek().kind; !p.is(tokDot) || k != tokWord && k != tokQuotedIdent && k != tokLCurly {
			break
		}
		p.advance()
	}
	return id
}

// parseTransformers parses EXCEPT, REPLACE and APPLY behind an asterisk or COLUMNS.
func (p *parser) parseTransformers() []Transformer {
	var list []Transformer
	for p.err == nil && p.is(tokWord) {
		t := Transformer{Position: Position(p.tok.pos)}
		switch {
		case p.isWord("EXCEPT") && p.exceptsColumns():
			p.advance()
			p.parseExcept(&t)
		case p.isWord("REPLACE") && p.peek().kind != tokComma:
			p.advance()
			p.parseReplace(&t)
		case p.isWord("APPLY") && p.peek().kind != tokComma:
			p.advance()
			p.parseApply(&t)
		default:
			return list
		}
		list = append(list, t)
	}
	return list
}

// exceptsColumns tells the transformer EXCEPT from the set operation.
func (p *parser) exceptsColumns() bool {
	next := p.peek()
	if next.kind == tokLRound {
		next = p.lexAfter(next)
	}
	for _, word := range [...]string{"SELECT", "WITH", "FROM", "ALL", "DISTINCT"} {
		if p.tokenIs(next, word) {
			return false
		}
	}
	return next.kind != tokLRound
}

func (p *parser) parseExcept(t *Transformer) {
	t.Kind = TransformExcept
	t.Strict = p.acceptWord("STRICT")
	brackets := p.accept(tokLRound)
	if s, ok := p.parseStringToken(); ok {
		t.Pattern = s
	} else {
		for p.err == nil {
			t.Names = append(t.Names, p.parseName("identifier"))
			if !brackets || !p.accept(tokComma) {
				break
			}
		}
	}
	if brackets {
		p.expect(tokRRound, "ClosingRoundBracket")
	}
}

func (p *parser) parseReplace(t *Transformer) {
	t.Kind = TransformReplace
	t.Strict = p.acceptWord("STRICT")
	brackets := p.accept(tokLRound)
	for p.err == nil {
		expr := p.parseExpr()
		if !p.isWord("AS") {
			p.unexpected("AS")
			return
		}
		p.parseAlias(expr, false)
		t.Replace = append(t.Replace, expr)
		if !brackets || !p.accept(tokComma) {
			break
		}
	}
	if brackets {
		p.expect(tokRRound, "ClosingRoundBracket")
	}
}

func (p *parser) parseApply(t *Transformer) {
	t.Kind = TransformApply
	brackets := p.accept(tokLRound)
	if brackets {
		if p.is(tokLRound) || p.peek().kind == tokArrow {
			expr := p.parseExpr()
			if lambda, ok := expr.(*Lambda); ok {
				t.Lambda = lambda
			} else {
				p.unexpected("lambda expression")
			}
			p.expect(tokRRound, "ClosingRoundBracket")
			return
		}
	}
	t.Func = p.parseName("function name")
	if p.is(tokLRound) {
		p.advance()
		t.Params = p.parseArgumentList(nil)
		p.expect(tokRRound, "ClosingRoundBracket")
	}
	if brackets {
		if p.accept(tokComma) {
			t.Prefix = p.parseString()
		}
		p.expect(tokRRound, "ClosingRoundBracket")
	}
}
