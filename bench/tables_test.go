package bench

import (
	"bytes"
	"encoding/json"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dictsvc/internal/mem"
)

func TestTables(t *testing.T) {
	dir := t.TempDir()
	held := mem.Process.Used()
	o := TablesOptions{Rows: []int{1000}, LoadFactors: []float64{0.5, 0.95}, Tables: TableNames(), Runs: 1,
		Output: Output{JSON: filepath.Join(dir, "out", "tables.json"), Charts: filepath.Join(dir, "charts"), Command: "dictsvc bench tables"}}
	var text bytes.Buffer
	r, err := Tables(t.Context(), o, &text)
	if err != nil {
		t.Fatal(err)
	}
	if got := mem.Process.Used(); got != held {
		t.Errorf("%d bytes are held after the tables, %d before", got, held)
	}
	if len(r.Results) != 8 { // two tables at two load factors, four without one
		t.Fatalf("got %d results, want 8\n%s", len(r.Results), text.String())
	}
	for _, x := range r.Results {
		if x.Hits.median() <= 0 || x.Misses.median() <= 0 || x.HitsOfRoof.median() <= 0 || x.Inserts[known].median() <= 0 || x.Bytes < 8*1000 || (x.MaxLoadFactor > 0) != (x.Table == "hashmap" || x.Table == "packed") {
			t.Errorf("%s: got %+v", x.Table, x)
		}
		if !strings.Contains(text.String(), x.line()) {
			t.Errorf("%s has no line in\n%s", x.Table, text.String())
		}
	}
	var again TablesReport
	readJSON(t, o.JSON, &again)
	if again.Kind != "tables" || len(again.Results) != 8 || again.Results[2].Inserts[builder].median() <= 0 {
		t.Errorf("the JSON file has %+v", again)
	}
	for _, name := range []string{"hits_by_rows", "misses_by_rows", "hits_of_roof_by_rows", "bytes_by_rows", "bytes_by_load_factor", "hits_by_load_factor"} {
		checkChart(t, o.Charts, name)
	}
}

func readJSON(t *testing.T, path string, into any) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, into); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

func checkChart(t *testing.T, dir, name string) {
	t.Helper()
	f, err := os.Open(filepath.Join(dir, name+".png"))
	if err != nil {
		t.Error(err)
		return
	}
	defer f.Close()
	if _, err := png.Decode(f); err != nil {
		t.Errorf("chart %s: %v", name, err)
	}
	if b, err := os.ReadFile(filepath.Join(dir, name+".svg")); err != nil || !bytes.Contains(b, []byte("</svg>")) {
		t.Errorf("chart %s: %d bytes of SVG, %v", name, len(b), err)
	}
}

// A table that needs more than the machine has is left out, with a line that says so.
func TestTablesSkip(t *testing.T) {
	o := TablesOptions{Rows: []int{1e12}, Tables: []string{"gomap", "sorted"}, Runs: 1}
	var text bytes.Buffer
	r, err := Tables(t.Context(), o, &text)
	if err != nil || len(r.Results) != 0 || len(r.Skipped) != 4 || !strings.Contains(text.String(), "gomap, 1000 billion rows, built known, is skipped: it needs about") {
		t.Errorf("got %v, %+v\n%s", err, r, text.String())
	}
}
