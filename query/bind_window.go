package query

import (
	"strings"

	"dictsvc/column"
	"dictsvc/errcode"
	"dictsvc/sql"
)

// namedWindow is a window of the clause WINDOW.
type namedWindow struct {
	spec  *windowSpec
	frame windowFrame
}

// windowClause binds WINDOW name AS (...), in the order written: a window may build on those in front of it.
func (b *binder) windowClause() error {
	for i := range b.sel.Windows {
		w := &b.sel.Windows[i]
		if b.windows[w.Name] != nil {
			return errcode.New(errcode.BadArguments, "Window '%s' is already defined. In scope %s", w.Name, b.scopeText())
		}
		spec, frame, err := b.window(w.Window)
		if err != nil {
			return err
		}
		if b.windows == nil {
			b.windows = map[string]*namedWindow{}
		}
		b.windows[w.Name] = &namedWindow{spec: spec, frame: frame}
	}
	return nil
}

// findWindow finds a window by its name.
func (b *binder) findWindow(name string) (*namedWindow, error) {
	if w := b.windows[name]; w != nil {
		return w, nil
	}
	return nil, errcode.New(errcode.BadArguments, "Window '%s' does not exist. In scope %s", name, b.scopeText())
}

// window binds the window of OVER.
func (b *binder) window(w *sql.Window) (*windowSpec, windowFrame, error) {
	frame := defaultFrame()
	if w.Name != "" {
		named, err := b.findWindow(w.Name)
		if err != nil {
			return nil, frame, err
		}
		return named.spec, named.frame, nil
	}
	spec := &windowSpec{}
	if w.Parent != "" {
		parent, err := b.findWindow(w.Parent)
		if err != nil {
			return nil, frame, err
		}
		override := ""
		switch {
		case len(w.PartitionBy) > 0:
			override = "PARTITION BY"
		case len(w.OrderBy) > 0 && len(parent.spec.order) > 0:
			override = "a non-empty ORDER BY"
		case parent.frame.given:
			return nil, frame, errcode.New(errcode.BadArguments, "Parent window '%s' is not allowed to define a frame. In scope %s", w.Parent, b.scopeText())
		}
		if override != "" {
			return nil, frame, errcode.New(errcode.BadArguments, "Derived window definition of '%s' is not allowed to override %s. In scope %s", w.Parent, override, b.scopeText())
		}
		*spec = *parent.spec
	}
	for _, e := range w.PartitionBy {
		n, err := b.windowKey(e)
		if err != nil {
			return nil, frame, err
		}
		spec.partition = append(spec.partition, n)
	}
	for i := range w.OrderBy {
		o := &w.OrderBy[i]
		if o.HasCollate {
			return nil, frame, errcode.New(errcode.NotImplemented, "COLLATE is not supported. In scope %s", b.scopeText())
		}
		if o.Fill {
			return nil, frame, errcode.New(errcode.NotImplemented, "WITH FILL in a window is not supported. In scope %s", b.scopeText())
		}
		n, err := b.windowKey(o.Expr)
		if err != nil {
			return nil, frame, err
		}
		spec.order = append(spec.order, sortKey{node: n, desc: o.Desc, nullsFirst: o.NullsFirst})
	}
	if w.HasFrame {
		var err error
		if frame, err = b.frame(w, spec); err != nil {
			return nil, frame, err
		}
	}
	return spec, frame, nil
}

// windowKey binds a key of PARTITION BY or ORDER BY.
func (b *binder) windowKey(e sql.Expr) (*expr, error) {
	n, err := b.bind(e)
	if err != nil {
		return nil, err
	}
	if b.shard != nil {
		note(&b.shard.windows, n, e, nil)
	}
	if n.hasWindow {
		return nil, errcode.New(errcode.NotFoundColumnInBlock, "Window function %s is found in the definition of a window. In scope %s", b.windowText(n), b.scopeText())
	}
	return n, nil
}

// frame binds a frame that was written.
func (b *binder) frame(w *sql.Window, spec *windowSpec) (windowFrame, error) {
	f := windowFrame{given: true, unit: w.Unit}
	var err error
	if f.begin, err = b.bound(w.Begin, "begin"); err != nil {
		return f, err
	}
	if f.end, err = b.bound(w.End, "end"); err != nil {
		return f, err
	}
	if err := f.check(w); err != nil {
		return f, b.inScope(err)
	}
	if f.unit == sql.FrameRange && (f.begin.kind == sql.BoundOffset || f.end.kind == sql.BoundOffset) {
		if len(spec.order) != 1 {
			return f, errcode.New(errcode.BadArguments, "The RANGE OFFSET window frame requires exactly one ORDER BY column, %d given", len(spec.order))
		}
		t := spec.order[0].node.typ
		if t.Kind == column.Nullable {
			t = t.Elems[0]
		}
		if !rangeType(t) {
			return f, errcode.New(errcode.NotImplemented, "The RANGE OFFSET frame for an ORDER BY column of type %s is not implemented", spec.order[0].node.typ)
		}
		for _, end := range []*windowBound{&f.begin, &f.end} {
			if end.kind != sql.BoundOffset {
				continue
			}
			if end.value, err = rangeOffset(end.offset, t); err != nil {
				return f, err
			}
		}
	}
	return f, nil
}

