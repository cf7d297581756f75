package jsonl

import (
	"math"
	"unsafe"

	"dictsvc/column"
)

// op is how a column's values are read.
type op uint8

const (
	opGeneral op = iota
	opSkip
	opString
	opUint64
	opUint32
	opUint16
	opUint8
	opInt64
	opInt32
	opInt16
	opInt8
	opFloat64
	opFloat32
	opOther // fixed width too, but seldom enough for a function of its own (plainOther)
)

// slot is a column being filled. The columns of the plain types are written through pointers into memory that has room for p.most rows;
// their lengths are set (sync) before anything else looks at the column.
type slot struct {
	op    op
	width uint8          // bytes of a value; 0 for strings
	data  unsafe.Pointer // values; a string column's bytes
	nulls unsafe.Pointer // a byte a row, nil where the column cannot hold NULL
	ends  unsafe.Pointer // string columns: end offsets
	used  int            // string columns: bytes used of data
	room  int            // string columns: bytes of data
	str   *column.Str
	// The default where it is plain: bits of the value, or an empty string, or NULL.
	plainDefault, nullDefault bool
	bits                      uint64
	perRow                    int          // string columns: bytes a row of the block before
	t                         *column.Type // opOther: the type, without Nullable
}

func newSlot(c Column) slot {
	t := c.Type
	nullable := t.Kind == column.Nullable
	if nullable {
		t = t.Elems[0]
	}
	s := slot{perRow: 16}
	switch t.Kind {
	case column.String:
		s.op = opString
	case column.UInt64:
		s.op, s.width = opUint64, 8
	case column.UInt32:
		s.op, s.width = opUint32, 4
	case column.UInt16:
		s.op, s.width = opUint16, 2
	case column.UInt8:
		s.op, s.width = opUint8, 1
	case column.Int64:
		s.op, s.width = opInt64, 8
	case column.Int32:
		s.op, s.width = opInt32, 4
	case column.Int16:
		s.op, s.width = opInt16, 2
	case column.Int8:
		s.op, s.width = opInt8, 1
	case column.Float64:
		s.op, s.width = opFloat64, 8
	case column.Float32:
		s.op, s.width = opFloat32, 4
	case column.Bool:
		s.op, s.width, s.t = opOther, 1, t
	case column.Date:
		s.op, s.width, s.t = opOther, 2, t
	case column.DateTime, column.Date32, column.Decimal32:
		s.op, s.width, s.t = opOther, 4, t
	case column.DateTime64, column.Decimal64:
		s.op, s.width, s.t = opOther, 8, t
	default:
		return s
	}
	def := c.Default
	if n, ok := def.(*column.Null); ok {
		if n.Nulls[0] != 0 {
			s.plainDefault, s.nullDefault = true, true
			return s
		}
		def = n.Inner
	}
	switch d := def.(type) {
	case *column.Str:
		s.plainDefault = len(d.At(0)) == 0
	case *column.Num[uint64]:
		s.plainDefault, s.bits = true, d.Data[0]
	case *column.Num[uint32]:
		s.plainDefault, s.bits = true, uint64(d.Data[0])
	case *column.Num[uint16]:
		s.plainDefault, s.bits = true, uint64(d.Data[0])
	case *column.Num[uint8]:
		s.plainDefault, s.bits = true, uint64(d.Data[0])
	case *column.Num[int64]:
		s.plainDefault, s.bits = true, uint64(d.Data[0])
	case *column.Num[int32]:
		s.plainDefault, s.bits = true, uint64(d.Data[0])
	case *column.Num[int16]:
		s.plainDefault, s.bits = true, uint64(d.Data[0])
	case *column.Num[int8]:
		s.plainDefault, s.bits = true, uint64(d.Data[0])
	case *column.Num[float64]:
		s.plainDefault, s.bits = true, math.Float64bits(d.Data[0])
	case *column.Num[float32]:
		s.plainDefault, s.bits = true, uint64(math.Float32bits(d.Data[0]))
	}
	return s
}

// attach makes a slot fill c from row 0 on; c has room for most rows.
func (s *slot) attach(c column.Column, most int) {
	if s.op == opGeneral {
		return
	}
	s.nulls = nil
	if n, ok := c.(*column.Null); ok {
		s.nulls = pointer(n.Nulls)
		c = n.Inner
	}
	switch x := c.(type) {
	case *column.Str:
		s.str, s.ends = x, pointer(x.Ends)
		if want := most*(s.perRow+s.perRow/8+1) + 2*plainMax; cap(x.Data) < want {
			x.Data = make([]byte, 0, want)
		}
		s.hold()
	case *column.Num[uint64]:
		s.data = pointer(x.Data)
	case *column.Num[uint32]:
		s.data = pointer(x.Data)
	case *column.Num[uint16]:
		s.data = pointer(x.Data)
	case *column.Num[uint8]:
		s.data = pointer(x.Data)
	case *column.Num[int64]:
		s.data = pointer(x.Data)
	case *column.Num[int32]:
		s.data = pointer(x.Data)
	case *column.Num[int16]:
		s.data = pointer(x.Data)
	case *column.Num[int8]:
		s.data = pointer(x.Data)
	case *column.Num[float64]:
		s.data = pointer(x.Data)
	case *column.Num[float32]:
		s.data = pointer(x.Data)
	}
}

func pointer[T any](s []T) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(s)) }

// hold takes over a string column's bytes as they are.
func (s *slot) hold() {
	s.data, s.used, s.room = pointer(s.str.Data), len(s.str.Data), cap(s.str.Data)
}

// reserve makes room for n more bytes of a string column.
func (s *slot) reserve(n int) {
	if s.room-s.used >= n {
		return
	}
	d := make([]byte, s.used, s.room+s.room/2+n)
	copy(d, s.str.Data[:s.used])
	s.str.Data = d
	s.hold()
}

// sync sets the lengths of a slot's column to rows.
func (s *slot) sync(c column.Column, rows int) {
	if s.op == opGeneral {
		return
	}
	if n, ok := c.(*column.Null); ok {
		n.Nulls = n.Nulls[:rows]
		c = n.Inner
	}
	if s.op == opString {
		s.str.Data, s.str.Ends = s.str.Data[:s.used], s.str.Ends[:rows]
		return
	}
	c.Truncate(rows) // which sets the length whatever it was, within the capacity
}

// rewind drops a string column's bytes behind row rows.
func (s *slot) rewind(rows int) {
	if s.op == opString {
		s.used = 0
		if rows > 0 {
			s.used = int(*(*uint64)(unsafe.Add(s.ends, 8*(rows-1))))
		}
	}
}

// put writes a value's bits as row row of a column of numbers.
func (s *slot) put(row int, bits uint64) {
	switch s.width {
	case 8:
		*(*uint64)(unsafe.Add(s.data, 8*row)) = bits
	case 4:
		*(*uint32)(unsafe.Add(s.data, 4*row)) = uint32(bits)
	case 2:
		*(*uint16)(unsafe.Add(s.data, 2*row)) = uint16(bits)
	case 1:
		*(*uint8)(unsafe.Add(s.data, row)) = uint8(bits)
	case 0:
		*(*uint64)(unsafe.Add(s.ends, 8*row)) = uint64(s.used)
	}
}

// putNull writes NULL as row row.
func (s *slot) putNull(row int) {
	*(*uint8)(unsafe.Add(s.nulls, row)) = 1
	s.put(row, 0)
}
