package sql

// multiWordTypes are the type names of standard SQL that have more than one word: the words that may follow each first word.
var multiWordTypes = map[string][][]string{
	"double":    {{"PRECISION"}},
	"char":      {{"VARYING"}, {"LARGE", "OBJECT"}},
	"character": {{"VARYING"}, {"LARGE", "OBJECT"}},
	"nchar":     {{"VARYING"}, {"LARGE", "OBJECT"}},
	"binary":    {{"VARYING"}, {"LARGE", "OBJECT"}},
	"national": {{"CHAR", "VARYING"}, {"CHAR", "LARGE", "OBJECT"}, {"CHAR"}, {"CHARACTER", "VARYING"},
		{"CHARACTER", "LARGE", "OBJECT"}, {"CHARACTER"}},
	"int": signedness, "integer": signedness, "tinyint": signedness, "smallint": signedness, "mediumint": signedness, "bigint": signedness, "int1": signedness,
}

var signedness = [][]string{{"SIGNED"}, {"UNSIGNED"}}

// parseType parses the name of a data type with its arguments.
func (p *parser) parseType() *TypeExpr {
	t := &TypeExpr{Position: Position(p.tok.pos)}
	if !p.enter() {
		return t
	}
	defer p.leave()
	quoted := p.is(tokQuotedIdent)
	t.Name = p.parseName("data type")
	if !quoted && p.is(tokWord) && len(t.Name) <= 9 {
		first := t.Name
		for _, rest := range multiWordTypes[lowerText(first)] {
			if p.acceptWords(rest...) {
				t.Name = upperText(first)
				for _, w := range rest {
					t.Name += " " + w
				}
				break
			}
		}
	}
	if !p.is(tokLRound) {
		return t
	}
	p.advance()
	t.HasArgs = true
	for p.err == nil && !p.is(tokRRound) {
		t.Args = append(t.Args, p.parseTypeArg(t.Name))
		if !p.accept(tokComma) {
			break
		}
	}
	p.expect(tokRRound, "ClosingRoundBracket")
	return t
}

// parseTypeArg parses one argument of the type outer.
func (p *parser) parseTypeArg(outer string) TypeArg {
	arg := TypeArg{Position: Position(p.tok.pos)}
	next := p.peek()
	switch {
	case p.is(tokString) || p.is(tokNumber) || p.is(tokMinus) || p.is(tokHeredoc):
		arg.Expr = p.parseTypeLiteral()
	case (p.is(tokWord) || p.is(tokQuotedIdent)) && next.kind == tokEquals:
		id := p.parseIdent()
		p.advance()
		arg.Expr = operatorCall(id.Pos(), "equals", id, p.parseTypeLiteral())
	case equalFold(outer, "JSON") || equalFold(outer, "Object"):
		p.parseJSONArg(&arg)
	case p.is(tokWord) && p.tokenIs(p.tok, "NULL") && (next.kind == tokRRound || next.kind == tokComma):
		arg.Expr = p.parseOperand()
	case (p.is(tokWord) || p.is(tokQuotedIdent)) && (next.kind == tokWord || next.kind == tokQuotedIdent) && !p.multiWordFollows(next):
		arg.Field = &NamedType{Position: arg.Position, Name: p.parseName("identifier")}
		arg.Field.Type = p.parseType()
	default:
		arg.Type = p.parseType()
	}
	return arg
}

// multiWordFollows tells a type of several words from a field with its type.
func (p *parser) multiWordFollows(next token) bool {
	if p.tok.end-p.tok.pos > 9 {
		return false
	}
	for _, rest := range multiWordTypes[lowerText(p.text(p.tok))] {
		if p.tokenIs(next, rest[0]) {
			return true
		}
	}
	return false
}

// parseTypeLiteral parses a literal, with = literal behind it in Enum.
func (p *parser) parseTypeLiteral() Expr {
	literal := func() Expr {
		if p.is(tokMinus) {
			if lit := p.parseSignedNumber(); lit != nil {
				return lit
			}
		} else if p.is(tokString) || p.is(tokNumber) || p.is(tokHeredoc) || p.tokenIs(p.tok, "true") || p.tokenIs(p.tok, "false") {
			return p.parseOperand()
		}
		p.unexpected("literal")
		return p.bad()
	}
	left := literal()
	if p.accept(tokEquals) {
		return operatorCall(left.Pos(), "equals", left, literal())
	}
	return left
}

// parseJSONArg parses a typed path (a.b UInt32), SKIP path or SKIP REGEXP 'pattern'.
func (p *parser) parseJSONArg(arg *TypeArg) {
	if p.isWord("SKIP") && p.peek().kind != tokDot {
		p.advance()
		if p.acceptWord("REGEXP") {
			arg.SkipRegexp, arg.IsSkipRegexp = p.parseString(), true
			return
		}
		arg.Skip = p.parseIdent().Name()
		return
	}
	path := p.parseIdent()
	arg.Field = &NamedType{Position: arg.Position, Name: path.Name()}
	arg.Field.Type = p.parseType()
}

// String is the type's text as ClickHouse prints it.
func (t *TypeExpr) String() string {
	var w writer
	w.typeExpr(t)
	return w.String()
}
