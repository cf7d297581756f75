package sql

import "strings"

// tokenKind is the class of a token.
type tokenKind uint8

const (
	tokEnd tokenKind = iota
	tokWord
	tokQuotedIdent // `a` or "a"
	tokNumber
	tokString
	tokHeredoc // $$text$$
	tokHexString
	tokBinString
	tokLRound
	tokRRound
	tokLSquare
	tokRSquare
	tokLCurly
	tokRCurly
	tokComma
	tokSemicolon
	tokVerticalEnd // \G
	tokDot
	tokAsterisk
	tokPlus
	tokMinus
	tokSlash
	tokPercent
	tokArrow
	tokQuestion
	tokColon
	tokDoubleColon
	tokEquals
	tokNotEquals
	tokLess
	tokGreater
	tokLessEquals
	tokGreaterEquals
	tokSpaceship
	tokConcat
	tokPipe
	tokCaret
	tokAt
	tokDoubleAt

	// Everything from here on is an error of the lexer.
	tokError
	tokErrorComment
	tokErrorSingleQuote
	tokErrorDoubleQuote
	tokErrorBackQuote
	tokErrorExclamation
	tokErrorNumber
	tokErrorQuerySize
)

// lexErrors are ClickHouse's texts for the tokens that are errors.
var lexErrors = [...]string{
	tokError:            "Unrecognized token",
	tokErrorComment:     "Multiline comment is not closed",
	tokErrorSingleQuote: "Single quoted string is not closed",
	tokErrorDoubleQuote: "Double quoted string is not closed",
	tokErrorBackQuote:   "Back quoted string is not closed",
	tokErrorExclamation: "Exclamation mark can only occur in != operator",
	tokErrorNumber:      "Wrong number",
	tokErrorQuerySize:   "Max query size exceeded (can be increased with the `max_query_size` setting)",
}

// token is a significant token: text[pos:end].
type token struct {
	kind     tokenKind
	pos, end int
}

// lexer cuts a text into tokens, one a call, skipping whitespace and comments. It holds no more than
// three words of state, so that copying it is how the parser looks ahead.
type lexer struct {
	text string
	at   int
	prev tokenKind // the previous significant token: it decides what a dot means
}

// next returns the next token. At the end of the text, and after an error, it keeps returning the same.
func (l *lexer) next() token {
	if bad, ok := l.skipSpace(); !ok {
		return bad
	}
	start := l.at
	if start >= len(l.text) {
		return token{tokEnd, start, start}
	}
	kind := l.scan(l.text[start])
	if kind < tokError {
		l.prev = kind
	}
	return token{kind, start, l.at}
}

// skipSpace skips whitespace and comments; ok is false at a comment that does not end.
func (l *lexer) skipSpace() (bad token, ok bool) {
	s := l.text
	for l.at < len(s) {
		switch c := s[l.at]; {
		case c == ' ' || (c >= '\t' && c <= '\r'):
			l.at++
		case c == '-' && strings.HasPrefix(s[l.at:], "--"),
			c == '/' && strings.HasPrefix(s[l.at:], "//"),
			c == '#' && l.at+1 < len(s) && (s[l.at+1] == ' ' || s[l.at+1] == '!'):
			end := strings.IndexByte(s[l.at:], '\n')
			if end < 0 {
				l.at = len(s)
			} else {
				l.at += end + 1
			}
		case c == '/' && strings.HasPrefix(s[l.at:], "/*"):
			end := strings.Index(s[l.at+2:], "*/")
			if end < 0 {
				return token{tokErrorComment, l.at, len(s)}, false
			}
			l.at += 2 + end + 2
		case c >= 0x80:
			n := unicodeSpace(s[l.at:])
			if n == 0 {
				return token{}, true
			}
			l.at += n
		default:
			return token{}, true
		}
	}
	return token{}, true
}

// unicodeSpace is the length of the Unicode space, or invisible character, with which s begins; 0 for none.
func unicodeSpace(s string) int {
	for _, space := range [...]string{
		"\u0085", "\u00a0", "\u1680", "\u180e", "\u2000", "\u2001", "\u2002", "\u2003", "\u2004", "\u2005", "\u2006", "\u2007",
		"\u2008", "\u2009", "\u200a", "\u200b", "\u200c", "\u200d", "\u2028", "\u2029", "\u202f", "\u205f", "\u2060", "\u3000", "\ufeff",
	} {
		if strings.HasPrefix(s, space) {
			return len(space)
		}
	}
	return 0
}

