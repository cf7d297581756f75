package dict

import (
	"context"
	"errors"
	"fmt"
	"sort"
	"sync"
	"sync/atomic"
	"time"

	"dictsvc/errcode"
	"dictsvc/source"
)

// Opener opens a dictionary's source: a stream of blocks whose columns are def.Columns() in order and type.
type Opener func(ctx context.Context, def *Definition) (source.Source, error)

// Registry holds the dictionaries by database and name.
type Registry struct {
	open  Opener
	mu    sync.RWMutex
	dicts map[string]*Dictionary
}

// NewRegistry makes an empty registry whose sources are opened by open.
func NewRegistry(open Opener) *Registry {
	return &Registry{open: open, dicts: map[string]*Dictionary{}}
}

func mapKey(database, name string) string { return database + "\x00" + name }

// Get finds a dictionary; nil where there is none.
func (r *Registry) Get(database, name string) *Dictionary {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.dicts[mapKey(database, name)]
}

// List returns all dictionaries ordered by database and name.
func (r *Registry) List() []*Dictionary {
	r.mu.RLock()
	defer r.mu.RUnlock()
	list := make([]*Dictionary, 0, len(r.dicts))
	for _, d := range r.dicts {
		list = append(list, d)
	}
	sort.Slice(list, func(i, j int) bool {
		a, b := list[i].def, list[j].def
		if a.Database != b.Database {
			return a.Database < b.Database
		}
		return a.Name < b.Name
	})
	return list
}

// Create adds a dictionary, not loaded yet. An existing one is error 387 unless replace, which drops it.
func (r *Registry) Create(def *Definition, replace bool) (*Dictionary, error) {
	d := &Dictionary{def: def, open: r.open, load: make(chan struct{}, 1)}
	return d, r.put(d, replace)
}

// Adopt adds a dictionary that is loaded already (from a file, by `load`).
func (r *Registry) Adopt(v *Version, replace bool) (*Dictionary, error) {
	d := &Dictionary{def: v.def, open: r.open, load: make(chan struct{}, 1), version: v, started: time.Now(), updated: time.Now()}
	if err := r.put(d, replace); err != nil {
		return nil, err
	}
	return d, nil
}

func (r *Registry) put(d *Dictionary, replace bool) error {
	r.mu.Lock()
	k := mapKey(d.def.Database, d.def.Name)
	old := r.dicts[k]
	if old != nil && !replace {
		r.mu.Unlock()
		return errcode.New(errcode.DictionaryAlreadyExists, "Dictionary %s already exists", d.def.FullName())
	}
	r.dicts[k] = d
	r.mu.Unlock()
	if old != nil {
		old.drop()
	}
	return nil
}

// Drop removes a dictionary; false where there is none.
func (r *Registry) Drop(database, name string) bool {
	r.mu.Lock()
	k := mapKey(database, name)
	d := r.dicts[k]
	delete(r.dicts, k)
	r.mu.Unlock()
	if d == nil {
		return false
	}
	d.drop()
	return true
}

// Rename moves a dictionary to another name under a changed definition.
func (r *Registry) Rename(database, name string, def *Definition) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	d := r.dicts[mapKey(database, name)]
	if d == nil {
		return errcode.New(errcode.UnknownTable, "Dictionary %s.%s does not exist", database, name)
	}
	k := mapKey(def.Database, def.Name)
	if r.dicts[k] != nil {
		return errcode.New(errcode.DictionaryAlreadyExists, "Dictionary %s already exists", def.FullName())
	}
	d.mu.Lock()
	d.def = def
	d.mu.Unlock()
	delete(r.dicts, mapKey(database, name))
	r.dicts[k] = d
	return nil
}

// Exchange gives two dictionaries each other's name: the one that has second's name becomes first, and the other way round.
func (r *Registry) Exchange(first, second *Definition) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	to, from := mapKey(first.Database, first.Name), mapKey(second.Database, second.Name)
	a, b := r.dicts[from], r.dicts[to]
	if a == nil || b == nil {
		return errcode.New(errcode.UnknownTable, "Dictionary %s or %s does not exist", first.FullName(), second.FullName())
	}
	for d, def := range map[*Dictionary]*Definition{a: first, b: second} {
		d.mu.Lock()
		d.def = def
		d.mu.Unlock()
	}
	r.dicts[to], r.dicts[from] = a, b
	return nil
}

// Close drops all dictionaries.
func (r *Registry) Close() {
	r.mu.Lock()
	list := r.dicts
	r.dicts = map[string]*Dictionary{}
	r.mu.Unlock()
	for _, d := range list {
		d.drop()
	}
}

