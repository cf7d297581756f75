package sql

// transformers writes EXCEPT, REPLACE and APPLY.
func (w *writer) transformers(list []Transformer) {
	for _, t := range list {
		switch t.Kind {
		case TransformExcept:
			w.WriteString(" EXCEPT ")
			w.strict(t)
			switch {
			case t.Names == nil:
				w.str(t.Pattern)
			case len(t.Names) == 1:
				w.name(t.Names[0])
			default:
				w.WriteByte('(')
				for i, name := range t.Names {
					if i > 0 {
						w.WriteString(", ")
					}
					w.name(name)
				}
				w.WriteByte(')')
			}
		case TransformReplace:
			w.WriteString(" REPLACE ")
			w.strict(t)
			w.WriteByte('(')
			w.exprs(t.Replace)
			w.WriteByte(')')
		case TransformApply:
			w.apply(t)
		}
	}
}

func (w *writer) strict(t Transformer) {
	if t.Strict {
		w.WriteString("STRICT ")
	}
}

func (w *writer) apply(t Transformer) {
	w.WriteString(" APPLY ")
	if t.Lambda != nil {
		w.WriteByte('(')
		w.lambda(t.Lambda)
		w.WriteByte(')')
		return
	}
	if t.Prefix != "" {
		w.WriteByte('(')
	}
	w.name(t.Func)
	if t.Params != nil {
		w.WriteByte('(')
		w.exprs(t.Params)
		w.WriteByte(')')
	}
	if t.Prefix != "" {
		w.WriteString(", ")
		w.str(t.Prefix)
		w.WriteByte(')')
	}
}

// window writes a window's definition in brackets.
func (w *writer) window(d *Window) {
	w.WriteByte('(')
	sep := ""
	if d.Parent != "" {
		w.name(d.Parent)
		sep = " "
	}
	if d.PartitionBy != nil {
		w.write(sep, "PARTITION BY ")
		w.exprs(d.PartitionBy)
		sep = " "
	}
	if d.OrderBy != nil {
		w.write(sep, "ORDER BY ")
		for i := range d.OrderBy {
			if i > 0 {
				w.WriteString(", ")
			}
			w.orderItem(&d.OrderBy[i])
		}
		sep = " "
	}
	if d.HasFrame {
		w.write(sep, [...]string{FrameRange: "RANGE", FrameRows: "ROWS", FrameGroups: "GROUPS"}[d.Unit], " BETWEEN ")
		w.bound(d.Begin)
		w.WriteString(" AND ")
		w.bound(d.End)
	}
	w.WriteByte(')')
}

func (w *writer) bound(b FrameBound) {
	switch b.Kind {
	case BoundCurrent:
		w.WriteString("CURRENT ROW")
		return
	case BoundUnbounded:
		w.WriteString("UNBOUNDED")
	default:
		w.operand(b.Offset)
	}
	if b.Preceding {
		w.WriteString(" PRECEDING")
	} else {
		w.WriteString(" FOLLOWING")
	}
}
