package query

import (
	"unsafe"

	"dictsvc/column"
	"dictsvc/errcode"
	"dictsvc/internal/lzframe"
)

// tableBlock is a run of a table's rows. It is never changed once the table has it.
type tableBlock struct {
	rows  int
	cols  []storedColumn // by place in the table; empty for columns that are not stored
	bytes int
}

// storedColumn is a column as it lies in memory: as it is, or packed.
type storedColumn struct {
	plain  column.Column
	packed *packedColumn
	bytes  int
}

// packedColumn holds a column's buffers (column.PutBuffers) compressed.
type packedColumn struct {
	t    *column.Type
	rows int
	bufs []packedBuffer
}

// packedBuffer is one buffer in frames. Integers are narrowed (package lzframe) before they are compressed, and then there is one frame; other bytes are
// cut into frames of packedFrame bytes.
type packedBuffer struct {
	raw    int // size of the buffer
	width  int // of its integers; 0 where it was not narrowed
	narrow int // size of the narrowed integers
	frames [][]byte
}

// packedFrame is the size at which buffers are cut: what a frame holds should still be in the nearest caches when it has been read. Blocks have at most
// column.MaxBlockRows rows, so that narrowed integers of four bytes come to the same.
const packedFrame = 256 << 10

// packer packs columns; its memory serves one after another.
type packer struct {
	comp lzframe.Compressor
	raw  []byte
	out  []byte
}

func (p *packer) pack(c column.Column) (*packedColumn, int, error) {
	pc := &packedColumn{t: c.Type(), rows: c.Len()}
	size := int(unsafe.Sizeof(*pc))
	err := column.PutBuffers(c, func(raw []byte, kind column.BufferKind, width int) error {
		b := packedBuffer{raw: len(raw)}
		if kind != column.RawBuffer && len(raw) > 0 {
			p.raw = lzframe.Narrow(p.raw[:0], lzframe.Ints{Bytes: raw, Width: width, Signed: kind == column.SignedBuffer})
			b.width, b.narrow, raw = width, len(p.raw), p.raw
		}
		for len(raw) > 0 {
			n := len(raw)
			if b.width == 0 {
				n = min(n, packedFrame)
			}
			var err error
			if p.out, err = p.comp.Append(p.out[:0], raw[:n]); err != nil {
				return err
			}
			b.frames = append(b.frames, append(make([]byte, 0, len(p.out)), p.out...))
			size += len(p.out) + int(unsafe.Sizeof(p.out))
			raw = raw[n:]
		}
		pc.bufs = append(pc.bufs, b)
		size += int(unsafe.Sizeof(b))
		return nil
	})
	return pc, size, err
}

// store makes a column to be kept: packed where p is not nil.
func (p *packer) store(c column.Column) (storedColumn, error) {
	switch {
	case c == nil:
		return storedColumn{}, nil
	case p == nil:
		return storedColumn{plain: c, bytes: c.Bytes()}, nil
	}
	pc, size, err := p.pack(c)
	return storedColumn{packed: pc, bytes: size}, err
}

// newBlock makes a block of stored columns.
func newBlock(cols []storedColumn, rows int) *tableBlock {
	b := &tableBlock{rows: rows, cols: cols}
	for i := range cols {
		b.bytes += cols[i].bytes
	}
	return b
}

// block makes a block of columns of which some may be nil.
func (p *packer) block(cols []column.Column, rows int) (*tableBlock, error) {
	stored := make([]storedColumn, len(cols))
	for i, c := range cols {
		var err error
		if stored[i], err = p.store(c); err != nil {
			return nil, err
		}
	}
	return newBlock(stored, rows), nil
}

// plainBlock makes a block of columns as they are.
func plainBlock(cols []column.Column, rows int) *tableBlock {
	stored := make([]storedColumn, len(cols))
	for i, c := range cols {
		if c != nil {
			stored[i] = storedColumn{plain: c, bytes: c.Bytes()}
		}
	}
	return newBlock(stored, rows)
}

// blockReader gives back the columns of blocks; its memory serves one block after another. It belongs to one stream.
type blockReader struct {
	mem *column.Scratch // where columns lie, nil: in memory of their own
	tmp []uint64        // narrowed integers of one buffer
}

// column is column i of a block. Errors 40 and 271 tell where in the column the damage is.
func (r *blockReader) column(b *tableBlock, i int) (column.Column, error) {
	s := &b.cols[i]
	if s.packed == nil {
		return s.plain, nil
	}
	u := unpacking{r: r, c: s.packed}
	c, err := column.TakeBuffers(r.mem, s.packed.t, s.packed.rows, &u)
	if err != nil {
		return nil, errcode.Wrap(err, "buffer %d", u.at)
	}
	return c, nil
}

// unpacking implements column.Buffers over a packed column.
type unpacking struct {
	r  *blockReader
	c  *packedColumn
	at int
}

func (u *unpacking) Size() int {
	if u.at >= len(u.c.bufs) {
		return 0
	}
	return u.c.bufs[u.at].raw
}

func (u *unpacking) Read(dst []byte) error {
	if u.at >= len(u.c.bufs) {
		return errcode.New(errcode.CannotDecompress, "a column of %d buffers: one more is wanted", len(u.c.bufs))
	}
	b := &u.c.bufs[u.at]
	if b.width > 0 {
		tmp := u.r.room(b.narrow)
		if err := openFrames(tmp, b.frames); err != nil {
			return err
		}
		if err := lzframe.Widen(lzframe.Ints{Bytes: dst, Width: b.width}, tmp); err != nil {
			return err
		}
	} else if err := openFrames(dst, b.frames); err != nil {
		return err
	}
	u.at++
	return nil
}

// room is memory for n bytes that begins at a multiple of 8.
func (r *blockReader) room(n int) []byte {
	if len(r.tmp)*8 < n {
		r.tmp = make([]uint64, (n+7)/8)
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(r.tmp))), n)
}

// openFrames fills dst with what the frames hold.
func openFrames(dst []byte, frames [][]byte) error {
	for i, f := range frames {
		n := min(len(dst), packedFrame)
		if i == len(frames)-1 {
			n = len(dst)
		}
		if err := lzframe.Open(dst[:n], f); err != nil {
			return errcode.Wrap(err, "frame %d of %d", i, len(frames))
		}
		dst = dst[n:]
	}
	if len(dst) > 0 {
		return errcode.New(errcode.CannotDecompress, "%d bytes are missing behind the last frame", len(dst))
	}
	return nil
}