// Dictionary is a definition and its loaded version, if any.
type Dictionary struct {
	open Opener

	mu       sync.RWMutex
	def      *Definition
	version  *Version // nil until loaded
	loading  bool
	stop     context.CancelCauseFunc // ends the load under way; nil where there is none
	dropped  bool
	lastErr  error
	errors   uint64
	started  time.Time // of the last load
	updated  time.Time // last success
	duration time.Duration

	load chan struct{} // one load at a time: holds a token while one is under way

	queries atomic.Uint64 // keys asked
	found   atomic.Uint64
}

func (d *Dictionary) isDropped() bool {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.dropped
}

// Definition returns the dictionary's definition.
func (d *Dictionary) Definition() *Definition {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.def
}

// Acquire returns the current version for reading, loading it first where none is there (ClickHouse's dictionaries_lazy_load). The
// caller calls Release on it. A reload under way does not make anyone wait.
func (d *Dictionary) Acquire(ctx context.Context) (*Version, error) {
	if v, err := d.current(); v != nil || err != nil {
		return v, err
	}
	if err := d.lock(ctx); err != nil {
		return nil, err
	}
	v, err := d.current() // another reader may have loaded it meanwhile
	if v == nil && err == nil {
		err = d.loadLocked(ctx)
	}
	<-d.load
	if v != nil || err != nil {
		return v, err
	}
	v, err = d.current()
	if v == nil && err == nil {
		err = d.wasDropped()
	}
	return v, err
}

// AcquireNow is Acquire for a query that was bound to d under the definition def. Where d was dropped since, find looks for the dictionary that has
// its name now, which is taken if its tables are the same. That one may be replaced too before it is loaded: each try means that someone else
// got on, so there is no limit but ctx.
func AcquireNow(ctx context.Context, d *Dictionary, def *Definition, find func() (*Dictionary, error)) (*Version, error) {
	for {
		v, err := d.Acquire(ctx)
		if err == nil || ctx.Err() != nil || !d.isDropped() {
			return v, err
		}
		now, ferr := find()
		if ferr != nil || now == nil || now == d || !sameTables(now.Definition(), def) {
			return nil, err
		}
		d = now
	}
}

func (d *Dictionary) wasDropped() error {
	return errcode.New(errcode.UnknownDictionary, "Dictionary %s was dropped", d.Definition().FullName())
}

// chain is the dictionaries that are being loaded by a context's owner, the innermost first.
type chain struct {
	d    *Dictionary
	next *chain
}

type chainKey struct{}

// lock waits for its turn to load, as long as ctx allows. A dictionary whose own load asks for it, directly or through others, would wait for ever: that is an error.
func (d *Dictionary) lock(ctx context.Context) error {
	for c, _ := ctx.Value(chainKey{}).(*chain); c != nil; c = c.next {
		if c.d == d {
			return errcode.New(errcode.BadArguments, "Dictionary %s is part of its own source", d.Definition().FullName())
		}
	}
	select {
	case d.load <- struct{}{}:
		return nil
	case <-ctx.Done():
		return abandoned(ctx, d.Definition())
	}
}

// abandoned is the error of a load that was not waited for.
func abandoned(ctx context.Context, def *Definition) error {
	cause, code := context.Cause(ctx), errcode.QueryWasCancelled
	switch c := errcode.Of(cause); {
	case errors.Is(cause, context.DeadlineExceeded):
		code = errcode.TimeoutExceeded
	case c != errcode.UnknownException:
		code = c
	}
	return errcode.New(code, "loading dictionary %s: %w", def.FullName(), cause)
}

func (d *Dictionary) current() (*Version, error) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	if d.version != nil {
		d.version.refs.Add(1)
		return d.version, nil
	}
	if d.dropped {
		return nil, errcode.New(errcode.BadArguments, "Dictionary (`%s`) not found", d.def.FullName())
	}
	if d.lastErr != nil { // as in ClickHouse, a failed load answers with its error until it is reloaded
		return nil, d.lastErr
	}
	return nil, nil
}

// Reload loads the dictionary anew and puts the new version in place of the old; on an error the old one stays.
func (d *Dictionary) Reload(ctx context.Context) error {
	if err := d.lock(ctx); err != nil {
		return err
	}
	defer func() { <-d.load }()
	return d.loadLocked(ctx)
}

