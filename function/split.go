package function

import (
	"bytes"

	"dictsvc/column"
	"dictsvc/errcode"
)

func splitFunctions() []Function {
	return []Function{
		{Name: "splitByChar", MinArgs: 2, MaxArgs: 3, Bind: bindSplitChar},
		{Name: "splitByString", MinArgs: 2, MaxArgs: 3, Bind: bindSplitString},
		{Name: "splitByWhitespace", MinArgs: 1, MaxArgs: 2, Bind: bindSplitClass("splitByWhitespace", func(b byte) bool {
			return b != ' ' && b != '\t' && b != '\n' && b != '\r' && b != '\f' && b != '\v'
		})},
		{Name: "splitByNonAlpha", MinArgs: 1, MaxArgs: 2, Bind: bindSplitClass("splitByNonAlpha", func(b byte) bool { return b >= 0x80 || isAlnum(b) })},
		{Name: "alphaTokens", MinArgs: 1, MaxArgs: 2, Bind: bindSplitClass("alphaTokens", isAlpha)},
		{Name: "tokens", MinArgs: 1, MaxArgs: 1, Bind: bindSplitClass("tokens", func(b byte) bool { return b >= 0x80 || isAlnum(b) })},
		{Name: "ngrams", MinArgs: 2, MaxArgs: 2, Bind: bindNgrams},
		{Name: "arrayStringConcat", MinArgs: 1, MaxArgs: 2, Bind: bindArrayStringConcat},
	}
}

// splitLimit is the greatest number of parts; those behind it are dropped. 0 is no limit.
func splitLimit(name string, args []Arg, i int) (int, error) {
	if len(args) <= i {
		return 0, nil
	}
	n, ok := constInt(args[i])
	if !ok {
		return 0, errcode.New(errcode.IllegalTypeOfArgument, "A value of illegal type was provided as argument 'max_substrings' to function '%s'. Expected: const integer, got: %s", name, args[i].Type)
	}
	return int(max(n, 0)), nil
}

func splitArgs(name string, args []Arg) (string, int, error) {
	sep, ok := constStr(args[0])
	if !ok {
		return "", 0, errcode.New(errcode.IllegalTypeOfArgument, "A value of illegal type was provided as 1st argument 'separator' to function '%s'. Expected: const String, got: %s", name, args[0].Type)
	}
	if !isText(args[1].Type) {
		return "", 0, errcode.New(errcode.IllegalTypeOfArgument, "A value of illegal type was provided as 2nd argument 's' to function '%s'. Expected: String, got: %s", name, args[1].Type)
	}
	limit, err := splitLimit(name, args, 2)
	return sep, limit, err
}

// limited passes on the first limit parts.
func limited(limit int, add func([]byte)) func([]byte) {
	if limit == 0 {
		return add
	}
	left := limit
	return func(b []byte) {
		if left > 0 {
			add(b)
		}
		left--
	}
}

func bindSplitChar(_ *Env, args []Arg) (*Bound, error) {
	sep, limit, err := splitArgs("splitByChar", args)
	if err != nil {
		return nil, err
	}
	if len(sep) != 1 {
		return nil, errcode.New(errcode.BadArguments, "Illegal separator for function splitByChar. Must be exactly one byte")
	}
	return bindSplitterOf(1, splitBy([]byte(sep), limit))
}

func bindSplitString(_ *Env, args []Arg) (*Bound, error) {
	sep, limit, err := splitArgs("splitByString", args)
	if err != nil {
		return nil, err
	}
	if sep == "" {
		return bindSplitterOf(1, splitBytes(limit))
	}
	return bindSplitterOf(1, splitBy([]byte(sep), limit))
}

func splitBy(sep []byte, limit int) func(call *Call, s []byte, add func([]byte)) {
	return func(_ *Call, s []byte, add func([]byte)) {
		add = limited(limit, add)
		for {
			k := bytes.Index(s, sep)
			if k < 0 {
				add(s)
				return
			}
			add(s[:k])
			s = s[k+len(sep):]
		}
	}
}

func splitBytes(limit int) func(call *Call, s []byte, add func([]byte)) {
	return func(_ *Call, s []byte, add func([]byte)) {
		add = limited(limit, add)
		for len(s) > 0 {
			add(s[:1]) // bytes, not characters
			s = s[1:]
		}
	}
}

