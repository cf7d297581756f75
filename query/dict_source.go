package query

import (
	"context"
	"io"
	"runtime"
	"sort"
	"strings"
	"time"

	"dictsvc/column"
	"dictsvc/dict"
	"dictsvc/errcode"
	"dictsvc/function"
	"dictsvc/source"
	"dictsvc/sql"
)

// dictSource opens the source of a dictionary: its columns come in the definition's order and types.
func (e *Engine) dictSource(ctx context.Context, def *dict.Definition) (source.Source, error) {
	p := def.Source.Params
	switch def.Source.Kind {
	case "null":
		return newBlockSource(def), nil
	case "snapshot":
		return dict.OpenSource(p["path"], def)
	case "file":
		return e.fileSource(def)
	case "clickhouse":
		if (p["table"] == "") == (p["query"] == "") {
			return nil, errcode.New(errcode.UnsupportedMethod, "%s: the source CLICKHOUSE takes either TABLE or QUERY", def.FullName())
		}
		if p["host"] == "" {
			return e.localSource(ctx, def)
		}
		if e.cfg.OpenRemote == nil {
			return nil, errcode.New(errcode.SupportIsDisabled, "%s: sources on other servers are not available here", def.FullName())
		}
		return e.cfg.OpenRemote(ctx, def)
	}
	return nil, errcode.New(errcode.UnknownElementInConfig, "%s: unknown dictionary source type: %s", def.FullName(), def.Source.Kind)
}

// SourceQuery is the SQL text that reads a dictionary's columns from a ClickHouse server, in the definition's order.
func SourceQuery(def *dict.Definition) string {
	p := def.Source.Params
	if p["query"] != "" {
		return p["query"]
	}
	var b strings.Builder
	b.WriteString("SELECT ")
	for i, a := range def.Columns() {
		if i > 0 {
			b.WriteString(", ")
		}
		if a.Expression != "" {
			b.WriteString(a.Expression + " AS ")
		}
		b.WriteString(sql.QuoteName(a.Name))
	}
	b.WriteString(" FROM ")
	if p["db"] != "" {
		b.WriteString(sql.QuoteName(p["db"]) + ".")
	}
	b.WriteString(sql.QuoteName(p["table"]))
	if p["where"] != "" {
		b.WriteString(" WHERE " + p["where"])
	}
	return b.String()
}

// internalRun is a run for work that no client asked for: loading dictionaries and definitions.
func (e *Engine) internalRun(ctx context.Context, database string) *run {
	s := &Session{engine: e, user: User{Name: "default"}, database: database, settings: e.defaults.scope()}
	q := &run{session: s, engine: e, req: &Request{Stage: StageComplete}, sink: discard{}, start: time.Now(), id: newQueryID(), settings: s.settings.scope(), database: database,
		threads: runtime.GOMAXPROCS(0), blockSize: column.MaxBlockRows, delay: time.Hour}
	q.ctx, q.cancel = context.WithCancelCause(ctx)
	q.env = function.Env{Ctx: q.ctx, Now: q.start, Settings: q.settings.get, Database: database, User: "default", QueryID: q.id, Stop: q.check, Reserve: q.reserve}
	return q
}

// discard is a sink for results that nobody reads.
type discard struct{}

func (discard) Header(Header) error          { return nil }
func (discard) Block(*column.Block) error    { return nil }
func (discard) Totals(*column.Block) error   { return nil }
func (discard) Extremes(*column.Block) error { return nil }
func (discard) Progress(Progress) error      { return nil }
func (discard) Profile(Profile) error        { return nil }

// localSource reads a dictionary's rows with a query on this server.
func (e *Engine) localSource(ctx context.Context, def *dict.Definition) (source.Source, error) {
	db := def.Source.Params["db"]
	if db == "" {
		db = def.Database
	}
	q := e.internalRun(ctx, db)
	s, err := openLocal(q, def)
	if err != nil {
		q.cancel(nil)
		return nil, err
	}
	return s, nil
}

