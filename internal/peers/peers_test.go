package peers

import (
	"strings"
	"testing"
)

func TestOldServer(t *testing.T) {
	s := OldServer(t)
	r := OldClient(t, s.Addr, "SELECT version(), 1 + 1", "--user", "guest", "--password", "secret")
	if r.Code != 0 || !strings.HasPrefix(r.Out, "18.16") || !strings.HasSuffix(r.Out, "\t2\n") {
		t.Fatalf("want version 18.16 and 2, got %+v", r)
	}
	s.Kill()
	if r = OldClient(t, s.Addr, "SELECT 1"); r.Code == 0 {
		t.Fatalf("a killed server answers: %+v", r)
	}
}

func TestClickHouse(t *testing.T) {
	a := ClickHouse(t, "TSV", "SELECT version()", "SELECT nothing")
	if !strings.HasPrefix(a[0].Out, "26.7") || a[1].Code != 47 {
		t.Fatalf("want version 26.7 and error 47, got %+v", a)
	}
}
