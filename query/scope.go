package query

import (
	"strings"

	"dictsvc/column"
	"dictsvc/errcode"
	"dictsvc/sql"
)

// binder binds one SELECT: it resolves names to nodes of its pool.
type binder struct {
	q      *run
	up     *binder // the SELECT around a subquery
	sel    *sql.Select
	pool   pool
	namer  sql.Namer
	ctes   map[string]*cte
	alias  map[string]*alias
	source []*scopeTable   // the tables that names see: all of FROM, while a join is bound those up to it
	tables []*scopeTable   // of FROM
	using  [][]usingColumn // by table: what the USING of its join makes
	kinds  []sql.JoinKind  // by table: of its join
	root   *scopeTable     // what all of FROM comes to, where that is more than a table
	plans  []*joinPlan     // the joins of FROM
	inner  []*expr         // arrays of ARRAY JOINs in front of joins

	windows map[string]*namedWindow // of the clause WINDOW

	groupings      []*groupingCall
	groupingNumber *expr           // nil without grouping sets
	nullKeys       map[*expr]*expr // what keys are behind GROUP BY with group_by_use_nulls
	keepNothing    bool            // aliases are bound anew each time they are used: they may stand under an aggregate or not

	joined    map[string]*expr // names that ARRAY JOIN gives
	joinedFor map[*expr]*expr  // columns that ARRAY JOIN without alias replaces
	lambdas   []map[string]*expr
	texts     map[*expr]*sql.Lambda // of lambdas that are not bound yet
	noFold    int                   // > 0: constants are not computed, because they may never be needed
	shadowed  int                   // how often a name meant a column because its alias was being bound
	shard     *shardText            // the query runs to an early stage only
	steps     int                   // expressions bound, to bound the work that aliases of aliases can make
}

// cte is a named query of WITH.
type cte struct {
	item *sql.WithItem
	at   *binder // whose WITH it stands in
	busy bool
}

// alias is a named expression of the query.
type alias struct {
	expr  sql.Expr
	busy  bool
	bound *expr
}

// scopeTable is a table in FROM as names see it.
type scopeTable struct {
	rel      relation
	alias    string
	database string
	table    string
	from     *sql.TableExpr
	info     []columnInfo
	byName   map[string]int
	nodes    []*expr // by column, nil until used
}

func newScopeTable(rel relation) *scopeTable {
	t := &scopeTable{rel: rel, info: rel.columns()}
	t.nodes = make([]*expr, len(t.info))
	return t
}

// find is the place of a column by its name. Tables with few columns need no index.
func (t *scopeTable) find(name string) int {
	if len(t.info) <= 8 {
		for i := range t.info {
			if t.info[i].Name == name {
				return i
			}
		}
		return -1
	}
	if t.byName == nil {
		t.byName = make(map[string]int, len(t.info))
		for i := range t.info {
			if _, ok := t.byName[t.info[i].Name]; !ok {
				t.byName[t.info[i].Name] = i
			}
		}
	}
	if i, ok := t.byName[name]; ok {
		return i
	}
	return -1
}

// qualified takes the table's own name off the front of an identifier; ok is false where it does not stand there.
func (t *scopeTable) qualified(parts []string) (rest []string, ok bool) {
	switch {
	case t.alias != "" && len(parts) > 1 && parts[0] == t.alias:
		return parts[1:], true
	case t.table != "" && len(parts) > 1 && parts[0] == t.table:
		return parts[1:], true
	case t.table != "" && len(parts) > 2 && parts[0] == t.database && parts[1] == t.table:
		return parts[2:], true
	}
	return nil, false
}

// node is the node of a column.
func (b *binder) columnNode(t *scopeTable, i int) *expr {
	if t.nodes[i] == nil {
		t.nodes[i] = b.pool.fresh(&expr{op: opColumn, typ: t.info[i].Type, name: t.info[i].Name})
	}
	e := t.nodes[i]
	if j := b.joinedFor[e]; j != nil {
		return j
	}
	return e
}

// column finds parts, or the front of them, among a table's columns: a name may hold dots itself, and what follows it are elements of a tuple.
func (b *binder) column(t *scopeTable, parts []string) (*expr, []string) {
	for n := len(parts); n > 0; n-- {
		if i := t.find(joinParts(parts[:n])); i >= 0 {
			return b.columnNode(t, i), parts[n:]
		}
	}
	return nil, nil
}

