package query

import (
	"slices"

	"dictsvc/column"
	"dictsvc/errcode"
	"dictsvc/sql"
)

// joinPlan is one join of FROM. It is a relation, whose columns are those of both sides and those that USING makes, so that joins stand in joins.
type joinPlan struct {
	kind      sql.JoinKind       // inner, left, right, full, cross, paste
	strict    sql.JoinStrictness // all, any, semi, anti, asof
	inner     bool               // written as INNER: a left semi join stands for it
	left      joinInput
	right     joinInput
	keys      []joinKey
	asof      *joinAsof
	leftIf    []*expr // conditions on left rows: those that fail them match nothing
	rightIf   []*expr // the same for right rows
	mixed     []*expr // conditions on pairs of rows
	never     bool    // no pair of rows matches
	lastRow   bool    // join_any_take_last_row
	lazy      bool
	blockSize int
	out       []joinOut
	info      []columnInfo
}

// joinInput is a side of a join: its table, and the conditions that its rows must meet before they are joined.
type joinInput struct {
	table *scopeTable
	where []*expr
	cond  *expr // where, as one condition
}

// joinKey is an equality between the sides.
type joinKey struct {
	left, right *expr
	typ         *column.Type // that both are converted to
	nulls       bool         // NULL equals NULL
	eq          *expr        // the equality as written; nil for USING
}

// joinAsof is the inequality of an ASOF join: left op right.
type joinAsof struct {
	left, right *expr
	op          string
	typ         *column.Type
}

// joinOut is a column of the result: a side's column under its own node or, where its type changes, another one. A column of USING may come of both sides.
type joinOut struct {
	node, left, right *expr
}

func (p *joinPlan) add(o joinOut) {
	p.out = append(p.out, o)
	p.info = append(p.info, columnInfo{Name: o.node.name, Type: o.node.typ})
}

func (p *joinPlan) nodes() []*expr {
	list := make([]*expr, len(p.out))
	for i, o := range p.out {
		list[i] = o.node
	}
	return list
}

// columns implements relation.
func (p *joinPlan) columns() []columnInfo { return p.info }

// exprs are the expressions of the join, whose sets must be filled before it runs.
func (p *joinPlan) exprs() []*expr {
	list := slices.Concat(p.leftIf, p.rightIf, p.mixed, p.left.where, p.right.where)
	for _, k := range p.keys {
		list = append(list, k.left, k.right)
	}
	if p.asof != nil {
		list = append(list, p.asof.left, p.asof.right)
	}
	return list
}

// joinSide tells which sides' columns an expression uses.
type joinSide uint8

const (
	noSide    joinSide = 0
	leftSide  joinSide = 1
	rightSide joinSide = 2
	bothSides          = leftSide | rightSide
)

func (p *joinPlan) side(e *expr) joinSide {
	n := newNeed(isSource)
	n.add(e)
	s := noSide
	for _, c := range n.nodes {
		if slices.Contains(p.left.table.nodes, c) {
			s |= leftSide
		} else {
			s |= rightSide
		}
	}
	return s
}

// split sorts the parts of a condition that must all be true.
func (p *joinPlan) split(cond *expr) error {
	for _, c := range conjuncts(cond, nil) {
		if c.isConst() {
			p.never = p.never || !truth(c.val)
			continue
		}
		if l, r, nulls, ok := p.equality(c); ok {
			if err := p.addKey(l, r, c, nulls); err != nil {
				return err
			}
			continue
		}
		if p.strict == sql.StrictnessAsof {
			if l, r, op, ok := p.inequality(c); ok {
				if p.asof != nil {
					return errcode.New(errcode.InvalidJoinOnExpression, "ASOF join does not support multiple inequality predicates in JOIN ON expression")
				}
				if err := p.setAsof(l, r, op); err != nil {
					return err
				}
				continue
			}
		}
		switch s := p.side(c); {
		case s == leftSide && !c.volatile && (p.kind == sql.JoinInner || p.kind == sql.JoinRight):
			p.left.where = append(p.left.where, c)
		case s == leftSide:
			p.leftIf = append(p.leftIf, c)
		case s == rightSide && !c.volatile && (p.kind == sql.JoinInner || p.kind == sql.JoinLeft):
			p.right.where = append(p.right.where, c)
		case s == rightSide:
			p.rightIf = append(p.rightIf, c)
		default:
			p.mixed = append(p.mixed, c)
		}
	}
	return nil
}

