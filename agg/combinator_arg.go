package agg

import (
	"dictsvc/column"
	"dictsvc/errcode"
)

// bindArgCombinator: f over the rows whose last argument is the least (-ArgMin) or the greatest (-ArgMax) of the group.
func bindArgCombinator(c *combined) (*Function, error) {
	if len(c.args) == 0 {
		return nil, c.noArguments()
	}
	key := c.args[len(c.args)-1]
	f, err := c.inner(c.params, c.args[:len(c.args)-1])
	if err != nil {
		return nil, err
	}
	if !isComparable(key) {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "Illegal type %s for combinator %s because the values of that data type are not comparable", key, c.suffix)
	}
	want := -1
	if c.suffix == "ArgMax" {
		want = 1
	}
	out := c.function(f)
	out.NewStates = func() States {
		s := &argCombined{f: f, key: picked{t: key, store: column.New(key, 0), better: func(new column.Column, i int, old column.Column, j int) bool {
			return column.Compare(new, i, old, j, -want) == want
		}}}
		s.inner = f.NewStates()
		s.more(1)
		return s
	}
	return out, nil
}

// argCombined has a place of the inner states for each group's best key; where a better one comes the group moves to a new place. Place 0
// is that of groups without rows.
type argCombined struct {
	f   *Function
	key picked
	at  []uint32 // the group's place
	places
	fresh []uint32 // of the block at hand: a group's row that last improved its key, + 1
}

func (s *argCombined) Grow(n int) {
	s.key.Grow(n)
	s.at = grow(s.at, n)
	s.fresh = grow(s.fresh, n)
}

func (s *argCombined) Add(groups []uint32, args []column.Column, rows int) error {
	s.result = nil
	last := len(args) - 1
	keys := args[last]
	if groups == nil {
		groups = make([]uint32, rows)
	}
	keep := make([]uint8, rows)
	var improved []uint32
	for i, g := range groups {
		switch {
		case s.key.offer(g, keys, i):
			if s.fresh[g] == 0 {
				improved = append(improved, g)
			}
			s.fresh[g] = uint32(i) + 1
			keep[i] = 1
		case column.Compare(keys, i, s.key.store, int(s.key.row[g]-1), 1) == 0:
			keep[i] = 1
		}
	}
	for i, g := range groups {
		if uint32(i)+1 < s.fresh[g] {
			keep[i] = 0
		}
	}
	for _, g := range improved {
		s.fresh[g] = 0
		if err := s.move(g); err != nil {
			return err
		}
	}
	into := make([]uint32, rows)
	for i, g := range groups {
		into[i] = s.at[g]
	}
	into, args, rows = compact(into, args[:last], rows, keep)
	if rows > 0 {
		if err := s.inner.Add(into, args, rows); err != nil {
			return err
		}
	}
	return s.pack()
}

// move gives a group a new place.
func (s *argCombined) move(g uint32) error {
	p, err := s.more(1)
	s.at[g] = p
	return err
}

// pack drops the places that groups have left, once most are such.
func (s *argCombined) pack() error {
	if s.places.n <= 2*len(s.at)+1024 {
		return nil
	}
	fresh := s.f.NewStates()
	var live, to []uint32
	for g, p := range s.at {
		if p != 0 {
			live = append(live, p)
			to = append(to, uint32(len(live)))
			s.at[g] = uint32(len(live))
		}
	}
	fresh.Grow(len(live) + 1)
	if err := fresh.Merge(s.inner, live, to); err != nil {
		return err
	}
	s.inner, s.places.n = fresh, len(live)+1
	return nil
}

func (s *argCombined) Seal() { seal(s.inner) }

func (s *argCombined) Merge(other States, from, to []uint32) error {
	o := other.(*argCombined)
	s.result = nil
	var theirs, ours []uint32
	for i, g := range to {
		k := source(from, i)
		row := o.key.row[k]
		if row == 0 {
			continue
		}
		if s.key.offer(g, o.key.store, int(row-1)) {
			if err := s.move(g); err != nil {
				return err
			}
		} else if column.Compare(o.key.store, int(row-1), s.key.store, int(s.key.row[g]-1), 1) != 0 {
			continue
		}
		theirs, ours = append(theirs, o.at[k]), append(ours, s.at[g])
	}
	if len(ours) > 0 {
		if err := s.inner.Merge(o.inner, theirs, ours); err != nil {
			return err
		}
	}
	return s.pack()
}

func (s *argCombined) Save(buf []byte, group int) []byte {
	return s.key.Save(s.inner.Save(buf, int(s.at[group])), group)
}

func (s *argCombined) Load(r *column.StateReader, group int) error {
	s.result = nil
	if err := s.move(uint32(group)); err != nil {
		return r.Fail(err)
	}
	if err := s.inner.Load(r, int(s.at[group])); err != nil {
		return err
	}
	return s.key.Load(r, group)
}

func (s *argCombined) Result(from, to int) (column.Column, error) {
	return s.results(s.at[from:to])
}

func (s *argCombined) Bytes() int {
	return s.key.Bytes() + 4*cap(s.at) + 4*cap(s.fresh) + s.bytes()
}
