package function

import (
	le "encoding/binary"
	"slices"
	"unicode"
	"unicode/utf8"

	"dictsvc/column"
	"dictsvc/errcode"
)

func stringFunctions() []Function {
	return []Function{
		{Name: "length", MinArgs: 1, MaxArgs: 1, Bind: bindLength("length")},
		{Name: "lengthUTF8", MinArgs: 1, MaxArgs: 1, Bind: bindLengthUTF8},
		{Name: "empty", MinArgs: 1, MaxArgs: 1, Bind: bindEmpty("empty", 0)},
		{Name: "notEmpty", MinArgs: 1, MaxArgs: 1, Bind: bindEmpty("notEmpty", 1)},
		{Name: "lower", MinArgs: 1, MaxArgs: 1, Bind: bindASCIICase("lower", 'A', 'Z')},
		{Name: "upper", MinArgs: 1, MaxArgs: 1, Bind: bindASCIICase("upper", 'a', 'z')},
		{Name: "lowerUTF8", MinArgs: 1, MaxArgs: 1, Bind: bindStr("lowerUTF8", mapRunes(unicode.ToLower))},
		{Name: "upperUTF8", MinArgs: 1, MaxArgs: 1, Bind: bindStr("upperUTF8", mapRunes(unicode.ToUpper))},
		{Name: "initcap", MinArgs: 1, MaxArgs: 1, Bind: keepFixed(bindStr("initcap", initcap))},
		{Name: "initcapUTF8", MinArgs: 1, MaxArgs: 1, Bind: bindStr("initcapUTF8", initcapUTF8)},
		{Name: "reverse", MinArgs: 1, MaxArgs: 1, Bind: bindReverse},
		{Name: "reverseUTF8", MinArgs: 1, MaxArgs: 1, Bind: bindStr("reverseUTF8", reverseRunes)},
		{Name: "trimBoth", MinArgs: 1, MaxArgs: 2, Bind: bindTrim("trimBoth", true, true)},
		{Name: "trimLeft", MinArgs: 1, MaxArgs: 2, Bind: bindTrim("trimLeft", true, false)},
		{Name: "trimRight", MinArgs: 1, MaxArgs: 2, Bind: bindTrim("trimRight", false, true)},
		{Name: "repeat", MinArgs: 2, MaxArgs: 2, Bind: bindRepeat},
		{Name: "space", MinArgs: 1, MaxArgs: 1, Flags: OwnConst, Bind: bindSpace},
		{Name: "leftPad", MinArgs: 2, MaxArgs: 3, Flags: OwnConst, Bind: bindPad("leftPad", true, false)},
		{Name: "rightPad", MinArgs: 2, MaxArgs: 3, Flags: OwnConst, Bind: bindPad("rightPad", false, false)},
		{Name: "leftPadUTF8", MinArgs: 2, MaxArgs: 3, Flags: OwnConst, Bind: bindPad("leftPadUTF8", true, true)},
		{Name: "rightPadUTF8", MinArgs: 2, MaxArgs: 3, Flags: OwnConst, Bind: bindPad("rightPadUTF8", false, true)},
		{Name: "toStringCutToZero", MinArgs: 1, MaxArgs: 1, Bind: bindStr("toStringCutToZero", func(dst, s []byte) []byte {
			for i, b := range s {
				if b == 0 {
					return append(dst, s[:i]...)
				}
			}
			return append(dst, s...)
		})},
		{Name: "firstLine", MinArgs: 1, MaxArgs: 1, Bind: bindStr("firstLine", func(dst, s []byte) []byte {
			for i, b := range s {
				if b == '\n' || b == '\r' && i+1 < len(s) && s[i+1] == '\n' {
					return append(dst, s[:i]...)
				}
			}
			return append(dst, s...)
		})},
		{Name: "appendTrailingCharIfAbsent", MinArgs: 2, MaxArgs: 2, Bind: bindAppendTrailing},
	}
}

// isText tells whether a string function takes the type.
func isText(t *column.Type) bool { return t.IsString() }

