package lzframe

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"dictsvc/errcode"
)

// guarded is a copy of p whose last byte is the last before memory that may not be touched.
func guarded(t testing.TB, p []byte) []byte {
	t.Helper()
	const page = 4096
	size := (len(p) + page - 1) / page * page
	m, err := syscall.Mmap(-1, 0, size+page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mprotect(m[size:], syscall.PROT_NONE); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Munmap(m); err != nil {
			t.Error(err)
		}
	})
	at := size - len(p)
	copy(m[at:], p)
	return m[at : at+len(p) : at+len(p)]
}

func samples() map[string][]byte {
	r := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, 5000)
	for i := range noise {
		noise[i] = byte(r.Uint32())
	}
	return map[string][]byte{
		"one byte": {7}, "zeros": make([]byte, 70000), "text": []byte(strings.Repeat("a text that repeats, ", 300)), "noise": noise,
		"runs": bytes.Repeat([]byte{1, 1, 1, 1, 1, 1, 1, 1, 2, 3}, 100),
	}
}

func TestFrameRoundTrip(t *testing.T) {
	var c Compressor
	for name, raw := range samples() {
		f, err := c.Append([]byte("front"), raw)
		if err != nil {
			t.Fatal(err)
		}
		if string(f[:5]) != "front" {
			t.Errorf("%s: what stood in front was changed", name)
		}
		f = f[5:]
		dst := guarded(t, make([]byte, len(raw)))
		if err := Open(dst, guarded(t, f)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if !bytes.Equal(dst, raw) {
			t.Errorf("%s: other bytes came back", name)
		}
	}
}

// TestFrameDamage changes, cuts and lengthens frames everywhere: each is an error with code 40 or 271.
func TestFrameDamage(t *testing.T) {
	var c Compressor
	for name, raw := range samples() {
		f, err := c.Append(nil, raw)
		if err != nil {
			t.Fatal(err)
		}
		dst := make([]byte, len(raw))
		step := max(1, len(f)/500)
		for i := 0; i < len(f); i += step {
			bad := bytes.Clone(f)
			bad[i] ^= 1 << (i % 8)
			if err := Open(dst, bad); errcode.Of(err) != errcode.ChecksumDoesntMatch {
				t.Fatalf("%s, byte %d changed: want code 40, got %v", name, i, err)
			}
			if err := Open(dst, f[:i]); errcode.Of(err) != errcode.ChecksumDoesntMatch && errcode.Of(err) != errcode.CannotDecompress {
				t.Fatalf("%s, cut at %d: got %v", name, i, err)
			}
		}
		if err := Open(dst[:len(dst)-1], f); errcode.Of(err) != errcode.CannotDecompress {
			t.Errorf("%s: less room than data: got %v", name, err)
		}
		if err := Open(append(dst, 0), f); errcode.Of(err) != errcode.CannotDecompress {
			t.Errorf("%s: more room than data: got %v", name, err)
		}
	}
}

func TestFrameMethods(t *testing.T) {
	b := append(make([]byte, Head), 1, 2, 3)
	Seal(b, ZSTD, 3)
	if err := Open(make([]byte, 3), b); errcode.Of(err) != errcode.UnknownCompressionMethod {
		t.Errorf("ZSTD: want code 89, got %v", err)
	}
	Seal(b, None, 2)
	if err := Open(make([]byte, 2), b); errcode.Of(err) != errcode.CannotDecompress {
		t.Errorf("three bytes as they are for two: want code 271, got %v", err)
	}
	Seal(b, None, 3)
	binary.LittleEndian.PutUint32(b[Hash+1:], 99)
	if err := Open(make([]byte, 3), b); errcode.Of(err) != errcode.ChecksumDoesntMatch {
		t.Errorf("another size: want code 40, got %v", err)
	}
}

// FuzzLZ4 gives the decoder any bytes, between pages that it must not touch: it fills the room or says no.
func FuzzLZ4(f *testing.F) {
	var c Compressor
	for _, raw := range samples() {
		if frame, err := c.Append(nil, raw); err == nil {
			f.Add(frame[Head:], uint32(len(raw)))
			f.Add(frame[Head:], uint32(len(raw)-1))
		}
	}
	f.Add([]byte{0xff, 0xff, 0xff, 0xff}, uint32(100))
	f.Add([]byte{0x1f, 'a', 1, 0, 0xff, 0xff, 0}, uint32(600))
	f.Fuzz(func(t *testing.T, data []byte, raw uint32) {
		dst := guarded(t, make([]byte, raw%(1<<18)))
		data = guarded(t, data)
		before := bytes.Clone(data)
		if err := Decompress(dst, data, LZ4); err != nil && errcode.Of(err) != errcode.CannotDecompress {
			t.Errorf("want code 271, got %v", err)
		}
		if !bytes.Equal(data, before) {
			t.Error("the decoder changed its input")
		}
	})
}

func testNarrow[T integer](t *testing.T, signed bool, values ...T) {
	t.Helper()
	var z T
	width := int(unsafe.Sizeof(z))
	raw := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(values))), len(values)*width)
	p := Narrow(nil, Ints{Bytes: raw, Width: width, Signed: signed})
	got := make([]T, len(values))
	dst := Ints{Bytes: unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(got))), len(raw)), Width: width}
	if err := Widen(dst, p); err != nil {
		t.Fatal(err)
	}
	for i := range values {
		if got[i] != values[i] {
			t.Fatalf("%d-byte integers, place %d: want %v, got %v", width, i, values[i], got[i])
		}
	}
	for n := range p {
		if n < len(p)-1 || p[0] > 0 {
			if err := Widen(dst, p[:n]); errcode.Of(err) != errcode.CannotDecompress {
				t.Fatalf("%d of %d bytes: want code 271, got %v", n, len(p), err)
			}
		}
	}
	for w := range 256 {
		if byte(w) == p[0] {
			continue
		}
		bad := bytes.Clone(p)
		bad[0] = byte(w)
		if err := Widen(dst, bad); errcode.Of(err) != errcode.CannotDecompress {
			t.Fatalf("width %d instead of %d: want code 271, got %v", w, p[0], err)
		}
	}
}

