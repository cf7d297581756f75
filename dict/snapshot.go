package dict

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"

	"github.com/pierrec/lz4/v4"

	"dictsvc/column"
	"dictsvc/errcode"
	"dictsvc/source"
)

// A snapshot file (*.dict) is
//
//	8 bytes   "dictsvc1"
//	frame     the definition as JSON
//	frames    blocks of rows
//	frame     of lengths 0: the end, with the number of rows behind it and their checksum in its head
//
// A frame is: u32 bytes of the payload as stored, u32 bytes of it unpacked, u32 CRC-32C of what is stored, the payload (LZ4 block, or
// plain where both lengths are equal). Numbers are little-endian. A block of rows is u32 rows, then each column, keys first: fixed-width values
// as they lie in memory; strings as u32 lengths and then the bytes; all else as images, with their lengths, like strings.

var snapshotMagic = [8]byte{'d', 'i', 'c', 't', 's', 'v', 'c', '1'}

// maxFrame caps a frame's length: what a damaged or hostile file can make us allocate.
const maxFrame = 1 << 30

var crcTable = crc32.MakeTable(crc32.Castagnoli)

// savedDefinition is the JSON of a definition.
type savedDefinition struct {
	Database      string
	Name          string
	Keys, Attrs   []savedAttribute
	Layout        string
	MaxLoadFactor float64 `json:",omitempty"`
	Shards        int     `json:",omitempty"`
	Comment       string  `json:",omitempty"`
}

type savedAttribute struct {
	Name, Type   string
	Default      []byte // image of the default
	Hierarchical bool   `json:",omitempty"`
}

// Save writes the version to a file beside path and renames it there when it is whole.
func (v *Version) Save(path string) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return errcode.New(errcode.CannotOpenFile, "save dictionary %s: %w", v.def.FullName(), err)
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
			err = errcode.Wrap(err, "save dictionary %s to %s", v.def.FullName(), path)
		}
	}()
	w := bufio.NewWriterSize(f, 1<<20)
	if err = v.writeTo(w); err != nil {
		return err
	}
	if err = w.Flush(); err != nil {
		return err
	}
	if err = f.Sync(); err != nil {
		return err
	}
	if err = f.Chmod(0o644); err != nil {
		return err
	}
	if err = f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

func (v *Version) writeTo(w io.Writer) error {
	if _, err := w.Write(snapshotMagic[:]); err != nil {
		return err
	}
	def, err := json.Marshal(saveDefinition(v.def))
	if err != nil {
		return err
	}
	fw := frameWriter{w: w}
	if err := fw.write(def); err != nil {
		return err
	}
	all := make([]int, len(v.def.Keys)+len(v.def.Attrs))
	for i := range all {
		all[i] = i
	}
	s := v.Scan(all, 1)[0]
	var buf []byte
	var rows uint64
	for {
		cols, n := s.Next()
		if n == 0 {
			break
		}
		rows += uint64(n)
		buf = encodeRows(buf[:0], cols, n)
		if err := fw.write(buf); err != nil {
			return err
		}
	}
	var end [20]byte
	binary.LittleEndian.PutUint64(end[12:], rows)
	binary.LittleEndian.PutUint32(end[8:], crc32.Checksum(end[12:], crcTable))
	_, err = w.Write(end[:])
	return err
}

func saveDefinition(d *Definition) savedDefinition {
	s := savedDefinition{Database: d.Database, Name: d.Name, Layout: d.Layout.Name, MaxLoadFactor: d.Layout.MaxLoadFactor, Shards: d.Layout.Shards, Comment: d.Comment}
	save := func(list []Attribute) (out []savedAttribute) {
		for _, a := range list {
			out = append(out, savedAttribute{Name: a.Name, Type: a.Type.String(), Default: column.AppendImage(nil, a.Default, 0), Hierarchical: a.Hierarchical})
		}
		return out
	}
	s.Keys, s.Attrs = save(d.Keys), save(d.Attrs)
	return s
}

