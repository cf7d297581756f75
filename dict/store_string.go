package dict

import (
	"unsafe"

	"dictsvc/column"
	"dictsvc/internal/mem"
)

// lineRows is the number of end offsets that share a 64-byte line with their base.
const lineRows = 30

// line places lineRows strings of a chunk: string i begins at base + the end before it.
type line struct {
	base uint32
	ends [lineRows]uint16
}

// strChunk is up to chunkRows strings. Where a line's strings take more than 65,535 bytes, or the chunk more than 4 GiB, wide holds 8-byte ends instead of lines.
type strChunk struct {
	data  unsafe.Pointer
	lines unsafe.Pointer // *line
	wide  unsafe.Pointer // *uint64
	affix *affix         // what all strings of the chunk begin and end with, which is not in data; nil where that is not much
}

// offsets is where the offsets of row r are.
func (c *strChunk) offsets(r uint64) unsafe.Pointer {
	r &= chunkRows - 1
	if c.lines != nil {
		return unsafe.Add(c.lines, r/lineRows*uint64(unsafe.Sizeof(line{})))
	}
	return unsafe.Add(c.wide, 8*r)
}

// place returns where row r of the chunk lies in its data.
func (c *strChunk) place(r uint64) (from, to uint64) {
	r &= chunkRows - 1
	if c.lines != nil {
		l := (*line)(unsafe.Add(c.lines, r/lineRows*uint64(unsafe.Sizeof(line{}))))
		k := r % lineRows
		from = uint64(l.base)
		if k > 0 {
			from += uint64(l.ends[k-1])
		}
		return from, uint64(l.base) + uint64(l.ends[k])
	}
	if r > 0 {
		from = *(*uint64)(unsafe.Add(c.wide, 8*(r-1)))
	}
	return from, *(*uint64)(unsafe.Add(c.wide, 8*r))
}

// strStore holds strings: as codes into a list while few are distinct, else one after another.
type strStore struct {
	mem    memory
	codes  *codeList  // nil once there are too many distinct strings
	coded  []bitChunk // chunks of codes
	tailC  []uint16
	chunks []strChunk
	data   []byte // rows not packed yet
	ends   []uint64
	whole  bool // readers need the bytes of a string together
}

func (s *strStore) add(c column.Column, from, to int) error {
	str := column.Plain(c).(*column.Str)
	for i := from; i < to; i++ {
		if err := s.put(str.At(i)); err != nil {
			return err
		}
	}
	return nil
}

func (s *strStore) put(b []byte) error {
	if s.codes != nil {
		code, ok := s.codes.code(b)
		if ok {
			s.tailC = append(s.tailC, code)
			if len(s.tailC) == chunkRows {
				return s.packCodes()
			}
			return nil
		}
		if err := s.uncode(); err != nil {
			return err
		}
	}
	return s.putPlain(b)
}

func (s *strStore) putPlain(b []byte) error {
	s.data = append(s.data, b...)
	s.ends = append(s.ends, uint64(len(s.data)))
	if len(s.ends) == chunkRows {
		return s.pack()
	}
	return nil
}

// uncode writes out what has been held as codes and goes on without them.
func (s *strStore) uncode() error {
	list, coded, tail := s.codes, s.coded, s.tailC
	s.codes, s.coded, s.tailC = nil, nil, nil
	for i := range coded {
		for r := uint64(0); r < chunkRows; r++ {
			if err := s.putPlain(list.at(coded[i].at(r))); err != nil {
				return err
			}
		}
	}
	for _, code := range tail {
		if err := s.putPlain(list.at(uint64(code))); err != nil {
			return err
		}
	}
	return nil
}

func (s *strStore) packCodes() error {
	top := uint16(0)
	for _, code := range s.tailC {
		top = max(top, code)
	}
	c, err := packBits(s.mem, 0, uint64(top), len(s.tailC), func(i int) uint64 { return uint64(s.tailC[i]) })
	if err != nil {
		return err
	}
	s.coded = append(s.coded, c)
	s.tailC = s.tailC[:0]
	return nil
}

