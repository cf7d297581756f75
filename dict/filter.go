package dict

import (
	"math/bits"

	"dictsvc/column"
	"dictsvc/internal/mem"
)

// keyFilter tells of most keys that a small set does not have them: a bitmap of 16 to 32 bits a key, of which each key sets one. A look-up in an
// overlay asks its tables for the few keys that pass, so that it costs some nanoseconds a key, and not as much again as
// the base's table, whose lines the processor has to wait for.
type keyFilter struct {
	bits  *mem.Slice[uint64]
	shift uint
}

const filterBits = 16 // a key, at least

// bit is where a key's bit stands. A product's high bits depend on all bits of the key.
func (f *keyFilter) bit(key uint64) uint64 { return key * 0x9e3779b97f4a7c15 >> (f.shift & 63) }

// newKeyFilter makes the filter of the keys, one UInt64 each, of some versions.
func newKeyFilter(budget *mem.Budget, list []*Version) (*keyFilter, error) {
	n := uint64(0)
	for _, v := range list {
		n += v.rows
	}
	width := max(6, uint(bits.Len64(n*filterBits-1)))
	words, err := mem.NewSlice[uint64](budget, 1<<(width-6))
	if err != nil {
		return nil, err
	}
	f := &keyFilter{bits: words, shift: 64 - width}
	set := words.Data()
	rows := make([]uint64, pieceRows)
	for _, v := range list {
		next, keys := v.scanner(), column.UInt64s()
		for next([]column.Column{keys}, rows) > 0 {
			for _, k := range keys.Data {
				b := f.bit(k)
				set[b>>6] |= 1 << (b & 63)
			}
			keys.Truncate(0)
		}
	}
	return f, nil
}

// pass copies the keys that may be in the set to out and their indexes to at, which are as long as keys, and returns their number.
func (f *keyFilter) pass(keys, out []uint64, at []uint32) int {
	set := f.bits.Data()
	out, at = out[:len(keys)], at[:len(keys)]
	n := 0
	for i, k := range keys {
		out[n], at[n] = k, uint32(i)
		b := f.bit(k)
		n += int(set[b>>6] >> (b & 63) & 1)
	}
	return n
}

func (f *keyFilter) bytes() uint64 {
	if f == nil {
		return 0
	}
	return uint64(f.bits.Held())
}

func (f *keyFilter) free() {
	if f != nil {
		f.bits.Free()
	}
}
