package query

import (
	"context"
	"sort"
	"sync"
	"time"

	"dictsvc/errcode"
)

// processes are the queries that run now.
type processes struct {
	limit int
	mu    sync.Mutex
	byID  map[string]*run
}

// add registers a query. Errors: 216 where its id is in use, 202 where too many run.
func (p *processes) add(q *run) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.byID == nil {
		p.byID = map[string]*run{}
	}
	if p.byID[q.id] != nil {
		return errcode.New(errcode.QueryWithSameIdIsAlreadyRunning, "Query with id = %s is already running", q.id)
	}
	if len(p.byID) >= p.limit {
		return errcode.New(errcode.TooManySimultaneousQueries, "Too many simultaneous queries. Maximum: %d", p.limit)
	}
	p.byID[q.id] = q
	return nil
}

func (p *processes) remove(q *run) {
	p.mu.Lock()
	delete(p.byID, q.id)
	p.mu.Unlock()
}

// list returns the running queries, the oldest first.
func (p *processes) list() []*run {
	p.mu.Lock()
	list := make([]*run, 0, len(p.byID))
	for _, q := range p.byID {
		list = append(list, q)
	}
	p.mu.Unlock()
	sort.Slice(list, func(i, j int) bool { return list[i].start.Before(list[j].start) })
	return list
}

func (p *processes) cancelAll() {
	for _, q := range p.list() {
		q.kill(errcode.New(errcode.QueryWasCancelled, "Query was cancelled"))
	}
}

// kill ends a query with an error.
func (q *run) kill(err error) {
	q.killed.Store(true)
	q.cancel(err)
}

// Cancel ends a running query by its id, as the native protocol's Cancel does; false where none runs under it.
func (e *Engine) Cancel(queryID string) bool {
	e.processes.mu.Lock()
	q := e.processes.byID[queryID]
	e.processes.mu.Unlock()
	if q == nil {
		return false
	}
	q.kill(errcode.New(errcode.QueryWasCancelled, "Query was cancelled"))
	return true
}

// check is the reason why the query must end, nil where it may go on.
func (q *run) check() error {
	if q.ctx.Err() == nil {
		return nil
	}
	return q.cause()
}

// cause turns the end of the context into ClickHouse's error.
func (q *run) cause() error {
	err := context.Cause(q.ctx)
	if err == context.Canceled || err == nil {
		return errcode.New(errcode.QueryWasCancelled, "Query was cancelled")
	}
	if err == context.DeadlineExceeded {
		return errcode.New(errcode.TimeoutExceeded, "Timeout exceeded: elapsed %.3f ms, maximum: %d ms", float64(time.Since(q.start).Microseconds())/1000, q.maxTime.Milliseconds())
	}
	return err
}
