package agg

import (
	"bytes"
	"encoding/binary"

	"dictsvc/column"
	"dictsvc/errcode"
)

// bindGroupConcat: groupConcat[(delimiter[, limit])] joins the text of values.
func bindGroupConcat(name string, params []column.Column, args []*column.Type) (*Function, error) {
	if err := oneArgument(name, args); err != nil {
		return nil, err
	}
	if len(params) > 2 {
		return nil, errcode.New(errcode.TooManyArgumentsForFunction, "Incorrect number of parameters for aggregate function %s, should be 0, 1 or 2, got: %d", name, len(params))
	}
	m := concat{}
	if len(params) > 0 {
		text, ok := StringParam(params[0])
		if !ok {
			return nil, errcode.New(errcode.BadArguments, "First parameter for aggregate function %s should be string", name)
		}
		m.delimiter = text
	}
	if len(params) > 1 {
		n, ok := UintParam(params[1])
		if !ok || n == 0 {
			return nil, errcode.New(errcode.BadArguments, "Second parameter for aggregate function %s should be a positive number", name)
		}
		m.limit = n
	}
	return &Function{Name: name, Type: column.Of(column.String), OrderSensitive: true, NewStates: func() States { return &concatStates{m: m} }}, nil
}

type concat struct {
	delimiter string
	limit     uint64 // of values; 0 = none
}

// concatStates hold each group's values, joined, and where each ends if their number is limited.
type concatStates struct {
	m    concat
	text [][]byte
	ends [][]uint64
	size int
}

func (s *concatStates) Grow(n int) {
	s.text = grow(s.text, n)
	if s.m.limit > 0 {
		s.ends = grow(s.ends, n)
	}
}

func (s *concatStates) Add(groups []uint32, args []column.Column, rows int) error {
	g := uint32(0)
	var buf []byte
	for i := range rows {
		if groups != nil {
			g = groups[i]
		}
		if fixed, ok := args[0].(*column.FixedStr); ok { // without the zeros at its end
			buf = append(buf[:0], bytes.TrimRight(fixed.At(i), "\x00")...)
		} else {
			buf = column.AppendText(buf[:0], args[0], i, column.TextRaw)
		}
		s.append(g, buf)
	}
	return nil
}

// append adds one value.
func (s *concatStates) append(g uint32, value []byte) {
	text := s.text[g]
	was := cap(text)
	if s.m.limit > 0 {
		if uint64(len(s.ends[g])) >= s.m.limit*2 {
			return
		}
		if len(s.ends[g]) > 0 {
			text = append(text, s.m.delimiter...)
		}
		start := uint64(len(text))
		text = append(text, value...)
		s.ends[g] = append(s.ends[g], start, uint64(len(text)))
		s.size += 16
	} else {
		if len(text) > 0 {
			text = append(text, s.m.delimiter...)
		}
		text = append(text, value...)
	}
	s.text[g] = text
	s.size += cap(text) - was
}

func (s *concatStates) Merge(other States, from, to []uint32) error {
	o := other.(*concatStates)
	for i, g := range to {
		k := source(from, i)
		if s.m.limit == 0 {
			if len(o.text[k]) > 0 {
				s.append(g, o.text[k])
			}
			continue
		}
		for e := 0; e < len(o.ends[k]); e += 2 {
			s.append(g, o.text[k][o.ends[k][e]:o.ends[k][e+1]])
		}
	}
	return nil
}

func (s *concatStates) Save(buf []byte, group int) []byte {
	buf = binary.AppendUvarint(buf, uint64(len(s.text[group])))
	buf = append(buf, s.text[group]...)
	if s.m.limit > 0 {
		buf = binary.AppendUvarint(buf, uint64(len(s.ends[group])/2))
		for _, e := range s.ends[group] {
			buf = binary.AppendUvarint(buf, e)
		}
	}
	return buf
}

func (s *concatStates) Load(r *column.StateReader, group int) error {
	text := append([]byte(nil), r.String()...)
	s.text[group] = text
	s.size += cap(text)
	if s.m.limit == 0 {
		return r.Err()
	}
	var ends []uint64
	last := uint64(0)
	for n := 2 * r.Count(1<<31, 2); n > 0 && r.Err() == nil; n-- {
		e := r.Uvarint()
		if e < last || e > uint64(len(text)) {
			return r.Corrupt("A state of groupConcat has a value that ends at %d of %d bytes", e, len(text))
		}
		last = e
		ends = append(ends, e)
		s.size += 8
	}
	s.ends[group] = ends
	return r.Err()
}

func (s *concatStates) Result(from, to int) (column.Column, error) {
	out := column.Strings()
	for _, text := range s.text[from:to] {
		out.Append(text)
	}
	return out, nil
}

func (s *concatStates) Bytes() int { return s.size + 24*cap(s.text) + 24*cap(s.ends) }
