package sql

import (
	"strconv"
	"strings"
)

// ColumnName is the name that ClickHouse gives to the result column of an expression: its alias, else its text with every
// operator as the function it is. Names of columns are taken as they are written; a Namer can resolve them.
func ColumnName(e Expr) string {
	var n Namer
	return n.Name(e)
}

// Namer makes names of result columns. Its zero value is ready; one Namer serves all columns of a SELECT, because subqueries
// are numbered in their order.
type Namer struct {
	// Ident names an identifier; nil takes its parts joined by dots. ClickHouse calls t.a just a where no other table has an a.
	Ident func(*Ident) string
	// Param names a query parameter; nil takes {name:Type}.
	Param func(*Param) string

	subqueries map[*Subquery]int
	b          strings.Builder
}

// Name is the name of a result column.
func (n *Namer) Name(e Expr) string {
	n.b.Reset()
	n.expr(e)
	return n.b.String()
}

// expr appends the name of an expression; a named part goes by its name.
func (n *Namer) expr(e Expr) {
	if alias := e.Alias(); alias != "" {
		n.Count(e)
		n.b.WriteString(alias)
		return
	}
	switch e := e.(type) {
	case *Literal:
		n.literal(e.Value)
	case *Ident:
		if n.Ident != nil {
			n.b.WriteString(n.Ident(e))
			return
		}
		n.b.WriteString(e.Name())
	case *Func:
		n.function(e)
	case *Lambda:
		n.b.WriteString("lambda(tuple(")
		for i, p := range e.Params {
			if i > 0 {
				n.b.WriteString(", ")
			}
			n.b.WriteString(p.Name())
		}
		n.b.WriteString("), ")
		n.expr(e.Body)
		n.b.WriteByte(')')
	case *Subquery:
		n.b.WriteString("_subquery_")
		n.b.WriteString(strconv.Itoa(n.subquery(e)))
	case *Param:
		if n.Param != nil {
			n.b.WriteString(n.Param(e))
			return
		}
		n.b.WriteString(Format(e))
	default:
		n.b.WriteString(Format(e))
	}
}

// Count numbers the subqueries in an expression that gets no name itself, such as those of WITH, which come before the columns.
func (n *Namer) Count(e Expr) {
	Walk(e, func(node Node) bool {
		if s, ok := node.(*Subquery); ok {
			n.subquery(s)
		}
		return true
	})
}

// subquery is the number of a subquery. Those inside of it have the numbers that follow.
func (n *Namer) subquery(s *Subquery) int {
	if number, ok := n.subqueries[s]; ok {
		return number
	}
	if n.subqueries == nil {
		n.subqueries = map[*Subquery]int{}
	}
	number := len(n.subqueries) + 1
	n.subqueries[s] = number
	Children(s, func(child Node) {
		Walk(child, func(node Node) bool {
			if inner, ok := node.(*Subquery); ok {
				n.subqueries[inner] = len(n.subqueries) + 1
			}
			return true
		})
	})
	return number
}

func (n *Namer) list(list []Expr) {
	for i, e := range list {
		if i > 0 {
			n.b.WriteString(", ")
		}
		n.expr(e)
	}
}

func (n *Namer) function(f *Func) {
	switch {
	case f.Name == "array":
		n.b.WriteByte('[')
		n.list(f.Args)
		n.b.WriteByte(']')
		return
	case f.Name == "tuple":
		n.b.WriteByte('(')
		n.list(f.Args)
		n.b.WriteByte(')')
		return
	}
	n.b.WriteString(f.Name)
	if len(f.Params) > 0 {
		n.b.WriteByte('(')
		n.list(f.Params)
		n.b.WriteByte(')')
	}
	n.b.WriteByte('(')
	if !isCountAll(f) {
		n.list(f.Args)
	}
	n.b.WriteByte(')')
	if f.Over != nil {
		n.b.WriteString(" OVER ")
		n.window(f.Over)
	}
}

