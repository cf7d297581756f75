package query

import (
	"slices"

	"dictsvc/column"
	"dictsvc/errcode"
	"dictsvc/sql"
)

// usingColumn is a column that USING makes of one of each side.
type usingColumn struct {
	name        string
	left, right *expr
	typ         *column.Type
	node        *expr // of the join's result
}

// joins binds the joins of FROM, and the ARRAY JOINs but the last clause, from left to right. Afterwards the tables' nodes are those of the result.
func (b *binder) joins() error {
	last := len(b.sel.From) - 1
	if len(b.tables) == 0 || len(b.tables) == last+1 && last == 0 || last == 1 && b.sel.From[last].ArrayJoin != nil {
		return nil
	}
	if len(b.tables) > 1 {
		if err := b.checkTableAliases(); err != nil {
			return err
		}
	}
	b.using = make([][]usingColumn, len(b.tables))
	b.kinds = make([]sql.JoinKind, len(b.tables))
	b.source = b.tables[:1]
	b.root = inputTable(b, b.tables[0])
	j := 0
	for i := range b.sel.From {
		item := &b.sel.From[i]
		switch {
		case item.ArrayJoin != nil && i < last:
			if err := b.arrayInput(b.tables[j], item.ArrayJoin); err != nil {
				return err
			}
		case item.Join != nil:
			j++
			p, err := b.join(b.root, j, item.Join)
			if err != nil {
				return err
			}
			b.root = &scopeTable{rel: p, info: p.info, nodes: p.nodes()}
			b.plans = append(b.plans, p)
		}
	}
	for _, a := range b.alias { // conditions of joins saw the columns as they are inside of the joins
		a.bound = nil
	}
	return nil
}

// kindElement marks an element of ARRAY JOIN among a table's columns: it has a name, but no asterisk means it.
const kindElement = "ELEMENT"

// arrayInput puts an ARRAY JOIN around what stands left of it. Its elements become columns of the last table.
func (b *binder) arrayInput(t *scopeTable, a *sql.ArrayJoin) error {
	clause, items, err := b.arrays(a)
	if err != nil {
		return err
	}
	b.inner = append(b.inner, clause.arrays...)
	in := b.root
	p := &selectPlan{source: []*scopeTable{in}, lazy: b.lazy(), blockSize: b.q.blockSize, array: clause, limit: noLimit}
	out := &scopeTable{rel: p}
	add := func(node, inner *expr) {
		p.items = append(p.items, item{name: node.name, node: inner})
		out.info = append(out.info, columnInfo{Name: node.name, Type: node.typ})
		out.nodes = append(out.nodes, node)
	}
	for _, e := range in.nodes {
		add(e, e)
	}
	t.info, t.byName = slices.Clone(t.info), nil
	for i, elem := range clause.elems {
		node := b.pool.fresh(&expr{op: opColumn, typ: elem.typ, name: elem.name})
		add(node, elem)
		if !items[i].alias {
			b.replaceNode(clause.arrays[i], node)
			continue
		}
		if at := t.find(elem.name); at >= 0 {
			t.nodes[at], t.info[at].Type = node, node.typ
			continue
		}
		t.info = append(t.info, columnInfo{Name: elem.name, Type: elem.typ, DefaultKind: kindElement})
		t.nodes, t.byName = append(t.nodes, node), nil
	}
	p.info = out.info
	b.root = out
	return nil
}

// replaceNode lets a name mean another node.
func (b *binder) replaceNode(from, to *expr) {
	for _, t := range b.source {
		if i := slices.Index(t.nodes, from); i >= 0 {
			t.info = slices.Clone(t.info)
			t.nodes[i], t.info[i].Type = to, to.typ
		}
	}
	for k := range b.using {
		for i := range b.using[k] {
			if u := &b.using[k][i]; u.node == from {
				u.node = to
			}
		}
	}
}

// checkTableAliases refuses tables without a name (206) and two of one name (179).
func (b *binder) checkTableAliases() error {
	need := b.q.settings.flag("joined_subquery_requires_alias", true)
	seen := map[string]bool{}
	for i := range b.sel.From {
		t := b.sel.From[i].Table
		switch {
		case t == nil:
		case t.As == "" && t.Name == nil && need:
			return errcode.New(errcode.AliasRequired, "JOIN: no alias for subquery or table function. In scope %s (set joined_subquery_requires_alias = 0 to disable restriction)", b.scopeText())
		case t.As != "" && seen[t.As]:
			return errcode.New(errcode.MultipleExpressionsForAlias, "Multiple table expressions with same alias %s. In scope %s", t.As, b.scopeText())
		case t.As != "":
			seen[t.As] = true
		}
	}
	return nil
}