func (s *strStore) pack() error {
	n := len(s.ends)
	a := s.takeAffix()
	wide := len(s.data) > 1<<32-1
	for i := 0; i < n && !wide; i += lineRows {
		wide = s.ends[min(i+lineRows, n)-1]-s.begin(i) > 1<<16-1
	}
	c := strChunk{affix: a}
	if len(s.data) > 0 {
		b, err := s.mem.Alloc(len(s.data) + readSlack)
		if err != nil {
			return err
		}
		copy(b, s.data)
		c.data = unsafe.Pointer(unsafe.SliceData(b))
	} else {
		c.data = unsafe.Pointer(&noBytes)
	}
	if wide {
		b, err := s.mem.Alloc(8 * n)
		if err != nil {
			return err
		}
		c.wide = unsafe.Pointer(unsafe.SliceData(b))
		copy(unsafe.Slice((*uint64)(c.wide), n), s.ends)
	} else {
		lines := (n + lineRows - 1) / lineRows
		b, err := s.mem.Alloc(lines * int(unsafe.Sizeof(line{})))
		if err != nil {
			return err
		}
		c.lines = unsafe.Pointer(unsafe.SliceData(b))
		all := unsafe.Slice((*line)(c.lines), lines)
		for i := range all {
			s.fill(&all[i], i*lineRows)
		}
	}
	s.chunks = append(s.chunks, c)
	s.data, s.ends = s.data[:0], s.ends[:0]
	return nil
}

// noBytes is what is read (and overwritten) of strings in a chunk of empty ones.
var noBytes [readSlack]byte

func (s *strStore) begin(i int) uint64 {
	if i == 0 {
		return 0
	}
	return s.ends[i-1]
}

func (s *strStore) fill(l *line, first int) {
	base := s.begin(first)
	l.base = uint32(base)
	for k, e := range s.ends[first:min(first+lineRows, len(s.ends))] {
		l.ends[k] = uint16(e - base)
	}
}

func (s *strStore) seal() error {
	var err error
	switch {
	case len(s.tailC) > 0:
		err = s.packCodes()
	case len(s.ends) > 0:
		err = s.pack()
	}
	if s.codes != nil {
		s.codes.seal()
	}
	s.data, s.ends, s.tailC = nil, nil, nil
	return err
}

func (s *strStore) gather(dst column.Column, rows []uint64, found []uint8, def column.Column) {
	d, missing := dst.(*column.Str), def.(*column.Str).At(0)
	ends := extend(&d.Ends, len(rows))
	s.each(rows, found, missing, func(part []span) { ends = appendSpans(d, ends, part) })
}

// appendSpans appends strings whose ends go to the head of ends, the ends of all that will be appended, and returns the rest of it.
func appendSpans(d *column.Str, ends []uint64, part []span) []uint64 {
	size := uint64(0)
	for i := range part {
		size += part[i].len()
	}
	at := len(d.Data)
	if at+int(size)+2*readSlack > cap(d.Data) {
		parts := len(ends)/len(part) + 1 // like this one; an eighth more saves a second growth
		more := max(int(size), min(int(size)*parts*9/8, maxGuess), at/4)
		if at+more > column.MaxColumnBytes {
			more = int(size)
		}
		d.Reserve(more+2*readSlack, 0)
	}
	out := unsafe.Pointer(unsafe.SliceData(d.Data))
	for i := range part {
		s := part[i]
		if a := s.affix; a != nil {
			copySpan(unsafe.Add(out, at), a.prefix)
			at += int(a.prefix.n)
			copySpan(unsafe.Add(out, at), s)
			at += int(s.n)
			s = a.suffix
		}
		copySpan(unsafe.Add(out, at), s)
		at += int(s.n)
		ends[i] = uint64(at)
	}
	d.Data = d.Data[:at]
	return ends[len(part):]
}

// maxGuess bounds what is taken at once on the guess that all strings are as long as the first.
const maxGuess = 64 << 20

// readSlack is how many bytes may be read behind a string: short ones are copied as 16 bytes, or twice that, whatever their length.
const readSlack = 16

// copySpan copies a string to a place with 2*readSlack bytes of room behind it.
func copySpan(to unsafe.Pointer, s span) {
	if s.n > 2*readSlack {
		copy(unsafe.Slice((*byte)(to), s.n), unsafe.Slice((*byte)(s.p), s.n))
		return
	}
	*(*[readSlack]byte)(to) = *(*[readSlack]byte)(s.p)
	if s.n > readSlack {
		*(*[readSlack]byte)(unsafe.Add(to, readSlack)) = *(*[readSlack]byte)(unsafe.Add(s.p, readSlack))
	}
}

