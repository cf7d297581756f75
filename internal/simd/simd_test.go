package simd

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
)

// lengths go around the borders of turns.
var lengths = []int{0, 1, 15, 16, 31, 32, 33, 63, 64, 127, 128, 129, 1000}

// values draws numbers of which many are equal, small, at the ends of the type or, of floats, special.
func values[T Number](r *rand.Rand, n int) []T {
	out := make([]T, n)
	for i := range out {
		switch r.IntN(4) {
		case 0:
			out[i] = T(r.IntN(4))
		case 1:
			out[i] = T(0) - T(r.IntN(4))
		default:
			out[i] = T(r.Uint64())
		}
		if one := T(1); one/2 != 0 {
			out[i] = T(r.NormFloat64())
			if r.IntN(8) == 0 {
				out[i] = T([]float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), 1}[r.IntN(6)])
			}
		}
	}
	return out
}

func same[T Number](a, b T) bool {
	return a == b && math.Signbit(float64(a)) == math.Signbit(float64(b)) || a != a && b != b
}

func check[T, S Number](t *testing.T, what string, out []T, n int, a, b []S, ac, bc bool, f func(a, b S) T) {
	t.Helper()
	for i := range n {
		x, y := a[0], b[0]
		if !ac {
			x = a[i]
		}
		if !bc {
			y = b[i]
		}
		if want := f(x, y); !same(out[i], want) {
			t.Fatalf("%s of %T, value %d of %d: %v and %v give %v, want %v", what, x, i, n, x, y, out[i], want)
		}
	}
}

func bit(c bool) uint8 {
	if c {
		return 1
	}
	return 0
}

func testType[T Number](t *testing.T, r *rand.Rand) {
	for _, n := range lengths {
		for _, consts := range [][2]bool{{false, false}, {true, false}, {false, true}} {
			ac, bc := consts[0], consts[1]
			a, b, out := values[T](r, n+1), values[T](r, n+1), make([]T, n)
			check(t, "Add", out, Add(out, a, b, ac, bc), a, b, ac, bc, func(x, y T) T { return x + y })
			check(t, "Sub", out, Sub(out, a, b, ac, bc), a, b, ac, bc, func(x, y T) T { return x - y })
			check(t, "Mul", out, Mul(out, a, b, ac, bc), a, b, ac, bc, func(x, y T) T { return x * y })
			marks := make([]uint8, n)
			check(t, "Equal", marks, Equal(marks, a, b, ac, bc), a, b, ac, bc, func(x, y T) uint8 { return bit(x == y) })
			check(t, "NotEqual", marks, NotEqual(marks, a, b, ac, bc), a, b, ac, bc, func(x, y T) uint8 { return bit(x != y) })
			check(t, "Less", marks, Less(marks, a, b, ac, bc), a, b, ac, bc, func(x, y T) uint8 { return bit(x < y) })
			check(t, "LessEqual", marks, LessEqual(marks, a, b, ac, bc), a, b, ac, bc, func(x, y T) uint8 { return bit(x <= y) })
			keep := make([]uint8, n)
			for i := range keep {
				keep[i] = uint8(r.IntN(3)) << 7 >> uint(r.IntN(8))
			}
			done := Select(out, keep, a, b, ac, bc)
			for i := range done {
				want := at2(b, bc, i)
				if keep[i] != 0 {
					want = at2(a, ac, i)
				}
				if !same(out[i], want) {
					t.Fatalf("Select of %T, value %d: got %v, want %v", out[i], i, out[i], want)
				}
			}
		}
		testOne[T](t, r, n)
	}
}

func at2[T any](v []T, isConst bool, i int) T {
	if isConst {
		return v[0]
	}
	return v[i]
}

func testOne[T Number](t *testing.T, r *rand.Rand, n int) {
	data := values[T](r, n)
	for _, share := range []int{0, 1, 50, 99, 100} {
		keep := make([]uint8, n)
		var want []T
		for i := range keep {
			if r.IntN(100) < share {
				keep[i] = uint8(1 + r.IntN(255))
			}
		}
		out := make([]T, count(keep))
		looked, written := Compress(out, data, keep)
		for i := range looked {
			if keep[i] != 0 {
				want = append(want, data[i])
			}
		}
		if written != len(want) || !slices.EqualFunc(out[:written], want, same[T]) {
			t.Fatalf("Compress of %T: got %v, want %v", data, out[:written], want)
		}
	}
	if one := T(1); one/2 == 0 {
		sum, done := SumIntegers(data)
		var want uint64
		for _, v := range data[:done] {
			want += uint64(int64(v))
		}
		if sum != want {
			t.Fatalf("SumIntegers of %d %T: got %d, want %d", done, data, sum, want)
		}
	}
	if best, done := Min(data); done > 0 && !same(best, slices.Min(data[:done])) {
		t.Fatalf("Min of %v: got %v", data[:done], best)
	}
	if best, done := Max(data); done > 0 && !same(best, slices.Max(data[:done])) {
		t.Fatalf("Max of %v: got %v", data[:done], best)
	}
	testConvert[T, uint8](t, data)
	testConvert[T, uint16](t, data)
	testConvert[T, uint32](t, data)
	testConvert[T, uint64](t, data)
	testConvert[T, int8](t, data)
	testConvert[T, int64](t, data)
	testConvert[T, float64](t, data)
}

