package main

import (
	"slices"
	"testing"
)

func TestBenchUsage(t *testing.T) {
	for _, c := range []struct {
		code int
		args []string
	}{
		{2, []string{"bench", "nothing"}},
		{2, []string{"bench", "tables", "--rows", "1e3,x"}},
		{2, []string{"bench", "tables", "--tables", "abacus"}},
		{2, []string{"bench", "tables", "--load-factors", "0.1"}},
		{2, []string{"bench", "tables", "--runs", "0"}},
		{2, []string{"bench", "tables", "--nothing"}},
		{2, []string{"bench", "tables", "1e3"}},
		{2, []string{"bench", "clickhouse", "--scenario", "u17"}},
		{2, []string{"bench", "clickhouse", "--threads", "0"}},
		{2, []string{"bench", "clickhouse", "--scenario", ""}},
		{1, []string{"bench", "clickhouse", "--chdb", t.TempDir()}},
		{2, []string{"bench", "sql", "--only", "nothing"}},
		{2, []string{"bench", "sql", "--rows", "0"}},
		{1, []string{"bench", "sql", "--chdb", t.TempDir()}},
	} {
		if got := run(append([]string{"dictsvc"}, c.args...)); got != c.code {
			t.Errorf("dictsvc %v: exit code %d, want %d", c.args, got, c.code)
		}
	}
}

func TestFlagsFirst(t *testing.T) {
	for _, c := range [][2][]string{
		{{"dictsvc", "load", "f", "--json", "--name", "x"}, {"dictsvc", "load", "--json", "--name", "x", "f"}},
		{{"dictsvc", "bench", "tables", "--json", "f", "--rows", "1"}, {"dictsvc", "bench", "tables", "--json", "f", "--rows", "1"}},
		{{"dictsvc", "bench", "clickhouse", "x", "--billion", "--rows", "1"}, {"dictsvc", "bench", "clickhouse", "--billion", "--rows", "1", "x"}},
		{{"dictsvc", "bench", "sql", "--markdown", "--json", "f", "--charts", "d"}, {"dictsvc", "bench", "sql", "--markdown", "--json", "f", "--charts", "d"}},
		{{"dictsvc", "bench", "--help"}, {"dictsvc", "bench", "--help"}},
		{{"dictsvc", "bench"}, {"dictsvc", "bench"}},
	} {
		if got := flagsFirst(c[0]); !slices.Equal(got, c[1]) {
			t.Errorf("%v: got %v, want %v", c[0], got, c[1])
		}
	}
}