// bindStr binds a function that writes a string for each string.
func bindStr(name string, f func(dst, s []byte) []byte) func(env *Env, args []Arg) (*Bound, error) {
	return func(_ *Env, args []Arg) (*Bound, error) {
		if !isText(args[0].Type) {
			return nil, illegalType(name, args[0].Type)
		}
		return result(column.Of(column.String), func(call *Call) (column.Column, error) {
			return mapStrs(call.Args[0], call.Rows, f), nil
		})
	}
}

// keepFixed gives a function that leaves the length of strings as it is FixedString for FixedString.
func keepFixed(bind func(env *Env, args []Arg) (*Bound, error)) func(env *Env, args []Arg) (*Bound, error) {
	return func(env *Env, args []Arg) (*Bound, error) {
		b, err := bind(env, args)
		t := args[0].Type
		if err != nil || t.Kind != column.FixedString {
			return b, err
		}
		return result(t, func(call *Call) (column.Column, error) {
			c, err := b.Exec(call)
			if err != nil {
				return nil, err
			}
			return &column.FixedStr{T: t, Data: column.Full(c).(*column.Str).Data}, nil
		})
	}
}

func mapStrs(c column.Column, rows int, f func(dst, s []byte) []byte) column.Column {
	s := newStrs(c)
	out := newStr(rows)
	out.Data = make([]byte, 0, s.total())
	for i := 0; i < rows; i++ {
		out.Data = f(out.Data, s.at(i))
		out.EndRow()
	}
	return out
}

func bindLength(name string) func(env *Env, args []Arg) (*Bound, error) {
	return func(_ *Env, args []Arg) (*Bound, error) {
		t := column.Of(column.UInt64)
		switch a := args[0].Type; a.Kind {
		case column.FixedString:
			w := uint64(a.Width)
			return result(t, func(call *Call) (column.Column, error) { return column.NewConst(column.UInt64s(w), call.Rows), nil })
		case column.String:
			return unaryIn(t, func(m *column.Scratch, c column.Column) column.Column {
				s := c.(*column.Str)
				return column.NewNum(t, spans(m, s.Ends, s.Start))
			})
		case column.Array, column.Map:
			return unaryIn(t, func(m *column.Scratch, c column.Column) column.Column {
				a := newArrs(c)
				return column.NewNum(t, spans(m, a.col.Ends, a.col.Start))
			})
		}
		return nil, illegalType(name, args[0].Type)
	}
}

// spans are the lengths between end offsets.
func spans(m *column.Scratch, ends []uint64, start uint64) []uint64 {
	out := column.Make[uint64](m, len(ends))
	for i, e := range ends {
		out[i] = e - start
		start = e
	}
	return out
}

func bindLengthUTF8(_ *Env, args []Arg) (*Bound, error) {
	if !isText(args[0].Type) {
		return nil, illegalType("lengthUTF8", args[0].Type)
	}
	t := column.Of(column.UInt64)
	return result(t, func(call *Call) (column.Column, error) {
		s := newStrs(call.Args[0])
		out := make([]uint64, call.Rows)
		for i := range out {
			out[i] = uint64(countRunes(s.at(i)))
		}
		return column.NewNum(t, out), nil
	})
}

// countRunes counts the bytes that do not continue a character.
func countRunes(s []byte) int {
	n := 0
	for _, b := range s {
		if b&0xC0 != 0x80 {
			n++
		}
	}
	return n
}

func bindEmpty(name string, flip uint8) func(env *Env, args []Arg) (*Bound, error) {
	return func(_ *Env, args []Arg) (*Bound, error) {
		a := args[0].Type
		switch a.Kind {
		case column.String:
			return unary(uint8Type, func(c column.Column) column.Column {
				s := c.(*column.Str)
				out := make([]uint8, len(s.Ends))
				prev := s.Start
				for i, e := range s.Ends {
					out[i] = bit(e == prev) ^ flip
					prev = e
				}
				return column.NewNum(uint8Type, out)
			})
		case column.Array, column.Map:
			return unary(uint8Type, func(c column.Column) column.Column {
				a := newArrs(c)
				return bools(spans(nil, a.col.Ends, a.col.Start), func(n uint64) bool { return (n == 0) != (flip == 1) })
			})
		case column.FixedString, column.UUID, column.IPv6, column.IPv4:
			return unary(uint8Type, func(c column.Column) column.Column {
				zero := c.New(1)
				zero.AppendDefault(1)
				out := make([]uint8, c.Len())
				for i := range out {
					out[i] = bit(c.Compare(i, zero, 0, 1) == 0) ^ flip
				}
				return column.NewNum(uint8Type, out)
			})
		}
		return nil, illegalType(name, a)
	}
}

