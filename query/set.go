package query

import (
	"math"
	"unsafe"

	"dictsvc/column"
	"dictsvc/errcode"
	"dictsvc/internal/mem"
	"dictsvc/internal/simd"
)

// set is the right side of IN: rows of one or more columns, found by value. It does not change once it is filled.
type set struct {
	types   []*column.Type // of its columns, without Nullable where no NULL is looked for
	not     bool           // NOT IN
	nullIn  bool           // transform_null_in: NULL is a value like any other
	columns []column.Column
	rows    int

	words *wordSet         // one column of fixed-width values
	keys  map[string]bool  // anything else, by the image of AppendKey
	casts []column.Caster  // of the left side's columns to types
	tuple bool             // the left side is a tuple of len(types) elements
	rtype *column.Type     // of the result
	fill  func(*run) error // runs the query that fills the set; nil where it is filled
	held  int              // bytes counted for the query
}

// newSet makes a set of columns, whose types are its own.
func newSet(types []*column.Type) *set {
	s := &set{types: types}
	for _, t := range types {
		s.columns = append(s.columns, column.New(t, 0))
	}
	if len(types) == 1 && wordKind(types[0]) {
		s.words = &wordSet{}
	} else {
		s.keys = map[string]bool{}
	}
	return s
}

// wordKind tells whether a type's values are looked up as words.
func wordKind(t *column.Type) bool {
	w := t.FixedWidth()
	return w > 0 && w <= 8 && t.Kind != column.FixedString && t.Kind != column.Nullable
}

// add adds rows whose keep byte, if keep is not nil, is not 0.
func (s *set) add(cols []column.Column, rows int, keep []uint8) {
	full := make([]column.Column, len(cols))
	for i, c := range cols {
		full[i] = column.Plain(c)
	}
	if s.words != nil {
		var fresh []uint32 // rows whose value is new
		words := toWords(full[0], nil)
		for from := 0; from < len(words); from += aheadRows {
			part := words[from:min(from+aheadRows, len(words))]
			s.words.room(len(part))
			s.words.ahead(part)
			for i, w := range part {
				if (keep == nil || keep[from+i] != 0) && s.words.add(w) {
					fresh = append(fresh, uint32(from+i))
				}
			}
		}
		s.columns[0].AppendRange(full[0].Gather(fresh), 0, len(fresh))
		s.rows += len(fresh)
		return
	}
	var buf []byte
	for i := range rows {
		if keep != nil && keep[i] == 0 {
			continue
		}
		buf = buf[:0]
		for _, c := range full {
			buf = c.AppendKey(buf, i)
		}
		if !s.keys[string(buf)] {
			s.keys[string(buf)] = true
			for k, c := range full {
				s.columns[k].AppendRange(c, i, i+1)
			}
			s.rows++
		}
	}
}

// bytes is the memory held, roughly.
func (s *set) bytes() int {
	n := 0
	for _, c := range s.columns {
		n += c.Bytes()
	}
	if s.words != nil {
		return n + 8*len(s.words.cells)
	}
	return n + 48*len(s.keys)
}

// contains is the column of the IN operator for a batch of left sides.
func (s *set) contains(args []column.Column, rows int) (column.Column, error) {
	res, err := s.member(args[0], rows)
	if err != nil || res.Type().Equal(s.rtype) {
		return res, err
	}
	return column.Cast(res, s.rtype, column.CastPlain)
}

// member is contains before the result is given its type.
func (s *set) member(left column.Column, rows int) (column.Column, error) {
	if k, ok := left.(*column.Const); ok {
		one, err := s.member(k.Val, 1)
		if err != nil {
			return nil, err
		}
		return column.NewConst(one, rows), nil
	}
	if l, ok := left.(*column.LowCard); ok {
		return s.lowCard(l, rows)
	}
	cols := []column.Column{left}
	var nulls []uint8 // rows whose left side is NULL
	if n, ok := left.(*column.Null); ok && !s.nullIn {
		nulls, cols[0] = n.Nulls, n.Inner
	}
	if s.tuple {
		cols = append([]column.Column(nil), left.(*column.Tup).Elems...)
	}
	out := make([]uint8, rows)
	bad := make([]uint8, rows)
	anyBad := false
	for i, c := range cols {
		c = column.Plain(c)
		if n, ok := c.(*column.Null); ok && s.tuple && s.types[i].Kind != column.Nullable { // a NULL inside of a tuple
			for k, z := range n.Nulls {
				if z != 0 {
					bad[k], anyBad = 1, true
				}
			}
			c = n.Inner
		}
		if f := s.casts[i]; f != nil {
			v, err := f(c)
			if err != nil {
				return nil, err
			}
			c = v
		}
		if n, ok := c.(*column.Null); ok && s.types[i].Kind != column.Nullable { // a value that the set's type cannot hold, or a NULL inside of a tuple
			for k, z := range n.Nulls {
				if z != 0 {
					bad[k], anyBad = 1, true
				}
			}
			c = n.Inner
		}
		cols[i] = c
	}
	s.find(cols, rows, out)
	if anyBad {
		for i, b := range bad {
			out[i] &^= b
		}
	}
	if s.not {
		for i := range out {
			out[i] ^= 1
		}
	}
	res := column.Column(column.UInt8s(out...))
	if s.rtype.Kind == column.Nullable {
		if nulls == nil {
			nulls = make([]uint8, rows)
		}
		return column.NewNull(res, nulls), nil
	}
	for i, z := range nulls { // NULL IN (...) of a plain type is 0
		if z != 0 {
			out[i] = 0
		}
	}
	return res, nil
}

