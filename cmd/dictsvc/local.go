package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"time"

	"github.com/urfave/cli/v2"

	"dictsvc/query"
	"dictsvc/server"
	"dictsvc/sql"
)

func localCommand() *cli.Command {
	return &cli.Command{
		Name:      "local",
		Usage:     "run SQL in this process, like clickhouse local",
		ArgsUsage: " ",
		Description: `Examples:
   dictsvc local -q "SELECT count() FROM file('users.jsonl')"
   dictsvc local --load users.dict -q "SELECT dictGet('users', 'name', toUInt64(1))"
   echo "SELECT 1; SELECT 2" | dictsvc local`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "query", Aliases: []string{"q"}, Usage: "`SQL` to run, several statements with ';' between; read from stdin without it"},
			&cli.StringSliceFlag{Name: "load", Usage: "a snapshot `FILE.dict` to load first; may be repeated"},
			&cli.StringFlag{Name: "format", Usage: "output `FORMAT`: TabSeparated, JSONEachRow, Pretty, Vertical, Null, ..."},
			&cli.BoolFlag{Name: "time", Usage: "print each statement's seconds on stderr"},
			&cli.IntFlag{Name: "threads", Usage: "`N`: max_threads of the queries", DefaultText: "as many as processors"},
			&cli.Uint64Flag{Name: "max-memory", Usage: "`BYTES`: max_memory_usage of a query", DefaultText: "six tenths of the memory"},
		},
		Action: local,
	}
}

func local(c *cli.Context) error {
	if c.Args().Present() {
		return usage("local: what is %q? SQL is given with -q", c.Args().First())
	}
	defer tendHeap()()
	text := c.String("query")
	if !c.IsSet("query") {
		b, err := io.ReadAll(os.Stdin)
		if err != nil {
			return err
		}
		text = string(b)
	}
	defaults := map[string]string{}
	if n := c.Int("threads"); n > 0 {
		defaults["max_threads"] = strconv.Itoa(n)
	}
	if n := c.Uint64("max-memory"); n > 0 {
		defaults["max_memory_usage"] = strconv.FormatUint(n, 10)
	}
	engine, err := query.New(query.Config{LocalMode: true, UserFiles: ".", OpenRemote: server.OpenRemote, Settings: defaults})
	if err != nil {
		return err
	}
	defer engine.Close()
	for _, path := range c.StringSlice("load") {
		if err := server.Adopt(engine, path); err != nil {
			return err
		}
	}
	session, err := engine.NewSession(query.User{}, "")
	if err != nil {
		return err
	}
	defer session.Close()
	ctx, stop := signal.NotifyContext(c.Context, os.Interrupt)
	defer stop()
	return eachStatement(text, func(part string) error { return localStatement(ctx, c, session, part) })
}

// eachStatement cuts a text into statements and runs them until one fails.
func eachStatement(text string, run func(string) error) error {
	parts, err := sql.ParseMulti(text, sql.Options{MaxQuerySize: 1 << 30})
	for _, p := range parts {
		if err := run(p.Text); err != nil {
			return err
		}
	}
	return err
}

func localStatement(ctx context.Context, c *cli.Context, s *query.Session, text string) error {
	o := &output{out: c.App.Writer, format: defaultFormat(c.String("format")), progress: newProgressLine()}
	start := time.Now()
	err := s.Run(ctx, query.Request{SQL: text, Stage: query.StageComplete}, o)
	if cerr := o.end(); err == nil {
		err = cerr
	}
	if c.Bool("time") {
		fmt.Fprintf(os.Stderr, "%.3f\n", time.Since(start).Seconds())
	}
	return err
}
