package format

import (
	"bytes"
	"strconv"
	"strings"

	"dictsvc/column"
)

// pretty writes tables for people. Rows are collected up to the size of a large block, so that the columns of small blocks line up in one table.
type pretty struct {
	*output
	set     *Settings
	grid    grid
	text    column.TextOptions
	names   []string
	types   []*column.Type
	held    []*column.Block
	pending uint64 // rows held
	total   uint64 // rows written or passed over
	upright *vertical
}

func newPretty(g grid, noEscapes bool) newWriterFunc {
	return func(o *output, s *Settings) Writer {
		if noEscapes {
			c := *s
			c.Pretty.Color = false
			s = &c
		}
		if s.Pretty.ASCII {
			g = g.ascii()
		}
		w := &pretty{output: o, set: s, grid: g, text: s.Text}
		w.text.Style, w.text.Null, w.text.PrettyTuples = column.TextRaw, nullSign, true
		return w
	}
}

func (w *pretty) Header(b *column.Block) error {
	names, types := b.Names, b.Types()
	w.names, w.types = names, types
	return nil
}

func (w *pretty) Block(b *column.Block) error {
	if b.Rows == 0 {
		return nil
	}
	if w.total >= w.set.Pretty.MaxRows && len(w.held) == 0 {
		w.total += uint64(b.Rows)
		return nil
	}
	w.held = append(w.held, b)
	w.pending += uint64(b.Rows)
	if w.pending >= column.MaxBlockRows {
		w.release()
	}
	return w.flush()
}

// release writes the rows held as one table.
func (w *pretty) release() {
	if w.pending == 0 {
		return
	}
	w.table(w.held)
	w.total += w.pending
	w.held, w.pending = nil, 0
}

// end writes what is held and says how many rows were left out.
func (w *pretty) end() {
	w.release()
	if limit := w.set.Pretty.MaxRows; w.total > limit {
		if w.grid.space {
			w.output.text("\n")
		}
		w.output.text("Showed " + strconv.FormatUint(limit, 10) + " out of " + strconv.FormatUint(w.total, 10) + " rows.\n")
	}
}

func (w *pretty) Totals(b *column.Block) error { return w.extra("Totals:", b) }

func (w *pretty) Extremes(b *column.Block) error { return w.extra("Extremes:", b) }

// extra writes a table of its own under a title; its rows count from 1, and are left out where the result has filled the limit.
func (w *pretty) extra(title string, b *column.Block) error {
	w.end()
	w.output.text("\n" + title + "\n")
	had, limit := w.total, w.set
	if had >= limit.Pretty.MaxRows {
		b = b.Slice(0, 0)
	}
	if w.upright == nil {
		w.total = 0
	}
	w.table([]*column.Block{b})
	w.total = 0
	return w.flush()
}

func (w *pretty) Stats(Stats) {}

func (w *pretty) Close() error {
	w.end()
	return w.flush()
}

// cell is one value as it will be shown.
type cell struct {
	text []byte
	cut  bool
}

// layout is a table ready to be drawn.
type layout struct {
	rows   []uint64 // row numbers, counted from 1
	gap    int      // rows are left out before this one, -1: none
	cells  [][]cell // by column
	tips   [][]byte
	width  []int
	names  []string
	pad    int // cells before a row: its number
	right  []bool
	isNum  []bool
	many   bool // rows enough for names at the foot
	breaks bool // a value has several lines
}

// table draws blocks as one table.
func (w *pretty) table(blocks []*column.Block) {
	p := &w.set.Pretty
	rows := 0
	for _, b := range blocks {
		rows += b.Rows
	}
	shown := rows
	if left := p.MaxRows - min(p.MaxRows, w.total); uint64(rows) > left {
		shown = int(left)
	}
	if shown == 0 && rows > 0 {
		return
	}
	l := &layout{gap: -1, many: p.FooterRows > 0 && rows >= p.FooterRows}
	if shown < rows {
		l.gap = (shown + 1) / 2
	}
	if p.RowNumbers {
		l.pad = len(strconv.FormatUint(w.total+uint64(rows), 10)) + 2
	}
	w.render(l, blocks, rows, shown)
	if p.FallbackVertical && len(w.names) >= 5 && rows <= 10 && w.fallback(l) {
		w.vertical(blocks)
		return
	}
	w.draw(l)
}

