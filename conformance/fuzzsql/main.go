// Command fuzzsql compares dictsvc with ClickHouse 26.7 on random statements.
//
//	go run ./conformance/fuzzsql [-n 2000] [-seed 1] [-only STATEMENT]
//
// Differences are printed with what is needed to see them again; the exit code is 1 where there is one.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"

	"dictsvc/conformance/fuzz"
)

func main() {
	n := flag.Int("n", 2000, "statements")
	seed := flag.Uint64("seed", 1, "what the statements are made of")
	only := flag.Int("only", 0, "the number of the one statement to run")
	stop := flag.Int("stop", 0, "differences after which to end; 0: never")
	echo := flag.Bool("v", false, "print every statement")
	flag.Parse()
	result, err := fuzz.Run(context.Background(), fuzz.Config{Seed: *seed, N: *n, Only: *only, Stop: *stop, Echo: *echo, Out: os.Stdout})
	if err != nil {
		fmt.Fprintln(os.Stderr, "fuzzsql:", err)
		os.Exit(1)
	}
	if result.Differences > 0 {
		os.Exit(1)
	}
}
