package wire

import (
	"encoding/binary"
	"io"
	"unsafe"

	"dictsvc/errcode"
)

// firstPiece is how much memory an announced length gets before any of it has arrived; from there pieces double.
const firstPiece = 256 << 10

// input reads the primitive values of the protocol from a stream that it holds in pieces: the socket's bytes, or the raw bytes of compressed
// frames. The first error stays; after it every read gives zero values, so that a decoder checks once, where it would loop or allocate.
type input struct {
	buf []byte // bytes that have arrived; buf[pos:] are unread
	pos int
	err error

	taken int64 // bytes brought by more and direct since the last reset
	quota int64 // how many they may bring, 0 for any number

	// more brings further bytes: it replaces buf, all of which is read, by at least one new byte, and sets pos to 0.
	more func() error
	// direct reads straight into p where buf is used up; nil where bytes only come through buf.
	direct func(p []byte) (int, error)
}

// newBytesInput reads from a byte slice; its end is io.ErrUnexpectedEOF.
func newBytesInput(b []byte) *input {
	return &input{buf: b, more: func() error { return io.ErrUnexpectedEOF }}
}

func (r *input) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

// fill makes sure that at least one unread byte is there.
func (r *input) fill() bool {
	if r.err != nil {
		return false
	}
	if r.pos < len(r.buf) {
		return true
	}
	if err := r.more(); err != nil {
		r.fail(err)
		return false
	}
	return r.took(len(r.buf))
}

// took counts arrived bytes against the quota.
func (r *input) took(n int) bool {
	r.taken += int64(n)
	if r.quota > 0 && r.taken > r.quota {
		r.fail(errcode.New(errcode.TooLargeSizeCompressed, "packet too large: want at most %d bytes", r.quota))
		return false
	}
	return true
}

// budget starts counting anew: what follows may bring n bytes.
func (r *input) budget(n int) { r.taken, r.quota = 0, int64(n) }

func (r *input) u8() uint8 {
	if !r.fill() {
		return 0
	}
	b := r.buf[r.pos]
	r.pos++
	return b
}

// uvarint reads a VarUInt: LEB128 of at most 10 bytes.
func (r *input) uvarint() uint64 {
	if r.err == nil && len(r.buf)-r.pos >= binary.MaxVarintLen64 {
		v, n := binary.Uvarint(r.buf[r.pos:])
		if n <= 0 {
			r.fail(errcode.New(errcode.IncorrectData, "VarUInt is longer than 64 bits"))
			return 0
		}
		r.pos += n
		return v
	}
	var v uint64
	for shift := uint(0); ; shift += 7 {
		b := r.u8()
		if r.err != nil {
			return 0
		}
		if shift == 63 && b > 1 {
			r.fail(errcode.New(errcode.IncorrectData, "VarUInt is longer than 64 bits"))
			return 0
		}
		v |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return v
		}
	}
}

// varint reads a zigzag VarInt.
func (r *input) varint() int64 {
	v := r.uvarint()
	return int64(v>>1) ^ -int64(v&1)
}

// full reads len(p) bytes.
func (r *input) full(p []byte) bool {
	for len(p) > 0 {
		if r.pos == len(r.buf) && r.direct != nil && len(p) >= 4096 && r.err == nil {
			n, err := r.direct(p)
			if n == 0 {
				if err == nil {
					err = io.ErrNoProgress
				}
				r.fail(err)
				return false
			}
			if !r.took(n) {
				return false
			}
			p = p[n:]
			continue
		}
		if !r.fill() {
			return false
		}
		n := copy(p, r.buf[r.pos:])
		r.pos += n
		p = p[n:]
	}
	return r.err == nil
}

// fixed reads a little-endian number of n bytes.
func (r *input) fixed(n int) (v uint64) {
	if len(r.buf)-r.pos >= n && r.err == nil {
		for i, b := range r.buf[r.pos : r.pos+n] {
			v |= uint64(b) << (8 * i)
		}
		r.pos += n
		return v
	}
	for i := 0; i < n; i++ {
		v |= uint64(r.u8()) << (8 * i)
	}
	return v
}

func (r *input) i32() int32  { return int32(r.fixed(4)) }
func (r *input) u64() uint64 { return r.fixed(8) }

// skip reads and drops n bytes.
func (r *input) skip(n uint64) {
	for n > 0 && r.fill() {
		k := min(n, uint64(len(r.buf)-r.pos))
		r.pos += int(k)
		n -= k
	}
}

// count reads a VarUInt that must not exceed limit.
func (r *input) count(what string, limit int) int {
	n := r.uvarint()
	if r.err == nil && n > uint64(limit) {
		r.fail(errcode.New(errcode.TooLargeArraySize, "%s: want at most %d, got %d", what, limit, n))
		return 0
	}
	return int(n)
}

// bytes reads a String of at most limit bytes. The result lies in scratch or in the input's own buffer: it holds until the next read.
func (r *input) bytes(what string, limit int, scratch *[]byte) []byte {
	n := r.uvarint()
	if r.err == nil && n > uint64(limit) {
		r.fail(errcode.New(errcode.TooLargeStringSize, "%s: want at most %d bytes, got %d", what, limit, n))
	}
	if r.err != nil {
		return nil
	}
	if uint64(len(r.buf)-r.pos) >= n {
		b := r.buf[r.pos : r.pos+int(n)]
		r.pos += int(n)
		return b
	}
	*scratch = readPieces((*scratch)[:0], int(n), r)
	return *scratch
}

// str reads a String of at most limit bytes.
func (r *input) str(what string, limit int) string {
	var scratch []byte
	b := r.bytes(what, limit, &scratch)
	if len(b) == 0 {
		return ""
	}
	if scratch != nil { // read into memory of its own, which becomes the string
		return unsafe.String(unsafe.SliceData(b), len(b))
	}
	return string(b)
}

// readPieces appends n values of fixed width, read as raw little-endian memory. Memory grows as bytes arrive, never ahead of them by more
// than their number or firstPiece.
func readPieces[T any](dst []T, n int, r *input) []T {
	var z T
	width := int(unsafe.Sizeof(z))
	step := max(firstPiece/width, 1)
	for n > 0 && r.err == nil {
		k := min(n, max(step, len(dst)))
		if cap(dst)-len(dst) < k {
			grown := make([]T, len(dst), len(dst)+k)
			copy(grown, dst)
			dst = grown
		}
		part := dst[len(dst) : len(dst)+k]
		if !r.full(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(part))), k*width)) {
			return dst
		}
		dst = dst[:len(dst)+k]
		n -= k
	}
	return dst
}
