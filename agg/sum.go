package agg

import (
	"dictsvc/column"
	"dictsvc/internal/simd"
)

// Sums of unsigned integers are UInt64, of signed ones Int64, of floats Float64, all wrapping; of wider integers their own type; of
// decimals the widest decimal of 38 (76) digits.

func bindSum(name string, params []column.Column, args []*column.Type) (*Function, error) {
	if err := oneArgument(name, args); err != nil {
		return nil, err
	}
	if err := noParams(name, params); err != nil {
		return nil, err
	}
	t := args[0]
	make, out := sumStates(t)
	if make == nil {
		return nil, illegal(name, t)
	}
	return &Function{Name: name, Type: out, NewStates: make}, nil
}

func sumStates(t *column.Type) (func() States, *column.Type) {
	u, i, f := column.Of(column.UInt64), column.Of(column.Int64), column.Of(column.Float64)
	switch t.Kind {
	case column.Bool, column.UInt8:
		return newSum[uint8, uint64](u), u
	case column.UInt16:
		return newSum[uint16, uint64](u), u
	case column.UInt32:
		return newSum[uint32, uint64](u), u
	case column.UInt64:
		return newSum[uint64, uint64](u), u
	case column.Int8, column.Enum8:
		return newSum[int8, int64](i), i
	case column.Int16, column.Enum16:
		return newSum[int16, int64](i), i
	case column.Int32:
		return newSum[int32, int64](i), i
	case column.Int64:
		return newSum[int64, int64](i), i
	case column.Float32:
		return newSum[float32, float64](f), f
	case column.Float64:
		return newSum[float64, float64](f), f
	case column.Decimal32, column.Decimal64, column.Decimal128:
		out := column.NewDecimal(38, t.Scale)
		return func() States { return &wideSum{t: out} }, out
	case column.Decimal256:
		out := column.NewDecimal(76, t.Scale)
		return func() States { return &wideSum{t: out} }, out
	case column.Int128, column.UInt128, column.Int256, column.UInt256:
		return func() States { return &wideSum{t: t} }, t
	}
	return nil, nil
}

func bindSumWithOverflow(name string, params []column.Column, args []*column.Type) (*Function, error) {
	if err := oneArgument(name, args); err != nil {
		return nil, err
	}
	if err := noParams(name, params); err != nil {
		return nil, err
	}
	t := args[0]
	var make func() States
	switch t.Kind {
	case column.UInt8, column.Bool:
		make = newSum[uint8, uint8](t)
	case column.UInt16:
		make = newSum[uint16, uint16](t)
	case column.UInt32:
		make = newSum[uint32, uint32](t)
	case column.Int8, column.Enum8:
		t = column.Of(column.Int8)
		make = newSum[int8, int8](t)
	case column.Int16, column.Enum16:
		t = column.Of(column.Int16)
		make = newSum[int16, int16](t)
	case column.Int32:
		make = newSum[int32, int32](t)
	case column.Float32:
		make = newSum[float32, float32](t)
	case column.Decimal32:
		make = newSum[int32, int32](t)
	case column.Decimal64:
		make = newSum[int64, int64](t)
	case column.Decimal128, column.Decimal256:
		make = func() States { return &wideSum{t: t} }
	default:
		var out *column.Type
		if make, out = sumStates(t); make == nil {
			return nil, illegal(name, t)
		}
		t = out
	}
	return &Function{Name: name, Type: t, NewStates: make}, nil
}

type sumOf[T, S column.Number] struct {
	t *column.Type
	v []S
}

func newSum[T, S column.Number](t *column.Type) func() States {
	return func() States { return &sumOf[T, S]{t: t} }
}

func (s *sumOf[T, S]) Grow(n int) { s.v = grow(s.v, n) }

func (s *sumOf[T, S]) Add(groups []uint32, args []column.Column, rows int) error {
	data := args[0].(*column.Num[T]).Data[:rows]
	if groups == nil {
		s.v[0] = sumAll(s.v[0], data)
		return nil
	}
	v := s.v
	for i, g := range groups {
		v[g] += S(data[i])
	}
	return nil
}

