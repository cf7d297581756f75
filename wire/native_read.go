package wire

import (
	"math"

	"dictsvc/column"
	"dictsvc/errcode"
)

// readColumn reads n rows of type t. Every row of every type has at least one byte in the Native format (rows of Nothing and of the empty tuple
// too), so that what arrives bounds what is allocated.
func readColumn(r *input, t *column.Type, n int) column.Column {
	if n == 0 || !readPrefix(r, t) {
		return column.New(t, 0)
	}
	return readValues(r, t, n)
}

func readPrefix(r *input, t *column.Type) bool {
	switch t.Kind {
	case column.LowCardinality:
		if v := r.u64(); r.err == nil && v != lowCardVersion {
			r.fail(errcode.New(errcode.IncorrectData, "Invalid version for serialization of %s: want %d, got %d", t, lowCardVersion, v))
		}
	case column.Array, column.Tuple, column.Map, column.Nullable:
		for _, e := range t.Elems {
			if !readPrefix(r, e) {
				return false
			}
		}
	}
	return r.err == nil
}

func readNum[T column.Number](r *input, t *column.Type, n int) column.Column {
	return column.NewNum(t, readPieces[T](nil, n, r))
}

func readWide[T column.WideValue[T]](r *input, t *column.Type, n int) column.Column {
	return column.NewWide(t, readPieces[T](nil, n, r))
}

// readValues reads n rows; after an error the column is short and must not be used.
func readValues(r *input, t *column.Type, n int) column.Column {
	if r.err != nil {
		return column.New(t, 0)
	}
	switch t.Kind {
	case column.Bool, column.UInt8:
		return readNum[uint8](r, t, n)
	case column.UInt16, column.Date:
		return readNum[uint16](r, t, n)
	case column.UInt32, column.DateTime, column.IPv4:
		return readNum[uint32](r, t, n)
	case column.UInt64:
		return readNum[uint64](r, t, n)
	case column.Int8, column.Enum8:
		return readNum[int8](r, t, n)
	case column.Int16, column.Enum16:
		return readNum[int16](r, t, n)
	case column.Int32, column.Decimal32, column.Date32:
		return readNum[int32](r, t, n)
	case column.Int64, column.Decimal64, column.DateTime64, column.Interval:
		return readNum[int64](r, t, n)
	case column.Float32:
		return readNum[float32](r, t, n)
	case column.Float64:
		return readNum[float64](r, t, n)
	case column.UInt128:
		return readWide[column.U128](r, t, n)
	case column.Int128, column.Decimal128:
		return readWide[column.I128](r, t, n)
	case column.UInt256:
		return readWide[column.U256](r, t, n)
	case column.Int256, column.Decimal256:
		return readWide[column.I256](r, t, n)
	case column.UUID:
		return readWide[column.UUIDValue](r, t, n)
	case column.IPv6:
		return readWide[column.IPv6Value](r, t, n)
	case column.FixedString:
		if n > math.MaxInt/t.Width {
			r.fail(errcode.New(errcode.TooLargeArraySize, "%d rows of %s are too many", n, t))
			return column.New(t, 0)
		}
		return &column.FixedStr{T: t, Data: readPieces[byte](nil, n*t.Width, r)}
	case column.String:
		return readStrings(r, t, n)
	case column.Nullable:
		return readNullable(r, t, n)
	case column.Array:
		return readArray(r, t, n)
	case column.Map:
		inner := column.NewArray(column.NewTuple(t.Elems, []string{"keys", "values"}))
		return &column.MapColumn{T: t, Arr: readArray(r, inner, n)}
	case column.Tuple:
		return readTuple(r, t, n)
	case column.LowCardinality:
		return readLowCard(r, t, n)
	case column.Nothing:
		r.skip(uint64(n))
		if r.err != nil {
			n = 0
		}
		return &column.NothingColumn{N: n}
	case column.AggregateFunction:
		c, err := column.ReadStates(t, n, func(p []byte) error { r.full(p); return r.err })
		if err != nil {
			r.fail(err)
			return column.New(t, 0)
		}
		return c
	}
	r.fail(errcode.New(errcode.NotImplemented, "Columns of type %s cannot be received", t))
	return column.New(column.Of(column.Nothing), 0)
}

