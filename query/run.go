package query

import (
	"context"
	"crypto/rand"
	"fmt"
	"math"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"dictsvc/column"
	"dictsvc/errcode"
	"dictsvc/function"
	"dictsvc/sql"
)

// run is one statement while it runs.
type run struct {
	selects int // bound so far
	session *Session
	engine  *Engine
	req     *Request
	id      string
	text    string // the statement as it came, without inline data
	kind    string // Select, Insert, Create, ...
	start   time.Time
	ctx     context.Context
	cancel  context.CancelCauseFunc
	killed  atomic.Bool
	maxTime time.Duration
	// breaks tells that a query whose time is over ends with what it has given so far: timeout_overflow_mode = 'break'.
	breaks bool

	settings *settings
	database string
	params   map[string]string
	// viewParams are the parameters of the view that is being bound, nil outside of views.
	viewParams map[string]string
	external   map[string]*memoryTable
	env        function.Env
	depth      int                             // of subqueries being bound
	shard      *shardText                      // for the SELECT that is bound next: it runs to an early stage
	loading    bool                            // definitions come from the data folder: they are not written again
	scalars    map[*sql.Subquery]column.Column // of scalar subqueries that have run
	sink       Sink

	threads   int
	blockSize int

	readRows, readBytes       atomic.Uint64
	totalRows                 atomic.Uint64
	writtenRows, writtenBytes atomic.Uint64
	workers                   atomic.Int32 // operators that run goroutines now, one inside the other
	memory                    atomic.Int64
	peak                      atomic.Int64
	memoryLimit               int64
	sent                      Progress
	rowsBeforeLimit           atomic.Uint64
	maxRead                   uint64      // max_rows_to_read, 0: no limit
	readBreaks                bool        // read_overflow_mode = 'break'
	limited                   atomic.Bool // a LIMIT was at work
	lastSent                  time.Time
	delay                     time.Duration
}

// Run runs one statement and hands its result to sink. The error carries ClickHouse's code; a result may have been handed on in part before
// it. ctx ends the query early: the error is then 394.
func (s *Session) Run(ctx context.Context, req Request, sink Sink) (err error) {
	e := s.engine
	q := &run{session: s, engine: e, req: &req, sink: sink, start: time.Now(), id: req.QueryID, text: req.SQL}
	defer func() {
		if p := recover(); p != nil {
			err = panicError(p)
		}
	}()
	if q.id == "" {
		q.id = newQueryID()
	}
	q.settings = s.settings.scope()
	if err := q.applyRequest(); err != nil {
		return err
	}
	if isSuggestionQuery(req.SQL) {
		end, err := q.begin(ctx)
		if err != nil {
			return err
		}
		defer end()
		return q.suggestions()
	}
	stmt, err := q.parse(req.SQL)
	if err != nil {
		return err
	}
	return q.runStatement(ctx, stmt)
}

// panicError turns a fault of the program into an error, so that one statement cannot end the server. It names where the fault is.
func panicError(p any) error {
	if e, ok := p.(*errcode.Error); ok { // too large a column
		return e
	}
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	var at []string
	for more := true; more && len(at) < 6; {
		var f runtime.Frame
		f, more = frames.Next()
		if strings.HasPrefix(f.Function, "dictsvc/") {
			at = append(at, fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line))
		}
	}
	return errcode.New(errcode.LogicalError, "Logical error: %v (%s)", p, strings.Join(at, ", "))
}

func newQueryID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // crypto/rand never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// applyRequest takes over the settings and parameters that come with the request.
func (q *run) applyRequest() error {
	readonly := q.session.settings.number("readonly", 0)
	for _, st := range q.req.Settings {
		if readonly == 1 || readonly > 0 && st.Name == "readonly" {
			continue // what a client sends along with every query cannot lift a user's limits
		}
		err := q.settings.change(st.Name, st.Value)
		if err != nil && (errcode.Of(err) != errcode.UnknownSetting || st.Important) {
			return err
		}
	}
	q.params = q.session.params
	if len(q.req.Params) > 0 {
		merged := make(map[string]string, len(q.params)+len(q.req.Params))
		for n, v := range q.params {
			merged[n] = v
		}
		for n, v := range q.req.Params {
			merged[n] = v
		}
		q.params = merged
	}
	q.database = q.session.database
	if q.req.Database != "" {
		q.database = q.req.Database
	}
	return nil
}