func (s *savedDefinition) definition() (*Definition, error) {
	d := &Definition{Database: s.Database, Name: s.Name, Layout: Layout{Name: s.Layout, MaxLoadFactor: s.MaxLoadFactor, Shards: s.Shards}, Comment: s.Comment, Source: Source{Kind: "snapshot"}}
	read := func(list []savedAttribute) (out []Attribute, err error) {
		for _, a := range list {
			t, err := column.Parse(a.Type)
			if err != nil {
				return nil, err
			}
			def := column.New(t, 1)
			if err := readImage(def, a.Default); err != nil {
				return nil, fmt.Errorf("default of column %q: %w", a.Name, err)
			}
			out = append(out, Attribute{Name: a.Name, Type: t, Default: def, Hierarchical: a.Hierarchical})
		}
		return out, nil
	}
	var err error
	if d.Keys, err = read(s.Keys); err != nil {
		return nil, err
	}
	if d.Attrs, err = read(s.Attrs); err != nil {
		return nil, err
	}
	return d, d.Normalise()
}

// readImage appends one row from an image that may be damaged.
func readImage(dst column.Column, image []byte) (err error) {
	n := dst.Len()
	defer func() {
		if recover() != nil { // ReadKey trusts its input; the frame's checksum vouches for all but a file made to harm
			dst.Truncate(n)
			err = errors.New("the image of a value is damaged")
		}
	}()
	if rest := dst.ReadKey(image); len(rest) != 0 {
		return errors.New("the image of a value is too long")
	}
	return nil
}

func encodeRows(buf []byte, cols []column.Column, n int) []byte {
	buf = binary.LittleEndian.AppendUint32(buf, uint32(n))
	for _, c := range cols {
		c = column.Full(c)
		if w := c.Type().FixedWidth(); w > 0 {
			for i := 0; i < n; i++ {
				buf = column.AppendImage(buf, c, i)
			}
			continue
		}
		lengths := len(buf)
		buf = append(buf, make([]byte, 4*n)...)
		s, isString := c.(*column.Str)
		for i := 0; i < n; i++ {
			start := len(buf)
			if isString {
				buf = append(buf, s.At(i)...)
			} else {
				buf = column.AppendImage(buf, c, i)
			}
			binary.LittleEndian.PutUint32(buf[lengths+4*i:], uint32(len(buf)-start))
		}
	}
	return buf
}

func decodeRows(buf []byte, cols []column.Column) (int, error) {
	short := errors.New("a block of rows is cut short")
	if len(buf) < 4 {
		return 0, short
	}
	n := int(binary.LittleEndian.Uint32(buf))
	buf = buf[4:]
	if n > column.MaxBlockRows {
		return 0, fmt.Errorf("a block of %d rows; want at most %d", n, column.MaxBlockRows)
	}
	for _, c := range cols {
		if w := c.Type().FixedWidth(); w > 0 {
			if len(buf) < n*w {
				return 0, short
			}
			for i := 0; i < n; i++ {
				c.ReadKey(buf[:w])
				buf = buf[w:]
			}
			continue
		}
		if len(buf) < 4*n {
			return 0, short
		}
		lengths := buf[:4*n]
		buf = buf[4*n:]
		s, isString := c.(*column.Str)
		for i := 0; i < n; i++ {
			l := int(binary.LittleEndian.Uint32(lengths[4*i:]))
			if len(buf) < l {
				return 0, short
			}
			if isString {
				s.Append(buf[:l])
			} else if err := readImage(c, buf[:l]); err != nil {
				return 0, err
			}
			buf = buf[l:]
		}
	}
	if len(buf) != 0 {
		return 0, errors.New("a block of rows is too long")
	}
	return n, nil
}

type frameWriter struct {
	w   io.Writer
	buf []byte
	c   lz4.Compressor
}

func (f *frameWriter) write(payload []byte) error {
	f.buf = resize(f.buf, lz4.CompressBlockBound(len(payload)))
	n, err := f.c.CompressBlock(payload, f.buf)
	if err != nil {
		return err
	}
	stored := f.buf[:n]
	if n == 0 || n >= len(payload) {
		stored = payload
	}
	var head [12]byte
	binary.LittleEndian.PutUint32(head[0:], uint32(len(stored)))
	binary.LittleEndian.PutUint32(head[4:], uint32(len(payload)))
	binary.LittleEndian.PutUint32(head[8:], crc32.Checksum(stored, crcTable))
	if _, err := f.w.Write(head[:]); err != nil {
		return err
	}
	_, err = f.w.Write(stored)
	return err
}

type frameReader struct {
	r        io.Reader
	at       int64 // bytes read
	stored   []byte
	unpacked []byte
	endSum   uint32 // the checksum in the end frame's head
}

