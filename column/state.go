package column

import (
	"encoding/binary"
	"math"
	"sync/atomic"

	"dictsvc/errcode"
)

// A column of type AggregateFunction is a *Str whose rows are states in ClickHouse's bytes. Where one state ends only its function
// knows, and so does what the state of no rows is: package agg answers both through the type's States.

// StateCodec knows the bytes of one aggregate function's states.
type StateCodec interface {
	// AppendEmpty appends the state of no rows.
	AppendEmpty(buf []byte) []byte
	// Read takes n states off r and appends the position behind each to ends. It checks them as it goes.
	Read(r *StateReader, n int, ends []uint64) ([]uint64, error)
}

// StateResolver completes the type AggregateFunction(...) or SimpleAggregateFunction(...) that was read from a name: it checks that the function
// takes these arguments, and gives the type its States.
type StateResolver func(*Type) (*Type, error)

var resolver atomic.Pointer[StateResolver]

// RegisterStates sets the resolver of types of states, once, as package agg is linked in; without it such types have no columns.
func RegisterStates(f StateResolver) { resolver.Store(&f) }

// StateReader reads the primitive values of states, from bytes or from a stream. The first error stays: after it every read gives zeros,
// so that a decoder checks before it loops or allocates, and at its end.
type StateReader struct {
	buf  []byte
	pos  int
	more func(p []byte) error // fills p from the stream; nil for bytes
	err  error
}

// NewStateReader reads from b.
func NewStateReader(b []byte) *StateReader { return &StateReader{buf: b} }

// NewStateStream reads from a stream by calling fill for just the bytes that are needed, and keeps what it has read.
func NewStateStream(fill func(p []byte) error) *StateReader { return &StateReader{more: fill} }

// Reset reads from b next.
func (r *StateReader) Reset(b []byte) { *r = StateReader{buf: b} }

// Err is the first error.
func (r *StateReader) Err() error { return r.err }

// Fail records an error of the decoder's own.
func (r *StateReader) Fail(err error) error {
	if r.err == nil {
		r.err = err
	}
	return r.err
}

// Corrupt records that the bytes are no state.
func (r *StateReader) Corrupt(format string, args ...any) error {
	return r.Fail(errcode.New(errcode.IncorrectData, format, args...))
}

// Pos is how many bytes have been read.
func (r *StateReader) Pos() int { return r.pos }

// Len is the number of bytes that are there and not read; of a stream that is 0.
func (r *StateReader) Len() int { return len(r.buf) - r.pos }

// taken are the bytes read so far.
func (r *StateReader) taken() []byte { return r.buf[:r.pos:r.pos] }

// statePiece bounds what is allocated for bytes that were announced and have not arrived.
const statePiece = 64 << 10

// Bytes returns the next n bytes; they are shared with the reader and hold until its next call.
func (r *StateReader) Bytes(n int) []byte {
	if r.err != nil || n == 0 {
		return nil
	}
	if n < 0 {
		r.Corrupt("A state cannot have %d bytes", n)
		return nil
	}
	if have := len(r.buf) - r.pos; have < n {
		if r.more == nil {
			r.Fail(errcode.New(errcode.CannotReadAllData, "Cannot read all data. Bytes read: %d. Bytes expected: %d.", have, n))
			return nil
		}
		for have < n {
			k := min(n-have, statePiece)
			at := len(r.buf)
			r.buf = append(r.buf, make([]byte, k)...)
			if err := r.more(r.buf[at:]); err != nil {
				r.buf = r.buf[:at]
				r.Fail(err)
				return nil
			}
			have += k
		}
	}
	b := r.buf[r.pos : r.pos+n : r.pos+n]
	r.pos += n
	return b
}

// U8 reads a byte.
func (r *StateReader) U8() uint8 {
	if b := r.Bytes(1); b != nil {
		return b[0]
	}
	return 0
}

// Bool reads a byte that is 0 or 1.
func (r *StateReader) Bool() bool {
	b := r.U8()
	if b > 1 {
		r.Corrupt("A flag of a state must be 0 or 1, got %d", b)
	}
	return b == 1
}

// U16 reads two bytes, low first, as all fixed-width values.
func (r *StateReader) U16() uint16 {
	if b := r.Bytes(2); b != nil {
		return binary.LittleEndian.Uint16(b)
	}
	return 0
}