func readStrings(r *input, t *column.Type, n int) column.Column {
	c := &column.Str{T: t, Ends: make([]uint64, 0, min(n, firstPiece/8))}
	for all := n; n > 0; n-- {
		size := uint64(0)
		if r.pos < len(r.buf) && r.buf[r.pos] < 0x80 && r.err == nil {
			size = uint64(r.buf[r.pos])
			r.pos++
		} else if size = r.uvarint(); r.err != nil {
			break
		}
		if rest := r.buf[r.pos:]; size <= uint64(len(rest)) {
			if uint64(cap(c.Data)-len(c.Data)) < size {
				c.Data = growStrings(c.Data, int(size), len(c.Ends), all)
			}
			c.Data = append(c.Data, rest[:size]...)
			r.pos += int(size)
		} else {
			if size > maxStringValue {
				r.fail(errcode.New(errcode.TooLargeStringSize, "Too large string size: want at most %d, got %d", maxStringValue, size))
				break
			}
			c.Data = appendArrived(c.Data, int(size), r)
			if r.err != nil {
				break
			}
		}
		c.Ends = append(c.Ends, uint64(len(c.Data)))
	}
	return c
}

// growStrings makes room for n more bytes: by what the rows so far let expect for all of them, but at most four times what has arrived.
func growStrings(data []byte, n, rows, all int) []byte {
	size := 2 * (len(data) + n)
	if rows > 0 {
		size = min(max(size, len(data)/rows*all+len(data)/8), 4*(len(data)+n))
	}
	return append(make([]byte, 0, size), data...)
}

// maxStringValue is the longest value of a String column, as in ClickHouse (DEFAULT_MAX_STRING_SIZE).
const maxStringValue = 1 << 30

// appendArrived appends n bytes to dst piece by piece, growing as append does.
func appendArrived(dst []byte, n int, r *input) []byte {
	for n > 0 && r.fill() {
		k := min(n, len(r.buf)-r.pos)
		dst = append(dst, r.buf[r.pos:r.pos+k]...)
		r.pos += k
		n -= k
	}
	return dst
}

func readNullable(r *input, t *column.Type, n int) column.Column {
	nulls := readPieces[uint8](nil, n, r)
	for i, b := range nulls {
		if b > 1 {
			nulls[i] = 1
		}
	}
	return &column.Null{T: t, Nulls: nulls, Inner: readValues(r, t.Elems[0], n)}
}

func readArray(r *input, t *column.Type, n int) *column.Arr {
	ends := readPieces[uint64](nil, n, r)
	var last uint64
	for i, e := range ends {
		if e < last {
			r.fail(errcode.New(errcode.IncorrectData, "Array offsets must not decrease: row %d ends at %d, the one before at %d", i+1, e, last))
			break
		}
		last = e
	}
	if r.err == nil && last > maxArrayElements {
		r.fail(errcode.New(errcode.TooLargeArraySize, "Too large array size: want at most %d elements in a block, got %d", uint64(maxArrayElements), last))
	}
	c := &column.Arr{T: t, Ends: ends}
	if r.err != nil || last == 0 {
		c.Elem = column.New(t.Elems[0], 0)
		return c
	}
	c.Elem = readValues(r, t.Elems[0], int(last))
	return c
}

// maxArrayElements is the most elements that one array column of a block may hold.
const maxArrayElements = 1 << 32

func readTuple(r *input, t *column.Type, n int) column.Column {
	c := &column.Tup{T: t, Elems: make([]column.Column, len(t.Elems)), N: n}
	if len(t.Elems) == 0 {
		r.skip(uint64(n))
	}
	for i, e := range t.Elems {
		c.Elems[i] = readValues(r, e, n)
	}
	return c
}

