package query

import (
	"encoding/binary"
	"math"
	"slices"

	"dictsvc/column"
	"dictsvc/errcode"
)

// sort orders the rows by keys; the first top rows are enough, -1: all. count adds the rows to the query's
// statistics. Each stream is sorted by a worker of its own, then they are merged.
func (c *chain) sort(order []sortKey, top int, count bool) {
	keys := make([]sortPlace, len(order))
	for i, k := range order {
		keys[i] = sortPlace{at: c.at.index[k.node], desc: k.desc, nulls: 1}
		if k.desc != k.nullsFirst { // Compare has NULL as the greatest or the least value; the direction turns it round
			keys[i].nulls = -1
		}
	}
	keys = slices.DeleteFunc(keys, func(k sortPlace) bool { return c.at.nodes[k.at].isConst() })
	if len(keys) == 0 {
		c.single()
		return
	}
	s := &sortStream{count: count, ins: c.streams, keys: keys, top: top, ex: c.ex, blockSize: c.blockSize, maxRows: c.ex.q.settings.number("max_rows_to_sort", 0),
		breaks: c.ex.q.settings.text("sort_overflow_mode", "throw") == "break"}
	c.streams = []stream{s}
}

// sortPlace is a sort key's column.
type sortPlace struct {
	at    int
	desc  bool
	nulls int // for Compare
}

// sortStream sorts all rows of its inputs when the first batch is asked for.
type sortStream struct {
	ins       []stream
	keys      []sortPlace
	top       int
	ex        *exec
	blockSize int
	maxRows   uint64
	breaks    bool // at maxRows the rows end: sort_overflow_mode
	count     bool
	run       *sortedRun // all rows, once they are sorted
	started   bool
	at, left  int // of its rows: those that have been given, and how many there are to come
}

// sortedRun is sorted rows: columns, and the order in which their rows come.
type sortedRun struct {
	keys  []sortPlace
	cols  []column.Column
	words []sortWord
}

// sortWord is a row with the beginning of its first key as a word that orders like it (equal words say nothing).
type sortWord struct {
	word uint64
	row  uint32
}

func (s *sortStream) next() (*batch, error) {
	if !s.started {
		if err := s.load(); err != nil {
			return nil, err
		}
	}
	if s.left == 0 {
		return nil, nil
	}
	n, r := min(s.blockSize, s.left), s.run
	rows := make([]uint32, n)
	for i := range rows {
		rows[i] = r.words[s.at+i].row
	}
	s.at += n
	s.left -= n
	out := &batch{rows: n}
	for _, c := range r.cols {
		out.cols = append(out.cols, c.Gather(rows))
	}
	return out, nil
}

func (s *sortStream) load() error {
	s.started = true
	runs := make([]*sortedRun, len(s.ins))
	err := s.ex.parallel(len(s.ins), func(w int) error {
		r, err := s.sortOne(s.ins[w])
		runs[w] = r
		return err
	})
	if err != nil {
		return err
	}
	runs = slices.DeleteFunc(runs, func(r *sortedRun) bool { return r == nil || len(r.words) == 0 })
	if len(runs) == 0 {
		return nil
	}
	if s.run, err = s.merge(runs); err != nil {
		return err
	}
	s.left = len(s.run.words)
	if s.top >= 0 {
		s.left = min(s.left, s.top)
	}
	return nil
}

// sortOne reads a stream to its end and sorts it.
func (s *sortStream) sortOne(in stream) (*sortedRun, error) {
	w := &sortWorker{sortStream: s, cut: math.MaxInt}
	if s.top >= 0 && s.top < 1<<20 {
		w.cut = max(8*s.top, 4096)
	}
	for {
		b, err := in.next()
		if err != nil {
			return nil, err
		}
		if b == nil {
			break
		}
		if err := s.ex.q.tick(); err != nil {
			return nil, err
		}
		if s.count {
			s.ex.q.rowsBeforeLimit.Add(uint64(b.rows))
		}
		over := s.maxRows > 0 && uint64(w.rows+b.rows) > s.maxRows
		for from := 0; from < b.rows; {
			part := b
			if w.best == nil && b.rows > w.cut { // what the beginning of the first block has tells of the rest what can be passed over
				part = b.slice(from, min(from+w.cut/2, b.rows))
			} else if from > 0 {
				part = b.slice(from, b.rows)
			}
			if err := w.add(part); err != nil {
				return nil, err
			}
			from += part.rows
		}
		if over {
			break
		}
	}
	if w.rows == 0 {
		return nil, nil
	}
	return s.order(w.blocks, w.rows)
}

// sortWorker collects the rows of one stream. With a limit they are sorted and cut to it each time they have become many.
type sortWorker struct {
	*sortStream
	blocks []*batch
	rows   int
	held   int
	cut    int
	best   *sortedRun // the best rows so far: those behind its last one need not be kept
	topFilter
}

