package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"
	"golang.org/x/term"

	"dictsvc/column"
	"dictsvc/dict"
	"dictsvc/errcode"
	"dictsvc/format"
	"dictsvc/source/jsonl"
	"dictsvc/sql"
	"dictsvc/wire"
)

func clientCommand() *cli.Command {
	return &cli.Command{
		Name:      "client",
		Usage:     "run SQL on a server, like clickhouse client; interactive without -q",
		ArgsUsage: " ",
		Description: `Examples:
   dictsvc client -q "SELECT dictGet('users', 'name', toUInt64(1))"
   dictsvc client --port 9001 -q "SELECT * FROM system.dictionaries FORMAT Vertical"
   dictsvc client -q "INSERT INTO t FORMAT JSONEachRow" < rows.jsonl`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "query", Aliases: []string{"q"}, Usage: "`SQL` to run, several statements with ';' between"},
			&cli.StringFlag{Name: "host", Usage: "`HOST` of the server", Value: "127.0.0.1"},
			&cli.IntFlag{Name: "port", Usage: "`PORT` of the server", Value: 9000},
			&cli.StringFlag{Name: "user", Usage: "`USER` to log in as", Value: "default"},
			&cli.StringFlag{Name: "password", Usage: "the user's `PASSWORD`"},
			&cli.StringFlag{Name: "database", Usage: "`DATABASE` to begin in"},
			&cli.StringFlag{Name: "format", Usage: "output `FORMAT`: TabSeparated, JSONEachRow, Pretty, Vertical, Null, ..."},
			&cli.BoolFlag{Name: "time", Usage: "print each statement's seconds on stderr"},
		},
		Action: client,
	}
}

func threads() int { return runtime.GOMAXPROCS(0) }

func dial(ctx context.Context, addr, user, password, database string) (*wire.Client, error) {
	return wire.Dial(ctx, addr, wire.ClientConfig{User: user, Password: password, Database: database, ClientName: "dictsvc client", Compression: wire.LZ4})
}

func request(text string) *wire.Request { return &wire.Request{SQL: text} }

func client(c *cli.Context) error {
	if c.Args().Present() {
		return usage("client: what is %q? SQL is given with -q", c.Args().First())
	}
	s := &clientSession{c: c, addr: net.JoinHostPort(c.String("host"), strconv.Itoa(c.Int("port"))), database: c.String("database")}
	if err := s.connect(c.Context); err != nil {
		return err
	}
	defer func() { s.conn.Close() }()
	switch {
	case c.IsSet("query"):
		return s.script(c.Context, c.String("query"))
	case term.IsTerminal(int(os.Stdin.Fd())):
		return s.interactive(c.Context)
	}
	text, err := io.ReadAll(os.Stdin)
	if err != nil {
		return err
	}
	return s.script(c.Context, string(text))
}

// clientSession is a connection and what must be said again when it is made anew.
type clientSession struct {
	c        *cli.Context
	addr     string
	database string
	settings []wire.Setting
	conn     *wire.Client
	chatty   bool // tell rows and time, as people like it
}

func (s *clientSession) connect(ctx context.Context) (err error) {
	s.conn, err = dial(ctx, s.addr, s.c.String("user"), s.c.String("password"), s.database)
	return err
}

func (s *clientSession) script(ctx context.Context, text string) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	return eachStatement(text, func(part string) error { return s.statement(ctx, part) })
}

// statement runs one statement and prints its result.
func (s *clientSession) statement(ctx context.Context, text string) error {
	start := time.Now()
	o := &output{out: s.c.App.Writer, format: defaultFormat(s.c.String("format")), progress: newProgressLine()}
	err := s.run(ctx, text, o)
	if cerr := o.end(); err == nil {
		err = cerr
	}
	if s.c.Bool("time") {
		fmt.Fprintf(os.Stderr, "%.3f\n", time.Since(start).Seconds())
	}
	if s.chatty && err == nil {
		seconds := time.Since(start).Seconds()
		if o.writer == nil {
			fmt.Fprintf(s.c.App.Writer, "Ok. %.3f sec.\n\n", seconds)
		} else {
			fmt.Fprintf(s.c.App.Writer, "\n%d rows in set. Elapsed: %.3f sec.\n\n", o.rows, seconds)
		}
	}
	return err
}

// clearOnInterrupt makes Ctrl-C clear the line, where the terminal package would end the input.
type clearOnInterrupt struct{ r io.Reader }

func (c clearOnInterrupt) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	for i, ch := range b[:n] {
		if ch == 3 {
			b[i] = 21 // Ctrl-U
		}
	}
	return n, err
}

// unfinished tells whether a statement breaks off at its end, so that more lines are wanted.
func unfinished(text string) bool {
	_, err := sql.Parse(text, sql.Options{MaxQuerySize: 1 << 30})
	return err != nil && (strings.Contains(err.Error(), "(end of query)") || strings.Contains(err.Error(), "Unmatched parentheses") || strings.Contains(err.Error(), "is not closed"))
}