func joinParts(parts []string) string {
	if len(parts) == 1 {
		return parts[0]
	}
	return strings.Join(parts, ".")
}

// identifier resolves a name: parameters of lambdas, then aliases, then columns, then the query around.
// maxIdentParts bounds the parts of a name, each of which is tried as a table, a column and an element.
const maxIdentParts = 100

func (b *binder) identifier(id *sql.Ident) (*expr, error) {
	parts, err := b.q.identParts(id)
	if err != nil {
		return nil, err
	}
	if len(parts) > maxIdentParts {
		return nil, errcode.New(errcode.UnknownIdentifier, "An identifier of %d parts: want at most %d", len(parts), maxIdentParts)
	}
	e, rest, err := b.resolve(parts)
	if err != nil {
		return nil, err
	}
	if e == nil {
		return nil, b.unknownIdentifier(parts)
	}
	for _, name := range rest {
		if e, err = b.element(e, name); err != nil {
			return nil, err
		}
	}
	return e, nil
}

// identParts are the parts of an identifier with {name:Identifier} parameters put in.
func (q *run) identParts(id *sql.Ident) ([]string, error) {
	if id.Params == nil {
		return id.Parts, nil
	}
	parts := append([]string(nil), id.Parts...)
	for i, p := range id.Params {
		if p == nil {
			continue
		}
		text, err := q.paramText(p)
		if err != nil {
			return nil, err
		}
		parts[i] = text
	}
	return parts, nil
}

// resolve finds what the front of parts names in this SELECT or one around it; nil where nothing does.
func (b *binder) resolve(parts []string) (*expr, []string, error) {
	for i := len(b.lambdas) - 1; i >= 0; i-- {
		if e := b.lambdas[i][parts[0]]; e != nil {
			return e, parts[1:], nil
		}
	}
	f, err := b.fromTables(parts, b.qualifiedColumn)
	if err != nil {
		return nil, nil, err
	}
	if f.node != nil {
		return f.node, f.rest, nil
	}
	for _, t := range b.source {
		if _, ok := t.qualified(parts); ok && b.alias[parts[0]] == nil && t.find(parts[0]) < 0 {
			return nil, nil, errcode.New(errcode.UnknownIdentifier, "Identifier '%s' cannot be resolved from %s. In scope %s", joinParts(parts), t.describe(), b.scopeText())
		}
	}
	if a := b.alias[parts[0]]; a != nil {
		if !a.busy {
			e, err := b.bindAlias(a)
			return e, parts[1:], err
		}
		b.shadowed++
	}
	for n := len(parts); n > 0; n-- {
		if e := b.joined[joinParts(parts[:n])]; e != nil {
			return e, parts[n:], nil
		}
	}
	if f, err = b.fromTables(parts, b.columnOf); err != nil {
		return nil, nil, err
	}
	if f.node == nil && parts[0] == "dummy" && b.sel != nil && len(b.sel.From) == 0 && len(b.source) == 0 {
		b.readOne()
		return b.columnNode(b.source[0], 0), parts[1:], nil
	}
	if f.node != nil || b.up == nil {
		return f.node, f.rest, nil
	}
	e, rest, err := b.up.resolve(parts)
	if e == nil || err != nil {
		return nil, nil, err
	}
	if !e.isConst() {
		return nil, nil, errcode.New(errcode.NotImplemented, "Correlated subqueries are not supported: the subquery uses the column '%s' of the query around it", joinParts(parts))
	}
	return b.pool.constant(e.val), rest, nil
}

// readOne makes a SELECT without FROM read system.one, whose column dummy it may use.
func (b *binder) readOne() {
	st := newScopeTable(sysOne())
	st.database, st.table = "system", "one"
	b.source = append(b.source, st)
}

func (t *scopeTable) describe() string {
	switch t.rel.(type) {
	case *selectPlan, *unionPlan:
		if t.alias == "" {
			return "subquery"
		}
		return "subquery with name " + t.alias
	}
	name := t.alias
	if name == "" {
		name = t.table
		if t.database != "" {
			name = t.database + "." + name
		}
	}
	if t.table == "" {
		return "table_function with name " + name
	}
	return "table with name " + name
}

