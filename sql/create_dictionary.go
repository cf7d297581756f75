package sql

import "strconv"

// parseCreateDictionary parses CREATE DICTIONARY behind that word.
func (p *parser) parseCreateDictionary(d *CreateDictionary) Statement {
	d.IfNotExists = p.acceptIfNotExists()
	d.Name = p.parseTableName()
	d.UUID = p.parseUUID()
	d.Cluster = p.parseCluster()
	if d.Attach && !p.is(tokLRound) {
		return &Attach{Position: d.Position, Object: ObjectDictionary, IfNotExists: d.IfNotExists, Name: d.Name, Cluster: d.Cluster}
	}
	p.expect(tokLRound, "OpeningRoundBracket")
	for p.err == nil {
		d.Attributes = append(d.Attributes, p.parseDictAttribute())
		if !p.accept(tokComma) || p.is(tokRRound) { // a comma may stand behind the last one
			break
		}
	}
	p.expect(tokRRound, "ClosingRoundBracket")
	if p.acceptWords("PRIMARY", "KEY") {
		d.PrimaryKey = p.parseDictKey()
	}
	p.parseDictClauses(d)
	if comment, ok := p.acceptComment(); ok {
		d.Comment, d.HasComment = comment, true
	}
	return d
}

// parseDictAttribute parses name Type with its properties.
func (p *parser) parseDictAttribute() *DictAttribute {
	a := &DictAttribute{Position: Position(p.tok.pos)}
	a.Name = p.parseName("identifier")
	a.Type = p.parseType()
	for p.err == nil {
		switch {
		case a.Default == nil && p.acceptWord("DEFAULT"):
			a.Default = p.parseLiteral()
		case a.Expression == nil && p.acceptWord("EXPRESSION"):
			a.Expression = p.parseExpr()
		case !a.Hierarchical && p.acceptWord("HIERARCHICAL"):
			a.Hierarchical = true
		case !a.Bidirectional && p.acceptWord("BIDIRECTIONAL"):
			a.Bidirectional = true
		case !a.Injective && p.acceptWord("INJECTIVE"):
			a.Injective = true
		case !a.IsObjectID && p.acceptWord("IS_OBJECT_ID"):
			a.IsObjectID = true
		case !a.HasComment && p.acceptWord("COMMENT"):
			a.Comment, a.HasComment = p.parseString(), true
		default:
			return a
		}
	}
	return a
}

// parseDictClauses parses SOURCE, LAYOUT, LIFETIME, RANGE and SETTINGS, each once, in any order; PRIMARY KEY stands before them.
func (p *parser) parseDictClauses(d *CreateDictionary) {
	for p.err == nil {
		switch {
		case d.Source == nil && p.acceptWord("SOURCE"):
			d.Source = p.parseKeyValues(false)
		case d.Layout == nil && p.acceptWord("LAYOUT"):
			d.Layout = p.parseKeyValues(true)
		case d.Lifetime == nil && p.acceptWord("LIFETIME"):
			d.Lifetime = p.parseLifetime()
		case d.Range == nil && p.acceptWord("RANGE"):
			d.Range = p.parseDictRange()
		case !d.HasSettings && p.isWord("SETTINGS") && p.peek().kind == tokLRound:
			p.skip(2)
			d.Settings, d.HasSettings = p.parseSettings(), true
			p.expect(tokRRound, "ClosingRoundBracket")
		default:
			return
		}
	}
}

// parseDictKey parses the names of the primary key, with brackets around them or without.
func (p *parser) parseDictKey() []Expr {
	list := p.parseExprList(false)
	if p.err != nil || len(list) != 1 {
		return list
	}
	if f, ok := list[0].(*Func); ok && f.Name == "tuple" && f.Operator && len(f.Args) > 0 && f.As == "" {
		return f.Args
	}
	if !isOperator(list[0]) {
		list[0].base().Brackets = false
	}
	return list
}