func bindASCIICase(name string, lo, hi byte) func(env *Env, args []Arg) (*Bound, error) {
	return func(_ *Env, args []Arg) (*Bound, error) {
		t := args[0].Type
		if !isText(t) {
			return nil, illegalType(name, t)
		}
		return unary(t, func(c column.Column) column.Column {
			switch x := c.(type) {
			case *column.FixedStr:
				return &column.FixedStr{T: t, Data: flipCase(x.Data, lo, hi)}
			case *column.Str:
				if len(x.Ends) == 0 {
					return x
				}
				last := x.Ends[len(x.Ends)-1]
				ends := make([]uint64, len(x.Ends))
				for i, e := range x.Ends {
					ends[i] = e - x.Start
				}
				return &column.Str{T: t, Data: flipCase(x.Data[x.Start:last], lo, hi), Ends: ends}
			}
			return c
		})
	}
}

// flipCase turns the case of the letters from lo to hi, eight bytes at a time: per byte, b+(128-lo) and b+(127-hi) differ in the top bit just for those letters.
func flipCase(data []byte, lo, hi byte) []byte {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	out := make([]byte, len(data))
	from, past := ones*uint64(0x80-lo), ones*uint64(0x7F-hi)
	n := len(data) &^ 7
	for i := 0; i < n; i += 8 {
		v := le.LittleEndian.Uint64(data[i:])
		ascii := v &^ high
		letters := (ascii + from) &^ (ascii + past) &^ v & high
		le.LittleEndian.PutUint64(out[i:], v^letters>>2)
	}
	for i := n; i < len(data); i++ {
		b := data[i]
		if b >= lo && b <= hi {
			b ^= 0x20
		}
		out[i] = b
	}
	return out
}

// mapRunes maps the characters of valid UTF-8; other bytes stay.
func mapRunes(f func(rune) rune) func(dst, s []byte) []byte {
	return func(dst, s []byte) []byte {
		for len(s) > 0 {
			r, n := utf8.DecodeRune(s)
			if r == utf8.RuneError && n <= 1 {
				dst = append(dst, s[0])
				n = 1
			} else {
				dst = utf8.AppendRune(dst, f(r))
			}
			s = s[n:]
		}
		return dst
	}
}

