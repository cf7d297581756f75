package wire

import (
	"errors"

	"dictsvc/column"
	"dictsvc/errcode"
)

// writeBlockInfo writes the block's head in the one form that every client reads: clickhouse-go takes these fields in this order for granted,
// and a bucket number other than -1 would make the block part of a two-level aggregation.
func writeBlockInfo(w *output) {
	w.uvarint(1)
	w.u8(0) // is_overflows
	w.uvarint(2)
	w.i32(-1) // bucket_num
	w.uvarint(0)
}

// readBlockInfo reads and drops the head.
func readBlockInfo(r *input) {
	for r.err == nil {
		switch field := r.uvarint(); field {
		case 0:
			return
		case 1:
			r.u8()
		case 2:
			r.i32()
		default:
			r.fail(errcode.New(errcode.IncorrectData, "Unknown BlockInfo field number: %d", field))
		}
	}
}

// writeBlock writes a block of the Native format. rows is false for a header: names and types without values. nil is the block without columns,
// which ends a stream of blocks.
func writeBlock(w *output, b *column.Block, rows bool, revision uint64) {
	writeBlockInfo(w)
	if b == nil {
		w.uvarint(0)
		w.uvarint(0)
		return
	}
	n := 0
	if rows {
		n = b.Rows
	}
	w.uvarint(uint64(len(b.Cols)))
	w.uvarint(uint64(n))
	for i, c := range b.Cols {
		w.str(b.Names[i])
		if !FeatureModernTypes.In(revision) && c.Type().Kind != column.Nothing {
			c = downgrade(c)
		}
		w.str(c.Type().String())
		if FeatureCustomSerial.In(revision) {
			w.u8(0)
		}
		if n > 0 {
			writeColumn(w, c)
		}
	}
	w.room()
}

// typeCache keeps the types that a connection has read, as the same few names come again and again.
type typeCache map[string]*column.Type

// maxCachedTypes bounds a typeCache.
const maxCachedTypes = 256

func (c typeCache) parse(name []byte) (*column.Type, error) {
	if t, ok := c[string(name)]; ok {
		return t, nil
	}
	t, err := column.ParseSent(string(name))
	if err != nil {
		return nil, err
	}
	if c != nil && len(c) < maxCachedTypes && len(name) < 256 {
		c[string(name)] = t
	}
	return t, nil
}

// readBlock reads a block of the Native format; one without columns comes back as nil.
func readBlock(r *input, revision uint64, l *Limits, types typeCache) *column.Block {
	readBlockInfo(r)
	cols := r.count("Number of columns in a block", l.MaxColumns)
	rows := r.count("Number of rows in a block", l.MaxRows)
	if r.err == nil && cols == 0 && rows > 0 {
		r.fail(errcode.New(errcode.IncorrectData, "Zero columns but %d rows in Native format", rows))
	}
	if r.err != nil || cols == 0 {
		return nil
	}
	b := &column.Block{Rows: rows}
	var scratch []byte
	for ; cols > 0; cols-- {
		name := r.str("Column name", l.MaxString)
		typeName := r.bytes("Type name of a column", l.MaxString, &scratch)
		if r.err != nil {
			return nil
		}
		t, err := types.parse(typeName)
		if err != nil {
			r.fail(errcode.Wrap(err, "column %q", name))
			return nil
		}
		if FeatureCustomSerial.In(revision) {
			if kind := r.u8(); kind != 0 {
				r.fail(errcode.New(errcode.IncorrectData, "column %q has a custom serialization, which revision %d does not have", name, revision))
			}
		}
		c := readColumn(r, t, rows)
		if r.err != nil {
			var coded *errcode.Error
			if errors.As(r.err, &coded) { // errors of the connection stay as they are
				r.err = errcode.Wrap(r.err, "column %q", name)
			}
			return nil
		}
		b.Names, b.Cols = append(b.Names, name), append(b.Cols, c)
	}
	return b
}
