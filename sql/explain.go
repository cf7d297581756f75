package sql

import (
	"strconv"
	"strings"
)

// astNode is a node of the tree that EXPLAIN AST prints: ClickHouse's tree has nodes for lists and elements that ours does not need.
type astNode struct {
	label    string
	children []*astNode
}

// ExplainAST is the text of EXPLAIN AST for a statement, a line for each node, the last one with its line end.
func ExplainAST(n Node) string {
	var b strings.Builder
	astOf(n).write(&b, 0)
	return b.String()
}

func (n *astNode) write(b *strings.Builder, depth int) {
	for range depth {
		b.WriteByte(' ')
	}
	b.WriteString(n.label)
	if len(n.children) > 0 {
		b.WriteString(" (children " + strconv.Itoa(len(n.children)) + ")")
	}
	b.WriteByte('\n')
	for _, child := range n.children {
		child.write(b, depth+1)
	}
}

// add appends the trees of expressions that are there.
func (n *astNode) add(exprs ...Expr) *astNode {
	for _, e := range exprs {
		if e != nil {
			n.children = append(n.children, astOf(e))
		}
	}
	return n
}

func (n *astNode) addNode(children ...*astNode) *astNode {
	for _, child := range children {
		if child != nil {
			n.children = append(n.children, child)
		}
	}
	return n
}

func astList(exprs []Expr) *astNode { return (&astNode{label: "ExpressionList"}).add(exprs...) }

// astLabel is a label with the expression's alias.
func astLabel(label string, base *ExprBase) *astNode {
	if base.As != "" {
		label += " (alias " + base.As + ")"
	}
	return &astNode{label: label}
}

func astOf(n Node) *astNode {
	switch n := n.(type) {
	case *Literal:
		return astLabel("Literal "+dumpValue(n.Value), &n.ExprBase)
	case *Ident:
		return astLabel("Identifier "+n.Name(), &n.ExprBase)
	case *Param:
		return astLabel("QueryParameter "+n.Name+":"+n.Type.String(), &n.ExprBase)
	case *Subquery:
		return astLabel("Subquery", &n.ExprBase).addNode(astOf(n.Query))
	case *Func:
		return astFunction(n)
	case *Lambda:
		params := &astNode{label: "ExpressionList"}
		for _, p := range n.Params {
			params.add(p)
		}
		tuple := (&astNode{label: "Function tuple"}).addNode(params)
		list := (&astNode{label: "ExpressionList"}).addNode(tuple).add(n.Body)
		return astLabel("Function lambda", &n.ExprBase).addNode(list)
	case *Asterisk:
		return astAsterisk(n)
	case *ColumnsMatcher:
		return astColumns(n)
	case *SelectQuery:
		return astQuery(n)
	case *Select:
		return astSelect(n)
	case *Explain:
		return (&astNode{label: "Explain EXPLAIN"}).addNode(astOf(n.Query))
	}
	return &astNode{label: "Query"}
}

// dumpValue writes a value with its type, as ClickHouse's trees show it.
func dumpValue(v Value) string {
	list := func(open, end string) string {
		parts := make([]string, len(v.Items()))
		for i, item := range v.Items() {
			parts[i] = dumpValue(item)
		}
		return open + strings.Join(parts, ", ") + end
	}
	switch v.Kind {
	case BoolValue:
		return "Bool_" + strconv.FormatUint(v.num, 10)
	case UInt64Value:
		return "UInt64_" + strconv.FormatUint(v.num, 10)
	case Int64Value:
		return "Int64_" + strconv.FormatInt(v.Int64(), 10)
	case Float64Value:
		return "Float64_" + floatText(v.Float64())
	case StringValue:
		return QuoteString(v.str)
	case ArrayValue:
		return list("Array_[", "]")
	case TupleValue:
		return list("Tuple_(", ")")
	}
	return "NULL"
}

