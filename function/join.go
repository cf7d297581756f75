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
func (j *joiner) run(call *Call) (column.Column, error) {
	call.Hold(j.total)
	if j.total > maxStringBytes {
		return nil, tooLarge("concat")
	}
	data, ends := column.Make[uint8](call.Scratch, j.total+shortCopy), column.Make[uint64](call.Scratch, j.rows)
	if head, tail, s := j.framed(); s != nil {
		n := joinFramed(data, ends, head, tail, s)
		return &column.Str{T: column.Of(column.String), Data: data[:n], Ends: ends}, nil
	}
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

// framed tells of the shape most often met, one column of strings between short constants: 'user-' || name || '@example.org'. s is nil for all others.
func (j *joiner) framed() (head, tail []byte, s *strs) {
	for k := range j.parts {
		p := &j.parts[k]
		switch {
		case p.cst && p.ends[0] > shortCopy, p.width > 0, !p.cst && s != nil:
			return nil, nil, nil
		case !p.cst:
			s = p
		case s == nil:
			head = p.at(0)
		default:
			tail = p.at(0)
		}
	}
	return head, tail, s
}

// joinFramed is run for that shape, the constants in registers. data has shortCopy bytes of room behind the result, whose length is returned.
func joinFramed(data []byte, ends []uint64, head, tail []byte, s *strs) int {
	var h, t [shortCopy]byte
	hn, tn := copy(h[:], head), copy(t[:], tail)
	src, from, pos := s.data, int(s.start), 0
	for i, end := range s.ends[:len(ends)] {
		n := int(end) - from
		*(*[shortCopy]byte)(data[pos:]) = h
		pos += hn
		if n <= shortCopy && from+shortCopy <= len(src) {
			*(*[shortCopy]byte)(data[pos:]) = *(*[shortCopy]byte)(src[from:])
		} else {
			copy(data[pos:pos+n], src[from:end])
		}
		pos += n
		*(*[shortCopy]byte)(data[pos:]) = t
		pos += tn
		ends[i] = uint64(pos)
		from = int(end)
	}
	return pos
}
