package function

import (
	"bytes"
	"encoding/base64"
	le "encoding/binary"
	"hash/crc32"
	"hash/crc64"
	"html"
	"math"
	"math/bits"
	"strings"
	"unicode/utf8"

	"dictsvc/column"
	"dictsvc/errcode"
)

func encodeFunctions() []Function {
	return []Function{
		{Name: "hex", MinArgs: 1, MaxArgs: 1, Bind: bindDigits("hex", 16)},
		{Name: "bin", MinArgs: 1, MaxArgs: 1, Bind: bindDigits("bin", 2)},
		{Name: "unhex", MinArgs: 1, MaxArgs: 1, Bind: bindStr("unhex", unhex)},
		{Name: "unbin", MinArgs: 1, MaxArgs: 1, Bind: bindStr("unbin", unbin)},
		{Name: "base64Encode", MinArgs: 1, MaxArgs: 1, Bind: bindStr("base64Encode", base64.StdEncoding.AppendEncode)},
		{Name: "base64URLEncode", MinArgs: 1, MaxArgs: 1, Bind: bindStr("base64URLEncode", base64.RawURLEncoding.AppendEncode)},
		{Name: "base64Decode", MinArgs: 1, MaxArgs: 1, Bind: bindBase64("base64Decode", base64.StdEncoding, false)},
		{Name: "base64URLDecode", MinArgs: 1, MaxArgs: 1, Bind: bindBase64("base64URLDecode", base64.RawURLEncoding, false)},
		{Name: "tryBase64Decode", MinArgs: 1, MaxArgs: 1, Bind: bindBase64("tryBase64Decode", base64.StdEncoding, true)},
		{Name: "tryBase64URLDecode", MinArgs: 1, MaxArgs: 1, Bind: bindBase64("tryBase64URLDecode", base64.RawURLEncoding, true)},
		{Name: "format", MinArgs: 1, MaxArgs: -1, Bind: bindFormat},
		{Name: "char", MinArgs: 1, MaxArgs: -1, Bind: bindChar},
		{Name: "ascii", MinArgs: 1, MaxArgs: 1, Bind: bindStrNum("ascii", column.Int32, func(s []byte) uint64 {
			if len(s) == 0 {
				return 0
			}
			return uint64(s[0])
		})},
		{Name: "CRC32", MinArgs: 1, MaxArgs: 1, Bind: bindStrNum("CRC32", column.UInt32, func(s []byte) uint64 { return uint64(crc32.ChecksumIEEE(s)) })},
		{Name: "CRC32IEEE", MinArgs: 1, MaxArgs: 1, Bind: bindStrNum("CRC32IEEE", column.UInt32, crc32Plain)},
		{Name: "CRC64", MinArgs: 1, MaxArgs: 1, Bind: bindStrNum("CRC64", column.UInt64, crc64Of)},
		{Name: "isValidUTF8", MinArgs: 1, MaxArgs: 1, Bind: bindStrNum("isValidUTF8", column.UInt8, func(s []byte) uint64 { return uint64(bit(utf8.Valid(s))) })},
		{Name: "isValidASCII", MinArgs: 1, MaxArgs: 1, Bind: bindStrNum("isValidASCII", column.UInt8, func(s []byte) uint64 {
			for _, b := range s {
				if b >= 0x80 {
					return 0
				}
			}
			return 1
		})},
		{Name: "toValidUTF8", MinArgs: 1, MaxArgs: 1, Bind: bindStr("toValidUTF8", validUTF8)},
		{Name: "encodeXMLComponent", MinArgs: 1, MaxArgs: 1, Bind: bindStr("encodeXMLComponent", encodeXML)},
		{Name: "decodeXMLComponent", MinArgs: 1, MaxArgs: 1, Bind: bindStr("decodeXMLComponent", func(dst, s []byte) []byte { return append(dst, html.UnescapeString(string(s))...) })},
		{Name: "decodeHTMLComponent", MinArgs: 1, MaxArgs: 1, Bind: bindStr("decodeHTMLComponent", func(dst, s []byte) []byte { return append(dst, html.UnescapeString(string(s))...) })},
	}
}

