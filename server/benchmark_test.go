package server

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"dictsvc/internal/peers"
)

// clickhouse-benchmark over one connection and over eight: all its queries are answered. Its speed is printed and not judged.
func TestBenchmarkProgram(t *testing.T) {
	_, addr := usersServer(t)
	statements := strings.Join([]string{"SELECT dictGet('users', 'name', toUInt64(17))", "SELECT name, city FROM users WHERE id = 205",
		"SELECT sum(dictGet('users', 'age', number % 1000)) FROM numbers(10000)", "SELECT city, count() FROM users GROUP BY city"}, "\n") + "\n"
	qps := regexp.MustCompile(`QPS: ([\d.]+)`)
	for _, connections := range []int{1, 8} {
		const n = 400
		r := peers.Benchmark(t, addr, statements, connections, n)
		out := r.Out + r.Err
		found := qps.FindStringSubmatch(out)
		if r.Code != 0 || found == nil || !strings.Contains(out, fmt.Sprintf("Queries executed: %d", n)) || strings.Contains(out, "Exception") {
			t.Fatalf("%d connections: %+v", connections, r)
		}
		t.Logf("%d connections: %s queries a second", connections, found[1])
	}
}
