package bench

import (
	"fmt"
	"slices"
)

// Spread is what several runs of one measurement gave.
type Spread struct {
	Median float64 `json:"median"`
	Min    float64 `json:"min"`
	Max    float64 `json:"max"`
	Runs   int     `json:"runs"`
}

// spreadOf sums up runs; nil where there are none.
func spreadOf(runs []float64) *Spread {
	if len(runs) == 0 {
		return nil
	}
	sorted := slices.Sorted(slices.Values(runs))
	middle := len(sorted) / 2
	median := sorted[middle]
	if len(sorted)%2 == 0 {
		median = (sorted[middle-1] + median) / 2
	}
	return &Spread{Median: median, Min: sorted[0], Max: sorted[len(sorted)-1], Runs: len(sorted)}
}

// median is the middle, 0 where nothing was measured.
func (s *Spread) median() float64 {
	if s == nil {
		return 0
	}
	return s.Median
}

// text is the median, and the range behind it where there were several runs; "-" where nothing was measured.
func (s *Spread) text() string {
	switch {
	case s == nil:
		return "-"
	case s.Runs == 1:
		return short(s.Median)
	}
	return fmt.Sprintf("%s (%s-%s)", short(s.Median), short(s.Min), short(s.Max))
}

// middle is the median alone as text.
func (s *Spread) middle() string {
	if s == nil {
		return "-"
	}
	return short(s.Median)
}

// short writes a figure with three digits that count.
func short(f float64) string {
	switch {
	case f == 0:
		return "0"
	case f >= 100:
		return fmt.Sprintf("%.0f", f)
	case f >= 10:
		return fmt.Sprintf("%.1f", f)
	case f >= 0.01:
		return fmt.Sprintf("%.2f", f)
	}
	return fmt.Sprintf("%.2g", f)
}

// percent writes a share.
func percent(f float64) string {
	if f == 0 {
		return "-"
	}
	return fmt.Sprintf("%.0f%%", 100*f)
}