// next returns the next payload, valid until the next call; nil at the end frame.
func (f *frameReader) next() ([]byte, error) {
	var head [12]byte
	if err := f.read(head[:]); err != nil {
		return nil, err
	}
	stored, size := binary.LittleEndian.Uint32(head[0:]), binary.LittleEndian.Uint32(head[4:])
	if stored == 0 && size == 0 {
		f.endSum = binary.LittleEndian.Uint32(head[8:])
		return nil, nil
	}
	if stored == 0 || stored > maxFrame || size > maxFrame || stored > size {
		return nil, fmt.Errorf("byte %d: a frame of %d bytes (%d unpacked); want at most %d", f.at-12, stored, size, maxFrame)
	}
	f.stored = f.stored[:0]
	for left := int(stored); left > 0; { // grow with what arrives, not with what is announced
		n := min(left, 1<<20)
		f.stored = append(f.stored, make([]byte, n)...)
		if err := f.read(f.stored[len(f.stored)-n:]); err != nil {
			return nil, err
		}
		left -= n
	}
	if got, want := crc32.Checksum(f.stored, crcTable), binary.LittleEndian.Uint32(head[8:]); got != want {
		return nil, errcode.New(errcode.ChecksumDoesntMatch, "byte %d: checksum of a frame is %08x; want %08x", f.at-int64(stored), got, want)
	}
	if stored == size {
		return f.stored, nil
	}
	if size/255 > stored { // more than LZ4 can unpack
		return nil, fmt.Errorf("byte %d: a frame of %d bytes cannot unpack to %d", f.at-int64(stored), stored, size)
	}
	f.unpacked = resize(f.unpacked, int(size))
	n, err := lz4.UncompressBlock(f.stored, f.unpacked)
	if err != nil || n != int(size) {
		return nil, errcode.New(errcode.CannotDecompress, "byte %d: cannot decompress a frame: got %d bytes, want %d", f.at-int64(stored), n, size)
	}
	return f.unpacked, nil
}

func (f *frameReader) read(b []byte) error {
	n, err := io.ReadFull(f.r, b)
	f.at += int64(n)
	if err != nil {
		return fmt.Errorf("byte %d: the file is cut short", f.at)
	}
	return nil
}

// Open loads a snapshot file into a version.
func Open(path string) (*Version, error) {
	f, err := os.Open(path)
	if err != nil {
		code := errcode.CannotOpenFile
		if errors.Is(err, os.ErrNotExist) {
			code = errcode.FileDoesntExist
		}
		return nil, errcode.New(code, "open snapshot: %w", err)
	}
	defer f.Close()
	v, err := readSnapshot(bufio.NewReaderSize(f, 1<<20))
	if err != nil {
		return nil, errcode.Wrap(snapshotError(err), "open snapshot %s", path)
	}
	if full, err := filepath.Abs(path); err == nil {
		v.def.Source.Params = map[string]string{"path": full} // where a reload finds it
	}
	return v, nil
}

// snapshotError gives errors without a code that of damaged data.
func snapshotError(err error) error {
	if errcode.Of(err) == errcode.UnknownException {
		return errcode.New(errcode.IncorrectData, "%w", err)
	}
	return err
}

// readHead reads the magic and the definition.
func readHead(fr *frameReader) (*savedDefinition, error) {
	var magic [8]byte
	if err := fr.read(magic[:]); err != nil {
		return nil, err
	}
	if magic != snapshotMagic {
		return nil, fmt.Errorf("this is no snapshot (the file begins with %q, want %q); `dictsvc load --save` makes one", magic[:], snapshotMagic[:])
	}
	head, err := fr.next()
	if err != nil {
		return nil, err
	}
	saved := &savedDefinition{}
	if err := json.Unmarshal(head, saved); err != nil {
		return nil, fmt.Errorf("definition: %w", err)
	}
	return saved, nil
}

func readSnapshot(r io.Reader) (*Version, error) {
	fr := &frameReader{r: r}
	saved, err := readHead(fr)
	if err != nil {
		return nil, err
	}
	def, err := saved.definition()
	if err != nil {
		return nil, err
	}
	b, err := NewBuilder(def)
	if err != nil {
		return nil, err
	}
	if err := readRows(fr, b); err != nil {
		b.Abort()
		return nil, err
	}
	return b.Finish()
}

