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

// at is the image of a row.
func (s *keyImages) at(row uint64) []byte {
	chunk, r := int(row>>chunkShift), row&(chunkRows-1)
	if s.width > 0 {
		if chunk == len(s.fixed) { // not packed yet
			return s.data[int(r)*s.width : int(r+1)*s.width]
		}
		return unsafe.Slice((*byte)(unsafe.Add(s.fixed[chunk], r*uint64(s.width))), s.width)
	}
	if chunk == len(s.chunks) {
		return s.data[s.begin(int(r)):s.ends[r]]
	}
	c := &s.chunks[chunk]
	from, to := c.place(r)
	return unsafe.Slice((*byte)(unsafe.Add(c.data, from)), to-from)
}

// ends is where the memory lies that at reads for a row of a sealed store: of its ends, or of its image where those are not needed.
func (s *keyImages) endsAt(row uint64) uintptr {
	chunk, r := row>>chunkShift, row&(chunkRows-1)
	switch {
	case s.width > 0:
		return uintptr(s.fixed[chunk]) + uintptr(r)*uintptr(s.width)
	case s.chunks[chunk].lines != nil:
		return uintptr(s.chunks[chunk].lines) + uintptr(r/lineRows*uint64(unsafe.Sizeof(line{})))
	}
	return uintptr(s.chunks[chunk].wide) + uintptr(8*r)
}

// verify clears found for those keys of a batch whose row has another image, and calls other for them. The memory is asked for a batch at
// a time: first where images are, then the images.
func (s *keyImages) verify(b *keyBatch, rows []uint64, found []uint8, other func(i int)) {
	var lines [2 * batch]uint64
	var images [batch][]byte
	for from := 0; from < b.n; from += batch {
		to := min(from+batch, b.n)
		n := 0
		for i := from; i < to; i++ {
			if found[i] != 0 {
				lines[n] = uint64(s.endsAt(rows[i])) >> 6
				n++
			}
		}
		mem.Prefetch(nil, lines[:n], 6)
		n = 0
		for i := from; i < to; i++ {
			if found[i] == 0 {
				continue
			}
			image := s.at(rows[i])
			images[i-from] = image
			if len(image) > 0 {
				first := uint64(uintptr(unsafe.Pointer(unsafe.SliceData(image))))
				lines[n], lines[n+1] = first>>6, (first+uint64(len(image))-1)>>6
				n += 2
			}
		}
		mem.Prefetch(nil, lines[:n], 6)
		for i := from; i < to; i++ {
			if found[i] != 0 && string(images[i-from]) != string(b.image(i)) {
				found[i] = 0
				other(i)
			}
		}
	}
}

func (s *keyImages) heap() int { return s.strStore.heap() + 8*cap(s.fixed) }
