package sql

// Query is one operand of a set operation: a *Select, or a bracketed *SelectQuery.
type Query interface {
	Node
	query()
}

// SetOp joins two queries.
type SetOp uint8

// The set operations. UNION without ALL or DISTINCT follows the setting union_default_mode (558 where that is empty and there are more than one).
const (
	UnionDefault SetOp = iota
	UnionAll
	UnionDistinct
	ExceptDefault
	ExceptAll
	ExceptDistinct
	IntersectDefault
	IntersectAll
	IntersectDistinct
)

// SelectQuery is a whole query: one or more SELECTs joined by set operations, with the output clauses that follow.
// It is a Statement, and stands in subqueries, views and INSERT ... SELECT as well.
type SelectQuery struct {
	Position
	// Queries has one element for a plain SELECT. Ops[i] joins Queries[i] and Queries[i+1], as written; INTERSECT binds tighter than the others.
	Queries []Query
	Ops     []SetOp
	Output  Output
}

// Single is the only SELECT of a query without set operations, or nil.
func (q *SelectQuery) Single() *Select {
	for q != nil && len(q.Queries) == 1 {
		switch inner := q.Queries[0].(type) {
		case *Select:
			return inner
		case *SelectQuery:
			q = inner
		}
	}
	return nil
}

// Output is the part of a statement that says where its result goes: INTO OUTFILE, FORMAT, SETTINGS.
type Output struct {
	IntoOutfile string
	HasOutfile  bool
	Append      bool // INTO OUTFILE 'x' APPEND
	Truncate    bool
	AndStdout   bool
	Compression string // COMPRESSION 'gzip'
	Level       Expr   // LEVEL n
	Format      string
	// Settings after FORMAT (or at the very end of a set operation) apply to the whole statement.
	Settings []Setting
}

// Select is one SELECT with its clauses. Nil or empty fields stand for absent clauses.
type Select struct {
	Position
	With          []WithItem
	WithRecursive bool
	Distinct      bool
	Columns       []Expr
	From          []FromItem
	Prewhere      Expr
	Where         Expr
	GroupBy       *GroupBy
	Having        Expr
	Windows       []NamedWindow
	Qualify       Expr
	OrderBy       []OrderItem
	OrderByAll    bool // ORDER BY ALL: OrderBy has one element with the direction and no Expr
	Interpolate   *Interpolate
	LimitBy       *LimitBy // DISTINCT ON (a, b) is LIMIT 1 BY a, b
	Limit         Expr     // that of LIMIT, FETCH or TOP
	Offset        Expr
	WithTies      bool
	Settings      []Setting
}

// WithItem is one element of WITH: name AS (query), or an expression with an alias.
type WithItem struct {
	Position
	Name         string
	Columns      []string // name (a, b) AS (...)
	Query        *SelectQuery
	Materialized bool
	Expr         Expr // set where Query is nil
}

// FromItem is one element of FROM. The first one has neither a Join nor an ArrayJoin.
type FromItem struct {
	Position
	Join      *Join // how Table joins what stands before it
	Table     *TableExpr
	ArrayJoin *ArrayJoin // set where Table is nil
}

// TableExpr is a table in FROM. Exactly one of Name, Func and Query is set. Joined tables in brackets, (a JOIN b ...),
// are the Query SELECT * FROM a JOIN b ..., as in ClickHouse.
type TableExpr struct {
	Position
	Name    *TableName
	Func    *Func
	Query   *SelectQuery
	As      string
	Columns []string // AS t(a, b)
	Final   bool
	Sample  *Ratio
	Offset  *Ratio // SAMPLE x OFFSET y
}

// Ratio is a number as SAMPLE takes it: a decimal number, or a fraction, written as ClickHouse prints it.
type Ratio struct {
	Position
	Num, Den string // decimal integers; Den is "1" for whole numbers
}

// JoinKind is the direction of a join.
type JoinKind uint8

// The kinds of join.
const (
	JoinInner JoinKind = iota
	JoinLeft
	JoinRight
	JoinFull
	JoinCross
	JoinComma
	JoinPaste
)

// JoinStrictness says which matches a join keeps.
type JoinStrictness uint8

// The strictness of a join.
const (
	StrictnessDefault JoinStrictness = iota
	StrictnessAll
	StrictnessAny
	StrictnessAsof
	StrictnessSemi
	StrictnessAnti
)

// JoinLocality is GLOBAL or LOCAL in front of a join.
type JoinLocality uint8

// The localities.
const (
	LocalityDefault JoinLocality = iota
	LocalityGlobal
	LocalityLocal
)

// Join is the operator in front of a joined table with its condition.
type Join struct {
	Position
	Kind       JoinKind
	Strictness JoinStrictness
	Locality   JoinLocality
	Natural    bool
	On         Expr
	Using      []Expr
	HasUsing   bool
	// UsingBrackets says that the USING list stood in brackets.
	UsingBrackets bool
}

// ArrayJoin is [LEFT] ARRAY JOIN list.
type ArrayJoin struct {
	Position
	Left  bool
	Exprs []Expr
}

// GroupBy is the GROUP BY clause.
type GroupBy struct {
	Position
	Exprs  []Expr
	All    bool // GROUP BY ALL
	Rollup bool
	Cube   bool
	Totals bool
	// Sets are the grouping sets of GROUPING SETS (...), nil for none.
	Sets         [][]Expr
	GroupingSets bool
}

// OrderItem is one element of ORDER BY.
type OrderItem struct {
	Position
	Expr       Expr
	Desc       bool
	NullsFirst bool
	NullsGiven bool // NULLS FIRST or NULLS LAST was written; without it NULLs come last
	Collate    string
	HasCollate bool
	Fill       bool
	FillFrom   Expr
	FillTo     Expr
	FillStep   Expr
	FillStale  Expr // STALENESS
}

// Interpolate is INTERPOLATE [(a AS expr, ...)].
type Interpolate struct {
	Position
	Columns []InterpolateItem // nil: all columns
}

// InterpolateItem is a column with its expression (nil: the previous value).
type InterpolateItem struct {
	Position
	Column string
	Expr   Expr
}

// LimitBy is LIMIT [offset,] n BY list, or LIMIT n [OFFSET m] BY list.
type LimitBy struct {
	Position
	Limit  Expr
	Offset Expr
	By     []Expr
	All    bool // BY ALL
}

// NamedWindow is WINDOW name AS (...).
type NamedWindow struct {
	Position
	Name   string
	Window *Window
}

// FrameUnit is the unit of a window frame.
type FrameUnit uint8

// The units of frames.
const (
	FrameRange FrameUnit = iota
	FrameRows
	FrameGroups
)

// FrameBoundKind is one end of a window frame.
type FrameBoundKind uint8

// The ends of frames.
const (
	BoundUnbounded FrameBoundKind = iota
	BoundCurrent
	BoundOffset
)

// FrameBound is one end of a frame. Preceding tells PRECEDING from FOLLOWING.
type FrameBound struct {
	Kind      FrameBoundKind
	Offset    Expr
	Preceding bool
}

// Window is the window of OVER. Name alone stands for OVER w.
type Window struct {
	Position
	// Name is that of OVER w; Parent that of OVER (w PARTITION BY ...).
	Name        string
	Parent      string
	PartitionBy []Expr
	OrderBy     []OrderItem
	HasFrame    bool
	Unit        FrameUnit
	Begin, End  FrameBound
}

func (*SelectQuery) statement() {}
func (*SelectQuery) query()     {}
func (*Select) query()          {}
