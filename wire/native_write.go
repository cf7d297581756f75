package wire

import (
	"encoding/binary"

	"dictsvc/column"
	"dictsvc/errcode"
)

// LowCardinality's serialization: a version, and for each run of rows an index type with flags.
const (
	lowCardVersion   = 1
	lowCardGlobal    = 0x100 // keys refer to a dictionary shared between blocks: never in this protocol
	lowCardKeys      = 0x200 // the run brings its keys
	lowCardUpdate    = 0x400
	lowCardIndexMask = 0xff
)

// writeColumn writes a column's rows in the Native format; a column without rows has no bytes at all.
func writeColumn(w *output, c column.Column) {
	if c.Len() == 0 {
		return
	}
	writePrefix(w, c.Type())
	writeValues(w, c)
}

// writePrefix writes what stands before a column's values: the version of every LowCardinality inside it.
func writePrefix(w *output, t *column.Type) {
	switch t.Kind {
	case column.LowCardinality:
		w.u64(lowCardVersion)
	case column.Array, column.Tuple, column.Map, column.Nullable:
		for _, e := range t.Elems {
			writePrefix(w, e)
		}
	}
}

func writeValues(w *output, c column.Column) {
	switch x := c.(type) {
	case *column.Num[uint8]:
		w.raw(x.Data)
	case *column.Num[uint16]:
		w.raw(column.Raw(x.Data))
	case *column.Num[uint32]:
		w.raw(column.Raw(x.Data))
	case *column.Num[uint64]:
		w.raw(column.Raw(x.Data))
	case *column.Num[int8]:
		w.raw(column.Raw(x.Data))
	case *column.Num[int16]:
		w.raw(column.Raw(x.Data))
	case *column.Num[int32]:
		w.raw(column.Raw(x.Data))
	case *column.Num[int64]:
		w.raw(column.Raw(x.Data))
	case *column.Num[float32]:
		w.raw(column.Raw(x.Data))
	case *column.Num[float64]:
		w.raw(column.Raw(x.Data))
	case *column.Wide[column.U128]:
		w.raw(column.Raw(x.Data))
	case *column.Wide[column.I128]:
		w.raw(column.Raw(x.Data))
	case *column.Wide[column.U256]:
		w.raw(column.Raw(x.Data))
	case *column.Wide[column.I256]:
		w.raw(column.Raw(x.Data))
	case *column.Wide[column.UUIDValue]:
		w.raw(column.Raw(x.Data))
	case *column.Wide[column.IPv6Value]:
		w.raw(column.Raw(x.Data))
	case *column.FixedStr:
		w.raw(x.Data)
	case *column.Str:
		writeStrings(w, x)
	case *column.Null:
		w.raw(x.Nulls)
		writeValues(w, x.Inner)
	case *column.Arr:
		w.raw(column.Raw(x.Offsets()))
		writeArrayElements(w, x)
	case *column.MapColumn:
		writeValues(w, x.Arr)
	case *column.Tup:
		if len(x.Elems) == 0 {
			writeFill(w, x.Len())
		}
		for _, e := range x.Elems {
			writeValues(w, e)
		}
	case *column.LowCard:
		writeLowCard(w, x)
	case *column.NothingColumn:
		writeFill(w, x.N)
	case *column.Const:
		writeValues(w, x.Expand())
	default:
		if w.err == nil {
			w.err = errcode.New(errcode.NotImplemented, "Columns of type %s cannot be sent", c.Type())
		}
	}
}

// writeArrayElements writes the elements that the rows use; a builder may have more behind them.
func writeArrayElements(w *output, x *column.Arr) {
	used := 0
	if n := x.Len(); n > 0 {
		_, used = x.Range(n - 1)
	}
	e := x.Elem
	if e.Len() != used {
		e = e.Slice(0, used)
	}
	if used > 0 {
		writeValues(w, e)
	}
}

// writeFill writes the byte a row that types without values have.
func writeFill(w *output, n int) {
	for ; n > 0; n-- {
		w.u8('0')
	}
	w.room()
}

// writeStrings writes a length and the bytes of each row; states of aggregate functions stand one after the other without a length.
func writeStrings(w *output, x *column.Str) {
	if x.T.Kind == column.AggregateFunction {
		if n := len(x.Ends); n > 0 {
			w.raw(x.Data[x.Start:x.Ends[n-1]])
		}
		return
	}
	from := x.Start
	for _, end := range x.Ends {
		s := x.Data[from:end]
		from = end
		if n := len(s); n < 0x80 {
			w.buf = append(append(w.buf, byte(n)), s...)
		} else {
			w.buf = binary.AppendUvarint(w.buf, uint64(n))
			w.raw(s)
		}
		if len(w.buf) > w.limit {
			w.room()
		}
	}
}

// writeLowCard writes the dictionary of the rows at hand and their places in it. Key 0 stands for NULL where the values can be NULL, and
// the keys then are of the type without Nullable.
func writeLowCard(w *output, x *column.LowCard) {
	if len(x.Index) == 0 {
		return
	}
	dict, index := x.Dict, x.Index
	if dict.Len() > len(index)+1 {
		dict, index = compactDict(dict, index)
	}
	keys := dict
	if n, ok := dict.(*column.Null); ok {
		keys = n.Inner
	}
	kind := uint64(0)
	for ; kind < 2 && uint64(dict.Len()) > 1<<(8<<kind); kind++ {
	}
	w.u64(lowCardKeys | lowCardUpdate | kind)
	w.u64(uint64(keys.Len()))
	writeValues(w, keys)
	w.u64(uint64(len(index)))
	switch kind {
	case 0:
		for _, k := range index {
			w.buf = append(w.buf, byte(k))
		}
		w.room()
	case 1:
		for _, k := range index {
			w.buf = binary.LittleEndian.AppendUint16(w.buf, uint16(k))
		}
		w.room()
	default:
		w.raw(column.Raw(index))
	}
}

// compactDict keeps of a dictionary what the rows use, and its row 0.
func compactDict(dict column.Column, index []uint32) (column.Column, []uint32) {
	place := make(map[uint32]uint32, len(index)+1)
	rows := make([]uint32, 1, len(index)+1)
	place[0] = 0
	out := make([]uint32, len(index))
	for i, k := range index {
		p, ok := place[k]
		if !ok {
			p = uint32(len(rows))
			place[k] = p
			rows = append(rows, k)
		}
		out[i] = p
	}
	return dict.Gather(rows), out
}
