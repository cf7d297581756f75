package function

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"dictsvc/column"
	"dictsvc/internal/cityhash"
)

// run binds a function for columns and runs it, in a Scratch where scratch is set.
func run(t *testing.T, name string, scratch bool, cols ...column.Column) column.Column {
	t.Helper()
	args := make([]Arg, len(cols))
	for i, c := range cols {
		args[i] = Arg{Type: c.Type()}
		if k, ok := c.(*column.Const); ok {
			args[i].Const = k.Val
		}
	}
	f, ok := Lookup(name)
	if !ok {
		t.Fatalf("no function %s", name)
	}
	b, err := Bind(testEnv, f, args)
	if err != nil {
		t.Fatal(err)
	}
	call := &Call{Args: cols, Rows: cols[0].Len(), Env: testEnv}
	if scratch {
		call.Scratch = new(column.Scratch)
	}
	out, err := b.Exec(call)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// randomStrings makes a slice of a longer column, its rows 0 to long bytes.
func randomStrings(r *rand.Rand, n, long int) *column.Str {
	s := column.Strings("in front")
	for range n {
		b := make([]byte, r.IntN(long+1))
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		s.Append(b)
	}
	return s.Slice(1, n+1).(*column.Str)
}

// TestConcatKernel compares concat with a row at a time: strings around the lengths that are copied as a block, fixed strings, numbers, constants, NULLs.
func TestConcatKernel(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for n := 1; n <= 100; n++ {
		a, b := randomStrings(r, n, 20), randomStrings(r, n, 60)
		num := column.Int64s()
		fixed := &column.FixedStr{T: column.NewFixedString(3)}
		nulls := make([]uint8, n)
		for i := range n {
			num.Data = append(num.Data, int64(r.Uint64())>>r.IntN(64))
			fixed.Append([]byte("ab")[:r.IntN(3)])
			nulls[i] = uint8(r.IntN(2))
		}
		front, back := column.NewConst(column.Strings("user-"), n), column.NewConst(column.Strings("@a-rather-long-constant.example.org"), n)
		empty, digit := column.NewConst(column.Strings(""), n), column.NewConst(column.UInt8s(7), n)
		null := column.NewNull(a, nulls)
		for _, args := range [][]column.Column{{a, b}, {front, a, front}, {a, front}, {front, b}, {a}, {front, a, back}, {front, num, back}, {front, back, a, digit, front}, {b, empty, fixed, num}, {a, null}, {num, front, null, back}} {
			text := make([]*column.Str, len(args))
			for k, c := range args {
				if x, ok := c.(*column.Null); ok {
					c = x.Inner
				}
				s, err := column.Cast(column.Full(c), column.Of(column.String), column.CastPlain)
				if err != nil {
					t.Fatal(err)
				}
				text[k] = s.(*column.Str)
				if x, ok := c.(*column.FixedStr); ok { // concat keeps the bytes that pad
					text[k] = column.Strings()
					for i := range n {
						text[k].Append(x.At(i))
					}
				}
			}
			for _, scratch := range []bool{false, true} {
				got, gotNulls := splitNull(column.Full(run(t, "concat", scratch, args...)))
				for i := range n {
					var want []byte
					for _, s := range text {
						want = append(want, s.At(i)...)
					}
					if gotNulls.nulls != nil && gotNulls.at(i) {
						continue
					}
					if g := got.(*column.Str).At(i); !bytes.Equal(g, want) {
						t.Fatalf("%d rows: row %d is %q, want %q", n, i, g, want)
					}
				}
			}
		}
	}
}

func TestHashKernels(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for n := 1; n <= 100; n++ {
		s, num, small := randomStrings(r, n, 200), column.UInt64s(), column.NewNum(column.Of(column.Int16), []int16{})
		for range n {
			num.Data = append(num.Data, r.Uint64())
			small.Data = append(small.Data, int16(r.Uint32()))
		}
		for _, scratch := range []bool{false, true} {
			strings := run(t, "cityHash64", scratch, s).(*column.Num[uint64]).Data
			words := run(t, "cityHash64", scratch, num).(*column.Num[uint64]).Data
			bits := run(t, "cityHash64", scratch, small).(*column.Num[uint64]).Data
			wide := run(t, "intHash64", scratch, small).(*column.Num[uint64]).Data
			half := run(t, "intHash32", scratch, small).(*column.Num[uint32]).Data
			for i := range n {
				if strings[i] != cityhash.Sum64(s.At(i)) || words[i] != intHash64(num.Data[i]) || bits[i] != intHash64(uint64(uint16(small.Data[i]))) ||
					wide[i] != intHash64(uint64(int64(small.Data[i]))) || half[i] != intHash32(uint64(int64(small.Data[i]))) {
					t.Fatalf("%d rows: row %d differs", n, i)
				}
			}
		}
	}
}

// TestConstDivision compares division by constants with the operators of Go, for divisors of each form that divider has.
func TestConstDivision(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	divisors := []uint64{1, 2, 3, 5, 7, 10, 16, 100, 127, 255, 256, 641, 1000, 65535, 65536, 70000, 1<<32 - 1, 1 << 32, 1<<63 - 1, 1 << 63, 1<<64 - 1}
	for range 200 {
		divisors = append(divisors, r.Uint64()>>r.IntN(64)|1)
	}
	n := column.UInt64s(0, 1, 1<<63, 1<<64-1)
	for range 97 {
		n.Data = append(n.Data, r.Uint64()>>r.IntN(64))
	}
	for _, d := range divisors {
		k := column.NewConst(column.UInt64s(d), n.Len())
		if d < 1<<8 {
			k = column.NewConst(column.UInt8s(uint8(d)), n.Len())
		} else if d < 1<<16 {
			k = column.NewConst(column.UInt16s(uint16(d)), n.Len())
		}
		for _, scratch := range []bool{false, true} {
			q, _ := nums[uint64](run(t, "intDiv", scratch, n, k))
			m, _ := nums[uint64](run(t, "modulo", scratch, n, k))
			for i, v := range n.Data {
				if q[i] != v/d || m[i] != v%d {
					t.Fatalf("%d by %d: %d rest %d, want %d rest %d", v, d, q[i], m[i], v/d, v%d)
				}
			}
		}
	}
}

// BenchmarkHashUint64s is the kernel alone.
func BenchmarkHashUint64s(b *testing.B) {
	in, out := make([]uint64, benchRows), make([]uint64, benchRows)
	for i := range in {
		in[i] = uint64(i)
	}
	b.SetBytes(benchRows) // so that MB/s reads as million rows a second
	for b.Loop() {
		hashUint64s(out, in)
	}
}

func BenchmarkConcat(b *testing.B) {
	str := column.Strings()
	for i := range benchRows {
		str.Data = append(str.Data, itoa(1000000+i)...)
		str.EndRow()
	}
	call := &Call{Rows: benchRows, Scratch: new(column.Scratch)}
	b.SetBytes(benchRows) // so that MB/s reads as million rows a second
	for b.Loop() {
		j := joiner{rows: benchRows}
		j.constant([]byte("user-"))
		j.add(str)
		j.constant([]byte("@example.org"))
		if _, err := j.run(call); err != nil {
			b.Fatal(err)
		}
		call.Scratch.Reset()
	}
}
