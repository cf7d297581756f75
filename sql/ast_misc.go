package sql

// Insert is INSERT INTO ..., up to where its data begins.
type Insert struct {
	Position
	Table    TableName
	Func     *Func // INSERT INTO FUNCTION f(...); Table is empty then
	Columns  []Expr
	HasList  bool // a column list was written
	Settings []Setting
	// Format is the name after FORMAT, or "Values" after VALUES; "" where Query gives the rows (or nothing was written: native data follows).
	Format string
	// HasData says that DataOffset is meaningful: the byte offset in the query text at which inline data begins (it may be the text's end).
	HasData    bool
	DataOffset int
	DataEnd    int
	Query      *SelectQuery
	Infile     string // FROM INFILE 'x'
	HasInfile  bool
	Compress   string
	Partition  Expr // PARTITION BY expr, with table functions
}

// ShowKind says what a Show lists.
type ShowKind uint8

// The kinds of SHOW.
const (
	ShowTables ShowKind = iota
	ShowDatabases
	ShowDictionaries
	ShowColumns
	ShowFunctions
	ShowProcesslist
	ShowSettings
	ShowSetting // SHOW SETTING name: in From.Table
	ShowClusters
	ShowCluster
	ShowEngines
	ShowIndexes
	ShowMerges
	ShowAccess // SHOW GRANTS, USERS, ROLES, QUOTAS, POLICIES, PROFILES, ...: Words holds the text
	ShowPrivileges
	ShowFilesystemCaches
)

// LikeClause is [NOT] LIKE|ILIKE 'pattern'.
type LikeClause struct {
	Not, ILike bool
	Pattern    string
}

// Show is SHOW something, except SHOW CREATE.
type Show struct {
	Position
	Kind      ShowKind
	Full      bool
	Extended  bool
	Temporary bool
	Changed   bool      // SHOW CHANGED SETTINGS
	From      TableName // FROM db (Database), FROM [db.]t of SHOW COLUMNS
	Like      *LikeClause
	Where     Expr
	Limit     Expr
	Words     string // the words after SHOW, of the kinds that have no fields of their own
	Output    Output
}

// ShowCreate is SHOW CREATE [TABLE|DICTIONARY|VIEW|DATABASE] name.
type ShowCreate struct {
	Position
	Object    ObjectKind
	Temporary bool
	Name      TableName
	Output    Output
}

// Describe is DESCRIBE [TABLE] table, function or query.
type Describe struct {
	Position
	Table  *TableExpr
	Output Output
}

// Exists is EXISTS [TEMPORARY] [TABLE|DICTIONARY|VIEW|DATABASE] name.
type Exists struct {
	Position
	Object    ObjectKind
	Temporary bool
	Name      TableName
	Output    Output
}

// Use is USE database.
type Use struct {
	Position
	Database      string
	DatabaseParam *Param
}

// Set is SET a = 1, b = 'x'. Names that begin with param_ set query parameters.
type Set struct {
	Position
	Settings []Setting
}

// System is SYSTEM ...: Command is the words in upper case ("RELOAD DICTIONARY", "FLUSH LOGS"), Target what they apply to.
type System struct {
	Position
	Command string
	Target  *TableName
	Cluster string
	Args    string // what follows, as written, of commands with other arguments
}

// Kill is KILL QUERY|MUTATION WHERE ... [SYNC|ASYNC|TEST].
type Kill struct {
	Position
	Object  string // QUERY, MUTATION, TRANSACTION, PART_MOVE_TO_SHARD
	Cluster string
	Where   Expr
	Sync    bool
	Test    bool
	Output  Output
}

// ExplainKind is what EXPLAIN shows.
type ExplainKind uint8

// The kinds of EXPLAIN.
const (
	ExplainPlan ExplainKind = iota
	ExplainAst
	ExplainSyntax
	ExplainQueryTree
	ExplainPipeline
	ExplainEstimate
	ExplainTableOverride
	ExplainCurrentTransaction
)

// Explain is EXPLAIN [kind] [settings] statement.
type Explain struct {
	Position
	Kind      ExplainKind
	KindGiven bool
	Settings  []Setting
	Query     Statement
	Output    Output
}

func (*Insert) statement()     {}
func (*Show) statement()       {}
func (*ShowCreate) statement() {}
func (*Describe) statement()   {}
func (*Exists) statement()     {}
func (*Use) statement()        {}
func (*Set) statement()        {}
func (*System) statement()     {}
func (*Kill) statement()       {}
func (*Explain) statement()    {}
