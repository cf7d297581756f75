package query

import (
	"strconv"
	"strings"

	"dictsvc/agg"
	"dictsvc/column"
	"dictsvc/errcode"
	"dictsvc/function"
	"dictsvc/sql"
)

// isIn tells whether a function is IN in one of its forms.
func isIn(name string) bool {
	switch name {
	case "in", "globalIn", "notIn", "globalNotIn", "nullIn", "globalNullIn", "notNullIn", "globalNotNullIn":
		return true
	}
	return false
}

// specialForm is the binder of a function that is more than a function of its arguments' values; nil for all others.
func specialForm(name string) func(*binder, *sql.Func) (*expr, error) {
	if isIn(name) {
		return (*binder).in
	}
	switch name {
	case "arrayJoin":
		return (*binder).arrayJoin
	case "exists":
		return (*binder).exists
	case "grouping":
		return (*binder).grouping
	case "untuple":
		return func(b *binder, _ *sql.Func) (*expr, error) {
			return nil, errcode.New(errcode.UnsupportedMethod, "Function untuple can stand in the SELECT list only. In scope %s", b.scopeText())
		}
	}
	return nil
}

// aggregateCall is an aggregate function with its parameters and arguments.
type aggregateCall struct {
	bound  *agg.Function
	params []column.Column
	args   []*expr
}

// aggregateParams binds the parameters of an aggregate function.
func (b *binder) aggregateParams(f *sql.Func) ([]column.Column, error) {
	var params []column.Column
	for _, p := range f.Params {
		e, err := b.bind(p)
		if err != nil {
			return nil, err
		}
		if !e.isConst() {
			return nil, errcode.New(errcode.BadArguments, "Parameters of aggregate function %s must be constants. In scope %s", f.Name, b.scopeText())
		}
		params = append(params, e.val)
	}
	return params, nil
}

// aggregateParts binds an aggregate function; a name that is none either is unknown.
func (b *binder) aggregateParts(f *sql.Func) (*aggregateCall, error) {
	name, ok := agg.Lookup(b.aggregateName(f))
	if !ok {
		return nil, b.unknownAggregate(f)
	}
	params, err := b.aggregateParams(f)
	if err != nil {
		return nil, err
	}
	list := f.Args
	if len(list) == 1 && name == "count" || len(list) > 0 && strings.HasPrefix(name, "count") {
		if a, ok := list[0].(*sql.Asterisk); ok && a.Qualifier == nil && len(a.Transformers) == 0 {
			list = list[1:]
		}
	}
	args, err := b.bindList(list)
	if err != nil {
		return nil, err
	}
	types := make([]*column.Type, len(args))
	for i, a := range args {
		types[i] = a.typ
	}
	bound, err := agg.Bind(name, params, types, f.Nulls == sql.NullsRespect)
	if err != nil {
		return nil, b.inScope(err)
	}
	return &aggregateCall{bound: bound, params: params, args: args}, nil
}

// aggregate binds an aggregate function over the rows of a group.
func (b *binder) aggregate(f *sql.Func) (*expr, error) {
	if w := findWindowFunction(f.Name); w != nil {
		return nil, errcode.New(errcode.BadArguments, "The function '%s' can only be used as a window function, not as an aggregate function. In scope %s", w.name, b.scopeText())
	}
	nullKeys := b.nullKeys // aggregates are over the rows that are grouped
	b.nullKeys = nil
	call, err := b.aggregateParts(f)
	b.nullKeys = nullKeys
	if err != nil {
		return nil, err
	}
	bound, params, args := call.bound, call.params, call.args
	for _, a := range args {
		if a.hasAggregate {
			return nil, errcode.New(errcode.IllegalAggregation, "Aggregate function %s is found inside another aggregate function in query. In scope %s", b.aggregateText(a), b.scopeText())
		}
		if err := b.refuseGrouping(a, "inside another aggregate function"); err != nil {
			return nil, err
		}
		if a.hasWindow {
			return nil, errcode.New(errcode.IllegalAggregation, "Window function %s is found inside an aggregate function in query. In scope %s", b.windowText(a), b.scopeText())
		}
		if a.level > 0 {
			return nil, errcode.New(errcode.UnexpectedExpression, "Aggregate function %s is inside of a lambda. In scope %s", f.Name, b.scopeText())
		}
	}
	e := b.aggregateNode(f, params, args, bound)
	if b.shard != nil {
		note(&b.shard.aggs, e, f, nil)
	}
	return e, nil
}