// fallback tells whether the table is better written upright: it is wide, or has values of several lines.
func (w *pretty) fallback(l *layout) bool {
	sum := 0
	for _, n := range l.width {
		sum += n
	}
	return l.breaks || sum >= 250
}

func (w *pretty) vertical(blocks []*column.Block) {
	if w.upright == nil {
		w.upright = makeVertical(w.output, w.set)
		w.upright.text = w.text
		w.upright.Header(column.Empty(w.names, w.types)) // writes nothing, so cannot fail
	} else {
		w.upright.rows = w.total
	}
	for _, b := range blocks {
		w.upright.Block(b) // an error stays in the output
	}
}

// render makes the cells of the rows to be shown and finds the widths.
func (w *pretty) render(l *layout, blocks []*column.Block, rows, shown int) {
	p := &w.set.Pretty
	cols := len(w.names)
	l.cells, l.width = make([][]cell, cols), make([]int, cols)
	l.right, l.isNum = make([]bool, cols), make([]bool, cols)
	for k, t := range w.types {
		l.right[k], l.isNum[k] = numeric(t), t.Base().IsNumber()
	}
	first, before := 0, w.total
	for _, b := range blocks {
		fields := bindAll(&w.text, b.Cols)
		for i := range b.Rows {
			if at := first + i; l.gap >= 0 && at >= l.gap && at < rows-(shown-l.gap) {
				continue
			}
			l.rows = append(l.rows, before+uint64(first+i)+1)
			for k, f := range fields {
				l.cells[k] = append(l.cells[k], cell{text: f(nil, i)})
			}
			var tip []byte
			if cols > 0 {
				tip = appendTip(nil, b.Cols[cols-1], i, p)
			}
			l.tips = append(l.tips, tip)
		}
		first += b.Rows
	}
	prefix := w.firstCell(l)
	single := rows == 1 && cols == 1
	for k := range l.cells {
		for i := range l.cells[k] {
			c := &l.cells[k][i]
			n := 0
			for line := range bytes.SplitSeq(c.text, []byte("\n")) {
				n = max(n, width(line, prefix))
			}
			l.breaks = l.breaks || bytes.IndexByte(c.text, '\n') >= 0
			if n > p.MaxValue && !single {
				c.text, c.cut = c.text[:head(c.text, p.MaxValue)], true
			}
			l.width[k] = max(l.width[k], min(n, p.MaxPad, p.MaxValue))
		}
		name := shortName(w.names[k], l.width[k], p)
		l.names = append(l.names, name)
		l.width[k] = max(l.width[k], min(width([]byte(name), 0), p.MaxPad))
		prefix += l.width[k] + 3
	}
}

// firstCell is where the first value of a row begins.
func (w *pretty) firstCell(l *layout) int {
	if w.grid.space {
		return l.pad + 1
	}
	return l.pad + 2
}

// shortName cuts the middle out of a name that is much wider than its column's values, unless it is a plain identifier.
func shortName(name string, valueWidth int, p *Pretty) string {
	to := max(p.NameWidth, valueWidth)
	b := []byte(name)
	if p.NameWidth == 0 || column.Identifier(name) == name || width(b, 0) <= to+p.NameMinCut {
		return name
	}
	left := b[:head(b, to/2)]
	right := b[tail(b, to-1-width(left, 0)):]
	return string(left) + "⋯" + string(right)
}

// draw writes the table.
func (w *pretty) draw(l *layout) {
	g := &w.grid
	w.titles(l, &g.head)
	for i := range l.rows {
		if i > 0 && g.between.left != "" {
			w.line(l, g.between)
		}
		if i == l.gap {
			w.gap(l)
			if g.between.left != "" {
				w.line(l, g.between)
			}
		}
		w.row(l, i)
	}
	switch {
	case l.many:
		w.titles(l, &g.foot)
	case g.bottom.left != "":
		w.line(l, g.bottom)
	}
}

// gap stands for the rows left out.
func (w *pretty) gap(l *layout) {
	n := 0
	for _, x := range l.width {
		n += x + 3
	}
	if w.grid.space {
		n -= 2
	} else {
		n++
	}
	w.output.text(spaces(l.pad))
	for i := range n {
		if i%2 == 0 {
			w.output.text(w.grid.dash)
		} else {
			w.output.text(" ")
		}
	}
	w.output.text("\n")
}

