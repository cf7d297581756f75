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

// gatherInline appends values from their words.
func gatherInline(dst column.Column, words []uint64, found []uint8, def column.Column) {
	switch d := dst.(type) {
	case *column.Num[uint8]:
		fromWords(d, words, found, def, func(w uint64) uint8 { return uint8(w) })
	case *column.Num[int8]:
		fromWords(d, words, found, def, func(w uint64) int8 { return int8(w) })
	case *column.Num[uint16]:
		fromWords(d, words, found, def, func(w uint64) uint16 { return uint16(w) })
	case *column.Num[int16]:
		fromWords(d, words, found, def, func(w uint64) int16 { return int16(w) })
	case *column.Num[uint32]:
		fromWords(d, words, found, def, func(w uint64) uint32 { return uint32(w) })
	case *column.Num[int32]:
		fromWords(d, words, found, def, func(w uint64) int32 { return int32(w) })
	case *column.Num[float32]:
		fromWords(d, words, found, def, func(w uint64) float32 { return math.Float32frombits(uint32(w)) })
	case *column.Num[uint64]:
		fromWords(d, words, found, def, func(w uint64) uint64 { return w })
	case *column.Num[int64]:
		fromWords(d, words, found, def, func(w uint64) int64 { return int64(w) })
	case *column.Num[float64]:
		fromWords(d, words, found, def, math.Float64frombits)
	}
}

func fromWords[T column.Number](d *column.Num[T], words []uint64, found []uint8, def column.Column, value func(uint64) T) {
	out, missing := extend(&d.Data, len(words)), def.(*column.Num[T]).Data[0]
	for i, w := range words {
		if found[i] == 0 {
			out[i] = missing
			continue
		}
		out[i] = value(w)
	}
}