func astFunction(f *Func) *astNode {
	node := astLabel("Function "+f.Name, &f.ExprBase)
	args := &astNode{label: "ExpressionList"}
	for i, arg := range f.Args {
		if sub, ok := arg.(*Subquery); ok && f.BareSelect && i == 0 {
			args.addNode(astOf(sub.Query))
		} else {
			args.add(arg)
		}
	}
	if f.Settings != nil {
		args.addNode(&astNode{label: "Set"})
	}
	node.addNode(args)
	if f.HasParams {
		node.addNode(astList(f.Params))
	}
	if f.Over != nil && f.Over.Name == "" {
		node.addNode(astWindow(f.Over))
	}
	return node
}

func astWindow(w *Window) *astNode {
	node := &astNode{label: "WindowDefinition"}
	if w.PartitionBy != nil {
		node.addNode(astList(w.PartitionBy))
	}
	if w.OrderBy != nil {
		node.addNode(astOrder(w.OrderBy, false))
	}
	return node.add(w.Begin.Offset, w.End.Offset)
}

func astOrder(items []OrderItem, all bool) *astNode {
	list := &astNode{label: "ExpressionList"}
	for i := range items {
		item := &items[i]
		element := &astNode{label: "OrderByElement"}
		if all {
			element.addNode(&astNode{label: "Identifier all"})
		}
		element.add(item.Expr)
		if item.HasCollate {
			element.addNode(&astNode{label: "Literal " + QuoteString(item.Collate)})
		}
		list.addNode(element.add(item.FillFrom, item.FillTo, item.FillStep, item.FillStale))
	}
	return list
}

func astAsterisk(a *Asterisk) *astNode {
	node := &astNode{label: "Asterisk"}
	if id, ok := a.Qualifier.(*Ident); ok {
		node.label = "QualifiedAsterisk"
		node.add(id)
	}
	return node.addNode(astTransformers(a.Transformers))
}

func astColumns(m *ColumnsMatcher) *astNode {
	kind := "ColumnsRegexpMatcher"
	if m.List != nil {
		kind = "ColumnsListMatcher"
	}
	node := &astNode{label: kind}
	if m.Qualifier != nil {
		node.label = "Qualified" + kind
		node.add(m.Qualifier)
	}
	if m.List != nil {
		node.addNode(astList(m.List))
	}
	return node.addNode(astTransformers(m.Transformers))
}

func astTransformers(list []Transformer) *astNode {
	if list == nil {
		return nil
	}
	node := &astNode{label: "ColumnsTransformerList"}
	for _, t := range list {
		child := &astNode{label: "ColumnsApplyTransformer"}
		switch t.Kind {
		case TransformExcept:
			child.label = "ColumnsExceptTransformer"
			for _, name := range t.Names {
				child.addNode(&astNode{label: "Identifier " + name})
			}
		case TransformReplace:
			child.label = "ColumnsReplaceTransformer"
			for _, e := range t.Replace {
				inner := astOf(e)
				inner.label = strings.TrimSuffix(inner.label, " (alias "+e.Alias()+")")
				child.addNode((&astNode{label: "ColumnsReplaceTransformer::Replacement"}).addNode(inner))
			}
		}
		node.addNode(child)
	}
	return node
}

// astQuery flattens brackets around single SELECTs, as ClickHouse's normalisation of unions does.
func astQuery(q *SelectQuery) *astNode {
	if inner, ok := q.Queries[0].(*SelectQuery); ok && len(q.Queries) == 1 {
		node := astQuery(inner)
		return astOutput(node, &q.Output)
	}
	list := &astNode{label: "ExpressionList"}
	for _, operand := range q.Queries {
		node := astOf(operand)
		if inner, ok := operand.(*SelectQuery); ok && inner.Single() != nil {
			node = astSelect(inner.Single())
		}
		list.addNode(node)
	}
	return astOutput((&astNode{label: "SelectWithUnionQuery"}).addNode(list), &q.Output)
}

func astOutput(node *astNode, o *Output) *astNode {
	if o.HasOutfile {
		node.addNode(&astNode{label: "Literal " + QuoteString(o.IntoOutfile)})
	}
	if o.Compression != "" {
		node.addNode(&astNode{label: "Literal " + QuoteString(o.Compression)}).add(o.Level)
	}
	if o.Settings != nil {
		node.addNode(&astNode{label: "Set"})
	}
	if o.Format != "" {
		node.addNode(&astNode{label: "Identifier " + o.Format})
	}
	return node
}

