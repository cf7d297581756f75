package query

import (
	"strings"

	"dictsvc/column"
	"dictsvc/errcode"
	"dictsvc/function"
	"dictsvc/sql"
)

// maxBindSteps bounds the expressions bound for one SELECT: aliases of aliases can repeat each other without end.
const maxBindSteps = 1_000_000

// bind resolves an expression to a node. An expression with an alias is bound once, wherever its name is used.
func (b *binder) bind(e sql.Expr) (*expr, error) {
	if name := e.Alias(); name != "" && len(b.lambdas) == 0 {
		if a := b.alias[name]; a != nil && a.expr == e && !a.busy {
			return b.bindAlias(a)
		}
	}
	return b.bindBare(e)
}

// bindBare is bind without regard to the expression's own alias.
func (b *binder) bindBare(e sql.Expr) (*expr, error) {
	n, err := b.bindNode(e)
	if out := b.nullKeys[n]; err == nil && out != nil {
		return out, nil
	}
	return n, err
}

func (b *binder) bindNode(e sql.Expr) (*expr, error) {
	if b.steps++; b.steps > maxBindSteps {
		return nil, errcode.New(errcode.TooBigAST, "The query is too big: more than %d expressions with aliases put in", maxBindSteps)
	}
	switch e := e.(type) {
	case *sql.Literal:
		c, err := literalColumn(e.Value)
		if err != nil {
			return nil, err
		}
		return b.pool.constant(c), nil
	case *sql.Ident:
		return b.identifier(e)
	case *sql.Func:
		return b.call(e)
	case *sql.Subquery:
		return b.scalar(e)
	case *sql.Param:
		if e.Type != nil && e.Type.Name == "Identifier" {
			name, err := b.q.paramText(e)
			if err != nil {
				return nil, err
			}
			return b.identifier(&sql.Ident{Parts: []string{name}})
		}
		c, err := b.q.paramColumn(e)
		if err != nil {
			return nil, err
		}
		return b.pool.constant(c), nil
	case *sql.Lambda:
		return nil, errcode.New(errcode.BadArguments, "Lambda %s is not allowed in expression context. In scope %s", sql.Format(e), b.scopeText())
	case *sql.Asterisk, *sql.ColumnsMatcher:
		return nil, errcode.New(errcode.UnsupportedMethod, "Matcher '%s' cannot be used in this context. In scope %s", sql.Format(e), b.scopeText())
	}
	return nil, errcode.New(errcode.UnknownElementInAST, "Unknown expression %T", e)
}

// bindList binds arguments; asterisks and COLUMNS give as many as they match.
func (b *binder) bindList(list []sql.Expr) ([]*expr, error) {
	out := make([]*expr, 0, len(list))
	for _, e := range list {
		switch e.(type) {
		case *sql.Asterisk, *sql.ColumnsMatcher:
			items, err := b.expand(e)
			if err != nil {
				return nil, err
			}
			for _, it := range items {
				out = append(out, it.node)
			}
			continue
		}
		n, err := b.bind(e)
		if err != nil {
			return nil, err
		}
		out = append(out, n)
	}
	return out, nil
}

// call binds a function call, aggregate functions and the special forms included.
func (b *binder) call(f *sql.Func) (*expr, error) {
	if f.Over != nil {
		return b.overCall(f)
	}
	if special := specialForm(f.Name); special != nil {
		return special(b, f)
	}
	if a := b.alias[f.Name]; a != nil { // WITH x -> x + 1 AS f
		if l, ok := a.expr.(*sql.Lambda); ok {
			return b.inline(f, l)
		}
	}
	fn := b.q.engine.function(f.Name)
	if fn == nil {
		if body := b.q.engine.catalog.userFunction(f.Name); body != nil {
			return b.inline(f, body)
		}
		return b.aggregate(f)
	}
	if f.HasParams {
		return nil, errcode.New(errcode.FunctionCannotHaveParameters, "Function %s is not parametric. In scope %s", f.Name, b.scopeText())
	}
	if isDictFunction(fn.Name) {
		if err := b.dictArguments(f); err != nil {
			return nil, err
		}
	}
	if (fn.Name == "if" || fn.Name == "multiIf") && len(f.Args) >= 3 && len(f.Args)%2 == 1 {
		return b.conditional(fn, f)
	}
	args, err := b.arguments(f)
	if err != nil {
		return nil, err
	}
	return b.apply(fn, f.Name, args)
}

