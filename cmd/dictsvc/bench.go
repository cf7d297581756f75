package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/urfave/cli/v2"
	"golang.org/x/term"

	"dictsvc/bench"
)

func benchCommand() *cli.Command {
	output := []cli.Flag{
		&cli.IntFlag{Name: "runs", Usage: "`N` runs of each measurement, of which the median counts", Value: 5},
		&cli.StringFlag{Name: "json", Usage: "write the figures to `FILE`"},
		&cli.StringFlag{Name: "charts", Usage: "write charts as PNG and SVG into `DIR`"},
	}
	return &cli.Command{
		Name:  "bench",
		Usage: "measure the hash tables, and dictionaries and queries against ClickHouse 26.7",
		Description: `Examples:
   dictsvc bench tables
   dictsvc bench clickhouse --rows 1e6
   dictsvc bench sql --rows 1e6
   dictsvc bench COMMAND --help`,
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return usage("bench: there is no command %q; see dictsvc bench --help", c.Args().First())
			}
			return cli.ShowSubcommandHelp(c)
		},
		Subcommands: []*cli.Command{
			{
				Name:      "tables",
				Usage:     "compare the hash tables with Go's map, dolthub/swiss and sorted arrays",
				ArgsUsage: " ",
				Description: `Every table holds UInt64 -> UInt16. Lookups of random keys are given beside the roof: the random cache lines a second
that a plain loop reads from memory of the same size, measured right beside. Tables that do not fit the memory are left out.

Examples:
   dictsvc bench tables
   dictsvc bench tables --rows 1e3,1e5,1e7 --tables packed,gomap --load-factors 0.95
   dictsvc bench tables --rows 1e3,1e4,1e5,1e6,1e7,1e8,1e9 --json tables.json --charts charts`,
				Flags: append([]cli.Flag{
					&cli.StringFlag{Name: "rows", Usage: "`LIST` of numbers of rows", Value: "1e3,1e4,1e5,1e6,1e7"},
					&cli.StringFlag{Name: "load-factors", Usage: "`LIST` of largest load factors, 0.5 to 0.99, for the tables that have one", Value: "0.5,0.75,0.9,0.95,0.99"},
					&cli.StringFlag{Name: "tables", Usage: "`LIST` of " + strings.Join(bench.TableNames(), ", "), Value: strings.Join(bench.TableNames(), ",")},
				}, output...),
				Action: benchTables,
			},
			{
				Name:      "clickhouse",
				Usage:     "compare dictionaries with ClickHouse 26.7 on the same SQL",
				ArgsUsage: " ",
				Description: `Each dictionary stands in a process of its own: dictsvc serve, or node with the npm package chdb. Loads and lookups of all
take turns; answers that differ end the run. Scenarios: ` + strings.Join(bench.ScenarioNames(), ", ") + `.

Examples:
   dictsvc bench clickhouse --rows 1e6
   dictsvc bench clickhouse --scenario u16,strings --rows 100e6 --threads 1,2
   dictsvc bench clickhouse --json clickhouse.json --charts charts --billion
   dictsvc bench clickhouse --scenario "" --billion`,
				Flags: append([]cli.Flag{
					&cli.StringFlag{Name: "rows", Usage: "`ROWS` of u16 and reload; the others have a tenth", Value: "100e6"},
					&cli.StringFlag{Name: "scenario", Usage: "`LIST` of scenarios", Value: strings.Join(bench.ScenarioNames(), ",")},
					&cli.StringFlag{Name: "threads", Usage: "`LIST` of max_threads for lookups", Value: "1,2"},
					&cli.StringFlag{Name: "chdb", Usage: "`DIR` whose node_modules has chdb", Value: bench.DefaultChdb(), DefaultText: "$DICTSVC_CHDB, else ~/.cache/dictsvc/chdb"},
					&cli.BoolFlag{Name: "billion", Usage: "load a billion rows into dictsvc too (8 GiB) and check 10 million sampled keys"},
				}, output...),
				Action: benchClickHouse,
			},
			{
				Name:      "sql",
				Usage:     "compare queries with ClickHouse 26.7 on the same SQL and the same data",
				ArgsUsage: " ",
				Description: `Both systems stand in processes of their own, dictsvc serve and node with the npm package chdb, make their tables by the same
statements and answer the same queries in turns. A query that fails and answers that differ are written down, and the command
ends with 1. A row "lz4" compares decompression with liblz4 (needs cc and Debian's liblz4-dev).
Rows: ` + strings.Join(bench.SQLNames(), ", ") + `.

Examples:
   dictsvc bench sql
   dictsvc bench sql --rows 1e6 --runs 3 --threads 2
   dictsvc bench sql --only sum_array,array_reduce,array_sum
   dictsvc bench sql --markdown --json sql.json --charts charts > table.md`,
				Flags: append([]cli.Flag{
					&cli.StringFlag{Name: "rows", Usage: "`ROWS` of the largest tables; the others have a share of it", Value: "20e6"},
					&cli.StringFlag{Name: "only", Usage: "`LIST` of rows", DefaultText: "all"},
					&cli.StringFlag{Name: "threads", Usage: "`LIST` of max_threads", Value: "1,2"},
					&cli.StringFlag{Name: "chdb", Usage: "`DIR` whose node_modules has chdb", Value: bench.DefaultChdb(), DefaultText: "$DICTSVC_CHDB, else ~/.cache/dictsvc/chdb"},
					&cli.BoolFlag{Name: "markdown", Usage: "write the results as a table of Markdown"},
				}, output...),
				Action: benchSQL,
			},
		},
	}
}