func readRows(fr *frameReader, b *Builder) error {
	columns := b.v.def.Columns()
	for {
		cols := make([]column.Column, len(columns))
		for i, c := range columns {
			cols[i] = column.New(c.Type, 0)
		}
		n, err := nextRows(fr, cols)
		if err != nil {
			return err
		}
		if n == 0 {
			return checkEnd(fr, b.Rows())
		}
		if err := b.Add(cols, n); err != nil {
			return err
		}
	}
}

// nextRows reads a block of rows into empty columns; 0 at the end frame.
func nextRows(fr *frameReader, cols []column.Column) (int, error) {
	payload, err := fr.next()
	if err != nil || payload == nil {
		return 0, err
	}
	n, err := decodeRows(payload, cols)
	if err == nil && n == 0 {
		err = errors.New("a block without rows")
	}
	if err != nil {
		return 0, fmt.Errorf("byte %d: %w", fr.at, err)
	}
	return n, nil
}

// checkEnd compares what stands behind the end frame with the rows that were read.
func checkEnd(fr *frameReader, got uint64) error {
	var rows [8]byte
	if err := fr.read(rows[:]); err != nil {
		return err
	}
	if sum := crc32.Checksum(rows[:], crcTable); sum != fr.endSum {
		return errcode.New(errcode.ChecksumDoesntMatch, "byte %d: checksum of the end is %08x; want %08x", fr.at, sum, fr.endSum)
	}
	if want := binary.LittleEndian.Uint64(rows[:]); want != got {
		return fmt.Errorf("the file holds %d rows; it says it has %d", got, want)
	}
	if n, _ := fr.r.Read(rows[:1]); n != 0 {
		return fmt.Errorf("byte %d: the file goes on behind its end", fr.at)
	}
	return nil
}

// snapshotSource reads a snapshot file's rows, so that a dictionary that came from it can be reloaded.
type snapshotSource struct {
	path    string
	file    *os.File
	frames  *frameReader
	columns []Attribute
	rows    uint64
}

// OpenSource opens a snapshot file as the source of a dictionary, whose columns must be those of the file.
func OpenSource(path string, def *Definition) (source.Source, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, errcode.New(errcode.CannotOpenFile, "open snapshot: %w", err)
	}
	s := &snapshotSource{path: path, file: f, frames: &frameReader{r: bufio.NewReaderSize(f, 1<<20)}, columns: def.Columns()}
	if err := s.head(); err != nil {
		f.Close()
		return nil, errcode.Wrap(err, "open snapshot %s", path)
	}
	return s, nil
}

func (s *snapshotSource) head() error {
	saved, err := readHead(s.frames)
	if err != nil {
		return err
	}
	def, err := saved.definition()
	if err != nil {
		return err
	}
	columns := def.Columns()
	if len(columns) != len(s.columns) {
		return errcode.New(errcode.NumberOfColumnsDoesntMatch, "the file has %d columns now; want %d", len(columns), len(s.columns))
	}
	for i, c := range columns {
		if c.Name != s.columns[i].Name || !c.Type.Equal(s.columns[i].Type) {
			return errcode.New(errcode.TypeMismatch, "the file has column %q of type %s now; want %q of %s", c.Name, c.Type, s.columns[i].Name, s.columns[i].Type)
		}
	}
	return nil
}

func (s *snapshotSource) Header() ([]string, []*column.Type) {
	names, types := make([]string, len(s.columns)), make([]*column.Type, len(s.columns))
	for i, c := range s.columns {
		names[i], types[i] = c.Name, c.Type
	}
	return names, types
}

func (s *snapshotSource) Next(ctx context.Context) (*column.Block, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	names, types := s.Header()
	block := column.Empty(names, types)
	n, err := nextRows(s.frames, block.Cols)
	if err == nil && n == 0 {
		if err = checkEnd(s.frames, s.rows); err == nil {
			return nil, io.EOF
		}
	}
	if err != nil {
		return nil, errcode.Wrap(snapshotError(err), "read snapshot %s", s.path)
	}
	block.Rows = n
	s.rows += uint64(n)
	return block, nil
}

func (s *snapshotSource) Progress() (rows, bytes, total uint64) {
	return s.rows, uint64(s.frames.at), 0
}
func (s *snapshotSource) Close() error { return s.file.Close() }
