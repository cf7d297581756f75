package sql

// parseStatement parses a statement of any kind, chosen by its first word.
func (p *parser) parseStatement() Statement {
	if p.is(tokLRound) {
		return p.parseSelectQuery(true)
	}
	if !p.is(tokWord) {
		p.unexpected("query")
		return nil
	}
	for _, kind := range statementKinds() {
		if p.isWord(kind.word) {
			return kind.parse(p)
		}
	}
	for _, verb := range genericVerbs {
		if p.isWord(verb) && p.peek().kind != tokEnd || p.isWord(verb) && (verb == "COMMIT" || verb == "ROLLBACK" || verb == "BEGIN") {
			return p.parseGeneric(verb)
		}
	}
	p.unexpected("query")
	return nil
}

// statementKind is the parser of the statements that begin with a word.
type statementKind struct {
	word  string
	parse func(*parser) Statement
}

// statementKinds is a function because the parsers come back to it (EXPLAIN holds a statement).
func statementKinds() []statementKind {
	return []statementKind{
		{"SELECT", func(p *parser) Statement { return p.parseSelectQuery(true) }},
		{"WITH", func(p *parser) Statement { return p.parseSelectQuery(true) }},
		{"FROM", func(p *parser) Statement { return p.parseSelectQuery(true) }},
		{"INSERT", (*parser).parseInsert},
		{"CREATE", (*parser).parseCreate},
		{"REPLACE", (*parser).parseCreate},
		{"ATTACH", (*parser).parseCreate},
		{"DROP", (*parser).parseDrop},
		{"DETACH", (*parser).parseDrop},
		{"TRUNCATE", (*parser).parseDrop},
		{"RENAME", (*parser).parseRename},
		{"EXCHANGE", (*parser).parseRename},
		{"SHOW", (*parser).parseShow},
		{"DESCRIBE", (*parser).parseDescribe},
		{"DESC", (*parser).parseDescribe},
		{"EXISTS", (*parser).parseExistsStatement},
		{"USE", (*parser).parseUse},
		{"SET", (*parser).parseSet},
		{"SYSTEM", (*parser).parseSystem},
		{"KILL", (*parser).parseKill},
		{"EXPLAIN", func(p *parser) Statement { return p.parseExplain() }},
	}
}

// genericVerbs begin statements that are known, but not broken down.
var genericVerbs = []string{
	"ALTER", "OPTIMIZE", "GRANT", "REVOKE", "CHECK", "BEGIN", "COMMIT", "ROLLBACK", "BACKUP", "RESTORE", "WATCH", "UNDROP", "UPDATE", "DELETE",
	"MOVE", "EXECUTE", "COPY",
}

// parseGeneric consumes the rest of the statement.
func (p *parser) parseGeneric(verb string) Statement {
	g := &GenericStatement{Position: Position(p.tok.pos), Verb: verb}
	depth := 0
	p.advance()
	for p.err == nil && !p.is(tokEnd) && (depth > 0 || !p.is(tokSemicolon)) {
		switch p.tok.kind {
		case tokLRound:
			depth++
		case tokRRound:
			if depth--; depth < 0 {
				p.unexpected("end of query")
			}
		}
		p.advance()
	}
	if p.err == nil {
		if depth > 0 {
			p.unexpected("ClosingRoundBracket")
		}
		g.Text = p.lex.text[g.Position:p.prevEnd]
	}
	return g
}

// parseTableName parses [db.]table.
func (p *parser) parseTableName() TableName {
	pos := p.tok.pos
	name, ok := tableName(p.parseIdent())
	if !ok {
		p.unexpected("table name")
	}
	name.Position = Position(pos)
	return name
}

// parseDatabaseName parses a database's name.
func (p *parser) parseDatabaseName() TableName {
	name := TableName{Position: Position(p.tok.pos)}
	if p.is(tokLCurly) {
		name.DatabaseParam = p.parseParam()
		return name
	}
	name.Database = p.parseName("identifier")
	return name
}

// parseCluster parses ON CLUSTER name.
func (p *parser) parseCluster() string {
	if !p.acceptWords("ON", "CLUSTER") {
		return ""
	}
	if p.is(tokString) && p.tok.end > p.tok.pos+2 {
		return p.parseString()
	}
	return p.parseName("identifier")
}

// parseUUID parses UUID '...'.
func (p *parser) parseUUID() string {
	if !p.acceptWord("UUID") {
		return ""
	}
	return p.parseString()
}

func (p *parser) acceptIfExists() bool    { return p.acceptWords("IF", "EXISTS") }
func (p *parser) acceptIfNotExists() bool { return p.acceptWords("IF", "NOT", "EXISTS") }

// acceptComment parses COMMENT 'text'.
func (p *parser) acceptComment() (string, bool) {
	if !p.acceptWord("COMMENT") {
		return "", false
	}
	return p.parseString(), true
}
