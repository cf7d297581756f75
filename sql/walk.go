package sql

import "dictsvc/errcode"

// Children calls visit for every node directly under n, in the order in which they were written. TypeExpr, names and
// settings are not visited.
func Children(n Node, visit func(Node)) {
	expr := func(e Expr) {
		if e != nil {
			visit(e)
		}
	}
	exprs := func(list []Expr) {
		for _, e := range list {
			visit(e)
		}
	}
	query := func(q *SelectQuery) {
		if q != nil {
			visit(q)
		}
	}
	switch n := n.(type) {
	case *Func:
		exprs(n.Params)
		exprs(n.Args)
		if n.Over != nil {
			windowChildren(n.Over, expr)
		}
	case *Lambda:
		for _, p := range n.Params {
			visit(p)
		}
		expr(n.Body)
	case *Subquery:
		query(n.Query)
	case *Asterisk:
		expr(n.Qualifier)
		transformerChildren(n.Transformers, visit)
	case *ColumnsMatcher:
		exprs(n.List)
		transformerChildren(n.Transformers, visit)
	case *SelectQuery:
		for _, q := range n.Queries {
			visit(q)
		}
	case *Select:
		selectChildren(n, visit)
	case *TableExpr:
		if n.Func != nil {
			visit(n.Func)
		}
		query(n.Query)
	case *Insert:
		if n.Func != nil {
			visit(n.Func)
		}
		exprs(n.Columns)
		query(n.Query)
	case *CreateDictionary:
		for _, a := range n.Attributes {
			expr(a.Expression)
		}
		exprs(n.PrimaryKey)
	case *CreateTable:
		for _, c := range n.Columns {
			expr(c.Default)
			expr(c.TTL)
			exprs(c.Codec)
		}
		for _, d := range n.Indexes {
			expr(d.Expr)
		}
		for _, d := range n.Constraints {
			expr(d.Expr)
		}
		for _, d := range n.Projections {
			visit(d.Select)
		}
		engineChildren(n.Engine, expr, exprs)
		query(n.AsSelect)
		if n.AsFunc != nil {
			visit(n.AsFunc)
		}
	case *CreateView:
		for _, c := range n.Columns {
			expr(c.Default)
		}
		engineChildren(n.Engine, expr, exprs)
		query(n.Query)
	case *CreateFunction:
		expr(n.Body)
	case *Show:
		expr(n.Where)
		expr(n.Limit)
	case *Describe:
		visit(n.Table)
	case *Kill:
		expr(n.Where)
	case *Explain:
		if n.Query != nil {
			visit(n.Query)
		}
	}
}

func transformerChildren(list []Transformer, visit func(Node)) {
	for _, t := range list {
		for _, e := range t.Replace {
			visit(e)
		}
		if t.Lambda != nil {
			visit(t.Lambda)
		}
		for _, e := range t.Params {
			visit(e)
		}
	}
}

func engineChildren(e *Engine, expr func(Expr), exprs func([]Expr)) {
	if e == nil {
		return
	}
	exprs(e.Args)
	for _, x := range [...]Expr{e.PartitionBy, e.PrimaryKey, e.OrderBy, e.SampleBy} {
		expr(x)
	}
	for _, t := range e.TTL {
		expr(t.Expr)
		expr(t.Where)
		exprs(t.GroupBy)
		exprs(t.Set)
	}
}

// WindowExprs visits the expressions of a window's definition.
func WindowExprs(w *Window, visit func(Expr)) {
	windowChildren(w, func(e Expr) {
		if e != nil {
			visit(e)
		}
	})
}

func windowChildren(w *Window, expr func(Expr)) {
	for _, e := range w.PartitionBy {
		expr(e)
	}
	orderChildren(w.OrderBy, expr)
	expr(w.Begin.Offset)
	expr(w.End.Offset)
}

func orderChildren(items []OrderItem, expr func(Expr)) {
	for i := range items {
		for _, e := range [...]Expr{items[i].Expr, items[i].FillFrom, items[i].FillTo, items[i].FillStep, items[i].FillStale} {
			expr(e)
		}
	}
}

func selectChildren(s *Select, visit func(Node)) {
	expr := func(e Expr) {
		if e != nil {
			visit(e)
		}
	}
	for _, item := range s.With {
		if item.Query != nil {
			visit(item.Query)
		}
		expr(item.Expr)
	}
	for _, e := range s.Columns {
		visit(e)
	}
	for i := range s.From {
		item := &s.From[i]
		if item.Table != nil {
			visit(item.Table)
		}
		if item.ArrayJoin != nil {
			for _, e := range item.ArrayJoin.Exprs {
				visit(e)
			}
		}
		if item.Join != nil {
			expr(item.Join.On)
			for _, e := range item.Join.Using {
				visit(e)
			}
		}
	}
	expr(s.Prewhere)
	expr(s.Where)
	if g := s.GroupBy; g != nil {
		for _, e := range g.Exprs {
			visit(e)
		}
		for _, set := range g.Sets {
			for _, e := range set {
				visit(e)
			}
		}
	}
	expr(s.Having)
	for _, w := range s.Windows {
		windowChildren(w.Window, expr)
	}
	expr(s.Qualify)
	orderChildren(s.OrderBy, expr)
	if s.Interpolate != nil {
		for _, c := range s.Interpolate.Columns {
			expr(c.Expr)
		}
	}
	if by := s.LimitBy; by != nil {
		expr(by.Limit)
		expr(by.Offset)
		for _, e := range by.By {
			visit(e)
		}
	}
	expr(s.Limit)
	expr(s.Offset)
}

// Walk visits n and the nodes under it, parents first. visit returns false to leave out what is under a node.
func Walk(n Node, visit func(Node) bool) {
	if n == nil || !visit(n) {
		return
	}
	Children(n, func(child Node) { Walk(child, visit) })
}

// sizeCheck counts the nodes and the depth of a tree as ClickHouse counts them: a call is two levels, itself and its list of arguments.
type sizeCheck struct {
	opts  Options
	count int
	err   error
}

func checkSize(s Statement, opts Options) error {
	if s == nil {
		return nil
	}
	c := &sizeCheck{opts: opts}
	c.node(s, 1)
	return c.err
}

func checkExprSize(e Expr, opts Options) error {
	c := &sizeCheck{opts: opts}
	c.node(e, 1)
	return c.err
}

// node counts one node and what is under it. It stops at the first limit that is passed, so that neither the stack nor the time
// depends on how much a hostile text holds.
func (c *sizeCheck) node(n Node, depth int) {
	if c.err != nil {
		return
	}
	c.count++
	step := 1
	switch n.(type) {
	case *Func, *Lambda, *SelectQuery, *Select:
		step = 2
		c.count++
	}
	if depth > c.opts.MaxASTDepth {
		c.err = errcode.New(errcode.TooDeepAST, "AST is too deep. Maximum: %d", c.opts.MaxASTDepth)
		return
	}
	if c.count > c.opts.MaxASTElements {
		c.err = errcode.New(errcode.TooBigAST, "AST is too big. Maximum: %d", c.opts.MaxASTElements)
		return
	}
	Children(n, func(child Node) { c.node(child, depth+step) })
}