// readLowCard reads runs of rows, each with its dictionary, until n rows are there. One run is the rule.
func readLowCard(r *input, t *column.Type, n int) column.Column {
	var c *column.LowCard
	for got := 0; got < n && r.err == nil; {
		run := readLowCardRun(r, t, n-got)
		if r.err != nil {
			break
		}
		got += len(run.Index)
		switch {
		case c == nil && got == n:
			return run
		case c == nil:
			c = column.NewLowCard(t, 0)
		}
		c.AppendRange(run, 0, len(run.Index))
	}
	if c == nil {
		return column.NewLowCard(t, 0)
	}
	return c
}

func readLowCardRun(r *input, t *column.Type, most int) *column.LowCard {
	c := &column.LowCard{T: t, Dict: column.New(t.Elems[0], 0)}
	kind := r.u64()
	switch {
	case r.err != nil:
		return c
	case kind&lowCardGlobal != 0 || kind&lowCardKeys == 0 || kind&lowCardIndexMask > 3:
		r.fail(errcode.New(errcode.IncorrectData, "Invalid index type %#x for column of type %s", kind, t))
		return c
	}
	keys := r.u64()
	if r.err == nil && (keys > math.MaxUint32 || keys == 0) {
		r.fail(errcode.New(errcode.IncorrectData, "%s: want 1 to 2^32 keys in a dictionary, got %d", t, keys))
	}
	if r.err != nil {
		return c
	}
	inner := t.Elems[0]
	values := readValues(r, inner.NoNull(), int(keys))
	if inner.Kind == column.Nullable && r.err == nil {
		nulls := make([]uint8, keys)
		nulls[0] = 1
		values = &column.Null{T: inner, Nulls: nulls, Inner: values}
	}
	c.Dict = values
	rows := r.u64()
	if r.err == nil && (rows == 0 || rows > uint64(most)) {
		r.fail(errcode.New(errcode.IncorrectData, "%s: want 1 to %d rows in a run, got %d", t, most, rows))
	}
	if r.err != nil {
		return c
	}
	c.Index = readIndexes(r, int(kind&lowCardIndexMask), int(rows))
	for _, k := range c.Index {
		if uint64(k) >= keys {
			r.fail(errcode.New(errcode.IncorrectData, "%s: row refers to key %d of %d", t, k, keys))
			return c
		}
	}
	if r.err != nil {
		return c
	}
	return regular(c, values)
}

// regular gives a dictionary its default value as row 0, which column.LowCard counts on and not every client sends.
func regular(c *column.LowCard, values column.Column) *column.LowCard {
	if c.T.Elems[0].Kind == column.Nullable {
		return c
	}
	zero := values.New(1)
	zero.AppendDefault(1)
	if values.Len() > 0 && values.Compare(0, zero, 0, 1) == 0 {
		return c
	}
	out := column.NewLowCard(c.T, len(c.Index))
	out.AppendRange(c, 0, len(c.Index))
	return out
}

// readIndexes reads n places of 1, 2, 4 or 8 bytes; ones over 32 bits become the greatest, which is no key's place.
func readIndexes(r *input, kind, n int) []uint32 {
	switch kind {
	case 0:
		return widen(readPieces[uint8](nil, n, r))
	case 1:
		return widen(readPieces[uint16](nil, n, r))
	case 2:
		return readPieces[uint32](nil, n, r)
	}
	wide := readPieces[uint64](nil, n, r)
	out := make([]uint32, len(wide))
	for i, v := range wide {
		out[i] = uint32(min(v, math.MaxUint32))
	}
	return out
}

func widen[T uint8 | uint16](v []T) []uint32 {
	out := make([]uint32, len(v))
	for i, x := range v {
		out[i] = uint32(x)
	}
	return out
}
