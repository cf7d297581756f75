package format

import (
	"bufio"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"dictsvc/column"
)

// prettyStyle is the frame of a Pretty format.
type prettyStyle uint8

const (
	prettyFull prettyStyle = iota
	prettyCompact
)

const (
	prettyMaxRows  = 1000 // output_format_pretty_max_rows
	prettyMaxWidth = 250  // output_format_pretty_max_column_pad_width
	prettyNull     = "ᴺᵁᴸᴸ"
)

// pretty draws blocks as tables with row numbers, as ClickHouse does when its output is no terminal.
type pretty struct {
	w     *bufio.Writer
	style prettyStyle
	held  *column.Block // small blocks are joined into one table
	total int
}

func (p *pretty) Header(b *column.Block) error { return nil }

func (p *pretty) Block(b *column.Block) error {
	p.total += b.Rows
	if p.held == nil {
		p.held = &column.Block{Names: b.Names, Cols: make([]column.Column, len(b.Cols))}
		for i, c := range b.Cols {
			p.held.Cols[i] = column.New(c.Type(), 0)
		}
	}
	n := min(b.Rows, prettyMaxRows-p.held.Rows)
	for i, c := range b.Cols {
		p.held.Cols[i].AppendRange(column.Full(c), 0, n)
	}
	p.held.Rows += n
	return nil
}

func (p *pretty) Totals(b *column.Block) error {
	if b.Rows == 0 {
		return nil
	}
	if err := p.flush(); err != nil {
		return err
	}
	if _, err := p.w.WriteString("\nTotals:\n"); err != nil {
		return err
	}
	return p.table(b)
}

func (p *pretty) flush() error {
	if p.held == nil || p.held.Rows == 0 {
		return nil
	}
	err := p.table(p.held)
	p.held = nil
	if err == nil && p.total > prettyMaxRows {
		_, err = p.w.WriteString("Showed " + itoa(prettyMaxRows) + " out of " + itoa(p.total) + " rows.\n")
	}
	return err
}

func (p *pretty) Close() error {
	if err := p.flush(); err != nil {
		return err
	}
	return p.w.Flush()
}

// width of a text on a terminal: East Asian wide characters take two places.
func width(s string) int {
	n := 0
	for _, r := range s {
		switch {
		case r == utf8.RuneError || r < 0x20 && r != '\t':
		case r >= 0x0300 && r <= 0x036f:
		case r >= 0x1100 && (r <= 0x115f || r >= 0x2e80 && r <= 0xa4cf || r >= 0xac00 && r <= 0xd7a3 || r >= 0xf900 && r <= 0xfaff || r >= 0xfe30 && r <= 0xfe6f ||
			r >= 0xff00 && r <= 0xff60 || r >= 0x1f300 && r <= 0x1faff || r >= 0x20000 && r <= 0x3fffd):
			n += 2
		default:
			n++
		}
	}
	return n
}

func cell(c column.Column, i int) string {
	if isNull(c, i) {
		return prettyNull
	}
	if k, ok := c.Type(), true; ok && k.Base().Kind == column.Nothing {
		return prettyNull
	}
	s := string(column.AppendText(nil, c, i, column.TextRaw))
	if width(s) > 10000 {
		s = s[:10000]
	}
	return s
}

func rightAligned(t *column.Type) bool {
	t = t.Base()
	return t.IsNumber() && t.Kind != column.Bool || t.IsDateOrTime() || t.Kind == column.Interval || t.Kind == column.Nothing
}

func (p *pretty) table(b *column.Block) error {
	cols := len(b.Cols)
	widths := make([]int, cols)
	cells := make([][]string, b.Rows)
	for k, n := range b.Names {
		widths[k] = width(n)
	}
	for i := range cells {
		cells[i] = make([]string, cols)
		for k, c := range b.Cols {
			cells[i][k] = cell(c, i)
			for _, line := range strings.Split(cells[i][k], "\n") {
				widths[k] = max(widths[k], min(width(line), prettyMaxWidth))
			}
		}
	}
	number := len(itoa(b.Rows)) + 2 // "12. "
	if number < 3 {
		number = 3
	}
	pad := strings.Repeat(" ", number)
	p.head(b, widths, pad)
	for i, row := range cells {
		if i > 0 && p.style == prettyFull {
			p.rule(pad, widths, "├", "─", "┼", "┤")
		}
		note := ""
		if b.Rows == 1 && cols > 0 {
			note = readable(b.Cols[cols-1], i)
		}
		p.row(b, i, row, widths, number, note)
	}
	p.rule(pad, widths, "└", "─", "┴", "┘")
	return nil
}

