package function

import (
	"bytes"
	"strconv"

	"dictsvc/column"
	"dictsvc/errcode"
)

func regexpFunctions() []Function {
	return []Function{
		{Name: "match", MinArgs: 2, MaxArgs: 2, Bind: bindMatch},
		{Name: "extract", MinArgs: 2, MaxArgs: 2, Bind: bindExtract},
		{Name: "regexpExtract", MinArgs: 2, MaxArgs: 3, Bind: bindRegexpExtract},
		{Name: "extractAll", MinArgs: 2, MaxArgs: 2, Bind: bindExtractAll},
		{Name: "extractGroups", MinArgs: 2, MaxArgs: 2, Bind: bindExtractGroups},
		{Name: "extractAllGroupsVertical", MinArgs: 2, MaxArgs: 2, Bind: bindAllGroups("extractAllGroupsVertical", false)},
		{Name: "extractAllGroupsHorizontal", MinArgs: 2, MaxArgs: 2, Bind: bindAllGroups("extractAllGroupsHorizontal", true)},
		{Name: "replaceRegexpOne", MinArgs: 3, MaxArgs: 3, Bind: bindReplaceRegexp("replaceRegexpOne", false)},
		{Name: "replaceRegexpAll", MinArgs: 3, MaxArgs: 3, Bind: bindReplaceRegexp("replaceRegexpAll", true)},
		{Name: "countMatches", MinArgs: 2, MaxArgs: 2, Bind: bindCountMatches("countMatches", false)},
		{Name: "countMatchesCaseInsensitive", MinArgs: 2, MaxArgs: 2, Bind: bindCountMatches("countMatchesCaseInsensitive", true)},
		{Name: "multiMatchAny", MinArgs: 2, MaxArgs: 2, Bind: bindMultiMatch("multiMatchAny")},
		{Name: "multiMatchAnyIndex", MinArgs: 2, MaxArgs: 2, Bind: bindMultiMatch("multiMatchAnyIndex")},
		{Name: "multiMatchAllIndices", MinArgs: 2, MaxArgs: 2, Bind: bindMultiMatch("multiMatchAllIndices")},
		{Name: "regexpQuoteMeta", MinArgs: 1, MaxArgs: 1, Bind: bindStr("regexpQuoteMeta", quoteMeta)},
		{Name: "splitByRegexp", MinArgs: 2, MaxArgs: 3, Bind: bindSplitRegexp},
	}
}

// patterns gives the compiled pattern of each row; a constant one is compiled at bind time.
type patterns struct {
	fixed *pattern
	last  string
	re    *pattern
}

func bindPattern(a Arg) (*pattern, error) {
	p, ok := constStr(a)
	if !ok {
		return nil, nil
	}
	return compileRegexp(p)
}

func (p *patterns) at(s *strs, i int) (*pattern, error) {
	if p.fixed != nil {
		return p.fixed, nil
	}
	text := s.at(i)
	if p.re == nil || p.last != string(text) {
		re, err := compileRegexp(string(text))
		if err != nil {
			return nil, err
		}
		p.re, p.last = re, string(text)
	}
	return p.re, nil
}

func checkTexts(name string, args []Arg) error {
	for i, a := range args {
		if !isText(a.Type) && !(i == 0 && a.Type.IsEnum()) {
			return illegalType(name, a.Type)
		}
	}
	return nil
}

func bindMatch(_ *Env, args []Arg) (*Bound, error) {
	if err := checkTexts("match", args); err != nil {
		return nil, err
	}
	fixed, err := bindPattern(args[1])
	if err != nil {
		return nil, err
	}
	return result(uint8Type, func(call *Call) (column.Column, error) {
		s, p := newStrs(enumNames(call.Args[0])), newStrs(call.Args[1])
		re := patterns{fixed: fixed}
		out := column.Make[uint8](call.Scratch, call.Rows)
		if fixed != nil {
			if lit, all := literalOf(fixed); all && len(lit) > 0 && !s.cst && s.width == 0 {
				markContaining(out, &s, lit)
				return column.NewNum(uint8Type, out), nil
			}
		}
		for i := range out {
			r, err := re.at(&p, i)
			if err != nil {
				return nil, err
			}
			out[i] = bit(r.match(call, s.at(i)))
		}
		return column.NewNum(uint8Type, out), nil
	})
}