// take consumes n bytes and names the token.
func (l *lexer) take(n int, kind tokenKind) tokenKind {
	l.at += n
	return kind
}

// scan reads the token that begins with c.
func (l *lexer) scan(c byte) tokenKind {
	s := l.text[l.at:]
	switch {
	case isDigit(c):
		return l.scanNumber()
	case c == '.':
		if len(s) > 1 && isDigit(s[1]) && !l.afterOperand() {
			return l.scanNumber()
		}
		return l.take(1, tokDot)
	case (c == 'x' || c == 'X' || c == 'b' || c == 'B') && len(s) > 1 && s[1] == '\'':
		return l.scanBinary(c)
	case isWordByte(c):
		return l.scanWord()
	}
	switch c {
	case '\'':
		return l.scanQuoted('\'', tokString, tokErrorSingleQuote)
	case '"':
		return l.scanQuoted('"', tokQuotedIdent, tokErrorDoubleQuote)
	case '`':
		return l.scanQuoted('`', tokQuotedIdent, tokErrorBackQuote)
	case '$':
		return l.scanDollar()
	case 0xE2:
		return l.scanCurlyQuote()
	}
	return l.scanOperator(c, s)
}

// scanOperator reads brackets, punctuation and operators.
func (l *lexer) scanOperator(c byte, s string) tokenKind {
	second, third := byte(0), byte(0)
	if len(s) > 1 {
		second = s[1]
	}
	if len(s) > 2 {
		third = s[2]
	}
	switch c {
	case '(':
		return l.take(1, tokLRound)
	case ')':
		return l.take(1, tokRRound)
	case '[':
		return l.take(1, tokLSquare)
	case ']':
		return l.take(1, tokRSquare)
	case '{':
		return l.take(1, tokLCurly)
	case '}':
		return l.take(1, tokRCurly)
	case ',':
		return l.take(1, tokComma)
	case ';':
		return l.take(1, tokSemicolon)
	case '*':
		return l.take(1, tokAsterisk)
	case '+':
		return l.take(1, tokPlus)
	case '/':
		return l.take(1, tokSlash)
	case '%':
		return l.take(1, tokPercent)
	case '?':
		return l.take(1, tokQuestion)
	case '^':
		return l.take(1, tokCaret)
	case '-':
		if second == '>' {
			return l.take(2, tokArrow)
		}
		return l.take(1, tokMinus)
	case ':':
		if second == ':' {
			return l.take(2, tokDoubleColon)
		}
		return l.take(1, tokColon)
	case '=':
		if second == '=' {
			return l.take(2, tokEquals)
		}
		return l.take(1, tokEquals)
	case '!':
		if second == '=' {
			return l.take(2, tokNotEquals)
		}
		return l.take(1, tokErrorExclamation)
	case '<':
		switch {
		case second == '=' && third == '>':
			return l.take(3, tokSpaceship)
		case second == '=':
			return l.take(2, tokLessEquals)
		case second == '>':
			return l.take(2, tokNotEquals)
		}
		return l.take(1, tokLess)
	case '>':
		if second == '=' {
			return l.take(2, tokGreaterEquals)
		}
		return l.take(1, tokGreater)
	case '|':
		if second == '|' {
			return l.take(2, tokConcat)
		}
		return l.take(1, tokPipe)
	case '@':
		if second == '@' {
			return l.take(2, tokDoubleAt)
		}
		return l.take(1, tokAt)
	case '\\':
		if second == 'G' {
			return l.take(2, tokVerticalEnd)
		}
	}
	return l.take(1, tokError)
}

// afterOperand says whether the previous token ends an operand, or may: a dot after it selects an element.
func (l *lexer) afterOperand() bool {
	switch l.prev {
	case tokRRound, tokRSquare, tokWord, tokQuotedIdent, tokNumber:
		return true
	}
	return false
}