// isCountAll says whether f is count(*), which is named count().
func isCountAll(f *Func) bool {
	if len(f.Args) != 1 || !equalFold(f.Name, "count") {
		return false
	}
	a, ok := f.Args[0].(*Asterisk)
	return ok && a.Qualifier == nil && a.Transformers == nil
}

func (n *Namer) window(w *Window) {
	if w.Name != "" {
		n.b.WriteString(w.Name)
		return
	}
	n.b.WriteByte('(')
	sep := ""
	if w.Parent != "" {
		n.b.WriteString(w.Parent)
		sep = " "
	}
	if w.PartitionBy != nil {
		n.b.WriteString(sep + "PARTITION BY ")
		n.list(w.PartitionBy)
		sep = " "
	}
	if w.OrderBy != nil {
		n.b.WriteString(sep + "ORDER BY ")
		for i := range w.OrderBy {
			if i > 0 {
				n.b.WriteString(", ")
			}
			n.expr(w.OrderBy[i].Expr)
			var d writer
			d.direction(&w.OrderBy[i])
			n.b.WriteString(d.String())
		}
		sep = " "
	}
	if w.HasFrame {
		n.b.WriteString(sep + [...]string{FrameRange: "RANGE", FrameRows: "ROWS", FrameGroups: "GROUPS"}[w.Unit] + " BETWEEN ")
		n.bound(w.Begin)
		n.b.WriteString(" AND ")
		n.bound(w.End)
	}
	n.b.WriteByte(')')
}

func (n *Namer) bound(b FrameBound) {
	if b.Kind == BoundOffset {
		n.expr(b.Offset)
		if b.Preceding {
			n.b.WriteString(" PRECEDING")
		} else {
			n.b.WriteString(" FOLLOWING")
		}
		return
	}
	var w writer
	w.bound(b)
	n.b.WriteString(w.String())
}

// literal appends a value. The elements of an array have one type: beside a floating point number integers are floating point.
// In arrays and tuples true is 1.
func (n *Namer) literal(v Value) {
	var w writer
	w.value(boolsAsNumbers(unifyNumbers(v)))
	n.b.WriteString(w.String())
}

// unifyNumbers gives the numbers of an array one type.
func unifyNumbers(v Value) Value {
	if v.Kind != ArrayValue {
		return v
	}
	var found [ArrayValue]bool
	scanKinds(v, &found)
	if found[Float64Value] && (found[UInt64Value] || found[Int64Value] || found[BoolValue]) {
		return convertNumbers(v)
	}
	return v
}

// boolsAsNumbers is an array or tuple with its Bools, at any depth, as integers.
func boolsAsNumbers(v Value) Value {
	if v.Kind != ArrayValue && v.Kind != TupleValue {
		return v
	}
	items := make([]Value, len(v.Items()))
	for i, item := range v.Items() {
		if item.Kind == BoolValue {
			item = UInt64Of(item.num)
		}
		items[i] = boolsAsNumbers(item)
	}
	if v.Kind == TupleValue {
		return TupleOf(items)
	}
	return ArrayOf(items)
}

// scanKinds notes the kinds of the scalars in an array of any depth.
func scanKinds(v Value, found *[ArrayValue]bool) {
	for _, item := range v.Items() {
		if item.Kind == ArrayValue {
			scanKinds(item, found)
		} else if item.Kind < ArrayValue {
			found[item.Kind] = true
		}
	}
}

// convertNumbers is the array with its numbers as Float64s.
func convertNumbers(v Value) Value {
	items := make([]Value, len(v.Items()))
	for i, item := range v.Items() {
		switch item.Kind {
		case ArrayValue:
			item = convertNumbers(item)
		case Int64Value:
			item = Float64Of(float64(item.Int64()))
		case UInt64Value, BoolValue:
			item = Float64Of(float64(item.num))
		}
		items[i] = item
	}
	return ArrayOf(items)
}