// literalOf is the pattern as a plain string where it is one.
func literalOf(re *pattern) ([]byte, bool) {
	lit, all := re.re.LiteralPrefix()
	return []byte(lit), all
}

// mustPattern is for functions whose pattern must be constant.
func mustPattern(name string, a Arg) (*pattern, error) {
	re, err := bindPattern(a)
	if re == nil && err == nil {
		return nil, errcode.New(errcode.IllegalTypeOfArgument, "A value of illegal type was provided as 2nd argument 'regexp' to function '%s'. Expected: const String, got: %s", name, a.Type)
	}
	return re, err
}

func bindExtract(_ *Env, args []Arg) (*Bound, error) {
	if err := checkTexts("extract", args); err != nil {
		return nil, err
	}
	re, err := mustPattern("extract", args[1])
	if err != nil {
		return nil, err
	}
	group := min(re.re.NumSubexp(), 1)
	return extractGroup(re, group)
}

func extractGroup(re *pattern, group int) (*Bound, error) {
	return result(column.Of(column.String), func(call *Call) (column.Column, error) {
		return mapStrs(enumNames(call.Args[0]), call.Rows, func(dst, s []byte) []byte {
			if m := re.find(call, s); m != nil && m[2*group] >= 0 {
				return append(dst, s[m[2*group]:m[2*group+1]]...)
			}
			return dst
		}), nil
	})
}

func bindRegexpExtract(_ *Env, args []Arg) (*Bound, error) {
	if err := checkTexts("regexpExtract", args[:2]); err != nil {
		return nil, err
	}
	re, err := mustPattern("regexpExtract", args[1])
	if err != nil {
		return nil, err
	}
	group := min(re.re.NumSubexp(), 1)
	if len(args) == 3 {
		n, ok := constInt(args[2])
		if !ok {
			return nil, illegalType("regexpExtract", args[2].Type)
		}
		if n < 0 || n > int64(re.re.NumSubexp()) {
			return nil, errcode.New(127, "Index value %d is out of range, should be in [0, %d]", n, re.re.NumSubexp()+1)
		}
		group = int(n)
	}
	return extractGroup(re, group)
}

var stringArray = column.NewArray(column.Of(column.String))

func bindExtractAll(_ *Env, args []Arg) (*Bound, error) {
	if err := checkTexts("extractAll", args); err != nil {
		return nil, err
	}
	re, err := mustPattern("extractAll", args[1])
	if err != nil {
		return nil, err
	}
	group := min(re.re.NumSubexp(), 1)
	return bindSplitter(func(call *Call, s []byte, add func([]byte)) {
		ended := false // at the first empty match
		re.eachAdjacent(call, s, func(m []int) {
			ended = ended || m[1] == m[0]
			if m[2*group] >= 0 && !ended {
				add(s[m[2*group]:m[2*group+1]])
			}
		})
	})
}

// bindSplitter binds a function that makes an array of strings of its first argument.
func bindSplitter(f func(call *Call, s []byte, add func([]byte))) (*Bound, error) {
	return bindSplitterOf(0, f)
}

func bindSplitterOf(arg int, f func(call *Call, s []byte, add func([]byte))) (*Bound, error) {
	return result(stringArray, func(call *Call) (column.Column, error) {
		s := newStrs(enumNames(call.Args[arg]))
		out := newStr(call.Rows)
		ends := make([]uint64, call.Rows)
		add := func(b []byte) {
			call.Work(4)
			call.Grown(len(out.Data) + 8*len(out.Ends))
			out.Append(b)
		}
		for i := range ends {
			f(call, s.at(i), add)
			ends[i] = uint64(out.Len())
		}
		return &column.Arr{T: stringArray, Ends: ends, Elem: out}, nil
	})
}

func bindExtractGroups(_ *Env, args []Arg) (*Bound, error) {
	if err := checkTexts("extractGroups", args); err != nil {
		return nil, err
	}
	re, err := mustPattern("extractGroups", args[1])
	if err != nil {
		return nil, err
	}
	if re.re.NumSubexp() == 0 {
		return nil, errcode.New(errcode.BadArguments, "There are no groups in regexp: %s", re.re)
	}
	return bindSplitter(func(call *Call, s []byte, add func([]byte)) {
		m := re.find(call, s)
		for k := 1; k < len(m)/2; k++ {
			add(groupOf(s, m, k))
		}
	})
}

