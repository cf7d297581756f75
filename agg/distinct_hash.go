package agg

import (
	"encoding/binary"
	"math"

	"dictsvc/column"
	"dictsvc/errcode"
	"dictsvc/internal/cityhash"
	"dictsvc/internal/siphash"
)

// rowHasher gives the value of 64 bits by which an approximate count of distinct values tells rows apart, in buf where it can.
type rowHasher func(args []column.Column, rows int, buf []uint64) []uint64

// room is a buffer's first rows.
func room(buf []uint64, rows int) []uint64 {
	if cap(buf) < rows {
		buf = make([]uint64, rows)
	}
	return buf[:rows]
}

// wordHash applies f to a number's value widened as ClickHouse widens it: integers with their sign, floats by their bits, so that 0.0 and -0.0 are two.
func wordHash[T column.Number](f func(uint64) uint64) rowHasher {
	return func(args []column.Column, rows int, buf []uint64) []uint64 {
		data := args[0].(*column.Num[T]).Data[:rows]
		out := room(buf, rows)
		if T(1)/2 == 0 {
			for i, v := range data {
				out[i] = f(uint64(v))
			}
			return out
		}
		for i, v := range data {
			out[i] = f(keyBits(v))
		}
		return out
	}
}

func wideHash[T column.WideValue[T]](f func(T) uint64) rowHasher {
	return func(args []column.Column, rows int, buf []uint64) []uint64 {
		data := args[0].(*column.Wide[T]).Data[:rows]
		out := room(buf, rows)
		for i, v := range data {
			out[i] = f(v)
		}
		return out
	}
}

// stringHash is CityHash of strings.
func stringHash(args []column.Column, rows int, buf []uint64) []uint64 {
	out := room(buf, rows)
	switch x := args[0].(type) {
	case *column.Str:
		for i := range out {
			out[i] = cityhash.Sum64(x.At(i))
		}
	case *column.FixedStr:
		for i := range out {
			out[i] = cityhash.Sum64(x.At(i))
		}
	}
	return out
}

// onePiece tells whether ClickHouse has values of a type in one piece, so that it hashes them by their bytes.
func onePiece(t *column.Type) bool {
	return t.FixedWidth() > 0 || t.Kind == column.String || t.Kind == column.Array && t.Elems[0].FixedWidth() > 0
}

// severalHash joins the CityHash of each value's bytes; where one of the types has no bytes of its own, it is the lower half of SipHash of all.
func severalHash(types []*column.Type) rowHasher {
	tuple := len(types) == 1 && types[0].Kind == column.Tuple
	if tuple {
		types = types[0].Elems
	}
	exact := len(types) == 0
	for _, t := range types {
		exact = exact || !onePiece(t)
	}
	return func(args []column.Column, rows int, buf []uint64) []uint64 {
		if tuple {
			args = args[0].(*column.Tup).Elems
		}
		out := room(buf, rows)
		var bytes []byte
		for i := range out {
			bytes = bytes[:0]
			if exact {
				for _, a := range args {
					bytes = column.AppendHashed(bytes, a, i)
				}
				out[i], _ = siphash.Sum128(bytes)
				continue
			}
			for k, a := range args {
				var h uint64
				if s, ok := a.(*column.Str); ok {
					h = cityhash.Sum64(s.At(i))
				} else {
					bytes = appendPlain(bytes[:0], a, i)
					h = cityhash.Sum64(bytes)
				}
				if k > 0 {
					h = cityhash.Mix(h, out[i])
				}
				out[i] = h
			}
		}
		return out
	}
}

// appendPlain appends a value's bytes, an array's without its length.
func appendPlain(buf []byte, c column.Column, i int) []byte {
	a, ok := c.(*column.Arr)
	if !ok {
		return column.AppendNative(buf, c, i)
	}
	for from, to := a.Range(i); from < to; from++ {
		buf = column.AppendNative(buf, a.Elem, from)
	}
	return buf
}

func sipWords(words ...uint64) uint64 {
	var b []byte
	for _, w := range words {
		b = binary.LittleEndian.AppendUint64(b, w)
	}
	return siphash.Sum64(b)
}

// hashKinds are the hashes of single values that the functions differ in; a nil one falls back to severalHash.
type hashKinds struct {
	number func(uint64) uint64 // of what fits 64 bits
	float  func(uint64) uint64 // of a float's bits
	u128   func(column.U128) uint64
	i128   func(column.I128) uint64
	u256   func(column.U256) uint64
	i256   func(column.I256) uint64
	uuid   func(column.UUIDValue) uint64
	ipv6   func(column.IPv6Value) uint64
}

// single is the hash of one argument of type t; ok is false where the type has none of its own.
func (h *hashKinds) single(t *column.Type) (rowHasher, bool) {
	switch t.Kind {
	case column.Bool, column.UInt8:
		return wordHash[uint8](h.number), true
	case column.UInt16, column.Date:
		return wordHash[uint16](h.number), true
	case column.UInt32, column.DateTime, column.IPv4:
		return wordHash[uint32](h.number), true
	case column.UInt64:
		return wordHash[uint64](h.number), true
	case column.Int8, column.Enum8:
		return wordHash[int8](h.number), true
	case column.Int16, column.Enum16:
		return wordHash[int16](h.number), true
	case column.Int32, column.Date32:
		return wordHash[int32](h.number), true
	case column.Int64:
		return wordHash[int64](h.number), true
	case column.Float32:
		return wordHash[float32](h.float), true
	case column.Float64:
		return wordHash[float64](h.float), true
	case column.String, column.FixedString:
		return stringHash, true
	case column.UInt128:
		return wideHash(h.u128), h.u128 != nil
	case column.Int128:
		return wideHash(h.i128), h.i128 != nil
	case column.UInt256:
		return wideHash(h.u256), h.u256 != nil
	case column.Int256:
		return wideHash(h.i256), h.i256 != nil
	case column.UUID:
		return wideHash(h.uuid), h.uuid != nil
	case column.IPv6:
		return wideHash(h.ipv6), h.ipv6 != nil
	}
	return nil, false
}

func noArguments(name string, args []*column.Type) error {
	if len(args) == 0 {
		return errcode.New(errcode.NumberOfArgumentsDoesntMatch, "Incorrect number of arguments for aggregate function %s", name)
	}
	return nil
}

// asIs hashes nothing: several arguments come hashed.
func asIs(x uint64) uint64 { return x }

// tableCorrection corrects a count of hashes of 32 bits for those that fell together.
func tableCorrection(n uint64) uint64 {
	const all = 1 << 32
	n = min(n, all-1)
	return uint64(math.Round(all * (math.Log(all) - math.Log(float64(all-n)))))
}
