package bitmap

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"dictsvc/column"
	"dictsvc/errcode"

	"github.com/RoaringBitmap/roaring/v2"
)

// A set's bytes: 0, the number of values and the values of a list; 1, a length and so many bytes of a bitmap, which are Roaring's portable format with
// run containers where they are smaller. 64-bit values have a map: the number of bitmaps in 8 bytes, then each behind its high half.

// bytesMost is the longest bitmap that ClickHouse reads.
const bytesMost = 100 << 30

// Append appends the bytes of a set. last tells that the set is not used again and may be rebuilt for it.
func (s *Set) Append(buf []byte, last bool) []byte {
	if !s.large {
		buf = binary.AppendUvarint(append(buf, 0), uint64(len(s.small)))
		for _, v := range s.small {
			var raw [8]byte
			binary.LittleEndian.PutUint64(raw[:], v)
			buf = append(buf, raw[:s.kind.Bytes]...)
		}
		return buf
	}
	parts := s.parts
	if len(parts) == 0 && s.kind.Bytes < 8 {
		parts = []*roaring.Bitmap{roaring.New()}
	}
	size := uint64(0)
	for i, p := range parts {
		if !last {
			if i == 0 {
				parts = slices.Clone(parts)
			}
			p = p.Clone()
			parts[i] = p
		}
		p.RunOptimize()
		size += p.GetSerializedSizeInBytes()
	}
	if s.kind.Bytes == 8 {
		size += 8 + 4*uint64(len(parts))
	}
	buf = binary.AppendUvarint(append(buf, 1), size)
	if s.kind.Bytes == 8 {
		buf = binary.LittleEndian.AppendUint64(buf, uint64(len(parts)))
	}
	w := sink{slices.Grow(buf, int(size))}
	for i, p := range parts {
		if s.kind.Bytes == 8 {
			w.buf = binary.LittleEndian.AppendUint32(w.buf, s.keys[i])
		}
		if _, err := p.WriteTo(&w); err != nil { // a sink never fails
			panic(err)
		}
	}
	return w.buf
}

// sink appends what is written.
type sink struct{ buf []byte }

func (w *sink) Write(p []byte) (int, error) {
	w.buf = append(w.buf, p...)
	return len(p), nil
}

// Read reads a set. With share it may go on using the reader's bytes, which must not change then.
func Read(r *column.StateReader, k Kind, share bool) (Set, error) {
	s := New(k)
	switch form := r.U8(); {
	case r.Err() != nil:
	case form == 0:
		n := r.Uvarint()
		if r.Err() == nil && n > smallMost {
			return s, r.Corrupt("A small set of groupBitmap cannot have %d values", n)
		}
		for ; n > 0 && r.Err() == nil; n-- {
			var raw [8]byte
			copy(raw[:], r.Bytes(k.Bytes))
			s.small = append(s.small, binary.LittleEndian.Uint64(raw[:]))
		}
	case form == 1:
		n := r.Uvarint()
		switch {
		case r.Err() != nil:
		case n == 0:
			return s, r.Corrupt("Incorrect size (0) in groupBitmap")
		case n > bytesMost || n > math.MaxInt:
			return s, r.Fail(errcode.New(errcode.TooLargeArraySize, "Too large array size in groupBitmap (maximum: %d)", uint64(bytesMost)))
		default:
			data := r.Bytes(int(n))
			if r.Err() != nil {
				break
			}
			if !share {
				data = slices.Clone(data)
			}
			if err := s.readBitmaps(data); err != nil {
				return s, r.Fail(errcode.New(errcode.StdException, "A state of groupBitmap has a damaged bitmap: %v", err))
			}
		}
	default:
		return s, r.Corrupt("Unknown type of roaring bitmap")
	}
	return s, r.Err()
}

func (s *Set) readBitmaps(data []byte) error {
	s.large = true
	if s.kind.Bytes < 8 {
		p, _, err := readBitmap(data)
		if err == nil && !p.IsEmpty() {
			s.keys, s.parts = []uint32{0}, []*roaring.Bitmap{p}
		}
		return err
	}
	if len(data) < 8 {
		return fmt.Errorf("a map of bitmaps has %d bytes", len(data))
	}
	n := binary.LittleEndian.Uint64(data)
	data = data[8:]
	if n > uint64(len(data))/12 { // a key and an empty bitmap
		return fmt.Errorf("a map of %d bitmaps has %d bytes", n, len(data))
	}
	for range n {
		if len(data) < 4 {
			return fmt.Errorf("a map of bitmaps is cut off")
		}
		key := binary.LittleEndian.Uint32(data)
		if k := len(s.keys); k > 0 && s.keys[k-1] >= key {
			return fmt.Errorf("the bitmaps of a map are not in order")
		}
		p, used, err := readBitmap(data[4:])
		if err != nil {
			return err
		}
		s.keys, s.parts = append(s.keys, key), append(s.parts, p)
		data = data[4+used:]
	}
	s.prune()
	return nil
}

// readBitmap reads a bitmap that goes on using data until it changes, and tells how many bytes it has.
func readBitmap(data []byte) (*roaring.Bitmap, int, error) {
	p := roaring.New()
	n, err := p.FromBuffer(data)
	if err != nil {
		return nil, 0, err
	}
	if n < 0 || n > int64(len(data)) {
		return nil, 0, fmt.Errorf("a bitmap of %d bytes has %d", n, len(data))
	}
	if p.IsEmpty() {
		return p, int(n), nil
	}
	return p, int(n), p.Validate()
}