func count(keep []uint8) int {
	n := 0
	for _, k := range keep {
		n += int(bit(k != 0))
	}
	return n
}

func testConvert[S, R Number](t *testing.T, data []S) {
	out := make([]R, len(data))
	for i := range Convert(out, data) {
		if want := R(data[i]); !same(out[i], want) {
			t.Fatalf("Convert %T %v: got %v, want %v", data[i], data[i], out[i], want)
		}
	}
}

func TestKernels(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		testType[uint8](t, r)
		testType[uint16](t, r)
		testType[uint32](t, r)
		testType[uint64](t, r)
		testType[int8](t, r)
		testType[int16](t, r)
		testType[int32](t, r)
		testType[int64](t, r)
		testType[float32](t, r)
		testType[float64](t, r)
	}
}

func TestBitsAndFloats(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, n := range lengths {
		a, b, out := values[uint64](r, n+1), values[uint64](r, n+1), make([]uint64, n)
		check(t, "And", out, And(out, a, b, false, true), a, b, false, true, func(x, y uint64) uint64 { return x & y })
		check(t, "Or", out, Or(out, a, b, true, false), a, b, true, false, func(x, y uint64) uint64 { return x | y })
		check(t, "Xor", out, Xor(out, a, b, false, false), a, b, false, false, func(x, y uint64) uint64 { return x ^ y })
		for i := range Steps(out, 7, 1<<62+3) {
			if want := 7 + uint64(i)*(1<<62+3); out[i] != want {
				t.Fatalf("Steps: value %d is %d, want %d", i, out[i], want)
			}
		}
		f, g, quotient := values[float64](r, n+1), values[float64](r, n+1), make([]float64, n)
		check(t, "Div", quotient, Div(quotient, f, g, false, false), f, g, false, false, func(x, y float64) float64 { return x / y })
		for i := range Sqrt(quotient, f[:n]) {
			if want := math.Sqrt(f[i]); !same(quotient[i], want) {
				t.Fatalf("Sqrt(%v): got %v, want %v", f[i], quotient[i], want)
			}
		}
		words, short := make([]uint64, n), make([]uint32, n)
		for i := range Hash64(words, a[:n]) {
			x := a[i] ^ 0x4CF2D2BAAE6DA887
			x = (x ^ x>>33) * 0xff51afd7ed558ccd
			x = (x ^ x>>33) * 0xc4ceb9fe1a85ec53
			if want := x ^ x>>33; words[i] != want {
				t.Fatalf("Hash64(%d): got %d, want %d", a[i], words[i], want)
			}
		}
		for i := range Hash32(short, a[:n]) {
			x := a[i] ^ 0x75D9543DE018BF45
			x = ^x + x<<18
			x = (x ^ bits.RotateLeft64(x, -31)) * 21
			x ^= bits.RotateLeft64(x, -11)
			x += x << 6
			if want := uint32(x ^ bits.RotateLeft64(x, -22)); short[i] != want {
				t.Fatalf("Hash32(%d): got %d, want %d", a[i], short[i], want)
			}
		}
		var parts, want [16]float64
		for i := range SumFloats(&parts, f[:n]) {
			want[i%16] += f[i]
		}
		if !slices.EqualFunc(parts[:], want[:], same[float64]) {
			t.Fatalf("SumFloats: got %v, want %v", parts, want)
		}
	}
}

func BenchmarkKernels(b *testing.B) {
	const n = 65408
	a, out, marks := make([]uint64, n), make([]uint64, n), make([]uint8, n)
	for i := range marks {
		marks[i] = bit(i%10 == 3)
	}
	for _, c := range []struct {
		name string
		f    func()
	}{
		{"Add", func() { Add(out, a, a[:1], false, true) }},
		{"Mul", func() { Mul(out, a, a[:1], false, true) }},
		{"Less", func() { Less(marks, a, a[:1], false, true) }},
		{"Compress", func() { Compress(out, a, marks) }},
		{"SumIntegers", func() { SumIntegers(a) }},
		{"Max", func() { Max(a) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(n) // so that MB/s reads as million values a second
			for b.Loop() {
				c.f()
			}
		})
	}
}
