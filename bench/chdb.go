package bench

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
)

// chdbPackage is the npm package that brings ClickHouse 26.7 as a library.
const chdbPackage = "chdb@3.4.0"

//go:embed chdb.js
var chdbScript string

// theirServer is ClickHouse 26.7 as a library in a process of node, asked by lines of JSON.
type theirServer struct {
	*child
	in  io.WriteCloser
	out *bufio.Reader
	dir string // its data
}

// DefaultChdb is the folder where the npm package of ClickHouse is looked for: $DICTSVC_CHDB, else a folder of the
// user's cache.
func DefaultChdb() string {
	if dir := os.Getenv("DICTSVC_CHDB"); dir != "" {
		return dir
	}
	home, err := os.UserHomeDir()
	if err != nil {
		home = "."
	}
	return filepath.Join(home, ".cache", "dictsvc", "chdb")
}

// findChdb returns node and the folder of modules, or says how to get what is missing.
func findChdb(dir string) (node, modules string, err error) {
	modules = filepath.Join(dir, "node_modules")
	if _, err := os.Stat(filepath.Join(modules, "chdb", "package.json")); err != nil {
		return "", "", fmt.Errorf("ClickHouse 26.7 is not in %s; install it with\n  npm install --prefix %s %s\nor name its folder with --chdb or $DICTSVC_CHDB", dir, dir, chdbPackage)
	}
	if node, err = exec.LookPath("node"); err != nil {
		return "", "", fmt.Errorf("node, which runs ClickHouse's npm package, is missing (Debian: apt install nodejs): %w", err)
	}
	return node, modules, nil
}

func startTheirs(chdb string) (server, error) {
	node, modules, err := findChdb(chdb)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "dictsvc-bench-")
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(node, "-e", chdbScript, filepath.Join(dir, "data"))
	cmd.Env = append(os.Environ(), "NODE_PATH="+modules)
	in, err := cmd.StdinPipe()
	if err != nil {
		os.RemoveAll(dir)
		return nil, err
	}
	c, err := start(cmd)
	if err != nil {
		os.RemoveAll(dir)
		return nil, fmt.Errorf("start node: %w", err)
	}
	return &theirServer{c, in, bufio.NewReader(c.out), dir}, nil
}

func (s *theirServer) run(ctx context.Context, sql string) (string, float64, error) {
	line, err := json.Marshal(map[string]string{"sql": sql})
	if err != nil {
		return "", 0, err
	}
	// The library cannot be interrupted: who gives up ends its process.
	defer context.AfterFunc(ctx, s.kill)()
	var answer struct {
		Out, Error string
		Seconds    float64
	}
	_, err = s.in.Write(append(line, '\n'))
	if err == nil {
		line, err = s.out.ReadBytes('\n')
	}
	if err == nil {
		err = json.Unmarshal(line, &answer)
	}
	switch {
	case ctx.Err() != nil:
		return "", 0, ctx.Err()
	case err != nil:
		s.kill()
		return "", 0, fmt.Errorf("the process of ClickHouse does not answer: %w\n%s", err, s.stderr.String())
	case answer.Error != "":
		return "", 0, errors.New(answer.Error)
	}
	return strings.TrimSuffix(answer.Out, "\n"), answer.Seconds, nil
}

func (s *theirServer) close() error {
	s.in.Close()
	s.stop()
	return os.RemoveAll(s.dir)
}
