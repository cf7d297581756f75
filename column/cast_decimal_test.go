package column

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
)

// Every cast by words gives what castWide gives, or leaves the rows to it.
func TestDecimalWords(t *testing.T) {
	rnd := rand.New(rand.NewPCG(6, 1))
	var types []*Type
	for _, name := range []string{"Decimal(9, 0)", "Decimal(9, 4)", "Decimal(9, 9)", "Decimal(15, 2)", "Decimal(18, 18)", "Decimal(38, 4)", "Decimal(38, 30)"} {
		types = append(types, mustType(t, name))
	}
	taken := 0
	for _, to := range types {
		for _, name := range []string{"UInt8", "UInt64", "Int8", "Int32", "Int64", "Float32", "Float64", "Decimal(9, 3)", "Decimal(18, 7)"} {
			from := mustType(t, name)
			for width := range 64 {
				c := New(from, 8)
				for range 8 {
					v := rnd.Int64() >> width
					if rnd.IntN(2) == 0 {
						v = -v
					}
					switch x := c.(type) {
					case *Num[float32]:
						x.Data = append(x.Data, float32(v)/64)
					case *Num[float64]:
						x.Data = append(x.Data, float64(v)/64)
					default:
						appendWide(c, WideInt(v))
					}
				}
				want, err := castWideRows(c, New(to, 8), from, to, false, nil)
				got, ok := decimalWords(c, from, to)
				if !ok {
					continue
				}
				taken++
				if err != nil || !reflect.DeepEqual(got, want) {
					t.Fatalf("%s to %s: got %v; want %v, %v (from %v)", from, to, got, want, err, c)
				}
			}
		}
	}
	if taken < 1000 {
		t.Fatalf("only %d columns were cast by words", taken)
	}
	for _, f := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e30} {
		if _, ok := decimalWords(&Num[float64]{T: Of(Float64), Data: []float64{1, f}}, Of(Float64), types[3]); ok {
			t.Errorf("%v taken for a decimal", f)
		}
	}
}

func BenchmarkCastDecimal(b *testing.B) {
	to := mustType(b, "Decimal(15, 2)")
	in := &Num[uint64]{T: Of(UInt64)}
	for i := range uint64(65409) {
		in.Data = append(in.Data, i)
	}
	b.Run("words", func(b *testing.B) {
		for b.Loop() {
			decimalWords(in, in.T, to)
		}
	})
	b.Run("wide", func(b *testing.B) {
		for b.Loop() {
			_, _ = castWideRows(in, New(to, in.Len()), in.T, to, false, nil)
		}
	})
}

func mustType(tb testing.TB, name string) *Type {
	tb.Helper()
	t, err := Parse(name)
	if err != nil {
		tb.Fatal(err)
	}
	return t
}
