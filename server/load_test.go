package server

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dictsvc/internal/peers"
)

// gzipped is a text in gzip.
func gzipped(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write([]byte(text))
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// `dictsvc load` as users run it: exit codes, what is on standard output and what on standard error.
func TestLoadCommand(t *testing.T) {
	dir := t.TempDir()
	good := strings.Repeat(" ", 3) + `{"id":1,"name":"a","v":1.5}` + "\n" + `{"id":2,"name":"b","v":2}` + "\n\n" + `{"v":3,"id":3,"name":"c"}`
	files := map[string]string{
		"good": good, "array": `[{"id":1,"name":"a"},` + "\n" + `{"id":2,"name":"b"}]`, "gz": gzipped(t, good), "cut.gz": gzipped(t, strings.Repeat(good+"\n", 1000))[:60],
		"empty": "", "blank": "\n\n  \n", "truncated": `{"id":1,"name":"a"}` + "\n" + `{"id":2,"na`, "binary": string(randomBytes(10000)), "zeros": strings.Repeat("\x00", 5000),
		"nokey": `{"id":1,"name":"a"}` + "\n" + `{"name":"b"}`, "badkey": `{"id":1,"name":"a"}` + "\n" + `{"id":"x","name":"b"}`, "negative": `{"id":1,"name":"a"}` + "\n" + `{"id":-2,"name":"b"}`,
		"huge": `{"id":18446744073709551616,"name":"a"}`, "null": `{"id":null,"name":"a"}`, "nulls": `{"id":1,"name":null}` + "\n" + `{"id":2,"name":"x"}`,
		"csv": "id,name\n1,a\n", "deep": `{"id":1,"name":` + strings.Repeat("[", 100000) + strings.Repeat("]", 100000) + "}", "twice": `{"id":1,"name":"a"}` + "\n" + `{"id":1,"name":"b"}`,
		"bad3": `{"id":1,"name":"a"}` + "\n" + `{"id":2,"name":"b"}` + "\nnonsense\n" + `{"id":4,"name":"d"}`,
	}
	for name, text := range files {
		writeFile(t, filepath.Join(dir, name), text)
	}
	for _, c := range []struct {
		args  string // %: the folder
		stdin string
		code  int
		out   string // in standard output
		err   string // in standard error
	}{
		{args: "load %/good --name d --key id", out: "rows             3"},
		{args: "load --name d --key id %/good", out: "rows             3"},
		{args: "load %/gz --name d --key id", out: "rows             3"},
		{args: "load %/array --name d --key id", out: "rows             2"},
		{args: "load - --name d --key id", stdin: good, out: "rows             3"},
		{args: "load %/good --name d --key id --key name --layout complex_key_sparse_hashed", out: "(complex_key_sparse_hashed)"},
		{args: "load %/good --name d --key id --layout packed --max-load-factor 0.95", out: "(sparse_hashed)"},
		{args: "load %/nulls --name d --key id", out: "rows             2"},
		{args: "load %/twice --name d --key id", out: "rows             2, 1 distinct keys"},
		{args: "load %/bad3 --name d --key id --max-errors 1", out: "1 bad rows skipped"},
		{args: "version", out: "dictsvc "},
		{args: "--help", out: "load"},
		{args: "load --help", out: "--key"},

		{args: "load %/missing --name d --key id", code: 1, err: "no such file"},
		{args: "load % --name d --key id", code: 1, err: "directory"},
		{args: "load %/empty --name d --key id", code: 1, err: "Code: "},
		{args: "load %/blank --name d --key id", code: 1, err: "Code: "},
		{args: "load %/truncated --name d --key id", code: 1, err: "line 2"},
		{args: "load %/cut.gz --name d --key id", code: 1, err: "Code: "},
		{args: "load %/binary --name d --key id", code: 1, err: "Code: "},
		{args: "load %/zeros --name d --key id", code: 1, err: "Code: "},
		{args: "load %/csv --name d --key id", code: 1, err: "line 1"},
		{args: "load %/deep --name d --key id", code: 1, err: "Code: "},
		{args: "load %/good --name d --key uid", code: 1, err: `"uid"`},
		{args: "load %/good --name d --key id --attr nothing", code: 1, err: `"nothing"`},
		{args: "load %/badkey --name d --key 'id UInt64' --attr 'name String'", code: 1, err: "line 2"},
		{args: "load %/negative --name d --key 'id UInt64' --attr 'name String'", code: 1, err: "line 2"},
		{args: "load %/huge --name d --key 'id UInt64' --attr 'name String'", code: 1, err: "line 1"},
		{args: "load %/bad3 --name d --key id", code: 1, err: "line 3"},
		{args: "load %/good --name d --key 'id UInt65'", code: 1, err: "UInt65"},
		{args: "load %/good --name d --key id --attr 'name Strong'", code: 1, err: "Strong"},
		{args: "load %/good --name d --key id --attr 'v Float64 DEFAULT abc'", code: 1, err: "DEFAULT"},
		{args: "load %/good --name d --key id --layout nested", code: 1, err: "nested"},
		{args: "load %/good --name d --key id --max-load-factor 1", code: 1, err: "max_load_factor"},
		{args: "load %/good --name d --key id --format CSV", code: 1, err: "CSV"},
		{args: "load %/good --name d --key id --save %/none/x.dict", code: 1, err: "no such file"},
		{args: "load %/good --name d --key id --server 127.0.0.1:1", code: 1, err: "Code: 210"},

		{args: "load %/good --key id", code: 2, err: "--name"},
		{args: "load %/good --name d", code: 2, err: "--key"},
		{args: "load --name d --key id", code: 2, err: "FILE"},
		{args: "load %/good %/good --name d --key id", code: 2, err: "FILE"},
		{args: "load %/good --name d --key id --nonsense 1", code: 2, err: "nonsense"},
		{args: "load %/good --name d --key id --threads many", code: 2, err: "many"},
		{args: "load %/good --name d --key 'id UInt64 DEFAULT 1'", code: 2, err: "DEFAULT"},
		{args: "lod", code: 2, err: "lod"},
		{args: "serve now", code: 2, err: "now"},
		{args: "local --nonsense", code: 2, err: "nonsense"},
		{args: "local -q 'SELECT 1 +'", code: 1, err: "Code: 62. DB::Exception: Syntax error"},
		{args: "local -q 'SELECT 1; SELECT 2'", out: "1\n2\n"},
		{args: "serve --tcp 127.0.0.1:99999", code: 1, err: "99999"},
		{args: "serve --config %/csv", code: 1, err: "csv"},
		{args: "serve --load %/good --tcp 127.0.0.1:0", code: 1, err: "good"},
	} {
		args := strings.ReplaceAll(c.args, "%", dir)
		r := peers.Run(t, c.stdin, "/bin/sh", "-c", program(t)+" "+args)
		switch {
		case r.Code != c.code || !strings.Contains(r.Out, c.out) || !strings.Contains(r.Err, c.err):
			t.Errorf("%s: want code %d, %q, %q; got %+v", c.args, c.code, c.out, c.err, r)
		case c.code != 0 && (r.Out != "" || strings.Count(strings.TrimSpace(r.Err), "\n") > 5 || len(r.Err) > 3000):
			t.Errorf("%s: an error is a line or a few on standard error, got %+v", c.args, r)
		case c.code == 0 && r.Err != "":
			t.Errorf("%s: standard error without an error: %s", c.args, r.Err)
		case strings.Contains(r.Err, "goroutine ") || strings.Contains(r.Err, "panic"):
			t.Errorf("%s: %s", c.args, r.Err)
		}
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != len(files) {
		t.Errorf("loads have left something: %v, %v", left, err)
	}
}

// One line of 100 MB, and figures as JSON.
func TestLoadLongLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "long.jsonl")
	const size = 100 << 20
	writeFile(t, path, `{"id":1,"name":"`+strings.Repeat("x", size)+`"}`+"\n"+`{"id":2,"name":"short"}`+"\n")
	r := peers.Run(t, "", program(t), "load", path, "--name", "d", "--key", "id")
	if r.Code != 1 || !strings.Contains(r.Err, "line 1") || !strings.Contains(r.Err, "longer than the sample") { // types are not inferred from a part of a row
		t.Fatalf("%+v", r)
	}
	r = peers.Run(t, "", program(t), "load", path, "--name", "d", "--key", "id UInt64", "--attr", "name String", "--json")
	var f struct {
		Rows, Elements  uint64
		BytesAllocated  uint64  `json:"bytes_allocated"`
		FileBytes       uint64  `json:"file_bytes"`
		RSS             uint64  `json:"rss"`
		LoadFactor      float64 `json:"load_factor"`
		BytesPerElement float64 `json:"bytes_per_element"`
	}
	if err := json.Unmarshal([]byte(r.Out), &f); err != nil || f.Rows != 2 || f.Elements != 2 || f.BytesAllocated < size || f.FileBytes < size || f.RSS < size || f.LoadFactor <= 0 || f.BytesPerElement < size/2 {
		t.Fatalf("%v: %+v\n%+v", err, f, r)
	}
}

