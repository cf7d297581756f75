package query

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"dictsvc/column"
	"dictsvc/errcode"
	"dictsvc/sql"
)

// item is one column of a SELECT list.
type item struct {
	name string
	node *expr
	text sql.Expr // as written, for positional arguments
}

// column is the name that EXCEPT and REPLACE know an item by: the column's own, without its table.
func (it *item) column() string {
	if isSource(it.node) && it.node.name != "" {
		return it.node.name
	}
	return it.name
}

// expand is what an asterisk or COLUMNS stands for, its transformers applied.
func (b *binder) expand(e sql.Expr) ([]item, error) {
	var items []item
	var transformers []sql.Transformer
	var err error
	switch e := e.(type) {
	case *sql.Asterisk:
		items, err = b.asterisk(e)
		transformers = e.Transformers
	case *sql.ColumnsMatcher:
		items, err = b.matched(e)
		transformers = e.Transformers
	}
	if err != nil {
		return nil, err
	}
	for i := range transformers {
		if items, err = b.transform(items, &transformers[i]); err != nil {
			return nil, err
		}
	}
	return items, nil
}

// matchersNamed is an expression for naming: matchers among the arguments of its calls are replaced by the names of what they match.
func (b *binder) matchersNamed(e sql.Expr) sql.Expr {
	f, ok := e.(*sql.Func)
	if !ok || f.As != "" || !hasMatcher(f) {
		return e
	}
	c := *f
	c.Args = nil
	for _, a := range f.Args {
		switch a.(type) {
		case *sql.Asterisk, *sql.ColumnsMatcher:
			items, err := b.expand(a)
			if err != nil || len(f.Args) == 1 && strings.EqualFold(f.Name, "count") && isBareAsterisk(a) {
				c.Args = append(c.Args, a)
				continue
			}
			for _, it := range items {
				c.Args = append(c.Args, &sql.Ident{Parts: []string{it.name}})
			}
		default:
			c.Args = append(c.Args, b.matchersNamed(a))
		}
	}
	return &c
}

func isBareAsterisk(e sql.Expr) bool {
	a, ok := e.(*sql.Asterisk)
	return ok && a.Qualifier == nil && len(a.Transformers) == 0
}

// hasMatcher tells whether a matcher stands among the arguments of a call or of a call inside of it.
func hasMatcher(f *sql.Func) bool {
	for _, a := range f.Args {
		switch a := a.(type) {
		case *sql.Asterisk, *sql.ColumnsMatcher:
			return true
		case *sql.Func:
			if hasMatcher(a) {
				return true
			}
		}
	}
	return false
}

// asterisk is all columns, those of a table, or the elements of a tuple.
func (b *binder) asterisk(a *sql.Asterisk) ([]item, error) {
	if a.Qualifier == nil {
		if len(b.source) == 0 {
			b.readOne()
		}
		return b.allItems(b.starMeans), nil
	}
	if id, ok := a.Qualifier.(*sql.Ident); ok {
		for k, t := range b.source {
			if _, ok := t.qualified(append(slices.Clone(id.Parts), "*")); ok {
				return b.tableItems(t, k, b.starMeans), nil
			}
		}
	}
	q, err := b.bind(a.Qualifier)
	if err != nil {
		if id, ok := a.Qualifier.(*sql.Ident); ok && errcode.Of(err) == errcode.UnknownIdentifier {
			return nil, errcode.New(errcode.UnknownIdentifier, "Qualified matcher %s.* does not find table. In scope %s", id.Name(), b.scopeText())
		}
		return nil, err
	}
	if q.typ.Kind != column.Tuple {
		return nil, errcode.New(errcode.UnsupportedMethod, "Qualified matcher %s expects a table or a tuple, got %s. In scope %s", sql.Format(a), q.typ, b.scopeText())
	}
	name := b.namer.Name(a.Qualifier)
	var items []item
	for i := range q.typ.Elems {
		n, err := b.callByName("tupleElement", q, b.pool.constant(uint64Const(uint64(i+1))))
		if err != nil {
			return nil, err
		}
		items = append(items, item{name: name + "." + elemName(q.typ, i), node: n})
	}
	return items, nil
}

// allItems are the columns of all tables that a kind of matcher means. The columns of USING come first, and once.
func (b *binder) allItems(means func(*columnInfo) bool) []item {
	var items []item
	for k, t := range b.source {
		right := b.tableItems(t, k, means)
		if k >= len(b.using) || len(b.using[k]) == 0 {
			items = append(items, right...)
			continue
		}
		list := make([]item, 0, len(items)+len(right))
		for _, u := range b.using[k] {
			list = append(list, item{name: u.name, node: b.usingColumn(k, u.name)})
		}
		for _, it := range append(items, right...) {
			if b.usingColumn(k, it.node.name) == nil {
				list = append(list, it)
			}
		}
		items = list
	}
	return items
}

// tableItems are a table's columns that a kind of matcher means, ALIAS columns behind the others.
func (b *binder) tableItems(t *scopeTable, k int, means func(*columnInfo) bool) []item {
	items := make([]item, 0, len(t.info))
	for _, aliases := range []bool{false, true} {
		for i := range t.info {
			if c := &t.info[i]; (c.DefaultKind == kindAlias) == aliases && means(c) {
				items = append(items, item{name: b.itemName(t, k, c.Name), node: b.columnNode(t, i)})
			}
		}
	}
	return items
}

