package query

import (
	"context"
	"strings"
	"testing"

	"dictsvc/column"
	"dictsvc/errcode"
)

// recorder keeps a result as tab-separated text, a line a row.
type recorder struct {
	header   *column.Block
	lines    []string
	totals   string
	progress Progress
	profile  Profile
	blocks   int
	onBlock  func(*column.Block) error
}

func (r *recorder) Header(h Header) error { r.header = h.Block; return nil }

func (r *recorder) Block(b *column.Block) error {
	r.blocks++
	if r.onBlock != nil {
		return r.onBlock(b)
	}
	for i := range b.Rows {
		r.lines = append(r.lines, line(b, i))
	}
	return nil
}

func (r *recorder) Totals(b *column.Block) error   { r.totals = line(b, 0); return nil }
func (r *recorder) Extremes(b *column.Block) error { return nil }
func (r *recorder) Progress(p Progress) error {
	r.progress.Rows += p.Rows
	r.progress.Bytes += p.Bytes
	r.progress.TotalRows += p.TotalRows
	r.progress.WrittenRows += p.WrittenRows
	return nil
}
func (r *recorder) Profile(p Profile) error { r.profile = p; return nil }

func line(b *column.Block, row int) string {
	var buf []byte
	for i, c := range b.Cols {
		if i > 0 {
			buf = append(buf, '\t')
		}
		buf = column.AppendText(buf, c, row, column.TextTSV)
	}
	return string(buf)
}

func newTestSession(t testing.TB, cfg Config) *Session {
	t.Helper()
	e, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	s, err := e.NewSession(User{}, "")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func query(t testing.TB, s *Session, text string) *recorder {
	t.Helper()
	r := &recorder{}
	if err := s.Run(context.Background(), Request{SQL: text, Stage: StageComplete}, r); err != nil {
		t.Fatalf("%s: code %d: %v", text, errcode.Of(err), err)
	}
	return r
}

func TestSelect(t *testing.T) {
	s := newTestSession(t, Config{})
	for _, c := range []struct{ text, want string }{
		{"SELECT 1", "1"},
		{"SELECT 1 + 2 AS x, x * 2", "3\t6"},
		{"SELECT number FROM numbers(3)", "0 1 2"},
		{"SELECT number FROM numbers(10) WHERE number % 3 = 1 ORDER BY number DESC LIMIT 2", "7 4"},
		{"SELECT number % 2 AS k, count(), sum(number) FROM numbers(10) GROUP BY k ORDER BY k", "0\t5\t20 1\t5\t25"},
		{"SELECT sum(number) FROM numbers(1000000)", "499999500000"},
		{"SELECT count() FROM numbers(1000000) WHERE number % 7 = 0", "142858"},
		{"SELECT a, x FROM (SELECT [1, 2] AS a) ARRAY JOIN a AS x", "[1,2]\t1 [1,2]\t2"},
		{"SELECT arrayMap(x -> x + number, [10, 20]) FROM numbers(2)", "[10,20] [11,21]"},
		{"SELECT number FROM numbers(5) WHERE number IN (1, 3, 77)", "1 3"},
		{"SELECT number FROM numbers(5) WHERE number NOT IN (SELECT number FROM numbers(4))", "4"},
		{"SELECT id AS g, g AS id FROM (SELECT 1 AS id, 2 AS g)", "2\t1"},
	} {
		got := strings.Join(query(t, s, c.text).lines, " ")
		if got != c.want {
			t.Errorf("%s: want %q, got %q", c.text, c.want, got)
		}
	}
}