// load --save, then serve --load and local --load; load --server onto a running server.
func TestSnapshots(t *testing.T) {
	dir := t.TempDir()
	file, snapshot := filepath.Join(dir, "users.jsonl"), filepath.Join(dir, "users.dict")
	usersFile(t, file, users)
	attrs := []string{"--attr", "name String", "--attr", "city String DEFAULT 'nowhere'", "--attr", "age UInt8", "--attr", "score Float64", "--attr", "nick Nullable(String)"}
	for _, layout := range []string{"hashed", "packed"} {
		os.Remove(snapshot)
		r := peers.Run(t, "", program(t), append([]string{"load", file, "--name", "users", "--key", "id UInt64", "--layout", layout, "--save", snapshot, "--json"}, attrs...)...)
		if r.Code != 0 || !strings.Contains(r.Out, `"rows":1000`) {
			t.Fatalf("%+v", r)
		}
		s := serve(t, "--load", snapshot)
		alive(t, s.addr, "serve --load")
		check(t, s.addr, "SELECT dictGet('users', ('city', 'age', 'score', 'nick'), toUInt64(205)), dictGet('users', 'nick', toUInt64(6)), dictGet('users', 'city', toUInt64(0))",
			"('city-2',5,51.25,'n205')\t\\N\tnowhere\n")
		check(t, s.addr, "SELECT status, element_count, type FROM system.dictionaries", "LOADED\t1000\t"+map[string]string{"hashed": "Hashed", "packed": "SparseHashed"}[layout]+"\n")
		s.kill()
		r = peers.Run(t, "", program(t), "local", "--load", snapshot, "-q", "SELECT dictGet('users', 'name', number) FROM numbers(2) FORMAT JSONEachRow")
		if r.Code != 0 || !strings.Contains(r.Out, "user-1") {
			t.Errorf("%+v", r)
		}
	}
	s := serve(t)
	r := peers.Run(t, "", program(t), append([]string{"load", file, "--name", "users", "--key", "id UInt64", "--layout", "packed", "--max-load-factor", "0.9", "--server", s.addr}, attrs...)...)
	if r.Code != 0 {
		t.Fatalf("%+v", r)
	}
	alive(t, s.addr, "load --server")
	check(t, s.addr, "SELECT dictGet('users', 'nick', toUInt64(6)), dictGet('users', 'city', toUInt64(0)), sum(age) FROM users", "\\N\tnowhere\t49500\n")

	// Snapshots that are damaged are refused.
	good, err := os.ReadFile(snapshot)
	if err != nil {
		t.Fatal(err)
	}
	damaged := map[string][]byte{"empty": nil, "short": good[:20], "half": good[:len(good)/2], "last byte": good[:len(good)-1], "longer": append(append([]byte{}, good...), 0)}
	for _, at := range []int{0, 9, 40, len(good) / 3, len(good) / 2, len(good) - 5} {
		b := append([]byte{}, good...)
		b[at] ^= 0x40
		damaged[fmt.Sprint("byte ", at)] = b
	}
	for name, b := range damaged {
		path := filepath.Join(dir, "damaged.dict")
		if err := os.WriteFile(path, b, 0o644); err != nil {
			t.Fatal(err)
		}
		r := peers.Run(t, "", program(t), "local", "--load", path, "-q", "SELECT count() FROM users")
		if r.Code != 1 || !strings.Contains(r.Err, "Code: ") || strings.Contains(r.Err, "goroutine") {
			t.Errorf("a snapshot damaged by %s: %+v", name, r)
		}
	}
}

func randomBytes(n int) []byte {
	b := make([]byte, n)
	x := uint64(88172645463325252)
	for i := range b {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		b[i] = byte(x >> 32)
	}
	return b
}
