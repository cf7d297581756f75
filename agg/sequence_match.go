package agg

import (
	"encoding/binary"
	"slices"

	"dictsvc/column"
	"dictsvc/errcode"
)

// bindSequence: sequenceMatch(pattern)(time, condition1, condition2...) tells whether the events, in the order of time, hold the pattern; sequenceCount
// how often.
func bindSequence(name string, params []column.Column, args []*column.Type) (*Function, error) {
	if len(params) != 1 {
		return nil, errcode.New(errcode.NumberOfArgumentsDoesntMatch, "Aggregate function %s requires exactly one parameter", name)
	}
	if len(args) < 3 {
		return nil, errcode.New(errcode.TooFewArgumentsForFunction, "Aggregate function %s requires at least 3 arguments", name)
	}
	if len(args) > maxEvents+1 {
		return nil, errcode.New(errcode.TooManyArgumentsForFunction, "Aggregate function %s supports up to %d event arguments", name, maxEvents)
	}
	if err := conditions(name, args); err != nil {
		return nil, err
	}
	text, ok := StringParam(params[0])
	if !ok {
		return nil, errcode.New(errcode.BadGet, "Bad get: has %s, requested String", params[0].Type())
	}
	f := &sequence{name: name, count: name == "sequenceCount"}
	states := f.states(args[0])
	if states == nil {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "Illegal type %s of first argument of aggregate function %s, must be DateTime", args[0], name)
	}
	var err error
	if f.pattern, err = parsePattern(text, len(args)-1); err != nil {
		return nil, err
	}
	t := column.Of(column.UInt8)
	if f.count {
		t = column.Of(column.UInt64)
	}
	same := name
	for _, a := range args {
		same += ", " + a.String()
	}
	return &Function{Name: name, Type: t, OrderSensitive: true, sameStates: same, NewStates: states}, nil
}

// conditions checks that all arguments but the first are conditions.
func conditions(name string, args []*column.Type) error {
	for i, t := range args[1:] {
		if t.Kind != column.UInt8 && t.Kind != column.Bool {
			return errcode.New(errcode.IllegalTypeOfArgument, "Illegal type %s of argument %d of aggregate function %s, must be UInt8", t, i+2, name)
		}
	}
	return nil
}

type sequence struct {
	name    string
	count   bool
	pattern *pattern
}

func (f *sequence) states(t *column.Type) func() States {
	if !t.IsUnsigned() && !plainTime(t) && t.Kind != column.Bool {
		return nil
	}
	switch column.New(t, 0).(type) {
	case *column.Num[uint8]:
		return newSequences(f, numberStamps[uint8]())
	case *column.Num[uint16]:
		return newSequences(f, numberStamps[uint16]())
	case *column.Num[uint32]:
		return newSequences(f, numberStamps[uint32]())
	case *column.Num[uint64]:
		return newSequences(f, numberStamps[uint64]())
	case *column.Wide[column.U128]:
		return newSequences(f, stamps128())
	case *column.Wide[column.U256]:
		return newSequences(f, stamps256())
	}
	return nil
}

func newSequences[T any](f *sequence, of *stamps[T]) func() States {
	return func() States { return &sequences[T]{f: f, of: of} }
}

// met is a row that meets conditions, a bit each.
type met[T any] struct {
	at     T
	events uint32
}

type sequences[T any] struct {
	f      *sequence
	of     *stamps[T]
	events lists[met[T]]
	sorted []bool // a state said so of its events, and nothing has come since
	found  []met[T]
	owner  []uint32
}

func (s *sequences[T]) Grow(n int) {
	s.events.grow(n)
	s.sorted = grow(s.sorted, n)
}

func (s *sequences[T]) Add(groups []uint32, args []column.Column, rows int) error {
	at := s.of.data(args[0])[:rows]
	bits := make([]uint32, rows)
	for e, a := range args[1:] {
		for i, x := range a.(*column.Num[uint8]).Data[:rows] {
			if x != 0 {
				bits[i] |= 1 << e
			}
		}
	}
	s.found, s.owner = s.found[:0], s.owner[:0]
	for i, b := range bits {
		if b == 0 {
			continue
		}
		s.found = append(s.found, met[T]{at[i], b})
		if groups != nil {
			s.owner = append(s.owner, groups[i])
			s.sorted[groups[i]] = false
		}
	}
	if groups == nil {
		s.sorted[0] = s.sorted[0] && len(s.found) == 0
		s.events.add(nil, s.found)
	} else {
		s.events.add(s.owner, s.found)
	}
	return nil
}

func (s *sequences[T]) Seal() { s.events.seal() }

func (s *sequences[T]) Merge(other States, from, to []uint32) error {
	o := other.(*sequences[T])
	for i, g := range to {
		if theirs := o.events.of(source(from, i)); len(theirs) > 0 {
			s.events.addTo(g, theirs)
			s.sorted[g] = false
		}
	}
	return nil
}

func (s *sequences[T]) Save(buf []byte, group int) []byte {
	own := s.events.of(group)
	buf = append(buf, flag(s.sorted[group] || len(own) == 0))
	buf = binary.LittleEndian.AppendUint64(buf, uint64(len(own)))
	for i := range own {
		buf = append(buf, column.Raw([]T{own[i].at})...)
		buf = binary.LittleEndian.AppendUint64(buf, uint64(own[i].events))
	}
	return buf
}

func (s *sequences[T]) Load(r *column.StateReader, group int) error {
	s.sorted[group] = r.U8() != 0
	n := r.U64()
	if n > funnelMost {
		return r.Fail(errcode.New(errcode.TooLargeArraySize, "Too large size of the state of %s", s.f.name))
	}
	width := sizeOf[T]()
	for ; n > 0 && r.Err() == nil; n-- {
		var at [1]T
		copy(column.Raw(at[:]), r.Bytes(width))
		x := met[T]{at[0], uint32(r.U64())}
		if r.Err() == nil {
			s.events.addTo(uint32(group), []met[T]{x})
		}
	}
	return r.Err()
}

func (s *sequences[T]) Result(from, to int) (column.Column, error) {
	out := make([]uint64, to-from)
	for i := range out {
		own := slices.Clone(s.events.of(from + i))
		slices.SortStableFunc(own, func(a, b met[T]) int { return s.of.cmp(a.at, b.at) })
		events := func(i int) uint32 { return own[i].events }
		since := func(i, base int) (uint64, bool) { return s.of.since(own[i].at, own[base].at) }
		n, err := s.f.matches(len(own), events, since)
		if err != nil {
			return nil, err
		}
		out[i] = n
	}
	if s.f.count {
		return column.UInt64s(out...), nil
	}
	return IntegersOf(column.Of(column.UInt8), out), nil
}

func (s *sequences[T]) Bytes() int {
	return s.events.bytes() + cap(s.sorted) + cap(s.found)*sizeOf[met[T]]() + 4*cap(s.owner)
}

// matches is how often the pattern occurs among n events, or 1 where it occurs at all.
func (f *sequence) matches(n int, events func(i int) uint32, since func(i, base int) (uint64, bool)) (uint64, error) {
	all := uint32(0)
	for i := range n {
		all |= events(i)
	}
	if f.pattern.events&^all != 0 {
		return 0, nil
	}
	if !f.count && !f.pattern.timed {
		return uint64(flag(f.pattern.match(n, events))), nil
	}
	count := uint64(0)
	for at := 0; f.count && at < n || !f.count && count == 0; {
		next, ok, err := f.pattern.backtrack(at, n, events, since)
		if err != nil {
			return 0, err
		}
		if !ok {
			break
		}
		count++
		at = next
	}
	return count, nil
}
