package function

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"dictsvc/column"
	"dictsvc/errcode"
)

// likePattern is a LIKE pattern taken apart: literals between the wildcards. one counts the '_' in front of a literal, many tells a '%' there.
type likePattern struct {
	parts []likePart
	tail  likePart // what stands behind the last literal; its lit is empty
	fold  bool     // compare without case
}

type likePart struct {
	one  int
	many bool
	lit  []byte
}

// parseLike reads a pattern: '%' is any string, '_' any character, a backslash takes the meaning from them and from itself.
func parseLike(p string, fold bool) (*likePattern, error) {
	l := &likePattern{fold: fold}
	if fold {
		p = string(mapRunes(unicode.ToLower)(nil, []byte(p)))
	}
	var cur likePart
	flush := func() {
		if len(cur.lit) > 0 {
			l.parts = append(l.parts, cur)
			cur = likePart{}
		}
	}
	for i := 0; i < len(p); i++ {
		switch c := p[i]; {
		case c == '%':
			flush()
			cur.many = true
		case c == '_':
			flush()
			cur.one++
		case c == '\\':
			if i+1 == len(p) {
				return nil, errcode.New(errcode.CannotParseEscapeSequence, "Invalid escape sequence at the end of LIKE pattern '%s'", p)
			}
			if n := p[i+1]; n == '%' || n == '_' || n == '\\' {
				i++
				c = n
			}
			cur.lit = append(cur.lit, c)
		default:
			cur.lit = append(cur.lit, c)
		}
	}
	flush()
	l.tail = cur
	return l, nil
}

// plain is how to find the literal of a pattern that has only one and no '_': %literal%, literal% or %literal.
func (l *likePattern) plain() (mark func(out []uint8, s *strs, lit []byte), lit []byte) {
	if len(l.parts) != 1 || l.parts[0].one > 0 || l.tail.one > 0 || l.fold {
		return nil, nil
	}
	lit = l.parts[0].lit
	switch {
	case l.parts[0].many && l.tail.many:
		return markContaining, lit
	case l.tail.many:
		return markPrefix, lit
	case l.parts[0].many:
		return markSuffix, lit
	}
	return nil, nil
}

// match tells whether s is of the pattern. Each literal behind a '%' is taken at its first place, which loses nothing as long as the rest
// is searched from there; only the last one must reach the end.
func (l *likePattern) match(call *Call, s []byte) bool {
	if l.fold {
		s = mapRunes(unicode.ToLower)(nil, s)
	}
	pos, ok := 0, true
	// anchor is where to start again behind the last '%', one character later, when the fixed parts behind it do not fit.
	anchor, anchorPart := -1, 0
	for k := 0; ; {
		if k == len(l.parts) {
			if end, fit := skipChars(s, pos, l.tail.one); fit && (l.tail.many || end == len(s)) {
				return true
			}
			ok = false
		} else {
			p := &l.parts[k]
			from, fit := skipChars(s, pos, p.one)
			switch {
			case !fit:
				ok = false
			case p.many:
				at := bytes.Index(s[from:], p.lit)
				if at < 0 || k > 0 && !utf8.Valid(s[from:from+at]) {
					return false
				}
				anchor, anchorPart = from+at, k
				pos = from + at + len(p.lit)
				k++
				continue
			case bytes.HasPrefix(s[from:], p.lit):
				pos = from + len(p.lit)
				k++
				continue
			default:
				ok = false
			}
		}
		if !ok {
			if anchor < 0 {
				return false
			}
			next, fit := skipChars(s, anchor, 1)
			if !fit {
				return false
			}
			p := &l.parts[anchorPart]
			call.Work(len(p.lit) + len(l.parts))
			at := bytes.Index(s[next:], p.lit)
			if at < 0 || anchorPart > 0 && !utf8.Valid(s[next:next+at]) {
				return false
			}
			anchor = next + at
			pos, k, ok = anchor+len(p.lit), anchorPart+1, true
		}
	}
}

// skipChars steps over n characters.
func skipChars(s []byte, pos, n int) (int, bool) {
	for ; n > 0; n-- {
		if pos >= len(s) {
			return pos, false
		}
		r, size := utf8.DecodeRune(s[pos:])
		if r == utf8.RuneError && size == 1 { // what is not UTF-8 is no character
			return pos, false
		}
		pos += size
	}
	return pos, true
}

func likeFunctions() []Function {
	return []Function{
		{Name: "like", MinArgs: 2, MaxArgs: 2, Bind: bindLike("like", false, 0)},
		{Name: "notLike", MinArgs: 2, MaxArgs: 2, Bind: bindLike("notLike", false, 1)},
		{Name: "ilike", MinArgs: 2, MaxArgs: 2, Bind: bindLike("ilike", true, 0)},
		{Name: "notILike", MinArgs: 2, MaxArgs: 2, Bind: bindLike("notILike", true, 1)},
	}
}

func bindLike(name string, fold bool, flip uint8) func(env *Env, args []Arg) (*Bound, error) {
	return func(_ *Env, args []Arg) (*Bound, error) {
		for i, a := range args {
			if !isText(a.Type) && !(i == 0 && a.Type.IsEnum()) {
				return nil, illegalType(name, a.Type)
			}
		}
		if p, ok := constStr(args[1]); ok {
			l, err := parseLike(p, fold)
			if err != nil {
				return nil, err
			}
			return result(uint8Type, func(call *Call) (column.Column, error) {
				return likeConst(call, l, flip), nil
			})
		}
		return result(uint8Type, func(call *Call) (column.Column, error) {
			s, p := newStrs(enumNames(call.Args[0])), newStrs(call.Args[1])
			out := make([]uint8, call.Rows)
			for i := range out {
				l, err := parseLike(string(p.at(i)), fold)
				if err != nil {
					return nil, err
				}
				out[i] = bit(l.match(call, s.at(i))) ^ flip
			}
			return column.NewNum(uint8Type, out), nil
		})
	}
}

func likeConst(call *Call, l *likePattern, flip uint8) column.Column {
	s := newStrs(enumNames(call.Args[0]))
	out := column.Make[uint8](call.Scratch, call.Rows)
	if mark, lit := l.plain(); mark != nil && !s.cst && s.width == 0 {
		mark(out, &s, lit)
		if flip != 0 {
			for i := range out {
				out[i] ^= flip
			}
		}
		return column.NewNum(uint8Type, out)
	}
	for i := range out {
		out[i] = bit(l.match(call, s.at(i))) ^ flip
	}
	return column.NewNum(uint8Type, out)
}
