package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/term"

	"dictsvc/column"
	"dictsvc/errcode"
	"dictsvc/format"
	"dictsvc/query"
)

// output writes one statement's result in a format; it is the query engine's Sink, and `client` feeds it too.
type output struct {
	out      io.Writer
	format   string // where the statement names none
	writer   format.Writer
	file     *os.File // INTO OUTFILE
	progress *progressLine
	rows     int // written
}

func (o *output) Header(h query.Header) error { return o.head(h.Block, h.Format, h.Outfile) }

func (o *output) head(b *column.Block, name, outfile string) error {
	if name == "" {
		name = o.format
		if outfile != "" {
			name = "TabSeparated"
		}
	}
	out := o.out
	if outfile != "" {
		f, err := os.OpenFile(outfile, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if err != nil {
			return errcode.New(errcode.CannotOpenFile, "INTO OUTFILE: %w", err)
		}
		o.file, out = f, f
	}
	w, err := format.NewWriter(name, out)
	if err != nil {
		return err
	}
	o.writer = w
	return w.Header(b)
}

func (o *output) Block(b *column.Block) error {
	o.progress.clear()
	o.rows += b.Rows
	return o.writer.Block(b)
}

func (o *output) Totals(b *column.Block) error { return o.writer.Totals(b) }
func (o *output) Extremes(*column.Block) error { return nil }
func (o *output) Profile(query.Profile) error  { return nil }
func (o *output) Progress(p query.Progress) error {
	o.progress.add(p.Rows, p.Bytes, p.TotalRows)
	return nil
}

// end finishes the text of a result.
func (o *output) end() error {
	o.progress.clear()
	if o.writer == nil {
		return nil
	}
	err := o.writer.Close()
	if o.file != nil {
		if cerr := o.file.Close(); err == nil {
			err = cerr
		}
	}
	return err
}

// defaultFormat is PrettyCompact for people and TabSeparated for programs, as ClickHouse's clients have it.
func defaultFormat(flag string) string {
	switch {
	case flag != "":
		return flag
	case term.IsTerminal(int(os.Stdout.Fd())):
		return "PrettyCompact"
	}
	return "TabSeparated"
}

// progressLine shows on a terminal what a long query has read; nil shows nothing.
type progressLine struct {
	start              time.Time
	shown              time.Time
	rows, bytes, total uint64
}

func newProgressLine() *progressLine {
	if !term.IsTerminal(int(os.Stderr.Fd())) {
		return nil
	}
	return &progressLine{start: time.Now()}
}

func (p *progressLine) add(rows, bytes, total uint64) {
	if p == nil {
		return
	}
	p.rows += rows
	p.bytes += bytes
	p.total += total
	now := time.Now()
	if now.Sub(p.start) < 500*time.Millisecond || now.Sub(p.shown) < 100*time.Millisecond {
		return
	}
	p.shown = now
	seconds := now.Sub(p.start).Seconds()
	share := ""
	if p.total > 0 {
		share = fmt.Sprintf(" %3.0f%%", 100*min(1, float64(p.rows)/float64(p.total)))
	}
	fmt.Fprintf(os.Stderr, "\r\x1b[K%s%s rows, %s (%s rows/s)", share, short(float64(p.rows)), shortBytes(float64(p.bytes)), short(float64(p.rows)/seconds))
}

func (p *progressLine) clear() {
	if p != nil && !p.shown.IsZero() {
		fmt.Fprint(os.Stderr, "\r\x1b[K")
		p.shown = time.Time{}
	}
}

// short writes a number with three digits or so: 12.3 million.
func short(f float64) string {
	for _, u := range []struct {
		n    float64
		name string
	}{{1e9, " billion"}, {1e6, " million"}, {1e3, " thousand"}} {
		if f >= u.n {
			return fmt.Sprintf("%.2f%s", f/u.n, u.name)
		}
	}
	return fmt.Sprintf("%.0f", f)
}

func shortBytes(f float64) string {
	for _, u := range []struct {
		n    float64
		name string
	}{{1 << 30, " GiB"}, {1 << 20, " MiB"}, {1 << 10, " KiB"}} {
		if f >= u.n {
			return fmt.Sprintf("%.2f%s", f/u.n, u.name)
		}
	}
	return fmt.Sprintf("%.0f B", f)
}