func (p *pretty) rule(pad string, widths []int, left, line, mid, right string) {
	p.w.WriteString(pad)
	for k, w := range widths {
		if k == 0 {
			p.w.WriteString(left)
		} else {
			p.w.WriteString(mid)
		}
		p.w.WriteString(strings.Repeat(line, w+2))
	}
	p.w.WriteString(right + "\n")
}

func (p *pretty) head(b *column.Block, widths []int, pad string) {
	if p.style == prettyFull {
		p.rule(pad, widths, "┏", "━", "┳", "┓")
		p.w.WriteString(pad)
		for k, n := range b.Names {
			p.w.WriteString("┃ ")
			p.cell(n, widths[k], rightAligned(b.Cols[k].Type()), " ")
			p.w.WriteString(" ")
		}
		p.w.WriteString("┃\n")
		p.rule(pad, widths, "┡", "━", "╇", "┩")
		return
	}
	p.w.WriteString(pad)
	for k, n := range b.Names {
		if k == 0 {
			p.w.WriteString("┌─")
		} else {
			p.w.WriteString("┬─")
		}
		p.cell(n, widths[k], rightAligned(b.Cols[k].Type()), "─")
		p.w.WriteString("─")
	}
	p.w.WriteString("┐\n")
}

func (p *pretty) cell(s string, w int, right bool, fill string) {
	gap := strings.Repeat(fill, max(0, w-width(s)))
	if right {
		p.w.WriteString(gap + s)
		return
	}
	p.w.WriteString(s + gap)
}

// row draws a row; a value of several lines is continued below with arrows.
func (p *pretty) row(b *column.Block, i int, row []string, widths []int, number int, note string) {
	lines := 1
	split := make([][]string, len(row))
	for k, s := range row {
		split[k] = strings.Split(s, "\n")
		lines = max(lines, len(split[k]))
	}
	for l := range lines {
		if l == 0 {
			n := itoa(i + 1)
			p.w.WriteString(strings.Repeat(" ", max(0, number-2-len(n))) + n + ". ")
		} else {
			p.w.WriteString(strings.Repeat(" ", number))
		}
		for k := range row {
			s := ""
			if l < len(split[k]) {
				s = split[k][l]
			}
			lead, tail := " ", " "
			if l > 0 && l < len(split[k]) {
				lead = "↳"
			}
			if l+1 < len(split[k]) {
				tail = "↴"
			}
			p.w.WriteString("│" + lead)
			p.cell(s, widths[k], rightAligned(b.Cols[k].Type()), " ")
			p.w.WriteString(tail)
		}
		p.w.WriteString("│")
		if l == 0 {
			p.w.WriteString(note)
		}
		p.w.WriteString("\n")
	}
}

// readable is the comment behind a lone great number: "-- 12.35 million".
func readable(c column.Column, i int) string {
	if !c.Type().Base().IsNumber() || c.Type().Base().Kind == column.Bool || isNull(c, i) {
		return ""
	}
	f, err := strconv.ParseFloat(string(column.AppendText(nil, c, i, column.TextRaw)), 64)
	if err != nil || math.Abs(f) <= 1e6 || math.IsInf(f, 0) || f != f {
		return ""
	}
	units := []string{"", " thousand", " million", " billion", " trillion", " quadrillion", " quintillion", " sextillion", " septillion"}
	k := 0
	for math.Abs(f) >= 1000 && k < len(units)-1 {
		f /= 1000
		k++
	}
	return " -- " + strconv.FormatFloat(f, 'f', 2, 64) + units[k]
}

// vertical writes each value on a line of its own.
type vertical struct {
	w    *bufio.Writer
	rows int
}

func (v *vertical) Header(*column.Block) error { return nil }

func (v *vertical) Block(b *column.Block) error {
	for i := range b.Rows {
		v.rows++
		title := "Row " + itoa(v.rows) + ":"
		if v.rows > 1 {
			v.w.WriteString("\n")
		}
		v.w.WriteString(title + "\n" + strings.Repeat("─", len(title)) + "\n")
		v.values(b, i)
	}
	return nil
}

func (v *vertical) values(b *column.Block, i int) {
	w := 0
	for _, n := range b.Names {
		w = max(w, width(n))
	}
	for k, c := range b.Cols {
		n := b.Names[k]
		v.w.WriteString(n + ":" + strings.Repeat(" ", w-width(n)+1) + cell(c, i) + readable(c, i) + "\n")
	}
}

func (v *vertical) Totals(b *column.Block) error {
	if b.Rows > 0 {
		v.w.WriteString("\n\nTotals:\n" + strings.Repeat("─", 7) + "\n")
		v.values(b, 0)
	}
	return nil
}

func (v *vertical) Close() error { return v.w.Flush() }