// rangeType tells whether an offset can be added to values of a type.
func rangeType(t *column.Type) bool {
	switch t.Kind {
	case column.Date, column.Date32, column.DateTime, column.Bool, column.Enum8, column.Enum16:
		return true
	}
	return t.IsInteger() || t.IsFloat()
}

// rangeOffset is the offset of a RANGE frame in the type of the key.
func rangeOffset(n int64, t *column.Type) (column.Column, error) {
	out := column.New(t, 1)
	fits := true
	switch c := out.(type) {
	case *column.Num[uint8]:
		c.Data, fits = append(c.Data, uint8(n)), n < 1<<8
	case *column.Num[uint16]:
		c.Data, fits = append(c.Data, uint16(n)), n < 1<<16
	case *column.Num[uint32]:
		c.Data = append(c.Data, uint32(n))
	case *column.Num[uint64]:
		c.Data = append(c.Data, uint64(n))
	case *column.Num[int8]:
		c.Data, fits = append(c.Data, int8(n)), n < 1<<7
	case *column.Num[int16]:
		c.Data, fits = append(c.Data, int16(n)), n < 1<<15
	case *column.Num[int32]:
		c.Data = append(c.Data, int32(n))
	case *column.Num[int64]:
		c.Data = append(c.Data, n)
	case *column.Num[float32]:
		c.Data = append(c.Data, float32(n))
	case *column.Num[float64]:
		c.Data = append(c.Data, float64(n))
	default:
		cast, err := column.Cast(column.Int64s(n), t, column.CastPlain)
		if err != nil {
			return nil, err
		}
		return column.Full(cast), nil
	}
	if !fits {
		return nil, errcode.New(errcode.ArgumentOutOfBound, "Cannot convert value '%d': it cannot be represented as %s", n, t)
	}
	return out, nil
}

// bound binds one end of a frame.
func (b *binder) bound(w sql.FrameBound, end string) (windowBound, error) {
	out := windowBound{kind: w.Kind, preceding: w.Preceding}
	if w.Kind != sql.BoundOffset {
		return out, nil
	}
	n, err := b.bind(w.Offset)
	if err != nil {
		return out, err
	}
	t := n.typ
	if !n.isConst() || !t.IsInteger() && !t.IsFloat() && !t.IsDecimal() {
		return out, errcode.New(errcode.BadArguments, "Window frame %s OFFSET expression must be constant with numeric type. Actual: %s. In scope %s", end, sql.Format(w.Offset), b.scopeText())
	}
	if out.offset = -1; t.IsInteger() {
		if c, err := column.Cast(n.val, column.Of(column.Int64), column.CastPlain); err == nil {
			v := column.Plain(c).(*column.Num[int64]).Data[0]
			if v >= 0 && v < 1<<31 {
				out.offset = v
			}
		}
	}
	if out.offset < 0 {
		name := "start"
		if end == "end" {
			name = "end"
		}
		return out, errcode.New(errcode.BadArguments, "Frame %s offset must be a nonnegative 32-bit integer, '%s' of type '%s' given", name, column.FieldText(n.val, 0), t)
	}
	return out, nil
}

// check refuses frames whose begin does not come before their end.
func (f *windowFrame) check(w *sql.Window) error {
	bad := func(text string, args ...any) error { return errcode.New(errcode.BadArguments, text, args...) }
	if f.unit == sql.FrameGroups {
		return errcode.New(errcode.NotImplemented, "Window frame 'GROUPS' is not implemented")
	}
	begin, end := f.begin, f.end
	switch {
	case begin.kind == sql.BoundUnbounded && !begin.preceding:
		return bad("Frame start cannot be UNBOUNDED FOLLOWING")
	case end.kind == sql.BoundUnbounded && end.preceding:
		return bad("Frame end cannot be UNBOUNDED PRECEDING")
	case begin.kind == sql.BoundUnbounded, end.kind == sql.BoundUnbounded:
		return nil
	case begin.kind == sql.BoundCurrent && end.kind == sql.BoundCurrent:
		return nil
	case begin.kind == sql.BoundCurrent && !end.preceding && end.offset > 0:
		return nil
	case end.kind == sql.BoundCurrent && begin.preceding && begin.offset > 0:
		return nil
	case begin.kind == sql.BoundOffset && end.kind == sql.BoundOffset:
		if begin.preceding && !end.preceding {
			return nil
		}
		if begin.preceding == end.preceding && (begin.preceding && begin.offset >= end.offset || !begin.preceding && begin.offset <= end.offset) {
			return nil
		}
		return bad("Frame start offset %d %s does not precede the frame end offset %d %s", begin.offset, direction(begin), end.offset, direction(end))
	}
	return bad("Window frame is invalid: it ends before it begins")
}