// bindStrNum binds a function that gives a number for each string.
func bindStrNum(name string, k column.Kind, f func(s []byte) uint64) func(env *Env, args []Arg) (*Bound, error) {
	return func(_ *Env, args []Arg) (*Bound, error) {
		if !isText(args[0].Type) {
			return nil, illegalType(name, args[0].Type)
		}
		t := column.Of(k)
		return result(t, func(call *Call) (column.Column, error) {
			s := newStrs(call.Args[0])
			out := make([]uint64, call.Rows)
			for i := range out {
				out[i] = f(s.at(i))
			}
			return numCut(t, out), nil
		})
	}
}

const hexDigits = "0123456789ABCDEF"

func appendHex(dst, s []byte) []byte {
	for _, b := range s {
		dst = append(dst, hexDigits[b>>4], hexDigits[b&15])
	}
	return dst
}

func appendBin(dst, s []byte) []byte {
	for _, b := range s {
		for k := 7; k >= 0; k-- {
			dst = append(dst, '0'+b>>k&1)
		}
	}
	return dst
}

// bindDigits is hex() and bin(): strings byte by byte; integers most significant byte first without leading zero bytes; floats and decimals as they lie in memory.
func bindDigits(name string, base int) func(env *Env, args []Arg) (*Bound, error) {
	write := appendHex
	if base == 2 {
		write = appendBin
	}
	return func(env *Env, args []Arg) (*Bound, error) {
		t := args[0].Type
		switch {
		case t.Kind == column.AggregateFunction: // the bytes of the state
			return result(column.Of(column.String), func(call *Call) (column.Column, error) {
				return mapStrs(column.Retype(call.full(call.Args[0]), column.Of(column.String)), call.Rows, write), nil
			})
		case isText(t):
			return bindStr(name, write)(env, args)
		case t.FixedWidth() == 0 || t.Kind == column.Date32:
			return nil, illegalType(name, t)
		case t.Kind == column.DateTime64:
			return nil, errcode.New(errcode.IllegalColumn, "Illegal column DateTime64 of argument of function %s", name)
		}
		asIs := t.IsFloat() || t.IsDecimal()
		return result(column.Of(column.String), func(call *Call) (column.Column, error) {
			raw := rawBytes(call.full(call.Args[0]))
			w := t.FixedWidth()
			out := newStr(call.Rows)
			buf := make([]byte, w)
			for i := 0; i < call.Rows; i++ {
				v := raw[i*w : (i+1)*w]
				if asIs {
					out.Data = write(out.Data, v)
					out.EndRow()
					continue
				}
				for k := range v {
					buf[w-1-k] = v[k]
				}
				b := buf
				switch t.Kind {
				case column.UUID:
					b = append(append([]byte{}, reversed(v[:8])...), reversed(v[8:])...)
				case column.IPv6:
					b = v
				default:
					for len(b) > 1 && b[0] == 0 {
						b = b[1:]
					}
				}
				out.Data = write(out.Data, b)
				out.EndRow()
			}
			return out, nil
		})
	}
}

func reversed(b []byte) []byte {
	out := make([]byte, len(b))
	for i := range b {
		out[len(b)-1-i] = b[i]
	}
	return out
}

// rawBytes is the memory of a column of fixed-width values.
func rawBytes(c column.Column) []byte {
	switch x := c.(type) {
	case *column.Num[uint8]:
		return column.Raw(x.Data)
	case *column.Num[uint16]:
		return column.Raw(x.Data)
	case *column.Num[uint32]:
		return column.Raw(x.Data)
	case *column.Num[uint64]:
		return column.Raw(x.Data)
	case *column.Num[int8]:
		return column.Raw(x.Data)
	case *column.Num[int16]:
		return column.Raw(x.Data)
	case *column.Num[int32]:
		return column.Raw(x.Data)
	case *column.Num[int64]:
		return column.Raw(x.Data)
	case *column.Num[float32]:
		return column.Raw(x.Data)
	case *column.Num[float64]:
		return column.Raw(x.Data)
	case *column.Wide[column.U128]:
		return column.Raw(x.Data)
	case *column.Wide[column.I128]:
		return column.Raw(x.Data)
	case *column.Wide[column.U256]:
		return column.Raw(x.Data)
	case *column.Wide[column.I256]:
		return column.Raw(x.Data)
	case *column.Wide[column.UUIDValue]:
		return column.Raw(x.Data)
	case *column.Wide[column.IPv6Value]:
		return column.Raw(x.Data)
	case *column.FixedStr:
		return x.Data
	}
	return nil
}