func (d *Dictionary) loadLocked(caller context.Context) error {
	ctx, stop := context.WithCancelCause(caller)
	defer stop(nil)
	d.mu.Lock()
	if d.dropped {
		d.mu.Unlock()
		return d.wasDropped()
	}
	def := d.def
	d.loading, d.started, d.stop = true, time.Now(), stop
	d.mu.Unlock()
	outer, _ := ctx.Value(chainKey{}).(*chain)
	v, err := d.loadVersion(context.WithValue(ctx, chainKey{}, &chain{d, outer}), def)

	d.mu.Lock()
	d.loading, d.stop, d.duration = false, nil, time.Since(d.started)
	var old *Version
	switch {
	case err != nil && caller.Err() != nil:
		// Whoever wanted it has left: that tells nothing of the source, and the next one loads it.
		err = abandoned(caller, def)
	case err != nil:
		d.lastErr = err
		d.errors++
	default:
		d.lastErr, d.errors, d.updated = nil, 0, time.Now()
		old, d.version = d.version, v
		if d.dropped {
			d.version, old = nil, v
		}
	}
	dropped := d.dropped
	d.mu.Unlock()
	if old != nil {
		old.Release()
	}
	if err != nil && dropped { // whatever the source says of being stopped
		return d.wasDropped()
	}
	return err
}

func (d *Dictionary) loadVersion(ctx context.Context, def *Definition) (v *Version, err error) {
	if err := def.CheckLimits(); err != nil {
		return nil, err
	}
	src, err := d.open(ctx, def)
	if err != nil {
		return nil, err
	}
	defer func() {
		if cerr := src.Close(); err == nil && cerr != nil {
			v.Release()
			v, err = nil, cerr
		}
	}()
	d.mu.RLock()
	live := d.version
	if live != nil {
		live.refs.Add(1)
	}
	d.mu.RUnlock()
	if live == nil {
		return Load(ctx, def, src, LoadOptions{})
	}
	defer live.Release()
	return Reload(ctx, def, live, src)
}

// Replace publishes a version that was built elsewhere (load --server, a snapshot).
func (d *Dictionary) Replace(v *Version) {
	d.load <- struct{}{}
	defer func() { <-d.load }()
	d.mu.Lock()
	old := d.version
	d.version, d.lastErr, d.errors, d.updated = v, nil, 0, time.Now()
	d.mu.Unlock()
	if old != nil {
		old.Release()
	}
}

// drop lets go of the version, and ends a load under way, which may hold a use of it.
func (d *Dictionary) drop() {
	d.mu.Lock()
	v, stop := d.version, d.stop
	d.version, d.dropped = nil, true
	d.mu.Unlock()
	if stop != nil {
		stop(d.wasDropped())
	}
	if v != nil {
		v.Release()
	}
}

// Count adds a batch to the statistics of system.dictionaries.
func (d *Dictionary) Count(keys, found int) {
	d.queries.Add(uint64(keys))
	d.found.Add(uint64(found))
}

// Status is the state of a dictionary, with ClickHouse's names.
type Status int8

// The values of system.dictionaries.status.
const (
	NotLoaded          Status = 0
	Loaded             Status = 1
	Failed             Status = 2
	Loading            Status = 3
	FailedAndReloading Status = 4
	LoadedAndReloading Status = 5
	NotExist           Status = 6
)

// Info is a line of system.dictionaries.
type Info struct {
	Definition *Definition
	Status     Status
	Elements   uint64
	Bytes      uint64
	LoadFactor float64
	Queries    uint64
	FoundRate  float64 // 0 where nothing was asked
	Started    time.Time
	Updated    time.Time
	Duration   time.Duration
	Errors     uint64
	LastError  error
}

// Info describes the dictionary's state.
func (d *Dictionary) Info() Info {
	d.mu.RLock()
	defer d.mu.RUnlock()
	in := Info{Definition: d.def, Queries: d.queries.Load(), Started: d.started, Updated: d.updated, Duration: d.duration, Errors: d.errors, LastError: d.lastErr}
	if in.Queries > 0 {
		in.FoundRate = float64(d.found.Load()) / float64(in.Queries)
	}
	if d.loading {
		in.Duration = time.Since(d.started)
	}
	if v := d.version; v != nil {
		in.Elements, in.Bytes, in.LoadFactor = v.Len(), v.Bytes(), v.LoadFactor()
	}
	switch {
	case d.loading && d.version != nil:
		in.Status = LoadedAndReloading
	case d.loading && d.lastErr != nil:
		in.Status = FailedAndReloading
	case d.loading:
		in.Status = Loading
	case d.version != nil:
		in.Status = Loaded
	case d.lastErr != nil:
		in.Status = Failed
	}
	return in
}

// String names the dictionary for messages.
func (d *Dictionary) String() string {
	def := d.Definition()
	return fmt.Sprintf("%s (%s)", def.FullName(), def.UUID)
}
