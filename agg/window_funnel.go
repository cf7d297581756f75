package agg

import (
	"cmp"
	"encoding/binary"
	"slices"

	"dictsvc/column"
	"dictsvc/errcode"
)

// funnel are the parameters of windowFunnel(window[, mode...])(time, condition1, condition2...): how far a chain of events gets whose times lie
// within the window.
type funnel struct {
	window        uint64
	steps         int
	deduplication bool // the first event that repeats a step ends the chain
	order         bool // events of other steps, and rows without any, end it
	increase      bool // times must grow from step to step
	once          bool // a row takes no more than one step of a chain
	reentry       bool // with order: a step that comes too early is passed over
}

func bindWindowFunnel(name string, params []column.Column, args []*column.Type) (*Function, error) {
	if len(params) == 0 {
		return nil, errcode.New(errcode.NumberOfArgumentsDoesntMatch, "Aggregate function %s requires at least one parameter: <window>, [option, [option, ...]]", name)
	}
	if len(args) < 2 {
		return nil, errcode.New(errcode.NumberOfArgumentsDoesntMatch, "Aggregate function %s requires one timestamp argument and at least one event condition", name)
	}
	if len(args) > maxEvents+1 {
		return nil, errcode.New(errcode.NumberOfArgumentsDoesntMatch, "Too many event arguments for aggregate function %s", name)
	}
	if err := conditions(name, args); err != nil {
		return nil, err
	}
	f := funnel{steps: len(args) - 1}
	if err := f.options(name, params); err != nil {
		return nil, err
	}
	states := funnelStates(args[0], &f)
	if states == nil {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "Illegal type %s of first argument of aggregate function %s, must be Unsigned Number, Date, DateTime", args[0], name)
	}
	return &Function{Name: name, Type: column.Of(column.UInt8), OrderSensitive: true, NewStates: states}, nil
}

// options reads the window and the names of modes.
func (f *funnel) options(name string, params []column.Column) error {
	switch x := column.Full(params[0]).(type) {
	case *column.Num[int64]: // a negative window is taken modulo 2^64
		f.window = uint64(x.Data[0])
	default:
		n, whole := IntParam(x)
		if u, ok := UintParam(x); ok {
			f.window = u
		} else if f.window = uint64(n); !whole {
			return errcode.New(errcode.BadGet, "Bad get: has %s, requested UInt64", x.Type())
		}
	}
	for _, p := range params[1:] {
		option, ok := StringParam(p)
		if !ok {
			return errcode.New(errcode.BadGet, "Bad get: has %s, requested String", p.Type())
		}
		switch option {
		case "strict_deduplication":
			f.deduplication = true
		case "strict_order":
			f.order = true
		case "strict_increase":
			f.increase = true
		case "strict_once":
			f.once = true
		case "allow_reentry":
			f.reentry = true
		case "strict":
			return errcode.New(errcode.BadArguments, "strict is replaced with strict_deduplication in Aggregate function %s", name)
		default:
			return errcode.New(errcode.BadArguments, "Aggregate function %s doesn't support a parameter: %s", name, option)
		}
	}
	if f.reentry && !f.order {
		return errcode.New(errcode.BadArguments, "allow_reentry option requires strict_order to be enabled in Aggregate function %s", name)
	}
	return nil
}

func funnelStates(t *column.Type, f *funnel) func() States {
	if !t.IsUnsigned() && !plainTime(t) && t.Kind != column.Bool {
		return nil
	}
	switch column.New(t, 0).(type) {
	case *column.Num[uint8]:
		return newFunnels(f, numberStamps[uint8]())
	case *column.Num[uint16]:
		return newFunnels(f, numberStamps[uint16]())
	case *column.Num[uint32]:
		return newFunnels(f, numberStamps[uint32]())
	case *column.Num[uint64]:
		return newFunnels(f, numberStamps[uint64]())
	case *column.Wide[column.U128]:
		return newFunnels(f, stamps128())
	case *column.Wide[column.U256]:
		return newFunnels(f, stamps256())
	}
	return nil
}

func newFunnels[T any](f *funnel, of *stamps[T]) func() States {
	return func() States { return &funnels[T]{f: f, of: of} }
}

// step is a row that meets condition n, from 1; 0 is a row that meets none.
type step[T any] struct {
	id uint64 // of the row, under strict_once
	at T
	n  uint8
}

// chain is what is known of a group beside its steps.
type chain struct {
	next     uint64 // id of the next row, - 1
	unsorted bool   // the steps have not come in order
	merged   bool   // they are of several states, which are sorted then
	some     bool
}

type funnels[T any] struct {
	f      *funnel
	of     *stamps[T]
	steps  lists[step[T]]
	last   []step[T]
	chains []chain

	found []step[T] // of the block at hand
	owner []uint32
}

func (s *funnels[T]) Grow(n int) {
	s.steps.grow(n)
	s.last, s.chains = grow(s.last, n), grow(s.chains, n)
}

func (s *funnels[T]) cmp(a, b step[T]) int {
	if c := s.of.cmp(a.at, b.at); c != 0 {
		return c
	}
	if a.n != b.n {
		return cmp.Compare(a.n, b.n)
	}
	return cmp.Compare(a.id, b.id)
}

