package column

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
)

// interesting are the numbers around every power of ten and two.
func interesting() []uint64 {
	var list []uint64
	for p := uint64(1); ; p *= 10 {
		list = append(list, p-1, p, p+1)
		if p > math.MaxUint64/10 {
			break
		}
	}
	for k := range 64 {
		list = append(list, 1<<k-1, 1<<k, 1<<k+1)
	}
	r := rand.New(rand.NewPCG(3, 4))
	for range 20000 {
		list = append(list, r.Uint64()>>r.IntN(64))
	}
	return append(list, math.MaxUint64)
}

func TestPutUint(t *testing.T) {
	var buf [2 * maxDigits]byte
	check := func(v uint64) {
		if got, want := string(buf[:putUint(buf[:], v)]), strconv.FormatUint(v, 10); got != want {
			t.Fatalf("%d is written %q", v, got)
		}
	}
	for v := range uint64(200000) {
		check(v)
	}
	for _, v := range interesting() {
		check(v)
		if got, want := string(buf[:putInt(buf[:], int64(v))]), strconv.FormatInt(int64(v), 10); got != want {
			t.Fatalf("%d is written %q", int64(v), got)
		}
	}
}

// TestIntegerText compares toString of every integer type with a number at a time, whatever is the widest of the column.
func TestIntegerText(t *testing.T) {
	list := interesting()
	for n := 0; n <= 100; n++ {
		testText[uint8](t, UInt8, list[n:2*n])
		testText[uint16](t, UInt16, list[n:2*n])
		testText[uint32](t, UInt32, list[n:2*n])
		testText[uint64](t, UInt64, list[n:2*n])
		testText[int8](t, Int8, list[n:2*n])
		testText[int16](t, Int16, list[n:2*n])
		testText[int32](t, Int32, list[n:2*n])
		testText[int64](t, Int64, list[n:2*n])
	}
	testText[int64](t, Int64, []uint64{1 << 63})
	testText[uint64](t, UInt64, list)
	testText[int64](t, Int64, list)
}

func testText[T Number](t *testing.T, k Kind, list []uint64) {
	t.Helper()
	c := &Num[T]{T: Of(k)}
	for _, v := range list {
		c.Data = append(c.Data, T(v))
	}
	s := new(Scratch)
	for _, m := range []*Scratch{nil, s} {
		got := NewScratchCast(c.T, Of(String))(m, c).(*Str)
		if got.Len() != len(list) {
			t.Fatalf("%s: %d rows, want %d", c.T, got.Len(), len(list))
		}
		for i, v := range c.Data {
			want := strconv.FormatUint(uint64(v), 10)
			if v < 0 {
				want = strconv.FormatInt(int64(v), 10)
			}
			if string(got.At(i)) != want {
				t.Fatalf("%s: row %d is %q, want %q", c.T, i, got.At(i), want)
			}
		}
	}
}

// TestScratchCast compares the casts in a Scratch with CAST.
func TestScratchCast(t *testing.T) {
	kinds := []Kind{UInt8, UInt16, UInt32, UInt64, Int8, Int16, Int32, Int64, Float32, Float64}
	list := interesting()
	for _, from := range kinds {
		base := UInt64s(list...)
		in, err := Cast(base, Of(from), CastPlain)
		if err != nil {
			t.Fatal(err)
		}
		for _, to := range append(kinds, Bool, String, Date, Int128) {
			f := NewScratchCast(Of(from), Of(to))
			if f == nil {
				continue
			}
			for _, n := range []int{0, 1, 3, 4, 5, 99, len(list)} {
				c := in.Slice(0, n)
				want, err := Cast(c, Of(to), CastPlain)
				if err != nil {
					t.Fatal(err)
				}
				requireEqual(t, f(new(Scratch), c), want)
			}
		}
	}
}

func TestCount(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for n := 0; n <= 100; n++ {
		keep, want := make([]uint8, n+3), 0
		for i := range keep {
			keep[i] = uint8(r.Uint32()) * uint8(r.IntN(2))
			if i >= 3 && keep[i] != 0 {
				want++
			}
		}
		if got := Count(keep[3:]); got != want {
			t.Fatalf("Count of %d bytes is %d, want %d", n, got, want)
		}
	}
}

func BenchmarkIntegerText(b *testing.B) {
	c := UInt64s()
	for i := range uint64(MaxBlockRows) {
		c.Data = append(c.Data, i*2654435761)
	}
	s := new(Scratch)
	b.SetBytes(MaxBlockRows) // so that MB/s reads as million rows a second
	for b.Loop() {
		textOfIntegers(s, c)
		s.Reset()
	}
}