func bindAllGroups(name string, horizontal bool) func(env *Env, args []Arg) (*Bound, error) {
	return func(env *Env, args []Arg) (*Bound, error) {
		if err := checkTexts(name, args); err != nil {
			return nil, err
		}
		most, err := strconv.Atoi(env.Settings("regexp_max_matches_per_row"))
		if err != nil {
			most = 1000
		}
		re, err := mustPattern(name, args[1])
		if err != nil {
			return nil, err
		}
		groups := re.re.NumSubexp()
		if groups == 0 {
			return nil, errcode.New(errcode.BadArguments, "There are no groups in regexp: %s", re.re)
		}
		t := column.NewArray(stringArray)
		return result(t, func(call *Call) (column.Column, error) {
			s := newStrs(enumNames(call.Args[0]))
			flat := newStr(call.Rows)
			var inner []uint64
			ends := make([]uint64, call.Rows)
			for i := range ends {
				v := s.at(i)
				if horizontal {
					var all []int // of every match, one behind the other
					re.each(call, v, func(m []int) {
						call.Grown(len(flat.Data) + 8*(len(all)+len(m)))
						all = append(all, m...)
					})
					if len(all)/(2*groups+2) > most {
						return nil, errcode.New(errcode.TooLargeArraySize, "Too many matches per row (> %d) in the result of function %s", most, name)
					}
					for k := 1; k <= groups; k++ {
						for m := all; len(m) > 0; m = m[2*groups+2:] {
							call.Grown(len(flat.Data) + 8*(len(flat.Ends)+len(all)))
							flat.Append(groupOf(v, m, k))
						}
						inner = append(inner, uint64(flat.Len()))
					}
				} else {
					re.each(call, v, func(m []int) {
						for k := 1; k <= groups; k++ {
							call.Grown(len(flat.Data) + 8*len(flat.Ends))
							flat.Append(groupOf(v, m, k))
						}
						inner = append(inner, uint64(flat.Len()))
					})
				}
				ends[i] = uint64(len(inner))
			}
			return &column.Arr{T: t, Ends: ends, Elem: &column.Arr{T: stringArray, Ends: inner, Elem: flat}}, nil
		})
	}
}

// groupOf is what group k of a match took, nothing where it took no part.
func groupOf(s []byte, m []int, k int) []byte {
	if m[2*k] < 0 {
		return nil
	}
	return s[m[2*k]:m[2*k+1]]
}

// template is a replacement taken apart: \0 to \9 are groups, \\ is a backslash.
type template []struct {
	text  []byte
	group int // -1: text
}

func parseTemplate(r []byte, groups int) (template, error) {
	var t template
	var lit []byte
	for i := 0; i < len(r); i++ {
		if r[i] == '\\' && i+1 < len(r) {
			if d := r[i+1]; d >= '0' && d <= '9' {
				if int(d-'0') > groups {
					return nil, errcode.New(errcode.BadArguments, "Substitution '\\%c' in replacement string is invalid: regexp has only %d capturing groups", d, groups)
				}
				t = append(t, struct {
					text  []byte
					group int
				}{lit, int(d - '0')})
				lit = nil
				i++
				continue
			} else if d == '\\' {
				i++
			}
		}
		lit = append(lit, r[i])
	}
	return append(t, struct {
		text  []byte
		group int
	}{lit, -1}), nil
}

func (t template) expand(dst, s []byte, m []int) []byte {
	for _, p := range t {
		dst = append(dst, p.text...)
		if p.group >= 0 && m[2*p.group] >= 0 {
			dst = append(dst, s[m[2*p.group]:m[2*p.group+1]]...)
		}
	}
	return dst
}

func bindReplaceRegexp(name string, all bool) func(env *Env, args []Arg) (*Bound, error) {
	return func(_ *Env, args []Arg) (*Bound, error) {
		if err := checkTexts(name, args); err != nil {
			return nil, err
		}
		fixed, err := bindPattern(args[1])
		if err != nil {
			return nil, replacePattern(err)
		}
		return result(column.Of(column.String), func(call *Call) (column.Column, error) {
			s, p, r := newStrs(enumNames(call.Args[0])), newStrs(call.Args[1]), newStrs(call.Args[2])
			re := patterns{fixed: fixed}
			out := newStr(call.Rows)
			var by template
			var last []byte
			for i := 0; i < call.Rows; i++ {
				re, err := re.at(&p, i)
				if err != nil {
					return nil, replacePattern(err)
				}
				if text := r.at(i); by == nil || fixed == nil || !bytes.Equal(text, last) {
					if by, err = parseTemplate(text, re.re.NumSubexp()); err != nil {
						return nil, err
					}
					last = text
				}
				if re.text == "" {
					out.Append(s.at(i))
					continue
				}
				out.Data = replaceRegexp(call, out.Data, s.at(i), re, by, all)
				out.EndRow()
				if len(out.Data) > maxStringBytes {
					return nil, tooLarge(name)
				}
			}
			return out, nil
		})
	}
}

