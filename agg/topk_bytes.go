package agg

import (
	"encoding/binary"
	"hash/crc32"
	"strings"
	"unsafe"

	"dictsvc/column"
)

// topBytes counts values as their bytes: those that lie in memory in one piece as they are, an array of values of fixed width as those one after another, and
// all else as ClickHouse serializes it in states.
func topBytes(top *topParameters, t *column.Type) func() States {
	form := topFormOf(t)
	table := crc32.MakeTable(crc32.Castagnoli)
	f := &topOf[string]{
		topParameters: top,
		keys: func(c column.Column, rows int, buf *topBuffer[string]) []string {
			return form.keys(c, rows, buf)
		},
		hash: func(k string) uint32 { return crcString(table, k) },
		own:  strings.Clone,
		size: func(k string) int { return len(k) },
		save: func(buf []byte, k string) []byte {
			return append(binary.AppendUvarint(buf, uint64(len(k))), k...)
		},
		load: func(r *column.StateReader) (string, error) {
			k := string(r.String())
			if err := r.Err(); err != nil {
				return "", err
			}
			return k, form.append(column.New(t, 0), k)
		},
		column: func(keys []string) (column.Column, error) {
			out := column.New(t, len(keys))
			for _, k := range keys {
				if err := form.append(out, k); err != nil {
					return nil, err
				}
			}
			return out, nil
		},
	}
	return f.states
}

// topForm is how a value's bytes are made.
type topForm struct {
	inOne bool // a string or a value of fixed width
	width int  // of the elements of an array that lies in one piece; 0 else
}

func topFormOf(t *column.Type) topForm {
	switch {
	case t.Kind == column.String || t.FixedWidth() > 0:
		return topForm{inOne: true}
	case t.Kind == column.Array:
		return topForm{width: t.Elems[0].FixedWidth()}
	}
	return topForm{}
}

// keys are views of the rows' bytes, which hold until the next call.
func (f topForm) keys(c column.Column, rows int, buf *topBuffer[string]) []string {
	buf.keys = grow(buf.keys, rows)
	keys := buf.keys[:rows]
	if s, ok := c.(*column.Str); ok && f.inOne {
		for i := range keys {
			keys[i] = view(s.At(i))
		}
		return keys
	}
	buf.bytes, buf.ends = buf.bytes[:0], buf.ends[:0]
	for i := range keys {
		switch arr, _ := c.(*column.Arr); {
		case f.inOne:
			buf.bytes = column.AppendNative(buf.bytes, c, i)
		case f.width > 0:
			for from, to := arr.Range(i); from < to; from++ {
				buf.bytes = column.AppendNative(buf.bytes, arr.Elem, from)
			}
		default:
			buf.bytes = column.AppendHashed(buf.bytes, c, i)
		}
		buf.ends = append(buf.ends, len(buf.bytes))
	}
	from := 0
	for i, end := range buf.ends {
		keys[i] = view(buf.bytes[from:end])
		from = end
	}
	return keys
}

func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// append appends the value whose bytes are k to a column; bytes that are no value are refused.
func (f topForm) append(out column.Column, k string) error {
	if s, ok := out.(*column.Str); ok && f.inOne {
		s.AppendString(k)
		return nil
	}
	r := column.NewStateReader([]byte(k))
	var err error
	switch {
	case f.inOne:
		err = column.ReadNative(out, r)
	case f.width > 0:
		arr := out.(*column.Arr)
		for r.Len() > 0 && err == nil {
			err = column.ReadNative(arr.Elem, r)
		}
		arr.EndRow()
	default:
		err = column.ReadHashed(out, r)
	}
	if err != nil || r.Len() > 0 {
		return r.Corrupt("A state of topK has a value that is no %s", out.Type())
	}
	return nil
}

// crcString is ClickHouse's hash of a string as a key: CRC32C over its words, the last of which may overlap the one before; fewer than eight bytes are hashed
// as CityHash does.
func crcString(table *crc32.Table, s string) uint32 {
	n := len(s)
	b := unsafe.Slice(unsafe.StringData(s), n)
	switch {
	case n == 0:
		return 0
	case n < 8:
		return uint32(cityShort(b))
	}
	words := max(1, (n+7)/8-1)
	crc := crc32.Update(0, table, b[:8*words])
	return ^crc32.Update(crc, table, b[n-8:])
}

const (
	cityK2  = 0x9ae16a3b2f90404f
	cityK3  = 0xc949d7c7509e6557
	cityMul = 0x9ddfea08eb382d69
)

// cityShort is CityHash's hash of 1 to 7 bytes.
func cityShort(b []byte) uint64 {
	n := len(b)
	if n >= 4 {
		lo := uint64(n) + uint64(binary.LittleEndian.Uint32(b))<<3
		hi := uint64(binary.LittleEndian.Uint32(b[n-4:]))
		x := (lo ^ hi) * cityMul
		x ^= x >> 47
		x = (hi ^ x) * cityMul
		x ^= x >> 47
		return x * cityMul
	}
	y := uint64(b[0]) + uint64(b[n>>1])<<8
	z := uint64(n) + uint64(b[n-1])<<2
	x := y*cityK2 ^ z*cityK3
	return (x ^ x>>47) * cityK2
}
