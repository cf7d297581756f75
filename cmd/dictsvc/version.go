package main

import (
	"fmt"
	"runtime"

	"github.com/urfave/cli/v2"

	"dictsvc/query"
)

// version of the program.
const version = "0.1.0"

func versionCommand() *cli.Command {
	return &cli.Command{
		Name:  "version",
		Usage: "print the version and the ClickHouse it follows",
		Action: func(c *cli.Context) error {
			_, err := fmt.Fprintf(c.App.Writer, "dictsvc %s (follows ClickHouse %s; %s, %s/%s)\n", version, query.Version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
}
