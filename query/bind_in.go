package query

import (
	"bytes"
	"strings"

	"dictsvc/column"
	"dictsvc/errcode"
	"dictsvc/sql"
)

// in binds x IN right: right is a query, a table, or constants.
func (b *binder) in(f *sql.Func) (*expr, error) {
	if len(f.Args) != 2 {
		return nil, errcode.New(errcode.NumberOfArgumentsDoesntMatch, "Function '%s' expects 2 arguments. In scope %s", f.Name, b.scopeText())
	}
	left, err := b.bind(f.Args[0])
	if err != nil {
		return nil, err
	}
	lower := strings.ToLower(f.Name)
	s := &set{not: strings.Contains(lower, "not"), nullIn: strings.Contains(lower, "nullin") || b.q.settings.flag("transform_null_in", false)}
	s.rtype = column.Of(column.UInt8)
	if left.typ.Kind == column.Nullable && !s.nullIn {
		s.rtype = column.NewNullable(s.rtype)
	}
	if left.typ.Kind == column.LowCardinality && s.rtype.Kind == column.UInt8 {
		s.rtype = column.NewLowCardinality(s.rtype)
	}
	if left.typ.Equal(nullType) && !s.nullIn {
		null := column.New(nullType, 1)
		null.AppendDefault(1)
		return b.pool.constant(null), nil
	}
	plan, err := b.setQuery(f.Args[1])
	if err != nil {
		return nil, err
	}
	if plan != nil {
		if err := s.prepareQuery(left.typ, plan, b); err != nil {
			return nil, err
		}
		e := &expr{op: opIn, typ: s.rtype, name: f.Name, args: []*expr{left}, set: s}
		return b.pool.fresh(e.derive()), nil
	}
	key := sql.Format(f.Args[1])
	b.pool.begin(opIn, lower+" "+key)
	b.pool.addArgs([]*expr{left})
	node := string(b.pool.key)
	if len(b.lambdas) == 0 && b.noFold == 0 {
		if e := b.pool.nodes[node]; e != nil {
			return e, nil
		}
	}
	right, err := b.setValues(f.Args[1], left.typ)
	if err != nil {
		return nil, err
	}
	if right == nil { // not constant: has([values], x)
		return b.inValues(left, f.Args[1], s.not)
	}
	if err := s.prepareValues(left.typ, right); err != nil {
		return nil, b.inScope(err)
	}
	if _, err := b.q.setLimit(s); err != nil {
		return nil, err
	}
	e := &expr{op: opIn, typ: s.rtype, name: f.Name, args: []*expr{left}, set: s}
	e.derive()
	if left.isConst() && b.noFold == 0 {
		c, err := s.contains([]column.Column{left.val}, 1)
		if err != nil {
			return nil, err
		}
		return b.pool.constant(c), nil
	}
	return b.pool.add([]byte(node), e), nil
}

// setQuery is the plan of a right side that is a query or a table; nil where it is neither.
func (b *binder) setQuery(e sql.Expr) (relation, error) {
	switch e := e.(type) {
	case *sql.Subquery:
		return b.q.bindQuery(e.Query, b)
	case *sql.Ident:
		parts, err := b.q.identParts(e)
		if err != nil {
			return nil, err
		}
		if len(parts) > 2 {
			return nil, nil
		}
		if len(parts) == 1 {
			if c := b.findCTE(parts[0]); c != nil {
				return b.openCTE(c)
			}
		}
		if found, _, err := b.resolve(parts); found != nil || err != nil {
			return nil, nil // an expression, or an error that binding it will meet again
		}
		name := sql.TableName{Table: parts[len(parts)-1]}
		if len(parts) == 2 {
			name.Database = parts[0]
		}
		rel, _, err := b.q.source(name)
		if err != nil && len(parts) == 1 {
			return nil, nil // the error names the identifier
		}
		return rel, err
	}
	return nil, nil
}

// setValues binds a right side of constants; nil where it is not constant.
func (b *binder) setValues(e sql.Expr, left *column.Type) (column.Column, error) {
	if l, ok := e.(*sql.Literal); ok && left.Kind != column.Tuple && (l.Value.Kind == sql.TupleValue || l.Value.Kind == sql.ArrayValue) && len(l.Value.Items()) > 0 {
		// A tuple of elements of one type is built as an array, so that a long list is one column.
		if t, err := elementType(l.Value.Items()); err == nil && l.Value.Kind == sql.TupleValue && t.Kind != column.Tuple && t.Kind != column.Array {
			c := column.New(column.NewArray(t), 1)
			return c, appendValue(c, sql.ArrayOf(l.Value.Items()))
		}
	}
	if t := tupleRows(e, left); t != nil {
		return t, nil
	}
	n, err := b.bind(e)
	if err != nil {
		return nil, err
	}
	if !n.isConst() {
		return nil, nil
	}
	return n.val, nil
}

