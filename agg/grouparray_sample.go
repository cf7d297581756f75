package agg

import (
	"encoding/binary"
	"math/rand/v2"

	"dictsvc/column"
	"dictsvc/errcode"
)

// bindGroupArraySample: groupArraySample(N[, seed]) keeps a random sample of N rows by reservoir sampling, with ClickHouse's generator, so that a seed leads to the same
// sample. Without one the sample is another every time.
func bindGroupArraySample(name string, params []column.Column, args []*column.Type) (*Function, error) {
	if err := oneArgument(name, args); err != nil {
		return nil, err
	}
	if len(params) != 1 && len(params) != 2 {
		return nil, errcode.New(errcode.NumberOfArgumentsDoesntMatch, "Incorrect number of parameters for aggregate function %s, should be 1 or 2", name)
	}
	var numbers [2]uint64
	for i, p := range params {
		n, ok := UintParam(p)
		if !ok || n == 0 {
			return nil, errcode.New(errcode.BadArguments, "Parameter for aggregate function %s should be positive number", name)
		}
		numbers[i] = n
	}
	t := column.NewArray(args[0])
	seeded := len(params) == 2
	return &Function{Name: name, Type: t, OrderSensitive: true, NewStates: func() States {
		s := &sampledRows{lastRows: lastRows{t: t, limit: numbers[0], store: column.New(args[0], 0)}, seed: numbers[1]}
		if !seeded {
			s.seed = rand.Uint64()
		}
		return s
	}}, nil
}

// sampledRows hold rows as groupArrayLast's states do, those of a sample, and each group's generator.
type sampledRows struct {
	lastRows
	seed uint64
	rng  []pcg
}

func (s *sampledRows) Grow(n int) {
	s.lastRows.Grow(n)
	had := len(s.rng)
	s.rng = grow(s.rng, n)
	for i := had; i < len(s.rng); i++ {
		s.rng[i] = pcg(s.seed | 3)
	}
}

func (s *sampledRows) Add(groups []uint32, args []column.Column, rows int) error {
	g := uint32(0)
	for i := range rows {
		if groups != nil {
			g = groups[i]
		}
		s.sample(g, args[0], i)
	}
	return nil
}

// sample offers a row, which takes the place of a random one if it is lucky.
func (s *sampledRows) sample(g uint32, c column.Column, i int) {
	s.total[g]++
	if uint64(len(s.rings[g])) < s.limit {
		s.append(g, s.place(c, i))
		return
	}
	if at := s.rng[g].below(s.total[g]); at < s.limit {
		place := s.place(c, i)
		s.rings[g][at] = place
	}
}

// place puts a row into the store.
func (s *sampledRows) place(c column.Column, i int) uint32 {
	if s.store.Len() > 2*s.live+1024 {
		s.pack()
	}
	s.store.AppendRange(c, i, i+1)
	return uint32(s.store.Len() - 1)
}

func (s *sampledRows) Merge(other States, from, to []uint32) error {
	o := other.(*sampledRows)
	for i, g := range to {
		k := source(from, i)
		theirs := o.rings[k]
		switch {
		case o.total[k] <= s.limit:
			for _, place := range theirs {
				s.sample(g, o.store, int(place))
			}
		case s.total[g] <= s.limit:
			s.swap(g, o, k)
		default:
			ring, rng := s.rings[g], &s.rng[g]
			for i := 1; i < len(ring); i++ {
				j := rng.below(uint64(i) + 1)
				ring[i], ring[j] = ring[j], ring[i]
			}
			s.total[g] += o.total[k]
			for at := range min(len(ring), len(theirs)) {
				if rng.below(s.total[g]) < o.total[k] {
					place := s.place(o.store, int(theirs[at]))
					s.rings[g][at] = place
				}
			}
		}
	}
	return nil
}

// swap takes the other's sample for the group's, whose own rows are offered to it.
func (s *sampledRows) swap(g uint32, o *sampledRows, k int) {
	own := s.store.Gather(s.rings[g])
	s.live -= len(s.rings[g])
	s.rings[g] = s.rings[g][:0]
	for _, place := range o.rings[k] {
		s.append(g, s.place(o.store, int(place)))
	}
	s.total[g] = o.total[k]
	for i := range own.Len() {
		s.sample(g, own, i)
	}
}

func (s *sampledRows) Save(buf []byte, group int) []byte {
	text := s.rng[group].text()
	return append(binary.AppendUvarint(s.lastRows.Save(buf, group), uint64(len(text))), text...)
}

func (s *sampledRows) Load(r *column.StateReader, group int) error {
	if err := s.lastRows.Load(r, group); err != nil {
		return err
	}
	text := r.String()
	if err := r.Err(); err != nil {
		return err
	}
	if !s.rng[group].parse(text) {
		return r.Corrupt("A state of groupArraySample has the generator %.60q", text)
	}
	return nil
}

func (s *sampledRows) Bytes() int { return s.lastRows.Bytes() + 8*cap(s.rng) }
