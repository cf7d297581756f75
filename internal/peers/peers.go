// Package peers starts real ClickHouse programs for tests: Debian's ClickHouse 18.16 (client, server, benchmark), python3-clickhouse-driver, and
// the engine of ClickHouse 26.7 as npm's chdb package. What is missing is installed by its name; what cannot be installed fails the test. All
// that is started ends with the test.
package peers

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// installing keeps tests of one process from installing side by side.
var installing sync.Mutex

// Need returns the path of a program, after installing the Debian package it comes in where it is missing.
func Need(t testing.TB, program, pkg string) string {
	t.Helper()
	if path, err := exec.LookPath(program); err == nil {
		return path
	}
	install(t, pkg)
	path, err := exec.LookPath(program)
	if err != nil {
		t.Fatalf("%s is missing after installing %s: %v", program, pkg, err)
	}
	return path
}

func install(t testing.TB, pkg string) {
	t.Helper()
	installing.Lock()
	defer installing.Unlock()
	run := func(args ...string) ([]byte, error) {
		if os.Geteuid() != 0 {
			args = append([]string{"sudo", "-n"}, args...)
		}
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
		return cmd.CombinedOutput()
	}
	get := []string{"apt-get", "install", "-y", "--no-install-recommends", pkg}
	out, err := run(get...)
	if err != nil { // the lists may be missing or old
		run("apt-get", "update")
		out, err = run(get...)
	}
	if err != nil {
		t.Fatalf("install %s: %v\n%s", pkg, err, out)
	}
}

// Result is what a program has printed.
type Result struct {
	Out, Err string
	Code     int
}

// Run runs a program to its end, at most a minute; stdin may be "".
func Run(t testing.TB, stdin string, name string, args ...string) Result {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Stdin = strings.NewReader(stdin)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	cmd.WaitDelay = 5 * time.Second
	err := cmd.Run()
	r := Result{Out: out.String(), Err: errs.String()}
	if exit, ok := err.(*exec.ExitError); ok {
		r.Code = exit.ExitCode()
		if r.Code < 0 {
			r.Err += "\n" + exit.String()
		}
	} else if err != nil {
		t.Fatalf("run %s: %v", name, err)
	}
	if ctx.Err() != nil {
		t.Fatalf("%s %v has not ended within a minute\n%s\n%s", name, args, r.Out, r.Err)
	}
	return r
}

// OldClient runs a statement with clickhouse-client 18.16 and returns what it prints. Further arguments follow the address.
func OldClient(t testing.TB, addr, sql string, args ...string) Result {
	t.Helper()
	return Run(t, "", Need(t, "clickhouse-client", "clickhouse-client"), append(append(clientArgs(t, addr), args...), "--query", sql)...)
}

// OldClientStdin is OldClient with input, for INSERT and multi-query scripts.
func OldClientStdin(t testing.TB, addr, stdin string, args ...string) Result {
	t.Helper()
	return Run(t, stdin, Need(t, "clickhouse-client", "clickhouse-client"), append(clientArgs(t, addr), args...)...)
}

func clientArgs(t testing.TB, addr string) []string {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		t.Fatalf("address %q: %v", addr, err)
	}
	return []string{"--host", host, "--port", port}
}

// Benchmark runs clickhouse-benchmark 18.16: statements, a line each, over so many connections and for so many queries.
func Benchmark(t testing.TB, addr, statements string, concurrency, iterations int) Result {
	t.Helper()
	args := append(clientArgs(t, addr), "--concurrency", fmt.Sprint(concurrency), "--iterations", fmt.Sprint(iterations), "--delay", "0")
	return Run(t, statements, Need(t, "clickhouse-benchmark", "clickhouse-client"), args...)
}

// Python runs a script with the system's python3, which has clickhouse_driver; sys.argv[1] and [2] are the host and port of addr.
func Python(t testing.TB, addr, script string) Result {
	t.Helper()
	const python = "/usr/bin/python3"
	if _, err := os.Stat(python); err != nil || exec.Command(python, "-c", "import clickhouse_driver").Run() != nil {
		install(t, "python3-clickhouse-driver")
	}
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		t.Fatalf("address %q: %v", addr, err)
	}
	return Run(t, "", python, "-c", script, host, port)
}

// FreePort returns a TCP port of the loopback interface that nobody listens on.
func FreePort(t testing.TB) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// process is a program that runs until it is stopped.
type process struct {
	cmd  *exec.Cmd
	done chan struct{}
	once sync.Once
	log  string
}

// start runs a program in the background with its output in a file, and kills it at the test's end.
func start(t testing.TB, log string, cmd *exec.Cmd) *process {
	t.Helper()
	f, err := os.Create(log)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	cmd.Stdout, cmd.Stderr = f, f
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		t.Fatalf("start %s: %v", cmd.Path, err)
	}
	p := &process{cmd: cmd, done: make(chan struct{}), log: log}
	go func() {
		cmd.Wait()
		close(p.done)
	}()
	t.Cleanup(p.kill)
	return p
}

// kill ends the program and its children at once.
func (p *process) kill() {
	p.once.Do(func() { syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL) })
	<-p.done
}

// text is the end of what the program has printed.
func (p *process) text() string {
	b, _ := os.ReadFile(p.log)
	return string(b[max(0, len(b)-4096):])
}

// await waits until addr accepts connections.
func (p *process) await(t testing.TB, addr string) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); {
		select {
		case <-p.done:
			t.Fatalf("%s has ended before it listened on %s:\n%s", filepath.Base(p.cmd.Path), addr, p.text())
		default:
		}
		c, err := net.DialTimeout("tcp", addr, time.Second)
		if err == nil {
			c.Close()
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("%s does not listen on %s after a minute:\n%s", filepath.Base(p.cmd.Path), addr, p.text())
}
