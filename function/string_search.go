package function

import (
	"bytes"
	"unicode"

	"dictsvc/column"
	"dictsvc/errcode"
)

func stringSearchFunctions() []Function {
	return []Function{
		{Name: "position", MinArgs: 2, MaxArgs: 3, Bind: bindPosition("position", finder{}, false)},
		{Name: "positionUTF8", MinArgs: 2, MaxArgs: 3, Bind: bindPosition("positionUTF8", finder{runes: true}, false)},
		{Name: "positionCaseInsensitive", MinArgs: 2, MaxArgs: 3, Bind: bindPosition("positionCaseInsensitive", finder{fold: asciiLower}, false)},
		{Name: "positionCaseInsensitiveUTF8", MinArgs: 2, MaxArgs: 3, Bind: bindPosition("positionCaseInsensitiveUTF8", finder{fold: utf8Lower, runes: true}, false)},
		{Name: "locate", MinArgs: 2, MaxArgs: 3, Bind: bindPosition("locate", finder{}, true)},
		{Name: "countSubstrings", MinArgs: 2, MaxArgs: 3, Bind: bindCountSubstrings("countSubstrings", nil)},
		{Name: "countSubstringsCaseInsensitive", MinArgs: 2, MaxArgs: 3, Bind: bindCountSubstrings("countSubstringsCaseInsensitive", asciiLower)},
		{Name: "countSubstringsCaseInsensitiveUTF8", MinArgs: 2, MaxArgs: 3, Bind: bindCountSubstrings("countSubstringsCaseInsensitiveUTF8", utf8Lower)},
		{Name: "startsWith", MinArgs: 2, MaxArgs: 2, Bind: bindAffix("startsWith", bytes.HasPrefix, markPrefix)},
		{Name: "endsWith", MinArgs: 2, MaxArgs: 2, Bind: bindAffix("endsWith", bytes.HasSuffix, markSuffix)},
		{Name: "startsWithUTF8", MinArgs: 2, MaxArgs: 2, Bind: bindAffix("startsWithUTF8", bytes.HasPrefix, markPrefix)},
		{Name: "endsWithUTF8", MinArgs: 2, MaxArgs: 2, Bind: bindAffix("endsWithUTF8", bytes.HasSuffix, markSuffix)},
		{Name: "replaceOne", MinArgs: 3, MaxArgs: 3, Bind: bindReplace("replaceOne", 1)},
		{Name: "replaceAll", MinArgs: 3, MaxArgs: 3, Bind: bindReplace("replaceAll", -1)},
		{Name: "translate", MinArgs: 3, MaxArgs: 3, Bind: keepFixed(bindTranslate("translate", false))},
		{Name: "translateUTF8", MinArgs: 3, MaxArgs: 3, Bind: bindTranslate("translateUTF8", true)},
		{Name: "hasToken", MinArgs: 2, MaxArgs: 2, Bind: bindHasToken("hasToken", nil)},
		{Name: "hasTokenCaseInsensitive", MinArgs: 2, MaxArgs: 2, Bind: bindHasToken("hasTokenCaseInsensitive", asciiLower)},
		{Name: "hasSubsequence", MinArgs: 2, MaxArgs: 2, Bind: bindSubsequence("hasSubsequence", nil)},
		{Name: "hasSubsequenceCaseInsensitive", MinArgs: 2, MaxArgs: 2, Bind: bindSubsequence("hasSubsequenceCaseInsensitive", asciiLower)},
		{Name: "hasSubsequenceUTF8", MinArgs: 2, MaxArgs: 2, Bind: bindSubsequence("hasSubsequenceUTF8", nil)},
		{Name: "hasSubsequenceCaseInsensitiveUTF8", MinArgs: 2, MaxArgs: 2, Bind: bindSubsequence("hasSubsequenceCaseInsensitiveUTF8", utf8Lower)},
		{Name: "multiSearchAny", MinArgs: 2, MaxArgs: 2, Bind: bindMultiSearch("multiSearchAny", nil)},
		{Name: "multiSearchAnyCaseInsensitive", MinArgs: 2, MaxArgs: 2, Bind: bindMultiSearch("multiSearchAny", asciiLower)},
		{Name: "multiSearchFirstIndex", MinArgs: 2, MaxArgs: 2, Bind: bindMultiSearch("multiSearchFirstIndex", nil)},
		{Name: "multiSearchFirstIndexCaseInsensitive", MinArgs: 2, MaxArgs: 2, Bind: bindMultiSearch("multiSearchFirstIndex", asciiLower)},
		{Name: "multiSearchFirstPosition", MinArgs: 2, MaxArgs: 2, Bind: bindMultiSearch("multiSearchFirstPosition", nil)},
		{Name: "multiSearchFirstPositionCaseInsensitive", MinArgs: 2, MaxArgs: 2, Bind: bindMultiSearch("multiSearchFirstPosition", asciiLower)},
		{Name: "multiSearchAllPositions", MinArgs: 2, MaxArgs: 2, Bind: bindMultiSearch("multiSearchAllPositions", nil)},
		{Name: "multiSearchAllPositionsCaseInsensitive", MinArgs: 2, MaxArgs: 2, Bind: bindMultiSearch("multiSearchAllPositions", asciiLower)},
	}
}

