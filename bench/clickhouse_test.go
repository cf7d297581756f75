package bench

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"dictsvc/internal/peers"
)

func program(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "dictsvc")
	if out, err := exec.Command("go", "build", "-o", path, "dictsvc/cmd/dictsvc").CombinedOutput(); err != nil {
		t.Fatalf("build dictsvc: %v\n%s", err, out)
	}
	return path
}

func TestClickHouse(t *testing.T) {
	dir := t.TempDir()
	o := ClickHouseOptions{Rows: 10_000, Scenarios: ScenarioNames(), Runs: 1, Threads: []int{1, 2}, Chdb: peers.Chdb(t), Program: program(t), BillionRows: 20_000,
		Output: Output{JSON: filepath.Join(dir, "clickhouse.json"), Charts: filepath.Join(dir, "charts")}}
	var text bytes.Buffer
	r, err := ClickHouse(t.Context(), o, &text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text.String())
	}
	if len(r.Scenarios) != len(scenarios()) || len(r.Reloads) != 4 || r.Billion == nil || len(r.Skipped) != 0 {
		t.Fatalf("got %d scenarios, %d reloads, billion %v\n%s", len(r.Scenarios), len(r.Reloads), r.Billion, text.String())
	}
	for i, s := range scenarios() {
		got := r.Scenarios[i]
		if want := 10_000 / s.divide; got.Name != s.name || got.Rows != want || len(got.Dictionaries) != len(s.ours)+len(s.theirs) || len(got.Ratios) != len(s.ours)*len(s.theirs) {
			t.Fatalf("scenario %s: got %+v", s.name, got)
		}
		for _, d := range got.Dictionaries {
			if d.BytesPerRow <= 0 || d.LoadSeconds.median() <= 0 || len(d.Lookups) != 2*len(s.lookups) || (d.HitsOfRoof != nil) != (d.System == dictsvc) {
				t.Errorf("scenario %s, %s %s: got %+v", s.name, d.System, d.Layout, d)
			}
			if d.System == dictsvc && d.Elements != int64(got.Rows) {
				t.Errorf("scenario %s, %s: %d elements, want %d", s.name, d.Layout, d.Elements, got.Rows)
			}
		}
		if misses := got.Dictionaries[0].Lookups[1]; misses.Name != "misses" || misses.Answer != "0" {
			t.Errorf("scenario %s: misses answer %q, want 0", s.name, misses.Answer)
		}
	}
	for _, x := range r.Reloads {
		if x.Unchanged.Seconds.median() <= 0 || x.Changed.Seconds.median() <= 0 {
			t.Errorf("reload: got %+v", x)
		}
	}
	if b := r.Billion; b.Dictionary.Elements != 20_000 || len(b.Dictionary.Lookups) != 4 {
		t.Errorf("billion: got %+v", b)
	}
	var again ClickHouseReport
	readJSON(t, o.JSON, &again)
	if again.Kind != "clickhouse" || len(again.Scenarios) != len(r.Scenarios) || again.Billion == nil {
		t.Errorf("the JSON file has %+v", again)
	}
	for _, name := range []string{"bytes", "rss", "load", "hits_1", "hits_2", "misses_1", "misses_2", "all_five_1", "all_five_2"} {
		checkChart(t, o.Charts, name)
	}
}

// Answers that differ end the run with both of them.
func TestAnswersDiffer(t *testing.T) {
	fake := func(system, answer string) *contestant {
		return &contestant{server: fakeServer(answer), system: system, layout: hashed, rates: map[string][]float64{}, queries: map[string]LookupResult{}, answers: map[string]string{}}
	}
	o := ClickHouseOptions{Runs: 1, Threads: []int{1}}
	theirs := fake(clickHouse, "43")
	err := o.lookups(t.Context(), &scenarios()[0], 10, []*contestant{fake(dictsvc, "42"), theirs})
	if err == nil || !strings.Contains(err.Error(), "dictsvc HASHED(): 42") || !strings.Contains(err.Error(), "ClickHouse HASHED(): 43") {
		t.Errorf("got %v", err)
	}
}

type fakeServer string

func (s fakeServer) run(context.Context, string) (string, float64, error) { return string(s), 1, nil }
func (s fakeServer) pid() int                                             { return os.Getpid() }
func (s fakeServer) close() error                                         { return nil }

func TestChdbMissing(t *testing.T) {
	dir := t.TempDir()
	_, err := ClickHouse(t.Context(), ClickHouseOptions{Rows: 10, Scenarios: []string{"u16"}, Runs: 1, Threads: []int{1}, Chdb: dir}, &bytes.Buffer{})
	if err == nil || !strings.Contains(err.Error(), "npm install --prefix "+dir+" chdb@3.4.0") {
		t.Errorf("got %v, want the command that installs it", err)
	}
}
