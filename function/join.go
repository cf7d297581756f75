package function

import "dictsvc/column"

// joiner puts strings of several columns together, row by row. Constants that stand side by side are one part.
type joiner struct {
	parts []strs
	rows  int
	total int // bytes of the result
}

// add appends a column of strings, or a Const of one.
func (j *joiner) add(c column.Column) {
	s := newStrs(c)
	if s.cst {
		j.constant(s.at(0))
		return
	}
	j.parts = append(j.parts, s)
	j.total += s.total()
}

// shortCopy is the length up to which strings are copied as one block of that many bytes, past their end where both sides have the room: a call of the
// general copy costs more than the bytes.
const shortCopy = 16

// constant appends the same bytes to every row.
func (j *joiner) constant(b []byte) {
	if len(b) == 0 {
		return
	}
	j.total += len(b) * j.rows
	if n := len(j.parts); n > 0 && j.parts[n-1].cst {
		b = append(j.parts[n-1].at(0), b...)
		j.parts = j.parts[:n-1]
	}
	padded := append(append(make([]byte, 0, len(b)+shortCopy), b...), make([]byte, shortCopy)...)
	j.parts = append(j.parts, strs{data: padded, ends: []uint64{uint64(len(b))}, cst: true, n: 1})
}

// run makes the column.
func (j *joiner) run(m *column.Scratch) (column.Column, error) {
	if j.total > maxStringBytes {
		return nil, tooLarge("concat")
	}
	data, ends := column.Make[uint8](m, j.total+shortCopy), column.Make[uint64](m, j.rows)
	pos := 0
	for i := range ends {
		for k := range j.parts {
			p := &j.parts[k]
			from, to := p.span(i)
			n := to - from
			if n <= shortCopy && from+shortCopy <= len(p.data) {
				*(*[shortCopy]byte)(data[pos:]) = *(*[shortCopy]byte)(p.data[from:])
			} else {
				copy(data[pos:pos+n], p.data[from:to])
			}
			pos += n
		}
		ends[i] = uint64(pos)
	}
	return &column.Str{T: column.Of(column.String), Data: data[:pos], Ends: ends}, nil
}