// lowCard looks up each value of the dictionary once.
func (s *set) lowCard(l *column.LowCard, rows int) (column.Column, error) {
	if l.Dict.Len() > rows {
		return s.member(l.Expand(), rows)
	}
	vals, err := s.member(l.Dict, l.Dict.Len())
	if err != nil {
		return nil, err
	}
	return column.Full(vals).Gather(l.Index), nil
}

func (s *set) find(cols []column.Column, rows int, out []uint8) {
	if s.words != nil {
		s.words.find(cols[0], out)
		return
	}
	var buf []byte
	for i := range rows {
		buf = buf[:0]
		for _, c := range cols {
			buf = c.AppendKey(buf, i)
		}
		if s.keys[unsafe.String(unsafe.SliceData(buf), len(buf))] {
			out[i] = 1
		}
	}
}

// wordSet is an open-addressing set of words.
type wordSet struct {
	cells []uint64 // 0 = free
	n     int
	zero  bool // 0 itself is in the set
}

func hashWord(x uint64) uint64 {
	x ^= x >> 32
	x *= 0xd6e8feb86659fd93
	x ^= x >> 32
	x *= 0xd6e8feb86659fd93
	return x ^ x>>32
}

// aheadRows are looked up together: the waits for memory of a large set overlap.
const aheadRows = 256

// ahead asks for the cells of words, of a set that does not lie in the caches.
func (s *wordSet) ahead(words []uint64) {
	if len(s.cells) < 1<<14 {
		return
	}
	var at [aheadRows]uint64
	mask := uint64(len(s.cells) - 1)
	for i, w := range words {
		at[i] = hashWord(w) & mask
	}
	mem.Prefetch(unsafe.Pointer(unsafe.SliceData(s.cells)), at[:len(words)], 3)
}

// room makes room for n words more.
func (s *wordSet) room(n int) {
	if 2*(s.n+n) <= len(s.cells) {
		return
	}
	old, size := s.cells, max(16, 2*len(s.cells))
	for 2*(s.n+n) > size {
		size *= 2
	}
	s.cells = make([]uint64, size)
	var words [aheadRows]uint64
	k := 0
	for _, c := range old {
		if c == 0 {
			continue
		}
		words[k] = c
		if k++; k == len(words) {
			s.putAll(words[:])
			k = 0
		}
	}
	s.putAll(words[:k])
}

// putAll puts words that are not in the table yet.
func (s *wordSet) putAll(words []uint64) {
	s.ahead(words)
	for _, w := range words {
		s.place(w)
	}
}

// add adds a word for which there is room; false where it is in the set already.
func (s *wordSet) add(w uint64) bool {
	if w == 0 {
		was := s.zero
		s.zero = true
		return !was
	}
	if !s.place(w) {
		return false
	}
	s.n++
	return true
}

func (s *wordSet) place(w uint64) bool {
	mask := uint64(len(s.cells) - 1)
	for i := hashWord(w) & mask; ; i = (i + 1) & mask {
		switch s.cells[i] {
		case 0:
			s.cells[i] = w
			return true
		case w:
			return false
		}
	}
}

func (s *wordSet) has(w uint64) uint8 {
	if w == 0 {
		if s.zero {
			return 1
		}
		return 0
	}
	if len(s.cells) == 0 {
		return 0
	}
	mask := uint64(len(s.cells) - 1)
	for i := hashWord(w) & mask; ; i = (i + 1) & mask {
		switch s.cells[i] {
		case 0:
			return 0
		case w:
			return 1
		}
	}
}

