package server

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"dictsvc/internal/peers"
)

// terminal is a program that runs under a terminal of its own.
type terminal struct {
	t    testing.TB
	in   io.WriteCloser
	out  *lockedBuffer
	seen int // what expect has passed
	cmd  *exec.Cmd
}

// newTerminal starts a command line under script(1), which makes the terminal.
func newTerminal(t testing.TB, command string) *terminal {
	t.Helper()
	term := &terminal{t: t, out: &lockedBuffer{}}
	term.cmd = exec.Command(peers.Need(t, "script", "bsdutils"), "-qfec", "exec "+command, "/dev/null")
	term.cmd.Env = append(os.Environ(), "TERM=xterm", "HOME="+t.TempDir(), "SHELL=/bin/sh")
	term.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
	term.cmd.Stdout, term.cmd.Stderr = term.out, term.out
	term.cmd.WaitDelay = time.Second
	var err error
	if term.in, err = term.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := term.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		syscall.Kill(-term.cmd.Process.Pid, syscall.SIGKILL)
		term.cmd.Wait()
	})
	return term
}

func (x *terminal) send(keys string) {
	x.t.Helper()
	if _, err := io.WriteString(x.in, keys); err != nil {
		x.t.Fatal(err)
	}
}

// expect waits until the program has printed a text, behind what earlier calls have found.
func (x *terminal) expect(text string) {
	x.t.Helper()
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		s := x.out.String()
		if at := strings.Index(s[x.seen:], text); at >= 0 {
			x.seen += at + len(text)
			return
		}
		if time.Now().After(deadline) {
			x.t.Fatalf("after ten seconds: no %q in %q", text, s[x.seen:])
		}
	}
}

func (x *terminal) end() {
	x.t.Helper()
	done := make(chan error, 1)
	go func() { done <- x.cmd.Wait() }()
	select {
	case err := <-done:
		if err != nil {
			x.t.Fatalf("%v\n%s", err, x.out)
		}
	case <-time.After(10 * time.Second):
		x.t.Fatalf("has not left the terminal\n%s", x.out)
	}
}

// longQuery runs for minutes unless it is stopped.
const longQuery = "SELECT count() FROM numbers(1000000000000) WHERE NOT ignore(sipHash64(number)) AND number % 7 = 8"

func running(t testing.TB, addr string) string {
	t.Helper()
	return run(t, addr, "SELECT count() FROM system.processes WHERE query LIKE '%1000000000000%' AND query NOT LIKE '%processes%'")
}

// The old client under a terminal: queries, an error, Ctrl-C in a long query, and the same connection goes on.
func TestOldClientTerminal(t *testing.T) {
	_, addr := usersServer(t)
	x := newTerminal(t, peers.Need(t, "clickhouse-client", "clickhouse-client")+" --host 127.0.0.1 --port "+port(t, addr))
	x.expect("Connected to dictsvc server version 26.7")
	x.expect(" :) ")
	x.send("SELECT dictGet('users', 'name', toUInt64(7)) AS who\n")
	x.expect("user-7")
	x.expect("1 rows in set")
	x.send("CREATE TEMPORARY TABLE mine (x UInt8)\n")
	x.expect("Ok.")
	x.send("INSERT INTO mine VALUES (1), (2), (3)\n")
	x.expect("3 rows in set")
	x.send("SELECT nothing\n")
	x.expect("Code: 47")
	x.expect(" :) ")
	x.send(longQuery + "\n")
	await(t, "running", func() bool { return running(t, addr) == "1\n" })
	x.send("\x03")
	x.expect("Query was cancelled")
	await(t, "cancelled", func() bool { return running(t, addr) == "0\n" })
	x.send("SELECT sum(x) AS total FROM mine\n") // a temporary table lives as long as its connection
	x.expect("total")
	x.expect("6")
	x.send("exit\n")
	x.expect("Bye.")
	x.end()
}

// The program's own client under a terminal.
func TestOwnClientTerminal(t *testing.T) {
	_, addr := usersServer(t)
	x := newTerminal(t, program(t)+" client --port "+port(t, addr))
	x.expect("Connected to")
	x.expect("dictsvc :) ")
	x.send("SELECT dictGet('users', 'name', toUInt64(7)) AS who;\r")
	x.expect("user-7")
	x.send("SELECT nothing\r")
	x.expect("Code: 47. DB::Exception")
	x.expect("dictsvc :) ")
	x.send(longQuery + "\r")
	await(t, "running", func() bool { return running(t, addr) == "1\n" })
	x.send("\x03")
	await(t, "cancelled", func() bool { return running(t, addr) == "0\n" })
	x.expect("dictsvc :) ")
	x.send("SELECT 40 + 2\r")
	x.expect("42")
	x.send("\x04")
	x.end()
}

// The load command's bar is for terminals alone, and leaves the terminal as it was.
func TestLoadTerminal(t *testing.T) {
	dir := t.TempDir()
	usersFile(t, filepath.Join(dir, "u.jsonl"), 200000)
	x := newTerminal(t, program(t)+" load "+filepath.Join(dir, "u.jsonl")+" --name u --key id --attr 'name String'")
	x.expect("load u")
	x.expect("rows             200000")
	x.end()
}
