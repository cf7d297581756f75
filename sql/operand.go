package sql

import (
	"math"
	"strconv"
)

// parseOperand parses an operand without suffixes: a literal, a name, a call, something in brackets.
func (p *parser) parseOperand() Expr {
	pos := p.tok.pos
	switch p.tok.kind {
	case tokNumber:
		if lit := p.parseNumber(pos); lit != nil {
			return lit
		}
	case tokString, tokHeredoc, tokHexString, tokBinString:
		if s, ok := p.parseStringToken(); ok {
			return literalAt(pos, StringOf(s))
		}
	case tokLRound:
		return p.parseRound()
	case tokLSquare:
		return p.parseSquare()
	case tokLCurly:
		return p.parseParam()
	case tokAsterisk:
		p.advance()
		a := &Asterisk{}
		a.Position = Position(pos)
		a.Transformers = p.parseTransformers()
		return a
	case tokDoubleAt:
		return p.parseGlobalVariable()
	case tokQuotedIdent:
		return p.parseNameOrCall()
	case tokWord:
		if special := p.parseSpecialWord(); special != nil || p.err != nil {
			if special == nil {
				return p.bad()
			}
			return special
		}
		return p.parseNameOrCall()
	}
	p.unexpected("expression")
	return p.bad()
}

// literalAt makes a literal.
func literalAt(pos int, v Value) *Literal {
	lit := &Literal{Value: v}
	lit.Position = Position(pos)
	return lit
}

// parseStringToken consumes a string and gives its value.
func (p *parser) parseStringToken() (string, bool) {
	if p.err != nil || p.tok.kind < tokString || p.tok.kind > tokBinString {
		return "", false
	}
	s, ok := stringText(p.text(p.tok), p.tok.kind)
	if !ok {
		p.unexpected("string literal")
		return "", false
	}
	p.advance()
	return s, true
}

// parseString consumes a string literal, or fails.
func (p *parser) parseString() string {
	s, ok := p.parseStringToken()
	if !ok {
		p.unexpected("string literal")
	}
	return s
}

// parseSignedNumber parses a minus sign with the number right behind it (spaces allowed) as one literal; nil where none follows.
func (p *parser) parseSignedNumber() *Literal {
	pos, next := p.tok.pos, p.peek()
	if next.kind != tokNumber {
		if next.kind != tokWord {
			return nil
		}
		if _, ok := floatWord(p.text(next)); !ok {
			return nil
		}
		if after := p.lexAfter(next); after.kind == tokLRound || after.kind == tokDot {
			return nil
		}
	}
	p.advance()
	v, ok := numberValue(p.text(p.tok), true)
	if !ok {
		p.unexpected("number")
		return nil
	}
	return p.numberLiteral(pos, v)
}

// lexAfter is the token that follows t.
func (p *parser) lexAfter(t token) token {
	l := p.lex
	l.at, l.prev = t.end, t.kind
	return l.next()
}

// parseNumber parses a number without a sign; nil if it is out of every range.
func (p *parser) parseNumber(pos int) *Literal {
	v, ok := numberValue(p.text(p.tok), false)
	if !ok {
		p.unexpected("number")
		return nil
	}
	return p.numberLiteral(pos, v)
}

func (p *parser) numberLiteral(pos int, v Value) *Literal {
	lit := literalAt(pos, v)
	if v.Kind == Float64Value {
		lit.Text = p.lex.text[pos:p.tok.end]
	}
	p.advance()
	return lit
}

// floatWord is the value of inf, infinity and nan.
func floatWord(s string) (float64, bool) {
	if len(s) != 3 && len(s) != 8 {
		return 0, false
	}
	switch {
	case equalFold(s, "nan"):
		return nan(), true
	case equalFold(s, "inf"), equalFold(s, "infinity"):
		return math.Inf(1), true
	}
	return 0, false
}