func benchTables(c *cli.Context) error {
	o := bench.TablesOptions{Runs: c.Int("runs")}
	rows, err1 := bench.ParseRowsList(c.String("rows"))
	factors, err2 := bench.ParseLoadFactors(c.String("load-factors"))
	tables, err3 := bench.ParseNames("table", c.String("tables"), bench.TableNames())
	if err := benchUsage(c, err1, err2, err3); err != nil {
		return err
	}
	o.Rows, o.LoadFactors, o.Tables = rows, factors, tables
	return benchRun(c, &o.Output, func(ctx context.Context) error {
		_, err := bench.Tables(ctx, o, c.App.Writer)
		return err
	})
}

func benchClickHouse(c *cli.Context) error {
	o := bench.ClickHouseOptions{Runs: c.Int("runs"), Chdb: c.String("chdb")}
	rows, err1 := bench.ParseRows(c.String("rows"))
	threads, err2 := bench.ParseThreads(c.String("threads"))
	var err3 error
	if names := c.String("scenario"); names != "" {
		o.Scenarios, err3 = bench.ParseNames("scenario", names, bench.ScenarioNames())
	}
	if err := benchUsage(c, err1, err2, err3); err != nil {
		return err
	}
	o.Rows, o.Threads = rows, threads
	if c.Bool("billion") {
		o.BillionRows = 1e9
	} else if len(o.Scenarios) == 0 {
		return usage("bench clickhouse: no scenario and no --billion: nothing to do")
	}
	return benchRun(c, &o.Output, func(ctx context.Context) error {
		_, err := bench.ClickHouse(ctx, o, c.App.Writer)
		return err
	})
}

func benchSQL(c *cli.Context) error {
	o := bench.SQLOptions{Runs: c.Int("runs"), Chdb: c.String("chdb"), Markdown: c.Bool("markdown"), Names: bench.SQLNames()}
	rows, err1 := bench.ParseRows(c.String("rows"))
	threads, err2 := bench.ParseThreads(c.String("threads"))
	var err3 error
	if only := c.String("only"); only != "" {
		o.Names, err3 = bench.ParseNames("row", only, bench.SQLNames())
	}
	if err := benchUsage(c, err1, err2, err3); err != nil {
		return err
	}
	o.Rows, o.Threads = rows, threads
	return benchRun(c, &o.Output, func(ctx context.Context) error {
		_, err := bench.SQL(ctx, o, c.App.Writer)
		return err
	})
}

// benchUsage checks what the commands share.
func benchUsage(c *cli.Context, errs ...error) error {
	if err := errors.Join(errs...); err != nil {
		return usage("bench %s: %v", c.Command.Name, err)
	}
	if c.Args().Present() {
		return usage("bench %s: what is %q?", c.Command.Name, c.Args().First())
	}
	if c.Int("runs") < 1 {
		return usage("bench %s: --runs: got %d, want 1 or more", c.Command.Name, c.Int("runs"))
	}
	return nil
}

// benchRun runs a comparison until it ends or a signal ends it, so that its processes and files do not stay.
func benchRun(c *cli.Context, o *bench.Output, run func(context.Context) error) error {
	ctx, stop := signal.NotifyContext(c.Context, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	o.JSON, o.Charts = c.String("json"), c.String("charts")
	o.Command = "dictsvc " + strings.Join(os.Args[1:], " ")
	if term.IsTerminal(int(os.Stderr.Fd())) {
		o.Status = func(text string) {
			if width, _, err := term.GetSize(int(os.Stderr.Fd())); err == nil && len(text) >= width {
				text = text[:max(0, width-1)] // a second line would stay
			}
			fmt.Fprint(os.Stderr, "\r\x1b[K"+text)
		}
	}
	err := run(ctx)
	if o.Status != nil {
		o.Status("")
	}
	if err != nil { // no statement of the user's has failed: no ClickHouse code in front
		fmt.Fprintf(os.Stderr, "dictsvc: bench %s: %v\n", c.Command.Name, err)
		return errReported
	}
	return nil
}