// equality takes an equality between the sides apart.
func (p *joinPlan) equality(c *expr) (left, right *expr, nulls, ok bool) {
	if c.op != opCall || len(c.args) != 2 || c.volatile || c.name != "equals" && c.name != "isNotDistinctFrom" {
		return nil, nil, false, false
	}
	left, right = c.args[0], c.args[1]
	switch [2]joinSide{p.side(left), p.side(right)} {
	case [2]joinSide{leftSide, rightSide}:
	case [2]joinSide{rightSide, leftSide}:
		left, right = right, left
	default:
		return nil, nil, false, false
	}
	return left, right, c.name == "isNotDistinctFrom", true
}

// turned is a comparison with its sides exchanged.
var turned = map[string]string{"less": "greater", "greater": "less", "lessOrEquals": "greaterOrEquals", "greaterOrEquals": "lessOrEquals"}

// inequality takes an inequality between the sides apart, as left op right.
func (p *joinPlan) inequality(c *expr) (left, right *expr, op string, ok bool) {
	if c.op != opCall || len(c.args) != 2 || turned[c.name] == "" {
		return nil, nil, "", false
	}
	left, right, op = c.args[0], c.args[1], c.name
	switch [2]joinSide{p.side(left), p.side(right)} {
	case [2]joinSide{leftSide, rightSide}:
	case [2]joinSide{rightSide, leftSide}:
		left, right, op = right, left, turned[op]
	default:
		return nil, nil, "", false
	}
	return left, right, op, true
}

// keyType is the type that keys of two types are compared as; error 386 where there is none.
func keyType(a, b *column.Type) (*column.Type, error) {
	x, y := a.Base(), b.Base()
	if x.Equal(y) {
		return x, nil
	}
	for _, t := range []**column.Type{&x, &y} {
		if (*t).Kind == column.Bool { // compared with other numbers it is a number
			*t = column.Of(column.UInt8)
		}
	}
	t, err := column.CommonType([]*column.Type{x, y})
	if err != nil {
		return nil, errcode.New(errcode.NoCommonType, "%s: JOIN cannot infer common type in ON section for keys. Left key type %s. Right key type %s", errcode.Text(err), a, b)
	}
	return t.Base(), nil
}

func (p *joinPlan) addKey(left, right, eq *expr, nulls bool) error {
	t, err := keyType(left.typ, right.typ)
	if err != nil {
		return err
	}
	nulls = nulls && left.typ.IsNullable() && right.typ.IsNullable()
	if nulls {
		t = column.NewNullable(t)
	}
	p.keys = append(p.keys, joinKey{left: left, right: right, typ: t, nulls: nulls, eq: eq})
	return nil
}

func (p *joinPlan) setAsof(left, right *expr, op string) error {
	t, err := keyType(left.typ, right.typ)
	if err != nil {
		return err
	}
	switch {
	case t.FixedWidth() == 0, t.Kind == column.FixedString, t.Kind == column.UUID, t.Kind == column.IPv4, t.Kind == column.IPv6:
		return errcode.New(errcode.BadTypeOfField, "ASOF join not supported for type: %s", t)
	}
	p.asof = &joinAsof{left: left, right: right, op: op, typ: t}
	return nil
}

