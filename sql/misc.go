package sql

import "strings"

// parseUse parses USE database.
func (p *parser) parseUse() Statement {
	u := &Use{Position: Position(p.tok.pos)}
	p.advance()
	if p.isWord("DATABASE") && (p.peek().kind == tokWord || p.peek().kind == tokQuotedIdent) {
		p.advance()
	}
	name := p.parseDatabaseName()
	u.Database, u.DatabaseParam = name.Database, name.DatabaseParam
	return u
}

// parseSet parses SET a = 1, b = 'x'; SET ROLE and SET DEFAULT ROLE and SET TRANSACTION are known only.
func (p *parser) parseSet() Statement {
	s := &Set{Position: Position(p.tok.pos)}
	if next := p.peek(); p.tokenIs(next, "ROLE") || p.tokenIs(next, "DEFAULT") || p.tokenIs(next, "TRANSACTION") {
		if p.lexAfter(next).kind == tokWord {
			return p.parseGeneric("SET")
		}
	}
	p.advance()
	s.Settings = p.parseSettings()
	return s
}

// systemCommands are the words of SYSTEM, the longer ones of the same beginning first. target says what may follow.
var systemCommands = []struct {
	text   string
	target systemTarget
}{
	{"RELOAD DICTIONARIES", noTarget},
	{"RELOAD DICTIONARY", needsTable},
	{"RELOAD EMBEDDED DICTIONARIES", noTarget},
	{"RELOAD MODELS", noTarget}, {"RELOAD MODEL", anyWords},
	{"RELOAD FUNCTIONS", noTarget}, {"RELOAD FUNCTION", anyWords},
	{"RELOAD CONFIG", noTarget}, {"RELOAD USERS", noTarget},
	{"RELOAD ASYNCHRONOUS METRICS", noTarget},
	{"UNLOAD DICTIONARIES", noTarget}, {"UNLOAD DICTIONARY", needsTable},
	{"FLUSH LOGS", anyWords},
	{"FLUSH DISTRIBUTED", needsTable},
	{"FLUSH ASYNC INSERT QUEUE", anyWords},
	{"SHUTDOWN", noTarget},
	{"KILL", noTarget},
	{"SUSPEND FOR", anyWords},
	{"DROP", anyWords}, {"CLEAR", anyWords}, {"STOP", anyWords}, {"START", anyWords}, {"SYNC", anyWords}, {"RESTART", anyWords}, {"RESTORE", anyWords},
	{"REFRESH VIEW", needsTable}, {"WAIT", anyWords}, {"CANCEL VIEW", needsTable}, {"TEST VIEW", anyWords},
	{"ENABLE FAILPOINT", anyWords}, {"DISABLE FAILPOINT", anyWords}, {"JEMALLOC", anyWords}, {"LOAD PRIMARY KEY", anyWords}, {"UNLOAD PRIMARY KEY", anyWords},
	{"PREWARM", anyWords}, {"UNFREEZE", anyWords}, {"INSTRUMENT", anyWords}, {"RECONNECT", anyWords}, {"NOTIFY", anyWords}, {"LOAD", anyWords}, {"UNLOCK", anyWords},
	{"REPLICA READY", noTarget}, {"REPLICA UNREADY", noTarget}, {"THREAD", anyWords},
}

// systemTarget says what follows a SYSTEM command.
type systemTarget uint8

const (
	noTarget systemTarget = iota
	needsTable
	anyWords
)

// parseSystem parses SYSTEM.
func (p *parser) parseSystem() Statement {
	s := &System{Position: Position(p.tok.pos)}
	p.advance()
	for _, c := range systemCommands {
		if !p.acceptWords(strings.Fields(c.text)...) {
			continue
		}
		s.Command = c.text
		s.Cluster = p.parseCluster()
		switch c.target {
		case needsTable:
			p.parseSystemTable(s)
		case anyWords:
			p.parseSystemWords(s)
		}
		if s.Cluster == "" {
			s.Cluster = p.parseCluster()
		}
		return s
	}
	p.unexpected("SYSTEM command")
	return s
}

// parseSystemTable parses the name behind a command, which may be a string: 'db.d' is a whole name.
func (p *parser) parseSystemTable(s *System) {
	if p.is(tokString) {
		name := TableName{Position: Position(p.tok.pos), Table: p.parseString()}
		if db, table, ok := strings.Cut(name.Table, "."); ok && db != "" {
			name.Database, name.Table = db, table
		}
		if name.Table == "" {
			p.unexpected("identifier")
		}
		s.Target = &name
		return
	}
	name := p.parseTableName()
	s.Target = &name
}

// parseSystemWords takes the words of the command, and what follows them as written.
func (p *parser) parseSystemWords(s *System) {
	begin := p.tok.pos
	for p.err == nil && !p.is(tokEnd) && !p.is(tokSemicolon) {
		p.advance()
	}
	if p.err == nil && p.prevEnd > begin {
		s.Args = p.lex.text[begin:p.prevEnd]
	}
}

// parseKill parses KILL QUERY, KILL MUTATION and the like.
func (p *parser) parseKill() Statement {
	k := &Kill{Position: Position(p.tok.pos)}
	p.advance()
	switch {
	case p.acceptWord("QUERY"):
		k.Object = "QUERY"
	case p.acceptWord("MUTATION"):
		k.Object = "MUTATION"
	case p.acceptWord("TRANSACTION"):
		k.Object = "TRANSACTION"
	case p.acceptWord("PART_MOVE_TO_SHARD"):
		k.Object = "PART_MOVE_TO_SHARD"
	default:
		p.unexpected("QUERY")
	}
	k.Cluster = p.parseCluster()
	p.expectWord("WHERE")
	k.Where = p.parseExpr()
	switch {
	case p.acceptWord("SYNC"):
		k.Sync = true
	case p.acceptWord("ASYNC"):
	case p.acceptWord("TEST"):
		k.Test = true
	}
	p.parseOutput(&k.Output)
	return k
}

// explainNames are the words of the kinds of EXPLAIN.
var explainNames = [...]string{
	ExplainPlan: "PLAN", ExplainAst: "AST", ExplainSyntax: "SYNTAX", ExplainQueryTree: "QUERY TREE", ExplainPipeline: "PIPELINE",
	ExplainEstimate: "ESTIMATE", ExplainTableOverride: "TABLE OVERRIDE", ExplainCurrentTransaction: "CURRENT TRANSACTION",
}

// parseExplain parses EXPLAIN [kind] [settings] statement.
func (p *parser) parseExplain() *Explain {
	e := &Explain{Position: Position(p.tok.pos)}
	if !p.enter() {
		return e
	}
	defer p.leave()
	p.advance()
	for kind, name := range explainNames {
		if p.acceptWords(strings.Fields(name)...) {
			e.Kind, e.KindGiven = ExplainKind(kind), true
			break
		}
	}
	if e.Kind == ExplainCurrentTransaction {
		return e
	}
	if p.is(tokWord) && p.peek().kind == tokEquals {
		e.Settings = p.parseSettings()
	}
	e.Query = p.parseStatement()
	if p.err == nil && e.Query != nil {
		p.parseOutput(&e.Output)
	}
	return e
}
