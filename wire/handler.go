package wire

import (
	"context"
	"net"

	"dictsvc/column"
)

// Handler answers for what stands behind a Server.
type Handler interface {
	// Login opens a session for a connection whose handshake is complete, or refuses it with an error whose code and text go to the client.
	// ctx ends with the connection.
	Login(ctx context.Context, h *Hello) (Session, error)
}

// Session is one connection's state behind the Handler. Its methods are called from one goroutine at a time.
type Session interface {
	// Query answers one statement through w. An error becomes an Exception packet, before or after rows, and the connection lives on.
	// ctx is cancelled when the client cancels, disconnects, or the server shuts down; Query should then return soon, with any error.
	// q and w must not be used after the return; strings and blocks taken from q may be kept.
	Query(ctx context.Context, q *Query, w ResultWriter) error
	// TableExists tells whether a table may be queried here; other servers ask before they send a remote() query. db may be "".
	TableExists(db, table string) bool
	// Close is called once, when the connection ends.
	Close()
}

// Hello is what a client says of itself at the start of a connection.
type Hello struct {
	ClientName string
	Major      uint64
	Minor      uint64
	Revision   uint64 // the smaller of the client's and ours
	Database   string // "" stands for the default
	User       string // "" stands for "default"
	Password   string
	QuotaKey   string
	RemoteAddr net.Addr
}

// ResultWriter takes the answer to one query. Header comes first, then blocks, totals and extremes; all must have the header's names and types.
// Calls may block while the client does not read. Progress may be called from any goroutine, the others from one at a time. Errors are those
// of the connection: Query should stop and return them.
type ResultWriter interface {
	// Header announces the names and types of the result; b has no rows, or its rows are ignored. Without it (SET, CREATE, ...) the answer has no rows.
	Header(b *column.Block) error
	// Block sends rows; the block may be reused after the return. A block without rows is dropped.
	Block(b *column.Block) error
	// Totals sends the one row of WITH TOTALS.
	Totals(b *column.Block) error
	// Extremes sends the two rows of the setting extremes.
	Extremes(b *column.Block) error
	// Progress adds to what was read since the last call. Packets go out every interactive_delay, and once at the end.
	Progress(p Progress)
	// RowsBeforeLimit tells how many rows the result would have had without its LIMIT.
	RowsBeforeLimit(n uint64)
	// RequestData asks the client for the rows of an INSERT: names and types wanted. The rows then come from Query.Input.
	RequestData(header *column.Block) error
}

// Input yields the blocks a client sends for an INSERT; Next returns io.EOF after the last.
// Columns carry the client's types, which are usually but not surely those asked for.
type Input interface {
	Next(ctx context.Context) (*column.Block, error)
}

// Stage tells how far a server must process a query.
type Stage uint8

// The stages of distributed queries.
const (
	StageFetchColumns          Stage = 0
	StageWithMergeableState    Stage = 1 // aggregate states, not values
	StageComplete              Stage = 2
	StageAfterAggregation      Stage = 3
	StageAfterAggregationLimit Stage = 4
)

// Query is one Query packet with all that belongs to it.
type Query struct {
	ID       string // never empty on the server: one is made where the client sends none
	SQL      string // as typed: trailing semicolon, FORMAT and comments included
	Stage    Stage
	Client   ClientInfo
	Settings []Setting
	Params   []Param
	External []External
	Input    Input // the client's rows for an INSERT, after ResultWriter.RequestData
	Revision uint64

	// Compressed tells whether the client wants compressed blocks (and sends them so).
	Compressed bool
	// Secret is the interserver hash, always "" for ordinary clients.
	Secret string
}

// Setting returns the last value a query gives to a setting.
func (q *Query) Setting(name string) (string, bool) {
	for i := len(q.Settings) - 1; i >= 0; i-- {
		if q.Settings[i].Name == name {
			return q.Settings[i].Value, true
		}
	}
	return "", false
}

// Setting is one setting of a query, its value as text (18.16's binary values are turned into text: booleans are 0 and 1).
type Setting struct {
	Name, Value string
	Flags       uint64
}

// Flags of a Setting.
const (
	SettingImportant = 1 // the sender wants an unknown name to be an error
	SettingCustom    = 2
)

// Important tells whether an unknown name must be an error. clickhouse-go marks all its settings so.
func (s *Setting) Important() bool { return s.Flags&SettingImportant != 0 }

// Param is a query parameter, {name:Type} in the text; Value is the text to be parsed as Type, without the quotes it had on the wire.
type Param struct{ Name, Value string }

// External is a table sent along with a query (GLOBAL IN, --external); without a block it still has a header.
type External struct {
	Name   string
	Header *column.Block
	Blocks []*column.Block
}

// QueryKind tells who sent a query.
type QueryKind uint8

// The kinds of a query.
const (
	KindNone      QueryKind = 0
	KindInitial   QueryKind = 1
	KindSecondary QueryKind = 2 // sent by another server on behalf of its client
)

// ClientInfo tells where a query comes from.
type ClientInfo struct {
	Kind           QueryKind
	InitialUser    string
	InitialQueryID string
	InitialAddress string
	StartTimeUS    int64
	Interface      uint8 // 1 TCP, 2 HTTP, others have no fields of their own

	OSUser     string // these six: TCP
	Hostname   string
	ClientName string
	Major      uint64
	Minor      uint64
	Patch      uint64
	Revision   uint64

	HTTPMethod   uint8 // these four: HTTP
	UserAgent    string
	ForwardedFor string
	Referer      string

	QuotaKey         string
	DistributedDepth uint64
	Trace            Trace

	CollaborateWithInitiator uint64
	ReplicaCount             uint64
	ReplicaNumber            uint64
}

// Trace is an OpenTelemetry context; Set is false where none came.
type Trace struct {
	Set     bool
	TraceID [16]byte // as on the wire: each half byte-swapped
	SpanID  [8]byte
	State   string
	Flags   uint8
}

// Progress is what was read and written since the last report (on a Client: in sum). TotalRows is the expected number, itself an increment.
type Progress struct {
	Rows, Bytes, TotalRows    uint64
	WrittenRows, WrittenBytes uint64
	ElapsedNS                 uint64
}

// Profile is the statistics of a result.
type Profile struct {
	Rows, Blocks, Bytes       uint64
	AppliedLimit              bool
	RowsBeforeLimit           uint64
	CalculatedRowsBeforeLimit bool
}
