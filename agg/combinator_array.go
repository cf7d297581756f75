package agg

import (
	"encoding/binary"

	"dictsvc/column"
	"dictsvc/errcode"
)

// elementTypes are the types of the elements of a combinator's arguments, which must be arrays.
func (c *combined) elementTypes() ([]*column.Type, error) {
	elems := make([]*column.Type, len(c.args))
	for i, t := range c.args {
		if t.Kind != column.Array {
			return nil, errcode.New(errcode.IllegalTypeOfArgument, "Illegal type %s of argument for aggregate function with %s suffix. Must be array.", t, c.suffix)
		}
		elems[i] = t.Elems[0]
	}
	return elems, nil
}

// bindArray: f over the elements of arrays.
func bindArray(c *combined) (*Function, error) {
	if len(c.args) == 0 {
		return nil, errcode.New(errcode.NumberOfArgumentsDoesntMatch, "-Array aggregate functions require at least one argument")
	}
	elems, err := c.elementTypes()
	if err != nil {
		return nil, err
	}
	f, err := c.inner(c.params, elems)
	if err != nil {
		return nil, err
	}
	out := c.function(f)
	out.sameStates = f.same()
	out.NewStates = func() States { return &arrayStates{States: f.NewStates(), name: c.name} }
	return out, nil
}

// arrayStates are the inner function's states: only Add differs.
type arrayStates struct {
	States
	name string
}

func (s *arrayStates) Seal() { seal(s.States) }

func (s *arrayStates) Merge(other States, from, to []uint32) error {
	return s.States.Merge(other.(*arrayStates).States, from, to)
}

// Add gives all elements to the inner function at once, with their row's group.
func (s *arrayStates) Add(groups []uint32, args []column.Column, rows int) error {
	first, elems, err := flatten(s.name, args, rows)
	if err != nil {
		return err
	}
	n := elems[0].Len()
	if n == 0 {
		return nil
	}
	if groups == nil {
		return s.States.Add(nil, elems, n)
	}
	flat := make([]uint32, n)
	for i, g := range groups {
		from, to := first.Range(i)
		own := flat[from:to]
		for j := range own {
			own[j] = g
		}
	}
	return s.States.Add(flat, elems, n)
}

// flatten checks that the arrays of each row have one length and returns the columns of their elements. The ranges of the array that it
// returns are places in them.
func flatten(name string, args []column.Column, rows int) (*column.Arr, []column.Column, error) {
	elems := make([]column.Column, len(args))
	var first *column.Arr
	for i, a := range args {
		x := a.(*column.Arr)
		if x.Len() != rows || rows > 0 && !exact(x, rows) {
			x = x.Slice(0, rows).(*column.Arr)
		}
		elems[i] = column.Plain(x.Elem)
		if first == nil {
			first = x
			continue
		}
		for k := range rows {
			if _, want := first.Range(k); want != int(x.Ends[k]-x.Start) {
				return nil, nil, errcode.New(errcode.SizesOfArraysDontMatch, "Arrays passed to %s aggregate function have different sizes", name)
			}
		}
	}
	return first, elems, nil
}

// exact tells whether an array column's elements are just those of its rows.
func exact(x *column.Arr, rows int) bool {
	_, last := x.Range(rows - 1)
	return x.Elem.Len() == last
}

// bindForEach: f over the first elements of arrays, over the second ones, and so on.
func bindForEach(c *combined) (*Function, error) {
	elems, err := c.elementTypes()
	if err != nil {
		return nil, err
	}
	f, err := c.inner(c.params, elems)
	if err != nil {
		return nil, err
	}
	if len(elems) == 0 {
		return nil, errcode.New(errcode.NumberOfArgumentsDoesntMatch, "Aggregate function %s require at least one argument", c.name)
	}
	out := c.function(f)
	out.Type = column.NewArray(f.Type)
	out.NewStates = func() States { return &forEachStates{t: out.Type, name: c.name, places: places{inner: f.NewStates()}} }
	return out, nil
}

// places are states of an inner function that are given out as they are needed; results are computed for all of them at once.
type places struct {
	inner  States
	n      int
	result column.Column // of places [0, n); nil after changes
}

// more gives out k new places and returns the first.
func (p *places) more(k int) (uint32, error) {
	if uint64(p.n)+uint64(k) > 1<<31 {
		return 0, errcode.New(errcode.TooLargeArraySize, "An aggregate function needs too many states: %d", uint64(p.n)+uint64(k))
	}
	at := p.n
	p.n += k
	p.inner.Grow(p.n)
	return uint32(at), nil
}

