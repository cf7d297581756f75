package query

import (
	"context"
	"time"

	"dictsvc/column"
	"dictsvc/errcode"
)

// User is who a session belongs to and what the server allows it.
type User struct {
	Name string
	// Settings are the user's own defaults and limits: max_execution_time, max_memory_usage, max_result_rows, max_threads, readonly, ...
	Settings map[string]string
}

// Session is one client's state between queries: its database, settings, parameters and temporary tables. It runs one query at a time.
type Session struct {
	engine   *Engine
	user     User
	id       uint64
	database string
	settings *settings
	params   map[string]string
	temp     map[string]*memoryTable
}

// NewSession starts a session in a database ("" is default). Error 81 where there is no such database, 115 for a user's unknown setting.
func (e *Engine) NewSession(user User, database string) (*Session, error) {
	if database == "" {
		database = "default"
	}
	if !e.HasDatabase(database) {
		return nil, unknownDatabase(database)
	}
	if user.Name == "" {
		user.Name = "default"
	}
	s := &Session{engine: e, user: user, id: e.sessions.Add(1), database: database, settings: e.defaults.scope()}
	for name, v := range user.Settings {
		if err := s.settings.change(name, v); err != nil {
			return nil, errcode.Wrap(err, "settings of user %s", user.Name)
		}
	}
	s.settings = s.settings.scope()
	return s, nil
}

// Database is the session's current database.
func (s *Session) Database() string { return s.database }

// Setting is a setting's value in the session.
func (s *Session) Setting(name string) string { return s.settings.get(name) }

// Close drops what the session holds.
func (s *Session) Close() {
	for _, t := range s.temp {
		t.drop()
	}
	s.temp = nil
}

// Setting is a setting that comes with a query. One that is not known is ignored unless it is Important.
type Setting struct {
	Name, Value string
	Important   bool
}

// External is a temporary table that comes with a query.
type External struct {
	Name   string
	Header *column.Block // names and types
	Blocks []*column.Block
}

// Stage is how far a query is to be run, with the numbers of the native protocol.
type Stage int

// The stages of the native protocol.
const (
	StageFetchColumns             Stage = 0
	StageWithMergeableState       Stage = 1
	StageComplete                 Stage = 2
	StageAfterAggregation         Stage = 3
	StageAfterAggregationAndLimit Stage = 4
)

// Request is one statement to run.
type Request struct {
	SQL     string
	QueryID string // one is made up where it is ""
	// Params are the values of {name:Type} parameters, as text. A value in single quotes is a quoted literal, as the native protocol sends it.
	Params       map[string]string
	QuotedParams bool
	Settings     []Setting
	External     []External
	Stage        Stage
	// Input gives the data of an INSERT whose text holds none; nil: such an INSERT is an error.
	Input Input
	// Database, if not "", is the database of this query alone.
	Database string
	// OldClient asks for the columns of DESCRIBE that clients before revision 54420 know.
	OldClient bool
	// Secondary tells that another server asks, for a query of its own: the size of the text is not limited, since lists of keys make it long.
	Secondary bool
	// Interactive tells that somebody waits for progress: Sink.Progress is called every interactive_delay.
	ClientName string
	Address    string
}

// Input is where an INSERT's data come from.
type Input interface {
	// Header tells the client which columns are wanted; it is called once, before Next.
	Header(b *column.Block) error
	// Next returns the next block, nil at the end. Its columns are found by name and converted to the table's types.
	Next(ctx context.Context) (*column.Block, error)
}

// Header is the head of a result.
type Header struct {
	Block *column.Block // names and types, no rows
	// Format is what FORMAT names, "" for the client's choice.
	Format string
	// Outfile is the path of INTO OUTFILE, "" for none.
	Outfile string
}

// Progress is what a query has done since the last report.
type Progress struct {
	Rows, Bytes, TotalRows    uint64
	WrittenRows, WrittenBytes uint64
	Elapsed                   time.Duration
}

// Profile sums up a result.
type Profile struct {
	Rows, Blocks, Bytes uint64
	AppliedLimit        bool
	RowsBeforeLimit     uint64
	CalculatedBefore    bool
}

// Sink takes a result. All its methods are called from the goroutine that called Run, in the order Header, Block..., Totals, Profile, with Progress
// in between. Columns may be Const; LowCardinality stays as it is. A statement without a result calls none of Header, Block, Totals and Profile.
type Sink interface {
	Header(h Header) error
	Block(b *column.Block) error
	Totals(b *column.Block) error
	Extremes(b *column.Block) error
	Progress(p Progress) error
	Profile(p Profile) error
}