// bindAlias binds the expression of an alias once; inside of itself the name means a column.
func (b *binder) bindAlias(a *alias) (*expr, error) {
	if a.bound != nil {
		return a.bound, nil
	}
	a.busy = true
	shadowed := b.shadowed
	e, err := b.bindBare(a.expr)
	a.busy = false
	if err != nil {
		return nil, err
	}
	// Inside of another alias that is being bound, a name may have meant a column for once; then the node is no answer for other places.
	if e.level == 0 && b.noFold == 0 && b.shadowed == shadowed && !b.keepNothing {
		a.bound = e
	}
	return e, nil
}

// element is a part of a value by name: of a named tuple, the size of an array, the null map of a Nullable.
func (b *binder) element(e *expr, name string) (*expr, error) {
	switch t := e.typ; {
	case t.Kind == column.Tuple:
		return b.callByName("tupleElement", e, b.pool.constant(textConst(name)))
	case t.Kind == column.Array && name == "size0", t.Kind == column.Map && name == "size0":
		return b.callByName("length", e)
	case t.Kind == column.Nullable && name == "null":
		return b.callByName("isNull", e)
	case t.Kind == column.Map && name == "keys":
		return b.callByName("mapKeys", e)
	case t.Kind == column.Map && name == "values":
		return b.callByName("mapValues", e)
	case t.Kind == column.Array && t.Elems[0].Kind == column.Tuple:
		return b.callByName("tupleElement", e, b.pool.constant(textConst(name)))
	}
	return nil, b.unknownIdentifier([]string{e.name, name})
}

func textConst(s string) column.Column {
	c := column.New(column.Of(column.String), 1).(*column.Str)
	c.Append([]byte(s))
	return c
}

func uint64Const(n uint64) column.Column { return column.UInt64s(n) }

// scopeText is the text of the SELECT, as error messages quote it.
func (b *binder) scopeText() string {
	return sql.Format(b.sel)
}

func (b *binder) unknownIdentifier(parts []string) error {
	name := joinParts(parts)
	hint := ""
	if c := b.similarColumn(parts[len(parts)-1]); c != "" {
		hint = ". Maybe you meant: ['" + c + "']"
	}
	if b.sel == nil {
		return errcode.New(errcode.UnknownIdentifier, "Unknown expression identifier `%s`%s", name, hint)
	}
	if len(b.sel.From) == 0 {
		hint += ": Note: the query does not have the FROM clause. Did you forget to add it?"
	}
	kind := "expression identifier"
	if len(parts) > 1 {
		kind = "expression or function identifier"
	}
	return errcode.New(errcode.UnknownIdentifier, "Unknown %s `%s` in scope %s%s", kind, name, b.scopeText(), hint)
}

// similarColumn is the name in scope that is most like an unknown one, "" where none is.
func (b *binder) similarColumn(name string) string {
	var names []string
	for _, t := range b.source {
		for _, c := range t.info {
			names = append(names, c.Name)
		}
	}
	for n := range b.alias {
		names = append(names, n)
	}
	if hints := similar(name, names, 1); len(hints) > 0 {
		return hints[0]
	}
	return ""
}

// similar returns up to max names that are a few edits away from name, the nearest first.
func similar(name string, names []string, max int) []string {
	type hit struct {
		name string
		d    int
	}
	var hits []hit
	limit := (len(name) + 2) / 3
	lower := strings.ToLower(name)
	for _, n := range names {
		if len(n) > len(name)+limit || len(n)+limit < len(name) {
			continue
		}
		if d := editDistance(lower, strings.ToLower(n)); d <= limit {
			i := len(hits)
			for i > 0 && (hits[i-1].d > d || hits[i-1].d == d && hits[i-1].name > n) {
				i--
			}
			hits = append(hits, hit{})
			copy(hits[i+1:], hits[i:])
			hits[i] = hit{n, d}
			if len(hits) > max {
				hits = hits[:max]
			}
		}
	}
	out := make([]string, len(hits))
	for i, h := range hits {
		out[i] = h.name
	}
	return out
}

func editDistance(a, b string) int {
	if len(a) > 64 || len(b) > 64 {
		return 64
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		prev := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := prev
			if a[i] != b[j] {
				cost++
			}
			prev = row[j+1]
			row[j+1] = min(cost, row[j]+1, prev+1)
		}
	}
	return row[len(b)]
}
