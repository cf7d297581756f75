package sql

// parseRound parses what begins with a round bracket: a subquery, a tuple, or an expression in brackets.
func (p *parser) parseRound() Expr {
	pos := p.tok.pos
	if q := p.tryBracketedQuery(); q != nil || p.err != nil {
		if q == nil {
			return p.bad()
		}
		s := &Subquery{Query: q}
		s.Position = Position(pos)
		return s
	}
	list := p.parseList(tokRRound, "ClosingRoundBracket", TupleValue)
	if p.err != nil {
		return p.bad()
	}
	if list.count() == 1 && !list.trailing {
		expr := list.single()
		if s, ok := expr.(*Subquery); ok && s.As == "" {
			return s // ((SELECT 1)) is the same as (SELECT 1)
		}
		b := expr.base()
		b.Brackets = true
		b.Position = Position(pos)
		return expr
	}
	if list.literal && list.count() > 1 {
		return literalAt(pos, TupleOf(list.takeValues()))
	}
	return operatorCall(pos, "tuple", list.takeExprs()...)
}

// parseSquare parses an array.
func (p *parser) parseSquare() Expr {
	pos := p.tok.pos
	list := p.parseList(tokRSquare, "ClosingSquareBracket", ArrayValue)
	if p.err != nil {
		return p.bad()
	}
	if list.literal {
		return literalAt(pos, ArrayOf(list.takeValues()))
	}
	return operatorCall(pos, "array", list.takeExprs()...)
}

// bracketList is the content of brackets. As long as everything in it is a plain literal only the values are kept,
// for an IN list may hold a hundred thousand of them.
type bracketList struct {
	literal  bool
	trailing bool // a comma stood before the closing bracket
	values   []Value
	places   []int32 // where each value begins
	last     *Literal
	exprs    []Expr
}

func (l *bracketList) count() int {
	if l.literal {
		return len(l.values)
	}
	return len(l.exprs)
}

// takeValues are the values in a slice of their own, of just the length.
func (l *bracketList) takeValues() []Value { return l.values[:len(l.values):len(l.values)] }

// single is the only element.
func (l *bracketList) single() Expr {
	if l.literal && l.last != nil {
		return l.last
	}
	return l.takeExprs()[0]
}

// takeExprs turns what was kept as values into literals.
func (l *bracketList) takeExprs() []Expr {
	if !l.literal {
		return l.exprs
	}
	l.exprs = make([]Expr, len(l.values), len(l.values)+4)
	for i, v := range l.values {
		l.exprs[i] = literalAt(int(l.places[i]), v)
	}
	l.literal, l.values, l.places = false, nil, nil
	return l.exprs
}

// push appends a value; long lists grow by an estimate from the text that is left, not by doubling.
func (l *bracketList) push(v Value, pos, left int) {
	if len(l.values) == cap(l.values) && len(l.values) >= 256 {
		begin := int(l.places[0])
		perItem := (pos-begin)/len(l.values) + 1
		room := len(l.values) + left/perItem + 16
		l.values = append(make([]Value, 0, room), l.values...)
		l.places = append(make([]int32, 0, room), l.places...)
	}
	l.values = append(l.values, v)
	l.places = append(l.places, int32(pos))
}

// parseList parses the elements up to the closing bracket. kind says what the brackets make: a tuple of literals may hold tuples, an array arrays.
func (p *parser) parseList(closing tokenKind, closingName string, kind ValueKind) *bracketList {
	list := &bracketList{literal: true}
	p.advance()
	for p.err == nil {
		if p.is(closing) && (list.count() == 0 || list.trailing && kind == TupleValue) {
			break
		}
		list.trailing = false
		if list.literal && p.is(tokNumber) {
			p.scanIntegers(list)
			if p.is(closing) && kind == TupleValue {
				break
			}
			list.trailing = false
		}
		pos := p.tok.pos
		if v, ok := p.fastLiteral(list.literal); ok {
			list.push(v, pos, len(p.lex.text)-pos)
			list.last = nil
		} else {
			expr := p.parseAliased(true)
			if p.err != nil {
				return list
			}
			if s, ok := expr.(*Subquery); ok && kind == TupleValue && list.count() == 0 && p.setOperator() {
				// ((SELECT 1) UNION ALL SELECT 2): what looked like an element is the first operand.
				q := &SelectQuery{Position: Position(s.Pos()), Queries: []Query{s.Query}}
				p.parseSetOperations(q)
				s.Query = q
			}
			lit, isLiteral := expr.(*Literal)
			if list.literal && isLiteral && lit.As == "" && lit.AsParam == nil && nests(lit.Value.Kind, kind) {
				list.push(lit.Value, pos, len(p.lex.text)-pos)
				list.last = lit
			} else {
				list.exprs = append(list.takeExprs(), expr)
			}
		}
		if !p.accept(tokComma) {
			break
		}
		list.trailing = true
	}
	p.expect(closing, closingName)
	return list
}

// scanIntegers takes whole numbers, each with the comma behind it, right from the text, and leaves the parser at what follows:
// lists of numbers are most of the text of long queries.
func (p *parser) scanIntegers(list *bracketList) {
	s, at := p.lex.text, p.tok.pos
	begin := at
	for {
		i, n := at, uint64(0)
		for i < len(s) && isDigit(s[i]) && i-at < 19 {
			n = n*10 + uint64(s[i]-'0')
			i++
		}
		if i == at {
			break
		}
		for i < len(s) && s[i] == ' ' {
			i++
		}
		if i >= len(s) || s[i] != ',' {
			break
		}
		list.push(UInt64Of(n), at, len(s)-at)
		i++
		for i < len(s) && (s[i] == ' ' || s[i] == '\n') {
			i++
		}
		at = i
	}
	if at == begin {
		return
	}
	p.lex.at, p.lex.prev = at, tokComma
	list.last, list.trailing = nil, true
	p.advance()
}

// nests says whether a value may stand inside a literal of the outer kind.
func nests(inner, outer ValueKind) bool {
	return inner != ArrayValue && inner != TupleValue || inner == outer
}

// fastLiteral parses a number or string that a comma or closing bracket follows, without the machinery of expressions, where
// one is wanted.
func (p *parser) fastLiteral(wanted bool) (v Value, ok bool) {
	if p.err != nil || !wanted {
		return v, false
	}
	before := p.mark()
	negative := false
	if p.is(tokMinus) {
		negative = true
		p.advance()
	}
	switch {
	case p.is(tokNumber):
		v, ok = numberValue(p.text(p.tok), negative)
	case p.is(tokString) && !negative:
		var s string
		s, ok = unquote(p.text(p.tok))
		v = StringOf(s)
	}
	if ok {
		p.advance()
		if p.is(tokComma) || v.Kind != Float64Value && (p.is(tokRRound) || p.is(tokRSquare)) {
			return v, true
		}
	}
	if p.err == nil && p.tok != before.tok {
		p.reset(before)
	}
	return Value{}, false
}
