package sql

// parseCreate parses CREATE, REPLACE and ATTACH.
func (p *parser) parseCreate() Statement {
	pos := Position(p.tok.pos)
	attach := p.isWord("ATTACH")
	replace := p.isWord("REPLACE")
	p.advance()
	orReplace := !attach && !replace && p.acceptWords("OR", "REPLACE")
	temporary := false
	if !attach && p.isWord("TEMPORARY") {
		p.advance()
		temporary = true
	}
	switch {
	case p.acceptWord("DICTIONARY"):
		return p.parseCreateDictionary(&CreateDictionary{Position: pos, Attach: attach, OrReplace: orReplace, Replace: replace})
	case p.acceptWord("TABLE"):
		return p.parseCreateTable(&CreateTable{Position: pos, Attach: attach, OrReplace: orReplace, Replace: replace, Temporary: temporary})
	case !temporary && !replace && !orReplace && p.acceptWord("DATABASE"):
		return p.parseCreateDatabase(&CreateDatabase{Position: pos, Attach: attach})
	case !replace && p.acceptWords("MATERIALIZED", "VIEW"):
		return p.parseCreateView(&CreateView{Position: pos, Attach: attach, OrReplace: orReplace, Materialized: true})
	case !replace && p.acceptWord("VIEW"):
		return p.parseCreateView(&CreateView{Position: pos, Attach: attach, OrReplace: orReplace})
	case !attach && !replace && p.acceptWord("FUNCTION"):
		return p.parseCreateFunction(&CreateFunction{Position: pos, OrReplace: orReplace})
	}
	for _, object := range accessObjects {
		if !replace && p.isWord(object) && p.peek().kind != tokEnd {
			g := p.parseGeneric("CREATE " + object).(*GenericStatement)
			if p.err == nil {
				g.Text = p.lex.text[pos:p.prevEnd]
			}
			g.Position = pos
			return g
		}
	}
	for _, word := range []string{"DICTIONARY", "TABLE", "DATABASE", "VIEW", "MATERIALIZED VIEW"} {
		p.note(word)
	}
	p.unexpected("FUNCTION")
	return nil
}

// accessObjects are the kinds of objects whose CREATE and DROP are known, but not broken down.
var accessObjects = []string{"USER", "ROLE", "QUOTA", "ROW", "POLICY", "SETTINGS", "PROFILE", "NAMED", "INDEX", "LIVE", "WINDOW", "RESOURCE", "WORKLOAD", "UNIQUE", "MASKING", "SNAPSHOT"}

// parseCreateDatabase parses CREATE DATABASE behind that word.
func (p *parser) parseCreateDatabase(d *CreateDatabase) Statement {
	d.IfNotExists = p.acceptIfNotExists()
	d.Name = p.parseDatabaseName()
	d.UUID = p.parseUUID()
	d.Cluster = p.parseCluster()
	for p.err == nil {
		switch {
		case d.Engine == nil && p.isWord("ENGINE"):
			d.Engine = p.parseEngine()
		case d.Engine != nil && d.Engine.Settings == nil && p.acceptSettings():
			d.Engine.Settings = p.parseSettings()
		case !d.HasComment && p.acceptWord("COMMENT"):
			d.Comment, d.HasComment = p.parseString(), true
		default:
			if d.Attach && d.Engine == nil {
				return &Attach{Position: d.Position, Object: ObjectDatabase, IfNotExists: d.IfNotExists, Name: d.Name, Cluster: d.Cluster}
			}
			return d
		}
	}
	return d
}

// parseCreateView parses CREATE [MATERIALIZED] VIEW behind those words.
func (p *parser) parseCreateView(v *CreateView) Statement {
	v.IfNotExists = p.acceptIfNotExists()
	v.Name = p.parseTableName()
	v.UUID = p.parseUUID()
	v.Cluster = p.parseCluster()
	if v.Materialized && p.acceptWord("TO") {
		to := p.parseTableName()
		v.To = &to
	}
	if p.is(tokLRound) && !p.queryFollows(p.peek()) {
		if name := p.peek(); name.kind == tokWord || name.kind == tokQuotedIdent {
			if k := p.lexAfter(name).kind; k == tokComma || k == tokRRound {
				p.parseViewAliases(v)
			}
		}
		if v.Aliases == nil {
			t := &CreateTable{}
			p.parseColumnList(t)
			v.Columns, v.HasColumns = t.Columns, true
		}
	}
	if v.Materialized {
		if v.To == nil {
			v.Engine = p.parseStorage()
		}
		v.Populate = p.acceptWord("POPULATE")
		v.Empty = !v.Populate && p.acceptWord("EMPTY")
	}
	comment := func() {
		if text, ok := p.acceptComment(); ok && p.err == nil {
			v.Comment, v.HasComment = text, true
		}
	}
	comment()
	p.expectWord("AS")
	v.Query = p.parseSelectQuery(false)
	if !v.HasComment {
		comment()
	}
	return v
}

// parseViewAliases parses (name, name).
func (p *parser) parseViewAliases(v *CreateView) {
	p.advance()
	for p.err == nil {
		v.Aliases = append(v.Aliases, p.parseName("identifier"))
		if !p.accept(tokComma) {
			break
		}
	}
	p.expect(tokRRound, "ClosingRoundBracket")
}

// parseCreateFunction parses CREATE FUNCTION behind those words.
func (p *parser) parseCreateFunction(f *CreateFunction) Statement {
	f.IfNotExists = p.acceptIfNotExists()
	f.Name = p.parseName("identifier")
	f.Cluster = p.parseCluster()
	p.expectWord("AS")
	f.Body = p.parseExpr()
	return f
}
