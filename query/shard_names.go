package query

import (
	"strings"

	"dictsvc/column"
	"dictsvc/errcode"
	"dictsvc/sql"
)

// Another server that spreads a query over several of us merges what we send by the names of its columns, which it works out for itself from its own
// tree of the query. There are two ways to name an expression. The old one (servers before the analyzer, and allow_experimental_analyzer = 0)
// writes it without its aliases: `plus(k, 1)`. The analyzer's one writes columns with the names it gives to tables and constants with their types:
// `plus(__table1.k, 1_UInt8)`; a constant that was computed stands in the query as _CAST(value, 'Type') and keeps that form.

// shardNamer makes such names.
type shardNamer struct {
	b        *binder
	analyzer bool
	out      strings.Builder
	params   []map[string]bool // of lambdas around
	busy     map[string]bool   // aliases being written: inside of itself the name means a column
}

// shardName is the name under which the initiator of a query looks for an expression.
func (b *binder) shardName(e sql.Expr) (string, error) {
	n := shardNamer{b: b, analyzer: b.q.analyzerNames(), busy: map[string]bool{}}
	if err := n.expr(e); err != nil {
		return "", err
	}
	return n.out.String(), nil
}

// analyzerNames tells whether the initiator names columns as the analyzer does.
func (q *run) analyzerNames() bool {
	return !q.req.OldClient && q.settings.flag("allow_experimental_analyzer", true)
}

// noShardName refuses an expression whose name cannot be known here, and says what helps.
func (n *shardNamer) noShardName(what string) error {
	return errcode.New(errcode.NotImplemented, "%s inside GROUP BY, aggregate functions or results of a query over several shards is not supported: "+
		"compute it in a subquery over the table, use one address, or SETTINGS distributed_group_by_no_merge = 1. In scope %s", what, n.b.scopeText())
}

func (n *shardNamer) expr(e sql.Expr) error {
	if a := e.Alias(); !n.analyzer && strings.HasPrefix(a, "_subquery") { // the initiator's name of a scalar subquery, whose value stands here
		n.out.WriteString(a)
		return nil
	} else if a != "" && !n.busy[a] {
		n.busy[a] = true
		defer delete(n.busy, a)
	}
	switch e := e.(type) {
	case *sql.Literal:
		if !n.analyzer {
			if items := e.Value.Items(); n.b.q.req.OldClient && e.Value.Kind == sql.TupleValue && len(items) > 0 {
				list := make([]sql.Expr, len(items)) // versions of 2018 parse a tuple as the call of a function
				for i, v := range items {
					list[i] = &sql.Literal{Value: v}
				}
				return n.expr(&sql.Func{Name: "tuple", Args: list})
			}
			n.out.WriteString(sql.Format(&sql.Literal{Value: e.Value}))
			return nil
		}
		c, err := literalColumn(e.Value)
		if err != nil {
			return err
		}
		n.constant(c)
		return nil
	case *sql.Ident:
		return n.ident(e)
	case *sql.Func:
		return n.function(e)
	case *sql.Lambda:
		return n.noShardName("A lambda")
	case *sql.Subquery:
		return n.noShardName("A subquery")
	}
	return n.noShardName(sql.Format(e))
}

// constant writes a value of the analyzer's: value_Type.
func (n *shardNamer) constant(c column.Column) {
	n.out.WriteString(dumpText(c) + "_" + c.Type().String())
}

// dumpText is a constant's value as the analyzer's names show it: as in literals, but values of types that are wider than a word stand in quotes,
// and times are Unix times.
func dumpText(c column.Column) string {
	c = column.Full(c)
	switch x := c.(type) {
	case *column.Null:
		if x.Nulls[0] == 0 {
			return dumpText(x.Inner)
		}
	case *column.LowCard:
		return dumpText(x.Expand())
	case *column.Num[uint8]:
		if x.T.Kind == column.Bool {
			return column.FieldText(column.UInt8s(x.Data[0]), 0)
		}
	case *column.Num[int64]:
		switch x.T.Kind {
		case column.DateTime64:
			return "'" + string(column.AppendText(nil, column.NewNum(column.NewDecimal(18, x.T.Scale), x.Data[:1]), 0, column.TextRaw)) + "'"
		case column.Interval:
			return column.FieldText(column.Int64s(x.Data[0]), 0)
		}
	}
	if k := c.Type().Kind; c.Type().IsDecimal() || k == column.UUID || k == column.IPv4 || k == column.IPv6 || c.Type().FixedWidth() > 8 && c.Type().IsInteger() {
		return "'" + string(column.AppendText(nil, c, 0, column.TextRaw)) + "'"
	}
	return column.FieldText(c, 0)
}