func (w *sortWorker) add(b *batch) error {
	if w.maxRows > 0 && uint64(w.rows+b.rows) > w.maxRows && !w.breaks {
		return errcode.New(errcode.TooManyRowsOrBytes, "Limit for rows to sort exceeded, max rows: %d, current rows: %d", w.maxRows, w.rows+b.rows)
	}
	if w.best != nil && len(w.best.words) == w.top && w.top > 0 {
		if b = w.better(b, w.best); b.rows == 0 {
			return nil
		}
	}
	w.blocks = append(w.blocks, b)
	w.rows += b.rows
	n := b.bytes() + 16*b.rows
	w.held += n
	if err := w.ex.q.reserve(n); err != nil {
		return err
	}
	if w.rows < w.cut {
		return nil
	}
	var err error
	if w.best, err = w.order(w.blocks, w.rows); err != nil {
		return err
	}
	one := w.best.batch()
	w.blocks, w.rows = []*batch{one}, one.rows
	_ = w.ex.q.reserve(one.bytes() - w.held)
	w.held = one.bytes()
	return nil
}

// order makes a sorted run of blocks.
func (s *sortStream) order(blocks []*batch, rows int) (*sortedRun, error) {
	r := &sortedRun{keys: s.keys}
	if len(blocks) == 1 {
		for _, c := range blocks[0].cols {
			r.cols = append(r.cols, column.Full(c))
		}
	} else {
		r.cols = make([]column.Column, len(blocks[0].cols))
		for i := range r.cols {
			if v, ok := sameConst(blocks, i); ok {
				r.cols[i] = column.NewConst(v, rows).Expand()
				continue
			}
			c := blocks[0].cols[i].New(rows)
			for _, b := range blocks {
				if err := s.ex.check(); err != nil {
					return nil, err
				}
				c.AppendRange(column.Full(b.cols[i]), 0, b.rows)
			}
			r.cols[i] = c
		}
	}
	var err error
	if r.words, err = sortRows(r.cols, s.keys, rows, s.ex.check); err != nil {
		return nil, err
	}
	if s.top >= 0 && len(r.words) > s.top {
		r.words = r.words[:s.top]
	}
	return r, nil
}

// sameConst tells whether a column is the same constant in all blocks.
func sameConst(blocks []*batch, i int) (column.Column, bool) {
	first, ok := blocks[0].cols[i].(*column.Const)
	if !ok {
		return nil, false
	}
	for _, b := range blocks[1:] {
		if k, ok := b.cols[i].(*column.Const); !ok || k.Val != first.Val {
			return nil, false
		}
	}
	return first.Val, true
}

// batch is the run's rows in order.
func (r *sortedRun) batch() *batch {
	rows := make([]uint32, len(r.words))
	for i, w := range r.words {
		rows[i] = w.row
	}
	out := &batch{rows: len(rows)}
	for _, c := range r.cols {
		out.cols = append(out.cols, c.Gather(rows))
	}
	return out
}

// sortWords writes the words of a key column; exact tells that equal words are equal values.
func sortWords(c column.Column, k sortPlace, out []sortWord) (exact bool) {
	var nulls []uint8
	if n, ok := c.(*column.Null); ok {
		nulls, c = n.Nulls, n.Inner
	}
	exact = nulls == nil
	switch x := c.(type) {
	case *column.Num[uint8]:
		unsignedWords(x.Data, out)
	case *column.Num[uint16]:
		unsignedWords(x.Data, out)
	case *column.Num[uint32]:
		unsignedWords(x.Data, out)
	case *column.Num[uint64]:
		unsignedWords(x.Data, out)
	case *column.Num[int8]:
		signedWords(x.Data, out)
	case *column.Num[int16]:
		signedWords(x.Data, out)
	case *column.Num[int32]:
		signedWords(x.Data, out)
	case *column.Num[int64]:
		signedWords(x.Data, out)
	case *column.Num[float32]:
		floatWords(x.Data, k.nulls, out)
	case *column.Num[float64]:
		floatWords(x.Data, k.nulls, out)
	case *column.Str:
		for i := range out {
			out[i].word = prefixWord(x.At(i))
		}
		exact = false
	default:
		exact = false
	}
	for i := range out {
		out[i].row = uint32(i)
		if nulls != nil && nulls[i] != 0 {
			out[i].word = 0
			if k.nulls > 0 {
				out[i].word = math.MaxUint64
			}
		}
		if k.desc {
			out[i].word = ^out[i].word
		}
	}
	return exact
}

func unsignedWords[T ~uint8 | ~uint16 | ~uint32 | ~uint64](data []T, out []sortWord) {
	for i, v := range data {
		out[i].word = uint64(v)
	}
}

func signedWords[T ~int8 | ~int16 | ~int32 | ~int64](data []T, out []sortWord) {
	for i, v := range data {
		out[i].word = uint64(v) ^ 1<<63
	}
}

func floatWords[T ~float32 | ~float64](data []T, nulls int, out []sortWord) {
	for i, v := range data {
		f := float64(v)
		switch {
		case f != f:
			out[i].word = 0
			if nulls > 0 {
				out[i].word = math.MaxUint64
			}
		case f == 0:
			out[i].word = 1 << 63
		default:
			b := math.Float64bits(f)
			if b>>63 != 0 {
				b = ^b
			} else {
				b |= 1 << 63
			}
			out[i].word = b
		}
	}
}

// prefixWord is the first eight bytes of a string as a word.
func prefixWord(s []byte) uint64 {
	if len(s) >= 8 {
		return binary.BigEndian.Uint64(s)
	}
	var b [8]byte
	copy(b[:], s)
	return binary.BigEndian.Uint64(b[:])
}