func asciiLower(s []byte) []byte { return flipCase(s, 'A', 'Z') }
func utf8Lower(s []byte) []byte  { return mapRunes(unicode.ToLower)(make([]byte, 0, len(s)), s) }

// finder finds a needle: runes counts positions in characters, fold brings both sides to one case.
type finder struct {
	fold  func([]byte) []byte
	runes bool
}

// find returns the position from 1 of the needle at or behind start (from 1; 0 is 1), 0 where there is none.
func (f finder) find(s, needle []byte, start uint64) uint64 {
	if f.fold != nil {
		s, needle = f.fold(s), f.fold(needle)
	}
	if start == 0 {
		start = 1
	}
	n := uint64(len(s))
	if f.runes {
		n = uint64(countRunes(s))
	}
	if start > n+1 || start == n+1 && (len(needle) > 0 || n > 0) {
		return 0
	}
	from := prefixLen(s, int(start-1), f.runes)
	k := bytes.Index(s[from:], needle)
	if k < 0 {
		return 0
	}
	if f.runes {
		return start + uint64(countRunes(s[from:from+k]))
	}
	return start + uint64(k)
}

func bindPosition(name string, f finder, needleFirst bool) func(env *Env, args []Arg) (*Bound, error) {
	return func(_ *Env, args []Arg) (*Bound, error) {
		hay, needle := 0, 1
		if needleFirst {
			hay, needle = 1, 0
		}
		for i, a := range args[:2] {
			if !isText(a.Type) && !(i == hay && a.Type.IsEnum()) {
				return nil, illegalType(name, a.Type)
			}
		}
		if len(args) == 3 && !args[2].Type.IsUnsigned() {
			return nil, illegalType(name, args[2].Type)
		}
		t := column.Of(column.UInt64)
		return result(t, func(call *Call) (column.Column, error) {
			s, n := newStrs(enumNames(call.Args[hay])), newStrs(call.Args[needle])
			start, sc := []uint64{1}, true
			if len(call.Args) == 3 {
				start, sc = nums[uint64](call.Args[2])
			}
			out := make([]uint64, call.Rows)
			for i := range out {
				out[i] = f.find(s.at(i), n.at(i), at(start, sc, i))
			}
			return column.NewNum(t, out), nil
		})
	}
}

func bindCountSubstrings(name string, fold func([]byte) []byte) func(env *Env, args []Arg) (*Bound, error) {
	return func(_ *Env, args []Arg) (*Bound, error) {
		for _, a := range args[:2] {
			if !isText(a.Type) {
				return nil, illegalType(name, a.Type)
			}
		}
		if len(args) == 3 && !args[2].Type.IsUnsigned() {
			return nil, illegalType(name, args[2].Type)
		}
		t := column.Of(column.UInt64)
		return result(t, func(call *Call) (column.Column, error) {
			s, n := newStrs(call.Args[0]), newStrs(call.Args[1])
			start, sc := []uint64{1}, true
			if len(call.Args) == 3 {
				start, sc = nums[uint64](call.Args[2])
			}
			out := make([]uint64, call.Rows)
			for i := range out {
				v, w := s.at(i), n.at(i)
				if fold != nil {
					v, w = fold(v), fold(w)
				}
				from := at(start, sc, i)
				if from = max(from, 1) - 1; len(w) > 0 && from <= uint64(len(v)) {
					out[i] = countIn(call, v[from:], w)
				}
			}
			return column.NewNum(t, out), nil
		})
	}
}

// countIn counts the places of w in v that do not overlap.
func countIn(call *Call, v, w []byte) uint64 {
	n := uint64(0)
	for {
		k := bytes.Index(v, w)
		if k < 0 {
			return n
		}
		call.Work(k/4 + 8)
		n++
		v = v[k+len(w):]
	}
}

