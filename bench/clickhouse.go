package bench

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"
)

// ClickHouseOptions say what ClickHouse compares.
type ClickHouseOptions struct {
	Output
	Rows        int      // of u16 and reload; the others have a tenth
	Scenarios   []string // of ScenarioNames
	Runs        int
	Threads     []int
	Chdb        string // folder that holds node_modules/chdb
	Program     string // dictsvc's executable; "" is this process's
	BillionRows int    // rows of the large table that dictsvc alone is asked for; 0 leaves it out
}

// loadOnceFrom is the number of rows from which a dictionary is loaded once only, however many runs are asked for.
const loadOnceFrom = 1e8

// ClickHouseReport is the result of ClickHouse.
type ClickHouseReport struct {
	Kind      string           `json:"kind"` // "clickhouse"
	Command   string           `json:"command"`
	Started   time.Time        `json:"started"`
	Machine   Machine          `json:"machine"`
	Versions  []string         `json:"versions"`
	Rows      int              `json:"rows"`
	Runs      int              `json:"runs"`
	Scenarios []ScenarioResult `json:"scenarios,omitempty"`
	Reloads   []ReloadResult   `json:"reloads,omitempty"`
	Billion   *BillionResult   `json:"billion,omitempty"`
	Skipped   []string         `json:"skipped,omitempty"`
}

// ScenarioResult is one scenario's dictionaries, and each of dictsvc's beside each of ClickHouse's.
type ScenarioResult struct {
	Name         string             `json:"name"`
	Title        string             `json:"title"`
	Rows         int                `json:"rows"`
	Dictionaries []DictionaryResult `json:"dictionaries"`
	Ratios       []Ratio            `json:"ratios"`
}

// DictionaryResult is what one dictionary takes and gives.
type DictionaryResult struct {
	System        string         `json:"system"`
	Layout        string         `json:"layout"`
	Elements      int64          `json:"element_count"`
	Bytes         int64          `json:"bytes_allocated"`
	LoadFactor    float64        `json:"load_factor"`
	BytesPerRow   float64        `json:"bytes_per_row"`
	RSS           int64          `json:"rss"` // growth of the process by the first load
	RSSPerRow     float64        `json:"rss_per_row"`
	PeakRSS       int64          `json:"peak_rss,omitempty"` // the same, at its largest while loading; absent where the system does not tell
	PeakRSSPerRow float64        `json:"peak_rss_per_row,omitempty"`
	LoadSeconds   *Spread        `json:"load_seconds"`
	Lookups       []LookupResult `json:"lookups"`
	Roof          *Spread        `json:"roof,omitempty"`         // million random cache lines a second of a region as large as bytes_allocated, one thread; of dictsvc's
	HitsOfRoof    *Spread        `json:"hits_of_roof,omitempty"` // at one thread, against the roof measured right beside
}

// LookupResult is the rate of one kind of lookup, in million rows a second.
type LookupResult struct {
	Name    string  `json:"name"`
	Threads int     `json:"threads"`
	SQL     string  `json:"sql"`
	Answer  string  `json:"answer"`
	Rate    *Spread `json:"million_rows_per_second"`
}

// Ratio sets a dictionary of dictsvc beside one of ClickHouse: sizes as shares of ClickHouse's, rates as multiples of them.
type Ratio struct {
	Ours    string             `json:"dictsvc_layout"`
	Theirs  string             `json:"clickhouse_layout"`
	Bytes   float64            `json:"bytes"`
	RSS     float64            `json:"rss"`
	Load    float64            `json:"load_times_as_fast"`
	Lookups map[string]float64 `json:"lookups_times_as_fast"` // by name and threads: "hits 1"
}

