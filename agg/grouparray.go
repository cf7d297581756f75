package agg

import (
	"encoding/binary"

	"dictsvc/column"
	"dictsvc/errcode"
)

// groupArray[(N)] keeps a group's rows (the first N) in their order.
func bindGroupArray(name string, params []column.Column, args []*column.Type) (*Function, error) {
	if err := oneArgument(name, args); err != nil {
		return nil, err
	}
	limit, err := sizeParam(name, params)
	if err != nil {
		return nil, err
	}
	t := column.NewArray(args[0])
	return &Function{Name: name, Type: t, OrderSensitive: true, NewStates: func() States {
		return &groupArray{t: t, limit: limit, store: column.New(args[0], 0)}
	}}, nil
}

// sizeParam reads the optional limit of groupArray and its like; 0 = none.
func sizeParam(name string, params []column.Column) (uint64, error) {
	if len(params) == 0 {
		return 0, nil
	}
	if len(params) > 1 {
		return 0, errcode.New(errcode.NumberOfArgumentsDoesntMatch, "Function %s does not support this number of arguments", name)
	}
	var n uint64
	switch p := params[0].(type) {
	case *column.Num[uint8]:
		n = uint64(p.Data[0])
	case *column.Num[uint16]:
		n = uint64(p.Data[0])
	case *column.Num[uint32]:
		n = uint64(p.Data[0])
	case *column.Num[uint64]:
		n = p.Data[0]
	}
	if n == 0 {
		return 0, errcode.New(errcode.BadArguments, "Parameter for aggregate function %s should be positive number", name)
	}
	return n, nil
}

// groupArray appends the rows of all groups to one store with their group's number; the result sorts them by group, stably.
type groupArray struct {
	t     *column.Type
	limit uint64
	store column.Column
	group []uint32
	n     []uint32 // rows kept a group

	starts, rows []uint32 // the rows by group, once sealed
}

func (s *groupArray) Grow(n int) { s.n = grow(s.n, n) }

func (s *groupArray) Add(groups []uint32, args []column.Column, rows int) error {
	if groups == nil {
		groups = make([]uint32, rows)
	}
	return s.add(groups, args[0], rows)
}

func (s *groupArray) add(groups []uint32, c column.Column, rows int) error {
	if uint64(len(s.group))+uint64(rows) > 1<<32-1 {
		return errcode.New(errcode.TooLargeArraySize, "Too many values in %s: more than %d", s.t, uint64(1<<32-1))
	}
	if s.limit == 0 {
		for _, g := range groups {
			s.n[g]++
		}
		s.group = append(doubling(s.group, rows), groups...)
		column.Double(s.store, rows)
		s.store.AppendRange(c, 0, rows)
		return nil
	}
	for i, g := range groups {
		if uint64(s.n[g]) < s.limit {
			s.n[g]++
			s.group = append(s.group, g)
			s.store.AppendRange(c, i, i+1)
		}
	}
	return nil
}

// Seal sorts the rows by group.
func (s *groupArray) Seal() {
	if s.starts == nil || len(s.rows) != len(s.group) {
		s.starts, s.rows = byGroup(s.group, len(s.n))
	}
}

func (s *groupArray) Merge(other States, from, to []uint32) error {
	o := other.(*groupArray)
	if o.starts == nil {
		return s.mergeAll(o, targets(from, to, len(o.n)))
	}
	var groups, rows []uint32
	for i, g := range to {
		k := source(from, i)
		own := o.rows[o.starts[k]:o.starts[k+1]]
		rows = append(rows, own...)
		for range own {
			groups = append(groups, g)
		}
	}
	return s.add(groups, o.store.Gather(rows), len(rows))
}

func (s *groupArray) mergeAll(o *groupArray, target []uint32) error {
	keep := make([]uint8, len(o.group))
	mapped := make([]uint32, len(o.group))
	for i, g := range o.group {
		if t := target[g]; t != 0 {
			keep[i], mapped[i] = 1, t-1
		}
	}
	groups, list, rows := compact(mapped, []column.Column{o.store}, len(mapped), keep)
	return s.add(groups, list[0], rows)
}

func (s *groupArray) Save(buf []byte, group int) []byte {
	s.Seal()
	own := s.rows[s.starts[group]:s.starts[group+1]]
	buf = binary.AppendUvarint(buf, uint64(len(own)))
	raw := rawValue(s.t.Elems[0], false)
	for _, row := range own {
		if raw {
			buf = column.AppendNative(buf, s.store, int(row))
		} else {
			buf = appendSized(buf, s.store, int(row), false)
		}
	}
	return buf
}

func (s *groupArray) Load(r *column.StateReader, group int) error {
	raw := rawValue(s.t.Elems[0], false)
	for n := r.Count(1<<32-1, 1); n > 0; n-- {
		if raw {
			column.ReadNative(s.store, r)
		} else {
			readSized(s.store, r, false)
		}
		if err := r.Err(); err != nil {
			return err
		}
		s.group = append(s.group, uint32(group))
		s.n[group]++
	}
	return r.Err()
}

func (s *groupArray) Result(from, to int) (column.Column, error) {
	ends := make([]uint64, to-from)
	at := make([]uint64, to-from) // where a group's next row goes
	var total uint64
	for i := range ends {
		at[i] = total
		total += uint64(s.n[from+i])
		ends[i] = total
	}
	if from == 0 && to == len(s.n) {
		return &column.Arr{T: s.t, Ends: ends, Elem: column.Spread(s.store, s.group, at)}, nil
	}
	rows := make([]uint32, total)
	for r, g := range s.group {
		if int(g) >= from && int(g) < to {
			rows[at[int(g)-from]] = uint32(r)
			at[int(g)-from]++
		}
	}
	return &column.Arr{T: s.t, Ends: ends, Elem: s.store.Gather(rows)}, nil
}

func (s *groupArray) Bytes() int { return 4*cap(s.group) + 4*cap(s.n) + s.store.Bytes() }

// groupUniqArray[(N)] keeps a group's distinct values. They come in the order of ClickHouse's hash table.
func bindGroupUniqArray(name string, params []column.Column, args []*column.Type) (*Function, error) {
	f, err := bindGroupArray(name, params, args)
	if err != nil {
		return nil, err
	}
	limit, err := sizeParam(name, params)
	if err != nil {
		return nil, err
	}
	f.OrderSensitive = limit > 0
	rows := distinctRows(f.NewStates, args, rawValue(args[0], false))
	f.NewStates = func() States {
		s := &uniqArray{distinctStates: rows().(*distinctStates), t: f.Type}
		s.limit = limit
		if !s.raw {
			s.cells = fewCells
		}
		return s
	}
	return f, nil
}

// uniqArray are distinct rows whose result is they themselves.
type uniqArray struct {
	*distinctStates
	t *column.Type
}

func (s *uniqArray) Merge(other States, from, to []uint32) error {
	return s.distinctStates.Merge(other.(*uniqArray).distinctStates, from, to)
}

func (s *uniqArray) Result(from, to int) (column.Column, error) {
	s.index()
	ends := make([]uint64, to-from)
	var list []uint32
	for i := range ends {
		list = append(list, s.of(from+i)...)
		ends[i] = uint64(len(list))
	}
	return &column.Arr{T: s.t, Ends: ends, Elem: s.args[0].Gather(list)}, nil
}
