package column

import "dictsvc/errcode"

// ReadField appends to dst the value at the head of b, as ClickHouse's row formats read it, and returns how many bytes it took; what
// follows is the caller's to judge. In TextTSV and TextRaw strings take all of b, in TextQuoted they end with their quote. Integers may
// have no digits (they are 0) and wrap round. dst is unchanged on an error.
func ReadField(dst Column, b []byte, style TextStyle) (n int, err error) {
	rows := dst.Len()
	p := valueParser{b: b, style: style, mode: scanLenient}
	if e := p.top(dst); e != nil {
		dst.Truncate(rows)
		msg := e.msg
		if msg == "" {
			msg = "Cannot parse " + dst.Type().String()
		}
		return 0, errcode.New(e.code, "%s", msg)
	}
	return p.i, nil
}