// aggregateNode is the node of a bound aggregate function; equal ones share it.
func (b *binder) aggregateNode(f *sql.Func, params []column.Column, args []*expr, bound *agg.Function) *expr {
	b.pool.begin(opAggregate, bound.Name)
	for _, p := range params {
		b.pool.key = column.AppendImage(append(b.pool.key, p.Type().String()...), p, 0)
	}
	b.pool.key = append(b.pool.key, byte(f.Nulls), 0)
	b.pool.addArgs(args)
	if e := b.pool.find(); e != nil {
		return e
	}
	e := &expr{op: opAggregate, typ: bound.Type, name: bound.Name, args: args, agg: bound}
	e.derive()
	e.hasAggregate = true
	return b.pool.add(b.pool.key, e)
}

// aggregateText names the first aggregate function in a node.
func (b *binder) aggregateText(e *expr) string {
	if e.op == opAggregate {
		return exprText(e)
	}
	text := ""
	e.children(func(c *expr) {
		if text == "" && c.hasAggregate {
			text = b.aggregateText(c)
		}
	})
	return text
}

// exprText is a node as text, for messages and EXPLAIN.
func exprText(e *expr) string {
	var sb strings.Builder
	writeExpr(&sb, e)
	return sb.String()
}

// maxExprText bounds the text of a node: aliases of aliases can repeat each other without end.
const maxExprText = 16 << 10

func writeExpr(sb *strings.Builder, e *expr) {
	if sb.Len() > maxExprText {
		sb.WriteString("...")
		return
	}
	switch e.op {
	case opConst:
		sb.Write(column.AppendText(nil, e.val, 0, column.TextQuoted))
		return
	case opColumn, opJoined, opParam:
		sb.WriteString(e.name)
		return
	case opLambda:
		sb.WriteString("lambda")
		return
	case opArrayJoin:
		sb.WriteString("arrayJoin")
	case opIn:
		if e.set.not {
			sb.WriteString("notIn(")
		} else {
			sb.WriteString("in(")
		}
		writeExpr(sb, e.args[0])
		sb.WriteString(", set of " + strconv.Itoa(e.set.rows) + ")")
		return
	default:
		sb.WriteString(e.name)
	}
	sb.WriteByte('(')
	args := e.args
	if e.win != nil {
		args = args[:e.win.nargs]
	}
	for i, a := range args {
		if i > 0 {
			sb.WriteString(", ")
		}
		writeExpr(sb, a)
		if sb.Len() > maxExprText {
			break
		}
	}
	sb.WriteByte(')')
	if e.win != nil {
		sb.WriteString(" OVER (" + e.win.spec.text() + ")")
	}
}

// arrayJoin binds arrayJoin(array), which makes a row of each element.
func (b *binder) arrayJoin(f *sql.Func) (*expr, error) {
	if len(f.Args) != 1 {
		return nil, errcode.New(errcode.NumberOfArgumentsDoesntMatch, "arrayJoin requires exactly 1 argument. In scope %s", b.scopeText())
	}
	a, err := b.bind(f.Args[0])
	if err != nil {
		return nil, err
	}
	t, err := arrayElement(a.typ)
	if err != nil || t.Kind == column.Nothing {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "Illegal type %s of argument of function arrayJoin: want an array or a map with elements. In scope %s", a.typ, b.scopeText())
	}
	b.pool.begin(opArrayJoin, "")
	b.pool.addArgs([]*expr{a})
	if e := b.pool.find(); e != nil {
		return e, nil
	}
	e := &expr{op: opArrayJoin, typ: t, name: "arrayJoin", args: []*expr{a}}
	e.derive()
	e.hasArrayJoin = true
	return b.pool.add(b.pool.key, e), nil
}

// arrayElement is the type of what ARRAY JOIN makes of a column.
func arrayElement(t *column.Type) (*column.Type, error) {
	switch t.Kind {
	case column.Array:
		return t.Elems[0], nil
	case column.Map:
		return column.NewTuple(t.Elems, []string{"keys", "values"}), nil
	}
	return nil, errcode.New(errcode.TypeMismatch, "ARRAY JOIN requires array argument, got %s", t)
}

