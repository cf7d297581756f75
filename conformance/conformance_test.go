package conformance

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"dictsvc/errcode"
	"dictsvc/query"
	"dictsvc/server"
	"dictsvc/wire"
)

var (
	only = flag.String("only", "", "subjects to run, with commas between")
	most = flag.Int("show", 20, "failures to show of each subject")
)

// overTCP runs statements through the protocol server.
type overTCP struct{ c *wire.Client }

func (o overTCP) Run(ctx context.Context, sql string) (Answer, error) {
	rows, err := o.c.Query(ctx, &wire.Request{SQL: sql})
	if err != nil {
		return Answer{Code: int(errcode.Of(err))}, nil
	}
	defer rows.Close()
	var t text
	if rows.Header() == nil {
		return Answer{}, nil
	}
	if err := t.head(rows.Header()); err != nil {
		return Answer{}, err
	}
	for {
		b, err := rows.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return Answer{Code: int(errcode.Of(err))}, nil
		}
		if err := t.w.Block(b); err != nil { // the text of a value that its type does not have
			return Answer{Code: int(errcode.Of(err))}, nil
		}
	}
	if tot := rows.Totals(); tot != nil {
		if err := t.w.Totals(tot); err != nil {
			return Answer{}, err
		}
	}
	out, err := t.end()
	return Answer{Text: out}, err
}

func start(t *testing.T) *server.Server {
	t.Helper()
	s, err := server.Start(&server.Config{TCP: "127.0.0.1:0", UserFiles: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// TestConformance runs each subject twice on fresh servers: directly on the engine, and over TCP.
func TestConformance(t *testing.T) {
	subjects, err := ReadSubjects("testdata", *only)
	if err != nil {
		t.Fatal(err)
	}
	known := readKnown(t)
	passed, listed := 0, 0
	for _, subject := range subjects {
		t.Run(subject.Name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
			defer cancel()
			for _, transport := range []string{"direct", "tcp"} {
				srv := start(t)
				var session Session
				if transport == "direct" {
					s, err := srv.Engine.NewSession(query.User{}, "")
					if err != nil {
						t.Fatal(err)
					}
					defer s.Close()
					session = Direct{Session: s}
				} else {
					c, err := wire.Dial(ctx, srv.Addr().String(), wire.ClientConfig{Compression: wire.LZ4})
					if err != nil {
						t.Fatal(err)
					}
					defer c.Close()
					session = overTCP{c}
				}
				r := Check(ctx, subject, transport, session)
				listed += known.sift(t, &r)
				passed += r.Passed
				if !r.OK() {
					var out bytes.Buffer
					r.Print(&out, *most)
					t.Error(out.String())
				}
			}
		})
	}
	t.Logf("%d answers equal ClickHouse's, %d listed as known to differ", passed, listed)
}

// known lists statements that are answered otherwise for now, by the text of their heads. The list may only shrink: a listed statement that passes
// fails the test.
type known map[string]map[string]bool

func readKnown(t *testing.T) known {
	t.Helper()
	k := known{}
	b, err := os.ReadFile("testdata/known.txt")
	if errors.Is(err, os.ErrNotExist) {
		return k
	}
	if err != nil {
		t.Fatal(err)
	}
	subject := ""
	for _, line := range bytes.Split(b, []byte{'\n'}) {
		switch {
		case len(line) == 0 || line[0] == '#':
		case line[0] == '[':
			subject = string(bytes.Trim(line, "[]"))
			k[subject] = map[string]bool{}
		default:
			k[subject][string(line)] = true
		}
	}
	return k
}

// sift takes the listed failures out of a result and complains of listed statements that passed.
func (k known) sift(t *testing.T, r *Result) int {
	t.Helper()
	list := k[r.Subject]
	failed := map[string]bool{}
	var rest []Failure
	for _, f := range r.Failures {
		head := strings.SplitN(f.Statement.Head(), ": ", 2)[1]
		failed[head] = true
		if !list[head] {
			rest = append(rest, f)
		}
	}
	for head := range list {
		if !failed[head] {
			t.Errorf("%s over %s: listed in known.txt, but answered as ClickHouse does: %s", r.Subject, r.Transport, head)
		}
	}
	n := len(r.Failures) - len(rest)
	r.Failures = rest
	return n
}

// TestKnownIsShort keeps the list of differences from growing.
func TestKnownIsShort(t *testing.T) {
	n := 0
	for _, list := range readKnown(t) {
		n += len(list)
	}
	const limit = 0
	if n > limit {
		t.Errorf("known.txt lists %d statements, want at most %d", n, limit)
	}
}
