package sql

import (
	"slices"
	"strconv"
	"strings"

	"dictsvc/errcode"
)

// noteAhead remembers that a sequence of keywords broke off at t, which lies behind the current token: an error is reported at
// the furthest place that a reading came to.
func (p *parser) noteAhead(t token, word string) {
	if !p.collect || t.kind >= tokError || t.pos < p.ahead.pos {
		return
	}
	if t.pos > p.ahead.pos {
		p.ahead, p.aheadExpected = t, nil
	}
	p.aheadExpected = append(p.aheadExpected, word)
}

// errUnexplained is the error of a parse that did not collect what could have stood where it failed.
var errUnexplained = errcode.New(errcode.SyntaxError, "Syntax error")

// unexpected fails at the current token: what names that which should have stood there.
func (p *parser) unexpected(what string) {
	if p.err != nil {
		return
	}
	if !p.collect { // only whether and where it fails matters
		p.fail(p.tok.pos, errUnexplained)
		return
	}
	p.note(what)
	switch {
	case p.ahead.pos > p.tok.pos:
		p.tok, p.expected = p.ahead, p.aheadExpected
	case p.ahead.pos == p.tok.pos:
		p.expected = append(p.aheadExpected, p.expected...)
	}
	var list []string
	for _, e := range p.expected {
		if !slices.Contains(list, e) {
			list = append(list, e)
		}
	}
	text := "Expected " + list[0]
	if len(list) > 1 {
		text = "Expected one of: " + strings.Join(list, ", ")
	}
	if at, brackets := unmatchedBrackets(p.lex.text); brackets != "" {
		p.failSyntax("", at, at+1, "Unmatched parentheses: "+brackets)
		return
	}
	p.failSyntax("", p.tok.pos, p.tok.end, text)
}

// lexicalError fails at a token that is none.
func (p *parser) lexicalError() {
	p.failSyntax(lexErrors[p.tok.kind]+": ", p.tok.pos, p.tok.end, "")
}

// shownText is how much of the query an error shows from the failed place on.
const shownText = 160

// failSyntax fails with code 62 and ClickHouse's text: the place, the token, the text from there on, what was expected.
func (p *parser) failSyntax(prefix string, pos, end int, expected string) {
	var b strings.Builder
	b.WriteString(prefix)
	b.WriteString("Syntax error: failed at position ")
	b.WriteString(strconv.Itoa(pos + 1))
	text := p.lex.text
	if pos >= len(text) || p.tok.kind == tokEnd && pos == p.tok.pos {
		b.WriteString(" (end of query)")
	} else {
		b.WriteString(" (" + clip(text[pos:end], shownText) + ")")
	}
	if pos <= len(text) && strings.IndexByte(text, '\n') >= 0 {
		line := strings.Count(text[:pos], "\n")
		column := pos - strings.LastIndexByte(text[:pos], '\n')
		b.WriteString(" (line " + strconv.Itoa(line+1) + ", col " + strconv.Itoa(column) + ")")
	}
	b.WriteString(": ")
	if pos < len(text) {
		b.WriteString(clip(text[pos:statementEnd(text, pos)], shownText))
	}
	b.WriteString(". ")
	b.WriteString(expected)
	p.fail(pos, errcode.New(errcode.SyntaxError, "%s", b.String()))
}

// clip cuts a text to n bytes and marks the cut.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return s[:n] + "..."
}

// fail records the first error and makes the current token the end of the text.
func (p *parser) fail(pos int, err error) {
	if p.err != nil {
		return
	}
	p.err, p.errPos = err, pos
	p.tok = token{tokEnd, len(p.lex.text), len(p.lex.text)}
	p.lex.at = len(p.lex.text)
}

// error is the error to report: of the errors met on the way, the one that lies furthest in the text.
func (p *parser) error() error {
	if p.far != nil && p.farPos > p.errPos && !isFatal(p.err) {
		return p.far
	}
	return p.err
}

// isFatal says whether an error ends the parse even where another reading could be tried.
func isFatal(err error) bool { return errcode.Of(err) != errcode.SyntaxError }

// failCode fails with another code than that of a syntax error.
func (p *parser) failCode(code errcode.Code, format string, args ...any) {
	p.fail(p.tok.pos, errcode.New(code, format, args...))
}

// unmatchedBrackets looks for brackets that do not match, in the whole statement, as ClickHouse does once a
// parse has failed.
func unmatchedBrackets(text string) (at int, brackets string) {
	type open struct {
		pos  int
		kind tokenKind
	}
	var stack []open
	l := lexer{text: text}
	for {
		t := l.next()
		switch t.kind {
		case tokLRound, tokLSquare:
			stack = append(stack, open{t.pos, t.kind})
		case tokRRound, tokRSquare:
			if len(stack) == 0 {
				return t.pos, text[t.pos:t.end]
			}
			top := stack[len(stack)-1]
			if (top.kind == tokLRound) != (t.kind == tokRRound) {
				return top.pos, text[top.pos:top.pos+1] + text[t.pos:t.end]
			}
			stack = stack[:len(stack)-1]
		default:
			if t.kind != tokEnd && t.kind != tokSemicolon && t.kind < tokError {
				continue
			}
			if len(stack) == 0 {
				return 0, ""
			}
			var b strings.Builder
			for _, o := range stack[:min(len(stack), shownText)] {
				b.WriteByte(text[o.pos])
			}
			return stack[0].pos, b.String()
		}
	}
}

// statementEnd is where the statement that holds the byte at pos ends: after the next semicolon, or at the text's end.
func statementEnd(text string, pos int) int {
	l := lexer{text: text, at: pos}
	for {
		switch t := l.next(); {
		case t.kind == tokSemicolon:
			return t.end
		case t.kind == tokEnd || t.kind >= tokError || t.pos > pos+shownText:
			return len(text)
		}
	}
}
