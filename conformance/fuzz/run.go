package fuzz

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"time"

	"dictsvc/conformance"
	"dictsvc/conformance/oracle"
	"dictsvc/query"
)

// Config is what a run is told.
type Config struct {
	Seed uint64
	N    int       // statements
	Only int       // when not 0, this statement alone
	Stop int       // differences after which the run ends; 0: never
	Out  io.Writer // where differences and the summary are printed
	Echo bool      // print every statement with the oracle's code
}

// Result counts what became of a run's statements.
type Result struct {
	Statements, Rows, Errors, Skipped, Differences int
	// OnPurpose counts differences that docs/differences.md lists (purposes).
	OnPurpose int
	// Others counts statements with two faults of which each side tells another.
	Others int
}

// batch is how many statements run over one schema.
const batch = 200

// slowest bounds the time of one statement on either side.
const slowest = 20 * time.Second

// pair is both sides with the same schema.
type pair struct {
	engine *query.Engine
	ours   conformance.Direct
	theirs *oracle.Oracle
	schema *schema
}

// Run compares both sides on a run's statements.
func Run(ctx context.Context, cfg Config) (Result, error) {
	var result Result
	engine, err := query.New(query.Config{})
	if err != nil {
		return result, err
	}
	defer engine.Close()
	session, err := engine.NewSession(query.User{}, "")
	if err != nil {
		return result, err
	}
	defer session.Close()
	p := &pair{engine: engine, ours: conformance.Direct{Session: session}}
	if p.theirs, err = oracle.Start(nil); err != nil {
		return result, err
	}
	defer func() { p.theirs.Close() }()
	scalars, throwing, aggregates := scalarSignatures(), throwingSignatures(), aggregateSignatures()
	for i := 1; i <= cfg.N; i++ {
		at := (i - 1) / batch
		if cfg.Only != 0 && i != cfg.Only {
			continue
		}
		if p.schema == nil || (i-1)%batch == 0 {
			if err := p.change(ctx, newSchema(rand.New(rand.NewPCG(cfg.Seed, uint64(at)<<32)))); err != nil {
				return result, err
			}
		}
		g := &gen{r: rand.New(rand.NewPCG(cfg.Seed, uint64(at)<<32|uint64(i))), schema: p.schema, scalars: scalars, throwing: throwing, aggregates: aggregates}
		s := g.statement()
		sql := s.root.String()
		result.Statements++
		want, got, err := p.ask(ctx, sql)
		if errors.Is(err, oracle.ErrDied) {
			result.Skipped++
			fmt.Fprintf(cfg.Out, "-- statement %d of seed %d: the oracle died of it; skipped\n%s\n\n", i, cfg.Seed, sql)
			if err := p.restart(ctx); err != nil {
				return result, err
			}
			continue
		}
		if err != nil {
			return result, fmt.Errorf("statement %d of seed %d: %w\n%s", i, cfg.Seed, err, sql)
		}
		if cfg.Echo {
			fmt.Fprintf(cfg.Out, "%d: code %d %s: %s\n", i, want.Code, firstWords(want.Error), sql)
		}
		if want.Code != 0 {
			result.Errors++
		}
		result.Rows += strings.Count(want.Text, "\n")
		what := difference(want, got, s.ordered)
		if what == "" {
			continue
		}
		if onPurpose(want, got) {
			result.OnPurpose++
			continue
		}
		if p.report(ctx, cfg, i, s, what) {
			result.Others++
			continue
		}
		result.Differences++
		if cfg.Stop != 0 && result.Differences >= cfg.Stop {
			break
		}
	}
	fmt.Fprintf(cfg.Out, "seed %d: %d statements, %d rows, %d errors on both sides, %d of two errors, %d on purpose, %d skipped, %d differences\n", cfg.Seed, result.Statements, result.Rows, result.Errors,
		result.Others, result.OnPurpose, result.Skipped, result.Differences)
	return result, nil
}

// change drops one schema and makes another.
func (p *pair) change(ctx context.Context, s *schema) error {
	if p.schema != nil {
		if err := p.both(ctx, p.schema.teardown()); err != nil {
			return err
		}
	}
	p.schema = s
	return p.both(ctx, s.setup())
}

// both runs statements that must succeed on both sides.
func (p *pair) both(ctx context.Context, statements []string) error {
	for _, sql := range statements {
		want, got, err := p.ask(ctx, sql)
		if err != nil {
			return err
		}
		if want.Code != 0 || got.Code != 0 {
			return fmt.Errorf("schema: code %d from ClickHouse (%s), %d from dictsvc (%s): %s", want.Code, want.Error, got.Code, got.Error, sql)
		}
	}
	return nil
}

// restart starts a new oracle in the place of one that died.
func (p *pair) restart(ctx context.Context) error {
	p.theirs.Close()
	var err error
	if p.theirs, err = oracle.Start(nil); err != nil {
		return err
	}
	for _, sql := range p.schema.setup() {
		if _, err := p.theirs.Ask(ctx, sql, slowest); err != nil {
			return err
		}
	}
	return nil
}

// ask runs one statement on both sides.
func (p *pair) ask(ctx context.Context, sql string) (want, got conformance.Answer, err error) {
	a, err := p.theirs.Ask(ctx, sql, slowest)
	if err != nil {
		return want, got, err
	}
	want = conformance.Answer{Text: a.Text, Code: a.Code, Error: a.Error}
	ctx, cancel := context.WithTimeout(ctx, slowest)
	defer cancel()
	got, err = p.ours.Run(ctx, sql)
	return want, got, err
}

// report makes a statement smaller and prints it with both answers and what is needed to see them again. It tells whether the statement had two faults,
// and prints nothing then: both sides fail, and either fault, when it is the only one left, is told by both.
func (p *pair) report(ctx context.Context, cfg Config, i int, s statement, what string) bool {
	agreed := map[int]bool{} // codes
	small := minimise(s.root, 400, func(n *node) bool {
		want, got, err := p.ask(ctx, n.String())
		if errors.Is(err, oracle.ErrDied) {
			p.restart(ctx) // an engine that does not start again is met by the next statement
			return false
		}
		if err == nil && want.Code == got.Code {
			agreed[want.Code] = true
		}
		return err == nil && difference(want, got, s.ordered && strings.Contains(n.String(), "ORDER BY")) == what
	})
	want, got, err := p.ask(ctx, small.String())
	if err != nil {
		fmt.Fprintf(cfg.Out, "-- statement %d of seed %d: %v\n", i, cfg.Seed, err)
		return false
	}
	if want.Code != 0 && got.Code != 0 && agreed[want.Code] && agreed[got.Code] {
		return true
	}
	fmt.Fprintf(cfg.Out, "-- statement %d of seed %d differs: %s\n", i, cfg.Seed, what)
	for _, sql := range p.schema.mentioned(small.String()) {
		fmt.Fprintf(cfg.Out, "%s;\n", sql)
	}
	fmt.Fprintf(cfg.Out, "-- generated: %s\n%s;\n", s.root, small)
	fmt.Fprintf(cfg.Out, "-- ClickHouse: %s-- dictsvc:    %s\n", shown(want), shown(got))
	return false
}

func shown(a conformance.Answer) string {
	if a.Code != 0 {
		return fmt.Sprintf("code %d: %s\n", a.Code, firstWords(a.Error))
	}
	t := a.Text
	if len(t) > 1500 {
		t = t[:1500] + "...\n"
	}
	return "\n" + t
}

func firstWords(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	if len(s) > 300 {
		s = s[:300] + "..."
	}
	return s
}