// arguments binds the arguments of a function; lambdas are left for apply.
func (b *binder) arguments(f *sql.Func) ([]*expr, error) {
	for _, a := range f.Args {
		switch a := a.(type) {
		case *sql.Lambda:
			return b.lambdaArguments(f)
		case *sql.Asterisk, *sql.ColumnsMatcher:
			return b.bindList(f.Args)
		case *sql.Ident:
			if b.lambdaAlias(a) != nil {
				return b.lambdaArguments(f)
			}
		}
	}
	args := make([]*expr, len(f.Args))
	for i, a := range f.Args {
		n, err := b.bind(a)
		if err != nil {
			return nil, err
		}
		args[i] = n
	}
	return args, nil
}

// lambdaAlias is the lambda that a name stands for, nil where it does not.
func (b *binder) lambdaAlias(id *sql.Ident) *sql.Lambda {
	if len(id.Parts) == 1 {
		if a := b.alias[id.Parts[0]]; a != nil {
			l, _ := a.expr.(*sql.Lambda)
			return l
		}
	}
	return nil
}

func (b *binder) lambdaArguments(f *sql.Func) ([]*expr, error) {
	args := make([]*expr, len(f.Args))
	for i, a := range f.Args {
		l, ok := a.(*sql.Lambda)
		if id, isIdent := a.(*sql.Ident); !ok && isIdent {
			l = b.lambdaAlias(id)
		}
		if l != nil {
			args[i] = b.pool.fresh(&expr{op: opLambda, typ: column.Of(column.Lambda), lam: &lambda{}})
			args[i].name = "lambda"
			b.pending(args[i], l)
			continue
		}
		n, err := b.bind(a)
		if err != nil {
			return nil, err
		}
		args[i] = n
	}
	return args, nil
}

// conditional binds if(c, a, b) and multiIf(c, a, d, b, ..., z). Where constant conditions tell which branch is taken, the others give their types only;
// where one of them is an error, the call is the branch that is taken, so that if(1, 1, intDiv(1, 0)) is none.
func (b *binder) conditional(fn *function.Function, f *sql.Func) (*expr, error) {
	args := make([]*expr, len(f.Args))
	taken := -1
	for i := 0; taken < 0 && i+1 < len(args); i += 2 {
		var err error
		if args[i], err = b.bind(f.Args[i]); err != nil {
			return nil, err
		}
		if !args[i].isConst() || b.noFold > 0 {
			break
		}
		if truth(args[i].val) {
			taken = i + 1
		} else if i+3 == len(args) {
			taken = i + 2
		}
	}
	for i, a := range f.Args {
		if args[i] != nil {
			continue
		}
		var err error
		if args[i], err = b.bind(a); err != nil {
			if taken >= 0 && i != taken {
				return b.bind(f.Args[taken])
			}
			return nil, err
		}
	}
	e, err := b.apply(fn, f.Name, args)
	if err == nil && taken >= 0 && args[taken].isConst() && !e.isConst() {
		return b.cast(args[taken], e.typ)
	}
	return e, err
}

// truth is the value of a constant condition; NULL is false.
func truth(c column.Column) bool {
	keep, n := conditionBytes(column.Plain(c), 1)
	return n == 1 && (keep == nil || keep[0] != 0)
}

// cast converts a node to a type.
func (b *binder) cast(e *expr, t *column.Type) (*expr, error) {
	if e.typ.Equal(t) {
		return e, nil
	}
	if e.isConst() {
		c, err := column.Cast(e.val, t, column.CastPlain)
		if err != nil {
			return nil, err
		}
		return b.pool.constant(c), nil
	}
	f, err := column.NewCast(e.typ, t, column.CastPlain)
	if err != nil {
		return nil, err
	}
	b.pool.begin(opCall, "_CAST "+t.String())
	b.pool.addArgs([]*expr{e})
	if found := b.pool.find(); found != nil {
		return found, nil
	}
	bound := &function.Bound{Type: t, Exec: func(c *function.Call) (column.Column, error) { return f(c.Args[0]) }}
	out := &expr{op: opCall, typ: t, name: "_CAST", args: []*expr{e}, bound: bound}
	return b.pool.add(b.pool.key, out.derive()), nil
}

// callByName applies a function to nodes.
func (b *binder) callByName(name string, args ...*expr) (*expr, error) {
	fn := b.q.engine.function(name)
	if fn == nil {
		return nil, b.unknownFunction(name)
	}
	return b.apply(fn, name, args)
}

