package server

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"dictsvc/errcode"
	"dictsvc/internal/peers"
	"dictsvc/wire"
)

// alive checks that the server answers as if nothing had been.
func alive(t *testing.T, addr, after string) {
	t.Helper()
	out, err := ask(t, addr, "SELECT dictGet('users', 'name', toUInt64(17)), (SELECT count() FROM users)")
	if err != nil || out != "user-17\t1000\n" {
		t.Fatalf("after %s: %q, %v", after, out, err)
	}
}

func TestLogins(t *testing.T) {
	s := startServer(t, func(c *Config) {
		c.Users = map[string]UserConfig{
			"default": {},
			"reader":  {Password: "secret", Settings: map[string]string{"readonly": "1", "max_result_rows": "10"}},
			"hashed":  {PasswordSHA: "2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b"}, // of "secret"
		}
	})
	addr := s.Addr().String()
	for _, c := range []struct {
		name, password, database string
		code                     int
	}{
		{"default", "", "", 0}, {"default", "x", "", 516}, {"reader", "secret", "", 0}, {"reader", "secret", "system", 0}, {"reader", "Secret", "", 516}, {"reader", "", "", 516},
		{"hashed", "secret", "", 0}, {"hashed", "secret2", "", 516}, {"nobody", "", "", 516}, {"reader", "secret", "missing", 81}, {"default", "", "missing", 81},
		{strings.Repeat("n", 60000), strings.Repeat("p", 60000), "", 516}, {"Reader", "secret", "", 516}, {"reader\x00", "secret", "", 516},
	} {
		conn, err := wire.Dial(context.Background(), addr, wire.ClientConfig{User: c.name, Password: c.password, Database: c.database})
		if err == nil {
			conn.Close()
		}
		if c.code == 0 && err != nil || c.code != 0 && (err == nil || int(errcode.Of(err)) != c.code) {
			t.Errorf("login %.20q, %.20q, %q: want code %d, got %v", c.name, c.password, c.database, c.code, err)
		}
	}
	for _, c := range []struct {
		sql  string
		code int
	}{{"SELECT 1", 0}, {"CREATE TABLE x (a UInt8) ENGINE = Memory", 164}, {"SET max_threads = 2", 164}, {"SELECT number FROM numbers(11)", 396}, {"SELECT 1 SETTINGS readonly = 0", 164},
		{"SELECT number FROM numbers(11) SETTINGS max_result_rows = 100", 164}} {
		if r := peers.OldClient(t, addr, c.sql, "--user", "reader", "--password", "secret"); r.Code != c.code&0xff || c.code != 0 && !strings.Contains(r.Err, fmt.Sprintf("Code: %d.", c.code)) {
			t.Errorf("a reader's %s: want code %d, got %+v", c.sql, c.code, r)
		}
	}
}

// Texts of queries that are too long, too deep or no text at all.
func TestHostileQueries(t *testing.T) {
	_, addr := usersServer(t)
	deep := func(open, closing string, n int) string {
		return "SELECT " + strings.Repeat(open, n) + "1" + strings.Repeat(closing, n)
	}
	random := make([]byte, 100_000)
	rng := rand.NewChaCha8([32]byte{1})
	rng.Read(random)
	for name, c := range map[string]struct {
		sql   string
		codes []int // any of them; 0 for none
	}{
		"10 MB string":          {"SELECT '" + strings.Repeat("x", 10<<20) + "'", []int{62}},
		"10 MB string, allowed": {"SELECT length('" + strings.Repeat("x", 10<<20) + "') SETTINGS max_query_size = 100000000", []int{62}}, // the limit of the text holds before SETTINGS are read
		"10 MB of INSERT":       {"INSERT INTO t VALUES (1, '" + strings.Repeat("x", 10<<20) + "')", []int{0}},
		"10 MB of spaces":       {"SELECT 1" + strings.Repeat(" ", 10<<20), []int{0, 62}},
		"brackets":              {deep("(", ")", 100_000), []int{167, 306, 62}},
		"arrays":                {deep("[", "]", 100_000), []int{167, 306, 62}},
		"functions":             {deep("abs(", ")", 50_000), []int{167, 306, 62}},
		"minus":                 {deep("-", "", 200_000), []int{167, 306, 62}},
		"not":                   {deep("NOT ", "", 60_000), []int{167, 306, 62}},
		"subqueries":            {deep("(SELECT ", ")", 20_000), []int{167, 306, 62, 162}},
		"case":                  {deep("CASE WHEN 1 THEN ", " END", 10_000), []int{167, 306, 62}},
		"open brackets":         {"SELECT " + strings.Repeat("(", 100_000), []int{62, 167, 306}},
		"sum of many":           {"SELECT 1" + strings.Repeat("+1", 100_000), []int{167, 306, 168, 62}},
		"type":                  {"SELECT CAST(1, '" + strings.Repeat("Array(", 50_000) + "UInt8" + strings.Repeat(")", 50_000) + "')", []int{167, 306, 62}},
		"random bytes":          {string(random), []int{62}},
		"zero bytes":            {strings.Repeat("\x00", 1000), []int{62}},
		"nothing":               {"", []int{62}},
		"comment":               {"/* " + strings.Repeat("/*", 1000), []int{62}},
		"huge array":            {"SELECT range(1000000000000)", []int{69, 128, 241, 36}},
		"huge string":           {"SELECT length(repeat('x', 1000000000000))", []int{131, 36, 241}},
		"pattern":               {"SELECT count() FROM users WHERE match(name, '" + strings.Repeat("(a*)*", 1000) + "')", []int{0, 427}},
		"memory":                {"SELECT groupArray(number) FROM numbers(100000000) SETTINGS max_memory_usage = 10000000", []int{241}},
	} {
		start := time.Now()
		_, err := ask(t, addr, c.sql)
		got, found := 0, false
		if err != nil {
			got = int(errcode.Of(err))
		}
		for _, want := range c.codes {
			found = found || got == want
		}
		if !found {
			t.Errorf("%s: want code %v, got %d: %.300v", name, c.codes, got, err)
		}
		if err != nil && len(err.Error()) > 2<<20 {
			t.Errorf("%s: an error of %d bytes", name, len(err.Error()))
		}
		if d := time.Since(start); d > 30*time.Second {
			t.Errorf("%s takes %v", name, d)
		}
	}
	alive(t, addr, "hostile queries")
}