// parseSpecialWord parses the words that are literals, or that begin syntax of their own; nil where the word is just a name.
func (p *parser) parseSpecialWord() Expr {
	pos, text := p.tok.pos, p.text(p.tok)
	switch lower(text[0]) {
	case 'n', 't', 'f', 'i', 'c', 'd', 'e', 'a', 's', 'p', 'l', 'r', 'v':
	default:
		return nil
	}
	next := p.peek()
	if next.kind != tokLRound {
		switch {
		case equalFold(text, "NULL"):
			p.advance()
			return literalAt(pos, Null())
		case equalFold(text, "TRUE"):
			p.advance()
			return literalAt(pos, BoolOf(true))
		case equalFold(text, "FALSE"):
			p.advance()
			return literalAt(pos, BoolOf(false))
		case equalFold(text, "DATE") && next.kind == tokString:
			return p.parseTypedString("toDate")
		case equalFold(text, "TIMESTAMP") && next.kind == tokString:
			return p.parseTypedString("toDateTime")
		}
		if f, ok := floatWord(text); ok {
			p.advance()
			return literalAt(pos, Float64Of(f))
		}
	}
	switch {
	case p.tokenIs(next, "AS"): // interval AS h is a name with its alias
		return nil
	case equalFold(text, "INTERVAL"):
		return p.parseInterval()
	case equalFold(text, "CASE"):
		return p.parseCase()
	}
	if equalFold(text, "COLUMNS") && next.kind == tokLRound {
		p.advance()
		return p.parseColumns(pos, nil)
	}
	if next.kind == tokLRound {
		if parse := specialCall(lowerText(text)); parse != nil {
			return parse(p)
		}
	}
	return nil
}

// parseTypedString parses DATE '...' and TIMESTAMP '...'.
func (p *parser) parseTypedString(name string) Expr {
	pos := p.tok.pos
	p.advance()
	lit := p.parseOperand()
	return operatorCall(pos, name, lit).asCall()
}

// asCall says that the formatter writes the function as a call.
func (f *Func) asCall() *Func {
	f.Operator = false
	return f
}

// parseParam parses {name:Type}.
func (p *parser) parseParam() *Param {
	param := &Param{}
	param.Position = Position(p.tok.pos)
	p.expect(tokLCurly, "opening curly brace")
	if p.is(tokWord) || p.is(tokQuotedIdent) {
		param.Name = p.parseName("substitution name (identifier)")
	} else {
		p.unexpected("substitution name (identifier)")
	}
	p.expect(tokColon, "colon between name and type")
	param.Type = p.parseType()
	p.expect(tokRCurly, "closing curly brace")
	return param
}

// parseGlobalVariable parses MySQL's @@name and @@session.name.
func (p *parser) parseGlobalVariable() Expr {
	pos := p.tok.pos
	p.advance()
	name := p.parseName("identifier")
	if p.accept(tokDot) {
		if !equalFold(name, "session") && !equalFold(name, "global") {
			p.unexpected("GLOBAL or SESSION")
		}
		name = p.parseName("identifier")
	}
	f := operatorCall(pos, "globalVariable", literalAt(pos, StringOf(name))).asCall()
	f.As = "@@" + name
	return f
}

// parseName consumes a word or a quoted name.
func (p *parser) parseName(what string) string {
	if p.err != nil {
		return ""
	}
	text := p.text(p.tok)
	switch p.tok.kind {
	case tokWord:
	case tokQuotedIdent:
		name, ok := unquote(text)
		if !ok || name == "" {
			p.unexpected(what)
			return ""
		}
		text = name
	default:
		p.unexpected(what)
		return ""
	}
	p.advance()
	return text
}

// parseNameOrCall parses a compound name, and the call or qualified asterisk it may begin.
func (p *parser) parseNameOrCall() Expr {
	pos := p.tok.pos
	id := &Ident{Parts: make([]string, 1, 2)}
	id.Position = Position(pos)
	id.Parts[0] = p.parseName("identifier")
	for p.err == nil && p.is(tokDot) {
		next := p.peek()
		switch {
		case next.kind == tokAsterisk:
			p.skip(2)
			a := &Asterisk{Qualifier: id}
			a.Position = Position(pos)
			a.Transformers = p.parseTransformers()
			return a
		case p.tokenIs(next, "COLUMNS") && p.lexAfter(next).kind == tokLRound:
			p.skip(2)
			return p.parseColumns(pos, id)
		case next.kind == tokWord || next.kind == tokQuotedIdent:
			p.advance()
			id.Parts = append(id.Parts, p.parseName("identifier"))
		case next.kind == tokCaret || next.kind == tokColon || next.kind == tokAt:
			// JSON paths: a.^b is a subobject, a.:T the part of type T.
			p.skip(2)
			mark := map[tokenKind]string{tokCaret: "^", tokColon: ":", tokAt: "@"}[next.kind]
			id.Parts = append(id.Parts, mark+"`"+p.parseName("identifier")+"`")
		default:
			return id
		}
	}
	if p.is(tokLRound) {
		return p.parseCall(pos, id.Name())
	}
	return id
}

