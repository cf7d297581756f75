package agg

import (
	"dictsvc/column"
	"dictsvc/errcode"
)

// maxEvents is how many conditions retention and its like take.
const maxEvents = 32

// bindRetention: retention tells which conditions were met by some row, each only where the first was.
func bindRetention(name string, params []column.Column, args []*column.Type) (*Function, error) {
	if err := noParams(name, params); err != nil {
		return nil, err
	}
	if len(args) < 2 {
		return nil, errcode.New(errcode.NumberOfArgumentsDoesntMatch, "Not enough event arguments for aggregate function %s", name)
	}
	if len(args) > maxEvents {
		return nil, errcode.New(errcode.NumberOfArgumentsDoesntMatch, "Too many event arguments for aggregate function %s", name)
	}
	for _, t := range args {
		if t.Kind != column.UInt8 && t.Kind != column.Bool {
			return nil, errcode.New(errcode.IllegalTypeOfArgument, "Illegal type %s of argument of aggregate function %s, must be UInt8", t, name)
		}
	}
	return &Function{Name: name, Type: column.NewArray(column.Of(column.UInt8)), NewStates: func() States { return &retention{events: len(args)} }}, nil
}

// retention has a bit an event.
type retention struct {
	events int
	bits   []uint32
}

func (s *retention) Grow(n int) { s.bits = grow(s.bits, n) }

func (s *retention) Add(groups []uint32, args []column.Column, rows int) error {
	for e, a := range args {
		for i, x := range a.(*column.Num[uint8]).Data[:rows] {
			if x == 0 {
				continue
			}
			if groups == nil {
				s.bits[0] |= 1 << e
				break
			}
			s.bits[groups[i]] |= 1 << e
		}
	}
	return nil
}

func (s *retention) Merge(other States, from, to []uint32) error {
	o := other.(*retention)
	for i, g := range to {
		s.bits[g] |= o.bits[source(from, i)]
	}
	return nil
}

func (s *retention) Save(buf []byte, group int) []byte { return saveNum(buf, s.bits[group]) }

func (s *retention) Load(r *column.StateReader, group int) error {
	s.bits[group] = r.U32()
	return r.Err()
}

func (s *retention) Result(from, to int) (column.Column, error) {
	out := make([]uint8, 0, (to-from)*s.events)
	ends := make([]uint64, 0, to-from)
	for _, b := range s.bits[from:to] {
		for e := range s.events {
			out = append(out, uint8(b&1&(b>>e)))
		}
		ends = append(ends, uint64(len(out)))
	}
	return column.NewArr(column.NewNum(column.Of(column.UInt8), out), ends), nil
}

func (s *retention) Bytes() int { return 4 * cap(s.bits) }
