package agg

import (
	"dictsvc/column"
	"dictsvc/internal/bitmap"
)

// BitmapKind is the kind of integers of a type whose values groupBitmap takes.
func BitmapKind(t *column.Type) (bitmap.Kind, bool) {
	switch t.Kind {
	case column.Bool, column.UInt8, column.UInt16, column.UInt32, column.UInt64:
		return bitmap.Kind{Bytes: t.FixedWidth()}, true
	case column.Int8, column.Int16, column.Int32, column.Int64:
		return bitmap.Kind{Bytes: t.FixedWidth(), Signed: true}, true
	}
	return bitmap.Kind{}, false
}

// BitmapValues are the bits of a column's integers, in buf where they have to be made.
func BitmapValues(c column.Column, rows int, buf []uint64) []uint64 {
	b := floatBuffer[uint64](buf)
	return b.of(c, rows)
}

// bindGroupBitmap: groupBitmap counts distinct integers; its states are the sets. The count has the type of the values, and wraps.
func bindGroupBitmap(name string, params []column.Column, args []*column.Type) (*Function, error) {
	if err := noParams(name, params); err != nil {
		return nil, err
	}
	if err := oneArgument(name, args); err != nil {
		return nil, err
	}
	k, ok := BitmapKind(args[0])
	if !ok {
		return nil, illegal(name, args[0])
	}
	return bitmapFunction(name, args[0], k), nil
}

func bitmapFunction(name string, t *column.Type, k bitmap.Kind) *Function {
	if t.Kind == column.Bool {
		t = column.Of(column.UInt8)
	}
	return &Function{Name: name, Type: t, OrderSensitive: true, NewStates: func() States { return &bitmaps{t: t, kind: k} }}
}

// bitmaps are sets of integers.
type bitmaps struct {
	t        *column.Type
	kind     bitmap.Kind
	sets     []bitmap.Set
	measured int // bytes of the sets when they were last looked at
	pending  int // and about how many have come since
	values   []uint64
	buf      []uint32
}

func (s *bitmaps) Grow(n int) {
	had := len(s.sets)
	s.sets = grow(s.sets, n)
	for i := had; i < len(s.sets); i++ {
		s.sets[i] = bitmap.New(s.kind)
	}
}

func (s *bitmaps) Add(groups []uint32, args []column.Column, rows int) error {
	own, plain := args[0].(*column.Num[uint64])
	values := s.values
	if plain {
		values = own.Data[:rows]
	} else {
		values = BitmapValues(args[0], rows, values)
		s.values = values
	}
	s.pending += 12 * rows
	if groups == nil {
		s.buf = s.sets[0].AddMany(values, s.buf)
		return nil
	}
	for i, g := range groups {
		s.sets[g].Add(values[i])
	}
	return nil
}

func (s *bitmaps) Merge(other States, from, to []uint32) error {
	o := other.(*bitmaps)
	for i, g := range to {
		theirs := &o.sets[source(from, i)]
		s.sets[g].Or(theirs)
		s.pending += theirs.Bytes()
	}
	return nil
}

func (s *bitmaps) Save(buf []byte, group int) []byte { return s.sets[group].Append(buf, false) }

func (s *bitmaps) Load(r *column.StateReader, group int) (err error) {
	s.sets[group], err = bitmap.Read(r, s.kind, false)
	s.pending += s.sets[group].Bytes()
	return err
}

func (s *bitmaps) Result(from, to int) (column.Column, error) {
	n := make([]uint64, to-from)
	for i := range n {
		n[i] = s.sets[from+i].Len()
	}
	return IntegersOf(s.t, n), nil
}

// IntegersOf makes a column of an integer type of up to 64 bits from values that are cut to its width.
func IntegersOf(t *column.Type, v []uint64) column.Column {
	switch t.Kind {
	case column.Bool, column.UInt8:
		return column.NewNum(t, mapped(v, func(x uint64) uint8 { return uint8(x) }))
	case column.UInt16:
		return column.NewNum(t, mapped(v, func(x uint64) uint16 { return uint16(x) }))
	case column.UInt32:
		return column.NewNum(t, mapped(v, func(x uint64) uint32 { return uint32(x) }))
	case column.Int8:
		return column.NewNum(t, mapped(v, func(x uint64) int8 { return int8(x) }))
	case column.Int16:
		return column.NewNum(t, mapped(v, func(x uint64) int16 { return int16(x) }))
	case column.Int32:
		return column.NewNum(t, mapped(v, func(x uint64) int32 { return int32(x) }))
	case column.Int64:
		return column.NewNum(t, mapped(v, func(x uint64) int64 { return int64(x) }))
	}
	return column.NewNum(t, v)
}

