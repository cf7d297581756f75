package dict

import (
	"math"

	"dictsvc/column"
)

// inlined tells whether the key table can hold a value of the type itself: numbers of at most 64 bits, and codes of strings.
func inlined(t *column.Type) bool {
	switch column.New(t, 0).(type) {
	case *column.Num[uint8], *column.Num[int8], *column.Num[uint16], *column.Num[int16], *column.Num[uint32], *column.Num[int32], *column.Num[float32],
		*column.Num[uint64], *column.Num[int64], *column.Num[float64], *column.Str:
		return true
	}
	return false
}

// wordBits is the width of an inlined number.
func wordBits(t *column.Type) int {
	switch column.New(t, 0).(type) {
	case *column.Num[uint8], *column.Num[int8]:
		return 8
	case *column.Num[uint16], *column.Num[int16]:
		return 16
	case *column.Num[uint32], *column.Num[int32], *column.Num[float32]:
		return 32
	}
	return 64
}

// inlineWords writes a column's values as words.
func inlineWords(c column.Column, from, to int, out []uint64) {
	switch x := column.Full(c).(type) {
	case *column.Num[uint8]:
		toWords(x.Data[from:to], out, func(v uint8) uint64 { return uint64(v) })
	case *column.Num[int8]:
		toWords(x.Data[from:to], out, func(v int8) uint64 { return uint64(uint8(v)) })
	case *column.Num[uint16]:
		toWords(x.Data[from:to], out, func(v uint16) uint64 { return uint64(v) })
	case *column.Num[int16]:
		toWords(x.Data[from:to], out, func(v int16) uint64 { return uint64(uint16(v)) })
	case *column.Num[uint32]:
		toWords(x.Data[from:to], out, func(v uint32) uint64 { return uint64(v) })
	case *column.Num[int32]:
		toWords(x.Data[from:to], out, func(v int32) uint64 { return uint64(uint32(v)) })
	case *column.Num[float32]:
		toWords(x.Data[from:to], out, func(v float32) uint64 { return uint64(math.Float32bits(v)) })
	case *column.Num[uint64]:
		copy(out, x.Data[from:to])
	case *column.Num[int64]:
		toWords(x.Data[from:to], out, func(v int64) uint64 { return uint64(v) })
	case *column.Num[float64]:
		toWords(x.Data[from:to], out, math.Float64bits)
	}
}

func toWords[T any](data []T, out []uint64, word func(T) uint64) {
	for i, v := range data {
		out[i] = word(v)
	}
}

// gatherInline appends values from their words; the word of a missing key is 0.
func gatherInline(dst column.Column, words []uint64, found []uint8, def column.Column) {
	var missing [1]uint64
	inlineWords(def, 0, 1, missing[:])
	if missing[0] != 0 {
		chosen := make([]uint64, len(words))
		found = found[:len(words)]
		for i, w := range words {
			keep := -uint64(found[i])
			chosen[i] = w&keep | missing[0]&^keep
		}
		words = chosen
	}
	switch d := dst.(type) {
	case *column.Num[uint8]:
		fromWords(d, words)
	case *column.Num[int8]:
		fromWords(d, words)
	case *column.Num[uint16]:
		fromWords(d, words)
	case *column.Num[int16]:
		fromWords(d, words)
	case *column.Num[uint32]:
		fromWords(d, words)
	case *column.Num[int32]:
		fromWords(d, words)
	case *column.Num[uint64]:
		fromWords(d, words)
	case *column.Num[int64]:
		fromWords(d, words)
	case *column.Num[float32]:
		out := extend(&d.Data, len(words))
		for i, w := range words {
			out[i] = math.Float32frombits(uint32(w))
		}
	case *column.Num[float64]:
		out := extend(&d.Data, len(words))
		for i, w := range words {
			out[i] = math.Float64frombits(w)
		}
	}
}

func fromWords[T interface {
	uint8 | int8 | uint16 | int16 | uint32 | int32 | uint64 | int64
}](d *column.Num[T], words []uint64) {
	out := extend(&d.Data, len(words))
	words = words[:len(out)]
	for i := range out {
		out[i] = T(words[i])
	}
}
