// Package oracle asks ClickHouse 26.7 itself: the npm package chdb, in process in a node that stays until it is closed (it needs node and npm).
//
// The package is looked for in $DICTSVC_CHDB, else ~/.cache/dictsvc/chdb, and installed there when missing.
package oracle

import (
	"bufio"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// engine is the npm package that holds ClickHouse 26.7.
const engine = "chdb@3.4.0"

// maxAnswer bounds one line of the engine's output.
const maxAnswer = 64 << 20

//go:embed chdb.js
var runner string

// ErrDied is returned where the engine ended instead of answering: it crashed, or was ended because it took too long.
var ErrDied = errors.New("the engine died")

// Answer is what ClickHouse says to one statement.
type Answer struct {
	Text  string `json:"out"` // TSVWithNamesAndTypes
	Code  int    `json:"code"`
	Error string `json:"error"`
}

// Oracle is one running engine with one session and one empty data folder.
type Oracle struct {
	node  *exec.Cmd
	in    io.WriteCloser
	lines *bufio.Scanner
}

// Dir finds the folder in which npm installed the engine, and installs it when it is missing.
func Dir() (string, error) {
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

// Start starts an engine. What it writes to its standard error goes to log; nil: nowhere.
func Start(log io.Writer) (*Oracle, error) {
	dir, err := Dir()
	if err != nil {
		return nil, err
	}
	node := exec.Command("node", "-e", runner)
	node.Env = append(os.Environ(), "NODE_PATH="+filepath.Join(dir, "node_modules"), "TZ=UTC")
	node.Stderr = log
	in, err := node.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("start node: %w", err)
	}
	out, err := node.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("start node: %w", err)
	}
	if err := node.Start(); err != nil {
		return nil, fmt.Errorf("start node: %w", err)
	}
	o := &Oracle{node: node, in: in, lines: bufio.NewScanner(out)}
	o.lines.Buffer(nil, maxAnswer)
	return o, nil
}

// Ask runs one statement. Past the limit the engine is ended. An error is about the engine (ErrDied: it is gone), not the statement.
func (o *Oracle) Ask(ctx context.Context, sql string, limit time.Duration) (Answer, error) {
	var line strings.Builder
	encode := json.NewEncoder(&line)
	encode.SetEscapeHTML(false)
	if err := encode.Encode(sql); err != nil {
		return Answer{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	defer context.AfterFunc(ctx, func() { _ = o.node.Process.Kill() })()
	if _, err := io.WriteString(o.in, line.String()); err != nil {
		return Answer{}, fmt.Errorf("%w: %w", ErrDied, err)
	}
	if !o.lines.Scan() {
		if err := o.lines.Err(); err != nil {
			return Answer{}, fmt.Errorf("read the engine's answer: %w", err)
		}
		return Answer{}, ErrDied
	}
	var a Answer
	if err := json.Unmarshal(o.lines.Bytes(), &a); err != nil {
		return Answer{}, fmt.Errorf("read the engine's answer: %w", err)
	}
	if a.Error != "" && a.Code == 0 {
		return Answer{}, fmt.Errorf("an error without a code: %s", a.Error)
	}
	return a, nil
}

// Close ends the engine and waits for it.
func (o *Oracle) Close() {
	o.in.Close()
	stop := time.AfterFunc(10*time.Second, func() { _ = o.node.Process.Kill() })
	defer stop.Stop()
	_ = o.node.Wait()
}