// checkAsof refuses conditions that an ASOF join cannot have.
func (p *joinPlan) checkAsof() error {
	switch {
	case p.asof == nil:
		return errcode.New(errcode.InvalidJoinOnExpression, "ASOF join requires one inequality predicate in JOIN ON expression")
	case len(p.keys) == 0:
		return errcode.New(errcode.NotImplemented, "ASOF join with hash algorithm needs at least one equi-join column")
	case len(p.mixed) > 0:
		return errcode.New(errcode.InvalidJoinOnExpression, "ASOF join does not support conditions on both sides besides its inequality: %s", exprText(p.mixed[0]))
	}
	return nil
}

// keyless tells whether a condition without an equality can be served: an inner join compares all pairs of rows, other joins only where each
// alternative of an OR has an equality.
func (p *joinPlan) keyless(cond *expr) bool {
	if p.kind == sql.JoinInner && p.strict == sql.StrictnessAll {
		return true
	}
	parts := conjuncts(cond, nil)
	constant := true
	for _, c := range parts {
		constant = constant && c.isConst()
		if c.op == opCall && c.name == "or" && p.eachEquates(c) {
			return true
		}
	}
	return constant
}

// eachEquates tells whether all alternatives of an OR have an equality between the sides.
func (p *joinPlan) eachEquates(or *expr) bool {
	for _, alternative := range or.args {
		found := false
		for _, c := range conjuncts(alternative, nil) {
			_, _, _, ok := p.equality(c)
			found = found || ok
		}
		if !found && (alternative.op != opCall || alternative.name != "or" || !p.eachEquates(alternative)) {
			return false
		}
	}
	return true
}

// push takes a condition on the join's result into the join, where rows that fail it need not be joined at all. It reports whether the condition is
// then met by all rows.
func (p *joinPlan) push(c *expr) bool {
	if c.isConst() || c.volatile || c.hasArrayJoin {
		return false
	}
	n := newNeed(isSource)
	n.add(c)
	s := noSide
	for _, e := range n.nodes {
		switch {
		case slices.Contains(p.left.table.nodes, e):
			s |= leftSide
		case slices.Contains(p.right.table.nodes, e):
			s |= rightSide
		default: // a column whose type the join changes
			return false
		}
	}
	all := p.strict == sql.StrictnessAll
	inner := all && (p.kind == sql.JoinInner || p.kind == sql.JoinCross)
	switch {
	case s == leftSide && (inner || p.kind == sql.JoinLeft):
		p.left.push(c)
		return true
	case s == rightSide && (inner || p.kind == sql.JoinRight && all):
		p.right.push(c)
		return true
	case s == bothSides && inner:
		if l, r, nulls, ok := p.equality(c); ok && p.addKey(l, r, c, nulls) == nil {
			p.kind = sql.JoinInner
			return true
		}
		p.mixed = append(p.mixed, c)
		return true
	}
	return false
}

func (in *joinInput) push(c *expr) {
	if p, ok := in.table.rel.(*joinPlan); ok && p.push(c) {
		return
	}
	in.where = append(in.where, c)
}

// source is the side as a relation: its table, or a SELECT of the rows that meet the conditions.
func (in *joinInput) source(p *joinPlan) relation {
	if in.cond == nil {
		return in.table.rel
	}
	s := &selectPlan{source: []*scopeTable{in.table}, lazy: p.lazy, blockSize: p.blockSize, where: in.cond, limit: noLimit, info: in.table.info}
	for i, e := range in.table.nodes {
		s.items = append(s.items, item{name: in.table.info[i].Name, node: e})
	}
	return s
}

// pushDown hands the parts of WHERE that concern one side of a join, or are equalities between its sides, to the join.
func (p *selectPlan) pushDown(b *binder) error {
	if p.array != nil || p.where == nil || b.root == nil {
		return nil
	}
	j, ok := p.source[0].rel.(*joinPlan)
	if !ok {
		return nil
	}
	parts := conjuncts(p.where, nil)
	var rest []*expr
	for _, c := range parts {
		if !j.push(c) {
			rest = append(rest, c)
		}
	}
	if len(rest) == len(parts) {
		return nil
	}
	var err error
	p.where, err = b.all(rest)
	return err
}