// tupleRows is a literal of tuples, ((1, 'a'), (2, 'b')), as one column with a row each; nil where the text is something else.
func tupleRows(e sql.Expr, left *column.Type) column.Column {
	l, ok := e.(*sql.Literal)
	if !ok || left.Kind != column.Tuple || l.Value.Kind != sql.TupleValue || len(l.Value.Items()) < 2 {
		return nil
	}
	rows := l.Value.Items()
	out := &column.Tup{Elems: make([]column.Column, len(left.Elems)), N: len(rows)}
	values := make([]sql.Value, len(rows))
	types := make([]*column.Type, len(left.Elems))
	for k := range out.Elems {
		for i, r := range rows {
			if r.Kind != sql.TupleValue || len(r.Items()) != len(left.Elems) {
				return nil
			}
			values[i] = r.Items()[k]
			if values[i].Kind == sql.TupleValue || values[i].Kind == sql.ArrayValue {
				return nil
			}
		}
		t, err := elementType(values)
		if err != nil {
			return nil
		}
		c := column.New(t, len(rows))
		for _, v := range values {
			if appendValue(c, v) != nil {
				return nil
			}
		}
		types[k], out.Elems[k] = t, c
	}
	out.T = column.NewTuple(types, nil)
	return out
}

// inValues is x IN (expressions) where some are no constants.
func (b *binder) inValues(left *expr, right sql.Expr, not bool) (*expr, error) {
	n, err := b.bind(right)
	if err != nil {
		return nil, err
	}
	values := []*expr{n}
	if f, ok := right.(*sql.Func); ok && f.Name == "tuple" {
		if values, err = b.bindList(f.Args); err != nil {
			return nil, err
		}
	}
	list := n
	if n.typ.Kind != column.Array {
		if list, err = b.callByName("array", values...); err != nil {
			return nil, err
		}
	}
	has, err := b.callByName("has", list, left)
	if err != nil {
		return nil, err
	}
	if not {
		if has, err = b.callByName("not", has); err != nil {
			return nil, err
		}
	}
	return b.cast(has, column.NewNullable(column.Of(column.UInt8)))
}

// leftTypes are the types of the columns that a left side compares.
func (s *set) leftTypes(t *column.Type) []*column.Type {
	if t.Kind == column.Tuple {
		s.tuple = true
		return t.Elems
	}
	return []*column.Type{t}
}

// plainSetType is the type in which a left side is looked up.
func (s *set) plainSetType(t *column.Type) *column.Type {
	t = t.NoLowCardinality()
	if !s.nullIn {
		t = t.NoNull()
	}
	return t
}

// prepareQuery sets up a set that a query fills: both sides meet in their common type.
func (s *set) prepareQuery(left *column.Type, plan relation, b *binder) error {
	cols := plan.columns()
	lefts := s.leftTypes(left)
	if s.tuple && len(cols) == 1 && cols[0].Type.Kind == column.Tuple {
		lefts, s.tuple = []*column.Type{left}, false
	}
	if len(lefts) != len(cols) {
		if s.tuple && len(cols) == 1 {
			return errcode.New(errcode.IllegalTypeOfArgument, "Number of columns in section IN doesn't match: a tuple of %d at left, one column of type %s at right", len(lefts), cols[0].Type)
		}
		return errcode.New(errcode.NumberOfColumnsDoesntMatch, "Number of columns in section IN doesn't match. %d at left, %d at right", len(lefts), len(cols))
	}
	types := make([]*column.Type, len(cols))
	casts := make([]column.Caster, len(cols))
	s.casts = make([]column.Caster, len(cols))
	for i := range cols {
		l, r := s.plainSetType(lefts[i]), s.plainSetType(cols[i].Type)
		t, err := column.CommonType([]*column.Type{l, r})
		if err != nil {
			t = l
		}
		types[i] = t
		if s.casts[i], err = setCast(l, t); err != nil {
			return err
		}
		if casts[i], err = setCast(r, t); err != nil {
			return err
		}
	}
	*s = set{types: types, not: s.not, nullIn: s.nullIn, tuple: s.tuple, rtype: s.rtype, casts: s.casts}
	fresh := newSet(types)
	s.columns, s.words, s.keys = fresh.columns, fresh.words, fresh.keys
	s.fill = func(q *run) error {
		return q.runPlan(plan, nil, func(c *batch) (bool, error) {
			conv := make([]column.Column, len(c.cols))
			var keep []uint8
			for i, x := range c.cols {
				x = column.Plain(x)
				if n, ok := x.(*column.Null); ok && !s.nullIn {
					keep = dropNulls(keep, n.Nulls)
					x = n.Inner
				}
				if casts[i] != nil {
					v, err := casts[i](x)
					if err != nil {
						return false, err
					}
					x = column.Plain(v)
					if n, ok := x.(*column.Null); ok && types[i].Kind != column.Nullable {
						keep = dropNulls(keep, n.Nulls)
						x = n.Inner
					}
				}
				conv[i] = x
			}
			s.add(conv, c.rows, keep)
			return q.setLimit(s)
		})
	}
	return nil
}

