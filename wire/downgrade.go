package wire

import (
	"encoding/binary"
	"math/big"
	"net/netip"
	"strings"
	"time"

	"dictsvc/column"
)

// downgradeType is the type in which a peer that does not know FeatureModernTypes gets values of type t: numbers as numbers, else text.
func downgradeType(t *column.Type) *column.Type {
	if t.Simple { // SimpleAggregateFunction(f, T) is laid out as T
		return downgradeType(t.NoSimple())
	}
	switch t.Kind {
	case column.AggregateFunction: // without the version
		return column.NewAggregateFunction(0, t.Func, t.Elems, t.States)
	case column.Bool:
		return column.Of(column.UInt8)
	case column.DateTime64, column.Date32, column.IPv4, column.IPv6, column.Decimal256,
		column.UInt128, column.Int128, column.UInt256, column.Int256:
		return column.Of(column.String)
	case column.Nullable:
		return column.NewNullable(downgradeType(t.Elems[0]))
	case column.Array:
		return column.NewArray(downgradeType(t.Elems[0]))
	case column.LowCardinality:
		return column.NewLowCardinality(downgradeType(t.Elems[0]))
	case column.Map: // an array of pairs, as a Map is laid out
		return column.NewArray(column.NewTuple([]*column.Type{downgradeType(t.Elems[0]), downgradeType(t.Elems[1])}, nil))
	case column.Tuple:
		elems := make([]*column.Type, len(t.Elems))
		for i, e := range t.Elems {
			elems[i] = downgradeType(e)
		}
		return column.NewTuple(elems, t.Names)
	}
	return t
}

// downgrade returns the column in its downgraded type; columns that need no change come back as they are.
func downgrade(c column.Column) column.Column {
	t := downgradeType(c.Type())
	if t.Equal(c.Type()) {
		return c
	}
	return downgradeTo(c, t)
}

func downgradeTo(c column.Column, t *column.Type) column.Column {
	switch x := c.(type) {
	case *column.Const:
		return column.NewConst(downgradeTo(x.Val, t), x.N)
	case *column.Null:
		return &column.Null{T: t, Nulls: x.Nulls, Inner: downgradeTo(x.Inner, t.Elems[0])}
	case *column.Arr:
		return &column.Arr{T: t, Ends: x.Ends, Start: x.Start, Elem: downgradeTo(x.Elem, t.Elems[0])}
	case *column.MapColumn:
		return downgradeTo(x.Arr, t)
	case *column.Tup:
		y := &column.Tup{T: t, N: x.N}
		for i, e := range x.Elems {
			y.Elems = append(y.Elems, downgradeTo(e, t.Elems[i]))
		}
		return y
	case *column.LowCard:
		return &column.LowCard{T: t, Dict: downgradeTo(x.Dict, t.Elems[0]), Index: x.Index}
	}
	if t.Kind == column.String && c.Type().Kind != column.String {
		return textColumn(c, t)
	}
	return column.Retype(c, t)
}

// textColumn writes out values that have no type of their own on the other side.
func textColumn(c column.Column, t *column.Type) column.Column {
	out := &column.Str{T: t, Ends: make([]uint64, 0, c.Len())}
	switch x := c.(type) {
	case *column.Num[uint32]: // IPv4
		for _, v := range x.Data {
			out.Data = netip.AddrFrom4([4]byte(binary.BigEndian.AppendUint32(nil, v))).AppendTo(out.Data)
			out.EndRow()
		}
	case *column.Num[int32]: // Date32
		for _, v := range x.Data {
			out.Data = time.Unix(int64(v)*86400, 0).UTC().AppendFormat(out.Data, "2006-01-02")
			out.EndRow()
		}
	case *column.Num[int64]: // DateTime64
		writeTimes(out, x)
	case *column.Wide[column.IPv6Value]:
		for _, v := range x.Data {
			out.Data = netip.AddrFrom16(v).AppendTo(out.Data)
			out.EndRow()
		}
	case *column.Wide[column.U128]:
		writeWide(out, x.Data, 0, func(v column.U128) *big.Int { return words64(false, v.Lo, v.Hi) })
	case *column.Wide[column.I128]:
		writeWide(out, x.Data, 0, func(v column.I128) *big.Int { return words64(true, v.Lo, uint64(v.Hi)) })
	case *column.Wide[column.U256]:
		writeWide(out, x.Data, 0, func(v column.U256) *big.Int { return words64(false, v.W[:]...) })
	case *column.Wide[column.I256]:
		writeWide(out, x.Data, x.T.Scale, func(v column.I256) *big.Int { return words64(true, v.W[:]...) })
	}
	return out
}

func writeTimes(out *column.Str, x *column.Num[int64]) {
	layout, unit, zone := "2006-01-02 15:04:05", int64(1), x.T.Location()
	if x.T.Scale > 0 {
		layout += "." + "000000000"[:x.T.Scale]
	}
	for i := 0; i < x.T.Scale; i++ {
		unit *= 10
	}
	for _, v := range x.Data {
		sec, frac := v/unit, v%unit
		if frac < 0 {
			sec, frac = sec-1, frac+unit
		}
		out.Data = time.Unix(sec, frac*(1e9/unit)).In(zone).AppendFormat(out.Data, layout)
		out.EndRow()
	}
}

// words64 makes a number of its little-endian words, two's complement where signed.
func words64(signed bool, w ...uint64) *big.Int {
	v := new(big.Int)
	for i := len(w) - 1; i >= 0; i-- {
		v.Lsh(v, 64).Or(v, new(big.Int).SetUint64(w[i]))
	}
	if signed && w[len(w)-1]>>63 != 0 {
		v.Sub(v, new(big.Int).Lsh(big.NewInt(1), uint(64*len(w))))
	}
	return v
}

// writeWide writes decimal text with scale digits behind the point, without trailing zeros there.
func writeWide[T any](out *column.Str, data []T, scale int, value func(T) *big.Int) {
	for _, v := range data {
		s := value(v).String()
		if scale > 0 {
			sign := ""
			if s[0] == '-' {
				sign, s = "-", s[1:]
			}
			if len(s) <= scale {
				s = strings.Repeat("0", scale-len(s)+1) + s
			}
			s = sign + s[:len(s)-scale] + "." + s[len(s)-scale:]
			s = strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
		}
		out.AppendString(s)
	}
}