// parseKeyValues parses (NAME(KEY value ...)). bare allows the name without brackets of its own: LAYOUT(flat).
func (p *parser) parseKeyValues(bare bool) *KeyValues {
	p.expect(tokLRound, "OpeningRoundBracket")
	kv := &KeyValues{Position: Position(p.tok.pos)}
	kv.Name = p.parseName("identifier")
	if bare && p.is(tokRRound) {
		kv.NoBrackets = true
	} else {
		p.expect(tokLRound, "OpeningRoundBracket")
		kv.Pairs = p.parsePairs()
		p.expect(tokRRound, "ClosingRoundBracket")
	}
	p.expect(tokRRound, "ClosingRoundBracket")
	return kv
}

// parsePairs parses KEY value KEY value ... up to the closing bracket.
func (p *parser) parsePairs() []*KeyValue {
	pairs := []*KeyValue{}
	if !p.enter() {
		return pairs
	}
	defer p.leave()
	for p.err == nil && !p.is(tokRRound) {
		pair := &KeyValue{Position: Position(p.tok.pos)}
		pair.Key = p.parseName("identifier")
		switch {
		case p.is(tokLRound):
			p.advance()
			pair.Nested = true
			pair.Pairs = p.parsePairs()
			p.expect(tokRRound, "ClosingRoundBracket")
		case p.is(tokWord) && p.peek().kind == tokLRound, p.is(tokString), p.is(tokNumber), p.is(tokMinus), p.is(tokHeredoc), p.is(tokLSquare), p.is(tokLCurly):
			pair.Value = p.parseOperators(prioNegate, "")
		case p.is(tokWord) || p.is(tokQuotedIdent):
			pair.Value = p.parsePairWord()
		default:
			p.unexpected("literal")
		}
		pairs = append(pairs, pair)
		p.accept(tokComma)
	}
	return pairs
}

// parsePairWord parses a value that is a word: true, false, NULL, or a name.
func (p *parser) parsePairWord() Expr {
	switch {
	case p.tokenIs(p.tok, "TRUE"), p.tokenIs(p.tok, "FALSE"), p.tokenIs(p.tok, "NULL"):
		return p.parseOperand()
	}
	return p.parseIdent()
}

// parseLifetime parses (n), (MIN a MAX b) and (MAX b MIN a).
func (p *parser) parseLifetime() *DictLifetime {
	l := &DictLifetime{Position: Position(p.prevEnd)}
	p.expect(tokLRound, "OpeningRoundBracket")
	if p.is(tokNumber) {
		l.Max = p.parseUint()
		l.Min = 0
		l.Single = true
	} else {
		hasMin, hasMax := false, false
		for p.err == nil && !(hasMin && hasMax) {
			switch {
			case !hasMin && p.acceptWord("MIN"):
				l.Min, hasMin = p.parseUint(), true
			case !hasMax && p.acceptWord("MAX"):
				l.Max, hasMax = p.parseUint(), true
			default:
				p.unexpected("number")
			}
		}
	}
	p.expect(tokRRound, "ClosingRoundBracket")
	return l
}

// parseUint parses a whole number.
func (p *parser) parseUint() uint64 {
	if !p.is(tokNumber) {
		p.unexpected("number")
		return 0
	}
	n, err := strconv.ParseUint(p.text(p.tok), 10, 64)
	if err != nil {
		p.unexpected("number")
		return 0
	}
	p.advance()
	return n
}

// parseDictRange parses (MIN a MAX b) and (MAX b MIN a).
func (p *parser) parseDictRange() *DictRange {
	r := &DictRange{Position: Position(p.prevEnd)}
	p.expect(tokLRound, "OpeningRoundBracket")
	for p.err == nil && (r.Min == "" || r.Max == "") {
		switch {
		case r.Min == "" && p.acceptWord("MIN"):
			r.Min = p.parseName("identifier")
		case r.Max == "" && p.acceptWord("MAX"):
			r.Max = p.parseName("identifier")
		default:
			p.unexpected("MIN")
		}
	}
	p.expect(tokRRound, "ClosingRoundBracket")
	return r
}
