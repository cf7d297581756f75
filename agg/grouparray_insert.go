package agg

import (
	"cmp"
	"encoding/binary"
	"slices"

	"dictsvc/column"
	"dictsvc/errcode"
)

// insertMost is the greatest length of an array of groupArrayInsertAt.
const insertMost = 1<<24 - 1

// insertedMost bounds the elements of one result, most of which may be defaults.
const insertedMost = 1 << 28

// bindGroupArrayInsertAt: groupArrayInsertAt[(default[, length])](value, position) builds an array of values at their positions; the first at a position stays.
func bindGroupArrayInsertAt(name string, params []column.Column, args []*column.Type) (*Function, error) {
	if err := twoArguments(name, args); err != nil {
		return nil, err
	}
	if len(params) > 2 {
		return nil, errcode.New(errcode.TooManyArgumentsForFunction, "Aggregate function %s requires at most two parameters", name)
	}
	f := insertAt{t: column.NewArray(args[0])}
	if len(params) == 2 {
		n, ok := FloatParam(params[1])
		if !ok {
			return nil, errcode.New(errcode.CannotConvertType, "Cannot convert %s to unsigned long", params[1].Type())
		}
		if !(n < insertMost+1) {
			return nil, errcode.New(errcode.TooLargeArraySize, "Too large array size (maximum: %d)", insertMost)
		}
		f.length = uint32(max(n, 0))
	}
	if t := args[1]; !t.IsUnsigned() && t.Kind != column.Bool {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "Second argument of aggregate function %s must be unsigned integer", name)
	}
	f.filler = column.New(args[0], 1)
	if len(params) > 0 && params[0].Type().Kind != column.Nullable {
		c, err := insertDefault(name, params[0], args[0])
		if err != nil {
			return nil, err
		}
		f.filler = c
	} else {
		column.AppendTypeDefault(f.filler)
	}
	return &Function{Name: name, Type: f.t, OrderSensitive: true, NewStates: func() States {
		return &insertStates{f: &f, store: column.New(args[0], 0), at: map[uint64]uint32{}}
	}}, nil
}

// insertDefault is a parameter as a value of the array's.
func insertDefault(name string, p column.Column, t *column.Type) (column.Column, error) {
	p = column.Full(p)
	if s, ok := p.(*column.Str); ok && !t.IsString() {
		out := column.New(t, 1)
		if column.ParseTextStrict(out, s.At(0), column.TextRaw) != nil {
			return nil, errcode.New(errcode.TypeMismatch, "Cannot convert string '%s' to type %s", s.At(0), t)
		}
		return out, nil
	}
	out, err := column.Cast(p, t, column.CastPlain)
	if err == nil && p.Type().IsNumber() && t.IsNumber() { // a number must be one of the type's
		back, again := column.Cast(out, p.Type(), column.CastPlain)
		if again != nil || column.Compare(column.Full(back), 0, p, 0, 1) != 0 {
			err = again
			out = nil
		}
	}
	if err != nil || out == nil {
		return nil, errcode.New(errcode.CannotConvertType, "Cannot convert parameter of aggregate function %s (%s) to type %s to be used as default value in array",
			name, column.FieldText(p, 0), t)
	}
	return column.Full(out), nil
}

type insertAt struct {
	t      *column.Type
	filler column.Column // one row
	length uint32        // of results; 0: as long as need be
}

// inserted is a value's place: the group and the position as one number, and the row in the store.
type inserted struct {
	place uint64
	row   uint32
}

func insertPlace(group uint32, position uint64) uint64 { return uint64(group)<<24 | position }

type insertStates struct {
	f     *insertAt
	store column.Column
	at    map[uint64]uint32 // rows by place
	n     []uint32          // lengths
	list  []inserted        // by place, once sealed
	where floatBuffer[uint64]
}

func (s *insertStates) Grow(n int) { s.n = grow(s.n, n) }

func (s *insertStates) Add(groups []uint32, args []column.Column, rows int) error {
	g := uint32(0)
	for i, position := range s.where.of(args[1], rows) {
		if groups != nil {
			g = groups[i]
		}
		if s.f.length > 0 && position >= uint64(s.f.length) {
			continue
		}
		if position >= insertMost {
			return errcode.New(errcode.TooLargeArraySize, "Too large array size: position argument (%d) is greater or equals to limit (%d)", position, insertMost)
		}
		s.put(g, position, args[0], i)
	}
	return nil
}

