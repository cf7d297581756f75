package jsonl

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"sync/atomic"

	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"

	"dictsvc/errcode"
)

// input is a stream of plain text with the progress of the file under it.
type input struct {
	r       io.Reader
	file    io.Closer     // nil for readers from outside
	release func()        // frees a decompressor, when nobody reads any more
	read    atomic.Uint64 // bytes of the file
	total   uint64        // size of the file, 0 where not known
}

// openInput opens a file, "-" being standard input; gzip, zstd and LZ4 frames are known by their first bytes.
func openInput(path string) (*input, error) {
	if path == "-" {
		return newInput(os.Stdin, nil)
	}
	f, err := os.Open(path)
	if err != nil {
		code := errcode.CannotOpenFile
		if os.IsNotExist(err) {
			code = errcode.FileDoesntExist
		}
		return nil, errcode.New(code, "open file: %w", err)
	}
	st, err := f.Stat()
	if err == nil && st.IsDir() {
		err = errcode.New(errcode.CannotOpenFile, "open file %q: is a directory", path)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	in, err := newInput(f, f)
	if err != nil {
		f.Close()
		return nil, errcode.Wrap(err, "file %q", path)
	}
	if st.Mode().IsRegular() {
		in.total = uint64(st.Size())
	}
	return in, nil
}

func newInput(r io.Reader, file io.Closer) (*input, error) {
	in := &input{file: file, release: func() {}}
	counted := &countingReader{r: r, n: &in.read}
	head := make([]byte, 4)
	n, err := io.ReadFull(counted, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, errcode.New(errcode.CannotReadFromFileDescriptor, "read: %w", err)
	}
	head = head[:n]
	whole := io.MultiReader(bytes.NewReader(head), counted)
	const window = 256 << 20 // the most memory that a zstd frame may ask for
	switch {
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		z, err := gzip.NewReader(bufio.NewReaderSize(whole, 1<<18))
		if err != nil {
			return nil, errcode.New(errcode.CannotDecompress, "decompress gzip: %w", err)
		}
		in.r = &decompressed{z, "gzip"}
	case bytes.HasPrefix(head, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		z, err := zstd.NewReader(whole, zstd.WithDecoderMaxWindow(window), zstd.WithDecoderMaxMemory(1<<62), zstd.WithDecoderConcurrency(2))
		if err != nil {
			return nil, errcode.New(errcode.CannotDecompress, "decompress zstd: %w", err)
		}
		in.r, in.release = &decompressed{z, "zstd"}, z.Close
	case bytes.HasPrefix(head, []byte{0x04, 0x22, 0x4d, 0x18}):
		in.r = &decompressed{lz4.NewReader(whole), "lz4"}
	default:
		in.r = whole
	}
	return in, nil
}

// interrupt closes the file, which ends a read under way.
func (in *input) interrupt() error {
	if in.file == nil {
		return nil
	}
	return in.file.Close()
}

// decompressed words the errors of damaged compressed input, so that none can be taken for the end.
type decompressed struct {
	r      io.Reader
	method string
}

func (d *decompressed) Read(b []byte) (int, error) {
	n, err := d.r.Read(b)
	if err != nil && err != io.EOF {
		err = errcode.New(errcode.CannotDecompress, "decompress %s: %w", d.method, err)
	}
	return n, err
}

type countingReader struct {
	r io.Reader
	n *atomic.Uint64
}

func (c *countingReader) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	c.n.Add(uint64(n))
	return n, err
}
