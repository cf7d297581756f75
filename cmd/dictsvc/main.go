// Command dictsvc holds very large dictionaries in memory and answers ClickHouse SQL over ClickHouse's native protocol.
package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"dictsvc/errcode"
)

func main() { os.Exit(run(os.Args)) }

// run executes the command line and returns the exit code: 0 well, 1 a query or a load failed, 2 wrong usage.
func run(args []string) int {
	app := &cli.App{
		Name:                 "dictsvc",
		Usage:                "a ClickHouse-compatible dictionary service: very large key-to-value dictionaries in memory, near their smallest size",
		HideVersion:          true,
		EnableBashCompletion: true,
		// 'price Decimal(10, 2)' is one value
		DisableSliceFlagSeparator: true,
		Commands:                  []*cli.Command{loadCommand(), serveCommand(), localCommand(), clientCommand(), benchCommand(), versionCommand()},
		CommandNotFound: func(c *cli.Context, name string) {
			fmt.Fprintf(c.App.ErrWriter, "dictsvc: there is no command %q; see dictsvc --help\n", name)
		},
		OnUsageError:   func(_ *cli.Context, err error, _ bool) error { return usage("%v", err) },
		ExitErrHandler: func(*cli.Context, error) {}, // the code below prints and chooses the exit code
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return usage("there is no command %q; see dictsvc --help", c.Args().First())
			}
			return cli.ShowAppHelp(c)
		},
	}
	for _, c := range app.Commands {
		c.OnUsageError = app.OnUsageError
		for _, sub := range c.Subcommands {
			sub.OnUsageError = app.OnUsageError
		}
	}
	err := app.Run(flagsFirst(args))
	if err == nil {
		return 0
	}
	var u *usageError
	if errors.As(err, &u) {
		fmt.Fprintln(os.Stderr, "dictsvc:", u.text)
		return 2
	}
	if !errors.Is(err, errReported) {
		fmt.Fprintln(os.Stderr, errcode.Line(err))
	}
	return 1
}

// usageError is a command line that cannot be meant.
type usageError struct{ text string }

func (e *usageError) Error() string { return e.text }

func usage(format string, args ...any) error { return &usageError{fmt.Sprintf(format, args...)} }

// errReported is a failure whose text has been printed already.
var errReported = errors.New("reported")

// flagsFirst moves what is no flag behind the flags of its command, so that `load FILE --name x` reads as `load --name x FILE`.
func flagsFirst(args []string) []string {
	if len(args) < 2 {
		return args
	}
	takesNone := map[string]bool{"json": true, "time": true, "help": true, "h": true}
	command := 2
	if args[1] == "bench" { // its commands have their own flags, and --json names a file
		takesNone = map[string]bool{"billion": true, "markdown": true, "help": true, "h": true}
		if len(args) > 2 && !strings.HasPrefix(args[2], "-") {
			command = 3
		}
	}
	out := append([]string(nil), args[:command]...)
	var rest []string
	for i := command; i < len(args); i++ {
		a := args[i]
		if a == "--" {
			return append(append(append(out, a), rest...), args[i+1:]...)
		}
		if len(a) < 2 || a[0] != '-' {
			rest = append(rest, a)
			continue
		}
		out = append(out, a)
		if name := strings.TrimLeft(a, "-"); !strings.Contains(name, "=") && !takesNone[name] && i+1 < len(args) {
			i++
			out = append(out, args[i])
		}
	}
	return append(out, rest...)
}
