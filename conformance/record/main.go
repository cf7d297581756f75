// Command record runs the scripts of conformance/testdata on ClickHouse 26.7 (the
// npm package chdb, in process, needs node) and rewrites the recorded answers.
//
//	go run ./conformance/record [-v] [SUBJECT]...
//
// The package is looked for in $DICTSVC_CHDB, else ~/.cache/dictsvc/chdb, and
// installed there when missing. With -v the text of every error is printed.
package main

import (
	"bufio"
	"bytes"
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"dictsvc/conformance"
)

// engine is the npm package that holds ClickHouse 26.7.
const engine = "chdb@3.4.0"

// maxAnswer bounds one line of the engine's output.
const maxAnswer = 64 << 20

//go:embed chdb.js
var runner string

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
	home, err := engineDir()
	if err != nil {
		return err
	}
	var scripts []string
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
		n, err := recordScript(home, path, verbose)
		if err != nil {
			return fmt.Errorf("record %s: %w", path, err)
		}
		total += n
	}
	fmt.Printf("%5d statements\n", total)
	return nil
}

// engineDir finds the folder in which npm installed the engine, and installs it
// when it is missing.
func engineDir() (string, error) {
	dir := os.Getenv("DICTSVC_CHDB")
	if dir == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", fmt.Errorf("find the engine: %w", err)
		}
		dir = filepath.Join(home, ".cache", "dictsvc", "chdb")
	}
	if _, err := os.Stat(filepath.Join(dir, "node_modules", "chdb", "package.json")); err == nil {
		return dir, nil
	}
	install := exec.Command("npm", "install", "--no-fund", "--no-audit", "--prefix", dir, engine)
	install.Stdout, install.Stderr = os.Stderr, os.Stderr
	if err := install.Run(); err != nil {
		return "", fmt.Errorf("install %s into %s: %w", engine, dir, err)
	}
	return dir, nil
}

// recordScript runs one script in an engine of its own and writes its answers.
func recordScript(home, path string, verbose bool) (int, error) {
	statements, err := conformance.ReadScript(path)
	if err != nil {
		return 0, err
	}
	answers, err := ask(home, path, statements, verbose)
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

func ask(home, path string, statements []conformance.Statement, verbose bool) ([]conformance.Answer, error) {
	var in bytes.Buffer
	encode := json.NewEncoder(&in)
	encode.SetEscapeHTML(false)
	for _, s := range statements {
		if err := encode.Encode(s.SQL); err != nil {
			return nil, err
		}
	}
	node := exec.Command("node", "-e", runner)
	node.Env = append(os.Environ(), "NODE_PATH="+filepath.Join(home, "node_modules"), "TZ=UTC")
	node.Stdin, node.Stderr = &in, os.Stderr
	out, err := node.Output()
	if err != nil {
		return nil, fmt.Errorf("run node: %w", err)
	}
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, maxAnswer)
	var answers []conformance.Answer
	for lines.Scan() {
		var got struct {
			Out   string `json:"out"`
			Code  int    `json:"code"`
			Error string `json:"error"`
		}
		if err := json.Unmarshal(lines.Bytes(), &got); err != nil {
			return nil, fmt.Errorf("answer %d: %w", len(answers)+1, err)
		}
		if got.Error != "" && got.Code == 0 {
			return nil, fmt.Errorf("answer %d: an error without a code: %s", len(answers)+1, got.Error)
		}
		if verbose && got.Error != "" && len(answers) < len(statements) {
			fmt.Printf("%s:%d: %s\n\t%s\n", path, statements[len(answers)].Line, statements[len(answers)].SQL, strings.TrimSpace(got.Error))
		}
		answers = append(answers, conformance.Answer{Text: got.Out, Code: got.Code})
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	if len(answers) != len(statements) {
		return nil, fmt.Errorf("want %d answers, got %d", len(statements), len(answers))
	}
	return answers, nil
}
