package wire

import (
	"encoding/binary"
	"strings"

	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"

	"dictsvc/errcode"
	"dictsvc/internal/lzframe"
)

// A compressed stream is a sequence of frames (package lzframe has their layout). A block begins with a frame and ends with one; it may span any number.
const (
	frameHash   = lzframe.Hash
	frameHeader = lzframe.Header
	// maxFrameRaw is the size at which blocks are cut into frames; ClickHouse's max_compress_block_size.
	maxFrameRaw = 1 << 20
	// maxFrameTaken is the largest frame accepted, as ch-go has it. ClickHouse itself writes frames of about 1 MiB.
	maxFrameTaken = 128 << 20
	// A ZSTD frame of more than freeRaw bytes must not claim more than maxZstdRatio times its size; LZ4 cannot exceed 255 by itself.
	freeRaw      = 4 << 20
	maxZstdRatio = 4096
)

// Compression is the method that one side compresses its blocks with; the other takes any.
type Compression uint8

// The methods, and no compression at all (Uncompressed), where blocks come without frames.
const (
	Uncompressed Compression = 0
	NONE         Compression = 0x02 // frames with checksums, data as it is
	LZ4          Compression = 0x82
	ZSTD         Compression = 0x90
)

// compressionMethod reads the setting network_compression_method, LZ4 where it names nothing known.
func compressionMethod(name string) Compression {
	switch strings.ToLower(name) {
	case "zstd":
		return ZSTD
	case "none":
		return NONE
	}
	return LZ4
}

// frameWriter compresses what is written to raw and adds the frames to out.
type frameWriter struct {
	raw    output // its buffer gathers a block
	method Compression
	out    *output
	lz     lz4.Compressor
	zw     *zstd.Encoder
	tmp    []byte
}

func newFrameWriter(out *output) *frameWriter {
	f := &frameWriter{out: out}
	f.raw = output{drain: f.frames, limit: maxFrameRaw}
	return f
}

// frames writes p as frames of at most maxFrameRaw bytes.
func (f *frameWriter) frames(p []byte) error {
	for len(p) > 0 {
		n := min(len(p), maxFrameRaw)
		if err := f.frame(p[:n]); err != nil {
			return err
		}
		p = p[n:]
	}
	return nil
}

func (f *frameWriter) frame(p []byte) error {
	const head = frameHash + frameHeader
	method := f.method
	b := append(f.tmp[:0], make([]byte, head)...)
	switch method {
	case LZ4:
		need := head + lz4.CompressBlockBound(len(p))
		if cap(b) < need {
			b = append(make([]byte, 0, need), b...)
		}
		n, err := f.lz.CompressBlock(p, b[head:need])
		if err != nil {
			return errcode.New(errcode.NotImplemented, "compress %d bytes by LZ4: %w", len(p), err)
		}
		b = b[:head+n]
	case ZSTD:
		if f.zw == nil {
			zw, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(maxFrameRaw))
			if err != nil {
				return errcode.New(errcode.NotImplemented, "compress by ZSTD: %w", err)
			}
			f.zw = zw
		}
		b = f.zw.EncodeAll(p, b)
	default:
		method = NONE
		b = append(b, p...)
	}
	lzframe.Seal(b, lzframe.Method(method), len(p))
	f.tmp = b
	if cap(f.tmp) > 4*maxFrameRaw {
		f.tmp = nil
	}
	f.out.raw(b)
	return f.out.err
}

// frameReader is an input of the raw bytes of frames that arrive on another input.
type frameReader struct {
	input
	from *input
	comp []byte
	raw  []byte
	zr   *zstd.Decoder
}

func newFrameReader(from *input) *frameReader {
	f := &frameReader{from: from}
	f.more = f.next
	return f
}

// reset forgets the rest of a block that was not read to its end, and a former error.
func (f *frameReader) reset() { f.buf, f.pos, f.err = nil, 0, nil }

// close frees the decoder's memory.
func (f *frameReader) close() {
	if f.zr != nil {
		f.zr.Close()
	}
}

// next reads one frame. Its raw bytes are allocated only after the compressed ones have arrived and their checksum is right.
func (f *frameReader) next() error {
	var head [frameHash + frameHeader]byte
	if !f.from.full(head[:]) {
		return f.from.err
	}
	method := Compression(head[frameHash])
	size := int64(binary.LittleEndian.Uint32(head[frameHash+1:])) - frameHeader
	raw := int(binary.LittleEndian.Uint32(head[frameHash+5:]))
	switch {
	case method != LZ4 && method != ZSTD && method != NONE:
		return errcode.New(errcode.UnknownCompressionMethod, "Unknown codec family code: %d", method)
	case size < 0 || size > maxFrameTaken || raw > maxFrameTaken:
		return errcode.New(errcode.TooLargeSizeCompressed, "Too large size of a compressed frame: want at most %d bytes, got %d compressed, %d raw", maxFrameTaken, size, raw)
	case raw == 0:
		return errcode.New(errcode.CannotDecompress, "compressed frame without data")
	case method == ZSTD && raw > freeRaw && int64(raw) > size*maxZstdRatio:
		return errcode.New(errcode.CannotDecompress, "compressed frame of %d bytes claims to hold %d: more than %d times as much", size, raw, maxZstdRatio)
	case method == NONE && int64(raw) != size, method == LZ4 && int64(raw) > size*255+64:
		return errcode.New(errcode.CannotDecompress, "compressed frame of %d bytes cannot hold %d", size, raw)
	}
	f.comp = append(f.comp[:0], head[frameHash:]...)
	f.comp = readPieces(f.comp, int(size), f.from)
	if f.from.err != nil {
		return f.from.err
	}
	if err := lzframe.Check(head[:], f.comp); err != nil {
		return err
	}
	if err := f.decompress(method, f.comp[frameHeader:], raw); err != nil {
		return err
	}
	f.buf, f.pos = f.raw, 0
	if cap(f.comp) > 4*maxFrameRaw {
		f.comp = nil
	}
	if cap(f.raw) > 4*maxFrameRaw {
		f.raw = nil
	}
	return nil
}

func (f *frameReader) decompress(method Compression, p []byte, raw int) error {
	if method == NONE {
		f.raw = append(f.raw[:0], p...)
		return nil
	}
	if method == ZSTD {
		if f.zr == nil {
			zr, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxFrameTaken), zstd.WithDecoderLowmem(true), zstd.WithDecodeAllCapLimit(true))
			if err != nil {
				return errcode.New(errcode.CannotDecompress, "decompress by ZSTD: %w", err)
			}
			f.zr = zr
		}
		if cap(f.raw) < raw {
			f.raw = make([]byte, 0, raw)
		}
		out, err := f.zr.DecodeAll(p, f.raw[:0:raw]) // stops at raw bytes, whatever the frame expands to
		if err != nil {
			return errcode.New(errcode.CannotDecompress, "decompress by ZSTD: %w", err)
		}
		if len(out) != raw {
			return errcode.New(errcode.CannotDecompress, "ZSTD frame: want %d bytes, got %d", raw, len(out))
		}
		f.raw = out
		return nil
	}
	if cap(f.raw) < raw {
		f.raw = make([]byte, raw)
	}
	f.raw = f.raw[:raw]
	return lzframe.Decompress(f.raw, p, lzframe.Method(method))
}