// apply binds a function to its arguments' types and makes the node; calls of constants are computed at once.
func (b *binder) apply(fn *function.Function, name string, args []*expr) (*expr, error) {
	fold := b.noFold == 0
	lambdas := false
	for _, a := range args {
		lambdas = lambdas || a.op == opLambda
	}
	if !lambdas {
		b.pool.begin(opCall, fn.Name)
		b.pool.addArgs(args)
		if e := b.pool.find(); e != nil && (fold || e.op != opConst) {
			return e, nil
		}
	}
	fargs := make([]function.Arg, len(args))
	constant := true
	for i, a := range args {
		fargs[i].Type = a.typ
		switch a.op {
		case opConst:
			fargs[i].Const = a.val
		case opLambda:
			fargs[i].Lambda = &lambdaBinder{b: b, e: a}
		case opColumn, opJoined:
			fargs[i].Name = a.name
		}
		constant = constant && a.isConst()
	}
	bound, err := function.Bind(&b.q.env, fn, fargs)
	if err != nil {
		return nil, b.inScope(err)
	}
	if len(bound.Type.Elems) > 0 {
		if err := checkType(bound.Type); err != nil {
			return nil, err
		}
	}
	e := &expr{op: opCall, typ: bound.Type, name: name, args: args, bound: bound}
	if lambdas {
		for _, a := range args {
			if a.op == opLambda && a.lam.body == nil {
				return nil, errcode.New(errcode.IllegalTypeOfArgument, "Function %s does not take a lambda there. In scope %s", name, b.scopeText())
			}
		}
		constant = b.finishLambdas(args)
	}
	e.derive()
	e.volatile = e.volatile || fn.Flags&function.NotDeterministic != 0
	if bound.Value != nil && fold && fn.Flags&function.NotDeterministic == 0 && !lambdas && !e.hasAggregate && !e.hasArrayJoin && !e.hasWindow {
		k := b.pool.constant(bound.Value)
		b.pool.begin(opCall, fn.Name)
		b.pool.addArgs(args)
		b.pool.nodes[string(b.pool.key)] = k
		return k, nil
	}
	if constant && fold && !e.volatile && fn.Flags&function.OwnConst == 0 {
		c, err := b.fold(e, lambdas)
		if err != nil {
			return nil, b.inScope(err)
		}
		k := b.pool.constant(c)
		if !lambdas {
			b.pool.begin(opCall, fn.Name)
			b.pool.addArgs(args)
			b.pool.nodes[string(b.pool.key)] = k
		}
		return k, nil
	}
	if lambdas {
		return b.pool.fresh(e), nil
	}
	b.pool.begin(opCall, fn.Name)
	b.pool.addArgs(args)
	return b.pool.add(b.pool.key, e), nil
}

// fold computes a call of constants.
func (b *binder) fold(e *expr, lambdas bool) (column.Column, error) {
	if err := b.q.check(); err != nil {
		return nil, err
	}
	c, err := b.foldAny(e, lambdas)
	if err != nil {
		return nil, err
	}
	bytes := c.Bytes()
	if c.Type().FixedWidth() == 0 && c.Type().Kind != column.String && bytes > maxConstant {
		return nil, errcode.New(errcode.MemoryLimitExceeded, "Memory limit exceeded: a constant of type %s takes %d bytes, maximum: %d", c.Type(), bytes, int64(maxConstant))
	}
	if bytes < smallConstant {
		return c, nil
	}
	return c, b.q.reserve(bytes) // the plan keeps it as long as the query runs
}

const (
	// maxConstant bounds arrays and tuples computed while planning: WITH [a0, a0] AS a1, [a1, a1] AS a2, ... doubles with each alias.
	maxConstant = 128 << 20
	// smallConstant is the size up to which constants are not counted, and equal ones are one node.
	smallConstant = 64 << 10
	// maxTypeNodes and maxTypeDepth bound what types are made of: a tuple of a tuple twice, of that twice, ... doubles with each alias, too, without a value
	// that grows.
	maxTypeNodes = 100_000
	maxTypeDepth = 300
)

// checkType refuses types that are made of too much.
func checkType(t *column.Type) error {
	left := maxTypeNodes
	var visit func(t *column.Type, depth int) error
	visit = func(t *column.Type, depth int) error {
		if left--; left < 0 {
			return errcode.New(errcode.MemoryLimitExceeded, "Memory limit exceeded: a type is made of more than %d others", maxTypeNodes)
		}
		if depth > maxTypeDepth {
			return errcode.New(errcode.TooDeepRecursion, "A type is nested more than %d deep", maxTypeDepth)
		}
		for _, e := range t.Elems {
			if err := visit(e, depth+1); err != nil {
				return err
			}
		}
		return nil
	}
	return visit(t, 0)
}

