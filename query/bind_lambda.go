package query

import (
	"dictsvc/column"
	"dictsvc/errcode"
	"dictsvc/sql"
)

// pending remembers the text of a lambda that is bound when its function asks for it.
func (b *binder) pending(e *expr, l *sql.Lambda) {
	if b.texts == nil {
		b.texts = map[*expr]*sql.Lambda{}
	}
	b.texts[e] = l
}

// lambdaBinder is a lambda as a function's Bind sees it.
type lambdaBinder struct {
	b *binder
	e *expr
}

// Arity implements function.Lambda.
func (l *lambdaBinder) Arity() int { return len(l.b.texts[l.e].Params) }

// Bind implements function.Lambda: it binds the body with the parameters' types.
func (l *lambdaBinder) Bind(types []*column.Type) (*column.Type, error) {
	b, text := l.b, l.b.texts[l.e]
	if len(types) != len(text.Params) {
		return nil, errcode.New(errcode.NumberOfArgumentsDoesntMatch, "Lambda %s takes %d arguments, %d are given", sql.Format(text), len(text.Params), len(types))
	}
	lam := &lambda{params: make([]*expr, len(types))}
	scope := make(map[string]*expr, len(types))
	level := len(b.lambdas) + 1
	for i, p := range text.Params {
		name := p.Name()
		if scope[name] != nil {
			return nil, errcode.New(errcode.BadArguments, "Lambda %s has two arguments named %s", sql.Format(text), name)
		}
		lam.params[i] = b.pool.fresh(&expr{op: opParam, typ: types[i], name: name, level: level})
		scope[name] = lam.params[i]
	}
	b.lambdas = append(b.lambdas, scope)
	body, err := b.bind(text.Body)
	b.lambdas = b.lambdas[:level-1]
	if err != nil {
		return nil, err
	}
	if body.hasAggregate {
		return nil, errcode.New(errcode.UnexpectedExpression, "Aggregate functions are not allowed inside of a lambda. In scope %s", b.scopeText())
	}
	if body.hasArrayJoin {
		return nil, errcode.New(errcode.BadArguments, "Expression in arrayJoin cannot stand inside of a lambda. In scope %s", b.scopeText())
	}
	lam.body = body
	lam.captured = captured(body, lam.params, func(*expr) bool { return false })
	l.e.lam = lam
	l.e.volatile, l.e.hasWindow = body.volatile, body.hasWindow
	l.e.level = 0
	for _, c := range lam.captured {
		l.e.level = max(l.e.level, c.level)
	}
	return body.typ, nil
}

// captured are what a lambda's body takes from outside: leaves that are not its own parameters, and nodes that are at hand as a whole.
func captured(body *expr, params []*expr, whole func(*expr) bool) []*expr {
	own := map[*expr]bool{}
	for _, p := range params {
		own[p] = true
	}
	var list []*expr
	seen := map[*expr]bool{}
	var visit func(e *expr)
	visit = func(e *expr) {
		if seen[e] || own[e] || e.op == opConst {
			return
		}
		seen[e] = true
		if whole(e) {
			list = append(list, e)
			return
		}
		switch e.op {
		case opColumn, opJoined, opParam, opAggregate, opArrayJoin, opWindow:
			list = append(list, e)
			return
		}
		if e.lam != nil {
			for _, p := range e.lam.params {
				own[p] = true
			}
		}
		e.inside(visit)
	}
	visit(body)
	return list
}

// finishLambdas tells whether a call with lambdas is constant: all other arguments are, and the lambdas capture nothing.
func (b *binder) finishLambdas(args []*expr) bool {
	for _, a := range args {
		if a.op == opLambda {
			if len(a.lam.captured) > 0 || a.volatile {
				return false
			}
		} else if !a.isConst() {
			return false
		}
	}
	return true
}

// inline puts the arguments of a call in the place of a lambda's parameters: WITH x -> x + 1 AS f, and functions made with CREATE FUNCTION.
func (b *binder) inline(f *sql.Func, l *sql.Lambda) (*expr, error) {
	if len(f.Args) != len(l.Params) {
		return nil, errcode.New(errcode.NumberOfArgumentsDoesntMatch, "Function %s takes %d arguments, %d are given. In scope %s", f.Name, len(l.Params), len(f.Args), b.scopeText())
	}
	if len(b.lambdas) > 100 {
		return nil, errcode.New(errcode.TooDeepRecursion, "Function %s calls itself. In scope %s", f.Name, b.scopeText())
	}
	scope := make(map[string]*expr, len(l.Params))
	for i, p := range l.Params {
		n, err := b.bind(f.Args[i])
		if err != nil {
			return nil, err
		}
		scope[p.Name()] = n
	}
	b.lambdas = append(b.lambdas, scope)
	defer func() { b.lambdas = b.lambdas[:len(b.lambdas)-1] }()
	return b.bind(l.Body)
}