// inputTable is a table as a join reads it: its nodes stay, whatever becomes of the names' nodes.
func inputTable(b *binder, t *scopeTable) *scopeTable {
	for i := range t.info {
		b.columnNode(t, i)
	}
	return &scopeTable{rel: t.rel, info: t.info, nodes: slices.Clone(t.nodes)}
}

// join binds the join of what stands left with table j.
func (b *binder) join(left *scopeTable, j int, item *sql.Join) (*joinPlan, error) {
	right := inputTable(b, b.tables[j])
	p := &joinPlan{kind: item.Kind, strict: item.Strictness, left: joinInput{table: left}, right: joinInput{table: right}, lazy: b.lazy(), blockSize: b.q.blockSize}
	if err := b.joinKind(p, item); err != nil {
		return nil, err
	}
	b.kinds[j] = p.kind
	using, err := b.usingColumns(p, j, item)
	if err != nil {
		return nil, err
	}
	b.source = b.tables[:j+1]
	switch {
	case using != nil:
		err = b.usingKeys(p, using)
	case item.On != nil:
		err = b.on(p, item)
	}
	if err != nil {
		return nil, err
	}
	b.joinOutput(p, j, using)
	return p, nil
}

// joinKind settles the kind and strictness, and refuses what does not go together.
func (b *binder) joinKind(p *joinPlan, item *sql.Join) error {
	s := b.q.settings
	if p.kind == sql.JoinComma {
		p.kind = sql.JoinCross
	}
	if p.strict == sql.StrictnessDefault {
		p.strict = sql.StrictnessAll
		if p.kind != sql.JoinCross && p.kind != sql.JoinPaste {
			switch s.text("join_default_strictness", "ALL") {
			case "ANY":
				p.strict = sql.StrictnessAny
			case "":
				return errcode.New(errcode.ExpectedAllOrAny, "Expected ANY or ALL in JOIN section, because setting (join_default_strictness) is empty")
			}
		}
	}
	switch p.strict {
	case sql.StrictnessSemi, sql.StrictnessAnti:
		if p.kind != sql.JoinLeft && p.kind != sql.JoinRight {
			return errcode.New(errcode.SyntaxError, "SEMI|ANTI JOIN should be LEFT or RIGHT")
		}
	case sql.StrictnessAny:
		if p.kind == sql.JoinFull {
			return errcode.New(errcode.NotImplemented, "ANY FULL JOINs are not implemented")
		}
		if p.kind == sql.JoinInner && s.flag("any_join_distinct_right_table_keys", false) {
			p.strict = sql.StrictnessSemi // every left row with a match takes one
			p.kind = sql.JoinLeft
			p.inner = true
		}
	case sql.StrictnessAsof:
		if p.kind != sql.JoinInner && p.kind != sql.JoinLeft {
			return errcode.New(errcode.NotImplemented, "Wrong ASOF JOIN type. Only ASOF and LEFT ASOF joins are supported")
		}
	}
	p.lastRow = s.flag("join_any_take_last_row", false)
	return nil
}

