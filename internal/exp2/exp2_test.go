package exp2

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// exact is 2^x, rounded once, for a multiple of 1/16: by repeated square roots.
func exact(sixteenths int) float64 {
	v := new(big.Float).SetPrec(300).SetInt64(1)
	root := new(big.Float).SetPrec(300).SetInt64(2)
	for bit := 8; bit > 0; bit /= 2 {
		root.Sqrt(root)
		if sixteenths&bit != 0 {
			v.Mul(v, root)
		}
	}
	v.SetMantExp(v, sixteenths>>4)
	f, _ := v.Float64()
	return f
}

func TestExact(t *testing.T) {
	for n := -17000; n < 16400; n++ {
		if got, want := Of(float64(n)/16), exact(n); got != want && want > 1e-300 {
			t.Fatalf("2^(%d/16): got %x, want %x", n, got, want)
		}
	}
}

func TestNearMath(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200000 {
		x := r.Float64()*2000 - 1000
		got, want := Of(x), math.Exp2(x)
		if math.Abs(got-want) > 4e-16*want {
			t.Fatalf("2^%v: got %x, math.Exp2 gives %x", x, got, want)
		}
	}
}

func TestEdges(t *testing.T) {
	for x, want := range map[float64]float64{0: 1, 1: 2, -1: 0.5, 1023: 0x1p1023, 1024: math.Inf(1), -1022: 0x1p-1022, -1074: 0x1p-1074, -1080: 0,
		math.Inf(1): math.Inf(1), math.Inf(-1): 0, 1e300: math.Inf(1), -1e300: 0} {
		if got := Of(x); got != want {
			t.Errorf("2^%v: got %v, want %v", x, got, want)
		}
	}
	if got := Of(math.NaN()); got == got {
		t.Errorf("2^NaN: got %v", got)
	}
}

func TestExpLog(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 200000 {
		x := r.Float64()*1400 - 700
		got, want := Exp(x), math.Exp(x)
		if math.Abs(got-want) > 4e-16*want {
			t.Fatalf("e^%v: got %x, math.Exp gives %x", x, got, want)
		}
		l, wantLog := Log(want), math.Log(want)
		if math.Abs(l-wantLog) > 4e-16*math.Abs(wantLog) {
			t.Fatalf("log %v: got %x, math.Log gives %x", want, l, wantLog)
		}
	}
	for x, want := range map[float64]float64{1: 0, 0: math.Inf(-1), math.Inf(1): math.Inf(1), math.E: 1} {
		if got := Log(x); got != want {
			t.Errorf("log %v: got %v, want %v", x, got, want)
		}
	}
	for x, want := range map[float64]float64{0: 1, 1: math.E, 800: math.Inf(1), -800: 0} {
		if got := Exp(x); got != want {
			t.Errorf("e^%v: got %v, want %v", x, got, want)
		}
	}
	if got := Log(-1); got == got {
		t.Errorf("log -1: got %v", got)
	}
}
