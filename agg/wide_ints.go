package agg

import (
	"math/bits"

	"dictsvc/column"
)

// Integers and decimals of 128 and 256 bits are reckoned with in four words, two's complement; what is above their own width does not matter until they are
// compared or divided.

func from64(x int64) column.I256 {
	e := uint64(x >> 63)
	return column.I256{W: [4]uint64{uint64(x), e, e, e}}
}

func add256(a, b column.I256) (r column.I256) {
	var carry uint64
	for i := range a.W {
		r.W[i], carry = bits.Add64(a.W[i], b.W[i], carry)
	}
	return r
}

func sub256(a, b column.I256) (r column.I256) {
	var borrow uint64
	for i := range a.W {
		r.W[i], borrow = bits.Sub64(a.W[i], b.W[i], borrow)
	}
	return r
}

// quo256 divides by a positive number, towards zero.
func quo256(a column.I256, by uint64) column.I256 {
	negative := int64(a.W[3]) < 0
	if negative {
		a = sub256(column.I256{}, a)
	}
	var rest uint64
	for i := 3; i >= 0; i-- {
		a.W[i], rest = bits.Div64(rest, a.W[i], by)
	}
	if negative {
		a = sub256(column.I256{}, a)
	}
	return a
}

// canonical256 is a value of type t with what stands above its width: its sign or zeros.
func canonical256(t *column.Type, v column.I256) column.I256 {
	if t.FixedWidth() == 32 {
		return v
	}
	fill := uint64(0)
	if t.Kind != column.UInt128 {
		fill = uint64(int64(v.W[1]) >> 63)
	}
	v.W[2], v.W[3] = fill, fill
	return v
}

// less256 compares canonical values.
func less256(t *column.Type, a, b column.I256) bool {
	if t.Kind == column.UInt256 {
		return column.U256(a).Cmp(column.U256(b)) < 0
	}
	return a.Cmp(b) < 0
}

// wideInts are the values of a column of wide integers or of decimals.
func wideInts(c column.Column, rows int) []column.I256 {
	switch c := c.(type) {
	case *column.Num[int32]:
		return mapped(c.Data[:rows], func(x int32) column.I256 { return from64(int64(x)) })
	case *column.Num[int64]:
		return mapped(c.Data[:rows], from64)
	case *column.Wide[column.I128]:
		return mapped(c.Data[:rows], column.I128.Widen)
	case *column.Wide[column.U128]:
		return mapped(c.Data[:rows], column.U128.Widen)
	case *column.Wide[column.U256]:
		return mapped(c.Data[:rows], func(x column.U256) column.I256 { return column.I256(x) })
	}
	return c.(*column.Wide[column.I256]).Data[:rows]
}

// narrowColumn is a column of type t of such values; a decimal loses what is above its width.
func narrowColumn(t *column.Type, v []column.I256) column.Column {
	switch t.Kind {
	case column.Decimal32:
		return column.NewNum(t, mapped(v, func(x column.I256) int32 { return int32(x.W[0]) }))
	case column.Decimal64:
		return column.NewNum(t, mapped(v, func(x column.I256) int64 { return int64(x.W[0]) }))
	case column.UInt128:
		return column.NewWide(t, mapped(v, func(x column.I256) column.U128 { return column.U128{Lo: x.W[0], Hi: x.W[1]} }))
	case column.Int128, column.Decimal128:
		return column.NewWide(t, mapped(v, func(x column.I256) column.I128 { return column.I128{Lo: x.W[0], Hi: int64(x.W[1])} }))
	case column.UInt256:
		return column.NewWide(t, mapped(v, func(x column.I256) column.U256 { return column.U256(x) }))
	}
	return column.NewWide(t, append([]column.I256(nil), v...))
}

func saveWide(buf []byte, t *column.Type, v column.I256) []byte {
	return append(buf, column.Raw(v.W[:])[:t.FixedWidth()]...)
}

func loadWide(r *column.StateReader, t *column.Type) (v column.I256) {
	for i := range t.FixedWidth() / 8 {
		v.W[i] = r.U64()
	}
	return canonical256(t, v)
}
