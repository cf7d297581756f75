package bench

import (
	"fmt"
	"strings"
)

// The columns of SQL's table. Each query's line is written as soon as it is known, so widths are fixed.
const sqlLine = "%-20s %7s  %22s  %22s  %7s %6s  %9s %9s  %s\n"

// heading writes what stands above the results.
func (b *sqlBench) heading() {
	r := b.report
	about := fmt.Sprintf("%s; %s rows; medians of %d runs (least-greatest); RSS is the growth of the process while a query first ran", r.Machine.text(), rowsText(b.Rows), b.Runs)
	if b.Markdown {
		fmt.Fprintf(b.w, "%s. %s.\n\n", strings.Join(r.Versions, ", "), about)
		fmt.Fprintf(b.w, "| row | | threads | dictsvc ms | ClickHouse ms | times as fast | wanted | dictsvc RSS, MiB | ClickHouse RSS, MiB |\n|---|---|---:|---:|---:|---:|---:|---:|---:|\n")
		return
	}
	fmt.Fprintf(b.w, "%s\n%s\n\n", strings.Join(r.Versions, ", "), about)
	fmt.Fprintf(b.w, sqlLine, "row", "threads", "dictsvc ms", "ClickHouse ms", "times", "wanted", "RSS MiB", "RSS MiB", "")
}

// done keeps a result and writes its line.
func (b *sqlBench) done(res *SQLResult) {
	b.report.Results = append(b.report.Results, *res)
	b.clearStatus()
	if res.Error != "" {
		b.fail(fmt.Sprintf("%s (%d threads)", res.Name, res.Threads), res.Error)
		return
	}
	cells := []any{milliseconds(res.Systems[0].Seconds), milliseconds(res.Systems[1].Seconds), times(res.Times), times(res.Want), mebibytes(res.Systems[0].Growth), mebibytes(res.Systems[1].Growth)}
	if b.Markdown {
		fmt.Fprintf(b.w, "| %s | %s | %d | %s | %s | %s | %s | %s | %s |\n", append([]any{res.Name, markdownCell(res.Title), res.Threads}, cells...)...)
		return
	}
	fmt.Fprintf(b.w, sqlLine, append(append([]any{res.Name, fmt.Sprint(res.Threads)}, cells...), res.Title)...)
}

// fail notes down what did not work.
func (b *sqlBench) fail(what, why string) {
	b.report.Failed = append(b.report.Failed, what)
	if b.Markdown {
		fmt.Fprintf(b.w, "| %s | failed: %s | | | | | | | |\n", what, markdownCell(why))
		return
	}
	fmt.Fprintf(b.w, "%s failed: %s\n", what, why)
}

// lz4Done writes the line of LZ4, or that it failed.
func (b *sqlBench) lz4Done(err error) {
	b.clearStatus()
	l := b.report.LZ4
	switch {
	case err != nil:
		b.fail(lz4Name, err.Error())
	case b.Markdown:
		fmt.Fprintf(b.w, "| %s | %s | 1 | %s | liblz4 %s: %s | %s | %s | | |\n", lz4Name, l.title(), milliseconds(l.Ours), l.Version, milliseconds(l.Theirs), times(l.Times), times(lz4Want))
	default:
		fmt.Fprintf(b.w, sqlLine, lz4Name, "1", milliseconds(l.Ours), milliseconds(l.Theirs), times(l.Times), times(lz4Want), "", "", l.title()+", liblz4 "+l.Version)
	}
}

// summary says which rows are slower than wanted, and what the tables take.
func (b *sqlBench) summary() {
	b.clearStatus()
	fmt.Fprintln(b.w)
	for _, d := range b.report.Data {
		var parts []string
		for _, s := range d.Systems {
			parts = append(parts, fmt.Sprintf("%s %s MiB, made in %s s", s.System, mebibytes(s.RSS), short(s.Seconds)))
		}
		fmt.Fprintf(b.w, "%s take: %s\n", d.Name, strings.Join(parts, "; "))
	}
	if slow := b.report.slow(); len(slow) > 0 {
		fmt.Fprintf(b.w, "%d slower than wanted: %s\n", len(slow), strings.Join(slow, ", "))
	}
}

// slow names the results below what is wanted of them.
func (r *SQLReport) slow() []string {
	var out []string
	for _, res := range r.Results {
		if res.Error == "" && res.Times < res.Want {
			out = append(out, fmt.Sprintf("%s %d (%s)", res.Name, res.Threads, times(res.Times)))
		}
	}
	if l := r.LZ4; l != nil && l.Times < lz4Want {
		out = append(out, fmt.Sprintf("%s (%s)", lz4Name, times(l.Times)))
	}
	return out
}

// milliseconds writes a spread of seconds.
func milliseconds(s *Spread) string {
	ms := *s
	ms.Median, ms.Min, ms.Max = 1e3*s.Median, 1e3*s.Min, 1e3*s.Max
	return ms.text()
}

func mebibytes(n int64) string { return fmt.Sprintf("%.0f", float64(n)/(1<<20)) }

// markdownCell keeps a text inside one cell of a table.
func markdownCell(text string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ").Replace(text)
}

// charts draws how fast each row is, a chart for each number of threads.
func (r *SQLReport) charts(dir string) error {
	charts, order := map[int]*barChart{}, []int{}
	for _, res := range r.Results {
		if res.Error != "" {
			continue
		}
		if charts[res.Threads] == nil {
			charts[res.Threads] = &barChart{title: fmt.Sprintf("Queries, max_threads = %d", res.Threads), x: "times as fast as ClickHouse 26.7", legend: map[bool]string{true: "at least as fast", false: "slower"}}
			order = append(order, res.Threads)
		}
		charts[res.Threads].bars = append(charts[res.Threads].bars, bar{res.Name, res.Times, res.Times >= 1})
	}
	for _, threads := range order {
		if err := charts[threads].write(dir, fmt.Sprintf("sql_%d", threads)); err != nil {
			return err
		}
	}
	return nil
}