func (s *funnels[T]) Add(groups []uint32, args []column.Column, rows int) error {
	at := s.of.data(args[0])[:rows]
	met := make([][]uint8, s.f.steps)
	for i := range met {
		met[i] = args[i+1].(*column.Num[uint8]).Data[:rows]
	}
	s.found, s.owner = s.found[:0], s.owner[:0]
	g := uint32(0)
	for i, t := range at {
		if groups != nil {
			g = groups[i]
		}
		c := &s.chains[g]
		had := len(s.found)
		for n := len(met); n > 0; n-- { // descending, so that one row does not take two steps of a chain at once
			if met[n-1][i] != 0 {
				s.take(c, g, step[T]{at: t, n: uint8(n)})
			}
		}
		if len(s.found) == had && s.f.order {
			s.take(c, g, step[T]{at: t})
		}
		c.next++
	}
	if groups == nil {
		s.steps.add(nil, s.found)
	} else {
		s.steps.add(s.owner, s.found)
	}
	return nil
}

func (s *funnels[T]) take(c *chain, g uint32, x step[T]) {
	if s.f.once {
		x.id = c.next + 1
	}
	if c.some && s.cmp(s.last[g], x) > 0 {
		c.unsorted = true
	}
	c.some = true
	s.last[g] = x
	s.found = append(s.found, x)
	s.owner = append(s.owner, g)
}

func (s *funnels[T]) Seal() { s.steps.seal() }

func (s *funnels[T]) Merge(other States, from, to []uint32) error {
	o := other.(*funnels[T])
	for i, g := range to {
		k := source(from, i)
		theirs := o.steps.of(k)
		if len(theirs) == 0 {
			continue
		}
		c := &s.chains[g]
		if s.f.once {
			base, next := c.next+1, c.next+1
			s.found = s.found[:0]
			for _, x := range theirs {
				x.id += base
				next = max(next, x.id+1)
				s.found = append(s.found, x)
			}
			c.next, theirs = next-1, s.found
		}
		s.steps.addTo(g, theirs)
		if last := theirs[len(theirs)-1]; !c.some || s.cmp(last, s.last[g]) > 0 {
			s.last[g] = last
		}
		c.some, c.merged = true, true
	}
	return nil
}

// sorted are a group's steps in order, as far as the function asks for it.
func (s *funnels[T]) sorted(group int, always bool) []step[T] {
	own := s.steps.of(group)
	if c := &s.chains[group]; c.merged || c.unsorted && always {
		own = slices.Clone(own)
		slices.SortStableFunc(own, s.cmp)
	}
	return own
}

func (s *funnels[T]) Save(buf []byte, group int) []byte {
	own := s.sorted(group, false)
	c := &s.chains[group]
	buf = append(buf, flag(c.merged || !c.unsorted))
	buf = binary.LittleEndian.AppendUint64(buf, uint64(len(own)))
	for i := range own {
		buf = append(buf, column.Raw([]T{own[i].at})...)
		buf = append(buf, own[i].n)
		if s.f.once {
			buf = binary.LittleEndian.AppendUint64(buf, own[i].id)
		}
	}
	return buf
}

// funnelMost is how many steps a state may have.
const funnelMost = 100000000

func (s *funnels[T]) Load(r *column.StateReader, group int) error {
	c := &s.chains[group]
	c.unsorted = r.U8() == 0
	n := r.U64()
	if n > funnelMost {
		return r.Fail(errcode.New(errcode.TooLargeArraySize, "Too large size of the state of windowFunnel"))
	}
	least := uint8(1)
	if s.f.order {
		least = 0
	}
	width := sizeOf[T]()
	for ; n > 0; n-- {
		var at [1]T
		copy(column.Raw(at[:]), r.Bytes(width))
		x := step[T]{at: at[0], n: r.U8()}
		if s.f.once {
			x.id = r.U64()
			c.next = max(c.next, x.id)
		}
		if err := r.Err(); err != nil {
			return err
		}
		if x.n < least || int(x.n) > s.f.steps {
			return r.Corrupt("Invalid event type %d in the state of function windowFunnel, must be in range [%d, %d]", x.n, least, s.f.steps)
		}
		c.some, s.last[group] = true, x
		s.steps.addTo(uint32(group), []step[T]{x})
	}
	return r.Err()
}

func (s *funnels[T]) Result(from, to int) (column.Column, error) {
	out := make([]uint8, to-from)
	for i := range out {
		own := s.sorted(from+i, true)
		switch {
		case len(own) == 0:
		case !s.f.order && s.f.steps == 1:
			out[i] = 1
		case s.f.once:
			n, err := s.f.levelOnce(len(own), func(i int) timed { return s.timed(&own[i]) })
			if err != nil {
				return nil, err
			}
			out[i] = n
		default:
			out[i] = s.f.level(len(own), func(i int) timed { return s.timed(&own[i]) })
		}
	}
	return column.UInt8s(out...), nil
}

func (s *funnels[T]) timed(x *step[T]) timed {
	at, fits := s.of.low(x.at)
	return timed{at: at, beyond: !fits, n: int(x.n), id: x.id}
}

func (s *funnels[T]) Bytes() int {
	one := sizeOf[step[T]]()
	return s.steps.bytes() + (cap(s.last)+cap(s.found))*one + 16*cap(s.chains) + 4*cap(s.owner)
}
