package sql

// typeExpr writes a data type.
func (w *writer) typeExpr(t *TypeExpr) {
	if t == nil {
		return
	}
	w.WriteString(t.Name)
	if len(t.Args) == 0 {
		return
	}
	lines := w.pretty && equalFold(t.Name, "Tuple")
	w.WriteByte('(')
	if lines {
		w.indent++
	}
	for i, arg := range t.Args {
		if i > 0 {
			w.WriteByte(',')
			if !lines {
				w.WriteByte(' ')
			}
		}
		if lines {
			w.line()
		}
		w.typeArg(arg)
	}
	if lines {
		w.indent--
	}
	w.WriteByte(')')
}

func (w *writer) typeArg(arg TypeArg) {
	switch {
	case arg.Field != nil:
		w.name(arg.Field.Name)
		w.WriteByte(' ')
		w.typeExpr(arg.Field.Type)
	case arg.Type != nil:
		w.typeExpr(arg.Type)
	case arg.IsSkipRegexp:
		w.WriteString("SKIP REGEXP ")
		w.str(arg.SkipRegexp)
	case arg.Skip != "":
		w.write("SKIP ", arg.Skip)
	case arg.Expr != nil:
		if f, ok := arg.Expr.(*Func); ok && f.Name == "equals" {
			w.expr(f.Args[0])
			w.WriteString(" = ")
			w.expr(f.Args[1])
			return
		}
		w.expr(arg.Expr)
	}
}
