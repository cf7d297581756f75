package format

import (
	"math"
	"strconv"

	"dictsvc/column"
)

// vertical writes each value on a line of its own.
type vertical struct {
	*output
	set    *Settings
	text   column.TextOptions
	names  []string // padded, with the colon
	isNum  []bool
	rows   uint64
	hidden bool // rows were left out
}

func newVertical(o *output, s *Settings) Writer { return makeVertical(o, s) }

func makeVertical(o *output, s *Settings) *vertical {
	v := &vertical{output: o, set: s, text: s.Text}
	v.text.Style, v.text.Null = column.TextRaw, nullSign
	return v
}

func (v *vertical) Header(b *column.Block) error {
	names, types := b.Names, b.Types()
	most := 0
	short := make([]string, len(names))
	for i, n := range names {
		short[i] = shortName(n, 0, &v.set.Pretty)
	}
	names = short
	for _, n := range names {
		most = max(most, width([]byte(n), 0))
	}
	for i, n := range names {
		pad := spaces(most - width([]byte(n), 0) + 1)
		if v.set.Pretty.Color {
			v.names = append(v.names, bold+n+":"+plain+pad)
		} else {
			v.names = append(v.names, n+":"+pad)
		}
		v.isNum = append(v.isNum, types[i].Base().IsNumber())
	}
	return nil
}

func (v *vertical) Block(b *column.Block) error {
	fields := bindAll(&v.text, b.Cols)
	for i := range b.Rows {
		if v.rows >= v.set.Pretty.MaxRows {
			v.hidden = true
			break
		}
		v.rows++
		if v.rows > 1 {
			v.output.text("\n")
		}
		v.title("Row "+strconv.FormatUint(v.rows, 10)+":", len("Row :")+int(math.Log10(float64(v.rows)+1))+1)
		v.values(b.Cols, fields, i)
		v.full()
	}
	return v.flush()
}

func bindAll(o *column.TextOptions, cols []column.Column) []column.TextWriter {
	fields := make([]column.TextWriter, len(cols))
	for k, c := range cols {
		fields[k] = o.Bind(c)
	}
	return fields
}

// title writes a line and dashes under it.
func (v *vertical) title(s string, dashes int) {
	v.output.text(s)
	v.output.text("\n")
	for range dashes {
		v.output.text("─")
	}
	v.output.text("\n")
}

func (v *vertical) values(cols []column.Column, fields []column.TextWriter, i int) {
	var cell []byte
	for k, f := range fields {
		v.output.text(v.names[k])
		cell = f(cell[:0], i)
		v.buf = appendColored(v.buf, cell, v.isNum[k], &v.set.Pretty)
		v.buf = appendTip(v.buf, cols[k], i, &v.set.Pretty)
		v.output.text("\n")
	}
}

func (v *vertical) Totals(b *column.Block) error {
	if b.Rows > 0 {
		v.output.text("\n\n")
		v.title("Totals:", 7)
		v.values(b.Cols, bindAll(&v.text, b.Cols), 0)
	}
	return v.flush()
}

func (v *vertical) Extremes(b *column.Block) error {
	for i, name := range []string{"Min:", "Max:"} {
		if i < b.Rows {
			v.output.text("\n")
			v.title(name, 4)
			v.values(b.Cols, bindAll(&v.text, b.Cols), i)
		}
	}
	return v.flush()
}

func (v *vertical) Stats(Stats) {}

func (v *vertical) Close() error {
	if v.hidden {
		v.output.text("\nShowed first " + strconv.FormatUint(v.set.Pretty.MaxRows, 10) + ".\n")
	}
	return v.flush()
}

func spaces(n int) string {
	const s = "                                                                "
	out := ""
	for ; n > len(s); n -= len(s) {
		out += s
	}
	return out + s[:max(n, 0)]
}