func bindAffix(name string, f func(s, affix []byte) bool, mark func(out []uint8, s *strs, affix []byte)) func(env *Env, args []Arg) (*Bound, error) {
	return func(_ *Env, args []Arg) (*Bound, error) {
		a, b := args[0].Type, args[1].Type
		if a.Kind == column.Array && b.Kind == column.Array {
			return bindArrayAffix(name, args)
		}
		if !isText(a) || !isText(b) {
			return nil, errcode.New(errcode.IllegalTypeOfArgument, "Illegal types %s %s of arguments of function %s. Both must be String or Array", a, b, name)
		}
		return result(uint8Type, func(call *Call) (column.Column, error) {
			s, n := newStrs(call.Args[0]), newStrs(call.Args[1])
			out := column.Make[uint8](call.Scratch, call.Rows)
			if n.cst && !s.cst && s.width == 0 {
				mark(out, &s, n.at(0))
				return column.NewNum(uint8Type, out), nil
			}
			for i := range out {
				out[i] = bit(f(s.at(i), n.at(i)))
			}
			return column.NewNum(uint8Type, out), nil
		})
	}
}

func bindArrayAffix(name string, args []Arg) (*Bound, error) {
	_, casts, err := commonArrays(name, args)
	if err != nil {
		return nil, err
	}
	suffix := name == "endsWith"
	return result(uint8Type, func(call *Call) (column.Column, error) {
		cols, err := castAll(casts, call.Args, call.Rows)
		if err != nil {
			return nil, err
		}
		a, b := newArrs(cols[0]), newArrs(cols[1])
		out := make([]uint8, call.Rows)
		for i := range out {
			af, at := a.row(i)
			bf, bt := b.row(i)
			if bt-bf > at-af {
				continue
			}
			if suffix {
				af = at - (bt - bf)
			}
			same := true
			for k := bf; k < bt && same; k++ {
				same = a.elem.Compare(af+k-bf, b.elem, k, 1) == 0
			}
			out[i] = bit(same)
		}
		return column.NewNum(uint8Type, out), nil
	})
}

func bindReplace(name string, limit int) func(env *Env, args []Arg) (*Bound, error) {
	return func(_ *Env, args []Arg) (*Bound, error) {
		for _, a := range args {
			if !isText(a.Type) {
				return nil, illegalType(name, a.Type)
			}
		}
		return result(column.Of(column.String), func(call *Call) (column.Column, error) {
			s, n, r := newStrs(call.Args[0]), newStrs(call.Args[1]), newStrs(call.Args[2])
			out := newStr(call.Rows)
			for i := 0; i < call.Rows; i++ {
				v, needle, by := s.at(i), n.at(i), r.at(i)
				for left := limit; len(needle) > 0 && left != 0; left-- {
					k := bytes.Index(v, needle)
					if k < 0 {
						break
					}
					out.Data = append(append(out.Data, v[:k]...), by...)
					v = v[k+len(needle):]
					call.Grown(len(out.Data))
					if len(out.Data) > maxStringBytes {
						return nil, tooLarge(name)
					}
				}
				out.Data = append(out.Data, v...)
				out.EndRow()
				if len(out.Data) > maxStringBytes {
					return nil, tooLarge(name)
				}
			}
			return out, nil
		})
	}
}

func bindTranslate(name string, runes bool) func(env *Env, args []Arg) (*Bound, error) {
	return func(_ *Env, args []Arg) (*Bound, error) {
		for _, a := range args {
			if !isText(a.Type) {
				return nil, illegalType(name, a.Type)
			}
		}
		from, ok1 := constStr(args[1])
		to, ok2 := constStr(args[2])
		if !ok1 || !ok2 {
			return nil, errcode.New(errcode.IllegalTypeOfArgument, "The second and third arguments of function %s must be constant strings", name)
		}
		if runes {
			a, b := []rune(from), []rune(to)
			m := map[rune]rune{}
			for i, r := range a {
				if _, ok := m[r]; !ok {
					if m[r] = -1; i < len(b) {
						m[r] = b[i]
					}
				}
			}
			return bindStr(name, func(dst, s []byte) []byte {
				return append(dst, bytes.Map(func(r rune) rune {
					if t, ok := m[r]; ok {
						return t
					}
					return r
				}, s)...)
			})(nil, args)
		}
		var m [256]int
		for i := range m {
			m[i] = i
		}
		for i := len(from) - 1; i >= 0; i-- {
			if m[from[i]] = -1; i < len(to) {
				m[from[i]] = int(to[i])
			}
		}
		return bindStr(name, func(dst, s []byte) []byte {
			for _, b := range s {
				if t := m[b]; t >= 0 {
					dst = append(dst, byte(t))
				}
			}
			return dst
		})(nil, args)
	}
}

