package sql

import "strings"

// Node is any part of the syntax tree.
type Node interface {
	// Pos is the byte offset in the query text at which the node begins.
	Pos() int
}

// Position is the part every node shares: the byte offset at which it begins.
type Position int

// Pos implements Node.
func (p Position) Pos() int { return int(p) }

// Statement is one SQL statement: *SelectQuery, *Select, *Insert, *CreateDictionary, and so on.
type Statement interface {
	Node
	statement()
}

// Expr is an expression. The concrete types are *Literal, *Ident, *Asterisk, *ColumnsMatcher, *Func, *Lambda,
// *Subquery and *Param.
type Expr interface {
	Node
	// Alias is the name given with AS, or "".
	Alias() string
	base() *ExprBase
}

// ExprBase is what all expressions share.
type ExprBase struct {
	Position
	// As is the name given with [AS] name; "" for none.
	As string
	// AsParam is the {name:Identifier} parameter that stands for the alias, nil normally.
	AsParam *Param
	// Brackets says that the expression stood in round brackets of its own; it matters to the formatter only.
	Brackets bool
}

// Alias implements Expr.
func (b *ExprBase) Alias() string   { return b.As }
func (b *ExprBase) base() *ExprBase { return b }

// SetAlias names an expression.
func SetAlias(e Expr, name string) { e.base().As = name }

// Literal is a constant. Arrays and tuples of plain literals are one Literal, as in ClickHouse.
type Literal struct {
	ExprBase
	Value Value
	// Text is the number as it was written, where Value is a Float64 whose exact decimal digits may matter; otherwise "".
	Text string
}

// Ident is a possibly qualified name: a, t.a, db.t.a.
type Ident struct {
	ExprBase
	Parts []string
	// Params is nil, or has an entry for each part: the {name:Identifier} parameter that stands for it, or nil.
	Params []*Param
}

// Name is the identifier with its parts joined by dots, without quoting.
func (i *Ident) Name() string { return joinDots(i.Parts) }

// Asterisk is * or t.*, with its transformers.
type Asterisk struct {
	ExprBase
	// Qualifier is what stands before the dot, or nil. An Ident names a table or a tuple column; any other expression is a tuple.
	Qualifier    Expr
	Transformers []Transformer
}

// ColumnsMatcher is COLUMNS('regexp') or COLUMNS(a, b), possibly qualified, with its transformers.
type ColumnsMatcher struct {
	ExprBase
	Qualifier    *Ident
	Pattern      string // used where List is nil
	List         []Expr
	Transformers []Transformer
}

// TransformerKind says what a Transformer does to the matched columns.
type TransformerKind uint8

// The column transformers.
const (
	TransformExcept TransformerKind = iota
	TransformReplace
	TransformApply
)

// Transformer is one EXCEPT, REPLACE or APPLY after an asterisk or COLUMNS.
type Transformer struct {
	Position
	Kind    TransformerKind
	Strict  bool     // EXCEPT STRICT, REPLACE STRICT
	Names   []string // EXCEPT (a, b)
	Pattern string   // EXCEPT 'regexp', where Names is nil
	Replace []Expr   // REPLACE (expr AS name, ...): each has its alias
	// APPLY: a lambda, or a function name with parameters.
	Lambda *Lambda
	Func   string
	Params []Expr
	Prefix string // APPLY(f, 'prefix'): names of the results get this prefix
}

// NullsAction is IGNORE NULLS or RESPECT NULLS after an aggregate function.
type NullsAction uint8

// The actions on NULL.
const (
	NullsDefault NullsAction = iota
	NullsIgnore
	NullsRespect
)

// Func is a function call, whether it was written as a call or as an operator.
type Func struct {
	ExprBase
	Name string
	// Params are those of parametric aggregate functions, quantile(0.9)(x); nil where there is no second pair of brackets.
	Params []Expr
	Args   []Expr
	Nulls  NullsAction
	// Over is the window of OVER w or OVER (...), nil for none.
	Over *Window
	// Operator says that it was written as an operator (or CASE, INTERVAL, [..], (..), CAST(a AS T), a::T); the formatter writes it so again.
	Operator bool
	// Between says that it is the pair of comparisons made of [NOT] BETWEEN; they share their left operand.
	Between bool
	// HasParams says that parameters were written, even none of them: f()(x).
	HasParams bool
	// BareSelect says that the only argument is a query without brackets of its own, f(SELECT 1), as view() has it: Args[0] is a *Subquery.
	BareSelect bool
	// Settings are SETTINGS a = 1 at the end of a table function's arguments.
	Settings []Setting
}

// Lambda is (x, y) -> body. ClickHouse's tree has the function lambda(tuple(x, y), body).
type Lambda struct {
	ExprBase
	Params []*Ident
	Body   Expr
}

// Subquery is a query in brackets where an expression stands.
type Subquery struct {
	ExprBase
	Query *SelectQuery
}

// Param is a query parameter {name:Type}.
type Param struct {
	ExprBase
	Name string
	Type *TypeExpr
}

// TypeExpr is the name of a data type with its arguments.
type TypeExpr struct {
	Position
	Name string
	// Args are the arguments in brackets; HasArgs tells Tuple() from Tuple.
	Args    []TypeArg
	HasArgs bool
}

// TypeArg is one argument of a type. Exactly one of Type, Expr and Field is set:
// Array(String) has a Type, FixedString(16) and DateTime('UTC') an Expr (a *Literal), Tuple(x UInt8) a Field with a name and a type,
// Enum8('a' = 1) an Expr that is equals('a', 1), AggregateFunction(quantile(0.9), T) a Type with arguments of its own.
// JSON(SKIP a.b, SKIP REGEXP 'x') has Skip and SkipRegexp.
type TypeArg struct {
	Position
	Type  *TypeExpr
	Expr  Expr
	Field *NamedType
	Skip  string // the path as written
	// SkipRegexp is the pattern of SKIP REGEXP, where IsSkipRegexp says so.
	SkipRegexp   string
	IsSkipRegexp bool
}

// NamedType is a name with a type: a field of Tuple or Nested, a path of JSON.
type NamedType struct {
	Position
	Name string
	Type *TypeExpr
}

// Setting is name = value. Value is a Literal's value; Param is set instead where a {name:Type} parameter stands for it.
type Setting struct {
	Position
	Name    string
	Value   Value
	Param   *Param
	Expr    Expr // a function call or other non-literal, as in disk = disk(type = 'local'); else nil
	Default bool // name = DEFAULT
	Alone   bool // the name only; Value is true
	Map     bool // the value was {key: value, ...}; Value is an array of pairs
}

// TableName is [db.]table. A part that is a {name:Identifier} parameter has its Param set and an empty text.
type TableName struct {
	Position
	Database, Table           string
	DatabaseParam, TableParam *Param
}

// String is the name with dots, without quoting.
func (t TableName) String() string {
	if t.Database == "" {
		return t.Table
	}
	return t.Database + "." + t.Table
}

func joinDots(parts []string) string {
	if len(parts) == 1 {
		return parts[0]
	}
	return strings.Join(parts, ".")
}