// usingColumns resolves the names of USING, or those that NATURAL stands for; nil where there are none.
func (b *binder) usingColumns(p *joinPlan, j int, item *sql.Join) ([]usingColumn, error) {
	right := b.tables[j]
	if item.Natural {
		var using []usingColumn
		for _, t := range b.source {
			for _, c := range t.info {
				at := right.find(c.Name)
				if at < 0 || slices.ContainsFunc(using, func(u usingColumn) bool { return u.name == c.Name }) {
					continue
				}
				f, err := b.fromTables([]string{c.Name}, b.columnOf)
				if err != nil {
					return nil, err
				}
				using = append(using, usingColumn{name: c.Name, left: f.node, right: b.columnNode(right, at)})
			}
		}
		if using == nil {
			p.kind = sql.JoinCross
		}
		return using, nil
	}
	var using []usingColumn
	for _, e := range item.Using {
		id, ok := e.(*sql.Ident)
		if !ok {
			return nil, errcode.New(errcode.BadArguments, "JOIN ... USING clause expected identifier. Actual: %s. In scope %s", sql.Format(e), b.scopeText())
		}
		parts, err := b.q.identParts(id)
		if err != nil {
			return nil, err
		}
		name := joinParts(parts)
		if slices.ContainsFunc(using, func(u usingColumn) bool { return u.name == name }) {
			return nil, errcode.New(errcode.BadArguments, "JOIN ... USING identifier '%s' appears more than once in USING clause. In scope %s", name, b.scopeText())
		}
		f, err := b.fromTables(parts, b.columnOf)
		if err != nil {
			return nil, err
		}
		if f.node == nil || len(f.rest) > 0 {
			return nil, errcode.New(errcode.UnknownIdentifier, "JOIN ... USING identifier '%s' cannot be resolved from left table expression. In scope %s", name, b.scopeText())
		}
		if id.As != "" {
			name = id.As
		}
		at := right.find(name)
		if at < 0 {
			return nil, errcode.New(errcode.UnknownIdentifier, "JOIN ... USING identifier '%s' cannot be resolved from right table expression. In scope %s", name, b.scopeText())
		}
		using = append(using, usingColumn{name: name, left: f.node, right: b.columnNode(right, at)})
	}
	return using, nil
}

// usingKeys makes the keys of USING; of an ASOF join the last column is the one that is compared.
func (b *binder) usingKeys(p *joinPlan, using []usingColumn) error {
	for i := range using {
		u := &using[i]
		t, err := column.CommonType([]*column.Type{u.left.typ, u.right.typ})
		if err != nil {
			return errcode.New(errcode.NoCommonType, "JOIN ... cannot infer common type for %s and %s in USING for identifier '%s'. In scope %s", u.left.typ, u.right.typ, u.name, b.scopeText())
		}
		u.typ = t
		if p.strict == sql.StrictnessAsof && i == len(using)-1 {
			if err := p.setAsof(u.left, u.right, "greaterOrEquals"); err != nil {
				return err
			}
			continue
		}
		if err := p.addKey(u.left, u.right, nil, false); err != nil {
			return err
		}
	}
	if p.strict == sql.StrictnessAsof && len(p.keys) == 0 {
		return errcode.New(errcode.NotImplemented, "ASOF join with hash algorithm needs at least one equi-join column")
	}
	return nil
}

// on takes the condition of a join apart.
func (b *binder) on(p *joinPlan, item *sql.Join) error {
	switch item.On.(type) {
	case *sql.Func, *sql.Literal, *sql.Param, *sql.Subquery:
	default:
		if e, err := b.bind(item.On); err != nil || !e.isConst() {
			if err != nil {
				return err
			}
			return errcode.New(errcode.InvalidJoinOnExpression, "JOIN ... ON %s join expression expected function. In scope %s", sql.Format(item.On), b.scopeText())
		}
	}
	cond, err := b.bind(item.On)
	if err != nil {
		return err
	}
	if cond.hasAggregate {
		return errcode.New(errcode.IllegalAggregation, "Aggregate function %s is found in JOIN TREE in query. In scope %s", b.aggregateText(cond), b.scopeText())
	}
	if cond.hasArrayJoin {
		return errcode.New(errcode.InvalidJoinOnExpression, "arrayJoin in JOIN ON is not supported. In scope %s", b.scopeText())
	}
	base := cond.typ.Base()
	if !base.IsInteger() && !base.IsFloat() && base.Kind != column.Nothing {
		return errcode.New(errcode.InvalidJoinOnExpression, "Wrong type %s of JOIN expression %s. In scope %s", cond.typ, sql.Format(item.On), b.scopeText())
	}
	if cond.isConst() {
		p.never = !truth(cond.val)
		if p.strict == sql.StrictnessAsof {
			return errcode.New(errcode.InvalidJoinOnExpression, "ASOF join requires one inequality predicate in JOIN ON expression")
		}
		return nil
	}
	if err := p.split(cond); err != nil {
		return err
	}
	if p.strict == sql.StrictnessAsof {
		return p.checkAsof()
	}
	if len(p.keys) == 0 && !p.keyless(cond) {
		return errcode.New(errcode.InvalidJoinOnExpression, "Cannot determine join keys in JOIN ON expression %s. In scope %s", sql.Format(item.On), b.scopeText())
	}
	return nil
}