func openLocal(q *run, def *dict.Definition) (*querySource, error) {
	stmt, err := sql.Parse(SourceQuery(def), sql.Options{MaxQuerySize: 1 << 24})
	if err != nil {
		return nil, err
	}
	sq, ok := stmt.(*sql.SelectQuery)
	if !ok {
		return nil, errcode.New(errcode.BadArguments, "%s: the query of the source must be a SELECT", def.FullName())
	}
	p, err := q.bindQuery(sq, nil)
	if err != nil {
		return nil, err
	}
	s := &querySource{q: q, blockSource: newBlockSource(def)}
	info := p.columns()
	if len(info) < len(s.names) {
		return nil, errcode.New(errcode.IncorrectNumberOfColumns, "%s: the source gives %d columns, %d are wanted", def.FullName(), len(info), len(s.names))
	}
	cols := make([]int, len(s.names))
	for i, n := range s.names {
		cols[i] = i // a QUERY's columns are taken by name where they have it, else by place
		for k, c := range info {
			if c.Name == n {
				cols[i] = k
				break
			}
		}
		mode := column.CastPlain
		if i < len(def.Keys) && info[cols[i]].Type.Base().IsInteger() {
			mode = column.CastAccurate // a key never wraps round silently
		}
		cast, err := sourceCast(info[cols[i]].Type, s.types[i], mode)
		if err != nil {
			return nil, errcode.Wrap(err, "%s: column %s", def.FullName(), n)
		}
		s.casts = append(s.casts, cast)
	}
	s.ex = q.newExec()
	streams, err := p.open(s.ex, readRequest{cols: cols, ordered: true, limit: -1, streams: q.threads})
	if err != nil {
		s.ex.close()
		return nil, err
	}
	s.in = streams[0]
	if len(streams) > 1 {
		s.in = gatherStreams(s.ex, streams, true)
	}
	return s, nil
}

// sourceCast converts a source's column; NULL for a type without NULL is error 349.
func sourceCast(from, to *column.Type, mode column.CastMode) (column.Caster, error) {
	if !from.IsNullable() || to.IsNullable() || !canBeNullable(to) {
		return column.NewCast(from, to, mode)
	}
	inner, err := column.NewCast(from.NoLowCardinality().NoNull(), to, mode)
	if err != nil {
		return nil, err
	}
	return func(c column.Column) (column.Column, error) {
		n, ok := column.Plain(c).(*column.Null)
		if !ok {
			return inner(column.Plain(c))
		}
		if column.Count(n.Nulls) > 0 {
			return nil, errcode.New(errcode.CannotInsertNullInOrdinaryColumn, "Cannot convert NULL value to non-Nullable type %s", to)
		}
		return inner(n.Inner)
	}, nil
}

// blockSource is the part that all sources share: the head, and no rows.
type blockSource struct {
	names []string
	types []*column.Type
	rows  uint64
}

func newBlockSource(def *dict.Definition) *blockSource {
	s := &blockSource{}
	for _, a := range def.Columns() {
		s.names, s.types = append(s.names, a.Name), append(s.types, a.Type)
	}
	return s
}

func (s *blockSource) Header() ([]string, []*column.Type)          { return s.names, s.types }
func (s *blockSource) Next(context.Context) (*column.Block, error) { return nil, io.EOF }
func (s *blockSource) Progress() (rows, bytes, totalBytes uint64)  { return s.rows, 0, 0 }
func (s *blockSource) Close() error                                { return nil }

// querySource is a query of this server as a source.
type querySource struct {
	*blockSource
	q     *run
	ex    *exec
	in    stream
	casts []column.Caster
}

// Next implements source.Source.
func (s *querySource) Next(context.Context) (*column.Block, error) {
	for {
		b, err := s.in.next()
		if err != nil {
			return nil, err
		}
		if b == nil {
			if err := s.q.check(); err != nil {
				return nil, err
			}
			return nil, io.EOF
		}
		if b.rows == 0 {
			continue
		}
		out := &column.Block{Names: s.names, Rows: b.rows}
		for i, c := range b.cols {
			v, err := s.casts[i](column.Full(c))
			if err != nil {
				return nil, errcode.Wrap(err, "column %s", s.names[i])
			}
			out.Cols = append(out.Cols, column.Full(v))
		}
		s.rows += uint64(b.rows)
		return out, nil
	}
}

// Close implements source.Source.
func (s *querySource) Close() error {
	s.ex.close()
	s.q.cancel(nil)
	return nil
}

func sortedKeys(m map[string]string) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
