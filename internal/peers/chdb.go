package peers

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// chdbVersion is the npm package that brings ClickHouse 26.7.
const chdbVersion = "3.4.0"

// Answer is what ClickHouse 26.7 says to one statement: Out, or an error with its code.
type Answer struct {
	SQL   string `json:"sql"`
	Out   string `json:"out"`
	Error string `json:"error"`
	Code  int    `json:"code"`
}

// chdbScript reads a JSON list of statements and prints a line of JSON for the answer to each; all share one session and one empty data folder.
const chdbScript = `
const fs = require('fs'); const { Session } = require('chdb');
const input = JSON.parse(fs.readFileSync(0, 'utf8')); const session = new Session();
for (const sql of input.statements) {
  const a = { sql };
  try { a.out = String(session.query(sql, input.format) ?? ''); }
  catch (e) {
    a.error = String(e.message); const code = /Code: (\d+)/.exec(a.error); a.code = code ? Number(code[1]) : 0;
    session.query('SELECT 1', 'Null');
  }
  fs.writeSync(1, JSON.stringify(a) + '\n');
}
session.cleanup();
`

// ClickHouse runs statements one after the other in one session of ClickHouse 26.7 and returns the answers in the given format.
func ClickHouse(t testing.TB, format string, statements ...string) []Answer {
	t.Helper()
	node := Need(t, "node", "nodejs")
	modules := filepath.Join(Chdb(t), "node_modules")
	input, err := json.Marshal(map[string]any{"format": format, "statements": statements})
	if err != nil {
		t.Fatal(err)
	}
	r := Run(t, string(input), "env", "NODE_PATH="+modules, node, "-e", chdbScript)
	var out []Answer
	for _, line := range strings.Split(strings.TrimSpace(r.Out), "\n") {
		var a Answer
		if err := json.Unmarshal([]byte(line), &a); err != nil {
			t.Fatalf("chdb: %v\n%s\n%s", err, r.Out, r.Err)
		}
		out = append(out, a)
	}
	if r.Code != 0 || len(out) != len(statements) {
		t.Fatalf("chdb: %d of %d statements answered, exit code %d\n%s", len(out), len(statements), r.Code, r.Err)
	}
	return out
}

// Chdb returns the folder whose node_modules has chdb, installed into the user's cache where it is missing.
func Chdb(t testing.TB) string {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(cache, "dictsvc", "chdb")
	if _, err := os.Stat(filepath.Join(dir, "node_modules", "chdb", "package.json")); err == nil {
		return dir
	}
	npm := Need(t, "npm", "npm")
	installing.Lock()
	defer installing.Unlock()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(npm, "install", "--prefix", dir, "--no-audit", "--no-fund", "chdb@"+chdbVersion).CombinedOutput(); err != nil {
		t.Fatalf("install chdb: %v\n%s", err, out)
	}
	return dir
}
