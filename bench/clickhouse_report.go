package bench

import (
	"fmt"
	"strings"
)

// text is the scenario as tables: the dictionaries, then the ratios.
func (r *ScenarioResult) text() string {
	out := fmt.Sprintf("\n%s: %s rows %s; lookups in million rows a second\n", r.Name, rowsText(r.Rows), r.Title) + align(dictionaryRows(r.Dictionaries), 2)
	if len(r.Ratios) == 0 {
		return out
	}
	rows := [][]string{{"dictsvc", "by ClickHouse", "bytes", "RSS", "load"}}
	for _, l := range r.Dictionaries[0].Lookups {
		rows[0] = append(rows[0], l.heading())
	}
	for _, ratio := range r.Ratios {
		row := []string{layoutText(ratio.Ours), layoutText(ratio.Theirs), times(ratio.Bytes), times(ratio.RSS), times(ratio.Load)}
		for _, l := range r.Dictionaries[0].Lookups {
			row = append(row, times(ratio.Lookups[l.label()]))
		}
		rows = append(rows, row)
	}
	return out + "sizes as a share of ClickHouse's; loads and lookups: times as fast\n" + align(rows, 2)
}

func (l *LookupResult) heading() string {
	if l.Threads == 1 {
		return l.Name
	}
	return fmt.Sprintf("%s, %d threads", l.Name, l.Threads)
}

// dictionaryRows are the lines of dictionaries with a heading.
func dictionaryRows(all []DictionaryResult) [][]string {
	rows := [][]string{{"system", "layout", "load factor", "bytes/row", "RSS/row", "peak RSS/row", "load s"}}
	for _, l := range all[0].Lookups {
		rows[0] = append(rows[0], l.heading())
	}
	rows[0] = append(rows[0], "roof", "hits of roof")
	for _, d := range all {
		row := []string{d.System, layoutText(d.Layout), fmt.Sprintf("%.2f", d.LoadFactor), short(d.BytesPerRow), short(d.RSSPerRow), dash(d.PeakRSSPerRow), d.LoadSeconds.text()}
		for _, l := range d.Lookups {
			row = append(row, l.Rate.text())
		}
		rows = append(rows, append(row, d.Roof.text(), percent(d.HitsOfRoof.median())))
	}
	return rows
}

// layoutText is a layout in fewer letters: SPARSE_HASHED 0.95.
func layoutText(layout string) string {
	return strings.NewReplacer("()", "", "(MAX_LOAD_FACTOR ", " ", ")", "").Replace(layout)
}

// dash is a figure, "-" where there is none.
func dash(f float64) string {
	if f == 0 {
		return "-"
	}
	return short(f)
}

// times is a ratio, "-" where there is none.
func times(f float64) string {
	if f == 0 {
		return "-"
	}
	return short(f) + "x"
}

// charts draws a bar a dictionary: sizes, loads, lookups.
func (r *ClickHouseReport) charts(dir string) error {
	for _, c := range []struct {
		name, title, x string
		value          func(*DictionaryResult) float64
	}{
		{"bytes", "Size of dictionaries", "bytes_allocated, bytes a row", func(d *DictionaryResult) float64 { return d.BytesPerRow }},
		{"rss", "Growth of the process", "resident memory, bytes a row", func(d *DictionaryResult) float64 { return max(0, d.RSSPerRow) }},
		{"load", "Load", "nanoseconds a row", func(d *DictionaryResult) float64 { return d.LoadSeconds.median() * 1e9 }},
	} {
		chart := &barChart{title: c.title, x: c.x}
		for _, s := range r.Scenarios {
			for i := range s.Dictionaries {
				value := c.value(&s.Dictionaries[i])
				if c.name == "load" {
					value /= float64(s.Rows)
				}
				chart.add(s.Name, &s.Dictionaries[i], value)
			}
		}
		if err := chart.write(dir, c.name); err != nil {
			return err
		}
	}
	return r.lookupCharts(dir)
}

// lookupCharts draws a chart for each kind of lookup and number of threads.
func (r *ClickHouseReport) lookupCharts(dir string) error {
	charts, order := map[string]*barChart{}, []string{}
	for _, s := range r.Scenarios {
		for i := range s.Dictionaries {
			for _, l := range s.Dictionaries[i].Lookups {
				name := fmt.Sprintf("%s_%d", fileName(l.Name), l.Threads)
				if charts[name] == nil {
					charts[name] = &barChart{title: fmt.Sprintf("dictGet: %s, max_threads = %d", l.Name, l.Threads), x: "million rows a second"}
					order = append(order, name)
				}
				charts[name].add(s.Name, &s.Dictionaries[i], l.Rate.median())
			}
		}
	}
	for _, name := range order {
		if err := charts[name].write(dir, name); err != nil {
			return err
		}
	}
	return nil
}

func (c *barChart) add(scenario string, d *DictionaryResult, value float64) {
	c.bars = append(c.bars, bar{scenario + " " + layoutText(d.Layout), value, d.System == dictsvc})
}

// fileName is a name without what paths do not like.
func fileName(name string) string {
	out := []rune(name)
	for i, r := range out {
		if r == ' ' || r == '/' {
			out[i] = '_'
		}
	}
	return string(out)
}
