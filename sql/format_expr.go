package sql

// operatorTexts are the binary operators that are written between their operands.
var operatorTexts = map[string]string{
	"multiply": " * ", "divide": " / ", "modulo": " % ", "plus": " + ", "minus": " - ", "notEquals": " != ", "lessOrEquals": " <= ",
	"greaterOrEquals": " >= ", "less": " < ", "greater": " > ", "equals": " = ", "like": " LIKE ", "ilike": " ILIKE ", "notLike": " NOT LIKE ",
	"notILike": " NOT ILIKE ", "in": " IN ", "notIn": " NOT IN ", "globalIn": " GLOBAL IN ", "globalNotIn": " GLOBAL NOT IN ",
	"isNotDistinctFrom": " <=> ", "isDistinctFrom": " IS DISTINCT FROM ", "and": " AND ", "or": " OR ",
}

// aliased writes an expression with its alias, without brackets around the whole.
func (w *writer) aliased(e Expr) {
	base := e.base()
	alias := base.As != "" || base.AsParam != nil
	if !alias {
		w.expr(e)
		return
	}
	_, lambda := e.(*Lambda)
	w.body(e, lambda || bracketed(e))
	w.alias(base)
}

func (w *writer) alias(base *ExprBase) {
	w.WriteString(" AS ")
	if base.AsParam != nil {
		w.param(base.AsParam)
		return
	}
	w.name(base.As)
}

// isQuery says whether an expression writes brackets of its own.
func isQuery(e Expr) bool {
	_, ok := e.(*Subquery)
	return ok
}

// expr writes an expression where no operator stands around it: an argument, an element of a list.
func (w *writer) expr(e Expr) {
	base := e.base()
	if base.As != "" || base.AsParam != nil {
		w.body(e, bracketed(e))
		w.alias(base)
		return
	}
	w.body(e, bracketed(e))
}

// operand writes an expression beside an operator, where another operator needs brackets.
func (w *writer) operand(e Expr) {
	base := e.base()
	if base.As != "" || base.AsParam != nil {
		w.WriteByte('(')
		w.body(e, false)
		w.alias(base)
		w.WriteByte(')')
		return
	}
	w.body(e, bracketed(e) || isOperator(e))
}

// isOperator says whether an expression is written as an operator between operands.
func isOperator(e Expr) bool {
	switch e := e.(type) {
	case *Lambda:
		return true
	case *Func:
		if !e.Operator {
			return false
		}
		switch e.Name {
		case "negate", "not", "isNull", "isNotNull", "arrayElement", "tupleElement":
			return true
		}
		_, ok := operatorTexts[e.Name]
		return ok
	}
	return false
}

// selected writes the value out of which an element is taken: a call and a query need brackets in front of .1.
func (w *writer) selected(e Expr, dot bool) {
	f, ok := e.(*Func)
	if dot && e.Alias() == "" && (ok && !isOperator(e) && !(f.Operator && f.Name == "tuple" && len(f.Args) > 1) || isQuery(e)) {
		w.WriteByte('(')
		w.body(e, false)
		w.WriteByte(')')
		return
	}
	w.operand(e)
}

// bracketed says whether an expression keeps the brackets it was written in.
func bracketed(e Expr) bool {
	if !e.base().Brackets || isQuery(e) {
		return false
	}
	lit, ok := e.(*Literal)
	return !ok || lit.Value.Kind != TupleValue
}

// body writes an expression without its alias, in brackets or not.
func (w *writer) body(e Expr, brackets bool) {
	if brackets {
		w.WriteByte('(')
		defer w.WriteByte(')')
	}
	switch e := e.(type) {
	case *Literal:
		w.value(e.Value)
	case *Ident:
		w.dotted(e.Parts, e.Params)
	case *Param:
		w.param(e)
	case *Subquery:
		w.subquery(e.Query)
	case *Lambda:
		w.lambda(e)
	case *Asterisk:
		if e.Qualifier != nil {
			w.selected(e.Qualifier, false)
			w.WriteByte('.')
		}
		w.WriteByte('*')
		w.transformers(e.Transformers)
	case *ColumnsMatcher:
		if e.Qualifier != nil {
			w.dotted(e.Qualifier.Parts, e.Qualifier.Params)
			w.WriteByte('.')
		}
		w.WriteString("COLUMNS(")
		if e.List != nil {
			w.exprs(e.List)
		} else {
			w.str(e.Pattern)
		}
		w.WriteByte(')')
		w.transformers(e.Transformers)
	case *Func:
		w.function(e)
	}
}

// exprs writes a list.
func (w *writer) exprs(list []Expr) {
	for i, e := range list {
		if i > 0 {
			w.WriteString(", ")
		}
		w.expr(e)
	}
}

// exprLines writes a list on the line it stands on if it has one element, each on a line of its own if more.
func (w *writer) exprLines(list []Expr) {
	w.lines(len(list), func(i int) { w.expr(list[i]) })
}

func (w *writer) lines(n int, item func(int)) {
	w.indent++
	if !w.pretty || n == 1 {
		for i := range n {
			w.WriteString(map[bool]string{true: " ", false: ", "}[i == 0])
			item(i)
		}
		w.indent--
		return
	}
	for i := range n {
		if i > 0 {
			w.WriteByte(',')
		}
		w.line()
		item(i)
	}
	w.indent--
}

func (w *writer) lambda(l *Lambda) {
	if len(l.Params) == 1 {
		w.dotted(l.Params[0].Parts, nil)
	} else {
		w.WriteByte('(')
		for i, p := range l.Params {
			if i > 0 {
				w.WriteString(", ")
			}
			w.dotted(p.Parts, nil)
		}
		w.WriteByte(')')
	}
	w.WriteString(" -> ")
	w.operand(l.Body)
}

