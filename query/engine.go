package query

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"dictsvc/dict"
	"dictsvc/function"
	"dictsvc/internal/mem"
	"dictsvc/source"
)

// Version is the version of ClickHouse whose behaviour is followed, as version() and the handshake tell it.
const Version = "26.7.2.1"

// Config is what an Engine is made of. The zero value is an engine in memory that reads no files.
type Config struct {
	// DataDir is the folder where definitions are kept; "" keeps nothing.
	DataDir string
	// UserFiles is the folder below which file() and SOURCE(FILE) read; "" allows no file.
	UserFiles string
	// LocalMode lets file() read any path, relative ones from the working folder.
	LocalMode bool
	// Settings are the server's defaults that differ from ClickHouse's, by name.
	Settings map[string]string
	// OpenRemote opens a dictionary source on another server; nil refuses such sources.
	OpenRemote dict.Opener
	// MaxProcesses bounds the queries that run at once; 0 is 100, ClickHouse's usual max_concurrent_queries.
	MaxProcesses int
	// TCPPort is told by tcpPort().
	TCPPort int
	// MaxMemory is the most that a query without max_memory_usage may take, in bytes; 0 is six tenths of the machine's memory.
	MaxMemory int64
	// ServerMemory is the most that all dictionaries and tables of the process may hold, in bytes; 0 is nine tenths of the machine's memory.
	ServerMemory int64
	// HostName is told by hostName().
	HostName string
}

// Engine holds the databases, dictionaries and running queries of one server. Its methods may be called from any goroutine.
type Engine struct {
	cfg       Config
	started   time.Time
	dicts     *dict.Registry
	catalog   catalog
	processes processes
	functions map[string]*function.Function // those that need the engine
	defaults  *settings
	sessions  atomic.Uint64
	// tableMemory counts the rows of all tables, temporary ones among them. It is part of the process's budget, as dictionaries are.
	tableMemory *mem.Budget

	ctx   context.Context // ends when the engine is closed
	stop  context.CancelFunc
	tasks sync.WaitGroup // sessions' queries in progress
}

// New makes an engine and loads the definitions kept in its data folder. Dictionaries are loaded at their first use.
func New(cfg Config) (*Engine, error) {
	machine := int64(0)
	var info unix.Sysinfo_t
	if err := unix.Sysinfo(&info); err == nil {
		machine = int64(uint64(info.Totalram) * uint64(info.Unit))
	}
	if cfg.MaxMemory <= 0 {
		cfg.MaxMemory = machine / 10 * 6
	}
	if cfg.ServerMemory <= 0 {
		cfg.ServerMemory = machine / 10 * 9
	}
	// Beyond it a load ends with error 241 and the version before stays, where else the system would end the process.
	mem.Process.SetLimit(cfg.ServerMemory)
	e := &Engine{cfg: cfg, started: time.Now(), tableMemory: mem.Process.Child("total", 0)}
	e.ctx, e.stop = context.WithCancel(context.Background())
	e.dicts = dict.NewRegistry(e.openSource)
	e.functions = e.ownFunctions()
	var err error
	if e.defaults, err = newSettings(cfg.Settings); err != nil {
		return nil, err
	}
	e.catalog.init(e)
	e.processes.limit = cfg.MaxProcesses
	if e.processes.limit <= 0 {
		e.processes.limit = 100
	}
	if err := e.catalog.load(); err != nil {
		return nil, err
	}
	return e, nil
}

// Close cancels all queries, waits for them, and frees the dictionaries.
func (e *Engine) Close() {
	e.stop()
	e.processes.cancelAll()
	e.tasks.Wait()
	e.dicts.Close()
	e.catalog.close()
}

// Dictionaries is the registry of dictionaries, for programs that load them from files.
func (e *Engine) Dictionaries() *dict.Registry { return e.dicts }

// HasDatabase tells whether a database exists: the handshake asks it.
func (e *Engine) HasDatabase(name string) bool { return e.catalog.database(name) != nil }

// HasTable tells whether a table or dictionary exists: the table status request asks it.
func (e *Engine) HasTable(database, name string) bool {
	_, err := e.catalog.find(database, name)
	return err == nil
}

// Uptime is the time since the engine was made.
func (e *Engine) Uptime() time.Duration { return time.Since(e.started) }

// openSource opens the source of a dictionary.
func (e *Engine) openSource(ctx context.Context, def *dict.Definition) (source.Source, error) {
	return e.dictSource(ctx, def)
}