// line draws a border of the given characters.
func (w *pretty) line(l *layout, r rule) {
	w.output.text(spaces(l.pad) + r.left)
	for k, n := range l.width {
		if k > 0 {
			w.output.text(r.cross)
		}
		w.output.text(strings.Repeat(r.dash, n+2))
	}
	w.output.text(r.right + "\n")
}

// titles draws the names with the borders around them.
func (w *pretty) titles(l *layout, t *titles) {
	if t.above.left != "" {
		w.line(l, t.above)
	}
	w.output.text(t.before)
	w.output.text(spaces(l.pad) + t.names.left)
	for k, n := range l.names {
		if k > 0 {
			w.output.text(t.names.cross)
		}
		space := l.width[k] - width([]byte(n), 0)
		fill := strings.Repeat(t.names.dash, max(space, 0))
		if w.set.Pretty.Color {
			n = bold + n + plain
		}
		last := k == len(l.names)-1
		w.output.text(t.names.dash)
		switch {
		case l.right[k]:
			w.output.text(fill + n)
		case last && w.grid.space:
			w.output.text(n + fill)
		default:
			w.output.text(n + fill)
		}
		if !last || !w.grid.space {
			w.output.text(t.names.dash)
		}
	}
	w.output.text(t.names.right + "\n")
	w.output.text(t.after)
	if t.below.left != "" {
		w.line(l, t.below)
	}
}

// row draws one row, over several lines where a value has line feeds.
func (w *pretty) row(l *layout, i int) {
	p := &w.set.Pretty
	lines := 1
	split := make([][][]byte, len(l.cells))
	for k := range l.cells {
		text := l.cells[k][i].text
		if bytes.IndexByte(text, '\n') < 0 || !p.Multiline {
			split[k] = [][]byte{text}
			continue
		}
		split[k] = bytes.Split(bytes.TrimSuffix(text, []byte("\n")), []byte("\n"))
		lines = max(lines, len(split[k]))
	}
	for n := range lines {
		w.rowNumber(l, i, n)
		w.output.text(w.grid.row.left)
		prefix := w.firstCell(l)
		for k, parts := range split {
			if k > 0 {
				w.output.text(w.grid.row.cross)
			}
			var part []byte
			if n < len(parts) {
				part = parts[n]
			}
			c := l.cells[k][i]
			more := n+1 < len(parts) || n+1 == len(parts) && bytes.HasSuffix(c.text, []byte("\n")) && p.Multiline
			w.cell(l, k, part, prefix, n > 0 && n < len(parts), more, c.cut && n+1 == len(parts))
			prefix += l.width[k] + 3
		}
		w.output.text(w.grid.row.right)
		if n == 0 {
			w.buf = append(w.buf, l.tips[i]...)
		}
		w.output.text("\n")
	}
	w.full()
}

func (w *pretty) rowNumber(l *layout, i, line int) {
	if l.pad == 0 {
		return
	}
	if line > 0 {
		w.output.text(spaces(l.pad))
		return
	}
	s := strconv.FormatUint(l.rows[i], 10) + ". "
	s = spaces(l.pad-len(s)) + s
	if w.set.Pretty.Color {
		s = gray + s + plain
	}
	w.output.text(s)
}

// cell draws one line of a value with the space around it.
func (w *pretty) cell(l *layout, k int, part []byte, prefix int, continued, more, cut bool) {
	p := &w.set.Pretty
	mark := func(s string) {
		if p.Color {
			s = gray + s + plain
		}
		w.output.text(s)
	}
	if continued {
		mark(w.grid.from)
	} else {
		w.output.text(" ")
	}
	pad := spaces(l.width[k] - width(part, prefix))
	if l.right[k] {
		w.output.text(pad)
	}
	w.buf = appendColored(w.buf, part, l.isNum[k], p)
	if !l.right[k] {
		w.output.text(pad)
	}
	switch {
	case cut:
		w.output.text("⋯")
	case more:
		mark(w.grid.to)
	default:
		w.output.text(" ")
	}
}