// fewWords is up to how many words a column is compared with each of them instead of being looked up.
const fewWords = 6

// few are the words of a small set, nil of a larger one.
func (s *wordSet) few() []uint64 {
	if s.n >= fewWords {
		return nil
	}
	words := make([]uint64, 0, fewWords)
	if s.zero {
		words = append(words, 0)
	}
	for _, w := range s.cells {
		if w != 0 {
			words = append(words, w)
		}
	}
	return words
}

// markFew marks the values that are one of a few words.
func markFew[T column.Number](out []uint8, data []T, words []uint64) {
	clear(out)
	var marks [4096]uint8
	for len(data) > 0 {
		n := min(len(data), len(marks))
		for _, w := range words {
			want := []T{T(w)}
			if uint64(want[0]) != w {
				continue // no value of this type
			}
			done := simd.Equal(marks[:n], data[:n], want, false, true)
			for i := simd.Or(out[:done], out, marks[:], false, false); i < done; i++ {
				out[i] |= marks[i]
			}
			for i := done; i < n; i++ {
				if data[i] == want[0] {
					out[i] = 1
				}
			}
		}
		data, out = data[n:], out[n:]
	}
}

func (s *wordSet) find(c column.Column, out []uint8) {
	if words := s.few(); words != nil {
		switch x := c.(type) {
		case *column.Num[uint8]:
			markFew(out, x.Data, words)
			return
		case *column.Num[uint16]:
			markFew(out, x.Data, words)
			return
		case *column.Num[uint32]:
			markFew(out, x.Data, words)
			return
		case *column.Num[uint64]:
			markFew(out, x.Data, words)
			return
		case *column.Num[int32]:
			markFew(out, x.Data, words)
			return
		case *column.Num[int64]:
			markFew(out, x.Data, words)
			return
		}
	}
	words := wordsOf(c)
	for from := 0; from < len(words); from += aheadRows {
		part := words[from:min(from+aheadRows, len(words))]
		s.ahead(part)
		for i, w := range part {
			out[from+i] = s.has(w)
		}
	}
}

// wordsOf is toWords, or the column's own memory.
func wordsOf(c column.Column) []uint64 {
	if x, ok := c.(*column.Num[uint64]); ok {
		return x.Data
	}
	return toWords(c, nil)
}

// toWords writes a column of fixed-width values as words, equal values as equal words.
func toWords(c column.Column, out []uint64) []uint64 {
	n := c.Len()
	if cap(out) < n {
		out = make([]uint64, n)
	}
	out = out[:n]
	switch x := c.(type) {
	case *column.Num[uint8]:
		widen(x.Data, out)
	case *column.Num[uint16]:
		widen(x.Data, out)
	case *column.Num[uint32]:
		widen(x.Data, out)
	case *column.Num[uint64]:
		copy(out, x.Data)
	case *column.Num[int8]:
		widen(x.Data, out)
	case *column.Num[int16]:
		widen(x.Data, out)
	case *column.Num[int32]:
		widen(x.Data, out)
	case *column.Num[int64]:
		widen(x.Data, out)
	case *column.Num[float32]:
		for i, v := range x.Data {
			out[i] = floatWord(float64(v))
		}
	case *column.Num[float64]:
		for i, v := range x.Data {
			out[i] = floatWord(v)
		}
	default:
		panic("query: words of a column of type " + c.Type().String())
	}
	return out
}

func widen[T interface {
	~uint8 | ~uint16 | ~uint32 | ~int8 | ~int16 | ~int32 | ~int64
}](in []T, out []uint64) {
	for i, v := range in {
		out[i] = uint64(v)
	}
}

func floatWord(v float64) uint64 {
	switch {
	case v == 0:
		return 0
	case v != v:
		return math.Float64bits(column.NaN())
	}
	return math.Float64bits(v)
}

// setLimit counts a set that has grown and checks max_rows_in_set. more is false where set_overflow_mode says that it is to grow no further.
func (q *run) setLimit(s *set) (more bool, err error) {
	more = true
	if m := q.settings.number("max_rows_in_set", 0); m > 0 && uint64(s.rows) > m {
		if more = q.settings.text("set_overflow_mode", "throw") != "break"; more {
			return false, errcode.New(errcode.SetSizeLimitExceeded, "Limit for IN-set exceeded, max rows: %d, current rows: %d", m, s.rows)
		}
	}
	bytes := s.bytes()
	err = q.reserve(bytes - s.held)
	s.held = bytes
	return more, err
}
