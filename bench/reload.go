package bench

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// reloadPerRow is what the largest of the reloading processes takes at its peak, in bytes a row: two versions of ClickHouse's HASHED.
const reloadPerRow = 120

// reloadSource gives the rows of generation g, the greatest number in table generations. From one to the next, one row of 200 gets another
// value and one of 200 another key: one per cent.
const reloadSource = "SELECT cityHash64(if(number % 200 = 1, number + {rows} * g, number)) AS k, toUInt16(if(number % 200 = 0, number + g, number)) AS v " +
	"FROM (SELECT number, (SELECT max(x) FROM generations) AS g FROM numbers({rows}))"

// afterwards is how long a process has to give the old version back; small ones, which tell nothing, are not waited for.
func afterwards(rows int) time.Duration {
	if rows < largeFrom {
		return 50 * time.Millisecond
	}
	return time.Second
}

// ReloadResult is what reloading one dictionary takes. Memory is the growth of the process over its size without the dictionary.
type ReloadResult struct {
	System    string       `json:"system"`
	Layout    string       `json:"layout"`
	Rows      int          `json:"rows"`
	Bytes     int64        `json:"bytes_allocated"`
	RSS       int64        `json:"rss"` // with one version
	Load      float64      `json:"load_seconds"`
	Unchanged ReloadFigure `json:"unchanged"`
	Changed   ReloadFigure `json:"one_percent_changed"`
}

// ReloadFigure is what reloads of one kind take.
type ReloadFigure struct {
	Seconds *Spread  `json:"seconds"`
	Peak    *Spread  `json:"peak_rss,omitempty"`       // absent where the system does not tell
	PeakOf  float64  `json:"peak_of_one_version"`      // median peak as a share of ReloadResult.RSS
	After   *Spread  `json:"rss_after"`                // a second later
	AfterOf float64  `json:"rss_after_of_one_version"` // as a share
	answers []string // to the check after each
}

// reloads measures dictionaries one after the other: nothing is looked up in turns, so only one process is there at a time.
func (o *ClickHouseOptions) reloads(ctx context.Context) ([]ReloadResult, error) {
	var out []ReloadResult
	for _, side := range []struct {
		system  string
		layouts []string
	}{{dictsvc, []string{packed95, hashed}}, {clickHouse, []string{sparse99, hashed}}} {
		for _, layout := range side.layouts {
			res, err := o.reload(ctx, side.system, layout)
			if err != nil {
				return nil, err
			}
			out = append(out, *res)
		}
	}
	for i := range out {
		for k, want := range out[0].Changed.answers {
			if got := out[i].Changed.answers[k]; got != want {
				return nil, fmt.Errorf("the answers after reload %d differ:\n  %s %s: %s\n  %s %s: %s", k+1, out[0].System, out[0].Layout, want, out[i].System, out[i].Layout, got)
			}
		}
	}
	return out, nil
}

func (o *ClickHouseOptions) reload(ctx context.Context, system, layout string) (*ReloadResult, error) {
	n := o.Rows
	create := func(rows int) string {
		return createDictionary("UInt64", "v UInt16", strings.ReplaceAll(reloadSource, "{rows}", fmt.Sprint(rows)), layout)
	}
	o.status("%s, %s rows: load %s %s", reloadName, rowsText(n), system, layout)
	c, err := o.contestant(ctx, system, layout, createDictionary("UInt64", "v UInt16", "SELECT number AS k, toUInt16(number) AS v FROM numbers(1000)", layout))
	if err != nil {
		return nil, err
	}
	defer c.close()
	c.need = int64(n) * reloadPerRow
	for _, sql := range []string{"CREATE TABLE generations (x UInt64) ENGINE = Memory", "INSERT INTO generations SELECT 0"} {
		if _, err := c.run(ctx, sql); err != nil {
			return nil, err
		}
	}
	if err := c.load(ctx, create(n), n); err != nil {
		return nil, err
	}
	res := &ReloadResult{System: system, Layout: layout, Rows: n, Bytes: c.bytes, RSS: c.rss, Load: c.loads[0]}
	runs := o.Runs
	if n >= loadOnceFrom {
		runs = 1
	}
	var unchanged, changed reloadRuns
	for run := range runs {
		o.status("%s, %s rows: run %d of %d, %s %s", reloadName, rowsText(n), run+1, runs, system, layout)
		if err := unchanged.add(ctx, c, n); err != nil {
			return nil, err
		}
		if _, err := c.run(ctx, fmt.Sprintf("INSERT INTO generations SELECT %d", run+1)); err != nil {
			return nil, err
		}
		if err := changed.add(ctx, c, n); err != nil {
			return nil, err
		}
	}
	res.Unchanged, res.Changed = unchanged.figure(c.rss), changed.figure(c.rss)
	return res, nil
}

// reloadRuns collects reloads of one kind.
type reloadRuns struct {
	seconds, peak, after []float64
	answers              []string
}

// add reloads and reads the memory, then checks what the dictionary answers.
func (r *reloadRuns) add(ctx context.Context, c *contestant, n int) error {
	peaks := resetPeak(c.pid())
	seconds, err := c.run(ctx, "SYSTEM RELOAD DICTIONARY d")
	if err != nil {
		return err
	}
	if peaks {
		r.peak = append(r.peak, float64(residentPeak(c.pid())-c.rssEmpty))
	}
	time.Sleep(afterwards(n))
	r.seconds = append(r.seconds, seconds)
	r.after = append(r.after, float64(resident(c.pid())-c.rssEmpty))
	if err := c.figures(ctx, n); err != nil {
		return err
	}
	answer, _, err := c.ask(ctx, fmt.Sprintf("SELECT sum(dictGet('d', 'v', cityHash64(number))), sum(dictHas('d', cityHash64(number))) FROM numbers_mt(%d)", 2*n))
	r.answers = append(r.answers, answer)
	return err
}

func (r *reloadRuns) figure(one int64) ReloadFigure {
	f := ReloadFigure{Seconds: spreadOf(r.seconds), Peak: spreadOf(r.peak), After: spreadOf(r.after), answers: r.answers}
	f.PeakOf, f.AfterOf = quotient(f.Peak.median(), float64(one)), quotient(f.After.median(), float64(one))
	return f
}

func reloadsText(all []ReloadResult) string {
	rows := [][]string{{"system", "layout", "bytes/row", "RSS/row", "load s", "same: s", "peak", "after", "1 % changed: s", "peak", "after"}}
	for _, r := range all {
		perRow := func(bytes int64) string { return short(float64(bytes) / float64(r.Rows)) }
		rows = append(rows, []string{r.System, layoutText(r.Layout), perRow(r.Bytes), perRow(r.RSS), short(r.Load),
			r.Unchanged.Seconds.text(), times(r.Unchanged.PeakOf), times(r.Unchanged.AfterOf), r.Changed.Seconds.text(), times(r.Changed.PeakOf), times(r.Changed.AfterOf)})
	}
	return fmt.Sprintf("\n%s: %s rows UInt64 -> UInt16, SYSTEM RELOAD DICTIONARY; memory of the process at its peak and a second after, by that of one version\n",
		reloadName, rowsText(all[0].Rows)) + align(rows, 2)
}