func direction(b windowBound) string {
	if b.preceding {
		return "PRECEDING"
	}
	return "FOLLOWING"
}

// overCall binds a function with OVER.
func (b *binder) overCall(f *sql.Func) (*expr, error) {
	w := &windowCall{fn: findWindowFunction(f.Name), nulls: f.Nulls}
	e := &expr{op: opWindow, win: w}
	name := ""
	if w.fn == nil {
		a, err := b.aggregateParts(f)
		if errcode.Of(err) == errcode.UnknownFunction {
			return nil, errcode.New(errcode.UnknownAggregateFunction, "Aggregate function with name '%s' does not exist. In scope %s", f.Name, b.scopeText())
		}
		if err != nil {
			return nil, err
		}
		e.agg, e.args, w.params, name = a.bound, a.args, a.params, a.bound.Name
		e.typ = a.bound.Type
	} else {
		name = w.fn.name
		var err error
		if w.params, err = b.aggregateParams(f); err != nil {
			return nil, err
		}
		if e.args, err = b.bindList(f.Args); err != nil {
			return nil, err
		}
	}
	if b.shard != nil && len(e.args) == len(f.Args) {
		for i, a := range e.args {
			note(&b.shard.windows, a, f.Args[i], nil)
		}
	}
	for _, a := range e.args {
		if a.hasWindow {
			return nil, errcode.New(errcode.IllegalAggregation, "Window function %s is found inside another window function in query. In scope %s", b.windowText(a), b.scopeText())
		}
		if a.level > 0 {
			return nil, errcode.New(errcode.UnexpectedExpression, "Window function %s is inside of a lambda. In scope %s", f.Name, b.scopeText())
		}
	}
	var err error
	if w.spec, w.frame, err = b.window(f.Over); err != nil {
		return nil, err
	}
	w.nargs, e.name = len(e.args), name
	if w.fn != nil {
		if e.typ, err = w.fn.bind(w, e.args); err != nil {
			return nil, b.inScope(err)
		}
	}
	e.args = append(e.args, w.spec.partition...)
	for _, k := range w.spec.order {
		e.args = append(e.args, k.node)
	}
	return b.addWindow(e), nil
}

// addWindow makes the node of a window function, or finds the equal one.
func (b *binder) addWindow(e *expr) *expr {
	w := e.win
	b.pool.begin(opWindow, e.name)
	for _, p := range w.params {
		b.pool.key = column.AppendImage(append(b.pool.key, p.Type().String()...), p, 0)
	}
	b.pool.key = append(b.pool.key, byte(w.nulls), byte(w.nargs), byte(len(w.spec.partition)), byte(w.frame.unit))
	for _, k := range w.spec.order {
		flags := byte(0)
		if k.desc {
			flags |= 1
		}
		if k.nullsFirst {
			flags |= 2
		}
		b.pool.key = append(b.pool.key, flags)
	}
	for _, end := range [...]windowBound{w.frame.begin, w.frame.end} {
		side := byte(0)
		if end.preceding {
			side = 1
		}
		b.pool.key = append(b.pool.key, byte(end.kind), side, byte(end.offset), byte(end.offset>>8), byte(end.offset>>16), byte(end.offset>>24))
	}
	b.pool.addArgs(e.args)
	if old := b.pool.find(); old != nil {
		return old
	}
	e.derive()
	e.hasWindow = true
	return b.pool.add(b.pool.key, e)
}

// refuseWindow is the error for a window function where none can stand.
func (b *binder) refuseWindow(e *expr, clause string) error {
	if e == nil || !e.hasWindow {
		return nil
	}
	return errcode.New(errcode.IllegalAggregation, "Window function %s is found in %s in query. In scope %s", b.windowText(e), clause, b.scopeText())
}

// windowText names the first window function in a node.
func (b *binder) windowText(e *expr) string {
	if e.op == opWindow {
		return exprText(e)
	}
	text := ""
	e.children(func(c *expr) {
		if text == "" && c.hasWindow {
			text = b.windowText(c)
		}
	})
	return text
}

// text is the window as it stands in OVER.
func (w *windowSpec) text() string {
	var sb strings.Builder
	sep := ""
	for i, e := range w.partition {
		if i == 0 {
			sb.WriteString("PARTITION BY ")
			sep = " "
		} else {
			sb.WriteString(", ")
		}
		writeExpr(&sb, e)
	}
	for i, k := range w.order {
		if i == 0 {
			sb.WriteString(sep + "ORDER BY ")
		} else {
			sb.WriteString(", ")
		}
		writeExpr(&sb, k.node)
		if k.desc {
			sb.WriteString(" DESC")
		} else {
			sb.WriteString(" ASC")
		}
	}
	return sb.String()
}