// dropNulls takes the rows that are NULL out of those to keep.
func dropNulls(keep, nulls []uint8) []uint8 {
	if keep == nil {
		keep = make([]uint8, len(nulls))
		for i := range keep {
			keep[i] = 1
		}
	}
	for i, n := range nulls {
		if n != 0 {
			keep[i] = 0
		}
	}
	return keep
}

// setCast converts values so that those which the target cannot hold become NULL; nil where nothing is to be done.
func setCast(from, to *column.Type) (column.Caster, error) {
	if from.Equal(to) {
		return nil, nil
	}
	target := to
	if canBeNullable(to) {
		target = column.NewNullable(to)
		if f, err := column.NewCast(from, target, column.CastAccurateOrNull); err == nil {
			return f, nil
		}
	}
	return column.NewCast(from, to, column.CastPlain)
}

// prepareValues fills a set from a constant right side.
func (s *set) prepareValues(left *column.Type, right column.Column) error {
	lefts := s.leftTypes(left)
	types := make([]*column.Type, len(lefts))
	s.casts = make([]column.Caster, len(lefts))
	for i, t := range lefts {
		types[i] = s.plainSetType(t)
		if plain := t.NoLowCardinality(); !s.nullIn {
			var err error
			if plain = plain.NoNull(); !plain.Equal(types[i]) {
				if s.casts[i], err = setCast(plain, types[i]); err != nil {
					return err
				}
			}
		}
	}
	fresh := newSet(types)
	s.types, s.columns, s.words, s.keys = fresh.types, fresh.columns, fresh.words, fresh.keys

	elems := setElements(left, right)
	for _, c := range elems {
		cols := []column.Column{c}
		if s.tuple {
			t, ok := c.(*column.Tup)
			if !ok || len(t.Elems) != len(types) {
				if !ok {
					return errcode.New(errcode.IllegalTypeOfArgument, "Unsupported types for IN. Left side: %s, right side: %s", left, c.Type())
				}
				return errcode.New(errcode.IncorrectElementOfSet, "Bad size of tuple in IN section. Expected size: %d, actual size: %d", len(types), len(t.Elems))
			}
			cols = t.Elems
		}
		if err := s.addConverted(cols, c.Len()); err != nil {
			return err
		}
	}
	return nil
}

// setElements takes a constant right side apart: columns of its elements.
func setElements(left *column.Type, right column.Column) []column.Column {
	if right.Len() != 1 { // rows already
		return []column.Column{right}
	}
	if n, ok := right.(*column.Null); ok && n.Nulls[0] == 0 {
		right = n.Inner
	}
	switch x := right.(type) {
	case *column.Arr:
		if left.Kind != column.Array || x.T.Elems[0].Kind == column.Array {
			from, to := x.Range(0)
			return []column.Column{column.Plain(x.Elem.Slice(from, to))}
		}
	case *column.Tup:
		if left.Kind == column.Tuple {
			nested := len(x.Elems) > 0
			for _, e := range x.Elems {
				nested = nested && e.Type().Kind == column.Tuple
			}
			inner := false
			for _, e := range left.Elems {
				inner = inner || e.Kind == column.Tuple
			}
			if !nested || inner && len(x.Elems) == len(left.Elems) && !sameShape(x.Elems[0].Type(), left) {
				return []column.Column{x}
			}
		}
		elems := make([]column.Column, len(x.Elems))
		for i, e := range x.Elems {
			elems[i] = column.Plain(e)
		}
		return elems
	}
	return []column.Column{column.Plain(right)}
}

