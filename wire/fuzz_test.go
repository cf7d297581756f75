package wire

import (
	"testing"

	"dictsvc/column"
)

// Decoders must neither panic nor take more than what arrives; what they accept must be a fixed point: written and read again it is the same.

func FuzzBlock(f *testing.F) {
	for _, name := range sampleTypes {
		var w output
		writeBlock(&w, sampleBlock(3, name), true, Revision)
		f.Add(w.buf)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r := newBytesInput(data)
		b := readBlock(r, Revision, &testLimits, nil)
		if r.err != nil || b == nil {
			return
		}
		for i, c := range b.Cols {
			if c.Len() != b.Rows {
				t.Fatalf("column %d of type %s: want %d rows, got %d", i, c.Type(), b.Rows, c.Len())
			}
			for row := 0; row < min(b.Rows, 100); row++ {
				column.AppendImage(nil, c, row)
			}
		}
		var w, old output
		writeBlock(&w, b, true, Revision)
		again := newBytesInput(w.buf)
		got := readBlock(again, Revision, &testLimits, nil)
		if again.err != nil {
			t.Fatal(again.err)
		}
		sameBlock(t, b, got)
		writeBlock(&old, b, true, 54412) // downgrading must not panic on any value
	})
}

func FuzzPackets(f *testing.F) {
	for i, p := range packets {
		for _, revision := range []uint64{54412, 54453, 54460} {
			var w output
			p.encode(&w, p.value, revision)
			f.Add(uint8(i), uint16(revision-54400), w.buf[1:])
		}
	}
	f.Fuzz(func(t *testing.T, kind uint8, revision uint16, data []byte) {
		p := packets[int(kind)%len(packets)]
		p.decode(newBytesInput(data), 54400+uint64(revision%64))
	})
}

func FuzzFrames(f *testing.F) {
	for _, m := range []Compression{LZ4, ZSTD, NONE} {
		var w output
		fw := newFrameWriter(&w)
		fw.method = m
		fw.raw.raw([]byte("some text, some text"))
		fw.raw.spill()
		f.Add(w.buf[frameHash], w.buf[frameHash+frameHeader:], uint32(20))
	}
	f.Fuzz(func(t *testing.T, method byte, data []byte, raw uint32) {
		r := newFrameReader(newBytesInput(frame(method, uint32(len(data))+frameHeader, raw%(1<<22), data)))
		defer r.close()
		if err := r.next(); err == nil && len(r.buf) != int(raw%(1<<22)) {
			t.Fatalf("want %d bytes, got %d", raw%(1<<22), len(r.buf))
		}
	})
}