func bindHasToken(name string, fold func([]byte) []byte) func(env *Env, args []Arg) (*Bound, error) {
	return func(_ *Env, args []Arg) (*Bound, error) {
		if !isText(args[0].Type) {
			return nil, illegalType(name, args[0].Type)
		}
		token, ok := constStr(args[1])
		if !ok {
			return nil, errcode.New(errcode.IllegalColumn, "Argument needle of function %s must be a constant string", name)
		}
		t := []byte(token)
		for _, b := range t {
			if b < 0x80 && !isAlnum(b) {
				return nil, errcode.New(errcode.BadArguments, "Needle must not contain whitespace or separator characters")
			}
		}
		if fold != nil {
			t = fold(t)
		}
		inside := func(b byte) bool { return b >= 0x80 || isAlnum(b) }
		return result(uint8Type, func(call *Call) (column.Column, error) {
			s := newStrs(call.Args[0])
			out := make([]uint8, call.Rows)
			for i := range out {
				v := s.at(i)
				if fold != nil {
					v = fold(v)
				}
				for pos := 0; len(t) > 0; {
					k := bytes.Index(v[pos:], t)
					if k < 0 {
						break
					}
					from, to := pos+k, pos+k+len(t)
					if (from == 0 || !inside(v[from-1])) && (to == len(v) || !inside(v[to])) {
						out[i] = 1
						break
					}
					pos = from + 1
				}
			}
			return column.NewNum(uint8Type, out), nil
		})
	}
}

func bindSubsequence(name string, fold func([]byte) []byte) func(env *Env, args []Arg) (*Bound, error) {
	return func(_ *Env, args []Arg) (*Bound, error) {
		for _, a := range args {
			if !isText(a.Type) {
				return nil, illegalType(name, a.Type)
			}
		}
		return result(uint8Type, func(call *Call) (column.Column, error) {
			s, n := newStrs(call.Args[0]), newStrs(call.Args[1])
			out := make([]uint8, call.Rows)
			for i := range out {
				v, w := s.at(i), n.at(i)
				if fold != nil {
					v, w = fold(v), fold(w)
				}
				k := 0
				for _, b := range v {
					if k < len(w) && b == w[k] {
						k++
					}
				}
				out[i] = bit(k == len(w))
			}
			return column.NewNum(uint8Type, out), nil
		})
	}
}

// constStrings reads a constant array of strings.
func constStrings(a Arg) ([][]byte, bool) {
	arr, ok := unconst(a.Const).(*column.Arr)
	if !ok {
		return nil, false
	}
	elem := plainColumn(arr.Elem)
	if _, ok := elem.(*column.NothingColumn); ok {
		return nil, true
	}
	if !elem.Type().IsString() {
		return nil, false
	}
	s := newStrs(elem)
	out := make([][]byte, elem.Len())
	for i := range out {
		out[i] = s.at(i)
	}
	return out, true
}

func bindMultiSearch(name string, fold func([]byte) []byte) func(env *Env, args []Arg) (*Bound, error) {
	return func(_ *Env, args []Arg) (*Bound, error) {
		if !isText(args[0].Type) {
			return nil, illegalType(name, args[0].Type)
		}
		needles, ok := constStrings(args[1])
		if !ok {
			return nil, errcode.New(errcode.IllegalTypeOfArgument, "Second argument of function %s must be a constant array of strings, got %s", name, args[1].Type)
		}
		if fold != nil {
			for i, n := range needles {
				needles[i] = fold(n)
			}
		}
		t := column.Of(column.UInt64)
		switch name {
		case "multiSearchAny":
			t = uint8Type
		case "multiSearchAllPositions":
			t = column.NewArray(t)
		}
		return result(t, func(call *Call) (column.Column, error) {
			s := newStrs(call.Args[0])
			var flat []uint64
			for i := 0; i < call.Rows; i++ {
				v := s.at(i)
				if fold != nil {
					v = fold(v)
				}
				any, index, first := uint64(0), uint64(0), uint64(0)
				for k, n := range needles {
					p := uint64(bytes.Index(v, n) + 1)
					if len(v) == 0 { // even an empty needle is not found in an empty string
						p = 0
					}
					if t.Kind == column.Array {
						flat = append(flat, p)
					}
					if p == 0 {
						continue
					}
					if any = 1; index == 0 {
						index = uint64(k + 1)
					}
					if first == 0 || p < first {
						first = p
					}
				}
				switch name {
				case "multiSearchAny":
					flat = append(flat, any)
				case "multiSearchFirstIndex":
					flat = append(flat, index)
				case "multiSearchFirstPosition":
					flat = append(flat, first)
				}
			}
			if t.Kind == column.Array {
				return &column.Arr{T: t, Ends: evenEnds(len(needles), call.Rows), Elem: column.UInt64s(flat...)}, nil
			}
			return numCut(t, flat), nil
		})
	}
}