// span is a string in a chunk.
type span struct {
	p     unsafe.Pointer
	n     uint64
	affix *affix // what stands before and behind; may be nil
}

// slackSpan is a copy of a string with room to read behind it.
func slackSpan(b []byte) span {
	c := append(make([]byte, 0, len(b)+readSlack), b...)
	return span{p: unsafe.Pointer(unsafe.SliceData(c)), n: uint64(len(b))}
}

// batch is how many rows go through each stage at once.
const batch = 64

// each hands out the bytes of the rows, a batch at a time. Three batches are under way: while the strings of one are handed out, those of the next are on
// their way from memory, and so are the offsets of the one behind it.
func (s *strStore) each(rows []uint64, found []uint8, missing []byte, f func([]span)) {
	absent := slackSpan(missing)
	var spans [2][batch]span
	s.ask(rows[:min(batch, len(rows))], found)
	held := 0 // rows whose strings have been asked for
	for turn := 0; held > 0 || len(rows) > 0; turn ^= 1 {
		n := min(batch, len(rows))
		s.ask(rows[n:min(n+batch, len(rows))], found[n:])
		now := &spans[turn]
		s.find(rows[:n], found, absent, now)
		if held > 0 {
			f(spans[turn^1][:held])
		}
		held, rows, found = n, rows[n:], found[n:]
	}
}

// near tells whether rows seem to follow each other, as they do where keys are looked up in the order of their loading: the processor then asks by itself.
func near(rows []uint64) bool {
	return len(rows) == 0 || rows[len(rows)-1]-rows[0] < 2*uint64(len(rows))
}

// address is how mem.Prefetch takes places that have no base in common.
func address(p unsafe.Pointer) uint64 { return uint64(uintptr(p)) }

// ask asks for the offsets, or codes, of rows.
func (s *strStore) ask(rows []uint64, found []uint8) {
	if near(rows) {
		return
	}
	var ask [batch]uint64
	n := 0
	for i, row := range rows {
		if found[i] == 0 {
			continue
		}
		if s.codes != nil {
			ask[n] = address(s.coded[row>>chunkShift].place(row))
		} else {
			ask[n] = address(s.chunks[row>>chunkShift].offsets(row))
		}
		n++
	}
	mem.Prefetch(nil, ask[:n], 0)
}

// find finds the rows' strings and asks for them.
func (s *strStore) find(rows []uint64, found []uint8, absent span, out *[batch]span) {
	if s.codes != nil {
		for i, row := range rows {
			out[i] = absent
			if found[i] != 0 {
				out[i] = s.codes.span(s.coded[row>>chunkShift].at(row))
			}
		}
		return
	}
	var ask [2 * batch]uint64
	n := 0
	for i, row := range rows {
		if found[i] == 0 {
			out[i] = absent
			continue
		}
		c := &s.chunks[row>>chunkShift]
		from, to := c.place(row)
		out[i] = span{unsafe.Add(c.data, from), to - from, c.affix}
		at := address(out[i].p)
		ask[n] = at
		n++
		if last := at + (to - from) - 1; to > from && (last^at)>>6 != 0 { // it reaches into another line
			ask[n] = last
			n++
		}
	}
	mem.Prefetch(nil, ask[:n], 0)
}

func (s *strStore) heap() int {
	n := cap(s.coded)*int(unsafe.Sizeof(bitChunk{})) + cap(s.chunks)*int(unsafe.Sizeof(strChunk{}))
	if s.codes != nil {
		n += s.codes.bytes()
	}
	for i := range s.chunks {
		n += s.chunks[i].affix.bytes()
	}
	return n
}

// codeList numbers distinct strings.
type codeList struct {
	data  []byte
	ends  []uint32
	index map[string]uint16 // gone once sealed
	rows  int
}

// A column keeps its codes as long as it has at most maxCodes distinct strings and, once codeTrial rows have come, at most half as many as rows.
const (
	maxCodes     = 1 << 16
	maxCodeBytes = 64 << 20
	codeTrial    = 4096
)