func hexValue(b byte) byte {
	switch {
	case b >= '0' && b <= '9':
		return b - '0'
	case b >= 'a' && b <= 'f':
		return b - 'a' + 10
	case b >= 'A' && b <= 'F':
		return b - 'A' + 10
	}
	return 0xFF // as ClickHouse's table has it for what is no digit
}

func unhex(dst, s []byte) []byte {
	if len(s)%2 != 0 {
		dst = append(dst, hexValue(s[0]))
		s = s[1:]
	}
	for ; len(s) > 0; s = s[2:] {
		dst = append(dst, hexValue(s[0])<<4|hexValue(s[1]))
	}
	return dst
}

func unbin(dst, s []byte) []byte {
	for len(s) > 0 {
		n := len(s) % 8
		if n == 0 {
			n = 8
		}
		b := byte(0)
		for _, c := range s[:n] {
			b = b<<1 | c&1
		}
		dst = append(dst, b)
		s = s[n:]
	}
	return dst
}

func bindBase64(name string, enc *base64.Encoding, try bool) func(env *Env, args []Arg) (*Bound, error) {
	return func(_ *Env, args []Arg) (*Bound, error) {
		if !isText(args[0].Type) {
			return nil, illegalType(name, args[0].Type)
		}
		return result(column.Of(column.String), func(call *Call) (column.Column, error) {
			s := newStrs(call.Args[0])
			out := newStr(call.Rows)
			for i := 0; i < call.Rows; i++ {
				n := len(out.Data)
				data, err := enc.AppendDecode(out.Data, withoutBlanks(s.at(i)))
				if err != nil {
					if !try {
						return nil, errcode.New(errcode.IncorrectData, "Invalid %s value (%s), cannot be decoded", name, clipText(s.at(i)))
					}
					data = data[:n]
				}
				out.Data = data
				out.EndRow()
			}
			return out, nil
		})
	}
}

// withoutBlanks takes white space out of base64, where it means nothing.
func withoutBlanks(b []byte) []byte {
	if !bytes.ContainsAny(b, " \t\n\f\r") {
		return b
	}
	return bytes.Map(func(r rune) rune {
		if strings.ContainsRune(" \t\n\f\r", r) {
			return -1
		}
		return r
	}, b)
}

// clipText shortens a value for a message.
func clipText(b []byte) string {
	if len(b) > 200 {
		return string(b[:200]) + "..."
	}
	return string(b)
}

// bindFormat is format('{} {1}', ...).
func bindFormat(_ *Env, args []Arg) (*Bound, error) {
	if len(args) < 2 {
		return nil, errcode.New(errcode.NumberOfArgumentsDoesntMatch, "Number of arguments for function format doesn't match: passed %d, should be at least 2", len(args))
	}
	pattern, ok := constStr(args[0])
	if !ok {
		return nil, errcode.New(errcode.IllegalColumn, "Illegal type %s of argument of function format, pattern must be a constant String", args[0].Type)
	}
	texts, which, err := parseFormat(pattern, len(args)-1)
	if err != nil {
		return nil, err
	}
	casts, err := textArgs(args[1:])
	if err != nil {
		return nil, err
	}
	return result(column.Of(column.String), func(call *Call) (column.Column, error) {
		cols, err := castAll(casts, call.Args[1:], call.Rows)
		if err != nil {
			return nil, err
		}
		parts := make([]strs, len(cols))
		for i, c := range cols {
			parts[i] = newStrs(c)
		}
		out := newStr(call.Rows)
		for i := 0; i < call.Rows; i++ {
			for k, t := range texts {
				out.Data = append(out.Data, t...)
				if k < len(which) {
					out.Data = append(out.Data, parts[which[k]].at(i)...)
					call.Grown(len(out.Data))
					if len(out.Data) > maxStringBytes {
						return nil, tooLarge("format")
					}
				}
			}
			out.EndRow()
			if len(out.Data) > maxStringBytes {
				return nil, tooLarge("format")
			}
		}
		return out, nil
	})
}

