package sql

// CreateDictionary is CREATE [OR REPLACE] DICTIONARY, or ATTACH DICTIONARY with a definition.
type CreateDictionary struct {
	Position
	Attach      bool
	OrReplace   bool
	Replace     bool // REPLACE DICTIONARY
	IfNotExists bool
	Name        TableName
	UUID        string
	Cluster     string
	Attributes  []*DictAttribute
	PrimaryKey  []Expr
	Source      *KeyValues
	Layout      *KeyValues
	Lifetime    *DictLifetime
	Range       *DictRange
	Settings    []Setting
	HasSettings bool
	Comment     string
	HasComment  bool
}

// DictAttribute is a column of a dictionary.
type DictAttribute struct {
	Position
	Name          string
	Type          *TypeExpr
	Default       *Literal // nil: none
	Expression    Expr
	Hierarchical  bool
	Bidirectional bool
	Injective     bool
	IsObjectID    bool
	Comment       string
	HasComment    bool
}

// KeyValues is NAME(KEY value ...), as SOURCE and LAYOUT hold it. Names and keys keep their case.
type KeyValues struct {
	Position
	Name  string
	Pairs []*KeyValue
	// NoBrackets says that only the name was written: LAYOUT(flat).
	NoBrackets bool
}

// KeyValue is one KEY value, or KEY(KEY value ...).
type KeyValue struct {
	Position
	Key string
	// Value is a *Literal, an *Ident or a *Func; nil where Pairs holds the value.
	Value Expr
	Pairs []*KeyValue
	// Nested tells KEY() from a value.
	Nested bool
}

// Find is the pair whose key equals key without regard to case, or nil.
func (kv *KeyValues) Find(key string) *KeyValue {
	if kv == nil {
		return nil
	}
	for _, p := range kv.Pairs {
		if equalFold(p.Key, key) {
			return p
		}
	}
	return nil
}

// DictLifetime is LIFETIME(n), which is Max n and Min 0, or LIFETIME(MIN a MAX b), in seconds.
type DictLifetime struct {
	Position
	Min, Max uint64
	Single   bool // written as one number
}

// DictRange is RANGE(MIN a MAX b): names of attributes.
type DictRange struct {
	Position
	Min, Max string
}

// CreateTable is CREATE TABLE, ATTACH TABLE with a definition, and REPLACE TABLE.
type CreateTable struct {
	Position
	Attach      bool
	OrReplace   bool
	Replace     bool
	Temporary   bool
	IfNotExists bool
	Name        TableName
	UUID        string
	Cluster     string
	Columns     []*ColumnDef
	// HasColumns says that a column list was written, even an empty one.
	HasColumns  bool
	Indexes     []*IndexDef
	Constraints []*ConstraintDef
	Projections []*ProjectionDef
	ColumnsPK   []Expr // PRIMARY KEY inside the column list
	Engine      *Engine
	AsTable     *TableName // AS db.t, CLONE AS db.t
	Clone       bool
	AsFunc      *Func // AS numbers(10)
	Empty       bool  // EMPTY AS SELECT
	AsSelect    *SelectQuery
	Comment     string
	HasComment  bool
	Output      Output
}

// DefaultKind is how a column gets a value that was not given.
type DefaultKind uint8

// The kinds of column defaults.
const (
	DefaultNone DefaultKind = iota
	DefaultValue
	DefaultMaterialized
	DefaultAlias
	DefaultEphemeral
)

// ColumnDef is a column of CREATE TABLE.
type ColumnDef struct {
	Position
	Name        string
	Type        *TypeExpr // nil where only a default was given
	Null        bool      // NULL
	NotNull     bool
	DefaultKind DefaultKind
	Default     Expr // nil for EPHEMERAL without expression
	Codec       []Expr
	Statistics  []Expr
	Comment     string
	HasComment  bool
	TTL         Expr
	Collate     string
	PrimaryKey  bool
	Settings    []Setting
}

// IndexDef is INDEX name expr TYPE type [GRANULARITY n].
type IndexDef struct {
	Position
	Name        string
	Expr        Expr
	Type        Expr
	Granularity Expr
}

// ConstraintDef is CONSTRAINT name CHECK|ASSUME expr.
type ConstraintDef struct {
	Position
	Name   string
	Assume bool
	Expr   Expr
}

