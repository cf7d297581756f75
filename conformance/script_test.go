package conformance

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func TestParseScript(t *testing.T) {
	text := `-- about numbers
SELECT 1;

-- differs: our own reason
-- ours: x	2
-- ours:  String
SELECT ';' AS x,
       2;
INSERT INTO t FORMAT CSV
1,a
-- 2,b
;
`
	got, err := parseScript("x.sql", text)
	if err != nil {
		t.Fatal(err)
	}
	want := []Statement{
		{Number: 1, Line: 2, SQL: "SELECT 1"},
		{Number: 2, Line: 7, SQL: "SELECT ';' AS x,\n       2", Differs: "our own reason", Ours: "x\t2\n String\n"},
		{Number: 3, Line: 9, SQL: "INSERT INTO t FORMAT CSV\n1,a\n-- 2,b"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	for _, bad := range []string{"SELECT 1", "SELECT 1;\nSELECT 2\n", "-- differs:\n-- ours: 1\nSELECT 1;\n", "-- differs: why\nSELECT 1;\n", "-- ours: 1\nSELECT 1;\n"} {
		if s, err := parseScript("x.sql", bad); err == nil {
			t.Errorf("%q: want an error, got %+v", bad, s)
		}
	}
}

func TestAnswersRoundTrip(t *testing.T) {
	statements, err := parseScript("x.sql", "SELECT 1;\nCREATE TABLE t\n(x UInt8);\nSELECT y;\nSELECT code;\nSET a = 1;\n")
	if err != nil {
		t.Fatal(err)
	}
	answers := []Answer{{Text: "1\nUInt8\n1\n"}, {}, {Code: 47}, {Text: "code\nString\ncode: 5\n"}, {}}
	text, err := FormatAnswers(statements, answers)
	if err != nil {
		t.Fatal(err)
	}
	want := "-- 1: SELECT 1\n1\nUInt8\n1\n-- 2: CREATE TABLE t (x UInt8)\n-- 3: SELECT y\ncode: 47\n-- 4: SELECT code\ncode\nString\ncode: 5\n-- 5: SET a = 1\n"
	if text != want {
		t.Errorf("got  %q\nwant %q", text, want)
	}
	back, err := parseAnswers("x.out", text, statements)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(back, answers) {
		t.Errorf("got  %+v\nwant %+v", back, answers)
	}
	statements[3].SQL = "SELECT other"
	if _, err := parseAnswers("x.out", text, statements); err == nil {
		t.Error("answers recorded from another script are accepted")
	}
	if _, err := FormatAnswers(statements[:1], []Answer{{Text: "x\n-- 2: y\n"}}); err == nil {
		t.Error("an answer that looks like a head is accepted")
	}
}

// TestRecorded checks that every script has the answers that belong to it, and
// that together they are as many as the project promises.
func TestRecorded(t *testing.T) {
	scripts, err := filepath.Glob("testdata/*.sql")
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, path := range scripts {
		statements, err := ReadScript(path)
		if err != nil {
			t.Fatal(err)
		}
		out := strings.TrimSuffix(path, ".sql") + ".out"
		answers, err := ReadAnswers(out, statements)
		if err != nil {
			t.Error(err)
			continue
		}
		total += len(statements)
		again, err := FormatAnswers(statements, answers)
		if err != nil {
			t.Errorf("%s: %v", out, err)
			continue
		}
		data, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		if again != string(data) {
			t.Errorf("%s: reading and writing changes it", out)
		}
	}
	if want := 1000; total < want {
		t.Errorf("want at least %d statements, got %d", want, total)
	}
}