func (q *run) parse(text string) (sql.Statement, error) {
	opts := sql.Options{}
	if len(q.settings.set) > 0 || len(q.session.settings.set) > 0 || len(q.session.settings.up.set) > 0 {
		opts.MaxDepth = int(q.settings.number("max_parser_depth", 0))
		opts.MaxQuerySize = int(q.settings.number("max_query_size", 0))
		opts.MaxASTDepth = int(q.settings.number("max_ast_depth", 0))
		opts.MaxASTElements = int(q.settings.number("max_ast_elements", 0))
	}
	if q.req.Secondary {
		opts.MaxQuerySize = math.MaxInt
	}
	return sql.Parse(text, opts)
}

// begin makes the query's context and limits, once its own settings are known.
func (q *run) begin(ctx context.Context) (end func(), err error) {
	s := q.settings
	q.threads = runtime.GOMAXPROCS(0)
	if n := s.number("max_threads", 0); n > 0 {
		q.threads = int(min(n, 256))
	}
	q.blockSize = int(min(max(s.number("max_block_size", column.MaxBlockRows), 1), 1<<20))
	q.maxRead = s.number("max_rows_to_read", 0)
	q.readBreaks = s.text("read_overflow_mode", "throw") == "break"
	q.memoryLimit = int64(s.number("max_memory_usage", 0))
	if q.memoryLimit <= 0 { // the machine's limit, where the query has none
		q.memoryLimit = q.engine.cfg.MaxMemory
	}
	q.delay = time.Duration(s.number("interactive_delay", 100000)) * time.Microsecond
	q.ctx, q.cancel = context.WithCancelCause(ctx)
	release := func() {}
	if sec, _ := strconv.ParseFloat(s.text("max_execution_time", "0"), 64); sec > 0 {
		q.maxTime = time.Duration(min(sec*float64(time.Second), math.MaxInt64/2))
		var stop context.CancelFunc
		q.ctx, stop = context.WithTimeout(q.ctx, q.maxTime)
		release = stop
	}
	q.breaks = s.text("timeout_overflow_mode", "throw") == "break"
	if s.number("max_rows_to_group_by", 0) > 0 && s.text("group_by_overflow_mode", "throw") != "throw" || s.text("read_overflow_mode", "throw") == "break" ||
		s.text("sort_overflow_mode", "throw") == "break" {
		q.threads = 1 // what is left out does not depend on who comes first
	}
	q.env = function.Env{Ctx: q.ctx, Now: q.start, Settings: s.get, SettingType: settingType, Database: q.database, User: q.session.user.Name, QueryID: q.id, Stop: q.check, Reserve: q.reserve}
	if err := q.engine.processes.add(q); err != nil {
		release()
		q.cancel(nil)
		return nil, err
	}
	q.engine.tasks.Add(1)
	return func() {
		q.engine.processes.remove(q)
		release()
		q.cancel(nil)
		q.engine.tasks.Done()
	}, nil
}

// tick is called between blocks: it ends a cancelled query and, in the query's own goroutine, reports progress.
func (q *run) tick() error {
	if q.ctx.Err() != nil {
		return q.cause()
	}
	if q.workers.Load() > 0 {
		return nil
	}
	return q.report()
}

// report sends progress where the last report is old enough.
func (q *run) report() error {
	if q.ctx.Err() != nil {
		return q.cause()
	}
	now := time.Now()
	if q.lastSent.IsZero() {
		q.lastSent = q.start
	}
	if now.Sub(q.lastSent) < q.delay {
		return nil
	}
	q.lastSent = now
	return q.sendProgress()
}

// sendProgress reports what was done since the last report.
func (q *run) sendProgress() error {
	total := Progress{Rows: q.readRows.Load(), Bytes: q.readBytes.Load(), TotalRows: q.totalRows.Load(), WrittenRows: q.writtenRows.Load(),
		WrittenBytes: q.writtenBytes.Load(), Elapsed: time.Since(q.start)}
	p := Progress{Rows: total.Rows - q.sent.Rows, Bytes: total.Bytes - q.sent.Bytes, TotalRows: total.TotalRows - q.sent.TotalRows,
		WrittenRows: total.WrittenRows - q.sent.WrittenRows, WrittenBytes: total.WrittenBytes - q.sent.WrittenBytes, Elapsed: total.Elapsed - q.sent.Elapsed}
	q.sent = total
	return q.sink.Progress(p)
}