// parseFormat takes a format string apart: texts[k] stands before the argument which[k]; the last text is the rest.
func parseFormat(p string, n int) (texts []string, which []int, err error) {
	bad := func(text string, a ...any) ([]string, []int, error) {
		return nil, nil, errcode.New(errcode.BadArguments, text, a...)
	}
	var lit []byte
	auto, manual := 0, false
	for i := 0; i < len(p); i++ {
		switch c := p[i]; {
		case c == '{' && i+1 < len(p) && p[i+1] == '{', c == '}' && i+1 < len(p) && p[i+1] == '}':
			lit = append(lit, c)
			i++
		case c == '}':
			return bad("Closed curly brace without open one")
		case c != '{':
			lit = append(lit, c)
		default:
			j := i + 1
			num := 0
			for j < len(p) && p[j] >= '0' && p[j] <= '9' {
				if num = num*10 + int(p[j]-'0'); num > n {
					num = n
				}
				j++
			}
			if j >= len(p) {
				return bad("Last open curly brace is not closed")
			}
			if p[j] != '}' {
				return bad("Not a number in curly braces at index %d", j)
			}
			if j == i+1 {
				if manual {
					return bad("Cannot switch from automatic field numbering to manual field specification")
				}
				num = auto
				auto++
			} else {
				if auto > 0 {
					return bad("Cannot switch from automatic field numbering to manual field specification")
				}
				manual = true
			}
			if num >= n {
				if manual {
					return bad("Too big number for arguments, must be at most %d", n-1)
				}
				return bad("Argument is too big for formatting")
			}
			texts, which = append(texts, string(lit)), append(which, num)
			lit = nil
			i = j
		}
	}
	return append(texts, string(lit)), which, nil
}

func bindChar(_ *Env, args []Arg) (*Bound, error) {
	for _, a := range args {
		c, ok := classOf(a.Type)
		if ok && c.size > 8 {
			return nil, errcode.New(errcode.IllegalColumn, "Illegal column %s of first argument of function char", a.Type)
		}
		if !ok {
			return nil, errcode.New(errcode.IllegalTypeOfArgument, "Illegal type %s of argument of function char, must be Int, UInt or Float number", a.Type)
		}
	}
	return result(column.Of(column.String), func(call *Call) (column.Column, error) {
		out := newStr(call.Rows)
		parts := make([][]int64, len(call.Args))
		cst := make([]bool, len(call.Args))
		for k, a := range call.Args {
			parts[k], cst[k] = nums[int64](a)
		}
		for i := 0; i < call.Rows; i++ {
			for k := range parts {
				out.Data = append(out.Data, byte(at(parts[k], cst[k], i)))
			}
			out.EndRow()
		}
		return out, nil
	})
}

// crc32Plain is the checksum without the inversion of the start and end value, as CRC32IEEE has it.
func crc32Plain(s []byte) uint64 {
	return uint64(^crc32.Update(math.MaxUint32, crc32.IEEETable, s))
}

func crc64Of(s []byte) uint64 {
	return ^crc64.Update(math.MaxUint64, crc64.MakeTable(crc64.ECMA), s)
}

// validUTF8 writes U+FFFD for each run of bytes that is no UTF-8.
func validUTF8(dst, s []byte) []byte {
	bad := false
	for len(s) > 0 {
		r, n := utf8.DecodeRune(s)
		if r == utf8.RuneError && n <= 1 {
			if !bad {
				dst = append(dst, "�"...)
			}
			bad = true
			s = s[1:]
			continue
		}
		bad = false
		dst = append(dst, s[:n]...)
		s = s[n:]
	}
	return dst
}

func encodeXML(dst, s []byte) []byte {
	for _, b := range s {
		switch b {
		case '<':
			dst = append(dst, "&lt;"...)
		case '>':
			dst = append(dst, "&gt;"...)
		case '&':
			dst = append(dst, "&amp;"...)
		case '"':
			dst = append(dst, "&quot;"...)
		case '\'':
			dst = append(dst, "&apos;"...)
		default:
			dst = append(dst, b)
		}
	}
	return dst
}

// le64 and le32 read little-endian words.
func le64(b []byte) uint64 { return le.LittleEndian.Uint64(b) }
func le32(b []byte) uint32 { return le.LittleEndian.Uint32(b) }

func rotl64(v uint64, n int) uint64 { return bits.RotateLeft64(v, n) }
