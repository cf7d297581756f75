package sql

// parseShow parses SHOW.
func (p *parser) parseShow() Statement {
	s := &Show{Position: Position(p.tok.pos)}
	p.advance()
	if p.acceptWord("CREATE") {
		return p.parseShowCreate(s.Position)
	}
	s.Extended = p.acceptWord("EXTENDED")
	s.Full = p.acceptWord("FULL")
	s.Changed = p.acceptWord("CHANGED")
	s.Temporary = p.acceptWord("TEMPORARY")
	p.parseShowKind(s)
	p.parseOutput(&s.Output)
	return s
}

// showWords are the listings that are known by their words alone.
var showWords = []struct {
	words []string
	kind  ShowKind
}{
	{[]string{"PROCESSLIST"}, ShowProcesslist},
	{[]string{"PRIVILEGES"}, ShowPrivileges},
	{[]string{"ENGINES"}, ShowEngines},
	{[]string{"FILESYSTEM", "CACHES"}, ShowFilesystemCaches},
	{[]string{"GRANTS"}, ShowAccess},
	{[]string{"USERS"}, ShowAccess},
	{[]string{"ROLES"}, ShowAccess},
	{[]string{"CURRENT", "ROLES"}, ShowAccess},
	{[]string{"ENABLED", "ROLES"}, ShowAccess},
	{[]string{"PROFILES"}, ShowAccess},
	{[]string{"SETTINGS", "PROFILES"}, ShowAccess},
	{[]string{"QUOTAS"}, ShowAccess},
	{[]string{"QUOTA"}, ShowAccess},
	{[]string{"CURRENT", "QUOTA"}, ShowAccess},
	{[]string{"ROW", "POLICIES"}, ShowAccess},
	{[]string{"POLICIES"}, ShowAccess},
	{[]string{"ACCESS"}, ShowAccess},
}

func (p *parser) parseShowKind(s *Show) {
	for _, w := range showWords {
		if !p.acceptWords(w.words...) {
			continue
		}
		s.Kind = w.kind
		begin := p.prevEnd
		if w.kind == ShowAccess {
			for p.err == nil && !p.is(tokEnd) && !p.is(tokSemicolon) && !p.isWord("FORMAT") && !p.isWord("INTO") && !p.isWord("SETTINGS") {
				p.advance()
			}
			s.Words = w.words[len(w.words)-1] + p.lex.text[begin:p.prevEnd]
		}
		return
	}
	switch {
	case p.acceptWord("TABLES"):
		s.Kind = ShowTables
		p.parseShowFrom(s)
	case p.acceptWord("DICTIONARIES"):
		s.Kind = ShowDictionaries
		p.parseShowFrom(s)
	case p.acceptWord("DATABASES"):
		s.Kind = ShowDatabases
		p.parseShowFilter(s)
	case p.acceptWord("CLUSTERS"):
		s.Kind = ShowClusters
		p.parseShowFilter(s)
	case p.acceptWord("CLUSTER"):
		s.Kind = ShowCluster
		s.From.Table = p.parseName("identifier")
	case p.acceptWord("FUNCTIONS"):
		s.Kind = ShowFunctions
		p.parseShowFilter(s)
	case p.acceptWord("MERGES"):
		s.Kind = ShowMerges
		p.parseShowFilter(s)
	case p.acceptWord("SETTING"):
		s.Kind = ShowSetting
		s.From.Table = p.parseName("identifier")
	case p.acceptWord("SETTINGS"):
		s.Kind = ShowSettings
		if s.Like = p.parseLike(); s.Like == nil {
			p.unexpected("LIKE")
		}
	case p.acceptWord("COLUMNS"), p.acceptWord("FIELDS"):
		s.Kind = ShowColumns
		p.parseShowTable(s)
	case p.acceptWord("INDEXES"), p.acceptWord("INDEX"), p.acceptWord("INDICES"), p.acceptWord("KEYS"):
		s.Kind = ShowIndexes
		p.parseShowTable(s)
	default:
		p.unexpected("TABLES")
	}
}

// parseShowFrom parses [FROM|IN db] with a filter.
func (p *parser) parseShowFrom(s *Show) {
	if p.acceptWord("FROM") || p.acceptWord("IN") {
		s.From = p.parseDatabaseName()
	}
	p.parseShowFilter(s)
}

