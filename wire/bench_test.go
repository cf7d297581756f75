package wire

import (
	"context"
	"testing"

	"dictsvc/column"
)

// BenchmarkPointQuery is the round trip of a query with one row, over one connection.
func BenchmarkPointQuery(b *testing.B) {
	f := newFake()
	_, addr := serve(b, f, Limits{})
	c := dial(b, addr, ClientConfig{})
	req := &Request{SQL: "SELECT 1"}
	b.ReportAllocs()
	for b.Loop() {
		if err := c.Exec(context.Background(), req); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkWriteBlock encodes 65,409 rows of numbers and strings.
func BenchmarkWriteBlock(b *testing.B) {
	block := sampleBlock(column.MaxBlockRows, "UInt64", "String")
	for _, m := range []Compression{Uncompressed, LZ4} {
		b.Run(map[Compression]string{Uncompressed: "raw", LZ4: "LZ4"}[m], func(b *testing.B) {
			var size int64
			out := output{drain: func(p []byte) error { size += int64(len(p)); return nil }, limit: writeBuffer}
			fw := newFrameWriter(&out)
			fw.method = m
			for b.Loop() {
				if m == Uncompressed {
					writeBlock(&out, block, true, Revision)
				} else {
					writeBlock(&fw.raw, block, true, Revision)
					fw.raw.spill()
				}
				out.spill()
			}
			b.SetBytes(size / int64(b.N))
		})
	}
}

// BenchmarkReadBlock decodes the same.
func BenchmarkReadBlock(b *testing.B) {
	var w output
	writeBlock(&w, sampleBlock(column.MaxBlockRows, "UInt64", "String"), true, Revision)
	b.SetBytes(int64(len(w.buf)))
	b.ReportAllocs()
	for b.Loop() {
		if r := newBytesInput(w.buf); readBlock(r, Revision, &testLimits, nil) == nil {
			b.Fatal(r.err)
		}
	}
}
