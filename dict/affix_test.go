package dict

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/pierrec/lz4/v4"

	"dictsvc/column"
)

// plainStrings stores strings without codes.
func plainStrings(t testing.TB, list []string) (*strStore, *region) {
	m := newRegion(nil)
	s := &strStore{mem: m}
	for _, text := range list {
		if err := s.putPlain([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.seal(); err != nil {
		t.Fatal(err)
	}
	return s, m
}

// TestAffix stores lists whose strings begin and end alike in all ways, those among them in which the two meet.
func TestAffix(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 5))
	for range 5000 {
		head, tail := "aaaaaaabab"[:r.IntN(11)], "babaaaaaaa"[10-r.IntN(11):]
		list := make([]string, 1+r.IntN(12))
		for i := range list {
			list[i] = head
			for range r.IntN(4) {
				list[i] += string(rune('a' + r.IntN(2)))
			}
			list[i] += tail
			if r.IntN(30) == 0 {
				list[i] = list[i][:r.IntN(len(list[i])+1)]
			}
		}
		s, m := plainStrings(t, list)
		rows, found := make([]uint64, len(list)), make([]uint8, len(list))
		for i := range rows {
			rows[i], found[i] = uint64(i), 1
		}
		got := column.Strings()
		s.gather(got, rows, found, column.Strings("-"))
		k := &keyImages{strStore: *s}
		for i, want := range list {
			if got.StringAt(i) != want {
				t.Fatalf("%q: string %d is %q", list, i, got.StringAt(i))
			}
			if string(k.image(uint64(i), nil)) != want || !k.span(uint64(i)).equal([]byte(want)) || k.span(uint64(i)).equal([]byte(want+"a")) {
				t.Fatalf("%q: image %d is %q", list, i, k.image(uint64(i), nil))
			}
			for j, other := range list {
				if k.same(uint64(i), uint64(j)) != (want == other) {
					t.Fatalf("%q: strings %d and %d: same is %v", list, i, j, k.same(uint64(i), uint64(j)))
				}
			}
		}
		m.free()
	}
}

// BenchmarkGatherAffix looks mail addresses up at random: as they are, without what they have in common, and in LZ4 blocks of 64.
func BenchmarkGatherAffix(b *testing.B) {
	const n, perBlock = 10_000_000, 64
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf("user-%d@example.org", i)
	}
	r := rand.New(rand.NewPCG(1, 1))
	rows, found := make([]uint64, column.MaxBlockRows), make([]uint8, column.MaxBlockRows)
	for i := range rows {
		rows[i], found[i] = r.Uint64N(n), 1
	}
	for _, whole := range []bool{true, false} {
		m := newRegion(nil)
		s := &strStore{mem: m, whole: whole}
		for _, text := range list {
			if err := s.putPlain([]byte(text)); err != nil {
				b.Fatal(err)
			}
		}
		if err := s.seal(); err != nil {
			b.Fatal(err)
		}
		b.Run(map[bool]string{true: "whole", false: "affix"}[whole], func(b *testing.B) {
			missing := column.Strings("")
			for done := 0; done < b.N; done += len(rows) {
				for i := range rows {
					rows[i] = (rows[i] + 7_654_321) % n
				}
				s.gather(column.New(column.Of(column.String), len(rows)), rows, found, missing)
			}
			b.ReportMetric(float64(m.bytes())/n, "bytes/row")
		})
		m.free()
	}
	b.Run("lz4", func(b *testing.B) {
		var blocks [][]byte
		var bytes int
		var plain, packed []byte
		packed = make([]byte, 64<<10)
		for i := 0; i < n; i += perBlock {
			plain = plain[:0]
			for _, text := range list[i:min(i+perBlock, n)] {
				plain = append(plain, text...)
			}
			size, err := lz4.CompressBlock(plain, packed, nil)
			if err != nil {
				b.Fatal(err)
			}
			blocks = append(blocks, append([]byte(nil), packed[:size]...))
			bytes += size + 2*perBlock + 8 // lengths, and where the block lies
		}
		b.ResetTimer()
		for done := 0; done < b.N; done++ {
			row := (uint64(done) * 7_654_321) % n
			if _, err := lz4.UncompressBlock(blocks[row/perBlock], packed); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(bytes)/n, "bytes/row")
	})
}