// replacePattern is the error of a bad pattern as the functions that replace report it.
func replacePattern(err error) error {
	return errcode.New(errcode.BadArguments, "The pattern argument is not a valid re2 pattern: %v", err)
}

func replaceRegexp(call *Call, dst, s []byte, re *pattern, by template, all bool) []byte {
	pos := 0
	replace := func(m []int) {
		dst = append(dst, s[pos:m[0]]...)
		dst = by.expand(dst, s, m)
		call.Grown(len(dst))
		pos = m[1]
	}
	if all {
		re.eachAdjacent(call, s, replace)
	} else if m := re.find(call, s); m != nil {
		replace(m)
	}
	return append(dst, s[pos:]...)
}

func bindCountMatches(name string, fold bool) func(env *Env, args []Arg) (*Bound, error) {
	return func(_ *Env, args []Arg) (*Bound, error) {
		if err := checkTexts(name, args); err != nil {
			return nil, err
		}
		p, ok := constStr(args[1])
		if !ok {
			return nil, errcode.New(errcode.IllegalTypeOfArgument, "A value of illegal type was provided as 2nd argument 'pattern' to function '%s'. Expected: constant String, got: %s", name, args[1].Type)
		}
		if fold {
			p = "(?i)" + p
		}
		re, err := compileRegexp(p)
		if err != nil {
			return nil, err
		}
		t := column.Of(column.UInt64)
		return result(t, func(call *Call) (column.Column, error) {
			s := newStrs(enumNames(call.Args[0]))
			out := make([]uint64, call.Rows)
			for i := range out {
				re.each(call, s.at(i), func(m []int) {
					if m[1] > m[0] {
						out[i]++
					}
				})
			}
			return column.NewNum(t, out), nil
		})
	}
}

func bindMultiMatch(name string) func(env *Env, args []Arg) (*Bound, error) {
	return func(_ *Env, args []Arg) (*Bound, error) {
		if !isText(args[0].Type) {
			return nil, illegalType(name, args[0].Type)
		}
		list, ok := constStrings(args[1])
		if !ok {
			return nil, errcode.New(errcode.IllegalTypeOfArgument, "Second argument of function %s must be a constant array of strings, got %s", name, args[1].Type)
		}
		res := make([]*pattern, len(list))
		for i, p := range list {
			var err error
			if res[i], err = compileRegexp(string(p)); err != nil {
				return nil, err
			}
		}
		t := column.Of(column.UInt64)
		switch name {
		case "multiMatchAny":
			t = uint8Type
		case "multiMatchAllIndices":
			t = column.NewArray(t)
		}
		return result(t, func(call *Call) (column.Column, error) {
			s := newStrs(call.Args[0])
			var flat, ends []uint64
			for i := 0; i < call.Rows; i++ {
				v, hit := s.at(i), uint64(0)
				for k, re := range res {
					if re.match(call, v) {
						if hit = uint64(k + 1); t.Kind != column.Array {
							break
						}
						flat = append(flat, hit)
					}
				}
				switch name {
				case "multiMatchAny":
					flat = append(flat, min(hit, 1))
				case "multiMatchAnyIndex":
					flat = append(flat, hit)
				}
				ends = append(ends, uint64(len(flat)))
			}
			if t.Kind == column.Array {
				return &column.Arr{T: t, Ends: ends, Elem: column.UInt64s(flat...)}, nil
			}
			return numCut(t, flat), nil
		})
	}
}

func quoteMeta(dst, s []byte) []byte {
	for _, b := range s {
		switch b {
		case 0:
			dst = append(dst, `\x00`...)
			continue
		case '\\', '(', ')', '^', '$', '.', '[', ']', '?', '*', '+', '{', '}', '|', '-', ':':
			dst = append(dst, '\\')
		}
		dst = append(dst, b)
	}
	return dst
}
