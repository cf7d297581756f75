// Package lzframe holds bytes compressed and sealed with a checksum, in the frames that ClickHouse compresses blocks with:
//
//	16 bytes  CityHash128 (version 1.0.2) of what follows, low half first
//	 1 byte   method
//	 4 bytes  size of the compressed data and these 9 bytes
//	 4 bytes  size of the raw data
//	          compressed data
//
// Package wire sends and takes them; tables with compress = 1 keep their columns in them. The raw bytes of a frame come back unchanged or as an
// error: 40 CHECKSUM_DOESNT_MATCH where any byte of the frame was changed, 271 CANNOT_DECOMPRESS where a frame whose checksum is right does not hold
// what it says.
package lzframe

import (
	"encoding/binary"

	"github.com/go-faster/city"
	"github.com/pierrec/lz4/v4"

	"dictsvc/errcode"
)

// Sizes of a frame's head.
const (
	Hash   = 16 // checksum
	Header = 9  // method and sizes, which the checksum covers
	Head   = Hash + Header
)

// Method says how a frame's data are compressed.
type Method byte

// The methods.
const (
	None Method = 0x02 // as they are
	LZ4  Method = 0x82
	ZSTD Method = 0x90
)

// Seal fills in the head of a frame: b is Head bytes of room and the compressed data behind them.
func Seal(b []byte, m Method, raw int) {
	b[Hash] = byte(m)
	binary.LittleEndian.PutUint32(b[Hash+1:], uint32(len(b)-Hash))
	binary.LittleEndian.PutUint32(b[Hash+5:], uint32(raw))
	h := city.CH128(b[Hash:])
	binary.LittleEndian.PutUint64(b, h.Low)
	binary.LittleEndian.PutUint64(b[8:], h.High)
}

// Check compares the checksum that stands at the head of a frame with that of its method, sizes and data.
func Check(sum, rest []byte) error {
	h := city.CH128(rest)
	if h.Low != binary.LittleEndian.Uint64(sum) || h.High != binary.LittleEndian.Uint64(sum[8:]) {
		return errcode.New(errcode.ChecksumDoesntMatch, "Checksum doesn't match: corrupted data. Reference: %016x%016x. Actual: %016x%016x",
			binary.LittleEndian.Uint64(sum), binary.LittleEndian.Uint64(sum[8:]), h.Low, h.High)
	}
	return nil
}

// Compressor makes frames; the zero value is ready. It is used by one goroutine at a time.
type Compressor struct {
	lz lz4.Compressor
}

// Append appends a frame of raw to dst: LZ4 where that saves at least an eighth, else the bytes as they are, which are then read faster.
func (c *Compressor) Append(dst, raw []byte) ([]byte, error) {
	begin := len(dst)
	need := begin + Head + lz4.CompressBlockBound(len(raw))
	if cap(dst) < need {
		dst = append(make([]byte, 0, need), dst...)
	}
	n, err := c.lz.CompressBlock(raw, dst[begin+Head:need])
	if err != nil {
		return nil, errcode.New(errcode.CannotCompress, "compress %d bytes by LZ4: %w", len(raw), err)
	}
	method := LZ4
	if n == 0 || n > len(raw)-len(raw)/8 {
		method, n = None, copy(dst[begin+Head:need], raw)
	}
	dst = dst[:begin+Head+n]
	Seal(dst[begin:], method, len(raw))
	return dst, nil
}

// RawSize is the size of the raw data that a frame says it holds, -1 where b is shorter than a head.
func RawSize(b []byte) int {
	if len(b) < Head {
		return -1
	}
	return int(binary.LittleEndian.Uint32(b[Hash+5:]))
}

// Open checks a whole frame and writes its raw data to dst, whose length must be theirs.
func Open(dst, b []byte) error {
	if len(b) < Head {
		return errcode.New(errcode.CannotDecompress, "a frame of %d bytes: want at least %d", len(b), Head)
	}
	if err := Check(b, b[Hash:]); err != nil {
		return err
	}
	if size := binary.LittleEndian.Uint32(b[Hash+1:]); uint64(size) != uint64(len(b)-Hash) {
		return errcode.New(errcode.CannotDecompress, "a frame of %d bytes says that it has %d", len(b)-Hash, size)
	}
	if raw := RawSize(b); raw != len(dst) {
		return errcode.New(errcode.CannotDecompress, "a frame holds %d bytes: want %d", raw, len(dst))
	}
	return Decompress(dst, b[Head:], Method(b[Hash]))
}

// Decompress writes the raw data of a frame whose checksum has been seen to; dst has their length.
func Decompress(dst, data []byte, m Method) error {
	switch m {
	case None:
		if len(data) != len(dst) {
			return errcode.New(errcode.CannotDecompress, "an uncompressed frame: want %d bytes, got %d", len(dst), len(data))
		}
		copy(dst, data)
		return nil
	case LZ4:
		n, err := lz4.UncompressBlock(data, dst)
		if err != nil {
			return errcode.New(errcode.CannotDecompress, "decompress by LZ4: %w", err)
		}
		if n != len(dst) {
			return errcode.New(errcode.CannotDecompress, "LZ4 frame: want %d bytes, got %d", len(dst), n)
		}
		return nil
	}
	return errcode.New(errcode.UnknownCompressionMethod, "Unknown codec family code: %d", byte(m))
}