func bindSplitRegexp(_ *Env, args []Arg) (*Bound, error) {
	p, limit, err := splitArgs("splitByRegexp", args)
	if err != nil {
		return nil, err
	}
	if p == "" {
		return bindSplitterOf(1, splitBytes(limit))
	}
	re, err := compileRegexp(p)
	if err != nil {
		return nil, err
	}
	return bindSplitterOf(1, func(call *Call, s []byte, add func([]byte)) {
		add = limited(limit, add)
		pos := 0
		re.each(call, s, func(m []int) {
			if m[1] > m[0] {
				add(s[pos:m[0]])
				pos = m[1]
			}
		})
		add(s[pos:])
	})
}

func bindSplitClass(name string, in func(byte) bool) func(env *Env, args []Arg) (*Bound, error) {
	return func(_ *Env, args []Arg) (*Bound, error) {
		if !isText(args[0].Type) {
			return nil, illegalType(name, args[0].Type)
		}
		limit, err := splitLimit(name, args, 1)
		if err != nil {
			return nil, err
		}
		return bindSplitter(func(_ *Call, s []byte, add func([]byte)) {
			add = limited(limit, add)
			for i := 0; i < len(s); {
				if !in(s[i]) {
					i++
					continue
				}
				from := i
				for i < len(s) && in(s[i]) {
					i++
				}
				add(s[from:i])
			}
		})
	}
}

func bindNgrams(_ *Env, args []Arg) (*Bound, error) {
	if !isText(args[0].Type) {
		return nil, illegalType("ngrams", args[0].Type)
	}
	n, ok := constInt(args[1])
	if !ok || n < 1 {
		return nil, errcode.New(errcode.BadArguments, "Second argument of function ngrams should be a constant integer greater than zero")
	}
	return bindSplitter(func(_ *Call, s []byte, add func([]byte)) {
		for {
			to := 0
			for range n {
				if to >= len(s) {
					return
				}
				to += charLen(s[to:])
			}
			add(s[:to])
			if to == len(s) {
				return
			}
			s = s[charLen(s):]
		}
	})
}

// charLen is the length of the character at the front of s as its first byte tells it; a byte that begins none stands alone.
func charLen(s []byte) int {
	n := 1
	switch c := s[0]; {
	case c >= 0xF0 && c < 0xF8:
		n = 4
	case c >= 0xE0 && c < 0xF0:
		n = 3
	case c >= 0xC0 && c < 0xE0:
		n = 2
	}
	return min(n, len(s))
}

func bindArrayStringConcat(_ *Env, args []Arg) (*Bound, error) {
	t := args[0].Type
	if t.Kind != column.Array {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "A value of illegal type was provided as 1st argument 'arr' to function 'arrayStringConcat'. Expected: Array, got: %s", t)
	}
	sep := ""
	if len(args) == 2 {
		s, ok := constStr(args[1])
		if !ok {
			return nil, errcode.New(errcode.IllegalTypeOfArgument, "A value of illegal type was provided as 2nd argument 'separator' to function 'arrayStringConcat'. Expected: const String, got: %s", args[1].Type)
		}
		sep = s
	}
	elem := t.Elems[0].NoNull()
	var cast castFn
	if elem.Kind != column.Nothing {
		var err error
		if cast, err = toStrings(elem); err != nil {
			return nil, err
		}
	}
	return result(column.Of(column.String), func(call *Call) (column.Column, error) {
		a := newArrs(call.Args[0])
		v, nulls := splitNull(a.elem)
		var text column.Column = newStr(0)
		if cast != nil {
			var err error
			if text, err = cast(v, v.Len()); err != nil {
				return nil, err
			}
		}
		s := newStrs(text)
		out := newStr(call.Rows)
		for i := 0; i < call.Rows; i++ {
			first := true
			for from, to := a.row(i); from < to; from++ {
				if nulls.at(from) || cast == nil {
					continue
				}
				if !first {
					out.Data = append(out.Data, sep...)
				}
				first = false
				out.Data = append(out.Data, s.at(from)...)
				call.Grown(len(out.Data))
				if len(out.Data) > maxStringBytes {
					return nil, tooLarge("arrayStringConcat")
				}
			}
			out.EndRow()
		}
		return out, nil
	})
}
