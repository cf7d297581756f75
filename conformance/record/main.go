// Command record runs the scripts of conformance/testdata on ClickHouse 26.7 (the
// npm package chdb, in process, needs node) and rewrites the recorded answers.
//
//	go run ./conformance/record [-v] [SUBJECT]...
//
// The package is looked for in $DICTSVC_CHDB, else ~/.cache/dictsvc/chdb, and
// installed there when missing. With -v the text of every error is printed.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"dictsvc/conformance"
	"dictsvc/conformance/oracle"
)

// slowest bounds one statement.
const slowest = 10 * time.Minute

func main() {
	verbose := flag.Bool("v", false, "print the text of every error")
	dir := flag.String("testdata", "conformance/testdata", "folder of the scripts")
	flag.Parse()
	if err := record(*dir, flag.Args(), *verbose); err != nil {
		fmt.Fprintln(os.Stderr, "record:", err)
		os.Exit(1)
	}
}

func record(dir string, subjects []string, verbose bool) error {
	var scripts []string
	var err error
	for _, s := range subjects {
		scripts = append(scripts, filepath.Join(dir, s+".sql"))
	}
	if len(subjects) == 0 {
		if scripts, err = filepath.Glob(filepath.Join(dir, "*.sql")); err != nil {
			return err
		}
	}
	total := 0
	for _, path := range scripts {
		n, err := recordScript(path, verbose)
		if err != nil {
			return fmt.Errorf("record %s: %w", path, err)
		}
		total += n
	}
	fmt.Printf("%5d statements\n", total)
	return nil
}

// recordScript runs one script in an engine of its own and writes its answers.
func recordScript(path string, verbose bool) (int, error) {
	statements, err := conformance.ReadScript(path)
	if err != nil {
		return 0, err
	}
	answers, err := ask(path, statements, verbose)
	if err != nil {
		return 0, err
	}
	text, err := conformance.FormatAnswers(statements, answers)
	if err != nil {
		return 0, err
	}
	failed := 0
	for _, a := range answers {
		if a.Code != 0 {
			failed++
		}
	}
	fmt.Printf("%5d statements, %3d of them errors: %s\n", len(statements), failed, path)
	return len(statements), os.WriteFile(strings.TrimSuffix(path, ".sql")+".out", []byte(text), 0o644)
}

func ask(path string, statements []conformance.Statement, verbose bool) ([]conformance.Answer, error) {
	engine, err := oracle.Start(os.Stderr)
	if err != nil {
		return nil, err
	}
	defer engine.Close()
	var answers []conformance.Answer
	for _, s := range statements {
		got, err := engine.Ask(context.Background(), s.SQL, slowest)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", s.Line, err)
		}
		if verbose && got.Error != "" {
			fmt.Printf("%s:%d: %s\n\t%s\n", path, s.Line, s.SQL, strings.TrimSpace(got.Error))
		}
		answers = append(answers, conformance.Answer{Text: got.Text, Code: got.Code})
	}
	return answers, nil
}
