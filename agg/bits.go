package agg

import (
	"dictsvc/column"
	"dictsvc/errcode"
)

// bindBits: groupBitAnd, groupBitOr and groupBitXor of integers.
func bindBits(name string, params []column.Column, args []*column.Type) (*Function, error) {
	if err := oneArgument(name, args); err != nil {
		return nil, err
	}
	if err := noParams(name, params); err != nil {
		return nil, err
	}
	t := args[0]
	if !t.IsInteger() {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "The type %s of argument for aggregate function %s is illegal, because it cannot be used in bitwise operations", t, name)
	}
	if t.Kind == column.Bool {
		t = column.Of(column.UInt8)
	}
	return &Function{Name: name, Type: t, NewStates: func() States { return &bitStates{t: t, op: name[len("groupBit"):]} }}, nil
}

// bitStates hold every width in four words.
type bitStates struct {
	t  *column.Type
	op string // And, Or, Xor
	v  []column.I256
}

func (s *bitStates) Grow(n int) {
	was := len(s.v)
	s.v = grow(s.v, n)
	if s.op == "And" {
		for i := was; i < len(s.v); i++ {
			s.v[i] = from64(-1)
		}
	}
}

func (s *bitStates) combine(g uint32, x column.I256) {
	v := &s.v[g]
	for i := range v.W {
		switch s.op {
		case "And":
			v.W[i] &= x.W[i]
		case "Or":
			v.W[i] |= x.W[i]
		default:
			v.W[i] ^= x.W[i]
		}
	}
}

func (s *bitStates) Add(groups []uint32, args []column.Column, rows int) error {
	g := uint32(0)
	for i := range rows {
		if groups != nil {
			g = groups[i]
		}
		s.combine(g, wideAt(args[0], i))
	}
	return nil
}

// wideAt is an integer in four words.
func wideAt(c column.Column, i int) column.I256 {
	switch x := c.(type) {
	case *column.Num[uint8]:
		return column.I256{W: [4]uint64{uint64(x.Data[i])}}
	case *column.Num[uint16]:
		return column.I256{W: [4]uint64{uint64(x.Data[i])}}
	case *column.Num[uint32]:
		return column.I256{W: [4]uint64{uint64(x.Data[i])}}
	case *column.Num[uint64]:
		return column.I256{W: [4]uint64{x.Data[i]}}
	case *column.Num[int8]:
		return from64(int64(x.Data[i]))
	case *column.Num[int16]:
		return from64(int64(x.Data[i]))
	case *column.Num[int32]:
		return from64(int64(x.Data[i]))
	case *column.Num[int64]:
		return from64(x.Data[i])
	case *column.Wide[column.I128]:
		v := x.Data[i]
		e := uint64(v.Hi >> 63)
		return column.I256{W: [4]uint64{v.Lo, uint64(v.Hi), e, e}}
	case *column.Wide[column.U128]:
		return column.I256{W: [4]uint64{x.Data[i].Lo, x.Data[i].Hi}}
	case *column.Wide[column.I256]:
		return x.Data[i]
	case *column.Wide[column.U256]:
		return column.I256(x.Data[i])
	}
	return column.I256{}
}

func (s *bitStates) Merge(other States, from, to []uint32) error {
	o := other.(*bitStates)
	for i, g := range to {
		s.combine(g, o.v[source(from, i)])
	}
	return nil
}

func (s *bitStates) Save(buf []byte, group int) []byte {
	return append(buf, column.Raw(s.v[group].W[:])[:s.t.FixedWidth()]...)
}

func (s *bitStates) Load(r *column.StateReader, group int) error {
	var v column.I256
	copy(column.Raw(v.W[:]), r.Bytes(s.t.FixedWidth()))
	s.v[group] = v
	return r.Err()
}

func (s *bitStates) Result(from, to int) (column.Column, error) {
	out := column.New(s.t, to-from)
	var buf []byte
	for g := from; g < to; g++ {
		buf = s.Save(buf, g)
	}
	r := column.NewStateReader(buf)
	for range to - from {
		if err := column.ReadNative(out, r); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (s *bitStates) Bytes() int { return 32 * cap(s.v) }
