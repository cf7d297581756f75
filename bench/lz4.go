package bench

import (
	"bufio"
	"bytes"
	"context"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/pierrec/lz4/v4"

	"dictsvc/column"
	"dictsvc/wire"
)

//go:embed lz4/lz4.c
var lz4Source string

const (
	// lz4Want is what is wanted of decompression, as a share of liblz4's speed.
	lz4Want = 1 / 1.2
	// lz4Rows is how many rows of lineitem are unpacked at most.
	lz4Rows = 4 << 20
)

// LZ4Result compares how fast the columns of query 6 are decompressed, by dictsvc's decoder and by liblz4, on one thread.
type LZ4Result struct {
	Version  string  `json:"liblz4"`
	Blocks   int     `json:"blocks"`
	Unpacked int64   `json:"unpacked_bytes"`
	Packed   int64   `json:"packed_bytes"`
	Ours     *Spread `json:"dictsvc_seconds"`
	Theirs   *Spread `json:"liblz4_seconds"`
	Times    float64 `json:"times_as_fast"`
}

func (l *LZ4Result) title() string {
	return fmt.Sprintf("LZ4 decompression of Q6's columns, %s MiB from %s, %s GB/s", mebibytes(l.Unpacked), mebibytes(l.Packed), short(float64(l.Unpacked)/l.Ours.median()/1e9))
}

// packedBlock is one compressed block of a column.
type packedBlock struct {
	unpacked int
	bytes    []byte
}

// lz4 takes the columns of lineitem from the server, compresses them as the table does and times both decoders in turns.
func (b *sqlBench) lz4(ctx context.Context, s server) error {
	b.status("%s: compile", lz4Name)
	program, clean, err := compileLZ4(ctx)
	if err != nil {
		return err
	}
	defer clean()
	blocks, err := packColumns(ctx, s.(*ourServer).conn)
	if err != nil {
		return err
	}
	theirs, err := startLZ4(program, blocks)
	if err != nil {
		return err
	}
	defer theirs.close()
	defer context.AfterFunc(ctx, theirs.kill)()
	res := &LZ4Result{Version: theirs.version, Blocks: len(blocks)}
	largest := 0
	for _, p := range blocks {
		res.Unpacked += int64(p.unpacked)
		res.Packed += int64(len(p.bytes))
		largest = max(largest, p.unpacked)
	}
	out := make([]byte, largest)
	var ourSeconds, theirSeconds []float64
	for run := range b.Runs + 1 {
		b.status("%s: run %d of %d", lz4Name, run, b.Runs)
		seconds, sum, err := unpackAll(blocks, out)
		if err != nil {
			return err
		}
		took, want, err := theirs.pass()
		if err != nil {
			return err
		}
		if sum != want {
			return fmt.Errorf("what was unpacked differs: checksum %d, and liblz4's %d", sum, want)
		}
		if run > 0 {
			ourSeconds, theirSeconds = append(ourSeconds, seconds), append(theirSeconds, took)
		}
	}
	res.Ours, res.Theirs = spreadOf(ourSeconds), spreadOf(theirSeconds)
	res.Times = quotient(res.Theirs.median(), res.Ours.median())
	b.report.LZ4 = res
	return nil
}

// unpackAll is one pass of dictsvc's decoder over all blocks; the checksum is that of the C program.
func unpackAll(blocks []packedBlock, out []byte) (seconds float64, sum uint64, err error) {
	start := time.Now()
	for i, p := range blocks {
		n, err := lz4.UncompressBlock(p.bytes, out[:p.unpacked])
		if err != nil || n != p.unpacked {
			return 0, 0, fmt.Errorf("block %d: unpacked to %d bytes, want %d: %w", i, n, p.unpacked, err)
		}
		sum += uint64(out[n-1]) + uint64(out[n/2])
	}
	return time.Since(start).Seconds(), sum, nil
}

// packColumns reads the columns of query 6 and compresses each block of them.
func packColumns(ctx context.Context, conn *wire.Client) ([]packedBlock, error) {
	rows, err := conn.Query(ctx, &wire.Request{SQL: fmt.Sprintf("SELECT l_quantity, l_extendedprice, l_discount, l_shipdate FROM lineitem LIMIT %d", lz4Rows)})
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var blocks []packedBlock
	var c lz4.Compressor
	for {
		b, err := rows.Next()
		if errors.Is(err, io.EOF) {
			return blocks, nil
		}
		if err != nil {
			return nil, err
		}
		for _, col := range b.Cols {
			var raw []byte
			switch x := col.(type) {
			case *column.Num[int64]:
				raw = column.Raw(x.Data)
			case *column.Num[uint16]:
				raw = column.Raw(x.Data)
			}
			if len(raw) == 0 {
				continue
			}
			packed := make([]byte, lz4.CompressBlockBound(len(raw)))
			n, err := c.CompressBlock(raw, packed)
			if err != nil || n == 0 {
				return nil, fmt.Errorf("compress %d bytes of a column: got %d bytes, %w", len(raw), n, err)
			}
			blocks = append(blocks, packedBlock{len(raw), bytes.Clone(packed[:n])})
		}
	}
}

// compileLZ4 compiles the C program.
func compileLZ4(ctx context.Context) (program string, clean func(), err error) {
	dir, err := os.MkdirTemp("", "dictsvc-lz4-")
	if err != nil {
		return "", nil, err
	}
	clean = func() { os.RemoveAll(dir) }
	program = filepath.Join(dir, "lz4")
	cmd := exec.CommandContext(ctx, "cc", "-O3", "-o", program, "-x", "c", "-", "-llz4")
	cmd.Stdin = strings.NewReader(lz4Source)
	if out, err := cmd.CombinedOutput(); err != nil {
		clean()
		return "", nil, fmt.Errorf("compile the C program with liblz4 (Debian: apt install gcc libc6-dev liblz4-dev): %w\n%s", err, bytes.TrimSpace(out))
	}
	return program, clean, nil
}

// lz4Process is the C program with the blocks in it.
type lz4Process struct {
	*child
	in      io.WriteCloser
	out     *bufio.Reader
	version string
}

func startLZ4(program string, blocks []packedBlock) (*lz4Process, error) {
	cmd := exec.Command(program)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	c, err := start(cmd)
	if err != nil {
		return nil, fmt.Errorf("start the C program: %w", err)
	}
	p := &lz4Process{child: c, in: in, out: bufio.NewReader(c.out)}
	w := bufio.NewWriter(in)
	word := func(n int) { w.Write(binary.NativeEndian.AppendUint64(nil, uint64(n))) }
	word(len(blocks))
	for _, b := range blocks {
		word(b.unpacked)
		word(len(b.bytes))
		w.Write(b.bytes)
	}
	if err = w.Flush(); err == nil {
		p.version, err = p.out.ReadString('\n')
	}
	if err != nil {
		p.close()
		return nil, fmt.Errorf("give the blocks to the C program: %w", err)
	}
	p.version = strings.TrimSpace(p.version)
	return p, nil
}

// pass asks for one pass over all blocks.
func (p *lz4Process) pass() (seconds float64, sum uint64, err error) {
	var line string
	if _, err = p.in.Write([]byte{'\n'}); err == nil {
		line, err = p.out.ReadString('\n')
	}
	var ns uint64
	if err == nil {
		_, err = fmt.Sscan(line, &ns, &sum)
	}
	if err != nil {
		return 0, 0, fmt.Errorf("the C program answers %q: %w", strings.TrimSpace(line), err)
	}
	return float64(ns) / 1e9, sum, nil
}

func (p *lz4Process) close() {
	p.in.Close()
	p.stop()
}
