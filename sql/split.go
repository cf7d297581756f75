package sql

import "strings"

// Part is one statement of a text that holds several.
type Part struct {
	Statement Statement
	// Text is the statement without the semicolon behind it; with it goes INSERT's inline data. Positions in Statement count from its beginning.
	Text string
	// Offset is where Text begins in the whole text.
	Offset int
}

// ParseMulti cuts a text at its semicolons and parses each statement. Data of INSERT ... VALUES ends at the semicolon
// behind its tuples, that of other formats at the end of the text, as ClickHouse's client has it. Positions in errors count
// from the beginning of the statement they belong to; what was parsed before the error is returned with it.
func ParseMulti(text string, opts Options) ([]Part, error) {
	var parts []Part
	for at := 0; ; {
		rest := text[at:]
		l := lexer{text: rest}
		first := l.next()
		if first.kind == tokSemicolon {
			at += first.end
			continue
		}
		if first.kind == tokEnd {
			return parts, nil
		}
		rest = rest[first.pos:]
		at += first.pos
		var stmt Statement
		p, err := parseText(rest, opts, func(p *parser) {
			stmt = p.parseStatement()
			if !p.is(tokSemicolon) {
				p.expectEnd()
			}
		})
		if err == nil {
			err = checkSize(stmt, opts.withDefaults())
		}
		if err != nil {
			return parts, err
		}
		end := p.prevEnd
		parts = append(parts, Part{Statement: stmt, Text: strings.TrimRight(rest[:end], " \t\r\n"), Offset: at})
		at += end
	}
}