func TestNarrow(t *testing.T) {
	testNarrow[uint8](t, false, 0, 255, 3)
	testNarrow[uint8](t, false, 9, 9, 9)
	testNarrow[uint16](t, false, 65535, 65300)
	testNarrow[uint16](t, false, 0, 65535)
	testNarrow[int16](t, true, -32768, 32767, 0)
	testNarrow[int16](t, true, -3, -1, -2, 5, 100, 7, 9)
	testNarrow[uint32](t, false, math.MaxUint32, 0)
	testNarrow[uint32](t, false, 70000, 70001, 135000)
	testNarrow[int32](t, true, math.MinInt32, math.MaxInt32)
	testNarrow[int32](t, true, -70000, 70000)
	testNarrow[int64](t, true, math.MinInt64, math.MaxInt64)
	testNarrow[int64](t, true, math.MinInt64, math.MinInt64+200)
	testNarrow[int64](t, true, -1_000_000, 1_000_000_000, 5, 6, 7)
	testNarrow[int64](t, true, 1<<40, 1<<41)
	testNarrow[uint64](t, false, 0, math.MaxUint64)
	testNarrow[uint64](t, false, math.MaxUint64, math.MaxUint64-300)
	if err := Widen(Ints{Width: 8}, Narrow(nil, Ints{Width: 8})); err != nil {
		t.Errorf("no integers at all: %v", err)
	}
}

func BenchmarkOpen(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	values := make([]int64, 65409)
	for i := range values {
		values[i] = 90000 + r.Int64N(10_000_000)
	}
	raw := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(values))), len(values)*8)
	for _, v := range []struct {
		name   string
		narrow bool
	}{{"as they are", false}, {"narrowed", true}} {
		b.Run(v.name, func(b *testing.B) {
			p := raw
			if v.narrow {
				p = Narrow(nil, Ints{Bytes: raw, Width: 8, Signed: true})
			}
			var c Compressor
			f, err := c.Append(nil, p)
			if err != nil {
				b.Fatal(err)
			}
			tmp := make([]uint64, (len(p)+7)/8)
			dst := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(tmp))), len(p))
			out := make([]byte, len(raw))
			b.SetBytes(int64(len(raw)))
			b.ResetTimer()
			for range b.N {
				if err := Open(dst, f); err != nil {
					b.Fatal(err)
				}
				if v.narrow {
					if err := Widen(Ints{Bytes: out, Width: 8}, dst); err != nil {
						b.Fatal(err)
					}
				}
			}
			b.ReportMetric(float64(len(f))/float64(len(values)), "bytes/value")
		})
	}
}