// U32 reads four bytes.
func (r *StateReader) U32() uint32 {
	if b := r.Bytes(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

// U64 reads eight bytes.
func (r *StateReader) U64() uint64 {
	if b := r.Bytes(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

// F64 reads a double.
func (r *StateReader) F64() float64 { return math.Float64frombits(r.U64()) }

// F32 reads a float.
func (r *StateReader) F32() float32 { return math.Float32frombits(r.U32()) }

// Uvarint reads a VarUInt.
func (r *StateReader) Uvarint() uint64 {
	var v uint64
	for shift := uint(0); ; shift += 7 {
		b := r.U8()
		if r.err != nil {
			return 0
		}
		if shift == 63 && b > 1 {
			r.Corrupt("VarUInt is longer than 64 bits")
			return 0
		}
		v |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return v
		}
	}
}

// Count reads a VarUInt that counts elements of at least width bytes each and refuses more than most. The caller may allocate for what Bytes
// has brought only: from a stream an announced count proves nothing.
func (r *StateReader) Count(most uint64, width int) int {
	n := r.Uvarint()
	switch {
	case r.err != nil:
		return 0
	case n > most:
		r.Fail(errcode.New(errcode.TooLargeArraySize, "A state announces %d elements, which is too many", n))
		return 0
	case r.more == nil && width > 0 && n > uint64(r.Len()/width):
		r.Fail(errcode.New(errcode.CannotReadAllData, "Cannot read all data. Bytes read: %d. A state announces %d elements", r.Len(), n))
		return 0
	}
	return int(n)
}

// String reads a VarUInt length and that many bytes; they are shared with the reader.
func (r *StateReader) String() []byte {
	return r.Bytes(r.Count(1<<30, 1))
}

// AppendNative appends row i of c in the form of RowBinary and of the values inside states: fixed-width values raw, strings with a
// VarUInt length, NULL as a byte 1, arrays with a VarUInt count.
func AppendNative(buf []byte, c Column, i int) []byte {
	switch x := c.(type) {
	case *Const:
		return AppendNative(buf, x.Val, 0)
	case *LowCard:
		return AppendNative(buf, x.Dict, int(x.Index[i]))
	case *Null:
		if x.Nulls[i] != 0 {
			return append(buf, 1)
		}
		return AppendNative(append(buf, 0), x.Inner, i)
	case *Str:
		b := x.At(i)
		if x.T.Kind != AggregateFunction {
			buf = binary.AppendUvarint(buf, uint64(len(b)))
		}
		return append(buf, b...)
	case *Arr:
		from, to := x.Range(i)
		buf = binary.AppendUvarint(buf, uint64(to-from))
		for ; from < to; from++ {
			buf = AppendNative(buf, x.Elem, from)
		}
		return buf
	case *MapColumn:
		return AppendNative(buf, x.Arr, i)
	case *Tup:
		for _, e := range x.Elems {
			buf = AppendNative(buf, e, i)
		}
		return buf
	case *NothingColumn:
		return append(buf, '0')
	}
	return c.(rawColumn).appendRaw(buf, i)
}

// AppendHashed appends row i of c as ClickHouse's hashes of several values (uniq(a, b)) see it: fixed-width values raw, the length of strings (with a zero
// byte at their end) and arrays in eight bytes before what they hold, a byte for NULL before a Nullable's value.
func AppendHashed(buf []byte, c Column, i int) []byte {
	switch x := c.(type) {
	case *Const:
		return AppendHashed(buf, x.Val, 0)
	case *LowCard:
		return AppendHashed(buf, x.Dict, int(x.Index[i]))
	case *Null:
		if x.Nulls[i] != 0 {
			return append(buf, 1)
		}
		return AppendHashed(append(buf, 0), x.Inner, i)
	case *Str:
		b := x.At(i)
		return append(append(binary.LittleEndian.AppendUint64(buf, uint64(len(b))+1), b...), 0)
	case *Arr:
		from, to := x.Range(i)
		buf = binary.LittleEndian.AppendUint64(buf, uint64(to-from))
		for ; from < to; from++ {
			buf = AppendHashed(buf, x.Elem, from)
		}
		return buf
	case *MapColumn:
		return AppendHashed(buf, x.Arr, i)
	case *Tup:
		for _, e := range x.Elems {
			buf = AppendHashed(buf, e, i)
		}
		return buf
	case *NothingColumn:
		return buf
	}
	return c.(rawColumn).appendRaw(buf, i)
}

// rawColumn is a column of fixed-width values.
type rawColumn interface {
	appendRaw(buf []byte, i int) []byte
}

func (c *Num[T]) appendRaw(buf []byte, i int) []byte   { return append(buf, Raw(c.Data[i:i+1])...) }
func (c *Wide[T]) appendRaw(buf []byte, i int) []byte  { return append(buf, Raw(c.Data[i:i+1])...) }
func (c *FixedStr) appendRaw(buf []byte, i int) []byte { return append(buf, c.At(i)...) }

// ReadNative appends to dst the value that AppendNative has written.
func ReadNative(dst Column, r *StateReader) error { return readNative(dst, r, 0) }

func readNative(dst Column, r *StateReader, depth int) error {
	if depth > maxTypeDepth {
		return r.Corrupt("Values are nested too deeply")
	}
	switch x := dst.(type) {
	case *LowCard:
		one := New(x.T.Elems[0], 1)
		if err := readNative(one, r, depth+1); err != nil {
			return err
		}
		x.AppendRange(one, 0, 1)
	case *Null:
		null := r.Bool()
		if r.err != nil {
			return r.err
		}
		if null {
			x.AppendDefault(1)
			return nil
		}
		if err := readNative(x.Inner, r, depth+1); err != nil {
			return err
		}
		x.Nulls = append(x.Nulls, 0)
	case *Str:
		if x.T.Kind == AggregateFunction {
			return readNativeState(x, r)
		}
		b := r.String()
		if r.err != nil {
			return r.err
		}
		x.Append(b)
	case *Arr:
		n := r.Count(1<<30, 0)
		was := x.Elem.Len()
		for ; n > 0 && r.err == nil; n-- {
			if err := readNative(x.Elem, r, depth+1); err != nil {
				x.Elem.Truncate(was)
				return err
			}
		}
		if r.err != nil {
			return r.err
		}
		x.EndRow()
	case *MapColumn:
		return readNative(x.Arr, r, depth+1)
	case *Tup:
		was := x.Len()
		for _, e := range x.Elems {
			if err := readNative(e, r, depth+1); err != nil {
				for _, done := range x.Elems {
					if done.Len() > was {
						done.Truncate(was)
					}
				}
				return err
			}
		}
		x.N++
	case *NothingColumn:
		r.U8()
		if r.err == nil {
			x.N++
		}
	case rawReader:
		x.readRaw(r)
	}
	return r.err
}

func readNativeState(x *Str, r *StateReader) error {
	if x.T.States == nil {
		return r.Fail(errcode.New(errcode.NotImplemented, "Columns of type %s cannot be read", x.T))
	}
	from := r.Pos()
	if _, err := x.T.States.Read(r, 1, nil); err != nil {
		return err
	}
	x.Append(r.buf[from:r.pos])
	return nil
}

type rawReader interface{ readRaw(r *StateReader) }

func (c *Num[T]) readRaw(r *StateReader)  { c.Data = readRawValue(c.Data, r) }
func (c *Wide[T]) readRaw(r *StateReader) { c.Data = readRawValue(c.Data, r) }
func (c *FixedStr) readRaw(r *StateReader) {
	if b := r.Bytes(c.T.Width); r.err == nil {
		c.Data = append(c.Data, b...)
	}
}

func readRawValue[T any](data []T, r *StateReader) []T {
	var v [1]T
	raw := Raw(v[:])
	if b := r.Bytes(len(raw)); r.err == nil {
		copy(raw, b)
		return append(data, v[0])
	}
	return data
}

// ReadStates reads n states of type t off a stream; fill is asked for just the bytes that are needed.
func ReadStates(t *Type, n int, fill func(p []byte) error) (*Str, error) {
	if t.States == nil {
		return nil, errcode.New(errcode.NotImplemented, "Columns of type %s cannot be received", t)
	}
	r := NewStateStream(fill)
	ends, err := t.States.Read(r, n, nil)
	if err != nil {
		return nil, err
	}
	return &Str{T: t, Data: r.taken(), Ends: ends}, nil
}

// ParseState checks that b is one whole state of type t.
func ParseState(t *Type, b []byte) error {
	if t.States == nil {
		return errcode.New(errcode.NotImplemented, "Values of type %s cannot be read", t)
	}
	r := NewStateReader(b)
	if _, err := t.States.Read(r, 1, nil); err != nil {
		return err
	}
	if r.Len() > 0 {
		return errcode.New(errcode.BadArguments, "AggregateFunction state for `%s` has %d trailing byte(s) after deserialization", t.Func, r.Len())
	}
	return nil
}
