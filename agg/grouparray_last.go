package agg

import (
	"encoding/binary"

	"dictsvc/column"
	"dictsvc/errcode"
)

// bindGroupArrayLast: groupArrayLast(N) keeps a group's last N rows, each in the place that its number gives modulo N.
func bindGroupArrayLast(name string, params []column.Column, args []*column.Type) (*Function, error) {
	if err := oneArgument(name, args); err != nil {
		return nil, err
	}
	limit, err := sizeParam(name, params)
	if err != nil {
		return nil, err
	}
	if limit == 0 {
		return nil, errcode.New(errcode.BadArguments, "%s make sense only with max_elems (%s(max_elems)())", name, name)
	}
	t := column.NewArray(args[0])
	return &Function{Name: name, Type: t, OrderSensitive: true, NewStates: func() States {
		return &lastRows{t: t, limit: limit, store: column.New(args[0], 0)}
	}}, nil
}

// lastRows are rings of places in a column that is packed anew when most of it is stale.
type lastRows struct {
	t     *column.Type
	limit uint64
	store column.Column
	rings [][]uint32
	total []uint64 // rows that came
	live  int
	size  int // bytes of the rings
}

func (s *lastRows) Grow(n int) { s.rings, s.total = grow(s.rings, n), grow(s.total, n) }

func (s *lastRows) Add(groups []uint32, args []column.Column, rows int) error {
	g := uint32(0)
	for i := range rows {
		if groups != nil {
			g = groups[i]
		}
		s.put(g, args[0], i)
	}
	return nil
}

func (s *lastRows) put(g uint32, c column.Column, i int) {
	if s.store.Len() > 2*s.live+1024 {
		s.pack()
	}
	s.store.AppendRange(c, i, i+1)
	place := uint32(s.store.Len() - 1)
	ring := s.rings[g]
	if at := s.total[g] % s.limit; at < uint64(len(ring)) {
		ring[at] = place
	} else {
		s.append(g, place)
	}
	s.total[g]++
}

func (s *lastRows) append(g uint32, place uint32) {
	was := cap(s.rings[g])
	s.rings[g] = append(s.rings[g], place)
	s.size += 4 * (cap(s.rings[g]) - was)
	s.live++
}

func (s *lastRows) pack() {
	live := make([]uint32, 0, s.live)
	for _, ring := range s.rings {
		for i, place := range ring {
			ring[i] = uint32(len(live))
			live = append(live, place)
		}
	}
	fresh := s.store.New(len(live))
	kept := s.store.Gather(live)
	fresh.AppendRange(kept, 0, kept.Len())
	s.store = fresh
}

func (s *lastRows) Merge(other States, from, to []uint32) error {
	o := other.(*lastRows)
	for i, g := range to {
		k := source(from, i)
		for _, place := range o.rings[k] {
			s.put(g, o.store, int(place))
		}
		s.total[g] += o.total[k] - uint64(len(o.rings[k]))
	}
	return nil
}

func (s *lastRows) Save(buf []byte, group int) []byte {
	ring := s.rings[group]
	buf = binary.AppendUvarint(buf, uint64(len(ring)))
	raw := rawValue(s.t.Elems[0], false)
	for _, place := range ring {
		if raw {
			buf = column.AppendNative(buf, s.store, int(place))
		} else {
			buf = appendSized(buf, s.store, int(place), false)
		}
	}
	return binary.LittleEndian.AppendUint64(buf, s.total[group])
}

func (s *lastRows) Load(r *column.StateReader, group int) error {
	raw := rawValue(s.t.Elems[0], false)
	for n := r.Count(min(s.limit, 1<<24-1), 1); n > 0; n-- {
		if raw {
			column.ReadNative(s.store, r)
		} else {
			readSized(s.store, r, false)
		}
		if err := r.Err(); err != nil {
			return err
		}
		s.append(uint32(group), uint32(s.store.Len()-1))
	}
	s.total[group] = r.U64()
	if r.Err() == nil && s.total[group] < uint64(len(s.rings[group])) {
		return r.Corrupt("A state of groupArrayLast has %d values of %d", len(s.rings[group]), s.total[group])
	}
	return r.Err()
}

func (s *lastRows) Result(from, to int) (column.Column, error) {
	var rows []uint32
	ends := make([]uint64, 0, to-from)
	for _, ring := range s.rings[from:to] {
		rows = append(rows, ring...)
		ends = append(ends, uint64(len(rows)))
	}
	return &column.Arr{T: s.t, Ends: ends, Elem: s.store.Gather(rows)}, nil
}

func (s *lastRows) Bytes() int { return s.size + 24*cap(s.rings) + 8*cap(s.total) + s.store.Bytes() }
