package dict

import "dictsvc/column"

// A dictionary whose one attribute is a String of few distinct values keeps the strings in a list, and in the key table their
// numbers. Whether it is one shows only while it is loaded, so it begins as one.

// addCodes keeps a block's keys with the codes of their strings. false: the strings are too many, and the rows so far have been given row numbers
// and a store.
func (b *Builder) addCodes(c column.Column, from, to int) (bool, error) {
	b.words = resize(b.words, to-from)
	s := column.Plain(c).(*column.Str)
	for i := from; i < to; i++ {
		code, ok := b.v.codes.code(s.At(i))
		if !ok {
			return false, b.uncode()
		}
		b.words[i-from] = uint64(code)
	}
	b.next += uint64(to - from)
	return true, b.stage()
}

// uncode gives the rows kept with codes row numbers, in any order that keeps rows of one key in theirs, and writes their strings to a store.
func (b *Builder) uncode() error {
	v := b.v
	s := &strStore{mem: v.mem}
	next := uint64(0)
	err := b.staged.MapValues(func(values []uint64) error {
		for i, code := range values {
			if err := s.putPlain(v.codes.at(code)); err != nil {
				return err
			}
			values[i] = next
			next++
		}
		return nil
	})
	v.codes, v.inline, v.stores = nil, false, []store{s}
	b.next = next
	return err
}

// gatherCodes appends the strings of codes.
func (l *codeList) gatherCodes(d *column.Str, codes []uint64, found []uint8, missing []byte) {
	ends, absent := extend(&d.Ends, len(codes)), slackSpan(missing)
	var part [batch]span
	for len(codes) > 0 {
		n := min(batch, len(codes))
		for i, code := range codes[:n] {
			part[i] = absent
			if found[i] != 0 {
				part[i] = l.span(code)
			}
		}
		ends = appendSpans(d, ends, part[:n])
		codes, found = codes[n:], found[n:]
	}
}
