package hashmap

import (
	"bytes"
	"math/bits"
	"math/rand/v2"
	"testing"
)

func TestMix64Inverse(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	keys := []uint64{0, 1, ^uint64(0), 1 << 63, 0xbf58476d1ce4e5b9}
	for range 100000 {
		keys = append(keys, rng.Uint64())
	}
	for _, k := range keys {
		if got := Unmix64(Mix64(k)); got != k {
			t.Fatalf("Unmix64(Mix64(%#x)): got %#x", k, got)
		}
	}
}

// ClickHouse 26.7: SELECT intHash64(0), intHash64(1), intHash64(1234567890).
func TestIntHash64(t *testing.T) {
	for _, c := range []struct{ key, want uint64 }{{0, 4761183170873013810}, {1, 10577349846663553072}, {1234567890, 12193047823994929170}} {
		if got := IntHash64(c.key); got != c.want {
			t.Errorf("IntHash64(%d): want %d, got %d", c.key, c.want, got)
		}
	}
}

// TestHashBytesSpread changes single bits and lengths: about half of the hash's bits must change each time.
func TestHashBytesSpread(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for n := 0; n <= 130; n++ {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(rng.Uint32())
		}
		h := HashBytes(b, 7)
		if HashBytes(b, 8) == h || HashBytes(append(bytes.Clone(b), 0), 7) == h {
			t.Fatalf("length %d: a new seed or a longer string keeps the hash", n)
		}
		changed := 0
		for i := range 8 * n {
			b[i/8] ^= 1 << (i % 8)
			d := bits.OnesCount64(h ^ HashBytes(b, 7))
			if d < 8 || d > 56 {
				t.Fatalf("length %d, bit %d: %d bits of the hash change", n, i, d)
			}
			changed += d
			b[i/8] ^= 1 << (i % 8)
		}
		if n >= 4 && (changed < 8*n*29 || changed > 8*n*35) {
			t.Errorf("length %d: on average %.2f bits change, want about 32", n, float64(changed)/float64(8*n))
		}
	}
}