// function writes a call, or the operator it was.
func (w *writer) function(f *Func) {
	if f.Operator && w.operator(f) {
		return
	}
	w.WriteString(functionName(f.Name))
	if f.HasParams {
		w.WriteByte('(')
		w.exprs(f.Params)
		w.WriteByte(')')
	}
	w.WriteByte('(')
	if f.BareSelect {
		w.bareSelect(f)
	} else {
		w.exprs(f.Args)
	}
	if f.Settings != nil {
		if len(f.Args) > 0 {
			w.WriteString(", ")
		}
		w.WriteString("SETTINGS ")
		w.settings(f.Settings)
	}
	w.WriteByte(')')
	switch f.Nulls {
	case NullsIgnore:
		w.WriteString(" IGNORE NULLS")
	case NullsRespect:
		w.WriteString(" RESPECT NULLS")
	}
	if f.Over != nil {
		w.WriteString(" OVER ")
		if f.Over.Name != "" {
			w.name(f.Over.Name)
		} else {
			w.window(f.Over)
		}
	}
}

// functionName quotes a function's name where it is no word.
func functionName(s string) string {
	plain := true
	for i := 0; i < len(s) && plain; i++ {
		plain = isWordByte(s[i])
	}
	if plain && s != "" && !isDigit(s[0]) {
		return s
	}
	return "`" + escape(s, '`') + "`"
}

func (w *writer) bareSelect(f *Func) {
	q := f.Args[0].(*Subquery).Query
	w.indent++
	w.breakLine()
	w.query(q)
	w.indent--
	if len(f.Args) > 1 {
		w.line()
		w.WriteString("ELSE ")
		w.expr(f.Args[1])
	}
	w.breakLine()
}

// operator writes a function in operator form; false where it has none.
func (w *writer) operator(f *Func) bool {
	switch {
	case f.Name == "concat" && len(f.Args) > 0, f.Name == "intDiv", f.Name == "match":
		return false
	case f.Name == "negate" && len(f.Args) == 1:
		w.WriteByte('-')
		if lit, ok := f.Args[0].(*Literal); ok && !lit.Brackets { // -(5) is not the literal -5
			w.body(lit, true)
			return true
		}
		w.operand(f.Args[0])
	case f.Name == "not" && len(f.Args) == 1:
		w.WriteString("NOT ")
		w.operand(f.Args[0])
	case f.Name == "isNull" && len(f.Args) == 1:
		w.operand(f.Args[0])
		w.WriteString(" IS NULL")
	case f.Name == "isNotNull" && len(f.Args) == 1:
		w.operand(f.Args[0])
		w.WriteString(" IS NOT NULL")
	case f.Name == "array":
		w.WriteByte('[')
		w.exprs(f.Args)
		w.WriteByte(']')
	case f.Name == "tuple" && len(f.Args) > 1:
		w.WriteByte('(')
		w.exprs(f.Args)
		w.WriteByte(')')
	case f.Name == "arrayElement" && len(f.Args) == 2:
		w.selected(f.Args[0], false)
		w.WriteByte('[')
		w.expr(f.Args[1])
		w.WriteByte(']')
	case f.Name == "tupleElement" && len(f.Args) == 2:
		return w.tupleElement(f)
	default:
		return w.binary(f)
	}
	return true
}

// tupleElement writes t.1; what is not a plain index goes as a call.
func (w *writer) tupleElement(f *Func) bool {
	lit, ok := f.Args[1].(*Literal)
	if !ok || lit.Value.Kind != UInt64Value || lit.As != "" {
		return false
	}
	switch left := f.Args[0].(type) { // .1 is a number where it does not follow a name or a bracket
	case *Literal:
		if left.Value.Kind != TupleValue && left.Value.Kind != ArrayValue {
			return false
		}
	case *Param:
		return false
	}
	w.selected(f.Args[0], true)
	w.WriteByte('.')
	w.value(lit.Value)
	return true
}

// binary writes operators with their operands on both sides.
func (w *writer) binary(f *Func) bool {
	text, ok := operatorTexts[f.Name]
	if !ok || len(f.Args) < 2 {
		return false
	}
	switch f.Name {
	case "in", "notIn", "globalIn", "globalNotIn":
		w.operand(f.Args[0])
		w.WriteString(text)
		w.inList(f.Args[1])
		return true
	case "and", "or":
	case "like", "ilike", "notLike", "notILike":
		if len(f.Args) == 3 {
			w.operand(f.Args[0])
			w.WriteString(text)
			w.operand(f.Args[1])
			w.WriteString(" ESCAPE ")
			w.operand(f.Args[2])
			return true
		}
	default:
		if len(f.Args) != 2 {
			return false
		}
	}
	for i, arg := range f.Args {
		if i > 0 {
			w.WriteString(text)
		}
		w.operand(arg)
	}
	return true
}

// inList writes the right side of IN: a single value or name gets brackets.
func (w *writer) inList(e Expr) {
	brackets := bracketed(e) || isOperator(e)
	switch e := e.(type) {
	case *Literal:
		list := e.Value.Kind == TupleValue || e.Value.Kind == ArrayValue
		brackets = !list || brackets
	case *Ident, *Param:
		brackets = true
	}
	if e.Alias() == "" {
		w.body(e, brackets)
		return
	}
	w.WriteByte('(')
	w.body(e, false)
	w.alias(e.base())
	w.WriteByte(')')
}