// all is the condition that all of list are true; nil for none.
func (b *binder) all(list []*expr) (*expr, error) {
	switch len(list) {
	case 0:
		return nil, nil
	case 1:
		return list[0], nil
	}
	return b.callByName("and", list...)
}

// finish puts the conditions of each side together, once all are known.
func (p *joinPlan) finish(b *binder) (err error) {
	if p.left.cond, err = b.all(p.left.where); err != nil {
		return err
	}
	p.right.cond, err = b.all(p.right.where)
	return err
}

// explain implements relation.
func (p *joinPlan) explain() string {
	kinds := map[sql.JoinKind]string{sql.JoinInner: "inner", sql.JoinLeft: "left", sql.JoinRight: "right", sql.JoinFull: "full", sql.JoinCross: "cross", sql.JoinPaste: "paste"}
	stricts := map[sql.JoinStrictness]string{sql.StrictnessAll: "all", sql.StrictnessAny: "any", sql.StrictnessSemi: "semi", sql.StrictnessAnti: "anti", sql.StrictnessAsof: "asof"}
	algorithm := "hash"
	switch d := p.direct(); {
	case d != nil:
		algorithm = "direct, keys looked up in dictionary " + d.table.def.Name
	case len(p.keys) == 0:
		algorithm = "pairs"
	}
	text := "Join (" + kinds[p.kind] + " " + stricts[p.strict] + ", " + algorithm + ")"
	sep := ": "
	for _, k := range p.keys {
		text += sep + exprText(k.left) + " = " + exprText(k.right)
		sep = ", "
	}
	if p.asof != nil {
		text += sep + exprText(p.asof.left) + " " + p.asof.op + " " + exprText(p.asof.right)
		sep = ", "
	}
	for _, c := range slices.Concat(p.leftIf, p.rightIf, p.mixed) {
		text += sep + exprText(c)
		sep = ", "
	}
	return text
}

// swaps tells whether the sides change places: the smaller one is the better table. ClickHouse does so too, and so rows come in the right side's order then.
func (p *joinPlan) swaps() bool {
	if p.strict != sql.StrictnessAll || p.kind == sql.JoinCross || len(p.keys) == 0 || p.direct() != nil {
		return false
	}
	left, ok := rowsOf(p.left.table.rel)
	if !ok {
		return false
	}
	right, ok := rowsOf(p.right.table.rel)
	return ok && left < right
}

// rowsOf is how many rows a relation has at most, where that is known without reading.
func rowsOf(r relation) (uint64, bool) {
	switch r := r.(type) {
	case *renamed:
		return rowsOf(r.relation)
	case *selectPlan:
		if len(r.source) == 1 && !r.aggregated && r.array == nil && r.limitBy == nil && r.limit == noLimit {
			return rowsOf(r.source[0].rel)
		}
	case table:
		rows, _, ok := r.size()
		return rows, ok
	}
	return 0, false
}

// swapped is the join with its sides exchanged.
func (p *joinPlan) swapped() *joinPlan {
	s := *p
	s.left, s.right = p.right, p.left
	s.leftIf, s.rightIf = p.rightIf, p.leftIf
	switch p.kind {
	case sql.JoinLeft:
		s.kind = sql.JoinRight
	case sql.JoinRight:
		s.kind = sql.JoinLeft
	}
	s.keys = make([]joinKey, len(p.keys))
	for i, k := range p.keys {
		k.left, k.right = k.right, k.left
		s.keys[i] = k
	}
	s.out = make([]joinOut, len(p.out))
	for i, o := range p.out {
		s.out[i] = joinOut{node: o.node, left: o.right, right: o.left}
	}
	return &s
}
