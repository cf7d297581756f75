package dict

import (
	"unsafe"

	"dictsvc/internal/mem"
)

// keyImages holds the images of keys by row number, in chunks like an attribute's strings. Images of one width need no ends.
type keyImages struct {
	strStore
	width int
	fixed []unsafe.Pointer // chunks of images of one width
}

func newKeyImages(m memory, width int) *keyImages {
	return &keyImages{strStore: strStore{mem: m}, width: width}
}

// addBatch appends the images of a batch.
func (s *keyImages) addBatch(b *keyBatch) error {
	for i := range b.n {
		if err := s.put(b.image(i)); err != nil {
			return err
		}
	}
	return nil
}

func (s *keyImages) put(image []byte) error {
	if s.width == 0 {
		return s.putPlain(image)
	}
	s.data = append(s.data, image...)
	if len(s.data) == s.width<<chunkShift {
		return s.packFixed()
	}
	return nil
}

func (s *keyImages) packFixed() error {
	b, err := s.mem.Alloc(len(s.data))
	if err != nil {
		return err
	}
	copy(b, s.data)
	s.fixed = append(s.fixed, unsafe.Pointer(unsafe.SliceData(b)))
	s.data = s.data[:0]
	return nil
}

func (s *keyImages) seal() error {
	if s.width == 0 {
		return s.strStore.seal()
	}
	var err error
	if len(s.data) > 0 {
		err = s.packFixed()
	}
	s.data = nil
	return err
}

// image is the image of a row of a sealed store, in buf where it stands in pieces.
func (s *keyImages) image(row uint64, buf []byte) []byte { return s.span(row).bytes(buf) }

// same tells whether two rows of a sealed store have one image.
func (s *keyImages) same(a, b uint64) bool {
	var buf [64]byte
	return s.span(a).equal(s.image(b, buf[:0]))
}

func (s *keyImages) span(row uint64) span {
	r := row & (chunkRows - 1)
	if s.width > 0 {
		return span{p: unsafe.Add(s.fixed[row>>chunkShift], r*uint64(s.width)), n: uint64(s.width)}
	}
	c := &s.chunks[row>>chunkShift]
	from, to := c.place(r)
	return span{unsafe.Add(c.data, from), to - from, c.affix}
}

// verify clears found for those keys of a batch whose row has another image, and calls other for them.
func (s *keyImages) verify(b *keyBatch, rows []uint64, found []uint8, other func(i int)) {
	var images [batch]span
	s.askImages(rows[:min(batch, b.n)], found)
	for from := 0; from < b.n; from += batch {
		to := min(from+batch, b.n)
		s.askImages(rows[to:min(to+batch, b.n)], found[to:])
		if s.width > 0 {
			for i, row := range rows[from:to] {
				if found[from+i] != 0 {
					images[i] = s.span(row)
				}
			}
		} else {
			s.find(rows[from:to], found[from:], span{}, &images)
		}
		for i := from; i < to; i++ {
			if found[i] != 0 && !images[i-from].equal(b.image(i)) {
				found[i] = 0
				other(i)
			}
		}
	}
}

// askImages asks for what leads to the images of rows: their offsets, or themselves where all have one width.
func (s *keyImages) askImages(rows []uint64, found []uint8) {
	if s.width == 0 {
		s.ask(rows, found)
		return
	}
	var ask [batch]uint64
	n := 0
	for i, row := range rows {
		if found[i] != 0 {
			ask[n] = address(s.span(row).p)
			n++
		}
	}
	mem.Prefetch(nil, ask[:n], 0)
}

func (s *keyImages) heap() int { return s.strStore.heap() + 8*cap(s.fixed) }