// sumAll adds a block to one sum in ClickHouse's order: 16 interleaved partial sums, then the rest, so that sums of
// floats agree to the last bit. Integers do not care, and the independent chains run faster.
func sumAll[T, S column.Number](sum S, data []T) S {
	if S(1)/2 == 0 {
		head, n := simd.SumIntegers(data)
		return sum + S(head) + sumIntegers[T, S](data[n:])
	}
	var part [16]S
	n := len(data) &^ 15
	done := sumFloats(&part, data)
	for i := done; i < n; i += 16 {
		d := data[i : i+16 : i+16]
		for j := range part {
			part[j] += S(d[j])
		}
	}
	for _, p := range part {
		sum += p
	}
	var rest S
	for _, v := range data[n:] {
		rest += S(v)
	}
	return sum + rest
}

// sumFloats adds a head of a block to partial sums of Float64 and returns its length.
func sumFloats[T, S column.Number](part *[16]S, data []T) int {
	wide, ok := any(part).(*[16]float64)
	if !ok {
		return 0
	}
	switch d := any(data).(type) {
	case []float64:
		return simd.SumFloats(wide, d)
	case []float32:
		return simd.SumFloats(wide, d)
	}
	return 0
}

// sumIntegers keeps four chains in registers.
func sumIntegers[T, S column.Number](data []T) S {
	var a, b, c, d S
	for len(data) >= 8 {
		x := (*[8]T)(data)
		a += S(x[0]) + S(x[4])
		b += S(x[1]) + S(x[5])
		c += S(x[2]) + S(x[6])
		d += S(x[3]) + S(x[7])
		data = data[8:]
	}
	for _, v := range data {
		a += S(v)
	}
	return a + b + c + d
}

func (s *sumOf[T, S]) Merge(other States, from, to []uint32) error {
	o := other.(*sumOf[T, S])
	for i, g := range to {
		s.v[g] += o.v[source(from, i)]
	}
	return nil
}

func (s *sumOf[T, S]) Save(buf []byte, group int) []byte { return saveNum(buf, s.v[group]) }

func (s *sumOf[T, S]) Load(r *column.StateReader, group int) error {
	s.v[group] = loadNum[S](r)
	return r.Err()
}

func (s *sumOf[T, S]) Result(from, to int) (column.Column, error) {
	return column.NewNum(s.t, s.v[from:to:to]), nil
}

func (s *sumOf[T, S]) Bytes() int { var z S; return cap(s.v) * len(column.Raw([]S{z})) }

// wideSum adds integers and decimals of up to 256 bits in four words.
type wideSum struct {
	t *column.Type
	v []column.I256
}

func (s *wideSum) Grow(n int) { s.v = grow(s.v, n) }

func (s *wideSum) Add(groups []uint32, args []column.Column, rows int) error {
	switch c := args[0].(type) {
	case *column.Num[int32]:
		wideAdd(s.v, groups, c.Data[:rows], func(x int32) column.I256 { return from64(int64(x)) })
	case *column.Num[int64]:
		wideAdd(s.v, groups, c.Data[:rows], from64)
	case *column.Wide[column.I128]:
		wideAdd(s.v, groups, c.Data[:rows], func(x column.I128) column.I256 {
			e := uint64(x.Hi >> 63)
			return column.I256{W: [4]uint64{x.Lo, uint64(x.Hi), e, e}}
		})
	case *column.Wide[column.U128]:
		wideAdd(s.v, groups, c.Data[:rows], func(x column.U128) column.I256 { return column.I256{W: [4]uint64{x.Lo, x.Hi, 0, 0}} })
	case *column.Wide[column.I256]:
		wideAdd(s.v, groups, c.Data[:rows], func(x column.I256) column.I256 { return x })
	case *column.Wide[column.U256]:
		wideAdd(s.v, groups, c.Data[:rows], func(x column.U256) column.I256 { return column.I256(x) })
	}
	return nil
}

func wideAdd[T any](v []column.I256, groups []uint32, data []T, widen func(T) column.I256) {
	g := uint32(0)
	for i, x := range data {
		if groups != nil {
			g = groups[i]
		}
		v[g] = add256(v[g], widen(x))
	}
}

func (s *wideSum) Merge(other States, from, to []uint32) error {
	o := other.(*wideSum)
	for i, g := range to {
		s.v[g] = add256(s.v[g], o.v[source(from, i)])
	}
	return nil
}

func (s *wideSum) Save(buf []byte, group int) []byte { return saveWide(buf, s.t, s.v[group]) }

func (s *wideSum) Load(r *column.StateReader, group int) error {
	s.v[group] = loadWide(r, s.t)
	return r.Err()
}

func (s *wideSum) Result(from, to int) (column.Column, error) {
	return narrowColumn(s.t, s.v[from:to]), nil
}

func (s *wideSum) Bytes() int { return 32 * cap(s.v) }