// exists binds EXISTS (query): 1 where the query has a row.
func (b *binder) exists(f *sql.Func) (*expr, error) {
	if len(f.Args) != 1 {
		return nil, errcode.New(errcode.NumberOfArgumentsDoesntMatch, "Function exists takes one subquery. In scope %s", b.scopeText())
	}
	s, ok := f.Args[0].(*sql.Subquery)
	if !ok {
		return nil, errcode.New(errcode.BadArguments, "Function exists takes a subquery. In scope %s", b.scopeText())
	}
	p, err := b.q.bindQuery(s.Query, b)
	if err != nil {
		return nil, err
	}
	found := uint8(0)
	err = b.q.runPlan(p, nil, func(c *batch) (bool, error) {
		if c.rows > 0 {
			found = 1
		}
		return c.rows == 0, nil
	})
	if err != nil {
		return nil, err
	}
	return b.pool.constant(column.UInt8s(found)), nil
}

// scalar runs a subquery in the place of a value: one row, of which several columns make a tuple.
func (b *binder) scalar(s *sql.Subquery) (*expr, error) {
	if c, ok := b.q.scalars[s]; ok {
		return b.pool.constant(c), nil
	}
	p, err := b.q.bindQuery(s.Query, b)
	if err != nil {
		return nil, err
	}
	cols := p.columns()
	var row []column.Column
	err = b.q.runPlan(p, nil, func(c *batch) (bool, error) {
		if c.rows == 0 {
			return true, nil
		}
		if c.rows > 1 || row != nil {
			return false, errcode.New(errcode.IncorrectResultOfScalarSubquery, "Scalar subquery returned more than one row")
		}
		for _, x := range c.cols {
			row = append(row, column.Full(x))
		}
		return true, nil
	})
	if err != nil {
		return nil, err
	}
	c, err := scalarColumn(cols, row)
	if err != nil {
		return nil, err
	}
	if b.q.scalars == nil {
		b.q.scalars = map[*sql.Subquery]column.Column{}
	}
	b.q.scalars[s] = c
	return b.pool.constant(c), nil
}

// scalarColumn is a scalar subquery's value. A single column is Nullable, because the query may have no row; several are a tuple.
func scalarColumn(cols []columnInfo, row []column.Column) (column.Column, error) {
	if len(cols) == 1 {
		t := cols[0].Type
		if !canBeNullable(t) {
			if row == nil {
				return nil, emptyScalar(t)
			}
			return row[0], nil
		}
		if t.IsNullable() && row != nil {
			return row[0], nil
		}
		if t.Kind == column.LowCardinality {
			t = t.Elems[0]
		}
		n := column.NewNullable(t)
		out := column.New(n, 1)
		if row == nil {
			out.AppendDefault(1)
			return out, nil
		}
		out.AppendRange(column.Plain(row[0]), 0, 1)
		return out, nil
	}
	types, names := make([]*column.Type, len(cols)), make([]string, len(cols))
	for i, c := range cols {
		types[i], names[i] = c.Type, c.Name
	}
	t := column.NewTuple(types, names)
	if row == nil {
		return nil, emptyScalar(t)
	}
	return &column.Tup{T: t, Elems: row, N: 1}, nil
}

func emptyScalar(t *column.Type) error {
	return errcode.New(errcode.IncorrectResultOfScalarSubquery, "Scalar subquery returned empty result of type %s which cannot be Nullable", t)
}

// canBeNullable tells whether Nullable(t) is a type.
func canBeNullable(t *column.Type) bool {
	switch t.Kind {
	case column.Array, column.Tuple, column.Map, column.AggregateFunction:
		return false
	}
	return true
}

// functionNames lists the names of all functions, scalar and aggregate.
func (e *Engine) functionNames() []string {
	var names []string
	for _, n := range function.Names() {
		names = append(names, n.Name)
	}
	for n := range e.functions {
		names = append(names, n)
	}
	for _, f := range windowFunctions() {
		names = append(names, f.name)
	}
	return append(names, agg.Names()...)
}