// reserve counts memory that an operator holds; error 241 above max_memory_usage. Give it back with a negative number.
func (q *run) reserve(n int) error {
	used := q.memory.Add(int64(n))
	for peak := q.peak.Load(); used > peak && !q.peak.CompareAndSwap(peak, used); peak = q.peak.Load() {
	}
	if n > 0 && q.memoryLimit > 0 && used > q.memoryLimit {
		return errcode.New(errcode.MemoryLimitExceeded, "Query memory limit exceeded: would use %s (attempt to allocate chunk of %s), maximum: %s",
			sizeText(used), sizeText(int64(n)), sizeText(q.memoryLimit))
	}
	return nil
}

func sizeText(n int64) string {
	units := [...]string{"B", "KiB", "MiB", "GiB", "TiB"}
	f, i := float64(n), 0
	for f >= 1024 && i < len(units)-1 {
		f, i = f/1024, i+1
	}
	return fmt.Sprintf("%.2f %s", f, units[i])
}

// read counts rows that a source gave.
func (q *run) read(rows, bytes int) {
	q.readRows.Add(uint64(rows))
	q.readBytes.Add(uint64(bytes))
}

// exec is one run of a plan: it owns the plan's goroutines and what must be released after them.
type exec struct {
	q      *run
	ctx    context.Context
	cancel context.CancelCauseFunc
	wg     sync.WaitGroup
	mu     sync.Mutex
	final  []func()
	outer  relation                        // the plan whose result the client sees
	totals func(p *selectPlan, row *batch) // takes the row of WITH TOTALS; nil: it is not wanted
}

// newExec starts a run of a plan; close ends it.
func (q *run) newExec() *exec {
	ex := &exec{q: q}
	ex.ctx, ex.cancel = context.WithCancelCause(q.ctx)
	return ex
}

// close stops and waits for all goroutines, and releases what the streams hold.
func (ex *exec) close() {
	ex.cancel(nil)
	ex.wg.Wait()
	for i := len(ex.final) - 1; i >= 0; i-- {
		ex.final[i]()
	}
}

// onClose registers a release.
func (ex *exec) onClose(f func()) {
	ex.mu.Lock()
	ex.final = append(ex.final, f)
	ex.mu.Unlock()
}

// check is the reason to stop, nil where there is none.
func (ex *exec) check() error {
	if ex.ctx.Err() == nil {
		if q := ex.q; q.maxRead > 0 && !q.readBreaks && max(q.readRows.Load(), q.totalRows.Load()) > q.maxRead {
			return errcode.New(errcode.TooManyRows, "Limit for rows (controlled by 'max_rows_to_read' setting) exceeded, max rows: %d, current rows: %d",
				q.maxRead, max(q.readRows.Load(), q.totalRows.Load()))
		}
		return nil
	}
	if err := ex.q.check(); err != nil {
		return err
	}
	if err := context.Cause(ex.ctx); err != nil && err != context.Canceled { // another worker's error, which is the query's
		return err
	}
	return errcode.New(errcode.QueryWasCancelled, "Query was cancelled")
}

// spawn runs f in a goroutine of this exec; a panic becomes an error.
func (ex *exec) spawn(f func() error, done func(error)) {
	ex.wg.Add(1)
	go func() {
		defer ex.wg.Done()
		var err error
		defer func() { done(err) }()
		defer func() {
			if p := recover(); p != nil {
				err = panicError(p)
			}
		}()
		err = f()
	}()
}

// parallel runs f for each of n workers and waits for them all, reporting progress meanwhile. The first error ends the exec.
func (ex *exec) parallel(n int, f func(worker int) error) error {
	if n == 1 {
		return f(0)
	}
	q := ex.q
	own := q.workers.Add(1) == 1 // else a worker of an outer operator: only the query's own goroutine talks to the sink
	defer q.workers.Add(-1)
	finished := make(chan error, n)
	for w := range n {
		ex.spawn(func() error { return f(w) }, func(err error) {
			if err != nil {
				ex.cancel(err)
			}
			finished <- err
		})
	}
	timer := time.NewTicker(max(q.delay, time.Millisecond))
	defer timer.Stop()
	var first error
	for left := n; left > 0; {
		select {
		case err := <-finished:
			left--
			if first == nil {
				first = err
			}
		case <-timer.C:
			if !own {
				continue
			}
			if err := q.report(); err != nil && first == nil {
				first = err
				ex.cancel(err)
			}
		}
	}
	return first
}
