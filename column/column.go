package column

import (
	"encoding/binary"
	"math/bits"
)

// Column is a typed sequence of values. A column that has been handed on is never changed: builders append
// only to columns they made with New. Row numbers are 0-based; ranges are half open.
//
// Methods that take another column want one of the same type (a Const of that type included) and panic on
// another, which is a fault of the program, never of its input.
type Column interface {
	Type() *Type
	Len() int

	// Slice returns rows [from, to); it shares memory with the column.
	Slice(from, to int) Column
	// Filter returns the rows whose keep byte is not 0; n is their number. keep has a byte a row.
	Filter(keep []uint8, n int) Column
	// Gather returns the rows named, in that order, repeats allowed.
	Gather(rows []uint32) Column
	// Replicate repeats row i as often as offsets[i] - offsets[i-1] says (cumulative counts), for ARRAY JOIN and lambdas.
	Replicate(offsets []uint64) Column

	// New returns an empty column of the same type with room for n rows.
	New(n int) Column
	// AppendRange appends rows [from, to) of src.
	AppendRange(src Column, from, to int)
	// AppendDefault appends n default values (0, "", NULL for Nullable, empty array).
	AppendDefault(n int)
	// Truncate drops all rows from n on, to take back half-appended rows.
	Truncate(n int)

	// Compare orders row i against row j of o: -1, 0, 1. NULL and NaN are greater than all else where nulls is 1, less where it is -1.
	Compare(i int, o Column, j int, nulls int) int

	// AppendKey appends a self-delimiting image of row i to buf: equal rows give equal bytes, -0.0 as 0.0 and every NaN as one.
	AppendKey(buf []byte, i int) []byte
	// ReadKey appends the row whose image stands at the head of buf and returns the rest of buf.
	ReadKey(buf []byte) []byte

	// Bytes is the memory held, capacity included.
	Bytes() int
}

// New returns an empty column of a type with room for n rows.
func New(t *Type, n int) Column {
	switch t.Kind {
	case Nothing:
		return &NothingColumn{}
	case Bool, UInt8:
		return newNum[uint8](t, n)
	case UInt16, Date:
		return newNum[uint16](t, n)
	case UInt32, DateTime, IPv4:
		return newNum[uint32](t, n)
	case UInt64:
		return newNum[uint64](t, n)
	case Int8, Enum8:
		return newNum[int8](t, n)
	case Int16, Enum16:
		return newNum[int16](t, n)
	case Int32, Decimal32, Date32:
		return newNum[int32](t, n)
	case Int64, Decimal64, DateTime64, Interval:
		return newNum[int64](t, n)
	case Float32:
		return newNum[float32](t, n)
	case Float64:
		return newNum[float64](t, n)
	case UInt128:
		return newWide[U128](t, n)
	case Int128, Decimal128:
		return newWide[I128](t, n)
	case UInt256:
		return newWide[U256](t, n)
	case Int256, Decimal256:
		return newWide[I256](t, n)
	case UUID:
		return newWide[UUIDValue](t, n)
	case IPv6:
		return newWide[IPv6Value](t, n)
	case String:
		return &Str{T: t, Ends: make([]uint64, 0, n)}
	case FixedString:
		return &FixedStr{T: t, Data: make([]byte, 0, n*t.Width)}
	case Nullable:
		return &Null{T: t, Nulls: make([]uint8, 0, n), Inner: New(t.Elems[0], n)}
	case Array:
		return &Arr{T: t, Ends: make([]uint64, 0, n), Elem: New(t.Elems[0], 0)}
	case Map:
		return &MapColumn{T: t, Arr: &Arr{T: NewArray(NewTuple(t.Elems, mapNames)), Ends: make([]uint64, 0, n), Elem: New(NewTuple(t.Elems, mapNames), 0)}}
	case Tuple:
		c := &Tup{T: t, Elems: make([]Column, len(t.Elems))}
		for i, e := range t.Elems {
			c.Elems[i] = New(e, n)
		}
		return c
	case LowCardinality:
		return NewLowCard(t, n)
	case AggregateFunction:
		return &Str{T: t, Ends: make([]uint64, 0, n)}
	}
	panic("column: no column of type " + t.String())
}

var mapNames = []string{"keys", "values"}

// Full returns the column with a Const expanded into its rows; other columns come back as they are.
func Full(c Column) Column {
	if k, ok := c.(*Const); ok {
		return k.Expand()
	}
	return c
}

// Plain is Full with LowCardinality resolved into the plain values too.
func Plain(c Column) Column {
	c = Full(c)
	if l, ok := c.(*LowCard); ok {
		return l.Expand()
	}
	return c
}

// Retype returns the column under another type of the same layout (UInt16 and Date, say); memory is shared.
func Retype(c Column, t *Type) Column {
	switch x := c.(type) {
	case *Const:
		return &Const{Val: Retype(x.Val, t), N: x.N}
	case *Null:
		return &Null{T: t, Nulls: x.Nulls, Inner: Retype(x.Inner, t.Elems[0])}
	case *Arr:
		return &Arr{T: t, Ends: x.Ends, Elem: Retype(x.Elem, t.Elems[0]), Start: x.Start}
	case *Tup:
		y := &Tup{T: t, Elems: make([]Column, len(x.Elems)), N: x.N}
		for i, e := range x.Elems {
			y.Elems[i] = Retype(e, t.Elems[i])
		}
		return y
	case *Str:
		return &Str{T: t, Data: x.Data, Ends: x.Ends, Start: x.Start}
	case *FixedStr:
		return &FixedStr{T: t, Data: x.Data}
	case *LowCard:
		return &LowCard{T: t, Dict: Retype(x.Dict, t.Elems[0]), Index: x.Index}
	case *MapColumn:
		return &MapColumn{T: t, Arr: Retype(x.Arr, NewArray(NewTuple(t.Elems, mapNames))).(*Arr)}
	case retyper:
		return x.retype(t)
	}
	return c
}

type retyper interface{ retype(t *Type) Column }

// Count returns the number of bytes in keep that are not 0.
func Count(keep []uint8) int {
	const low, high = 0x7F7F7F7F7F7F7F7F, 0x8080808080808080
	n := 0
	for ; len(keep) >= 8; keep = keep[8:] {
		w := binary.LittleEndian.Uint64(keep)
		n += bits.OnesCount64((w&low + low | w) & high) // the top bit of each byte that is not 0
	}
	for _, k := range keep {
		if k != 0 {
			n++
		}
	}
	return n
}

// Double makes room for n more rows in a column that grows to an unknown length, doubling it where it is full; kinds of columns that cannot do so grow as
// rows are appended.
func Double(c Column, n int) {
	if d, ok := c.(interface{ double(n int) }); ok {
		d.double(n)
	}
}

// Spread brings the rows of c together by group: row i, of group groups[i], goes to place next[groups[i]], which then moves on. Rows that go to few places
// at a time are faster to spread than to gather.
func Spread(c Column, groups []uint32, next []uint64) Column {
	if s, ok := c.(interface {
		spread(groups []uint32, next []uint64) Column
	}); ok {
		return s.spread(groups, next)
	}
	rows := make([]uint32, len(groups))
	for i, g := range groups {
		rows[next[g]] = uint32(i)
		next[g]++
	}
	return c.Gather(rows)
}
