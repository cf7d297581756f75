package sql

// Priorities of operators, low to high; they are ClickHouse's.
const (
	prioAny     = 0
	prioLambda  = 1
	prioTernary = 2
	prioOr      = 3
	prioAnd     = 4
	prioNot     = 5
	prioIs      = 6
	prioBetween = 7
	prioCompare = 9
	prioConcat  = 10
	prioAdd     = 11
	prioMul     = 12
	prioNegate  = 13
)

// parseExpr parses an expression without an alias.
func (p *parser) parseExpr() Expr { return p.parseOperators(prioAny, "") }

// parseAliased parses an expression with its alias, if it has one. bareAlias allows an alias without AS.
func (p *parser) parseAliased(bareAlias bool) Expr {
	expr := p.parseExpr()
	p.parseAlias(expr, bareAlias)
	return expr
}

// parseAlias parses [AS] name and gives it to expr.
func (p *parser) parseAlias(expr Expr, bareAlias bool) (explicit bool) {
	if p.err != nil {
		return false
	}
	base := expr.base()
	if p.acceptWord("AS") {
		if p.is(tokLCurly) {
			if param := p.parseParam(); p.err == nil {
				base.AsParam = param
			}
			return true
		}
		base.As = p.parseName("identifier")
		return true
	}
	if bareAlias && !p.isBareFrom(expr) && (p.is(tokQuotedIdent) || p.is(tokWord) && !p.currentIn(notAnAlias)) {
		base.As = p.parseName("identifier")
	}
	return false
}

// isBareFrom says whether an expression is nothing but the word FROM, which may be a name, but not one that an alias follows.
func (p *parser) isBareFrom(expr Expr) bool {
	id, ok := expr.(*Ident)
	return ok && len(id.Parts) == 1 && equalFold(id.Parts[0], "FROM") && isWordByte(p.lex.text[id.Pos()])
}

// binaryOperator is an operator between two operands.
type binaryOperator struct {
	prio int
	name string
	// chain says that a run of the operator is one call: a AND b AND c is and(a, b, c).
	chain bool
}

// symbolOperators is indexed by the kind of token; tokens that are no operators have no name.
var symbolOperators = [tokErrorQuerySize + 1]binaryOperator{
	tokEquals:        {prioCompare, "equals", false},
	tokNotEquals:     {prioCompare, "notEquals", false},
	tokLess:          {prioCompare, "less", false},
	tokLessEquals:    {prioCompare, "lessOrEquals", false},
	tokGreater:       {prioCompare, "greater", false},
	tokGreaterEquals: {prioCompare, "greaterOrEquals", false},
	tokSpaceship:     {prioCompare, "isNotDistinctFrom", false},
	tokConcat:        {prioConcat, "concat", true},
	tokPlus:          {prioAdd, "plus", false},
	tokMinus:         {prioAdd, "minus", false},
	tokAsterisk:      {prioMul, "multiply", false},
	tokSlash:         {prioMul, "divide", false},
	tokPercent:       {prioMul, "modulo", false},
}

// wordOperators are tried in order, so that the longer of two with the same beginning comes first.
var wordOperators = []struct {
	words []string
	binaryOperator
}{
	{[]string{"OR"}, binaryOperator{prioOr, "or", true}},
	{[]string{"AND"}, binaryOperator{prioAnd, "and", true}},
	{[]string{"IS", "NOT", "DISTINCT", "FROM"}, binaryOperator{prioIs, "isNotDistinctFrom", false}},
	{[]string{"IS", "DISTINCT", "FROM"}, binaryOperator{prioIs, "isDistinctFrom", false}},
	{[]string{"LIKE"}, binaryOperator{prioCompare, "like", false}},
	{[]string{"ILIKE"}, binaryOperator{prioCompare, "ilike", false}},
	{[]string{"NOT", "LIKE"}, binaryOperator{prioCompare, "notLike", false}},
	{[]string{"NOT", "ILIKE"}, binaryOperator{prioCompare, "notILike", false}},
	{[]string{"REGEXP"}, binaryOperator{prioCompare, "match", false}},
	{[]string{"IN"}, binaryOperator{prioCompare, "in", false}},
	{[]string{"NOT", "IN"}, binaryOperator{prioCompare, "notIn", false}},
	{[]string{"GLOBAL", "IN"}, binaryOperator{prioCompare, "globalIn", false}},
	{[]string{"GLOBAL", "NOT", "IN"}, binaryOperator{prioCompare, "globalNotIn", false}},
	{[]string{"MOD"}, binaryOperator{prioMul, "modulo", false}},
	{[]string{"DIV"}, binaryOperator{prioMul, "intDiv", false}},
}

