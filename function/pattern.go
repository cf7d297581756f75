package function

import (
	"io"
	"regexp"
	"regexp/syntax"
	"sync"
	"unicode/utf8"

	"dictsvc/errcode"
)

// pattern is a compiled regular expression. Go's matcher takes time that grows with the product of the text's length and the expression's size, cannot be
// interrupted, and gives all matches of a text at once. So texts for which that is much are fed to it character by character, by a reader that knows when
// the query ends, and searched match by match.
type pattern struct {
	re   *regexp.Regexp
	text string
	size int
	// empty tells that it matches an empty text.
	empty bool

	once sync.Once
	next *regexp.Regexp
}

const (
	// maxPatternSize bounds the steps of a compiled expression, as RE2's memory does.
	maxPatternSize = 350_000
	// easyWork is the product of length and size up to which a text is searched at once.
	easyWork = 1 << 19
)

// compileRegexp compiles RE2 syntax, which Go's is, with a dot that takes line ends, as ClickHouse sets it.
func compileRegexp(p string) (*pattern, error) {
	fail := func(why any) error {
		return errcode.New(427, "OptimizedRegularExpression: cannot compile re2: %s, error: %v. Look at https://github.com/google/re2/wiki/Syntax for reference. "+
			"Please note that if you specify regex as an SQL string literal, the slashes have to be additionally escaped", p, why)
	}
	tree, err := syntax.Parse("(?s)"+p, syntax.Perl)
	if err != nil {
		return nil, fail(err)
	}
	size := patternSize(tree)
	if size > maxPatternSize {
		return nil, fail("pattern too large - compile failed")
	}
	re, err := regexp.Compile("(?s)" + p)
	if err != nil {
		return nil, fail(err)
	}
	return &pattern{re: re, text: p, size: size + 1, empty: re.MatchString("")}, nil
}

// patternSize is about the number of steps that an expression compiles to.
func patternSize(t *syntax.Regexp) int {
	n := 1 + len(t.Rune)/2
	for _, sub := range t.Sub {
		n += patternSize(sub)
	}
	if t.Op == syntax.OpRepeat {
		n *= max(1, t.Min, t.Max)
	}
	return min(n, maxPatternSize+1)
}

// hard tells whether a text is to be searched with care.
func (p *pattern) hard(s []byte) bool {
	return len(s)*max(p.size, p.re.NumSubexp()+1) > easyWork
}

// watchedText reads a text's characters for a matcher, and ends the text where the query ends.
type watchedText struct {
	call *Call
	s    []byte
	at   int
	cost int
}

func (r *watchedText) ReadRune() (c rune, size int, err error) {
	if r.at >= len(r.s) {
		return 0, 0, io.EOF
	}
	if r.at&0x3FF == 0 || r.cost > tickWork>>10 {
		r.call.Work(r.cost << 10)
	}
	if c = rune(r.s[r.at]); c < utf8.RuneSelf {
		r.at++
		return c, 1, nil
	}
	c, size = utf8.DecodeRune(r.s[r.at:])
	r.at += size
	return c, size, nil
}

func (p *pattern) watched(call *Call, s []byte) *watchedText {
	return &watchedText{call: call, s: s, cost: 8 + 4*p.size}
}

// match tells whether the expression matches anywhere.
func (p *pattern) match(call *Call, s []byte) bool {
	if p.hard(s) {
		return p.re.MatchReader(p.watched(call, s))
	}
	return p.re.Match(s)
}

// find is the first match: its groups' places, nil where there is none.
func (p *pattern) find(call *Call, s []byte) []int {
	if p.hard(s) {
		return p.re.FindReaderSubmatchIndex(p.watched(call, s))
	}
	return p.re.FindSubmatchIndex(s)
}

// each calls f with the groups' places of every match.
func (p *pattern) each(call *Call, s []byte, f func(m []int)) {
	if !p.hard(s) {
		for _, m := range p.re.FindAllSubmatchIndex(s, -1) {
			f(m)
		}
		return
	}
	p.oneByOne(call, s, false, f)
}

// eachAdjacent is each where an empty match right behind another one counts.
func (p *pattern) eachAdjacent(call *Call, s []byte, f func(m []int)) {
	if p.empty {
		p.oneByOne(call, s, true, f)
		return
	}
	p.each(call, s, f)
}

// oneByOne searches a text match by match. Whether an empty match right behind another counts is the caller's choice.
func (p *pattern) oneByOne(call *Call, s []byte, adjacent bool, f func(m []int)) {
	lastEmpty := false
	for pos, last := 0, -1; pos <= len(s); {
		m := p.findFrom(call, s, pos)
		if m == nil {
			return
		}
		call.Work(p.size)
		start, end := m[0], m[1]
		if end > pos && start < end || start != last || adjacent && !lastEmpty {
			f(m)
			lastEmpty = start == end
		}
		last = end
		if end > pos {
			pos = end
		} else if _, width := utf8.DecodeRune(s[pos:]); width > 0 {
			pos += width
		} else {
			return
		}
	}
}

// findFrom is the first match that begins at pos or behind. What is in front of pos counts for ^ and \b: the search begins at the character there, which
// another expression passes over.
func (p *pattern) findFrom(call *Call, s []byte, pos int) []int {
	if pos == 0 {
		return p.find(call, s)
	}
	p.once.Do(func() { p.next = regexp.MustCompile(`\A(?s:.)(?s:.*?)((?s)` + p.text + `)`) })
	_, width := utf8.DecodeLastRune(s[:pos])
	base := pos - width
	m := p.next.FindReaderSubmatchIndex(p.watched(call, s[base:]))
	if m == nil {
		return nil
	}
	m = m[2:]
	for i := range m {
		if m[i] >= 0 {
			m[i] += base
		}
	}
	return m
}
