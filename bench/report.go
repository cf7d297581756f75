package bench

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Output says where results go besides the caller's writer.
type Output struct {
	JSON    string // file, "" for none
	Charts  string // folder for PNG and SVG files, "" for none
	Command string // the command line, kept in the JSON
	// Status shows what is being done, "" nothing; nil shows it to nobody.
	Status func(text string)
}

func (o *Output) status(format string, args ...any) {
	if o.Status != nil {
		o.Status(fmt.Sprintf(format, args...))
	}
}

// clearStatus makes room for lines of results.
func (o *Output) clearStatus() {
	if o.Status != nil {
		o.Status("")
	}
}

// check finds out before hours of measuring that results cannot be written.
func (o *Output) check() error {
	if o.Charts != "" {
		if err := os.MkdirAll(o.Charts, 0o755); err != nil {
			return fmt.Errorf("folder for charts: %w", err)
		}
	}
	if o.JSON != "" {
		if err := os.MkdirAll(filepath.Dir(o.JSON), 0o755); err != nil {
			return fmt.Errorf("folder for the JSON file: %w", err)
		}
	}
	return nil
}

// save writes the report, whole or not at all.
func (o *Output) save(report any) error {
	if o.JSON == "" {
		return nil
	}
	b, err := json.MarshalIndent(report, "", "  ")
	if err != nil {
		return fmt.Errorf("write %s: %w", o.JSON, err)
	}
	part := o.JSON + ".part"
	if err := os.WriteFile(part, append(b, '\n'), 0o644); err != nil {
		return fmt.Errorf("write %s: %w", o.JSON, err)
	}
	if err := os.Rename(part, o.JSON); err != nil {
		return fmt.Errorf("write %s: %w", o.JSON, err)
	}
	return nil
}

// align lays out rows of cells as a text table; the first left columns are names, the others figures.
func align(rows [][]string, left int) string {
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], len(cell))
		}
	}
	var b strings.Builder
	for _, row := range rows {
		var line strings.Builder
		for i, cell := range row {
			if i > 0 {
				line.WriteString("  ")
			}
			if i < left {
				fmt.Fprintf(&line, "%-*s", widths[i], cell)
			} else {
				fmt.Fprintf(&line, "%*s", widths[i], cell)
			}
		}
		b.WriteString(strings.TrimRight(line.String(), " "))
		b.WriteByte('\n')
	}
	return b.String()
}

// rowsText writes a number of rows for people: 10 thousand, 100 million.
func rowsText(n int) string {
	for _, u := range []struct {
		n    int
		name string
	}{{1e9, "billion"}, {1e6, "million"}, {1e3, "thousand"}} {
		if n >= u.n {
			return fmt.Sprintf("%.4g %s", float64(n)/float64(u.n), u.name)
		}
	}
	return fmt.Sprint(n)
}
