package bench

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dictsvc/internal/peers"
)

func TestSQL(t *testing.T) {
	dir := t.TempDir()
	o := SQLOptions{Rows: 20_000, Names: []string{"plus", "array_sum", "group_97", "group_strings", "filter_sum", "dict_group", "semi_in", "tpch_q6", "lz4"}, Runs: 1, Threads: []int{1, 2}, Chdb: peers.Chdb(t), Program: program(t),
		Output: Output{JSON: filepath.Join(dir, "sql.json"), Charts: filepath.Join(dir, "charts")}}
	var text bytes.Buffer
	r, err := SQL(t.Context(), o, &text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text.String())
	}
	if want := 2 * (len(o.Names) - 1); len(r.Results) != want || len(r.Failed) != 0 || len(r.Skipped) != 0 {
		t.Fatalf("got %d results, want %d; failed %q, skipped %q", len(r.Results), want, r.Failed, r.Skipped)
	}
	for _, res := range r.Results {
		if len(res.Systems) != 2 || res.Systems[0].Seconds.median() <= 0 || res.Times <= 0 || res.Answer == "" || !strings.Contains(text.String(), res.Name) {
			t.Errorf("got %+v", res)
		}
	}
	if l := r.LZ4; l == nil || l.Blocks < 4 || l.Unpacked != 26*20_000 || l.Packed >= l.Unpacked || l.Times <= 0 {
		t.Errorf("lz4: got %+v", l)
	}
	var again SQLReport
	readJSON(t, o.JSON, &again)
	if again.Kind != "sql" || len(again.Results) != len(r.Results) || again.LZ4 == nil || len(again.Data) != 5 {
		t.Errorf("the JSON file has %+v", again)
	}
	checkChart(t, o.Charts, "sql_1")
	checkChart(t, o.Charts, "sql_2")
}

// scripted answers what it is told to, or fails.
type scripted struct {
	fakeServer
	err error
}

func (s scripted) run(ctx context.Context, sql string) (string, float64, error) {
	if s.err != nil {
		return "", 0, s.err
	}
	return s.fakeServer.run(ctx, sql)
}

func TestSQLRow(t *testing.T) {
	for _, c := range []struct {
		ours, theirs string
		err          error
		tolerance    float64
		want         string
	}{
		{ours: "1\t2\n3\t4", theirs: "1\t2\n3\t4"},
		{ours: "1.0000000001", theirs: "1", tolerance: floats},
		{ours: "nan", theirs: "nan"},
		{ours: "42", theirs: "43", tolerance: floats, want: "row 1, column 1: 42 and 43"},
		{ours: "1\n2", theirs: "1", want: "2 rows and 1"},
		{ours: "1\t2", theirs: "1", want: "row 1 has 2 columns and 1"},
		{ours: "a", theirs: "b", tolerance: 1, want: "row 1, column 1: a and b"},
		{ours: "nan", theirs: "1", tolerance: 1, want: "nan and 1"},
		{err: errors.New("no such function"), want: "dictsvc: no such function"},
	} {
		b := &sqlBench{SQLOptions: SQLOptions{Rows: 10, Runs: 2}}
		r := &sqlRow{name: "x", sql: "SELECT 1", tolerance: c.tolerance}
		res := b.result(r, 1)
		err := b.row(t.Context(), []sqlSide{{scripted{fakeServer(c.ours), c.err}, dictsvc}, {fakeServer(c.theirs), clickHouse}}, r, res)
		switch {
		case c.want == "" && (err != nil || res.Times != 1 || res.Systems[1].Seconds.Runs != 2):
			t.Errorf("%q and %q: got %v, %+v", c.ours, c.theirs, err, res)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%q and %q: got %v, want %s", c.ours, c.theirs, err, c.want)
		}
	}
}

func TestSQLText(t *testing.T) {
	b := &sqlBench{SQLOptions: SQLOptions{Rows: 1000}}
	row := sqlRow{title: "{n/20} groups", sql: "SELECT {n/4}, {n/5000} FROM {numbers}({n*50})"}
	if got, want := b.result(&row, 1).SQL, "SELECT 250, 1 FROM numbers(50000) SETTINGS max_threads = 1"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	row.sql += " SETTINGS join_algorithm = 'direct'"
	res := b.result(&row, 2)
	if want := "SELECT 250, 1 FROM numbers_mt(50000) SETTINGS join_algorithm = 'direct', max_threads = 2"; res.SQL != want || res.Title != "50 groups" {
		t.Errorf("got %s, titled %s, want %s", res.SQL, res.Title, want)
	}
	names := SQLNames()
	slices.Sort(names)
	if len(slices.Compact(names)) != len(SQLNames()) {
		t.Error("two rows have the same name")
	}
}

// A row that fails is written down, the others still run, and the command fails at its end.
func TestSQLReportMarkdown(t *testing.T) {
	var text bytes.Buffer
	b := &sqlBench{SQLOptions: SQLOptions{Rows: 1000, Runs: 1, Markdown: true}, w: &text, report: &SQLReport{Versions: []string{"dictsvc"}}}
	b.heading()
	one := &Spread{Median: 0.25, Min: 0.25, Max: 0.25, Runs: 1}
	b.done(&SQLResult{Name: "good", Title: "a || b", Threads: 2, Systems: []SQLSpeed{{dictsvc, one, 3 << 20}, {clickHouse, one, 0}}, Times: 1, Want: 2})
	b.done(&SQLResult{Name: "bad", Threads: 1, Error: "Code: 46\nno function"})
	b.lz4Done(errors.New("no cc"))
	b.summary()
	for _, want := range []string{`| good | a \|\| b | 2 | 250 | 250 | 1.00x | 2.00x | 3 | 0 |`, "| bad (1 threads) | failed: Code: 46 no function |", "| lz4 | failed: no cc |", "1 slower than wanted: good 2 (1.00x)"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no line %q in\n%s", want, text.String())
		}
	}
	if !slices.Equal(b.report.Failed, []string{"bad (1 threads)", "lz4"}) {
		t.Errorf("failed: got %q", b.report.Failed)
	}
}