// joinOutput settles the columns of the join: those of the tables, whose types USING and join_use_nulls may change, and those that USING makes.
func (b *binder) joinOutput(p *joinPlan, j int, using []usingColumn) {
	leftNull, rightNull := false, false
	if b.q.settings.flag("join_use_nulls", false) {
		leftNull = p.kind == sql.JoinRight || p.kind == sql.JoinFull
		rightNull = (p.kind == sql.JoinLeft || p.kind == sql.JoinFull) && !p.inner
	}
	typeOf := func(e *expr, null, hidden bool) *column.Type {
		t := e.typ
		for _, u := range using {
			if u.name == e.name && !hidden {
				t = u.typ
			}
		}
		if null && mayTurnNull(t) {
			t = column.NewNullable(t)
		}
		return t
	}
	replace := func(e *expr, left, hidden bool) *expr {
		null := rightNull
		if left {
			null = leftNull
		}
		node := e
		if t := typeOf(e, null, hidden); !t.Equal(e.typ) {
			node = b.pool.fresh(&expr{op: opColumn, typ: t, name: e.name})
		}
		out := joinOut{node: node}
		if left {
			out.left = e
		} else {
			out.right = e
		}
		p.add(out)
		return node
	}
	for k, t := range b.source {
		info := slices.Clone(t.info)
		for i, e := range t.nodes {
			t.nodes[i] = replace(e, k < j, b.hidden(k, j, e.name))
			info[i].Type = t.nodes[i].typ
		}
		t.info = info
	}
	for k := range b.using[:j] {
		for i := range b.using[k] {
			b.using[k][i].node = replace(b.using[k][i].node, true, false)
		}
	}
	for i := range using {
		u := &using[i]
		t := u.typ
		if leftNull && rightNull && mayTurnNull(t) {
			t = column.NewNullable(t)
		}
		u.node = b.pool.fresh(&expr{op: opColumn, typ: t, name: u.name})
		out := joinOut{node: u.node, left: u.left, right: u.right}
		switch p.kind {
		case sql.JoinRight:
			out.left = nil
		case sql.JoinFull:
		default:
			out.right = nil
		}
		p.add(out)
	}
	b.using[j] = using
}

// mayTurnNull tells whether join_use_nulls makes a type Nullable.
func mayTurnNull(t *column.Type) bool {
	return canBeNullable(t.NoLowCardinality())
}

// planSource is what the SELECT reads: its only table, or what joins make of all.
func (b *binder) planSource() []*scopeTable {
	if b.root == nil {
		return b.source
	}
	return []*scopeTable{b.root}
}

func (b *binder) lazy() bool {
	return b.q.settings.text("short_circuit_function_evaluation", "enable") != "disable"
}

// found is what a name means in FROM.
type found struct {
	node  *expr
	rest  []string // elements of the column that follow
	name  string   // the column's
	table *scopeTable
	index int
}

// columnOf finds an unqualified name among a table's columns.
func (b *binder) columnOf(t *scopeTable, parts []string) (*expr, []string) { return b.column(t, parts) }

// qualifiedColumn finds a name that begins with the table's.
func (b *binder) qualifiedColumn(t *scopeTable, parts []string) (*expr, []string) {
	if rest, ok := t.qualified(parts); ok {
		return b.column(t, rest)
	}
	return nil, nil
}

// fromTables finds a name in the tables of FROM. Where both sides of a join have it, it is USING's column, or with a single join the left side's;
// else it is ambiguous (207).
func (b *binder) fromTables(parts []string, lookup func(*scopeTable, []string) (*expr, []string)) (found, error) {
	var cur found
	for k, t := range b.source {
		e, rest := lookup(t, parts)
		if e == nil {
			continue
		}
		f := found{node: e, rest: rest, name: e.name, table: t, index: k}
		if cur.node == nil {
			cur = f
			continue
		}
		if u := b.usingColumn(k, e.name); u != nil && cur.name == e.name {
			cur = found{node: u, rest: rest, name: e.name}
			continue
		}
		switch {
		case cur.table != nil && t.sameAs(cur.table) && cur.name == e.name:
			if parts[0] == t.alias || cur.table.alias != "" && t.alias == "" && parts[0] != cur.table.alias {
				cur = f
			}
		case len(b.tables) == 2 && b.q.settings.flag("single_join_prefer_left_table", true):
		default:
			return found{}, errcode.New(errcode.AmbiguousIdentifier, "JOIN ... ambiguous identifier '%s'. In scope %s", joinParts(parts), b.scopeText())
		}
	}
	return cur, nil
}