// ClickHouse compares dictsvc with ClickHouse 26.7 and writes a table a scenario to w. Answers that differ are an error.
func ClickHouse(ctx context.Context, o ClickHouseOptions, w io.Writer) (*ClickHouseReport, error) {
	if _, _, err := findChdb(o.Chdb); err != nil && len(o.Scenarios) > 0 {
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
	r := &ClickHouseReport{Kind: "clickhouse", Command: o.Command, Started: time.Now().UTC(), Machine: thisMachine(), Rows: o.Rows, Runs: o.Runs}
	versions, err := o.versions(ctx)
	if err != nil {
		return nil, err
	}
	r.Versions = versions
	fmt.Fprintf(w, "%s\n%s; medians of %d runs (least-greatest)\n", strings.Join(versions, ", "), r.Machine.text(), o.Runs)
	for _, s := range scenarios() {
		if !slices.Contains(o.Scenarios, s.name) || !o.fits(r, w, s.name, s.perRow*int64(max(1, o.Rows/s.divide))) {
			continue
		}
		res, err := o.scenario(ctx, &s)
		if err != nil {
			return r, fmt.Errorf("scenario %s: %w", s.name, err)
		}
		r.Scenarios = append(r.Scenarios, *res)
		o.clearStatus()
		fmt.Fprint(w, res.text())
		if err := o.save(r); err != nil {
			return r, err
		}
	}
	if slices.Contains(o.Scenarios, reloadName) && o.fits(r, w, reloadName, reloadPerRow*int64(o.Rows)) {
		if r.Reloads, err = o.reloads(ctx); err != nil {
			return r, fmt.Errorf("scenario %s: %w", reloadName, err)
		}
		o.clearStatus()
		fmt.Fprint(w, reloadsText(r.Reloads))
		if err := o.save(r); err != nil {
			return r, err
		}
	}
	if o.BillionRows > 0 && o.fits(r, w, billionName, billionPerRow*int64(o.BillionRows)) {
		if r.Billion, err = o.billion(ctx); err != nil {
			return r, fmt.Errorf("scenario %s: %w", billionName, err)
		}
		o.clearStatus()
		fmt.Fprint(w, r.Billion.text())
	}
	if err := o.save(r); err != nil {
		return r, err
	}
	if o.Charts == "" {
		return r, nil
	}
	return r, r.charts(o.Charts)
}

// fits tells whether the memory is there, and says so where it is not.
func (o *ClickHouseOptions) fits(r *ClickHouseReport, w io.Writer, name string, need int64) bool {
	have := available()
	if have == 0 || need < have {
		return true
	}
	skip := fmt.Sprintf("scenario %s is skipped: it needs about %.1f GiB and %.1f GiB are available", name, gib(need), gib(have))
	r.Skipped = append(r.Skipped, skip)
	o.clearStatus()
	fmt.Fprintf(w, "\n%s\n", skip)
	return false
}

// versions asks the systems what they are.
func (o *ClickHouseOptions) versions(ctx context.Context) ([]string, error) {
	var out []string
	for _, system := range []string{dictsvc, clickHouse} {
		if system == clickHouse && len(o.Scenarios) == 0 {
			continue
		}
		s, err := o.startServer(ctx, system)
		if err != nil {
			return nil, err
		}
		version, _, err := s.run(ctx, "SELECT version()")
		s.close()
		if err != nil {
			return nil, fmt.Errorf("ask %s for its version: %w", system, err)
		}
		if system == dictsvc {
			version = "(follows ClickHouse " + version + ")"
		}
		out = append(out, system+" "+version)
	}
	return out, nil
}

func (o *ClickHouseOptions) startServer(ctx context.Context, system string) (server, error) {
	if system == dictsvc {
		return startOurs(ctx, o.Program)
	}
	return startTheirs(o.Chdb)
}

// scenario measures all dictionaries of a scenario, in turns.
func (o *ClickHouseOptions) scenario(ctx context.Context, s *scenario) (*ScenarioResult, error) {
	n := max(1, o.Rows/s.divide)
	res := &ScenarioResult{Name: s.name, Title: s.title, Rows: n}
	var all []*contestant
	defer func() {
		for _, c := range all {
			c.close()
		}
	}()
	for _, side := range []struct {
		system  string
		layouts []string
	}{{dictsvc, s.ours}, {clickHouse, s.theirs}} {
		for _, layout := range side.layouts {
			o.status("%s: start %s, %s", s.name, side.system, layout)
			c, err := o.contestant(ctx, side.system, layout, s.create(layout, 1000))
			if err != nil {
				return nil, err
			}
			c.need = int64(n) * s.perRow / 2
			all = append(all, c)
		}
	}
	loads := o.Runs
	if n >= loadOnceFrom {
		loads = 1
	}
	for run := range loads {
		for _, c := range all {
			o.status("%s, %s rows: load %d of %d, %s %s", s.name, rowsText(n), run+1, loads, c.system, c.layout)
			if run > 0 {
				if _, err := c.run(ctx, "DROP DICTIONARY d"); err != nil {
					return nil, err
				}
			}
			if err := c.load(ctx, s.create(c.layout, n), n); err != nil {
				return nil, err
			}
		}
	}
	if err := o.lookups(ctx, s, n, all); err != nil {
		return nil, err
	}
	for _, c := range all {
		if _, err := c.run(ctx, "DROP DICTIONARY d"); err != nil {
			return nil, err
		}
		res.Dictionaries = append(res.Dictionaries, c.result(n))
	}
	res.Ratios = ratios(res.Dictionaries)
	return res, nil
}

// lookups measures the queries of a scenario on all dictionaries in turns, with the roof beside dictsvc's hits.
func (o *ClickHouseOptions) lookups(ctx context.Context, s *scenario, n int, all []*contestant) error {
	for _, c := range all {
		if c.system == dictsvc {
			roof, err := newRoof(c.bytes)
			if err != nil {
				return fmt.Errorf("measure the roof: %w", err)
			}
			defer roof.free()
			c.roof = roof
		}
	}
	for run := range o.Runs {
		for _, threads := range o.Threads {
			for i := range s.lookups {
				l := &s.lookups[i]
				for _, c := range all {
					o.status("%s, %s rows: run %d of %d, %s, %d threads, %s %s", s.name, rowsText(n), run+1, o.Runs, l.name, threads, c.system, c.layout)
					if err := c.lookup(ctx, l, n, threads, i == 0 && threads == 1); err != nil {
						return err
					}
					if want, got := all[0].answers[l.name], c.answers[l.name]; want != got {
						return fmt.Errorf("the answers to %s differ:\n  %s %s: %s\n  %s %s: %s", l.text(n, threads), all[0].system, all[0].layout, want, c.system, c.layout, got)
					}
				}
			}
		}
	}
	return nil
}

// ratios sets each dictionary of dictsvc beside each of ClickHouse's.
func ratios(all []DictionaryResult) []Ratio {
	var out []Ratio
	for i := range all {
		ours := &all[i]
		for j := range all {
			theirs := &all[j]
			if ours.System != dictsvc || theirs.System != clickHouse {
				continue
			}
			ratio := Ratio{Ours: ours.Layout, Theirs: theirs.Layout, Lookups: map[string]float64{}}
			ratio.Bytes = quotient(float64(ours.Bytes), float64(theirs.Bytes))
			ratio.RSS = quotient(float64(ours.RSS), float64(theirs.RSS))
			ratio.Load = quotient(theirs.LoadSeconds.median(), ours.LoadSeconds.median())
			for k, l := range ours.Lookups {
				ratio.Lookups[l.label()] = quotient(l.Rate.median(), theirs.Lookups[k].Rate.median())
			}
			out = append(out, ratio)
		}
	}
	return out
}

func (l *LookupResult) label() string { return fmt.Sprintf("%s %d", l.Name, l.Threads) }

// quotient is 0 where there is none: a small dictionary may not let its process grow at all.
func quotient(a, b float64) float64 {
	if b <= 0 || a <= 0 {
		return 0
	}
	return a / b
}
