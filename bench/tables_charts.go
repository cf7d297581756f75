package bench

import (
	"fmt"
	"slices"

	"gonum.org/v1/plot/plotter"
)

// charts draws lookups over the size, and sizes and lookups over the load factor.
func (r *TablesReport) charts(dir string) error {
	for _, c := range []struct {
		name, title, y string
		value          func(*TableResult) float64
		roof           bool
	}{
		{"hits_by_rows", "Lookups of keys that are there, one thread", "million lookups a second", func(t *TableResult) float64 { return t.Hits.median() }, true},
		{"misses_by_rows", "Lookups of keys that are not there, one thread", "million lookups a second", func(t *TableResult) float64 { return t.Misses.median() }, true},
		{"hits_of_roof_by_rows", "Lookups as a share of the random cache lines a second", "share of the roof, %", func(t *TableResult) float64 { return 100 * t.HitsOfRoof.median() }, false},
		{"bytes_by_rows", "Size", "bytes a row", func(t *TableResult) float64 { return t.BytesPerRow }, false},
	} {
		chart := &lineChart{title: c.title + ", UInt64 -> UInt16", x: "rows", y: c.y, logX: true, logY: c.roof, lines: r.overRows(c.value)}
		if c.roof {
			chart.lines = append(chart.lines, r.roofLine())
		}
		if err := chart.write(dir, c.name); err != nil {
			return err
		}
	}
	for _, c := range []struct {
		name, title, y string
		value          func(*TableResult) float64
	}{
		{"bytes_by_load_factor", "Size", "bytes a row", func(t *TableResult) float64 { return t.BytesPerRow }},
		{"hits_by_load_factor", "Lookups of keys that are there, one thread", "million lookups a second", func(t *TableResult) float64 { return t.Hits.median() }},
	} {
		rows, lines := r.overFactors(c.value)
		chart := &lineChart{title: fmt.Sprintf("%s, UInt64 -> UInt16, %s rows", c.title, rowsText(rows)), x: "largest load factor", y: c.y, lines: lines}
		if err := chart.write(dir, c.name); err != nil {
			return err
		}
	}
	return nil
}

// overRows is a line a table over the number of rows, at one load factor.
func (r *TablesReport) overRows(value func(*TableResult) float64) []series {
	var out []series
	for _, name := range TableNames() {
		s := series{name: name}
		factor := r.chartFactor(name)
		if factor > 0 {
			s.name = fmt.Sprintf("%s at %v", name, factor)
		}
		for i := range r.Results {
			if t := &r.Results[i]; t.Table == name && t.MaxLoadFactor == factor {
				s.points = append(s.points, plotter.XY{X: float64(t.Rows), Y: value(t)})
			}
		}
		out = append(out, s.sorted())
	}
	return out
}

// roofLine is the roof of the smallest table over the number of rows.
func (r *TablesReport) roofLine() series {
	s := series{name: "random cache lines", dashed: true}
	for _, name := range append([]string{"packed"}, TableNames()...) {
		for i := range r.Results {
			if t := &r.Results[i]; t.Table == name && t.MaxLoadFactor == r.chartFactor(name) {
				s.points = append(s.points, plotter.XY{X: float64(t.Rows), Y: t.Roof.median()})
			}
		}
		if len(s.points) > 0 {
			break
		}
	}
	return s.sorted()
}

// overFactors is a line a table over the load factor at the largest size; tables without one give a level line.
func (r *TablesReport) overFactors(value func(*TableResult) float64) (int, []series) {
	rows, least, most := 0, 1.0, 0.0
	for _, t := range r.Results {
		rows = max(rows, t.Rows)
		if t.MaxLoadFactor > 0 {
			least, most = min(least, t.MaxLoadFactor), max(most, t.MaxLoadFactor)
		}
	}
	if most == 0 {
		return rows, nil
	}
	var out []series
	for _, name := range TableNames() {
		s := series{name: name}
		for i := range r.Results {
			t := &r.Results[i]
			switch {
			case t.Table != name || t.Rows != rows:
			case t.MaxLoadFactor > 0:
				s.points = append(s.points, plotter.XY{X: t.MaxLoadFactor, Y: value(t)})
			default:
				s.dashed = true
				s.points = append(s.points, plotter.XY{X: least, Y: value(t)}, plotter.XY{X: most, Y: value(t)})
			}
		}
		out = append(out, s.sorted())
	}
	return rows, out
}

// chartFactor is the load factor that stands for a table where only one can; 0 for tables without one.
func (r *TablesReport) chartFactor(table string) float64 {
	var factors []float64
	for _, t := range r.Results {
		if t.Table == table && t.MaxLoadFactor > 0 {
			factors = append(factors, t.MaxLoadFactor)
		}
	}
	if len(factors) == 0 {
		return 0
	}
	return chartFactor(table, factors)
}

func (s series) sorted() series {
	slices.SortFunc(s.points, func(a, b plotter.XY) int {
		switch {
		case a.X < b.X:
			return -1
		case a.X > b.X:
			return 1
		}
		return 0
	})
	return s
}