// parseSuffixes parses what binds tightest behind an operand: .name, .1, [index], ::Type. number says that expr is a signed number.
func (p *parser) parseSuffixes(expr Expr, number bool) Expr {
	for n := 0; p.err == nil; n++ {
		switch p.tok.kind {
		case tokLSquare:
			p.advance()
			index := p.parseExpr()
			p.expect(tokRSquare, "ClosingSquareBracket")
			expr = operatorCall(expr.Pos(), "arrayElement", expr, index)
		case tokDot:
			expr = p.parseElement(expr)
		case tokDoubleColon:
			expr = p.parseCastSuffix(expr, n == 0)
		case tokWord:
			if p.isWords("AT", "TIME", "ZONE") {
				p.skip(3)
				zone := p.parseNested(prioNegate)
				expr = operatorCall(expr.Pos(), "toTimeZone", expr, zone).asCall()
			} else if p.isWords("AT", "LOCAL") {
				p.skip(2)
				expr = operatorCall(expr.Pos(), "toTimeZone", expr, operatorCall(expr.Pos(), "timeZone").asCall()).asCall()
			} else {
				return expr
			}
		default:
			return expr
		}
	}
	return expr
}

// parseElement parses .1, .name and .* behind an expression.
func (p *parser) parseElement(expr Expr) Expr {
	p.advance()
	pos := p.tok.pos
	switch p.tok.kind {
	case tokNumber:
		n, err := strconv.ParseUint(p.text(p.tok), 10, 64)
		if err != nil {
			p.unexpected("number")
			return p.bad()
		}
		p.advance()
		return operatorCall(expr.Pos(), "tupleElement", expr, literalAt(pos, UInt64Of(n)))
	case tokAsterisk:
		p.advance()
		a := &Asterisk{Qualifier: expr}
		a.Position = Position(expr.Pos())
		a.Transformers = p.parseTransformers()
		return a
	case tokMinus: // t.-1 counts from the end
		if next := p.peek(); next.kind == tokNumber {
			p.advance()
			n, err := strconv.ParseUint(p.text(p.tok), 10, 63)
			if err == nil {
				p.advance()
				return operatorCall(expr.Pos(), "tupleElement", expr, operatorCall(pos, "negate", literalAt(pos, UInt64Of(n))))
			}
		}
	case tokWord, tokQuotedIdent:
		name := p.parseName("identifier")
		return operatorCall(expr.Pos(), "tupleElement", expr, literalAt(pos, StringOf(name)))
	}
	p.unexpected("identifier")
	return p.bad()
}

// parseCastSuffix parses ::Type. The text of a literal right in front of it is cast, not its value: '1.10'::Decimal(9, 2) must not go over Float64.
func (p *parser) parseCastSuffix(expr Expr, first bool) Expr {
	end := p.prevEnd
	p.advance()
	pos := p.tok.pos
	t := p.parseType()
	if p.err != nil {
		return p.bad()
	}
	if lit := expr.base(); first && lit.As == "" {
		start := expr.Pos()
		if text, ok := literalText(expr, p.lex.text[start:end]); ok {
			expr = literalAt(start, StringOf(text))
		}
	}
	f := operatorCall(expr.Pos(), "CAST", expr, literalAt(pos, StringOf(t.String())))
	return f
}

// literalText is what a cast of a literal casts: a string's value, the text of a number or of brackets that hold nothing but strings and numbers.
func literalText(expr Expr, text string) (string, bool) {
	if lit, ok := expr.(*Literal); ok && lit.Value.Kind == StringValue && !lit.Brackets {
		return "", false
	}
	l := lexer{text: text}
	for {
		switch t := l.next(); t.kind {
		case tokNumber, tokString, tokComma, tokMinus, tokLRound, tokRRound, tokLSquare, tokRSquare:
		case tokEnd:
			return text, true
		default:
			return "", false
		}
	}
}

// lowerText is an ASCII text in lower case.
func lowerText(s string) string {
	for i := 0; i < len(s); i++ {
		if s[i] != lower(s[i]) {
			out := []byte(s)
			for i, c := range out {
				out[i] = lower(c)
			}
			return string(out)
		}
	}
	return s
}
