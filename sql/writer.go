package sql

import (
	"strconv"
	"strings"
)

// writer builds the text of a tree, as ClickHouse formats it. With pretty set it breaks lines as SHOW CREATE does.
type writer struct {
	strings.Builder
	pretty bool
	indent int
	// projection says that the query of a projection is written, whose ORDER BY has no directions.
	projection bool
}

// Format writes a statement, query, expression or type on one line, as ClickHouse's formatQuerySingleLine does.
func Format(n Node) string { return format(n, false) }

// FormatPretty writes it on several lines, as SHOW CREATE and formatQuery do.
func FormatPretty(n Node) string { return format(n, true) }

func format(n Node, pretty bool) string {
	w := &writer{pretty: pretty}
	w.node(n)
	return w.String()
}

func (w *writer) node(n Node) {
	switch n := n.(type) {
	case Expr:
		w.aliased(n)
	case *Select:
		w.selectQuery(n)
	case *TypeExpr:
		w.typeExpr(n)
	case *TableExpr:
		w.tableExpr(n)
	case Statement:
		w.statement(n)
	}
}

// write appends texts.
func (w *writer) write(parts ...string) {
	for _, p := range parts {
		w.WriteString(p)
	}
}

// line goes to the next line, or writes a space.
func (w *writer) line() {
	if !w.pretty {
		w.WriteByte(' ')
		return
	}
	w.WriteByte('\n')
	for range w.indent {
		w.WriteString("    ")
	}
}

// breakLine goes to the next line, or does nothing.
func (w *writer) breakLine() {
	if w.pretty {
		w.line()
	}
}

// name writes an identifier, quoted where it must be.
func (w *writer) name(s string) { w.WriteString(QuoteName(s)) }

// quoted writes an identifier in back quotes in any case.
func (w *writer) quoted(s string) { w.write("`", escape(s, '`'), "`") }

// str writes a string literal.
func (w *writer) str(s string) { w.write("'", escape(s, '\''), "'") }

// dotted writes a compound name.
func (w *writer) dotted(parts []string, params []*Param) {
	for i, part := range parts {
		if i > 0 {
			w.WriteByte('.')
		}
		switch {
		case i < len(params) && params[i] != nil:
			w.param(params[i])
		case len(part) > 3 && i > 0 && part[1] == '`' && (part[0] == '^' || part[0] == ':' || part[0] == '@'):
			w.WriteByte(part[0])
			w.name(part[2 : len(part)-1])
		default:
			w.name(part)
		}
	}
}

func (w *writer) param(p *Param) {
	w.WriteByte('{')
	w.name(p.Name)
	w.WriteByte(':')
	w.typeExpr(p.Type)
	w.WriteByte('}')
}

// mustQuote are words that are names only in back quotes.
var mustQuote = words("ALL", "DISTINCT", "FROM", "NULL", "SELECT", "TABLE", "VALUES")

// QuoteName writes an identifier as ClickHouse does: in back quotes where it is not a plain word, or a word that would be misread.
func QuoteName(s string) string {
	plain := s != "" && !isDigit(s[0])
	for i := 0; i < len(s) && plain; i++ {
		plain = isWordByte(s[i])
	}
	if plain && len(s) <= longestWord {
		_, keyword := mustQuote[upperText(s)]
		plain = !keyword
	}
	if plain {
		return s
	}
	return "`" + escape(s, '`') + "`"
}

// QuoteString writes a string literal.
func QuoteString(s string) string { return "'" + escape(s, '\'') + "'" }

// escape writes a string's inside, the quote and control characters escaped.
func escape(s string, quote byte) string {
	i := 0
	for i < len(s) && s[i] != quote && s[i] != '\\' && s[i] >= ' ' {
		i++
	}
	if i == len(s) {
		return s
	}
	out := make([]byte, i, len(s)+8)
	copy(out, s)
	for ; i < len(s); i++ {
		switch c := s[i]; c {
		case quote, '\\':
			out = append(out, '\\', c)
		case '\b':
			out = append(out, '\\', 'b')
		case '\f':
			out = append(out, '\\', 'f')
		case '\n':
			out = append(out, '\\', 'n')
		case '\r':
			out = append(out, '\\', 'r')
		case '\t':
			out = append(out, '\\', 't')
		case 0:
			out = append(out, '\\', '0')
		default:
			out = append(out, c)
		}
	}
	return string(out)
}

// value writes a literal's value.
func (w *writer) value(v Value) {
	switch v.Kind {
	case NullValue:
		w.WriteString("NULL")
	case BoolValue:
		w.WriteString(strconv.FormatBool(v.Bool()))
	case UInt64Value:
		w.WriteString(strconv.FormatUint(v.num, 10))
	case Int64Value:
		w.WriteString(strconv.FormatInt(v.Int64(), 10))
	case Float64Value:
		w.WriteString(formatFloat(v.Float64()))
	case StringValue:
		w.str(v.str)
	case ArrayValue:
		w.values('[', v.Items(), ']')
	case TupleValue:
		w.values('(', v.Items(), ')')
	}
}

func (w *writer) values(open byte, items []Value, end byte) {
	w.WriteByte(open)
	for i, item := range items {
		if i > 0 {
			w.WriteString(", ")
		}
		w.value(item)
	}
	w.WriteByte(end)
}

// settings writes a = 1, b = 'x'.
func (w *writer) settings(list []Setting) {
	for i, s := range list {
		if i > 0 {
			w.WriteString(", ")
		}
		for j, part := range strings.Split(s.Name, ".") {
			if j > 0 {
				w.WriteByte('.')
			}
			w.name(part)
		}
		w.WriteString(" = ")
		switch {
		case s.Default:
			w.WriteString("DEFAULT")
		case s.Param != nil:
			w.param(s.Param)
		case s.Expr != nil:
			w.expr(s.Expr)
		case s.Map:
			w.mapValue(s.Value)
		case strings.HasPrefix(s.Name, "param_"):
			w.str(s.Value.Text())
		default:
			w.value(s.Value)
		}
	}
}

// mapValue writes an array of pairs as {key: value, ...}.
func (w *writer) mapValue(v Value) {
	w.WriteByte('{')
	for i, pair := range v.Items() {
		if i > 0 {
			w.WriteString(", ")
		}
		w.value(pair.Items()[0])
		w.WriteString(":")
		w.value(pair.Items()[1])
	}
	w.WriteByte('}')
}
