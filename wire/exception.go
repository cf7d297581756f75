package wire

import (
	"strings"

	"dictsvc/errcode"
)

// exceptionPrefix begins the texts of exceptions; clients add or take it off as they need.
const exceptionPrefix = "DB::Exception: "

// maxNestedExceptions bounds the chain of causes that a server may send.
const maxNestedExceptions = 16

// encodeException writes the packet that ends a query with an error.
func encodeException(w *output, err error) {
	w.uvarint(serverException)
	w.i32(int32(errcode.Of(err)))
	w.str("DB::Exception")
	w.str(exceptionPrefix + err.Error())
	w.str("") // stack trace
	w.bool(false)
}

// decodeException reads the packet after its id: the outermost exception with its code, and the texts of its causes.
func decodeException(r *input, l *Limits) error {
	var out *errcode.Error
	for depth := 0; ; depth++ {
		code := r.i32()
		r.str("Exception name", l.MaxString)
		text := r.str("Exception text", 64*l.MaxString)
		r.str("Stack trace", 64*l.MaxString)
		nested := r.u8()
		if r.err != nil {
			return r.err
		}
		text = strings.TrimPrefix(text, exceptionPrefix)
		if out == nil {
			out = errcode.New(errcode.Code(code), "%s", text)
		} else {
			out.Msg += "; caused by: " + text
		}
		if nested == 0 {
			return out
		}
		if depth == maxNestedExceptions {
			r.fail(errcode.New(errcode.IncorrectData, "Exception with more than %d causes", maxNestedExceptions))
			return r.err
		}
	}
}
