package sql

import (
	"strings"

	"dictsvc/errcode"
)

// parser is the state of one parse. An error is kept in err, and from then on the current token is the end
// of the text, so that every loop ends; the first error wins.
type parser struct {
	lex    lexer
	tok    token
	opts   Options
	depth  int
	err    error
	errPos int
	// collect says that what could stand at a place is noted for the error text. A text is parsed without it first; one that fails
	// is parsed again, so that only errors pay for their explanation.
	collect  bool
	expected []string
	// ahead is the token behind the current one at which a sequence of keywords broke off, with the words missed there.
	ahead         token
	aheadExpected []string
	prevEnd       int  // end of the last consumed token
	dataMode      bool // an INSERT's inline data follows: the rest of the text is not SQL
	// tableCall says that the call to be parsed next stands where a table does: view(SELECT ...) may.
	tableCall bool
	far       error // the furthest error of a reading that was given up
	farPos    int
	failed    map[int]struct{} // where the special reading of a word was tried in vain
}

// Parse parses one statement. A semicolon and comments may follow it, nothing else, except inline data of INSERT.
func Parse(text string, opts Options) (Statement, error) {
	var stmt Statement
	_, err := parseText(text, opts, func(p *parser) {
		stmt = p.parseStatement()
		for p.err == nil && !p.dataMode && p.accept(tokSemicolon) {
		}
		p.expectEnd()
	})
	if err == nil {
		err = checkSize(stmt, opts.withDefaults())
	}
	if err != nil {
		return nil, err
	}
	return stmt, nil
}

// ParseExpr parses an expression on its own.
func ParseExpr(text string, opts Options) (Expr, error) {
	var expr Expr
	_, err := parseText(text, opts, func(p *parser) {
		expr = p.parseExpr()
		p.expectEnd()
	})
	if err == nil {
		err = checkExprSize(expr, opts.withDefaults())
	}
	if err != nil {
		return nil, err
	}
	return expr, nil
}

// ParseType parses the name of a data type.
func ParseType(text string, opts Options) (*TypeExpr, error) {
	var t *TypeExpr
	_, err := parseText(text, opts, func(p *parser) {
		t = p.parseType()
		p.expectEnd()
	})
	if err != nil {
		return nil, err
	}
	return t, nil
}

// parseText runs parse over a text, twice if it fails: the second time to find out what would have been right.
func parseText(text string, opts Options, parse func(*parser)) (*parser, error) {
	opts = opts.withDefaults()
	for _, collect := range [...]bool{false, true} {
		p := &parser{lex: lexer{text: text}, opts: opts, collect: collect}
		p.advance()
		parse(p)
		if p.err == nil {
			return p, nil
		}
		if collect || isFatal(p.err) {
			return nil, p.error()
		}
	}
	return nil, nil
}

// expectEnd fails if anything is left of the text.
func (p *parser) expectEnd() {
	if p.err == nil && p.tok.kind != tokEnd {
		p.unexpected("end of query")
	}
}

// advance goes to the next token.
func (p *parser) advance() {
	if p.err != nil {
		return
	}
	p.prevEnd = p.tok.end
	p.tok = p.lex.next()
	p.expected = p.expected[:0]
	if p.tok.end > p.opts.MaxQuerySize {
		p.tok.kind = tokErrorQuerySize
	}
	if p.tok.kind >= tokError {
		p.lexicalError()
	}
}

// mark is a place to come back to.
type mark struct {
	lex     lexer
	tok     token
	prevEnd int
}

func (p *parser) mark() mark { return mark{p.lex, p.tok, p.prevEnd} }

func (p *parser) reset(m mark) {
	p.lex, p.tok, p.prevEnd = m.lex, m.tok, m.prevEnd
}

// peek is the token after the current one.
func (p *parser) peek() token {
	if p.err != nil {
		return p.tok
	}
	l := p.lex
	return l.next()
}

// text is the text of a token.
func (p *parser) text(t token) string { return p.lex.text[t.pos:t.end] }

// is says whether the current token is of a kind.
func (p *parser) is(kind tokenKind) bool { return p.tok.kind == kind }

// accept consumes the current token if it is of a kind.
func (p *parser) accept(kind tokenKind) bool {
	if p.tok.kind != kind || p.err != nil {
		return false
	}
	p.advance()
	return true
}

// expect consumes a token of a kind, or fails.
func (p *parser) expect(kind tokenKind, name string) bool {
	if p.accept(kind) {
		return true
	}
	p.unexpected(name)
	return false
}

// tokenIs says whether a token is the keyword word (in upper case).
func (p *parser) tokenIs(t token, word string) bool {
	return t.kind == tokWord && t.end-t.pos == len(word) && equalFold(p.text(t), word)
}

// isWord says whether the current token is a keyword. What was asked for and not found is remembered for the error text.
func (p *parser) isWord(word string) bool {
	if p.tokenIs(p.tok, word) {
		return true
	}
	p.note(word)
	return false
}

// isWords says whether the keywords follow one another from the current token on.
func (p *parser) isWords(words ...string) bool {
	if !p.tokenIs(p.tok, words[0]) {
		if p.collect {
			p.note(strings.Join(words, " "))
		}
		return false
	}
	l := p.lex
	for _, word := range words[1:] {
		if t := l.next(); !p.tokenIs(t, word) {
			p.noteAhead(t, word)
			return false
		}
	}
	return true
}

// acceptWord consumes a keyword if it stands here.
func (p *parser) acceptWord(word string) bool {
	if p.err != nil || !p.isWord(word) {
		return false
	}
	p.advance()
	return true
}

// acceptWords consumes a sequence of keywords if all of it stands here.
func (p *parser) acceptWords(words ...string) bool {
	if p.err != nil || !p.isWords(words...) {
		return false
	}
	for range words {
		p.advance()
	}
	return true
}

// expectWord consumes a keyword, or fails.
func (p *parser) expectWord(word string) bool {
	if p.acceptWord(word) {
		return true
	}
	p.unexpected(word)
	return false
}

// note remembers something that could have stood at the current token.
func (p *parser) note(what string) {
	if p.collect && len(p.expected) < 64 {
		p.expected = append(p.expected, what)
	}
}

// enter counts a level of nesting; leave must follow where it returned true.
func (p *parser) enter() bool {
	if p.err != nil {
		return false
	}
	if p.depth >= p.opts.MaxDepth {
		p.failCode(errcode.TooDeepRecursion, "Maximum parse depth (%d) exceeded. Consider rising max_parser_depth parameter", p.opts.MaxDepth)
		return false
	}
	p.depth++
	return true
}

func (p *parser) leave() { p.depth-- }