// ident writes a column, or the expression that an alias stands for.
func (n *shardNamer) ident(id *sql.Ident) error {
	parts, err := n.b.q.identParts(id)
	if err != nil {
		return err
	}
	if len(parts) == 1 {
		for _, p := range n.params {
			if p[parts[0]] {
				n.out.WriteString(parts[0])
				return nil
			}
		}
		if a := n.b.alias[parts[0]]; a != nil && !n.busy[parts[0]] {
			n.busy[parts[0]] = true
			defer delete(n.busy, parts[0])
			return n.expr(a.expr)
		}
	}
	if n.analyzer {
		n.out.WriteString(joinParts(parts))
	} else {
		n.out.WriteString(n.b.columnName(id))
	}
	return nil
}

func (n *shardNamer) list(list []sql.Expr) error {
	for i, e := range list {
		if i > 0 {
			n.out.WriteString(", ")
		}
		if err := n.expr(e); err != nil {
			return err
		}
	}
	return nil
}

func (n *shardNamer) function(f *sql.Func) error {
	switch {
	case f.Over != nil:
		return n.noShardName("A window function")
	case strings.HasSuffix(f.Name, "n") && isInName(f.Name):
		return n.in(f)
	case n.analyzer && f.Name == "_CAST" && len(f.Args) == 2:
		return n.computed(f)
	}
	if len(f.Args) > 0 {
		if l, ok := f.Args[0].(*sql.Lambda); ok {
			return n.higherOrder(f, l)
		}
	}
	n.out.WriteString(f.Name)
	if len(f.Params) > 0 {
		n.out.WriteByte('(')
		if err := n.list(f.Params); err != nil {
			return err
		}
		n.out.WriteByte(')')
	}
	n.out.WriteByte('(')
	if a, ok := firstArg(f).(*sql.Asterisk); !ok || a.Qualifier != nil { // count(*) is count()
		if err := n.list(f.Args); err != nil {
			return err
		}
	}
	n.out.WriteByte(')')
	return nil
}

func firstArg(f *sql.Func) sql.Expr {
	if len(f.Args) != 1 {
		return nil
	}
	return f.Args[0]
}

// computed writes a constant that the initiator has computed.
func (n *shardNamer) computed(f *sql.Func) error {
	e, err := n.b.bind(f)
	if err != nil {
		return err
	}
	if !e.isConst() {
		return n.noShardName(sql.Format(f))
	}
	n.out.WriteString("_CAST(")
	n.constant(e.val)
	n.out.WriteString(", '" + e.typ.String() + "'_String)")
	return nil
}

func isInName(name string) bool {
	switch name {
	case "in", "notIn", "globalIn", "globalNotIn", "nullIn", "notNullIn", "globalNullIn", "globalNotNullIn":
		return true
	}
	return false
}

// in writes x IN (list) in the old way; the analyzer's name of a set is a hash of its own tree.
func (n *shardNamer) in(f *sql.Func) error {
	if n.analyzer || len(f.Args) != 2 {
		return n.noShardName("IN")
	}
	if _, ok := f.Args[1].(*sql.Subquery); ok {
		return n.noShardName("IN with a subquery")
	}
	n.out.WriteString(f.Name + "(")
	if err := n.list(f.Args); err != nil {
		return err
	}
	n.out.WriteByte(')')
	return nil
}

// higherOrder writes a function whose first argument is a lambda; the analyzer shows its parameters with their types, which are those of the
// arrays' elements.
func (n *shardNamer) higherOrder(f *sql.Func, l *sql.Lambda) error {
	params := map[string]bool{}
	for _, p := range l.Params {
		params[p.Name()] = true
	}
	n.out.WriteString(f.Name + "(")
	if n.analyzer {
		if len(n.params) > 0 || len(l.Params) != len(f.Args)-1 {
			return n.noShardName("A lambda of this kind")
		}
		for i, p := range l.Params {
			arg, err := n.b.bind(f.Args[i+1])
			if err != nil {
				return err
			}
			t, err := arrayElement(arg.typ)
			if err != nil {
				return n.noShardName("A lambda over what is no array")
			}
			if i > 0 {
				n.out.WriteString(", ")
			}
			n.out.WriteString(p.Name() + " " + t.String())
		}
		n.out.WriteString(" -> ")
	} else {
		n.out.WriteString("lambda(tuple(")
		for i, p := range l.Params {
			if i > 0 {
				n.out.WriteString(", ")
			}
			n.out.WriteString(p.Name())
		}
		n.out.WriteString("), ")
	}
	n.params = append(n.params, params)
	if err := n.expr(l.Body); err != nil {
		return err
	}
	n.params = n.params[:len(n.params)-1]
	if !n.analyzer {
		n.out.WriteByte(')')
	}
	for _, a := range f.Args[1:] {
		n.out.WriteString(", ")
		if err := n.expr(a); err != nil {
			return err
		}
	}
	n.out.WriteByte(')')
	return nil
}