// scanNumber reads a number. After a dot it is a plain integer (t.1.2); a number that runs on into letters
// without a decimal point is a word, for names may begin with a digit.
func (l *lexer) scanNumber() tokenKind {
	s, i := l.text, l.at
	digits := func(isDigit func(byte) bool) {
		for i < len(s) && (isDigit(s[i]) || (s[i] == '_' && i+1 < len(s) && isDigit(s[i+1]) && i > l.at && isDigit(s[i-1]))) {
			i++
		}
	}
	if l.prev == tokDot {
		digits(isDigit)
	} else {
		digit, exponent := isDigit, byte('e')
		if s[i] == '0' && i+2 < len(s) && lower(s[i+1]) == 'x' && isHexDigit(s[i+2]) {
			i, digit, exponent = i+2, isHexDigit, 'p'
		} else if s[i] == '0' && i+2 < len(s) && lower(s[i+1]) == 'b' && (s[i+2] == '0' || s[i+2] == '1') {
			i += 2
			digit = func(c byte) bool { return c == '0' || c == '1' }
		}
		digits(digit)
		if i < len(s) && s[i] == '.' {
			i++
			digits(digit)
		}
		if i < len(s) && lower(s[i]) == exponent {
			j := i + 1
			if j < len(s) && (s[j] == '+' || s[j] == '-') {
				j++
			}
			if j < len(s) && isDigit(s[j]) {
				i = j
				digits(isDigit)
			}
		}
	}
	kind := tokNumber
	if i < len(s) && isWordByte(s[i]) {
		kind = tokWord
		for i < len(s) && isWordByte(s[i]) {
			i++
		}
		for _, c := range []byte(s[l.at:i]) {
			if !isWordByte(c) {
				kind = tokErrorNumber
			}
		}
	}
	l.at = i
	return kind
}

// scanWord reads a bare word.
func (l *lexer) scanWord() tokenKind {
	s, i := l.text, l.at
	for i < len(s) && (isWordByte(s[i]) || s[i] == '$') {
		i++
	}
	l.at = i
	return tokWord
}

// scanQuoted reads text between quotes, in which a backslash escapes the next byte and a doubled quote stands for itself.
func (l *lexer) scanQuoted(quote byte, kind, bad tokenKind) tokenKind {
	s := l.text
	for i := l.at + 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case quote:
			if i+1 < len(s) && s[i+1] == quote {
				i++
				continue
			}
			l.at = i + 1
			return kind
		}
	}
	l.at = len(s)
	return bad
}

// scanBinary reads x'4142' or b'0110'; other characters in it make it an unclosed string, as ClickHouse says.
func (l *lexer) scanBinary(prefix byte) tokenKind {
	s, i := l.text, l.at+2
	kind, digit := tokHexString, isHexDigit
	if lower(prefix) == 'b' {
		kind, digit = tokBinString, func(c byte) bool { return c == '0' || c == '1' }
	}
	for i < len(s) && digit(s[i]) {
		i++
	}
	if i >= len(s) || s[i] != '\'' {
		l.at = len(s)
		return tokErrorSingleQuote
	}
	l.at = i + 1
	return kind
}

// scanDollar reads a heredoc, $tag$text$tag$, or a word that begins with a dollar sign.
func (l *lexer) scanDollar() tokenKind {
	s, i := l.text, l.at+1
	for i < len(s) && isWordByte(s[i]) {
		i++
	}
	if i < len(s) && s[i] == '$' {
		tag := s[l.at : i+1]
		if end := strings.Index(s[i+1:], tag); end >= 0 {
			l.at = i + 1 + end + len(tag)
			return tokHeredoc
		}
	}
	if l.at+1 < len(s) && (isWordByte(s[l.at+1]) || s[l.at+1] == '$') {
		return l.scanWord()
	}
	return l.take(1, tokError)
}

// scanCurlyQuote reads ‘text’ and “name”.
func (l *lexer) scanCurlyQuote() tokenKind {
	rest := l.text[l.at:]
	for _, q := range [...]struct {
		open, close string
		kind        tokenKind
	}{{"\u2018", "\u2019", tokString}, {"\u201c", "\u201d", tokQuotedIdent}} {
		if !strings.HasPrefix(rest, q.open) {
			continue
		}
		if end := strings.Index(rest[3:], q.close); end >= 0 {
			return l.take(3+end+3, q.kind)
		}
		l.at = len(l.text)
		if q.kind == tokString {
			return tokErrorSingleQuote
		}
		return tokErrorDoubleQuote
	}
	return l.take(1, tokError)
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isHexDigit(c byte) bool { return isDigit(c) || (lower(c) >= 'a' && lower(c) <= 'f') }

func isWordByte(c byte) bool { return isDigit(c) || c == '_' || (lower(c) >= 'a' && lower(c) <= 'z') }