// isTests are IS followed by words, which take no right operand.
var isTests = []struct {
	words []string
	name  string
	arg   Value // isNotDistinctFrom and its negation compare with this
	two   bool
}{
	{[]string{"IS", "NULL"}, "isNull", Value{}, false},
	{[]string{"IS", "NOT", "NULL"}, "isNotNull", Value{}, false},
	{[]string{"IS", "UNKNOWN"}, "isNull", Value{}, false},
	{[]string{"IS", "NOT", "UNKNOWN"}, "isNotNull", Value{}, false},
	{[]string{"IS", "TRUE"}, "isNotDistinctFrom", BoolOf(true), true},
	{[]string{"IS", "NOT", "TRUE"}, "isDistinctFrom", BoolOf(true), true},
	{[]string{"IS", "FALSE"}, "isNotDistinctFrom", BoolOf(false), true},
	{[]string{"IS", "NOT", "FALSE"}, "isDistinctFrom", BoolOf(false), true},
}

// operatorWord says whether the current word may begin an operator; it spares the walk over the tables.
func (p *parser) operatorWord() bool {
	switch lower(p.lex.text[p.tok.pos]) {
	case 'o', 'a', 'i', 'l', 'n', 'r', 'g', 'm', 'd', 'b':
		return true
	}
	return false
}

// parseOperators parses an operand and every operator after it whose priority is at least min. stop is a keyword that ends
// the expression although it is an operator (IN, in POSITION(a IN b)).
func (p *parser) parseOperators(min int, stop string) Expr {
	if !p.enter() {
		return p.bad()
	}
	defer p.leave()
	left := p.parsePrefix(min)
	if p.err == nil && p.is(tokArrow) && min <= prioLambda {
		if params := lambdaParams(left); params != nil {
			p.advance()
			lambda := &Lambda{Params: params}
			lambda.Position = Position(left.Pos())
			lambda.Body = p.parseOperators(prioLambda+1, stop)
			return lambda
		}
	}
	for p.err == nil {
		if p.is(tokQuestion) && min <= prioTernary {
			return p.parseTernary(left) // the last operand takes all that may follow
		}
		next, done := p.parseOperator(left, min, stop)
		if done {
			return left
		}
		left = next
	}
	return p.bad()
}

// parseOperator parses one operator after left with what belongs to it; done says that none follows that may stand here.
func (p *parser) parseOperator(left Expr, min int, stop string) (expr Expr, done bool) {
	if op := symbolOperators[p.tok.kind]; op.name != "" {
		if op.prio < min {
			return nil, true
		}
		p.advance()
		return p.parseRight(left, op), false
	}
	if !p.is(tokWord) || !p.operatorWord() || stop != "" && p.tokenIs(p.tok, stop) {
		return nil, true
	}
	for i := range wordOperators {
		op := &wordOperators[i]
		if op.prio >= min && p.isWords(op.words...) {
			p.skip(len(op.words))
			return p.parseRight(left, op.binaryOperator), false
		}
	}
	if prioBetween >= min {
		if p.isWord("BETWEEN") {
			p.skip(1)
			return p.parseBetween(left, false), false
		}
		if p.isWords("NOT", "BETWEEN") {
			p.skip(2)
			return p.parseBetween(left, true), false
		}
	}
	if prioIs >= min {
		for i := range isTests {
			test := &isTests[i]
			if !p.isWords(test.words...) {
				continue
			}
			p.skip(len(test.words))
			f := operatorCall(left.Pos(), test.name, left)
			if test.two {
				lit := &Literal{Value: test.arg}
				lit.Position = Position(p.prevEnd)
				f.Args = append(f.Args, lit)
			}
			return p.parseSuffixes(f, false), false
		}
	}
	return nil, true
}