// usingColumn is the column that USING of join j makes under a name, nil where it makes none.
func (b *binder) usingColumn(j int, name string) *expr {
	if j >= len(b.using) {
		return nil
	}
	for i := range b.using[j] {
		if u := &b.using[j][i]; u.name == name {
			if e := b.joinedFor[u.node]; e != nil {
				return e
			}
			return u.node
		}
	}
	return nil
}

// sameAs tells whether two tables of FROM are written alike, and so have the same columns of the same rows.
func (t *scopeTable) sameAs(o *scopeTable) bool {
	if t.from == nil || o.from == nil {
		return false
	}
	switch {
	case t.from.Query != nil && o.from.Query != nil:
		return sql.Format(t.from.Query) == sql.Format(o.from.Query)
	case t.from.Func != nil && o.from.Func != nil:
		return sql.Format(t.from.Func) == sql.Format(o.from.Func)
	}
	return t.table != "" && t.table == o.table && t.database == o.database
}

// mustQualify tells whether a table's columns are named with the table where another table has such a name too: all but the left side of a single join.
func (b *binder) mustQualify(k int) bool { return len(b.tables) != 2 || k > 0 }

// bindsElsewhere tells whether a name may mean something in another table than number k.
func (b *binder) bindsElsewhere(k int, parts []string) bool {
	for i, t := range b.source {
		if i == k {
			continue
		}
		if t.find(joinParts(parts)) >= 0 || t.find(parts[0]) >= 0 {
			return true
		}
		if len(parts) > 1 && (t.table != "" && parts[0] == t.table || t.alias != "" && parts[0] == t.alias) {
			return true
		}
		if len(parts) > 2 && t.database != "" && parts[0] == t.database && parts[1] == t.table {
			return true
		}
	}
	return false
}

// itemName is the name that an asterisk gives a column: with as much of the table's name in front as tells it from other columns and aliases.
func (b *binder) itemName(t *scopeTable, k int, name string) string {
	var qualifiers []string
	switch {
	case t.alias != "":
		qualifiers = []string{t.alias}
	case t.table != "":
		qualifiers = []string{t.table, t.database}
	}
	parts := []string{name}
	for _, q := range qualifiers {
		if !(b.mustQualify(k) && b.bindsElsewhere(k, parts)) && b.alias[parts[0]] == nil || q == "" {
			break
		}
		parts = append([]string{q}, parts...)
	}
	return joinParts(parts)
}

// shortName is the name that a result column takes from a qualified identifier: without as much of the table's name as nothing else could be meant by.
func (b *binder) shortName(parts []string) string {
	f, err := b.fromTables(parts, b.qualifiedColumn)
	if err != nil || f.node == nil {
		return joinParts(parts)
	}
	rest, _ := f.table.qualified(parts)
	for n := len(parts) - len(rest); n > 0; n-- {
		short := parts[1:]
		if b.alias[short[0]] != nil || b.mustQualify(f.index) && b.bindsElsewhere(f.index, short) || b.hiddenLeft(f.index, short[0]) {
			break
		}
		parts = short
	}
	return joinParts(parts)
}

// hidden tells whether a column of table k is one that the USING of a join in front of join j hides: that of its right side, of a RIGHT JOIN its left.
func (b *binder) hidden(k, j int, name string) bool {
	for i := max(k, 1); i < j; i++ {
		right := b.kinds[i] == sql.JoinRight
		if (i == k) != right && slices.ContainsFunc(b.using[i], func(u usingColumn) bool { return u.name == name }) {
			return true
		}
	}
	return false
}

// hiddenLeft tells whether a RIGHT JOIN's USING hides a column of table k, which then keeps its table's name.
func (b *binder) hiddenLeft(k int, name string) bool {
	for i := k + 1; i < len(b.using); i++ {
		if b.kinds[i] == sql.JoinRight && slices.ContainsFunc(b.using[i], func(u usingColumn) bool { return u.name == name }) {
			return true
		}
	}
	return false
}