// results gives the results of some places.
func (p *places) results(list []uint32) (column.Column, error) {
	if p.result == nil {
		c, err := p.inner.Result(0, p.n)
		if err != nil {
			return nil, err
		}
		p.result = c
	}
	return p.result.Gather(list), nil
}

func (p *places) bytes() int {
	n := p.inner.Bytes()
	if p.result != nil {
		n += p.result.Bytes()
	}
	return n
}

// forEachStates has, for each group, a run of slots: the inner states of its positions. A run that must grow moves to the end of the list
// and doubles its room.
type forEachStates struct {
	t     *column.Type
	name  string
	runs  []slotRun
	slots []uint32
	places
}

type slotRun struct{ at, n, room uint32 }

func (s *forEachStates) Grow(n int) { s.runs = grow(s.runs, n) }

// need lengthens a group's run to n positions.
func (s *forEachStates) need(g uint32, n int) error {
	run := &s.runs[g]
	if n <= int(run.n) {
		return nil
	}
	first, err := s.more(n - int(run.n))
	if err != nil {
		return err
	}
	if n > int(run.room) {
		room := max(n, 2*int(run.room))
		if uint64(len(s.slots))+uint64(room) > 1<<32-1 {
			return errcode.New(errcode.TooLargeArraySize, "Aggregate function %s has too many positions", s.name)
		}
		at := len(s.slots)
		s.slots = append(s.slots, make([]uint32, room)...)
		copy(s.slots[at:], s.slots[run.at:run.at+run.n])
		run.at, run.room = uint32(at), uint32(room)
	}
	for i := int(run.n); i < n; i++ {
		s.slots[int(run.at)+i] = first
		first++
	}
	run.n = uint32(n)
	return nil
}

func (s *forEachStates) of(g int) []uint32 {
	run := s.runs[g]
	return s.slots[run.at : run.at+run.n]
}

func (s *forEachStates) Add(groups []uint32, args []column.Column, rows int) error {
	first, elems, err := flatten(s.name, args, rows)
	if err != nil {
		return err
	}
	s.result = nil
	into := make([]uint32, elems[0].Len())
	g := uint32(0)
	for i := range rows {
		if groups != nil {
			g = groups[i]
		}
		from, to := first.Range(i)
		if err := s.need(g, to-from); err != nil {
			return err
		}
		copy(into[from:to], s.slots[s.runs[g].at:])
	}
	if len(into) == 0 {
		return nil
	}
	return s.inner.Add(into, elems, len(into))
}

func (s *forEachStates) Seal() { seal(s.inner) }

func (s *forEachStates) Merge(other States, from, to []uint32) error {
	o := other.(*forEachStates)
	s.result = nil
	var theirs, ours []uint32
	for i, g := range to {
		own := o.of(source(from, i))
		if err := s.need(g, len(own)); err != nil {
			return err
		}
		theirs = append(theirs, own...)
		ours = append(ours, s.of(int(g))[:len(own)]...)
	}
	return s.inner.Merge(o.inner, theirs, ours)
}

func (s *forEachStates) Save(buf []byte, group int) []byte {
	own := s.of(group)
	buf = binary.LittleEndian.AppendUint64(buf, uint64(len(own)))
	for _, p := range own {
		buf = s.inner.Save(buf, int(p))
	}
	return buf
}

// emptyStates is how many states without bytes may follow each other: such states prove nothing about what was announced.
const emptyStates = 1 << 16

func (s *forEachStates) Load(r *column.StateReader, group int) error {
	n := r.U64()
	if n > 1<<31 {
		return r.Corrupt("A state of %s announces %d positions, which is too many", s.name, n)
	}
	s.result = nil
	for i := 0; uint64(i) < n; i++ {
		was := r.Pos()
		if err := s.need(uint32(group), i+1); err != nil {
			return err
		}
		if err := s.inner.Load(r, int(s.of(group)[i])); err != nil {
			return err
		}
		if err := r.Err(); err != nil {
			return err
		}
		if r.Pos() == was && n > emptyStates {
			return r.Corrupt("A state of %s announces %d positions without bytes", s.name, n)
		}
	}
	return r.Err()
}

func (s *forEachStates) Result(from, to int) (column.Column, error) {
	ends := make([]uint64, to-from)
	var list []uint32
	for i := range ends {
		list = append(list, s.of(from+i)...)
		ends[i] = uint64(len(list))
	}
	elems, err := s.results(list)
	if err != nil {
		return nil, err
	}
	return &column.Arr{T: s.t, Ends: ends, Elem: elems}, nil
}

func (s *forEachStates) Bytes() int { return 12*cap(s.runs) + 4*cap(s.slots) + s.bytes() }
