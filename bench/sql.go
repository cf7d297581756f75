package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// SQLOptions say what SQL compares.
type SQLOptions struct {
	Output
	Rows     int      // of the largest tables; the others have a share of it
	Names    []string // of SQLNames
	Runs     int
	Threads  []int
	Chdb     string // folder that holds node_modules/chdb
	Program  string // dictsvc's executable; "" is this process's
	Markdown bool   // the results are a table of Markdown
}

// SQLReport is the result of SQL.
type SQLReport struct {
	Kind     string      `json:"kind"` // "sql"
	Command  string      `json:"command"`
	Started  time.Time   `json:"started"`
	Machine  Machine     `json:"machine"`
	Versions []string    `json:"versions"`
	Rows     int         `json:"rows"`
	Runs     int         `json:"runs"`
	Data     []SQLData   `json:"data"`
	Results  []SQLResult `json:"results"`
	LZ4      *LZ4Result  `json:"lz4,omitempty"`
	Failed   []string    `json:"failed,omitempty"`
	Skipped  []string    `json:"skipped,omitempty"`
}

// SQLData is what a set of tables takes in both processes.
type SQLData struct {
	Name      string         `json:"name"`
	Statement []string       `json:"statements"`
	Systems   []SQLDataUsage `json:"systems"`
}

// SQLDataUsage is the growth of a process by a set of tables, and the time to make them.
type SQLDataUsage struct {
	System  string  `json:"system"`
	RSS     int64   `json:"rss"`
	Seconds float64 `json:"seconds"`
}

// SQLResult is one query at one number of threads.
type SQLResult struct {
	Name    string     `json:"name"`
	Title   string     `json:"title"`
	Threads int        `json:"threads"`
	SQL     string     `json:"sql"`
	Answer  string     `json:"answer"`
	Systems []SQLSpeed `json:"systems"`         // dictsvc, ClickHouse
	Times   float64    `json:"times_as_fast"`   // ClickHouse's median by dictsvc's
	Want    float64    `json:"want_at_least"`   // of Times
	Error   string     `json:"error,omitempty"` // what went wrong; the figures are absent then
}

// SQLSpeed is how one system did.
type SQLSpeed struct {
	System  string  `json:"system"`
	Seconds *Spread `json:"seconds"`
	Growth  int64   `json:"rss_growth"` // of the process at its peak in the first run; 0 where the system does not tell
}

// SQL compares queries on dictsvc and ClickHouse 26.7 and writes a line for each to w. A query that fails, and answers that differ, are
// errors once all rows have run.
func SQL(ctx context.Context, o SQLOptions, w io.Writer) (*SQLReport, error) {
	if _, _, err := findChdb(o.Chdb); err != nil {
		return nil, err
	}
	if err := o.check(); err != nil {
		return nil, err
	}
	if o.Program == "" {
		program, err := os.Executable()
		if err != nil {
			return nil, err
		}
		o.Program = program
	}
	b := &sqlBench{SQLOptions: o, w: w, report: &SQLReport{Kind: "sql", Command: o.Command, Started: time.Now().UTC(), Machine: thisMachine(), Rows: o.Rows, Runs: o.Runs}}
	if err := b.versions(ctx); err != nil {
		return nil, err
	}
	b.heading()
	for _, d := range sqlDataSets() {
		if err := b.data(ctx, &d); err != nil {
			return b.report, err
		}
		if err := o.save(b.report); err != nil {
			return b.report, err
		}
	}
	b.summary()
	if err := o.save(b.report); err != nil {
		return b.report, err
	}
	if o.Charts != "" {
		if err := b.report.charts(o.Charts); err != nil {
			return b.report, err
		}
	}
	if len(b.report.Failed) > 0 {
		return b.report, fmt.Errorf("%d rows failed: %s", len(b.report.Failed), strings.Join(b.report.Failed, ", "))
	}
	return b.report, nil
}

// sqlBench is a run of SQL.
type sqlBench struct {
	SQLOptions
	w      io.Writer
	report *SQLReport
}

// sqlSide is one of the two systems with the tables of one data set.
type sqlSide struct {
	server
	system string
}