func newCodeList() *codeList { return &codeList{index: map[string]uint16{}} }

// code returns the number of b; false where codes do not pay.
func (l *codeList) code(b []byte) (uint16, bool) {
	l.rows++
	if c, ok := l.index[unsafe.String(unsafe.SliceData(b), len(b))]; ok {
		return c, true
	}
	n := len(l.ends)
	if n == maxCodes || l.rows > codeTrial && 2*n > l.rows || len(l.data)+len(b) > maxCodeBytes {
		return 0, false
	}
	l.data = append(l.data, b...)
	l.ends = append(l.ends, uint32(len(l.data)))
	l.index[string(b)] = uint16(n)
	return uint16(n), true
}

func (l *codeList) at(code uint64) []byte {
	from := uint32(0)
	if code > 0 {
		from = l.ends[code-1]
	}
	return l.data[from:l.ends[code]:l.ends[code]]
}

// span is at in a sealed list, which has room behind its last string.
func (l *codeList) span(code uint64) span {
	b := l.at(code)
	return span{p: unsafe.Pointer(unsafe.SliceData(b)), n: uint64(len(b))}
}

func (l *codeList) seal() {
	l.index = nil
	l.data = append(l.data, make([]byte, readSlack)...)
}

func (l *codeList) bytes() int { return cap(l.data) + 4*cap(l.ends) }

// imageStore holds values of any other type by their serialised image.
type imageStore struct{ strStore }

func (s *imageStore) add(c column.Column, from, to int) error {
	c = column.Full(c)
	var buf []byte
	for i := from; i < to; i++ {
		buf = column.AppendImage(buf[:0], c, i)
		if err := s.putPlain(buf); err != nil {
			return err
		}
	}
	return nil
}

func (s *imageStore) gather(dst column.Column, rows []uint64, found []uint8, def column.Column) {
	missing := column.AppendImage(nil, def, 0)
	s.each(rows, found, missing, func(part []span) {
		for _, p := range part {
			dst.ReadKey(unsafe.Slice((*byte)(p.p), p.n))
		}
	})
}

// nullStore holds a Nullable attribute: a bit a row in chunks that have a NULL, and the values.
type nullStore struct {
	mem    memory
	inner  store
	chunks []unsafe.Pointer // a bitmap of chunkRows bits, nil without NULLs
	tail   []uint8
}

func (s *nullStore) add(c column.Column, from, to int) error {
	n := column.Plain(c).(*column.Null)
	if err := s.inner.add(n.Inner, from, to); err != nil {
		return err
	}
	for _, v := range n.Nulls[from:to] {
		s.tail = append(s.tail, v)
		if len(s.tail) == chunkRows {
			if err := s.pack(); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *nullStore) pack() error {
	defer func() { s.tail = s.tail[:0] }()
	if column.Count(s.tail) == 0 {
		s.chunks = append(s.chunks, nil)
		return nil
	}
	b, err := s.mem.Alloc((len(s.tail) + 63) / 64 * 8)
	if err != nil {
		return err
	}
	clear(b)
	for i, v := range s.tail {
		if v != 0 {
			b[i>>3] |= 1 << (i & 7)
		}
	}
	s.chunks = append(s.chunks, unsafe.Pointer(unsafe.SliceData(b)))
	return nil
}

func (s *nullStore) seal() error {
	if len(s.tail) > 0 {
		if err := s.pack(); err != nil {
			return err
		}
	}
	s.tail = nil
	return s.inner.seal()
}

func (s *nullStore) gather(dst column.Column, rows []uint64, found []uint8, def column.Column) {
	d, missing := dst.(*column.Null), def.(*column.Null)
	s.inner.gather(d.Inner, rows, found, missing.Inner)
	nulls := extend(&d.Nulls, len(rows))
	for i, row := range rows {
		nulls[i] = missing.Nulls[0]
		if found[i] == 0 {
			continue
		}
		nulls[i] = 0
		if p := s.chunks[row>>chunkShift]; p != nil {
			r := row & (chunkRows - 1)
			nulls[i] = *(*uint8)(unsafe.Add(p, r>>3)) >> (r & 7) & 1
		}
	}
}

func (s *nullStore) heap() int { return 8*cap(s.chunks) + s.inner.heap() }