// starMeans tells whether an asterisk means a column, patternMeans whether COLUMNS does.
func (b *binder) starMeans(c *columnInfo) bool {
	switch c.DefaultKind {
	case kindMaterialized:
		return b.q.settings.flag("asterisk_include_materialized_columns", false)
	case kindAlias:
		return b.q.settings.flag("asterisk_include_alias_columns", false)
	}
	return patternMeans(c)
}

func patternMeans(c *columnInfo) bool {
	return c.DefaultKind != kindEphemeral && c.DefaultKind != kindElement
}

// matched is COLUMNS('regexp') or COLUMNS(a, b).
func (b *binder) matched(m *sql.ColumnsMatcher) ([]item, error) {
	if m.List != nil {
		var items []item
		for _, e := range m.List {
			n, err := b.bind(e)
			if err != nil {
				return nil, err
			}
			items = append(items, item{name: b.namer.Name(e), node: n, text: e})
		}
		return items, nil
	}
	re, err := regexp.Compile(m.Pattern)
	if err != nil {
		return nil, errcode.New(errcode.CannotCompileRegexp, "COLUMNS pattern %s cannot be compiled: %v", sql.QuoteString(m.Pattern), err)
	}
	var items []item
	if m.Qualifier == nil {
		items = b.allItems(patternMeans)
	}
	for k, t := range b.source {
		if m.Qualifier == nil {
			break
		}
		if _, ok := t.qualified(append(slices.Clone(m.Qualifier.Parts), "*")); ok {
			items = append(items, b.tableItems(t, k, patternMeans)...)
		}
	}
	return slices.DeleteFunc(items, func(it item) bool { return !re.MatchString(it.node.name) }), nil
}

// transform applies EXCEPT, REPLACE or APPLY.
func (b *binder) transform(items []item, t *sql.Transformer) ([]item, error) {
	switch t.Kind {
	case sql.TransformExcept:
		return b.except(items, t)
	case sql.TransformReplace:
		return b.replace(items, t)
	}
	out := make([]item, 0, len(items))
	for _, it := range items {
		n, name, err := b.applyTo(it, t)
		if err != nil {
			return nil, err
		}
		out = append(out, item{name: name, node: n})
	}
	return out, nil
}

func (b *binder) except(items []item, t *sql.Transformer) ([]item, error) {
	drop := func(name string) bool { return slices.Contains(t.Names, name) }
	if t.Names == nil {
		re, err := regexp.Compile(t.Pattern)
		if err != nil {
			return nil, errcode.New(errcode.CannotCompileRegexp, "EXCEPT pattern %s cannot be compiled: %v", sql.QuoteString(t.Pattern), err)
		}
		drop = re.MatchString
	}
	if t.Strict {
		for _, n := range t.Names {
			if !slices.ContainsFunc(items, func(it item) bool { return it.column() == n }) {
				return nil, errcode.New(errcode.BadArguments, "Columns transformer except expects following column(s) : %s. In scope %s", n, b.scopeText())
			}
		}
	}
	var out []item
	for _, it := range items {
		if !drop(it.column()) {
			out = append(out, it)
		}
	}
	return out, nil
}

func (b *binder) replace(items []item, t *sql.Transformer) ([]item, error) {
	out := slices.Clone(items)
	for _, e := range t.Replace {
		found := false
		for i := range out {
			if out[i].column() == e.Alias() {
				n, err := b.bindBare(e)
				if err != nil {
					return nil, err
				}
				out[i] = item{name: e.Alias(), node: n}
				found = true
			}
		}
		if !found && t.Strict {
			return nil, errcode.New(errcode.BadArguments, "Columns transformer replace expects following column(s) : %s. In scope %s", e.Alias(), b.scopeText())
		}
	}
	return out, nil
}

// applyTo puts one column through APPLY: a function's name, with parameters for aggregates, or a lambda.
func (b *binder) applyTo(it item, t *sql.Transformer) (*expr, string, error) {
	const self = "\x00column"
	id := &sql.Ident{Parts: []string{self}}
	b.lambdas = append(b.lambdas, map[string]*expr{self: it.node})
	defer func() { b.lambdas = b.lambdas[:len(b.lambdas)-1] }()
	namer := sql.Namer{Param: b.namer.Param}
	if t.Lambda != nil {
		if len(t.Lambda.Params) != 1 {
			return nil, "", errcode.New(errcode.BadArguments, "Lambda in APPLY must take one argument. In scope %s", b.scopeText())
		}
		param := t.Lambda.Params[0].Name()
		b.lambdas[len(b.lambdas)-1][param] = it.node
		namer.Ident = func(i *sql.Ident) string {
			if i.Name() == param {
				return it.name
			}
			return i.Name()
		}
		n, err := b.bind(t.Lambda.Body)
		if err != nil {
			return nil, "", err
		}
		return n, t.Prefix + namer.Name(t.Lambda.Body), nil
	}
	namer.Ident = func(*sql.Ident) string { return it.name }
	f := &sql.Func{Name: t.Func, Params: t.Params, HasParams: t.Params != nil, Args: []sql.Expr{id}}
	n, err := b.call(f)
	if err != nil {
		return nil, "", err
	}
	return n, t.Prefix + namer.Name(f), nil
}

// elemName is the name of a tuple's element; without one its number.
func elemName(t *column.Type, i int) string {
	if t.Names != nil {
		return t.Names[i]
	}
	return strconv.Itoa(i + 1)
}