func (b *binder) foldAny(e *expr, lambdas bool) (column.Column, error) {
	if !lambdas {
		args := make([]column.Column, len(e.args))
		for i, a := range e.args {
			args[i] = a.val
		}
		return constRow(&b.q.env, e.bound, args)
	}
	prog, err := compile([]*expr{e}, newLayout(nil), true, func(*expr) error {
		return errcode.New(errcode.LogicalError, "A constant expression depends on a column")
	})
	if err != nil {
		return nil, err
	}
	f := newFrame(prog, &b.q.env)
	f.held = &tally{reserve: b.q.reserve}
	defer f.held.free()
	out, err := f.run(nil, 1)
	if err != nil {
		return nil, err
	}
	return finishConst(out[0], nil)
}

// inScope adds the SELECT's text to an error, as ClickHouse does.
func (b *binder) inScope(err error) error {
	if b.sel == nil {
		return err
	}
	text := errcode.Text(err)
	if strings.Contains(text, "In scope ") {
		return err
	}
	return &errcode.Error{Code: errcode.Of(err), Msg: strings.TrimSuffix(text, ".") + ": In scope " + b.scopeText(), Err: err}
}

// function finds a scalar function: those of the engine, then the registry.
func (e *Engine) function(name string) *function.Function {
	if f := e.functions[name]; f != nil {
		return f
	}
	if f, ok := function.Lookup(name); ok {
		return f
	}
	return nil
}

// unknownFunction is ClickHouse's error 46 with the names that are most like the unknown one.
func (b *binder) unknownFunction(name string) error {
	hint := ""
	if hints := similar(name, b.q.engine.functionNames(), 2); len(hints) > 0 {
		hint = " Maybe you meant: ['" + strings.Join(hints, "','") + "']"
	}
	if b.sel == nil {
		return errcode.New(errcode.UnknownFunction, "Function with name `%s` does not exist.%s", name, hint)
	}
	if hint != "" {
		hint = "." + hint
	}
	return errcode.New(errcode.UnknownFunction, "Function with name `%s` does not exist. In scope %s%s", name, b.scopeText(), hint)
}

// paramText is the value of a query parameter as text.
func (q *run) paramText(p *sql.Param) (string, error) {
	if q.viewParams != nil { // in a view only the view's own are known
		if v, ok := q.viewParams[p.Name]; ok {
			return v, nil
		}
		return "", errcode.New(errcode.UnknownQueryParameter, "Substitution `%s` is not set", p.Name)
	}
	v, ok := q.params[p.Name]
	if !ok {
		return "", errcode.New(errcode.UnknownQueryParameter, "Substitution `%s` is not set", p.Name)
	}
	if q.req.QuotedParams {
		if _, own := q.req.Params[p.Name]; own {
			return unquoteParam(v), nil
		}
	}
	return v, nil
}

// unquoteParam takes the quotes and escapes off a value as the native protocol carries it. One client sends the text in quotes without escaping it, so
// quotes inside are taken as they are.
func unquoteParam(v string) string {
	if len(v) < 2 || v[0] != '\'' || v[len(v)-1] != '\'' {
		return v
	}
	v = v[1 : len(v)-1]
	if !strings.Contains(v, `\`) {
		return v
	}
	if e, err := sql.ParseExpr("'"+v+"'", sql.Options{}); err == nil {
		if l, ok := e.(*sql.Literal); ok && l.Value.Kind == sql.StringValue {
			return l.Value.Str()
		}
	}
	return v
}

// paramColumn is the value of {name:Type} as a one-row column.
func (q *run) paramColumn(p *sql.Param) (column.Column, error) {
	text, err := q.paramText(p)
	if err != nil {
		return nil, err
	}
	t, err := typeOf(p.Type)
	if err != nil {
		return nil, err
	}
	c := column.New(t, 1)
	if err := column.ParseText(c, []byte(text), column.TextTSV); err != nil {
		return nil, errcode.New(errcode.BadQueryParameter, "Value %s cannot be parsed as %s for query parameter '%s'", text, t, p.Name)
	}
	return c, nil
}

// typeOf is the type that a type expression names.
func typeOf(t *sql.TypeExpr) (*column.Type, error) {
	return column.Parse(t.String())
}