func (s *clientSession) run(ctx context.Context, text string, o *output) error {
	st, err := sql.Parse(text, sql.Options{MaxQuerySize: 1 << 30})
	if err != nil {
		return err
	}
	req := &wire.Request{SQL: text, Settings: s.settings, OnProgress: func(p wire.Progress) { o.progress.add(p.Rows, p.Bytes, p.TotalRows) }}
	var out sql.Output
	switch st := st.(type) {
	case *sql.Insert:
		if st.Query == nil && (!st.HasData || strings.TrimSpace(text[st.DataOffset:st.DataEnd]) == "") && !st.HasInfile {
			return s.insert(ctx, req, st)
		}
	case *sql.Set:
		defer s.remember(st)
	case *sql.Use:
		defer func() { s.database = st.Database }()
	case *sql.SelectQuery:
		out = st.Output
	case *sql.Show:
		out = st.Output
	case *sql.ShowCreate:
		out = st.Output
	case *sql.Describe:
		out = st.Output
	case *sql.Exists:
		out = st.Output
	case *sql.Explain:
		out = st.Output
	}
	rows, err := s.conn.Query(ctx, req)
	if err != nil {
		return err
	}
	defer rows.Close()
	if rows.Header() == nil {
		return nil
	}
	if err := o.head(rows.Header(), out.Format, out.IntoOutfile); err != nil {
		return err
	}
	for {
		b, err := rows.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		if err := o.Block(b); err != nil {
			return err
		}
	}
	if t := rows.Totals(); t != nil {
		return o.Totals(t)
	}
	return nil
}

// remember keeps SET's settings: they go along with every later query.
func (s *clientSession) remember(st *sql.Set) {
	for _, x := range st.Settings {
		s.settings = append(s.settings, wire.Setting{Name: x.Name, Value: x.Value.Text()})
	}
}

// insert sends the rows that stand on standard input.
func (s *clientSession) insert(ctx context.Context, req *wire.Request, st *sql.Insert) error {
	if term.IsTerminal(int(os.Stdin.Fd())) {
		return errcode.New(errcode.NoDataToInsert, "No data to insert: give it behind the statement or on standard input")
	}
	if st.HasData {
		req.SQL = req.SQL[:st.DataOffset]
	}
	in, err := s.conn.Insert(ctx, req)
	if err != nil {
		return err
	}
	if err := copyInput(ctx, st.Format, in); err != nil {
		in.Abort()
		return err
	}
	return in.Close()
}

// copyInput reads standard input in a format and writes its blocks.
func copyInput(ctx context.Context, name string, in *wire.Insert) error {
	h := in.Header()
	var next func() (*column.Block, error)
	switch n := strings.ToLower(name); {
	case n == "jsoneachrow" || n == "jsonlines" || n == "ndjson":
		o := jsonl.Options{Name: "stdin", Threads: threads()}
		for i, col := range h.Cols {
			o.Columns = append(o.Columns, jsonl.Column{Name: h.Names[i], Type: col.Type()})
		}
		r, err := jsonl.Open("-", o)
		if err != nil {
			return err
		}
		defer r.Close()
		next = func() (*column.Block, error) { return r.Next(ctx) }
	default:
		if name == "" {
			name = "TabSeparated"
		}
		r, err := format.NewReader(name, os.Stdin, h.Names, h.Types())
		if err != nil {
			return err
		}
		next = r.Next
	}
	for {
		b, err := next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = in.Write(b)
		}
		if err != nil {
			return err
		}
	}
}

// insertAll sends all rows of a dictionary into a table.
func insertAll(ctx context.Context, conn *wire.Client, table string, v *dict.Version) error {
	in, err := conn.Insert(ctx, request("INSERT INTO "+table+" VALUES"))
	if err != nil {
		return err
	}
	names := in.Header().Names
	err = eachBlock(v, func(cols []column.Column, rows int) error {
		return in.Write(&column.Block{Names: names, Cols: cols, Rows: rows})
	})
	if err != nil {
		in.Abort()
		return err
	}
	return in.Close()
}

// interactive reads statements from the terminal, each ended by ';' or a line's end, until exit.
func (s *clientSession) interactive(ctx context.Context) error {
	info := s.conn.Server()
	s.chatty = true
	fmt.Fprintf(s.c.App.Writer, "Connected to %s %d.%d at %s. Enter runs a statement, or asks for the rest of one; Ctrl-C clears the line; \\q, exit or Ctrl-D leaves.\n", info.Name, info.Major, info.Minor, s.addr)
	fd := int(os.Stdin.Fd())
	old, err := term.MakeRaw(fd)
	if err != nil {
		return err
	}
	defer term.Restore(fd, old)
	t := term.NewTerminal(struct {
		io.Reader
		io.Writer
	}{clearOnInterrupt{os.Stdin}, os.Stdout}, "dictsvc :) ")
	t.SetBracketedPasteMode(true)
	defer t.SetBracketedPasteMode(false)
	held := "" // lines of a statement that is not whole yet
	for {
		line, err := t.ReadLine()
		pasted := errors.Is(err, term.ErrPasteIndicator)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil && !pasted {
			return err
		}
		line = held + line
		if text := strings.TrimSpace(line); text != "" && !strings.HasSuffix(text, ";") && (pasted || unfinished(text)) {
			held = line + "\n"
			t.SetPrompt(":-] ")
			continue
		}
		held = ""
		t.SetPrompt("dictsvc :) ")
		switch strings.TrimRight(strings.TrimSpace(line), "; ") {
		case "":
			continue
		case "exit", "quit", "\\q", "q", ":q", "logout":
			return nil
		}
		if err := term.Restore(fd, old); err != nil {
			return err
		}
		if err := s.script(ctx, line); err != nil {
			fmt.Fprintln(os.Stderr, errcode.Line(err))
			if code := errcode.Of(err); code == errcode.NetworkError || errors.Is(err, context.Canceled) || code == errcode.SocketTimeout {
				s.conn.Close()
				if err := s.connect(ctx); err != nil {
					return err
				}
			}
		}
		if old, err = term.MakeRaw(fd); err != nil {
			return err
		}
	}
}
