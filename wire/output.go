package wire

import (
	"encoding/binary"
	"unsafe"
)

// directWrite is the size from which bytes go past the buffer: copying them would cost more than a system call.
const directWrite = 32 << 10

// output gathers the primitive values of the protocol. drain passes on what was gathered: to the socket, or to the compressor.
// Without a drain everything stays in buf.
type output struct {
	buf   []byte
	drain func(p []byte) error
	limit int // buf is drained when it is longer
	err   error
}

func (w *output) u8(v uint8) { w.buf = append(w.buf, v) }

func (w *output) bool(v bool) {
	if v {
		w.u8(1)
	} else {
		w.u8(0)
	}
}

func (w *output) uvarint(v uint64) { w.buf = binary.AppendUvarint(w.buf, v) }
func (w *output) varint(v int64)   { w.uvarint(uint64(v)<<1 ^ uint64(v>>63)) }
func (w *output) i32(v int32)      { w.buf = binary.LittleEndian.AppendUint32(w.buf, uint32(v)) }
func (w *output) u64(v uint64)     { w.buf = binary.LittleEndian.AppendUint64(w.buf, v) }

func (w *output) str(s string) {
	w.uvarint(uint64(len(s)))
	w.raw(unsafe.Slice(unsafe.StringData(s), len(s)))
}

// raw adds bytes; long ones are not copied where a drain is there to take them.
func (w *output) raw(p []byte) {
	if w.drain != nil && len(p) >= directWrite {
		w.spill()
		if w.err == nil {
			w.err = w.drain(p)
		}
		return
	}
	w.buf = append(w.buf, p...)
	w.room()
}

// room drains the buffer where it has grown over its limit.
func (w *output) room() {
	if w.drain != nil && len(w.buf) > w.limit {
		w.spill()
	}
}

// spill drains the buffer.
func (w *output) spill() {
	if len(w.buf) == 0 || w.drain == nil {
		return
	}
	if w.err == nil {
		w.err = w.drain(w.buf)
	}
	w.buf = w.buf[:0]
}