// Bytes looks at the sets themselves only when enough has come to make a difference.
func (s *bitmaps) Bytes() int {
	if s.pending > s.measured/2+1<<20 {
		s.measured, s.pending = 0, 0
		for i := range s.sets {
			s.measured += s.sets[i].Bytes()
		}
	}
	return s.measured + s.pending + cap(s.sets)*bitmapSetBytes + 8*cap(s.values) + 4*cap(s.buf)
}

// bitmapSetBytes is about the size of a Set itself.
const bitmapSetBytes = 104

// bindBitmapFold: groupBitmapAnd, groupBitmapOr and groupBitmapXor join sets that are states of groupBitmap. With -State alone they give such states again;
// their own have a digit before the set that tells whether there was one.
func bindBitmapFold(name string, params []column.Column, args []*column.Type) (*Function, error) {
	if err := noParams(name, params); err != nil {
		return nil, err
	}
	if err := oneArgument(name, args); err != nil {
		return nil, err
	}
	t := args[0]
	if t.Kind != column.AggregateFunction || t.Func != "groupBitmap" {
		return nil, illegal(name, t)
	}
	k, ok := BitmapKind(t.Elems[0])
	if !ok {
		return nil, illegal(name, t)
	}
	sets, err := FromType(t)
	if err != nil {
		return nil, err
	}
	join := (*bitmap.Set).Or
	switch name {
	case "groupBitmapAnd":
		join = (*bitmap.Set).And
	case "groupBitmapXor":
		join = (*bitmap.Set).Xor
	}
	f := bitmapFunction(name, t.Elems[0], k)
	f.Version = 1
	f.statesAs = sets
	f.NewStates = func() States { return &bitmapFold{bitmaps: bitmaps{t: f.Type, kind: k}, join: join} }
	return f, nil
}

type bitmapFold struct {
	bitmaps
	join func(s, o *bitmap.Set)
	some []bool // a set came
}

func (s *bitmapFold) Grow(n int) {
	s.bitmaps.Grow(n)
	s.some = grow(s.some, n)
}

func (s *bitmapFold) fold(g uint32, o *bitmap.Set) {
	if !s.some[g] {
		s.some[g] = true
		s.sets[g].Or(o)
	} else {
		s.join(&s.sets[g], o)
	}
	s.pending += o.Bytes()
}

func (s *bitmapFold) Add(groups []uint32, args []column.Column, rows int) error {
	c := args[0].(*column.Str)
	g := uint32(0)
	var r column.StateReader
	for i := range rows {
		if groups != nil {
			g = groups[i]
		}
		r.Reset(c.At(i))
		set, err := bitmap.Read(&r, s.kind, false)
		if err != nil {
			return err
		}
		s.fold(g, &set)
	}
	return nil
}

func (s *bitmapFold) Merge(other States, from, to []uint32) error {
	o := other.(*bitmapFold)
	for i, g := range to {
		if k := source(from, i); o.some[k] {
			s.fold(g, &o.sets[k])
		}
	}
	return nil
}

func (s *bitmapFold) Save(buf []byte, group int) []byte {
	return s.bitmaps.Save(append(buf, '0'+flag(s.some[group])), group)
}

func (s *bitmapFold) Load(r *column.StateReader, group int) error {
	s.some[group] = r.U8() != '0'
	return s.bitmaps.Load(r, group)
}

// saveAs saves the set alone, as a state of groupBitmap.
func (s *bitmapFold) saveAs(buf []byte, group int) []byte { return s.bitmaps.Save(buf, group) }

func (s *bitmapFold) Bytes() int { return s.bitmaps.Bytes() + cap(s.some) }
