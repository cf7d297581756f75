package bench

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"dictsvc/format"
	"dictsvc/wire"
)

// ourServer is `dictsvc serve`, asked over the native protocol.
type ourServer struct {
	*child
	conn *wire.Client
}

func startOurs(ctx context.Context, program string) (server, error) {
	c, err := start(exec.Command(program, "serve", "--tcp", "127.0.0.1:0"))
	if err != nil {
		return nil, fmt.Errorf("start %s serve: %w", program, err)
	}
	lines := bufio.NewReader(c.out)
	line, err := lines.ReadString('\n')
	addr, ok := strings.CutPrefix(strings.TrimSpace(line), "dictsvc ready tcp=")
	if err != nil || !ok {
		c.kill()
		return nil, fmt.Errorf("start %s serve: got %q, want a line \"dictsvc ready tcp=ADDR\"\n%s", program, line, c.stderr.String())
	}
	go io.Copy(io.Discard, lines)
	// A load of a billion rows may keep silent for long.
	conn, err := wire.Dial(ctx, addr, wire.ClientConfig{ClientName: "dictsvc bench", ReadTimeout: 2 * time.Hour})
	if err != nil {
		c.kill()
		return nil, fmt.Errorf("connect to %s serve: %w", program, err)
	}
	return &ourServer{c, conn}, nil
}

func (s *ourServer) run(ctx context.Context, sql string) (string, float64, error) {
	start := time.Now()
	rows, err := s.conn.Query(ctx, &wire.Request{SQL: sql})
	if err != nil {
		return "", 0, s.explain(err)
	}
	defer rows.Close()
	if rows.Header() == nil {
		return "", time.Since(start).Seconds(), nil
	}
	var text bytes.Buffer
	w, err := format.NewWriter("TabSeparated", &text)
	if err != nil {
		return "", 0, err
	}
	if err := w.Header(rows.Header()); err != nil {
		return "", 0, err
	}
	for {
		b, err := rows.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return "", 0, s.explain(err)
		}
		if err := w.Block(b); err != nil {
			return "", 0, err
		}
	}
	seconds := time.Since(start).Seconds()
	if err := w.Close(); err != nil {
		return "", 0, err
	}
	return strings.TrimSuffix(text.String(), "\n"), seconds, nil
}

// explain adds what the server wrote last, which says why it is gone if it is.
func (s *ourServer) explain(err error) error {
	if text := s.stderr.String(); text != "" {
		return fmt.Errorf("%w\n%s", err, text)
	}
	return err
}

func (s *ourServer) close() error {
	s.conn.Close()
	s.cmd.Process.Signal(syscall.SIGTERM)
	s.stop()
	return nil
}
