package agg

import (
	"math"
	"math/big"
	"reflect"

	"dictsvc/column"
)

// avg is the sum over the count as Float64; over dates and times it stays in their type.
func bindAvg(name string, params []column.Column, args []*column.Type) (*Function, error) {
	if err := oneArgument(name, args); err != nil {
		return nil, err
	}
	if err := noParams(name, params); err != nil {
		return nil, err
	}
	t := args[0]
	sumType, out := t, column.Of(column.Float64)
	switch t.Kind {
	case column.Date:
		sumType, out = column.Of(column.UInt16), t
	case column.DateTime:
		sumType, out = column.Of(column.UInt32), t
	case column.Date32:
		sumType, out = column.Of(column.Int32), t
	case column.DateTime64:
		sumType, out = column.NewDecimal(18, t.Scale), t
	case column.Enum8, column.Enum16:
		return nil, illegal(name, t)
	}
	make, _ := sumStates(sumType)
	if make == nil {
		return nil, illegal(name, t)
	}
	return &Function{Name: name, Type: out, NewStates: func() States { return &avgStates{t: out, scale: t.Scale, sum: make(), n: &countStates{}} }}, nil
}

type avgStates struct {
	t     *column.Type
	scale int // of a decimal argument
	sum   States
	n     *countStates
	// The sum or the count is that of another aggregate of the same rows, which sees to it.
	borrowedSum, borrowedCount bool
}

// Borrow lets the states of avg(x) use those of sum(x) and of count(), either nil, which hold the same groups and get the same rows. It does nothing where they
// are not of these functions.
func Borrow(avg, sum, count States) {
	a, ok := avg.(*avgStates)
	if !ok || a.t.Kind != column.Float64 {
		return
	}
	if sum != nil && reflect.TypeOf(sum) == reflect.TypeOf(a.sum) {
		a.sum, a.borrowedSum = sum, true
	}
	if c, ok := count.(*countStates); ok {
		a.n, a.borrowedCount = c, true
	}
}

func (s *avgStates) Grow(n int) { s.sum.Grow(n); s.n.Grow(n) }

func (s *avgStates) Add(groups []uint32, args []column.Column, rows int) error {
	if !s.borrowedSum {
		if err := s.sum.Add(groups, args, rows); err != nil {
			return err
		}
	}
	if s.borrowedCount {
		return nil
	}
	return s.n.Add(groups, nil, rows)
}

func (s *avgStates) Merge(other States, from, to []uint32) error {
	o := other.(*avgStates)
	if !s.borrowedSum {
		if err := s.sum.Merge(o.sum, from, to); err != nil {
			return err
		}
	}
	if s.borrowedCount {
		return nil
	}
	return s.n.Merge(o.n, from, to)
}

func (s *avgStates) Save(buf []byte, group int) []byte {
	return s.n.Save(s.sum.Save(buf, group), group)
}

func (s *avgStates) Load(r *column.StateReader, group int) error {
	if err := s.sum.Load(r, group); err != nil {
		return err
	}
	return s.n.Load(r, group)
}

func (s *avgStates) Result(from, to int) (column.Column, error) {
	sums, err := s.sum.Result(from, to)
	if err != nil {
		return nil, err
	}
	f := make([]float64, to-from)
	toFloats(sums, f)
	n := s.n.n[from:to]
	if s.t.Kind != column.Float64 {
		return s.dates(sums, n), nil
	}
	scale := math.Pow10(s.scale)
	for i := range f {
		if sums.Type().IsDecimal() {
			f[i] = f[i] / scale / float64(n[i])
			continue
		}
		f[i] /= float64(n[i])
	}
	return column.Float64s(f...), nil
}

// dates are averages of dates or times, rounded to the nearest, halves to the even one.
func (s *avgStates) dates(sums column.Column, n []uint64) column.Column {
	out := column.New(s.t, len(n))
	for i := range n {
		var q int64
		if n[i] > 0 {
			switch c := sums.(type) {
			case *column.Num[uint64]:
				q = int64(math.RoundToEven(float64(c.Data[i]) / float64(n[i])))
			case *column.Num[int64]:
				q = int64(math.RoundToEven(float64(c.Data[i]) / float64(n[i])))
			case *column.Wide[column.I128]: // of DateTime64
				q = int64(math.RoundToEven(floatI128(c.Data[i]) / float64(n[i])))
			}
		}
		switch o := out.(type) {
		case *column.Num[uint16]:
			o.Data = append(o.Data, uint16(q))
		case *column.Num[uint32]:
			o.Data = append(o.Data, uint32(q))
		case *column.Num[int32]:
			o.Data = append(o.Data, int32(q))
		case *column.Num[int64]:
			o.Data = append(o.Data, q)
		}
	}
	return out
}

func toFloats(c column.Column, out []float64) {
	switch c := c.(type) {
	case *column.Num[uint64]:
		for i, v := range c.Data {
			out[i] = float64(v)
		}
	case *column.Num[int64]:
		for i, v := range c.Data {
			out[i] = float64(v)
		}
	case *column.Num[float64]:
		copy(out, c.Data)
	case *column.Wide[column.I128]:
		for i, v := range c.Data {
			e := uint64(v.Hi >> 63)
			out[i] = float256(column.I256{W: [4]uint64{v.Lo, uint64(v.Hi), e, e}}, true)
		}
	case *column.Wide[column.U128]:
		for i, v := range c.Data {
			out[i] = float256(column.I256{W: [4]uint64{v.Lo, v.Hi}}, false)
		}
	case *column.Wide[column.I256]:
		for i, v := range c.Data {
			out[i] = float256(v, true)
		}
	case *column.Wide[column.U256]:
		for i, v := range c.Data {
			out[i] = float256(column.I256(v), false)
		}
	}
}

// float256 rounds a 256-bit integer to the nearest float.
func float256(v column.I256, signed bool) float64 {
	negative := signed && int64(v.W[3]) < 0
	if negative {
		for i := range v.W {
			v.W[i] = ^v.W[i]
		}
		v = add256(v, from64(1))
	}
	if v.W[1]|v.W[2]|v.W[3] == 0 {
		f := float64(v.W[0])
		if negative {
			return -f
		}
		return f
	}
	b := new(big.Int)
	for i := 3; i >= 0; i-- {
		b.Lsh(b, 64).Or(b, new(big.Int).SetUint64(v.W[i]))
	}
	f, _ := new(big.Float).SetInt(b).Float64()
	if negative {
		return -f
	}
	return f
}

func (s *avgStates) Bytes() int { return s.sum.Bytes() + s.n.Bytes() }