// ProjectionDef is PROJECTION name (SELECT ...).
type ProjectionDef struct {
	Position
	Name   string
	Select *Select
}

// Engine is ENGINE = Name(args) with the clauses that follow it.
type Engine struct {
	Position
	Name        string // "" where only clauses were written
	Args        []Expr
	HasArgs     bool
	PartitionBy Expr
	PrimaryKey  Expr
	OrderBy     Expr
	SampleBy    Expr
	TTL         []TTLItem
	Settings    []Setting
}

// TTLItem is one element of a table's TTL; Action is the text after the expression (DELETE, TO DISK 'x', ...).
type TTLItem struct {
	Position
	Expr    Expr
	Action  string // "", DELETE, TO DISK, TO VOLUME, RECOMPRESS, GROUP BY
	Target  string
	Where   Expr
	GroupBy []Expr
	Set     []Expr
	Codec   []Expr
}

// CreateDatabase is CREATE DATABASE.
type CreateDatabase struct {
	Position
	Attach      bool
	IfNotExists bool
	Name        TableName // Database only
	UUID        string
	Cluster     string
	Engine      *Engine
	Comment     string
	HasComment  bool
}

// CreateView is CREATE [OR REPLACE] [MATERIALIZED] VIEW.
type CreateView struct {
	Position
	Attach       bool
	OrReplace    bool
	Materialized bool
	IfNotExists  bool
	Name         TableName
	UUID         string
	Cluster      string
	To           *TableName
	Columns      []*ColumnDef
	HasColumns   bool
	Aliases      []string // a column list of names alone
	Engine       *Engine
	Populate     bool
	Empty        bool
	Query        *SelectQuery
	Comment      string
	HasComment   bool
}

// CreateFunction is CREATE FUNCTION name AS lambda.
type CreateFunction struct {
	Position
	OrReplace   bool
	IfNotExists bool
	Name        string
	Cluster     string
	Body        Expr
}

// ObjectKind is the kind of thing a statement speaks of.
type ObjectKind uint8

// The kinds of objects. ObjectAny stands where the kind was not written: EXISTS t, TRUNCATE t.
const (
	ObjectAny ObjectKind = iota
	ObjectTable
	ObjectDictionary
	ObjectView
	ObjectDatabase
	ObjectFunction
)

// DropKind tells DROP, DETACH and TRUNCATE apart.
type DropKind uint8

// The kinds of Drop.
const (
	DropDrop DropKind = iota
	DropDetach
	DropTruncate
)

// Drop is DROP, DETACH or TRUNCATE of tables, dictionaries, views, databases and functions.
type Drop struct {
	Position
	Kind        DropKind
	Object      ObjectKind
	IfExists    bool
	IfEmpty     bool
	Temporary   bool
	Names       []TableName // of a database: Database only; of a function: Table only
	Cluster     string
	Sync        bool
	Permanently bool
	// AllTables is TRUNCATE ALL TABLES FROM db (and TRUNCATE TABLES FROM); Like and its flags narrow it.
	AllTables bool
	Like      *LikeClause
	Settings  []Setting
}

// Attach is ATTACH of an object without a definition.
type Attach struct {
	Position
	Object      ObjectKind
	IfNotExists bool
	Name        TableName
	Cluster     string
}

// Rename is RENAME or EXCHANGE.
type Rename struct {
	Position
	Exchange bool
	Object   ObjectKind
	IfExists bool
	Pairs    []RenamePair
	Cluster  string
}

// RenamePair is a TO b, or a AND b.
type RenamePair struct {
	From, To TableName
}

// GenericStatement is a statement that is recognised but not broken down: ALTER, GRANT, OPTIMIZE, and so on.
type GenericStatement struct {
	Position
	// Verb is the first keyword in upper case: ALTER, GRANT, REVOKE, OPTIMIZE, CHECK, BEGIN, COMMIT, ROLLBACK, CREATE USER, ...
	Verb string
	Text string // the whole statement as written
}

func (*CreateDictionary) statement() {}
func (*CreateTable) statement()      {}
func (*CreateDatabase) statement()   {}
func (*CreateView) statement()       {}
func (*CreateFunction) statement()   {}
func (*Drop) statement()             {}
func (*Attach) statement()           {}
func (*Rename) statement()           {}
func (*GenericStatement) statement() {}
