package dict

import (
	"bytes"

	"dictsvc/column"
)

// comparison holds a piece of rows of a source against the rows that a version's tables have of the same keys.
type comparison struct {
	found  []uint8 // which keys the version has
	differ []uint8 // which of them have another value in some attribute
	batch  keyBatch
	rows   []uint64
	stored []column.Column // by attribute, to be used again
	words  []uint64
	images [2][]byte
}

// compare compares n rows, keys and attributes, and gives the places of the keys that are found.
func (p *comparison) compare(v *Version, cols []column.Column, n int, places []uint64) {
	keys := len(v.def.Keys)
	p.batch.set(v.def, cols[:keys], 0, n)
	p.rows, p.found, p.differ = resize(p.rows, n), resize(p.found, n), resize(p.differ, n)
	v.locate(&p.batch, p.rows, places, p.found)
	clear(p.differ)
	if v.inline && v.codes == nil {
		if len(v.def.Attrs) > 0 {
			p.words = resize(p.words, n)
			inlineWords(cols[keys], 0, n, p.words)
			markUnequal(p.words, p.rows, p.differ)
		}
	} else {
		if p.stored == nil {
			for _, a := range v.def.Attrs {
				p.stored = append(p.stored, column.New(a.Type, n))
			}
		}
		for i, c := range p.stored {
			c.Truncate(0)
			v.gather(i, c, p.rows, p.found, v.def.Attrs[i].Default)
			p.column(c, cols[keys+i], p.differ)
		}
	}
	for i, f := range p.found {
		p.differ[i] &= f
	}
}

// column marks the rows in which two columns of one type differ, to the bit: NaN equals the same NaN, and 0.0 is not -0.0.
func (p *comparison) column(a, b column.Column, differ []uint8) {
	if x, ok := a.(*column.Str); ok {
		y := b.(*column.Str)
		for i := range differ {
			if !bytes.Equal(x.At(i), y.At(i)) {
				differ[i] = 1
			}
		}
		return
	}
	if x, ok := a.(*column.Null); ok {
		y := b.(*column.Null)
		inner := make([]uint8, len(differ))
		p.column(x.Inner, y.Inner, inner) // what lies under a NULL counts for nothing
		for i := range differ {
			null := x.Nulls[i] != 0
			if null != (y.Nulls[i] != 0) || !null && inner[i] != 0 {
				differ[i] = 1
			}
		}
		return
	}
	if inlined(a.Type()) {
		n := len(differ)
		p.words = resize(p.words, 2*n)
		x, y := p.words[:n], p.words[n:]
		inlineWords(a, 0, n, x)
		inlineWords(b, 0, n, y)
		markUnequal(x, y, differ)
		return
	}
	for i := range differ {
		x, y := column.AppendImage(p.images[0][:0], a, i), column.AppendImage(p.images[1][:0], b, i)
		if !bytes.Equal(x, y) {
			differ[i] = 1
		}
		p.images = [2][]byte{x, y}
	}
}

func markUnequal(a, b []uint64, differ []uint8) {
	b, differ = b[:len(a)], differ[:len(a)]
	for i, w := range a {
		if w != b[i] {
			differ[i] = 1
		}
	}
}