func isAlnum(b byte) bool { return b >= '0' && b <= '9' || isAlpha(b) }
func isAlpha(b byte) bool { return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' }

func initcap(dst, s []byte) []byte {
	inside := false
	for _, b := range s {
		switch {
		case b >= 'a' && b <= 'z' && !inside, b >= 'A' && b <= 'Z' && inside:
			dst = append(dst, b^0x20)
		default:
			dst = append(dst, b)
		}
		inside = isAlnum(b)
	}
	return dst
}

func initcapUTF8(dst, s []byte) []byte {
	inside := false
	return mapRunes(func(r rune) rune {
		out := unicode.ToLower(r)
		if !inside {
			out = unicode.ToUpper(r)
		}
		inside = unicode.IsLetter(r) || unicode.IsDigit(r)
		return out
	})(dst, s)
}

func bindReverse(env *Env, args []Arg) (*Bound, error) {
	t := args[0].Type
	switch {
	case t.Kind == column.Array:
		f, _ := Lookup("arrayReverse")
		return Bind(env, f, args)
	case !isText(t):
		return nil, illegalType("reverse", t)
	}
	return result(t, func(call *Call) (column.Column, error) {
		s := newStrs(call.Args[0])
		out := newStrOut(t, call.Rows)
		var buf []byte
		for i := 0; i < call.Rows; i++ {
			v := s.at(i)
			buf = buf[:0]
			for k := len(v) - 1; k >= 0; k-- {
				buf = append(buf, v[k])
			}
			out.append(buf)
		}
		return out.column(), nil
	})
}

func reverseRunes(dst, s []byte) []byte {
	for len(s) > 0 {
		k := len(s) - 1
		for k > 0 && s[k]&0xC0 == 0x80 {
			k--
		}
		dst = append(dst, s[k:]...)
		s = s[:k]
	}
	return dst
}

func bindTrim(name string, left, right bool) func(env *Env, args []Arg) (*Bound, error) {
	return func(_ *Env, args []Arg) (*Bound, error) {
		set := " "
		for i, a := range args {
			if !isText(a.Type) {
				return nil, illegalType(name, a.Type)
			}
			if i == 1 {
				s, ok := constStr(a)
				if !ok {
					return nil, errcode.New(errcode.IllegalColumn, "A value of illegal type was provided as 2nd argument 'trim_characters' to function '%s'. Expected: const String", name)
				}
				set = s
			}
		}
		var in [256]bool
		for _, b := range []byte(set) {
			in[b] = true
		}
		return bindStr(name, func(dst, s []byte) []byte {
			for left && len(s) > 0 && in[s[0]] {
				s = s[1:]
			}
			for right && len(s) > 0 && in[s[len(s)-1]] {
				s = s[:len(s)-1]
			}
			return append(dst, s...)
		})(nil, args)
	}
}

// maxStringBytes bounds the bytes that a function may make in one block, as ClickHouse bounds what repeat may make.
const maxStringBytes = 1 << 30

func tooLarge(name string) error {
	return errcode.New(errcode.TooLargeStringSize, "Too large string size in function %s, should be at most %d", name, maxStringBytes)
}

func bindRepeat(_ *Env, args []Arg) (*Bound, error) {
	if !isText(args[0].Type) {
		return nil, illegalType("repeat", args[0].Type)
	}
	if !args[1].Type.IsInteger() {
		return nil, illegalType("repeat", args[1].Type)
	}
	return result(column.Of(column.String), func(call *Call) (column.Column, error) {
		s := newStrs(call.Args[0])
		n, nc := nums[int64](call.Args[1])
		out := newStr(call.Rows)
		for i := 0; i < call.Rows; i++ {
			k, v := at(n, nc, i), s.at(i)
			if k > 0 && len(v) > 0 {
				if k > maxStringBytes || int(k)*len(v) > maxStringBytes {
					return nil, tooLarge("repeat")
				}
				call.Grown(len(out.Data) + int(k)*len(v))
			}
			out.Data = appendRepeat(call, out.Data, v, int(max(k, 0)))
			out.EndRow()
		}
		return out, nil
	})
}

// appendRepeat appends n times v, by copying what is there already.
func appendRepeat(call *Call, dst, v []byte, n int) []byte {
	const piece = 1 << 20
	if len(v) == 0 {
		return dst
	}
	from, left := len(dst), n*len(v)
	if left < 64 {
		for ; n > 0; n-- {
			dst = append(dst, v...)
		}
		return dst
	}
	dst = append(slices.Grow(dst, left), v...)
	for left -= len(v); left > 0; {
		k := min(left, len(dst)-from)
		if k > piece {
			k = min(k, max(piece/len(v), 1)*len(v))
		}
		call.Work(k)
		dst = append(dst, dst[from:from+k]...)
		left -= k
	}
	return dst
}

func bindSpace(_ *Env, args []Arg) (*Bound, error) {
	if !args[0].Type.IsInteger() {
		return nil, illegalType("space", args[0].Type)
	}
	return result(column.Of(column.String), func(call *Call) (column.Column, error) {
		n, nc := nums[int64](call.Args[0])
		out := newStr(call.Rows)
		for i := 0; i < call.Rows; i++ {
			k := at(n, nc, i)
			if k > maxStringBytes {
				return nil, tooLarge("space")
			}
			call.Grown(len(out.Data) + int(max(k, 0)))
			out.Data = appendRepeat(call, out.Data, []byte{' '}, int(max(k, 0)))
			out.EndRow()
		}
		return out, nil
	})
}

// bindPad fills strings up to a length, in bytes or characters, with a pattern; longer ones are cut.
func bindPad(name string, left, runes bool) func(env *Env, args []Arg) (*Bound, error) {
	return func(_ *Env, args []Arg) (*Bound, error) {
		if !isText(args[0].Type) {
			return nil, illegalType(name, args[0].Type)
		}
		if !args[1].Type.IsInteger() {
			return nil, illegalType(name, args[1].Type)
		}
		pattern := " "
		if len(args) == 3 {
			p, ok := constStr(args[2])
			if !ok {
				return nil, errcode.New(errcode.IllegalColumn, "Illegal column of third argument of function %s. Must be constant string.", name)
			}
			if p != "" {
				pattern = p
			}
		}
		units := byteUnits(pattern)
		if runes {
			units = runeUnits(pattern)
		}
		return result(column.Of(column.String), func(call *Call) (column.Column, error) {
			s := newStrs(call.Args[0])
			n, nc := nums[int64](call.Args[1])
			out := newStr(call.Rows)
			for i := 0; i < call.Rows; i++ {
				k, v := at(n, nc, i), s.at(i)
				if k < 0 {
					return nil, errcode.New(353, "New padded length (%d) is negative", k)
				}
				if k <= maxStringBytes {
					call.Grown(len(out.Data) + int(k)*len(units[0]))
				}
				if k > maxStringBytes || len(out.Data)+int(k)*len(units[0]) > maxStringBytes {
					return nil, errcode.New(131, "New padded length (%d) is too big, maximum is: %d", k, maxStringBytes)
				}
				size := len(v)
				if runes {
					size = countRunes(v)
				}
				if size > int(k) {
					out.Append(v[:prefixLen(v, int(k), runes)])
					continue
				}
				if !left {
					out.Data = append(out.Data, v...)
				}
				for j := 0; j < int(k)-size; j++ {
					call.Work(4)
					out.Data = append(out.Data, units[j%len(units)]...)
				}
				if left {
					out.Data = append(out.Data, v...)
				}
				out.EndRow()
			}
			return out, nil
		})
	}
}

func byteUnits(s string) [][]byte {
	var out [][]byte
	for i := range len(s) {
		out = append(out, []byte{s[i]})
	}
	return out
}

func runeUnits(s string) [][]byte {
	var out [][]byte
	for b := []byte(s); len(b) > 0; {
		n := prefixLen(b, 1, true)
		out = append(out, b[:n])
		b = b[n:]
	}
	return out
}

// prefixLen is the number of bytes in the first n bytes or characters of s.
func prefixLen(s []byte, n int, runes bool) int {
	if !runes {
		return min(n, len(s))
	}
	i := 0
	for ; n > 0 && i < len(s); n-- {
		i++
		for i < len(s) && s[i]&0xC0 == 0x80 {
			i++
		}
	}
	return i
}

func bindAppendTrailing(_ *Env, args []Arg) (*Bound, error) {
	if args[0].Type.Kind != column.String {
		return nil, illegalType("appendTrailingCharIfAbsent", args[0].Type)
	}
	c, ok := constStr(args[1])
	if !ok {
		return nil, errcode.New(errcode.IllegalColumn, "Illegal type %s of second argument of function appendTrailingCharIfAbsent", args[1].Type)
	}
	if len(c) != 1 {
		return nil, errcode.New(errcode.BadArguments, "Second argument of function appendTrailingCharIfAbsent must be a one-character string")
	}
	return bindStr("appendTrailingCharIfAbsent", func(dst, s []byte) []byte {
		dst = append(dst, s...)
		if len(s) > 0 && s[len(s)-1] != c[0] {
			dst = append(dst, c[0])
		}
		return dst
	})(nil, args)
}
