package fuzz

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"dictsvc/conformance"
	"dictsvc/internal/peers"
)

// smokeSeed and smokeCount are the statements that every run of the tests compares; `make fuzz-sql` compares more.
const (
	smokeSeed  = 1
	smokeCount = 150
)

func TestSmoke(t *testing.T) {
	peers.Need(t, "node", "nodejs")
	t.Setenv("DICTSVC_CHDB", peers.Chdb(t))
	var out strings.Builder
	r, err := Run(context.Background(), Config{Seed: smokeSeed, N: smokeCount, Out: &out})
	if err != nil || r.Differences > 0 || r.Statements != smokeCount {
		t.Fatalf("%+v, %v\n%s", r, err, out.String())
	}
	if r.Errors > smokeCount/2 || r.Rows < 2*smokeCount {
		t.Errorf("%+v: most statements answer rows, otherwise little is compared", r)
	}
	t.Log(strings.TrimSpace(out.String()))
}

func TestStatementsOfASeed(t *testing.T) {
	make := func() string {
		g := &gen{r: rand.New(rand.NewPCG(7, 0)), scalars: scalarSignatures(), throwing: throwingSignatures(), aggregates: aggregateSignatures()}
		g.schema = newSchema(g.r)
		var b strings.Builder
		for range 50 {
			fmt.Fprintln(&b, g.statement().root)
		}
		return b.String()
	}
	if a, b := make(), make(); a != b {
		t.Errorf("one seed, two lists of statements:\n%s\n%s", a, b)
	}
}

func TestMinimise(t *testing.T) {
	e := expression(of('i'), "f($*)", expression(of('i'), "g($0)", expression(of('i'), "bad")), expression(of('s'), "'x'"))
	root := sequence(text("SELECT "), listOf(", ", 1, text("a"), e, text("b")), maybe(text(" WHERE c")))
	got := minimise(root, 1000, func(n *node) bool { return strings.Contains(n.String(), "bad") })
	if got.String() != "SELECT bad" {
		t.Errorf("got %q", got)
	}
	if want := "SELECT a, f(g(bad), 'x'), b WHERE c"; root.String() != want {
		t.Errorf("the statement itself became %q", root)
	}
}

func TestDifference(t *testing.T) {
	text := func(rows string) conformance.Answer {
		return conformance.Answer{Text: "a\tb\nFloat64\tString\n" + rows}
	}
	for _, c := range []struct {
		want, got conformance.Answer
		ordered   bool
		same      bool
	}{
		{text("1\tx\n2\ty\n"), text("1.0000000000001\tx\n2\ty\n"), true, true},
		{text("1\tx\n2\ty\n"), text("2\ty\n1\tx\n"), false, true},
		{text("1\tx\n2\ty\n"), text("2\ty\n1\tx\n"), true, false},
		{text("1\tx\n"), text("1.01\tx\n"), false, false},
		{text("1\t1\n"), text("1\t1.0000000000001\n"), false, false},
		{text("1\tx\n1\tx\n"), text("1\tx\n"), false, false},
		{conformance.Answer{Code: 43}, conformance.Answer{Code: 44}, false, false},
		{conformance.Answer{Code: 43, Error: "a"}, conformance.Answer{Code: 43, Error: "b"}, false, true},
	} {
		if what := difference(c.want, c.got, c.ordered); (what == "") != c.same {
			t.Errorf("%q and %q, ordered %t: %q", c.want, c.got, c.ordered, what)
		}
	}
}
