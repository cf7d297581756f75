package bench

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"
)

// The systems that are compared.
const (
	dictsvc    = "dictsvc"
	clickHouse = "ClickHouse"
)

// server is a system in a process of its own, asked one statement after the other.
type server interface {
	// run returns the answer as TabSeparated, and the seconds it took.
	run(ctx context.Context, sql string) (answer string, seconds float64, err error)
	pid() int
	close() error
}

// child is a process with the end of what it wrote on stderr.
type child struct {
	cmd    *exec.Cmd
	out    *os.File // what it writes on stdout
	stderr tail
	done   chan struct{} // closed when it has ended
}

// start starts a program that ends with this one. Its stdout is the caller's to read.
func start(cmd *exec.Cmd) (*child, error) {
	out, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	c := &child{cmd: cmd, out: out, done: make(chan struct{})}
	cmd.Stdout, cmd.Stderr = in, &c.stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	err = cmd.Start()
	in.Close()
	if err != nil {
		out.Close()
		return nil, err
	}
	go func() {
		cmd.Wait()
		close(c.done)
	}()
	return c, nil
}

func (c *child) pid() int { return c.cmd.Process.Pid }

// stop waits a little for a process that was told to end, and kills it then.
func (c *child) stop() {
	select {
	case <-c.done:
	case <-time.After(10 * time.Second):
		c.kill()
	}
	c.out.Close()
}

func (c *child) kill() {
	syscall.Kill(-c.cmd.Process.Pid, syscall.SIGKILL)
	<-c.done
}

// tail keeps the last bytes written to it.
type tail struct {
	mu   sync.Mutex
	text []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p...)
	t.text = t.text[max(0, len(t.text)-4096):]
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(string(t.text))
}