// sameShape tells whether two types are tuples of as many elements.
func sameShape(a, b *column.Type) bool {
	return a.Kind == column.Tuple && b.Kind == column.Tuple && len(a.Elems) == len(b.Elems)
}

// addConverted adds rows of constants converted to the set's types. What a type cannot hold is in no set; text that is no value is error 53.
func (s *set) addConverted(cols []column.Column, rows int) error {
	var keep []uint8
	conv := make([]column.Column, len(cols))
	for i, c := range cols {
		c = column.Plain(c)
		t := s.types[i]
		if n, ok := c.(*column.Null); ok && t.Kind != column.Nullable {
			keep = dropNulls(keep, n.Nulls)
			if n.Inner.Type().Kind == column.Nothing {
				conv[i] = defaults(t, rows)
				continue
			}
			c = n.Inner
		}
		if !c.Type().Equal(t) {
			v, err := convertConstants(c, t)
			if err != nil {
				return err
			}
			c = column.Plain(v)
			if n, ok := c.(*column.Null); ok && t.Kind != column.Nullable {
				keep = dropNulls(keep, n.Nulls)
				c = n.Inner
			}
		}
		conv[i] = c
	}
	s.add(conv, rows, keep)
	return nil
}

func defaults(t *column.Type, n int) column.Column {
	c := column.New(t, n)
	c.AppendDefault(n)
	return c
}

// exactDecimals casts Decimals to a type of fewer digits behind the point; those that it cannot hold become NULL, which is in no set.
func exactDecimals(c column.Column, t *column.Type) (column.Column, error) {
	c = column.Plain(c)
	cut, err := column.Cast(c, t, column.CastPlain)
	if err != nil {
		return nil, err
	}
	back, err := column.Cast(cut, c.Type(), column.CastPlain)
	if err != nil {
		return nil, err
	}
	cut, back = column.Plain(cut), column.Plain(back)
	nulls := make([]uint8, c.Len())
	if n, ok := cut.(*column.Null); ok {
		copy(nulls, n.Nulls)
		cut = n.Inner
	}
	for i := range nulls {
		if column.Compare(c, i, back, i, 1) != 0 {
			nulls[i] = 1
		}
	}
	return column.NewNull(cut, nulls), nil
}

// convertConstants converts constants of a set to its type.
func convertConstants(c column.Column, t *column.Type) (column.Column, error) {
	from, to := c.Type().Base(), t.Base()
	if from.IsDecimal() && to.IsDecimal() && from.Scale > to.Scale {
		return exactDecimals(c, t)
	}
	if from.Kind == column.FixedString && to.Kind == column.String { // with the padding
		return column.Cast(column.PaddedStrings(c), t, column.CastPlain)
	}
	if from.Kind == column.FixedString && to.Kind == column.FixedString && from.FixedWidth() > to.FixedWidth() {
		return nil, errcode.New(errcode.TooLargeStringSize, "Too large string for FixedString column")
	}
	if from.Kind == column.String && to.Kind != column.String {
		if text, ok := column.Plain(c).(*column.Str); ok && to.IsInteger() && to.Kind != column.Bool {
			for i := range text.Len() {
				if b := bytes.TrimPrefix(text.At(i), []byte("-")); len(b) > 1 && b[0] == '0' {
					return nil, errcode.New(errcode.TypeMismatch, "Cannot convert string '%s' to type %s", text.At(i), t)
				}
			}
		}
		v, err := column.Cast(c, t, column.CastPlain)
		if err != nil {
			text := string(column.AppendText(nil, c, 0, column.TextQuoted))
			if from.Kind == column.String && to.Kind != column.FixedString {
				return nil, errcode.New(errcode.TypeMismatch, "Cannot convert string %s to type %s", text, t)
			}
			return nil, err
		}
		return v, nil
	}
	if to.Kind == column.String && from.Kind != column.String && from.Kind != column.FixedString && !from.IsEnum() && from.Kind != column.UUID && !from.IsNumber() && !from.IsDateOrTime() && from.Kind != column.Nothing {
		return nil, errcode.New(errcode.TypeMismatch, "Type mismatch in IN or VALUES section. Expected: %s. Got: %s", t, from)
	}
	cast, err := setCast(c.Type(), t)
	if err != nil {
		return nil, errcode.New(errcode.TypeMismatch, "Type mismatch in IN or VALUES section. Expected: %s. Got: %s", t, from)
	}
	return cast(c)
}
