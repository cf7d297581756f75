package agg

import (
	"math"

	"dictsvc/column"
	"dictsvc/errcode"
	"dictsvc/internal/siphash"
)

// bindEntropy: the Shannon entropy, in bits, of the values' frequencies. One number is counted as it is; all else by a hash of 128 bits.
func bindEntropy(name string, params []column.Column, args []*column.Type) (*Function, error) {
	if err := noParams(name, params); err != nil {
		return nil, err
	}
	if len(args) == 0 {
		return nil, errcode.New(errcode.NumberOfArgumentsDoesntMatch, "Incorrect number of arguments for aggregate function %s", name)
	}
	return &Function{Name: name, Type: column.Of(column.Float64), NewStates: entropyStates(args)}, nil
}

func entropyStates(args []*column.Type) func() States {
	t := args[0]
	if len(args) > 1 {
		return hashedEntropy().states
	}
	switch t.Kind {
	case column.Bool, column.UInt8:
		return entropyOf(numberKeys[uint8, uint8], crcSmall).states
	case column.UInt16, column.Date:
		return entropyOf(numberKeys[uint16, uint16], crcSmall).states
	case column.UInt32, column.DateTime, column.IPv4:
		return entropyOf(numberKeys[uint32, uint32], crcSmall).states
	case column.UInt64:
		return entropyOf(numberKeys[uint64, uint64], crcSmall).states
	case column.Int8, column.Enum8:
		return entropyOf(numberKeys[int8, uint8], crcSmall).states
	case column.Int16, column.Enum16:
		return entropyOf(numberKeys[int16, uint16], crcSmall).states
	case column.Int32:
		return entropyOf(numberKeys[int32, uint32], crcSmall).states
	case column.Int64:
		return entropyOf(numberKeys[int64, uint64], crcSmall).states
	case column.Float32:
		return entropyOf(numberKeys[float32, uint32], crcSmall).states
	case column.Float64:
		return entropyOf(numberKeys[float64, uint64], crcSmall).states
	case column.Int128:
		return entropyOf(wideKeys[column.I128], crcI128).states
	case column.Int256:
		return entropyOf(wideKeys[column.I256], crcI256).states
	case column.UInt256:
		return entropyOf(wideKeys[column.U256], crcU256).states
	case column.UUID:
		return entropyOf(wideKeys[column.UUIDValue], crcUUID).states
	case column.IPv6:
		return entropyOf(wideKeys[column.IPv6Value], crcIPv6).states
	}
	return hashedEntropy().states
}

func entropyOf[K comparable](keys func([]column.Column, int, []K) ([]K, []uint8), hash func(K) uint64) *weightsOf[K] {
	return &weightsOf[K]{keys: keys, hash: hash, result: entropies[K]}
}

// hashedEntropy counts hashes, whose lower half is their place in the table.
func hashedEntropy() *weightsOf[column.U128] {
	return entropyOf(func(args []column.Column, rows int, keys []column.U128) ([]column.U128, []uint8) {
		keys = keys[:0]
		var buf []byte
		for i := range rows {
			buf = buf[:0]
			for _, a := range args {
				buf = column.AppendHashed(buf, a, i)
			}
			lo, hi := siphash.Sum128(buf)
			keys = append(keys, column.U128{Lo: lo, Hi: hi})
		}
		return keys, nil
	}, func(k column.U128) uint64 { return k.Lo })
}

func entropies[K comparable](maps []cellMap[K]) (column.Column, error) {
	out := make([]float64, len(maps))
	for i := range maps {
		total := uint64(0)
		maps[i].each(func(_ K, n uint64) { total += n })
		h := 0.0
		maps[i].each(func(_ K, n uint64) {
			share := float64(n) / float64(total)
			h -= share * math.Log2(share)
		})
		out[i] = h
	}
	return column.Float64s(out...), nil
}