// skip consumes n tokens.
func (p *parser) skip(n int) {
	for ; n > 0; n-- {
		p.advance()
	}
}

// operatorCall makes the function an operator stands for.
func operatorCall(pos int, name string, args ...Expr) *Func {
	f := &Func{Name: name, Args: args, Operator: true}
	f.Position = Position(pos)
	return f
}

// parseRight parses the right operand of op and makes the call.
func (p *parser) parseRight(left Expr, op binaryOperator) Expr {
	if op.prio == prioCompare {
		if quantified := p.parseQuantified(left, op.name); quantified != nil {
			return quantified
		}
	}
	right := p.parseOperators(op.prio+1, "")
	if op.chain {
		if f, ok := left.(*Func); ok && f.Name == op.name && f.Operator && !f.Brackets && !f.Between && f.As == "" {
			f.Args = append(f.Args, right)
			return f
		}
	}
	f := operatorCall(left.Pos(), op.name, left, right)
	if op.name == "like" || op.name == "ilike" || op.name == "notLike" || op.name == "notILike" {
		if p.acceptWord("ESCAPE") {
			f.Args = append(f.Args, p.parseOperators(op.prio+1, ""))
		}
	}
	return f
}

// parseTernary parses what follows the question mark of cond ? a : b.
func (p *parser) parseTernary(cond Expr) Expr {
	p.advance()
	yes := p.parseOperators(prioAny, "")
	p.expect(tokColon, "Colon")
	no := p.parseOperators(prioOr+1, "")
	f := operatorCall(cond.Pos(), "if", cond, yes, no)
	f.Operator = false
	return f
}

// parseBetween parses the bounds of BETWEEN; the call is the pair of comparisons that ClickHouse makes of it. Both share the left operand.
func (p *parser) parseBetween(left Expr, not bool) Expr {
	low := p.parseOperators(prioBetween+1, "")
	p.expectWord("AND")
	high := p.parseOperators(prioBetween+1, "")
	pos := left.Pos()
	if not {
		return operatorCall(pos, "or", operatorCall(pos, "less", left, low), operatorCall(pos, "greater", left, high)).bracketed()
	}
	return operatorCall(pos, "and", operatorCall(pos, "greaterOrEquals", left, low), operatorCall(pos, "lessOrEquals", left, high)).bracketed()
}

// bracketed marks the pair as one, so that a following AND does not join it.
func (f *Func) bracketed() *Func {
	f.Between = true
	return f
}

// parsePrefix parses an operand with the prefix operators in front of it and the suffixes behind it.
func (p *parser) parsePrefix(min int) Expr {
	pos := p.tok.pos
	switch {
	case p.is(tokMinus):
		if lit := p.parseSignedNumber(); lit != nil {
			return p.parseSuffixes(lit, true)
		}
		if p.err != nil {
			return p.bad()
		}
		p.advance()
		return operatorCall(pos, "negate", p.parseNested(prioNegate))
	case p.is(tokPlus):
		p.advance()
		return p.parseNested(prioNegate)
	case p.tokenIs(p.tok, "NOT"):
		p.advance()
		return operatorCall(pos, "not", p.parseOperators(prioNot, ""))
	}
	return p.parseSuffixes(p.parseOperand(), false)
}

// parseNested parses the operand of a sign.
func (p *parser) parseNested(prio int) Expr {
	if !p.enter() {
		return p.bad()
	}
	defer p.leave()
	return p.parsePrefix(prio)
}

// lambdaParams are the parameters that expr, standing before an arrow, names; nil if it cannot.
func lambdaParams(expr Expr) []*Ident {
	switch e := expr.(type) {
	case *Ident:
		return []*Ident{e}
	case *Func:
		if e.Name != "tuple" || !e.Operator || e.Brackets {
			return nil
		}
		params := make([]*Ident, 0, len(e.Args))
		for _, arg := range e.Args {
			id, ok := arg.(*Ident)
			if !ok || id.As != "" {
				return nil
			}
			params = append(params, id)
		}
		return params
	}
	return nil
}

// bad is what a parse function returns in place of an expression once there is an error, so that nobody meets nil.
func (p *parser) bad() Expr {
	lit := &Literal{}
	lit.Position = Position(p.tok.pos)
	return lit
}
