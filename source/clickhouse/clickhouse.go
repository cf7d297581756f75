// Package clickhouse reads rows from another ClickHouse (or dictsvc) server over the native protocol: the source CLICKHOUSE(HOST ...) of
// dictionaries.
package clickhouse

import (
	"context"
	"errors"
	"io"
	"net"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"dictsvc/column"
	"dictsvc/errcode"
	"dictsvc/wire"
)

// Options name a server and what to read of it.
type Options struct {
	Host, Port     string // port "" is 9000
	User, Password string
	Database       string
	Table          string
	Query          string // instead of Table; sent as it is
	Where          string // a condition added to the reading of Table
	Columns        []Column
	Secure         bool // TLS, which is refused

	ConnectTimeout time.Duration // for connecting and logging in; 0 is 10 s
	ReadTimeout    time.Duration // without a byte from the server; 0 is 5 min
}

// Column is a column to read: found in the answer by its name and converted to Type. With an Expression the server evaluates that instead.
type Column struct {
	Name       string
	Type       *column.Type
	Expression string
	Mode       column.CastMode // what becomes of values that do not fit Type; keys want CastAccurate, so that none wraps into another
}

// Reader is a source of blocks from a server. Its rows are complete: a connection that breaks gives an error, never a short table.
type Reader struct {
	o      Options
	client *wire.Client
	rows   *wire.Rows
	places []int // of the columns in the answer
	casts  []column.Caster
	ahead  *column.Block // rows that did not fit in the block before

	read, bytes atomic.Uint64
}

// Open connects and sends the query.
func Open(ctx context.Context, o Options) (*Reader, error) {
	if o.Secure {
		return nil, errcode.New(errcode.NotImplemented, "SECURE sources are not supported: this program speaks no TLS")
	}
	if o.Port == "" {
		o.Port = "9000"
	}
	addr := net.JoinHostPort(o.Host, o.Port)
	client, err := wire.Dial(ctx, addr, wire.ClientConfig{User: o.User, Password: o.Password, Database: o.Database, ClientName: "dictsvc", Compression: wire.LZ4,
		ConnectTimeout: o.ConnectTimeout, ReadTimeout: o.ReadTimeout})
	if err != nil {
		return nil, errcode.Wrap(err, "source ClickHouse %s", addr)
	}
	r := &Reader{o: o, client: client}
	if err := r.start(ctx); err != nil {
		client.Close()
		return nil, errcode.Wrap(err, "source ClickHouse %s", addr)
	}
	return r, nil
}

// SQL is the query that is sent.
func (o *Options) SQL() string {
	if o.Query != "" {
		return o.Query
	}
	var b strings.Builder
	b.WriteString("SELECT ")
	for i, c := range o.Columns {
		if i > 0 {
			b.WriteString(", ")
		}
		if c.Expression != "" {
			b.WriteString(c.Expression + " AS ")
		}
		b.WriteString(quote(c.Name))
	}
	b.WriteString(" FROM ")
	if o.Database != "" {
		b.WriteString(quote(o.Database) + ".")
	}
	b.WriteString(quote(o.Table))
	if o.Where != "" {
		b.WriteString(" WHERE " + o.Where)
	}
	return b.String()
}

func quote(name string) string {
	return "`" + strings.NewReplacer("\\", "\\\\", "`", "\\`").Replace(name) + "`"
}

func (r *Reader) start(ctx context.Context) error {
	rows, err := r.client.Query(ctx, &wire.Request{SQL: r.o.SQL()})
	if err != nil {
		return err
	}
	r.rows = rows
	head := rows.Header()
	if head == nil {
		return errcode.New(errcode.BadArguments, "the query gives no rows: %s", r.o.SQL())
	}
	for i, c := range r.o.Columns {
		at := head.Index(c.Name)
		if at < 0 && r.o.Query != "" && len(head.Names) == len(r.o.Columns) {
			at = i // a query of the user's may name its columns as it likes
		}
		if at < 0 {
			return errcode.New(errcode.ThereIsNoColumn, "the answer has no column %q; it has %s", c.Name, strings.Join(head.Names, ", "))
		}
		cast, err := column.NewCast(head.Cols[at].Type(), c.Type, c.Mode)
		if err != nil {
			return errcode.Wrap(err, "column %q: from %s to %s", c.Name, head.Cols[at].Type(), c.Type)
		}
		r.places = append(r.places, at)
		r.casts = append(r.casts, cast)
	}
	return nil
}

// Header lists the columns.
func (r *Reader) Header() ([]string, []*column.Type) {
	names, types := make([]string, len(r.o.Columns)), make([]*column.Type, len(r.o.Columns))
	for i, c := range r.o.Columns {
		names[i], types[i] = c.Name, c.Type
	}
	return names, types
}

// Next returns the next block, io.EOF when the server has sent all. When ctx ends, the connection is closed.
func (r *Reader) Next(ctx context.Context) (*column.Block, error) {
	if b := r.ahead; b != nil {
		return r.cut(b), nil
	}
	if err := ctx.Err(); err != nil {
		return nil, r.cancelled(err)
	}
	stop := context.AfterFunc(ctx, func() { r.client.Close() })
	b, err := r.rows.Next()
	stop()
	p := r.rows.Progress()
	r.bytes.Store(p.Bytes)
	switch {
	case errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF):
		return nil, io.EOF
	case err != nil && ctx.Err() != nil:
		return nil, r.cancelled(ctx.Err())
	case err != nil:
		return nil, errcode.Wrap(err, "source ClickHouse %s", r.client.Addr())
	}
	if b, err = r.convert(b); err != nil {
		return nil, errcode.Wrap(err, "source ClickHouse %s", r.client.Addr())
	}
	return r.cut(b), nil
}

func (r *Reader) cancelled(err error) error {
	return errcode.New(errcode.QueryWasCancelled, "source ClickHouse %s: the reading was cancelled: %w", r.client.Addr(), err)
}

// convert picks the columns asked for and gives them their types.
func (r *Reader) convert(b *column.Block) (*column.Block, error) {
	names, _ := r.Header()
	out := &column.Block{Names: names, Cols: make([]column.Column, len(r.places)), Rows: b.Rows}
	for i, at := range r.places {
		c, err := r.casts[i](b.Cols[at])
		if err != nil {
			return nil, errcode.Wrap(err, "column %q", r.o.Columns[i].Name)
		}
		out.Cols[i] = column.Full(c)
	}
	return out, nil
}

// cut hands out a block's first rows and keeps the rest: servers may send blocks of any size.
func (r *Reader) cut(b *column.Block) *column.Block {
	r.ahead = nil
	if b.Rows > column.MaxBlockRows {
		r.ahead = b.Slice(column.MaxBlockRows, b.Rows)
		b = b.Slice(0, column.MaxBlockRows)
	}
	r.read.Add(uint64(b.Rows))
	return b
}

// Progress tells the rows given out and the bytes the server says it has read; what they are of is not known.
func (r *Reader) Progress() (rows, bytes, total uint64) { return r.read.Load(), r.bytes.Load(), 0 }

// Close ends the connection, and with it a query under way.
func (r *Reader) Close() error { return r.client.Close() }

// PortNumber checks a port as SOURCE(CLICKHOUSE(PORT n)) has it.
func PortNumber(text string) (string, error) {
	if n, err := strconv.ParseUint(text, 10, 16); err != nil || n == 0 {
		return "", errcode.New(errcode.BadArguments, "port of a ClickHouse source: want a number from 1 to 65535, got %q", text)
	}
	return text, nil
}
