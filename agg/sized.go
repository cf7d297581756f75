package agg

import (
	"encoding/binary"

	"dictsvc/column"
)

// How groupArray, groupUniqArray and -Distinct write values into their states: numbers and dates as they are; a string behind its length;
// all else as the image that ClickHouse keeps in memory, behind its length.

// rawValue tells whether values of a type are written as they are. -Distinct does that with numbers alone.
func rawValue(t *column.Type, numbersOnly bool) bool {
	switch t.Kind {
	case column.Date, column.DateTime, column.IPv4:
		return !numbersOnly
	case column.Bool, column.Enum8, column.Enum16:
		return true
	}
	return t.IsInteger() || t.IsFloat()
}

// contiguous tells whether an array's elements are its image in a set: they have one width.
func contiguous(t *column.Type) bool {
	return t.Kind == column.Array && (t.Elems[0].FixedWidth() > 0 || t.Elems[0].Kind == column.FixedString) && t.Elems[0].Kind != column.Nullable
}

// image is a value as ClickHouse keeps it in memory; set tells that it is one of a hash set.
func image(buf []byte, c column.Column, row int, set bool) []byte {
	switch x := c.(type) {
	case *column.Str:
		if set || x.T.Kind == column.String {
			return append(buf, x.At(row)...)
		}
	case *column.Arr:
		if set && contiguous(x.T) {
			from, to := x.Range(row)
			for ; from < to; from++ {
				buf = column.AppendNative(buf, x.Elem, from)
			}
			return buf
		}
	case *column.Tup:
		if len(x.Elems) == 0 {
			return append(buf, 0)
		}
	}
	return column.AppendHashed(buf, c, row)
}

// appendSized appends a value's image behind its length.
func appendSized(buf []byte, c column.Column, row int, set bool) []byte {
	b := image(nil, c, row, set)
	return append(binary.AppendUvarint(buf, uint64(len(b))), b...)
}

// readSized reads what appendSized has written.
func readSized(c column.Column, r *column.StateReader, set bool) error {
	b := r.String()
	if err := r.Err(); err != nil {
		return err
	}
	switch x := c.(type) {
	case *column.Str:
		x.Append(b)
		return nil
	case *column.Tup:
		if len(x.Elems) == 0 {
			x.AppendDefault(1)
			return nil
		}
	}
	own := column.NewStateReader(b)
	if x, ok := c.(*column.Arr); ok && set && contiguous(x.T) {
		for own.Len() > 0 && own.Err() == nil {
			if err := column.ReadNative(x.Elem, own); err != nil {
				return r.Fail(err)
			}
		}
		x.EndRow()
		return r.Err()
	}
	if err := column.ReadHashed(c, own); err != nil {
		return r.Fail(err)
	}
	if own.Len() > 0 {
		return r.Corrupt("A value of a state has %d bytes too many", own.Len())
	}
	return nil
}