func astSelect(s *Select) *astNode {
	node := &astNode{label: "SelectQuery"}
	if s.With != nil {
		list := &astNode{label: "ExpressionList"}
		for _, item := range s.With {
			if item.Query == nil {
				list.add(item.Expr)
				continue
			}
			sub := (&astNode{label: "Subquery"}).addNode(astOf(item.Query))
			list.addNode((&astNode{label: "WithElement"}).addNode(sub))
		}
		node.addNode(list)
	}
	node.addNode(astList(s.Columns))
	if s.From != nil {
		tables := &astNode{label: "TablesInSelectQuery"}
		for i := range s.From {
			tables.addNode(astFromItem(&s.From[i]))
		}
		node.addNode(tables)
	}
	node.add(s.Prewhere, s.Where)
	if g := s.GroupBy; g != nil && !g.All {
		switch {
		case g.GroupingSets:
			sets := &astNode{label: "ExpressionList"}
			for _, set := range g.Sets {
				sets.addNode(astList(set))
			}
			node.addNode(sets)
		case g.Exprs != nil:
			node.addNode(astList(g.Exprs))
		}
	}
	node.add(s.Having)
	if s.Windows != nil {
		list := &astNode{label: "ExpressionList"}
		for _, w := range s.Windows {
			list.addNode((&astNode{label: "WindowListElement"}).addNode(astWindow(w.Window)))
		}
		node.addNode(list)
	}
	node.add(s.Qualify)
	if s.OrderBy != nil {
		node.addNode(astOrder(s.OrderBy, s.OrderByAll))
	}
	if s.Interpolate != nil {
		list := &astNode{label: "ExpressionList"}
		for _, c := range s.Interpolate.Columns {
			element := &astNode{label: "InterpolateElement (column " + c.Column + ")"}
			if c.Expr == nil {
				element.addNode(&astNode{label: "Identifier " + c.Column})
			}
			list.addNode(element.add(c.Expr))
		}
		node.addNode(list)
	}
	if by := s.LimitBy; by != nil {
		node.add(by.Offset, by.Limit).addNode(astList(by.By))
	}
	node.add(s.Offset, s.Limit)
	if s.Settings != nil {
		node.addNode(&astNode{label: "Set"})
	}
	return node
}

func astFromItem(item *FromItem) *astNode {
	node := &astNode{label: "TablesInSelectQueryElement"}
	if item.ArrayJoin != nil {
		return node.addNode((&astNode{label: "ArrayJoin"}).addNode(astList(item.ArrayJoin.Exprs)))
	}
	node.addNode(astTable(item.Table))
	if item.Join != nil {
		join := (&astNode{label: "TableJoin"}).add(item.Join.On)
		if item.Join.HasUsing {
			join.addNode(astList(item.Join.Using))
		}
		node.addNode(join)
	}
	return node
}

func astTable(t *TableExpr) *astNode {
	node := &astNode{label: "TableExpression"}
	base := &ExprBase{As: t.As}
	switch {
	case t.Name != nil:
		node.addNode(astLabel("TableIdentifier "+t.Name.String(), base))
	case t.Func != nil:
		call := *t.Func
		call.As = t.As
		node.addNode(astFunction(&call))
	case t.Query != nil:
		node.addNode(astLabel("Subquery", base).addNode(astOf(t.Query)))
	}
	if t.Columns != nil {
		list := &astNode{label: "ExpressionList"}
		for _, name := range t.Columns {
			list.addNode(&astNode{label: "Identifier " + name})
		}
		node.addNode(list)
	}
	for _, r := range [...]*Ratio{t.Sample, t.Offset} {
		if r != nil {
			var w writer
			w.ratio(r)
			node.addNode(&astNode{label: "SampleRatio " + w.String()})
		}
	}
	return node
}