// parseShowTable parses FROM|IN table [FROM|IN db] with a filter.
func (p *parser) parseShowTable(s *Show) {
	if !p.acceptWord("FROM") && !p.acceptWord("IN") {
		p.unexpected("FROM")
		return
	}
	s.From = p.parseTableName()
	if p.acceptWord("FROM") || p.acceptWord("IN") {
		db := p.parseDatabaseName()
		s.From.Database, s.From.DatabaseParam = db.Database, db.DatabaseParam
	}
	p.parseShowFilter(s)
}

// parseShowFilter parses [NOT] LIKE, WHERE and LIMIT.
func (p *parser) parseShowFilter(s *Show) {
	if s.Like = p.parseLike(); s.Like == nil && p.acceptWord("WHERE") {
		s.Where = p.parseExpr()
	}
	if p.acceptWord("LIMIT") {
		s.Limit = p.parseExpr()
	}
}

// parseLike parses [NOT] LIKE|ILIKE 'pattern'; nil where none stands.
func (p *parser) parseLike() *LikeClause {
	like := &LikeClause{}
	if p.isWords("NOT", "LIKE") || p.isWords("NOT", "ILIKE") {
		p.advance()
		like.Not = true
	}
	switch {
	case p.acceptWord("LIKE"):
	case p.acceptWord("ILIKE"):
		like.ILike = true
	default:
		return nil
	}
	like.Pattern = p.parseString()
	return like
}

// parseObjectKind parses TABLE, DICTIONARY, VIEW or DATABASE; ObjectAny where the word is the name already.
func (p *parser) parseObjectKind() ObjectKind {
	if k := p.peek().kind; k != tokWord && k != tokQuotedIdent && k != tokLCurly {
		return ObjectAny
	}
	switch {
	case p.acceptWord("TABLE"):
		return ObjectTable
	case p.acceptWord("DICTIONARY"):
		return ObjectDictionary
	case p.acceptWord("VIEW"):
		return ObjectView
	case p.acceptWord("DATABASE"):
		return ObjectDatabase
	}
	return ObjectAny
}

func (p *parser) parseShowCreate(pos Position) Statement {
	s := &ShowCreate{Position: pos}
	for _, object := range accessObjects[:6] {
		if k := p.peek().kind; p.isWord(object) && (k == tokWord || k == tokQuotedIdent) {
			g := p.parseGeneric("SHOW CREATE " + object).(*GenericStatement)
			g.Position = pos
			return g
		}
	}
	s.Temporary = p.isWords("TEMPORARY", "TABLE") && p.acceptWord("TEMPORARY")
	s.Object = p.parseObjectKind()
	if s.Object == ObjectDatabase {
		s.Name = p.parseDatabaseName()
	} else {
		s.Name = p.parseTableName()
	}
	p.parseOutput(&s.Output)
	return s
}

// parseDescribe parses DESCRIBE [TABLE] table, function or query.
func (p *parser) parseDescribe() Statement {
	d := &Describe{Position: Position(p.tok.pos)}
	p.advance()
	if k := p.peek().kind; p.isWord("TABLE") && k != tokEnd && k != tokDot && k != tokSemicolon && !p.tokenIs(p.peek(), "FORMAT") {
		p.advance()
	}
	if p.queryFollows(p.tok) {
		d.Table = &TableExpr{Position: Position(p.tok.pos)}
		d.Table.Query = p.parseSelectQuery(false)
	} else {
		d.Table = p.parseTableExpr()
	}
	p.parseOutput(&d.Output)
	return d
}

// parseExistsStatement parses EXISTS [TEMPORARY] [TABLE|DICTIONARY|VIEW|DATABASE] name.
func (p *parser) parseExistsStatement() Statement {
	e := &Exists{Position: Position(p.tok.pos)}
	p.advance()
	e.Temporary = p.isWord("TEMPORARY") && p.peek().kind == tokWord && p.acceptWord("TEMPORARY")
	e.Object = p.parseObjectKind()
	if e.Object == ObjectDatabase {
		e.Name = p.parseDatabaseName()
	} else {
		e.Name = p.parseTableName()
	}
	p.parseOutput(&e.Output)
	return e
}
