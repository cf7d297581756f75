package server

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"dictsvc/column"
	"dictsvc/wire"
)

// users is the number of rows of the fixture: ids 1 to users, name user-ID, city of one of seven, score ID/4, nick NULL for every third.
const users = 1000

func city(id int) string { return fmt.Sprintf("city-%d", id%7) }

const usersColumns = "id UInt64, name String, city String DEFAULT 'nowhere', age UInt8, score Float64, nick Nullable(String)"

func usersFile(t testing.TB, path string, rows int) {
	t.Helper()
	var b bytes.Buffer
	for id := 1; id <= rows; id++ {
		nick := "null"
		if id%3 != 0 {
			nick = fmt.Sprintf(`"n%d"`, id)
		}
		fmt.Fprintf(&b, `{"id":%d,"name":"user-%d","city":"%s","age":%d,"score":%g,"nick":%s}`+"\n", id, id, city(id), id%100, float64(id)/4, nick)
	}
	writeFile(t, path, b.String())
}

func writeFile(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// startServer serves in this process, with the dictionary default.users where the configuration has a folder of files.
func startServer(t testing.TB, change func(*Config)) *Server {
	t.Helper()
	c := &Config{TCP: "127.0.0.1:0"}
	if change != nil {
		change(c)
	}
	s, err := Start(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return s
}

// usersServer serves the fixture: the dictionary default.users and an empty table default.t.
func usersServer(t testing.TB) (*Server, string) {
	t.Helper()
	dir := t.TempDir()
	usersFile(t, filepath.Join(dir, "users.jsonl"), users)
	s := startServer(t, func(c *Config) { c.UserFiles = dir })
	addr := s.Addr().String()
	run(t, addr, "CREATE DICTIONARY users ("+usersColumns+") PRIMARY KEY id SOURCE(FILE(path 'users.jsonl' format 'JSONEachRow')) LAYOUT(HASHED()) LIFETIME(0)")
	run(t, addr, "CREATE TABLE t (id UInt64, s String) ENGINE = Memory")
	return s, addr
}

// dial connects with the package's own client.
func dial(t testing.TB, addr string) *wire.Client {
	t.Helper()
	c, err := wire.Dial(context.Background(), addr, wire.ClientConfig{Compression: wire.LZ4})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// ask runs a statement over a connection of its own and returns its rows as tab-separated text, or its error.
func ask(t testing.TB, addr, text string) (string, error) {
	t.Helper()
	c, err := wire.Dial(context.Background(), addr, wire.ClientConfig{Compression: wire.LZ4})
	if err != nil {
		return "", err
	}
	defer c.Close()
	return answer(c, text)
}

// answer is ask over a connection that is there.
func answer(c *wire.Client, text string) (string, error) {
	rows, err := c.Query(context.Background(), &wire.Request{SQL: text})
	if err != nil {
		return "", err
	}
	defer rows.Close()
	var out []byte
	for {
		b, err := rows.Next()
		if errors.Is(err, io.EOF) {
			return string(out), nil
		}
		if err != nil {
			return "", err
		}
		for i := range b.Rows {
			for k, col := range b.Cols {
				if k > 0 {
					out = append(out, '\t')
				}
				out = column.AppendText(out, col, i, column.TextTSV)
			}
			out = append(out, '\n')
		}
	}
}

// run is ask for statements that must not fail.
func run(t testing.TB, addr, text string) string {
	t.Helper()
	out, err := ask(t, addr, text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return out
}

// check runs a statement and compares its answer.
func check(t testing.TB, addr, text, want string) {
	t.Helper()
	if got := run(t, addr, text); got != want {
		t.Errorf("%s: want %q, got %q", text, want, got)
	}
}

// await waits up to ten seconds until something is so.
func await(t testing.TB, what string, so func() bool) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); !so(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("after ten seconds: still not %s", what)
		}
	}
}

var built struct {
	once sync.Once
	path string
	err  error
}

// program builds the program once and returns its path.
func program(t testing.TB) string {
	t.Helper()
	built.once.Do(func() {
		dir, err := os.MkdirTemp("", "dictsvc-test-")
		if err != nil {
			built.err = err
			return
		}
		built.path = filepath.Join(dir, "dictsvc")
		cmd := exec.Command("go", "build", "-o", built.path, "dictsvc/cmd/dictsvc")
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			built.err = fmt.Errorf("build dictsvc: %w\n%s", err, out)
		}
	})
	if built.err != nil {
		t.Fatal(built.err)
	}
	return built.path
}

func TestMain(m *testing.M) {
	code := m.Run()
	if built.path != "" {
		os.RemoveAll(filepath.Dir(built.path))
	}
	os.Exit(code)
}

// process is a running `dictsvc serve`.
type process struct {
	cmd  *exec.Cmd
	addr string
	log  *lockedBuffer
}

// serve starts the program and waits for its ready line. It is killed at the test's end.
func serve(t testing.TB, args ...string) *process {
	t.Helper()
	p := &process{cmd: exec.Command(program(t), append([]string{"serve", "--tcp", "127.0.0.1:0"}, args...)...), log: &lockedBuffer{}}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.cmd.Stderr = p.log
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.kill)
	line, err := bufio.NewReader(out).ReadString('\n')
	addr, ok := strings.CutPrefix(strings.TrimSpace(line), "dictsvc ready tcp=")
	if err != nil || !ok {
		t.Fatalf("ready line: %q, %v\n%s", line, err, p.log)
	}
	p.addr = addr
	return p
}

// kill ends the process as a crash would.
func (p *process) kill() {
	p.cmd.Process.Kill()
	p.cmd.Wait()
}

// lockedBuffer is a buffer that a process writes while a test reads it.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func port(t testing.TB, addr string) string {
	t.Helper()
	_, p, err := net.SplitHostPort(addr)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