func (s *insertStates) put(g uint32, position uint64, c column.Column, i int) {
	place := insertPlace(g, position)
	if _, ok := s.at[place]; ok {
		return
	}
	s.list = nil
	s.store.AppendRange(c, i, i+1)
	s.at[place] = uint32(s.store.Len() - 1)
	s.n[g] = max(s.n[g], uint32(position)+1)
}

// Seal lists the values by group and position.
func (s *insertStates) Seal() {
	if s.list != nil || len(s.at) == 0 {
		return
	}
	s.list = make([]inserted, 0, len(s.at))
	for place, row := range s.at {
		s.list = append(s.list, inserted{place, row})
	}
	slices.SortFunc(s.list, func(a, b inserted) int { return cmp.Compare(a.place, b.place) })
}

// of are a group's values.
func (s *insertStates) of(group int) []inserted {
	s.Seal()
	find := func(place uint64) int {
		at, _ := slices.BinarySearchFunc(s.list, place, func(x inserted, place uint64) int { return cmp.Compare(x.place, place) })
		return at
	}
	return s.list[find(insertPlace(uint32(group), 0)):find(insertPlace(uint32(group)+1, 0))]
}

func (s *insertStates) Merge(other States, from, to []uint32) error {
	o := other.(*insertStates)
	for i, g := range to {
		k := source(from, i)
		for _, x := range o.of(k) {
			s.put(g, x.place&(1<<24-1), o.store, int(x.row))
		}
		s.n[g] = max(s.n[g], o.n[k])
	}
	return nil
}

func (s *insertStates) Save(buf []byte, group int) []byte {
	buf = binary.AppendUvarint(buf, uint64(s.n[group]))
	own := s.of(group)
	for position := range s.n[group] {
		if len(own) == 0 || own[0].place != insertPlace(uint32(group), uint64(position)) {
			buf = append(buf, 1)
			continue
		}
		buf = column.AppendNative(append(buf, 0), s.store, int(own[0].row))
		own = own[1:]
	}
	return buf
}

func (s *insertStates) Load(r *column.StateReader, group int) error {
	n := r.Uvarint()
	if n > insertMost {
		return r.Fail(errcode.New(errcode.TooLargeArraySize, "Too large array size (maximum: %d)", insertMost))
	}
	s.list = nil
	for position := uint64(0); position < n; position++ {
		empty := r.U8() != 0
		if err := r.Err(); err != nil {
			return err
		}
		if empty {
			continue
		}
		if err := column.ReadNative(s.store, r); err != nil {
			return err
		}
		s.at[insertPlace(uint32(group), position)] = uint32(s.store.Len() - 1)
	}
	s.n[group] = uint32(n)
	return r.Err()
}

func (s *insertStates) Result(from, to int) (column.Column, error) {
	total := uint64(0)
	for _, n := range s.n[from:to] {
		total += uint64(max(n, s.f.length))
	}
	if total > insertedMost {
		return nil, errcode.New(errcode.MemoryLimitExceeded, "Aggregate function groupArrayInsertAt would make %d elements of one block, more than %d", total, insertedMost)
	}
	// The filler stands behind all rows, so that one list of rows makes the elements.
	all := s.store.New(s.store.Len() + 1)
	all.AppendRange(s.store, 0, s.store.Len())
	all.AppendRange(s.f.filler, 0, 1)
	filler := uint32(s.store.Len())
	rows := make([]uint32, 0, total)
	ends := make([]uint64, 0, to-from)
	for g := from; g < to; g++ {
		start := len(rows)
		for range max(s.n[g], s.f.length) {
			rows = append(rows, filler)
		}
		for _, x := range s.of(g) {
			rows[start+int(x.place&(1<<24-1))] = x.row
		}
		ends = append(ends, uint64(len(rows)))
	}
	return &column.Arr{T: s.f.t, Ends: ends, Elem: all.Gather(rows)}, nil
}

// insertedBytes is about what a value costs beside itself: its place in the map.
const insertedBytes = 32

func (s *insertStates) Bytes() int {
	return s.store.Bytes() + insertedBytes*len(s.at) + 4*cap(s.n) + 16*cap(s.list) + 8*cap(s.where)
}