func (b *sqlBench) start(ctx context.Context) ([]sqlSide, error) {
	ours, err := startOurs(ctx, b.Program)
	if err != nil {
		return nil, err
	}
	theirs, err := startTheirs(b.Chdb)
	if err != nil {
		ours.close()
		return nil, err
	}
	return []sqlSide{{ours, dictsvc}, {theirs, clickHouse}}, nil
}

func (b *sqlBench) versions(ctx context.Context) error {
	sides, err := b.start(ctx)
	if err != nil {
		return err
	}
	defer closeSides(sides)
	for _, s := range sides {
		version, _, err := s.run(ctx, "SELECT version()")
		if err != nil {
			return fmt.Errorf("ask %s for its version: %w", s.system, err)
		}
		if s.system == dictsvc {
			version = "(follows ClickHouse " + version + ")"
		}
		b.report.Versions = append(b.report.Versions, s.system+" "+version)
	}
	return nil
}

func closeSides(sides []sqlSide) {
	for _, s := range sides {
		s.close()
	}
}

// data makes the tables of a data set in two new processes and runs its queries. Only a cancelled context is an error: what fails is
// noted down and the next one runs.
func (b *sqlBench) data(ctx context.Context, d *sqlData) error {
	rows := slices.DeleteFunc(slices.Clone(d.rows), func(r sqlRow) bool { return !slices.Contains(b.Names, r.name) })
	wantLZ4 := d.name == lineitem && slices.Contains(b.Names, lz4Name)
	if len(rows) == 0 && !wantLZ4 || !b.fits(d) {
		return nil
	}
	sides, err := b.start(ctx)
	if err != nil {
		return err
	}
	defer func() { closeSides(sides) }()
	made := b.make(ctx, d, sides)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	for _, r := range rows {
		for _, threads := range b.Threads {
			res := b.result(&r, threads)
			if made != nil {
				res.Error = made.Error()
			} else if err := b.row(ctx, sides, &r, res); err != nil {
				if ctx.Err() != nil {
					return ctx.Err()
				}
				res.Error = err.Error()
				if sides, err = b.revive(ctx, d, sides); err != nil {
					made = err
				}
			}
			b.done(res)
		}
	}
	if wantLZ4 {
		err := made
		if err == nil {
			err = b.lz4(ctx, sides[0].server)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		b.lz4Done(err)
	}
	return ctx.Err()
}

// fits tells whether the memory is there, and says so where it is not.
func (b *sqlBench) fits(d *sqlData) bool {
	need, have := d.perRow*int64(b.Rows), available()
	if have == 0 || need < have {
		return true
	}
	skip := fmt.Sprintf("the rows of %s are left out: they need about %.1f GiB and %.1f GiB are available", d.name, gib(need), gib(have))
	b.report.Skipped = append(b.report.Skipped, skip)
	b.clearStatus()
	fmt.Fprintf(b.w, "%s\n", skip)
	return false
}

// make makes the tables on both systems and keeps what they take.
func (b *sqlBench) make(ctx context.Context, d *sqlData, sides []sqlSide) error {
	if len(d.create) == 0 {
		return nil
	}
	res := SQLData{Name: d.name}
	for _, sql := range d.create {
		res.Statement = append(res.Statement, b.fill(sql, 1))
	}
	for _, s := range sides {
		b.status("%s: make the tables, %s", d.name, s.system)
		before, seconds := resident(s.pid()), 0.0
		for _, sql := range res.Statement {
			_, took, err := s.run(ctx, sql)
			if err != nil {
				return fmt.Errorf("%s: %s: %w", s.system, sql, err)
			}
			seconds += took
		}
		res.Systems = append(res.Systems, SQLDataUsage{s.system, settled(ctx, s.pid(), b.Rows) - before, seconds})
	}
	b.report.Data = append(b.report.Data, res)
	return ctx.Err()
}

// revive starts both systems anew, with their tables, where one has ended.
func (b *sqlBench) revive(ctx context.Context, d *sqlData, sides []sqlSide) ([]sqlSide, error) {
	alive := true
	for _, s := range sides {
		_, _, err := s.run(ctx, "SELECT 1")
		alive = alive && err == nil
	}
	if alive {
		return sides, nil
	}
	closeSides(sides)
	sides, err := b.start(ctx)
	if err != nil {
		return nil, err
	}
	for _, s := range sides {
		for _, sql := range d.create {
			if _, _, err := s.run(ctx, b.fill(sql, 1)); err != nil {
				return sides, fmt.Errorf("%s: %s: %w", s.system, sql, err)
			}
		}
	}
	return sides, nil
}

func (b *sqlBench) result(r *sqlRow, threads int) *SQLResult {
	sql := b.fill(r.sql, threads)
	if strings.Contains(sql, " SETTINGS ") {
		sql += ", "
	} else {
		sql += " SETTINGS "
	}
	return &SQLResult{Name: r.name, Title: b.title(r.title), Threads: threads, SQL: sql + fmt.Sprintf("max_threads = %d", threads), Want: r.want}
}

// row runs a query on both systems in turns: once to warm up and to compare, then as often as asked for.
func (b *sqlBench) row(ctx context.Context, sides []sqlSide, r *sqlRow, res *SQLResult) error {
	seconds := make([][]float64, len(sides))
	growth := make([]int64, len(sides))
	for run := range b.Runs + 1 {
		for i, s := range sides {
			b.status("%s, %d threads: run %d of %d, %s", r.name, res.Threads, run, b.Runs, s.system)
			before, peaks := resident(s.pid()), run == 0 && resetPeak(s.pid())
			answer, took, err := s.run(ctx, res.SQL)
			if err != nil {
				return fmt.Errorf("%s: %w", s.system, err)
			}
			if peaks {
				growth[i] = max(0, residentPeak(s.pid())-before)
			}
			if run == 0 && i == 0 {
				res.Answer = answer
			} else if err := sameAnswer(res.Answer, answer, r.tolerance); err != nil {
				return fmt.Errorf("the answers differ: %w\n  %s: %s\n  %s: %s", err, sides[0].system, brief(res.Answer), s.system, brief(answer))
			}
			if run > 0 {
				seconds[i] = append(seconds[i], took)
			}
		}
	}
	for i, s := range sides {
		res.Systems = append(res.Systems, SQLSpeed{s.system, spreadOf(seconds[i]), growth[i]})
	}
	res.Times = quotient(res.Systems[1].Seconds.median(), res.Systems[0].Seconds.median())
	return nil
}

// sameAnswer compares two answers as TabSeparated. Cells that are not the same text must be numbers within the tolerance of each other.
func sameAnswer(want, got string, tolerance float64) error {
	if want == got {
		return nil
	}
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	if len(a) != len(b) {
		return fmt.Errorf("%d rows and %d", len(a), len(b))
	}
	for i := range a {
		x, y := strings.Split(a[i], "\t"), strings.Split(b[i], "\t")
		if len(x) != len(y) {
			return fmt.Errorf("row %d has %d columns and %d", i+1, len(x), len(y))
		}
		for k := range x {
			if x[k] == y[k] {
				continue
			}
			f, err1 := strconv.ParseFloat(x[k], 64)
			g, err2 := strconv.ParseFloat(y[k], 64)
			if err := errors.Join(err1, err2); err != nil || !(math.Abs(f-g) <= tolerance*max(math.Abs(f), math.Abs(g))) {
				return fmt.Errorf("row %d, column %d: %s and %s", i+1, k+1, x[k], y[k])
			}
		}
	}
	return nil
}

// brief is the head of a long answer.
func brief(answer string) string {
	if len(answer) > 200 {
		return answer[:200] + "..."
	}
	return answer
}

var placeholder = regexp.MustCompile(`\{n(?:([*/])(\d+))?\}`)

// fill puts the number of rows and the function of numbers into a statement. ClickHouse gives out numbers() in one thread whatever max_threads
// says, so more threads take numbers_mt().
func (b *sqlBench) fill(sql string, threads int) string {
	function := "numbers"
	if threads > 1 {
		function = "numbers_mt"
	}
	return b.numbers(strings.ReplaceAll(sql, "{numbers}", function), strconv.Itoa)
}

// title is fill for people.
func (b *sqlBench) title(text string) string { return b.numbers(text, rowsText) }

func (b *sqlBench) numbers(text string, write func(int) string) string {
	return placeholder.ReplaceAllStringFunc(text, func(found string) string {
		parts := placeholder.FindStringSubmatch(found)
		n := b.Rows
		switch by, _ := strconv.Atoi(parts[2]); parts[1] {
		case "*":
			n *= by
		case "/":
			n = max(1, n/by)
		}
		return write(n)
	})
}
